// The scaling of a law: the diagonal D = diag(1, mu1[, mu2]) in whose variables
//   r = D z,   u' = D u,   W' = D W D,   q' = D q
// its cone is the round one, { |z_T| <= z_N }, and the rule reads u' + |u'_T| e_N in K*, ⟂ z in K.
#ifndef STC_LAW_SCALE_H
#define STC_LAW_SCALE_H

#include <stiction/law.h>

// Moments and rates of rotation measured as impulses and velocities.

/// The first component that is a rotation; dim if there is none.
int stc_law_first_rotation(const stc_law *law);

/// The power of two at or below the length a law has; 1 if it has none.
double stc_law_length_unit(const stc_law *law);

/// The same law for r' and u' with r_k = length_k r'_k, u_k = u'_k / length_k, where length_k is
/// `unit` for rotations and 1 for the others. With the law's own unit all components of r' are
/// impulses and all of u' are velocities, whatever the size of the patch.
stc_law stc_law_in_units(const stc_law *law, double unit, double *length);

/// D [dim]: 1, then the coefficients (0: without friction along that tangent). False for a law that
/// has no such scaling (spin, rolling): D is then the identity.
bool stc_law_scale(const stc_law *law, double *D);

/// z = D^-1 r, 0 where D is; r = D z; block = D W D, by columns. The arrays may be the same.
static inline void stc_law_scale_reaction(int dim, const double *D, const double *r, double *z) {
  for (int k = 0; k < dim; k++) z[k] = D[k] > 0.0 ? r[k] / D[k] : 0.0;
}

static inline void stc_law_unscale_reaction(int dim, const double *D, const double *z, double *r) {
  for (int k = 0; k < dim; k++) r[k] = D[k] * z[k];
}

static inline void stc_law_scale_block(int dim, const double *D, const double *W, double *block) {
  for (int l = 0; l < dim; l++)
    for (int k = 0; k < dim; k++) block[k + dim * l] = D[k] * W[k + dim * l] * D[l];
}

#endif
