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
  int v, l;         // first unknown of v, of l
  stc_rationals x;  // [m]
  stc_rationals F;  // [m]
  stc_rationals J;  // [m*m] by rows
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

/// F(row) += a x(col), J(row, col) += a.
static void add_box(equations *e, int row, int col, const stc_q a) {
  stc_rational_fma(e->F.at[row], a, e->x.at[col]);
  stc_q_ptr J = e->J.at[(ptrdiff_t)row * e->box->m + col];
  stc_q_add(J, J, a);
}

static void add_product_box(equations *e, int row, int col, double a, double b) {
  STC_Q x = {0}, y = {0};
  stc_q_set_d(x, a);
  stc_q_set_d(y, b);
  stc_q_mul(x, x, y);
  add_box(e, row, col, x);
}

/// F(row) += a r_i for component i of the reactions, r = (r_N, -D p).
static void add_reaction(equations *e, int row, int i, double a) {
  int c = i / e->p->dim, k = i % e->p->dim;
  if (e->offset[c] >= 0) add_product_box(e, row, e->offset[c] + k, a, k ? -D(e, c, k) : 1);
}

/// F(row) += factor u_i.
static void add_velocity(equations *e, int row, int i, double factor) {
  const stc_problem *p = e->p;
  const stc_csr *A = stc_exact_rows(p);
  bool local = p->form == STC_FORM_LOCAL;
  STC_Q a = {0}, scale = {0};
  stc_q_set_d(scale, factor);
  stc_q_set_d(a, local ? p->q[i] : p->w[i]);
  stc_rational_fma(e->F.at[row], scale, a);
  for (int k = A->ptr[i]; k < A->ptr[i + 1]; k++) {
    int j = A->col[k], c = j / p->dim;
    if (local && e->offset[c] < 0) continue;
    stc_q_set_d(a, A->val[k]);
    stc_q_mul(a, a, scale);
    if (local && j % p->dim) {
      STC_Q D_j = {0};
      stc_q_set_d(D_j, -D(e, c, j % p->dim));
      stc_q_mul(a, a, D_j);
    }
    add_box(e, row, local ? e->offset[c] + j % p->dim : e->v + j, a);
  }
  for (int k = local ? p->V.ptr[i] : 0; local && k < p->V.ptr[i + 1]; k++)
    add_product_box(e, row, e->l + p->V.col[k], factor, p->V.val[k]);
}

/// M v + f - H^T r - G^T l, G v + b.
static void form_global(equations *e) {
  const stc_problem *p = e->p;
  for (int i = 0; i < p->dofs; i++) {
    stc_q_set_d(e->F.at[e->v + i], p->f[i]);
    for (int k = p->M.ptr[i]; k < p->M.ptr[i + 1]; k++)
      add_product_box(e, e->v + i, e->v + p->M.col[k], p->M.val[k], 1);
  }
  for (int i = 0; i < p->size; i++)
    for (int k = p->H.ptr[i]; k < p->H.ptr[i + 1]; k++)
      add_reaction(e, e->v + p->H.col[k], i, -p->H.val[k]);
  for (int i = 0; i < p->equalities; i++) {
    stc_q_set_d(e->F.at[e->l + i], p->b[i]);
    for (int k = p->G.ptr[i]; k < p->G.ptr[i + 1]; k++) {
      add_product_box(e, e->l + i, e->v + p->G.col[k], p->G.val[k], 1);
      add_product_box(e, e->v + p->G.col[k], e->l + i, -p->G.val[k], 1);
    }
  }
}

/// V^T r + R l + s.
static void form_local(equations *e) {
  const stc_problem *p = e->p;
  for (int i = 0; i < p->equalities; i++) {
    stc_q_set_d(e->F.at[e->l + i], p->s[i]);
    for (int k = p->R.ptr[i]; k < p->R.ptr[i + 1]; k++)
      add_product_box(e, e->l + i, e->l + p->R.col[k], p->R.val[k], 1);
  }
  for (int i = 0; p->equalities && i < p->size; i++)
    for (int k = p->V.ptr[i]; k < p->V.ptr[i + 1]; k++)
      add_reaction(e, e->l + p->V.col[k], i, p->V.val[k]);
}

/// J(row, col) += sign * twice * x(of).
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

static void form_contact(equations *e, int c, stc_contact_state status) {
  int at = e->offset[c], i = c * e->p->dim;
  if (at < 0) return;
  add_velocity(e, at, i, 1);
  for (int k = 1; k < 3; k++) add_velocity(e, at + k, i + k, D(e, c, k));
  if (status != STC_CONTACT_SLIP) return;
  for (int k = 1; k < 3; k++) {
    add_quadratic(e, at + k, at + 3, at + k, -1);
    add_quadratic(e, at + 3, at + k, at + k, 1);
  }
  add_quadratic(e, at + 3, at, at, -1);
}

static void form(equations *e) {
  for (size_t k = 0; k < e->F.count; k++) stc_q_set_i(e->F.at[k], 0);
  for (size_t k = 0; k < e->J.count; k++) stc_q_set_i(e->J.at[k], 0);
  if (e->p->form == STC_FORM_LOCAL)
    form_local(e);
  else
    form_global(e);
  for (int k = 0; k < e->box->contacts; k++) form_contact(e, e->box->contact[k], e->box->status[k]);
}

// --- Newton ---

