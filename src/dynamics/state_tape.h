// The state of a motion as an array of numbers from which the same bits follow.
#ifndef STC_DYNAMICS_STATE_TAPE_H
#define STC_DYNAMICS_STATE_TAPE_H

#include "../base/tape.h"
#include "ledger.h"

enum { STC_LEDGER_NUMBERS = 9 };  // [format]
enum { STC_ACCOUNT_NUMBERS = STC_LEDGER_NUMBERS + 2 * STC_ENTRIES };
void stc_tape_account(stc_tape *tape, stc_account *account);

/// What a state must agree with: its size, and the first numbers, which tell it from the states of
/// other motions.
typedef struct stc_tape_head {
  const char *owner;  ///< "system", "world"
  size_t size;        ///< numbers of a state
  int count;          ///< numbers that are compared
  const double *value;
  const char *const *name;  ///< [count]
} stc_tape_head;

/// The state has the size and the head, finite numbers, and `steps` [at its place] is a count.
stc_error stc_tape_check(const stc_tape_head *head, const double *state, size_t count,
                         size_t steps);

/// A number of the state that is out of its range.
stc_error stc_tape_damaged(const char *what, double value);

#endif
