#!/bin/sh
# Scenes give their known answers, with other parameters too; the order of convergence is measured;
# what is wrong in a scene gets a sentence with file and line.
STICTION_SCENES=$1/scenes
export STICTION_SCENES
# shellcheck source-path=SCRIPTDIR source=assert.sh
. "$(dirname "$0")/assert.sh"

# scene NAME [ARGS...]: runs it; observables are then asked for with `near`.
scene() {
  run stiction run "$@" --json
  exits 0
  stays_silent
  json status '"done"'
}

# value NAME: a number of the JSON object, wherever it stands.
value() { sed -n "s/^ *\"$1\": \([-+0-9.e]*\),\{0,1\}\$/\1/p" out; }

# near NAME EXPECTED TOLERANCE
near() {
  check "$1 = $2 within $3, not $(value "$1")" awk -v x="$(value "$1")" -v y="$2" -v tol="$3" \
    'BEGIN { d = x - y; exit !(x != "" && d <= tol && d >= -tol) }'
}

formula() { awk "BEGIN { pi = atan2(0, -1); printf \"%.15g\", $1 }"; }

# ---- Moreau's examples; closed forms in the heads of the scenes
scene moreau/incline
near final_speed 2.356287237 1e-9
near final_position 1.178143618 1e-9
near final_time 1 1e-12
scene moreau/incline --set mu=0.7
near final_speed 0 1e-15
near final_position 0 1e-15
scene moreau/incline --set mu=0.1 --set angle_deg=20 --set g=3 --set u0=0.5 --set h=0.01
near final_speed "$(formula '0.5 + 3 * (sin(pi/9) - 0.1 * cos(pi/9))')" 1e-12
scene moreau/slide-to-rest
near stop_time 0.4 1e-12
near stop_distance 0.4 1e-12
scene moreau/slide-to-rest --set h=0.007
near stop_time 0.4 1e-12
near stop_distance 0.4 3.07e-5
scene moreau/slide-to-rest --set mu=0.25 --set g=9.81 --set u0=3 --set h=0.001
near stop_time "$(formula '3 / (0.25 * 9.81)')" 1e-9
near stop_distance "$(formula '9 / (2 * 0.25 * 9.81)')" 1e-5
scene moreau/drop-on-wall
near impact_time 0.5 1e-6
near speed_after 1.7677669530 1e-6
near final_speed 2.474873734 1e-3
scene moreau/drop-on-wall --set mu=1.2
near speed_after 0 1e-12
scene moreau/vibrating-table
near sticks 0 0
near velocity_amplitude 0.05 1e-4
scene moreau/vibrating-table --set A=0.0004 --set h=1e-4
near sticks 1 0
near velocity_amplitude "$(formula '0.0004 * 20 * pi')" 1e-5
scene moreau/vibrating-table --set mu=0.5 --set g=9.81 --set omega=30 --set A=0.02 --set h=1e-4
near sticks 0 0
near velocity_amplitude "$(formula 'pi * 0.5 * 9.81 / 60')" 0.03
scene moreau/vibrating-table-vertical
near lift_off_time 0.01161398 2e-6
near landing_time 0.06837208 2e-6
scene moreau/vibrating-table-vertical --set omega=30 --set A=0.0436 --set g=9.81 --set h=1e-5
near lift_off_time "$(formula 'atan2(9.81 / 39.24, sqrt(1 - (9.81 / 39.24) ^ 2)) / 30')" 1e-8
near landing_time 0.2437135095 1e-8 # after more than a period: the root of the parabola minus the sine
scene moreau/chatter
near period 0.80688879 1e-4
near x_min 0.01763932 1e-5
near x_max 0.06236068 1e-5
scene moreau/chatter --set m=2 --set k=50 --set N=20 --set mu_s=0.5 --set mu_k=0.3 --set V=0.2 --set h=1e-4
near period "$(formula '2 * 0.08 / 0.2 + 2 / 5 * (pi - atan2(5 * 0.08, 0.2))')" 1e-3
near x_min "$(formula '0.12 - sqrt(0.08 ^ 2 + 0.2 ^ 2 / 25)')" 1e-4
near x_max "$(formula '0.12 + sqrt(0.08 ^ 2 + 0.2 ^ 2 / 25)')" 1e-4
scene moreau/bowl
near fastest 3.1320920 1e-3
near period 2.1528678 1e-3
near penetration 0 1e-12
scene moreau/bowl --set mu=0.3 --set t_end=10
near final_angle_deg 0 16.7
scene moreau/anisotropic-plate --set h=1e-4 --set angle_deg=0
near final_x "$(formula '1 / (2 * 0.2 * 9.81)')" 1e-3
near final_y 0 1e-15
scene moreau/anisotropic-plate --set h=1e-4
near invariant_error 0 1e-2
# ---- a triangular cone: the block slides along the normal of an edge, not down the slope
scene moreau/triangular-plate
near direction_deg 0 0
near final_y 0 0
near acceleration "$(formula '9.81 / sqrt(1.25) * (0.5 * cos(20 * pi / 180) - 0.2)')" 1e-12
scene moreau/triangular-plate --set theta_deg=-41 --set tau=0.7 --set rho=0.6 --set g=2
near direction_deg 0 0
near acceleration "$(formula '2 / sqrt(1.49) * (0.7 * cos(41 * pi / 180) - 0.3)')" 1e-12
scene moreau/triangular-plate --set tau=0 --set u0=1 --set u0_deg=20
near stop_time "$(formula '2 * cos(20 * pi / 180) / (9.81 * 0.4)')" 1e-3
near final_x "$(formula 'cos(20 * pi / 180) ^ 2 / (9.81 * 0.4)')" 1e-3
near final_y "$(formula 'sin(20 * pi / 180) ^ 2 / (sqrt(3) * 9.81 * 0.4)')" 1e-3
scene moreau/two-walls
near support 10 1e-9
near final_speed 0 1e-12
near lost 2 2e-3
near error 0 1e-11

