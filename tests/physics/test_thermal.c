// Heat and current with closed forms, as the scenes of scenes/thermal describe them.
#define STAGE_SCENES "scenes/thermal"
#include "scene_stage.h"

#include <math.h>

static void expect_equal(stage *s, const char *a, const char *b, double tolerance) {
  double x = number(s, a), y = number(s, b);
  if (fabs(x - y) > tolerance * fabs(y)) print_error("%s = %.17g, %s = %.17g\n", a, x, b, y);
  assert_true(fabs(x - y) <= tolerance * fabs(y));
}

// --- Rods ---

// T = sigma U^2 x (L - x) / (2 k L^2): at the nodes of Q4 and H8 and everywhere in Q8, to rounding.
static void test_joule_rod(void **state) {
  static const char *const elements[] = {"element=Q4", "element=Q8", "element=T6", "element=H8"};
  static const char *const couplings[] = {"coupling=staggered", "coupling=monolithic"};
  for (int k = 0; k < 8; k++) {
    stage s = BEGIN("rod", elements[k / 2], couplings[k % 2], "n=7", "U=3", "k=1.7", "L=1.3");
    assert_true(number(&s, "error") < 1e-13);
    expect_equal(&s, "joule", "joule_exact", 1e-12);
    expect_equal(&s, "current", "current_exact", 1e-12);
    expect_near(number(&s, "heat"), -number(&s, "joule"), 1e-11);
    assert_true(fabs(number(&s, "balance")) < 1e-12);
    end_stage(&s);
  }
}

// The resistivity rises with the temperature: the current follows from J = sigma E by hand only in
// the limit; both couplings agree, and what is heated is what flows out.
static void test_resistivity(void **state) {
  stage a = BEGIN("rod", "slope=0.5"), b = BEGIN("rod", "slope=0.5", "coupling=monolithic");
  expect_near(number(&a, "current"), number(&b, "current"), 1e-9);
  assert_true(number(&a, "current") < 0.9 * number(&a, "current_exact"));
  expect_near(number(&a, "heat"), -number(&a, "joule"), 1e-9);
  expect_near(number(&a, "joule"), 4 * number(&a, "current"), 1e-9);  // U I
  end_stage(&a);
  end_stage(&b);
}

// Held between walls: -E alpha (T - reference). One end cooled: resistances in series.
static void test_walls_and_convection(void **state) {
  static const char *const couplings[] = {"coupling=staggered", "coupling=monolithic"};
  for (int k = 0; k < 2; k++) {
    stage s = BEGIN("rod", "case=wall", "hot=55", "alpha=1.7e-5", couplings[k]);
    expect_equal(&s, "stress", "stress_exact", 1e-12);
    end_stage(&s);
  }
  stage s = BEGIN("rod", "case=convection", "element=T4", "h=0.7");
  assert_true(number(&s, "error") < 1e-13);
  expect_near(number(&s, "heat"), 0.5 * 80 / (2.0 / 3 + 1 / 0.7), 1e-11);
  end_stage(&s);
}

static double error_of_cooling(const char *theta, const char *steps, const char *n) {
  stage s = BEGIN("rod", "case=cool", "shape=sine", "t_end=0.5", theta, steps, n);
  double error = number(&s, "error");
  assert_true(fabs(number(&s, "balance")) < 1e-12);
  end_stage(&s);
  return error;
}

// sin(pi x / L) decays like exp(-pi^2 k t / (c L^2)): order 1 and 2 in dt, 2 in h.
static void test_cooling(void **state) {
  double first = error_of_cooling("theta=1", "steps=20", "n=100");
  assert_true(first < 0.16 && first / error_of_cooling("theta=1", "steps=40", "n=100") > 1.9);
  double second = error_of_cooling("theta=0.5", "steps=5", "n=100");
  assert_true(second < 0.06 && second / error_of_cooling("theta=0.5", "steps=10", "n=100") > 3.8);
  double cells = error_of_cooling("theta=0.5", "steps=200", "n=10");
  assert_true(cells < 0.03 && cells / error_of_cooling("theta=0.5", "steps=200", "n=20") > 3.8);
  stage s = BEGIN("rod", "case=cool", "n=60", "steps=200");  // from 1 everywhere: the series
  assert_true(number(&s, "error") < 3e-3);
  end_stage(&s);
}

// --- Contacts ---

// Resistances in series, and rods that grow across a gap: two equations by hand. The gap closes
// (5e-4, 1.5e-3) or not (2.5e-3).
static void test_gaps(void **state) {
  static const char *const gaps[] = {"gap=5e-4", "gap=1.5e-3", "gap=2.5e-3"};
  static const char *const couplings[] = {"coupling=staggered", "coupling=monolithic"};
  for (int k = 0; k < 6; k++) {
    stage s = BEGIN("gap", gaps[k / 2], couplings[k % 2]);
    assert_true(number(&s, "hand") < 1e-9);
    assert_true((number(&s, "pressure") > 0) == (k / 2 < 2));
    assert_true(fabs(number(&s, "balance")) < 1e-11 * number(&s, "heat"));
    end_stage(&s);
    s = BEGIN("gap", "press=3e5", "alpha=0", "gas=0.02", couplings[k % 2]);
    expect_equal(&s, "heat", "heat_series", 1e-10);
    end_stage(&s);
  }
}

// One pass is the weak coupling: the flow belongs to the contact before the rods grew.
static void test_weak_coupling(void **state) {
  stage s = BEGIN("gap", "passes=1");
  assert_true(number(&s, "hand") > 0.1 && number(&s, "passes") == 1);
  assert_true(fabs(number(&s, "balance")) < 1e-11 * number(&s, "heat"));
  end_stage(&s);
}

