// Contact patch test: a uniform pressure passes an interface of meshes that do not match, exactly,
// for every cell and every kinematics.
#include "contact_support.h"

// Pressure 10 on top, no friction, sides free to bulge alike: the stress is -10 along the last
// axis everywhere (and nu times that across in plane strain), whatever the meshes.
static double stress_error(const model *m, double p) {
  double worst = 0;
  for (int c = 0; c < m->mesh->cells; c++) {
    if (stc_cell_dim(m->mesh->type[c]) != m->dim) continue;
    double stress[6], expected[6] = {0}, alpha;
    expected[m->dim - 1] = -p;
    if (m->description.kinematics == STC_PLANE_STRAIN) expected[2] = -0.3 * p;
    stc_fem_stress(m->fem, c, stress, &alpha);
    for (int i = 0; i < 6; i++) worst = fmax(worst, fabs(stress[i] - expected[i]) / p);
  }
  return worst;
}

static double pressure_error(const model *m, double p) {
  double worst = 0;
  for (int k = 0; k < stc_fem_contacts(m->fem, 0); k++) {
    stc_fem_contact_point point;
    stc_fem_contact(m->fem, 0, k, &point);
    worst = fmax(worst, fabs(point.pressure - p) / p);
  }
  return worst;
}

static void hold(model *m) {
  const stc_given still = {0};
  support(m, base_of(m->dim, false), m->dim - 1, still);
  support(m, "lower.s0", 0, still);
  support(m, "upper.s0", 0, still);
  if (m->dim == 3) {
    support(m, "lower.t0", 1, still);
    support(m, "upper.t0", 1, still);
  }
}

static void expect_patch(stc_cell_type type, stc_kinematics kinematics, int below, int above,
                         double skew) {
  model m;
  stack_blocks(&m, type, kinematics, below, above, skew);
  hold(&m);
  traction(&m, top_of(m.dim, true), -1, 10);
  create(&m);
  advance(&m, 1);
  double stress = stress_error(&m, 10), pressure = pressure_error(&m, 10);
  if (stress > 1e-10 || pressure > 1e-10)
    print_error("%s, kinematics %d, %d on %d cells: %g %g\n", stc_cell_name(type), (int)kinematics,
                above, below, stress, pressure);
  assert_true(stress <= 1e-10 && pressure <= 1e-10);
  assert_true(m.report.penetration < 1e-12);
  free_model(&m);
}

static void plane_cells_pass(void **state) {
  static const stc_cell_type types[] = {STC_CELL_T3, STC_CELL_Q4, STC_CELL_T6, STC_CELL_Q8};
  static const int cells[][2] = {{3, 3}, {3, 4}, {5, 2}};
  for (int t = 0; t < 4; t++)
    for (int k = 0; k < 3; k++)
      for (int skew = 0; skew < 2; skew++) {
        expect_patch(types[t], STC_PLANE_STRAIN, cells[k][0], cells[k][1], 0.1 * skew);
        expect_patch(types[t], STC_PLANE_STRESS, cells[k][0], cells[k][1], 0.1 * skew);
        expect_patch(types[t], STC_AXISYMMETRIC, cells[k][0], cells[k][1], 0.1 * skew);
      }
}

// Quadrilateral faces that are bent in their plane have shape functions that no polynomial rule
// integrates; four triangles do.
static void solid_cells_pass(void **state) {
  static const int cells[][2] = {{2, 2}, {2, 3}, {4, 3}};
  for (int k = 0; k < 3; k++)
    for (int skew = 0; skew < 2; skew++) {
      expect_patch(STC_CELL_T4, STC_SOLID, cells[k][0], cells[k][1], 0.15 * skew);
      expect_patch(STC_CELL_H8, STC_SOLID, cells[k][0], cells[k][1], 0.15 * skew);
    }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(plane_cells_pass),
      cmocka_unit_test(solid_cells_pass),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
