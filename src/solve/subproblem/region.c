// Solving where the residual sits: a Schwarz step on one region   [Schwarz 1870; for contact
// Gauss–Seidel over blocks, here over the worst one only].
#include "region.h"

#include "cut.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

// The region is solved to this part of the tolerance, or of the residual of the whole.
static const double PART_OF_TOL = 0.3, PART_OF_MERIT = 0.02;

static int decreasing(const void *a, const void *b) {
  double x = *(const double *)a, y = *(const double *)b;
  return x > y ? -1 : x < y;
}

// The least term among the largest that hold `share` of the sum of squares; sorts them.
static double threshold(double *term, int n, double share) {
  double whole = 0, held = 0;
  int k = 0;
  qsort(term, (size_t)n, sizeof *term, decreasing);
  for (int c = n - 1; c >= 0; c--) whole += term[c] * term[c];
  for (; k < n && held < share * whole; k++) held += term[k] * term[k];
  return k > 0 ? term[k - 1] : INFINITY;
}

// Contacts in the order they are met; mark[c]: c is among them.
typedef struct neighbourhood {
  int count;
  int *contact;
  bool *mark;
} neighbourhood;

static void meet_region(neighbourhood *w, int c) {
  if (!w->mark[c]) w->contact[w->count++] = c;
  w->mark[c] = true;
}

static void meet_neighbours(const stc_reduced *p, neighbourhood *w, int c) {
  const stc_bodies *b = &p->bodies;
  for (int e = b->count ? 0 : p->W.ptr[c]; !b->count && e < p->W.ptr[c + 1]; e++)
    meet_region(w, p->W.col[e]);
  for (int t = b->count ? b->touch_ptr[c] : 0; b->count && t < b->touch_ptr[c + 1]; t++) {
    int body = b->touch_body[t];
    for (int k = b->on_ptr[body]; k < b->on_ptr[body + 1]; k++)
      meet_region(w, b->touch_contact[b->on_touch[k]]);
  }
}

// Leaves the contacts of the region in increasing order, or none.
static stc_error choose(const stc_solver *s, const stc_region *region, stc_arena *arena,
                        neighbourhood *w) {
  const stc_reduced *p = s->problem;
  int n = p->contacts;
  double *term = STC_TAKE_RAW(arena, double, n), *sorted = STC_TAKE_RAW(arena, double, n);
  *w = (neighbourhood){.contact = STC_TAKE_RAW(arena, int, n), .mark = STC_TAKE(arena, bool, n)};
  STC_TRY(stc_arena_check(arena));
  stc_reduced_terms(p, s->r, s->u, term);
  memcpy(sorted, term, (size_t)n * sizeof *term);
  double least = threshold(sorted, n, region->share);
  for (int c = 0; c < n; c++)
    if (term[c] >= least) meet_region(w, c);
  for (int ring = 0, first = 0; ring < region->rings; ring++)
    for (int end = w->count; first < end; first++) meet_neighbours(p, w, w->contact[first]);
  bool none = w->count > region->most * n;
  w->count = 0;
  for (int c = 0; c < n && !none; c++)
    if (w->mark[c]) w->contact[w->count++] = c;
  return STC_OK;
}

// The reactions around it may load the part more than its own forces: what is small against them
// is not small against the whole.
static double tolerance(const stc_solver *s, const stc_reduced *part) {
  double goal = fmax(PART_OF_TOL * s->settings.tol, PART_OF_MERIT * s->merit);
  stc_magnitude own = stc_reduced_magnitude(part);
  double energy = fmax(own.energy, part->least.energy),
         square = fmax(own.square, part->least.square);
  double share =
      energy > 0 && square > 0 ? fmin(part->least.energy / energy, part->least.square / square) : 1;
  return goal * sqrt(share);
}

// While it runs the part works for the whole: it is told to stop with it, and tells of the whole.
static void drive(stc_solver *s, const neighbourhood *w, const double *r, stc_solver *part,
                  long limit) {
  memcpy(part->r, r, (size_t)part->problem->size * sizeof *r);
  part->parent = s;
  stc_solver_drive(part, limit);
  part->parent = NULL;
  stc_cut_write(w->contact, w->count, s->problem->dim, part->r, s->r);
  stc_solver_log(s, STC_LOG_INFO, "%s: region of %d contacts, %ld iterations: %s", s->method->name,
                 w->count, part->iterations, stc_status_name(part->status));
}

static stc_error solve_region(stc_solver *s, const neighbourhood *w, stc_arena *arena, long limit) {
  stc_settings settings = s->settings;
  stc_reduced *part = NULL;
  stc_solver *solver = NULL;
  int *place = NULL;
  double *r = STC_TAKE_RAW(arena, double, (ptrdiff_t)w->count * s->problem->dim);
  STC_TRY(stc_cut_places(arena, s->problem, &place));
  STC_TRY(
      stc_cut_held(s, w->contact, w->count, place, stc_reduced_magnitude(s->problem), r, &part));
  settings.tol = tolerance(s, part);
  STC_TRY(stc_solver_setup_apart(part, "auto", &settings, &solver));
  drive(s, w, r, solver, limit);
  stc_solver_free(&solver);
  return STC_OK;
}

stc_error stc_region_solve(stc_solver *s, const stc_region *region, long limit, int *contacts) {
  stc_arena arena = {0};
  neighbourhood w = {0};
  stc_error error = choose(s, region, &arena, &w);
  if (!error && w.count > 0) error = solve_region(s, &w, &arena, limit);
  *contacts = error ? 0 : w.count;
  stc_arena_free(&arena);
  return error;
}
