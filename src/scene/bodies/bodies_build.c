// The world of a scene: bodies, joints, surfaces and pairs handed to the library, drives as calls
// into the scene. What the library refuses is said with the line of the scene.
#include "context.h"

#include <lauxlib.h>
#include <string.h>

// --- Drives ---

// drive(t) gives vx, vy, vz, wx, wy, wz, in the plane vx, vy, w; what is left out is 0.
static void read_drive(lua_State *L, const stc_call *c) {
  static const char *const names[] = {"vx", "vy", "vz", "wx", "wy", "wz"};
  bool plane = c->scene->context->settings.plane;
  int count = lua_gettop(L) - 1, most = plane ? 3 : 6;
  if (count > most)
    luaL_error(L, "rigid '%s': drive gives %d numbers; give at most %d", c->name, count, most);
  for (int k = 0; k < count; k++) {
    bool rotates = plane && k == 2;
    c->answer[rotates ? 5 : k] = stc_take_number(L, k + 2, "drive", rotates ? "w" : names[k]);
  }
}

static bool drive_at(void *user, double t, double velocity[3], double omega[3]) {
  const stc_bodies_body *body = user;
  double rates[6] = {0};
  stc_call call = {.scene = body->scene,
                   .function = &body->drive,
                   .name = body->name,
                   .numbers = 1,
                   .number = {t},
                   .answer = rates,
                   .count = LUA_MULTRET,
                   .read = read_drive};
  if (!stc_call_scene(&call)) return false;
  memcpy(velocity, rates, 3 * sizeof *rates);
  memcpy(omega, rates + 3, 3 * sizeof *rates);
  return true;
}

// --- Checks ---

static bool surface_is_used(const stc_context *context, int surface) {
  for (int k = 0; k < context->bodies.count; k++)
    if (context->body[k].body.surface == surface) return true;
  return surface == 0;
}

static const char *used_surface(const void *user, int k) {
  const stc_context *context = user;
  for (int s = 0; s < context->surfaces.count; s++)
    if (surface_is_used(context, s) && k-- == 0) return context->surface[s];
  return NULL;
}

static stc_error check_surface_pairs(const stc_scene *scene) {
  const stc_context *context = scene->context;
  for (int k = 0; k < 2 * context->surface_pairs.count; k++) {
    int surface = context->surface_pair[k / 2].surface[k % 2];
    if (surface_is_used(context, surface)) continue;
    const char *name = context->surface[surface];
    return stc_fail(STC_ERR_FORMAT, "%s:%d: surface_pair: no body has the surface '%s'%s",
                    scene->path, context->surface_pair[k / 2].line, name,
                    stc_hint_for(name, used_surface, context).text);
  }
  return STC_OK;
}

stc_error stc_bodies_check(stc_scene *scene) {
  stc_context *context = scene->context;
  scene->line = context->line;
  scene->dim = context->settings.plane ? 2 : 3;
  if (context->bodies.count == 0)
    return stc_fail(STC_ERR_FORMAT, "%s:%d: the scene has no bodies: rigid { ... }", scene->path,
                    context->line);
  if (!scene->has_run)
    return stc_fail(STC_ERR_FORMAT,
                    "%s:%d: the scene does not say how to run: run { h = ..., t_end = ... }",
                    scene->path, context->line);
  scene->dofs = STC_PLACE_NUMBERS * context->bodies.count;
  return check_surface_pairs(scene);
}

// --- Making ---

static stc_error refuse_at_line(const stc_scene *scene, int line, stc_error error) {
  return error ? stc_fail(error, "%s:%d: %s", scene->path, line, stc_error_detail()) : STC_OK;
}

// --- Laws of surfaces ---

static bool choose_friction(void *user, const stc_surface_contact *contact, stc_law *law) {
  const stc_bodies_surface_pair *entry = user;
  const double(*at)[3] = contact->at;
  return stc_call_friction(entry->scene, &entry->friction.function, entry->what,
                           &(stc_call_past){&contact->past, law->dim, at}, law);
}

