// A component in exact numbers: gathers its equations and eliminates what is behind the contacts.
#include "exact.h"

#include "../../linalg/graph.h"

#include <limits.h>
#include <math.h>

// --- The graph ---

/// Joins contact c with node j + shift wherever an entry of its rows of A is not zero.
static void join_contacts(int *forest, const stc_csr *A, int dim, int shift, int dim_of_columns) {
  for (int i = 0; i < A->rows; i++)
    for (int k = A->ptr[i]; k < A->ptr[i + 1]; k++)
      if (A->val[k] != 0) stc_graph_join(forest, i / dim, A->col[k] / dim_of_columns + shift);
}

stc_error stc_parts_create(const stc_problem *p, stc_parts *parts) {
  *parts = (stc_parts){0};
  if (p->dofs > INT_MAX - p->contacts - p->equalities)
    return stc_fail(STC_ERR_DIMENSION,
                    "contacts, joints and dofs together exceed the range of int");
  int nodes = p->contacts + p->equalities + p->dofs;
  parts->contact = STC_TAKE(&parts->arena, int, nodes);
  STC_TRY(stc_arena_check(&parts->arena));
  stc_graph_start(parts->contact, nodes);
  // Nodes: contacts, joint equations, degrees of freedom.
  int *forest = parts->contact;
  int joints = p->contacts, dofs = p->contacts + p->equalities;
  if (p->form == STC_FORM_LOCAL) {
    join_contacts(forest, &p->W, p->dim, 0, p->dim);
    join_contacts(forest, &p->V, p->dim, joints, 1);
    stc_graph_join_matrix(forest, &p->R, joints, joints);
  } else {
    join_contacts(forest, &p->H, p->dim, dofs, 1);
    stc_graph_join_matrix(forest, &p->G, joints, dofs);
    stc_graph_join_matrix(forest, &p->M, dofs, dofs);
  }
  parts->all = stc_graph_number(parts->contact, nodes);
  parts->hidden = parts->contact + p->contacts;
  for (int c = 0; c < p->contacts; c++)  // contacts come first and are numbered as they appear
    if (parts->contact[c] >= parts->count) parts->count = parts->contact[c] + 1;
  return STC_OK;
}

void stc_parts_free(stc_parts *parts) {
  stc_arena_free(&parts->arena);
  *parts = (stc_parts){0};
}

// --- Gathering ---

double stc_exact_D(const stc_problem *p, int c, int k) {
  const stc_law *law = &p->law[c];
  if (k == 0) return 1;
  if (law->kind == STC_LAW_FRICTIONLESS) return 0;
  if (law->kind != STC_LAW_SECTION) return law->mu[k - 1];
  const double forth[2] = {k == 1, k == 2}, back[2] = {-forth[0], -forth[1]};
  return law->mu[0] * fmax(stc_cone_section_reach(law->section, forth, NULL),
                           stc_cone_section_reach(law->section, back, NULL));
}

const stc_csr *stc_exact_rows(const stc_problem *p) {
  return p->form == STC_FORM_LOCAL ? &p->W : &p->H;
}

static int count_equal(const int *list, int n, int value) {
  int count = 0;
  for (int k = 0; k < n; k++) count += list[k] == value;
  return count;
}

/// Dofs first, then joint equations; `place` [equalities + dofs] is their position or -1.
static void index_hidden(stc_exact *e, const stc_parts *parts, int part, int *place) {
  const stc_problem *p = e->problem;
  int at = 0;
  for (int k = 0; k < p->equalities + p->dofs; k++) place[k] = -1;
  for (int j = 0; j < p->dofs; j++)
    if (parts->hidden[p->equalities + j] == part) {
      place[p->equalities + j] = at;
      e->index[at++] = j;
    }
  for (int j = 0; j < p->equalities; j++)
    if (parts->hidden[j] == part) {
      place[j] = at;
      e->index[at++] = p->dofs + j;
    }
}

