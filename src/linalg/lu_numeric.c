// Right-looking supernodal LU: factorise a diagonal block, solve for its panels, subtract their
// product from the supernodes above. Layout of a supernode with c columns and b rows below:
//   L  (c+b) x c by columns: diagonal block over the rows below;   U  c x b by columns.
#include "lu_data.h"

#include "../base/stop.h"

#include <float.h>
#include <math.h>
#include <string.h>

// A pivot below this share of the largest entry of its block column is replaced (refinement mends).
static const double PIVOT_SHARE = 1e-13;

typedef struct panel {
  int cols, below, lead;  // lead = cols + below, leading dimension of L
  double *L, *U;
} panel;

static panel panel_of(const stc_lu *lu, int s) {
  panel p = {.cols = lu->S.cols[s], .below = lu->S.below[s]};
  p.lead = p.cols + p.below;
  p.L = lu->value + lu->value_ptr[s];
  p.U = p.L + (size_t)p.lead * (size_t)p.cols;
  return p;
}

static int size_of_step(const stc_lu *lu, int step) { return lu->S.pattern.size[lu->S.node[step]]; }

// local[step] = scalar row of each step of supernode s in L.
static void place_rows(stc_lu *lu, int s) {
  int count, at = 0;
  const int *rows = stc_lu_rows(lu, s, &count);
  for (int k = lu->S.first[s]; k < lu->S.first[s + 1]; k++) {
    lu->local[k] = at;
    at += size_of_step(lu, k);
  }
  for (int e = 0; e < count; e++) {
    lu->local[rows[e]] = at;
    at += size_of_step(lu, rows[e]);
  }
}

static void copy_block(double *to, int lead, const double *from, int rows, int cols) {
  for (int j = 0; j < cols; j++)
    memcpy(to + (ptrdiff_t)j * lead, from + (ptrdiff_t)j * rows, (size_t)rows * sizeof *to);
}

// The blocks of step k with itself and with later steps: column k into L, row k into L or U.
static void load_step(stc_lu *lu, const panel *p, int k, const double *val, const size_t *val_ptr) {
  const stc_pattern *pattern = &lu->S.pattern;
  int i = lu->S.node[k], ni = pattern->size[i], at = lu->local[k];
  for (int e = pattern->ptr[i]; e < pattern->ptr[i + 1]; e++) {
    int j = pattern->adj[e], later = lu->S.step[j];
    if (later < k) continue;
    int nj = pattern->size[j], row = lu->local[later];
    copy_block(p->L + row + (ptrdiff_t)at * p->lead, p->lead, val + val_ptr[lu->mirror[e]], nj, ni);
    if (later == k) continue;
    const double *block = val + val_ptr[e];
    if (row < p->cols)
      copy_block(p->L + at + (ptrdiff_t)row * p->lead, p->lead, block, ni, nj);
    else
      copy_block(p->U + at + (ptrdiff_t)(row - p->cols) * p->cols, p->cols, block, ni, nj);
  }
}

// Zeros, a chunk at a time: memory that is touched for the first time takes as long as arithmetic.
// False if it was stopped.
static bool clear(double *x, size_t count) {
  enum { CHUNK = 1 << 17 };
  for (size_t first = 0, size; first < count; first += size) {
    size = count - first < CHUNK ? count - first : CHUNK;
    if (stc_stop_due(8.0 * (double)size)) return false;
    memset(x + first, 0, size * sizeof *x);
  }
  return true;
}

static void load_matrix(stc_lu *lu, const double *val, const size_t *val_ptr) {
  for (int s = 0; s < lu->S.supernodes; s++) {
    panel p = panel_of(lu, s);
    if (!clear(p.L, lu->value_ptr[s + 1] - lu->value_ptr[s])) return;
    place_rows(lu, s);
    for (int k = lu->S.first[s]; k < lu->S.first[s + 1]; k++) load_step(lu, &p, k, val, val_ptr);
  }
}

static double largest_entry(const panel *p) {
  double largest = 0;
  for (ptrdiff_t k = 0; k < (ptrdiff_t)p->cols * p->lead; k++) {
    double size = fabs(p->L[k]);
    largest = size > largest ? size : largest;
  }
  return largest;
}

static int eliminate_supernode(stc_lu *lu, int s) {
  panel p = panel_of(lu, s);
  int *pivot = lu->pivot + lu->pivot_ptr[s];
  double tiny = fmax(PIVOT_SHARE * largest_entry(&p), DBL_MIN);
  int replaced = stc_dense_lu(lu->dense, lu->team, p.cols, p.L, p.lead, tiny, pivot, &lu->sign);
  stc_dense_lower(lu->dense, p.cols, p.below, p.L, p.lead, pivot, p.U, p.cols);
  stc_dense_upper_right(lu->dense, p.cols, p.below, p.L, p.lead, p.L + p.cols, p.lead);
  stc_dense_share(lu->dense, lu->team, false, p.below, p.below, p.cols, p.L + p.cols, p.lead, p.U,
                  p.cols, lu->update, p.below);
  return replaced;
}

static void subtract_block(double *to, int lead, const double *from, int from_lead, int rows,
                           int cols) {
  for (int j = 0; j < cols; j++)
    for (int i = 0; i < rows; i++)
      to[i + (ptrdiff_t)j * lead] -= from[i + (ptrdiff_t)j * from_lead];
}

