// W = H K^-1 H^T column by column for the contacts that matter, kept while K and H stay.
#include "../../base/fail.h"
#include "../../linalg/condense.h"
#include "condensed.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

// Columns of W as the factor gives them; the bodies' own answer is refined and corrects them.
#define COLUMN_TOL 1e-11

struct stc_condenser {
  int dim, count;
  stc_condensed set;
  bool *inside;   // [count]
  int done;       // rows of the set whose columns of W are there
  double *q;      // [count*dim] v of all candidates at r0
  double *r0;     // [count*dim]
  double *du0;    // [free] answer of the bodies to r0
  double *b, *y;  // [free] right-hand side and answer
  int free;       // unknowns the arrays have room for
  stc_arena arena;
};

void stc_condensed_apply(const stc_condensed *c, const double *r, double *v) {
  int n = stc_condensed_rows(c);
  memcpy(v, c->q, (size_t)n * sizeof *v);
  for (int j = 0; j < n; j++) {
    double d = r[j] - c->r0[j];
    if (d == 0) continue;
    const double *column = c->W + (ptrdiff_t)j * c->ld;
    for (int i = 0; i < n; i++) v[i] += d * column[i];
  }
}

stc_error stc_condenser_create(int dim, int count, stc_condenser **condenser) {
  stc_condenser *c = *condenser = stc_calloc(1, sizeof *c);
  if (!c) return stc_fail(STC_ERR_MEMORY, "out of memory for %d contacts", count);
  size_t size = (size_t)dim * (size_t)count;
  c->dim = dim, c->count = count;
  c->set.candidate = STC_TAKE(&c->arena, int, count);
  c->set.offset = STC_TAKE(&c->arena, int, (size_t)count + 1);
  c->set.row = STC_TAKE(&c->arena, int, size);
  c->inside = STC_TAKE(&c->arena, bool, count);
  double **const vectors[] = {&c->set.q, &c->set.r0, &c->q, &c->r0};
  STC_TAKE_ZEROS(&c->arena, size, vectors);
  stc_error error = stc_arena_check(&c->arena);
  if (error) stc_condenser_free(condenser);
  return error;
}

void stc_condenser_free(stc_condenser **condenser) {
  if (!condenser || !*condenser) return;
  stc_condenser *c = *condenser;
  free(c->set.W);
  stc_release(&c->du0);
  stc_release(&c->b);
  stc_release(&c->y);
  stc_arena_free(&c->arena);
  stc_release(condenser);
}

void stc_condenser_reset(stc_condenser *c) {
  memset(c->inside, 0, (size_t)c->count * sizeof *c->inside);
  c->set.contacts = c->done = 0;
}

const stc_condensed *stc_condenser_set(const stc_condenser *condenser) { return &condenser->set; }

// --- The set ---

static bool moves(const stc_linear_step *s, int row) { return s->H->ptr[row + 1] > s->H->ptr[row]; }

// Adds a candidate with the rows that can move; one whose gap cannot change stays out.
static void join_set(stc_condenser *c, const stc_linear_step *s, int k) {
  int first = k * c->dim, at = c->set.offset[c->set.contacts];
  if (c->inside[k] || !(s->area[k] > 0) || !moves(s, first)) return;
  c->inside[k] = true;
  for (int a = 0; a < c->dim; a++)
    if (moves(s, first + a) && (a == 0 || s->mu[k] > 0)) c->set.row[at++] = first + a;
  c->set.candidate[c->set.contacts++] = k;
  c->set.offset[c->set.contacts] = at;
}

// Room for W with n rows; what is there is kept.
static stc_error grow_compliance(stc_condenser *c, int n) {
  if (n <= c->set.ld) return STC_OK;
  int ld = n + n / 4;
  double *W = malloc((size_t)ld * (size_t)ld * sizeof *W);
  if (!W)
    return stc_fail(STC_ERR_MEMORY,
                    "out of memory for the compliance of %d contact rows (%.3g GB); fewer slave "
                    "nodes help",
                    n, 8e-9 * ld * ld);
  for (int j = 0; j < c->done; j++)
    memcpy(W + (ptrdiff_t)j * ld, c->set.W + (ptrdiff_t)j * c->set.ld, (size_t)c->done * sizeof *W);
  free(c->set.W);
  c->set.W = W;
  c->set.ld = ld;
  return STC_OK;
}

static stc_error make_work(stc_condenser *c, int size) {
  if (size <= c->free) return STC_OK;
  stc_release(&c->du0);
  stc_release(&c->b);
  stc_release(&c->y);
  c->du0 = stc_calloc((size_t)size, sizeof *c->du0);
  c->b = stc_calloc((size_t)size, sizeof *c->b);
  c->y = stc_calloc((size_t)size, sizeof *c->y);
  if (!c->du0 || !c->b || !c->y)
    return stc_fail(STC_ERR_MEMORY, "out of memory for %d unknowns", size);
  c->free = size;
  return STC_OK;
}

