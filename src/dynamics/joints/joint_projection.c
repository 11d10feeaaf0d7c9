// Joints at the ends of flights: positions brought onto g = 0 and velocities onto G v + b = 0 by
// the least change in the norm of M, what is not met named, and all mechanisms of a world flown.
#include "../../base/number.h"
#include "mechanism.h"

#include <float.h>

enum { REFINEMENTS = 30 };  // [bound]

// What rounding leaves of a rate or a place, against speeds and distances; where rows nearly repeat
// each other it leaves more.
static const double ROUNDING = 8 * DBL_EPSILON, ROUGH = 1e4;  // [rounding]

static double largest_residual(int n, const double *x) {
  double most = 0;
  for (int i = 0; i < n; i++) most = fmax(most, isfinite(x[i]) ? fabs(x[i]) : INFINITY);
  return most;
}

// --- Velocities ---

/// The joint whose velocities are furthest from what it allows, of the last projection.
static void find_worst_rate(stc_world *world, const stc_mechanism *m) {
  double most = -1;
  for (int j = 0; j < m->links; j++)
    for (int k = m->first[j]; k < m->first[j + 1]; k++) {
      double off = isfinite(m->off[k]) ? fabs(m->off[k]) : INFINITY;
      if (off > most) world->broken = m->link[j];
      most = fmax(most, off);
    }
  world->broken_rate = most;
}

/// l [equalities] += factor x, where the equations of joints are; totals take the rest.
static void add_multipliers(const stc_world *world, stc_mechanism *m, double factor,
                            const double *x, double *l) {
  for (int j = 0; j < m->links; j++) {
    const stc_link *link = &STC_LINKS(world)[m->link[j]];
    int first = m->first[j], last = first + link->rows;
    for (int k = first; k < last; k++) l[link->first_row + k - first] += factor * x[k];
    for (int k = last; k < m->first[j + 1]; k++) m->total[k] += factor * x[k];
  }
}

/// x [rows] = l, and nothing along coordinates.
static void take_multipliers(const stc_world *world, const stc_mechanism *m, const double *l,
                             double *x) {
  memset(x, 0, (size_t)m->rows * sizeof *x);
  for (int j = 0; j < m->links; j++) {
    const stc_link *link = &STC_LINKS(world)[m->link[j]];
    for (int k = 0; k < link->rows; k++) x[m->first[j] + k] = l[link->first_row + k];
  }
}

stc_error stc_mechanism_project(stc_world *world, stc_mechanism *m, double speed, stc_place *places,
                                double *l, bool *met) {
  double unit = fmax(speed, stc_mechanism_speed(world, m, places)), best = INFINITY;
  for (int i = 0; i < m->rows; i++) unit = fmax(unit, fabs(m->bias[i]));
  for (int n = 0; n < REFINEMENTS; n++) {
    stc_mechanism_rates(world, m, m->end, places, m->off);
    double off = largest_residual(m->rows, m->off);
    bool worse = !(off < best / 2);
    *met = off <= ROUNDING * unit || (worse && off <= ROUGH * ROUNDING * unit);
    if (*met || (worse && n > 2)) return STC_OK;
    best = fmin(best, off);
    STC_TRY(stc_mechanism_solve(m, 1, m->off, m->step));
    stc_mechanism_wrench(world, m, m->end, m->step, world->wrench.data);
    stc_mechanism_push(world, m, -1, world->wrench.data, places);
    add_multipliers(world, m, -1, m->step, l);
  }
  return STC_OK;
}

// --- Places ---

void stc_mechanism_displace(const stc_world *world, const stc_mechanism *m, stc_place *places) {
  for (int n = 0; n < m->bodies; n++) {
    stc_place *p = &places[m->body[n]], moved = *p;
    memset(moved.v, 0, sizeof moved.v);
    memset(moved.omega, 0, sizeof moved.omega);
    m->kept[n] = *p;
    *p = moved;
  }
  stc_mechanism_push(world, m, -1, world->wrench.data, places);
  for (int n = 0; n < m->bodies; n++) {
    stc_place *p = &places[m->body[n]];
    stc_add3(p->x, 1, p->v);
    stc_rotation_by(p->rotation, p->omega, 1);
    memcpy(p->v, m->kept[n].v, sizeof p->v);
    memcpy(p->omega, m->kept[n].omega, sizeof p->omega);
  }
}

