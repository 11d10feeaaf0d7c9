// Which bodies rest: those for which v = 0 is a solution of the step. Slow bodies that touch each
// other or what does not move are a cluster; it rests if some impulses inside their cones balance
// it (balance.c), for u = 0 then obeys the law of every contact. What no impulses hold keeps the
// velocity that was found, however slow it is.
#include "../soft/soft_contacts.h"
#include "rest_balance.h"

typedef enum body_state { MOVES, WAITS, MAY_REST, RESTS } body_state;

/// Items of each cluster, in their order.
typedef struct chains {
  int *head;  ///< [bodies] the first one of the cluster with this root; -1: none
  int *next;  ///< [items]
} chains;

typedef struct rest {
  stc_cluster cluster;  ///< the one at hand
  body_state *state;    ///< [bodies]
  bool *moves;          ///< [mechanisms]
  int *root;            ///< [bodies] of the tree of its cluster
  chains body, contact, link;
  bool changed;  ///< some impulse
  int slow;      ///< bodies that may owe their velocity to the tolerance, and do not rest
} rest;

// --- Which bodies ---

/// What the tolerance leaves open, and never more than h|g|, what a body has that nothing holds:
/// impulses that are so far from a balance do not become one.
static bool is_slow(const stc_world *world, int b, double eta) {
  const stc_body_data *node = &STC_NODES(world)[b];
  if (node->dof < 0) return false;
  double unknown = world->settings.slow * fmax(eta, fmin(world->settings.tol, STC_SHARP));
  double most = fmin(unknown, 1) * stc_world_slow(world);
  const double *v = STC_SPEED(world, STC_SPEED_AFTER) + node->dof;
  bool plane = world->settings.plane;
  double speed = plane ? hypot(v[0], v[1]) : stc_norm3(v);
  double rotation = plane ? fabs(v[2]) : stc_norm3(v + 3);
  return speed <= most && node->size * rotation <= most;
}

static double size_of_pair(const stc_world *world, const int body[2]) {
  double size = INFINITY;
  for (int k = 0; k < 2; k++)
    if (body[k] >= 0) size = fmin(size, STC_NODES(world)[body[k]].size);
  return size;
}

/// Bodies on a joint that a driven body moves do so.
static void follow_joints(rest *z) {
  const stc_world *world = z->cluster.world;
  const double *driven = world->driven.data;
  for (int j = 0; j < world->links; j++) {
    const stc_link *link = &STC_LINKS(world)[j];
    double most = STC_SAME * size_of_pair(world, link->body) / world->settings.h;
    for (int k = 0; k < 2 * link->rows; k++)
      if (link->body[k % 2] >= 0 && fabs(driven[link->first_row + k / 2]) > most)
        z->state[link->body[k % 2]] = MOVES;
  }
}

/// Bodies on a joint along which something acts are left to it (joint_acts.h).
static void leave_acting(rest *z) {
  const stc_world *world = z->cluster.world;
  for (int j = 0; j < world->links; j++)
    for (int k = 0; k < 2 && STC_LINKS(world)[j].acting > 0; k++)
      if (STC_LINKS(world)[j].body[k] >= 0) z->state[STC_LINKS(world)[j].body[k]] = MOVES;
}

/// Contacts that press on bodies that wait.
static int count_waiting(const rest *z) {
  const stc_world *world = z->cluster.world;
  int count = 0;
  for (int c = 0; c < world->count; c++) {
    const int *body = STC_CONTACT_PAIRS(world)[c].body;
    bool waits = z->state[body[0]] == WAITS || z->state[body[1]] == WAITS;
    count += waits && STC_ROW(world, STC_ROW_R)[c * world->dim] > 0;
  }
  return count;
}

