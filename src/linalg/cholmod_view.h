// Our rows as CHOLMOD reads them.
#ifndef STC_LINALG_CHOLMOD_VIEW_H
#define STC_LINALG_CHOLMOD_VIEW_H

#include "csr.h"

#include <cholmod.h>

/// The rows of A read as columns: CHOLMOD's upper triangle is our lower one. Never written to.
static inline cholmod_sparse stc_cholmod_view(const stc_csr *A, int xtype) {
  size_t n = (size_t)A->rows;
  return (cholmod_sparse){.nrow = n,
                          .ncol = n,
                          .nzmax = (size_t)stc_csr_entries(A),
                          .p = A->ptr,
                          .i = A->col,
                          .x = xtype == CHOLMOD_PATTERN ? NULL : A->val,
                          .stype = 1,
                          .itype = CHOLMOD_INT,
                          .xtype = xtype,
                          .dtype = CHOLMOD_DOUBLE,
                          .sorted = 1,
                          .packed = 1};
}

#endif
