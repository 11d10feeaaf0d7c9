// Contact without a factor of the stiffness: the same answers as with one, on problems small enough
// for both.
#include "fem_support.h"

// --- Two models ---

static bool slide(void *user, double t, const double *x, double *d) {
  d[0] = 0.003 * (t > 1 ? t - 1 : 0);
  d[1] = 0.002 * (t > 1 ? t - 1 : 0);
  d[2] = -0.05 * fmin(t, 1);
  return true;
}

static bool press(void *user, double t, const double *x, double *gap, double *normal) {
  double d[3] = {x[0] - 0.5, x[1] - 0.5, x[2] - (3 - 0.05 * fmin(t, 1))}, r = 0;
  for (int i = 0; i < 3; i++) r += d[i] * d[i];
  r = sqrt(r);
  *gap = r - 2;
  for (int i = 0; i < 3; i++) normal[i] = d[i] / r;
  return true;
}

typedef struct model {
  stc_mesh *mesh;
  stc_fem *fem;
} model;

static const stc_body one_body = {.group = "b", .material = {.young = 100, .poisson = 0.3}};

static stc_fem *with_pair(stc_fem_description *d, const stc_pair *pair, double memory) {
  stc_fem *fem = NULL;
  stc_fem_settings settings = stc_default_fem_settings();
  settings.memory = memory;
  d->pairs = 1, d->pair = pair;
  expect_ok(stc_fem_create(d, &settings, &fem));
  return fem;
}

/// A cube on its base with a sphere above it.
static model cube_and_sphere(double mu, double memory) {
  model m = {.mesh = plain_grid(STC_CELL_H8, 9, 9, 6)};
  stc_support support[3];
  for (int c = 0; c < 3; c++) support[c] = (stc_support){.group = "b.w0", .component = c};
  stc_pair pair = {.name = "top", .slave = "b.w1", .mu = mu, .obstacle = {press, slide, NULL}};
  stc_fem_description d = describe(m.mesh, STC_SOLID, &one_body);
  d.supports = 3, d.support = support;
  m.fem = with_pair(&d, &pair, memory);
  return m;
}

static bool raise(void *user, const double *s, double *x) {
  double shrink = *(const double *)user;
  x[0] = 0.5 + shrink * (s[0] - 0.5);
  x[1] = 0.5 + shrink * (s[1] - 0.5);
  x[2] = s[2] + 1;
  return true;
}

static bool push_down(void *user, double t, const double *x, double *value) {
  *value = -0.02 * fmin(t, 1);
  return true;
}

static bool push_aside(void *user, double t, const double *x, double *value) {
  *value = 0.01 * fmax(t - 1, 0);
  return true;
}

/// A small cube on a large one, whose meshes do not match.
static model two_cubes(double mu, double memory) {
  model m = {0};
  double shrink = 0.55;
  stc_mesh *part[2] = {plain_grid(STC_CELL_H8, 6, 6, 4), NULL};
  stc_grid grid = {
      .type = STC_CELL_H8, .count = {5, 5, 4}, .body = "a", .map = raise, .user = &shrink};
  expect_ok(stc_mesh_grid(&grid, &part[1]));
  expect_ok(stc_mesh_join(2, (const stc_mesh *const *)part, &m.mesh));
  stc_body body[2] = {one_body, one_body};
  body[1].group = "a";
  stc_support support[6];
  for (int c = 0; c < 6; c++)
    support[c] = (stc_support){.group = c < 3 ? "b.w0" : "a.w1", .component = c % 3};
  support[3].displacement.function = push_aside;
  support[5].displacement.function = push_down;
  stc_pair pair = {.name = "joint", .slave = "a.w0", .master = "b.w1", .mu = mu};
  stc_fem_description d = describe(m.mesh, STC_SOLID, body);
  d.bodies = 2, d.supports = 6, d.support = support;
  m.fem = with_pair(&d, &pair, memory);
  for (int k = 0; k < 2; k++) stc_mesh_free(&part[k]);
  return m;
}

static void free_model(model *m) {
  stc_fem_free(&m->fem);
  stc_mesh_free(&m->mesh);
}

// --- The two ways agree ---

static void advance_large(stc_fem *fem, double t) {
  stc_fem_report report;
  expect_ok(stc_fem_advance(fem, t, &report));
  if (!report.accepted) print_error("%s\n", report.reason);
  assert_true(report.accepted);
}

static void expect_same_displacements(const model *a, const model *b, double tolerance) {
  int size = a->mesh->nodes * a->mesh->dim;
  const double *u = stc_fem_displacement(a->fem), *v = stc_fem_displacement(b->fem);
  double largest = 0;
  for (int i = 0; i < size; i++) largest = fmax(largest, fabs(u[i]));
  assert_true(largest > 0);
  for (int i = 0; i < size; i++) expect_near(v[i], u[i], tolerance * largest);
}

/// state counts the contacts of each state.
static void expect_same_contacts(const model *a, const model *b, double tolerance, int *state) {
  double largest = 0;
  stc_fem_contact_point p, q;
  for (int k = 0; k < stc_fem_contacts(a->fem, 0); k++) {
    stc_fem_contact(a->fem, 0, k, &p);
    largest = fmax(largest, p.pressure);
  }
  assert_true(largest > 0);
  for (int k = 0; k < stc_fem_contacts(a->fem, 0); k++) {
    stc_fem_contact(a->fem, 0, k, &p);
    stc_fem_contact(b->fem, 0, k, &q);
    expect_near(q.pressure, p.pressure, tolerance * largest);
    for (int i = 0; i < 2; i++) expect_near(q.shear[i], p.shear[i], tolerance * largest);
    state[p.state]++;
  }
}

/// Pressed, then sheared; with friction some contacts stick and some slip.
static void compare(model (*make)(double, double), double mu) {
  model direct = make(mu, 6e9), large = make(mu, 1);
  int states[STC_CONTACT_SLIP + STC_CONTACT_STICK + STC_CONTACT_OPEN + 1] = {0};
  for (int step = 1; step <= 2; step++) {
    advance_large(direct.fem, step);
    advance_large(large.fem, step);
    expect_same_displacements(&direct, &large, 1e-7);
    expect_same_contacts(&direct, &large, 1e-6, states);
  }
  assert_true(states[STC_CONTACT_SLIP] > 0);
  assert_int_equal(states[STC_CONTACT_STICK] > 0, mu > 0);
  free_model(&direct);
  free_model(&large);
}

static void an_obstacle(void **state) {
  compare(cube_and_sphere, 0);
  compare(cube_and_sphere, 0.2);
}

static void two_bodies(void **state) {
  compare(two_cubes, 0);
  compare(two_cubes, 0.3);
}

TEST_PROGRAM(cmocka_unit_test(an_obstacle), cmocka_unit_test(two_bodies))
