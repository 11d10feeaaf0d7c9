// Conjugate gradients with a multigrid cycle as preconditioner.
#include "amg_data.h"

#include "../../base/fail.h"

#include <math.h>
#include <string.h>

enum { MOST_ITERATIONS = 1000 };
// Iterations without a smaller residual after which rounding is what is left.
enum { PATIENCE = 200 };

static void scatter(const stc_amg *amg, const double *x, double *slots) {
  memset(slots, 0, (size_t)amg->nodes.nodes * (size_t)amg->width * sizeof *slots);
  for (int i = 0; i < amg->n; i++) slots[amg->slot[i]] = x[i];
}

/// The row that takes most energy out of a direction without energy.
static stc_error refuse_direction(const stc_amg *amg, const double *p, const double *q, int *bad) {
  *bad = 0;
  for (int i = 1; i < amg->n; i++)
    if (p[amg->slot[i]] * q[amg->slot[i]] < p[amg->slot[*bad]] * q[amg->slot[*bad]]) *bad = i;
  return stc_fail(STC_ERR_NUMERIC,
                  "the matrix is not positive definite: a motion about row %d has no or negative "
                  "energy",
                  *bad);
}

typedef struct step_job {
  stc_amg *amg;
  double alpha, beta;
} step_job;

/// x += alpha p, r -= alpha q.
static void move_answer(void *argument, int first, int last) {
  const step_job *j = argument;
  const stc_amg *amg = j->amg;
  size_t w = (size_t)amg->width, end = (size_t)last * w;
  double *r = amg->level[0].b;
  for (size_t i = (size_t)first * w; i < end; i++) {
    amg->x[i] += j->alpha * amg->p[i];
    r[i] -= j->alpha * amg->q[i];
  }
}

/// p = z + beta p.
static void renew_direction(void *argument, int first, int last) {
  const step_job *j = argument;
  const stc_amg *amg = j->amg;
  size_t w = (size_t)amg->width, end = (size_t)last * w;
  const double *z = amg->level[0].x;
  for (size_t i = (size_t)first * w; i < end; i++) amg->p[i] = z[i] + j->beta * amg->p[i];
}

static double dot(const stc_amg *amg, const double *x, const double *y) {
  return stc_crew_dot(&amg->crew, (size_t)amg->nodes.nodes * (size_t)amg->width, x, y);
}

static void each(stc_amg *amg, void (*task)(void *, int, int), double alpha, double beta) {
  step_job j = {amg, alpha, beta};
  stc_crew_rows(&amg->crew, amg->n, amg->nodes.nodes, task, &j);
}

/// r = b - A x and its norm.
static double restart(stc_amg *amg, const double *b) {
  double *r = amg->level[0].b;
  scatter(amg, b, r);
  stc_bmat_multiply(&amg->crew, -1, &amg->level[0].A, amg->x, 1, r);
  return sqrt(dot(amg, r, r));
}

/// Steps until the residual that is carried along falls to `goal`, or no longer falls.
static stc_error iterate_gradients(stc_amg *amg, double goal, double start, int *iterations,
                                   int *bad) {
  double *r = amg->level[0].b, *z = amg->level[0].x, least = start, rz = 0;
  memset(amg->p, 0, (size_t)amg->nodes.nodes * (size_t)amg->width * sizeof *r);
  for (int idle = 0; *iterations < MOST_ITERATIONS && idle < PATIENCE; ++*iterations, idle++) {
    STC_TRY(stc_amg_cycle(amg, 0));
    double next = dot(amg, r, z);
    each(amg, renew_direction, 0, rz > 0 ? next / rz : 0);
    rz = next;
    stc_bmat_multiply(&amg->crew, 1, &amg->level[0].A, amg->p, 0, amg->q);
    double energy = dot(amg, amg->p, amg->q);
    if (!(energy > 0) || !(rz > 0)) return refuse_direction(amg, amg->p, amg->q, bad);
    each(amg, move_answer, rz / energy, 0);
    double norm = sqrt(dot(amg, r, r));
    if (norm <= goal) return ++*iterations, STC_OK;
    STC_TRY(
        stc_crew_tell(&amg->crew, "conjugate gradients", log(start / norm) / log(start / goal)));
    if (norm < least) least = norm, idle = 0;
  }
  return STC_OK;
}

stc_error stc_amg_solve(stc_amg *amg, const double *b, double *x, double tol,
                        stc_sparse_report *report, int *bad) {
  double scale = 0, before = INFINITY;
  int iterations = 0;
  if (amg->n == 0) return STC_OK;
  scatter(amg, b, amg->p);
  scale = sqrt(dot(amg, amg->p, amg->p));
  scatter(amg, x, amg->x);
  double norm = restart(amg, b);
  while (norm > tol * scale && norm < 0.5 * before && iterations < MOST_ITERATIONS) {
    STC_TRY(iterate_gradients(amg, tol * scale, norm, &iterations, bad));
    before = norm;
    norm = restart(amg, b);
  }
  const double *slots = amg->x;
  for (int i = 0; i < amg->n; i++) x[i] = slots[amg->slot[i]];
  report->iterations += iterations;
  report->residual = fmax(report->residual, scale > 0 ? norm / scale : norm);
  return STC_OK;
}
