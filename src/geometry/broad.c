// Broad phase: boxes are sorted by size into levels of grids whose cells are at least as wide as
// the boxes of the level. Each moving box looks into the cells around it on its own level and on
// all coarser ones; boxes that are infinite or many times wider than the others form a list that
// everybody is compared with. Cells are hashed, and the boxes of a cell are contiguous.
#include <stiction/geometry.h>

#include <math.h>
#include <stdint.h>
#include <string.h>

#include "../base/fail.h"
#include "../base/memory.h"

enum {
  LEVELS = 64,
  BIG = 63  // the level of the boxes that everybody is compared with
};
// Boxes that are compared with all others: cells take more.
enum { FEW = 256 };  // [bound]
// Cells are numbered within this range; a box beyond it, or one that is not finite, is big.
static const double FARTHEST = 1e9;
// Cells are wider than their boxes by more than rounding at the farthest.
static const double ROOM = 1.001;

typedef struct cell_entry {
  int32_t cell[3];
  int32_t box;
  double low[3], high[3];  // a copy: what is compared lies together
} cell_entry;

struct stc_broad {
  int boxes;             // capacity in boxes
  int pairs, most;       // in use, capacity in pairs
  int *pair;             // [most*2]
  int *sorted;           // [most*2]
  unsigned char *level;  // [boxes]
  cell_entry *entry;     // [boxes], by level and bucket
  int *bucket;           // [buckets+LEVELS]: start of each bucket of each level
  int *count;            // [boxes+2], work of the sort
  int buckets;
  int level_boxes[LEVELS], level_start[LEVELS], bucket_start[LEVELS];
  int level_moving[LEVELS];  // boxes that move
  uint32_t level_mask[LEVELS];
  double width[LEVELS];
};

stc_error stc_broad_create(stc_broad **broad) {
  *broad = stc_calloc(1, sizeof **broad);
  return *broad ? STC_OK : stc_fail(STC_ERR_MEMORY, "no memory for a broad phase");
}

void stc_broad_free(stc_broad **broad) {
  if (!*broad) return;
  stc_broad *b = *broad;
  stc_release(&b->pair), stc_release(&b->sorted), stc_release(&b->level);
  stc_release(&b->entry), stc_release(&b->bucket), stc_release(&b->count);
  stc_release(broad);
}

static stc_error grow_boxes(stc_broad *b, int count) {
  if (count <= b->boxes) return STC_OK;
  size_t room = (size_t)count + (size_t)count / 4;
  stc_release(&b->level), stc_release(&b->entry);
  stc_release(&b->bucket), stc_release(&b->count);
  b->boxes = 0;
  b->level = stc_calloc(room, sizeof *b->level);
  b->entry = stc_calloc(room, sizeof *b->entry);
  b->bucket = stc_calloc(4 * room + 5 * LEVELS, sizeof *b->bucket);
  b->count = stc_calloc(room + 2, sizeof *b->count);
  if (!b->level || !b->entry || !b->bucket || !b->count)
    return stc_fail(STC_ERR_MEMORY, "broad phase: no memory for %d boxes", count);
  b->boxes = (int)room;
  return STC_OK;
}

// Pairs beyond which most boxes lie inside each other: what they take is out of proportion.
enum { MOST_PAIRS = 4000000, MOST_PER_BOX = 300 };

static stc_error grow_pairs(stc_broad *b) {
  double most = fmin(MOST_PAIRS + (double)MOST_PER_BOX * b->boxes, INT32_MAX / 4);
  if (b->most > most)
    return stc_fail(STC_ERR_VALUE,
                    "more than %d pairs of shapes are near each other: they lie inside each other; "
                    "move them apart",
                    b->most);
  size_t room = b->most ? 2 * (size_t)b->most : 1024;
  int *pair = stc_calloc(room, 2 * sizeof *pair), *sorted = stc_calloc(room, 2 * sizeof *sorted);
  if (!pair || !sorted) {
    stc_release(&pair), stc_release(&sorted);
    return stc_fail(STC_ERR_MEMORY, "broad phase: no memory for %zu pairs", room);
  }
  if (b->pairs) memcpy(pair, b->pair, 2 * (size_t)b->pairs * sizeof *pair);
  stc_release(&b->pair), stc_release(&b->sorted);
  b->pair = pair, b->sorted = sorted, b->most = (int)room;
  return STC_OK;
}

