// Rational matrices and the simplex method with Bland's rule, on GMP: what the enumerations in
// exact numbers stand on. Shares no code with the library.
#ifndef ORACLE_TABLEAU_H
#define ORACLE_TABLEAU_H

#include <gmp.h>
#include <stdbool.h>

typedef struct matrix {
  int rows, cols;
  mpq_t *at;
} matrix;

matrix make_matrix(int rows, int cols);
void drop_matrix(matrix *A);
mpq_t *exact_entry(const matrix *A, int i, int j);
void put_number(const matrix *A, int i, int j, double x);
void add_product(mpq_t sum, const mpq_t a, const mpq_t b);  ///< sum += a b

/// Divides row `row` by its entry in `col` and clears the column in all other rows.
void pivot_on(matrix *A, int row, int col);

/// The equations T x = b, x >= 0, with one artificial unknown per row, the right-hand side in the
/// last column; the last row is the objective.
typedef struct tableau {
  int rows, cols;  ///< cols: without artificials and the right-hand side
  matrix T;
  int *basis;  ///< [rows]
} tableau;

/// Zeros; fill the rows and their right-hand sides, then call tableau_feasible.
tableau make_tableau(int rows, int cols);
void drop_tableau(tableau *t);
mpq_t *right_side(const tableau *t, int i);

/// First phase: whether some x >= 0 satisfies the equations.
bool tableau_feasible(tableau *t);

/// Artificial unknowns, all zero, leave the basis; rows that hold nothing else stay as they are.
void drop_artificials(tableau *t);

/// Least sum of cost[j] x_j from a feasible basis without artificials; false where it has no bound.
bool tableau_least(tableau *t, mpq_t *cost, mpq_t least);
#endif
