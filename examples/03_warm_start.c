// A time loop in small: a brick wall is tilted step by step. The structure of the problem does not
// change, so one solver is updated with new loads, and each solve starts from the last reactions.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <stiction/stiction.h>

enum { STEPS = 11 };

// Turns the weights in f (three forces, three moments per brick) by an angle about the y axis.
static void tilt(const double *upright, int dofs, double angle, double *f) {
  for (int k = 0; k < dofs; k += 6) {
    double weight = upright[k + 2];  // f = -impulse: positive along z for a downward weight
    for (int i = 0; i < 6; i++) f[k + i] = 0;
    f[k] = -weight * sin(angle);
    f[k + 2] = weight * cos(angle);
  }
}

static stc_error sequence(stc_solver *solver, const stc_problem *wall, double *r, double *f) {
  int size = stc_problem_size(wall), dofs = stc_problem_dofs(wall);
  const double *upright = stc_problem_bodies_data(wall).f;
  printf("%5s  %10s  %10s   open stick  slip\n", "tilt", "cold", "warm");
  for (int k = 0; k < STEPS; k++) {
    double angle = 0.01 * k;
    stc_info warm, cold;
    double *zero = calloc((size_t)size, sizeof *zero);
    tilt(upright, dofs, angle, f);
    stc_error error = stc_solver_update(solver, &(stc_update){.f = f});
    if (!error) error = stc_solver_solve(solver, &(stc_solution){.r = zero}, &cold);
    if (!error) error = stc_solver_solve(solver, &(stc_solution){.r = r}, &warm);
    free(zero);
    if (error) return error;
    printf("%5.2f  %4ld steps  %4ld steps  %5d %5d %5d  %s\n", angle, cold.iterations,
           warm.iterations, warm.residual.open, warm.residual.stick, warm.residual.slip,
           stc_status_name(warm.status));
  }
  return STC_OK;
}

int main(void) {
  stc_generator options = stc_default_generator("wall");
  options.n = 4;
  options.n2 = 3;
  options.disorder = 0;
  options.param = 0;
  options.mu = 0.4;
  stc_problem *wall = NULL;
  stc_solver *solver = NULL;
  stc_settings settings = stc_default_settings();
  settings.method = "newton";
  stc_error error = stc_generate(&options, &wall);
  if (!error) error = stc_solver_setup(&solver, wall, &settings);  // allocates; the loop does not
  double *r = NULL, *f = NULL;
  if (!error) {
    r = calloc((size_t)stc_problem_size(wall), sizeof *r);
    f = calloc((size_t)stc_problem_dofs(wall), sizeof *f);
    error = sequence(solver, wall, r, f);
  }
  if (error) fprintf(stderr, "%s: %s\n", stc_error_text(error), stc_error_detail());
  free(r);
  free(f);
  stc_solver_free(&solver);
  stc_problem_free(&wall);
  return error ? 1 : 0;
}
