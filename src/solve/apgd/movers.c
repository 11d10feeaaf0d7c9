// The few bodies that move in a pile at rest. While the pile converges, velocities are the sum of
// what moves and of what is not yet in balance, and a shift that follows them chases both. So the
// shift at the contacts of the bodies that move most is taken from a small problem: these bodies
// under the Coulomb law, all others at rest,
//   u_c = H_c (v of movers) + w_c,   by a few sweeps of Gauss–Seidel from the reactions at hand.
// At a solution the small problem has it for a solution too, up to the motion of the others.
#include "../../law/cone_kernel.h"
#include "apgd.h"

#include <string.h>

// A share of the bodies, and a few in small piles.
enum { ONE_IN = 50, FEWEST = 16 };
// Where the others move by more than this times the residual the pile flows, and the assumption
// that they rest tells nothing.
static const double REST = 20;
enum { SWEEPS = 30 };
// Sweeps end where they change less than this part of the residual.
static const double SETTLED = 1e-3;
// A reaction with |r_T|^2 below this part of (mu r_N)^2 lies inside its cone.
static const double INSIDE = 1 - 1e-9;

stc_error stc_movers_take(stc_solver *s, stc_movers *m) {
  const stc_reduced *p = s->problem;
  const stc_bodies *b = &p->bodies;
  m->usable = b->count > 0 && b->free && !p->turning;
  if (!m->usable) return STC_OK;
  m->most = FEWEST + b->count / ONE_IN;
  if (m->most > b->count) m->most = b->count;
  size_t touches = (size_t)m->most * STC_MOVER_TOUCHES, d = (size_t)p->dim;
  m->body = STC_TAKE_RAW(s->arena, int, m->most);
  m->moves = STC_TAKE_RAW(s->arena, bool, b->count);
  m->v = STC_TAKE_RAW(s->arena, double, b->dofs);
  m->energy = STC_TAKE_RAW(s->arena, double, b->count);
  m->idle = STC_TAKE_RAW(s->arena, double, p->contacts);
  m->contact = STC_TAKE_RAW(s->arena, int, touches);
  m->cone = STC_TAKE_RAW(s->arena, stc_cone3, touches);
  m->lambda = STC_TAKE_RAW(s->arena, double, touches);
  m->listed = STC_TAKE_RAW(s->arena, bool, p->contacts);
  m->r = STC_TAKE_RAW(s->arena, double, touches *d);
  m->rest = STC_TAKE_RAW(s->arena, double, touches *d);
  m->W = STC_TAKE_RAW(s->arena, double, touches *d *d);
  return stc_arena_check(s->arena);
}

// u += sign H_t v of the body of touch t.
static void add_motion(const stc_reduced *p, int t, const double *v, double sign, double *u) {
  const stc_bodies *b = &p->bodies;
  const double *H = b->H + b->val_ptr[t];
  int body = b->touch_body[t];
  for (int k = b->ptr[body]; k < b->ptr[body + 1]; k++, H += p->dim)
    for (int i = 0; i < p->dim; i++) u[i] += sign * H[i] * v[k];
}

void stc_movers_start(const stc_reduced *p, stc_movers *m) {
  for (int c = 0; m->usable && c < p->contacts; c++) {
    double u[STC_MAX_DIM];
    memcpy(u, p->q + c * p->dim, (size_t)p->dim * sizeof *u);
    for (int t = p->bodies.touch_ptr[c]; t < p->bodies.touch_ptr[c + 1]; t++)
      add_motion(p, t, p->bodies.free, -1, u);
    m->idle[c] = stc_law_shift(&p->law[c], u);
  }
}

static int size_of(const stc_bodies *b, int body) { return b->ptr[body + 1] - b->ptr[body]; }

// ---- which bodies ----

static void find_energies(const stc_reduced *p, stc_movers *m, const double *r) {
  const stc_bodies *b = &p->bodies;
  stc_reduced_respond(p, r, m->v);
  for (int k = 0; k < b->dofs; k++) m->v[k] += b->free[k];
  for (int body = 0; body < b->count; body++) {
    int n = size_of(b, body);
    const double *v = m->v + b->ptr[body], *M = b->M + b->inv_ptr[body];
    double sum = 0;
    for (int j = 0; j < n; j++)
      for (int i = 0; i < n; i++) sum += v[i] * M[j * n + i] * v[j];
    m->energy[body] = sum;
  }
}

