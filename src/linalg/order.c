// Elimination orders: AMD for small graphs, METIS for packings whose factors are large.
#include "order.h"

#include "../base/fail.h"

#include <amd.h>
#include <cholmod.h>

stc_error stc_order_minimum_degree(int n, const int *ptr, const int *adj, int *order) {
  int status = amd_order(n, ptr, adj, order, NULL, NULL);
  if (status == AMD_OUT_OF_MEMORY) return stc_fail(STC_ERR_MEMORY, "out of memory in the ordering");
  return STC_OK;
}

bool stc_order_dissection(int n, int *ptr, int *adj, int *order) {
  cholmod_common common;
  cholmod_start(&common);
  common.print = 0;
  cholmod_sparse graph = {.nrow = (size_t)n,
                          .ncol = (size_t)n,
                          .nzmax = (size_t)ptr[n],
                          .p = ptr,
                          .i = adj,
                          .stype = 1,
                          .itype = CHOLMOD_INT,
                          .xtype = CHOLMOD_PATTERN,
                          .dtype = CHOLMOD_DOUBLE,
                          .sorted = 1,
                          .packed = 1};
  bool done = cholmod_metis(&graph, NULL, 0, 1, order, &common);
  cholmod_finish(&common);
  return done;
}
