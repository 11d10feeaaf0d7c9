// Stages as pictures in soft light. A picture is the mean of passes; each has its own point in the
// pixels, its own place on the sun's disc and its own directions of the sky,
//   light = sum over directions l of brightness(l) max(0, n l) where nothing is in the way,
// so that edges, shadows and the dark of corners come out smooth [Haeberli and Akeley 1990].
#include "paint.h"
#include "base/vec3.h"

#include <stdlib.h>
#include <unistd.h>

// Threads that start together, and wait for each other.

enum { MOST_MEMBERS = 16 };

typedef struct member {
  crew *c;
  int me;
  crew_work work;
  void *user;
  pthread_t thread;
} member;

// No thread begins before their number is known.
static void *run_member(void *argument) {
  const member *m = argument;
  pthread_mutex_lock(&m->c->lock);
  while (m->c->members == 0) pthread_cond_wait(&m->c->rotation, &m->c->lock);
  pthread_mutex_unlock(&m->c->lock);
  m->work(m->c, m->me, m->user);
  return NULL;
}

static int wanted_members(void) {
  long processors = sysconf(_SC_NPROCESSORS_ONLN);
  return processors < 1 ? 1 : processors > MOST_MEMBERS ? MOST_MEMBERS : (int)processors;
}

// Runs work for me = 0 .. members - 1 at once, on as many threads as there are processors and can
// be had, at least this one. Comes back when all are done.
static void crew_run(crew_work work, void *user) {
  crew c = {.lock = PTHREAD_MUTEX_INITIALIZER, .rotation = PTHREAD_COND_INITIALIZER};
  member list[MOST_MEMBERS];
  int count = 1, wanted = wanted_members();
  for (; count < wanted; count++) {
    list[count] = (member){.c = &c, .me = count, .work = work, .user = user};
    if (pthread_create(&list[count].thread, NULL, run_member, &list[count])) break;
  }
  pthread_mutex_lock(&c.lock);
  c.members = count;
  pthread_cond_broadcast(&c.rotation);
  pthread_mutex_unlock(&c.lock);
  work(&c, 0, user);
  for (int k = 1; k < count; k++) pthread_join(list[k].thread, NULL);
  pthread_cond_destroy(&c.rotation);
  pthread_mutex_destroy(&c.lock);
}

void crew_wait(crew *c) {
  pthread_mutex_lock(&c->lock);
  unsigned long round = c->round;
  if (++c->waiting == c->members) {
    c->waiting = 0;
    c->round++;
    pthread_cond_broadcast(&c->rotation);
  }
  while (round == c->round) pthread_cond_wait(&c->rotation, &c->lock);
  pthread_mutex_unlock(&c->lock);
}

void crew_rows(const crew *c, int me, int height, int rows[2]) {
  rows[0] = (int)((long)height * me / c->members);
  rows[1] = (int)((long)height * (me + 1) / c->members);
}

enum { GRID_LINES = 8 };  // across the scene, about

// On a surface that faces the sun, on one below an open sky, and thrown back from below. Their sum
// on a level ground is about 1, so that colours come out as they are.
static const double sun_color[3] = {0.82, 0.785, 0.73};
static const double sky_color[3] = {0.42, 0.45, 0.49};
static const double bounce_color[3] = {0.17, 0.165, 0.155};
static const double SHINE = 0.10, SHININESS = 30;  // of the highlight

static const double CREASE = 0.93;        // cosine between normals above which there is no edge
static const double STEP = 6;             // pixels: a jump in depth that is an edge of its own
static const double SIDE_BY_SIDE = 1e-4;  // relative difference of nearness
static const double OUTLINE = 0.50;       // what is left of the light on a line around a body,
static const double EDGE = 0.72;          // on an edge of it,
static const double GRID_DARK = 0.86;     // and on a line of the grid
static const double GRID_REACH = 1.5;     // distance at which the grid fades, in sizes of the scene
static const double DEEPEST = 0.10;       // light of the ground where there is none

// A pass at work.
typedef struct painter {
  const stage *s;
  image *picture;
  view whole, v;  // of the picture, and of this pass
  layer seen;
  light_lamp lamp;
  float *sun, *sky;           // [height*width] light of this pass
  double sun_middle[3];       // direction to it
  double open_sun, open_sky;  // on a level ground without shadows
  double spacing;             // of the grid, m
  double (*behind)[3];        // [height] background
} painter;

