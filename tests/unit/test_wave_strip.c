// Strips and blocks on a moving support: what the layer weighs and stores, the law of the surface
// and its derivatives, energy, the column and the plane inside them, several answers, restarts.
#include "strip_support.h"

#include "fem/elastodynamic/strip/strip_data.h"

// --- Scenes ---

static const stc_support held_2d[] = {{.group = "top", .component = 0},
                                      {.group = "top", .component = 1}};

// A strip 4 x 1 whose top is pressed down by 0.3.
static stc_strip_settings finite_strip(stc_support top[2]) {
  stc_strip_settings s = stc_default_strip_settings();
  s.size[0] = 4;
  s.cells[0] = 8;
  s.cells[1] = 4;
  s.eps = 0.1;
  s.eta_n = 1e-2;
  s.eta_t = 1e-4;
  s.pressed = true;
  s.tau[0] = slow_ramp;
  memcpy(top, held_2d, sizeof held_2d);
  top[1].displacement.value = -0.3;
  s.supports = 2;
  s.support = top;
  return s;
}

static stc_strip *finite(void) {
  static stc_support top[2];  // outlives the strip, which keeps it
  stc_strip_settings s = finite_strip(top);
  return strip_of(&s);
}

// --- Refusals ---

static void expect_refusal(stc_strip_settings s, stc_error code, const char *words) {
  stc_strip *strip = (stc_strip *)&s;
  expect_failure(stc_strip_create(&s, &strip), code, words);
  assert_null(strip);
}

static void settings_are_checked(void **state) {
  stc_support top[2];
  stc_strip_settings good = finite_strip(top), s = good;
  s.dim = 1;
  expect_refusal(s, STC_ERR_VALUE, "dim = 1");
  s = good, s.eps = 1;
  expect_refusal(s, STC_ERR_VALUE, "thinner than the depth");
  s = good, s.cells[0] = 0;
  expect_refusal(s, STC_ERR_VALUE, "cells along x");
  s = good, s.degree = 9;
  expect_refusal(s, STC_ERR_VALUE, "degree = 9");
  s = good, s.eta_t = 0.1;
  expect_refusal(s, STC_ERR_VALUE, "below v_c");
  s = good, s.law.mu_d = 0.7;
  expect_refusal(s, STC_ERR_VALUE, "mu_s");
  s = good, s.dt = NAN;
  expect_refusal(s, STC_ERR_VALUE, "dt = nan");
  s = good, s.supports = 0;
  expect_refusal(s, STC_ERR_VALUE, "no static equilibrium");
  top[0].group = "bottom";
  expect_refusal(good, STC_ERR_ARGUMENT, "contact surface");
  top[0].group = "left";
  s = good, s.periodic = true;
  expect_refusal(s, STC_ERR_ARGUMENT, "periodic");
  expect_failure(stc_strip_create(&good, NULL), STC_ERR_ARGUMENT, "address");
}

static bool stop_strip(void *user, const char *stage, double done) {
  return strcmp(stage, "condensing contacts") != 0;
}

static void progress_can_stop(void **state) {
  stc_support top[2];
  stc_strip_settings s = finite_strip(top);
  s.progress = stop_strip;
  expect_refusal(s, STC_ERR_CALLBACK, "progress");
}

// --- What a layer weighs and stores ---

static stc_strip *free_block(int dim, int degree, bool periodic) {
  stc_strip_settings s = stc_default_strip_settings();
  s.dim = dim;
  s.size[0] = 2;
  s.size[dim - 1] = 1.5;
  if (dim == 3) s.size[1] = 0.5;
  s.cells[0] = 3, s.cells[1] = 2, s.cells[2] = 2;
  s.density = 1.3;
  s.lambda = 0.7;
  s.shear = 1.1;
  s.eps = 0.4;
  s.degree = degree;
  s.periodic = periodic;
  return strip_of(&s);
}

// A node of the mesh on the contact surface.
static bool is_foot(const stc_strip *strip, int a) {
  return strip->mesh.x[a * strip->dim + strip->dim - 1] == 0;
}

// Uniform motion: all of the mass moves, whatever the degree: E = rho V |v|^2/2.
static void mass_is_whole(void **state) {
  for (int dim = 2; dim <= 3; dim++)
    for (int degree = 0; degree <= 4; degree++) {
      stc_strip *strip = free_block(dim, degree, degree == 1);
      for (int i = 0; i < strip->plain * dim; i++) strip->v[i] = i % dim == 0 ? 2 : -1;
      double square = dim == 2 ? 5 : 6, volume = dim == 2 ? 3 : 1.5;
      stc_strip_refresh(strip);
      expect_near(stc_strip_energy(strip), 1.3 * volume * square / 2, 1e-13);
      stc_strip_free(&strip);
    }
}

