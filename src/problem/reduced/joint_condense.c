// Joints on bodies: V = H M^-1 G^T and R = G M^-1 G^T, and W of the contacts alone.
#include "reduced_parts.h"

#include "../../base/stop.h"

#include <limits.h>

/// Work space: which joint equation met a degree of freedom or another equation last.
typedef struct walk {
  const stc_problem *problem;
  const stc_bodies *bodies;
  stc_csr columns;          ///< G^T
  int *body_of;             ///< [dofs]
  int *body;                ///< [bodies of one equation]
  int *met_body, *met_row;  ///< [bodies], [equalities]
  double *y;                ///< [dofs] M^-1 G_j^T on its bodies, in physical units
  stc_matrix V, R;          ///< triplets
  int *row[2], *col[2];
  double *val[2];
} walk;

static void put(walk *w, bool of_V, int row, int col, double value) {
  stc_matrix *A = of_V ? &w->V : &w->R;
  int k = of_V ? 0 : 1;
  w->row[k][A->entries] = row;
  w->col[k][A->entries] = col;
  w->val[k][A->entries++] = value;
}

/// Lists the bodies of equation j and fills y on them; returns how many.
static int respond_bodies(walk *w, int j) {
  const stc_bodies *b = w->bodies;
  const stc_csr *G = &w->problem->G;
  int count = 0;
  for (int e = G->ptr[j]; e < G->ptr[j + 1]; e++) {
    int body = w->body_of[G->col[e]], n = stc_body_size(b, body), at = 0;
    const int *dof = b->dof + b->ptr[body];
    if (w->met_body[body] != j) {
      w->met_body[body] = j;
      w->body[count++] = body;
      for (int i = 0; i < n; i++) w->y[dof[i]] = 0;
    }
    while (dof[at] != G->col[e]) at++;
    const double *column = b->inverse + b->inv_ptr[body] + (ptrdiff_t)at * n;
    for (int i = 0; i < n; i++) w->y[dof[i]] += b->unit * column[i] * G->val[e];
  }
  return count;
}

static double row_dot(const walk *w, int i, int j) {
  const stc_csr *G = &w->problem->G;
  double sum = 0;
  for (int e = G->ptr[i]; e < G->ptr[i + 1]; e++)
    if (w->met_body[w->body_of[G->col[e]]] == j) sum += G->val[e] * w->y[G->col[e]];
  return sum;
}

/// Entries of R on and below the diagonal, from equations that share this body.
static void put_equations(walk *w, int j, int body) {
  const stc_bodies *b = w->bodies;
  for (int k = b->ptr[body]; k < b->ptr[body + 1]; k++)
    for (int e = w->columns.ptr[b->dof[k]]; e < w->columns.ptr[b->dof[k] + 1]; e++) {
      int i = w->columns.col[e];
      if (i < j || w->met_row[i] == j) continue;
      w->met_row[i] = j;
      put(w, false, i, j, row_dot(w, i, j));
    }
}

static void put_contacts(walk *w, int j, int body) {
  const stc_bodies *b = w->bodies;
  for (int k = b->on_ptr[body]; k < b->on_ptr[body + 1]; k++) {
    int t = b->on_touch[k];
    const double *H = b->H + b->val_ptr[t];
    for (int i = 0; i < b->dim; i++) {
      double sum = 0;
      for (int l = 0; l < stc_body_size(b, body); l++)
        sum += H[l * b->dim + i] * w->y[b->dof[b->ptr[body] + l]];
      put(w, true, b->touch_contact[t] * b->dim + i, j, sum);
    }
  }
}

