// Which variable stops the one that enters. First phase: the sum of excesses falls until enough
// variables have passed their bounds; second phase: the first bound, chosen among those within the
// tolerance so that the pivot is large [Harris 1973].
#include "simplex_data.h"

#include <math.h>
#include <stdlib.h>

// A variable that moves slower than this part of the fastest one does not stop anything; one
// that moves slower than POOR of it is not chosen where another can be.
static const double SLOWEST = 1e-10, POOR = 1e-3;

static double fastest(const stc_simplex *s) {
  double most = 0;
  for (int p = 0; p < s->rows; p++) most = fmax(most, fabs(s->alpha[p]));
  return most;
}

/// The step to a bound, or to the bound moved away by `slack` of the tolerance.
static double step_to_bound(const stc_simplex *s, int p, double rate, double slack) {
  int v = s->head[p];
  double bound = rate < 0 ? s->lo[v] : s->hi[v];
  double room = rate < 0 ? s->x[v] - bound : bound - s->x[v];
  return (room + slack * STC_SIMPLEX_TOLERANCE * (1 + fabs(bound))) / fabs(rate);
}

static stc_leave first_bound(const stc_simplex *s, int sign, double least) {
  stc_leave leave = {.place = NOTHING_STOPS, .step = INFINITY};
  double limit = INFINITY, size = 0;
  for (int p = 0; p < s->rows; p++) {
    double rate = -sign * s->alpha[p];
    if (fabs(rate) > least) limit = fmin(limit, step_to_bound(s, p, rate, 1));
  }
  for (int p = 0; p < s->rows && isfinite(limit); p++) {
    double rate = -sign * s->alpha[p];
    if (!(fabs(rate) > least) || !(fabs(rate) > size)) continue;
    double step = step_to_bound(s, p, rate, 0);
    if (!(step <= limit)) continue;
    size = fabs(rate);
    leave = (stc_leave){.place = p, .step = fmax(step, 0), .high = rate > 0};
  }
  return leave;
}

// --- First phase ---

static int compare_breaks(const void *a, const void *b) {
  const stc_break *x = a, *y = b;
  if (x->step != y->step) return x->step < y->step ? -1 : 1;
  return (x->place > y->place) - (x->place < y->place);
}

static void add_break(stc_simplex *s, int *count, int p, double rate, bool high) {
  double bound = high ? s->hi[s->head[p]] : s->lo[s->head[p]];
  double step = (bound - s->x[s->head[p]]) / rate;
  if (isfinite(bound)) s->breaks[(*count)++] = (stc_break){fmax(step, 0), fabs(rate), p, high};
}

/// The bounds ahead of every basic variable: the one it is beyond, then the other one.
static int find_breaks(stc_simplex *s, int sign, double least) {
  int count = 0;
  for (int p = 0; p < s->rows; p++) {
    double rate = -sign * s->alpha[p], excess = stc_simplex_excess(s, s->head[p]);
    if (!(fabs(rate) > least) || rate * excess > 0) continue;
    if (excess != 0) add_break(s, &count, p, rate, excess > 0);
    add_break(s, &count, p, rate, rate > 0);
  }
  return count;
}

static stc_leave cheapest_bound(stc_simplex *s, double slope, int sign, double least) {
  int count = find_breaks(s, sign, least), last = 0;
  double size = 0;
  qsort(s->breaks, (size_t)count, sizeof *s->breaks, compare_breaks);
  if (!count) return (stc_leave){.place = NOTHING_STOPS, .step = INFINITY};
  for (; last < count && slope < 0; last++) {
    slope += s->breaks[last].rate;
    size = fmax(size, s->breaks[last].rate);
  }
  while (last > 1 && s->breaks[last - 1].rate < POOR * size) last--;
  const stc_break *b = &s->breaks[last > 0 ? last - 1 : 0];
  return (stc_leave){.place = b->place, .step = b->step, .high = b->high};
}

stc_leave stc_simplex_leave(stc_simplex *s, int enters, int sign) {
  double most = fastest(s), least = SLOWEST * fmax(most, 1);
  stc_leave leave = s->first_phase ? cheapest_bound(s, -fabs(s->price[enters]), sign, least)
                                   : first_bound(s, sign, least);
  double range = s->hi[enters] - s->lo[enters];
  if (isfinite(range) && range <= leave.step)
    leave = (stc_leave){.place = OWN_BOUND, .step = range};
  leave.fastest = most;
  return leave;
}
