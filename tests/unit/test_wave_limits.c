// Strips and blocks at the edges of what they can be asked: nothing left to find, supports that
// contradict the contact, loads on the sides of the layer, supports that move in any direction.
#include "strip_support.h"

#include "fem/elastodynamic/strip/strip_data.h"

static double constant_speed(void *user, double t) { return 0.1; }

// --- No free unknown ---

// One cell whose sides and top are held, `down` below its rest, over a support that moves at 0.1:
// with rounded contact p = down/eta_n and the friction mu(0.1) p = (0.2 + 0.4/e) p on the length 1;
// with the law itself nothing is pressed at down = 0, and nothing can answer down > 0.
static stc_strip_settings held_cell(stc_support side[6], double down) {
  static const char *const name[] = {"left", "right", "top"};
  stc_strip_settings s = stc_default_strip_settings();
  s.cells[0] = s.cells[1] = 1;
  for (int k = 0; k < 6; k++) {
    side[k] = (stc_support){.group = name[k / 2], .component = k % 2};
    side[k].displacement.value = k % 2 ? -down : 0;
  }
  s.supports = 6;
  s.support = side;
  s.tau[0] = constant_speed;
  return s;
}

static void strip_without_unknowns(void **state) {
  stc_support side[6];
  stc_strip_report r;
  for (int degree = -1; degree <= 2; degree++)
    for (int pressed = 0; pressed < 2; pressed++)
      for (int rounded = 0; rounded < 2; rounded++) {
        stc_strip_settings s = held_cell(side, rounded ? 0.1 : 0);
        s.eps = degree < 0 ? 0 : 0.2;
        s.degree = degree < 0 ? 0 : degree;
        s.pressed = pressed;
        s.eta_n = rounded ? 0.01 : 0;
        stc_strip *strip = strip_of(&s);
        assert_int_equal(stc_strip_dofs(strip), 0);
        step(strip, &r);
        assert_true(r.converged);
        expect_near(r.normal_force, rounded ? 10 : 0, 1e-12);
        expect_near(r.friction[0], rounded ? 10 * (0.2 + 0.4 * exp(-1)) : 0, 1e-12);
        expect_near(r.slip[0], 0.1, 1e-15);
        stc_strip_free(&strip);
      }
}

static void supports_that_penetrate_are_refused(void **state) {
  stc_support side[6];
  stc_strip_report r;
  stc_strip_settings s = held_cell(side, 0.1);
  stc_strip *strip = strip_of(&s);
  expect_failure(stc_strip_step(strip, &r), STC_ERR_VALUE, "no force can lift it");
  stc_strip_free(&strip);
  s.pressed = true;
  expect_failure(stc_strip_create(&s, &strip), STC_ERR_VALUE, "no force can lift it");
}

// --- Sides of the layer ---

// The left side is held along x, the top along the depth, a pressure p acts on the right: the
// stress is uniform, sigma_xx = -p, and with no strain across x the contact, free of friction,
// bears lambda p/(lambda + 2G) (in space front and back are held too) everywhere, whatever the
// layer.
static void sides_carry_a_uniform_pressure(void **state) {
  const double lambda = 1.5, G = 0.7, p = 0.3;
  for (int dim = 2; dim <= 3; dim++)
    for (int degree = 0; degree <= 4; degree++) {
      stc_strip_settings s = stc_default_strip_settings();
      const stc_support hold[] = {{.group = "left", .component = 0},
                                  {.group = "top", .component = dim - 1},
                                  {.group = "front", .component = 1},
                                  {.group = "back", .component = 1}};
      const stc_traction push[] = {{.group = "right", .component = -1, .traction = {.value = p}}};
      s.dim = dim;
      s.size[0] = 2;
      s.cells[0] = s.cells[1] = s.cells[2] = 3;
      s.lambda = lambda;
      s.shear = G;
      s.eps = 0.2;
      s.degree = degree;
      s.pressed = true;
      s.supports = dim == 2 ? 2 : 4;
      s.support = hold;
      s.tractions = 1;
      s.traction = push;
      stc_strip *strip = strip_of(&s);
      for (int k = 0; k < stc_strip_contacts(strip); k++)
        expect_near(stc_strip_pressure(strip)[k], lambda * p / (lambda + 2 * G), 1e-12);
      stc_strip_free(&strip);
    }
}

// t(z) = 1 + 2 z + 3 z^2 (in space times 1 + y), for the virtual work below.
static bool shaped_traction(void *user, double t, const double *x, double *value) {
  int dim = *(const int *)user;
  double z = x[dim - 1];
  *value = t * (1 + 2 * z + 3 * z * z) * (dim == 3 ? 1 + x[1] : 1);
  return true;
}

// Of the field (z/eps)^2 in the layer, 1 above it, one component: 0 below, 1 at the nodes above and
// -1/4 of the bubble; multiplied by y in space.
static double square_field(const stc_strip *s, int node, bool bubble) {
  double y = s->dim == 3 ? s->mesh.x[node * 3 + 1] : 1;
  return bubble ? -y / 4 : s->mesh.x[node * s->dim + s->dim - 1] == 0 ? 0 : y;
}

