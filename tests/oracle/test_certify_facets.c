// Two hundred random problems in the plane and in space whose cones stand over intervals and
// polygons: what certify says against an enumeration of all modes in rational arithmetic, which
// shares no code with it, and against the checker. No false word, none undecided, as many
// solutions. STICTION_TRIALS = FIRST:COUNT takes others.
#include "check_file.h"
#include "facets.h"

#include <stiction/cert.h>

#include <math.h>
#include <stdlib.h>

enum { PROBLEMS = 200 };

static uint64_t state_of_random;

// Uniform in [0, 1): splitmix64 [Steele, Lea, Flood 2014].
static double draw_uniform(void) {
  uint64_t x = state_of_random += 0x9E3779B97F4A7C15u;
  x = (x ^ (x >> 30)) * 0xBF58476D1CE4E5B9u;
  x = (x ^ (x >> 27)) * 0x94D049BB133111EBu;
  return (double)((x ^ (x >> 31)) >> 11) * 0x1p-53;
}

static int draw_integer(int count) { return (int)(draw_uniform() * count); }

// A small integer, a quarter of one, or any number.
static double draw_number(int grain) {
  if (grain == 0) return draw_integer(5) - 2;
  if (grain == 1) return 0.25 * (draw_integer(17) - 8);
  return (double)(float)(2.0 * draw_uniform() - 1.0);
}

// Corners on a circle or so around a point near 0, to 1/64: convex, since they are few and far
// apart. The section may begin at 0.
static void draw_polygon(facets_data *d, int c) {
  int m = 3 + draw_integer(3);
  double start = 6.28 * draw_uniform(), shift[2] = {0.0, 0.0};
  d->corners[c] = m;
  for (int k = 0; k < m; k++) {
    double angle = start + 6.283185307179586 * (k + 0.3 * draw_uniform()) / m;
    d->corner[c][2 * k] = floor(64.0 * cos(angle)) / 64.0;
    d->corner[c][2 * k + 1] = floor(64.0 * sin(angle)) / 64.0;
  }
  int fate = draw_integer(4);
  for (int l = 0; fate < 2 && l < 2; l++) shift[l] = fate ? d->corner[c][l] : d->corner[c][l] / 4.0;
  for (int k = 0; k < 2 * m; k++) d->corner[c][k] -= shift[k % 2];
}

static facets_data draw_data(int dim) {
  facets_data d = {.dim = dim, .contacts = 1 + draw_integer(dim == 2 ? 3 : 2)};
  int grain = draw_integer(3), size = dim * d.contacts;
  d.dofs = 1 + draw_integer(FACET_DOFS);
  for (int k = 0; k < d.dofs; k++) d.M[k] = 1 << draw_integer(2), d.f[k] = draw_number(grain);
  for (int k = 0; k < size * d.dofs; k++) d.H[k] = draw_number(grain);
  bool still = draw_integer(3) == 0;
  for (int i = 0; i < size; i++) d.w[i] = still ? 0.0 : draw_number(grain);
  for (int c = 0; c < d.contacts; c++) {
    d.mu[c] = 0.25 * (1 + draw_integer(12));
    if (dim == 3) {
      draw_polygon(&d, c);
      continue;
    }
    d.corners[c] = 2;
    d.corner[c][0] = -0.25 * draw_integer(8);
    d.corner[c][2] = 0.25 * (draw_integer(7) + 1);
  }
  return d;
}

// ---- the same for the library

typedef struct library_problem {
  stc_cone_section *section[FACET_CONTACTS];
  stc_problem *problem;
} library_problem;

static stc_error make_section(const facets_data *d, int c, stc_cone_section **section) {
  if (d->dim == 3) return stc_cone_section_polygon(d->corners[c], d->corner[c], section);
  return stc_cone_section_interval(-d->corner[c][0], d->corner[c][2], section);
}

