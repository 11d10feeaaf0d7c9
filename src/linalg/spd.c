// Solves A x = b with a symmetric positive definite A: chooses between the factor and multigrid,
// and refines what the factor gives, x += A~^-1 (b - A x).
#include "spd.h"

#include "../base/fail.h"
#include "spd/amg.h"
#include "spd/llt.h"
#include "spd/quotient.h"

#include <float.h>
#include <math.h>
#include <string.h>

// Bytes a factor may take where the caller does not say.
static const double MEMORY = 6e9;
// Operations of a factorisation, half a minute on one core, beyond which multigrid is chosen.
static const double DEAR = 3e11;
// Refinement gains many digits at a step where the matrix is not singular to working precision.
enum { MAX_REFINEMENTS = 5 };
// A residual of this part of |A| |x| is made of rounding alone.
static const double ROUNDING = 2 * DBL_EPSILON;

struct stc_spd {
  stc_arena arena;
  stc_csr A;  ///< pattern and values of the caller
  int bad;    ///< row that was not positive definite, or -1
  stc_crew crew;
  stc_llt *llt;  ///< one of the two
  stc_amg *amg;
  double *r, *best;  ///< [rows] of refinement
};

static stc_error create_factor(stc_spd *s, const stc_spd_hints *hints) {
  s->r = STC_TAKE_RAW(&s->arena, double, s->A.rows);
  s->best = STC_TAKE_RAW(&s->arena, double, s->A.rows);
  STC_TRY(stc_arena_check(&s->arena));
  return stc_llt_create(&s->A, hints->node, &s->crew, &s->llt);
}

static bool affordable(const stc_spd *s, const stc_spd_hints *hints) {
  double memory = hints->memory > 0 ? hints->memory : MEMORY;
  return 8 * stc_llt_entries(s->llt) <= memory && stc_llt_flops(s->llt) <= DEAR;
}

/// Operations at the top of the factor alone, from the size of a cut: known long before an analysis
/// of a large matrix ends.
static stc_error estimate_flops(const stc_spd *s, const int *node, double *flops) {
  stc_arena scratch = {0};
  stc_quotient q = {0};
  int width = 0;
  stc_error error = stc_quotient_make(&scratch, &s->A, node, &q);
  if (!error) error = stc_quotient_width(&q, &width);
  double cut = 0.5 * width * s->A.rows / fmax(q.nodes, 1);
  *flops = cut * cut * cut / 3;
  stc_arena_free(&scratch);
  return error;
}

/// A factor, unless it has more entries than an int counts, or is too large or dear.
static stc_error try_factor(stc_spd *s, const stc_spd_hints *hints) {
  double flops;
  STC_TRY(estimate_flops(s, hints->node, &flops));
  if (flops > DEAR) return STC_OK;
  stc_error error = create_factor(s, hints);
  if (!error && affordable(s, hints)) return STC_OK;
  if (error && error != STC_ERR_MEMORY) return error;
  stc_llt_free(&s->llt);
  stc_arena_free(&s->arena);
  s->arena = (stc_arena){0};
  return STC_OK;
}

// A matrix without rows has an empty factor; there is nothing to coarsen.
static stc_error choose(stc_spd *s, const stc_spd_hints *hints) {
  if (hints->kind == STC_SPD_CHOLESKY || s->A.rows == 0) return create_factor(s, hints);
  if (hints->kind == STC_SPD_AUTO) STC_TRY(try_factor(s, hints));
  return s->llt ? STC_OK : stc_amg_create(&s->A, hints, &s->crew, &s->amg);
}

static stc_error build(stc_spd *s, const stc_spd_hints *hints) {
  s->crew = (stc_crew){.threads = hints->threads > 1 ? hints->threads : 1,
                       .progress = hints->progress,
                       .user = hints->progress_user};
  if (s->crew.threads > 1) STC_TRY(stc_team_create(s->crew.threads, &s->crew.team));
  return choose(s, hints);
}

stc_error stc_spd_create(const stc_csr *A, const stc_spd_hints *hints, stc_spd **spd) {
  stc_spd *s = *spd = stc_calloc(1, sizeof *s);
  if (!s) return stc_fail(STC_ERR_MEMORY, "out of memory for a linear solver");
  s->A = *A;
  s->A.val = NULL;
  s->bad = -1;
  stc_error error = build(s, hints);
  if (error) stc_spd_free(spd);
  return error;
}

