// Quick flights of mechanisms whose joints make a tree: the joints push where the flight begins and
// where it ends, and not on its way,
//   v' = v0 + M^-1 G0^T alpha,   q1 = q0 + k v',        g(q1) = 0,
//   v1 = v' - M^-1 G1^T beta,                           G1 v1 + b1 = 0   [RATTLE: Andersen 1983].
// They keep joints, momentum and angular momentum, and are their own inverse. The energy that the
// first push brings and the last one takes is the error on the way, |alpha|^2 / 2 in the norm of
// G M^-1 G^T: about an eighth of the square of the angle that bodies rotate by, times their
// energy. Flights in which it exceeds `flight_tol` of it are cut, or left to exact ones
// (mechanism_flight.c).
#include "flight_lanes.h"
#include "grip.h"
#include "point_joints.h"
#include "tree_factor.h"

#include <float.h>

// Newton's method with the matrix of the first iteration: few are needed where the flight is quick.
enum { ITERATIONS = 12, PROJECTIONS = 4 };  // [bound]

// Residuals of places and rates that are met, and what rounding may leave where rows nearly repeat
// each other.
static const double MET = 4, ROUGH = 100;  // [rounding]

// Pushes of this many times the energy that is allowed, at a first guess, have too much of it.
static const double FAR = 4;  // [bound]

// --- Where it begins, and where it ends ---

/// Both sides of joint j at an end of the flight.
static void find_sides(const stc_flight *f, int j, int end) {
  const stc_mechanism *m = f->m;
  const stc_link *link = &STC_LINKS(f->world)[m->link[j]];
  for (int k = 0; k < 2; k++) {
    const stc_mover *mover = &m->mover[m->mover_of[2 * j + k]];
    stc_joint_side *side = &m->side[end][2 * j + k];
    if (end == 1) {
      stc_joint_side_at(link, k, mover->x, mover->R[1], side);
    } else {
      static const double nowhere[3] = {0, 0, 0};
      const double *x = link->body[k] < 0 ? nowhere : f->from[link->body[k]].x;
      stc_joint_side_at(link, k, x, mover->R[0], side);
    }
  }
}

/// Rows of a joint that only says that points meet: what changes in them.
static void find_point_rows(const stc_joint_side side[2], stc_joint_row *row) {
  for (int k = 0; k < 3; k++) {
    int i = (k + 1) % 3, j = (k + 2) % 3;
    row[k].moment[0][i] = side[0].lever[j], row[k].moment[0][j] = -side[0].lever[i];
    row[k].moment[1][i] = -side[1].lever[j], row[k].moment[1][j] = side[1].lever[i];
  }
}

/// Rows of all equations at an end; those along coordinates are empty.
static void find_rows(const stc_flight *f, int end, stc_joint_row *row) {
  const stc_mechanism *m = f->m;
  for (int j = 0; j < m->links; j++) {
    const stc_joint_side *side = &m->side[end][2 * j];
    if (m->tree->points) {
      find_point_rows(side, row + m->first[j]);
      continue;
    }
    stc_joint_rows_of(f->world, &STC_LINKS(f->world)[m->link[j]], 0, side, side, row + m->first[j]);
    for (int i = m->first[j] + m->equations[j]; i < m->first[j + 1]; i++)
      row[i] = (stc_joint_row){0};
  }
}

/// No multipliers; obstacles are where they will be.
static void begin_quick(stc_flight *f) {
  stc_mechanism *m = f->m;
  size_t bytes = (size_t)m->rows * sizeof(double);
  memset(m->alpha, 0, bytes);
  memset(m->lambda, 0, bytes);  // beta
  memset(m->off, 0, 2 * bytes);
  stc_four_begin(f);
  for (int n = m->bodies; n < m->bodies + m->obstacles; n++) {
    stc_mover *mover = &m->mover[n];
    const stc_place *place = &f->to[m->body[n]];
    stc_rotation_matrix(f->from[m->body[n]].rotation, mover->R[0]);
    stc_rotation_matrix(place->rotation, mover->R[1]);
    for (int e = 0; e < 2; e++)
      for (int i = 0; i < 9; i++) mover->column[e][4 * (i % 3) + i / 3] = mover->R[e][i];
    memcpy(mover->x, place->x, sizeof place->x);
    memcpy(mover->v, place->v, sizeof place->v);
    stc_joint_driven_rate(f->world, place->omega, mover->rate);
  }
  if (m->tree->points) {
    stc_points_arrive(f, 0, NULL);
    return;
  }
  for (int j = 0; j < m->links; j++) find_sides(f, j, 0);
  find_rows(f, 0, m->begin);
}

