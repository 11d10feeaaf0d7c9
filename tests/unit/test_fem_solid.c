// Solids: patch tests, rigid motions, tangents against differences, closed forms of a tube and a
// beam, plastic bars, energy, states.
#include "fem_support.h"

#include "base/random.h"
#include "fem/solid/solid_data.h"

static bool on_boundary(const stc_mesh *m, int a) {
  for (int i = 0; i < m->dim; i++) {
    double x = m->x[a * m->dim + i];
    if (fabs(x) < 1e-12 || fabs(x - 1) < 1e-12) return true;
  }
  return false;
}

// --- Patch test ---

/// A displacement with one stress everywhere: linear; about an axis u_r = a r, u_z = b z.
static double patch_field(stc_kinematics kinematics, int i, const double *x) {
  static const double A[3][3] = {{1e-3, 4e-4, -3e-4}, {2e-4, -2e-3, 5e-4}, {6e-4, -1e-4, 7e-4}};
  if (kinematics == STC_AXISYMMETRIC) return A[i][i] * x[i];
  double sum = 1e-3 * i;
  for (int j = 0; j < (kinematics == STC_SOLID ? 3 : 2); j++) sum += A[i][j] * x[j];
  return sum;
}

/// Its stress by Hooke's law with lambda and G.
static void patch_stress(stc_kinematics kinematics, double *stress) {
  double e[6] = {1e-3, -2e-3, 0, 6e-4, 4e-4, 3e-4};  // xx, yy, zz, xy, yz, zx as angles
  if (kinematics == STC_AXISYMMETRIC) e[2] = 1e-3, e[3] = 0;
  if (kinematics == STC_SOLID) e[2] = 7e-4;
  if (kinematics == STC_PLANE_STRESS) e[2] = -0.3 / 0.7 * (e[0] + e[1]);
  double lambda = 2e5 * 0.3 / (1.3 * 0.4), G = 2e5 / 2.6, trace = e[0] + e[1] + e[2];
  for (int i = 0; i < 6; i++) stress[i] = i < 3 ? lambda * trace + 2 * G * e[i] : G * e[i];
  if (kinematics != STC_SOLID) stress[4] = stress[5] = 0;
}

static void a_linear_field_is_exact(void **state) {
  for (int k = 0; k < CASES; k++) {
    sample s;
    make_sample(&s, k, &steel);
    double *u = vector(s.size), *load = vector(s.size), *F = vector(s.size), stress[6], want[6],
           alpha;
    bool *fixed = test_calloc((size_t)s.size, sizeof *fixed);
    int dim = s.mesh->dim, free = 0;
    for (int i = 0; i < s.size; i++) {  // given on the boundary, 0 inside
      fixed[i] = on_boundary(s.mesh, i / dim);
      free += !fixed[i];
      if (fixed[i]) u[i] = patch_field(cases[k].kinematics, i % dim, s.mesh->x + i / dim * dim);
    }
    assert_true(free > 0);
    newton_step(s.solid, load, fixed, u);
    for (int i = 0; i < s.size; i++)
      expect_near(u[i], patch_field(cases[k].kinematics, i % dim, s.mesh->x + i / dim * dim),
                  1e-15);
    expect_ok(stc_solid_assemble(s.solid, u, F, NULL));
    patch_stress(cases[k].kinematics, want);
    for (int c = 0; c < s.mesh->cells; c++) {
      if (stc_cell_dim(s.mesh->type[c]) != dim) continue;
      stc_solid_stress(s.solid, c, stress, &alpha);
      for (int i = 0; i < 6; i++) expect_near(stress[i], want[i], 1e-9);
    }
    test_free(u), test_free(load), test_free(fixed), test_free(F);
    free_sample(&s);
  }
}

