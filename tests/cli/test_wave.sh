#!/bin/sh
# Elastodynamic friction: scenes give the numbers of their comments, with other parameters too; a run
# says whether its steps have one answer; pictures are drawn; a run goes on with the same bits.
STICTION_SCENES=$1/scenes
export STICTION_SCENES
topic=elastodynamic
# shellcheck source-path=SCRIPTDIR source=observables.sh
. "$(dirname "$0")/observables.sh"
# shellcheck source-path=SCRIPTDIR source=assert.sh
. "$(dirname "$0")/assert.sh"

# entry NAME K: number K, from 1, of a list.
entry() { awk -v name="\"$1\":" -v k="$2" '$1 == name { at = NR + k } NR == at { sub(/,$/, ""); print $1 }' out; }

near_entry() { close_to "$1[$2]" "$(entry "$1" "$2")" "$3" "$4"; }
formula() { awk "BEGIN { printf \"%.15g\", $1 }"; }

# ---- the exact column: fold v_c ln(S (mu_s - mu_d)/(Z v_c)), jumps at stick limit and fold
scene column
near fold_slip_rate 0.138629436111989 1e-13
near fold_q 0.438629436111989 1e-13
near stick_limit 0.6 1e-15
near jump_up_time 6 1e-12
near jump_down_time 11.613705638880109 1e-12
near root_count 3 0
near middle_root 0.0450330694462 1e-12
near upper_root 0.274231613466 1e-12
scene column --set q_probe=0.8
near root_count 1 0
near upper_root 0.598998519554 1e-11
scene column --set mu_s=0.5 --set mu_d=0.1 --set v_c=0.05 --set impedance=2 --set load=3 \
  --set rate=0.2 --set t_turn=6 --set t_end=12
w=$(formula '0.05 * log(12)')
q=$(formula "2 * $w + 3 * (0.1 + 0.4 / 12)")
near fold_slip_rate "$w" 1e-13
near fold_q "$q" 1e-13
near jump_up_time 3.75 1e-11
near jump_down_time "$(formula "12 - $q / 0.4")" 1e-11
# a curve that rises everywhere: no jump, slip begins and ends at the stick limit
scene column --set impedance=5
near fold_slip_rate 0 0
near jump_up_time 1.2 1e-12
near jump_down_time 14.8 1e-12

# ---- with a layer: reference times of an independent integration
while read -r eps up down; do
  scene column --set "eps=$eps"
  near jump_up_time "$up" 2e-9
  near jump_down_time "$down" 2e-9
done <<EOF
0.1    6.128666240 12.023445073
0.03   6.052594923 11.823362115
0.01   6.021487195 11.723311688
0.001  6.002935708 11.639979617
0.0001 6.000370635 11.619685073
EOF
# mass counts, not thickness
scene column --set eps=0.01 --set density=10 --set dt=0.3
near jump_up_time 6.128666240 2e-9

# ---- the delay falls like eps^(2/3)
scene layers
near_entry exponents 1 0.5594958 1e-6
near_entry exponents 4 0.6362118 1e-6
scene layers --set eps=1e-6
near last_exponent 0.6666667 2e-3

# ---- P1 elements
scene bar
near jump_up_time 6.128650 1e-6
near jump_down_time 12.0225 1e-9
near w7 0.49684239 1e-8
near w10 0.39289378 1e-8
near several 0 0
json_less() { check "$1 below $2" awk -v x="$(value "$1")" -v y="$2" 'BEGIN { exit !(x != "" && x + 0 < y) }'; }
json_less uniqueness 0.06
json_less energy_error 1e-12
scene bar --set eps=0.01 --set N=3200 --set dt=0.00125
near jump_up_time 6.021425 1e-6
near jump_down_time 11.72375 1e-9
scene finite-column
near slip_exact 0.8906892907 1e-9
near slip 0.8914 2e-4

# ---- no layer: the rule decides, and the run says so before it begins and after it ended
scene multi-root
near uniqueness 3.464101615 1e-8
near_entry jump_up_times 1 6 0.01
near_entry jump_up_times 3 4.6 0.01
near_entry last_slip_times 1 11.41 0.01
near_entry last_slip_times 2 12.92 0.01
near_entry last_slip_times 3 12.98 0.01
check "roots of every rule are reported" test "$(grep -c '"most_roots": 3' out)" -eq 3
run stiction run elastodynamic/multi-root --set N=200 --set dt=0.04
exits 0
says "^stiction: bar 'max': b p max\|mu'\| = 3.464 is not below 1.*several answers; rule 'max'"
shows "^max +bar, b p max\|mu'\| = 3.464: [0-9]+ steps had up to 3 answers, rule 'max' chose"
# the pressure of a strip that is not pressed at first rises during the run
cat >press.lua <<EOF
-- Known answer: none; the lid comes down.
strip { mu_s = 0.6, mu_d = 0.2, v_c = 0.1, size = { 1, 1 }, cells = { 2, 2 }, eps = 0.1, eta_n = 0.01,
  tau = 0.1, supports = { { side = "top", component = "x", value = 0 },
    { side = "top", component = "y", value = function(t) return -t end } } }
