// Equations, coordinates and rows of joints, by kind:
//   ball: points meet;   hinge: and the axes agree;   fixed: and all axes do;
//   prismatic: all axes agree, and points meet across the axis;   cylindrical: rotation is free;
//   universal: points meet, the axis of the first body stays across axis2 of the second;
//   planar: axes agree, and points meet along them;   distance: (|d|^2 - L^2) / 2 L = 0;
//   gear: angle of the first body + ratio angle of the second = 0, about axes that stay in space.
#include "joints.h"

/// An equation of a joint by the vectors that it multiplies.
typedef enum row_form {
  MEET,    ///< e_i.(p_a - p_b) with the world's axis i
  ACROSS,  ///< axis_i of the first body . (p_a - p_b)
  ANGLE,   ///< axis_i of the first body . axis_j of the second
  ROD,     ///< distance of the points
  MESH     ///< angles of a gear
} row_form;

typedef struct equation {
  row_form form;
  int i, j;
} equation;

/// A coordinate, of the first body against the second.
typedef enum coordinate_form {
  SHIFT,     ///< axis_i of the second body . (p_a - p_b)
  ROTATION,  ///< angle about axis_i of both
  CROSS,     ///< angle of the first body against the cross of a universal joint
  FORK,      ///< angle of that cross against the second body
  LENGTH     ///< |p_a - p_b|
} coordinate_form;

typedef struct coordinate {
  coordinate_form form;
  int i;
} coordinate;

typedef struct joint_form {
  int rows;
  bool axis;  ///< the caller gives one
  equation equation[STC_JOINT_ROWS];
  int coordinates;
  coordinate coordinate[STC_JOINT_COORDINATES];
} joint_form;

// In space and in the plane. In the plane hinge, ball and universal are pins, rotations are about
// z. The axes of a fixed joint are z and two in the plane, those of a prismatic one its axis, the
// direction across it, and z.
// clang-format off
#define PIN {2, false, {{MEET, 0, 0}, {MEET, 1, 0}}, 1, {{ROTATION, 0}}}
#define SLIDER {2, true, {{ACROSS, 1, 0}, {ANGLE, 1, 0}}, 1, {{SHIFT, 0}}}
static const struct {
  const char *name;
  joint_form form[2];
} table[] = {
    [STC_JOINT_BALL] = {"ball", {
        {3, false, {{MEET, 0, 0}, {MEET, 1, 0}, {MEET, 2, 0}}, 0, {{SHIFT, 0}}},
        PIN}},
    [STC_JOINT_HINGE] = {"hinge", {
        {5, true, {{MEET, 0, 0}, {MEET, 1, 0}, {MEET, 2, 0}, {ANGLE, 1, 0}, {ANGLE, 2, 0}},
         1, {{ROTATION, 0}}},
        PIN}},
    [STC_JOINT_PRISMATIC] = {"prismatic", {
        {5, true, {{ACROSS, 1, 0}, {ACROSS, 2, 0}, {ANGLE, 1, 0}, {ANGLE, 2, 0}, {ANGLE, 1, 2}},
         1, {{SHIFT, 0}}},
        SLIDER}},
    [STC_JOINT_FIXED] = {"fixed", {
        {6, false,
         {{MEET, 0, 0}, {MEET, 1, 0}, {MEET, 2, 0}, {ANGLE, 1, 0}, {ANGLE, 2, 0}, {ANGLE, 1, 2}},
         0, {{SHIFT, 0}}},
        {3, false, {{MEET, 0, 0}, {MEET, 1, 0}, {ANGLE, 1, 2}}, 0, {{SHIFT, 0}}}}},
    [STC_JOINT_UNIVERSAL] = {"universal", {
        {4, true, {{MEET, 0, 0}, {MEET, 1, 0}, {MEET, 2, 0}, {ANGLE, 0, 1}},
         2, {{CROSS, 0}, {FORK, 0}}},
        PIN}},
    [STC_JOINT_CYLINDRICAL] = {"cylindrical", {
        {4, true, {{ACROSS, 1, 0}, {ACROSS, 2, 0}, {ANGLE, 1, 0}, {ANGLE, 2, 0}},
         2, {{SHIFT, 0}, {ROTATION, 0}}},
        SLIDER}},
    [STC_JOINT_PLANAR] = {"planar", {
        {3, true, {{ACROSS, 0, 0}, {ANGLE, 1, 0}, {ANGLE, 2, 0}},
         3, {{SHIFT, 1}, {SHIFT, 2}, {ROTATION, 0}}},
        {0, false, {{MEET, 0, 0}}, 3, {{SHIFT, 1}, {SHIFT, 2}, {ROTATION, 0}}}}},
    [STC_JOINT_DISTANCE] = {"distance", {
        {1, false, {{ROD, 0, 0}}, 1, {{LENGTH, 0}}},
        {1, false, {{ROD, 0, 0}}, 1, {{LENGTH, 0}}}}},
    [STC_JOINT_GEAR] = {"gear", {
        {1, true, {{MESH, 0, 0}}, 0, {{SHIFT, 0}}},
        {1, false, {{MESH, 0, 0}}, 0, {{SHIFT, 0}}}}},
};
// clang-format on

