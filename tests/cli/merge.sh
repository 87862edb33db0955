#!/usr/bin/env bash
# Shards put together: the bytes of a single run in any order, and every set that does not fit refused by name.
source "$(dirname "$0")/check.sh" "$1"

same() { # NAME FOLDER FOLDER
  diff -r "$2" "$3" >/dev/null && pass || fail "$1" "another folder: $(diff -rq "$2" "$3" | head -n 3)"
}

shards() { # PREFIX COUNT ARGUMENT...
  local prefix=$1 count=$2 i
  shift 2
  for ((i = 1; i <= count; i++)); do
    "$vdisim" run --quiet --shard $i/$count --archive "$prefix$i" "$@" "$data/small.yaml" >output 2>errors ||
      fail "shard $i/$count" "$(cat errors)"
  done
}

"$vdisim" run --quiet --out plain "$data/small.yaml" >plain.txt 2>errors
shards s 5
for order in '1 2 3 4 5' '5 4 3 2 1' '3 1 5 2 4'; do
  rm -rf merged
  expect "order $order" 0 '' "$vdisim" merge --out merged $(printf 's%s ' $order)
  same "order $order" plain merged
  sed 's/\bmerged\b/plain/g' output | cmp -s - plain.txt && pass || fail "order $order" 'another table'
done
expect 'json' 0 '' "$vdisim" merge --no-results --format json s1 s2 s3 s4 s5
cp output merged.json
"$vdisim" run --quiet --no-results --format json "$data/small.yaml" >plain.json
cmp -s plain.json merged.json && pass || fail 'json' 'another document'
[ ! -e results ] && pass || fail '--no-results' 'left a folder'
expect 'the same file twice' 0 '' "$vdisim" merge --no-results s1 s2 s3 ./s2 s4 s5 "$PWD/s5"
shards one 1
expect 'one shard' 0 '' "$vdisim" merge --out single one1
same 'one shard' plain single
shards many 12
expect 'more shards than most units' 0 '' "$vdisim" merge --out twelve many{1,2,3,4,5,6,7,8,9,10,11,12}
same 'twelve shards' plain twelve

# All shards in one archive, written at once.
for i in 1 2 3; do
  "$vdisim" run --quiet --shard $i/3 --archive together "$data/small.yaml" >output$i 2>errors$i &
done
wait
expect 'shards in one archive' 0 '' "$vdisim" merge --out together-out together
same 'shards in one archive' plain together-out

# Into an archive of the whole; repeated it is still one run.
expect 'archive' 0 '' "$vdisim" merge --no-results --archive whole s1 s2 s3 s4 s5
expect 'archive, repeated' 0 '' "$vdisim" merge --no-results --archive whole s5 s4 s3 s2 s1
[ "$("$vdisim" archive query -f csv whole 'SELECT count(*), sum(kept), min(status) FROM runs' | tail -n 1)" = \
  1,12,finished ] && pass || fail 'archive' "$("$vdisim" archive list whole)"
expect 'archive, exported' 0 '' "$vdisim" archive export whole 1 --out whole-out
same 'archive, exported' plain whole-out
expect 'archive, resumed' 0 '' "$vdisim" run --quiet --archive whole --resume --out whole-run "$data/small.yaml"
same 'archive, resumed' plain whole-run
expect 'the folder is there' 2 "'merged' exists" "$vdisim" merge --out merged s1 s2 s3 s4 s5
expect 'the folder is there, forced' 0 '' "$vdisim" merge --out merged --force s1 s2 s3 s4 s5

# Killed at any moment a merge leaves no folder, or the whole one, and is simply repeated.
for delay in 0.01 0.02 0.03 0.05 0.08; do
  rm -rf cut
  "$vdisim" merge --out cut --archive cut.sqlite s1 s2 s3 s4 s5 >output 2>errors &
  merge=$!
  sleep $delay
  kill -KILL $merge 2>/dev/null
  wait $merge 2>/dev/null
  if [ -e cut ]; then same "killed after $delay s" plain cut; fi
  if [ -s cut.sqlite ] && "$vdisim" archive query -f csv cut.sqlite 'SELECT kept FROM runs' >kept 2>/dev/null; then
    [ "$(tail -n +2 kept)" = 12 ] || [ -z "$(tail -n +2 kept)" ] && pass || fail "killed after $delay s" "kept $(cat kept)"
  fi
  rm -rf .vdisim-*
