// From bodies, contact points and joints to the bodies form, in the world's axes.
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

/// Zero for what is rounding of a number of the size `scale`.
static double clean(double value, double scale) {
  return fabs(value) > ROUNDING * scale ? value : 0;
}

static int body_dofs(const stc_assembly *a) { return a->dim == 3 ? 6 : 3; }

// Rows on pairs of bodies as the problem takes them.
typedef struct row_blocks {
  int dim, width;
  int *body;
  double *block;
} row_blocks;

static row_blocks take_rows(stc_arena *arena, int count, int dim, int width) {
  size_t pairs = 2 * (size_t)count;
  return (row_blocks){dim, width, STC_TAKE(arena, int, pairs),
                      STC_TAKE(arena, double, pairs *(size_t)(dim * width))};
}

static void put_row(const stc_assembly *a, const row_blocks *A, int row, const int body[2],
                    const double x[3], const double e[3]) {
  for (int side = 0; side < 2; side++) {
    int pair = 2 * (row / A->dim) + side;
    double *block = A->block + (ptrdiff_t)pair * A->dim * A->width + row % A->dim, entry[6];
    A->body[pair] = body[side];
    if (body[side] == STC_GROUND) continue;
    // The entries of body b, with its sign, in the row of direction e at point x.
    int b = body[side];
    double sign = side == 0 ? 1 : -1;
    double moment[3], arm = stc_point_moment(x, a->body[b].x, e, moment);
    if (a->dim == 3) {
      for (int k = 0; k < 3; k++) entry[k] = clean(sign * e[k], 1);
      for (int k = 0; k < 3; k++) entry[3 + k] = clean(sign * moment[k], arm);
    } else {  // the plane (x, z) seen with z up: counter-clockwise is a rotation about -y
      entry[0] = clean(sign * e[0], 1);
      entry[1] = clean(sign * e[2], 1);
      entry[2] = clean(-sign * moment[1], arm);
    }
    for (int l = 0; l < A->width; l++) block[l * A->dim] = entry[l];
  }
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

static void contact_rows(const stc_assembly *a, const row_blocks *H) {
  for (int c = 0; c < a->contacts; c++) {
    const stc_assembly_contact *contact = &a->contact[c];
    double frame[3][3];
    frame_of(contact->normal, frame);
    for (int k = 0; k < a->dim; k++)
      put_row(a, H, c * a->dim + k, contact->body, contact->x, frame[k]);
  }
}

static void joint_rows(const stc_assembly *a, const row_blocks *G) {
  static const double AXIS[3][3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
  int row = 0;
  for (int j = 0; j < a->joints; j++)
    for (int k = 0; k < 3; k++) {
      if (a->dim == 2 && k == 1) continue;
      put_row(a, G, row++, a->joint[j].body, a->joint[j].x, AXIS[k]);
    }
}

static void fill_masses(const stc_assembly *a, double *M) {
  int nb = body_dofs(a);
  for (int b = 0; b < a->bodies; b++, M += nb * nb) {
    const stc_assembly_body *body = &a->body[b];
    const double(*J)[3] = body->inertia;
    for (int k = 0; k < a->dim; k++) M[k * (nb + 1)] = body->mass;
    if (a->dim == 2) M[2 * (nb + 1)] = J[1][1];
    for (int k = 0; a->dim == 3 && k < 9; k++)
      M[(3 + k % 3) * nb + 3 + k / 3] = clean(J[k / 3][k % 3], J[0][0] + J[1][1] + J[2][2]);
  }
}

// f = -M v_free, row by row of the block of each body.
static void fill_load(const stc_assembly *a, const stc_generator *options, const double *M,
                      double *f) {
  int nb = body_dofs(a);
  for (int b = 0; b < a->bodies; b++, M += nb * nb, f += nb) {
    double v[6];
    // The free velocity v^- + h g of body b.
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
    for (int i = 0; i < nb; i++)
      for (int k = 0; k < nb; k++)
        if (M[k * nb + i] != 0) f[i] -= M[k * nb + i] * v[k];
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
  row_blocks H = take_rows(&a->arena, a->contacts, a->dim, nb);
  row_blocks G = take_rows(&a->arena, equalities, 1, nb);
  double *M = STC_TAKE(&a->arena, double, dofs *nb);
  double *f = STC_TAKE(&a->arena, double, dofs), *w = STC_TAKE(&a->arena, double, size);
  double *b = STC_TAKE(&a->arena, double, equalities);
  double *mu = filled(&a->arena, a->contacts, options->mu);
  double *mu2 = options->mu2 > 0.0 ? filled(&a->arena, a->contacts, options->mu2) : NULL;
  STC_TRY(stc_arena_check(&a->arena));
  fill_masses(a, M);
  contact_rows(a, &H);
  joint_rows(a, &G);
  fill_load(a, options, M, f);
  fill_offsets(a, options->step, w);
  return stc_problem_create_bodies(&(stc_bodies_data){.dim = a->dim,
                                                      .contacts = a->contacts,
                                                      .bodies = a->bodies,
                                                      .width = nb,
                                                      .equalities = equalities,
                                                      .M = M,
                                                      .f = f,
                                                      .H = {.body = H.body, .block = H.block},
                                                      .w = w,
                                                      .G = {.body = G.body, .block = G.block},
                                                      .b = b,
                                                      .mu = mu,
                                                      .mu2 = mu2},
                                   problem);
}

stc_error stc_assembly_finish(stc_assembly *assembly, const stc_generator *options,
                              stc_random *random, stc_problem **problem) {
  agitate(assembly, options, random);
  stc_error error = stc_assembly_problem(assembly, options, problem);
  stc_assembly_free(assembly);
  return error;
}
