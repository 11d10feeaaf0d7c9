// Threads that paint a picture together, each its own rows: the same pixels for any number.
#ifndef STC_RENDER_CREW_H
#define STC_RENDER_CREW_H

#include <pthread.h>

typedef struct crew {
  int members;
  pthread_mutex_t lock;
  pthread_cond_t rotation;
  int waiting;
  unsigned long round;
} crew;

typedef void (*crew_work)(crew *c, int me, void *user);

/// Runs work for me = 0 .. members - 1 at once, on as many threads as there are processors and can
/// be had, at least this one. Comes back when all are done.
void crew_run(crew_work work, void *user);

/// Waits until all members are here.
void crew_wait(crew *c);

/// The rows of a picture that are a member's own: rows[0] to before rows[1].
void crew_rows(const crew *c, int me, int height, int rows[2]);

#endif