/// What joints connect rests as a whole or not at all: velocities obey the joints to rounding.
static void move_together(rest *z) {
  const stc_world *world = z->cluster.world;
  const int *member = world->member.data;
  for (int n = 0; n < world->mechanisms; n++) z->moves[n] = false;
  for (int b = 0; world->links > 0 && b < world->bodies; b++)
    if (member[b] >= 0 && z->state[b] < MAY_REST) z->moves[member[b]] = true;
  for (int b = 0; world->links > 0 && b < world->bodies; b++)
    if (member[b] >= 0 && z->moves[member[b]] && z->state[b] != WAITS) z->state[b] = MOVES;
}

static void choose_resting(rest *z) {
  const stc_world *world = z->cluster.world;
  for (int b = 0; b < world->bodies; b++) {
    stc_body_data *node = &STC_NODES(world)[b];
    bool slow = is_slow(world, b, z->cluster.eta);
    node->next_patience = slow ? node->patience : 0;
    bool waits = world->steps & ((1 << node->next_patience) - 1);
    z->state[b] = !slow ? MOVES : waits ? WAITS : MAY_REST;
  }
  follow_joints(z);
  leave_acting(z);
}

// --- Clusters ---

static bool may_rest(const rest *z, int b) { return b >= 0 && z->state[b] == MAY_REST; }

static int root_of(rest *z, int b) {
  while (z->root[b] != b) b = z->root[b] = z->root[z->root[b]];
  return b;
}

static void join_bodies(rest *z, const int body[2]) {
  if (!may_rest(z, body[0]) || !may_rest(z, body[1])) return;
  int a = root_of(z, body[0]), b = root_of(z, body[1]);
  z->root[a > b ? a : b] = a < b ? a : b;
}

static void join_all(rest *z) {
  const stc_world *world = z->cluster.world;
  for (int b = 0; b < world->bodies; b++) z->root[b] = b;
  for (int c = 0; c < world->count; c++) join_bodies(z, STC_CONTACT_PAIRS(world)[c].body);
  for (int j = 0; j < world->links; j++) join_bodies(z, STC_LINKS(world)[j].body);
}

/// Both bodies of a contact or joint may rest or cannot move, and nothing drives it.
static bool is_inside(const rest *z, const int body[2], const double *drive, int rows) {
  const stc_world *world = z->cluster.world;
  for (int k = 0; k < 2; k++)
    if (body[k] >= 0 && STC_NODES(world)[body[k]].dof >= 0 && !may_rest(z, body[k])) return false;
  for (int k = 0; k < rows; k++)
    if (drive[k] != 0) return false;
  return true;
}

/// Puts item k, that acts on the two bodies, before the others of its cluster.
static void chain(rest *z, chains *of, int k, int body_a, int body_b) {
  int body = may_rest(z, body_a) ? body_a : body_b;
  if (!may_rest(z, body)) return;
  int root = root_of(z, body);
  of->next[k] = of->head[root];
  of->head[root] = k;
}

static void chain_all(rest *z) {
  const stc_world *world = z->cluster.world;
  chains *of[] = {&z->body, &z->contact, &z->link};
  for (int k = 0; k < 3; k++)
    for (int b = 0; b < world->bodies; b++) of[k]->head[b] = -1;
  for (int b = world->bodies - 1; b >= 0; b--) chain(z, &z->body, b, b, b);
  for (int c = world->count - 1; c >= 0; c--) {
    const int *body = STC_CONTACT_PAIRS(world)[c].body;
    chain(z, &z->contact, c, body[0], body[1]);
  }
  for (int j = world->links - 1; j >= 0; j--) {
    const int *body = STC_LINKS(world)[j].body;
    chain(z, &z->link, j, body[0], body[1]);
  }
}

static int collect_cluster(const chains *of, int root, int *list) {
  int count = 0;
  for (int k = of->head[root]; k >= 0; k = of->next[k]) list[count++] = k;
  return count;
}

