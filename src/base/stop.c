// Scopes of this thread, a chain from the innermost outwards.
#include "stop.h"

#include "clock.h"

#include <math.h>

// About a millisecond of work between two looks at the clock; a question every few of them, as the
// caller may take longer to answer than a clock.
static const double GRAIN = 1e6, EVERY = 0.02;

static _Thread_local stc_stop *current;  // innermost
static _Thread_local double done;        // work since the last look

static const void *this_thread(void) { return &current; }

void stc_stop_open(stc_stop *stop, double deadline, bool (*go_on)(void *user), void *user) {
  *stop = (stc_stop){.deadline = deadline,
                     .go_on = go_on,
                     .user = user,
                     .grain = current ? current->grain : GRAIN,
                     .every = current ? current->every : EVERY,
                     .thread = this_thread(),
                     .outer = current};
  stop->next = go_on ? stc_clock() + stop->every : INFINITY;
  current = stop;
}

stc_stop_reason stc_stop_close(stc_stop *stop) {
  current = stop->outer;
  return (stc_stop_reason)atomic_load(&stop->reason);
}

static bool refuses(stc_stop *stop, double now) {
  if (!stop->go_on || stop->thread != this_thread() || now < stop->next) return false;
  bool stops = !stop->go_on(stop->user);
  stop->next = stc_clock() + stop->every;
  return stops;
}

// What ends this scope or one around it.
static stc_stop_reason find_reason(stc_stop *stop, double now) {
  for (; stop; stop = stop->outer) {
    int reason = atomic_load(&stop->reason);
    if (!reason && refuses(stop, now)) reason = STC_STOP_CALLER;
    if (!reason && now >= stop->deadline) reason = STC_STOP_TIME;
    if (!reason) continue;
    atomic_store(&stop->reason, reason);
    return (stc_stop_reason)reason;
  }
  return STC_STOP_NOT;
}

stc_stop_reason stc_stop_look(void) {
  done = 0;
  if (!current) return STC_STOP_NOT;
  stc_stop_reason reason = find_reason(current, stc_clock());
  if (reason) atomic_store(&current->reason, (int)reason);
  return reason;
}

bool stc_stop_due(double work) {
  if (!current) return false;
  done += work;
  if (done >= current->grain) return stc_stop_look() != STC_STOP_NOT;
  return atomic_load_explicit(&current->reason, memory_order_relaxed) != STC_STOP_NOT;
}

stc_error stc_stop_try(double work) {
  if (!stc_stop_due(work)) return STC_OK;
  bool late = atomic_load(&current->reason) == STC_STOP_TIME;
  return stc_fail(STC_ERR_CALLBACK,
                  late ? "the time limit was reached" : "the progress callback stopped the run");
}

stc_stop *stc_stop_current(void) { return current; }

void stc_stop_follow(stc_stop *stop) { current = stop; }
