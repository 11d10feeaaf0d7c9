// The theorems of Paumier and Renard on meshes: the estimate of theorem 1 along random runs, the
// iteration of theorem 2 beside the time steps, certificates of uniqueness of a step.
#include "strip_support.h"

#include "base/random.h"
#include "fem/elastodynamic/strip/strip_data.h"

static stc_strip_settings pressed_strip(int dim, stc_support top[3]) {
  stc_strip_settings s = stc_default_strip_settings();
  s.dim = dim;
  s.size[0] = 2;
  s.cells[0] = 6, s.cells[1] = dim == 2 ? 3 : 2, s.cells[2] = 2;
  if (dim == 3) s.cells[0] = 3;
  s.eps = 0.2;
  s.eta_n = 0.05, s.eta_t = 0.05;
  s.pressed = true;
  s.tau[0] = up_and_down;
  for (int i = 0; i < dim; i++) top[i] = (stc_support){.group = "top", .component = i};
  top[dim - 1].displacement.value = -0.2;
  s.supports = dim;
  s.support = top;
  return s;
}

// --- Theorem 1 ---

static double random_tau(void *user, double t) {
  const double *a = user;
  return a[0] * sin(a[1] * t) + a[2] * t;
}

static bool random_push(void *user, double t, const double *x, double *value) {
  const double *a = user;
  *value = a[3] * sin(a[4] * t + 3 * x[0]);
  return true;
}

// The constants hold for every motion, so for random ones: eps |v|_C^2 <= trace v.M v and
// |w|_1^2 <= korn (w.K w + beta w.M w). The trace of polynomials of degree m is (m + 1)^2 of their
// mean square, times at most 3 for nodes whose areas are lumped, in each direction.
static void check_constants(stc_strip *s, const stc_strip_estimate *e, stc_random *random) {
  double *x = test_calloc((size_t)s->size, sizeof *x), *y = test_calloc((size_t)s->size, sizeof *y);
  for (int trial = 0; trial < 5; trial++) {
    double surface = 0, mass = 0, energy = 0, norm = 0;
    for (int i = 0; i < s->size; i++) x[i] = s->fixed[i] ? 0 : 2 * stc_random_uniform(random) - 1;
    for (int i = 0; i < s->size; i++) surface += s->followed.area[i] * x[i] * x[i];
    stc_csr_multiply(&s->M, x, 0, y);
    for (int i = 0; i < s->size; i++) mass += x[i] * y[i];
    stc_csr_multiply(&s->K, x, 0, y);
    for (int i = 0; i < s->size; i++) energy += x[i] * y[i];
    stc_csr_multiply(&s->followed.H, x, 0, y);
    for (int i = 0; i < s->size; i++) norm += x[i] * y[i];
    assert_true(s->settings.eps * surface <= e->trace * mass);
    assert_true(norm <= e->korn * (energy + e->beta * mass));
    assert_true(mass <= e->mass * (energy + e->beta * mass));
  }
  double m = s->settings.degree + 1, lumped = s->dim == 2 ? 3 : 9;
  assert_true(e->trace * s->settings.density <= 1.05 * m * m * lumped);
  test_free(x), test_free(y);
}

// 100 random runs: the measured norm stays below the bound in every step.
static void the_norm_stays_below_its_bound(void **state) {
  stc_random random = stc_random_seed(7);
  double nearest = 0;
  for (int run = 0; run < 100; run++) {
    stc_support top[3];
    double a[5];
    int dim = run % 10 == 9 ? 3 : 2;
    for (int k = 0; k < 5; k++) a[k] = 2 * stc_random_uniform(&random) - 1;
    stc_strip_settings s = pressed_strip(dim, top);
    top[dim - 1].displacement.function = random_push;
    top[dim - 1].displacement.user = a;
    s.eps = 0.02 + 0.4 * stc_random_uniform(&random);
    s.degree = run % 5;
    s.eta_n = run % 3 == 0 ? 0 : 0.1 * stc_random_uniform(&random);
    s.eta_t = run % 3 == 1 ? 0 : 0.05 * stc_random_uniform(&random);
    s.density = 0.5 + stc_random_uniform(&random);
    s.lambda = 2 * stc_random_uniform(&random);
    s.tau[0] = random_tau;
    s.user = a;
    s.dt = 0.005 + 0.02 * stc_random_uniform(&random);
    if (run % 4 == 3) s.pressed = false, s.supports = 0, s.force[dim - 1] = -0.5;
    stc_strip *strip = strip_of(&s);
    stc_strip_estimate e;
    stc_strip_report r;
    expect_ok(stc_strip_estimate_norm(strip, 0.3 + 2 * stc_random_uniform(&random), &e));
    assert_true((e.beta > 0) == (s.supports == 0));
    check_constants(strip, &e, &random);
    for (int k = 0; k < 40; k++) {
      step(strip, &r);
      assert_true(r.norm <= r.bound);
    }
    if (r.bound > 0) nearest = fmax(nearest, r.norm / r.bound);
    stc_strip_free(&strip);
  }
  assert_true(nearest > 1e-4);  // the bound is no idle one
}