static bool overlap(const cell_entry *a, const cell_entry *b) {
  for (int k = 0; k < 3; k++)
    if (!(a->low[k] <= b->high[k] && b->low[k] <= a->high[k])) return false;
  return true;
}

static double widest(const double *low, const double *high, int i) {
  double width = 0;
  for (int k = 0; k < 3; k++) width = fmax(width, high[3 * i + k] - low[3 * i + k]);
  return width;
}

// Level of a box: powers of two from the narrowest; cells of level l are width[l] wide.
static int level_of(const stc_broad *b, const double *low, const double *high, int i) {
  double width = ROOM * widest(low, high, i);
  int level = 0;
  if (!(width < INFINITY)) return BIG;
  if (width > b->width[0]) frexp(width / b->width[0], &level);
  if (level >= BIG) return BIG;
  double farthest = FARTHEST * b->width[level];
  for (int k = 0; k < 3; k++)
    if (!(fabs(low[3 * i + k]) < farthest && fabs(high[3 * i + k]) < farthest)) return BIG;
  return level;
}

// Widths: the narrowest box that has a size sets the finest grid, with room for equal ones that
// rounding makes wider.
static void choose_widths(stc_broad *b, int count, const double *low, const double *high) {
  double least = INFINITY;
  for (int i = 0; i < count; i++) {
    double width = widest(low, high, i);
    if (width > 0 && width < least) least = width;
  }
  if (!(least < INFINITY)) least = 1;
  for (int l = 0; l < BIG; l++) b->width[l] = ldexp(ROOM * ROOM * least, l);
}

static void cell_of(const stc_broad *b, const double *low, int i, int level, int32_t cell[3]) {
  for (int k = 0; k < 3; k++) cell[k] = (int32_t)floor(low[3 * i + k] / b->width[level]);
}

// Cells that follow each other along x have buckets that do: a row is read in one go.
static uint32_t hash(const int32_t cell[3]) {
  uint32_t h = (uint32_t)cell[1] * 0x85EBCA77u ^ (uint32_t)cell[2] * 0xC2B2AE3Du;
  return (h ^ h >> 15) + (uint32_t)cell[0];
}

static void count_levels(stc_broad *b, int count, const double *low, const double *high,
                         const bool *moving) {
  memset(b->level_boxes, 0, sizeof b->level_boxes);
  memset(b->level_moving, 0, sizeof b->level_moving);
  for (int i = 0; i < count; i++) {
    b->level[i] = (unsigned char)level_of(b, low, high, i);
    b->level_boxes[b->level[i]]++;
    b->level_moving[b->level[i]] += !moving || moving[i];
  }
  int start = 0, bucket = 0;
  for (int l = 0; l < LEVELS; l++) {
    uint32_t buckets = 1;
    while (buckets < (uint32_t)b->level_boxes[l] && l != BIG) buckets *= 2;
    b->level_mask[l] = buckets - 1;
    b->level_start[l] = start;
    b->bucket_start[l] = bucket;
    start += b->level_boxes[l];
    bucket += b->level_boxes[l] ? (int)buckets + 1 : 0;
  }
  b->buckets = bucket;
}

static cell_entry make_entry(const int32_t cell[3], int box, const double low[3],
                             const double high[3]) {
  return (cell_entry){
      {cell[0], cell[1], cell[2]}, box, {low[0], low[1], low[2]}, {high[0], high[1], high[2]}};
}

// Sorts the boxes by level and bucket, by counting.
static void fill_cells(stc_broad *b, int count, const double *low, const double *high) {
  memset(b->bucket, 0, (size_t)b->buckets * sizeof *b->bucket);
  for (int pass = 0; pass < 2; pass++) {
    for (int i = count - 1; i >= 0; i--) {
      int l = b->level[i];
      int32_t cell[3] = {0};
      if (l != BIG) cell_of(b, low, i, l, cell);
      int *at = b->bucket + b->bucket_start[l] + (hash(cell) & b->level_mask[l]);
      if (!pass)
        ++*at;
      else
        b->entry[--*at] = make_entry(cell, i, low + 3 * i, high + 3 * i);
    }
    for (int l = 0; !pass && l < LEVELS; l++) {
      int total = b->level_start[l], *at = b->bucket + b->bucket_start[l];
      if (!b->level_boxes[l]) continue;
      for (uint32_t k = 0; k <= b->level_mask[l]; k++) total += at[k], at[k] = total;
      at[b->level_mask[l] + 1] = total;
    }
  }
}

