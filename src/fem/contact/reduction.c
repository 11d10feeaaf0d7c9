// Elimination of closed contacts. With B^T = Q R the constraints B u_s + M u_m = -g of a slave node
// fix the first components of Q^T u_s = R^-T (-g - M u_m); the others remain.
#include "reduction.h"
#include "../../base/fail.h"

#include <limits.h>
#include <math.h>
#include <string.h>

// A constraint of which the others leave less than this share fixes nothing new at its node.
static const double SPANNED = 1e-10;

// --- Slave nodes ---

static int place_in(const stc_slave *s, int unknown) {
  for (int c = 0; c < s->count; c++)
    if (s->unknown[c] == unknown) return c;
  return -1;
}

static stc_error refuse_chain(const stc_linear_step *step, int unknown) {
  return stc_fail(STC_ERR_UNSUPPORTED,
                  "node %d is a slave in one contact pair and takes part in another: too large a "
                  "model for that; let the pair's other surface be the slave",
                  step->hints->node[unknown]);
}

/// No row touches the slave node of another candidate.
static stc_error check_chains(const stc_linear_step *step, const stc_slave *slave) {
  int *owner = stc_calloc((size_t)step->K->rows, sizeof *owner), found = -1;
  if (!owner) return stc_fail(STC_ERR_MEMORY, "out of memory for %d candidates", step->count);
  for (int k = 0; k < step->count; k++)
    for (int c = 0; step->area[k] > 0 && c < slave[k].count; c++) {
      int *o = &owner[slave[k].unknown[c]];
      if (*o) found = slave[k].unknown[c];
      *o = k + 1;
    }
  for (int row = 0; row < step->H->rows; row++)
    for (int e = step->H->ptr[row]; e < step->H->ptr[row + 1]; e++) {
      int o = owner[step->H->col[e]];
      bool other = o && o != row / step->dim + 1 && step->H->val[e] != 0;
      if (other && step->area[row / step->dim] > 0) found = step->H->col[e];
    }
  stc_release(&owner);
  return found < 0 ? STC_OK : refuse_chain(step, found);
}

// --- Bases ---

static double dot(int n, double x[STC_LARGE_DIM][STC_LARGE_DIM], int k, int l) {
  double sum = 0;
  for (int c = 0; c < n; c++) sum += x[c][k] * x[c][l];
  return sum;
}

/// Makes column k of Q orthogonal to those before it, twice; its norm before and after.
static void clear_column(stc_slave *s, int k, double *coefficient, double *before, double *after) {
  *before = sqrt(dot(s->count, s->Q, k, k));
  for (int again = 0; again < 2; again++)
    for (int l = 0; l < k; l++) {
      double a = dot(s->count, s->Q, l, k);
      for (int c = 0; c < s->count; c++) s->Q[c][k] -= a * s->Q[c][l];
      coefficient[l] += a;
    }
  *after = sqrt(dot(s->count, s->Q, k, k));
}

static void scale_column(stc_slave *s, int k, double a) {
  for (int c = 0; c < s->count; c++) s->Q[c][k] *= a;
}

/// Row `row` of B joins the basis unless those before it say the same.
static void add_row_of(stc_slave *s, int row) {
  int k = s->rank;
  double coefficient[STC_LARGE_DIM] = {0}, before, after;
  if (k == s->count) return;
  for (int c = 0; c < s->count; c++) s->Q[c][k] = s->B[row][c];
  clear_column(s, k, coefficient, &before, &after);
  if (!(after > SPANNED * before)) return;
  scale_column(s, k, 1 / after);
  for (int l = 0; l < k; l++) s->R[l][k] = coefficient[l];
  s->R[k][k] = after;
  s->row[s->rank++] = row;
}

static void choose_basis(stc_slave *s, int dim) {
  s->rank = 0;
  memset(s->R, 0, sizeof s->R);
  for (int a = 0; a < dim; a++) add_row_of(s, a);
  // Unit vectors, the one that the basis misses most first, complete it.
  for (int k = s->rank; k < s->count; k++) {
    int best = 0;
    double least = INFINITY, unused[STC_LARGE_DIM] = {0}, before, after;
    for (int c = 0; c < s->count; c++) {
      double seen = 0;
      for (int l = 0; l < k; l++) seen += s->Q[c][l] * s->Q[c][l];
      if (seen < least) least = seen, best = c;
    }
    for (int c = 0; c < s->count; c++) s->Q[c][k] = c == best;
    clear_column(s, k, unused, &before, &after);
    scale_column(s, k, 1 / after);
  }
}

