// What the tests of certificates share: problems by formula, certificates read back and checked.
#ifndef TEST_CERT_SUPPORT_H
#define TEST_CERT_SUPPORT_H

#include "certify/certificate_check.h"
#include "dense_data.h"
#include "gallery.h"

#include <stdio.h>
#include <unistd.h>

#include <stiction/cert.h>

// One degree of freedom, M = 1: contact c has H = (h[2c], h[2c+1]).
static inline stc_problem *one_dof(int contacts, const double *h, const double *w, double f,
                                   const double *mu) {
  stc_problem *problem = NULL;
  double one = 1.0;
  dense_global d = {.dim = 2, .contacts = contacts, .dofs = 1, .M = &one};
  d.H = h;
  d.w = w;
  d.f = &f;
  d.mu = mu;
  if (create_dense_global(&d, &problem)) fail_msg("%s", stc_error_detail());
  return problem;
}

// The certificate as a file.
static inline char *file_of(const stc_certificate *certificate, size_t *size) {
  char path[64];
  snprintf(path, sizeof path, "/tmp/stiction_cert.%ld.json", (long)getpid());
  if (stc_certificate_write(certificate, path)) fail_msg("%s", stc_error_detail());
  FILE *in = fopen(path, "rb");
  assert_non_null(in);
  assert_int_equal(fseek(in, 0, SEEK_END), 0);
  *size = (size_t)ftell(in);
  rewind(in);
  char *text = calloc(*size + 1, 1);
  assert_non_null(text);
  assert_int_equal(fread(text, 1, *size, in), *size);
  fclose(in);
  unlink(path);
  return text;
}

// The certificate with these settings, checked: what is claimed has a proof that the checker
// accepts.
static inline stc_certificate *certify_with(const stc_problem *problem,
                                            const stc_certify_settings *settings) {
  stc_certificate *certificate = NULL;
  size_t size = 0;
  if (stc_certify(problem, settings, &certificate)) fail_msg("%s", stc_error_detail());
  char *text = file_of(certificate, &size);
  check_result result = check_certificate(problem, text, size);
  bool undecided = stc_certificate_verdict(certificate) == STC_VERDICT_UNDECIDED;
  if (!undecided && !result.valid) fail_msg("the checker says: %s", result.why);
  free(text);
  return certificate;
}

static inline stc_certificate *certify(const stc_problem *problem) {
  return certify_with(problem, NULL);
}

static inline void expect_verdict(const stc_certificate *certificate, stc_verdict verdict) {
  if (stc_certificate_verdict(certificate) != verdict)
    fail_msg("'%s' instead of '%s': %s", stc_verdict_name(stc_certificate_verdict(certificate)),
             stc_verdict_name(verdict), stc_certificate_reason(certificate));
}

static inline void expect_reason(const stc_certificate *certificate, const char *words) {
  const char *reason = stc_certificate_reason(certificate);
  if (!strstr(reason, words)) fail_msg("'%s' does not say '%s'", reason, words);
}

// `count` isolated solutions and no others: set k is the one with reactions r + k*size, in any
// order.
static inline void expect_solutions(const stc_problem *problem, const stc_certificate *certificate,
                                    int count, const double *r) {
  int size = stc_problem_size(problem);
  expect_verdict(certificate, count ? STC_VERDICT_EXISTS : STC_VERDICT_NO_SOLUTION);
  assert_int_equal(stc_certificate_sets(certificate), count);
  if (count) assert_true(stc_certificate_complete(certificate));
  for (int k = 0; k < count; k++) {
    stc_solution_set set;
    bool met = false;
    assert_true(stc_certificate_set(certificate, k, &set));
    assert_int_equal(set.dimension, 0);
    for (int n = 0; n < count; n++) {
      double distance = 0.0;
      for (int i = 0; i < size; i++)
        distance = fmax(distance, fabs(set.r[i] - r[n * size + i]) / (1.0 + fabs(r[n * size + i])));
      met = met || distance < 1e-9;
    }
    if (!met) fail_msg("solution %d is none of those expected: r_N = %.17g", k, set.r[0]);
  }
}

#endif
