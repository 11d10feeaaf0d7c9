// The flight of one body on a hinge, or in the plane on a pin, that something at rest holds: it
// goes on about the axis a at the same rate,
//   rotation by cay(k omega a),   x1 = p - lever1,   v1 = -omega a x lever1,
// which is where the iteration of mechanism_flight.c leads, with alpha = 0: the chord between both
// places is k (v0 + v1)/2.
#include "mechanism.h"

int stc_hinge_side(const stc_world *world, const stc_mechanism *m) {
  if (m->links != 1 || m->bodies != 1) return -1;
  const stc_link *link = &STC_LINKS(world)[m->link[0]];
  bool pin = world->settings.plane && link->rows == 2 && m->meets[0] == 2;
  return pin || link->kind == STC_JOINT_HINGE ? m->mover_of[0] != 0 : -1;
}

static bool is_still(const stc_place *place) {
  bool still = true;
  for (int i = 0; i < 3; i++) still = still && place->v[i] == 0 && place->omega[i] == 0;
  return still;
}

/// The anchor on what holds the hinge.
static void find_anchor(const stc_link *link, int k, const stc_place *places, double p[3]) {
  double R[9];
  memcpy(p, link->anchor[k], 3 * sizeof *p);
  if (link->body[k] < 0) return;
  const stc_place *place = &places[link->body[k]];
  stc_rotation_matrix(place->rotation, R);
  stc_mul3(R, link->anchor[k], p);
  stc_add3(p, 1, place->x);
}

/// Angular momentum about the centre, in the world.
static void find_spin(const stc_body_data *node, const double R[9], const double omega[3],
                      double spin[3]) {
  stc_mul3(node->inertia, omega, spin);
  stc_mul3(R, spin, spin);
}

/// The impulse of the hinge on its first body, and its moment about the anchor.
static void react(const stc_world *world, const stc_mechanism *m, const stc_place *from,
                  const stc_place *to) {
  const stc_link *link = &STC_LINKS(world)[m->link[0]];
  const stc_body_data *node = &STC_NODES(world)[m->body[0]];
  double R[2][9], spin[2][3], lever[2][3], force[3], moment[3];
  double sign = m->hinge_side == 0 ? 1 : -1;
  for (int k = 0; k < 2; k++) {
    const stc_place *place = k == 0 ? from : to;
    stc_rotation_matrix(place->rotation, R[k]);
    stc_mul3(R[k], link->anchor[m->hinge_side], lever[k]);
    find_spin(node, R[k], place->omega, spin[k]);
  }
  for (int i = 0; i < 3; i++) {
    force[i] = node->mass * (to->v[i] - from->v[i]);
    lever[0][i] = (lever[0][i] + lever[1][i]) / 2;
  }
  stc_cross3(lever[0], force, moment);
  stc_add3(m->flown, sign, force);
  if (world->settings.plane) return;
  for (int i = 0; i < 3; i++) m->flown[3 + i] += sign * (spin[1][i] - spin[0][i] - moment[i]);
}

bool stc_hinge_fly(const stc_world *world, stc_mechanism *m, double k, const stc_place *places,
                   stc_place *to) {
  if (m->hinge_side < 0) return false;
  const stc_link *link = &STC_LINKS(world)[m->link[0]];
  int body = m->body[0], other = link->body[1 - m->hinge_side];
  if (other >= 0 && !is_still(&to[other])) return false;
  const stc_place *from = &places[body];
  double axis[3] = {0, 0, 1}, angle[3], p[3], R[9], lever[3], omega[3];
  if (!world->settings.plane) memcpy(axis, link->axis[m->hinge_side], sizeof axis);
  double rate = stc_dot3(from->omega, axis);
  find_anchor(link, 1 - m->hinge_side, to, p);
  stc_place *place = &to[body];
  memcpy(place->rotation, from->rotation, sizeof place->rotation);
  stc_scale3(rate, axis, place->omega);
  stc_scale3(k * rate, axis, angle);
  stc_rotation_by(place->rotation, angle, 1);
  stc_rotation_matrix(place->rotation, R);
  stc_mul3(R, link->anchor[m->hinge_side], lever);
  stc_mul3(R, place->omega, omega);
  stc_sub3(p, lever, place->x);
  stc_cross3(lever, omega, place->v);
  react(world, m, from, place);
  return true;
}
