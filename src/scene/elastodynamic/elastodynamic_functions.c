// column { }, reflections { }, bar { }, elastodynamic { }, curve { }: what a scene says about
// elastodynamic friction, checked as it is said.
#include "../fem/fem_scene.h"
#include "../keys.h"
#include "../view.h"
#include "elastodynamic_scene.h"

#include <lauxlib.h>
#include <math.h>
#include <string.h>

static const double HUGE_NUMBER = 1e300;
static const double HUGE_TIME = 1e12;
static const double TINY = 1e-300;
static const double STEP_SLACK = 1e-6;  // of dt: t_end / dt need not be whole in binary

stc_wave *stc_wave_of(lua_State *L, const char *word) {
  stc_scene *scene = stc_scene_of(L);
  stc_kind_choose(L, &stc_kind_elastodynamic, word);
  if (scene->wave) return scene->wave;
  scene->wave = STC_TAKE(&scene->arena, stc_wave, 1);
  if (!scene->wave) luaL_error(L, "out of memory");
  scene->wave->line = stc_scene_line(L);
  return scene->wave;
}

long stc_wave_steps_to(const stc_wave *wave, double t) {
  double steps = ceil(t / wave->dt - STEP_SLACK);
  return steps > 0 ? (long)fmin(steps, STC_WAVE_STEPS) : 0;
}

long stc_wave_last_step(const stc_scene *scene, const stc_run_settings *settings) {
  double end = settings->until_given ? fmax(settings->until, scene->t_end) : scene->t_end;
  return stc_wave_steps_to(scene->wave, end);
}

// --- Members ---

static stc_wave_member *add_member(lua_State *L, stc_wave *wave) {
  stc_arena *arena = &stc_scene_of(L)->arena;
  if (wave->members == STC_WAVE_MEMBERS)
    luaL_error(L, "more than %d columns, bars and strips", STC_WAVE_MEMBERS);
  if (!wave->member) wave->member = STC_TAKE(arena, stc_wave_member *, STC_WAVE_MEMBERS);
  stc_wave_member *m = STC_TAKE(arena, stc_wave_member, 1);
  if (!wave->member || !m) luaL_error(L, "out of memory");
  wave->member[wave->members++] = m;
  return m;
}

static const char *take_name(const stc_fields *f, const stc_wave *wave, const char *word) {
  lua_State *L = f->L;
  const char *name = stc_field_text(f, "name");
  if (!name) name = word;
  if (strlen(name) >= STC_COLUMN_NAME / 2 || !stc_name_is_plain(name))
    luaL_error(L, "%s: '%s' is no name; use at most %d letters, digits and _", word, name,
               STC_COLUMN_NAME / 2 - 1);
  for (int k = 0; k < wave->members; k++)
    if (!strcmp(wave->member[k]->name, name))
      luaL_error(L, "there are two members '%s'; give each a name", name);
  return stc_scene_copy(L, name);
}

stc_wave_member *stc_wave_open_member(lua_State *L, const stc_wave_ops *ops,
                                      const char *const *names, stc_fields *f) {
  stc_wave *wave = stc_wave_of(L, ops->word);
  *f = stc_fields_open(L, 1, ops->word, names);
  const char *name = take_name(f, wave, ops->word);
  stc_wave_member *m = add_member(L, wave);
  *m = (stc_wave_member){.scene = stc_scene_of(L),
                         .ops = ops,
                         .name = name,
                         .line = stc_scene_line(L),
                         .tau = {{.function = {LUA_NOREF, 0}}, {.function = {LUA_NOREF, 0}}},
                         .rule = stc_root_rule_name(STC_ROOT_DELAY)};
  f->what = stc_scene_copy(L, lua_pushfstring(L, "%s '%s'", ops->word, name));
  return m;
}

stc_rate_law stc_wave_take_law(const stc_fields *f) {
  stc_rate_law law = {.mu_s = stc_field_number(f, "mu_s", 0, 1e12),
                      .mu_d = stc_field_number(f, "mu_d", 0, 1e12),
                      .v_c = stc_field_number(f, "v_c", TINY, HUGE_NUMBER)};
  if (law.mu_d > law.mu_s)
    luaL_error(f->L, "%s: mu_d = %f is above mu_s = %f; the coefficient falls with the slip rate",
               f->what, law.mu_d, law.mu_s);
  return law;
}

