#!/bin/sh
# A signal stops a solve with the best iterate, which is reported and written; a second one kills.
# shellcheck source-path=SCRIPTDIR source=assert.sh
. "$(dirname "$0")/assert.sh"

stiction generate wall -n 40 -q -o big.hdf5 || exit 1

# start ARGS...: a solve that would take minutes; returns when it is iterating.
start() {
  command="stiction solve big.hdf5 $*"
  : >err
  stiction solve big.hdf5 --method nsgs --tol 0 --time-limit 100 "$@" >out 2>err &
  pid=$!
}

wait_for() { # a line in file $1 that matches $2, at most 30 s
  tries=0
  while ! grep -q "$2" "$1" && [ $tries -lt 300 ]; do
    sleep 0.1
    tries=$((tries + 1))
  done
}

wait_until_stopped() { # at most 30 s
  tries=0
  while ! grep -qs '^State:.T' /proc/$pid/status && [ $tries -lt 300 ]; do
    sleep 0.1
    tries=$((tries + 1))
  done
}

for signal in INT TERM; do
  rm -f best.hdf5
  start -v --json -o best.hdf5
  wait_for err '^ .* nsgs'
  kill -$signal $pid
  status=0
  wait $pid || status=$?
  exits 2
  json status '"interrupted"'
  says 'stopping with the best iterate'
  exists best.hdf5
  eta=$(json_check out eta)
  run stiction verify best.hdf5 --json
  exits 2
  check "the file holds the iterate reported, eta $eta" awk -v a="$eta" \
    -v b="$(json_check out eta)" 'BEGIN { exit !(a - b <= 1e-6 * a && b - a <= 1e-6 * a) }'
done

# ---- the second signal: both wait while the process is stopped, the first is caught, the other
# one ends it (128 + 15, or 128 + 2 where another thread takes SIGTERM before)
start -v
wait_for out '^ .* nsgs'
kill -STOP $pid
wait_until_stopped
kill -INT $pid
kill -TERM $pid
kill -CONT $pid
status=0
wait $pid || status=$?
[ $status -ne 130 ] || status=143
exits 143

# ---- observables that take long are left out where a run is stopped, and asked again when it is
# resumed; half of the instructions a scene may take are more than a tenth of a second
cat >long.lua <<'END'
local p = parameters { rounds = 5e6 }
system { mass = 1, q = { 0 }, u = { 1 } }
run { h = 0.1, t_end = 1 }
observables {
  place = function(s) return s.q[1] end,
  slow = function(s)
    local x = 0
    for k = 1, p.rounds do x = x + math.sin(k) * math.cos(k) end
    return x - x
  end,
}
END
run stiction run long.lua --time-limit 0.15 -o long.h5
exits 2
shows '^status +time_limit'
shows '^place +1$'
says "observable 'slow' and those behind it are left out"
check "no slow observable is printed" not grep -q '^slow' out
run stiction run long.lua --set rounds=10
exits 0
shows '^slow +-?0$'

finish