// mu p v per area, exactly; two half-spaces are equally warm where the shares are those of their
// effusivities; all of it stays in the block where the share is 1 and nothing passes.
static void test_sliding(void **state) {
  static const char *const couplings[] = {"coupling=staggered", "coupling=monolithic"};
  for (int k = 0; k < 2; k++) {
    stage s = BEGIN("slide", "steps=30", "mu=0.4", "speed=0.3", couplings[k]);
    expect_equal(&s, "power", "power_exact", 1e-10);
    expect_equal(&s, "stored", "stored_exact", 1e-10);
    expect_equal(&s, "work", "stored_exact", 1e-10);
    expect_equal(&s, "interface", "interface_exact", 0.01);
    assert_true(fabs(number(&s, "balance")) < 1e-13);
    end_stage(&s);
  }
  stage s = BEGIN("slide", "steps=30", "share=1", "heat=0");
  // The block alone: 2 q sqrt(t / pi) / e1.
  expect_near(number(&s, "interface"),
              2 * 0.3 * 2e6 * 0.5 * sqrt(0.2 / acos(-1)) / sqrt(50 * 3.5e6), 0.2);
  end_stage(&s);
}

// 1 / (2 k a), within a cell over a of it, for heat and for current.
static void test_constriction(void **state) {
  static const char *const n[] = {"n=8", "n=16"};
  for (int k = 0; k < 2; k++) {
    stage s = BEGIN("hertz", n[k], k ? "coupling=staggered" : "coupling=monolithic");
    double cell = number(&s, "cell") / number(&s, "radius_hertz");
    expect_equal(&s, "resistance", "resistance_exact", cell);
    end_stage(&s);
    s = BEGIN("hertz", n[k], "electric=2");
    expect_equal(&s, "resistance_electric", "resistance_electric_exact", cell);
    end_stage(&s);
  }
}

// --- Asperities ---

// Uniform pressure: the depth of both laws in closed form, and the conductance that follows.
static void test_flat_layers(void **state) {
  static const char *const methods[] = {"method=active-set", "method=adapted", "method=uzawa",
                                        "coupling=monolithic"};
  for (int k = 0; k < 8; k++) {
    bool exact = k < 2 || k >= 6;  // the others stop at their gap
    stage s = BEGIN("asperities", k % 2 ? "law=exponential" : "law=power", methods[k / 2],
                    "exponent=3", "load=7");
    double off = fabs(number(&s, "gap") - number(&s, "gap_exact"));
    assert_true(off < (exact ? 1e-12 : 2e-5));
    expect_equal(&s, "heat", "heat_exact", 1e-10);
    expect_near(number(&s, "force"), -7, 1e-9);
    end_stage(&s);
  }
}

// A round foot: the methods agree, and a thin layer gives the answer without one.
static void test_round_layers(void **state) {
  static const char *const laws[] = {"law=power", "law=exponential"};
  for (int k = 0; k < 2; k++) {
    stage a = BEGIN("asperities", "shape=round", "down=0.01", "mu=0.2", laws[k]);
    stage b = BEGIN("asperities", "shape=round", "down=0.01", "mu=0.2", laws[k], "method=adapted");
    expect_near(number(&b, "force") / number(&a, "force"), 1, 1e-3);
    expect_near(number(&b, "p_max") / number(&a, "p_max"), 1, 3e-3);
    end_stage(&b);
    b = BEGIN("asperities", "shape=round", "down=0.01", "mu=0.2", laws[k], "coupling=monolithic");
    expect_near(number(&b, "force") / number(&a, "force"), 1, 1e-9);
    expect_near(number(&b, "heat") / number(&a, "heat"), 1, 1e-9);
    end_stage(&b);
    end_stage(&a);
    a = BEGIN("asperities", "shape=round", "down=0.01", "law=none");
    b = BEGIN("asperities", "shape=round", "down=0.01", "length=1e-8", laws[k]);
    expect_near(number(&b, "force") / number(&a, "force"), 1, 1e-4);
    end_stage(&b);
    end_stage(&a);
  }
}

// All heat of the terminal is electric, U I; a clamp twice as strong has 2^0.95 times less
// resistance where p is the same in shape.
static void test_terminal(void **state) {
  double resistance[2];
  for (int k = 0; k < 2; k++) {
    stage s = BEGIN("terminal", "n=3", "steps=3", k ? "clamp=6000" : "clamp=3000");
    expect_equal(&s, "heat_made", "power", 1e-9);
    expect_near(number(&s, "current"), 300, 1e-8);
    assert_true(fabs(number(&s, "balance")) < 1e-11 * number(&s, "stored"));
    resistance[k] = number(&s, "contact_resistance");
    end_stage(&s);
  }
  expect_near(resistance[0] / resistance[1] / pow(2, 0.95), 1, 0.02);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_joule_rod),
                                     cmocka_unit_test(test_resistivity),
                                     cmocka_unit_test(test_walls_and_convection),
                                     cmocka_unit_test(test_cooling),
                                     cmocka_unit_test(test_gaps),
                                     cmocka_unit_test(test_weak_coupling),
                                     cmocka_unit_test(test_sliding),
                                     cmocka_unit_test(test_constriction),
                                     cmocka_unit_test(test_terminal),
                                     cmocka_unit_test(test_flat_layers),
                                     cmocka_unit_test(test_round_layers)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
