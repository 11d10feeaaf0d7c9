// All solutions of one contact in space by scanning the directions of slip; shares no code with the
// library.
#ifndef STICTION_TESTS_SCAN3D_H
#define STICTION_TESTS_SCAN3D_H

#include <stdbool.h>

enum { SCAN_MOST = 6 };  ///< open, stick, and four directions of slip at most

typedef struct scan3d_solutions {
  int count;
  bool clear;  ///< nothing comes close to changing their number
  double u[SCAN_MOST][3], r[SCAN_MOST][3];
} scan3d_solutions;

/// u = W r + q, W [9] symmetric; `regular`: W is not singular. Where it is, q must be such that
/// u = 0 is impossible. mu > 0.
scan3d_solutions scan3d_all(const double *W, const double *q, double mu, bool regular);
#endif
