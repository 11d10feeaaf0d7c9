# shellcheck shell=sh
# Scenes whose observables are asked for; a test sources this before assert.sh and sets $topic, the
# directory of its scenes.

# scene NAME [ARGS...]: runs it; observables are then asked for with `near`.
scene() {
  name=$1
  shift
  run stiction run "$topic/$name" --json -q "$@"
  exits 0
  stays_silent
  json status '"done"'
}

# value NAME: the first number of that name in the JSON object.
value() { sed -n "s/^ *\"$1\": \([-+0-9.e]*\),\{0,1\}\$/\1/p" out | head -1; }

close_to() {
  check "$1 = $3 within $4, not $2" awk -v x="$2" -v y="$3" -v tol="$4" \
    'BEGIN { d = x - y; exit !(x != "" && d <= tol && d >= -tol) }'
}
near() { close_to "$1" "$(value "$1")" "$2" "$3"; }
