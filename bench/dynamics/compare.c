// Runs the scenes of the comparison in every engine of this build, on its default settings, and
// measures time and errors by the same code, from the places of the bodies alone:
//   dynamics_compare [ENGINE [PART_OF_A_NAME]]        CSV, one line for each engine and scene
//   dynamics_compare --write DIRECTORY [PART]         scenes without joints, for other programs
//   dynamics_compare --precision [PART]               work against the error of the first second
// With BENCH_H=2 in the environment steps are twice as long.
#include "bench_scene.h"

#include "../measure.h"

#include <stiction/stiction.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const double G = 9.81;

/// Fewer and longer steps of the same motion.
static void stretch(bench_scene *scene, double factor) {
  scene->h *= factor;
  scene->steps = (int)(scene->steps / factor);
  if (scene->rest_from > 0) scene->rest_from = (int)(scene->rest_from / factor);
}

/// What a run is measured by.
typedef struct measures {
  int steps;
  double total, worst;               ///< processor ms
  double creep;                      ///< m/s: the fastest mean velocity after rest_from
  double overlap, overlap_sum;       ///< m: the deepest, and the mean of the deepest of each look
  double least_energy, gain, scale;  ///< J: what it rose by above its least, and what it is to
  double joint_gap;                  ///< m
  int looks;
} measures;

typedef struct watch {
  const bench_scene *scene;
  bench_state *before, *now, *start, *rest;
  double (*anchor)[2][3];  ///< of joints, in their bodies
  double inertia[BENCH_MOST_BODIES][6];
  stc_broad *broad;
} watch;

static stc_shape shape_of(const bench_body *b) {
  static const stc_shape_kind kinds[] = {STC_SHAPE_BOX, STC_SHAPE_SPHERE, STC_SHAPE_CAPSULE,
                                         STC_SHAPE_PLANE};
  stc_shape shape = {.kind = kinds[b->shape], .radius = b->size[0]};
  if (b->shape == BENCH_BOX) memcpy(shape.half, b->size, sizeof b->size);
  if (b->shape == BENCH_CAPSULE) shape.half[2] = b->size[1];
  return shape;
}

static stc_pose pose_of(const bench_body *b, const bench_state *s) {
  stc_pose pose = stc_pose_identity();
  if (b->shape == BENCH_PLANE) {
    double q[4] = {1 + b->size[2], -b->size[1], b->size[0], 0}, sum = 0;
    for (int i = 0; i < 4; i++) sum += q[i] * q[i];
    for (int i = 0; i < 4; i++) pose.rotation[i] = q[i] / sqrt(sum);
    memcpy(pose.x, b->x, sizeof pose.x);
  } else {
    memcpy(pose.x, s->x, sizeof pose.x);
    memcpy(pose.rotation, s->rotation, sizeof pose.rotation);
  }
  return pose;
}

// --- Errors ---

/// The deepest overlap of all pairs.
static double find_overlap(const watch *w) {
  static double low[3 * BENCH_MOST_BODIES], high[3 * BENCH_MOST_BODIES];
  static bool moving[BENCH_MOST_BODIES];
  stc_contact_point point[STC_MANIFOLD];
  const bench_body *body = w->scene->body;
  const int *pair;
  double most = 0;
  int pairs = 0;
  for (int k = 0; k < w->scene->bodies; k++) {
    stc_shape shape = shape_of(&body[k]);
    stc_pose pose = pose_of(&body[k], &w->now[k]);
    moving[k] = body[k].mass > 0;
    stc_shape_bounds(&shape, &pose, low + 3 * (size_t)k, high + 3 * (size_t)k);
  }
  if (stc_broad_find(w->broad, w->scene->bodies, low, high, moving, &pairs, &pair)) return NAN;
  for (int k = 0; k < pairs; k++) {
    const bench_body *a = &body[pair[2 * k]], *b = &body[pair[2 * k + 1]];
    stc_shape shape_a = shape_of(a), shape_b = shape_of(b);
    stc_pose pose_a = pose_of(a, &w->now[pair[2 * k]]),
             pose_b = pose_of(b, &w->now[pair[2 * k + 1]]);
    int points = stc_collide(&shape_a, &pose_a, &shape_b, &pose_b, 0, point);
    for (int i = 0; i < points; i++) most = fmax(most, -point[i].gap);
  }
  return most;
}

