// box, sphere, capsule, cylinder, hull, plane, terrain: the shapes of a scene. Hulls and terrains
// come from lists or from STL and OBJ files next to the scene; they belong to the scene.
#include "../../base/vec3.h"
#include "context.h"

#include <lauxlib.h>
#include <stdint.h>

static const double HUGE_SIZE = 1e12, TINY = 1e-12;  // m
enum { POINT_BYTES = 256 };                          // that a point of a hull or terrain takes
enum { MOST_POINTS = 10000000, MOST_HULL_POINTS = 100000 };  // in a list

const char *const stc_bodies_shapes[] = {"box",  "sphere", "capsule", "cylinder",
                                         "hull", "plane",  "terrain", NULL};

// --- Simple shapes ---

static void check_given_shape(const stc_fields *f, const stc_shape *shape) {
  if (stc_shape_check(shape) != STC_OK) luaL_error(f->L, "%s: %s", f->what, stc_error_detail());
}

// { lx, ly, lz }, the whole lengths; in the plane { lx, ly }, as deep as the world says.
static void take_box(const stc_fields *f, const stc_context *context, stc_part *part) {
  double size[3];
  stc_field(f, "box");
  bool flat = lua_istable(f->L, -1) && lua_rawlen(f->L, -1) == 2 && context->settings.plane;
  stc_bodies_take_vector(f->L, -1, context, f->what, "box", size);
  lua_pop(f->L, 1);
  if (flat) size[2] = context->settings.depth;
  part->shape.kind = STC_SHAPE_BOX;
  for (int k = 0; k < 3; k++) part->shape.half[k] = size[k] / 2;
}

static void take_sphere(const stc_fields *f, stc_part *part) {
  part->shape.kind = STC_SHAPE_SPHERE;
  part->shape.radius = stc_field_number(f, "sphere", TINY, HUGE_SIZE);
}

// { radius =, length =, axis = }: the length is that of the axis, along z unless it is given.
static void take_round(const stc_fields *f, const stc_context *context, const char *word,
                       stc_shape_kind kind, stc_part *part) {
  lua_State *L = f->L;
  double axis[3] = {0, 0, 1};
  stc_field(f, word);
  const char *what = lua_pushfstring(L, "%s: %s", f->what, word);
  stc_fields own = STC_FIELDS(L, -2, what, "radius", "length", "axis");
  part->shape.kind = kind;
  part->shape.radius = stc_field_number(&own, "radius", TINY, HUGE_SIZE);
  part->shape.half[2] = stc_field_number(&own, "length", TINY, HUGE_SIZE) / 2;
  stc_bodies_vector(&own, context, "axis", axis);
  if (stc_norm3(axis) == 0) luaL_error(L, "%s: axis has no length", what);
  stc_bodies_rotation_to(axis, part->pose.rotation);
  lua_pop(L, 2);
}

// true: up; or the normal, out of what is filled.
static void take_plane(const stc_fields *f, const stc_context *context, stc_part *part) {
  lua_State *L = f->L;
  double normal[3] = {0, context->settings.plane, !context->settings.plane};
  int type = stc_field(f, "plane");
  if (type == LUA_TTABLE)
    stc_bodies_take_vector(L, -1, context, f->what, "plane", normal);
  else if (type != LUA_TBOOLEAN || !lua_toboolean(L, -1))
    stc_refuse(L, -1, f->what, "plane", "true, or the normal out of it");
  lua_pop(L, 1);
  if (stc_norm3(normal) == 0) luaL_error(L, "%s: plane has a normal without length", f->what);
  part->shape.kind = STC_SHAPE_PLANE;
  stc_bodies_rotation_to(normal, part->pose.rotation);
}

// --- Points and files ---

// A failure leaves only its message.
static void read_triangles(const stc_fields *f, const char *file, stc_triangle_mesh *mesh) {
  static const char *const endings[] = {".stl", ".obj", NULL};
  size_t length = 0;
  char *bytes = stc_sandbox_load(f->L, f->what, file, endings, &length);
  stc_error error = stc_triangle_mesh_read_bytes(lua_tostring(f->L, -1), bytes, length, mesh);
  stc_release(&bytes);
  if (error) luaL_error(f->L, "%s: %s", f->what, stc_error_detail());
  lua_pop(f->L, 1);
}

// The points of a list on top of the stack; in the plane both ends of a prism.
static double *take_points(const stc_fields *f, const stc_context *context, const char *name,
                           int most, int *count) {
  lua_State *L = f->L;
  bool flat =
      context->settings.plane && lua_rawgeti(L, -1, 1) == LUA_TTABLE && lua_rawlen(L, -1) == 2;
  if (context->settings.plane) lua_pop(L, 1);
  lua_Unsigned points = lua_rawlen(L, -1);
  if (points < 3 || points > (lua_Unsigned)most)
    luaL_error(L, "%s: %s has %I points; give 3 to %d", f->what, name, (LUAI_UACINT)points, most);
  double *x = stc_scene_numbers(L, (flat ? 6u : 3u) * (size_t)points);
  *count = 0;
  for (lua_Unsigned k = 1; k <= points; k++) {
    lua_rawgeti(L, -1, (lua_Integer)k);
    double *to = x + 3 * (size_t)(*count)++;
    stc_bodies_take_vector(L, -1, context, f->what, "a point", to);
    if (flat) {
      memcpy(to + 3, (double[]){to[0], to[1], context->settings.depth / 2}, 3 * sizeof *to);
      to[2] = -context->settings.depth / 2;
      (*count)++;
    }
    lua_pop(L, 1);
  }
  return x;
}

