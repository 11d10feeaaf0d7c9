// Bars and strips of finite elements as members of an elastodynamic run. Slip rates are those in
// the middle of a step.
#include "../../base/number.h"
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

static double tau_at(stc_wave_member *m, int direction, double t) {
  double tau;
  return stc_scene_given_value(&m->tau[direction], t, NULL, &tau) ? tau : NAN;
}

static double tau_x(void *user, double t) { return tau_at(user, 0, t); }
static double tau_y(void *user, double t) { return tau_at(user, 1, t); }

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

// A member of finite elements: its own functions, and what its rows have.
#define STC_ELEMENT_OPS(member, entries)                                                           \
  {                                                                                                \
    .word = #member, .entry = entries, .has_energy = true, .create = create_##member,              \
    .free = free_##member, .step = step_##member, .state_size = member##_size,                     \
    .save = save_##member, .restore = restore_##member                                             \
  }

const stc_wave_ops stc_wave_bar = STC_ELEMENT_OPS(bar, bar_entries);

// --- Strips ---

static void describe_sides(stc_wave_member *m, stc_support *support, stc_traction *traction) {
  for (int k = 0; k < m->supports; k++) {
    const stc_scene_load *l = &m->support[k];
    support[k] = (stc_support){l->group, l->component, stc_scene_given_of(l->given, m->strip.dim)};
  }
  for (int k = 0; k < m->tractions; k++) {
    const stc_scene_load *l = &m->traction[k];
    traction[k] =
        (stc_traction){l->group, l->component, stc_scene_given_of(l->given, m->strip.dim)};
  }
}

static stc_error create_strip(stc_wave_member *m, const stc_run_settings *settings) {
  stc_strip_settings s = m->strip;
  stc_support *support = STC_TAKE(&m->arena, stc_support, m->supports + 1);
  stc_traction *traction = STC_TAKE(&m->arena, stc_traction, m->tractions + 1);
  STC_TRY(stc_arena_check(&m->arena));
  describe_sides(m, support, traction);
  s.dt = m->scene->wave->dt;
  s.supports = m->supports;
  s.support = support;
  s.tractions = m->tractions;
  s.traction = traction;
  s.tau[0] = tau_x;
  s.tau[1] = tau_y;
  s.user = m;
  s.progress = settings->progress;
  s.progress_user = settings->progress_user;
  STC_TRY(stc_strip_create(&s, &m->running_strip));
  m->state.energy = stc_strip_energy(m->running_strip);
  // What mesh and time step resolve under the greatest pressure known.
  stc_strip_resolution r;
  const double *p = stc_strip_pressure(m->running_strip);
  double most = m->pressure;
  for (int k = 0; k < stc_strip_contacts(m->running_strip); k++) most = fmax(most, p[k]);
  stc_strip_resolve(m->running_strip, most, &r);
  m->state.uniqueness = r.uniqueness;
  stc_snprintf(m->warning, sizeof m->warning, "%s", r.warning);
  return STC_OK;
}

static void free_strip(stc_wave_member *m) {
  stc_strip_free(&m->running_strip);
  stc_arena_free(&m->arena);
}

// In the plane signed numbers; in space lengths, which do not depend on the direction of x.
static void take_slip_and_friction(stc_wave_member *m, const stc_strip_report *r) {
  stc_wave_state *s = &m->state;
  bool space = m->strip.dim == 3;
  double dt = m->scene->wave->dt;
  s->w = space ? hypot(r->slip[0], r->slip[1]) : r->slip[0];
  s->friction = space ? hypot(r->friction[0], r->friction[1]) : r->friction[0];
  s->slip += dt * s->w;
  s->w_x = r->slip[0];
  s->w_y = r->slip[1];
  s->friction_x = r->friction[0];
  s->friction_y = r->friction[1];
  s->slip_x += dt * r->slip[0];
  s->slip_y += dt * r->slip[1];
}

static stc_error step_strip(stc_wave_member *m, long k, stc_step_report *report) {
  stc_strip_report r;
  double before = m->state.w;
  STC_TRY(stc_strip_step(m->running_strip, &r));
  stc_wave_state *s = &m->state;
  take_slip_and_friction(m, &r);
  s->energy = r.energy;
  s->normal = r.normal_force;
  s->largest = r.largest_slip;
  s->open = r.open;
  s->stuck = r.stuck;
  s->sliding = r.sliding;
  s->iterations = r.iterations;
  s->residual = r.residual;
  s->unconverged += !r.converged;
  s->energy_error = fmax(s->energy_error, r.energy_error);
  s->uniqueness = fmax(s->uniqueness, r.uniqueness);
  stc_wave_count(m, r.roots);
  stc_wave_note_events(m, before, k);
  report->contacts += r.stuck + r.sliding;
  report->eta = fmax(report->eta, r.residual);
  return STC_OK;
}

static size_t strip_size(const stc_wave_member *m) {
  return stc_strip_state_size(m->running_strip);
}

static void save_strip(const stc_wave_member *m, double *state) {
  stc_strip_save(m->running_strip, state);
}

static stc_error restore_strip(stc_wave_member *m, const double *state, size_t count) {
  return stc_strip_restore(m->running_strip, state, count);
}

static const stc_number strip_entries[] = {
    ENTRY(w),        ENTRY(largest), ENTRY(friction), ENTRY(normal), ENTRY(slip),
    ENTRY(open),     ENTRY(stuck),   ENTRY(sliding),  ENTRY(roots),  ENTRY(iterations),
    ENTRY(residual), ENTRY(energy),  {NULL, 0}};

static const stc_number block_entries[] = {
    ENTRY(w),          ENTRY(w_x),        ENTRY(w_y),    ENTRY(largest), ENTRY(friction),
    ENTRY(friction_x), ENTRY(friction_y), ENTRY(normal), ENTRY(slip),    ENTRY(slip_x),
    ENTRY(slip_y),     ENTRY(open),       ENTRY(stuck),  ENTRY(sliding), ENTRY(roots),
    ENTRY(iterations), ENTRY(residual),   ENTRY(energy), {NULL, 0}};

const stc_wave_ops stc_wave_strip = STC_ELEMENT_OPS(strip, strip_entries);
const stc_wave_ops stc_wave_block = STC_ELEMENT_OPS(strip, block_entries);
