// Patches that cover the contacts of a problem: every contact is in the core of one patch, and
// around the cores they overlap by a few rings of neighbours.
#ifndef STC_SOLVE_COVER_H
#define STC_SOLVE_COVER_H

#include "../../problem/reduced.h"

typedef struct stc_patch {
  int contacts;
  int *contact;  ///< [contacts] increasing
} stc_patch;

typedef struct stc_cover {
  int patches;
  stc_patch *patch;
  int colours;  ///< patches of one colour have no body in common
  int *ptr;     ///< [colours+1]
  int *order;   ///< [patches] by colour
} stc_cover;

/// Cores of `core` contacts (the last one has what is left), compact in the graph of contacts, and
/// `rings` rings around them, as long as a patch has at most `most` contacts.
stc_error stc_cover_create(stc_arena *arena, const stc_reduced *problem, int core, int rings,
                           int most, stc_cover *cover);

#endif
