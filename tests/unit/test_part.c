// Parts of a reduced problem: they move as in the whole, whether it is made of bodies or of W, and
// what is right of all parts is right of the whole.
#include "gallery.h"
#include "glue.h"
#include "samples.h"

#include "base/random.h"
#include "problem/reduced.h"

static double *array(int n) { return calloc((size_t)n + 1, sizeof(double)); }

static void shake(stc_random *random, double *x, int n) {
  for (int k = 0; k < n; k++) x[k] = 2 * stc_random_uniform(random) - 1;
}

typedef struct piece {
  stc_reduced *problem;
  int *contact;
} piece;

/// The parts that hold the components with number = k modulo `count`.
static void cut(const stc_reduced *whole, piece *parts, int count, int *component) {
  int places = whole->contacts > whole->bodies.count ? whole->contacts : whole->bodies.count;
  int *place = calloc((size_t)places, sizeof *place);
  for (int k = 0; k < places; k++) place[k] = -1;
  for (int k = 0; k < count; k++) {
    int n = 0;
    parts[k].contact = calloc((size_t)whole->contacts, sizeof(int));
    for (int c = 0; c < whole->contacts; c++)
      if (component[c] % count == k) parts[k].contact[n++] = c;
    assert_int_equal(stc_reduced_cut(whole, parts[k].contact, n, place, &parts[k].problem), STC_OK);
    stc_reduced_follow(parts[k].problem, whole, parts[k].contact, stc_reduced_magnitude(whole));
    for (int b = 0; b < places; b++) assert_int_equal(place[b], -1);
  }
  free(place);
}

static void drop(piece *parts, int count) {
  for (int k = 0; k < count; k++) {
    stc_reduced_free(&parts[k].problem);
    free(parts[k].contact);
  }
}

/// u = W r + q of a part is that of the whole at its contacts.
static void expect_same_motion(const stc_reduced *whole, const double *u, const double *r,
                               const piece *p) {
  int d = whole->dim, n = p->problem->size;
  double *x = array(n), *y = array(n), *work = array(p->problem->scratch);
  for (int k = 0; k < n; k++) x[k] = r[p->contact[k / d] * d + k % d];
  stc_reduced_velocity(p->problem, x, work, y);
  for (int k = 0; k < n; k++) expect_near(y[k], u[p->contact[k / d] * d + k % d], 1e-13);
  assert_int_equal(stc_reduced_assemble(p->problem), STC_OK);
  stc_bsr_multiply(&p->problem->W, x, 0, y);
  for (int k = 0; k < n; k++)
    expect_near(y[k] + p->problem->q[k], u[p->contact[k / d] * d + k % d], 1e-12);
  assert_int_equal(stc_reduced_blocks(p->problem), p->problem->W.ptr[p->problem->contacts]);
  free(x), free(y), free(work);
}

static void expect_cut(stc_problem *problem, int components) {
  stc_reduced *whole = NULL;
  stc_random random = stc_random_seed(3);
  piece parts[2];
  assert_int_equal(stc_reduced_create(problem, &whole), STC_OK);
  int *component = calloc((size_t)whole->contacts, sizeof *component);
  assert_int_equal(stc_reduced_components(whole, component), components);
  double *r = array(whole->size), *u = array(whole->size), *work = array(whole->scratch);
  cut(whole, parts, 2, component);
  assert_int_equal(parts[0].problem->contacts + parts[1].problem->contacts, whole->contacts);
  shake(&random, r, whole->size);
  stc_reduced_velocity(whole, r, work, u);
  for (int k = 0; k < 2; k++) expect_same_motion(whole, u, r, &parts[k]);
  drop(parts, 2);
  free(component), free(r), free(u), free(work);
  stc_reduced_free(&whole);
  stc_problem_free(&problem);
}

static void parts_move_as_in_the_whole(void **state) {
  expect_cut(sample_boxes(3), 3);
  stc_problem *local = NULL, *boxes = sample_boxes(3);
  assert_int_equal(stc_problem_to_local(boxes, &local), STC_OK);
  stc_problem_free(&boxes);
  expect_cut(local, 3);
  stc_problem *walls[] = {irregular("wall", 2, 3), irregular("tower", 2, 3),
                          irregular("box", 1, 0)};
  expect_cut(glue(walls, 3), 3);
}

