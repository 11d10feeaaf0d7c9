// What a proof owes the heap: where the n-th allocation fails, n = 1 and on, it ends with an error
// and a sentence, or with the verdict it has with enough memory, or undecided; never with another,
// and nothing is lost. STICTION_FAILURES takes every n; otherwise some of them.
#include "heap.h"
#include "unit/cert_support.h"

#include <stdlib.h>

enum { SAMPLE = 150 };  // failures tried per problem

static stc_problem *problem_number(int k) {
  switch (k) {
  case 0:  // no solution, by a tree of modes
    return gallery("jammed", 3, 0.5);
  case 1:  // solution sets in the plane
    return gallery("painleve", 1, 0);
  case 2:  // in space
    return gallery("spheres", 2, 0);
  case 3:  // joints
    return gallery("chain", 2, 0);
  default:
    return NULL;
  }
}

typedef struct outcome {
  stc_error error;
  stc_verdict verdict;
} outcome;

static outcome certify_and_write(const stc_problem *problem, const char *path) {
  stc_certificate *certificate = NULL;
  stc_certify_settings settings = stc_default_certify_settings();
  settings.max_nodes = 300;
  outcome end = {.error = stc_certify(problem, &settings, &certificate)};
  if (!end.error) {
    end.verdict = stc_certificate_verdict(certificate);
    end.error = stc_certificate_write(certificate, path);
  }
  stc_certificate_free(&certificate);
  return end;
}

static void expect_honest(outcome found, outcome usual, long n) {
  bool known = found.error == STC_ERR_MEMORY || found.error == STC_ERR_FILE;
  if (found.error && (!known || !*stc_error_detail()))
    fail_msg("allocation %ld: %s", n, stc_error_detail());
  if (!found.error && found.verdict != usual.verdict && found.verdict != STC_VERDICT_UNDECIDED)
    fail_msg("allocation %ld: %s instead of %s", n, stc_verdict_name(found.verdict),
             stc_verdict_name(usual.verdict));
}

static void every_failure_is_an_error(void **state) {
  char path[64];
  snprintf(path, sizeof path, "/tmp/stiction_conform.%ld.json", (long)getpid());
  if (!heap_is_counted()) skip();
  for (int k = 0;; k++) {
    stc_problem *problem = problem_number(k);
    if (!problem) break;
    heap_begin();
    outcome usual = certify_and_write(problem, path);
    assert_int_equal(usual.error, STC_OK);
    long all = heap_allocations(), every = getenv("STICTION_FAILURES") ? 1 : 1 + all / SAMPLE;
    for (long n = 1; n <= all; n += n < 40 ? 1 : every) {
      unlink(path);
      heap_begin();
      heap_fail_at(n);
      outcome found = certify_and_write(problem, path);
      heap_fail_at(0);
      expect_honest(found, usual, n);
      if (heap_alive() > 0) fail_msg("allocation %ld: %ld blocks are lost", n, heap_alive());
      assert_int_equal(access(path, F_OK) == 0, found.error == STC_OK);
    }
    stc_problem_free(&problem);
  }
  unlink(path);
}

TEST_PROGRAM(cmocka_unit_test(every_failure_is_an_error))