enum { JOINTS = sizeof table / sizeof *table };

const char *stc_joint_name(int kind) {
  return kind >= 0 && kind < JOINTS ? table[kind].name : NULL;
}

stc_joint_size stc_joint_size_of(int kind, bool plane) {
  if (!stc_joint_name(kind)) return (stc_joint_size){0};
  const joint_form *form = &table[kind].form[plane];
  return (stc_joint_size){form->axis, form->rows, form->coordinates};
}

bool stc_joint_has_axis(int kind, bool plane) { return stc_joint_size_of(kind, plane).axis; }

int stc_joint_coordinates(int kind, bool plane) {
  return stc_joint_size_of(kind, plane).coordinates;
}

bool stc_joint_is_angle(int kind, bool plane, int k) {
  if (k < 0 || k >= stc_joint_coordinates(kind, plane)) return false;
  coordinate_form form = table[kind].form[plane].coordinate[k].form;
  return form == ROTATION || form == CROSS || form == FORK;
}

static const joint_form *form_of(const stc_world *world, const stc_link *link) {
  return &table[link->kind].form[world->settings.plane];
}

static stc_place at_rest(void) { return (stc_place){.rotation = {1, 0, 0, 0}}; }

void stc_joint_side_at(const stc_link *link, int k, const double x[3], const double R[9],
                       stc_joint_side *s) {
  memcpy(s->x, x, sizeof s->x);
  stc_mul3(R, link->anchor[k], s->lever);
  for (int i = 0; i < 3; i++) stc_mul3(R, link->axis[k] + 3 * i, s->axis + 3 * i);
}

static stc_joint_side side_at(const stc_link *link, int k, const stc_place *places) {
  stc_joint_side s;
  double R[9];
  stc_place place = link->body[k] < 0 ? at_rest() : places[link->body[k]];
  stc_rotation_matrix(place.rotation, R);
  stc_joint_side_at(link, k, place.x, R, &s);
  return s;
}

int stc_joint_meets(const stc_world *world, const stc_link *link) {
  const joint_form *form = form_of(world, link);
  int count = 0;
  while (count < link->rows && form->equation[count].form == MEET) count++;
  return count;
}

static void mean_of(stc_joint_side *a, const stc_joint_side *b) {
  for (int i = 0; i < 3; i++) {
    a->x[i] = (a->x[i] + b->x[i]) / 2;
    a->lever[i] = (a->lever[i] + b->lever[i]) / 2;
  }
  for (int i = 0; i < 9; i++) a->axis[i] = (a->axis[i] + b->axis[i]) / 2;
}

// --- Angles ---

/// Angle of the direction x, across the axis n, from the direction `zero`.
static double angle_from(const double n[3], const double zero[3], const double x[3]) {
  double across[3];
  stc_cross3(n, zero, across);
  return atan2(stc_dot3(x, across), stc_dot3(x, zero));
}

/// The angle nearest to `near` among those that look the same.
static double unwrap(double angle, double near) {
  const double whole = 2 * acos(-1);
  return angle + whole * round((near - angle) / whole);
}

