// Contacts seen through the bodies, by hand: one contact whose answer is known, many against the
// solvers of the discrete Coulomb problem, penalties against their own law.
#include "contact_support.h"

#include "fem/contact/contact_method.h"

#include "base/random.h"

enum { MOST_CONTACTS = 12, MOST_ROWS = 3 * MOST_CONTACTS };

// A set of contacts with all their rows; arrays are those of the test.
typedef struct hand {
  stc_condensed set;
  int candidate[MOST_CONTACTS], offset[MOST_CONTACTS + 1], row[MOST_ROWS];
  double W[MOST_ROWS * MOST_ROWS], q[MOST_ROWS], r0[MOST_ROWS];
  double mu[MOST_CONTACTS], area[MOST_CONTACTS];
} hand;

static void make_hand(hand *h, int dim, int contacts, double mu) {
  memset(h, 0, sizeof *h);
  for (int k = 0; k < contacts; k++) {
    h->candidate[k] = k;
    h->offset[k + 1] = (k + 1) * dim;
    h->mu[k] = mu;
    h->area[k] = 1;
  }
  for (int i = 0; i < contacts * dim; i++) h->row[i] = i;
  h->set = (stc_condensed){.contacts = contacts,
                           .candidate = h->candidate,
                           .offset = h->offset,
                           .row = h->row,
                           .ld = MOST_ROWS,
                           .W = h->W,
                           .q = h->q,
                           .r0 = h->r0,
                           .mu = h->mu,
                           .area = h->area};
}

static double *entry(hand *h, int i, int j) { return &h->W[i + j * MOST_ROWS]; }

static stc_contact_solver *make_method(const hand *h, stc_contact_method kind, int dim,
                                       double eps) {
  stc_contact_solver *m = NULL;
  double zero[MOST_ROWS] = {0};
  expect_ok(stc_method_create(kind, dim, h->set.contacts, &m));
  m->mu = h->mu;
  m->area = h->area;
  m->exact = 1e-14;
  for (int k = 0; k < h->set.contacts; k++) {
    m->stiffness[k] = 1;
    m->eps0[k] = eps;
    m->limit[k] = 1e-6;
  }
  m->table->begin(m, zero);
  return m;
}

// W = 1: open for q_N >= 0; q = (-1, 0.2), mu = 0.5: sticks with r = -q; q = (-1, 2): slips with
// r = (1, -0.5), v = (0, 1.5).
static void one_contact_in_the_plane(void **state) {
  static const double cases[][6] = {
      // q_N, q_T, r_N, r_T, v_N, v_T
      {0.1, 2, 0, 0, 0.1, 2},
      {-1, 0.2, 1, -0.2, 0, 0},
      {-1, 2, 1, -0.5, 0, 1.5},
      {-1, -2, 1, 0.5, 0, -1.5},
  };
  for (int c = 0; c < 4; c++) {
    hand h;
    double r[2] = {0}, v[2];
    make_hand(&h, 2, 1, 0.5);
    *entry(&h, 0, 0) = *entry(&h, 1, 1) = 1;
    h.q[0] = cases[c][0], h.q[1] = cases[c][1];
    stc_contact_solver *m = make_method(&h, STC_CONTACT_ACTIVE_SET, 2, 1);
    expect_ok(m->table->solve(m, &h.set, r));
    assert_true(m->settled);
    stc_condensed_apply(&h.set, r, v);
    for (int a = 0; a < 2; a++) {
      expect_near(r[a], cases[c][2 + a], 1e-14);
      expect_near(v[a], cases[c][4 + a], 1e-14);
    }
    stc_method_free(&m);
    stc_method_free(&m);  // twice is safe
  }
}

// The same with eps = 9 for both directions: closed r_N = -9 v_N, v = r - |q|, so r_N = 0.9;
// sticking r_T = 0.9 * 0.2; slipping r_T = mu r_N = 0.45.
static void one_contact_with_penalty(void **state) {
  static const double cases[][4] = {{0.1, 2, 0, 0}, {-1, 0.2, 0.9, -0.18}, {-1, 2, 0.9, -0.45}};
  for (int c = 0; c < 3; c++) {
    hand h;
    double r[2] = {0}, v[2] = {0}, error;
    make_hand(&h, 2, 1, 0.5);
    *entry(&h, 0, 0) = *entry(&h, 1, 1) = 1;
    h.q[0] = cases[c][0], h.q[1] = cases[c][1];
    stc_contact_solver *m = make_method(&h, STC_CONTACT_PENALTY, 2, 9);
    v[0] = h.q[0];
    m->table->update(m, v, r, &error);
    r[0] = r[1] = 0;
    expect_ok(m->table->solve(m, &h.set, r));
    assert_true(m->settled);
    expect_near(r[0], cases[c][2], 1e-14);
    expect_near(r[1], cases[c][3], 1e-14);
    stc_method_free(&m);
  }
}

