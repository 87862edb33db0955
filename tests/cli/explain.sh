#!/usr/bin/env bash
# vdisim explain: what it prints and what it refuses.
source "$(dirname "$0")/check.sh" "$1"

expect 'help' 0 '' "$vdisim" explain --help
expect 'two cells' 0 '' "$vdisim" explain -q --tries 2 "$data/small.yaml"
grep -Eq '^Explained: cell 2, transaction-optimized, the slowest; --cell chooses another\.$' output && pass || fail 'the slowest' "$(cat output)"
grep -Eq '^A logon takes 1[0-9.]+ s \(median\), 9[0-9] % of it 1,[0-9]{3} round trips, .* while making a placeholder for each file\.$' output &&
  pass || fail 'first sentence' "$(cat output)"
grep -Eq '^all +[0-9.]+ +100\.0$' output && pass || fail 'sum' "$(cat output)"
grep -Eq '^profiles answered at once( +[0-9.]+ s){3} +9[0-9] +' output && pass || fail 'lifted' "$(cat output)"
grep -Eq '[0-9] more might help and (was|were) not tried; --tries' output && pass || fail 'left out' "$(cat output)"
grep -Eq '^profiles +1-4 +nothing +0\.0 ' output && pass || fail 'time line' "$(cat output)"
grep -Eq 'exceeded  profiles on premium loaded in less than 10 s: 1[0-9.]+ s against 10 \(Citrix Tech Zone' output && pass || fail 'threshold' "$(cat output)"
grep -Eq '^  logons\.run_effect 0\.2, calibrated: Citrix' output && pass || fail 'assumptions' "$(cat output)"

cp output explained
expect 'a run with a setting' 0 '' "$vdisim" run --quiet --force --replications 1 --set 'run.length=2 min' "$data/small.yaml"
grep -Fq " assumed: vdisim explain $data/small.yaml --set 'run.length=2 min' lists them" output && pass || fail 'the command that run names' "$(cat output)"
mv explained output

cp output first
expect 'again in one thread' 0 '' "$vdisim" explain -q -j 1 --tries 2 "$data/small.yaml"
cmp -s output first && pass || fail 'threads' 'another answer with one thread'
expect 'by value' 0 '' "$vdisim" explain -q --tries 0 --cell tier=premium "$data/small.yaml"
grep -q '^Explained' output && fail 'by value' 'more than one cell' || pass
grep -q '^if instead' output && fail 'no tries' 'something was tried' || pass
cp output first
expect 'by number' 0 '' "$vdisim" explain -q --tries 0 --cell 1 "$data/small.yaml"
cmp -s output first && pass || fail 'by number' 'another cell than by value'
expect 'no colour' 0 '' env CLICOLOR_FORCE=1 NO_COLOR=1 "$vdisim" explain -q --tries 0 --cell 1 "$data/small.yaml"
cmp -s output first && pass || fail 'no colour' 'colour in spite of NO_COLOR'

set_egress=(--set stores.profiles.egress='8 MiB/s' --set stores.profiles.egress_per_gib=0 --set run.length='30 min'
  --set workloads.logons.profile_management.streaming=false)
expect 'json' 0 '' "$vdisim" explain -q --tries 2 --format json --cell 1 "${set_egress[@]}" "$data/small.yaml"
if command -v python3 >/dev/null; then
  python3 - <<'PY' && pass || fail 'json' "$(cat output)"
import json
page = json.load(open("output"))
assert page["experiment"] == "small" and page["explained"] == 1 and page["subject"] == "logon" and page["unit"] == "s"
assert sum(p["ns"] for p in page["parts"]) == page["total_ns"]
for part in page["parts"]:
    assert part["cause"] == "under way" or sum(part["phases_ns"].values()) == part["ns"], part
assert page["parts"][0]["cause"] == "egress limit" and "at most 99 MiB/s" in page["parts"][0]["words"]
assert page["cells"][0]["cell"] == {"stores.profiles.tier": "azure-files/premium"}
assert any(s["bound"] == "SuccessWithShareEgressThrottling" and s["throttled"] > 0.1 for s in page["time_line"])
egress = [c for c in page["instead"] if c["name"] == "egress"][0]
assert egress["saved"] > 0.4 and egress["set"]["stores.profiles.egress"] == "unlimited"
assert page["burst_credits"][0]["min"] <= page["burst_credits"][0]["full"]
assert all(t["source"] for t in page["thresholds"]) and len(page["assumptions"]) > 10
PY
fi
expect 'what bound, in words' 0 '' "$vdisim" explain -q --tries 0 --cell 1 "${set_egress[@]}" "$data/small.yaml"
grep -Eq '^profiles +1-[0-9]+ +egress \(SuccessWithShareEgressThrottling\) +[0-9.]+ ' output && pass || fail 'what bound, in words' "$(cat output)"
grep -q 'choose premium' output && fail 'premium is told to become premium' "$(cat output)" || pass
expect 'premium is there to choose' 0 'choose premium' bash -c "'$vdisim' explain -q --tries 0 --cell 2 '$data/small.yaml' >&2"
cat >slow.yaml <<'YAML'
experiment: slow
stores: {server: {tier: file-server/azure, disk: azure/p4, disks: 1}}
hosts: {clients: {count: 1}}
workloads: {load: {kind: generator, pattern: {block_size: 1 MiB, read_share: 0 %}, threads: 8, outstanding: 32, files: 8, file_size: 1 GiB}}
run: {length: 60 s, replications: 1}
YAML
expect 'milliseconds in full' 0 '' "$vdisim" explain -q --tries 0 slow.yaml
grep -Eq ' in [0-9]+,[0-9]{3} ms each\. ' output && pass || fail 'milliseconds in full' "$(cat output)"
expect 'progress' 0 '"event":"end"' "$vdisim" explain -q --tries 1 --cell 1 --progress ndjson "$data/small.yaml"

expect 'no file' 2 'no experiment file given' "$vdisim" explain
expect 'two files' 2 'is one too many' "$vdisim" explain "$data/small.yaml" "$data/small.yaml"
expect 'a missing file' 1 "cannot read 'missing.yaml'" "$vdisim" explain missing.yaml
expect 'no such cell' 2 'there is no cell 3; the experiment has 2' "$vdisim" explain --cell 3 "$data/small.yaml"
expect 'no such key' 2 "'teir' is not varied here\. Did you mean tier\?" "$vdisim" explain --cell teir=premium "$data/small.yaml"
expect 'no such value' 2 'no cell of the 2 has these values' "$vdisim" explain --cell tier=cool "$data/small.yaml"
expect 'number and value' 2 'not both' "$vdisim" explain --cell 1 --cell tier=premium "$data/small.yaml"
expect 'no cell' 2 "cell: 'x' is not" "$vdisim" explain --cell x "$data/small.yaml"
expect 'csv' 2 'table or json' "$vdisim" explain --format csv "$data/small.yaml"
expect 'tries' 2 "tries: '-1' is not" "$vdisim" explain --tries=-1 "$data/small.yaml"
expect 'a wrong setting' 2 'egres' "$vdisim" explain --set stores.profiles.egres=1 "$data/small.yaml"
if [ -e /dev/full ]; then
  "$vdisim" explain -q --tries 0 --cell 1 "$data/small.yaml" >/dev/full 2>errors
  judge 'disk full' 1 'cannot write to standard output' $?
fi
finish
