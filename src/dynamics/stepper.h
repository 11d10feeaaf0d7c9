// One step of motion, the same for coordinates with walls and for rigid bodies.
#ifndef STC_DYNAMICS_STEPPER_H
#define STC_DYNAMICS_STEPPER_H

#include <stiction/base.h>

/// A step in the making.
typedef struct stc_time_step {
  void *motion;  ///< stc_simulation or stc_world
  void *report;  ///< of its kind
  double began;  ///< by stc_clock
  bool taken;    ///< a stage that finds that the step cannot be taken clears it
} stc_time_step;

typedef stc_error stc_stage(stc_time_step *step);

/// The stages in their order; only `commit` changes the state of the motion.
typedef struct stc_stepper {
  stc_stage *predict;          ///< free motion to the middle of the step
  stc_stage *find_contacts;    ///< there, with frames, laws and relative velocities
  stc_stage *solve;            ///< the one-step problem: impulses, velocities at the end
  stc_stage *integrate;        ///< free motion to the end
  stc_stage *book_motion;      ///< energy of the motion
  stc_stage *project;          ///< positions out of overlaps
  stc_stage *book_correction;  ///< energy of that, balance
  stc_stage *commit;
} stc_stepper;

/// Runs the stages until one fails or does not take the step; the caller's error text is emptied
/// first, for a callback that stops the run may leave its own sentence.
stc_error stc_step_run(const stc_stepper *stepper, stc_time_step *step);

#endif
