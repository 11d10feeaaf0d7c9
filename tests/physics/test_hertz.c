// Deformable bodies with closed forms, as the scenes of scenes/hertz describe them: cylinders and
// spheres of Hertz, partial slip of Cattaneo and Mindlin, patch tests, a punch with a corner, a
// block that slides or tips, a press fit, ironing.
#define STAGE_SCENES "scenes/hertz"
#include "scene_stage.h"

// --- Cylinders ---

typedef struct cylinder {
  const char *n;
  double load;  // by an independent program, matching nodes, exact contact
  int most[2];  // iterations
} cylinder;

static void test_cylinders(void **state) {
  const cylinder known[] = {{"n=2", 2514.9030, {4, 2}},
                            {"n=4", 2520.0264, {4, 2}},
                            {"n=6", 2523.7540, {4, 2}},
                            {"n=12", 2494.4226, {6, 4}}};
  for (int k = 0; k < 4; k++) {
    stage s = BEGIN("cylinders", known[k].n);
    stc_observed iterations = observed(&s, "iterations");
    expect_near(number(&s, "load"), known[k].load, 6e-5);
    expect_ratio(&s, "p_max", "p_hertz", 0.002);
    expect_near(number(&s, "half_width"), number(&s, "half_width_hertz"), 0.38 / 2);
    assert_true(number(&s, "penetration") < 1e-12);
    assert_int_equal(iterations.count, 2);
    for (int i = 0; i < 2; i++) assert_true(iterations.list[i] <= known[k].most[i]);
    end_stage(&s);
  }
}

// The answer does not depend on where the penalty starts; the fixed penalty's does.
static void test_adapted_cylinders(void **state) {
  const char *const starts[] = {"eps0=0.01", "eps0=2", "eps0=2e4", "eps0=1e8"};
  for (int k = 0; k < 4; k++) {
    stage s = BEGIN("cylinders", "n=4", "method=adapted", starts[k]);
    expect_near(number(&s, "p_max") / 4192.36, 1, 0.01);
    end_stage(&s);
  }
  stage s = BEGIN("cylinders", "n=4", "method=penalty", "eps0=1e6");
  assert_true(number(&s, "p_max") < 0.95 * 4192.36);
  end_stage(&s);
}

// Two of three quantities are chosen: gap = first_gap / 10^augmentations. Without augmentation the
// penalties bring the gap below the first one by themselves, and no further than they must.
static void test_chosen_gaps(void **state) {
  stage s = BEGIN("cylinders", "method=adapted", "eps0=2", "first_gap=1e-3", "augmentations=0");
  assert_true(number(&s, "penetration") <= 1e-3 && number(&s, "penetration") > 1e-4);
  end_stage(&s);
  s = BEGIN("cylinders", "method=adapted", "eps0=2", "first_gap=1e-3", "augmentations=4");
  assert_true(number(&s, "penetration") <= 1e-7);
  assert_true(observed(&s, "augmentations").list[1] >= 2);
  end_stage(&s);
  s = BEGIN("cylinders", "method=adapted", "eps0=2", "gap=1e-9", "first_gap=1e-4");
  assert_true(number(&s, "penetration") <= 1e-9);
  end_stage(&s);
  s = BEGIN("cylinders", "method=adapted", "eps0=2", "gap=1e-6", "augmentations=2");
  assert_true(number(&s, "penetration") <= 1e-6);
  end_stage(&s);
}

// "os ct" of the published table: full Newton steps with the penalty 1e6 do not end where the
// bodies yield; the line search, and the adapted method without it, do.
static void test_oscillation(void **state) {
  stc_step_report report;
  stage s = TRY(&report, "cylinders", "material=elastoplastic", "method=penalty", "eps0=1e6",
                "line_search=0", "max_cuts=0");
  assert_false(report.accepted);
  assert_non_null(strstr(report.reason, "oscillate"));
  end_stage(&s);
  s = BEGIN("cylinders", "material=elastoplastic", "method=penalty", "eps0=1e6", "max_cuts=0");
  expect_near(number(&s, "p_max") / 1285.0588, 1, 0.005);
  end_stage(&s);
  s = BEGIN("cylinders", "material=elastoplastic", "method=adapted", "eps0=2", "line_search=0",
            "max_cuts=0");
  expect_near(number(&s, "p_max") / 1285.0588, 1, 1e-4);
  end_stage(&s);
}

// Beyond the largest ratio of forces nothing slips, and mu does not matter any more.
static void test_large_friction(void **state) {
  static const char *const mu[] = {"mu=10", "mu=1e3", "mu=1e6"};
  double load[3], shear[3];
  for (int k = 0; k < 3; k++) {
    stage s = BEGIN("mindlin", "n=6", "m=6", mu[k]);
    load[k] = number(&s, "load");
    shear[k] = number(&s, "ratio") * atof(mu[k] + 3);
    end_stage(&s);
  }
  for (int k = 1; k < 3; k++) {
    expect_near(load[k] / load[0], 1, 1e-9);
    expect_near(shear[k] / shear[0], 1, 1e-9);
  }
}