/// `bare`: the contacts are left out.
static stc_error index_contacts(stc_exact *e, const stc_parts *parts, int part, bool bare) {
  const stc_problem *p = e->problem;
  e->dim = p->dim;
  e->all_size = p->size;
  e->dofs = p->dofs;
  e->equalities = p->equalities;
  e->rounded = p->form == STC_FORM_LOCAL;
  e->contacts = bare ? 0 : count_equal(parts->contact, p->contacts, part);
  e->size = e->dim * e->contacts;
  e->hidden = count_equal(parts->hidden, p->equalities + p->dofs, part);
  e->contact = STC_TAKE(&e->arena, int, e->contacts);
  e->index = STC_TAKE(&e->arena, int, e->hidden);
  e->D = STC_TAKE(&e->arena, double, e->size);
  e->polygon = STC_TAKE(&e->arena, stc_polygon, e->contacts);
  e->W_float = STC_TAKE(&e->arena, double, (size_t)e->size *(size_t)e->size);
  e->q_float = STC_TAKE(&e->arena, double, e->size);
  STC_TRY(stc_arena_check(&e->arena));
  for (int c = 0, at = 0; at < e->contacts; c++)
    if (parts->contact[c] == part) e->contact[at++] = c;
  for (int k = 0; k < e->size; k++) e->D[k] = stc_exact_D(p, e->contact[k / e->dim], k % e->dim);
  e->polyhedral = true;
  for (int c = 0; c < e->contacts; c++) {
    STC_TRY(stc_polygon_create(&p->law[e->contact[c]], &e->polygon[c]));
    e->polyhedral = e->polyhedral && e->polygon[c].corners > 0;
  }
  return STC_OK;
}

/// The system K [n*n] and its right-hand sides B [n*(size + 1)], the last column for x0.
typedef struct stc_exact_system {
  int n, cols;
  stc_q *K, *B;
} stc_exact_system;

/// K(i, j) or its transpose += sign A for the entries of A that lie in the component.
static void add_block(stc_exact_system *s, const stc_csr *A, const int *row, const int *col,
                      int sign, bool transposed) {
  for (int i = 0; i < A->rows; i++)
    for (int k = A->ptr[i]; k < A->ptr[i + 1]; k++) {
      int a = row[i], b = col[A->col[k]];
      if (a < 0 || b < 0) continue;
      stc_q_set_d(s->K[transposed ? (ptrdiff_t)b * s->n + a : (ptrdiff_t)a * s->n + b],
                  sign * A->val[k]);
    }
}

/// Columns of B: sign times the rows of A (H or V) that belong to the contacts.
static void add_rows(const stc_exact *e, stc_exact_system *s, const stc_csr *A, const int *col,
                     int sign) {
  for (int k = 0; k < e->size; k++) {
    int i = stc_exact_row(e, k);
    for (int l = A->ptr[i]; l < A->ptr[i + 1]; l++)
      if (A->val[l] != 0)
        stc_q_set_d(s->B[(ptrdiff_t)col[A->col[l]] * s->cols + k], sign * A->val[l]);
  }
}

static void fill_system(const stc_exact *e, const int *place, bool transposed,
                        stc_exact_system *s) {
  const stc_problem *p = e->problem;
  const int *joint = place, *dof = place + p->equalities;
  if (p->form == STC_FORM_LOCAL) {
    add_block(s, &p->R, joint, joint, 1, transposed);
    add_rows(e, s, &p->V, joint, -1);
  } else {
    add_block(s, &p->M, dof, dof, 1, transposed);
    add_block(s, &p->G, joint, dof, 1, false);
    add_block(s, &p->G, joint, dof, -1, true);
    add_rows(e, s, &p->H, dof, 1);
  }
  for (int k = 0; k < s->n; k++) {
    int j = e->index[k];
    double value = j < p->dofs ? p->f[j] : p->form == STC_FORM_LOCAL ? p->s[j] : p->b[j - p->dofs];
    stc_q_set_d(s->B[(ptrdiff_t)k * s->cols + e->size], -value);
  }
}