static size_t index_of(const painter *p, int i, int j) {
  return (size_t)j * (size_t)p->v.width + (size_t)i;
}

static void normal_at(const painter *p, size_t at, double n[3]) {
  for (size_t i = 0; i < 3; i++) n[i] = (double)p->seen.normal[3 * at + i];
}

static void place_at(const painter *p, int i, int j, double x[3]) {
  view_place(&p->v, i + 0.5, j + 0.5, (double)p->seen.near[index_of(p, i, j)], x);
}

// Metres that a pixel is wide where something is seen.
static double pixel_at(const painter *p, size_t at) {
  return (p->v.parallel ? 1 : 1 / (double)p->seen.near[at]) / p->v.scale;
}

void paint_background(double height, double rgb[3]) {
  static const double top[3] = {0.90, 0.92, 0.94}, bottom[3] = {0.97, 0.97, 0.965};
  for (int i = 0; i < 3; i++) rgb[i] = stage_linear(top[i] + height * (bottom[i] - top[i]));
}

// ---- light

// Light of a member's own rows, and what an open ground has.
static void light_up(painter *p, int pass, crew *c, int me) {
  double l[3], open_sun = 0, open_sky = 0;
  light_target sun = {p->s, &p->v, &p->seen, p->sun}, sky = sun;
  int rows[2];
  sky.sum = p->sky;
  crew_rows(c, me, p->v.height, rows);
  size_t from = index_of(p, 0, rows[0]), bytes = (index_of(p, 0, rows[1]) - from) * sizeof(float);
  memset(p->sun + from, 0, bytes);
  memset(p->sky + from, 0, bytes);
  for (int k = 0; k < LIGHT_SUNS; k++) {
    light_sun_in_pass(p->sun_middle, pass, k, l);
    light_add(&p->lamp, &sun, l, 1.0 / LIGHT_SUNS, c, me);
    open_sun += 1.0 / LIGHT_SUNS * stc_dot3(l, p->s->up);
  }
  for (int k = 0; k < LIGHT_SKIES; k++) {  // the mean of cosines over the sky is 1/2
    light_sky_in_pass(p->s->up, pass, k, l);
    light_add(&p->lamp, &sky, l, 2.0 / LIGHT_SKIES, c, me);
    open_sky += 2.0 / LIGHT_SKIES * stc_dot3(l, p->s->up);
  }
  if (me > 0) return;
  p->open_sun = open_sun;
  p->open_sky = open_sky;
}

// ---- lines

// Whether the surface drops away between a pixel and the next, whatever its normal says.
static bool drops(const painter *p, int i, int j, int i2, int j2) {
  double x[3], y[3], n[3];
  size_t at = index_of(p, i, j);
  if (p->s->item[p->seen.item[at]].kind == STAGE_BALL) return false;
  normal_at(p, at, n);
  place_at(p, i, j, x);
  place_at(p, i2, j2, y);
  stc_sub3(x, y, x);
  return stc_dot3(n, x) > STEP * pixel_at(p, at);
}

// Whether a line between two bodies is drawn at this pixel: on the nearer one; where they are side
// by side, on the left or upper one.
static bool is_line_owner(const painter *p, size_t here, size_t there) {
  double a = (double)p->seen.near[here], b = (double)p->seen.near[there];
  if (p->s->flat || fabs(a - b) <= SIDE_BY_SIDE * fabs(a)) return there > here;
  return a > b;
}

// What is left of the light at a pixel for an edge between it and a neighbour.
static double line_between(const painter *p, int i, int j, int i2, int j2) {
  if (i2 < 0 || j2 < 0 || i2 >= p->v.width || j2 >= p->v.height) return 1;
  size_t here = index_of(p, i, j), there = index_of(p, i2, j2);
  int a = p->seen.item[here], b = p->seen.item[there];
  if (b < 0) return OUTLINE;
  bool owner = is_line_owner(p, here, there);
  if (p->s->item[a].body != p->s->item[b].body) return owner ? OUTLINE : 1;
  double m[3], n[3];
  normal_at(p, here, m);
  normal_at(p, there, n);
  if (stc_dot3(m, n) < CREASE) return there > here ? EDGE : 1;
  return owner && drops(p, i, j, i2, j2) ? EDGE : 1;
}

