// The checks of a problem's data.
#include "data_check.h"

#include "../base/fail.h"

#include <limits.h>
#include <math.h>

// What rounding may leave below zero on the diagonal of a semi-definite matrix, against the largest
// entry.
static const double NEGATIVE = 1e-10;

// A frame built in single precision and normalised in double passes; a sheared one does not.
static const double FRAME_TOLERANCE = 1e-8;

static const char *component_name(int dim, int k) {
  static const char *const names[] = {"N", "T1", "T2", "R1", "R2"};
  return dim == 4 && k == 3 ? "spin" : names[k];
}

static stc_error check_count(const char *name, int count) {
  if (count >= 0) return STC_OK;
  return stc_fail(STC_ERR_DIMENSION, "%s = %d; give a number >= 0", name, count);
}

stc_error stc_check_sizes(int dim, const stc_law *laws, int contacts, int dofs, int equalities) {
  if (dim < 2 || dim > STC_MAX_DIM)
    return stc_fail(STC_ERR_DIMENSION, "dim = %d; a contact has 2 to %d components", dim,
                    STC_MAX_DIM);
  if (dim > 3 && !laws)
    return stc_fail(STC_ERR_DIMENSION,
                    "dim = %d; coulomb and elliptic laws have 2 or 3 components: give `law`", dim);
  STC_TRY(check_count("contacts", contacts));
  STC_TRY(check_count("dofs", dofs));
  STC_TRY(check_count("equalities", equalities));
  if (contacts > (INT_MAX - equalities) / dim)
    return stc_fail(STC_ERR_DIMENSION,
                    "%d contacts and %d equalities in dimension %d exceed the range of int; split "
                    "the problem into its connected components",
                    contacts, equalities, dim);
  return STC_OK;
}

static stc_error check_there(const char *name, const double *x, int n) {
  if (n == 0 || x) return STC_OK;
  return stc_fail(STC_ERR_ARGUMENT, "%s is NULL; give an array of %d numbers", name, n);
}

stc_error stc_check_vector(const char *name, const double *x, int n) {
  STC_TRY(check_there(name, x, n));
  for (int k = 0; k < n; k++)
    if (!isfinite(x[k]))
      return stc_fail(STC_ERR_VALUE, "%s[%d] = %g; every entry must be finite", name, k, x[k]);
  return STC_OK;
}

stc_error stc_check_contact_vector(const char *name, const double *x, int dim, int contacts) {
  STC_TRY(check_there(name, x, dim * contacts));
  for (int k = 0; k < dim * contacts; k++)
    if (!isfinite(x[k]))
      return stc_fail(STC_ERR_VALUE,
                      "%s[%d] = %g (contact %d, component %s); every entry must be finite", name, k,
                      x[k], k / dim, component_name(dim, k % dim));
  return STC_OK;
}

static stc_error check_friction(const char *name, const double *mu, int contacts) {
  STC_TRY(check_there(name, mu, contacts));
  for (int c = 0; c < contacts; c++)
    if (!(mu[c] >= 0 && isfinite(mu[c])))
      return stc_fail(STC_ERR_VALUE,
                      "%s[%d] = %g; the friction coefficient of a contact is finite and >= 0", name,
                      c, mu[c]);
  return STC_OK;
}

stc_error stc_check_coefficients(const double *mu, const double *mu2, int dim, int contacts) {
  STC_TRY(check_friction("mu", mu, contacts));
  if (!mu2) return STC_OK;
  if (dim == 2)
    return stc_fail(STC_ERR_ARGUMENT, "mu2 is given in 2D, where there is no T2; pass NULL");
  return check_friction("mu2", mu2, contacts);
}

stc_error stc_check_laws(const stc_law *law, int dim, int contacts) {
  for (int c = 0; c < contacts; c++) {
    stc_error error = stc_law_check(&law[c]);
    if (error) return stc_fail(error, "law[%d]: %s", c, stc_error_detail());
    if (law[c].dim != dim)
      return stc_fail(STC_ERR_DIMENSION, "law[%d] (%s) has dimension %d, the problem %d", c,
                      stc_law_name((int)law[c].kind), law[c].dim, dim);
  }
  return STC_OK;
}

