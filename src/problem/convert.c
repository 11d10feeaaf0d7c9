// Between the forms. Bodies and global hold the same numbers. Global to local: v = M^-1 (H^T r +
// G^T l - f) gives
//   W = H M^-1 H^T,  V = H M^-1 G^T,  R = G M^-1 G^T,  q = w - H M^-1 f,  s = b - G M^-1 f.
// Local to global: W = L L^T by Cholesky with diagonal pivoting, M = I, H = L, f = 0, w = q.
#include "problem_data.h"

#include "../law/section/convex_curve.h"
#include "../linalg/condense.h"
#include "../linalg/pivoted.h"
#include "data_check.h"

#include <limits.h>
#include <string.h>

/// A copy of a problem in its form.
static stc_error copy_problem(const stc_problem *p, stc_problem **copy) {
  stc_local_data local = stc_problem_local_data(p);
  stc_global_data global = stc_problem_global_data(p);
  stc_bodies_data bodies = stc_problem_bodies_data(p);
  if (p->form == STC_FORM_BODIES) return stc_problem_create_bodies(&bodies, copy);
  return p->form == STC_FORM_LOCAL ? stc_problem_create_local(&local, copy)
                                   : stc_problem_create_global(&global, copy);
}

/// The sections that belong to a problem once more, for a copy of it that may outlive it.
static stc_error copy_sections(const stc_problem *from, stc_problem *to) {
  stc_cone_section **copy = stc_calloc((size_t)from->sections + 1, sizeof *copy);
  if (!copy) return stc_fail(STC_ERR_MEMORY, "out of memory for the sections of a problem");
  stc_problem_keep_sections(to, copy, from->sections);
  for (int k = 0; k < from->sections; k++)
    STC_TRY(stc_cone_section_copy(from->section[k], &copy[k]));
  for (int c = 0; c < to->contacts; c++)
    for (int k = 0; k < from->sections; k++)
      if (from->law[c].section == from->section[k]) to->law[c].section = copy[k];
  return STC_OK;
}

/// What is not numbers: texts and sections.
static stc_error keep_rest(const stc_problem *from, stc_problem **to) {
  stc_problem_text text = stc_problem_get_text(from);
  stc_error error = stc_problem_set_text(*to, &text);
  if (!error && from->sections) error = copy_sections(from, *to);
  if (error) stc_problem_free(to);
  return error;
}

static stc_error take_convert(stc_arena *arena, int rows, int cols, size_t entries, stc_csr *A) {
  *A = (stc_csr){.rows = rows, .cols = cols};
  A->ptr = STC_TAKE(arena, int, (size_t)rows + 1);
  A->col = STC_TAKE(arena, int, entries);
  A->val = STC_TAKE(arena, double, entries);
  return stc_arena_check(arena);
}

// --- Global to local ---

static void append_rows(const stc_csr *part, int first, stc_csr *A) {
  int at = A->ptr[first], entries = stc_csr_entries(part);
  for (int i = 0; i < part->rows; i++) A->ptr[first + i + 1] = at + part->ptr[i + 1];
  if (!entries) return;
  memcpy(A->col + at, part->col, (size_t)entries * sizeof(int));
  memcpy(A->val + at, part->val, (size_t)entries * sizeof(double));
}

/// The rows and columns of S from the given ones on, up to the given ends.
static stc_error cut(stc_arena *arena, const stc_csr *S, const int rows[2], const int cols[2],
                     stc_csr *part) {
  size_t entries = (size_t)(S->ptr[rows[1]] - S->ptr[rows[0]]);
  STC_TRY(take_convert(arena, rows[1] - rows[0], cols[1] - cols[0], entries, part));
  int at = 0;
  for (int i = rows[0]; i < rows[1]; i++) {
    for (int k = S->ptr[i]; k < S->ptr[i + 1]; k++) {
      if (S->col[k] < cols[0] || S->col[k] >= cols[1]) continue;
      part->col[at] = S->col[k] - cols[0];
      part->val[at++] = S->val[k];
    }
    part->ptr[i - rows[0] + 1] = at;
  }
  return STC_OK;
}

