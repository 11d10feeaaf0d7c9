// What a problem must satisfy before it is accepted; each refusal names the first bad entry.
#ifndef STC_PROBLEM_DATA_CHECK_H
#define STC_PROBLEM_DATA_CHECK_H

#include "../linalg/csr.h"

#include <stiction/law.h>

/// dim is 2 or 3, or up to STC_MAX_DIM where laws are given; the counts are >= 0, and
/// dim * contacts + equalities fits in an int.
stc_error stc_check_sizes(int dim, const stc_law *laws, int contacts, int dofs, int equalities);

/// law [contacts]: each is a legitimate law of dimension dim.
stc_error stc_check_laws(const stc_law *law, int dim, int contacts);

/// x [n] is there and finite.
stc_error stc_check_vector(const char *name, const double *x, int n);

/// The same for x [dim * contacts]; the sentence names contact and component.
stc_error stc_check_contact_vector(const char *name, const double *x, int dim, int contacts);

/// mu [contacts] and, in 3D and where not NULL, mu2 [contacts] are finite and >= 0.
stc_error stc_check_coefficients(const double *mu, const double *mu2, int dim, int contacts);

/// |A_ij - A_ji| <= 1e-10 max |A|.
stc_error stc_check_symmetric(const char *name, const stc_csr *A);

/// The gyroscopic terms of an implicit step are of the order of the angle a body turns in it: a
/// tenth is a fast spin. A triangle left out or an entry in the wrong place is commonly larger.
#define STC_GYROSCOPIC 0.1

/// M_ii > 0, and |M_ij - M_ji| <= 1e-10 sqrt(M_ii M_jj); without joints gyroscopic terms, up to 0.1
/// in place of 1e-10, are let pass.
stc_error stc_check_mass(const stc_csr *M, bool joints);

/// A_ii >= -1e-10 max |A|: a negative one cannot belong to a positive semi-definite matrix.
stc_error stc_check_diagonal(const char *name, const stc_csr *A);

/// Each frame [dim*dim] has orthonormal rows: |F F^T - I| <= 1e-8 entry by entry.
stc_error stc_check_frames(const double *frame, int dim, int contacts);

#endif