// w is the motion of the contact forces: without supports and loads that move anything else, all of
// it is w.
static void the_followed_part_is_the_motion(void **state) {
  stc_strip_settings s = stc_default_strip_settings();
  s.cells[0] = 4, s.cells[1] = 3;
  s.eps = 0.1, s.degree = 2;
  s.eta_n = 0.1;
  s.gap.value = -0.02;  // it begins inside of the support, which throws it out
  s.tau[0] = up_and_down;
  stc_strip *strip = strip_of(&s);
  stc_strip_estimate e;
  stc_strip_report r;
  expect_ok(stc_strip_estimate_norm(strip, 1, &e));
  for (int k = 0; k < 50; k++) step(strip, &r);
  for (int i = 0; i < strip->size; i++) {
    expect_near(strip->followed.w[i], strip->u[i], 1e-13);
    expect_near(strip->followed.w_t[i], strip->v[i], 1e-12);
  }
  assert_true(r.norm > 1e-4);
  size_t count = stc_strip_state_size(strip);
  double *kept = test_calloc(count, sizeof *kept), norm;
  stc_strip_save(strip, kept);
  step(strip, &r);
  norm = r.norm;
  expect_ok(stc_strip_restore(strip, kept, count));
  step(strip, &r);
  assert_true(r.norm == norm);
  test_free(kept);
  stc_strip_free(&strip);
}

static void estimates_are_checked(void **state) {
  stc_support top[3];
  stc_strip_settings s = pressed_strip(2, top);
  stc_strip_estimate e;
  stc_strip_report r;
  stc_strip *strip = strip_of(&s);
  expect_failure(stc_strip_estimate_norm(strip, 0, &e), STC_ERR_VALUE, "alpha = 0");
  expect_failure(stc_strip_estimate_norm(strip, 100, &e), STC_ERR_VALUE, "alpha = 100");
  step(strip, &r);
  expect_failure(stc_strip_estimate_norm(strip, 1, &e), STC_ERR_VALUE, "1 steps were made");
  stc_strip_free(&strip);
  s.eps = 0;
  strip = strip_of(&s);
  expect_failure(stc_strip_estimate_norm(strip, 1, &e), STC_ERR_VALUE, "about a layer");
  stc_strip_free(&strip);
}

// --- Theorem 2 ---

static void the_iteration_meets_the_steps(void **state) {
  for (int dim = 2; dim <= 3; dim++)
    for (int degree = 0; degree <= 2; degree++) {
      const int steps = dim == 2 ? 60 : 20;
      stc_support top[3];
      stc_strip_settings s = pressed_strip(dim, top);
      s.degree = degree;
      s.dt = 0.005 / ((degree + 1) * (degree + 1) * (degree + 1) * (dim - 1));
      stc_strip *strip = strip_of(&s);
      stc_strip_estimate e;
      stc_fixed_point r;
      expect_ok(stc_strip_estimate_norm(strip, 1, &e));
      expect_ok(stc_strip_iterate(strip, steps, 1e-10, 400, &r));
      assert_true(r.converged && r.difference < 1e-9);
      assert_true(r.p >= 1 && r.factor < 1 && r.rate < 1);
      assert_true(r.bound_p >= r.p && r.bound > 0 && r.bound < 1);
      expect_near(stc_strip_time(strip), steps * s.dt, 1e-15);
      stc_strip_free(&strip);
    }
}

static void iterations_are_checked(void **state) {
  stc_support top[3];
  stc_strip_settings s = pressed_strip(2, top);
  stc_fixed_point r;
  stc_strip *strip = strip_of(&s);
  expect_failure(stc_strip_iterate(strip, 0, 1e-8, 10, &r), STC_ERR_VALUE, "0 steps");
  expect_failure(stc_strip_iterate(strip, 5, 0, 10, &r), STC_ERR_VALUE, "tol = 0");
  stc_strip_free(&strip);
  s.eta_t = 0;
  strip = strip_of(&s);
  expect_failure(stc_strip_iterate(strip, 5, 1e-8, 10, &r), STC_ERR_VALUE, "eta_t = 0");
  stc_strip_free(&strip);
}

