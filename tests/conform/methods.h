// Facts that hold for every method of the table: one test case per fact and method.
#ifndef STC_CONFORM_METHODS_H
#define STC_CONFORM_METHODS_H

#include "unit/expect.h"

#include <stdio.h>
#include <stiction/solve.h>

enum { MOST_METHODS = 16, MOST_FACTS = 40, NAME_LENGTH = 80 };

typedef struct fact {
  const char *name;
  CMUnitTestFunction check;  ///< *state is the name of the method
} fact;

/// Runs each fact for each method (STICTION_ONLY names one); the result is that of cmocka. A test
/// without a function is passed over.
static inline int check_facts(const char *suite, const fact *facts, int count) {
  static char names[MOST_METHODS * MOST_FACTS][NAME_LENGTH], methods[MOST_METHODS][NAME_LENGTH];
  static struct CMUnitTest tests[MOST_METHODS * MOST_FACTS];
  const char *only = getenv("STICTION_ONLY");
  int n = 0;
  for (int m = 0; stc_method_name(m); m++)
    for (int k = 0; k < count && (!only || !strcmp(only, stc_method_name(m))); k++, n++) {
      snprintf(methods[m], NAME_LENGTH, "%s", stc_method_name(m));
      snprintf(names[n], NAME_LENGTH, "%.20s: %.50s", methods[m], facts[k].name);
      tests[n] = (struct CMUnitTest){
          .name = names[n], .test_func = facts[k].check, .initial_state = methods[m]};
    }
  return cmocka_run_group_tests_name(suite, tests, NULL, NULL);
}

#endif
