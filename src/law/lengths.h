// Moments and rates of rotation measured as impulses and velocities.
#ifndef STC_LAW_LENGTHS_H
#define STC_LAW_LENGTHS_H

#include <stiction/law.h>

/// The first component that is a rotation; dim if there is none.
int stc_law_turning(const stc_law *law);

/// The power of two at or below the length a law has; 1 if it has none.
double stc_law_length_unit(const stc_law *law);

/// The same law for r' and u' with r_k = length_k r'_k, u_k = u'_k / length_k, where length_k is
/// `unit` for rotations and 1 for the others. With the law's own unit all components of r' are
/// impulses and all of u' are velocities, whatever the size of the patch.
stc_law stc_law_in_units(const stc_law *law, double unit, double *length);

#endif
