// The truth about small plane problems, in rational arithmetic on GMP: each contact takes off,
// sticks, slips forward or slips backward; each combination is a linear feasibility problem, which
// the simplex method with Bland's rule decides without rounding. Shares no code with the library.
#ifndef ORACLE_EXACT2D_H
#define ORACLE_EXACT2D_H

#include <stdbool.h>

enum { EXACT_CONTACTS = 4, EXACT_SIZE = 2 * EXACT_CONTACTS, EXACT_DOFS = 8, EXACT_JOINTS = 3 };

/// A problem as it stands in a file. Matrices are dense, by rows.
typedef struct exact2d_data {
  bool local;
  int contacts, dofs, joints;
  double W[EXACT_SIZE * EXACT_SIZE], q[EXACT_SIZE];  ///< local
  double M[EXACT_DOFS * EXACT_DOFS], f[EXACT_DOFS];  ///< global
  double H[EXACT_SIZE * EXACT_DOFS], w[EXACT_SIZE];
  double G[EXACT_JOINTS * EXACT_DOFS], b[EXACT_JOINTS];
  double mu[EXACT_CONTACTS];
} exact2d_data;

typedef struct exact2d_truth {
  bool exists;
  bool possible;                  ///< the joints can be met at all (M must be regular)
  char mode[EXACT_CONTACTS + 1];  ///< of the solution that is found: T, S, + or - per contact
  double r[EXACT_SIZE];           ///< rounded
  double u[EXACT_SIZE];
} exact2d_truth;

/// Whether the numbers as they stand have a solution.
exact2d_truth exact2d(const exact2d_data *data);

/// The least and greatest r_N of contact c over all reactions in the cones that leave every
/// velocity as it is in `truth`, which has a solution; `most` is INFINITY where there is no bound.
void exact2d_range(const exact2d_data *data, const exact2d_truth *truth, int c, double *least,
                   double *most);

#endif
