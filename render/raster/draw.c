// Stages as SVG: convex pieces from behind to the front, faces in the colour of their light, balls
// as ellipses with a gradient, shadows of convex bodies on a level ground.
#include "draw.h"

#include <stdlib.h>

#include "../plot.h"
#include "base/vec3.h"
#include "paint.h"

enum { ROUND = 40 };  // corners of a ball's shadow

static const double PI = 3.14159265358979323846;
static const double SUN = 0.62, SKY = 0.46, BELOW = 0.14;  // light, as in paint.c
static const double OUTLINE = 0.45, EDGE = 0.62;           // of the light, on lines
static const double LINE = 0.9;                            // pixels
static const double GRID_REACH = 1.5;                      // of the scene's size
static const double USUAL_HEIGHT = 800;

typedef struct sheet {
  FILE *out;
  const stage *s;
  const draw_options *options;
  view v;
  double sun[3];
  double (*flat)[2];  // points of an outline
  int room;
  bool failed;  // out of memory: something is missing
} sheet;

// ---- words of SVG

static void put_color(FILE *out, const double color[3], double light) {
  double rgb[3];
  for (int i = 0; i < 3; i++) rgb[i] = stage_encoded(light * color[i]);
  svg_color(out, rgb);
}

static void put_points(FILE *out, double (*point)[2], int count) {
  for (int k = 0; k < count; k++)
    fprintf(out, "%s%.2f,%.2f", k ? " " : "", point[k][0], point[k][1]);
}

static void put_stroke(FILE *out, const double color[3], double light, double width) {
  fputs(" stroke=\"", out);
  put_color(out, color, light);
  fprintf(out, "\" stroke-width=\"%.3g\"", width);
}

static bool room_for_points(sheet *p, int count) {
  if (count <= p->room) return true;
  double(*larger)[2] = realloc(p->flat, (size_t)count * sizeof *larger);
  p->failed = p->failed || !larger;
  if (!larger) return false;
  p->flat = larger;
  p->room = count;
  return true;
}

// ---- outlines

static int by_x_then_y(const void *a, const void *b) {
  const double *x = a, *y = b;
  if (x[0] != y[0]) return x[0] < y[0] ? -1 : 1;
  return (x[1] > y[1]) - (x[1] < y[1]);
}

static double turns(const double a[2], const double b[2], const double c[2]) {
  return (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0]);
}

// Convex hull of points [2*count], in place [Andrew 1979]; the second half is work space.
static int outline(double (*point)[2], int count) {
  double(*hull)[2] = point + count;
  int kept = 0;
  qsort(point, (size_t)count, sizeof *point, by_x_then_y);
  for (int pass = 0; pass < 2; pass++) {
    int least = kept + 1;
    for (int k = 0; k < count; k++) {
      const double *next = point[pass ? count - 1 - k : k];
      while (kept > least && turns(hull[kept - 2], hull[kept - 1], next) <= 0) kept--;
      memcpy(hull[kept++], next, sizeof *hull);
    }
    kept--;  // the last one begins the other half
  }
  memmove(point, hull, (size_t)kept * sizeof *point);
  return kept;
}

// ---- behind everything

static void put_background(const sheet *p) {
  FILE *out = p->out;
  double rgb[3];
  fputs("<defs><linearGradient id=\"behind\" x2=\"0\" y2=\"1\">", out);
  for (int k = 0; k < 2; k++) {
    paint_background(k, rgb);
    fprintf(out, "<stop offset=\"%d\" stop-color=\"", k);
    put_color(out, rgb, 1);
    fputs("\"/>", out);
  }
  fputs("</linearGradient></defs>\n<rect width=\"100%\" height=\"100%\" fill=\"url(#behind)\"/>\n",
        out);
}

// Pixel of a place; false: it is not ahead.
static bool pixel_of(const sheet *p, const double x[3], double pixel[2]) {
  double seen[3];
  view_point(&p->v, x, seen);
  if (!(seen[2] > p->v.nearest)) return false;
  view_pixel(&p->v, seen, pixel);
  return true;
}

