# What the command-line tests share. Each works in an empty folder of its own that is removed at the end.
#
#   source check.sh PROGRAM
#   expect NAME STATUS REGEX COMMAND...    runs it; output and errors are in ./output and ./errors; the regex (grep -E)
#                                          must match a line of the errors, or be '' when there must be none
#   pass NAME / fail NAME WHY              for what expect cannot say
#   finish                                 prints the count, status 1 when something failed

set -u
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
data=$here/data
vdisim=$(readlink -f "$1")
passed=0
failed=0
unset NO_COLOR CLICOLOR_FORCE
export LC_ALL=C
export ASAN_OPTIONS=${ASAN_OPTIONS:-}:handle_abort=1

work=$(mktemp -d "${TMPDIR:-/tmp}/vdisim-cli-XXXXXX")
cd "$work" || exit 1
trap 'cd /; chmod -R u+w "$work" 2>/dev/null; rm -rf "$work"' EXIT

pass() {
  passed=$((passed + 1))
}

fail() {
  failed=$((failed + 1))
  printf 'FAILED  %s: %s\n' "$1" "$2"
}

# Nothing half-written: no temporary folder stays behind.
no_leftovers() {
  local found
  found=$(find . -name '.vdisim-*' | head -n 3)
  [ -z "$found" ] || { fail "$1" "left behind: $found"; return 1; }
}

# A status of 128 and more (but 130) is a crash, whatever was expected.
judge() {
  local name=$1 expected=$2 regex=$3 status=$4
  if [ "$status" -ne "$expected" ]; then
    fail "$name" "status $status, expected $expected; errors: $(head -n 5 errors)"
  elif [ -z "$regex" ] && [ -s errors ]; then
    fail "$name" "unexpected errors: $(head -n 5 errors)"
  elif [ -n "$regex" ] && ! grep -Eq -- "$regex" errors; then
    fail "$name" "errors do not match /$regex/: $(head -n 5 errors)"
  elif no_leftovers "$name"; then
    pass
  fi
}

expect() {
  local name=$1 expected=$2 regex=$3
  shift 3
  "$@" >output 2>errors
  judge "$name" "$expected" "$regex" $?
}

finish() {
  printf '%d passed, %d failed\n' "$passed" "$failed"
  [ "$failed" -eq 0 ]
  exit
}
