#!/bin/sh
# A stored solution that is no good does not keep a problem from being solved; it is named.
#   test_solutions.sh PYTHON
# shellcheck source-path=SCRIPTDIR source=../cli/assert.sh
python=$1
here=$(cd "$(dirname "$0")" && pwd)
. "$here/../cli/assert.sh"

stiction generate wall2d -n 2 --n2 2 -q -o solved.hdf5 || exit 1
stiction solve solved.hdf5 -q -o solved.hdf5 || exit 1
"$python" "$here/damage.py" solved.hdf5 bad || exit 1

while read -r name words; do
  run stiction solve bad/$name.hdf5 -o again.hdf5
  exits 0
  says "^stiction: the stored solution is passed over: bad/$name.hdf5: solution/r.*$words"
  run stiction verify again.hdf5
  exits 0
  run stiction verify bad/$name.hdf5
  complains "no valid stored solution: bad/$name.hdf5: solution/r.*$words"
  run stiction verify bad/$name.hdf5 again.hdf5
  exits 0
  run stiction solve bad/$name.hdf5 --json
  exits 0
  json status '"solved"'
  shows "\"the stored solution is passed over: bad/$name.hdf5: solution/r.*$words"
  run stiction solve bad/$name.hdf5 -q
  exits 0
  stays_silent
  run stiction info bad/$name.hdf5
  exits 0
  shows "^stored +no solution"
  run stiction convert bad/$name.hdf5 converted.hdf5 --json
  exits 0
  json solution false
  shows "\"the stored solution is passed over"
  run stiction verify bad/$name.hdf5 --json
  exits 1
  json error
done <<'END'
unwritten was never written
partly was never written, or not all of it
nan \[3\] is NaN or infinite
short has [0-9]+ elements; it should have
text is text
END

run stiction solve bad/guess.hdf5 --guess
exits 0
says "the stored guesses are passed over: bad/guess.hdf5: guesses/1/r was never written"
shows "solution start"

run stiction solve solved.hdf5 --json
exits 0
json remarks '[]'
stays_silent
finish
