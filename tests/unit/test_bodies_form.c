// The bodies form: the numbers, answers and name of its global form, and what it refuses.
#include "../scratch.h"
#include "same_bits.h"

#include "base/random.h"
#include "problem/reduced.h"

#include <stiction/cert.h>
#include <stiction/solve.h>

enum {
  BODIES = 5,
  WIDTH = 6,
  CONTACTS = 9,
  JOINTS = 3,
  SIZE = 3 * CONTACTS,
  DOFS = BODIES * WIDTH
};

/// Random bodies in a row: contacts between neighbours, every third one with what never moves on
/// either side, one with nothing that moves; ball joints between the first two bodies, if any.
typedef struct heap {
  stc_bodies_data data;
  int body[2 * CONTACTS], joint_body[2 * JOINTS];
  double M[BODIES * WIDTH * WIDTH], f[DOFS], w[SIZE], b[JOINTS], mu[CONTACTS], frame[9 * CONTACTS];
  double H[2 * SIZE * WIDTH + STC_BSR_PAD], G[2 * JOINTS * WIDTH];
} heap;

static void fill_random(stc_random *random, double *x, int count) {
  for (int i = 0; i < count; i++) x[i] = stc_random_normal(random);
}

/// A A^T + 1, its two triangles bit for bit alike.
static void fill_mass(stc_random *random, double *M) {
  double A[WIDTH * WIDTH];
  fill_random(random, A, WIDTH * WIDTH);
  for (int i = 0; i < WIDTH; i++)
    for (int j = 0; j <= i; j++) {
      double sum = i == j;
      for (int k = 0; k < WIDTH; k++) sum += A[i * WIDTH + k] * A[j * WIDTH + k];
      M[i * WIDTH + j] = M[j * WIDTH + i] = sum;
    }
}

static void fill_contacts(heap *h, stc_random *random) {
  fill_random(random, h->H, 2 * SIZE * WIDTH);
  for (int c = 0; c < CONTACTS; c++) {
    h->body[2 * c] = c % 3 == 1 ? -1 : (c + 1) % BODIES;
    h->body[2 * c + 1] = c % 3 == 0 || c == 7 ? -1 : c % BODIES;
    h->mu[c] = 0.1 * c;
    h->frame[9 * c] = h->frame[9 * c + 5] = h->frame[9 * c + 7] = 1;  // N = x, T1 = z, T2 = y
  }
}

static stc_bodies_data make_heap(heap *h, int joints) {
  stc_random random = stc_random_seed(7);
  *h = (heap){0};
  for (int b = 0; b < BODIES; b++) fill_mass(&random, h->M + b * WIDTH * WIDTH);
  fill_contacts(h, &random);
  fill_random(&random, h->f, DOFS);
  fill_random(&random, h->w, SIZE);
  fill_random(&random, h->G, 2 * JOINTS * WIDTH);
  fill_random(&random, h->b, JOINTS);
  for (int k = 0; k < JOINTS; k++) h->joint_body[2 * k] = k == 2 ? -1 : 1;  // body 1, then 0
  return (stc_bodies_data){.dim = 3,
                           .contacts = CONTACTS,
                           .bodies = BODIES,
                           .width = WIDTH,
                           .equalities = joints,
                           .M = h->M,
                           .f = h->f,
                           .H = {.body = h->body, .block = h->H},
                           .w = h->w,
                           .G = {.body = h->joint_body, .block = h->G},
                           .b = h->b,
                           .mu = h->mu};
}

static stc_problem *create(const stc_bodies_data *data) {
  stc_problem *problem = NULL;
  assert_int_equal(stc_problem_create_bodies(data, &problem), STC_OK);
  assert_int_equal(stc_problem_form(problem), STC_FORM_BODIES);
  return problem;
}

static stc_problem *heap_of(int joints) {
  heap h;
  stc_bodies_data data = make_heap(&h, joints);
  return create(&data);
}

