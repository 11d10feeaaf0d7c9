// A state as an array of numbers from which the same bits follow: one list of its parts counts,
// saves and restores them.
#ifndef STC_BASE_TAPE_H
#define STC_BASE_TAPE_H

#include <stiction/base.h>

typedef struct stc_tape {
  double *to;          ///< where numbers go next; NULL: nowhere
  const double *from;  ///< where they come from; NULL: nowhere
  size_t count;        ///< that have passed
} stc_tape;

void stc_tape_pass(stc_tape *tape, double *x, size_t n);
void stc_tape_int(stc_tape *tape, int *x);
void stc_tape_bool(stc_tape *tape, bool *x);

/// STATE_size and STATE_save of an `owner` whose list of parts is pass(tape, owner): a copy of it
/// passes, whose arrays are only read.
#define STC_TAPE_STATE(type, state, pass)                                                          \
  size_t state##_state_size(const type *owner) {                                                   \
    type view = *owner;                                                                            \
    stc_tape tape = {0};                                                                           \
    pass(&tape, &view);                                                                            \
    return tape.count;                                                                             \
  }                                                                                                \
  void state##_save(const type *owner, double *numbers) {                                          \
    type view = *owner;                                                                            \
    pass(&(stc_tape){.to = numbers}, &view);                                                       \
  }

/// Refuses a state of `count` numbers for an `owner` whose has `size`, with the code `wrong`, and
/// numbers that are NaN or infinite.
stc_error stc_tape_fits(stc_error wrong, const char *owner, size_t size, const double *state,
                        size_t count);

#endif
