// The column as P1 finite elements with the implicit midpoint rule:
//   A v = 2 M v_n/dt - K u_n + f e_0,   A = 2 M/dt + dt K/2,   v the velocity at the middle,
// M consistent with rho eps more at the surface. Condensed to the surface, with b = (A^-1)_00,
//   w/b + S mu(|w|) Sgn(w) = q:   the same curve as the column's, with the impedance 1/b.
#include "../../base/fail.h"
#include "../../base/memory.h"
#include "../../base/tape.h"

#include <math.h>

#include <stiction/elastodynamic.h>

struct stc_bar {
  stc_arena arena;
  stc_bar_settings settings;
  stc_curve curve;  // impedance 1/b
  int nodes;        // that move
  double dx;
  double *pivot, *ratio;      // [nodes] of the tridiagonal factors of A
  double *response;           // [nodes] A^-1 e_0
  double *u, *v, *mid, *rhs;  // [nodes]
  double t, w;
};

// A symmetric tridiagonal matrix of this mesh: entries of M or K times a factor.
typedef struct stc_tridiagonal {
  double diagonal, beside;  // inside
  double first, last;       // ends of the diagonal
} stc_tridiagonal;

static stc_tridiagonal mass_of(const stc_bar *bar) {
  double cell = bar->settings.density * bar->dx / 6;
  double end = bar->settings.clamped ? 4 * cell : 2 * cell;
  return (stc_tridiagonal){.diagonal = 4 * cell,
                           .beside = cell,
                           .first = 2 * cell + bar->settings.density * bar->settings.layer,
                           .last = end};
}

static stc_tridiagonal stiffness_of(const stc_bar *bar) {
  double c = bar->settings.speed, cell = bar->settings.density * c * c / bar->dx;
  double end = bar->settings.clamped ? 2 * cell : cell;
  return (stc_tridiagonal){.diagonal = 2 * cell, .beside = -cell, .first = cell, .last = end};
}

static double diagonal_at(const stc_tridiagonal *A, int i, int n) {
  return i == 0 ? A->first : i == n - 1 ? A->last : A->diagonal;
}

// (A x)_i.
static double row_of_bar(const stc_tridiagonal *A, const double *x, int i, int n) {
  double sum = diagonal_at(A, i, n) * x[i];
  if (i > 0) sum += A->beside * x[i - 1];
  if (i + 1 < n) sum += A->beside * x[i + 1];
  return sum;
}

static double form(const stc_tridiagonal *A, const double *x, int n) {
  double sum = 0;
  for (int i = 0; i < n; i++) sum += x[i] * row_of_bar(A, x, i, n);
  return sum;
}

static void solve_bar(const stc_bar *bar, double *x) {
  for (int i = 1; i < bar->nodes; i++) x[i] -= bar->ratio[i - 1] * x[i - 1];
  for (int i = bar->nodes - 1; i >= 0; i--) {
    x[i] /= bar->pivot[i];
    if (i + 1 < bar->nodes) x[i] -= bar->ratio[i] * x[i + 1];
  }
}

static double energy_of_bar(const stc_bar *bar) {
  stc_tridiagonal M = mass_of(bar), K = stiffness_of(bar);
  return (form(&M, bar->v, bar->nodes) + form(&K, bar->u, bar->nodes)) / 2;
}

static stc_error positive(const char *name, double value) {
  if (value > 0 && isfinite(value)) return STC_OK;
  return stc_fail(STC_ERR_VALUE, "%s = %g; give a positive number", name, value);
}

static stc_error fill_bar(stc_bar *bar) {
  int n = bar->nodes;
  double **vectors[] = {&bar->pivot, &bar->ratio, &bar->response, &bar->u,
                        &bar->v,     &bar->mid,   &bar->rhs};
  STC_TAKE_ZEROS(&bar->arena, n, vectors);
  STC_TRY(stc_arena_check(&bar->arena));
  double dt = bar->settings.dt;
  stc_tridiagonal M = mass_of(bar), K = stiffness_of(bar);
  double beside = 2 * M.beside / dt + dt * K.beside / 2;
  for (int i = 0; i < bar->nodes; i++) {
    double d = 2 * diagonal_at(&M, i, bar->nodes) / dt + dt * diagonal_at(&K, i, bar->nodes) / 2;
    bar->pivot[i] = i == 0 ? d : d - beside * bar->ratio[i - 1];
    bar->ratio[i] = beside / bar->pivot[i];
  }
  bar->response[0] = 1;
  solve_bar(bar, bar->response);
  bar->curve = (stc_curve){
      .impedance = 1 / bar->response[0], .load = bar->settings.load, .law = bar->settings.law};
  return STC_OK;
}

