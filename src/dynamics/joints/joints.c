// Joints as they are added, their equations and rows:
//   ball: points meet;   hinge: and the axes agree;   fixed: and all axes do;
//   prismatic: all axes agree, and points meet across the axis.
#include "joints.h"
#include "../../base/number.h"

/// An equation of a joint by the vectors that it multiplies.
typedef enum row_form {
  MEET,    ///< e_i.(p_a - p_b) with the world's axis i
  ACROSS,  ///< axis_i of the first body . (p_a - p_b)
  ANGLE    ///< axis_i of the first body . axis_j of the second
} row_form;

typedef struct equation {
  row_form form;
  int i, j;
} equation;

typedef struct joint_form {
  int rows;
  bool axis;  ///< the caller gives one
  equation equation[STC_JOINT_ROWS];
} joint_form;

// In space and in the plane. In the plane a hinge and a ball are pins, rotations are about z. The
// axes of a fixed joint are z and two in the plane, those of a prismatic one its axis, the
// direction across it, and z.
// clang-format off
static const struct {
  const char *name;
  joint_form form[2];
} table[] = {
    [STC_JOINT_BALL] = {"ball", {
        {3, false, {{MEET, 0, 0}, {MEET, 1, 0}, {MEET, 2, 0}}},
        {2, false, {{MEET, 0, 0}, {MEET, 1, 0}}}}},
    [STC_JOINT_HINGE] = {"hinge", {
        {5, true, {{MEET, 0, 0}, {MEET, 1, 0}, {MEET, 2, 0}, {ANGLE, 1, 0}, {ANGLE, 2, 0}}},
        {2, false, {{MEET, 0, 0}, {MEET, 1, 0}}}}},
    [STC_JOINT_PRISMATIC] = {"prismatic", {
        {5, true, {{ACROSS, 1, 0}, {ACROSS, 2, 0}, {ANGLE, 1, 0}, {ANGLE, 2, 0}, {ANGLE, 1, 2}}},
        {2, true, {{ACROSS, 1, 0}, {ANGLE, 1, 0}}}}},
    [STC_JOINT_FIXED] = {"fixed", {
        {6, false,
         {{MEET, 0, 0}, {MEET, 1, 0}, {MEET, 2, 0}, {ANGLE, 1, 0}, {ANGLE, 2, 0}, {ANGLE, 1, 2}}},
        {3, false, {{MEET, 0, 0}, {MEET, 1, 0}, {ANGLE, 1, 2}}}}},
};
// clang-format on

enum { JOINTS = sizeof table / sizeof *table };

const char *stc_joint_name(int kind) {
  return kind >= 0 && kind < JOINTS ? table[kind].name : NULL;
}

bool stc_joint_has_axis(int kind, bool plane) {
  return stc_joint_name(kind) && table[kind].form[plane].axis;
}

static const joint_form *form_of(const stc_world *world, stc_joint_kind kind) {
  return &table[kind].form[world->settings.plane];
}

// --- Adding ---

stc_joint stc_default_joint(void) { return (stc_joint){.cookie = STC_COOKIE}; }

/// The bodies of a joint by their indices; -1: the world.
static stc_error find_bodies(const stc_world *world, const stc_joint *joint, int body[2]) {
  for (int k = 0; k < 2; k++) {
    body[k] = -1;
    if (joint->body[k].index == 0 && joint->body[k].generation == 0) continue;
    if (stc_world_find_body(world, joint->body[k], &body[k]))
      return stc_fail(STC_ERR_ARGUMENT, "joint %d: %s", world->links, stc_error_detail());
  }
  return STC_OK;
}

static stc_error check_joint(const stc_world *world, const stc_joint *joint, const int body[2]) {
  if (!stc_joint_name((int)joint->kind))
    return stc_fail(STC_ERR_ARGUMENT, "joint %d: there is no kind %d", world->links,
                    (int)joint->kind);
  bool moves = false;
  for (int k = 0; k < 2; k++)
    moves = moves || (body[k] >= 0 && stc_body_is_free(&STC_NODES(world)[body[k]]));
  if (!moves || body[0] == body[1])
    return stc_fail(STC_ERR_ARGUMENT,
                    "joint %d joins nothing that moves; give two bodies, one of them free",
                    world->links);
  for (int i = 0; i < 3; i++)
    if (!isfinite(joint->anchor[i]))
      return stc_fail(STC_ERR_VALUE, "joint %d: anchor[%d] = %g; give finite numbers", world->links,
                      i, joint->anchor[i]);
  return STC_OK;
}

