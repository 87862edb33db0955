#!/usr/bin/env bash
# vdisim regress: baselines made, kept and accepted anew; what moved after a change; what is refused.
source "$(dirname "$0")/check.sh" "$1"

says() { # NAME REGEX: a line of the output
  grep -Eq -- "$2" output && pass || fail "$1" "does not say /$2/: $(head -n 8 output)"
}
regress() {
  "$vdisim" regress --quiet --baselines base "$@"
}

mkdir files
cp "$data/small.yaml" files/
expect 'no baseline yet' 4 '' regress files
says 'no baseline yet' '^small: no baseline yet: --update --because "WHY" writes base/small.yaml$'
[ ! -e base ] && pass || fail 'no baseline yet' 'wrote something'
expect 'the first' 0 '' regress files --update --because 'the "first"'
[ -s base/small.yaml ] && pass || fail 'the first' 'no baseline'
grep -q 'because: "the \\"first\\""' base/small.yaml && pass || fail 'the first' 'without the reason'
[ "$(ls -A base)" = small.yaml ] && pass || fail 'the first' "left $(ls -A base)"

# Nothing has changed, for any number of threads, in all replications and in one.
for options in '--jobs 1' '--jobs 7' '--quick' '--replications 2' '--replications 4'; do
  expect "identical $options" 0 '' regress files $options
  says "identical $options" '^small: identical \(2 cells x [1-3] replications?, [0-9]+ metrics\)$'
done
cp base/small.yaml before.yaml
expect 'nothing to update' 0 'nothing changed; base/small.yaml is left as it is' \
  "$vdisim" regress --baselines base --update --because again files
cmp -s base/small.yaml before.yaml && pass || fail 'nothing to update' 'changed the file'

# A parameter has changed.
cat >wider.yaml <<'END'
defaults:
  network:
    round_trip: {value: 0.3 ms, status: assumed, source: "", note: "a wider network"}
END
expect 'moved' 4 '' regress files --catalogue wider.yaml
says 'moved' '^small: moved: profile_load.mean \+[0-9.]+ % \((premium|transaction-optimized)\); [0-9]+ of [0-9]+ metrics moved'
says 'moved' '^  e2e_latency.mean in .*ms \(\+[0-9.]+ %\), beyond noise \(p .*; in 2 of 2 cells$'
says 'moved' '^  profile_load.mean in '
says 'moved' '^  the experiment is not what it was'
[ "$(grep -c '^  ' output)" -le 13 ] && pass || fail 'moved' 'too long'
cmp -s base/small.yaml before.yaml && pass || fail 'moved' 'changed the file without --update'
expect 'moved, one run' 4 '' regress files --catalogue wider.yaml --quick
says 'moved, one run' 'noise unknown in one run'
expect 'moved, json' 4 '' regress files --catalogue wider.yaml --format json
if command -v python3 >/dev/null; then
  python3 - <<'END' && pass || fail 'json' 'not the document'
import json
document = json.load(open("output"))
it, = document["experiments"]
assert document["exit_status"] == 4 and it["outcome"] == "moved" and it["runs"] == it["runs_differing"] == 6
mover = {m["metric"]: m for m in it["movers"]}["e2e_latency.mean"]
assert mover["noise"] == "beyond" and mover["now"] > mover["then"] and mover["p_adjusted"] < 0.05
END
fi
expect 'accepted' 0 '' regress files --catalogue wider.yaml --update --because 'a wider network'
[ "$(grep -c 'because:' base/small.yaml)" -eq 2 ] && pass || fail 'accepted' 'not one more item of history'
grep -q 'moved: "profile_load.mean +' base/small.yaml && pass || fail 'accepted' 'does not say what moved'
expect 'accepted, identical' 0 '' regress files --catalogue wider.yaml
cp before.yaml base/small.yaml

# Only the sequence of events differs.
sed '0,/fingerprints: \[[0-9a-f]*/s//fingerprints: [0123456789abcdef/' before.yaml >base/small.yaml
expect 'other events' 4 '' regress files
says 'other events' 'moved: no value; other events in 1 of 6 runs'
cp before.yaml base/small.yaml

# Cells come and go.
sed -i 's/azure-files\/transaction-optimized\]/azure-files\/transaction-optimized-default]/' files/small.yaml
expect 'cells come and go' 4 '' regress files
says 'cells come' '^  new cells: transaction-optimized-default$'
says 'cells go' '^  cells that are gone: transaction-optimized$'
cp "$data/small.yaml" files/