// eta and fclib_error of the whole are at most sqrt(3) times the largest of the parts, for any r.
static void parts_bound_the_whole(void **state) {
  stc_problem *walls[] = {irregular("wall", 2, 3), irregular("tower", 2, 3),
                          irregular("box", 1, 0)};
  stc_problem *problem = glue(walls, 3);
  stc_reduced *whole = NULL;
  stc_random random = stc_random_seed(5);
  piece parts[3];
  assert_int_equal(stc_reduced_create(problem, &whole), STC_OK);
  int *component = calloc((size_t)whole->contacts, sizeof *component), d = whole->dim;
  stc_reduced_components(whole, component);
  cut(whole, parts, 3, component);
  double *r = array(whole->size), *u = array(whole->size), *work = array(whole->scratch);
  double *x = array(whole->size), closest = 0;
  for (int trial = 0; trial < 200; trial++) {
    double scale[3], eta = 0, natural = 0;
    for (int k = 0; k < 3; k++) scale[k] = pow(10, 9 * stc_random_uniform(&random) - 6);
    shake(&random, r, whole->size);
    for (int k = 0; k < whole->size; k++) r[k] *= scale[component[k / d]];
    stc_residual of_part, of_whole;
    for (int k = 0; k < 3; k++) {
      for (int i = 0; i < parts[k].problem->size; i++)
        x[i] = r[parts[k].contact[i / d] * d + i % d];
      stc_reduced_residual(parts[k].problem, x, work, u, &of_part);
      eta = fmax(eta, of_part.eta);
      natural = fmax(natural, of_part.fclib_error);
    }
    stc_reduced_residual(whole, r, work, u, &of_whole);
    assert_true(of_whole.eta <= sqrt(3) * eta);
    assert_true(of_whole.fclib_error <= sqrt(3) * natural);
    closest = fmax(closest, of_whole.eta / eta);
  }
  assert_true(closest > 0.5);  // the bound is not idle
  drop(parts, 3);
  free(component), free(r), free(u), free(work), free(x);
  stc_reduced_free(&whole);
  stc_problem_free(&problem);
}

// ---- bodies ----

/// u += sign H_t v of the body of touch t, v [dofs].
static void add_touch(const stc_reduced *p, int t, const double *v, double sign, double *u) {
  const stc_bodies *b = &p->bodies;
  const double *H = b->H + b->val_ptr[t];
  int body = b->touch_body[t];
  for (int k = b->ptr[body]; k < b->ptr[body + 1]; k++, H += p->dim)
    for (int i = 0; i < p->dim; i++) u[i] += sign * H[i] * v[k];
}

/// u [dim] = velocity at contact c with all bodies at rest: q without their free velocities.
static void find_rest(const stc_reduced *p, int c, double *u) {
  memcpy(u, p->q + c * p->dim, (size_t)p->dim * sizeof *u);
  for (int t = p->bodies.touch_ptr[c]; t < p->bodies.touch_ptr[c + 1]; t++)
    add_touch(p, t, p->bodies.free, -1, u);
}

static void parts_know_the_free_velocities(void **state) {
  stc_problem *problem = sample_boxes(3);
  stc_reduced *whole = NULL;
  piece parts[2];
  assert_int_equal(stc_reduced_create(problem, &whole), STC_OK);
  int *component = calloc((size_t)whole->contacts, sizeof *component);
  stc_reduced_components(whole, component);
  cut(whole, parts, 2, component);
  for (int k = 0; k < 2; k++)
    for (int c = 0; c < parts[k].problem->contacts; c++) {
      double of_part[STC_MAX_DIM], of_whole[STC_MAX_DIM];
      find_rest(parts[k].problem, c, of_part);
      find_rest(whole, parts[k].contact[c], of_whole);
      for (int i = 0; i < whole->dim; i++) expect_near(of_part[i], of_whole[i], 1e-14);
    }
  drop(parts, 2);
  free(component);
  stc_reduced_free(&whole);
  stc_problem_free(&problem);
}

// Where the impulses of others are in q no body has a free velocity. Whoever sets up a part learns
// it from the part, before the numbers come.
static void parts_of_held_parts_know_none(void **state) {
  stc_problem *problem = sample_boxes(3);
  stc_reduced *whole = NULL, *part = NULL;
  int contact[] = {0, 1}, place[64];
  for (int k = 0; k < 64; k++) place[k] = -1;
  assert_int_equal(stc_reduced_create(problem, &whole), STC_OK);
  assert_true(whole->contacts <= 64 && whole->bodies.count <= 64);
  whole->bodies.free = NULL;
  assert_int_equal(stc_reduced_cut(whole, contact, 2, place, &part), STC_OK);
  assert_true(part->bodies.count > 0);
  assert_null(part->bodies.free);
  stc_reduced_follow(part, whole, contact, stc_reduced_magnitude(whole));
  assert_null(part->bodies.free);
  stc_reduced_free(&part);
  stc_reduced_free(&whole);
  stc_problem_free(&problem);
}

