#!/usr/bin/env bash
# House rules that the compiler does not know: which layer may include which, calls nobody makes, files that grew too
# long, code that is not ASCII, documents that point nowhere.
#   layers.sh [DIR]      checks the tree at DIR (default: the one this script is in)
#   layers.sh --self     checks that each rule still catches what it forbids
set -euo pipefail
export LC_ALL=C

here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
longest=700
# Kernel headers without a sim/kernel/NAME.c of the same name.
kernel_headers="time event sim line level"

failures=0
complain() { # FILE:LINE MESSAGE
  printf '%s: %s\n' "$1" "$2"
  failures=$((failures + 1))
}

sources() { # DIR...: the C and assembly files in and below those that exist
  local dir
  for dir in "$@"; do
    [ ! -d "$dir" ] || find "$dir" -type f \( -name '*.[ch]' -o -name '*.S' \) | sort
  done
}

includes() { # FILE...: lines FILE:LINE:HEADER, <> and "" dropped
  [ $# -eq 0 ] || sed -s -nE 's/^[[:space:]]*#[[:space:]]*include[[:space:]]*[<"]([^>"]+)[>"].*/\1/;T;F;=;p' "$@" |
    paste -d: - - -
}

is_kernel_header() { # vdisim/NAME.h
  local name=${1#vdisim/}
  name=${name%.h}
  [ -e "sim/kernel/$name.c" ] || [[ " $kernel_headers " == *" $name "* ]]
}

forbid_includes() { # PATTERN WHY FILE...
  local pattern=$1 why=$2 file line header
  shift 2
  while IFS=: read -r file line header; do
    [[ ! $header =~ $pattern ]] || complain "$file:$line" "includes $header: $why"
  done < <(includes "$@")
}

check_includes() {
  local kernel models experiment public kernel_public=() file line header
  mapfile -t kernel < <(sources sim/kernel)
  mapfile -t models < <(sources models)
  mapfile -t experiment < <(sources sim/experiment)
  mapfile -t public < <(sources include/vdisim)
  for file in "${public[@]}"; do
    if is_kernel_header "${file#include/}"; then kernel_public+=("$file"); fi
  done

  forbid_includes '^(models|sim/experiment|sim/command)/|^(yaml|csv|argp|sqlite3)\.h$' \
    'the kernel knows nothing above it' "${kernel[@]}" "${kernel_public[@]}"
  forbid_includes '^sim/(experiment|command)/|^(yaml|csv|argp|sqlite3)\.h$' \
    'a model takes structs and knows no experiment files' "${models[@]}"
  forbid_includes '^sim/command/|^argp\.h$' 'the experiment layer knows no commands' "${experiment[@]}"
  forbid_includes '^(sim|models|tests)/' 'a public header includes public headers only' "${public[@]}"

  while IFS=: read -r file line header; do
    [[ $header != vdisim/* ]] || is_kernel_header "$header" || complain "$file:$line" \
      "includes $header, which is no kernel header (a kernel header has a sim/kernel/NAME.c or is named in layers.sh)"
  done < <(includes "${kernel[@]}" "${kernel_public[@]}")
}

# Lines FILE:LINE:TEXT, with comments and string and character literals blanked.
code_only() { # FILE...
  perl -0777 -ne 's{(/\*.*?\*/)|(//[^\n]*)|("(?:\\.|[^"\\\n])*")|(\x27(?:\\.|[^\x27\\\n])*\x27)}
                   {my $gone = $&; $gone =~ s/[^\n]//g; $gone}gsex;
                   my $line = 0; print "$ARGV:", ++$line, ":$_\n" for split /\n/' "$@"
}

forbid_calls() { # NAMES(alternatives) WHY FILE...
  local names=$1 why=$2 file line text
  shift 2
  [ $# -gt 0 ] || return 0
  while IFS=: read -r file line text; do
    complain "$file:$line" "$why: ${text#"${text%%[![:space:]]*}"}"
  done < <(code_only "$@" | grep -E "^[^:]*:[0-9]*:(.*[^A-Za-z0-9_.>])?($names)[[:space:]]*\(" || true)
}

check_calls() {
  local files
  mapfile -t files < <(sources sim models include)
  forbid_calls 'rand|srand|time|atoi|atol|atof|strcpy|sprintf|vsprintf|gets|system|popen' \
    'a banned call' "${files[@]}"
  mapfile -t files < <(sources sim/kernel models sim/experiment)
  forbid_calls 'exit|_exit|quick_exit' 'only a command ends the program' "${files[@]}"
}

check_shape() {
  local files file lines line
  mapfile -t files < <(sources sim models include tests)
  [ "${#files[@]}" -gt 0 ] || return 0
  while read -r lines file; do
    [ "$lines" -le "$longest" ] || [ "$file" = total ] ||
      complain "$file:$lines" "longer than $longest lines: probably two ideas, split it"
  done < <(wc -l "${files[@]}")
  while IFS=: read -r file line _; do
    complain "$file:$line" 'not ASCII'
  done < <(grep -HnP '[^\x00-\x7F]' "${files[@]}" || true)
}

# Links of the documents to files of the tree, relative as they are written.
check_links() {
  local file line link
  while read -r file; do
    while IFS=: read -r line link; do
      link=${link#](}
      [[ $link == *:* || -z $link ]] || [ -e "$(dirname "$file")/$link" ] || complain "$file:$line" "dead link: $link"
    done < <(grep -noE '\]\([^)# ]*' "$file" || true)
  done < <(find . -name '*.md' -not -path './build/*' -not -path './results/*' | sort)
}

check_tree() { # DIR
  cd "$1"
  check_includes
  check_calls
  check_shape
  check_links
  if [ "$failures" -gt 0 ]; then
    echo "$failures broken house rules"
    return 1
  fi
  echo "layers, calls and sizes are in order"
}

expect_caught() { # NAME FILE CONTENT: a tree with only this file breaks exactly one rule
  local tree output
  tree=$(mktemp -d)
  mkdir -p "$tree/$(dirname "$2")" "$tree/sim/kernel"
  printf '%b\n' "$3" >"$tree/$2"
  if output=$(bash "$here/layers.sh" "$tree"); then output='nothing'; fi
  rm -r "$tree"
  case $output in
    "$2":*'1 broken house rules'*) ;;
    *) complain "$1" "not caught once in $2: $output" ;;
  esac
}

self_test() {
  expect_caught 'kernel over models' sim/kernel/a.c '#include "models/store.h"'
  expect_caught 'kernel over model headers' sim/kernel/a.c '#include "vdisim/world.h"'
  expect_caught 'kernel over experiment' sim/kernel/a.h '  #  include <sim/experiment/result/result.h>'
  expect_caught 'kernel header over model headers' include/vdisim/sim.h '#include "vdisim/world.h"'
  expect_caught 'models over experiment' models/a.c '#include "sim/experiment/read/experiment.h"'
  expect_caught 'models over command' models/a.c '#include "sim/command/command.h"'
  expect_caught 'models over YAML' models/a.c '#include <yaml.h>'
  expect_caught 'experiment over command' sim/experiment/a.c '#include "sim/command/command.h"'
  expect_caught 'public over private' include/vdisim/a.h '#include "models/a.h"'
  for call in rand time atoi strcpy sprintf gets system popen; do
    expect_caught "call of $call" sim/command/a.c "/* a */ x = $call(y);"
    expect_caught "call of $call at the start" models/a.c "$call (y);"
  done
  expect_caught 'exit below the commands' sim/experiment/a.c 'exit(1);'
  expect_caught 'long file' models/a.c "$(printf 'int x;\\n%.0s' $(seq "$((longest + 1))"))"
  expect_caught 'not ASCII' models/a.c '/* \xc2\xb5s */'
  expect_caught 'dead link' ./a.md 'see [b](b.md) and [c](https://example.org/c.md)'

  local tree
  tree=$(mktemp -d)
  mkdir -p "$tree/models"
  printf '%s\n' '/* time(0) exit(1)' ' * rand() */' 'a = b->time(c) + mean_time(d) + e.rand(); // gets(x)' \
    'puts("system(x)");' '#include "vdisim/sim.h"' >"$tree/models/a.c"
  bash "$here/layers.sh" "$tree" >/dev/null || complain 'self' 'a tree in order was refused'
  rm -r "$tree"
  [ "$failures" -eq 0 ] || return 1
  echo "every rule catches what it forbids"
}

if [ "${1:-}" = --self ]; then self_test; else check_tree "${1:-$here/..}"; fi
