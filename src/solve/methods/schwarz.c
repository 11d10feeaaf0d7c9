// Sweeps over all contacts and clusters of the worst ones alternately   [Schwarz 1870]. What sweeps
// leave sits in clusters that have nothing to do with each other: each is solved by itself, with
// the reactions around it held, by what it needs (a few sweeps, or factorisations of its own size).
// That leaves residuals at the borders, which a few sweeps over everything take away. Clusters have
// no body in common: threads share them, and their number does not change a bit.
#include "../../base/fail.h"
#include "../../base/team.h"
#include "../method.h"
#include "../subproblem/clusters.h"
#include "../subproblem/cut.h"

#include <math.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

// Sweeps before the first clusters, and after each cycle of them.
enum { FIRST_SWEEPS = 30, FEWEST_SWEEPS = 20, MOST_SWEEPS = 1280 };
// Seeds hold this share of the residual, or what is above ENOUGH of the tolerance, but are no more
// than this part of the contacts (or FEW), else the clusters run together; a cluster of more than
// MOST contacts is no longer cheap to factorise.
static const double SHARE = 0.9, ENOUGH = 0.6, PART = 0.01;
enum { FEW = 20, FEWEST_RINGS = 3, MOST_RINGS = 8, MOST = 350, LEAST = 100 };
// A cluster has at most this part of the contacts at first: in a small packing it must not be all.
static const double FIRST_PART = 0.125;
// A cluster is solved until its merit has fallen to this part, or to the tolerance of clusters in
// that of the whole, for at most so many iterations.
static const double GAIN = 0.1, CLUSTER_TOL = 0.3;
enum { FEWEST_ITERATIONS = 300, MOST_ITERATIONS = 10000 };
// After a cycle that gained less than this factor clusters have one more ring, half as many
// contacts more at most and three times the iterations; after the most rings come the fewest again,
// with twice as many sweeps: clusters of one size may lead each other round in circles.
static const double SLOW = 0.8;
// Without a gain of this factor in so many cycles the method is stuck.
static const double LEAST_GAIN = 0.5;
enum { PATIENCE = 36 };
// Cycles by which the pace is measured, from the second on: this part of those that may follow.
enum { PACE_PART = 7, LEAST_PACE = 3, MOST_PACE = 14 };

/// What one thread needs.
typedef struct room {
  int *place;
  double *r;        ///< of a cluster
  long iterations;  ///< of this cycle, times contacts
} room;

/// A cluster, for the order in which they are solved.
typedef struct cluster_size {
  int contacts, cluster;
} cluster_size;

typedef struct schwarz {
  stc_solver *whole, *sweeps;
  stc_clusters clusters;
  stc_settings settings;    ///< of a cluster
  stc_magnitude magnitude;  ///< of the whole
  int slots;
  room *slot;
  stc_team *team;
  cluster_size *order;           ///< [count of clusters] the largest first
  atomic_int next;               ///< first that nobody has taken
  bool begun;                    ///< the first sweeps are done
  int rings, most;               ///< of a cluster
  long next_sweeps, iterations;  ///< the latter of a cluster at most
  int cycles, idle;              ///< the latter since the best merit last fell by LEAST_GAIN
  double cycle_merit, gain_merit;
  double best[MOST_PACE + 1];  ///< merits before the last cycles, by the rest of their number
} schwarz;

// --- Setup ---

static void free_sweeps(void **state) {
  schwarz *z = *state;
  stc_solver_free(&z->sweeps);
}

static stc_error take_schwarz(stc_solver *s, schwarz *z) {
  const stc_reduced *p = s->problem;
  int most = p->contacts < MOST ? p->contacts : MOST;
  z->whole = s;
  z->settings = s->settings;
  z->settings.tol *= CLUSTER_TOL;
  z->settings.progress = NULL;
  z->slots = s->settings.threads;
  z->slot = STC_TAKE(s->arena, room, z->slots);
  z->order = STC_TAKE_RAW(s->arena, cluster_size, p->contacts);
  STC_TRY(stc_arena_check(s->arena));
  for (int k = 0; k < z->slots; k++) {
    z->slot[k].r = STC_TAKE(s->arena, double, (size_t)most *(size_t)p->dim);
    STC_TRY(stc_cut_places(s->arena, p, &z->slot[k].place));
  }
  return stc_arena_check(s->arena);
}

