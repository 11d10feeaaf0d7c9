// Limits at the end of a step: a coordinate that a flight has taken beyond one, by what its rate
// changes on the way, is put back onto it by the least displacement in the norm of M, with the
// joints kept; then velocities that lead further are stopped.
#include "joint_acts.h"

#include <float.h>

enum { REFINEMENTS = 30 };  // [bound]

// Beyond a limit by less than this part of the reach is on it.
static const double ON = 64 * DBL_EPSILON;  // [rounding]

/// Coordinate k from the limit that is next to it: below 0 short of the lower one, above 0 past the
/// upper one, otherwise inside where *inside.
static double from_limit(const stc_world *world, const stc_link *link, int k,
                         const stc_place *places, bool *inside) {
  const stc_joint_coordinate *c = &link->action[k];
  double x = stc_joint_value(world, link, k, places);
  *inside = x >= c->least && x <= c->greatest;
  return fabs(x - c->least) < fabs(x - c->greatest) ? x - c->least : x - c->greatest;
}

static double coordinate_unit(const stc_world *world, const stc_link *link, int k) {
  bool angle = stc_joint_is_angle((int)link->kind, world->settings.plane, k);
  return angle ? 1 : link->reach;
}

/// Holds the coordinates that are beyond a limit, besides those that are held; whether some are.
static bool hold_crossed(const stc_world *world, stc_mechanism *m, const stc_place *places) {
  bool some = false;
  for (int j = 0; j < m->links; j++) {
    const stc_link *link = &STC_LINKS(world)[m->link[j]];
    for (int n = 0; n < link->acting; n++) {
      int k = link->acts_on[n];
      bool inside;
      double off = fabs(from_limit(world, link, k, places, &inside));
      if (inside || !(off > ON * coordinate_unit(world, link, k))) continue;
      stc_mechanism_hold(m, m->first[j] + link->rows + n, 0, 0);
      some = true;
    }
  }
  return some;
}

/// g of the joints and, where coordinates are held, how far they are from their limits; the
/// largest.
static double find_errors(const stc_world *world, stc_mechanism *m, const stc_place *places) {
  memset(m->off, 0, (size_t)m->rows * sizeof *m->off);
  for (int j = 0; j < m->links; j++) {
    const stc_link *link = &STC_LINKS(world)[m->link[j]];
    stc_joint_errors(world, link, places, m->off + m->first[j]);
    for (int n = 0; n < link->acting; n++) {
      int i = m->first[j] + link->rows + n;
      bool inside;
      if (m->held[i]) m->off[i] = from_limit(world, link, link->acts_on[n], places, &inside);
    }
  }
  double most = 0;
  for (int i = 0; i < m->rows; i++) most = fmax(most, fabs(m->off[i]));
  return most;
}

static stc_error put_back(stc_world *world, stc_mechanism *m, stc_place *places) {
  double unit = stc_mechanism_reach(world, m, places), best = INFINITY;
  for (int n = 0; n < REFINEMENTS; n++) {
    bool crossed = hold_crossed(world, m, places);
    double off = find_errors(world, m, places);
    if (!crossed && (off <= ON / 8 * unit || (n > 2 && !(off < best / 2)))) break;
    best = fmin(best, off);
    STC_TRY(stc_mechanism_close(world, m, places));
  }
  return STC_OK;
}

/// Lets go of coordinates that lead back inside; whether some are held still.
static bool hold_leading(stc_world *world, stc_mechanism *m, const stc_place *places) {
  bool some = false;
  for (int j = 0; j < m->links; j++) {
    const stc_link *link = &STC_LINKS(world)[m->link[j]];
    for (int n = 0; n < link->acting; n++) {
      const stc_joint_coordinate *c = &link->action[link->acts_on[n]];
      int i = m->first[j] + link->rows + n, k = link->acts_on[n];
      if (!m->held[i]) continue;
      double x = stc_joint_value(world, link, k, places);
      double rate = stc_joint_rate(world, link, &m->end[i], places, false);
      bool lower = fabs(x - c->least) < fabs(x - c->greatest);
      m->held[i] = lower ? rate < 0 : rate > 0;
      m->compliance[i] = m->held[i] ? 0 : 1;
      some = some || m->held[i];
    }
  }
  return some;
}

static stc_error stop_leading(stc_world *world, stc_mechanism *m, stc_place *places) {
  bool met;
  stc_mechanism_rows(world, m, places, places, m->end);
  hold_leading(world, m, places);
  stc_mechanism_rows(world, m, places, places, m->end);
  STC_TRY(stc_mechanism_factorise(world, m, m->end, places));
  return stc_mechanism_project(world, m, 0, places, world->multiplier.data, &met);
}

static bool has_limits(const stc_world *world, const stc_mechanism *m) {
  for (int j = 0; j < m->links; j++)
    if (STC_LINKS(world)[m->link[j]].acting > 0) return true;
  return false;
}

stc_error stc_limits_correct(stc_world *world) {
  for (int k = 0; k < world->mechanisms; k++) {
    stc_mechanism *m = &world->mechanism[k];
    if (!has_limits(world, m)) continue;
    stc_mechanism_release(world, m);
    if (!hold_crossed(world, m, STC_NEXT(world))) continue;
    m->clean = false;
    STC_TRY(put_back(world, m, STC_NEXT(world)));
    STC_TRY(stop_leading(world, m, STC_NEXT(world)));
    stc_mechanism_release(world, m);
  }
  return STC_OK;
}
