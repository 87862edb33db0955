#!/usr/bin/env bash
# An archive from outside: the same bytes out of it, runs killed and resumed, questions, and all that can be wrong.
source "$(dirname "$0")/check.sh" "$1"

same() { # NAME FOLDER FOLDER
  diff -r "$2" "$3" >/dev/null && pass || fail "$1" "another folder: $(diff -rq "$2" "$3" | head -n 3)"
}

expect 'run' 0 '' "$vdisim" run --quiet --archive a.sqlite --out plain "$data/small.yaml"
cp output plain.txt
expect 'run without an archive' 0 '' "$vdisim" run --quiet --out bare "$data/small.yaml"
same 'an archive changes nothing' bare plain
expect 'all taken from the archive' 0 'resuming run 1: 12 units' \
  "$vdisim" run --jobs 1 --archive a.sqlite --resume --out taken "$data/small.yaml"
same 'all taken from the archive' plain taken
expect 'resumed with more replications' 0 '' \
  "$vdisim" run --quiet --archive a.sqlite --resume --replications 9 --out nine "$data/small.yaml"
"$vdisim" run --quiet --replications 9 --out nine-bare "$data/small.yaml" >output 2>errors
same 'resumed with more replications' nine-bare nine
expect 'a second run' 0 '' "$vdisim" run --quiet --archive a.sqlite --no-results "$data/small.yaml"

sed 's/experiment: small/experiment: renamed/' "$data/small.yaml" >renamed.yaml
expect 'another name' 2 "it has no run of 'renamed'" "$vdisim" run --quiet --archive a.sqlite --resume --no-results renamed.yaml

# Killed in the middle, and resumed, over and over, until it ends: the same bytes as without.
"$vdisim" run --quiet --replications 80 --out long "$data/small.yaml" >long.txt 2>errors
kills=0
for i in 1 2 3 4 5 6; do
  "$vdisim" run --quiet --jobs 2 --replications 80 --archive k.sqlite --resume --out killed "$data/small.yaml" \
    >output 2>errors &
  run=$!
  sleep "0.$((i * 7 % 10))"
  kill -KILL $run 2>/dev/null && kills=$((kills + 1))
  wait $run 2>/dev/null
  [ -e k.sqlite ] || continue
  "$vdisim" archive query --format csv k.sqlite 'PRAGMA integrity_check' >sound 2>&1
  [ "$(tail -n 1 sound)" = ok ] && pass || grep -q 'it is empty' sound || fail 'killed' "$(cat sound)"
  [ ! -e killed ] || break
done
[ "$kills" -gt 0 ] && pass || fail 'killed' 'none was'
rm -rf .vdisim-* # of a run that was killed while it wrote its folder; nobody can clean up after kill -9
expect 'killed and resumed' 0 '' "$vdisim" run --quiet --replications 80 --archive k.sqlite --resume --force \
  --out killed "$data/small.yaml"
same 'killed and resumed' long killed
sed 's/\bkilled\b/long/g' output | cmp -s - long.txt && pass || fail 'killed and resumed' 'another table'
[ "$("$vdisim" archive query -f csv k.sqlite 'SELECT count(*), min(status), min(kept) FROM runs' | tail -n 1)" = \
  1,finished,160 ] && pass || fail 'killed and resumed' "$("$vdisim" archive list k.sqlite)"

# Interrupted in good order.
"$vdisim" run --quiet --replications 100000 --archive i.sqlite --no-results "$data/small.yaml" >output 2>errors &
run=$!
sleep 2
kill -INT $run
wait $run
judge 'interrupted' 130 'interrupted: .* are kept; --resume' $?
"$vdisim" archive list i.sqlite | grep -q 'interrupted' && pass || fail 'interrupted' 'not marked'

# Two runs into one archive at once.
"$vdisim" run --quiet --replications 60 --archive two.sqlite --out two-a "$data/small.yaml" >/dev/null 2>errors-a &
first=$!
"$vdisim" run --quiet --replications 60 --seed 2 --archive two.sqlite --out two-b "$data/small.yaml" >/dev/null 2>errors
second=$?
wait $first && [ $second -eq 0 ] && pass || fail 'two at once' "$(cat errors errors-a)"
[ "$("$vdisim" archive query -f csv two.sqlite 'SELECT count(*), sum(kept) FROM runs' | tail -n 1)" = 2,240 ] && pass ||
  fail 'two at once' "$("$vdisim" archive list two.sqlite)"

