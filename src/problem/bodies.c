// What follows from the blocks M_b and H_cb: M_b^-1, Y_cb = M_b^-1 H_cb^T, W_cc = sum of H_cb Y_cb,
// and the unit in which the largest kappa lies in [1, 2).
#include "bodies.h"

#include "../base/fail.h"
#include "../linalg/bsr.h"
#include "../linalg/envelope.h"

#include <math.h>
#include <stdint.h>
#include <string.h>

// Below this many visits the blocks of W are counted one by one (a tenth of a second); beyond it
// their number is bounded from above.
static const size_t COUNT_LIMIT = 50000000;

// Units are powers of two between these: their products and quotients stay inside double's range.
static const double LEAST_UNIT = 0x1p-400, LARGEST_UNIT = 0x1p400;
// The bits of a double that hold its fraction.
static const uint64_t FRACTION = ((uint64_t)1 << 52) - 1;

double stc_unit_of(double x) {
  uint64_t bits;
  if (!(x > 0)) return 1;
  if (x < LEAST_UNIT) return LEAST_UNIT;
  if (x > LARGEST_UNIT) return LARGEST_UNIT;
  memcpy(&bits, &x, sizeof bits);
  bits &= ~FRACTION;
  memcpy(&x, &bits, sizeof x);
  return x;
}

// --- M_b^-1 ---

static bool is_skew(int n, const double *A) {
  for (int j = 0; j < n; j++)
    for (int i = 0; i < j; i++) {
      double gap = fabs(A[j * n + i] - A[i * n + j]);
      if (gap > STC_SYMMETRY_TOLERANCE * sqrt(A[i * n + i]) * sqrt(A[j * n + j])) return true;
    }
  return false;
}

/// Returns the first row of M_b whose pivot is not positive; -1: all are.
static int invert_body(stc_bodies *bodies, int b) {
  int n = stc_body_size(bodies, b), reach[STC_ENVELOPE_MAX] = {0};
  double A[STC_ENVELOPE_MAX * STC_ENVELOPE_MAX];
  const double *M = bodies->M + bodies->inv_ptr[b];
  stc_envelope e = {.n = n, .skew = is_skew(n, M), .reach = reach, .A = A};
  memcpy(A, M, (size_t)(n * n) * sizeof *A);
  for (int j = 0; j < n; j++)
    for (int i = 0; i < n; i++)
      if (A[j * n + i] != 0) stc_envelope_reach(&e, i, j);
  int bad = stc_envelope_factorise(&e);
  if (bad >= 0) return bad;
  stc_envelope_invert(&e, bodies->inverse + bodies->inv_ptr[b]);
  bodies->symmetric = bodies->symmetric && !e.skew;
  return -1;
}

/// Returns the first body that is not positive definite; -1: all are.
static int invert_bodies(stc_bodies *bodies, int *row) {
  bodies->symmetric = true;
  for (int b = 0; b < bodies->count; b++) {
    *row = invert_body(bodies, b);
    if (*row >= 0) return b;
  }
  return -1;
}

// --- Y, W_cc ---

/// Y = M^-1 H^T; inlined with constants where speed counts.
static inline void respond(int dim, int n, const double *inverse, const double *H, double *Y) {
  for (int k = 0; k < dim; k++) {
    for (int i = 0; i < n; i++) Y[k * n + i] = 0;
    for (int l = 0; l < n; l++)
      for (int i = 0; i < n; i++) Y[k * n + i] += inverse[l * n + i] * H[l * dim + k];
  }
}

/// The same for a mass and a tensor of inertia: nothing else is in M^-1.
static inline void respond_rigid(const double *inverse, const double *H, double *Y) {
  for (int k = 0; k < 3; k++)
    for (int i = 0; i < 3; i++) {
      double sum = 0;
      for (int l = 3; l < 6; l++) sum += inverse[l * 6 + 3 + i] * H[l * 3 + k];
      Y[k * 6 + i] = inverse[i * 7] * H[i * 3 + k];
      Y[k * 6 + 3 + i] = sum;
    }
}

static bool is_rigid(const double *inverse) {
  bool zero = true;
  for (int l = 0; l < 3; l++)
    for (int i = 0; i < 6; i++) zero = zero && (i == l || inverse[l * 6 + i] == 0);
  return zero;
}

