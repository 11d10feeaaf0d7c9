// The scenes of the comparison of engines.
#include "bench_scene.h"

#include "../measure.h"

#include <math.h>
#include <string.h>

static const double PI = 3.14159265358979323846;

static bench_body *add(bench_scene *s, bench_shape shape, const double size[3], const double x[3],
                       double density) {
  bench_body *b = &s->body[s->bodies++];
  double r = size[0], l = size[1], volume = 8 * size[0] * size[1] * size[2];
  *b = (bench_body){.shape = shape, .rotation = {1, 0, 0, 0}};
  if (shape == BENCH_SPHERE) volume = 4 * PI / 3 * r * r * r;
  if (shape == BENCH_CAPSULE) volume = PI * r * r * (2 * l + 4 * r / 3);
  b->mass = shape == BENCH_PLANE ? 0 : density * volume;
  memcpy(b->size, size, sizeof b->size);
  memcpy(b->x, x, sizeof b->x);
  return b;
}

#define V(...)                                                                                     \
  (const double[3]) { __VA_ARGS__ }

static void add_floor(bench_scene *s) { add(s, BENCH_PLANE, V(0, 0, 1), V(0, 0, 0), 0); }

// Boxes of 0.5 m above each other with gaps of 1 cm and 5 cm beside each other.
static void add_pyramid(bench_scene *s, int rows, double depth, double gap) {
  double half = 0.25;
  add_floor(s);
  for (int l = 0; l < rows; l++)
    for (int k = 0; k < rows - l; k++)
      add(s, BENCH_BOX, V(half, depth / 2, half),
          V((k + 0.5 * l) * 0.55, 0, half + gap + (2 * half + gap) * l), 1000);
}

static void pyramid(bench_scene *s) {
  *s = (bench_scene){.name = "pyramid 55 lands", .h = 1.0 / 60, .mu = 0.5, .steps = 120};
  s->rest_from = 90;
  add_pyramid(s, 10, 0.5, 0.01);
}

static void pyramid_of_plane(bench_scene *s) {
  *s = (bench_scene){
      .name = "plane pyramid 210 lands", .plane = true, .h = 5e-3, .mu = 0.5, .steps = 400};
  s->rest_from = 300;
  add_pyramid(s, 20, 1, 0.01);
}

// Bricks without mortar, rows shifted by half a brick, joints of 0.5 mm.
static void add_bricks(bench_scene *s, int rows, int columns, double gap) {
  double half[3] = {0.1, 0.05, 0.05}, joint = 5e-4;
  add_floor(s);
  for (int r = 0; r < rows; r++) {
    double left = 0, z = half[2] + gap + (2 * half[2] + gap) * r;
    for (int c = 0; c < columns + r % 2; c++) {
      bool end = r % 2 && (c == 0 || c == columns);
      double a = end ? half[0] / 2 : half[0];
      add(s, BENCH_BOX, V(a - joint / 2, half[1], half[2]), V(left + a, 0, z), 1800);
      left += 2 * a;
    }
  }
}

static void wall_10_rests(bench_scene *s) {
  *s = (bench_scene){.name = "wall 10x10 rests", .h = 2e-3, .mu = 0.6, .steps = 500};
  add_bricks(s, 10, 10, 0);
}
static void wall_20_rests(bench_scene *s) {
  *s = (bench_scene){.name = "wall 20x20 rests", .h = 2e-3, .mu = 0.6, .steps = 500};
  add_bricks(s, 20, 20, 0);
}
static void wall_10_lands(bench_scene *s) {
  *s = (bench_scene){.name = "wall 10x10 lands", .h = 2e-3, .mu = 0.6, .steps = 500};
  s->rest_from = 400;
  add_bricks(s, 10, 10, 1e-3);
}
static void wall_20_lands(bench_scene *s) {
  *s = (bench_scene){.name = "wall 20x20 lands", .h = 2e-3, .mu = 0.6, .steps = 500};
  s->rest_from = 400;
  add_bricks(s, 20, 20, 1e-3);
}

static void add_ball(bench_scene *s, double radius, double mass, double speed, double height) {
  double x = s->body[s->bodies / 2].x[0];
  bench_body *b = add(s, BENCH_SPHERE, V(radius, 0, 0), V(x, -0.05 - radius - 0.05, height), 1000);
  b->mass = mass;
  b->v[1] = speed;
}

static void wall_10_hit(bench_scene *s) {
  *s = (bench_scene){.name = "wall 10x10 hit", .h = 5e-3, .mu = 0.6, .steps = 200, .rest_from = -1};
  add_bricks(s, 10, 10, 0);
  add_ball(s, 0.1, 20, 5, 0.55);
}
static void wall_10_hit_hard(bench_scene *s) {
  *s = (bench_scene){
      .name = "wall 10x10 hit hard", .h = 2e-3, .mu = 0.6, .steps = 500, .rest_from = -1};
  add_bricks(s, 10, 10, 0);
  add_ball(s, 0.15, 100, 12, 0.45);
}
static void wall_10_hit_light(bench_scene *s) {
  *s = (bench_scene){
      .name = "wall 10x10 hit light", .h = 2e-3, .mu = 0.6, .steps = 500, .rest_from = -1};
  add_bricks(s, 10, 10, 0);
  add_ball(s, 0.05, 1, 8, 0.85);
}
static void wall_20_hit(bench_scene *s) {
  *s = (bench_scene){.name = "wall 20x20 hit", .h = 5e-3, .mu = 0.6, .steps = 200, .rest_from = -1};
  add_bricks(s, 20, 20, 0);
  add_ball(s, 0.15, 50, 8, 1.05);
}

