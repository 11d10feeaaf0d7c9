// Sections of cones: nearest points against all edges, round ones against disc and ellipse, one
// contact against the textbook (cone, complementarity, greatest dissipation over the corners).
#include "unit/expect.h"

#include "base/random.h"
#include "law/law_ops.h"
#include "law/section/convex_curve.h"

enum { MOST = 64 };

typedef struct polygon {
  int n;
  double v[2 * MOST];
} polygon;

// Corners on a stretched circle around a point, so that the polygon is convex and holds 0.
static polygon draw_polygon(stc_random *random) {
  polygon p = {.n = 3 + (int)(10 * stc_random_uniform(random))};
  double a = 0.1 + stc_random_uniform(random), b = 0.1 + stc_random_uniform(random);
  double shift = 0.4 * stc_random_uniform(random), start = 6.28 * stc_random_uniform(random);
  for (int k = 0; k < p.n; k++) {
    double angle = start + 2 * acos(-1.0) * (k + 0.3 * stc_random_uniform(random)) / p.n;
    p.v[2 * k] = a * (cos(angle) + shift * cos(start));
    p.v[2 * k + 1] = b * (sin(angle) + shift * sin(start));
  }
  return p;
}

static stc_cone_section *section_of(const polygon *p) {
  stc_cone_section *s = NULL;
  return stc_cone_section_polygon(p->n, p->v, &s) ? NULL : s;
}

static double distance_to_polygon(const polygon *p, double R, const double *x, bool *inside) {
  double best = INFINITY;
  *inside = true;
  for (int k = 0; k < p->n; k++) {
    const double *a = p->v + 2 * k, *b = p->v + 2 * ((k + 1) % p->n);
    double ex = R * (b[0] - a[0]), ey = R * (b[1] - a[1]), dx = x[0] - R * a[0],
           dy = x[1] - R * a[1];
    double t = fmin(1, fmax(0, (ex * dx + ey * dy) / (ex * ex + ey * ey)));
    *inside = *inside && ex * dy - ey * dx >= 0;
    best = fmin(best, hypot(dx - t * ex, dy - t * ey));
  }
  return *inside ? 0 : best;
}

static void nearest_points_of_polygons(void **unused) {
  stc_random random = stc_random_seed(1);
  (void)unused;
  for (int trial = 0; trial < 2000; trial++) {
    polygon p = draw_polygon(&random);
    stc_cone_section *s = section_of(&p);
    if (!s) continue;
    for (int k = 0; k < 20; k++) {
      double R = 0.1 + stc_random_uniform(&random),
             far = pow(10, 3 * stc_random_uniform(&random) - 2);
      double x[2] = {far * stc_random_normal(&random), far * stc_random_normal(&random)};
      bool inside;
      double distance = distance_to_polygon(&p, R, x, &inside);
      stc_curve_point near = stc_curve_nearest(s, R, x);
      assert_int_equal(near.inside, inside);
      if (inside) continue;
      expect_near(near.distance, distance, 1e-14 * (1 + far));
      expect_near(hypot(x[0] - near.y[0], x[1] - near.y[1]), distance, 1e-14 * (1 + far));
    }
    stc_cone_section_free(&s);
  }
}

// 24 points of a circle are joined by the circle itself.
static void a_circle_is_coulombs_disc(void **unused) {
  double point[48], x[3], y[3], z[3];
  stc_cone_section *s = NULL;
  stc_random random = stc_random_seed(2);
  (void)unused;
  for (int k = 0; k < 24; k++)
    point[2 * k] = 0.4 * cos(k * acos(-1.0) / 12),
              point[2 * k + 1] = 0.4 * sin(k * acos(-1.0) / 12);
  expect_ok(stc_cone_section_curve(24, point, &s));
  stc_law law = stc_law_section(s), disc = stc_law_coulomb(3, 0.4);
  for (int trial = 0; trial < 5000; trial++) {
    for (int k = 0; k < 3; k++) x[k] = stc_random_normal(&random);
    stc_law_project(&law, x, y);
    stc_law_project(&disc, x, z);
    for (int k = 0; k < 3; k++) expect_near(y[k], z[k], 1e-14 * (1 + fabs(z[k])));
    expect_near(stc_law_shift(&law, x), stc_law_shift(&disc, x), 1e-14);
  }
  stc_cone_section_free(&s);
}