static stc_problem *rows_of(const stc_problem *bodies) {
  stc_problem *global = NULL;
  assert_int_equal(stc_problem_to_global(bodies, &global), STC_OK);
  assert_int_equal(stc_problem_form(global), STC_FORM_GLOBAL);
  return global;
}

// --- Rows that are lent ---

/// The numbers behind a reduced problem, in physical units, as a step of bodies lends them.
static void lend(const stc_problem *problem, const stc_reduced *p, heap *h, double *inverse,
                 double *free, double *q, stc_law *law) {
  for (int k = 0; k < BODIES * WIDTH * WIDTH; k++)
    inverse[k] = p->bodies.inverse[k] * p->scale_u / p->scale_r;
  for (int k = 0; k < DOFS; k++) free[k] = p->bodies.free[k] * p->scale_u;
  stc_reduced_unscale_u(p, p->q, q);
  for (int c = 0; c < CONTACTS; c++) law[c] = *stc_problem_law(problem, c);
  memset(h->H + 2 * SIZE * WIDTH, 0, STC_BSR_PAD * sizeof *h->H);
}

// Contact 7 touches nothing that moves. The same bits follow as from the problem that was checked.
static void rows_that_are_lent(void **state) {
  heap h;
  stc_bodies_data data = make_heap(&h, 0);
  stc_problem *problem = create(&data);
  stc_reduced *p = NULL, lent = {0};
  double inverse[BODIES * WIDTH * WIDTH], free_v[DOFS], q[SIZE], r[SIZE], u[2][SIZE], *work;
  stc_law law[CONTACTS];
  stc_residual residual[2];
  stc_random random = stc_random_seed(3);
  assert_int_equal(stc_reduced_create(problem, &p), STC_OK);
  lend(problem, p, &h, inverse, free_v, q, law);
  stc_reduced_rows rows = {.H = stc_body_matrix_of(CONTACTS, 3, WIDTH, data.H),
                           .block = h.H,
                           .bodies = BODIES,
                           .M = h.M,
                           .inverse = inverse,
                           .law = law,
                           .free = free_v,
                           .q = q};
  size_t bytes = stc_reduced_rows_bytes(&rows);
  char *memory = malloc(bytes);
  for (int again = 0; again < 2; again++) {
    stc_arena room = stc_arena_within(memory, bytes);
    assert_int_equal(stc_reduced_take_rows(&room, &rows, &lent), STC_OK);
  }
  assert_int_equal(stc_reduced_count_blocks(&lent), STC_OK);
  assert_true(lent.scale_u == p->scale_u && lent.scale_r == p->scale_r);
  assert_memory_equal(lent.q, p->q, sizeof q);
  assert_memory_equal(lent.kappa, p->kappa, CONTACTS * sizeof *p->kappa);
  assert_memory_equal(lent.diagonal, p->diagonal, 9 * CONTACTS * sizeof *p->diagonal);
  assert_memory_equal(lent.immovable, p->immovable, CONTACTS * sizeof *p->immovable);
  assert_int_equal(stc_reduced_blocks(&lent), stc_reduced_blocks(p));
  fill_random(&random, r, SIZE);
  assert_non_null(work = malloc((size_t)p->scratch * sizeof *work));
  stc_reduced_residual(p, r, work, u[0], &residual[0]);
  stc_reduced_residual(&lent, r, work, u[1], &residual[1]);
  assert_memory_equal(u[0], u[1], sizeof u[0]);
  assert_true(residual[0].eta == residual[1].eta);
  assert_int_equal(stc_reduced_assemble(&lent), STC_OK);  // what comes later has memory of its own
  stc_arena_free(&lent.arena);
  free(work), free(memory);
  stc_reduced_free(&p);
  stc_problem_free(&problem);
}

// --- One body by hand ---

