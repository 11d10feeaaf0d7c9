// Solves A x = b for a sparse A whose pattern stays, by one engine of a table: Cholesky's factor,
// LU, or conjugate gradients preconditioned by multigrid. docs/notes/linear-algebra.md has the
// measurements behind the table.
#ifndef STC_LINALG_SPARSE_SOLVER_H
#define STC_LINALG_SPARSE_SOLVER_H

#include "csr.h"

typedef struct stc_sparse_solver stc_sparse_solver;

/// ENGINE(kind, name): the kind STC_SPARSE_... and its row stc_..._engine.
///   Cholesky  positive definite, or positive semi-definite with a shift
///   LU        any values on a symmetric pattern; pivots inside diagonal blocks
///   AMG       positive definite, near-null vectors known
#define STC_ENGINES(ENGINE)                                                                        \
  ENGINE(CHOLESKY, cholesky)                                                                       \
  ENGINE(LU, lu)                                                                                   \
  ENGINE(AMG, amg)

#define STC_SPARSE_KIND(kind, name) STC_SPARSE_##kind,
typedef enum stc_sparse_kind {
  STC_SPARSE_AUTO,  ///< positive definite: Cholesky while its factor fits, multigrid beyond
  STC_ENGINES(STC_SPARSE_KIND) STC_SPARSE_KINDS
} stc_sparse_kind;
#undef STC_SPARSE_KIND

/// What is known of the unknowns besides the matrix.
typedef struct stc_sparse_hints {
  stc_sparse_kind kind;
  int modes;           ///< near-null vectors (rigid motions); 0: the constants
  const double *mode;  ///< [modes][rows], kept by address and read by every factorisation
  const int *node;  ///< [rows] unknowns with one number are aggregated together; NULL: each alone
  int dim;          ///< of x
  const double *x;  ///< [nodes*dim] places by the numbers of `node`, for stretched cells; or NULL
  double memory;    ///< bytes a factor may take; 0: 6e9
  double shift;     ///< Cholesky: added to the diagonal, relative to its largest entry; see below
  int threads;
  /// Called all along with the stage in words and the part that is done; false: STC_ERR_CALLBACK.
  bool (*progress)(void *user, const char *stage, double done);
  void *progress_user;
} stc_sparse_hints;

typedef struct stc_sparse_report {
  int iterations;   ///< of conjugate gradients, all right-hand sides; 0: direct
  double residual;  ///< |b - A x| / |b|
} stc_sparse_report;

/// Analyses the pattern of A (symmetric, with a full diagonal, both triangles stored; A->val is not
/// read); A->ptr and A->col must outlive it. This and what follows ends with STC_ERR_CALLBACK where
/// the scope of the caller does (base/stop.h).
stc_error stc_sparse_create(const stc_csr *A, const stc_sparse_hints *hints,
                            stc_sparse_solver **solver);
void stc_sparse_free(stc_sparse_solver **solver);

/// Takes new values [entries of A], kept by address until the next call. STC_ERR_NUMERIC names a
/// row where A is not positive definite; LU replaces a pivot that vanishes and continues.
stc_error stc_sparse_factorise(stc_sparse_solver *solver, const double *val);

/// Takes values that differ little from the last ones: a factor is recomputed, a hierarchy is kept
/// for all but the first level and preconditions a matrix it was not made for.
stc_error stc_sparse_refresh(stc_sparse_solver *solver, const double *val);

/// x = A^-1 b with relative residual tol (a direct solve is refined to it); x is the guess of an
/// iterative solve and another array than b. `count` right-hand sides by columns. report may be
/// NULL; it says what was reached where rounding or the limit of iterations came first. With an
/// infinite tol the answer of a factor is taken as it is, and b and x may be the same array.
stc_error stc_sparse_solve(stc_sparse_solver *solver, int count, const double *b, double *x,
                           double tol, stc_sparse_report *report);

/// The Cholesky factor of a matrix that stays as it is: the lower triangle of A is read and copied.
/// With a `shift` > 0 solves with tol = 0 are refined against A itself, which is exact for
/// consistent systems with a singular A. STC_ERR_NUMERIC names A and the row of the first bad
/// pivot: number[i] for row i, i where it is NULL.
stc_error stc_sparse_factor(const stc_csr *A, const char *name, const int *number, double shift,
                            stc_sparse_solver **solver);

/// Whether A (symmetric, with a full diagonal, both triangles stored) has a Cholesky factor in
/// floating point. Where it has one, A + *error diag(A) is positive semi-definite beyond doubt.
stc_error stc_sparse_test(const stc_csr *A, bool *positive, double *error);

/// The row that was not positive definite in the last call that said so; -1: none.
int stc_sparse_bad_row(const stc_sparse_solver *solver);

bool stc_sparse_is_direct(const stc_sparse_solver *solver);

/// "cholesky", ...; "auto"; NULL past the last.
const char *stc_sparse_name(int kind);

/// Operations of one factorisation or set-up as the analysis predicts them, and bytes of what it
/// makes: known after the analysis for a factor, after the set-up for multigrid.
double stc_sparse_work(const stc_sparse_solver *solver);
double stc_sparse_bytes(const stc_sparse_solver *solver);

#endif
