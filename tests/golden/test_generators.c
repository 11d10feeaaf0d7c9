// A generated problem has the same bits on every processor, with every compiler and C library: its
// fingerprints are stored here.
#include "unit/expect.h"

#include <stiction/generate.h>

#include <stdio.h>

static const struct {
  const char *kind;
  int n;
  unsigned long seed;
  double disorder, param;
  const char *fingerprint;
} goldens[] = {
#include "generators.inc"
};

enum { GOLDENS = sizeof goldens / sizeof *goldens };

static void fingerprints_are_those(void **state) {
  int different = 0;
  for (int k = 0; k < GOLDENS; k++) {
    stc_generator options = stc_default_generator(goldens[k].kind);
    options.n = goldens[k].n;
    options.seed = goldens[k].seed;
    options.disorder = goldens[k].disorder;
    if (goldens[k].param >= 0) options.param = goldens[k].param;
    stc_problem *problem = NULL;
    char text[33];
    assert_int_equal(stc_generate(&options, &problem), STC_OK);
    stc_problem_fingerprint(problem, text);
    stc_problem_free(&problem);
    if (strcmp(text, goldens[k].fingerprint) == 0) continue;
    different++;
    print_message("    {\"%s\", %d, %lu, %g, %g, \"%s\"},\n", goldens[k].kind, goldens[k].n,
                  goldens[k].seed, goldens[k].disorder, goldens[k].param, text);
  }
  assert_int_equal(different, 0);
}

// Every kind stands in the table.
static void every_kind_is_there(void **state) {
  for (int k = 0; stc_generator_name(k); k++) {
    bool found = false;
    for (int g = 0; g < GOLDENS; g++) found |= strcmp(goldens[g].kind, stc_generator_name(k)) == 0;
    if (!found) fail_msg("the kind %s has no fingerprint", stc_generator_name(k));
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(fingerprints_are_those),
      cmocka_unit_test(every_kind_is_there),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
