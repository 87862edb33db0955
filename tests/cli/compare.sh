#!/usr/bin/env bash
# What vdisim compare says of folders, archives, experiment files and cells of one result, and what it refuses.
source "$(dirname "$0")/check.sh" "$1"

says() { # NAME REGEX: a line of the output
  grep -Eq -- "$2" output && pass || fail "$1" "does not say /$2/: $(head -n 8 output)"
}
says_not() {
  grep -Eq -- "$2" output && fail "$1" "says /$2/" || pass
}

tiers=(--a tier=premium --b tier=transaction-optimized)
expect 'a result' 0 '' "$vdisim" run --quiet --out one "$data/small.yaml"
expect 'another seed' 0 '' "$vdisim" run --quiet --out two --seed 2 --replications 8 "$data/small.yaml"
expect 'an archive' 0 '' "$vdisim" run --quiet --no-results --archive runs.sqlite "$data/small.yaml"

expect 'two cells of one result' 0 '' "$vdisim" compare one "${tiers[@]}"
says 'cells' '^profile_load.mean, s .* B is [0-9.]+ s longer \([0-9]+ %\)$'
says 'cells' 'paired by replication: both drew the same random numbers'
says 'cells' '^Pairing saved [0-9.]+ times the replications: profile_load.mean would need'
says 'cells' 'p is adjusted for the 8 comparisons made here \(Holm\)'
cp output cells.txt

# The same runs, wherever they are kept.
expect 'archive and folder' 0 '' "$vdisim" compare one runs.sqlite
says 'archive and folder' 'the same to the last digit'
says_not 'archive and folder' ' B is |no difference found|too few'
expect 'a run of an archive' 0 '' "$vdisim" compare runs.sqlite:1 "${tiers[@]}"
sed 's/runs\.sqlite:1/one/' output | cmp -s - cells.txt && pass || fail 'a run of an archive' 'another table than of the folder'
expect 'folder and file' 0 '' "$vdisim" compare one "$data/small.yaml" --quiet
says_not 'folder and file' ' B is |no difference found|too few'
expect 'files take the seed of the first' 0 '' "$vdisim" compare two "$data/small.yaml" --quiet --replications 2
says 'files take the seed' 'seed 2\)'
says_not 'files take the seed' ' B is |no difference found|too few'

expect 'other seeds' 0 '' "$vdisim" compare one two
says 'other seeds' '^Different seeds \(1 and 2\), so the runs are not paired'
says_not 'other seeds' 'Pairing saved'

sed 's/size: 1 TiB/size: 2 TiB/; s/optimized\]/optimized, azure-files\/transaction-optimized-default]/' "$data/small.yaml" >hot.yaml
expect 'cells without a partner' 0 '' "$vdisim" compare one hot.yaml --quiet --replications 2
says 'cells without a partner' '^Only in B, not compared: transaction-optimized-default\.$'
says 'fewer replications' '^A has 6 replications and B 2; compared are the first 2\.$'

expect 'what matters' 0 '' "$vdisim" compare one "${tiers[@]}" --metric profile_load.mean --smallest 20s
says 'what matters' 'differs, but by less than 20 s$'
expect 'what matters, relative' 0 '' "$vdisim" compare one "${tiers[@]}" --metric iops.mean --smallest 50%
says 'what matters, relative' 'differs, but by less than'
expect 'one metric' 0 '' "$vdisim" compare one "${tiers[@]}" --metric logons.finished --metric iops.mean --format csv
[ "$(wc -l <output)" -eq 3 ] && pass || fail 'one metric' "$(wc -l <output) lines"
expect 'all metrics' 0 '' "$vdisim" compare one "${tiers[@]}" --all --format csv
[ "$(wc -l <output)" -gt 30 ] && pass || fail 'all metrics' "$(wc -l <output) lines"
expect 'confidence' 0 '' "$vdisim" compare one "${tiers[@]}" --confidence 99%
says 'confidence' '99 % CI'

expect 'json' 0 '' "$vdisim" compare one "${tiers[@]}" --format json
if command -v python3 >/dev/null; then
  python3 - <<'END' && pass || fail 'json' 'not the document'
