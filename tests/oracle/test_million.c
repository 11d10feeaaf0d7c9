// A million single contacts, fixed seed: every answer of stc_law_solve satisfies the textbook law,
// and no contact without an answer is ever called solved.
//
// Which of them have an answer is known before solving:
//   free     W positive definite and any q: the existence criterion holds as H has full row rank;
//   planted  any W, also singular or slightly unsymmetric: a pair (u, r) that obeys the law is
//            drawn first and q = u - W r is computed from it;
//   none     W = h h^T with h = (1, kappa), mu kappa > 1, in the range where theory excludes all
//            modes (Painlevé), and W = 0 with q_N < 0.
#include "textbook.h"

#include "base/random.h"

#include <stiction/law.h>

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

enum { MILLION = 1000000 };

// Distance to the law: 1e-9 of the largest velocity and 1e-14 of the terms of W r (textbook.h).
static const double tolerance = 1e-9;

typedef struct one_contact {
  stc_law law;
  double W[9], q[3], start[3];
} one_contact;

static double uniform(stc_random *random, double low, double high) {
  return low + (high - low) * stc_random_uniform(random);
}

static int pick(stc_random *random, int count) {
  return (int)(stc_random_bits(random) % (uint64_t)count);
}

static double power(stc_random *random, double low, double high) {
  return pow(10.0, uniform(random, low, high));
}

static double draw_mu(stc_random *random) {
  switch (pick(random, 6)) {
  case 0:
    return 0.0;
  case 1:
    return 10.0;
  case 2:
    return power(random, -6.0, 3.0);
  default:
    return uniform(random, 0.05, 1.2);
  }
}

static stc_law draw_law(stc_random *random) {
  double mu1 = draw_mu(random), mu2 = draw_mu(random);
  switch (pick(random, 8)) {
  case 0:
    return stc_law_frictionless(2 + pick(random, 2));
  case 1:
  case 2:
    return stc_law_coulomb(2, mu1);
  case 3:
  case 4:
    return stc_law_elliptic(mu1, mu2);
  default:
    return stc_law_coulomb(3, mu1);
  }
}

// W += G G^T with `rank` columns of normal numbers, the last one scaled by `last`.
static void add_gram(stc_random *random, int dim, int rank, double last, double *W) {
  for (int k = 0; k < rank; k++) {
    double g[3];
    for (int i = 0; i < dim; i++) g[i] = stc_random_normal(random) * (k == rank - 1 ? last : 1.0);
    for (int i = 0; i < dim; i++)
      for (int j = 0; j < dim; j++) W[i + dim * j] += g[i] * g[j];
  }
}

static void scale_rows_and_columns(stc_random *random, int dim, double decades, double *W) {
  double s[3];
  for (int i = 0; i < dim; i++) s[i] = power(random, -decades, decades);
  for (int i = 0; i < dim; i++)
    for (int j = 0; j < dim; j++) W[i + dim * j] *= s[i] * s[j];
}

// Positive definite, of condition up to about 1e10, or with entries of ratios up to 1e12.
static void draw_definite(stc_random *random, int dim, double *W) {
  memset(W, 0, 9 * sizeof *W);
  int family = pick(random, 4);
  double last = family == 0 ? power(random, -3.0, 0.0) : 1.0;
  add_gram(random, dim, dim, last, W);
  for (int i = 0; i < dim; i++) W[i + dim * i] += 0.01 * last * last;
  if (family == 1) scale_rows_and_columns(random, dim, 3.0, W);
}

// Any rank, with zero rows, nearly singular, or slightly unsymmetric.
static void draw_any(stc_random *random, int dim, double *W) {
  memset(W, 0, 9 * sizeof *W);
  int rank = pick(random, dim + 1);
  add_gram(random, dim, rank, power(random, -9.0, 0.0), W);
  if (pick(random, 4) == 0) scale_rows_and_columns(random, dim, 3.0, W);
  int zero = pick(random, 4 * dim);
  for (int j = 0; zero < dim && j < dim; j++) W[zero + dim * j] = W[j + dim * zero] = 0.0;
  double skew = pick(random, 8) == 0 && rank == dim ? 1e-4 * stc_random_normal(random) : 0.0;
  W[1] += skew * W[1];
}

// A direction among the tangents that have friction.
static void unit_tangent(stc_random *random, const stc_law *law, double *t) {
  double angle = uniform(random, 0.0, 6.283185307179586), sign = pick(random, 2) ? 1.0 : -1.0;
  bool first = law->mu[0] > 0.0, both = law->dim == 3 && first && law->mu[1] > 0.0;
  t[0] = both ? cos(angle) : first ? sign : 0.0;
  t[1] = both ? sin(angle) : first ? 0.0 : sign;
}

// A pair (u, r) that obeys the law: take-off, stick, stick on the boundary, slip.
static void plant(stc_random *random, const stc_law *law, double *u, double *r) {
  int mode = pick(random, 4);
  double t[2], speed = power(random, -3.0, 1.0), used = mode == 1 ? uniform(random, 0.0, 1.0) : 1.0;
  unit_tangent(random, law, t);
  for (int k = 0; k < 3; k++) u[k] = r[k] = 0.0;
  if (mode > 0) r[0] = power(random, -2.0, 2.0);
  if (mode == 0) u[0] = pick(random, 3) ? speed : 0.0;
  for (int k = 1; k < law->dim; k++) {
    double mu = law->mu[k - 1];
    r[k] = used * mu * r[0] * t[k - 1];
    if (mode == 0 || mu == 0.0)
      u[k] = stc_random_normal(random);
    else if (mode == 3)
      u[k] = -speed * t[k - 1] / mu;  // then D u_T is along -t
  }
}