/// Twice the kinetic energy of a rotation from one orientation to the next, by h.
static double energy_of_rotation(const double inertia[6], const double *a, const double *b,
                                 double h) {
  double x = a[0] * b[1] - a[1] * b[0] - a[2] * b[3] + a[3] * b[2];
  double y = a[0] * b[2] + a[1] * b[3] - a[2] * b[0] - a[3] * b[1];
  double z = a[0] * b[3] - a[1] * b[2] + a[2] * b[1] - a[3] * b[0];
  double p = 2 * x / h, q = 2 * y / h, r = 2 * z / h;
  return inertia[0] * p * p + inertia[1] * q * q + inertia[2] * r * r;
}

/// From the places before and after a step: velocities are differences, heights means.
static double find_energy(const watch *w) {
  double energy = 0, h = w->scene->h;
  for (int k = 0; k < w->scene->bodies; k++) {
    const bench_body *b = &w->scene->body[k];
    const bench_state *s = &w->before[k], *t = &w->now[k];
    double square = 0;
    if (b->mass == 0) continue;
    for (int i = 0; i < 3; i++) square += (t->x[i] - s->x[i]) * (t->x[i] - s->x[i]) / (h * h);
    energy += b->mass * (square / 2 + G * (s->x[2] + t->x[2]) / 2);
    energy += b->mass * energy_of_rotation(w->inertia[k], s->rotation, t->rotation, h) / 2;
  }
  return energy;
}

static double find_joint_gap(const watch *w) {
  double most = 0;
  for (int k = 0; k < w->scene->joints; k++) {
    const bench_joint *j = &w->scene->joint[k];
    double end[2][3], square = 0;
    memcpy(end[1], j->at, sizeof end[1]);
    for (int i = 0; i < 2; i++) {
      if (j->body[i] < 0) continue;
      stc_pose pose = pose_of(&w->scene->body[j->body[i]], &w->now[j->body[i]]);
      stc_pose_point(&pose, w->anchor[k][i], end[i]);
    }
    for (int i = 0; i < 3; i++) square += (end[0][i] - end[1][i]) * (end[0][i] - end[1][i]);
    most = fmax(most, sqrt(square));
  }
  return most;
}

static double find_creep(const watch *w, int steps) {
  double most = 0, time = (steps - w->scene->rest_from) * w->scene->h;
  for (int k = 0; k < w->scene->bodies && time > 0; k++) {
    double square = 0;
    for (int i = 0; i < 3; i++)
      square += (w->now[k].x[i] - w->rest[k].x[i]) * (w->now[k].x[i] - w->rest[k].x[i]);
    most = fmax(most, sqrt(square) / time);
  }
  return most;
}

// --- A run ---

static void read_all(const bench_engine *engine, void *e, const watch *w, bench_state *into) {
  for (int k = 0; k < w->scene->bodies; k++) engine->read(e, k, &into[k]);
}

static void begin_watch(const bench_engine *engine, void *e, watch *w) {
  read_all(engine, e, w, w->now);
  memcpy(w->start, w->now, (size_t)w->scene->bodies * sizeof *w->now);
  for (int k = 0; k < w->scene->bodies; k++) {
    stc_shape shape = shape_of(&w->scene->body[k]);
    double volume = 1, centre[3];
    if (w->scene->body[k].mass == 0) continue;
    if (stc_shape_mass(&shape, &volume, centre, w->inertia[k])) volume = 1;
    for (int i = 0; i < 3; i++) w->inertia[k][i] /= volume;
  }
  for (int k = 0; k < w->scene->joints; k++)
    for (int i = 0; i < 2; i++) {
      const bench_joint *j = &w->scene->joint[k];
      if (j->body[i] < 0) continue;
      stc_pose pose = pose_of(&w->scene->body[j->body[i]], &w->now[j->body[i]]);
      double way[3];
      for (int l = 0; l < 3; l++) way[l] = j->at[l] - pose.x[l];
      for (int l = 1; l < 4; l++) pose.rotation[l] = -pose.rotation[l];
      stc_pose_direction(&pose, way, w->anchor[k][i]);
    }
}

/// Looks at a step in some; energy is watched in each.
static void look(const watch *w, int step, measures *m) {
  enum { EVERY = 5 };
  double energy = find_energy(w);
  if (step == 0) m->least_energy = energy;
  m->gain = fmax(m->gain, energy - m->least_energy);
  m->least_energy = fmin(m->least_energy, energy);
  m->joint_gap = fmax(m->joint_gap, find_joint_gap(w));
  if (step % EVERY != 0) return;
  double overlap = find_overlap(w);
  m->overlap = fmax(m->overlap, overlap);
  m->overlap_sum += overlap;
  m->looks++;
}