// Painlevé's rod: M = 1, H = (1, 2), f = -1, w = (0, 1). u = W r + q with v_f = 1, q = (1, 3) and
// W = (1 2; 2 4): r = (1, -1) gives u = (0, 1) and v = 0.
static void one_body_by_hand(void **state) {
  stc_problem *p =
      create(&(stc_bodies_data){.dim = 2,
                                .contacts = 1,
                                .bodies = 1,
                                .width = 1,
                                .M = (double[]){1},
                                .f = (double[]){-1},
                                .H = {.body = (int[]){0, -1}, .block = (double[]){1, 2, NAN, NAN}},
                                .w = (double[]){0, 1},
                                .mu = (double[]){1}});
  double r[] = {1, -1}, u[2], v[1];
  assert_int_equal(stc_problem_complete(p, &(stc_solution){.r = r, .u = u, .v = v}), STC_OK);
  assert_true(u[0] == 0 && u[1] == 1 && v[0] == 0);
  stc_residual residual;
  assert_int_equal(stc_problem_residual(p, &(stc_solution){.r = r, .u = u, .v = v}, &residual),
                   STC_OK);
  assert_true(residual.eta == 0 && residual.dynamics == 0 && residual.slip == 1);
  v[0] = 1;  // |M v + f - H^T r| = |1 - 1 + 1| over 1 + 1 + 1
  assert_int_equal(stc_problem_residual(p, &(stc_solution){.r = r, .v = v}, &residual), STC_OK);
  expect_near(residual.dynamics, 1 / 3.0, 1e-15);
  stc_problem_free(&p);
}

// --- The same problem in its forms ---

static void the_views_give_back_what_was_given(void **state) {
  heap h;
  stc_bodies_data data = make_heap(&h, JOINTS), back;
  stc_problem *p = create(&data);
  back = stc_problem_bodies_data(p);
  assert_int_equal(back.bodies, BODIES);
  assert_int_equal(back.width, WIDTH);
  assert_int_equal(stc_problem_dofs(p), DOFS);
  assert_memory_equal(back.M, h.M, sizeof h.M);
  assert_memory_equal(back.H.block, h.H, sizeof h.H);
  assert_memory_equal(back.H.body, h.body, sizeof h.body);
  assert_memory_equal(back.G.block, h.G, sizeof h.G);
  assert_memory_equal(back.f, h.f, sizeof h.f);
  assert_null(stc_problem_global_data(p).M.x);
  assert_true(stc_problem_global_data(p).w == back.w);
  assert_string_equal(stc_form_name(stc_problem_form(p)), "bodies");
  stc_problem_free(&p);
}

/// eta, u, v and l at the same r in both problems; those of the judge agree to rounding.
static void expect_same_answers(const stc_problem *a, const stc_problem *b, const double *r) {
  double u[2][SIZE], v[2][DOFS], l[2][JOINTS];
  stc_residual residual[2];
  const stc_problem *both[] = {a, b};
  for (int k = 0; k < 2; k++) {
    double own[SIZE];
    memcpy(own, r, sizeof own);
    stc_solution s = {own, u[k], v[k], l[k]};
    assert_int_equal(stc_problem_complete(both[k], &s), STC_OK);
    assert_int_equal(stc_problem_residual(both[k], &s, &residual[k]), STC_OK);
    assert_true(residual[k].dynamics < 1e-14 && residual[k].equality < 1e-13);
  }
  for (int k = 0; k < SIZE; k++) expect_near(u[0][k], u[1][k], 1e-12);
  for (int k = 0; k < DOFS; k++) expect_near(v[0][k], v[1][k], 1e-12);
  for (int k = 0; k < stc_problem_equalities(a); k++) expect_near(l[0][k], l[1][k], 1e-11);
  expect_near(residual[0].eta, residual[1].eta, 1e-13);
  expect_near(residual[0].fclib_error, residual[1].fclib_error, 1e-12);
}