stc_error stc_mechanism_close(stc_world *world, stc_mechanism *m, stc_place *places) {
  stc_mechanism_rows(world, m, places, places, m->end);
  STC_TRY(stc_mechanism_factorise(world, m, m->end, places));
  STC_TRY(stc_mechanism_solve(m, 1, m->off, m->step));
  stc_mechanism_wrench(world, m, m->end, m->step, world->wrench.data);
  stc_mechanism_displace(world, m, places);
  return STC_OK;
}

static stc_error assemble_places(stc_world *world, stc_mechanism *m, stc_place *places) {
  double unit = stc_mechanism_reach(world, m, places), best = INFINITY;
  for (int n = 0; n < REFINEMENTS; n++) {
    memset(m->off, 0, (size_t)m->rows * sizeof *m->off);
    for (int j = 0; j < m->links; j++)
      stc_joint_errors(world, &STC_LINKS(world)[m->link[j]], places, m->off + m->first[j]);
    double off = largest_residual(m->rows, m->off);
    if (off <= ROUNDING * unit || (n > 2 && !(off < best))) return STC_OK;
    best = off;
    STC_TRY(stc_mechanism_close(world, m, places));
  }
  return STC_OK;
}

static bool is_astray(const stc_world *world, const stc_mechanism *m, const stc_place *places) {
  double unit = stc_mechanism_reach(world, m, places);
  memset(m->off, 0, (size_t)m->rows * sizeof *m->off);
  for (int j = 0; j < m->links; j++)
    stc_joint_errors(world, &STC_LINKS(world)[m->link[j]], places, m->off + m->first[j]);
  return largest_residual(m->rows, m->off) > STC_STRAY * unit;
}

// --- All mechanisms ---

stc_error stc_world_fly_joined(stc_world *world, stc_place *to) {
  for (int k = 0; k < world->mechanisms && world->broken < 0; k++) {
    stc_mechanism *m = &world->mechanism[k];
    bool met, driven = stc_mechanism_is_driven(world, m);
    double before = driven ? stc_mechanism_kinetic(world, m, world->origin.data) : 0;
    STC_TRY(stc_mechanism_fly(world, m, world->settings.h / 2, to, &met));
    if (!met) {
      double most = -1;
      for (int j = 0; j < m->links; j++) {
        const stc_link *link = &STC_LINKS(world)[m->link[j]];
        double off = stc_joint_violation(world, link, to) / link->reach;
        if (!isfinite(off)) off = INFINITY;
        if (off > most) world->broken = m->link[j];
        most = fmax(most, off);
      }
    }
    if (driven) stc_sum_add(&world->joint_drive, stc_mechanism_kinetic(world, m, to) - before);
  }
  return STC_OK;
}

/// Velocities that the joints do not allow are stopped: a shock, -|G^T l|^2 / 2 in the norm of
/// M^-1, and what driven bodies do.
static stc_error stop_stray(stc_world *world, stc_mechanism *m, stc_place *places) {
  double *l = world->multiplier.data, before = stc_mechanism_kinetic(world, m, places);
  bool met;
  stc_mechanism_rows(world, m, places, places, m->end);
  stc_mechanism_rates(world, m, m->end, places, m->off);
  if (largest_residual(m->rows, m->off) <= STC_STRAY * stc_mechanism_speed(world, m, places))
    return STC_OK;
  memset(l, 0, (size_t)world->equalities * sizeof *l);
  STC_TRY(stc_mechanism_factorise(world, m, m->end, places));
  STC_TRY(stc_mechanism_project(world, m, 0, places, l, &met));
  if (!met) find_worst_rate(world, m);
  take_multipliers(world, m, l, m->step);
  stc_mechanism_wrench(world, m, m->end, m->step, world->wrench.data);
  double shock = -stc_mechanism_square(world, m, world->wrench.data, places) / 2;
  stc_sum_add(&world->joint_shock, shock);
  if (stc_mechanism_is_driven(world, m))
    stc_sum_add(&world->joint_drive, stc_mechanism_kinetic(world, m, places) - before - shock);
  return STC_OK;
}