elastodynamic { dt = 0.02, t_end = 1 }
EOF
run stiction run press.lua
exits 0
says "^stiction: strip 'strip': at t = 0.[0-9]+ b p max\|mu'\| = 1.[0-9]+ is not below 1 any more"
scene multi-root --set eps=0.1
near spread 0 1e-9
near_entry several 3 0 0
run stiction run elastodynamic/bar --set N=100 --set dt=0.04 -v
says "bar 'bar': b p max\|mu'\| = 0.6128 is below 1: every step has one answer"

# ---- strips: the periodic one is the bar; the finite one before slip runs through it
scene strip
near jump_up_time 6.128580 1e-6
near w7 0.49684261 1e-8
near w10 0.39289378 1e-8
near unconverged 0 0
json_less energy_error 1e-12
scene strip --set degree=1 --set nx=1 --set ny=400 --set dt=0.01
near jump_up_time 6.049397 1e-6
near jump_down_time 11.71 1e-9
scene strip --set shape=finite --set nx=20 --set ny=5 --set dt=0.01 --set t_end=4.3
near normal_start 3.702617 1e-6
near friction_2 0.470324 1e-6
near friction_4 1.632068 1e-6
# ... in space numbers are lengths: a square block slides along y, and back along x, as along x
cat >square.lua <<'EOF'
local p = parameters { angle_deg = 0 }
local a = math.rad(p.angle_deg)
local function speed(c) return function(t) return 0.2 * math.min(t, 1) * c end end
strip { name = "block", size = { 1, 1, 1 }, cells = { 3, 3, 3 }, mu_s = 0.6, mu_d = 0.2, v_c = 0.1,
  eps = 0.1, eta_n = 1e-2, pressed = true, threshold = 0.05, tau = { speed(math.cos(a)), speed(math.sin(a)) },
  supports = { { side = "top", component = "x", value = 0 }, { side = "top", component = "y", value = 0 },
    { side = "top", component = "z", value = -0.1 } } }
elastodynamic { dt = 0.02, t_end = 2 }
observables {
  w = function(s) return s.block.w end, friction = function(s) return s.block.friction end,
  slip = function(s) return s.block.slip end, up = function(s) return s.block.jump_up end,
  along = function(s) return s.block.friction_x * math.cos(a) + s.block.friction_y * math.sin(a) end,
  w_along = function(s) return s.block.w_x * math.cos(a) + s.block.w_y * math.sin(a) end,
}
EOF
run stiction run square.lua --json
exits 0
w=$(value w) friction=$(value friction) slip=$(value slip) up=$(value up)
check "it slides" awk -v w="$w" -v f="$friction" -v u="$up" 'BEGIN { exit !(w > 0.01 && f > 0.01 && u > 0) }'
for angle in 90 180 270; do
  run stiction run square.lua --set angle_deg=$angle --json
  near w "$w" 1e-9
  near friction "$friction" 1e-9
  near slip "$slip" 1e-9
  near up "$up" 1e-9
  near along "$friction" 1e-9
  near w_along "$w" 1e-9
done
run stiction run square.lua --set angle_deg=30 -o space.h5
exits 0
run stiction export space.h5 --csv -
shows '^t,w,w_x,w_y,largest,friction,friction_x,friction_y,normal,slip,slip_x,slip_y,'
# ... an event lies inside the run, however long a step is
for name in bar strip block3d; do
  run stiction run elastodynamic/$name --set dt=1e3 --set t_end=1e3 --json
  near jump_up_time 250 250
done
run stiction run elastodynamic/bar --set t_turn=0 --set t_end=7 --set N=400 --set dt=0.01 --json
near jump_up_exact 6.128666 1e-6
near jump_up_time 6.1287 0.001
# ... of the exact finite column too: slip from 12 to 14 and from 30 to 32
for dt in 0.25 7 1e3; do
  run stiction run elastodynamic/finite-column --set dt=$dt --set t_end=32 --set N=20 --json
  near jump_up_exact 12 1e-12
  [ $dt = 1e3 ] || near slip_exact "$(formula '2 * (0.445344645 + 0.455087526)')" 1e-8
done
scene block3d --set t_end=2 --set t_compare=2 --set nx=8
json_less friction_difference 1e-11
json_less slip_difference 1e-11
scene squeal --set t_end=70 --set nx=2 --set ny=2
near growth "$(value growth_exact)" 1e-4
near frequency "$(value frequency_exact)" 5e-5