# What is in it.
expect 'list' 0 '' "$vdisim" archive list a.sqlite
[ "$(grep -c 'finished' output)" -eq 3 ] && grep -q '18 of 18' output && pass || fail 'list' "$(cat output)"
expect 'show' 0 '' "$vdisim" archive show a.sqlite 1
grep -q '^seed  *1$' output && grep -q "small.yaml  *$(wc -c <"$data/small.yaml")" output && pass || fail 'show' "$(cat output)"
expect 'show the newest' 0 '' "$vdisim" archive show a.sqlite
grep -q '^run  *2$' output && pass || fail 'show the newest' "$(cat output)"
expect 'query' 0 '' "$vdisim" archive query a.sqlite --format csv \
  "SELECT cell, replication, value FROM metrics WHERE run = 1 AND metric = 'profile_load.mean'"
tail -n +2 output >archived
awk -F, 'NR == 1 { for (i = 1; i <= NF; i++) if ($i == "profile_load.mean [s]") c = i } NR > 1 && $3 <= 9 {
  print $1 "," $3 "," $c }' nine/runs.csv | cmp -s - archived && pass || fail 'query' 'other values than runs.csv'
expect 'query as JSON' 0 '' "$vdisim" archive query a.sqlite -f json "SELECT 1 AS a, 2.5 AS b, NULL AS c, 'x\"' AS d"
grep -qF '{"a": 1, "b": 2.5, "c": null, "d": "x\""}' output && pass || fail 'query as JSON' "$(cat output)"
expect 'query without rows' 0 '' "$vdisim" archive query a.sqlite 'SELECT * FROM runs WHERE run = 99'
expect 'query that writes' 2 'a query can only read' "$vdisim" archive query a.sqlite 'DELETE FROM run'
expect 'query with a mistake' 2 'no such table: rnus' "$vdisim" archive query a.sqlite 'SELECT * FROM rnus'
expect 'two queries' 2 'one statement at a time' "$vdisim" archive query a.sqlite 'SELECT 1; SELECT 2'
if command -v python3 >/dev/null; then
  "$vdisim" archive list -f json a.sqlite | python3 -c 'import json, sys; assert len(json.load(sys.stdin)) == 2' && pass ||
    fail 'list as JSON' 'not a list of two'
fi

# Out of it again, where the experiment is no more.
cp "$data/small.yaml" gone.yaml
"$vdisim" run --quiet --archive g.sqlite --set workloads.logons.users=20 --out g1 gone.yaml >output 2>errors
rm gone.yaml
expect 'export' 0 '' "$vdisim" archive export g.sqlite 1 --out g2
same 'export' g1 g2
expect 'export over it' 2 "'g2' exists" "$vdisim" archive export g.sqlite 1 --out g2
expect 'export over it, forced' 0 '' "$vdisim" archive export g.sqlite 1 --out g2 --force
same 'export over it, forced' g1 g2
expect 'export of an interrupted run' 0 '' "$vdisim" archive export i.sqlite 1 --out i
grep -q 'marked as interrupted' output && grep -q '"interrupted": true' i/manifest.json && pass || fail 'export' "$(cat output)"
expect 'no such run' 2 'has no run 7' "$vdisim" archive export g.sqlite 7
expect 'no such run to show' 2 'has no run 7' "$vdisim" archive show g.sqlite 7

# What is no archive, and none that can be used.
for command in list show 'export' query; do
  arguments=()
  [ $command = export ] && arguments=(1)
  [ $command = query ] && arguments=('SELECT 1')
  expect "$command: not there" 1 'cannot read archive .no.sqlite.: No such file' "$vdisim" archive $command no.sqlite "${arguments[@]}"
  expect "$command: a folder" 2 'no archive of vdisim: it is a folder' "$vdisim" archive $command . "${arguments[@]}"
  expect "$command: a text" 2 'no archive of vdisim: it is no SQLite file' \
    "$vdisim" archive $command "$data/small.yaml" "${arguments[@]}"
done
expect 'run: a text' 2 "'$data/small.yaml' is no archive of vdisim" \
  "$vdisim" run --no-results --archive "$data/small.yaml" "$data/small.yaml"
expect 'run: a folder' 2 'it is a folder' "$vdisim" run --no-results --archive . "$data/small.yaml"
expect 'run: no folder there' 1 'No such file or directory' "$vdisim" run --no-results --archive no/a.sqlite "$data/small.yaml"
expect 'resume: changed' 2 'since run 1 of .small. the experiment has changed; leave out --resume' \
  "$vdisim" run --no-results --archive g.sqlite --resume "$data/small.yaml"
