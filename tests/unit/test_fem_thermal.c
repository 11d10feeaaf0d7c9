// Heat and current through the C interface: layers in series by hand, and sentences for what is
// wrong.
#include "expect.h"

#include "fem/contact/layer.h"

#include <stiction/thermal.h>

#include <math.h>
#include <string.h>

// Two unit squares, one above the other, nodes that do not match; all nodes are supported.
typedef struct pile {
  stc_mesh *mesh;
  stc_body body[2];
  stc_support support[3];
  stc_traction load;
  stc_pair pair;
  stc_conductor conductor[2];
  stc_transfer transfer[4];
  stc_junction junction;
  stc_thermal_description thermal;
  stc_fem_description description;
  stc_fem *fem;
} pile;

static bool move(void *user, const double *s, double *x) {
  x[0] = s[0];
  x[1] = s[1] + *(const double *)user;
  return true;
}

static bool conductance(void *user, double p, double g, double *h) {
  (void)g;
  *h = *(const double *)user * p * p;
  return true;
}

static double factor = 0.25;

static void make_pile(pile *p) {
  static double low = -1, high = 0;
  stc_mesh *part[2];
  const char *const names[] = {"low", "high"};
  memset(p, 0, sizeof *p);
  for (int k = 0; k < 2; k++) {
    stc_grid grid = {.type = STC_CELL_Q4,
                     .count = {3 + 2 * k, 3},
                     .body = names[k],
                     .map = move,
                     .user = k ? &high : &low};
    expect_ok(stc_mesh_grid(&grid, &part[k]));
    p->body[k] = (stc_body){.group = names[k], .material = {.young = 100}};
    p->conductor[k] = (stc_conductor){.group = names[k], .conductivity = 2 + 3 * k};
    p->conductor[k].electric = 4 + 4 * k;
  }
  expect_ok(stc_mesh_join(2, (const stc_mesh *const *)part, &p->mesh));
  for (int k = 0; k < 2; k++) stc_mesh_free(&part[k]);
  p->support[0] = (stc_support){.group = "low"};
  p->support[1] = (stc_support){.group = "high"};
  p->support[2] = (stc_support){.group = "low.t0", .component = 1};
  p->load = (stc_traction){"high.t1", -1, {.value = 2}};
  p->pair = (stc_pair){.name = "c", .slave = "high.t0", .master = "low.t1"};
  p->transfer[0] = (stc_transfer){"low.t0", STC_TEMPERATURE, {.value = 10}, 0};
  p->transfer[1] = (stc_transfer){"high.t1", STC_TEMPERATURE, {.value = 10}, 0};
  p->transfer[2] = (stc_transfer){"low.t0", STC_POTENTIAL, {.value = 0}, 0};
  p->transfer[3] = (stc_transfer){"high.t1", STC_CURRENT, {.value = 3}, 0};
  p->junction = (stc_junction){.pair = 0, .heat = {.solid = 7, .exponent = 1}, .share = 0.3};
  p->junction.electric = (stc_conductance){.function = conductance, .user = &factor};
  p->thermal = (stc_thermal_description){.conductors = 2,
                                         .conductor = p->conductor,
                                         .transfers = 4,
                                         .transfer = p->transfer,
                                         .junctions = 1,
                                         .junction = &p->junction,
                                         .initial = {.value = 10},
                                         .steady = true};
  p->description = (stc_fem_description){.mesh = p->mesh,
                                         .kinematics = STC_PLANE_STRAIN,
                                         .bodies = 2,
                                         .body = p->body,
                                         .supports = 3,
                                         .support = p->support,
                                         .tractions = 1,
                                         .traction = &p->load,
                                         .pairs = 1,
                                         .pair = &p->pair,
                                         .thermal = &p->thermal};
}

static void free_pile(pile *p) {
  stc_fem_free(&p->fem);
  stc_mesh_free(&p->mesh);
}

