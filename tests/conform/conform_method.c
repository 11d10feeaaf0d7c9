// Every method against answers that are known beforehand, and against problems that have none.
// Each solve is judged again from outside (solving.h): a method may fail to solve, never lie.
#include "methods.h"
#include "solving.h"

// ---- answers by hand, u = W r + q ----

typedef struct hand_case {
  const char *name;
  int dim, contacts;
  double mu, mu2;  // mu2 = 0: isotropic
  double W[36];    // by rows; all zero: the unit matrix
  double q[6];
  double r[6];  // NAN in r[0]: not unique, only u is compared
  double u[6];
} hand_case;

// clang-format off
static const hand_case HAND[] = {
    // q_N > 0: the contact opens, r = 0.
    {"open 2D", 2, 1, 0.5, 0, {0}, {1, -2}, {0, 0}, {1, -2}},
    // r = -q lies in the cone: |0.25| <= 0.5.
    {"stick 2D", 2, 1, 0.5, 0, {0}, {-1, 0.25}, {1, -0.25}, {0, 0}},
    // r_N = 1 stops u_N, r_T = -mu r_N, u_T = 2 - 0.5.
    {"slip 2D", 2, 1, 0.5, 0, {0}, {-1, 2}, {1, -0.5}, {0, 1.5}},
    // q = 0: nothing happens; the natural map is then measured absolutely.
    {"rest", 2, 1, 0.5, 0, {0}, {0, 0}, {0, 0}, {0, 0}},
    // q_N = 0 and no load: grazing, r = 0.
    {"grazing", 3, 1, 0.5, 0, {0}, {0, 1, 2}, {0, 0, 0}, {0, 1, 2}},
    {"open 3D", 3, 1, 0.5, 0, {0}, {1, 2, 3}, {0, 0, 0}, {1, 2, 3}},
    // |(0.3, 0.2)| = 0.361 <= 0.5.
    {"stick 3D", 3, 1, 0.5, 0, {0}, {-1, 0.3, -0.2}, {1, -0.3, 0.2}, {0, 0, 0}},
    // q_T = 5 (0.6, 0.8), r_T = -0.5 (0.6, 0.8).
    {"slip 3D", 3, 1, 0.5, 0, {0}, {-1, 3, 4}, {1, -0.3, -0.4}, {0, 2.7, 3.6}},
    // Slip towards +T1 with coupling: 2 r_N - mu r_N = 3, u_T1 = r_N - 2 mu r_N + 4 = 4.
    {"slip, coupled", 3, 1, 0.5, 0, {2, 1, 0, 1, 2, 0, 0, 0, 1}, {-3, 4, 0}, {2, -1, 0}, {0, 4, 0}},
    // mu = 0: the load is carried, nothing brakes.
    {"no friction", 3, 1, 0, 0, {0}, {-1, 2, 3}, {1, 0, 0}, {0, 2, 3}},
    // mu = 10: sticks up to r_T = 10 r_N, slips beyond.
    {"stick, mu = 10", 3, 1, 10, 0, {0}, {-1, 3, 4}, {1, -3, -4}, {0, 0, 0}},
    {"slip, mu = 10", 3, 1, 10, 0, {0}, {-1, 20, 0}, {1, -10, 0}, {0, 10, 0}},
    // u_T = (6, 20): D u_T = (3, 4), r_T = -D^2 u_T / 5 = -(0.3, 0.16).
    {"slip, elliptic", 3, 1, 0.5, 0.2, {0}, {-1, 6.3, 20.16}, {1, -0.3, -0.16}, {0, 6, 20}},
    // (0.3 / 0.5, 0.1 / 0.2) has norm 0.78 <= 1.
    {"stick, elliptic", 3, 1, 0.5, 0.2, {0}, {-1, 0.3, -0.1}, {1, -0.3, 0.1}, {0, 0, 0}},
    // The same contact twice: only the sum (1, -0.5) of the reactions is determined.
    {"twice the same", 2, 2, 0.5, 0, {1, 0, 1, 0, 0, 1, 0, 1, 1, 0, 1, 0, 0, 1, 0, 1},
     {-1, 2, -1, 2}, {NAN}, {0, 1.5, 0, 1.5}},
    // A mass 1e6 on a mass 1 on the ground, both falling at speed 1: the light one carries all.
    {"mass ratio 1e6", 2, 2, 0.5, 0,
     {1, 0, -1, 0, 0, 1, 0, -1, -1, 0, 1 + 1e-6, 0, 0, -1, 0, 1 + 1e-6},
     {-1, 0, 0, 0}, {1 + 1e6, 0, 1e6, 0}, {0, 0, 0, 0}},
    // The second contact is between immovable bodies that part.
    {"immovable, parting", 2, 2, 0.5, 0, {1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0},
     {-1, 2, 1, 3}, {1, -0.5, 0, 0}, {0, 1.5, 1, 3}},
};
// clang-format on
enum { HANDS = sizeof HAND / sizeof *HAND };

