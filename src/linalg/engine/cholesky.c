// The row "cholesky" of the table: the factor of llt.h.
#include "engine.h"
#include "llt.h"

#include <string.h>

static stc_error analyse_cholesky(const stc_csr *A, const stc_sparse_hints *hints,
                                  const stc_crew *crew, void **state) {
  stc_llt *llt;
  stc_error error = stc_llt_create(A, hints->node, crew, &llt);
  *state = llt;
  return error;
}

static void free_cholesky(void *state) {
  stc_llt *llt = state;
  stc_llt_free(&llt);
}

static stc_error factorise_cholesky(void *state, const double *val, int *bad) {
  return stc_llt_factorise(state, val, bad);
}

static stc_error solve_cholesky(void *state, int count, const double *b, double *x, double tol,
                                stc_sparse_report *report, int *bad) {
  (void)tol, (void)report, (void)bad;
  if (x != b) memcpy(x, b, stc_llt_rows(state) * (size_t)count * sizeof *x);
  return stc_llt_solve(state, count, x);
}

static double work_of_cholesky(const void *state) { return stc_llt_flops(state); }

static double bytes_of_cholesky(const void *state) { return 8 * stc_llt_entries(state); }

const stc_engine stc_cholesky_engine = {
    .name = "cholesky",
    .direct = true,
    .analyse = analyse_cholesky,
    .free = free_cholesky,
    .factorise = factorise_cholesky,
    .solve = solve_cholesky,
    .work = work_of_cholesky,
    .bytes = bytes_of_cholesky,
};