// The grid, line by line in pieces: those that are not ahead are left out, far ones are pale.
static void put_grid(const sheet *p, const stage_item *ground) {
  enum { PIECES = 12 };
  double axis[2][3], middle[3], spacing = paint_spacing(p->s), reach = GRID_REACH * p->s->size;
  stc_frame3(ground->normal, axis[0], axis[1]);
  for (int i = 0; i < 3; i++) middle[i] = (p->s->low[i] + p->s->high[i]) / 2;
  stc_sub3(middle, ground->centre, middle);
  int lines = (int)fmin(reach / spacing, 60);
  for (int side = 0; side < 2; side++) {
    const double *along = axis[side], *across = axis[1 - side];
    double start = stc_dot3(across, ground->centre) + stc_dot3(across, middle);
    double here = stc_dot3(along, middle);
    for (int k = -lines; k <= lines; k++) {
      double off = (round(start / spacing) + k) * spacing - stc_dot3(across, ground->centre);
      for (int piece = 0; piece < PIECES; piece++) {
        double a[3], b[3], from[2], to[2], t = (2.0 * piece + 1) / PIECES - 1;
        double faint = 1 - t * t - (double)k * k / (lines + 1.0) / (lines + 1.0);
        stc_copy3(ground->centre, a);
        stc_add3(a, off, across);
        stc_copy3(a, b);
        stc_add3(a, here + reach * (t - 1.0 / PIECES), along);
        stc_add3(b, here + reach * (t + 1.0 / PIECES), along);
        if (faint <= 0 || !pixel_of(p, a, from) || !pixel_of(p, b, to)) continue;
        fprintf(p->out, "<path d=\"M%.2f %.2fL%.2f %.2f\" opacity=\"%.2f\"/>\n", from[0], from[1],
                to[0], to[1], faint);
      }
    }
  }
}

// The shadow of a point on the ground, as a pixel.
static bool shadow_of(const sheet *p, const stage_item *ground, const double x[3],
                      double pixel[2]) {
  double to[3], on[3];
  stc_sub3(x, ground->centre, to);
  double height = stc_dot3(to, ground->normal);
  if (height < 0) return false;
  stc_copy3(x, on);
  stc_add3(on, -height / stc_dot3(p->sun, ground->normal), p->sun);
  return pixel_of(p, on, pixel);
}

static void put_shadow(sheet *p, const stage_item *ground, const stage_item *item) {
  bool ball = item->kind == STAGE_BALL;
  int count = ball ? ROUND : item->vertices, kept = 0;
  double a[3], b[3];
  if (!item->casts || item->kind == STAGE_SHEET || !room_for_points(p, 4 * count + 4)) return;
  stc_frame3(p->sun, a, b);
  for (int k = 0; k < count; k++) {
    double x[3], rotation = 2 * PI * k / ROUND;
    stc_copy3(ball ? item->centre : p->s->surface.vertex[item->first_vertex + k].x, x);
    if (ball)
      stc_add3(x, item->radius * cos(rotation), a), stc_add3(x, item->radius * sin(rotation), b);
    kept += shadow_of(p, ground, x, p->flat[kept]);
  }
  if (kept < 3) return;
  kept = outline(p->flat, kept);
  fputs("<polygon points=\"", p->out);
  put_points(p->out, p->flat, kept);
  fputs("\"/>\n", p->out);
}

static void put_ground(sheet *p, const stage_item *ground) {
  fputs("<g fill=\"none\" stroke=\"#8a93a0\" stroke-opacity=\"0.25\" stroke-width=\"0.8\">\n",
        p->out);
  put_grid(p, ground);
  fprintf(p->out,
          "</g>\n<defs><filter id=\"soft\" x=\"-5%%\" y=\"-5%%\" width=\"110%%\" height=\"110%%\">"
          "<feGaussianBlur stdDeviation=\"%.2g\"/></filter></defs>\n"
          "<g fill=\"#2b3442\" opacity=\"0.26\" filter=\"url(#soft)\">\n",
          p->v.height / 300.0);
  for (int k = 0; k < p->s->items; k++) put_shadow(p, ground, &p->s->item[k]);
  fputs("</g>\n", p->out);
}

// In a flat world: the half plane, far beyond the picture.
static void put_half_plane(const sheet *p, const stage_item *ground) {
  double along[3], far = 100 * fmax(p->s->size, p->v.width / p->v.scale), corner[4][2];
  stc_cross3(p->v.ahead, ground->normal, along);
  for (int k = 0; k < 4; k++) {
    double x[3];
    stc_copy3(ground->centre, x);
    stc_add3(x, k == 0 || k == 3 ? far : -far, along);
    if (k >= 2) stc_add3(x, -far, ground->normal);
    if (!pixel_of(p, x, corner[k])) return;
  }
  fputs("<polygon points=\"", p->out);
  put_points(p->out, corner, 4);
  fputs("\" fill=\"", p->out);
  put_color(p->out, ground->color, 1);
  fputc('"', p->out);
  put_stroke(p->out, ground->color, 0.3, LINE);
  fputs("/>\n", p->out);
}

// ---- bodies

static double light_on(const sheet *p, const double n[3]) {
  double up = stc_dot3(n, p->s->up);
  if (p->s->flat) return 1;
  return SUN * fmax(0, stc_dot3(n, p->sun)) + SKY * (0.5 + 0.5 * up) + BELOW * (0.5 - 0.5 * up);
}

