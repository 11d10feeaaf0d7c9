// What the tests of FCLIB files share: a directory of their own, problems, datasets put by libhdf5.
#ifndef STC_TEST_FCLIB_SUPPORT_H
#define STC_TEST_FCLIB_SUPPORT_H

#include "expect.h"

#include <stiction/problem.h>

#include <hdf5.h>

/// cmocka fixtures: an empty directory before the tests, gone after them.
int fclib_setup(void **state);
int fclib_teardown(void **state);

/// The path of a file in that directory; valid until the fourth call after this one.
const char *fclib_path(const char *name);

/// Number of files in that directory.
int fclib_files(void);

/// Two contacts with full coupling; with joints, mu2 and texts where asked for.
stc_problem *fclib_local(int dim, bool joints, bool elliptic);

/// Two bodies with `dim` degrees of freedom each, two contacts; f, w, b all non-zero.
stc_problem *fclib_global(int dim, bool joints, bool elliptic);

/// The two hold the same bits.
void fclib_expect_same(const stc_problem *a, const stc_problem *b);

/// Makes a dataset of `count` elements, and the groups on the way to it.
void fclib_put(hid_t file, const char *name, hid_t stored, hid_t given, hsize_t count,
               const void *values);
void fclib_put_int(hid_t file, const char *name, int value);
void fclib_put_doubles(hid_t file, const char *name, int count, const double *values);
void fclib_put_ints(hid_t file, const char *name, int count, const int *values);

/// Reads a dataset of known length with libhdf5.
void fclib_get(const char *path, const char *name, hid_t type, int count, void *values);
void fclib_get_ints(const char *path, const char *name, int count, int *values);
void fclib_get_doubles(const char *path, const char *name, int count, double *values);

/// No file is open that was not when the tests began.
void fclib_expect_closed(void);

#endif
