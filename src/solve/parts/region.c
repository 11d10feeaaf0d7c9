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
typedef struct crowd {
  int count;
  int *contact;
  bool *mark;
} crowd;

static void meet(crowd *w, int c) {
  if (!w->mark[c]) w->contact[w->count++] = c;
  w->mark[c] = true;
}

static void meet_neighbours(const stc_reduced *p, crowd *w, int c) {
  const stc_bodies *b = &p->bodies;
  for (int e = b->count ? 0 : p->W.ptr[c]; !b->count && e < p->W.ptr[c + 1]; e++)
    meet(w, p->W.col[e]);
  for (int t = b->count ? b->touch_ptr[c] : 0; b->count && t < b->touch_ptr[c + 1]; t++) {
    int body = b->touch_body[t];
    for (int k = b->on_ptr[body]; k < b->on_ptr[body + 1]; k++)
      meet(w, b->touch_contact[b->on_touch[k]]);
  }
}

// Leaves the contacts of the region in increasing order, or none.
static stc_error choose(const stc_solver *s, const stc_region *region, stc_arena *arena, crowd *w) {
  const stc_reduced *p = s->problem;
  int n = p->contacts;
  double *term = STC_TAKE_RAW(arena, double, n), *sorted = STC_TAKE_RAW(arena, double, n);
  *w = (crowd){.contact = STC_TAKE_RAW(arena, int, n), .mark = STC_TAKE(arena, bool, n)};
  STC_TRY(stc_arena_check(arena));
  stc_reduced_terms(p, s->r, s->u, term);
  memcpy(sorted, term, (size_t)n * sizeof *term);
  double least = threshold(sorted, n, region->share);
  for (int c = 0; c < n; c++)
    if (term[c] >= least) meet(w, c);
  for (int ring = 0, first = 0; ring < region->rings; ring++)
    for (int end = w->count; first < end; first++) meet_neighbours(p, w, w->contact[first]);
  bool none = w->count > region->most * n;
  w->count = 0;
  for (int c = 0; c < n && !none; c++)
    if (w->mark[c]) w->contact[w->count++] = c;
  return STC_OK;
}

static void exchange(const crowd *w, int d, double *part, double *whole, bool out) {
  for (int c = 0; c < w->count; c++) {
    double *a = part + (ptrdiff_t)c * d, *b = whole + (ptrdiff_t)w->contact[c] * d;
    memcpy(out ? a : b, out ? b : a, (size_t)d * sizeof *a);
  }
}

static stc_error cut(const stc_reduced *p, const crowd *w, stc_arena *arena, stc_reduced **part) {
  int *place = NULL;
  STC_TRY(stc_cut_places(arena, p, &place));
  STC_TRY(stc_reduced_cut(p, w->contact, w->count, place, part));
  stc_reduced_follow(*part, p, w->contact, stc_reduced_magnitude(p));
  return STC_OK;
}

// q of the part: the velocity that the reactions around it leave, u_P - W_PP r_P.
static stc_error hold_others(const stc_solver *s, const crowd *w, stc_arena *arena,
                             stc_reduced *part) {
  double *r = STC_TAKE_RAW(arena, double, part->size),
         *Wr = STC_TAKE_RAW(arena, double, part->size);
  double *work = STC_TAKE_RAW(arena, double, part->scratch);
  STC_TRY(stc_arena_check(arena));
  exchange(w, part->dim, r, s->r, true);
  exchange(w, part->dim, part->q, s->u, true);
  stc_reduced_multiply(part, r, work, Wr);
  for (int k = 0; k < part->size; k++) part->q[k] -= Wr[k];
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
static void drive(stc_solver *s, const crowd *w, stc_solver *part, long limit) {
  int d = s->problem->dim;
  exchange(w, d, part->r, s->r, true);
  part->parent = s;
  stc_solver_drive(part, limit, s->deadline);
  part->parent = NULL;
  exchange(w, d, part->r, s->r, false);
  stc_solver_log(s, STC_LOG_INFO, "%s: region of %d contacts, %ld iterations: %s", s->method->name,
                 w->count, part->iterations, stc_status_name(part->status));
}

static stc_error solve(stc_solver *s, const crowd *w, stc_arena *arena, long limit) {
  stc_reduced *part = NULL;
  stc_solver *solver = NULL;
  STC_TRY(cut(s->problem, w, arena, &part));
  stc_error error = hold_others(s, w, arena, part);
  if (error) {
    stc_reduced_free(&part);
    return error;
  }
  STC_TRY(stc_solver_setup_apart(s, part, tolerance(s, part), &solver));
  drive(s, w, solver, limit);
  stc_solver_free(&solver);
  return STC_OK;
}

stc_error stc_region_solve(stc_solver *s, const stc_region *region, long limit, int *contacts) {
  stc_arena arena = {0};
  crowd w = {0};
  stc_error error = choose(s, region, &arena, &w);
  if (!error && w.count > 0) error = solve(s, &w, &arena, limit);
  *contacts = error ? 0 : w.count;
  stc_arena_free(&arena);
  return error;
}
