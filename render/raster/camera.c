// Cameras: a pinhole at `eye`, or parallel light.
//   pixel = middle + scale (x, -y) / z        parallel: middle + scale (x, -y)
#include "camera.h"

#include <float.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/vec3.h"

static const double PI = 3.14159265358979323846;
static const double USUAL_ANGLE = 28;  // degrees: a portrait lens
static const double MARGIN = 0.07;     // of the picture, around what is framed
static const double NEAREST = 1e-3;    // of the distance from the eye to what it looks at

// ---- points and pixels

view view_of(const stc_camera *camera, int width, int height) {
  view v = {.width = width, .height = height, .parallel = !(camera->angle > 0)};
  stc_copy3(camera->from, v.eye);
  stc_sub3(camera->to, camera->from, v.ahead);
  double distance = stc_norm3(v.ahead);
  stc_unit3(v.ahead);
  stc_cross3(v.ahead, camera->up, v.right);
  if (!(stc_norm3(v.right) > 1e-9 * stc_norm3(camera->up))) {
    double unused[3];
    stc_frame3(v.ahead, v.right, unused);
  }
  stc_unit3(v.right);
  stc_cross3(v.right, v.ahead, v.up);
  v.middle[0] = width / 2.0, v.middle[1] = height / 2.0;
  v.scale = v.parallel ? width / camera->width : height / 2.0 / tan(camera->angle * PI / 360);
  v.nearest = v.parallel ? -DBL_MAX : NEAREST * distance;
  return v;
}

void view_point(const view *v, const double x[3], double seen[3]) {
  double from_eye[3];
  stc_sub3(x, v->eye, from_eye);
  seen[0] = stc_dot3(v->right, from_eye);
  seen[1] = stc_dot3(v->up, from_eye);
  seen[2] = stc_dot3(v->ahead, from_eye);
}

void view_pixel(const view *v, const double seen[3], double pixel[2]) {
  double scale = v->parallel ? v->scale : v->scale / seen[2];
  pixel[0] = v->middle[0] + scale * seen[0];
  pixel[1] = v->middle[1] - scale * seen[1];
}

double view_nearness(const view *v, double z) { return v->parallel ? -z : 1 / z; }

void view_ray(const view *v, double px, double py, double from[3], double along[3]) {
  double x = (px - v->middle[0]) / v->scale, y = (v->middle[1] - py) / v->scale;
  double *offset = v->parallel ? from : along;
  stc_copy3(v->eye, from);
  stc_copy3(v->ahead, along);
  stc_add3(offset, x, v->right);
  stc_add3(offset, y, v->up);
}

void view_place(const view *v, double px, double py, double nearness, double x[3]) {
  double along[3];
  view_ray(v, px, py, x, along);
  stc_add3(x, v->parallel ? -nearness : 1 / nearness, along);
}

// The faces of round bodies have several normals: their mean decides.
bool view_faces(const view *v, const surface *s, int face) {
  double n[3] = {0}, away[3];
  stc_sub3(s->vertex[s->corner[s->first[face]]].x, v->eye, away);
  for (int k = s->first[face]; k < s->first[face + 1]; k++) {
    stc_add3(n, 1, s->vertex[s->corner[k]].n);
  }
  return stc_dot3(v->parallel ? v->ahead : away, n) < 0;
}

// ---- a camera that sees everything

// From the front, a little from the right and from above; the front is the longer side.
static void usual_direction(const stage *s, double ahead[3]) {
  double side[3], front[3], size[2];
  stc_frame3(s->up, side, front);
  stc_scale3(-1, side, side), stc_scale3(-1, front, front);
  if (fabs(s->up[2]) > 0.9) {  // x to the right, y away from the eye
    double x[3] = {1, 0, 0};
    stc_cross3(s->up, x, front);
    stc_unit3(front);
    stc_cross3(front, s->up, side);
  }
  for (int k = 0; k < 2; k++) {
    const double *axis = k ? front : side;
    size[k] = 0;
    for (int i = 0; i < 3; i++) size[k] += fabs(axis[i]) * (s->high[i] - s->low[i]);
  }
  double turned = size[1] > 1.5 * size[0] ? 1.0 : 0.45;
  double aside = turned, away = size[1] > 1.5 * size[0] ? 0.45 : 1.0, down = 0.38;
  for (int i = 0; i < 3; i++) ahead[i] = -aside * side[i] + away * front[i] - down * s->up[i];
}