// The field across the layer that the degree holds: shear u_x = c(s), s = height/eps, above it
// constant: E = G L/(2 eps) integral c'^2: 0 for a constant; 1 for s; 4/3 for s^2, which is
// s - B/4 with the bubble B = 4 s (1 - s).
static void layer_stores_shear(void **state) {
  static const double integral[] = {0, 1, 4. / 3};
  for (int dim = 2; dim <= 3; dim++)
    for (int degree = 0; degree <= 2; degree++) {
      stc_strip *strip = free_block(dim, degree, true);
      for (int a = 0; a < strip->mesh.nodes; a++)
        strip->u[strip->number[a] * dim] = is_foot(strip, a) && degree > 0 ? 0 : 1;
      for (int b = strip->plain; b < strip->reduced; b++) strip->u[b * dim] = -0.25;
      double area = dim == 2 ? 2 : 1;
      stc_strip_refresh(strip);
      expect_near(stc_strip_energy(strip), 1.1 * area / (2 * 0.4) * integral[degree], 1e-13);
      stc_strip_free(&strip);
    }
}

// Quadratic stretch u = s^2 across the layer: E = (lambda + 2 G) L/(2 eps) 4/3, and its inertia as
// a velocity: rho L eps/2 integral s^4 = 1/5, plus that of the body above, which moves with 1.
static void bubble_stretches(void **state) {
  stc_strip *strip = free_block(2, 2, true);
  for (int a = 0; a < strip->mesh.nodes; a++)
    strip->u[strip->number[a] * 2 + 1] = is_foot(strip, a) ? 0 : 1;
  for (int b = strip->plain; b < strip->reduced; b++) strip->u[b * 2 + 1] = -0.25;
  stc_strip_refresh(strip);
  expect_near(stc_strip_energy(strip), (0.7 + 2.2) * 2 / (2 * 0.4) * 4 / 3, 1e-13);
  memcpy(strip->v, strip->u, (size_t)strip->size * sizeof *strip->v);
  memset(strip->u, 0, (size_t)strip->size * sizeof *strip->u);
  stc_strip_refresh(strip);
  expect_near(stc_strip_energy(strip), 1.3 * 2 * (0.4 / 5 + 1.1) / 2, 1e-13);
  stc_strip_free(&strip);
}

// A bubble that bends along x too: u_x = x B on a strip held at no side. With X = integral x^2 over
// ]0, L[ of the interpolated x, which is x itself:
//   E = [ (lambda + 2 G) 8/15 eps L + G 16/(3 eps) X ] / 2.
static void bubble_couples_along(void **state) {
  stc_strip *strip = free_block(2, 2, false);
  for (int c = 0; c < strip->contacts; c++) strip->u[(strip->plain + c) * 2] = strip->place[c];
  stc_strip_refresh(strip);
  double X = 8. / 3;
  expect_near(stc_strip_energy(strip), (2.9 * 8 / 15 * 0.4 * 2 + 1.1 * 16 / 1.2 * X) / 2, 1e-12);
  stc_strip_free(&strip);
}

// Bubbles and linear functions work on each other. On L = 2, D = 1.5, eps = 0.4:
//   u_x = B, u_y = x s (x above the layer): shear B'/eps + s, whose square has the mean
//   16/3 /eps^2 - 4/3 /eps + 1/3; stretch x/eps, of which X = 8/3; above, shear 1.
//   u_x = x B, u_y = s: stretches B along and 1/eps across, with lambda 2/3 L between them.
static void bubble_meets_linear(void **state) {
  const double L = 2, eps = 0.4, X = 8. / 3, G = 1.1, lambda = 0.7;
  stc_strip *strip = free_block(2, 2, false);
  for (int a = 0; a < strip->mesh.nodes; a++)
    strip->u[strip->number[a] * 2 + 1] = is_foot(strip, a) ? 0 : strip->mesh.x[2 * a];
  for (int c = 0; c < strip->contacts; c++) strip->u[(strip->plain + c) * 2] = 1;
  stc_strip_refresh(strip);
  double shear = L * eps * (16. / 3 / (eps * eps) - 4. / 3 / eps + 1. / 3) + L * 1.1;
  double stretch = X / eps;
  expect_near(stc_strip_energy(strip), (G * shear + (lambda + 2 * G) * stretch) / 2, 1e-12);
  for (int a = 0; a < strip->mesh.nodes; a++)
    strip->u[strip->number[a] * 2 + 1] = is_foot(strip, a) ? 0 : 1;
  for (int c = 0; c < strip->contacts; c++) strip->u[(strip->plain + c) * 2] = strip->place[c];
  stc_strip_refresh(strip);
  stretch = (lambda + 2 * G) * (8. / 15 * eps * L + L / eps) + 2 * lambda * L * 2 / 3;
  expect_near(stc_strip_energy(strip), (stretch + G * 16 / (3 * eps) * X) / 2, 1e-12);
  stc_strip_free(&strip);
}

