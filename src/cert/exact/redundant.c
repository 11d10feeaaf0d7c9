// Joint equations that follow from the others, G_i = sum c_k G_k and b_i = sum c_k b_k, found by
// elimination in rational numbers: without them the equations of a component are regular.
#include "exact.h"

// Equations and degrees of freedom up to which it is tried.
enum { MOST_JOINTS = 64, MOST_DOFS = 400 };

stc_error stc_parts_drop_redundant(const stc_problem *p, stc_parts *parts) {
  int n = p->equalities;
  if (p->form != STC_FORM_GLOBAL || n < 2 || n > MOST_JOINTS || p->dofs > MOST_DOFS) return STC_OK;
  STC_ARENA arena = {0};
  STC_RATIONALS A = {0};  // [(dofs + 1)*n] the transpose of (G, b)
  bool *is_pivot = STC_TAKE(&arena, bool, n);
  STC_TRY(stc_arena_check(&arena));
  STC_TRY(stc_rationals_create(&A, ((size_t)p->dofs + 1) * (size_t)n));
  for (int i = 0; i < n; i++) {
    stc_q_set_d(A.at[p->dofs * n + i], p->b[i]);
    for (int k = p->G.ptr[i]; k < p->G.ptr[i + 1]; k++)
      stc_q_set_d(A.at[p->G.col[k] * n + i], p->G.val[k]);
  }
  bool done = stc_rational_eliminate(&A, p->dofs + 1, n, NULL, 0, is_pivot) >= 0;
  for (int i = 0; done && !stc_fault_seen() && i < n; i++)
    if (!is_pivot[i]) parts->hidden[i] = -1;
  stc_error error = stc_fault_check();
  stc_fault_clear();
  return error;
}
