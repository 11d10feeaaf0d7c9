#!/bin/sh
# Colour and progress appear on a terminal only, and not if the user does not want them.
# shellcheck source-path=SCRIPTDIR source=assert.sh
. "$(dirname "$0")/assert.sh"

escape=$(printf '\033')
TERM=xterm
export TERM
unset NO_COLOR
stiction generate wall -n 3 -q -o small.hdf5 || exit 1
stiction generate wall -n 40 -q -o big.hdf5 || exit 1

run stiction solve small.hdf5
shows_not "$escape"
run on_terminal stiction solve small.hdf5
exits 0
shows "$escape\[32msolved"
run env NO_COLOR=1 on_terminal stiction solve small.hdf5
exits 0
shows_not "$escape"
shows 'solved'
run env NO_COLOR= on_terminal stiction solve small.hdf5
shows "$escape\[32msolved"
run env TERM=dumb on_terminal stiction solve small.hdf5
shows_not "$escape"
run on_terminal stiction solve small.hdf5 --json
shows_not "$escape"

# ---- a solve of half a second shows its progress, unless -q
set -- stiction solve big.hdf5 --method nsgs --tol 0 --time-limit 0.5
run on_terminal "$@"
exits 2
shows 'nsgs: iteration [0-9]+, eta'
run on_terminal "$@" -q
exits 2
prints_nothing
run "$@"
says_not 'iteration'

finish
