// The contacts of a large problem in slices: two that are not neighbours have no body in common.
// Every second slice at once, then the others, is a Gauss–Seidel sweep that threads can share.
#ifndef STC_SOLVE_SLICES_H
#define STC_SOLVE_SLICES_H

#include "../../base/memory.h"
#include "../../problem/reduced.h"

/// The most slices there are.
enum { STC_SLICES = 16 };  // [machine]

typedef struct stc_slices {
  int count;     ///< of slices; they depend on which contact touches which body, on nothing else
  int *first;    ///< [STC_SLICES+1] place in `contact`
  int *contact;  ///< [contacts] by slices, increasing in each
  int *level;    ///< [bodies] work space: distance from a body that lies far out
  int *queue;    ///< [bodies] work space
  int *load;     ///< [bodies] work space: contacts of each level, then the slice they are in
} stc_slices;

/// How many a problem may have; 1: it is not cut.
int stc_slices_most(int contacts);

stc_error stc_slices_take(stc_arena *arena, const stc_reduced *problem, stc_slices *slices);

/// Fills them. Contacts touch two bodies at most.
void stc_slices_cut(const stc_reduced *problem, stc_slices *slices);

#endif
