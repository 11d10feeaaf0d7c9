#!/bin/sh
# The manual page is well formed and names every verb and every long option of the program; the
# completion offers what the program has.
sources=$1
# shellcheck source-path=SCRIPTDIR source=assert.sh
. "$(dirname "$0")/assert.sh"

page="$sources/cli/stiction.1"
verbs=$(stiction --help | sed -n '/^Verbs:/,/^$/s/^  \([a-z]*\) .*/\1/p')

if command -v mandoc >/dev/null; then
  run mandoc -T lint -W warning "$page"
  exits 0
  prints_nothing
fi

command="grep in $page"
check "the program lists its verbs" test -n "$verbs"
for verb in $verbs; do
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
