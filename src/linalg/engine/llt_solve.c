// L L^T x = b by supernodes, forwards and backwards: one right-hand side at the speed of memory,
// many in blocks by the dense kernels.
#include "llt_data.h"

#include "../../base/stop.h"

#include <string.h>

// Right-hand sides solved together: enough for the kernels, few enough for the cache. A block is
// one piece for the team.
enum { TOGETHER = 32, BLOCK = 64 };

static int lesser(int a, int b) { return a < b ? a : b; }

// --- One right-hand side ---

static void forward(const stc_llt_panel *p, double *x, double *below) {
  double *own = x + p->first;
  int rows = p->lead - p->cols;
  memset(below, 0, (size_t)rows * sizeof *below);
  for (int k = 0; k < p->cols; k++) {
    const double *column = p->L + (ptrdiff_t)k * p->lead;
    double a = own[k] /= column[k];
    for (int i = k + 1; i < p->cols; i++) own[i] -= column[i] * a;
    for (int i = 0; i < rows; i++) below[i] += column[p->cols + i] * a;
  }
  for (int i = 0; i < rows; i++) x[p->list[p->cols + i]] -= below[i];
}

/// Four sums side by side: the order is fixed, the additions need not wait for each other.
static double dot(int n, const double *a, const double *b) {
  double s[4] = {0};
  int i = 0;
  for (; i + 4 <= n; i += 4)
    for (int k = 0; k < 4; k++) s[k] += a[i + k] * b[i + k];
  for (; i < n; i++) s[0] += a[i] * b[i];
  return (s[0] + s[1]) + (s[2] + s[3]);
}

static void backward(const stc_llt_panel *p, double *x, double *below) {
  double *own = x + p->first;
  int rows = p->lead - p->cols;
  for (int i = 0; i < rows; i++) below[i] = x[p->list[p->cols + i]];
  for (int k = p->cols - 1; k >= 0; k--) {
    const double *column = p->L + (ptrdiff_t)k * p->lead;
    double sum = dot(rows, column + p->cols, below);
    sum += dot(p->cols - k - 1, column + k + 1, own + k + 1);
    own[k] = (own[k] - sum) / column[k];
  }
}

// --- Many ---

/// The part of a block of right-hand sides that a panel works on, lead x count by columns.
typedef struct block {
  const stc_dense *dense;
  int n, count;
  double *X;     // [n * count] by columns
  double *part;  // [most rows * count]
} block;

static void forward_block(const block *b, const stc_llt_panel *p) {
  int lead = p->lead, rows = lead - p->cols;
  for (int c = 0; c < b->count; c++) {
    double *part = b->part + (ptrdiff_t)c * lead;
    memcpy(part, b->X + (ptrdiff_t)c * b->n + p->first, (size_t)p->cols * sizeof *part);
    memset(part + p->cols, 0, (size_t)rows * sizeof *part);
  }
  for (int k0 = 0; k0 < p->cols; k0 += BLOCK) {
    int k1 = lesser(k0 + BLOCK, p->cols);
    for (int c = 0; c < b->count; c++) {
      double *x = b->part + (ptrdiff_t)c * lead;
      for (int k = k0; k < k1; k++) {
        const double *column = p->L + (ptrdiff_t)k * p->lead;
        double a = x[k] /= column[k];
        for (int i = k + 1; i < k1; i++) x[i] -= column[i] * a;
      }
    }
    b->dense->subtract(lead - k1, b->count, k1 - k0, p->L + k1 + (ptrdiff_t)k0 * lead, lead,
                       b->part + k0, lead, b->part + k1, lead);
  }
  for (int c = 0; c < b->count; c++) {
    const double *part = b->part + (ptrdiff_t)c * lead;
    double *x = b->X + (ptrdiff_t)c * b->n;
    memcpy(x + p->first, part, (size_t)p->cols * sizeof *part);
    for (int i = p->cols; i < lead; i++) x[p->list[i]] += part[i];
  }
}

static void backward_triangle(const stc_llt_panel *p, int k0, int k1, int count, double *part) {
  for (int k = k1 - 1; k >= k0; k--) {
    const double *column = p->L + (ptrdiff_t)k * p->lead;
    double *x = part + (ptrdiff_t)k * count, inverse = 1 / column[k];
    for (int i = k + 1; i < k1; i++) {
      const double *y = part + (ptrdiff_t)i * count;
      for (int c = 0; c < count; c++) x[c] -= column[i] * y[c];
    }
    for (int c = 0; c < count; c++) x[c] *= inverse;
  }
}