// Where a method is seen to stall short of 1e-8, and at which eta. It may; it must not lie.
static const struct {
  const char *method, *problem;
} MAY_STALL[] = {
    {"admm", "stick, mu = 10"},         // 2e-2
    {"ipm", "mass ratio 1e6"},          // 8e-1
    {"path", "mass ratio 1e6"},         // 8e-3
    {"fixed-point", "mass ratio 1e6"},  // 1e-7
};

static bool may_stall(const char *method, const char *problem) {
  for (size_t k = 0; k < sizeof MAY_STALL / sizeof *MAY_STALL; k++)
    if (!strcmp(MAY_STALL[k].method, method) && !strcmp(MAY_STALL[k].problem, problem)) return true;
  return false;
}

// How near r and u are to the answer at eta = 1e-8. With q = 20 and mu = 10 the law's cone is so
// flat that eta sees a tenth of an error in u_N; most methods end far below the tolerance, apgd
// just below it.
static double accuracy(const char *method, const char *problem) {
  return !strcmp(method, "apgd") && !strcmp(problem, "slip, mu = 10") ? 2e-5 : 1e-6;
}

static stc_problem *make_hand(const hand_case *h) {
  int size = h->dim * h->contacts;
  double unit[36] = {0};
  bool given = false;
  for (int k = 0; k < size * size; k++) given = given || h->W[k] != 0;
  for (int k = 0; k < size; k++) unit[k * size + k] = 1;
  dense_matrix store;
  const double mu[] = {h->mu, h->mu}, mu2[] = {h->mu2, h->mu2};
  stc_local_data data = {.dim = h->dim,
                         .contacts = h->contacts,
                         .W = dense_view(&store, size, size, given ? h->W : unit),
                         .q = h->q,
                         .mu = mu,
                         .mu2 = h->mu2 > 0 ? mu2 : NULL};
  stc_problem *problem = NULL;
  assert_int_equal(stc_problem_create_local(&data, &problem), STC_OK);
  return problem;
}

static void expect_hand(const hand_case *h, const answer *a, double near) {
  int size = h->dim * h->contacts;
  if (a->info.status != STC_STATUS_SOLVED) print_error("%s:\n", h->name);
  expect_status(a, STC_STATUS_SOLVED);
  expect_vector(a->u, h->u, size, near);
  for (int i = 0; isfinite(h->r[0]) && i < size; i++)
    expect_near(a->r[i], h->r[i], near * fmax(1, fabs(h->r[i])));
}

static void hand_answers(void **state) {
  const char *method = *state;
  for (int k = 0; k < HANDS; k++) {
    const hand_case *h = &HAND[k];
    stc_problem *problem = make_hand(h);
    answer a = solve_cold(problem, method);
    if (a.info.status == STC_STATUS_SOLVED || !may_stall(method, h->name))
      expect_hand(h, &a, accuracy(method, h->name));
    answer_free(&a);
    stc_problem_free(&problem);
  }
}

// ---- statics: the box on an incline, mass 2, mu = 0.3 (samples.h) ----