static library_problem make_problem(const facets_data *d) {
  library_problem out = {.problem = NULL};
  stc_law law[FACET_CONTACTS];
  int row[FACET_SIZE * FACET_DOFS], col[FACET_SIZE * FACET_DOFS], diagonal[] = {0, 1, 2, 3};
  int size = d->dim * d->contacts;
  for (int c = 0; c < d->contacts; c++) {
    if (make_section(d, c, &out.section[c])) fail_msg("%s", stc_error_detail());
    law[c] = stc_law_section(out.section[c]);
    law[c].mu[0] = law[c].mu[1] = d->mu[c];
  }
  for (int k = 0; k < size * d->dofs; k++) row[k] = k / d->dofs, col[k] = k % d->dofs;
  stc_global_data data = {.dim = d->dim, .contacts = d->contacts, .dofs = d->dofs, .law = law};
  data.M = (stc_matrix){d->dofs, d->dofs, d->dofs, STC_STORAGE_TRIPLET, diagonal, diagonal, d->M};
  data.H = (stc_matrix){size, d->dofs, size * d->dofs, STC_STORAGE_TRIPLET, col, row, d->H};
  data.f = d->f;
  data.w = d->w;
  if (stc_problem_create_global(&data, &out.problem)) fail_msg("%s", stc_error_detail());
  return out;
}

static void drop_problem(library_problem *p, const facets_data *d) {
  stc_problem_free(&p->problem);
  for (int c = 0; c < d->contacts; c++) stc_cone_section_free(&p->section[c]);
}

// ---- one problem

typedef struct tally {
  int proof[STC_PROOF_SECTOR_TREE + 1], counted, several, continua;
} tally;

static bool all_isolated(const stc_certificate *certificate) {
  stc_solution_set set;
  for (int k = 0; stc_certificate_set(certificate, k, &set); k++)
    if (set.dimension) return false;
  return true;
}

static void compare_answers(const stc_certificate *certificate, const facets_truth *truth,
                            long number, tally *t) {
  stc_verdict verdict = stc_certificate_verdict(certificate);
  t->proof[stc_certificate_proof(certificate)]++;
  if (verdict == STC_VERDICT_UNDECIDED)
    fail_msg("problem %ld: %s", number, stc_certificate_reason(certificate));
  if ((verdict == STC_VERDICT_EXISTS) != (truth->modes > 0))
    fail_msg("problem %ld: %s, but %d modes have a solution", number, stc_verdict_name(verdict),
             truth->modes);
  if (!truth->modes) return;
  if (!stc_certificate_complete(certificate)) fail_msg("problem %ld: not all solutions", number);
  if (all_isolated(certificate) != truth->isolated) fail_msg("problem %ld: isolated?", number);
  t->continua += !truth->isolated;
  if (!truth->isolated) return;
  t->counted++;
  t->several += truth->solutions > 1;
  if (stc_certificate_sets(certificate) != truth->solutions)
    fail_msg("problem %ld: %d solutions, but there are %d", number,
             stc_certificate_sets(certificate), truth->solutions);
}

static void examine_facets(long number, tally *t) {
  state_of_random = (uint64_t)number * 0xD1342543DE82EF95u + 7;
  facets_data d = draw_data(number % 2 ? 3 : 2);
  library_problem p = make_problem(&d);
  facets_truth truth = facets_solve(&d);
  stc_certificate *certificate = NULL;
  if (stc_certify(p.problem, NULL, &certificate)) fail_msg("%s", stc_error_detail());
  compare_answers(certificate, &truth, number, t);
  check_file(p.problem, certificate, (int)number);
  stc_certificate_free(&certificate);
  drop_problem(&p, &d);
}

static void nothing_false(void **unused) {
  tally t = {.counted = 0};
  long first = 0, count = PROBLEMS;
  const char *range = getenv("STICTION_TRIALS");
  if (range && sscanf(range, "%ld:%ld", &first, &count) != 2)
    fail_msg("STICTION_TRIALS = %s; give FIRST:COUNT", range);
  for (long k = first; k < first + count; k++) examine_facets(k, &t);
  print_proofs(t.proof, STC_PROOF_SECTOR_TREE);
  print_message("%d isolated, %d with several solutions, %d continua\n", t.counted, t.several,
                t.continua);
  assert_true(range || (t.proof[STC_PROOF_MODE_TREE] >= 10 && t.several >= 5 && t.continua >= 10));
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(nothing_false)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
