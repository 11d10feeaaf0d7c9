// The interval H is crossed by n = 1, 2, ..., 6 steps of Moreau's scheme. Where the motion is
// smooth the answer is y + c1 H/n + c2 (H/n)^2 + ..., and the table
//   T[n][1] = answer of n steps,   T[n][k+1] = T[n][k] + (T[n][k] - T[n-1][k]) / (n/(n-k) - 1)
// removes one term per column   [Aitken–Neville; Deuflhard 1983]. The last two columns give the
// error that chooses the next H. Moreau's step is implicit in friction, so that stiff sliding to
// rest stays stable. At a shock or a change between stick and slip no H is short enough: the
// shortest one is then crossed by one step as it is.
#include "extrapolate.h"
#include "../../base/fail.h"
#include "../../base/tape.h"
#include "../../dynamics/lagrangian/simulation.h"

#include <math.h>
#include <string.h>

static const double SHORTEST = 1e-9;  // of the longest step
static const double LEAST_H = 1e-12;  // s, as STC_STEPPING_FIELDS has it
static const double REST = 1e-6;      // of the longest step: how closely a stop is found
static const double FIRST = 1e-3;     // of the longest step: where the search for a length begins
static const double SAFETY = 0.9;     // of the length that would just do
static const double SMALLEST_GROWTH = 0.2, GREATEST_GROWTH = 4;
static const double NOISE = 1e-12;      // rounding in one step, times the weights of the table
static const double WEIGHTS = 302;      // sum of the weights n^5 / ((n-1)! (6-n)!) of the table
enum { MOST_FUTILE = 1000 };            // shortest steps within h: a shock takes a few
static const double SAME_TIME = 1e-14;  // relative: two times that are one

// --- The array ---

enum { SUMS = 5 };  // work, drive, friction, shock, correction

static int dofs_of(const stc_extrapolation *e) { return e->system.dofs; }
static int contacts_of(const stc_extrapolation *e) { return e->system.walls * e->system.dim; }
static double *sums(const stc_extrapolation *e, double *y) { return y + 2 * dofs_of(e); }
static double *impulses(const stc_extrapolation *e, double *y) { return sums(e, y) + SUMS; }
static double *relatives(const stc_extrapolation *e, double *y) {
  return impulses(e, y) + contacts_of(e);
}

const double *stc_extrapolation_impulse(const stc_extrapolation *e, int wall) {
  return impulses(e, e->y) + wall * e->system.dim;
}

const double *stc_extrapolation_relative(const stc_extrapolation *e, int wall) {
  return relatives(e, e->y) + wall * e->system.dim;
}

// --- Opening ---

static stc_error open_ledger(stc_extrapolation *e) {
  stc_simulation *s = NULL;
  STC_TRY(stc_simulation_create(&e->system, &e->scene->stepping, &s));
  stc_error error = stc_simulation_place(s, e->t, e->y, e->y + dofs_of(e));
  if (!error) e->ledger = *stc_simulation_ledger(s);
  stc_simulation_free(&s);
  return error;
}

stc_error stc_extrapolation_open(stc_extrapolation *e, const stc_scene *scene, stc_system system) {
  size_t dofs = (size_t)system.dofs;
  *e = (stc_extrapolation){.scene = scene, .system = system, .t = scene->t_start};
  e->size = 2 * system.dofs + SUMS + 2 * contacts_of(e);
  e->h = FIRST * scene->stepping.h;
  e->y = STC_TAKE(&e->arena, double, e->size);
  e->trial = STC_TAKE(&e->arena, double, e->size);
  e->largest = STC_TAKE(&e->arena, double, e->size);
  e->terms = STC_TAKE(&e->arena, double, e->size);
  e->T = STC_TAKE(&e->arena, double, STC_SEQUENCES * e->size);
  e->touched = STC_TAKE(&e->arena, bool, system.walls);
  STC_TRY(stc_arena_check(&e->arena));
  memcpy(e->y, scene->q, dofs * sizeof *e->y);
  memcpy(e->y + dofs, scene->u, dofs * sizeof *e->y);
  return open_ledger(e);
}

