// The law of each contact of a step, C(q, u-) of Moreau (1986): chosen before the step from where
// the contact is and what it did, kept during it. Tangents of a law with directions turn with the
// body of the first surface: T1 is its direction `along` in the plane of the contact.
#include "contact_laws.h"

// Below this part of its length in the plane of the contact, a direction is normal to it: another
// one of the body takes its place.
static const double ACROSS = 1e-6;  // [input]

const stc_surface_law *stc_contact_given_law(const stc_world *world, const stc_contact_pair *m,
                                             double *sign) {
  const stc_given_surface_law *given = world->given_law.data;
  *sign = m->given_law > 0 ? 1 : -1;
  return &given[m->given_law > 0 ? m->given_law - 1 : -m->given_law - 1].law;
}

/// Of two bodies with the same surface the first one is that with the smaller index.
static int law_of_bodies(const stc_world *world, const int body[2]) {
  const stc_body_data *node = STC_NODES(world);
  int a = node[body[0]].surface, b = node[body[1]].surface;
  int law = world->surface_law[a * world->surfaces + b];
  return a == b && body[0] > body[1] ? -law : law;
}

// --- Frames ---

static bool has_direction(const double d[3]) { return d[0] != 0 || d[1] != 0 || d[2] != 0; }

static stc_pose pose_of(const stc_world *world, int body) {
  return stc_node_pose(&STC_NODES(world)[body], &STC_NEXT(world)[body]);
}

/// The unit vector t along d less its part along n; false where nothing of it is left.
static bool lay_down(const double n[3], const double d[3], double t[3]) {
  double size = stc_norm3(d);
  memcpy(t, d, 3 * sizeof *t);
  stc_add3(t, -stc_dot3(d, n), n);
  double left = stc_norm3(t);
  for (int i = 0; i < 3 && left > 0; i++) t[i] /= left;
  return left > ACROSS * size;
}

/// Another direction of the body, at right angles to `along`: in the plane the only one.
static void fall_back(const stc_world *world, const double along[3], double other[3]) {
  double d[3], second[3], size = stc_norm3(along);
  for (int i = 0; i < 3; i++) d[i] = along[i] / size;
  if (world->settings.plane)
    memcpy(other, (double[]){-d[1], d[0], 0}, sizeof d);
  else
    stc_frame3(d, other, second);
}

void stc_contact_turn_frame(const stc_world *world, stc_contact_pair *m) {
  double sign, d[3], other[3], t[3];
  m->given_law = law_of_bodies(world, m->body);
  if (m->given_law == 0) return;
  const stc_surface_law *law = stc_contact_given_law(world, m, &sign);
  if (!has_direction(law->along)) return;
  stc_pose pose = pose_of(world, m->body[sign > 0 ? 0 : 1]);
  stc_pose_direction(&pose, law->along, d);
  if (!lay_down(m->point.normal, d, t)) {
    fall_back(world, law->along, other);
    stc_pose_direction(&pose, other, d);
    lay_down(m->point.normal, d, t);
  }
  // seen from the other body all components of u change their sign, N by the normal
  for (int i = 0; i < 3; i++) m->tangent[0][i] = sign * t[i];
  if (!world->settings.plane) stc_cross3(m->point.normal, t, m->tangent[1]);
}

// --- The past ---

/// What the relative velocity along d was more than with the obstacle's velocity of the step's end,
/// from that at its beginning.
static double drive_before(const stc_world *world, const stc_contact_pair *m, const double d[3]) {
  double more = 0;
  for (int side = 0; side < 2; side++) {
    int b = m->body[side];
    double v[3], omega[3], lever[3], moment[3];
    if (STC_NODES(world)[b].mobility != STC_MOBILITY_DRIVEN) continue;
    const stc_place *now = &STC_PLACES(world)[b], *next = &STC_NEXT(world)[b];
    stc_sub3(now->v, next->v, v);
    stc_sub3(now->omega, next->omega, omega);
    stc_sub3(m->point.x, next->x, lever);
    stc_cross3(lever, d, moment);
    more += (side == 0 ? 1 : -1) * (stc_dot3(d, v) + stc_dot3(moment, omega));
  }
  return more;
}

static int sliding_components(const stc_world *world) { return world->settings.plane ? 1 : 2; }

static void recall_past(const stc_world *world, int c, stc_contact_past *past) {
  const stc_contact_pair *m = &STC_CONTACT_PAIRS(world)[c];
  const double *before = STC_ROW(world, STC_ROW_BEFORE) + (size_t)c * (size_t)world->dim;
  int sliding = sliding_components(world);
  *past = (stc_contact_past){.slip = m->memory.slip,
                             .t = stc_world_time(world),
                             .force = m->load.normal / world->settings.h,
                             .age = m->memory.age};
  memcpy(past->place, m->point.x, sizeof past->place);
  memcpy(past->u, before, (size_t)world->dim * sizeof *before);
  past->u[0] += drive_before(world, m, m->point.normal);
  for (int k = 1; k <= sliding; k++) {
    past->u[k] = m->memory.stuck ? 0 : before[k] + drive_before(world, m, m->tangent[k - 1]);
    past->speed = hypot(past->speed, past->u[k]);
  }
}

