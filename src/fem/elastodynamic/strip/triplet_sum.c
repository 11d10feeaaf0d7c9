// Sums entries of two matrices, in any order, to compressed rows.
#include "strip_data.h"

#include <string.h>

#include "../../../base/fail.h"

stc_error stc_pile_create(size_t room, stc_pile *pile) {
  *pile = (stc_pile){.room = room};
  pile->row = stc_calloc(room, sizeof *pile->row);
  pile->col = stc_calloc(room, sizeof *pile->col);
  pile->k = stc_calloc(room, sizeof *pile->k);
  pile->m = stc_calloc(room, sizeof *pile->m);
  if (pile->row && pile->col && pile->k && pile->m) return STC_OK;
  stc_pile_free(pile);
  return stc_fail(STC_ERR_MEMORY, "out of memory for %zu entries of stiffness and mass", room);
}

void stc_pile_free(stc_pile *pile) {
  stc_release(&pile->row);
  stc_release(&pile->col);
  stc_release(&pile->k);
  stc_release(&pile->m);
}

void stc_pile_add(stc_pile *pile, int row, int col, double k, double m) {
  size_t at = pile->count++;
  pile->row[at] = row;
  pile->col[at] = col;
  pile->k[at] = k;
  pile->m[at] = m;
}

// Entries by rows, those of a row in the order they came: order[start[i]] ...
static void sort_rows(const stc_pile *p, int size, size_t *start, size_t *order) {
  for (size_t e = 0; e < p->count; e++) start[p->row[e] + 1]++;
  for (int i = 0; i < size; i++) start[i + 1] += start[i];
  for (size_t e = p->count; e-- > 0;) order[--start[p->row[e] + 1]] = e;
  // every start was moved to the one before
  for (int i = 0; i < size; i++) start[i] = start[i + 1];
  start[size] = p->count;
}

// By columns, stable: a row has few entries.
static void sort_row(const stc_pile *p, size_t count, size_t *order) {
  for (size_t a = 1; a < count; a++) {
    size_t e = order[a], b = a;
    for (; b > 0 && p->col[order[b - 1]] > p->col[e]; b--) order[b] = order[b - 1];
    order[b] = e;
  }
}

/// A matrix while its rows are filled.
typedef struct filled {
  stc_csr *A;
  int count;
} filled;

static void put(filled *to, int col, double value) {
  to->A->col[to->count] = col;
  to->A->val[to->count++] = value;
}

static void sum_row(const stc_pile *p, size_t count, const size_t *order, filled *K, filled *M) {
  for (size_t a = 0; a < count;) {
    int col = p->col[order[a]];
    double k = 0, m = 0;
    for (; a < count && p->col[order[a]] == col; a++) k += p->k[order[a]], m += p->m[order[a]];
    put(K, col, k);
    if (m != 0) put(M, col, m);
  }
}

static stc_error take(stc_arena *arena, int size, size_t entries, stc_csr *A) {
  *A = (stc_csr){.rows = size, .cols = size};
  A->ptr = STC_TAKE(arena, int, (size_t)size + 1);
  A->col = STC_TAKE_RAW(arena, int, entries);
  A->val = STC_TAKE_RAW(arena, double, entries);
  return stc_arena_check(arena);
}

stc_error stc_pile_compress(stc_pile *pile, stc_arena *arena, int size, stc_csr *K, stc_csr *M) {
  STC_TRY(take(arena, size, pile->count, K));
  STC_TRY(take(arena, size, pile->count, M));
  size_t *start = stc_calloc((size_t)size + 1, sizeof *start);
  size_t *order = stc_calloc(pile->count, sizeof *order);
  filled k = {.A = K}, m = {.A = M};
  if (start && order) {
    sort_rows(pile, size, start, order);
    for (int i = 0; i < size; i++) {
      size_t count = start[i + 1] - start[i];
      sort_row(pile, count, order + start[i]);
      sum_row(pile, count, order + start[i], &k, &m);
      K->ptr[i + 1] = k.count;
      M->ptr[i + 1] = m.count;
    }
  }
  bool done = start && order;
  stc_release(&start);
  stc_release(&order);
  return done ? STC_OK : stc_fail(STC_ERR_MEMORY, "out of memory for %d unknowns", size);
}
