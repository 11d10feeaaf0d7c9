// What an elastic body on a support is made of and driven by: regions, anisotropic and varying;
// body forces; how it begins; any coefficient of friction; gaps. Against closed forms.
#include "strip_support.h"
#include "wave_support.h"

#include "fem/elastodynamic/strip/strip_data.h"

static const double PI = 3.14159265358979323846;

// --- What it is made of ---

static bool layered_density(void *user, double t, const double *x, double *value) {
  *value = 1 + x[1];
  return true;
}

// A column of two materials, the lower with its own stiffness matrix, the upper isotropic, held at
// its sides, pressed by d: p (h_1/C_22 + h_2/(lambda + 2 G)) = d. All of its mass, rho = 1 + y,
// moves: E = V^2/2 (3/2).
static void regions_have_their_own_matter(void **state) {
  const double C[] = {5, 1, 0.2, 1, 4, 0, 0.2, 0, 1.5};
  stc_mesh *mesh = grid_of(2, (int[]){2, 4}, STC_CELL_Q4, NULL, NULL);
  // Cells below one half in a group of their own.
  int below[4], above[4], count[2] = {0, 0};
  for (int k = 0; k < mesh->cells; k++) {
    if (stc_cell_dim(mesh->type[k]) != 2) continue;
    bool low = mesh->x[2 * mesh->node[mesh->ptr[k]] + 1] < 0.49;
    *(low ? &below[count[0]++] : &above[count[1]++]) = k;
  }
  assert_true(count[0] == 4 && count[1] == 4);
  stc_group group[8];
  stc_mesh view = *mesh;
  for (int g = 0; g < mesh->groups; g++) group[g] = mesh->group[g];
  group[0] = (stc_group){"lower", 2, 4, below};
  group[mesh->groups] = (stc_group){"upper", 2, 4, above};
  view.groups = mesh->groups + 1, view.group = group;
  const stc_elastic_region region[] = {
      {.group = "lower", .stiffness = C, .density.function = layered_density},
      {.group = "upper", .lambda = 2, .shear = 1.5, .density.function = layered_density}};
  stc_support hold[] = {{.group = "body.t1", .component = 0},
                        {"body.t1", 1, {.value = -0.1}},
                        {.group = "body.s0", .component = 0},
                        {.group = "body.s1", .component = 0}};
  stc_strip_settings s = stc_default_strip_settings();
  s.mesh = &view;
  s.contact = "body.t0";
  s.regions = 2, s.region = region;
  s.supports = 4, s.support = hold;
  s.pressed = true;
  stc_strip *strip = strip_of(&s);
  for (int i = 0; i < stc_strip_contacts(strip); i++)
    expect_near(stc_strip_pressure(strip)[i], 0.1 / (0.5 / 4 + 0.5 / 5), 1e-9);
  for (int i = 0; i < strip->size; i++) strip->u[i] = 0, strip->v[i] = i % 2 ? 3 : 0;
  stc_strip_refresh(strip);
  expect_near(stc_strip_energy(strip), 4.5 * 1.5, 1e-12);
  stc_strip_free(&strip);
  stc_mesh_free(&mesh);
}

// --- Waves ---

enum { MODE = 3 };  // quarter waves over the depth

static bool standing(void *user, double t, const double *x, double *value) {
  *value = *(const double *)user * cos(MODE * PI / 2 * x[1]);
  return true;
}

// A column of depth 1 hangs free above the support, held at its top and along y at its sides. Its
// shear u_x = U cos(k y) cos(w t) + (V/w) cos(k y) sin(w t), k = 3 pi/2, w = k sqrt(G/rho). The
// largest error at t = 2 over cells and steps halved together: order 2.
static double error_of_wave(int cells, double U, double V, int degree) {
  const double G = 1.5, rho = 0.7, k = MODE * PI / 2, w = k * sqrt(G / rho), t = 2;
  const stc_support hold[] = {{.group = "top", .component = 0},
                              {.group = "top", .component = 1},
                              {.group = "left", .component = 1},
                              {.group = "right", .component = 1}};
  stc_strip_settings s = stc_default_strip_settings();
  s.shear = G, s.density = rho;
  s.cells[0] = 2, s.cells[1] = cells;
  s.supports = 4, s.support = hold;
  s.gap.value = 1;
  s.eps = degree < 0 ? 0 : 0.5 / cells;
  s.degree = degree < 0 ? 0 : degree;
  s.dt = t / (4 * cells);
  s.u0[0] = (stc_given){.function = standing, .user = &U};
  s.u1[0] = (stc_given){.function = standing, .user = &V};
  stc_strip *strip = strip_of(&s);
  stc_strip_report r;
  double error = 0, *u = test_calloc((size_t)strip->mesh.nodes * 2, sizeof *u);
  for (int i = 0; i < 4 * cells; i++) step(strip, &r);
  stc_strip_displacement(strip, u);
  for (int a = 0; a < strip->mesh.nodes; a++) {
    double shape = cos(k * strip->mesh.x[2 * a + 1]);
    error = fmax(error, fabs(u[2 * a] - shape * (U * cos(w * t) + V / w * sin(w * t))));
  }
  assert_int_equal(r.open, 3);
  test_free(u);
  stc_strip_free(&strip);
  return error;
}

