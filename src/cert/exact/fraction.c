// Exact rationals in lowest terms [Knuth, The Art of Computer Programming 2, 4.5.1].
#include "limbs.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

// Powers of two that doubles and a few thousand products of them do not reach.
enum { MAX_EXPONENT = 1 << 17 };

static const mp_limb_t ONE = 1;

/// A rational as operations see it.
typedef struct fraction {
  stc_row num, den;
  int sign;
  long exponent;
} fraction;

static fraction look(stc_q_srcptr x) {
  return (fraction){.num = stc_row_of(&x->num),
                    .den = x->den.size ? stc_row_of(&x->den) : (stc_row){&ONE, 1},
                    .sign = stc_q_sgn(x),
                    .exponent = x->exponent};
}

/// x = f, whose num and den are odd and coprime, or whose num is zero.
static void keep(stc_q x, const fraction *f) {
  if (f->num.n > LIMBS || f->den.n > LIMBS || labs(f->exponent) > MAX_EXPONENT)
    stc_fault_set(STC_FAULT_LENGTH);
  if (f->num.at == x->den.limb || f->den.at == x->num.limb) stc_z_swap(&x->num, &x->den);
  stc_row_keep(&x->num, f->num, f->sign);
  stc_row_keep(&x->den, f->num.n && !stc_row_is_one(f->den) ? f->den : (stc_row){0}, 1);
  if (stc_fault_seen()) return;
  x->exponent = f->num.n ? (int)f->exponent : 0;
}

/// Moves the factors of two of the row to the exponent.
static stc_row make_odd(stc_row a, long *exponent, stc_scratch *to) {
  if (!a.n || (a.at[0] & 1)) return a;
  long zeros = (long)mpn_scan1(a.at, 0);
  *exponent += zeros;
  return stc_row_drop(a, zeros, to);
}

// --- Life ---

void stc_q_clear(stc_q x) {
  stc_z_clear(&x->num);
  stc_z_clear(&x->den);
  x->exponent = 0;
}

void stc_q_set(stc_q x, stc_q_srcptr a) {
  if (x == a) return;
  stc_z_set(&x->num, &a->num);
  stc_z_set(&x->den, &a->den);
  if (!stc_fault_seen()) x->exponent = a->exponent;
}

/// x = sign size 2^exponent.
static void set_scaled(stc_q x, mp_limb_t size, bool negative, long exponent) {
  stc_scratch scratch;
  fraction f = {.den = {&ONE, 1}, .sign = negative ? -1 : 1, .exponent = exponent};
  f.num = make_odd((stc_row){&size, size != 0}, &f.exponent, &scratch);
  keep(x, &f);
}

void stc_q_set_i(stc_q x, long a) {
  set_scaled(x, a < 0 ? 0 - (mp_limb_t)a : (mp_limb_t)a, a < 0, 0);
}

void stc_q_set_d(stc_q x, double a) {
  int exponent = 0;
  if (!isfinite(a)) {
    stc_fault_set(STC_FAULT_VALUE);
    return;
  }
  mp_limb_t size = (mp_limb_t)ldexp(frexp(fabs(a), &exponent), LIMB_BITS);
  set_scaled(x, size, a < 0, exponent - LIMB_BITS);
}

/// Divides a and b by what they have in common.
static void reduce(stc_row *a, stc_row *b, stc_scratch *to_a, stc_scratch *to_b) {
  stc_scratch divisor;
  if (stc_row_is_one(*a) || stc_row_is_one(*b)) return;
  stc_row g = stc_row_gcd(*a, *b, &divisor);
  if (stc_fault_seen() || stc_row_is_one(g)) return;
  *a = stc_row_quotient(*a, g, to_a);
  *b = stc_row_quotient(*b, g, to_b);
}

void stc_q_set_ratio(stc_q x, stc_z_srcptr a, stc_z_srcptr b) {
  stc_scratch num, den, num_left, den_left;
  fraction f = {.sign = stc_z_sgn(a) * stc_z_sgn(b)};
  long down = 0;
  if (!b->size) stc_fault_set(STC_FAULT_VALUE);
  if (stc_fault_seen()) return;
  f.num = make_odd(stc_row_of(a), &f.exponent, &num);
  f.den = make_odd(stc_row_of(b), &down, &den);
  f.exponent -= down;
  if (f.num.n) reduce(&f.num, &f.den, &num_left, &den_left);
  keep(x, &f);
}

