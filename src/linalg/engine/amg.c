// The hierarchy of smoothed aggregation:
//   P = (I - omega D^-1 A) Q,   omega = 4 / (3 lambda_max(D^-1 A)),   A_next = P^T A P,
// with Q the near-null vectors cut to the aggregates and made orthonormal.
#include "amg_data.h"

#include "../../base/fail.h"
#include "../../base/random.h"
#include "../small.h"

#include <assert.h>
#include <math.h>
#include <string.h>

// A level of at most this number of unknowns is factorised.
enum { LAST_UNKNOWNS = 2500 };
// Coarsening that leaves more than this share of the nodes does not pay.
static const double STALLED = 0.7;
static const double DAMPING = 4.0 / 3;
// Operations of about 1 ns in a set-up and a solve, for each entry of A: estimated from 3.2 s for
// an elastic block of 104 544 unknowns with some 75 entries per row.
static const double WORK_PER_ENTRY = 400;

// --- Creation ---

static stc_error place_unknowns(stc_amg *amg) {
  const stc_quotient *q = &amg->nodes;
  amg->slot = STC_TAKE_RAW(&amg->arena, int, amg->n);
  STC_TRY(stc_arena_check(&amg->arena));
  for (int k = 0; k < q->nodes; k++) {
    int size = q->start[k + 1] - q->start[k];
    amg->width = size > amg->width ? size : amg->width;
  }
  if (amg->width > STC_BMAT_MOST)
    return stc_fail(STC_ERR_UNSUPPORTED, "multigrid: a node has %d unknowns, at most %d are",
                    amg->width, STC_BMAT_MOST);
  if (amg->n > 0 && q->nodes > INT32_MAX / amg->width)
    return stc_fail(STC_ERR_MEMORY, "multigrid: %d nodes are too many", q->nodes);
  for (int k = 0; k < q->nodes; k++)
    for (int m = q->start[k]; m < q->start[k + 1]; m++)
      amg->slot[q->member[m]] = k * amg->width + m - q->start[k];
  return STC_OK;
}

static stc_error take_modes(stc_amg *amg, int modes, const double *mode) {
  amg->modes = modes > 0 ? modes : amg->width;
  amg->given = modes > 0 ? mode : NULL;
  if (amg->modes > STC_BMAT_MOST)
    return stc_fail(STC_ERR_UNSUPPORTED, "multigrid: %d near-null vectors, at most %d are",
                    amg->modes, STC_BMAT_MOST);
  size_t slots = (size_t)amg->nodes.nodes * (size_t)amg->width;
  amg->mode = STC_TAKE(&amg->arena, double, slots *(size_t)amg->modes);
  return stc_arena_check(&amg->arena);
}

static stc_error copy_places(stc_amg *amg, const stc_sparse_hints *hints) {
  if (!hints->x || !hints->node) return STC_OK;
  size_t dim = (size_t)hints->dim;
  amg->dim = hints->dim;
  amg->place = STC_TAKE_RAW(&amg->arena, double, (size_t)amg->nodes.nodes *dim);
  STC_TRY(stc_arena_check(&amg->arena));
  for (int k = 0; k < amg->nodes.nodes; k++) {
    int number = hints->node[amg->nodes.member[amg->nodes.start[k]]];
    memcpy(amg->place + (size_t)k * dim, hints->x + (size_t)number * dim, dim * sizeof(double));
  }
  return STC_OK;
}

static stc_error take_nodes(stc_amg *amg, const stc_csr *A, const stc_sparse_hints *hints) {
  STC_TRY(stc_quotient_make(&amg->arena, A, hints->node, &amg->nodes));
  STC_TRY(place_unknowns(amg));
  STC_TRY(take_modes(amg, hints->modes, hints->mode));
  STC_TRY(copy_places(amg, hints));
  size_t slots = (size_t)amg->nodes.nodes * (size_t)amg->width;
  double **const vector[] = {&amg->x, &amg->p, &amg->q};
  STC_TAKE_VECTORS(&amg->arena, slots, vector);
  return stc_arena_check(&amg->arena);
}

static stc_error analyse_amg(const stc_csr *A, const stc_sparse_hints *hints, const stc_crew *crew,
                             void **state) {
  stc_amg *amg = *state = stc_calloc(1, sizeof *amg);
  if (!amg) return stc_fail(STC_ERR_MEMORY, "out of memory for multigrid");
  amg->crew = *crew;
  amg->n = A->rows;
  amg->entries = A->ptr[A->rows];
  amg->ptr = A->ptr;
  amg->col = A->col;
  return take_nodes(amg, A, hints);
}

