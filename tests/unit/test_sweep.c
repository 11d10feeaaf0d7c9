// Gauss–Seidel sweeps against the definition: contact after contact, each solved exactly by the law
// with the others fixed, on a dense W.
#include "conform/independent.h"
#include "gallery.h"
#include "samples.h"

#include "base/random.h"
#include "solve/kernels/sweep.h"

typedef struct dense {
  int dim, contacts, size;
  stc_law *law;
  double *W, *q, *r;
  double omega;
} dense;

static dense dense_create(const stc_problem *problem) {
  int n = stc_problem_size(problem);
  dense d = {.dim = stc_problem_dim(problem),
             .contacts = stc_problem_contacts(problem),
             .size = n,
             .omega = 1};
  d.W = calloc((size_t)(n * n), sizeof *d.W);
  d.q = calloc((size_t)n, sizeof *d.q);
  d.r = calloc((size_t)n, sizeof *d.r);
  d.law = calloc((size_t)d.contacts, sizeof *d.law);
  independent_local(problem, d.W, d.q);
  for (int c = 0; c < d.contacts; c++) d.law[c] = *stc_problem_law(problem, c);
  return d;
}

static void dense_free(dense *d) {
  free(d->W);
  free(d->q);
  free(d->r);
  free(d->law);
}

static void dense_visit(dense *d, int c) {
  int n = d->dim;
  double own[9] = {0}, rest[3] = {0}, r[3] = {0};
  for (int k = 0; k < n; k++) {
    int i = c * n + k;
    rest[k] = d->q[i];
    for (int j = 0; j < d->size; j++)
      if (j / n != c) rest[k] += d->W[i * d->size + j] * d->r[j];
    for (int l = 0; l < n; l++) own[k + l * n] = d->W[i * d->size + c * n + l];
    r[k] = d->r[i];
  }
  assert_int_not_equal(stc_law_solve(&d->law[c], own, rest, r), STC_CONTACT_VIOLATED);
  for (int k = 0; k < n; k++) d->r[c * n + k] += d->omega * (r[k] - d->r[c * n + k]);
}

static void dense_forward(dense *d) {
  for (int c = 0; c < d->contacts; c++) dense_visit(d, c);
}

static void dense_backward(dense *d) {
  for (int c = d->contacts - 1; c >= 0; c--) dense_visit(d, c);
}

// ---- problems ----

static stc_problem *generated(const char *kind, int n, int n2, double mu2) {
  stc_generator options = stc_default_generator(kind);
  options.n = n;
  options.n2 = n2;
  options.mu = 0.4;
  options.mu2 = mu2;
  options.disorder = 1;
  return generate_problem(&options);
}

// The tied contact of the chain has a singular W_ii: which of its reactions a relaxed sweep finds
// is nobody's business, so that the chain comes last and is left out there.
enum { PILE, DISCS, ELLIPTIC, CHAIN, PROBLEMS };

static stc_problem *problem_number(int k) {
  switch (k) {
  case PILE:
    return generated("spheres", 8, 0, 0);
  case DISCS:
    return generated("discs", 10, 0, 0);
  case ELLIPTIC:
    return generated("spheres", 8, 0, 0.2);
  default:
    return generated("chain", 3, 1, 0);
  }
}

typedef struct swept {
  stc_reduced *problem;
  stc_arena arena;
  stc_sweep sweep;
} swept;

static void sweep_begin(swept *s, const stc_problem *problem, int matrix_free) {
  *s = (swept){0};
  assert_int_equal(stc_reduced_create(problem, &s->problem), STC_OK);
  assert_int_equal(stc_sweep_create(&s->arena, s->problem, matrix_free, &s->sweep), STC_OK);
}

static void sweep_end(swept *s) {
  stc_arena_free(&s->arena);
  stc_reduced_free(&s->problem);
}

// The sweep's reactions in physical units are those of the dense sweeps.
static void expect_same_sweep(const swept *s, const dense *d, double tolerance) {
  double *r = calloc((size_t)d->size + 1, sizeof *r), most = 0;
  stc_sweep_store(&s->sweep, r);
  for (int k = 0; k < d->size; k++) most = fmax(most, fabs(d->r[k]));
  assert_true(most > 0);
  for (int k = 0; k < d->size; k++)
    expect_near(r[k] * s->problem->scale_r, d->r[k], tolerance * most);
  free(r);
}

static void sweeps_follow_the_definition(int matrix_free, double omega, int problems) {
  for (int k = 0; k < problems; k++) {
    stc_problem *problem = problem_number(k);
    dense d = dense_create(problem);
    swept s;
    sweep_begin(&s, problem, matrix_free);
    s.sweep.omega = d.omega = omega;
    stc_sweep_load(&s.sweep, d.r);  // zeros
    for (int n = 0; n < 4; n++) {
      dense_forward(&d);
      stc_sweep_forward(&s.sweep);
      expect_same_sweep(&s, &d, 1e-9);
      dense_backward(&d);
      stc_sweep_backward(&s.sweep);
      expect_same_sweep(&s, &d, 1e-9);
    }
    sweep_end(&s);
    dense_free(&d);
    stc_problem_free(&problem);
  }
}