view_frame view_frame_begin(const stage *s, int width, int height) {
  stc_camera camera = {.angle = s->flat ? 0 : USUAL_ANGLE, .width = 1};
  if (s->flat) {
    camera.to[2] = -1, camera.up[1] = 1;
  } else {
    usual_direction(s, camera.to);
    stc_copy3(s->up, camera.up);
  }
  view_frame frame = {.v = view_of(&camera, width, height)};
  double half = s->flat ? 1 : tan(USUAL_ANGLE * PI / 360);
  frame.tangent[0] = half * (1 - 2 * MARGIN) * width / height;
  frame.tangent[1] = half * (1 - 2 * MARGIN);
  for (int k = 0; k < 4 * VIEW_SLOPES; k++) {
    frame.reach[k / VIEW_SLOPES][k % VIEW_SLOPES] = -DBL_MAX;
  }
  frame.near = DBL_MAX, frame.far = -DBL_MAX;
  return frame;
}

static double slope_of(const view_frame *frame, int side, int k) {
  return frame->tangent[side / 2] * k / (VIEW_SLOPES - 1);
}

// Of a ball, x - slope z is greatest where r sqrt(1 + slope^2) is added.
static void add_ball(view_frame *frame, const double x[3], double radius) {
  double seen[3];
  view_point(&frame->v, x, seen);
  for (int side = 0; side < 4; side++) {
    double out = side % 2 ? seen[side / 2] : -seen[side / 2];
    for (int k = 0; k < VIEW_SLOPES; k++) {
      double slope = slope_of(frame, side, k);
      double reach = out - slope * seen[2] + radius * sqrt(1 + slope * slope);
      frame->reach[side][k] = fmax(frame->reach[side][k], reach);
    }
  }
  frame->near = fmin(frame->near, seen[2] - radius);
  frame->far = fmax(frame->far, seen[2] + radius);
}

void view_frame_add(view_frame *frame, const stage *s) {
  for (int k = 0; k < s->items; k++) {
    const stage_item *item = &s->item[k];
    if (!item->framed) continue;
    if (item->kind == STAGE_BALL) add_ball(frame, item->centre, item->radius);
    for (int v = 0; v < item->vertices && item->kind != STAGE_BALL; v++) {
      add_ball(frame, s->surface.vertex[item->first_vertex + v].x, 0);
    }
  }
}

// The nearest z of an eye that sees all within the two sides of an axis.
static double nearest_eye(const view_frame *f, int axis) {
  const int last = VIEW_SLOPES - 1;
  return -(f->reach[2 * axis][last] + f->reach[2 * axis + 1][last]) / (2 * f->tangent[axis]);
}

// Where an eye at z has as much room on one side of an axis as on the other: the slopes of both
// are the same s, for which the reaches of both sides and 2 s z add up to 0.
static double middle_of(const view_frame *f, int axis, double z) {
  const double *one = f->reach[2 * axis], *other = f->reach[2 * axis + 1];
  double left = one[0] + other[0];
  int k = 1;
  for (; k < VIEW_SLOPES - 1; k++) {
    double room = one[k] + other[k] + 2 * slope_of(f, 2 * axis, k) * z;
    if (room <= 0) break;
    left = room;
  }
  double room = one[k] + other[k] + 2 * slope_of(f, 2 * axis, k) * z;
  double part = left > room ? fmin(fmax(left / (left - room), 0), 1) : 0;
  double here = other[k] - one[k], before = other[k - 1] - one[k - 1];
  return (before + part * (here - before)) / 2;
}

