// Minimum degree: AMD, and CAMD where groups of nodes come in a given order   [Amestoy, Davis and
// Duff 1996].
#include "order.h"

#include <amd.h>
#include <camd.h>

enum { ARRAYS = 9 };  // of n + 1 integers: camd_2 asks for them, its copy of the graph apart

// The graph is copied without its diagonal, with room for AMD's own lists.
static int copy_room(int n, int entries) { return entries + entries / 5 + n + 1; }

size_t stc_order_work(int n, int entries) {
  return (size_t)copy_room(n, entries) + ARRAYS * ((size_t)n + 1);
}

/// Cuts the work space into arrays; the rest is for the copy.
static int *take_arrays(int n, int *work, int **array) {
  for (int k = 0; k < ARRAYS; k++) array[k] = work + (ptrdiff_t)k * (n + 1);
  return work + (ptrdiff_t)ARRAYS * (n + 1);
}

/// Copies the graph in the form of AMD; returns the length of its lists.
static int copy_graph(int n, const int *ptr, const int *adj, int *start, int *length, int *copy) {
  int used = 0;
  for (int i = 0; i < n; i++) {
    start[i] = used;
    for (int e = ptr[i]; e < ptr[i + 1]; e++)
      if (adj[e] != i) copy[used++] = adj[e];
    length[i] = used - start[i];
  }
  return used;
}

void stc_order_minimum_degree(int n, const int *ptr, const int *adj, int *work, int *order) {
  if (n == 0) return;
  int *array[ARRAYS], *copy = take_arrays(n, work, array);
  int used = copy_graph(n, ptr, adj, array[0], array[1], copy);
  double control[AMD_CONTROL], info[AMD_INFO];
  amd_defaults(control);
  amd_2(n, array[0], copy, array[1], copy_room(n, ptr[n]), used, array[2], array[3], order,
        array[4], array[5], array[6], array[7], control, info);
}

void stc_order_within_groups(int n, const int *ptr, const int *adj, const int *group, int *work,
                             int *order) {
  if (n == 0) return;
  int *array[ARRAYS], *copy = take_arrays(n, work, array);
  int used = copy_graph(n, ptr, adj, array[0], array[1], copy);
  double control[CAMD_CONTROL], info[CAMD_INFO];
  camd_defaults(control);
  camd_2(n, array[0], copy, array[1], copy_room(n, ptr[n]), used, array[2], array[3], order,
         array[4], array[5], array[6], array[7], control, info, group, array[8]);
}
