// Every law of the table, in every dimension it accepts, with coefficients from 0 to 1e3: the same
// list of facts.
#include "unit/expect.h"

#include "base/random.h"

#include <stiction/law.h>

enum { TRIALS = 2000, MAX_LAWS = 400, MAX_BLOCK = STC_MAX_DIM * STC_MAX_DIM };

static stc_law laws[MAX_LAWS];
static int law_count;

static bool has_length(const stc_law *law) {
  return law->kind == STC_LAW_CONTENSOU || law->kind == STC_LAW_ROLLING;
}

// A triangle, a box off its centre, a disc off its centre, a superellipse, intervals.
enum { SECTIONS = 6 };
static stc_cone_section *sections[SECTIONS];

static double off_centre_disc(void *user, double x, double y) {
  (void)user;
  return 0.6 + 0.2 * x - 0.1 * y;
}

static void make_sections(void) {
  const double triangle[] = {0.7, 0, -0.4, 0.5, -0.4, -0.6},
               box[] = {0.9, 0.2, -0.1, 0.2, -0.1, -0.5, 0.9, -0.5};
  stc_superellipse shape = {.a = 0.8, .b = 0.3, .exponent = 3, .angle = 0.4, .centre = {0.1, 0.05}};
  expect_ok(stc_cone_section_polygon(3, triangle, &sections[0]));
  expect_ok(stc_cone_section_polygon(4, box, &sections[1]));
  expect_ok(stc_cone_section_support(off_centre_disc, NULL, &sections[2]));
  expect_ok(stc_cone_section_superellipse(&shape, &sections[3]));
  expect_ok(stc_cone_section_interval(0.3, 0.8, &sections[4]));
  expect_ok(stc_cone_section_interval(0.1, 0.5, &sections[5]));
}

static void add_checked(stc_law law) {
  if (law.dilatancy > 0.0 && fmax(law.mu[0], law.mu[1]) > 5.0) return;
  assert_true(law_count < MAX_LAWS);
  if (stc_law_check(&law) == STC_OK) laws[law_count++] = law;
}

static void add_section_laws(stc_law law) {
  if (law.mu[0] > 0.0 && law.mu[0] < 0.01) return;  // the facts below want friction to be felt
  for (int k = 0; k < SECTIONS; k++) {
    law.section = sections[k];
    add_checked(law);
  }
}

static void add_law(stc_law law) {
  if (law.kind == STC_LAW_SECTION) {
    add_section_laws(law);
    return;
  }
  const double lengths[] = {0.0, 1e-2, 1.0, 1.7, 20.0};
  for (size_t k = 0; k < sizeof lengths / sizeof *lengths; k++) {
    if (law.kind == STC_LAW_CONTENSOU) law.radius = lengths[k];
    if (law.kind == STC_LAW_ROLLING) law.length = lengths[k];
    add_checked(law);
    if (!has_length(&law)) return;
  }
}

// All combinations of kind, dimension, coefficients and lengths that the law itself accepts.
static int collect(void **unused) {
  const double mu[][2] = {{0.0, 0.0}, {0.3, 0.3}, {1.0, 1.0},  {10.0, 10.0}, {0.3, 0.8},
                          {0.0, 0.5}, {0.7, 0.0}, {1e-3, 1e3}, {2.0, 1.999}};
  const double dilatancy[] = {0.0, 0.4, 1.0};
  make_sections();
  for (int part = 0; part < 3; part++)
    for (int kind = 0; stc_law_name(kind) != NULL; kind++)
      for (int dim = 2; dim <= STC_MAX_DIM; dim++)
        for (size_t k = 0; k < sizeof mu / sizeof *mu; k++) {
          stc_law law = {.kind = (stc_law_kind)kind, .dim = dim, .mu = {mu[k][0], mu[k][1]}};
          law.dilatancy = dilatancy[part];
          if (dim == 2) law.mu[1] = law.mu[0];
          add_law(law);
        }
  return 0;
}

static int release(void **unused) {
  (void)unused;
  for (int k = 0; k < SECTIONS; k++) stc_cone_section_free(&sections[k]);
  return 0;
}

