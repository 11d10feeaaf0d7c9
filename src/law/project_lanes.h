// The projection on Coulomb's cone for four contacts side by side, beside the scalar one of
// coulomb.c. Vectors go by address: how they go by value is not settled between compilers.
#ifndef STC_LAW_PROJECT_LANES_H
#define STC_LAW_PROJECT_LANES_H

#include <math.h>

enum { STC_LAW_LANES = 4 };

typedef double stc_law_vec __attribute__((vector_size(STC_LAW_LANES * sizeof(double))));

typedef long long stc_law_mask __attribute__((vector_size(STC_LAW_LANES * sizeof(double))));

/// x in the lanes where `first` is, else y.
static inline __attribute__((always_inline)) void stc_law_choose_lanes(stc_law_vec *z,
                                                                       const stc_law_mask *first,
                                                                       const stc_law_vec *x,
                                                                       const stc_law_vec *y) {
  *z = (stc_law_vec)((*first & (stc_law_mask)*x) | (~*first & (stc_law_mask)*y));
}

/// z = the larger of x and y in each lane; the smaller.
static inline __attribute__((always_inline)) void
stc_law_larger_lanes(stc_law_vec *z, const stc_law_vec *x, const stc_law_vec *y) {
  const stc_law_mask first = *x > *y;
  stc_law_choose_lanes(z, &first, x, y);
}

static inline __attribute__((always_inline)) void
stc_law_smaller_lanes(stc_law_vec *z, const stc_law_vec *x, const stc_law_vec *y) {
  const stc_law_mask first = *x < *y;
  stc_law_choose_lanes(z, &first, x, y);
}

/// x [dim] <- projection on { |r_T| <= mu r_N } in the metric stretch = k_T / k_N (1: Euclidean),
/// in every lane. Without a branch: inside the cone the formula for what lies outside gives less
/// than x_N and no less than x_T. The numbers are scaled: no square that matters overflows or
/// vanishes.
static inline __attribute__((always_inline)) void
stc_law_project_lanes(int dim, const stc_law_vec *mu, const stc_law_vec *stretch, stc_law_vec *x) {
  const stc_law_vec none = {0}, one = none + 1, tiny = none + 1e-100;
  stc_law_vec t = x[1] * x[1], stretched = *mu * *stretch, outside, ratio;
  if (dim == 3) t += x[2] * x[2];
  for (int l = 0; l < STC_LAW_LANES; l++) t[l] = sqrt(t[l]);
  outside = x[0] + stretched * t;
  stc_law_larger_lanes(&outside, &outside, &none);
  outside /= 1 + *mu * stretched;
  stc_law_larger_lanes(&x[0], &x[0], &outside);
  stc_law_larger_lanes(&t, &t, &tiny);
  ratio = *mu * x[0] / t;
  stc_law_smaller_lanes(&ratio, &ratio, &one);
  for (int i = 1; i < dim; i++) x[i] *= ratio;
}

#endif
