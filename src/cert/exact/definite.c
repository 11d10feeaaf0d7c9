// Positive semi-definite or not: Cholesky's factor in floating point shows it but for rounding,
// whose bound is taken off the diagonal beforehand. A singular matrix has no room for that: blocks
// of it are eliminated in rational numbers, A = L D L^T with D >= 0.
#include "definite.h"

#include "../../base/stop.h"
#include "../../linalg/graph.h"
#include "../../linalg/sparse_solver.h"

#include <float.h>
#include <math.h>

// Rows of a block that is eliminated exactly: n^3 operations on numbers of 100 n bits.
enum { MOST_ROWS = 40, LARGEST_BLOCK = 6000 };

// Slack that is tried, each a hundred times the last; more than this is not rounding of single
// precision or of seven digits any more.
static const double STEP = 100, MOST_SLACK = 1e-5;

// --- The symmetric part ---

/// Column of the next entry of a row, and its value; `end` where there is none.
static int peek(const stc_csr *A, int i, int at, int end) {
  return at < A->ptr[i + 1] ? A->col[at] : end;
}

/// Row i of S = (A + A^T) / 2, with its diagonal.
static void symmetric_row(const stc_csr *A, const stc_csr *At, int i, stc_csr *S, int *at) {
  int a = A->ptr[i], b = At->ptr[i];
  bool diagonal = false;
  while (a < A->ptr[i + 1] || b < At->ptr[i + 1] || !diagonal) {
    int left = peek(A, i, a, A->cols), right = peek(At, i, b, A->cols);
    int next = left < right ? left : right;
    if (!diagonal && next > i) next = i;
    diagonal = diagonal || next == i;
    S->col[*at] = next;
    S->val[*at] = ((left == next ? A->val[a] : 0) + (right == next ? At->val[b] : 0)) / 2;
    a += left == next;
    b += right == next;
    ++*at;
  }
}

static stc_error symmetric_part(stc_arena *arena, const stc_csr *A, stc_csr *S) {
  stc_csr At;
  int at = 0;
  STC_TRY(stc_csr_transpose(arena, A, &At));
  STC_TRY(stc_csr_take(arena, A->rows, A->rows, (size_t)(2 * stc_csr_entries(A) + A->rows), S));
  for (int i = 0; i < A->rows; i++) {
    symmetric_row(A, &At, i, S, &at);
    S->ptr[i + 1] = at;
  }
  return STC_OK;
}

// --- Blocks ---

/// The rows of A by blocks that have no entries between them.
typedef struct blocks {
  int count, most;   // blocks, rows of the largest
  int *of;           // [rows] number of the block
  int *start, *row;  // [count + 1], [rows]
  int *place;        // [rows] position in the block
} blocks;

static stc_error find_blocks(const stc_csr *A, stc_arena *arena, blocks *all) {
  all->of = STC_TAKE(arena, int, A->rows);
  all->row = STC_TAKE(arena, int, A->rows);
  all->place = STC_TAKE(arena, int, A->rows);
  STC_TRY(stc_arena_check(arena));
  stc_graph_start(all->of, A->rows);
  stc_graph_join_matrix(all->of, A, 0, 0);
  all->count = stc_graph_number(all->of, A->rows);
  all->start = STC_TAKE(arena, int, all->count + 1);
  STC_TRY(stc_arena_check(arena));
  for (int i = 0; i < A->rows; i++) all->place[i] = all->start[all->of[i] + 1]++;
  for (int k = 0; k < all->count; k++) {
    all->most = all->start[k + 1] > all->most ? all->start[k + 1] : all->most;
    all->start[k + 1] += all->start[k];
  }
  for (int i = 0; i < A->rows; i++) all->row[all->start[all->of[i]] + all->place[i]] = i;
  return STC_OK;
}

// --- In floating point ---

// Beyond these a square of a diagonal entry may leave the range of doubles.
static const double SMALLEST = 0x1p-400, LARGEST = 0x1p400;

/// Where an entry of S on the diagonal is.
static double *diagonal_of(const stc_csr *S, int i) {
  int at = S->ptr[i];
  while (S->col[at] != i) at++;
  return &S->val[at];
}

/// The diagonal d of S; rows that are zero count as 1, which changes nothing else. False where a
/// row with entries has no positive diagonal: S is not semi-definite.
static bool read_diagonal(const stc_csr *S, double *d) {
  for (int i = 0; i < S->rows; i++) {
    bool empty = true;
    for (int k = S->ptr[i]; k < S->ptr[i + 1]; k++) empty = empty && S->val[k] == 0;
    d[i] = empty ? 1 : *diagonal_of(S, i);
    if (!(d[i] >= SMALLEST && d[i] <= LARGEST)) return false;
  }
  return true;
}

/// Tries S + shift diag(S); *error is the slack that rounding asks for.
static stc_error try_shift(const stc_csr *S, const double *d, double shift, bool *positive,
                           double *error) {
  for (int i = 0; i < S->rows; i++) *diagonal_of(S, i) = d[i] * (1 + shift);
  return stc_sparse_test(S, positive, error);
}

/// What another factorisation may ask for besides: its columns are full at worst. Matrices
/// beyond this size are not checked densely.
static double room_for(int rows) {
  double n = rows < LARGEST_BLOCK ? rows : LARGEST_BLOCK;
  return 5 * DBL_EPSILON * (n + 8) * n;
}

