// Patterns of the Newton systems: contacts coupled through W, or bodies that share a contact.
#include "jacobian_pattern.h"

#include "../../base/fail.h"

#include <limits.h>
#include <string.h>

// ---- over contacts ----

// Symmetric pattern of W: entry (i, j) where W_ij or W_ji is stored.
static int count_pairs(const stc_bsr *W, int *count, int *mark) {
  long total = 0;
  memset(count, 0, (size_t)(W->rows + 1) * sizeof *count);
  for (int i = 0; i < W->rows; i++) mark[i] = -1;
  for (int i = 0; i < W->rows; i++)
    for (int e = W->ptr[i]; e < W->ptr[i + 1]; e++) {
      count[i]++;
      count[W->col[e]]++;
      total += 2;
    }
  return total > INT_MAX ? -1 : (int)total;
}

static void insert_pairs(const stc_bsr *W, int *fill, int *adj, int *source) {
  for (int i = 0; i < W->rows; i++)
    for (int e = W->ptr[i]; e < W->ptr[i + 1]; e++) {
      int j = W->col[e];
      adj[fill[i]] = j;
      source[fill[i]++] = e;
      adj[fill[j]] = i;
      source[fill[j]++] = -1;
    }
}

static void sort_row(int *adj, int *source, int n) {
  for (int i = 1; i < n; i++) {
    int a = adj[i], s = source[i], j = i;
    for (; j > 0 && (adj[j - 1] > a || (adj[j - 1] == a && source[j - 1] < s)); j--) {
      adj[j] = adj[j - 1];
      source[j] = source[j - 1];
    }
    adj[j] = a;
    source[j] = s;
  }
}

// Each row sorted, the stored block first among equals; equals are then dropped.
static int compress_row(const int *adj, const int *source, int n, int *adj_out, int *source_out) {
  int kept = 0;
  for (int k = 0; k < n; k++) {
    if (kept && adj_out[kept - 1] == adj[k]) continue;
    adj_out[kept] = adj[k];
    source_out[kept++] = source[k];
  }
  return kept;
}

static bool has_symmetric_pattern(const stc_bsr *W, int *next) {
  for (int i = 0; i < W->rows; i++) next[i] = W->ptr[i];
  for (int i = 0; i < W->rows; i++)  // rows in order meet the columns of row j in order
    for (int e = W->ptr[i]; e < W->ptr[i + 1]; e++) {
      int j = W->col[e];
      if (next[j] == W->ptr[j + 1] || W->col[next[j]] != i) return false;
      next[j]++;
    }
  return true;
}

static void copy_pattern(stc_arena *arena, const stc_bsr *W, stc_jacobian *J) {
  int blocks = W->ptr[W->rows];
  J->ptr = W->ptr;
  J->adj = W->col;
  J->source = STC_TAKE_RAW(arena, int, blocks);
  for (int e = 0; J->source && e < blocks; e++) J->source[e] = e;
}

static stc_error symmetrise(stc_arena *arena, const stc_bsr *W, stc_jacobian *J, int *count,
                            int *mark) {
  int total = count_pairs(W, count, mark), at = 0;
  if (total < 0) return stc_fail(STC_ERR_DIMENSION, "W has too many blocks for its pattern");
  J->ptr = STC_TAKE_RAW(arena, int, W->rows + 1);
  J->adj = STC_TAKE_RAW(arena, int, total);
  J->source = STC_TAKE_RAW(arena, int, total);
  STC_TRY(stc_arena_check(arena));
  for (int i = 0, start = 0; i <= W->rows; i++) {
    int n = i < W->rows ? count[i] : 0;
    J->ptr[i] = mark[i] = start;
    start += n;
  }
  insert_pairs(W, mark, J->adj, J->source);
  for (int i = 0, begin = 0; i < W->rows; i++) {
    int n = J->ptr[i + 1] - begin;
    sort_row(J->adj + begin, J->source + begin, n);
    int kept = compress_row(J->adj + begin, J->source + begin, n, J->adj + at, J->source + at);
    begin = J->ptr[i + 1];
    J->ptr[i] = at;
    at += kept;
  }
  J->ptr[W->rows] = at;
  return STC_OK;
}

stc_error stc_jacobian_contact_pattern(stc_arena *arena, stc_jacobian *J) {
  const stc_bsr *W = &J->problem->W;
  int *count = STC_TAKE_RAW(arena, int, W->rows + 1), *mark = STC_TAKE_RAW(arena, int, W->rows + 1);
  STC_TRY(stc_arena_check(arena));
  if (has_symmetric_pattern(W, mark))
    copy_pattern(arena, W, J);
  else
    STC_TRY(symmetrise(arena, W, J, count, mark));
  J->size = STC_TAKE_RAW(arena, int, W->rows);
  for (int i = 0; J->size && i < W->rows; i++) J->size[i] = W->dim;
  return stc_arena_check(arena);
}

