// Whether bodies, supports, loads, contacts and plots of a scene fit its mesh, with the line of
// what does not; and the description the library wants.
#include "fem_scene.h"

#include <math.h>
#include <string.h>

// --- Groups ---

const char *stc_deform_group_name(const void *mesh, int k) {
  const stc_mesh *m = mesh;
  return k < m->groups ? m->group[k].name : NULL;
}

// A group that must be there.
stc_error stc_deform_check_group(const stc_scene *scene, int line, const char *what,
                                 const char *name) {
  const stc_mesh *mesh = scene->deform->used;
  if (stc_mesh_find(mesh, name) >= 0) return STC_OK;
  stc_hint hint = stc_hint_for(name, stc_deform_group_name, mesh);
  char all[300] = "";
  for (int k = 0; !hint.text[0] && k < mesh->groups; k++) {
    size_t used = strlen(all), more = strlen(mesh->group[k].name);
    if (used + more + 3 > sizeof all) break;
    if (k) strcat(all, ", ");
    strcat(all, mesh->group[k].name);
  }
  return stc_fail(STC_ERR_FORMAT, "%s:%d: %s: the mesh has no group '%s'%s%s", scene->path, line,
                  what, name, hint.text[0] ? hint.text : "; it has: ", all);
}

static stc_error check_body(const stc_scene *scene, const stc_scene_body *body) {
  const stc_mesh *mesh = scene->deform->used;
  STC_TRY(stc_deform_check_group(scene, body->line, "body", body->body.group));
  const stc_group *group = &mesh->group[stc_mesh_find(mesh, body->body.group)];
  if (group->dim == mesh->dim) return STC_OK;
  return stc_fail(STC_ERR_FORMAT, "%s:%d: body: '%s' is a surface; name a group of %s", scene->path,
                  body->line, group->name, mesh->dim == 2 ? "areas" : "volumes");
}

stc_error stc_deform_check_surface(const stc_scene *scene, int line, const char *what,
                                   const char *name) {
  const stc_mesh *mesh = scene->deform->used;
  STC_TRY(stc_deform_check_group(scene, line, what, name));
  if (mesh->group[stc_mesh_find(mesh, name)].dim == mesh->dim - 1) return STC_OK;
  return stc_fail(STC_ERR_FORMAT, "%s:%d: %s: '%s' is no surface; name a group of %s", scene->path,
                  line, what, name, mesh->dim == 2 ? "lines" : "faces");
}

// --- Components ---

// x, y, z by the dimension; around an axis x or r, and y or z.
static stc_error check_component(const stc_scene *scene, const char *what, stc_scene_load *load) {
  const stc_deform *d = scene->deform;
  bool axisymmetric = d->kinematics == STC_AXISYMMETRIC;
  if (axisymmetric && load->letter == 'z') load->component = 1;
  bool good = load->component < d->used->dim && (load->letter != 'r' || axisymmetric);
  if (good) return STC_OK;
  return stc_fail(STC_ERR_FORMAT, "%s:%d: %s of '%s': there is no component '%c'; there are: %s",
                  scene->path, load->line, what, load->group, load->letter,
                  axisymmetric        ? "r, z, all"
                  : d->used->dim == 2 ? "x, y, all"
                                      : "x, y, z, all");
}

static stc_error check_loads(const stc_scene *scene) {
  const stc_deform *d = scene->deform;
  for (int k = 0; k < d->supports.count; k++) {
    stc_scene_load *load = &d->support[k];
    STC_TRY(stc_deform_check_group(scene, load->line, "support", load->group));
    STC_TRY(check_component(scene, "support", load));
  }
  for (int k = 0; k < d->loads.count; k++) {
    stc_scene_load *load = &d->load[k];
    const char *what = load->component == -1 ? "pressure" : "traction";
    STC_TRY(stc_deform_check_surface(scene, load->line, what, load->group));
    STC_TRY(check_component(scene, what, load));
  }
  return STC_OK;
}

// --- Contacts and plots ---

static stc_error check_pair(const stc_scene *scene, const stc_scene_pair_data *pair) {
  int dim = scene->deform->used->dim;
  STC_TRY(stc_deform_check_surface(scene, pair->line, "contact", pair->pair.slave));
  if (pair->pair.master)
    return stc_deform_check_surface(scene, pair->line, "contact", pair->pair.master);
  if (pair->obstacle->dim == 0 || pair->obstacle->dim == dim) return STC_OK;
  return stc_fail(STC_ERR_FORMAT,
                  "%s:%d: contact '%s': the obstacle has %d dimensions, the mesh %d", scene->path,
                  pair->line, pair->pair.name, pair->obstacle->dim, dim);
}