// --- Static pressure ---

// Under its weight f per volume a layer bends like (lambda + 2 G) u'' = f: bubbles of
// -f eps^2/(8 (lambda + 2 G)), and the support bears all of the weight that the top does not.
static void weight_bends_the_layer(void **state) {
  stc_strip_settings s = stc_default_strip_settings();
  const stc_support top[] = {{.group = "top", .component = 0},
                             {.group = "top", .component = 1, .displacement.value = -0.5}};
  s.periodic = s.pressed = true;
  s.eps = 0.3;
  s.degree = 2;
  s.cells[0] = 2, s.cells[1] = 3;
  s.force[1] = -0.6;
  s.supports = 2;
  s.support = top;
  stc_strip *strip = strip_of(&s);
  for (int b = strip->plain; b < strip->reduced; b++)
    expect_near(strip->u[2 * b + 1], -0.6 * 0.09 / 24, 1e-14);
  for (int i = 0; i < stc_strip_contacts(strip); i++)  // 3 u' = p at the foot: p = 3 d/D + f D/2
    expect_near(stc_strip_pressure(strip)[i], 1.5 + 0.3, 1e-12);
  stc_strip_free(&strip);
}

// A periodic strip pressed by d is stretched uniformly: p ((D - eps or D)/(lambda + 2 G) + eta) =
// d; a layer of degree 0 is rigid. In space the cap 1/eta^2 comes first where it is lower.
static void pressure_is_uniform(void **state) {
  for (int dim = 2; dim <= 3; dim++)
    for (int degree = 0; degree <= 4; degree++) {
      stc_support hold[] = {{.group = "top", .component = 0},
                            {.group = "top", .component = dim - 1, .displacement.value = -0.2},
                            {.group = "front", .component = 1},
                            {.group = "back", .component = 1}};
      stc_strip_settings s = stc_default_strip_settings();
      s.dim = dim;
      s.cells[0] = 3, s.cells[1] = 2, s.cells[2] = 2;
      s.periodic = s.pressed = true;
      s.eps = 0.25;
      s.eta_n = 0.05;
      s.degree = degree;
      s.supports = dim == 2 ? 2 : 4;
      s.support = hold;
      stc_strip *strip = strip_of(&s);
      double p = 0.2 / ((degree == 0 ? 0.75 : 1.0) / 3 + 0.05);
      for (int i = 0; i < stc_strip_contacts(strip); i++)
        expect_near(stc_strip_pressure(strip)[i], p, 1e-12);
      stc_strip_free(&strip);
    }
}

static void cap_holds_in_space(void **state) {
  stc_support hold[] = {{.group = "top", .component = 0},
                        {.group = "top", .component = 1},
                        {.group = "top", .component = 2, .displacement.value = -9}};
  stc_strip_settings s = stc_default_strip_settings();
  s.dim = 3;
  s.cells[0] = s.cells[1] = s.cells[2] = 2;
  s.pressed = true;
  s.eta_n = 1;  // p = xi up to 1
  s.supports = 3;
  s.support = hold;
  stc_strip *strip = strip_of(&s);
  stc_strip_report report;
  for (int i = 0; i < stc_strip_contacts(strip); i++)
    expect_near(stc_strip_pressure(strip)[i], 1, 1e-12);
  step(strip, &report);
  assert_true(report.converged);
  expect_near(report.normal_force, 1, 1e-12);
  int sweeps = 0;
  memset(strip->surface.f, 0, (size_t)strip->surface.size * sizeof *strip->surface.f);
  assert_true(stc_interface_sweep(&strip->surface, 1e-12, 200, &sweeps, &report.residual));
  expect_near(stc_interface_pressure(&strip->surface), 1, 1e-12);
  stc_strip_free(&strip);
}

