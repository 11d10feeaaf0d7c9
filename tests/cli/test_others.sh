#!/bin/sh
# info, convert, generate, list.
# shellcheck source-path=SCRIPTDIR source=assert.sh
. "$(dirname "$0")/assert.sh"

# ---- every kind can be generated, described and converted
for kind in $(stiction list kinds | sed 's/ .*//'); do
  run stiction generate "$kind" -o "$kind.hdf5" --json
  exits 0
  stays_silent
  json kind "\"$kind\""
  contacts=$(json_check out contacts)
  run stiction info "$kind.hdf5" --json
  exits 0
  stays_silent
  json contacts "$contacts"
  json solution false
  json guesses 0
  run stiction info "$kind.hdf5"
  exits 0
  shows '^contact graph '
  run stiction generate "$kind" --local -o local.hdf5
  exits 0
  run stiction info local.hdf5 --json
  json form '"local"'
  json contacts "$contacts"
done

# ---- the same seed gives the same problem, another one another
stiction generate spheres -n 20 --seed 1 -q -o a.hdf5
stiction generate spheres -n 20 --seed 1 -q -o b.hdf5
stiction generate spheres -n 20 --seed 2 -q -o c.hdf5
for file in a b c; do stiction solve $file.hdf5 --json >$file.json; done
run json_check a.json norm_q
norm=$(cat out)
run json_check b.json norm_q
check "same seed, same |q| = $norm" test "$(cat out)" = "$norm"
run json_check c.json norm_q
check "other seed, other |q|" test "$(cat out)" != "$norm"

# ---- coefficients reach the problem
run stiction generate wall -n 2 --mu 0.25 --mu2 0.5 -o mu.hdf5
exits 0
run stiction info mu.hdf5 --json
json mu_min 0.25
json mu_max 0.5
run stiction info mu.hdf5 --rank-limit 0 --json
json rank null
json condition null

# ---- convert: there and back, the stored reactions solve both
stiction generate wall -n 3 -q -o wall.hdf5
stiction solve wall.hdf5 -q -o wall.hdf5
run stiction convert wall.hdf5 local.hdf5
exits 0
shows 'local.hdf5: 3D, local form'
run stiction verify local.hdf5 --json
exits 0
json form '"local"'
run stiction convert local.hdf5 back.hdf5 --json
exits 0
json form '"global"'
json from '"local"'
json solution true
run stiction verify back.hdf5
exits 0
run stiction convert wall.hdf5 same.hdf5 --to global
exits 0
shows 'global form'
run stiction verify same.hdf5
exits 0
run stiction convert wall.hdf5 wall.hdf5 --to local
exits 0
run stiction info wall.hdf5 --json
json form '"local"'
json solution true

# ---- list
for list in methods laws settings kinds; do
  run stiction list $list
  exits 0
  stays_silent
  check "not empty" test -s out
  run stiction list $list --json
  exits 0
  json $list
done
run stiction list settings
shows '^tol +double +1e-08 +\[0, 1\] '
run stiction list methods
shows '^nsgs '
run stiction list laws
shows '^coulomb '

finish