static void free_levels(stc_amg *amg) {
  for (int k = 0; k < amg->levels; k++) {
    stc_amg_level *l = &amg->level[k];
    stc_bmat_free(&l->A);
    stc_bmat_free(&l->P);
    stc_bmat_free(&l->R);
    stc_release(&l->inverse);
    stc_release(&l->b);
  }
  memset(amg->level, 0, sizeof amg->level);
  amg->levels = 0;
  stc_llt_free(&amg->llt);
  stc_arena_free(&amg->coarse);
  amg->coarse = (stc_arena){0};
}

static void free_amg(void *state) {
  stc_amg *amg = state;
  free_levels(amg);
  stc_arena_free(&amg->arena);
  stc_release(&amg);
}

static double work_of_amg(const void *state) {
  return WORK_PER_ENTRY * ((const stc_amg *)state)->entries;
}

static double bytes_of_amg(const void *state) {
  const stc_amg *amg = state;
  double bytes = (double)amg->arena.bytes + (double)amg->coarse.bytes;
  for (int k = 0; k < amg->levels; k++) {
    const stc_amg_level *l = &amg->level[k];
    bytes += stc_bmat_bytes(&l->A) + stc_bmat_bytes(&l->P) + stc_bmat_bytes(&l->R);
    bytes += 8.0 * l->A.rows * l->A.br * (l->A.br + 5);
  }
  return bytes + (amg->llt ? 8 * stc_llt_entries(amg->llt) : 0);
}

// --- The first level ---

typedef struct gather_job {
  const stc_amg *amg;
  const double *val;
  stc_bmat *A;
} gather_job;

/// Blocks of the nodes first .. last; where a node has fewer unknowns than others, the identity.
static void gather_range(void *argument, int first, int last) {
  const gather_job *j = argument;
  const stc_quotient *q = &j->amg->nodes;
  int b = j->amg->width;
  for (int i = first; i < last; i++) {
    for (int e = q->ptr[i]; e < q->ptr[i + 1]; e++) j->A->col[e] = q->adj[e];
    for (int m = q->start[i]; m < q->start[i + 1]; m++) {
      int row = q->member[m], at = -1, node = -1;
      for (int e = j->amg->ptr[row]; e < j->amg->ptr[row + 1]; e++) {
        int slot = j->amg->slot[j->amg->col[e]], other = slot / b;
        if (other != node) at = stc_quotient_entry(q, i, node = other);
        j->A->val[(size_t)at * (size_t)(b * b) + (size_t)((m - q->start[i]) * b + slot % b)] =
            j->val[e];
      }
    }
    size_t own = (size_t)stc_quotient_entry(q, i, i) * (size_t)(b * b);
    for (int k = q->start[i + 1] - q->start[i]; k < b; k++)
      j->A->val[own + (size_t)(k * b + k)] = 1;
  }
}

static stc_error gather_blocks(const stc_amg *amg, const double *val, stc_bmat *A) {
  const stc_quotient *q = &amg->nodes;
  *A = (stc_bmat){.rows = q->nodes, .cols = q->nodes, .br = amg->width, .bc = amg->width};
  A->ptr = stc_calloc((size_t)q->nodes + 1, sizeof *A->ptr);
  if (!A->ptr) return stc_fail(STC_ERR_MEMORY, "out of memory for multigrid");
  memcpy(A->ptr, q->ptr, ((size_t)q->nodes + 1) * sizeof *A->ptr);
  STC_TRY(stc_bmat_take(A));
  gather_job job = {amg, val, A};
  stc_crew_rows(&amg->crew, 9.0 * A->ptr[A->rows], A->rows, gather_range, &job);
  return STC_OK;
}

// --- A level's smoother ---

/// inverse = a^-1; false for a block that is not positive definite.
static bool invert_block(int b, const double *a, double *inverse) {
  double L[STC_BMAT_MOST * STC_BMAT_MOST];
  memcpy(L, a, (size_t)(b * b) * sizeof *L);
  if (stc_small_cholesky(b, L, 0) >= 0) return false;
  for (int k = 0; k < b; k++) {
    for (int i = 0; i < b; i++) inverse[k * b + i] = i == k;
    stc_small_cholesky_solve(b, L, inverse + k * b);
  }
  return true;
}

