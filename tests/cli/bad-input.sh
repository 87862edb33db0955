#!/usr/bin/env bash
# Mistakes in experiment files: each gets its place, what is wrong, status 2, and nothing is run or written.
source "$(dirname "$0")/check.sh" "$1"

# refuse NAME REGEX SED-EXPRESSION: the small experiment with one thing changed
refuse() {
  sed -e "$3" "$data/small.yaml" >bad.yaml
  cmp -s bad.yaml "$data/small.yaml" && fail "$1" 'the case changes nothing'
  expect "$1" 2 "$2" "$vdisim" run bad.yaml
  expect "$1 (check)" 2 "$2" "$vdisim" check bad.yaml
}

refuse 'unknown key' "^bad\.yaml:10:5: error: unknown key 'userz'.*Did you mean users\?" 's/users: 30/userz: 30/'
refuse 'wrong unit' '^bad\.yaml:11:24: error: ' 's/window: 2 min/window: 2 MiB/'
refuse 'unknown unit' '^bad\.yaml:11:24: error: ' 's/window: 2 min/window: 2 mni/'
refuse 'missing unit' '^bad\.yaml:11:24: error: ' 's/window: 2 min/window: 2/'
refuse 'negative' '^bad\.yaml:10:12: error: ' 's/users: 30/users: -30/'
refuse 'negative duration' '^bad\.yaml:11:24: error: ' 's/window: 2 min/window: -2 min/'
refuse 'NaN' '^bad\.yaml:10:12: error: ' 's/users: 30/users: .nan/'
refuse 'infinite' '^bad\.yaml:11:24: error: ' 's/window: 2 min/window: inf min/'
refuse 'overflow' '^bad\.yaml:10:12: error: ' 's/users: 30/users: 99999999999999999999999/'
refuse 'overflow of a size' '^bad\.yaml:6:47: error: ' 's/size: 1 TiB/size: 99999999 PiB/'
refuse 'decimal size' '^bad\.yaml:6:47: error: .*Did you mean 1 TiB\?' 's/size: 1 TiB/size: 1 TB/'
refuse 'duplicate key' '^bad\.yaml:11:5: error: .*users' 's/users: 30/users: 30\n    users: 31/'
refuse 'unknown choice' '^bad\.yaml:11:40: error: .*Did you mean poisson\?' 's/pattern: poisson/pattern: poison/'
refuse 'unknown tier' '^bad\.yaml:16:26: error: .*Did you mean azure-files/premium\?' 's/\[azure-files\/premium/[azure-files\/premum/'
refuse 'unknown tier, nothing varied' '^bad\.yaml:6:20: error: ' 's/premium, size/premum, size/; /^vary/,/^$/d'
refuse 'unknown store' '^bad\.yaml:12:12: error: ' 's/store: profiles/store: profile/'
refuse 'tab' '^bad\.yaml:10:' 's/    users/\tusers/'
refuse 'two documents' '^bad\.yaml:' '$a ---\nexperiment: second'

refuse 'rules before the first' '^bad\.yaml:6:[0-9]+: error: ' 's/size: 1 TiB/size: 1 TiB, rules: 2018-01/'
grep -q 'needs the key' errors && fail 'rules before the first' "also says $(grep 'needs the key' errors | head -n 1)" || pass
refuse 'a setting beside its workload' "^bad\.yaml:10:3: error: 'users' is not a workload here; did you mean it to belong to the workload above \(indent it\)\?" \
  's/^    users: 30/  users: 30/; s/^  logons:/  logons: {store: profiles}/; /^    [asp]/d'
refuse 'a workload without a kind' "^bad\.yaml:9:3: error: the workload 'morning' does not say its kind: add .kind: logons." \
  's/^  logons:/  morning:/'
refuse 'below a range' "^bad\.yaml:13:17: error: .*run_effect must be between 0 and 2" 's/^    profile: .*/    run_effect: -1/'

: >empty.yaml
expect 'empty file' 2 '^empty\.yaml(:1:1)?: error: ' "$vdisim" run empty.yaml
head -c 4096 "$vdisim" >binary.yaml
expect 'binary file' 2 '^binary\.yaml(:[0-9]+:[0-9]+)?: error: ' "$vdisim" run binary.yaml
{ cat "$data/small.yaml"; yes '# padding' | head -c 10485760; } >large.yaml
expect '10 MiB file' 2 '^large\.yaml(:[0-9]+:[0-9]+)?: error: ' "$vdisim" run large.yaml
{
  echo 'a: &a [x, x, x, x, x, x, x, x, x]'
  previous=a
  for name in b c d e f g h i; do
    echo "$name: &$name [*$previous, *$previous, *$previous, *$previous, *$previous, *$previous, *$previous]"
    previous=$name
  done
} >bomb.yaml
expect 'alias bomb' 2 '^bomb\.yaml:[0-9]+:[0-9]+: error: ' timeout 10 "$vdisim" run bomb.yaml
[ "$(grep -c 'error: ' errors)" -eq 1 ] && pass || fail 'alias bomb' "$(grep -c 'error: ' errors) errors"
printf 'experiment: \xff\xfe\n' >encoding.yaml
expect 'not UTF-8' 2 '^encoding\.yaml(:[0-9]+:[0-9]+)?: error: ' "$vdisim" run encoding.yaml
printf 'a: %s' "$(printf '[%.0s' $(seq 20000))" >deep.yaml
expect 'deeply nested' 2 '^deep\.yaml(:[0-9]+:[0-9]+)?: error: ' timeout 10 "$vdisim" run deep.yaml

expect 'no such file' 1 "^vdisim run: cannot read 'missing\.yaml': No such file" "$vdisim" run missing.yaml
mkdir folder.yaml
expect 'a folder' 1 "^vdisim run: cannot read 'folder\.yaml': Is a directory" "$vdisim" run folder.yaml
cp "$data/small.yaml" unreadable.yaml
chmod 000 unreadable.yaml
if [ "$(id -u)" -eq 0 ]; then
  echo 'skipped: unreadable file (root reads everything)'
else
  expect 'unreadable file' 1 "^vdisim run: cannot read 'unreadable\.yaml': Permission denied" "$vdisim" run unreadable.yaml
fi
sed 's/users: 30/userz: 30/' "$data/small.yaml" >bad.yaml
expect 'one good, one bad: nothing is run' 2 '^bad\.yaml:' "$vdisim" run "$data/small.yaml" bad.yaml
[ ! -s output ] && [ ! -e results ] && pass || fail 'bad input' 'something was run'
finish
