// grid { }, graded { }, gmsh { }, mesh { }: meshes that a scene makes or reads. What it gets is a
// handle.
#include "fem_scene.h"

#include <lauxlib.h>
#include <math.h>
#include <string.h>

static const char TYPE_NAME[] = "mesh";

// Bytes of a scene's memory that one cell of a grid counts for: a scene with little memory gets
// small meshes.
enum { CELL_BYTES = 256 };
static const double MOST_CELLS = 2e7;
enum { MOST_PLACES = 100000 };                     // lines of a grid in one direction
static const double SLOWEST = 1e-3, FASTEST = 10;  // growth of cells, and the halvings that find it
enum { HALVINGS = 200 };

// --- Handles ---

// The number of the next mesh, with a handle on top of the stack; the mesh is put there later.
static int give(lua_State *L, stc_deform *d, const char *word) {
  *STC_LIST_ADD(L, word, &d->meshes, d->mesh) = NULL;
  int number = d->meshes.count - 1;
  stc_handle_give(L, TYPE_NAME, &number, sizeof number);
  return number;
}

// --- Grids ---

// A map of the scene while a grid is made: its errors wait until the library has cleaned up.
typedef struct map_call {
  lua_State *L;
  int function;  // index on the stack
  int dim;
  bool failed;  // with the message on top of the stack
} map_call;

static bool fail_map(map_call *c, const char *message) {
  if (message) lua_pushstring(c->L, message);
  c->failed = true;
  return false;
}

static bool map_point(void *user, const double *s, double *x) {
  map_call *c = user;
  lua_State *L = c->L;
  lua_pushvalue(L, c->function);
  for (int k = 0; k < c->dim; k++) lua_pushnumber(L, s[k]);
  if (lua_pcall(L, c->dim, c->dim, 0) != LUA_OK) return fail_map(c, NULL);
  for (int k = 0; k < c->dim; k++) {
    bool good = lua_type(L, k - c->dim) == LUA_TNUMBER;
    x[k] = good ? lua_tonumber(L, k - c->dim) : NAN;
    if (good && isfinite(x[k])) continue;
    return fail_map(c, c->dim == 2 ? "grid: map must return x, y, both finite"
                                   : "grid: map must return x, y, z, all finite");
  }
  lua_pop(L, c->dim);
  return true;
}

static stc_cell_type take_element(const stc_fields *f) {
  stc_cell_type types[STC_CELL_TYPES];
  const char *names[STC_CELL_TYPES + 1] = {NULL};
  for (stc_cell_type type = 0, count = 0; type < STC_CELL_TYPES; type++) {
    if (!stc_cell_in_grid(type)) continue;
    names[count] = stc_cell_name(type);
    types[count++] = type;
  }
  return types[stc_field_choice(f, "element", "element", names, -1)];
}

static void take_cells(const stc_fields *f, int dim, stc_grid *grid) {
  double cells[3];
  stc_field(f, "cells");
  if (lua_istable(f->L, -1) && lua_rawlen(f->L, -1) != (lua_Unsigned)dim)
    luaL_error(f->L, "grid: cells has %I entries; %s wants %d", (LUAI_UACINT)lua_rawlen(f->L, -1),
               stc_cell_name(grid->type), dim);
  stc_take_vector(f->L, -1, f->what, "cells", cells, dim);
  for (int k = 0; k < dim; k++) {
    if (cells[k] < 1 || cells[k] > MOST_CELLS || cells[k] != floor(cells[k]))
      luaL_error(f->L, "grid: cells[%d] = %f; give a whole number from 1 on", k + 1, cells[k]);
    grid->count[k] = (int)cells[k] + 1;
  }
  lua_pop(f->L, 1);
}

