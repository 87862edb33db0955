#!/usr/bin/env bash
# Reports opened in headless Chromium; skipped (77) where Chromium, node or the packages cannot be had.
#   tests/report/page.sh PROGRAM WORK-FOLDER
set -u
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
vdisim=$(readlink -f "$1")
work=$2
skip() { echo "skipped: $*"; exit 77; }

for needed in chromium node npm gnuplot; do
  command -v "$needed" >/dev/null || skip "needs $needed"
done
mkdir -p "$work" && cd "$work" || exit 1
export VDISIM_NODE_MODULES=$PWD
cp "$here/package.json" "$here/package-lock.json" .
npm ci --silent --no-audit --no-fund >npm.log 2>&1 || { tail -n 2 npm.log; skip 'npm cannot reach its registry'; }

rm -rf plain hostile hostile.yaml
"$vdisim" run --quiet --out plain "$here/../cli/data/small.yaml" >/dev/null || exit 1
cat >hostile.yaml <<'END'
experiment: hostile
title: "<script>alert(1)</script> \" onload=alert(2) ' & </text><script>alert(3)</script>"
question: "</p><img src=x onerror=alert(3)> <iframe src=https://example.org>"
stores:
  profiles: {tier: azure-files/premium, size: 1 TiB}
workloads:
  logons: {users: 20, arrivals: {window: 2 min}}
vary:
  workloads.logons.profile.path: ["<script>alert(6)</script>", "x' onload='alert(7)"]
run: {length: 5 min, replications: 2}
expect:
  - {metric: profile_load.mean, below: 100 s, source: "<b onclick=alert(5)>"}
END
"$vdisim" run --quiet --out hostile hostile.yaml >/dev/null || exit 1
failed=0
for result in plain hostile; do
  "$vdisim" report --force "$result" >/dev/null || failed=1
  node "$here/page.mjs" "$result/report.html" || failed=1
done
exit "$failed"