import csv, json, statistics
document = json.load(open("output"))
assert document["paired"] and document["confidence"] == 0.95
pair, = document["pairs"]
load = pair["metrics"]["profile_load.mean"]
assert load["verdict"] == "larger" and load["ci"][0] < load["difference"] < load["ci"][1]
assert abs(load["b"] - load["a"] - load["difference"]) < 1e-9
# By hand, without the run effect: the busiest second has no regression to speak of, so a plain metric is checked.
runs = list(csv.DictReader(open("one/runs.csv")))
column = "server_latency.mean [ms]"
effects = [float(r["run_effect"]) for r in runs[:6]]
d = [float(b[column]) - float(a[column]) for a, b in zip(runs[:6], runs[6:])]
mean_x = statistics.mean(effects); mean_d = statistics.mean(d)
slope = sum((x - mean_x) * (y - mean_d) for x, y in zip(effects, d)) / sum((x - mean_x) ** 2 for x in effects)
assert abs(mean_d - slope * (mean_x - 1) - pair["metrics"]["server_latency.mean"]["difference"]) < 1e-9
END
fi

expect 'nothing' 2 'nothing to compare' "$vdisim" compare
expect 'three' 2 "'three' is one too many" "$vdisim" compare one two three
expect 'one without cells' 2 'with one result, --a KEY=VALUE and --b' "$vdisim" compare one
expect 'no such file' 1 "cannot read 'none'" "$vdisim" compare one none
mkdir empty
expect 'no result' 2 "'empty' is not a result folder" "$vdisim" compare one empty
expect 'no such key' 2 "does not vary 'teir'\. Did you mean tier\?" "$vdisim" compare one --a teir=premium --b tier=hot
expect 'no such value' 2 "has no value 'hot' in one; it has azure-files/premium, " "$vdisim" compare one --a tier=premium --b tier=hot
expect 'no KEY=VALUE' 2 "'tier' is not KEY=VALUE" "$vdisim" compare one --a tier --b tier=hot
expect 'no such metric' 2 'Did you mean profile_load.mean\?' "$vdisim" compare one two --metric profile_load.men
expect 'a bare amount' 2 "'0.5' needs a unit" "$vdisim" compare one two --smallest 0.5
expect 'another dimension' 2 "'5 GiB' is no amount of any metric" "$vdisim" compare one two --smallest '5 GiB'
expect 'confidence of all' 2 'is not from 50 % to below 100 %' "$vdisim" compare one two --confidence 100%
expect 'other cells' 2 'no cell of A has the values of a cell of B' "$vdisim" compare one --a tier=premium two
cp -r one cut
head -c 3000 one/manifest.json >cut/manifest.json
expect 'a damaged manifest' 2 'cut/manifest.json: is damaged' "$vdisim" compare cut one
cp -r one edited
sed -i '2s/,[0-9.]*$/,7/' edited/runs.csv
expect 'edited by hand' 0 'warning: edited: runs.csv was changed after it was written; vdisim rerun edited says' \
  "$vdisim" compare edited one
cp -r one odd
sed -i '3s/,[^,]*$/,x/' odd/runs.csv
expect 'a damaged value' 2 'odd/runs.csv:3: a value is not a number' "$vdisim" compare odd one
head -n 1 one/runs.csv >odd/runs.csv
expect 'no runs' 2 "'odd' holds no finished run" "$vdisim" compare odd one
head -c 5000 runs.sqlite >broken.sqlite
expect 'a damaged archive' 2 '^vdisim compare: ' "$vdisim" compare broken.sqlite one
expect 'no such run' 2 '^vdisim compare: ' "$vdisim" compare runs.sqlite:7 one
expect 'a file with a mistake' 2 'unknown' "$vdisim" compare one <(printf 'experiment: x\nunknown: 1\n')
if [ -w /dev/full ]; then
  expect 'a full disk' 1 'cannot write to standard output' bash -c '"$@" >/dev/full' - "$vdisim" compare one two
fi
finish
