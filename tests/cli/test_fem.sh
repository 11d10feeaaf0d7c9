#!/bin/sh
# Deformable bodies on the command line: scenes, pictures and tables of them, resuming, and sentences
# for what is wrong.
STICTION_SCENES=$1/scenes
export STICTION_SCENES
# shellcheck source-path=SCRIPTDIR source=assert.sh
. "$(dirname "$0")/assert.sh"

# value NAME: a number of the JSON object, wherever it stands.
value() { sed -n "s/^ *\"$1\": \([-+0-9.e]*\),\{0,1\}\$/\1/p" out; }

# near NAME EXPECTED TOLERANCE
near() {
  check "$1 = $2 within $3, not $(value "$1")" awk -v x="$(value "$1")" -v y="$2" -v tol="$3" \
    'BEGIN { d = x - y; exit !(x != "" && d <= tol && d >= -tol) }'
}

# holds TEXT: the JSON object without blanks holds it.
holds() { check "JSON holds $1" sh -c 'tr -d " \n" <out | grep -q -F -e "$0"' "$1"; }

# ---- Hertz: a list with an entry for each load step, numbers, and where the time went
run stiction run hertz/cylinders --set n=4 --set method=adapted --set eps0=2 --json
exits 0
stays_silent
json status '"done"'
json steps 2
check "two iterations" sh -c 'tr -d " \n" <out | grep -q -E "\"iterations\":\[[0-9]+,[0-9]+\]"'
near p_max 4192.36 42
near p_hertz 4198.8 2
near half_width_hertz 0.382 0.001
near load 2520 2
json stages
holds '"eps0":2,'
holds '"method":"adapted"'
run stiction run hertz/cylinders --set n=4 --json
near load 2520.02645 1e-4
near p_max 4192.3557 1e-3
run stiction run hertz/patch --set element=Q8 --set lower=5 --set upper=3 --json
near error 0 1e-10
run stiction run hertz/block --set mu=0.2 --json
holds '"motion":"slides"'

# ---- beyond small strain: a beam of 10 m whose end goes 8 m across has a status of its own
cat >beam.lua <<'EOF'
local p = parameters { across = 8, max_rotation = 0.1, hold = true }
grid { element = "Q4", cells = { 20, 2 }, body = "beam", map = function(s, t) return 10 * s, t end }
solid { kinematics = "plane_strain" }
body { group = "beam", young = 1000, poisson = 0.3 }
if p.hold then support { group = "beam.s0", component = "all", value = 0 } end
support { group = "beam.s1", component = "y", value = function(t) return p.across * math.min(t, 2 - t) end }
steps { times = { 1, 2 }, max_rotation = p.max_rotation }
observables { strain = function(s) return s.strain end, rotation = function(s) return s.rotation end,
  report = function(s) return s.report.largest_rotation end }
EOF
run stiction run beam.lua --json -o beam.h5
exits 4
json status '"large_strain"'
holds '"large":true'
near rotation 0 1e-9
near report 0.88 0.02
run stiction run beam.lua
exits 4
shows '^status +large_strain'
shows '^deformation .*rotation up to 0.[89].*more than small strain allows'
run stiction run beam.lua --set across=0.1 --json
exits 0
json status '"done"'
holds '"large":false'
run stiction run beam.lua --set max_rotation=2 --set across=1 --json
exits 0
# ... also where the run was resumed after the step that was too large
run stiction run beam.lua --until 1 -o beam.h5
run stiction run beam.lua --resume -o beam.h5
exits 4
shows '^deformation .*more than small strain allows'
run stiction export beam.h5 --csv -
shows '^t,.*,strain,rotation,'

# ---- a model that is not held, or whose supports contradict its contact, is refused by name
run stiction run beam.lua --set hold=false
complains "beam.lua:3: body 'beam' around \\(5, 0.5\\) is not held: it can move along x"
cat >held.lua <<'EOF'
local p = parameters { down = 0.01 }
grid { element = "Q4", cells = { 1, 1 }, body = "b" }
solid { kinematics = "plane_strain" }
body { group = "b", young = 1000, poisson = 0.3 }
support { group = "b", component = "x", value = 0 }
support { group = "b.t0", component = "y", value = function(t) return -p.down * t end }
support { group = "b.t1", component = "y", value = function(t) return -2 * p.down * t end }
contact { name = "floor", slave = "b.t0", obstacle = plane { point = { 0, 0 }, normal = { 0, 1 } } }
steps { times = { 1 } }
observables { fy = function(s) local _, f = s.force("b.t1") return f end }
EOF
run stiction run held.lua --set down=-0.01 --json
exits 0
near fy 13.4615384615 1e-9
run stiction run held.lua --json
exits 3
json status '"no_solution"'
says 'node 0 at .0, 0. and press it 0.01 deep: no force can open it'

