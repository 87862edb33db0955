#!/usr/bin/env bash
# Pictures: all drawn without a word from gnuplot, from any title; a clear message when gnuplot is missing.
source "$(dirname "$0")/check.sh" "$1"

sed "s/^title:.*/title: \"It's \`touch gnuplot-ran-a-shell\` \$(touch too) %d {\/Symbol a} \\\\\\\\n @x\"/" "$data/small.yaml" >quoted.yaml
expect 'run' 0 '' "$vdisim" run --quiet --out result --replications 5 quoted.yaml

mkdir bin
expect 'gnuplot missing' 1 '^vdisim plot: gnuplot is not installed \(Debian: apt install gnuplot-nox\)' \
  env PATH="$PWD/bin" "$vdisim" plot result
expect 'not a result' 2 "^vdisim plot: cannot read 'bin/manifest.json'" "$vdisim" plot bin
expect 'no such cell' 2 'there is no cell 9: this result has 2' "$vdisim" plot --cell 9 result
expect 'no such run' 1 'there is no finished run 6 of cell 1' "$vdisim" plot --replication 6 result
expect 'no such store' 1 "there is no store 'x'" "$vdisim" plot --store x result
expect 'cell 0' 2 "cell: '0' is not a number from 1" "$vdisim" plot --cell 0 result

cp -r result damaged
head -c 3000 result/logons.csv >damaged/logons.csv
expect 'damaged result' 1 '^vdisim plot: logons.csv:[0-9]+: ' "$vdisim" plot damaged
printf '{"schema": "other/1"}\n' >damaged/manifest.json
expect 'another schema' 2 'is not a result folder of this version' "$vdisim" plot damaged

if ! command -v gnuplot >/dev/null; then
  echo 'skipped: pictures (gnuplot is not installed)'
  finish
fi
expect 'plot' 0 '' "$vdisim" plot result
for picture in predicted load-distribution timeline-cell-1 load-time-cell-1 iops-cell-1 egress-ingress-cell-1 \
  latency-cell-1 burst-credits-cell-1 where-time-goes; do
  for format in svg png; do
    [ -s "result/plots/$picture.$format" ] && pass || fail 'plot' "no $picture.$format"
  done
done
[ -z "$(find . -name 'gnuplot-ran-a-shell' -o -name too)" ] && pass || fail 'plot' 'a title was run as a command'
grep -q 'touch gnuplot-ran-a-shell' result/plots/predicted.svg && pass || fail 'plot' 'the title is not shown as it is'
# The parts of a bar are the whole load.
load=$(awk -F, '$1 == 1 { for (i = 1; i < NF; i++) if ($i == "profile_load.mean") print $(i + 2) }' result/cells.csv)
awk -F'\t' -v load="$load" 'NR == 1 { exit !($NF / load > 0.98 && $NF / load < 1.0001) }' result/plots/where-time-goes.dat &&
  pass || fail 'where time goes' "the bar of cell 1 is not $load: $(head -n 1 result/plots/where-time-goes.dat)"
# Runs of one minute have no course; jobs of several kinds stand together.
sed 's/length: 4 min/length: 60 s/' "$data/small.yaml" >short.yaml
"$vdisim" run --quiet --replications 1 --out short short.yaml >/dev/null 2>&1
expect 'plot of a short run' 0 '' "$vdisim" plot short
[ -s short/plots/predicted.svg ] && [ ! -e short/plots/iops-cell-1.svg ] && pass || fail 'short' "$(ls short/plots)"
# Workloads that share a store stand upon each other; their sum is what the store did; where there is one, there is no such picture.
cat >two.yaml <<'END'
experiment: two
stores: {profiles: {tier: azure-files/premium, size: 1 TiB}}
workloads:
  first: {kind: logons, users: 10, arrivals: {window: 1 min}, store: profiles, profile: citrix-test-profile}
  second-job: {kind: logons, users: 5, arrivals: {window: 1 min}, store: profiles, profile: citrix-test-profile}