void stc_q_swap(stc_q x, stc_q y) {
  stc_rational other = *x;
  *x = *y;
  *y = other;
}

void stc_q_neg(stc_q x, stc_q_srcptr a) {
  stc_q_set(x, a);
  if (!stc_fault_seen()) x->num.size = -x->num.size;
}

void stc_q_abs(stc_q x, stc_q_srcptr a) {
  stc_q_set(x, a);
  if (!stc_fault_seen() && x->num.size < 0) x->num.size = -x->num.size;
}

void stc_q_shift(stc_q x, int exponent) {
  if (!x->num.size || stc_fault_seen()) return;
  long sum = (long)x->exponent + exponent;
  if (labs(sum) > MAX_EXPONENT)
    stc_fault_set(STC_FAULT_LENGTH);
  else
    x->exponent = (int)sum;
}

// --- Sums ---

/// a.num p 2^(a.exponent - least) in `to`, where p is NULL for 1.
static stc_row lifted(const fraction *a, const stc_row *p, long least, stc_scratch *to) {
  stc_row product = p && !stc_row_is_one(*p) ? stc_row_mul(a->num, *p, to) : a->num;
  return stc_row_lift(product, a->exponent - least, to);
}

/// a + b over one denominator, which g = gcd of the denominators makes shorter.
static void add_over(stc_q x, const fraction *a, const fraction *b, stc_row g) {
  stc_scratch left, right, den_a, den_b, divisor, shorter, den;
  fraction f = {.sign = a->sign, .exponent = a->exponent < b->exponent ? a->exponent : b->exponent};
  bool coprime = stc_row_is_one(g);
  stc_row rest_a = coprime ? a->den : stc_row_quotient(a->den, g, &den_a);
  stc_row rest_b = coprime ? b->den : stc_row_quotient(b->den, g, &den_b);
  stc_row first = lifted(a, &rest_b, f.exponent, &left);
  stc_row second = lifted(b, &rest_a, f.exponent, &right);
  if (stc_fault_seen()) return;
  f.num = stc_row_sum(first, &f.sign, second, b->sign, &left);
  f.num = make_odd(f.num, &f.exponent, &left);
  stc_row other = b->den;
  if (!coprime && f.num.n) {
    stc_row common = stc_row_gcd(f.num, g, &divisor);
    if (stc_fault_seen()) return;
    if (!stc_row_is_one(common)) {
      f.num = stc_row_quotient(f.num, common, &right);
      other = stc_row_quotient(b->den, common, &shorter);
    }
  }
  f.den = stc_row_is_one(rest_a)  ? other
          : stc_row_is_one(other) ? rest_a
                                  : stc_row_mul(rest_a, other, &den);
  keep(x, &f);
}

static void add_fraction(stc_q x, stc_q_srcptr p, stc_q_srcptr q, int sign_q) {
  fraction a = look(p), b = look(q);
  stc_scratch divisor;
  stc_row g = {&ONE, 1};
  b.sign *= sign_q;
  if (stc_fault_seen()) return;
  if (!b.sign) {
    stc_q_set(x, p);
    return;
  }
  if (!a.sign) {
    stc_q_set(x, q);
    if (sign_q < 0) stc_q_neg(x, x);
    return;
  }
  if (stc_row_cmp(a.den, b.den) == 0)
    g = a.den;
  else if (!stc_row_is_one(a.den) && !stc_row_is_one(b.den))
    g = stc_row_gcd(a.den, b.den, &divisor);
  if (!stc_fault_seen()) add_over(x, &a, &b, g);
}

void stc_q_add(stc_q x, stc_q_srcptr a, stc_q_srcptr b) { add_fraction(x, a, b, 1); }

void stc_q_sub(stc_q x, stc_q_srcptr a, stc_q_srcptr b) { add_fraction(x, a, b, -1); }

// --- Products ---

