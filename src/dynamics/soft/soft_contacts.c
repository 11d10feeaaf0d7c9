// Contacts that yield: what their spring and damper ask of the step, and the energy they store.
#include "soft_contacts.h"

#include "../joints/joint_acts.h"

/// x' of a gap: how far the contact is closed, with its sign.
static double closed_part(double gap) { return fmin(gap, 0); }

/// s for z = h^2 k times the mobility along the normal, the square of the angle that the contact
/// oscillates by in a step: 1/2 at one radian.
static double stiff_part(double z) { return z * z / (1 + z * z); }

/// The spring's energy, as far as the step resolves it: overlaps that a stiff spring is rid of in a
/// step are no store.
static double energy_at(const stc_contact_pair *m, double gap) {
  double x = closed_part(gap), z = m->soft.stiffness;
  return stc_contact_yields(m) ? x * x / (2 * m->soft.compliance) / (1 + z * z * z * z) : 0;
}

/// z of a contact.
static double stiffness_of(const stc_world *world, int c, const stc_contact_pair *m) {
  double h = world->settings.h;
  return h * h * stc_row_mobility(world, &world->H.view, c * world->dim) / m->soft.compliance;
}

static void begin_soft(const stc_world *world, int c, stc_contact_pair *m) {
  double h = world->settings.h, gap = m->point.gap, compliance = m->soft.compliance;
  const double *before = STC_ROW(world, STC_ROW_BEFORE) + (size_t)c * (size_t)world->dim;
  double d = m->soft.damping * compliance;
  double z = m->soft.stiffness = stiffness_of(world, c, m), s = stiff_part(z);
  double t = 2 * stc_damper_part(z * d / h) - 1;
  double start = closed_part(gap - h / 2 * before[0]);
  double slope = h * h * ((1 - s) / 4 + s) + h * d * ((1 - t) / 2 + t);
  double offset = h * ((1 - s) * (start + gap) / 2 + s * gap) +
                  d * ((1 - t) * (gap - start) + t * (gap - closed_part(gap)));
  m->soft.yield = compliance / slope;
  m->soft.w = offset / slope;
  m->soft.stored = energy_at(m, start);
}

stc_error stc_soft_begin(stc_world *world) {
  world->soft = 0;
  STC_TRY(
      stc_pool_grow(&world->rise, (size_t)world->count * (size_t)world->dim, sizeof(double), 0));
  for (int c = 0; c < world->count; c++) {
    stc_contact_pair *m = &STC_CONTACT_PAIRS(world)[c];
    if (!stc_contact_yields(m)) continue;
    begin_soft(world, c, m);
    world->soft++;
  }
  return STC_OK;
}

static void add_sleeping(const stc_world *world, stc_sum *sum) {
  const stc_contact_pair *last = world->last.data;
  for (int c = 0; c < world->still; c++) stc_sum_add(sum, last[c].soft.stored);
}

double *stc_soft_book(stc_world *world) {
  stc_sum before = {0}, after = {0};
  double *rise = world->rise.data;
  const double *u = STC_ROW(world, STC_ROW_AFTER);
  add_sleeping(world, &before);
  add_sleeping(world, &after);
  for (int c = 0; c < world->count; c++) {
    stc_contact_pair *m = &STC_CONTACT_PAIRS(world)[c];
    double began = m->soft.stored;
    double gap = m->point.gap + world->settings.h / 2 * u[(size_t)c * (size_t)world->dim];
    m->soft.stored = energy_at(m, gap);
    stc_sum_add(&before, began);
    stc_sum_add(&after, m->soft.stored);
    rise[c] = m->soft.stored - began;
  }
  double jump = stc_sum_value(&before) - world->stored;
  stc_account_add(&world->trial, world->fresh ? STC_ENTRY_WORK : STC_ENTRY_CORRECTION, jump);
  world->trial_stored = stc_sum_value(&after);
  return rise;
}

void stc_soft_open(stc_world *world) {
  stc_sum sum = {0};
  for (int c = 0; c < world->count; c++) {
    stc_contact_pair *m = &STC_CONTACT_PAIRS(world)[c];
    if (stc_contact_yields(m)) m->soft.stiffness = stiffness_of(world, c, m);
    stc_sum_add(&sum, energy_at(m, m->point.gap));
  }
  world->stored = stc_sum_value(&sum);
}

double stc_soft_square(const stc_world *world, const double *g) {
  double sum = 0;
  for (int c = 0; c < world->count; c++) {
    double normal = g[(size_t)c * (size_t)world->dim];
    sum += STC_CONTACT_PAIRS(world)[c].soft.yield * normal * normal;
  }
  return sum;
}

double *stc_soft_leave_out(const stc_world *world, const double *r) {
  double *others = world->rise.data;
  memcpy(others, r, (size_t)world->count * (size_t)world->dim * sizeof *r);
  for (int c = 0; c < world->count; c++)
    if (stc_contact_yields(&STC_CONTACT_PAIRS(world)[c])) others[c * world->dim] = 0;
  return others;
}
