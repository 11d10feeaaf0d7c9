// The stages of a step in their order.
#include "stepper.h"

#include "../base/clock.h"
#include "../base/fail.h"

stc_error stc_step_run(const stc_stepper *stepper, stc_time_step *step) {
  stc_stage *const stage[] = {stepper->predict,         stepper->find_contacts, stepper->solve,
                              stepper->integrate,       stepper->book_motion,   stepper->project,
                              stepper->book_correction, stepper->commit};
  stc_fail_forget();
  step->began = stc_clock();
  step->taken = true;
  for (size_t k = 0; k < sizeof stage / sizeof *stage && step->taken; k++) STC_TRY(stage[k](step));
  return STC_OK;
}