static void look_parallel(const view_frame *f, stc_camera *camera, double *x, double *y,
                          double *z) {
  double wide = f->reach[0][0] + f->reach[1][0], high = f->reach[2][0] + f->reach[3][0];
  camera->width = fmax(wide, high * f->tangent[0] / f->tangent[1]) / (1 - 2 * MARGIN);
  if (!(camera->width > 0)) camera->width = 1;
  *x = (f->reach[1][0] - f->reach[0][0]) / 2;
  *y = (f->reach[3][0] - f->reach[2][0]) / 2;
  *z = f->near - camera->width;
}

stc_camera view_frame_camera(const view_frame *frame) {
  view_frame f = *frame;
  const view *v = &f.v;
  stc_camera camera = {.angle = v->parallel ? 0 : USUAL_ANGLE};
  double x, y, z;
  if (!(f.near <= f.far)) add_ball(&f, (double[3]){0}, 1);
  if (v->parallel) {
    look_parallel(&f, &camera, &x, &y, &z);
  } else {
    z = fmin(nearest_eye(&f, 0), nearest_eye(&f, 1));
    if (!(z < f.near)) z = f.near - 1;  // nothing but a point
    x = middle_of(&f, 0, z);
    y = middle_of(&f, 1, z);
  }
  stc_add3(camera.from, x, v->right);
  stc_add3(camera.from, y, v->up);
  stc_copy3(camera.from, camera.to);
  stc_add3(camera.from, z, v->ahead);
  stc_add3(camera.to, (f.near + f.far) / 2, v->ahead);
  stc_copy3(v->up, camera.up);
  return camera;
}

// ---- a camera in words

static bool read_numbers(const char **at, double *value, int count) {
  for (int k = 0; k < count; k++) {
    char *end;
    value[k] = strtod(*at, &end);
    if (end == *at || !isfinite(value[k]) || (k + 1 < count && *end != ',')) return false;
    *at = end + (k + 1 < count);
  }
  return **at == 0 || **at == ' ';
}

static bool complain_of_word(char *reason, size_t size, const char *word) {
  snprintf(reason, size,
           "'%.60s' is no part of a camera; it is made of from=x,y,z to=x,y,z up=x,y,z and "
           "angle=degrees or width=m, or is auto",
           word);
  return false;
}

static bool check_camera(const stc_camera *camera, char *reason, size_t size) {
  const char *wrong = NULL;
  if (!(stc_distance3(camera->from, camera->to) > 0)) wrong = "from and to are the same point";
  if (!(stc_norm3(camera->up) > 0)) wrong = "up has no length";
  if (!(camera->angle >= 0 && camera->angle < 170))
    wrong = "the angle is not from 0 to 170 degrees";
  if (camera->angle <= 0 && !(camera->width > 0)) wrong = "a parallel view needs a width in m";
  if (wrong) snprintf(reason, size, "%s", wrong);
  return !wrong;
}

bool view_parse(const char *text, stc_camera *camera, char *reason, size_t size) {
  const struct {
    const char *name;
    double *value;
    int count;
  } entries[] = {{"from=", camera->from, 3},
                 {"to=", camera->to, 3},
                 {"up=", camera->up, 3},
                 {"angle=", &camera->angle, 1},
                 {"width=", &camera->width, 1}};
  for (const char *at = text; *at;) {
    size_t k = 0;
    while (*at == ' ') at++;
    if (*at == 0) break;
    while (k < 5 && strncmp(at, entries[k].name, strlen(entries[k].name)) != 0) k++;
    if (k == 5) return complain_of_word(reason, size, at);
    const char *word = at;
    at += strlen(entries[k].name);
    if (!read_numbers(&at, entries[k].value, entries[k].count))
      return complain_of_word(reason, size, word);
    if (k == 4) camera->angle = 0;
  }
  return check_camera(camera, reason, size);
}
