// Rigid bodies for VTK: their surfaces with the motion of each, and the contact points of the step
// that begins at a row, with forces in N.
#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "bodies_export.h"
#include "render/raster/space.h"
#include "render/raster/stage.h"
#include "vtu.h"

enum { TRIANGLE = 5, POLYGON = 7, QUADRILATERAL = 9, VERTEX = 1 };  // VTK's numbers

// What a row holds.
typedef struct scene {
  stc_replay *replay;
  stage bodies;
  stage_options options;
} scene;

// Sides of round bodies: fewer where there are many, for files of a reasonable size.
static int sides_for(int bodies) { return bodies < 100 ? 32 : bodies < 2000 ? 16 : 12; }

static void put_float(vtu_array *array, const double *x, int count) {
  for (int i = 0; i < count; i++) {
    float value = (float)x[i];
    vtu_put(array, &value, sizeof value);
  }
}

static void put_int(vtu_array *array, int value) {
  int32_t word = value;
  vtu_put(array, &word, sizeof word);
}

// ---- bodies

// Numbers of a body that its faces carry.
typedef enum quantity { BODY, VELOCITY, OMEGA, ENERGY } quantity;

static void put_quantity(vtu_array *array, const stc_world *world, int body, quantity what) {
  stc_body_state state;
  stc_world_body(world, body, &state);
  double energy = state.mass * space_dot(state.velocity, state.velocity) / 2 +
                  space_dot(state.omega, state.spin) / 2;
  switch (what) {
  case BODY:
    put_int(array, body + 1);
    break;
  case VELOCITY:
    put_float(array, state.velocity, 3);
    break;
  case OMEGA:
    put_float(array, state.omega, 3);
    break;
  case ENERGY:
    put_float(array, &energy, 1);
    break;
  }
}

static void put_cell_data(FILE *out, const scene *s, const char *name, quantity what) {
  int components = what == VELOCITY || what == OMEGA ? 3 : 1;
  size_t bytes = (size_t)s->bodies.surface.faces * (size_t)components * 4;
  vtu_array array =
      vtu_begin_array(out, what == BODY ? "Int32" : "Float32", name, components, bytes);
  for (int k = 0; k < s->bodies.items; k++) {
    const stage_item *item = &s->bodies.item[k];
    for (int f = 0; f < item->faces; f++)
      put_quantity(&array, stc_replay_world(s->replay), item->body, what);
  }
  vtu_end_array(&array);
}

static void put_faces(FILE *out, const surface *faces) {
  vtu_array array =
      vtu_begin_array(out, "Int32", "connectivity", 1, (size_t)faces->corners * sizeof(int32_t));
  for (int k = 0; k < faces->corners; k++) put_int(&array, faces->corner[k]);
  vtu_end_array(&array);
  array = vtu_begin_array(out, "Int32", "offsets", 1, (size_t)faces->faces * sizeof(int32_t));
  for (int k = 0; k < faces->faces; k++) put_int(&array, faces->first[k + 1]);
  vtu_end_array(&array);
  array = vtu_begin_array(out, "UInt8", "types", 1, (size_t)faces->faces);
  for (int k = 0; k < faces->faces; k++) {
    int count = faces->first[k + 1] - faces->first[k];
    unsigned char type = count == 3 ? TRIANGLE : count == 4 ? QUADRILATERAL : POLYGON;
    vtu_put(&array, &type, 1);
  }
  vtu_end_array(&array);
}

static void write_bodies(FILE *out, const void *user) {
  const scene *s = user;
  const surface *faces = &s->bodies.surface;
  vtu_begin_grid(out, faces->vertices, faces->faces);
  fputs("<CellData Scalars=\"body\" Vectors=\"velocity\">\n", out);
  put_cell_data(out, s, "body", BODY);
  put_cell_data(out, s, "velocity", VELOCITY);
  put_cell_data(out, s, "omega", OMEGA);
  put_cell_data(out, s, "kinetic energy", ENERGY);
  fputs("</CellData>\n<Points>\n", out);
  vtu_array array = vtu_begin_array(out, "Float32", "Points", 3, (size_t)faces->vertices * 12);
  for (int k = 0; k < faces->vertices; k++) put_float(&array, faces->vertex[k].x, 3);
  vtu_end_array(&array);
  fputs("</Points>\n<Cells>\n", out);
  put_faces(out, faces);
  fputs("</Cells>\n", out);
  vtu_end_grid(out);
}

// ---- contact points

typedef enum point_quantity {
  PLACE,
  NORMAL,
  FORCE,
  FORCE_SIZE,
  GAP,
  STATE,
  FIRST,
  SECOND,
  NUMBER,
  NEXT
} point_quantity;

