#!/bin/sh
# Files that cannot be read or written are answered with a sentence and exit status 1.
# shellcheck source-path=SCRIPTDIR source=assert.sh
. "$(dirname "$0")/assert.sh"

stiction generate wall -n 3 -q -o good.hdf5 || exit 1
size=$(wc -c <good.hdf5)
echo "this is no problem" >text.hdf5
: >empty.hdf5
dd if=good.hdf5 of=half.hdf5 bs=1 count=$((size / 2)) 2>/dev/null
dd if=good.hdf5 of=head.hdf5 bs=1 count=200 2>/dev/null
mkdir folder

for verb in info solve verify; do
  for file in missing.hdf5 text.hdf5 empty.hdf5 half.hdf5 head.hdf5 folder; do
    run stiction "$verb" "$file"
    complains "$file"
  done
  run stiction "$verb" -
  complains "standard input"
done
run stiction convert text.hdf5 out.hdf5
complains "text.hdf5"
lacks out.hdf5
run stiction verify good.hdf5
complains "good.hdf5: holds no solution"
run stiction solve good.hdf5 --guess
complains "good.hdf5: holds no guess and no solution"
run stiction verify good.hdf5 text.hdf5
complains "text.hdf5"

# ---- a name that promises another format is refused before anything is done
for call in "generate wall -n 2 -o other.lua" "convert good.hdf5 other.json" \
  "solve good.hdf5 -o other.csv" "certify good.hdf5 -o other.hdf5" \
  "bench good.hdf5 -m nsgs -o other.json" "bench good.hdf5 -m nsgs --history other.svg"; do
  # shellcheck disable=SC2086  # words
  run stiction $call
  exits 1
  says 'other\.[a-z0-9]*: it is written as (hdf5|json|csv); name it so'
  check "nothing is left" test -z "$(ls other.* 2>/dev/null)"
done

# ---- what is no file: nothing waits for a pipe, reads a device without end or fills the memory
# with a hole of a terabyte; in JSON too
mkfifo pipe
truncate -s 1T hole 2>/dev/null || : >hole
ln -s ring ring
for file in pipe hole ring folder empty.hdf5 /dev/zero; do
  for call in "info $file" "solve $file" "verify good.hdf5 $file" "convert $file out.hdf5" \
    "certify $file" "certify good.hdf5 --check $file" "export $file" "run $file"; do
    # shellcheck disable=SC2086  # words
    run timeout 20 stiction $call
    complains "$file"
  done
  run timeout 20 stiction bench $file -m nsgs
  exits 1
  run timeout 20 stiction solve $file --json
  exits 1
  json error
  run timeout 20 stiction certify good.hdf5 --check $file --json
  exits 1
  json error
done
rm hole

# ---- texts of other systems
stiction generate wedge -q -o wedge.hdf5 || exit 1
run stiction certify wedge.hdf5 -q -o proof.json
{ printf '\357\273\277' && cat proof.json; } >other.json
run stiction certify wedge.hdf5 --check other.json
exits 0

# ---- where to write
run stiction solve good.hdf5 -o nowhere/out.hdf5
complains "nowhere"
run stiction solve good.hdf5 -o folder
complains "folder: .*directory"
run stiction solve good.hdf5 -o /dev/null
complains "/dev/null: .*not a regular file"
check "/dev/null is still a device" test -c /dev/null
run stiction solve good.hdf5 -o -
complains "name one"
run stiction generate box -o nowhere/out.hdf5
complains "nowhere"
run stiction convert good.hdf5 nowhere/out.hdf5
complains "nowhere"

# ---- a disk that takes no more, here a limit of 2 or 4 kB: the answer is shown, what was in
# the file stays
cp good.hdf5 kept.hdf5
# shellcheck disable=SC2016  # for the inner shell
run sh -c 'ulimit -f 4; stiction solve good.hdf5 -o kept.hdf5 | cat; stiction solve good.hdf5 -q -o kept.hdf5'
exits 1
says '^stiction: .*kept.hdf5'
shows '^status +solved'
shows_not '^written'
check "the file is as before" cmp good.hdf5 kept.hdf5
# shellcheck disable=SC2016
run sh -c 'ulimit -f 4; stiction solve good.hdf5 --json -o kept.hdf5 | cat'
json error

# ---- stdout that takes nothing
if [ -c /dev/full ]; then
  status=0
  command="stiction list settings >/dev/full"
  stiction list settings >/dev/full 2>err || status=$?
  : >out
  exits 1
  says "cannot write to standard output: No space left"
fi
status=0
command="stiction list settings >&-"
stiction list settings >&- 2>err || status=$?
: >out
exits 1
says "cannot write to standard output"
command="stiction info good.hdf5 | (exec <&-)"
{
  sleep 1
  status=0
  stiction info good.hdf5 2>err || status=$?
  echo $status >code
} | (exec <&-)
status=$(cat code)
exits 1
says "cannot write to standard output: Broken pipe"

finish
