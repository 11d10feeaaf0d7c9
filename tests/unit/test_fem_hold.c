// Models with nothing left to find, models that are not held, and states beyond small strain.
#include "contact_support.h"

// --- No free unknown ---

static const stc_given still = {0};

static void hold_all(model *m, const char *group) {
  for (int i = 0; i < m->dim; i++) support(m, group, i, still);
}

// A block on the floor without its floor: one body of cells^dim cells.
static void lone_block(model *m, stc_cell_type type, int cells) {
  double slide[3] = {0};
  block_on_floor(m, type, cells, 0, slide);
  m->description.pairs = 0;
}

// One cell, its base held, its top pressed down by 0.01 without widening: the strain is uniform,
// stress = -0.01 E (1 - nu)/((1 + nu)(1 - 2 nu)) across, and the reactions of top and base are
// equal to it on the area 1. With a factor and where multigrid is asked for, elastic and yielding
// (far below its yield stress).
static void stress_without_unknowns(void **state) {
  static const stc_cell_type types[] = {STC_CELL_T3, STC_CELL_Q4, STC_CELL_T4, STC_CELL_H8};
  const double stiff = 1000 * 0.7 / (1.3 * 0.4);
  for (int t = 0; t < 4; t++)
    for (int variant = 0; variant < 4; variant++) {
      model m;
      double force[3], stress[6], alpha;
      lone_block(&m, types[t], 1);
      m.body[0].material.yield = variant & 1 ? 1e6 : 0;
      if (variant & 2) m.settings.memory = 1;
      hold_all(&m, base_of(m.dim, false));
      for (int i = 0; i < m.dim; i++)
        support(&m, top_of(m.dim, false), i, (stc_given){.value = i == m.dim - 1 ? -0.01 : 0});
      create(&m);
      assert_int_equal(stc_fem_dofs(m.fem), 0);
      advance(&m, 1);
      stc_fem_stress(m.fem, 0, stress, &alpha);
      expect_near(stress[m.dim - 1], -0.01 * stiff, 1e-11);
      expect_ok(stc_fem_group_force(m.fem, top_of(m.dim, false), force));
      expect_near(force[m.dim - 1], -0.01 * stiff, 1e-11);
      expect_ok(stc_fem_group_force(m.fem, base_of(m.dim, false), force));
      expect_near(force[m.dim - 1], 0.01 * stiff, 1e-11);
      assert_true(m.report.residual == 0 && !m.report.large);
      free_model(&m);
    }
}

// All nodes of a block above a floor are given. Lifted by 0.01 the contacts are open and carry
// nothing; pressed 0.01 into the floor there is no solution, which is no matter of iterations; a
// penalty of 100 answers with 100 * 0.01 on the area 1.
static void contact_without_unknowns(void **state) {
  static const stc_contact_method methods[] = {STC_CONTACT_AUTO, STC_CONTACT_ACTIVE_SET,
                                               STC_CONTACT_ADAPTED, STC_CONTACT_UZAWA,
                                               STC_CONTACT_PENALTY};
  for (int k = 0; k < 10; k++) {
    model m;
    double slide[3] = {0}, force[3], lift = k < 5 ? 0.01 : -0.01;
    stc_contact_method method = methods[k % 5];
    bool refused = lift < 0 && method != STC_CONTACT_PENALTY;
    block_on_floor(&m, k % 2 ? STC_CELL_H8 : STC_CELL_Q4, 2, 0.3, slide);
    m.settings.method = method;
    m.settings.eps0 = 100;
    for (int i = 0; i < m.dim; i++)
      support(&m, "lower", i, (stc_given){.value = i == m.dim - 1 ? lift : 0});
    create(&m);
    expect_ok(stc_fem_advance(m.fem, 1, &m.report));
    assert_int_equal(m.report.accepted, !refused);
    assert_int_equal(m.report.contradictory, refused);
    if (refused) assert_non_null(strstr(m.report.reason, "there is no solution"));
    if (refused) assert_int_equal(m.report.cuts, 0);
    contact_force(m.fem, force);
    expect_near(force[0], method == STC_CONTACT_PENALTY && lift < 0 ? 1 : 0, 1e-12);
    free_model(&m);
  }
}

// --- Rigid motions that are left ---

