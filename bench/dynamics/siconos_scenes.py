#!/usr/bin/env python3
"""Scenes of the comparison in Siconos' own simulation (Debian: python3-siconos, with Bullet).

  siconos_scenes.py DIRECTORY [most processor seconds per scene]

Reads the scenes that `dynamics_compare --write` left in DIRECTORY and writes NAME.places beside
each: the places at the start, then for each step its processor seconds and the places, as doubles.
Settings are Siconos' own: NSGS to 1e-4 with 1000 sweeps, Moreau and Jean's scheme, theta 0.50001.
"""
import contextlib
import glob
import os
import sys
import tempfile
import time

import numpy as np
import siconos.kernel as sk
import siconos.numerics as sn
from siconos.io.mechanics_run import MechanicsHdf5Runner
from siconos.mechanics.collision.bullet import SiconosBulletOptions
from siconos.mechanics.collision.tools import Contactor

SLAB = 1.0  # thickness of what stands for a plane, m
WIDE = 100.0


def read(path):
    with open(path) as file:
        h, mu, steps = file.readline().split(",")
        bodies = [line.strip().split(",") for line in file]
    return float(h), float(mu), int(steps), [(b[0], np.array([float(x) for x in b[1:]]))
                                             for b in bodies]


def rotation_to(normal):
    """The quaternion that takes z to the normal."""
    axis, cosine = np.cross((0, 0, 1), normal), normal[2]
    if cosine < -1 + 1e-12:
        return np.array([0, 1, 0, 0])
    q = np.array([1 + cosine, *axis])
    return q / np.linalg.norm(q)


def add_body(scene, number, kind, n):
    size, x, v, q, mass = n[:3], n[3:6], n[6:9], n[9:13], n[13]
    name = "s%d" % number
    if kind == "plane":
        scene.add_primitive_shape(name, "Box", (WIDE, WIDE, SLAB))
        scene.add_object("b%d" % number, [Contactor(name)], translation=x - size * SLAB / 2,
                         orientation=rotation_to(size))
        return
    if kind == "box":
        scene.add_primitive_shape(name, "Box", tuple(2 * size))
        inertia = mass / 3 * np.array([size[1]**2 + size[2]**2, size[0]**2 + size[2]**2,
                                       size[0]**2 + size[1]**2])
    else:
        scene.add_primitive_shape(name, "Sphere", (size[0],))
        inertia = 0.4 * mass * size[0]**2 * np.ones(3)
    dynamic = {"mass": mass, "inertia": list(inertia), "velocity": [*v, 0, 0, 0]} if mass else {}
    scene.add_object("b%d" % number, [Contactor(name)], translation=x, orientation=q, **dynamic)


class Recorder:
    def __init__(self, path, bodies, limit):
        self.file, self.limit, self.total = open(path, "wb"), limit, 0
        self.places = np.array([np.concatenate((n[3:6], n[9:13])) for _, n in bodies])
        self.moving = [k for k, (_, n) in enumerate(bodies) if n[13] > 0]
        self.file.write(self.places.tobytes())

    def start(self, runner):
        self.begin = time.process_time()

    def end(self, runner):
        took = time.process_time() - self.begin
        found = runner._io.positions(runner._nsds)
        order = np.argsort(found[:, 0])
        self.places[self.moving] = found[order, 1:8]
        self.file.write(np.array([took]).tobytes() + self.places.tobytes())
        self.total += took
        if self.total > self.limit:
            raise TimeoutError


def run(path, limit):
    h, mu, steps, bodies = read(path)
    if any(kind == "capsule" for kind, _ in bodies):
        return
    recorder = Recorder(path.replace(".scene", ".places"), bodies, limit)
    options = sk.solver_options_create(sn.SICONOS_FRICTION_3D_NSGS)
    options.iparam[sn.SICONOS_IPARAM_MAX_ITER] = 1000
    options.dparam[sn.SICONOS_DPARAM_TOL] = 1e-4
    file = os.path.join(tempfile.mkdtemp(), "scene.hdf5")
    with open(os.devnull, "w") as null, contextlib.redirect_stdout(null):
        with MechanicsHdf5Runner(io_filename=file) as scene:
            for k, (kind, numbers) in enumerate(bodies):
                add_body(scene, k, kind, numbers)
            scene.add_Newton_impact_friction_nsl("contact", mu=mu, e=0.0)
        with MechanicsHdf5Runner(mode="r+", io_filename=file) as runner:
            with contextlib.suppress(TimeoutError):
                runner.run(t0=0, T=steps * h, h=h, theta=0.50001, Newton_max_iter=1,
                           Newton_options=sk.SICONOS_TS_LINEAR,
                           bullet_options=SiconosBulletOptions(), solver_options=options,
                           verbose=False, verbose_progress=False, output_frequency=10**9,
                           start_run_iteration_hook=recorder.start,
                           end_run_iteration_hook=recorder.end)
    recorder.file.close()


def main():
    limit = float(sys.argv[2]) if len(sys.argv) > 2 else 30
    for path in sorted(glob.glob(os.path.join(sys.argv[1], "*.scene"))):
        run(path, limit)


if __name__ == "__main__":
    main()