static double line_at(const painter *p, int i, int j) {
  double left = line_between(p, i, j, i - 1, j), right = line_between(p, i, j, i + 1, j);
  double above = line_between(p, i, j, i, j - 1), below = line_between(p, i, j, i, j + 1);
  return fmin(fmin(left, right), fmin(above, below));
}

double paint_spacing(const stage *s) {
  double wanted = fmax(s->size, 1e-9) / GRID_LINES, decade = pow(10, floor(log10(wanted)));
  double step = wanted / decade;
  return decade * (step < 1.5 ? 1 : step < 3.5 ? 2 : step < 7.5 ? 5 : 10);
}

// How far a place on the ground moves along each axis from one pixel to the next.
static void footprint(const painter *p, int i, int j, const double normal[3], double axis[2][3],
                      double width[2]) {
  double from[3], along[3], right[3], up[3], pixel = pixel_at(p, index_of(p, i, j));
  view_ray(&p->v, i + 0.5, j + 0.5, from, along);
  double down = stc_dot3(normal, along);
  stc_copy3(p->v.right, right);
  stc_copy3(p->v.up, up);
  stc_add3(right, -stc_dot3(normal, right) / down, along);
  stc_add3(up, -stc_dot3(normal, up) / down, along);
  for (int k = 0; k < 2; k++) {
    double a = stc_dot3(axis[k], right), b = stc_dot3(axis[k], up);
    width[k] = pixel * sqrt(a * a + b * b);
  }
}

// What the grid leaves of the light of the ground: lines a pixel wide that fade away from the
// scene, and where they would be closer than some pixels.
static double grid_at(const painter *p, int i, int j, const double normal[3]) {
  double axis[2][3], width[2], x[3], dark = 0, away = 0, reach = GRID_REACH * p->s->size;
  place_at(p, i, j, x);
  for (int k = 0; k < 3; k++) {
    double from = (x[k] - (p->s->low[k] + p->s->high[k]) / 2) / reach;
    away += from * from;
  }
  if (away >= 1) return 1;
  stc_frame3(normal, axis[0], axis[1]);
  footprint(p, i, j, normal, axis, width);
  for (int k = 0; k < 2; k++) {
    double u = stc_dot3(axis[k], x) / p->spacing, off = fabs(u - round(u)) * p->spacing;
    if (off < width[k] / 2) dark = fmax(dark, 1 - 4 * width[k] / p->spacing);
  }
  return 1 - (1 - GRID_DARK) * dark * (1 - away);
}

// ---- colours

// The ground is the background with shadows and a grid on it: it has no horizon.
static void ground_at(const painter *p, int i, int j, double rgb[3]) {
  size_t at = index_of(p, i, j);
  double grid = grid_at(p, i, j, p->s->item[p->seen.item[at]].normal);
  stc_copy3(p->behind[j], rgb);
  if (!(p->lamp.radius > 0)) return;
  for (int k = 0; k < 3; k++) {
    double open = sun_color[k] * p->open_sun + sky_color[k] * p->open_sky;
    double lit = sun_color[k] * (double)p->sun[at] + sky_color[k] * (double)p->sky[at];
    rgb[k] *= grid * (DEEPEST + (1 - DEEPEST) * lit / open);
  }
}

// Part of the sun that a smooth surface throws at the eye [Blinn 1977].
static double highlight(const painter *p, const double n[3], int i, int j) {
  double from[3], along[3], half[3];
  view_ray(&p->v, i + 0.5, j + 0.5, from, along);
  stc_unit3(along);
  stc_sub3(p->sun_middle, along, half);
  stc_unit3(half);
  double cosine = stc_dot3(n, half);
  return cosine > 0.8 ? SHINE * pow(cosine, SHININESS) : 0;
}

static void body_at(const painter *p, int i, int j, double rgb[3]) {
  size_t at = index_of(p, i, j);
  const stage_item *item = &p->s->item[p->seen.item[at]];
  double n[3], line = line_at(p, i, j);
  normal_at(p, at, n);
  double below = 0.5 - 0.5 * stc_dot3(n, p->s->up);
  double gloss = p->sun[at] > 0 ? highlight(p, n, i, j) : 0;
  for (int k = 0; k < 3; k++) {
    double lit = sun_color[k] * (double)p->sun[at] + sky_color[k] * (double)p->sky[at] +
                 bounce_color[k] * (0.3 + 0.7 * below);
    rgb[k] = line * (item->color[k] * lit + gloss * sun_color[k]);
  }
}

