// The quasi-static driver: blocks on floors and on each other, friction, restart, cuts,
// interruption, the exported problem.
#include "contact_support.h"

#include <stiction/solve.h>

static const stc_given still = {0};

// --- A block on a floor, held by contact alone ---

// Weight 2 spread over the block: the floor carries 2, every node of its face is closed, and with
// no friction nothing holds the block sideways but nothing pushes it either.
static void floor_carries_weight(void **state) {
  static const stc_cell_type types[] = {STC_CELL_T3, STC_CELL_Q4, STC_CELL_T6,
                                        STC_CELL_Q8, STC_CELL_T4, STC_CELL_H8};
  for (int t = 0; t < 6; t++)
    for (int friction = 0; friction < 2; friction++) {
      model m;
      double slide[3] = {0}, force[3];
      block_on_floor(&m, types[t], 3, 0.5 * friction, slide);
      m.body[0].force[m.dim - 1] = -2;
      create(&m);
      advance(&m, 1);
      contact_force(m.fem, force);
      expect_near(force[0], 2, 1e-10);
      expect_near(force[1], 0, 1e-10);
      assert_int_equal(m.report.closed, stc_fem_contacts(m.fem, 0));
      assert_true(m.report.residual < 1e-11 && m.report.penetration < 1e-12);
      free_model(&m);
    }
}

// A sideways push of 0.4 of the weight on the face: at mu = 0.5 the floor answers with exactly the
// push and not all nodes slip; at mu = 0.3 nothing can balance it: the step is refused, with a
// sentence, and the model stays where it was.
static void push_below_and_above_friction(void **state) {
  for (int t = 0; t < 2; t++)
    for (int above = 0; above < 2; above++) {
      model m;
      double slide[3] = {0}, force[3];
      block_on_floor(&m, t ? STC_CELL_H8 : STC_CELL_Q4, 3, above ? 0.3 : 0.5, slide);
      m.body[0].force[m.dim - 1] = -2;
      m.body[0].force[0] = 0.8;
      m.settings.max_cuts = 2;
      m.settings.max_iterations = 40;
      create(&m);
      expect_ok(stc_fem_advance(m.fem, 1, &m.report));
      assert_int_equal(m.report.accepted, !above);
      contact_force(m.fem, force);
      if (above) {
        assert_non_null(strstr(m.report.reason, "cuts"));
        assert_true(stc_fem_time(m.fem) == 0 && force[0] == 0);
      } else {
        expect_near(force[0], 2, 1e-9);
        expect_near(fabs(force[1]) + fabs(force[2]), 0.8, 1e-9);
        assert_true(m.report.slipping < m.report.closed);
      }
      free_model(&m);
    }
}

// The floor drags under a block whose top is held: everything slips, the force is mu times the
// normal one, along the motion of the floor.
static void floor_drags(void **state) {
  for (int t = 0; t < 2; t++) {
    model m;
    double slide[3] = {0.3, 0.4}, force[3] = {0};
    block_on_floor(&m, t ? STC_CELL_H8 : STC_CELL_Q4, 3, 0.25, slide);
    for (int i = 0; i < m.dim; i++)
      support(&m, top_of(m.dim, false), i, (stc_given){.value = i == m.dim - 1 ? -0.01 : 0});
    create(&m);
    advance(&m, 1);
    for (int k = 0; k < stc_fem_contacts(m.fem, 0); k++) {
      stc_fem_contact_point p;
      stc_fem_contact(m.fem, 0, k, &p);
      assert_int_equal(p.state, STC_CONTACT_SLIP);
      for (int i = 0; i < m.dim; i++)
        force[i] += p.area * (p.shear[0] * p.tangent[0][i] + p.shear[1] * p.tangent[1][i]);
      expect_near(hypot(p.shear[0], p.shear[1]), 0.25 * p.pressure, 1e-9 * p.pressure);
    }
    double total[3], along = t ? 0.6 : 1;
    contact_force(m.fem, total);
    expect_near(force[0] / (0.25 * total[0]), along, 0.02);  // the block deforms a little besides
    double work;
    stc_fem_energy(m.fem, NULL, NULL, &work);
    expect_near(work, 0.25 * total[0] * (t ? 0.5 : 0.3), 0.1 * work);
    assert_true(m.report.eta < 1e-9);
    free_model(&m);
  }
}

