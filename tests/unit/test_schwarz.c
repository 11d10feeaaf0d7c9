// Overlapping patches: what a cover promises, and the method that goes over its patches by turns.
#include "../../src/problem/reduced.h"
#include "../../src/solve/parts/cover.h"
#include "piles.h"

#include <stdlib.h>
#include <string.h>

enum { CORE = 40, RINGS = 2, MOST = 200 };

static stc_problem *in_local_form(stc_problem *global) {
  stc_problem *local = NULL;
  assert_int_equal(stc_problem_to_local(global, &local), STC_OK);
  stc_problem_free(&global);
  return local;
}

// --- The cover ---

static void expect_covered(const stc_cover *cover, int contacts) {
  int *times = calloc((size_t)contacts, sizeof *times), sum = 0;
  for (int k = 0; k < cover->patches; k++) {
    const stc_patch *patch = &cover->patch[k];
    assert_in_range(patch->contacts, 1, MOST);
    for (int c = 0; c < patch->contacts; c++) {
      times[patch->contact[c]]++;
      if (c > 0) assert_true(patch->contact[c] > patch->contact[c - 1]);
    }
    sum += patch->contacts;
  }
  for (int c = 0; c < contacts; c++) assert_true(times[c] > 0);
  assert_true(sum > contacts + contacts / 2);  // the rings
  free(times);
}

// Patches of one colour have no body in common, and every patch has a colour.
static void expect_colours(const stc_cover *cover, const stc_reduced *p) {
  int *owner = malloc((size_t)p->bodies.count * sizeof *owner), listed = 0;
  for (int colour = 0; colour < cover->colours; colour++) {
    for (int b = 0; b < p->bodies.count; b++) owner[b] = -1;
    for (int k = cover->ptr[colour]; k < cover->ptr[colour + 1]; k++, listed++) {
      const stc_patch *patch = &cover->patch[cover->order[k]];
      for (int c = 0; c < patch->contacts; c++)
        for (int t = p->bodies.touch_ptr[patch->contact[c]];
             t < p->bodies.touch_ptr[patch->contact[c] + 1]; t++) {
          int *of = &owner[p->bodies.touch_body[t]];
          assert_true(*of == -1 || *of == cover->order[k]);
          *of = cover->order[k];
        }
    }
  }
  assert_int_equal(listed, cover->patches);
  free(owner);
}

static void every_contact_is_in_a_patch(void **state) {
  (void)state;
  stc_problem *problem = pile("spheres", 340, 1);
  for (int form = 0; form < 2; form++) {
    stc_reduced *reduced = NULL;
    stc_arena arena = {0};
    stc_cover cover;
    assert_int_equal(stc_reduced_create(problem, &reduced), STC_OK);
    assert_int_equal(stc_cover_create(&arena, reduced, CORE, RINGS, MOST, &cover), STC_OK);
    assert_int_equal(cover.patches, (stc_problem_contacts(problem) + CORE - 1) / CORE);
    expect_covered(&cover, stc_problem_contacts(problem));
    if (reduced->bodies.count > 0) {
      expect_colours(&cover, reduced);
      assert_true(cover.colours < cover.patches);
    } else {
      assert_int_equal(cover.colours, cover.patches);
    }
    stc_arena_free(&arena);
    stc_reduced_free(&reduced);
    problem = in_local_form(problem);
  }
  stc_problem_free(&problem);
}

// --- The method ---

static double *solve_pile(const stc_problem *problem, int threads, stc_info *info) {
  stc_settings settings = stc_default_settings();
  settings.method = "schwarz";
  settings.threads = threads;
  settings.tol = 1e-6;
  double *r = calloc((size_t)stc_problem_size(problem), sizeof *r);
  stc_residual residual = solve(problem, &settings, r, info);
  assert_int_equal(info->status, STC_STATUS_SOLVED);
  assert_true(residual.eta <= 1e-6 && residual.fclib_error <= 1e-6);
  return r;
}

static void piles_are_solved_in_both_forms(void **state) {
  (void)state;
  for (unsigned long seed = 2; seed <= 3; seed++) {
    stc_problem *problem = pile("spheres", 340, seed);
    for (int form = 0; form < 2; form++) {
      stc_info info;
      free(solve_pile(problem, 1, &info));
      problem = in_local_form(problem);
    }
    stc_problem_free(&problem);
  }
}

static void threads_do_not_change_a_bit(void **state) {
  (void)state;
  stc_problem *problem = pile("spheres", 340, 3);
  stc_info info[2];
  double *alone = solve_pile(problem, 1, &info[0]), *together = solve_pile(problem, 3, &info[1]);
  assert_int_equal(info[0].iterations, info[1].iterations);
  assert_memory_equal(alone, together, (size_t)stc_problem_size(problem) * sizeof *alone);
  free(alone);
  free(together);
  stc_problem_free(&problem);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(every_contact_is_in_a_patch),
      cmocka_unit_test(piles_are_solved_in_both_forms),
      cmocka_unit_test(threads_do_not_change_a_bit),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