static stc_error setup_schwarz(stc_solver *s, void **state) {
  if (!s->settings.regions)
    return stc_fail(STC_ERR_ARGUMENT, "method 'schwarz' cuts parts while it solves, which "
                                      "allocates: set regions = 1");
  schwarz *z = *state = STC_TAKE(s->arena, schwarz, 1);
  STC_TRY(stc_arena_check(s->arena));
  STC_TRY(take_schwarz(s, z));
  STC_TRY(stc_clusters_create(s->arena, s->problem, &z->clusters));
  STC_TRY(stc_solver_setup_member(s, &stc_method_nsgs, &z->sweeps));
  return z->slots > 1 ? stc_solver_share_team(s, &z->team) : STC_OK;
}

static void start_schwarz(stc_solver *s, void *state) {
  schwarz *z = state;
  z->magnitude = stc_reduced_magnitude(s->problem);
  z->begun = false;
  z->clusters.count = 0;
  z->next_sweeps = FEWEST_SWEEPS;
  z->iterations = FEWEST_ITERATIONS;
  z->cycles = z->idle = 0;
  z->cycle_merit = z->gain_merit = INFINITY;
}

// --- Clusters ---

/// A cluster that finds no memory stays as it is.
static void solve_cluster(schwarz *z, int k, room *slot) {
  stc_solver *s = z->whole, *solver = NULL;
  stc_reduced *part = NULL;
  const int *contact = z->clusters.contact + z->clusters.ptr[k];
  int contacts = z->clusters.ptr[k + 1] - z->clusters.ptr[k], d = s->problem->dim;
  if (stc_cut_held(s, contact, contacts, slot->place, z->magnitude, slot->r, &part)) return;
  if (stc_solver_setup_apart(part, "auto", &z->settings, &solver)) return;
  memcpy(solver->r, slot->r, (size_t)part->size * sizeof *slot->r);
  solver->gain = GAIN;
  stc_solver_drive(solver, z->iterations);
  stc_cut_write(contact, contacts, d, solver->r, s->r);
  slot->iterations += solver->iterations * contacts;
  stc_solver_free(&solver);
}

/// Whoever has room takes the largest that is left.
static void run_slot(void *state, int number) {
  schwarz *z = state;
  for (int k; (k = atomic_fetch_add(&z->next, 1)) < z->clusters.count && !stc_stop_due(0);)
    solve_cluster(z, z->order[k].cluster, &z->slot[number]);
}

static int larger(const void *a, const void *b) {
  const cluster_size *x = a, *y = b;
  if (x->contacts != y->contacts) return x->contacts > y->contacts ? -1 : 1;
  return x->cluster < y->cluster ? -1 : 1;
}

static void order_clusters(schwarz *z) {
  const int *ptr = z->clusters.ptr;
  for (int k = 0; k < z->clusters.count; k++) z->order[k] = (cluster_size){ptr[k + 1] - ptr[k], k};
  qsort(z->order, (size_t)z->clusters.count, sizeof *z->order, larger);
  atomic_store(&z->next, 0);
}

static long count_iterations(const stc_solver *s, schwarz *z) {
  long sum = 0, left = stc_solver_left(s);
  for (int k = 0; k < z->slots; k++) {
    sum += z->slot[k].iterations;
    z->slot[k].iterations = 0;
  }
  sum = 1 + sum / s->problem->contacts;
  return sum < left ? sum : left;
}

static void run_clusters(stc_solver *s, schwarz *z) {
  double enough = 1 - pow(ENOUGH * s->settings.tol / s->merit, 2);
  int seeds = (int)(PART * s->problem->contacts);
  stc_clusters_find(&z->clusters, s->problem, s->r, s->u,
                    &(stc_cluster_size){.share = fmin(enough, SHARE),
                                        .seeds = seeds > FEW ? seeds : FEW,
                                        .rings = z->rings,
                                        .most = z->most});
  order_clusters(z);
  stc_team_run(z->team, run_slot, z, z->slots);
  s->done = count_iterations(s, z);
  stc_solver_log(s, STC_LOG_INFO, "schwarz: from %.2e, %d clusters, %d contacts, as %ld sweeps",
                 s->merit, z->clusters.count, z->clusters.ptr[z->clusters.count], s->done);
}

