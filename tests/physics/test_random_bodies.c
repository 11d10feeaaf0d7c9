// Random small scenes of deformable bodies and of elastodynamic friction, from fixed seeds: each is
// refused with a sentence that names its line, or runs to its end or to a step with a reason. What
// it prints then adds up: stored energy is half the work of all nodal forces where bodies are
// elastic and unloaded, plastic flow and friction take energy, an elastodynamic run keeps its
// ledger. STICTION_TRIALS scenes of each kind, 150 if it is not set.
#include "unit/scene_support.h"

#include <stdio.h>

enum { TRIALS = 150, TEXT = 8000, MOST_STEPS = 12 };

// --- Chance and text ---

typedef struct writer {
  uint64_t state;
  char text[TEXT];
  size_t used;
  bool huge;  // some number makes rounding as large as the energies
} writer;

static unsigned chance(writer *w, unsigned n) {
  w->state = w->state * 6364136223846793005u + 1442695040888963407u;
  return (unsigned)(w->state >> 33) % n;
}

static bool one_in(writer *w, unsigned n) { return chance(w, n) == 0; }

static double draw_between(writer *w, double low, double high) {
  return low + (high - low) * chance(w, 1000001) / 1e6;
}

static void say(writer *w, const char *format, ...) {
  va_list list;
  va_start(list, format);
  int count = vsnprintf(w->text + w->used, TEXT - w->used, format, list);
  va_end(list);
  assert_true(count >= 0 && (size_t)count < TEXT - w->used);
  w->used += (size_t)count;
}

// Mostly a good number; now and then one at or beyond a limit.
static double number(writer *w, double low, double high) {
  static const double odd[] = {0, -1, 1e-300, 0.5, 1e-9, 1e9, 1e300};
  if (!one_in(w, 60)) return draw_between(w, low, high);
  unsigned k = chance(w, 7);
  w->huge = w->huge || k > 4;
  return odd[k];
}

// --- Bodies ---

typedef struct solid {
  int dim;
  bool axis, loaded, yields;
  bool
      exact;  // contact without a penalty, whose springs along the surface give back what they took
} solid;

static const char *side(writer *w, int dim) {
  static const char *const sides[] = {"s0", "s1", "t0", "t1", "w0", "w1"};
  return sides[chance(w, dim == 2 ? 4 : 6)];
}

static const char *component(writer *w, const solid *s) {
  static const char *const plane[] = {"x", "y", "all"}, *const space[] = {"x", "y", "z", "all"};
  return s->dim == 2 ? plane[chance(w, 3)] : space[chance(w, 4)];
}

static void say_grid(writer *w, const solid *s, const char *element, const char *name, double up) {
  unsigned most = s->dim == 2 ? 3 : 2;
  say(w, "grid { element = '%s', body = '%s', cells = { %u, %u", element, name, 1 + chance(w, most),
      1 + chance(w, most));
  if (s->dim == 3) say(w, ", %u", 1 + chance(w, most));
  const char *place = s->dim == 2 ? "s, t" : "s, t, w";
  double skew = one_in(w, 30) ? 3 : draw_between(w, 0, 0.2);
  say(w, " },\n  map = function(%s) return s + %g * t, t%s", place, s->axis ? 0 : skew,
      s->dim == 2 ? "" : ", w");
  say(w, " + %g end },\n", up);
}

static void say_body(writer *w, solid *s, const char *name) {
  bool yields = one_in(w, 4);
  s->yields = s->yields || yields;
  say(w, "body { group = '%s', young = %g, poisson = %g", name, number(w, 100, 1000),
      number(w, 0, 0.49));
  if (yields) say(w, ", yield = %g, hardening = %g", number(w, 0.5, 5), number(w, 0, 100));
  if (one_in(w, 3)) {
    s->loaded = true;
    say(w, ", force = { %g, %g%s }", number(w, -1, 1), number(w, -1, 1),
        s->dim == 3 ? ", -0.5" : "");
  }
  say(w, " }\n");
}