static void incline(const char *method, double angle, stc_contact_state expected) {
  const double impulse = 9.81 * 0.01;  // g h
  double fall[6] = {-2 * impulse * sin(angle), 0, 2 * impulse * cos(angle)};
  stc_problem *problem = sample_boxes(1);
  stc_settings settings = settings_of(method);
  stc_solver *solver = NULL;
  answer a = answer_create(problem);
  assert_int_equal(stc_solver_setup(&solver, problem, &settings), STC_OK);
  assert_int_equal(stc_solver_update(solver, &(stc_update){.f = fall}), STC_OK);
  stc_solution solution = answer_view(&a);
  assert_int_equal(stc_solver_solve(solver, &solution, &a.info), STC_OK);
  expect_status(&a, STC_STATUS_SOLVED);
  // Sticks while tan(angle) <= mu; else v = g h (sin - mu cos). It never tips: 1 > mu.
  bool slips = expected == STC_CONTACT_SLIP;
  double speed = slips ? impulse * (sin(angle) - 0.3 * cos(angle)) : 0;
  expect_vector(a.v, (double[]){speed, 0, 0, 0, 0, 0}, 6, 1e-8);
  double carried = 0, braked = 0;
  for (int c = 0; c < 4; c++) {
    carried += a.r[3 * c];
    braked -= a.r[3 * c + 1];
  }
  expect_near(carried, 2 * impulse * cos(angle), 1e-7);
  expect_near(braked, slips ? 0.3 * carried : 2 * impulse * sin(angle), 1e-7);
  assert_int_equal(slips ? a.info.residual.slip : a.info.residual.stick, 4);
  stc_solver_free(&solver);
  answer_free(&a);
  stc_problem_free(&problem);
}

static void box_on_an_incline(void **state) {
  incline(*state, 0.25, STC_CONTACT_STICK);  // tan 0.25 = 0.2553
  incline(*state, 0.35, STC_CONTACT_SLIP);   // tan 0.35 = 0.3650
}

// ---- the problems of theory: solutions ----

static void painleve_solutions(void **state) {
  // w = (0, -1), f = 1: only sliding, r_N = 1 / (1 + mu kappa) = 1/3; f = -1: only take-off.
  const struct {
    double w_T, f, r[2], u[2];
  } known[] = {{-1, 1, {1.0 / 3, 1.0 / 3}, {0, -1}}, {-1, -1, {0, 0}, {1, 1}}};
  for (int k = 0; k < 2; k++) {
    stc_problem *problem = sample_painleve(0, known[k].w_T, known[k].f);
    answer a = solve_cold(problem, *state);
    expect_status(&a, STC_STATUS_SOLVED);
    expect_vector(a.r, known[k].r, 2, 1e-7);
    expect_vector(a.u, known[k].u, 2, 1e-7);
    answer_free(&a);
    stc_problem_free(&problem);
  }
}

static void painleve_two_solutions(void **state) {
  // w = (0, 1), f = -1: take-off u = (1, 3), r = 0, or sliding u = (0, 1), r = (1, -1).
  stc_problem *problem = sample_painleve(0, 1, -1);
  answer a = solve_cold(problem, *state);
  expect_status(&a, STC_STATUS_SOLVED);
  bool off = a.r[0] < 0.5;
  expect_vector(a.r, off ? (double[]){0, 0} : (double[]){1, -1}, 2, 1e-7);
  expect_vector(a.u, off ? (double[]){1, 3} : (double[]){0, 1}, 2, 1e-7);
  answer_free(&a);
  stc_problem_free(&problem);
}

static void wedge_solution(void **state) {
  // Both walls slip: r_N = (1 + e) / (2 (sin a - mu cos a)) = 4.935 each, r_T = mu r_N, v =
  // (-1/2, 0).
  double a = 0.6, normal = 1.5 / (2 * (sin(a) - 0.5 * cos(a)));
  stc_problem *problem = sample_wedge(a, 0.5);
  answer found = solve_cold(problem, *state);
  expect_status(&found, STC_STATUS_SOLVED);
  expect_near(normal, 4.935, 5e-4);
  expect_vector(found.r, (double[]){normal, 0.5 * normal, normal, 0.5 * normal}, 4, 1e-5);
  expect_vector(found.v, (double[]){-0.5, 0}, 2, 1e-6);
  answer_free(&found);
  stc_problem_free(&problem);
}

