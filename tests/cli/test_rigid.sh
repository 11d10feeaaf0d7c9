#!/bin/sh
# Rigid bodies: scenes give the numbers of their comments, with other parameters too; a run goes on
# with the same bits after kill -9, and has the same bits with any number of threads.
STICTION_SCENES=$1/scenes
export STICTION_SCENES
topic=rigid
# shellcheck source-path=SCRIPTDIR source=observables.sh
. "$(dirname "$0")/observables.sh"
# shellcheck source-path=SCRIPTDIR source=assert.sh
. "$(dirname "$0")/assert.sh"

same() { close_to "$1" "$(value "$1")" "$(value "$2")" "$3"; } # two observables
below() {
  check "$1 = $(value "$1") is at most $2" awk -v x="$(value "$1")" -v y="$2" \
    'BEGIN { exit !(x != "" && x <= y && x >= -y) }'
}
formula() { awk "BEGIN { printf \"%.15g\", $1 }"; }

# ---- a box slides v0^2 / (2 mu g), off by less than mu g h^2
scene box-slide
same distance exact 1e-6
near creep 0 0
scene box-slide --set mu=0.2 --set v0=3 --set mass=50 --set heading_deg=30 --set h=5e-4
same distance exact 1e-6
near exact "$(formula '9 / (0.4 * 9.81)')" 1e-12

# ---- a ball never gains energy; its tops fall as e^2
for e in 1 0.7 0.3 0; do
  scene bouncing-ball --set e=$e --set slide=1.5 --set spin=25 --set h=7e-4 --until 2
  below energy_gain 1e-13
done
scene bouncing-ball --set e=0.5 --set h=1e-4
near ratio 0.25 2e-3
scene bouncing-ball --set e=1 --set height=0.3
below energy_gain 1e-13
near ratio 1 1e-3

# ---- the capsule does not move at all; it falls where friction does not suffice
scene pinched-capsule
below slip 1e-10
near normal_force "$(formula '10.5 * 9.81 * sin(3.14159265358979 / 6) / cos(3.14159265358979 / 6)')" 1e-5
near time 3600 1e-6
scene pinched-capsule --set mu=0.3 --set mass=2 --set h=0.02 --until 100
below slip 1e-10
scene pinched-capsule --set mu=0.08 --set h=1e-3 --until 0.5
check 'it slips' awk -v x="$(value slip)" 'BEGIN { exit !(x > 0.01) }'

# ---- heavy on light, ratios up to 10000
scene heavy-on-light
near stands 1 0
near load 1 1e-6
scene heavy-on-light --set ratio=10000 --set boxes=5 --until 1
near stands 1 0

# ---- Painleve: impulse and loss of the shock without a collision
scene painleve-rod --until 1e-3
near margin -0.5 1e-12
near impulse_normal 0.375 1e-4
near impulse_tangential 0.625 1e-4
near loss 0.3125 1e-4
below slip_after 1e-10
scene painleve-rod --set mu=1 --until 1e-3
near slip_after 1 1e-3

# ---- tops keep energy and momentum
scene spinning-top
below energy_error 1e-12
below momentum_error 1e-12
check 'it tumbles' test "$(value flips)" -ge 3
scene spinning-top --set h=1e-2 --set lx=0.5 --set spin=5
below energy_error 1e-12
below momentum_error 1e-12
scene spinning-top --set kind=heavy --set h=2.5e-4 --until 2
same precession exact_precession 2e-3
below energy_error 1e-5

# ---- mechanisms keep their joints and their energy
scene chain --set n=12 --until 2
below joint_gap 1e-10
near loss 0 0
below energy_error 0.01
check 'the chain does not stretch' awk -v x="$(value stretch)" 'BEGIN { exit !(x <= 1 + 1e-9) }'
scene double-pendulum --until 10
below energy_error 0.01
below joint_gap 1e-12
near friction 0 0
near shock 0 0
scene four-bar
same period exact 1e-5
below joint_gap 1e-12

# ---- what acts along joints
scene gear-train --set torque=8 --set brake=2 --until 0.5
same alpha exact 1e-8
below joint_gap 1e-12
scene motor-four-bar --set speed=1.5 --set friction=4
same torque friction 1e-6
same rate speed 1e-5

# ---- an arch: the smallest mu by bisection, the formula for thick ones, and what the run does
scene arch --until 0.1
same critical_mu thick_mu 1e-7
near critical_mu 0.308988487 1e-7
scene arch --set n=8 --set thickness=0.4 --set plane=false --until 0.02
same critical_mu thick_mu 1e-7
scene arch --set thickness=0.105 --set n=60 --until 0
shows '"critical_mu": null'
scene arch --set thickness=0.11 --set n=60 --until 0
near critical_mu 0.38 0.03
scene arch --set mu=0.315
near stands 1 0
scene arch --set mu=0.303 --until 1
near stands 0 0
scene arch --set mu=0.315 --set plane=false --until 1
near stands 1 0

