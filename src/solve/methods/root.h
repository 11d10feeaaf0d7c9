// The rows G_cb = H_cb C_b of a contact and a body, M_b^-1 = C_b C_b^T: with them W = G G^T, and
// impulses and velocities of the bodies are the same numbers.
#ifndef STC_SOLVE_ROOT_H
#define STC_SOLVE_ROOT_H

#include <stdbool.h>

/// A = C C^T, A n x n by columns, C lower and by rows; false where A is not symmetric and positive
/// definite.
bool stc_root_factorise(int n, const double *A, double *C);

/// row [d][n] = H C, H d x n by columns. Called with constants where speed counts.
static inline __attribute__((always_inline)) void stc_root_rows(int d, int n, const double *H,
                                                                const double *C, double *row) {
  for (int k = 0; k < d * n; k++) row[k] = 0;
  for (int l = 0; l < n; l++)
    for (int m = l; m < n; m++) {
      double c = C[m * n + l];
      for (int k = 0; c != 0 && k < d; k++) row[k * n + l] += H[m * d + k] * c;
    }
}

#endif
