// Sparse LU of a block matrix with symmetric pattern, by supernodes, with pivoting inside diagonal
// blocks. All memory is taken at creation: factorising, solving and selecting a part allocate
// nothing.
#ifndef STC_LINALG_LU_H
#define STC_LINALG_LU_H

#include "../base/team.h"
#include "symbolic.h"

typedef struct stc_lu stc_lu;

/// Orders, analyses and allocates (a small matrix is analysed when first used); the pattern's
/// arrays must outlive the result. Fails with STC_ERR_MEMORY where the factors need more than
/// `memory_limit` bytes.
stc_error stc_lu_create(const stc_pattern *pattern, double memory_limit, stc_lu **lu);
void stc_lu_free(stc_lu **lu);

/// Up to this many rows full factors are small, and no analysis is needed to bound them.
enum { STC_LU_SMALL = 450 };

/// Bytes that suffice for any small matrix with at most `nodes`, `entries` blocks and `rows`.
size_t stc_lu_room(int nodes, int entries, int rows);

/// The same as stc_lu_create for a small matrix, inside memory of the caller.
stc_error stc_lu_create_within(stc_arena *room, const stc_pattern *pattern, stc_lu **lu);

/// Restricts the matrix to the nodes with active[i] (all if NULL) and analyses it again. Rows and
/// columns of the other nodes are left out. False if it was stopped (base/stop.h): nothing is
/// selected then.
bool stc_lu_select(stc_lu *lu, const bool *active);

/// Makes the analysis that a small matrix puts off until it is needed.
void stc_lu_analyse(stc_lu *lu);

/// Threads that share the large products of a factorisation; NULL: none. The bits do not depend on
/// it.
void stc_lu_set_team(stc_lu *lu, stc_team *team);

/// Factorises the selected part. The block of pattern entry e is val[val_ptr[e] ...], by columns.
/// A pivot that vanishes is replaced by a small number; returns how many were. Where it is stopped
/// there are no factors, and solves leave x as it is.
int stc_lu_factorise(stc_lu *lu, const double *val, const size_t *val_ptr);

/// x = A^-1 x over the selected nodes; node i's part starts at the sum of the sizes before it.
void stc_lu_solve(const stc_lu *lu, double *x);

/// Sign of the determinant of the last factorisation: -1, 0 or 1.
int stc_lu_sign(const stc_lu *lu);

/// Operations of one factorisation of the selected part, and entries of its factors; 0 before a
/// small matrix is first used.
double stc_lu_flops(const stc_lu *lu);
double stc_lu_entries(const stc_lu *lu);

#endif
