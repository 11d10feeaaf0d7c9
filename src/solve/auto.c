// The composite method: sweeps while they are the cheaper way, then alternating directions where
// contacts are redundant, the interior-point method with a Newton crossover, and the continuation
// of the central path where it folds. The best iterate is handed on and never lost. Choices depend
// on iteration counts, residuals and operation counts only, never on the clock, so that the same
// input gives the same bits.
#include "method.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum member { NSGS, ADMM, IPM, NEWTON, PATH, FIXED_POINT, MEMBERS };

static const char *const names[MEMBERS] = {"nsgs", "admm", "ipm", "newton", "path", "fixed-point"};

// What runs when, each from the best iterate so far, for at most so many iterations.
typedef struct stage {
  enum member member;
  long limit;
} stage;

static const stage script[] = {
    {NSGS, 50},         {ADMM, 400},   {IPM, 60},     {NEWTON, 60},       {NSGS, 10000},
    {NEWTON, 60},       {PATH, 600},   {NEWTON, 100}, {ADMM, 400},        {NEWTON, 100},
    {FIXED_POINT, 200}, {NEWTON, 200}, {PATH, 5000},  {FIXED_POINT, 800}, {NEWTON, 400},
    {NSGS, 200000},     {NEWTON, 400},
};

enum { STAGES = sizeof script / sizeof *script, FIRST_ADMM = 1 };

// Estimated seconds: one sweep per contact and per block of W, one operation of a factorisation,
// what a factorisation costs per contact besides, and the iterations an interior-point solve takes.
static const double SWEEP_CONTACT = 7e-8, SWEEP_BLOCK = 1e-8, OPERATION = 2.5e-10, OVERHEAD = 2e-6,
                    IPM_ITERATIONS = 20;
typedef struct composite {
  stc_solver *member[MEMBERS];  // NULL: not available for this problem
  int stage;
  bool redundant;
  double sweep_seconds;  // estimates
  double blocks;
} composite;

// ---- creation ----

static void auto_free(void **state) {
  composite *a = *state;
  for (int k = 0; k < MEMBERS; k++) stc_solver_free(&a->member[k]);
  stc_release(state);
}

static void measure(composite *a, const stc_reduced *p) {
  a->blocks = (double)stc_reduced_blocks(p);
  a->sweep_seconds = SWEEP_CONTACT * p->contacts + SWEEP_BLOCK * a->blocks;
  a->redundant = stc_reduced_redundant(p);
}

// The methods that factorise are left out where the factors do not fit into memory.
static stc_error fill(stc_solver *s, composite *a) {
  measure(a, s->problem);
  for (int k = 0; k < MEMBERS; k++) {
    stc_error error = stc_solver_setup_member(s, names[k], &a->member[k]);
    if (error && (error != STC_ERR_MEMORY || k == NSGS)) return error;
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

// ---- choices ----

static void start(stc_solver *s, void *state) {
  composite *a = state;
  a->stage = 0;
  snprintf(s->trail, sizeof s->trail, "auto:");
  snprintf(s->reason, sizeof s->reason, "%s contacts, %.1f blocks of W per row",
           a->redundant ? "redundant" : "few redundant",
           a->blocks / (s->problem->contacts ? s->problem->contacts : 1));
}

// Whether sweeps that gained from `before` to `after` in a chunk end sooner than interior points.
static bool sweeps_pay(const stc_solver *s, const composite *a, double before, double after,
                       long chunk) {
  const stc_solver *ipm = a->member[IPM];
  if (!ipm) return after < before;
  if (!(after < before)) return false;
  double left = (double)chunk * log(s->settings.tol / after) / log(after / before);
  double factorisation =
      OPERATION * stc_jacobian_flops(s->jacobian) + OVERHEAD * s->problem->contacts;
  return left * a->sweep_seconds < IPM_ITERATIONS * 2 * factorisation;
}

// Stages that do not fit this problem are passed over.
static bool skipped(const composite *a, int k) {
  if (!a->member[script[k].member]) return true;
  return (k == FIRST_ADMM) != a->redundant && k <= FIRST_ADMM;
}

// "auto: nsgs 50, newton 12": the same method twice in a row is one entry.
static void note(stc_solver *s, const char *name, long iterations) {
  char entry[40], *last = strrchr(s->trail, ' ');
  snprintf(entry, sizeof entry, " %s ", name);
  size_t used = strlen(s->trail), width = strlen(entry);
  bool again = last && (size_t)(last + 1 - s->trail) >= width &&
               strncmp(last + 1 - width, entry, width) == 0;
  if (again) {
    long sum = iterations;
    sscanf(last, "%ld", &sum);
    snprintf(last + 1, sizeof s->trail - (size_t)(last + 1 - s->trail), "%ld", sum + iterations);
  } else {
    const char *comma = s->trail[used - 1] == ':' ? "" : ",";
    snprintf(s->trail + used, sizeof s->trail - used, "%s%s%ld", comma, entry, iterations);
  }
}

// Runs one member from the best iterate; the driver judges what it leaves in r.
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
  while (a->stage < STAGES && skipped(a, a->stage)) a->stage++;
  s->done = 0;
  if (a->stage >= STAGES) {
    snprintf(s->reason, sizeof s->reason, "every method of the portfolio stalled");
    return STC_STEP_STALLED;
  }
  const stage *now = &script[a->stage];
  stc_solver *m = a->member[now->member];
  double before = s->best_merit;
  bool sweeping = a->stage == 0;
  m->settings.admm.ladder = a->stage == FIRST_ADMM ? 0 : s->settings.admm.ladder;
  run(s, m, now->limit);
  double after = fmin(m->best_merit, before);
  bool on =
      sweeping && m->status != STC_STATUS_STALLED && sweeps_pay(s, a, before, after, now->limit);
  if (!on) a->stage++;
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
