// How far a state is from small strain: the largest principal strain of (D + D^T)/2 and the angle
// of the rotation R in I + D = R U, with D the displacement gradient at the points of all cells.
// R is the limit of X <- (X + X^-T)/2 from I + D   [Higham 1986].
#include "../../base/vec3.h"
#include "../../linalg/small.h"
#include "solid_data.h"

#include <math.h>
#include <string.h>

enum {
  MAX_POLAR = 60
};  // halvings of the largest singular value before it converges quadratically

/// R is the nearest rotation to I + D, so |R - I| <= 2 |D|, and the angle is at most this times
/// |D|.
static const double ANGLE_PER_GRADIENT = 2.2215;

static const double pi = 3.14159265358979323846;

static double principal_strain(const double D[9]) {
  double E[9], value[3], vector[9];
  for (int i = 0; i < 3; i++)
    for (int j = 0; j < 3; j++) E[3 * i + j] = D[3 * i + j] / 2 + D[3 * j + i] / 2;
  stc_small_eigen(3, E, value, vector);
  return fmax(fabs(value[0]), fabs(value[2]));
}

static double rotation_angle(const double D[9]) {
  double X[9], C[9], det = 1;
  for (int i = 0; i < 9; i++) X[i] = D[i] + (i % 4 == 0);
  for (int k = 0; k < MAX_POLAR; k++) {
    double change = 0;
    det = stc_cofactors3(X, C);
    if (!(det > 0)) return pi;
    for (int i = 0; i < 9; i++) {
      double next = (X[i] + C[i] / det) / 2;
      change = fmax(change, fabs(next - X[i]));
      X[i] = next;
    }
    if (change < 1e-15) break;
  }
  double axis = hypot(hypot(X[7] - X[5], X[2] - X[6]), X[3] - X[1]);
  return atan2(axis, X[0] + X[4] + X[8] - 1);
}

stc_deformation stc_solid_deformation(const stc_solid *s) {
  stc_deformation most = {.strain_cell = -1, .rotation_cell = -1};
  double x[STC_CELL_MAX_DOFS], u[STC_CELL_MAX_DOFS], D[9];
  for (int k = 0; k < s->cells; k++) {
    stc_solid_gather(s, k, s->mesh->x, x);
    stc_solid_gather(s, k, s->u, u);
    for (int q = 0; q < stc_solid_table(s, k)->rule.points; q++) {
      const stc_table *t = stc_solid_table(s, k);
      stc_point p;
      stc_point_at(t, q, x, &s->measure, &p);
      memset(D, 0, 9 * sizeof *D);
      for (int a = 0; a < t->nodes; a++) {
        for (int i = 0; i < s->dim; i++)
          for (int j = 0; j < s->dim; j++) D[3 * i + j] += u[a * s->dim + i] * p.grad[a][j];
        if (s->measure.axisymmetric) D[8] += p.hoop[a] * u[a * s->dim];
      }
      int cell = s->cell[k];
      double sum = 0;
      for (int i = 0; i < 9; i++) sum += D[i] * D[i];
      double size = sqrt(sum);
      double strain = size > most.strain ? principal_strain(D) : 0;
      double angle = ANGLE_PER_GRADIENT * size > most.rotation ? rotation_angle(D) : 0;
      if (strain > most.strain) most.strain = strain, most.strain_cell = cell;
      if (angle > most.rotation) most.rotation = angle, most.rotation_cell = cell;
    }
  }
  return most;
}