// The pressure is 2: e = 0.25 * 4 = 1, h = 7 * 2 = 14. A current of 3 flows down: potential 3 / 4
// at the lower side of the contact, 3 more above it, 3 / 8 over the upper square. Joule heat: 9 / 4
// and 9 / 8 in the squares, uniform, and 9 in the contact, of which 0.3 goes up. With x the heat
// that goes down through the contact, T_low = 10 + (x + 6.3) / 2 + 9/16 and T_high = 10 + (2.7 - x)
// / 5 + 9/80, and x = 14 (T_high - T_low):
//   x (1/14 + 1/2 + 1/5) = 2.7/5 + 9/80 - 6.3/2 - 9/16
static void test_series(void **state) {
  for (int coupling = 0; coupling < 2; coupling++) {
    pile p;
    make_pile(&p);
    p.thermal.coupling = (stc_coupling)coupling;
    expect_ok(stc_fem_create(&p.description, NULL, &p.fem));
    stc_fem_report report;
    expect_ok(stc_fem_advance(p.fem, 1, &report));
    if (!report.accepted) print_error("%s\n", report.reason);
    assert_true(report.accepted);
    double x = (2.7 / 5 + 9.0 / 80 - 6.3 / 2 - 9.0 / 16) / (1.0 / 14 + 0.5 + 0.2);
    double heat = 0, current = 0, joule = 0, down, into;
    for (int k = 0; k < stc_fem_contacts(p.fem, 0); k++) {
      stc_contact_flow flow;
      stc_fem_contact_flow(p.fem, 0, k, &flow);
      expect_near(flow.conductance, 14, 1e-9);
      expect_near(flow.potential_jump, 3, 1e-9);
      heat += flow.heat, current += flow.current, joule += flow.joule;
    }
    expect_near(current, 3, 1e-10);
    expect_near(joule, 9, 1e-9);
    expect_near(heat, x, 1e-9);
    expect_ok(stc_fem_group_flow(p.fem, "low.t0", &into, &down));
    expect_near(down, -3, 1e-10);
    expect_near(into, -(x + 6.3 + 9.0 / 4), 1e-9);
    stc_heat_balance rate;
    stc_fem_heat(p.fem, &rate, NULL);
    expect_near(rate.joule, 9.0 / 4 + 9.0 / 8, 1e-10);
    expect_near(rate.contact, 9, 1e-9);
    assert_true(fabs(rate.error) < 1e-12);
    free_pile(&p);
  }
}

// A state that was saved and restored goes on with the same bits.
static void test_restored(void **state) {
  pile p;
  make_pile(&p);
  p.thermal.steady = false;
  p.conductor[0].capacity = p.conductor[1].capacity = 3;
  p.conductor[1].expansion = 1e-3;
  expect_ok(stc_fem_create(&p.description, NULL, &p.fem));
  size_t size = stc_fem_state_size(p.fem);
  double *a = test_calloc(size, sizeof *a), *b = test_calloc(size, sizeof *b);
  expect_ok(stc_fem_advance(p.fem, 0.1, NULL));
  stc_fem_save(p.fem, a);
  expect_ok(stc_fem_advance(p.fem, 0.2, NULL));
  stc_fem_save(p.fem, b);
  expect_ok(stc_fem_restore(p.fem, a, size));
  expect_ok(stc_fem_advance(p.fem, 0.2, NULL));
  stc_fem_save(p.fem, a);
  assert_memory_equal(a, b, size * sizeof *a);
  test_free(a), test_free(b);
  free_pile(&p);
}

static void refuse_pile(pile *p, const char *sentence) {
  stc_error error = stc_fem_create(&p->description, NULL, &p->fem);
  stc_fem_report report = {0};
  if (!error) error = stc_fem_advance(p->fem, 1, &report);
  assert_true(error || !report.accepted);
  const char *said = error ? stc_error_detail() : report.reason;
  if (!strstr(said, sentence)) print_error("%s\n", said);
  assert_non_null(strstr(said, sentence));
  free_pile(p);
}
#define REFUSE(sentence, change)                                                                   \
  do {                                                                                             \
    pile p;                                                                                        \
    make_pile(&p);                                                                                 \
    change;                                                                                        \
    refuse_pile(&p, sentence);                                                                     \
  } while (0)

