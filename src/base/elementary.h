// Elementary functions made of additions, multiplications, divisions and square roots alone, which
// IEEE 754 rounds in one way: the same bits on every processor and with every C library, whose own
// functions differ in the last bit. For what must not depend on the machine; good to 4 ulp.
#ifndef STC_BASE_ELEMENTARY_H
#define STC_BASE_ELEMENTARY_H

/// For finite x; beyond 1e5 of x modulo the double 2 pi, which is not as accurate.
double stc_sin(double x);
double stc_cos(double x);

/// For finite x and y that are not both zero.
double stc_atan2(double y, double x);
/// For |x| <= 1.
double stc_acos(double x);

/// For finite x > 0.
double stc_log(double x);
/// For finite x >= 0.
double stc_cbrt(double x);

/// sqrt(x^2 + y^2), without care for overflow.
double stc_length2(double x, double y);

#endif
