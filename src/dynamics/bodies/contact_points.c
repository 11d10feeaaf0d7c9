// The contacts of a step: pairs of parts near each other at the middle of the step, those of their
// points that may close within it, frames, laws, and rows of H with U = H v - drive.
// A point is taken where gap + h min(U_N(before), U_N(free)) <= h^2 |g|: what is left out stays
// open unless other contacts push it by more than gravity does in a step.
#include "../../base/clock.h"
#include "../loads/body_loads.h"
#include "../surfaces/contact_laws.h"

// Pairs whose contact points are sought at a time: enough to share among threads, small in memory.
enum { BATCH = 4096, SHARE = 64 };  // [machine]

// Angular velocities move a point of a body by at most its size; planes are reached by all anyway.
static double margin_of(const stc_world *world, int b) {
  const stc_body_data *node = &STC_NODES(world)[b];
  const stc_place *place = &STC_NEXT(world)[b];
  double h = world->settings.h, size = isfinite(node->size) ? node->size : 0;
  if (world->settings.reach > 0) return world->settings.reach / 2;
  double speed = stc_norm3(place->v) + size * stc_norm3(place->omega);
  return h * speed + (stc_body_is_free(node) ? 2 * h * stc_world_slow(world) : 0);
}

/// A part in space, for the step.
typedef struct spot {
  stc_pose pose;
  double normal[3];  ///< of a plane
  double margin;     ///< of its body
} spot;

static spot spot_of(const stc_world *world, int part) {
  int b = STC_PART_BODY(world)[part];
  stc_pose body = stc_node_pose(&STC_NODES(world)[b], &STC_NEXT(world)[b]);
  spot s = {.pose = stc_pose_compose(&body, &STC_PARTS(world)[part].pose),
            .margin = margin_of(world, b)};
  if (STC_PARTS(world)[part].shape.kind == STC_SHAPE_PLANE)
    stc_pose_direction(&s.pose, (double[]){0, 0, 1}, s.normal);
  return s;
}

static void box_part(void *argument, int share) {
  stc_world *world = argument;
  double *low = world->low.data, *high = world->high.data;
  bool *moving = world->moving.data;
  spot *spots = world->spot.data;
  int end = (share + 1) * SHARE < world->parts ? (share + 1) * SHARE : world->parts;
  for (int k = share * SHARE; k < end; k++) {
    int body = STC_PART_BODY(world)[k];
    const stc_body_data *node = &STC_NODES(world)[body];
    moving[k] = node->dof >= 0 || STC_PARTS(world)[k].sensor ||
                (world->sleepers > 0 && node->mobility == STC_MOBILITY_DRIVEN);
    if (node->sleeps && world->boxed) continue;
    spots[k] = spot_of(world, k);
    double margin = spots[k].margin;
    stc_shape_bounds(&STC_PARTS(world)[k].shape, &spots[k].pose, low + 3 * k, high + 3 * k);
    for (int i = 0; i < 3; i++) {
      low[3 * k + i] -= margin;
      high[3 * k + i] += margin;
    }
  }
}

static int shares(int count) { return (count + SHARE - 1) / SHARE; }

static stc_error find_pairs(stc_world *world, int *pairs, const int **pair) {
  size_t parts = (size_t)world->parts;
  if (parts == 0) return STC_OK;
  STC_TRY(stc_pool_grow(&world->low, 3 * parts, sizeof(double), 0));
  STC_TRY(stc_pool_grow(&world->high, 3 * parts, sizeof(double), 0));
  STC_TRY(stc_pool_grow(&world->moving, parts, sizeof(bool), 0));
  STC_TRY(stc_pool_grow(&world->spot, parts, sizeof(spot), 0));
  stc_team_run(world->team, box_part, world, shares(world->parts));
  world->boxed = true;
  return stc_broad_find(world->broad, world->parts, world->low.data, world->high.data,
                        world->moving.data, pairs, pair);
}

// --- Contact points of a batch of pairs ---

typedef struct found {
  int count;
  bool sensed;
  stc_contact_point point[STC_MANIFOLD];
} found;

typedef struct batch {
  stc_world *world;
  const int *pair;
  int pairs;
} batch;

