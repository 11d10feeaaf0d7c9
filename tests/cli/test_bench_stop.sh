#!/bin/sh
# bench: what hangs is killed, what dies is noted, what is interrupted goes on where it stopped.
# shellcheck source-path=SCRIPTDIR source=assert.sh
. "$(dirname "$0")/assert.sh"

# Two problems solved in a moment; the one between them keeps fixed-point busy for many seconds.
stiction generate box -n 1 -q -o a.hdf5 || exit 1
stiction generate wall -n 40 -q -o b.hdf5 || exit 1
cp a.hdf5 c.hdf5
rows() { sed '1,2d' "$1"; }

# ---- the limit: the solver stops by itself, a little after it
run stiction bench b.hdf5 -m nsgs --time-limit 1 --tol 0 --set rule.sweeps=1e8 -o limit.csv
exits 0
check "time_limit within 1 s and the grace" awk -F, \
  'NR == 3 { good = $8 == "time_limit" && $9 == 0 && $10 >= 1 && $10 <= 3.1 } END { exit !good }' \
  limit.csv

# ---- the tests below look for the child in /proc
[ -r /proc/self/stat ] || finish

children() { cat /proc/[0-9]*/stat 2>/dev/null | awk -v p="$1" '$4 == p && $3 != "Z" { print $1 }'; }
ended() { [ ! -d "/proc/$1" ] || grep -q '^State:.Z' "/proc/$1/status"; }
has_rows() { [ -f "$1" ] && [ "$(rows "$1" | wc -l)" -eq "$2" ]; }
has_child() { [ -n "$(children "$1")" ]; }

# start LIMIT OUT [--resume]: returns when a is done and b is under way, its child hanging.
start() {
  command="stiction bench a b c --time-limit $*"
  : >out
  limit=$1
  shift
  stiction bench a.hdf5 b.hdf5 c.hdf5 -m fixed-point --time-limit "$limit" -o "$@" >out 2>err &
  pid=$!
  await has_rows "$1.part" 1
  await has_child $pid
  child=$(children $pid)
  kill -STOP "$child"
}
end() { # waits for it
  status=0
  wait $pid || status=$?
}
go_on() { run stiction bench a.hdf5 b.hdf5 c.hdf5 -m fixed-point --time-limit 100 -o "$@"; }

# ---- a child that hangs is killed, one that dies is noted; c is solved all the same
start 1 hang.csv
end
exits 0
check "timeout" grep -q '^b.hdf5,.*,timeout,0,.*,killed after ' hang.csv
check "c is solved" grep -q '^c.hdf5,.*,solved,1,' hang.csv
check "the first line of the summary" grep -q '^3 problems' out
start 100 crash.csv
kill -KILL "$child"
end
exits 0
check "crash" grep -q '^b.hdf5,.*,crash,0,.*,signal 9: ' crash.csv
check "c is solved" grep -q '^c.hdf5,.*,solved,1,' crash.csv

# ---- SIGINT and SIGTERM: what is done is in the file, the same command with --resume goes on
for signal in INT TERM; do
  start 100 stop.csv
  kill -$signal $pid
  end
  exits 2
  says '^stiction: interrupted: 1 of 3 solves are in stop.csv; the same command with --resume'
  lacks stop.csv.part
  check "one row" has_rows stop.csv 1
  await ended "$child"
  rows stop.csv >before
  cp b.hdf5 saved.hdf5
  cp a.hdf5 b.hdf5 # now b takes no longer than a
  go_on stop.csv --resume
  exits 0
  check "three rows" has_rows stop.csv 3
  rows stop.csv | head -1 >after
  check "the first one was not run again" cmp before after
  mv saved.hdf5 b.hdf5
done

# ---- with --json the object says that it is not whole
stiction bench a.hdf5 b.hdf5 -m fixed-point --time-limit 100 --json >out 2>err &
pid=$!
command="stiction bench --json"
await has_child $pid
kill -INT $pid
end
exits 2
json interrupted true
json solves 2

# ---- kill -9: the child goes too, the journal stays, with a row that was cut short
for resume in '' --resume; do
  start 100 kill.csv $resume # unquoted: nothing the first time
  kill -KILL $pid
  end
  await ended "$child"
  ended "$child" || kill -KILL "$child"
  lacks kill.csv
  check "one row and no more" test "$(grep -c '' kill.csv.part)" -eq 3
  [ "$resume" ] || rows kill.csv.part >before
  printf 'b.hdf5,global,3,12' >>kill.csv.part
done
go_on kill.csv
complains "kill.csv.part holds the rows of a bench that was cut short: go on with --resume"
cp b.hdf5 saved.hdf5
cp a.hdf5 b.hdf5
go_on kill.csv --resume
exits 0
lacks kill.csv.part
check "three rows" has_rows kill.csv 3
check "all solved" test "$(grep -c ',solved,1,' kill.csv)" -eq 3
rows kill.csv | head -1 >after
check "the first one was not run again" cmp before after
mv saved.hdf5 b.hdf5

# ---- killed while the first line was written
printf '# stiction' >head.csv.part
run stiction bench a.hdf5 -m nsgs -q -o head.csv --resume
exits 0
check "one row" has_rows head.csv 1

# ---- one bench at a time
start 100 twice.csv
go_on twice.csv --resume
complains "twice.csv.part: another bench is writing it"
kill -INT $pid
end
exits 2

finish