# ---- friction that depends on the place, and a law that is chosen: stops where energy says
scene moreau/rough-patch
near stop_place 0.228868986935 2e-6
near speed 0 0
scene moreau/rough-patch --set mu0=0.7 --set L=0.2 --set u0=2 --set h=2e-4
near stop_place "$(value expected)" 2e-7
scene moreau/rough-patch --set patch=true
near stop_place 0.78125 2e-3
near speed 0 0

# ---- rigid bodies: friction that depends on direction, on the place, on time; the law of a function
scene rigid/grooved-plate --set h=1e-4
near invariant_error 0 4e-3
near spin 0 1e-9
scene rigid/grooved-plate --set angle_deg=0 --set heading_deg=130 --set u0=1.5 --set mu1=0.5
near along "$(value stop_along)" 1e-6
near across 0 1e-9
scene rigid/grooved-plate --set u0=0 --set slope_deg=11
near along 0 0
near across 0 0
cat >belt.lua <<'LUA'
local p, count = parameters { law = 1 }, 0
world { plane = true, gravity = { 0, -10 } }
rigid { name = "ground", plane = true, surface = "ground" }
rigid { name = "block", box = { 0.4, 2e-6 }, at = { 0, 1e-6 }, velocity = { 1.5, 0 }, surface = "steel" }
local laws = {
  function(speed, slip, past) return 0.4 * (1 + past.place[1] / 0.5) end,
  function(speed, slip, past) return coulomb { mu = 0.4 * (1 + (past.at[1][1] + past.at[2][1] * 0) / 0.5) } end,
  function(speed, slip, past) return "rough" end,
  tabulated { speed = { 0, 1, 2 }, mu = { 0.3, 0.3, 0.3 } },
  frictionless {}, 0.2, rolling { mu = 0.1, length = 0.1 },
  function() count = count + 1 return 0.1 * count end,
}
surface_pair { "ground", "steel", friction = laws[p.law] }
run { h = 1e-3, t_end = 0.4, exact = true }
observables { x = function(s) return s.body("block").x[1] end, v = function(s) return s.body("block").velocity[1] end }
LUA
for law in 1 2; do
  scene ./belt.lua --set law=$law
  near x 0.228868986935 1e-6
  near v 0 0