typedef struct looking {
  stc_broad *broad;
  const bool *moving;  // NULL: all
  bool all_around;     // boxes that move look into all cells around, for the others do not look
} looking;

static bool moves(const looking *w, int box) { return !w->moving || w->moving[box]; }

// Cells [from, to] along x of one row of a level.
typedef struct row {
  int level;
  int32_t from, to, y, z;
} row;

// Pairs of a box with the entries [first, last) that lie in the row and have numbers above `after`.
static stc_error compare_cells(const looking *w, const cell_entry *own, const row *r, int first,
                               int last, int after) {
  stc_broad *b = w->broad;
  for (int e = first; e < last; e++) {
    const cell_entry *other = &b->entry[e];
    const int32_t *cell = other->cell;
    if (other->box <= after) continue;
    if (r->level != BIG &&
        (cell[0] < r->from || cell[0] > r->to || cell[1] != r->y || cell[2] != r->z))
      continue;
    if (!moves(w, own->box) && !moves(w, other->box)) continue;
    if (w->all_around && other->box <= own->box && (other->box == own->box || moves(w, other->box)))
      continue;
    if (overlap(own, other)) {
      if (b->pairs == b->most) STC_TRY(grow_pairs(b));
      b->pair[2 * b->pairs] = own->box < other->box ? own->box : other->box;
      b->pair[2 * b->pairs + 1] = own->box < other->box ? other->box : own->box;
      b->pairs++;
    }
  }
  return STC_OK;
}

// The buckets of a row follow each other; where they wrap around, they are read one by one.
static stc_error look_along(const looking *w, const cell_entry *own, row r, int after) {
  stc_broad *b = w->broad;
  const int *at = b->bucket + b->bucket_start[r.level];
  uint32_t mask = b->level_mask[r.level];
  uint32_t first = hash((int32_t[3]){r.from, r.y, r.z}) & mask;
  uint32_t last = hash((int32_t[3]){r.to, r.y, r.z}) & mask;
  if (last - first == (uint32_t)(r.to - r.from))
    return compare_cells(w, own, &r, at[first], at[last + 1], after);
  for (int32_t x = r.from, end = r.to; x <= end; x++) {
    uint32_t bucket = hash((int32_t[3]){x, r.y, r.z}) & mask;
    r.from = r.to = x;
    STC_TRY(compare_cells(w, own, &r, at[bucket], at[bucket + 1], after));
  }
  return STC_OK;
}

// A box lies in the cell of its low corner and reaches into at most the next: those that meet
// another begin between one cell before its low corner and the cell of its high corner.
static stc_error look_around(const looking *w, const cell_entry *own, int level) {
  double width = w->broad->width[level];
  int32_t from[3], to[3];
  for (int k = 0; k < 3; k++) {
    from[k] = (int32_t)floor(own->low[k] / width) - 1;
    to[k] = (int32_t)floor(own->high[k] / width);
  }
  if (to[0] < from[0]) return STC_OK;
  for (int32_t z = from[2]; z <= to[2]; z++)
    for (int32_t y = from[1]; y <= to[1]; y++)
      STC_TRY(look_along(w, own, (row){level, from[0], to[0], y, z}, -1));
  return STC_OK;
}

// On its own level a box meets those of the 26 cells around its own; half of them suffice, for the
// others look back.
static stc_error look_ahead(const looking *w, const cell_entry *own, int level) {
  int32_t x = own->cell[0], y = own->cell[1], z = own->cell[2];
  STC_TRY(look_along(w, own, (row){level, x, x, y, z}, own->box));
  STC_TRY(look_along(w, own, (row){level, x + 1, x + 1, y, z}, -1));
  STC_TRY(look_along(w, own, (row){level, x - 1, x + 1, y + 1, z}, -1));
  for (int k = -1; k <= 1; k++)
    STC_TRY(look_along(w, own, (row){level, x - 1, x + 1, y + k, z + 1}, -1));
  return STC_OK;
}

