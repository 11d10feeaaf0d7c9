// Brute force in 2D: every contact takes off, sticks, slips forward or slips backward; the 4^n
// combinations are tried one by one. Shares no code with the library.
//   u = W r + q;   take-off  r = 0, u_N >= 0         stick     u = 0, |r_T| <= mu r_N
//                  forward   u_N = 0, u_T >= 0, r_T = -mu r_N     backward  u_T <= 0, r_T = mu r_N
#ifndef ORACLE_ENUMERATE2D_H
#define ORACLE_ENUMERATE2D_H

#include <stdbool.h>

enum { ENUMERATE_CONTACTS = 4, ENUMERATE_SIZE = 2 * ENUMERATE_CONTACTS };

typedef struct enumerate2d_answer {
  int modes;                          ///< combinations that have an answer; 0: no solution
  char mode[ENUMERATE_CONTACTS + 1];  ///< the first: 'T', 'S', '+', '-' per contact
  double r[ENUMERATE_SIZE];           ///< and its reactions (N, T per contact)
  double u[ENUMERATE_SIZE];           ///< and velocities
} enumerate2d_answer;

/// All solutions of n <= 4 contacts; W [2n*2n] by columns, any rank; mu [n]. Each combination is a
/// linear feasibility problem, decided by the simplex method up to 1e-9 of the row it concerns, so
/// singular W and whole families of answers are handled; what is feasible or infeasible by less
/// than that is not told apart. One solution may count in several combinations where modes meet (r
/// = 0 and u = 0, stick at the limit).
enumerate2d_answer enumerate2d(int n, const double *W, const double *q, const double *mu);

enum { ENUMERATE_MOST = 64 };

/// The set of all solutions in its connected parts.
typedef struct enumerate2d_parts {
  int count;
  bool moves[ENUMERATE_MOST];                ///< not all solutions of the part have one velocity
  double u[ENUMERATE_MOST][ENUMERATE_SIZE];  ///< a velocity of the part
} enumerate2d_parts;

/// The parts for the same data, W symmetric. Solutions with one velocity are convex in r, so that
/// parts that do not move have different velocities.
enumerate2d_parts enumerate2d_all(int n, const double *W, const double *q, const double *mu);

#endif
