// The few bodies that move in a pile at rest. While the pile converges, velocities are the sum of
// what moves and of what is not yet in balance, and a shift that follows them chases both. So the
// shift is taken from a small problem: the bodies that move most, under the Coulomb law, among
// bodies at rest. At a solution the small problem has it for a solution too, up to the motion of
// the others. Here is which bodies these are, and what the two ways to solve their problem share.
#include "../kernels/gradient.h"

#include <float.h>
#include <math.h>
#include <string.h>

// A reaction with |r_T|^2 below this part of (mu r_N)^2 lies inside its cone.
static const double INSIDE = 1 - 4e6 * DBL_EPSILON;

stc_error stc_active_take(stc_solver *s, stc_active_bodies *m) {
  const stc_reduced *p = s->problem;
  const stc_bodies *b = &p->bodies;
  m->usable = b->count > 0 && b->free && !p->any_law;
  if (!m->usable) return STC_OK;
  m->most = 16 + b->count / 50;
  if (m->most > b->count) m->most = b->count;
  size_t touches = (size_t)m->most * STC_MOVER_TOUCHES, d = (size_t)p->dim;
  m->body = STC_TAKE_RAW(s->arena, int, b->count);
  m->moves = STC_TAKE_RAW(s->arena, bool, b->count);
  m->kept = STC_TAKE_RAW(s->arena, bool, b->count);
  m->v = STC_TAKE_RAW(s->arena, double, b->dofs);
  m->energy = STC_TAKE_RAW(s->arena, double, b->count);
  m->idle = STC_TAKE_RAW(s->arena, double, p->contacts);
  m->contact = STC_TAKE_RAW(s->arena, int, p->contacts);
  m->cone = STC_TAKE_RAW(s->arena, stc_cone3, touches);
  m->lambda = STC_TAKE_RAW(s->arena, double, touches);
  m->listed = STC_TAKE_RAW(s->arena, bool, p->contacts);
  m->r = STC_TAKE_RAW(s->arena, double, touches *d);
  m->rest = STC_TAKE_RAW(s->arena, double, touches *d);
  m->W = STC_TAKE_RAW(s->arena, double, touches *d *d);
  return stc_arena_check(s->arena);
}

void stc_active_start(const stc_reduced *p, stc_active_bodies *m) {
  if (!m->usable) return;
  m->flows = false;
  m->parts = 0;
  memset(m->kept, 0, (size_t)p->bodies.count * sizeof *m->kept);
  for (int c = 0; c < p->contacts; c++) {
    double u[STC_MAX_DIM];
    memcpy(u, p->q + c * p->dim, (size_t)p->dim * sizeof *u);
    for (int t = p->bodies.touch_ptr[c]; t < p->bodies.touch_ptr[c + 1]; t++)
      stc_bodies_add_motion(&p->bodies, t, p->bodies.free, -1, u);
    m->idle[c] = stc_law_shift(&p->law[c], u);
  }
}

static int dofs_of(const stc_bodies *b, int body) { return b->ptr[body + 1] - b->ptr[body]; }

// ---- which bodies ----

static void find_energies(const stc_reduced *p, stc_active_bodies *m, const double *r) {
  const stc_bodies *b = &p->bodies;
  stc_reduced_respond(p, r, m->v);
  for (int k = 0; k < b->dofs; k++) m->v[k] += b->free[k];
  for (int body = 0; body < b->count; body++) {
    int n = dofs_of(b, body);
    const double *v = m->v + b->ptr[body], *M = b->M + b->inv_ptr[body];
    double sum = 0;
    for (int j = 0; j < n; j++)
      for (int i = 0; i < n; i++) sum += v[i] * M[j * n + i] * v[j];
    m->energy[body] = sum;
  }
}

// The order of the list: more energy first, of equals the first body.
static bool before(const stc_active_bodies *m, int a, int b) {
  return m->energy[a] != m->energy[b] ? m->energy[a] > m->energy[b] : a < b;
}

// The last one in order is at the top of the heap.
static void sift(const stc_active_bodies *m, int count, int at) {
  int *h = m->body, moved = h[at];
  for (int child; (child = 2 * at + 1) < count; at = child) {
    if (child + 1 < count && before(m, h[child], h[child + 1])) child++;
    if (!before(m, moved, h[child])) break;
    h[at] = h[child];
  }
  h[at] = moved;
}

// Fills the list in its order.
static void find_fastest(const stc_bodies *b, stc_active_bodies *m) {
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
  for (int end = m->count - 1; end > 0; end--) {
    int last = m->body[0];
    m->body[0] = m->body[end];
    m->body[end] = last;
    sift(m, end, 0);
  }
}

// Where the others move by more than part.rest times the residual the pile flows, and the
// assumption that they rest tells nothing; if the list is long enough they move by no more than
// twice of it.
bool stc_active_choose(const stc_reduced *p, stc_active_bodies *m, const double *r, double residual,
                       double rest, double noise) {
  const stc_bodies *b = &p->bodies;
  double others = 0;
  if (!m->usable) return false;
  find_energies(p, m, r);
  find_fastest(b, m);
  memset(m->moves, 0, (size_t)b->count * sizeof *m->moves);
  for (int k = 0; k < m->count; k++) m->moves[m->body[k]] = true;
  for (int body = 0; body < b->count; body++)
    if (!m->moves[body]) others += m->energy[body];
  if (!(others <= rest * rest * residual)) return false;
  while (m->count > 0 && others + m->energy[m->body[m->count - 1]] <= noise * noise * residual) {
    others += m->energy[m->body[--m->count]];
    m->moves[m->body[m->count]] = false;
  }
  return m->count > 0;
}

// ---- the shift ----

void stc_active_scales(const stc_law *law, double *D) {
  bool rough = law->kind != STC_LAW_FRICTIONLESS;
  D[0] = 1;
  for (int k = 1; k < law->dim; k++) D[k] = rough ? law->mu[k - 1] : 0;
}

// r lies inside the cone: the contact sticks.
static bool sticks(const stc_law *law, const double *r) {
  double sum = 0, D[STC_MAX_DIM];
  stc_active_scales(law, D);
  for (int k = 1; k < law->dim; k++) sum += D[k] > 0 ? r[k] * r[k] / (D[k] * D[k]) : 0;
  return sum < INSIDE * r[0] * r[0];
}

double stc_active_shift(const stc_law *law, const double *r, const double *u) {
  return sticks(law, r) ? 0 : stc_law_shift(law, u);
}