stc_error stc_problem_condense(stc_arena *arena, const stc_problem *p, const stc_blocks *M,
                               stc_condensation *out) {
  *out = (stc_condensation){0};
  if (p->equalities == 0) return stc_condense(arena, M, &p->H, &out->W);
  stc_csr A, S;
  // A = [ H ; G ].
  size_t entries = (size_t)stc_csr_entries(&p->H) + (size_t)stc_csr_entries(&p->G);
  if (entries > INT_MAX)
    return stc_fail(STC_ERR_MEMORY, "H and G have %zu entries together, more than %d", entries,
                    INT_MAX);
  STC_TRY(take_convert(arena, p->size + p->equalities, p->dofs, entries, &A));
  append_rows(&p->H, 0, &A);
  append_rows(&p->G, p->size, &A);
  STC_TRY(stc_condense(arena, M, &A, &S));
  // S = [ W V ; V^T R ].
  const int contacts[2] = {0, p->size}, joints[2] = {p->size, p->size + p->equalities};
  STC_TRY(cut(arena, &S, contacts, contacts, &out->W));
  STC_TRY(cut(arena, &S, contacts, joints, &out->V));
  return cut(arena, &S, joints, joints, &out->R);
}

/// z = z0 - B M^-1 f, where vf = M^-1 f.
static stc_error free_velocity(stc_arena *arena, const stc_csr *B, const double *vf,
                               const double *z0, const double **z) {
  double *sum = STC_TAKE(arena, double, B->rows);
  STC_TRY(stc_arena_check(arena));
  stc_csr_multiply(B, vf, 0, sum);
  for (int i = 0; i < B->rows; i++) sum[i] = z0[i] - sum[i];
  *z = sum;
  return STC_OK;
}

static stc_error condense(stc_arena *arena, const stc_problem *p, const stc_blocks *M,
                          stc_local_data *data) {
  stc_condensation matrix;
  double *vf = STC_TAKE(arena, double, p->dofs);
  STC_TRY(stc_problem_condense(arena, p, M, &matrix));
  data->W = stc_csr_view(&matrix.W);
  data->V = stc_csr_view(&matrix.V);
  data->R = stc_csr_view(&matrix.R);
  STC_TRY(stc_condense_solve(M, p->f, vf));
  STC_TRY(free_velocity(arena, &p->H, vf, p->w, &data->q));
  return free_velocity(arena, &p->G, vf, p->b, &data->s);
}

static stc_error create_condensed(const stc_problem *p, stc_problem **local) {
  stc_arena arena = {0};
  stc_blocks *M = NULL;
  stc_local_data data = {.dim = p->dim,
                         .contacts = p->contacts,
                         .equalities = p->equalities,
                         .mu = p->mu,
                         .mu2 = p->mu2,
                         .law = p->any_law ? p->law : NULL};
  stc_error error = stc_blocks_create(&p->M, &M);
  if (!error) error = condense(&arena, p, M, &data);
  stc_blocks_free(&M);
  if (!error) error = stc_problem_create_local(&data, local);
  stc_arena_free(&arena);
  return error;
}

stc_error stc_problem_to_local(const stc_problem *problem, stc_problem **local) {
  *local = NULL;
  stc_problem *own = NULL;
  const stc_problem *rows = NULL;
  STC_TRY(stc_problem_with_rows(problem, &own, &rows));
  bool is_local = problem->form == STC_FORM_LOCAL;
  stc_error error = is_local ? copy_problem(rows, local) : create_condensed(rows, local);
  stc_problem_free(&own);
  return error ? error : keep_rest(problem, local);
}

// --- Bodies to global, and back ---

static stc_error write_rows(stc_arena *arena, const stc_problem *p, stc_problem **global) {
  stc_csr M, H;
  STC_TRY(stc_body_masses_sparse(arena, p, &M));
  STC_TRY(stc_body_rows_sparse(arena, &p->H_bodies, p->dofs, &H));
  stc_global_data data = stc_problem_global_data(p);
  data.M = stc_csr_view(&M);
  data.H = stc_csr_view(&H);
  data.G = stc_csr_view(&p->G);
  return stc_problem_create_global(&data, global);
}

static stc_error create_rows(const stc_problem *p, stc_problem **global) {
  stc_arena arena = {0};
  stc_error error = write_rows(&arena, p, global);
  stc_arena_free(&arena);
  return error;
}