done
scene ./belt.lua --set law=4
near v 0.3 1e-9
scene ./belt.lua --set law=5
near v 1.5 1e-12
scene ./belt.lua --set law=6
near v 0.7 1e-9
run stiction run ./belt.lua --set law=3
says "surface_pair 'ground', 'steel'"
run stiction run ./belt.lua --set law=7
says 'give `mu` and `rolling`'
run stiction run ./belt.lua --set law=8 -o belt.h5
says "'count' change while the scene runs"
run stiction run ./belt.lua --set law=2 -o whole.h5
exits 0
run stiction run ./belt.lua --set law=2 -o part.h5 --until 0.11
run stiction run ./belt.lua --set law=2 -o part.h5 --resume
exits 0
run stiction export whole.h5 --csv whole.csv
run stiction export part.h5 --csv part.csv
check "the same numbers after a restart" cmp whole.csv part.csv

# ---- the same law of friction in three engines: a point on a wall, a rigid block, a deformable one.
# The first two are thrown and move alike; the third is dragged to the same place, or at the same
# speed, and resists by the force that slows the others (weight 10, mass 1).
# engines LAW: the three scenes with this law
engines() {
  cat >wall.lua <<LUA
system { mass = { 1, 1 }, q = { 0, 0 }, u = { 1.5, 0 }, force = { 0, -10 } }
wall { name = "w", f = function(t, q) return -q[2] end, gradient = { 0, -1 }, friction = $1 }
run { h = 1e-3, t_end = 0.25 }
observables {
  x = function(s) return s.q[1] end, v = function(s) return s.u[1] end,
  force = function(s) return (s.before.u[1] - s.u[1]) / 1e-3 end,
}
LUA
  cat >rigid.lua <<LUA
world { plane = true, gravity = { 0, -10 } }
rigid { name = "ground", plane = true, surface = "ground" }
rigid { name = "block", box = { 0.4, 2e-6 }, mass = 1, at = { 0, 1e-6 }, velocity = { 1.5, 0 }, surface = "steel" }
surface_pair { "ground", "steel", friction = $1 }
run { h = 1e-3, t_end = 0.25, exact = true }
observables { x = function(s) return s.body("block").x[1] end, v = function(s) return s.body("block").velocity[1] end }
LUA
  cat >fem.lua <<LUA
local p, times = parameters { distance = 1, n = 400 }, {}
grid { element = "Q4", cells = { 2, 1 }, body = "block", map = function(s, t) return 0.002 * (s - 0.5), 0.0002 * t end }
solid { kinematics = "plane_strain" }
body { group = "block", young = 1e9, poisson = 0, force = { 0, -10 / (0.002 * 0.0002) } }
support { group = "block.t1", component = "x", value = function(t) return t <= 1 and 0 or p.distance * (t - 1) end }
contact { name = "floor", slave = "block.t0", mu = $1, obstacle = plane { point = { 0, 0 }, normal = { 0, 1 } } }
for k = 0, p.n do times[k + 1] = 1 + k / p.n end
steps { times = times }
observables { force = function(s) return (s.force("block.t1")) end }
LUA
}
engines 'function(speed, slip, past) return 0.4 * (1 + past.place[1] / 0.5) end'
scene ./wall.lua
x=$(value x) v=$(value v) force=$(value force)
scene ./rigid.lua
near x "$x" 1e-5
near v "$v" 1e-5
scene ./fem.lua --set "distance=$x"
near force "$force" 1e-2
engines 'stribeck { mu_s = 0.6, mu_k = 0.4, v_c = 0.2 }'
scene ./wall.lua
x=$(value x) v=$(value v) force=$(value force)
scene ./rigid.lua
near x "$x" 1e-9
near v "$v" 1e-9
scene ./fem.lua --set "distance=$v"
near force "$force" 1e-2
engines 'elliptic { mu1 = 0.1, mu2 = 0.2 }'
run stiction run ./fem.lua
says "contact 'floor': mu is the law elliptic; .* give a number, a coefficient or a function"
engines 'function(v, d, past) return 0.2 + past.t / 10 + d + past.pressure / 1e5 + past.age / 10 + v / 10 end'
run stiction run ./fem.lua -o whole.h5 -q
exits 0
run stiction run ./fem.lua -o part.h5 --until 1.5 -q
run stiction run ./fem.lua -o part.h5 --resume -q
exits 0
run stiction export whole.h5 --csv whole.csv
run stiction export part.h5 --csv part.csv
check "the same numbers after a restart of a deformable body" cmp whole.csv part.csv

