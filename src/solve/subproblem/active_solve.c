// The problem of the bodies that move and of those around them, which may give way, all others at
// rest, solved to the end, by gradients, or with factors if it is small. Where neither
// serves, or not in a few times, the pile flows. It is a small part of the pile, and an iteration
// there costs as little; the whole then has a convex problem to solve, whose shift is right from
// the beginning.
#include "../kernels/gradient.h"
#include "cut.h"

#include <limits.h>
#include <math.h>
#include <string.h>

// ---- which bodies ----

static void add_body(const stc_reduced *p, stc_active_bodies *m, int body) {
  if (m->moves[body] || m->count >= p->bodies.count / 8) return;
  m->moves[body] = true;
  m->body[m->count++] = body;
}

static void add_neighbours(const stc_reduced *p, stc_active_bodies *m, int body) {
  const stc_bodies *b = &p->bodies;
  for (int e = b->on_ptr[body]; e < b->on_ptr[body + 1]; e++) {
    int c = b->touch_contact[b->on_touch[e]];
    for (int t = b->touch_ptr[c]; t < b->touch_ptr[c + 1]; t++) add_body(p, m, b->touch_body[t]);
  }
}

// ---- their problem ----

// While it runs the part works for the whole: it is told to stop with it, and tells of the whole.
static bool drive(stc_solver *s, const stc_active_bodies *m, stc_solver *part, double *shift) {
  const stc_reduced *p = s->problem;
  stc_cut_read(m->contact, m->contacts, p->dim, s->r, part->r);
  part->parent = s;
  stc_solver_drive(part, LONG_MAX);
  part->parent = NULL;
  stc_solver_log(s, STC_LOG_INFO, "apgd: %d bodies that move, %d contacts, %s %ld: %s", m->count,
                 m->contacts, part->method->name, part->iterations, stc_status_name(part->status));
  if (part->status != STC_STATUS_SOLVED) return false;
  stc_reduced_velocity(part->problem, part->r, part->work, part->u);
  memcpy(shift, m->idle, (size_t)p->contacts * sizeof *shift);
  for (int l = 0; l < m->contacts; l++)
    shift[m->contact[l]] =
        stc_active_shift(&p->law[m->contact[l]], part->r + l * p->dim, part->u + l * p->dim);
  stc_cut_write(m->contact, m->contacts, p->dim, part->r, s->r);
  return true;
}

static bool solve_by(const char *method, stc_solver *s, const stc_active_bodies *m, int *place,
                     double *shift) {
  const stc_reduced *p = s->problem;
  stc_settings settings = s->settings;
  stc_reduced *problem = NULL;
  stc_solver *part = NULL;
  settings.tol =
      fmax(settings.part.tol * settings.tol, settings.rule.lag * settings.rule.inner * s->merit);
  if (stc_reduced_cut_moving(p, m->moves, m->contact, m->contacts, place, stc_reduced_magnitude(p),
                             &problem) ||
      stc_solver_setup_apart(problem, method, &settings, &part))
    return false;
  bool solved = drive(s, m, part, shift);
  stc_solver_free(&part);
  return solved;
}

static bool solve_active_solve(stc_solver *s, const stc_active_bodies *m, stc_arena *scratch,
                               double *shift) {
  int *place = NULL;
  if (stc_cut_places(scratch, s->problem, &place)) return false;
  if (solve_by("apgd", s, m, place, shift)) return true;
  return m->contacts <= s->settings.strategy.large && solve_by("auto", s, m, place, shift);
}

bool stc_active_solve(stc_solver *s, stc_active_bodies *m, double *shift) {
  const stc_reduced *p = s->problem;
  stc_arena scratch = {0};
  int active = m->count;
  if (m->flows || !s->settings.regions || p->among_rest || p->contacts < s->settings.strategy.large)
    return false;
  // The active bodies, the rings around them, and what was in the last part.
  int rings = s->settings.part.rings;
  for (int ring = 0, first = 0; ring < rings; ring++)
    for (int end = m->count; first < end; first++) add_neighbours(p, m, m->body[first]);
  for (int body = 0; body < p->bodies.count; body++)
    if (m->kept[body]) add_body(p, m, body);
  memcpy(m->kept, m->moves, (size_t)p->bodies.count * sizeof *m->kept);
  const stc_bodies *b = &p->bodies;
  m->contacts = 0;
  for (int c = 0; c < p->contacts; c++) {
    bool moves = false;
    for (int t = b->touch_ptr[c]; t < b->touch_ptr[c + 1]; t++) moves |= m->moves[b->touch_body[t]];
    if (moves) m->contact[m->contacts++] = c;
  }
  bool solved = solve_active_solve(s, m, &scratch, shift);
  stc_arena_free(&scratch);
  m->flows = !solved || ++m->parts >= s->settings.rule.steps;
  if (!solved) {
    while (m->count > active) m->moves[m->body[--m->count]] = false;
  }
  return solved;
}
