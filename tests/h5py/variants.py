"""Writes FCLIB files again in every way h5py can store them: variants.py DIRECTORY FILE...

FILE.hdf5 in the way `gzip` becomes DIRECTORY/FILE/gzip.hdf5.

Each variant holds the same numbers. Reading it must give the same problem to the last bit.
"""
import os
import sys

import h5py
import numpy as np


def arrays(path):
    """name -> array of every dataset, names in order."""
    found = {}
    with h5py.File(path, "r") as file:
        file.visititems(lambda name, item: found.update({name: item[()]})
                        if isinstance(item, h5py.Dataset) else None)
    return found


def is_text(value):
    return isinstance(value, (bytes, str)) or value.dtype.kind in "SO"


def write(path, found, put, **options):
    with h5py.File(path, "w", **options) as file:
        for name, value in found.items():
            if is_text(value):
                file.create_dataset(name, data=value)
            else:
                put(file, name, value)
    return path


# --- How one dataset is put ---

def plain(file, name, value, **options):
    file.create_dataset(name, data=value, **options)


def chunked(rows, **options):
    """Chunks of `rows` elements, at most as many as there are."""
    def put(file, name, value):
        if value.size == 0:
            return plain(file, name, value)
        plain(file, name, value, chunks=(min(rows, value.size),), **options)
    return put


def resizable(rows, **options):
    """No greatest extent: chunks reach over the end."""
    def put(file, name, value):
        plain(file, name, value, chunks=(rows,), maxshape=(None,), **options)
    return put


def bounded(rows, **options):
    """A greatest extent that is more than the extent."""
    def put(file, name, value):
        plain(file, name, value, chunks=(rows,), maxshape=(3 * value.size + 7,), **options)
    return put


def converted(integers, reals):
    def put(file, name, value):
        plain(file, name, value.astype(integers if value.dtype.kind == "i" else reals))
    return put


def column(file, name, value):
    plain(file, name, value.reshape(-1, 1))


def row(file, name, value):
    plain(file, name, value.reshape(1, -1))


def row_chunked(maxshape, **options):
    def put(file, name, value):
        if value.size == 0:
            return plain(file, name, value.reshape(1, -1))
        plain(file, name, value.reshape(1, -1), chunks=(1, min(5, value.size)),
              maxshape=maxshape, **options)
    return put


def column_chunked(maxshape, **options):
    def put(file, name, value):
        if value.size == 0:
            return plain(file, name, value.reshape(-1, 1))
        plain(file, name, value.reshape(-1, 1), chunks=(min(5, value.size), 1),
              maxshape=maxshape, **options)
    return put


def scalar(file, name, value):
    plain(file, name, value[0] if value.size == 1 else value)


def compact(file, name, value):
    create = h5py.h5p.create(h5py.h5p.DATASET_CREATE)
    if value.nbytes < 60000:
        create.set_layout(h5py.h5d.COMPACT)
    put_low(file, name, value, create)


def put_low(file, name, value, create, maximum=None):
    links = h5py.h5p.create(h5py.h5p.LINK_CREATE)
    links.set_create_intermediate_group(True)
    space = h5py.h5s.create_simple(value.shape, maximum)
    data = h5py.h5d.create(file.id, name.encode(), h5py.h5t.py_create(value.dtype), space, create,
                           lcpl=links)
    if value.size:
        data.write(h5py.h5s.ALL, h5py.h5s.ALL, value)


def early(file, name, value):
    """Chunks that have their place before anything is written: no index in the newest format."""
    create = h5py.h5p.create(h5py.h5p.DATASET_CREATE)
    if value.size:
        create.set_chunk((min(3, value.size),))
        create.set_alloc_time(h5py.h5d.ALLOC_TIME_EARLY)
    put_low(file, name, value, create)


def commit(file, name, value):
    """Datatypes with names of their own."""
    kind = "types/" + value.dtype.str[1:]
    if kind not in file:
        file[kind] = value.dtype
    file.create_dataset(name, data=value, dtype=file[kind])


def attributes(file, name, value):
    """More attributes than fit a header."""
    plain(file, name, value)
    for k in range(40):
        file[name].attrs["note %d" % k] = "x" * 50 * k


def is_problem(name):
    """An unwritten solution is absent; an unwritten vector of a problem is its fill value."""
    return name.startswith("fclib_")


def sparse(file, name, value):
    """The fill value is the most frequent number; chunks that consist of it are not written."""
    if value.size == 0 or not is_problem(name):
        return plain(file, name, value)
    numbers, counts = np.unique(value, return_counts=True)
    fill = numbers[np.argmax(counts)]
    data = file.create_dataset(name, shape=value.shape, dtype=value.dtype, chunks=(1,),
                               fillvalue=fill)
    for k in np.flatnonzero(value.view("u%d" % value.itemsize) != fill.view("u%d" % fill.itemsize)):
        data[k] = value[k]


def unwritten(file, name, value):
    """A vector of equal numbers is its fill value and was never written."""
    bits = value.view("u%d" % value.itemsize)
    if value.size == 0 or not is_problem(name) or len(np.unique(bits)) > 1:
        return plain(file, name, value)
    create = h5py.h5p.create(h5py.h5p.DATASET_CREATE)
    create.set_fill_value(value[:1].reshape(()))
    links = h5py.h5p.create(h5py.h5p.LINK_CREATE)
    links.set_create_intermediate_group(True)
    h5py.h5d.create(file.id, name.encode(), h5py.h5t.py_create(value.dtype),
                    h5py.h5s.create_simple(value.shape), create, lcpl=links)


