// Dense kernels for the panels of the sparse LU, by columns, compiled for the processor at hand.
#ifndef STC_LINALG_DENSE_H
#define STC_LINALG_DENSE_H

#include "../base/team.h"

typedef struct stc_dense {
  /// C = A B, with A m x k (leading dimension lda), B k x n (ldb), C m x n (ldc).
  void (*multiply)(int m, int n, int k, const double *A, int lda, const double *B, int ldb,
                   double *C, int ldc);
  /// C = C - A B.
  void (*subtract)(int m, int n, int k, const double *A, int lda, const double *B, int ldb,
                   double *C, int ldc);
} stc_dense;

/// C = A B, or C = C - A B where `subtract`, over column strips, shared by a team; the same bits as
/// one call of the kernel. Small products stay on the caller.
void stc_dense_share(const stc_dense *dense, stc_team *team, bool subtract, int m, int n, int k,
                     const double *A, int lda, const double *B, int ldb, double *C, int ldc);

/// The kernels for this processor.
const stc_dense *stc_dense_kernels(void);

/// P A = L U of the n x n matrix A (lda) with row swaps; pivot[k] = row swapped with k. Pivots
/// below `tiny` are replaced by it, keeping their sign. *sign is multiplied by the sign of the
/// determinant. Returns the number of replaced pivots.
int stc_dense_lu(const stc_dense *dense, stc_team *team, int n, double *A, int lda, double tiny,
                 int *pivot, int *sign);

/// B = L^-1 P B (n x m), from the factors in A.
void stc_dense_lower(const stc_dense *dense, int n, int m, const double *A, int lda,
                     const int *pivot, double *B, int ldb);

/// B = B U^-1 (m x n), from the factors in A.
void stc_dense_upper_right(const stc_dense *dense, int n, int m, const double *A, int lda,
                           double *B, int ldb);

/// x = U^-1 x.
void stc_dense_upper(int n, const double *A, int lda, double *x);

#endif
