// contact { } and the obstacles it may name: plane { }, sphere { }, cylinder { }, obstacle { }.
#include "../keys.h"
#include "fem_scene.h"

#include <lauxlib.h>
#include <math.h>
#include <string.h>

static const char TYPE_NAME[] = "obstacle";
static const double HUGE_NUMBER = 1e300;

// --- Obstacles ---

static stc_scene_obstacle blank(lua_State *L, stc_obstacle_shape shape) {
  return (stc_scene_obstacle){.scene = stc_scene_of(L),
                              .shape = shape,
                              .distance = {LUA_NOREF, 0},
                              .motion = {LUA_NOREF, 0}};
}

// A vector of 2 or 3 numbers; the first one sets how many the others have.
static void take_place(const stc_fields *f, const char *name, int *dim, double *x) {
  lua_State *L = f->L;
  if (stc_field(f, name) != LUA_TTABLE) stc_refuse(L, -1, f->what, name, "2 or 3 numbers");
  lua_Unsigned length = lua_rawlen(L, -1);
  if ((length != 2 && length != 3) || (*dim && length != (lua_Unsigned)*dim))
    luaL_error(L, "%s: %s has %I numbers; give %s", f->what, name, (LUAI_UACINT)length,
               *dim == 2   ? "2"
               : *dim == 3 ? "3"
                           : "2 in the plane, 3 in space");
  *dim = (int)length;
  stc_take_vector(L, -1, f->what, name, x, *dim);
  lua_pop(L, 1);
}

static void take_direction(const stc_fields *f, const char *name, int *dim, double *x) {
  take_place(f, name, dim, x);
  double length = hypot(hypot(x[0], x[1]), x[2]);
  if (length == 0) luaL_error(f->L, "%s: %s is zero; give a direction", f->what, name);
  for (int k = 0; k < 3; k++) x[k] /= length;
}

static int make_plane(lua_State *L) {
  stc_deform_of(L, "plane");
  stc_fields f = STC_FIELDS(L, 1, "plane", "point", "normal", "motion");
  stc_scene_obstacle o = blank(L, STC_OBSTACLE_PLANE);
  take_place(&f, "point", &o.dim, o.centre);
  take_direction(&f, "normal", &o.dim, o.axis);
  o.motion = stc_field_function(&f, "motion");
  return stc_handle_give(L, TYPE_NAME, &o, sizeof o);
}

// What spheres and cylinders have besides their place.
static int give_round(const stc_fields *f, stc_scene_obstacle *o) {
  o->radius = stc_field_number(f, "radius", 1e-300, HUGE_NUMBER);
  o->hollow = stc_field_flag(f, "hollow");
  o->motion = stc_field_function(f, "motion");
  return stc_handle_give(f->L, TYPE_NAME, o, sizeof *o);
}

static int make_sphere(lua_State *L) {
  stc_deform_of(L, "sphere");
  stc_fields f = STC_FIELDS(L, 1, "sphere", "center", "radius", "hollow", "motion");
  stc_scene_obstacle o = blank(L, STC_OBSTACLE_BALL);
  take_place(&f, "center", &o.dim, o.centre);
  return give_round(&f, &o);
}

static int make_cylinder(lua_State *L) {
  stc_deform_of(L, "cylinder");
  stc_fields f = STC_FIELDS(L, 1, "cylinder", "point", "axis", "radius", "hollow", "motion");
  stc_scene_obstacle o = blank(L, STC_OBSTACLE_ROD);
  take_place(&f, "point", &o.dim, o.centre);
  if (o.dim == 3) {
    take_direction(&f, "axis", &o.dim, o.axis);
  } else {  // seen along its axis it is a circle
    if (stc_field_is_there(&f, "axis")) luaL_error(L, "cylinder: in the plane it has no axis");
    o.shape = STC_OBSTACLE_BALL;
  }
  return give_round(&f, &o);
}

static int make_obstacle(lua_State *L) {
  stc_deform_of(L, "obstacle");
  stc_fields f = STC_FIELDS(L, 1, "obstacle", "distance", "motion");
  stc_scene_obstacle o = blank(L, STC_OBSTACLE_FUNCTION);
  o.distance = stc_field_function(&f, "distance");
  if (!stc_callback_is_there(&o.distance))
    luaL_error(L, "obstacle needs an entry 'distance', a function of t and x that returns the "
                  "distance and the normal");
  o.motion = stc_field_function(&f, "motion");
  return stc_handle_give(L, TYPE_NAME, &o, sizeof o);
}