static void jammed_wedge_at_rest(void **state) {
  // a = 0.3, no restitution: v = 0 with a continuum of reactions.
  stc_problem *problem = sample_wedge(0.3, 0);
  answer found = solve_cold(problem, *state);
  expect_status(&found, STC_STATUS_SOLVED);
  expect_vector(found.v, (double[]){0, 0}, 2, 1e-6);
  answer_free(&found);
  stc_problem_free(&problem);
}

static void empty_problem(void **state) {
  dense_matrix store;
  stc_global_data data = {.dim = 3,
                          .dofs = 1,
                          .M = dense_view(&store, 1, 1, (const double[]){4}),
                          .H = {.cols = 1},
                          .f = (const double[]){-2},
                          .w = (const double[]){0},
                          .mu = (const double[]){0}};
  stc_problem *problem = NULL;
  assert_int_equal(stc_problem_create_global(&data, &problem), STC_OK);
  answer a = solve_cold(problem, *state);
  expect_status(&a, STC_STATUS_SOLVED);
  assert_int_equal(a.info.iterations, 0);
  expect_near(a.v[0], 0.5, 1e-15);  // the body flies: v = -f / M
  answer_free(&a);
  stc_problem_free(&problem);
}

// ---- the problems of theory: no solution ----

static void never_solved(stc_problem *problem, const char *method) {
  stc_settings settings = settings_of(method);
  settings.max_iterations = 20000;
  settings.time_limit = 3;
  answer a = solve_from(problem, &settings, NULL);
  assert_int_not_equal(a.info.status, STC_STATUS_SOLVED);
  for (int k = 0; k < stc_problem_size(problem); k++) assert_true(isfinite(a.r[k]));
  assert_true(a.info.residual.eta > 1e-4);
  answer_free(&a);
  stc_problem_free(&problem);
}

static void no_solution_painleve(void **state) { never_solved(sample_painleve(0, 1, 1), *state); }

static void no_solution_wedge(void **state) { never_solved(sample_wedge(0.3, 0.5), *state); }

// No solution for |v_z| < 5.952499; reactions that grow without bound look better and better to a
// measure that divides by them.
static void no_solution_wedge_3d(void **state) {
  const double speed[] = {0.4, 2, 5.8};
  for (int k = 0; k < 3; k++) never_solved(generate_kind("wedge3d", 0, 0, speed[k]), *state);
}

// No solution for delta < sqrt(3).
static void no_solution_painleve_3d(void **state) {
  const double delta[] = {0, 1, 1.7};
  for (int k = 0; k < 3; k++) never_solved(generate_kind("painleve3d", 0, 0, delta[k]), *state);
}

// A false start far along the jamming ray: a measure relative to |r| would call it solved.
static void jamming_ray_is_no_solution(void **state) {
  stc_problem *problem = generate_kind("wedge3d", 0, 0, 0.4);
  stc_settings settings = settings_of(*state);
  settings.max_iterations = 1000;
  settings.time_limit = 3;
  const double N = 1e11, T = N * tan(0.3), ray[] = {N, T, 0, N, T, 0};
  answer a = solve_from(problem, &settings, ray);
  assert_int_not_equal(a.info.status, STC_STATUS_SOLVED);
  answer_free(&a);
  stc_problem_free(&problem);
}