stc_error stc_bar_create(const stc_bar_settings *settings, stc_bar **bar) {
  if (bar) *bar = NULL;
  if (!settings || !bar)
    return stc_fail(STC_ERR_ARGUMENT, "stc_bar_create needs settings and an address");
  STC_TRY(positive("density", settings->density));
  STC_TRY(positive("speed", settings->speed));
  STC_TRY(positive("depth", settings->depth));
  STC_TRY(positive("dt", settings->dt));
  if (!(settings->layer >= 0) || !isfinite(settings->layer))
    return stc_fail(STC_ERR_VALUE, "layer = %g; give 0 or a thickness", settings->layer);
  if (settings->elements < 2)
    return stc_fail(STC_ERR_VALUE, "elements = %d; give 2 or more", settings->elements);
  if (!settings->tau) return stc_fail(STC_ERR_ARGUMENT, "the speed of the support is missing");
  const stc_curve curve = {.impedance = 1, .load = settings->load, .law = settings->law};
  STC_TRY(stc_curve_check(&curve));
  STC_NEW(bar, "a bar");
  stc_bar *made = *bar;
  made->settings = *settings;
  made->nodes = settings->elements + !settings->clamped;
  made->dx = settings->depth / settings->elements;
  stc_error error = fill_bar(made);
  if (error) stc_bar_free(bar);
  return error;
}

void stc_bar_free(stc_bar **bar) {
  if (!bar || !*bar) return;
  stc_arena_free(&(*bar)->arena);
  stc_release(bar);
}

double stc_bar_uniqueness(const stc_bar *bar) {
  return bar->curve.load * stc_rate_steepest(&bar->curve.law) / bar->curve.impedance;
}

double stc_bar_time(const stc_bar *bar) { return bar->t; }

static void advance_bar(stc_bar *bar, double f) {
  for (int i = 0; i < bar->nodes; i++) {
    bar->mid[i] += f * bar->response[i];
    bar->u[i] += bar->settings.dt * bar->mid[i];
    bar->v[i] = 2 * bar->mid[i] - bar->v[i];
  }
}

stc_error stc_bar_step(stc_bar *bar, stc_bar_report *report) {
  if (!bar || !report) return stc_fail(STC_ERR_ARGUMENT, "stc_bar_step needs a bar and a report");
  double dt = bar->settings.dt, before = energy_of_bar(bar);
  double tau = bar->settings.tau(bar->settings.user, bar->t + dt / 2);
  if (!isfinite(tau))
    return stc_fail(STC_ERR_VALUE, "the support's speed at t = %g is %g", bar->t, tau);
  // The velocity in the middle of the step without friction.
  stc_tridiagonal M = mass_of(bar), K = stiffness_of(bar);
  for (int i = 0; i < bar->nodes; i++)
    bar->mid[i] = 2 * row_of_bar(&M, bar->v, i, bar->nodes) / bar->settings.dt -
                  row_of_bar(&K, bar->u, i, bar->nodes);
  solve_bar(bar, bar->mid);
  double q = (tau - bar->mid[0]) * bar->curve.impedance;
  double w = stc_curve_follow(&bar->curve, q, bar->w, bar->settings.rule, &report->roots);
  double f = q - w * bar->curve.impedance;
  advance_bar(bar, f);
  bar->t += dt;
  bar->w = w;
  double after = energy_of_bar(bar), work = dt * f * bar->mid[0];
  double scale = fmax(fmax(before, after), fabs(work));
  if (!isfinite(after) || !isfinite(work))
    return stc_fail(STC_ERR_VALUE, "the energy at t = %g is %g; give smaller numbers", bar->t,
                    after);
  report->t = bar->t;
  report->w = w;
  report->friction = f;
  report->energy = after;
  report->energy_error = scale > 0 ? fabs(after - before - work) / scale : 0;
  return STC_OK;
}

// --- State ---

static void pass_bar(stc_tape *tape, stc_bar *bar) {
  stc_tape_pass(tape, &bar->t, 1);
  stc_tape_pass(tape, &bar->w, 1);
  stc_tape_pass(tape, bar->u, (size_t)bar->nodes);
  stc_tape_pass(tape, bar->v, (size_t)bar->nodes);
}

STC_TAPE_STATE(stc_bar, stc_bar, pass_bar)

stc_error stc_bar_restore(stc_bar *bar, const double *state, size_t count) {
  STC_TRY(stc_tape_fits(STC_ERR_ARGUMENT, "bar", stc_bar_state_size(bar), state, count));
  pass_bar(&(stc_tape){.from = state}, bar);
  return STC_OK;
}
