// Connected components of a graph whose edges come one by one, as a forest over the nodes 0..n-1,
// and the neighbours of nodes that meet in cells, rows or other sets.
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

/// Lists the items 0..n-1 by their sets: member[start[k]] .. member[start[k+1]-1] are those with
/// of[item] = k, rising. of: [n], negative: in none. start: [count+2], zeros before. member: [n].
void stc_graph_list_members(int n, const int *of, int count, int *start, int *member);

/// Which nodes meet: node a belongs to the sets set[set_ptr[a]] .. set[set_ptr[a+1]-1], and set c
/// has the members member[member_ptr[c]] .. member[member_ptr[c+1]-1], each a node or, where
/// node_of is not NULL, a part of the node node_of[member]. The relation is symmetric and every
/// node meets itself.
typedef struct stc_incidence {
  int nodes;
  const int *set_ptr, *set;
  const int *member_ptr, *member;
  const int *node_of;
} stc_incidence;

/// Neighbours of every node, itself among them, rising: adj[ptr[a]] .. adj[ptr[a+1]-1], both taken
/// from the arena. STC_ERR_DIMENSION where there are more than `most`.
stc_error stc_graph_neighbours(stc_arena *arena, const stc_incidence *in, long long most, int **ptr,
                               int **adj);

#endif
