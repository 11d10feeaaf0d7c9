// Elastic bodies of any shape on a moving support: a cylinder from a Gmsh file is the built-in one;
// a layer outside of the mesh is the one inside; rotated and curved bodies; refusals.
#include "scratch.h"
#include "strip_support.h"
#include "wave_support.h"

#include "fem/elastodynamic/strip/strip_data.h"

static const double PI = 3.14159265358979323846;

// --- A cylinder as a mesh ---

static double quick_ramp(void *user, double t) { return 0.5 * fmin(t, 1); }

static stc_strip_settings cylinder(int dim, int degree, stc_support top[4]) {
  stc_strip_settings s = stc_default_strip_settings();
  s.dim = dim;
  s.size[0] = 2, s.size[1] = 1, s.size[dim - 1] = 1;
  s.cells[0] = dim == 2 ? 8 : 4, s.cells[1] = dim == 2 ? 3 : 2, s.cells[2] = 2;
  s.eps = 0.1;
  s.degree = degree;
  s.eta_n = 1e-2, s.eta_t = 1e-3;
  s.pressed = true;
  s.tol = 1e-13;
  s.law =
      (stc_rate_law){0.5, 0.4, 0.5};  // a surface that weakens little: rounding errors do not grow
  s.tau[0] = quick_ramp;
  for (int i = 0; i < dim; i++) top[i] = (stc_support){.group = "top", .component = i};
  top[dim - 1].displacement.value = -0.2;
  s.supports = dim;
  s.support = top;
  return s;
}

static stc_mesh *through_a_file(const stc_mesh *mesh) {
  stc_mesh *read = NULL;
  char path[256];
  scratch_path(path, sizeof path, "waves.msh");
  expect_ok(stc_mesh_write(path, mesh));
  expect_ok(stc_mesh_read(path, &read));
  remove(path);
  return read;
}

static void compare_runs(stc_strip *a, stc_strip *b, int steps, double bound) {
  stc_strip_report r, q;
  double most = 0;
  assert_int_equal(stc_strip_dofs(a), stc_strip_dofs(b));
  for (int k = 0; k < steps; k++) {
    step(a, &r);
    step(b, &q);
    assert_true(r.converged && q.converged);
    expect_near(r.normal_force, q.normal_force, bound);
    expect_near(r.energy, q.energy, bound);
    for (int i = 0; i < 2; i++) {
      expect_near(r.friction[i], q.friction[i], bound);
      expect_near(r.slip[i], q.slip[i], bound);
    }
    most = fmax(most, r.largest_slip);
  }
  assert_true(most > 1e-3);
}

// The mesh of the built-in cylinder, written as a Gmsh file and read again, with the names of its
// sides: the same body, for every degree, in the plane and in space, with tractions on a side.
static void a_gmsh_cylinder_is_the_strip(void **state) {
  for (int dim = 2; dim <= 3; dim++)
    for (int degree = 0; degree <= 4; degree++) {
      stc_support top[4];
      stc_strip_settings s = cylinder(dim, degree, top);
      const stc_traction push = {.group = "left", .component = -1, .traction.value = 0.05};
      s.tractions = 1;
      s.traction = &push;
      stc_strip *built_in = strip_of(&s);
      stc_mesh *mesh = through_a_file(stc_strip_mesh(built_in));
      s.mesh = mesh;
      stc_strip *body = strip_of(&s);
      assert_true(body->inside);
      stc_mesh_free(&mesh);  // it is copied
      compare_runs(built_in, body, dim == 2 ? 150 : 60, 1e-10);
      stc_strip_free(&built_in);
      stc_strip_free(&body);
    }
}

static bool lifted(void *user, const double *s, double *x) {
  const double *low = user;
  int dim = (int)low[1];
  for (int i = 0; i < dim; i++)
    x[i] = i == dim - 1 ? low[0] + (1 - low[0]) * s[i] : s[i] * (i ? 1 : 2);
  return true;
}

