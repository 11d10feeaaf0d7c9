// A uniform grid of buckets over boxes; a box is listed in every bucket it touches.
#include "../../base/fail.h"
#include "mortar.h"

#include <math.h>

static bool boxes_meet(const stc_bucket_box *a, const stc_bucket_box *b) {
  for (int i = 0; i < 3; i++)
    if (a->low[i] > b->high[i] || b->low[i] > a->high[i]) return false;
  return true;
}

// Buckets along the axes: as wide as the mean box, and no more of them than boxes allow.
static void choose_grid(stc_buckets *g) {
  double mean[3] = {0};
  g->all = g->box[0];
  for (int k = 0; k < g->boxes; k++)
    for (int i = 0; i < 3; i++) {
      g->all.low[i] = fmin(g->all.low[i], g->box[k].low[i]);
      g->all.high[i] = fmax(g->all.high[i], g->box[k].high[i]);
      mean[i] += (g->box[k].high[i] - g->box[k].low[i]) / g->boxes;
    }
  double widest = fmax(mean[0], fmax(mean[1], mean[2]));
  double most = 4.0 * g->boxes + 8;  // buckets
  for (;; widest *= 1.5) {
    double total = 1;
    for (int i = 0; i < 3; i++) {
      double span = g->all.high[i] - g->all.low[i];
      double n = widest > 0 ? fmin(1 + floor(span / widest), 1e6) : 1;
      g->count[i] = (int)n;
      g->width[i] = span > 0 ? span / n : 1;
      total *= n;
    }
    if (total <= most) return;
  }
}

// Buckets a box touches: first and last along each axis; false outside the grid.
static bool range(const stc_buckets *g, const stc_bucket_box *b, int first[3], int last[3]) {
  if (!boxes_meet(&g->all, b)) return false;
  for (int i = 0; i < 3; i++) {
    double lo = floor((b->low[i] - g->all.low[i]) / g->width[i]);
    double hi = floor((b->high[i] - g->all.low[i]) / g->width[i]);
    first[i] = (int)fmax(0, fmin(lo, g->count[i] - 1));
    last[i] = (int)fmax(0, fmin(hi, g->count[i] - 1));
  }
  return true;
}

static int number(const stc_buckets *g, int i, int j, int k) {
  return (k * g->count[1] + j) * g->count[0] + i;
}

// Adds a box to its buckets: counts in the first pass, places in the second.
static void list(stc_buckets *g, int box, bool place) {
  int f[3], l[3];
  if (!range(g, &g->box[box], f, l)) return;
  for (int k = f[2]; k <= l[2]; k++)
    for (int j = f[1]; j <= l[1]; j++)
      for (int i = f[0]; i <= l[0]; i++) {
        int b = number(g, i, j, k);
        if (place)
          g->item[g->ptr[b + 1]++] = box;
        else
          g->ptr[b + 2]++;
      }
}

stc_error stc_buckets_create(stc_arena *arena, const stc_bucket_box *box, int boxes,
                             stc_buckets *grid) {
  *grid = (stc_buckets){.box = box, .boxes = boxes};
  choose_grid(grid);
  int total = grid->count[0] * grid->count[1] * grid->count[2];
  grid->ptr = STC_TAKE(arena, int, (size_t)total + 2);
  grid->stamp = STC_TAKE(arena, int, boxes);
  grid->found = STC_TAKE(arena, int, boxes);
  STC_TRY(stc_arena_check(arena));
  for (int k = 0; k < boxes; k++) list(grid, k, false);
  for (int b = 0; b < total; b++) grid->ptr[b + 2] += grid->ptr[b + 1];
  grid->item = STC_TAKE(arena, int, grid->ptr[total + 1]);
  STC_TRY(stc_arena_check(arena));
  for (int k = 0; k < boxes; k++) list(grid, k, true);
  return STC_OK;
}

void stc_buckets_begin(stc_buckets *grid) { grid->query++; }

int stc_buckets_add(stc_buckets *g, const stc_bucket_box *box, int found) {
  int f[3], l[3];
  if (!range(g, box, f, l)) return found;
  for (int k = f[2]; k <= l[2]; k++)
    for (int j = f[1]; j <= l[1]; j++)
      for (int i = f[0]; i <= l[0]; i++) {
        int b = number(g, i, j, k);
        for (int p = g->ptr[b]; p < g->ptr[b + 1]; p++) {
          int item = g->item[p];
          if (g->stamp[item] == g->query || !boxes_meet(&g->box[item], box)) continue;
          g->stamp[item] = g->query;
          g->found[found++] = item;
        }
      }
  return found;
}
