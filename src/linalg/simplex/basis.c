// Left-looking elimination of sparse columns with partial pivoting, and a product of exchanges.
#include "basis.h"

#include "../../base/fail.h"
#include "../../base/stop.h"

#include <math.h>
#include <string.h>

// A pivot is at least this part of the largest entry of its column, and the row with the fewest
// entries among those. A column whose entries have all shrunk to DEPENDENT of what they were
// depends on the others.
static const double THRESHOLD = 0.1, DEPENDENT = 1e-11;

// Exchanges after which rounding and the length of the product ask for a new factor.
enum { MOST_EXCHANGES = 64 };

/// Columns of entries, in the order they were appended.
typedef struct strips {
  int *ptr;  // [columns + 1]
  int *index;
  double *value;
  int room;
} strips;

struct stc_basis {
  int rows;
  stc_arena arena;
  strips L, U, exchange;    // L by rows of B, U by steps, exchanges by places in the head
  double *pivot;            // [rows] diagonal of U
  int *row_of, *place_of;   // [rows] row and place in the head of each step
  int *step_of;             // [rows] step that took a row as its pivot; -1: none yet
  int *order;               // [rows] places in the order of their steps, shortest columns first
  int *count;               // [rows] entries of the rows of B
  int *first;               // [rows + 2] where columns of a length begin; then those refused
  double *work;             // [rows]
  int *reach, *stack, *at;  // [rows] steps a column touches, and the search for them
  bool *seen;               // [rows]
  int *replaced;            // [MOST_EXCHANGES] place of each exchange
  double *by;               // [MOST_EXCHANGES] its pivot
  int exchanges;
};

stc_error stc_basis_create(int rows, stc_basis **basis) {
  stc_basis *b = *basis = stc_calloc(1, sizeof *b);
  if (!b) return stc_fail(STC_ERR_MEMORY, "out of memory for a basis");
  b->rows = rows;
  int **whole[] = {&b->row_of, &b->place_of, &b->step_of, &b->order, &b->count,
                   &b->reach,  &b->stack,    &b->at,      &b->L.ptr, &b->U.ptr};
  for (size_t k = 0; k < sizeof whole / sizeof *whole; k++)
    *whole[k] = STC_TAKE(&b->arena, int, rows + 1);
  b->first = STC_TAKE(&b->arena, int, rows + 2);
  b->exchange.ptr = STC_TAKE(&b->arena, int, MOST_EXCHANGES + 1);
  b->replaced = STC_TAKE(&b->arena, int, MOST_EXCHANGES);
  b->by = STC_TAKE(&b->arena, double, MOST_EXCHANGES);
  b->pivot = STC_TAKE(&b->arena, double, rows);
  b->work = STC_TAKE(&b->arena, double, rows);
  b->seen = STC_TAKE(&b->arena, bool, rows);
  stc_error error = stc_arena_check(&b->arena);
  if (error) stc_basis_free(basis);
  return error;
}

void stc_basis_free(stc_basis **basis) {
  stc_basis *b = *basis;
  if (!b) return;
  strips *all[] = {&b->L, &b->U, &b->exchange};
  for (size_t k = 0; k < sizeof all / sizeof *all; k++) {
    stc_release(&all[k]->index);
    stc_release(&all[k]->value);
  }
  stc_arena_free(&b->arena);
  stc_release(basis);
}

/// Room for `more` entries behind the `used` ones.
static stc_error reserve_entries(strips *s, int used, int more) {
  if (used + more <= s->room) return STC_OK;
  int room = 2 * (used + more);
  if (!stc_grow(&s->index, (size_t)used, (size_t)room, sizeof *s->index) ||
      !stc_grow(&s->value, (size_t)used, (size_t)room, sizeof *s->value))
    return stc_fail(STC_ERR_MEMORY, "out of memory for the factor of a basis");
  s->room = room;
  return STC_OK;
}

static void append_entry(strips *s, int column, int index, double value) {
  int k = s->ptr[column + 1]++;
  s->index[k] = index;
  s->value[k] = value;
}

// --- One column ---

/// The steps whose columns of L change the column a, in reverse order of elimination, from the end
/// of `reach`: those of its rows, and of the rows that these columns fill, by a search in depth.
static int find_reach(stc_basis *b, const stc_sparse_columns *A, int column) {
  int top = b->rows;
  for (int k = A->ptr[column]; k < A->ptr[column + 1]; k++) {
    int depth = 0, start = b->step_of[A->row[k]];
    if (start < 0 || b->seen[start]) continue;
    b->stack[0] = start, b->at[0] = b->L.ptr[start], b->seen[start] = true;
    while (depth >= 0) {
      int step = b->stack[depth], next = -1;
      while (next < 0 && b->at[depth] < b->L.ptr[step + 1]) {
        int s = b->step_of[b->L.index[b->at[depth]++]];
        if (s >= 0 && !b->seen[s]) next = s;
      }
      if (next < 0) {
        b->reach[--top] = step, depth--;
      } else {
        b->stack[++depth] = next, b->at[depth] = b->L.ptr[next], b->seen[next] = true;
      }
    }
  }
  return top;
}

