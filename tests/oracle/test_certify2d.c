// A thousand random plane problems of one to four contacts: what stc_certify proves against the
// brute-force enumeration, which shares no code with it, and against the checker of certificates.
// Not one false proof of either kind, the same number of solutions with the same velocities, an odd
// number of them where the strict criterion holds.
#include "check_file.h"
#include "enumerate2d.h"

#include <stiction/cert.h>

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

enum { PROBLEMS = 1000, MOST_DOFS = 6, SIZE = ENUMERATE_SIZE };

// ---- problems

static uint64_t state_of_random = 20260;

// Uniform in [0, 1): xorshift64* [Vigna 2016].
static double uniform_2d(void) {
  uint64_t x = state_of_random;
  x ^= x >> 12, x ^= x << 25, x ^= x >> 27;
  state_of_random = x;
  return (double)((x * 0x2545F4914F6CDD1Du) >> 11) * 0x1p-53;
}

static int choose(int count) { return (int)(uniform_2d() * count); }

// M is diagonal, so that W and q of small integers are exact.
typedef struct sample {
  int contacts, dofs;
  bool whole;  // small integers: modes meet, rows vanish, margins are zero
  double M[MOST_DOFS], H[SIZE * MOST_DOFS], f[MOST_DOFS], w[SIZE], mu[ENUMERATE_CONTACTS];
  double W[SIZE * SIZE], q[SIZE];  // by columns
} sample;

static double draw_entry(const sample *s, double size) {
  return s->whole ? choose(5) - 2 : size * (2.0 * uniform_2d() - 1.0);
}

static void reduce_sample(sample *s) {
  int size = 2 * s->contacts;
  for (int i = 0; i < size; i++) {
    const double *row = s->H + i * s->dofs;
    s->q[i] = s->w[i];
    for (int k = 0; k < s->dofs; k++) s->q[i] -= row[k] * s->f[k] / s->M[k];
    for (int j = 0; j < size; j++) {
      double sum = 0.0;
      for (int k = 0; k < s->dofs; k++) sum += row[k] * s->H[j * s->dofs + k] / s->M[k];
      s->W[i + size * j] = sum;
    }
  }
}

// Few degrees of freedom and much friction make problems without solution and with several; w = 0
// or w on the normals only is what mechanics has.
static sample draw_sample(void) {
  sample s = {.contacts = 1 + choose(ENUMERATE_CONTACTS), .whole = choose(4) == 0};
  int prescribed = choose(4);
  s.dofs = 1 + choose(2 * s.contacts < MOST_DOFS ? 2 * s.contacts : MOST_DOFS);
  for (int k = 0; k < s.dofs; k++) {
    s.M[k] = s.whole ? 1 << choose(2) : 0.5 + uniform_2d();
    s.f[k] = draw_entry(&s, 1.0);
  }
  for (int i = 0; i < 2 * s.contacts; i++) {
    for (int k = 0; k < s.dofs; k++) s.H[i * s.dofs + k] = draw_entry(&s, 1.0);
    if (prescribed > 1 || (prescribed == 1 && i % 2 == 0)) s.w[i] = draw_entry(&s, 1.0);
  }
  for (int c = 0; c < s.contacts; c++)
    s.mu[c] = s.whole ? 0.5 * choose(4) : choose(8) == 0 ? 0.0 : 2.0 * uniform_2d();
  reduce_sample(&s);
  return s;
}

static stc_problem *create(const sample *s) {
  int row[SIZE * MOST_DOFS], col[SIZE * MOST_DOFS], diagonal[MOST_DOFS], entries = 0;
  double value[SIZE * MOST_DOFS];
  stc_problem *problem = NULL;
  for (int i = 0; i < 2 * s->contacts; i++)
    for (int k = 0; k < s->dofs; k++) {
      row[entries] = i, col[entries] = k;
      value[entries++] = s->H[i * s->dofs + k];
    }
  for (int k = 0; k < s->dofs; k++) diagonal[k] = k;
  stc_global_data data = {.dim = 2, .contacts = s->contacts, .dofs = s->dofs};
  data.M = (stc_matrix){s->dofs, s->dofs, s->dofs, STC_STORAGE_TRIPLET, diagonal, diagonal, s->M};
  data.H = (stc_matrix){2 * s->contacts, s->dofs, entries, STC_STORAGE_TRIPLET, col, row, value};
  data.f = s->f;
  data.w = s->w;
  data.mu = s->mu;
  if (stc_problem_create_global(&data, &problem)) fail_msg("%s", stc_error_detail());
  return problem;
}

// The local form, with W and q of the enumeration.
static stc_problem *create_local(const sample *s) {
  int size = 2 * s->contacts, p[SIZE + 1], i[SIZE * SIZE];
  stc_problem *problem = NULL;
  for (int k = 0; k <= size; k++) p[k] = k * size;
  for (int k = 0; k < size * size; k++) i[k] = k % size;
  stc_local_data data = {.dim = 2, .contacts = s->contacts};
  data.W = (stc_matrix){size, size, size * size, STC_STORAGE_CSC, p, i, s->W};
  data.q = s->q;
  data.mu = s->mu;
  if (stc_problem_create_local(&data, &problem)) fail_msg("%s", stc_error_detail());
  return problem;
}

// ---- what is compared

typedef struct tally {
  int proof[STC_PROOF_SECTOR_TREE + 1];
  int solutions[ENUMERATE_MOST + 1];
  int undecided, odd, incomplete;
} tally;