// The order of the list: more energy first, of equals the first body.
static bool before(const stc_movers *m, int a, int b) {
  return m->energy[a] != m->energy[b] ? m->energy[a] > m->energy[b] : a < b;
}

// The last one in order is at the top of the heap.
static void sift(const stc_movers *m, int count, int at) {
  int *h = m->body, moved = h[at];
  for (int child; (child = 2 * at + 1) < count; at = child) {
    if (child + 1 < count && before(m, h[child], h[child + 1])) child++;
    if (!before(m, moved, h[child])) break;
    h[at] = h[child];
  }
  h[at] = moved;
}

static void sort(stc_movers *m) {
  for (int end = m->count - 1; end > 0; end--) {
    int last = m->body[0];
    m->body[0] = m->body[end];
    m->body[end] = last;
    sift(m, end, 0);
  }
}

// Fills the list in its order.
static void find_fastest(const stc_bodies *b, stc_movers *m) {
  m->count = 0;
  for (int body = 0; body < b->count; body++) {
    if (b->on_ptr[body + 1] - b->on_ptr[body] > STC_MOVER_TOUCHES) continue;
    if (m->count < m->most) {
      m->body[m->count++] = body;
      if (m->count == m->most)
        for (int k = m->most / 2 - 1; k >= 0; k--) sift(m, m->most, k);
    } else if (before(m, body, m->body[0])) {
      m->body[0] = body;
      sift(m, m->most, 0);
    }
  }
  for (int k = m->count / 2 - 1; k >= 0; k--) sift(m, m->count, k);
  sort(m);
}

// Leaves as many in the list as it takes for the others to move less than the residual; false where
// they move too much.
static bool choose(const stc_bodies *b, stc_movers *m, double residual) {
  double others = 0;
  find_fastest(b, m);
  memset(m->moves, 0, (size_t)b->count * sizeof *m->moves);
  for (int k = 0; k < m->count; k++) m->moves[m->body[k]] = true;
  for (int body = 0; body < b->count; body++)
    if (!m->moves[body]) others += m->energy[body];
  if (!(others <= REST * REST * residual)) return false;
  while (m->count > 0 && others + m->energy[m->body[m->count - 1]] <= residual) {
    others += m->energy[m->body[--m->count]];
    m->moves[m->body[m->count]] = false;
  }
  return m->count > 0;
}

// ---- their problem ----

static void list_contacts(const stc_reduced *p, stc_movers *m) {
  const stc_bodies *b = &p->bodies;
  memset(m->listed, 0, (size_t)p->contacts * sizeof *m->listed);
  m->contacts = 0;
  for (int k = 0; k < m->count; k++)
    for (int e = b->on_ptr[m->body[k]]; e < b->on_ptr[m->body[k] + 1]; e++) {
      int c = b->touch_contact[b->on_touch[e]];
      if (!m->listed[c]) m->contact[m->contacts++] = c;
      m->listed[c] = true;
    }
}

// In hat variables r = D r' the cone is |r'_T| <= r'_N.
static void scales(const stc_law *law, double *D) {
  bool rough = law->kind != STC_LAW_FRICTIONLESS;
  D[0] = 1;
  for (int k = 1; k < law->dim; k++) D[k] = rough ? law->mu[k - 1] : 0;
}

static void prepare_cone(const stc_reduced *p, stc_movers *m, int l) {
  double D[3], W[9];
  scales(&p->law[m->contact[l]], D);
  for (int j = 0; j < 3; j++)
    for (int i = 0; i < 3; i++) W[3 * j + i] = D[i] * m->W[9 * l + 3 * j + i] * D[j];
  m->cone[l] = stc_cone3_prepare(W);
}

// The problem at contact number l of the list.
static void prepare(const stc_reduced *p, stc_movers *m, int l, const double *r, const double *u) {
  const stc_bodies *b = &p->bodies;
  int c = m->contact[l], d = p->dim;
  size_t bytes = (size_t)d * sizeof *r;
  memcpy(m->r + l * d, r + c * d, bytes);
  memcpy(m->rest + l * d, u + c * d, bytes);
  memset(m->W + l * d * d, 0, (size_t)d * bytes);
  for (int t = b->touch_ptr[c]; t < b->touch_ptr[c + 1]; t++) {
    add_motion(p, t, m->v, -1, m->rest + l * d);
    if (m->moves[b->touch_body[t]]) stc_bodies_add_block(p, t, t, m->W + l * d * d);
  }
  m->lambda[l] = 0;
  if (d == 3) prepare_cone(p, m, l);
}

