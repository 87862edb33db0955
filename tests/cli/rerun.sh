#!/usr/bin/env bash
# A result run again from its manifest: the same bytes without the files it was read from, or where and why not.
source "$(dirname "$0")/check.sh" "$1"

says() { # NAME REGEX: of the output
  grep -Eq -- "$2" output && pass || fail "$1" "output does not match /$2/: $(head -n 5 output)"
}
all='^identical: cells.csv, runs.csv, expectations.csv, logons.csv, minutes.csv, manifest.json$'

# An experiment with a table, a catalogue and --set; a title with what JSON must escape.
sed -e 's/^title:.*/title: "Says \\"quo\\\\te\\",\\ttab, \\u20ac \\U0001F600"/' \
  -e '/^vary:/,/^$/d' "$data/small.yaml" >table.yaml
printf 'vary:\n  table: tiers.csv\n' >>table.yaml
printf 'stores.profiles.tier;workloads.logons.users\r\nazure-files/premium;10\r\nazure-files/transaction-optimized;12\r\n' >tiers.csv
printf '\xef\xbb\xbfdefaults:\n  run:\n    at_most: {value: 150, status: assumed, source: "", note: "a test"}\n' >extra.yaml
expect 'run' 0 '' "$vdisim" run --quiet --out one --set run.length='3 min' --catalogue extra.yaml --replications 2 --seed 7 table.yaml
expect 'rerun' 0 '' "$vdisim" rerun one
says 'rerun' "$all"
[ "$(wc -l <output)" -eq 1 ] && pass || fail 'rerun' "says more: $(cat output)"