// ---- over bodies ----

// Bodies that share a contact with body b, b among them, each once and in increasing order.
static int neighbours(const stc_bodies *bodies, int b, int *mark, int *out) {
  int n = 0;
  mark[b] = b;
  out[n++] = b;
  for (int k = bodies->on_ptr[b]; k < bodies->on_ptr[b + 1]; k++) {
    int c = bodies->touch_contact[bodies->on_touch[k]];
    for (int t = bodies->touch_ptr[c]; t < bodies->touch_ptr[c + 1]; t++) {
      int other = bodies->touch_body[t];
      if (mark[other] == b) continue;
      mark[other] = b;
      int j = n++;
      for (; j > 0 && out[j - 1] > other; j--) out[j] = out[j - 1];
      out[j] = other;
    }
  }
  return n;
}

static stc_error list_neighbours(stc_arena *arena, stc_jacobian *J, int *mark, int *row) {
  const stc_bodies *b = &J->problem->bodies;
  long total = 0;
  J->ptr = STC_TAKE_RAW(arena, int, b->count + 1);
  STC_TRY(stc_arena_check(arena));
  J->ptr[0] = 0;
  for (int i = 0; i < b->count; i++) mark[i] = -1;
  for (int i = 0; i < b->count; i++) {
    total += neighbours(b, i, mark, row);
    if (total > INT_MAX) return stc_fail(STC_ERR_DIMENSION, "the body graph has too many edges");
    J->ptr[i + 1] = (int)total;
  }
  J->adj = STC_TAKE_RAW(arena, int, total);
  STC_TRY(stc_arena_check(arena));
  for (int i = 0; i < b->count; i++) mark[i] = -1;
  for (int i = 0; i < b->count; i++) neighbours(b, i, mark, J->adj + J->ptr[i]);
  return STC_OK;
}

static int find_entry(const stc_jacobian *J, int i, int j) {
  return stc_first_from(J->adj, J->ptr[i], J->ptr[i + 1] - 1, j);
}

// place[...] = pattern entry of each ordered pair of bodies of each contact.
static stc_error place_pairs(stc_arena *arena, stc_jacobian *J) {
  const stc_bodies *b = &J->problem->bodies;
  int contacts = J->problem->contacts, at = 0;
  J->place_ptr = STC_TAKE_RAW(arena, int, contacts + 1);
  STC_TRY(stc_arena_check(arena));
  J->place_ptr[0] = 0;
  for (int c = 0; c < contacts; c++) {
    int n = b->touch_ptr[c + 1] - b->touch_ptr[c];
    J->place_ptr[c + 1] = J->place_ptr[c] + n * n;
  }
  J->place = STC_TAKE_RAW(arena, int, J->place_ptr[contacts]);
  STC_TRY(stc_arena_check(arena));
  for (int c = 0; c < contacts; c++)
    for (int s = b->touch_ptr[c]; s < b->touch_ptr[c + 1]; s++)
      for (int t = b->touch_ptr[c]; t < b->touch_ptr[c + 1]; t++)
        J->place[at++] = find_entry(J, b->touch_body[s], b->touch_body[t]);
  return STC_OK;
}

stc_error stc_jacobian_body_pattern(stc_arena *arena, stc_jacobian *J) {
  const stc_bodies *b = &J->problem->bodies;
  int *mark = STC_TAKE_RAW(arena, int, b->count), *row = STC_TAKE_RAW(arena, int, b->count);
  STC_TRY(stc_arena_check(arena));
  STC_TRY(list_neighbours(arena, J, mark, row));
  J->size = STC_TAKE_RAW(arena, int, b->count);
  STC_TRY(stc_arena_check(arena));
  for (int i = 0; i < b->count; i++) J->size[i] = b->ptr[i + 1] - b->ptr[i];
  return place_pairs(arena, J);
}

size_t stc_jacobian_pattern_room(int contacts, int nodes, int pairs) {
  size_t n = (size_t)nodes, p = (size_t)pairs;
  return 4 * stc_arena_cost(n + 1, sizeof(int)) + 2 * stc_arena_cost(n + p, sizeof(int)) +
         stc_arena_cost((size_t)contacts + 1, sizeof(int)) + stc_arena_cost(p, sizeof(int));
}
