// What a joint holds its two bodies by: the levers of the points that meet, whose forces and
// moments are read off the multipliers, and the rows behind them.
#ifndef STC_DYNAMICS_GRIP_H
#define STC_DYNAMICS_GRIP_H

#include "../../base/variants.h"
#include "flight.h"

typedef struct stc_grip {
  const double *lever[2];
  const stc_joint_row *row;  ///< those behind the first `meets` are used
  int meets, rows;
} stc_grip;

STC_ALWAYS stc_grip stc_grip_of(const stc_mechanism *m, int j, const stc_joint_side *side,
                                const stc_joint_row *row) {
  return (stc_grip){
      {side[2 * j].lever, side[2 * j + 1].lever}, row + m->first[j], m->meets[j], m->equations[j]};
}

/// The same of a joint that only says that points meet in space.
STC_ALWAYS stc_grip stc_grip_of_point(int j, const stc_joint_side *side) {
  return (stc_grip){{side[2 * j].lever, side[2 * j + 1].lever}, NULL, 3, 3};
}

/// Adds what the multipliers x do to both bodies.
STC_ALWAYS void stc_grip_pull(const stc_grip *g, const double *x, stc_wrench *a, stc_wrench *b) {
  double force[3] = {0, 0, 0}, moment[3];
  for (int k = 0; k < g->meets; k++) force[k] = x[k];
  if (g->meets > 0) {
    stc_cross3(g->lever[0], force, moment);
    stc_add3(a->moment, 1, moment);
    stc_cross3(g->lever[1], force, moment);
    stc_add3(b->moment, -1, moment);
  }
  for (int k = g->meets; k < g->rows; k++) {
    stc_add3(force, x[k], g->row[k].force);
    stc_add3(a->moment, x[k], g->row[k].moment[0]);
    stc_add3(b->moment, x[k], g->row[k].moment[1]);
  }
  stc_add3(a->force, 1, force);
  stc_add3(b->force, -1, force);
}

/// The rates of the rows where the bodies have these velocities.
STC_ALWAYS void stc_grip_rates(const stc_grip *g, const double va[3], const double wa[3],
                               const double vb[3], const double wb[3], double *rate) {
  double apart[3], turn[3];
  stc_sub3(va, vb, apart);
  for (int k = g->meets; k < g->rows; k++)
    rate[k] = stc_dot3(g->row[k].force, apart) + stc_dot3(g->row[k].moment[0], wa) +
              stc_dot3(g->row[k].moment[1], wb);
  if (g->meets == 0) return;
  stc_cross3(wa, g->lever[0], turn);
  stc_add3(apart, 1, turn);
  stc_cross3(wb, g->lever[1], turn);
  stc_add3(apart, -1, turn);
  for (int k = 0; k < g->meets; k++) rate[k] = apart[k];
}

/// Adds factor x to what a joint does: an impulse through the anchor, or a moment.
STC_ALWAYS void stc_grip_react(const stc_grip *g, double factor, const double *x,
                               double *reaction) {
  for (int k = 0; k < g->meets; k++) reaction[k] += factor * x[k];
  for (int k = g->meets; k < g->rows; k++) {
    bool pulls = stc_dot3(g->row[k].force, g->row[k].force) > 0;
    stc_add3(reaction, factor * x[k], g->row[k].force);
    if (!pulls) stc_add3(reaction + 3, factor * x[k], g->row[k].moment[0]);
  }
}

/// How far the points of a joint are apart.
STC_ALWAYS void stc_grip_gap(const stc_joint_side side[2], double g[3]) {
  for (int i = 0; i < 3; i++)
    g[i] = side[0].x[i] - side[1].x[i] + side[0].lever[i] - side[1].lever[i];
}

#endif
