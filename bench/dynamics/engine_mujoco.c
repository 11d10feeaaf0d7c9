// MuJoCo on its defaults: Newton's method on the pyramidal cones, soft contacts.
#include "bench_scene.h"

#include <mujoco/mujoco.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

typedef struct mujoco {
  mjModel *model;
  mjData *data;
  int bodies;
  int body[BENCH_MOST_BODIES];
} mujoco;

static void write_geom(FILE *f, const bench_body *b) {
  static const char *const types[] = {"box", "sphere", "capsule", "plane"};
  const double *s = b->size;
  fprintf(f, "<geom type=\"%s\" ", types[b->shape]);
  if (b->shape == BENCH_PLANE)
    fprintf(f, "size=\"0 0 1\" pos=\"%.17g %.17g %.17g\" zaxis=\"%.17g %.17g %.17g\"", b->x[0],
            b->x[1], b->x[2], s[0], s[1], s[2]);
  else
    fprintf(f, "size=\"%.17g %.17g %.17g\" mass=\"%.17g\"", s[0], s[1], s[2], b->mass);
  fprintf(f, "/>\n");
}

/// A chain is a tree: each link within the one before, axes in the frames of bodies.
static void write_link(FILE *f, const bench_scene *scene, int k) {
  const bench_body *b = &scene->body[k];
  const bench_joint *j = &scene->joint[k];
  double along = k > 0 ? b->x[0] - scene->body[k - 1].x[0] : 0;
  if (k == 0)
    fprintf(f, "<body pos=\"%.17g %.17g %.17g\" quat=\"%.17g %.17g %.17g %.17g\">", b->x[0],
            b->x[1], b->x[2], b->rotation[0], b->rotation[1], b->rotation[2], b->rotation[3]);
  else
    fprintf(f, "<body pos=\"0 0 %.17g\">", along);  // the frames have z along x
  fprintf(f, "<joint type=\"%s\" pos=\"0 0 %.17g\" axis=\"0 1 0\"/>", j->hinge ? "hinge" : "ball",
          j->at[0] - b->x[0]);
  write_geom(f, b);
}

static void write_bodies(FILE *f, const bench_scene *scene) {
  for (int k = 0; k < scene->bodies; k++) {
    const bench_body *b = &scene->body[k];
    if (scene->joints > 0) {
      write_link(f, scene, k);
    } else if (b->mass == 0) {
      write_geom(f, b);
    } else {
      fprintf(f, "<body pos=\"%.17g %.17g %.17g\" quat=\"%.17g %.17g %.17g %.17g\"><freejoint/>",
              b->x[0], b->x[1], b->x[2], b->rotation[0], b->rotation[1], b->rotation[2],
              b->rotation[3]);
      write_geom(f, b);
      fprintf(f, "</body>\n");
    }
  }
  for (int k = 0; k < scene->joints; k++) fprintf(f, "</body>");
}

static bool write_model(const char *path, const bench_scene *scene) {
  FILE *f = fopen(path, "w");
  int contacts = 16 * scene->bodies;
  if (!f) return false;
  fprintf(f, "<mujoco><option timestep=\"%.17g\" gravity=\"0 0 -9.81\"/>", scene->h);
  fprintf(f, "<size nconmax=\"%d\" njmax=\"%d\"/>", contacts, 4 * contacts);
  fprintf(f, "<default><geom friction=\"%g 0.005 0.0001\" condim=\"3\"%s/></default><worldbody>\n",
          scene->mu, scene->joints ? " contype=\"0\" conaffinity=\"0\"" : "");
  write_bodies(f, scene);
  fprintf(f, "</worldbody></mujoco>\n");
  return fclose(f) == 0;
}

static void number_bodies(mujoco *m, const bench_scene *scene) {
  int next = 1, velocity = 0;
  for (int k = 0; k < scene->bodies; k++) {
    const bench_body *b = &scene->body[k];
    m->body[k] = b->mass > 0 ? next++ : 0;
    if (b->mass == 0 || scene->joints > 0) continue;
    for (int i = 0; i < 3; i++) m->data->qvel[velocity + i] = b->v[i];
    velocity += 6;
  }
}

static void *create_mujoco(const bench_scene *scene) {
  char path[64], error[500] = "";
  mujoco *m = calloc(1, sizeof *m);
  snprintf(path, sizeof path, "/tmp/stiction_bench_%ld.xml", (long)getpid());
  bool written = m && write_model(path, scene);
  if (written) m->model = mj_loadXML(path, NULL, error, sizeof error);
  remove(path);
  if (m && m->model) m->data = mj_makeData(m->model);
  if (!m || !m->data) {
    fprintf(stderr, "mujoco: %s: %s\n", scene->name, error);
    free(m);
    return NULL;
  }
  number_bodies(m, scene);
  mj_forward(m->model, m->data);
  return m;
}

static bool step_mujoco(void *engine) {
  mujoco *m = engine;
  mj_step(m->model, m->data);
  return true;
}

static void read_mujoco(void *engine, int body, bench_state *state) {
  mujoco *m = engine;
  int k = m->body[body];
  if (body == 0) mj_kinematics(m->model, m->data);  // poses of the end of the step
  memcpy(state->x, m->data->xpos + 3 * (size_t)k, sizeof state->x);
  memcpy(state->rotation, m->data->xquat + 4 * (size_t)k, sizeof state->rotation);
}

static void free_mujoco(void *engine) {
  mujoco *m = engine;
  mj_deleteData(m->data);
  mj_deleteModel(m->model);
  free(m);
}

const bench_engine bench_mujoco = {"mujoco",    true,        false,       create_mujoco,
                                   step_mujoco, read_mujoco, free_mujoco, NULL};
