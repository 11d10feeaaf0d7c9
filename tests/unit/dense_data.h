// Small problems for tests, from dense matrices written by rows.
#ifndef STC_TEST_DENSE_DATA_H
#define STC_TEST_DENSE_DATA_H

#include "expect.h"

#include <stiction/problem.h>

enum { DENSE_ENTRIES = 4096 };

/// A dense matrix as triplets, zeros left out. Must outlive the view.
typedef struct dense_matrix {
  int i[DENSE_ENTRIES], p[DENSE_ENTRIES];
  double x[DENSE_ENTRIES];
} dense_matrix;

static inline stc_matrix dense_view(dense_matrix *store, int rows, int cols, const double *A) {
  int entries = 0;
  for (int k = 0; k < rows * cols; k++) {
    if (A[k] == 0) continue;
    assert_true(entries < DENSE_ENTRIES);
    store->i[entries] = k / cols;
    store->p[entries] = k % cols;
    store->x[entries++] = A[k];
  }
  return (stc_matrix){.rows = rows,
                      .cols = cols,
                      .entries = entries,
                      .storage = STC_STORAGE_TRIPLET,
                      .p = store->p,
                      .i = store->i,
                      .x = store->x};
}

/// A global problem by dense matrices; G and b NULL without joints.
typedef struct dense_global {
  int dim, contacts, dofs, equalities;
  const double *M, *H, *G, *f, *w, *b, *mu, *mu2;
} dense_global;

static inline stc_error create_dense_global(const dense_global *d, stc_problem **problem) {
  dense_matrix *store = calloc(3, sizeof *store);
  assert_non_null(store);
  stc_global_data data = {.dim = d->dim, .contacts = d->contacts, .dofs = d->dofs};
  data.equalities = d->equalities;
  data.f = d->f, data.w = d->w, data.b = d->b, data.mu = d->mu, data.mu2 = d->mu2;
  data.M = dense_view(&store[0], d->dofs, d->dofs, d->M);
  data.H = dense_view(&store[1], d->dim * d->contacts, d->dofs, d->H);
  if (d->equalities) data.G = dense_view(&store[2], d->equalities, d->dofs, d->G);
  stc_error error = stc_problem_create_global(&data, problem);
  free(store);
  return error;
}

static inline stc_problem *make_global(const dense_global *d) {
  stc_problem *problem = NULL;
  expect_ok(create_dense_global(d, &problem));
  return problem;
}

/// A local problem by dense matrices; V, R and s NULL without joints.
typedef struct dense_local {
  int dim, contacts, equalities;
  const double *W, *V, *R, *q, *s, *mu, *mu2;
} dense_local;

static inline stc_error create_dense_local(const dense_local *d, stc_problem **problem) {
  dense_matrix *store = calloc(3, sizeof *store);
  assert_non_null(store);
  int size = d->dim * d->contacts;
  stc_local_data data = {.dim = d->dim, .contacts = d->contacts};
  data.equalities = d->equalities;
  data.q = d->q, data.s = d->s, data.mu = d->mu, data.mu2 = d->mu2;
  data.W = dense_view(&store[0], size, size, d->W);
  if (d->equalities) {
    data.V = dense_view(&store[1], size, d->equalities, d->V);
    data.R = dense_view(&store[2], d->equalities, d->equalities, d->R);
  }
  stc_error error = stc_problem_create_local(&data, problem);
  free(store);
  return error;
}

static inline stc_problem *make_local(const dense_local *d) {
  stc_problem *problem = NULL;
  expect_ok(create_dense_local(d, &problem));
  return problem;
}

#endif