typedef struct scatter {
  const int *rows;  // steps below the supernode just eliminated
  int count;
  int lead;  // scalar rows of the update
} scatter;

static void scatter_update(stc_lu *lu, int s) {
  scatter c = {.lead = lu->S.below[s]};
  c.rows = stc_lu_rows(lu, s, &c.count);
  int column = 0, placed = -1;
  panel to = {0};
  for (int j = 0; j < c.count; j++) {
    int owner = lu->S.owner[c.rows[j]];
    if (owner != placed) {
      place_rows(lu, owner);
      to = panel_of(lu, owner);
      placed = owner;
    }
    // Column of the update that belongs to step rows[j], into the panel of its owner.
    int nj = size_of_step(lu, c.rows[j]), at = lu->local[c.rows[j]], row = column;
    for (int i = j; i < c.count; i++) {
      int ni = size_of_step(lu, c.rows[i]), place = lu->local[c.rows[i]];
      const double *lower = lu->update + row + (ptrdiff_t)column * c.lead;
      subtract_block(to.L + place + (ptrdiff_t)at * to.lead, to.lead, lower, c.lead, ni, nj);
      if (i > j) {
        const double *upper = lu->update + column + (ptrdiff_t)row * c.lead;
        bool inside = place < to.cols;
        double *target = inside ? to.L + at + (ptrdiff_t)place * to.lead
                                : to.U + at + (ptrdiff_t)(place - to.cols) * to.cols;
        subtract_block(target, inside ? to.lead : to.cols, upper, c.lead, nj, ni);
      }
      row += ni;
    }
    column += size_of_step(lu, c.rows[j]);
  }
}

int stc_lu_factorise(stc_lu *lu, const double *val, const size_t *val_ptr) {
  int replaced = 0;
  lu->factorised = false;
  if (!lu->listed && !stc_lu_select(lu, NULL)) return 0;
  load_matrix(lu, val, val_ptr);
  lu->sign = 1;
  for (int s = 0; s < lu->S.supernodes; s++) {
    if (stc_stop_due((double)lu->S.below[s] * lu->S.below[s])) return replaced;
    replaced += eliminate_supernode(lu, s);
    scatter_update(lu, s);
  }
  lu->factorised = !stc_stop_due(0);
  return replaced;
}

int stc_lu_sign(const stc_lu *lu) { return lu->sign; }

static void gather_below(const stc_lu *lu, int s, const double *x, double *packed) {
  int count;
  const int *rows = stc_lu_rows(lu, s, &count);
  for (int e = 0; e < count; e++) {
    int i = lu->S.node[rows[e]];
    for (int k = lu->offset[i]; k < lu->offset[i + 1]; k++) *packed++ = x[k];
  }
}

// Parts of x of the supernode's own steps, in or out of a packed vector.
static void exchange_own(const stc_lu *lu, int s, double *x, double *packed, bool in) {
  for (int k = lu->S.first[s]; k < lu->S.first[s + 1]; k++) {
    int i = lu->S.node[k], n = lu->S.pattern.size[i];
    double *from = in ? x + lu->offset[i] : packed, *to = in ? packed : x + lu->offset[i];
    memcpy(to, from, (size_t)n * sizeof *to);
    packed += n;
  }
}

static void solve_lower(const stc_lu *lu, int s, double *x) {
  panel p = panel_of(lu, s);
  double *own = lu->own, *below = lu->work;
  exchange_own(lu, s, x, own, true);
  stc_dense_lower(lu->dense, p.cols, 1, p.L, p.lead, lu->pivot + lu->pivot_ptr[s], own, p.cols);
  gather_below(lu, s, x, below);
  for (int j = 0; j < p.cols; j++)
    for (int i = 0; i < p.below; i++) below[i] -= p.L[p.cols + i + (ptrdiff_t)j * p.lead] * own[j];
  int count;
  const int *rows = stc_lu_rows(lu, s, &count);
  for (int e = 0; e < count; e++) {
    int i = lu->S.node[rows[e]];
    for (int k = lu->offset[i]; k < lu->offset[i + 1]; k++) x[k] = *below++;
  }
  exchange_own(lu, s, x, own, false);
}

static void solve_upper(const stc_lu *lu, int s, double *x) {
  panel p = panel_of(lu, s);
  double *own = lu->own, *below = lu->work;
  exchange_own(lu, s, x, own, true);
  gather_below(lu, s, x, below);
  for (int j = 0; j < p.below; j++)
    for (int i = 0; i < p.cols; i++) own[i] -= p.U[i + (ptrdiff_t)j * p.cols] * below[j];
  stc_dense_upper(p.cols, p.L, p.lead, own);
  exchange_own(lu, s, x, own, false);
}

static bool solve_is_over(const stc_lu *lu, int s) {
  return stc_stop_due((double)lu->S.cols[s] * (lu->S.cols[s] + lu->S.below[s]));
}

void stc_lu_solve(const stc_lu *lu, double *x) {
  if (!lu->factorised) return;
  for (int s = 0; s < lu->S.supernodes && !solve_is_over(lu, s); s++) solve_lower(lu, s, x);
  for (int s = lu->S.supernodes - 1; s >= 0 && !solve_is_over(lu, s); s--) solve_upper(lu, s, x);
}