# ---- Contensou: reference numbers from a high-order integration of the equations in the heads
scene contensou/ball
near initial_speed 1 0
near final_speed "$(formula '5/7')" 1e-9
near stop_time 68.206865149 6.8e-6
near patch_radius 1.751947783656e-4 1e-14
scene contensou/ball --until 0.145
near slip_speed 5.9212311616e-3 5.9e-10
scene contensou/ball --until 0.15
near slip_speed 6.2110759352e-5 6.2e-12
near spin 49.9947774477 5e-8
set -- --set R=0.1 --set mu=0.3 --set u0=0.5 --set spin0=40 --set h=0.01
scene contensou/ball "$@" --set eps=0.1
near stop_time 0.926077987907 1e-8
near final_speed "$(formula '2.5/7')" 1e-9
scene contensou/ball "$@" --set eps=0.05 --until 0.4
near slip_speed 3.2954355327e-2 3e-9
near spin 31.4477260017 3e-6
# the paper's own equations (3.3), with its fractions
scene contensou/ball "$@" --set eps=0.1 --set pade=true
near stop_time 1.031646170972 1e-7

# a load that grows: the radius is that of the load of the step before; one that stays: the fixed radius
for h in 1e-3 5e-4; do
  scene contensou/pressed-ball --set h=$h
  near spin "$(value expected_spin)" "$(formula "6*$h")"
done
scene contensou/pressed-ball --set rate=0
near spin "$(value expected_spin)" 1e-10
scene contensou/pressed-ball --set rate=0 --set u0=1 --set hertz=false
spin=$(value spin)
scene contensou/pressed-ball --set rate=0 --set u0=1
near spin "$spin" 1e-10
near final_speed "$(formula '5/7')" 1e-6

# the same between rigid bodies, whose law is chosen from their past: the same spin
cat >pressed.lua <<'LUA'
local p = parameters { h = 1e-3, mu = 0.3, R = 0.1, load = 10, rate = 2, E = 2e5, m = 1 }
world { gravity = function(t) return 0, 0, -p.load * (1 + p.rate * t) / p.m end }
rigid { name = "ground", plane = true, surface = "ground" }
rigid { name = "ball", sphere = p.R, mass = p.m, at = { 0, 0, p.R }, omega = { 0, 0, 40 }, surface = "ball" }
surface_pair { "ball", "ground", spinning = 1, friction = function(speed, slip, past)
  return contensou { mu = p.mu, hertz = { R = p.R, E = p.E, load = p.load } }
end }
run { h = p.h, t_end = 1 }
observables { spin = function(s) return s.body("ball").omega[3] end }
LUA
scene contensou/pressed-ball
spin=$(value spin)
scene pressed.lua
near spin "$spin" 1e-9

scene contensou/punch
near stop_time 0.2189161760 2e-9
near slide_stop_time 0.2189161760 2e-9
near k 0.537779149857 1e-3
scene contensou/punch --set u0=1 --set w0=0.1
near stop_time 0.3422291925 3e-9
scene contensou/punch --until 0.109458088
near slip_speed 0.2293884998 2e-9
near spin_speed 0.2898511884 2e-9
scene contensou/spinning-disc
near exponent 6.25 1e-4
near first_friction 0.29 1e-3

