// Moreau's scheme extrapolated to vanishing steps.
#ifndef STC_SCENE_EXTRAPOLATE_H
#define STC_SCENE_EXTRAPOLATE_H

#include "../scene_data.h"

/// Sequences of 1, 2, ... steps over the same interval: the order where the motion is smooth.
enum { STC_SEQUENCES = 6 };

/// The numbers that are extrapolated, in one array: q, u, the sums of the ledger, impulses and
/// relative velocities of the walls.
typedef struct stc_extrapolation {
  const stc_scene *scene;
  stc_system system;
  stc_arena arena;
  int size;         ///< numbers in a state
  double t, h;      ///< now, and the length to try next
  double *y;        ///< [size] now
  bool *touched;    ///< [walls] in the last step
  double *T;        ///< [STC_SEQUENCES][size] the last row of the extrapolation table
  double *trial;    ///< [size]
  double *largest;  ///< [size] largest magnitude of each number so far, and of what it was summed
                    ///< from
  double *terms;    ///< [size] what the numbers of the step in the making were summed from
  long futile;      ///< shortest steps since
  double futile_since;  ///< this time
  long steps;
  stc_ledger ledger;
  stc_simulation *failed;  ///< whose step was not accepted
} stc_extrapolation;

stc_error stc_extrapolation_open(stc_extrapolation *e, const stc_scene *scene, stc_system system);
void stc_extrapolation_close(stc_extrapolation *e);

/// One step, as long as the tolerance of the scene allows, not over t_end.
stc_error stc_extrapolation_step(stc_extrapolation *e, double t_end, stc_step_report *report);

/// Impulse and relative velocity of wall j, [dim].
const double *stc_extrapolation_impulse(const stc_extrapolation *e, int wall);
const double *stc_extrapolation_relative(const stc_extrapolation *e, int wall);

size_t stc_extrapolation_state_size(const stc_extrapolation *e);
void stc_extrapolation_save(const stc_extrapolation *e, double *state);
void stc_extrapolation_restore(stc_extrapolation *e, const double *state);

#endif
