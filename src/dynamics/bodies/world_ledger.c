// The ledger of a step. Gravity has a potential, and free flight keeps the energy, so that
//   E+ - E = r.(U + U+)/2 + r.drive - l.(b + b+)/2
// exactly, less what contacts that yield store: shock (normal parts), friction (the rest), drive
// (moving obstacles, and what they do to joints with the rates b). Joints rotate the velocities of
// a flight as well: gravity's work along it differs from that of its impulse by O(h^3), which is
// left as the error of the time step.
#include "../joints/joint_acts.h"
#include "../loads/body_loads.h"
#include "../soft/soft_contacts.h"

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
  stc_sum T = {0}, V = {0};
  for (int b = 0; b < world->bodies; b++) {
    const stc_body_data *node = &STC_NODES(world)[b];
    if (!stc_body_is_free(node)) continue;
    stc_sum_add(&T, stc_world_ledger_kinetic(world, b, &place[b]));
    stc_sum_add(&V, -node->mass * stc_dot3(world->settings.gravity, place[b].x));
  }
  *kinetic = stc_sum_value(&T);
  stc_sum_add(&V, stc_springs_energy(world, place));
  *potential = stc_sum_value(&V);
  return *kinetic + *potential;
}

void stc_world_ledger_open(stc_world *world) {
  double kinetic, potential;
  stc_world_ledger_energy(world, STC_PLACES(world), &kinetic, &potential);
  stc_account_open(&world->account, kinetic, potential + world->stored);
}

/// Joints work where driven bodies move them: at the mean of their rates before and after.
static void book_joints(stc_world *world) {
  const double *l = world->multiplier.data, *driven = world->driven.data;
  const double *old = world->driven_old.data;
  for (int k = 0; k < world->equalities; k++)
    stc_account_add(&world->trial, STC_ENTRY_DRIVE, -l[k] * (old[k] + driven[k]) / 2);
}

void stc_world_ledger_motion(stc_world *world) {
  double kinetic, potential;
  stc_step_rows rows = stc_world_rows(world);
  world->energy = stc_world_ledger_energy(world, STC_NEXT(world), &kinetic, &potential);
  world->trial = world->account;
  rows.rise = stc_soft_book(world);
  stc_account_contacts(&world->trial, &rows);
  book_joints(world);
  stc_acts_book(world);
  stc_loads_book(world, STC_SPEED(world, STC_SPEED_BEFORE), STC_SPEED(world, STC_SPEED_AFTER));
}

/// What joints did in flights, and where the step began.
static void book_flights(stc_world *world) {
  stc_account_add(&world->trial, STC_ENTRY_DRIVE, stc_sum_value(&world->joint_drive));
  stc_account_add(&world->trial, STC_ENTRY_SHOCK, stc_sum_value(&world->joint_shock));
  stc_account_add(&world->trial, STC_ENTRY_CORRECTION, stc_sum_value(&world->joint_correction));
}

void stc_world_ledger_close(stc_world *world) {
  double kinetic, potential;
  double now = stc_world_ledger_energy(world, STC_NEXT(world), &kinetic, &potential);
  stc_account_add(&world->trial, STC_ENTRY_CORRECTION, now - world->energy);
  stc_account_add(&world->trial, STC_ENTRY_CORRECTION, world->cut);
  if (world->links > 0) book_flights(world);
  stc_account_close(&world->trial, kinetic, potential + world->trial_stored);
}

void stc_world_book_springs(stc_world *world, double sign) {
  if (!world->started) return;
  double energy = sign * stc_springs_energy(world, STC_PLACES(world));
  if (energy == 0) return;
  stc_account_add(&world->account, STC_ENTRY_WORK, energy);
  world->account.ledger.potential += energy;
  world->account.ledger.work = stc_sum_value(&world->account.sum[STC_ENTRY_WORK]);
}

void stc_world_book_edit(stc_world *world, int body, double sign) {
  const stc_body_data *node = &STC_NODES(world)[body];
  const stc_place *place = &STC_PLACES(world)[body];
  stc_ledger *ledger = &world->account.ledger;
  if (!world->started || !stc_body_is_free(node)) return;
  double kinetic = sign * stc_world_ledger_kinetic(world, body, place);
  double potential = -sign * node->mass * stc_dot3(world->settings.gravity, place->x);
  stc_account_add(&world->account, STC_ENTRY_WORK, kinetic + potential);
  ledger->kinetic += kinetic;
  ledger->potential += potential;
  ledger->work = stc_sum_value(&world->account.sum[STC_ENTRY_WORK]);
}
