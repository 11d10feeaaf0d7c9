// Small problems with known answers, built from dense arrays by rows.
#ifndef STC_TEST_SAMPLES_H
#define STC_TEST_SAMPLES_H

#include "dense_data.h"

/// Entry (i, j) of a matrix stored by rows; 0 where nothing is stored.
static inline double sample_entry(const stc_matrix *A, int i, int j) {
  for (int k = A->p[i]; k < A->p[i + 1]; k++)
    if (A->i[k] == j) return A->x[k];
  return 0;
}

/// Painlevé's problem with one degree of freedom: M = 1, H = (1, 2), mu = 1, 2D.
static inline stc_problem *sample_painleve(double w_N, double w_T, double f) {
  const double M[] = {1}, H[] = {1, 2}, w[] = {w_N, w_T}, mu[] = {1};
  return make_global(&(dense_global){
      .dim = 2, .contacts = 1, .dofs = 1, .M = M, .H = H, .f = &f, .w = w, .mu = mu});
}

/// The wedge with Newton restitution: a particle of mass 1 runs at speed 1 into two walls at the
/// angles +a and -a; 2D, mu = 0.5.
static inline stc_problem *sample_wedge(double a, double restitution) {
  const double s = sin(a), c = cos(a), M[] = {1, 0, 0, 1};
  const double H[] = {-s, c, c, s, -s, -c, c, -s}, f[] = {-1, 0};
  const double w[] = {-restitution * s, 0, -restitution * s, 0}, mu[] = {0.5, 0.5};
  return make_global(&(dense_global){
      .dim = 2, .contacts = 2, .dofs = 2, .M = M, .H = H, .f = f, .w = w, .mu = mu});
}

/// `boxes` equal boxes side by side that do not touch, each on four corners (x, y, -1), x, y = +-1,
/// from its centre; mass 2, inertia 4 about every axis, 3D, N = z, T1 = x, T2 = y, mu = 0.3.
/// A corner moves with v + omega x (x, y, -1):
///   u_N = v_z + omega_x y - omega_y x,  u_T1 = v_x - omega_y - omega_z y,
///   u_T2 = v_y + omega_x + omega_z x.
static inline stc_problem *sample_boxes(int boxes) {
  enum { MOST = 3 };
  assert_true(boxes <= MOST);
  int dofs = 6 * boxes;
  double M[36 * MOST * MOST] = {0}, H[72 * MOST * MOST] = {0};
  double f[6 * MOST] = {0}, w[12 * MOST] = {0}, mu[4 * MOST];
  for (int k = 0; k < dofs; k++) M[k * dofs + k] = k % 6 < 3 ? 2 : 4;
  for (int contact = 0; contact < 4 * boxes; contact++) {
    double x = contact % 2 ? 1 : -1, y = contact / 2 % 2 ? 1 : -1;
    double *N = H + contact * 3 * dofs + contact / 4 * 6, *T1 = N + dofs, *T2 = T1 + dofs;
    N[2] = 1, N[3] = y, N[4] = -x;
    T1[0] = 1, T1[4] = -1, T1[5] = -y;
    T2[1] = 1, T2[3] = 1, T2[5] = x;
    mu[contact] = 0.3;
  }
  return make_global(&(dense_global){
      .dim = 3, .contacts = 4 * boxes, .dofs = dofs, .M = M, .H = H, .f = f, .w = w, .mu = mu});
}

/// A bar along x joins two particles of masses 1 and 2 in the plane, the first on a floor; 2D.
/// Degrees of freedom (x1, y1, x2, y2); the bar says x1' - x2' + 0.3 = 0; f = (1, 2, 3, 4).
static inline stc_problem *sample_bar(void) {
  const double M[] = {1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 2, 0, 0, 0, 0, 2};
  const double H[] = {0, 1, 0, 0, 1, 0, 0, 0}, G[] = {1, 0, -1, 0};
  const double f[] = {1, 2, 3, 4}, w[] = {0, 0}, b[] = {0.3}, mu[] = {0.4};
  dense_global d = {.dim = 2, .contacts = 1, .dofs = 4, .M = M, .H = H, .f = f, .w = w, .mu = mu};
  d.equalities = 1, d.G = G, d.b = b;
  return make_global(&d);
}

/// A local problem of `contacts` contacts in 2D without joints, q = 0, mu = 0.5.
static inline stc_problem *sample_local(int contacts, const double *W) {
  enum { MOST = 8 };
  assert_true(contacts <= MOST);
  double q[2 * MOST] = {0}, mu[MOST];
  for (int c = 0; c < contacts; c++) mu[c] = 0.5;
  return make_local(&(dense_local){.dim = 2, .contacts = contacts, .W = W, .q = q, .mu = mu});
}

/// Two contacts in 2D with W = I, and zeros stored between them.
static inline stc_problem *sample_zero_stored(void) {
  const int ptr[] = {0, 2, 3, 5, 6}, col[] = {0, 2, 1, 0, 2, 3};
  const double val[] = {1, 0, 1, 0, 1, 1}, q[4] = {0}, mu[2] = {0};
  stc_local_data data = {
      .dim = 2, .contacts = 2, .W = {4, 4, 6, STC_STORAGE_CSR, ptr, col, val}, .q = q, .mu = mu};
  stc_problem *p = NULL;
  assert_int_equal(stc_problem_create_local(&data, &p), STC_OK);
  return p;
}

#endif