int stc_amg_invert_diagonal(const stc_bmat *A, double *inverse) {
  size_t n = (size_t)(A->br * A->br);
  for (int i = 0; i < A->rows; i++) {
    bool done = false;
    for (int e = A->ptr[i]; e < A->ptr[i + 1]; e++)
      if (A->col[e] == i)
        done = invert_block(A->br, A->val + (size_t)e * n, inverse + (size_t)i * n);
    if (!done) return i;
  }
  return -1;
}

/// Largest eigenvalue of a symmetric tridiagonal matrix, by bisection on the signs of its pivots.
static double largest_eigenvalue(int n, const double *diagonal, const double *beside) {
  double low = 0, high = 0;
  for (int k = 0; k < n; k++)
    high =
        fmax(high, diagonal[k] + (k ? fabs(beside[k - 1]) : 0) + (k + 1 < n ? fabs(beside[k]) : 0));
  for (int step = 0; step < 40; step++) {
    double middle = (low + high) / 2, pivot = 1;
    bool above = true;  // every eigenvalue is below the middle
    for (int k = 0; k < n && above; k++) {
      pivot = middle - diagonal[k] - (k ? beside[k - 1] * beside[k - 1] / pivot : 0);
      above = pivot > 0;
    }
    *(above ? &high : &low) = middle;
  }
  return high;
}

// Steps of Lanczos for the largest eigenvalue.
enum { LANCZOS = 12 };

/// Lanczos by conjugate gradients on D^-1 A from a fixed random start.
static double estimate_top(const stc_crew *crew, stc_amg_level *l) {
  size_t n = (size_t)l->A.rows * (size_t)l->A.br;
  double diagonal[LANCZOS], beside[LANCZOS], *p = l->x, *r = l->r, *z = l->step, *q = l->b;
  stc_random random = stc_random_seed(1);
  for (size_t i = 0; i < n; i++) r[i] = stc_random_uniform(&random) - 0.5;
  stc_amg_scale(crew, l, r, z);
  memcpy(p, z, n * sizeof *p);
  double rz = stc_crew_dot(crew, n, r, z), alpha = 1, beta = 0;
  int steps = 0;
  while (steps < LANCZOS && rz > 0) {
    stc_bmat_multiply(crew, 1, &l->A, p, 0, q);
    double energy = stc_crew_dot(crew, n, p, q), before = alpha;
    if (!(energy > 0)) break;
    alpha = rz / energy;
    diagonal[steps] = 1 / alpha + beta / before;
    for (size_t i = 0; i < n; i++) r[i] -= alpha * q[i];
    stc_amg_scale(crew, l, r, z);
    double next = stc_crew_dot(crew, n, r, z);
    beta = next / rz;
    rz = next;
    beside[steps++] = sqrt(fmax(beta, 0)) / alpha;
    for (size_t i = 0; i < n; i++) p[i] = z[i] + beta * p[i];
  }
  return steps ? largest_eigenvalue(steps, diagonal, beside) : 1;
}

static stc_error prepare_level(const stc_crew *crew, stc_amg_level *l, int *bad) {
  size_t b = (size_t)l->A.br, n = (size_t)l->A.rows * b;
  l->inverse = stc_calloc(n * b, sizeof *l->inverse);
  l->b = stc_calloc(5 * n, sizeof *l->b);
  if (!l->inverse || !l->b) return stc_fail(STC_ERR_MEMORY, "out of memory for multigrid");
  l->x = l->b + n;
  l->r = l->x + n;
  l->step = l->r + n;
  l->other = l->step + n;
  *bad = stc_amg_invert_diagonal(&l->A, l->inverse);
  if (*bad < 0) l->top = estimate_top(crew, l);
  return STC_OK;
}

// --- From level to level ---

typedef struct smooth_job {
  const stc_amg_level *l;
  const unsigned char *strong;
  const int *aggregate;
  const double *mode;    // [rows][b][modes]
  const double *Q;       // the same, orthonormal on the aggregates
  const double *coarse;  // [aggregates][modes][modes] their triangles: mode = Q coarse
  double omega;
  stc_bmat *P;
} smooth_job;

static int place_in_row(const stc_bmat *P, int first, int last, int col) {
  while (first < last && P->col[first] != col) first++;
  return first;
}

static bool counts(const smooth_job *j, int e) {
  return j->strong[e] && j->aggregate[j->l->A.col[e]] >= 0;
}

