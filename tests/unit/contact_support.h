// Models for the tests of contact: two blocks on each other, a block on a rigid floor.
#ifndef STC_TEST_CONTACT_SUPPORT_H
#define STC_TEST_CONTACT_SUPPORT_H

#include "expect.h"

#include <stiction/fem.h>

enum { MOST_SUPPORTS = 8 };

/// A description with room for its lists. Names of sides: the last axis is up.
typedef struct model {
  int dim;
  stc_mesh *mesh;
  stc_body body[2];
  stc_support support[MOST_SUPPORTS];
  stc_traction traction[3];
  stc_pair pair;
  stc_fem_description description;
  stc_fem_settings settings;
  stc_fem *fem;
  stc_fem_report report;
} model;

static inline const char *top_of(int dim, bool upper) {
  if (upper) return dim == 3 ? "upper.w1" : "upper.t1";
  return dim == 3 ? "lower.w1" : "lower.t1";
}

static inline const char *base_of(int dim, bool upper) {
  if (upper) return dim == 3 ? "upper.w0" : "upper.t0";
  return dim == 3 ? "lower.w0" : "lower.t0";
}

/// How a block is placed: x = shift + size s, and where `skew` its cells are bent inside every
/// horizontal plane.
typedef struct place {
  int dim;
  double shift[3], size[3];
  double skew;
} place;

static inline bool put_block(void *user, const double *s, double *x) {
  const place *p = user;
  double bump = p->skew;
  for (int i = 0; i + 1 < p->dim; i++) bump *= 4 * s[i] * (1 - s[i]);
  for (int i = 0; i < p->dim; i++) x[i] = p->shift[i] + p->size[i] * s[i];
  x[0] += bump;
  if (p->dim == 3) x[1] -= 0.7 * bump;
  return true;
}

static inline stc_mesh *block_mesh(stc_cell_type type, const char *name, int cells,
                                   const place *where) {
  place copy = *where;
  stc_grid grid = {.type = type,
                   .count = {cells + 1, cells + 1, cells + 1},
                   .body = name,
                   .map = put_block,
                   .user = &copy};
  stc_mesh *mesh = NULL;
  expect_ok(stc_mesh_grid(&grid, &mesh));
  return mesh;
}

static inline void support(model *m, const char *group, int component, stc_given value) {
  stc_fem_description *d = &m->description;
  assert_true(d->supports < MOST_SUPPORTS);
  m->support[d->supports++] =
      (stc_support){.group = group, .component = component, .displacement = value};
}

static inline void traction(model *m, const char *group, int component, double value) {
  m->traction[m->description.tractions++] =
      (stc_traction){.group = group, .component = component, .traction = {.value = value}};
}

static inline void point_description(model *m, stc_kinematics kinematics, int bodies) {
  m->settings = stc_default_fem_settings();
  m->description = (stc_fem_description){.mesh = m->mesh,
                                         .kinematics = kinematics,
                                         .bodies = bodies,
                                         .body = m->body,
                                         .support = m->support,
                                         .traction = m->traction,
                                         .pairs = 1,
                                         .pair = &m->pair};
}

/// The unit block "lower" and on it "upper", with `below` and `above` cells along each side.
static inline void stack_blocks(model *m, stc_cell_type type, stc_kinematics kinematics, int below,
                                int above, double skew) {
  memset(m, 0, sizeof *m);
  m->dim = stc_cell_dim(type);
  place where = {.dim = m->dim, .size = {1, 1, 1}, .skew = skew};
  stc_mesh *lower = block_mesh(type, "lower", below, &where);
  where.shift[m->dim - 1] = 1;
  where.skew = -1.5 * skew;
  stc_mesh *upper = block_mesh(type, "upper", above, &where);
  const stc_mesh *both[] = {lower, upper};
  expect_ok(stc_mesh_join(2, both, &m->mesh));
  stc_mesh_free(&lower);
  stc_mesh_free(&upper);
  stc_material steel = {.young = 1000, .poisson = 0.3};
  m->body[0] = (stc_body){.group = "lower", .material = steel};
  m->body[1] = (stc_body){.group = "upper", .material = steel};
  m->pair =
      (stc_pair){.name = "joint", .slave = base_of(m->dim, true), .master = top_of(m->dim, false)};
  point_description(m, kinematics, 2);
}

/// A floor x_last >= 0 whose motion along the first axes is user[0], user[1] times t.
static inline bool floor_distance(void *user, double t, const double *x, double *gap, double *n) {
  const double *slide = user;
  int dim = (int)slide[2];
  for (int i = 0; i < dim; i++) n[i] = i == dim - 1;
  *gap = x[dim - 1];
  return true;
}

static inline bool floor_motion(void *user, double t, const double *x, double *displacement) {
  const double *slide = user;
  displacement[0] = slide[0] * t;
  displacement[1] = slide[2] == 3 ? slide[1] * t : 0;
  return true;
}

/// The block "lower" of height 1 on the floor; `slide` {vx, vy, dim} must stay.
static inline void block_on_floor(model *m, stc_cell_type type, int cells, double mu,
                                  double *slide) {
  memset(m, 0, sizeof *m);
  m->dim = stc_cell_dim(type);
  slide[2] = m->dim;
  place where = {.dim = m->dim, .size = {1, 1, 1}};
  m->mesh = block_mesh(type, "lower", cells, &where);
  m->body[0] = (stc_body){.group = "lower", .material = {.young = 1000, .poisson = 0.3}};
  m->pair = (stc_pair){.name = "floor",
                       .slave = base_of(m->dim, false),
                       .mu = mu,
                       .obstacle = {floor_distance, floor_motion, slide}};
  point_description(m, m->dim == 3 ? STC_SOLID : STC_PLANE_STRAIN, 1);
}

static inline void create(model *m) {
  expect_ok(stc_fem_create(&m->description, &m->settings, &m->fem));
}

static inline void advance(model *m, double t) {
  expect_ok(stc_fem_advance(m->fem, t, &m->report));
  if (!m->report.accepted) print_error("%s\n", m->report.reason);
  assert_true(m->report.accepted);
}

static inline void free_model(model *m) {
  stc_fem_free(&m->fem);
  stc_fem_free(&m->fem);  // twice is safe
  stc_mesh_free(&m->mesh);
}

/// Sums of the contact forces of pair 0 along its normals and tangents.
static inline void contact_force(const stc_fem *fem, double force[3]) {
  memset(force, 0, 3 * sizeof *force);
  for (int k = 0; k < stc_fem_contacts(fem, 0); k++) {
    stc_fem_contact_point p;
    stc_fem_contact(fem, 0, k, &p);
    force[0] += p.area * p.pressure;
    force[1] += p.area * p.shear[0];
    force[2] += p.area * p.shear[1];
  }
}

#endif
