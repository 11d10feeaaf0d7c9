// How Hertz's problem in space grows: a rigid sphere pressed into a quarter of an elastic block,
// graded towards the contact, from 1e4 to 1e6 unknowns; seconds and bytes of each stage.
//   fem_growth [threads [largest [memory]]] > results/fem_growth.csv
// `largest` ends the list of sizes; a `memory` of 1 byte leaves no factor: multigrid for all sizes.
#include "measure.h"

#include <stiction/stiction.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <unistd.h>

// Units N, mm, MPa.
static const double RADIUS = 10, SIZE = 6, DELTA = 0.02, YOUNG = 2e5, POISSON = 0.3;

// --- The model ---

static bool map(void *user, const double *s, double *x) {
  (void)user;
  x[0] = SIZE * s[0];
  x[1] = SIZE * s[1];
  x[2] = SIZE * (s[2] - 1);
  return true;
}

static bool sphere(void *user, double t, const double *x, double *gap, double *normal) {
  (void)user;
  double d[3] = {x[0], x[1], x[2] - (RADIUS - DELTA * t)};
  double r = sqrt(d[0] * d[0] + d[1] * d[1] + d[2] * d[2]);
  *gap = r - RADIUS;
  for (int i = 0; i < 3; i++) normal[i] = d[i] / r;
  return true;
}

/// n cells of one size over the contact, then m that grow by one factor.
static void grade(int n, int m, double *list) {
  double zone = 1.3 * sqrt(DELTA * RADIUS), h = zone / n, low = 1e-3, high = 10;
  for (int step = 0; step < 200; step++) {
    double q = (low + high) / 2, sum = 0;
    for (int k = 1; k <= m; k++) sum += h * pow(q, k);
    *(sum > SIZE - zone ? &high : &low) = q;
  }
  double x = list[0] = 0;
  for (int k = 1; k <= n + m; k++) list[k] = (x += k <= n ? h : h * pow(low, k - n)) / SIZE;
  list[n + m] = 1;
}

static stc_error make_mesh(int n, int m, stc_mesh **mesh) {
  int count = n + m + 1;
  double *out = calloc((size_t)count, sizeof *out), *down = calloc((size_t)count, sizeof *down);
  stc_error error = STC_ERR_MEMORY;
  if (out && down) {
    grade(n, m, out);
    for (int k = 0; k < count; k++) down[k] = 1 - out[count - 1 - k];
    error = stc_mesh_grid(&(stc_grid){.type = STC_CELL_H8,
                                      .count = {count, count, count},
                                      .list = {out, out, down},
                                      .body = "block",
                                      .map = map},
                          mesh);
  }
  free(out);
  free(down);
  return error;
}

static stc_error make_model(const stc_mesh *mesh, const stc_fem_settings *settings, stc_fem **fem) {
  stc_body body = {.group = "block", .material = {.young = YOUNG, .poisson = POISSON}};
  stc_support support[] = {{.group = "block.s0", .component = 0},
                           {.group = "block.t0", .component = 1},
                           {.group = "block.w0", .component = 2}};
  stc_pair pair = {.name = "contact", .slave = "block.w1", .obstacle = {.distance = sphere}};
  return stc_fem_create(&(stc_fem_description){.mesh = mesh,
                                               .kinematics = STC_SOLID,
                                               .bodies = 1,
                                               .body = &body,
                                               .supports = 3,
                                               .support = support,
                                               .pairs = 1,
                                               .pair = &pair},
                        settings, fem);
}

// --- Results ---

typedef struct row {
  double mesh, create, advance;  // seconds
  double processor;              // seconds of all threads
  stc_fem_report report;
  double load, ratio;  // N; largest pressure over Hertz's
} row;

static stc_error measure_load(const stc_fem *fem, row *r) {
  double force[3], largest = 0, modulus = YOUNG / (1 - POISSON * POISSON);
  stc_error error = stc_fem_group_force(fem, "block.w0", force);
  for (int k = 0; k < stc_fem_contacts(fem, 0); k++) {
    stc_fem_contact_point point;
    stc_fem_contact(fem, 0, k, &point);
    largest = fmax(largest, point.pressure);
  }
  r->load = 4 * force[2];
  double a = cbrt(3 * r->load * RADIUS / (4 * modulus));
  r->ratio = largest / (3 * r->load / (2 * acos(-1) * a * a));
  return error;
}

static bool show(void *user, const char *stage, double done) {
  fprintf(stderr, "\r%8.1f s  %-24s %8.3g\033[K", wall_seconds() - *(double *)user, stage, done);
  return true;
}

static stc_error run_size(int n, int m, const stc_fem_settings *settings, row *r, int *dofs) {
  stc_mesh *mesh = NULL;
  stc_fem *fem = NULL;
  double start = wall_seconds(), busy = processor_seconds();
  stc_error error = make_mesh(n, m, &mesh);
  r->mesh = wall_seconds() - start;
  start = wall_seconds();
  if (!error) error = make_model(mesh, settings, &fem);
  r->create = wall_seconds() - start;
  start = wall_seconds();
  if (!error) error = stc_fem_advance(fem, 1, &r->report);
  r->advance = wall_seconds() - start;
  r->processor = processor_seconds() - busy;
  if (!error) error = measure_load(fem, r);
  *dofs = fem ? stc_fem_dofs(fem) : 0;
  stc_fem_free(&fem);
  stc_mesh_free(&mesh);
  return error;
}

static void print(int n, int m, int dofs, const row *r) {
  struct rusage usage;
  getrusage(RUSAGE_SELF, &usage);
  const stc_fem_report *p = &r->report;
  printf("%d,%d,%d,%d,%d,%.2f,%.2f,%.2f,%.2f,%.2f,%.2f,%.2f,%.2f,%.0f,%.0f,%.1e,%.4f,%.4f\n", n, m,
         dofs, p->closed, p->iterations, r->mesh, r->create, p->assembly_seconds, p->factor_seconds,
         p->contact_seconds, p->solve_seconds, r->mesh + r->create + r->advance, r->processor,
         p->megabytes, (double)usage.ru_maxrss / 1024, p->residual, r->load, r->ratio);
  fflush(stdout);
}

int main(int argc, char **argv) {
  static const int size[][2] = {{8, 6}, {12, 12}, {16, 16}, {24, 23}, {35, 34}};
  double start = wall_seconds(), largest = argc > 2 ? atof(argv[2]) : 1e9;
  stc_fem_settings settings = stc_default_fem_settings();
  settings.threads = argc > 1 ? atoi(argv[1]) : 1;
  settings.memory = argc > 3 ? atof(argv[3]) : settings.memory;
  if (isatty(STDERR_FILENO)) {
    settings.progress = show;
    settings.progress_user = &start;
  }
  printf("n,m,unknowns,closed,solves,mesh_s,create_s,assembly_s,factor_s,contact_s,solve_s,total_s,"
         "cpu_s,solver_mb,peak_mb,residual,load,p_max_over_hertz\n");
  for (size_t k = 0; k < sizeof size / sizeof *size; k++) {
    int n = size[k][0], m = size[k][1], dofs;
    row r = {0};
    if (3 * pow(n + m + 1, 3) > 1.1 * largest) break;
    stc_error error = run_size(n, m, &settings, &r, &dofs);
    if (error || !r.report.accepted) {
      fprintf(stderr, "%d cells: %s\n", n + m, error ? stc_error_detail() : r.report.reason);
      return 1;
    }
    print(n, m, dofs, &r);
  }
  return 0;
}