mkdir away && mv table.yaml tiers.csv extra.yaml away
expect 'without the files' 0 'note: tiers.csv is not here any more; the manifest holds its text' "$vdisim" rerun one
says 'without the files' "$all"
[ "$(grep -c 'is not here any more' errors)" -eq 3 ] && pass || fail 'without the files' "$(cat errors)"
expect 'quietly' 0 '' "$vdisim" rerun -q one/manifest.json
cp away/* . && echo '# changed' >>table.yaml
expect 'after the file was edited' 0 'note: table.yaml has changed since; what is run is its text in the manifest' \
  "$vdisim" rerun one
says 'after the file was edited' "$all"
[ "$(wc -l <errors)" -eq 1 ] && pass || fail 'after the file was edited' "$(cat errors)"
cp away/table.yaml .

for jobs in 1 7; do
  expect "$jobs threads" 0 '' "$vdisim" rerun --jobs $jobs --out again one
  says "$jobs threads" '^Results: again/$'
  diff -r one again >/dev/null && pass || fail "$jobs threads" "another folder: $(diff -rq one again)"
  [ $jobs -eq 7 ] || rm -r again
done
expect 'a rerun of a rerun' 0 '' "$vdisim" rerun again
expect 'into what exists' 2 "'again' exists; give another folder" "$vdisim" rerun --out again one
expect 'keeps nothing' 0 '' "$vdisim" rerun --no-results one
[ ! -e results ] && pass || fail 'keeps nothing' 'left a folder'

# The manifest alone, in another folder, after another program put it into its own shape.
mkdir alone && cp one/manifest.json alone
expect 'the manifest alone' 0 '' "$vdisim" rerun alone
says 'the manifest alone' "$all"
if command -v python3 >/dev/null; then
  python3 -c 'import json; json.dump(json.load(open("one/manifest.json")), open("alone/manifest.json", "w"), sort_keys=True)'
  expect 'reformatted' 0 '' "$vdisim" rerun alone/manifest.json
  says 'reformatted' "$all"
fi

# Edited manifests.
edit() { # NAME SED
  rm -rf edited && cp -r one edited
  sed -i "$2" edited/manifest.json
  cmp -s one/manifest.json edited/manifest.json && fail "$1" 'the edit changed nothing'
}
edit 'an edited text' 's/users: 30/users: 31/'
expect 'an edited text' 2 "the text of 'table.yaml' does not match its sha256: the manifest was edited" "$vdisim" rerun edited
edit 'another seed' '/^  "options"/s/"seed": 7/"seed": 8/'
expect 'another seed' 4 '' "$vdisim" rerun edited
says 'another seed' '^differs: cells.csv line 2: mean of profile_load.mean in cell 1: was [0-9.]+, is [0-9.]+$'
says 'another seed' '^differs: runs.csv line 2: .* in cell 1, replication 1: was [0-9.]+, is [0-9.]+$'
says 'another seed' '^differs: manifest.json: seed: was 7, is 8$'
says 'another seed' '^why it may: the experiment resolves to other values \(its hash was'
edit 'another program' 's/"version": "[^"]*"/"version": "0.0.1"/; s/"gsl_version": "[^"]*"/"gsl_version": "1.0"/'
expect 'another program' 0 "note: the program's version was 0\.0\.1, is" "$vdisim" rerun edited
says 'another program' "$all"
grep -q 'note: GSL was 1.0, is' errors && pass || fail 'another program' "$(cat errors)"
edit 'another fingerprint' '0,/"fingerprint": "/s/"fingerprint": "/&0/'
expect 'another fingerprint' 4 '' "$vdisim" rerun edited
says 'another fingerprint' '^differs: manifest.json: runs 1, fingerprint: was 0'
says 'another fingerprint' '^identical: cells.csv, runs.csv, expectations.csv, logons.csv, minutes.csv$'
edit 'an interrupted run' 's/"interrupted": false/"interrupted": true/'
expect 'an interrupted run' 2 "was interrupted, so there is nothing whole to compare with; run 'table.yaml' again" \
  "$vdisim" rerun edited
edit 'no inputs' 's/"inputs"/"formerly"/'
expect 'no inputs' 2 '"inputs" is missing: this manifest does not hold enough' "$vdisim" rerun edited
edit 'another schema' 's/vdisim.result.1/vdisim.result\/9/'
expect 'another schema' 2 'schema vdisim.result/9; this program reads' "$vdisim" rerun edited
edit 'a selection of nothing' '/^  "selection"/s/null/{"metric": "iops.mean", "indifference": 0, "confidence": 0.95, "at_most": 9}/'
expect 'a selection of nothing' 2 'this selection is none that vdisim could have made' "$vdisim" rerun edited
edit 'a file that is not held' '/^  "file"/s/table.yaml/away\/table.yaml/'
expect 'a file that is not held' 2 'away/table.yaml: error: is not among the files that were given' "$vdisim" rerun edited
head -c 700 one/manifest.json >edited/manifest.json
expect 'a manifest cut off' 2 'manifest.json:[0-9]+:[0-9]+: error: ' "$vdisim" rerun edited

# Edited results.
rm -rf edited && cp -r one edited
sed -i '3s/,[0-9.]*$/,99/' edited/runs.csv
expect 'an edited file' 4 '' "$vdisim" rerun edited
says 'an edited file' '^changed since it was written: runs.csv line 3: .* in cell 1, replication 2: was 99, is '
says 'an edited file' '^identical: cells.csv, expectations.csv, logons.csv, minutes.csv, manifest.json$'
cp one/runs.csv edited && rm edited/logons.csv
expect 'a file that is gone' 0 '' "$vdisim" rerun edited
says 'a file that is gone' "$all"

if [ -w /dev/full ]; then
  "$vdisim" rerun one >/dev/full 2>errors
  judge 'output is full' 1 'cannot write to standard output: No space left' $?
fi

# Bad usage.
expect 'no such folder' 1 "cannot read 'none'" "$vdisim" rerun none
expect 'a folder without a manifest' 2 'away/manifest.json: error: cannot be read' "$vdisim" rerun away
expect 'an experiment file' 2 'table.yaml:1:1: error: expected a value' "$vdisim" rerun table.yaml
expect 'nothing' 2 'no manifest or result folder given' "$vdisim" rerun
expect 'two' 2 'one manifest or result folder at a time' "$vdisim" rerun one one
expect 'contradiction' 2 'contradict each other' "$vdisim" rerun --no-results --out x one
printf '{"schema": "vdisim.result/1", "file": 1, "inputs": [3], "outputs": {}, "options": {"sets": [1]}}' >bad.json
expect 'a manifest of the wrong shape' 2 '"file" is missing or no text' "$vdisim" rerun bad.json

# Plans: the counts follow from the results, and come out the same.
sed 's/run: .*/run: {length: 3 min, precision: 1 %, at_least: 6, at_most: 8}/; s/users: 30/users: 8/' "$data/small.yaml" >precise.yaml
expect 'a target precision' 0 '' "$vdisim" run --quiet --out precise precise.yaml
expect 'a target precision again' 0 '' "$vdisim" rerun precise
says 'a target precision again' "$all"
sed 's/precision: 1 %, //' precise.yaml >several.yaml
expect 'a selection' 0 '' "$vdisim" run --quiet --out best --select-best profile_load.mean --indifference 0.5s several.yaml
expect 'a selection again' 0 '' "$vdisim" rerun best
says 'a selection again' "$all"
sed 's/run: .*/run: {length: 6 min, warm_up: 1 min, batches: 4}/; s/users: 30/users: 8/' "$data/small.yaml" >batches.yaml
expect 'batches' 0 '' "$vdisim" run --quiet --out batches batches.yaml
grep -q '^4 batches of one run: the intervals do not include' output && pass || fail 'batches' "$(cat output)"
grep -q '^Warm-up: the first 60 s of each run are left out' output && pass || fail 'batches' "$(cat output)"
[ "$(wc -l <batches/batches.csv)" -eq 9 ] && pass || fail 'batches' "$(wc -l batches/batches.csv)"
expect 'batches again' 0 '' "$vdisim" rerun batches
says 'batches again' '^identical: cells.csv, .*, minutes.csv, batches.csv, manifest.json$'
finish