static void immovable_bodies_that_approach(void **state) {
  // W = 0: u = q whatever r, and q_N = -1 < 0.
  dense_matrix store;
  const double W[16] = {1, 0, 0, 0, 0, 1}, q[] = {-1, 0, -1, 0}, mu[] = {0.5, 0.5};
  stc_local_data data = {
      .dim = 2, .contacts = 2, .W = dense_view(&store, 4, 4, W), .q = q, .mu = mu};
  stc_problem *problem = NULL;
  assert_int_equal(stc_problem_create_local(&data, &problem), STC_OK);
  answer a = solve_cold(problem, *state);
  expect_status(&a, STC_STATUS_NO_SOLUTION);
  assert_non_null(strstr(a.info.reason, "contact 1"));
  answer_free(&a);
  stc_problem_free(&problem);
}

// ---- generated problems: method x problem ----

/// `must` names the methods that must solve the problem; the others may stall but must not lie.
typedef struct task {
  const char *kind;
  int n, n2;
  double param, mu, mu2;  // mu < 0: the kind's own
  const char *must;
} task;

static const task TASKS[] = {
    {"wedge3d", 0, 0, 6.0525, -1, 0, "auto"},    {"wedge3d", 0, 0, 8, -1, 0, "auto"},
    {"painleve3d", 0, 0, 1.74, -1, 0, "auto"},   {"painleve3d", 0, 0, 2, -1, 0, "auto"},
    {"painleve", 4, 0, 2, -1, 0, "auto nsgs"},   {"box", 3, 0, 0.2, -1, 0, "auto newton"},
    {"spheres", 30, 0, 0.1, -1, 0, "auto nsgs"}, {"spheres", 30, 0, 0.1, 0.6, 0.2, "auto nsgs"},
    {"spheres", 30, 0, 0.1, 0, 0, "auto nsgs"},  {"discs", 40, 0, 0.1, -1, 0, "auto nsgs"},
    {"wall", 4, 3, 0.1, -1, 0, "auto newton"},   {"wall", 4, 3, 0.1, 10, 0, "auto"},
    {"wall2d", 5, 4, 0.1, -1, 0, "auto newton"}, {"tower", 4, 2, 0.1, -1, 0, "auto newton"},
    {"arch", 10, 0, 0.05, -1, 0, "auto newton"}, {"chain", 8, 1, 0.4, -1, 0, "auto"},
};
enum { TASK_COUNT = sizeof TASKS / sizeof *TASKS };

static void generated_problems(void **state) {
  const char *method = *state;
  for (int k = 0; k < TASK_COUNT; k++) {
    const task *t = &TASKS[k];
    stc_generator options = stc_default_generator(t->kind);
    options.n = t->n;
    options.n2 = t->n2;
    options.param = t->param;
    if (t->mu >= 0) options.mu = t->mu;
    options.mu2 = t->mu2;
    stc_problem *problem = generate(options);
    stc_settings settings = settings_of(method);
    bool must = named(t->must, method);
    if (!must) settings.max_iterations = 3000;
    if (!must) settings.time_limit = 2;
    answer a = solve_from(problem, &settings, NULL);
    if (must && a.info.status != STC_STATUS_SOLVED)
      print_error("%s n %d param %g mu %g:\n", t->kind, t->n, t->param, options.mu);
    if (must) expect_status(&a, STC_STATUS_SOLVED);
    answer_free(&a);
    stc_problem_free(&problem);
  }
}

static const fact FACTS[] = {
    {"answers by hand", hand_answers},
    {"box on an incline", box_on_an_incline},
    {"Painleve, one solution", painleve_solutions},
    {"Painleve, two solutions", painleve_two_solutions},
    {"wedge, one solution", wedge_solution},
    {"wedge, jammed at rest", jammed_wedge_at_rest},
    {"no contacts", empty_problem},
    {"Painleve without solution", no_solution_painleve},
    {"Painleve in 3D without solution", no_solution_painleve_3d},
    {"wedge without solution", no_solution_wedge},
    {"wedge in 3D without solution", no_solution_wedge_3d},
    {"jamming ray", jamming_ray_is_no_solution},
    {"immovable bodies that approach", immovable_bodies_that_approach},
    {"generated problems", generated_problems},
};

int main(void) { return check_facts("methods", FACTS, sizeof FACTS / sizeof *FACTS); }
