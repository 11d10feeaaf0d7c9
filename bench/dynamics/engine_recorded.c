// What Siconos did with the scenes (siconos_scenes.py): places and times of each step, from the
// files in $BENCH_RECORDED.
#include "bench_scene.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { BODY_NUMBERS = 7 };  // place and orientation

typedef struct recorded {
  FILE *file;
  int bodies;
  double seconds;
  bench_state state[BENCH_MOST_BODIES];
} recorded;

static bool read_places(recorded *r) {
  for (int k = 0; k < r->bodies; k++) {
    double x[BODY_NUMBERS];
    if (fread(x, sizeof *x, BODY_NUMBERS, r->file) != BODY_NUMBERS) return false;
    memcpy(r->state[k].x, x, sizeof r->state[k].x);
    memcpy(r->state[k].rotation, x + 3, sizeof r->state[k].rotation);
  }
  return true;
}

static void free_recorded(void *engine) {
  recorded *r = engine;
  if (r->file) fclose(r->file);
  free(r);
}

static void *create_recorded(const bench_scene *scene) {
  const char *directory = getenv("BENCH_RECORDED");
  char path[1000];
  recorded *r = directory ? calloc(1, sizeof *r) : NULL;
  if (!r) return NULL;
  snprintf(path, sizeof path, "%s/%s.places", directory, scene->name);
  r->file = fopen(path, "rb");
  r->bodies = scene->bodies;
  if (r->file && read_places(r)) return r;
  free_recorded(r);
  return NULL;
}

static bool step_recorded(void *engine) {
  recorded *r = engine;
  return fread(&r->seconds, sizeof r->seconds, 1, r->file) == 1 && read_places(r);
}

static double seconds_recorded(void *engine) { return ((const recorded *)engine)->seconds; }

static void read_recorded(void *engine, int body, bench_state *state) {
  *state = ((const recorded *)engine)->state[body];
}

const bench_engine bench_siconos = {.name = "siconos",
                                    .space = true,
                                    .create = create_recorded,
                                    .step = step_recorded,
                                    .seconds = seconds_recorded,
                                    .read = read_recorded,
                                    .free = free_recorded};
