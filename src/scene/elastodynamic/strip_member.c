// Elastic bodies on a support, cylinders and meshes, as members of an elastodynamic run. Slip rates
// are those in the middle of a step.
#include "../../base/fail.h"
#include "../../base/number.h"
#include "elastodynamic_scene.h"

#include <math.h>

#define ENTRY(name) STC_NUMBER(stc_wave_state, name)

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

static double tau_x(void *user, double t) { return stc_wave_tau(user, 0, t); }
static double tau_y(void *user, double t) { return stc_wave_tau(user, 1, t); }

static bool has_tau(const stc_wave_member *m, int k) {
  return stc_callback_is_there(&m->tau[k].function) || m->tau[k].value != 0;
}

/// Of the iteration of theorem 2.
static const double FIXED_TOLERANCE = 1e-10;
enum { FIXED_LIMIT = 1000 };

// The iteration of theorem 2 over a window at the beginning, on a strip of its own.
static stc_error iterate_window(stc_wave_member *m, const stc_strip_settings *s) {
  double steps = fmax(round(m->fixed_window / s->dt), 1);
  stc_strip_estimate estimate;
  stc_strip *strip = NULL;
  if (steps > STC_WAVE_WINDOW)
    return stc_fail(STC_ERR_VALUE, "window = %g has more than %d steps", m->fixed_window,
                    STC_WAVE_WINDOW);
  STC_TRY(stc_strip_create(s, &strip));
  stc_error error = m->alpha > 0 ? stc_strip_estimate_norm(strip, m->alpha, &estimate) : STC_OK;
  if (!error) error = stc_strip_iterate(strip, (int)steps, FIXED_TOLERANCE, FIXED_LIMIT, &m->fixed);
  stc_strip_free(&strip);
  return error;
}

// What the library is given, in the arena of the member.
static stc_error describe_strip(stc_wave_member *m, const stc_run_settings *settings,
                                stc_strip_settings *out) {
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
  for (int k = 0; k < 2; k++)
    if (has_tau(m, k)) s.tau[k] = k == 0 ? tau_x : tau_y;
  s.user = m;
  s.progress = settings->progress;
  s.progress_user = settings->progress_user;
  *out = s;
  return STC_OK;
}

static stc_error create_strip(stc_wave_member *m, const stc_run_settings *settings) {
  stc_strip_settings s;
  STC_TRY(describe_strip(m, settings, &s));
  STC_TRY(stc_strip_create(&s, &m->running_strip));
  if (m->alpha > 0) STC_TRY(stc_strip_estimate_norm(m->running_strip, m->alpha, &m->estimate));
  if (m->fixed_window > 0) STC_TRY(iterate_window(m, &s));
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

static void take_slip_and_friction(stc_wave_member *m, const stc_strip_report *r) {
  stc_wave_state *s = &m->state;
  double dt = m->scene->wave->dt;
  s->w = r->mean_slip;
  s->friction = r->shear_force;
  s->slip += dt * s->w;
  s->w_x = r->slip[0], s->w_y = r->slip[1], s->w_z = r->slip[2];
  s->friction_x = r->friction[0], s->friction_y = r->friction[1], s->friction_z = r->friction[2];
  s->slip_x += dt * r->slip[0], s->slip_y += dt * r->slip[1], s->slip_z += dt * r->slip[2];
  s->force_x = r->force[0], s->force_y = r->force[1], s->force_z = r->force[2];
}

static stc_error take_theorems(stc_wave_member *m, const stc_strip_report *r) {
  stc_wave_state *s = &m->state;
  stc_strip_certificate c;
  s->norm = r->norm;
  s->bound = r->bound;
  if (r->bound > 0) s->nearest = fmax(s->nearest, r->norm / r->bound);
  if (!m->certificates) return STC_OK;
  STC_TRY(stc_strip_certify(m->running_strip, &c));
  s->answers = c.answers;
  s->sharp = c.sharp;
  s->certified[c.answers]++;
  return STC_OK;
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
  STC_TRY(take_theorems(m, &r));
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

#define PLANE_ENTRIES                                                                              \
  ENTRY(w), ENTRY(w_x), ENTRY(w_y), ENTRY(largest), ENTRY(friction), ENTRY(friction_x),            \
      ENTRY(friction_y), ENTRY(normal), ENTRY(force_x), ENTRY(force_y), ENTRY(slip),               \
      ENTRY(slip_x), ENTRY(slip_y)
#define COUNT_ENTRIES                                                                              \
  ENTRY(open), ENTRY(stuck), ENTRY(sliding), ENTRY(roots), ENTRY(iterations), ENTRY(residual),     \
      ENTRY(energy)

static const stc_number plane_entries[] = {PLANE_ENTRIES, COUNT_ENTRIES, {NULL, 0}};
static const stc_number space_entries[] = {PLANE_ENTRIES,  ENTRY(w_z),    ENTRY(friction_z),
                                           ENTRY(force_z), ENTRY(slip_z), COUNT_ENTRIES,
                                           {NULL, 0}};

const stc_wave_ops stc_wave_strip = STC_ELEMENT_OPS(strip, strip_entries);
const stc_wave_ops stc_wave_block = STC_ELEMENT_OPS(strip, block_entries);
const stc_wave_ops stc_wave_body2 = STC_ELEMENT_OPS(strip, plane_entries);
const stc_wave_ops stc_wave_body3 = STC_ELEMENT_OPS(strip, space_entries);