/// Planes meet every box: most bodies are far from them.
static bool is_far(const stc_world *world, const spot *plane, int body, double reach) {
  double d[3];
  stc_sub3(STC_NEXT(world)[body].x, plane->pose.x, d);
  return stc_dot3(d, plane->normal) > STC_NODES(world)[body].size + reach;
}

/// Of a continuous body what is near stays: it comes to the rest on its way (queries/sweep.c).
static void drop_far(const stc_world *world, const int *pair, found *f) {
  const stc_body_data *own = &STC_NODES(world)[STC_PART_BODY(world)[pair[0]]];
  int kept = 0;
  if (!own->continuous) own = &STC_NODES(world)[STC_PART_BODY(world)[pair[1]]];
  if (!own->continuous) return;
  double near = own->size / 10 + 4 * world->settings.h * stc_world_slow(world);
  for (int k = 0; k < f->count; k++)
    if (f->point[k].gap <= near) f->point[kept++] = f->point[k];
  f->count = kept;
}

/// What the caller says.
static bool is_let_through(const stc_world *world, const int *pair, int a, int b) {
  int part[2] = {pair[0] - STC_NODES(world)[a].first_part,
                 pair[1] - STC_NODES(world)[b].first_part};
  stc_body_id first = stc_world_id_of(world, a), second = stc_world_id_of(world, b);
  if (a < b) return world->filter(world->filter_user, first, part[0], second, part[1]);
  return world->filter(world->filter_user, second, part[1], first, part[0]);
}

static void collide_parts(const stc_world *world, const int *pair, const spot *spots, found *f) {
  const stc_part *part = &STC_PARTS(world)[pair[0]], *other = &STC_PARTS(world)[pair[1]];
  const spot *at = &spots[pair[0]], *there = &spots[pair[1]];
  int a = STC_PART_BODY(world)[pair[0]], b = STC_PART_BODY(world)[pair[1]];
  double reach = at->margin + there->margin;
  f->count = 0;
  f->sensed = false;
  if (!stc_parts_meet(part, other, &f->sensed)) return;
  if (stc_world_apart(world, a, b, f->sensed) ||
      (world->filter && !is_let_through(world, pair, a, b))) {
    f->sensed = false;
  } else if (f->sensed) {
    f->sensed = stc_shape_overlap(&part->shape, &at->pose, &other->shape, &there->pose);
  } else {
    if (part->shape.kind == STC_SHAPE_PLANE && is_far(world, at, b, reach)) return;
    if (other->shape.kind == STC_SHAPE_PLANE && is_far(world, there, a, reach)) return;
    f->count = stc_collide(&part->shape, &at->pose, &other->shape, &there->pose, reach, f->point);
    drop_far(world, pair, f);
  }
}

static void collide_share(void *argument, int share) {
  const batch *b = argument;
  stc_world *world = b->world;
  const spot *spots = world->spot.data;
  found *all = world->found.data;
  int end = (share + 1) * SHARE < b->pairs ? (share + 1) * SHARE : b->pairs;
  for (int k = share * SHARE; k < end; k++) {
    const int *pair = b->pair + 2 * k;
    collide_parts(world, pair, spots, &all[k]);
  }
}

/// Flattens a manifold into the plane z = 0: points above each other are one.
static void flatten(const stc_world *world, int body, found *f) {
  int kept = 0;
  double size = STC_NODES(world)[body].size, near = STC_SAME * (isfinite(size) ? size : 1);
  for (int k = 0; k < f->count; k++) {
    stc_contact_point t = f->point[k];
    bool again = fabs(t.normal[2]) > STC_SAME;  // of a face that is not met
    t.x[2] = t.normal[2] = 0;
    double norm = stc_norm3(t.normal);
    for (int i = 0; i < 2; i++) t.normal[i] /= norm;
    for (int j = 0; j < kept && !again; j++)
      again = fabs(f->point[j].x[0] - t.x[0]) <= near && fabs(f->point[j].x[1] - t.x[1]) <= near;
    if (!again) f->point[kept++] = t;
  }
  f->count = kept;
}

// --- From contact points to contacts ---

