#!/bin/sh
# bench --external: programs that solve, copy, err, hang, crash, or write what is no answer. Every one
# gets a row with a status and a sentence, and leaves neither processes nor files.
# shellcheck source-path=SCRIPTDIR source=assert.sh disable=SC2016  # for awk, or as typed
. "$(dirname "$0")/assert.sh"

mkdir tmp "a b"
TMPDIR=$PWD/tmp
export TMPDIR
stiction generate box -n 1 -q -o box.hdf5 || exit 1
stiction solve box.hdf5 -q -o solved.hdf5 || exit 1

# program NAME: its text from standard input; $1 is the problem, $2 the answer.
program() {
  { echo '#!/bin/sh'; cat; } >"$1"
  chmod +x "$1"
}
# bench NAME COMMAND [OPTIONS]: one external on box.hdf5, and its row.
bench() {
  label=$1
  external="$1=$2"
  shift 2
  rm -f out.csv
  run stiction bench box.hdf5 -m none --external "$external" -o out.csv "$@"
}
row_is() { # STATUS SOLVED NOTE
  exits 0
  check "$label: a row that says $1, $3" grep -qE "^box.hdf5,global,3,4,6,0[.]5,$label,$1,$2,.*$3" out.csv
  check "$label: no file is left" test -z "$(ls tmp)"
}

# ---- a solver, and one that stops too early
bench self 'stiction solve {in} -o {out} -q --tol {tol} --time-limit {limit}'
row_is solved 1 ',$'
check "its time, not its parts; its memory" awk -F, \
  'NR == 3 { good = $10 > 0 && $11 == "" && $12 == "" && $14 <= 1e-8 && $17 > 1e6 } END { exit !good }' out.csv
shows '^self +1 +100.0 +1 '
shows '^virtual best +1 '
bench early 'stiction solve {in} -o {out} -q --tol 0.5 --method nsgs'
row_is inaccurate 0 ''
check "judged all the same" awk -F, 'NR == 3 { good = $14 > 1e-8 && $14 < 1 } END { exit !good }' out.csv
shows '^inaccurate on 1 problem: see the column note'
bench limit "stiction solve {in} -o {out} -q --method nsgs --max-iter 0"
row_is inaccurate 0 'exit status 2'

# ---- the problem is handed over without the answer that its file holds
cp solved.hdf5 box.hdf5
bench copy 'cp {in} {out}'
row_is refused 0 'wrote a file without r'
program peek <<'END'
stiction verify "$1" >/dev/null 2>&1 && cp "$1" "$2"
END
bench peek './peek {in} {out}'
row_is refused 0 'exit status 1; it wrote no file \{out\}'
bench cheat "cp $PWD/solved.hdf5 {out} {in}" # cp into {in}, which is no directory
row_is refused 0 'exit status 1: cp: '
program honest <<'END'
cp solved.hdf5 "$2" && echo spoilt >"$1"
END
bench honest './honest {in} {out}' # an answer is an answer, and the user's file is not at hand
row_is solved 1 ''
check "the problem is as it was" cmp box.hdf5 solved.hdf5

# ---- it does not run, fails, dies, hangs
bench missing 'no-such-program {in} {out}'
row_is refused 0 'cannot run no-such-program: No such file'
bench plain "$PWD/out {in} {out}"
row_is refused 0 'cannot run .*: Permission denied'
program fails <<'END'
echo "first line" >&2
echo "I give up, sorry" >&2
exit 7
END
bench fails './fails {in} {out}'
row_is refused 0 '"exit status 7: I give up, sorry; it wrote no file \{out\}"'
program dies <<'END'
kill -SEGV $$
END
bench dies './dies {in} {out}'
row_is crash 0 'signal 11: '
program hangs <<'END'
sleep 300 &
echo $! >orphan
echo $$ >hanging
sleep 300
END
ended() { ! kill -0 "$1" 2>/dev/null || grep -q '^State:.Z' "/proc/$1/status"; }
bench hangs './hangs {in} {out}' --time-limit 0.1
row_is timeout 0 'killed after '
await ended "$(cat hanging)"
await ended "$(cat orphan)"
program leaves <<'END'
sleep 300 &
echo $! >orphan
stiction solve "$1" -o "$2" -q
END
bench leaves './leaves {in} {out}'
row_is solved 1 ''
await ended "$(cat orphan)"

