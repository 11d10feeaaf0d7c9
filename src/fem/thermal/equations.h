// Residual and Jacobian of all fields in one list of unknowns: temperatures and potentials of the
// nodes, then displacements, then reactions of the contacts.
#ifndef STC_FEM_EQUATIONS_H
#define STC_FEM_EQUATIONS_H

#include "../../linalg/sparse_solver.h"

/// Row and column numbers.
typedef struct stc_unknowns {
  int nodes, size, rows;  ///< of the mesh, of displacements, of contact rows
} stc_unknowns;

static inline int stc_at_temperature(int node) { return node; }
static inline int stc_at_potential(const stc_unknowns *n, int node) { return n->nodes + node; }
static inline int stc_at_displacement(const stc_unknowns *n, int i) { return 2 * n->nodes + i; }
static inline int stc_at_reaction(const stc_unknowns *n, int j) {
  return 2 * n->nodes + n->size + j;
}

typedef struct stc_equations {
  stc_unknowns n;
  int count;          ///< rows and columns
  bool jacobian;      ///< entries are wanted
  double *R, *scale;  ///< [count] residual; sum of the sizes of what it is made of
  bool *given;        ///< [count] unknowns that do not change
  int entries, room;  ///< of the Jacobian, any place any number of times
  int *row, *col;
  double *val;
  bool short_of_memory;
  double *step;     ///< [count] the solution
  double *unit;     ///< [count] size of an unknown; 0: from the entries
  const int *node;  ///< [count] unknowns with one number pivot together
} stc_equations;

stc_error stc_equations_create(stc_equations *e, const stc_unknowns *n, int count, const int *node);
void stc_equations_free(stc_equations *e);

/// Nothing is in it.
void stc_equations_clear(stc_equations *e, bool jacobian);

static inline void stc_equations_add(stc_equations *e, int row, double value) {
  e->R[row] += value;
  e->scale[row] += value < 0 ? -value : value;
}

void stc_equations_entry(stc_equations *e, int row, int col, double value);

/// step = -J^-1 R for what is not given.
stc_error stc_equations_solve(stc_equations *e, double memory);

/// Largest |R| of rows first .. end - 1 that are not given, over the largest of their scales and
/// `least`.
double stc_equations_residual(const stc_equations *e, int first, int end, double least);

#endif
