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
  atomic_int next;               ///< the first that no thread has taken
  bool begun;                    ///< the first sweeps are done
  int rings, most;               ///< of a cluster
  long next_sweeps, iterations;  ///< the latter of a cluster at most
  int cycles;
  double cycle_merit;
  stc_watch watch;  ///< over cycles
  double *best;     ///< [rule.steps] merits before the last cycles, by the rest of their number
} schwarz;

// --- Setup ---

static void free_sweeps(void **state) {
  schwarz *z = *state;
  stc_solver_free(&z->sweeps);
}

static stc_error take_schwarz(stc_solver *s, schwarz *z) {
  const stc_reduced *p = s->problem;
  int most = p->contacts < s->settings.part.most ? p->contacts : s->settings.part.most;
  z->whole = s;
  z->settings = s->settings;
  z->settings.tol *= s->settings.part.tol;
  z->slots = s->settings.threads;
  z->slot = STC_TAKE(s->arena, room, z->slots);
  z->order = STC_TAKE_RAW(s->arena, cluster_size, p->contacts);
  z->best = STC_TAKE_RAW(s->arena, double, s->settings.rule.steps);
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
  z->next_sweeps = s->settings.schwarz.sweeps;
  z->iterations = s->settings.part.iterations;
  z->cycles = 0;
  z->cycle_merit = INFINITY;
  z->watch = (stc_watch){.least = INFINITY};
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
  solver->gain = s->settings.part.gain;
  stc_solver_drive(solver, z->iterations);
  stc_cut_write(contact, contacts, d, solver->r, s->r);
  slot->iterations += solver->iterations * contacts;
  stc_solver_free(&solver);
}

/// Each thread with room takes the largest that is left.
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

// Seeds hold nine tenths of the residual, or what is above half of the tolerance; more than the
// root of the contacts, and clusters run together.
static void run_clusters(stc_solver *s, schwarz *z) {
  double enough = 1 - pow(s->settings.tol / (2 * s->merit), 2);
  stc_clusters_find(&z->clusters, s->problem, s->r, s->u,
                    &(stc_cluster_size){.share = fmin(enough, s->settings.rule.gain),
                                        .seeds = 1 + (int)sqrt(s->problem->contacts),
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

static bool is_slow(const stc_solver *s, const schwarz *z) {
  return s->merit > s->settings.rule.gain * z->cycle_merit;
}

/// One cluster that was everything shall not be tried again.
static bool was_all(const stc_solver *s, const schwarz *z) {
  return z->clusters.count == 1 && z->clusters.ptr[1] == s->problem->contacts;
}

/// Whether too many cycles would follow at the pace of the last ones.
static bool crawls(const stc_solver *s, schwarz *z) {
  const int ahead = s->settings.schwarz.ahead, steps = s->settings.rule.steps, now = z->cycles++;
  const int pace = 0 < ahead && ahead < steps ? ahead : steps;
  double before = z->best[now % pace], gain = log(s->best_merit / before) / pace;
  z->best[now % pace] = s->best_merit;
  return now >= pace && ahead > 0 && !(ahead * gain < log(s->settings.tol / s->best_merit));
}

static bool idles(const stc_solver *s, schwarz *z) {
  return stc_watch_look(&z->watch, s, s->best_merit, 1) > s->settings.rule.steps;
}

static bool stuck_schwarz(const stc_solver *s, schwarz *z) {
  bool crawling = crawls(s, z), idle = idles(s, z);
  return crawling || idle || (was_all(s, z) && is_slow(s, z));
}

/// A quarter of the contacts: in a small packing a cluster must not be all.
static void choose_smallest(const stc_solver *s, schwarz *z) {
  int most = s->settings.part.most, quarter = s->problem->contacts / 4;
  z->rings = s->settings.part.rings;
  z->most = quarter > most ? most : quarter < most / 4 ? most / 4 : quarter;
}

/// After a cycle that did not gain clusters have one more ring, half as many contacts more and
/// twice the iterations; at twice the rings they begin again with the fewest, and with twice as
/// many sweeps: clusters of one size may lead each other round in circles.
static void choose_size(const stc_solver *s, schwarz *z) {
  bool slow = is_slow(s, z);
  int most = s->settings.part.most;
  z->cycle_merit = s->merit;
  if (!slow) {
    choose_smallest(s, z);
    z->iterations = s->settings.part.iterations;
    z->next_sweeps = s->settings.schwarz.sweeps;
    return;
  }
  z->iterations *= 2;
  if (z->rings++ < 2 * s->settings.part.rings) {
    z->most = z->most + z->most / 2 < most ? z->most + z->most / 2 : most;
    return;
  }
  choose_smallest(s, z);
  z->next_sweeps *= 2;
}

static stc_step iterate_schwarz(stc_solver *s, void *state) {
  schwarz *z = state;
  s->done = 0;
  if (!z->begun) {
    z->begun = true;
    z->sweeps->far = false;
    run_sweeps(s, z, z->next_sweeps);
    z->sweeps->far = true;
    return STC_STEP_ON;
  }
  if (s->best_merit <= s->settings.tol || stuck_schwarz(s, z)) return STC_STEP_STALLED;
  choose_size(s, z);
  run_clusters(s, z);
  run_sweeps(s, z, z->next_sweeps);
  return STC_STEP_ON;
}

STC_METHOD_IS(
    schwarz, .name = "schwarz",
    .summary =
        "sweeps and clusters of the worst contacts alternately; packings that flow or settle",
    .setup = setup_schwarz, .start = start_schwarz, .iterate = iterate_schwarz, .free = free_sweeps,
    .any_law = true);
