#!/bin/sh
# Whatever way h5py stores a problem, it is read as the same one to the last bit.
#   test_variants.sh PYTHON
# shellcheck source-path=SCRIPTDIR source=../cli/assert.sh
python=$1
here=$(cd "$(dirname "$0")" && pwd)
. "$here/../cli/assert.sh"

# 2D local, 3D local with joints, 3D global, 2D global, 3D global with joints and a solution
stiction generate wall2d -n 2 --n2 2 --local -q -o a.hdf5 || exit 1
stiction generate chain -n 2 --local -q -o b.hdf5 || exit 1
stiction generate box -n 1 -q -o c.hdf5 || exit 1
stiction generate wedge -q -o d.hdf5 || exit 1
stiction generate chain -n 2 -q -o e.hdf5 || exit 1
stiction solve e.hdf5 -q -o e.hdf5 || exit 1
"$python" "$here/variants.py" variants a.hdf5 b.hdf5 c.hdf5 d.hdf5 e.hdf5 || exit 1
for name in a b c d e; do
  run same_problem $name.hdf5 variants/$name
  check "$name.hdf5 is the same in every variant: $(cat out)" test "$status" = 0
done

run stiction solve variants/e/gzip.hdf5
exits 0
run stiction verify variants/e/user-block-512.hdf5
exits 0
finish
