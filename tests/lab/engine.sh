#!/usr/bin/env bash
# The simulator as WebAssembly gives the same bytes as the program; skipped (77) where the lab is not built.
#   tests/lab/engine.sh PROGRAM LAB-FOLDER WORK-FOLDER
set -u
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
vdisim=$(readlink -f "$1")
engine=$2/../lab-wasm/lab.js
work=$3
[ -f "$engine" ] || { echo 'skipped: the lab is not built (cmake --build BUILD --target lab)'; exit 77; }
command -v node >/dev/null || { echo 'skipped: needs node'; exit 77; }
engine=$(readlink -f "$engine")
mkdir -p "$work" && cd "$work" || exit 1

failed=0
for experiment in "$here"/data/*.yaml; do
  name=$(basename "$experiment" .yaml)
  rm -rf "native-$name" "wasm-$name"
  "$vdisim" run --quiet --format json --out "native-$name" "$experiment" >"$name.json" || failed=1
  node "$here/engine.mjs" "$engine" "$experiment" "wasm-$name" || { failed=1; continue; }
  mv "$name.json" "native-$name/result.json"
  for file in result.json cells.csv runs.csv logons.csv minutes.csv expectations.csv; do
    cmp "native-$name/$file" "wasm-$name/$file" || failed=1
  done
done
printf 'experiment: bad\nworkloads: {logons: {user: 5}}\n' >bad.yaml
node "$here/engine.mjs" "$engine" bad.yaml bad >bad.json
[ $? -eq 2 ] || { echo 'a bad experiment is not refused'; failed=1; }
grep -q 'unknown key' bad.json || { echo 'a bad experiment is refused without a reason'; failed=1; }
exit "$failed"
