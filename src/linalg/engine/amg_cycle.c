// One cycle of multigrid: Chebyshev smoothing, residual to the next level and back, smoothing; and
// conjugate gradients around it.
//   d_0 = D^-1 r / theta,   d_k+1 = rho_k+1 rho_k d_k + 2 rho_k+1 / delta D^-1 r_k+1   [Saad 2003]
#include "amg_data.h"

#include "../../base/fail.h"

#include <float.h>
#include <math.h>
#include <string.h>

// Degree of the smoother; it damps the eigenvalues of D^-1 A from the top down to top / SPREAD.
enum { DEGREE = 2 };
static const double SPREAD = 10;
// Lanczos leaves the largest eigenvalue a few percent too small.
static const double MARGIN = 1.1;

// --- Smoothing ---

typedef struct smooth_job {
  const stc_amg_level *l;
  const double *step;  // the last one; NULL: there is none yet
  double *next;
  double keep, gain;  // next = keep step + gain D^-1 r
} smooth_job;

static inline __attribute__((always_inline)) void smooth_fixed(const smooth_job *j, int b,
                                                               int first, int last) {
  const stc_bmat *A = &j->l->A;
  for (int i = first; i < last; i++) {
    double *r = j->l->r + (size_t)i * (size_t)b, *x = j->l->x + (size_t)i * (size_t)b;
    const double *inverse = j->l->inverse + (size_t)i * (size_t)(b * b);
    double sum[STC_BMAT_MOST] = {0};
    for (int e = A->ptr[i]; j->step && e < A->ptr[i + 1]; e++) {
      const double *a = A->val + (size_t)e * (size_t)(b * b);
      const double *d = j->step + (size_t)A->col[e] * (size_t)b;
      for (int k = 0; k < b; k++)
        for (int l = 0; l < b; l++) sum[k] += a[k * b + l] * d[l];
    }
    for (int k = 0; k < b; k++) r[k] -= sum[k];
    for (int k = 0; k < b; k++) {
      double z = 0;
      for (int l = 0; l < b; l++) z += inverse[k * b + l] * r[l];
      size_t at = (size_t)i * (size_t)b + (size_t)k;
      double d = j->gain * z + (j->step ? j->keep * j->step[at] : 0);
      j->next[at] = d;
      x[k] += d;
    }
  }
}

static void smooth_range(void *argument, int first, int last) {
  const smooth_job *j = argument;
  int b = j->l->A.br;
  if (b == 3)
    smooth_fixed(j, 3, first, last);
  else if (b == 6)
    smooth_fixed(j, 6, first, last);
  else
    smooth_fixed(j, b, first, last);
}

/// x += S r, and r follows it except for the last step, which stays in l->step.
static void smooth(const stc_crew *crew, stc_amg_level *l) {
  double high = MARGIN * l->top, low = high / SPREAD;
  double theta = (high + low) / 2, delta = (high - low) / 2, rho = delta / theta;
  smooth_job j = {.l = l, .next = l->step, .gain = 1 / theta};
  double work = (double)l->A.br * l->A.bc * l->A.ptr[l->A.rows];
  stc_crew_rows(crew, work, l->A.rows, smooth_range, &j);
  for (int k = 1; k < DEGREE; k++) {
    double next = 1 / (2 * theta / delta - rho);
    j = (smooth_job){
        .l = l, .step = l->step, .next = l->other, .keep = next * rho, .gain = 2 * next / delta};
    stc_crew_rows(crew, work, l->A.rows, smooth_range, &j);
    double *t = l->step;
    l->step = l->other;
    l->other = t;
    rho = next;
  }
}

typedef struct scale_job {
  const stc_amg_level *l;
  const double *r;
  double *z;
} scale_job;

static void scale_range(void *argument, int first, int last) {
  const scale_job *j = argument;
  int b = j->l->A.br;
  for (int i = first; i < last; i++) {
    const double *inverse = j->l->inverse + (size_t)i * (size_t)(b * b);
    const double *r = j->r + (size_t)i * (size_t)b;
    double *z = j->z + (size_t)i * (size_t)b;
    for (int k = 0; k < b; k++) {
      z[k] = 0;
      for (int l = 0; l < b; l++) z[k] += inverse[k * b + l] * r[l];
    }
  }
}

void stc_amg_scale(const stc_crew *crew, const stc_amg_level *level, const double *r, double *z) {
  scale_job j = {level, r, z};
  stc_crew_rows(crew, (double)level->A.br * level->A.br * level->A.rows, level->A.rows, scale_range,
                &j);
}

// --- The cycle ---

static size_t length_of_vector(const stc_amg_level *l) {
  return (size_t)l->A.rows * (size_t)l->A.br;
}

stc_error stc_amg_cycle(stc_amg *amg, int k) {
  stc_amg_level *l = &amg->level[k];
  size_t bytes = length_of_vector(l) * sizeof *l->x;
  if (k == amg->levels - 1) {
    memcpy(l->x, l->b, bytes);
    return stc_llt_solve(amg->llt, 1, l->x);
  }
  stc_amg_level *next = &amg->level[k + 1];
  memcpy(l->r, l->b, bytes);
  memset(l->x, 0, bytes);
  smooth(&amg->crew, l);
  stc_bmat_multiply(&amg->crew, -1, &l->A, l->step, 1, l->r);
  stc_bmat_multiply(&amg->crew, 1, &l->R, l->r, 0, next->b);
  STC_TRY(stc_amg_cycle(amg, k + 1));
  stc_bmat_multiply(&amg->crew, 1, &l->P, next->x, 0, l->step);
  for (size_t i = 0; i < length_of_vector(l); i++) l->x[i] += l->step[i];
  stc_bmat_multiply(&amg->crew, -1, &l->A, l->step, 1, l->r);
  smooth(&amg->crew, l);
  return STC_OK;
}
