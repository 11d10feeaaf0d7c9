// A model: made, asked, its lists and its sentences.
#include "model_data.h"

#include "../base/load.h"
#include "../base/number.h"
#include "../base/vec3.h"

#include <stdarg.h>
#include <stdio.h>

enum { MOST_BYTES = 1 << 26, MOST_REMARKS = 200, SENTENCE = 400 };

static void *add_entry(stc_model *model, void *list, int *count, int *room, size_t size) {
  void *entries = stc_arena_more(&model->arena, *(void **)list, *count, room, size);
  if (!entries) return NULL;
  *(void **)list = entries;
  return memset((char *)entries + (size_t)(*count)++ * size, 0, size);
}

stc_model_body *stc_model_add_body(stc_model *m) {
  stc_model_body *b = add_entry(m, &m->body, &m->bodies, &m->room[0], sizeof *b);
  if (b) b->pose = stc_pose_identity();
  return b;
}

int stc_model_add_light(stc_model *m, int body, int up) {
  stc_model_body *light = stc_model_add_body(m);
  if (!light) return body;
  light->line = m->body[body].line;
  light->parent = up;
  light->pose = m->body[body].pose;
  light->serves = body + 1;
  return m->bodies - 1;
}

stc_model_part *stc_model_add_part(stc_model *m) {
  stc_model_part *p = add_entry(m, &m->part, &m->parts, &m->room[1], sizeof *p);
  if (p) p->mu = -1;
  return p;
}

stc_model_joint *stc_model_add_joint(stc_model *m) {
  stc_model_joint *j = add_entry(m, &m->joint, &m->joints, &m->room[2], sizeof *j);
  if (!j) return NULL;
  const stc_joint usual = stc_default_joint();
  memcpy(j->coordinate, usual.coordinate, sizeof j->coordinate);
  return j;
}

stc_error stc_model_add_ignored(stc_model *m, int a, int b) {
  stc_model_pair *pair = add_entry(m, &m->ignore, &m->ignored, &m->room[3], sizeof *pair);
  if (pair) *pair = (stc_model_pair){{a, b}};
  return stc_arena_check(&m->arena);
}

const char *stc_model_copy(stc_model *m, const char *text) {
  size_t length = strlen(text) + 1;
  char *copy = STC_TAKE_RAW(&m->arena, char, length);
  return copy ? memcpy(copy, text, length) : NULL;
}

stc_error stc_model_remember(stc_model *m, const char *format, ...) {
  char text[SENTENCE];
  va_list list;
  va_start(list, format);
  stc_vsnprintf(text, sizeof text, format, list);
  va_end(list);
  for (int k = 0; k < m->remarks; k++)
    if (!strcmp(m->remark[k], text)) return STC_OK;
  if (m->remarks == MOST_REMARKS) return STC_OK;
  const char **entry = add_entry(m, &m->remark, &m->remarks, &m->room[4], sizeof *entry);
  if (entry) *entry = stc_model_copy(m, text);
  return stc_arena_check(&m->arena);
}

stc_error stc_model_refuse(const stc_model *m, const stc_xml *node, const char *format, ...) {
  char text[SENTENCE];
  va_list list;
  va_start(list, format);
  stc_vsnprintf(text, sizeof text, format, list);
  va_end(list);
  return stc_fail(STC_ERR_FORMAT, "%s:%d: %s", m->path, node->line, text);
}

stc_error stc_model_numbers(const stc_model *m, const stc_xml *node, const char *name,
                            const char *text, int count, double *x) {
  int found = stc_xml_numbers(text, count, x);
  if (found == count) return STC_OK;
  return stc_model_refuse(m, node, "%s of <%s> is '%.60s'; give %d number%s", name, node->name,
                          text, count, count == 1 ? "" : "s");
}

// --- Names and parts ---

int stc_model_find(stc_model *m, const char *name) {
  for (; m->bodies_named < m->bodies; m->bodies_named++) {
    const stc_model_body *body = &m->body[m->bodies_named];
    const stc_named named = {.name = body->name, .number = m->bodies_named};
    if (body->name) stc_names_add(&m->body_names, &m->arena, &named);
  }
  const stc_named *found = stc_names_find(&m->body_names, NULL, name);
  return found ? found->number : -1;
}

