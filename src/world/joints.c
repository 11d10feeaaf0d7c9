// Joints: rows G of the constraint velocities of two bodies at the middle of the step,
//   ball: points meet;   hinge: and no turn across the axis;   fixed: and no turn at all;
//   prismatic: no turn, and points meet across the axis.
// The turning of the rows over half a step, G_M v - G_I v, is taken back by the other half: the
// rows hold at the end of the step, G v+ + b = 0 with b = G_M v - G_I v, and joints do no work but
// where they stop a velocity they do not allow.
#include "joints.h"

static const int rows_of[] = {
    [STC_JOINT_BALL] = 3, [STC_JOINT_HINGE] = 5, [STC_JOINT_PRISMATIC] = 5, [STC_JOINT_FIXED] = 6};

// In the plane: a hinge and a ball are pins, turns are about z.
static const int plane_rows_of[] = {
    [STC_JOINT_BALL] = 2, [STC_JOINT_HINGE] = 2, [STC_JOINT_PRISMATIC] = 2, [STC_JOINT_FIXED] = 3};

static stc_error check_joint(const stc_world *world, const stc_joint *joint) {
  if ((int)joint->kind < 0 || joint->kind > STC_JOINT_FIXED)
    return stc_fail(STC_ERR_ARGUMENT, "joint %d: there is no kind %d", world->links,
                    (int)joint->kind);
  for (int k = 0; k < 2; k++)
    if (joint->body[k] < -1 || joint->body[k] >= world->bodies)
      return stc_fail(STC_ERR_ARGUMENT, "joint %d: there is no body %d; -1 is the world",
                      world->links, joint->body[k]);
  bool moves = false;
  for (int k = 0; k < 2; k++)
    moves = moves || (joint->body[k] >= 0 && STC_NODES(world)[joint->body[k]].dof >= 0);
  if (!moves || joint->body[0] == joint->body[1])
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
  bool needed = joint->kind == STC_JOINT_HINGE || joint->kind == STC_JOINT_PRISMATIC;
  double given[3] = {joint->axis[0], joint->axis[1], joint->axis[2]}, norm = stc_norm3(given);
  if (needed && world->settings.plane && joint->kind == STC_JOINT_HINGE) needed = false;
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
  stc_across(axis, axis + 3, axis + 6);
  if (!needed || !world->settings.plane) return STC_OK;
  memcpy(axis + 3, (double[]){-axis[1], axis[0], 0}, 3 * sizeof *axis);  // across, in the plane
  memcpy(axis + 6, (double[]){0, 0, 1}, 3 * sizeof *axis);
  return STC_OK;
}

static stc_place at_rest(void) { return (stc_place){.turn = {1, 0, 0, 0}}; }

static void conjugate(const double q[4], double c[4]) {
  c[0] = q[0];
  for (int i = 1; i < 4; i++) c[i] = -q[i];
}

/// Turn of the second frame in the first.
static void relative_turn(const stc_place place[2], double q[4]) {
  double inverse[4];
  conjugate(place[0].turn, inverse);
  stc_turn_multiply(inverse, place[1].turn, q);
}

stc_error stc_world_add_joint(stc_world *world, const stc_joint *joint, int *number) {
  if (!world || !joint) return stc_fail(STC_ERR_ARGUMENT, "add_joint needs a world and a joint");
  if (world->started)
    return stc_fail(STC_ERR_ARGUMENT, "the world has started; add joints before that");
  STC_TRY(check_joint(world, joint));
  double axis[9] = {0};
  STC_TRY(take_axis(world, joint, axis));
  stc_link link = {.kind = joint->kind,
                   .body = {joint->body[0], joint->body[1]},
                   .rows = (world->settings.plane ? plane_rows_of : rows_of)[joint->kind],
                   .first_row = world->equalities};
  stc_place place[2];
  for (int k = 0; k < 2; k++) {
    double R[9], lever[3];
    place[k] = link.body[k] < 0 ? at_rest() : STC_PLACES(world)[link.body[k]];
    stc_turn_matrix(place[k].turn, R);
    stc_sub3(joint->anchor, place[k].x, lever);
    stc_mul3_transposed(R, lever, link.anchor[k]);
    for (int i = 0; i < 3; i++) stc_mul3_transposed(R, axis + 3 * i, link.axis[k] + 3 * i);
  }
  relative_turn(place, link.turn);
  size_t links = (size_t)world->links;
  STC_TRY(stc_stock_grow(&world->link, links + 1, sizeof link, links));
  STC_LINKS(world)[links] = link;
  if (number) *number = world->links;
  world->equalities += link.rows;
  world->links++;
  return STC_OK;
}