static bool all_rigid(const stc_bodies *bodies) {
  bool rigid = bodies->dim == 3 && bodies->symmetric;
  for (int b = 0; rigid && b < bodies->count; b++)
    rigid = stc_body_size(bodies, b) == 6 && is_rigid(bodies->inverse + bodies->inv_ptr[b]);
  return rigid;
}

static void fill_responses(stc_bodies *bodies) {
  const bool rigid = all_rigid(bodies);
  int dim = bodies->dim;
  for (int t = 0; t < stc_bodies_touches(bodies); t++) {
    int b = bodies->touch_body[t], n = stc_body_size(bodies, b);
    const double *inverse = bodies->inverse + bodies->inv_ptr[b];
    const double *H = bodies->H + bodies->val_ptr[t];
    double *Y = bodies->Y + bodies->val_ptr[t];
    if (rigid)
      respond_rigid(inverse, H, Y);
    else
      STC_WITH_SIZES(respond, dim, n, inverse, H, Y);
  }
}

/// block += H_ib Y_jb, with Y n x dim by columns.
static inline void add_product(int dim, int n, const double *H, const double *Y, double *block) {
  for (int l = 0; l < dim; l++) {
    double sum[STC_MAX_DIM];
    for (int k = 0; k < dim; k++) sum[k] = block[l * dim + k];
    for (int m = 0; m < n; m++)
      for (int k = 0; k < dim; k++) sum[k] += H[m * dim + k] * Y[l * n + m];
    for (int k = 0; k < dim; k++) block[l * dim + k] = sum[k];
  }
}

void stc_bodies_add_block(const stc_bodies *bodies, int touch_i, int touch_j, double *block) {
  int dim = bodies->dim, n = stc_body_size(bodies, bodies->touch_body[touch_i]);
  const double *H = bodies->H + bodies->val_ptr[touch_i];
  const double *Y = bodies->Y + bodies->val_ptr[touch_j];
  STC_WITH_SIZES(add_product, dim, n, H, Y, block);
}

/// sum += a row of H times a column of Y, of a rigid body in space.
static inline double along_row6(double sum, const double *H, const double *Y) {
  sum += H[0] * Y[0];
  sum += H[3] * Y[1];
  sum += H[6] * Y[2];
  sum += H[9] * Y[3];
  sum += H[12] * Y[4];
  return sum + H[15] * Y[5];
}

/// The same for such bodies where W is symmetric: what lies below the diagonal is left out.
static inline void add_upper(const double *H, const double *Y, double *block) {
  block[0] = along_row6(block[0], H, Y);
  block[3] = along_row6(block[3], H, Y + 6);
  block[4] = along_row6(block[4], H + 1, Y + 6);
  block[6] = along_row6(block[6], H, Y + 12);
  block[7] = along_row6(block[7], H + 1, Y + 12);
  block[8] = along_row6(block[8], H + 2, Y + 12);
}

static inline void add_own(const stc_bodies *bodies, int t, double *block) {
  int dim = bodies->dim, n = stc_body_size(bodies, bodies->touch_body[t]);
  const double *H = bodies->H + bodies->val_ptr[t], *Y = bodies->Y + bodies->val_ptr[t];
  if (bodies->symmetric && dim == 3 && n == 6)
    add_upper(H, Y, block);
  else
    STC_WITH_SIZES(add_product, dim, n, H, Y, block);
}

/// The same bits as in the assembled W. A body moves under any impulse, so W_cc = 0 says it all.
static inline void measure(int dim, stc_bodies *bodies, int c) {
  double *block = bodies->diagonal + (ptrdiff_t)c * dim * dim, trace = 0;
  bool zero = true;
  memset(block, 0, (size_t)(dim * dim) * sizeof *block);
  for (int t = bodies->touch_ptr[c]; t < bodies->touch_ptr[c + 1]; t++) add_own(bodies, t, block);
  for (int l = 0; l < dim; l++)
    for (int k = 0; k < dim; k++) {
      if (bodies->symmetric && k > l) block[l * dim + k] = block[k * dim + l];
      zero = zero && block[l * dim + k] == 0;
      if (k == l) trace += block[l * dim + k];
    }
  bodies->kappa[c] = trace / dim;
  bodies->immovable[c] = zero;
}