/// Velocity of a body at a point, without the forces of the step.
static void velocity_at(const stc_world *world, int body, const double point[3], double v[3]) {
  const stc_place *place = &STC_NEXT(world)[body];
  double omega[3], lever[3];
  if (!stc_body_is_free(&STC_NODES(world)[body]))
    memcpy(omega, place->omega, sizeof omega);
  else
    stc_mul3(STC_ROTATION(world, body), place->omega, omega);
  stc_sub3(point, place->x, lever);
  stc_cross3(omega, lever, v);
  stc_add3(v, 1, place->v);
}

static bool may_close(const stc_world *world, const int body[2], const stc_contact_point *point) {
  double h = world->settings.h, a[3], b[3], u[3];
  velocity_at(world, body[0], point->x, a);
  velocity_at(world, body[1], point->x, b);
  stc_sub3(a, b, u);
  double before = stc_dot3(u, point->normal), pull = 0;
  for (int k = 0; k < 2; k++)
    if (stc_body_is_free(&STC_NODES(world)[body[k]]))
      pull += (k == 0 ? h : -h) * stc_dot3(world->settings.gravity, point->normal);
  if (world->loads.active) {
    stc_loads_rate(world, body[0], point->x, a);
    stc_loads_rate(world, body[1], point->x, b);
    pull += stc_dot3(a, point->normal) - stc_dot3(b, point->normal);
  }
  return point->gap + h * fmin(before, before + pull) <= h * stc_world_slow(world);
}

void stc_world_frame(const stc_world *world, stc_contact_pair *m) {
  const double *n = m->point.normal;
  stc_frame3(n, m->tangent[0], m->tangent[1]);
  if (!world->settings.plane) return;
  memcpy(m->tangent[0], (double[]){-n[1], n[0], 0}, sizeof m->tangent[0]);
  memcpy(m->tangent[1], (double[]){0, 0, 1}, sizeof m->tangent[1]);
}

// Contacts of a world that are too many for memory: shapes that do not lie inside each other have a
// dozen each.
enum { MOST_CONTACTS = 100000, MOST_PER_PART = 100 };  // [input]

static stc_error check_crowd(const stc_world *world) {
  double most = MOST_CONTACTS + (double)MOST_PER_PART * world->parts;
  if (world->count <= most) return STC_OK;
  return stc_fail(
      STC_ERR_VALUE,
      "more than %.0f contacts between %d shapes: they lie inside each other; move them "
      "apart",
      most, world->parts);
}

static stc_error add_contact_pairs(stc_world *world, const int *pair, found *f) {
  int body[2] = {STC_PART_BODY(world)[pair[0]], STC_PART_BODY(world)[pair[1]]};
  size_t count = (size_t)world->count;
  if (world->settings.plane) flatten(world, body[0], f);
  STC_TRY(
      stc_pool_grow(&world->contact_pair, count + STC_MANIFOLD, sizeof(stc_contact_pair), count));
  for (int k = 0; k < f->count; k++) {
    if (!may_close(world, body, &f->point[k])) continue;
    const stc_surface_pair *surface_pair = stc_world_surface_pair_of(world, body[0], body[1]);
    stc_contact_pair *m = &STC_CONTACT_PAIRS(world)[world->count++];
    *m = (stc_contact_pair){
        .part = {pair[0], pair[1]},
        .body = {body[0], body[1]},
        .point = f->point[k],
        .law = stc_world_law_of(world, surface_pair),
        .restitution = surface_pair->restitution,
        .soft = {.compliance = surface_pair->compliance, .damping = surface_pair->damping}};
    stc_world_frame(world, m);
    if (world->given_laws > 0) stc_contact_turn_frame(world, m);
  }
  return STC_OK;
}

static stc_error add_sensed(stc_world *world, const int *pair) {
  size_t count = (size_t)world->sensed;
  STC_TRY(stc_pool_grow(&world->sense, count + 1, 2 * sizeof(int), count));
  memcpy((int *)world->sense.data + 2 * count, pair, 2 * sizeof(int));
  world->sensed++;
  return STC_OK;
}