void stc_extrapolation_close(stc_extrapolation *e) {
  stc_simulation_free(&e->failed);
  stc_arena_free(&e->arena);
}

// --- One row of the table ---

static void raise(double *largest, const double *x, int count) {
  for (int k = 0; k < count; k++) largest[k] = fmax(largest[k], fabs(x[k]));
}

// What one step of a sequence adds: its impulses, and the velocities after it.
static void collect_contacts(stc_extrapolation *e, const stc_simulation *s, double *y) {
  int dim = e->system.dim;
  double r[STC_MAX_DIM], u[STC_MAX_DIM];
  for (int j = 0; j < e->system.walls; j++) {
    e->touched[j] = stc_simulation_contact(s, j, r, u);
    for (int k = 0; k < dim; k++) {
      impulses(e, y)[j * dim + k] += r[k];
      relatives(e, y)[j * dim + k] = u[k];
    }
  }
}

// Crosses the interval from e->y by n steps; the answer goes to y.
static stc_error cross(stc_extrapolation *e, stc_simulation *s, int n, double *y,
                       stc_step_report *report) {
  memset(y, 0, (size_t)e->size * sizeof *y);
  STC_TRY(stc_simulation_place(s, e->t, e->y, e->y + dofs_of(e)));
  for (int k = 0; k < n; k++) {
    STC_TRY(stc_simulation_step(s, report));
    if (!report->accepted) return STC_OK;
    collect_contacts(e, s, y);
    // What the velocities of a step were summed from, kept where it is larger than before.
    int dofs = dofs_of(e), dim = e->system.dim;
    raise(e->terms + dofs, stc_simulation_u_terms(s), dofs);
    for (int j = 0; j < e->system.walls; j++)
      raise(relatives(e, e->terms) + j * dim, stc_simulation_wall_terms(s, j), dim);
  }
  size_t bytes = (size_t)dofs_of(e) * sizeof *y;
  const stc_ledger *l = stc_simulation_ledger(s);
  const double ledger_sums[SUMS] = {l->work, l->drive, l->friction, l->shock, l->correction};
  memcpy(y, stc_simulation_q(s), bytes);
  memcpy(y + dofs_of(e), stc_simulation_u(s), bytes);
  memcpy(sums(e, y), ledger_sums, sizeof ledger_sums);
  return STC_OK;
}

static stc_error sequence(stc_extrapolation *e, double H, int n, double *y,
                          stc_step_report *report) {
  stc_simulation *s = NULL;
  stc_stepping stepping = e->scene->stepping;
  stepping.h = fmax(H / n, LEAST_H);
  STC_TRY(stc_simulation_create(&e->system, &stepping, &s));
  stc_error error = cross(e, s, n, y, report);
  if (!error && !report->accepted) {
    e->failed = s;
    return STC_OK;
  }
  stc_simulation_free(&s);
  return error;
}

static stc_error fill_table(stc_extrapolation *e, double H, stc_step_report *report) {
  memset(e->terms, 0, (size_t)e->size * sizeof *e->terms);
  for (int n = 1; n <= STC_SEQUENCES; n++) {
    STC_TRY(sequence(e, H, n, e->trial, report));
    if (!report->accepted) return STC_OK;
    // Row n from row n - 1, which T holds from the last column back: T[k] is column n - 1 - k of
    // it.
    for (int i = 0; i < e->size; i++) {
      double entry = e->trial[i];
      for (int k = 1; k <= n; k++) {
        double *column = &e->T[(k - 1) * e->size + i];
        double above = *column;
        *column = entry;
        if (k < n) entry += (entry - above) / ((double)n / (n - k) - 1);
      }
    }
  }
  return STC_OK;
}

// --- The error ---

static double largest_of(const double *x, int count) {
  double largest = 0;
  for (int k = 0; k < count; k++) largest = fmax(largest, fabs(x[k]));
  return largest;
}

// What the table makes of rounding, and of the impulses of several walls, found to `tol`.
static double noise_of(const stc_extrapolation *e) {
  return e->system.walls > 1 ? fmax(NOISE, WEIGHTS * e->scene->stepping.tol) : NOISE;
}