static void forms_agree(void **state) {
  for (int joints = 0; joints <= JOINTS; joints += JOINTS) {
    stc_problem *bodies = heap_of(joints), *global = rows_of(bodies), *local[2];
    stc_random random = stc_random_seed(3);
    double r[SIZE];
    fill_random(&random, r, SIZE);
    expect_same_answers(bodies, global, r);
    assert_int_equal(stc_problem_to_local(bodies, &local[0]), STC_OK);
    assert_int_equal(stc_problem_to_local(global, &local[1]), STC_OK);
    char name[2][33];
    for (int k = 0; k < 2; k++) stc_problem_fingerprint(local[k], name[k]);
    assert_string_equal(name[0], name[1]);
    for (int k = 0; k < 2; k++) stc_problem_free(&local[k]);
    stc_problem_free(&global);
    stc_problem_free(&bodies);
  }
}

// One row and one equation on four and three bodies of one degree of freedom, mass 1, in any order:
// H = (1, 2, 3, 4), G = (1, 1, 0, 1). Of the sparse rows the bodies are found again.
static void rows_on_more_than_two_bodies(void **state) {
  const double M[] = {1, 1, 1, 1}, f[] = {1, 0, 0, 0};
  int body[] = {3, 0, 2, 1}, joint[] = {1, -1, 3, 0};
  double H[] = {0, 4, 0, 1, 0, 3, 0, 2}, w[] = {0, 0}, G[] = {1, NAN, 1, 1}, b[] = {0.5};
  stc_bodies_data data = {.dim = 2,
                          .contacts = 1,
                          .bodies = 4,
                          .width = 1,
                          .equalities = 1,
                          .M = M,
                          .f = f,
                          .H = {body, H, 4},
                          .w = w,
                          .G = {joint, G, 4},
                          .b = b,
                          .mu = (double[]){1}};
  stc_problem *p = create(&data), *global = rows_of(p);
  double r[] = {0, 1}, u[2], v[4], l[1];
  assert_int_equal(stc_problem_complete(p, &(stc_solution){r, u, v, l}), STC_OK);
  // v = H^T r - f + G^T l, G v + b = 0: 1 + 2 + 4 - 1 + 3 l + 0.5 = 0
  expect_near(l[0], -6.5 / 3, 1e-14);
  const double wanted[] = {l[0], 2 + l[0], 3, 4 + l[0]};
  for (int k = 0; k < 4; k++) expect_near(v[k], wanted[k], 1e-14);
  expect_near(u[1], 2 * 2 + 3 * 3 + 4 * 4 + 7 * l[0], 1e-13);
  char name[2][33];
  stc_problem_fingerprint(p, name[0]);
  stc_problem_fingerprint(global, name[1]);
  assert_string_equal(name[0], name[1]);
  stc_problem_free(&p);
  stc_problem_free(&global);
  data.H.sides = 5;
  assert_int_equal(stc_problem_create_bodies(&data, &p), STC_ERR_DIMENSION);
  body[3] = 3, data.H.sides = 4;
  assert_int_equal(stc_problem_create_bodies(&data, &p), STC_ERR_VALUE);
}

// Three bodies of a row are found again in the sparse rows.
static void three_bodies_are_found(void **state) {
  const double M[] = {2, 1, 1, 2, 3, 1, 1, 3, 4, 1, 1, 4}, f[6] = {0}, w[2] = {0};
  const double H[] = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12};
  stc_problem *p = create(&(stc_bodies_data){.dim = 2,
                                             .contacts = 1,
                                             .bodies = 3,
                                             .width = 2,
                                             .M = M,
                                             .f = f,
                                             .H = {(int[]){2, 0, 1}, H, 3},
                                             .w = w,
                                             .mu = (double[]){1}});
  stc_problem *global = rows_of(p), *again = NULL;
  char name[2][33];
  assert_int_equal(stc_problem_to_bodies(global, &again), STC_OK);
  assert_int_equal(stc_problem_bodies_data(again).H.sides, 4);
  stc_problem_fingerprint(p, name[0]);
  stc_problem_fingerprint(again, name[1]);
  assert_string_equal(name[0], name[1]);
  stc_problem_free(&again);
  stc_problem_free(&global);
  stc_problem_free(&p);
}

