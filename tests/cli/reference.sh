#!/usr/bin/env bash
# The page of all keys is what the program prints: vdisim check --reference > docs/reference.md
source "$(dirname "$0")/check.sh" "$1"
expect 'reference' 0 '' "$vdisim" check --reference
diff output "$here/../../docs/reference.md" >difference && pass || fail 'docs/reference.md' "print it again: $(head -n 6 difference)"
finish
