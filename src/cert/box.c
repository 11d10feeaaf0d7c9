// The equations of given statuses, Newton's method on them, and the test of the box. F and J are
// formed exactly and rounded for the Newton steps, so that the point is as good as doubles allow.
#include "box.h"

#include "../base/stop.h"
#include "../linalg/small.h"

#include <float.h>
#include <math.h>
#include <string.h>

// Unknowns up to which the test is tried: it takes m^3 exact operations.
enum { MAX_UNKNOWNS = 160, NEWTON_STEPS = 30 };

// The first box is as small as doubles allow, relative to the size of the unknowns. A box whose
// image is not inside is replaced by its image, made larger by GROWTH, up to INFLATIONS times.
static const double FIRST = 1e-15, GROWTH = 1.5;
enum { INFLATIONS = 12 };

typedef struct equations {
  const stc_problem *p;
  stc_box *box;
  int *offset;      // [contacts of the problem] first unknown of its reaction, -1: r = 0
  int *output;      // [contacts of the problem] row of u_N of an open contact; -1: there is none
  int first, rows;  // unknowns (v, l); rows of F: the equations, then u_N of open contacts
  stc_rationals x;  // [m]
  stc_rationals F;  // [rows]
  stc_rationals J;  // [rows*m] by rows
  double *rounded;  // [m*m] J
  double *step;     // [m]
  stc_arena arena;
  bool proved;    // without it the box is freed
  stc_box **out;  // where the box is returned
} equations;

static int unknowns_of(stc_contact_state status) {
  return status == STC_CONTACT_STICK ? 3 : status == STC_CONTACT_SLIP ? 4 : 0;
}

static double D(const equations *e, int c, int k) { return stc_exact_D(e->p, c, k); }

// --- Forming F and J ---

// (v, l, r) are numbered through the problem, and so are the equations and u.

/// The unknown for number i, or the row of F; -1: there is none.
static int place_of(const equations *e, int i, bool is_row) {
  int c = (i - e->first) / 3, k = (i - e->first) % 3;
  if (i < e->first) return i;
  if (e->offset[c] >= 0) return e->offset[c] + k;
  return is_row && k == 0 ? e->output[c] : -1;
}

/// a times what a row of u is weighted with, 1 or D; minus that for r = (r_N, -D p).
static void weigh(const equations *e, int i, int sign, stc_q a) {
  STC_Q weight = {0};
  if (i < e->first || (i - e->first) % 3 == 0) return;
  stc_q_set_d(weight, sign * D(e, (i - e->first) / 3, (i - e->first) % 3));
  stc_q_mul(a, a, weight);
}

/// F += sign A x and J += sign A, A or its transpose at the place of the problem that is given.
static void add_matrix(equations *e, const stc_csr *A, int row, int col, int sign,
                       bool transposed) {
  STC_Q a = {0};
  for (int i = 0; i < A->rows; i++)
    for (int k = A->ptr[i]; k < A->ptr[i + 1]; k++) {
      int at = row + (transposed ? A->col[k] : i), of = col + (transposed ? i : A->col[k]);
      int to = place_of(e, at, true), from = place_of(e, of, false);
      if (to < 0 || from < 0) continue;
      stc_q_ptr J = e->J.at[(ptrdiff_t)to * e->box->m + from];
      stc_q_set_d(a, sign * A->val[k]);
      weigh(e, at, 1, a);
      weigh(e, of, -1, a);
      stc_rational_fma(e->F.at[to], a, e->x.at[from]);
      stc_q_add(J, J, a);
    }
}

static void add_vector(equations *e, const double *x, int row, int count) {
  STC_Q a = {0};
  for (int i = 0; i < count; i++) {
    int to = place_of(e, row + i, true);
    if (to < 0) continue;
    stc_q_set_d(a, x[i]);
    weigh(e, row + i, 1, a);
    stc_q_add(e->F.at[to], e->F.at[to], a);
  }
}

/// J(row, col) += factor x(of).
static void add_to_J(equations *e, int row, int col, int of, int factor) {
  STC_Q a = {0};
  stc_q_set_i(a, factor);
  stc_rational_fma(e->J.at[(ptrdiff_t)row * e->box->m + col], a, e->x.at[of]);
}

/// F(row) += sign x(a) x(b), and its derivatives.
static void add_quadratic(equations *e, int row, int a, int b, int sign) {
  STC_Q product = {0};
  stc_q_mul(product, e->x.at[a], e->x.at[b]);
  (sign > 0 ? stc_q_add : stc_q_sub)(e->F.at[row], e->F.at[row], product);
  add_to_J(e, row, a, b, sign);
  add_to_J(e, row, b, a, sign);
}