static double mix_points(double sum, const void *bytes, size_t count) {  // 53 bits
  return (double)(stc_mix_bytes((uint64_t)sum ^ STC_MIX_START, bytes, count) >> 11);
}

// --- Hulls ---

// The hull of a file in that size, or its terrain where `scale` is NULL.
static stc_bodies_solid *known_solid(const stc_context *context, const char *file,
                                     const double *scale) {
  for (int k = 0; file && k < context->solids.count; k++) {
    stc_bodies_solid *solid = &context->solid[k];
    if (!solid->file || strcmp(solid->file, file) != 0) continue;
    bool same = scale ? solid->hull && !memcmp(solid->scale, scale, sizeof solid->scale)
                      : solid->terrain != NULL;
    if (same) return solid;
  }
  return NULL;
}

static stc_bodies_solid *add_solid(const stc_fields *f, stc_context *context, const char *file) {
  const char *kept = file ? stc_scene_copy(f->L, file) : NULL;
  stc_bodies_solid *solid = STC_CONTEXT_ADD(f->L, "hull", &context->solids, context->solid);
  *solid = (stc_bodies_solid){.file = kept};
  return solid;
}

static const stc_hull *hull_of_file(const stc_fields *f, stc_context *context, const char *file,
                                    const double scale[3]) {
  stc_triangle_mesh mesh = {0};
  stc_bodies_solid *solid = known_solid(context, file, scale);
  if (solid) return solid->hull;
  solid = add_solid(f, context, file);
  memcpy(solid->scale, scale, sizeof solid->scale);
  read_triangles(f, file, &mesh);
  for (int i = 0; i < 3 * mesh.points; i++) mesh.point[i] *= scale[i % 3];
  context->checksum =
      mix_points(context->checksum, mesh.point, 3 * (size_t)mesh.points * sizeof *mesh.point);
  stc_error error = stc_hull_create(mesh.points, mesh.point, &solid->hull);
  stc_triangle_mesh_free(&mesh);
  if (error) luaL_error(f->L, "%s: hull of %s: %s", f->what, file, stc_error_detail());
  return solid->hull;
}

static const stc_hull *hull_of_list(const stc_fields *f, stc_context *context) {
  int count;
  double *point = take_points(f, context, "hull", MOST_HULL_POINTS, &count);
  stc_bodies_solid *solid = add_solid(f, context, NULL);
  context->checksum = mix_points(context->checksum, point, 3 * (size_t)count * sizeof *point);
  stc_sandbox_account(f->L, (size_t)count * POINT_BYTES);
  if (stc_hull_create(count, point, &solid->hull) != STC_OK)
    luaL_error(f->L, "%s: hull: %s", f->what, stc_error_detail());
  return solid->hull;
}

// { file = "stone.stl", scale = { sx, sy, sz } }, or one number for all three.
static const stc_hull *hull_in_size(const stc_fields *f, stc_context *context) {
  lua_State *L = f->L;
  const char *what = lua_pushfstring(L, "%s: hull", f->what);
  stc_fields own = STC_FIELDS(L, -2, what, "file", "scale");
  double scale[3] = {1, 1, 1};
  const char *file = stc_field_text(&own, "file");
  if (!file) luaL_error(L, "%s needs an entry 'file', in quotes", what);
  int type = stc_field(&own, "scale");
  if (type == LUA_TNUMBER)
    scale[0] = scale[1] = scale[2] = stc_take_number(L, -1, what, "scale");
  else if (type != LUA_TNIL)
    stc_take_vector(L, -1, what, "scale", scale, 3);
  for (int k = 0; k < 3; k++)
    if (scale[k] == 0) luaL_error(L, "%s: scale has a 0; give numbers that are not", what);
  return hull_of_file(f, context, file, scale);
}

static void take_hull(const stc_fields *f, stc_context *context, stc_part *part) {
  static const double whole[3] = {1, 1, 1};
  lua_State *L = f->L;
  int top = lua_gettop(L), type = stc_field(f, "hull");
  bool sized = type == LUA_TTABLE && lua_rawlen(L, -1) == 0;
  part->shape.kind = STC_SHAPE_HULL;
  if (type == LUA_TSTRING) {
    part->shape.hull = hull_of_file(f, context, lua_tostring(L, -1), whole);
  } else if (sized) {
    part->shape.hull = hull_in_size(f, context);
  } else if (type == LUA_TTABLE) {
    part->shape.hull = hull_of_list(f, context);
  } else {
    stc_refuse(L, -1, f->what, "hull", "a list of points, or a file in quotes");
  }
  lua_settop(L, top);
}