// A mesh with two more groups: "corner", the first node, and "edge", from there along the last
// axis.
typedef struct marked {
  stc_mesh mesh;
  unsigned char *type;
  int *ptr, *node;
  stc_group *group;
  int corner, edge;
} marked;

static void mark_mesh(model *m, marked *to) {
  stc_mesh *mesh = &to->mesh;
  *mesh = *m->mesh;
  int cells = mesh->cells, end = mesh->ptr[cells], above = m->dim == 3 ? 9 : 3;
  to->type = calloc((size_t)cells + 2, 1);
  to->ptr = calloc((size_t)cells + 3, sizeof *to->ptr);
  to->node = calloc((size_t)end + 3, sizeof *to->node);
  to->group = calloc((size_t)mesh->groups + 2, sizeof *to->group);
  memcpy(to->type, mesh->type, (size_t)cells);
  memcpy(to->ptr, mesh->ptr, ((size_t)cells + 1) * sizeof *to->ptr);
  memcpy(to->node, mesh->node, (size_t)end * sizeof *to->node);
  memcpy(to->group, mesh->group, (size_t)mesh->groups * sizeof *to->group);
  to->type[cells] = STC_CELL_P1, to->type[cells + 1] = STC_CELL_L2;
  to->ptr[cells + 1] = end + 1, to->ptr[cells + 2] = end + 3;
  to->node[end] = to->node[end + 1] = 0, to->node[end + 2] = above;
  to->corner = cells, to->edge = cells + 1;
  to->group[mesh->groups++] = (stc_group){"corner", 0, 1, &to->corner};
  to->group[mesh->groups++] = (stc_group){"edge", 1, 1, &to->edge};
  mesh->cells += 2;
  mesh->type = to->type, mesh->ptr = to->ptr, mesh->node = to->node, mesh->group = to->group;
  m->description.mesh = mesh;
}

static void free_marked(marked *m) { free(m->type), free(m->ptr), free(m->node), free(m->group); }

typedef struct hold {
  const char *group;
  int component;
} hold;

// The block [0, 1]^dim; what the supports leave is written from the geometry.
static void motions_left_are_named(void **state) {
  static const struct {
    stc_cell_type type;
    hold hold[3];
    const char *left;
  } cases[] = {
      {STC_CELL_Q4, {{0}}, "move along y, move along x and rotate about (0.5, 0.5)"},
      {STC_CELL_Q4, {{"lower.t0", 1}}, "can move along x;"},
      {STC_CELL_Q4, {{"lower.s0", 0}}, "can move along y;"},
      {STC_CELL_T3, {{"corner", 0}, {"corner", 1}}, "can rotate about (0, 0);"},
      {STC_CELL_Q4, {{"corner", 1}}, "move along x and rotate about (0, 0.5)"},
      {STC_CELL_H8, {{"lower.w0", 2}}, "move along y, move along x and rotate about z through"},
      {STC_CELL_H8, {{"lower.w0", 2}, {"lower.s0", 0}}, "can move along y;"},
      {STC_CELL_T4, {{"edge", 0}, {"edge", 1}, {"edge", 2}}, "can rotate about z through (0, 0, "},
      {STC_CELL_H8,
       {{"corner", 0}, {"corner", 1}, {"corner", 2}},
       "rotate about x through (0.5, 0, 0)"},
  };
  for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
    model m;
    lone_block(&m, cases[k].type, 2);
    marked mesh;
    mark_mesh(&m, &mesh);
    for (int i = 0; i < 3 && cases[k].hold[i].group; i++)
      support(&m, cases[k].hold[i].group, cases[k].hold[i].component, still);
    expect_failure(stc_fem_create(&m.description, &m.settings, &m.fem), STC_ERR_VALUE,
                   cases[k].left);
    expect_failure(stc_fem_create(&m.description, &m.settings, &m.fem), STC_ERR_VALUE,
                   "body 'lower'");
    free_marked(&mesh);
    free_model(&m);
  }
}

// Of two blocks without contact the second is not held; about an axis nothing but the axis is left.
static void each_body_is_looked_at(void **state) {
  model m;
  stack_blocks(&m, STC_CELL_Q4, STC_PLANE_STRESS, 1, 2, 0);
  m.description.pairs = 0;
  hold_all(&m, base_of(2, false));
  expect_failure(stc_fem_create(&m.description, &m.settings, &m.fem), STC_ERR_VALUE,
                 "body 'upper' around (0.5, 1.5) is not held");
  hold_all(&m, top_of(2, true));
  create(&m);
  free_model(&m);
  stack_blocks(&m, STC_CELL_Q4, STC_AXISYMMETRIC, 1, 2, 0);
  m.description.pairs = 0;
  support(&m, base_of(2, false), 1, still);
  expect_failure(stc_fem_create(&m.description, &m.settings, &m.fem), STC_ERR_VALUE,
                 "body 'upper' around (0.5, 1.5) is not held: it can move along z, its axis");
  free_model(&m);
}

