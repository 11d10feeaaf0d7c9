// A world: made, filled, started, asked.
#include "../joints/mechanism.h"

#include "../../solve/settings.h"

#include <stdlib.h>

// Bodies that overlap by more than this part of the smaller one's size were placed wrongly.
static const double MOST_OVERLAP = 0.01;  // [input]

#define STC_FIELD_INITIAL(type, name, initial, least, greatest, meaning) .name = initial,
stc_world_settings stc_default_world_settings(void) {
  return (stc_world_settings){STC_WORLD_FIELDS(STC_FIELD_INITIAL).gravity = {0, 0, -9.81},
                              .depth = 1, .solver = stc_default_settings()};
}
#undef STC_FIELD_INITIAL

#define STC_FIELD_CHECK(type, name, initial, least, greatest, meaning)                             \
  if (!((double)s->name >= (least) && (double)s->name <= (greatest)))                              \
    return stc_fail(STC_ERR_VALUE, #name " = %g is outside %g ... %g", (double)s->name,            \
                    (double)(least), (double)(greatest));
static stc_error check_settings(const stc_world_settings *s) {
  STC_WORLD_FIELDS(STC_FIELD_CHECK)
  for (int i = 0; i < 3; i++)
    if (!isfinite(s->gravity[i]))
      return stc_fail(STC_ERR_VALUE, "gravity[%d] = %g; give finite numbers", i, s->gravity[i]);
  if (s->tol > s->accept)
    return stc_fail(STC_ERR_VALUE,
                    "tol = %g is above accept = %g: no step would be taken; raise both", s->tol,
                    s->accept);
  if (!(s->depth >= 1e-9 && s->depth <= 1e9))
    return stc_fail(STC_ERR_VALUE, "depth = %g is outside 1e-9 ... 1e9 m", s->depth);
  if (s->plane && s->gravity[2] != 0)
    return stc_fail(STC_ERR_VALUE,
                    "gravity[2] = %g leaves the plane; set it to 0 and gravity[1] to -9.81",
                    s->gravity[2]);
  return stc_settings_check(&s->solver);
}
#undef STC_FIELD_CHECK

stc_error stc_world_create(const stc_world_settings *settings, stc_world **world) {
  if (!settings || !world) return stc_fail(STC_ERR_ARGUMENT, "a world needs settings");
  *world = NULL;
  STC_TRY(check_settings(settings));
  stc_world *made = stc_calloc(1, sizeof *made);
  if (!made) return stc_fail(STC_ERR_MEMORY, "out of memory");
  made->settings = *settings;
  made->unit = 1;
  stc_error error = stc_broad_create(&made->broad);
  if (!error && settings->threads > 1) error = stc_team_create(settings->threads, &made->team);
  if (error) {
    stc_world_free(&made);
    return error;
  }
  *world = made;
  return STC_OK;
}

void stc_world_free(stc_world **world) {
  if (!world || !*world) return;
  stc_world *w = *world;
  stc_pool *pools[] = {&w->node,         &w->place,       &w->part,       &w->part_body,
                       &w->link,         &w->given_pair,  &w->ignore,     &w->last,
                       &w->contact_pair, &w->last_r,      &w->last_u,     &w->owner,
                       &w->next,         &w->rotation,    &w->low,        &w->high,
                       &w->moving,       &w->found,       &w->driven_old, &w->multiplier,
                       &w->law,          &w->f,           &w->start,      &w->kept_r,
                       &w->push,         &w->driven,      &w->spot,       &w->member,
                       &w->origin,       &w->wrench,      &w->loads.push, &w->loads.lasting,
                       &w->loads.kick,   &w->before_rest, &w->mass,       &w->H.body,
                       &w->H.block,      &w->G.body,      &w->G.block};
  for (size_t k = 0; k < sizeof pools / sizeof *pools; k++) stc_release(&pools[k]->data);
  for (int k = 0; k < 4; k++) stc_release(&w->velocity[k].data);
  for (int k = 0; k < STC_ROW_VECTORS; k++) stc_release(&w->vector[k].data);
  stc_mechanisms_free(w);
  stc_release(&w->surface_pair);
  stc_broad_free(&w->broad);
  stc_team_free(&w->team);
  stc_problem_free(&w->problem);
  stc_release(&w);
  *world = NULL;
}