// A block of height 2 and weight 4, mu = 0.28, is pushed at its top until it tips about its front
// edge: the push is a quarter of the weight (its width over twice its height), just below what
// friction bears. On the way the active set alone loses its way; auto does not.
static bool push_top(void *user, double t, const double *x, double *value) {
  *value = t <= 1 ? 0 : 0.04 * (t - 1);
  return true;
}

static void block_tips(void **state) {
  model m;
  double slide[3] = {0}, force[3];
  block_on_floor(&m, STC_CELL_Q4, 4, 0.28, slide);
  stc_mesh_free(&m.mesh);
  m.mesh = block_mesh(STC_CELL_Q4, "lower", 4, &(place){.dim = 2, .size = {1, 2}});
  m.description.mesh = m.mesh;
  m.body[0].force[1] = -2;
  support(&m, "lower.t1", 0, (stc_given){.function = push_top});
  create(&m);
  for (int k = 1; k <= 4; k++) advance(&m, k);
  expect_ok(stc_fem_group_force(m.fem, "lower.t1", force));
  expect_near(force[0], 1, 1e-8);
  assert_int_equal(m.report.closed, 1);
  free_model(&m);
}

// --- Methods and the exported problem ---

static void shear_stack(model *m, stc_cell_type type, double mu, double *push) {
  stack_blocks(m, type, stc_cell_dim(type) == 3 ? STC_SOLID : STC_PLANE_STRAIN, 3, 4, 0.05);
  m->pair.mu = mu;
  for (int i = 0; i < m->dim; i++) support(m, base_of(m->dim, false), i, still);
  for (int i = 0; i < m->dim; i++)
    support(m, top_of(m->dim, true), i, (stc_given){.value = push[i]});
}

static double *reactions(const stc_fem *fem, int dim, int *count) {
  *count = stc_fem_contacts(fem, 0);
  double *r = test_calloc((size_t)(*count * dim), sizeof *r);
  for (int k = 0; k < *count; k++) {
    stc_fem_contact_point p;
    stc_fem_contact(fem, 0, k, &p);
    r[k * dim] = p.area * p.pressure;
    for (int a = 1; a < dim; a++) r[k * dim + a] = p.area * p.shear[a - 1];
  }
  return r;
}

// The step as a discrete Coulomb problem: what the model found is a solution for the judge, and
// the solver, started at zero, finds the same reactions.
static void exported_problem_agrees(void **state) {
  for (int t = 0; t < 2; t++) {
    model m;
    double push[3] = {0.02, 0.01, -0.02}, *found = NULL;
    if (t == 0) push[1] = -0.02;
    shear_stack(&m, t ? STC_CELL_H8 : STC_CELL_Q4, 0.2, push);
    create(&m);
    stc_problem *problem = NULL;
    expect_failure(stc_fem_problem(m.fem, &problem, NULL), STC_ERR_ARGUMENT, "advance it");
    advance(&m, 1);
    assert_true(m.report.slipping > 0 && m.report.slipping < m.report.closed);
    expect_ok(stc_fem_problem(m.fem, &problem, &found));
    stc_residual residual;
    expect_ok(stc_problem_residual(problem, &(stc_solution){.r = found}, &residual));
    assert_true(residual.eta < 1e-10);
    int size = stc_problem_size(problem);
    double *r = test_calloc((size_t)size, sizeof *r), largest = 0;
    stc_settings settings = stc_default_settings();
    settings.tol = 1e-12;
    stc_solver *solver = NULL;
    expect_ok(stc_solver_setup(&solver, problem, &settings));
    expect_ok(stc_solver_solve(solver, &(stc_solution){.r = r}, NULL));
    for (int i = 0; i < size; i++) largest = fmax(largest, fabs(found[i]));
    for (int i = 0; i < size; i++) expect_near(r[i], found[i], 1e-7 * largest);
    stc_solver_free(&solver);
    stc_problem_free(&problem);
    free(found);
    test_free(r);
    free_model(&m);
  }
}

