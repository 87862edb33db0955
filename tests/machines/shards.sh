#!/usr/bin/env bash
# Threads and shards on this machine: whatever the number of either, and in whatever order shards are merged, the
# result has the same bytes.
source "$(dirname "$0")/machines.sh" "$1"

for jobs in 2 7; do
  quietly "$jobs threads" "$vdisim" run --quiet --jobs $jobs machines.yaml --out "threads-$jobs"
  same "$jobs threads" "threads-$jobs"
done

for i in 1 2 3 4 5; do shard $i 5 "shard-$i.sqlite"; done
for order in '1 2 3 4 5' '5 4 3 2 1' '3 1 5 2 4' '2 5 1 4 3'; do
  files=()
  for i in $order; do files+=("shard-$i.sqlite"); done
  quietly "merge $order" "$vdisim" merge "${files[@]}" --out merged
  same "merge $order" merged
  rm -rf merged
done
expect 'a shard left out' 2 'shard 4 of 5 is missing' "$vdisim" merge shard-{1,2,3,5}.sqlite --out merged
[ ! -e merged ] && pass || fail 'a shard left out' 'something was written'

# More shards than units: the empty ones are needed, too, and do no harm.
files=()
for i in $(seq 1 13); do
  shard "$i" 13 "many-$i.sqlite"
  files+=("many-$i.sqlite")
done
quietly 'thirteen shards' "$vdisim" merge "${files[@]}" --out many
same 'thirteen shards' many

# A shard that is killed and taken up again.
expect 'the other shard' 0 '' "$vdisim" run --quiet long.yaml --shard 1/2 --archive long-1.sqlite
"$vdisim" run --quiet long.yaml --jobs 1 --out long-one >/dev/null
"$vdisim" run --quiet long.yaml --shard 2/2 --archive long-2.sqlite --jobs 1 2>/dev/null &
victim=$!
wait_for_units long-2.sqlite 2 || fail 'killed shard' 'kept nothing before it was killed'
kill -9 $victim
wait $victim 2>/dev/null
expect 'merging a part' 2 'long-2.sqlite' "$vdisim" merge long-1.sqlite long-2.sqlite --out long-merged
expect 'killed shard, resumed' 0 '' "$vdisim" run --quiet long.yaml --shard 2/2 --archive long-2.sqlite --resume
expect 'merge' 0 '' "$vdisim" merge long-2.sqlite long-1.sqlite --out long-merged
diff -rq long-one long-merged >/dev/null && pass || fail 'killed shard, resumed' 'another result'

# GNU parallel as in docs/scaling.md.
if command -v parallel >/dev/null; then
  quietly 'GNU parallel' sh -c "seq 5 | parallel --will-cite -j2 '$vdisim run --quiet machines.yaml --jobs 1 \
    --shard {}/5 --archive parallel-{}.sqlite'"
  quietly 'merge' "$vdisim" merge parallel-*.sqlite --out parallel
  same 'GNU parallel' parallel
fi
finish