# ---- bodies on meshes: a standing wave to order 2; a ring on a shaft, with its arrows, broken off too
scene standing-wave --set ny=12
json_less energy_error 1e-12
coarse=$(value largest_error)
scene standing-wave --set ny=24
json_less largest_error "$(formula "$coarse / 3.6")"
for degree in 0 1 2 3 4; do
  scene standing-wave --set eps=0.01 --set degree=$degree
  json_less largest_error 0.001
  scene ring --set na=24 --set nr=3 --set degree=$degree --set t_end=1
  json_less energy_error 1e-12
  near unconverged 0 0
done
scene ring --set t_end=0.01 --set eps=0
near pressure 0.2 2e-3
run stiction run elastodynamic/ring -q -o whole.h5
exits 0
run stiction run elastodynamic/ring -q -o part.h5 --until 1.1
run stiction run elastodynamic/ring -q --resume -o part.h5
run stiction export whole.h5 --csv whole.csv
run stiction export part.h5 --csv part.csv
check "the same table of the ring" cmp whole.csv part.csv
run stiction export whole.h5 --svg ring.svg
exits 0
run cat ring.svg
shows '>slip rates at the end</text>'
shows '>longest: '
shows_not 'nan|inf'

# ---- the layer vanishes: the way up in the plane and in space
scene vanishing-layer --set eps=0.2 --set t_end=6.5
up=$(value jump_up_time)
scene vanishing-layer --set eps=0.2 --set t_end=6.5 --set space=true
near jump_up_time "$up" 1e-8
scene vanishing-layer --set t_end=6.5
near jump_up_time 6.1290775 1e-6
check "it comes nearer" awk -v a="$up" -v b="$(value jump_up_time)" 'BEGIN { exit !(b - 6 < 0.75 * (a - 6)) }'

# ---- the theorems: below the bound, a fixed point with the forces of the steps, certificates
for degree in 0 1; do
  scene theorems --set degree=$degree --set dt=0.001 --set t_end=0.5 --set window=0.06
  json_less largest_part_of_bound 1
  json_less factor 1
  json_less rate 1
  json_less difference 1e-8
  near proved_one 500 0
  check "an iterate contracts" test "$(value p)" -ge 1
done
scene theorems --set eps=0 --set eta_t=0 --set press=0.5 --set dt=0.05
check "several answers were found" test "$(value proved_several)" -ge 3
check "steps with one answer too" test "$(value proved_one)" -ge 10
run stiction run elastodynamic/theorems --set dt=0.001 --set t_end=0.1 --set window=0.02
shows 'C = .*, alpha = 0.5: norm .*, bound '
shows 'certificates: 100 steps with one answer, 0 with several, 0 undecided; fixed point of G in '
shows 'contracts by 0.[0-9]*'
run stiction run elastodynamic/theorems --set dt=0.001 --set t_end=0.1 --set alpha=2000
complains 'theorems.lua:20: strip .strip.: alpha = 2000; give a number in 0'
run stiction run elastodynamic/theorems -q --set dt=0.002 --set t_end=0.4 -o whole.h5
run stiction run elastodynamic/theorems -q --set dt=0.002 --set t_end=0.4 -o part.h5 --until 0.15
run stiction run elastodynamic/theorems -q --resume -o part.h5
run stiction export whole.h5 --csv whole.csv
run stiction export part.h5 --csv part.csv
check "the same table of norms and bounds" cmp whole.csv part.csv

# ---- pictures, tables, and a run that is broken off
run stiction run elastodynamic/strip -q --set shape=finite --set nx=8 --set ny=4 --set dt=0.02 \
  --set t_end=6 -o whole.h5
exits 0
run stiction run elastodynamic/strip -q --set shape=finite --set nx=8 --set ny=4 --set dt=0.02 \
  --set t_end=6 -o part.h5 --until 2.5
exits 0
run stiction run elastodynamic/strip -q --resume -o part.h5
exits 0
run stiction export whole.h5 --csv whole.csv
run stiction export part.h5 --csv part.csv
exits 0
check "the same table" cmp whole.csv part.csv
check "its columns" test "$(head -1 whole.csv)" = \
  t,w,largest,friction,normal,slip,open,stuck,sliding,roots,iterations,residual,energy
run stiction export whole.h5 --svg strip.svg
exits 0
run cat strip.svg
shows '>slip rate over place and time</text>'
shows '>largest</text>'
shows '^</svg>'
shows_not 'nan|inf'
run stiction run elastodynamic/layers -q -o layers.h5
run stiction export layers.h5 --svg layers.svg
run cat layers.svg
shows '>h\(w\)</text>'
shows '>eps = 0.1</text>'
shows_not 'nan|inf'
run stiction export layers.h5 --svg column.svg --columns e1_w
exits 0
run stiction export whole.h5 --vtk bodies
complains 'it is an elastodynamic run'
run stiction run elastodynamic/column -q --set mu_d=0.7
complains 'mu_d = 0.7 is above mu_s'

finish
