// The bodies form: checked, copied, and written as sparse rows where those are asked for.
#include "problem_data.h"

#include "../linalg/bsr.h"
#include "../linalg/envelope.h"
#include "data_check.h"
#include "frames.h"

#include <limits.h>
#include <math.h>
#include <string.h>

// --- Checks ---

static const char *kind_of(bool joint) { return joint ? "joint equation" : "contact"; }

static stc_error check_pair(const char *name, bool joint, int group, const stc_body_matrix *A,
                            int bodies) {
  const int *body = stc_body_pair(A, group);
  int order[STC_BODY_SIDES];
  for (int s = 0; s < A->sides; s++)
    if (body[s] < -1 || body[s] >= bodies)
      return stc_fail(
          STC_ERR_DIMENSION,
          "%s: %s %d is on body %d; there are %d, numbered from 0, and -1 is what never "
          "moves",
          name, kind_of(joint), group, body[s], bodies);
  int count = stc_body_order(A, group, order);
  for (int k = 1; k < count; k++)
    if (body[order[k]] == body[order[k - 1]])
      return stc_fail(STC_ERR_VALUE,
                      "%s: %s %d is on body %d twice; give it one block, the sum of the two, and "
                      "-1",
                      name, kind_of(joint), group, body[order[k]]);
  return STC_OK;
}

static stc_error check_block(const char *name, bool joint, int group, int body, const double *block,
                             int dim, int width) {
  for (int k = 0; k < dim * width; k++)
    if (!isfinite(block[k]))
      return stc_fail(STC_ERR_VALUE,
                      "%s: %s %d, body %d: row %d, column %d is %g; every entry must be finite",
                      name, kind_of(joint), group, body, k % dim, k / dim, block[k]);
  return STC_OK;
}

/// H has as many rows per contact as the problem has dimensions, G one per equation.
static stc_error check_rows(const char *name, bool joint, const stc_body_matrix *A, int bodies) {
  if (A->count > 0 && (!A->rows.body || !A->rows.block))
    return stc_fail(STC_ERR_ARGUMENT, "%s.%s is NULL; give %d bodies and %d blocks per %s", name,
                    A->rows.body ? "block" : "body", A->sides, A->sides, kind_of(joint));
  if (A->sides < 1 || A->sides > STC_BODY_SIDES)
    return stc_fail(STC_ERR_DIMENSION, "%s.sides = %d; a %s touches 1 to %d bodies", name, A->sides,
                    kind_of(joint), STC_BODY_SIDES);
  for (int g = 0; g < A->count; g++) {
    const int *body = stc_body_pair(A, g);
    STC_TRY(check_pair(name, joint, g, A, bodies));
    for (int s = 0; s < A->sides; s++)
      if (body[s] >= 0)
        STC_TRY(check_block(name, joint, g, body[s], stc_body_block(A, g, s), A->dim, A->width));
  }
  return STC_OK;
}

static stc_error check_mass(const double *M, int n, int body, bool joints) {
  double tolerance = joints ? STC_SYMMETRY_TOLERANCE : STC_GYROSCOPIC;
  for (int k = 0; k < n * n; k++)
    if (!isfinite(M[k]))
      return stc_fail(STC_ERR_VALUE,
                      "M of body %d: entry (%d, %d) = %g; every entry must be finite", body, k % n,
                      k / n, M[k]);
  for (int i = 0; i < n; i++)
    if (!(M[i * n + i] > 0))
      return stc_fail(STC_ERR_VALUE,
                      "M of body %d: entry (%d, %d) = %g; every diagonal entry must be > 0: give "
                      "the degree of freedom a mass or an inertia",
                      body, i, i, M[i * n + i]);
  for (int i = 0; i < n; i++)
    for (int j = 0; j < i; j++)
      if (fabs(M[j * n + i] - M[i * n + j]) > tolerance * sqrt(M[i * n + i] * M[j * n + j]))
        return stc_fail(STC_ERR_VALUE,
                        "M of body %d: entry (%d, %d) = %.17g but (%d, %d) = %.17g; M must be "
                        "symmetric%s",
                        body, i, j, M[j * n + i], j, i, M[i * n + j],
                        joints ? " where there are joints" : " but for gyroscopic terms");
  return STC_OK;
}