// W = B B^T with random B, pressed and dragged.
static void random_hand(hand *h, int dim, int contacts, double mu, stc_random *random) {
  double B[MOST_ROWS][MOST_ROWS];
  int n = contacts * dim;
  make_hand(h, dim, contacts, mu);
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++) B[i][j] = (i == j) + 0.15 * stc_random_normal(random);
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++)
      for (int k = 0; k < n; k++) *entry(h, i, j) += B[i][k] * B[j][k];
  for (int i = 0; i < n; i++) h->q[i] = (i % dim == 0 ? -0.5 : 0) + stc_random_normal(random);
}

// Independent of each other: the active set and the solvers of the discrete Coulomb problem.
static void active_set_and_solver_agree(void **state) {
  stc_random random = stc_random_seed(6);
  int settled = 0, slips = 0;
  for (int c = 0; c < 60; c++) {
    hand h;
    int dim = 2 + c % 2, n = dim * MOST_CONTACTS;
    double r[MOST_ROWS] = {0}, s[MOST_ROWS] = {0}, eta;
    bool solved;
    random_hand(&h, dim, MOST_CONTACTS, 0.3, &random);
    stc_contact_solver *m = make_method(&h, STC_CONTACT_ACTIVE_SET, dim, 1);
    expect_ok(m->table->solve(m, &h.set, r));
    expect_ok(stc_condensed_coulomb(&h.set, dim, s, &solved));
    assert_true(solved);
    expect_ok(stc_condensed_eta(&h.set, dim, s, &eta));
    assert_true(eta < 1e-8);
    settled += m->settled;
    for (int i = 0; m->settled && i < n; i++) expect_near(r[i], s[i], 1e-6);
    for (int k = 0; k < MOST_CONTACTS; k++)
      slips += r[k * dim] > 0 &&
               hypot(r[k * dim + 1], dim == 3 ? r[k * dim + 2] : 0) > 0.3 * r[k * dim] * (1 - 1e-9);
    stc_method_free(&m);
  }
  assert_true(settled >= 55 && slips > 60);
}

// Algorithms 1 and 2 along a given history of the gap, g_max = 1e-3, first penalty 10:
//   open; enters with the first penalty; g halves in one iteration: twice the penalty; hardly
//   moves: times sqrt(|g| / g_max - 1) + 1; changes its sign: regula falsi, and Eval keeps eps g;
//   back again: Eval is dropped.
static void penalty_adapts_as_printed(void **state) {
  hand h;
  make_hand(&h, 2, 1, 0);
  stc_contact_solver *m = make_method(&h, STC_CONTACT_ADAPTED, 2, 10);
  m->limit[0] = 1e-3;
  const stc_record *s = &m->record[0];
  double r[2] = {0}, error, eps = 10;
  static const double g[] = {-0.5, 0.1, 0.05, 0.0498, -0.02, 0.01};
  for (int i = 0; i < 6; i++) {
    double eval = 0, before = i ? g[i - 1] : 0;
    if (i == 2) eps *= 2;
    if (i == 3) eps *= sqrt(0.0498 / 1e-3 - 1) + 1;
    if (i >= 4) {
      if (i == 4) eval = eps * before;
      eps *= fabs(before / g[i] * (fabs(g[i]) + 1e-3) / (g[i] - before));
    }
    m->table->update(m, (double[]){-g[i], 0}, r, &error);
    expect_near(s->eps_n, eps, 1e-12 * eps);
    expect_near(s->eval, eval, 1e-12 * eps);
    expect_near(r[0], fmax(0, eval + eps * g[i]), 1e-12 * eps);
    assert_true((error <= 1) == (r[0] == 0));  // closed and deeper than 1e-3
  }
  stc_method_free(&m);
}

TEST_PROGRAM(cmocka_unit_test(one_contact_in_the_plane), cmocka_unit_test(one_contact_with_penalty),
             cmocka_unit_test(active_set_and_solver_agree),
             cmocka_unit_test(penalty_adapts_as_printed))