# ---- Painleve: the impulse does not depend on the step
for h in 1e-3 1e-5; do
  scene painleve/sliding-rod --set h=$h
  near margin -0.5 1e-15
  near impulse_normal 0.375 "$(formula "10 * $h")"
  near impulse_tangential 0.625 "$(formula "10 * $h")"
  near loss 0.3125 "$(formula "10 * $h")"
done
scene painleve/sliding-rod --set mu=1 --set t_end=0.01
near impulse_normal 0 1e-3

# ---- the order of convergence, from h and h/2
errors=''
for h in 4e-3 2e-3 1e-3; do
  scene moreau/bowl --set h=$h --set t_end=1
  errors="$errors $(value fastest)"
done
order=$(echo "$errors" | awk '{ e = sqrt(2 * 9.81 * 0.5); a = e - $1; b = e - $3
  if (a < 0) a = -a; if (b < 0) b = -b; printf "%.2f", log(a / b) / log(4) }')
echo "moreau/bowl: the order of the speed at the bottom is $order"
check "first order on a curved wall, not $order" awk -v p="$order" 'BEGIN { exit !(p > 0.8) }'
errors=''
for h in 4e-4 2e-4 1e-4; do
  scene moreau/chatter --set h=$h --set t_end=2
  errors="$errors $(value x_max)"
done
order=$(echo "$errors" | awk '{ e = 0.0623606797749979; a = $1 - e; b = $3 - e
  if (a < 0) a = -a; if (b < 0) b = -b; printf "%.2f", log(a / b) / log(4) }')
echo "moreau/chatter: the order of x_max is $order"
check "first order of stick-slip, not $order" awk -v p="$order" 'BEGIN { exit !(p > 0.8) }'

# ---- energy: constant forces leave rounding only
for name in incline slide-to-rest drop-on-wall anisotropic-plate two-walls; do
  scene "moreau/$name" --set h=1e-3
  near error 0 1e-12
done

# ---- every scene that comes with the program is listed, says what is known, and runs
run stiction list scenes
exits 0
check "every scene" test "$(wc -l <out)" -eq "$(find "$STICTION_SCENES" -name '*.lua' | wc -l)"
for name in $(sed 's/ .*//' out); do
  check "$name says its answer" grep -q '^-- Known answer' "$STICTION_SCENES/$name.lua"
  run stiction run "$name" --list --json
  exits 0
  json parameters
  json observables
done

# ---- parameters
run stiction run moreau/incline --list
shows '^parameter +mu +0.3$'
shows '^observables +final_position, final_speed, final_time$'
run stiction run moreau/incline --set nu=1
complains "incline.lua:[0-9]*: there is no parameter 'nu'; did you mean 'mu'\\? There are: angle_deg"
run stiction run moreau/incline --set mu=fast
complains "parameter mu is a number"
run stiction run moreau/incline --set mu
complains "write name=value"
run stiction run moreau/incline --resume
complains 'needs -o OUT'
run stiction run moreau/incline --until soon
complains 'option --until needs a number'
run stiction run moreau/inclin
complains "there is no scene 'moreau/inclin' in .*/scenes, nor a file of that name; did you mean 'moreau/incline'"
command="stiction run moreau/incline, found from the program"
run env -u STICTION_SCENES stiction run moreau/incline -j 2 -q
exits 0
run env STICTION_SCENES=nowhere stiction run moreau/incline
complains "there is no file 'moreau/incline', and STICTION_SCENES names 'nowhere', which is no directory"
ln -s loop.lua loop.lua # a file that is there and cannot be opened, for root too
run stiction run loop.lua
complains 'loop.lua: cannot open: '
run stiction generate wall -n 2 -o wall.hdf5
run stiction run wall.hdf5
complains 'wall.hdf5: this is an HDF5 file, a problem or a run; a scene is Lua text'
run stiction run moreau/incline -o no/such/place.h5
complains 'cannot be written'