// Bounds of the components of r_T / r_N, one by one.
static double bound(const stc_law *law, int k) {
  if (law->kind == STC_LAW_SECTION) return law->mu[0];  // sections here lie in a disc of radius 1
  bool rotational = law->kind == STC_LAW_CONTENSOU ? k == 3 : k > (law->dim - 1) / 2;
  if (!has_length(law)) return law->mu[k - 1];
  if (!rotational) return law->mu[0];
  return law->kind == STC_LAW_ROLLING ? law->length : law->mu[0] * law->radius;
}

// Of a projection, relative to what is projected. Arcs of sections have radii up to 100 times their
// size; what a section multiplied by mu > 1 lets through is steeper.
static double rounding_of(const stc_law *law) {
  return law->kind == STC_LAW_SECTION ? 2e-14 * fmax(1.0, law->mu[0]) : 1e-15;
}

static double dot(int dim, const double *x, const double *y) {
  double sum = 0.0;
  for (int k = 0; k < dim; k++) sum += x[k] * y[k];
  return sum;
}

static double norm(int dim, const double *x) { return sqrt(dot(dim, x, x)); }

// max { -r_T . u_T : (1, r_T) in K }: s(u) without dilatancy.
static double support_of(const stc_law *law, const double *u) {
  stc_law plain = *law;
  plain.dilatancy = 0.0;
  return stc_law_shift(&plain, u);
}

// Numbers of very different sizes, some of them zero.
static void draw_vector(stc_random *random, int dim, double *x) {
  for (int k = 0; k < dim; k++) {
    double size = pow(10.0, 3.0 * stc_random_uniform(random) - 1.5);
    x[k] = stc_random_uniform(random) < 0.1 ? 0.0 : size * stc_random_normal(random);
  }
}

static void each_law(void (*fact)(const stc_law *law, stc_random *random)) {
  const char *only = getenv("STICTION_ONLY");
  for (int k = 0; k < law_count; k++) {
    if (only && strcmp(only, stc_law_name((int)laws[k].kind))) continue;
    stc_random random = stc_random_seed((uint64_t)k + 1);
    fact(&laws[k], &random);
  }
}

static void every_kind_is_covered(void **unused) {
  for (int kind = 0; stc_law_name(kind) != NULL; kind++) {
    int count = 0;
    for (int k = 0; k < law_count; k++) count += (int)laws[k].kind == kind;
    assert_true(count > 0);
    assert_true(stc_law_summary(kind)[0] != '\0');
  }
}

// K = { |D^-1 r_T| <= r_N }, with r_T = 0 where mu = 0.
static double outside_ellipsoid(const stc_law *law, int first, int end, const double *y) {
  double used = 0.0, forbidden = 0.0;
  for (int k = first; k < end; k++) {
    if (bound(law, k) > 0.0)
      used = hypot(used, y[k] / bound(law, k));
    else
      forbidden = fmax(forbidden, fabs(y[k]));
  }
  return fmax(forbidden, used - y[0]);
}

// The planes F sin a + M cos a = D(sin a, cos a) that hold C, one per degree, over the size of D.
static double outside_contensou(const stc_law *law, const double *y) {
  if (law->mu[0] == 0.0 || law->radius == 0.0)
    return fmax(outside_ellipsoid(law, 1, 3, y), fabs(y[3]));
  double F = hypot(y[1], y[2]) / law->mu[0], M = fabs(y[3]) / bound(law, 3), worst = 0.0;
  for (int degree = 0; degree <= 90; degree++) {
    double a = degree * acos(-1.0) / 180.0, D = stc_contensou_potential(sin(a), cos(a));
    worst = fmax(worst, (F * sin(a) + M * cos(a)) / D - y[0]);
  }
  return worst;
}

// K = { y : y.(u + s(u) e_N) >= 0 for every u with u_N = 0 }, for a law the test knows nothing of.
static double outside_dual(const stc_law *law, const double *y) {
  double worst = -y[0];
  for (int k = 0; k < 4 * 90; k++) {
    double u[STC_MAX_DIM] = {0.0}, angle = k * acos(-1.0) / 180.0;
    u[1] = cos(angle), u[law->dim > 2 ? 2 : 1] += law->dim > 2 ? sin(angle) : 0.0;
    worst = fmax(worst, -dot(law->dim - 1, y + 1, u + 1) - y[0] * support_of(law, u));
  }
  return worst;
}

