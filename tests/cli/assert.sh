# shellcheck shell=sh
# Assertions for the tests of the command line. A test sources this file, runs commands with `run`
# and says what must hold; every failure is printed, `finish` ends the test. It works in an empty
# directory of its own. `stiction` and the helpers beside this file are found on PATH.

failures=0
checks=0
directory=$(mktemp -d) || exit 1
trap 'rm -rf "$directory"' EXIT
cd "$directory" || exit 1

# run COMMAND...: stdout goes to `out`, stderr to `err`, the exit status to $status.
run() {
  command="$*"
  status=0
  "$@" >out 2>err || status=$?
}

# check WHAT TEST...: WHAT must hold, that is, TEST must succeed.
check() {
  what=$1
  shift
  checks=$((checks + 1))
  "$@" >/dev/null 2>&1 && return
  failures=$((failures + 1))
  echo "FAILED: $command"
  echo "  expected: $what"
  echo "  exit status $status; stdout, stderr:"
  sed -n '1,20s/^/    /p' out err
}

exits() { check "exit status $1" test "$status" -eq "$1"; }
says() { check "stderr says '$1'" grep -q -E -e "$1" err; }
says_not() { check "stderr does not say '$1'" not grep -q -E -e "$1" err; }
shows() { check "stdout shows '$1'" grep -q -E -e "$1" out; }
shows_not() { check "stdout does not show '$1'" not grep -q -E -e "$1" out; }
prints_nothing() { check "stdout is empty" test ! -s out; }
stays_silent() { check "stderr is empty" test ! -s err; }
exists() { check "file $1" test -f "$1"; }
lacks() { check "no file $1" test ! -e "$1"; }
not() { ! "$@"; }

# A complaint: exit status 1, one sentence from stiction, nothing on stdout.
complains() {
  exits 1
  says "^stiction: .*$1"
  prints_nothing
}

# json KEY [VALUE]: stdout is one JSON object with that member [of that value, as JSON text].
json() {
  check "stdout is a JSON object with $1" json_check out "$1"
  [ $# -lt 2 ] || check "$1 is $2" test "$(json_check out "$1" 2>/dev/null)" = "$2"
}

# json_at_most KEY NUMBER
json_at_most() {
  check "$1 is at most $2" awk -v x="$(json_check out "$1" 2>/dev/null)" -v most="$2" \
    'BEGIN { exit !(x != "" && x + 0 <= most + 0) }'
}

finish() {
  echo "$checks checks, $failures failed"
  [ "$checks" -gt 0 ] && [ "$failures" -eq 0 ]
  exit
}

# await TEST...: until it succeeds, at most 30 s
await() {
  tries=0
  while ! "$@" >/dev/null 2>&1 && [ $tries -lt 300 ]; do
    sleep 0.1
    tries=$((tries + 1))
  done
  check "within 30 s: $*" "$@"
}
