#!/usr/bin/env bash
# Builds everything and runs every test, on a bare Debian 12 as elsewhere. Safe to run again.
#   tests/run.sh           release with all tests, then sanitizers, threads, fuzz targets, MPI and Slurm
#   tests/run.sh --quick   the release part only
#   tests/run.sh --lab     the lab in the browser only: WebAssembly by Emscripten, the page in Chromium
# Ends non-zero when anything failed; its last line is the sum of all sections: N passed, N failed
set -uo pipefail

usage() {
  sed -n '2,5s/^# \{0,1\}//p' "${BASH_SOURCE[0]}"
}

quick=no
lab=no
for argument in "$@"; do
  case $argument in
    --quick) quick=yes ;;
    --lab) lab=yes ;;
    -h | --help) usage && exit 0 ;;
    *) usage >&2 && exit 2 ;;
  esac
done

cd "$(dirname "${BASH_SOURCE[0]}")/.." || exit 1
jobs=$(nproc)
passed=0
failed=0
section_start=$SECONDS

heading() {
  section_start=$SECONDS
  printf '\n==== %s ====\n' "$*"
}

elapsed() {
  printf -- '---- %d s (%d s in all)\n' $((SECONDS - section_start)) "$SECONDS"
}

fail() { # what could not even be tried counts as one failure
  echo "FAILED: $*"
  failed=$((failed + 1))
}

build() { # PRESET [CMAKE-ARGUMENT...]
  local preset=$1
  shift
  cmake --preset "$preset" "$@" >build/"$preset".configure.log 2>&1 || {
    cat build/"$preset".configure.log
    fail "configuring $preset"
    return 1
  }
  cmake --build --preset "$preset" --parallel "$jobs" >build/"$preset".build.log 2>&1 || {
    # A parallel build buries the error: say it again, shortly.
    cmake --build --preset "$preset" 2>&1 | tail -n 40
    fail "building $preset"
    return 1
  }
  if grep -q 'warning:' build/"$preset".build.log; then
    grep 'warning:' build/"$preset".build.log | sort -u | head -n 20
  fi
}

run_tests() { # PRESET [CTEST-ARGUMENT...]
  local preset=$1 log=build/$1.ctest.log status total bad
  shift
  ctest --preset "$preset" --parallel "$jobs" "$@" 2>&1 | tee "$log"
  status=${PIPESTATUS[0]}
  # "97% tests passed, 1 tests failed out of 33"
  read -r bad total < <(sed -nE 's/.* tests passed, ([0-9]+) tests? failed out of ([0-9]+).*/\1 \2/p' "$log" | tail -n 1)
  if [ -z "${total:-}" ]; then
    fail "ctest $preset ended without a summary (status $status)"
    return
  fi
  passed=$((passed + total - bad))
  failed=$((failed + bad))
  [ "$status" -eq 0 ] || [ "$bad" -gt 0 ] || fail "ctest $preset ended with status $status"
}

section() { # PRESET HEADING
  heading "$2"
  if build "$1"; then run_tests "$1"; fi
  elapsed
}

many_machines() {
  heading "Many machines: MPI and Slurm"
  if ! bash cmake/install-missing.sh openmpi-bin libopenmpi-dev munge slurmctld slurmd slurm-client; then
    fail "installing MPI and Slurm"
  elif build mpi; then
    run_tests mpi
  fi
  elapsed
}

lab_in_the_browser() {
  local tool missing=()
  heading "The lab in the browser"
  for tool in emcc:emscripten node:nodejs npm:npm ninja:ninja-build chromium:chromium; do
    command -v "${tool%:*}" >/dev/null || missing+=("${tool#*:}")
  done
  if ! bash cmake/install-missing.sh "${missing[@]}"; then
    fail "installing Emscripten, node and Chromium"
  elif build release -DVDISIM_LAB=ON; then
    run_tests release --label-regex '^lab$'
  fi
  elapsed
}

finish() {
  printf '\n%d passed, %d failed\n' "$passed" "$failed"
  [ "$failed" -eq 0 ] && exit 0
  exit 1
}

mkdir -p build || exit 1

heading "Packages"
packages=(build-essential cmake pkg-config libgsl-dev libcsv-dev libyaml-dev libsqlite3-dev libcmocka-dev gnuplot-nox python3)
[ $quick = yes ] || packages+=(clang-14 libclang-rt-14-dev scdoc doxygen debootstrap dpkg-dev)
if ! bash cmake/install-missing.sh "${packages[@]}"; then
  fail "installing packages"
  elapsed
  finish
fi
elapsed

if [ $lab = yes ]; then
  lab_in_the_browser
  finish
fi
section release "Release: every test"
if [ $quick = no ]; then
  section dev "AddressSanitizer and UndefinedBehaviorSanitizer: unit, command line, theory on a small scale"
  section tsan "ThreadSanitizer: what runs in threads"
  section fuzz "Fuzz targets, briefly"
  many_machines
fi
finish