/// Forms F and J at box->x and inverts J; false where it is singular.
static bool linearise(equations *e) {
  stc_box *b = e->box;
  for (int k = 0; k < b->m; k++) stc_q_set_d(e->x.at[k], b->x[k]);
  form(e);
  for (size_t k = 0; k < e->J.count; k++) e->rounded[k] = stc_q_get_d(e->J.at[k]);
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

/// q = bound of |Q_i(h)| in the box, for the equations `row` of a contact that slips.
static void curvature(const equations *e, const stc_rationals *rho, stc_rationals *q) {
  for (int k = 0; k < e->box->contacts; k++) {
    int at = e->offset[e->box->contact[k]];
    if (e->box->status[k] != STC_CONTACT_SLIP) continue;
    for (int j = 1; j < 3; j++) stc_q_mul(q->at[at + j], rho->at[at + 3], rho->at[at + j]);
    for (int j = 0; j < 3; j++) stc_rational_fma(q->at[at + 3], rho->at[at + j], rho->at[at + j]);
  }
}

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

/// u_N of an open contact stays >= 0 in the box. Row 0 of F and J serve as scratch for u_N.
static bool stays_open(equations *e, int c, const stc_rationals *rho) {
  STC_Q a = {0};
  stc_q_set_i(e->F.at[0], 0);
  for (int j = 0; j < e->box->m; j++) stc_q_set_i(e->J.at[j], 0);
  add_velocity(e, 0, c * e->p->dim, 1);
  for (int j = 0; j < e->box->m; j++) {
    stc_q_abs(a, e->J.at[j]);
    stc_q_neg(a, a);
    stc_rational_fma(e->F.at[0], a, rho->at[j]);
  }
  return stc_q_sgn(e->F.at[0]) >= 0;
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

static bool keeps_status(equations *e, int k, const stc_rationals *rho) {
  int c = e->box->contact[k], at = e->offset[c];
  switch (e->box->status[k]) {
  case STC_CONTACT_OPEN:
    return stays_open(e, c, rho);
  case STC_CONTACT_STICK:
    return stays_positive(e, at, rho) && stays_stuck(e, at, rho);
  default:
    return stays_positive(e, at, rho) && stays_positive(e, at + 3, rho);
  }
}

/// Unknowns of a kind have one size: velocities, joint impulses, the reaction of a contact.
static void set_radius(const equations *e, double relative) {
  stc_box *b = e->box;
  double v = 0, l = 0;
  for (int k = e->v; k < e->l; k++) v = fmax(v, fabs(b->x[k]));
  for (int k = 0; k < e->p->equalities; k++) l = fmax(l, fabs(b->x[e->l + k]));
  for (int k = e->v; k < e->l; k++) b->radius[k] = relative * (v > 0 ? v : 1);
  for (int k = 0; k < e->p->equalities; k++) b->radius[e->l + k] = relative * (l > 0 ? l : 1);
  for (int k = 0; k < b->contacts; k++) {
    int at = e->offset[b->contact[k]];
    for (int j = 0; j < unknowns_of(b->status[k]); j++)
      b->radius[at + j] = fmax(relative * fabs(b->x[at + (j < 3 ? 0 : 3)]), DBL_MIN);
  }
}

/// One box: whether it is mapped into itself, and whether all contacts keep their status in it.
static stc_error test(equations *e, bool *inside) {
  stc_box *b = e->box;
  STC_RATIONALS rho = {0}, q = {0};
  STC_TRY(stc_rationals_from(&rho, (size_t)b->m, b->radius, NULL, (size_t)b->m));
  STC_TRY(stc_rationals_create(&q, (size_t)b->m));
  curvature(e, &rho, &q);
  *inside = maps_into_itself(e, &rho, &q);
  e->proved = *inside;
  for (int k = 0; *inside && k < b->m; k++) b->radius[k] = stc_q_get_d(rho.at[k]);
  for (int k = 0; e->proved && k < b->contacts; k++) e->proved = keeps_status(e, k, &rho);
  return STC_OK;
}

/// Larger and larger boxes until one is mapped into itself: a larger one keeps no more statuses.
static stc_error inflate(equations *e) {
  bool inside = false;
  set_radius(e, FIRST);
  form(e);
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
  stc_solution solution = {.r = b->r, .u = u, .l = b->x + e->l};
  if (p->form == STC_FORM_GLOBAL) solution.v = b->x + e->v;
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
  stc_box *b = e->box;
  long m = (long)p->dofs + p->equalities;
  e->l = p->dofs;
  for (int c = 0; c < p->contacts; c++) e->offset[c] = -1;
  for (int k = 0; k < b->contacts; k++) {
    int c = contact[k], n = unknowns_of(status[k]);
    if (n && !(D(e, c, 1) > 0 && D(e, c, 2) > 0)) return false;
    if (n) e->offset[c] = (int)m;
    m += n;
    if (m > MAX_UNKNOWNS) return false;
  }
  b->m = (int)m;
  return m <= MAX_UNKNOWNS;
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
  STC_TRY(stc_rationals_create(&e->F, m));
  return stc_rationals_create(&e->J, m * m);
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
  stc_box *b = *box = stc_calloc(1, sizeof *b);
  if (!b) return stc_fail(STC_ERR_MEMORY, "out of memory for the proof of a solution");
  STC_RELEASED_BY(free_equations) equations e = {.p = problem, .box = b, .out = box};
  b->contacts = contacts;
  e.offset = STC_TAKE(&e.arena, int, problem->contacts);
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