/// X and Y, and x0 where it is wanted, from the solved system.
static stc_error take_columns(const stc_exact *e, const stc_exact_system *s, stc_rationals *X,
                              stc_rationals *x0) {
  STC_TRY(stc_rationals_create(X, (size_t)e->hidden * (size_t)e->size));
  if (x0) STC_TRY(stc_rationals_create(x0, (size_t)e->hidden));
  for (int k = 0; k < e->hidden; k++) {
    for (int j = 0; j < e->size; j++)
      stc_q_set(X->at[(ptrdiff_t)k * e->size + j], s->B[(ptrdiff_t)k * s->cols + j]);
    if (x0) stc_q_set(x0->at[k], s->B[(ptrdiff_t)k * s->cols + e->size]);
  }
  return STC_OK;
}

/// X and x0 of K, or Y of the transposed K.
static stc_error solve_system(const stc_exact *e, const int *place, bool transposed,
                              stc_exact_status *status, stc_rationals *X, stc_rationals *x0) {
  STC_RATIONALS K = {0}, B = {0};
  stc_exact_system s = {.n = e->hidden, .cols = e->size + 1};
  STC_TRY(stc_rationals_create(&K, (size_t)s.n * (size_t)s.n));
  STC_TRY(stc_rationals_create(&B, (size_t)s.n * (size_t)s.cols));
  s.K = K.at, s.B = B.at;
  fill_system(e, place, transposed, &s);
  int rank = stc_rational_eliminate(&K, s.n, s.n, &B, s.cols, NULL);
  *status = rank < 0 ? STC_EXACT_LATE : rank < s.n ? STC_EXACT_SINGULAR : STC_EXACT_DONE;
  return *status == STC_EXACT_DONE ? take_columns(e, &s, X, x0) : STC_OK;
}

static stc_error eliminate_exact(stc_exact *e, const int *place, stc_exact_status *status) {
  const stc_problem *p = e->problem;
  const stc_csr *A = p->form == STC_FORM_LOCAL ? &p->R : &p->M;
  STC_TRY(solve_system(e, place, false, status, &e->X, &e->x0));
  if (*status != STC_EXACT_DONE) return STC_OK;
  if (stc_csr_asymmetry(A, NULL, NULL) == 0) return stc_rationals_copy(&e->X, &e->Y);
  return solve_system(e, place, true, status, &e->Y, NULL);
}

// --- W and q ---

/// W and q of a local problem, before the joints are eliminated.
static void copy_local(stc_exact *e) {
  const stc_problem *p = e->problem;
  for (int i = 0; i < e->size; i++)
    for (int j = 0; j < e->size; j++)
      stc_q_set_d(e->W.at[(ptrdiff_t)i * e->size + j],
                  stc_csr_entry(&p->W, stc_exact_row(e, i), stc_exact_row(e, j)));
}

static void rescale(stc_rationals *x, double *rounded, int *unit) {
  // Exponent that brings the largest of the numbers to [0.5, 1); 0 if all vanish.
  int most = INT_MIN;
  for (size_t k = 0; k < x->count; k++) {
    int exponent = stc_q_sgn(x->at[k]) ? stc_q_exponent(x->at[k]) : INT_MIN;
    most = exponent > most ? exponent : most;
  }
  *unit = most > INT_MIN ? most : 0;
  for (size_t k = 0; k < x->count; k++) {
    stc_q_shift(x->at[k], -*unit);
    rounded[k] = stc_q_get_d(x->at[k]);
  }
}

