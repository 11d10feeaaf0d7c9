// The set C of Coulomb–Contensou friction, given by its support function, the potential D(v, w) of
// a Hertz patch that slides with v and spins with w: its boundary and the projections on it.
#ifndef STC_LAW_CONTENSOU_CURVE_H
#define STC_LAW_CONTENSOU_CURVE_H

/// The point (F, M) of the boundary of C with the outward normal (v, w).
typedef struct stc_contensou_point {
  double F, M;
  double bend;  ///< radius of curvature of the boundary there
} stc_contensou_point;

/// v, w >= 0, not both 0; only their ratio counts. D(v, w) = v F + w M.
stc_contensou_point stc_contensou_at(double v, double w);

/// Where a projection on { y_N (scale[0] F, scale[1] M) : (F, M) in C } meets the boundary.
typedef struct stc_contensou_foot {
  double y_N, y[2];
  double normal[2];  ///< unit outward normal inside the section y_N
  double depth;      ///< (x - y) . normal; <= 0: x belongs to the set already
  double bend;       ///< radius of curvature of the section
} stc_contensou_foot;

/// Projection of x >= 0 on the section at y_N > 0.
stc_contensou_foot stc_contensou_section(const double scale[2], double y_N, const double x[2]);

/// Projection of (x_N, x), x >= 0, on the cone of all sections y_N >= 0; (x_N, x) does not belong
/// to the polar cone.
stc_contensou_foot stc_contensou_cone(const double scale[2], double x_N, const double x[2]);

#endif
