// Products with the matrices of a problem, in the form it has.
#include "problem_data.h"

void stc_problem_add_velocity(const stc_problem *p, const double *v, double *u) {
  if (p->form == STC_FORM_BODIES)
    stc_body_rows_add_velocity(&p->H_bodies, v, u);
  else
    stc_csr_multiply(&p->H, v, 1, u);
}

void stc_problem_add_impulse(const stc_problem *p, const double *r, double *x) {
  if (p->form == STC_FORM_BODIES)
    stc_body_rows_add_impulse(&p->H_bodies, r, x);
  else
    stc_csr_multiply_transposed(&p->H, r, 1, x);
}

void stc_problem_momentum(const stc_problem *p, const double *v, double *y) {
  if (p->form == STC_FORM_BODIES)
    stc_body_masses_multiply(p, v, y);
  else
    stc_csr_multiply(&p->M, v, 0, y);
}

static bool sparse_row_is_zero(const stc_csr *A, int i) {
  return stc_all_zero(A->val + A->ptr[i], (size_t)(A->ptr[i + 1] - A->ptr[i]));
}

bool stc_problem_row_is_zero(const stc_problem *p, int i) {
  if (p->form == STC_FORM_BODIES) {
    const stc_body_matrix *A = &p->H_bodies;
    int group = i / A->dim;
    for (int s = 0; s < A->sides; s++) {
      const double *row = stc_body_block(A, group, s) + i % A->dim;
      for (int l = 0; stc_body_pair(A, group)[s] >= 0 && l < A->width; l++)
        if (row[l * A->dim] != 0) return false;
    }
    return true;
  }
  if (p->form == STC_FORM_GLOBAL) return sparse_row_is_zero(&p->H, i);
  return sparse_row_is_zero(&p->W, i) && (p->equalities == 0 || sparse_row_is_zero(&p->V, i));
}

stc_error stc_problem_with_rows(const stc_problem *problem, stc_problem **own,
                                const stc_problem **rows) {
  *own = NULL;
  if (problem->form == STC_FORM_BODIES) STC_TRY(stc_problem_to_global(problem, own));
  *rows = *own ? *own : problem;
  return STC_OK;
}