/// On a patch with one stress, the internal force balances the tractions of that stress.
static void tractions_balance_a_uniform_stress(void **state) {
  for (int k = 0; k < CASES; k++) {
    sample s;
    make_sample(&s, k, &steel);
    static const char *const name[] = {"b.s0", "b.s1", "b.t0", "b.t1", "b.w0", "b.w1"};
    static const int voigt[3][3] = {{0, 3, 5}, {3, 1, 4}, {5, 4, 2}};
    double want[6];
    patch_stress(cases[k].kinematics, want);
    stc_traction traction[18];
    int dim = s.mesh->dim, count = 0;
    for (int side = 0; side < 2 * dim; side++)
      for (int i = 0; i < dim; i++)
        traction[count++] = (stc_traction){
            name[side], i, {.value = (side % 2 ? 1 : -1) * want[voigt[i][side / 2]]}};
    s.description.tractions = count, s.description.traction = traction;
    stc_solid_free(&s.solid);
    s.solid = make_solid(&s.description);
    double *u = vector(s.size), *F = vector(s.size), *load = vector(s.size);
    for (int i = 0; i < s.size; i++)
      u[i] = patch_field(cases[k].kinematics, i % dim, s.mesh->x + i / dim * dim);
    expect_ok(stc_solid_assemble(s.solid, u, F, NULL));
    expect_ok(stc_solid_load(s.solid, 0, load));
    for (int i = 0; i < s.size; i++) expect_near(F[i], load[i], 1e-10);
    test_free(u), test_free(F), test_free(load);
    free_sample(&s);
  }
}

static void rigid_motions_need_no_force(void **state) {
  for (int k = 0; k < CASES; k++) {
    sample s;
    make_sample(&s, k, &steel);
    double *u = vector(s.size), *F = vector(s.size);
    int dim = s.mesh->dim;
    for (int a = 0; a < s.mesh->nodes; a++) {
      const double *x = s.mesh->x + a * dim;
      if (cases[k].kinematics == STC_AXISYMMETRIC) {
        u[2 * a + 1] = 0.7;  // along the axis only
        continue;
      }
      for (int i = 0; i < dim; i++) u[a * dim + i] = 0.3 * (i + 1);
      u[a * dim] -= 0.2 * x[1], u[a * dim + 1] += 0.2 * x[0];
      if (dim == 3) u[a * dim + 1] -= 0.4 * x[2], u[a * dim + 2] += 0.4 * x[1];
    }
    expect_ok(stc_solid_assemble(s.solid, u, F, NULL));
    for (int i = 0; i < s.size; i++) expect_near(F[i], 0, 1e-15 * 2e5 * 10);
    test_free(u), test_free(F);
    free_sample(&s);
  }
}

// --- Tangent ---

static void random_displacement(stc_random *random, int size, double scale, double *u) {
  for (int i = 0; i < size; i++) u[i] = scale * stc_random_normal(random);
}

/// K d against the central difference of F along a random direction, and K against its transpose.
static void expect_tangent(stc_solid *solid, stc_random *random, double scale) {
  const stc_csr *pattern = stc_solid_pattern(solid);
  int size = stc_solid_size(solid);
  double *u = vector(size), *d = vector(size), *Kd = vector(size), *up = vector(size);
  double *down = vector(size), *v = vector(size), largest = 0;
  stc_csr K = *pattern;
  K.val = vector(stc_csr_entries(pattern));
  random_displacement(random, size, scale, u);
  random_displacement(random, size, 1, d);
  expect_ok(stc_solid_assemble(solid, u, v, K.val));
  stc_csr_multiply(&K, d, 0, Kd);
  const double h = 1e-9;
  for (int i = 0; i < size; i++) v[i] = u[i] + h * d[i];
  expect_ok(stc_solid_assemble(solid, v, up, NULL));
  for (int i = 0; i < size; i++) v[i] = u[i] - h * d[i];
  expect_ok(stc_solid_assemble(solid, v, down, NULL));
  for (int i = 0; i < size; i++) largest = fmax(largest, fabs(Kd[i]));
  for (int i = 0; i < size; i++) expect_near((up[i] - down[i]) / (2 * h), Kd[i], 1e-5 * largest);
  expect_near(stc_csr_asymmetry(&K, NULL, NULL), 0, 0);
  test_free(u), test_free(d), test_free(Kd), test_free(up), test_free(down), test_free(v);
  test_free(K.val);
}

static void stiffness_is_the_derivative_of_force(void **state) {
  stc_random random = stc_random_seed(11);
  for (int k = 0; k < CASES; k++)
    for (int plastic = 0; plastic < 2; plastic++) {
      sample s;
      make_sample(&s, k, plastic ? &soft : &steel);
      assert_int_equal(stc_solid_is_elastic(s.solid), !plastic);
      expect_tangent(s.solid, &random, 1e-2);
      stc_solid_keep(s.solid);  // flow, keep, and flow again
      expect_tangent(s.solid, &random, 1e-2);
      free_sample(&s);
    }
}

