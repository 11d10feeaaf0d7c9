#!/bin/sh
# The scenes at the limits of their parameters: no friction, nothing that moves, the other direction,
# slip far smaller than spin. Each ends, and the energy it prints adds up as printed:
#   kinetic + potential = from + work + drives + friction + shocks + correction + error.
STICTION_SCENES=$1/scenes
export STICTION_SCENES
# shellcheck source-path=SCRIPTDIR source=assert.sh
. "$(dirname "$0")/assert.sh"

# The sum is off by at most the digits that are not printed; friction and shocks give nothing.
adds_up() {
  awk '
    function largest(x) { if (x < 0) x = -x; if (x > most) most = x; return x }
    /^energy/ { largest($2); largest($5); sum = $2 + $5 }
    /^ +from/ {
      gsub(/[,:]/, "")
      for (k = 1; k < NF; k++)
        if ($k ~ /^(from|work|drives|friction|shocks|correction)$/) {
          sum -= $(k + 1); largest($(k + 1)); entries++
          if ($k ~ /^(friction|shocks)$/ && $(k + 1) > gain) gain = $(k + 1)
        }
    }
    /^balance error/ { sum -= $3 }
    END { off = largest(sum + 0); exit !(entries == 6 && off <= 1e-9 * most && gain <= 1e-13 * most) }' out
}

# limit SCENE NAME=VALUE...
limit() {
  scene=$1
  shift
  run timeout 60 stiction run "$scene" $(for set in "$@"; do echo "--set $set"; done)
  exits 0
  shows '^status +done'
  stays_silent
  check "the printed energy adds up" adds_up
}

# ... and where overlaps are corrected, which takes 3.9e-4 of 2.9 J here
limit rigid/sphere-pile n=60 t_end=0.3
shows 'correction [0-9.]*e-0[34]|correction 0\.000[1-9]'

for body in ball punch spinning-disc; do
  spin=spin0
  [ $body != punch ] || spin=w0
  limit contensou/$body
  limit contensou/$body mu=0
  limit contensou/$body g=0
  limit contensou/$body u0=0
  limit contensou/$body u0=-0.3
  limit contensou/$body u0=1e-12
  limit contensou/$body u0=1e6
  limit contensou/$body $spin=0
  limit contensou/$body $spin=-2
  limit contensou/$body u0=0 $spin=0
  limit contensou/$body u0=1e-9 $spin=1e-15
  limit contensou/$body mu=1e6
  limit contensou/$body mu=1e-12
done
# spin alone: w0 / (kappa mu g 3 pi / 16), and the disc with kappa = 0.32 and w0 = 4
limit contensou/punch u0=0
shows '^stop_time +0\.11536885'
limit contensou/spinning-disc u0=0
shows '^stop_time +7\.2105535'
# 2.5e-12 of the friction with a coefficient 3.3e6 times as large: the same path in less time
limit contensou/spinning-disc mu=1e6
shows '^stop_time +2\.17484'

for mu in 0 1 2; do
  limit painleve/sliding-rod mu=$mu
done
limit painleve/sliding-rod u0=0
limit painleve/sliding-rod u0=-1
limit painleve/sliding-rod g=0
limit painleve/sliding-rod h=0.01

limit moreau/chatter V=0 h=1e-3
limit moreau/chatter V=-0.1 h=1e-3
limit moreau/chatter k=0 h=1e-3
limit moreau/chatter N=0 h=1e-3
limit moreau/drop-on-wall g=0 h=1e-2
limit moreau/drop-on-wall height=0 h=1e-2
limit moreau/drop-on-wall mu=0
limit moreau/slide-to-rest mu=0
limit moreau/slide-to-rest u0=-2
shows '^stop_distance +-0\.4$'
limit moreau/slide-to-rest u0=0
limit moreau/slide-to-rest g=0
limit moreau/vibrating-table mu=0 h=1e-3
limit moreau/vibrating-table omega=0 h=1e-3
limit moreau/vibrating-table-vertical omega=0 h=1e-4
limit moreau/vibrating-table-vertical A=0 h=1e-4
limit moreau/bowl h=1e-3
limit rigid/box-slide mu=0
limit rigid/box-slide v0=0
limit rigid/box-slide v0=-1
limit rigid/box-slide g=0

# ---- beyond the limits: the parameter is named
for scene in contensou/ball contensou/punch contensou/spinning-disc painleve/sliding-rod; do
  run stiction run $scene --set m=0
  exits 1
  complains 'parameter m = 0; give a number from 1e-12 to 1e\+12'
done

# ---- the shock of Painleve's rod is the jump of its slip, from -u0 to 0
run stiction run painleve/sliding-rod -o rod.h5
exits 0
run stiction export rod.h5 --csv - --columns t,slip
exits 0
check "the end slides at first" awk -F, 'NR == 2 { exit !($2 == -1) }' out
check "and sticks then" awk -F, 'NR > 2 && ($2 > 1e-12 || $2 < -1e-12) { bad = 1 } END { exit bad }' out

# ---- one default for one law: exp(-v / v_c) in both places
run stiction law stribeck --mu-s 0.5 --mu-k 0.3 --v-c 0.1 --end 0.2 --points 2
exits 0
shows '^ *0\.2  *0\.32706705664732'
cat >belt.lua <<'END'
system { mass = 1, q = { 0, 0 }, u = { 0.2, 0 }, force = { 0, -10 } }
wall { f = function(t, q) return -q[2] end, gradient = { 0, -1 },
       friction = stribeck { mu_s = 0.5, mu_k = 0.3, v_c = 0.1 } }
run { h = 1e-6, t_end = 1e-6 }
observables { mu = function(s) return (0.2 - s.u[1]) / 1e-5 end }
END
run stiction run belt.lua
exits 0
shows '^mu +0\.327067'
run stiction law static-kinetic --end 1e-9 --points 2
exits 0
shows '^ *1e-09  *0\.4$'

finish
