// Reactions with which a contact whose cone is given by a section may slip.
#ifndef STC_LAW_SECTION_SLIP_H
#define STC_LAW_SECTION_SLIP_H

#include "../law_ops.h"
#include "convex_curve.h"

/// Slips of one piece, at most.
enum { STC_SECTION_SLIPS = 40 };

/// Pieces of the boundary: an arc or corner with the edge before it; the whole interval.
int stc_section_pieces(const stc_law *law);

/// Reactions with u_N = 0 on this piece or on its continuation beyond its ends; returns how many. W
/// by columns.
int stc_section_slips(const stc_law *law, const double *W, const double *q, int piece,
                      double r[][3]);

#endif