/// Blocks of one colour run at the same time: they share no node.
static void expect_apart(const stc_solid *solid) {
  const stc_schedule *p = &solid->schedule;
  int *owner = test_calloc((size_t)solid->mesh->nodes, sizeof *owner), cells = 0;
  for (int c = 0; c < p->colours; c++)
    for (int k = p->colour[c]; k < p->colour[c + 1]; k++) {
      int block = p->block[k], mark = c * p->blocks + block + 1;
      for (int e = p->first[block]; e < p->first[block + 1]; e++, cells++)
        for (int a = 0; a < stc_solid_table(solid, e)->nodes; a++) {
          int *by = &owner[stc_solid_nodes(solid, e)[a]];
          assert_true(*by == mark || *by <= c * p->blocks);
          *by = mark;
        }
    }
  assert_int_equal(cells, solid->cells);  // and every cell has its turn
  test_free(owner);
}

/// Blocks are summed in one order: the same bits with any number of threads.
static void threads_do_not_change_a_bit(void **state) {
  stc_mesh *mesh = distorted_grid(STC_CELL_H8, 9);
  const stc_body body = {.group = "b", .material = soft};
  stc_fem_description d = describe(mesh, STC_SOLID, &body);
  stc_solid *one, *three;
  expect_ok(stc_solid_create(&d, 1, &one));
  expect_ok(stc_solid_create(&d, 3, &three));
  int size = stc_solid_size(one), entries = stc_csr_entries(stc_solid_pattern(one));
  double *u = vector(size), *F1 = vector(size), *F3 = vector(size), *K1 = vector(entries);
  double *K3 = vector(entries);
  stc_random random = stc_random_seed(1);
  random_displacement(&random, size, 1e-3, u);
  expect_apart(one);
  expect_ok(stc_solid_assemble(one, u, F1, K1));
  expect_ok(stc_solid_assemble(three, u, F3, K3));
  assert_memory_equal(F1, F3, (size_t)size * sizeof *F1);
  assert_memory_equal(K1, K3, (size_t)entries * sizeof *K1);
  test_free(u), test_free(F1), test_free(F3), test_free(K1), test_free(K3);
  stc_solid_free(&one), stc_solid_free(&three), stc_mesh_free(&mesh);
}

#define BLADES 2500

/// A disc of triangles around one node: more blocks meet there than there are colours.
static void a_node_of_many_cells(void **state) {
  static double x[2 * (BLADES + 1)];
  static int ptr[BLADES + 1], node[3 * BLADES], cell[BLADES];
  static unsigned char type[BLADES];
  for (int k = 0; k < BLADES; k++) {
    double angle = 2 * acos(-1) * k / BLADES;
    x[2 * k + 2] = cos(angle), x[2 * k + 3] = sin(angle);
    node[3 * k] = 0, node[3 * k + 1] = k + 1, node[3 * k + 2] = (k + 1) % BLADES + 1;
    ptr[k + 1] = 3 * (k + 1), cell[k] = k, type[k] = STC_CELL_T3;
  }
  const stc_group group = {"b", 2, BLADES, cell};
  const stc_mesh mesh = {2, BLADES + 1, x, BLADES, type, ptr, node, 1, &group};
  const stc_body body = {.group = "b", .material = steel};
  stc_fem_description d = describe(&mesh, STC_PLANE_STRAIN, &body);
  double *u = vector(2 * mesh.nodes), *F[2], *K[2];
  for (int i = 0; i < 2 * mesh.nodes; i++) u[i] = 1e-3 * x[i];  // the disc grows by 1e-3
  for (int k = 0; k < 2; k++) {
    stc_solid *solid;
    expect_ok(stc_solid_create(&d, 1 + 2 * k, &solid));
    int entries = stc_csr_entries(stc_solid_pattern(solid));
    F[k] = vector(2 * mesh.nodes), K[k] = vector(entries);
    expect_apart(solid);
    expect_ok(stc_solid_assemble(solid, u, F[k], K[k]));
    if (k == 1) assert_memory_equal(K[0], K[1], (size_t)entries * sizeof **K);
    stc_solid_free(&solid);
  }
  assert_memory_equal(F[0], F[1], (size_t)(2 * mesh.nodes) * sizeof **F);
  // Stress 2 (lambda + G) 1e-3 on a rim of length 2 pi (a polygon: 1e-6 less), nothing in the hub.
  double push = 0, stress = 2e-3 * (2e5 * 0.3 / (1.3 * 0.4) + 2e5 / 2.6);
  for (int i = 2; i < 2 * mesh.nodes; i++) push += F[0][i] * x[i];
  expect_near(push, 2 * acos(-1) * stress, 1e-5 * push);
  expect_near(F[0][0], 0, 1e-9);
  expect_near(F[0][1], 0, 1e-9);
  for (int k = 0; k < 2; k++) test_free(F[k]), test_free(K[k]);
  test_free(u);
}

