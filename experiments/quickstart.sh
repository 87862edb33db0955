#!/usr/bin/env bash
# From a fresh Debian 12 to the published matrix, predicted beside published, with pictures:
#   bash experiments/quickstart.sh
# Installs what is missing, builds a release, runs the experiment, draws the plots. Safe to run again: it replaces the
# result it made before and nothing else.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

experiment=experiments/published/citrix-azure-files.yaml
result=results/citrix-azure-files
program=build/release/vdisim

step() {
  printf '\n==== %s ====\n' "$*"
}

step "1/4 What is needed"
bash cmake/install-missing.sh build-essential cmake pkg-config libgsl-dev libcsv-dev libyaml-dev libsqlite3-dev gnuplot-nox

step "2/4 Building"
log=build/quickstart.log
mkdir -p build
if ! { cmake --preset release -DVDISIM_TESTS=OFF &&
  cmake --build --preset release --target vdisim-program --parallel "$(nproc)"; } >"$log" 2>&1; then
  tail -n 30 "$log" >&2
  echo "The build failed; all it said is in $PWD/$log" >&2
  exit 1
fi
echo "Built $PWD/$program"

step "3/4 Running $experiment"
status=0
"$program" run "$experiment" --out "$result" --force || status=$?
case $status in
  0) ;;
  3) echo "Not every expectation was met: the table says which." ;;
  *) exit "$status" ;;
esac

step "4/4 Drawing the plots"
"$program" plot "$result"

step "Done"
cat <<END
The result    $PWD/$result
  cells.csv has the means with their intervals; runs.csv, logons.csv and minutes.csv what they were made from.
The pictures
$(find "$result" -type f \( -name '*.svg' -o -name '*.png' \) | sort | sed "s|^|  $PWD/|")
The question  $PWD/$experiment

Try next, in $PWD:
  the same morning with the storage 30 ms away: change one thing, look at the table again
    $program run $experiment --set 'network.round_trip=30 ms' --set stores.profiles.tier=azure-files/premium --replications 5 --out results/30-ms
  every value of the experiment, and where it comes from
    $program check --full $experiment
  what if streaming were off, the share smaller, ten times the users?
    ls experiments/what-if
END