/// Angle of body k of a gear since it was added.
static double gear_angle(const stc_link *link, int k, const stc_joint_side *s) {
  return unwrap(angle_from(s->axis, link->anchor[k], s->axis + 3), link->value[k]);
}

/// Angles of a gear go by arcs, Cayley's map by twice the tangent of half of them.
static double arc_over_chord(double angle) {
  double half = angle / 2;
  return fabs(half) > 1e-4 ? half / tan(half) : 1 - half * half / 3;
}

// --- Equations ---

/// p_a - p_b.
static void apart_of(const stc_joint_side s[2], double apart[3]) {
  stc_sub3(s[0].x, s[1].x, apart);
  stc_add3(apart, 1, s[0].lever);
  stc_add3(apart, -1, s[1].lever);
}

void stc_joint_errors_of(const stc_world *world, const stc_link *link, const stc_joint_side s[2],
                         double *g) {
  const joint_form *form = form_of(world, link);
  double apart[3];
  apart_of(s, apart);
  for (int k = 0; k < link->rows; k++) {
    const equation *e = &form->equation[k];
    const double *axis = s[0].axis + 3 * e->i;
    if (e->form == MEET) g[k] = apart[e->i];
    if (e->form == ACROSS) g[k] = stc_dot3(axis, apart);
    if (e->form == ANGLE) g[k] = stc_dot3(axis, s[1].axis + 3 * e->j);
    if (e->form == ROD) g[k] = (stc_dot3(apart, apart) / link->length - link->length) / 2;
    if (e->form == MESH)
      g[k] = gear_angle(link, 0, &s[0]) + link->ratio * gear_angle(link, 1, &s[1]);
  }
}

void stc_joint_errors(const stc_world *world, const stc_link *link, const stc_place *places,
                      double *g) {
  stc_joint_side s[2] = {side_at(link, 0, places), side_at(link, 1, places)};
  stc_joint_errors_of(world, link, s, g);
}

double stc_joint_violation_of(const stc_world *world, const stc_link *link,
                              const stc_joint_side s[2]) {
  const joint_form *form = form_of(world, link);
  double g[STC_JOINT_ROWS] = {0}, points = 0, angles = 0;
  stc_joint_errors_of(world, link, s, g);
  for (int k = 0; k < link->rows; k++) {
    bool angle = form->equation[k].form == ANGLE || form->equation[k].form == MESH;
    *(angle ? &angles : &points) += g[k] * g[k];
  }
  return fmax(sqrt(points), link->reach * sqrt(angles));
}

double stc_joint_violation(const stc_world *world, const stc_link *link, const stc_place *places) {
  stc_joint_side s[2] = {side_at(link, 0, places), side_at(link, 1, places)};
  return stc_joint_violation_of(world, link, s);
}

// --- Rows ---

/// A row that pulls the points along d, the first body's lever being `lever`.
static void fill_pull(const double lever[3], const double other[3], const double d[3],
                      stc_joint_row *row) {
  double moment[3];
  memcpy(row->force, d, sizeof row->force);
  stc_cross3(lever, d, row->moment[0]);
  stc_cross3(other, d, moment);
  for (int i = 0; i < 3; i++) row->moment[1][i] = -moment[i];
}

static void fill_angle(const double t[3], const double n[3], stc_joint_row *row) {
  memset(row->force, 0, sizeof row->force);
  stc_cross3(t, n, row->moment[0]);
  for (int i = 0; i < 3; i++) row->moment[1][i] = -row->moment[0][i];
}

/// The axes of a gear stay where they are, up to rounding.
static void fill_mesh(const stc_link *link, const stc_joint_side first[2],
                      const stc_joint_side last[2], stc_joint_row *row) {
  memset(row->force, 0, sizeof row->force);
  for (int k = 0; k < 2; k++) {
    double angle = gear_angle(link, k, &last[k]) - gear_angle(link, k, &first[k]);
    stc_scale3((k == 0 ? 1 : link->ratio) * arc_over_chord(angle), last[k].axis, row->moment[k]);
  }
}

