// The bodies that move in a pile at rest: the shift of their contacts comes from their own problem.
#include "piles.h"

#include "solve/apgd/apgd.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

// Points of mass 1 on the ground, a contact each, mu = 0.5; the first so many slide at speed 3.
enum { POINTS = 40, DIM = 3 };
static const double MU = 0.5, FALL = 1, SPEED = 3;

// The ground runs under the last point at speed BELT.
static const double BELT = 2;

static stc_problem *points(int sliding) {
  int ptr[DIM * POINTS + 1], col[DIM * POINTS];
  double one[DIM * POINTS], f[DIM * POINTS] = {0}, w[DIM * POINTS] = {0};
  stc_law law[POINTS];
  for (int k = 0; k < DIM * POINTS; k++) {
    ptr[k] = col[k] = k;
    one[k] = 1;
  }
  ptr[DIM * POINTS] = DIM * POINTS;
  for (int c = 0; c < POINTS; c++) {
    f[DIM * c] = FALL;
    f[DIM * c + 1] = c < sliding ? -SPEED : 0;
    law[c] = stc_law_coulomb(DIM, MU);
  }
  w[DIM * (POINTS - 1) + 2] = BELT;
  stc_matrix identity = {.storage = STC_STORAGE_CSR,
                         .rows = DIM * POINTS,
                         .cols = DIM * POINTS,
                         .entries = DIM * POINTS,
                         .p = ptr,
                         .i = col,
                         .x = one};
  stc_problem *problem = NULL;
  assert_int_equal(stc_problem_create_global(&(stc_global_data){.dim = DIM,
                                                                .contacts = POINTS,
                                                                .dofs = DIM * POINTS,
                                                                .M = identity,
                                                                .H = identity,
                                                                .f = f,
                                                                .w = w,
                                                                .law = law},
                                             &problem),
                   STC_OK);
  return problem;
}

typedef struct bench {
  stc_problem *problem;
  stc_solver *solver;
  stc_movers *movers;
  double u[DIM * POINTS], shift[POINTS];
} bench;

static bench open_bench(int sliding) {
  bench b = {.problem = points(sliding)};
  stc_settings settings = stc_default_settings();
  settings.method = "apgd";
  assert_int_equal(stc_solver_setup(&b.solver, b.problem, &settings), STC_OK);
  b.movers = &((stc_apgd *)b.solver->state)->movers;
  stc_movers_start(b.solver->problem, b.movers);
  for (int c = 0; c < POINTS; c++) b.shift[c] = 7;
  return b;
}

static void close_bench(bench *b) {
  stc_solver_free(&b->solver);
  stc_problem_free(&b->problem);
}

// r gives every contact so much of the reaction that bears it, without friction.
static bool shift_at(bench *b, double part, double residual) {
  const stc_reduced *p = b->solver->problem;
  double r[DIM * POINTS] = {0};
  for (int c = 0; c < POINTS; c++) r[DIM * c] = part * FALL / p->scale_r;
  stc_reduced_velocity(p, r, b->solver->work, b->u);
  return stc_movers_shift(p, b->movers, r, b->u, residual, b->shift);
}

// Two points slide: u_T = SPEED - MU FALL whatever friction the reactions at hand have, up to the
// balance that is missing at the others. The point on the belt is at rest and slides all the same.
static void the_few_that_slide_are_solved(void **state) {
  (void)state;
  for (double part = 0.999; part <= 1.001; part += 0.001) {
    bench b = open_bench(2);
    assert_true(shift_at(&b, part, 1e-3));
    double unit = b.solver->problem->scale_u, slides = MU * (SPEED - MU * FALL) / unit;
    for (int c = 0; c < POINTS - 1; c++)
      assert_true(fabs(b.shift[c] - (c < 2 ? slides : 0)) <= 1e-12);
    assert_true(fabs(b.shift[POINTS - 1] - MU * BELT / unit) <= 1e-12);
    close_bench(&b);
  }
}

// The list holds 16 of 40 points: with 30 that slide others move, and it tells nothing; a large
// residual lets them pass for rest.
static void a_flow_is_left_alone(void **state) {
  (void)state;
  bench b = open_bench(30);
  assert_false(shift_at(&b, 1, 1e-3));
  for (int c = 0; c < POINTS; c++) assert_true(b.shift[c] == 7);
  assert_true(shift_at(&b, 1, 10));
  close_bench(&b);
}

static void at_rest_nobody_moves(void **state) {
  (void)state;
  bench b = open_bench(0);
  assert_false(shift_at(&b, 1, 1e-3));
  close_bench(&b);
}

// Pieces of a problem do not know the velocities of their bodies.
static void parts_have_no_movers(void **state) {
  (void)state;
  bench b = open_bench(2);
  stc_reduced *part = NULL;
  int place[POINTS], contact[] = {0, 1, 2};
  for (int k = 0; k < POINTS; k++) place[k] = -1;
  assert_int_equal(stc_reduced_cut(b.solver->problem, contact, 3, place, &part), STC_OK);
  assert_null(part->bodies.free);
  stc_reduced_free(&part);
  close_bench(&b);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(the_few_that_slide_are_solved),
      cmocka_unit_test(a_flow_is_left_alone),
      cmocka_unit_test(at_rest_nobody_moves),
      cmocka_unit_test(parts_have_no_movers),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
