// Saving and restoring: one list of fields serves both directions.
#include "state_tape.h"

#include "../base/fail.h"

#include <math.h>
#include <string.h>

// Steps a double counts without a gap.
static const double MOST_STEPS = 9e15;  // [maths]

void stc_tape_account(stc_tape *tape, stc_account *account) {
  double number[STC_ACCOUNT_NUMBERS];
  _Static_assert(sizeof number == sizeof *account, "an account consists of numbers");
  memcpy(number, account, sizeof number);
  stc_tape_pass(tape, number, STC_ACCOUNT_NUMBERS);
  memcpy(account, number, sizeof number);
}

stc_error stc_tape_damaged(const char *what, double value) {
  return stc_fail(STC_ERR_VALUE, "the state is damaged: %s %g", what, value);
}

stc_error stc_tape_check(const stc_tape_head *head, const double *state, size_t count,
                         size_t steps) {
  if (count != head->size)
    return stc_fail(STC_ERR_DIMENSION,
                    "the state has %zu numbers, that of this %s %zu; restore what it saved", count,
                    head->owner, head->size);
  for (int k = 0; k < head->count; k++)
    if (state[k] != head->value[k])
      return stc_fail(STC_ERR_VALUE, "the state has %s = %g, this %s %g; restore what it saved",
                      head->name[k], state[k], head->owner, head->value[k]);
  for (size_t k = 0; k < count; k++)
    if (!isfinite(state[k]))
      return stc_fail(STC_ERR_VALUE, "number %zu of the state is %g; it is damaged", k, state[k]);
  if (state[steps] >= 0 && state[steps] <= MOST_STEPS) return STC_OK;
  return stc_tape_damaged("the number of its steps is", state[steps]);
}