static stc_error take_axis(const stc_world *world, const stc_joint *joint, double axis[9]) {
  bool needed = form_of(world, joint->kind)->axis;
  double given[3] = {joint->axis[0], joint->axis[1], joint->axis[2]}, norm = stc_norm3(given);
  if (!needed) {
    memcpy(given, (double[]){0, 0, 1}, sizeof given);
    norm = 1;
  }
  if (!(norm > 0 && isfinite(norm)))
    return stc_fail(STC_ERR_VALUE, "joint %d: the axis (%g, %g, %g) has no direction", world->links,
                    given[0], given[1], given[2]);
  if (needed && world->settings.plane && given[2] != 0)
    return stc_fail(STC_ERR_VALUE, "joint %d: the axis leaves the plane; its z must be 0",
                    world->links);
  for (int i = 0; i < 3; i++) axis[i] = given[i] / norm;
  stc_frame3(axis, axis + 3, axis + 6);
  if (!needed || !world->settings.plane) return STC_OK;
  memcpy(axis + 3, (double[]){-axis[1], axis[0], 0}, 3 * sizeof *axis);  // across, in the plane
  memcpy(axis + 6, (double[]){0, 0, 1}, 3 * sizeof *axis);
  return STC_OK;
}

static stc_place at_rest(void) { return (stc_place){.rotation = {1, 0, 0, 0}}; }

double stc_joint_reach(const stc_world *world, const stc_link *link) {
  double reach = 0;
  for (int k = 0; k < 2; k++) {
    const stc_body_data *node = link->body[k] < 0 ? NULL : &STC_NODES(world)[link->body[k]];
    if (!node || !stc_body_is_free(node)) continue;
    reach = fmax(reach, fmax(node->size, stc_norm3(link->anchor[k])));
    reach = fmax(reach, sqrt(node->inertia[8] / node->mass));
  }
  return reach;
}

stc_error stc_world_add_joint(stc_world *world, const stc_joint *joint, stc_joint_id *id) {
  int body[2];
  if (!world || !joint) return stc_fail(STC_ERR_ARGUMENT, "add_joint needs a world and a joint");
  STC_TRY(stc_cookie_check(joint->cookie, "stc_default_joint"));
  STC_TRY(find_bodies(world, joint, body));
  STC_TRY(check_joint(world, joint, body));
  double axis[9] = {0};
  STC_TRY(take_axis(world, joint, axis));
  stc_link link = {
      .kind = joint->kind, .body = {body[0], body[1]}, .rows = form_of(world, joint->kind)->rows};
  for (int k = 0; k < 2; k++) {
    double R[9], lever[3];
    stc_place place = link.body[k] < 0 ? at_rest() : STC_PLACES(world)[link.body[k]];
    stc_rotation_matrix(place.rotation, R);
    stc_sub3(joint->anchor, place.x, lever);
    stc_mul3_transposed(R, lever, link.anchor[k]);
    for (int i = 0; i < 3; i++) stc_mul3_transposed(R, axis + 3 * i, link.axis[k] + 3 * i);
  }
  link.reach = stc_joint_reach(world, &link);
  return stc_world_put_link(world, &link, id);
}

void stc_joint_describe(const stc_world *world, int joint, char *text, size_t size) {
  const stc_link *link = &STC_LINKS(world)[joint];
  const char *name[2];
  for (int k = 0; k < 2; k++)
    name[k] = link->body[k] < 0 ? "the world" : STC_NODES(world)[link->body[k]].name;
  stc_snprintf(text, size, "joint %d (%s of %s and %s)", link->slot,
               stc_joint_name((int)link->kind), name[0], name[1]);
}

// --- Equations ---

/// A side of a joint: the body's centre, its lever to the anchor and its axes, in the world.
typedef struct side {
  double x[3], lever[3], axis[9];
} side;

static side side_at(const stc_link *link, int k, const stc_place *places) {
  side s;
  double R[9];
  stc_place place = link->body[k] < 0 ? at_rest() : places[link->body[k]];
  stc_rotation_matrix(place.rotation, R);
  memcpy(s.x, place.x, sizeof s.x);
  stc_mul3(R, link->anchor[k], s.lever);
  for (int i = 0; i < 3; i++) stc_mul3(R, link->axis[k] + 3 * i, s.axis + 3 * i);
  return s;
}

static void mean_of(side *a, const side *b) {
  for (int i = 0; i < 3; i++) {
    a->x[i] = (a->x[i] + b->x[i]) / 2;
    a->lever[i] = (a->lever[i] + b->lever[i]) / 2;
  }
  for (int i = 0; i < 9; i++) a->axis[i] = (a->axis[i] + b->axis[i]) / 2;
}

/// p_a - p_b.
static void apart_of(const side s[2], double apart[3]) {
  stc_sub3(s[0].x, s[1].x, apart);
  stc_add3(apart, 1, s[0].lever);
  stc_add3(apart, -1, s[1].lever);
}

void stc_joint_errors(const stc_world *world, const stc_link *link, const stc_place *places,
                      double *g) {
  const joint_form *form = form_of(world, link->kind);
  side s[2] = {side_at(link, 0, places), side_at(link, 1, places)};
  double apart[3];
  apart_of(s, apart);
  for (int k = 0; k < form->rows; k++) {
    const equation *e = &form->equation[k];
    const double *axis = s[0].axis + 3 * e->i;
    if (e->form == MEET) g[k] = apart[e->i];
    if (e->form == ACROSS) g[k] = stc_dot3(axis, apart);
    if (e->form == ANGLE) g[k] = stc_dot3(axis, s[1].axis + 3 * e->j);
  }
}

