// A sparse matrix of an FCLIB file: triplets, columns or rows, entries in any order, repeated
// entries added up, as CSparse has it.
#ifndef STC_PROBLEM_MATRIX_H
#define STC_PROBLEM_MATRIX_H

#include "file.h"

#include <stiction/linalg.h>

/// Rows and columns of the matrix in the group `name`; everything else is zero.
stc_error stc_fclib_shape(stc_fclib_file *file, const char *name, stc_matrix *matrix);

/// The matrix itself, by rows, columns increasing in each row. Call it when rows and columns are
/// known to be plausible: the work space is proportional to them.
stc_error stc_fclib_matrix(stc_fclib_file *file, const char *name, stc_matrix *matrix);

#endif
