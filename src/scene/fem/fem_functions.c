// solid { }, body { }, support { }, traction { }, pressure { }, steps { }: what a scene says about
// deformable bodies, checked as it is said.
#include "../../base/number.h"
#include "../kind.h"
#include "fem_scene.h"

#include <lauxlib.h>
#include <math.h>
#include <string.h>

static const double HUGE_NUMBER = 1e300;
static const double HUGE_TIME = 1e12;

// --- Lists and names ---

static stc_deform *make_deform(lua_State *L) {
  stc_scene *scene = stc_scene_of(L);
  if (scene->deform) return scene->deform;
  stc_deform *made = scene->deform = stc_calloc(1, sizeof *made);
  if (!made) luaL_error(L, "out of memory");
  made->settings = stc_default_fem_settings();
  made->line = stc_scene_line(L);
  return made;
}

stc_deform *stc_deform_of(lua_State *L, const char *word) {
  stc_kind_choose(L, &stc_kind_fem, word);
  return make_deform(L);
}

stc_deform *stc_deform_meshes(lua_State *L, const char *word) {
  const stc_kind *kind = stc_scene_of(L)->kind;
  if (kind && kind != &stc_kind_elastodynamic) return stc_deform_of(L, word);
  return make_deform(L);
}

void stc_deform_free(stc_deform **deform) {
  stc_deform *d = *deform;
  if (!d) return;
  for (int k = 0; k < d->meshes.count; k++) stc_mesh_free(&d->mesh[k]);
  stc_mesh_free(&d->joined);
  stc_release(deform);
}

void *stc_list_grow(lua_State *L, const char *what, stc_list *list, void *entries, size_t size) {
  int most = list->most ? list->most : STC_DEFORM_ENTRIES;
  if (list->count >= most) luaL_error(L, "more than %d entries %s { }", most, what);
  entries = stc_arena_more(&stc_scene_of(L)->arena, entries, list->count, &list->room, size);
  if (!entries) luaL_error(L, "out of memory for %d entries", 2 * list->count);
  return entries;
}

const char *stc_deform_text(const stc_fields *fields, const char *name) {
  const char *text = stc_field_text(fields, name);
  if (!text) luaL_error(fields->L, "%s needs an entry '%s'", fields->what, name);
  return stc_scene_copy(fields->L, text);
}

// --- What is solved ---

static int describe_solid(lua_State *L) {
  static const char *const kinematics[] = {"plane_strain", "plane_stress", "axisymmetric", "solid",
                                           NULL};
  stc_deform *d = stc_deform_of(L, "solid");
  stc_say_once(L, &d->has_solid, "solid");
  stc_fields f = STC_FIELDS(L, 1, "solid", "kinematics", "thickness");
  d->line = stc_scene_line(L);
  d->kinematics = (stc_kinematics)stc_field_choice(&f, "kinematics", "kinematics", kinematics, -1);
  d->thickness = stc_field_number_or(&f, "thickness", 1, 1e-300, HUGE_NUMBER);
  return 0;
}

static void take_force(const stc_fields *f, double *force) {
  lua_State *L = f->L;
  if (stc_field_is_there(f, "force")) {
    int length = stc_field_list(f, "force", "a list of 2 or 3 numbers", 2, 3);
    stc_take_vector(L, -1, f->what, "force", force, length);
    lua_pop(L, 1);
  }
}

static int describe_body(lua_State *L) {
  stc_deform *d = stc_deform_of(L, "body");
  stc_fields f = STC_FIELDS(L, 1, "body", "group", "young", "poisson", "yield", "hardening",
                            "density", "force");
  stc_scene_body body = {.line = stc_scene_line(L)};
  body.body.group = stc_deform_text(&f, "group");
  f.what = stc_scene_copy(L, lua_pushfstring(L, "body '%s'", body.body.group));
  stc_material *m = &body.body.material;
  m->young = stc_field_number(&f, "young", 1e-300, HUGE_NUMBER);
  m->poisson = stc_field_number(&f, "poisson", -1, 0.5);
  m->yield = stc_field_number_or(&f, "yield", 0, 0, HUGE_NUMBER);
  m->hardening = stc_field_number_or(&f, "hardening", 0, 0, HUGE_NUMBER);
  m->density = stc_field_number_or(&f, "density", 0, 0, HUGE_NUMBER);
  if (m->poisson <= -1 || m->poisson >= 0.5)
    luaL_error(L, "%s: poisson = %f; give a number between -1 and 0.5, both excluded", f.what,
               m->poisson);
  if (m->hardening > 0 && m->yield == 0)
    luaL_error(L, "%s: hardening without a yield stress; give yield", f.what);
  take_force(&f, body.body.force);
  *STC_LIST_ADD(L, "body", &d->bodies, d->body) = body;
  return 0;
}

// --- Supports and loads ---

stc_scene_given *stc_deform_take_given(const stc_fields *f) {
  lua_State *L = f->L;
  stc_scene_given *given = STC_TAKE(&stc_scene_of(L)->arena, stc_scene_given, 1);
  if (!given) luaL_error(L, "out of memory");
  if (stc_field(f, "value") == LUA_TNIL) luaL_error(L, "%s needs an entry 'value'", f->what);
  *given = stc_scene_given_take(f, "value", "a number or a function of t and x");
  return given;
}