// Every set that was found has the velocity of one part.
static void compare_velocities(const sample *s, const stc_certificate *certificate,
                               const enumerate2d_parts *parts, int number) {
  for (int k = 0; k < stc_certificate_sets(certificate); k++) {
    stc_solution_set set;
    bool met = false;
    assert_true(stc_certificate_set(certificate, k, &set));
    for (int j = 0; j < parts->count; j++) {
      double distance = 0.0;
      for (int i = 0; i < 2 * s->contacts; i++)
        distance = fmax(distance, fabs(set.u[i] - parts->u[j][i]) / (1.0 + fabs(set.u[i])));
      met = met || parts->moves[j] || distance <= 1e-6;
    }
    if (!met) fail_msg("problem %d: set %d has a velocity that no solution has", number, k);
  }
}

// Parity holds for isolated solutions; a jam at rest is a continuum of reactions.
static bool all_isolated(const stc_certificate *certificate) {
  stc_solution_set set;
  for (int k = 0; stc_certificate_set(certificate, k, &set); k++)
    if (set.dimension > 0) return false;
  return true;
}

static void compare(const sample *s, const stc_certificate *certificate,
                    const enumerate2d_parts *parts, int number, tally *t) {
  stc_verdict verdict = stc_certificate_verdict(certificate);
  stc_proof proof = stc_certificate_proof(certificate);
  t->proof[proof]++;
  t->solutions[parts->count]++;
  if (verdict == STC_VERDICT_UNDECIDED) {
    t->undecided++;
    return;
  }
  if ((verdict == STC_VERDICT_EXISTS) != (parts->count > 0))
    fail_msg("problem %d: %s by %s, but the enumeration finds %d solutions", number,
             stc_verdict_name(verdict), stc_proof_name(proof), parts->count);
  if (verdict == STC_VERDICT_NO_SOLUTION) return;
  compare_velocities(s, certificate, parts, number);
  if (!stc_certificate_complete(certificate)) {
    t->incomplete++;
  } else if (stc_certificate_sets(certificate) != parts->count) {
    fail_msg("problem %d: %d solution sets, but the enumeration finds %d", number,
             stc_certificate_sets(certificate), parts->count);
  }
  if (proof == STC_PROOF_STRICT_MARGIN && all_isolated(certificate)) {
    if (parts->count % 2 == 0) fail_msg("problem %d: %d solutions", number, parts->count);
    t->odd++;
  }
}

// A W that is singular is as exact as the problem it comes from for small integers only.
static bool is_exact(const sample *s) { return s->whole || s->dofs >= 2 * s->contacts; }

static void examine(int number, tally *t) {
  sample s = draw_sample();
  stc_problem *problem = number % 2 && is_exact(&s) ? create_local(&s) : create(&s);
  stc_certificate *certificate = NULL;
  if (stc_certify(problem, NULL, &certificate)) fail_msg("%s", stc_error_detail());
  enumerate2d_parts parts = enumerate2d_all(s.contacts, s.W, s.q, s.mu);
  compare(&s, certificate, &parts, number, t);
  check_file(problem, certificate, number);
  stc_certificate_free(&certificate);
  stc_problem_free(&problem);
}

static void a_thousand_problems(void **unused) {
  tally t = {.undecided = 0};
  for (int number = 0; number < PROBLEMS; number++) examine(number, &t);
  print_proofs(t.proof, STC_PROOF_MODE_TREE);
  print_solutions(t.solutions, ENUMERATE_MOST);
  print_message("strict and odd %d, not all solutions known %d\n", t.odd, t.incomplete);
  assert_int_equal(t.undecided, 0);
  assert_int_equal(t.incomplete, 0);
  for (int k = STC_PROOF_STRICT_MARGIN; k <= STC_PROOF_MODE_TREE; k++)
    assert_true(t.proof[k] >= 10 || k == STC_PROOF_WEAK_POLYHEDRAL);
  assert_true(t.solutions[0] >= 50 && t.solutions[2] >= 10 && t.solutions[3] >= 5);
}

// A singular W with rounding errors is regular, strictly speaking, and such a problem has solutions
// with reactions near 1e15 that its global form does not have: they must not count.
static void rounding_of_W_proves_nothing(void **unused) {
  int decided = 0, tried = 0;
  while (tried < PROBLEMS / 16) {
    sample s = draw_sample();
    if (is_exact(&s)) continue;
    stc_problem *problem = create_local(&s);
    stc_certificate *certificate = NULL;
    if (stc_certify(problem, NULL, &certificate)) fail_msg("%s", stc_error_detail());
    stc_verdict verdict = stc_certificate_verdict(certificate);
    enumerate2d_parts parts = enumerate2d_all(s.contacts, s.W, s.q, s.mu);
    if (verdict != STC_VERDICT_UNDECIDED && (verdict == STC_VERDICT_EXISTS) != (parts.count > 0))
      fail_msg("%s by %s, but the enumeration finds %d solutions", stc_verdict_name(verdict),
               stc_proof_name(stc_certificate_proof(certificate)), parts.count);
    if (verdict == STC_VERDICT_EXISTS) compare_velocities(&s, certificate, &parts, tried);
    check_file(problem, certificate, tried++);
    decided += verdict != STC_VERDICT_UNDECIDED;
    stc_certificate_free(&certificate);
    stc_problem_free(&problem);
  }
  print_message("%d of %d decided\n", decided, tried);
  assert_true(decided > tried / 2);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(a_thousand_problems),
                                     cmocka_unit_test(rounding_of_W_proves_nothing)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
