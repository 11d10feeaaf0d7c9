#!/bin/sh
# The n-th allocation fails in whole commands of the program (trials.c); then there is little address
# space (ulimit -v).
#   tests/memory/run.sh BUILD_DIRECTORY [TRIALS [WORD]]
# TRIALS per command: 12 by default, 0 for every allocation (a night), "sites" for the first, second
# and last allocation of every call stack (minutes). WORD: only commands with it.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
build=$(cd "${1:?usage: run.sh BUILD_DIRECTORY [TRIALS [WORD]]}" && pwd)
trials=${2:-12}
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
export OMP_NUM_THREADS=1 OPENBLAS_NUM_THREADS=1
shift $(($# > 1 ? 2 : 1))
"$build/tests/memory/trials" "$build/cli/stiction" "$build/tests/memory/libscarce.so" "$here/commands" \
  "$here/../../scenes" "$folder" "$trials" "$@"
[ $# -eq 0 ] || exit 0

# From less than the shared libraries take (status 127) to more than is needed.
cd "$folder"
"$build/cli/stiction" generate wall2d --n 3 -q -o wall.hdf5
for kilobytes in 50000 55000 60000 65000 70000 80000 100000 130000 160000 200000 250000; do
  for command in "info wall.hdf5" "solve wall.hdf5 -o out.hdf5" "certify wall.hdf5" \
    "run $here/../../scenes/rigid/box-slide.lua --until 0.01"; do
    status=0
    # shellcheck disable=SC2086  # a command is several words
    (ulimit -v "$kilobytes" && exec timeout 60 "$build/cli/stiction" $command -q >/dev/null 2>said) || status=$?
    case $status in
    0 | 127) ;;
    1) [ -s said ] || { echo "$kilobytes kB: stiction $command: no sentence"; exit 1; } ;;
    *) echo "$kilobytes kB: stiction $command: status $status: $(cat said)"; exit 1 ;;
    esac
  done
done
