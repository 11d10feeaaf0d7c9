#!/bin/sh
# certify, and what solve and info say about existence: verdicts, certificates, altered ones.
# shellcheck source-path=SCRIPTDIR source=assert.sh
. "$(dirname "$0")/assert.sh"

contract="file dimension form contacts verdict proof margin nodes solutions"

# certified KIND N PARAM STATUS VERDICT PROOF: the verdict, a certificate that passes; in both forms
# unless W has rounding errors, which make a singular matrix regular.
certified() {
  forms="--local --seed=1"
  case $1 in *wedge* | jammed) forms=--seed=1 ;; esac
  for form in $forms; do
    stiction generate "$1" -n "$2" --param "$3" "$form" -q -o p.hdf5
    rm -f cert.json
    run stiction certify p.hdf5 -o cert.json --json
    exits "$4"
    stays_silent
    for key in $contract; do json "$key"; done
    json verdict "\"$5\""
    json proof "\"$6\""
    exists cert.json
    cp out answer
    run stiction certify --check cert.json p.hdf5
    exits 0
    stays_silent
    shows "^verdict +$5 by $6$"
    shows '^check +valid'
  done
}

# Painlevé (mu = 1, kappa = 2): none, two, one, one solution; and a contact that never closes
certified painleve 0 2 3 no_solution mode_tree
certified painleve 1 2 0 exists verified_solution
check "two isolated solutions" test "$(json_check answer solutions | tr -d ' \n')" = '[0,0]'
check "and no others" test "$(json_check answer complete)" = true
certified painleve 2 2 0 exists strict_margin
check "one solution" test "$(json_check answer solutions | tr -d ' \n')" = '[0]'
certified painleve 3 2 0 exists strict_margin
certified painleve 4 2 0 exists strict_margin
check "one set, r_T is free" test "$(json_check answer solutions | tr -d ' \n')" = '[1]'

# the wedge: jams with restitution, holds without it, opens wide
certified wedge 0 1 3 no_solution mode_tree
certified wedge 2 1 0 exists strict_margin
stiction generate wedge -n 1 -q -o rest.hdf5
run stiction certify rest.hdf5 -o cert.json
exits 0
shows '^verdict +a solution exists'
run stiction certify --check cert.json rest.hdf5 -q
exits 0
prints_nothing

# 3D: on both sides of delta = sqrt 3 and of |v_z| = 5.952499
certified painleve3d 0 1.7 3 no_solution sector_tree
certified painleve3d 0 1.74 0 exists verified_solution
certified wedge3d 0 5.9 3 no_solution sector_tree
certified wedge3d 0 6 0 exists verified_solution

# the local form, W singular but for its rounding: decided, but for reactions beyond the reach
for given in "wedge -n 0" "wedge3d" "jammed -n 6"; do
  # shellcheck disable=SC2086  # words
  stiction generate $given --local -q -o rounded.hdf5
  run stiction certify rounded.hdf5 -o cert.json
  exits 3
  shows 'the rounding of W might allow'
  check "a reach" grep -q '"reach": "0x1p+' cert.json
  run stiction certify --check cert.json rounded.hdf5
  exits 0
  shows 'reactions sum to no more than the reach'
done
sed 's/"reach": "0x1p+[0-9]*"/"reach": "0x1p+70"/' cert.json >forged.json
run stiction certify --check forged.json rounded.hdf5
exits 1

# many contacts
certified jammed 4 0.5 3 no_solution mode_tree
certified multiple 3 0.25 0 exists verified_solution
check "2^3 solutions" test "$(json_check answer solutions | tr -d ' \n')" = '[0,0,0,0,0,0,0,0]'

# the local form of a wedge that jams, rounded: no proof of existence comes from rounding
stiction generate wedge --local -q -o rounded.hdf5
run stiction certify rounded.hdf5 --json
check "exists is not proved" test "$(json_check out verdict)" != '"exists"'

# ---- text
stiction generate wedge -q -o jam.hdf5
run stiction certify jam.hdf5
exits 3
stays_silent
shows '^verdict +there is no solution$'
shows '^proof +mode_tree, margin [0-9.e-]+, [0-9]+ nodes$'
shows '^reason +No solution: .* contacts 0 and 1 jam'
run stiction certify jam.hdf5 -q
exits 3
prints_nothing
stiction generate painleve -n 2 -q -o one.hdf5
run stiction certify one.hdf5
exits 0
shows '^solutions +1, and no others$'
shows '^bounds +every solution: '

# ---- limits: undecided is exit status 4, and its certificate proves nothing
stiction generate jammed -n 8 -q -o many.hdf5
run stiction certify many.hdf5 --max-nodes 3 -o open.json --json
exits 4
json verdict '"undecided"'
json proof null
run stiction certify --check open.json many.hdf5
exits 4
shows 'proves nothing'
run stiction certify many.hdf5 --cheap --json
exits 4