// In a flat world there is no light: colours and lines.
static void flat_at(const painter *p, int i, int j, double rgb[3]) {
  const stage_item *item = &p->s->item[p->seen.item[index_of(p, i, j)]];
  double line = line_at(p, i, j);
  for (int k = 0; k < 3; k++) rgb[k] = item->color[k] * (line < 1 ? 0.4 * line : 1);
}

static void color_at(const painter *p, int i, int j, double rgb[3]) {
  int item = p->seen.item[index_of(p, i, j)];
  if (item < 0)
    stc_copy3(p->behind[j], rgb);
  else if (p->s->flat)
    flat_at(p, i, j, rgb);
  else if (p->s->item[item].kind == STAGE_GROUND)
    ground_at(p, i, j, rgb);
  else
    body_at(p, i, j, rgb);
}

// ---- passes

static void paint_rows(painter *p, const int rows[2]) {
  for (int j = rows[0]; j < rows[1]; j++) {
    for (int i = 0; i < p->v.width; i++) {
      double rgb[3];
      float *sum = p->picture->rgb + 3 * index_of(p, i, j);
      color_at(p, i, j, rgb);
      for (int k = 0; k < 3; k++) sum[k] += (float)(rgb[k] / LIGHT_PASSES);
    }
  }
}

static void paint_passes(crew *c, int me, void *user) {
  painter *p = user;
  int rows[2];
  crew_rows(c, me, p->picture->height, rows);
  for (int pass = 0; pass < LIGHT_PASSES; pass++) {
    // The pixels of a pass are seen through a point of a grid inside them.
    if (me == 0) {
      int side = (int)lround(sqrt(LIGHT_PASSES));
      p->v = p->whole;
      p->v.middle[0] += (pass % side + 0.5) / side - 0.5;
      p->v.middle[1] += (pass / side + 0.5) / side - 0.5;
    }
    crew_wait(c);
    layer_draw(&p->seen, &p->v, p->s, rows);
    if (!p->s->flat) light_up(p, pass, c, me);
    crew_wait(c);  // lines look at the rows of others
    paint_rows(p, rows);
    crew_wait(c);
  }
}

// A spoke on each disc of a flat world shows how far it has turned.
static void draw_spokes(image *picture, const stage *s, const view *v) {
  for (int k = 0; k < s->items && s->flat; k++) {
    const stage_item *item = &s->item[k];
    double seen[3], a[2], b[2], rim[3], dark[3];
    if (item->kind != STAGE_BALL) continue;
    stc_copy3(item->centre, rim);
    stc_add3(rim, item->radius, item->spoke);
    for (int i = 0; i < 3; i++) dark[i] = 0.25 * item->color[i];
    view_point(v, item->centre, seen);
    view_pixel(v, seen, a);
    view_point(v, rim, seen);
    view_pixel(v, seen, b);
    image_line(picture, a, b, 1, dark, 1);
  }
}

bool paint(image *picture, const stage *s, const stc_camera *camera) {
  painter p = {.s = s, .picture = picture, .spacing = paint_spacing(s)};
  p.whole = view_of(camera, picture->width, picture->height);
  light_sun(s, &p.whole, p.sun_middle);
  size_t count = (size_t)p.picture->width * (size_t)p.picture->height;
  p.sun = calloc(count, sizeof *p.sun);
  p.sky = calloc(count, sizeof *p.sky);
  p.behind = calloc((size_t)p.picture->height, sizeof *p.behind);
  bool good = layer_make(&p.seen, p.picture->width, p.picture->height, false) && p.sun && p.sky &&
              p.behind && light_make(&p.lamp, p.s);
  memset(picture->rgb, 0, 3 * (size_t)picture->width * (size_t)picture->height * sizeof(float));
  for (int j = 0; good && j < picture->height; j++) {
    paint_background((j + 0.5) / picture->height, p.behind[j]);
  }
  if (good) crew_run(paint_passes, &p);
  if (good) draw_spokes(picture, s, &p.whole);
  layer_free(&p.seen);
  light_free(&p.lamp);
  free(p.sun);
  free(p.sky);
  free(p.behind);
  return good;
}