// Without the row of the layer the mesh is that of the rest: the layer is put below it.
static void a_layer_outside_is_the_one_inside(void **state) {
  for (int dim = 2; dim <= 3; dim++)
    for (int degree = 0; degree <= 4; degree++) {
      stc_support top[4];
      stc_strip_settings s = cylinder(dim, degree, top);
      const stc_traction push = {.group = "left", .component = 0, .traction.value = 0.05};
      s.tractions = 1;
      s.traction = &push;
      s.force[dim - 1] = -0.1;
      stc_strip *built_in = strip_of(&s);
      double low[] = {0.1, dim};
      stc_mesh *mesh = grid_of(dim, s.cells, dim == 2 ? STC_CELL_Q4 : STC_CELL_H8, low, lifted);
      stc_support held[4];
      const stc_traction own = {.group = "body.s0", .component = 0, .traction.value = 0.05};
      memcpy(held, top, sizeof held);
      for (int i = 0; i < dim; i++) held[i].group = dim == 2 ? "body.t1" : "body.w1";
      s.mesh = mesh;
      s.contact = dim == 2 ? "body.t0" : "body.w0";
      s.support = held;
      s.traction = &own;
      stc_strip *body = strip_of(&s);
      assert_false(body->inside);
      compare_runs(built_in, body, dim == 2 ? 150 : 60, 1e-10);
      stc_mesh_free(&mesh);
      stc_strip_free(&built_in);
      stc_strip_free(&body);
    }
}

// --- Rotated bodies ---

static bool turned(void *user, const double *s, double *x) {
  double angle = *(const double *)user, u = 2 * s[0], v = s[1];
  x[0] = cos(angle) * u - sin(angle) * v;
  x[1] = sin(angle) * u + cos(angle) * v;
  return true;
}

static bool along_the_support(void *user, double t, const double *x, double *value) {
  *value = quick_ramp(NULL, t) * *(const double *)user;
  return true;
}

// A strip that stands on a wall, or on a slope, over a support that runs along it: what it does
// turns with it. A quarter turn gives a support along y.
static void a_rotated_body_does_the_same(void **state) {
  stc_support held[4], turned_hold[2];
  stc_strip_settings s = cylinder(2, 3, held);
  s.eps = 0.05;
  stc_strip *flat = NULL;
  double parts[5][2];
  for (int k = 0; k <= 4; k++) {
    double angle = k * PI / 8, *part = parts[k];
    part[0] = cos(angle), part[1] = sin(angle);
    stc_mesh *mesh = grid_of(2, s.cells, STC_CELL_Q4, &angle, turned);
    for (int i = 0; i < 2; i++) {
      turned_hold[i] = (stc_support){.group = "body.t1", .component = i};
      turned_hold[i].displacement.value = -0.2 * (i == 0 ? -part[1] : part[0]);
      s.speed[i] = (stc_given){.function = along_the_support, .user = &part[i]};
    }
    s.mesh = mesh;
    s.contact = "body.t0";
    s.tau[0] = NULL;
    s.support = turned_hold;
    stc_strip *body = strip_of(&s);
    stc_mesh_free(&mesh);
    if (k == 0) {
      flat = body;
      continue;
    }
    stc_strip_report r, q;
    size_t count = stc_strip_state_size(flat);
    double *start = test_calloc(count, sizeof *start);
    stc_strip_save(flat, start);
    for (int i = 0; i < 120; i++) {
      step(flat, &r);
      step(body, &q);
      expect_near(q.normal_force, r.normal_force, 1e-10);
      expect_near(q.friction[0], part[0] * r.friction[0], 1e-10);
      expect_near(q.friction[1], part[1] * r.friction[0], 1e-10);
      expect_near(q.slip[1], part[1] * r.slip[0], 1e-10);
    }
    assert_true(r.largest_slip > 1e-3);
    expect_ok(stc_strip_restore(flat, start, count));
    test_free(start);
    stc_strip_free(&body);
  }
  stc_strip_free(&flat);
}

// --- Curved bodies ---

enum { INNER = 1, OUTER = 2 };

// A quarter of a ring by its angle and its radius.
static bool ring(void *user, const double *s, double *x) {
  double angle = PI / 2 * s[0], r = INNER + (OUTER - INNER) * s[1];
  x[0] = r * sin(angle), x[1] = r * cos(angle);
  return true;
}

static bool shrinks(void *user, double t, const double *x, double *value) {
  double along = x[*(const int *)user];
  *value = fabs(along) < 1e-12 ? 0 : -0.1 * along / OUTER;
  return true;
}

// It turns clockwise, as the angle of the ring grows.
static bool shaft(void *user, double t, const double *x, double *value) {
  int i = *(const int *)user;
  *value = quick_ramp(NULL, t) * (i == 0 ? x[1] : -x[0]);
  return true;
}

