// Laws with spin or rolling: the problem with moments and rates of rotation measured by the lengths
// of the laws, r_k = length_k r'_k and u_k = u'_k / length_k, so that all components of a contact
// are impulses and velocities and may be added, compared and projected together. Lengths are powers
// of two.
#include "reduced_parts.h"

#include "../../law/scale.h"

#include <string.h>

/// x [n] with its entries times those of length.
static stc_error stretch(stc_arena *arena, const double *x, const double *length, int n,
                         const double **out) {
  double *scaled = STC_TAKE(arena, double, n);
  STC_TRY(stc_arena_check(arena));
  for (int k = 0; k < n; k++) scaled[k] = length[k] * x[k];
  *out = scaled;
  return STC_OK;
}

/// The rows of A times `length` and, where asked for, the columns too.
static stc_error stretch_matrix(stc_arena *arena, const double *length, bool columns,
                                stc_matrix *A) {
  double *scaled = STC_TAKE(arena, double, A->entries);
  STC_TRY(stc_arena_check(arena));
  for (int i = 0; i < A->rows; i++)
    for (int k = A->p[i]; k < A->p[i + 1]; k++)
      scaled[k] = length[i] * A->x[k] * (columns ? length[A->i[k]] : 1);
  A->x = scaled;
  return STC_OK;
}

static stc_error copy_local(stc_arena *arena, const stc_problem *p, const double *length,
                            const stc_law *law, stc_problem **copy) {
  stc_local_data d = stc_problem_local_data(p);
  d.law = law;
  STC_TRY(stretch_matrix(arena, length, true, &d.W));
  if (d.equalities > 0) STC_TRY(stretch_matrix(arena, length, false, &d.V));
  STC_TRY(stretch(arena, p->q, length, p->size, &d.q));
  return stc_problem_create_local(&d, copy);
}

static stc_error copy_global(stc_arena *arena, const stc_problem *p, const double *length,
                             const stc_law *law, stc_problem **copy) {
  stc_global_data d = stc_problem_global_data(p);
  d.law = law;
  STC_TRY(stretch_matrix(arena, length, false, &d.H));
  STC_TRY(stretch(arena, p->w, length, p->size, &d.w));
  return stc_problem_create_global(&d, copy);
}

static stc_error copy_bodies(stc_arena *arena, const stc_problem *p, const double *length,
                             const stc_law *law, stc_problem **copy) {
  stc_bodies_data d = stc_problem_bodies_data(p);
  int dim = p->dim, each = 2 * dim * p->width;
  double *block = STC_TAKE_RAW(arena, double, (size_t)p->contacts *(size_t)each);
  STC_TRY(stc_arena_check(arena));
  for (int c = 0; c < p->contacts; c++)
    for (int k = 0; k < each; k++) {
      ptrdiff_t at = (ptrdiff_t)c * each + k;
      block[at] = length[c * dim + k % dim] * d.H.block[at];
    }
  d.H.block = block;
  d.law = law;
  STC_TRY(stretch(arena, p->w, length, p->size, &d.w));
  return stc_problem_create_bodies(&d, copy);
}

static stc_error create(stc_reduced *reduced, stc_arena *scratch) {
  static stc_error (*const copies[])(stc_arena *, const stc_problem *, const double *,
                                     const stc_law *,
                                     stc_problem **) = {copy_local, copy_global, copy_bodies};
  const stc_problem *p = reduced->problem;
  stc_law *law = STC_TAKE(scratch, stc_law, p->contacts);
  reduced->length = STC_TAKE(&reduced->arena, double, p->size);
  reduced->stretched = STC_TAKE(&reduced->arena, double, p->size);
  STC_TRY(stc_arena_check(scratch));
  STC_TRY(stc_arena_check(&reduced->arena));
  for (int c = 0; c < p->contacts; c++)
    law[c] = stc_law_in_units(&p->law[c], stc_law_length_unit(&p->law[c]),
                              reduced->length + (size_t)c * (size_t)p->dim);
  STC_TRY(copies[p->form](scratch, p, reduced->length, law, &reduced->own));
  reduced->problem = reduced->own;
  return STC_OK;
}

stc_error stc_lengths_create(stc_reduced *reduced) {
  stc_arena scratch = {0};
  stc_error error = create(reduced, &scratch);
  stc_arena_free(&scratch);
  return error;
}

const double *stc_lengths_velocity(const stc_reduced *reduced, const double *u) {
  if (!u || !reduced->length) return u;
  for (int k = 0; k < reduced->size; k++) reduced->stretched[k] = reduced->length[k] * u[k];
  return reduced->stretched;
}

const double *stc_lengths_impulse(const stc_reduced *reduced, const double *r) {
  if (!reduced->length) return r;
  for (int k = 0; k < reduced->size; k++) reduced->stretched[k] = r[k] / reduced->length[k];
  return reduced->stretched;
}

// --- Units ---

void stc_reduced_scale_r(const stc_reduced *p, const double *r, double *scaled) {
  for (int k = 0; k < p->size; k++) scaled[k] = r[k] / p->scale_r;
  for (int k = 0; p->length && k < p->size; k++) scaled[k] /= p->length[k];
}

void stc_reduced_scale_u(const stc_reduced *p, const double *u, double *scaled) {
  for (int k = 0; k < p->size; k++) scaled[k] = u[k] / p->scale_u;
  for (int k = 0; p->length && k < p->size; k++) scaled[k] *= p->length[k];
}

void stc_reduced_unscale_r(const stc_reduced *p, const double *scaled, double *r) {
  for (int k = 0; k < p->size; k++) r[k] = scaled[k] * p->scale_r;
  for (int k = 0; p->length && k < p->size; k++) r[k] *= p->length[k];
}

void stc_reduced_unscale_u(const stc_reduced *p, const double *scaled, double *u) {
  for (int k = 0; k < p->size; k++) u[k] = scaled[k] * p->scale_u;
  for (int k = 0; p->length && k < p->size; k++) u[k] /= p->length[k];
}