// Coordinates of a superellipse obey its equation; exponent 2 is the elliptic law.
static void superellipses(void **unused) {
  const double exponents[] = {1.1, 1.5, 2, 3, 4, 10};
  (void)unused;
  for (int e = 0; e < 6; e++) {
    stc_superellipse shape = {.a = 0.5, .b = 0.2, .exponent = exponents[e]};
    stc_cone_section *s = NULL;
    expect_ok(stc_cone_section_superellipse(&shape, &s));
    for (int k = 0; k < 1000; k++) {
      double angle = k * 0.0062831853, p[2], q = shape.exponent / (shape.exponent - 1);
      double h = stc_cone_section_reach(s, (double[]){cos(angle), sin(angle)}, p);
      double exact =
          pow(pow(fabs(shape.a * cos(angle)), q) + pow(fabs(shape.b * sin(angle)), q), 1 / q);
      expect_near(h, exact, 1e-6 * shape.a);
    }
    stc_cone_section_free(&s);
  }
  stc_superellipse shape = {.a = 0.5, .b = 0.2, .exponent = 2};
  stc_cone_section *s = NULL;
  expect_ok(stc_cone_section_superellipse(&shape, &s));
  stc_law law = stc_law_section(s), ellipse = stc_law_elliptic(0.5, 0.2);
  stc_random random = stc_random_seed(3);
  for (int trial = 0; trial < 2000; trial++) {
    double x[3], y[3], z[3];
    for (int k = 0; k < 3; k++) x[k] = stc_random_normal(&random);
    stc_law_project(&law, x, y);
    stc_law_project(&ellipse, x, z);
    for (int k = 0; k < 3; k++) expect_near(y[k], z[k], 1e-6);
  }
  stc_cone_section_free(&s);
}

static double support_of_triangle(void *user, double x, double y) {
  const double *v = user;
  return fmax(v[0] * x + v[1] * y, fmax(v[2] * x + v[3] * y, v[4] * x + v[5] * y));
}

static double support_of_disc(void *user, double x, double y) {
  return 0.3 + 0.1 * x + 0.0 * y * *(double *)user;
}

static double support_with_a_dent(void *user, double x, double y) {
  (void)user;
  double angle = atan2(y, x);
  return 1 + 0.3 * cos(3 * angle);
}

// A disc of radius 0.3 around (0.1, 0); a triangle; 1 + 0.3 cos 3 phi has h + h'' = 1 - 2.4 cos.
static void support_functions(void **unused) {
  double triangle[6] = {0.6, 0, -0.2, 0.3, -0.2, -0.3}, zero = 0, p[2];
  stc_cone_section *s = NULL;
  (void)unused;
  expect_ok(stc_cone_section_support(support_of_disc, &zero, &s));
  for (int k = 0; k < 100; k++) {
    double d[2] = {cos(0.1 * k), sin(0.1 * k)};
    expect_near(stc_cone_section_reach(s, d, p), 0.3 + 0.1 * d[0], 1e-10);
    expect_near(p[0], 0.1 + 0.3 * d[0], 1e-8);
  }
  stc_cone_section_free(&s);
  expect_ok(stc_cone_section_support(support_of_triangle, triangle, &s));
  for (int k = 0; k < 100; k++) {
    double d[2] = {cos(0.1 * k), sin(0.1 * k)};
    expect_near(stc_cone_section_reach(s, d, p), support_of_triangle(triangle, d[0], d[1]), 1e-5);
  }
  stc_cone_section_free(&s);
  expect_failure(stc_cone_section_support(support_with_a_dent, NULL, &s), STC_ERR_VALUE, "convex");
  assert_null(s);
}

