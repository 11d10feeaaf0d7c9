// Threads that wait for a job, take its pieces one by one from a common counter, and wait again.
#include "team.h"

#include "fail.h"
#include "memory.h"

#include <pthread.h>
#include <stdatomic.h>

struct stc_team {
  int helpers;  ///< threads besides the caller
  pthread_t *thread;
  pthread_mutex_t lock;
  pthread_cond_t work, idle;
  long job;  ///< number of the current job; a change wakes the helpers
  int busy;  ///< helpers still in it
  bool over;
  void (*task)(void *, int);
  void *argument;
  int count;
  atomic_int next;  ///< first piece not taken
};

static void take_pieces(stc_team *team) {
  for (int k; (k = atomic_fetch_add(&team->next, 1)) < team->count;) team->task(team->argument, k);
}

static void *help(void *argument) {
  stc_team *team = argument;
  long seen = 0;
  pthread_mutex_lock(&team->lock);
  for (;;) {
    while (team->job == seen && !team->over) pthread_cond_wait(&team->work, &team->lock);
    if (team->over) break;
    seen = team->job;
    pthread_mutex_unlock(&team->lock);
    take_pieces(team);
    pthread_mutex_lock(&team->lock);
    if (--team->busy == 0) pthread_cond_signal(&team->idle);
  }
  pthread_mutex_unlock(&team->lock);
  return NULL;
}

stc_error stc_team_create(int threads, stc_team **team) {
  stc_team *t = *team = stc_calloc(1, sizeof *t);
  if (t) t->thread = stc_calloc((size_t)threads, sizeof *t->thread);
  if (!t || !t->thread) {
    stc_release(team);
    return stc_fail(STC_ERR_MEMORY, "out of memory for %d threads", threads);
  }
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
  pthread_cond_broadcast(&t->work);
  pthread_mutex_unlock(&t->lock);
  for (int k = 0; k < t->helpers; k++) pthread_join(t->thread[k], NULL);
  pthread_cond_destroy(&t->idle);
  pthread_cond_destroy(&t->work);
  pthread_mutex_destroy(&t->lock);
  stc_release(&t->thread);
  stc_release(team);
}

void stc_team_run(stc_team *team, void (*task)(void *, int), void *argument, int count) {
  if (!team || team->helpers == 0 || count < 2) {
    for (int k = 0; k < count; k++) task(argument, k);
    return;
  }
  pthread_mutex_lock(&team->lock);
  team->task = task;
  team->argument = argument;
  team->count = count;
  atomic_store(&team->next, 0);
  team->busy = team->helpers;
  team->job++;
  pthread_cond_broadcast(&team->work);
  pthread_mutex_unlock(&team->lock);
  take_pieces(team);
  pthread_mutex_lock(&team->lock);
  while (team->busy > 0) pthread_cond_wait(&team->idle, &team->lock);
  pthread_mutex_unlock(&team->lock);
}
