// Exact integers: rows of limbs, and the fault of a thread.
#include "limbs.h"

#include "../../base/fail.h"

#include <math.h>
#include <string.h>

// --- The fault ---

static _Thread_local stc_fault fault;

stc_fault stc_fault_seen(void) { return fault; }

void stc_fault_clear(void) { fault = STC_FAULT_NONE; }

void stc_fault_set(stc_fault seen) {
  if (fault == STC_FAULT_NONE) fault = seen;
}

stc_error stc_fault_check(void) {
  return fault == STC_FAULT_MEMORY ? stc_fail(STC_ERR_MEMORY, "out of memory for exact numbers")
                                   : STC_OK;
}

// --- Rows ---

static const stc_row NOTHING = {0};

/// Room for n limbs in x, whose value is lost.
static bool reserve(stc_integer *x, int n) {
  if (x->room >= n) return true;
  unsigned long *limb = stc_calloc((size_t)n, sizeof *limb);
  if (!limb) {
    stc_fault_set(STC_FAULT_MEMORY);
    return false;
  }
  stc_release(&x->limb);
  x->limb = limb;
  x->room = n;
  return true;
}

void stc_row_keep(stc_integer *x, stc_row a, int sign) {
  if (a.n > 2 * LIMBS) stc_fault_set(STC_FAULT_LENGTH);
  if (fault || !reserve(x, a.n)) return;
  if (a.n) memmove(x->limb, a.at, (size_t)a.n * sizeof *a.at);
  x->size = sign < 0 ? -a.n : a.n;
}

stc_row stc_row_mul(stc_row a, stc_row b, stc_scratch *to) {
  if (!a.n || !b.n) return NOTHING;
  if (a.n > 2 * LIMBS || b.n > 2 * LIMBS || a.n + b.n > 2 * LIMBS) {
    stc_fault_set(STC_FAULT_LENGTH);
    return NOTHING;
  }
  mp_limb_t top =
      a.n >= b.n ? mpn_mul(to->at, a.at, a.n, b.at, b.n) : mpn_mul(to->at, b.at, b.n, a.at, a.n);
  return (stc_row){to->at, a.n + b.n - (top == 0)};
}

stc_row stc_row_lift(stc_row a, long bits, stc_scratch *to) {
  long whole = bits / LIMB_BITS;
  unsigned rest = (unsigned)(bits % LIMB_BITS);
  if (!a.n || (bits == 0 && a.at == to->at)) return a;
  if (whole + a.n + 1 > SCRATCH_LIMBS) {
    stc_fault_set(STC_FAULT_LENGTH);
    return NOTHING;
  }
  mp_limb_t top = 0;
  if (rest)
    top = mpn_lshift(to->at + whole, a.at, a.n, rest);
  else
    memmove(to->at + whole, a.at, (size_t)a.n * sizeof *a.at);
  memset(to->at, 0, (size_t)whole * sizeof *to->at);
  to->at[whole + a.n] = top;
  return (stc_row){to->at, (int)whole + a.n + (top != 0)};
}

stc_row stc_row_drop(stc_row a, long bits, stc_scratch *to) {
  long whole = bits / LIMB_BITS;
  unsigned rest = (unsigned)(bits % LIMB_BITS);
  if (whole >= a.n) return NOTHING;
  int n = a.n - (int)whole;
  if (rest)
    mpn_rshift(to->at, a.at + whole, n, rest);
  else
    memmove(to->at, a.at + whole, (size_t)n * sizeof *a.at);
  return (stc_row){to->at, stc_row_trim(to->at, n)};
}

int stc_row_cmp(stc_row a, stc_row b) {
  if (a.n != b.n) return a.n < b.n ? -1 : 1;
  return a.n ? mpn_cmp(a.at, b.at, a.n) : 0;
}

stc_row stc_row_sum(stc_row a, int *sign, stc_row b, int sign_b, stc_scratch *to) {
  bool swap = stc_row_cmp(a, b) < 0;
  stc_row x = swap ? b : a, y = swap ? a : b;
  if (x.n >= SCRATCH_LIMBS) stc_fault_set(STC_FAULT_LENGTH);
  if (x.n >= SCRATCH_LIMBS || !x.n) return NOTHING;
  bool same = *sign == sign_b;
  if (swap) *sign = sign_b;
  if (!y.n) {
    memmove(to->at, x.at, (size_t)x.n * sizeof *x.at);
    return (stc_row){to->at, x.n};
  }
  if (!same) {
    mpn_sub(to->at, x.at, x.n, y.at, y.n);
    return (stc_row){to->at, stc_row_trim(to->at, x.n)};
  }
  mp_limb_t carry = mpn_add(to->at, x.at, x.n, y.at, y.n);
  to->at[x.n] = carry;
  return (stc_row){to->at, x.n + (carry != 0)};
}

stc_row stc_row_gcd(stc_row a, stc_row b, stc_scratch *to) {
  stc_scratch left, right;
  if (stc_row_cmp(a, b) < 0) {
    stc_row c = a;
    a = b;
    b = c;
  }
  if (a.n > 2 * LIMBS || b.n > LIMBS) stc_fault_set(STC_FAULT_LENGTH);
  if (fault) return NOTHING;
  if (b.n == 1) {
    to->at[0] = mpn_gcd_1(a.at, a.n, b.at[0]);
    return (stc_row){to->at, 1};
  }
  memcpy(left.at, a.at, (size_t)a.n * sizeof *a.at);
  memcpy(right.at, b.at, (size_t)b.n * sizeof *b.at);
  return (stc_row){to->at, (int)mpn_gcd(to->at, left.at, a.n, right.at, b.n)};
}

