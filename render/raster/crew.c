// Threads that start together, and wait for each other.
#include "paint.h"

#include <unistd.h>

enum { MOST_MEMBERS = 16 };

typedef struct member {
  crew *c;
  int me;
  crew_work work;
  void *user;
  pthread_t thread;
} member;

// Nobody begins before it is known how many there are.
static void *run_member(void *argument) {
  const member *m = argument;
  pthread_mutex_lock(&m->c->lock);
  while (m->c->members == 0) pthread_cond_wait(&m->c->rotation, &m->c->lock);
  pthread_mutex_unlock(&m->c->lock);
  m->work(m->c, m->me, m->user);
  return NULL;
}

static int wanted_members(void) {
  long processors = sysconf(_SC_NPROCESSORS_ONLN);
  return processors < 1 ? 1 : processors > MOST_MEMBERS ? MOST_MEMBERS : (int)processors;
}

void crew_run(crew_work work, void *user) {
  crew c = {.lock = PTHREAD_MUTEX_INITIALIZER, .rotation = PTHREAD_COND_INITIALIZER};
  member list[MOST_MEMBERS];
  int count = 1, wanted = wanted_members();
  for (; count < wanted; count++) {
    list[count] = (member){.c = &c, .me = count, .work = work, .user = user};
    if (pthread_create(&list[count].thread, NULL, run_member, &list[count])) break;
  }
  pthread_mutex_lock(&c.lock);
  c.members = count;
  pthread_cond_broadcast(&c.rotation);
  pthread_mutex_unlock(&c.lock);
  work(&c, 0, user);
  for (int k = 1; k < count; k++) pthread_join(list[k].thread, NULL);
  pthread_cond_destroy(&c.rotation);
  pthread_mutex_destroy(&c.lock);
}

void crew_wait(crew *c) {
  pthread_mutex_lock(&c->lock);
  unsigned long round = c->round;
  if (++c->waiting == c->members) {
    c->waiting = 0;
    c->round++;
    pthread_cond_broadcast(&c->rotation);
  }
  while (round == c->round) pthread_cond_wait(&c->rotation, &c->lock);
  pthread_mutex_unlock(&c->lock);
}

void crew_rows(const crew *c, int me, int height, int rows[2]) {
  rows[0] = (int)((long)height * me / c->members);
  rows[1] = (int)((long)height * (me + 1) / c->members);
}
