// Natural numbers as rows of limbs, on the functions of GMP that allocate nothing: for operands of
// up to LIMBS they keep what they need on the stack. Results are put together in scratch of fixed
// length and copied to their place once they are known to fit.
#ifndef STC_CERT_LIMBS_H
#define STC_CERT_LIMBS_H

#include "exact_number.h"

#include <gmp.h>

_Static_assert(GMP_NUMB_BITS == 64 && sizeof(mp_limb_t) == sizeof(unsigned long), "limbs");

enum {
  LIMB_BITS = 64,
  LIMBS = STC_NUMBER_BITS / LIMB_BITS,
  SCRATCH_LIMBS = 4 * LIMBS + 4  // a product, shifted by as much, and what sums carry over
};

/// n limbs, the last not zero; n = 0 is zero.
typedef struct stc_row {
  const mp_limb_t *at;
  int n;
} stc_row;

typedef struct stc_scratch {
  mp_limb_t at[SCRATCH_LIMBS];
} stc_scratch;

static inline int stc_row_trim(const mp_limb_t *at, int n) {
  while (n > 0 && at[n - 1] == 0) n--;
  return n;
}

static inline stc_row stc_row_of(stc_z_srcptr x) {
  return (stc_row){x->limb, x->size < 0 ? -x->size : x->size};
}

static inline bool stc_row_is_one(stc_row a) { return a.n == 1 && a.at[0] == 1; }

/// Bits of a.
static inline long stc_row_bits(stc_row a) {
  return a.n ? (long)a.n * LIMB_BITS - __builtin_clzl(a.at[a.n - 1]) : 0;
}

/// x = sign a; a may lie in x.
void stc_row_keep(stc_integer *x, stc_row a, int sign);

stc_row stc_row_mul(stc_row a, stc_row b, stc_scratch *to);

/// a 2^bits in `to`; a may lie there. STC_FAULT_LENGTH where it would not fit.
stc_row stc_row_lift(stc_row a, long bits, stc_scratch *to);

/// a without its lowest bits, in `to`; a may lie there.
stc_row stc_row_drop(stc_row a, long bits, stc_scratch *to);

/// The sum of two signed rows in `to`, where a may lie; *sign its sign, in and out that of a.
stc_row stc_row_sum(stc_row a, int *sign, stc_row b, int sign_b, stc_scratch *to);

/// The greatest common divisor of a > 0 and an odd b.
stc_row stc_row_gcd(stc_row a, stc_row b, stc_scratch *to);

/// a / b rounded down, in `to`, which holds neither.
stc_row stc_row_quotient(stc_row a, stc_row b, stc_scratch *to);

int stc_row_cmp(stc_row a, stc_row b);

#endif
