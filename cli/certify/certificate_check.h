// Checks a certificate against its problem: exact rational arithmetic, nothing of the finder.
#ifndef STICTION_CLI_CHECK_H
#define STICTION_CLI_CHECK_H

#include <stiction/problem.h>

typedef struct check_result {
  bool valid;      ///< the text proves its verdict for the problem; never for "undecided"
  bool undecided;  ///< the text is a sound certificate that claims nothing
  char verdict[16], proof[24];
  const char *premise;  ///< what the theorem of the proof asks of the problem, checked; or ""
  char why[200];        ///< what failed
} check_result;

/// text[size] = 0.
check_result check_certificate(const stc_problem *problem, const char *text, size_t size);
#endif