/// The impulses that were found; none where the bodies, at rest, leave a gap.
static void begin_contact(rest *z, int c) {
  stc_cluster *cluster = &z->cluster;
  const stc_world *world = cluster->world;
  const stc_contact_pair *m = &STC_CONTACT_PAIRS(world)[c];
  size_t first = (size_t)c * (size_t)world->dim;
  const double *w = STC_ROW(world, STC_ROW_W) + first;
  bool inside = is_inside(z, m->body, STC_ROW(world, STC_ROW_DRIVE) + first, world->dim);
  bool gapes = w[0] > 0;
  cluster->free[c] = inside && (w[0] == 0 || (stc_contact_yields(m) && !gapes));
  for (int k = 0; k < world->dim; k++)
    cluster->r[first + (size_t)k] =
        inside && gapes ? 0 : STC_ROW(world, STC_ROW_R)[first + (size_t)k];
}

static void begin_link(rest *z, int j) {
  stc_cluster *cluster = &z->cluster;
  const stc_world *world = cluster->world;
  const stc_link *link = &STC_LINKS(world)[j];
  const double *l = world->multiplier.data, *driven = world->driven.data;
  cluster->link_free[j] = is_inside(z, link->body, driven + link->first_row, link->rows);
  for (int k = link->first_row; k < link->first_row + link->rows; k++) cluster->l[k] = l[k];
}

// --- Rest ---

static bool is_pressed(const stc_cluster *cluster) {
  for (int k = 0; k < cluster->contacts; k++)
    if (cluster->r[cluster->contact[k] * cluster->world->dim] > 0) return true;
  return false;
}

/// The cluster rests with the impulses that balance it.
static void settle_bodies(rest *z) {
  stc_cluster *cluster = &z->cluster;
  stc_world *world = cluster->world;
  size_t bytes = (size_t)world->dim * sizeof(double);
  double *l = world->multiplier.data;
  for (int k = 0; k < cluster->bodies; k++) {
    int b = cluster->body[k];
    z->state[b] = RESTS;
    STC_NODES(world)[b].next_patience = 0;
    memset(STC_SPEED(world, STC_SPEED_AFTER) + STC_NODES(world)[b].dof, 0,
           (size_t)stc_body_dofs(world) * sizeof(double));
  }
  for (int k = 0; k < cluster->contacts; k++) {
    size_t first = (size_t)cluster->contact[k] * (size_t)world->dim;
    double *r = STC_ROW(world, STC_ROW_R) + first;
    z->changed = z->changed || memcmp(r, cluster->r + first, bytes) != 0;
    memcpy(r, cluster->r + first, bytes);
  }
  for (int k = 0; k < cluster->links; k++) {
    const stc_link *link = &STC_LINKS(world)[cluster->link[k]];
    for (int i = link->first_row; i < link->first_row + link->rows; i++) l[i] = cluster->l[i];
  }
}

static void give_up(const rest *z, int b) {
  stc_body_data *node = &STC_NODES(z->cluster.world)[b];
  z->state[b] = MOVES;
  node->next_patience = node->patience < STC_MOST_PATIENCE ? node->patience + 1 : STC_MOST_PATIENCE;
}

/// Leaves out the bodies that stay unbalanced; all of them where these are too many to tell.
static bool leave_out(rest *z) {
  const stc_cluster *cluster = &z->cluster;
  int left = 0;
  for (int k = 0; k < cluster->bodies; k++) {
    if (stc_cluster_is_balanced(cluster, cluster->body[k])) continue;
    give_up(z, cluster->body[k]);
    left++;
  }
  if (left == 0)
    for (int k = 0; k < cluster->bodies; k++) give_up(z, cluster->body[k]);
  z->slow += left ? left : cluster->bodies;
  return left > 0 && left < cluster->bodies;
}

