// Displacements that move bodies apart along the normals of their contacts, by Gauss–Seidel sweeps
// over the batches of contacts, n.d >= target where a push is needed and none pulls.
#include "../methods/root.h"
#include "sweep.h"

#include <string.h>

enum { LANES = STC_LANES4_LANES, WIDTH = STC_LANES4_WIDTH };

static void take_targets(stc_lanes4 *s, const double *target) {
  memset(s->apart, 0, (size_t)s->count * sizeof *s->apart);
  for (int k = 0; k < s->count * LANES; k++) {
    bool there = s->contact[k] < s->problem->contacts;
    s->apart[k / LANES].target[k % LANES] = there ? target[s->contact[k]] : -1;
  }
}

typedef struct displace_job {
  stc_lanes4 *batches;
  bool forward;
  double moved[STC_SLICES];
} displace_job;

static void displace_slice(void *argument, int slice) {
  displace_job *j = argument;
  const int *first = j->batches->first;
  j->moved[slice] = stc_lanes4_displace(j->batches, first[slice], first[slice + 1], j->forward);
}

static double displace_all(stc_lanes4 *s, bool forward) {
  displace_job job = {.batches = s, .forward = forward};
  double most = 0;
  stc_lanes4_run(s, displace_slice, &job, forward);
  for (int k = 0; k < s->slices.count; k++) most = job.moved[k] > most ? job.moved[k] : most;
  return most;
}

/// d = C p of all bodies.
static void give_displacements(const stc_lanes4 *s, double *d) {
  const stc_bodies *bodies = &s->problem->bodies;
  double C[WIDTH * WIDTH];
  for (int b = 0; b < bodies->count; b++, d += WIDTH) {
    const double *p = s->p + (ptrdiff_t)b * STC_LANES4_STRIDE;
    memset(d, 0, WIDTH * sizeof *d);
    if (!stc_root_factorise(WIDTH, bodies->inverse + bodies->inv_ptr[b], C)) continue;
    for (int i = 0; i < WIDTH; i++)
      for (int j = 0; j <= i; j++) d[i] += C[i * WIDTH + j] * p[j];
  }
}

bool stc_sweep_move_apart(stc_sweep *sweep, const double *target, int sweeps, double least,
                          double *d) {
  stc_lanes4 *s = &sweep->batches;
  if (sweep->stale || !sweep->in_batches) stc_sweep_reset(sweep);
  if (!sweep->in_batches) return false;
  take_targets(s, target);
  size_t numbers = (size_t)(s->problem->bodies.count + s->slices.count) * STC_LANES4_STRIDE;
  memset(s->p, 0, numbers * sizeof *s->p);
  for (int k = 0; k < sweeps; k++)
    if (displace_all(s, true) <= least) break;
  give_displacements(s, d);
  return true;
}