// --- The law of the surface ---

static stc_interface one_node(int dim, double eta_n, double eta_t, double cap) {
  stc_interface s;
  const stc_interface_law law = {
      .rate = {0.6, 0.2, 0.1}, .eta_n = eta_n, .eta_t = eta_t, .cap = cap, .lever = 0.05};
  assert_int_equal(stc_interface_create(1, dim, &law, &s), STC_OK);
  s.area[0] = 0.5;
  s.r_n[0] = 30;
  s.r_t[0] = 2;
  return s;
}

// dg/df and dg/dv against central differences.
static void check_derivatives(stc_interface *s, stc_interface_status expected) {
  const double h = 1e-6;
  int d = s->dim;
  double g[3], Jf[9], Jv[9], plus[3], minus[3];
  assert_int_equal(stc_interface_node(s, 0, g, Jf, Jv), expected);
  for (int which = 0; which < 2; which++)
    for (int l = 0; l < d; l++) {
      double *x = (which == 0 ? s->f : s->v) + l, kept = *x;
      const double *J = which == 0 ? Jf : Jv;
      *x = kept + h;
      stc_interface_node(s, 0, plus, NULL, NULL);
      *x = kept - h;
      stc_interface_node(s, 0, minus, NULL, NULL);
      *x = kept;
      for (int k = 0; k < d; k++) expect_near(J[k * d + l], (plus[k] - minus[k]) / (2 * h), 2e-6);
    }
}

static void slide_sets(stc_interface *s, const double *f, const double *v, double height) {
  memcpy(s->f, f, (size_t)s->dim * sizeof *f);
  memcpy(s->v, v, (size_t)s->dim * sizeof *v);
  s->height[0] = height;
}

// The residual stands over a frozen scale where a node sticks: there the derivatives are exact at a
// residual of 0 only, so that the stuck state is one that obeys the law.
static void derivatives_are_right(void **state) {
  for (int dim = 2; dim <= 3; dim++)
    for (int exact = 0; exact <= 1; exact++) {
      double eta_n = exact ? 0 : 0.02, eta_t = exact ? 0 : 0.01;
      stc_interface s = one_node(dim, eta_n, eta_t, INFINITY);
      slide_sets(&s, (double[]){0.4, 0.15, 0.1}, (double[]){-0.2, -0.3, 0.1}, -0.01);
      check_derivatives(&s, STC_INTERFACE_SLIDING);
      slide_sets(&s, (double[]){0.01, 0.01, 0.02}, (double[]){0.2, -0.3, 0.1}, 0.02);
      check_derivatives(&s, STC_INTERFACE_OPEN);
      double w = exact ? 0 : 0.004;
      double f = exact ? 0.1 : 0.4 * stc_rate_mu(&s.law.rate, w) * w / 0.01;
      slide_sets(&s, (double[]){0.4, f, 0}, (double[]){-0.2, -w, 0}, -0.01);
      check_derivatives(&s, STC_INTERFACE_STUCK);
      stc_interface_free(&s);
      s = one_node(dim, 0.02, eta_t, 0.1);
      slide_sets(&s, (double[]){0.06, 0.02, 0.01}, (double[]){-0.2, -0.3, 0.1}, -0.5);
      check_derivatives(&s, STC_INTERFACE_SLIDING);
      stc_interface_free(&s);
    }
}

// p = xi/eta_n = 2, a = 1/2: f_N = 1; w = (0.3, -0.4): f_T = mu(0.5) (0.6, -0.8). Not so with the
// slip turned round, nor with more force, nor in a gap.
static void residual_knows_the_law(void **state) {
  stc_interface s = one_node(3, 0.02, 0.01, INFINITY);
  double mu = stc_rate_mu(&s.law.rate, 0.5), v[] = {0.1, -0.3, 0.4};
  double f[] = {1, 0.6 * mu, -0.8 * mu};
  slide_sets(&s, f, v, -0.045);
  assert_true(stc_interface_residual(&s) < 1e-15);
  f[1] *= 1.01;
  slide_sets(&s, f, v, -0.045);
  assert_true(stc_interface_residual(&s) > 1e-3);
  f[1] /= -1.01, f[2] *= -1;
  slide_sets(&s, f, v, -0.045);
  assert_true(stc_interface_residual(&s) > 1e-1);
  slide_sets(&s, (double[]){1, 0, 0}, v, 0.1);
  assert_true(stc_interface_residual(&s) > 1e-1);
  slide_sets(&s, (double[]){0, 0, 0}, v, 0.1);
  assert_true(stc_interface_residual(&s) == 0);
  stc_interface_free(&s);
}

