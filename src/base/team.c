// Threads that wait for a job, take its pieces one by one from a common counter, and wait again.
// Jobs may follow each other within microseconds: who waits looks for the next one for a short
// while before it sleeps, and a helper that wakes when the pieces are gone is not waited for.
#include "team.h"

#include "clock.h"
#include "fail.h"
#include "memory.h"
#include "stop.h"

#include <pthread.h>
#include <stdatomic.h>
#include <string.h>
#include <unistd.h>

// Seconds of looking before sleep: enough for jobs that follow at once, about what waking up takes,
// and little where others want the processor. Looks between two glances at the clock.
static const double LOOK = 5e-5;
enum { LOOKS = 64 };

struct stc_team {
  int helpers;  ///< threads besides the caller
  bool looks;   ///< there is a processor for each
  pthread_t *thread;
  pthread_mutex_t lock;
  pthread_cond_t work, idle;
  atomic_long job;    ///< number of the current job; a change wakes the helpers
  atomic_int inside;  ///< helpers in it
  bool open;          ///< helpers may still join
  bool waits;         ///< the caller sleeps until no thread is inside
  int asleep;         ///< helpers that wait for work
  bool over;
  void (*task)(void *, int);
  void *argument;
  int count;
  stc_stop *stop;   ///< scope of the caller
  atomic_int next;  ///< first piece not taken
};

// --- Looking ---

static void pause_briefly(void) {
#if defined(__x86_64__)
  __builtin_ia32_pause();
#endif
}

static bool look_again(const stc_team *team, int *looks, double *until) {
  if (!team->looks) return false;
  pause_briefly();
  if (++*looks % LOOKS) return true;
  double now = stc_clock();
  if (*until == 0) *until = now + LOOK;
  return now < *until;
}

static void look_for_job(stc_team *team, long seen) {
  int looks = 0;
  double until = 0;
  while (atomic_load(&team->job) == seen && look_again(team, &looks, &until)) continue;
}

// --- Helpers ---

static void take_pieces(stc_team *team) {
  for (int k; (k = atomic_fetch_add(&team->next, 1)) < team->count;) team->task(team->argument, k);
}

/// Waits for another job than the one seen and joins it unless it is closed; false: there is none
/// any more.
static bool await_job(stc_team *team, long *seen, bool *joined) {
  look_for_job(team, *seen);
  pthread_mutex_lock(&team->lock);
  team->asleep++;
  while (atomic_load(&team->job) == *seen && !team->over)
    pthread_cond_wait(&team->work, &team->lock);
  team->asleep--;
  *seen = atomic_load(&team->job);
  *joined = team->open;
  if (*joined) atomic_fetch_add(&team->inside, 1);
  bool over = team->over;
  pthread_mutex_unlock(&team->lock);
  return !over;
}

static void leave_job(stc_team *team) {
  if (atomic_fetch_sub(&team->inside, 1) > 1) return;
  pthread_mutex_lock(&team->lock);
  if (team->waits) pthread_cond_signal(&team->idle);
  pthread_mutex_unlock(&team->lock);
}

static void *help(void *argument) {
  stc_team *team = argument;
  long seen = 0;
  for (bool joined; await_job(team, &seen, &joined);) {
    if (!joined) continue;
    stc_stop_follow(team->stop);
    take_pieces(team);
    stc_stop_follow(NULL);
    leave_job(team);
  }
  return NULL;
}

// --- The team ---

stc_error stc_team_create(int threads, stc_team **team) {
  stc_team *t = *team = stc_calloc(1, sizeof *t);
  if (t) t->thread = stc_calloc((size_t)threads, sizeof *t->thread);
  if (!t || !t->thread) {
    stc_release(team);
    return stc_fail(STC_ERR_MEMORY, "out of memory for %d threads", threads);
  }
  t->looks = threads <= sysconf(_SC_NPROCESSORS_ONLN);
  pthread_mutex_init(&t->lock, NULL);
  pthread_cond_init(&t->work, NULL);
  pthread_cond_init(&t->idle, NULL);
  while (t->helpers < threads - 1 && pthread_create(&t->thread[t->helpers], NULL, help, t) == 0)
    t->helpers++;
  return STC_OK;  // fewer helpers than asked for do the same work
}

void stc_team_free(stc_team **team) {
  if (!team || !*team) return;
  stc_team *t = *team;
  pthread_mutex_lock(&t->lock);
  t->over = true;
  atomic_fetch_add(&t->job, 1);
  pthread_cond_broadcast(&t->work);
  pthread_mutex_unlock(&t->lock);
  for (int k = 0; k < t->helpers; k++) pthread_join(t->thread[k], NULL);
  pthread_cond_destroy(&t->idle);
  pthread_cond_destroy(&t->work);
  pthread_mutex_destroy(&t->lock);
  stc_release(&t->thread);
  stc_release(team);
}

static void open_job(stc_team *team, void (*task)(void *, int), void *argument, int count) {
  pthread_mutex_lock(&team->lock);
  team->task = task;
  team->argument = argument;
  team->count = count;
  team->stop = stc_stop_current();
  atomic_store(&team->next, 0);
  team->open = true;
  atomic_fetch_add(&team->job, 1);
  if (team->asleep > 0) pthread_cond_broadcast(&team->work);
  pthread_mutex_unlock(&team->lock);
}

static void close_job(stc_team *team) {
  pthread_mutex_lock(&team->lock);
  team->open = false;
  pthread_mutex_unlock(&team->lock);
  int looks = 0;
  double until = 0;
  while (atomic_load(&team->inside) > 0 && look_again(team, &looks, &until)) continue;
  if (atomic_load(&team->inside) == 0) return;
  pthread_mutex_lock(&team->lock);
  team->waits = true;
  while (atomic_load(&team->inside) > 0) pthread_cond_wait(&team->idle, &team->lock);
  team->waits = false;
  pthread_mutex_unlock(&team->lock);
}

void stc_team_run(stc_team *team, void (*task)(void *, int), void *argument, int count) {
  if (!team || team->helpers == 0 || count < 2) {
    for (int k = 0; k < count; k++) task(argument, k);
    return;
  }
  open_job(team, task, argument, count);
  take_pieces(team);
  close_job(team);
}

// --- Pieces ---

typedef struct copy_job {
  stc_pieces pieces;
  double *to;
  const double *from;
} copy_job;

static void copy_piece(void *argument, int k) {
  const copy_job *j = argument;
  int first = stc_piece_first(&j->pieces, k), end = stc_piece_first(&j->pieces, k + 1);
  memcpy(j->to + first, j->from + first, (size_t)(end - first) * sizeof *j->to);
}

void stc_team_copy(stc_team *team, double *to, const double *from, int count) {
  copy_job job = {stc_pieces_of(count, STC_PIECE_NUMBERS), to, from};
  stc_team_run(team, copy_piece, &job, job.pieces.count);
}