// --- Terrains ---

static int *take_triangles(const stc_fields *f, int *count) {
  lua_State *L = f->L;
  int length = stc_field_list(f, "triangles", "a list of lists of three points' numbers, from 1", 1,
                              MOST_POINTS);
  if (3 * (size_t)length * sizeof(int) > stc_sandbox_room(L)) stc_sandbox_account(L, SIZE_MAX / 2);
  int *triangle = STC_TAKE(&stc_scene_of(L)->arena, int, 3 * (size_t)length);
  if (!triangle) luaL_error(L, "out of memory for %d triangles", length);
  for (int k = 0; k < length; k++) {
    double corner[3];
    lua_rawgeti(L, -1, k + 1);
    stc_take_vector(L, -1, f->what, "a triangle", corner, 3);
    lua_pop(L, 1);
    for (int i = 0; i < 3; i++) {
      if (!(corner[i] >= 1 && corner[i] <= MOST_POINTS))
        luaL_error(L, "%s: a triangle has point %f; number points from 1", f->what, corner[i]);
      triangle[3 * k + i] = (int)corner[i] - 1;
    }
  }
  lua_pop(L, 1);
  *count = length;
  return triangle;
}

// A failure leaves no terrain, and its sentence.
static void make_terrain(stc_context *context, stc_bodies_solid *solid,
                         const stc_triangle_mesh *mesh) {
  context->checksum =
      mix_points(context->checksum, mesh->point, 3 * (size_t)mesh->points * sizeof(double));
  context->checksum =
      mix_points(context->checksum, mesh->triangle, 3 * (size_t)mesh->triangles * sizeof(int));
  stc_terrain_create(mesh->points, mesh->point, mesh->triangles, mesh->triangle, &solid->terrain);
}

static stc_bodies_solid *terrain_of_file(const stc_fields *f, stc_context *context,
                                         const char *file) {
  stc_triangle_mesh mesh = {0};
  stc_bodies_solid *solid = known_solid(context, file, NULL);
  if (solid) return solid;
  solid = add_solid(f, context, file);
  read_triangles(f, file, &mesh);
  make_terrain(context, solid, &mesh);
  stc_triangle_mesh_free(&mesh);
  return solid;
}

static stc_bodies_solid *terrain_of_list(const stc_fields *f, stc_context *context) {
  lua_State *L = f->L;
  const char *what = lua_pushfstring(L, "%s: terrain", f->what);
  stc_fields own = STC_FIELDS(L, -2, what, "points", "triangles");
  stc_triangle_mesh mesh = {0};
  if (stc_field(&own, "points") != LUA_TTABLE)
    stc_refuse(L, -1, what, "points", "a list of points");
  mesh.point = take_points(&own, context, "points", MOST_POINTS, &mesh.points);
  mesh.triangle = take_triangles(&own, &mesh.triangles);
  stc_sandbox_account(L, (size_t)mesh.points * POINT_BYTES + (size_t)mesh.triangles * POINT_BYTES);
  stc_bodies_solid *solid = add_solid(f, context, NULL);
  make_terrain(context, solid, &mesh);
  return solid;
}

static void take_terrain(const stc_fields *f, stc_context *context, stc_part *part) {
  lua_State *L = f->L;
  int top = lua_gettop(L), type = stc_field(f, "terrain");
  stc_bodies_solid *solid = NULL;
  if (type == LUA_TSTRING)
    solid = terrain_of_file(f, context, lua_tostring(L, -1));
  else if (type == LUA_TTABLE)
    solid = terrain_of_list(f, context);
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
  for (int k = 0; stc_bodies_shapes[k]; k++) {
    if (!stc_field_is_there(f, stc_bodies_shapes[k])) continue;
    if (found >= 0)
      luaL_error(f->L, "%s has a %s and a %s; give one, or both among 'parts'", f->what,
                 stc_bodies_shapes[found], stc_bodies_shapes[k]);
    found = k;
  }
  return found;
}

bool stc_bodies_take_shape(const stc_fields *f, stc_context *context, stc_part *part) {
  *part = (stc_part){.pose = stc_pose_identity()};
  switch (find_shape(f)) {
  case 0:
    take_box(f, context, part);
    break;
  case 1:
    take_sphere(f, part);
    break;
  case 2:
    take_round(f, context, "capsule", STC_SHAPE_CAPSULE, part);
    break;
  case 3:
    take_round(f, context, "cylinder", STC_SHAPE_CYLINDER, part);
    break;
  case 4:
    take_hull(f, context, part);
    break;
  case 5:
    take_plane(f, context, part);
    break;
  case 6:
    take_terrain(f, context, part);
    break;
  default:
    return false;
  }
  check_given_shape(f, &part->shape);
  return true;
}