static stc_error try_cluster(rest *z, bool *again) {
  stc_cluster *cluster = &z->cluster;
  bool pressed, balanced = false;
  for (int k = 0; k < cluster->bodies; k++) cluster->local[cluster->body[k]] = k;
  for (int k = 0; k < cluster->contacts; k++) begin_contact(z, cluster->contact[k]);
  for (int k = 0; k < cluster->links; k++) begin_link(z, cluster->link[k]);
  pressed = is_pressed(cluster);
  if (pressed) STC_TRY(stc_cluster_balance(cluster, &balanced));
  for (int k = 0; k < cluster->bodies; k++) cluster->local[cluster->body[k]] = -1;
  if (balanced)
    settle_bodies(z);
  else if (pressed)
    *again = leave_out(z) || *again;
  for (int k = 0; !pressed && k < cluster->bodies; k++) z->state[cluster->body[k]] = MOVES;
  return STC_OK;
}

/// Tries every cluster of what may rest; *again where a part of one may rest without the others.
static stc_error try_clusters(rest *z, bool *again) {
  stc_cluster *cluster = &z->cluster;
  move_together(z);
  join_all(z);
  chain_all(z);
  *again = false;
  for (int b = 0; b < cluster->world->bodies; b++) {
    cluster->bodies = collect_cluster(&z->body, b, cluster->body);
    cluster->contacts = collect_cluster(&z->contact, b, cluster->contact);
    cluster->links = collect_cluster(&z->link, b, cluster->link);
    if (cluster->bodies > 0) STC_TRY(try_cluster(z, again));
  }
  return STC_OK;
}

static stc_error make_rest_room(rest *z, stc_arena *arena) {
  stc_cluster *cluster = &z->cluster;
  const stc_world *world = cluster->world;
  int bodies = world->bodies, contacts = world->count, links = world->links;
  z->state = STC_TAKE_RAW(arena, body_state, bodies);
  z->moves = STC_TAKE_RAW(arena, bool, world->mechanisms);
  z->root = STC_TAKE_RAW(arena, int, bodies);
  z->body = (chains){STC_TAKE_RAW(arena, int, bodies), STC_TAKE_RAW(arena, int, bodies)};
  z->contact = (chains){STC_TAKE_RAW(arena, int, bodies), STC_TAKE_RAW(arena, int, contacts)};
  z->link = (chains){STC_TAKE_RAW(arena, int, bodies), STC_TAKE_RAW(arena, int, links)};
  cluster->body = STC_TAKE_RAW(arena, int, bodies);
  cluster->local = STC_TAKE_RAW(arena, int, bodies);
  cluster->contact = STC_TAKE_RAW(arena, int, contacts);
  cluster->free = STC_TAKE_RAW(arena, bool, contacts);
  cluster->link = STC_TAKE_RAW(arena, int, links);
  cluster->link_free = STC_TAKE_RAW(arena, bool, links);
  cluster->r = STC_TAKE_RAW(arena, double, contacts * world->dim);
  cluster->l = STC_TAKE_RAW(arena, double, world->equalities);
  cluster->e = STC_TAKE_RAW(arena, double, world->dofs);
  cluster->term = STC_TAKE_RAW(arena, double, world->dofs);
  STC_TRY(stc_arena_check(arena));
  for (int b = 0; b < bodies; b++) cluster->local[b] = -1;
  return STC_OK;
}

static stc_error rest_all(rest *z, stc_arena *arena) {
  bool again = true;
  STC_TRY(make_rest_room(z, arena));
  choose_resting(z);
  const stc_world *world = z->cluster.world;
  z->slow = count_waiting(z);
  for (int k = 0; k < world->settings.solver.rule.steps && again; k++) {
    if (k > 0 && world->work >= world->work_limit) break;
    STC_TRY(try_clusters(z, &again));
  }
  return STC_OK;
}

stc_error stc_world_rest(stc_world *world, double eta, bool *changed, int *slow) {
  stc_arena arena = {0};
  rest z = {.cluster = {.world = world, .eta = eta}};
  stc_error error = rest_all(&z, &arena);
  stc_arena_free(&arena);
  *changed = z.changed;
  *slow = z.slow;
  return error;
}
