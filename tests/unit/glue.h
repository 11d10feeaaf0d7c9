// Problems side by side: contacts of one do not move those of another.
#ifndef STC_TEST_GLUE_H
#define STC_TEST_GLUE_H

#include "expect.h"

#include <stiction/problem.h>

/// Appends the square block A at (first, first); entries and values so far are `used`.
static inline int glue_rows(const stc_matrix *A, int first, int used, int *ptr, int *col,
                            double *val) {
  for (int i = 0; i < A->rows; i++) {
    for (int k = A->p[i]; k < A->p[i + 1]; k++, used++) {
      col[used] = A->i[k] + first;
      val[used] = A->x[k];
    }
    ptr[first + i + 1] = used;
  }
  return used;
}

/// The problems in local form one after another, W block-diagonal. Frees them. Coulomb's law, no
/// joints, all of one dimension.
static inline stc_problem *glue(stc_problem **problem, int count) {
  int size = 0, entries = 0, used = 0, contacts = 0;
  for (int k = 0; k < count; k++) {
    stc_problem *local = NULL;
    assert_int_equal(stc_problem_to_local(problem[k], &local), STC_OK);
    stc_problem_free(&problem[k]);
    problem[k] = local;
    size += stc_problem_size(local);
    contacts += stc_problem_contacts(local);
    entries += stc_problem_local_data(local).W.entries;
  }
  int *ptr = calloc((size_t)size + 1, sizeof *ptr), *col = calloc((size_t)entries, sizeof *col);
  double *val = calloc((size_t)entries, sizeof *val), *q = calloc((size_t)size, sizeof *q);
  double *mu = calloc((size_t)contacts, sizeof *mu);
  stc_local_data whole = {.dim = stc_problem_dim(problem[0]), .contacts = contacts};
  for (int k = 0, first = 0; k < count; k++) {
    stc_local_data part = stc_problem_local_data(problem[k]);
    used = glue_rows(&part.W, first, used, ptr, col, val);
    memcpy(q + first, part.q, (size_t)part.W.rows * sizeof *q);
    memcpy(mu + first / whole.dim, part.mu, (size_t)part.contacts * sizeof *mu);
    first += part.W.rows;
  }
  whole.W = (stc_matrix){size, size, entries, STC_STORAGE_CSR, ptr, col, val};
  whole.q = q;
  whole.mu = mu;
  stc_problem *glued = NULL;
  assert_int_equal(stc_problem_create_local(&whole, &glued), STC_OK);
  for (int k = 0; k < count; k++) stc_problem_free(&problem[k]);
  free(ptr), free(col), free(val), free(q), free(mu);
  return glued;
}

#endif