int stc_model_find_joint(stc_model *m, const char *name, int *coordinate) {
  for (; m->joints_named < m->joints; m->joints_named++)
    for (int k = 0; k < STC_JOINT_COORDINATES; k++) {
      const char *own = m->joint[m->joints_named].coordinate_name[k];
      const stc_named named = {.name = own, .number = STC_JOINT_COORDINATES * m->joints_named + k};
      if (own) stc_names_add(&m->joint_names, &m->arena, &named);
    }
  const stc_named *found = stc_names_find(&m->joint_names, NULL, name);
  if (!found) return -1;
  *coordinate = found->number % STC_JOINT_COORDINATES;
  return found->number / STC_JOINT_COORDINATES;
}

stc_error stc_model_check_names(stc_model *m, const char *bodies) {
  int coordinate;
  stc_model_find(m, "");  // names all of them
  stc_model_find_joint(m, "", &coordinate);
  STC_TRY(stc_arena_check(&m->arena));
  const stc_named *body = stc_names_twice(&m->body_names),
                  *joint = stc_names_twice(&m->joint_names);
  if (body)
    return stc_fail(STC_ERR_FORMAT, "%s:%d: there are two %s '%.60s'", m->path,
                    m->body[body->number].line, bodies, body->name);
  if (!joint) return STC_OK;
  return stc_fail(STC_ERR_FORMAT, "%s:%d: there are two joints '%.60s'", m->path,
                  m->joint[joint->number / STC_JOINT_COORDINATES].line, joint->name);
}

stc_error stc_model_list_parts(stc_model *m) {
  if (m->first_part) return STC_OK;
  m->first_part = STC_TAKE_RAW(&m->arena, int, m->bodies + 1);
  m->next_part = STC_TAKE_RAW(&m->arena, int, m->parts + 1);
  STC_TRY(stc_arena_check(&m->arena));
  for (int b = 0; b <= m->bodies; b++) m->first_part[b] = -1;
  for (int k = m->parts - 1; k >= 0; k--) {
    int *first = &m->first_part[m->part[k].body + 1];
    m->next_part[k] = *first;
    *first = k;
  }
  return STC_OK;
}

stc_error stc_model_check_shape(const stc_model *m, const stc_xml *node, const stc_shape *shape) {
  if (stc_shape_check(shape) == STC_OK) return STC_OK;
  return stc_model_refuse(m, node, "<%s>: %s", node->name, stc_error_detail());
}

// --- Rotations ---

void stc_model_about(const double axis[3], double angle, double q[4]) {
  double unit[3] = {axis[0], axis[1], axis[2]};
  if (!(stc_unit3(unit) > 0)) angle = 0;
  q[0] = cos(angle / 2);
  for (int k = 0; k < 3; k++) q[k + 1] = sin(angle / 2) * unit[k];
}

void stc_model_euler(const char *sequence, const double angle[3], double q[4]) {
  memcpy(q, (double[]){1, 0, 0, 0}, 4 * sizeof *q);
  for (int k = 0; k < 3; k++) {
    double axis[3] = {0}, one[4], all[4];
    axis[stc_lower(sequence[k]) - 'x'] = 1;
    stc_model_about(axis, angle[k], one);
    bool turns_along = sequence[k] >= 'a';
    stc_rotation_multiply(turns_along ? q : one, turns_along ? one : q, all);
    memcpy(q, all, sizeof all);
  }
}

void stc_model_from_axes(const double x[3], const double y[3], double q[4]) {
  double a[3] = {x[0], x[1], x[2]}, b[3] = {y[0], y[1], y[2]}, c[3];
  stc_unit3(a);
  stc_add3(b, -stc_dot3(a, b), a);
  stc_unit3(b);
  stc_cross3(a, b, c);
  const double R[9] = {a[0], b[0], c[0], a[1], b[1], c[1], a[2], b[2], c[2]};
  // Of a matrix by rows   [Shepperd 1978].
  double square[4] = {1 + R[0] + R[4] + R[8], 1 + R[0] - R[4] - R[8], 1 - R[0] + R[4] - R[8],
                      1 - R[0] - R[4] + R[8]};
  const double sums[4][4] = {{0, R[7] - R[5], R[2] - R[6], R[3] - R[1]},
                             {R[7] - R[5], 0, R[1] + R[3], R[2] + R[6]},
                             {R[2] - R[6], R[1] + R[3], 0, R[5] + R[7]},
                             {R[3] - R[1], R[2] + R[6], R[5] + R[7], 0}};
  int best = 0;
  for (int k = 1; k < 4; k++)
    if (square[k] > square[best]) best = k;
  for (int k = 0; k < 4; k++) q[k] = k == best ? square[k] : sums[best][k];
  stc_rotation_normalise(q);
}

