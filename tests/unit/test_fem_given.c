// What is given to solids: masses, loads and supports summed by hand; descriptions that do not fit
// are refused by name.
#include "fem_support.h"

// --- Mass ---

static void masses_sum_to_the_mass_of_the_body(void **state) {
  for (int k = 0; k < CASES; k++) {
    sample s;
    make_sample(&s, k, &steel);
    // The unit square or cube; turned about the axis a cylinder of radius 1 and height 1.
    double want = 7.8 * (cases[k].kinematics == STC_AXISYMMETRIC ? acos(-1) : 1);
    const stc_csr *pattern = stc_solid_pattern(s.solid);
    stc_csr M = *pattern;
    M.val = vector(stc_csr_entries(pattern));
    double *ones = vector(s.size), *row = vector(s.size);
    int dim = s.mesh->dim;
    expect_ok(stc_solid_mass(s.solid, M.val));
    for (int i = 0; i < s.size; i += dim) ones[i] = 1;
    stc_csr_multiply(&M, ones, 0, row);
    double consistent = 0;
    for (int i = 0; i < s.size; i++) {
      if (i % dim) expect_near(row[i], 0, 0);  // directions are not coupled
      consistent += row[i];
    }
    expect_near(consistent, want, 1e-12);
    test_free(M.val), test_free(ones), test_free(row);
    free_sample(&s);
  }
}

/// x and y coordinates as velocities: the consistent mass gives the second moment, 1/3 of the mass
/// of the unit square, on straight cells.
static void consistent_mass_is_exact_on_straight_cells(void **state) {
  for (int k = 0; k < CASES; k++) {
    if (cases[k].kinematics == STC_AXISYMMETRIC) continue;
    stc_mesh *mesh = plain_grid(cases[k].type, 3, 3, 3);
    const stc_body body = {.group = "b", .material = steel};
    stc_fem_description d = describe(mesh, cases[k].kinematics, &body);
    stc_solid *solid = make_solid(&d);
    stc_csr M = *stc_solid_pattern(solid);
    M.val = vector(stc_csr_entries(&M));
    double *v = vector(M.rows), *p = vector(M.rows), moment = 0;
    expect_ok(stc_solid_mass(solid, M.val));
    for (int a = 0; a < mesh->nodes; a++) v[a * mesh->dim] = mesh->x[a * mesh->dim];
    stc_csr_multiply(&M, v, 0, p);
    for (int i = 0; i < M.rows; i++) moment += v[i] * p[i];
    expect_near(moment, 7.8 / 3, 1e-13);
    test_free(M.val), test_free(v), test_free(p);
    stc_solid_free(&solid), stc_mesh_free(&mesh);
  }
}

static void mass_needs_density(void **state) {
  sample s;
  const stc_material light = {.young = 1};
  make_sample(&s, 6, &light);
  double *mass = vector(stc_csr_entries(stc_solid_pattern(s.solid)));
  expect_failure(stc_solid_mass(s.solid, mass), STC_ERR_VALUE, "body 0 has density 0");
  test_free(mass);
  free_sample(&s);
}

// --- Loads ---

static double sum_component(const double *F, int size, int dim, int component) {
  double sum = 0;
  for (int i = component; i < size; i += dim) sum += F[i];
  return sum;
}

static void body_forces_sum_to_the_weight(void **state) {
  for (int k = 0; k < CASES; k++) {
    sample s;
    make_sample(&s, k, &steel);
    s.body.force[1] = -2;
    s.description.thickness = 0.5;  // counts in the plane only
    stc_solid_free(&s.solid);
    s.solid = make_solid(&s.description);
    double *F = vector(s.size), volume = cases[k].kinematics == STC_SOLID ? 1 : 0.5;
    if (cases[k].kinematics == STC_AXISYMMETRIC) volume = acos(-1);
    expect_ok(stc_solid_load(s.solid, 0, F));
    expect_near(sum_component(F, s.size, s.mesh->dim, 0), 0, 1e-14);
    expect_near(sum_component(F, s.size, s.mesh->dim, 1), -2 * volume, 1e-12);
    test_free(F);
    free_sample(&s);
  }
}

static bool rising(void *user, double t, const double *x, double *value) {
  *value = t * x[1];
  return true;
}

static bool refuse(void *user, double t, const double *x, double *value) { return false; }

static void pressures_push_inward(void **state) {
  for (int k = 0; k < CASES; k++) {
    sample s;
    make_sample(&s, k, &steel);
    // p = t y on the side x = 1, t = 3: the force -3/2 along x; about the axis on a strip of
    // length 2 pi.
    const stc_traction pressure = {"b.s1", -1, {.function = rising}};
    s.description.tractions = 1, s.description.traction = &pressure;
    stc_solid_free(&s.solid);
    s.solid = make_solid(&s.description);
    double *F = vector(s.size), length = cases[k].kinematics == STC_AXISYMMETRIC ? 2 * acos(-1) : 1;
    expect_ok(stc_solid_load(s.solid, 3, F));
    expect_near(sum_component(F, s.size, s.mesh->dim, 0), -1.5 * length, 1e-13);
    expect_near(sum_component(F, s.size, s.mesh->dim, 1), 0, 1e-13);
    for (int i = 0; i < s.size; i++)
      if (s.mesh->x[i / s.mesh->dim * s.mesh->dim] < 0.99) expect_near(F[i], 0, 0);
    test_free(F);
    free_sample(&s);
  }
}