static double outside_cone(const stc_law *law, const double *y) {
  if (law->kind > STC_LAW_ROLLING) return outside_dual(law, y);
  if (law->kind == STC_LAW_CONTENSOU) return outside_contensou(law, y);
  int half = 1 + (law->dim - 1) / 2;
  if (law->kind != STC_LAW_ROLLING) return outside_ellipsoid(law, 1, law->dim, y);
  return fmax(outside_ellipsoid(law, 1, half, y), outside_ellipsoid(law, half, law->dim, y));
}

static void lands_in_the_cone(const stc_law *law, stc_random *random) {
  for (int trial = 0; trial < TRIALS; trial++) {
    double x[STC_MAX_DIM], y[STC_MAX_DIM];
    draw_vector(random, law->dim, x);
    stc_law_project(law, x, y);
    assert_true(y[0] >= 0.0);
    assert_true(outside_cone(law, y) <= rounding_of(law) * 4.0 * y[0]);
  }
}

static void is_idempotent(const stc_law *law, stc_random *random) {
  for (int trial = 0; trial < TRIALS; trial++) {
    double x[STC_MAX_DIM], y[STC_MAX_DIM], z[STC_MAX_DIM];
    draw_vector(random, law->dim, x);
    stc_law_project(law, x, y);
    stc_law_project(law, y, z);
    for (int k = 0; k < law->dim; k++)
      expect_near(z[k], y[k], 4.0 * rounding_of(law) * norm(law->dim, y));
  }
}

static void is_non_expansive(const stc_law *law, stc_random *random) {
  for (int trial = 0; trial < TRIALS; trial++) {
    double x[2][STC_MAX_DIM], y[2][STC_MAX_DIM], before[STC_MAX_DIM], after[STC_MAX_DIM];
    for (int side = 0; side < 2; side++) {
      draw_vector(random, law->dim, x[side]);
      stc_law_project(law, x[side], y[side]);
    }
    for (int k = 0; k < law->dim; k++) {
      before[k] = x[0][k] - x[1][k];
      after[k] = y[0][k] - y[1][k];
    }
    double rounding = rounding_of(law) * (norm(law->dim, x[0]) + norm(law->dim, x[1]));
    assert_true(norm(law->dim, after) <= norm(law->dim, before) + 4.0 * rounding);
  }
}

// x = y - z with y = P_K(x), z = P_K*(-x): z is in K* = { u_N >= s(u_T) } and orthogonal to y.
static void obeys_moreau(const stc_law *law, stc_random *random) {
  for (int trial = 0; trial < TRIALS; trial++) {
    double x[STC_MAX_DIM], y[STC_MAX_DIM], z[STC_MAX_DIM];
    draw_vector(random, law->dim, x);
    stc_law_project(law, x, y);
    for (int k = 0; k < law->dim; k++) z[k] = y[k] - x[k];
    double size = norm(law->dim, x), steep = 1.0;
    for (int k = 1; k < law->dim; k++) steep = fmax(steep, bound(law, k));
    assert_true(z[0] >= support_of(law, z) - rounding_of(law) * 8.0 * steep * size);
    expect_near(dot(law->dim, y, z), 0.0, rounding_of(law) * 8.0 * size * size);
  }
}

static void works_in_place(const stc_law *law, stc_random *random) {
  for (int trial = 0; trial < 100; trial++) {
    double x[STC_MAX_DIM], y[STC_MAX_DIM];
    draw_vector(random, law->dim, x);
    stc_law_project(law, x, y);
    stc_law_project(law, x, x);
    assert_memory_equal(x, y, (size_t)law->dim * sizeof *x);
  }
}

// No finite input gives NaN or infinity.
static void stays_finite(const stc_law *law, stc_random *random) {
  for (int trial = 0; trial < TRIALS; trial++) {
    double x[STC_MAX_DIM], size = pow(10.0, 600.0 * stc_random_uniform(random) - 300.0);
    draw_vector(random, law->dim, x);
    for (int k = 0; k < law->dim; k++) x[k] *= size;
    stc_law_project(law, x, x);
    for (int k = 0; k < law->dim; k++) assert_true(isfinite(x[k]));
  }
}

