#!/bin/sh
# The n-th allocation fails in whole commands of the program (trials.c).
#   tests/memory/run.sh BUILD_DIRECTORY [TRIALS [WORD]]
# TRIALS per command: 12 by default, 0 for every allocation (a night). WORD: only commands with it.
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
