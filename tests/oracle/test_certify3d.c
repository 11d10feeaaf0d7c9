// A hundred and sixty random problems of one contact in space: what stc_certify proves against a
// scan of all directions of slip, which shares no code with it, and against the checker of
// certificates.
#include "check_file.h"
#include "scan3d.h"

#include <stiction/cert.h>

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

enum { PROBLEMS = 160, MOST_DOFS = 3 };

static uint64_t state_of_random = 31415;

// Uniform in [-1, 1): xorshift64* [Vigna 2016].
static double draw_half(void) {
  uint64_t x = state_of_random;
  x ^= x >> 12, x ^= x << 25, x ^= x >> 27;
  state_of_random = x;
  return (double)((x * 0x2545F4914F6CDD1Du) >> 11) * 0x1p-52 - 1.0;
}

// M = I. With fewer than three degrees of freedom w is not in the image of H: no contact sticks.
typedef struct sample {
  int dofs;
  double H[3 * MOST_DOFS], f[MOST_DOFS], w[3], mu;
  double W[9], q[3];
} sample;

static sample draw_sample(void) {
  sample s = {.dofs = 1 + (int)(1.25 * (draw_half() + 1.0)), .mu = 1.6 + 1.4 * draw_half()};
  for (int k = 0; k < s.dofs; k++) s.f[k] = draw_half();
  for (int i = 0; i < 3; i++) {
    s.w[i] = s.q[i] = draw_half();
    for (int k = 0; k < s.dofs; k++) {
      s.H[i * s.dofs + k] = draw_half();
      s.q[i] -= s.H[i * s.dofs + k] * s.f[k];
    }
  }
  for (int i = 0; i < 3; i++)
    for (int j = 0; j < 3; j++)
      for (int k = 0; k < s.dofs; k++) s.W[3 * i + j] += s.H[i * s.dofs + k] * s.H[j * s.dofs + k];
  return s;
}

static stc_problem *create_sample_3d(const sample *s) {
  int row[3 * MOST_DOFS], col[3 * MOST_DOFS], diagonal[MOST_DOFS] = {0, 1, 2};
  const double one[MOST_DOFS] = {1.0, 1.0, 1.0};
  stc_problem *problem = NULL;
  for (int k = 0; k < 3 * s->dofs; k++) row[k] = k / s->dofs, col[k] = k % s->dofs;
  stc_global_data data = {.dim = 3, .contacts = 1, .dofs = s->dofs};
  data.M = (stc_matrix){s->dofs, s->dofs, s->dofs, STC_STORAGE_TRIPLET, diagonal, diagonal, one};
  data.H = (stc_matrix){3, s->dofs, 3 * s->dofs, STC_STORAGE_TRIPLET, col, row, s->H};
  data.f = s->f;
  data.w = s->w;
  data.mu = &s->mu;
  if (stc_problem_create_global(&data, &problem)) fail_msg("%s", stc_error_detail());
  return problem;
}

static void compare_velocities(const stc_certificate *certificate, const scan3d_solutions *all,
                               int number) {
  stc_solution_set set;
  for (int k = 0; stc_certificate_set(certificate, k, &set); k++) {
    double nearest = INFINITY;
    for (int j = 0; j < all->count; j++) {
      const double *u = all->u[j];
      double away = fmax(fabs(set.u[0] - u[0]), hypot(set.u[1] - u[1], set.u[2] - u[2]));
      nearest = fmin(nearest, away / (1.0 + hypot(u[1], u[2])));
    }
    if (nearest > 1e-6) fail_msg("problem %d: no solution has the velocity of set %d", number, k);
  }
}

typedef struct tally {
  int proof[STC_PROOF_SECTOR_TREE + 1], solutions[SCAN_MOST + 1], unclear, odd, counted;
} tally;

static void compare_verdict(const stc_certificate *certificate, const scan3d_solutions *all,
                            int number, tally *t) {
  stc_verdict verdict = stc_certificate_verdict(certificate);
  stc_proof proof = stc_certificate_proof(certificate);
  t->proof[proof]++;
  t->solutions[all->count]++;
  if (verdict == STC_VERDICT_UNDECIDED) return;
  if ((verdict == STC_VERDICT_EXISTS) != (all->count > 0))
    fail_msg("problem %d: %s by %s, but the scan finds %d solutions", number,
             stc_verdict_name(verdict), stc_proof_name(proof), all->count);
  compare_velocities(certificate, all, number);
  if (verdict == STC_VERDICT_EXISTS && stc_certificate_complete(certificate)) {
    t->counted++;
    if (stc_certificate_sets(certificate) != all->count)
      fail_msg("problem %d: %d solutions, but the scan finds %d", number,
               stc_certificate_sets(certificate), all->count);
  }
  if (proof == STC_PROOF_STRICT_MARGIN) {
    if (all->count % 2 == 0) fail_msg("problem %d: %d solutions", number, all->count);
    t->odd++;
  }
}

static void examine(int number, tally *t) {
  sample s = draw_sample();
  scan3d_solutions all = scan3d_all(s.W, s.q, s.mu, s.dofs == 3);
  if (!all.clear) {
    t->unclear++;
    return;
  }
  stc_problem *problem = create_sample_3d(&s);
  stc_certificate *certificate = NULL;
  if (stc_certify(problem, NULL, &certificate)) fail_msg("%s", stc_error_detail());
  compare_verdict(certificate, &all, number, t);
  check_file(problem, certificate, number);
  stc_certificate_free(&certificate);
  stc_problem_free(&problem);
}

static void one_contact_in_space(void **unused) {
  tally t = {.unclear = 0};
  for (int number = 0; number < PROBLEMS; number++) examine(number, &t);
  print_proofs(t.proof, STC_PROOF_SECTOR_TREE);
  print_solutions(t.solutions, SCAN_MOST);
  print_message("strict and odd %d, counted %d, not clear %d\n", t.odd, t.counted, t.unclear);
  assert_int_equal(t.proof[STC_PROOF_NONE], 0);
  assert_true(t.unclear <= PROBLEMS / 50);
  assert_true(t.solutions[0] >= 10 && t.solutions[1] >= 100 && t.solutions[2] >= 3);
  assert_true(t.proof[STC_PROOF_VERIFIED_SOLUTION] >= 10 && t.proof[STC_PROOF_SECTOR_TREE] >= 10);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(one_contact_in_space)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
