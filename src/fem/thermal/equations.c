// The linear systems of Newton's method on fields: entries in any order, scaled, factorised by LU.
//   D J S y = -D R,   step = S y,   S_ii = 1 / sqrt(|J_ii|) or given, D_ii = 1 / largest |J S| of
//   row i
#include "equations.h"
#include "../../base/fail.h"

#include <math.h>
#include <string.h>

// A field that nothing holds keeps its value: this part of the largest entry of a row stands in for
// what is missing. It multiplies the step, which vanishes.
#define FLOATING 1e-12

stc_error stc_equations_create(stc_equations *e, const stc_unknowns *n, int count,
                               const int *node) {
  size_t size = (size_t)count;
  *e = (stc_equations){.n = *n, .count = count, .node = node};
  e->R = stc_calloc(size, sizeof *e->R);
  e->scale = stc_calloc(size, sizeof *e->scale);
  e->step = stc_calloc(size, sizeof *e->step);
  e->unit = stc_calloc(size, sizeof *e->unit);
  e->given = stc_calloc(size, sizeof *e->given);
  if (e->R && e->scale && e->step && e->unit && e->given) return STC_OK;
  stc_equations_free(e);
  return stc_fail(STC_ERR_MEMORY, "out of memory for %d thermal unknowns", count);
}

void stc_equations_free(stc_equations *e) {
  stc_release(&e->R);
  stc_release(&e->scale);
  stc_release(&e->step);
  stc_release(&e->unit);
  stc_release(&e->given);
  stc_release(&e->row);
  stc_release(&e->col);
  stc_release(&e->val);
}

void stc_equations_clear(stc_equations *e, bool jacobian) {
  memset(e->R, 0, (size_t)e->count * sizeof *e->R);
  memset(e->scale, 0, (size_t)e->count * sizeof *e->scale);
  e->entries = 0;
  e->jacobian = jacobian;
}

static bool grow_entries(stc_equations *e) {
  size_t used = (size_t)e->entries, room = 2 * (size_t)e->room + 1024;
  if (room > INT32_MAX || !stc_grow(&e->row, used, room, sizeof *e->row) ||
      !stc_grow(&e->col, used, room, sizeof *e->col) ||
      !stc_grow(&e->val, used, room, sizeof *e->val))
    return false;
  e->room = (int)room;
  return true;
}

void stc_equations_entry(stc_equations *e, int row, int col, double value) {
  if (!e->jacobian || e->given[row] || e->given[col] || e->short_of_memory) return;
  if (e->entries == e->room && !grow_entries(e)) {
    e->short_of_memory = true;
    return;
  }
  e->row[e->entries] = row;
  e->col[e->entries] = col;
  e->val[e->entries++] = value;
}

// --- Solving ---

typedef struct scaled {
  stc_arena arena;
  stc_csr J;  // on a symmetric pattern with a full diagonal
  double *S, *b, *x;
} scaled;

// The entries, a zero at the mirrored place of each, and the diagonal.
static stc_error gather_entries(stc_equations *e, scaled *s) {
  size_t total = 2 * (size_t)e->entries + (size_t)e->count;
  if (total > INT32_MAX)
    return stc_fail(STC_ERR_MEMORY, "the thermal problem has too many entries: %zu", total);
  int *row = STC_TAKE_RAW(&s->arena, int, total), *col = STC_TAKE_RAW(&s->arena, int, total);
  double *val = STC_TAKE(&s->arena, double, total);
  STC_TRY(stc_arena_check(&s->arena));
  int at = 0;
  for (int k = 0; k < e->entries; k++) {
    row[at] = e->row[k], col[at] = e->col[k], val[at++] = e->val[k];
    row[at] = e->col[k], col[at++] = e->row[k];
  }
  for (int i = 0; i < e->count; i++) row[at] = col[at] = i, val[at++] = e->given[i];
  const stc_matrix triplets = {e->count, e->count, at, STC_STORAGE_TRIPLET, col, row, val};
  return stc_csr_sum(&s->arena, &triplets, false, &s->J);
}

// Columns in the size of their unknowns, rows by their largest entry.
static void scale_entries(const stc_equations *e, scaled *s) {
  const stc_csr *J = &s->J;
  for (int i = 0; i < e->count; i++)
    for (int k = J->ptr[i]; k < J->ptr[i + 1]; k++)
      if (J->col[k] == i) s->S[i] = J->val[k] != 0 ? 1 / sqrt(fabs(J->val[k])) : 1;
  for (int i = 0; i < e->count; i++)
    if (e->unit[i] > 0 && !e->given[i]) s->S[i] = e->unit[i];
  for (int i = 0; i < e->count; i++) {
    double largest = 0;
    for (int k = J->ptr[i]; k < J->ptr[i + 1]; k++)
      largest = fmax(largest, fabs(J->val[k] *= s->S[J->col[k]]));
    double R = largest > 0 ? 1 / largest : 1;
    for (int k = J->ptr[i]; k < J->ptr[i + 1]; k++) {
      J->val[k] *= R;
      if (J->col[k] == i) J->val[k] += FLOATING;
    }
    s->b[i] = e->given[i] ? 0 : -e->R[i] * R;
  }
}

static stc_error solve_scaled(stc_equations *e, scaled *s, double memory) {
  STC_TRY(gather_entries(e, s));
  s->S = STC_TAKE(&s->arena, double, e->count);
  s->b = STC_TAKE(&s->arena, double, e->count);
  s->x = STC_TAKE(&s->arena, double, e->count);
  STC_TRY(stc_arena_check(&s->arena));
  scale_entries(e, s);
  const stc_sparse_hints hints = {
      .kind = STC_SPARSE_LU, .node = e->node, .memory = memory, .threads = 1};
  stc_sparse_solver *lu = NULL;
  stc_error error = stc_sparse_create(&s->J, &hints, &lu);
  if (!error) error = stc_sparse_factorise(lu, s->J.val);
  if (!error) error = stc_sparse_solve(lu, 1, s->b, s->x, 0, NULL);
  stc_sparse_free(&lu);
  for (int i = 0; !error && i < e->count; i++) {
    e->step[i] = s->x[i] * s->S[i];
    if (!isfinite(e->step[i]))
      error = stc_fail(STC_ERR_NUMERIC, "a step of Newton's method on the fields is infinite");
  }
  return error;
}

stc_error stc_equations_solve(stc_equations *e, double memory) {
  if (e->short_of_memory)
    return stc_fail(STC_ERR_MEMORY, "out of memory for %d entries of the thermal problem", e->room);
  scaled s = {0};
  stc_error error = solve_scaled(e, &s, memory);
  stc_arena_free(&s.arena);
  return error;
}

double stc_equations_residual(const stc_equations *e, int first, int end, double least) {
  double worst = 0, size = least;
  for (int i = first; i < end; i++) {
    size = fmax(size, e->scale[i]);
    if (!e->given[i]) worst = fmax(worst, fabs(e->R[i]));
  }
  if (!isfinite(worst)) return INFINITY;
  return size > 0 ? worst / size : worst;
}
