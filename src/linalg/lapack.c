// The only calls of LAPACK, each behind a look whether BLAS has the memory it needs.
#include "lapack.h"

#include "../base/fail.h"

// LAPACK, with the lengths of the character arguments that Fortran hands over at the end.
void dsyevd_(const char *jobz, const char *uplo, const int *n, double *a, const int *lda, double *w,
             double *work, const int *lwork, int *iwork, const int *liwork, int *info,
             size_t jobz_length, size_t uplo_length);
void dgesdd_(const char *jobz, const int *m, const int *n, double *a, const int *lda, double *s,
             double *u, const int *ldu, double *vt, const int *ldvt, double *work, const int *lwork,
             int *iwork, int *info, size_t jobz_length);

/// OpenBLAS takes a buffer for its first large operation and tries without end where there is none.
static stc_error room_for_blas(void) {
  enum { BUFFER = 144000000 };  // bytes: 128 MiB and what is needed to align them
  if (stc_memory_left(BUFFER)) return STC_OK;
  return stc_fail(STC_ERR_MEMORY, "out of memory: BLAS needs a buffer of %d MB", BUFFER / 1000000);
}

static stc_error no_convergence(const char *routine, int info) {
  return stc_fail(STC_ERR_NUMERIC, "%s did not converge (info = %d)", routine, info);
}

stc_error stc_lapack_eigen(stc_arena *arena, int n, double *A, double *value) {
  double best;
  int best_int, ask = -1, info = 0;
  STC_TRY(room_for_blas());
  dsyevd_("V", "L", &n, A, &n, value, &best, &ask, &best_int, &ask, &info, 1, 1);
  int length = (int)best, length_int = best_int;
  double *work = STC_TAKE(arena, double, length);
  int *work_int = STC_TAKE(arena, int, length_int);
  STC_TRY(stc_arena_check(arena));
  dsyevd_("V", "L", &n, A, &n, value, work, &length, work_int, &length_int, &info, 1, 1);
  return info ? no_convergence("dsyevd", info) : STC_OK;
}

stc_error stc_lapack_singular_values(stc_arena *arena, int n, double *A, double *value) {
  double best, unused;
  int ask = -1, one = 1, info = 0;
  int *work_int = STC_TAKE(arena, int, 8 * (size_t)n);
  STC_TRY(stc_arena_check(arena));
  STC_TRY(room_for_blas());
  dgesdd_("N", &n, &n, A, &n, value, &unused, &one, &unused, &one, &best, &ask, work_int, &info, 1);
  int length = (int)best;
  double *work = STC_TAKE(arena, double, length);
  STC_TRY(stc_arena_check(arena));
  dgesdd_("N", &n, &n, A, &n, value, &unused, &one, &unused, &one, work, &length, work_int, &info,
          1);
  return info ? no_convergence("dgesdd", info) : STC_OK;
}
