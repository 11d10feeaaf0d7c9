// Stiction as an engine of the comparison, with its defaults or with other settings from the
// environment variable STICTION_SET ("tol=1e-6 accept=1e-5").
#include "bench_scene.h"

#include <stiction/stiction.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct stiction {
  stc_world *world;
  bool plane;
  stc_body_id body[BENCH_MOST_BODIES];
  stc_world_report report;
} stiction;

static void put(bool plane, const double x[3], double y[3]) {
  const double flat[3] = {x[0], x[2], 0};
  memcpy(y, plane ? flat : x, sizeof flat);
}

static stc_shape shape_of(const bench_body *b, bool plane) {
  switch (b->shape) {
  case BENCH_SPHERE:
    return (stc_shape){.kind = STC_SHAPE_SPHERE, .radius = b->size[0]};
  case BENCH_CAPSULE:
    return (stc_shape){.kind = STC_SHAPE_CAPSULE, .radius = b->size[0], .half = {0, 0, b->size[1]}};
  case BENCH_PLANE:
    return (stc_shape){.kind = STC_SHAPE_PLANE};
  case BENCH_BOX:
    break;
  }
  int second = plane ? 2 : 1;
  return (stc_shape){.kind = STC_SHAPE_BOX,
                     .half = {b->size[0], b->size[second], b->size[3 - second]}};
}

/// The rotation that takes z to the normal.
static void face(const double normal[3], double rotation[4]) {
  double q[4] = {1 + normal[2], -normal[1], normal[0], 0}, sum = 0;
  for (int i = 0; i < 4; i++) sum += q[i] * q[i];
  for (int i = 0; i < 4; i++) rotation[i] = q[i] / sqrt(sum);
}

static stc_error add_body(stiction *s, const bench_scene *scene, int k) {
  const bench_body *b = &scene->body[k];
  stc_part part = {.shape = shape_of(b, s->plane), .pose = stc_pose_identity(), .density = 1};
  stc_rigid_body body = stc_default_body();
  double normal[3], volume = 1, centre[3], inertia[6];
  body.parts = 1, body.part = &part;
  put(s->plane, b->x, body.pose.x);
  put(s->plane, b->v, body.velocity);
  memcpy(body.pose.rotation, b->rotation, sizeof b->rotation);
  if (b->shape == BENCH_PLANE) {
    put(s->plane, b->size, normal);
    face(normal, body.pose.rotation);
  }
  if (b->mass == 0) {
    body.mobility = STC_MOBILITY_FIXED;
  } else {
    stc_error error = stc_shape_mass(&part.shape, &volume, centre, inertia);
    if (error) return error;
    part.density = b->mass / volume;
  }
  return stc_world_add_body(s->world, &body, &s->body[k]);
}

static stc_error add_joint(stiction *s, const bench_joint *j) {
  stc_joint joint = stc_default_joint();
  joint.kind = j->hinge ? STC_JOINT_HINGE : STC_JOINT_BALL;
  for (int k = 0; k < 2; k++)
    if (j->body[k] >= 0) joint.body[k] = s->body[j->body[k]];
  memcpy(joint.anchor, j->at, sizeof joint.anchor);
  joint.axis[1] = 1;
  return stc_world_add_joint(s->world, &joint, NULL);
}

static void set_one(stc_world_settings *settings, char *word) {
  char *value = strchr(word, '=');
  if (!value) return;
  *value++ = '\0';
  if (strcmp(word, "tol") == 0)
    settings->tol = atof(value);
  else if (strcmp(word, "accept") == 0)
    settings->accept = atof(value);
  else if (strcmp(word, "budget") == 0)
    settings->budget = atof(value);
  else if (strcmp(word, "exact") == 0)
    settings->exact = atoi(value) != 0;
  else if (stc_settings_set(&settings->solver, word, value))
    fprintf(stderr, "%s\n", stc_error_detail());
}

static stc_world_settings settings_of(const bench_scene *scene) {
  stc_world_settings settings = stc_default_world_settings();
  const char *text = getenv("STICTION_SET");
  char copy[256] = "";
  settings.h = scene->h;
  settings.plane = scene->plane;
  if (scene->plane) settings.gravity[1] = settings.gravity[2], settings.gravity[2] = 0;
  if (text) snprintf(copy, sizeof copy, "%s", text);
  for (char *word = strtok(copy, " "); word; word = strtok(NULL, " ")) set_one(&settings, word);
  return settings;
}

static stc_error build(stiction *s, const bench_scene *scene) {
  stc_world_settings settings = settings_of(scene);
  stc_surface_pair pair = stc_default_surface_pair();
  s->plane = scene->plane;
  pair.mu = scene->mu;
  stc_error error = stc_world_create(&settings, &s->world);
  if (!error) error = stc_world_set_surface_pair(s->world, 0, 0, &pair);
  for (int k = 0; k < scene->bodies && !error; k++) error = add_body(s, scene, k);
  for (int k = 0; k < scene->joints && !error; k++) error = add_joint(s, &scene->joint[k]);
  return error ? error : stc_world_start(s->world, 0);
}

static void *create(const bench_scene *scene) {
  stiction *s = calloc(1, sizeof *s);
  if (s && !build(s, scene)) return s;
  fprintf(stderr, "stiction: %s: %s\n", scene->name, stc_error_detail());
  free(s);
  return NULL;
}

static bool step_stiction(void *engine) {
  stiction *s = engine;
  bool done = !stc_world_step(s->world, &s->report) && s->report.accepted;
  if (!done) fprintf(stderr, "stiction: %s %s\n", stc_error_detail(), s->report.reason);
  return done;
}

static void read_body(void *engine, int body, bench_state *state) {
  stiction *s = engine;
  stc_body_state at;
  stc_world_body(s->world, s->body[body], &at);
  memcpy(state->x, at.centre, sizeof at.centre);
  memcpy(state->rotation, at.pose.rotation, sizeof at.pose.rotation);
  if (!s->plane) return;  // a rotation about z there is one about -y here
  state->x[2] = at.centre[1], state->x[1] = 0;
  state->rotation[2] = -at.pose.rotation[3], state->rotation[3] = 0;
}

static void finish(void *engine) {
  stiction *s = engine;
  stc_world_free(&s->world);
  free(s);
}

const bench_engine bench_stiction = {"stiction",    true,      true,   create,
                                     step_stiction, read_body, finish, NULL};
