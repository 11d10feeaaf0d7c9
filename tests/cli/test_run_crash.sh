#!/bin/sh
# A run that is killed at any moment leaves a file that can be read and goes on with the same bits;
# so does one that is interrupted; a full disk loses nothing that was written.
STICTION_SCENES=$1/scenes
export STICTION_SCENES
# shellcheck source-path=SCRIPTDIR source=assert.sh
. "$(dirname "$0")/assert.sh"

start() { stiction run moreau/chatter --set t_end=2 --set h=1e-5 "$@"; }
# The same in the background, so that $! is the program itself.
become() { exec stiction run moreau/chatter --set t_end=2 --set h=1e-5 "$@"; }

# What must be the same: every row, and all of the report but times and names.
rows_of() { stiction export "$1" --csv -; }
same_report() { grep -v -e '"seconds"' -e '"resumed_steps"' -e '"output"' "$1"; }

run start -o whole.h5 --json
exits 0
cp out whole.json
rows_of whole.h5 >whole.csv
check "a row for each stored step" test "$(wc -l <whole.csv)" -eq 4002

compare() { # JSON FILE
  same_report whole.json >a
  same_report "$1" >b
  check "the same report" cmp a b
  rows_of "$2" >c
  check "the same rows" cmp whole.csv c
}

# ---- kill -9, five times in one run, at moments that differ from run to run
seed=$$
for round in 1 2 3; do
  rm -f killed.h5
  for part in 1 2 3 4 5; do
    become -o killed.h5 --resume --checkpoint 0.01 -q 2>/dev/null &
    pid=$!
    seed=$(((seed * 1103515245 + 12345) % 2147483648))
    sleep "0.$((seed / 65536 % 25 + 10))"
    kill -9 $pid 2>/dev/null
    wait $pid 2>/dev/null
    command="kill -9, round $round, part $part"
    [ ! -e killed.h5 ] || check "the file can be read" stiction export killed.h5 -q
  done
  run start -o killed.h5 --resume --json
  exits 0
  cp out killed.json
  compare killed.json killed.h5
done

# ---- Ctrl-C stops with a checkpoint and says how to go on
become -o stopped.h5 >out 2>err &
pid=$!
sleep 0.3
kill -INT $pid
status=0
wait $pid || status=$?
command='interrupted run'
exits 2
says 'stopping with a checkpoint'
says 'stiction run .*chatter.* -o stopped.h5 --resume'
shows 'interrupted'
run stiction run moreau/chatter -o stopped.h5 --resume --json
exits 0
cp out stopped.json
check "it did go on" test "$(json_check out resumed_steps)" -gt 0
compare stopped.json stopped.h5

# ---- so does a time limit, again and again, until the end is reached
run start -o late.h5 --time-limit 0.3 --json
exits 2
json status '"time_limit"'
says 'stiction run .*chatter.* -o late.h5 --resume'
while [ "$status" -eq 2 ]; do run start -o late.h5 --time-limit 2 --resume --json; done
exits 0
cp out late.json
compare late.json late.h5

# ---- parts by --until
for t in 0.5 0.9 2; do run start -o parts.h5 --resume --until $t --json; done
exits 0
cp out parts.json
compare parts.json parts.h5

# ---- two runs do not write one file
become -o locked.h5 -q &
pid=$!
tries=0
while [ ! -e locked.h5 ] && [ $tries -lt 100 ]; do
  sleep 0.02
  tries=$((tries + 1))
done
sleep 0.2 # between the name and the lock
kill -STOP $pid
run start -o locked.h5
complains 'another run is writing it'
run start -o locked.h5 --resume
complains 'another run is writing it'
kill -9 $pid
wait $pid 2>/dev/null

# ---- the wrong scene
run stiction run moreau/incline -o parts.h5 --resume
exits 1
run start -o parts.h5 --resume --set mu_k=0.3
complains 'begun with parameter mu_k=0.4.*not mu_k=0.29999'
stiction generate wall -n 2 -q -o wall.hdf5
run stiction export wall.hdf5
complains 'it is no run file'
run stiction run moreau/chatter -o wall.hdf5 --resume
complains 'it is no run file'

# ---- a full disk: the file stays readable, the sentence says what is kept, and the run can go on
full() {
  # shellcheck disable=SC3045  # -f: blocks of 512 bytes
  (ulimit -f "$1" && start -o full.h5 --checkpoint 0.05) >out 2>err
}
command='a run that fills the disk'
status=0
full 400 || status=$?
exits 1
says 'full.h5: cannot write: .*nothing that was written is lost.*--resume'
run stiction export full.h5 --json
exits 0
check "rows were kept" test "$(json_check out rows)" -gt 10
run start -o full.h5 --resume --json
exits 0
cp out full.json
compare full.json full.h5
command='a disk that is full from the start'
rm -f full.h5
status=0
full 1 || status=$?
exits 1
says 'full.h5: cannot write'
lacks full.h5

finish