void stc_bodies_measure(stc_bodies *bodies, int c) {
  if (bodies->dim == 3)
    measure(3, bodies, c);
  else
    measure(bodies->dim, bodies, c);
}

void stc_fill_kappa(int contacts, double *kappa) {
  double most = 0;
  for (int c = 0; c < contacts; c++) most = fmax(most, kappa[c]);
  for (int c = 0; c < contacts; c++)
    if (!(kappa[c] > 0)) kappa[c] = most > 0 ? most : 1;
}

static void scale_by(double *x, size_t count, double factor) {
  for (size_t k = 0; k < count; k++) x[k] *= factor;
}

static void choose_unit(stc_bodies *bodies) {
  size_t contacts = (size_t)bodies->contacts, masses = bodies->inv_ptr[bodies->count];
  double most = 0;
  for (size_t c = 0; c < contacts; c++) most = fmax(most, bodies->kappa[c]);
  double unit = bodies->unit = stc_unit_of(most);
  if (unit == 1) return;
  scale_by(bodies->M, masses, unit);
  scale_by(bodies->inverse, masses, 1 / unit);
  for (int t = 0; t < stc_bodies_touches(bodies); t++) {
    int n = stc_body_size(bodies, bodies->touch_body[t]);
    scale_by(bodies->Y + bodies->val_ptr[t], (size_t)(n * bodies->dim), 1 / unit);
  }
  scale_by(bodies->kappa, contacts, 1 / unit);
  scale_by(bodies->diagonal, contacts * (size_t)(bodies->dim * bodies->dim), 1 / unit);
}

stc_error stc_bodies_take(stc_arena *arena, stc_bodies *bodies) {
  size_t contacts = (size_t)bodies->contacts;
  bodies->inverse = STC_TAKE_RAW(arena, double, bodies->inv_ptr[bodies->count]);
  bodies->Y = STC_TAKE_RAW(arena, double, bodies->entries);
  bodies->on_ptr = STC_TAKE(arena, int, (size_t)bodies->count + 1);
  bodies->on_touch = STC_TAKE_RAW(arena, int, stc_bodies_touches(bodies));
  bodies->kappa = STC_TAKE_RAW(arena, double, contacts);
  bodies->diagonal =
      stc_bsr_take_values(arena, contacts * (size_t)(bodies->dim * bodies->dim), false);
  bodies->immovable = STC_TAKE_RAW(arena, bool, contacts);
  return stc_arena_check(arena);
}

void stc_bodies_complete(stc_bodies *bodies) {
  int contacts = bodies->contacts;
  fill_responses(bodies);
  stc_bodies_sort(bodies);
  for (int c = 0; c < contacts; c++) stc_bodies_measure(bodies, c);
  stc_fill_kappa(contacts, bodies->kappa);
  choose_unit(bodies);
}

stc_error stc_bodies_finish(stc_arena *arena, stc_bodies *bodies, int *singular, int *row) {
  STC_TRY(stc_bodies_take(arena, bodies));
  *singular = invert_bodies(bodies, row);
  if (*singular >= 0) return STC_OK;
  stc_bodies_complete(bodies);
  return stc_bodies_count_blocks(bodies);
}

// --- Who shares a body ---

void stc_bodies_sort(stc_bodies *b) {
  int touches = stc_bodies_touches(b);
  for (int t = 0; t < touches; t++) b->on_ptr[b->touch_body[t] + 1]++;
  for (int k = 0; k < b->count; k++) b->on_ptr[k + 1] += b->on_ptr[k];
  for (int t = 0; t < touches; t++) b->on_touch[b->on_ptr[b->touch_body[t]]++] = t;
  for (int k = b->count; k > 0; k--) b->on_ptr[k] = b->on_ptr[k - 1];
  b->on_ptr[0] = 0;
}

int stc_bodies_first_from(const stc_bodies *bodies, int b, int t) {
  return stc_first_from(bodies->on_touch, bodies->on_ptr[b], bodies->on_ptr[b + 1], t);
}