double stc_joint_violation(const stc_world *world, const stc_link *link, const stc_place *places) {
  const joint_form *form = form_of(world, link->kind);
  double g[STC_JOINT_ROWS] = {0}, points = 0, angles = 0;
  stc_joint_errors(world, link, places, g);
  for (int k = 0; k < form->rows; k++)
    *(form->equation[k].form == ANGLE ? &angles : &points) += g[k] * g[k];
  return fmax(sqrt(points), link->reach * sqrt(angles));
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

void stc_joint_rows(const stc_world *world, const stc_link *link, const stc_place *from,
                    const stc_place *to, stc_joint_row *row) {
  static const double unit[9] = {1, 0, 0, 0, 1, 0, 0, 0, 1};
  const joint_form *form = form_of(world, link->kind);
  side s[2];
  double apart[3], across[3];
  for (int k = 0; k < 2; k++) {
    s[k] = side_at(link, k, to);
    side first = from == to ? s[k] : side_at(link, k, from);
    if (from != to) mean_of(&s[k], &first);
  }
  apart_of(s, apart);
  stc_sub3(s[0].lever, apart, across);  // from the first centre to the second anchor
  for (int k = 0; k < form->rows; k++) {
    const equation *e = &form->equation[k];
    const double *axis = s[0].axis + 3 * e->i;
    if (e->form == MEET) fill_pull(s[0].lever, s[1].lever, unit + 3 * e->i, &row[k]);
    if (e->form == ACROSS) fill_pull(across, s[1].lever, axis, &row[k]);
    if (e->form == ANGLE) fill_angle(axis, s[1].axis + 3 * e->j, &row[k]);
  }
}

/// A driven body rotates in a flight of h/2 by Cayley's angle 2 atan(h |omega| / 4): its mean rate.
static void driven_rate(const stc_world *world, const double given[3], double omega[3]) {
  double half = world->settings.h / 4 * stc_norm3(given);
  double part = half > 0 ? atan(half) / half : 1;
  for (int i = 0; i < 3; i++) omega[i] = part * given[i];
}

double stc_joint_rate(const stc_world *world, const stc_link *link, const stc_joint_row *row,
                      const stc_place *places, bool driven) {
  double rate = 0;
  for (int k = 0; k < 2; k++) {
    int body = link->body[k];
    if (body < 0) continue;
    bool moves = STC_NODES(world)[body].dof >= 0;
    double omega[3];
    if (driven && moves) continue;
    if (moves)
      stc_world_rate(world, &places[body], body, omega);
    else
      driven_rate(world, places[body].omega, omega);
    rate += (k == 0 ? 1 : -1) * stc_dot3(row->force, places[body].v);
    rate += stc_dot3(row->moment[k], omega);
  }
  return rate;
}

// --- Rows of G, of the problem of a step ---

/// Body k of a joint on side `slot` of equation `at`.
static void put_joint_body(stc_world *world, const stc_link *link, const stc_joint_row *row, int at,
                           int slot, int k) {
  double force[3];
  stc_scale3(k == 0 ? 1 : -1, row->force, force);
  stc_world_put_body(world, &world->G, at, slot, link->body[k], force, row->moment[k]);
}

stc_error stc_world_joint_rates(stc_world *world, stc_pool *rates) {
  STC_TRY(stc_pool_grow(rates, (size_t)world->equalities, sizeof(double), 0));
  for (int j = 0; j < world->links; j++) {
    const stc_link *link = &STC_LINKS(world)[j];
    stc_joint_row row[STC_JOINT_ROWS];
    stc_joint_rows(world, link, STC_NEXT(world), STC_NEXT(world), row);
    for (int k = 0; k < link->rows; k++)
      ((double *)rates->data)[link->first_row + k] =
          stc_joint_rate(world, link, &row[k], STC_NEXT(world), true);
  }
  return STC_OK;
}

stc_error stc_world_joint_rows(stc_world *world) {
  STC_TRY(stc_world_open_rows(world, world->equalities, 1, &world->G));
  STC_TRY(stc_pool_grow(&world->multiplier, (size_t)world->equalities, sizeof(double), 0));
  STC_TRY(stc_world_joint_rates(world, &world->driven));
  for (int j = 0; j < world->links; j++) {
    const stc_link *link = &STC_LINKS(world)[j];
    stc_joint_row row[STC_JOINT_ROWS];
    stc_joint_rows(world, link, STC_NEXT(world), STC_NEXT(world), row);
    int low = link->body[0] < link->body[1] ? 0 : 1;
    for (int k = 0; k < link->rows; k++) {
      put_joint_body(world, link, &row[k], link->first_row + k, 0, low);
      put_joint_body(world, link, &row[k], link->first_row + k, 1, 1 - low);
    }
  }
  return STC_OK;
}