stc_error stc_reduction_slaves(const stc_linear_step *step, stc_slave *slave) {
  for (int k = 0; k < step->count; k++) {
    slave[k].count = 0;
    memset(slave[k].B, 0, sizeof slave[k].B);
    if (step->area[k] > 0) {
      for (int a = 0; a < step->dim; a++) {
        int row = k * step->dim + a;
        for (int e = step->H->ptr[row]; e < step->H->ptr[row + 1]; e++) {
          int col = step->H->col[e];
          if (step->hints->node[col] != step->slave[k]) continue;
          int c = place_in(&slave[k], col);
          if (c < 0) slave[k].unknown[c = slave[k].count++] = col;
          slave[k].B[a][c] = step->H->val[e];
        }
      }
    }
    choose_basis(&slave[k], step->dim);
  }
  return check_chains(step, slave);
}

void stc_reduction_count(const stc_linear_step *step, stc_slave *slave) {
  for (int k = 0; k < step->count; k++) {
    stc_slave *s = &slave[k];
    bool normal = s->rank > 0 && s->row[0] == 0;  // not where a support holds that way
    s->rows = s->status == STC_LARGE_STICK ? s->rank : s->status == STC_LARGE_SLIP && normal;
  }
}

/// x = R^-T x.
static void solve_transposed(const stc_slave *s, double *x) {
  for (int i = 0; i < s->rows; i++) {
    for (int l = 0; l < i; l++) x[i] -= s->R[l][i] * x[l];
    x[i] /= s->R[i][i];
  }
}

// --- T and p ---

/// Entries of the slave's masters in its constraints: columns, and E = R^-T M by columns.
typedef struct masters {
  int count;
  int *col;                    // [count]
  double (*E)[STC_LARGE_DIM];  // [count]
} masters;

static int master_entries(const stc_linear_step *step, const stc_slave *s, int k) {
  int sum = 0;
  for (int i = 0; i < s->rows; i++) {
    int row = k * step->dim + s->row[i];
    sum += step->H->ptr[row + 1] - step->H->ptr[row];
  }
  return sum;
}

static void read_masters(const stc_linear_step *step, const stc_slave *s, int k, int *mark,
                         masters *m) {
  m->count = 0;
  for (int i = 0; i < s->rows; i++) {
    int row = k * step->dim + s->row[i];
    for (int e = step->H->ptr[row]; e < step->H->ptr[row + 1]; e++) {
      int col = step->H->col[e];
      if (place_in(s, col) >= 0) continue;
      if (!mark[col]) {
        memset(m->E[m->count], 0, sizeof *m->E);
        m->col[m->count] = col;
        mark[col] = ++m->count;
      }
      m->E[mark[col] - 1][i] = step->H->val[e];
    }
  }
  for (int j = 0; j < m->count; j++) {
    mark[m->col[j]] = 0;
    solve_transposed(s, m->E[j]);
  }
}

typedef struct rows {
  int *number;  // [free] of the slave that owns the unknown, -1: none
  int *mark;    // [free]
  int *list;    // [free]
  double *entry;
  masters m;
} rows;

static stc_error take_slave_rows(stc_arena *arena, const stc_linear_step *step,
                                 const stc_slave *slave, rows *w) {
  int most = 1, n = step->K->rows;
  w->number = STC_TAKE_RAW(arena, int, n);
  w->mark = STC_TAKE(arena, int, n);
  w->list = STC_TAKE_RAW(arena, int, n);
  w->entry = STC_TAKE_RAW(arena, double, n);
  for (int k = 0; k < step->count; k++) {
    int entries = master_entries(step, &slave[k], k);
    most = entries > most ? entries : most;
  }
  w->m.col = STC_TAKE_RAW(arena, int, most);
  w->m.E = stc_arena_take_raw(arena, (size_t)most, sizeof *w->m.E);
  STC_TRY(stc_arena_check(arena));
  for (int i = 0; i < n; i++) w->number[i] = -1;
  for (int k = 0; k < step->count; k++)
    for (int c = 0; c < slave[k].count; c++) w->number[slave[k].unknown[c]] = k;
  return STC_OK;
}