// Problems of one block: to and fro by blocks is a sweep in order and one against it.
static void both_directions_are_one_after_the_other(void **state) {
  for (int k = 0; k < PROBLEMS; k++) {
    stc_problem *problem = problem_number(k);
    size_t size = (size_t)stc_problem_size(problem);
    double *r = calloc(size, sizeof *r), *one = calloc(size, sizeof *one);
    swept s;
    sweep_begin(&s, problem, 0);
    stc_sweep_load(&s.sweep, r);
    stc_sweep_forward(&s.sweep);
    stc_sweep_backward(&s.sweep);
    stc_sweep_store(&s.sweep, one);
    stc_sweep_reset(&s.sweep);
    stc_sweep_load(&s.sweep, r);
    stc_sweep_both(&s.sweep);
    stc_sweep_store(&s.sweep, r);
    assert_memory_equal(r, one, size * sizeof *r);
    free(r);
    free(one);
    sweep_end(&s);
    stc_problem_free(&problem);
  }
}

static void assembled_sweeps_follow_the_definition(void **state) {
  sweeps_follow_the_definition(0, 1, PROBLEMS);
}

static void matrix_free_sweeps_follow_the_definition(void **state) {
  sweeps_follow_the_definition(1, 1, PROBLEMS);
}

static void relaxed_sweeps_follow_the_definition(void **state) {
  sweeps_follow_the_definition(0, 0.7, CHAIN);
  sweeps_follow_the_definition(1, 1.3, CHAIN);
}

static void forms_are_chosen_as_asked(void **state) {
  stc_problem *free_bodies = problem_number(PILE), *joined = problem_number(CHAIN);
  swept s;
  sweep_begin(&s, free_bodies, 0);
  assert_false(s.sweep.matrix_free);
  sweep_end(&s);
  sweep_begin(&s, free_bodies, 1);
  assert_true(s.sweep.matrix_free);
  sweep_end(&s);
  sweep_begin(&s, joined, 1);  // joints couple everything: there are no separate bodies
  assert_false(s.sweep.matrix_free);
  sweep_end(&s);
  stc_problem_free(&free_bodies);
  stc_problem_free(&joined);
}

// With alpha kappa (r - centre) added to u: the diagonal grows by alpha kappa, q falls by
// alpha kappa centre.
static void proximal_sweeps(int matrix_free) {
  stc_problem *problem = problem_number(PILE);
  dense d = dense_create(problem);
  swept s;
  const double alpha = 0.3;
  sweep_begin(&s, problem, matrix_free);
  double *centre = calloc((size_t)d.size, sizeof *centre);
  for (int k = 0; k < d.size; k++) centre[k] = k % d.dim == 0 ? 0.5 : 0.1;
  double scale_W = s.problem->scale_u / s.problem->scale_r;
  for (int k = 0; k < d.size; k++) {
    double weight = alpha * s.problem->kappa[k / d.dim] * scale_W;
    d.W[k * d.size + k] += weight;
    d.q[k] -= weight * centre[k] * s.problem->scale_r;
  }
  stc_sweep_proximal(&s.sweep, alpha, centre);
  stc_sweep_load(&s.sweep, d.r);
  for (int n = 0; n < 5; n++) {
    dense_forward(&d);
    stc_sweep_forward(&s.sweep);
    expect_same_sweep(&s, &d, 1e-9);
  }
  stc_sweep_proximal(&s.sweep, 0, NULL);  // taken away: the sweeps of the problem itself
  dense plain = dense_create(problem);
  stc_sweep_load(&s.sweep, plain.r);
  dense_forward(&plain);
  stc_sweep_forward(&s.sweep);
  expect_same_sweep(&s, &plain, 1e-9);
  free(centre);
  sweep_end(&s);
  dense_free(&d);
  dense_free(&plain);
  stc_problem_free(&problem);
}

static void proximal_sweeps_follow_the_definition(void **state) {
  proximal_sweeps(0);
  proximal_sweeps(1);
}