static stc_error find_contacts(stc_world *world) {
  int pairs = 0;
  const int *pair = NULL;
  world->count = world->sensed = 0;
  if (world->parts < 2) return STC_OK;  // it meets nobody
  double began = stc_clock();
  STC_TRY(find_pairs(world, &pairs, &pair));
  double paired = stc_clock();
  world->broad_seconds += paired - began;
  STC_TRY(stc_pool_grow(&world->found, BATCH, sizeof(found), 0));
  for (int first = 0; first < pairs; first += BATCH) {
    batch b = {world, pair + 2 * first, pairs - first < BATCH ? pairs - first : BATCH};
    stc_team_run(world->team, collide_share, &b, shares(b.pairs));
    for (int k = 0; k < b.pairs; k++) {
      found *f = (found *)world->found.data + k;
      if (f->sensed) STC_TRY(add_sensed(world, b.pair + 2 * k));
      STC_TRY(add_contact_pairs(world, b.pair + 2 * k, f));
    }
    STC_TRY(check_crowd(world));
  }
  world->narrow_seconds += stc_clock() - paired;
  return STC_OK;
}

// --- What is remembered ---

static int order(const stc_contact_pair *a, const stc_contact_pair *b) {
  for (int k = 0; k < 2; k++)
    if (a->part[k] != b->part[k]) return a->part[k] < b->part[k] ? -1 : 1;
  return 0;
}

/// Both lists are sorted by pairs; inside a pair the identity decides.
static void recall(stc_world *world) {
  const stc_contact_pair *last = world->last.data;
  int at = world->still, known = stc_world_remembered(world);
  for (int c = 0; c < world->count; c++) {
    stc_contact_pair *m = &STC_CONTACT_PAIRS(world)[c];
    while (at < known && order(&last[at], m) < 0) at++;
    for (int k = at; k < known && order(&last[k], m) == 0; k++)
      if (last[k].point.identity == m->point.identity) {
        m->load = last[k].load;
        m->memory = last[k].memory;
      }
  }
}

static void guess(stc_world *world) {
  int dim = world->dim;
  bool plane = world->settings.plane;
  for (int c = 0; c < world->count; c++) {
    const stc_contact_pair *m = &STC_CONTACT_PAIRS(world)[c];
    double *r = STC_ROW(world, STC_ROW_GUESS) + (size_t)c * (size_t)dim;
    r[0] = m->load.normal;
    r[1] = stc_dot3(m->load.sliding, m->tangent[0]);
    if (plane && dim == 3) r[2] = m->load.rotating[2];
    if (!plane) r[2] = stc_dot3(m->load.sliding, m->tangent[1]);
    if (dim == 4) r[3] = stc_dot3(m->load.rotating, m->point.normal);
    if (dim == 5)
      for (int k = 0; k < 2; k++) r[3 + k] = stc_dot3(m->load.rotating, m->tangent[k]);
  }
}

// --- Rows of H ---

/// The direction of row k of a contact.
static void find_direction(const stc_world *world, const stc_contact_pair *m, int k, double d[3]) {
  bool plane = world->settings.plane;
  const double *from = m->point.normal;
  bool rotates = k >= (plane ? 2 : 3);
  if (rotates && plane)
    from = m->tangent[1];
  else if (rotates && world->dim == 5)
    from = m->tangent[k - 3];
  else if (!rotates && k > 0)
    from = m->tangent[k - 1];
  memcpy(d, from, 3 * sizeof *d);
}

/// A row of force.v + moment.omega of a body that no impulse moves: it adds to `drive`.
static void add_drive(stc_world *world, int row, int side, const double d[3], bool rotates) {
  const stc_contact_pair *m = &STC_CONTACT_PAIRS(world)[row / world->dim];
  const stc_place *place = &STC_NEXT(world)[m->body[side]];
  double *drive = STC_ROW(world, STC_ROW_DRIVE) + row;
  double sign = side == 0 ? 1 : -1, lever[3], moment[3];
  stc_sub3(m->point.x, place->x, lever);
  stc_cross3(lever, d, moment);
  *drive -= sign * (rotates ? stc_dot3(d, place->omega)
                            : stc_dot3(moment, place->omega) + stc_dot3(d, place->v));
}