int stc_bodies_partners(const stc_bodies *bodies, int i, int *seen, int *list) {
  int count = 0;
  for (int t = bodies->touch_ptr[i]; t < bodies->touch_ptr[i + 1]; t++) {
    int b = bodies->touch_body[t];
    for (int k = stc_bodies_first_from(bodies, b, t) + 1; k < bodies->on_ptr[b + 1]; k++) {
      int j = bodies->touch_contact[bodies->on_touch[k]];
      if (seen[j] == i) continue;
      seen[j] = i;
      list[count++] = j;
    }
  }
  return count;
}

/// Visits of pairs of contacts on the same body; a pair with two bodies in common is seen twice.
static size_t count_visits(const stc_bodies *bodies) {
  size_t visits = 0;
  for (int b = 0; b < bodies->count; b++) {
    size_t on = (size_t)(bodies->on_ptr[b + 1] - bodies->on_ptr[b]);
    visits += on * on;
  }
  return visits;
}

static bool is_on_pairs(const stc_bodies *bodies) {
  for (int c = 0; c < bodies->contacts; c++)
    if (bodies->touch_ptr[c + 1] - bodies->touch_ptr[c] > 2) return false;
  return true;
}

/// Pairs of contacts between the same two bodies. seen [count] is work space.
static size_t count_twice(const stc_bodies *bodies, int *seen) {
  size_t twice = 0;
  for (int b = 0; b < bodies->count; b++) seen[b] = 0;
  for (int b = 0; b < bodies->count; b++)
    for (int pass = 0; pass < 2; pass++)
      for (int k = bodies->on_ptr[b]; k < bodies->on_ptr[b + 1]; k++) {
        int t = bodies->on_touch[k], c = bodies->touch_contact[t];
        bool first = t == bodies->touch_ptr[c] && t + 1 < bodies->touch_ptr[c + 1];
        if (!first) continue;
        int *count = &seen[bodies->touch_body[t + 1]];
        if (pass == 0) twice += (size_t)(*count)++;
        if (pass == 1) *count = 0;
      }
  return twice;
}

/// Contacts on any number of bodies, one after another.
static size_t count_partners(const stc_bodies *bodies, int *seen, int *list) {
  size_t partners = 0;
  for (int c = 0; c < bodies->contacts; c++) seen[c] = -1;
  for (int c = 0; c < bodies->contacts; c++)
    partners += (size_t)stc_bodies_partners(bodies, c, seen, list);
  return partners;
}

stc_error stc_bodies_count_blocks(stc_bodies *bodies) {
  size_t contacts = (size_t)bodies->contacts, visits = count_visits(bodies);
  size_t touches = (size_t)stc_bodies_touches(bodies), room = (size_t)bodies->count + contacts;
  bodies->blocks = contacts + visits;
  if (visits > COUNT_LIMIT) return STC_OK;
  stc_arena scratch = {0};
  int *seen = STC_TAKE_RAW(&scratch, int, room), *list = STC_TAKE_RAW(&scratch, int, contacts);
  stc_error error = stc_arena_check(&scratch);
  if (!error && is_on_pairs(bodies))
    bodies->blocks = contacts + visits - touches - 2 * count_twice(bodies, seen);
  else if (!error)
    bodies->blocks = contacts + 2 * count_partners(bodies, seen, list);
  stc_arena_free(&scratch);
  return error;
}

// --- Products ---

void stc_bodies_add_motion(const stc_bodies *b, int t, const double *v, double sign, double *u) {
  const double *H = b->H + b->val_ptr[t];
  int body = b->touch_body[t];
  for (int k = b->ptr[body]; k < b->ptr[body + 1]; k++, H += b->dim)
    for (int i = 0; i < b->dim; i++) u[i] += sign * H[i] * v[k];
}

void stc_bodies_settle(const stc_bodies *bodies, const double *f, double *x) {
  for (int b = 0; b < bodies->count; b++) {
    int n = stc_body_size(bodies, b), start = bodies->ptr[b];
    const double *inverse = bodies->inverse + bodies->inv_ptr[b];
    for (int i = 0; i < n; i++) x[start + i] = 0;
    for (int j = 0; j < n; j++)
      for (int i = 0; i < n; i++) x[start + i] -= inverse[j * n + i] * f[bodies->dof[start + j]];
  }
}