/// Rows of T of one slave's unknowns into `T` where its arrays are there; p.
static int fill_slave(const stc_slave *s, int c, const masters *m, int at, stc_csr *T) {
  for (int i = s->rows; i < s->count; i++, at++)
    if (T) T->col[at] = s->unknown[i], T->val[at] = s->Q[c][i];
  for (int j = 0; j < m->count; j++, at++) {
    if (!T) continue;
    T->col[at] = m->col[j];
    T->val[at] = 0;
    for (int i = 0; i < s->rows; i++) T->val[at] -= s->Q[c][i] * m->E[j][i];
  }
  return at;
}

void stc_reduction_prescribe(const stc_linear_step *step, const stc_slave *slave,
                             stc_reduction *r) {
  for (int k = 0; k < step->count; k++) {
    double x[STC_LARGE_DIM];
    for (int i = 0; i < slave[k].rows; i++) x[i] = -step->g[k * step->dim + slave[k].row[i]];
    solve_transposed(&slave[k], x);
    for (int c = 0; c < slave[k].count; c++) {
      r->p[slave[k].unknown[c]] = 0;
      for (int i = 0; i < slave[k].rows; i++) r->p[slave[k].unknown[c]] += slave[k].Q[c][i] * x[i];
    }
  }
}

static stc_error make_T(const stc_linear_step *step, const stc_slave *slave, rows *w,
                        stc_reduction *r) {
  int n = step->K->rows;
  size_t entries = (size_t)n;
  for (int k = 0; k < step->count; k++)
    if (slave[k].count)
      entries +=
          (size_t)slave[k].count * (STC_LARGE_DIM + (size_t)master_entries(step, &slave[k], k));
  STC_TRY(stc_csr_take(&r->arena, n, n, entries, &r->T));
  r->p = STC_TAKE(&r->arena, double, n);
  r->eliminated = STC_TAKE(&r->arena, bool, n);
  STC_TRY(stc_arena_check(&r->arena));
  int at = 0, last = -1;
  for (int i = 0; i < n; i++) {
    int k = w->number[i];
    if (k < 0) {
      r->T.col[at] = i;
      r->T.val[at++] = 1;
    } else {
      if (k != last) read_masters(step, &slave[k], k, w->mark, &w->m);
      at = fill_slave(&slave[k], place_in(&slave[k], i), &w->m, at, &r->T);
    }
    last = k;
    r->T.ptr[i + 1] = at;
  }
  for (int k = 0; k < step->count; k++)
    for (int i = 0; i < slave[k].rows; i++) r->eliminated[slave[k].unknown[i]] = true;
  stc_reduction_prescribe(step, slave, r);
  return stc_csr_transpose(&r->arena, &r->T, &r->Tt);
}

// --- S ---

/// Entries of row (x H) T for the row x = (x1, x2) of the tangents of candidate k, unsorted with
/// repetitions merged; returns how many.
static int reduce_row(const stc_linear_step *step, int k, const double *x, const stc_csr *T,
                      int *mark, int *col, double *val) {
  int count = 0;
  for (int a = 1; a < step->dim; a++)
    for (int e = step->H->ptr[k * step->dim + a]; e < step->H->ptr[k * step->dim + a + 1]; e++)
      for (int f = T->ptr[step->H->col[e]]; f < T->ptr[step->H->col[e] + 1]; f++) {
        if (!mark[T->col[f]]) {
          col[count] = T->col[f];
          val[count] = 0;
          mark[T->col[f]] = ++count;
        }
        val[mark[T->col[f]] - 1] += x[a - 1] * step->H->val[e] * T->val[f];
      }
  for (int j = 0; j < count; j++) mark[col[j]] = 0;
  return count;
}

static size_t reduced_entries(const stc_linear_step *step, int k, const stc_csr *T) {
  size_t sum = 0;
  for (int e = step->H->ptr[k * step->dim + 1]; e < step->H->ptr[(k + 1) * step->dim]; e++)
    sum += (size_t)(T->ptr[step->H->col[e] + 1] - T->ptr[step->H->col[e]]);
  return sum;
}

