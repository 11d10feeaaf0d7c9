// What follows from u_N >= 0 alone, whatever the forces: that the contacts cannot all have it, or
// that one of them can never close.
#ifndef STC_CERT_KINEMATIC_H
#define STC_CERT_KINEMATIC_H

#include "exact/exact.h"

/// y [size] with entries at normals only, y >= 0, W^T y = 0, q.y < 0; *found is false where there
/// is none.
stc_error stc_kinematic_contradiction(const stc_exact *exact, bool *found, stc_rationals *y);

/// Whether u_N >= 0 at the contacts that are not `open` implies it at contact j: y [size] with
/// entries at normals only, W_N(j) = sum y W_N, q_N(j) >= q.y.
stc_error stc_kinematic_never_closes(const stc_exact *exact, const bool *open, int j, bool *found,
                                     stc_rationals *y);

#endif