// The distance of the last two columns at numbers first .. first + count, each against its own
// size; what rounding makes of the largest terms they are summed from does not count. The numbers
// themselves are not a measure of it: a slip that is zero beside a spin is rounding only.
static double own_error(const stc_extrapolation *e, int first, int count) {
  const double *last = e->T + (STC_SEQUENCES - 1) * e->size, *other = last - e->size;
  double terms = fmax(largest_of(e->largest + first, count), largest_of(e->terms + first, count));
  double error = 0, noise = noise_of(e) * terms;
  for (int i = first; i < first + count; i++) {
    double distance = fabs(last[i] - other[i]) - noise;
    if (distance > 0) error = fmax(error, distance / (fmax(fabs(last[i]), fabs(e->y[i])) + noise));
  }
  return error;
}

// Velocities of a contact: those in m/s, and those in rad/s behind them.
static double contact_error(const stc_extrapolation *e, int wall) {
  const stc_law *law = &e->scene->wall[wall].friction.law;
  int dim = e->system.dim, first = e->size - contacts_of(e) + wall * dim;
  int rotations = law->kind == STC_LAW_CONTENSOU ? 1 : law->kind == STC_LAW_ROLLING ? dim / 2 : 0;
  double error = own_error(e, first, dim - rotations);
  return rotations ? fmax(error, own_error(e, first + dim - rotations, rotations)) : error;
}

// Positions against the largest of them and the path of the step.
static double position_error(const stc_extrapolation *e, double H) {
  const double *last = e->T + (STC_SEQUENCES - 1) * e->size, *other = last - e->size;
  int n = dofs_of(e);
  double size = largest_of(e->largest, n) + H * largest_of(e->largest + n, n), error = 0;
  for (int i = 0; i < n; i++) error = fmax(error, fabs(last[i] - other[i]));
  return size > 0 ? error / size : 0;
}

static double error_of(const stc_extrapolation *e, double H) {
  double error = fmax(own_error(e, dofs_of(e), dofs_of(e)), position_error(e, H));
  for (int j = 0; j < e->system.walls; j++) error = fmax(error, contact_error(e, j));
  return error;
}

// --- Rest ---

// Whether a contact is at rest but for rounding, in an array of the kind of y.
static bool is_at_rest(const stc_extrapolation *e, const double *y, int wall) {
  int dim = e->system.dim, first = e->size - contacts_of(e) + wall * dim;
  for (int k = first; k < first + dim; k++)
    if (fabs(y[k]) > noise_of(e) * fmax(e->largest[k], e->terms[k])) return false;
  return true;
}

// Whether a sliding contact stops for good in the step: only a short step shows where exactly. How
// fast contacts are before the first step is not known.
static bool comes_to_rest(const stc_extrapolation *e, const double *y) {
  for (int j = 0; j < e->system.walls; j++) {
    bool moved = e->steps == 0 || !is_at_rest(e, e->y, j);
    if (e->touched[j] && is_at_rest(e, y, j) && moved) return true;
  }
  return false;
}

// --- A step ---

static stc_error accept(stc_extrapolation *e, double t, const double *y) {
  stc_ledger *l = &e->ledger;
  const double start = l->start;
  double ledger_sums[SUMS] = {l->work, l->drive, l->friction, l->shock, l->correction};
  memcpy(e->y, y, (size_t)e->size * sizeof *y);
  for (int k = 0; k < SUMS; k++) ledger_sums[k] += sums(e, e->y)[k];
  raise(e->largest, y, e->size);
  raise(e->largest, e->terms, e->size);
  e->t = t;
  e->steps++;
  STC_TRY(open_ledger(e));
  double now = l->kinetic + l->potential, explained = start;
  for (int k = 0; k < SUMS; k++) explained += ledger_sums[k];
  *l = (stc_ledger){.kinetic = l->kinetic,
                    .potential = l->potential,
                    .start = start,
                    .work = ledger_sums[0],
                    .drive = ledger_sums[1],
                    .friction = ledger_sums[2],
                    .shock = ledger_sums[3],
                    .correction = ledger_sums[4],
                    .error = now - explained};
  return STC_OK;
}

