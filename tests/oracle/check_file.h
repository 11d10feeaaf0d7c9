// A certificate goes through its file and the checker, which must accept whatever is decided.
#ifndef CHECK_FILE_H
#define CHECK_FILE_H

#include "certify/certificate_check.h"
#include "scratch.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include <stiction/cert.h>

/// What the checker says of the certificate as it is written; text [room] is scratch.
static inline check_result check_text(const stc_problem *problem,
                                      const stc_certificate *certificate, char *text, size_t room) {
  char path[512];
  scratch_path(path, sizeof path, "certificate.json");
  if (stc_certificate_write(certificate, path)) fail_msg("%s", stc_error_detail());
  FILE *in = fopen(path, "rb");
  assert_non_null(in);
  size_t size = fread(text, 1, room - 1, in);
  text[size] = 0;
  fclose(in);
  unlink(path);
  return check_certificate(problem, text, size);
}

static inline void check_file(const stc_problem *problem, const stc_certificate *certificate,
                              int number) {
  static char text[1 << 22];
  check_result result = check_text(problem, certificate, text, sizeof text);
  bool fits = result.valid || stc_certificate_verdict(certificate) == STC_VERDICT_UNDECIDED;
  if (!fits) fail_msg("problem %d: the checker says: %s", number, result.why);
}

/// How often each proof was given; `last` is the greatest that can be.
static inline void print_proofs(const int *proof, int last) {
  for (int k = 0; k <= last; k++)
    print_message("%-18s %4d\n", k ? stc_proof_name((stc_proof)k) : "undecided", proof[k]);
}

/// How many problems have k solutions.
static inline void print_solutions(const int *solutions, int most) {
  for (int k = 0; k <= most; k++)
    if (solutions[k]) print_message("%d solutions %4d\n", k, solutions[k]);
}

#endif