static void stack(bench_scene *s) {
  *s = (bench_scene){.name = "stack 100:1", .h = 5e-3, .mu = 0.5, .steps = 400};
  add_floor(s);
  for (int k = 0; k < 2; k++)
    add(s, BENCH_BOX, V(0.25, 0.25, 0.25), V(0, 0, 0.25 + 0.5 * k), k ? 1e5 : 1e3);
}

static void add_container(bench_scene *s, double side) {
  add_floor(s);
  for (int k = -1; k < 2; k += 2) {
    add(s, BENCH_PLANE, V(-k, 0, 0), V(k * side / 2, 0, 0), 0);
    add(s, BENCH_PLANE, V(0, -k, 0), V(0, k * side / 2, 0), 0);
  }
}

static void add_drop(bench_scene *s, int count, int layers, bool mixed) {
  unsigned long long seed = 20;
  int across = (int)ceil(sqrt(count / (double)layers));
  double pitch = 0.125, size = 0.05;
  add_container(s, across * pitch);
  for (int k = 0; k < count; k++) {
    int cell = k % (across * across);
    double x[3] = {(cell % across + 0.5 - 0.5 * across) * pitch + 0.005 * draw(&seed),
                   (cell / across + 0.5 - 0.5 * across) * pitch + 0.005 * draw(&seed),
                   1.3 * size + pitch * (k / (across * across))};
    double a = size * (0.9 + 0.1 * draw(&seed));
    int kind = mixed ? k % 3 : 1;
    double sizes[3][3] = {{0.7 * a, 0.6 * a, 0.5 * a}, {a, 0, 0}, {0.45 * a, 0.5 * a, 0}};
    bench_body *b = add(s, (bench_shape)kind, sizes[kind], x, 2000);
    double q[4] = {1, mixed ? draw(&seed) : 0, mixed ? draw(&seed) : 0, mixed ? draw(&seed) : 0};
    double norm = sqrt(q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3]);
    for (int i = 0; i < 4; i++) b->rotation[i] = q[i] / norm;
  }
}

static void spheres_500(bench_scene *s) {
  *s = (bench_scene){.name = "500 spheres", .h = 2e-3, .mu = 0.5, .steps = 500, .rest_from = -1};
  add_drop(s, 500, 5, false);
}
static void spheres_2000(bench_scene *s) {
  *s = (bench_scene){.name = "2000 spheres", .h = 2e-3, .mu = 0.5, .steps = 250, .rest_from = -1};
  add_drop(s, 2000, 8, false);
}
static void mixed_300(bench_scene *s) {
  *s = (bench_scene){.name = "300 mixed", .h = 5e-3, .mu = 0.5, .steps = 200, .rest_from = -1};
  add_drop(s, 300, 4, true);
}

static void add_links(bench_scene *s, int links, bool hinge) {
  for (int k = 0; k < links; k++) {
    bench_body *b = add(s, BENCH_CAPSULE, V(0.04, 0.1, 0), V(0.25 + 0.4 * k, 0, 10), 1000);
    b->rotation[0] = b->rotation[2] = sqrt(0.5);
    s->joint[s->joints++] =
        (bench_joint){.hinge = hinge, .body = {k, k - 1}, .at = {0.05 + 0.4 * k, 0, 10}};
  }
}

static void pendulum(bench_scene *s) {
  *s = (bench_scene){.name = "pendulum", .h = 1.0 / 60, .mu = 0.5, .steps = 20000, .rest_from = -1};
  add_links(s, 1, true);
}
static void chain_10(bench_scene *s) {
  *s = (bench_scene){.name = "chain 10", .h = 1.0 / 240, .mu = 0.5, .steps = 5000, .rest_from = -1};
  add_links(s, 10, false);
}
static void chain_20(bench_scene *s) {
  *s = (bench_scene){.name = "chain 20", .h = 1.0 / 240, .mu = 0.5, .steps = 2500, .rest_from = -1};
  add_links(s, 20, false);
}
static void ten_bodies(bench_scene *s) {
  *s = (bench_scene){.name = "10 bodies", .h = 2e-3, .mu = 0.5, .steps = 1000, .rest_from = -1};
  add_floor(s);
  for (int k = 0; k < 10; k++) {
    double x[3] = {0.3 * (k % 5), 0.3 * (k / 5), 0.2};
    bench_body *b = k % 2 ? add(s, BENCH_SPHERE, V(0.1, 0, 0), x, 1000)
                          : add(s, BENCH_BOX, V(0.1, 0.08, 0.06), x, 1000);
    b->v[0] = 0.5;
  }
}

static void (*const makers[])(bench_scene *) = {
    pyramid,      pyramid_of_plane, wall_10_rests,     wall_20_rests, wall_10_lands, wall_20_lands,
    wall_10_hit,  wall_10_hit_hard, wall_10_hit_light, wall_20_hit,   stack,         spheres_500,
    spheres_2000, mixed_300,        chain_20,          chain_10,      pendulum,      ten_bodies};

bool bench_scene_make(int k, bench_scene *scene) {
  if (k < 0 || k >= (int)(sizeof makers / sizeof *makers)) return false;
  makers[k](scene);
  return true;
}