/// The aggregates that row i of P meets, into `list` where it is not NULL; returns how many.
static int list_aggregates(const smooth_job *j, int i, int *list) {
  const stc_bmat *A = &j->l->A;
  int count = 0;
  for (int e = A->ptr[i]; e < A->ptr[i + 1] && j->aggregate[i] >= 0; e++) {
    bool again = !counts(j, e);
    for (int f = A->ptr[i]; f < e && !again; f++)
      again = counts(j, f) && j->aggregate[A->col[f]] == j->aggregate[A->col[e]];
    if (again) continue;
    if (list) list[count] = j->aggregate[A->col[e]];
    count++;
  }
  return count;
}

/// block -= omega D_i^-1 A_ij q.
static void subtract_smoothed(const smooth_job *j, int i, int e, const double *q, double *block) {
  const stc_bmat *A = &j->l->A;
  int b = A->br, modes = j->P->bc;
  const double *a = A->val + (size_t)e * (size_t)(b * b);
  const double *inverse = j->l->inverse + (size_t)i * (size_t)(b * b);
  for (int r = 0; r < b; r++)
    for (int c = 0; c < b; c++) {
      double f = 0;
      for (int k = 0; k < b; k++) f += inverse[r * b + k] * a[k * b + c];
      for (int m = 0; m < modes; m++) block[r * modes + m] -= j->omega * f * q[c * modes + m];
    }
}

static void count_range(void *argument, int first, int last) {
  const smooth_job *j = argument;
  for (int i = first; i < last; i++) j->P->ptr[i + 1] = list_aggregates(j, i, NULL);
}

/// Row i of P. A weak neighbour counts as one of i's own aggregate: rows stay short, and the modes
/// are still prolonged exactly.
static void smooth_row(const smooth_job *j, int i) {
  const stc_bmat *A = &j->l->A;
  int from = j->P->ptr[i], to = j->P->ptr[i + 1], own = j->aggregate[i];
  size_t size = (size_t)(j->P->br * j->P->bc);
  if (list_aggregates(j, i, j->P->col + from) == 0) return;
  for (int e = A->ptr[i]; e < A->ptr[i + 1]; e++) {
    int other = A->col[e];
    bool weak = !j->strong[e] || j->aggregate[other] < 0;
    double extended[STC_BMAT_MOST * STC_BMAT_MOST];
    const double *q = weak ? extended : j->Q + (size_t)other * size;
    if (weak) {
      // The modes at node j as if it were in the aggregate: q R = mode_j, by columns of the
      // triangle R.
      int b = j->P->br, modes = j->P->bc;
      const double *R = j->coarse + (size_t)own * (size_t)(modes * modes);
      const double *mode = j->mode + (size_t)other * (size_t)(b * modes);
      for (int r = 0; r < b; r++)
        for (int k = 0; k < modes; k++) {
          double sum = mode[r * modes + k], pivot = R[k * modes + k];
          for (int l = 0; l < k; l++) sum -= extended[r * modes + l] * R[l * modes + k];
          extended[r * modes + k] = pivot > 0 ? sum / pivot : 0;
        }
    }
    int place = place_in_row(j->P, from, to, weak ? own : j->aggregate[other]);
    subtract_smoothed(j, i, e, q, j->P->val + size * (size_t)place);
  }
  double *block = j->P->val + size * (size_t)place_in_row(j->P, from, to, own);
  for (size_t k = 0; k < size; k++) block[k] += j->Q[(size_t)i * size + k];
}

static void smooth_range(void *argument, int first, int last) {
  for (int i = first; i < last; i++) smooth_row(argument, i);
}

static stc_error smooth_prolongation(const stc_crew *crew, smooth_job *j) {
  const stc_bmat *A = &j->l->A;
  stc_bmat *P = j->P;
  P->ptr = stc_calloc((size_t)P->rows + 1, sizeof *P->ptr);
  if (!P->ptr) return stc_fail(STC_ERR_MEMORY, "out of memory for multigrid");
  double work = (double)P->br * P->bc * A->ptr[A->rows];
  stc_crew_rows(crew, work, P->rows, count_range, j);
  for (int i = 0; i < P->rows; i++) P->ptr[i + 1] += P->ptr[i];
  STC_TRY(stc_bmat_take(P));
  stc_crew_rows(crew, work, P->rows, smooth_range, j);
  return STC_OK;
}

