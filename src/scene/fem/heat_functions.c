// thermal { }, conductor { }, temperature { }, potential { }, flux { }, current { }, convection {
// }, junction { }: heat and current of deformable bodies.
#include "../../base/number.h"
#include "fem_scene.h"

#include <lauxlib.h>
#include <math.h>
#include <string.h>

static const double HUGE_NUMBER = 1e300;
static const stc_callback NO_FUNCTION = {LUA_NOREF, 0};

// --- What is solved ---

// A number or a function of t and x in the arena; a constant where it is not there.
static stc_scene_given *take_or(const stc_fields *f, const char *name, double fallback) {
  lua_State *L = f->L;
  stc_scene_given *given = STC_TAKE(&stc_scene_of(L)->arena, stc_scene_given, 1);
  if (!given) luaL_error(L, "out of memory");
  if (stc_field(f, name) == LUA_TNIL) {
    lua_pop(L, 1);
    *given = (stc_scene_given){.scene = stc_scene_of(L),
                               .what = f->what,
                               .name = name,
                               .value = fallback,
                               .function = NO_FUNCTION};
  } else
    *given = stc_scene_given_take(f, name, "a number or a function of t and x");
  return given;
}

static int describe_thermal(lua_State *L) {
  static const char *const couplings[] = {"staggered", "monolithic", NULL};
  stc_deform *d = stc_deform_of(L, "thermal");
  stc_scene_heat *h = &d->heat;
  stc_say_once(L, &h->described, "thermal");
  stc_fields f = STC_FIELDS(L, 1, "thermal", "steady", "initial", "reference", "theta", "coupling",
                            "passes", "tol");
  h->line = stc_scene_line(L);
  h->settings.steady = stc_field_flag(&f, "steady");
  h->settings.reference = stc_field_number_or(&f, "reference", 0, -HUGE_NUMBER, HUGE_NUMBER);
  h->initial = take_or(&f, "initial", h->settings.reference);
  h->settings.theta = stc_field_number_or(&f, "theta", 1, 0.5, 1);
  h->settings.coupling = (stc_coupling)stc_field_choice(&f, "coupling", "coupling", couplings, 0);
  h->settings.passes = (int)stc_field_number_or(&f, "passes", 0, 0, 1e6);
  h->settings.tol = stc_field_number_or(&f, "tol", 0, 0, 1);
  return 0;
}

static int describe_conductor(lua_State *L) {
  stc_deform *d = stc_deform_of(L, "conductor");
  stc_fields f = STC_FIELDS(L, 1, "conductor", "group", "conductivity", "capacity", "electric",
                            "slope", "expansion", "source");
  stc_scene_conductor made = {.line = stc_scene_line(L)};
  stc_conductor *c = &made.conductor;
  c->group = stc_deform_text(&f, "group");
  f.what = stc_scene_copy(L, lua_pushfstring(L, "conductor '%s'", c->group));
  c->conductivity = stc_field_number(&f, "conductivity", 1e-300, HUGE_NUMBER);
  c->capacity = stc_field_number_or(&f, "capacity", 0, 0, HUGE_NUMBER);
  c->electric = stc_field_number_or(&f, "electric", 0, 0, HUGE_NUMBER);
  c->slope = stc_field_number_or(&f, "slope", 0, -HUGE_NUMBER, HUGE_NUMBER);
  c->expansion = stc_field_number_or(&f, "expansion", 0, -HUGE_NUMBER, HUGE_NUMBER);
  c->source = stc_field_number_or(&f, "source", 0, -HUGE_NUMBER, HUGE_NUMBER);
  *STC_LIST_ADD(L, "conductor", &d->conductors, d->conductor) = made;
  return 0;
}

// --- Around the bodies ---

static const char *const transfer_names[] = {"temperature", "potential", "flux", "current",
                                             "convection"};

static int describe_transfer(lua_State *L, stc_transfer_kind kind) {
  static const char *const plain[] = {"group", "value", NULL};
  static const char *const cooling[] = {"group", "value", "coefficient", NULL};
  const char *word = transfer_names[kind];
  bool convects = kind == STC_CONVECTION;
  stc_deform *d = stc_deform_of(L, word);
  stc_fields f = stc_fields_open(L, 1, word, convects ? cooling : plain);
  stc_scene_transfer made = {.line = stc_scene_line(L), .transfer.kind = kind};
  made.transfer.group = stc_deform_text(&f, "group");
  f.what = stc_scene_copy(L, lua_pushfstring(L, "%s of '%s'", word, made.transfer.group));
  made.given = stc_deform_take_given(&f);
  if (convects) made.transfer.coefficient = stc_field_number(&f, "coefficient", 0, HUGE_NUMBER);
  *STC_LIST_ADD(L, word, &d->transfers, d->transfer) = made;
  return 0;
}

