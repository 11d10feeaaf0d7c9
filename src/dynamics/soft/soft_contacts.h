// Contacts that yield: a spring of `compliance` and a damper at each contact point, implicit. With
// the gap x0 = gap - h/2 u- at the beginning of the step, x1 = gap + h/2 u+ at its end,
// x2 = gap + h u+ at the middle of the next one, y' = min(y, 0) and k = 1 / compliance,
//   p = max(0, -h k ((1 - s) (x0' + x1) / 2 + s x2) - d ((1 - t) (x1 - x0') + t (x2 - gap'))).
// With s = 0 a contact that stays closed keeps its energy to rounding whatever k h^2, and one that
// closes or opens never gains any; with s = 1 it is the law of a rigid contact where k is infinite.
// s goes from the one to the other where the step does not resolve the oscillation; t, as for
// joints, makes the decay of a single body exact. In the problem of the step this is
//   u+ + w + yield p >= 0, p >= 0, one of them 0,
// the velocity yield p being that of a slack body of mass 1 / yield (joints/act_rows.c).
#ifndef STC_DYNAMICS_SOFT_CONTACTS_H
#define STC_DYNAMICS_SOFT_CONTACTS_H

#include "../bodies/world_data.h"

/// w and yield of the contacts of the step in the making, whose velocity before is known.
stc_error stc_soft_begin(stc_world *world);

/// What contacts store after the step, and how much more than before it: [contacts]. What their
/// places changed between the steps is booked.
double *stc_soft_book(stc_world *world);

/// What contacts at `next` store where nothing moved yet.
void stc_soft_open(stc_world *world);

/// What the slack bodies add to g.W g of impulses g.
double stc_soft_square(const stc_world *world, const double *g);

/// The impulses r of all contacts, without the normal ones of those that yield.
double *stc_soft_leave_out(const stc_world *world, const double *r);

static inline bool stc_contact_yields(const stc_contact_pair *m) { return m->soft.compliance > 0; }

#endif
