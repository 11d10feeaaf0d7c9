// The table of sparse solvers: chooses an engine, and refines what a factor gives,
// x += A~^-1 (b - A x).
#include "sparse_solver.h"

#include "../base/fail.h"
#include "engine/engine.h"
#include "engine/llt.h"
#include "engine/quotient.h"

#include <float.h>
#include <math.h>
#include <string.h>

#define ROW(kind, name) [STC_SPARSE_##kind] = &stc_##name##_engine,
static const stc_engine *const ENGINE[] = {STC_ENGINES(ROW)};
#undef ROW

// Bytes a factor may take where the caller does not say.
static const double MEMORY = 6e9;
// Operations of a factorisation, half a minute on one core, beyond which multigrid is chosen.
static const double DEAR = 3e11;
// Refinement gains many digits at a step where the matrix is not singular to working precision.
// With a shift beta it multiplies the error along an eigenvector of A by beta / (lambda + beta):
// far below the spectrum two or three steps reach rounding; a lambda near beta takes many.
enum { MAX_REFINEMENTS = 5, MAX_SHIFTED_REFINEMENTS = 200 };
// A step that leaves more of the residual than this was the last one.
static const double SLOWEST = 0.5, SLOWEST_SHIFTED = 0.95;
// A residual of this part of |A| |x| is made of rounding alone.
static const double ROUNDING = 2 * DBL_EPSILON;

struct stc_sparse_solver {
  stc_arena arena;
  stc_arena copy;  ///< of a matrix of its own; empty: the caller's
  const stc_engine *engine;
  void *state;  ///< of the engine
  stc_csr A;    ///< pattern and values of the caller
  int bad;      ///< row that was not positive definite, or -1
  stc_crew crew;
  double *r, *best;  ///< [rows] of refinement; NULL: iterative
  int refinements;   ///< at most
  double slowest;    ///< part of the residual that a refinement may leave
};

// --- Choice ---

static void drop_engine(stc_sparse_solver *s) {
  if (s->engine && s->state) s->engine->free(s->state);
  s->engine = NULL;
  s->state = NULL;
}

static stc_error analyse_with(stc_sparse_solver *s, stc_sparse_kind kind,
                              const stc_sparse_hints *hints) {
  s->engine = ENGINE[kind];
  return s->engine->analyse(&s->A, hints, &s->crew, &s->state);
}

/// Operations at the top of the factor alone, from the size of a cut: known long before an analysis
/// of a large matrix ends.
static stc_error estimate_work(const stc_sparse_solver *s, const int *node, double *work) {
  stc_arena scratch = {0};
  stc_quotient q = {0};
  int width = 0;
  stc_error error = stc_quotient_make(&scratch, &s->A, node, &q);
  if (!error) error = stc_quotient_width(&q, &width);
  double cut = 0.5 * width * s->A.rows / fmax(q.nodes, 1);
  *work = cut * cut * cut / 3;
  stc_arena_free(&scratch);
  return error;
}

/// A factor, unless it has more entries than an int counts, or is too large or dear.
static stc_error try_factor(stc_sparse_solver *s, const stc_sparse_hints *hints) {
  double work;
  STC_TRY(estimate_work(s, hints->node, &work));
  if (work > DEAR) return STC_OK;
  stc_error error = analyse_with(s, STC_SPARSE_CHOLESKY, hints);
  if (!error && stc_sparse_bytes(s) <= hints->memory && stc_sparse_work(s) <= DEAR) return STC_OK;
  if (error && error != STC_ERR_MEMORY) return error;
  drop_engine(s);
  return STC_OK;
}

// A matrix without rows has an empty factor; there is nothing to coarsen.
static stc_error choose_engine(stc_sparse_solver *s, const stc_sparse_hints *hints) {
  if (s->A.rows == 0) return analyse_with(s, STC_SPARSE_CHOLESKY, hints);
  if (hints->kind != STC_SPARSE_AUTO) return analyse_with(s, hints->kind, hints);
  STC_TRY(try_factor(s, hints));
  return s->engine ? STC_OK : analyse_with(s, STC_SPARSE_AMG, hints);
}

static stc_error prepare_solver(stc_sparse_solver *s, const stc_sparse_hints *hints) {
  stc_sparse_hints used = *hints;
  if (!(used.memory > 0)) used.memory = MEMORY;
  s->crew = (stc_crew){.threads = hints->threads > 1 ? hints->threads : 1,
                       .progress = hints->progress,
                       .user = hints->progress_user};
  if (s->crew.threads > 1) STC_TRY(stc_team_create(s->crew.threads, &s->crew.team));
  STC_TRY(choose_engine(s, &used));
  if (!s->engine->direct) return STC_OK;
  s->refinements = hints->shift > 0 ? MAX_SHIFTED_REFINEMENTS : MAX_REFINEMENTS;
  s->slowest = hints->shift > 0 ? SLOWEST_SHIFTED : SLOWEST;
  s->r = STC_TAKE_RAW(&s->arena, double, s->A.rows);
  s->best = STC_TAKE_RAW(&s->arena, double, s->A.rows);
  return stc_arena_check(&s->arena);
}

stc_error stc_sparse_create(const stc_csr *A, const stc_sparse_hints *hints,
                            stc_sparse_solver **solver) {
  STC_NEW(solver, "a linear solver");
  stc_sparse_solver *s = *solver;
  s->A = *A;
  s->A.val = NULL;
  s->bad = -1;
  stc_error error = prepare_solver(s, hints);
  if (error) stc_sparse_free(solver);
  return error;
}

