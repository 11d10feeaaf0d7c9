// Material points: elasticity by hand, J2 in uniaxial tension by hand, plane stress against
// known numbers, tangents against differences, flow that only dissipates.
#include "fem_support.h"

#include "base/random.h"
#include "fem/solid/element.h"

static stc_response make_response(stc_kinematics kinematics, double yield, double hardening) {
  const stc_body body = {
      .group = "b",
      .material = {.young = 2e5, .poisson = 0.3, .yield = yield, .hardening = hardening}};
  stc_response r;
  expect_ok(stc_response_create(&body, 0, kinematics, &r));
  return r;
}

static const stc_kinematics all_kinematics[] = {STC_PLANE_STRAIN, STC_PLANE_STRESS,
                                                STC_AXISYMMETRIC, STC_SOLID};

// --- Elasticity ---

static void hooke_by_hand(void **state) {
  // E = 2e5, nu = 0.3: G = E / 2.6; eps_xx alone gives sigma_xx = E (1 - nu) / ((1 + nu)(1 - 2 nu))
  // and sigma_zz = sigma_xx nu / (1 - nu); in plane stress E / (1 - nu^2), sigma_zz = 0.
  double stress[6], strain[6] = {1e-3, 0, 0, 2e-3};
  stc_response r = make_response(STC_PLANE_STRAIN, 0, 0);
  assert_true(stc_response_stress(&r, strain, NULL, NULL, stress, NULL));
  double xx = 2e5 * 1e-3 * 0.7 / (1.3 * 0.4);
  expect_near(stress[0], xx, 1e-10);
  expect_near(stress[1], xx * 3 / 7, 1e-10);
  expect_near(stress[2], xx * 3 / 7, 1e-10);
  expect_near(stress[3], 2e5 / 2.6 * 2e-3, 1e-10);
  r = make_response(STC_PLANE_STRESS, 0, 0);
  assert_true(stc_response_stress(&r, strain, NULL, NULL, stress, NULL));
  expect_near(stress[0], 2e5 * 1e-3 / 0.91, 1e-10);
  expect_near(stress[1], 0.3 * 2e5 * 1e-3 / 0.91, 1e-10);
  expect_near(stress[2], 0, 0);
  strain[0] = NAN;
  assert_false(stc_response_stress(&r, strain, NULL, NULL, stress, NULL));
}

static void constants_without_meaning_are_refused(void **state) {
  const stc_material good = {.young = 1, .poisson = 0.3};
  stc_body body = {.group = "b", .material = good};
  stc_response r;
  body.material.young = 0;
  expect_failure(stc_response_create(&body, 1, STC_SOLID, &r), STC_ERR_VALUE,
                 "body 1 ('b'): young = 0; it must be > 0");
  body.material = good, body.material.poisson = 0.5;
  expect_failure(stc_response_create(&body, 0, STC_SOLID, &r), STC_ERR_VALUE, "poisson = 0.5");
  body.material = good, body.material.poisson = NAN;
  expect_failure(stc_response_create(&body, 0, STC_SOLID, &r), STC_ERR_VALUE, "poisson = ");
  body.material = good, body.material.yield = -1;
  expect_failure(stc_response_create(&body, 0, STC_SOLID, &r), STC_ERR_VALUE, "yield = -1");
  body.material = good, body.material.hardening = -1;
  expect_failure(stc_response_create(&body, 0, STC_SOLID, &r), STC_ERR_VALUE, "softening");
  body.material = good, body.material.density = -1;
  expect_failure(stc_response_create(&body, 0, STC_SOLID, &r), STC_ERR_VALUE, "density = -1");
}

// --- Plasticity ---

static void plane_stress_by_known_numbers(void **state) {
  // Yield 1000, H = 2000: from the equations of the file solved independently to 13 digits.
  stc_response r = make_response(STC_PLANE_STRESS, 1000, 2000);
  double kept[5] = {0}, trial[5], stress[6];
  const double one[6] = {0.01, -0.004, 0, 0.006}, two[6] = {0.01};
  assert_true(stc_response_stress(&r, one, kept, trial, stress, NULL));
  expect_near(stress[0], 951.2499403283, 1e-9);
  expect_near(stress[1], 5.8008927137, 1e-9);
  expect_near(stress[3], 202.5962244888, 1e-9);
  expect_near(trial[4], 0.00560056, 5e-9);
  assert_true(stc_response_stress(&r, two, kept, trial, stress, NULL));
  expect_near(stress[0], 1159.7785718528, 1e-9);
  expect_near(stress[1], 467.2090852914, 1e-9);
  expect_near(stress[3], 0, 1e-12);
}

static void uniaxial_tension_by_hand(void **state) {
  // sigma = 1200 along x, yield 1000, H = 2000: alpha = 200 / 2000 = 0.1,
  // eps_x = sigma / E + alpha, across: -nu sigma / E - alpha / 2.
  const double sigma = 1200, alpha = 0.1;
  double along = sigma / 2e5 + alpha, across = -0.3 * sigma / 2e5 - alpha / 2;
  for (int k = 0; k < 4; k++) {
    stc_response r = make_response(all_kinematics[k], 1000, 2000);
    double kept[7] = {0}, trial[7], stress[6], strain[6] = {along, across, across};
    assert_true(stc_response_stress(&r, strain, kept, trial, stress, NULL));
    expect_near(stress[0], sigma, 1e-9);
    expect_near(stress[1], 0, 1e-9);
    expect_near(stress[2], 0, 1e-9);
    expect_near(trial[r.components], alpha, 1e-14);
    expect_near(trial[0], alpha, 1e-14);
    expect_near(trial[1], -alpha / 2, 1e-14);
    expect_near(trial[2], -alpha / 2, 1e-14);
  }
}

