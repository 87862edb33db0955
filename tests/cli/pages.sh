#!/usr/bin/env bash
# Man pages and shell completion: nothing that --help tells of is missing in them, and bash completes.
source "$(dirname "$0")/check.sh" "$1"

"$vdisim" completion bash >vdisim.bash
commands=$("$vdisim" --help | sed -n 's/^  \([a-z]\{3,\}\) .*/\1/p' | grep -v '^vdisim$')
[ "$(echo "$commands" | wc -l)" -gt 8 ] && pass || fail 'commands' "$commands"
"$vdisim" --man-page >program.scd
"$vdisim" completion zsh >vdisim.zsh
"$vdisim" completion fish >vdisim.fish
for command in $commands; do
  grep -q "^\*$command\*" program.scd && pass || fail "man page of the program" "no $command"
  "$vdisim" --man-page "$command" >page.scd
  for option in $("$vdisim" "$command" --help | grep -oE '^ +(-., )?--[a-z-]+' | grep -oE '[a-z-]{3,}$' | sed 's/^--//'); do
    grep -q -- "--$option\*" page.scd && pass || fail "man page of $command" "no --$option"
    case $option in help | usage) continue ;; esac
    sed -n "/^ *$command) words=/p" vdisim.bash | grep -q -- "--$option[= ]" && pass || fail "bash: $command" "no --$option"
    grep "^    $command)" vdisim.zsh | grep -q -- "--$option[='(]" && pass || fail "zsh: $command" "no --$option"
    grep -q "from $command' -l $option " vdisim.fish && pass || fail "fish: $command" "no --$option"
  done
done

source vdisim.bash
complete_words() { # WORD... : what comes of completing the last one
  COMP_WORDS=("$@") COMP_CWORD=$(($# - 1)) COMPREPLY=()
  _vdisim 2>/dev/null # compopt only works while completing
  echo "${COMPREPLY[*]}"
}
same() { [ "$2" = "$3" ] && pass || fail "$1" "$2"; }
same 'a command' "$(complete_words vdisim ru)" 'run'
same 'an option' "$(complete_words vdisim run --repl)" '--replications='
same 'a choice' "$(complete_words vdisim run --format = j)" 'json'
same 'choices' "$(complete_words vdisim run --format =)" 'table json csv'
same 'a file' "$(complete_words vdisim run exp)" ''

expect 'completion of nothing' 2 'for which shell' "$vdisim" completion
expect 'completion of another shell' 2 "'tcsh' is not a shell" "$vdisim" completion tcsh
finish
