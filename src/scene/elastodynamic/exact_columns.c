// Exact columns as members of an elastodynamic run. All of it is known at the beginning: a step
// shows the next sample. The infinite column follows its curve or the ordinary equation of its
// layer; the finite one, clamped at its top, has one slip rate for each window of length 2 D/c.
#include "elastodynamic_scene.h"

#include <float.h>
#include <math.h>

#define ENTRY(name) STC_NUMBER(stc_wave_state, name)

enum { MOST_WINDOWS = 10000000 };  // of a finite column

static stc_error take_samples(stc_wave_member *m, const stc_run_settings *settings) {
  m->samples = stc_wave_last_step(m->scene, settings) + 1;
  m->samples_w = STC_TAKE(&m->arena, double, m->samples);
  m->samples_q = STC_TAKE(&m->arena, double, m->samples);
  return stc_arena_check(&m->arena);
}

static void forget(stc_wave_member *m) { stc_arena_free(&m->arena); }

// What has happened up to t; a window begins at its border, within rounding.
static void show_events(stc_wave_member *m, double t) {
  double now = t * (1 + DBL_EPSILON);
  m->state.jump_up = m->events.jump_up <= now ? m->events.jump_up : NAN;
  m->state.jump_down = m->events.jump_down <= now ? m->events.jump_down : NAN;
}

// --- The infinite column ---

// Where samples go.
typedef struct sampling {
  stc_wave_member *member;
  long count;
} sampling;

static void keep_sample(void *user, double t, double q, double w) {
  (void)t;
  sampling *s = user;
  if (s->count == s->member->samples) return;
  s->member->samples_q[s->count] = q;
  s->member->samples_w[s->count++] = w;
}

static void show_column(stc_wave_member *m, long k) {
  const stc_column *c = &m->column;
  stc_wave_state *s = &m->state;
  double w[STC_CURVE_ROOTS];
  double t = (double)k * m->scene->wave->dt;
  s->q = m->samples_q[k];
  s->w = m->samples_w[k];
  show_events(m, t);
  stc_wave_count(m, c->layer > 0 ? 1 : stc_curve_roots(&c->curve, s->q, w));
}

static stc_error create_column(stc_wave_member *m, const stc_run_settings *settings) {
  double dt = m->scene->wave->dt;
  stc_column *c = &m->column;
  STC_TRY(take_samples(m, settings));
  c->threshold = m->threshold;
  c->sample_dt = dt;
  c->t_end = fmax(1, (double)(m->samples - 1)) * dt;
  sampling all = {.member = m};
  STC_TRY(stc_column_run(c, keep_sample, &all, &m->events));
  if (c->layer == 0)
    m->state.uniqueness = c->curve.load * stc_rate_steepest(&c->curve.law) / c->curve.impedance;
  show_column(m, 0);
  return STC_OK;
}

static stc_error step_column(stc_wave_member *m, long k, stc_step_report *report) {
  double before = m->state.w;
  show_column(m, k);
  m->state.slip += m->scene->wave->dt * (before + m->state.w) / 2;
  report->contacts = 1;
  return STC_OK;
}

static const stc_number column_entries[] = {
    ENTRY(w), ENTRY(q), ENTRY(slip), ENTRY(roots), {NULL, 0}};

const stc_wave_ops stc_wave_column = {.word = "column",
                                      .entry = column_entries,
                                      .create = create_column,
                                      .free = forget,
                                      .step = step_column};

// --- The finite column ---

// The window that time k dt lies in; on the border between two of them the one that begins.
static long window_of(const stc_wave_member *m, double k) {
  const double rounding = 1e-9;
  return (long)floor(k * m->scene->wave->dt / m->window + rounding);
}

static stc_error create_reflections(stc_wave_member *m, const stc_run_settings *settings) {
  double steepness = m->curve.load * stc_rate_steepest(&m->curve.law) / m->curve.impedance;
  STC_TRY(take_samples(m, settings));
  double reflections = (double)(m->samples - 1) * m->scene->wave->dt / m->window;
  if (!(reflections < MOST_WINDOWS))
    return stc_fail(STC_ERR_VALUE, "depth: %.3g reflections up to the end; give at most %d",
                    reflections, MOST_WINDOWS);
  long windows = window_of(m, (double)(m->samples - 1)) + 1;
  double *w = STC_TAKE(&m->arena, double, windows);
  STC_TRY(stc_arena_check(&m->arena));
  STC_TRY(stc_column_windows(&m->curve, m->tau[0].value, (int)windows, w));
  m->window_w = w;
  // Slip begins with the first window that slides, and ends with the first after it that sticks.
  long up = 0;
  while (up < windows && m->window_w[up] == 0) up++;
  long down = up;
  while (down < windows && m->window_w[down] != 0) down++;
  m->events.jump_up = up < windows ? (double)up * m->window : NAN;
  m->events.jump_down = down < windows ? (double)down * m->window : NAN;
  double alpha = 0;
  for (long k = 0, n = 0; k < m->samples; k++) {
    for (; n < window_of(m, (double)k); n++) alpha -= 2 * (m->tau[0].value - w[n]);
    m->samples_w[k] = w[n];
    m->samples_q[k] = m->curve.impedance * (m->tau[0].value - alpha);
  }
  m->state.uniqueness = steepness;
  m->state.w = m->samples_w[0];
  m->state.q = m->samples_q[0];
  return STC_OK;
}

// w is constant in each of the windows that step k crosses.
static double slip_of(const stc_wave_member *m, long k) {
  double dt = m->scene->wave->dt, from = (double)(k - 1) * dt, to = (double)k * dt, sum = 0;
  for (long n = window_of(m, (double)(k - 1)); n <= window_of(m, (double)k); n++) {
    double low = fmax(from, (double)n * m->window), high = fmin(to, (double)(n + 1) * m->window);
    sum += fmax(high - low, 0) * m->window_w[n];
  }
  return sum;
}

static stc_error step_reflections(stc_wave_member *m, long k, stc_step_report *report) {
  double w[STC_CURVE_ROOTS];
  m->state.w = m->samples_w[k];
  m->state.q = m->samples_q[k];
  m->state.slip += slip_of(m, k);
  show_events(m, (double)k * m->scene->wave->dt);
  stc_wave_count(m, stc_curve_roots(&m->curve, m->state.q, w));
  report->contacts = 1;
  return STC_OK;
}

const stc_wave_ops stc_wave_reflections = {.word = "reflections",
                                           .entry = column_entries,
                                           .create = create_reflections,
                                           .free = forget,
                                           .step = step_reflections};