static measures run_steps(const bench_engine *engine, void *e, watch *w) {
  measures m = {0};
  size_t bytes = (size_t)w->scene->bodies * sizeof(bench_state);
  bool takes = true;
  for (int n = 0; n < w->scene->steps && takes; n++, m.steps++) {
    memcpy(w->before, w->now, bytes);
    double began = processor_seconds();
    takes = engine->step(e);
    double ms = 1e3 * (engine->seconds ? engine->seconds(e) : processor_seconds() - began);
    m.total += ms;
    m.worst = fmax(m.worst, ms);
    read_all(engine, e, w, w->now);
    look(w, n, &m);
    if (n == w->scene->rest_from) memcpy(w->rest, w->now, bytes);
  }
  m.creep = w->scene->rest_from >= 0 ? find_creep(w, m.steps) : NAN;
  for (int k = 0; k < w->scene->bodies; k++)
    m.scale += w->scene->body[k].mass * G * fabs(w->scene->body[k].x[2]);
  return m;
}

static void print_number(double x) {
  if (isnan(x))
    printf(",");
  else
    printf(",%.3g", x);
}

static void run(const bench_engine *engine, const char *name, const bench_scene *scene) {
  static bench_state state[4][BENCH_MOST_BODIES];
  static double anchor[BENCH_MOST_JOINTS][2][3];
  static watch w;
  memset(state, 0, sizeof state);
  w = (watch){scene, state[0], state[1], state[2], state[3], anchor, {{0}}, NULL};
  void *e = engine->create(scene);
  if (!e) return;
  if (!stc_broad_create(&w.broad)) {
    begin_watch(engine, e, &w);
    measures m = run_steps(engine, e, &w);
    printf("%s,%s,%g,%d,%d,%.4g,%.4g", scene->name, name, scene->h, scene->bodies, m.steps,
           m.total / m.steps, m.worst);
    print_number(m.creep);
    print_number(m.looks && !scene->joints ? m.overlap_sum / m.looks : NAN);
    print_number(scene->joints ? NAN : m.overlap);
    print_number(m.gain / m.scale);
    print_number(scene->joints ? m.joint_gap : NAN);
    printf("\n");
    fflush(stdout);
  }
  stc_broad_free(&w.broad);
  engine->free(e);
}

// --- Work against precision ---

// The places of the first second are compared at this many times, a whole number of steps apart;
// the reference takes steps of h divided by this number.
enum { LOOKS = 5, FINER = 64, ROUNDS = 5 };

/// Follows an engine for a second: places at all looks, the joint gap there, and the processor
/// time.
static bool follow(const bench_engine *engine, const bench_scene *scene, double *x, double *seconds,
                   double *gap) {
  static bench_state state[2][BENCH_MOST_BODIES];
  static double anchor[BENCH_MOST_JOINTS][2][3];
  static watch w;
  w = (watch){scene, state[0], state[1], state[0], state[0], anchor, {{0}}, NULL};
  int steps = (int)lround(1 / scene->h), at = 0;
  void *e = engine->create(scene);
  bool takes = e != NULL;
  if (takes) begin_watch(engine, e, &w);
  *seconds = *gap = 0;
  for (int n = 0; n < steps && takes; n++) {
    double began = processor_seconds();
    takes = engine->step(e);
    *seconds += engine->seconds ? engine->seconds(e) : processor_seconds() - began;
    if ((n + 1) * LOOKS % steps != 0) continue;
    read_all(engine, e, &w, w.now);
    *gap = fmax(*gap, find_joint_gap(&w));
    for (int b = 0; b < scene->bodies; b++)
      for (int i = 0; i < 3; i++) x[at++] = w.now[b].x[i];
  }
  if (e) engine->free(e);
  return takes;
}

/// The largest distance of a body from where the reference has it.
static double distance_of(const bench_scene *scene, const double *x, const double *reference) {
  double most = 0;
  for (int k = 0; k < LOOKS * scene->bodies; k++) {
    double square = 0;
    for (int i = 3 * k; i < 3 * k + 3; i++) square += (x[i] - reference[i]) * (x[i] - reference[i]);
    most = fmax(most, sqrt(square));
  }
  return most;
}