static stc_strip *ring_of(int cells, stc_cell_type type, double eps, int degree, bool turns,
                          stc_strip_settings s) {
  static const int axis[] = {0, 1};
  stc_support hold[] = {
      {"body.t1", 0, {.function = shrinks, .user = (void *)&axis[0]}},
      {"body.t1", 1, {.function = shrinks, .user = (void *)&axis[1]}},
      {.group = "body.s0", .component = 0},
      {.group = "body.s1", .component = 1},
  };
  stc_mesh *mesh = grid_of(2, (int[]){2 * cells, cells}, type, NULL, ring);
  s.mesh = mesh;
  s.contact = "body.t0";
  s.supports = turns ? 2 : 4;
  s.support = hold;
  s.eps = eps;
  s.degree = degree;
  s.pressed = true;
  for (int i = 0; i < 2 && turns; i++)
    s.speed[i] = (stc_given){.function = shaft, .user = (void *)&axis[i]};
  stc_strip *strip = strip_of(&s);
  stc_mesh_free(&mesh);
  return strip;
}

// Lame's ring, plane strain: u = A r + B/r, 0 on the shaft and -d outside; p = -sigma_rr at the
// shaft = 2 G B/a^2 - 2 (lambda + G) A. Bilinear cells come near like h^2.
static void a_ring_on_a_shaft_is_pressed_as_lame_says(void **state) {
  const double lambda = 1.5, G = 0.7, a = INNER, b = OUTER, d = 0.1;
  double A = -d / (b - a * a / b), B = -A * a * a;
  double p = 2 * G * B / (a * a) - 2 * (lambda + G) * A, error[3];
  for (int k = 0; k < 3; k++) {
    stc_strip_settings s = stc_default_strip_settings();
    s.lambda = lambda, s.shear = G;
    s.eta_t = 1e-3;  // the law itself has no answer at the ends, which are held across the surface
    stc_strip *strip = ring_of(4 << k, STC_CELL_Q4, 0, 0, false, s);
    int middle = stc_strip_contacts(strip) / 2;
    expect_near(stc_strip_place(strip)[middle], PI / 4 * a, 0.02);
    error[k] = fabs(stc_strip_pressure(strip)[middle] - p);
    stc_strip_free(&strip);
  }
  assert_true(error[2] < 1e-3 * p);
  assert_true(error[0] / error[1] > 3.5 && error[1] / error[2] > 3.5);
}

// The shaft turns: everything moves along it, the energy of each step balances, for every degree of
// the layer, with the laws and rounded, inside (a row of cells) and outside of the mesh.
static void a_ring_is_dragged_with_its_energy(void **state) {
  for (int degree = 0; degree <= 4; degree++)
    for (int exact = 0; exact <= 1; exact++)
      for (int row = 0; row <= 1; row++) {
        stc_strip_settings s = stc_default_strip_settings();
        s.eta_n = exact ? 0 : 1e-2, s.eta_t = exact ? 0 : 1e-3;
        s.law = (stc_rate_law){0.5, 0.4, 1};
        stc_strip *strip =
            ring_of(5, row ? STC_CELL_Q4 : STC_CELL_T6, row ? 0.2 : 0.1, degree, true, s);
        assert_true(strip->inside == row);
        stc_strip_report r;
        double most = 0;
        for (int k = 0; k < 200; k++) {
          step(strip, &r);
          assert_true(r.converged);
          most = fmax(most, r.largest_slip);
          if (k == 20) assert_true(r.friction[0] > 1e-3 && r.friction[1] < -1e-3);
        }
        assert_true(most > 1e-3);
        stc_strip_free(&strip);
      }
}

// A ball's eighth between two spheres, in space, on hexahedra and on tetrahedra.
static bool shell(void *user, const double *s, double *x) {
  double u = 0.8 * (s[0] - 0.5), v = 0.8 * (s[1] - 0.5), r = 1 + 0.5 * s[2];
  double length = sqrt(1 + u * u + v * v);
  x[0] = r * u / length, x[1] = r * v / length, x[2] = r / length;
  return true;
}

