// Boxes in a grid of buckets: which boxes may meet a given one.
#ifndef STC_FEM_BUCKET_H
#define STC_FEM_BUCKET_H

#include "../../base/memory.h"

typedef struct stc_bucket_box {
  double low[3], high[3];
} stc_bucket_box;

typedef struct stc_buckets {
  stc_bucket_box all;  ///< around every box
  int count[3];        ///< buckets along each axis
  double width[3];     ///< of one
  int *ptr, *item;     ///< boxes of each bucket
  int *stamp;          ///< [boxes] query that saw it last
  int query;
  int *found;  ///< [boxes] answer of the last query
  const stc_bucket_box *box;
  int boxes;
} stc_buckets;

/// A grid whose buckets are about as large as the boxes; `box` [boxes] must outlive it.
stc_error stc_buckets_create(stc_arena *arena, const stc_bucket_box *box, int boxes,
                             stc_buckets *grid);

/// Begins a query; stc_buckets_add then puts boxes that meet `box` into found, each once.
void stc_buckets_begin(stc_buckets *grid);
int stc_buckets_add(stc_buckets *grid, const stc_bucket_box *box, int found);

#endif