# ---- what there is
run stiction run hertz/mindlin --list
exits 0
shows '^contacts +contact$'
shows '^observables .*stick_half_width'
run stiction list elements
shows '^T6 .*quadratic'
run stiction list materials --json
json materials
run stiction list contact
shows '^active-set '
shows '^adapted '
run stiction list steps
shows '^eps0 '

# ---- the run file: VTK, contact points, plots, rows
run stiction run hertz/cylinders --set n=6 -o hertz.h5
exits 0
shows '^iterations +[0-9]+, [0-9]+$'
shows '^stages +assembly'
run stiction export hertz.h5
exits 0
shows '^rows +3, to t = 2$'
run stiction export hertz.h5 --json
holds '"vtk":null'
check "the list is in the file" sh -c 'tr -d " \n" <out | grep -q -E "\"iterations\":\[[0-9]+,[0-9]+\]"'
run stiction export hertz.h5 --vtk vtk
exits 0
for row in 0000 0001 0002; do
  exists vtk/bodies_$row.vtu
  exists vtk/contacts_$row.vtu
done
exists vtk/bodies.pvd
exists vtk/contacts.pvd
run cat vtk/bodies.pvd
shows 'timestep="2" part="0" file="bodies_0002.vtu"'
run cat vtk/bodies_0002.vtu
shows 'NumberOfPoints="450" NumberOfCells="392"'
for name in displacement stress 'von Mises stress' 'plastic strain' connectivity offsets types; do
  shows "Name=\"$name\""
done
# 450 vectors of three doubles and eight bytes of length are 10808 bytes, 14412 letters
check "the displacements are whole" awk -F'[<>]' '/Name="displacement"/ { exit length($3) != 14412 }' out
run cat vtk/contacts_0002.vtu
for name in pressure shear gap slip state; do shows "Name=\"$name\""; done
run stiction export hertz.h5 --vtk last.vtu -q
exits 0
prints_nothing
check "a file is its last row" cmp last.vtu vtk/bodies_0002.vtu
run stiction export hertz.h5 --vtk first.vtu --row 0 -q
check "or the row asked for" cmp first.vtu vtk/bodies_0000.vtu
run stiction export hertz.h5 --csv - --contacts
exits 0
check "the names" test "$(head -1 out)" = \
  t,contact,node,state,x,y,z,gap,pressure,shear1,shear2,slip1,slip2,area,nx,ny,nz
check "15 points in three rows" test "$(wc -l <out)" -eq 46
check "the largest pressure" awk -F, 'NR > 1 && $9 > most { most = $9 } END { exit !(most > 4199.3 && most < 4199.4) }' out
run stiction export hertz.h5 --csv points.csv --contacts --row 1 -q
check "one row" test "$(wc -l <points.csv)" -eq 16
run stiction export hertz.h5 --svg hertz.svg -q
run cat hertz.svg
shows '>pressure</text>'
shows '>Hertz</text>'
shows '<circle '
shows_not 'nan|inf'
# ... several runs in one picture, told apart by the parameters that differ, and one as a line
for eps0 in 1e4 1e6; do
  run stiction run hertz/cylinders --set material=elastoplastic --set method=penalty --set eps0=$eps0 -o $eps0.h5 -q
done
run stiction run hertz/cylinders --set material=elastoplastic --set n=8 -o fine.h5 -q
run stiction export 1e4.h5 1e6.h5 --reference fine.h5 --svg several.svg -q
exits 0
run cat several.svg
for label in eps0=10000 "eps0=(1000000|1e.06)" reference; do shows ">$label</text>"; done
shows_not 'Hertz|nan|inf|>n='
run stiction export 1e4.h5 1e6.h5 --csv several.csv
exits 1
says 'several runs are for --svg'
run stiction run hertz/cylinders --set method=adapted --set gap=1e-6 --set first_gap=1e-3 --set augmentations=2
complains 'gap, first_gap and augmentations are given; choose two'
run stiction run hertz/cylinders --set method=adapted --set gap=1e-3 --set first_gap=1e-6
complains 'gap = 0.001 is above first_gap = 1e-06'
run stiction run hertz/cylinders --set augmentations=2
complains 'settings of the method adapted'
run stiction export hertz.h5 --svg load.svg --columns load -q
run cat load.svg
shows '>load</text>'
shows_not '>Hertz</text>'
run stiction export hertz.h5 --vtk x --row 3
complains 'there is no row 3; the run has rows 0 to 2'
run stiction export hertz.h5 --contacts
exits 1
says '--contacts needs --csv'
run stiction run moreau/incline -o incline.h5 -q
run stiction export incline.h5 --vtk x
complains 'incline.h5: .* without deformable bodies'

