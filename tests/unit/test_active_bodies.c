// The bodies that move in a pile at rest: the shift of their contacts comes from their own problem.
#include "piles.h"

#include "solve/kernels/gradient.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

// Points of mass 1 on the ground, a contact each, mu = 0.5; the first `sliding` slide at speed 3.
enum { FEW = 40, MANY = 2500, DIM = 3 };
static const double MU = 0.5, FALL = 1, SPEED = 3;

// The ground runs under the last point at speed BELT.
static const double BELT = 2;

static stc_problem *points(int count, int sliding) {
  int size = DIM * count, *ptr = calloc((size_t)size + 1, sizeof *ptr);
  double *one = calloc((size_t)size, sizeof *one), *f = calloc((size_t)size, sizeof *f),
         *w = calloc((size_t)size, sizeof *w);
  stc_law *law = calloc((size_t)count, sizeof *law);
  assert_true(ptr && one && f && w && law);
  for (int k = 0; k < size; k++) {
    ptr[k] = k;
    one[k] = 1;
  }
  ptr[size] = size;
  for (int c = 0; c < count; c++) {
    f[DIM * c] = FALL;
    f[DIM * c + 1] = c < sliding ? -SPEED : 0;
    law[c] = stc_law_coulomb(DIM, MU);
  }
  w[size - 1] = BELT;
  stc_matrix identity = {size, size, size, STC_STORAGE_CSR, ptr, ptr, one};
  stc_global_data data = {.dim = DIM, .contacts = count, .dofs = size, .f = f, .w = w, .law = law};
  data.M = data.H = identity;
  stc_problem *problem = NULL;
  assert_int_equal(stc_problem_create_global(&data, &problem), STC_OK);
  free(ptr);
  free(one);
  free(f);
  free(w);
  free(law);
  return problem;
}

typedef struct bench {
  int points;
  stc_problem *problem;
  stc_solver *solver;
  stc_active_bodies *active;
  double *shift;
} bench;

static bench open_bench(int count, int sliding, int regions) {
  bench b = {.points = count, .problem = points(count, sliding)};
  stc_settings settings = stc_default_settings();
  settings.method = "apgd";
  settings.regions = regions;
  assert_int_equal(stc_solver_setup(&b.solver, b.problem, &settings), STC_OK);
  b.active = &((stc_apgd *)b.solver->state)->active;
  stc_active_start(b.solver->problem, b.active);
  b.shift = calloc((size_t)count, sizeof *b.shift);
  assert_non_null(b.shift);
  for (int c = 0; c < count; c++) b.shift[c] = 7;
  return b;
}

static void close_bench(bench *b) {
  free(b->shift);
  stc_solver_free(&b->solver);
  stc_problem_free(&b->problem);
}

// r gives every contact so much of the reaction that bears it, without friction.
static bool choose_at(bench *b, double part, double residual) {
  stc_solver *s = b->solver;
  memset(s->r, 0, (size_t)s->problem->size * sizeof *s->r);
  for (int c = 0; c < b->points; c++) s->r[DIM * c] = part * FALL / s->problem->scale_r;
  stc_reduced_velocity(s->problem, s->r, s->work, s->u);
  return stc_active_choose(s->problem, b->active, s->r, residual, s->settings.part.rest,
                           s->settings.part.noise);
}

static void sweep(bench *b, double residual) {
  stc_active_sweep(b->solver->problem, b->active, b->solver->r, b->solver->u, residual,
                   b->solver->settings.rule.inner, b->shift);
}

// The first `sliding` points slide at SPEED - MU FALL, the last one rests on the belt.
static void check_shift(const bench *b, int sliding, double precision) {
  double unit = b->solver->problem->scale_u, slides = MU * (SPEED - MU * FALL) / unit;
  for (int c = 0; c < b->points - 1; c++)
    assert_true(fabs(b->shift[c] - (c < sliding ? slides : 0)) <= precision);
  assert_true(fabs(b->shift[b->points - 1] - MU * BELT / unit) <= precision);
}

// Two points slide: u_T = SPEED - MU FALL whatever friction the reactions at hand have, up to the
// balance that is missing at the others. The point on the belt is at rest and slides all the same.
static void the_few_that_slide_are_swept(void **state) {
  for (double part = 0.999; part <= 1.001; part += 0.001) {
    bench b = open_bench(FEW, 2, 0);
    assert_true(choose_at(&b, part, 1e-3));
    sweep(&b, 1e-3);
    check_shift(&b, 2, 1e-12);
    close_bench(&b);
  }
}

// Solved to the end they leave their reactions as well: friction MU FALL against the motion.
static void the_few_that_slide_are_solved(void **state) {
  bench b = open_bench(MANY, 2, 1);
  const stc_reduced *p = b.solver->problem;
  assert_true(choose_at(&b, 0.999, 1e-3));
  int active = b.active->count;
  assert_true(active >= 2 && active < MANY / 10);
  assert_true(stc_active_solve(b.solver, b.active, b.shift));
  check_shift(&b, 2, 1e-6);
  for (int c = 0; c < 2; c++) {
    assert_true(fabs(b.solver->r[DIM * c] * p->scale_r - FALL) <= 1e-6);
    assert_true(fabs(b.solver->r[DIM * c + 1] * p->scale_r + MU * FALL) <= 1e-6);
  }
  close_bench(&b);
}

// Without leave to allocate, in small piles, and where it failed before, the list stays as it was.
static void others_are_not_solved_by_themselves(void **state) {
  bench held = open_bench(MANY, 2, 0), small = open_bench(FEW, 2, 1),
        flows = open_bench(MANY, 2, 1);
  flows.active->flows = true;
  bench *all[] = {&held, &small, &flows};
  for (int k = 0; k < 3; k++) {
    assert_true(choose_at(all[k], 0.999, 1e-3));
    int active = all[k]->active->count;
    assert_false(stc_active_solve(all[k]->solver, all[k]->active, all[k]->shift));
    assert_int_equal(all[k]->active->count, active);
    assert_true(all[k]->shift[0] == 7);
    close_bench(all[k]);
  }
}

// The list holds 16 of 40 points: with 30 that slide others move, and it tells nothing; a large
// residual lets them pass for rest.
static void a_flow_is_left_alone(void **state) {
  bench b = open_bench(FEW, 30, 0);
  assert_false(choose_at(&b, 1, 1e-3));
  assert_true(choose_at(&b, 1, 1));
  close_bench(&b);
}

static void at_rest_nobody_moves(void **state) {
  bench b = open_bench(FEW, 0, 0);
  assert_false(choose_at(&b, 1, 1e-3));
  close_bench(&b);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(the_few_that_slide_are_swept),
      cmocka_unit_test(the_few_that_slide_are_solved),
      cmocka_unit_test(others_are_not_solved_by_themselves),
      cmocka_unit_test(a_flow_is_left_alone),
      cmocka_unit_test(at_rest_nobody_moves),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