# An expectation that was met is missed: more than something that moved.
printf 'expect:\n  - {metric: e2e_latency.mean, where: {tier: premium}, below: 4.3 ms}\n' >>files/small.yaml
expect 'met' 0 '' regress files
says 'met' '^  expectations: 1 met, 0 missed, 0 not judged$'
expect 'missed' 3 '' regress files --catalogue wider.yaml
says 'missed' '^  MISSED, and was met: e2e_latency.mean in premium, '
cp "$data/small.yaml" files/

# What regress says of one experiment does not keep it from the next.
sed 's/^experiment: small/experiment: another/' "$data/small.yaml" >files/another.yaml
expect 'two' 4 '' regress files
says 'two' '^another: no baseline yet'
says 'two' '^small: identical'
says 'two' '^2 experiments: 1 identical, 0 moved, 1 without a baseline$'
cp files/another.yaml twin.yaml
expect 'one name' 2 "have one name, 'another'" regress files twin.yaml
rm files/another.yaml

expect 'no reason' 2 'update needs a reason' regress files --update
expect 'an empty reason' 2 'update needs a reason' regress files --update --because '  '
expect 'a reason for nothing' 2 '--because goes with --update' regress files --because x
expect 'quick and update' 2 'contradict' regress files --quick --update --because x
expect 'quick and many' 2 'contradict' regress files --quick --replications 2
expect 'no number' 2 "'many' is not a whole number" regress files --replications many
expect 'no such folder' 1 "cannot read 'none'" regress none
mkdir empty
expect 'an empty folder' 2 "no experiment \(\*\.yaml\) in 'empty'" regress empty
mkdir -p whole/experiments/published whole/experiments/what-if
sed 's/experiment: small/experiment: other/' "$data/small.yaml" >whole/experiments/what-if/other.yaml
cp "$data/small.yaml" whole/experiments/published/
(cd whole && "$vdisim" regress -q --update --because first --replications 2 >/dev/null)
(cd whole && expect 'the whole' 0 '' "$vdisim" regress -q) && pass || fail 'the whole' 'differs'
rm whole/experiments/what-if/other.yaml
cp whole/experiments/published/small.yaml whole/experiments/what-if/again.yaml
sed -i 's/experiment: small/experiment: again/' whole/experiments/what-if/again.yaml
(cd whole && "$vdisim" regress -q --update --because again --replications 2 experiments/what-if >/dev/null)
(cd whole && "$vdisim" regress -q >output 2>errors)
[ $? -eq 4 ] && grep -q 'baseline/other.yaml has no experiment any more' whole/errors && pass ||
  fail 'a baseline without an experiment' "$(cat whole/errors)"
(cd empty && expect 'no default folders' 1 "cannot read 'experiments/published'" "$vdisim" regress)
printf 'experiment: small\nunknown: 1\n' >mistake.yaml
expect 'a mistake' 2 'mistake.yaml:2:1' regress mistake.yaml
printf 'workloads: {}\n' >base/small.yaml
expect 'a foreign baseline' 2 'base/small.yaml:1:1: error: is no baseline of vdisim' regress files
sed 's/^experiment: small/experiment: other/' before.yaml >base/small.yaml
expect "another's baseline" 2 "base/small.yaml:[0-9]+:[0-9]+: error: is the baseline of 'other', not of 'small'" regress files
sed 's/^baseline: 1/baseline: 9/' before.yaml >base/small.yaml
expect 'a newer baseline' 2 'is of format 9, which a newer program wrote' regress files
sed '0,/"profile_load.mean": \[[0-9.]*,/s//"profile_load.mean": [/' before.yaml >base/small.yaml
expect 'a value is gone' 2 'base/small.yaml:[0-9]+:[0-9]+: error: profile_load.mean has 2 values' regress files
head -c 2000 before.yaml >base/small.yaml
expect 'a cut baseline' 2 'base/small.yaml:' regress files
rm base/small.yaml
if [ "$(id -u)" -ne 0 ]; then
  chmod a-w base
  expect 'a folder that cannot be written' 1 "cannot write 'base/small.yaml'" regress files --update --because x
  chmod u+w base
fi
mkdir base/small.yaml
expect 'a folder in its place' 2 'base/small.yaml' regress files --update --because x
finish