void stc_sparse_free(stc_sparse_solver **solver) {
  stc_sparse_solver *s = *solver;
  if (!s) return;
  drop_engine(s);
  stc_team_free(&s->crew.team);
  stc_arena_free(&s->arena);
  stc_arena_free(&s->copy);
  stc_release(solver);
}

// --- Values ---

stc_error stc_sparse_factorise(stc_sparse_solver *solver, const double *val) {
  solver->A.val = (double *)val;  // only read
  return solver->engine->factorise(solver->state, val, &solver->bad);
}

stc_error stc_sparse_refresh(stc_sparse_solver *solver, const double *val) {
  if (!solver->engine->refresh) return stc_sparse_factorise(solver, val);
  solver->A.val = (double *)val;
  return solver->engine->refresh(solver->state, val, &solver->bad);
}

// --- A matrix that stays ---

static stc_error explain_pivot(const stc_sparse_solver *s, const char *name, const int *number) {
  return stc_fail(STC_ERR_NUMERIC,
                  "%s is not positive definite: the pivot of row %d vanishes or is negative; check "
                  "the entries of that row",
                  name, number ? number[s->bad] : s->bad);
}

stc_error stc_sparse_factor(const stc_csr *A, const char *name, const int *number, double shift,
                            stc_sparse_solver **solver) {
  const stc_sparse_hints hints = {.kind = STC_SPARSE_CHOLESKY, .shift = shift};
  stc_arena arena = {0};
  stc_csr S;
  *solver = NULL;
  stc_error error = stc_csr_mirror(&arena, A, &S);
  if (!error) error = stc_sparse_create(&S, &hints, solver);
  if (!error) error = stc_sparse_factorise(*solver, S.val);
  if (error == STC_ERR_NUMERIC && *solver) error = explain_pivot(*solver, name, number);
  if (error) stc_sparse_free(solver);
  if (*solver)
    (*solver)->copy = arena;
  else
    stc_arena_free(&arena);
  return error;
}

stc_error stc_sparse_test(const stc_csr *A, bool *positive, double *error) {
  const stc_crew alone = {.threads = 1};
  stc_llt *llt;
  int bad = -1;
  *error = 0;
  STC_TRY(stc_llt_create(A, &alone, &llt));
  if (A->rows > 0) *error = stc_llt_rounding(llt);
  stc_error status = stc_llt_factorise(llt, A->val, 0, 0, &bad);
  stc_llt_free(&llt);
  *positive = !status;
  return status == STC_ERR_NUMERIC ? STC_OK : status;
}

// --- Solves ---

static double length_of(int n, const double *x) {
  double sum = 0;
  for (int i = 0; i < n; i++) sum += x[i] * x[i];
  return sqrt(sum);
}

/// r = b - A x and its norm; *floor is what rounding leaves of it, of the size of |A| |x|.
static double subtract_product(stc_sparse_solver *s, const double *b, const double *x,
                               double *floor) {
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

/// Corrects x until its residual is tol, or rounding, or falls no longer; what was reached.
static stc_error refine_answer(stc_sparse_solver *s, const double *b, double *x, double tol,
                               double *reached) {
  int n = s->A.rows;
  size_t bytes = (size_t)n * sizeof *x;
  double scale = length_of(n, b), floor, error = subtract_product(s, b, x, &floor),
         before = INFINITY;
  for (int k = 0; k < s->refinements; k++) {
    if (error <= fmax(tol * scale, floor) || !(error < s->slowest * before)) break;
    memcpy(s->best, x, bytes);
    STC_TRY(s->engine->solve(s->state, 1, s->r, s->r, INFINITY, NULL, NULL));
    for (int i = 0; i < n; i++) x[i] += s->r[i];
    before = error;
    error = subtract_product(s, b, x, &floor);
  }
  if (error > before) {
    memcpy(x, s->best, bytes);
    error = before;
  }
  *reached = scale > 0 ? error / scale : error;
  return STC_OK;
}

static stc_error refine_columns(stc_sparse_solver *s, int count, const double *b, double *x,
                                double tol, stc_sparse_report *report) {
  size_t n = (size_t)s->A.rows;
  for (size_t c = 0; c < (size_t)count; c++) {
    double reached;
    STC_TRY(refine_answer(s, b + c * n, x + c * n, tol, &reached));
    report->residual = fmax(report->residual, reached);
  }
  return STC_OK;
}

stc_error stc_sparse_solve(stc_sparse_solver *solver, int count, const double *b, double *x,
                           double tol, stc_sparse_report *report) {
  stc_sparse_report own = {0}, *found = report ? report : &own;
  *found = own;
  if (solver->A.rows == 0) return STC_OK;
  STC_TRY(solver->engine->solve(solver->state, count, b, x, tol, found, &solver->bad));
  if (!solver->engine->direct || isinf(tol)) return STC_OK;
  return refine_columns(solver, count, b, x, tol, found);
}

// --- What it is ---

const char *stc_sparse_name(int kind) {
  if (kind < 0 || kind >= STC_SPARSE_KINDS) return NULL;
  return kind == STC_SPARSE_AUTO ? "auto" : ENGINE[kind]->name;
}

bool stc_sparse_is_direct(const stc_sparse_solver *solver) { return solver->engine->direct; }

int stc_sparse_bad_row(const stc_sparse_solver *solver) { return solver->bad; }

double stc_sparse_work(const stc_sparse_solver *solver) {
  return solver->engine->work(solver->state);
}

double stc_sparse_bytes(const stc_sparse_solver *solver) {
  return solver->engine->bytes(solver->state);
}
