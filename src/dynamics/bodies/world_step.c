// One step of Moreau and Jean's scheme: half a step of free flight, the impulses of gravity,
// contacts and joints at the middle, half a step of free flight, and the correction of positions.
#include "../../base/clock.h"
#include "../joints/joint_acts.h"
#include "../loads/body_loads.h"
#include "../stepper.h"
#include "../surfaces/contact_laws.h"

stc_error stc_world_drive_body(const stc_body_data *node, double t, stc_place *place) {
  double v[3] = {0, 0, 0}, omega[3] = {0, 0, 0};
  if (!node->drive(node->user, t, v, omega)) {
    if (stc_error_detail()[0] != '\0') return STC_ERR_CALLBACK;
    return stc_fail(STC_ERR_CALLBACK, "the drive of body %s stopped the run at t = %g", node->name,
                    t);
  }
  for (int i = 0; i < 3; i++)
    if (!isfinite(v[i]) || !isfinite(omega[i]))
      return stc_fail(STC_ERR_VALUE,
                      "the drive of body %s gives velocity[%d] = %g, omega[%d] = %g at t = %g; "
                      "give finite numbers",
                      node->name, i, v[i], i, omega[i], t);
  memcpy(place->v, v, sizeof v);
  memcpy(place->omega, omega, sizeof omega);
  return STC_OK;
}

stc_error stc_world_drive(const stc_world *world, double t, stc_place *place) {
  for (int b = 0; b < world->bodies; b++) {
    const stc_body_data *node = &STC_NODES(world)[b];
    if (node->mobility == STC_MOBILITY_DRIVEN && !node->out)
      STC_TRY(stc_world_drive_body(node, t, &place[b]));
  }
  return STC_OK;
}

static stc_error check_range(const stc_world *world) {
  for (int b = 0; b < world->bodies; b++) {
    const stc_place *p = &STC_NEXT(world)[b];
    double sum = 0;
    for (int i = 0; i < 3; i++) sum += p->x[i] + p->v[i] + p->omega[i] + p->rotation[i + 1];
    if (!isfinite(sum))
      return stc_fail(STC_ERR_VALUE,
                      "body %s leaves the range of numbers at t = %g; take a smaller h or check "
                      "its speed",
                      STC_NODES(world)[b].name, stc_world_time(world));
  }
  return STC_OK;
}

// --- Stages ---

/// A flight of all bodies, of continuous ones as far as it is free.
static stc_error fly_half(stc_world *world, stc_place *next) {
  size_t bodies = (size_t)world->bodies;
  if (world->continuous == 0) return stc_world_fly(world, next, next);
  STC_TRY(stc_pool_grow(&world->swept, bodies, sizeof(stc_place), 0));
  memcpy(world->swept.data, next, bodies * sizeof(stc_place));
  STC_TRY(stc_world_fly(world, next, next));
  stc_world_sweep(world, world->swept.data, next);
  return STC_OK;
}

static stc_error fly_to_middle(stc_time_step *step) {
  stc_world *world = step->motion;
  stc_place *next = STC_NEXT(world);
  memcpy(next, STC_PLACES(world), (size_t)world->bodies * sizeof *next);
  world->count = 0;
  STC_TRY(stc_world_begin_joined(world, next));
  world->cut = 0;
  STC_TRY(fly_half(world, next));
  STC_TRY(check_range(world));
  STC_TRY(stc_world_joint_rates(world, &world->driven_old));
  STC_TRY(stc_world_drive(world, stc_world_time(world) + world->settings.h, next));
  step->taken = world->broken < 0;
  return STC_OK;
}

static stc_error find_contact_pairs(stc_time_step *step) {
  stc_world *world = step->motion;
  stc_world_report *report = step->report;
  double began = stc_clock();
  world->broad_seconds = world->narrow_seconds = 0;
  STC_TRY(stc_loads_begin(world));
  STC_TRY(stc_world_gather(world));
  if (world->fresh) STC_TRY(stc_world_check_overlaps(world));
  STC_TRY(stc_world_joint_rows(world));
  STC_TRY(stc_world_factorise_joints(world));
  report->contacts = world->still + world->count;
  report->broad_seconds = world->broad_seconds;
  report->narrow_seconds = world->narrow_seconds;
  report->collide_seconds = stc_clock() - began;
  return STC_OK;
}

