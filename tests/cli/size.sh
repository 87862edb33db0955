#!/usr/bin/env bash
# vdisim size: what it prints, its exit status, and what it refuses.
source "$(dirname "$0")/check.sh" "$1"

cat >small.yaml <<'YAML'
experiment: small
stores: {profiles: {tier: azure-files/premium, rules: 2021-01, size: 1 TiB}}
hosts: {hosts: {count: 4}}
workloads: {logons: {users: 30, arrivals: {window: 5 min}, profile_management: {preset: automatic}}}
run: {length: 8 min}
YAML

size="$vdisim size small.yaml --shares 2"
expect 'help' 0 '' "$vdisim" size --help
expect 'two tiers' 0 '' $size --target 'profile_load.p95 <= 10 s' --tier premium --tier hot --jobs 2
grep -q '^The cheapest at .* a month: azure-files/premium, 1 share of 146 GiB: profile_load.p95 at most [789]\.' output && pass ||
  fail 'the answer' "$(cat output)"
grep -q '^  azure-files/hot: one user alone takes 12\.[0-9]* s whatever the size' output && pass || fail 'why not' "$(cat output)"
cp output first
$size --target 'profile_load.p95 <= 10 s' --tier premium --tier hot --jobs 1 >output
cmp -s output first && pass || fail 'threads' 'another answer with one thread'
expect 'json' 0 '' $size --target 'profile_load.p95 <= 10 s' --target 'throttled.fraction <= 1 %' --tier premium --format json
if command -v python3 >/dev/null; then
  python3 - <<'PY' && pass || fail 'json' "$(cat output)"
import json
page = json.load(open("output"))
option = page["options"][0]
assert page["met"] and option["fate"] == "met" and option["rank"] == 1 and option["size_gib"] == 146
assert option["cost_month"] > 0 and option["currency"] == "USD" and option["price_list"]
assert page["targets"][1] == {"metric": "throttled.fraction", "unit": "", "at_most": 0.01}
assert option["targets"][0]["mean"] <= option["targets"][0]["bound"] <= 10 < 15
assert option["meets_with_20_percent_more"] is True
PY
fi
expect 'impossible' 3 '' $size --target 'profile_load.p95 <= 3 s' --tier premium
grep -q "it server latency; 'profile_load.p95 <= 3 s' cannot be met" output && pass || fail 'which limit' "$(cat output)"
expect 'not enough' 3 '' $size --target 'iops.mean >= 50000' --tier premium
grep -q '^Nothing meets the targets. The nearest: azure-files/premium' output && pass || fail 'nearest' "$(cat output)"
expect 'not sold' 3 '' $size --target 'profile_load.p95 <= 10 s' --tier ssd-v2
grep -q 'begin with 2025-06' output && pass || fail 'date' "$(cat output)"
expect 'too much data' 3 '' $size --target 'profile_load.p95 <= 10 s' --tier premium --data '300 TiB'

expect 'no target' 2 'no target given' $size
expect 'no comparison' 2 'is no target' $size --target profile_load.p95
expect 'wrong unit' 2 'MiB' $size --target 'profile_load.p95 <= 5 MiB'
expect 'unknown metric' 2 'Did you mean profile_load.p' $size --target 'profile_load.p59 <= 5 s'
expect 'unknown tier' 2 'Did you mean premium' $size --target 'profile_load.p95 <= 5 s' --tier premum
expect 'no share' 2 'no file share' $size --target 'profile_load.p95 <= 5 s' --tier array/ssd-raid10
expect 'contradiction' 2 'contradict each other' $size --target 'iops.mean >= 5' --target 'iops.mean <= 4'
expect 'below zero' 2 'never below 0' $size --target 'throttled.fraction <= -0.1'
expect 'confidence' 2 'not between' $size --target 'profile_load.p95 <= 5 s' --confidence '100 %'
(cat small.yaml; echo 'vary: {workloads.logons.users: [10, 20]}') >cells.yaml
expect 'which cell' 2 'has 2 cells; choose one' "$vdisim" size --target 'profile_load.p95 <= 5 s' cells.yaml
expect 'no file' 2 'no experiment file given' "$vdisim" size --target 'profile_load.p95 <= 5 s'
finish