// Held along T2, under the law itself: stuck while the support does not move along it, with no
// friction there; dragged by 0.3 it slides, with all of the friction along it.
static void held_component_is_dragged(void **state) {
  stc_interface s = one_node(3, 0.02, 0, INFINITY);
  double g[3], mu = stc_rate_mu(&s.law.rate, 0.3);
  s.held[2] = true;
  slide_sets(&s, (double[]){1, 0.2, 0}, (double[]){0.1, 0, 0}, -0.045);
  assert_int_equal(stc_interface_node(&s, 0, g, NULL, NULL), STC_INTERFACE_STUCK);
  assert_true(stc_interface_residual(&s) < 1e-15);
  slide_sets(&s, (double[]){1, 0.2, 0.1}, (double[]){0.1, 0, 0}, -0.045);
  assert_true(stc_interface_residual(&s) > 0.05);
  slide_sets(&s, (double[]){1, 0, 0}, (double[]){0.1, 0, -0.3}, -0.045);
  assert_true(stc_interface_residual(&s) > 0.1);
  slide_sets(&s, (double[]){1, 0, mu}, (double[]){0.1, 0, -0.3}, -0.045);
  assert_int_equal(stc_interface_node(&s, 0, g, NULL, NULL), STC_INTERFACE_SLIDING);
  assert_true(stc_interface_residual(&s) < 1e-15);
  stc_interface_free(&s);
}

// Newton's method and Gauss-Seidel find the one answer of a step, each on its own.
static void two_ways_to_one_answer(void **state) {
  stc_strip *strip = finite();
  stc_strip_report report;
  double found[2][64], residual;
  for (int k = 0; k < 400; k++) step(strip, &report);
  assert_true(report.uniqueness < 1 && report.sliding > 0 && report.stuck > 0);
  stc_interface *f = &strip->surface;
  assert_true(f->size <= 64);
  for (int way = 0; way < 2; way++) {
    int count = 0;
    memset(f->f, 0, (size_t)f->size * sizeof *f->f);
    if (way == 0)
      assert_true(stc_interface_newton(f, 1e-13, 50, false, &count, &residual));
    else
      assert_true(stc_interface_sweep(f, 1e-13, 500, &count, &residual));
    memcpy(found[way], f->f, (size_t)f->size * sizeof *f->f);
  }
  for (int i = 0; i < f->size; i++) expect_near(found[0][i], found[1][i], 1e-12);
  stc_strip_free(&strip);
}

// --- Energy ---

static bool pushed(void *user, double t, const double *x, double *value) {
  *value = -0.3 - 0.02 * sin(3 * t);
  return true;
}

static bool shaken(void *user, double t, const double *x, double *value) {
  *value = -0.01 * t * (1 - x[1]);
  return true;
}

static bool pulled(void *user, double t, const double *x, double *value) {
  *value = 0.05 * sin(2 * t) * (1 - x[1]);
  return true;
}

// Everything that does work at once; every degree; regularised and not.
static void energy_balances(void **state) {
  for (int degree = 0; degree <= 4; degree++)
    for (int exact = 0; exact <= 1; exact++) {
      stc_support top[3];
      stc_strip_settings s = finite_strip(top);
      const stc_traction pull = {.group = "right", .component = 0, .traction.function = pulled};
      top[1].displacement.function = pushed;
      top[2] = (stc_support){.group = "left", .component = 0, .displacement.function = shaken};
      s.supports = 3;
      s.degree = degree;
      s.dt = 0.002;
      s.force[1] = -0.1;
      s.tractions = 1;
      s.traction = &pull;
      if (exact) s.eta_n = s.eta_t = 0;
      stc_strip *strip = strip_of(&s);
      stc_strip_report report;
      for (int k = 0; k < 300; k++) {
        step(strip, &report);
        assert_true(report.converged && report.residual < 1e-10);
      }
      assert_int_equal(report.open + report.stuck + report.sliding, 9);
      stc_strip_free(&strip);
    }
}

// One iteration does not solve a step: the report says so, while the energy still balances.
static void failure_is_told(void **state) {
  stc_support top[2];
  stc_strip_settings s = finite_strip(top);
  s.max_iterations = 1;
  s.max_sweeps = 0;
  stc_strip *strip = strip_of(&s);
  stc_strip_report report;
  bool failed = false;
  for (int k = 0; k < 5; k++) {
    step(strip, &report);
    failed = failed || (!report.converged && report.residual > s.tol);
  }
  assert_true(failed);
  stc_strip_free(&strip);
}