static void put_point(vtu_array *array, const scene *s, int k, point_quantity what) {
  stc_world_contact c;
  const stage_force *force = &s->bodies.force[k];
  double size = space_length(force->f);
  stc_world_contact_at(stc_replay_world(s->replay), k, &c);
  switch (what) {
  case PLACE:
    put_float(array, c.touch.point, 3);
    break;
  case NORMAL:
    put_float(array, c.touch.normal, 3);
    break;
  case FORCE:
    put_float(array, force->f, 3);
    break;
  case FORCE_SIZE:
    put_float(array, &size, 1);
    break;
  case GAP:
    put_float(array, &c.touch.gap, 1);
    break;
  case STATE:
    put_int(array, (int)c.state);
    break;
  case FIRST:
    put_int(array, c.body[0] + 1);
    break;
  case SECOND:
    put_int(array, c.body[1] + 1);
    break;
  case NUMBER:
    put_int(array, k);
    break;
  case NEXT:
    put_int(array, k + 1);
    break;
  }
}

static void put_points(FILE *out, const scene *s, const char *name, point_quantity what) {
  int components = what <= FORCE ? 3 : 1;
  vtu_array array = vtu_begin_array(out, what < STATE ? "Float32" : "Int32", name, components,
                                    (size_t)s->bodies.forces * (size_t)components * 4);
  for (int k = 0; k < s->bodies.forces; k++) put_point(&array, s, k, what);
  vtu_end_array(&array);
}

static void write_contacts(FILE *out, const void *user) {
  const scene *s = user;
  const unsigned char vertex = VERTEX;
  vtu_begin_grid(out, s->bodies.forces, s->bodies.forces);
  fputs("<PointData Scalars=\"force size\" Vectors=\"force\">\n", out);
  put_points(out, s, "force", FORCE);
  put_points(out, s, "force size", FORCE_SIZE);
  put_points(out, s, "normal", NORMAL);
  put_points(out, s, "gap", GAP);
  put_points(out, s, "state", STATE);
  put_points(out, s, "first body", FIRST);
  put_points(out, s, "second body", SECOND);
  fputs("</PointData>\n<Points>\n", out);
  put_points(out, s, "Points", PLACE);
  fputs("</Points>\n<Cells>\n", out);
  put_points(out, s, "connectivity", NUMBER);
  put_points(out, s, "offsets", NEXT);
  vtu_array array = vtu_begin_array(out, "UInt8", "types", 1, (size_t)s->bodies.forces);
  for (int k = 0; k < s->bodies.forces; k++) vtu_put(&array, &vertex, 1);
  vtu_end_array(&array);
  fputs("</Cells>\n", out);
  vtu_end_grid(out);
}

// ---- files

static int load(scene *s, long row) {
  stc_error error = stc_replay_load(s->replay, row);
  if (error) return cli_complain_library(error);
  bool good = stage_set(&s->bodies, stc_replay_world(s->replay), &s->options);
  return good ? CLI_DONE : cli_complain("out of memory for the bodies of row %ld", row);
}

static int save_row(scene *s, const char *directory, long row, double *time) {
  char path[VTU_MAX_PATH];
  int status = load(s, row);
  if (status) return status;
  *time = stc_replay_time(s->replay);
  vtu_row_path(path, directory, "bodies", row);
  status = cli_save(path, write_bodies, s);
  if (!status) status = rigid_add_forces(s->replay, &s->bodies);
  vtu_row_path(path, directory, "contacts", row);
  return status ? status : cli_save(path, write_contacts, s);
}

static int save_rows(scene *s, const char *directory, long first, long rows) {
  int status = cli_make_directory(directory);
  if (status) return status;
  double *time = calloc((size_t)rows, sizeof *time);
  if (!time) return cli_complain("out of memory for %ld rows", rows);
  for (long k = 0; k < rows && !status; k++) status = save_row(s, directory, first + k, time + k);
  if (!status) status = vtu_save_collection(directory, "bodies", time, first, rows);
  if (!status) status = vtu_save_collection(directory, "contacts", time, first, rows);
  free(time);
  return status;
}

int rigid_vtk(stc_replay *replay, const char *out, long row) {
  scene s = {.replay = replay};
  long rows = stc_replay_rows(replay);
  s.options.sides = sides_for(stc_world_bodies(stc_replay_world(replay)));
  int status;
  if (vtu_is_file(out)) {
    status = load(&s, row < 0 ? rows - 1 : row);
    if (!status) status = cli_save(out, write_bodies, &s);
  } else {
    status = save_rows(&s, out, row < 0 ? 0 : row, row < 0 ? rows : 1);
  }
  stage_free(&s.bodies);
  return status;
}
