// From bodies, contact points and joints to M, f, H, w, G, b, in the world's axes.
#include "body_assembly.h"

#include "../../base/elementary.h"
#include "../../base/fail.h"
#include "../../base/vec3.h"

#include <string.h>

// Entries below this part of the lever arm (or of 1, for the linear part) are rounding, not
// mechanics; without them the rows of a sphere have their true pattern.
static const double ROUNDING = 1e-14;

// Random velocities before the step have this part of the free fall h g as standard deviation:
// enough to break the symmetry of a regular pile, not enough to destroy it.
static const double AGITATION = 0.1;

// Makes room for one more item: doubles the array where it is full, and leaves it alone where
// memory runs out.
static bool grow_array(stc_arena *arena, void *address_of_array, int count, int *room,
                       size_t size) {
  enum { FIRST_ROOM = 64 };
  if (count < *room) return true;
  int wanted = *room ? 2 * *room : FIRST_ROOM;
  void *larger = stc_arena_take(arena, (size_t)wanted, size), *items = NULL;
  if (!larger) return false;
  memcpy(&items, address_of_array, sizeof items);
  if (count) memcpy(larger, items, (size_t)count * size);
  memcpy(address_of_array, &larger, sizeof larger);
  *room = wanted;
  return true;
}

int stc_assembly_add_body(stc_assembly *a, const stc_assembly_body *body) {
  if (grow_array(&a->arena, &a->body, a->bodies, &a->body_room, sizeof *body))
    a->body[a->bodies++] = *body;
  return a->bodies - 1;
}

void stc_assembly_add_contact(stc_assembly *a, const stc_assembly_contact *contact) {
  if (grow_array(&a->arena, &a->contact, a->contacts, &a->contact_room, sizeof *contact))
    a->contact[a->contacts++] = *contact;
}

void stc_assembly_add_joint(stc_assembly *a, const stc_assembly_joint *joint) {
  if (grow_array(&a->arena, &a->joint, a->joints, &a->joint_room, sizeof *joint))
    a->joint[a->joints++] = *joint;
}

void stc_assembly_free(stc_assembly *assembly) {
  stc_arena_free(&assembly->arena);
  *assembly = (stc_assembly){0};
}

stc_assembly_body stc_body_box(const double centre[3], const double size[3]) {
  stc_assembly_body body = {.x = {centre[0], centre[1], centre[2]},
                            .mass = STC_DENSITY * size[0] * size[1] * size[2]};
  for (int k = 0; k < 3; k++) {
    double a = size[(k + 1) % 3], b = size[(k + 2) % 3];
    body.inertia[k][k] = body.mass * (a * a + b * b) / 12.0;
  }
  return body;
}

static void agitate(stc_assembly *a, const stc_generator *options, stc_random *random) {
  double sigma = options->disorder * AGITATION * STC_GRAVITY * options->step;
  if (sigma == 0.0) return;
  for (int b = 0; b < a->bodies; b++) {
    stc_assembly_body *body = &a->body[b];
    double gyration = sqrt(body->inertia[1][1] / body->mass);
    for (int k = 0; k < 3; k++) {
      body->velocity[k] = sigma * stc_random_normal(random);
      body->velocity[3 + k] = sigma / gyration * stc_random_normal(random);
    }
  }
}

static stc_row_list take_row_list(stc_arena *arena, int rows, int room) {
  return (stc_row_list){.ptr = STC_TAKE(arena, int, rows + 1),
                        .col = STC_TAKE(arena, int, room),
                        .val = STC_TAKE(arena, double, room)};
}

static void put_clean(stc_row_list *list, int col, double value, double scale) {
  if (fabs(value) > ROUNDING * scale) stc_row_put(list, col, value);
}

static int body_dofs(const stc_assembly *a) { return a->dim == 3 ? 6 : 3; }

// The part of body b in the row of direction e at point x.
static void put_body_entries(const stc_assembly *a, stc_row_list *list, int b, double sign,
                             const double x[3], const double e[3]) {
  int col = b * body_dofs(a);
  double moment[3], arm = stc_point_moment(x, a->body[b].x, e, moment);
  if (a->dim == 3) {
    for (int k = 0; k < 3; k++) put_clean(list, col + k, sign * e[k], 1.0);
    for (int k = 0; k < 3; k++) put_clean(list, col + 3 + k, sign * moment[k], arm);
  } else {  // the plane (x, z) seen with z up: counter-clockwise is a rotation about -y
    put_clean(list, col, sign * e[0], 1.0);
    put_clean(list, col + 1, sign * e[2], 1.0);
    put_clean(list, col + 2, -sign * moment[1], arm);
  }
}

static void put_row(const stc_assembly *a, stc_row_list *list, const int body[2], const double x[3],
                    const double e[3]) {
  int low = body[0] < body[1] ? 0 : 1;
  for (int k = 0; k < 2; k++) {
    int side = k == 0 ? low : 1 - low;
    if (body[side] != STC_GROUND)
      put_body_entries(a, list, body[side], side == 0 ? 1.0 : -1.0, x, e);
  }
  stc_row_close(list);
}

// T1 = y x N / |y x N|, the direction of the vertical plane (x, z), and T2 = N x T1; the ground has
// T1 = x, T2 = y. Where N is close to y, z takes its place. In 2D T = T1.
static void frame_of(const double normal[3], double frame[3][3]) {
  static const double Y[3] = {0, 1, 0}, Z[3] = {0, 0, 1};
  memcpy(frame[0], normal, sizeof frame[0]);
  stc_cross3(fabs(normal[1]) < 0.9 ? Y : Z, normal, frame[1]);
  stc_scale3(1.0 / stc_norm3(frame[1]), frame[1], frame[1]);
  stc_cross3(frame[0], frame[1], frame[2]);
}

