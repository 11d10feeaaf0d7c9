// Exact integers and rationals that never end the process. What cannot be computed (no memory, a
// number longer than STC_NUMBER_BITS, an operand that is not finite, a division by zero) sets a
// fault of this thread: the result is left as it was, and from then on no operation computes
// anything. A computation clears the fault at its start, and its result counts for nothing before
// having looked at the fault again. The length bounds the time of every operation as well.
#ifndef STC_CERT_EXACT_NUMBER_H
#define STC_CERT_EXACT_NUMBER_H

#include "../../base/memory.h"

/// Bits of a numerator or a denominator without its factors of two; integers may have twice as
/// many.
enum { STC_NUMBER_BITS = 32768 };

typedef enum stc_fault {
  STC_FAULT_NONE,
  STC_FAULT_MEMORY,
  STC_FAULT_LENGTH,  ///< a number of more than STC_NUMBER_BITS
  STC_FAULT_VALUE    ///< an infinity, a NaN or a division by zero
} stc_fault;

/// The first thing that went wrong in this thread since it was cleared.
stc_fault stc_fault_seen(void);
void stc_fault_clear(void);
void stc_fault_set(stc_fault fault);  ///< unless there is one

/// STC_ERR_MEMORY with a sentence where memory ran out; STC_OK otherwise.
stc_error stc_fault_check(void);

/// What either kind of number can: x = a, -a, |a|, a + b, a - b, a b, and the sign of a - b.
#define STC_EXACT_OPERATIONS(number)                                                               \
  void number##_clear(number x);                                                                   \
  void number##_set(number x, number##_srcptr a);                                                  \
  void number##_set_i(number x, long a);                                                           \
  void number##_set_d(number x, double a);                                                         \
  void number##_swap(number x, number y);                                                          \
  void number##_neg(number x, number##_srcptr a);                                                  \
  void number##_abs(number x, number##_srcptr a);                                                  \
  void number##_add(number x, number##_srcptr a, number##_srcptr b);                               \
  void number##_sub(number x, number##_srcptr a, number##_srcptr b);                               \
  void number##_mul(number x, number##_srcptr a, number##_srcptr b);                               \
  int number##_cmp(number##_srcptr a, number##_srcptr b)

/// Zero if all bits are; otherwise limbs from the lowest, the sign that of `size`.
typedef struct stc_integer {
  int size, room;
  unsigned long *limb;
} stc_integer;
typedef stc_integer stc_z[1];
typedef stc_integer *stc_z_ptr;
typedef const stc_integer *stc_z_srcptr;

STC_EXACT_OPERATIONS(stc_z);                                 // a double that is set is an integer
void stc_z_addmul(stc_z x, stc_z_srcptr a, stc_z_srcptr b);  ///< x += a b
/// x = (x p - a b) / d, which is an integer.
void stc_z_cross(stc_z x, stc_z_srcptr p, stc_z_srcptr a, stc_z_srcptr b, stc_z_srcptr d);
static inline int stc_z_sgn(stc_z_srcptr a) { return (a->size > 0) - (a->size < 0); }

/// num / den 2^exponent in lowest terms: both odd, den > 0; a den of size 0 stands for 1. Zero is
/// all zeros.
typedef struct stc_rational {
  stc_integer num, den;
  int exponent;
} stc_rational;
typedef stc_rational stc_q[1];
typedef stc_rational *stc_q_ptr;
typedef const stc_rational *stc_q_srcptr;

STC_EXACT_OPERATIONS(stc_q);
void stc_q_set_ratio(stc_q x, stc_z_srcptr a, stc_z_srcptr b);  ///< a / b
void stc_q_div(stc_q x, stc_q_srcptr a, stc_q_srcptr b);
void stc_q_shift(stc_q x, int exponent);  ///< x 2^exponent, in place
bool stc_q_equal(stc_q_srcptr a, stc_q_srcptr b);
static inline int stc_q_sgn(stc_q_srcptr a) { return stc_z_sgn(&a->num); }

/// Rounded towards zero; infinite where it is too large for a double.
double stc_q_get_d(stc_q_srcptr a);

/// The exponent e of a != 0 with 2^(e-1) <= |a| < 2^e, though a be no double; 0 for 0.
int stc_q_exponent(stc_q_srcptr a);

/// Whether a is a double; *value is stc_q_get_d in any case.
bool stc_q_is_d(stc_q_srcptr a, double *value);

/// Bits of the numerator and of the denominator together, without factors of two.
size_t stc_q_bits(stc_q_srcptr a);

/// Bytes that hold the text of stc_q_write and its 0.
size_t stc_q_width(stc_q_srcptr a);

/// "p" or "p/q" in decimal; returns its length, 0 where memory ran out.
size_t stc_q_write(stc_q_srcptr a, char *text);

/// The least positive factor that makes integers of x[0..n-1], and these integers.
void stc_q_clear_denominators(const stc_q *x, int n, stc_z factor, stc_z *integers);

/// Numbers of a scope, freed when it ends: `STC_Q sum = {0}, mu = {0};`
static inline void stc_z_drop(stc_z *x) { stc_z_clear(*x); }
static inline void stc_q_drop(stc_q *x) { stc_q_clear(*x); }
#define STC_Z STC_RELEASED_BY(stc_z_drop) stc_z
#define STC_Q STC_RELEASED_BY(stc_q_drop) stc_q

#endif