void stc_model_to_axis(const double z[3], double q[4]) {
  double n[3] = {z[0], z[1], z[2]}, a[3], b[3];
  stc_unit3(n);
  double axis[3] = {-n[1], n[0], 0}, sine = stc_norm3(axis);
  if (sine > 1e-9) {
    stc_model_about(axis, atan2(sine, n[2]), q);
    return;
  }
  stc_frame3(n, a, b);
  stc_cross3(n, a, b);
  stc_model_from_axes(a, b, q);
}

void stc_model_rotate_inertia(const double rotation[4], const double six[6], double J[9]) {
  const double A[9] = {six[0], six[3], six[5], six[3], six[1], six[4], six[5], six[4], six[2]};
  double R[9], RA[9] = {0};
  stc_rotation_matrix(rotation, R);
  memset(J, 0, 9 * sizeof *J);
  for (int i = 0; i < 3; i++)
    for (int j = 0; j < 3; j++)
      for (int k = 0; k < 3; k++) RA[3 * i + j] += R[3 * i + k] * A[3 * k + j];
  for (int i = 0; i < 3; i++)
    for (int j = 0; j < 3; j++)
      for (int k = 0; k < 3; k++) J[3 * i + j] += RA[3 * i + k] * R[3 * j + k];
}

/// J += m (|d|^2 1 - d d^T).
static void shift_inertia(double m, const double d[3], double J[9]) {
  for (int i = 0; i < 3; i++)
    for (int j = 0; j < 3; j++) J[3 * i + j] += m * ((i == j ? stc_dot3(d, d) : 0) - d[i] * d[j]);
}

void stc_model_add_mass(stc_model_body *b, double mass, const double centre[3],
                        const double inertia[9]) {
  double all = b->mass + mass, middle[3], d[3];
  if (!(all > 0)) return;
  for (int i = 0; i < 3; i++) middle[i] = (b->mass * b->centre[i] + mass * centre[i]) / all;
  for (int k = 0; k < 9; k++) b->inertia[k] += inertia[k];
  stc_sub3(b->centre, middle, d);
  shift_inertia(b->mass, d, b->inertia);
  stc_sub3(centre, middle, d);
  shift_inertia(mass, d, b->inertia);
  stc_copy3(middle, b->centre);
  b->mass = all;
  b->given = true;
}

// --- Meshes ---

enum { UP = 2, PATH = 1024 };  // directories above the model's
// Meshes and ellipsoids of a model, and bytes of all its files: more than robots need.
enum { MOST_HULLS = 10000, MOST_MESH_BYTES = 1 << 30 };

/// The name behind a scheme and the name of a package, and behind steps up.
static const char *plain_name(const char *file) {
  const char *scheme = strstr(file, "://");
  bool package = !strncmp(file, "package://", 10);
  if (scheme) file = scheme + 3;
  if (package && strchr(file, '/')) file = strchr(file, '/') + 1;
  while (!strncmp(file, "../", 3) || !strncmp(file, "./", 2)) file = strchr(file, '/') + 1;
  return file;
}

static stc_error load_mesh(const stc_model *m, const char *file, char **bytes, size_t *length) {
  char directory[PATH];
  stc_error error = STC_OK;
  for (int up = 0; up <= UP; up++) {
    stc_snprintf(directory, sizeof directory, "%s%s", m->directory,
                 up == 2 ? "../.."
                 : up    ? ".."
                         : "");
    error = stc_load_below(*directory ? directory : "", plain_name(file), "a mesh", MOST_BYTES,
                           bytes, length);
    if (!error) return STC_OK;
  }
  return error;
}

static stc_error make_hull(stc_model *m, const stc_xml *node, const char *file,
                           const double scale[3], stc_hull **hull) {
  char *bytes = NULL;
  size_t length = 0;
  stc_triangle_mesh mesh = {0};
  if (load_mesh(m, file, &bytes, &length))
    return stc_model_refuse(m, node, "mesh '%.80s' is not there: %s", file, stc_error_detail());
  m->mesh_bytes += length;
  if (m->mesh_bytes > MOST_MESH_BYTES) {
    stc_release(&bytes);
    return stc_model_refuse(m, node, "its meshes have more than %d bytes", MOST_MESH_BYTES);
  }
  stc_error error = stc_triangle_mesh_read_bytes(file, bytes, length, &mesh);
  stc_release(&bytes);
  for (int i = 0; !error && i < 3 * mesh.points; i++) mesh.point[i] *= scale[i % 3];
  if (!error) error = stc_hull_create(mesh.points, mesh.point, hull);
  stc_triangle_mesh_free(&mesh);
  return error ? stc_model_refuse(m, node, "mesh '%.80s': %s", file, stc_error_detail()) : STC_OK;
}