static double row_times(const stc_csr *H, int row, const double *x) {
  double sum = 0;
  for (int e = H->ptr[row]; e < H->ptr[row + 1]; e++) sum += H->val[e] * x[H->col[e]];
  return sum;
}

/// The step and the set while columns of W are made.
typedef struct column_job {
  stc_condenser *c;
  const stc_linear_step *s;
} column_job;

// Column c->done + j of W from y = K^-1 H^T e.
static stc_error take_column(void *user, int j, const double *y) {
  const column_job *job = user;
  stc_condensed *set = &job->c->set;
  ptrdiff_t col = job->c->done + j;
  for (int i = 0; i <= col; i++)
    set->W[i + col * set->ld] = set->W[col + (ptrdiff_t)i * set->ld] =
        row_times(job->s->H, set->row[i], y);
  return STC_OK;
}

static stc_error complete_set(stc_condenser *c, const stc_linear_step *s) {
  int n = stc_condensed_rows(&c->set);
  column_job job = {c, s};
  const stc_columns columns = {.solver = s->spd,
                               .A = s->H,
                               .row = c->set.row + c->done,
                               .count = n - c->done,
                               .group = 1,
                               .tol = COLUMN_TOL,
                               .take = take_column,
                               .user = &job,
                               .progress = s->progress,
                               .progress_user = s->progress_user};
  STC_TRY(grow_compliance(c, n));
  if (n > c->done) STC_TRY(stc_condense_columns(&columns));
  c->done = n;
  for (int i = 0; i < n; i++) {
    c->set.q[i] = c->q[c->set.row[i]];
    c->set.r0[i] = c->r0[c->set.row[i]];
  }
  return STC_OK;
}

// --- A step ---

// A column of W costs a solve. Where they are few, all contacts that would penetrate join at once;
// else those that do so by more than half of the deepest (all that close under a sphere or a
// cylinder), and the rest as the answer asks for them.
#define FEW_COLUMNS 1e7  // unknowns times columns

stc_error stc_condenser_begin(stc_condenser *c, const stc_linear_step *s, const double *r) {
  int n = s->K->rows;
  STC_TRY(make_work(c, n > 0 ? n : 1));
  c->set.mu = s->mu;
  c->set.area = s->area;
  memcpy(c->r0, r, (size_t)(c->count * c->dim) * sizeof *r);
  memcpy(c->b, s->b, (size_t)n * sizeof *c->b);
  stc_csr_multiply_transposed(s->H, r, 1, c->b);
  memset(c->du0, 0, (size_t)n * sizeof *c->du0);
  STC_TRY(stc_sparse_solve(s->spd, 1, c->b, c->du0, s->tol, NULL));
  memcpy(c->q, s->g, (size_t)(c->count * c->dim) * sizeof *c->q);
  stc_csr_multiply(s->H, c->du0, 1, c->q);
  double deepest = 0, columns = 0;
  for (int k = 0; k < c->count; k++) {
    if (!(s->area[k] > 0) || c->q[k * c->dim] >= 0) continue;
    columns += s->mu[k] > 0 ? c->dim : 1;
    deepest = fmax(deepest, -c->q[k * c->dim]);
  }
  double depth = columns * s->K->rows > FEW_COLUMNS ? deepest / 2 : 0;
  for (int k = 0; k < c->count; k++)
    if (r[k * c->dim] != 0 || c->q[k * c->dim] < -depth) join_set(c, s, k);
  return complete_set(c, s);
}

stc_error stc_condenser_end(stc_condenser *c, const stc_linear_step *s, const double *rw, bool grow,
                            double tol, double *r, double *du, double *v, int *added) {
  int before = c->set.contacts;
  memset(r, 0, (size_t)(c->count * c->dim) * sizeof *r);
  for (int i = 0; i < stc_condensed_rows(&c->set); i++) r[c->set.row[i]] = rw[i];
  // du = du0 + K^-1 H^T (r - r0), and v = g + H du.
  int n = s->K->rows, size = c->count * c->dim;
  for (int i = 0; i < size; i++) v[i] = r[i] - c->r0[i];
  stc_csr_multiply_transposed(s->H, v, 0, c->b);
  memset(c->y, 0, (size_t)n * sizeof *c->y);
  STC_TRY(stc_sparse_solve(s->spd, 1, c->b, c->y, s->tol, NULL));
  for (int i = 0; i < n; i++) du[i] = c->du0[i] + c->y[i];
  memcpy(v, s->g, (size_t)size * sizeof *v);
  stc_csr_multiply(s->H, du, 1, v);
  for (int k = 0; grow && k < c->count; k++)
    if (v[k * c->dim] < -tol) join_set(c, s, k);
  *added = c->set.contacts - before;
  return *added ? complete_set(c, s) : STC_OK;
}
