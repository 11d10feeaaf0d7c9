// Small scenes from a generator with fixed seeds: systems with walls under every law and scheme,
// and rigid bodies that fall on each other, with joints, in the plane and in space. Every scene is
// read and runs to its end, or stops with a sentence, within a bounded number of steps; its energy
// adds up at every step,
//   kinetic + potential = start + work + drive + friction + shock + correction + error,
// and friction gives none.
#include "scratch.h"
#include "unit/scene_support.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

enum { SYSTEMS = 120, WORLDS = 40, TEXT_ROOM = 8000, MOST_STEPS = 2000 };

// --- The generator ---

typedef struct maker {
  uint64_t state;
  char text[TEXT_ROOM];
  size_t used;
} maker;

static double uniform(maker *m) {
  m->state = m->state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
  return (double)(m->state >> 11) / 9007199254740992.0;
}

static double between(maker *m, double low, double high) { return low + (high - low) * uniform(m); }
static int choose(maker *m, int count) { return (int)(uniform(m) * count); }

// Zero now and then, else of any size from 1e-3 to 1e3.
static double size(maker *m) { return choose(m, 8) ? pow(10, between(m, -3, 3)) : 0; }

__attribute__((format(printf, 2, 3))) static void put(maker *m, const char *format, ...) {
  va_list list;
  va_start(list, format);
  int length = vsnprintf(m->text + m->used, TEXT_ROOM - m->used, format, list);
  va_end(list);
  assert_true(length >= 0 && (size_t)length < TEXT_ROOM - m->used);
  m->used += (size_t)length;
}

static void put_list(maker *m, int count, double low, double high) {
  put(m, "{ ");
  for (int k = 0; k < count; k++) put(m, "%.9g, ", between(m, low, high));
  put(m, "}");
}

// --- Systems ---

static void put_coefficient(maker *m) {
  switch (choose(m, 6)) {
  case 0:
    put(m, "static_kinetic { mu_s = 0.6, mu_k = %.3g }", between(m, 0, 0.6));
    break;
  case 1:
    put(m, "stribeck { mu_s = 0.6, mu_k = 0.2, v_c = %.3g }", pow(10, between(m, -3, 1)));
    break;
  case 2:
    put(m, "slip_weakening { mu_s = 0.6, mu_k = 0.2, distance = 0.1 }");
    break;
  case 3:
    put(m, "tabulated { speed = { 0, 1 }, mu = { 0.5, %.3g } }", uniform(m));
    break;
  case 4:
    put(m, "function(v, d) return 0.3 / (1 + v + d) end");
    break;
  default:
    put(m, "%.6g", size(m));
  }
}

// A law for contacts of `dim` components; the extrapolated scheme knows constant coefficients only.
static void put_law(maker *m, int dim, bool smooth) {
  if (dim == 4 && !smooth && choose(m, 3) == 0) {
    put(m, "contensou { mu = %.6g, hertz = { R = %.6g, E = 1e5, load = %.6g } }", size(m), size(m),
        size(m));
  } else if (dim == 4) {
    put(m, "contensou { mu = %.6g, radius = %.6g }", size(m), size(m) * 0.1);
  } else if (dim == 5) {
    put(m, "rolling { mu = %.6g, length = %.6g }", size(m), size(m) * 0.1);
  } else if (choose(m, 6) == 0) {
    put(m, "frictionless {}");
  } else if (dim == 3 && choose(m, 3) == 0) {
    put(m, "elliptic { mu1 = %.6g, mu2 = %.6g }", uniform(m), uniform(m));
  } else {
    put(m, "coulomb { mu = ");
    if (smooth)
      put(m, "%.6g", size(m));
    else
      put_coefficient(m);
    put(m, " }");
  }
}

// A plane through a point below the start, its normal upwards; for laws with spin or rolling the
// horizontal one, with the rows of velocities they act on.
static void put_wall(maker *m, int dim, int dofs, bool smooth) {
  double tilt = dim > 3 ? 0 : between(m, -1, 1), depth = choose(m, 2) ? 0 : uniform(m);
  int up = dim > 3 ? 3 : dofs;
  put(m, "wall { f = function(t, q) return -(q[%d] * %.17g + q[1] * %.17g + %.6g) end,\n", up,
      cos(tilt), sin(tilt), depth);
  put(m, "  gradient = { %.17g, ", -sin(tilt));
  for (int k = 2; k <= dofs; k++) put(m, "%.17g, ", k == up ? -cos(tilt) : 0.0);
  put(m, "},\n");
  if (dim == 4) put(m, "  tangents = { { 1, 0, 0, 0 }, { 0, 1, 0, 0 }, { 0, 0, 0, 1 } },\n");
  if (dim == 5)
    put(m, "  tangents = { { 1, 0, 0, 0, -1 }, { 0, 1, 0, 1, 0 }, { 0, 0, 0, 1, 0 }, "
           "{ 0, 0, 0, 0, 1 } },\n");
  if (!smooth && choose(m, 4) == 0 && dim <= 3) {
    put(m, "  velocity = ");
    put_list(m, dofs, -0.2, 0.2);
    put(m, ",\n");
  }
  if (!smooth && choose(m, 2)) put(m, "  restitution = %.3g,\n", uniform(m));
  put(m, "  friction = ");
  put_law(m, dim, smooth);
  put(m, " }\n");
}