static stc_row times(stc_row a, stc_row b, stc_scratch *to) {
  if (stc_row_is_one(b)) return a;
  return stc_row_is_one(a) ? b : stc_row_mul(a, b, to);
}

static void multiply(stc_q x, fraction a, fraction b, bool square) {
  stc_scratch num_a, num_b, den_a, den_b, num, den;
  fraction f = {.sign = a.sign * b.sign, .exponent = a.exponent + b.exponent};
  if (stc_fault_seen()) return;
  if (f.sign && !square) {
    reduce(&a.num, &b.den, &num_a, &den_b);
    reduce(&b.num, &a.den, &num_b, &den_a);
  }
  if (stc_fault_seen()) return;
  f.num = f.sign ? times(a.num, b.num, &num) : (stc_row){0};
  f.den = f.sign ? times(a.den, b.den, &den) : (stc_row){&ONE, 1};
  keep(x, &f);
}

void stc_q_mul(stc_q x, stc_q_srcptr a, stc_q_srcptr b) { multiply(x, look(a), look(b), a == b); }

void stc_q_div(stc_q x, stc_q_srcptr a, stc_q_srcptr b) {
  fraction of = look(b);
  if (!of.sign) stc_fault_set(STC_FAULT_VALUE);
  fraction inverse = {.num = of.den, .den = of.num, .sign = of.sign, .exponent = -of.exponent};
  multiply(x, look(a), inverse, false);
}

// --- Comparing ---

bool stc_q_equal(stc_q_srcptr a, stc_q_srcptr b) {
  return a->exponent == b->exponent && stc_z_cmp(&a->num, &b->num) == 0 &&
         stc_z_cmp(&a->den, &b->den) == 0;
}

/// A power of two above the size of f, at most four times as large.
static long height(const fraction *f) {
  return stc_row_bits(f->num) - stc_row_bits(f->den) + 1 + f->exponent;
}

int stc_q_cmp(stc_q_srcptr p, stc_q_srcptr q) {
  fraction a = look(p), b = look(q);
  stc_scratch left, right;
  if (a.sign != b.sign) return a.sign < b.sign ? -1 : 1;
  if (!a.sign || stc_fault_seen()) return 0;
  long off = height(&a) - height(&b);
  if (off < -2 || off > 2) return off < 0 ? -a.sign : a.sign;
  long least = a.exponent < b.exponent ? a.exponent : b.exponent;
  stc_row first = lifted(&a, &b.den, least, &left), second = lifted(&b, &a.den, least, &right);
  return a.sign * stc_row_cmp(first, second);
}

// --- Out ---

double stc_q_get_d(stc_q_srcptr x) {
  enum { KEPT = 53, LEAST = -1074 };
  fraction f = look(x);
  stc_scratch num, quotient;
  if (!f.sign || stc_fault_seen()) return 0;
  long lift = LIMB_BITS + stc_row_bits(f.den) - stc_row_bits(f.num), exponent = f.exponent - lift;
  stc_row top = lift >= 0 ? stc_row_lift(f.num, lift, &num) : stc_row_drop(f.num, -lift, &num);
  top = stc_row_is_one(f.den) ? top : stc_row_quotient(top, f.den, &quotient);
  long cut = stc_row_bits(top) - KEPT;
  if (exponent + cut < LEAST) cut = LEAST - exponent;
  top = stc_row_drop(top, cut, &num);
  if (!top.n) return 0;
  double value = ldexp((double)top.at[0], (int)(exponent + cut));
  return f.sign < 0 ? -value : value;
}

int stc_q_exponent(stc_q_srcptr x) {
  STC_Q near = {0};
  fraction f = look(x);
  if (!f.sign) return 0;
  int above = (int)height(&f), exponent = 0;
  stc_q_set(near, x);
  stc_q_shift(near, -above);
  frexp(stc_q_get_d(near), &exponent);
  return above + exponent;
}

bool stc_q_is_d(stc_q_srcptr a, double *value) {
  STC_Q back = {0};
  *value = stc_q_get_d(a);
  if (isfinite(*value)) stc_q_set_d(back, *value);
  return isfinite(*value) && stc_q_equal(back, a);
}

size_t stc_q_bits(stc_q_srcptr x) {
  return (size_t)(stc_row_bits(stc_row_of(&x->num)) + stc_row_bits(stc_row_of(&x->den)));
}

