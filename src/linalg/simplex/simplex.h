// Linear programs  min c.x,  lo <= (A x, x) <= hi,  A sparse, in floating point: the primal simplex
// method with bounded variables. The first phase takes the sum of what bounds are exceeded by down,
// past bounds that it pays to pass; the second minimises the cost.
#ifndef STC_LINALG_SIMPLEX_H
#define STC_LINALG_SIMPLEX_H

#include "basis.h"

typedef enum stc_simplex_status {
  STC_SIMPLEX_OPTIMAL,
  STC_SIMPLEX_INFEASIBLE,
  STC_SIMPLEX_UNBOUNDED,
  STC_SIMPLEX_LOST,    ///< too many steps, or rounding
  STC_SIMPLEX_GOES_ON  ///< while it runs
} stc_simplex_status;

/// Where a variable stands.
typedef enum stc_simplex_place {
  STC_PLACE_BASIC,
  STC_PLACE_LOW,
  STC_PLACE_HIGH,
  STC_PLACE_FREE  ///< at zero, for it has no bounds
} stc_simplex_place;

typedef struct stc_simplex stc_simplex;

/// Variables are numbered: rows first (their activities), then columns. All of them free, no
/// entries, no cost, the activities basic.
stc_error stc_simplex_create(int rows, int cols, stc_simplex **simplex);
void stc_simplex_free(stc_simplex **simplex);

/// Takes the entries of A, copied and scaled by powers of two. Bounds, costs and basis stay.
stc_error stc_simplex_load(stc_simplex *simplex, const stc_sparse_columns *A);

void stc_simplex_set_cost(stc_simplex *simplex, int column, double cost);
void stc_simplex_set_bounds(stc_simplex *simplex, int variable, double lo, double hi);

/// The activities become basic again.
void stc_simplex_reset(stc_simplex *simplex);

/// From the basis that is there, in at most `most` steps. Fails where memory runs out or the scope
/// of the caller ends.
stc_error stc_simplex_solve(stc_simplex *simplex, int most, stc_simplex_status *status);

/// Of the last solve.
double stc_simplex_value(const stc_simplex *simplex);
double stc_simplex_point(const stc_simplex *simplex, int variable);
/// d value / d bound of a variable that stands at one; 0 if it is basic.
double stc_simplex_price(const stc_simplex *simplex, int variable);
stc_simplex_place stc_simplex_place_of(const stc_simplex *simplex, int variable);

/// The largest error of the last optimum, relative to the terms it is made of: of equations, of
/// bounds, of the signs of prices.
double stc_simplex_error(const stc_simplex *simplex);

#endif