// --- Geometry ---

/// What keeps row k of a joint: a velocity along `direction` at the anchor, or a turn about it.
static bool row_of(const stc_world *world, const stc_link *link, const double axis[9], int k,
                   double direction[3]) {
  static const double unit[9] = {1, 0, 0, 0, 1, 0, 0, 0, 1};
  bool plane = world->settings.plane;
  int points = link->kind == STC_JOINT_PRISMATIC ? (plane ? 1 : 2) : (plane ? 2 : 3);
  const double *from = unit;
  bool turns = k >= points;
  if (turns && plane)
    from = unit + 6;
  else if (turns && link->kind == STC_JOINT_HINGE)
    from = axis + 3 * (k - points + 1);
  else if (turns)
    from = unit + 3 * (k - points);
  else if (link->kind == STC_JOINT_PRISMATIC)
    from = axis + 3 * (k + 1);
  else
    from = unit + 3 * k;
  memcpy(direction, from, 3 * sizeof *direction);
  return turns;
}

void stc_joint_look(const stc_world *world, const stc_place *places, const stc_link *link,
                    stc_joint_view *view) {
  double R[2][9], axis[9] = {0};
  stc_place place[2];
  for (int k = 0; k < 2; k++) {
    place[k] = link->body[k] < 0 ? at_rest() : places[link->body[k]];
    stc_turn_matrix(place[k].turn, R[k]);
    stc_mul3(R[k], link->anchor[k], view->lever[k]);
    memcpy(view->point[k], place[k].x, sizeof view->point[k]);
    stc_add3(view->point[k], 1, view->lever[k]);
  }
  // The first body's lever ends where the second one's anchor is: impulses act at one point.
  stc_sub3(view->point[1], place[0].x, view->lever[0]);
  for (int i = 0; i < 3; i++) stc_mul3(R[0], link->axis[0] + 3 * i, axis + 3 * i);
  for (int k = 0; k < link->rows; k++)
    view->turns[k] = row_of(world, link, axis, k, view->direction[k]);
  stc_mul3(R[1], link->axis[1], view->other_axis);
  memcpy(view->axis, axis, sizeof view->axis);
  double now[4], kept[4], error[4];
  relative_turn(place, now);
  conjugate(link->turn, kept);
  stc_turn_multiply(now, kept, error);
  double sign = error[0] < 0 ? -2 : 2,
         local[3] = {sign * error[1], sign * error[2], sign * error[3]};
  stc_mul3(R[0], local, view->turned);
  if (link->kind == STC_JOINT_HINGE) stc_cross3(view->axis, view->other_axis, view->turned);
}

double stc_joint_error(const stc_joint_view *view, int row) {
  double apart[3];
  stc_sub3(view->point[0], view->point[1], apart);
  return stc_dot3(view->direction[row], view->turns[row] ? view->turned : apart) *
         (view->turns[row] ? -1 : 1);
}

// --- Rows of G ---

static void add_entry(stc_world *world, int *at, int col, double value) {
  ((int *)world->G.col.data)[*at] = col;
  ((double *)world->G.val.data)[(*at)++] = value;
}

