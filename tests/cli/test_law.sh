#!/bin/sh
# law: numbers, tables, pictures, refusals.
# shellcheck source-path=SCRIPTDIR source=assert.sh
. "$(dirname "$0")/assert.sh"

# json_near KEY VALUE TOLERANCE
json_near() {
  check "$1 is $2 within $3" awk -v x="$(json_check out "$1" 2>/dev/null)" -v y="$2" -v tol="$3" \
    'BEGIN { d = x - y; exit !(x != "" && d <= tol + 0 && -d <= tol + 0) }'
}

# ---- Coulomb–Contensou at one k: digits of the closed form at 0.3, of the series at 1e8
run stiction law contensou --k 0.3 --json
exits 0
stays_silent
json law '"contensou"'
json_near k 0.3 0
json_near F 0.34547701712445256 1e-15
json_near M 0.53782348170974829 1e-15
json_near D 0.64146658684708405 1e-15
run stiction law contensou -k 1e8 --json
json F 1
json_near M 2e-9 1e-23
run stiction law contensou --k 1 --pade --json
json_near pade_F 0.54088368 1e-8
json_near pade_M 0.14930604 1e-8
run stiction law contensou --k 0.3
exits 0
shows '^ *0\.3  *0\.345477017124453  *0\.537823481709748'

# ---- tables
run stiction law contensou
exits 0
shows '^ *1000  *0\.999999'
run stiction law stribeck --mu-s 0.5 --mu-k 0.3 --v-c 0.2 --exponent 1 --end 0.4 --points 3
exits 0
shows '^ *0  *0\.5$'
shows '^ *0\.2  *0\.37357588823428'
run stiction law static-kinetic --v-c 0.1 --end 0.2 --points 3
shows '^ *0\.1  *0\.6$'
shows '^ *0\.2  *0\.4$'
run stiction law slip-weakening --distance 1 --points 5 --json
exits 0
json law '"slip-weakening"'
shows '0\.5,$'
run stiction law coulomb --mu 0.25 --points 2
shows '^ *1  *0\.25$'
run stiction law coulomb -q
exits 0
prints_nothing

# ---- sections: u_T forwards meets 0.2, backwards 0.6, and the power is as much
run stiction law section
exits 0
shows '^ *0  *-0\.2  *0  *0\.2$'
shows '^ *180  *0\.6  *0  *0\.6$'
run stiction law section --superellipse 0.5,0.25,2 --json
exits 0
json law '"section"'
shows '0\.25,*$'
run stiction law section --back 0.1 --forth 0.3
shows '^ *0  *-0\.1  *0  *0\.1$'
shows '^ *180  *0\.3  *0  *0\.3$'
for given in "--polygon 1,0,0,1,-1,-1" "--superellipse 1,0.5,4,0.3,0.1,0" "--forth 0.5"; do
  # shellcheck disable=SC2086  # two words
  run stiction law section $given --plot law.svg
  exits 0
  prints_nothing
  check "a whole picture" grep -q '^</svg>$' law.svg
  check "no number went wrong" not grep -qi nan law.svg
done
run stiction law section --polygon '1,0 0,1 -1,0 0,0.5'
exits 1
says 'not convex'
run stiction law section --polygon '1,0 0,1'
exits 1
says 'three corners and more'
run stiction law section --polygon '1,0 0,1 a,b'
exits 1
run stiction law section --superellipse 1,2
exits 1
says 'takes A,B,EXPONENT'
run stiction law section --polygon '1,0 0,1 -1,-1' --back 1
exits 1
says 'give --polygon'
run stiction law coulomb --polygon '1,0 0,1 -1,-1'
exits 1
says 'no meaning for coulomb'

# ---- pictures: exact and dashed curves in three panels; no table unless asked for
run stiction law contensou --plot law.svg
exits 0
prints_nothing
check "three panels" test "$(grep -c "fill='none' stroke='#888'" law.svg)" = 3
check "three dashed curves and one in the legend" test "$(grep -c stroke-dasharray law.svg)" = 4
check "a whole picture" grep -q '^</svg>$' law.svg
check "no number went wrong" not grep -qi nan law.svg
run stiction law contensou --plot law.svg --k 2
shows '^ *2  *0\.97'
# without an exponent that of a scene's stribeck{}, 1: 0.3 + 0.2 exp(-2)
run stiction law stribeck --mu-s 0.5 --mu-k 0.3 --v-c 0.2 --end 0.4 --points 3
exits 0
shows '^ *0\.4  *0\.32706705664732'

run stiction law stribeck --plot mu.svg
check "axes have names" grep -q 'speed of sliding, m/s' mu.svg

# ---- wrong usage
run stiction law contensou --k -1
complains 'number from 0'
run stiction law contensou --k nonsense
exits 1
run stiction law coulum
complains "did you mean 'coulomb'"
run stiction law coulomb --k 1
complains "'--k' has no meaning for coulomb"
run stiction law contensou --points 5
complains "'--points' has no meaning for contensou"
run stiction law stribeck --v-c 0
complains 'v_c = 0, give a finite number > 0'
run stiction law
exits 1
run stiction law contensou --plot nowhere/law.svg
complains 'nowhere'
run stiction law contensou --plot law.pdf
complains 'law.pdf: it is written as svg; name it so'
lacks law.pdf

finish