// All methods reach the reactions of the active set: exactly, or within what they allow.
static void methods_agree(void **state) {
  static const double tolerance[] = {1e-9, 1e-9, 2e-2, 2e-2, 0.15};
  for (int t = 0; t < 2; t++) {
    double *exact = NULL, largest = 0;
    double push[3] = {0.02, t ? 0.01 : -0.02, -0.02};
    int count;
    for (int method = STC_CONTACT_ACTIVE_SET; method <= STC_CONTACT_PENALTY; method++) {
      model m;
      shear_stack(&m, t ? STC_CELL_H8 : STC_CELL_Q4, 0.2, push);
      m.settings.method = (stc_contact_method)method;
      create(&m);
      advance(&m, 1);
      double *r = reactions(m.fem, m.dim, &count);
      if (!exact) {
        exact = r;
        for (int i = 0; i < count * m.dim; i++) largest = fmax(largest, fabs(r[i]));
      } else {
        for (int i = 0; i < count * m.dim; i++)
          expect_near(r[i], exact[i], tolerance[method] * largest);
        test_free(r);
      }
      free_model(&m);
    }
    test_free(exact);
  }
}

// --- Sliding far ---

// The upper block is pushed two cells aside over a lower one three times as long: with small
// sliding its nodes stay bound to the place below, with finite sliding they travel; either way it
// carries a uniform pressure, and the lower block's top is loaded where the upper one stands.
static bool push_aside(void *user, double t, const double *x, double *value) {
  *value = *(const double *)user * t;
  return true;
}

// Vertical force of the contacts; their normals follow the surface.
static double carried(const stc_fem *fem) {
  double sum = 0;
  for (int k = 0; k < stc_fem_contacts(fem, 0); k++) {
    stc_fem_contact_point p;
    stc_fem_contact(fem, 0, k, &p);
    sum += p.area * p.pressure * p.normal[1];
  }
  return sum;
}

static void slides_far(void **state) {
  static double far = 1;
  model m;
  stack_blocks(&m, STC_CELL_Q4, STC_PLANE_STRAIN, 3, 3, 0);
  stc_mesh_free(&m.mesh);
  stc_mesh *lower = block_mesh(STC_CELL_Q4, "lower", 7, &(place){.dim = 2, .size = {3, 1}});
  stc_mesh *upper =
      block_mesh(STC_CELL_Q4, "upper", 4, &(place){.dim = 2, .shift = {0.25, 1}, .size = {1, 1}});
  const stc_mesh *both[] = {lower, upper};
  expect_ok(stc_mesh_join(2, both, &m.mesh));
  stc_mesh_free(&lower);
  stc_mesh_free(&upper);
  m.description.mesh = m.mesh;
  m.pair.finite_sliding = true;
  m.body[0].material.poisson = m.body[1].material.poisson = 0;
  for (int i = 0; i < 2; i++) support(&m, "lower.t0", i, still);
  support(&m, "upper.t1", 0, (stc_given){.function = push_aside, .user = &far});
  traction(&m, "upper.t1", -1, 1);
  create(&m);
  for (int k = 1; k <= 4; k++) {
    advance(&m, 0.25 * k);
    expect_near(carried(m.fem), 1, 1e-9);
    assert_true(m.report.penetration < 1e-12);
    stc_fem_contact_point p;
    stc_fem_contact(m.fem, 0, 0, &p);
    expect_near(p.slip[0] * p.tangent[0][0], 0.25 * k, 0.01);
  }
  free_model(&m);
}

// --- Restart, cuts, interruption ---

static double wiggle(double t) { return 0.012 * sin(3 * t); }

static bool wiggle_top(void *user, double t, const double *x, double *value) {
  *value = wiggle(t);
  return true;
}

static bool press_top(void *user, double t, const double *x, double *value) {
  *value = -0.04 * t;
  return true;
}

static void wiggled_stack(model *m, double yield) {
  double none[3] = {0};
  shear_stack(m, STC_CELL_Q4, 0.4, none);
  m->support[2].displacement = (stc_given){.function = wiggle_top};
  m->support[3].displacement = (stc_given){.function = press_top};
  for (int b = 0; b < 2; b++) {
    m->body[b].material.yield = yield;
    m->body[b].material.hardening = 50;
  }
}