// The work of the load on that field is the integral of t(z) (z/eps)^2 over the layer and of t
// above it; t has degree 2 and the field too. Cells above the layer are fine enough for Gauss's two
// points to integrate t exactly against 1. All sides, each along each axis and as a pressure.
static void sides_do_virtual_work(void **state) {
  static const char *const side[] = {"left", "right", "front", "back"};
  static const double inward[] = {1, -1, 1, -1};
  const double e = 0.25, D = 1;
  double layer = e / 3 + 2 * e * e / 4 + 3 * e * e * e / 5;
  double above = (D - e) + (D * D - e * e) + (D * D * D - e * e * e);
  for (int dim = 2; dim <= 3; dim++)
    for (int k = 0; k < (dim == 2 ? 2 : 4); k++)
      for (int component = -1; component < dim; component++) {
        stc_strip_settings s = stc_default_strip_settings();
        const stc_support hold[] = {{.group = "top", .component = dim - 1}};
        const stc_traction push[] = {
            {side[k], component, {.function = shaped_traction, .user = &dim}}};
        s.dim = dim;
        s.cells[0] = 2, s.cells[1] = 3, s.cells[2] = 3;
        s.eps = e;
        s.degree = 2;
        s.supports = 1, s.support = hold;
        s.tractions = 1, s.traction = push;
        stc_strip *strip = strip_of(&s);
        double *load = test_calloc((size_t)strip->size, sizeof *load), work = 0;
        if (stc_strip_load(strip, 2, load) != STC_OK) fail_msg("%s", stc_error_detail());
        int at = component < 0 ? k / 2 : component;
        for (int a = 0; a < strip->mesh.nodes; a++) {
          work += load[strip->number[a] * dim + at] * square_field(strip, a, false);
          if (strip->mesh.x[a * dim + dim - 1] == 0)
            work +=
                load[(strip->plain + strip->number[a]) * dim + at] * square_field(strip, a, true);
        }
        // across y: the integral of (1 + y) y along left and right; y = 0 in front, 1 at the back
        double across = dim == 2 ? 1 : k < 2 ? 5. / 6 : k == 2 ? 0 : 2;
        double sign = component < 0 ? inward[k] : 1;
        expect_near(work, 2 * sign * across * (layer + above), 1e-13);
        test_free(load);
        stc_strip_free(&strip);
      }
}

// A side that is held at u = z^2 puts its bubble where z^2 is in the middle of the layer.
static bool squared_height(void *user, double t, const double *x, double *value) {
  *value = x[1] * x[1];
  return true;
}

static void held_sides_shape_the_layer(void **state) {
  stc_strip_settings s = stc_default_strip_settings();
  const stc_support hold[] = {{"left", 0, {.function = squared_height}},
                              {.group = "top", .component = 1}};
  s.eps = 0.4;
  s.degree = 2;
  s.supports = 2;
  s.support = hold;
  stc_strip *strip = strip_of(&s);
  // z^2 = 0.4 z - (0.16/4) 4 s (1 - s) with s = z/0.4
  expect_near(strip->u[strip->plain * 2], -0.04, 1e-15);
  stc_strip_free(&strip);
}

// --- Directions ---

// A block all of whose nodes are given slips with its support: the friction is mu(|w|) p along w,
// whatever the direction.
typedef struct heading {
  double speed, angle;
} heading;

static double heading_x(void *user, double t) {
  const heading *h = user;
  return h->speed * cos(h->angle);
}

static double heading_y(void *user, double t) {
  const heading *h = user;
  return h->speed * sin(h->angle);
}

static void friction_follows_any_direction(void **state) {
  static const char *const name[] = {"left", "right", "front", "back", "top"};
  for (int k = 0; k < 12; k++) {
    heading h = {0.1, 0.5 * k};
    stc_support side[15];
    stc_strip_report r;
    stc_strip_settings s = stc_default_strip_settings();
    for (int i = 0; i < 15; i++) {
      side[i] = (stc_support){.group = name[i / 3], .component = i % 3};
      side[i].displacement.value = i % 3 == 2 ? -0.1 : 0;
    }
    s.dim = 3;
    s.cells[0] = s.cells[1] = s.cells[2] = 1;
    s.eta_n = 0.2;
    s.supports = 15;
    s.support = side;
    s.tau[0] = heading_x;
    s.tau[1] = heading_y;
    s.user = &h;
    stc_strip *strip = strip_of(&s);
    step(strip, &r);
    double most = 0.5 * (0.2 + 0.4 * exp(-1));
    expect_near(r.friction[0], most * cos(h.angle), 1e-12);
    expect_near(r.friction[1], most * sin(h.angle), 1e-12);
    expect_near(r.slip[0], 0.1 * cos(h.angle), 1e-15);
    expect_near(r.slip[1], 0.1 * sin(h.angle), 1e-15);
    stc_strip_free(&strip);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(strip_without_unknowns),
      cmocka_unit_test(supports_that_penetrate_are_refused),
      cmocka_unit_test(sides_carry_a_uniform_pressure),
      cmocka_unit_test(sides_do_virtual_work),
      cmocka_unit_test(held_sides_shape_the_layer),
      cmocka_unit_test(friction_follows_any_direction),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
