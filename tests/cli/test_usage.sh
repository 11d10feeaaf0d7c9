#!/bin/sh
# What is typed wrongly is answered with a sentence and exit status 1; help goes to stdout.
# shellcheck source-path=SCRIPTDIR source=assert.sh
. "$(dirname "$0")/assert.sh"

verbs="info solve verify certify convert generate bench run export law list"

# ---- help and version
run stiction --help
exits 0
stays_silent
for verb in $verbs; do shows "^  $verb "; done
for verb in $verbs; do
  run stiction "$verb" --help
  exits 0
  stays_silent
  shows "^Usage: stiction $verb "
  shows "--json"
  run stiction "$verb" -h
  exits 0
done
run stiction --version
exits 0
shows '^stiction [0-9]+\.[0-9]+\.[0-9]+$'
run stiction
exits 1
prints_nothing
says "Usage: stiction VERB"

# ---- verbs
run stiction slove
complains "'slove'.*did you mean 'solve'"
run stiction verfy x
complains "'verfy'.*verify"
run stiction zzzzzz
complains "'zzzzzz'.*info, solve, verify, certify, convert, generate, bench, run, export, law, list"
run stiction --json solve
exits 1
says "verb comes before"

# ---- options
run stiction solve x --methd nsgs
complains "solve has no option --methd; did you mean --method"
run stiction solve x --max=5
complains "--max; did you mean --max-iter"
run stiction solve x --qqqqqqqqqqqq
complains "solve has no option --qqqqqqqqqqqq"
run stiction solve x -z
complains "solve has no option -z"
run stiction solve x --tol
complains "option --tol needs an argument"
run stiction solve x --json=1
exits 1
says "option --json takes no argument"
run stiction info -q -v x
complains "-q and -v exclude"
run stiction solve x --guess --cold
complains "--guess and --cold exclude"
run stiction info x y
complains "cannot use the argument 'y'"
run stiction info
complains "argument is missing"
run stiction convert x
complains "argument is missing"
run stiction verify
complains "argument is missing"
says "stiction verify --help"

# ---- numbers are read whole, within their range; the sentence names the option
for bad in 1e-8x '' abc nan inf -1 2; do
  run stiction solve x --tol "$bad"
  complains "option --tol"
done
for bad in 1.5 x -3 1e30 nan; do
  run stiction solve x --max-iter "$bad"
  complains "option --max-iter"
done
for bad in 0 -1 1.5 x 100000; do
  run stiction solve x -j "$bad"
  complains "option --threads"
done
for bad in 1.5 -1 9999999999 5x ''; do
  run stiction generate box -n "$bad" -o x.hdf5
  complains "option --n needs an integer"
done
for bad in nan -0.1 0.3f inf ''; do
  run stiction generate box --mu "$bad" -o x.hdf5
  complains "option --mu needs a number"
done
for bad in -1 1.5 x 99999999999999999999; do
  run stiction generate box --seed "$bad" -o x.hdf5
  complains "option --seed needs an integer"
done
run stiction generate box --disorder 1.01 -o x.hdf5
complains "option --disorder needs a number from 0 to 1"
lacks x.hdf5

# ---- names from the tables
run stiction solve x --method nsg
complains "no method 'nsg'; did you mean 'nsgs'"
run stiction solve x --set omega=1
complains "no setting 'omega'; did you mean 'nsgs.omega'"
run stiction solve x --set nsgs.omga=1
complains "did you mean 'nsgs.omega'"
run stiction solve x --set nsgs.omega
complains "--set needs key=value"
run stiction solve x --set nsgs.omega=3
complains "option --set: .*nsgs.omega"
run stiction generate bx -o x.hdf5
complains "no kind 'bx'; did you mean 'box'"
run stiction generate box
complains "needs -o OUT"
run stiction list method
complains "no list 'method'; did you mean 'methods'"
run stiction convert x y --to globl
complains "no form 'globl'; did you mean 'global'"

# ---- with --json a mistake is a JSON object too
run stiction solve x --methd nsgs --json
exits 1
json error
run stiction nonsense --json
exits 1
json error

# ---- a name whose bytes are not UTF-8 still makes JSON
run stiction info "$(printf 'a\377b')" --json
exits 1
json error
shows 'a\\ufffdb'

finish
