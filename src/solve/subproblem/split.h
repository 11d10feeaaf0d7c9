// A problem in parts: its connected components, the small ones in groups, each part with a solver
// of its own. What is solved stays solved, and a hard part does not drag the others along.
#ifndef STC_SOLVE_SPLIT_H
#define STC_SOLVE_SPLIT_H

#include "../method.h"

typedef struct stc_split {
  int components;  ///< connected components of the problem; 1 where they were not sought
  int parts;       ///< 0: the problem stays whole
  int *ptr;        ///< [parts+1] contacts of each part
  int *contact;    ///< [contacts] by part, increasing in each
  stc_solver **part;
  bool *shared;  ///< [parts] works in memory that all such parts share
  int last;      ///< the shared part that ran last, -1: none
  bool *solved;  ///< [parts]
  int cycle;     ///< cycles that every part has had
} stc_split;

/// Cuts the problem of `whole` where that pays; the parts are solved by the method of `whole`.
stc_error stc_split_create(stc_solver *whole, stc_split *split);
void stc_split_free(stc_split *split);

/// The numbers of the whole problem have changed.
stc_error stc_split_update(stc_split *split, const stc_solver *whole);

void stc_split_start(stc_split *split);

/// One cycle over every part that is not solved, from `start` [size] to the whole's r.
stc_step stc_split_iterate(stc_split *split, stc_solver *whole, const double *start);

#endif