static void a_standing_wave_has_order_two(void **state) {
  for (int degree = -1; degree <= 4; degree++) {
    double coarse = error_of_wave(12, 0.2, -0.5, degree);
    double fine = error_of_wave(24, 0.2, -0.5, degree);
    assert_true(fine < 0.02 && coarse / fine > 3.4);
  }
}

// The layer takes a start that is a polynomial of its degree as it is: u = y^4 for degree 4.
static bool fourth_power(void *user, double t, const double *x, double *value) {
  *value = x[1] * x[1] * x[1] * x[1];
  return true;
}

static void a_start_bends_the_layer(void **state) {
  stc_strip_settings s = stc_default_strip_settings();
  s.eps = 0.4;
  s.degree = 4;
  s.cells[0] = 1, s.cells[1] = 1;
  s.u0[0].function = fourth_power;
  stc_strip *strip = strip_of(&s);
  for (double at = 0; at <= 1; at += 0.125) {
    double N[5], sum = 0;
    stc_layer_across(4, at, N, NULL);
    for (int j = 0; j <= 4; j++)
      sum += N[j] * strip->u[2 * stc_fibre_function(strip, &strip->fibre[0], j)];
    expect_near(sum, pow(0.4 * at, 4), 1e-15);
  }
  stc_strip_free(&strip);
}

// --- Forces ---

static bool rising_force(void *user, double t, const double *x, double *value) {
  *value = 3 * t * (1 + x[0]);
  return true;
}

// f = 3 t (1 + x) along y on a free body of density 1 + x: all of it moves alike, v = 3 t^2/2.
static bool dense_to_the_right(void *user, double t, const double *x, double *value) {
  *value = 1 + x[0];
  return true;
}

static void a_force_moves_a_free_body(void **state) {
  for (int degree = -1; degree <= 4; degree++) {
    const stc_elastic_region all = {.group = "body",
                                    .lambda = 1,
                                    .shear = 1,
                                    .density.function = dense_to_the_right,
                                    .force = {{0}, {.function = rising_force}}};
    stc_strip_settings s = stc_default_strip_settings();
    s.regions = 1, s.region = &all;
    s.cells[0] = 3, s.cells[1] = 2;
    s.gap.value = 1;
    s.eps = degree < 0 ? 0 : 0.2;
    s.degree = degree < 0 ? 0 : degree;
    s.dt = 0.02;
    stc_strip *strip = strip_of(&s);
    stc_strip_report r;
    for (int k = 0; k < 50; k++) step(strip, &r);
    double *velocity = test_calloc((size_t)strip->mesh.nodes * 2, sizeof *velocity);
    stc_strip_velocity(strip, velocity);
    for (int a = 0; a < strip->mesh.nodes; a++) {
      expect_near(velocity[2 * a], 0, 1e-12);
      expect_near(velocity[2 * a + 1], 1.5, 1e-12);
    }
    test_free(velocity);
    stc_strip_free(&strip);
  }
}

// --- Coefficients ---

static double exponential(void *user, double w) { return 0.2 + 0.4 * exp(-w / 0.1); }

static stc_strip_settings sliding_strip(stc_support top[2]) {
  stc_strip_settings s = stc_default_strip_settings();
  s.size[0] = 2;
  s.cells[0] = 6, s.cells[1] = 3;
  s.eps = 0.1;
  s.eta_n = 1e-2;
  s.pressed = true;
  s.tau[0] = up_and_down;
  for (int i = 0; i < 2; i++) top[i] = (stc_support){.group = "top", .component = i};
  top[1].displacement.value = -0.3;
  s.supports = 2, s.support = top;
  return s;
}