// --- Places ---

/// The wrenches that the multipliers x make at an end: pushes, or stops.
static void pull_all(const stc_mechanism *m, int end, const double *x) {
  if (m->tree->points) {
    stc_points_pull(m, end, x);
    return;
  }
  for (int n = 0; n < m->bodies; n++)
    *(end == 0 ? &m->mover[n].push : &m->mover[n].stop) = (stc_wrench){{0}, {0}};
  for (int j = 0; j < m->links; j++) {
    stc_mover *a = &m->mover[m->mover_of[2 * j]], *b = &m->mover[m->mover_of[2 * j + 1]];
    stc_grip grip = stc_grip_of(m, j, m->side[end], end == 0 ? m->begin : m->end);
    stc_grip_pull(&grip, x + m->first[j], end == 0 ? &a->push : &a->stop,
                  end == 0 ? &b->push : &b->stop);
  }
}

/// Both sides of all joints at the end, and m->off; returns its largest entry.
static double find_gaps(const stc_flight *f) {
  const stc_mechanism *m = f->m;
  double most = 0, sum = 0;
  if (m->tree->points) return stc_points_arrive(f, 1, m->off);
  for (int j = 0; j < m->links; j++) {
    double *g = m->off + m->first[j];
    find_sides(f, j, 1);
    stc_joint_errors_of(f->world, &STC_LINKS(f->world)[m->link[j]], &m->side[1][2 * j], g);
    for (int i = 0; i < m->equations[j]; i++) most = fmax(most, fabs(g[i])), sum += fabs(g[i]);
  }
  return isfinite(sum) ? most : INFINITY;
}

/// Where the pushes lead, and how far joints are off there, in units of rounding.
static double evaluate_places(const stc_flight *f, bool first) {
  stc_mechanism *m = f->m;
  pull_all(m, 0, m->alpha);
  double late = stc_four_fly(f, first) * f->reach / f->speed, gap = find_gaps(f) / f->reach;
  for (int i = 0; i < m->rows; i++) m->off[i] /= f->k;
  return isfinite(late) ? fmax(late, gap) / STC_FLIGHT_ROUNDING : INFINITY;
}

/// The derivative of the places with respect to the pushes; false where a pivot is bad.
static bool factorise_places(const stc_flight *f) {
  stc_mechanism *m = f->m;
  stc_joint_tree_rows rows = {m->end, m->begin, m->side[1], m->side[0]};
  if (!m->tree->points) find_rows(f, 1, m->end);
  stc_four_answer(f, false);
  return stc_joint_tree_factorise(m, &rows, m->tree->flight);
}

/// Whether pushes at both ends, of twice these energies, are small against the mean of the kinetic
/// energies there. It says the same of the flight back: otherwise energy drifts.
static bool are_small(const stc_flight *f, double push, double stop) {
  double mean = f->kinetic + (push - stop) / 4;
  return fmax(push, stop) <= 2 * f->world->settings.flight_tol * mean;
}

static bool find_places(const stc_flight *f) {
  stc_mechanism *m = f->m;
  double before = INFINITY;
  for (int n = 0; n < ITERATIONS; n++) {
    double off = evaluate_places(f, n == 0);
    if (off <= MET) return true;
    if (n > 1 && !(off < before / 2)) return off <= ROUGH;
    if (!isfinite(off) || (n == 0 && !factorise_places(f))) return false;
    stc_joint_tree_solve(m, m->tree->flight, m->off, m->step);
    double push = stc_vector_dot(m->step, m->off, m->rows) / FAR;
    if (n == 0 && !are_small(f, push, push)) return false;
    for (int i = 0; i < m->rows; i++) m->alpha[i] -= m->step[i];
    before = off;
  }
  return false;
}