static void put_system(maker *m) {
  int dim = 2 + choose(m, 4), dofs = dim, walls = dim > 3 ? 1 : 1 + choose(m, 3);
  bool smooth = choose(m, 4) == 0, spring = choose(m, 3) == 0;
  double scale = pow(10, between(m, -3, 3));
  put(m, "system { mass = ");
  put_list(m, dofs, 0.5 * scale, 2 * scale);
  put(m, ", q = { ");
  for (int k = 0; k < dofs; k++) put(m, "0, ");
  put(m, "}, u = ");
  put_list(m, dofs, -1, 1);
  put(m, ", dim = %d,\n", dim);
  if (spring) {
    put(m,
        "  force = function(t, q, u) local Q = {} for k = 1, %d do Q[k] = -%.6g * q[k] end\n"
        "    Q[%d] = Q[%d] - %.6g return Q end,\n",
        dofs, 10 * scale, dim > 3 ? 3 : dofs, dim > 3 ? 3 : dofs, 9.81 * scale);
  } else {
    put(m, "  force = { ");
    for (int k = 1; k <= dofs; k++)
      put(m, "%.9g, ", k == (dim > 3 ? 3 : dofs) ? -9.81 * scale : between(m, -1, 1) * scale);
    put(m, "},\n");
  }
  put(m, "}\n");
  for (int k = 0; k < walls; k++) put_wall(m, dim, dofs, smooth);
  put(m, "run { h = %.6g, t_end = 0.3, correction = %d%s }\n", pow(10, between(m, -3, -1.5)),
      !smooth && choose(m, 2), smooth ? ", scheme = 'extrapolated', scheme_tol = 1e-6" : "");
  put(m, "observables { e = function(s) return s.energy.error end }\n");
}

// --- Rigid bodies ---

static void put_shape(maker *m, bool plane) {
  double a = between(m, 0.1, 0.4), b = between(m, 0.1, 0.4), c = between(m, 0.1, 0.4);
  switch (choose(m, plane ? 3 : 5)) {
  case 0:
    put(m, "sphere = %.6g", a / 2);
    break;
  case 1:
    if (plane)
      put(m, "box = { %.6g, %.6g }", a, b);
    else
      put(m, "box = { %.6g, %.6g, %.6g }", a, b, c);
    break;
  case 2:
    if (plane)
      put(m, "hull = { { 0, 0 }, { %.6g, 0 }, { 0, %.6g } }", a, b);
    else
      put(m, "hull = { { 0, 0, 0 }, { %.6g, 0, 0 }, { 0, %.6g, 0 }, { 0, 0, %.6g } }", a, b, c);
    break;
  case 3:
    put(m, "capsule = { radius = %.6g, length = %.6g }", a / 3, b);
    break;
  default:
    put(m, "cylinder = { radius = %.6g, length = %.6g }", a / 2, b);
  }
}

static void put_body(maker *m, bool plane, int number) {
  put(m, "rigid { name = 'b%d', ", number);
  put_shape(m, plane);
  put(m, ", density = %.6g, at = { %.6g, ", pow(10, between(m, 1, 4)), between(m, -0.3, 0.3));
  if (!plane) put(m, "%.6g, ", between(m, -0.3, 0.3));
  put(m, "%.6g }, velocity = ", 0.6 + 0.7 * number);
  put_list(m, plane ? 2 : 3, -1, 1);
  put(m, ", omega = ");
  if (plane)
    put(m, "%.6g", between(m, -3, 3));
  else
    put_list(m, 3, -3, 3);
  put(m, " }\n");
}