static void contact_rows(const stc_assembly *a, stc_row_list *H) {
  for (int c = 0; c < a->contacts; c++) {
    const stc_assembly_contact *contact = &a->contact[c];
    double frame[3][3];
    frame_of(contact->normal, frame);
    for (int k = 0; k < a->dim; k++) put_row(a, H, contact->body, contact->x, frame[k]);
  }
}

static void joint_rows(const stc_assembly *a, stc_row_list *G) {
  static const double AXIS[3][3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
  for (int j = 0; j < a->joints; j++)
    for (int k = 0; k < 3; k++) {
      if (a->dim == 2 && k == 1) continue;
      put_row(a, G, a->joint[j].body, a->joint[j].x, AXIS[k]);
    }
}

static void inertia_rows(const double inertia[3][3], int base, stc_row_list *M) {
  double scale = inertia[0][0] + inertia[1][1] + inertia[2][2];
  for (int k = 0; k < 3; k++) {
    for (int l = 0; l < 3; l++) put_clean(M, base + l, inertia[k][l], scale);
    stc_row_close(M);
  }
}

static void mass_rows(const stc_assembly *a, stc_row_list *M) {
  for (int b = 0; b < a->bodies; b++) {
    const stc_assembly_body *body = &a->body[b];
    int base = b * body_dofs(a);
    for (int k = 0; k < a->dim; k++) {
      stc_row_put(M, base + k, body->mass);
      stc_row_close(M);
    }
    if (a->dim == 3) {
      inertia_rows(body->inertia, base + 3, M);
    } else {
      stc_row_put(M, base + 2, body->inertia[1][1]);
      stc_row_close(M);
    }
  }
}

// The free velocity v^- + h g of body b.
static void free_velocity(const stc_assembly *a, const stc_generator *options, int b, double *v) {
  double g[3] = {STC_GRAVITY * stc_sin(options->param), 0.0,
                 -STC_GRAVITY * stc_cos(options->param)};
  const double *before = a->body[b].velocity;
  if (a->dim == 3) {
    for (int k = 0; k < 3; k++) v[k] = before[k] + options->step * g[k];
    for (int k = 3; k < 6; k++) v[k] = before[k];
  } else {
    v[0] = before[0] + options->step * g[0];
    v[1] = before[2] + options->step * g[2];
    v[2] = -before[4];
  }
}

// f = -M v_free, row by row of the block of each body.
static void fill_load(const stc_assembly *a, const stc_generator *options, const stc_row_list *M,
                      double *f) {
  int nb = body_dofs(a);
  for (int b = 0; b < a->bodies; b++) {
    double v[6];
    free_velocity(a, options, b, v);
    for (int row = b * nb; row < (b + 1) * nb; row++) {
      f[row] = 0.0;
      for (int k = M->ptr[row]; k < M->ptr[row + 1]; k++)
        f[row] -= M->val[k] * v[M->col[k] - b * nb];
    }
  }
}

static void fill_offsets(const stc_assembly *a, double step, double *w) {
  for (int c = 0; c < a->contacts; c++) w[c * a->dim] = a->contact[c].gap / step;
}

static double *filled(stc_arena *arena, int count, double value) {
  double *x = STC_TAKE(arena, double, count);
  for (int c = 0; x && c < count; c++) x[c] = value;
  return x;
}

stc_error stc_assembly_problem(stc_assembly *a, const stc_generator *options,
                               stc_problem **problem) {
  int nb = body_dofs(a), dofs = a->bodies * nb, size = a->dim * a->contacts;
  int equalities = a->dim * a->joints;
  stc_row_list M = take_row_list(&a->arena, dofs, a->bodies * (a->dim == 3 ? 12 : 3));
  stc_row_list H = take_row_list(&a->arena, size, size * 2 * nb);
  stc_row_list G = take_row_list(&a->arena, equalities, equalities * 2 * nb);
  double *f = STC_TAKE(&a->arena, double, dofs), *w = STC_TAKE(&a->arena, double, size);
  double *b = STC_TAKE(&a->arena, double, equalities);
  double *mu = filled(&a->arena, a->contacts, options->mu);
  double *mu2 = options->mu2 > 0.0 ? filled(&a->arena, a->contacts, options->mu2) : NULL;
  STC_TRY(stc_arena_check(&a->arena));
  mass_rows(a, &M);
  contact_rows(a, &H);
  joint_rows(a, &G);
  fill_load(a, options, &M, f);
  fill_offsets(a, options->step, w);
  stc_global_data data = {.dim = a->dim, .contacts = a->contacts, .dofs = dofs};
  data.equalities = equalities;
  data.M = stc_row_matrix(&M, dofs);
  data.H = stc_row_matrix(&H, dofs);
  if (equalities) data.G = stc_row_matrix(&G, dofs);
  data.f = f;
  data.w = w;
  data.b = b;
  data.mu = mu;
  data.mu2 = mu2;
  return stc_problem_create_global(&data, problem);
}

stc_error stc_assembly_finish(stc_assembly *assembly, const stc_generator *options,
                              stc_random *random, stc_problem **problem) {
  agitate(assembly, options, random);
  stc_error error = stc_assembly_problem(assembly, options, problem);
  stc_assembly_free(assembly);
  return error;
}