void stc_joint_rows_of(const stc_world *world, const stc_link *link, int begin,
                       const stc_joint_side first[2], const stc_joint_side last[2],
                       stc_joint_row *row) {
  static const double unit[9] = {1, 0, 0, 0, 1, 0, 0, 0, 1};
  const joint_form *form = form_of(world, link);
  stc_joint_side s[2] = {last[0], last[1]};
  double apart[3], across[3], along[3];
  for (int k = 0; k < 2 && first != last; k++) mean_of(&s[k], &first[k]);
  apart_of(s, apart);
  if (link->length > 0) stc_scale3(1 / link->length, apart, along);
  stc_sub3(s[0].lever, apart, across);  // from the first centre to the second anchor
  for (int k = begin; k < link->rows; k++) {
    const equation *e = &form->equation[k];
    const double *axis = s[0].axis + 3 * e->i;
    if (e->form == MEET) fill_pull(s[0].lever, s[1].lever, unit + 3 * e->i, &row[k]);
    if (e->form == ACROSS) fill_pull(across, s[1].lever, axis, &row[k]);
    if (e->form == ANGLE) fill_angle(axis, s[1].axis + 3 * e->j, &row[k]);
    if (e->form == ROD) fill_pull(s[0].lever, s[1].lever, along, &row[k]);
    if (e->form == MESH) fill_mesh(link, first, last, &row[k]);
  }
}

void stc_joint_rows(const stc_world *world, const stc_link *link, const stc_place *from,
                    const stc_place *to, stc_joint_row *row) {
  stc_joint_side first[2], last[2];
  for (int k = 0; k < 2; k++) {
    last[k] = side_at(link, k, to);
    if (from != to) first[k] = side_at(link, k, from);
  }
  stc_joint_rows_of(world, link, 0, from == to ? last : first, last, row);
}

// --- Coordinates ---

double stc_joint_value(const stc_world *world, const stc_link *link, int k,
                       const stc_place *places) {
  const coordinate *c = &form_of(world, link)->coordinate[k];
  stc_joint_side s[2] = {side_at(link, 0, places), side_at(link, 1, places)};
  const double *a = s[0].axis, *b = s[1].axis;
  double apart[3], angle = 0, start = link->action[k].start;
  apart_of(s, apart);
  if (c->form == LENGTH) return stc_norm3(apart);
  if (c->form == SHIFT) return start + stc_dot3(b + 3 * c->i, apart);
  if (c->form == ROTATION)
    angle = angle_from(b + 3 * c->i, b + 3 * ((c->i + 1) % 3), a + 3 * ((c->i + 1) % 3));
  if (c->form == CROSS) angle = -angle_from(a, a + 3, b + 3);
  if (c->form == FORK) angle = angle_from(b + 3, b, a);
  return unwrap(start + angle, link->value[k]);
}

void stc_joint_value_row(const stc_world *world, const stc_link *link, int k,
                         const stc_place *places, stc_joint_row *row) {
  const coordinate *c = &form_of(world, link)->coordinate[k];
  stc_joint_side s[2] = {side_at(link, 0, places), side_at(link, 1, places)};
  const double *axis = c->form == CROSS  ? s[0].axis
                       : c->form == FORK ? s[1].axis + 3
                                         : s[1].axis + 3 * c->i;
  double apart[3], along[3];
  apart_of(s, apart);
  memcpy(along, apart, sizeof along);
  *row = (stc_joint_row){0};
  if (c->form == LENGTH) {
    if (stc_unit3(along) > 0) fill_pull(s[0].lever, s[1].lever, along, row);
  } else if (c->form == SHIFT) {
    stc_add3(apart, 1, s[1].lever);  // from the second centre to the first anchor
    fill_pull(s[0].lever, apart, axis, row);
  } else {
    memcpy(row->moment[0], axis, sizeof row->moment[0]);
    stc_scale3(-1, axis, row->moment[1]);
  }
}

void stc_joint_keep_values(const stc_world *world, stc_link *link, const stc_place *places) {
  for (int k = 0; k < link->coordinates; k++)
    link->value[k] = stc_joint_value(world, link, k, places);
  for (int k = 0; k < 2 && link->kind == STC_JOINT_GEAR; k++) {
    stc_joint_side s = side_at(link, k, places);
    link->value[k] = gear_angle(link, k, &s);
  }
}