static void follow(stc_strip_settings a, stc_strip_settings b, int steps, double bound) {
  stc_strip *first = strip_of(&a), *second = strip_of(&b);
  stc_strip_report r, q;
  double most = 0;
  for (int k = 0; k < steps; k++) {
    step(first, &r);
    step(second, &q);
    assert_true(r.converged && q.converged && r.ruled == q.ruled);
    expect_near(r.slip[0], q.slip[0], bound);
    expect_near(r.friction[0], q.friction[0], bound);
    most = fmax(most, r.largest_slip);
  }
  assert_true(most > 0.05);
  stc_strip_free(&first);
  stc_strip_free(&second);
}

// A function that is the built-in law is that law, with the laws themselves and rounded; a table
// with one number is the law that does not fall.
static void any_coefficient_will_do(void **state) {
  for (int exact = 0; exact <= 1; exact++) {
    stc_support top[2];
    stc_strip_settings s = sliding_strip(top), own = s;
    s.eta_t = own.eta_t = exact ? 0 : 1e-3;
    const stc_rate_curve curve = {.function = exponential, .steepest = 4, .greatest = 0.6};
    own.mu = &curve;
    follow(s, own, 300, 1e-8);
    const double speed[] = {0}, mu[] = {0.25};
    const stc_rate_curve table = {.points = 1, .speed = speed, .mu = mu};
    s.law = (stc_rate_law){0.25, 0.25, 0.1};
    own.mu = &table;
    follow(s, own, 300, 1e-8);
  }
}

// mu falls from 0.6 to 0.2 between 0 and 0.1, rises to 0.5 at 0.3 and falls to 0.3 at 0.4. With
// b f_N = 1 the pull 0.55 has the answers 0 (stick), w = 0.55 - 0.6 + 4 w: 0.05/3,
// w = 0.55 - 0.2 - 1.5 (w - 0.1): 0.2, and no more.
static void a_table_has_all_its_roots(void **state) {
  const double speed[] = {0, 0.1, 0.3, 0.4}, mu[] = {0.6, 0.2, 0.5, 0.3};
  const stc_rate_curve curve = {.points = 4, .speed = speed, .mu = mu};
  stc_interface_law law = {.curve = &curve};
  double root[16];
  assert_int_equal(stc_rate_curve_roots(&law, 1, 0.55, 16, root), 3);
  expect_near(root[0], 0, 0);
  expect_near(root[1], 0.05 / 3, 1e-15);
  expect_near(root[2], 0.2, 1e-15);
  expect_near(stc_interface_steepest(&law), 4, 1e-12);
  expect_near(stc_interface_greatest(&law), 0.6, 0);
  // beyond the stick limit: the rising branch alone; on both falling ones besides, for 0.75:
  // 0.5 - 2 (w - 0.3) + w = 0.75: 0.35; 0.45 = 0.75 - 0.3; 0.2 + 1.5 (w - 0.1) + w = 0.75: 0.28
  assert_int_equal(stc_rate_curve_roots(&law, 1, 0.75, 16, root), 3);
  expect_near(root[0], 0.28, 1e-15);
  expect_near(root[1], 0.35, 1e-15);
  expect_near(root[2], 0.45, 1e-15);
  law.eta_t = 0.01;  // rounded: w (1 + mu(w)/0.01) = 0.55 below it
  assert_int_equal(stc_rate_curve_roots(&law, 1, 0.55, 16, root), 3);
  double w = root[0];
  assert_true(w < 0.01);
  expect_near(w + stc_interface_mu(&law, w) * w / 0.01, 0.55, 1e-12);
}

static double broken(void *user, double w) { return w > 0.01 ? NAN : 0.1; }

static void a_coefficient_that_fails_is_told(void **state) {
  stc_support top[2];
  stc_strip_settings s = sliding_strip(top);
  const stc_rate_curve curve = {.function = broken, .steepest = 0, .greatest = 0.1};
  s.mu = &curve;
  stc_strip *strip = strip_of(&s);
  stc_strip_report r;
  stc_error error = STC_OK;
  for (int k = 0; k < 300 && !error; k++) error = stc_strip_step(strip, &r);
  expect_failure(error, STC_ERR_VALUE, "is nan");
  stc_strip_free(&strip);
}

TEST_PROGRAM(cmocka_unit_test(regions_have_their_own_matter),
             cmocka_unit_test(a_standing_wave_has_order_two),
             cmocka_unit_test(a_start_bends_the_layer), cmocka_unit_test(a_force_moves_a_free_body),
             cmocka_unit_test(any_coefficient_will_do), cmocka_unit_test(a_table_has_all_its_roots),
             cmocka_unit_test(a_coefficient_that_fails_is_told))
