// Creation of methods, and the linear system of contacts with given conditions:
//   (A W + B) d = c - A v(r0) - B r0,   d = r - r0
#include "contact_method.h"
#include "../../base/fail.h"
#include "../../linalg/dense.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const stc_method_table *table_of(stc_contact_method kind) {
  switch (kind) {
  case STC_CONTACT_ADAPTED:
    return stc_method_adapted();
  case STC_CONTACT_UZAWA:
    return stc_method_uzawa();
  case STC_CONTACT_PENALTY:
    return stc_method_penalty();
  case STC_CONTACT_AUTO:
  case STC_CONTACT_ACTIVE_SET:
    break;
  }
  return stc_method_active_set();
}

stc_error stc_method_create(stc_contact_method kind, int dim, int count,
                            stc_contact_solver **method) {
  STC_NEW(method, "the method of contact");
  stc_contact_solver *m = *method;
  size_t n = (size_t)count, size = n * (size_t)dim;
  *m = (stc_contact_solver){
      .table = table_of(kind), .dim = dim, .count = count, .shrink = 1, .damped = true};
  m->fallback = kind == STC_CONTACT_AUTO;
  double **const vectors[] = {&m->stiffness, &m->eps0, &m->limit};
  STC_TAKE_ZEROS(&m->arena, n, vectors);
  m->layer = STC_TAKE(&m->arena, const stc_layer *, n);
  m->record = STC_TAKE(&m->arena, stc_record, n);
  m->condition = STC_TAKE(&m->arena, stc_condition, n);
  m->pivot = STC_TAKE(&m->arena, int, size);
  m->v = STC_TAKE(&m->arena, double, size);
  stc_error error = stc_arena_check(&m->arena);
  if (error) stc_method_free(method);
  return error;
}

void stc_method_free(stc_contact_solver **method) {
  if (!method || !*method) return;
  stc_arena_free(&(*method)->arena);
  free((*method)->work);
  stc_release(method);
}

// --- The linear system ---

static stc_error grow_work(stc_contact_solver *m, size_t room) {
  if (room <= m->room) return STC_OK;
  double *work = realloc(m->work, room * sizeof *work);
  if (!work)
    return stc_fail(STC_ERR_MEMORY, "out of memory for the contact system (%.3g GB)",
                    8e-9 * (double)room);
  m->work = work;
  m->room = room;
  return STC_OK;
}

// The system in m->work: S [n*n], f [n].
static void build_method(stc_contact_solver *m, const stc_condensed *set, int n, const int *row,
                         const double *v) {
  double *S = m->work, *f = S + (ptrdiff_t)n * n;
  memset(S, 0, (size_t)n * (size_t)n * sizeof *S);
  int at = 0;
  for (int k = 0; k < set->contacts; k++) {
    if (m->condition[k].open) continue;
    // Adds the rows of contact k to the system S x = f over the closed rows `row` [n]; `at` is the
    // first of its own. v holds v at r0 with the open contacts' reactions gone.
    int first = set->offset[k], rows = set->offset[k + 1] - first;
    for (int a = 0; a < rows; a++) {
      f[at + a] = m->condition[k].c[a];
      for (int b = 0; b < rows; b++) {
        double A = m->condition[k].A[a][b], B = m->condition[k].B[a][b];
        f[at + a] -= A * v[first + b] + B * set->r0[first + b];
        if (B != 0) S[at + a + (ptrdiff_t)(at + b) * n] += B;
        if (A == 0) continue;
        const double *W = set->W + (ptrdiff_t)(first + b) * set->ld;  // row = column: symmetric
        for (int j = 0; j < n; j++) S[at + a + (ptrdiff_t)j * n] += A * W[row[j]];
      }
    }
    at += set->offset[k + 1] - set->offset[k];
  }
}

// Rows are of size 1 by construction; a pivot this small means they depend on each other.
#define STC_PIVOT_ROUNDING 1e-14

stc_error stc_conditions_solve(stc_contact_solver *m, const stc_condensed *set, double *rw,
                               double *v, bool *regular) {
  int rows = stc_condensed_rows(set), sign = 1;
  int *row = stc_calloc((size_t)rows, sizeof *row);
  if (!row) return stc_fail(STC_ERR_MEMORY, "out of memory for %d contact rows", rows);
  // Rows of the contacts that are not open.
  int n = 0;
  for (int k = 0; k < set->contacts; k++)
    for (int i = set->offset[k]; !m->condition[k].open && i < set->offset[k + 1]; i++) row[n++] = i;
  stc_error error = grow_work(m, (size_t)n * (size_t)n + (size_t)n);
  *regular = true;
  for (int i = 0; i < rows; i++) rw[i] = 0;
  for (int i = 0; i < n; i++) rw[row[i]] = set->r0[row[i]];
  stc_condensed_apply(set, rw, v);
  if (!error && n) {
    double *S = m->work, *f = S + (ptrdiff_t)n * n;
    const stc_dense *dense = stc_dense_kernels();
    build_method(m, set, n, row, v);
    *regular = stc_dense_lu(dense, NULL, n, S, n, STC_PIVOT_ROUNDING, m->pivot, &sign) == 0;
    stc_dense_lower(dense, n, 1, S, n, m->pivot, f, n);
    stc_dense_upper(n, S, n, f);
    for (int i = 0; i < n; i++) rw[row[i]] += f[i];
    for (int i = 0; i < n; i++) *regular = *regular && isfinite(f[i]);
    stc_condensed_apply(set, rw, v);
  }
  stc_release(&row);
  m->solves++;
  return error;
}

void stc_condition_slip(stc_condition *s, int n, double mu, double r_N, const double *y, double c,
                        const double *lam) {
  double size = n == 3 ? hypot(y[0], y[1]) : fabs(y[0]);
  double rotation =
      n == 3 ? mu * fmax(r_N, 0) / size : 0;  // a direction in the plane can only flip
  for (int a = 1; a < n; a++) {
    s->B[a][0] = -mu * y[a - 1] / size;
    for (int b = 1; b < n; b++) {
      double P = (a == b) - y[a - 1] * y[b - 1] / (size * size);
      s->A[a][b] = rotation * P * c;
      s->B[a][b] = (a == b) - (lam ? 0 : rotation * P);
      if (lam) s->c[a] += rotation * P * lam[b - 1];
    }
  }
}