// A block that lies on the floor by its weight 2: pushed by more than friction holds it slides
// along x, pulled up it leaves the floor along the last axis.
static void contact_that_does_not_hold_is_named(void **state) {
  for (int k = 0; k < 4; k++) {
    model m;
    double slide[3] = {0};
    bool up = k % 2;
    block_on_floor(&m, k < 2 ? STC_CELL_Q4 : STC_CELL_H8, 2, 0.3, slide);
    m.body[0].force[m.dim - 1] = up ? 1 : -2;
    m.body[0].force[0] = up ? 0 : 0.8;
    m.settings.max_cuts = 1;
    m.settings.max_iterations = 30;
    create(&m);
    expect_ok(stc_fem_advance(m.fem, 1, &m.report));
    assert_false(m.report.accepted);
    const char *motion = !up          ? "it can move along x"
                         : m.dim == 2 ? "it can move along y"
                                      : "it can move along z";
    assert_non_null(strstr(m.report.reason, "body 'lower' is held by contact only"));
    assert_non_null(strstr(m.report.reason, motion));
    free_model(&m);
  }
}

// Two squares that have one corner in common: the second rotates about it without strain.
static void hinge_is_a_mechanism(void **state) {
  static const double x[] = {0, 0, 1, 0, 1, 1, 0, 1, 2, 1, 2, 2, 1, 2};
  static const int ptr[] = {0, 4, 8, 10}, node[] = {0, 1, 2, 3, 2, 4, 5, 6, 0, 1}, body[] = {0, 1};
  static const int base[] = {2};
  static const unsigned char type[] = {STC_CELL_Q4, STC_CELL_Q4, STC_CELL_L2};
  static const stc_group group[] = {{"b", 2, 2, body}, {"base", 1, 1, base}};
  const stc_mesh mesh = {2, 7, x, 3, type, ptr, node, 2, group};
  const stc_body matter = {
      .group = "b", .material = {.young = 1, .poisson = 0.3}, .force = {0, -1, 0}};
  const stc_support support[] = {{.group = "base", .component = 0},
                                 {.group = "base", .component = 1}};
  const stc_fem_description d = {.mesh = &mesh,
                                 .kinematics = STC_PLANE_STRAIN,
                                 .bodies = 1,
                                 .body = &matter,
                                 .supports = 2,
                                 .support = support};
  stc_fem *fem = NULL;
  stc_fem_report report;
  expect_ok(stc_fem_create(&d, NULL, &fem));
  expect_ok(stc_fem_advance(fem, 1, &report));
  assert_false(report.accepted);
  assert_non_null(strstr(report.reason, "hang on too few nodes"));
  stc_fem_free(&fem);
}

// --- Beyond small strain ---

// Displacements (F - I) x given at all nodes.
typedef struct affine {
  double F[3][3];
  int component;
} affine;

static bool affine_value(void *user, double t, const double *x, double *value) {
  const affine *a = user;
  *value = 0;
  for (int j = 0; j < 3; j++) *value += t * (a->F[a->component][j] - (a->component == j)) * x[j];
  return true;
}

static void deform(stc_cell_type type, stc_kinematics kinematics, const double F[3][3],
                   double strain, double rotation) {
  model m;
  affine a[3];
  lone_block(&m, type, 2);
  m.description.kinematics = kinematics;
  for (int i = 0; i < m.dim; i++) {
    memcpy(a[i].F, F, sizeof a[i].F);
    a[i].component = i;
    support(&m, "lower", i, (stc_given){.function = affine_value, .user = &a[i]});
  }
  m.settings.max_strain = 0.05;
  m.settings.max_rotation = 0.05;
  create(&m);
  advance(&m, 1);
  expect_near(m.report.strain, strain, 1e-13);
  expect_near(m.report.rotation, rotation, 1e-13);
  assert_int_equal(m.report.large, strain > 0.05 || rotation > 0.05);
  assert_int_equal(m.report.strain_cell >= 0, strain > 0);
  free_model(&m);
}