static stc_error assemble(stc_exact *e, const int *place) {
  const stc_problem *p = e->problem;
  bool local = p->form == STC_FORM_LOCAL;
  STC_TRY(stc_rationals_create(&e->W, (size_t)e->size * (size_t)e->size));
  STC_TRY(stc_rationals_create(&e->q, (size_t)e->size));
  for (int k = 0; k < e->size; k++)
    stc_q_set_d(e->q.at[k], (local ? p->q : p->w)[stc_exact_row(e, k)]);
  if (local) copy_local(e);
  // W += A X and q += A x0 for the rows of A (H or V) of the contacts.
  const stc_csr *A = local ? &p->V : &p->H;
  const int *col = local ? place : place + p->equalities;
  for (int i = 0; i < e->size; i++) {
    int row = stc_exact_row(e, i);
    for (int l = A->ptr[row]; l < A->ptr[row + 1]; l++) {
      if (A->val[l] == 0) continue;
      ptrdiff_t k = col[A->col[l]];
      for (int j = 0; j < e->size; j++)
        stc_rational_fma_d(e->W.at[(ptrdiff_t)i * e->size + j], A->val[l],
                           e->X.at[k * e->size + j]);
      stc_rational_fma_d(e->q.at[i], A->val[l], e->x0.at[k]);
    }
  }
  rescale(&e->W, e->W_float, &e->unit_W);
  rescale(&e->q, e->q_float, &e->unit_q);
  return STC_OK;
}

/// H^T and G^T of the component, dofs by rows.
static stc_error fill_balance(stc_exact *e, const int *place) {
  const stc_problem *p = e->problem;
  if (p->form == STC_FORM_LOCAL) return STC_OK;
  while (e->balances < e->hidden && e->index[e->balances] < p->dofs) e->balances++;
  e->kappas = e->hidden - e->balances;
  int cols = e->size + e->kappas;
  e->balance = STC_TAKE(&e->arena, double, (size_t)e->balances *(size_t)cols);
  STC_TRY(stc_arena_check(&e->arena));
  for (int k = 0; k < cols; k++) {
    bool joint = k >= e->size;
    const stc_csr *A = joint ? &p->G : &p->H;
    int row = joint ? e->index[e->balances + k - e->size] - p->dofs : stc_exact_row(e, k);
    for (int l = A->ptr[row]; l < A->ptr[row + 1]; l++)
      if (A->val[l] != 0)
        e->balance[(ptrdiff_t)place[p->equalities + A->col[l]] * cols + k] = A->val[l];
  }
  return STC_OK;
}

static stc_error fill_exact(stc_exact *e, const stc_parts *parts, int part, bool bare,
                            stc_exact_status *status) {
  const stc_problem *p = e->problem;
  STC_TRY(index_contacts(e, parts, part, bare));
  int *place = STC_TAKE(&e->arena, int, p->equalities + p->dofs);
  STC_TRY(stc_arena_check(&e->arena));
  index_hidden(e, parts, part, place);
  STC_TRY(fill_balance(e, place));
  STC_TRY(eliminate_exact(e, place, status));
  return *status == STC_EXACT_DONE ? assemble(e, place) : STC_OK;
}

static stc_error create(const stc_problem *problem, const stc_parts *parts, int part, bool bare,
                        stc_exact_status *status, stc_exact **exact) {
  STC_NEW(exact, "an exact problem");
  stc_exact *e = *exact;
  e->problem = problem;
  *status = STC_EXACT_DONE;
  stc_error error = fill_exact(e, parts, part, bare, status);
  e->problem = NULL;
  if (error || *status != STC_EXACT_DONE) stc_exact_free(exact);
  return error;
}

stc_error stc_exact_create(const stc_problem *problem, const stc_parts *parts, int part,
                           stc_exact_status *status, stc_exact **exact) {
  return create(problem, parts, part, false, status, exact);
}

void stc_exact_free(stc_exact **exact) {
  stc_exact *e = *exact;
  if (!e) return;
  stc_rationals *all[] = {&e->W, &e->q, &e->X, &e->Y, &e->x0};
  for (size_t k = 0; k < sizeof all / sizeof *all; k++) stc_rationals_free(all[k]);
  for (int c = 0; e->polygon && c < e->contacts; c++) stc_polygon_free(&e->polygon[c]);
  stc_arena_free(&e->arena);
  stc_release(exact);
}

