#!/usr/bin/env bash
# The ranks of an MPI job on this machine, talking by TCP over the loopback device as they would between machines.
source "$(dirname "$0")/machines.sh" "$1"

command -v mpirun >/dev/null || skip 'there is no mpirun'
export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1
ranks() { # COUNT COMMAND...
  local count=$1
  shift
  timeout 300 mpirun -q --oversubscribe --mca btl self,tcp --mca btl_tcp_if_include lo \
    --mca oob_tcp_if_include lo -n "$count" "$@"
}
ranks 2 true 2>errors || skip "mpirun does not work here: $(head -n 3 errors)"

for count in 1 2 3 5; do
  quietly "$count ranks" ranks $count "$vdisim" run --quiet machines.yaml --out "ranks-$count"
  same "$count ranks" "ranks-$count"
done
# More ranks than units, and several experiments in one job.
sed -e 's/: machines$/: other/' -e 's/seed: 7/seed: 8/' -e 's/replications: 4/replications: 1/' machines.yaml >other.yaml
quietly 'two experiments' ranks 5 "$vdisim" run --quiet other.yaml machines.yaml --out both
same 'two experiments' both/machines
quietly 'other on one thread' "$vdisim" run --quiet --jobs 1 other.yaml --out other
diff -rq other both/other >/dev/null && pass || fail 'two experiments' 'another result of the first'
# A target precision takes several rounds.
sed -e 's/replications: 4, /precision: 1 %, of: profile_load.mean, at_least: 5, at_most: 12, /' -e 's/: machines$/: rounds/' \
  machines.yaml >rounds.yaml
expect 'rounds on one thread' 0 '' "$vdisim" run --quiet --jobs 1 rounds.yaml --out rounds-one
expect 'rounds on ranks' 0 '' ranks 3 "$vdisim" run --quiet rounds.yaml --out rounds-ranks
diff -rq rounds-one rounds-ranks >/dev/null && pass || fail 'rounds on ranks' 'another result'
# An archive written by rank 0 holds everything.
quietly 'archive' ranks 3 "$vdisim" run --quiet machines.yaml --no-results --archive archive.sqlite
quietly 'export' "$vdisim" archive export archive.sqlite 1 --out exported
same 'archive' exported
# Of a shard, too.
quietly 'shard 1 of 2 on ranks' ranks 3 "$vdisim" run --quiet machines.yaml --shard 1/2 --archive s1.sqlite
shard 2 2 s2.sqlite
quietly 'merge' "$vdisim" merge s1.sqlite s2.sqlite --out shards
same 'shard on ranks' shards

# One rank speaks, all end alike.
one_line() {
  local lines
  lines=$(grep -c 'vdisim run: ' errors)
  [ "$lines" -eq 1 ] && pass || fail "$1" "said $lines times"
}
expect 'no such option' 2 "unrecognized option '--nonsense'" ranks 3 "$vdisim" run --nonsense
one_line 'no such option'
expect 'no such file' 1 "cannot read 'none.yaml'" ranks 3 "$vdisim" run none.yaml
one_line 'no such file'
expect 'existing folder' 2 "'one' exists" ranks 3 "$vdisim" run machines.yaml --out one
one_line 'existing folder'
sed 's/: 40/: 0/' machines.yaml >bad.yaml
expect 'mistake' 2 'bad.yaml:[0-9]+' ranks 3 "$vdisim" run bad.yaml
[ "$(grep -c error: errors)" -eq 1 ] && pass || fail 'mistake' 'said more than once'
sed -e 's/^run:.*/&\nexpect: [{metric: profile_load.mean, between: [100 s, 200 s]}]/' machines.yaml >missed.yaml
expect 'a missed expectation' 3 '' ranks 3 "$vdisim" run --quiet missed.yaml --no-results

# A rank that has read something else, cannot read, or is another program.
cat >odd-one <<'END'
#!/bin/sh
# The last rank does something else.
if [ "$OMPI_COMM_WORLD_RANK" = 2 ]; then
  case $ODD in
  other) exec "$@" --seed 8 ;;
  elsewhere) cd / ;;
  esac
fi
exec "$@"
END
chmod +x odd-one
ODD=other expect 'another experiment' 2 'rank 2 on .* has read something else than rank 0' \
  ranks 3 -x ODD ./odd-one "$vdisim" run machines.yaml --out odd
one_line 'another experiment'
ODD=elsewhere expect 'unreadable there' 2 'rank 2 on .* cannot read what rank 0' \
  ranks 3 -x ODD ./odd-one "$vdisim" run machines.yaml --out odd
[ ! -e odd ] && pass || fail 'odd ranks' 'wrote a result'
expect 'strangers' 2 '3 ranks were started, but not in a way that MPI knows of' \
  env SLURM_STEP_NUM_TASKS=3 SLURM_PROCID=0 "$vdisim" run machines.yaml --out odd

# Interrupted: rank 0 stops the others and keeps what was finished.
signal_rank() { # SIGNAL RANK ARCHIVE: of the job that writes there; false when there is none
  local process
  for process in /proc/[0-9]*; do
    if grep -qs -- "$3" "$process/cmdline" && grep -qsz "^OMPI_COMM_WORLD_RANK=$2\$" "$process/environ"; then
      kill "-$1" "${process#/proc/}"
      return
    fi
  done
  false
}
quietly 'long on one thread' "$vdisim" run --quiet --jobs 1 long.yaml --out long-one
ranks 3 "$vdisim" run --quiet long.yaml --archive stopped.sqlite --no-results >output 2>errors &
job=$!
wait_for_units stopped.sqlite 2 || fail 'interrupted' 'nothing was kept'
signal_rank INT 0 stopped.sqlite || fail 'interrupted' 'rank 0 was not found'
wait $job
judge 'interrupted' 130 'interrupted: [0-9]+ of 24 runs' $?
expect 'interrupted, resumed' 0 '' ranks 3 "$vdisim" run --quiet long.yaml --archive stopped.sqlite --resume \
  --out long-stopped
diff -rq long-one long-stopped >/dev/null && pass || fail 'interrupted, resumed' 'another result'

# A rank dies in the middle: the job ends, what was finished is kept, and the rerun takes up the rest.
ranks 3 "$vdisim" run --quiet long.yaml --archive died.sqlite --no-results >output 2>errors &
job=$!
wait_for_units died.sqlite 2 || fail 'a rank dies' 'nothing was kept'
signal_rank KILL 1 died.sqlite || fail 'a rank dies' 'rank 1 was not found'
wait $job && fail 'a rank dies' 'the job ended well' || pass
kept=$(units_kept died.sqlite)
[ "$kept" -ge 2 ] && [ "$kept" -lt 24 ] && pass || fail 'a rank dies' "$kept units of 24 were kept"
expect 'resumed' 0 '' ranks 3 "$vdisim" run --quiet long.yaml --archive died.sqlite --resume --out long-died
diff -rq long-one long-died >/dev/null && pass || fail 'a rank dies' 'another result after it was resumed'
finish