// Depth and pressure are inverse, the slope is the derivative, and a layer in series with a spring
// carries p with p + eps depth(p) = load.
static void test_layers(void **state) {
  const stc_layer layers[] = {{STC_LAYER_POWER, 3, 0.1, 1, 0},
                              {STC_LAYER_POWER, 3, 0.1, 3.5, 0},
                              {STC_LAYER_EXPONENTIAL, 3, 0.1, 0, 0},
                              {STC_LAYER_EXPONENTIAL, 3, 0.1, 0, 2}};
  for (int k = 0; k < 4; k++)
    for (double p = 1e-9; p < 1e9; p *= 100) {
      double slope, unused, depth = stc_layer_depth(&layers[k], p, &slope), h = 1e-6 * p;
      double difference =
          stc_layer_depth(&layers[k], p + h, &unused) - stc_layer_depth(&layers[k], p - h, &unused);
      assert_true(fabs(stc_layer_pressure(&layers[k], depth) / p - 1) < 1e-9);
      assert_true(fabs(difference / (2 * h * slope) - 1) < 1e-3);
      double load = p + 7 * depth;
      assert_true(fabs(stc_layer_balance(&layers[k], load, 7) / p - 1) < 1e-6);
    }
  // At the reach of 2 lengths nothing is carried, at 0 the whole law less what is left there.
  stc_layer short_one = {STC_LAYER_EXPONENTIAL, 3, 0.1, 0, 0.2};
  expect_near(stc_layer_pressure(&short_one, 0.2), 3 * (1 - exp(-2)), 1e-14);
  assert_true(stc_layer_pressure(&short_one, 0) == 0 && stc_layer_balance(&short_one, 0, 1) == 0);
}

static void test_refusals(void **state) {
  REFUSE("conductivity = 0", p.conductor[0].conductivity = 0);
  REFUSE("electric = nan", p.conductor[1].electric = NAN);
  REFUSE("capacity = 0", p.thermal.steady = false);
  REFUSE("belongs to no conductor", p.thermal.conductors = 1);
  REFUSE("two conductors", p.conductor[1].group = "low");
  REFUSE("'low.t0' is a surface", p.conductor[1].group = "low.t0");
  REFUSE("no group", p.transfer[0].group = "lid");
  REFUSE("name a surface", p.transfer[3].group = "high");
  REFUSE("there is no kind 9", p.transfer[3].kind = (stc_transfer_kind)9);
  REFUSE("nothing there conducts current", p.conductor[1].electric = 0);
  REFUSE("there is no contact 1", p.junction.pair = 1);
  REFUSE("share = 2", p.junction.share = 2);
  REFUSE("solid of heat is -1", p.junction.heat.solid = -1);
  REFUSE("needs gap > 0", p.junction.heat.gas = 1);
  REFUSE("theta = 0.3", p.thermal.theta = 0.3);
  REFUSE("is for transient runs", p.thermal.theta = 0.5);
  REFUSE("passes = -1", p.thermal.passes = -1);
  REFUSE("it must be finite", p.thermal.initial.value = INFINITY);
  REFUSE("no balance of heat and current", p.junction.electric = (stc_conductance){0});
  REFUSE("no law 7 of a layer", p.pair.layer.law = (stc_layer_law)7);
  REFUSE("both must be > 0", p.pair.layer.law = STC_LAYER_POWER);
  REFUSE("exponent of the layer is 0.5",
         p.pair.layer = ((stc_layer){STC_LAYER_POWER, 1, 1, 0.5, 0}));
  REFUSE("reach of the layer", p.pair.layer = ((stc_layer){STC_LAYER_EXPONENTIAL, 1, 1, 0, 601}));
  REFUSE("another group for", p.transfer[1].group = "low.t0"; p.transfer[1].value.value = 11);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_series), cmocka_unit_test(test_restored),
                                     cmocka_unit_test(test_layers),
                                     cmocka_unit_test(test_refusals)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
