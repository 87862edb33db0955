#!/usr/bin/env bash
# What a run prints and leaves: formats, options, and the same bytes for any number of threads and on a rerun.
source "$(dirname "$0")/check.sh" "$1"

run() {
  local name=$1
  shift
  expect "$name" 0 '' "$vdisim" run --quiet "$@" "$data/small.yaml"
}

run 'one thread' --jobs 1 --out one
cp output one.txt
for jobs in 2 7; do
  run "$jobs threads" --jobs $jobs --out many
  sed 's/\bmany\b/one/g' output | cmp -s - one.txt && pass || fail "$jobs threads" 'another table'
  diff -r one many >/dev/null && pass || fail "$jobs threads" "another folder: $(diff -rq one many)"
  rm -rf many
done
run 'rerun' --out again
diff -r one again >/dev/null && pass || fail 'rerun' 'another folder'
run 'another seed' --out other --seed 2
cmp -s one/runs.csv other/runs.csv && fail 'another seed' 'the same runs' || pass
for file in manifest.json cells.csv runs.csv expectations.csv logons.csv minutes.csv; do
  [ -s "one/$file" ] && pass || fail 'folder' "no $file"
done
grep -q '"schema": "vdisim.result/1"' one/manifest.json && pass || fail 'manifest' 'no schema'
[ "$(grep -c '"fingerprint"' one/manifest.json)" -eq 12 ] && pass || fail 'manifest' 'not 12 fingerprints'
[ "$(wc -l <one/runs.csv)" -eq 13 ] && pass || fail 'runs.csv' "$(wc -l <one/runs.csv) lines"

# The causes of each logon add up to its load time, to the nanosecond.
awk -F, 'NR > 1 && $7 == "true" { sum = 0; for (i = 11; i <= NF; i++) sum += $i
         if (sum - $6 > 1e-8 || $6 - sum > 1e-8) bad++; n++ } END { exit !(n > 100 && !bad) }' one/logons.csv &&
  pass || fail 'logons.csv' 'causes do not add up to load times'

run 'json' --format json --no-results --jobs 1
cp output json.1
run 'json, 7 threads' --format json --no-results --jobs 7
cmp -s output json.1 && pass || fail 'json' 'depends on the threads'
if command -v python3 >/dev/null; then
  python3 - json.1 <<'END' && pass || fail 'json' 'not the document of the contract'
import json, sys
document = json.load(open(sys.argv[1]), parse_constant=lambda name: sys.exit(name))
assert document["experiment"] == "small" and document["seed"] == 1
assert len(document["cells"]) == 2
for cell in document["cells"]:
    assert cell["replications"] == 6
    assert list(cell["cell"]) == ["stores.profiles.tier"]
    load = cell["metrics"]["profile_load.mean"]
    assert load["unit"] == "s"
    assert load["pi95"][0] < load["ci95"][0] < load["mean"] < load["ci95"][1] < load["pi95"][1]
END
fi
run 'csv' --format csv --no-results
head -n 1 output | grep -q '^cell,stores.profiles.tier,replications,metric,unit,mean,ci95_low' && pass ||
  fail 'csv' "heading $(head -n 1 output)"
[ ! -e results ] && pass || fail '--no-results' 'left a folder'
expect 'json of two files is one document' 3 '' "$vdisim" run --quiet --no-results --format json --replications 2 \
  "$data/small.yaml" "$data/missed.yaml"
if command -v python3 >/dev/null; then
  python3 -c 'import json; assert len(json.load(open("output"))) == 2' && pass || fail 'json of two files' 'no list of two'
fi

run 'default folder'
[ -s results/small/cells.csv ] && pass || fail 'default folder' 'no results/small'
expect 'existing folder' 2 "^vdisim run: 'results/small' exists; replace it with --force" "$vdisim" run "$data/small.yaml"
run 'forced' --force
mkdir precious && touch precious/thesis.doc
expect 'forced on what is no result' 2 'is not a result folder' "$vdisim" run --force --out precious "$data/small.yaml"
[ -e precious/thesis.doc ] && pass || fail 'forced' 'removed what was not its own'
run 'replications' --no-results --replications 1
grep -q '2 cells x 1 replication, seed 1' output && pass || fail 'replications' "$(sed -n 2p output)"
run 'set' --no-results --replications 2 --set workloads.logons.users=10
expect 'a missed expectation' 3 '' "$vdisim" run --quiet --no-results "$data/missed.yaml"
grep -q 'missed: ' output && pass || fail 'missed' 'the table does not say which'
sed 's/metric: profile_load.mean/metric: profile_load.men/' "$data/missed.yaml" >mistyped.yaml
expect 'an expectation of no metric' 3 "no metric 'profile_load\.men' in this result\. Did you mean profile_load\.mean\?" \
  "$vdisim" run --quiet --no-results --replications 2 mistyped.yaml
run 'no colour in a file' --no-results --replications 1
grep -q $'\033' output && fail 'colour' 'in a file' || pass
CLICOLOR_FORCE=1 "$vdisim" run --quiet --no-results --replications 1 "$data/small.yaml" | grep -q $'\033' && pass ||
  fail 'CLICOLOR_FORCE' 'no colour'
CLICOLOR_FORCE=1 NO_COLOR=1 "$vdisim" run --quiet --no-results --replications 1 "$data/small.yaml" |
  grep -q $'\033' && fail 'NO_COLOR' 'colour' || pass
LC_ALL=C "$vdisim" run --quiet --no-results --replications 1 "$data/small.yaml" | LC_ALL=C grep -q '[^ -~]' &&
  fail 'plain ASCII' 'other characters' || pass
finish