static stc_error add_surface_law(stc_bodies_surface_pair *entry, stc_world *world) {
  const stc_friction *friction = &entry->friction;
  stc_surface_law law = stc_default_surface_law();
  bool is_function = stc_callback_is_there(&friction->function);
  bool usual = friction->law.kind == STC_LAW_COULOMB || friction->law.kind == STC_LAW_FRICTIONLESS;
  if (!entry->has_law) return STC_OK;
  if (!usual) law.law = friction->law;
  if (friction->varies && !is_function) law.coefficient = friction->coefficient;
  if (!friction->varies && usual) law.coefficient = stc_coefficient_constant(friction->law.mu[0]);
  if (is_function) law.choose = choose_friction;
  law.user = entry;
  memcpy(law.along, entry->along, sizeof law.along);
  return stc_world_set_surface_law(world, entry->surface[0], entry->surface[1], &law);
}

// A surface that says nothing about itself is paired like the usual one.
static stc_error add_surface_pairs(const stc_scene *scene, stc_world *world) {
  const stc_context *context = scene->context;
  for (int s = 0; s < context->surfaces.count; s++)
    STC_TRY(stc_world_set_surface_pair(world, s, s, &context->usual));
  for (int k = 0; k < context->surface_pairs.count; k++) {
    stc_bodies_surface_pair *r = &context->surface_pair[k];
    STC_TRY(refuse_at_line(
        scene, r->line,
        stc_world_set_surface_pair(world, r->surface[0], r->surface[1], &r->surface_pair)));
    STC_TRY(refuse_at_line(scene, r->line, add_surface_law(r, world)));
  }
  return STC_OK;
}

static stc_error add_bodies(const stc_scene *scene, stc_world *world) {
  stc_context *context = scene->context;
  for (int k = 0; k < context->bodies.count; k++) {
    stc_bodies_body *b = &context->body[k];
    b->body.user = b;
    b->body.drive = stc_callback_is_there(&b->drive) ? drive_at : NULL;
    stc_body_id id;
    STC_TRY(refuse_at_line(scene, b->line, stc_world_add_body(world, &b->body, &id)));
    STC_TRY(refuse_at_line(scene, b->line, stc_bodies_set_loads(b, world, id)));
  }
  return STC_OK;
}

static stc_error add_joint(stc_world *world, const stc_bodies_joint *entry) {
  stc_joint joint = entry->joint;
  for (int k = 0; k < 2; k++) joint.body[k] = stc_world_body_at(world, entry->body[k]);
  return stc_world_add_joint(world, &joint, NULL);
}

static stc_error add_all(const stc_scene *scene, stc_world *world) {
  const stc_context *context = scene->context;
  STC_TRY(add_surface_pairs(scene, world));
  STC_TRY(add_bodies(scene, world));
  for (int k = 0; k < context->joints.count; k++)
    STC_TRY(refuse_at_line(scene, context->joint[k].line, add_joint(world, &context->joint[k])));
  for (int k = 0; k < context->ignored.count; k++) {
    const int *body = context->ignore[k].body;
    STC_TRY(refuse_at_line(scene, context->ignore[k].line,
                           stc_world_ignore(world, stc_world_body_at(world, body[0]),
                                            stc_world_body_at(world, body[1]))));
  }
  return STC_OK;
}

stc_error stc_bodies_build(stc_scene *scene, const stc_world_settings *settings,
                           stc_world **world) {
  STC_TRY(refuse_at_line(scene, scene->context->line, stc_world_create(settings, world)));
  stc_error error = add_all(scene, *world);
  if (!error) error = stc_scene_error(scene, stc_bodies_turn_gravity(scene, *world));
  if (!error) error = stc_scene_error(scene, stc_world_start(*world, scene->t_start));
  if (error) stc_world_free(world);
  return error;
}