// --- The column inside the strip ---

/// A periodic strip, uniform along x, whose support goes up and down.
static stc_strip_settings column_strip(stc_support top[2], int across, int along, double dt) {
  stc_strip_settings s = finite_strip(top);
  s.periodic = true;
  s.size[0] = 1, s.size[1] = 8;
  s.cells[0] = across, s.cells[1] = along;
  s.dt = dt;
  s.eta_t = 0;
  s.tau[0] = up_and_down;
  return s;
}

// A strip that is uniform along x is the bar: same levels, same steps, p = 1.
static void periodic_strip_is_the_bar(void **state) {
  stc_support top[2];
  stc_strip_settings s = column_strip(top, 2, 200, 0.01);
  s.eta_n = 0.01;
  top[1].displacement.value = -(7.9 / 3 + 0.01);
  const stc_bar_settings b = {.law = s.law,
                              .density = 1,
                              .speed = 1,
                              .load = 1,
                              .depth = 7.9,
                              .layer = 0.1,
                              .elements = 200,
                              .dt = 0.01,
                              .clamped = true,
                              .tau = up_and_down};
  stc_strip *strip = strip_of(&s);
  stc_bar *bar = NULL;
  stc_strip_report report;
  stc_bar_report bar_report;
  double most = 0;
  assert_int_equal(stc_bar_create(&b, &bar), STC_OK);
  for (int k = 0; k < 900; k++) {
    step(strip, &report);
    assert_int_equal(stc_bar_step(bar, &bar_report), STC_OK);
    expect_near(report.slip[0], bar_report.w, 1e-10);
    expect_near(report.friction[0], bar_report.friction, 1e-10);
    most = fmax(most, report.slip[0]);
  }
  assert_true(most > 0.3);  // it did jump
  stc_bar_free(&bar);
  stc_strip_free(&strip);
}

static stc_strip *bare_strip(stc_root_rule rule) {
  stc_support top[2];
  stc_strip_settings s = column_strip(top, 1, 400, 0.02);
  s.eps = 0;
  s.rule = rule;
  top[1].displacement.value = -(8. / 3 + 0.01);
  return strip_of(&s);
}

// Times at which a bare strip begins to slide and sticks again; steps with three answers.
static int passages(stc_root_rule rule, double *up, double *down) {
  stc_strip *strip = bare_strip(rule);
  stc_strip_report report;
  int several = 0;
  *up = *down = NAN;
  for (int k = 0; k < 680; k++) {
    step(strip, &report);
    assert_true(report.ruled && report.converged);
    if (isnan(*up) && report.slip[0] > 0.2) *up = report.t;
    if (report.sliding > 0) *down = report.t;
    several += report.several > 0 && report.roots == 3;
    expect_near(report.uniqueness, 3.4641, 1e-4);  // 2 sqrt(3), whatever the mesh
  }
  stc_strip_free(&strip);
  return several;
}

// Without a layer b p max|mu'| = 2 sqrt(3) as in the bar, and the rule decides when it jumps: the
// times of a bar four times as fine, to some steps.
static void bare_strip_depends_on_the_rule(void **state) {
  static const double expected[][2] = {
      [STC_ROOT_DELAY] = {6, 11.41}, [STC_ROOT_MIN] = {6, 12.92}, [STC_ROOT_MAX] = {4.6, 12.98}};
  for (stc_root_rule rule = STC_ROOT_DELAY; rule <= STC_ROOT_MAX; rule++) {
    double up, down;
    assert_true(passages(rule, &up, &down) > 20);
    expect_near(up, expected[rule][0], 0.05);
    expect_near(down, expected[rule][1], 0.1);
  }
}

// --- The plane inside the block ---