static bool resists(const stc_slave *s) { return s->status == STC_LARGE_SLIP && s->resistance > 0; }

/// A row of S for each sliding contact in space: the root of its resistance times its tangent
/// across the direction of slip.
static stc_error make_S(const stc_linear_step *step, const stc_slave *slave, rows *w,
                        stc_reduction *r) {
  stc_arena_free(&r->sliding);
  r->sliding = (stc_arena){0};
  int sliding = 0, at = 0;
  size_t entries = 0;
  for (int k = 0; k < step->count; k++)
    if (resists(&slave[k])) sliding++, entries += reduced_entries(step, k, &r->T);
  STC_TRY(stc_csr_take(&r->sliding, sliding, step->K->rows, entries, &r->S));
  sliding = 0;
  for (int k = 0; k < step->count; k++) {
    if (!resists(&slave[k])) continue;
    double root = sqrt(slave[k].resistance);
    double across[2] = {-root * slave[k].direction[1], root * slave[k].direction[0]};
    int count = reduce_row(step, k, across, &r->T, w->mark, r->S.col + at, r->S.val + at);
    stc_csr_sort_row(count, r->S.col + at, r->S.val + at);
    r->S.ptr[++sliding] = at += count;
  }
  return stc_csr_transpose(&r->sliding, &r->S, &r->St);
}

// --- A ---

typedef struct builder {
  const stc_csr *K;
  const stc_reduction *r;
  const int *number;  // [free] slave that owns the unknown, or -1
  int *mark;          // [free] 1 + place in the row, or 0
  int *list;          // [free] a row
  double *entry;      // [free]
} builder;

/// The row is that of K.
static bool plain(const builder *b, int a) {
  const stc_csr *Tt = &b->r->Tt, *St = &b->r->St;
  bool same = b->number[a] < 0 && Tt->ptr[a + 1] - Tt->ptr[a] == 1 && St->ptr[a + 1] == St->ptr[a];
  for (int e = b->K->ptr[a]; same && e < b->K->ptr[a + 1]; e++) same = b->number[b->K->col[e]] < 0;
  return same;
}

/// Adds x times row j of B to the row being made; returns its entries.
static int add_scaled_row(const builder *b, const stc_csr *B, int j, double x, int count, int *col,
                          double *val) {
  for (int f = B->ptr[j]; f < B->ptr[j + 1]; f++) {
    int *place = &b->mark[B->col[f]];
    if (!*place) {
      if (col) col[count] = B->col[f];
      if (val) val[count] = 0;
      *place = ++count;
    }
    if (val) val[*place - 1] += x * B->val[f];
  }
  return count;
}

/// Row a of A, without val only its columns; room for them is needed either way.
static int make_row(const builder *b, int a, int *col, double *val) {
  const stc_csr *Tt = &b->r->Tt, *St = &b->r->St;
  int count = 0;
  if (b->r->eliminated[a]) {
    col[0] = a;
    if (val) val[0] = 1;
    return 1;
  }
  for (int t = Tt->ptr[a]; t < Tt->ptr[a + 1]; t++)
    for (int e = b->K->ptr[Tt->col[t]]; e < b->K->ptr[Tt->col[t] + 1]; e++)
      count = add_scaled_row(b, &b->r->T, b->K->col[e], Tt->val[t] * b->K->val[e], count, col, val);
  for (int t = St->ptr[a]; t < St->ptr[a + 1]; t++)
    count = add_scaled_row(b, &b->r->S, St->col[t], St->val[t], count, col, val);
  for (int j = 0; j < count; j++) b->mark[col[j]] = 0;
  return count;
}

static void fill_rows(const builder *b, stc_csr *A) {
  for (int a = 0; a < A->rows; a++) {
    int at = A->ptr[a], from = b->K->ptr[a], count = A->ptr[a + 1] - at;
    if (plain(b, a)) {
      memcpy(A->col + at, b->K->col + from, (size_t)count * sizeof *A->col);
      memcpy(A->val + at, b->K->val + from, (size_t)count * sizeof *A->val);
    } else {
      make_row(b, a, A->col + at, A->val + at);
      stc_csr_sort_row(count, A->col + at, A->val + at);
    }
  }
}