stc_root_rule stc_wave_take_rule(const stc_fields *f, stc_wave_member *m) {
  const char *names[STC_ROOT_MAX + 2] = {NULL};
  for (int k = 0; k <= STC_ROOT_MAX; k++) names[k] = stc_root_rule_name((stc_root_rule)k);
  int k = stc_field_choice(f, "rule", "rule", names, STC_ROOT_DELAY);
  m->rule = names[k];
  return (stc_root_rule)k;
}

void stc_wave_take_tau(const stc_fields *f, stc_wave_member *m, int most) {
  lua_State *L = f->L;
  int type = stc_field(f, "tau");
  if (type == LUA_TNIL) luaL_error(L, "%s needs an entry 'tau', the speed of the support", f->what);
  if (type != LUA_TTABLE) {
    m->tau[0] = stc_scene_given_take(f, "tau", "a function of t");
    return;
  }
  if (lua_rawlen(L, -1) > (lua_Unsigned)most)
    luaL_error(L, "%s: tau has more entries than the support has directions, %d", f->what, most);
  for (int k = 0; k < most; k++) {
    if (lua_rawgeti(L, -1, k + 1) == LUA_TNIL)
      lua_pop(L, 1);
    else
      m->tau[k] = stc_scene_given_take(f, "tau", "a function of t");
  }
  lua_pop(L, 1);
}

// --- column { }, reflections { }, bar { } ---

static stc_curve take_curve(const stc_fields *f) {
  return (stc_curve){.impedance = stc_field_number_or(f, "impedance", 1, TINY, HUGE_NUMBER),
                     .load = stc_field_number_or(f, "load", 1, 0, HUGE_NUMBER),
                     .law = stc_wave_take_law(f)};
}

static int describe_column(lua_State *L) {
  static const char *const names[] = {"name",  "impedance", "load",   "mu_s",      "mu_d", "v_c",
                                      "layer", "rate",      "t_turn", "threshold", NULL};
  stc_fields f;
  stc_wave_member *m = stc_wave_open_member(L, &stc_wave_column, names, &f);
  m->column.curve = take_curve(&f);
  m->column.layer = stc_field_number_or(&f, "layer", 0, 0, HUGE_NUMBER);
  m->column.ramp.rate = stc_field_number(&f, "rate", -HUGE_NUMBER, HUGE_NUMBER);
  m->column.ramp.t_turn = stc_field_number_or(&f, "t_turn", 0, 0, HUGE_TIME);
  m->threshold = stc_field_number_or(&f, "threshold", 0, 0, HUGE_NUMBER);
  if (m->column.layer > 0 && m->threshold == 0)
    luaL_error(L, "%s: with a layer slip begins slowly; give threshold, the slip rate that counts",
               f.what);
  return 0;
}

static int describe_reflections(lua_State *L) {
  static const char *const names[] = {"name", "impedance", "load",  "mu_s", "mu_d",
                                      "v_c",  "depth",     "speed", "V",    NULL};
  stc_fields f;
  stc_wave_member *m = stc_wave_open_member(L, &stc_wave_reflections, names, &f);
  m->curve = take_curve(&f);
  m->tau[0].value = stc_field_number(&f, "V", -HUGE_NUMBER, HUGE_NUMBER);
  m->window = 2 * stc_field_number(&f, "depth", TINY, HUGE_NUMBER) /
              stc_field_number_or(&f, "speed", 1, TINY, HUGE_NUMBER);
  return 0;
}

static int describe_bar(lua_State *L) {
  static const char *const names[] = {"name", "density", "speed", "load",      "mu_s",
                                      "mu_d", "v_c",     "depth", "elements",  "layer",
                                      "rule", "clamped", "tau",   "threshold", NULL};
  stc_fields f;
  stc_wave_member *m = stc_wave_open_member(L, &stc_wave_bar, names, &f);
  m->bar = (stc_bar_settings){
      .law = stc_wave_take_law(&f),
      .density = stc_field_number_or(&f, "density", 1, TINY, HUGE_NUMBER),
      .speed = stc_field_number_or(&f, "speed", 1, TINY, HUGE_NUMBER),
      .load = stc_field_number_or(&f, "load", 1, 0, HUGE_NUMBER),
      .depth = stc_field_number(&f, "depth", TINY, HUGE_NUMBER),
      .layer = stc_field_number_or(&f, "layer", 0, 0, HUGE_NUMBER),
      .elements = (int)stc_field_number(&f, "elements", 2, 1e8),
      .clamped = stc_field_flag(&f, "clamped"),
      .rule = stc_wave_take_rule(&f, m),
  };
  m->threshold = stc_field_number_or(&f, "threshold", 0, 0, HUGE_NUMBER);
  stc_wave_take_tau(&f, m, 1);
  return 0;
}