static int describe_temperature(lua_State *L) { return describe_transfer(L, STC_TEMPERATURE); }
static int describe_potential(lua_State *L) { return describe_transfer(L, STC_POTENTIAL); }
static int describe_flux(lua_State *L) { return describe_transfer(L, STC_HEAT_FLUX); }
static int describe_current(lua_State *L) { return describe_transfer(L, STC_CURRENT); }
static int describe_convection(lua_State *L) { return describe_transfer(L, STC_CONVECTION); }

// --- Contacts ---

static void take_conductance_numbers(const stc_fields *outer, const char *name,
                                     stc_conductance *c) {
  lua_State *L = outer->L;
  const char *what = stc_scene_copy(L, lua_pushfstring(L, "%s: %s", outer->what, name));
  lua_pop(L, 1);
  stc_fields f = STC_FIELDS(L, lua_gettop(L), what, "solid", "pressure", "exponent", "gas", "gap");
  c->solid = stc_field_number_or(&f, "solid", 0, 0, HUGE_NUMBER);
  c->pressure = stc_field_number_or(&f, "pressure", 1, 1e-300, HUGE_NUMBER);
  c->exponent = stc_field_number_or(&f, "exponent", 0, 0, 100);
  c->gas = stc_field_number_or(&f, "gas", 0, 0, HUGE_NUMBER);
  c->gap = stc_field_number_or(&f, "gap", 0, 0, HUGE_NUMBER);
  if (c->gas > 0 && c->gap == 0)
    luaL_error(L, "%s: gas needs gap > 0, a distance that stays when the contact closes", what);
}

// A number, a table of numbers or a function of pressure and gap.
static stc_scene_conductance *take_conductance(const stc_fields *f, const char *name) {
  lua_State *L = f->L;
  stc_scene_conductance *c = STC_TAKE(&stc_scene_of(L)->arena, stc_scene_conductance, 1);
  if (!c) luaL_error(L, "out of memory");
  *c = (stc_scene_conductance){stc_scene_of(L), f->what, name, {.pressure = 1}, NO_FUNCTION};
  int type = stc_field(f, name);
  if (type == LUA_TFUNCTION) {
    c->function = stc_callback_take(L);
    return c;
  }
  if (type == LUA_TTABLE)
    take_conductance_numbers(f, name, &c->numbers);
  else if (type == LUA_TNUMBER)
    c->numbers.solid = stc_field_number(f, name, 0, HUGE_NUMBER);
  else if (type != LUA_TNIL)
    stc_refuse(L, -1, f->what, name,
               "a number, { solid, pressure, exponent, gas, gap } or a function of p and g");
  lua_pop(L, 1);
  return c;
}

static int describe_junction(lua_State *L) {
  stc_deform *d = stc_deform_of(L, "junction");
  stc_fields f = STC_FIELDS(L, 1, "junction", "contact", "heat", "electric", "share", "temperature",
                            "potential");
  stc_scene_junction made = {.line = stc_scene_line(L)};
  made.pair = stc_deform_text(&f, "contact");
  f.what = stc_scene_copy(L, lua_pushfstring(L, "junction of '%s'", made.pair));
  made.heat = take_conductance(&f, "heat");
  made.electric = take_conductance(&f, "electric");
  made.share = stc_field_number_or(&f, "share", -1, 0, 1);
  made.temperature = take_or(&f, "temperature", 0);
  made.potential = take_or(&f, "potential", 0);
  *STC_LIST_ADD(L, "junction", &d->junctions, d->junction) = made;
  return 0;
}

static bool conductance_at(void *user, double p, double g, double *value) {
  const stc_scene_conductance *c = user;
  return stc_call_scene(&(stc_call){.scene = c->scene,
                                    .function = &c->function,
                                    .what = c->what,
                                    .name = c->name,
                                    .numbers = 2,
                                    .number = {p, g},
                                    .answer = value,
                                    .count = 1});
}

static stc_conductance conductance_of(stc_scene_conductance *c) {
  stc_conductance made = c->numbers;
  if (!stc_callback_is_there(&c->function)) return made;
  made.function = conductance_at;
  made.user = c;
  return made;
}

// --- Whether it fits ---

static int find_pair(const stc_deform *d, const char *name) {
  for (int k = 0; k < d->pairs.count; k++)
    if (!strcmp(d->pair[k].pair.name, name)) return k;
  return -1;
}

