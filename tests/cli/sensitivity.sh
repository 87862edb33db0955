#!/usr/bin/env bash
# vdisim sensitivity: what it prints and what it refuses.
source "$(dirname "$0")/check.sh" "$1"

cat >known.yaml <<'YAML'
experiment: known
stores: {profiles: {kind: 'null'}}
workloads: {logons: {users: 3, arrivals: {window: 1 min}, profile: citrix-test-profile}}
run: {length: 5 min}
YAML

expect 'help' 0 '' "$vdisim" sensitivity --help
expect 'a study' 0 '^[0-9]+ runs: 4 trajectories of [0-9]+ inputs' "$vdisim" sensitivity --trajectories 4 known.yaml
runs=$(sed -nE 's/^([0-9]+) runs.*/\1/p' errors)
grep -q "inputs, $runs runs, seed 1" output && pass || fail 'runs' 'not as many as announced'
grep -Eq '^The answer rests most on stores\.profiles\.latency \(assumed: ' output && pass || fail 'leader' "$(cat output)"
grep -Eq 'not move it at all: .*arrivals\.peak' output && pass || fail 'without effect' "$(cat output)"
grep -q 'network.bandwidth: unlimited (it is unlimited' output && pass || fail 'not varied' "$(cat output)"
sed -n '/^-----/,/^$/p' output | sed -n 2p | grep -Eq '^profiles\.latency +assumed +1 ms .*############$' && pass ||
  fail 'first row' "$(cat output)"

cp output first
expect 'again in one thread' 0 '' "$vdisim" sensitivity -q -j 1 --trajectories 4 known.yaml
cmp -s output first && pass || fail 'threads' 'another answer with one thread'
expect 'another seed' 0 '' "$vdisim" sensitivity -q --seed 2 --trajectories 4 known.yaml
cmp -s output first && fail 'seed' 'the same answer' || pass

few="--only stores.profiles.latency --input network.round_trip=0.1..0.4ms --trajectories 3"
expect 'json' 0 '' "$vdisim" sensitivity -q $few --format json known.yaml
if command -v python3 >/dev/null; then
  python3 - <<'PY' && pass || fail 'json' "$(cat output)"
import json
page = json.load(open("output"))
assert page["metric"] == "profile_load.mean" and page["unit"] == "s" and page["points"]["all"] == 13
assert [i["rank"] for i in page["inputs"]] == [1, 2] and page["inputs"][0]["keys"] == ["stores.profiles.latency"]
latency, trip = page["inputs"]
assert latency["at_low"] < page["base"] < latency["at_high"] and trip["status"] == "published"
assert latency["mu_star_ci"][0] <= latency["mu_star"] <= latency["mu_star_ci"][1]
PY
fi
expect 'csv' 0 '' "$vdisim" sensitivity -q $few --format csv known.yaml
[ "$(wc -l <output)" -eq 3 ] && [ "$(awk -F, '{ print NF }' output | sort -u)" = 20 ] && pass || fail 'csv' "$(cat output)"
expect 'another metric' 0 '' "$vdisim" sensitivity -q $few --metric transactions.total known.yaml
grep -q '^transactions.total is ' output && pass || fail 'metric' "$(cat output)"
expect 'progress' 0 '"done":1[0-9],"wanted":1[0-9]' "$vdisim" sensitivity -q $few --progress ndjson known.yaml

expect 'no file' 2 'no experiment file given' "$vdisim" sensitivity
expect 'two files' 2 "'known.yaml' is one too many" "$vdisim" sensitivity known.yaml known.yaml
expect 'a missing file' 1 "cannot read 'missing.yaml'" "$vdisim" sensitivity missing.yaml
expect 'several cells' 2 '^  --cell 2  tier = azure-files/transaction-optimized$' "$vdisim" sensitivity "$data/small.yaml"
expect 'no such cell' 2 'there is no cell 3; the experiment has 2' "$vdisim" sensitivity --cell 3 "$data/small.yaml"
expect 'unknown key' 2 'Did you mean stores\.profiles\.latency\?' "$vdisim" sensitivity --only stores.profiles.latncy known.yaml
expect 'upside down' 2 'LOW \(2 ms\) is not below HIGH \(1 ms\)' "$vdisim" sensitivity --input latency='2 ms..1 ms' known.yaml
expect 'no unit' 2 'unit' "$vdisim" sensitivity --input latency=1..2 known.yaml
expect 'a text' 2 'is no number' "$vdisim" sensitivity --only profile.path known.yaml
expect 'factor 1' 2 "range: '1' is not a factor above 1" "$vdisim" sensitivity --range 1 known.yaml
expect 'odd levels' 2 'levels: 5 is not even' "$vdisim" sensitivity --levels 5 known.yaml
expect 'one trajectory' 2 "trajectories: '1' is not" "$vdisim" sensitivity --trajectories 1 known.yaml
expect 'unknown metric' 2 'Did you mean profile_load\.mean\?' "$vdisim" sensitivity -q --metric profile_load.maen known.yaml
expect 'too many points' 2 'are more than 10000 points' "$vdisim" sensitivity --trajectories 1000 known.yaml
if [ -e /dev/full ]; then
  "$vdisim" sensitivity -q $few known.yaml >/dev/full 2>errors
  judge 'disk full' 1 'cannot write to standard output' $?
fi
finish