// What stands in the entry `obstacle`: one of the above, or a function.
static stc_scene_obstacle *take_obstacle(const stc_fields *f) {
  lua_State *L = f->L;
  stc_scene_obstacle *kept = STC_TAKE(&stc_scene_of(L)->arena, stc_scene_obstacle, 1);
  if (!kept) luaL_error(L, "out of memory");
  if (stc_field(f, "obstacle") == LUA_TFUNCTION) {
    *kept = blank(L, STC_OBSTACLE_FUNCTION);
    kept->distance = stc_callback_take(L);
    return kept;
  }
  const stc_scene_obstacle *given = luaL_testudata(L, -1, TYPE_NAME);
  if (!given)
    stc_refuse(L, -1, f->what, "obstacle",
               "plane { }, sphere { }, cylinder { }, obstacle { } or a function");
  else
    *kept = *given;
  lua_pop(L, 1);
  return kept;
}

// --- Pairs ---

static const char *pair_name(const stc_fields *f, const stc_deform *d) {
  lua_State *L = f->L;
  const char *name = stc_field_text(f, "name");
  if (!name)
    name = d->pairs.count ? lua_pushfstring(L, "contact%d", d->pairs.count + 1) : "contact";
  if (strlen(name) >= STC_SCENE_NAME || !stc_name_is_plain(name))
    luaL_error(L, "contact: '%s' is no name; use letters, digits and _", name);
  for (int k = 0; k < d->pairs.count; k++)
    if (!strcmp(d->pair[k].pair.name, name))
      luaL_error(L, "there are two contacts '%s'; give them names", name);
  return stc_scene_copy(L, name);
}

// { law = "power", pressure, length, exponent } or { law = "exponential", pressure, length, reach }
static void take_layer(const stc_fields *outer, stc_layer *layer) {
  static const char *const laws[] = {"power", "exponential", NULL};
  lua_State *L = outer->L;
  const char *what = stc_scene_copy(L, lua_pushfstring(L, "%s: layer", outer->what));
  lua_pop(L, 1);
  int type = stc_field(outer, "layer");
  if (type != LUA_TTABLE)
    stc_refuse(L, -1, outer->what, "layer", "{ law, pressure, length, exponent or reach }");
  stc_fields f =
      STC_FIELDS(L, lua_gettop(L), what, "law", "pressure", "length", "exponent", "reach");
  bool power = stc_field_choice(&f, "law", "law of a layer", laws, -1) == 0;
  layer->law = power ? STC_LAYER_POWER : STC_LAYER_EXPONENTIAL;
  layer->pressure = stc_field_number(&f, "pressure", 1e-300, HUGE_NUMBER);
  layer->length = stc_field_number(&f, "length", 1e-300, HUGE_NUMBER);
  if (stc_field_is_there(&f, power ? "reach" : "exponent"))
    luaL_error(L, "%s: a layer with this law has no %s", what, power ? "reach" : "exponent");
  if (power)
    layer->exponent = stc_field_number(&f, "exponent", 1, 100);
  else
    layer->reach = stc_field_number_or(&f, "reach", 0, 0, 600 * layer->length);
  lua_pop(L, 1);
}

// mu: a number, a coefficient or a function. Other laws than Coulomb's have no method here.
static void take_mu(const stc_fields *f, stc_scene_pair_data *pair) {
  lua_State *L = f->L;
  int type = stc_field(f, "mu");
  pair->friction.function = (stc_callback){LUA_NOREF, 0};
  if (type != LUA_TNIL && type != LUA_TNUMBER) {
    pair->friction = stc_friction_take(L, -1, f->what);
    if (pair->friction.law.kind != STC_LAW_COULOMB)
      luaL_error(L,
                 "%s: mu is the law %s; contacts of deformable bodies obey Coulomb's: give a "
                 "number, a coefficient or a function",
                 f->what, stc_law_name((int)pair->friction.law.kind));
    pair->pair.mu = pair->friction.varies ? 0 : pair->friction.law.mu[0];
  }
  lua_pop(L, 1);
  if (type == LUA_TNUMBER) pair->pair.mu = stc_field_number(f, "mu", 0, 1e12);
}

