#!/bin/sh
# bench: rows and columns, summary, profile, JSON; what cannot be run does not spoil the rest.
# shellcheck source-path=SCRIPTDIR source=assert.sh
. "$(dirname "$0")/assert.sh"

mkdir set empty
stiction generate wall -n 2 -q -o set/b.hdf5 || exit 1
stiction generate box -n 2 -q -o set/a.h5 || exit 1
stiction generate discs -n 9 -q --local -o set/c.hdf5 || exit 1
cp set/a.h5 set/.hidden.hdf5
cp set/a.h5 set/a.txt
stiction generate painleve -n 2 -q -o other.hdf5 || exit 1

columns="file,form,dimension,contacts,dofs,mu_max,method,status,solved,seconds,setup_seconds"
columns="$columns,solve_seconds,iterations,eta,eta_max,fclib_error,peak_bytes,note"

# rows FILE: without the comment and the names.
rows() { sed '1,2d' "$1"; }

# ---- the table: a row per problem and method, in order; commas only between cells here
run stiction bench set other.hdf5 set/b.hdf5 --methods nsgs,newton,nsgs -o out.csv
exits 0
stays_silent
check "settings in the first line" grep -q '^# stiction .* tol=1e-08 time_limit=60 ' out.csv
check "the columns" test "$(sed -n 2p out.csv)" = "$columns"
rows out.csv | cut -d, -f1,7 >order
cat >expected <<'END'
set/a.h5,nsgs
set/a.h5,newton
set/b.hdf5,nsgs
set/b.hdf5,newton
set/c.hdf5,nsgs
set/c.hdf5,newton
other.hdf5,nsgs
other.hdf5,newton
END
check "problems x methods" cmp order expected
check "all are solved" test "$(rows out.csv | grep -c ',solved,1,')" -eq 8
check "the discs: local, 2D" grep -q '^set/c.hdf5,local,2,[0-9]*,0,' out.csv
check "sizes and mu of Painleve's contact" grep -q '^other.hdf5,global,2,1,1,1,nsgs,' out.csv
# shellcheck disable=SC2016  # for awk
check "seconds = setup + solve > 0, eta and fclib_error within 1e-8, more than 1 MB" awk -F, \
  'NR > 2 { d = $10 - $11 - $12; if (!($10 > 0 && d * d <= 1e-12 * $10 * $10 && $14 <= 1e-8 &&
     $16 <= 1e-8 && $17 > 1e6)) bad = 1 } END { exit bad }' out.csv
lacks out.csv.part
lacks out.csv.new
shows '^4 problems, tolerance 1e-08, time limit 60 s$'
shows '^nsgs +4 +100.0 '
shows '^virtual best +4 +100.0 +4 '

# ---- without -o the table goes to stdout, the summary to stderr; -q leaves the table
run stiction bench other.hdf5 -m nsgs
exits 0
check "a table of one row" test "$(sed -n '3,$p' out | wc -l)" -eq 1
says '^nsgs +1 +100.0'
run stiction bench other.hdf5 -m nsgs -q -o -
exits 0
stays_silent
check "a table of one row" test "$(sed -n '3,$p' out | wc -l)" -eq 1
run stiction bench other.hdf5 -m nsgs -v -o other.csv
says '^stiction: other.hdf5: nsgs solved, '

# ---- all methods if none is named
run stiction bench other.hdf5 -q
check "a row per method" test "$(sed -n '3,$p' out | cut -d, -f7 | tr '\n' ' ')" = \
  "$(stiction list methods | sed 's/ .*//' | tr '\n' ' ')"

# ---- histories: iterations from 0, the first with eta of r = 0, the last as in the table
run stiction bench set -m nsgs,newton -o past.csv --history history.csv -q
exits 0
check "columns" test "$(sed -n 2p history.csv)" = 'file,method,iteration,seconds,eta,fclib_error'
check "settings" test "$(sed -n 1p history.csv)" = "$(sed -n 1p past.csv)"
check "six solves, each from 0" test "$(grep -c '^set/[abc].h.*,\(nsgs\|newton\),0,' history.csv)" -eq 6
check "iterations and seconds rise in each" awk -F, \
  'NR > 2 { if ($1 $2 == solve && !($3 > last && $4 >= then)) bad = 1; solve = $1 $2; last = $3; then = $4 }
   END { exit bad }' history.csv
check "the last point is the row" awk -F, \
  'NR == FNR { if (FNR > 2) { it[$1 $7] = $13; sec[$1 $7] = $10; eta[$1 $7] = $14 }; next }
   FNR > 2 { i[$1 $2] = $3; s[$1 $2] = $4; e[$1 $2] = $5 }
   END { for (k in it) { n++; d = (s[k] - sec[k]) / sec[k]; g = (e[k] - eta[k]) / eta[k]
           if (i[k] != it[k] || d * d > 1e-14 || g * g > 1e-14) bad = 1 }
         exit bad || n != 6 }' past.csv history.csv
