// The factor of a basis of a linear program: B = L U by elimination of sparse columns [Gilbert and
// Peierls 1988], and the exchanges of columns since then, one elementary matrix each.
#ifndef STC_LINALG_BASIS_H
#define STC_LINALG_BASIS_H

#include "../../base/memory.h"

/// Sparse columns; column j has the entries ptr[j] to ptr[j + 1].
typedef struct stc_sparse_columns {
  int rows;
  const int *ptr, *row;
  const double *val;
} stc_sparse_columns;

typedef struct stc_basis stc_basis;

stc_error stc_basis_create(int rows, stc_basis **basis);
void stc_basis_free(stc_basis **basis);

/// Factorises the columns head[0] to head[rows - 1] of A. One that depends on the others to
/// rounding is replaced in `head` by the unit column of a row, column i for row i, which A must
/// have. STC_ERR_CALLBACK where the scope of the caller ended.
stc_error stc_basis_factorise(stc_basis *basis, const stc_sparse_columns *A, int *head);

/// x [rows by place in the head] = B^-1 b; b [rows] is overwritten.
void stc_basis_solve(const stc_basis *basis, double *b, double *x);

/// y [rows] = B^-T c; c [rows by place in the head] is overwritten.
void stc_basis_solve_transposed(const stc_basis *basis, double *c, double *y);

/// The column at `place` is exchanged for a; x = B^-1 a.
stc_error stc_basis_exchange(stc_basis *basis, int place, const double *x);

/// Whether a new factor is cheaper than more exchanges, and the exchanges since the factor.
bool stc_basis_is_worn(const stc_basis *basis);
int stc_basis_exchanges(const stc_basis *basis);

#endif