// Where few boxes of a level move, these look everywhere and the others nowhere.
static stc_error look_on_level(looking *w, const cell_entry *own, int level) {
  const stc_broad *b = w->broad;
  if (b->level_moving[level] > b->level_boxes[level] / 4) return look_ahead(w, own, level);
  if (!moves(w, own->box)) return STC_OK;
  w->all_around = true;
  stc_error error = STC_OK;
  for (int k = 0; k < 9 && !error; k++) {
    int32_t y = own->cell[1] + k % 3 - 1, z = own->cell[2] + k / 3 - 1;
    error = look_along(w, own, (row){level, own->cell[0] - 1, own->cell[0] + 1, y, z}, -1);
  }
  w->all_around = false;
  return error;
}

// Boxes in the order of their cells, each against its own level, all coarser ones and the big ones.
static stc_error find_all(looking *w, int count) {
  stc_broad *b = w->broad;
  for (int e = 0; e < count; e++) {
    const cell_entry *own = &b->entry[e];
    int i = own->box, level = b->level[i];
    if (level != BIG) STC_TRY(look_on_level(w, own, level));
    for (int l = level + 1; l < LEVELS; l++) {
      int others = moves(w, i) ? b->level_boxes[l] : b->level_moving[l];
      if (others > 0 && l < BIG) STC_TRY(look_around(w, own, l));
      if (others > 0 && l == BIG) STC_TRY(look_along(w, own, (row){.level = BIG}, -1));
    }
    if (level == BIG) STC_TRY(look_along(w, own, (row){.level = BIG}, i));
  }
  return STC_OK;
}

// One pass of a counting sort of the pairs by entry `key`; keeps the order of equal ones.
static void sort_by(stc_broad *b, int boxes, int key, const int *from, int *to) {
  memset(b->count, 0, ((size_t)boxes + 1) * sizeof *b->count);
  for (int p = 0; p < b->pairs; p++) b->count[from[2 * p + key] + 1]++;
  for (int i = 0; i < boxes; i++) b->count[i + 1] += b->count[i];
  for (int p = 0; p < b->pairs; p++) {
    int at = b->count[from[2 * p + key]]++;
    to[2 * at] = from[2 * p], to[2 * at + 1] = from[2 * p + 1];
  }
}

static bool meet(const double *a_low, const double *a_high, const double *b_low,
                 const double *b_high) {
  return a_low[0] <= b_high[0] && b_low[0] <= a_high[0] && a_low[2] <= b_high[2] &&
         b_low[2] <= a_high[2] && a_low[1] <= b_high[1] && b_low[1] <= a_high[1];
}

// Few boxes are compared with each other, in the order of the pairs.
static stc_error compare_all(stc_broad *b, int count, const double *low, const double *high,
                             const bool *moving) {
  for (int i = 0; i < count; i++)
    for (int j = i + 1; j < count; j++) {
      if (!meet(low + 3 * i, high + 3 * i, low + 3 * j, high + 3 * j)) continue;
      if (moving && !moving[i] && !moving[j]) continue;
      if (b->pairs == b->most) STC_TRY(grow_pairs(b));
      b->pair[2 * b->pairs] = i;
      b->pair[2 * b->pairs++ + 1] = j;
    }
  return STC_OK;
}

static stc_error look_in_cells(stc_broad *b, int count, const double *low, const double *high,
                               const bool *moving) {
  STC_TRY(grow_boxes(b, count));
  choose_widths(b, count, low, high);
  count_levels(b, count, low, high, moving);
  fill_cells(b, count, low, high);
  STC_TRY(find_all(&(looking){.broad = b, .moving = moving}, count));
  sort_by(b, count, 1, b->pair, b->sorted);
  sort_by(b, count, 0, b->sorted, b->pair);
  return STC_OK;
}

stc_error stc_broad_find(stc_broad *b, int count, const double *low, const double *high,
                         const bool *moving, int *pairs, const int **pair) {
  *pairs = 0;
  *pair = NULL;
  if (count < 0) return stc_fail(STC_ERR_ARGUMENT, "broad phase: %d boxes", count);
  if (count == 0) return STC_OK;
  b->pairs = 0;
  STC_TRY(count <= FEW ? compare_all(b, count, low, high, moving)
                       : look_in_cells(b, count, low, high, moving));
  *pairs = b->pairs;
  *pair = b->pair;
  return STC_OK;
}
