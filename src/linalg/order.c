// Elimination orders: AMD, and METIS for packings whose factors are large.
#include "order.h"

#include <amd.h>
#include <cholmod.h>
#include <pthread.h>

enum { ARRAYS = 8 };  // arrays of n integers that amd_2 asks for, its copy of the graph apart

// The graph is copied without its diagonal, with room for AMD's own lists.
static int copy_room(int n, int entries) { return entries + entries / 5 + n + 1; }

size_t stc_order_work(int n, int entries) {
  return (size_t)copy_room(n, entries) + ARRAYS * ((size_t)n + 1);
}

void stc_order_minimum_degree(int n, const int *ptr, const int *adj, int *work, int *order) {
  int *array[ARRAYS], room = copy_room(n, ptr[n]), used = 0;
  for (int k = 0; k < ARRAYS; k++) array[k] = work + (ptrdiff_t)k * (n + 1);
  int *copy = work + (ptrdiff_t)ARRAYS * (n + 1), *start = array[0], *length = array[1];
  for (int i = 0; i < n; i++) {
    start[i] = used;
    for (int e = ptr[i]; e < ptr[i + 1]; e++)
      if (adj[e] != i) copy[used++] = adj[e];
    length[i] = used - start[i];
  }
  double control[AMD_CONTROL], info[AMD_INFO];
  amd_defaults(control);
  if (n > 0)
    amd_2(n, start, copy, length, room, used, array[2], array[3], order, array[4], array[5],
          array[6], array[7], control, info);
}

// METIS seeds the C library's random numbers and takes its own from there: one at a time, or the
// order depends on what other threads do.
static pthread_mutex_t metis_lock = PTHREAD_MUTEX_INITIALIZER;

bool stc_order_dissection(int n, const int *ptr, const int *adj, int *order) {
  cholmod_common common;
  cholmod_start(&common);
  common.print = 0;
  cholmod_sparse graph = {.nrow = (size_t)n,
                          .ncol = (size_t)n,
                          .nzmax = (size_t)ptr[n],
                          .p = (void *)ptr,  // CHOLMOD takes no const, and only reads
                          .i = (void *)adj,
                          .stype = 1,
                          .itype = CHOLMOD_INT,
                          .xtype = CHOLMOD_PATTERN,
                          .dtype = CHOLMOD_DOUBLE,
                          .sorted = 1,
                          .packed = 1};
  pthread_mutex_lock(&metis_lock);
  bool done = cholmod_metis(&graph, NULL, 0, 1, order, &common);
  pthread_mutex_unlock(&metis_lock);
  cholmod_finish(&common);
  return done;
}