// Without joints what a solver works on has the same bits, whether the bodies were given or found.
static void found_bodies_are_those_given(void **state) {
  stc_problem *bodies = heap_of(0), *global = rows_of(bodies);
  stc_reduced *a = NULL, *b = NULL;
  assert_int_equal(stc_reduced_create(bodies, &a), STC_OK);
  assert_int_equal(stc_reduced_create(global, &b), STC_OK);
  assert_int_equal(b->bodies.count, BODIES);
  assert_memory_equal(a->q, b->q, SIZE * sizeof *a->q);
  assert_memory_equal(a->kappa, b->kappa, CONTACTS * sizeof *a->kappa);
  assert_memory_equal(a->diagonal, b->diagonal, 3 * SIZE * sizeof *a->diagonal);
  assert_memory_equal(a->bodies.inverse, b->bodies.inverse, sizeof(double[BODIES * WIDTH * WIDTH]));
  assert_true(a->immovable[7] && b->immovable[7]);  // nothing moves there
  assert_int_equal(a->blocks, b->blocks);
  assert_int_equal(stc_reduced_assemble(a), STC_OK);
  assert_int_equal(stc_reduced_assemble(b), STC_OK);
  assert_memory_equal(a->W.val, b->W.val, a->blocks * 9 * sizeof *a->W.val);
  stc_reduced_free(&a);
  stc_reduced_free(&b);
  stc_problem_free(&global);
  stc_problem_free(&bodies);
}

static void the_name_is_that_of_the_global_form(void **state) {
  stc_problem *bodies = heap_of(JOINTS), *global = rows_of(bodies), *again = NULL;
  char name[3][33];
  assert_int_equal(stc_problem_to_bodies(global, &again), STC_OK);
  stc_problem_fingerprint(bodies, name[0]);
  stc_problem_fingerprint(global, name[1]);
  stc_problem_fingerprint(again, name[2]);
  assert_string_equal(name[0], name[1]);
  assert_string_equal(name[0], name[2]);
  int component[2][CONTACTS], count[2];
  assert_int_equal(stc_problem_components(bodies, component[0], &count[0]), STC_OK);
  assert_int_equal(stc_problem_components(global, component[1], &count[1]), STC_OK);
  assert_memory_equal(component[0], component[1], sizeof component[0]);
  assert_int_equal(count[0], 3);  // on bodies 0 and 1, on the others, and contact 7 on none
  stc_stats stats;
  assert_int_equal(stc_problem_stats(bodies, 100, &stats), STC_OK);
  assert_int_equal(stats.bodies, BODIES);
  stc_problem_free(&again);
  stc_problem_free(&global);
  stc_problem_free(&bodies);
}

static void files_hold_the_global_form(void **state) {
  stc_problem *bodies = heap_of(JOINTS), *read = NULL;
  char path[300], name[2][33];
  scratch_path(path, sizeof path, "bodies.hdf5");
  double r[SIZE] = {0};
  assert_int_equal(stc_problem_write(bodies, &(stc_solution){.r = r}, path), STC_OK);
  assert_int_equal(stc_guesses_write(path, bodies, &(stc_solution){.r = r}, 1), STC_OK);
  assert_int_equal(stc_problem_read(path, &read), STC_OK);
  remove(path);
  assert_int_equal(stc_problem_form(read), STC_FORM_GLOBAL);
  stc_problem_fingerprint(bodies, name[0]);
  stc_problem_fingerprint(read, name[1]);
  assert_string_equal(name[0], name[1]);
  stc_problem_free(&read);
  stc_problem_free(&bodies);
}

// Rows in space axes with frames are the rows in contact axes: N, T1, T2 = x, z, y.
static void frames_turn_the_rows(void **state) {
  heap h;
  stc_bodies_data data = make_heap(&h, 0);
  data.frame = h.frame;
  stc_problem *p = create(&data);
  const double *H = stc_problem_bodies_data(p).H.block, *w = stc_problem_bodies_data(p).w;
  for (int k = 0; k < 2 * SIZE * WIDTH; k++)
    assert_true(H[k] == h.H[k % 3 == 0 ? k : k % 3 == 1 ? k + 1 : k - 1]);
  for (int k = 0; k < SIZE; k++)
    assert_true(w[k] == h.w[k % 3 == 0 ? k : k % 3 == 1 ? k + 1 : k - 1]);
  stc_problem_free(&p);
}