/// Entries of body k in row `row`.
static void add_body_row(stc_world *world, const stc_joint_view *view, const stc_link *link,
                         int row, int k, int *at) {
  int body = link->body[k], dof = body < 0 ? -1 : STC_NODES(world)[body].dof;
  if (dof < 0) return;
  double sign = k == 0 ? 1 : -1, moment[3], local[3];
  const double *d = view->direction[row];
  if (view->turns[row])
    memcpy(moment, d, sizeof moment);
  else
    stc_cross3(view->lever[k], d, moment);
  stc_mul3_transposed(STC_TURN(world, body), moment, local);
  bool plane = world->settings.plane;
  for (int i = 0; i < (plane ? 2 : 3) && !view->turns[row]; i++)
    add_entry(world, at, dof + i, sign * d[i]);
  if (plane) add_entry(world, at, dof + 2, sign * moment[2]);
  for (int i = 0; i < 3 && !plane; i++) add_entry(world, at, dof + 3 + i, sign * local[i]);
}

/// Velocity of a row by what its bodies do; of driven ones only where `driven`.
static double rate_of(const stc_world *world, const stc_place *places, const stc_joint_view *view,
                      const stc_link *link, int row, bool driven) {
  double rate = 0;
  for (int k = 0; k < 2; k++) {
    int body = link->body[k];
    if (body < 0 || (driven && STC_NODES(world)[body].dof >= 0)) continue;
    double velocity[3], omega[3];
    stc_world_rate(world, &places[body], body, omega);
    stc_cross3(omega, view->lever[k], velocity);
    stc_add3(velocity, 1, places[body].v);
    rate += (k == 0 ? 1 : -1) * stc_dot3(view->direction[row], view->turns[row] ? omega : velocity);
  }
  return rate;
}

/// bias = sign * rates at `places`, added.
static void add_rates(stc_world *world, const stc_place *places, double sign) {
  double *bias = world->bias.data;
  for (int j = 0; j < world->links; j++) {
    const stc_link *link = &STC_LINKS(world)[j];
    stc_joint_view view;
    stc_joint_look(world, places, link, &view);
    for (int k = 0; k < link->rows; k++)
      bias[link->first_row + k] += sign * rate_of(world, places, &view, link, k, false);
  }
}

stc_error stc_world_joint_curve(stc_world *world) {
  size_t rows = (size_t)world->equalities;
  STC_TRY(stc_stock_grow(&world->bias, rows, sizeof(double), 0));
  memset(world->bias.data, 0, rows * sizeof(double));
  add_rates(world, STC_NEXT(world), 1);
  add_rates(world, STC_PLACES(world), -1);
  return STC_OK;
}

stc_error stc_world_joint_rows(stc_world *world) {
  size_t rows = (size_t)world->equalities;
  STC_TRY(stc_stock_grow(&world->G.ptr, rows + 1, sizeof(int), 0));
  STC_TRY(stc_stock_grow(&world->G.col, 12 * rows, sizeof(int), 0));
  STC_TRY(stc_stock_grow(&world->G.val, 12 * rows, sizeof(double), 0));
  STC_TRY(stc_stock_grow(&world->driven, rows, sizeof(double), 0));
  STC_TRY(stc_stock_grow(&world->multiplier, rows, sizeof(double), 0));
  int at = 0, *ptr = world->G.ptr.data;
  double *bias = world->bias.data, *driven = world->driven.data;
  world->G.rows = world->equalities;
  ptr[0] = 0;
  for (int j = 0; j < world->links; j++) {
    const stc_link *link = &STC_LINKS(world)[j];
    stc_joint_view view;
    stc_joint_look(world, STC_NEXT(world), link, &view);
    int body[2] = {link->body[0], link->body[1]}, low = body[0] < body[1] ? 0 : 1;
    for (int k = 0; k < link->rows; k++) {
      add_body_row(world, &view, link, k, low, &at);
      add_body_row(world, &view, link, k, 1 - low, &at);
      driven[link->first_row + k] = rate_of(world, STC_NEXT(world), &view, link, k, true);
      bias[link->first_row + k] += driven[link->first_row + k];
      ptr[link->first_row + k + 1] = at;
    }
  }
  return STC_OK;
}