/// A surface whose cells are listed the wrong way round is pushed inward all the same.
static void pressure_does_not_trust_the_order_of_nodes(void **state) {
  const double x[] = {0, 0, 1, 0, 1, 1, 0, 1};
  const unsigned char type[] = {STC_CELL_Q4, STC_CELL_L2};
  const int ptr[] = {0, 4, 6}, node[] = {0, 1, 2, 3, 2, 1}, cell[] = {0, 1};
  const stc_group group[] = {{"b", 2, 1, cell}, {"right", 1, 1, cell + 1}};
  const stc_mesh mesh = {2, 4, x, 2, type, ptr, node, 2, group};
  const stc_body body = {.group = "b", .material = steel};
  const stc_traction pressure = {"right", -1, {.value = 4}};
  stc_fem_description d = describe(&mesh, STC_PLANE_STRAIN, &body);
  d.tractions = 1, d.traction = &pressure;
  stc_solid *solid = make_solid(&d);
  double F[8];
  expect_ok(stc_solid_load(solid, 0, F));
  const double want[8] = {0, 0, -2, 0, -2, 0, 0, 0};
  for (int i = 0; i < 8; i++) expect_near(F[i], want[i], 1e-15);
  stc_solid_free(&solid);
}

// --- Supports ---

static void supports_give_marks_and_values(void **state) {
  sample s;
  make_sample(&s, 6, &steel);  // Q4, 3 x 3 nodes
  const stc_support support[] = {{"b.s0", 0, {.value = 0}}, {"b.t0", 1, {.function = rising}}};
  s.description.supports = 2, s.description.support = support;
  stc_solid_free(&s.solid);
  s.solid = make_solid(&s.description);
  bool fixed[18];
  double value[18];
  expect_ok(stc_solid_supports(s.solid, 2, fixed, value));
  for (int i = 0; i < 18; i++) {
    bool left = fabs(s.mesh->x[i / 2 * 2]) < 1e-12, low = fabs(s.mesh->x[i / 2 * 2 + 1]) < 1e-12;
    assert_int_equal(fixed[i], i % 2 ? low : left);
    expect_near(value[i], 0, 0);  // t y with y = 0
  }
  free_sample(&s);
}

static void supports_that_contradict_are_named(void **state) {
  sample s;
  make_sample(&s, 6, &steel);
  stc_support support[] = {{"b.s0", 0, {.value = 0}}, {"b.t0", 0, {.value = 0.5}}};
  s.description.supports = 2, s.description.support = support;
  stc_solid_free(&s.solid);
  s.solid = make_solid(&s.description);
  bool fixed[18];
  double value[18];
  expect_failure(stc_solid_supports(s.solid, 0, fixed, value), STC_ERR_VALUE,
                 "node 0: 'b.s0' asks for the displacement 0 along x and 'b.t0' for 0.5");
  stc_solid_free(&s.solid);
  support[1].displacement = (stc_given){.value = NAN};
  s.solid = make_solid(&s.description);
  expect_failure(stc_solid_supports(s.solid, 0, fixed, value), STC_ERR_VALUE, "it must be finite");
  stc_solid_free(&s.solid);
  support[1].displacement = (stc_given){.function = refuse};
  s.solid = make_solid(&s.description);
  expect_failure(stc_solid_supports(s.solid, 4, fixed, value), STC_ERR_CALLBACK,
                 "the displacement on 'b.t0': its function stopped at t = 4");
  free_sample(&s);
}

static void the_axis_stays_in_its_place(void **state) {
  sample s;
  make_sample(&s, 8, &steel);  // Q4 about the axis, no supports
  bool fixed[18];
  double value[18];
  expect_ok(stc_solid_supports(s.solid, 0, fixed, value));
  for (int i = 0; i < 18; i++) assert_int_equal(fixed[i], i % 2 == 0 && s.mesh->x[i] == 0);
  const stc_support pulled = {"b.s0", 0, {.value = 0.1}};
  s.description.supports = 1, s.description.support = &pulled;
  stc_solid_free(&s.solid);
  s.solid = make_solid(&s.description);
  expect_failure(stc_solid_supports(s.solid, 0, fixed, value), STC_ERR_VALUE,
                 "'b.s0' asks for the displacement 0.1 along x and 'the axis of symmetry' for 0");
  free_sample(&s);
}

// --- Descriptions that do not fit ---

