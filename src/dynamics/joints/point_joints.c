// Joints that only say that points meet: with the levers l of both bodies
//   g = x_a + l_a - x_b - l_b,   rate = v_a + w_a x l_a - v_b - w_b x l_b,
// and multipliers that are the force on the first body. Bits are the same for any width of vectors.
#include "point_joints.h"

#include "columns.h"

#include <math.h>
#include <stdint.h>

typedef struct point_job {
  const stc_mechanism *m;
  const stc_link *link;
  int end;
  const double *x;
  double *off;
  double most;  ///< of the entries
} point_job;

static stc_mover *mover_at(const stc_mechanism *m, int j, int k) {
  return &m->mover[m->mover_of[2 * j + k]];
}

/// The largest size of each entry so far, and the sum of all.
typedef struct sizes {
  stc_column most, sum;
} sizes;

/// Puts three numbers.
STC_ALWAYS void put_column(const stc_column *c, double *to, sizes *s) {
  typedef long long bits __attribute__((vector_size(STC_COLUMN * sizeof(long long))));
  stc_column size = (stc_column)((bits)*c & INT64_MAX);
  bits larger = size > s->most;
  s->most = (stc_column)((larger & (bits)size) | (~larger & (bits)s->most));
  s->sum += size;
  for (int i = 0; i < 3; i++) to[i] = (*c)[i];
}

STC_ALWAYS double largest_of(const sizes *s) {
  double most = fmax(fmax(s->most[0], s->most[1]), s->most[2]);
  return isfinite(s->sum[0] + s->sum[1] + s->sum[2]) ? most : INFINITY;
}

STC_ALWAYS void arrive_points_of(void *argument, int piece) {
  point_job *job = argument;
  const stc_mechanism *m = job->m;
  sizes s = {{0}, {0}};
  (void)piece;
  for (int j = 0; j < m->links; j++) {
    stc_column x[2], lever[2];
    for (int k = 0; k < 2; k++) {
      const stc_mover *mover = mover_at(m, j, k);
      stc_joint_side *side = &m->side[job->end][2 * j + k];
      stc_column_load(&x[k], mover->x);
      stc_column_apply(mover->column[job->end], job->link[m->link[j]].anchor[k], &lever[k]);
      stc_column_store(&x[k], side->x);  // its last number is where the lever begins
      stc_column_store(&lever[k], side->lever);
    }
    stc_column gap = x[0] - x[1] + (lever[0] - lever[1]);
    if (job->off) put_column(&gap, job->off + 3 * j, &s);
  }
  job->most = largest_of(&s);
}

STC_ALWAYS void pull_points_of(void *argument, int piece) {
  const point_job *job = argument;
  const stc_mechanism *m = job->m;
  (void)piece;
  for (int j = 0; j < m->links; j++) {
    const double *x = job->x + 3 * j;
    stc_column force = {x[0], x[1], x[2], 0}, back = -force, moment, lever;
    for (int k = 0; k < 2; k++) {
      stc_mover *mover = mover_at(m, j, k);
      stc_wrench *wrench = job->end == 0 ? &mover->push : &mover->stop;
      stc_column_load(&lever, m->side[job->end][2 * j + k].lever);
      stc_column_cross(&lever, k == 0 ? &force : &back, &moment);
      stc_column_add(k == 0 ? &force : &back, wrench->force);
      stc_column_add(&moment, wrench->moment);
    }
  }
}

STC_ALWAYS void rate_points_of(void *argument, int piece) {
  point_job *job = argument;
  const stc_mechanism *m = job->m;
  sizes s = {{0}, {0}};
  (void)piece;
  for (int j = 0; j < m->links; j++) {
    stc_column v[2], omega, lever, turn[2], apart;
    for (int k = 0; k < 2; k++) {
      const stc_mover *mover = mover_at(m, j, k);
      stc_column_load(&v[k], mover->v);
      stc_column_load(&omega, mover->rate);
      stc_column_load(&lever, m->side[1][2 * j + k].lever);
      stc_column_cross(&omega, &lever, &turn[k]);
    }
    apart = v[0] - v[1] + (turn[0] - turn[1]);
    put_column(&apart, job->off + 3 * j, &s);
  }
  job->most = largest_of(&s);
}

STC_JOB_VARIANTS(arrive_points)
STC_JOB_VARIANTS(pull_points)
STC_JOB_VARIANTS(rate_points)

double stc_points_arrive(const stc_flight *f, int end, double *gap) {
  point_job job = {.m = f->m, .link = STC_LINKS(f->world), .end = end, .off = gap};
  arrive_points(&job, 0);
  return job.most;
}

void stc_points_pull(const stc_mechanism *m, int end, const double *x) {
  point_job job = {.m = m, .end = end, .x = x};
  for (int n = 0; n < m->bodies; n++)
    *(end == 0 ? &m->mover[n].push : &m->mover[n].stop) = (stc_wrench){{0}, {0}};
  pull_points(&job, 0);
}

double stc_points_rates(const stc_mechanism *m, double *rate) {
  point_job job = {.m = m, .off = rate};
  rate_points(&job, 0);
  return job.most;
}