# ---- walls and towers do not creep
scene brick-wall --set rows=8 --set columns=6
near creep 0 1e-12
near load 1 1e-6
below balance 1e-6
scene brick-wall --set rows=5 --set columns=9 --set mu=0.1 --set h=2e-3 --until 1
near creep 0 1e-12
scene kapla-tower --set layers=12
near stands 1 0
near load 1 1e-6

# ---- a house of cards: one pair of thin cards needs tan(a) / 2
scene card-house
near stands 1 0
scene card-house --set levels=1 --set thickness=1e-5 --until 0
same critical_mu pair_mu 1e-4
scene card-house --set levels=1 --set mu=0.15 --until 1
near stands 0 0

# ---- dominoes fall, or not
scene domino --set n=8
near fallen 8 0
scene domino --set n=8 --set push=0.8 --until 0.5
near fallen 0 0

# ---- a chute: balls roll, boxes slide or rest
scene chute
same speed exact 1e-6
scene chute --set shape=box --set mu=0.2
same speed exact 1e-6
scene chute --set shape=box --set mu=0.6
near speed 0 0

# ---- a hopper runs out
scene hopper --set n=120 --until 1
near out 120 0

# ---- spheres come to rest in their box
scene sphere-pile --set n=30 --set layers=2 --until 0.5
below largest_eta 1e-6

# ---- kill -9 and --resume, threads: the same bits
pile() { stiction run rigid/kapla-tower --set layers=10 --set twist_deg=10 "$@"; }
become() { exec stiction run rigid/kapla-tower --set layers=10 --set twist_deg=10 "$@"; }
run pile -o whole.h5 -q
exits 0
stiction export whole.h5 --csv - >whole.csv
check 'a row for each stored step' test "$(wc -l <whole.csv)" -eq 102
for threads in 2 4; do
  run pile -o threads.h5 -q --threads $threads
  exits 0
  stiction export threads.h5 --csv - >threads.csv
  check "the same bits with $threads threads" cmp whole.csv threads.csv
done
for pause in 1 2 3; do
  become -o killed.h5 --resume --checkpoint 0.01 -q 2>/dev/null &
  pid=$!
  sleep "0.$pause"
  kill -9 $pid 2>/dev/null
  wait $pid 2>/dev/null
done
run pile -o killed.h5 --resume -q
exits 0
stiction export killed.h5 --csv - >killed.csv
check 'the same bits after kill -9' cmp whole.csv killed.csv

# ---- what cannot be is said
cat >overlap.lua <<'END'
rigid { name = "floor", plane = true }
rigid { name = "ball", sphere = 1 }
run { h = 0.01, t_end = 1 }
END
run stiction run overlap.lua
exits 1
says "overlap.lua:1: bodies 'floor' and 'ball' overlap by 1 m"
cat >squeeze.lua <<'END'
rigid { name = "low", box = { 1, 1, 1 }, drive = function() return 0, 0, 1 end }
rigid { name = "ball", sphere = 0.5, at = { 0, 0, 1 } }
rigid { name = "top", box = { 1, 1, 1 }, at = { 0, 0, 2 }, drive = function() return 0, 0, -1 end }
run { h = 0.01, t_end = 1 }
END
run stiction run squeeze.lua
check 'the step is not taken' test "$status" -ne 0
says "'ball'"
check 'its capsule is there' test -e squeeze.capsule.hdf5
mkdir "it's here"
run stiction run squeeze.lua -o "it's here/the run.h5"
ended=$status
command=$(sed -n 's/^ *\(stiction solve .*\)/\1/p' err)
run eval "$command"
check 'the command that is printed ends as the run did' test "$status" -eq "$ended"
run stiction info squeeze.capsule.hdf5
exits 0

# ---- what no method solves is looked into: jaws that squeeze 28 contacts from rest
cat >jaws.lua <<'END'
rigid { name = "floor", plane = true }
for side = -1, 1, 2 do
  rigid { box = { 0.2, 1, 1 }, at = { 0.6 * side, 0, 0.5 }, drive = function() return -0.3 * side end }
  rigid { box = { 0.5, 0.5, 0.5 }, at = { 0.25 * side, 0, 0.25 } }
end
rigid { box = { 0.5, 0.5, 0.5 }, at = { 0, 0, 0.75 } }
run { h = 0.005, t_end = 1 }
END
run stiction run jaws.lua --json
exits 3
json status '"no_solution"'
json existence '"disproved"'
says 'stalled'

finish
