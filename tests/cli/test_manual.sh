#!/bin/sh
# The manual page is well formed and names every verb and every long option of the program; the
# completion offers what the program has.
sources=$1
# shellcheck source-path=SCRIPTDIR source=assert.sh
. "$(dirname "$0")/assert.sh"

page=stiction.1
stiction --manual >"$page"
verbs=$(stiction --help | sed -n '/^Verbs:/,/^$/s/^  \([a-z]*\) .*/\1/p')

if command -v mandoc >/dev/null; then
  run mandoc -T lint -W warning "$page"
  exits 0
  prints_nothing
fi

command="grep in $page"
check "the program lists its verbs" test -n "$verbs"
# What the synopsis has of a verb: from its name to the next .Nm.
synopsis() {
  awk -v verb="$1" '/^\.Sh / { inside = $2 == "SYNOPSIS" } !inside { next }
    /^\.Nm/ { on = 0 } $1 == ".Cm" && $2 == verb { on = 1 } on' "$page"
}
# The options of every call stand once, for all verbs.
common='^(json|quiet|verbose|help)$'
for verb in $verbs; do
  synopsis "$verb" >shown
  check "a row on $verb in the table of cli.md" grep -q "^| \[\`$verb " "$sources/docs/cli.md"
  stiction "$verb" --help | sed -n 's/^  \(-\([a-zA-Z]\), \)\{0,1\} *--\([a-z0-9-]*\).*/\3 \2/p' >options
  while read -r option letter; do
    echo "$option" | grep -q -E "$common" && continue
    check "$verb --$option in the synopsis" grep -q -E -e "Fl (-$option|${letter:-none}) |Fl .* -$option( |\$)|Fl (-$option|${letter:-none})\$" shown
  done <options
  check "a section on $verb" grep -q "^\.Ss $verb$" "$page"
  for option in $(stiction "$verb" --help | sed -n 's/^  .*--\([a-z0-9-]*\).*/\1/p'); do
    [ "$option" = n ] || check "option --$option" grep -q -e "Fl -$option\b" "$page"
  done
done

command -v bash >/dev/null || finish

# offer WORDS...: what is offered for the last word.
offer() {
  run bash -c '. "$0/cli/stiction.bash"; COMP_WORDS=(stiction "$@"); COMP_CWORD=$#; _stiction
    printf "%s\n" "${COMPREPLY[@]}"' "$sources" "$@"
}
offer ''
for verb in $verbs; do shows "^$verb$"; done
offer so
check "solve only" test "$(cat out)" = solve
offer solve --max
check "--max-iter only" test "$(cat out)" = --max-iter
offer solve --method ns
check "nsgs only" test "$(cat out)" = nsgs
offer bench --methods newton,ns
check "newton,nsgs only" test "$(cat out)" = newton,nsgs
offer solve --set nsgs.om
check "nsgs.omega=" test "$(cat out)" = nsgs.omega=
offer generate bo
check "box only" test "$(cat out)" = box
offer list se
check "settings only" test "$(cat out)" = settings
export STICTION_SCENES="$sources/scenes"
offer run moreau/inc
check "moreau/incline only" test "$(cat out)" = moreau/incline
offer run moreau/incline --set angle
check "angle_deg=" test "$(cat out)" = angle_deg=
: >'a file.hdf5'
offer info a
check "files, blanks and all" test "$(cat out)" = 'a file.hdf5'

finish