// --- Solvers ---

static void solve(const stc_problem *problem, const stc_update *update, double *r) {
  stc_settings settings = stc_default_settings();
  stc_solver *solver = NULL;
  stc_info info;
  settings.tol = 1e-12;
  memset(r, 0, SIZE * sizeof *r);
  assert_int_equal(stc_solver_setup(&solver, problem, &settings), STC_OK);
  if (update) assert_int_equal(stc_solver_update(solver, update), STC_OK);
  assert_int_equal(stc_solver_solve(solver, &(stc_solution){.r = r}, &info), STC_OK);
  assert_int_equal(info.status, STC_STATUS_SOLVED);
  stc_solver_free(&solver);
}

/// New numbers in a solver are those of a problem made with them.
static void solvers_take_new_numbers(void **state) {
  for (int joints = 0; joints <= JOINTS; joints += JOINTS) {
    heap h;
    stc_bodies_data data = make_heap(&h, joints);
    double f[DOFS], w[SIZE], mu[CONTACTS], r[2][SIZE];
    for (int k = 0; k < DOFS; k++) f[k] = -2 * h.f[k];
    for (int k = 0; k < SIZE; k++) w[k] = h.w[k] + (k == 3 * 7 ? 5 : 0);  // it cannot approach
    for (int k = 0; k < CONTACTS; k++) mu[k] = 0.2;
    stc_problem *before = create(&data), *after;
    data.f = f, data.w = w, data.mu = mu;
    after = create(&data);
    solve(before, &(stc_update){.f = f, .w = w, .mu = mu}, r[0]);
    solve(after, NULL, r[1]);
    stc_residual residual;
    assert_int_equal(stc_problem_residual(after, &(stc_solution){.r = r[0]}, &residual), STC_OK);
    assert_true(residual.eta <= 1e-12);
    for (int k = 0; joints == 0 && k < SIZE; k++) assert_true(r[0][k] == r[1][k]);
    stc_problem_free(&after);
    stc_problem_free(&before);
  }
}

static void proofs_are_those_of_the_global_form(void **state) {
  stc_problem *bodies = heap_of(0), *global = rows_of(bodies);
  stc_certificate *a = NULL, *b = NULL;
  assert_int_equal(stc_certify(bodies, NULL, &a), STC_OK);
  assert_int_equal(stc_certify(global, NULL, &b), STC_OK);
  assert_int_equal(stc_certificate_verdict(a), stc_certificate_verdict(b));
  assert_string_equal(stc_certificate_reason(a), stc_certificate_reason(b));
  stc_certificate_free(&a);
  stc_certificate_free(&b);
  stc_problem_free(&global);
  stc_problem_free(&bodies);
}

// Rolling: the moments of five rows are measured by a length; the answers are those of the rows.
static void rolling_bodies(void **state) {
  double M[9] = {2, 0, 0, 0, 2, 0, 0, 0, 0.1}, f[3] = {1, 1, 1}, w[5] = {0}, H[30] = {0};
  stc_law law = stc_law_rolling(5, 0.5, 0.01);
  for (int k = 0; k < 15; k++) H[k] = (k % 4) - 1;
  stc_problem *p = create(&(stc_bodies_data){.dim = 5,
                                             .contacts = 1,
                                             .bodies = 1,
                                             .width = 3,
                                             .M = M,
                                             .f = f,
                                             .H = {.body = (int[]){0, -1}, .block = H},
                                             .w = w,
                                             .law = &law}),
              *global = rows_of(p);
  double r[5] = {1, 0.1, 0.1, 0.001, 0}, u[2][5];
  assert_int_equal(stc_problem_complete(p, &(stc_solution){.r = r, .u = u[0]}), STC_OK);
  assert_int_equal(stc_problem_complete(global, &(stc_solution){.r = r, .u = u[1]}), STC_OK);
  for (int k = 0; k < 5; k++) expect_near(u[0][k], u[1][k], 1e-13);
  stc_problem_free(&global);
  stc_problem_free(&p);
}