static void a_state_without_stress_is_named(void **state) {
  sample s;
  make_sample(&s, 6, &soft);  // Q4
  double *u = vector(s.size), *F = vector(s.size);
  u[0] = NAN;
  expect_failure(stc_solid_assemble(s.solid, u, F, NULL), STC_ERR_NUMERIC,
                 "no finite stress in cell 0 (Q4)");
  test_free(u), test_free(F);
  free_sample(&s);
}

// --- Closed forms ---

static bool tube(void *user, const double *s, double *x) {
  x[0] = 1 + s[0], x[1] = 0.3 * s[1];
  return true;
}

/// Lamé: a long tube 1 < r < 2 under the inner pressure p, held along its axis:
///   u_r = (1 + nu) / E * p / (b^2 - 1) * ((1 - 2 nu) r + b^2 / r),  b = 2.
static void a_tube_under_pressure(void **state) {
  stc_grid grid = {.type = STC_CELL_Q8, .count = {9, 3}, .body = "b", .map = tube};
  stc_mesh *mesh;
  expect_ok(stc_mesh_grid(&grid, &mesh));
  const stc_body body = {.group = "b", .material = steel};
  const stc_support support[] = {{"b.t0", 1, {.value = 0}}, {"b.t1", 1, {.value = 0}}};
  const stc_traction pressure = {"b.s0", -1, {.value = 100}};
  stc_fem_description d = describe(mesh, STC_AXISYMMETRIC, &body);
  d.supports = 2, d.support = support, d.tractions = 1, d.traction = &pressure;
  stc_solid *solid = make_solid(&d);
  double *u = vector(stc_solid_size(solid));
  solve_at(solid, 0, 1, u);
  for (int a = 0; a < mesh->nodes; a++) {
    double r = mesh->x[2 * a], want = 1.3 / 2e5 * 100 / 3 * (0.4 * r + 4 / r);
    expect_near(u[2 * a], want, 2e-5 * want);  // eight cells of order 4 in the displacement
    expect_near(u[2 * a + 1], 0, 1e-10);
  }
  test_free(u), stc_solid_free(&solid), stc_mesh_free(&mesh);
}

static bool long_beam(void *user, const double *s, double *x) {
  x[0] = 10 * s[0], x[1] = s[1] - 0.5;
  return true;
}

/// Shear of a beam's end section: parabolic, of unit sum.
static bool parabola(void *user, double t, const double *x, double *value) {
  *value = 1.5 * (1 - 4 * x[1] * x[1]);
  return true;
}

/// Timoshenko's beam in plane stress, L = 10, h = 1, P = 1, I = 1/12, E = 2e5, nu = 0.3:
///   6 E I u_x = -P y ((6 L - 3 x) x + (2 + nu) (y^2 - h^2 / 4)),
///   6 E I u_y = P (3 nu y^2 (L - x) + (4 + 5 nu) h^2 x / 4 + (3 L - x) x^2).
static bool warped(void *user, double t, const double *x, double *value) {
  const double y = x[1], EI = 2e5 / 12;
  if (*(const int *)user == 0)
    *value = -y * ((60 - 3 * x[0]) * x[0] + 2.3 * (y * y - 0.25)) / (6 * EI);
  else
    *value = (0.9 * y * y * (10 - x[0]) + 5.5 * x[0] / 4 + (30 - x[0]) * x[0] * x[0]) / (6 * EI);
  return true;
}