cp "$STICTION_SCENES/moreau/incline.lua" own.lua
cp own.lua own
run stiction run own -o own
complains 'is the scene'

# ---- a run of a second shows its progress on a terminal, unless -q
run on_terminal stiction run moreau/chatter
exits 0
shows 't = [0-9.]+ of 4\.[0-9]+ s, 1 contact, residual [0-9e.+-]+, [0-9]+ steps/s, [0-9:]+ left'
run on_terminal stiction run moreau/chatter -q
check "nothing is shown" test ! -s out

# ---- hostile scenes: each gets a sentence with file and line
system='system { mass = 1, q = { 0, 0 }, force = { 0, -1 } }'
hostile() { # TEXT SENTENCE
  printf '%s\n' "$1" >bad.lua
  run stiction run bad.lua
  complains "$2"
}
hostile 'while true do end' 'bad.lua:1: .*loop without an end'
hostile 'local t = {} for i = 1, 1e9 do t[i] = i end' 'bad.lua:1: .*MB'
hostile "$system
wall { f = function(t, q) return -q[2] end }" "bad.lua:2: wall 'wall1' needs an entry 'gradient'"
hostile 'system { mass = 0/0, q = { 0 } }' 'bad.lua:1: .*mass is not a number'
hostile 'system { mas = 1 }' "bad.lua:1: .*did you mean 'mass'"
hostile 'local function f() return 1 + f() end f()' 'bad.lua:1: .*overflow'
hostile 'error({})' 'bad.lua:1: error was called with a table'
hostile 'coroutine.wrap(f)()' "bad.lua:1: a scene has no 'coroutine'"
hostile '' 'bad.lua:1: .*does not describe its system'
printf '\033Lua' >bad.lua
run stiction run bad.lua
complains 'bad.lua:1: this is compiled Lua'
run stiction run .
complains 'it is a directory'
run stiction run bad.lua --json
exits 1
json error

# ---- a step without an answer: capsule, command, exit status. Both walls touch and one moves
# towards the other at 1 m/s: no velocity has u_N >= 0 at both.
cat >squeeze.lua <<'END'
system { mass = 1, q = { 0, 0 } }
wall { name = "still", f = function(t, q) return -q[1] end, gradient = { -1, 0 }, friction = 0.3 }
wall { name = "moving", f = function(t, q) return q[1] - 0.15 + t end, gradient = { 1, 0 },
       velocity = { -1, 0 }, friction = 0.3 }
run { h = 0.1, t_end = 1 }
END
run stiction run squeeze.lua -o squeeze.h5 --json
exits 3
json status '"no_solution"'
json existence '"disproved"'
says 'No solution: no velocity'
says "wall 1 is 'moving'"
says 'stiction solve squeeze.capsule.hdf5 --guess'
json capsule '"squeeze.capsule.hdf5"'
replay=$(json_check out replay | tr -d '"')
exists squeeze.capsule.hdf5
# shellcheck disable=SC2086  # a command line
run $replay
exits 3
shows '^existence +disproved \(kinematic\)'
# a step that a limit ended has a solution: two walls that are not parallel
cat >corner.lua <<'END'
system { mass = 1, q = { 0, 0 }, u = { -1, -1 }, force = { -9, -3 } }
wall { f = function(t, q) return -q[1] - 0.5 * q[2] end, gradient = { -1, -0.5 }, friction = 0.3 }
wall { f = function(t, q) return -q[2] - 0.5 * q[1] end, gradient = { -0.5, -1 }, friction = 0.7 }
run { h = 0.01, t_end = 1, solver = { method = "nsgs", max_iterations = 0 } }
END
run stiction run corner.lua --json
exits 2
json status '"max_iterations"'
json existence '"proved"'

finish
