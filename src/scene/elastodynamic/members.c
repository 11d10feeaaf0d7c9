// Bars of finite elements as members of an elastodynamic run, and what is noted of all members.
// Slip rates are those in the middle of a step.
#include "elastodynamic_scene.h"

#include <math.h>

#define ENTRY(name) STC_NUMBER(stc_wave_state, name)

static const double STUCK = 1e-9;  // of the threshold: slower is stuck, whatever eta rounds

void stc_wave_count(stc_wave_member *m, int roots) {
  m->state.roots = roots;
  m->state.most_roots = fmax(m->state.most_roots, roots);
  m->state.several += roots > 1;
}

void stc_wave_note_events(stc_wave_member *m, double before, long k) {
  double dt = m->scene->wave->dt, w = fabs(m->state.w), last = fabs(before);
  double middle = ((double)k - 0.5) * dt, slow = fmax(STUCK * m->threshold, m->strip.eta_t);
  double from = fmax(middle - dt, 0);  // where w was `last`: the middle before, or the beginning
  bool slides = m->threshold > 0 ? w >= m->threshold : w > 0;
  if (isnan(m->state.jump_up) && slides)
    m->state.jump_up =
        m->threshold > 0 ? from + (middle - from) * (m->threshold - last) / (w - last) : middle;
  else if (isnan(m->state.jump_down) && !isnan(m->state.jump_up) && w <= slow)
    m->state.jump_down = middle - dt / 2;  // between the last that slid and this one
}

// --- The speed of the support ---

double stc_wave_tau(stc_wave_member *m, int direction, double t) {
  double tau;
  return stc_scene_given_value(&m->tau[direction], t, NULL, &tau) ? tau : NAN;
}

static double tau_x(void *user, double t) { return stc_wave_tau(user, 0, t); }

// --- Bars ---

static stc_error create_bar(stc_wave_member *m, const stc_run_settings *settings) {
  (void)settings;
  m->bar.dt = m->scene->wave->dt;
  m->bar.tau = tau_x;
  m->bar.user = m;
  STC_TRY(stc_bar_create(&m->bar, &m->running_bar));
  m->state.uniqueness = stc_bar_uniqueness(m->running_bar);
  return STC_OK;
}

static void free_bar(stc_wave_member *m) { stc_bar_free(&m->running_bar); }

static stc_error step_bar(stc_wave_member *m, long k, stc_step_report *report) {
  stc_bar_report r;
  stc_wave_state *s = &m->state;
  double before = s->w;
  STC_TRY(stc_bar_step(m->running_bar, &r));
  s->w = r.w;
  s->friction = r.friction;
  s->energy = r.energy;
  s->energy_error = fmax(s->energy_error, r.energy_error);
  s->slip += m->bar.dt * r.w;
  stc_wave_count(m, r.roots);
  stc_wave_note_events(m, before, k);
  report->contacts = 1;
  return STC_OK;
}

static size_t bar_size(const stc_wave_member *m) { return stc_bar_state_size(m->running_bar); }

static void save_bar(const stc_wave_member *m, double *state) {
  stc_bar_save(m->running_bar, state);
}

static stc_error restore_bar(stc_wave_member *m, const double *state, size_t count) {
  return stc_bar_restore(m->running_bar, state, count);
}

static const stc_number bar_entries[] = {ENTRY(w),     ENTRY(friction), ENTRY(slip),
                                         ENTRY(roots), ENTRY(energy),   {NULL, 0}};

const stc_wave_ops stc_wave_bar = STC_ELEMENT_OPS(bar, bar_entries);
