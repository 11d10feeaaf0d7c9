// When to stop: the deadline of a call and the word of its caller, for anything the call does.
// A call with a limit opens a scope on its thread; every loop below, in whatever layer, counts its
// work, and a scope that has ended stops them all. Scopes nest: the end of the outer one is that of
// the inner one too. Without a scope nothing is ever stopped.
#ifndef STC_BASE_STOP_H
#define STC_BASE_STOP_H

#include "fail.h"

#include <stdatomic.h>

/// Why a scope ended.
typedef enum stc_stop_reason {
  STC_STOP_NOT,    ///< it did not
  STC_STOP_TIME,   ///< its deadline passed
  STC_STOP_CALLER  ///< the caller said so
} stc_stop_reason;

typedef struct stc_stop {
  double deadline;            ///< on stc_clock; INFINITY: none
  bool (*go_on)(void *user);  ///< false: stop; NULL: the caller is not asked
  void *user;
  double grain;        ///< work between two looks at the clock, in operations of about 1 ns
  double every;        ///< seconds between two questions to the caller
  double next;         ///< when the caller is asked again
  const void *thread;  ///< who opened it; only this thread asks the caller
  struct stc_stop *outer;
  atomic_int reason;  ///< an stc_stop_reason, kept once it is found
} stc_stop;

/// Begins a scope on this thread. `stop` must live until it is closed, by the same thread.
void stc_stop_open(stc_stop *stop, double deadline, bool (*go_on)(void *user), void *user);

/// Ends the innermost scope of this thread, and says why it ended before that.
stc_stop_reason stc_stop_close(stc_stop *stop);

/// Counts `work` operations; true if the innermost scope has ended. Cheap: it looks at the clock
/// once in a `grain` of work.
bool stc_stop_due(double work);

/// The same as an error with a sentence: STC_ERR_CALLBACK.
stc_error stc_stop_try(double work);

/// Looks at once.
stc_stop_reason stc_stop_look(void);

/// The innermost scope, for a thread that works on behalf of this one; NULL: none.
stc_stop *stc_stop_current(void);

/// This thread works within a scope of another one, and looks at its clock; NULL: no longer.
void stc_stop_follow(stc_stop *stop);

#endif