// --- Refusals ---

/// `change` spoils the heap.
static void expect_refused(void (*change)(heap *, stc_bodies_data *), stc_error code,
                           const char *words) {
  heap h;
  stc_bodies_data data = make_heap(&h, JOINTS);
  stc_problem *problem = NULL;
  change(&h, &data);
  expect_failure(stc_problem_create_bodies(&data, &problem), code, words);
  assert_null(problem);
}

static void body_too_large(heap *h, stc_bodies_data *d) { (void)d, h->body[2] = BODIES; }
static void body_below(heap *h, stc_bodies_data *d) { (void)d, h->body[5] = -2; }
static void body_twice(heap *h, stc_bodies_data *d) { (void)d, h->body[4] = h->body[5]; }
static void joint_twice(heap *h, stc_bodies_data *d) { (void)d, h->joint_body[0] = 0; }
static void joint_below(heap *h, stc_bodies_data *d) { (void)d, h->joint_body[3] = -7; }
static void nan_row(heap *h, stc_bodies_data *d) { (void)d, h->H[2 * 18 * 2 + 4] = NAN; }
static void nan_joint(heap *h, stc_bodies_data *d) { (void)d, h->G[0] = INFINITY; }
static void nan_mass(heap *h, stc_bodies_data *d) { (void)d, h->M[36 + 1] = NAN; }
static void nan_force(heap *h, stc_bodies_data *d) { (void)d, h->f[8] = NAN; }
static void no_mass(heap *h, stc_bodies_data *d) { (void)d, h->M[36 + 7] = 0; }
static void skew_mass(heap *h, stc_bodies_data *d) { (void)d, h->M[36 + 1] += 1e-3; }
static void singular(heap *h, stc_bodies_data *d) {
  for (int k = 0; k < 36; k++) h->M[72 + k] = 1;
}
static void no_width(heap *h, stc_bodies_data *d) { (void)h, d->width = 0; }
static void many_bodies(heap *h, stc_bodies_data *d) { (void)h, d->bodies = 1 << 30; }
static void fewer_bodies(heap *h, stc_bodies_data *d) { (void)h, d->bodies = -1; }
static void no_rows(heap *h, stc_bodies_data *d) { (void)h, d->H.block = NULL; }
static void no_pairs(heap *h, stc_bodies_data *d) { (void)h, d->G.body = NULL; }
static void no_M(heap *h, stc_bodies_data *d) { (void)h, d->M = NULL; }
static void sheared(heap *h, stc_bodies_data *d) { h->frame[1] = 0.5, d->frame = h->frame; }

static void hostile_data(void **state) {
  expect_refused(body_too_large, STC_ERR_DIMENSION, "contact 1 is on body 5");
  expect_refused(body_below, STC_ERR_DIMENSION, "contact 2 is on body -2");
  expect_refused(body_twice, STC_ERR_VALUE, "contact 2 is on body 2 twice");
  expect_refused(joint_twice, STC_ERR_VALUE, "joint equation 0 is on body 0 twice");
  expect_refused(joint_below, STC_ERR_DIMENSION, "joint equation 1 is on body -7");
  expect_refused(nan_row, STC_ERR_VALUE, "contact 2, body 3: row 1, column 1 is nan");
  expect_refused(nan_joint, STC_ERR_VALUE, "joint equation 0, body 1: row 0, column 0 is inf");
  expect_refused(nan_mass, STC_ERR_VALUE, "M of body 1: entry (1, 0) = nan");
  expect_refused(nan_force, STC_ERR_VALUE, "f[8] = nan");
  expect_refused(no_mass, STC_ERR_VALUE, "M of body 1: entry (1, 1) = 0");
  expect_refused(skew_mass, STC_ERR_VALUE, "M of body 1: entry (1, 0)");
  expect_refused(singular, STC_ERR_NUMERIC,
                 "M of body 2 is not positive definite: the pivot of row 1");
  expect_refused(no_width, STC_ERR_DIMENSION, "width = 0");
  expect_refused(many_bodies, STC_ERR_DIMENSION, "bodies = 1073741824");
  expect_refused(fewer_bodies, STC_ERR_DIMENSION, "bodies = -1");
  expect_refused(no_rows, STC_ERR_ARGUMENT, "H.block is NULL");
  expect_refused(no_pairs, STC_ERR_ARGUMENT, "G.body is NULL");
  expect_refused(no_M, STC_ERR_ARGUMENT, "M is NULL");
  expect_refused(sheared, STC_ERR_VALUE, "frame of contact 0 is not orthonormal");
  stc_problem *problem = NULL;
  expect_failure(stc_problem_create_bodies(NULL, &problem), STC_ERR_ARGUMENT, "data");
}

