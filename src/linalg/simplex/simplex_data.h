// The state of the simplex method, in scaled units: x = unit * x of the state.
#ifndef STC_LINALG_SIMPLEX_DATA_H
#define STC_LINALG_SIMPLEX_DATA_H

#include "simplex.h"

// What a bound may be exceeded by, in scaled units, and a price have the wrong sign by, relative to
// the terms it is made of.
#define STC_SIMPLEX_TOLERANCE 1e-9

/// A place in the basis where the cost of moving on changes.
typedef struct stc_break {
  double step, rate;  // how far, and how fast the variable moves there
  int place;
  bool high;  // the bound it reaches
} stc_break;

struct stc_simplex {
  int rows, cols, all;  // all: rows + cols
  stc_arena arena;
  stc_basis *basis;
  int *ptr, *row;  // [all + 1], [entries] columns of (-1, A): activities, then columns
  double *val;
  double *unit;                              // [all]
  double *given_lo, *given_hi, *given_cost;  // [all] as the caller gave them
  double *lo, *hi, *cost;                    // [all] scaled
  double *x, *price, *weight;  // [all] prices of the phase, when looked at; 1 + |column|^2
  stc_simplex_place *place;    // [all]
  int *head;                   // [rows] the basic variables
  double *alpha, *pi, *work;   // [rows] a column of B^-1 A, multipliers, work space
  stc_break *breaks;           // [2*rows]
  bool finite, factored, first_phase;
  int next;  // variable that is looked at
  double value, error;
  double noise;  // prices below this count as zero
};

enum { OWN_BOUND = -1, NOTHING_STOPS = -2 };

/// What stops the variable that enters.
typedef struct stc_leave {
  int place;  // of the basis whose variable stops it; its own other bound; nothing
  double step;
  bool high;       // the bound at which that variable stops
  double fastest;  // largest |alpha|
} stc_leave;

/// How far x of a variable is below its lower bound (negative) or above the upper one; 0 within
/// the tolerance.
static inline double stc_simplex_excess(const stc_simplex *s, int v) {
  double x = s->x[v], lo = s->lo[v], hi = s->hi[v];
  if (x < lo - STC_SIMPLEX_TOLERANCE * (1 + (lo < 0 ? -lo : lo))) return x - lo;
  return x > hi + STC_SIMPLEX_TOLERANCE * (1 + (hi < 0 ? -hi : hi)) ? x - hi : 0;
}

/// Variable `enters` moves in direction `sign`, the basic ones by -sign alpha times its step.
stc_leave stc_simplex_leave(stc_simplex *s, int enters, int sign);

#endif
