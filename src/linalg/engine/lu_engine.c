// The row "lu" of the table: scalar rows gathered into the blocks of lu.h, one block row for each
// node.
#include "../lu.h"

#include "../../base/stop.h"
#include "engine.h"
#include "quotient.h"

#include <string.h>

typedef struct lu_state {
  stc_arena arena;
  int n, entries;
  stc_quotient nodes;
  int *size;        ///< [nodes] unknowns of a node
  size_t *val_ptr;  ///< [blocks+1] block of each entry of the graph
  size_t *place;    ///< [entries of A] position in `val`
  double *val;
  double *x;  ///< [n] a right-hand side, node by node
  stc_lu *lu;
} lu_state;

/// Row i of A: its entries in the blocks of its node.
static void place_row(lu_state *s, const stc_csr *A, const int *within, int i) {
  const stc_quotient *q = &s->nodes;
  int k = q->node[i];
  for (int e = A->ptr[i]; e < A->ptr[i + 1]; e++) {
    int j = A->col[e], block = stc_quotient_entry(q, k, q->node[j]);
    s->place[e] = s->val_ptr[block] + (size_t)(within[j] * s->size[k] + within[i]);
  }
}

static stc_error place_entries(lu_state *s, const stc_csr *A, stc_arena *scratch) {
  const stc_quotient *q = &s->nodes;
  int blocks = q->ptr[q->nodes], *within = STC_TAKE_RAW(scratch, int, s->n);
  s->size = STC_TAKE_RAW(&s->arena, int, q->nodes);
  s->val_ptr = STC_TAKE(&s->arena, size_t, (size_t)blocks + 1);
  s->place = STC_TAKE_RAW(&s->arena, size_t, s->entries);
  s->x = STC_TAKE_RAW(&s->arena, double, s->n);
  STC_TRY(stc_arena_check(&s->arena));
  STC_TRY(stc_arena_check(scratch));
  for (int k = 0; k < q->nodes; k++) {
    s->size[k] = q->start[k + 1] - q->start[k];
    for (int m = q->start[k]; m < q->start[k + 1]; m++) within[q->member[m]] = m - q->start[k];
  }
  for (int k = 0; k < q->nodes; k++)
    for (int e = q->ptr[k]; e < q->ptr[k + 1]; e++)
      s->val_ptr[e + 1] = s->val_ptr[e] + (size_t)s->size[k] * (size_t)s->size[q->adj[e]];
  for (int i = 0; i < s->n; i++) place_row(s, A, within, i);
  s->val = STC_TAKE(&s->arena, double, s->val_ptr[blocks]);
  return stc_arena_check(&s->arena);
}

static stc_error analyse_lu(const stc_csr *A, const stc_sparse_hints *hints, const stc_crew *crew,
                            void **state) {
  lu_state *s = *state = stc_calloc(1, sizeof *s);
  if (!s) return stc_fail(STC_ERR_MEMORY, "out of memory for factors");
  s->n = A->rows;
  s->entries = A->ptr[A->rows];
  STC_TRY(stc_quotient_make(&s->arena, A, hints->node, &s->nodes));
  stc_arena scratch = {0};
  stc_error error = place_entries(s, A, &scratch);
  stc_arena_free(&scratch);
  if (error) return error;
  const stc_pattern pattern = {s->nodes.nodes, s->size, s->nodes.ptr, s->nodes.adj};
  STC_TRY(stc_lu_create(&pattern, hints->memory, &s->lu));
  stc_lu_set_team(s->lu, crew->team);
  stc_lu_analyse(s->lu);
  return stc_stop_try(0);
}

static void free_lu(void *state) {
  lu_state *s = state;
  stc_lu_free(&s->lu);
  stc_arena_free(&s->arena);
  stc_release(&s);
}

static stc_error factorise_lu(void *state, const double *val, int *bad) {
  lu_state *s = state;
  *bad = -1;
  for (int e = 0; e < s->entries; e++) s->val[s->place[e]] = val[e];
  stc_lu_factorise(s->lu, s->val, s->val_ptr);
  return stc_stop_try(0);
}

static stc_error solve_lu(void *state, int count, const double *b, double *x, double tol,
                          stc_sparse_report *report, int *bad) {
  (void)tol, (void)report, (void)bad;
  lu_state *s = state;
  const int *member = s->nodes.member;
  for (int c = 0; c < count; c++, b += s->n, x += s->n) {
    for (int m = 0; m < s->n; m++) s->x[m] = b[member[m]];
    stc_lu_solve(s->lu, s->x);
    for (int m = 0; m < s->n; m++) x[member[m]] = s->x[m];
  }
  return stc_stop_try(0);
}

static double work_of_lu(const void *state) { return stc_lu_flops(((const lu_state *)state)->lu); }

static double bytes_of_lu(const void *state) {
  return 8 * stc_lu_entries(((const lu_state *)state)->lu);
}

STC_ENGINE_IS(lu, .name = "lu", .direct = true, .analyse = analyse_lu, .free = free_lu,
              .factorise = factorise_lu, .solve = solve_lu, .work = work_of_lu,
              .bytes = bytes_of_lu);
