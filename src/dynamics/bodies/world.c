// A world: made, and asked.
#include "../joints/joint_acts.h"
#include "../step/step_problem.h"

#include "../../solve/settings.h"

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

/// Every step to what was the tolerance before there were budgets.
static void be_exact(stc_world_settings *s) {
  s->tol = fmin(s->tol, STC_EXACT_TOL);
  s->accept = fmin(s->accept, STC_EXACT_ACCEPT);
  s->budget = 0;
}

stc_error stc_world_create(const stc_world_settings *settings, stc_world **world) {
  if (!settings || !world) return stc_fail(STC_ERR_ARGUMENT, "a world needs settings");
  *world = NULL;
  STC_TRY(check_settings(settings));
  stc_world *made = stc_calloc(1, sizeof *made);
  if (!made) return stc_fail(STC_ERR_MEMORY, "out of memory");
  made->settings = *settings;
  if (settings->exact) be_exact(&made->settings);
  made->unit = 1;
  made->edited = made->parts_edited = made->surfaces_edited = true;
  stc_error error = stc_broad_create(&made->broad);
  if (!error && settings->threads > 1) error = stc_team_create(settings->threads, &made->team);
  if (error) {
    stc_world_free(&made);
    return error;
  }
  *world = made;
  return STC_OK;
}

static void free_pools(stc_world *w) {
  stc_pool *pools[] = {
      &w->node,       &w->place,      &w->part,          &w->part_body,    &w->link,
      &w->given_pair, &w->ignore,     &w->last,          &w->contact_pair, &w->last_r,
      &w->last_u,     &w->owner,      &w->next,          &w->rotation,     &w->low,
      &w->high,       &w->moving,     &w->found,         &w->driven_old,   &w->multiplier,
      &w->law,        &w->f,          &w->start,         &w->kept_r,       &w->mobility,
      &w->w,          &w->room,       &w->work_space,    &w->displacement, &w->push,
      &w->push_block, &w->driven,     &w->spot,          &w->member,       &w->origin,
      &w->wrench,     &w->loads.push, &w->loads.lasting, &w->loads.kick,   &w->apart,
      &w->newest,     &w->joint_slot, &w->before_rest,   &w->mass,         &w->reaction,
      &w->H.body,     &w->H.block,    &w->G.body,        &w->G.block,      &w->sense,
      &w->event,      &w->next_event, &w->surface_user,  &w->seen.pose,    &w->seen.item,
      &w->seen.kept,  &w->seen.low,   &w->seen.high,     &w->seen.middle,  &w->seen.order,
      &w->seen.node};
  stc_acts_free(&w->acts);
  for (size_t k = 0; k < sizeof pools / sizeof *pools; k++) stc_release(&pools[k]->data);
  stc_pool *islands[] = {&w->root, &w->aside,     &w->rank,       &w->rows_aside, &w->swept,
                         &w->rise, &w->seen.spot, &w->sweep_room, &w->target,     &w->given_law};
  for (size_t k = 0; k < sizeof islands / sizeof *islands; k++) stc_release(&islands[k]->data);
  for (int k = 0; k < 4; k++) stc_release(&w->velocity[k].data);
  for (int k = 0; k < STC_ROW_VECTORS; k++) stc_release(&w->vector[k].data);
}

void stc_world_free(stc_world **world) {
  if (!world || !*world) return;
  stc_world *w = *world;
  free_pools(w);
  stc_mechanisms_free(w);
  stc_release(&w->surface_pair);
  stc_release(&w->surface_law);
  stc_broad_free(&w->broad);
  stc_team_free(&w->team);
  stc_world_forget_problem(w);
  stc_arena_free(&w->reduced.arena);
  stc_release(&w->sweep);
  stc_release(&w);
  *world = NULL;
}

double stc_world_slow(const stc_world *world) {
  return world->settings.h * stc_norm3(world->settings.gravity);
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
  if (node->mobility == STC_MOBILITY_FREE) stc_mul3(R, momentum, state->spin);
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
  stc_world *own = (stc_world *)world;  // the problem is made when it is asked for
  if (stc_step_pose(own)) return NULL;
  if (guess) *guess = own->problem ? own->start.data : NULL;
  return own->problem;
}
