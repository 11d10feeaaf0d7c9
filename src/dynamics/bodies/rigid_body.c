// Bodies: checks, and mass, centre and inertia of what their parts make together,
//   J = sum_p R_p J_p R_p^T + m_p (|d|^2 1 - d d^T),   d = centre of the part - centre of all.
// In the plane every part is the prism of its section z = 0, as deep as the world says.
#include "plane_section.h"

#include "../../base/number.h"
#include "../../linalg/small.h"

// A quaternion further from length 1 than this is a mistake; what is nearer is normalised.
static const double UNIT_QUATERNION = 1e-6;  // [input]

// Rounding an inertia may carry where a body is a thin disc or rod, against its trace.
static const double THIN = 1e-12;  // [rounding]

static stc_error refuse_body(stc_error error, const char *name) {
  return stc_fail(error, "body %s: %s", name, stc_error_detail());
}

static stc_error check_finite_numbers(const char *what, const double *x, int n) {
  for (int i = 0; i < n; i++)
    if (!isfinite(x[i]))
      return stc_fail(STC_ERR_VALUE, "%s[%d] = %g; give finite numbers", what, i, x[i]);
  return STC_OK;
}

static stc_error check_pose(const stc_pose *pose) {
  STC_TRY(check_finite_numbers("pose.x", pose->x, 3));
  STC_TRY(check_finite_numbers("pose.rotation", pose->rotation, 4));
  const double *q = pose->rotation;
  double square = q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3];
  if (fabs(square - 1) <= 2 * UNIT_QUATERNION) return STC_OK;
  return stc_fail(
      STC_ERR_VALUE,
      "pose.rotation has length %g; give a unit quaternion (w, x, y, z), (1, 0, 0, 0) for "
      "no rotation",
      sqrt(square));
}

// --- Mass ---

typedef struct heap {
  double mass, centre[3], inertia[9];
} heap;

static void expand_inertia(const double six[6], double J[9]) {
  const double full[9] = {six[0], six[3], six[5], six[3], six[1], six[4], six[5], six[4], six[2]};
  memcpy(J, full, sizeof full);
}

/// J += R A R^T + m (|d|^2 1 - d d^T).
static void add_inertia(double J[9], const double R[9], const double A[9], double m,
                        const double d[3]) {
  double square = stc_dot3(d, d);
  for (int i = 0; i < 3; i++)
    for (int j = 0; j < 3; j++) {
      double sum = 0;
      for (int k = 0; k < 3; k++)
        for (int l = 0; l < 3; l++) sum += R[3 * i + k] * A[3 * k + l] * R[3 * j + l];
      J[3 * i + j] += sum + m * ((i == j ? square : 0) - d[i] * d[j]);
    }
}

/// The prism of the part's section with the depth of the world.
static stc_error prism(const stc_world *world, const stc_part *part, heap *one) {
  stc_plane_section section;
  double depth = world->settings.depth;
  STC_TRY(stc_part_section(part, &section));
  *one = (heap){.mass = section.area * depth, .centre = {section.centre[0], section.centre[1], 0}};
  one->inertia[8] = section.moment * depth;
  return STC_OK;
}

static stc_error solid(const stc_part *part, heap *one) {
  double six[6], local[3], own[9], R[9], here[3] = {0};
  STC_TRY(stc_shape_mass(&part->shape, &one->mass, local, six));
  expand_inertia(six, own);
  stc_rotation_matrix(part->pose.rotation, R);
  memset(one->inertia, 0, sizeof one->inertia);
  add_inertia(one->inertia, R, own, 0, here);
  stc_pose_point(&part->pose, local, one->centre);
  return STC_OK;
}

/// Mass, centre and inertia about it in the body's axes.
static stc_error mass_of_part(const stc_world *world, const stc_part *part, heap *one) {
  STC_TRY(world->settings.plane ? prism(world, part, one) : solid(part, one));
  if (!(part->density > 0 && isfinite(part->density)))
    return stc_fail(STC_ERR_VALUE,
                    "density = %g; give a density > 0, or the body's mass and inertia",
                    part->density);
  one->mass *= part->density;
  for (int k = 0; k < 9; k++) one->inertia[k] *= part->density;
  return STC_OK;
}

static stc_error fail_part(stc_error error, int k) {
  return error ? stc_fail(error, "part %d: %s", k, stc_error_detail()) : STC_OK;
}