static stc_surface_contact describe_contact(const stc_world *world, const stc_contact_pair *m,
                                            double sign, const stc_contact_past *past) {
  stc_surface_contact contact = {.past = *past};
  for (int k = 0; k < 2; k++) {
    int body = m->body[sign > 0 ? k : 1 - k];
    double lever[3], R[9];
    contact.body[k] = stc_world_id_of(world, body);
    contact.pose[k] = pose_of(world, body);
    stc_sub3(m->point.x, contact.pose[k].x, lever);
    stc_rotation_matrix(contact.pose[k].rotation, R);
    stc_mul3_transposed(R, lever, contact.at[k]);
  }
  stc_add3(contact.normal, sign, m->point.normal);
  for (int k = 0; k < 2; k++) stc_add3(contact.tangent[k], sign, m->tangent[k]);
  return contact;
}

// --- Laws ---

static bool has_sides(const stc_law *law) {
  return law->kind == STC_LAW_ELLIPTIC || law->kind == STC_LAW_SECTION;
}

static stc_error check_chosen(const stc_world *world, const stc_surface_law *given,
                              const stc_law *law) {
  STC_TRY(stc_law_check(law));
  if (law->dim != world->dim)
    return stc_fail(STC_ERR_DIMENSION, "the law has %d components, the world's contacts %d",
                    law->dim, world->dim);
  if (law->dilatancy != 0)
    return stc_fail(STC_ERR_UNSUPPORTED, "dilatancy = %g between rigid bodies; set it to 0",
                    law->dilatancy);
  if (has_sides(law) && !has_direction(given->along))
    return stc_fail(STC_ERR_ARGUMENT, "the law %s depends on direction; give `along`, that of T1",
                    stc_law_name((int)law->kind));
  return STC_OK;
}

static void set_mu(const stc_world *world, const stc_surface_law *given, double mu,
                   stc_contact_pair *m) {
  stc_surface_pair pair = *stc_world_surface_pair_of(world, m->body[0], m->body[1]);
  pair.mu = mu;
  m->law = given->law.dim == 0 ? stc_world_law_of(world, &pair) : stc_law_with_mu(&m->law, mu);
}

static stc_error choose_law(const stc_world *world, int c, stc_contact_pair *m) {
  double sign;
  const stc_surface_law *given = stc_contact_given_law(world, m, &sign);
  const stc_coefficient *coefficient = &given->coefficient;
  bool varies = coefficient->kind != STC_COEFFICIENT_CONSTANT;
  stc_contact_past past;
  if (given->law.dim != 0) m->law = given->law;
  if (varies || given->choose) recall_past(world, c, &past);
  double mu = varies ? stc_coefficient_mu(coefficient, &past) : coefficient->mu_s;
  if (varies && !isfinite(mu) && stc_error_detail()[0] != '\0') return STC_ERR_CALLBACK;
  if (varies || !isnan(mu)) set_mu(world, given, mu, m);
  if (given->choose) {
    stc_surface_contact contact = describe_contact(world, m, sign, &past);
    bool goes_on = given->choose(given->user, &contact, &m->law);
    if (!goes_on && stc_error_detail()[0] != '\0') return STC_ERR_CALLBACK;
    if (!goes_on)
      return stc_fail(STC_ERR_CALLBACK, "the choice of its law stopped the run at t = %g", past.t);
  }
  return check_chosen(world, given, &m->law);
}

stc_error stc_contacts_choose_laws(stc_world *world) {
  stc_fail(STC_OK, "%s", "");  // what is called may leave a sentence of its own
  for (int c = 0; c < world->count; c++) {
    stc_contact_pair *m = &STC_CONTACT_PAIRS(world)[c];
    stc_error error = m->given_law ? choose_law(world, c, m) : STC_OK;
    if (error == STC_ERR_CALLBACK) return error;
    if (error)
      return stc_fail(error, "contact of %s on %s: %s", STC_NODES(world)[m->body[0]].name,
                      STC_NODES(world)[m->body[1]].name, stc_error_detail());
  }
  return STC_OK;
}

// --- Memory ---

/// Whether the law may change while nothing moves.
static bool depends_on_time(const stc_world *world, const stc_contact_pair *m) {
  double sign;
  if (m->given_law == 0) return false;
  const stc_surface_law *given = stc_contact_given_law(world, m, &sign);
  return given->choose || given->coefficient.kind == STC_COEFFICIENT_FUNCTION;
}

void stc_contact_keep_memory(const stc_world *world, int c, double threshold, double opening,
                             stc_contact_pair *m) {
  size_t first = (size_t)c * (size_t)world->dim;
  const double *before = STC_ROW(world, STC_ROW_BEFORE) + first,
               *after = STC_ROW(world, STC_ROW_AFTER) + first;
  double speed = 0, path = 0, h = world->settings.h;
  bool pressed = STC_ROW(world, STC_ROW_R)[first] > 0, stuck = m->memory.stuck;
  for (int k = 1; k <= sliding_components(world); k++) {
    speed = hypot(speed, after[k]);
    path = hypot(path, (before[k] + after[k]) / 2);
  }
  m->memory.stuck = pressed && speed <= threshold;
  if (pressed && !(stuck && m->memory.stuck)) m->memory.slip += h * path;
  bool closed = pressed || opening <= threshold;
  m->memory.age = closed && depends_on_time(world, m) ? m->memory.age + h : 0;
}

bool stc_contact_law_moves(const stc_world *world, const stc_contact_pair *now,
                           const stc_contact_pair *old) {
  return depends_on_time(world, now) || now->memory.slip != old->memory.slip ||
         now->memory.stuck != old->memory.stuck;
}
