#!/usr/bin/env bash
# A result as a page: what is in it, what users wrote in it, and folders that are not what they were.
source "$(dirname "$0")/check.sh" "$1"

has() { grep -qF -- "$3" "$2" && pass || fail "$1" "no '$3'"; }
has_not() { grep -qF -- "$3" "$2" && fail "$1" "has '$3'" || pass; }

"$vdisim" run --quiet --out r "$data/small.yaml" >table
expect 'markdown' 0 '' "$vdisim" report --format markdown r
cp output r.md
has 'markdown' r.md 'profile load, s'
# The predictions are those of the table that run printed.
numbers=$(sed -n '/^---\|^─/,/^$/p' table | grep -oE '[0-9]+\.[0-9]' | sort -u)
[ -n "$numbers" ] && pass || fail 'markdown' 'the table of run has no numbers'
for number in $numbers; do
  has 'markdown has the numbers of the table' r.md "$number"
done

gnuplot=$(command -v gnuplot)
if [ -n "$gnuplot" ]; then
  expect 'html' 0 '' "$vdisim" report r
  has 'html' r/report.html '</html>'
  has 'html' r/report.html 'role="img"'
  has 'html' r/report.html 'rerun r'
  has_not 'html asks for nothing' r/report.html 'src='
  expect 'again' 2 'exists; --force replaces it' "$vdisim" report r
  expect 'again, forced' 0 '' "$vdisim" report --force r
  cp r/report.html first.html
  "$vdisim" report --force r >/dev/null 2>&1
  cmp -s first.html r/report.html && pass || fail 'again, forced' 'other bytes'
  expect 'elsewhere' 0 '' "$vdisim" report --out page.html r
fi

# Without gnuplot there are tables, and a word about it.
mkdir bin
expect 'no gnuplot' 0 'gnuplot is not installed' env PATH="$work/bin" "$vdisim" report --out bare.html r
has 'no gnuplot' bare.html 'There are no pictures: gnuplot is not installed'
has 'no gnuplot' bare.html '<table>'
has_not 'no gnuplot' bare.html '<svg'

# What people write is text, wherever it ends up.
cat >hostile.yaml <<'END'
experiment: hostile
title: "<script>alert(1)</script> \" onload=alert(2) ' `touch owned` $(touch owned) '; system('touch owned') #"
question: "</p><img src=x onerror=alert(3)> | [x](javascript:alert(4)) **bold**"
answer: "</style><style>*{display:none}</style>"
stores:
  "p": {tier: azure-files/premium, size: 1 TiB}
workloads:
  logons: {users: 5, arrivals: {window: 1 min}}
run: {length: 2 min, replications: 2}
expect:
  - {metric: profile_load.mean, below: 100 s, source: "<b onclick=alert(5)>"}
END
"$vdisim" run --quiet --out hostile hostile.yaml >/dev/null 2>errors || fail 'hostile' "$(cat errors)"
expect 'hostile markdown' 0 '' "$vdisim" report --format markdown hostile
has_not 'hostile markdown' output '<script'
has_not 'hostile markdown' output '<img'
has_not 'hostile markdown' output '[x]('
"$vdisim" report hostile >/dev/null 2>errors || fail 'hostile' "$(cat errors)"
for markup in '<script' '<img' '<b ' '</style><style'; do
  has_not 'hostile' hostile/report.html "$markup"
done
[ ! -e owned ] && [ ! -e hostile/plots ] && pass || fail 'hostile' 'something was run, or left in the result'

# Throttling over time by the limit that bound, and no columns of limits that never did.
cat >storm.yaml <<'END'
experiment: storm
stores:
  profiles: {tier: azure-files/transaction-optimized-default, size: 1 TiB}
workloads:
  logons: {users: 25, arrivals: {window: 5 s}}
run: {length: 3 min, replications: 1}
END
"$vdisim" run --quiet --out storm storm.yaml >/dev/null
"$vdisim" report --out storm.html storm >/dev/null 2>&1
has 'throttling by kind' storm.html 'by IOPS, /s'
has_not 'throttling by kind' storm.html 'by metadata, /s'
has 'both latencies' storm.html 'end-to-end latency, ms'
has 'the logons behind the dots' storm.html 'the logons over time'

# Folders that are no whole results.
expect 'nothing there' 2 'cannot be read' "$vdisim" report nowhere
expect 'no folder' 2 'no result folder given' "$vdisim" report
expect 'two folders' 2 'one result folder at a time' "$vdisim" report r r
expect 'format' 2 "'pdf' is not one of html, markdown" "$vdisim" report --format pdf r
cp -r r newer && sed -i 's#vdisim.result/1#vdisim.result/2#' newer/manifest.json
expect 'a newer version' 2 'this manifest is of schema vdisim.result/2' "$vdisim" report newer
cp -r r incomplete && rm incomplete/minutes.csv
expect 'incomplete' 2 'the result is incomplete: cannot read minutes.csv' "$vdisim" report incomplete
cp -r r edited && sed -i '2s/$/ /' edited/cells.csv
expect 'edited by hand' 2 'cells.csv was changed after it was written' "$vdisim" report --force edited
cp -r r cut && head -c 300 r/manifest.json >cut/manifest.json
expect 'a manifest cut short' 2 'error:' "$vdisim" report --force cut
mkdir locked && chmod a-w locked
if [ "$(id -u)" -ne 0 ]; then
  expect 'no permission' 1 'cannot write' "$vdisim" report --out locked/page.html r
fi
expect 'no such place' 1 'cannot write' "$vdisim" report --out nowhere/page.html r
expect 'a full disk' 1 'cannot write to standard output' bash -c "'$vdisim' report --format markdown r >/dev/full"
finish