// One contact alone is solved by one sweep: W = 1, q = (-1, 2), mu = 0.5 -> r = (1, -0.5).
static void one_contact_takes_one_sweep(void **state) {
  stc_problem *problem = sample_local(1, (const double[]){1, 0, 0, 1});
  swept s;
  double r[2] = {7, 7};
  sweep_begin(&s, problem, -1);
  assert_int_equal(stc_reduced_update(s.problem, &(stc_update){.q = (double[]){-1, 2}}), STC_OK);
  stc_sweep_refresh(&s.sweep);
  stc_sweep_load(&s.sweep, r);
  stc_sweep_forward(&s.sweep);
  stc_sweep_store(&s.sweep, r);
  expect_near(r[0] * s.problem->scale_r, 1, 1e-12);
  expect_near(r[1] * s.problem->scale_r, -0.5, 1e-12);
  // New coefficient, same sweep: mu = 0.1 -> r_T = -0.1.
  assert_int_equal(stc_reduced_update(s.problem, &(stc_update){.mu = (double[]){0.1}}), STC_OK);
  stc_sweep_refresh(&s.sweep);
  stc_sweep_load(&s.sweep, r);
  stc_sweep_forward(&s.sweep);
  stc_sweep_store(&s.sweep, r);
  expect_near(r[1] * s.problem->scale_r, -0.1, 1e-12);
  sweep_end(&s);
  stc_problem_free(&problem);
}

// A contact between immovable bodies keeps what it has; nothing divides by its zero diagonal.
static void immovable_contacts_are_passed_over(void **state) {
  const double W[16] = {1, 0, 0, 0, 0, 1};
  stc_problem *problem = sample_local(2, W);
  swept s;
  double r[4] = {0, 0, 3, 1};
  sweep_begin(&s, problem, -1);
  stc_sweep_load(&s.sweep, r);
  stc_sweep_forward(&s.sweep);
  stc_sweep_backward(&s.sweep);
  stc_sweep_store(&s.sweep, r);
  expect_near(r[2], 3, 0);
  expect_near(r[3], 1, 1e-15);
  sweep_end(&s);
  stc_problem_free(&problem);
}

// ---- batches ----

enum { MANY_SPHERES = 60 };

static bool share_a_body(const stc_bodies *b, int c, int d) {
  for (int t = b->touch_ptr[c]; t < b->touch_ptr[c + 1]; t++)
    for (int e = b->touch_ptr[d]; e < b->touch_ptr[d + 1]; e++)
      if (b->touch_body[t] == b->touch_body[e]) return true;
  return false;
}

// Every contact is in one lane, and few lanes are idle.
static void contacts_of_a_batch_touch_different_bodies(void **state) {
  stc_problem *problem = generated("spheres", MANY_SPHERES, 0, 0);
  swept s;
  sweep_begin(&s, problem, 1);
  stc_sweep_reset(&s.sweep);
  const stc_lanes4 *q = &s.sweep.batches;
  int contacts = s.problem->contacts, *times = calloc((size_t)contacts + 1, sizeof *times);
  assert_true(s.sweep.in_batches);
  for (int k = 0; k < 4 * q->count; k++) times[q->contact[k]]++;
  for (int c = 0; c < contacts; c++) assert_int_equal(times[c], 1);
  assert_true(4 * q->count <= 1.25 * contacts + 32);
  for (int k = 0; k < 4 * q->count; k++)
    for (int l = k + 1; l < (k / 4 + 1) * 4; l++)
      if (q->contact[k] < contacts && q->contact[l] < contacts)
        assert_false(share_a_body(&s.problem->bodies, q->contact[k], q->contact[l]));
  free(times);
  sweep_end(&s);
  stc_problem_free(&problem);
}

static void dense_batches(dense *d, const stc_lanes4 *q, bool forward) {
  for (int k = 0; k < 4 * q->count; k++) {
    int c = q->contact[forward ? k : 4 * q->count - 1 - k];
    if (c < d->contacts) dense_visit(d, c);
  }
}

// Contacts of a batch do not see each other: solved side by side they are as one after the other.
static void sweep_batches(stc_problem *problem, double omega) {
  dense d = dense_create(problem);
  swept s;
  sweep_begin(&s, problem, 1);
  s.sweep.omega = d.omega = omega;
  stc_sweep_load(&s.sweep, d.r);  // zeros
  assert_true(s.sweep.in_batches);
  for (int n = 0; n < 4; n++) {
    dense_batches(&d, &s.sweep.batches, true);
    stc_sweep_forward(&s.sweep);
    expect_same_sweep(&s, &d, 1e-9);
    dense_batches(&d, &s.sweep.batches, false);
    stc_sweep_backward(&s.sweep);
    expect_same_sweep(&s, &d, 1e-9);
  }
  for (int k = 0; k < d.size; k++) d.r[k] /= s.problem->scale_r;
  stc_sweep_load(&s.sweep, d.r);  // from there on, with p made anew
  for (int k = 0; k < d.size; k++) d.r[k] *= s.problem->scale_r;
  dense_batches(&d, &s.sweep.batches, true);
  stc_sweep_forward(&s.sweep);
  expect_same_sweep(&s, &d, 1e-9);
  sweep_end(&s);
  dense_free(&d);
  stc_problem_free(&problem);
}

