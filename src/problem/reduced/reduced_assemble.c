// W from the bodies: W_ij = sum over shared bodies b of H_ib Y_jb. Where M is symmetric, the blocks
// on and above the diagonal are computed and the others are their mirror, so that W is symmetric
// bit for bit.
#include "reduced_parts.h"

#include "../../base/stop.h"

#include <limits.h>
#include <string.h>

// Operations of a row of W whose blocks are counted, and of one that is filled, about.
static const double ROW_COUNTED = 200, ROW_FILLED = 1000;

size_t stc_reduced_blocks(const stc_reduced *reduced) { return reduced->blocks; }

/// Columns, sorted without sorting: rows taken in order append themselves below the diagonal of
/// their partners; rows taken in order again append themselves above it.
static void fill_columns(const stc_reduced *reduced, int *seen, int *list, int *next, stc_bsr *W) {
  for (int i = 0; i < W->rows; i++) next[i] = W->ptr[i], seen[i] = -1;
  for (int i = 0; i < W->rows && !stc_stop_due(ROW_COUNTED); i++) {
    int count = stc_bodies_partners(&reduced->bodies, i, seen, list);
    for (int k = 0; k < count; k++) W->col[next[list[k]]++] = i;
  }
  if (stc_stop_due(0)) return;  // what follows reads all of these
  for (int i = 0; i < W->rows; i++) next[i] = W->diag[i] + 1, W->col[W->diag[i]] = i;
  for (int j = 0; j < W->rows; j++)
    for (int k = W->ptr[j]; k < W->diag[j]; k++) W->col[next[W->col[k]]++] = j;
}

static void mirror(int dim, const double *block, double *mirrored) {
  for (int l = 0; l < dim; l++)
    for (int k = 0; k < dim; k++) mirrored[k * dim + l] = block[l * dim + k];
}

/// Copies row i above the diagonal to the rows below; next[j] is the next free place of row j.
static void mirror_row(int i, int *next, stc_bsr *W) {
  size_t area = (size_t)(W->dim * W->dim);
  // The lower triangle of a diagonal block becomes the mirror of the upper one.
  int dim = W->dim;
  double *block = W->val + (size_t)W->diag[i] * area;
  for (int l = 0; l < dim; l++)
    for (int k = 0; k < l; k++) block[k * dim + l] = block[l * dim + k];
  for (int k = W->diag[i] + 1; k < W->ptr[i + 1]; k++) {
    int below = next[W->col[k]]++;
    mirror(W->dim, W->val + (size_t)k * area, W->val + (size_t)below * area);
  }
}

static void fill_values(const stc_reduced *reduced, int *at, int *next, stc_bsr *W) {
  bool symmetric = reduced->bodies.symmetric;
  for (int i = 0; i < W->rows; i++) next[i] = W->ptr[i];
  for (int i = 0; i < W->rows && !stc_stop_due(ROW_FILLED); i++) {
    // Row i, from the diagonal on or whole: at[j] is the position of block (i, j).
    bool whole = !symmetric;
    const stc_bodies *bodies = &reduced->bodies;
    size_t area = (size_t)(W->dim * W->dim);
    for (int k = W->ptr[i]; k < W->ptr[i + 1]; k++) at[W->col[k]] = k;
    for (int t = bodies->touch_ptr[i]; t < bodies->touch_ptr[i + 1]; t++) {
      int b = bodies->touch_body[t];
      int first = whole ? bodies->on_ptr[b] : stc_bodies_first_from(bodies, b, t);
      for (int k = first; k < bodies->on_ptr[b + 1]; k++) {
        int other = bodies->on_touch[k];
        stc_bodies_add_block(bodies, t, other,
                             W->val + (size_t)at[bodies->touch_contact[other]] * area);
      }
    }
    if (symmetric) mirror_row(i, next, W);
  }
}

static stc_error take_matrix(stc_reduced *reduced, size_t blocks, const int *below,
                             const int *above, stc_bsr *W) {
  stc_arena *arena = &reduced->arena;
  if (blocks > INT_MAX)
    return stc_fail(STC_ERR_UNSUPPORTED,
                    "W would have %zu blocks, more than %d: use a method that keeps body "
                    "velocities (nsgs.matrix_free = 1)",
                    blocks, INT_MAX);
  STC_TRY(stc_bsr_take(arena, reduced->contacts, reduced->dim, blocks, true, W));
  for (int i = 0; i < W->rows; i++) {
    W->diag[i] = W->ptr[i] + below[i];
    W->ptr[i + 1] = W->diag[i] + 1 + above[i];
  }
  return STC_OK;
}

static stc_error assemble(stc_reduced *reduced, stc_arena *scratch) {
  int contacts = reduced->contacts;
  int *seen = STC_TAKE(scratch, int, contacts), *list = STC_TAKE(scratch, int, contacts);
  int *below = STC_TAKE(scratch, int, contacts), *above = STC_TAKE(scratch, int, contacts);
  STC_TRY(stc_arena_check(scratch));
  stc_bsr W;
  for (int c = 0; c < contacts; c++) seen[c] = -1;
  // Row lengths below and above the diagonal.
  size_t blocks = (size_t)reduced->contacts;
  for (int i = 0; i < reduced->contacts && !stc_stop_due(ROW_COUNTED); i++) {
    above[i] = stc_bodies_partners(&reduced->bodies, i, seen, list);
    for (int k = 0; k < above[i]; k++) below[list[k]]++;
    blocks += 2 * (size_t)above[i];
  }
  STC_TRY(stc_stop_try(0));
  STC_TRY(take_matrix(reduced, blocks, below, above, &W));
  fill_columns(reduced, seen, list, below, &W);
  STC_TRY(stc_stop_try(0));
  fill_values(reduced, seen, below, &W);
  STC_TRY(stc_stop_try(0));
  reduced->W = W;
  reduced->has_W = true;
  reduced->blocks = blocks;
  return STC_OK;
}

stc_error stc_reduced_assemble(stc_reduced *reduced) {
  if (reduced->has_W) return STC_OK;
  stc_arena scratch = {0};
  stc_error error = assemble(reduced, &scratch);
  stc_arena_free(&scratch);
  return error;
}

// Redundant: this many blocks of W per row, or this many rows per degree of freedom.
static const double REDUNDANT_BLOCKS = 15, REDUNDANT_ROWS = 1.3;

bool stc_reduced_redundant(const stc_reduced *p) {
  if ((double)stc_reduced_blocks(p) > REDUNDANT_BLOCKS * p->contacts) return true;
  return p->bodies.count && p->size > REDUNDANT_ROWS * p->bodies.dofs;
}
