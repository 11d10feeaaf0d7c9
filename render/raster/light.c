// Shadows by maps: a view along the light knows what it meets first [Williams 1978].
#include "paint.h"

#include <float.h>

#include "base/vec3.h"

enum { SHADOWS = 1024 };  // width and height of a map

static const double PI = 3.14159265358979323846;
static const double GOLDEN = 0.61803398874989484820;  // (sqrt(5) - 1) / 2
static const double SUN_SIZE = 0.05;                  // radius of its disc, rad
static const double ASIDE = 0.58, BEHIND = 0.70;      // of the sun's height
static const double OFF = 1.5;                        // pixels of a map off the surface

// ---- directions

void light_sun(const stage *s, const view *v, double sun[3]) {
  double left[3], back[3];
  stc_cross3(s->up, v->ahead, left);
  if (!(stc_norm3(left) > 1e-6)) {
    for (int i = 0; i < 3; i++) left[i] = -v->right[i];
  }
  stc_unit3(left);
  stc_cross3(left, s->up, back);
  for (int i = 0; i < 3; i++) sun[i] = s->up[i] + ASIDE * left[i] - BEHIND * back[i];
  stc_unit3(sun);
}

// A direction at an angle from the axis, turned about it.
static void direction(const double axis[3], double cosine, double rotation, double l[3]) {
  double a[3], b[3], sine = sqrt(fmax(0, 1 - cosine * cosine));
  stc_frame3(axis, a, b);
  for (int i = 0; i < 3; i++) {
    l[i] = cosine * axis[i] + sine * (cos(rotation) * a[i] + sin(rotation) * b[i]);
  }
}

// Point k of n, spread evenly over the unit square.
static void spread_point(int k, int n, double *a, double *b) {
  *a = (k + 0.5) / n;
  *b = k * GOLDEN - floor(k * GOLDEN);
}

void light_sun_in_pass(const double sun[3], int pass, int k, double l[3]) {
  double a, b;
  spread_point(pass + k * LIGHT_PASSES, LIGHT_PASSES * LIGHT_SUNS, &a, &b);
  direction(sun, cos(SUN_SIZE * sqrt(a)), 2 * PI * b, l);
}

void light_sky_in_pass(const double up[3], int pass, int k, double l[3]) {
  double a, b;
  spread_point(pass + k * LIGHT_PASSES, LIGHT_PASSES * LIGHT_SKIES, &a, &b);
  direction(up, 1 - a, 2 * PI * b, l);
}

// ---- shadows

bool light_make(light_lamp *lamp, const stage *s) {
  double low[3] = {DBL_MAX, DBL_MAX, DBL_MAX}, high[3] = {-DBL_MAX, -DBL_MAX, -DBL_MAX};
  lamp->radius = 0;
  for (int k = 0; k < s->items; k++) {
    const stage_item *item = &s->item[k];
    for (int i = 0; i < 3 && item->casts; i++) {
      low[i] = fmin(low[i], item->centre[i] - item->radius);
      high[i] = fmax(high[i], item->centre[i] + item->radius);
    }
  }
  for (int i = 0; i < 3; i++) lamp->centre[i] = (low[i] + high[i]) / 2;
  for (int k = 0; k < s->items; k++) {
    const stage_item *item = &s->item[k];
    double reach = stc_distance3(item->centre, lamp->centre) + item->radius;
    if (item->casts) lamp->radius = fmax(lamp->radius, reach);
  }
  return layer_make(&lamp->shadow, SHADOWS, SHADOWS, true);
}

void light_free(light_lamp *lamp) { layer_free(&lamp->shadow); }

// Where a camera's eye and axes are on a map: across, down, and nearness to the light.
typedef struct chart {
  double eye[3], right[3], up[3], ahead[3];
} chart;

static void turn_onto(const view *along, const double d[3], double on[3]) {
  on[0] = along->scale * stc_dot3(along->right, d);
  on[1] = -along->scale * stc_dot3(along->up, d);
  on[2] = -stc_dot3(along->ahead, d);
}

static chart chart_of(const view *along, const view *v) {
  chart c;
  double eye[3];
  stc_sub3(v->eye, along->eye, eye);
  turn_onto(along, eye, c.eye);
  turn_onto(along, v->right, c.right);
  turn_onto(along, v->up, c.up);
  turn_onto(along, v->ahead, c.ahead);
  c.eye[0] += along->middle[0];
  c.eye[1] += along->middle[1];
  return c;
}

// Where on the map the place is that is seen along a ray: eye + z (ahead + x right + y up).
static void find_on_chart(const chart *c, const view *v, double x, double y, double near,
                          double at[3]) {
  double z = v->parallel ? -near : 1 / near, spread = v->parallel ? 1 : z;
  for (int i = 0; i < 3; i++) {
    at[i] = c->eye[i] + z * c->ahead[i] + spread * (x * c->right[i] + y * c->up[i]);
  }
}

static bool is_lit(const light_lamp *lamp, const double at[3]) {
  if (!(at[0] >= 0 && at[0] < SHADOWS && at[1] >= 0 && at[1] < SHADOWS)) return true;
  return (float)at[2] >= lamp->shadow.near[(size_t)at[1] * SHADOWS + (size_t)at[0]];
}

// Places are moved off their surface by a pixel of the map, so that it does not shade itself.
static void light_row(const light_lamp *lamp, const light_target *on, const view *along,
                      const chart *c, double brightness, int j) {
  const view *v = on->v;
  double y = (v->middle[1] - j - 0.5) / v->scale, texel = 1 / along->scale;
  for (int i = 0; i < v->width; i++) {
    size_t k = (size_t)j * (size_t)v->width + (size_t)i;
    const float *m = on->seen->normal + 3 * k;
    if (on->seen->item[k] < 0) continue;
    double n[3] = {(double)m[0], (double)m[1], (double)m[2]}, at[3];
    double slope = -stc_dot3(n, along->ahead);
    if (!(slope > 0)) continue;
    find_on_chart(c, v, (i + 0.5 - v->middle[0]) / v->scale, y, (double)on->seen->near[k], at);
    at[0] += OFF * stc_dot3(along->right, n);
    at[1] -= OFF * stc_dot3(along->up, n);
    at[2] += texel * (1 + OFF * slope);
    if (is_lit(lamp, at)) on->sum[k] += (float)(brightness * slope);
  }
}

void light_add(light_lamp *lamp, const light_target *on, const double l[3], double brightness,
               crew *c, int me) {
  int rows[2];
  if (!(lamp->radius > 0)) return;
  double unused[3];
  stc_camera camera = {.width = 2.02 * lamp->radius};
  stc_copy3(lamp->centre, camera.to);
  stc_copy3(lamp->centre, camera.from);
  stc_add3(camera.from, 2 * lamp->radius, l);
  stc_frame3(l, camera.up, unused);
  view along = view_of(&camera, SHADOWS, SHADOWS);
  chart map = chart_of(&along, on->v);
  crew_rows(c, me, SHADOWS, rows);
  layer_draw(&lamp->shadow, &along, on->s, rows);
  crew_wait(c);  // for the map
  crew_rows(c, me, on->v->height, rows);
  for (int j = rows[0]; j < rows[1]; j++) light_row(lamp, on, &along, &map, brightness, j);
  crew_wait(c);  // the map is no longer used
}