# ---- a certificate with any digit altered, of another problem, or no certificate at all
stiction certify jam.hdf5 -q -o cert.json
awk -v RS='\n' '{ text = text $0 "\n" } END {
  for (k = 1; k <= length(text); k++) {
    c = substr(text, k, 1)
    if (c !~ /[0-9]/ || ++digit % 29) continue
    file = "altered" (++n) ".json"
    printf "%s%d%s", substr(text, 1, k - 1), (c + 1) % 10, substr(text, k + 1) > file
    close(file)
    if (n == 40) exit
  } }' cert.json
passed=0
for file in altered*.json; do
  stiction certify --check "$file" jam.hdf5 -q 2>/dev/null && passed=$((passed + 1))
done
command="stiction certify --check altered"
check "no altered certificate passes" test "$passed" -eq 0
run stiction certify --check altered1.json jam.hdf5
complains 'altered1.json: not a proof: '
run stiction certify --check cert.json one.hdf5
complains 'another problem'
run stiction certify --check jam.hdf5 jam.hdf5
complains 'not JSON'
run stiction certify --check missing.json jam.hdf5
complains 'missing.json: cannot open'
run stiction certify --check cert.json jam.hdf5 --json
exits 0
json valid true
json verdict '"no_solution"'
run stiction certify --check altered1.json jam.hdf5 --json
exits 1
json error
run stiction certify --check cert.json -o other.json jam.hdf5
complains 'exclude each other'
run stiction certify jam.hdf5 -o /nowhere/cert.json
complains 'cannot be written'

head -c 1000 cert.json >half.json
run stiction certify --check half.json jam.hdf5
complains 'half.json: not a proof: this is not JSON'
run stiction certify --check . jam.hdf5
complains 'Is a directory'
sed 's/"seal": "[0-9a-f]*"/"seal": "0000000000000000"/' cert.json >unsealed.json
run stiction certify --check unsealed.json jam.hdf5
complains 'was altered'
# the theorem asks something of the problem, which is checked
stiction certify one.hdf5 -q -o one.json
run stiction certify --check one.json one.hdf5
exits 0
shows '^premise +M is positive definite$'
run stiction certify --check one.json one.hdf5 --json
json premise '"M is positive definite"'
run stiction certify --check cert.json jam.hdf5 --json
json premise null

# ---- a file is whole or is not there; a full disk leaves the old one
cp one.json kept.json
run sh -c 'ulimit -f 1; stiction certify many.hdf5 -q -o kept.json'
complains 'kept.json: cannot write: File too large'
check "the old certificate is kept" cmp one.json kept.json
check "nothing is left over" test "$(find . -name 'kept.json*' | wc -l)" -eq 1
run stiction certify jam.hdf5 -o .
complains 'cannot be'

# ---- Ctrl-C: undecided, and so says the file. The search would take minutes; the signal is sent
# when it is caught, which SIGINT, the second bit of the mask, tells; before that the process is
# still a shell.
catches_signals() {
  grep -qs '^Name:.*stiction' /proc/$pid/status &&
    grep -qs '^SigCgt:.*[2367abef]$' /proc/$pid/status
}
stiction generate jammed -n 24 -q -o long.hdf5
for signal in INT TERM; do
  command="stiction certify long.hdf5, $signal"
  stiction certify long.hdf5 --json -o "$signal.json" >out 2>err &
  pid=$!
  tries=0
  while ! catches_signals && [ $tries -lt 300 ]; do
    sleep 0.1
    tries=$((tries + 1))
  done
  kill -$signal $pid
  status=0
  wait $pid || status=$?
  exits 4
  says 'stopping with what is proved so far'
  json verdict '"undecided"'
  json proof null
  shows '"reason": .*interrupted'
  run stiction certify --check "$signal.json" long.hdf5
  exits 4
done

# ---- solve says what is known where it fails
run stiction solve jam.hdf5 --json
exits 3
json status '"no_solution"'
json existence '"disproved"'
run stiction solve jam.hdf5
exits 3
shows '^existence +disproved \(mode_tree\)'
run stiction solve one.hdf5 --max-iter 0 --json
exits 2
json existence '"proved"'
run stiction solve one.hdf5 --max-iter 0
shows '^existence +proved, but no solution was found'
run stiction solve one.hdf5 --json
json existence null
json within_bounds null
run stiction solve one.hdf5 --prove --json
exits 0
json existence '"proved"'
json within_bounds true

# ---- info: existence and bounds, forces that are not unique
run stiction info one.hdf5
exits 0
shows '^existence +proved by strict_margin'
shows '^bounds +every solution'
run stiction info one.hdf5 --json
json existence '"proved"'
json bounds
run stiction info one.hdf5 --existence-limit 0 --json
json existence null
# wedge at rest, n = 1: r_N = 1 / (2 sin a) + c at both walls, c bounded by friction or not
run stiction info rest.hdf5 --force-range
exits 0
shows '^ +contact +r_N +least +greatest'
run stiction info rest.hdf5 --force-range --json
exits 0
json force_range
run stiction info jam.hdf5 --force-range
complains 'none was found'

finish
