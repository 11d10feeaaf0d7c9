// Elimination orders of a symmetric graph that keep the factors sparse. A graph is n rows of sorted
// neighbours adj[ptr[i]] .. adj[ptr[i+1]-1]; the node itself may be among them.
#ifndef STC_LINALG_ORDER_H
#define STC_LINALG_ORDER_H

#include <stiction/base.h>

/// Integers of work space that minimum degree, with groups or without, needs for a graph of n
/// nodes.
size_t stc_order_work(int n, int entries);

/// order[k] = node eliminated k-th, by minimum degree (AMD); allocates nothing. It cannot be
/// stopped: a graph of 1e6 entries takes up to a tenth of a second.
void stc_order_minimum_degree(int n, const int *ptr, const int *adj, int *work, int *order);

/// The same where node i belongs to group[i], from 0 to n-1, and comes before those of groups with
/// larger numbers (CAMD).
void stc_order_within_groups(int n, const int *ptr, const int *adj, const int *group, int *work,
                             int *order);

/// By nested dissection, with minimum degree inside what is left of it. Node i stands for size[i]
/// unknowns, NULL: each for one. STC_ERR_CALLBACK where it was stopped.
stc_error stc_order_dissection(int n, const int *ptr, const int *adj, const int *size, int *order);

/// Nodes with the same neighbours, themselves among them, can be eliminated in sequence:
/// they get one number in group [n], from 0 in order of appearance. Returns how many numbers there
/// are. work: [4 n].
int stc_order_twins(int n, const int *ptr, const int *adj, int *work, int *group);

#endif