/// The block of a contact on a free body in space: d and, in the axes of the body, lever x d.
/// Called with a constant where speed counts.
static inline void put_block(int dim, const double *R, double sign, const double lever[3],
                             double (*d)[3], double *block) {
  for (int k = 0; k < dim; k++, block++) {
    const double x = sign * d[k][0], y = sign * d[k][1], z = sign * d[k][2];
    const double local[3] = {R[0] * x + R[3] * y + R[6] * z, R[1] * x + R[4] * y + R[7] * z,
                             R[2] * x + R[5] * y + R[8] * z};
    const bool rotates = k >= 3;
    block[0] = rotates ? 0 : x;
    block[dim] = rotates ? 0 : y;
    block[2 * dim] = rotates ? 0 : z;
    block[3 * dim] = rotates ? local[0] : lever[1] * local[2] - lever[2] * local[1];
    block[4 * dim] = rotates ? local[1] : lever[2] * local[0] - lever[0] * local[2];
    block[5 * dim] = rotates ? local[2] : lever[0] * local[1] - lever[1] * local[0];
  }
}

static void put_block_of(const stc_world *world, const stc_contact_pair *m, int side,
                         double (*d)[3], double *block) {
  const double *R = STC_ROTATION(world, m->body[side]);
  double sign = side == 0 ? 1 : -1, lever[3];
  stc_sub3(m->point.x, STC_NEXT(world)[m->body[side]].x, lever);
  stc_mul3_transposed(R, lever, lever);
  if (world->dim == 3)
    put_block(3, R, sign, lever, d, block);
  else
    put_block(world->dim, R, sign, lever, d, block);
}

/// The same in the plane.
static void put_flat_block(const stc_world *world, const stc_contact_pair *m, int side,
                           double (*d)[3], double *block) {
  double sign = side == 0 ? 1 : -1, lever[3];
  stc_sub3(m->point.x, STC_NEXT(world)[m->body[side]].x, lever);
  for (int k = 0; k < world->dim; k++) {
    bool rotates = k >= 2;
    for (int i = 0; i < 2; i++) block[i * world->dim + k] = rotates ? 0 : sign * d[k][i];
    block[2 * world->dim + k] = sign * (rotates ? 1 : lever[0] * d[k][1] - lever[1] * d[k][0]);
  }
}

static void put_side(stc_world *world, int c, int slot, int side, double (*d)[3]) {
  const stc_contact_pair *m = &STC_CONTACT_PAIRS(world)[c];
  const stc_body_data *node = &STC_NODES(world)[m->body[side]];
  int pair = 2 * c + slot, width = world->H.view.width, linear = world->settings.plane ? 2 : 3;
  double *block = (double *)world->H.block.data + (ptrdiff_t)pair * world->dim * width;
  ((int *)world->H.body.data)[pair] = node->dof < 0 ? -1 : node->dof / width;
  if (node->dof >= 0 && world->settings.plane)
    put_flat_block(world, m, side, d, block);
  else if (node->dof >= 0)
    put_block_of(world, m, side, d, block);
  for (int k = 0; k < world->dim && !stc_body_is_free(node); k++)
    add_drive(world, c * world->dim + k, side, d[k], k >= linear);
}

static stc_error fill_contact_rows(stc_world *world) {
  int dim = world->dim, size = world->count * dim;
  STC_TRY(stc_world_open_rows(world, world->count, dim, &world->H));
  for (int k = 0; k < STC_ROW_VECTORS; k++)
    STC_TRY(stc_pool_grow(&world->vector[k], (size_t)size, sizeof(double), 0));
  memset(STC_ROW(world, STC_ROW_DRIVE), 0, (size_t)size * sizeof(double));
  for (int c = 0; c < world->count; c++) {
    const stc_contact_pair *m = &STC_CONTACT_PAIRS(world)[c];
    int low = m->body[0] < m->body[1] ? 0 : 1;
    double d[STC_MAX_DIM][3];
    for (int k = 0; k < dim; k++) find_direction(world, m, k, d[k]);
    put_side(world, c, 0, low, d);
    put_side(world, c, 1, 1 - low, d);
  }
  return STC_OK;
}

stc_error stc_world_gather(stc_world *world) {
  STC_TRY(stc_pool_grow(&world->rotation, 9 * (size_t)world->bodies, sizeof(double), 0));
  for (int b = 0; b < world->bodies; b++)
    stc_rotation_matrix(STC_NEXT(world)[b].rotation,
                        (double *)world->rotation.data + 9 * (size_t)b);
  for (bool again = true; again;) {
    STC_TRY(find_contacts(world));
    STC_TRY(stc_islands_disturb(world, &again));
  }
  recall(world);
  STC_TRY(fill_contact_rows(world));
  guess(world);
  return STC_OK;
}
