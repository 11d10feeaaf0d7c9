// A layer of sand or of rock joints is sheared under a load: Mohr–Coulomb's cone for (p, deviator)
// with another angle of dilatancy, which is (4) of Moreau 1986 for a flow that is not associated.
//   p = mean pressure,  |deviator| <= p sin(phi),   volume rate = sin(psi) |shear rate|
// A layer that cannot stretch sideways yields at [Davis 1968]
//   tau / sigma = sin(phi) cos(psi) / (1 - sin(phi) sin(psi)).
#include <math.h>
#include <stdio.h>

#include <stiction/stiction.h>

static int fail(void) {
  fprintf(stderr, "%s\n", stc_error_detail());
  return 1;
}

/// The velocity (shear, normal) after 1 s of the load `tau` beside the pressure 1, on a mass of 1.
static int shear(double phi, double psi, double tau, double v[2]) {
  // u = H v: volume rate, difference of normal rates, shear rate. f = minus the impulse of the
  // load.
  const int m_row[] = {0, 1, 2}, m_col[] = {0, 1}, h_row[] = {0, 1, 2, 3}, h_col[] = {1, 1, 0};
  const double M[] = {1, 1}, H[] = {1, -1, 1}, f[] = {-tau, 1}, w[] = {0, 0, 0};
  stc_law law = stc_law_coulomb(3, sin(phi));
  law.dilatancy = sin(psi) / sin(phi);
  stc_global_data data = {.dim = 3, .contacts = 1, .dofs = 2, .f = f, .w = w, .law = &law};
  data.M = (stc_matrix){2, 2, 2, STC_STORAGE_CSR, m_row, m_col, M};
  data.H = (stc_matrix){3, 2, 3, STC_STORAGE_CSR, h_row, h_col, H};
  stc_problem *problem = NULL;
  stc_solver *solver = NULL;
  stc_settings settings = stc_default_settings();
  stc_info info = {.status = STC_STATUS_STALLED};
  double r[3] = {0};
  settings.tol = 1e-12;
  stc_error error = stc_problem_create_global(&data, &problem);
  if (!error) error = stc_solver_setup(&solver, problem, &settings);
  if (!error) error = stc_solver_solve(solver, &(stc_solution){.r = r, .v = v}, &info);
  stc_solver_free(&solver);
  stc_problem_free(&problem);
  return error ? fail() : info.status != STC_STATUS_SOLVED;
}

int main(void) {
  const double degree = acos(-1.0) / 180, phi = 35 * degree;
  printf("psi, deg   yields at   Davis      opening / shear   tan psi\n");
  for (int psi = 0; psi <= 35; psi += 7) {
    double low = 0, high = 1, v[2];
    for (int step = 0; step < 40; step++) {
      double tau = 0.5 * (low + high);
      if (shear(phi, psi * degree, tau, v)) return 1;
      *(v[0] > 1e-9 ? &high : &low) = tau;
    }
    if (shear(phi, psi * degree, 1, v)) return 1;
    double davis = sin(phi) * cos(psi * degree) / (1 - sin(phi) * sin(psi * degree));
    printf("%8d  %.8f  %.8f  %.8f        %.8f\n", psi, low, davis, v[1] / v[0], tan(psi * degree));
    if (fabs(low - davis) > 1e-6 || fabs(v[1] - v[0] * tan(psi * degree)) > 1e-9) return 1;
  }
  return 0;
}