# ---- what it writes is no answer
hostile() { # NAME NOTE: its text from standard input
  program "$1"
  bench "$1" "./$1 {in} {out}"
  row_is refused 0 "$2"
}
hostile noise 'its answer: .*not an HDF5 file' <<'END'
head -c 100000 /dev/urandom >"$2"
END
hostile half 'its answer: ' <<'END'
head -c 2000 solved.hdf5 >"$2"
END
hostile empty 'its answer: ' <<'END'
: >"$2"
END
stiction generate box -n 2 -q -o two.hdf5
stiction solve two.hdf5 -q -o other.hdf5
hostile other 'its answer: ' <<'END'
cp other.hdf5 "$2"
END
hostile link 'it wrote no file' <<'END'
ln -s "$PWD/solved.hdf5" "$2"
END
hostile pipe 'it wrote no file' <<'END'
mkfifo "$2"
END
hostile folder 'it wrote no file' <<'END'
mkdir -p "$2/deep/er"
echo x >"$2/deep/er/y"
END
hostile colour 'exit status 1: .\[31mred; it wrote' <<'END'
printf '\033[31mred\n' >&2
exit 1
END
check "nothing that steers a terminal" not grep -q "$(printf '\033')" out.csv

# ---- no shell: words and quotes only
program tells <<'END'
printf '<%s>' "$@" >told
stiction solve "$1" -o "$2" -q
END
cp box.hdf5 "a b/it's.hdf5"
run stiction bench "a b" -m none -o out.csv --external \
  'tells=./tells {in} {out} ; touch pwned $(touch pwned) "a  b" '\''"c"\d'\'' e\ f "g\"h" --t={tol},{limit} '\'''\'''
exits 0
check "words as they were given" grep -qF \
  '<;><touch><pwned><$(touch><pwned)><a  b><"c"\d><e f><g"h><--t=1e-08,60><>' told
lacks pwned

# ---- beside methods: order, JSON, profile; --resume
cp box.hdf5 a.hdf5
run stiction bench a.hdf5 box.hdf5 -m nsgs,auto --json -o two.csv --profile two.svg \
  --external 'self=stiction solve {in} -o {out} -q' --external 'bad=false {in} {out}'
exits 0
json solves 8
check "externals and their commands" test "$(json_check out externals |
  grep -c '"command": "stiction solve {in} -o {out} -q"')" -eq 1
check "methods first" test "$(sed '1,2d' two.csv | cut -d, -f7 | tr '\n' ' ')" = \
  'nsgs auto self bad nsgs auto self bad '
check "in the profile" grep -q '>self<' two.svg
cp two.csv before.csv
run stiction bench a.hdf5 box.hdf5 -m nsgs,auto -o two.csv --resume \
  --external 'self=stiction solve {in} -o {out} -q' --external 'bad=false {in} {out}'
exits 0
check "read back as written" cmp two.csv before.csv

# ---- Ctrl-C: all of it ends, nothing stays
rm -f orphan hanging
stiction bench box.hdf5 -m none --external 'hangs=./hangs {in} {out}' -o stop.csv >out 2>err &
pid=$!
command="stiction bench, interrupted"
await test -s hanging
kill -INT $pid
status=0
wait $pid || status=$?
exits 2
await ended "$(cat hanging)"
await ended "$(cat orphan)"
check "no file is left" test -z "$(ls tmp)"

# ---- what cannot be meant
refuses() { # WHAT OPTION...
  what=$1
  shift
  run stiction bench box.hdf5 -m none "$@"
  complains "$what"
}
refuses 'there is no method to run'
refuses "it is 'NAME=COMMAND'" --external 'stiction solve {in} {out}'
refuses 'a name has 1 to 14 letters' --external 'a b=cp {in} {out}'
refuses 'a name has 1 to 14 letters' --external 'fifteen-letters=cp {in} {out}'
refuses 'with {in} for the problem' --external 'x=cp {in} {output}'
refuses 'with {in} for the problem' --external 'x='
refuses 'a quote in its command is not closed' --external "x=cp {in} '{out}"
refuses 'there is a method of that name' --external 'auto=cp {in} {out}'
refuses 'there is a method of that name' --external 'x=cp {in} {out}' --external 'x=cp {in} {out}'
TMPDIR=/no/such/directory bench self 'cp {in} {out}'
exits 1
says 'no directory can be made'

finish
