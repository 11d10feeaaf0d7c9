// Geoms of MJCF: shapes, their places, densities, friction and groups.
#include "mjcf.h"

#include "../base/number.h"
#include "../base/vec3.h"

static const double USUAL_DENSITY = 1000;  // kg/m^3

/// A geom in the making.
typedef struct geom {
  stc_mjcf *file;
  const stc_xml *node;
  const char *childclass;
  const char *type;
  double size[3];
  int sizes;
  stc_model_part part;
} geom;

/// The hull of points in the file itself.
static stc_error take_vertices(geom *g, const stc_xml *mesh) {
  stc_model *m = g->file->model;
  const char *text = stc_xml_get(mesh, "vertex");
  if (!text) return stc_model_refuse(m, mesh, "<mesh> needs a file, or vertices");
  STC_ARENA arena = {0};
  size_t most = strlen(text) / 2 + 1;  // a digit and a blank each
  double scale[3] = {1, 1, 1}, *point = STC_TAKE_RAW(&arena, double, most);
  int found;
  STC_TRY(stc_arena_check(&arena));
  STC_TRY(stc_mjcf_numbers(g->file, mesh, NULL, "scale", 3, 3, scale, &found));
  int count = stc_xml_numbers(text, (int)most, point);
  if (count <= 0 || count % 3 != 0)
    return stc_model_refuse(m, mesh, "the vertices of <mesh> are no list of points");
  for (int i = 0; i < count; i++) point[i] *= scale[i % 3];
  stc_hull *hull = NULL;
  if (stc_hull_create(count / 3, point, &hull))
    return stc_model_refuse(m, mesh, "<mesh>: %s", stc_error_detail());
  g->part.shape.hull = hull;
  return stc_model_keep_hull(m, hull);
}

/// A mesh without a name has that of its file, without directory and ending.
static const char *name_of_mesh(stc_model *m, const stc_xml *mesh) {
  const char *own = stc_xml_get(mesh, "name"), *file = stc_xml_get(mesh, "file");
  if (own || !file) return own;
  const char *slash = strrchr(file, '/');
  char *name = (char *)stc_model_copy(m, slash ? slash + 1 : file), *dot;
  if (name && (dot = strrchr(name, '.'))) *dot = '\0';
  return name;
}

void stc_mjcf_list_meshes(stc_mjcf *f, const stc_xml *mujoco) {
  for (stc_xml *a = stc_xml_child(mujoco, "asset"); a; a = stc_xml_next(a, "asset"))
    for (stc_xml *n = stc_xml_child(a, "mesh"); n; n = stc_xml_next(n, "mesh")) {
      const char *name = name_of_mesh(f->model, n);
      if (name)
        stc_names_add(&f->meshes, &f->model->arena,
                      &(stc_named){.name = name, .node = n, .number = -1});
    }
}

static stc_error read_mesh(geom *g, const stc_xml *node) {
  const char *file = stc_xml_get(node, "file"), *directory = g->file->meshdir;
  double scale[3] = {1, 1, 1};
  char path[512];
  int found;
  if (!file) return take_vertices(g, node);
  STC_TRY(stc_mjcf_numbers(g->file, node, NULL, "scale", 3, 3, scale, &found));
  stc_snprintf(path, sizeof path, "%s%s%s", directory, *directory ? "/" : "", file);
  return stc_model_mesh(g->file->model, node, path, scale, &g->part.shape.hull);
}

static stc_error find_mesh(geom *g, const char *name) {
  stc_model *m = g->file->model;
  stc_named *mesh = stc_names_find(&g->file->meshes, NULL, name);
  if (!mesh) return stc_model_refuse(m, g->node, "there is no mesh '%.60s'", name);
  if (mesh->number < 0) {
    STC_TRY(read_mesh(g, mesh->node));
    for (mesh->number = m->hulls - 1; m->hull[mesh->number].hull != g->part.shape.hull;)
      mesh->number--;
  }
  g->part.shape.hull = m->hull[mesh->number].hull;
  return STC_OK;
}

/// An ellipsoid as the hull of points on it.
static stc_error make_ellipsoid(geom *g) {
  enum { AROUND = 16, ALONG = 8 };
  double point[3 * AROUND * ALONG];
  stc_model *m = g->file->model;
  for (int k = 0; k < AROUND * ALONG; k++) {
    double a = 2 * 3.14159265358979323846 * (k % AROUND) / AROUND;
    double b = 3.14159265358979323846 * (k / AROUND + 0.5) / ALONG;
    double *x = point + 3 * k;
    x[0] = g->size[0] * cos(a) * sin(b), x[1] = g->size[1] * sin(a) * sin(b);
    x[2] = g->size[2] * cos(b);
  }
  stc_hull *hull = NULL;
  if (stc_hull_create(AROUND * ALONG, point, &hull))
    return stc_model_refuse(m, g->node, "ellipsoid: %s", stc_error_detail());
  g->part.shape.hull = hull;
  STC_TRY(stc_model_keep_hull(m, hull));
  return stc_model_remember(m, "line %d: an ellipsoid is read as a hull of %d points",
                            g->node->line, AROUND * ALONG);
}