// --- A cycle ---

static void run_sweeps(stc_solver *s, schwarz *z, long most) {
  long left = stc_solver_left(s) - s->done;
  memcpy(z->sweeps->r, s->r, (size_t)s->problem->size * sizeof *s->r);
  stc_solver_drive(z->sweeps, most < left ? most : left);
  stc_solver_adopt(z->sweeps, s);
  s->done += z->sweeps->iterations;
}

/// One cluster that was everything shall not be tried again.
static bool was_all(const stc_solver *s, const schwarz *z) {
  return z->clusters.count == 1 && z->clusters.ptr[1] == s->problem->contacts;
}

static int pace_of(int ahead) {
  int pace = ahead / PACE_PART;
  return pace < LEAST_PACE ? LEAST_PACE : pace > MOST_PACE ? MOST_PACE : pace;
}

/// Whether too many cycles would follow at the pace of the last ones.
static bool crawls(const stc_solver *s, schwarz *z) {
  const int ahead = s->settings.schwarz.ahead, pace = pace_of(ahead), now = z->cycles++;
  z->best[now % (MOST_PACE + 1)] = s->best_merit;
  if (now <= pace || ahead == 0) return false;
  double before = z->best[(now - pace) % (MOST_PACE + 1)],
         gain = log(s->best_merit / before) / pace;
  return !(ahead * gain < log(s->settings.tol / s->best_merit));
}

static bool idles(const stc_solver *s, schwarz *z) {
  if (s->best_merit > LEAST_GAIN * z->gain_merit) return z->idle++ >= PATIENCE;
  z->gain_merit = s->best_merit;
  z->idle = 0;
  return false;
}

static bool stuck_schwarz(const stc_solver *s, schwarz *z) {
  bool crawling = crawls(s, z), idle = idles(s, z);
  return crawling || idle || (was_all(s, z) && s->merit > SLOW * z->cycle_merit);
}

static void choose_smallest(const stc_solver *s, schwarz *z) {
  int part = (int)(FIRST_PART * s->problem->contacts);
  z->rings = FEWEST_RINGS;
  z->most = part > MOST ? MOST : part < LEAST ? LEAST : part;
}

static void choose_size(const stc_solver *s, schwarz *z) {
  bool slow = s->merit > SLOW * z->cycle_merit;
  z->cycle_merit = s->merit;
  if (!slow) {
    choose_smallest(s, z);
    z->iterations = FEWEST_ITERATIONS;
    z->next_sweeps = FEWEST_SWEEPS;
    return;
  }
  if (z->iterations < MOST_ITERATIONS) z->iterations *= 3;
  if (z->rings++ < MOST_RINGS) {
    z->most += z->most / 2;
    if (z->most > MOST) z->most = MOST;
    return;
  }
  choose_smallest(s, z);
  if (z->next_sweeps < MOST_SWEEPS) z->next_sweeps *= 2;
}

static stc_step iterate_schwarz(stc_solver *s, void *state) {
  schwarz *z = state;
  s->done = 0;
  if (!z->begun) {
    z->begun = true;
    z->sweeps->far = false;
    run_sweeps(s, z, FIRST_SWEEPS);
    z->sweeps->far = true;
    return STC_STEP_ON;
  }
  if (s->best_merit <= s->settings.tol || stuck_schwarz(s, z)) return STC_STEP_STALLED;
  choose_size(s, z);
  run_clusters(s, z);
  run_sweeps(s, z, z->next_sweeps);
  return STC_STEP_ON;
}

const stc_method stc_method_schwarz = {
    .name = "schwarz",
    .summary =
        "sweeps and clusters of the worst contacts alternately; packings that flow or settle",
    .setup = setup_schwarz,
    .start = start_schwarz,
    .iterate = iterate_schwarz,
    .free = free_sweeps,
    .any_law = true,
};