// v += Y_t dr for the bodies of contact c that move.
static void push(const stc_reduced *p, stc_movers *m, int c, const double *dr) {
  const stc_bodies *b = &p->bodies;
  for (int t = b->touch_ptr[c]; t < b->touch_ptr[c + 1]; t++) {
    int body = b->touch_body[t], n = size_of(b, body);
    const double *Y = b->Y + b->val_ptr[t];
    double *v = m->v + b->ptr[body];
    for (int j = 0; m->moves[body] && j < p->dim; j++)
      for (int k = 0; k < n; k++) v[k] += Y[j * n + k] * dr[j];
  }
}

// u of contact number l as the movers move.
static void find_velocity(const stc_reduced *p, const stc_movers *m, int l, double *u) {
  const stc_bodies *b = &p->bodies;
  int c = m->contact[l];
  memcpy(u, m->rest + l * p->dim, (size_t)p->dim * sizeof *u);
  for (int t = b->touch_ptr[c]; t < b->touch_ptr[c + 1]; t++)
    if (m->moves[b->touch_body[t]]) add_motion(p, t, m->v, 1, u);
}

static void solve_contact(const stc_reduced *p, stc_movers *m, int l, const double *q, double *r) {
  const stc_law *law = &p->law[m->contact[l]];
  double D[3], c[3], x[3];
  if (p->dim == 3) {
    scales(law, D);
    for (int k = 0; k < 3; k++) c[k] = D[k] * q[k];
    if (stc_cone3_solve(&m->cone[l], c, x, &m->lambda[l])) {
      for (int k = 0; k < 3; k++) r[k] = D[k] * x[k];
      return;
    }
  }
  stc_law_solve(law, m->W + l * p->dim * p->dim, q, r);
}

// Settles contact number l by itself; returns kappa |dr|^2.
static double settle(const stc_reduced *p, stc_movers *m, int l) {
  int c = m->contact[l], d = p->dim;
  double q[STC_MAX_DIM], dr[STC_MAX_DIM], change = 0;
  double *r = m->r + l * d;
  const double *W = m->W + l * d * d;
  find_velocity(p, m, l, q);
  for (int j = 0; j < d; j++)
    for (int i = 0; i < d; i++) q[i] -= W[j * d + i] * r[j];
  memcpy(dr, r, (size_t)d * sizeof *r);
  solve_contact(p, m, l, q, r);
  for (int k = 0; k < d; k++) {
    dr[k] = r[k] - dr[k];
    change += p->kappa[c] * dr[k] * dr[k];
  }
  push(p, m, c, dr);
  return change;
}

static void sweep(const stc_reduced *p, stc_movers *m, double residual) {
  double change = residual;
  for (int k = 0; k < SWEEPS && change > SETTLED * SETTLED * residual; k++) {
    change = 0;
    for (int l = 0; l < m->contacts; l++) change += settle(p, m, l);
  }
}

// r lies inside the cone: the contact sticks.
static bool sticks(const stc_law *law, const double *r) {
  double sum = 0, D[STC_MAX_DIM];
  scales(law, D);
  for (int k = 1; k < law->dim; k++) sum += D[k] > 0 ? r[k] * r[k] / (D[k] * D[k]) : 0;
  return sum < INSIDE * r[0] * r[0];
}

static void read_shift(const stc_reduced *p, const stc_movers *m, double *shift) {
  memcpy(shift, m->idle, (size_t)p->contacts * sizeof *shift);
  for (int l = 0; l < m->contacts; l++) {
    double u[STC_MAX_DIM];
    const stc_law *law = &p->law[m->contact[l]];
    find_velocity(p, m, l, u);
    shift[m->contact[l]] = sticks(law, m->r + l * p->dim) ? 0 : stc_law_shift(law, u);
  }
}

bool stc_movers_shift(const stc_reduced *p, stc_movers *m, const double *r, const double *u,
                      double residual, double *shift) {
  if (!m->usable) return false;
  find_energies(p, m, r);
  if (!choose(&p->bodies, m, residual)) return false;
  list_contacts(p, m);
  for (int l = 0; l < m->contacts; l++) prepare(p, m, l, r, u);
  sweep(p, m, residual);
  read_shift(p, m, shift);
  return true;
}