run stiction bench set -m nsgs -q --history history.json --max-iter 40 -o short.csv
json_file() { json_check history.json "$1"; }
check "an object with arrays" test "$(json_file histories | grep -c '"status": ')" -eq 3
check "40 iterations at most" not grep -q ' 41,' history.json
run stiction bench set -m nsgs -q --history no/such/history.csv
complains 'no/such/history.csv: cannot be written'

# ---- processor time: the head says so, rows of the other clock are not mixed with it
run stiction bench set -m nsgs -o cpu.csv --processor-time
exits 0
check "the clock" grep -q '^# stiction .* jobs=1 clock=processor$' cpu.csv
check "seconds = setup + solve > 0" awk -F, \
  'NR > 2 { d = $10 - $11 - $12; if (!($10 > 0 && d * d <= 1e-12 * $10 * $10)) bad = 1 } END { exit bad }' cpu.csv
run stiction bench set -m nsgs -o cpu.csv --resume
complains 'there clock=processor, here nothing'

# ---- JSON
run stiction bench set -m nsgs,newton --json
exits 0
stays_silent
for key in methods virtual_best rows tol time_limit repeat jobs; do json "$key"; done
json problems 3
json solves 6
json 'done' 6
json interrupted false
json output null
check "a score per method" test "$(json_check out methods | grep -c '"fraction": 1,')" -eq 2
check "a row per solve" test "$(json_check out rows | grep -c '"status": "solved"')" -eq 6
check "the columns" test "$(json_check out rows | sed -n 's/^ *"\([a-z_]*\)":.*/\1/p' | head -18 |
  tr '\n' ,)" = "$columns,"

# ---- numbers by hand. With these times (s; - not solved)
#             a    b    c      both solve a and b. nsgs: sum 5, mean sqrt(1 * 4) = 2, fastest on a.
#   nsgs      1    4    -      newton: sum 3, mean sqrt(2) = 1.414, fastest on b and c.
#   newton    2    1    8      The best of both: solves 3, sum 2, mean 1.
head -2 out.csv >hand.csv
row() { echo "$1,local,3,1,0,0.5,$2,$3,$4,$5,0,$5,7,0,0,0,1000000,"; }
{
  row a.hdf5 nsgs solved 1 1
  row a.hdf5 newton solved 1 2
  row b.hdf5 nsgs solved 1 4
  row b.hdf5 newton solved 1 1
  row c.hdf5 nsgs stalled 0 0.5
  row c.hdf5 newton solved 1 8
} >>hand.csv
cp hand.csv before.csv
: >a.hdf5
: >b.hdf5
: >c.hdf5
run stiction bench a.hdf5 b.hdf5 c.hdf5 -m nsgs,newton -o hand.csv --resume --profile hand.svg
exits 0
shows '^nsgs +2 +66.7 +1 +5 +2$'
shows '^newton +3 +100.0 +2 +3 +1.414$'
shows '^virtual best +3 +100.0 +3 +2 +1$'
shows 'on the 2 problems solved by every method'
check "what is there is not run again" cmp hand.csv before.csv
# tau runs from 1 at x = 72 to 10 at x = 630, rho from 0 at y = 434 to 1.02 at y = 56. nsgs: 1/3 at
# 1, 2/3 from tau = 4; newton: 2/3 at 1, 1 from tau = 2.
check "the curve of nsgs" grep -q "d='M72.00 310.47H407.95V186.94H630.00'" hand.svg
check "the curve of newton" grep -q "d='M72.00 186.94H239.97V63.41H630.00'" hand.svg
check "the legend" grep -q ">66.7 %<" hand.svg
check "the title" grep -q "3 problems, tolerance 1e-08" hand.svg
lacks hand.svg.new

