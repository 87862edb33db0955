#!/usr/bin/env bash
# The library installed into a folder of its own: the three example programs build against it and run.
#   tests/package/library.sh BUILD-FOLDER [C-FLAGS]
set -eu
build=$(readlink -f "$1")
examples=$(cd "$(dirname "${BASH_SOURCE[0]}")/../../docs/examples" && pwd)
work=$(mktemp -d "${TMPDIR:-/tmp}/vdisim-library-XXXXXX")
trap 'rm -rf "$work"' EXIT

DESTDIR=$work cmake --install "$build" >/dev/null
config=$(find "$work" -name vdisim.pc)
mv "$(find "$work" -path '*/include/vdisim' -prune | head -n 1 | xargs dirname | xargs dirname)" "$work/moved"
export PKG_CONFIG_PATH
PKG_CONFIG_PATH=$(dirname "$(find "$work/moved" -name vdisim.pc)")
[ -n "$config" ]
for source in "$examples"/*.c; do
  program=$work/$(basename "$source" .c)
  # shellcheck disable=SC2046,SC2086
  ${CC:-cc} ${2:-} -std=gnu17 -Wall -Wextra -Werror -o "$program" "$source" $(pkg-config --cflags --libs vdisim)
  "$program" >"$program.txt"
  [ -s "$program.txt" ] || { echo "FAILED  $program says nothing"; exit 1; }
  "$build/docs/examples/example-$(basename "$program")" | cmp - "$program.txt"
done
echo 'passed'