/// Room for the triplets: what each equation may meet on each of its bodies.
static stc_error take_triplets(stc_arena *arena, walk *w) {
  const stc_bodies *b = w->bodies;
  const stc_csr *G = &w->problem->G;
  size_t entries[2] = {0, 0};
  for (int k = 0; k < w->problem->dofs; k++) {
    size_t here = (size_t)(w->columns.ptr[k + 1] - w->columns.ptr[k]);
    int body = w->body_of[k];
    entries[0] += here * (size_t)((b->on_ptr[body + 1] - b->on_ptr[body]) * b->dim);
    for (int i = b->ptr[body]; i < b->ptr[body + 1]; i++)
      entries[1] += here * (size_t)(w->columns.ptr[b->dof[i] + 1] - w->columns.ptr[b->dof[i]]);
  }
  for (int k = 0; k < 2; k++) {
    if (entries[k] > INT_MAX)
      return stc_fail(STC_ERR_MEMORY, "joints and contacts meet %zu times, more than %d",
                      entries[k], INT_MAX);
    w->row[k] = STC_TAKE_RAW(arena, int, entries[k]);
    w->col[k] = STC_TAKE_RAW(arena, int, entries[k]);
    w->val[k] = STC_TAKE_RAW(arena, double, entries[k]);
  }
  STC_TRY(stc_arena_check(arena));
  w->V = (stc_matrix){.rows = w->problem->size,
                      .cols = G->rows,
                      .storage = STC_STORAGE_TRIPLET,
                      .i = w->row[0],
                      .p = w->col[0],
                      .x = w->val[0]};
  w->R = (stc_matrix){.rows = G->rows,
                      .cols = G->rows,
                      .storage = STC_STORAGE_TRIPLET,
                      .i = w->row[1],
                      .p = w->col[1],
                      .x = w->val[1]};
  return STC_OK;
}

static stc_error open_walk(stc_arena *arena, const stc_problem *p, walk *w) {
  *w = (walk){.problem = p, .bodies = &p->bodies};
  STC_TRY(stc_csr_transpose(arena, &p->G, &w->columns));
  w->body_of = STC_TAKE_RAW(arena, int, p->dofs);
  w->body = STC_TAKE_RAW(arena, int, p->bodies.count);
  w->met_body = STC_TAKE_RAW(arena, int, p->bodies.count);
  w->met_row = STC_TAKE_RAW(arena, int, p->equalities);
  w->y = STC_TAKE_RAW(arena, double, p->dofs);
  STC_TRY(stc_arena_check(arena));
  for (int b = 0; b < p->bodies.count; b++) {
    w->met_body[b] = -1;
    for (int k = p->bodies.ptr[b]; k < p->bodies.ptr[b + 1]; k++) w->body_of[p->bodies.dof[k]] = b;
  }
  for (int j = 0; j < p->equalities; j++) w->met_row[j] = -1;
  return take_triplets(arena, w);
}

// Operations for each pair of an equation and a contact or another equation, roughly.
static const double PAIR_WORK = 50;

stc_error stc_joints_condense(stc_arena *arena, const stc_problem *p, stc_csr *V, stc_csr *R) {
  stc_arena scratch = {0};
  stc_csr lower;
  walk w;
  stc_error error = open_walk(&scratch, p, &w);
  for (int j = 0; !error && j < p->equalities; j++) {
    int bodies = respond_bodies(&w, j), before = w.V.entries + w.R.entries;
    for (int k = 0; k < bodies; k++) {
      put_equations(&w, j, w.body[k]);
      put_contacts(&w, j, w.body[k]);
    }
    error = stc_stop_try(PAIR_WORK * (w.V.entries + w.R.entries - before));
  }
  if (!error) error = stc_csr_sum(arena, &w.V, true, V);
  if (!error) error = stc_csr_sum(&scratch, &w.R, false, &lower);
  if (!error) error = stc_csr_mirror(arena, &lower, R);
  stc_arena_free(&scratch);
  return error;
}

stc_error stc_bodies_matrix(const stc_problem *p, stc_reduced *whole) {
  *whole = (stc_reduced){
      .problem = p, .dim = p->dim, .contacts = p->contacts, .size = p->size, .bodies = p->bodies};
  STC_TRY(stc_reduced_assemble(whole));
  size_t entries = (size_t)whole->W.ptr[p->contacts] * (size_t)(p->dim * p->dim);
  for (size_t k = 0; k < entries; k++) whole->W.val[k] *= p->bodies.unit;
  return STC_OK;
}