/// Mass and centre in a first round, inertia about that centre in a second.
static stc_error mass_of_parts(const stc_world *world, const stc_rigid_body *body, heap *all) {
  static const double as_it_is[9] = {1, 0, 0, 0, 1, 0, 0, 0, 1};
  *all = (heap){0};
  for (int round = 0; round < 2; round++) {
    for (int k = 0; k < body->parts; k++) {
      heap one;
      double d[3];
      if (body->part[k].sensor) continue;
      STC_TRY(fail_part(mass_of_part(world, &body->part[k], &one), k));
      if (round == 0) {
        all->mass += one.mass;
        stc_add3(all->centre, one.mass, one.centre);
        continue;
      }
      stc_sub3(one.centre, all->centre, d);
      add_inertia(all->inertia, as_it_is, one.inertia, one.mass, d);
    }
    for (int i = 0; i < 3 && round == 0; i++) all->centre[i] /= all->mass;
  }
  return STC_OK;
}

static bool positive(const double A[9], double slack) {
  double L[9];
  for (int k = 0; k < 9; k++) L[k] = A[k] + (k % 4 == 0 ? slack : 0);
  return stc_small_cholesky(3, L, 0) < 0;
}

/// J is positive definite and belongs to some distribution of mass: tr(J)/2 1 - J is not negative.
static stc_error check_inertia(const double J[9]) {
  double half = (J[0] + J[4] + J[8]) / 2, rest[9];
  for (int k = 0; k < 9; k++) rest[k] = (k % 4 == 0 ? half : 0) - J[k];
  if (!positive(J, 0))
    return stc_fail(STC_ERR_VALUE,
                    "the inertia (%g, %g, %g; %g, %g, %g) is not positive definite; give it about "
                    "the centre, in kg m^2",
                    J[0], J[4], J[8], J[1], J[5], J[2]);
  if (positive(rest, 2 * THIN * half)) return STC_OK;
  return stc_fail(STC_ERR_VALUE,
                  "the inertia (%g, %g, %g; %g, %g, %g) belongs to no body: one principal value "
                  "exceeds the sum of the others",
                  J[0], J[4], J[8], J[1], J[5], J[2]);
}

static stc_error give_mass(const stc_world *world, const stc_rigid_body *body,
                           stc_body_data *node) {
  heap all = {.mass = body->mass};
  STC_TRY(check_finite_numbers("mass", &body->mass, 1));
  if (body->mass < 0)
    return stc_fail(STC_ERR_VALUE, "mass = %g; give a mass > 0, or 0 and densities", body->mass);
  if (body->mass > 0) {
    STC_TRY(check_finite_numbers("inertia", body->inertia, 6));
    STC_TRY(check_finite_numbers("centre", body->centre, 3));
    memcpy(all.centre, body->centre, sizeof all.centre);
    expand_inertia(body->inertia, all.inertia);
  } else {
    STC_TRY(mass_of_parts(world, body, &all));
  }
  if (!(all.mass > 0 && isfinite(all.mass)))
    return stc_fail(STC_ERR_VALUE, "it has no mass; give a mass, or parts with densities");
  for (int k = 0; world->settings.plane && k < 8; k++)  // they do not matter
    all.inertia[k] = k % 4 == 0 ? all.inertia[8] : 0;
  STC_TRY(check_inertia(all.inertia));
  node->mass = all.mass;
  memcpy(node->centre, all.centre, sizeof all.centre);
  memcpy(node->inertia, all.inertia, sizeof all.inertia);
  stc_invert3(node->inertia, node->inverse);
  return STC_OK;
}

// --- Adding ---

stc_rigid_body stc_default_body(void) {
  return (stc_rigid_body){.cookie = STC_COOKIE, .pose = stc_pose_identity()};
}

/// Radius around the centre of what the box of a part reaches.
static double reach_of(const stc_part *part, const double centre[3]) {
  double low[3], high[3], square = 0;
  stc_shape_bounds(&part->shape, &part->pose, low, high);
  for (int i = 0; i < 3; i++) {
    double far = fmax(fabs(low[i] - centre[i]), fabs(high[i] - centre[i]));
    square += far * far;
  }
  return sqrt(square);
}

