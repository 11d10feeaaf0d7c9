// Connected components of the contacts: two contacts belong together if an impulse at one can move
// the other, through a body (a block of M, or an entry of W) or through joints.
#include "problem_data.h"

#include "../linalg/graph.h"

#include <limits.h>
#include <string.h>

/// Joins contact c with node j + shift wherever an entry of its rows of A is not zero.
static void join_contacts(int *forest, const stc_csr *A, int dim, int shift) {
  for (int i = 0; i < A->rows; i++)
    for (int k = A->ptr[i]; k < A->ptr[i + 1]; k++)
      if (A->val[k] != 0) stc_graph_join(forest, i / dim, A->col[k] + shift);
}

/// Nodes: contacts, then joint equations, then degrees of freedom.
static void join_global(int *forest, const stc_problem *p) {
  int first_dof = p->contacts + p->equalities;
  join_contacts(forest, &p->H, p->dim, first_dof);
  stc_graph_join_matrix(forest, &p->G, p->contacts, first_dof);
  stc_graph_join_matrix(forest, &p->M, first_dof, first_dof);
}

stc_error stc_problem_components(const stc_problem *problem, int *component, int *count) {
  STC_RELEASED_BY(stc_problem_free) stc_problem *own = NULL;
  const stc_problem *p = NULL;
  STC_TRY(stc_problem_with_rows(problem, &own, &p));
  if (p->dofs > INT_MAX - p->contacts - p->equalities)
    return stc_fail(STC_ERR_DIMENSION,
                    "contacts, joints and dofs together exceed the range of int");
  int nodes = p->contacts + p->equalities + p->dofs;
  int *forest = stc_calloc((size_t)nodes, sizeof *forest);
  if (!forest) return stc_fail(STC_ERR_MEMORY, "out of memory for a graph of %d nodes", nodes);
  stc_graph_start(forest, nodes);
  if (p->form == STC_FORM_LOCAL) {
    // Nodes: contacts, then joint equations.
    for (int i = 0; i < p->size; i++)
      for (int k = p->W.ptr[i]; k < p->W.ptr[i + 1]; k++)
        if (p->W.val[k] != 0) stc_graph_join(forest, i / p->dim, p->W.col[k] / p->dim);
    join_contacts(forest, &p->V, p->dim, p->contacts);
    stc_graph_join_matrix(forest, &p->R, p->contacts, p->contacts);
  } else
    join_global(forest, p);
  stc_graph_number(forest, nodes);
  // Contacts come first and are numbered in order of appearance: the largest number is theirs.
  int last = -1;
  for (int c = 0; c < p->contacts; c++) last = forest[c] > last ? forest[c] : last;
  if (count) *count = last + 1;
  if (component && p->contacts) memcpy(component, forest, (size_t)p->contacts * sizeof *forest);
  stc_release(&forest);
  return STC_OK;
}