// The next time that must not be stepped over.
static double next_stop(const stc_extrapolation *e, double t_end) {
  for (int k = 0; k < e->scene->stops; k++) {
    double stop = e->scene->stop[k];
    if (stop > e->t + SAME_TIME * fabs(stop)) return fmin(stop, t_end);
  }
  return t_end;
}

// The factor by which the next length differs, for an error that grows with H^6.
static double growth(double error, double tol) {
  if (error <= 0) return GREATEST_GROWTH;
  double factor = SAFETY * pow(tol / error, 1.0 / STC_SEQUENCES);
  return fmin(GREATEST_GROWTH, fmax(SMALLEST_GROWTH, factor));
}

static double shortest_of(const stc_extrapolation *e) {
  return fmax(SHORTEST * e->scene->stepping.h, STC_SEQUENCES * LEAST_H);
}

// The shortest interval by one step as it is. Where that happens again and again within the longest
// step the motion is not smooth.
static stc_error cross_shortest(stc_extrapolation *e, double H, double t, stc_step_report *report) {
  if (e->futile == 0 || e->t - e->futile_since > e->scene->stepping.h) {
    e->futile = 0;
    e->futile_since = e->t;
  }
  if (++e->futile > MOST_FUTILE)
    return stc_fail(STC_ERR_VALUE,
                    "at t = %.9g no step is short enough for scheme_tol = %g: %d steps of %.1e s "
                    "within h missed it; raise scheme_tol, or choose scheme = \"moreau\"",
                    e->t, e->scene->scheme_tol, MOST_FUTILE, H);
  memset(e->terms, 0, (size_t)e->size * sizeof *e->terms);
  STC_TRY(sequence(e, H, 1, e->trial, report));
  e->h = fmax(e->h, GREATEST_GROWTH * shortest_of(e));
  return report->accepted ? accept(e, t, e->trial) : STC_OK;
}

stc_error stc_extrapolation_step(stc_extrapolation *e, double t_end, stc_step_report *report) {
  double longest = e->scene->stepping.h, tol = e->scene->scheme_tol;
  double stop = next_stop(e, t_end);
  double shortest = shortest_of(e);
  stc_simulation_free(&e->failed);
  for (;;) {
    double wanted = fmin(e->h, longest), H = fmin(wanted, stop - e->t);
    bool cut = H < wanted;
    double t = cut ? stop : e->t + H;
    if (H <= shortest) return cross_shortest(e, H, t, report);
    STC_TRY(fill_table(e, H, report));
    if (!report->accepted) return STC_OK;
    const double *y = e->T + (STC_SEQUENCES - 1) * e->size;
    bool stops = comes_to_rest(e, y) && H > REST * longest;
    double error = error_of(e, H), next = H * (stops ? SMALLEST_GROWTH : growth(error, tol));
    bool good = error <= tol && !stops;
    e->h = good && cut ? fmax(wanted, next) : fmin(next, longest);
    if (good) return accept(e, t, y);
  }
}

// --- Saving ---

static void pass_extrapolation(stc_tape *tape, stc_extrapolation *e) {
  double steps = (double)e->steps;
  stc_tape_pass(tape, &e->t, 1);
  stc_tape_pass(tape, &e->h, 1);
  stc_tape_pass(tape, &steps, 1);
  e->steps = (long)steps;
  stc_tape_pass(tape, (double *)(void *)&e->ledger, sizeof e->ledger / sizeof(double));
  stc_tape_pass(tape, e->y, (size_t)e->size);
  stc_tape_pass(tape, e->largest, (size_t)e->size);
  for (int j = 0; j < e->system.walls; j++) stc_tape_bool(tape, &e->touched[j]);
}

STC_TAPE_STATE(stc_extrapolation, stc_extrapolation, pass_extrapolation)

void stc_extrapolation_restore(stc_extrapolation *e, const double *state) {
  pass_extrapolation(&(stc_tape){.from = state}, e);
}