static stc_error find_velocities(stc_time_step *step) {
  stc_world *world = step->motion;
  stc_world_report *report = step->report;
  double began = stc_clock();
  STC_TRY(stc_world_solve(world, report));
  report->solve_seconds = stc_clock() - began;
  step->taken = report->accepted && world->broken < 0;
  return STC_OK;
}

static stc_error fly_to_end(stc_time_step *step) {
  stc_world *world = step->motion;
  STC_TRY(fly_half(world, STC_NEXT(world)));
  return check_range(world);
}

static stc_error book_motion(stc_time_step *step) {
  stc_world_ledger_motion(step->motion);
  return STC_OK;
}

static stc_error correct_positions(stc_time_step *step) {
  STC_TRY(stc_world_correct(step->motion, &((stc_world_report *)step->report)->overlap));
  return stc_limits_correct(step->motion);
}

static stc_error book_correction(stc_time_step *step) {
  stc_world *world = step->motion;
  stc_world_ledger_close(world);
  stc_world_measure_joints(world, step->report);
  step->taken = world->broken < 0;
  return STC_OK;
}

// --- What is remembered ---

/// The solver left what the contact began with: to take it into space and back would only round.
static bool is_as_before(const double *r, const double *guess, int dim) {
  bool same = true;
  for (int k = 0; k < dim; k++) same = same && r[k] == guess[k];
  return same;
}

/// Impulses as vectors in space, and what the contact did.
static void remember(const stc_world *world, int c, double threshold, stc_contact_pair *m) {
  int dim = world->dim;
  bool plane = world->settings.plane;
  const double *r = STC_ROW(world, STC_ROW_R) + (size_t)c * (size_t)dim;
  const double *u = STC_ROW(world, STC_ROW_AFTER) + (size_t)c * (size_t)dim;
  const double *w = STC_ROW(world, STC_ROW_W) + (size_t)c * (size_t)dim;
  double shifted[STC_MAX_DIM];
  for (int k = 0; k < dim; k++) shifted[k] = u[k] + w[k];
  shifted[0] += m->soft.yield * r[0];
  m->state = stc_law_classify(&m->law, 1 / world->unit, threshold, shifted, r);
  if (m->given_law) stc_contact_keep_memory(world, c, threshold, shifted[0], m);
  if (is_as_before(r, STC_ROW(world, STC_ROW_GUESS) + (size_t)c * (size_t)dim, dim)) return;
  m->load = (stc_load){.normal = r[0]};
  stc_add3(m->load.sliding, r[1], m->tangent[0]);
  if (!plane) stc_add3(m->load.sliding, r[2], m->tangent[1]);
  if (plane && dim == 3) m->load.rotating[2] = r[2];
  if (dim == 4) stc_add3(m->load.rotating, r[3], m->point.normal);
  for (int k = 3; dim == 5 && k < 5; k++) stc_add3(m->load.rotating, r[k], m->tangent[k - 3]);
}

static stc_error remember_contacts(stc_world *world, double eta) {
  size_t size = (size_t)world->count * (size_t)world->dim;
  size_t still = (size_t)world->still * (size_t)world->dim;
  const double *free = STC_ROW(world, STC_ROW_FREE);
  double most = 0;
  STC_TRY(stc_pool_grow(&world->last_r, still + size, sizeof(double), still));
  STC_TRY(stc_pool_grow(&world->last_u, still + size, sizeof(double), still));
  for (size_t k = 0; k < size; k++) most = fmax(most, fabs(free[k]));
  for (int c = 0; c < world->count; c++)
    remember(world, c, 10 * fmax(world->settings.tol, eta) * most, &STC_CONTACT_PAIRS(world)[c]);
  if (size == 0) return STC_OK;
  memcpy((double *)world->last_r.data + still, STC_ROW(world, STC_ROW_R), size * sizeof(double));
  memcpy((double *)world->last_u.data + still, STC_ROW(world, STC_ROW_AFTER),
         size * sizeof(double));
  return STC_OK;
}