/// fromto gives place, direction and half length of what is round about an axis, or of a box.
static stc_error take_ends(geom *g) {
  double end[6], d[3];
  int found, length = !strcmp(g->type, "box") ? 2 : 1;
  STC_TRY(stc_mjcf_numbers(g->file, g->node, g->childclass, "fromto", 6, 6, end, &found));
  if (!found) return STC_OK;
  stc_sub3(end + 3, end, d);
  if (!(stc_norm3(d) > 0)) return stc_model_refuse(g->file->model, g->node, "fromto has no length");
  for (int k = 0; k < 3; k++) g->part.pose.x[k] = (end[k] + end[3 + k]) / 2;
  stc_model_to_axis(d, g->part.pose.rotation);
  if (length == 2) g->size[1] = g->size[0];
  g->size[length] = stc_norm3(d) / 2;
  return STC_OK;
}

static stc_error take_shape(geom *g, bool *known) {
  static const char *const types[] = {"sphere", "box",  "capsule",   "cylinder",
                                      "plane",  "mesh", "ellipsoid", NULL};
  static const stc_shape_kind kinds[] = {STC_SHAPE_SPHERE,   STC_SHAPE_BOX,   STC_SHAPE_CAPSULE,
                                         STC_SHAPE_CYLINDER, STC_SHAPE_PLANE, STC_SHAPE_HULL,
                                         STC_SHAPE_HULL};
  stc_shape *shape = &g->part.shape;
  int k = 0;
  while (types[k] && strcmp(types[k], g->type) != 0) k++;
  *known = types[k] != NULL;
  if (!*known)
    return stc_model_remember(g->file->model, "line %d: a geom of type '%.40s' is left out",
                              g->node->line, g->type);
  shape->kind = kinds[k];
  shape->radius = g->size[0];
  memcpy(shape->half, g->size, sizeof shape->half);
  if (shape->kind == STC_SHAPE_CAPSULE || shape->kind == STC_SHAPE_CYLINDER)
    shape->half[2] = g->size[1];
  const char *mesh = stc_mjcf_get(g->file, g->node, g->childclass, "mesh");
  if (k == 5 && !mesh) return stc_model_refuse(g->file->model, g->node, "the geom names no mesh");
  if (k == 5) STC_TRY(find_mesh(g, mesh));
  if (k == 6) STC_TRY(make_ellipsoid(g));
  return stc_model_check_shape(g->file->model, g->node, shape);
}

/// contype, conaffinity: bits of 32.
static stc_error take_types(geom *g) {
  static const char *const names[] = {"contype", "conaffinity"};
  for (int k = 0; k < 2; k++) {
    double value = 1;
    STC_TRY(stc_mjcf_number(g->file, g->node, g->childclass, names[k], &value));
    if (!(value >= 0 && value < 4294967296.0) || value != floor(value))
      return stc_model_refuse(g->file->model, g->node, "%s = %g; give a whole number from 0 on",
                              names[k], value);
    g->part.type[k] = (uint64_t)value;
  }
  return STC_OK;
}

static stc_error take_friction(geom *g) {
  double friction[3], condim = 3;
  int found;
  STC_TRY(stc_mjcf_numbers(g->file, g->node, g->childclass, "friction", 1, 3, friction, &found));
  STC_TRY(stc_mjcf_number(g->file, g->node, g->childclass, "condim", &condim));
  g->part.mu = found ? friction[0] : 1;
  if (g->part.mu < 0) return stc_model_refuse(g->file->model, g->node, "friction is below 0");
  if (condim == 1) g->part.mu = 0;
  if (condim > 3)
    return stc_model_remember(g->file->model,
                              "line %d: spinning and rolling friction (condim %g) are left out",
                              g->node->line, condim);
  return STC_OK;
}

static stc_error take_density(geom *g) {
  double mass = -1, volume, centre[3], inertia[6];
  g->part.density = USUAL_DENSITY;
  STC_TRY(stc_mjcf_number(g->file, g->node, g->childclass, "density", &g->part.density));
  STC_TRY(stc_mjcf_number(g->file, g->node, g->childclass, "mass", &mass));
  if (g->part.density < 0) return stc_model_refuse(g->file->model, g->node, "density is below 0");
  if (mass < 0 || stc_shape_is_endless(g->part.shape.kind)) return STC_OK;
  STC_TRY(stc_shape_mass(&g->part.shape, &volume, centre, inertia));
  g->part.density = mass / volume;
  return STC_OK;
}

stc_error stc_mjcf_geom(stc_mjcf *f, const stc_xml *node, const char *childclass, int body,
                        const stc_pose *at) {
  geom g = {.file = f, .node = node, .childclass = childclass, .part = {.body = body}};
  bool known;
  stc_xml_get(node, "name");
  STC_TRY(stc_mjcf_check_class(f, node, "class"));
  g.type = stc_mjcf_get(f, node, childclass, "type");
  if (!g.type) g.type = stc_mjcf_get(f, node, childclass, "mesh") ? "mesh" : "sphere";
  STC_TRY(stc_mjcf_numbers(f, node, childclass, "size", 1, 3, g.size, &g.sizes));
  STC_TRY(stc_mjcf_pose(f, node, childclass, &g.part.pose));
  STC_TRY(take_ends(&g));
  STC_TRY(take_shape(&g, &known));
  if (!known) return STC_OK;
  STC_TRY(take_types(&g));
  STC_TRY(take_friction(&g));
  STC_TRY(take_density(&g));
  g.part.pose = stc_pose_compose(at, &g.part.pose);
  if (body >= 0 && stc_shape_is_endless(g.part.shape.kind))
    return stc_model_refuse(f->model, node, "a plane belongs to the world, not to a body");
  stc_model_part *part = stc_model_add_part(f->model);
  if (part) *part = g.part;
  return stc_arena_check(&f->model->arena);
}