static void sweeps_over_batches_follow_the_definition(void **state) {
  sweep_batches(generated("spheres", MANY_SPHERES, 0, 0), 1);
  sweep_batches(generated("spheres", MANY_SPHERES, 0, 0.2), 1);
  sweep_batches(generated("spheres", MANY_SPHERES, 0, 0), 1.3);
  sweep_batches(generated("wall", 5, 5, 0), 1);  // components that pull at each other
}

// Adds a step along the normal of contact c to d, as the definition says; returns what was missing.
static double push_apart(const stc_reduced *p, int c, double target, double *impulse, double *d) {
  const stc_bodies *b = &p->bodies;
  double missing = target;
  for (int t = b->touch_ptr[c]; t < b->touch_ptr[c + 1]; t++)
    for (int k = 0; k < 6; k++)
      missing -= b->H[b->val_ptr[t] + 3 * (size_t)k] * d[6 * b->touch_body[t] + k];
  double more = fmax(-*impulse, missing / p->diagonal[9 * (size_t)c]);
  *impulse += more;
  for (int t = b->touch_ptr[c]; t < b->touch_ptr[c + 1]; t++)
    for (int k = 0; k < 6; k++)
      d[6 * b->touch_body[t] + k] += more * b->Y[b->val_ptr[t] + (size_t)k];
  return fabs(more) * p->diagonal[9 * (size_t)c];
}

// The displacement of least energy that keeps n.d >= target is one, in whatever order the contacts
// are visited: over batches it is that of one contact after the other.
static void bodies_are_moved_apart(void **state) {
  stc_problem *problem = generated("spheres", MANY_SPHERES, 0, 0);
  stc_random random = stc_random_seed(4);
  swept s;
  sweep_begin(&s, problem, 1);
  size_t contacts = (size_t)s.problem->contacts, dofs = (size_t)s.problem->bodies.dofs;
  double *target = calloc(contacts, sizeof *target), *impulse = calloc(contacts, sizeof *target);
  double *d = calloc(dofs, sizeof *d), *moved = calloc(dofs, sizeof *d), most = 0, off = 1;
  for (size_t c = 0; c < contacts; c++) target[c] = stc_random_normal(&random);
  for (int n = 0; n < 20000 && off > 1e-10; n++) {
    off = 0;
    for (size_t c = 0; c < contacts; c++)
      off = fmax(off, push_apart(s.problem, (int)c, target[c], &impulse[c], d));
  }
  assert_true(stc_sweep_move_apart(&s.sweep, target, 20000, 1e-10, moved));
  for (size_t k = 0; k < dofs; k++) most = fmax(most, fabs(d[k]));
  for (size_t k = 0; k < dofs; k++) expect_near(moved[k], d[k], 1e-6 * most);
  assert_true(most > 0.1);
  free(target), free(impulse), free(d), free(moved);
  sweep_end(&s);
  stc_problem_free(&problem);
}

// A proximal term, few contacts and contacts without friction are left to the other loops.
static void quads_stand_back(void **state) {
  stc_problem *many = generated("spheres", MANY_SPHERES, 0, 0), *few = problem_number(PILE);
  double *mu = calloc((size_t)stc_problem_contacts(many), sizeof *mu);
  swept s;
  sweep_begin(&s, few, 1);
  stc_sweep_reset(&s.sweep);
  assert_false(s.sweep.in_batches);
  sweep_end(&s);
  sweep_begin(&s, many, 1);
  stc_sweep_proximal(&s.sweep, 0.1, NULL);
  assert_false(s.sweep.in_batches);
  stc_sweep_proximal(&s.sweep, 0, NULL);
  assert_true(s.sweep.in_batches);
  assert_int_equal(stc_reduced_update(s.problem, &(stc_update){.mu = mu}), STC_OK);
  stc_sweep_refresh(&s.sweep);
  stc_sweep_reset(&s.sweep);
  assert_false(s.sweep.in_batches);
  sweep_end(&s);
  free(mu);
  stc_problem_free(&many);
  stc_problem_free(&few);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(both_directions_are_one_after_the_other),
      cmocka_unit_test(bodies_are_moved_apart),
      cmocka_unit_test(assembled_sweeps_follow_the_definition),
      cmocka_unit_test(matrix_free_sweeps_follow_the_definition),
      cmocka_unit_test(relaxed_sweeps_follow_the_definition),
      cmocka_unit_test(forms_are_chosen_as_asked),
      cmocka_unit_test(proximal_sweeps_follow_the_definition),
      cmocka_unit_test(one_contact_takes_one_sweep),
      cmocka_unit_test(immovable_contacts_are_passed_over),
      cmocka_unit_test(contacts_of_a_batch_touch_different_bodies),
      cmocka_unit_test(sweeps_over_batches_follow_the_definition),
      cmocka_unit_test(quads_stand_back),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
