// Solutions with given modes, exactly: where all cones are polyhedral the polyhedron of each
// combination of modes, merged into connected sets; among round cones a point where every contact
// is open or sticks.
#ifndef STC_CERT_SETS_H
#define STC_CERT_SETS_H

#include "farkas.h"

/// A connected set of solutions of a component.
typedef struct stc_set {
  int dimension, velocity_dimension;
  bool bounded;
  stc_rationals r, u;  ///< [size] one of its points, in the units of the component
  stc_rationals v, l;  ///< the same point in the whole problem, other contacts without reactions
} stc_set;

/// The polyhedron of one combination of modes.
typedef struct stc_piece {
  stc_mode *mode;  ///< [contacts]
  stc_set of;
  int joined;  ///< a piece of the same set with a smaller number, or itself
} stc_piece;

typedef struct stc_sets {
  const stc_exact *exact;
  stc_piece *piece;
  int pieces, room;
  stc_set *set;  ///< [count] after stc_sets_merge
  int *number;   ///< [pieces] set of each piece
  int count;
} stc_sets;

void stc_set_free(stc_set *set);

stc_error stc_sets_create(const stc_exact *exact, stc_sets **sets);
void stc_sets_free(stc_sets **sets);

/// Adds the polyhedron of the modes, single corners and edges. *piece is its number, -1 if it could
/// not be measured before the deadline, or if its reactions are beyond the rounding of W.
stc_error stc_sets_add(stc_sets *sets, const stc_mode *mode, int *piece);

/// Joins pieces that touch and fills set, number and count. *whole is false where the deadline
/// passed first: sets may then be parts of larger ones.
stc_error stc_sets_merge(stc_sets *sets, bool *whole);

/// 3D: reactions r [size] of a solution with every contact open or sticking as `mode` says,
/// exactly. K is replaced by a polygon inside it. *found is false where there are none.
stc_error stc_rest_point(const stc_exact *exact, const stc_mode *mode, bool *found,
                         stc_rationals *r);

/// Dimension of the reactions of contacts that stick which leave all of them at rest; -1: the
/// deadline passed.
stc_error stc_rest_dimension(const stc_exact *exact, const stc_mode *mode, int *dimension);

#endif