/// Every third body moves; lists the contacts that touch one.
static int choose_active(const stc_reduced *whole, bool *moves, int *contact) {
  const stc_bodies *b = &whole->bodies;
  int count = 0;
  for (int k = 0; k < b->count; k++) moves[k] = k % 3 == 0;
  for (int c = 0; c < whole->contacts; c++) {
    bool any = false;
    for (int t = b->touch_ptr[c]; t < b->touch_ptr[c + 1]; t++) any |= moves[b->touch_body[t]];
    if (any) contact[count++] = c;
  }
  return count;
}

/// u of the part is what its bodies do at r, the others having no velocity.
static void expect_motion_among_rest(const stc_reduced *whole, const bool *moves, const piece *p,
                                     const double *r) {
  int d = whole->dim;
  double *v = array(whole->bodies.dofs), *x = array(p->problem->size), *u = array(p->problem->size),
         *work = array(p->problem->scratch);
  stc_reduced_respond(whole, r, v);
  for (int k = 0; k < whole->bodies.dofs; k++) v[k] += whole->bodies.free[k];
  for (int k = 0; k < p->problem->size; k++) x[k] = r[p->contact[k / d] * d + k % d];
  stc_reduced_velocity(p->problem, x, work, u);
  for (int c = 0; c < p->problem->contacts; c++) {
    double expected[STC_MAX_DIM];
    int of_whole = p->contact[c];
    find_rest(whole, of_whole, expected);
    for (int t = whole->bodies.touch_ptr[of_whole]; t < whole->bodies.touch_ptr[of_whole + 1]; t++)
      if (moves[whole->bodies.touch_body[t]]) add_touch(whole, t, v, 1, expected);
    for (int i = 0; i < d; i++) expect_near(u[c * d + i], expected[i], 1e-12);
  }
  free(v), free(x), free(u), free(work);
}

/// W_cc and kappa are those of the bodies that are left.
static void expect_diagonal(stc_reduced *p) {
  int d = p->dim;
  assert_int_equal(stc_reduced_assemble(p), STC_OK);
  for (int c = 0; c < p->contacts; c++) {
    const double *block = p->W.val + (ptrdiff_t)p->W.diag[c] * d * d;
    double trace = 0;
    for (int k = 0; k < d * d; k++) expect_near(p->diagonal[c * d * d + k], block[k], 1e-13);
    for (int k = 0; k < d; k++) trace += block[k * d + k];
    expect_near(p->kappa[c], trace / d, 1e-13);
  }
}

static void some_bodies_move_among_others_at_rest(void **state) {
  stc_problem *problem = irregular("wall", 3, 3);
  stc_reduced *whole = NULL;
  stc_random random = stc_random_seed(4);
  assert_int_equal(stc_reduced_create(problem, &whole), STC_OK);
  int places = whole->contacts + whole->bodies.count;
  int *place = calloc((size_t)places, sizeof *place);
  for (int k = 0; k < places; k++) place[k] = -1;
  bool *moves = calloc((size_t)whole->bodies.count, sizeof *moves);
  piece part = {.contact = calloc((size_t)whole->contacts, sizeof(int))};
  int count = choose_active(whole, moves, part.contact);
  assert_true(count > 0 && count < whole->contacts);
  assert_int_equal(stc_reduced_cut_moving(whole, moves, part.contact, count, place,
                                          stc_reduced_magnitude(whole), &part.problem),
                   STC_OK);
  assert_true(part.problem->among_rest);
  for (int k = 0; k < places; k++) assert_int_equal(place[k], -1);
  double *r = array(whole->size);
  shake(&random, r, whole->size);
  expect_motion_among_rest(whole, moves, &part, r);
  expect_diagonal(part.problem);
  drop(&part, 1);
  free(place), free(moves), free(r);
  stc_reduced_free(&whole);
  stc_problem_free(&problem);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(parts_move_as_in_the_whole),
      cmocka_unit_test(parts_bound_the_whole),
      cmocka_unit_test(parts_know_the_free_velocities),
      cmocka_unit_test(parts_of_held_parts_know_none),
      cmocka_unit_test(some_bodies_move_among_others_at_rest),
  };
  return cmocka_run_group_tests_name("part", tests, NULL, NULL);
}