static void a_cantilever_bends(void **state) {
  stc_grid grid = {.type = STC_CELL_Q8, .count = {21, 3}, .body = "b", .map = long_beam};
  stc_mesh *mesh;
  expect_ok(stc_mesh_grid(&grid, &mesh));
  const stc_body body = {.group = "b", .material = steel};
  int x = 0, y = 1;
  const stc_support support[] = {{"b.s0", 0, {.function = warped, .user = &x}},
                                 {"b.s0", 1, {.function = warped, .user = &y}}};
  const stc_traction shear = {"b.s1", 1, {.function = parabola}};
  stc_fem_description d = describe(mesh, STC_PLANE_STRESS, &body);
  d.supports = 2, d.support = support, d.tractions = 1, d.traction = &shear;
  stc_solid *solid = make_solid(&d);
  int size = stc_solid_size(solid);
  double *u = vector(size), *F = vector(size), stored, plastic, work = 0;
  solve_at(solid, 0, 1, u);
  for (int i = 0; i < size; i++) {
    double want;
    warped(i % 2 ? &y : &x, 0, mesh->x + i / 2 * 2, &want);
    expect_near(u[i], want, 2e-6);  // 1e-4 of the deflection at the tip
  }
  expect_ok(stc_solid_assemble(solid, u, F, NULL));
  for (int i = 0; i < size; i++) work += F[i] * u[i] / 2;
  stc_solid_energy(solid, &stored, &plastic);
  expect_near(stored, work, 1e-10 * work);  // Clapeyron
  expect_near(plastic, 0, 0);
  test_free(u), test_free(F), stc_solid_free(&solid), stc_mesh_free(&mesh);
}

// --- Plastic bars ---

static bool pulled(void *user, double t, const double *x, double *value) {
  *value = t;
  return true;
}

/// The work of the supports' forces between two states by the rule of trapezoids.
static double work_between(int size, const double *F0, const double *F1, const double *u0,
                           const double *u1) {
  double work = 0;
  for (int i = 0; i < size; i++) work += (F0[i] + F1[i]) / 2 * (u1[i] - u0[i]);
  return work;
}

/// A bar with free sides is pulled to the strain 0.01 and let back to 0.004 in steps; yield 300,
/// H = 2000. Loaded: sigma = (E yield + E H eps) / (E + H) = yield + H alpha; unloading is elastic.
/// What the supports put in is stored or lost.
static void a_bar_yields_and_unloads(void **state) {
  for (int k = 0; k < CASES; k++) {
    if (cases[k].kinematics == STC_PLANE_STRAIN) continue;  // not uniaxial
    sample s;
    make_sample(&s, k, &soft);
    // Along y; the other sides slide on planes through the origin.
    const stc_support support[] = {{"b.t0", 1, {.value = 0}},
                                   {"b.t1", 1, {.function = pulled}},
                                   {"b.s0", 0, {.value = 0}},
                                   {"b.w0", 2, {.value = 0}}};
    s.description.supports = s.mesh->dim == 3 ? 4 : 3, s.description.support = support;
    stc_solid_free(&s.solid);
    s.solid = make_solid(&s.description);
    double *u = vector(s.size), *F = vector(s.size), *u0 = vector(s.size), *F0 = vector(s.size);
    double stress[6], alpha, work = 0, stored, plastic;
    double volume = cases[k].kinematics == STC_AXISYMMETRIC ? acos(-1) : 1;
    static const double path[] = {0.0015, 0.004, 0.007, 0.01, 0.0096};
    for (int step = 0; step < 5; step++) {
      memcpy(u0, u, (size_t)s.size * sizeof *u), memcpy(F0, F, (size_t)s.size * sizeof *F);
      for (int i = 0; i < s.size; i++)  // the linear field: Newton's start is the answer's shape
        if (i % s.mesh->dim == 1) u[i] = path[step] * s.mesh->x[i];
      solve_at(s.solid, path[step], 12, u);
      expect_ok(stc_solid_assemble(s.solid, u, F, NULL));
      stc_solid_keep(s.solid);
      work += work_between(s.size, F0, F, u0, u);
      double eps = fmin(path[step], 0.01), loaded = (2e5 * 300 + 2e5 * 2000 * eps) / 202000;
      if (step == 4) loaded = (2e5 * 300 + 2e5 * 2000 * 0.01) / 202000 - 2e5 * 0.0004;
      double sigma = step == 0 ? 300 : loaded, grown = step == 0 ? 0 : eps - loaded / 2e5;
      stc_solid_stress(s.solid, 0, stress, &alpha);
      expect_near(stress[1], sigma, 1e-8);
      expect_near(stress[0], 0, 1e-8);
      expect_near(alpha, grown, 1e-12);
      stc_solid_energy(s.solid, &stored, &plastic);
      expect_near(plastic, 300 * grown * volume, 1e-9);
      expect_near(stored, (sigma * sigma / 4e5 + 1000 * grown * grown) * volume, 1e-9);
      expect_near(stored + plastic, work, 1e-9);  // sigma is linear in each step: exact
    }
    test_free(u), test_free(F), test_free(u0), test_free(F0);
    free_sample(&s);
  }
}