static void form_slip(equations *e, int at) {
  for (int k = 1; k < 3; k++) {
    add_quadratic(e, at + k, at + 3, at + k, -1);
    add_quadratic(e, at + 3, at + k, at + k, 1);
  }
  add_quadratic(e, at + 3, at, at, -1);
}

/// M v + f - H^T r - G^T l, G v + b, H v + w   or   R l + V^T r + s, V l + W r + q.
static void form(equations *e) {
  const stc_problem *p = e->p;
  bool local = p->form == STC_FORM_LOCAL;
  for (size_t k = 0; k < e->F.count; k++) stc_q_set_i(e->F.at[k], 0);
  for (size_t k = 0; k < e->J.count; k++) stc_q_set_i(e->J.at[k], 0);
  if (local && p->equalities) {
    add_matrix(e, &p->R, 0, 0, 1, false);
    add_matrix(e, &p->V, e->first, 0, 1, false);
    add_matrix(e, &p->V, 0, e->first, 1, true);
  }
  if (!local) {
    add_matrix(e, &p->M, 0, 0, 1, false);
    add_matrix(e, &p->G, p->dofs, 0, 1, false);
    add_matrix(e, &p->G, 0, p->dofs, -1, true);
    add_matrix(e, &p->H, 0, e->first, -1, true);
    add_vector(e, p->f, 0, p->dofs);
  }
  add_matrix(e, local ? &p->W : &p->H, e->first, local ? e->first : 0, 1, false);
  add_vector(e, local ? p->s : p->b, p->dofs, p->equalities);
  add_vector(e, local ? p->q : p->w, e->first, p->size);
  for (int k = 0; k < e->box->contacts; k++)
    if (e->box->status[k] == STC_CONTACT_SLIP) form_slip(e, e->offset[e->box->contact[k]]);
}

// --- Newton ---

/// Forms F and J at box->x and inverts J; false where it is singular.
static bool linearise(equations *e) {
  stc_box *b = e->box;
  for (int k = 0; k < b->m; k++) stc_q_set_d(e->x.at[k], b->x[k]);
  form(e);
  for (int k = 0; k < b->m * b->m; k++) e->rounded[k] = stc_q_get_d(e->J.at[k]);
  return stc_small_invert(b->m, e->rounded, 0, b->inverse) != 0;
}

/// step = -Y F; returns its largest entry relative to x.
static double newton_step(equations *e) {
  stc_box *b = e->box;
  double most = 0, size = DBL_MIN;
  for (int i = 0; i < b->m; i++) {
    e->step[i] = 0;
    for (int j = 0; j < b->m; j++) e->step[i] -= b->inverse[i * b->m + j] * stc_q_get_d(e->F.at[j]);
    most = fmax(most, fabs(e->step[i]));
    size = fmax(size, fabs(b->x[i]));
  }
  return most / size;
}

/// Newton's method to the end of what doubles can tell. False where it breaks down.
static bool refine(equations *e) {
  stc_box *b = e->box;
  double last = INFINITY;
  for (int k = 0; k < NEWTON_STEPS && !stc_stop_look(); k++) {
    if (!linearise(e)) return false;
    double size = newton_step(e);
    if (!isfinite(size)) return false;
    if (size < 1e-14 || (size < 1e-10 && size > last / 2)) return true;
    last = size;
    for (int i = 0; i < b->m; i++) b->x[i] += e->step[i];
  }
  return false;
}

// --- The test ---

/// Row k of |Y F| + |I - Y J| rho + |Y| q.
static void image_of(const equations *e, int k, const stc_rationals *rho, const stc_rationals *q,
                     stc_q sum) {
  const stc_box *b = e->box;
  STC_Q a = {0}, y = {0};
  for (int i = 0; i < b->m; i++) stc_rational_fma_d(a, b->inverse[k * b->m + i], e->F.at[i]);
  stc_q_abs(sum, a);
  for (int j = 0; j < b->m; j++) {
    stc_q_set_i(a, j == k ? 1 : 0);
    for (int i = 0; i < b->m; i++)
      stc_rational_fma_d(a, -b->inverse[k * b->m + i], e->J.at[(ptrdiff_t)i * b->m + j]);
    stc_q_abs(a, a);
    stc_rational_fma(sum, a, rho->at[j]);
    stc_q_set_d(y, fabs(b->inverse[k * b->m + j]));
    stc_rational_fma(sum, y, q->at[j]);
  }
}

/// Whether the box rho is mapped into itself; b->radius becomes the next box to try where it is
/// not.
static bool maps_into_itself(const equations *e, const stc_rationals *rho, const stc_rationals *q) {
  stc_box *b = e->box;
  bool inside = true;
  STC_Q sum = {0};
  for (int k = 0; k < b->m && !stc_stop_look(); k++) {
    image_of(e, k, rho, q, sum);
    inside = inside && stc_q_cmp(sum, rho->at[k]) < 0;
    b->radius[k] = fmax(GROWTH * stc_q_get_d(sum), b->radius[k]);
  }
  return inside && !stc_stop_look();
}

