// box, sphere, capsule, cylinder, hull, plane, terrain: the shapes of a scene. Hulls and terrains
// come from lists or from STL and OBJ files next to the scene; they belong to the scene.
#include "context.h"

#include "../../dynamics/bodies/algebra.h"

#include <lauxlib.h>
#include <stdint.h>

static const double HUGE_SIZE = 1e12, TINY = 1e-12;  // m
enum { POINT_BYTES = 256 };                          // that a point of a hull or terrain takes
enum { MOST_POINTS = 10000000, MOST_HULL_POINTS = 100000 };  // in a list

const char *const stc_site_shapes[] = {"box",  "sphere", "capsule", "cylinder",
                                       "hull", "plane",  "terrain", NULL};

// --- Simple shapes ---

static void check_shape(const stc_fields *f, const stc_shape *shape) {
  if (stc_shape_check(shape) != STC_OK) luaL_error(f->L, "%s: %s", f->what, stc_error_detail());
}

// { lx, ly, lz }, the whole lengths; in the plane { lx, ly }, as deep as the world says.
static void take_box(const stc_fields *f, const stc_site *site, stc_part *part) {
  double size[3];
  stc_field(f, "box");
  bool flat = lua_istable(f->L, -1) && lua_rawlen(f->L, -1) == 2 && site->settings.plane;
  stc_site_take_vector(f->L, -1, site, f->what, "box", size);
  lua_pop(f->L, 1);
  if (flat) size[2] = site->settings.depth;
  part->shape.kind = STC_SHAPE_BOX;
  for (int k = 0; k < 3; k++) part->shape.half[k] = size[k] / 2;
}

static void take_sphere(const stc_fields *f, stc_part *part) {
  part->shape.kind = STC_SHAPE_SPHERE;
  part->shape.radius = stc_field_number(f, "sphere", TINY, HUGE_SIZE);
}

// { radius =, length =, axis = }: the length is that of the axis, along z unless it is given.
static void take_round(const stc_fields *f, const stc_site *site, const char *word,
                       stc_shape_kind kind, stc_part *part) {
  static const char *const names[] = {"radius", "length", "axis", NULL};
  lua_State *L = f->L;
  double axis[3] = {0, 0, 1};
  stc_field(f, word);
  const char *what = lua_pushfstring(L, "%s: %s", f->what, word);
  stc_fields own = stc_fields_open(L, -2, what, names);
  part->shape.kind = kind;
  part->shape.radius = stc_field_number(&own, "radius", TINY, HUGE_SIZE);
  part->shape.half[2] = stc_field_number(&own, "length", TINY, HUGE_SIZE) / 2;
  stc_site_vector(&own, site, "axis", axis);
  if (stc_norm3(axis) == 0) luaL_error(L, "%s: axis has no length", what);
  stc_site_turn_to(axis, part->pose.turn);
  lua_pop(L, 2);
}

// true: up; or the normal, out of what is filled.
static void take_plane(const stc_fields *f, const stc_site *site, stc_part *part) {
  lua_State *L = f->L;
  double normal[3] = {0, site->settings.plane, !site->settings.plane};
  int type = stc_field(f, "plane");
  if (type == LUA_TTABLE)
    stc_site_take_vector(L, -1, site, f->what, "plane", normal);
  else if (type != LUA_TBOOLEAN || !lua_toboolean(L, -1))
    stc_refuse(L, -1, f->what, "plane", "true, or the normal out of it");
  lua_pop(L, 1);
  if (stc_norm3(normal) == 0) luaL_error(L, "%s: plane has a normal without length", f->what);
  part->shape.kind = STC_SHAPE_PLANE;
  stc_site_turn_to(normal, part->pose.turn);
}

// --- Points and files ---

// A failure leaves nothing but its sentence.
static void read_soup(const stc_fields *f, const char *file, stc_soup *soup) {
  static const char *const endings[] = {".stl", ".obj", NULL};
  size_t length = 0;
  char *bytes = stc_sandbox_load(f->L, f->what, file, endings, &length);
  stc_error error = stc_soup_read_bytes(lua_tostring(f->L, -1), bytes, length, soup);
  stc_release(&bytes);
  if (error) luaL_error(f->L, "%s: %s", f->what, stc_error_detail());
  lua_pop(f->L, 1);
}