// Held along y at both ends, a block is the strip times its width.
static void block_is_the_strip(void **state) {
  stc_support top[2], hold[5];
  stc_strip_settings s = finite_strip(top), b = s;
  s.cells[0] = 6, s.cells[1] = 2;
  b.dim = 3;
  b.size[1] = 0.5, b.size[2] = 1;
  b.cells[0] = 6, b.cells[1] = 2, b.cells[2] = 2;
  hold[0] = top[0];
  hold[1] = (stc_support){.group = "top", .component = 1};
  hold[2] = (stc_support){.group = "top", .component = 2, .displacement.value = -0.3};
  hold[3] = (stc_support){.group = "front", .component = 1};
  hold[4] = (stc_support){.group = "back", .component = 1};
  b.supports = 5;
  b.support = hold;
  stc_strip *strip = strip_of(&s), *block = strip_of(&b);
  stc_strip_report flat, deep;
  for (int k = 0; k < 400; k++) {
    step(strip, &flat);
    step(block, &deep);
    assert_true(flat.converged && deep.converged);
    expect_near(2 * deep.normal_force, flat.normal_force, 1e-9);
    expect_near(2 * deep.friction[0], flat.friction[0], 1e-9);
    expect_near(deep.slip[0], flat.slip[0], 1e-9);
    expect_near(deep.friction[1], 0, 1e-9);
  }
  assert_true(flat.sliding > 0);
  stc_strip_free(&strip);
  stc_strip_free(&block);
}

// A support that moves along x and one that moves along y drag a square block alike.
static void directions_are_alike(void **state) {
  stc_support hold[3] = {{.group = "top", .component = 0},
                         {.group = "top", .component = 1},
                         {.group = "top", .component = 2, .displacement.value = -0.3}};
  stc_strip *block[2];
  for (int k = 0; k < 2; k++) {
    stc_strip_settings s = stc_default_strip_settings();
    s.dim = 3;
    s.size[0] = s.size[1] = 2;
    s.cells[0] = s.cells[1] = 3, s.cells[2] = 2;
    s.eps = 0.2;
    s.eta_n = 1e-2;
    s.pressed = true;
    s.supports = 3;
    s.support = hold;
    s.tau[k] = up_and_down;
    block[k] = strip_of(&s);
  }
  stc_strip_report x, y;
  for (int k = 0; k < 300; k++) {
    step(block[0], &x);
    step(block[1], &y);
    assert_true(x.converged && y.converged);
    expect_near(x.friction[0], y.friction[1], 1e-9);
    expect_near(x.friction[1], y.friction[0], 1e-9);
    expect_near(x.slip[0], y.slip[1], 1e-9);
  }
  assert_true(x.sliding > 0);
  stc_strip_free(&block[0]);
  stc_strip_free(&block[1]);
}

// --- Before a run ---

// rho = G = 1, p max|mu'| = 4: nucleation 4 pi 0.1/16; cells of 0.225 add 0.225/0.3 of the layer.
static void resolution_is_told(void **state) {
  stc_strip *strip = finite();
  stc_strip_resolution r;
  stc_strip_resolve(strip, 1, &r);
  expect_near(r.nucleation, 4 * 3.14159265358979 * 0.1 / 16, 1e-12);
  expect_near(r.mass_ratio, 0.75, 1e-12);
  expect_near(r.cell, 0.5, 1e-15);
  assert_non_null(strstr(r.warning, "the cells add 75 %"));
  assert_non_null(strstr(r.warning, "nucleation length of 0.0785"));
  assert_null(strstr(r.warning, "several answers"));
  stc_strip_resolve(strip, 20, &r);
  assert_true(r.uniqueness > 1);
  assert_non_null(strstr(r.warning, "several answers, the rule 'delay'"));
  stc_strip_resolve(strip, 0.25, &r);  // p max|mu'| = rho c: sliding is stable
  assert_true(isinf(r.nucleation) && !strstr(r.warning, "nucleation"));
  stc_strip_free(&strip);
  double number[2];  // waves go straight up and down: the width of the cell does not matter
  stc_support top[2];
  stc_strip_settings s = finite_strip(top);
  for (int k = 0; k < 2; k++) {
    s.periodic = true;
    s.cells[0] = 1;
    s.size[0] = k == 0 ? 1 : 4;
    strip = strip_of(&s);
    stc_strip_resolve(strip, 1, &r);
    number[k] = r.uniqueness;
    stc_strip_free(&strip);
  }
  expect_near(number[0], number[1], 1e-9);
}

// --- Restart ---