/// The rows without a pivot that a column reaches: first its largest entry, then the row to take.
typedef struct survey {
  double largest;
  int best;
} survey;

static void look_at_row(stc_basis *b, int row, bool choose, survey *s) {
  double size = fabs(b->work[row]);
  if (b->step_of[row] >= 0) return;
  if (!choose) {
    s->largest = fmax(s->largest, size);
  } else if (size >= THRESHOLD * s->largest && size > 0 &&
             (s->best < 0 || b->count[row] < b->count[s->best] ||
              (b->count[row] == b->count[s->best] && row < s->best))) {
    s->best = row;
  }
}

static void look_at_rows(stc_basis *b, const stc_sparse_columns *A, int column, int top,
                         bool choose, survey *s) {
  for (int k = A->ptr[column]; k < A->ptr[column + 1]; k++) look_at_row(b, A->row[k], choose, s);
  for (int k = top; k < b->rows; k++)
    for (int l = b->L.ptr[b->reach[k]]; l < b->L.ptr[b->reach[k] + 1]; l++)
      look_at_row(b, b->L.index[l], choose, s);
}

/// Moves the entry of a row from the work space to L, once.
static void move_to_L(stc_basis *b, int step, int row, double pivot) {
  if (b->step_of[row] < 0 && b->work[row] != 0)
    append_entry(&b->L, step, row, b->work[row] / pivot);
  if (b->step_of[row] < 0) b->work[row] = 0;
}

/// Leaves the work space and the marks of the reach as they were found.
static void clear_reach(stc_basis *b, const stc_sparse_columns *A, int column, int top) {
  for (int k = A->ptr[column]; k < A->ptr[column + 1]; k++) b->work[A->row[k]] = 0;
  for (int k = top; k < b->rows; k++) {
    int step = b->reach[k];
    b->seen[step] = false;
    b->work[b->row_of[step]] = 0;
    for (int l = b->L.ptr[step]; l < b->L.ptr[step + 1]; l++) b->work[b->L.index[l]] = 0;
  }
}

/// The column's entries above the pivots go to U, at `step`.
static void eliminate_above(stc_basis *b, int step, int top) {
  for (int k = top; k < b->rows; k++) {
    int s = b->reach[k];
    double u = b->work[b->row_of[s]];
    if (u == 0) continue;
    append_entry(&b->U, step, s, u);
    for (int l = b->L.ptr[s]; l < b->L.ptr[s + 1]; l++) b->work[b->L.index[l]] -= b->L.value[l] * u;
  }
}

static void take_pivot(stc_basis *b, const stc_sparse_columns *A, int column, int top, int step,
                       int row) {
  double pivot = b->work[row];
  b->pivot[step] = pivot;
  b->row_of[step] = row;
  b->step_of[row] = step;
  b->work[row] = 0;
  for (int k = A->ptr[column]; k < A->ptr[column + 1]; k++) move_to_L(b, step, A->row[k], pivot);
  for (int k = top; k < b->rows; k++)
    for (int l = b->L.ptr[b->reach[k]]; l < b->L.ptr[b->reach[k] + 1]; l++)
      move_to_L(b, step, b->L.index[l], pivot);
}

/// Column `column` of A at `step`; *row is its pivot's, -1 where it depends on the columns before.
static stc_error eliminate_column(stc_basis *b, const stc_sparse_columns *A, int column, int step,
                                  int *row) {
  double size = 0;
  int top = find_reach(b, A, column), fill = b->rows;
  b->U.ptr[step + 1] = b->U.ptr[step];
  b->L.ptr[step + 1] = b->L.ptr[step];
  STC_TRY(reserve_entries(&b->U, b->U.ptr[step], fill));
  STC_TRY(reserve_entries(&b->L, b->L.ptr[step], fill));
  for (int k = A->ptr[column]; k < A->ptr[column + 1]; k++) {
    b->work[A->row[k]] = A->val[k];
    size = fmax(size, fabs(A->val[k]));
  }
  eliminate_above(b, step, top);
  survey s = {.best = -1};
  look_at_rows(b, A, column, top, false, &s);
  if (s.largest > DEPENDENT * size) look_at_rows(b, A, column, top, true, &s);
  *row = s.best;
  if (s.best >= 0)
    take_pivot(b, A, column, top, step, s.best);
  else
    b->U.ptr[step + 1] = b->U.ptr[step];
  clear_reach(b, A, column, top);
  return STC_OK;
}

// --- All of them ---

