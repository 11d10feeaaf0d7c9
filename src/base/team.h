// A team of threads that share the pieces of one job; made at setup, asleep between jobs.
#ifndef STC_BASE_TEAM_H
#define STC_BASE_TEAM_H

#include <stiction/base.h>

typedef struct stc_team stc_team;

/// A team of `threads` >= 1, the caller among them.
stc_error stc_team_create(int threads, stc_team **team);
void stc_team_free(stc_team **team);

/// Runs task(argument, k) for k = 0 .. count-1, spread over the team, and returns when all are
/// done. The pieces must be independent; which thread takes which is not defined. NULL: the caller
/// alone.
void stc_team_run(stc_team *team, void (*task)(void *argument, int k), void *argument, int count);

#endif