static stc_error galerkin(const stc_crew *crew, stc_amg_level *l, stc_bmat *next) {
  stc_bmat AP;
  STC_TRY(stc_bmat_transpose(&l->P, &l->R));
  STC_TRY(stc_bmat_product(crew, &l->A, &l->P, &AP));
  stc_error error = stc_bmat_product(crew, &l->R, &AP, next);
  stc_bmat_free(&AP);
  if (!error) {
    // Modes left out on an aggregate have no energy: the identity stands in for them.
    int b = next->br;
    for (int i = 0; i < next->rows; i++)
      for (int e = next->ptr[i]; e < next->ptr[i + 1]; e++)
        for (int k = 0; k < b && next->col[e] == i; k++) {
          double *a = next->val + (size_t)e * (size_t)(b * b) + k * b + k;
          if (*a == 0) *a = 1;
        }
  }
  return error;
}

/// Aggregates stand in the middle of their nodes.
static void find_middles(int rows, int dim, const double *place, const int *aggregate, int count,
                         int *size, double *middle) {
  for (int i = 0; i < rows; i++) {
    int to = aggregate[i];
    for (int c = 0; to >= 0 && c < dim; c++)
      middle[(size_t)to * (size_t)dim + (size_t)c] += place[(size_t)i * (size_t)dim + (size_t)c];
    if (to >= 0) size[to]++;
  }
  for (int k = 0; k < count; k++)
    for (int c = 0; c < dim; c++) middle[(size_t)k * (size_t)dim + (size_t)c] /= size[k];
}

/// The next level; *count is 0 where there is nothing to gain from one.
static stc_error coarsen(stc_amg *amg, int k, stc_arena *scratch, double **mode, int *count) {
  stc_amg_level *l = &amg->level[k];
  size_t rows = (size_t)l->A.rows, modes = (size_t)amg->modes, dim = (size_t)amg->dim;
  unsigned char *strong = STC_TAKE_RAW(scratch, unsigned char, l->A.ptr[l->A.rows]);
  int *aggregate = STC_TAKE_RAW(scratch, int, rows);
  double *Q = STC_TAKE_RAW(scratch, double, rows *(size_t)l->A.br *modes);
  STC_TRY(stc_arena_check(scratch));
  STC_TRY(stc_amg_aggregate(&amg->crew, &l->A, amg->dim, l->place, strong, aggregate, count));
  if (*count > STALLED * l->A.rows) *count = 0;
  if (*count == 0) return STC_OK;
  double *coarse = STC_TAKE(&amg->coarse, double, (size_t)*count *modes *modes);
  double *middle = l->place ? STC_TAKE(&amg->coarse, double, (size_t)*count *dim) : NULL;
  int *size = STC_TAKE(scratch, int, *count);
  STC_TRY(stc_arena_check(&amg->coarse));
  STC_TRY(stc_arena_check(scratch));
  if (middle) find_middles(l->A.rows, amg->dim, l->place, aggregate, *count, size, middle);
  STC_TRY(stc_amg_tentative(&amg->crew, l->A.rows, l->A.br, amg->modes, *mode, aggregate, *count, Q,
                            coarse));
  l->P = (stc_bmat){.rows = l->A.rows, .cols = *count, .br = l->A.br, .bc = amg->modes};
  smooth_job j = {l, strong, aggregate, *mode, Q, coarse, DAMPING / l->top, &l->P};
  STC_TRY(smooth_prolongation(&amg->crew, &j));
  *mode = coarse;
  amg->level[k + 1].place = middle;
  return galerkin(&amg->crew, l, &amg->level[k + 1].A);
}

// --- The last level ---

static stc_error expand_blocks(stc_arena *arena, const stc_bmat *A, stc_csr *B) {
  int b = A->br, n = A->rows * b, used = 0;
  size_t entries = (size_t)A->ptr[A->rows] * (size_t)(b * b);
  STC_TRY(stc_csr_take(arena, n, n, entries, B));
  for (int i = 0; i < n; i++) {
    for (int e = A->ptr[i / b]; e < A->ptr[i / b + 1]; e++)
      for (int c = 0; c < b; c++) {
        B->col[used] = A->col[e] * b + c;
        B->val[used++] = A->val[(size_t)e * (size_t)(b * b) + (size_t)(i % b * b + c)];
      }
    stc_csr_sort_row(used - B->ptr[i], B->col + B->ptr[i], B->val + B->ptr[i]);
    B->ptr[i + 1] = used;
  }
  return STC_OK;
}

static stc_error factorise_last(stc_amg *amg) {
  int bad;
  STC_TRY(expand_blocks(&amg->coarse, &amg->level[amg->levels - 1].A, &amg->last));
  STC_TRY(stc_llt_create(&amg->last, &amg->crew, &amg->llt));
  return stc_llt_factorise(amg->llt, amg->last.val, 0, STC_LLT_FLOOR, &bad);
}