// s(u) = (1 - dilatancy) max { -r_T . u_T : (1, r_T) in K }: an upper bound, attained at r_T of the
// slip triple.
static void shift_is_the_support_function(const stc_law *law, stc_random *random) {
  for (int trial = 0; trial < TRIALS; trial++) {
    double x[STC_MAX_DIM], u[STC_MAX_DIM];
    draw_vector(random, law->dim, x);
    draw_vector(random, law->dim, u);
    stc_law_project(law, x, x);
    double shift = support_of(law, u), along = -dot(law->dim - 1, x + 1, u + 1);
    double terms = 0.0;
    expect_near(stc_law_shift(law, u), (1.0 - law->dilatancy) * shift, 1e-15 * shift);
    for (int k = 1; k < law->dim; k++) terms += fabs(x[k] * u[k]);
    assert_true(along <= x[0] * shift + 10.0 * rounding_of(law) * terms);
  }
}

typedef struct triple {
  double r[STC_MAX_DIM], u[STC_MAX_DIM];
} triple;

// Directions among the components with friction; 0.6 and 0.8 where there are two in a pair.
static bool slip_direction(const stc_law *law, double *t) {
  int half = law->kind == STC_LAW_ROLLING ? (law->dim - 1) / 2 : 2;
  bool some = false;
  for (int k = 1; k < law->dim; k++) {
    int other = k + ((k - 1) % 2 == 0 ? 1 : -1);
    bool pair = half == 2 && other < law->dim && bound(law, other) > 0.0;
    t[k] = bound(law, k) == 0.0 ? 0.0 : !pair ? 1.0 : k % 2 == 1 ? 0.6 : 0.8;
    some = some || bound(law, k) > 0.0;
  }
  return some;
}

// u_T = 3 (0.6, 0.8), u_S = 2 / radius: k = 3/2. A point (radius 0) has F = 1, M = 0.
static triple contensou_triple(const stc_law *law, double use) {
  bool point = law->radius == 0.0;
  triple p = {.r = {2.0}, .u = {0.0, 7.0, 7.0, 7.0}};
  double F, M, t[STC_MAX_DIM];
  if (!slip_direction(law, t)) return p;
  stc_contensou(point ? INFINITY : 1.5, &F, &M);
  for (int k = 1; k <= 2; k++) {
    p.r[k] = -2.0 * use * law->mu[0] * F * t[k];
    p.u[k] = 3.0 * t[k];
  }
  p.r[3] = -2.0 * use * law->mu[0] * law->radius * M;
  if (!point) p.u[3] = 2.0 / law->radius;
  return p;
}

// u_T = 5 t; r_T is the point of the section that opposes it.
static triple section_triple(const stc_law *law, double use) {
  triple p = {.r = {2.0}, .u = {0.0, 7.0, 7.0}};
  double t[STC_MAX_DIM], point[2];
  if (!slip_direction(law, t)) return p;
  for (int k = 1; k < law->dim; k++) p.u[k] = 5.0 * t[k];
  stc_cone_section_reach(law->section, (double[]){-t[1], law->dim == 3 ? -t[2] : 0.0}, point);
  for (int k = 1; k < law->dim; k++) p.r[k] = 2.0 * use * law->mu[0] * point[k - 1];
  return p;
}

// r_T = -r_N D t opposes u_T = 5 D^-1 t; `use` < 1 is inside the cone, < 0 pushes along the motion.
static triple tangential_triple(const stc_law *law, double use) {
  if (law->kind == STC_LAW_CONTENSOU) return contensou_triple(law, use);
  if (law->kind == STC_LAW_SECTION) return section_triple(law, use);
  triple p = {.r = {2.0}};
  double t[STC_MAX_DIM];
  slip_direction(law, t);
  for (int k = 1; k < law->dim; k++) {
    double D = bound(law, k);
    p.r[k] = -2.0 * use * D * t[k];
    p.u[k] = D > 0.0 ? 5.0 * t[k] / D : 7.0;
  }
  return p;
}

// The same, parting as it slips.
static triple slip_triple(const stc_law *law, double use) {
  triple p = tangential_triple(law, use);
  p.u[0] = law->dilatancy * support_of(law, p.u);
  return p;
}

static triple stick_triple(const stc_law *law, double use) {
  triple p = slip_triple(law, use);
  memset(p.u, 0, sizeof p.u);
  return p;
}

// Lifts off faster than the law parts by itself.
static triple lift_triple(const stc_law *law, double u_N) {
  triple p = {.u = {u_N, 2.0, -3.0, 1.0, -0.5}};
  p.u[0] += law->dilatancy * support_of(law, p.u);
  return p;
}