static void what_is_no_section_is_refused(void **unused) {
  double dart[8] = {1, 0, -1, 1, -0.2, 0, -1, -1}, away[6] = {1, 0, 2, 0, 1, 1};
  double line[6] = {1, 0, -1, 0, 2, 0}, endless[6] = {1, 0, INFINITY, 1, -1, -1};
  double star[10];
  stc_cone_section *s = NULL;
  (void)unused;
  for (int k = 0; k < 5; k++)
    star[2 * k] = cos(k * 2.5132741), star[2 * k + 1] = sin(k * 2.5132741);
  expect_failure(stc_cone_section_polygon(4, dart, &s), STC_ERR_VALUE, "not convex");
  expect_failure(stc_cone_section_polygon(5, star, &s), STC_ERR_VALUE, "not convex");
  expect_failure(stc_cone_section_polygon(3, away, &s), STC_ERR_VALUE, "0 lies outside");
  expect_failure(stc_cone_section_polygon(3, line, &s), STC_ERR_VALUE, "no area");
  expect_failure(stc_cone_section_polygon(3, endless, &s), STC_ERR_VALUE, "bounded");
  expect_failure(stc_cone_section_polygon(2, line, &s), STC_ERR_ARGUMENT, "2 corners");
  expect_failure(stc_cone_section_interval(-1, 1, &s), STC_ERR_VALUE, "back");
  assert_null(s);
  stc_law law = {.kind = STC_LAW_SECTION, .dim = 3, .mu = {1, 1}};
  expect_failure(stc_law_check(&law), STC_ERR_ARGUMENT, "without a section");
}

// The textbook: r_T in r_N S, u_N >= 0, r_N u_N = 0, and no r_T of the section takes more power.
static double textbook_error(const polygon *p, const double *r, const double *u) {
  double worst = fmax(-r[0], -u[0]), most = -INFINITY;
  for (int k = 0; k < p->n; k++) {
    const double *a = p->v + 2 * k, *b = p->v + 2 * ((k + 1) % p->n);
    double nx = b[1] - a[1], ny = a[0] - b[0], length = hypot(nx, ny);
    worst = fmax(worst, (nx * (r[1] - r[0] * a[0]) + ny * (r[2] - r[0] * a[1])) / length);
    most = fmax(most, -(a[0] * u[1] + a[1] * u[2]));
  }
  worst = fmax(worst, fabs(r[0] * u[0]));
  return fmax(worst, fabs(u[1] * r[1] + u[2] * r[2] + r[0] * most));
}

static void random_contact(stc_random *random, double *W, double *q) {
  double G[9];
  for (int k = 0; k < 9; k++) G[k] = stc_random_normal(random);
  for (int i = 0; i < 9; i++) {
    W[i] = i % 4 == 0 ? 0.02 : 0;
    for (int k = 0; k < 3; k++) W[i] += G[i % 3 + 3 * k] * G[i / 3 + 3 * k];
  }
  for (int k = 0; k < 3; k++) q[k] = stc_random_normal(random);
}

static void one_contact_by_the_textbook(void **unused) {
  stc_random random = stc_random_seed(4);
  int states[4] = {0};
  (void)unused;
  for (int trial = 0; trial < 2000; trial++) {
    polygon p = draw_polygon(&random);
    stc_cone_section *s = section_of(&p);
    if (!s) continue;
    stc_law law = stc_law_section(s);
    for (int k = 0; k < 50; k++) {
      double W[9], q[3], u[3], r[3] = {0};
      random_contact(&random, W, q);
      stc_contact_state state = stc_law_solve(&law, W, q, r);
      for (int i = 0; i < 3; i++) u[i] = q[i] + W[i] * r[0] + W[i + 3] * r[1] + W[i + 6] * r[2];
      double size = 1 + fabs(r[0]) + fabs(u[1]) + fabs(u[2]);
      expect_near(textbook_error(&p, r, u), 0, 1e-12 * size * size);
      states[state]++;
    }
    stc_cone_section_free(&s);
  }
  assert_int_equal(states[STC_CONTACT_VIOLATED], 0);
  for (int k = 0; k < 3; k++) assert_true(states[k] > 1000);
}

TEST_PROGRAM(cmocka_unit_test(nearest_points_of_polygons),
             cmocka_unit_test(a_circle_is_coulombs_disc), cmocka_unit_test(superellipses),
             cmocka_unit_test(support_functions), cmocka_unit_test(what_is_no_section_is_refused),
             cmocka_unit_test(one_contact_by_the_textbook))
