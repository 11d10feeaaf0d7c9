// The contacts of a step as rows: of H over the bodies, and relative velocities U and impulses r,
// component by component.
#ifndef STC_DYNAMICS_STEP_ROWS_H
#define STC_DYNAMICS_STEP_ROWS_H

#include "../base/vec3.h"

#include <stiction/solve.h>

/// The velocity along d of a point of a body is d.v + moment.omega, moment = (point - centre) x d.
/// In a contact the body that the normal points to counts with +, the other with -. Returns the
/// length of the lever.
static inline double stc_point_moment(const double point[3], const double centre[3],
                                      const double d[3], double moment[3]) {
  double lever[3];
  stc_sub3(point, centre, lever);
  stc_cross3(lever, d, moment);
  return stc_norm3(lever);
}

/// Arrays are [count*dim], ordered N, T1, T2, ... in each contact.
typedef struct stc_step_rows {
  int count, dim;
  double *drive;   ///< velocity of what moves as prescribed: U = H v - drive
  double *before;  ///< U with the velocities at the beginning of the step
  double *free;    ///< U with those that the forces of the step give
  double *after;   ///< U with the impulses
  double *w;       ///< added to U before the law holds; e U_N(before) where a contact bounces
  double *r;       ///< impulses, N s
  double *guess;   ///< those the solver begins from
  double *rise;    ///< [count] of the energy that the contacts store; NULL: none
} stc_step_rows;

static inline int stc_step_size(const stc_step_rows *rows) { return rows->count * rows->dim; }

/// A power of two near the mass that the contacts feel, given the sum `kappa` of H_ij^2 / M_jj over
/// all rows: with it as the unit of mass tolerances do not depend on whether kilograms or tonnes
/// are given, and no number is rounded.
double stc_unit_of_mass(int rows, double kappa);

/// Why a step is not taken.
typedef struct stc_refusal {
  long step;
  double time;
  const char *where;  ///< "at walls 1, 2", "of 'a' on 'b'"
  stc_status status;
  double eta;
  const char *proof;   ///< what is known of the existence of a solution; ""
  const char *remedy;  ///< unless the caller asked to stop
} stc_refusal;

void stc_step_explain(const stc_refusal *why, char *reason, size_t size);

#endif