// A gradient for each colour that balls have; its number is that of the first such ball.
static int gradient_of(const stage *s, int item) {
  for (int k = 0; k < item; k++) {
    if (s->item[k].kind == STAGE_BALL &&
        !memcmp(s->item[k].color, s->item[item].color, sizeof s->item[k].color))
      return k;
  }
  return item;
}

static void put_gradients(const sheet *p) {
  static const double offset[] = {0, 0.3, 0.65, 1}, light[] = {1.2, 0.98, 0.58, 0.3};
  double x = 0.5 + 0.45 * stc_dot3(p->sun, p->v.right);
  double y = 0.5 - 0.45 * stc_dot3(p->sun, p->v.up);
  fputs("<defs>\n", p->out);
  for (int k = 0; k < p->s->items; k++) {
    if (p->s->item[k].kind != STAGE_BALL || gradient_of(p->s, k) != k) continue;
    fprintf(p->out, "<radialGradient id=\"ball%d\" cx=\"%.3f\" cy=\"%.3f\" r=\"0.9\">", k, x, y);
    for (int i = 0; i < 4; i++) {
      fprintf(p->out, "<stop offset=\"%g\" stop-color=\"", offset[i]);
      put_color(p->out, p->s->item[k].color, light[i]);
      fputs("\"/>", p->out);
    }
    fputs("</radialGradient>\n", p->out);
  }
  fputs("</defs>\n", p->out);
}

// Outline of a ball: middle and half axes in pixels, the first one away from the picture's middle.
typedef struct ellipse {
  double x, y, along, across, rotation;
} ellipse;

// The rays that touch the ball satisfy (d c)^2 = (c c - r^2) d d.
static ellipse ellipse_of(const view *v, const double c[3], double radius) {
  double out = hypot(c[0], c[1]), z = c[2], rotation = atan2(-c[1], c[0]);
  double root = radius * sqrt(out * out + z * z - radius * radius), K = z * z - radius * radius;
  double middle = out * z / K, half = root / K, all = out * out + z * z - radius * radius;
  double there = middle * out + z, across = sqrt(there * there / all - middle * middle - 1);
  if (v->parallel) middle = out, half = across = radius;
  return (ellipse){v->middle[0] + v->scale * middle * cos(rotation),
                   v->middle[1] + v->scale * middle * sin(rotation), v->scale * half,
                   v->scale * across, rotation};
}

static void put_spoke(const sheet *p, const stage_item *item) {
  double rim[3], from[2], to[2];
  stc_copy3(item->centre, rim);
  stc_add3(rim, item->radius, item->spoke);
  if (!pixel_of(p, item->centre, from) || !pixel_of(p, rim, to)) return;
  fprintf(p->out, "<path d=\"M%.2f %.2fL%.2f %.2f\"", from[0], from[1], to[0], to[1]);
  put_stroke(p->out, item->color, 0.25, LINE);
  fputs("/>\n", p->out);
}

static void put_ball(const sheet *p, int number) {
  const stage_item *item = &p->s->item[number];
  double c[3];
  view_point(&p->v, item->centre, c);
  ellipse e = ellipse_of(&p->v, c, item->radius);
  // As a path: a rotated ellipse would turn its gradient with it.
  double x = e.along * cos(e.rotation), y = e.along * sin(e.rotation),
         rotation = e.rotation * 180 / PI;
  fprintf(p->out, "<path class=\"ball\" d=\"M%.2f %.2f", e.x - x, e.y - y);
  for (int side = 1; side >= -1; side -= 2) {
    fprintf(p->out, "A%.2f %.2f %.1f 0 1 %.2f %.2f", e.along, e.across, rotation, e.x + side * x,
            e.y + side * y);
  }
  fputs("Z\"", p->out);
  fputs(" fill=\"", p->out);
  if (p->s->flat)
    put_color(p->out, item->color, 1);
  else
    fprintf(p->out, "url(#ball%d)", gradient_of(p->s, number));
  fputc('"', p->out);
  put_stroke(p->out, item->color, p->s->flat ? 0.25 : 0.3, p->s->flat ? LINE : 0.6 * LINE);
  fputs("/>\n", p->out);
  if (p->s->flat) put_spoke(p, item);
}

