// Fills size, ptr, adj and the maps (source; place, place_ptr) of a Newton system's pattern.
#ifndef STC_SOLVE_JACOBIAN_PATTERN_H
#define STC_SOLVE_JACOBIAN_PATTERN_H

#include "jacobian.h"

stc_error stc_jacobian_contact_pattern(stc_arena *arena, stc_jacobian *jacobian);
stc_error stc_jacobian_body_pattern(stc_arena *arena, stc_jacobian *jacobian);

/// Bytes that either pattern takes at most, for that many nodes and pairs of coupled ones.
size_t stc_jacobian_pattern_room(int contacts, int nodes, int pairs);

#endif