static void fill_pair(const stc_fields *f, stc_scene_pair_data *pair) {
  lua_State *L = f->L;
  stc_pair *p = &pair->pair;
  p->slave = stc_deform_text(f, "slave");
  if (stc_field_is_there(f, "master") == stc_field_is_there(f, "obstacle"))
    luaL_error(L, "%s needs an entry 'master', a surface, or 'obstacle', not both", f->what);
  if (stc_field_is_there(f, "master"))
    p->master = stc_deform_text(f, "master");
  else
    pair->obstacle = take_obstacle(f);
  take_mu(f, pair);
  p->finite_sliding =
      stc_field_choice(f, "sliding", "sliding", (const char *const[]){"small", "finite", NULL}, 0);
  int dim = 0;
  if (stc_field_is_there(f, "normal")) take_direction(f, "normal", &dim, p->normal);
  if (stc_field_is_there(f, "layer")) take_layer(f, &p->layer);
}

int stc_deform_contact(lua_State *L) {
  stc_deform *d = stc_deform_of(L, "contact");
  stc_fields f = STC_FIELDS(L, 1, "contact", "name", "slave", "master", "obstacle", "mu", "sliding",
                            "normal", "layer");
  stc_scene_pair_data pair = {.scene = stc_scene_of(L), .line = stc_scene_line(L)};
  pair.pair.name = pair_name(&f, d);
  f.what = stc_scene_copy(L, lua_pushfstring(L, "contact '%s'", pair.pair.name));
  pair.what = f.what;
  fill_pair(&f, &pair);
  *STC_LIST_ADD(L, "contact", &d->pairs, d->pair) = pair;
  return 0;
}

// --- Plots ---

const char *const stc_quantity_names[] = {"pressure", "shear", "gap", "slip", NULL};

static void take_curves(const stc_fields *f, stc_scene_plot *plot) {
  lua_State *L = f->L;
  int type = stc_field(f, "curves");
  if (type == LUA_TNIL) return;
  if (type != LUA_TTABLE) stc_refuse(L, -1, f->what, "curves", "named functions of s and x");
  lua_replace(L, 1);  // where names are taken from
  const char **names = stc_names_take(L, "curves", &plot->curves);
  if (plot->curves > STC_DEFORM_CURVES)
    luaL_error(L, "%s has more than %d curves", f->what, STC_DEFORM_CURVES);
  plot->curve = STC_TAKE(&stc_scene_of(L)->arena, stc_answer, plot->curves + 1);
  if (!plot->curve) luaL_error(L, "out of memory");
  for (int k = 0; k < plot->curves; k++) {
    lua_pushstring(L, names[k]);
    if (lua_rawget(L, 1) != LUA_TFUNCTION)
      stc_refuse(L, -1, f->what, names[k], "a function of s and x");
    plot->curve[k] = (stc_answer){names[k], stc_callback_take(L)};
  }
}

int stc_deform_plot(lua_State *L) {
  static const char *const axes[] = {"x", "y", "z", NULL};
  double range[2] = {0, 0};
  stc_deform *d = stc_deform_of(L, "plot");
  stc_fields f =
      STC_FIELDS(L, 1, "plot", "name", "contact", "along", "quantity", "range", "points", "curves");
  stc_scene_plot plot = {.line = stc_scene_line(L), .name = stc_deform_text(&f, "name")};
  if (!stc_name_is_plain(plot.name) || strlen(plot.name) >= STC_SCENE_NAME)
    luaL_error(L, "plot: '%s' is no name; use letters, digits and _", plot.name);
  plot.pair = stc_deform_text(&f, "contact");
  plot.along = axes[stc_field_choice(&f, "along", "along", axes, 0)];
  plot.quantity =
      stc_quantity_names[stc_field_choice(&f, "quantity", "quantity", stc_quantity_names, 0)];
  plot.points = (int)stc_field_number_or(&f, "points", 201, 2, 100000);
  stc_field(&f, "range");
  stc_take_vector(L, -1, f.what, "range", range, 2);
  lua_pop(L, 1);
  if (range[0] >= range[1]) luaL_error(L, "plot: range must rise: { low, high }");
  plot.low = range[0];
  plot.high = range[1];
  take_curves(&f, &plot);
  *STC_LIST_ADD(L, "plot", &d->plots, d->plot) = plot;
  return 0;
}

void stc_deform_open_contacts(lua_State *L) {
  stc_handle_open(L, TYPE_NAME);
  stc_sandbox_register(L, "plane", make_plane, "sphere", make_sphere, "cylinder", make_cylinder,
                       "obstacle", make_obstacle, NULL);
}