/// u_N of an open contact stays >= 0 in the box.
static bool stays_open(const equations *e, int row, const stc_rationals *rho) {
  STC_Q least = {0}, a = {0};
  stc_q_set(least, e->F.at[row]);
  for (int j = 0; j < e->box->m; j++) {
    stc_q_abs(a, e->J.at[(ptrdiff_t)row * e->box->m + j]);
    stc_q_neg(a, a);
    stc_rational_fma(least, a, rho->at[j]);
  }
  return stc_q_sgn(least) >= 0;
}

/// (|p1| + rho)^2 + (|p2| + rho)^2 <= (r_N - rho)^2.
static bool stays_stuck(const equations *e, int at, const stc_rationals *rho) {
  STC_Q tail = {0}, a = {0};
  for (int k = 1; k < 3; k++) {
    stc_q_abs(a, e->x.at[at + k]);
    stc_q_add(a, a, rho->at[at + k]);
    stc_rational_fma(tail, a, a);
  }
  stc_q_sub(a, e->x.at[at], rho->at[at]);
  stc_q_mul(a, a, a);
  return stc_q_cmp(tail, a) <= 0;
}

static bool stays_positive(const equations *e, int at, const stc_rationals *rho) {
  return stc_q_cmp(e->x.at[at], rho->at[at]) >= 0;
}

static bool keeps_status(const equations *e, int k, const stc_rationals *rho) {
  int c = e->box->contact[k], at = e->offset[c];
  switch (e->box->status[k]) {
  case STC_CONTACT_OPEN:
    return stays_open(e, e->output[c], rho);
  case STC_CONTACT_STICK:
    return stays_positive(e, at, rho) && stays_stuck(e, at, rho);
  default:
    return stays_positive(e, at, rho) && stays_positive(e, at + 3, rho);
  }
}

/// One box: whether it is mapped into itself, and whether all contacts keep their status in it.
static stc_error test(equations *e, bool *inside) {
  stc_box *b = e->box;
  STC_RATIONALS rho = {0}, q = {0};
  STC_TRY(stc_rationals_from(&rho, (size_t)b->m, b->radius, NULL, (size_t)b->m));
  STC_TRY(stc_rationals_create(&q, (size_t)b->m));
  // q = bound of |Q_i(h)| in the box, for the equations `row` of a contact that slips.
  for (int k = 0; k < e->box->contacts; k++) {
    int at = e->offset[e->box->contact[k]];
    if (e->box->status[k] != STC_CONTACT_SLIP) continue;
    for (int j = 1; j < 3; j++) stc_q_mul(q.at[at + j], rho.at[at + 3], rho.at[at + j]);
    for (int j = 0; j < 3; j++) stc_rational_fma(q.at[at + 3], rho.at[at + j], rho.at[at + j]);
  }
  *inside = maps_into_itself(e, &rho, &q);
  e->proved = *inside;
  for (int k = 0; *inside && k < b->m; k++) b->radius[k] = stc_q_get_d(rho.at[k]);
  for (int k = 0; e->proved && k < b->contacts; k++) e->proved = keeps_status(e, k, &rho);
  return STC_OK;
}

/// Larger and larger boxes until one is mapped into itself: a larger one keeps no more statuses.
static stc_error inflate(equations *e) {
  bool inside = false;
  // Unknowns of a kind have one size: velocities, joint impulses, the reaction of a contact.
  stc_box *b = e->box;
  double v = 0, l = 0;
  int dofs = e->p->dofs;
  for (int k = 0; k < dofs; k++) v = fmax(v, fabs(b->x[k]));
  for (int k = dofs; k < e->first; k++) l = fmax(l, fabs(b->x[k]));
  for (int k = 0; k < dofs; k++) b->radius[k] = FIRST * (v > 0 ? v : 1);
  for (int k = dofs; k < e->first; k++) b->radius[k] = FIRST * (l > 0 ? l : 1);
  for (int k = 0; k < b->contacts; k++) {
    int at = e->offset[b->contact[k]];
    for (int j = 0; j < unknowns_of(b->status[k]); j++)
      b->radius[at + j] = fmax(FIRST * fabs(b->x[at + (j < 3 ? 0 : 3)]), DBL_MIN);
  }
  for (int k = 0; k < INFLATIONS && !inside && !stc_stop_look(); k++) STC_TRY(test(e, &inside));
  return STC_OK;
}

// --- Start and end ---

