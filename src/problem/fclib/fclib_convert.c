// M v = H r + G l + f  <->  M v + f = H^T r + G^T l: f changes sign, H and G are transposed.
#include "fclib_convert.h"

// The transpose of a sparse matrix is the same arrays under another name.
static stc_matrix transposed(stc_matrix A) {
  stc_matrix T = A;
  T.rows = A.cols;
  T.cols = A.rows;
  if (A.storage == STC_STORAGE_TRIPLET)
    T.i = A.p, T.p = A.i;
  else
    T.storage = A.storage == STC_STORAGE_CSR ? STC_STORAGE_CSC : STC_STORAGE_CSR;
  return T;
}

stc_error stc_fclib_convert(stc_arena *arena, const stc_global_data *from, stc_global_data *to) {
  *to = *from;
  to->H = transposed(from->H);
  to->G = transposed(from->G);
  double *f = STC_TAKE(arena, double, from->dofs);
  STC_TRY(stc_arena_check(arena));
  for (int k = 0; k < from->dofs; k++) f[k] = -from->f[k];
  to->f = f;
  return STC_OK;
}
