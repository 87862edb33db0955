#!/usr/bin/env bash
# The lab in headless Chromium, and what is taken away from it run again on the command line: the same bytes. Skipped (77) where the
# lab is not built, or Chromium, node or the packages cannot be had.
#   tests/lab/page.sh PROGRAM LAB-FOLDER WORK-FOLDER
set -u
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
vdisim=$(readlink -f "$1")
work=$3
skip() { echo "skipped: $*"; exit 77; }

[ -f "$2/index.html" ] || skip 'the lab is not built (cmake --build BUILD --target lab)'
lab=$(readlink -f "$2")
for needed in chromium node npm; do
  command -v "$needed" >/dev/null || skip "needs $needed"
done
mkdir -p "$work" && cd "$work" || exit 1
export VDISIM_NODE_MODULES=$PWD
cp "$here/../report/package.json" "$here/../report/package-lock.json" .
npm ci --silent --no-audit --no-fund >npm.log 2>&1 || { tail -n 2 npm.log; skip 'npm cannot reach its registry'; }

failed=0
rm -rf taken native-a native-b
node "$here/page.mjs" "$lab" taken "$work/lab.png" || failed=1
for side in a b; do
  "$vdisim" run --quiet --format json --out "native-$side" "taken/lab-$side.yaml" >"native-$side.json" || failed=1
  cmp "native-$side.json" "taken/$side-result.json" || failed=1
  for file in cells.csv runs.csv logons.csv minutes.csv; do
    cmp "native-$side/$file" "taken/$side-$file" || failed=1
  done
done
exit "$failed"
