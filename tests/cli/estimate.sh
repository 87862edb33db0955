#!/usr/bin/env bash
# vdisim estimate: what it prints and what it refuses.
source "$(dirname "$0")/check.sh" "$1"

cat >small.yaml <<'YAML'
experiment: small
stores: {profiles: {tier: azure-files/premium, rules: 2021-01, size: 1 TiB}}
workloads: {logons: {users: 1000, profile_management: {preset: automatic}}}
YAML

expect 'help' 0 '' "$vdisim" estimate --help
expect 'an estimate' 0 '' "$vdisim" estimate small.yaml
grep -q '^What binds: share IOPS, for [0-9]* minutes, first after [0-9]*\.$' output && pass || fail 'binds' "$(cat output)"
grep -q '^Believe it less because$' output && pass || fail 'doubts' "$(cat output)"
cp output first
"$vdisim" estimate small.yaml >output
cmp -s output first && pass || fail 'again' 'another answer'
expect 'a larger share' 0 '' "$vdisim" estimate --set 'stores.profiles.size=5 TiB' small.yaml
grep -q '^Nothing binds; the nearest is share IOPS' output && pass || fail 'free' "$(cat output)"
expect 'json' 0 '' "$vdisim" estimate --format json small.yaml
if command -v python3 >/dev/null; then
  python3 - <<'PY' && pass || fail 'json' "$(cat output)"
import json
page = json.load(open("output"))
cell = page["cells"][0]
assert page["experiment"] == "small" and cell["store"] == "profiles" and cell["binds"] == "share IOPS"
assert cell["metrics"]["profile_load.mean"]["value"] > 7 and cell["metrics"]["iops.peak"]["unit"] == "IOPS"
limit = {l["limit"]: l for l in cell["limits"]}["share IOPS"]
assert limit["rate"] == 4000 and limit["utilisation"] > 1 and limit["held"] > 0
assert abs(sum(cell["demand"][0]["causes"].values()) - cell["demand"][0]["load"]) < 0.01
PY
fi

cat >boots.yaml <<'YAML'
experiment: nothing
stores: {profiles: {kind: 'null'}}
workloads: {load: {kind: generator, duration: 1 min}}
YAML
expect 'no logons' 2 'there are no logons in this experiment' "$vdisim" estimate boots.yaml
expect 'no such store' 2 "there is no store 'homes'" "$vdisim" estimate --store homes small.yaml
expect 'no file' 2 'no experiment file given' "$vdisim" estimate
expect 'csv' 2 'no CSV' "$vdisim" estimate --format csv small.yaml
expect 'missing file' 1 'none.yaml' "$vdisim" estimate none.yaml
finish
