// Right-looking supernodal Cholesky: factorise the panel of a supernode, subtract its product from
// the panels of the supernodes above. Strips of columns are shared by the team; every sum runs in
// one order, on any thread.
#include "llt_data.h"

#include "../../base/stop.h"

#include <math.h>
#include <string.h>

// Columns eliminated before the rest of a panel is updated.
enum { BLOCK = 64 };
// Multiplications below which waking the team costs more than it saves.
static const double WORTH_SHARING = 2e6;
// Operations, about a tenth of a second, between two calls of the progress callback.
static const double TELL = 1e9;

static int lesser(int a, int b) { return a < b ? a : b; }

// --- Room ---

static stc_error take_room(stc_llt *llt) {
  size_t rows = (size_t)llt->most_rows, entries = llt->value_ptr[llt->supers];
  llt->flip = STC_TAKE_RAW(&llt->arena, double, rows *(size_t)llt->most_cols);
  llt->diagonal = STC_TAKE(&llt->arena, double, llt->n);
  llt->place = STC_TAKE(&llt->arena, int, llt->n);
  llt->room = STC_TAKE(&llt->arena, stc_llt_room, llt->crew.threads);
  STC_TRY(stc_arena_check(&llt->arena));
  for (int k = 0; k < llt->crew.threads; k++) {
    stc_llt_room *room = &llt->room[k];
    atomic_flag_clear(&room->busy);
    room->product = STC_TAKE_RAW(&llt->arena, double, rows *STC_LLT_STRIP);
    room->pack = STC_TAKE_RAW(&llt->arena, double, STC_LLT_ROWS *STC_LLT_DEPTH);
    room->place = STC_TAKE_RAW(&llt->arena, int, rows);
  }
  STC_TRY(stc_arena_check(&llt->arena));
  llt->value = stc_calloc(entries, sizeof *llt->value);
  if (llt->value) return STC_OK;
  return stc_fail(STC_ERR_MEMORY, "out of memory: the factor of %d rows takes %.1f GB", llt->n,
                  8e-9 * (double)entries);
}

/// There are as many rooms as threads.
static stc_llt_room *enter_room(stc_llt *llt) {
  for (int k = 0;; k = (k + 1) % llt->crew.threads)
    if (!atomic_flag_test_and_set(&llt->room[k].busy)) return &llt->room[k];
}

static void leave(stc_llt_room *room) { atomic_flag_clear(&room->busy); }

// --- Products ---

/// C -= A B for the rows of a strip, over packed blocks of A that stay in the cache.
static void subtract_strip(const stc_llt *llt, double *pack, int m, int n, int k, const double *A,
                           int lda, const double *B, int ldb, double *C, int ldc) {
  for (int k0 = 0; k0 < k; k0 += STC_LLT_DEPTH) {
    int depth = lesser(STC_LLT_DEPTH, k - k0);
    for (int i0 = 0; i0 < m; i0 += STC_LLT_ROWS) {
      int rows = lesser(STC_LLT_ROWS, m - i0);
      const double *from = A + i0 + (ptrdiff_t)k0 * lda;
      for (int p = 0; p < depth; p++)
        memcpy(pack + (ptrdiff_t)p * rows, from + (ptrdiff_t)p * lda, (size_t)rows * sizeof *pack);
      llt->dense->subtract(rows, n, depth, pack, rows, B + k0, ldb, C + i0, ldc);
    }
  }
}

/// flip (cols x rows) = transpose of rows x cols.
static void transpose(int rows, int cols, const double *A, int lda, double *flip) {
  enum { TILE = 8 };
  for (int i0 = 0; i0 < rows; i0 += TILE)
    for (int j = 0; j < cols; j++) {
      const double *a = A + (ptrdiff_t)j * lda;
      for (int i = i0; i < lesser(i0 + TILE, rows); i++) flip[j + (ptrdiff_t)i * cols] = a[i];
    }
}

static void share(stc_llt *llt, double work, void (*task)(void *, int), void *job, int count) {
  stc_team_run(work > WORTH_SHARING ? llt->crew.team : NULL, task, job, count);
}

static int strips(int n, int width) { return (n + width - 1) / width; }

// --- One panel ---

typedef struct panel_job {
  stc_llt *llt;
  stc_llt_panel p;
  int k0, k1;     // columns being eliminated
  double *upper;  // transpose of their triangle
} panel_job;