static void take_lists(const stc_fields *f, int dim, stc_grid *grid) {
  lua_State *L = f->L;
  if (stc_field(f, "lists") != LUA_TTABLE || lua_rawlen(L, -1) != (lua_Unsigned)dim)
    luaL_error(L, "grid: lists must hold %d lists for %s", dim, stc_cell_name(grid->type));
  for (int k = 0; k < dim; k++) {
    if (lua_rawgeti(L, -1, k + 1) != LUA_TTABLE || lua_rawlen(L, -1) < 2 ||
        (double)lua_rawlen(L, -1) > MOST_CELLS)
      luaL_error(L, "grid: lists[%d] must be a list of at least two numbers from 0 to 1", k + 1);
    grid->count[k] = (int)lua_rawlen(L, -1);
    double *numbers = stc_scene_numbers(L, (size_t)grid->count[k]);
    stc_take_vector(L, -1, f->what, "a list", numbers, grid->count[k]);
    grid->list[k] = numbers;
    lua_pop(L, 1);
  }
  lua_pop(L, 1);
}

void stc_deform_charge_nodes(lua_State *L, const char *what, double nodes) {
  double most = fmin((double)stc_sandbox_room(L) / CELL_BYTES, MOST_CELLS);
  if (nodes > most)
    luaL_error(L, "%s: it has more than the %I nodes that this scene has memory for", what,
               (LUAI_UACINT)most);
  stc_sandbox_account(L, (size_t)nodes * CELL_BYTES);
}

static void check_size(lua_State *L, const stc_grid *grid, int dim) {
  double nodes = 1;
  for (int k = 0; k < dim; k++) nodes *= grid->count[k];
  stc_deform_charge_nodes(L, "grid", nodes);
}

static int make_grid(lua_State *L) {
  stc_deform *d = stc_deform_meshes(L, "grid");
  stc_fields f = STC_FIELDS(L, 1, "grid", "element", "cells", "lists", "body", "map");
  stc_grid grid = {.type = take_element(&f), .body = stc_deform_text(&f, "body")};
  int dim = stc_cell_dim(grid.type);
  if (stc_field_is_there(&f, "lists") == stc_field_is_there(&f, "cells"))
    luaL_error(L, "grid needs an entry 'cells' or 'lists', not both");
  if (stc_field_is_there(&f, "lists"))
    take_lists(&f, dim, &grid);
  else
    take_cells(&f, dim, &grid);
  check_size(L, &grid, dim);
  int number = give(L, d, "grid");
  map_call call = {.L = L, .dim = dim};
  int type = stc_field(&f, "map");
  if (type != LUA_TNIL && type != LUA_TFUNCTION)
    stc_refuse(L, -1, f.what, "map", "a function of s and t");
  call.function = lua_gettop(L);
  grid.map = type == LUA_TFUNCTION ? map_point : NULL;
  grid.user = &call;
  stc_mesh *made = NULL;
  stc_error error = stc_mesh_grid(&grid, &made);
  d->mesh[number] = made;
  if (call.failed) return lua_error(L);
  if (error) return luaL_error(L, "%s", stc_error_detail());
  lua_pop(L, 1);
  return 1;
}

// --- Places of the lines of a grid ---

// The factor q with first (q + q^2 + ... + q^cells) = length.
static double growth(double first, int cells, double length) {
  double low = SLOWEST, high = FASTEST;
  for (int step = 0; step < HALVINGS; step++) {
    double q = (low + high) / 2, sum = 0;
    for (int k = 1; k <= cells; k++) sum += first * pow(q, k);
    *(sum > length ? &high : &low) = q;
  }
  return low;
}

// `fine` cells of equal length over the zone, then `coarse` ones in a geometric progression up to
// length: places from 0 to 1.
static int grade(lua_State *L) {
  stc_deform_meshes(L, "graded");
  stc_fields f = STC_FIELDS(L, 1, "graded", "zone", "fine", "coarse", "length");
  double length = stc_field_number(&f, "length", 1e-300, 1e300);
  double zone = stc_field_number(&f, "zone", 0, length);
  int fine = (int)stc_field_number(&f, "fine", 1, MOST_PLACES);
  int coarse = (int)stc_field_number(&f, "coarse", 1, MOST_PLACES);
  if (!(zone > 0 && zone < length)) luaL_error(L, "graded: zone lies between 0 and length");
  stc_sandbox_charge(L, (double)HALVINGS * coarse + fine);
  double h = zone / fine, q = growth(h, coarse, length - zone), x = 0;
  lua_createtable(L, fine + coarse + 1, 0);
  for (int k = 0; k < fine + coarse; k++) {
    lua_pushnumber(L, x / length);
    lua_rawseti(L, -2, k + 1);
    x += k < fine ? h : h * pow(q, k + 1 - fine);
  }
  lua_pushnumber(L, 1);
  lua_rawseti(L, -2, fine + coarse + 1);
  return 1;
}

