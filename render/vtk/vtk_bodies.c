// Rigid bodies for VTK: their surfaces with the motion of each, and the contact points of the step
// that begins at a row, with forces in N.
#include "../output.h"
#include "../run_tables.h"
#include "base/vec3.h"
#include "vtk_file.h"

enum { TRIANGLE = 5, POLYGON = 7, QUADRILATERAL = 9 };  // VTK's numbers

// What a row holds.
typedef struct bodies_row {
  stc_replay *replay;
  stage bodies;
  stage_options options;
} bodies_row;

// Sides of round bodies: fewer where there are many, for files of a reasonable size.
static int sides_for(int bodies) { return bodies < 100 ? 32 : bodies < 2000 ? 16 : 12; }

// ---- bodies

static const surface *surface_of(const void *user) {
  return &((const bodies_row *)user)->bodies.surface;
}

// Items are in the order of their faces.
static const stage_item *item_of_face(const void *user, long face) {
  const stage *s = &((const bodies_row *)user)->bodies;
  int low = 0, high = s->items - 1;
  while (low < high) {
    int middle = (low + high + 1) / 2;
    if (s->item[middle].first_face <= face)
      low = middle;
    else
      high = middle - 1;
  }
  return &s->item[low];
}

typedef struct vertex_numbers {
  double place[3];
} vertex_numbers;

static void fill_vertex(const void *user, long k, void *numbers) {
  stc_copy3(surface_of(user)->vertex[k].x, ((vertex_numbers *)numbers)->place);
}

typedef struct corner_numbers {
  double vertex;
} corner_numbers;

static void fill_corner(const void *user, long k, void *numbers) {
  ((corner_numbers *)numbers)->vertex = surface_of(user)->corner[k];
}

typedef struct face_numbers {
  double body, velocity[3], omega[3], energy, end, type;
} face_numbers;

static void fill_face(const void *user, long k, void *numbers) {
  face_numbers *f = numbers;
  stc_body_state s;
  int body = item_of_face(user, k)->body, end = surface_of(user)->first[k + 1];
  int corners = end - surface_of(user)->first[k];
  const stc_world *world = stc_replay_world(((const bodies_row *)user)->replay);
  if (stc_world_body(world, stc_world_body_at(world, body), &s)) s = (stc_body_state){0};
  f->body = body + 1;
  stc_copy3(s.velocity, f->velocity);
  stc_copy3(s.omega, f->omega);
  f->energy = s.mass * stc_dot3(s.velocity, s.velocity) / 2 + stc_dot3(s.omega, s.spin) / 2;
  f->end = end;
  f->type = corners == 3 ? TRIANGLE : corners == 4 ? QUADRILATERAL : POLYGON;
}

static void count_faces(const void *user, long count[3]) {
  const surface *s = surface_of(user);
  count[VTK_POINTS] = s->vertices, count[VTK_CELLS] = s->faces, count[VTK_CORNERS] = s->corners;
}

#define MOTION "CellData Scalars=\"body\" Vectors=\"velocity\""
static const vtk_array body_arrays[] = {
    {MOTION, "body", VTK_INT32, 1, VTK_CELLS, offsetof(face_numbers, body)},
    {MOTION, "velocity", VTK_FLOAT32, 3, VTK_CELLS, offsetof(face_numbers, velocity)},
    {MOTION, "omega", VTK_FLOAT32, 3, VTK_CELLS, offsetof(face_numbers, omega)},
    {MOTION, "kinetic energy", VTK_FLOAT32, 1, VTK_CELLS, offsetof(face_numbers, energy)},
    {"Points", "Points", VTK_FLOAT32, 3, VTK_POINTS, offsetof(vertex_numbers, place)},
    VTK_CELL_LISTS(corner_numbers, vertex, face_numbers)};
static const vtk_grid body_grid = {body_arrays,
                                   sizeof body_arrays / sizeof *body_arrays,
                                   count_faces,
                                   {fill_vertex, fill_face, fill_corner}};

// ---- contact points

typedef struct contact_numbers {
  double place[3], normal[3], force[3], force_size, gap, state, first, second;
  vtk_vertex vertex;
} contact_numbers;

static void fill_body_contact(const void *user, long k, void *numbers) {
  const bodies_row *row = user;
  contact_numbers *n = numbers;
  stc_world_contact c;
  stc_world_contact_at(stc_replay_world(row->replay), (int)k, &c);
  stc_copy3(c.point.x, n->place);
  stc_copy3(c.point.normal, n->normal);
  stc_copy3(row->bodies.force[k].f, n->force);
  n->force_size = stc_norm3(n->force);
  n->gap = c.point.gap, n->state = c.state;
  n->first = c.body[0].index + 1, n->second = c.body[1].index + 1;
  n->vertex = vtk_vertex_at(k);
}

static void count_forces(const void *user, long count[3]) {
  count[VTK_POINTS] = count[VTK_CELLS] = ((const bodies_row *)user)->bodies.forces;
}

#define FORCES "PointData Scalars=\"force size\" Vectors=\"force\""
static const vtk_array contact_arrays[] = {
    {FORCES, "force", VTK_FLOAT32, 3, VTK_POINTS, offsetof(contact_numbers, force)},
    {FORCES, "force size", VTK_FLOAT32, 1, VTK_POINTS, offsetof(contact_numbers, force_size)},
    {FORCES, "normal", VTK_FLOAT32, 3, VTK_POINTS, offsetof(contact_numbers, normal)},
    {FORCES, "gap", VTK_FLOAT32, 1, VTK_POINTS, offsetof(contact_numbers, gap)},
    {FORCES, "state", VTK_INT32, 1, VTK_POINTS, offsetof(contact_numbers, state)},
    {FORCES, "first body", VTK_INT32, 1, VTK_POINTS, offsetof(contact_numbers, first)},
    {FORCES, "second body", VTK_INT32, 1, VTK_POINTS, offsetof(contact_numbers, second)},
    {"Points", "Points", VTK_FLOAT32, 3, VTK_POINTS, offsetof(contact_numbers, place)},
    VTK_VERTICES(contact_numbers, vertex)};
static const vtk_grid contact_grid = {contact_arrays,
                                      sizeof contact_arrays / sizeof *contact_arrays,
                                      count_forces,
                                      {fill_body_contact}};

// ---- rows

static bool load_bodies(void *user, long row, double *time) {
  bodies_row *s = user;
  if (!render_succeeds(stc_replay_load(s->replay, row))) return false;
  *time = stc_replay_time(s->replay);
  if (stage_set(&s->bodies, stc_replay_world(s->replay), &s->options)) return true;
  return render_fails("out of memory for the bodies of row %ld", row);
}

static bool load_forces(void *user) {
  bodies_row *s = user;
  return run_add_forces(s->replay, &s->bodies);
}

bool vtk_save_bodies(stc_replay *replay, const char *out, long row) {
  bodies_row s = {.replay = replay};
  s.options.sides = sides_for(stc_world_bodies(stc_replay_world(replay)));
  vtk_run run = {&s, stc_replay_rows(replay), load_bodies, load_forces, &body_grid, &contact_grid};
  bool good = vtk_save(&run, out, row);
  stage_free(&s.bodies);
  return good;
}
