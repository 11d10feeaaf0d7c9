// Connected components of a graph whose edges come one by one: a forest over the nodes 0..n-1.
#ifndef STC_LINALG_GRAPH_H
#define STC_LINALG_GRAPH_H

#include "csr.h"

/// Every node alone. forest: [n], owned by the caller.
void stc_graph_start(int *forest, int n);

/// An edge between a and b.
void stc_graph_join(int *forest, int a, int b);

/// Edges between row i + row_shift and column j + col_shift wherever A_ij != 0.
void stc_graph_join_matrix(int *forest, const stc_csr *A, int row_shift, int col_shift);

/// Ends the building: forest[k] becomes the number of the component of node k, from 0 in order of
/// appearance. Returns how many there are.
int stc_graph_number(int *forest, int n);

#endif