stc_error stc_world_begin_joined(stc_world *world, stc_place *places) {
  world->broken = -1;
  world->broken_rate = 0;
  world->joint_drive = world->joint_shock = world->joint_correction = (stc_sum){0};
  STC_TRY(stc_pool_grow(&world->multiplier, (size_t)world->equalities, sizeof(double), 0));
  STC_TRY(stc_pool_grow(&world->reaction, 6 * (size_t)world->links, sizeof(double), 0));
  if (world->links > 0) memset(world->reaction.data, 0, 6 * (size_t)world->links * sizeof(double));
  for (int k = 0; k < world->mechanisms; k++) {
    stc_mechanism *m = &world->mechanism[k];
    double kinetic, potential, before = 0;
    if (world->reached && m->clean) continue;
    stc_mechanism_release(world, m);
    if (is_astray(world, m, places)) {
      before = stc_world_ledger_energy(world, places, &kinetic, &potential);
      STC_TRY(assemble_places(world, m, places));
      stc_sum_add(&world->joint_correction,
                  stc_world_ledger_energy(world, places, &kinetic, &potential) - before);
    }
    STC_TRY(stop_stray(world, m, places));
  }
  return STC_OK;
}

/// Whether rows and factor at hand are those of these places.
static bool is_known(const stc_mechanism *m, const stc_place *places) {
  bool same = m->known;
  for (int n = 0; n < m->bodies + m->obstacles && same; n++) {
    const stc_place *now = &places[m->body[n]], *then = &m->known_at[n];
    same = memcmp(now->x, then->x, sizeof now->x) == 0 &&
           memcmp(now->rotation, then->rotation, sizeof now->rotation) == 0;
  }
  return same;
}

stc_error stc_world_factorise_joints(stc_world *world) {
  for (int k = 0; k < world->mechanisms; k++) {
    stc_mechanism *m = &world->mechanism[k];
    if (is_known(m, STC_NEXT(world))) continue;
    stc_mechanism_rows(world, m, STC_NEXT(world), STC_NEXT(world), m->end);
    STC_TRY(stc_mechanism_factorise(world, m, m->end, STC_NEXT(world)));
  }
  return STC_OK;
}

/// Speed of a mechanism before the impulses of the step.
static double free_speed(const stc_world *world, const stc_mechanism *m) {
  const double *free = STC_SPEED(world, STC_SPEED_FREE);
  double reach = 0, most = 0;
  for (int j = 0; j < m->links; j++) reach = fmax(reach, STC_LINKS(world)[m->link[j]].reach);
  int per = stc_body_dofs(world), linear = world->settings.plane ? 2 : 3;
  for (int n = 0; n < m->bodies; n++)
    for (int i = 0; i < per; i++)
      most =
          fmax(most, fabs(free[STC_NODES(world)[m->body[n]].dof + i]) * (i < linear ? 1 : reach));
  return most;
}

stc_error stc_world_project_joints(stc_world *world) {
  double *l = world->multiplier.data;
  memset(l, 0, (size_t)world->equalities * sizeof *l);
  for (int k = 0; k < world->mechanisms; k++) {
    bool met;
    stc_mechanism *m = &world->mechanism[k];
    memset(m->total, 0, (size_t)m->rows * sizeof *m->total);
    STC_TRY(stc_mechanism_project(world, m, free_speed(world, m), STC_NEXT(world), l, &met));
    if (!met) find_worst_rate(world, m);
  }
  return STC_OK;
}

void stc_world_react(stc_world *world) {
  for (int k = 0; k < world->mechanisms; k++) {
    stc_mechanism *m = &world->mechanism[k];
    memset(m->flown, 0, 6 * (size_t)m->links * sizeof *m->flown);
    take_multipliers(world, m, world->multiplier.data, m->step);
    stc_mechanism_react(world, m, m->end, 1, m->step, m->flown);
    stc_mechanism_note(world, m);
  }
}

stc_error stc_world_assemble(stc_world *world) {
  for (int k = 0; k < world->mechanisms; k++) {
    stc_mechanism *m = &world->mechanism[k];
    bool met;
    m->clean = false;
    stc_mechanism_release(world, m);
    STC_TRY(assemble_places(world, m, STC_NEXT(world)));
    stc_mechanism_rows(world, m, STC_NEXT(world), STC_NEXT(world), m->end);
    STC_TRY(stc_mechanism_factorise(world, m, m->end, STC_NEXT(world)));
    STC_TRY(stc_mechanism_project(world, m, 0, STC_NEXT(world), world->multiplier.data, &met));
    if (!met) find_worst_rate(world, m);
  }
  return STC_OK;
}

// --- What is kept ---

