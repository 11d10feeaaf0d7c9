// The row "cholesky" of the table: the factor of llt.h, of A or of A with a shift.
#include "engine.h"
#include "llt.h"

#include "../../base/fail.h"

#include <string.h>

typedef struct cholesky_state {
  stc_llt *llt;
  double shift;
  size_t rows;
} cholesky_state;

static stc_error analyse_cholesky(const stc_csr *A, const stc_sparse_hints *hints,
                                  const stc_crew *crew, void **state) {
  cholesky_state *s = *state = stc_calloc(1, sizeof *s);
  if (!s) return stc_fail(STC_ERR_MEMORY, "out of memory for a factor");
  s->shift = hints->shift;
  s->rows = (size_t)A->rows;
  return stc_llt_create(A, crew, &s->llt);
}

static void free_cholesky(void *state) {
  cholesky_state *s = state;
  stc_llt_free(&s->llt);
  stc_release(&s);
}

// With a shift any positive pivot will do: refinement says what it is worth.
static stc_error factorise_cholesky(void *state, const double *val, int *bad) {
  const cholesky_state *s = state;
  return stc_llt_factorise(s->llt, val, s->shift, s->shift > 0 ? 0 : STC_LLT_FLOOR, bad);
}

static stc_error solve_cholesky(void *state, int count, const double *b, double *x, double tol,
                                stc_sparse_report *report, int *bad) {
  const cholesky_state *s = state;
  (void)tol, (void)report, (void)bad;
  if (x != b) memcpy(x, b, s->rows * (size_t)count * sizeof *x);
  return stc_llt_solve(s->llt, count, x);
}

static double work_of_cholesky(const void *state) {
  return stc_llt_flops(((const cholesky_state *)state)->llt);
}

static double bytes_of_cholesky(const void *state) {
  return 8 * stc_llt_entries(((const cholesky_state *)state)->llt);
}

STC_ENGINE_IS(cholesky, .name = "cholesky", .direct = true, .analyse = analyse_cholesky,
              .free = free_cholesky, .factorise = factorise_cholesky, .solve = solve_cholesky,
              .work = work_of_cholesky, .bytes = bytes_of_cholesky);