// --- Back to the whole problem ---

void stc_exact_round(const stc_exact *e, const stc_rationals *r, double *whole) {
  for (int i = 0; i < e->size; i++)
    whole[stc_exact_row(e, i)] = ldexp(stc_q_get_d(r->at[i]), e->unit_q - e->unit_W);
}

stc_error stc_exact_spread_y(const stc_exact *e, const stc_rationals *y, stc_rationals *full) {
  STC_TRY(stc_rationals_create(full, (size_t)e->all_size));
  for (int k = 0; k < e->size; k++) stc_q_set(full->at[stc_exact_row(e, k)], y->at[k]);
  return STC_OK;
}

stc_error stc_exact_spread_r(const stc_exact *e, const stc_rationals *r, stc_rationals *full) {
  STC_TRY(stc_exact_spread_y(e, r, full));
  for (size_t k = 0; k < full->count; k++) stc_q_shift(full->at[k], e->unit_q - e->unit_W);
  return STC_OK;
}

/// first [dofs] and second [equalities] = x0 + X r 2^shift at the component, zero elsewhere; x0 may
/// be NULL.
static stc_error spread_hidden(const stc_exact *e, const stc_rationals *X, const stc_rationals *x0,
                               const stc_rationals *r, int shift, stc_rationals *first,
                               stc_rationals *second) {
  STC_TRY(stc_rationals_create(first, (size_t)e->dofs));
  STC_TRY(stc_rationals_create(second, (size_t)e->equalities));
  for (int k = 0; k < e->hidden; k++) {
    int j = e->index[k];
    stc_q_ptr to = j < e->dofs ? first->at[j] : second->at[j - e->dofs];
    for (int i = 0; i < e->size; i++)
      stc_rational_fma(to, X->at[(ptrdiff_t)k * e->size + i], r->at[i]);
    stc_q_shift(to, shift);
    if (x0) stc_q_add(to, to, x0->at[k]);
  }
  return STC_OK;
}

stc_error stc_exact_hidden_y(const stc_exact *e, const stc_rationals *y, stc_rationals *lambda,
                             stc_rationals *kappa) {
  return spread_hidden(e, &e->Y, NULL, y, 0, lambda, kappa);
}

stc_error stc_exact_hidden_r(const stc_exact *e, const stc_rationals *r, stc_rationals *v,
                             stc_rationals *l) {
  return spread_hidden(e, &e->X, &e->x0, r, e->unit_q - e->unit_W, v, l);
}

stc_error stc_exact_add_free(const stc_problem *problem, const stc_parts *parts, int part,
                             stc_exact_status *status, stc_rationals *v, stc_rationals *l) {
  stc_exact *e = NULL;
  STC_TRY(create(problem, parts, part, true, status, &e));
  for (int k = 0; e && k < e->hidden; k++) {
    int j = e->index[k];
    stc_q_ptr to = j < problem->dofs ? v->at[j] : l->at[j - problem->dofs];
    stc_q_add(to, to, e->x0.at[k]);
  }
  stc_exact_free(&e);
  return STC_OK;
}

bool stc_exact_beyond(const stc_exact *e, const stc_rationals *r, double least) {
  for (int i = 0; e->rounded && i < e->size; i++) {
    double sum = 0;
    for (int j = 0; j < e->size; j++)
      sum += fabs(e->W_float[(ptrdiff_t)i * e->size + j] * stc_q_get_d(r->at[j]));
    if (!(sum <= STC_ROUNDING_ROOM * least)) return true;
  }
  return false;
}

stc_error stc_exact_velocity(const stc_exact *e, const stc_rationals *r, stc_rationals *u) {
  STC_TRY(stc_rationals_copy(&e->q, u));
  for (int i = 0; i < e->size; i++)
    for (int j = 0; j < e->size; j++)
      stc_rational_fma(u->at[i], e->W.at[(ptrdiff_t)i * e->size + j], r->at[j]);
  return STC_OK;
}
