// The algebra of the Lorentz cone: product and division, Nesterov–Todd scaling, the way to the
// boundary.
#include "expect.h"

#include "base/random.h"
#include "linalg/lorentz.h"

// A point inside the cone, as near to its boundary as `margin`.
static void inside(stc_random *random, double margin, double *x) {
  x[1] = stc_random_normal(random);
  x[2] = stc_random_normal(random);
  x[0] = hypot(x[1], x[2]) * (1 + margin * (0.1 + stc_random_uniform(random)));
}

static void division_undoes_the_product(void **state) {
  stc_random random = stc_random_seed(1);
  for (int n = 0; n < 1000; n++) {
    double a[3], x[3], b[3], found[3];
    inside(&random, 0.1, a);
    for (int k = 0; k < 3; k++) x[k] = stc_random_normal(&random);
    stc_lorentz_product(a, x, b);
    stc_lorentz_divide(a, b, found);
    for (int k = 0; k < 3; k++) expect_near(found[k], x[k], 1e-11 * hypot(x[0], hypot(x[1], x[2])));
  }
}

// e = (1, 0, 0) is the unit; (2, 1, 0) o (3, 0, 1) = (6, 3, 2).
static void products_by_hand(void **state) {
  double p[3];
  stc_lorentz_product((double[]){2, 1, 0}, (double[]){3, 0, 1}, p);
  assert_true(p[0] == 6 && p[1] == 3 && p[2] == 2);
  stc_lorentz_product((double[]){1, 0, 0}, (double[]){3, 4, 5}, p);
  assert_true(p[0] == 3 && p[1] == 4 && p[2] == 5);
  expect_near(stc_lorentz_det((double[]){5, 3, 0}), 16, 0);
}

// N z = N^-1 y = lambda, and N^-1 is the inverse; also next to the boundary, and far from scale 1.
static void the_scaling_maps_both_to_lambda(void **state) {
  stc_random random = stc_random_seed(2);
  for (int n = 0; n < 1000; n++) {
    double z[3], y[3], Nz[3], Ny[3], back[3], scale = pow(10, n % 13 - 6);
    stc_scaling s;
    inside(&random, n % 2 ? 1 : 1e-4, z);
    inside(&random, n % 3 ? 1 : 1e-4, y);
    for (int k = 0; k < 3; k++) y[k] *= scale;
    stc_lorentz_scale(z, y, &s);
    stc_lorentz_apply(s.N, z, Nz);
    stc_lorentz_apply(s.inverse, y, Ny);
    stc_lorentz_apply(s.inverse, Nz, back);
    for (int k = 0; k < 3; k++) {
      expect_near(Nz[k], s.lambda[k], 1e-8 * s.lambda[0]);
      expect_near(Ny[k], s.lambda[k], 1e-8 * s.lambda[0]);
      expect_near(back[k], z[k], 1e-8 * z[0]);
    }
    assert_true(stc_lorentz_det(s.lambda) > 0);
  }
}

static void the_way_to_the_boundary(void **state) {
  // From (1, 0, 0) along (-1, 0, 0): the tip at 1. Along (0, 2, 0): |2 t| = 1. Along (1, 0.5, 0):
  // never. From (2, 1, 0) along (-1, 1, 0): 2 - t = 1 + t.
  expect_near(stc_lorentz_reach((double[]){1, 0, 0}, (double[]){-1, 0, 0}), 1, 1e-12);
  expect_near(stc_lorentz_reach((double[]){1, 0, 0}, (double[]){0, 2, 0}), 0.5, 1e-12);
  assert_true(isinf(stc_lorentz_reach((double[]){1, 0, 0}, (double[]){1, 0.5, 0})));
  assert_true(isinf(stc_lorentz_reach((double[]){1, 0, 0}, (double[]){0, 0, 0})));
  expect_near(stc_lorentz_reach((double[]){2, 1, 0}, (double[]){-1, 1, 0}), 0.5, 1e-12);
}

// A ray from the axis straight down ends at the tip, at t = x_0 / -d_0, whatever rounding makes of
// its discriminant, which is 0.
static void a_ray_through_the_tip_ends_there(void **state) {
  stc_random random = stc_random_seed(4);
  for (int n = 0; n < 1000; n++) {
    double x[3] = {0.01 + stc_random_uniform(&random)},
           d[3] = {-0.01 - stc_random_uniform(&random)};
    expect_near(stc_lorentz_reach(x, d) * -d[0] / x[0], 1, 1e-7);
  }
}

// A little before the end the point is inside, a little behind it is not.
static void the_end_of_the_way_is_sharp(void **state) {
  stc_random random = stc_random_seed(3);
  int ends = 0;
  for (int n = 0; n < 1000; n++) {
    double x[3], d[3];
    inside(&random, 0.5, x);
    for (int k = 0; k < 3; k++) d[k] = stc_random_normal(&random);
    double t = stc_lorentz_reach(x, d);
    assert_true(t > 0);
    for (int side = -1; isfinite(t) && side <= 1; side += 2, ends++) {
      double s = t * (1 + side * 1e-7), y[3];
      for (int k = 0; k < 3; k++) y[k] = x[k] + s * d[k];
      assert_int_equal(y[0] > hypot(y[1], y[2]), side < 0);
    }
  }
  assert_true(ends > 1000);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(division_undoes_the_product),
      cmocka_unit_test(products_by_hand),
      cmocka_unit_test(the_scaling_maps_both_to_lambda),
      cmocka_unit_test(the_way_to_the_boundary),
      cmocka_unit_test(a_ray_through_the_tip_ends_there),
      cmocka_unit_test(the_end_of_the_way_is_sharp),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
