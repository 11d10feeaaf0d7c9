// States as arrays of numbers: see tape.h.
#include "tape.h"

#include "fail.h"

#include <math.h>
#include <string.h>

void stc_tape_pass(stc_tape *tape, double *x, size_t n) {
  if (n == 0) return;
  if (tape->from) memcpy(x, tape->from, n * sizeof *x), tape->from += n;
  if (tape->to) memcpy(tape->to, x, n * sizeof *x), tape->to += n;
  tape->count += n;
}

void stc_tape_int(stc_tape *tape, int *x) {
  double value = *x;
  stc_tape_pass(tape, &value, 1);
  *x = (int)value;
}

void stc_tape_bool(stc_tape *tape, bool *x) {
  int value = *x;
  stc_tape_int(tape, &value);
  *x = value != 0;
}

stc_error stc_tape_fits(stc_error wrong, const char *owner, size_t size, const double *state,
                        size_t count) {
  if (count != size)
    return stc_fail(wrong, "a state of %zu numbers for a %s that has %zu", count, owner, size);
  for (size_t k = 0; k < count; k++)
    if (!isfinite(state[k]))
      return stc_fail(STC_ERR_VALUE, "number %zu of the state is %g", k, state[k]);
  return STC_OK;
}
