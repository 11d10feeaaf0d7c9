// Products with rows on bodies, block by block in the order of the groups.
#include "body_rows.h"

int stc_body_order(const stc_body_matrix *A, int group, int order[STC_BODY_SIDES]) {
  const int *body = stc_body_pair(A, group);
  int count = 0;
  for (int s = 0; s < A->sides; s++) {
    if (body[s] < 0) continue;
    int at = count++;
    for (; at > 0 && body[order[at - 1]] > body[s]; at--) order[at] = order[at - 1];
    order[at] = s;
  }
  return count;
}

/// Inlined with constants where speed counts.
static inline void add_velocity(int dim, int width, const double *H, const double *v, double *u) {
  double sum[STC_MAX_DIM];
  for (int k = 0; k < dim; k++) sum[k] = u[k];
  for (int l = 0; l < width; l++)
    for (int k = 0; k < dim; k++) sum[k] += H[l * dim + k] * v[l];
  for (int k = 0; k < dim; k++) u[k] = sum[k];
}

static inline void add_impulse(int dim, int width, const double *H, const double *r, double *p) {
  for (int l = 0; l < width; l++) {
    double sum = p[l];
    for (int k = 0; k < dim; k++) sum += H[l * dim + k] * r[k];
    p[l] = sum;
  }
}

void stc_body_rows_add_velocity(const stc_body_matrix *A, const double *v, double *u) {
  for (int g = 0; g < A->count; g++, u += A->dim)
    for (int s = 0; s < A->sides; s++) {
      int body = stc_body_pair(A, g)[s];
      const double *H = stc_body_block(A, g, s), *x = v + (ptrdiff_t)body * A->width;
      if (body < 0) continue;
      STC_WITH_SIZES(add_velocity, A->dim, A->width, H, x, u);
    }
}

void stc_body_rows_add_impulse(const stc_body_matrix *A, const double *r, double *p) {
  for (int g = 0; g < A->count; g++, r += A->dim)
    for (int s = 0; s < A->sides; s++) {
      int body = stc_body_pair(A, g)[s];
      const double *H = stc_body_block(A, g, s);
      double *y = p + (ptrdiff_t)body * A->width;
      if (body < 0) continue;
      STC_WITH_SIZES(add_impulse, A->dim, A->width, H, r, y);
    }
}
