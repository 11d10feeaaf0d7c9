// Facts about a problem, read off its local form and its contact graph.
#include "problem_data.h"

#include "../linalg/bsr.h"
#include "../linalg/graph.h"
#include "spectrum.h"

#include <math.h>

static stc_error count_bodies(const stc_problem *p, stc_stats *stats) {
  if (p->form == STC_FORM_BODIES) stats->bodies = p->bodies.count;
  if (p->form != STC_FORM_GLOBAL) return STC_OK;
  int *forest = stc_calloc((size_t)p->dofs, sizeof *forest);
  if (!forest) return stc_fail(STC_ERR_MEMORY, "out of memory for a graph of %d nodes", p->dofs);
  stc_graph_start(forest, p->dofs);
  stc_graph_join_matrix(forest, &p->M, 0, 0);
  stats->bodies = stc_graph_number(forest, p->dofs);
  stc_release(&forest);
  return STC_OK;
}

static stc_error count_components(stc_arena *arena, const stc_problem *p, stc_stats *stats) {
  int *component = STC_TAKE(arena, int, p->contacts);
  int *members = STC_TAKE(arena, int, p->contacts);
  STC_TRY(stc_arena_check(arena));
  STC_TRY(stc_problem_components(p, component, &stats->components));
  for (int c = 0; c < p->contacts; c++) {
    int now = ++members[component[c]];
    if (now > stats->largest_component) stats->largest_component = now;
  }
  return STC_OK;
}

static bool vanishes(const stc_bsr *W, int block) {
  int entries = W->dim * W->dim;
  for (int k = 0; k < entries; k++)
    if (W->val[(size_t)block * (size_t)entries + (size_t)k] != 0) return false;
  return true;
}

static void measure_diagonal(const stc_bsr *W, stc_stats *stats) {
  double least = INFINITY, largest = 0;
  for (int i = 0; i < W->rows; i++) {
    if (vanishes(W, W->diag[i])) {
      stats->immovable++;
      continue;
    }
    const double *block = W->val + (size_t)W->diag[i] * (size_t)(W->dim * W->dim);
    double kappa = 0;
    for (int k = 0; k < W->dim; k++) kappa += block[k * W->dim + k] / W->dim;
    if (kappa <= 0) continue;
    least = fmin(least, kappa);
    largest = fmax(largest, kappa);
  }
  stats->diagonal_ratio = largest > 0 ? largest / least : NAN;
}

static stc_error measure_local(stc_arena *arena, const stc_problem *local, int rank_limit,
                               stc_stats *stats) {
  stc_bsr W;
  STC_TRY(stc_bsr_from_csr(arena, &local->W, local->dim, &W));
  size_t coupled = 0;
  for (int i = 0; i < W.rows; i++)
    for (int k = W.ptr[i]; k < W.ptr[i + 1]; k++) coupled += k == W.diag[i] || !vanishes(&W, k);
  stats->blocks_per_row = W.rows ? (double)coupled / W.rows : 0;
  measure_diagonal(&W, stats);
  double largest = stc_csr_largest(&local->W);
  stats->asymmetry = largest > 0 ? stc_csr_asymmetry(&local->W, NULL, NULL) / largest : 0;
  if (local->size > rank_limit || local->equalities > rank_limit) return STC_OK;
  return stc_spectrum(local, &stats->rank, &stats->condition);
}

static stc_error measure_stats(stc_arena *arena, const stc_problem *p, int rank_limit,
                               stc_stats *stats) {
  STC_TRY(count_bodies(p, stats));
  STC_TRY(count_components(arena, p, stats));
  stats->mu_min = stats->mu_max = NAN;
  for (int c = 0; c < p->contacts; c++)
    for (int k = 0; k < 2 && k < p->dim - 1; k++) {
      stats->mu_min = fmin(stats->mu_min, p->law[c].mu[k]);
      stats->mu_max = fmax(stats->mu_max, p->law[c].mu[k]);
    }
  if (p->form == STC_FORM_LOCAL) return measure_local(arena, p, rank_limit, stats);
  stc_problem *local = NULL;
  STC_TRY(stc_problem_to_local(p, &local));
  stc_error error = measure_local(arena, local, rank_limit, stats);
  stc_problem_free(&local);
  return error;
}

stc_error stc_problem_stats(const stc_problem *problem, int rank_limit, stc_stats *stats) {
  *stats = (stc_stats){.rank = -1, .condition = NAN};
  stc_arena arena = {0};
  stc_error error = measure_stats(&arena, problem, rank_limit, stats);
  stc_arena_free(&arena);
  return error;
}