// Each state from its closed form: a rotation by b has the small strain cos b - 1, a stretch its
// own, both after one another their product.
static void strain_and_rotation_are_measured(void **state) {
  const double b = 0.3, c = cos(b), s = sin(b), r = 0.04;
  const double none[3][3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
  const double rotation[3][3] = {{c, -s, 0}, {s, c, 0}, {0, 0, 1}};
  const double slow[3][3] = {{cos(r), -sin(r), 0}, {sin(r), cos(r), 0}, {0, 0, 1}};
  const double wide[3][3] = {{1.2, 0, 0}, {0, 1, 0}, {0, 0, 1}};
  const double flipped[3][3] = {{-0.5, 0, 0}, {0, 1, 0}, {0, 0, 1}};
  const double both[3][3] = {{1.2 * c, -s, 0}, {1.2 * s, c, 0}, {0, 0, 1}};  // R diag(1.2, 1)
  deform(STC_CELL_Q4, STC_PLANE_STRAIN, none, 0, 0);
  deform(STC_CELL_Q4, STC_PLANE_STRAIN, rotation, 1 - c, b);
  deform(STC_CELL_T6, STC_PLANE_STRESS, slow, 1 - cos(r), r);
  deform(STC_CELL_Q8, STC_PLANE_STRAIN, wide, 0.2, 0);
  deform(STC_CELL_T3, STC_PLANE_STRAIN, flipped, 1.5, acos(-1));
  double mean = (1.2 * c + c) / 2 - 1, half = hypot(0.1 * c, 0.1 * s);
  deform(STC_CELL_Q4, STC_PLANE_STRAIN, both, fmax(fabs(mean + half), fabs(mean - half)), b);
  deform(STC_CELL_H8, STC_SOLID, rotation, 1 - c, b);
  deform(STC_CELL_T4, STC_SOLID, wide, 0.2, 0);
}

// About (1, 1, 1)/sqrt(3) by b: cos b + (1 - cos b)/3 on the diagonal. In space the small strain of
// any rotation is cos b - 1 across its axis.
static void rotation_about_a_skew_axis(void **state) {
  const double b = 0.7, c = cos(b), s = sin(b) / sqrt(3), d = (1 - c) / 3;
  const double R[3][3] = {{c + d, d - s, d + s}, {d + s, c + d, d - s}, {d - s, d + s, c + d}};
  deform(STC_CELL_H8, STC_SOLID, R, 1 - c, b);
}

// About an axis a radial displacement of 0.2 r widens every circle by 0.2 and does not rotate.
static void hoops_are_strained(void **state) {
  const double wide[3][3] = {{1.2, 0, 0}, {0, 1, 0}, {0, 0, 1}};
  deform(STC_CELL_Q4, STC_AXISYMMETRIC, wide, 0.2, 0);
}

// What is large once stays so in its own step only: a beam of length 10 whose end goes 8 across and
// comes back.
static void a_step_back_is_small_again(void **state) {
  model m;
  affine shear = {.F = {{1, 0, 0}, {0.8, 1, 0}, {0, 0, 1}}, .component = 1};
  lone_block(&m, STC_CELL_Q4, 2);
  support(&m, "lower", 0, still);
  support(&m, "lower", 1, (stc_given){.function = affine_value, .user = &shear});
  create(&m);
  advance(&m, 1);
  assert_true(m.report.large);
  expect_near(m.report.strain, 0.4, 1e-13);
  expect_near(m.report.rotation, atan2(0.8, 2), 1e-13);
  shear.F[1][0] = 0;
  advance(&m, 2);
  assert_false(m.report.large);
  assert_int_equal(m.report.strain_cell, -1);
  free_model(&m);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(stress_without_unknowns),
      cmocka_unit_test(contact_without_unknowns),
      cmocka_unit_test(motions_left_are_named),
      cmocka_unit_test(each_body_is_looked_at),
      cmocka_unit_test(contact_that_does_not_hold_is_named),
      cmocka_unit_test(hinge_is_a_mechanism),
      cmocka_unit_test(strain_and_rotation_are_measured),
      cmocka_unit_test(rotation_about_a_skew_axis),
      cmocka_unit_test(hoops_are_strained),
      cmocka_unit_test(a_step_back_is_small_again),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