double stc_world_slow(const stc_world *world) {
  return world->settings.h * stc_norm3(world->settings.gravity);
}

// --- Bodies that never touch ---

static stc_error ignore(stc_world *world, int a, int b) {
  size_t count = (size_t)world->ignored;
  STC_TRY(stc_pool_grow(&world->ignore, count + 1, 2 * sizeof(int), count));
  int *pair = (int *)world->ignore.data + 2 * count;
  pair[0] = a < b ? a : b;
  pair[1] = a < b ? b : a;
  world->ignored++;
  return STC_OK;
}

stc_error stc_world_ignore(stc_world *world, stc_body_id a, stc_body_id b) {
  int first, second;
  if (!world) return stc_fail(STC_ERR_ARGUMENT, "ignore needs a world");
  if (world->started)
    return stc_fail(STC_ERR_ARGUMENT, "the world has started; ignore pairs before that");
  STC_TRY(stc_world_find_body(world, a, &first));
  STC_TRY(stc_world_find_body(world, b, &second));
  return ignore(world, first, second);
}

static int compare_pairs(const void *a, const void *b) {
  const int *p = a, *q = b;
  for (int k = 0; k < 2; k++)
    if (p[k] != q[k]) return p[k] < q[k] ? -1 : 1;
  return 0;
}

bool stc_world_apart(const stc_world *world, int body_a, int body_b) {
  const stc_body_data *node = STC_NODES(world);
  if (body_a == body_b || (node[body_a].dof < 0 && node[body_b].dof < 0)) return true;
  if (world->ignored == 0) return false;
  int pair[2] = {body_a < body_b ? body_a : body_b, body_a < body_b ? body_b : body_a};
  return bsearch(pair, world->ignore.data, (size_t)world->ignored, sizeof pair, compare_pairs);
}

// --- Starting ---

/// Joined bodies do not touch each other.
static stc_error list_ignored(stc_world *world) {
  for (int j = 0; j < world->links; j++) {
    const int *body = STC_LINKS(world)[j].body;
    if (body[0] >= 0 && body[1] >= 0) STC_TRY(ignore(world, body[0], body[1]));
  }
  if (world->ignored)
    qsort(world->ignore.data, (size_t)world->ignored, 2 * sizeof(int), compare_pairs);
  return STC_OK;
}

static stc_error list_owners(stc_world *world) {
  int per = stc_body_dofs(world);
  STC_TRY(stc_pool_grow(&world->owner, (size_t)(world->dofs / per), sizeof(int), 0));
  for (int b = 0; b < world->bodies; b++) {
    int dof = STC_NODES(world)[b].dof;
    if (dof >= 0) ((int *)world->owner.data)[dof / per] = b;
  }
  return STC_OK;
}

static stc_error check_overlaps(stc_world *world) {
  memcpy(world->next.data, world->place.data, (size_t)world->bodies * sizeof(stc_place));
  STC_TRY(stc_world_gather(world));
  for (int c = 0; c < world->count; c++) {
    const stc_contact_pair *m = &STC_CONTACT_PAIRS(world)[c];
    const stc_body_data *a = &STC_NODES(world)[m->body[0]], *b = &STC_NODES(world)[m->body[1]];
    double size = fmin(a->size, b->size);
    if (-m->point.gap > MOST_OVERLAP * size)
      return stc_fail(STC_ERR_VALUE,
                      "bodies %s and %s overlap by %g m, more than a hundredth of their size; move "
                      "them apart or ignore the pair",
                      a->name, b->name, -m->point.gap);
  }
  return STC_OK;
}