/// Limbs of a 2^exponent.
static size_t limbs_of(stc_row a, long exponent) {
  return (size_t)a.n + (size_t)(exponent > 0 ? exponent / LIMB_BITS + 1 : 0);
}

/// Characters that write_natural works in: a limb has 19.27 digits.
static size_t digits_of(size_t limbs) { return 19 * (limbs + limbs / 32 + 2); }

size_t stc_q_width(stc_q_srcptr x) {
  fraction f = look(x);
  return digits_of(limbs_of(f.num, f.exponent)) + digits_of(limbs_of(f.den, -f.exponent)) + 4;
}

/// a 2^exponent in decimal, from the last digit on in groups of 19.
static size_t write_natural(stc_row a, long exponent, char *text) {
  static const mp_limb_t GROUP = 10000000000000000000u;
  size_t limbs = limbs_of(a, exponent), end = digits_of(limbs), at = end;
  mp_limb_t *left = stc_calloc(limbs + 1, sizeof *left);
  if (!left) return 0;
  long shift = exponent > 0 ? exponent : 0;
  mp_limb_t *low = left + shift / LIMB_BITS;
  if (a.n > 0) memcpy(low, a.at, (size_t)a.n * sizeof *left);  // zero has no limbs
  if (a.n > 0 && shift % LIMB_BITS)
    low[a.n] = mpn_lshift(low, low, a.n, (unsigned)(shift % LIMB_BITS));
  for (int n = stc_row_trim(left, (int)limbs); n > 0; n = stc_row_trim(left, n)) {
    mp_limb_t group = mpn_divrem_1(left, 0, left, n, GROUP);
    for (int k = 0; k < 19; k++, group /= 10) text[--at] = (char)('0' + group % 10);
  }
  while (at + 1 < end && text[at] == '0') at++;
  if (at == end) text[--at] = '0';
  memmove(text, text + at, end - at);
  stc_release(&left);
  return end - at;
}

size_t stc_q_write(stc_q_srcptr x, char *text) {
  fraction f = look(x);
  size_t sign = f.sign < 0, length = write_natural(f.num, f.exponent, text + sign);
  if (sign) text[0] = '-';
  length = length ? length + sign : 0;
  if (length && (!stc_row_is_one(f.den) || f.exponent < 0)) {
    text[length] = '/';
    size_t more = write_natural(f.den, -f.exponent, text + length + 1);
    length = more ? length + 1 + more : 0;
  }
  text[length] = 0;
  return length;
}

// --- Common denominators ---

/// factor = the least common multiple of the odd parts of the denominators.
static void common_multiple(const stc_q *x, int n, stc_z factor) {
  stc_scratch divisor, rest, product;
  stc_z_set_i(factor, 1);
  for (int k = 0; k < n && !stc_fault_seen(); k++) {
    fraction f = look(x[k]);
    if (stc_row_is_one(f.den)) continue;
    stc_row g = stc_row_gcd(stc_row_of(factor), f.den, &divisor);
    if (stc_fault_seen()) return;
    stc_row more = stc_row_is_one(g) ? f.den : stc_row_quotient(f.den, g, &rest);
    stc_row_keep(factor, times(stc_row_of(factor), more, &product), 1);
  }
}

void stc_q_clear_denominators(const stc_q *x, int n, stc_z factor, stc_z *integers) {
  stc_scratch rest, product;
  long least = 0;
  for (int k = 0; k < n; k++)
    if (x[k]->exponent < least) least = x[k]->exponent;
  common_multiple(x, n, factor);
  for (int k = 0; k < n && !stc_fault_seen(); k++) {
    fraction f = look(x[k]);
    stc_row more = stc_row_is_one(f.den) ? stc_row_of(factor)
                                         : stc_row_quotient(stc_row_of(factor), f.den, &rest);
    stc_row whole = f.sign ? lifted(&f, &more, least, &product) : (stc_row){0};
    stc_row_keep(integers[k], whole, f.sign);
  }
  if (!stc_fault_seen()) stc_row_keep(factor, stc_row_lift(stc_row_of(factor), -least, &rest), 1);
}