static double residual(const stc_law *law, const triple *p) {
  double F[STC_MAX_DIM], worst = 0.0;
  for (double kappa = 0.25; kappa <= 4.0; kappa *= 4.0) {
    stc_law_residual(law, kappa, p->r, p->u, F);
    worst = fmax(worst, norm(law->dim, F));
  }
  return worst;
}

static double alart_curnier(const stc_law *law, const triple *p) {
  double F[STC_MAX_DIM], A[MAX_BLOCK], B[MAX_BLOCK], worst = 0.0;
  for (double rho = 0.25; rho <= 4.0; rho *= 4.0) {
    stc_law_jacobian(law, rho, 2.0 * rho, p->r, p->u, F, A, B);
    worst = fmax(worst, norm(law->dim, F));
  }
  return worst;
}

// Rounding is relative to the size of r - u / kappa.
static void expect_obeys(const stc_law *law, triple p, stc_contact_state state) {
  double size = norm(law->dim, p.r) + 4.0 * norm(law->dim, p.u) + 4.0 * stc_law_shift(law, p.u);
  expect_near(residual(law, &p), 0.0, 2e-15 * size);
  expect_near(alart_curnier(law, &p), 0.0, 4e-15 * size);
  assert_int_equal(stc_law_classify(law, 1.0, 1e-12 * size, p.u, p.r), state);
}

static void expect_breaks(const stc_law *law, triple p) {
  assert_true(residual(law, &p) > 1e-4);
  assert_true(alart_curnier(law, &p) > 1e-4);
  assert_int_equal(stc_law_classify(law, 1.0, 1e-6, p.u, p.r), STC_CONTACT_VIOLATED);
}

static void accepts_what_obeys(const stc_law *law, stc_random *random) {
  double t[STC_MAX_DIM];
  expect_obeys(law, lift_triple(law, 1.0), STC_CONTACT_OPEN);
  expect_obeys(law, lift_triple(law, 0.0), STC_CONTACT_OPEN);
  expect_obeys(law, stick_triple(law, 0.0), STC_CONTACT_STICK);
  expect_obeys(law, stick_triple(law, 0.5), STC_CONTACT_STICK);
  expect_obeys(law, stick_triple(law, 1.0), STC_CONTACT_STICK);
  expect_obeys(law, slip_triple(law, 1.0), STC_CONTACT_SLIP);
  triple slip = slip_triple(law, 1.0);
  double power = -dot(law->dim - 1, slip.r + 1, slip.u + 1) / slip.r[0];  // what friction takes
  if (slip_direction(law, t)) assert_true(power > 1e-3);
  if (slip_direction(law, t)) expect_near(support_of(law, slip.u), power, 1e-14 * power);
}

static void refuses_what_does_not(const stc_law *law, stc_random *random) {
  double t[STC_MAX_DIM];
  triple pull = {.r = {-1.0}}, sink = lift_triple(law, -1.0), glue = slip_triple(law, 1.0);
  glue.u[0] += 1.0;
  expect_breaks(law, pull);
  expect_breaks(law, sink);
  expect_breaks(law, glue);
  if (!slip_direction(law, t)) return;
  expect_breaks(law, stick_triple(law, 1.5));
  expect_breaks(law, slip_triple(law, 0.5));
  expect_breaks(law, slip_triple(law, -1.0));
  expect_breaks(law, slip_triple(law, 1.5));
}

// The Alart–Curnier function at x = (r, u) and J = (A, B), by columns.
typedef struct evaluation {
  stc_contact_state state;
  double F[STC_MAX_DIM], J[2 * MAX_BLOCK];
} evaluation;

static evaluation evaluate(const stc_law *law, const double *x) {
  int dim = law->dim;
  evaluation e = {.state = STC_CONTACT_VIOLATED};
  e.state = stc_law_jacobian(law, 0.5, 0.25, x, x + dim, e.F, e.J, e.J + dim * dim);
  return e;
}

// No kink between two points: the same state, and no part of a section that ends.
static bool smooth(int dim, double bend, const evaluation *a, const evaluation *b) {
  double most = 0.0;
  for (int i = 0; i < 2 * dim * dim; i++) most = fmax(most, fabs(a->J[i] - b->J[i]));
  return a->state == b->state && most < bend;
}

