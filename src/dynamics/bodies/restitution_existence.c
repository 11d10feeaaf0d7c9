// Whether a step with restitution has a solution: it does if some velocity v has
//   u = H v - drive + w in the interior of K*, u_N > mu |u_T| at every contact,
// which the velocities at hand often show; where they do not, the criterion is tried in full.
// Newton's rule alone, w_N = e U_N(before) < 0, may leave no solution.
#include "../../linalg/small.h"
#include "../restitution.h"
#include "../soft/soft_contacts.h"
#include "../step/step_problem.h"

// How far inside K* the witness is to be, against the sum of the magnitudes of the terms of u, and
// how much larger than zero the pivots of a block of M, against its trace. A row has at most 14
// terms, so that u is computed within 14 eps = 3e-15 of that sum and a pivot of a 3 x 3 block
// within less: what the margin shows in double precision holds for the numbers of the problem as
// well.
static const double MARGIN = 1e-12;  // [rounding]

/// No r_T of the law is longer than this times r_N.
static double bound_of_friction(const stc_law *law) {
  double side[2] = {0, 0};
  if (law->kind != STC_LAW_SECTION) return fmax(law->mu[0], law->mu[1]);
  for (int k = 0; k < 4 && k < 2 * (law->dim - 1); k++) {
    double d[2] = {0, 0};
    d[k / 2] = k % 2 ? -1 : 1;
    side[k / 2] = fmax(side[k / 2], stc_cone_section_reach(law->section, d, NULL));
  }
  return law->mu[0] * hypot(side[0], side[1]);
}

/// The velocities `speed` [dofs], times `factor`, are a witness; the slack bodies of contacts that
/// yield may be as fast as it takes.
static bool is_witness(stc_world *world, stc_speed speed, double factor) {
  const double *v = STC_SPEED(world, speed), *w = STC_ROW(world, STC_ROW_W),
               *drive = STC_ROW(world, STC_ROW_DRIVE);
  const stc_body_matrix *H = &world->H.view;
  for (int c = 0; c < world->count; c++) {
    if (stc_contact_yields(&STC_CONTACT_PAIRS(world)[c])) continue;
    double normal = 0, across = 0, terms = 0;
    double mu = bound_of_friction(&STC_CONTACT_PAIRS(world)[c].law);
    for (int row = c * world->dim; row < (c + 1) * world->dim; row++) {
      double u = w[row] - drive[row];
      terms += fabs(w[row]) + fabs(drive[row]);
      for (int e = 0; e < 2 * H->width; e++) {
        int body = H->rows.body[2 * c + e / H->width], l = e % H->width;
        if (body < 0) continue;
        double term =
            factor * stc_body_row(H, row, e / H->width)[l * H->dim] * v[body * H->width + l];
        u += term;
        terms += fabs(term);
      }
      if (row == c * world->dim)
        normal = u;
      else
        across = hypot(across, u);
    }
    if (!(normal - mu * across > MARGIN * (1 + mu) * terms)) return false;
  }
  return true;
}

/// Masses are positive; the tensors of inertia, which are computed, are to be definite as they are.
static bool mass_is_definite(const stc_world *world) {
  int width = stc_body_dofs(world);
  const double *M = world->mass.data;
  for (int b = 0; width == 6 && b < world->dofs / width; b++, M += width * width) {
    double A[9];
    for (int k = 0; k < 9; k++) A[k] = M[(3 + k / 3) * width + 3 + k % 3];
    if (stc_small_cholesky(3, A, MARGIN * (A[0] + A[4] + A[8])) >= 0) return false;
  }
  return true;
}

/// Velocities that joints allow up to rounding only are not a witness.
static bool has_witness(stc_world *world) {
  if (world->equalities > 0 || !mass_is_definite(world)) return false;
  if (is_witness(world, STC_SPEED_AFTER, 1)) return true;
  return is_witness(world, STC_SPEED_BEFORE, -1) || is_witness(world, STC_SPEED_BEFORE, -4);
}

int stc_world_certified(const stc_world *world) {
  return world->settings.budget > 0 ? STC_DECIDED_CONTACTS : world->settings.solver.part.most;
}

stc_verdict stc_world_existence(stc_world *world) {
  stc_certificate *certificate = NULL;
  if (world->dim != (world->settings.plane ? 2 : 3)) return STC_VERDICT_UNDECIDED;
  if (has_witness(world)) return STC_VERDICT_EXISTS;
  if (world->count > stc_world_certified(world) || stc_step_pose(world) ||
      stc_step_certify(world->problem, &certificate))
    return STC_VERDICT_UNDECIDED;
  stc_verdict verdict = certificate ? stc_certificate_verdict(certificate) : STC_VERDICT_UNDECIDED;
  stc_certificate_free(&certificate);
  return verdict;
}
