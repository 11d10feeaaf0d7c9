// Conjugate gradients preconditioned by smoothed aggregation, for matrices whose near-null vectors
// (rigid motions) are known [Vanek, Mandel and Brezina 1996]: a level is a block matrix, its
// smoother, and the prolongation from the next one.
#ifndef STC_LINALG_AMG_DATA_H
#define STC_LINALG_AMG_DATA_H

#include "engine.h"
#include "llt.h"
#include "quotient.h"

enum { STC_AMG_LEVELS = 16 };

typedef struct stc_amg_level {
  stc_bmat A;
  stc_bmat P, R;         ///< from the next level, and back: R = P^T; empty on the last
  double *place;         ///< [rows*dim] where the nodes are, or NULL
  double *inverse;       ///< [rows*b*b] of the diagonal blocks
  double top;            ///< largest eigenvalue of D^-1 A, but for a few percent
  double *b, *x, *r;     ///< [rows*b] right-hand side, answer, residual
  double *step, *other;  ///< [rows*b] Chebyshev's steps
} stc_amg_level;

typedef struct stc_amg {
  stc_arena arena;
  stc_crew crew;
  int n, entries;        ///< unknowns, entries of A
  const int *ptr, *col;  ///< pattern of A
  stc_quotient nodes;
  int width;      ///< unknowns of a node at most
  int *slot;      ///< [n] place of an unknown in the vectors of the first level
  int dim;        ///< of places; 0: not known
  double *place;  ///< [nodes*dim]
  int modes;
  const double *given;  ///< [modes][n] of the caller; NULL: the constants
  double *mode;         ///< [nodes*width][modes]
  int levels;
  stc_amg_level level[STC_AMG_LEVELS];
  stc_csr last;  ///< matrix of the last level, arrays in `coarse`
  stc_arena coarse;
  stc_llt *llt;       ///< its factor
  double *x, *p, *q;  ///< [nodes*width] conjugate gradients: answer, direction, A p
} stc_amg;

/// Aggregates of the nodes of A by strong connections: aggregate [rows], -1: a node coupled to
/// nothing. strong [entries of A] marks the connections that count. place [rows*dim] may be NULL.
stc_error stc_amg_aggregate(const stc_crew *crew, const stc_bmat *A, int dim, const double *place,
                            unsigned char *strong, int *aggregate, int *count);

/// Near-null vectors made orthonormal on each aggregate: P's blocks are Q [rows][b][modes], R goes
/// to coarse [count*modes][modes]. A mode that the others span on an aggregate is left out there:
/// zero columns.
stc_error stc_amg_tentative(const stc_crew *crew, int rows, int b, int modes, const double *mode,
                            const int *aggregate, int count, double *Q, double *coarse);

/// Inverses of the diagonal blocks; the row of one that is not positive definite, or -1.
int stc_amg_invert_diagonal(const stc_bmat *A, double *inverse);

/// x approximates A^-1 b on level k and those below it.
stc_error stc_amg_cycle(stc_amg *amg, int k);

/// Improves x until |b - A x| <= tol |b|, or rounding or the number of iterations ends it; adds to
/// the report. STC_ERR_NUMERIC where a direction of no or negative energy shows that A is not
/// positive definite; *bad is then the row.
stc_error stc_amg_solve(stc_amg *amg, const double *b, double *x, double tol,
                        stc_sparse_report *report, int *bad);

/// z = D^-1 r.
void stc_amg_scale(const stc_crew *crew, const stc_amg_level *level, const double *r, double *z);

#endif