// The points of a list on top of the stack; in the plane both ends of a prism.
static double *take_points(const stc_fields *f, const stc_site *site, const char *name, int most,
                           int *count) {
  lua_State *L = f->L;
  bool flat = site->settings.plane && lua_rawgeti(L, -1, 1) == LUA_TTABLE && lua_rawlen(L, -1) == 2;
  if (site->settings.plane) lua_pop(L, 1);
  lua_Unsigned points = lua_rawlen(L, -1);
  if (points < 3 || points > (lua_Unsigned)most)
    luaL_error(L, "%s: %s has %I points; give 3 to %d", f->what, name, (LUAI_UACINT)points, most);
  double *x = stc_scene_numbers(L, (flat ? 6u : 3u) * (size_t)points);
  *count = 0;
  for (lua_Unsigned k = 1; k <= points; k++) {
    lua_rawgeti(L, -1, (lua_Integer)k);
    double *to = x + 3 * (size_t)(*count)++;
    stc_site_take_vector(L, -1, site, f->what, "a point", to);
    if (flat) {
      memcpy(to + 3, (double[]){to[0], to[1], site->settings.depth / 2}, 3 * sizeof *to);
      to[2] = -site->settings.depth / 2;
      (*count)++;
    }
    lua_pop(L, 1);
  }
  return x;
}

static double mix(double sum, const void *bytes, size_t count) {  // FNV-1a, 53 bits
  uint64_t hash = (uint64_t)sum ^ UINT64_C(0xcbf29ce484222325);
  for (size_t k = 0; k < count; k++)
    hash = (hash ^ ((const unsigned char *)bytes)[k]) * UINT64_C(0x100000001b3);
  return (double)(hash >> 11);
}

// --- Hulls ---

static stc_site_solid *known(const stc_site *site, const char *file, bool hull) {
  for (int k = 0; file && k < site->solids.count; k++) {
    stc_site_solid *solid = &site->solid[k];
    if (solid->file && !strcmp(solid->file, file) && (hull ? !!solid->hull : !!solid->terrain))
      return solid;
  }
  return NULL;
}

static stc_site_solid *add_solid(const stc_fields *f, stc_site *site, const char *file) {
  const char *kept = file ? stc_scene_copy(f->L, file) : NULL;
  stc_site_solid *solid = STC_SITE_ADD(f->L, "hull", &site->solids, site->solid);
  *solid = (stc_site_solid){.file = kept};
  return solid;
}

static void make_hull(const stc_fields *f, stc_site *site, stc_site_solid *solid, int count,
                      const double *point) {
  site->checksum = mix(site->checksum, point, 3 * (size_t)count * sizeof *point);
  stc_sandbox_account(f->L, (size_t)count * POINT_BYTES);
  if (stc_hull_create(count, point, &solid->hull) != STC_OK)
    luaL_error(f->L, "%s: hull: %s", f->what, stc_error_detail());
}

static const stc_hull *hull_of_file(const stc_fields *f, stc_site *site, const char *file) {
  stc_soup soup = {0};
  stc_site_solid *solid = known(site, file, true);
  if (solid) return solid->hull;
  solid = add_solid(f, site, file);
  read_soup(f, file, &soup);
  site->checksum = mix(site->checksum, soup.point, 3 * (size_t)soup.points * sizeof *soup.point);
  stc_error error = stc_hull_create(soup.points, soup.point, &solid->hull);
  stc_soup_free(&soup);
  if (error) luaL_error(f->L, "%s: hull of %s: %s", f->what, file, stc_error_detail());
  return solid->hull;
}

static void take_hull(const stc_fields *f, stc_site *site, stc_part *part) {
  lua_State *L = f->L;
  int top = lua_gettop(L), type = stc_field(f, "hull"), count;
  part->shape.kind = STC_SHAPE_HULL;
  if (type == LUA_TSTRING) {
    part->shape.hull = hull_of_file(f, site, lua_tostring(L, -1));
  } else if (type == LUA_TTABLE) {
    double *point = take_points(f, site, "hull", MOST_HULL_POINTS, &count);
    stc_site_solid *solid = add_solid(f, site, NULL);
    make_hull(f, site, solid, count, point);
    part->shape.hull = solid->hull;
  } else {
    stc_refuse(L, -1, f->what, "hull", "a list of points, or a file in quotes");
  }
  lua_settop(L, top);
}

// --- Terrains ---