static stc_error check_junction(const stc_scene *scene, int k) {
  const stc_deform *d = scene->deform;
  const stc_scene_junction *j = &d->junction[k];
  if (find_pair(d, j->pair) < 0)
    return stc_fail(STC_ERR_FORMAT, "%s:%d: junction: there is no contact '%s'%s", scene->path,
                    j->line, j->pair, stc_hint_for(j->pair, stc_deform_pair_name, d).text);
  for (int i = 0; i < k; i++)
    if (!strcmp(d->junction[i].pair, j->pair))
      return stc_fail(STC_ERR_FORMAT, "%s:%d: junction: contact '%s' has one already", scene->path,
                      j->line, j->pair);
  return STC_OK;
}

stc_error stc_deform_check_heat(const stc_scene *scene) {
  const stc_deform *d = scene->deform;
  int line = d->conductors.count  ? d->conductor[0].line
             : d->transfers.count ? d->transfer[0].line
             : d->junctions.count ? d->junction[0].line
                                  : 0;
  if (line && !d->heat.described)
    return stc_fail(STC_ERR_FORMAT,
                    "%s:%d: heat and current need thermal { }: thermal { steady = true }",
                    scene->path, line);
  if (d->heat.described && d->conductors.count == 0)
    return stc_fail(STC_ERR_FORMAT, "%s:%d: thermal: there is no conductor { }", scene->path,
                    d->heat.line);
  for (int k = 0; k < d->conductors.count; k++) {
    const stc_scene_conductor *c = &d->conductor[k];
    STC_TRY(stc_deform_check_group(scene, c->line, "conductor", c->conductor.group));
  }
  for (int k = 0; k < d->transfers.count; k++) {
    const stc_scene_transfer *t = &d->transfer[k];
    const char *word = transfer_names[t->transfer.kind];
    bool nodal = t->transfer.kind == STC_TEMPERATURE || t->transfer.kind == STC_POTENTIAL;
    STC_TRY(nodal ? stc_deform_check_group(scene, t->line, word, t->transfer.group)
                  : stc_deform_check_surface(scene, t->line, word, t->transfer.group));
  }
  for (int k = 0; k < d->junctions.count; k++) STC_TRY(check_junction(scene, k));
  return STC_OK;
}

// --- The description ---

stc_error stc_deform_describe_heat(const stc_deform *d, stc_arena *arena,
                                   const stc_thermal_description **out) {
  *out = NULL;
  if (!d->heat.described) return STC_OK;
  int dim = d->used->dim;
  stc_thermal_description *made = STC_TAKE(arena, stc_thermal_description, 1);
  stc_conductor *conductor = STC_TAKE(arena, stc_conductor, d->conductors.count);
  stc_transfer *transfer = STC_TAKE(arena, stc_transfer, d->transfers.count);
  stc_junction *junction = STC_TAKE(arena, stc_junction, d->junctions.count);
  STC_TRY(stc_arena_check(arena));
  *made = d->heat.settings;
  made->initial = stc_scene_given_of(d->heat.initial, dim);
  for (int k = 0; k < d->conductors.count; k++) conductor[k] = d->conductor[k].conductor;
  for (int k = 0; k < d->transfers.count; k++) {
    transfer[k] = d->transfer[k].transfer;
    transfer[k].value = stc_scene_given_of(d->transfer[k].given, dim);
  }
  for (int k = 0; k < d->junctions.count; k++) {
    stc_scene_junction *j = &d->junction[k];
    junction[k] = (stc_junction){.pair = find_pair(d, j->pair),
                                 .heat = conductance_of(j->heat),
                                 .electric = conductance_of(j->electric),
                                 .share = j->share,
                                 .temperature = stc_scene_given_of(j->temperature, dim),
                                 .potential = stc_scene_given_of(j->potential, dim)};
  }
  made->conductors = d->conductors.count, made->conductor = conductor;
  made->transfers = d->transfers.count, made->transfer = transfer;
  made->junctions = d->junctions.count, made->junction = junction;
  *out = made;
  return STC_OK;
}

const stc_callback *stc_deform_heat_function(const stc_deform *d, int k) {
  if (k == 0) return d->heat.initial ? &d->heat.initial->function : &NO_FUNCTION;
  if (--k < d->transfers.count) return &d->transfer[k].given->function;
  k -= d->transfers.count;
  const stc_scene_junction *j = &d->junction[k / 4];
  const stc_callback *const all[] = {&j->heat->function, &j->electric->function,
                                     &j->temperature->function, &j->potential->function};
  return all[k % 4];
}

void stc_deform_open_heat(lua_State *L) {
  stc_sandbox_register(L, "thermal", describe_thermal, "conductor", describe_conductor,
                       "temperature", describe_temperature, "potential", describe_potential, "flux",
                       describe_flux, "current", describe_current, "convection",
                       describe_convection, "junction", describe_junction, NULL);
}
