// Spheres fall into a box and come to rest: time per step while they fly, flow and settle.
//   piles [spheres [seconds [h [threads [layers [file]]]]]]
// Prints one row per fifth of the time; seconds are those of the processor. The box is as wide as
// it takes for that number of layers; 0: as high as wide. With a file the spheres are only written
// to it, for other programs: radius, x, y, z, vx, vy, vz.
#include "../measure.h"

#include <stiction/stiction.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const double RADIUS = 0.05, DENSITY = 2500, MU = 0.5, TOL = 1e-6;
static const double SPREAD = 0.1;  // of the radii
static const double PITCH = 2.5;   // of the lattice they start from, in radii
static const double SPEED = 0.5;   // of the random velocities, m/s
enum { WINDOWS = 5 };

typedef struct sphere {
  double radius, x[3], v[3];
} sphere;

// --- The scene ---

static int across(int spheres, int layers) {
  return (int)ceil(layers > 0 ? sqrt((double)spheres / layers) : cbrt(spheres / 1.2));
}

static void place(int spheres, int n, sphere *list) {
  unsigned long long state = 1;
  double pitch = PITCH * RADIUS, play = (PITCH / 2 - 1 - SPREAD) * RADIUS;
  for (int k = 0; k < spheres; k++) {
    int at[3] = {k % n, k / n % n, k / n / n};
    list[k].radius = RADIUS * (1 + SPREAD * draw(&state));
    for (int i = 0; i < 3; i++) {
      list[k].x[i] = (at[i] + 0.5) * pitch + play * draw(&state);
      list[k].v[i] = SPEED * draw(&state);
    }
  }
}

static stc_error add_wall(stc_world *world, const double point[3], const double normal[3]) {
  // The plane's own normal is z: turn it by the quaternion that takes z to the normal.
  double w = sqrt((1 + normal[2]) / 2), s = w > 0 ? 1 / (2 * w) : 0;
  stc_part part = {.shape = {.kind = STC_SHAPE_PLANE}, .pose = {.rotation = {1, 0, 0, 0}}};
  stc_rigid_body body = stc_default_body();
  body.mobility = STC_MOBILITY_FIXED, body.parts = 1, body.part = &part;
  memcpy(body.pose.x, point, sizeof body.pose.x);
  memcpy(body.pose.rotation, (double[]){w, -normal[1] * s, normal[0] * s, 0},
         sizeof body.pose.rotation);
  return stc_world_add_body(world, &body, NULL);
}

static stc_error add_box(stc_world *world, double side) {
  const double origin[3] = {0, 0, 0}, far[3] = {side, side, 0};
  const double normal[5][3] = {{0, 0, 1}, {1, 0, 0}, {0, 1, 0}, {-1, 0, 0}, {0, -1, 0}};
  for (int k = 0; k < 5; k++) {
    stc_error error = add_wall(world, k < 3 ? origin : far, normal[k]);
    if (error) return error;
  }
  return STC_OK;
}

static stc_error add_sphere(stc_world *world, const sphere *s) {
  stc_part part = {.shape = {.kind = STC_SHAPE_SPHERE, .radius = s->radius},
                   .pose = {.rotation = {1, 0, 0, 0}},
                   .density = DENSITY};
  stc_rigid_body body = stc_default_body();
  body.parts = 1, body.part = &part;
  memcpy(body.pose.x, s->x, sizeof s->x);
  memcpy(body.velocity, s->v, sizeof s->v);
  return stc_world_add_body(world, &body, NULL);
}

static stc_error make_pile_world(int spheres, const sphere *list, double side, double h,
                                 int threads, stc_world **world) {
  stc_world_settings settings = stc_default_world_settings();
  stc_surface_pair pair = stc_default_surface_pair();
  settings.h = h;
  settings.tol = settings.accept = TOL;
  settings.threads = threads;
  pair.mu = MU;
  stc_error error = stc_world_create(&settings, world);
  if (!error) error = stc_world_set_surface_pair(*world, 0, 0, &pair);
  if (!error) error = add_box(*world, side);
  for (int k = 0; k < spheres && !error; k++) error = add_sphere(*world, &list[k]);
  return error ? error : stc_world_start(*world, 0);
}

// --- The run ---

typedef struct window {
  double seconds, collide, solve, slowest, eta, overlap;
  long contacts;
} window;

static stc_error advance_window(stc_world *world, window *w) {
  stc_world_report report;
  double began = processor_seconds();
  stc_error error = stc_world_step(world, &report);
  double took = processor_seconds() - began;
  if (error) return error;
  if (!report.accepted) {
    fprintf(stderr, "%s\n", report.reason);
    return STC_ERR_VALUE;
  }
  w->seconds += took;
  w->collide += report.collide_seconds;
  w->solve += report.solve_seconds;
  w->slowest = fmax(w->slowest, took);
  w->eta = fmax(w->eta, report.eta);
  w->overlap = fmax(w->overlap, report.overlap);
  w->contacts += report.contacts;
  return STC_OK;
}

static stc_error run_pile(stc_world *world, int spheres, double h, int threads, long steps) {
  for (int k = 0; k < WINDOWS; k++) {
    window w = {0};
    long begin = steps * k / WINDOWS, end = steps * (k + 1) / WINDOWS, count = end - begin;
    for (long n = begin; n < end; n++) {
      stc_error error = advance_window(world, &w);
      if (error) return error;
    }
    printf("%d,%g,%d,%.3f,%ld,%ld,%.3f,%.3f,%.2f,%.1e,%.1e,%.3e\n", spheres, h, threads,
           stc_world_time(world), count, w.contacts / count, 1e3 * w.seconds / (double)count,
           1e3 * w.slowest, w.collide / (w.collide + w.solve), w.eta, w.overlap,
           stc_world_ledger(world)->kinetic);
    fflush(stdout);
  }
  return STC_OK;
}

static int write_spheres(const char *path, int spheres, double side, const sphere *list) {
  FILE *file = fopen(path, "w");
  if (!file) return 1;
  fprintf(file, "radius,x,y,z,vx,vy,vz,%.17g\n", side);
  for (int k = 0; k < spheres; k++) {
    const sphere *s = &list[k];
    fprintf(file, "%.17g,%.17g,%.17g,%.17g,%.17g,%.17g,%.17g\n", s->radius, s->x[0], s->x[1],
            s->x[2], s->v[0], s->v[1], s->v[2]);
  }
  return fclose(file);
}

int main(int argc, char **argv) {
  int spheres = argc > 1 ? atoi(argv[1]) : 2000, threads = argc > 4 ? atoi(argv[4]) : 1;
  double seconds = argc > 2 ? atof(argv[2]) : 1, h = argc > 3 ? atof(argv[3]) : 5e-3;
  sphere *list = calloc((size_t)spheres, sizeof *list);
  stc_world *world = NULL;
  if (!list) return 1;
  int n = across(spheres, argc > 5 ? atoi(argv[5]) : 0);
  double side = n * PITCH * RADIUS;
  place(spheres, n, list);
  if (argc > 6) return write_spheres(argv[6], spheres, side, list);
  printf("spheres,h,threads,until_s,steps,contacts,step_ms,slowest_ms,collide_share,eta,"
         "overlap_m,kinetic_j\n");
  stc_error error = make_pile_world(spheres, list, side, h, threads, &world);
  if (!error) error = run_pile(world, spheres, h, threads, lround(seconds / h));
  if (error) fprintf(stderr, "%s\n", stc_error_detail());
  stc_world_free(&world);
  free(list);
  return error != STC_OK;
}
