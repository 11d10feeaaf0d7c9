// Solves A x = b for a sparse symmetric positive definite A whose pattern stays: a supernodal
// Cholesky factorisation while the factor fits, conjugate gradients preconditioned by smoothed
// aggregation beyond.
#ifndef STC_LINALG_SPD_H
#define STC_LINALG_SPD_H

#include "csr.h"

typedef struct stc_spd stc_spd;

typedef enum stc_spd_kind { STC_SPD_AUTO, STC_SPD_CHOLESKY, STC_SPD_MULTIGRID } stc_spd_kind;

/// What is known of the unknowns besides the matrix.
typedef struct stc_spd_hints {
  stc_spd_kind kind;
  int modes;           ///< near-null vectors (rigid motions); 0: the constants
  const double *mode;  ///< [modes][rows], kept by address and read by every factorisation
  const int *node;  ///< [rows] unknowns with one number are aggregated together; NULL: each alone
  int dim;          ///< of x
  const double *x;  ///< [nodes*dim] places by the numbers of `node`, for stretched cells; or NULL
  double memory;    ///< bytes a factor may take; 0: 6e9
  int threads;
  /// Called all along with the stage in words and the part that is done; false: STC_ERR_CALLBACK.
  bool (*progress)(void *user, const char *stage, double done);
  void *progress_user;
} stc_spd_hints;

typedef struct stc_spd_report {
  int iterations;   ///< of conjugate gradients, all right-hand sides; 0: direct
  double residual;  ///< |b - A x| / |b|
} stc_spd_report;

/// Analyses the pattern of A (both triangles stored; A->val is not read); A->ptr and A->col must
/// outlive it.
stc_error stc_spd_create(const stc_csr *A, const stc_spd_hints *hints, stc_spd **spd);
void stc_spd_free(stc_spd **spd);

/// Takes new values [entries of A], kept by address until the next call. STC_ERR_NUMERIC names a
/// row where A is not positive definite.
stc_error stc_spd_factorise(stc_spd *spd, const double *val);

/// Takes values that differ little from the last ones: a factor is made anew, a hierarchy is kept
/// for all but the first level and preconditions a matrix it was not made for.
stc_error stc_spd_refresh(stc_spd *spd, const double *val);

/// x = A^-1 b with relative residual tol (a direct solve is refined to it); x is the guess of an
/// iterative solve and another array than b. `count` right-hand sides by columns. report may be
/// NULL; it says what was reached where rounding or the limit of iterations came first.
stc_error stc_spd_solve(stc_spd *spd, int count, const double *b, double *x, double tol,
                        stc_spd_report *report);

/// The row that was not positive definite in the last call that said so; -1: none.
int stc_spd_bad_row(const stc_spd *spd);

bool stc_spd_is_direct(const stc_spd *spd);
double stc_spd_bytes(const stc_spd *spd);

#endif
