// The wall of walls.c in MuJoCo 2.2: steps per second, and how far a brick drifts, with its default
// settings and with those that hold best.
//   mujoco_walls [rows [columns [seconds]]]
// MuJoCo 2.2 keeps a full matrix of the contacts in a buffer of at most 2 GB: the wall of 24 x 24
// does not fit.
#include "wall.h"

#include <math.h>
#include <mujoco/mujoco.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

/// Processor seconds: the machine may be busy with other things.
static double now(void) {
  struct timespec t;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
  return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

typedef struct variant {
  const char *name, *cone, *solver, *integrator;
  double h, impratio;
  int noslip, iterations;
  double tolerance;
} variant;

static const variant variants[] = {
    {"default", "pyramidal", "Newton", "Euler", 2e-3, 1, 0, 100, 1e-8},
    {"default h=5e-3", "pyramidal", "Newton", "Euler", 5e-3, 1, 0, 100, 1e-8},
    {"elliptic impratio=10", "elliptic", "Newton", "Euler", 2e-3, 10, 0, 100, 1e-10},
    {"elliptic impratio=10 noslip=10", "elliptic", "Newton", "Euler", 2e-3, 10, 10, 100, 1e-10},
    {"elliptic impratio=100 noslip=50 h=1e-3", "elliptic", "Newton", "Euler", 1e-3, 100, 50, 200,
     1e-12},
};
enum { VARIANTS = sizeof variants / sizeof *variants };

static int write_model(const char *path, const variant *v, int bricks, const brick *list) {
  FILE *f = fopen(path, "w");
  if (!f) return 1;
  fprintf(f, "<mujoco><option timestep=\"%g\" cone=\"%s\" solver=\"%s\" integrator=\"%s\" ", v->h,
          v->cone, v->solver, v->integrator);
  fprintf(f, "impratio=\"%g\" noslip_iterations=\"%d\" iterations=\"%d\" tolerance=\"%g\"/>",
          v->impratio, v->noslip, v->iterations, v->tolerance);
  int contacts = 14 * bricks, edges = strcmp(v->cone, "elliptic") ? 4 : 3;
  fprintf(f, "<size nconmax=\"%d\" njmax=\"%d\"/>", contacts, edges * contacts);
  fprintf(f, "<default><geom friction=\"%g 0.005 0.0001\" condim=\"3\"/></default><worldbody>",
          BRICK_MU);
  fprintf(f, "<geom type=\"plane\" size=\"0 0 1\"/>");
  for (int k = 0; k < bricks; k++) {
    const brick *b = &list[k];
    fprintf(f, "<body pos=\"%.17g %.17g %.17g\"><freejoint/>", b->x[0], b->x[1], b->x[2]);
    fprintf(f, "<geom type=\"box\" size=\"%.17g %.17g %.17g\" density=\"%g\"/></body>", b->half[0],
            b->half[1], b->half[2], BRICK_DENSITY);
  }
  fprintf(f, "</worldbody></mujoco>\n");
  return fclose(f);
}

/// Largest distance of a brick from x [3*bricks].
static double drift(const mjData *d, int bricks, const double *x) {
  double most = 0;
  for (int k = 0; k < bricks; k++) {
    double sum = 0;
    for (int i = 0; i < 3; i++) sum += pow(d->qpos[7 * k + i] - x[3 * k + i], 2);
    most = fmax(most, sqrt(sum));
  }
  return most;
}

static int run_variant(const variant *v, int bricks, const brick *list, double seconds,
                       const char *path, double *settled) {
  char error[500] = "";
  mjModel *m = write_model(path, v, bricks, list) ? NULL : mj_loadXML(path, NULL, error, 500);
  if (!m) {
    fprintf(stderr, "%s\n", error);
    return 1;
  }
  mjData *d = mj_makeData(m);
  long steps = lround(seconds / v->h), settling = lround(1 / v->h);
  double began = now(), most = 0;
  for (long n = 0; n < steps; n++) {
    mj_step(m, d);
    for (int k = 0; n + 1 == settling && k < 3 * bricks; k++)
      settled[k] = d->qpos[7 * (k / 3) + k % 3];
  }
  double took = now() - began;
  double *start = calloc((size_t)bricks * 3, sizeof *start);
  for (int k = 0; start && k < 3 * bricks; k++) start[k] = list[k / 3].x[k % 3];
  if (start) most = drift(d, bricks, start);
  printf("%s,%d,%g,%g,%d,%.1f,%.3e,%.3e\n", v->name, bricks, v->h, seconds, d->ncon,
         (double)steps / took, most, drift(d, bricks, settled) / (seconds - 1));
  fflush(stdout);
  free(start);
  mj_deleteData(d);
  mj_deleteModel(m);
  return 0;
}

int main(int argc, char **argv) {
  int rows = argc > 1 ? atoi(argv[1]) : 24, columns = argc > 2 ? atoi(argv[2]) : 24;
  double seconds = argc > 3 ? atof(argv[3]) : 10;
  int bricks = wall_bricks(rows, columns), failed = 0;
  brick *list = calloc((size_t)bricks, sizeof *list);
  double *settled = calloc((size_t)bricks * 3, sizeof *settled);
  if (!list || !settled) return 1;
  wall_place(rows, columns, list);
  printf("settings,bricks,h,seconds,contacts,steps_per_s,drift_m,creep_m_per_s\n");
  for (int k = 0; k < VARIANTS && !failed; k++)
    failed = run_variant(&variants[k], bricks, list, seconds, "mujoco_wall.xml", settled);
  remove("mujoco_wall.xml");
  free(list);
  free(settled);
  return failed;
}