static void say_loads(writer *w, solid *s, const char *name) {
  const char *up = s->dim == 2 ? "t1" : "w1";  // opposite to what is held; else values may clash
  for (unsigned k = chance(w, 3); k > 0; k--)
    say(w, "support { group = '%s.%s', component = '%s', value = function(t) return %g * t end }\n",
        name, one_in(w, 8) ? side(w, s->dim) : up, component(w, s),
        k > 1 ? 0 : number(w, -0.02, 0.02));
  if (!one_in(w, 3)) return;
  s->loaded = true;
  if (one_in(w, 2))
    say(w, "pressure { group = '%s.%s', value = %g }\n", name, side(w, s->dim), number(w, -1, 1));
  else
    say(w, "traction { group = '%s.%s', component = '%s', value = %g }\n", name, side(w, s->dim),
        component(w, s), number(w, -1, 1));
}

static void say_contact(writer *w, const solid *s, bool two) {
  const char *low = s->dim == 2 ? "t0" : "w0", *high = s->dim == 2 ? "t1" : "w1";
  const char *sliding = one_in(w, 3) ? "finite" : "small";
  if (two)
    say(w,
        "contact { name = 'joint', slave = 'top.%s', master = 'b.%s', mu = %g, sliding = '%s' }\n",
        low, high, number(w, 0, 1), sliding);
  if (one_in(w, 2))
    say(w,
        "contact { name = 'floor', slave = 'b.%s', mu = %g, obstacle = plane { point = { %s }, "
        "normal = { %s } } }\n",
        low, number(w, 0, 1), s->dim == 2 ? "0, 0" : "0, 0, 0", s->dim == 2 ? "0, 1" : "0, 0, 1");
}

// The sum of u . force over the nodes of all bodies.
static void say_work(writer *w, bool two) {
  say(w,
      "local function work(s, name)\n  local sum = 0\n"
      "  for _, n in ipairs(s.nodes(name)) do\n"
      "    for i = 1, #n.u do sum = sum + n.u[i] * n.force[i] end\n  end\n  return sum\nend\n"
      "observables { work = function(s) return work(s, 'b')%s end,\n"
      "  strain = function(s) return s.report.largest_strain end }\n",
      two ? " + work(s, 'top')" : "");
}

static solid write_solid(writer *w) {
  static const char *const elements[] = {"T3", "T6", "Q4", "Q8", "T4", "H8"};
  static const char *const methods[] = {"auto", "active-set", "adapted", "uzawa", "penalty"};
  static const char *const plane[] = {"plane_strain", "plane_stress", "axisymmetric"};
  unsigned element = chance(w, 6), kinematics = chance(w, 3);
  solid s = {.dim = element < 4 ? 2 : 3, .axis = element < 4 && kinematics == 2};
  bool two = one_in(w, 2);
  say(w, "mesh { ");
  say_grid(w, &s, elements[element], "b", 0);
  if (two) say_grid(w, &s, elements[element], "top", one_in(w, 4) ? 1.01 : 1);
  say(w, "}\n");
  if (s.dim == 2) say(w, "solid { kinematics = '%s' }\n", plane[kinematics]);
  say_body(w, &s, "b");
  if (two) say_body(w, &s, "top");
  if (!one_in(w, 6))
    say(w, "support { group = 'b.%s', component = 'all', value = 0 }\n",
        one_in(w, 4) ? side(w, s.dim)
        : s.dim == 2 ? "t0"
                     : "w0");
  say_loads(w, &s, "b");
  if (two) say_loads(w, &s, "top");
  say_contact(w, &s, two);
  unsigned method = chance(w, 5);
  s.exact = method < 2;
  say(w, "steps { count = %u, method = '%s', max_cuts = 1, max_iterations = 25 }\n",
      1 + chance(w, 2), methods[method]);
  say_work(w, two);
  return s;
}

// --- Marches ---

static void say_law(writer *w) {
  double mu_d = number(w, 0, 0.5);
  say(w, "mu_s = %g, mu_d = %g, v_c = %g", mu_d + (one_in(w, 8) ? 0 : number(w, 0, 0.5)), mu_d,
      number(w, 0.01, 1));
}

static const char *rule(writer *w) {
  static const char *const rules[] = {"delay", "min", "max"};
  return rules[chance(w, 3)];
}

static void say_bar(writer *w) {
  say(w, "bar { ");
  say_law(w);
  say(w,
      ", depth = %g, elements = %u, tau = function(t) return %g * t end, layer = %g, load = %g, "
      "rule = '%s', clamped = %s, threshold = 0.05 }\n",
      number(w, 0.5, 2), chance(w, 12), number(w, -1, 1), number(w, 0, 0.2), number(w, 0, 2),
      rule(w), one_in(w, 2) ? "true" : "false");
}

