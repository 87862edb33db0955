#!/usr/bin/env bash
# Commands and options.
source "$(dirname "$0")/check.sh" "$1"

expect 'no command' 2 '^Usage: vdisim COMMAND' "$vdisim"
expect 'unknown command' 2 "^vdisim: 'rnu' is not a command\. Did you mean run\?" "$vdisim" rnu
expect 'unknown command, nothing near' 2 "^vdisim: 'xyzzy' is not a command$" "$vdisim" xyzzy
expect 'help' 0 '' "$vdisim" --help
grep -q '^  run ' output && pass || fail 'help' 'does not list run'
expect 'version' 0 '' "$vdisim" --version
grep -Eq '^vdisim [0-9]+\.[0-9]+\.[0-9]+' output && pass || fail 'version' "says $(cat output)"
for command in run check plot catalogue; do
  expect "help of $command" 0 '' "$vdisim" "$command" --help
  grep -q "^Usage: vdisim $command" output && pass || fail "help of $command" 'has no usage line'
  expect "help $command" 0 '' "$vdisim" help "$command"
done
expect 'help of an unknown command' 2 'Did you mean plot' "$vdisim" help plto
expect 'no file' 2 'vdisim run: no experiment file given' "$vdisim" run
expect 'unknown option' 2 'unrecognized option' "$vdisim" run --nonsense "$data/small.yaml"
expect 'jobs 0' 2 "jobs: '0' is not a whole number from 1" "$vdisim" run --jobs 0 "$data/small.yaml"
expect 'jobs not a number' 2 "jobs: '2x' is not" "$vdisim" run --jobs 2x "$data/small.yaml"
expect 'replications 0' 2 "replications: '0' is not" "$vdisim" run --replications 0 "$data/small.yaml"
expect 'replications too many' 2 "replications: '99999999999999999999' is not" \
  "$vdisim" run --replications 99999999999999999999 "$data/small.yaml"
expect 'seed negative' 2 "seed: '-1' is not" "$vdisim" run --seed=-1 "$data/small.yaml"
expect 'format' 2 "format: 'xml' is not one of table, json, csv" "$vdisim" run --format xml "$data/small.yaml"
expect 'set without =' 2 "set: 'users' is not KEY=VALUE" "$vdisim" run --set users "$data/small.yaml"
expect 'set of an unknown key' 2 'error:' "$vdisim" run --set workloads.logons.userz=5 "$data/small.yaml"
expect 'csv of two files' 2 'csv takes one file' "$vdisim" run --format csv "$data/small.yaml" "$data/small.yaml"
expect 'out without a name' 2 'the name of the folder is empty' "$vdisim" run --out '' "$data/small.yaml"
expect 'resume without an archive' 2 'name it with --archive' "$vdisim" run --resume "$data/small.yaml"
expect 'shard without an archive' 2 'name it with --archive' "$vdisim" run --shard 1/2 "$data/small.yaml"
expect 'shard of none' 2 'is not I/N' "$vdisim" run --shard 3/2 --archive a.sqlite "$data/small.yaml"
expect 'selection without indifference' 2 'go together' "$vdisim" run --select-best profile_load.p95 "$data/small.yaml"
expect 'selection by no metric' 2 "'profile load' is not the name of a metric" "$vdisim" run --select-best 'profile load' \
  --indifference 1 "$data/small.yaml"
expect 'selection and precision' 2 'leave one of them out' "$vdisim" run --select-best profile_load.p95 \
  --indifference 1 --set 'run.precision=2 %' "$data/small.yaml"
expect 'a precision in place of a count' 0 '' "$vdisim" run --quiet --no-results --set 'run.precision=50 %' "$data/small.yaml"
expect 'indifference of nothing' 2 'no amount above zero' "$vdisim" run --select-best profile_load.p95 \
  --indifference 0 "$data/small.yaml"
expect 'the same name twice' 2 'are both named' "$vdisim" run "$data/small.yaml" "$data/small.yaml"
expect 'plot of nothing' 2 'no result folder given' "$vdisim" plot
expect 'help into a full disk' 1 '' bash -c "'$vdisim' --help >/dev/full"
[ ! -e results ] && pass || fail 'usage' 'wrong usage left a results folder'
finish