static stc_error asymmetric(const char *name, const stc_csr *A, int i, int j, const char *remedy) {
  return stc_fail(STC_ERR_VALUE,
                  "%s(%d, %d) = %.17g but %s(%d, %d) = %.17g; %s must be symmetric%s", name, i, j,
                  stc_csr_entry(A, i, j), name, j, i, stc_csr_entry(A, j, i), name, remedy);
}

stc_error stc_check_symmetric(const char *name, const stc_csr *A) {
  int row, col;
  double gap = stc_csr_asymmetry(A, &row, &col);
  if (!(gap > STC_SYMMETRY_TOLERANCE * stc_csr_largest(A))) return STC_OK;
  return asymmetric(name, A, row, col, ", both triangles given");
}

static stc_error check_positive_diagonal(const stc_csr *M) {
  for (int i = 0; i < M->rows; i++) {
    double diagonal = stc_csr_entry(M, i, i);
    if (!(diagonal > 0))
      return stc_fail(STC_ERR_VALUE,
                      "M(%d, %d) = %g; every diagonal entry must be > 0: give degree of freedom %d "
                      "a mass or remove it",
                      i, i, diagonal, i);
  }
  return STC_OK;
}

stc_error stc_check_mass(const stc_csr *M, bool joints) {
  STC_TRY(check_positive_diagonal(M));
  int row, col;
  if (joints && stc_csr_find_asymmetry(M, STC_SYMMETRY_TOLERANCE, &row, &col))
    return asymmetric("M", M, row, col, " where there are joints");
  if (stc_csr_find_asymmetry(M, STC_GYROSCOPIC, &row, &col))
    return asymmetric("M", M, row, col,
                      ", both triangles given; only gyroscopic terms below 0.1 sqrt(M_ii M_jj) may "
                      "differ");
  return STC_OK;
}

stc_error stc_check_diagonal(const char *name, const stc_csr *A) {
  double least = -NEGATIVE * stc_csr_largest(A);
  for (int i = 0; i < A->rows; i++) {
    double diagonal = stc_csr_entry(A, i, i);
    if (diagonal < least)
      return stc_fail(STC_ERR_VALUE,
                      "%s(%d, %d) = %g; a positive semi-definite matrix has no negative diagonal "
                      "entry: check the sign of %s",
                      name, i, i, diagonal, name);
  }
  return STC_OK;
}

static stc_error check_frame(const double *F, int dim, int contact) {
  for (int k = 0; k < dim * dim; k++)
    if (!isfinite(F[k]))
      return stc_fail(STC_ERR_VALUE, "frame of contact %d, row %s, entry %d = %g is not finite",
                      contact, component_name(dim, k / dim), k % dim, F[k]);
  for (int k = 0; k < dim; k++)
    for (int l = 0; l <= k; l++) {
      double product = 0;
      for (int j = 0; j < dim; j++) product += F[k * dim + j] * F[l * dim + j];
      if (fabs(product - (k == l)) > FRAME_TOLERANCE)
        return stc_fail(STC_ERR_VALUE,
                        "frame of contact %d is not orthonormal: the product of rows %s and %s is "
                        "%.9g, expected %d",
                        contact, component_name(dim, l), component_name(dim, k), product, k == l);
    }
  return STC_OK;
}

stc_error stc_check_frames(const double *frame, int dim, int contacts) {
  if (dim > 3)
    return stc_fail(STC_ERR_ARGUMENT,
                    "frame is given in dimension %d; express the rows of H in contact axes and "
                    "pass NULL",
                    dim);
  for (int c = 0; c < contacts; c++)
    STC_TRY(check_frame(frame + (size_t)c * (size_t)(dim * dim), dim, c));
  return STC_OK;
}