static void backward_block(const block *b, const stc_llt_panel *p) {
  // part (count x lead, a right-hand side to a row) from X.
  for (int i = 0; i < p->lead; i++)
    for (int c = 0; c < b->count; c++)
      b->part[c + (ptrdiff_t)i * b->count] = b->X[p->list[i] + (ptrdiff_t)c * b->n];
  for (int k1 = p->cols, k0; k1 > 0; k1 = k0) {
    k0 = (k1 - 1) / BLOCK * BLOCK;
    b->dense->subtract(b->count, k1 - k0, p->lead - k1, b->part + (ptrdiff_t)k1 * b->count,
                       b->count, p->L + k1 + (ptrdiff_t)k0 * p->lead, p->lead,
                       b->part + (ptrdiff_t)k0 * b->count, b->count);
    backward_triangle(p, k0, k1, b->count, b->part);
  }
  for (int k = 0; k < p->cols; k++)
    for (int c = 0; c < b->count; c++)
      b->X[p->first + k + (ptrdiff_t)c * b->n] = b->part[c + (ptrdiff_t)k * b->count];
}

// --- Blocks shared by the team ---

typedef struct solve_job {
  stc_llt *llt;
  int count;
  double *X;
  double *room;  // [blocks][(n + most rows) * width]
  size_t stride;
} solve_job;

static void permute_in(const stc_llt *llt, const double *x, double *y) {
  for (int k = 0; k < llt->n; k++) y[k] = x[llt->order[k]];
}

static void permute_out(const stc_llt *llt, const double *y, double *x) {
  for (int k = 0; k < llt->n; k++) x[llt->order[k]] = y[k];
}

static void run_single(const stc_llt *llt, double *y, double *below) {
  for (int s = 0; s < llt->supers; s++) {
    stc_llt_panel p = stc_llt_panel_of(llt, s);
    forward(&p, y, below);
  }
  for (int s = llt->supers - 1; s >= 0; s--) {
    stc_llt_panel p = stc_llt_panel_of(llt, s);
    backward(&p, y, below);
  }
}

static void run_block(const stc_llt *llt, const block *b) {
  for (int s = 0; s < llt->supers; s++) {
    stc_llt_panel p = stc_llt_panel_of(llt, s);
    forward_block(b, &p);
  }
  for (int s = llt->supers - 1; s >= 0; s--) {
    stc_llt_panel p = stc_llt_panel_of(llt, s);
    backward_block(b, &p);
  }
}

static void solve_block(void *argument, int k) {
  const solve_job *j = argument;
  const stc_llt *llt = j->llt;
  size_t n = (size_t)llt->n;
  int first = k * TOGETHER, count = lesser(TOGETHER, j->count - first);
  double *Y = j->room + (size_t)k * j->stride, *part = Y + n * (size_t)count;
  double *X = j->X + (size_t)first * n;
  for (int c = 0; c < count; c++) permute_in(llt, X + (size_t)c * n, Y + (size_t)c * n);
  if (count == 1)
    run_single(llt, Y, part);
  else
    run_block(llt,
              &(block){.dense = llt->dense, .n = llt->n, .count = count, .X = Y, .part = part});
  for (int c = 0; c < count; c++) permute_out(llt, Y + (size_t)c * n, X + (size_t)c * n);
}

/// Room that stays, so that only the first solve of a number of right-hand sides allocates.
static stc_error grow_right_sides(stc_llt *llt, size_t size) {
  if (size <= llt->solving_size) return STC_OK;
  stc_release(&llt->solving);
  llt->solving_size = 0;
  llt->solving = stc_calloc(size, sizeof *llt->solving);
  if (!llt->solving)
    return stc_fail(STC_ERR_MEMORY, "out of memory for right-hand sides of %d unknowns", llt->n);
  llt->solving_size = size;
  return STC_OK;
}

/// One block per thread at a time.
stc_error stc_llt_solve(stc_llt *llt, int count, double *X) {
  if (llt->n == 0 || count == 0) return STC_OK;
  size_t width = (size_t)lesser(count, TOGETHER), n = (size_t)llt->n;
  int blocks = (count + TOGETHER - 1) / TOGETHER, wave = lesser(blocks, llt->crew.threads);
  solve_job job = {.llt = llt, .stride = (n + (size_t)llt->most_rows) * width};
  STC_TRY(grow_right_sides(llt, job.stride * (size_t)wave));
  job.room = llt->solving;
  for (int k = 0; k < blocks; k += wave) {
    job.X = X + (size_t)k * TOGETHER * n;
    job.count = count - k * TOGETHER;
    stc_team_run(llt->crew.team, solve_block, &job, lesser(wave, blocks - k));
    STC_TRY(stc_stop_try((double)llt->value_ptr[llt->supers]));
  }
  return STC_OK;
}