static stc_error check_uniform(const stc_bodies *b) {
  if (b->count == 0)
    return stc_fail(STC_ERR_UNSUPPORTED,
                    "M is not made of the blocks of bodies; the problem stays in the global form");
  for (int k = 0; k < b->count; k++)
    if (stc_body_size(b, k) != stc_body_size(b, 0))
      return stc_fail(STC_ERR_UNSUPPORTED,
                      "body %d (with row %d of M) has %d degrees of freedom, body 0 has %d; the "
                      "bodies form wants one number for all",
                      k, b->dof[b->ptr[k]], stc_body_size(b, k), stc_body_size(b, 0));
  for (int k = 0; k < b->dofs; k++)
    if (b->dof[k] != k)
      return stc_fail(STC_ERR_UNSUPPORTED,
                      "the degrees of freedom of a body are not in a row: M couples others between "
                      "them, see row %d",
                      b->dof[k]);
  return STC_OK;
}

/// Adds body b to those of a group, in the order of their appearance; its side, or `sides` where
/// there is no room.
static int side_of(int *list, int sides, int b) {
  int side = 0;
  while (side < sides && list[side] >= 0 && list[side] != b) side++;
  if (side < sides) list[side] = b;
  return side;
}

/// Two bodies a row are the rule.
static int count_sides(const stc_csr *A, int dim, int width) {
  for (int g = 0; g < A->rows / dim; g++) {
    int pair[2] = {-1, -1};
    for (int e = A->ptr[g * dim]; e < A->ptr[(g + 1) * dim]; e++)
      if (A->val[e] != 0 && side_of(pair, 2, A->col[e] / width) == 2) return STC_BODY_SIDES;
  }
  return 2;
}

/// Row i of A goes into its group; refuses more bodies than the form knows.
static stc_error scatter_row(const stc_csr *A, int i, const stc_body_matrix *rows, int *body,
                             double *block) {
  int dim = rows->dim, n = rows->width, group = i / dim;
  for (int e = A->ptr[i]; e < A->ptr[i + 1]; e++) {
    int b = A->col[e] / n, *list = body + rows->sides * (ptrdiff_t)group;
    if (A->val[e] == 0) continue;
    int side = side_of(list, rows->sides, b);
    if (side == rows->sides)
      return stc_fail(STC_ERR_UNSUPPORTED,
                      "row %d touches bodies %d, %d, %d, %d and %d; the bodies form knows %d", i,
                      list[0], list[1], list[2], list[3], b, STC_BODY_SIDES);
    block[((size_t)rows->sides * (size_t)group + (size_t)side) * (size_t)(dim * n) +
          (size_t)(A->col[e] % n * dim + i % dim)] = A->val[e];
  }
  return STC_OK;
}

static stc_error scatter(stc_arena *arena, const stc_csr *A, int dim, int width,
                         stc_body_matrix *rows) {
  *rows = (stc_body_matrix){
      .count = A->rows / dim, .dim = dim, .width = width, .sides = count_sides(A, dim, width)};
  size_t pairs = (size_t)rows->sides * (size_t)rows->count;
  int *body = STC_TAKE_RAW(arena, int, pairs);
  double *block = STC_TAKE(arena, double, pairs *(size_t)(dim * width));
  STC_TRY(stc_arena_check(arena));
  for (size_t k = 0; k < pairs; k++) body[k] = -1;
  for (int i = 0; i < A->rows; i++) STC_TRY(scatter_row(A, i, rows, body, block));
  rows->rows = (stc_body_rows){body, block, rows->sides};
  return STC_OK;
}

static stc_error read_bodies(stc_arena *arena, const stc_problem *p, stc_problem **bodies) {
  STC_TRY(check_uniform(&p->bodies));
  int n = stc_body_size(&p->bodies, 0);
  stc_body_matrix H, G;
  STC_TRY(scatter(arena, &p->H, p->dim, n, &H));
  STC_TRY(scatter(arena, &p->G, 1, n, &G));
  double *M = STC_TAKE(arena, double, (size_t)p->dofs *(size_t)n);
  STC_TRY(stc_arena_check(arena));
  for (int i = 0; i < p->dofs; i++)
    for (int e = p->M.ptr[i]; e < p->M.ptr[i + 1]; e++)
      if (p->M.val[e] != 0) M[(size_t)p->M.col[e] * (size_t)n + (size_t)(i % n)] = p->M.val[e];
  stc_bodies_data data = stc_problem_bodies_data(p);
  data.bodies = p->bodies.count;
  data.width = n;
  data.M = M;
  data.H = H.rows;
  data.G = G.rows;
  return stc_problem_create_bodies(&data, bodies);
}