static void draw_planted(stc_random *random, one_contact *p) {
  double u[3], r[3];
  int dim = p->law.dim;
  draw_any(random, dim, p->W);
  plant(random, &p->law, u, r);
  for (int i = 0; i < dim; i++) {
    p->q[i] = u[i];
    for (int j = 0; j < dim; j++) p->q[i] -= p->W[i + dim * j] * r[j];
  }
}

static void draw_free(stc_random *random, one_contact *p) {
  draw_definite(random, p->law.dim, p->W);
  for (int k = 0; k < p->law.dim; k++) p->q[k] = stc_random_normal(random);
  switch (pick(random, 8)) {
  case 0:
    p->q[0] = 0.0;
    break;
  case 1:
    p->q[0] *= power(random, -16.0, 0.0);
    break;
  case 2:
    p->q[1] = 0.0;
    break;
  default:
    break;
  }
}

// Other units of mass and velocity must not matter.
static void rescale(stc_random *random, one_contact *p) {
  double w = power(random, -140.0, 140.0), v = power(random, -140.0, 140.0);
  for (int k = 0; k < 9; k++) p->W[k] *= w;
  for (int k = 0; k < 3; k++) p->q[k] *= v, p->start[k] *= v / w;
}

static one_contact draw_contact(stc_random *random) {
  one_contact p = {.law = draw_law(random)};
  if (pick(random, 2))
    draw_free(random, &p);
  else
    draw_planted(random, &p);
  for (int k = 0; k < p.law.dim && pick(random, 2); k++) p.start[k] = stc_random_normal(random);
  if (pick(random, 8) == 0) rescale(random, &p);
  return p;
}

static bool consistent(stc_contact_state state, textbook_mode mode) {
  if (state == STC_CONTACT_OPEN) return mode == TEXTBOOK_TAKE_OFF;
  return (state == STC_CONTACT_STICK || state == STC_CONTACT_SLIP) &&
         (mode == TEXTBOOK_STICK || mode == TEXTBOOK_SLIP);
}

static void report(int number, const one_contact *p, const double *r, double distance, int state) {
  print_error("contact %d: kind %d dim %d mu %.17g %.17g state %d distance %g\n W", number,
              (int)p->law.kind, p->law.dim, p->law.mu[0], p->law.mu[1], state, distance);
  for (int k = 0; k < p->law.dim * p->law.dim; k++) print_error(" %.17g", p->W[k]);
  print_error("\n q %.17g %.17g %.17g\n r %.17g %.17g %.17g\n", p->q[0], p->q[1], p->q[2], r[0],
              r[1], p->law.dim == 3 ? r[2] : 0.0);
}

static void every_contact_is_solved(void **unused) {
  stc_random random = stc_random_seed(20240229);
  int wrong = 0, count[4] = {0};
  double worst = 0.0;
  for (int number = 0; number < MILLION; number++) {
    one_contact p = draw_contact(&random);
    double r[3] = {p.start[0], p.start[1], p.start[2]};
    stc_contact_state state = stc_law_solve(&p.law, p.W, p.q, r);
    textbook_mode mode;
    double distance = textbook_contact(p.law.dim, p.law.mu, p.W, p.q, r, &mode);
    count[state]++;
    worst = fmax(worst, distance);
    if (distance <= tolerance && consistent(state, mode)) continue;
    if (wrong++ < 5) report(number, &p, r, distance, (int)state);
  }
  print_message("open %d, stick %d, slip %d; worst distance to the textbook law %.2g\n", count[0],
                count[1], count[2], worst);
  assert_int_equal(wrong, 0);
  for (int state = STC_CONTACT_OPEN; state <= STC_CONTACT_SLIP; state++)
    assert_true(count[state] > MILLION / 20);  // every mode is well represented
}

// Painlevé: W = h h^T, h = (1, kappa, 0), w = (0, tau, 0) with tau > 0, f > 0, q = w - h f. Stick
// needs tau = 0; take-off needs -f >= 0; slip has u_T = tau and needs r_N (1 - mu kappa) = f.
static void no_answer_is_never_accepted(void **unused) {
  stc_random random = stc_random_seed(7);
  for (int number = 0; number < MILLION / 10; number++) {
    int dim = 2 + pick(&random, 2);
    double mu = power(&random, -1.0, 1.0), kappa = uniform(&random, 1.01, 5.0) / mu;
    double f = power(&random, -2.0, 2.0), tau = power(&random, -2.0, 2.0), h[3] = {1.0, kappa, 0.0};
    double W[9], q[3] = {-f, tau - kappa * f, 0.0}, r[3] = {f, -mu * f, 0.0};
    for (int i = 0; i < dim; i++)
      for (int j = 0; j < dim; j++) W[i + dim * j] = h[i] * h[j];
    stc_law law = stc_law_coulomb(dim, mu);
    assert_int_equal(stc_law_solve(&law, W, q, r), STC_CONTACT_VIOLATED);
    for (int k = 0; k < dim; k++) assert_true(isfinite(r[k]));
  }
}

// Two immovable bodies that approach each other: u = q whatever r is.
static void immovable_approach_is_never_accepted(void **unused) {
  const double W[9] = {0.0};
  for (int dim = 2; dim <= 3; dim++) {
    double q[3] = {-1.0, 2.0, 0.0}, r[3] = {1.0, 1.0, 1.0};
    stc_law law = stc_law_coulomb(dim, 0.5);
    assert_int_equal(stc_law_solve(&law, W, q, r), STC_CONTACT_VIOLATED);
    assert_true(isfinite(r[0]) && isfinite(r[1]) && isfinite(r[dim - 1]));
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(every_contact_is_solved),
                                     cmocka_unit_test(no_answer_is_never_accepted),
                                     cmocka_unit_test(immovable_approach_is_never_accepted)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
