// What the existence theorem takes for granted, tested in floating point: M is positive definite,
// or the W of the local form, with its joints [W V; V^T R], is that of some such M. Only the
// symmetric part counts: gyroscopic terms do no work.
#include "cert_data.h"

#include "../linalg/chol.h"

// A W that belongs to an M with gyroscopic terms is no more asymmetric than M may be.
static const double GYROSCOPIC = 0.1;

// Files carry W with seven digits or more; a negative eigenvalue below this, against the largest
// diagonal entry, is one of the digits that were cut off.
static const double ROUNDING = 1e-6;

/// Appends row i of A to the last row of B, its columns moved by `shift`.
static void append(const stc_csr *A, int i, int shift, stc_csr *B, int *at) {
  for (int k = A->ptr[i]; k < A->ptr[i + 1]; k++, ++*at) {
    B->col[*at] = A->col[k] + shift;
    B->val[*at] = A->val[k];
  }
}

static stc_error make_room(stc_arena *arena, int rows, int entries, stc_csr *A) {
  *A = (stc_csr){.rows = rows, .cols = rows};
  A->ptr = STC_TAKE(arena, int, rows + 1);
  A->col = STC_TAKE(arena, int, entries);
  A->val = STC_TAKE(arena, double, entries);
  return stc_arena_check(arena);
}

/// B = [W V; V^T R].
static stc_error border(stc_arena *arena, const stc_problem *p, stc_csr *B) {
  stc_csr Vt;
  int at = 0;
  STC_TRY(stc_csr_transpose(arena, &p->V, &Vt));
  STC_TRY(make_room(arena, p->size + p->equalities,
                    stc_csr_entries(&p->W) + 2 * stc_csr_entries(&p->V) + stc_csr_entries(&p->R),
                    B));
  for (int i = 0; i < B->rows; i++) {
    bool joint = i >= p->size;
    append(joint ? &Vt : &p->W, joint ? i - p->size : i, 0, B, &at);
    append(joint ? &p->R : &p->V, joint ? i - p->size : i, p->size, B, &at);
    B->ptr[i + 1] = at;
  }
  return STC_OK;
}

/// S = (A + A^T) / 2.
static stc_error symmetric_part(stc_arena *arena, const stc_csr *A, stc_csr *S) {
  stc_csr At;
  int at = 0;
  STC_TRY(stc_csr_transpose(arena, A, &At));
  STC_TRY(make_room(arena, A->rows, 2 * stc_csr_entries(A), S));
  for (int i = 0; i < A->rows; i++) {
    int a = A->ptr[i], b = At.ptr[i];
    while (a < A->ptr[i + 1] || b < At.ptr[i + 1]) {
      int left = a < A->ptr[i + 1] ? A->col[a] : A->cols;
      int right = b < At.ptr[i + 1] ? At.col[b] : A->cols;
      S->col[at] = left < right ? left : right;
      if (left <= right) S->val[at] += A->val[a++] / 2;
      if (right <= left) S->val[at] += At.val[b++] / 2;
      at++;
    }
    S->ptr[i + 1] = at;
  }
  return STC_OK;
}

static stc_error test_problem(const stc_problem *p, stc_arena *arena, bool *positive) {
  bool local = p->form == STC_FORM_LOCAL;
  stc_csr B = local ? p->W : p->M, S;
  if (local && p->equalities) STC_TRY(border(arena, p, &B));
  STC_TRY(symmetric_part(arena, &B, &S));
  return stc_chol_test(&S, local ? "W" : "M", local ? ROUNDING : 0, positive);
}

stc_error stc_certificate_premise(stc_certificate *c, const stc_problem *p) {
  const stc_csr *A = p->form == STC_FORM_LOCAL ? &p->W : &p->M;
  double asymmetry = stc_csr_asymmetry(A, NULL, NULL), largest = stc_csr_largest(A);
  bool positive = false, local = p->form == STC_FORM_LOCAL;
  stc_arena arena = {0};
  c->symmetric = asymmetry <= STC_SYMMETRY_TOLERANCE * largest;
  if (local && asymmetry > GYROSCOPIC * largest) {
    c->doubt = "W is so asymmetric that the existence criterion proves nothing";
    return STC_OK;
  }
  stc_error error = test_problem(p, &arena, &positive);
  if (!positive)
    c->doubt = local ? "W is not positive semi-definite, so that the existence criterion proves "
                       "nothing"
                     : "M is not positive definite, so that the existence criterion proves nothing";
  stc_arena_free(&arena);
  return error;
}
