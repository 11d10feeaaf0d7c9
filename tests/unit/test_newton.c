// newton near a solution: redundant contacts whose statuses are wrong although hardly anything is
// left of the residual.
#include "samples.h"

#include <stiction/solve.h>

enum { CORNERS = 4, SIZE = 3 * CORNERS, DOFS = 6 };

// A box lands on its four corners while it slides and spins. The floor is out of plane by `gap`:
// w_N = gap x y at the corners, which no motion of the box follows. The reactions +1, -1, -1, +1
// along N move the box by nothing but their friction, so that any share of them leaves a residual
// of the size of gap; one corner has to open, with u_N = 4 |gap|.
static void land(double gap, double *f, double *w) {
  const double v[DOFS] = {3, 0.5, -1, 0.1, -0.2, 0.4};
  for (int k = 0; k < DOFS; k++) f[k] = (k < 3 ? -2 : -4) * v[k];
  memset(w, 0, SIZE * sizeof *w);
  for (int c = 0; c < CORNERS; c++) w[3 * c] = (c == 0 || c == 3 ? gap : -gap);
}

static void expect_landing(double gap) {
  stc_problem *box = sample_boxes(1);
  double f[DOFS], w[SIZE], r[SIZE] = {0}, u[SIZE];
  stc_settings settings = stc_default_settings();
  stc_solver *solver = NULL;
  stc_info info;
  int open = -1, opens = 0;
  settings.method = "newton";
  settings.tol = 1e-14;
  land(gap, f, w);
  expect_ok(stc_solver_setup(&solver, box, &settings));
  expect_ok(stc_solver_update(solver, &(stc_update){.f = f, .w = w}));
  expect_ok(stc_solver_solve(solver, &(stc_solution){.r = r, .u = u}, &info));
  assert_int_equal(info.status, STC_STATUS_SOLVED);
  for (int c = 0; c < CORNERS; c++)
    if (r[3 * c] == 0) open = c, opens++;
  assert_int_equal(opens, 1);
  // tol is relative to velocities of about 4
  expect_near(u[3 * open], 4 * fabs(gap), fmax(1e-3 * fabs(gap), 10 * settings.tol));
  stc_solver_free(&solver);
  stc_problem_free(&box);
}

static void a_corner_opens_by_any_gap(void **state) {
  for (int k = 3; k <= 12; k++) {
    expect_landing(pow(10, -k));
    expect_landing(-pow(10, -k));
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_corner_opens_by_any_gap),
  };
  return cmocka_run_group_tests_name("newton", tests, NULL, NULL);
}
