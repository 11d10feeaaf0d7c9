// Gauss–Seidel over contacts   [Jean and Moreau 1992; local solver as in Daviet et al. 2011], with
// Anderson acceleration of symmetric sweeps. A combination of sweeps is projected back on the
// cones, which are round in the variables of the sweeps.
#include "../method.h"
#include "anderson.h"

#include <math.h>
#include <string.h>

typedef struct nsgs {
  stc_sweep *sweep;
  stc_anderson anderson;
  double *weight;  // [size] kappa D^2: the energy norm of z
  double *x;       // [size] point before the sweeps
  bool accelerated;
  bool weighed;  // the weights are those of this run
  stc_watch watch;
  long trial;  // sweeps left before acceleration is reconsidered
  long rest;   // plain sweeps after the next failure of acceleration
  bool to_and_fro;
  bool stale;  // r is copied again
  double trial_merit;
  long batch;          // sweeps until the next judgement, at most
  double batch_merit;  // before the last batch
} nsgs;

// What threads share: the contacts in pieces.
typedef struct piece_job {
  stc_solver *s;
  nsgs *n;
  stc_pieces pieces;
} piece_job;

static void run_pieces(stc_solver *s, nsgs *n, void (*task)(void *, int)) {
  piece_job job = {s, n, stc_pieces_of(s->problem->contacts, STC_PIECE_CONTACTS)};
  stc_team_run(s->problem->team, task, &job, job.pieces.count);
}

static void weigh_piece(void *argument, int piece) {
  const piece_job *j = argument;
  const stc_reduced *p = j->s->problem;
  const double *D = j->n->sweep->D;
  int end = p->dim * stc_piece_first(&j->pieces, piece + 1);
  for (int k = p->dim * stc_piece_first(&j->pieces, piece); k < end; k++)
    j->n->weight[k] = p->kappa[k / p->dim] * D[k] * D[k];
}

static void set_weights(stc_solver *s, nsgs *n) {
  run_pieces(s, n, weigh_piece);
  n->weighed = true;
}

static stc_error setup_nsgs(stc_solver *s, void **state) {
  int size = s->problem->size;
  nsgs *n = *state = STC_TAKE(s->arena, nsgs, 1);
  STC_TRY(stc_arena_check(s->arena));
  STC_TRY(stc_solver_share_sweep(s, &n->sweep));
  n->weight = STC_TAKE_RAW(s->arena, double, size);
  n->x = STC_TAKE_RAW(s->arena, double, size);
  STC_TRY(stc_anderson_create(s->arena, size, s->settings.nsgs.anderson, n->weight, &n->anderson));
  n->anderson.team = s->problem->team;
  return STC_OK;
}

static void start_nsgs(stc_solver *s, void *state) {
  nsgs *n = state;
  stc_sweep_reset(n->sweep);
  n->weighed = false;
  stc_anderson_reset(&n->anderson);
  n->accelerated = s->settings.nsgs.anderson > 0;
  n->watch = (stc_watch){.least = s->merit};
  n->trial = s->settings.nsgs.trial;
  n->rest = 4 * n->trial;
  n->to_and_fro = n->stale = true;
  n->batch = s->far ? s->settings.rule.judge : 1;
  if (isinf(s->merit)) n->batch *= 4;  // all of a short budget
  n->trial_merit = n->batch_merit = s->merit;
}

// One symmetric sweep and a leap.
static void accelerated_step(stc_solver *s, nsgs *n) {
  if (!n->weighed) set_weights(s, n);
  stc_team_copy(s->problem->team, n->x, n->sweep->z, s->problem->size);
  stc_sweep_both(n->sweep);
  stc_anderson_step(&n->anderson, n->x, n->sweep->z);
  stc_sweep_land(n->sweep, n->x);
}

// Acceleration that does not gain in a trial is put aside for four times as many plain sweeps,
// which resume from the best iterate, then for four times as many at each failure: on packings it
// spoils what plain sweeps slowly improve. Matrix-free velocities gather rounding: r is taken anew.
static void reconsider(stc_solver *s, nsgs *n) {
  n->trial -= s->done;
  if (n->trial > 0) return;
  bool gained = s->best_merit < s->settings.rule.gain * n->trial_merit;
  n->stale = true;
  n->trial = s->settings.nsgs.trial;
  if (s->settings.nsgs.anderson == 0) return;
  if (n->accelerated && !gained) {
    memcpy(s->r, s->best, (size_t)s->problem->size * sizeof *s->r);
    n->accelerated = false;
    n->trial = n->rest;
    n->rest *= 4;
    n->to_and_fro = !n->to_and_fro;
  } else {
    n->accelerated = n->accelerated || !gained;
  }
  stc_anderson_reset(&n->anderson);
  n->trial_merit = s->best_merit;
}

static bool stuck_nsgs(stc_solver *s, nsgs *n) {
  long idle = stc_watch_look(&n->watch, s, s->best_merit, s->done);
  return idle > s->settings.rule.sweeps && idle > s->iterations / 2;
}

// The sweeps continue from the current r.
static void load_nsgs(stc_solver *s, nsgs *n) {
  stc_sweep_load(n->sweep, s->r);
  n->stale = false;
}

// Sweeps until the next judgement, which costs two to four of them: one, then four times as many
// each time, no more than the last ones promise to need. An even number is made of accelerated
// pairs.
static long next_batch(const stc_solver *s, nsgs *n) {
  long batch = n->batch, left = stc_solver_left(s);
  if (s->done > 0 && s->merit < n->batch_merit && isfinite(n->batch_merit)) {
    double gain = log(s->merit / n->batch_merit), goal = log(0.5 * s->settings.tol / s->merit);
    double needed = (double)s->done * goal / gain;
    if (needed < (double)batch) batch = (long)ceil(needed);
  }
  n->batch_merit = s->merit;
  n->batch = 4 * n->batch < s->settings.rule.judge ? 4 * n->batch : s->settings.rule.judge;
  return batch < left ? batch : left;
}

static stc_step iterate_nsgs(stc_solver *s, void *state) {
  nsgs *n = state;
  if (stuck_nsgs(s, n)) {
    s->done = 0;
    return STC_STEP_STALLED;
  }
  reconsider(s, n);
  long batch = next_batch(s, n);
  if (n->stale) load_nsgs(s, n);
  for (s->done = 0; s->done < batch && !stc_solver_due(s); s->done++) {
    if (n->accelerated && s->done + 2 <= batch) {
      accelerated_step(s, n);
      s->done++;
    } else if (n->to_and_fro && s->done % 2)
      stc_sweep_backward(n->sweep);
    else
      stc_sweep_forward(n->sweep);
  }
  stc_sweep_store(n->sweep, s->r);
  return STC_STEP_ON;
}

STC_METHOD_IS(
    nsgs, .name = "nsgs",
    .summary = "Gauss-Seidel over contacts with Anderson acceleration; easy and granular problems",
    .setup = setup_nsgs, .start = start_nsgs, .iterate = iterate_nsgs, .any_law = true);
