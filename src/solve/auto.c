// The composite method: sweeps while they pay, Newton for the rest, the convex fixed point where
// Newton's path folds; the best iterate is handed on and never lost. Choices depend on iteration
// counts and residuals only, never on the clock, so that the same input gives the same bits.
#include "method.h"

#include <stdio.h>
#include <string.h>

enum member { NSGS, IPM, NEWTON, PATH, ADMM, FIXED_POINT, MEMBERS };

static const char *const names[MEMBERS] = {"nsgs", "ipm", "newton", "path", "admm", "fixed-point"};

// What runs, in this order, each from the best iterate so far, for at most so many iterations.
static const struct stage {
  enum member member;
  long limit;
} script[] = {
    {NSGS, 50},     {IPM, 60},     {NEWTON, 60},  {PATH, 600},        {NEWTON, 200},
    {NSGS, 1000},   {NEWTON, 200}, {ADMM, 400},   {FIXED_POINT, 200}, {NEWTON, 200},
    {PATH, 5000},   {NSGS, 10000}, {NEWTON, 400}, {FIXED_POINT, 800}, {NEWTON, 400},
    {NSGS, 200000}, {NEWTON, 400},
};

enum { STAGES = sizeof script / sizeof *script };

// Sweeps go on while each CHUNK of them gains this factor: they then end sooner than a Newton step.
enum { CHUNK = 50 };
static const double SWEEP_GAIN = 0.1;

typedef struct composite {
  stc_solver *member[MEMBERS];  // NULL: not available for this problem
  int stage;
  bool sweeping;  // the next stage goes on with sweeps
} composite;

static void auto_free(void **state) {
  composite *a = *state;
  for (int k = 0; k < MEMBERS; k++) stc_solver_free(&a->member[k]);
  stc_release(state);
}

// The methods that factorise are left out where the factors do not fit into memory.
static stc_error fill(stc_solver *s, composite *a) {
  STC_TRY(stc_solver_setup_member(s, names[NSGS], &a->member[NSGS]));
  for (int k = NSGS + 1; k < MEMBERS; k++) {
    stc_error error = stc_solver_setup_member(s, names[k], &a->member[k]);
    if (error && error != STC_ERR_MEMORY) return error;
    if (error)
      stc_solver_log(s, STC_LOG_WARNING, "auto: %s left out: %s", names[k], stc_error_detail());
  }
  return STC_OK;
}

static stc_error setup(stc_solver *s, void **state) {
  composite *a = *state = stc_calloc(1, sizeof *a);
  if (!a) return stc_fail(STC_ERR_MEMORY, "out of memory");
  stc_error error = fill(s, a);
  if (error) auto_free(state);
  return error;
}

static stc_error update(stc_solver *s, void *state) {
  composite *a = state;
  (void)s;
  for (int k = 0; k < MEMBERS; k++)
    if (a->member[k]) STC_TRY(a->member[k]->method->update(a->member[k], a->member[k]->state));
  return STC_OK;
}

static void start(stc_solver *s, void *state) {
  composite *a = state;
  a->stage = 0;
  a->sweeping = false;
  snprintf(s->trail, sizeof s->trail, "auto:");
}

// "auto: nsgs 50, newton 12": the same method twice in a row is one entry.
static void note(stc_solver *s, const char *name, long iterations) {
  size_t used = strlen(s->trail);
  const char *separator = s->trail[used - 1] == ':' ? "" : ",";
  snprintf(s->trail + used, sizeof s->trail - used, "%s %s %ld", separator, name, iterations);
}

// Runs one stage from the best iterate; the parent's driver judges what it leaves in r.
static void run(stc_solver *s, stc_solver *m, long limit) {
  size_t bytes = (size_t)s->problem->size * sizeof *s->r;
  long left = stc_solver_left(s);
  memcpy(m->r, s->best, bytes);
  stc_solver_drive(m, limit < left ? limit : left, s->deadline);
  memcpy(s->r, m->r, bytes);
  s->done = m->iterations;
  note(s, m->method->name, m->iterations);
  stc_solver_log(s, STC_LOG_INFO, "auto: %s %ld: %s, eta %.2e, fclib_error %.2e", m->method->name,
                 m->iterations, stc_status_name(m->status), m->best_residual.eta,
                 m->best_residual.fclib_error);
}

static stc_step iterate(stc_solver *s, void *state) {
  composite *a = state;
  while (a->stage < STAGES && !a->member[script[a->stage].member]) a->stage++;
  s->done = 0;
  if (a->stage >= STAGES) {
    snprintf(s->reason, sizeof s->reason, "every method of the portfolio stalled");
    return STC_STEP_STALLED;
  }
  const struct stage *stage = &script[a->stage];
  stc_solver *m = a->member[stage->member];
  double before = s->best_merit;
  run(s, m, a->sweeping ? CHUNK : stage->limit);
  double after = m->best_merit < before ? m->best_merit : before;
  a->sweeping = m->method == &stc_method_nsgs && after < SWEEP_GAIN * before;
  if (!a->sweeping) a->stage++;
  return STC_STEP_ON;
}

const stc_method stc_method_auto = {
    .name = "auto",
    .summary = "chooses and hands over between the others; the default",
    .setup = setup,
    .start = start,
    .iterate = iterate,
    .free = auto_free,
    .update = update,
};