void stc_spd_free(stc_spd **spd) {
  stc_spd *s = *spd;
  if (!s) return;
  stc_llt_free(&s->llt);
  stc_amg_free(&s->amg);
  stc_team_free(&s->crew.team);
  stc_arena_free(&s->arena);
  stc_release(spd);
}

stc_error stc_spd_factorise(stc_spd *spd, const double *val) {
  spd->A.val = (double *)val;  // only read
  return spd->llt ? stc_llt_factorise(spd->llt, val, &spd->bad)
                  : stc_amg_setup(spd->amg, val, &spd->bad);
}

stc_error stc_spd_refresh(stc_spd *spd, const double *val) {
  if (spd->llt) return stc_spd_factorise(spd, val);
  spd->A.val = (double *)val;
  return stc_amg_refresh(spd->amg, val, &spd->bad);
}

static double norm(int n, const double *x) {
  double sum = 0;
  for (int i = 0; i < n; i++) sum += x[i] * x[i];
  return sqrt(sum);
}

/// r = b - A x and its norm; *floor is what rounding leaves of it, of the size of |A| |x|.
static double residual(stc_spd *s, const double *b, const double *x, double *floor) {
  double sum = 0, size = 0;
  for (int i = 0; i < s->A.rows; i++) {
    double r = b[i], most = fabs(b[i]);
    for (int e = s->A.ptr[i]; e < s->A.ptr[i + 1]; e++) {
      double term = s->A.val[e] * x[s->A.col[e]];
      r -= term;
      most += fabs(term);
    }
    s->r[i] = r;
    sum += r * r;
    size += most * most;
  }
  *floor = ROUNDING * sqrt(size);
  return sqrt(sum);
}

/// Corrects x until its residual is tol, or rounding, or no longer halves; what was reached.
static stc_error refine(stc_spd *s, const double *b, double *x, double tol, double *reached) {
  int n = s->A.rows;
  size_t bytes = (size_t)n * sizeof *x;
  double scale = norm(n, b), floor, error = residual(s, b, x, &floor), before = INFINITY;
  for (int k = 0; k < MAX_REFINEMENTS; k++) {
    if (error <= fmax(tol * scale, floor) || !(error < 0.5 * before)) break;
    memcpy(s->best, x, bytes);
    STC_TRY(stc_llt_solve(s->llt, 1, s->r));
    for (int i = 0; i < n; i++) x[i] += s->r[i];
    before = error;
    error = residual(s, b, x, &floor);
  }
  if (error > before) {
    memcpy(x, s->best, bytes);
    error = before;
  }
  *reached = scale > 0 ? error / scale : error;
  return STC_OK;
}

static stc_error solve_direct(stc_spd *s, int count, const double *b, double *x, double tol,
                              stc_spd_report *report) {
  size_t n = (size_t)s->A.rows;
  memcpy(x, b, n * (size_t)count * sizeof *x);
  STC_TRY(stc_llt_solve(s->llt, count, x));
  for (size_t c = 0; c < (size_t)count; c++) {
    double reached;
    STC_TRY(refine(s, b + c * n, x + c * n, tol, &reached));
    report->residual = fmax(report->residual, reached);
  }
  return STC_OK;
}

static stc_error solve_iterative(stc_spd *s, int count, const double *b, double *x, double tol,
                                 stc_spd_report *report) {
  size_t n = (size_t)s->A.rows;
  for (size_t c = 0; c < (size_t)count; c++) {
    stc_spd_report one;
    STC_TRY(stc_amg_solve(s->amg, b + c * n, x + c * n, tol, &one, &s->bad));
    report->iterations += one.iterations;
    report->residual = fmax(report->residual, one.residual);
  }
  return STC_OK;
}

stc_error stc_spd_solve(stc_spd *spd, int count, const double *b, double *x, double tol,
                        stc_spd_report *report) {
  stc_spd_report own = {0}, *found = report ? report : &own;
  *found = own;
  if (spd->A.rows == 0) return STC_OK;
  return spd->llt ? solve_direct(spd, count, b, x, tol, found)
                  : solve_iterative(spd, count, b, x, tol, found);
}

bool stc_spd_is_direct(const stc_spd *spd) { return spd->llt; }

int stc_spd_bad_row(const stc_spd *spd) { return spd->bad; }

double stc_spd_bytes(const stc_spd *spd) {
  return spd->llt ? 8 * stc_llt_entries(spd->llt) : stc_amg_bytes(spd->amg);
}