/// The rows that are left take the places that are left, by unit columns.
static stc_error complete_head(stc_basis *b, const stc_sparse_columns *A, int *head, int step) {
  int row = 0;
  for (int left = step; left < b->rows; left++) {
    while (b->step_of[row] >= 0) row++;
    int found = -1, place = b->order[left];
    head[place] = row;
    STC_TRY(eliminate_column(b, A, row, left, &found));
    if (found < 0) return stc_fail(STC_ERR_NUMERIC, "row %d has no unit column", row);
    b->place_of[left] = place;
  }
  return STC_OK;
}

stc_error stc_basis_factorise(stc_basis *b, const stc_sparse_columns *A, int *head) {
  int step = 0, refused = 0;
  // Places of the head, those with the fewest entries first.
  int *first = b->first, n = b->rows;
  memset(first, 0, (size_t)(n + 2) * sizeof *first);
  memset(b->count, 0, (size_t)n * sizeof *b->count);
  for (int p = 0; p < n; p++) {
    first[A->ptr[head[p] + 1] - A->ptr[head[p]] + 1]++;
    for (int k = A->ptr[head[p]]; k < A->ptr[head[p] + 1]; k++) b->count[A->row[k]]++;
  }
  for (int l = 0; l <= n; l++) first[l + 1] += first[l];
  for (int p = 0; p < n; p++) b->order[first[A->ptr[head[p] + 1] - A->ptr[head[p]]]++] = p;
  for (int i = 0; i < b->rows; i++) b->step_of[i] = -1;
  b->exchanges = 0;
  for (int k = 0; k < b->rows; k++) {
    int place = b->order[k], row = -1;
    STC_TRY(stc_stop_try(50.0 + b->U.ptr[step] / (step + 1.0)));
    STC_TRY(eliminate_column(b, A, head[place], step, &row));
    if (row < 0) {
      b->first[refused++] = place;
    } else {
      b->place_of[step++] = place;
    }
  }
  for (int k = 0; k < refused; k++) b->order[step + k] = b->first[k];
  return complete_head(b, A, head, step);
}

// --- Solving ---

void stc_basis_solve(const stc_basis *b, double *v, double *x) {
  for (int s = 0; s < b->rows; s++) {
    double pivot = v[b->row_of[s]];
    if (pivot == 0) continue;
    for (int l = b->L.ptr[s]; l < b->L.ptr[s + 1]; l++) v[b->L.index[l]] -= b->L.value[l] * pivot;
  }
  for (int s = b->rows - 1; s >= 0; s--) {
    double y = v[b->row_of[s]] / b->pivot[s];
    x[b->place_of[s]] = y;
    if (y == 0) continue;
    for (int l = b->U.ptr[s]; l < b->U.ptr[s + 1]; l++)
      v[b->row_of[b->U.index[l]]] -= b->U.value[l] * y;
  }
  for (int e = 0; e < b->exchanges; e++) {
    double y = x[b->replaced[e]] /= b->by[e];
    if (y == 0) continue;
    for (int l = b->exchange.ptr[e]; l < b->exchange.ptr[e + 1]; l++)
      x[b->exchange.index[l]] -= b->exchange.value[l] * y;
  }
}

void stc_basis_solve_transposed(const stc_basis *b, double *c, double *y) {
  for (int e = b->exchanges - 1; e >= 0; e--) {
    double sum = c[b->replaced[e]];
    for (int l = b->exchange.ptr[e]; l < b->exchange.ptr[e + 1]; l++)
      sum -= b->exchange.value[l] * c[b->exchange.index[l]];
    c[b->replaced[e]] = sum / b->by[e];
  }
  for (int s = 0; s < b->rows; s++) {
    double sum = c[b->place_of[s]];
    for (int l = b->U.ptr[s]; l < b->U.ptr[s + 1]; l++)
      sum -= b->U.value[l] * y[b->row_of[b->U.index[l]]];
    y[b->row_of[s]] = sum / b->pivot[s];
  }
  for (int s = b->rows - 1; s >= 0; s--) {
    double sum = y[b->row_of[s]];
    for (int l = b->L.ptr[s]; l < b->L.ptr[s + 1]; l++) sum -= b->L.value[l] * y[b->L.index[l]];
    y[b->row_of[s]] = sum;
  }
}

stc_error stc_basis_exchange(stc_basis *b, int place, const double *x) {
  int e = b->exchanges;
  b->exchange.ptr[e + 1] = b->exchange.ptr[e];
  STC_TRY(reserve_entries(&b->exchange, b->exchange.ptr[e], b->rows));
  for (int p = 0; p < b->rows; p++)
    if (p != place && x[p] != 0) append_entry(&b->exchange, e, p, x[p]);
  b->replaced[e] = place;
  b->by[e] = x[place];
  b->exchanges++;
  return STC_OK;
}

bool stc_basis_is_worn(const stc_basis *b) {
  int n = b->rows, factor = b->L.ptr[n] + b->U.ptr[n] + n;
  return b->exchanges == MOST_EXCHANGES || b->exchange.ptr[b->exchanges] > 2 * factor;
}

int stc_basis_exchanges(const stc_basis *b) { return b->exchanges; }
