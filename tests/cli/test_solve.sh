#!/bin/sh
# solve and verify: statuses, exit statuses, JSON, what is written.
# shellcheck source-path=SCRIPTDIR source=assert.sh
. "$(dirname "$0")/assert.sh"

stiction generate wall -n 3 -q -o wall.hdf5 || exit 1

contract="file dimension form contacts status method iterations eta eta_max fclib_error
worst_contact setup_seconds solve_seconds"

# ---- a wall at rest is solved; the file written is judged alike
run stiction solve wall.hdf5 -o solved.hdf5 --json
exits 0
stays_silent
for key in $contract; do json "$key"; done
json file '"wall.hdf5"'
json dimension 3
json form '"global"'
json status '"solved"'
json solved true
json violated 0
json output '"solved.hdf5"'
json_at_most eta 1e-8
json_at_most fclib_error 1e-8
json_at_most dynamics 1e-8
exists solved.hdf5
eta=$(json_check out eta)

run stiction verify solved.hdf5 --json
exits 0
stays_silent
for key in $contract; do json "$key"; done
json status '"solved"'
json method '"stored"'
json iterations 0
json_at_most eta 1e-8
json_at_most kinematics 1e-8
check "verify finds the eta of solve, $eta" awk -v a="$eta" -v b="$(json_check out eta)" \
  'BEGIN { exit !(a - b < 1e-11 && b - a < 1e-11) }'

# ---- short calls are timed again, unless they print a table
run stiction solve wall.hdf5 --json -v
json calls 1
run stiction solve wall.hdf5 --json
check "calls is 1, or 5 and more" awk -v n="$(json_check out calls)" 'BEGIN { exit !(n == 1 || n >= 5) }'

# ---- text
run stiction solve wall.hdf5
exits 0
stays_silent
shows '^status +solved$'
shows '^contacts +[0-9]+ open, [0-9]+ stick, [0-9]+ slip, 0 violated$'
run stiction verify solved.hdf5 --contacts
exits 0
shows '^ +contact +state +r_N'
contacts=$(stiction solve wall.hdf5 --json >number && json_check number contacts)
check "a row per contact" test "$(grep -c -E '^ +[0-9]+ +(open|stick|slip) ' out)" -eq "$contacts"
run stiction solve -q wall.hdf5
exits 0
prints_nothing
stays_silent
run stiction verify solved.hdf5 --contacts --json
exits 0
json per_contact

# ---- options before, after and between; = or blank; -- ends them
run stiction solve --tol=1e-6 wall.hdf5 --method nsgs
exits 0
shows 'tolerance 1e-06'
run stiction solve -t1e-6 -m nsgs -- wall.hdf5
exits 0
cp wall.hdf5 ./-wall.hdf5
run stiction info -- -wall.hdf5
exits 0
shows 'file +-wall.hdf5'
run stiction solve -qj2 wall.hdf5
exits 0
# the last value of a setting counts
run stiction solve wall.hdf5 --set tol=1e-3 --tol 1e-5 --json
json tol 1.0000000000000001e-05

# ---- the table of -v
run stiction solve -v wall.hdf5
exits 0
shows '^iteration +method +eta +fclib +s$'
shows '^ +0 +[a-z]'
run stiction solve -v wall.hdf5 --json
exits 0
json status '"solved"'
says '^iteration +method'

# ---- every method solves a box at rest
stiction generate box -n 1 --param 0 -q -o box.hdf5
for method in $(stiction list methods | sed 's/ .*//'); do
  run stiction solve box.hdf5 --method "$method" --json
  exits 0
  json status '"solved"'
done

# ---- limits: not converged is exit status 2, and the file is written
run stiction solve wall.hdf5 --method nsgs --max-iter 1 --json -o partial.hdf5
exits 2
json status '"max_iterations"'
json solved false
exists partial.hdf5
run stiction verify partial.hdf5 --json
exits 2
json status '"stalled"'
json solved false
run stiction verify partial.hdf5 --tol 1
exits 0
run stiction solve wall.hdf5 --time-limit 0 --json
exits 2
json status '"time_limit"'

# ---- starts: from the stored solution nothing is left to do
run stiction solve solved.hdf5 --guess --json
exits 0
json iterations 0
json start '"solution"'
run stiction solve solved.hdf5 --json
json start '"cold"'

# ---- a stored guess is a start, and stays in the file whatever is written
cp solved.hdf5 guess.hdf5
run decorate guess.hdf5
exits 0
run stiction verify guess.hdf5
complains "holds no solution"
run stiction solve guess.hdf5 --guess -o guess.hdf5 --json
exits 0
json iterations 0
json start '"guess"'
run stiction info guess.hdf5 --json
json guesses 1
json solution true
run stiction convert guess.hdf5 local.hdf5
exits 0
run stiction info local.hdf5 --json
json guesses 1
run stiction solve local.hdf5 --guess --json
json iterations 0
json start '"guess"'

# ---- text from a file cannot steer the terminal
run stiction info local.hdf5
shows '^title +a \[31mb c$'

# ---- known in closed form (Painlevé, mu = 1, kappa = 2, w_T = -1, f = 1): the contact slips with
# r = (1/3, 1/3), u = (0, -1)
stiction generate painleve -n 2 -q -o slip.hdf5
run stiction solve slip.hdf5 --contacts
exits 0
shows '^ +0 +slip +3.3333e-01 +3.3333e-01 .* 1.0000e\+00 '
shows '0 open, 0 stick, 1 slip, 0 violated'
shows 'friction takes energy'

# ---- OUT may be FILE; a solution in a file of its own
cp wall.hdf5 same.hdf5
run stiction solve same.hdf5 -o same.hdf5
exits 0
run stiction verify same.hdf5
exits 0
run stiction verify wall.hdf5 solved.hdf5
exits 0
shows '^solution of +solved.hdf5'

# ---- proved to have no solution: exit status 3
run immovable immovable.hdf5
exits 0
run stiction solve immovable.hdf5 --json
exits 3
json status '"no_solution"'
json existence '"disproved"'
run stiction solve immovable.hdf5
exits 3
shows '^reason +contact 0 is between immovable bodies'

# ---- no solution, no proof: never called solved
for kind in painleve wedge wedge3d; do
  run stiction generate $kind -o none.hdf5
  exits 0
  run stiction solve none.hdf5 --time-limit 5 --json
  check "not solved" test "$(json_check out status)" != '"solved"'
  check "exit status 2 or 3" test "$status" -eq 2 -o "$status" -eq 3
done

finish
