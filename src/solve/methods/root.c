// The root of a body's M^-1.
#include "root.h"

#include <math.h>

bool stc_root_factorise(int n, const double *A, double *C) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j <= i; j++) {
      double sum = A[i + j * n];
      if (sum != A[j + i * n]) return false;
      for (int k = 0; k < j; k++) sum -= C[i * n + k] * C[j * n + k];
      if (i == j && !(sum > 0)) return false;
      C[i * n + j] = i == j ? sqrt(sum) : sum / C[j * n + j];
    }
  return true;
}