// --- Sleep ---

/// Whether the step began where it ended: nothing moves, no impulse changes, nobody is driven. What
/// follows is then the same step again, bit for bit. The old places and contacts are still there.
static bool is_at_rest(const stc_world *world, const stc_account *before) {
  const stc_contact_pair *now = STC_CONTACT_PAIRS(world);
  const stc_contact_pair *old = (const stc_contact_pair *)world->last.data + world->still;
  size_t bytes = (size_t)world->bodies * sizeof(stc_place);
  if (world->count != world->last_count - world->still || world->loads.active) return false;
  if (memcmp(before->sum, world->account.sum, sizeof before->sum) != 0) return false;
  if (memcmp(STC_PLACES(world), STC_NEXT(world), bytes) != 0) return false;
  for (int b = 0; b < world->bodies; b++)
    if (STC_NODES(world)[b].mobility == STC_MOBILITY_DRIVEN && !STC_NODES(world)[b].out)
      return false;
  for (int c = 0; c < world->count; c++)
    if (memcmp(&now[c].load, &old[c].load, sizeof now[c].load) != 0 ||
        now[c].point.identity != old[c].point.identity ||
        stc_contact_law_moves(world, &now[c], &old[c]))
      return false;
  return true;
}

/// The contacts of the step behind those of what sleeps.
static void keep_contacts(stc_world *world) {
  stc_contact_pair *to = (stc_contact_pair *)world->last.data + world->still;
  if (world->count) memcpy(to, world->contact_pair.data, (size_t)world->count * sizeof *to);
  world->last_count = world->still + world->count;
}

static stc_error commit_world(stc_time_step *step) {
  stc_world *world = step->motion;
  stc_world_report *report = step->report;
  stc_account before = world->account;
  STC_TRY(remember_contacts(world, report->eta));
  STC_TRY(stc_world_find_events(world));
  STC_TRY(stc_islands_make_room(world));
  stc_world_take_events(world);
  stc_pool places = world->place;
  world->place = world->next;
  world->next = places;
  world->account = world->trial;
  world->stored = world->trial_stored;
  world->steps++;
  world->reached = true;
  for (int b = 0; b < world->bodies; b++) {
    STC_NODES(world)[b].fresh = false;
    STC_NODES(world)[b].patience = STC_NODES(world)[b].next_patience;
  }
  world->fresh = false;
  world->seen.known = false;
  bool same = stc_acts_keep(world);
  same = stc_world_keep_joints(world) && same;
  world->asleep = same && is_at_rest(world, &before);
  bool falls = stc_islands_find(world);
  keep_contacts(world);
  if (falls) stc_islands_sort(world);
  stc_loads_end(world);
  report->integrate_seconds =
      stc_clock() - step->began - report->collide_seconds - report->solve_seconds;
  world->rest = *report;
  world->cut_short = report->relaxed > 0 && report->eta > world->settings.accept;
  return STC_OK;
}

stc_error stc_world_step(stc_world *world, stc_world_report *report) {
  static const stc_stepper stepper = {.predict = fly_to_middle,
                                      .find_contacts = find_contact_pairs,
                                      .solve = find_velocities,
                                      .integrate = fly_to_end,
                                      .book_motion = book_motion,
                                      .project = correct_positions,
                                      .book_correction = book_correction,
                                      .commit = commit_world};
  if (!world || !world->started || !report)
    return stc_fail(STC_ERR_ARGUMENT, "stc_world_step needs a world that started and a report");
  if (world->asleep) {
    *report = world->rest;
    report->collide_seconds = report->broad_seconds = report->narrow_seconds = 0;
    report->solve_seconds = report->integrate_seconds = 0;
    stc_world_settle_events(world);
    world->steps++;
    return STC_OK;
  }
  stc_world_forget_problem(world);
  STC_TRY(stc_world_prepare(world));
  *report = (stc_world_report){.joints = world->links};
  STC_TRY(stc_step_run(&stepper, &(stc_time_step){.motion = world, .report = report}));
  if (world->broken >= 0) stc_world_explain_joint(world, report);
  return STC_OK;
}