expect 'resume: another seed' 2 'the seed is another .1, now 5' \
  "$vdisim" run --no-results --archive a.sqlite --resume --seed 5 "$data/small.yaml"
head -c 30000 a.sqlite >cut.sqlite
expect 'truncated' 2 'damaged' "$vdisim" archive export cut.sqlite 1
expect 'truncated, to write' 2 'damaged' "$vdisim" run --quiet --no-results --archive cut.sqlite --resume "$data/small.yaml"
if command -v python3 >/dev/null; then
  python3 - <<'END'
import sqlite3
data = sqlite3.connect("a.sqlite")
new = sqlite3.connect("newer.sqlite")
data.backup(new)
new.execute("PRAGMA user_version = 3")
new.commit()
bytes = bytearray(open("newer.sqlite", "rb").read())
bytes[18:20] = b"\x01\x01"
open("newer.sqlite", "wb").write(bytes)
END
  for command in 'archive list' 'run --no-results --archive'; do
    arguments=()
    [ "$command" = 'archive list' ] || arguments=("$data/small.yaml")
    expect "$command: newer" 2 'has schema 3 and this vdisim knows 2; use a newer vdisim' \
      "$vdisim" $command newer.sqlite "${arguments[@]}"
  done
fi

full=no
if [ "$(id -u)" -eq 0 ]; then
  mkdir disk
  if mount -t tmpfs -o size=400k tmpfs disk 2>/dev/null; then
    full=yes
    expect 'full disk' 1 "cannot keep cell [12], replication [0-9]+ in archive 'disk/a.sqlite': the disk is full" \
      "$vdisim" run --quiet --no-results --replications 500 --archive disk/a.sqlite "$data/small.yaml"
    [ "$(wc -l <errors)" -eq 1 ] && pass || fail 'full disk' "says $(cat errors)"
    [ "$("$vdisim" archive query -f csv disk/a.sqlite 'PRAGMA integrity_check' | tail -n 1)" = ok ] && pass ||
      fail 'full disk' "$("$vdisim" archive query disk/a.sqlite 'PRAGMA integrity_check' 2>&1)"
    kept=$("$vdisim" archive query -f csv disk/a.sqlite 'SELECT kept FROM runs' | tail -n 1)
    [ "${kept:-0}" -gt 0 ] && pass || fail 'full disk' "kept $kept"
    mount -o remount,size=4m disk
    expect 'full disk, then room' 0 '' \
      "$vdisim" run --quiet --replications 20 --archive disk/a.sqlite --resume --out room "$data/small.yaml"
    "$vdisim" run --quiet --replications 20 --out room-bare "$data/small.yaml" >output 2>errors
    same 'full disk, then room' room-bare room
    mount -o remount,ro disk
    expect 'read-only, read' 0 '' "$vdisim" archive list disk/a.sqlite
    expect 'read-only, written' 1 "archive 'disk/a.sqlite': it may only be read" \
      "$vdisim" run --quiet --no-results --archive disk/a.sqlite "$data/small.yaml"
    umount disk
  fi
else
  chmod 444 g.sqlite
  expect 'read-only' 1 "cannot write to archive 'g.sqlite': it may only be read" \
    "$vdisim" run --no-results --archive g.sqlite "$data/small.yaml"
  chmod 000 g.sqlite
  expect 'unreadable' 1 "cannot read archive 'g.sqlite': Permission denied" "$vdisim" archive list g.sqlite
fi
[ $full = yes ] || echo 'skipped: full disk, read-only file system (need root and tmpfs)'

# Usage.
expect 'no action' 2 'say what to do: list, show, export or query' "$vdisim" archive
expect 'mistyped action' 2 "Did you mean export" "$vdisim" archive exprot a.sqlite 1
expect 'no file' 2 'no archive given' "$vdisim" archive list
expect 'no run' 2 'say which run to export' "$vdisim" archive export a.sqlite
expect 'no number' 2 "'x' is not the number of a run" "$vdisim" archive show a.sqlite x
expect 'no query' 2 'no query given' "$vdisim" archive query a.sqlite
expect 'too much' 2 'too many arguments' "$vdisim" archive list a.sqlite 1
expect 'format of show' 2 'is of list and query' "$vdisim" archive show a.sqlite --format csv
expect 'full output' 1 'cannot write to standard output: No space left' \
  bash -c "'$vdisim' archive list a.sqlite >/dev/full"
[ -z "$(find . -maxdepth 1 -name '*.sqlite-*' -not -name 'k.sqlite-*')" ] && pass ||
  fail 'leftovers' "$(find . -name '*.sqlite-*')"
finish