stc_row stc_row_quotient(stc_row a, stc_row b, stc_scratch *to) {
  stc_scratch rest;
  if (a.n < b.n) return NOTHING;
  if (b.n == 1)
    mpn_divrem_1(to->at, 0, a.at, a.n, b.at[0]);
  else
    mpn_tdiv_qr(to->at, rest.at, 0, a.at, a.n, b.at, b.n);
  return (stc_row){to->at, stc_row_trim(to->at, a.n - b.n + 1)};
}

// --- Integers ---

void stc_z_clear(stc_z x) {
  stc_release(&x->limb);
  *x = (stc_integer){0};
}

void stc_z_set(stc_z x, stc_z_srcptr a) {
  if (x != a) stc_row_keep(x, stc_row_of(a), stc_z_sgn(a));
}

void stc_z_set_i(stc_z x, long a) {
  mp_limb_t size = a < 0 ? 0 - (mp_limb_t)a : (mp_limb_t)a;
  stc_row_keep(x, (stc_row){&size, size != 0}, a < 0 ? -1 : 1);
}

void stc_z_set_d(stc_z x, double a) {
  int exponent = 0;
  stc_scratch scratch;
  if (!isfinite(a)) {
    stc_fault_set(STC_FAULT_VALUE);
    return;
  }
  mp_limb_t size = (mp_limb_t)ldexp(frexp(fabs(a), &exponent), LIMB_BITS);
  stc_row row = {&size, size != 0};
  exponent -= LIMB_BITS;
  row = exponent < 0 ? stc_row_drop(row, -(long)exponent, &scratch)
                     : stc_row_lift(row, exponent, &scratch);
  stc_row_keep(x, row, a < 0 ? -1 : 1);
}

void stc_z_swap(stc_z x, stc_z y) {
  stc_integer other = *x;
  *x = *y;
  *y = other;
}

void stc_z_neg(stc_z x, stc_z_srcptr a) {
  stc_z_set(x, a);
  if (!fault) x->size = -x->size;
}

void stc_z_abs(stc_z x, stc_z_srcptr a) {
  stc_z_set(x, a);
  if (!fault && x->size < 0) x->size = -x->size;
}

static void add_integer(stc_z x, stc_z_srcptr a, stc_z_srcptr b, int sign_b) {
  stc_scratch scratch;
  int sign = stc_z_sgn(a);
  if (fault) return;
  stc_row sum = stc_row_sum(stc_row_of(a), &sign, stc_row_of(b), sign_b, &scratch);
  stc_row_keep(x, sum, sign);
}

void stc_z_add(stc_z x, stc_z_srcptr a, stc_z_srcptr b) { add_integer(x, a, b, stc_z_sgn(b)); }

void stc_z_sub(stc_z x, stc_z_srcptr a, stc_z_srcptr b) { add_integer(x, a, b, -stc_z_sgn(b)); }

void stc_z_mul(stc_z x, stc_z_srcptr a, stc_z_srcptr b) {
  stc_scratch scratch;
  if (fault) return;
  stc_row product = stc_row_mul(stc_row_of(a), stc_row_of(b), &scratch);
  stc_row_keep(x, product, stc_z_sgn(a) * stc_z_sgn(b));
}

void stc_z_addmul(stc_z x, stc_z_srcptr a, stc_z_srcptr b) {
  stc_scratch scratch, total;
  int sign = stc_z_sgn(x);
  if (fault || !a->size || !b->size) return;
  stc_row product = stc_row_mul(stc_row_of(a), stc_row_of(b), &scratch);
  stc_row sum = stc_row_sum(stc_row_of(x), &sign, product, stc_z_sgn(a) * stc_z_sgn(b), &total);
  stc_row_keep(x, sum, sign);
}

void stc_z_cross(stc_z x, stc_z_srcptr p, stc_z_srcptr a, stc_z_srcptr b, stc_z_srcptr d) {
  stc_scratch first, second, quotient;
  int sign = stc_z_sgn(x) * stc_z_sgn(p), other = -stc_z_sgn(a) * stc_z_sgn(b);
  if (!sign && !other) {
    x->size = 0;
    return;
  }
  if (!d->size) stc_fault_set(STC_FAULT_VALUE);
  if (fault) return;
  stc_row left = stc_row_mul(stc_row_of(x), stc_row_of(p), &first);
  stc_row right = stc_row_mul(stc_row_of(a), stc_row_of(b), &second);
  if (!left.n) sign = other;
  stc_row sum = stc_row_sum(left, &sign, right, other, &first);
  stc_row whole = stc_row_quotient(sum, stc_row_of(d), &quotient);
  stc_row_keep(x, whole, sign * stc_z_sgn(d));
}

int stc_z_cmp(stc_z_srcptr a, stc_z_srcptr b) {
  int sign = stc_z_sgn(a);
  if (sign != stc_z_sgn(b)) return sign < stc_z_sgn(b) ? -1 : 1;
  return sign * stc_row_cmp(stc_row_of(a), stc_row_of(b));
}