stc_error stc_problem_to_bodies(const stc_problem *problem, stc_problem **bodies) {
  *bodies = NULL;
  if (problem->form == STC_FORM_LOCAL)
    return stc_fail(STC_ERR_UNSUPPORTED, "the local form tells nothing of the bodies: M is gone");
  bool copied = problem->form == STC_FORM_BODIES;
  stc_arena arena = {0};
  stc_error error = copied ? copy_problem(problem, bodies) : read_bodies(&arena, problem, bodies);
  stc_arena_free(&arena);
  return error ? error : keep_rest(problem, bodies);
}

// --- Local to global ---

/// H = L without its zeros; L [size x rank] by columns.
static stc_error compress(stc_arena *arena, int size, int rank, const double *L, stc_csr *H) {
  size_t n = (size_t)size, entries = 0;
  for (size_t k = 0; k < n * (size_t)rank; k++) entries += L[k] != 0;
  STC_TRY(take_convert(arena, size, rank, entries, H));
  int at = 0;
  for (int i = 0; i < size; i++) {
    for (int j = 0; j < rank; j++) {
      double value = L[(size_t)j * n + (size_t)i];
      if (value == 0) continue;
      H->col[at] = j;
      H->val[at++] = value;
    }
    H->ptr[i + 1] = at;
  }
  return STC_OK;
}

/// An asymmetric W belongs to masses with gyroscopic terms, which it does not tell.
static stc_error check_W(const stc_csr *W) {
  int row, col;
  double gap = stc_csr_asymmetry(W, &row, &col);
  if (!(gap > STC_SYMMETRY_TOLERANCE * stc_csr_largest(W))) return STC_OK;
  return stc_fail(STC_ERR_VALUE,
                  "W(%d, %d) = %.17g but W(%d, %d) = %.17g: only a symmetric W has a global form "
                  "with unit masses; solve, certify and force ranges take it as it is",
                  row, col, stc_csr_entry(W, row, col), col, row, stc_csr_entry(W, col, row));
}

static stc_error expand(stc_arena *arena, const stc_problem *p, stc_problem **global) {
  int rank;
  double *L;
  stc_csr M, H;
  STC_TRY(check_W(&p->W));
  STC_TRY(stc_pivoted_cholesky(arena, "W", &p->W, &rank, &L));
  STC_TRY(compress(arena, p->size, rank, L, &H));
  STC_TRY(take_convert(arena, rank, rank, (size_t)rank, &M));
  for (int i = 0; i < rank; i++) {
    M.ptr[i + 1] = i + 1;
    M.col[i] = i;
    M.val[i] = 1;
  }
  double *f = STC_TAKE(arena, double, rank);
  STC_TRY(stc_arena_check(arena));
  stc_global_data data = {.dim = p->dim,
                          .contacts = p->contacts,
                          .dofs = rank,
                          .M = stc_csr_view(&M),
                          .H = stc_csr_view(&H),
                          .f = f,
                          .w = p->q,
                          .mu = p->mu,
                          .mu2 = p->mu2,
                          .law = p->any_law ? p->law : NULL};
  return stc_problem_create_global(&data, global);
}

static stc_error create_expanded(const stc_problem *p, stc_problem **global) {
  if (p->equalities)
    return stc_fail(STC_ERR_UNSUPPORTED,
                    "the problem has %d joint equations; only a local problem without joints has a "
                    "global form with M = I",
                    p->equalities);
  stc_arena arena = {0};
  stc_error error = expand(&arena, p, global);
  stc_arena_free(&arena);
  return error;
}

stc_error stc_problem_to_global(const stc_problem *problem, stc_problem **global) {
  *global = NULL;
  STC_TRY(problem->form == STC_FORM_GLOBAL   ? copy_problem(problem, global)
          : problem->form == STC_FORM_BODIES ? create_rows(problem, global)
                                             : create_expanded(problem, global));
  return keep_rest(problem, global);
}
