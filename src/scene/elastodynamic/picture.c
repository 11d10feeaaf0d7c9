// picture { title, x_label, lines, curves, range, points, map, arrows }: what a scene asks to be
// drawn.
//   lines  = { { "t", "w", "label" }, ... }         columns of the table, one over the other
//   curves = { { function(u) return x, y end, "label" }, ... }   for u in the range
//   map    = "strip"                                its slip rates over place and time
//   arrows = "strip"                                its slip rates at the end, as vectors
#include "../fem/fem_scene.h"
#include "elastodynamic_scene.h"

#include <lauxlib.h>
#include <math.h>
#include <string.h>

static void add_note(lua_State *L, stc_wave *wave, const char *name, int count,
                     const double *numbers) {
  if (wave->notes == STC_WAVE_NOTES)
    luaL_error(L, "more than %d lines, curves and maps in all pictures", STC_WAVE_NOTES);
  if (!wave->note) wave->note = STC_TAKE(&stc_scene_of(L)->arena, stc_constant, STC_WAVE_NOTES);
  if (!wave->note) luaL_error(L, "out of memory");
  wave->note[wave->notes++] = (stc_constant){stc_scene_copy(L, name), count, numbers};
}

// A text of a picture; | stands between texts in the file.
static const char *check_text(lua_State *L, int index, const char *what) {
  if (lua_type(L, index) != LUA_TSTRING) luaL_error(L, "picture: %s must be a text", what);
  const char *text = lua_tostring(L, index);
  if (strchr(text, '|')) luaL_error(L, "picture: %s '%s' has a |", what, text);
  return text;
}

// The list at `name`, pushed; its length, 0 where there is none.
static int open_list(const stc_fields *f, const char *name) {
  int type = stc_field(f, name);
  if (type == LUA_TNIL) return 0;
  if (type != LUA_TTABLE) stc_refuse(f->L, -1, f->what, name, "a list of lists");
  return (int)fmin((double)lua_rawlen(f->L, -1), STC_WAVE_NOTES);
}

// Entry k of the list on top of the stack, and its own entries: `count` values above it.
static void open_entry(lua_State *L, const char *what, int k, int count) {
  if (lua_rawgeti(L, -1, k) != LUA_TTABLE) luaL_error(L, "picture: %s takes a list of lists", what);
  for (int i = 1; i <= count; i++) lua_rawgeti(L, -i, i);
}

static void take_lines(const stc_fields *f, stc_wave *wave) {
  lua_State *L = f->L;
  int count = open_list(f, "lines");
  for (int k = 1; k <= count; k++) {
    open_entry(L, "lines", k, 3);
    const char *x = check_text(L, -3, "the column of x"), *y = check_text(L, -2, "the column of y");
    const char *label = lua_isnil(L, -1) ? y : check_text(L, -1, "a label");
    add_note(L, wave, lua_pushfstring(L, "line|%s|%s|%s", label, x, y), 0, NULL);
    lua_pop(L, 5);
  }
  lua_pop(L, 1);
}

static void take_curves(const stc_fields *f, stc_wave *wave) {
  lua_State *L = f->L;
  double range[2] = {0, 1};
  int points = (int)stc_field_number_or(f, "points", 401, 2, 100000);
  if (stc_field(f, "range") != LUA_TNIL) stc_take_vector(L, -1, f->what, "range", range, 2);
  lua_pop(L, 1);
  int count = open_list(f, "curves");
  for (int k = 1; k <= count; k++) {
    open_entry(L, "curves", k, 2);
    if (!lua_isfunction(L, -2)) luaL_error(L, "picture: a curve is { function(u) ... end, label }");
    const char *label = check_text(L, -1, "a label");
    // x and y of the function below the label on top of the stack, for u in a range.
    double *numbers = stc_scene_numbers(L, 2 * (size_t)points);
    for (int i = 0; i < points; i++) {
      lua_pushvalue(L, -2);
      lua_pushnumber(L, range[0] + (range[1] - range[0]) * i / (points - 1));
      lua_call(L, 1, 2);
      numbers[i] = stc_take_number(L, -2, "picture", "x of a curve");
      numbers[points + i] = stc_take_number(L, -1, "picture", "y of a curve");
      lua_pop(L, 2);
    }
    add_note(L, wave, lua_pushfstring(L, "curve|%s", label), 2 * points, numbers);
    lua_pop(L, 4);
  }
  lua_pop(L, 1);
}

int stc_wave_picture(lua_State *L) {
  stc_wave *wave = stc_wave_of(L, "picture");
  stc_fields f = STC_FIELDS(L, 1, "picture", "title", "x_label", "lines", "curves", "points",
                            "range", "map", "arrows");
  stc_field(&f, "title");
  const char *title = check_text(L, -1, "title");
  int type = stc_field(&f, "x_label");
  const char *x_label = type == LUA_TNIL ? "t" : check_text(L, -1, "x_label");
  add_note(L, wave, lua_pushfstring(L, "picture|%s|%s", title, x_label), 0, NULL);
  take_curves(&f, wave);
  take_lines(&f, wave);
  if (stc_field(&f, "map") != LUA_TNIL)
    add_note(L, wave, lua_pushfstring(L, "map|%s", check_text(L, -1, "map")), 0, NULL);
  if (stc_field(&f, "arrows") != LUA_TNIL)
    add_note(L, wave, lua_pushfstring(L, "arrows|%s", check_text(L, -1, "arrows")), 0, NULL);
  return 0;
}