static int *take_triangles(const stc_fields *f, int *count) {
  lua_State *L = f->L;
  if (stc_field(f, "triangles") != LUA_TTABLE)
    stc_refuse(L, -1, f->what, "triangles", "a list of lists of three points' numbers, from 1");
  lua_Unsigned length = lua_rawlen(L, -1);
  if (length < 1 || length > MOST_POINTS)
    luaL_error(L, "%s: triangles has %I entries; give 1 to %d", f->what, (LUAI_UACINT)length,
               MOST_POINTS);
  if (3 * (size_t)length * sizeof(int) > stc_sandbox_room(L)) stc_sandbox_account(L, SIZE_MAX / 2);
  int *triangle = STC_TAKE(&stc_scene_of(L)->arena, int, 3 * (size_t)length);
  if (!triangle) luaL_error(L, "out of memory for %I triangles", (LUAI_UACINT)length);
  for (lua_Unsigned k = 0; k < length; k++) {
    double corner[3];
    lua_rawgeti(L, -1, (lua_Integer)k + 1);
    stc_take_vector(L, -1, f->what, "a triangle", corner, 3);
    lua_pop(L, 1);
    for (int i = 0; i < 3; i++) {
      if (!(corner[i] >= 1 && corner[i] <= MOST_POINTS))
        luaL_error(L, "%s: a triangle has point %f; number points from 1", f->what, corner[i]);
      triangle[3 * k + (lua_Unsigned)i] = (int)corner[i] - 1;
    }
  }
  lua_pop(L, 1);
  *count = (int)length;
  return triangle;
}

// A failure leaves no terrain, and its sentence.
static void make_terrain(stc_site *site, stc_site_solid *solid, const stc_soup *soup) {
  site->checksum = mix(site->checksum, soup->point, 3 * (size_t)soup->points * sizeof(double));
  site->checksum = mix(site->checksum, soup->triangle, 3 * (size_t)soup->triangles * sizeof(int));
  stc_terrain_create(soup->points, soup->point, soup->triangles, soup->triangle, &solid->terrain);
}

static stc_site_solid *terrain_of_file(const stc_fields *f, stc_site *site, const char *file) {
  stc_soup soup = {0};
  stc_site_solid *solid = known(site, file, false);
  if (solid) return solid;
  solid = add_solid(f, site, file);
  read_soup(f, file, &soup);
  make_terrain(site, solid, &soup);
  stc_soup_free(&soup);
  return solid;
}

static stc_site_solid *terrain_of_list(const stc_fields *f, stc_site *site) {
  static const char *const names[] = {"points", "triangles", NULL};
  lua_State *L = f->L;
  const char *what = lua_pushfstring(L, "%s: terrain", f->what);
  stc_fields own = stc_fields_open(L, -2, what, names);
  stc_soup soup = {0};
  if (stc_field(&own, "points") != LUA_TTABLE)
    stc_refuse(L, -1, what, "points", "a list of points");
  soup.point = take_points(&own, site, "points", MOST_POINTS, &soup.points);
  soup.triangle = take_triangles(&own, &soup.triangles);
  stc_sandbox_account(L, (size_t)soup.points * POINT_BYTES + (size_t)soup.triangles * POINT_BYTES);
  stc_site_solid *solid = add_solid(f, site, NULL);
  make_terrain(site, solid, &soup);
  return solid;
}

static void take_terrain(const stc_fields *f, stc_site *site, stc_part *part) {
  lua_State *L = f->L;
  int top = lua_gettop(L), type = stc_field(f, "terrain");
  stc_site_solid *solid = NULL;
  if (type == LUA_TSTRING)
    solid = terrain_of_file(f, site, lua_tostring(L, -1));
  else if (type == LUA_TTABLE)
    solid = terrain_of_list(f, site);
  else
    stc_refuse(L, -1, f->what, "terrain", "a file in quotes, or { points =, triangles = }");
  if (!solid->terrain) luaL_error(L, "%s: terrain: %s", f->what, stc_error_detail());
  part->shape.kind = STC_SHAPE_TERRAIN;
  part->shape.terrain = solid->terrain;
  lua_settop(L, top);
}

// --- The one that is there ---

static int find_shape(const stc_fields *f) {
  int found = -1;
  for (int k = 0; stc_site_shapes[k]; k++) {
    if (!stc_field_is_there(f, stc_site_shapes[k])) continue;
    if (found >= 0)
      luaL_error(f->L, "%s has a %s and a %s; give one, or both among 'parts'", f->what,
                 stc_site_shapes[found], stc_site_shapes[k]);
    found = k;
  }
  return found;
}

bool stc_site_take_shape(const stc_fields *f, stc_site *site, stc_part *part) {
  *part = (stc_part){.pose = stc_pose_identity()};
  switch (find_shape(f)) {
  case 0:
    take_box(f, site, part);
    break;
  case 1:
    take_sphere(f, part);
    break;
  case 2:
    take_round(f, site, "capsule", STC_SHAPE_CAPSULE, part);
    break;
  case 3:
    take_round(f, site, "cylinder", STC_SHAPE_CYLINDER, part);
    break;
  case 4:
    take_hull(f, site, part);
    break;
  case 5:
    take_plane(f, site, part);
    break;
  case 6:
    take_terrain(f, site, part);
    break;
  default:
    return false;
  }
  check_shape(f, &part->shape);
  return true;
}