static void say_column(writer *w) {
  say(w, "column { ");
  say_law(w);
  say(w, ", rate = %g, t_turn = %g, layer = %g, threshold = 0.05, load = %g }\n",
      one_in(w, 5) ? 0 : number(w, -1, 1), one_in(w, 3) ? 0 : number(w, 0.1, 1),
      one_in(w, 2) ? 0 : draw_between(w, 0.01, 0.2), number(w, 0, 2));
  say(w, "reflections { name = 'r', ");
  say_law(w);
  say(w, ", depth = %g, V = %g, load = %g }\n", number(w, 0.1, 1), number(w, -1, 1),
      number(w, 0, 2));
}

static void say_sides(writer *w, bool space) {
  static const char *const sides[] = {"left", "right", "front", "back"};
  const char *up = space ? "z" : "y";
  say(w, "  supports = { { side = 'top', component = '%s', value = %g },\n", up,
      number(w, -0.1, 0.02));
  if (!one_in(w, 5)) say(w, "    { side = 'top', component = 'x', value = 0 },\n");
  if (space && !one_in(w, 5)) say(w, "    { side = 'top', component = 'y', value = 0 },\n");
  if (one_in(w, 4))
    say(w, "    { side = '%s', component = '%s', value = 0 },\n", sides[chance(w, space ? 4 : 2)],
        one_in(w, 2) ? "x" : up);
  say(w, "  },\n  tractions = { ");
  if (one_in(w, 3))
    say(w, "{ side = '%s', component = 'normal', value = function(t, x) return %g * x[1] end }",
        sides[chance(w, space ? 4 : 2)], number(w, -0.1, 0.1));
  say(w, " } }\n");
}

static void say_strip(writer *w) {
  bool space = one_in(w, 2);
  unsigned most = space ? 2 : 4;
  say(w, "strip { ");
  say_law(w);
  say(w, ", size = { %g, %s1 }, cells = { %u, %s%u }, periodic = %s, pressed = %s,\n",
      number(w, 0.5, 2), space ? "1, " : "", 1 + chance(w, most), space ? "2, " : "",
      1 + chance(w, most), one_in(w, 4) ? "true" : "false", one_in(w, 2) ? "true" : "false");
  say(w, "  lambda = %g, shear = %g, eps = %g, degree = %u, eta_n = %g, eta_t = %g, rule = '%s',\n",
      one_in(w, 30) ? -1 : draw_between(w, 0, 2), one_in(w, 30) ? 0 : draw_between(w, 0.5, 2),
      one_in(w, 4) ? 0 : number(w, 0.05, 0.3), chance(w, 3), one_in(w, 2) ? 0 : 1e-2,
      one_in(w, 2) ? 0 : 1e-4, rule(w));
  say(w, "  max_sweeps = 50, threshold = 0.02, force = { %g, %g%s },\n", number(w, -0.1, 0.1),
      number(w, -0.1, 0.1), space ? ", -0.1" : "");
  if (space)
    say(w, "  tau = { function(t) return %g * t end, %g },\n", number(w, -1, 1), number(w, -1, 1));
  else
    say(w, "  tau = function(t) return %g * t end,\n", number(w, -1, 1));
  say_sides(w, space);
}

static void write_waves(writer *w) {
  unsigned kind = chance(w, 4);
  if (kind == 0) say_bar(w);
  if (kind == 1) say_column(w);
  if (kind > 1) say_strip(w);
  double dt = number(w, 0.01, 0.2);
  say(w, "elastodynamic { dt = %.9g, t_end = %.9g }\n", dt, one_in(w, 20) ? 0 : 8 * dt);
}

// --- Running ---

static void fail_with(const writer *w, unsigned seed, const char *what) {
  print_error("seed %u: %s (%s)\n%s\n", seed, what, stc_error_detail(), w->text);
  fail();
}

// A sentence that begins with the scene and a line.
static bool is_named(void) {
  const char *found = stc_error_detail();
  return !strncmp(found, "dir/test.lua:", 13) && found[13] >= '0' && found[13] <= '9';
}

