// A certificate goes through its file and the checker, which must accept whatever is decided.
#ifndef CHECK_FILE_H
#define CHECK_FILE_H

#include "certify/check.h"
#include "scratch.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include <stiction/cert.h>

static inline void check_file(const stc_problem *problem, const stc_certificate *certificate,
                              int number) {
  static char text[1 << 22];
  char path[512];
  scratch_path(path, sizeof path, "certificate.json");
  if (stc_certificate_write(certificate, path)) fail_msg("%s", stc_error_detail());
  FILE *in = fopen(path, "rb");
  assert_non_null(in);
  size_t size = fread(text, 1, sizeof text - 1, in);
  text[size] = 0;
  fclose(in);
  unlink(path);
  check_result result = check_certificate(problem, text, size);
  bool fits = result.valid || stc_certificate_verdict(certificate) == STC_VERDICT_UNDECIDED;
  if (!fits) fail_msg("problem %d: the checker says: %s", number, result.why);
}

#endif