/// A strain of size 0.01 from a seed; zero where the kinematics have none.
static void random_strain(stc_random *random, const stc_response *r, double *strain) {
  for (int i = 0; i < r->components; i++) strain[i] = 0.01 * stc_random_normal(random);
  if (r->kinematics == STC_PLANE_STRAIN || r->kinematics == STC_PLANE_STRESS) strain[2] = 0;
}

static void tangents_agree_with_differences(void **state) {
  stc_random random = stc_random_seed(7);
  for (int k = 0; k < 4; k++)
    for (int round = 0; round < 20; round++) {
      stc_response r = make_response(all_kinematics[k], 1000, round % 2 ? 2000 : 0);
      double start[7] = {0}, kept[7], trial[7], strain[6], stress[6], D[6][6], up[6], down[6];
      random_strain(&random, &r, strain);  // flow once, and again from there
      assert_true(stc_response_stress(&r, strain, start, kept, stress, NULL));
      random_strain(&random, &r, strain);
      assert_true(stc_response_stress(&r, strain, kept, trial, stress, D));
      const double h = 1e-8;  // the error of differences is about 1e-8 E; shears twice that
      for (int j = 0; j < r.components; j++) {
        double e = strain[j];
        strain[j] = e + h, stc_response_stress(&r, strain, kept, trial, up, NULL);
        strain[j] = e - h, stc_response_stress(&r, strain, kept, trial, down, NULL);
        strain[j] = e;
        for (int i = 0; i < r.components; i++) {
          expect_near(D[i][j], (up[i] - down[i]) / (2 * h), 2e-7 * r.young);
          expect_near(D[i][j], D[j][i], 1e-9);
        }
      }
    }
}

static double equivalent(const double *s, int components) {
  double mean = (s[0] + s[1] + s[2]) / 3, sum = 0;
  for (int i = 0; i < components; i++)
    sum += i < 3 ? (s[i] - mean) * (s[i] - mean) : 2 * s[i] * s[i];
  return sqrt(1.5 * sum);
}

/// Along a random path: stress never outside the yield surface and on it where alpha grows, alpha
/// never falls, plastic strain keeps the volume, energy stored and lost grow by the work done or
/// less (the implicit rule loses some).
static void flow_obeys_the_law_along_a_path(void **state) {
  stc_random random = stc_random_seed(3);
  for (int k = 0; k < 4; k++) {
    stc_response r = make_response(all_kinematics[k], 1000, 2000);
    double kept[7] = {0}, trial[7], strain[6] = {0}, stress[6] = {0}, next[6], after[6];
    double stored = 0, lost = 0;
    for (int step = 0; step < 200; step++) {
      double work = 0, stored_next, lost_next;
      random_strain(&random, &r, next);
      for (int i = 0; i < r.components; i++) next[i] = strain[i] + 0.3 * next[i];
      assert_true(stc_response_stress(&r, next, kept, trial, after, NULL));
      double alpha = trial[r.components], grown = alpha - kept[r.components];
      double excess = equivalent(after, r.components) - (1000 + 2000 * alpha);
      assert_true(grown >= 0);
      assert_true(excess <= 1e-9);
      if (grown > 0) expect_near(excess, 0, 1e-9);
      expect_near(trial[0] + trial[1] + trial[2], 0, 1e-14);
      for (int i = 0; i < r.components; i++) work += (next[i] - strain[i]) * after[i];
      stc_response_energy(&r, next, trial, &stored_next, &lost_next);
      assert_true(lost_next >= lost);
      assert_true(stored_next + lost_next - stored - lost <= work + 1e-12);
      stc_response_recall(&r, next, trial, stress);
      for (int i = 0; i < r.components; i++) expect_near(stress[i], after[i], 1e-9);
      memcpy(kept, trial, sizeof kept), memcpy(strain, next, sizeof strain);
      stored = stored_next, lost = lost_next;
    }
    assert_true(kept[r.components] > 0.02);
  }
}

static void plane_stress_stands_any_size(void **state) {
  stc_response r = make_response(STC_PLANE_STRESS, 1000, 0);
  for (double size = 1e-2; size < 1e140; size *= 1e7) {
    const double strain[6] = {size, -size / 3, 0, size / 7};
    double kept[5] = {0}, trial[5], stress[6];
    assert_true(stc_response_stress(&r, strain, kept, trial, stress, NULL));
    expect_near(equivalent((double[]){stress[0], stress[1], 0, stress[3]}, 4), 1000, 1e-9);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(hooke_by_hand),
      cmocka_unit_test(constants_without_meaning_are_refused),
      cmocka_unit_test(plane_stress_by_known_numbers),
      cmocka_unit_test(uniaxial_tension_by_hand),
      cmocka_unit_test(tangents_agree_with_differences),
      cmocka_unit_test(flow_obeys_the_law_along_a_path),
      cmocka_unit_test(plane_stress_stands_any_size),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