static void test_elastoplastic_cylinders(void **state) {
  const cylinder known[] = {{"n=2", 1313.279287, {9, 9}}, {"n=4", 1532.761166, {9, 9}}};
  for (int k = 0; k < 2; k++) {
    stage s = BEGIN("cylinders", "material=elastoplastic", known[k].n);
    stc_observed iterations = observed(&s, "iterations");
    expect_near(number(&s, "load"), known[k].load, 2e-6 * known[k].load);
    for (int i = 0; i < 2; i++) assert_true(iterations.list[i] <= known[k].most[i]);
    end_stage(&s);
  }
}

// --- Spheres ---

static void test_spheres(void **state) {
  stage s = BEGIN("sphere", "n=16");
  expect_ratio(&s, "p_max", "p_hertz", 0.01);
  expect_near(number(&s, "radius"), number(&s, "radius_hertz"), number(&s, "cell"));
  end_stage(&s);
  s = BEGIN("sphere3d", "n=6", "m=4");
  expect_ratio(&s, "p_max", "p_hertz", 0.02);
  expect_near(number(&s, "radius"), number(&s, "radius_hertz"), number(&s, "cell"));
  end_stage(&s);
}

// --- Partial slip ---

static void test_mindlin(void **state) {
  stage s = BEGIN("mindlin", "n=24", "m=16");
  expect_near(number(&s, "stick_half_width"), number(&s, "stick_half_width_exact"),
              number(&s, "cell"));
  assert_true(number(&s, "q_error") < 0.02);
  expect_ratio(&s, "dissipation", "dissipation_exact", 0.02);
  expect_ratio(&s, "first_dissipation", "first_dissipation_exact", 0.02);
  end_stage(&s);
}

// --- Patch tests ---

static void test_patches(void **state) {
  const char *const elements[] = {"element=T3", "element=T6", "element=Q4",
                                  "element=Q8", "element=T4", "element=H8"};
  for (int k = 0; k < 6; k++) {
    stage s = BEGIN("patch", elements[k]);
    if (number(&s, "error") > 1e-10) print_error("%s: %g\n", elements[k], number(&s, "error"));
    assert_true(number(&s, "error") <= 1e-10);
    end_stage(&s);
  }
  stage s = BEGIN("patch", "element=Q4", "lower=7", "upper=2", "mu=0.4");
  assert_true(number(&s, "error") <= 1e-10);
  end_stage(&s);
}

// --- Punch, block, press fit, ironing ---

static void test_punch(void **state) {
  stage s = BEGIN("punch", "n=16");
  assert_true(number(&s, "error") < 0.02);
  expect_ratio(&s, "p_centre", "p_centre_exact", 0.01);
  end_stage(&s);
}

static void check_block(const char *mu, const char *height, const char *motion) {
  stage s = BEGIN("block", mu, height);
  expect_ratio(&s, "push", "push_exact", 1e-6);
  expect_ratio(&s, "weight", "weight_exact", 1e-6);
  assert_string_equal(observed(&s, "motion").text, motion);
  end_stage(&s);
}

static void test_block(void **state) {
  check_block("mu=0.2", "height=2", "slides");  // 0.2 < 1 / 4
  check_block("mu=0.3", "height=2", "tips");
  check_block("mu=0.45", "height=1", "slides");  // 0.45 < 1 / 2
  check_block("mu=0.7", "height=1", "tips");
}

static void test_press_fit(void **state) {
  stage s = BEGIN("press-fit", "mu=0");
  expect_ratio(&s, "p", "p_lame", 1e-3);
  end_stage(&s);
  s = BEGIN("press-fit", "mu=0.15");
  expect_ratio(&s, "pull", "pull_exact", 1e-9);
  expect_ratio(&s, "slipping", "closed", 0);
  end_stage(&s);
}

static void test_ironing(void **state) {
  stage s = BEGIN("ironing", "draw=8");
  expect_ratio(&s, "ratio", "ratio_exact", 0.03);
  assert_true(number(&s, "closed") >= 3);
  end_stage(&s);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_cylinders),      cmocka_unit_test(test_adapted_cylinders),
      cmocka_unit_test(test_chosen_gaps),    cmocka_unit_test(test_oscillation),
      cmocka_unit_test(test_large_friction), cmocka_unit_test(test_elastoplastic_cylinders),
      cmocka_unit_test(test_spheres),        cmocka_unit_test(test_mindlin),
      cmocka_unit_test(test_patches),        cmocka_unit_test(test_punch),
      cmocka_unit_test(test_block),          cmocka_unit_test(test_press_fit),
      cmocka_unit_test(test_ironing)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
