// Joint equations that follow from the others, G_i = sum c_k G_k and b_i = sum c_k b_k, found by
// elimination in rational numbers: without them the equations of a component are regular.
#include "exact.h"

#include "../../base/clock.h"

// Equations and degrees of freedom up to which it is tried.
enum { MOST_JOINTS = 64, MOST_DOFS = 400 };

typedef struct basis {
  int cols, rows;   // with the right-hand side; rows so far
  stc_rationals A;  // [rows*cols] each with a 1 in its pivot
  int *pivot;       // [rows]
} basis;

static stc_q_ptr entry_redundant(const basis *b, int i, int j) {
  return b->A.at[(ptrdiff_t)i * b->cols + j];
}

/// Writes equation i into the row after the last, and takes off what the others have of it.
static void reduce(const basis *b, const stc_problem *p, int i) {
  stc_q factor;
  for (int j = 0; j < b->cols; j++) stc_q_set_i(entry_redundant(b, b->rows, j), 0);
  for (int k = p->G.ptr[i]; k < p->G.ptr[i + 1]; k++)
    stc_q_set_d(entry_redundant(b, b->rows, p->G.col[k]), p->G.val[k]);
  stc_q_set_d(entry_redundant(b, b->rows, b->cols - 1), p->b[i]);
  stc_q_init(factor);
  for (int row = 0; row < b->rows; row++) {
    if (!stc_q_sgn(entry_redundant(b, b->rows, b->pivot[row]))) continue;
    stc_q_neg(factor, entry_redundant(b, b->rows, b->pivot[row]));
    for (int j = 0; j < b->cols; j++)
      stc_rational_fma(entry_redundant(b, b->rows, j), factor, entry_redundant(b, row, j));
  }
  stc_q_clear(factor);
}

/// Keeps the row after the last where something is left of it; whether nothing is.
static bool is_redundant(basis *b) {
  int j = 0;
  while (j < b->cols - 1 && !stc_q_sgn(entry_redundant(b, b->rows, j))) j++;
  if (j == b->cols - 1) return !stc_q_sgn(entry_redundant(b, b->rows, j));
  stc_q pivot;
  stc_q_init(pivot);
  stc_q_set(pivot, entry_redundant(b, b->rows, j));
  for (int k = 0; k < b->cols; k++)
    stc_q_div(entry_redundant(b, b->rows, k), entry_redundant(b, b->rows, k), pivot);
  stc_q_clear(pivot);
  b->pivot[b->rows++] = j;
  return false;
}

stc_error stc_parts_drop_redundant(const stc_problem *p, stc_parts *parts, double deadline) {
  basis b = {.cols = p->dofs + 1};
  stc_arena arena = {0};
  bool wanted = p->form == STC_FORM_GLOBAL && p->equalities > 1;
  if (!wanted || p->equalities > MOST_JOINTS || p->dofs > MOST_DOFS) return STC_OK;
  b.pivot = STC_TAKE(&arena, int, p->equalities);
  stc_error error = stc_arena_check(&arena);
  if (!error) error = stc_rationals_create(&b.A, (size_t)p->equalities * (size_t)b.cols);
  for (int i = 0; !error && i < p->equalities && stc_clock() < deadline; i++) {
    reduce(&b, p, i);
    bool redundant = is_redundant(&b);
    if (redundant && !stc_fault_seen()) parts->hidden[i] = -1;
  }
  if (!error) error = stc_fault_check();
  stc_fault_clear();
  stc_rationals_free(&b.A);
  stc_arena_free(&arena);
  return error;
}
