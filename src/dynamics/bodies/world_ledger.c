// The books of a step. Gravity has a potential, and free flight keeps the energy, so that
//   E+ - E = r.(U + U+)/2 + r.drive - l.(b + b+)/2
// exactly: shock (normal parts), friction (the rest), drive (moving obstacles, and what they do to
// joints with the rates b). Joints turn the velocities of a flight as well: gravity's work along
// it differs from that of its impulse by O(h^3), which is left as the error of the time step.
#include "world_data.h"

void stc_tally_add(stc_tally *sum, double x) {
  double total = sum->value + x;
  bool kept = fabs(sum->value) >= fabs(x);
  sum->rest += kept ? (sum->value - total) + x : (x - total) + sum->value;
  sum->value = total;
}

double stc_tally_value(const stc_tally *sum) { return sum->value + sum->rest; }

double stc_world_ledger_kinetic(const stc_world *world, int body, const stc_place *place) {
  const stc_body_data *node = &STC_NODES(world)[body];
  double momentum[3];
  if (world->settings.plane)
    return node->mass * stc_dot3(place->v, place->v) / 2 +
           node->inertia[8] * place->omega[2] * place->omega[2] / 2;
  stc_mul3(node->inertia, place->omega, momentum);
  return (node->mass * stc_dot3(place->v, place->v) + stc_dot3(momentum, place->omega)) / 2;
}

double stc_world_ledger_energy(const stc_world *world, const stc_place *place, double *kinetic,
                               double *potential) {
  stc_tally T = {0}, V = {0};
  for (int b = 0; b < world->bodies; b++) {
    const stc_body_data *node = &STC_NODES(world)[b];
    if (node->dof < 0) continue;
    stc_tally_add(&T, stc_world_ledger_kinetic(world, b, &place[b]));
    stc_tally_add(&V, -node->mass * stc_dot3(world->settings.gravity, place[b].x));
  }
  *kinetic = stc_tally_value(&T);
  *potential = stc_tally_value(&V);
  return *kinetic + *potential;
}

void stc_world_ledger_open(stc_world *world) {
  stc_ledger *ledger = &world->ledger;
  memset(world->sum, 0, sizeof world->sum);
  *ledger = (stc_ledger){0};
  ledger->start =
      stc_world_ledger_energy(world, STC_PLACES(world), &ledger->kinetic, &ledger->potential);
}

/// A contact gives no energy. One part of its work may be positive where a shock couples the normal
/// and the tangent: then the other part holds both. Where the frame or the velocity turns within
/// the step even their sum may be, by the order of h: what the time step gives counts as
/// correction.
static void book_contact(stc_world *world, double normal, double tangential) {
  double sum = normal + tangential;
  if (sum > 0)
    stc_tally_add(&world->trial[STC_BOOK_CORRECTION], sum);
  else if (tangential > 0)
    stc_tally_add(&world->trial[STC_BOOK_SHOCK], sum);
  else if (normal > 0)
    stc_tally_add(&world->trial[STC_BOOK_FRICTION], sum);
  if (sum > 0 || tangential > 0 || normal > 0) return;
  stc_tally_add(&world->trial[STC_BOOK_SHOCK], normal);
  stc_tally_add(&world->trial[STC_BOOK_FRICTION], tangential);
}

static void book_contacts(stc_world *world) {
  const double *r = STC_ROW(world, STC_ROW_R), *drive = STC_ROW(world, STC_ROW_DRIVE);
  const double *before = STC_ROW(world, STC_ROW_BEFORE), *after = STC_ROW(world, STC_ROW_AFTER);
  for (int first = 0; first < world->count * world->dim; first += world->dim) {
    double part[2] = {0};
    for (int k = first; k < first + world->dim; k++) {
      part[k > first] += r[k] * (before[k] + after[k]) / 2;
      stc_tally_add(&world->trial[STC_BOOK_DRIVE], r[k] * drive[k]);
    }
    book_contact(world, part[0], part[1]);
  }
}

/// Joints work where driven bodies move them: at the mean of their rates before and after.
static void book_joints(stc_world *world) {
  const double *l = world->multiplier.data, *driven = world->driven.data;
  const double *old = world->driven_old.data;
  for (int k = 0; k < world->equalities; k++)
    stc_tally_add(&world->trial[STC_BOOK_DRIVE], -l[k] * (old[k] + driven[k]) / 2);
}

void stc_world_ledger_motion(stc_world *world) {
  memcpy(world->trial, world->sum, sizeof world->trial);
  book_contacts(world);
  book_joints(world);
}

/// What joints did in flights, and where the step began.
static void book_flights(stc_world *world) {
  stc_tally_add(&world->trial[STC_BOOK_DRIVE], stc_tally_value(&world->joint_drive));
  stc_tally_add(&world->trial[STC_BOOK_SHOCK], stc_tally_value(&world->joint_shock));
  stc_tally_add(&world->trial[STC_BOOK_CORRECTION], stc_tally_value(&world->joint_correction));
}

/// Strikes the balance.
void stc_world_ledger_close(stc_world *world, double before) {
  stc_ledger *ledger = &world->trial_ledger;
  stc_tally *sum = world->trial, error = {0};
  *ledger = (stc_ledger){.start = world->ledger.start};
  double now =
      stc_world_ledger_energy(world, STC_NEXT(world), &ledger->kinetic, &ledger->potential);
  stc_tally_add(&sum[STC_BOOK_CORRECTION], now - before);
  if (world->links > 0) book_flights(world);
  ledger->work = stc_tally_value(&sum[STC_BOOK_WORK]);
  ledger->drive = stc_tally_value(&sum[STC_BOOK_DRIVE]);
  ledger->friction = stc_tally_value(&sum[STC_BOOK_FRICTION]);
  ledger->shock = stc_tally_value(&sum[STC_BOOK_SHOCK]);
  ledger->correction = stc_tally_value(&sum[STC_BOOK_CORRECTION]);
  stc_tally_add(&error, ledger->kinetic);
  stc_tally_add(&error, ledger->potential);
  stc_tally_add(&error, -ledger->start);
  for (int k = 0; k < STC_BOOKS; k++) {
    stc_tally_add(&error, -sum[k].value);
    stc_tally_add(&error, -sum[k].rest);
  }
  ledger->error = stc_tally_value(&error);
}