// --- Rates ---

/// What the velocities at the end are off by, in units of rounding.
static double evaluate_rates(const stc_flight *f) {
  const stc_mechanism *m = f->m;
  double most = 0, sum = 0, *rate = m->off + m->rows;
  if (m->tree->points) return stc_points_rates(m, rate) / f->speed / STC_FLIGHT_ROUNDING;
  for (int j = 0; j < m->links; j++) {
    const stc_mover *a = &m->mover[m->mover_of[2 * j]], *b = &m->mover[m->mover_of[2 * j + 1]];
    double *u = rate + m->first[j];
    stc_grip end = stc_grip_of(m, j, m->side[1], m->end);
    stc_grip_rates(&end, a->v, a->rate, b->v, b->rate, u);
    for (int i = 0; i < end.rows; i++) most = fmax(most, fabs(u[i])), sum += fabs(u[i]);
  }
  return isfinite(sum) ? most / f->speed / STC_FLIGHT_ROUNDING : INFINITY;
}

/// Takes from the velocities what the joints do not allow. False where it is not found.
static bool find_velocities(const stc_flight *f, double *off) {
  stc_mechanism *m = f->m;
  double before = INFINITY, *rate = m->off + m->rows, push, stop;
  for (int n = 0; n < PROJECTIONS; n++) {
    *off = evaluate_rates(f);
    if (*off <= MET / 4) return true;
    if (n > 1 && !(*off < before / 2)) break;
    stc_joint_tree_solve(m, m->tree->middle, rate, m->step);
    pull_all(m, 1, m->step);
    stc_four_stop(f, &push, &stop);
    if (n == 0 && !are_small(f, push, stop)) return false;
    for (int i = 0; i < m->rows; i++) m->lambda[i] += m->step[i];
    before = *off;
  }
  return *off <= ROUGH;
}

// --- The whole ---

/// What the joints did, where the bodies are, and that rows and factor are those there.
static void finish_quick(const stc_flight *f) {
  stc_mechanism *m = f->m;
  for (int j = 0; j < m->links; j++) {
    stc_grip begin = stc_grip_of(m, j, m->side[0], m->begin),
             end = stc_grip_of(m, j, m->side[1], m->end);
    stc_grip_react(&begin, 1, m->alpha + m->first[j], m->flown + 6 * j);
    stc_grip_react(&end, -1, m->lambda + m->first[j], m->flown + 6 * j);
  }
  stc_four_arrive(f);
  for (int n = 0; n < m->bodies + m->obstacles; n++) m->known_at[n] = f->to[m->body[n]];
  m->straight = m->known = true;
}

static bool fly_quickly(stc_flight *f) {
  stc_mechanism *m = f->m;
  double off;
  begin_quick(f);
  if (!find_places(f)) return false;
  find_rows(f, 1, m->end);
  stc_joint_tree_rows rows = {m->end, m->end, m->side[1], m->side[1]};
  stc_four_answer(f, true);
  if (!stc_joint_tree_factorise(m, &rows, m->tree->middle)) return false;
  if (!find_velocities(f, &off)) return false;
  finish_quick(f);
  m->clean = stc_flight_is_clean(f, off);
  return true;
}

/// Without gravity the step keeps the energy to rounding, and so do flights.
bool stc_flight_may_be_quick(const stc_flight *f) {
  const stc_world_settings *settings = &f->world->settings;
  return f->m->tree && settings->flight_tol > 0 && stc_norm3(settings->gravity) > 0;
}

bool stc_flight_is_quick(stc_flight *f) {
  stc_mechanism *m = f->m;
  f->reach = stc_mechanism_reach(f->world, m, f->from);
  f->speed = stc_mechanism_speed(f->world, m, f->from) + f->reach / f->k;
  f->kinetic = stc_mechanism_kinetic(f->world, m, f->from);
  return fly_quickly(f);
}