// The places of a list seen from the other end.
static int mirror(lua_State *L) {
  stc_deform_meshes(L, "mirrored");
  if (!lua_istable(L, 1)) luaL_error(L, "mirrored needs a list of places from 0 to 1");
  lua_Unsigned count = lua_rawlen(L, 1);
  if (count > MOST_PLACES) luaL_error(L, "mirrored: a list of %d places at most", MOST_PLACES);
  lua_createtable(L, (int)count, 0);
  for (int k = 1; k <= (int)count; k++) {
    lua_rawgeti(L, 1, k);
    double x = stc_take_number(L, -1, "mirrored", "a place");
    lua_pop(L, 1);
    lua_pushnumber(L, 1 - x);
    lua_rawseti(L, -2, (int)count + 1 - k);
  }
  return 1;
}

// --- Files ---

static int read_gmsh(lua_State *L) {
  static const char *const names[] = {"file", NULL}, *const endings[] = {".msh", NULL};
  size_t length = 0;
  stc_deform *d = stc_deform_meshes(L, "gmsh");
  stc_fields f = stc_fields_open(L, 1, "gmsh", names);
  const char *file = stc_deform_text(&f, "file");
  int number = give(L, d, "gmsh");
  char *bytes = stc_sandbox_load(L, "gmsh", file, endings, &length);
  stc_error error = stc_mesh_read_bytes(lua_tostring(L, -1), bytes, length, &d->mesh[number]);
  stc_release(&bytes);
  if (error) return luaL_error(L, "%s", stc_error_detail());
  lua_pop(L, 1);
  return 1;
}

// --- The mesh that counts ---

const stc_mesh *stc_deform_take_mesh(lua_State *L, int index) {
  const stc_deform *d = stc_scene_of(L)->deform;
  const int *handle = luaL_testudata(L, index, TYPE_NAME);
  return handle && d ? d->mesh[*handle] : NULL;
}

static int choose_mesh(lua_State *L) {
  stc_deform *d = stc_deform_of(L, "mesh");
  stc_say_once(L, &(bool){d->used}, "mesh");
  if (!lua_istable(L, 1)) luaL_error(L, "mesh needs a list: mesh { lower, upper }");
  lua_Unsigned count = lua_rawlen(L, 1);
  if (count < 1 || count > STC_DEFORM_ENTRIES)
    luaL_error(L, "mesh needs a list of what grid { } or gmsh { } returned");
  const stc_mesh **parts = STC_TAKE(&stc_scene_of(L)->arena, const stc_mesh *, count);
  if (!parts) luaL_error(L, "out of memory");
  for (int k = 0; k < (int)count; k++) {
    lua_rawgeti(L, 1, k + 1);
    parts[k] = stc_deform_take_mesh(L, -1);
    if (!parts[k]) stc_refuse(L, (-1), "mesh", "an entry", "what grid { } or gmsh { } returned");
    lua_pop(L, 1);
  }
  if (count == 1)
    d->used = parts[0];
  else if (stc_mesh_join((int)count, parts, &d->joined) != STC_OK)
    luaL_error(L, "mesh: %s", stc_error_detail());
  else
    d->used = d->joined;
  return 0;
}

void stc_deform_open_meshes(lua_State *L) {
  stc_handle_open(L, TYPE_NAME);
  stc_sandbox_register(L, "grid", make_grid, "graded", grade, "mirrored", mirror, "gmsh", read_gmsh,
                       "mesh", choose_mesh, NULL);
}
