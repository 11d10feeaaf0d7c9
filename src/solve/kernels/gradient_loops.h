// One visit of all contacts by the steps over rigid bodies: judges the last step, makes the next.
#ifndef STC_SOLVE_GRADIENT_LOOPS_H
#define STC_SOLVE_GRADIENT_LOOPS_H

#include "gradient.h"

/// The numbers of a body take a cache line in space, half of one in the plane: padded with zeros.
enum {
  STC_SPACE_WIDTH = 6,
  STC_PLANE_WIDTH = 3,
  STC_SPACE_STRIDE = 8,
  STC_PLANE_STRIDE = 4
};  // [size]

/// Doubles past the end of the rows that vector loads may touch.
enum { STC_VISIT_PAD = 4 };  // [size]

typedef struct stc_sums {
  double uphill;    ///< sum k (y - next).(next - r) of the step ahead
  double dWd, dKd;  ///< of d = next - y, the last step
} stc_sums;

/// With `measure`, from r and old to next, whose product takes the place of Wold; with `project`,
/// the step from where that ends, into the place of old if both, of next if not.
typedef struct stc_visit {
  const stc_reduced *problem;
  stc_apgd *a;
  const double *r;
  bool measure, project;
  double beta, ahead;      ///< momenta of the last step and of the one ahead
  double length;           ///< 1 / L
  stc_sums run[STC_RUNS];  ///< what each run gives
} stc_visit;

/// The first of `count` contacts or bodies that belongs to a run.
static inline int stc_run_first(int count, int runs, int run) {
  return (int)((long long)count * run / runs);
}

stc_sums stc_visit_contacts(const stc_visit *visit, int run);

#endif
