#!/bin/sh
# export: tables and pictures of runs, finished or not.
STICTION_SCENES=$1/scenes
export STICTION_SCENES
# shellcheck source-path=SCRIPTDIR source=assert.sh
. "$(dirname "$0")/assert.sh"

run stiction run moreau/slide-to-rest -o slide.h5
exits 0
shows '^stop_time +0.4'
shows '^written +slide.h5'

# ---- CSV: names, then a row per step; at t = 0.2 the block has 1 m/s and has gone 0.3 m
run stiction export slide.h5 --csv -
exits 0
stays_silent
check "the names" test "$(head -1 out)" = \
  t,q1,q2,u1,u2,contacts,kinetic,potential,work,drive,friction,shock,correction,error,speed,x
check "a row per step" test "$(wc -l <out)" -eq 64
check "speed and way at t = 0.2" awk -F, '$1 > 0.1999 && $1 < 0.2001 {
  exit !($15 > 0.99999 && $15 < 1.00001 && $16 > 0.29999 && $16 < 0.30001) }' out
run stiction export slide.h5 --csv slide.csv --columns t,x
exits 0
exists slide.csv
check "two columns" test "$(head -1 slide.csv)" = t,x
run stiction export slide.h5 --csv - --columns t,spede
complains "no column 'spede'; did you mean 'speed'"
run stiction export slide.h5 --csv - --json
exits 1
says 'both want standard output'
run stiction export slide.h5 --csv no/such/place.csv
complains 'cannot be written'

# ---- SVG: a panel for each series, the ledger, its error
run stiction export slide.h5 --svg slide.svg --json
exits 0
json svg '"slide.svg"'
json rows 63
exists slide.svg
run cat slide.svg
shows '^<svg '
shows '^</svg>'
shows '>speed</text>'
shows '>energy ledger, J</text>'
shows '>friction</text>'
shows '>balance error, J</text>'
shows_not '>drive</text>'
shows_not 'nan|inf'
run stiction export slide.h5 --svg x.svg --columns x
run cat x.svg
shows '>x</text>'
shows_not 'ledger'

# ---- a phase plane of two runs: a curve for each, named after what tells them apart
run stiction run moreau/slide-to-rest --set u0=1 -o slower.h5 -q
run stiction export slide.h5 slower.h5 --svg phase.svg --phase x,speed
exits 0
run cat phase.svg
shows '>x</text>'
shows '>speed</text>'
shows '>u0=2</text>'
shows '>u0=1</text>'
run stiction export slide.h5 --svg phase.svg --phase x,spede
complains "no column 'spede'; did you mean 'speed'"
run stiction export slide.h5 --svg phase.svg --phase x
exits 1
says 'two columns A,B'

# ---- what is there
run stiction export slide.h5
exits 0
shows '^rows +63, to t = 0.62 s'
run stiction export slide.h5 --json
json observables
run stiction export missing.h5
complains 'missing.h5: cannot open'
printf 'no HDF5' >text.h5
run stiction export text.h5
complains 'text.h5: not an HDF5 file'

finish