/// L of the triangle k0 .. k1; the column of a bad pivot, or -1.
static int factorise_triangle(const panel_job *j, const double *diagonal) {
  int lead = j->p.lead;
  for (int k = j->k0; k < j->k1; k++) {
    double *column = j->p.L + (ptrdiff_t)k * lead;
    if (!(column[k] > j->llt->floor * diagonal[k]) || !isfinite(column[k])) return k;
    double root = sqrt(column[k]), inverse = 1 / root;
    column[k] = root;
    for (int i = k + 1; i < j->k1; i++) column[i] *= inverse;
    for (int c = k + 1; c < j->k1; c++) {
      double *other = j->p.L + (ptrdiff_t)c * lead, a = column[c];
      for (int i = c; i < j->k1; i++) other[i] -= column[i] * a;
    }
  }
  return -1;
}

static void flip_triangle(const panel_job *j) {
  int n = j->k1 - j->k0;
  for (int c = 0; c < n; c++)
    for (int r = 0; r <= c; r++)
      j->upper[r + c * n] = j->p.L[j->k0 + c + (ptrdiff_t)(j->k0 + r) * j->p.lead];
}

/// Rows below the triangle: X = X U^-1.
static void solve_rows(void *argument, int strip) {
  const panel_job *j = argument;
  int from = j->k1 + strip * STC_LLT_ROWS, rows = lesser(STC_LLT_ROWS, j->p.lead - from);
  stc_dense_upper_right(j->llt->dense, j->k1 - j->k0, rows, j->upper, j->k1 - j->k0,
                        j->p.L + from + (ptrdiff_t)j->k0 * j->p.lead, j->p.lead);
}

/// A strip of the columns right of the eliminated ones.
static void update_panel(void *argument, int strip) {
  const panel_job *j = argument;
  int offset = strip * STC_LLT_STRIP, from = j->k1 + offset, depth = j->k1 - j->k0;
  int cols = lesser(STC_LLT_STRIP, j->p.cols - from), lead = j->p.lead;
  stc_llt_room *room = enter_room(j->llt);
  subtract_strip(j->llt, room->pack, lead - from, cols, depth,
                 j->p.L + from + (ptrdiff_t)j->k0 * lead, lead,
                 j->llt->flip + (ptrdiff_t)offset * depth, depth,
                 j->p.L + from + (ptrdiff_t)from * lead, lead);
  leave(room);
}

/// The panel of supernode s becomes its columns of L; the step of a bad pivot, or -1.
static int eliminate_panel(stc_llt *llt, int s) {
  double upper[BLOCK * BLOCK];
  panel_job j = {.llt = llt, .p = stc_llt_panel_of(llt, s), .upper = upper};
  for (; j.k0 < j.p.cols; j.k0 = j.k1) {
    j.k1 = lesser(j.k0 + BLOCK, j.p.cols);
    int bad = factorise_triangle(&j, llt->diagonal + j.p.first), right = j.p.cols - j.k1;
    if (bad >= 0) return j.p.first + bad;
    flip_triangle(&j);
    double n = j.k1 - j.k0, m = j.p.lead - j.k1;
    share(llt, m * n * n, solve_rows, &j, strips(j.p.lead - j.k1, STC_LLT_ROWS));
    transpose(right, j.k1 - j.k0, j.p.L + j.k1 + (ptrdiff_t)j.k0 * j.p.lead, j.p.lead, llt->flip);
    share(llt, m * n * right, update_panel, &j, strips(right, STC_LLT_STRIP));
  }
  return -1;
}

// --- What a panel takes from those above ---

/// place[i] = row of the panel `to` for each entry of the list from `from` on.
static void find_places(const stc_llt_panel *p, const stc_llt_panel *to, int from, int *place) {
  for (int i = from, at = 0; i < p->lead; i++) {
    while (to->list[at] != p->list[i]) at++;
    place[i] = at;
  }
}

static void add_column(const stc_llt_panel *p, const stc_llt_panel *to, int row, const int *place,
                       const double *product) {
  double *column = to->L + (ptrdiff_t)(p->list[row] - to->first) * to->lead;
  for (int i = row; i < p->lead; i++) column[place[i]] += product[i];
}