/// A driven body rotates in a flight of h/2 by Cayley's angle 2 atan(h |omega| / 4): its mean rate.
void stc_joint_driven_rate(const stc_world *world, const double given[3], double omega[3]) {
  double half = world->settings.h / 4 * stc_norm3(given);
  double part = half > 0 ? atan(half) / half : 1;
  for (int i = 0; i < 3; i++) omega[i] = part * given[i];
}

void stc_joint_side_rate(const stc_world *world, const stc_link *link, int k,
                         const stc_place *places, double v[3], double omega[3]) {
  int body = link->body[k];
  for (int i = 0; i < 3; i++) v[i] = omega[i] = 0;
  if (body < 0) return;
  memcpy(v, places[body].v, 3 * sizeof *v);
  if (STC_NODES(world)[body].dof >= 0)
    stc_world_rate(world, &places[body], body, omega);
  else
    stc_joint_driven_rate(world, places[body].omega, omega);
}

double stc_joint_rate(const stc_world *world, const stc_link *link, const stc_joint_row *row,
                      const stc_place *places, bool driven) {
  double rate = 0;
  for (int k = 0; k < 2; k++) {
    double v[3], omega[3];
    if (driven && link->body[k] >= 0 && STC_NODES(world)[link->body[k]].dof >= 0) continue;
    stc_joint_side_rate(world, link, k, places, v, omega);
    rate += (k == 0 ? 1 : -1) * stc_dot3(row->force, v) + stc_dot3(row->moment[k], omega);
  }
  return rate;
}

// --- Rows of G, of the problem of a step ---

void stc_joint_put_row(const stc_world *world, const stc_link *link, const stc_joint_row *row,
                       stc_rows *A, int at) {
  int low = link->body[0] < link->body[1] ? 0 : 1;
  for (int slot = 0; slot < 2; slot++) {
    int k = slot == 0 ? low : 1 - low;
    double force[3];
    stc_scale3(k == 0 ? 1 : -1, row->force, force);
    stc_world_put_body(world, A, at, slot, link->body[k], force, row->moment[k]);
  }
}

static bool is_driven(const stc_world *world, const stc_link *link) {
  bool driven = false;
  for (int k = 0; k < 2 && !driven; k++)
    driven = link->body[k] >= 0 && STC_NODES(world)[link->body[k]].mobility == STC_MOBILITY_DRIVEN;
  return driven;
}

stc_error stc_world_joint_rates(stc_world *world, stc_pool *rates) {
  STC_TRY(stc_pool_grow(rates, (size_t)world->equalities, sizeof(double), 0));
  if (world->equalities) memset(rates->data, 0, (size_t)world->equalities * sizeof(double));
  for (int j = 0; j < world->links; j++) {
    const stc_link *link = &STC_LINKS(world)[j];
    stc_joint_row row[STC_JOINT_ROWS];
    if (!is_driven(world, link)) continue;
    stc_joint_rows(world, link, STC_NEXT(world), STC_NEXT(world), row);
    for (int k = 0; k < link->rows; k++)
      ((double *)rates->data)[link->first_row + k] =
          stc_joint_rate(world, link, &row[k], STC_NEXT(world), true);
  }
  return STC_OK;
}

static bool something_acts(const stc_world *world) {
  bool some = false;
  for (int j = 0; j < world->links && !some; j++) some = STC_LINKS(world)[j].acting > 0;
  return some;
}

stc_error stc_world_joint_rows(stc_world *world) {
  STC_TRY(stc_world_open_rows(world, world->equalities, 1, &world->G));
  STC_TRY(stc_pool_grow(&world->multiplier, (size_t)world->equalities, sizeof(double), 0));
  STC_TRY(stc_world_joint_rates(world, &world->driven));
  if (world->count == 0 && !something_acts(world)) return STC_OK;
  for (int j = 0; j < world->links; j++) {
    const stc_link *link = &STC_LINKS(world)[j];
    stc_joint_row row[STC_JOINT_ROWS];
    stc_joint_rows(world, link, STC_NEXT(world), STC_NEXT(world), row);
    for (int k = 0; k < link->rows; k++)
      stc_joint_put_row(world, link, &row[k], &world->G, link->first_row + k);
  }
  return STC_OK;
}