static stc_error prepare_world(stc_world *world) {
  STC_TRY(stc_world_make_surface_pairs(world));
  STC_TRY(list_ignored(world));
  STC_TRY(list_owners(world));
  STC_TRY(stc_mechanisms_create(world));
  STC_TRY(stc_pool_grow(&world->next, (size_t)world->bodies, sizeof(stc_place), 0));
  return STC_OK;
}

stc_error stc_world_start(stc_world *world, double t) {
  if (!world || !isfinite(t))
    return stc_fail(STC_ERR_ARGUMENT, "a world starts at a time that is finite");
  if (world->started) return stc_fail(STC_ERR_ARGUMENT, "the world has started already");
  if (world->bodies == 0) return stc_fail(STC_ERR_ARGUMENT, "the world is empty; add bodies");
  stc_fail(STC_OK, "%s", "");  // a drive that stops the run may leave its own sentence
  STC_TRY(prepare_world(world));
  STC_TRY(stc_world_drive(world, t, STC_PLACES(world)));
  STC_TRY(check_overlaps(world));
  world->start_time = t;
  world->count = world->last_count = 0;
  stc_world_ledger_open(world);
  world->started = true;
  return STC_OK;
}

// --- Asking ---

const stc_world_settings *stc_world_given(const stc_world *world) { return &world->settings; }

double stc_world_time(const stc_world *world) {
  return world->start_time + (double)world->steps * world->settings.h;
}

long stc_world_steps(const stc_world *world) { return world->steps; }
int stc_world_dim(const stc_world *world) { return world->dim; }
const stc_ledger *stc_world_ledger(const stc_world *world) { return &world->account.ledger; }

void stc_world_state_of(const stc_world *world, int body, const stc_place *place,
                        stc_body_state *state) {
  const stc_body_data *node = &STC_NODES(world)[body];
  double R[9], momentum[3];
  *state = (stc_body_state){.pose = stc_node_pose(node, place), .mass = node->mass};
  memcpy(state->centre, place->x, sizeof state->centre);
  memcpy(state->velocity, place->v, sizeof state->velocity);
  stc_world_rate(world, place, body, state->omega);
  stc_rotation_matrix(place->rotation, R);
  stc_mul3(node->inertia, place->omega, momentum);
  if (node->dof >= 0) stc_mul3(R, momentum, state->spin);
}

stc_error stc_world_body(const stc_world *world, stc_body_id id, stc_body_state *state) {
  int body;
  if (!world || !state) return stc_fail(STC_ERR_ARGUMENT, "body needs a world and a state");
  STC_TRY(stc_world_find_body(world, id, &body));
  stc_world_state_of(world, body, &STC_PLACES(world)[body], state);
  return STC_OK;
}

stc_error stc_world_parts(const stc_world *world, stc_body_id id, int *parts,
                          const stc_part **part) {
  int body;
  if (!world || !parts || !part)
    return stc_fail(STC_ERR_ARGUMENT, "parts needs a world, a count and an array");
  STC_TRY(stc_world_find_body(world, id, &body));
  *parts = STC_NODES(world)[body].parts;
  *part = STC_PARTS(world) + STC_NODES(world)[body].first_part;
  return STC_OK;
}

int stc_world_contacts(const stc_world *world) { return world->last_count; }

void stc_world_contact_at(const stc_world *world, int k, stc_world_contact *contact) {
  const stc_contact_pair *m = (const stc_contact_pair *)world->last.data + k;
  size_t first = (size_t)k * (size_t)world->dim, bytes = (size_t)world->dim * sizeof(double);
  *contact = (stc_world_contact){
      .body = {stc_world_id_of(world, m->body[0]), stc_world_id_of(world, m->body[1])},
      .point = m->point,
      .state = m->state};
  memcpy(contact->tangent, m->tangent, sizeof m->tangent);
  memcpy(contact->r, (const double *)world->last_r.data + first, bytes);
  memcpy(contact->u, (const double *)world->last_u.data + first, bytes);
}

const stc_problem *stc_world_problem(const stc_world *world, const double **guess) {
  if (guess) *guess = world->problem ? world->start.data : NULL;
  return world->problem;
}