const char *stc_deform_pair_name(const void *deform, int k) {
  const stc_deform *d = deform;
  return k < d->pairs.count ? d->pair[k].pair.name : NULL;
}

static stc_error check_plot(const stc_scene *scene, const stc_scene_plot *plot) {
  const stc_deform *d = scene->deform;
  for (int k = 0; k < d->pairs.count; k++)
    if (!strcmp(d->pair[k].pair.name, plot->pair)) return STC_OK;
  return stc_fail(STC_ERR_FORMAT, "%s:%d: plot '%s': there is no contact '%s'%s", scene->path,
                  plot->line, plot->name, plot->pair,
                  stc_hint_for(plot->pair, stc_deform_pair_name, d).text);
}

// --- All of it ---

static stc_error missing(const stc_scene *scene, const char *what) {
  return stc_fail(STC_ERR_FORMAT, "%s:%d: the scene has bodies, but no %s", scene->path,
                  scene->deform->line, what);
}

static stc_error check_mesh(stc_scene *scene) {
  stc_deform *d = scene->deform;
  if (!d->used && d->meshes.count == 1) d->used = d->mesh[0];
  if (!d->used)
    return missing(scene, d->meshes.count ? "mesh { }: say which meshes count"
                                          : "mesh: grid { } makes one, gmsh { } reads one");
  if (!d->has_solid && d->used->dim == 2)
    return missing(scene, "solid { kinematics = ... }: plane_strain, plane_stress or axisymmetric");
  if (!d->has_solid) d->kinematics = STC_SOLID;
  if ((d->kinematics == STC_SOLID) != (d->used->dim == 3))
    return stc_fail(STC_ERR_FORMAT, "%s:%d: solid: this kinematics is for %s, the mesh is %s",
                    scene->path, d->line, d->kinematics == STC_SOLID ? "space" : "the plane",
                    d->used->dim == 3 ? "in space" : "plane");
  if (stc_mesh_check(d->used) != STC_OK)
    return stc_fail(STC_ERR_FORMAT, "%s:%d: %s", scene->path, d->line, stc_error_detail());
  return STC_OK;
}

stc_error stc_deform_check(stc_scene *scene) {
  stc_deform *d = scene->deform;
  STC_TRY(check_mesh(scene));
  if (d->bodies.count == 0) return missing(scene, "body { }: what it is made of");
  if (d->steps == 0) return missing(scene, "steps { }: steps { times = { 1 } }");
  for (int k = 0; k < d->bodies.count; k++) STC_TRY(check_body(scene, &d->body[k]));
  STC_TRY(check_loads(scene));
  for (int k = 0; k < d->pairs.count; k++) STC_TRY(check_pair(scene, &d->pair[k]));
  for (int k = 0; k < d->plots.count; k++) STC_TRY(check_plot(scene, &d->plot[k]));
  STC_TRY(stc_deform_check_heat(scene));
  scene->line = d->line;
  scene->dim = d->used->dim;
  scene->dofs = d->used->nodes * d->used->dim;
  return STC_OK;
}

// --- Obstacles as the library asks for them ---
//   plane  g = (x - d - p) . n        ball  g = |x - d - c| - R, hollow R - |x - d - c|
// where d(t) is the displacement of the obstacle.

// The numbers that distance(t, x) or motion(t, x) returns: [gap,] one for each direction.
static bool call_obstacle(const stc_scene_obstacle *o, double t, const double *x, double *gap,
                          double *vector) {
  double answer[4];
  int dim = o->scene->dim, first = gap ? 1 : 0;
  stc_call c = {.scene = o->scene,
                .function = gap ? &o->distance : &o->motion,
                .what = "obstacle",
                .name = gap ? "the distance or the normal behind it" : "its displacement",
                .numbers = 1,
                .number = {t},
                .lists = 1,
                .list = {x},
                .length = dim,
                .answer = answer,
                .count = first + dim};
  if (!stc_call_scene(&c)) return false;
  if (gap) *gap = answer[0];
  for (int k = 0; k < dim; k++) vector[k] = answer[first + k];
  return true;
}

static bool displacement_at(void *user, double t, const double *x, double *d) {
  return call_obstacle(user, t, x, NULL, d);
}

// x in the place where the obstacle began.
static bool come_back(const stc_scene_obstacle *o, double t, const double *x, double *y) {
  double d[3] = {0};
  if (stc_callback_is_there(&o->motion) && !call_obstacle(o, t, x, NULL, d)) return false;
  for (int k = 0; k < o->dim; k++) y[k] = x[k] - d[k] - o->centre[k];
  return true;
}