/// The unknowns of reactions r and of what they imply.
static stc_error start_box(equations *e, const double *r) {
  const stc_problem *p = e->p;
  stc_box *b = e->box;
  double *u = STC_TAKE(&b->arena, double, p->size);
  STC_TRY(stc_arena_check(&b->arena));
  memcpy(b->r, r, (size_t)p->size * sizeof *r);
  stc_solution solution = {.r = b->r, .u = u, .l = b->x + p->dofs};
  if (p->form == STC_FORM_GLOBAL) solution.v = b->x;
  STC_TRY(stc_problem_complete(p, &solution));
  for (int k = 0; k < b->contacts; k++) {
    int c = b->contact[k], at = e->offset[c];
    if (at < 0) continue;
    double pp = 0, up = 0, *x = b->x + at;
    x[0] = r[3 * c];
    for (int j = 1; j < 3; j++) {
      x[j] = -r[3 * c + j] / D(e, c, j);
      pp += x[j] * x[j];
      up += x[j] * D(e, c, j) * u[3 * c + j];
    }
    if (b->status[k] == STC_CONTACT_SLIP) x[3] = up / fmax(pp, DBL_MIN);
  }
  return STC_OK;
}

static void finish(const equations *e) {
  stc_box *b = e->box;
  memset(b->r, 0, (size_t)e->p->size * sizeof *b->r);
  for (int k = 0; k < b->contacts; k++) {
    int c = b->contact[k], at = e->offset[c];
    for (int j = 0; at >= 0 && j < 3; j++) b->r[3 * c + j] = b->x[at + j] * (j ? -D(e, c, j) : 1);
  }
}

/// False if there are too many unknowns, or a contact without friction sticks or slips.
static bool number_unknowns(equations *e, const int *contact, const stc_contact_state *status) {
  const stc_problem *p = e->p;
  int m = e->first = p->dofs + p->equalities;
  for (int c = 0; c < p->contacts; c++) e->offset[c] = e->output[c] = -1;
  for (int k = 0; k < e->box->contacts && m <= MAX_UNKNOWNS; k++) {
    int c = contact[k], n = unknowns_of(status[k]);
    if (n && !(D(e, c, 1) > 0 && D(e, c, 2) > 0)) return false;
    if (n) e->offset[c] = m;
    m += n;
  }
  if (m > MAX_UNKNOWNS) return false;
  e->rows = e->box->m = m;
  for (int k = 0; k < e->box->contacts; k++)
    if (status[k] == STC_CONTACT_OPEN) e->output[contact[k]] = e->rows++;
  return true;
}

static stc_error allocate(equations *e, const int *contact, const stc_contact_state *status) {
  stc_box *b = e->box;
  size_t m = (size_t)b->m;
  b->contact = STC_TAKE(&b->arena, int, b->contacts);
  b->status = STC_TAKE(&b->arena, stc_contact_state, b->contacts);
  b->x = STC_TAKE(&b->arena, double, m);
  b->radius = STC_TAKE(&b->arena, double, m);
  b->inverse = STC_TAKE(&b->arena, double, m *m);
  b->r = STC_TAKE(&b->arena, double, e->p->size);
  e->rounded = STC_TAKE(&e->arena, double, m *m);
  e->step = STC_TAKE(&e->arena, double, m);
  STC_TRY(stc_arena_check(&b->arena));
  STC_TRY(stc_arena_check(&e->arena));
  memcpy(b->contact, contact, (size_t)b->contacts * sizeof *contact);
  memcpy(b->status, status, (size_t)b->contacts * sizeof *status);
  STC_TRY(stc_rationals_create(&e->x, m));
  STC_TRY(stc_rationals_create(&e->F, (size_t)e->rows));
  return stc_rationals_create(&e->J, (size_t)e->rows * m);
}

static void free_equations(equations *e) {
  stc_rationals_free(&e->x);
  stc_rationals_free(&e->F);
  stc_rationals_free(&e->J);
  stc_arena_free(&e->arena);
  if (!e->proved) stc_box_free(e->out);
}

stc_error stc_box_prove(const stc_problem *problem, const int *contact, int contacts,
                        const stc_contact_state *status, const double *r, stc_box **box) {
  STC_NEW(box, "the proof of a solution");
  stc_box *b = *box;
  STC_RELEASED_BY(free_equations) equations e = {.p = problem, .box = b, .out = box};
  b->contacts = contacts;
  e.offset = STC_TAKE(&e.arena, int, problem->contacts);
  e.output = STC_TAKE(&e.arena, int, problem->contacts);
  STC_TRY(stc_arena_check(&e.arena));
  if (!number_unknowns(&e, contact, status) || b->m == 0) return STC_OK;
  STC_TRY(allocate(&e, contact, status));
  STC_TRY(start_box(&e, r));
  if (refine(&e)) STC_TRY(inflate(&e));
  if (e.proved) finish(&e);
  return STC_OK;
}

void stc_box_free(stc_box **box) {
  if (!*box) return;
  stc_arena_free(&(*box)->arena);
  stc_release(box);
}