# Tags that close in order, attributes in quotes, no stray < > or &.
well_formed() {
  awk '
    { text = text $0 "\n" }
    END {
      while (match(text, /<[^<>]*>/)) {
        tag = substr(text, RSTART, RLENGTH)
        if (substr(text, 1, RSTART - 1) ~ /[<>&]/) exit 1
        text = substr(text, RSTART + RLENGTH)
        if (gsub(/\047/, "&", tag) % 2) exit 1
        name = tag
        sub(/^<\/?/, "", name)
        sub(/[^a-z].*/, "", name)
        if (tag ~ /^<\?/ || tag ~ /\/>$/) continue
        if (tag !~ /^<\//) stack[++depth] = name
        else if (stack[depth--] != name) exit 1
      }
      exit depth != 0 || text ~ /[<>&]/
    }' "$1"
}
check "the profile is XML" well_formed hand.svg
if command -v xmllint >/dev/null; then check "xmllint agrees" xmllint --noout hand.svg; fi

# ---- the same as PDF: the curves in pixels, 3/4 of a point each, y downwards; text in its place
run stiction bench a.hdf5 b.hdf5 c.hdf5 -m nsgs,newton -o hand.csv --resume --profile hand.pdf
exits 0
check "a PDF" test "$(head -c 8 hand.pdf)" = '%PDF-1.4'
check "the page has the size of the SVG" grep -q "MediaBox \[0 0 $(sed -n \
  '1s/.*width="\([0-9]*\)" height="\([0-9]*\)".*/\1 \2/p' hand.svg | awk '{ print 0.75 * $1, 0.75 * $2 }')\]" hand.pdf
# The first point of nsgs, and its next: level to tau = 4, up to 2/3.
check "the curve of nsgs" awk '
  /^72.00 310.47 m$/ { at = NR } /^407.95 310.47 l$/ && at == NR - 1 { at = NR }
  /^407.95 186.94 l$/ && at == NR - 1 { good = 1 } END { exit !good }' hand.pdf
check "the title" grep -q '(Performance profile: 3 problems, tolerance 1e-08) Tj' hand.pdf
check "tau in the font Symbol" grep -q '^/F2 13 Tf (t) Tj' hand.pdf
# The table at the end has the places of the objects.
check "object 4 is where the table says" test "$(tail -c +$(($(grep -a -A5 '^0000000000 65535 f' hand.pdf |
  sed -n '5s/^0*\([0-9]*\) .*/\1/p') + 1)) hand.pdf | head -c 7)" = '4 0 obj'
check "the length of the drawing" test "$(sed -n '/^stream$/,/^endstream$/p' hand.pdf | sed '1d;$d' | wc -c)" -eq \
  "$(($(sed -n 's/^<< \/Length \([0-9]*\) >>$/\1/p' hand.pdf) + 1))"
if command -v pdftotext >/dev/null; then check "pdftotext reads it" pdftotext hand.pdf hand.txt; fi

# ---- nothing is solved: no mean, a profile all the same
run stiction bench set -m nsgs --max-iter 0 -o none.csv --profile none.svg
exits 0
shows '^nsgs +0 +0.0 +0 +- +-$'
check "the status" test "$(grep -c ',max_iterations,0,' none.csv)" -eq 3
check "the profile is XML" well_formed none.svg

# ---- a file that is broken, one that cannot be read, a name that needs quotes
mkdir mixed
echo "this is no problem" >mixed/bad.hdf5
cp other.hdf5 'mixed/a, "good" one.hdf5'
cp other.hdf5 mixed/z.hdf5
run stiction bench mixed -m newton -o mixed.csv --profile mixed.png
complains 'mixed.png: it is written as svg; name it so'
run stiction bench mixed -m newton -o mixed.csv
exits 1
says '1 of 3 files could not be read; the first: mixed/bad.hdf5'
check "quoted" grep -q '^"mixed/a, ""good"" one.hdf5",global,.*,solved,1,' mixed.csv
check "refused, with the sentence" grep -q '^mixed/bad.hdf5,,,,,,newton,refused,0,.*not an HDF5' \
  mixed.csv
check "the next one is solved" grep -q '^mixed/z.hdf5,.*,solved,1,' mixed.csv
shows '^newton +2 +66.7 '
shows '^refused on 1 problem: see the column note'
cp mixed.csv mixed.before
run stiction bench mixed -m newton -o mixed.csv --resume
exits 1
check "read back as written" cmp mixed.csv mixed.before

# ---- more methods later: the old rows are kept, in order; --resume without a file starts one
run stiction bench set -m newton -o more.csv --resume
exits 0
rows more.csv >old
run stiction bench set -m nsgs -o more.csv --resume
exits 0
shows_not '^newton'
run stiction bench set -m newton,nsgs -o more.csv --resume
exits 0
rows more.csv | grep ,newton, >new
check "the rows of the first run" cmp old new
check "6 rows" test "$(rows more.csv | wc -l)" -eq 6