void stc_world_measure_joints(stc_world *world, stc_world_report *report) {
  double most = 0;
  report->worst_joint = (stc_joint_id){0};
  if (world->links > 0) report->worst_joint = stc_world_joint_id_of(world, 0);
  for (int k = 0; k < world->mechanisms; k++) {
    const stc_mechanism *m = &world->mechanism[k];
    bool known = is_known(m, STC_NEXT(world));
    for (int j = 0; j < m->links; j++) {
      const stc_link *link = &STC_LINKS(world)[m->link[j]];
      double off = known ? stc_joint_violation_of(world, link, &m->side[1][2 * j])
                         : stc_joint_violation(world, link, STC_NEXT(world));
      if (off > report->joint_gap) report->worst_joint = stc_world_joint_id_of(world, m->link[j]);
      report->joint_gap = fmax(report->joint_gap, off);
      if (off > world->settings.joint_tol * link->reach && off / link->reach > most) {
        most = off / link->reach;
        world->broken = m->link[j];
      }
    }
  }
}

void stc_world_explain_joint(stc_world *world, stc_world_report *report) {
  char joint[200];
  stc_joint_describe(world, world->broken, joint, sizeof joint);
  const stc_link *link = &STC_LINKS(world)[world->broken];
  double off = stc_joint_violation(world, link, STC_NEXT(world));
  report->accepted = false;
  report->status = STC_STATUS_STALLED;
  report->joint_gap = off;
  report->worst_joint = stc_world_joint_id_of(world, world->broken);
  stc_world_forget_problem(world);
  char what[160];
  if (world->broken_rate > 0)
    stc_snprintf(what, sizeof what, "its bodies part at %.1e m/s", world->broken_rate);
  else if (off <= world->settings.joint_tol * link->reach)
    stc_snprintf(
        what, sizeof what,
        "the motion was not found: bodies rotate too far, or a loop stands at a dead point");
  else
    stc_snprintf(what, sizeof what, "off by %.1e m, more than %.1e of its reach %.3g m", off,
                 world->settings.joint_tol, link->reach);
  stc_snprintf(
      report->reason, sizeof report->reason,
      "step %ld at t = %g is not taken: %s cannot be kept (%s); take a smaller h, or check "
      "driven bodies that pull it apart",
      world->steps + 1, stc_world_time(world), joint, what);
}

// --- Rest ---

/// Speed that rounding of the joints' impulses may leave a body, against their sum.
static double rest_of_joint(const stc_world *world, const stc_mechanism *m, int j,
                            const double *l) {
  const stc_link *link = &STC_LINKS(world)[m->link[j]];
  double most = 0;
  for (int k = 0; k < 2; k++) {
    int b = link->body[k];
    if (b < 0 || STC_NODES(world)[b].dof < 0) continue;
    const stc_body_data *node = &STC_NODES(world)[b];
    double answer = node->inverse[0] + node->inverse[4] + node->inverse[8], sum = 0;
    for (int i = m->first[j]; i < m->first[j] + link->rows; i++)
      sum += fabs(l[link->first_row + i - m->first[j]]) *
             (stc_norm3(m->end[i].force) / node->mass +
              link->reach * answer * stc_norm3(m->end[i].moment[k]));
    for (int i = m->first[j] + link->rows; i < m->first[j + 1]; i++)
      sum += fabs(m->total[i]) * (stc_norm3(m->end[i].force) / node->mass +
                                  link->reach * answer * stc_norm3(m->end[i].moment[k]));
    most = fmax(most, sum);
  }
  return most;
}

static bool was_at_rest(const stc_world *world, const stc_mechanism *m) {
  const double *before = STC_SPEED(world, STC_SPEED_BEFORE);
  int per = stc_body_dofs(world);
  for (int n = 0; n < m->bodies; n++)
    for (int i = 0; i < per; i++)
      if (before[STC_NODES(world)[m->body[n]].dof + i] != 0) return false;
  for (int n = m->bodies; n < m->bodies + m->obstacles; n++)
    for (int i = 0; i < 3; i++)
      if (STC_NEXT(world)[m->body[n]].v[i] != 0 || STC_NEXT(world)[m->body[n]].omega[i] != 0)
        return false;
  return true;
}

void stc_world_rest_joined(stc_world *world) {
  for (int k = 0; k < world->mechanisms; k++) {
    stc_mechanism *m = &world->mechanism[k];
    double most = 0;
    if (!was_at_rest(world, m)) continue;
    for (int j = 0; j < m->links; j++)
      most = fmax(most, rest_of_joint(world, m, j, world->multiplier.data));
    if (!(stc_mechanism_speed(world, m, STC_NEXT(world)) <= ROUGH * DBL_EPSILON * most)) continue;
    for (int n = 0; n < m->bodies; n++) {
      stc_place *p = &STC_NEXT(world)[m->body[n]];
      memset(p->v, 0, sizeof p->v);
      memset(p->omega, 0, sizeof p->omega);
    }
  }
}
