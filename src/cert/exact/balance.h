// Weights y of the contacts by which all forces cancel, exactly:  H^T y + G^T kappa = 0, so that
// W y = 0. Contradictions of the kinematics alone need them, and no rounded y has that property.
#ifndef STC_CERT_BALANCE_H
#define STC_CERT_BALANCE_H

#include "exact.h"

/// y [size] near `rounded` [size] with W y = 0; where held[k] y_k is rounded_k. False: none is
/// found. Global form only.
bool stc_balance(const stc_exact *exact, const double *rounded, const bool *held, stc_rationals *y);

#endif