static void restart_has_the_same_bits(void **state) {
  stc_support top[2];
  stc_strip_settings s = finite_strip(top);
  s.degree = 2;
  stc_strip *strip = strip_of(&s), *other = strip_of(&s);
  stc_strip_report a, b;
  for (int k = 0; k < 380; k++) step(strip, &a);
  size_t count = stc_strip_state_size(strip);
  double *kept = calloc(count, sizeof *kept);
  assert_non_null(kept);
  stc_strip_save(strip, kept);
  assert_int_equal(stc_strip_restore(other, kept, count), STC_OK);
  assert_true(stc_strip_time(other) == stc_strip_time(strip));
  for (int k = 0; k < 60; k++) {
    step(strip, &a);
    step(other, &b);
    assert_true(a.t == b.t && a.energy == b.energy && a.friction[0] == b.friction[0]);
    assert_true(a.slip[0] == b.slip[0] && a.iterations == b.iterations && a.sweeps == b.sweeps);
  }
  expect_failure(stc_strip_restore(other, kept, count - 1), STC_ERR_ARGUMENT, "numbers");
  kept[3] = NAN;
  expect_failure(stc_strip_restore(other, kept, count), STC_ERR_VALUE, "number 3");
  free(kept);
  stc_strip_free(&strip);
  stc_strip_free(&other);
  stc_strip_free(&other);
}

// Where the rule decides, the slip of the step before is part of the state.
static void restart_remembers_the_branch(void **state) {
  stc_strip *strip = bare_strip(STC_ROOT_DELAY), *other = bare_strip(STC_ROOT_DELAY);
  stc_strip_report a, b;
  size_t count = stc_strip_state_size(strip);
  double *kept = calloc(count, sizeof *kept);
  assert_non_null(kept);
  int chosen = 0;
  for (int k = 0; k < 600; k++) {
    step(strip, &a);
    if (a.several == 0 || a.sliding == 0) continue;
    stc_strip_save(strip, kept);
    other->surface.w_before[0] = 0;
    assert_int_equal(stc_strip_restore(other, kept, count), STC_OK);
    step(strip, &a);
    step(other, &b);
    assert_true(a.slip[0] == b.slip[0] && a.iterations == b.iterations && a.sweeps == b.sweeps);
    chosen++;
  }
  assert_true(chosen > 5);
  free(kept);
  stc_strip_free(&strip);
  stc_strip_free(&other);
}

// Motion is given for the nodes of the mesh: those of the top are held, pressed down by 0.3, and
// the others move once the support does.
static void nodes_of_the_mesh_move(void **state) {
  stc_strip *strip = finite();
  const stc_mesh *mesh = stc_strip_mesh(strip);
  size_t count = 2 * (size_t)mesh->nodes;
  double *u = calloc(count, sizeof *u), *v = calloc(count, sizeof *v), top = 0, moving = 0;
  stc_strip_report report;
  for (int k = 0; k < 20; k++) step(strip, &report);
  stc_strip_displacement(strip, u);
  stc_strip_velocity(strip, v);
  for (int a = 0; a < mesh->nodes; a++) top = fmax(top, mesh->x[2 * a + 1]);
  for (int a = 0; a < mesh->nodes; a++) {
    moving = fmax(moving, fabs(v[2 * a]));
    if (mesh->x[2 * a + 1] < top) continue;
    assert_true(u[2 * a] == 0 && u[2 * a + 1] == -0.3);
    assert_true(v[2 * a] == 0 && v[2 * a + 1] == 0);
  }
  assert_true(moving > 1e-6 && moving < 1);
  free(u), free(v);
  stc_strip_free(&strip);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(settings_are_checked),
                                     cmocka_unit_test(nodes_of_the_mesh_move),
                                     cmocka_unit_test(progress_can_stop),
                                     cmocka_unit_test(mass_is_whole),
                                     cmocka_unit_test(layer_stores_shear),
                                     cmocka_unit_test(bubble_stretches),
                                     cmocka_unit_test(bubble_couples_along),
                                     cmocka_unit_test(bubble_meets_linear),
                                     cmocka_unit_test(weight_bends_the_layer),
                                     cmocka_unit_test(pressure_is_uniform),
                                     cmocka_unit_test(cap_holds_in_space),
                                     cmocka_unit_test(derivatives_are_right),
                                     cmocka_unit_test(residual_knows_the_law),
                                     cmocka_unit_test(held_component_is_dragged),
                                     cmocka_unit_test(two_ways_to_one_answer),
                                     cmocka_unit_test(energy_balances),
                                     cmocka_unit_test(failure_is_told),
                                     cmocka_unit_test(periodic_strip_is_the_bar),
                                     cmocka_unit_test(bare_strip_depends_on_the_rule),
                                     cmocka_unit_test(block_is_the_strip),
                                     cmocka_unit_test(directions_are_alike),
                                     cmocka_unit_test(resolution_is_told),
                                     cmocka_unit_test(restart_has_the_same_bits),
                                     cmocka_unit_test(restart_remembers_the_branch)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
