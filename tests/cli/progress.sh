#!/usr/bin/env bash
# How a run tells its progress: lines of JSON for scripts, a bar on a terminal, nothing where nobody looks.
source "$(dirname "$0")/check.sh" "$1"

sed 's/users: 30/users: 8/' "$data/small.yaml" >small.yaml
lines='^\{"event":"unit","done":12,"wanted":12,"may_want_more":false,'
expect 'ndjson' 0 "$lines" "$vdisim" run --progress ndjson --no-results --jobs 1 small.yaml
head -n 1 errors | grep -Fqx '{"event":"start","what":"small"}' && pass || fail 'ndjson' "starts with $(head -n 1 errors)"
tail -n 1 errors | grep -Eq '^\{"event":"end","status":"finished","done":12,"wanted":12,"elapsed_s":[0-9.]+\}$' && pass ||
  fail 'ndjson' "ends with $(tail -n 1 errors)"
tail -n 2 errors | head -n 1 | grep -Eq "$lines" && pass || fail 'ndjson' 'the last unit is not told'
if command -v python3 >/dev/null; then
  python3 - errors <<'END' && pass || fail 'ndjson' 'not the lines of the contract'
import json, sys
lines = [json.loads(line, parse_constant=lambda name: sys.exit(name)) for line in open(sys.argv[1])]
units = [line for line in lines if line["event"] == "unit"]
assert [line["event"] for line in lines] == ["start"] + ["unit"] * len(units) + ["end"]
assert units[0]["done"] == 0 and units[0]["rate_per_s"] is None
assert all(a["done"] < b["done"] and a["elapsed_s"] <= b["elapsed_s"] for a, b in zip(units, units[1:]))
assert units[-1]["left_s"] == 0 and units[-1]["rate_per_s"] > 0
gaps = [b["elapsed_s"] - a["elapsed_s"] for a, b in zip(units, units[1:-1])]
assert all(gap > 0.099 for gap in gaps), gaps
END
fi
expect 'quiet and ndjson' 0 "$lines" "$vdisim" run --quiet --progress ndjson --no-results small.yaml
expect 'no terminal' 0 '' "$vdisim" run --no-results small.yaml
expect 'none' 0 '' "$vdisim" run --progress none --no-results small.yaml
expect 'an unknown way' 2 "--progress: 'json' is not one of bar, ndjson, none" "$vdisim" run --progress json small.yaml

sed 's/run: .*/run: {length: 3 min, precision: 0.001 %, at_least: 6, at_most: 9}/' small.yaml >precise.yaml
expect 'a precision' 0 '"half_width":0\.[0-9]+,"half_width_wanted":1e-05,"half_width_is_relative":true\}$' \
  "$vdisim" run --progress ndjson --no-results precise.yaml
grep -q '"wanted":18,"may_want_more":true' errors && pass || fail 'a precision' 'no second round'
grep -q 'ended at 9 replications within .* %: the target was not reached' output && pass || fail 'a precision' "$(cat output)"

if script -qec true /dev/null >/dev/null 2>&1; then
  bar() { script -qec "$1" /dev/null | tr '\r' '\n'; }
  TERM=xterm bar "'$vdisim' run --no-results small.yaml" >terminal
  grep -Eq 'small \[#{26}\] 12/12   [0-9.]+ /s   [0-9.]+ s' terminal && pass || fail 'bar' "$(head -n 3 terminal)"
  TERM=xterm bar "'$vdisim' run --no-results precise.yaml" >terminal
  grep -Eq '/18\+?.*half-width [0-9.]+ % of 0.001 %' terminal && pass || fail 'bar with a precision' "$(head -n 9 terminal)"
  for what in 'TERM=dumb' 'TERM=xterm'; do
    [ $what = TERM=dumb ] && option= || option=--quiet
    env $what script -qec "'$vdisim' run $option --no-results small.yaml" /dev/null >terminal
    grep -q '12/12' terminal && fail "no bar: $what $option" "$(head -n 3 terminal)" || pass
  done
fi

: >errors # what an earlier command said would be taken for this one
"$vdisim" run --progress ndjson --no-results --replications 100 --jobs 1 small.yaml >output 2>errors &
run=$!
while ! grep -q '"done":[1-9]' errors; do sleep 0.1; done
kill -INT $run
wait $run
judge 'interrupted' 130 '^\{"event":"end","status":"interrupted","done":[0-9]+,"wanted":200,' $?
finish
