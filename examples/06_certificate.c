// Raises the friction of a wedge until no answer exists, and keeps the proof.
//   06_certificate [OUT.json]
// A point runs with speed 1 into a wedge of half-angle a = 0.3, with restitution 0.5. For mu < tan
// a = 0.3093 it is thrown back; above, the wedge jams: the step has no solution, whatever the
// solver.
#include <math.h>
#include <stdio.h>
#include <stiction/stiction.h>

static stc_error wedge(double mu, stc_problem **problem) {
  stc_generator options = stc_default_generator("wedge");
  options.mu = mu;
  return stc_generate(&options, problem);
}

static void report(double mu, const stc_certificate *certificate) {
  stc_solution_set set;
  stc_bounds bounds;
  printf("mu = %.2f  %-11s by %s\n", mu, stc_verdict_name(stc_certificate_verdict(certificate)),
         stc_proof_name(stc_certificate_proof(certificate)));
  for (int k = 0;
       k < stc_certificate_sets(certificate) && stc_certificate_set(certificate, k, &set); k++)
    printf("           u = (%g, %g) at wall 0, r_N = %g\n", set.u[0], set.u[1], set.r[0]);
  if (stc_certificate_bounds(certificate, &bounds))
    printf("           the normal reactions of any solution sum to at most %g\n",
           bounds.reaction_sum);
}

// The verdict for one coefficient; the proof that there is no solution goes to `path`.
static stc_error examine(double mu, const char *path, stc_verdict *verdict) {
  stc_problem *problem = NULL;
  stc_certificate *certificate = NULL;
  stc_error error = wedge(mu, &problem);
  if (!error) error = stc_certify(problem, NULL, &certificate);
  if (!error) {
    *verdict = stc_certificate_verdict(certificate);
    report(mu, certificate);
    if (*verdict == STC_VERDICT_NO_SOLUTION && path)
      error = stc_certificate_write(certificate, path);
  }
  stc_certificate_free(&certificate);
  stc_problem_free(&problem);
  return error;
}

int main(int argc, char **argv) {
  const char *path = argc > 1 ? argv[1] : NULL;
  stc_error error = STC_OK;
  bool as_known = true;
  for (int k = 1; k <= 5 && !error; k++) {
    double mu = 0.1 * k;
    stc_verdict verdict = STC_VERDICT_UNDECIDED;
    error = examine(mu, path, &verdict);
    as_known =
        as_known && verdict == (mu < tan(0.3) ? STC_VERDICT_EXISTS : STC_VERDICT_NO_SOLUTION);
  }
  if (error) fprintf(stderr, "%s: %s\n", stc_error_text(error), stc_error_detail());
  if (path && !error) printf("proof of the last one: %s\n", path);
  return !error && as_known ? 0 : 1;
}