/// A strip of columns of - L L^T, into the panels of the supernodes that own them.
static void update_above(void *argument, int strip) {
  const panel_job *j = argument;
  const stc_llt_panel *p = &j->p;
  int from = p->cols + strip * STC_LLT_STRIP, cols = lesser(STC_LLT_STRIP, p->lead - from);
  int rows = p->lead - from, last = -1;
  stc_llt_room *room = enter_room(j->llt);
  memset(room->product, 0, (size_t)rows * (size_t)cols * sizeof *room->product);
  subtract_strip(j->llt, room->pack, rows, cols, p->cols, p->L + from, p->lead,
                 j->llt->flip + (ptrdiff_t)(from - p->cols) * p->cols, p->cols, room->product,
                 rows);
  stc_llt_panel to = {0};
  for (int c = 0; c < cols; c++) {
    int owner = j->llt->owner[p->list[from + c]];
    if (owner != last) {
      to = stc_llt_panel_of(j->llt, owner);
      find_places(p, &to, from + c, room->place);
      last = owner;
    }
    add_column(p, &to, from + c, room->place, room->product + (ptrdiff_t)c * rows - from);
  }
  leave(room);
}

static void subtract_product(stc_llt *llt, int s) {
  panel_job j = {.llt = llt, .p = stc_llt_panel_of(llt, s)};
  int below = j.p.lead - j.p.cols;
  if (below == 0) return;
  transpose(below, j.p.cols, j.p.L + j.p.cols, j.p.lead, llt->flip);
  share(llt, 0.5 * below * below * j.p.cols, update_above, &j, strips(below, STC_LLT_STRIP));
}

// --- The whole ---

/// The lower part of the columns of supernode s.
static void load_panel(stc_llt *llt, int s, const double *val) {
  stc_llt_panel p = stc_llt_panel_of(llt, s);
  for (int i = 0; i < p.lead; i++) llt->place[p.list[i]] = i;
  for (int k = p.first; k < p.first + p.cols; k++) {
    double *column = p.L + (ptrdiff_t)(k - p.first) * p.lead;
    int row = llt->order[k];
    for (int e = llt->ptr[row]; e < llt->ptr[row + 1]; e++) {
      int other = llt->step[llt->col[e]];
      if (other >= k) column[llt->place[other]] = val[e];
      if (other == k) llt->diagonal[k] = val[e];
    }
  }
}

/// Adds the part `shift` of the largest diagonal entry to all of them.
static void add_shift(stc_llt *llt, double shift) {
  double largest = 0;
  for (int k = 0; k < llt->n; k++) largest = fmax(largest, llt->diagonal[k]);
  for (int s = 0; s < llt->supers; s++) {
    stc_llt_panel p = stc_llt_panel_of(llt, s);
    for (int k = 0; k < p.cols; k++) p.L[(ptrdiff_t)k * (p.lead + 1)] += shift * largest;
  }
}

static stc_error refuse_pivot(const stc_llt *llt, int step, int *bad) {
  *bad = llt->order[step];
  return stc_fail(
      STC_ERR_NUMERIC,
      "the matrix is not positive definite: the pivot of row %d vanishes or is negative", *bad);
}

static double work_of(const stc_llt *llt, int s) {
  stc_llt_panel p = stc_llt_panel_of(llt, s);
  double sum = 0;
  for (int k = 0; k < p.cols; k++) sum += (double)(p.lead - k) * (p.lead - k);
  return sum;
}

stc_error stc_llt_factorise(stc_llt *llt, const double *val, double shift, double floor, int *bad) {
  *bad = -1;
  llt->floor = floor;
  if (llt->n == 0) return STC_OK;
  if (llt->value)
    memset(llt->value, 0, llt->value_ptr[llt->supers] * sizeof *llt->value);
  else
    STC_TRY(take_room(llt));
  for (int s = 0; s < llt->supers; s++) {
    // Memory that is touched for the first time takes about an operation per number.
    STC_TRY(stc_stop_try((double)(llt->value_ptr[s + 1] - llt->value_ptr[s])));
    load_panel(llt, s, val);
  }
  if (shift > 0) add_shift(llt, shift);
  double done = 0, told = 0;
  for (int s = 0; s < llt->supers; s++) {
    int step = eliminate_panel(llt, s);
    STC_TRY(stc_stop_try(0));
    if (step >= 0) return refuse_pivot(llt, step, bad);
    subtract_product(llt, s);
    double work = work_of(llt, s);
    done += work;
    STC_TRY(stc_stop_try(work));  // products end early where the call is stopped
    if (done - told < TELL) continue;
    told = done;
    STC_TRY(stc_crew_tell(&llt->crew, "factorisation", done / llt->flops));
  }
  return STC_OK;
}
