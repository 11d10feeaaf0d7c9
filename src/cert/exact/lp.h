// Linear programs  min c.x,  lo <= (A x, x) <= hi,  with exact data: solved in floating point by
// the simplex method of linalg, then confirmed or solved to the end in rational arithmetic.
#ifndef STC_CERT_LP_H
#define STC_CERT_LP_H

#include "rational.h"

#include "../../linalg/simplex/simplex.h"

typedef enum stc_lp_status {
  STC_LP_OPTIMAL,
  STC_LP_INFEASIBLE,
  STC_LP_UNBOUNDED,
  STC_LP_FAILED  ///< the simplex method gave up, or a scope of base/stop.h ended
} stc_lp_status;

/// Variables are numbered: rows first (their activities), then columns.
typedef struct stc_lp {
  int rows, cols;
  stc_rationals A;      ///< [rows*cols] by rows
  stc_rationals c;      ///< [cols]
  stc_integers Z;       ///< [rows*cols] A with each row times its factor
  stc_integers factor;  ///< [rows]
  double *lo, *hi;      ///< [rows + cols] integers, -INFINITY and INFINITY where there is no bound
  stc_simplex *simplex;
  int *ptr, *row;  ///< [cols + 1], [rows*cols] the rounded rows by columns, without zeros
  double *val;     ///< [rows*cols]
  bool loaded;     ///< the simplex method has the rows as they are
  stc_arena arena;
  double *rounded;      ///< [rows*cols] A, to the next double
  double *cost;         ///< [cols] c, to the next double
  double *weight;       ///< [rows] the largest |entry|, a unit of the row
  double *x;            ///< [cols] point as doubles, while it is confirmed
  double value;         ///< of the floating-point solve
  stc_rationals point;  ///< [cols] what stc_lp_confirm or stc_lp_solve_exact found
  stc_rationals best;   ///< [1] its value; after stc_lp_confirm an upper bound of it
} stc_lp;

/// All entries zero, all variables free.
stc_error stc_lp_create(int rows, int cols, stc_lp **lp);
void stc_lp_free(stc_lp **lp);

/// The entry of row i and column j, and the cost of column j, to be written to before loading.
stc_q_ptr stc_lp_entry(const stc_lp *lp, int i, int j);
stc_q_ptr stc_lp_cost(const stc_lp *lp, int j);

/// Takes row i, the cost of column j, or all rows and costs, for the next solve.
void stc_lp_load_row(stc_lp *lp, int i);
void stc_lp_load_cost(stc_lp *lp, int j);
void stc_lp_load(stc_lp *lp);

void stc_lp_bound_row(stc_lp *lp, int i, double lo, double hi);
void stc_lp_bound_col(stc_lp *lp, int j, double lo, double hi);

/// Floating point, from the basis that is there. lp->value and the two below belong to it.
stc_lp_status stc_lp_solve(stc_lp *lp);
double stc_lp_x(const stc_lp *lp, int j);
double stc_lp_row_dual(const stc_lp *lp, int i);  ///< d value / d bound of row i

/// After a solve: a point a little inside all row bounds is rounded and checked exactly. True if it
/// satisfies every bound and its value is negative; point and best hold it then.
bool stc_lp_confirm(stc_lp *lp);

/// The same where rows may pass their upper bounds by `slack`.
bool stc_lp_confirm_within(stc_lp *lp, double slack);

/// Whether row i of lp->point is within its bounds, exactly.
bool stc_lp_row_holds(const stc_lp *lp, int i);

/// Exact, from the basis of the floating-point solve. Fills point and best where OPTIMAL.
stc_lp_status stc_lp_solve_exact(stc_lp *lp);

#endif