/// The least slack that floating point can show, with room for whoever checks it in another order.
static stc_error slack_rounded(const stc_csr *S, const double *d, int rows, double *slack) {
  double error = 0, shift = 0, room = room_for(rows);
  bool positive = false;
  STC_TRY(try_shift(S, d, -room, &positive, &error));
  if (positive && 2 * error > room) STC_TRY(try_shift(S, d, -2 * error, &positive, &error));
  if (positive) *slack = 0;
  for (shift = 0; !positive && shift <= MOST_SLACK; shift = fmax(STEP * shift, room)) {
    STC_TRY(try_shift(S, d, shift, &positive, &error));
    if (positive) *slack = shift + error + room;
  }
  return STC_OK;
}

// --- Exactly ---

typedef struct block {
  int n;
  stc_q *A;    // [n*n] by rows
  bool *done;  // [n] eliminated
} block;

static stc_q_ptr entry_definite(const block *b, int i, int j) {
  return b->A[(ptrdiff_t)i * b->n + j];
}

/// A row that is left with a positive diagonal entry; -1: none. *broken: one is negative, or zero
/// with entries beside it.
static int find_pivot(const block *b, bool *broken) {
  int best = -1;
  for (int i = 0; i < b->n; i++) {
    if (b->done[i]) continue;
    int sign = stc_q_sgn(entry_definite(b, i, i));
    if (sign < 0) *broken = true;
    if (sign > 0 && best < 0) best = i;
    for (int j = 0; sign == 0 && j < b->n; j++)
      if (!b->done[j] && stc_q_sgn(entry_definite(b, i, j))) *broken = true;
  }
  return best;
}

static void eliminate_definite(block *b, int p) {
  STC_Q factor = {0};
  b->done[p] = true;
  for (int i = 0; i < b->n; i++) {
    if (b->done[i] || !stc_q_sgn(entry_definite(b, i, p))) continue;
    stc_q_div(factor, entry_definite(b, i, p), entry_definite(b, p, p));
    stc_q_neg(factor, factor);
    for (int j = 0; j < b->n; j++)
      if (!b->done[j]) stc_rational_fma(entry_definite(b, i, j), factor, entry_definite(b, p, j));
  }
}

/// Whether the block is semi-definite, and its rank.
static bool decompose(block *b, int *rank) {
  bool broken = false;
  for (*rank = 0; *rank < b->n; ++*rank) {
    int p = find_pivot(b, &broken);
    if (broken || stc_stop_look()) return false;
    if (p < 0) return true;
    eliminate_definite(b, p);
  }
  return true;
}

/// Block `number` of A itself, not of its rounded symmetric part.
static void gather(const stc_csr *A, const blocks *all, int number, block *b) {
  STC_Q half = {0};
  for (int n = all->start[number]; n < all->start[number + 1]; n++)
    for (int i = all->row[n], k = A->ptr[i]; k < A->ptr[i + 1]; k++) {
      int row = all->place[i], col = all->place[A->col[k]];
      if (A->val[k] == 0) continue;
      stc_q_set_d(half, A->val[k]);
      stc_q_shift(half, -1);
      stc_q_add(entry_definite(b, row, col), entry_definite(b, row, col), half);
      stc_q_add(entry_definite(b, col, row), entry_definite(b, col, row), half);
    }
}

static stc_error test_block(const stc_csr *A, const blocks *all, int number, bool *holds,
                            bool *regular) {
  int n = all->start[number + 1] - all->start[number], rank = 0;
  STC_ARENA arena = {0};
  STC_RATIONALS entries = {0};
  block b = {.n = n, .done = STC_TAKE(&arena, bool, n)};
  STC_TRY(stc_arena_check(&arena));
  STC_TRY(stc_rationals_create(&entries, (size_t)n * (size_t)n));
  b.A = entries.at;
  gather(A, all, number, &b);
  *holds = decompose(&b, &rank);
  *regular = *regular && rank == b.n;
  return STC_OK;
}

/// Whether every block of A is semi-definite; false also where one is too large to tell.
static stc_error holds_exactly(const stc_csr *A, const blocks *all, bool *holds, bool *regular) {
  *holds = *regular = all->most <= MOST_ROWS;
  for (int k = 0; *holds && k < all->count; k++) STC_TRY(test_block(A, all, k, holds, regular));
  STC_TRY(stc_fault_check());
  if (stc_fault_seen()) *holds = *regular = false;
  stc_fault_clear();
  return STC_OK;
}

stc_error stc_definite_slack(const stc_csr *A, double *slack, bool *regular) {
  STC_ARENA arena = {0};
  stc_csr S;
  bool holds = false;
  blocks all = {.count = 0};
  double *d = STC_TAKE(&arena, double, A->rows);
  *slack = INFINITY;
  *regular = false;
  STC_TRY(stc_arena_check(&arena));
  STC_TRY(symmetric_part(&arena, A, &S));
  STC_TRY(stc_stop_try(A->ptr[A->rows]));
  STC_TRY(find_blocks(A, &arena, &all));
  if (read_diagonal(&S, d)) STC_TRY(slack_rounded(&S, d, all.most, slack));
  *regular = *slack == 0;
  for (int i = 0; *regular && i < A->rows; i++) *regular = stc_csr_entry(A, i, i) != 0;
  if (*slack > 0) STC_TRY(holds_exactly(A, &all, &holds, regular));
  if (holds) *slack = 0;
  return STC_OK;
}
