// What the existence theorem asks of M or W, checked.
#ifndef STICTION_CLI_PREMISE_H
#define STICTION_CLI_PREMISE_H

#include "check_rows.h"

typedef struct premise {
  bool known;      ///< S + slack diag(S) is positive semi-definite, beyond doubt
  bool regular;    ///< and S, the symmetric part of the matrix, is positive definite
  bool symmetric;  ///< the matrix is symmetric, exactly
  bool too_large;  ///< not known because some block is too large
} premise;

/// Of M in the global form, of [R V^T; V W] in the local form.
premise premise_check(const rows *p, double slack);
#endif
