// Contacts of large problems in slices that threads share: what slices promise, and that the number
// of threads changes no bit of a sweep or of a solve.
#include "piles.h"
#include "same_bits.h"

#include "solve/kernels/sweep.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

// A pile of this many spheres has more than 10 000 contacts: as many as are cut.
enum { MANY = 3500, FEW = 1000 };

typedef struct swept {
  stc_problem *problem;
  stc_reduced *reduced;
  stc_arena arena;
  stc_sweep sweep;
} swept;

static void begin_swept(swept *s, int spheres) {
  *s = (swept){.problem = pile("spheres", spheres, 1)};
  assert_int_equal(stc_reduced_create(s->problem, &s->reduced), STC_OK);
  assert_int_equal(stc_sweep_create(&s->arena, s->reduced, 1, &s->sweep), STC_OK);
  stc_sweep_reset(&s->sweep);
  assert_true(s->sweep.in_batches);
}

static void end_swept(swept *s) {
  stc_arena_free(&s->arena);
  stc_reduced_free(&s->reduced);
  stc_problem_free(&s->problem);
}

// --- Slices ---

// slice [contacts]; every contact is in one, in order inside it.
static int *slice_of_contacts(const stc_slices *slices, int contacts) {
  int *slice = malloc((size_t)contacts * sizeof *slice);
  memset(slice, 0xff, (size_t)contacts * sizeof *slice);
  assert_int_equal(slices->first[slices->count], contacts);
  for (int k = 0; k < slices->count; k++)
    for (int e = slices->first[k]; e < slices->first[k + 1]; e++) {
      assert_true(e == slices->first[k] || slices->contact[e] > slices->contact[e - 1]);
      assert_int_equal(slice[slices->contact[e]], -1);
      slice[slices->contact[e]] = k;
    }
  return slice;
}

static void slices_with_another_between_share_no_body(void **state) {
  swept s;
  begin_swept(&s, MANY);
  const stc_slices *slices = &s.sweep.batches.slices;
  const stc_bodies *b = &s.reduced->bodies;
  int *slice = slice_of_contacts(slices, s.reduced->contacts);
  assert_in_range(slices->count, 4, STC_SLICES);
  for (int body = 0; body < b->count; body++) {
    int least = STC_SLICES, most = 0;
    for (int k = b->on_ptr[body]; k < b->on_ptr[body + 1]; k++) {
      int mine = slice[b->touch_contact[b->on_touch[k]]];
      least = mine < least ? mine : least;
      most = mine > most ? mine : most;
    }
    assert_true(most <= least + 1);
  }
  free(slice);
  end_swept(&s);
}

static void few_contacts_stay_in_their_order(void **state) {
  swept s;
  begin_swept(&s, FEW);
  const stc_slices *slices = &s.sweep.batches.slices;
  assert_int_equal(slices->count, 1);
  for (int c = 0; c < s.reduced->contacts; c++) assert_int_equal(slices->contact[c], c);
  end_swept(&s);
}

// Bodies 1 .. STAR on one plate, body 0: whatever is cut, the plate is in all of it.
static void what_shares_one_body_is_not_cut(void **state) {
  enum { STAR = 20000 };
  stc_arena arena = {0};
  stc_reduced p = {.contacts = STAR};
  stc_slices slices;
  stc_bodies *b = &p.bodies;
  *b = (stc_bodies){.count = STAR + 1};
  b->touch_ptr = STC_TAKE(&arena, int, STAR + 1);
  b->touch_body = STC_TAKE(&arena, int, 2 * STAR);
  b->touch_contact = STC_TAKE(&arena, int, 2 * STAR);
  b->on_ptr = STC_TAKE(&arena, int, STAR + 2);
  b->on_touch = STC_TAKE(&arena, int, 2 * STAR);
  assert_int_equal(stc_slices_take(&arena, &p, &slices), STC_OK);
  for (int c = 0; c < STAR; c++) {
    b->touch_ptr[c + 1] = 2 * c + 2;
    b->touch_body[2 * c + 1] = c + 1;
    b->touch_contact[2 * c] = b->touch_contact[2 * c + 1] = c;
    b->on_touch[c] = 2 * c;
    b->on_touch[STAR + c] = 2 * c + 1;
    b->on_ptr[c + 1] = STAR + c;
  }
  b->on_ptr[STAR + 1] = 2 * STAR;
  stc_slices_cut(&p, &slices);
  assert_int_equal(slices.count, 1);
  stc_arena_free(&arena);
}

// --- Sweeps ---

// z [size] after some sweeps of every kind, and the p they keep: it is what z makes, to rounding.
static double *sweep(int threads) {
  swept s;
  begin_swept(&s, MANY);
  int size = s.reduced->size, numbers = s.reduced->bodies.count * STC_LANES4_STRIDE;
  size_t idle = stc_lanes4_idle(s.reduced->contacts) + STC_SWEEP_PAD;
  double *z = calloc((size_t)size + idle, sizeof *z), *p = calloc((size_t)numbers, sizeof *p);
  assert_int_equal(stc_team_create(threads, &s.reduced->team), STC_OK);
  stc_sweep_load(&s.sweep, z);
  for (int k = 0; k < 5; k++) {
    stc_sweep_both(&s.sweep);
    stc_sweep_forward(&s.sweep);
    stc_sweep_backward(&s.sweep);
  }
  memcpy(z, s.sweep.z, (size_t)size * sizeof *z);
  memcpy(p, s.sweep.batches.p, (size_t)numbers * sizeof *p);
  stc_lanes4_load(&s.sweep.batches, z);
  double most = 0, apart = 0;
  for (int k = 0; k < numbers; k++) {
    most = fmax(most, fabs(p[k]));
    apart = fmax(apart, fabs(p[k] - s.sweep.batches.p[k]));
  }
  assert_true(most > 0 && apart <= 1e-12 * most);
  stc_team_free(&s.reduced->team);
  free(p);
  end_swept(&s);
  return z;
}

static void threads_do_not_change_a_sweep(void **state) {
  stc_problem *problem = pile("spheres", MANY, 1);
  size_t bytes = (size_t)stc_problem_size(problem) * sizeof(double);
  double *alone = sweep(1);
  for (int threads = 2; threads <= 4; threads += 2) {
    double *together = sweep(threads);
    assert_memory_equal(alone, together, bytes);
    free(together);
  }
  free(alone);
  stc_problem_free(&problem);
}

// --- Solves ---

static double *run(const stc_problem *problem, int threads, stc_info *info) {
  stc_settings settings = stc_default_settings();
  settings.method = "nsgs";
  settings.threads = threads;
  settings.max_iterations = 100;
  double *r = calloc((size_t)stc_problem_size(problem), sizeof *r);
  solve(problem, &settings, r, info);
  return r;
}

// Setup, judgements and acceleration take part.
static void threads_do_not_change_a_solve(void **state) {
  stc_problem *problem = pile("spheres", MANY, 1);
  stc_info first, other;
  double *alone = run(problem, 1, &first);
  for (int threads = 2; threads <= 4; threads += 2) {
    double *together = run(problem, threads, &other);
    assert_memory_equal(alone, together, (size_t)stc_problem_size(problem) * sizeof *alone);
    expect_same_bits(&first.residual, &other.residual);
    free(together);
  }
  free(alone);
  stc_problem_free(&problem);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(slices_with_another_between_share_no_body),
      cmocka_unit_test(few_contacts_stay_in_their_order),
      cmocka_unit_test(what_shares_one_body_is_not_cut),
      cmocka_unit_test(threads_do_not_change_a_sweep),
      cmocka_unit_test(threads_do_not_change_a_solve),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
