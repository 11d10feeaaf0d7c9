// What the parts of the Cholesky factorisation share. Steps are rows in the order of elimination; a
// supernode is a run of steps with one list of steps below it. Its panel holds, by columns, the
// triangle of its own steps above the rows of the list.
#ifndef STC_LINALG_LLT_DATA_H
#define STC_LINALG_LLT_DATA_H

#include "../dense.h"
#include "llt.h"

#include <stdatomic.h>

/// Room of one thread.
typedef struct stc_llt_room {
  atomic_flag busy;
  double *product;  ///< [most rows * STC_LLT_STRIP]
  double *pack;     ///< [STC_LLT_ROWS * STC_LLT_DEPTH]
  int *place;       ///< [most rows]
} stc_llt_room;

// A packed block of 128 x 256 doubles fills a quarter of a megabyte, half of a usual second cache;
// strips of 64 columns pay for packing it.
enum { STC_LLT_ROWS = 128, STC_LLT_DEPTH = 256, STC_LLT_STRIP = 64 };

struct stc_llt {
  stc_arena arena;
  int n;
  const int *ptr, *col;  ///< pattern of A
  int *order;            ///< [n] row of A at each step
  int *step;             ///< [n] step of each row of A
  int supers;
  int *first;         ///< [supers+1] first step of each supernode
  int *owner;         ///< [n] supernode of each step
  int *list_ptr;      ///< [supers+1]
  int *list;          ///< steps of a supernode, its own first, rising
  size_t *value_ptr;  ///< [supers+1]
  int most_rows, most_cols;
  double flops;
  double *value;     ///< NULL before the first factorisation
  double *flip;      ///< [most_rows * most_cols] a transposed panel
  double *diagonal;  ///< [n] of A, by steps
  double floor;      ///< of a pivot against its diagonal entry
  int *place;        ///< [n] row of a step in the panel being filled
  stc_crew crew;
  stc_llt_room *room;  ///< [threads]
  double *solving;     ///< [solving_size] right-hand sides in the order of elimination
  size_t solving_size;
  const stc_dense *dense;
};

/// The panel of a supernode.
typedef struct stc_llt_panel {
  int first, cols, lead;  ///< first step, own steps, rows
  const int *list;        ///< [lead]
  double *L;              ///< lead x cols by columns
} stc_llt_panel;

static inline stc_llt_panel stc_llt_panel_of(const stc_llt *llt, int s) {
  return (stc_llt_panel){.first = llt->first[s],
                         .cols = llt->first[s + 1] - llt->first[s],
                         .lead = llt->list_ptr[s + 1] - llt->list_ptr[s],
                         .list = llt->list + llt->list_ptr[s],
                         .L = llt->value ? llt->value + llt->value_ptr[s] : NULL};
}

#endif