static stc_error check_bodies(const stc_bodies_data *d) {
  if (d->width < 1 || d->width > STC_ENVELOPE_MAX)
    return stc_fail(STC_ERR_DIMENSION,
                    "width = %d; a body has 1 to %d degrees of freedom: 6 in space, 3 in the plane",
                    d->width, STC_ENVELOPE_MAX);
  if (d->bodies < 0 || d->bodies > INT_MAX / d->width)
    return stc_fail(STC_ERR_DIMENSION,
                    "bodies = %d of %d degrees of freedom; give a number from 0 to %d", d->bodies,
                    d->width, INT_MAX / d->width);
  if (d->bodies > 0 && !d->M)
    return stc_fail(STC_ERR_ARGUMENT, "M is NULL; give a block of %d x %d numbers per body",
                    d->width, d->width);
  for (int b = 0; b < d->bodies; b++)
    STC_TRY(check_mass(d->M + (size_t)b * (size_t)(d->width * d->width), d->width, b,
                       d->equalities > 0));
  return STC_OK;
}

// --- Copies ---

static stc_error copy_rows(stc_arena *arena, const stc_body_matrix *from, stc_body_matrix *to,
                           double **block) {
  size_t pairs = (size_t)from->sides * (size_t)from->count,
         entries = pairs * (size_t)(from->dim * from->width);
  int *body = STC_TAKE_RAW(arena, int, pairs);
  *block = stc_bsr_take_values(arena, entries, false);
  STC_TRY(stc_arena_check(arena));
  if (pairs) {
    memcpy(body, from->rows.body, pairs * sizeof *body);
    memcpy(*block, from->rows.block, entries * sizeof **block);
  }
  *to = *from;
  to->rows = (stc_body_rows){body, *block, from->sides};
  return STC_OK;
}

/// H and w into the contact frames: each column of a block is a velocity of the contact.
static stc_error rotate_rows(stc_problem *p, const double *frame, double *block) {
  if (!frame) return STC_OK;
  STC_TRY(stc_check_frames(frame, p->dim, p->contacts));
  stc_frames_rotate(frame, p->dim, p->contacts, p->w);
  for (int c = 0; c < p->contacts; c++, frame += p->dim * p->dim)
    for (int k = 0; k < p->H_bodies.sides * p->width; k++, block += p->dim)
      stc_frames_rotate(frame, p->dim, 1, block);
  return STC_OK;
}

/// The bodies of each contact in increasing order; blocks of zeros are left out.
static stc_error list_touches(stc_arena *arena, const stc_body_matrix *H, stc_bodies *b) {
  size_t area = (size_t)(H->dim * H->width), sides = (size_t)H->sides;
  b->touch_ptr = STC_TAKE(arena, int, (size_t)H->count + 1);
  b->touch_body = STC_TAKE_RAW(arena, int, sides *(size_t)H->count);
  b->touch_contact = STC_TAKE_RAW(arena, int, sides *(size_t)H->count);
  b->val_ptr = STC_TAKE_RAW(arena, size_t, sides * (size_t)H->count);
  STC_TRY(stc_arena_check(arena));
  b->entries = sides * (size_t)H->count * area;
  int at = 0;
  for (int c = 0; c < H->count; c++) {
    int order[STC_BODY_SIDES], count = stc_body_order(H, c, order);
    for (int k = 0; k < count; k++) {
      if (stc_all_zero(stc_body_block(H, c, order[k]), area)) continue;
      b->touch_body[at] = stc_body_pair(H, c)[order[k]];
      b->touch_contact[at] = c;
      b->val_ptr[at++] = (sides * (size_t)c + (size_t)order[k]) * area;
    }
    b->touch_ptr[c + 1] = at;
  }
  return STC_OK;
}

static stc_error list_masses(stc_arena *arena, const stc_bodies_data *d, stc_bodies *b) {
  size_t area = (size_t)(d->width * d->width), masses = (size_t)d->bodies * area;
  b->ptr = STC_TAKE_RAW(arena, int, (size_t)d->bodies + 1);
  b->inv_ptr = STC_TAKE_RAW(arena, size_t, (size_t)d->bodies + 1);
  b->dof = STC_TAKE_RAW(arena, int, b->dofs);
  b->M = STC_TAKE_RAW(arena, double, masses);
  STC_TRY(stc_arena_check(arena));
  for (int k = 0; k <= d->bodies; k++) {
    b->ptr[k] = k * d->width;
    b->inv_ptr[k] = (size_t)k * area;
  }
  for (int k = 0; k < b->dofs; k++) b->dof[k] = k;
  if (masses) memcpy(b->M, d->M, masses * sizeof *b->M);
  return STC_OK;
}