// A = dF/dr and B = dF/du by central differences.
static void has_its_jacobian(const stc_law *law, stc_random *random) {
  const double h = 1e-6, most = 1e-6;
  const double bend = law->dilatancy > 0.0 ? most : 1e-3;  // |u_T| bends near 0
  int dim = law->dim, compared = 0;
  for (int trial = 0; trial < TRIALS / 4; trial++) {
    double x[2 * STC_MAX_DIM] = {0.0};
    for (int k = 0; k < 2 * dim; k++) x[k] = stc_random_normal(random);
    x[0] = fabs(x[0]) + 1.0;
    evaluation here = evaluate(law, x);
    for (int j = 0; j < 2 * dim; j++) {
      double keep = x[j];
      x[j] = keep + h;
      evaluation up = evaluate(law, x);
      x[j] = keep - h;
      evaluation down = evaluate(law, x);
      x[j] = keep;
      if (!smooth(dim, bend, &here, &up) || !smooth(dim, bend, &here, &down)) continue;
      for (int i = 0; i < dim; i++)
        expect_near((up.F[i] - down.F[i]) / (2.0 * h), here.J[i + dim * j], most);
      compared++;
    }
  }
  assert_true(compared > TRIALS / 4 * dim);
}

// W = G G^T + I / 10 is positive definite, so an answer exists for every q.
static void solves_one_contact(const stc_law *law, stc_random *random) {
  int dim = law->dim, seen[4] = {0};
  for (int trial = 0; trial < TRIALS; trial++) {
    double G[MAX_BLOCK], W[MAX_BLOCK], q[STC_MAX_DIM], u[STC_MAX_DIM], F[STC_MAX_DIM];
    double r[STC_MAX_DIM] = {0.0}, kappa = 0.0;
    for (int k = 0; k < dim * dim; k++) G[k] = stc_random_normal(random);
    for (int k = 0; k < dim; k++) q[k] = stc_random_normal(random);
    for (int i = 0; i < dim * dim; i++) {
      W[i] = i % (dim + 1) == 0 ? 0.1 : 0.0;
      for (int k = 0; k < dim; k++) W[i] += G[i % dim + dim * k] * G[i / dim + dim * k];
    }
    stc_contact_state state = stc_law_solve(law, W, q, r);
    for (int i = 0; i < dim; i++) {
      u[i] = q[i];
      for (int j = 0; j < dim; j++) u[i] += W[i + dim * j] * r[j];
      kappa += W[i + dim * i] / dim;
    }
    stc_law_residual(law, kappa, r, u, F);
    double size = norm(dim, q) + norm(dim, u) + stc_law_shift(law, u) + kappa * norm(dim, r);
    double spread = fmax(1.0, fmax(law->radius, law->length));  // of the rows of W and r
    assert_true(kappa * norm(dim, F) <= 1e-13 * spread * size);
    seen[state]++;
  }
  assert_int_equal(seen[STC_CONTACT_VIOLATED], 0);
  assert_true(seen[STC_CONTACT_OPEN] > TRIALS / (law->dilatancy > 0.0 ? 50 : 10));
  assert_true(seen[STC_CONTACT_STICK] + seen[STC_CONTACT_SLIP] > TRIALS / 10);
}

#define FACT(name)                                                                                 \
  static void test_##name(void **unused) {                                                         \
    (void)unused;                                                                                  \
    each_law(name);                                                                                \
  }
FACT(lands_in_the_cone)
FACT(is_idempotent)
FACT(is_non_expansive)
FACT(obeys_moreau)
FACT(works_in_place)
FACT(stays_finite)
FACT(shift_is_the_support_function)
FACT(accepts_what_obeys)
FACT(refuses_what_does_not)
FACT(has_its_jacobian)
FACT(solves_one_contact)

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(every_kind_is_covered),
      cmocka_unit_test(test_lands_in_the_cone),
      cmocka_unit_test(test_is_idempotent),
      cmocka_unit_test(test_is_non_expansive),
      cmocka_unit_test(test_obeys_moreau),
      cmocka_unit_test(test_works_in_place),
      cmocka_unit_test(test_stays_finite),
      cmocka_unit_test(test_shift_is_the_support_function),
      cmocka_unit_test(test_accepts_what_obeys),
      cmocka_unit_test(test_refuses_what_does_not),
      cmocka_unit_test(test_has_its_jacobian),
      cmocka_unit_test(test_solves_one_contact),
  };
  return cmocka_run_group_tests(tests, collect, release);
}