// Lines around flat faces; between the faces of a round body there is none.
static void put_face(sheet *p, const stage_item *item, int face) {
  const surface *faces = &p->s->surface;
  const int *corner = faces->corner + faces->first[face];
  int count = faces->first[face + 1] - faces->first[face];
  double n[3] = {0};
  bool round = false;
  if (!room_for_points(p, count)) return;
  for (int k = 0; k < count; k++) {
    const surface_vertex *v = &faces->vertex[corner[k]];
    pixel_of(p, v->x, p->flat[k]);
    stc_add3(n, 1, v->n);
    round = round || stc_distance3(v->n, faces->vertex[corner[0]].n) > 1e-9;
  }
  stc_unit3(n);
  double light = light_on(p, n);
  fputs("<polygon points=\"", p->out);
  put_points(p->out, p->flat, count);
  fputs("\" fill=\"", p->out);
  put_color(p->out, item->color, light);
  fputc('"', p->out);
  put_stroke(p->out, item->color, round || item->kind == STAGE_SHEET ? light : EDGE * light,
             0.6 * LINE);
  fputs("/>\n", p->out);
}

static void put_outline(sheet *p, const stage_item *item) {
  int kept = 0;
  if (!room_for_points(p, 4 * item->vertices + 4)) return;
  for (int k = 0; k < item->vertices; k++) {
    kept += pixel_of(p, p->s->surface.vertex[item->first_vertex + k].x, p->flat[kept]);
  }
  kept = outline(p->flat, kept);
  fputs("<polygon points=\"", p->out);
  put_points(p->out, p->flat, kept);
  fputs("\" fill=\"none\"", p->out);
  put_stroke(p->out, item->color, p->s->flat ? 0.25 : OUTLINE, LINE);
  fputs("/>\n", p->out);
}

static void put_piece(sheet *p, const order_piece *piece) {
  const stage_item *item = &p->s->item[piece->item];
  if (item->kind == STAGE_BALL) {
    put_ball(p, piece->item);
    return;
  }
  for (int f = piece->first_face; f < piece->first_face + piece->faces; f++) {
    if (view_faces(&p->v, &p->s->surface, f)) put_face(p, item, f);
  }
  if (item->kind == STAGE_SOLID) put_outline(p, item);
}

// ---- forces

static void put_forces(const sheet *p) {
  fputs("<rect width=\"100%\" height=\"100%\" fill=\"#fff\" opacity=\"0.55\"/>\n"
        "<g stroke-linecap=\"round\" stroke-opacity=\"0.85\">\n",
        p->out);
  for (int k = 0; k < p->s->forces; k++) {
    paint_line line;
    double from[2], to[2];
    if (!paint_force(p->s, k, p->options->largest, &line)) continue;
    if (!pixel_of(p, line.from, from) || !pixel_of(p, line.to, to)) continue;
    fprintf(p->out, "<path d=\"M%.2f %.2fL%.2f %.2f\"", from[0], from[1], to[0], to[1]);
    put_stroke(p->out, line.color, 1, line.width * p->v.height / USUAL_HEIGHT);
    fputs("/>\n", p->out);
  }
  fputs("</g>\n", p->out);
}

// ---- all

static void put_grounds(sheet *p) {
  for (int k = 0; k < p->s->items; k++) {
    const stage_item *item = &p->s->item[k];
    if (item->kind != STAGE_GROUND) continue;
    if (p->s->flat)
      put_half_plane(p, item);
    else
      put_ground(p, item);
  }
}

// Items of which a pixel is seen: of a pile, those inside are not drawn at all. NULL: out of
// memory.
static bool *visible(const stage *s, const view *v) {
  layer l;
  bool *seen = calloc((size_t)s->items + 1, sizeof *seen);
  bool good = layer_make(&l, v->width, v->height, false) && seen;
  if (good) layer_draw(&l, v, s, (int[2]){0, v->height});
  for (int k = 0; good && k < v->width * v->height; k++) {
    if (l.item[k] >= 0) seen[l.item[k]] = true;
  }
  layer_free(&l);
  if (good) return seen;
  free(seen);
  return NULL;
}

bool draw(FILE *out, const stage *s, const stc_camera *camera, const draw_options *options) {
  sheet p = {.out = out, .s = s, .options = options};
  order_piece *piece = NULL;
  p.v = view_of(camera, options->width, options->height);
  light_sun(s, &p.v, p.sun);
  svg_begin(out, options->width, options->height, options->title, "stroke-linejoin=\"round\"");
  put_background(&p);
  put_grounds(&p);
  put_gradients(&p);
  bool *seen = visible(s, &p.v);
  int count = seen ? order_pieces(s, &p.v, seen, &piece) : -1;
  for (int k = 0; k < count; k++) put_piece(&p, &piece[k]);
  if (options->forces) put_forces(&p);
  fputs("</svg>\n", out);
  free(piece);
  free(seen);
  free(p.flat);
  return count >= 0 && !p.failed;
}
