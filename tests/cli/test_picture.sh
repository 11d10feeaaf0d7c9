#!/bin/sh
# Runs of rigid bodies as pictures, VTK, tables and FCLIB problems, and sentences for what is wrong.
# shellcheck source-path=SCRIPTDIR source=assert.sh
. "$(dirname "$0")/assert.sh"

# A box of 2 x 2 x 1 m and 4000 kg on the floor, and a ball above it that falls for 0.1 s.
cat >block.lua <<'LUA'
world { mu = 0.5 }
rigid { name = "floor", plane = true }
rigid { name = "block", box = { 2, 2, 1 }, at = { 0, 0, 0.5 }, density = 1000 }
rigid { name = "ball", sphere = 0.5, at = { 0, 0, 3 }, density = 1000, color = { 1, 0, 0 } }
run { h = 0.01, t_end = 0.1 }
LUA
run stiction run block.lua -o block.h5
exits 0

# number FILE OFFSET: four bytes, most significant first.
number() { od -A n -t u1 -j "$2" -N 4 "$1" | awk '{ print (($1 * 256 + $2) * 256 + $3) * 256 + $4 }'; }

# is_png FILE WIDTH HEIGHT
is_png() {
  exists "$1"
  check "$1 begins as PNG does" test "$(od -A n -t x1 -N 8 "$1" | tr -d ' ')" = 89504e470d0a1a0a
  check "$1 is $2 wide" test "$(number "$1" 16)" -eq "$2"
  check "$1 is $3 high" test "$(number "$1" 20)" -eq "$3"
}

# ---- pictures
run stiction export block.h5 --png block.png --size 120x90
exits 0
stays_silent
shows '^written +block.png$'
is_png block.png 120 90
run stiction export block.h5 --png again.png --size 120x90 --row 10
check "the last row is the usual one, and the same bytes follow" cmp block.png again.png
run stiction export block.h5 --png at.png --size 120x90 --at 0.097
check "--at takes the nearest row" cmp block.png at.png
run stiction export block.h5 --png first.png --size 120x90 --row 0
check "another row is another picture" not cmp block.png first.png
run stiction export block.h5 --png near.png --size 120x90 --camera 'from=3,-4,2 to=0,0,1 angle=60'
exits 0
check "another camera too" not cmp block.png near.png
run stiction export block.h5 --png auto.png --size 120x90 --camera auto
exits 0
check "without a camera in the scene, auto is the usual one" cmp block.png auto.png
run stiction export block.h5 --png forces.png --size 120x90 --forces
exits 0
check "forces are seen" not cmp block.png forces.png
run stiction export block.h5 --png alone.png --size 120x90 --hide block,3
exits 0
run stiction export block.h5 --png film.png --moments 4 --size 200x160
exits 0
is_png film.png 200 160
run stiction export block.h5 --png film/ --every 5 --size 60x40 --json
exits 0
json png '"film/"'
for row in 0000 0005 0010; do is_png film/$row.png 60 40; done
lacks film/0001.png
lacks block.png.new
run stiction export block.h5 --svg block.svg --forces
exits 0
run cat block.svg
shows '<svg xmlns="http://www.w3.org/2000/svg" width="1200" height="800"'
shows 'class="ball"'
shows '</svg>'
run stiction export block.h5 --svg plots.svg --columns kinetic
exits 0
run cat plots.svg
shows 'kinetic'
shows_not 'class="ball"'

# ---- VTK: 6 faces of the box, 32 x 16 of the ball, a square of the floor
run stiction export block.h5 --vtk vtk
exits 0
exists vtk/bodies_0010.vtu
exists vtk/contacts_0010.vtu
run cat vtk/bodies.pvd
shows 'timestep="0.1[0-9]*" part="0" file="bodies_0010.vtu"'
run cat vtk/bodies_0010.vtu
shows 'NumberOfPoints="510" NumberOfCells="519"'
for name in body velocity omega 'kinetic energy' Points connectivity offsets types; do
  shows "Name=\"$name\""
done
# 519 vectors of three floats and eight bytes of length are 6236 bytes, 8316 letters
check "8316 letters of velocities" awk '/Name="velocity"/ {
  gsub(/<[^>]*>/, ""); exit length($0) != 8316 }' out
run cat vtk/contacts_0010.vtu
shows 'NumberOfPoints="4" NumberOfCells="4"'
for name in force 'force size' normal gap state 'first body' 'second body'; do
  shows "Name=\"$name\""
done
run stiction export block.h5 --vtk one --row 3
exits 0
exists one/bodies_0003.vtu
lacks one/bodies_0004.vtu
run stiction export block.h5 --vtk last.vtu
exits 0
check "a single file holds the last row" cmp last.vtu vtk/bodies_0010.vtu

# ---- contacts: 4 corners carry 4000 * 9.81 N
run stiction export block.h5 --csv points.csv --contacts --row 10
exits 0
run cat points.csv
shows '^t,first,second,state,x,y,z,gap,nx,ny,nz,fx,fy,fz$'
shows '(block,floor|floor,block),stick,'
check "the corners carry the weight" awk -F, 'NR > 1 { n++; f += $14 }
  END { f = f < 0 ? -f : f; exit !(n == 4 && f > 39239.9 && f < 39240.1) }' points.csv

# ---- a step as a problem
run stiction export block.h5 --fclib step.hdf5 --step 4
exits 0
exists step.hdf5
run stiction solve step.hdf5
exits 0
shows '4 contacts'

# ---- a world in the plane z = 0
cat >flat.lua <<'LUA'
world { plane = true, gravity = { 0, -9.81 } }
rigid { name = "floor", plane = true }
rigid { name = "disc", sphere = 0.5, at = { 0, 0.5 }, velocity = { 1, 0 }, density = 1000 }
run { h = 0.01, t_end = 0.02 }
LUA
run stiction run flat.lua -o flat.h5
exits 0
run stiction export flat.h5 --png flat.png --svg flat.svg --size 90x60 --camera 'to=0,0.5,0 width=3'
exits 0
is_png flat.png 90 60

# ---- what is wrong
run stiction export block.h5 --png a.png --row 11
complains 'there is no row 11; the run has rows 0 to 10'
run stiction export block.h5 --png a.png --camera 'form=1,2,3'
complains "'form=1,2,3' is no part of a camera"
run stiction export block.h5 --png a.png --hide nobody
complains "there is no body 'nobody' to hide"
run stiction export block.h5 --png a.png --size 120
complains 'it is WIDTHxHEIGHT'
run stiction export block.h5 --png a.png --row 1 --at 0.1
complains '--row or --at, not both'
run stiction export block.h5 --moments 4
complains '--moments needs --png FILE'
run stiction export block.h5 --fclib a.hdf5
complains '--fclib OUT and --step N go together'
run stiction export block.h5 --png nowhere/a.png
complains 'nowhere'
run stiction export flat.h5 --fclib a.hdf5 --step 4000
complains 'step'
lacks a.png
lacks a.hdf5
cat >bead.lua <<'LUA'
system { mass = 1, q = { 0 }, u = { 1 } }
run { h = 0.1, t_end = 0.2 }
LUA
run stiction run bead.lua -o bead.h5
run stiction export bead.h5 --png a.png
complains 'it is no run of rigid bodies'

finish
