// Feeds arbitrary bytes to the checker of certificates, for problems in 2D and 3D, local and
// global. Fingerprint and seal are set right first where the text has them, so that the checks
// behind them are reached. A proof of either kind must never pass for a problem of the other kind.
#include "certify/certificate_check.h"

#include <stiction/generate.h>

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "must.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

// A problem and whether it has a solution.
typedef struct known {
  const char *kind;
  int n;
  double param;
  bool local, solvable;
} known;

static const known KNOWN[] = {
    {"painleve", 0, 2.0, false, false},   {"painleve", 4, 2.0, false, true},
    {"painleve", 1, 2.0, true, true},     {"wedge", 0, 1.0, true, false},
    {"painleve3d", 0, 0.0, false, false}, {"painleve3d", 0, 2.0, false, true}};
enum { PROBLEMS = sizeof KNOWN / sizeof *KNOWN };

static stc_problem *problems[PROBLEMS];

static void free_problems(void) {
  for (int k = 0; k < PROBLEMS; k++) stc_problem_free(&problems[k]);
}

static void make_problems(void) {
  for (int k = 0; k < PROBLEMS; k++) {
    stc_generator options = stc_default_generator(KNOWN[k].kind);
    stc_problem *local = NULL;
    options.n = KNOWN[k].n;
    options.param = KNOWN[k].param;
    must(!stc_generate(&options, &problems[k]), "no problem");
    if (!KNOWN[k].local) continue;
    must(!stc_problem_to_local(problems[k], &local), "no local form");
    stc_problem_free(&problems[k]);
    problems[k] = local;
  }
  atexit(free_problems);
}

// Writes the last word of the refusal over what follows `key`, if it is as long.
static void repair(char *text, const char *key, const check_result *result) {
  char *at = strstr(text, key);
  const char *word = strrchr(result->why, ' ');
  if (!at || !word || strlen(at) < strlen(key) + strlen(word + 1)) return;
  memcpy(at + strlen(key), word + 1, strlen(word + 1));
}

// At most two repairs: the fingerprint changes the seal.
static void check(char *text, size_t size, int k) {
  check_result result = check_certificate(problems[k], text, size);
  for (int round = 0; round < 3 && !result.valid; round++) {
    if (strstr(result.why, "seal is not"))
      repair(text, "\"seal\": \"", &result);
    else if (strstr(result.why, "fingerprint is"))
      repair(text, "\"fingerprint\": \"", &result);
    else
      break;
    result = check_certificate(problems[k], text, size);
  }
  must(result.valid || *result.why, "a refusal without a reason");
  must(!result.valid || !strcmp(result.verdict, KNOWN[k].solvable ? "exists" : "no_solution"),
       "a false proof");
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  if (!problems[0]) make_problems();
  for (int k = 0; k < PROBLEMS; k++) {
    char *text = malloc(size + 1);
    must(text != NULL, "out of memory");
    memcpy(text, data, size);
    text[size] = 0;
    check(text, size, k);
    free(text);
  }
  return 0;
}