static stc_error take_bodies(stc_problem *p, const stc_bodies_data *d, double *H) {
  stc_arena *arena = &p->arena;
  stc_bodies *b = &p->bodies;
  int singular, row;
  size_t masses = (size_t)d->bodies * (size_t)(d->width * d->width);
  *b = (stc_bodies){.count = d->bodies,
                    .dim = p->dim,
                    .contacts = p->contacts,
                    .dofs = p->dofs,
                    .H = H,
                    .unit = 1};
  p->mass = STC_TAKE_RAW(arena, double, masses);
  STC_TRY(list_masses(arena, d, b));
  STC_TRY(stc_arena_check(arena));
  if (masses) memcpy(p->mass, d->M, masses * sizeof *p->mass);
  STC_TRY(list_touches(arena, &p->H_bodies, b));
  STC_TRY(stc_bodies_finish(arena, b, &singular, &row));
  if (singular < 0) return STC_OK;
  return stc_fail(STC_ERR_NUMERIC,
                  "M of body %d is not positive definite: the pivot of row %d vanishes or is "
                  "negative; check its mass and inertia",
                  singular, row);
}

stc_error stc_problem_take_bodies(stc_problem *p, const stc_bodies_data *d) {
  stc_body_matrix H = stc_body_matrix_of(d->contacts, d->dim, d->width, d->H);
  stc_body_matrix G = stc_body_matrix_of(d->equalities, 1, d->width, d->G);
  double *block, *joint;
  STC_TRY(check_bodies(d));
  p->width = d->width;
  p->dofs = d->bodies * d->width;
  STC_TRY(check_rows("H", false, &H, d->bodies));
  STC_TRY(check_rows("G", true, &G, d->bodies));
  STC_TRY(copy_rows(&p->arena, &H, &p->H_bodies, &block));
  STC_TRY(copy_rows(&p->arena, &G, &p->G_bodies, &joint));
  STC_TRY(rotate_rows(p, d->frame, block));
  STC_TRY(take_bodies(p, d, block));
  // Joints are eliminated by a sparse R = G M^-1 G^T: their rows are sparse too.
  STC_TRY(stc_body_rows_sparse(&p->arena, &p->G_bodies, p->dofs, &p->G));
  if (p->bodies.count > 0) return STC_OK;
  STC_TRY(stc_csr_take(&p->arena, 0, 0, 0, &p->M));  // nothing moves
  return stc_csr_take(&p->arena, p->size, 0, 0, &p->H);
}

// --- Sparse rows ---

/// Columns of one row ascend: lesser bodies come first.
static void put_row(const stc_body_matrix *A, int group, int k, stc_csr *sparse, int *at) {
  int order[STC_BODY_SIDES], count = stc_body_order(A, group, order);
  for (int s = 0; s < count; s++) {
    const double *block = stc_body_block(A, group, order[s]) + k;
    int body = stc_body_pair(A, group)[order[s]];
    for (int l = 0; l < A->width; l++) {
      if (block[l * A->dim] == 0) continue;
      sparse->col[*at] = body * A->width + l;
      sparse->val[(*at)++] = block[l * A->dim];
    }
  }
}

stc_error stc_body_rows_sparse(stc_arena *arena, const stc_body_matrix *A, int cols,
                               stc_csr *sparse) {
  size_t most = (size_t)A->sides * (size_t)A->count * (size_t)(A->dim * A->width);
  if (most > INT_MAX)
    return stc_fail(STC_ERR_MEMORY, "the rows on bodies have %zu entries, more than %d", most,
                    INT_MAX);
  STC_TRY(stc_csr_take(arena, A->count * A->dim, cols, most, sparse));
  int at = 0;
  for (int i = 0; i < sparse->rows; i++) {
    put_row(A, i / A->dim, i % A->dim, sparse, &at);
    sparse->ptr[i + 1] = at;
  }
  return STC_OK;
}

stc_error stc_body_masses_sparse(stc_arena *arena, const stc_problem *p, stc_csr *M) {
  int n = p->width, at = 0;
  size_t most = (size_t)p->dofs * (size_t)n;
  if (most > INT_MAX)
    return stc_fail(STC_ERR_MEMORY, "M has %zu entries, more than %d", most, INT_MAX);
  STC_TRY(stc_csr_take(arena, p->dofs, p->dofs, most, M));
  for (int i = 0; i < p->dofs; i++) {
    int first = i / n * n;
    for (int j = 0; j < n; j++) {
      double value = p->mass[(size_t)(first + j) * (size_t)n + (size_t)(i - first)];
      if (value == 0) continue;
      M->col[at] = first + j;
      M->val[at++] = value;
    }
    M->ptr[i + 1] = at;
  }
  return STC_OK;
}

// --- Products ---

void stc_body_masses_multiply(const stc_problem *p, const double *v, double *y) {
  int n = p->width;
  const double *M = p->mass;
  for (int k = 0; k < p->dofs; k++) y[k] = 0;
  for (int b = 0; b < p->bodies.count; b++, M += n * n, v += n, y += n)
    for (int j = 0; j < n; j++)
      for (int i = 0; i < n; i++) y[i] += M[j * n + i] * v[j];
}