# ---- other settings are not mixed
refuses() {
  run stiction bench set -m nsgs -o more.csv --resume "$@"
  complains "more.csv was made with other settings: "
  lacks more.csv.part
}
refuses --tol 1e-6
says 'there tol=1e-08, here tol=1e-06;'
refuses --time-limit 5
says 'there time_limit=60, here time_limit=5;'
refuses --repeat 2
refuses -j 2
refuses --set nsgs.omega=1.1
says 'there nothing, here nsgs.omega=1.1;'
run stiction bench other.hdf5 -m nsgs -q -o set.csv --set nsgs.omega=1.1
run stiction bench other.hdf5 -m nsgs -o set.csv --resume
complains 'there nsgs.omega=1.1, here nothing;'
run stiction bench other.hdf5 -m nsgs -o set.csv --resume --set nsgs.omega=1.1
exits 0
echo 'a,b,c' >foreign.csv
run stiction bench set -o foreign.csv --resume
complains 'foreign.csv: is no table of stiction bench'
check "and stays" grep -q '^a,b,c$' foreign.csv
{ head -2 more.csv; echo 'set/a.h5,global,3'; } >damaged.csv
run stiction bench set -m newton,nsgs -o damaged.csv --resume
complains 'damaged.csv: this is no row of a bench: set/a.h5,global,3$'

# ---- a short run is repeated: 500 runs take at least 500 times the least, here mostly computing
seconds() { awk -F '[ms ]+' 'END { print 60 * ($1 + $3) + $2 + $4 }' "$1"; } # of children
times >before
run stiction bench set/b.hdf5 -m nsgs -q --repeat 500
times >after
exits 0
check "the setting is noted" grep -q ' repeat=500 ' out
check "the least of 500 runs" awk -F, -v before="$(seconds before)" -v after="$(seconds after)" \
  'END { exit !($9 == 1 && after - before > 250 * $10) }' out

# ---- -j: the same rows in the same order
run stiction bench set other.hdf5 -m nsgs,newton -j 3 -o parallel.csv
exits 0
rows parallel.csv | cut -d, -f1,7 >order
check "problems x methods" cmp order expected
rows parallel.csv | cut -d, -f1-9,13-16 >a
rows out.csv | cut -d, -f1-9,13-16 >b
check "the same answers" cmp a b

# ---- mistakes
run stiction bench
complains "argument is missing"
run stiction bench set -m nsgs,newtn
complains "no method 'newtn'; did you mean 'newton'"
run stiction bench set -m nsgs,
complains "no method ''; known are: auto"
run stiction bench set missing
complains "missing: cannot be read: No such file"
run stiction bench empty
complains "empty: holds no problem"
run stiction bench /dev/null
complains "/dev/null: is no file and no directory"
run stiction bench -
complains "standard input"
run stiction bench set --resume
complains "--resume needs .*-o OUT"
run stiction bench set -o x --profile x
complains "name the same file"
run stiction bench set -o nowhere/x.csv
complains "nowhere"
run stiction bench set -o x.csv --profile empty
complains "empty: .*directory"
run stiction bench set --repeat 0
complains "option --repeat needs an integer from 1 to 1000"
run stiction bench set -j 0
complains "option --jobs needs an integer"
run stiction bench set -m nsgs,newtn --json
exits 1
json error
lacks x.csv.part

# ---- a disk that takes no more, here a limit on file sizes: the rows done are kept and taken up
# shellcheck disable=SC2016  # for the inner shell
run sh -c 'ulimit -f 1; stiction bench set other.hdf5 -m nsgs,newton,admm,ipm -o full.csv | cat
  stiction bench set other.hdf5 -m nsgs,newton,admm,ipm -q -o full.csv --resume'
exits 1
says '^stiction: full.csv.*: cannot be written: File too large'
lacks full.csv
exists full.csv.part
run stiction bench set other.hdf5 -m nsgs,newton,admm,ipm -q -o full.csv --resume
exits 0
lacks full.csv.part
check "16 whole rows" test "$(rows full.csv | grep -c -E '^[^,]+(,[^,]*){16},')" -eq 16

# ---- stdout that takes nothing
if [ -c /dev/full ]; then
  command="stiction bench >/dev/full"
  status=0
  stiction bench set -m nsgs >/dev/full 2>err || status=$?
  : >out
  exits 1
  says "cannot write to standard output: No space left"
  says_not "^method "
fi
command="stiction bench | (exec <&-)"
{
  sleep 1
  status=0
  stiction bench set -m nsgs 2>err || status=$?
  echo $status >code
} | (exec <&-)
status=$(cat code)
exits 1
says "cannot write to standard output: Broken pipe"

# ---- progress on a terminal only
run on_terminal stiction bench set -m nsgs,newton -o shown.csv
exits 0
shows '\[[-#]+\] 0/6 0:00, \? left: a.h5 nsgs'
run on_terminal stiction bench set -m nsgs,newton -q -o shown.csv
exits 0
prints_nothing

finish