static stc_error check_parts(const stc_rigid_body *body) {
  if (body->parts < 0 || (body->parts > 0 && !body->part))
    return stc_fail(STC_ERR_ARGUMENT, "parts = %d but part is NULL", body->parts);
  for (int k = 0; k < body->parts; k++) {
    const stc_part *part = &body->part[k];
    STC_TRY(fail_part(stc_shape_check(&part->shape), k));
    STC_TRY(fail_part(check_pose(&part->pose), k));
    bool endless = stc_shape_is_endless(part->shape.kind);
    if (endless && body->mobility == STC_MOBILITY_FREE)
      return stc_fail(STC_ERR_ARGUMENT,
                      "part %d is a %s, which has no mass; make the body fixed or driven", k,
                      stc_shape_name(part->shape.kind));
  }
  return STC_OK;
}

static bool in_plane(const stc_rigid_body *body) {
  const double *q = body->pose.rotation;
  return body->pose.x[2] == 0 && q[1] == 0 && q[2] == 0 && body->velocity[2] == 0 &&
         body->omega[0] == 0 && body->omega[1] == 0;
}

static stc_error check_motion(const stc_world *world, const stc_rigid_body *body) {
  STC_TRY(check_pose(&body->pose));
  STC_TRY(check_finite_numbers("velocity", body->velocity, 3));
  STC_TRY(check_finite_numbers("omega", body->omega, 3));
  if (world->settings.plane && body->mobility == STC_MOBILITY_FREE && !in_plane(body))
    return stc_fail(STC_ERR_VALUE,
                    "it leaves the plane z = 0; place it there, rotated about z and moving in it");
  return STC_OK;
}

/// The state: free bodies know their centre and rotate in their own axes.
static stc_error check_body(const stc_world *world, const stc_rigid_body *body) {
  STC_TRY(check_motion(world, body));
  STC_TRY(check_parts(body));
  if ((int)body->mobility < 0 || body->mobility > STC_MOBILITY_DRIVEN)
    return stc_fail(STC_ERR_ARGUMENT, "there is no mobility %d", (int)body->mobility);
  if (body->mobility == STC_MOBILITY_DRIVEN && !body->drive)
    return stc_fail(STC_ERR_ARGUMENT, "it is driven, but has no drive; give the callback");
  if (body->surface < 0 || body->surface >= STC_MOST_SURFACES)
    return stc_fail(STC_ERR_VALUE, "surface = %d; number surfaces from 0 to %d", body->surface,
                    STC_MOST_SURFACES - 1);
  return STC_OK;
}

static stc_place initial_place(const stc_rigid_body *body, const stc_body_data *node) {
  stc_place place = {0};
  double R[9];
  memcpy(place.rotation, body->pose.rotation, sizeof place.rotation);
  stc_rotation_normalise(place.rotation);
  stc_pose pose = {.x = {body->pose.x[0], body->pose.x[1], body->pose.x[2]}};
  memcpy(pose.rotation, place.rotation, sizeof pose.rotation);
  stc_pose_point(&pose, node->centre, place.x);
  if (body->mobility != STC_MOBILITY_FREE) return place;
  memcpy(place.v, body->velocity, sizeof place.v);
  stc_rotation_matrix(place.rotation, R);
  stc_mul3_transposed(R, body->omega, place.omega);
  return place;
}

stc_error stc_world_place_body(const stc_world *world, const stc_rigid_body *body,
                               const stc_body_data *node, stc_place *place) {
  stc_error error = check_motion(world, body);
  if (error) return refuse_body(error, node->name);
  *place = initial_place(body, node);
  return STC_OK;
}

static void take_name(const stc_rigid_body *body, int number, char name[48]) {
  if (body->name)
    stc_snprintf(name, 48, "'%s'", body->name);
  else
    stc_snprintf(name, 48, "%d", number);
}

/// The parts behind all others: they may be parts of the world themselves.
static stc_error append_parts(stc_world *world, const stc_rigid_body *body, int *first) {
  STC_ARENA arena = {0};
  size_t parts = (size_t)world->all_parts, more = (size_t)body->parts;
  stc_part *copy = STC_TAKE_RAW(&arena, stc_part, more);
  STC_TRY(stc_arena_check(&arena));
  if (more) memcpy(copy, body->part, more * sizeof *copy);
  STC_TRY(stc_pool_grow(&world->part, parts + more, sizeof(stc_part), parts));
  STC_TRY(stc_pool_grow(&world->part_body, parts + more, sizeof(int), parts));
  if (more) memcpy(STC_PARTS(world) + parts, copy, more * sizeof *copy);
  *first = world->all_parts;
  world->all_parts += body->parts;
  world->parts_edited = world->parts_edited || more > 0;
  return STC_OK;
}

