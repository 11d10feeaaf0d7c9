// Solvers for parts of a problem, the small ones in memory that they use one after another.
#ifndef STC_SOLVE_CUT_H
#define STC_SOLVE_CUT_H

#include "../method.h"

/// The work space `place` that cutting asks for.
stc_error stc_cut_places(stc_arena *scratch, const stc_reduced *whole, int **place);

/// A solver for some contacts of the whole, in increasing order. Small parts take their memory from
/// *mark on, which all of them share; *shared is true then.
stc_error stc_cut_solver(stc_solver *whole, const int *contact, int contacts,
                         const stc_settings *settings, int *place, stc_slab *mark, bool *shared,
                         stc_solver **part);

/// The part of these contacts, in increasing order, with the reactions around it held,
///   u_P = W_PP r_P + (q + W_PR r_R),
/// where `whole` has (r, u); of_whole is the magnitude of its problem. The reactions of the part
/// are written to r [its size].
stc_error stc_cut_held(const stc_solver *whole, const int *contact, int contacts, int *place,
                       stc_magnitude of_whole, double *r, stc_reduced **part);

/// The reactions of the contacts: out of those of the whole, or into them.
void stc_cut_read(const int *contact, int contacts, int dim, const double *whole, double *part);
void stc_cut_write(const int *contact, int contacts, int dim, const double *part, double *whole);

#endif