// --- The whole ---

static stc_error refuse_level(const stc_amg *amg, int level, int node, int *bad) {
  if (level > 0)
    return stc_fail(STC_ERR_NUMERIC, "the matrix is not positive definite: a motion of many of its "
                                     "unknowns has no or negative energy");
  *bad = amg->nodes.member[amg->nodes.start[node]];
  return stc_fail(STC_ERR_NUMERIC,
                  "the matrix is not positive definite: the diagonal block of row %d is not", *bad);
}

/// Rows of P that meet an unknown which is alone in A now lead nowhere.
static void cut_prolongation(stc_amg_level *l) {
  int b = l->A.br, modes = l->P.bc;
  for (int i = 0; i < l->A.rows; i++)
    for (int k = 0; k < b; k++) {
      double beside = 0;
      for (int e = l->A.ptr[i]; e < l->A.ptr[i + 1]; e++)
        for (int c = 0; c < b; c++)
          if (l->A.col[e] != i || c != k)
            beside += fabs(l->A.val[(size_t)e * (size_t)(b * b) + (size_t)(k * b + c)]);
      for (int e = l->P.ptr[i]; e < l->P.ptr[i + 1] && beside == 0; e++)
        memset(l->P.val + ((size_t)e * (size_t)b + (size_t)k) * (size_t)modes, 0,
               (size_t)modes * sizeof(double));
    }
}

static stc_error descend(stc_amg *amg, int *bad) {
  double *mode = amg->mode;
  for (int k = 0;; k++) {
    stc_amg_level *l = &amg->level[k];
    int node, count = 0;
    amg->levels = k + 1;
    STC_TRY(stc_crew_tell(&amg->crew, "hierarchy", 1 - (double)l->A.rows / amg->level[0].A.rows));
    STC_TRY(prepare_level(&amg->crew, l, &node));
    if (node >= 0) return refuse_level(amg, k, node, bad);
    if (k + 1 == STC_AMG_LEVELS || l->A.rows <= LAST_UNKNOWNS / l->A.br) return STC_OK;
    stc_arena scratch = {0};
    stc_error error = coarsen(amg, k, &scratch, &mode, &count);
    stc_arena_free(&scratch);
    if (error || count == 0) return error;
  }
}

static stc_error set_up_amg(void *state, const double *val, int *bad) {
  stc_amg *amg = state;
  *bad = -1;
  free_levels(amg);
  if (amg->n == 0) return STC_OK;
  // The caller's vectors, or the constants of each component.
  size_t count = (size_t)amg->modes;
  for (int i = 0; i < amg->n; i++) {
    double *row = amg->mode + (size_t)amg->slot[i] * count;
    if (!amg->given) row[amg->slot[i] % amg->width] = 1;
    for (int k = 0; k < amg->modes && amg->given; k++)
      row[k] = amg->given[(size_t)k * (size_t)amg->n + (size_t)i];
  }
  amg->levels = 1;
  amg->level[0].place = amg->place;
  STC_TRY(gather_blocks(amg, val, &amg->level[0].A));
  STC_TRY(descend(amg, bad));
  return factorise_last(amg);
}

static stc_error refresh_amg(void *state, const double *val, int *bad) {
  stc_amg *amg = state;
  stc_amg_level *l = &amg->level[0];
  *bad = -1;
  if (amg->levels < 2) return set_up_amg(amg, val, bad);
  stc_bmat_free(&l->A);
  STC_TRY(gather_blocks(amg, val, &l->A));
  int node = stc_amg_invert_diagonal(&l->A, l->inverse);
  if (node >= 0) return refuse_level(amg, 0, node, bad);
  cut_prolongation(l);
  stc_bmat_free(&l->R);
  return stc_bmat_transpose(&l->P, &l->R);
}

static stc_error solve_amg(void *state, int count, const double *b, double *x, double tol,
                           stc_sparse_report *report, int *bad) {
  size_t n = (size_t)((stc_amg *)state)->n;
  for (size_t c = 0; c < (size_t)count; c++)
    STC_TRY(stc_amg_solve(state, b + c * n, x + c * n, tol, report, bad));
  return STC_OK;
}

STC_ENGINE_IS(amg, .name = "amg", .analyse = analyse_amg, .free = free_amg, .factorise = set_up_amg,
              .refresh = refresh_amg, .solve = solve_amg, .work = work_of_amg,
              .bytes = bytes_of_amg);
