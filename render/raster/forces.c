// Forces of contacts as lines through the contact points: long and wide where they are large.
#include "paint.h"

#include <stdlib.h>

#include "base/vec3.h"

static const double PALE = 0.45;   // part of the colours that is left below forces
static const double MOST = 0.98;   // part of the forces that is not cut
static const double LENGTH = 1.0;  // of the largest force's line, times the size of a body
static const double WIDEST = 5;    // pixels of the largest force in a picture 800 high
static const double THINNEST = 0.9;
static const double USUAL_HEIGHT = 800;
static const double SEEN = 2e-3;  // of the largest: smaller ones are not drawn
// sRGB #1f5f8b holds, #d1495b slides; linear.
static const double holding[3] = {0.0137, 0.1144, 0.2582}, sliding[3] = {0.6376, 0.0666, 0.1046};

static int by_size(const void *a, const void *b) {
  double x = *(const double *)a, y = *(const double *)b;
  return (x > y) - (x < y);
}

// A shock that is far above all others would leave nothing of them.
bool paint_largest(const stage *s, double *largest) {
  double *size = calloc((size_t)s->forces + 1, sizeof *size);
  if (!size) return false;
  for (int k = 0; k < s->forces; k++) size[k] = stc_norm3(s->force[k].f);
  qsort(size, (size_t)s->forces, sizeof *size, by_size);
  int above = (int)((1 - MOST) * s->forces);
  if (s->forces > 0) *largest = fmax(*largest, size[s->forces - 1 - above]);
  free(size);
  return true;
}

// The mean size of the bodies that are framed.
static double body_size(const stage *s) {
  double sum = 0;
  int count = 0;
  for (int k = 0; k < s->items; k++) {
    if (!s->item[k].framed) continue;
    sum += 2 * s->item[k].radius;
    count++;
  }
  return count ? fmin(sum / count, s->size) : s->size;
}

bool paint_force(const stage *s, int k, double largest, paint_line *line) {
  const stage_force *force = &s->force[k];
  double size = stc_norm3(force->f), part = largest > 0 ? fmin(size / largest, 1) : 0;
  if (!(part > SEEN)) return false;
  double half = LENGTH * body_size(s) * part / 2;
  stc_copy3(force->x, line->from);
  stc_copy3(force->x, line->to);
  stc_add3(line->from, -half / size, force->f);
  stc_add3(line->to, half / size, force->f);
  line->width = THINNEST + (WIDEST - THINNEST) * sqrt(part);
  line->color = force->state == STC_CONTACT_SLIP ? sliding : holding;
  return true;
}

void paint_forces(image *picture, const stage *s, const stc_camera *camera, double largest) {
  view v = view_of(camera, picture->width, picture->height);
  size_t count = 3 * (size_t)picture->width * (size_t)picture->height;
  for (size_t k = 0; k < count; k++) picture->rgb[k] = 1 - (float)PALE * (1 - picture->rgb[k]);
  for (int k = 0; k < s->forces; k++) {
    paint_line line;
    double a[3], b[3], from[2], to[2];
    if (!paint_force(s, k, largest, &line)) continue;
    view_point(&v, line.from, a);
    view_point(&v, line.to, b);
    if (!(a[2] > v.nearest && b[2] > v.nearest)) continue;
    view_pixel(&v, a, from);
    view_pixel(&v, b, to);
    image_line(picture, from, to, line.width * picture->height / USUAL_HEIGHT, line.color, 0.85);
  }
}