static void expect_refusal(const stc_fem_description *d, stc_error code, const char *words) {
  stc_solid *solid = NULL;
  expect_failure(stc_solid_create(d, 1, &solid), code, words);
  assert_null(solid);
}

static void wrong_bodies_are_named(void **state) {
  sample s;
  make_sample(&s, 6, &steel);
  stc_fem_description good = s.description, d = good;
  d.kinematics = STC_SOLID;
  expect_refusal(&d, STC_ERR_DIMENSION, "the mesh has dimension 2; a solid needs 3");
  d = good, d.mesh = NULL;
  expect_refusal(&d, STC_ERR_ARGUMENT, "no mesh");
  d = good, d.bodies = 0;
  expect_refusal(&d, STC_ERR_ARGUMENT, "no body");
  d = good, d.thickness = -1;
  expect_refusal(&d, STC_ERR_VALUE, "thickness = -1");
  stc_body twice[] = {s.body, s.body}, wrong = s.body;
  d = good, d.bodies = 2, d.body = twice;
  expect_refusal(&d, STC_ERR_VALUE, "cell 0 belongs to two bodies, 0 ('b') and 1 ('b')");
  d = good, d.body = &wrong, wrong.group = "b.s0";
  expect_refusal(&d, STC_ERR_DIMENSION, "body 0: group 'b.s0' has dimension 1");
  wrong.group = "c";
  expect_refusal(&d, STC_ERR_ARGUMENT, "body 0: the mesh has no group 'c'");
  wrong.group = NULL;
  expect_refusal(&d, STC_ERR_ARGUMENT, "body 0: the name of its group is NULL");
  wrong = s.body, wrong.force[0] = INFINITY;
  expect_refusal(&d, STC_ERR_VALUE, "body 0 ('b'): force 0 is inf");
  stc_mesh *other = plain_grid(STC_CELL_Q4, 2, 2, 0), *both;
  stc_mesh renamed = *other;
  const stc_group part = {"other", 2, 1, (const int[]){0}};
  renamed.groups = 1, renamed.group = &part;
  expect_ok(stc_mesh_join(2, (const stc_mesh *[]){s.mesh, &renamed}, &both));
  d = good, d.mesh = both;
  expect_refusal(&d, STC_ERR_VALUE, "(Q4) belongs to no body; name its group in a body");
  stc_mesh_free(&both), stc_mesh_free(&other);
  free_sample(&s);
}

static bool shift_left(void *user, const double *s, double *x) {
  x[0] = s[0] - 0.5, x[1] = s[1];
  return true;
}

static void wrong_supports_and_loads_are_named(void **state) {
  sample s;
  make_sample(&s, 6, &steel);
  stc_fem_description good = s.description, d = good;
  stc_support support = {"b.s0", 2, {.value = 0}};
  d.supports = 1, d.support = &support;
  expect_refusal(&d, STC_ERR_VALUE, "support 0 on 'b.s0': component 2; it must lie in 0..1");
  support = (stc_support){"b.s9", 0, {.value = 0}};
  expect_refusal(&d, STC_ERR_ARGUMENT, "support 0: the mesh has no group 'b.s9'; did you mean");
  stc_traction traction = {"b", 0, {.value = 0}};
  d = good, d.tractions = 1, d.traction = &traction;
  expect_refusal(&d, STC_ERR_DIMENSION, "traction 0: group 'b' has dimension 2; a surface");
  traction = (stc_traction){"b.s0", -2, {.value = 0}};
  expect_refusal(&d, STC_ERR_VALUE, "component -2");
  traction = (stc_traction){"b.s0", 0, {.value = NAN}};
  stc_solid *solid = make_solid(&d);
  double F[18];
  expect_failure(stc_solid_load(solid, 0, F), STC_ERR_VALUE, "the traction on 'b.s0' is");
  stc_solid_free(&solid);
  free_sample(&s);
  stc_grid grid = {.type = STC_CELL_Q4, .count = {2, 2}, .body = "b", .map = shift_left};
  stc_mesh *mesh;
  expect_ok(stc_mesh_grid(&grid, &mesh));
  d = describe(mesh, STC_AXISYMMETRIC, &s.body);
  expect_refusal(&d, STC_ERR_VALUE, "node 0 lies at radius -0.5");
  stc_mesh_free(&mesh);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(masses_sum_to_the_mass_of_the_body),
      cmocka_unit_test(consistent_mass_is_exact_on_straight_cells),
      cmocka_unit_test(mass_needs_density),
      cmocka_unit_test(body_forces_sum_to_the_weight),
      cmocka_unit_test(pressures_push_inward),
      cmocka_unit_test(pressure_does_not_trust_the_order_of_nodes),
      cmocka_unit_test(supports_give_marks_and_values),
      cmocka_unit_test(supports_that_contradict_are_named),
      cmocka_unit_test(the_axis_stays_in_its_place),
      cmocka_unit_test(wrong_bodies_are_named),
      cmocka_unit_test(wrong_supports_and_loads_are_named),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