// x, y, z; r and z where the body is axisymmetric; all. Which it means is known at the end.
static void take_component(const stc_fields *f, stc_scene_load *load) {
  static const char *const names[] = {"x", "y", "z", "r", "all", NULL};
  int k = stc_field_choice(f, "component", "component", names, -1);
  load->letter = names[k][0];
  load->component = k == 4 ? STC_DEFORM_ALL : k == 3 ? 0 : k;
}

static stc_scene_load take_load(lua_State *L, const char *word, bool has_component) {
  static const char *const names[] = {"group", "value", "component", NULL};
  static const char *const pressure_names[] = {"group", "value", NULL};
  stc_fields f = stc_fields_open(L, 1, word, has_component ? names : pressure_names);
  stc_scene_load load = {.line = stc_scene_line(L), .component = -1};
  load.group = stc_deform_text(&f, "group");
  f.what = stc_scene_copy(L, lua_pushfstring(L, "%s of '%s'", word, load.group));
  if (has_component) take_component(&f, &load);
  load.given = stc_deform_take_given(&f);
  return load;
}

static int describe_support(lua_State *L) {
  stc_deform *d = stc_deform_of(L, "support");
  stc_scene_load load = take_load(L, "support", true);
  *STC_LIST_ADD(L, "support", &d->supports, d->support) = load;
  return 0;
}

static int describe_traction(lua_State *L) {
  stc_deform *d = stc_deform_of(L, "traction");
  stc_scene_load load = take_load(L, "traction", true);
  *STC_LIST_ADD(L, "traction", &d->loads, d->load) = load;
  return 0;
}

static int describe_pressure(lua_State *L) {
  stc_deform *d = stc_deform_of(L, "pressure");
  stc_scene_load load = take_load(L, "pressure", false);
  *STC_LIST_ADD(L, "pressure", &d->loads, d->load) = load;
  return 0;
}

// --- Steps ---

static void take_times(const stc_fields *f, stc_deform *d) {
  lua_State *L = f->L;
  d->steps = stc_field_list(f, "times", "the rising list of times at the ends of the steps", 1,
                            STC_DEFORM_STEPS);
  d->time = stc_scene_numbers(L, (size_t)d->steps);
  stc_take_vector(L, -1, f->what, "times", d->time, d->steps);
  for (int k = 0; k < d->steps; k++)
    if (d->time[k] <= (k ? d->time[k - 1] : 0))
      luaL_error(L, "steps: times must rise, and the first be above 0, where it all begins");
  lua_pop(L, 1);
}

static void take_count(const stc_fields *f, stc_deform *d) {
  lua_State *L = f->L;
  double count = stc_field_number(f, "count", 1, STC_DEFORM_STEPS);
  double end = stc_field_number_or(f, "t_end", 1, 1e-12, HUGE_TIME);
  if (count != floor(count)) luaL_error(L, "steps: count = %f; give a whole number", count);
  d->steps = (int)count;
  d->time = stc_scene_numbers(L, (size_t)d->steps);
  for (int k = 0; k < d->steps; k++) d->time[k] = end * (k + 1) / d->steps;
}

static void take_method(const stc_fields *f, stc_fem_settings *settings) {
  const char *names[STC_CONTACT_PENALTY + 2] = {NULL};
  for (int k = 0; k <= STC_CONTACT_PENALTY; k++)
    names[k] = stc_contact_method_name((stc_contact_method)k);
  settings->method = (stc_contact_method)stc_field_choice(f, "method", "contact method", names,
                                                          (int)settings->method);
}

static int describe_steps(lua_State *L) {
  static const char *const names[] = {"times", "count", "t_end", "method",
                                      STC_FEM_FIELDS(STC_KEY_NAME) NULL};
  stc_deform *d = stc_deform_of(L, "steps");
  stc_scene *scene = stc_scene_of(L);
  stc_say_once(L, &(bool){d->steps}, "steps");
  stc_fields f = stc_fields_open(L, 1, "steps", names);
  bool has_times = stc_field_is_there(&f, "times");
  if (has_times == stc_field_is_there(&f, "count"))
    luaL_error(L, "steps needs an entry 'times', a list, or 'count' with 't_end', not both");
  if (has_times)
    take_times(&f, d);
  else
    take_count(&f, d);
  take_method(&f, &d->settings);
  stc_fem_settings *keys = &d->settings;
  STC_FEM_FIELDS(STC_KEY_TAKE)
  stc_snprintf(scene->replay, sizeof scene->replay, "--guess");
  scene->store_every = 1;
  scene->t_end = d->time[d->steps - 1];
  return 0;
}

int stc_deform_open_functions(lua_State *L) {
  stc_sandbox_register(L, "solid", describe_solid, "body", describe_body, "support",
                       describe_support, "traction", describe_traction, "pressure",
                       describe_pressure, "steps", describe_steps, "contact", stc_deform_contact,
                       "plot", stc_deform_plot, NULL);
  stc_deform_open_meshes(L);
  stc_deform_open_contacts(L);
  stc_deform_open_heat(L);
  return 0;
}
