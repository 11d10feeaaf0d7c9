// Environments of GLPK, and the way out of it.
#include "glpk.h"

#include "exact_number.h"

#include "../../base/memory.h"
#include "../../base/number.h"
#include "../../base/stop.h"

#include <math.h>
#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <string.h>

// --- The way out ---

// Whether GLPK complained of memory since the last task began.
static _Thread_local bool about_memory;

/// Prints nothing.
static int listen(void *user, const char *text) {
  (void)user;
  if (strstr(text, "memory")) about_memory = true;
  return 1;
}

static void jump_out(void *user) { longjmp(*(jmp_buf *)user, 1); }

bool stc_glpk_try(void (*task)(void *), void *argument) {
  jmp_buf out;
  if (setjmp(out) != 0) {
    glp_error_hook(NULL, NULL);
    stc_fault_set(about_memory ? STC_FAULT_MEMORY : STC_FAULT_VALUE);
    return false;
  }
  about_memory = false;
  glp_term_hook(listen, NULL);
  glp_error_hook(jump_out, &out);
  task(argument);
  glp_error_hook(NULL, NULL);
  return true;
}

// --- The simplex method ---

// Entries of the program times steps of a round, about a twentieth of a second, and steps at least.
static const double ROUND = 4e7, LEAST_STEPS = 20;

int stc_glpk_simplex(glp_prob *lp, glp_smcp *options, int most) {
  double entries = (double)glp_get_num_rows(lp) * glp_get_num_cols(lp);
  int failure = GLP_EITLIM, round = (int)fmax(LEAST_STEPS, fmin(ROUND / (entries + 1), most));
  for (int steps = 0; failure == GLP_EITLIM && steps < most; steps += round) {
    if (stc_stop_look()) return GLP_ETMLIM;
    options->it_lim = round < most - steps ? round : most - steps;
    failure = glp_simplex(lp, options);
  }
  return failure;
}

// --- Environments ---

enum { FRESH = 0, TAKEN = 1 };  // what glp_init_env answers, besides failures

typedef struct call {
  stc_error (*work)(void *);
  void *argument;
  stc_stop *stop;  // scope of the caller
  stc_error error;
  char detail[1024];
} call;

static stc_error no_memory(void) {
  return stc_fail(STC_ERR_MEMORY, "out of memory for linear programs");
}

static void *run_aside(void *argument) {
  call *c = argument;
  stc_stop_follow(c->stop);
  c->error = glp_init_env() == FRESH ? c->work(c->argument) : no_memory();
  glp_free_env();
  stc_snprintf(c->detail, sizeof c->detail, "%s", stc_error_detail());
  return NULL;
}

/// On a thread of its own, which takes no signals.
static stc_error aside(stc_error (*work)(void *), void *argument) {
  call c = {.work = work, .argument = argument, .stop = stc_stop_current()};
  pthread_t thread;
  sigset_t all, before;
  sigfillset(&all);
  pthread_sigmask(SIG_SETMASK, &all, &before);
  int failed = pthread_create(&thread, NULL, run_aside, &c);
  pthread_sigmask(SIG_SETMASK, &before, NULL);
  if (failed)
    return stc_fail(STC_ERR_MEMORY, "out of memory for a thread beside the host's use of GLPK");
  pthread_join(thread, NULL);
  return c.error ? stc_fail(c.error, "%s", c.detail) : STC_OK;
}

stc_error stc_glpk_own(stc_error (*work)(void *), void *argument) {
  int answer = glp_init_env();
  if (answer == TAKEN) return aside(work, argument);
  if (answer != FRESH) return no_memory();
  stc_error error = work(argument);
  glp_free_env();
  return error;
}