static stc_error take_anywhere(const builder *b, stc_arena *arena, stc_csr *A) {
  int n = A->rows;
  A->ptr = STC_TAKE(arena, int, (size_t)n + 1);
  STC_TRY(stc_arena_check(arena));
  long total = 0;
  for (int a = 0; a < b->K->rows; a++) {
    total += plain(b, a) ? b->K->ptr[a + 1] - b->K->ptr[a] : make_row(b, a, b->list, NULL);
    if (total > INT_MAX)
      return stc_fail(STC_ERR_MEMORY, "the stiffness has more than 2^31 entries");
    A->ptr[a + 1] = (int)total;
  }
  A->col = STC_TAKE_RAW(arena, int, A->ptr[n]);
  return STC_OK;
}

/// The entries of row a of A at their places in the row of K; 0 elsewhere.
static void spread_row(const builder *b, int a, const int *list, const double *entry, int count,
                       double *val) {
  for (int j = 0; j < count; j++) b->mark[list[j]] = j + 1;
  for (int e = b->K->ptr[a]; e < b->K->ptr[a + 1]; e++) {
    int j = b->mark[b->K->col[e]];
    val[e] = j ? entry[j - 1] : 0;
  }
  for (int j = 0; j < count; j++) b->mark[list[j]] = 0;
}

static void fill_within(const builder *b, stc_csr *A) {
  for (int a = 0; a < A->rows; a++) {
    size_t count = (size_t)(A->ptr[a + 1] - A->ptr[a]);
    if (plain(b, a))
      memcpy(A->val + A->ptr[a], b->K->val + A->ptr[a], count * sizeof *A->val);
    else
      spread_row(b, a, b->list, b->entry, make_row(b, a, b->list, b->entry), A->val);
  }
}

static bool no_masters(const stc_linear_step *step, const rows *w) {
  for (int row = 0; row < step->H->rows; row++)
    for (int e = step->H->ptr[row]; e < step->H->ptr[row + 1]; e++) {
      bool own = w->number[step->H->col[e]] == row / step->dim;
      if (!own && step->area[row / step->dim] > 0) return false;
    }
  return true;
}

/// Pattern and room of A.
static stc_error take_A(const stc_linear_step *step, const rows *w, stc_reduction *r) {
  int n = step->K->rows;
  builder b = {step->K, r, w->number, w->mark, w->list, w->entry};
  r->A = (stc_csr){.rows = n, .cols = n, .ptr = step->K->ptr, .col = step->K->col};
  r->within = no_masters(step, w);
  if (!r->within) STC_TRY(take_anywhere(&b, &r->arena, &r->A));
  r->A.val = STC_TAKE_RAW(&r->arena, double, r->A.ptr[n]);
  return stc_arena_check(&r->arena);
}

void stc_reduction_free(stc_reduction *r) {
  stc_arena_free(&r->arena);
  stc_arena_free(&r->sliding);
  *r = (stc_reduction){0};
}

static stc_error make_reduction(const stc_linear_step *step, const stc_slave *slave, bool whole,
                                stc_reduction *r) {
  stc_arena scratch = {0};
  rows w = {0};
  stc_error error = take_slave_rows(&scratch, step, slave, &w);
  if (!error && whole) error = make_T(step, slave, &w, r);
  if (!error) error = make_S(step, slave, &w, r);
  if (!error && whole) error = take_A(step, &w, r);
  if (!error) {
    builder b = {step->K, r, w.number, w.mark, w.list, w.entry};
    (r->within ? fill_within : fill_rows)(&b, &r->A);
  }
  stc_arena_free(&scratch);
  if (error) stc_reduction_free(r);
  return error;
}

stc_error stc_reduction_make(const stc_linear_step *step, const stc_slave *slave,
                             stc_reduction *r) {
  stc_reduction_free(r);
  return make_reduction(step, slave, true, r);
}

stc_error stc_reduction_rotate(const stc_linear_step *step, const stc_slave *slave,
                               stc_reduction *r) {
  stc_reduction_prescribe(step, slave, r);
  return make_reduction(step, slave, false, r);
}
