// The joints of quick flights where all of them only say that points meet: levers, gaps, rates and
// wrenches by padded columns.
#ifndef STC_DYNAMICS_POINT_JOINTS_H
#define STC_DYNAMICS_POINT_JOINTS_H

#include "flight.h"

/// Levers at an end of the flight, from the columns of the moving bodies there; centres too at its
/// end, with the gaps [rows]. Returns the largest entry of these.
double stc_points_arrive(const stc_flight *f, int end, double *gap);

/// The wrenches that the multipliers x [rows] make at an end: pushes at its beginning, stops where
/// it ends.
void stc_points_pull(const stc_mechanism *m, int end, const double *x);

/// Rates [rows] at the end; returns the largest.
double stc_points_rates(const stc_mechanism *m, double *rate);

#endif
