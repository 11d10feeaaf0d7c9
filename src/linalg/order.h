// Elimination orders of a symmetric graph that keep the factors sparse.
#ifndef STC_LINALG_ORDER_H
#define STC_LINALG_ORDER_H

#include <stiction/base.h>

/// Integers of work space that minimum degree needs for a graph of n nodes.
size_t stc_order_work(int n, int entries);

/// order[k] = node eliminated k-th, by minimum degree (AMD); allocates nothing. The graph is n rows
/// of sorted neighbours adj[ptr[i]] .. adj[ptr[i+1]-1], the node itself among them.
void stc_order_minimum_degree(int n, const int *ptr, const int *adj, int *work, int *order);

/// The same by nested dissection (METIS through CHOLMOD). False where it is not available.
bool stc_order_dissection(int n, const int *ptr, const int *adj, int *order);

#endif
