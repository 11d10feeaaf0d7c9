#!/usr/bin/env python3
"""The spheres of piles.c in Siconos' own simulation (Debian: python3-siconos, with Bullet).

  siconos_piles.py spheres.csv seconds h [tolerance [most sweeps [most processor seconds]]]

Reads the spheres that `piles` wrote, runs the same box with Moreau and Jean's scheme and NSGS, and
prints one row per fifth of the time. Nothing is written while it runs. `error` is the solver's own
measure |F_nat| / |q|, the largest and the median of the steps.
"""
import contextlib
import os
import sys
import tempfile
import time

import numpy as np
import siconos.kernel as sk
import siconos.numerics as sn
from siconos.io.mechanics_run import MechanicsHdf5Runner
from siconos.mechanics.collision.bullet import SiconosBulletOptions

DENSITY, MU, WINDOWS, WALL = 2500, 0.5, 5, 1.0


def read(path):
    with open(path) as file:
        side = float(file.readline().split(",")[-1])
        return np.array([[float(x) for x in line.split(",")] for line in file]), side


def add_box(scene, side):
    """A floor and four walls, 1 m thick."""
    wide, tall = side + 2 * WALL, 4 * side
    scene.add_primitive_shape("floor", "Box", (wide, wide, WALL))
    scene.add_primitive_shape("wall_x", "Box", (WALL, wide, tall))
    scene.add_primitive_shape("wall_y", "Box", (wide, WALL, tall))
    middle, out = side / 2, WALL / 2
    places = [("floor", (middle, middle, -out)),
              ("wall_x", (-out, middle, tall / 2)), ("wall_x", (side + out, middle, tall / 2)),
              ("wall_y", (middle, -out, tall / 2)), ("wall_y", (middle, side + out, tall / 2))]
    from siconos.mechanics.collision.tools import Contactor
    for number, (shape, place) in enumerate(places):
        scene.add_object("wall%d" % number, [Contactor(shape)], translation=place)


def add_spheres(scene, spheres):
    from siconos.mechanics.collision.tools import Contactor
    for k, (radius, x, y, z, vx, vy, vz) in enumerate(spheres):
        mass = DENSITY * 4 / 3 * np.pi * radius**3
        scene.add_primitive_shape("s%d" % k, "Sphere", (radius,))
        scene.add_object("b%d" % k, [Contactor("s%d" % k)], translation=(x, y, z),
                         velocity=(vx, vy, vz, 0, 0, 0), mass=mass,
                         inertia=[0.4 * mass * radius**2] * 3)


def options(tolerance, sweeps):
    o = sk.solver_options_create(sn.SICONOS_FRICTION_3D_NSGS)
    o.iparam[sn.SICONOS_IPARAM_MAX_ITER] = sweeps
    o.dparam[sn.SICONOS_DPARAM_TOL] = tolerance
    return o


class Clock:
    def __init__(self):
        self.begin, self.steps = None, []

    def start(self, runner):
        self.begin = time.process_time()

    def end(self, runner):
        took = time.process_time() - self.begin
        problem = runner._simulation.oneStepNSProblem(0)
        o = problem.numericsSolverOptions()
        busy = problem.getSizeOutput() > 0
        self.steps.append((took, problem.getSizeOutput() / 3,
                           o.iparam[sn.SICONOS_IPARAM_ITER_DONE] if busy else 0,
                           o.dparam[sn.SICONOS_DPARAM_RESIDU] if busy else 0))


def main():
    spheres, side = read(sys.argv[1])
    seconds, h = float(sys.argv[2]), float(sys.argv[3])
    tolerance = float(sys.argv[4]) if len(sys.argv) > 4 else 1e-6
    sweeps = int(sys.argv[5]) if len(sys.argv) > 5 else 100000
    limit = float(sys.argv[6]) if len(sys.argv) > 6 else 1e9
    clock = Clock()
    began = time.process_time()

    def end(runner):
        clock.end(runner)
        if time.process_time() - began > limit:
            raise TimeoutError
    path = os.path.join(tempfile.mkdtemp(), "pile.hdf5")
    bullet = SiconosBulletOptions()
    bullet.perturbationIterations = 0  # spheres touch in one point
    bullet.minimumPointsPerturbationThreshold = 0
    with open(os.devnull, "w") as null, contextlib.redirect_stdout(null):
        with MechanicsHdf5Runner(io_filename=path) as scene:
            add_box(scene, side)
            add_spheres(scene, spheres)
            scene.add_Newton_impact_friction_nsl("contact", mu=MU, e=0.0)
        with MechanicsHdf5Runner(mode="r+", io_filename=path) as runner:
            try:
                runner.run(t0=0, T=seconds, h=h, theta=0.50001, Newton_max_iter=1,
                           Newton_options=sk.SICONOS_TS_LINEAR, bullet_options=bullet,
                           solver_options=options(tolerance, sweeps), verbose=False,
                           verbose_progress=False, output_frequency=10**9,
                           start_run_iteration_hook=clock.start, end_run_iteration_hook=end)
            except TimeoutError:
                pass
    print("spheres,h,until_s,steps,contacts,step_ms,slowest_ms,sweeps,error,median_error")
    steps = np.array(clock.steps)
    for k in range(WINDOWS):
        begin, stop = len(steps) * k // WINDOWS, len(steps) * (k + 1) // WINDOWS
        part = steps[begin:stop]
        print("%d,%g,%.3f,%d,%d,%.3f,%.3f,%d,%.1e,%.1e" % (
            len(spheres), h, stop * h, stop - begin, part[:, 1].mean(), 1e3 * part[:, 0].mean(),
            1e3 * part[:, 0].max(), part[:, 2].mean(), part[:, 3].max(), np.median(part[:, 3])))


if __name__ == "__main__":
    main()