// A model restored from numbers goes on with the same bits as the one that never stopped.
static void restart_gives_the_same_bits(void **state) {
  for (int plastic = 0; plastic < 2; plastic++) {
    model a, b;
    wiggled_stack(&a, plastic ? 5 : 0);
    wiggled_stack(&b, plastic ? 5 : 0);
    create(&a);
    create(&b);
    advance(&a, 0.3);
    advance(&a, 0.6);
    size_t size = stc_fem_state_size(a.fem);
    double *saved = test_calloc(size, sizeof *saved), *end = test_calloc(2 * size, sizeof *end);
    stc_fem_save(a.fem, saved);
    expect_ok(stc_fem_restore(b.fem, saved, size));
    for (int k = 3; k < 6; k++) {
      advance(&a, 0.3 * k);
      advance(&b, 0.3 * k);
    }
    stc_fem_save(a.fem, end);
    stc_fem_save(b.fem, end + size);
    assert_memory_equal(end, end + size, size * sizeof *end);
    expect_failure(stc_fem_restore(b.fem, saved, size - 1), STC_ERR_DIMENSION, "numbers");
    saved[1] = NAN;
    expect_failure(stc_fem_restore(b.fem, saved, size), STC_ERR_VALUE, "number 1");
    test_free(saved), test_free(end);
    free_model(&a);
    free_model(&b);
  }
}

// With four iterations a step a plastic load does not converge at once: the step is cut, and the
// parts arrive where one step with enough iterations does, up to the path.
static void hard_steps_are_cut(void **state) {
  model whole, cut;
  wiggled_stack(&whole, 5);
  wiggled_stack(&cut, 5);
  cut.settings.max_iterations = 4;
  create(&whole);
  create(&cut);
  advance(&whole, 0.5);
  advance(&cut, 0.5);
  assert_int_equal(whole.report.cuts, 0);
  assert_true(cut.report.cuts > 0);
  assert_true(stc_fem_time(cut.fem) == 0.5);
  double one[3], two[3];
  contact_force(whole.fem, one);
  contact_force(cut.fem, two);
  expect_near(two[0] / one[0], 1, 0.05);
  free_model(&whole);
  free_model(&cut);
}

static bool stop_at(void *user, const char *stage, double done) {
  assert_non_null(stage);
  return --*(int *)user > 0;
}

// Stopped at any call, the model stands where the step began, to the bit, and can go on.
static void interruption_restores(void **state) {
  int seen = 0;
  for (int calls = 1; calls < 40; calls++) {
    model m;
    int left = 1000000;
    wiggled_stack(&m, 5);
    m.settings.progress = stop_at;
    m.settings.progress_user = &left;
    create(&m);
    advance(&m, 0.2);
    size_t size = stc_fem_state_size(m.fem);
    double *state_of = test_calloc(2 * size, sizeof *state_of);
    stc_fem_save(m.fem, state_of);
    left = calls;
    expect_ok(stc_fem_advance(m.fem, 0.5, &m.report));
    if (m.report.interrupted) {
      seen++;
      assert_false(m.report.accepted);
      stc_fem_save(m.fem, state_of + size);
      assert_memory_equal(state_of, state_of + size, size * sizeof *state_of);
      left = 1000000;
      advance(&m, 0.5);
    }
    test_free(state_of);
    free_model(&m);
  }
  assert_true(seen > 3);
}

// --- Mistakes ---

static void mistakes_get_a_sentence(void **state) {
  model m;
  stack_blocks(&m, STC_CELL_Q4, STC_PLANE_STRAIN, 2, 2, 0);
  m.settings.tol = 2;
  expect_failure(stc_fem_create(&m.description, &m.settings, &m.fem), STC_ERR_VALUE, "tol = 2");
  m.settings.tol = 1e-10;
  m.pair.master = "lower.s0";  // looks sideways
  expect_failure(stc_fem_create(&m.description, &m.settings, &m.fem), STC_ERR_VALUE, "faces");
  m.pair.master = "lower.t1";
  create(&m);
  expect_failure(stc_fem_advance(m.fem, 0, &m.report), STC_ERR_VALUE, "only goes forward");
  double force[3];
  expect_failure(stc_fem_group_force(m.fem, "nowhere", force), STC_ERR_ARGUMENT, "no group");
  free_model(&m);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(floor_carries_weight),
      cmocka_unit_test(push_below_and_above_friction),
      cmocka_unit_test(floor_drags),
      cmocka_unit_test(block_tips),
      cmocka_unit_test(exported_problem_agrees),
      cmocka_unit_test(methods_agree),
      cmocka_unit_test(slides_far),
      cmocka_unit_test(restart_gives_the_same_bits),
      cmocka_unit_test(hard_steps_are_cut),
      cmocka_unit_test(interruption_restores),
      cmocka_unit_test(mistakes_get_a_sentence),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