run: {length: 3 min, replications: 1}
END
expect 'run of two workloads' 0 '' "$vdisim" run --quiet --out two two.yaml
expect 'plot of two workloads' 0 '' "$vdisim" plot two
for format in svg png; do
  [ -s two/plots/workloads-cell-1.$format ] && pass || fail 'workloads' "no workloads-cell-1.$format"
done
grep -q "^workload_name\[1\] = 'first'$" two/plots/workloads-cell-1.settings.gp &&
  grep -q "^workload_name\[2\] = 'second-job'$" two/plots/workloads-cell-1.settings.gp && pass ||
  fail 'workloads' "$(cat two/plots/workloads-cell-1.settings.gp)"
awk 'NR == FNR { split($0, field, ","); if (FNR > 1) { out[n + 0] = field[14] / 62914560; in_[n++ + 0] = field[13] / 62914560 } next }
  NF == 7 { m = int((FNR - 1) / 2); if (($2 + $3 - out[m]) ^ 2 > 1e-12 || ($4 + $5 - in_[m]) ^ 2 > 1e-12) exit 1; both += $2 > 0 && $3 > 0 }
  END { exit !(both > 0 && n == 3) }' two/minutes.csv two/plots/workloads-cell-1.dat && pass ||
  fail 'workloads' "not the store's: $(head -n 4 two/minutes.csv) $(cat two/plots/workloads-cell-1.dat)"
[ ! -e result/minutes-by-workload.csv ] && ! ls result/plots | grep -q '^workloads-cell' && pass || fail 'one workload' "$(ls result result/plots)"
# A share too small: the curve counts the logons that never finished, the timeline marks them.
sed 's/size: 1 TiB/size: 100 GiB/; s/users: 30/users: 60/; s/^    profile:.*/&\n    profile_management: {large_file_handling: false}/
  s/length: 4 min/length: 3 min/; s/premium, azure-files\/transaction-optimized/premium/' "$data/small.yaml" >slow.yaml
expect 'run of a share too small' 0 '' "$vdisim" run --quiet --replications 1 --out slow slow.yaml
grep -q 'of 60 logons had not finished when the run ended' output && pass || fail 'unfinished' 'the summary does not say so'
expect 'plot of unfinished logons' 0 '' "$vdisim" plot slow
last=$(awk -F'\t' 'NF == 2 && $2 != "share" { last = $2 } END { print last }' slow/plots/load-distribution.dat)
finished=$(grep -c ',true,' slow/logons.csv)
awk -v last="$last" -v finished="$finished" 'BEGIN { exit !(last < 100 && last - 100 * finished / 60 < 1e-3 && last - 100 * finished / 60 > -1e-3) }' &&
  pass || fail 'unfinished' "the curve ends at $last %, $finished of 60 finished"
[ "$(wc -l <slow/plots/cell-1-unfinished.dat)" -eq $((60 - finished)) ] && pass || fail 'unfinished' 'the timeline misses some'
grep -q '% unfinished)\|(none finished)' slow/plots/load-distribution.dat && pass || fail 'unfinished' 'the key does not say so'
grep -q 'not shown' slow/plots/timeline-cell-1.settings.gp && pass || fail 'limits' 'one far above the data is drawn'
grep -q '^has_intervals = 0' slow/plots/predicted.settings.gp && pass || fail 'predicted' 'an interval of one run is drawn'
cp -r short edited && sed -i 's/,[0-9.]*$/,7/' edited/cells.csv edited/runs.csv
expect 'edited by hand' 0 'warning: edited: cells.csv, runs.csv were changed after they were written; vdisim rerun edited' "$vdisim" plot edited
expect 'plot again' 0 '' "$vdisim" plot result
expect 'plot by hand, as the help says' 0 '' bash -c \
  "cd result/plots && LC_ALL=C.UTF-8 gnuplot -e \"format='svg'\" timeline-cell-1.settings.gp timeline.gp"
finish