static void a_spherical_body_keeps_its_energy(void **state) {
  for (int degree = 0; degree <= 4; degree += 2)
    for (int type = 0; type <= 1; type++) {
      stc_strip_settings s = stc_default_strip_settings();
      const double one = 1;
      stc_support hold[] = {{.group = "body.w1", .component = 0},
                            {.group = "body.w1", .component = 1},
                            {"body.w1", 2, {.value = -0.05}}};
      stc_mesh *mesh = grid_of(3, (int[]){3, 3, 2}, type ? STC_CELL_T4 : STC_CELL_H8, NULL, shell);
      s.mesh = mesh;
      s.contact = "body.w0";
      s.supports = 3, s.support = hold;
      s.eps = 0.05;
      s.degree = degree;
      s.eta_n = 1e-2, s.eta_t = 1e-3;
      s.pressed = true;
      s.speed[1] = (stc_given){.function = along_the_support, .user = (void *)&one};
      stc_strip *strip = strip_of(&s);
      stc_mesh_free(&mesh);
      stc_strip_report r;
      for (int k = 0; k < 100; k++) {
        step(strip, &r);
        assert_true(r.converged);
      }
      assert_true(r.friction[1] > 1e-3 && fabs(r.friction[0]) < 0.2 * r.friction[1]);
      stc_strip_free(&strip);
    }
}

// --- Refusals ---

static void refuse_body(stc_strip_settings s, stc_error code, const char *words) {
  stc_strip *strip = NULL;
  expect_failure(stc_strip_create(&s, &strip), code, words);
  assert_null(strip);
}

static void bodies_are_checked(void **state) {
  stc_support top[4];
  stc_strip_settings good = cylinder(2, 1, top), s;
  stc_strip *built_in = strip_of(&good);
  stc_mesh *mesh = through_a_file(stc_strip_mesh(built_in));
  stc_strip_free(&built_in);
  good.mesh = mesh;
  s = good, s.contact = "floor";
  refuse_body(s, STC_ERR_ARGUMENT, "no group 'floor'");
  s = good, s.contact = "body";
  refuse_body(s, STC_ERR_DIMENSION, "'body' has dimension 2");
  s = good, s.periodic = true;
  refuse_body(s, STC_ERR_ARGUMENT, "cannot be periodic");
  s = good, s.contact = "top";
  refuse_body(s, STC_ERR_ARGUMENT, "'top': that side is the contact surface");
  s = good, s.u0[0].value = 1;
  refuse_body(s, STC_ERR_ARGUMENT, "give one of them");
  double C[9] = {1, 2, 0, 2, 1, 0, 0, 0, 1};
  stc_elastic_region region = {.group = "body", .stiffness = C, .density.value = 1};
  s = good, s.regions = 1, s.region = &region;
  refuse_body(s, STC_ERR_VALUE, "not positive definite");
  C[1] = 0;
  refuse_body(s, STC_ERR_VALUE, "not symmetric: row 1 has 0 in column 2");
  C[3] = 0, region.density.value = 0;
  refuse_body(s, STC_ERR_VALUE, "the density is 0");
  region.group = "bodies";
  refuse_body(s, STC_ERR_ARGUMENT, "bodies");
  const double speed[] = {0, 1, 1}, mu[] = {0.5, 0.4, 0.3};
  stc_rate_curve curve = {.points = 3, .speed = speed, .mu = mu};
  s = good, s.mu = &curve;
  refuse_body(s, STC_ERR_VALUE, "point 3 has 1");
  curve.points = 0;
  refuse_body(s, STC_ERR_ARGUMENT, "one or more");
  stc_mesh_free(&mesh);
}

// A layer thicker than the radius of a bent surface folds over.
static void a_folded_layer_is_refused(void **state) {
  stc_strip_settings s = stc_default_strip_settings();
  stc_mesh *mesh = grid_of(2, (int[]){8, 3}, STC_CELL_T3, NULL, ring);
  s.mesh = mesh;
  s.contact = "body.t0";
  s.eps = 1.5;
  s.degree = 1;
  refuse_body(s, STC_ERR_VALUE, "");
  stc_mesh_free(&mesh);
}

TEST_PROGRAM(cmocka_unit_test(a_gmsh_cylinder_is_the_strip),
             cmocka_unit_test(a_layer_outside_is_the_one_inside),
             cmocka_unit_test(a_rotated_body_does_the_same),
             cmocka_unit_test(a_ring_on_a_shaft_is_pressed_as_lame_says),
             cmocka_unit_test(a_ring_is_dragged_with_its_energy),
             cmocka_unit_test(a_spherical_body_keeps_its_energy),
             cmocka_unit_test(bodies_are_checked), cmocka_unit_test(a_folded_layer_is_refused))
