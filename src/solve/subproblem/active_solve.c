// The problem of the bodies that move and of those around them, which may give way, all others at
// rest, solved to the end. It is a small part of the pile, and an iteration there costs as little;
// the whole then has a convex problem to solve, whose shift is right from the beginning.
#include "../kernels/gradient.h"
#include "cut.h"

#include <limits.h>
#include <math.h>
#include <string.h>

// Neighbours of neighbours that may give way, and the most bodies of a part.
enum { RINGS = 3 };
static const double MOST = 0.15;
// Below so many contacts sweeps are as quick; where so many parts do not suffice the pile flows.
enum { WORTH_CUTTING = 2000, MOST_PARTS = 8 };
// The part is solved to this share of the tolerance, or of the residual of the whole; where no way
// does that it flows. Factors are for small parts only.
static const double PART_OF_TOL = 0.3, PART_OF_MERIT = 0.001;
enum { LIMIT = 10000 };
typedef struct way {
  const char *method;
  int most;  ///< contacts
  stc_patience patience;
} way;
static const way WAYS[] = {
    {.method = "apgd", .most = INT_MAX, .patience = {.iterations = 3000, .gain = 0.9}},
    {.method = "auto", .most = 2000}};
enum { WAY_COUNT = sizeof WAYS / sizeof *WAYS };

// ---- which bodies ----

static void add_body(const stc_reduced *p, stc_active_bodies *m, int body) {
  if (m->moves[body] || m->count >= MOST * p->bodies.count) return;
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

// The active bodies, the rings around them, and what was in the last part.
static void grow(const stc_reduced *p, stc_active_bodies *m) {
  for (int ring = 0, first = 0; ring < RINGS; ring++)
    for (int end = m->count; first < end; first++) add_neighbours(p, m, m->body[first]);
  for (int body = 0; body < p->bodies.count; body++)
    if (m->kept[body]) add_body(p, m, body);
  memcpy(m->kept, m->moves, (size_t)p->bodies.count * sizeof *m->kept);
}

static void shrink(stc_active_bodies *m, int count) {
  while (m->count > count) m->moves[m->body[--m->count]] = false;
}

static void list_contacts(const stc_reduced *p, stc_active_bodies *m) {
  const stc_bodies *b = &p->bodies;
  m->contacts = 0;
  for (int c = 0; c < p->contacts; c++) {
    bool moves = false;
    for (int t = b->touch_ptr[c]; t < b->touch_ptr[c + 1]; t++) moves |= m->moves[b->touch_body[t]];
    if (moves) m->contact[m->contacts++] = c;
  }
}

// ---- their problem ----

static void read_shift(const stc_reduced *p, const stc_active_bodies *m, stc_solver *part,
                       double *shift) {
  stc_reduced_velocity(part->problem, part->r, part->work, part->u);
  memcpy(shift, m->idle, (size_t)p->contacts * sizeof *shift);
  for (int l = 0; l < m->contacts; l++)
    shift[m->contact[l]] =
        stc_active_shift(&p->law[m->contact[l]], part->r + l * p->dim, part->u + l * p->dim);
}

// While it runs the part works for the whole: it is told to stop with it, and tells of the whole.
static bool drive(stc_solver *s, const stc_active_bodies *m, stc_solver *part, double *shift) {
  const stc_reduced *p = s->problem;
  stc_cut_read(m->contact, m->contacts, p->dim, s->r, part->r);
  part->parent = s;
  stc_solver_drive(part, LIMIT);
  part->parent = NULL;
  stc_solver_log(s, STC_LOG_INFO, "apgd: %d bodies that move, %d contacts, %s %ld: %s", m->count,
                 m->contacts, part->method->name, part->iterations, stc_status_name(part->status));
  if (part->status != STC_STATUS_SOLVED) return false;
  read_shift(p, m, part, shift);
  stc_cut_write(m->contact, m->contacts, p->dim, part->r, s->r);
  return true;
}

static bool solve_by(const way *by, stc_solver *s, const stc_active_bodies *m, int *place,
                     double *shift) {
  const stc_reduced *p = s->problem;
  stc_settings settings = s->settings;
  stc_reduced *problem = NULL;
  stc_solver *part = NULL;
  settings.tol = fmax(PART_OF_TOL * settings.tol, PART_OF_MERIT * s->merit);
  if (stc_reduced_cut_moving(p, m->moves, m->contact, m->contacts, place, stc_reduced_magnitude(p),
                             &problem) ||
      stc_solver_setup_apart(problem, by->method, &settings, &part))
    return false;
  part->patience = by->patience;
  bool solved = drive(s, m, part, shift);
  stc_solver_free(&part);
  return solved;
}

static bool solve_active_solve(stc_solver *s, const stc_active_bodies *m, stc_arena *scratch,
                               double *shift) {
  int *place = NULL;
  if (stc_cut_places(scratch, s->problem, &place)) return false;
  for (int k = 0; k < WAY_COUNT; k++)
    if (m->contacts <= WAYS[k].most && solve_by(&WAYS[k], s, m, place, shift)) return true;
  return false;
}

bool stc_active_solve(stc_solver *s, stc_active_bodies *m, double *shift) {
  const stc_reduced *p = s->problem;
  stc_arena scratch = {0};
  int active = m->count;
  if (m->flows || !s->settings.regions || p->among_rest || p->contacts < WORTH_CUTTING)
    return false;
  grow(p, m);
  list_contacts(p, m);
  bool solved = solve_active_solve(s, m, &scratch, shift);
  stc_arena_free(&scratch);
  m->flows = !solved || ++m->parts >= MOST_PARTS;
  if (!solved) shrink(m, active);
  return solved;
}