def crowded(file, name, value):
    """Many other names around each one."""
    plain(file, name, value)
    group = file[name].parent
    for k in range(30):
        group.require_dataset("other %d of %s" % (k, name.replace("/", "-")), (1,), "i4")


def grown(file, name, value):
    """Written in steps, as a program that appends does."""
    if value.size == 0:
        return plain(file, name, value)
    data = file.create_dataset(name, shape=(0,), dtype=value.dtype, maxshape=(None,), chunks=(2,))
    step = max(1, value.size // 7)
    for end in list(range(step, value.size, step)) + [value.size]:
        data.resize((end,))
        data[...] = value[:end]


def shrunk(file, name, value):
    """Longer at first; what is cut off leaves nothing."""
    longer = np.concatenate([value, value, value])
    data = file.create_dataset(name, data=longer, maxshape=(None,), chunks=(3,))
    data.resize((value.size,))


NEW = {"libver": "latest"}
VARIANTS = {
    "copied": (plain, {}),
    "latest": (plain, NEW),
    "v108": (plain, {"libver": ("v108", "v108")}),
    "chunked": (chunked(4), {}),
    "chunked-one": (chunked(1), {}),
    "chunked-whole": (chunked(1 << 30), {}),
    "gzip": (chunked(16, compression="gzip"), {}),
    "gzip9-shuffle": (chunked(16, compression="gzip", compression_opts=9, shuffle=True), {}),
    "shuffle": (chunked(7, shuffle=True), {}),
    "lzf": (chunked(64, compression="lzf"), {}),
    "lzf-shuffle": (chunked(64, compression="lzf", shuffle=True), {}),
    "fletcher32": (chunked(9, fletcher32=True), {}),
    "everything": (chunked(11, fletcher32=True, shuffle=True, compression="gzip"), {}),
    "lzf-everything": (chunked(11, fletcher32=True, shuffle=True, compression="lzf"), {}),
    "resizable": (resizable(5), {}),
    "resizable-gzip": (resizable(1024, compression="gzip"), {}),
    "bounded": (bounded(5), {}),
    "grown": (grown, {}),
    "shrunk": (shrunk, {}),
    "sparse": (sparse, {}),
    "unwritten": (unwritten, {}),
    "compact": (compact, {}),
    "early": (early, {}),
    "big-endian": (converted(">i4", ">f8"), {}),
    "wide": (converted("<i8", "<f8"), {}),
    "big-and-wide": (converted(">i8", ">f8"), {}),
    "reals": (converted("<f8", "<f8"), {}),
    "column": (column, {}),
    "row": (row, {}),
    "row-chunked": (row_chunked(None, compression="gzip"), {}),
    "scalar": (scalar, {}),
    "user-block-512": (plain, {"userblock_size": 512}),
    "user-block-4096": (chunked(8, compression="gzip"), {"userblock_size": 4096}),
    "committed": (commit, {}),
    "attributes": (attributes, {}),
    "crowded": (crowded, {}),
    "ordered": (plain, {"track_order": True}),
    "latest-single": (chunked(1 << 30), NEW),
    "latest-single-gzip": (chunked(1 << 30, compression="gzip"), NEW),
    "latest-fixed": (chunked(2), NEW),
    "latest-fixed-gzip": (chunked(2, compression="gzip", shuffle=True), NEW),
    "latest-fixed-row": (row_chunked((3, 20000)), NEW),
    "latest-implicit": (early, NEW),
    "latest-extensible": (resizable(1), NEW),
    "latest-extensible-lzf": (resizable(2, compression="lzf"), NEW),
    "latest-extensible-row": (row_chunked((2, None)), NEW),
    "latest-extensible-column": (column_chunked((None, 3), compression="gzip"), NEW),
    "latest-bounded": (bounded(2, fletcher32=True), NEW),
    "latest-tree": (row_chunked((None, None)), NEW),
    "latest-tree-gzip": (column_chunked((None, None), compression="gzip"), NEW),
    "latest-sparse": (sparse, NEW),
    "latest-grown": (grown, NEW),
    "latest-shrunk": (shrunk, NEW),
    "latest-unwritten": (unwritten, NEW),
    "latest-compact": (compact, NEW),
    "latest-committed": (commit, NEW),
    "latest-attributes": (attributes, NEW),
    "latest-crowded": (crowded, NEW),
    "latest-user-block": (chunked(3, compression="gzip"), {"libver": "latest",
                                                          "userblock_size": 1024}),
}


def main():
    directory, sources = sys.argv[1], sys.argv[2:]
    assert len(VARIANTS) >= 24 and sources
    for source in sources:
        found = arrays(source)
        place = os.path.join(directory, os.path.splitext(os.path.basename(source))[0])
        os.makedirs(place, exist_ok=True)
        for name, (put, options) in VARIANTS.items():
            write(os.path.join(place, name + ".hdf5"), found, put, **options)


if __name__ == "__main__":
    main()