// --- Certificates ---

// With a layer every step has one answer, and it is proved; rounded or with the laws themselves.
static void one_answer_is_proved(void **state) {
  for (int exact = 0; exact <= 3; exact++) {
    stc_support top[3];
    stc_strip_settings s = pressed_strip(2, top);
    s.dt = 0.002;
    if (exact & 1) s.eta_n = 0;
    if (exact & 2) s.eta_t = 0;
    stc_strip *strip = strip_of(&s);
    stc_strip_certificate c;
    stc_strip_report r;
    expect_failure(stc_strip_certify(strip, &c), STC_ERR_ARGUMENT, "a step first");
    for (int k = 0; k < 30; k++) {
      step(strip, &r);
      expect_ok(stc_strip_certify(strip, &c));
      assert_int_equal(c.answers, STC_ANSWERS_ONE);
      assert_true(c.sharp <= c.coarse * (1 + 1e-8) && r.uniqueness <= c.coarse * (1 + 1e-8));
    }
    stc_strip_free(&strip);
  }
}

// Without a layer, pressed so that b p max|mu'| = 2 sqrt(3): where the steps report several answers
// another one is found, elsewhere it is proved that there is none but in few steps.
static void several_answers_are_found(void **state) {
  stc_support top[3];
  stc_strip_settings s = pressed_strip(2, top);
  s.periodic = true;
  s.size[0] = 1, s.size[1] = 8;
  s.cells[0] = 1, s.cells[1] = 200;
  s.eps = 0, s.eta_t = 0, s.eta_n = 0.01;
  s.dt = 0.04;
  top[1].displacement.value = -(8. / 3 + 0.01);
  stc_strip *strip = strip_of(&s);
  stc_strip_certificate c;
  stc_strip_report r;
  int count[3] = {0};
  for (int k = 0; k < 300; k++) {
    step(strip, &r);
    expect_ok(stc_strip_certify(strip, &c));
    assert_true((c.answers == STC_ANSWERS_SEVERAL) == (r.several > 0));
    assert_true(c.sharp <= c.coarse * (1 + 1e-8) && c.coarse > 3.4);
    count[c.answers]++;
    if (c.answers == STC_ANSWERS_SEVERAL) assert_true(c.apart > 1e-3);
  }
  assert_true(count[STC_ANSWERS_SEVERAL] > 20 && count[STC_ANSWERS_ONE] > 100);
  assert_true(count[STC_ANSWERS_UNDECIDED] < 30);
  assert_string_equal(stc_strip_answers_name(STC_ANSWERS_SEVERAL), "several");
  stc_strip_free(&strip);
}

// mu = 0.2 + 0.4 exp(-w/0.1). From slip at 0.3 to rest: 0.4 (1 - exp(-3))/0.3; from rest with the
// friction D the tangent to the curve, here by looking at 1e5 places; of a table the same.
static void secants_are_the_steepest(void **state) {
  double speed[2001], mu[2001];
  for (int k = 0; k <= 2000; k++) speed[k] = k * 1e-3, mu[k] = 0.2 + 0.4 * exp(-speed[k] / 0.1);
  const stc_rate_curve curve = {.points = 2001, .speed = speed, .mu = mu};
  const stc_interface_law law = {.rate = {0.6, 0.2, 0.1}}, table = {.curve = &curve};
  expect_near(stc_interface_secant(&law, 0.3, stc_rate_mu(&law.rate, 0.3)),
              0.4 * (1 - exp(-3)) / 0.3, 1e-6);
  for (double D = 0.15; D < 0.6; D += 0.05) {
    double most = 0;
    for (int k = 1; k <= 100000; k++)
      most = fmax(most, (D - stc_rate_mu(&law.rate, k * 2e-5)) / (k * 2e-5));
    expect_near(stc_interface_secant(&law, 0, D), most, 1e-5);
    expect_near(stc_interface_secant(&table, 0, D), most, 1e-3);
  }
  expect_near(stc_interface_secant(&table, 0.3, mu[300]), 0.4 * (1 - exp(-3)) / 0.3, 1e-5);
}

TEST_PROGRAM(cmocka_unit_test(the_norm_stays_below_its_bound),
             cmocka_unit_test(the_followed_part_is_the_motion),
             cmocka_unit_test(estimates_are_checked),
             cmocka_unit_test(the_iteration_meets_the_steps),
             cmocka_unit_test(iterations_are_checked), cmocka_unit_test(one_answer_is_proved),
             cmocka_unit_test(several_answers_are_found),
             cmocka_unit_test(secants_are_the_steepest))