// --- State and scales ---

static void a_restored_state_gives_the_same_bits(void **state) {
  sample s;
  make_sample(&s, 13, &soft);  // H8
  stc_random random = stc_random_seed(5);
  stc_tape tape = {0};
  stc_solid_pass(&tape, s.solid);
  size_t count = tape.count;
  double *saved = test_calloc(count, sizeof *saved), *again = test_calloc(count, sizeof *again);
  double *u = vector(s.size), *v = vector(s.size), *F = vector(s.size), *G = vector(s.size);
  random_displacement(&random, s.size, 1e-2, u);
  random_displacement(&random, s.size, 1e-2, v);
  expect_ok(stc_solid_assemble(s.solid, u, F, NULL));
  stc_solid_keep(s.solid);
  stc_solid_pass(&(stc_tape){.to = saved}, s.solid);
  expect_ok(stc_solid_assemble(s.solid, v, F, NULL));
  stc_solid_keep(s.solid);
  stc_solid_pass(&(stc_tape){.to = again}, s.solid);
  assert_memory_not_equal(saved, again, count * sizeof *saved);
  stc_solid_pass(&(stc_tape){.from = saved}, s.solid);
  stc_solid_pass(&(stc_tape){.to = again}, s.solid);
  assert_memory_equal(saved, again, count * sizeof *saved);
  expect_ok(stc_solid_assemble(s.solid, v, G, NULL));
  assert_memory_equal(F, G, (size_t)s.size * sizeof *F);
  test_free(saved), test_free(again), test_free(u), test_free(v), test_free(F), test_free(G);
  free_sample(&s);
}

static void scales_are_those_of_the_surroundings(void **state) {
  // Cells 1/2 and 1/4 wide, 1 high: the node between them sees the smaller, sqrt(1/4).
  stc_grid grid = {.type = STC_CELL_Q4, .count = {3, 2}, .body = "b"};
  grid.list[0] = (const double[]){0, 0.75, 1};
  stc_mesh *mesh;
  expect_ok(stc_mesh_grid(&grid, &mesh));
  const stc_body body = {.group = "b", .material = steel};
  stc_fem_description d = describe(mesh, STC_PLANE_STRAIN, &body);
  stc_solid *solid = make_solid(&d);
  double young, length;
  stc_solid_scales(solid, 0, &young, &length);
  expect_near(young, 2e5, 0);
  expect_near(length, sqrt(0.75), 1e-15);
  stc_solid_scales(solid, 1, &young, &length);
  expect_near(length, 0.5, 1e-15);
  stc_solid_free(&solid), stc_mesh_free(&mesh);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_linear_field_is_exact),
      cmocka_unit_test(tractions_balance_a_uniform_stress),
      cmocka_unit_test(rigid_motions_need_no_force),
      cmocka_unit_test(stiffness_is_the_derivative_of_force),
      cmocka_unit_test(threads_do_not_change_a_bit),
      cmocka_unit_test(a_node_of_many_cells),
      cmocka_unit_test(a_state_without_stress_is_named),
      cmocka_unit_test(a_tube_under_pressure),
      cmocka_unit_test(a_cantilever_bends),
      cmocka_unit_test(a_bar_yields_and_unloads),
      cmocka_unit_test(a_restored_state_gives_the_same_bits),
      cmocka_unit_test(scales_are_those_of_the_surroundings),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