// --- curve { mu_s, mu_d, v_c, impedance, load } ---

// The curve lies in a block of memory that the functions of the table share.
static const stc_curve *curve_of(lua_State *L) { return lua_touserdata(L, lua_upvalueindex(1)); }

static int roots_of(lua_State *L) {
  double w[STC_CURVE_ROOTS];
  int count = stc_curve_roots(curve_of(L), luaL_checknumber(L, 1), w);
  lua_createtable(L, count, 0);
  stc_give_vector(L, -1, w, count);
  return 1;
}

// h(w); at w = 0 its upper end.
static int height_of(lua_State *L) {
  const stc_curve *curve = curve_of(L);
  double w = luaL_checknumber(L, 1);
  lua_pushnumber(L, curve->impedance * w + copysign(curve->load * stc_rate_mu(&curve->law, w), w));
  return 1;
}

static void set_function(lua_State *L, const char *name, lua_CFunction function) {
  lua_pushvalue(L, -1);
  lua_pushcclosure(L, function, 1);
  lua_setfield(L, -3, name);
}

static int describe_curve(lua_State *L) {
  stc_fields f = STC_FIELDS(L, 1, "curve", "impedance", "load", "mu_s", "mu_d", "v_c");
  stc_curve curve = take_curve(&f);
  double w_fold, q_fold;
  stc_curve_fold(&curve, &w_fold, &q_fold);
  lua_newtable(L);
  stc_view_set_number(L, "w_fold", w_fold);
  stc_view_set_number(L, "q_fold", q_fold);
  stc_view_set_number(L, "stick_limit", stc_curve_stick_limit(&curve));
  stc_view_set_number(L, "steepness", curve.load * stc_rate_steepest(&curve.law) / curve.impedance);
  *(stc_curve *)lua_newuserdatauv(L, sizeof curve, 0) = curve;
  set_function(L, "roots", roots_of);
  set_function(L, "h", height_of);
  lua_pop(L, 1);
  return 1;
}

// --- elastodynamic { } ---

static int describe_elastodynamic(lua_State *L) {
  stc_scene *scene = stc_scene_of(L);
  stc_wave *wave = stc_wave_of(L, "elastodynamic");
  stc_say_once(L, &wave->has_run, "elastodynamic");
  stc_fields f = STC_FIELDS(L, 1, "elastodynamic", "dt", "t_end", "store_every");
  wave->dt = stc_field_number(&f, "dt", 1e-12, HUGE_TIME);
  scene->t_end = stc_field_number(&f, "t_end", 0, HUGE_TIME);
  scene->store_every = (int)stc_field_number_or(&f, "store_every", 1, 1, 1e9);
  if (scene->t_end / wave->dt > STC_WAVE_STEPS)
    luaL_error(L, "elastodynamic: more than %d steps; give a longer dt", STC_WAVE_STEPS);
  return 0;
}

stc_error stc_wave_check(stc_scene *scene) {
  stc_wave *wave = scene->wave;
  if (!wave || wave->members == 0)
    return stc_fail(STC_ERR_FORMAT, "%s:1: the scene has a run, but no column, bar or strip",
                    scene->path);
  scene->line = wave->line;
  scene->dim = 2;
  scene->dofs = wave->members;
  if (wave->has_run) return STC_OK;
  return stc_fail(STC_ERR_FORMAT, "%s:%d: the scene needs elastodynamic { dt = ..., t_end = ... }",
                  scene->path, wave->line);
}

void stc_wave_open_functions(lua_State *L) {
  stc_sandbox_register(L, "column", describe_column, "reflections", describe_reflections, "bar",
                       describe_bar, "strip", stc_wave_describe_strip, "elastodynamic",
                       describe_elastodynamic, "curve", describe_curve, "picture", stc_wave_picture,
                       NULL);
}
