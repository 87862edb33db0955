#!/usr/bin/env bash
# Trouble while running: full disk, read-only output, interruption, broken pipe.
source "$(dirname "$0")/check.sh" "$1"

expect 'standard output is full' 1 'cannot write to standard output: No space left' \
  bash -c "'$vdisim' run --quiet --no-results --format json '$data/small.yaml' >/dev/full"

# A pipe whose reader is gone: one line says so, and where the whole results are.
mkfifo pipe
(exec 3<pipe; sleep 0.1) &
expect 'broken pipe' 1 '^vdisim run: standard output was closed; results are in broken$' \
  bash -c "exec 3>pipe; sleep 0.5; '$vdisim' run --quiet --out broken --format json '$data/small.yaml' >&3"
wait
[ "$(wc -l <errors)" -eq 1 ] && pass || fail 'broken pipe' "says $(cat errors)"
"$vdisim" run --quiet --out whole "$data/small.yaml" >output 2>errors
diff -r broken whole >/dev/null && pass || fail 'broken pipe' "the results are not whole: $(diff -rq broken whole)"
(exec 3<pipe; sleep 0.1) &
expect 'broken pipe, nothing kept' 1 '^vdisim run: standard output was closed$' \
  bash -c "exec 3>pipe; sleep 0.5; '$vdisim' run --quiet --no-results '$data/small.yaml' >&3"
wait

# A disk with room for nothing much.
full=no
if [ "$(id -u)" -eq 0 ]; then
  mkdir disk
  if mount -t tmpfs -o size=16k tmpfs disk 2>/dev/null; then
    full=yes
    expect 'full disk' 1 "^vdisim run: cannot write 'disk/r(/[a-z.]+)?': No space left on device; no results were kept" \
      "$vdisim" run --quiet --out disk/r "$data/small.yaml"
    [ -z "$(ls -A disk)" ] && pass || fail 'full disk' "left $(ls -A disk)"
    grep -q . output && pass || fail 'full disk' 'the table was lost'
    mount -o remount,ro disk
    expect 'read-only file system' 1 "^vdisim run: cannot write results to 'disk/r': Read-only" \
      "$vdisim" run --out disk/r "$data/small.yaml"
    umount disk
  fi
fi
[ $full = yes ] || echo 'skipped: full disk, read-only file system (need root and tmpfs)'
if [ "$(id -u)" -ne 0 ]; then
  mkdir closed && chmod 555 closed
  expect 'read-only folder' 1 "^vdisim run: cannot write results to 'closed/r': Permission denied" \
    "$vdisim" run --out closed/r "$data/small.yaml"
fi
expect 'no folder there' 1 "^vdisim run: cannot write results to '/proc/no/r'" "$vdisim" run --out /proc/no/r "$data/small.yaml"
expect 'a file in the way' 1 "^vdisim run: cannot write results to 'output/r': Not a directory" \
  "$vdisim" run --out output/r "$data/small.yaml"

# Interrupted in the middle: what was finished is kept and marked.
"$vdisim" run --quiet --jobs 2 --replications 100000 --out interrupted "$data/small.yaml" >output 2>errors &
run=$!
sleep 2
kill -INT $run
wait $run
judge 'interrupted' 130 'interrupted: [0-9]+ of 200000 runs were finished and are kept' $?
grep -q '"interrupted": true' interrupted/manifest.json && pass || fail 'interrupted' 'not marked'
[ "$(wc -l <interrupted/runs.csv)" -gt 1 ] && pass || fail 'interrupted' 'no runs'
"$vdisim" run --quiet --jobs 1 --replications 100 --out early --set workloads.logons.users=100000 \
  --set run.length='10 h' --set workloads.logons.arrivals.window='10 h' "$data/small.yaml" >output 2>errors &
run=$!
sleep 1
kill -INT $run
wait $run
judge 'interrupted before the first run' 130 'before the first run was finished; nothing was kept' $?
[ ! -e early ] && pass || fail 'interrupted early' 'left a folder'
finish