// Distance and normal of y, measured from the centre or the axis.
static void measure_gap(const stc_scene_obstacle *o, const double *y, double *gap, double *normal) {
  double along = 0, length = 0;
  for (int k = 0; k < 3; k++) along += y[k] * o->axis[k];
  if (o->shape == STC_OBSTACLE_PLANE) {
    for (int k = 0; k < o->dim; k++) normal[k] = o->axis[k];
    *gap = along;
    return;
  }
  double across[3];
  for (int k = 0; k < 3; k++) {
    across[k] = y[k] - (o->shape == STC_OBSTACLE_ROD ? along * o->axis[k] : 0);
    length = hypot(length, across[k]);
  }
  double sign = o->hollow ? -1 : 1;
  for (int k = 0; k < o->dim; k++) normal[k] = length > 0 ? sign * across[k] / length : k == 0;
  *gap = sign * (length - o->radius);
}

static bool distance_at(void *user, double t, const double *x, double *gap, double *normal) {
  const stc_scene_obstacle *o = user;
  double y[3] = {0};
  if (o->shape == STC_OBSTACLE_FUNCTION) return call_obstacle(o, t, x, gap, normal);
  if (!come_back(o, t, x, y)) return false;
  measure_gap(o, y, gap, normal);
  return true;
}

stc_obstacle stc_deform_obstacle(stc_scene_obstacle *o) {
  bool moves = stc_callback_is_there(&o->motion);
  return (stc_obstacle){
      .distance = distance_at, .motion = moves ? displacement_at : NULL, .user = o};
}

// --- The description ---

// A load for each component it stands for.
static int components(const stc_scene_load *load, int dim) {
  return load->component == STC_DEFORM_ALL ? dim : 1;
}

static int count_components(const stc_scene_load *load, int count, int dim) {
  int sum = 0;
  for (int k = 0; k < count; k++) sum += components(&load[k], dim);
  return sum;
}

static int component_of(const stc_scene_load *load, int c) {
  return load->component == STC_DEFORM_ALL ? c : load->component;
}

static void describe_supports(const stc_deform *d, stc_support *support) {
  for (int k = 0; k < d->supports.count; k++) {
    const stc_scene_load *load = &d->support[k];
    for (int c = 0; c < components(load, d->used->dim); c++)
      *support++ = (stc_support){load->group, component_of(load, c),
                                 stc_scene_given_of(load->given, d->used->dim)};
  }
}

static void describe_tractions(const stc_deform *d, stc_traction *traction) {
  for (int k = 0; k < d->loads.count; k++) {
    const stc_scene_load *load = &d->load[k];
    for (int c = 0; c < components(load, d->used->dim); c++)
      *traction++ = (stc_traction){load->group, component_of(load, c),
                                   stc_scene_given_of(load->given, d->used->dim)};
  }
}

static double mu_of_pair(void *user, const stc_contact_past *past) {
  const stc_scene_pair_data *pair = user;
  double mu = NAN;
  stc_call_mu(pair->scene, &pair->friction.function, pair->what,
              &(stc_call_past){past, pair->scene->deform->used->dim, NULL}, &mu);
  return mu;
}

static stc_pair describe_pair(stc_scene_pair_data *data) {
  stc_pair pair = data->pair;
  if (data->obstacle) pair.obstacle = stc_deform_obstacle(data->obstacle);
  if (!data->friction.varies) return pair;
  if (stc_callback_is_there(&data->friction.function))
    data->friction.coefficient = stc_coefficient_function(mu_of_pair, data);
  pair.coefficient = &data->friction.coefficient;
  return pair;
}

stc_error stc_deform_describe(stc_scene *scene, stc_arena *arena, stc_fem_description *out) {
  const stc_deform *d = scene->deform;
  int supports = count_components(d->support, d->supports.count, d->used->dim);
  int tractions = count_components(d->load, d->loads.count, d->used->dim);
  stc_body *body = STC_TAKE(arena, stc_body, d->bodies.count);
  stc_support *support = STC_TAKE(arena, stc_support, supports);
  stc_traction *traction = STC_TAKE(arena, stc_traction, tractions);
  stc_pair *pair = STC_TAKE(arena, stc_pair, d->pairs.count);
  STC_TRY(stc_arena_check(arena));
  for (int k = 0; k < d->bodies.count; k++) body[k] = d->body[k].body;
  describe_supports(d, support);
  describe_tractions(d, traction);
  for (int k = 0; k < d->pairs.count; k++) pair[k] = describe_pair(&d->pair[k]);
  *out = (stc_fem_description){.mesh = d->used,
                               .kinematics = d->kinematics,
                               .thickness = d->thickness,
                               .bodies = d->bodies.count,
                               .body = body,
                               .supports = supports,
                               .support = support,
                               .tractions = tractions,
                               .traction = traction,
                               .pairs = d->pairs.count,
                               .pair = pair};
  return stc_deform_describe_heat(d, arena, &out->thermal);
}