// Steps until the end or a step that is not accepted; false: refused.
static bool run_some(const writer *w, unsigned seed, stc_run *run, bool *accepted) {
  stc_step_report report = {.accepted = true};
  for (int k = 0; k < MOST_STEPS && !stc_run_done(run) && report.accepted; k++)
    if (stc_run_step(run, &report) != STC_OK) {
      if (!is_named()) fail_with(w, seed, "a step failed without its place");
      return false;
    }
  if (!report.accepted && !report.reason[0]) fail_with(w, seed, "no reason");
  *accepted = report.accepted;
  return true;
}

static void check_energies(const writer *w, unsigned seed, const stc_run *run) {
  const char *name;
  double value;
  for (int k = 0; stc_run_energy(run, k, &name, &value); k++)
    if (!isfinite(value)) fail_with(w, seed, name);
}

static double energy_of(const stc_run *run, const char *wanted) {
  const char *name;
  double value;
  for (int k = 0; stc_run_energy(run, k, &name, &value); k++)
    if (!strcmp(name, wanted)) return value;
  return NAN;
}

static void check_solid(const writer *w, unsigned seed, const solid *s, stc_run *run) {
  const double rounding = 1e-9;
  double work = 0, stored = energy_of(run, "stored"), strain = 0;
  check_energies(w, seed, run);
  assert_int_equal(stc_run_observable(run, 1, &work), STC_OK);
  assert_int_equal(stc_run_observable(run, 0, &strain), STC_OK);
  if (!(strain >= 0)) fail_with(w, seed, "no strain");
  const double floor = 1e-3;  // what E u^2 amounts to: of a rigid shift only rounding is left
  double scale = fmax(fmax(fabs(stored), fabs(work)), floor);
  if (!s->yields && !s->loaded && !w->huge && fabs(2 * stored - work) > rounding * scale)
    fail_with(w, seed, "stored energy is not half the work of the forces");
  if (stored < -rounding * scale || energy_of(run, "plastic") < -rounding * scale)
    fail_with(w, seed, "negative energy");
  if (s->exact &&
      energy_of(run, "friction") < -rounding * (scale + fabs(energy_of(run, "friction"))))
    fail_with(w, seed, "friction gives energy");
}

static void check_waves(const writer *w, unsigned seed, stc_run *run) {
  stc_elastodynamic_report r;
  check_energies(w, seed, run);
  for (int k = 0; stc_run_elastodynamic(run, k, &r); k++) {
    if (!isfinite(stc_run_q(run)[k]) || !isfinite(stc_run_u(run)[k])) fail_with(w, seed, "slip");
    if (r.has_energy && !w->huge && !(r.energy_error < 1e-7))
      fail_with(w, seed, "the ledger does not add up");
  }
}

// --- The tests ---

static unsigned trials(void) {
  const char *text = getenv("STICTION_TRIALS");
  return text ? (unsigned)strtoul(text, NULL, 10) : TRIALS;
}

static void run_random(bool waves, int counts[3]) {
  for (unsigned seed = 1; seed <= trials(); seed++) {
    writer w = {.state = seed * 7919u + waves};
    solid s = {0};
    stc_scene *scene = NULL;
    stc_run *run = NULL;
    bool accepted = false;
    if (waves)
      write_waves(&w);
    else
      s = write_solid(&w);
    stc_error error = read_scene(w.text, &scene);
    if (!error) error = stc_run_create(scene, NULL, &run);
    if (error && !is_named()) fail_with(&w, seed, "refused without its place");
    bool ran = !error && run_some(&w, seed, run, &accepted);
    if (ran && waves) check_waves(&w, seed, run);
    if (ran && !waves && accepted) check_solid(&w, seed, &s, run);
    counts[!ran ? 0 : accepted ? 2 : 1]++;
    stc_run_close(&run);
    stc_scene_free(&scene);
  }
}

// A third at least must run, so that what is checked is not what is refused.
static void bodies_hold_together(void **state) {
  int counts[3] = {0};
  run_random(false, counts);
  print_message("bodies: %d refused, %d stopped, %d done\n", counts[0], counts[1], counts[2]);
  assert_true(3 * counts[2] >= counts[0] + counts[1] + counts[2]);
}

static void elastodynamic_runs_keep_their_ledger(void **state) {
  int counts[3] = {0};
  run_random(true, counts);
  print_message("elastodynamic runs: %d refused, %d done\n", counts[0], counts[2]);
  assert_true(3 * counts[2] >= counts[0] + counts[2]);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(bodies_hold_together),
                                     cmocka_unit_test(elastodynamic_runs_keep_their_ledger)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
