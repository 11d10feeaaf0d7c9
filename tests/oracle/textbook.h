// The Coulomb law as textbooks state it, for one contact; shares no code with the library.
//   take-off  r = 0, u_N >= 0      stick  u = 0, |r_T| <= mu r_N
//   slip      u_N = 0, r_N >= 0, r_T = -mu r_N u_T / |u_T|
// With two coefficients, D = diag(mu1, mu2): |D^-1 r_T| <= r_N and r_T = -r_N D^2 u_T / |D u_T|.
// A coefficient 0 means r_T = 0 along that tangent and no condition on u_T there.
#ifndef ORACLE_TEXTBOOK_H
#define ORACLE_TEXTBOOK_H

typedef enum textbook_mode {
  TEXTBOOK_NONE,
  TEXTBOOK_TAKE_OFF,
  TEXTBOOK_STICK,
  TEXTBOOK_SLIP
} textbook_mode;

/// How far (u, r) is from the nearest of the three modes, velocities relative to `speed` > 0 and
/// reactions relative to mu r_N; 0 is perfect, infinity is none of the three. Components N, T1[,
/// T2]; mu [dim-1]. *mode is the nearest mode.
double textbook_distance(int dim, const double *mu, double speed, const double *u, const double *r,
                         textbook_mode *mode);

/// The same for one contact alone, u = W r + q, W [dim*dim] by columns, with
///   speed = max_i (|q_i|, |u_i|) + 1e-5 max_i sum_j |W_ij r_j|,
/// so that a distance of 1e-9 allows 1e-9 of the velocities and 1e-14 of the terms they are sums
/// of. Infinity where the terms cancel to more than ten digits: with a singular W such reactions
/// reach any q up to rounding, also where no answer exists.
double textbook_contact(int dim, const double *mu, const double *W, const double *q,
                        const double *r, textbook_mode *mode);

#endif