stc_error stc_world_make_body(stc_world *world, const stc_rigid_body *body, int number,
                              stc_body_data *node, stc_place *place) {
  STC_TRY(stc_cookie_check(body->cookie, "stc_default_body"));
  *node = (stc_body_data){.mobility = body->mobility,
                          .fresh = true,
                          .parts = body->parts,
                          .surface = body->surface,
                          .continuous = body->continuous,
                          .dof = -1,
                          .drive = body->drive,
                          .user = body->user,
                          .given_mass = body->mass};
  memcpy(node->given_centre, body->centre, sizeof node->given_centre);
  memcpy(node->given_inertia, body->inertia, sizeof node->given_inertia);
  take_name(body, number, node->name);
  stc_error error = check_body(world, body);
  if (!error && body->mobility == STC_MOBILITY_FREE) error = give_mass(world, body, node);
  if (error) return refuse_body(error, node->name);
  for (int k = 0; k < body->parts; k++)
    if (!body->part[k].sensor)
      node->size = fmax(node->size, reach_of(&body->part[k], node->centre));
  *place = initial_place(body, node);
  if (world->started && node->mobility == STC_MOBILITY_DRIVEN) {
    stc_fail(STC_OK, "%s", "");  // the drive may leave its own sentence
    STC_TRY(stc_world_drive_body(node, stc_world_time(world), place));
  }
  return append_parts(world, body, &node->first_part);
}

void stc_world_put_body_data(stc_world *world, int b, const stc_body_data *node,
                             const stc_place *place) {
  STC_NODES(world)[b] = *node;
  STC_PLACES(world)[b] = *place;
  for (int k = 0; k < node->parts; k++) STC_PART_BODY(world)[node->first_part + k] = b;
  world->edited = true;
  world->fresh = world->fresh || node->fresh;
  world->surfaces_edited = world->surfaces_edited || node->surface >= world->surfaces;
  stc_world_stir(world);
  stc_world_forget_problem(world);
  stc_world_book_edit(world, b, 1);
}

/// Room for a body at the lowest free place.
static stc_error choose_place(stc_world *world, int *number) {
  size_t bodies = (size_t)world->bodies;
  int at = world->vacant;
  while (at < world->bodies && STC_NODES(world)[at].generation > 0) at++;
  world->vacant = *number = at;
  if (at < world->bodies) return STC_OK;
  STC_TRY(stc_pool_grow(&world->node, bodies + 1, sizeof(stc_body_data), bodies));
  STC_TRY(stc_pool_grow(&world->place, bodies + 1, sizeof(stc_place), bodies));
  if (at < world->ever) return STC_OK;
  STC_TRY(stc_pool_grow(&world->newest, bodies + 1, sizeof(unsigned), bodies));
  ((unsigned *)world->newest.data)[at] = 0;
  world->ever = at + 1;
  return STC_OK;
}

stc_error stc_world_add_body(stc_world *world, const stc_rigid_body *body, stc_body_id *id) {
  stc_body_data node;
  stc_place place;
  int at;
  if (!world || !body) return stc_fail(STC_ERR_ARGUMENT, "add_body needs a world and a body");
  STC_TRY(choose_place(world, &at));
  STC_TRY(stc_world_make_body(world, body, at, &node, &place));
  unsigned *newest = (unsigned *)world->newest.data + at;
  *newest += *newest + 1 > 0 ? 1 : 2;  // 0 is nothing
  node.generation = *newest;
  if (at == world->bodies) world->bodies++;
  world->vacant = at + 1;
  world->present++;
  stc_world_put_body_data(world, at, &node, &place);
  if (id) *id = stc_world_id_of(world, at);
  return STC_OK;
}

stc_pose stc_node_pose(const stc_body_data *node, const stc_place *place) {
  stc_pose pose = {
      {0, 0, 0}, {place->rotation[0], place->rotation[1], place->rotation[2], place->rotation[3]}};
  double offset[3];
  stc_pose_direction(&pose, node->centre, offset);
  stc_sub3(place->x, offset, pose.x);
  return pose;
}

void stc_world_rate(const stc_world *world, const stc_place *place, int body, double omega[3]) {
  double R[9];
  if (STC_NODES(world)[body].mobility != STC_MOBILITY_FREE) {
    memcpy(omega, place->omega, 3 * sizeof *omega);
    return;
  }
  stc_rotation_matrix(place->rotation, R);
  stc_mul3(R, place->omega, omega);
}
