// Gauss–Seidel over contacts   [Jean and Moreau 1992; local solver as in Daviet et al. 2011], with
// Anderson acceleration of symmetric sweeps. A combination of sweeps is projected back on the
// cones.
#include "../method.h"
#include "anderson.h"

#include <math.h>
#include <string.h>

// Sweeps between two judgements, which cost two to four sweeps each: the first, the next, and all
// others. An even number is made of accelerated pairs.
static const long BATCH[] = {1, 4, 8, 10};
enum { BATCHES = sizeof BATCH / sizeof *BATCH, RELOAD = 10 };
// Without a gain of one per cent in this many sweeps (or half of all so far) the method is stuck.
enum { PATIENCE = 4000 };
static const double GAIN = 0.99;
// Acceleration that gains less than this factor in TRIAL sweeps is put aside for REST plain ones,
// then for four times as many at each failure: on packings it spoils what plain sweeps slowly
// improve.
enum { TRIAL = 200, REST = 1000 };
static const double TRIAL_GAIN = 0.8;

typedef struct nsgs {
  stc_sweep *sweep;
  stc_anderson anderson;
  double *weight;  // [size] kappa D^2: the energy norm of z
  double *x;       // [size] point before the sweeps
  bool accelerated;
  bool weighed;     // the weights are those of this run
  long since_gain;  // sweeps since the best merit last fell by GAIN
  double gain_merit;
  long trial;  // sweeps left before acceleration is reconsidered
  long rest;   // plain sweeps after the next failure of acceleration
  bool to_and_fro;
  int stale;  // batches left before r is taken anew; 0: now
  double trial_merit;
  int batch;           // number of the next batch, the last of the list at most
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
  n->since_gain = 0;
  n->trial = TRIAL;
  n->rest = REST;
  n->to_and_fro = true;
  n->stale = 0;
  n->batch = s->far ? BATCHES - 1 : 0;
  n->gain_merit = n->trial_merit = n->batch_merit = s->merit;
}

// r = D x, on the cones.
static void land_piece(void *argument, int piece) {
  const piece_job *j = argument;
  const stc_reduced *p = j->s->problem;
  const double *D = j->n->sweep->D, *x = j->n->x;
  int first = stc_piece_first(&j->pieces, piece), end = stc_piece_first(&j->pieces, piece + 1);
  double *r = j->s->r;
  for (int k = p->dim * first; k < p->dim * end; k++) r[k] = D[k] * x[k];
  for (int c = first; c < end; c++) stc_law_project(&p->law[c], r + c * p->dim, r + c * p->dim);
}

// One symmetric sweep and a leap.
static void accelerated_step(stc_solver *s, nsgs *n) {
  if (!n->weighed) set_weights(s, n);
  stc_team_copy(s->problem->team, n->x, n->sweep->z, s->problem->size);
  stc_sweep_both(n->sweep);
  stc_anderson_step(&n->anderson, n->x, n->sweep->z);
  run_pieces(s, n, land_piece);
  stc_sweep_load(n->sweep, s->r);
}

// Weighs acceleration after each trial; plain sweeps resume from the best iterate.
static void reconsider(stc_solver *s, nsgs *n) {
  n->trial -= s->done;
  if (n->trial > 0 || s->settings.nsgs.anderson == 0) return;
  bool gained = s->best_merit < TRIAL_GAIN * n->trial_merit;
  if (n->accelerated && !gained) {
    memcpy(s->r, s->best, (size_t)s->problem->size * sizeof *s->r);
    n->accelerated = false;
    n->stale = 0;
    n->trial = n->rest;
    n->rest *= 4;
    n->to_and_fro = !n->to_and_fro;
  } else {
    n->accelerated = n->accelerated || !gained;
    n->trial = TRIAL;
  }
  stc_anderson_reset(&n->anderson);
  n->trial_merit = s->best_merit;
}

static bool stuck_nsgs(stc_solver *s, nsgs *n) {
  n->since_gain += s->done;
  if (s->best_merit < GAIN * n->gain_merit) {
    n->gain_merit = s->best_merit;
    n->since_gain = 0;
  }
  return n->since_gain > PATIENCE && n->since_gain > s->iterations / 2;
}

// The sweeps go on from where they are, but take r anew every RELOAD batches: matrix-free
// velocities gather rounding.
static void load_nsgs(stc_solver *s, nsgs *n) {
  stc_sweep_load(n->sweep, s->r);
  n->stale = RELOAD;
}

// Sweeps until the next judgement, no more than the last ones promise to need.
static long next_batch(const stc_solver *s, nsgs *n) {
  long batch = BATCH[n->batch], left = stc_solver_left(s);
  if (s->done > 0 && s->merit < n->batch_merit) {
    double gain = log(s->merit / n->batch_merit), goal = log(0.5 * s->settings.tol / s->merit);
    double needed = (double)s->done * goal / gain;
    if (needed < (double)batch) batch = (long)ceil(needed);
  }
  n->batch_merit = s->merit;
  if (n->batch < BATCHES - 1) n->batch++;
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
  if (n->stale-- <= 0) load_nsgs(s, n);
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

const stc_method stc_method_nsgs = {
    .name = "nsgs",
    .summary = "Gauss-Seidel over contacts with Anderson acceleration; easy and granular problems",
    .setup = setup_nsgs,
    .start = start_nsgs,
    .iterate = iterate_nsgs,
    .any_law = true,
};