/// The best time of some rounds.
static void measure_precision(const bench_engine *engine, const bench_scene *scene,
                              const double *reference) {
  static double x[3 * LOOKS * BENCH_MOST_BODIES];
  double best = INFINITY, gap = 0, seconds;
  for (int k = 0; k < ROUNDS; k++) {
    if (!follow(engine, scene, x, &seconds, &gap)) return;
    best = fmin(best, seconds);
  }
  printf("%s,%s,%g,%.3g,%.3g,%.3g\n", scene->name, engine->name, scene->h, 1e3 * best,
         distance_of(scene, x, reference), gap);
  fflush(stdout);
}

/// Every engine with steps of 4 h, 2 h, h, h / 2 and h / 4.
static void run_precision(const bench_scene *scene, const bench_engine *const *engines,
                          size_t count) {
  static double reference[3 * LOOKS * BENCH_MOST_BODIES];
  bench_scene other = *scene;
  double seconds, gap;
  other.h = scene->h / FINER;
  if (!follow(engines[0], &other, reference, &seconds, &gap)) return;
  for (size_t i = 0; i < count; i++)
    for (int k = -2; k <= 2; k++) {
      other.h = ldexp(scene->h, -k);
      if (engines[i]->space && engines[i] != &bench_siconos)
        measure_precision(engines[i], &other, reference);
    }
}

/// All scenes with joints.
static int run_precisions(const char *part, const bench_engine *const *engines, size_t count) {
  static bench_scene scene;
  printf("scene,engine,h,ms_per_second,error_m,joint_gap_m\n");
  for (int k = 0; bench_scene_make(k, &scene); k++)
    if (scene.joints > 0 && strstr(scene.name, part)) run_precision(&scene, engines, count);
  return 0;
}

// --- Scenes as files ---

static void write_body(FILE *out, const bench_body *b) {
  static const char *const kinds[] = {"box", "sphere", "capsule", "plane"};
  const double *q = b->rotation;
  fprintf(out, "%s", kinds[b->shape]);
  for (int i = 0; i < 3; i++) fprintf(out, ",%.17g", b->size[i]);
  for (int i = 0; i < 3; i++) fprintf(out, ",%.17g", b->x[i]);
  for (int i = 0; i < 3; i++) fprintf(out, ",%.17g", b->v[i]);
  fprintf(out, ",%.17g,%.17g,%.17g,%.17g,%.17g\n", q[0], q[1], q[2], q[3], b->mass);
}

static int write_scenes(const char *directory, const char *part) {
  static bench_scene scene;
  char path[1000];
  for (int k = 0; bench_scene_make(k, &scene); k++) {
    if (scene.plane || scene.joints > 0 || !strstr(scene.name, part)) continue;
    snprintf(path, sizeof path, "%s/%s.scene", directory, scene.name);
    FILE *out = fopen(path, "w");
    if (!out) return perror(path), 1;
    fprintf(out, "%.17g,%.17g,%d\n", scene.h, scene.mu, scene.steps);
    for (int b = 0; b < scene.bodies; b++) write_body(out, &scene.body[b]);
    if (fclose(out)) return perror(path), 1;
  }
  return 0;
}

int main(int argc, char **argv) {
  static const bench_engine *const engines[] = {
      &bench_stiction,
#ifdef WITH_BULLET
      &bench_bullet,
#endif
#ifdef WITH_ODE
      &bench_ode,
#endif
#ifdef WITH_MUJOCO
      &bench_mujoco,
#endif
#ifdef WITH_BOX2D
      &bench_box2d,
#endif
      &bench_siconos,
  };
  static bench_scene scene;
  const char *wanted = argc > 1 ? argv[1] : "", *part = argc > 2 ? argv[2] : "";
  const char *label = getenv("STICTION_SET"), *longer = getenv("BENCH_H");
  char name[300];
  if (!strcmp(wanted, "--write")) return write_scenes(part, argc > 3 ? argv[3] : "");
  if (!strcmp(wanted, "--precision"))
    return run_precisions(part, engines, sizeof engines / sizeof *engines);
  for (int k = 0; bench_scene_make(k, &scene); k++) {
    if (longer) stretch(&scene, atof(longer));
    for (size_t i = 0; i < sizeof engines / sizeof *engines; i++) {
      const bench_engine *e = engines[i];
      if (!(scene.plane ? e->plane : e->space)) continue;
      if ((wanted[0] && strcmp(wanted, e->name) != 0) || !strstr(scene.name, part)) continue;
      snprintf(name, sizeof name, "%s%s%s%s", e->name, label && i == 0 ? " " : "",
               label && i == 0 ? label : "", longer ? " longer h" : "");
      run(e, name, &scene);
    }
  }
  return 0;
}