done
rm -rf cut
expect 'repeated after kills' 0 '' "$vdisim" merge --out cut --archive cut.sqlite s1 s2 s3 s4 s5
same 'repeated after kills' plain cut

# What does not fit together.
refuse() { # NAME REGEX SHARD...
  local name=$1 regex=$2
  shift 2
  expect "$name" 2 "^vdisim merge: .*$regex" "$vdisim" merge --out refused "$@"
  [ "$(wc -l <errors)" -eq 1 ] && [ ! -e refused ] && pass || fail "$name" "$(cat errors)"
}
refuse 'one missing' 'shard 3 of 5 is missing$' s1 s2 s4 s5
refuse 'two missing' 'shards 2 and 4 of 5 are missing$' s1 s3 s5
refuse 'three missing' 'shards 1, 3 and 5 of 5 are missing$' s2 s4
cp s2 copy2
refuse 'a copy' "shard 2 of 5 is in both 's2' and 'copy2'; give one of them" s1 s2 s3 s4 s5 copy2
"$vdisim" run --quiet --shard 3/5 --seed 2 --archive seed3 "$data/small.yaml" >output 2>errors
refuse 'another seed' 'different seeds: 1 and 2' s1 s2 seed3 s4 s5
"$vdisim" run --quiet --shard 3/5 --replications 7 --archive more3 "$data/small.yaml" >output 2>errors
refuse 'more replications' 'different numbers of replications: 6 and 7' s1 s2 more3 s4 s5
"$vdisim" run --quiet --shard 3/5 --set workloads.logons.users=31 --archive set3 "$data/small.yaml" >output 2>errors
refuse 'other values' "different states of 'small'" s1 s2 set3 s4 s5
"$vdisim" run --quiet --shard 3/4 --archive four3 "$data/small.yaml" >output 2>errors
refuse 'another count' 'one of 5 shards and one of 4' s1 s2 four3 s4 s5
sed 's/^experiment: small/experiment: other/' "$data/small.yaml" >other.yaml
"$vdisim" run --quiet --shard 3/5 --archive other3 other.yaml >output 2>errors
refuse 'another experiment' "different experiments: 'small' and 'other'" s1 s2 other3 s4 s5
if command -v python3 >/dev/null; then
  cp s3 version3 && cp s3 less3
  python3 -c 'import sqlite3; d = sqlite3.connect("version3"); d.execute("UPDATE run SET version = \"0.0.9\""); d.commit()'
  refuse 'another version' 'different versions of vdisim: .* and 0\.0\.9' s1 s2 version3 s4 s5
  python3 -c 'import sqlite3; d = sqlite3.connect("less3"); d.execute("DELETE FROM unit WHERE id = 1"); d.commit()'
  refuse 'not finished' "shard 3 of 5 is not finished: 1 of its 2 units are missing in 'less3'; run it again with --resume" \
    s1 s2 less3 s4 s5
  expect 'finished' 0 '' "$vdisim" run --quiet --shard 3/5 --archive less3 --resume "$data/small.yaml"
  expect 'finished, merged' 0 '' "$vdisim" merge --out less s1 s2 less3 s4 s5
  same 'finished, merged' plain less
  cp s3 bad3
  python3 -c 'import sqlite3; d = sqlite3.connect("bad3"); d.execute("UPDATE metric SET value = 1 WHERE ordinal = 3"); d.commit()'
  refuse 'damaged' "archive 'bad3' is damaged: run 1, cell 1, replication 3 is not what was kept" s1 s2 bad3 s4 s5
fi
"$vdisim" run --quiet --no-results --archive whole3 "$data/small.yaml" >output 2>errors
refuse 'no shard' "'whole3' holds no shard" s1 s2 whole3 s4 s5
refuse 'no archive' 'is no archive of vdisim' s1 "$data/small.yaml"
expect 'not there' 1 "cannot read archive 'nothing'" "$vdisim" merge s1 nothing
expect 'no shards' 2 'no shards given' "$vdisim" merge
expect 'full output' 1 'cannot write to standard output: No space left' \
  bash -c "'$vdisim' merge --no-results s1 s2 s3 s4 s5 >/dev/full"
finish
