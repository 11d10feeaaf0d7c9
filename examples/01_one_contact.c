// One contact, three answers: a block on a table is pushed harder and harder.
//   u = W r + q,  W = 1/m,  q = velocity without friction;  r_N, u_N: normal; r_T, u_T: tangent.
// A block of 2 kg that falls at 0.1 m/s onto the table needs the impulse r_N = 0.2 N s to stop, and
// friction can hold a sideways speed of mu * 0.1 m/s: below it sticks, above it slips.
#include <stdio.h>
#include <stiction/stiction.h>

static const double MASS = 2, MU = 0.5;

static stc_error create(stc_problem **problem) {
  const int row[] = {0, 1}, col[] = {0, 1};
  const double inverse_mass[] = {1 / MASS, 1 / MASS}, q[] = {0, 0};
  return stc_problem_create_local(
      &(stc_local_data){.dim = 2,
                        .contacts = 1,
                        .W = {2, 2, 2, STC_STORAGE_TRIPLET, .p = col, .i = row, .x = inverse_mass},
                        .q = q,
                        .mu = &MU},
      problem);
}

static stc_error try_one(stc_solver *solver, double normal, double tangential) {
  double r[2] = {0}, u[2];
  const double q[] = {normal, tangential};
  stc_info info;
  stc_error error = stc_solver_update(solver, &(stc_update){.q = q});
  if (!error) error = stc_solver_solve(solver, &(stc_solution){.r = r, .u = u}, &info);
  if (error) return error;
  const char *state = info.residual.open ? "lifts off" : info.residual.stick ? "sticks" : "slips";
  printf("arrives at (%5.2f, %4.2f) m/s: %-9s  r = (%4.2f, %5.2f) N s, leaves at (%4.2f, %4.2f)\n",
         normal, tangential, state, r[0], r[1], u[0], u[1]);
  return STC_OK;
}

int main(void) {
  stc_problem *problem = NULL;
  stc_solver *solver = NULL;
  stc_settings settings = stc_default_settings();
  stc_error error = create(&problem);
  if (!error) error = stc_solver_setup(&solver, problem, &settings);
  const double speed[][2] = {{-0.1, 0.02}, {-0.1, 0.05}, {-0.1, 0.2}, {0.05, 0.2}};
  for (int k = 0; !error && k < 4; k++) error = try_one(solver, speed[k][0], speed[k][1]);
  if (error) fprintf(stderr, "%s: %s\n", stc_error_text(error), stc_error_detail());
  stc_solver_free(&solver);
  stc_problem_free(&problem);
  return error ? 1 : 0;
}
