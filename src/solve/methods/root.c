// The root of a body's M^-1.
#include "root.h"

#include <math.h>

/// Rows and columns from `first` on, which nothing before them is coupled with.
static inline bool factorise_from(int first, int n, const double *A, double *C) {
  for (int i = first; i < n; i++)
    for (int j = first; j <= i; j++) {
      double sum = A[i + j * n];
      if (sum != A[j + i * n]) return false;
      for (int k = first; k < j; k++) sum -= C[i * n + k] * C[j * n + k];
      if (i == j && !(sum > 0)) return false;
      C[i * n + j] = i == j ? sqrt(sum) : sum / C[j * n + j];
    }
  return true;
}

/// Whether the first `count` rows and columns are a diagonal, coupled with nothing.
static inline bool is_diagonal(int count, int n, const double *A) {
  bool zero = true;
  for (int j = 0; j < count; j++)
    for (int i = 0; i < n; i++) zero = zero && (i == j || (A[j * n + i] == 0 && A[i * n + j] == 0));
  return zero;
}

bool stc_root_factorise(int n, const double *A, double *C) {
  enum { RIGID = 6, MASSES = 3 };  // [size]
  if (n != RIGID || !is_diagonal(MASSES, RIGID, A)) return factorise_from(0, n, A, C);
  for (int i = 0; i < MASSES; i++)
    if (!(A[i * RIGID + i] > 0)) return false;
  for (int k = 0; k < RIGID * RIGID; k++) C[k] = 0;
  for (int i = 0; i < MASSES; i++) C[i * RIGID + i] = sqrt(A[i * RIGID + i]);
  return factorise_from(MASSES, RIGID, A, C);
}
