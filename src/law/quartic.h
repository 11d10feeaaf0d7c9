// Roots of quartics.
#ifndef STC_LAW_QUARTIC_H
#define STC_LAW_QUARTIC_H

enum { STC_QUARTIC_DEGREE = 4, STC_QUARTIC_MAX = 20 };

/// Roots of p(z) = p[0] + p[1] z + ... + p[4] z^4 on [-1, 1] in increasing order, then the points
/// where p nearly touches zero. At most STC_QUARTIC_MAX; returns how many.
int stc_quartic_roots(const double p[STC_QUARTIC_DEGREE + 1], double *root);

#endif
