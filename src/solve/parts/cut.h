// Solvers for parts of a problem, the small ones in memory that they use one after another.
#ifndef STC_SOLVE_CUT_H
#define STC_SOLVE_CUT_H

#include "../method.h"

/// The work space that stc_reduced_cut asks for.
stc_error stc_cut_places(stc_arena *scratch, const stc_reduced *whole, int **place);

/// A solver for some contacts of the whole, in increasing order. Small parts take their memory from
/// *mark on, which all of them share: *shared says so.
stc_error stc_cut_solver(stc_solver *whole, const int *contact, int contacts,
                         const stc_settings *settings, int *place, stc_slab *mark, bool *shared,
                         stc_solver **part);

#endif
