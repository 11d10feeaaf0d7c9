"""Copies of SOLVED whose stored solution is no good, the problem as it was: damage.py SOLVED DIRECTORY"""
import os
import shutil
import sys

import h5py
import numpy as np


def unwritten(file, r):
    file.create_dataset("solution/r", shape=r.shape, dtype="f8")


def partly(file, r):
    data = file.create_dataset("solution/r", shape=r.shape, dtype="f8", chunks=(5,))
    data[:5] = r[:5]


def nan(file, r):
    r[3] = np.nan
    file["solution/r"] = r


def short(file, r):
    file["solution/r"] = r[:-1]


def text(file, r):
    file["solution/r"] = "not numbers"


def guess(file, r):
    file["solution/r"] = r
    file["guesses/number_of_guesses"] = np.array([1], "i4")
    file.create_dataset("guesses/1/r", shape=r.shape, dtype="f8", chunks=True)


def main():
    source, directory = sys.argv[1:]
    os.makedirs(directory, exist_ok=True)
    for damage in unwritten, partly, nan, short, text, guess:
        path = os.path.join(directory, damage.__name__ + ".hdf5")
        shutil.copy(source, path)
        with h5py.File(path, "r+") as file:
            r = file["solution/r"][()]
            del file["solution/r"]
            damage(file, r)


if __name__ == "__main__":
    main()