# ---- temperature in pictures and VTK
run stiction run thermal/gap -o gap.h5 -q
exits 0
run stiction export gap.h5 --svg field.svg --field temperature -q
exits 0
run cat field.svg
shows '>temperature, t = 1</text>'
shows_not 'nan|inf'
check "a path for each of 10 cells" test "$(grep -c '<path' out)" -eq 10
run stiction export gap.h5 --vtk gap.vtu -q
run cat gap.vtu
shows 'Name="temperature"'
shows 'Name="potential"'
run stiction export hertz.h5 --svg field.svg --field temperature
complains "there is no field 'temperature' in this run"
run stiction export gap.h5 --field temperature
exits 1
says '--field is for --svg'

# ---- resuming gives the same bytes
run stiction run hertz/mindlin --set n=6 --set m=6 -o whole.h5 -q
exits 0
run stiction run hertz/mindlin --set n=6 --set m=6 -o parts.h5 -q --until 1
exits 0
run stiction run hertz/mindlin -o parts.h5 --resume --until 3 -q
exits 0
run stiction run hertz/mindlin -o parts.h5 --resume --json
exits 0
json resumed_steps 3
stiction export whole.h5 --csv whole.csv -q
stiction export parts.h5 --csv parts.csv -q
check "the same rows" cmp whole.csv parts.csv
stiction export whole.h5 --vtk whole -q
stiction export parts.h5 --vtk parts -q
check "the same bodies" cmp whole/bodies_0004.vtu parts/bodies_0004.vtu
check "the same contacts" cmp whole/contacts_0004.vtu parts/contacts_0004.vtu

# ---- a mesh from a file, next to the scene
cat >two.msh <<'END'
$MeshFormat
2.2 0 8
$EndMeshFormat
$PhysicalNames
3
2 1 "block"
1 2 "top"
1 3 "bottom"
$EndPhysicalNames
$Nodes
4
1 0 0 0
2 1 0 0
3 1 1 0
4 0 1 0
$EndNodes
$Elements
3
1 3 2 1 1 1 2 3 4
2 1 2 2 2 3 4
3 1 2 3 3 1 2
$EndElements
END
cat >msh.lua <<'END'
gmsh { file = "two.msh" }
solid { kinematics = "plane_stress" }
body { group = "block", young = 100, poisson = 0 }
support { group = "bottom", component = "all", value = 0 }
support { group = "top", component = "y", value = -0.1 }
steps { times = { 1 } }
observables { force = function(s) return select(2, s.force("top")) end }
END
run stiction run msh.lua --json
exits 0
near force -10 1e-9
sed 's/"top"/"lid"/' two.msh >lid.msh
sed 's/two.msh/lid.msh/' msh.lua >lid.lua
run stiction run lid.lua
complains "lid.lua:5: support: the mesh has no group 'top'"
head -12 two.msh >cut.msh
sed 's/two.msh/cut.msh/' msh.lua >cut.lua
run stiction run cut.lua
complains 'cut.lua:1: .*cut.msh'
sed 's/1 3 2 1 1 1 2 3 4/1 3 2 1 1 4 3 2 1/' two.msh >turned.msh
sed 's/two.msh/turned.msh/' msh.lua >turned.lua
run stiction run turned.lua
complains 'turned.lua:1: .*turned.msh.*inverted'

# ---- a load step without equilibrium: perfectly plastic under twice what it can bear
cat >limit.lua <<'END'
-- The block yields at a pressure of 1.
grid { element = "Q4", cells = { 4, 2 }, body = "a" }
solid { kinematics = "plane_stress" }
body { group = "a", young = 100, poisson = 0.3, yield = 1 }
support { group = "a.s0", component = "x", value = 0 }
pressure { group = "a.t1", value = function(t) return t end }
contact { name = "floor", slave = "a.t0", obstacle = plane { point = { 0, 0 }, normal = { 0, 1 } } }
steps { times = { 0.5, 2 }, max_cuts = 3, max_iterations = 20 }
END
run stiction run limit.lua -o limit.h5 --json
exits 2
json status '"max_iterations"'
json steps 1
says 'from t = 0.5 to 2'
exists limit.capsule.hdf5
run stiction solve limit.capsule.hdf5 --guess --json
json contacts 5
run stiction export limit.h5 --csv -
check "the steps before it are kept" test "$(wc -l <out)" -eq 3

finish