// A local problem has lost its bodies; a row on three of them is not one of a pair.
static void what_has_no_bodies_form(void **state) {
  stc_problem *bodies = heap_of(0), *local = NULL, *none = NULL, *three = NULL;
  assert_int_equal(stc_problem_to_local(bodies, &local), STC_OK);
  expect_failure(stc_problem_to_bodies(local, &none), STC_ERR_UNSUPPORTED, "local form");
  int p[] = {0, 1, 2, 3}, i[] = {0, 1, 2}, hp[] = {0, 3, 6}, hi[] = {0, 1, 2, 0, 1, 2};
  double M[] = {1, 1, 1}, H[] = {1, 1, 1, 1, 2, 3}, f[3] = {0}, w[2] = {0}, mu = 0.1;
  stc_global_data data = {.dim = 2, .contacts = 1, .dofs = 3, .f = f, .w = w, .mu = &mu};
  data.M = (stc_matrix){3, 3, 3, STC_STORAGE_CSR, p, i, M};
  data.H = (stc_matrix){2, 3, 6, STC_STORAGE_CSR, hp, hi, H};
  assert_int_equal(stc_problem_create_global(&data, &three), STC_OK);
  stc_problem *one = NULL;  // three blocks of one degree of freedom under the same contact: a body
  assert_int_equal(stc_problem_to_bodies(three, &one), STC_OK);
  assert_int_equal(stc_problem_bodies_data(one).width, 3);
  stc_problem_free(&one);
  stc_problem_free(&three);
  stc_problem_free(&local);
  stc_problem_free(&bodies);
}

// Nothing moves: no bodies at all is a problem too.
static void no_bodies(void **state) {
  stc_problem *p =
      create(&(stc_bodies_data){.dim = 2,
                                .contacts = 1,
                                .width = 3,
                                .H = {.body = (int[]){-1, -1}, .block = (double[12]){0}},
                                .w = (double[]){1, 0},
                                .mu = (double[]){1}});
  double r[2] = {0}, u[2];
  assert_int_equal(stc_problem_complete(p, &(stc_solution){.r = r, .u = u}), STC_OK);
  assert_true(u[0] == 1 && u[1] == 0);
  stc_problem_free(&p);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(rows_that_are_lent),
      cmocka_unit_test(one_body_by_hand),
      cmocka_unit_test(the_views_give_back_what_was_given),
      cmocka_unit_test(forms_agree),
      cmocka_unit_test(rows_on_more_than_two_bodies),
      cmocka_unit_test(three_bodies_are_found),
      cmocka_unit_test(found_bodies_are_those_given),
      cmocka_unit_test(the_name_is_that_of_the_global_form),
      cmocka_unit_test(files_hold_the_global_form),
      cmocka_unit_test(frames_turn_the_rows),
      cmocka_unit_test(solvers_take_new_numbers),
      cmocka_unit_test(proofs_are_those_of_the_global_form),
      cmocka_unit_test(rolling_bodies),
      cmocka_unit_test(hostile_data),
      cmocka_unit_test(what_has_no_bodies_form),
      cmocka_unit_test(no_bodies),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
