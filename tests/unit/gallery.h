// Problems that the library generates: any of them, those of theory, and irregular ones.
#ifndef STC_TEST_GALLERY_H
#define STC_TEST_GALLERY_H

#include "expect.h"

#include <stiction/generate.h>

/// The global form in place of the problem: its matrices can be read.
static inline stc_problem *with_rows(stc_problem *problem) {
  stc_problem *global = NULL;
  if (stc_problem_to_global(problem, &global)) fail_msg("%s", stc_error_detail());
  stc_problem_free(&problem);
  return global;
}

static inline stc_problem *generate_problem(const stc_generator *options) {
  stc_problem *problem = NULL;
  if (stc_generate(options, &problem)) fail_msg("%s: %s", options->kind, stc_error_detail());
  return with_rows(problem);
}

static inline stc_problem *gallery(const char *kind, int n, double param) {
  stc_generator options = stc_default_generator(kind);
  options.n = n;
  options.param = param;
  return generate_problem(&options);
}

static inline stc_problem *irregular(const char *kind, int n, int n2) {
  stc_generator options = stc_default_generator(kind);
  options.n = n;
  options.n2 = n2;
  options.disorder = 1;
  return generate_problem(&options);
}

#endif