stc_error stc_model_mesh(stc_model *m, const stc_xml *node, const char *file, const double scale[3],
                         const stc_hull **hull) {
  for (int k = 0; k < m->hulls; k++) {
    *hull = m->hull[k].hull;
    if (!strcmp(m->hull[k].file, file) && !memcmp(m->hull[k].scale, scale, 3 * sizeof *scale))
      return STC_OK;
  }
  if (m->hulls == MOST_HULLS)
    return stc_model_refuse(m, node, "it has more than %d meshes and ellipsoids", MOST_HULLS);
  stc_model_hull *entry = add_entry(m, &m->hull, &m->hulls, &m->room[5], sizeof *entry);
  if (!entry) return stc_arena_check(&m->arena);
  memcpy(entry->scale, scale, sizeof entry->scale);
  entry->file = stc_model_copy(m, file);
  STC_TRY(stc_arena_check(&m->arena));
  STC_TRY(make_hull(m, node, file, scale, &entry->hull));
  *hull = entry->hull;
  return stc_model_remember(m, "mesh '%s' is read as its convex hull", file);
}

stc_error stc_model_keep_hull(stc_model *m, stc_hull *hull) {
  stc_model_hull *entry = NULL;
  if (m->hulls < MOST_HULLS) entry = add_entry(m, &m->hull, &m->hulls, &m->room[5], sizeof *entry);
  if (entry) {
    *entry = (stc_model_hull){.file = "", .hull = hull};
    return STC_OK;
  }
  stc_hull_free(&hull);
  STC_TRY(stc_arena_check(&m->arena));
  return stc_fail(STC_ERR_FORMAT, "%s:0: it has more than %d meshes and ellipsoids", m->path,
                  MOST_HULLS);
}

// --- The whole ---

static void keep_directory(stc_model *m) {
  const char *slash = strrchr(m->path, '/');
  size_t length = slash ? (size_t)(slash - m->path) + 1 : 0;
  m->directory = STC_TAKE(&m->arena, char, length + 1);
  if (m->directory) memcpy(m->directory, m->path, length);
}

static stc_error read_root(stc_model *m, const void *bytes, size_t length) {
  stc_xml *root = NULL;
  STC_TRY(stc_arena_check(&m->arena));
  STC_TRY(stc_xml_read(m->path, bytes, length, &m->arena, &root));
  root->seen = true;
  if (!strcmp(root->name, "robot"))
    STC_TRY(stc_model_read_urdf(m, root));
  else if (!strcmp(root->name, "mujoco"))
    STC_TRY(stc_model_read_mjcf(m, root));
  else
    return stc_model_refuse(m, root, "<%.60s> is neither <robot> (URDF) nor <mujoco> (MJCF)",
                            root->name);
  STC_TRY(stc_arena_check(&m->arena));
  return stc_model_finish(m, root);
}

stc_error stc_model_read_bytes(const char *path, const void *bytes, size_t length,
                               stc_model **model) {
  if (!path || (!bytes && length > 0) || !model)
    return stc_fail(STC_ERR_ARGUMENT, "a model needs a path, bytes and a place");
  *model = NULL;
  stc_model *made = stc_calloc(1, sizeof *made);
  if (!made) return stc_fail(STC_ERR_MEMORY, "out of memory for a model");
  made->gravity[2] = -9.81;
  made->root = -1;
  made->path = stc_model_copy(made, path);
  made->name = "";
  if (made->path) keep_directory(made);
  stc_error error = read_root(made, bytes, length);
  if (error) stc_model_free(&made);
  *model = made;
  return error;
}

stc_error stc_model_read(const char *path, stc_model **model) {
  char *bytes = NULL;
  size_t length = 0;
  if (!path || !model) return stc_fail(STC_ERR_ARGUMENT, "a model needs a path and a place");
  STC_TRY(stc_load(path, "a model", MOST_BYTES, &bytes, &length));
  stc_error error = stc_model_read_bytes(path, bytes, length, model);
  stc_release(&bytes);
  return error;
}

void stc_model_free(stc_model **model) {
  if (!model || !*model) return;
  stc_model *m = *model;
  for (int k = 0; k < m->hulls; k++) stc_hull_free(&m->hull[k].hull);
  stc_text_free(&m->text);
  stc_arena_free(&m->arena);
  stc_release(model);
}

int stc_model_bodies(const stc_model *model) { return model->bodies; }
int stc_model_joints(const stc_model *model) { return model->joints; }
int stc_model_remarks(const stc_model *model) { return model->remarks; }

const char *stc_model_remark(const stc_model *model, int k) {
  return k >= 0 && k < model->remarks ? model->remark[k] : NULL;
}