static void put_world(maker *m) {
  bool plane = choose(m, 3) == 0;
  int bodies = 1 + choose(m, 4);
  put(m, "world { plane = %s, gravity = { 0, %s-9.81 }, mu = %.6g, restitution = %.3g }\n",
      plane ? "true" : "false", plane ? "" : "0, ", choose(m, 5) ? uniform(m) : 0,
      choose(m, 2) * uniform(m));
  put(m, "rigid { name = 'floor', plane = true }\n");
  for (int k = 0; k < bodies; k++) put_body(m, plane, k);
  if (bodies > 1 && choose(m, 3) == 0) {
    put(m, "joint { kind = 'ball', bodies = { 'b0', 'b1' }, at = { 0, ");
    put(m, plane ? "0.95 } }\n" : "0, 0.95 } }\n");
  }
  put(m, "run { h = %.6g, t_end = 0.5 }\n", pow(10, between(m, -2.7, -1.8)));
}

// --- Facts ---

static double largest(const stc_ledger *l) {
  const double x[] = {l->kinetic, l->potential, l->start,      l->work,
                      l->drive,   l->friction,  l->correction, l->shock};
  double most = 0;
  for (size_t k = 0; k < sizeof x / sizeof *x; k++) most = fmax(most, fabs(x[k]));
  return most;
}

// `most` is the largest energy so far: sums of it carry its rounding.
static bool adds_up(const stc_ledger *l, double most) {
  double now = l->kinetic + l->potential, booked = l->work + l->drive + l->friction + l->shock;
  double left = now - (l->start + booked + l->correction + l->error);
  return fabs(left) <= 1e-10 * most && l->friction <= 1e-12 * most && isfinite(l->error);
}

// Steps to the end, or to a step that is not taken: then false.
static bool step_through(const char *text, stc_run *run) {
  stc_step_report report = {.accepted = true};
  stc_error error = STC_OK;
  double most = 0;
  while (!error && report.accepted && !stc_run_done(run) && stc_run_steps(run) < MOST_STEPS) {
    error = stc_run_step(run, &report);
    const stc_ledger *l = stc_run_ledger(run);
    most = fmax(most, largest(l));
    if (!adds_up(l, most))
      print_error("the energy does not add up (friction %g, error %g, largest %g):\n%s",
                  l->friction, l->error, most, text);
    assert_true(adds_up(l, most));
  }
  if (error) print_error("%s\n%s", stc_error_detail(), text);
  assert_int_equal(error, STC_OK);
  assert_true(report.accepted || report.reason[0]);
  if (report.accepted && !stc_run_done(run)) print_error("no end:\n%s", text);
  assert_true(!report.accepted || stc_run_done(run));
  return report.accepted;
}

static bool check_scene(const char *text, const char *path) {
  stc_scene *scene = NULL;
  stc_run *run = NULL;
  stc_run_settings settings = {.output = path};
  stc_error error = read_scene(text, &scene);
  if (!error) error = stc_run_create(scene, &settings, &run);
  if (error) print_error("%s\n%s", stc_error_detail(), text);
  assert_int_equal(error, STC_OK);
  bool ended = step_through(text, run);
  long steps = stc_run_steps(run);
  assert_int_equal(stc_run_close(&run), STC_OK);
  stc_scene_free(&scene);
  if (!path) return ended;
  stc_trajectory *t = NULL;
  assert_int_equal(stc_trajectory_read(path, &t), STC_OK);
  assert_int_equal(t->rows, steps + 1);
  stc_trajectory_free(&t);
  return ended;
}

// Seeds from `first`, `count` of them: STICTION_TRIALS=FIRST:COUNT takes others.
static void choose_seeds(uint64_t *first, int *count) {
  const char *asked = getenv("STICTION_TRIALS"), *colon = asked ? strchr(asked, ':') : NULL;
  if (!colon) return;
  *first = strtoull(asked, NULL, 10);
  *count = atoi(colon + 1);
}

static void check_scenes(void (*make)(maker *), int count) {
  char path[300];
  int ended = 0;
  uint64_t first = 1000;
  choose_seeds(&first, &count);
  scratch_path(path, sizeof path, "random.h5");
  for (int k = 0; k < count; k++) {
    maker m = {.state = first + (uint64_t)k};
    for (int warm = 0; warm < 3; warm++) uniform(&m);
    make(&m);
    ended += check_scene(m.text, k % 10 == 0 ? path : NULL);
  }
  remove(path);
  printf("%d of %d scenes ran to their end\n", ended, count);
  assert_true(ended >= 0.9 * count);
}

static void test_systems(void **state) { check_scenes(put_system, SYSTEMS); }

static void test_worlds(void **state) { check_scenes(put_world, WORLDS); }

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_systems), cmocka_unit_test(test_worlds)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
