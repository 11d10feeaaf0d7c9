// Writes certificates of small problems into a directory: where the fuzzer of the checker starts
// from.  certificate_seeds DIRECTORY
#include <stiction/stiction.h>

#include <stdio.h>
#include <stdlib.h>

#include "must.h"

static void seed(const char *directory, const char *kind, int n, double param, bool local) {
  char path[4096];
  stc_generator options = stc_default_generator(kind);
  stc_problem *problem = NULL, *other = NULL;
  stc_certificate *certificate = NULL;
  options.n = n;
  options.param = param;
  must(!stc_generate(&options, &problem), stc_error_detail());
  if (local) must(!stc_problem_to_local(problem, &other), stc_error_detail());
  must(!stc_certify(local ? other : problem, NULL, &certificate), stc_error_detail());
  snprintf(path, sizeof path, "%s/%s%d%s.json", directory, kind, n, local ? "local" : "");
  must(!stc_certificate_write(certificate, path), stc_error_detail());
  stc_certificate_free(&certificate);
  stc_problem_free(&other);
  stc_problem_free(&problem);
}

int main(int argc, char **argv) {
  if (argc != 2) return fprintf(stderr, "usage: certificate_seeds DIRECTORY\n"), 1;
  seed(argv[1], "painleve", 0, 2.0, false);
  seed(argv[1], "painleve", 1, 2.0, true);
  seed(argv[1], "painleve", 2, 2.0, false);
  seed(argv[1], "painleve", 4, 2.0, false);
  seed(argv[1], "wedge", 0, 1.0, true);
  seed(argv[1], "painleve3d", 0, 0.0, false);
  seed(argv[1], "painleve3d", 0, 2.0, true);
  return 0;
}
