// Pictures of rigid bodies: surfaces, cameras, what covers what, light, and the files they go into.
#include "physics/yard.h"

#include <png.h>
#include <stdlib.h>

#include "../../src/base/vec3.h"
#include "render/raster/draw.h"
#include "render/raster/paint.h"

static const double PI = 3.14159265358979323846;

// ---- surfaces

// Volume by Gauss: sum over triangles of a (b x c) / 6; the faces look outward.
static double volume_of(const surface *s) {
  double volume = 0;
  for (int f = 0; f < s->faces; f++) {
    const int *c = s->corner + s->first[f];
    for (int k = 2; k < s->first[f + 1] - s->first[f]; k++) {
      double n[3];
      stc_cross3(s->vertex[c[k - 1]].x, s->vertex[c[k]].x, n);
      volume += stc_dot3(s->vertex[c[0]].x, n) / 6;
    }
  }
  return volume;
}

static surface surface_of(const stc_shape *shape, int sides) {
  surface s = {0};
  stc_pose pose = {{0.3, -0.2, 0.7}, {0.5, 0.5, -0.5, 0.5}};
  surface_add(&s, shape, &pose, sides);
  assert_false(s.failed);
  return s;
}

static void test_flat_surfaces(void **state) {
  // a box of 2 x 4 x 6: 6 faces with 4 corners each; its corners' hull has the same faces
  stc_shape box = {.kind = STC_SHAPE_BOX, .half = {1, 2, 3}};
  surface s = surface_of(&box, 12);
  assert_int_equal(s.vertices, 24);
  assert_int_equal(s.faces, 6);
  expect_near(volume_of(&s), 48, 1e-12);
  surface_free(&s);
  double point[24];
  for (int k = 0; k < 24; k++) point[k] = (k / 3 >> k % 3 & 1 ? 1 : -1) * box.half[k % 3];
  stc_hull *hull;
  assert_int_equal(stc_hull_create(8, point, &hull), STC_OK);
  s = surface_of(&(stc_shape){.kind = STC_SHAPE_HULL, .hull = hull}, 12);
  assert_int_equal(s.faces, 6);
  assert_int_equal(s.vertices, 24);
  expect_near(volume_of(&s), 48, 1e-12);
  surface_free(&s);
  stc_hull_free(&hull);
  const int triangle[6] = {0, 1, 2, 1, 3, 2};
  stc_terrain *terrain;
  assert_int_equal(stc_terrain_create(4, point, 2, triangle, &terrain), STC_OK);
  s = surface_of(&(stc_shape){.kind = STC_SHAPE_TERRAIN, .terrain = terrain}, 12);
  assert_int_equal(s.faces, 2);
  assert_int_equal(s.corners, 6);
  surface_free(&s);
  stc_terrain_free(&terrain);
}

static void test_round_surfaces(void **state) {
  // a cylinder with n sides is a prism: n/2 r^2 sin(2 pi / n) times its length; balls and capsules
  // are a little smaller than the true ones, 4/3 pi r^3 and that with pi r^2 l
  stc_shape cylinder = {.kind = STC_SHAPE_CYLINDER, .radius = 2, .half = {0, 0, 1.5}};
  surface s = surface_of(&cylinder, 12);
  assert_int_equal(s.faces, 14);
  expect_near(volume_of(&s), 6 * 4 * sin(2 * PI / 12) * 3, 1e-12);
  surface_free(&s);
  stc_shape ball = {.kind = STC_SHAPE_SPHERE, .radius = 2};
  stc_shape capsule = {.kind = STC_SHAPE_CAPSULE, .radius = 2, .half = {0, 0, 1.5}};
  double true_ball = 4 * PI * 8 / 3, true_capsule = true_ball + PI * 4 * 3;
  s = surface_of(&ball, 64);
  assert_true(volume_of(&s) < true_ball && volume_of(&s) > 0.99 * true_ball);
  for (int k = 0; k < s.vertices; k++) {
    double x[3] = {-0.3, 0.2, -0.7};
    stc_add3(x, 1, s.vertex[k].x);
    expect_near(stc_dot3(x, s.vertex[k].n), 2, 1e-12);
  }
  surface_free(&s);
  s = surface_of(&capsule, 64);
  assert_true(volume_of(&s) < true_capsule && volume_of(&s) > 0.99 * true_capsule);
  surface_free(&s);
}

// ---- cameras

static stc_camera front_camera(double angle) {
  return (stc_camera){.from = {0, -10, 0}, .up = {0, 0, 1}, .angle = angle, .width = 4};
}

static void expect_pixel(const view *v, double x, double y, double z, double px, double py) {
  double seen[3], pixel[2], back[3];
  view_point(v, (double[3]){x, y, z}, seen);
  view_pixel(v, seen, pixel);
  expect_near(pixel[0], px, 1e-9);
  expect_near(pixel[1], py, 1e-9);
  view_place(v, px, py, view_nearness(v, seen[2]), back);
  expect_near(stc_distance3(back, (double[3]){x, y, z}), 0, 1e-12);
}

static void test_projection(void **state) {
  // half of 90 degrees is the slope 1: 50 pixels up at distance 1; 10 m away a metre is 5 pixels
  stc_camera camera = front_camera(90);
  view v = view_of(&camera, 200, 100);
  expect_pixel(&v, 0, 0, 0, 100, 50);
  expect_pixel(&v, 1, 0, 2, 105, 40);
  expect_pixel(&v, 1, -5, 2, 110, 30);
  camera = front_camera(0);  // 4 m on 200 pixels, whatever the distance
  v = view_of(&camera, 200, 100);
  expect_pixel(&v, 1, 0, 0.5, 150, 25);
  expect_pixel(&v, 1, 7, 0.5, 150, 25);
}

static void test_camera_words(void **state) {
  char reason[300];
  stc_camera camera = front_camera(30);
  assert_true(view_parse("from=1,2,3  to=4,5,-6e-1", &camera, reason, sizeof reason));
  expect_near(camera.from[2], 3, 0);
  expect_near(camera.to[2], -0.6, 0);
  expect_near(camera.angle, 30, 0);
  assert_true(view_parse("width=2", &camera, reason, sizeof reason));
  expect_near(camera.angle, 0, 0);
  const char *const wrong[] = {"form=1,2,3", "from=1,2",          "from=1,2,3,4", "from=1,2,x",
                               "angle=200",  "up=0,0,0",          "width=-1",     "from=4,5,-0.6",
                               "to=inf,0,0", "from=1,2,3to=1,1,1"};
  for (size_t k = 0; k < sizeof wrong / sizeof *wrong; k++) {
    stc_camera copy = camera;
    reason[0] = 0;
    assert_false(view_parse(wrong[k], &copy, reason, sizeof reason));
    assert_true(strlen(reason) > 0);
  }
}

// ---- stages

static stc_world *make_world(bool plane) {
  stc_world_settings settings = stc_default_world_settings();
  settings.plane = plane;
  if (plane) settings.gravity[1] = settings.gravity[2], settings.gravity[2] = 0;
  return yard_create(&settings);
}

static void add_ball(stc_world *world, double radius, double x, double y, double z) {
  stc_part part = yard_ball(radius);
  stc_rigid_body body = yard_body(&part, x, y, z);
  yard_add(world, &body);
}

static void add_box(stc_world *world, double half, double x, double y, double z) {
  stc_part part = yard_box(half, 0.6 * half, 0.8 * half);
  stc_rigid_body body = yard_body(&part, x, y, z);
  double rotation[4] = {1, sin(7 * x), sin(9 * y), sin(5 * z)}, length = 0;
  for (int i = 0; i < 4; i++) length += rotation[i] * rotation[i];
  for (int i = 0; i < 4; i++) body.pose.rotation[i] = rotation[i] / sqrt(length);
  yard_add(world, &body);
}

// Balls and boxes in the cells of a cube above z = 0, none of which touches another.
static stc_world *neighbourhood(int count) {
  stc_world *world = make_world(false);
  for (int k = 0; k < count; k++) {
    double x = k % 3, y = k / 3 % 3, z = 1 + k / 9;
    if (k % 2)
      add_ball(world, 0.3 + 0.15 * sin(k), x, y, z);
    else
      add_box(world, 0.32 + 0.05 * sin(k), x, y, z);
  }
  return world;
}

static stage stage_of(const stc_world *world) {
  stage s = {0};
  assert_true(stage_set(&s, world, NULL));
  return s;
}

static stc_camera camera_of(const stage *s, int width, int height) {
  view_frame frame = view_frame_begin(s, width, height);
  view_frame_add(&frame, s);
  return view_frame_camera(&frame);
}

// The box around everything but grounds on the picture.
static void seen_box(const layer *l, const stage *s, int box[4]) {
  box[0] = l->width, box[1] = -1, box[2] = l->height, box[3] = -1;
  for (int k = 0; k < l->width * l->height; k++) {
    int i = k % l->width, j = k / l->width;
    if (l->item[k] < 0 || s->item[l->item[k]].kind == STAGE_GROUND) continue;
    box[0] = i < box[0] ? i : box[0], box[1] = i > box[1] ? i : box[1];
    box[2] = j < box[2] ? j : box[2], box[3] = j > box[3] ? j : box[3];
  }
}

static layer layer_of(const stage *s, const stc_camera *camera, int width, int height) {
  layer l;
  view v = view_of(camera, width, height);
  assert_true(layer_make(&l, width, height, false));
  layer_draw(&l, &v, s, (int[2]){0, height});
  return l;
}

static void test_everything_is_framed(void **state) {
  // a margin of 7 % on two sides, as much room above as below, at least 7 %; the floor, which has
  // no end, does not count
  for (int wide = 0; wide < 2; wide++) {
    stc_world *world = neighbourhood(27);
    yard_floor(world, 0);
    stage s = stage_of(world);
    int width = wide ? 600 : 200, height = wide ? 200 : 600, box[4];
    stc_camera camera = camera_of(&s, width, height);
    layer l = layer_of(&s, &camera, width, height);
    seen_box(&l, &s, box);
    expect_near(box[0], width - 1 - box[1], 3);
    expect_near(box[2], height - 1 - box[3], 3);
    expect_near(wide ? box[2] : box[0], 14, 3);
    layer_free(&l);
    stage_free(&s);
    stc_world_free(&world);
  }
}

static void test_large_fixed_bodies_are_backdrop(void **state) {
  // a fixed table of 100 m below a ball of 0.1 m is not what the picture is about
  stc_world *world = make_world(false);
  stc_part table = yard_box(100, 100, 1);
  stc_rigid_body body = yard_body(&table, 0, 0, -1);
  body.mobility = STC_MOBILITY_FIXED;
  yard_add(world, &body);
  add_ball(world, 0.1, 0, 0, 0.1);
  stage s = stage_of(world);
  assert_false(s.item[0].framed);
  assert_true(s.item[1].framed);
  expect_near(s.size, 0.2 * sqrt(3), 1e-12);
  stage_free(&s);
  stc_world_free(&world);
}

static void test_inclined_plane_is_a_sheet(void **state) {
  // a slope of 30 degrees is a rectangle under the ball on it, all inside the ball around the item,
  // and is not seen from below
  stc_world *world = make_world(false);
  yard_floor(world, PI / 6);
  add_ball(world, 0.5, 10, 0, -5.1);  // the slope is at -5.77
  stage s = stage_of(world);
  assert_int_equal(s.items, 2);
  const stage_item *slope = &s.item[1];
  assert_int_equal(slope->kind, STAGE_SHEET);
  assert_int_equal(slope->vertices, 4);
  for (int k = 0; k < 4; k++) {
    const surface_vertex *v = &s.surface.vertex[slope->first_vertex + k];
    assert_true(stc_distance3(v->x, slope->centre) <= slope->radius * (1 + 1e-12));
    expect_near(stc_dot3(v->x, v->n), 0, 1e-12);
  }
  for (int below = 0; below < 2; below++) {
    stc_camera camera = {.to = {10, 0, -5.1}, .up = {0, 1, 0}, .angle = 40};
    stc_copy3(camera.to, camera.from);
    camera.from[2] += below ? -5 : 5;
    layer l = layer_of(&s, &camera, 50, 50);
    int count = 0;
    for (int k = 0; k < 50 * 50; k++) count += l.item[k] == 1;
    assert_true(below ? count == 0 : count > 100);
    layer_free(&l);
  }
  stage_free(&s);
  stc_world_free(&world);
}

// ---- what covers what

static void test_ball_is_where_projection_says(void **state) {
  // a ball of radius 1 at distance 10 has the slope 1 / sqrt(99): 20.1 of 200 pixels at 90 degrees
  stc_world *world = make_world(false);
  add_ball(world, 1, 0, 0, 0);
  stage s = stage_of(world);
  stc_camera camera = front_camera(90);
  layer l = layer_of(&s, &camera, 400, 400);
  double radius = 200 / sqrt(99);
  int count = 0;
  for (int k = 0; k < 400 * 400; k++) {
    double away = hypot(k % 400 + 0.5 - 200, k / 400 + 0.5 - 200);
    if (fabs(away - radius) > 0.01) assert_int_equal(l.item[k] >= 0, away < radius);
    count += l.item[k] >= 0;
  }
  expect_near(count, PI * radius * radius, 20);
  size_t middle = 200 * 400 + 200;
  expect_near((double)l.near[middle], 1.0 / 9, 1e-4);
  expect_near((double)l.normal[3 * middle + 1], -1, 1e-2);
  layer_free(&l);
  stage_free(&s);
  stc_world_free(&world);
}

static void test_ball_and_its_polyhedron_agree(void **state) {
  // far from the axis, where the outline is an ellipse, faces and formula cover the same pixels
  stc_world *world = make_world(false);
  add_ball(world, 2, 6, 1, 4);
  stage s = {0};
  assert_true(stage_set(&s, world, &(stage_options){.sides = 96}));
  stc_camera camera = front_camera(90);
  layer exact = layer_of(&s, &camera, 300, 300);
  s.item[0].kind = STAGE_SOLID;
  layer faces = layer_of(&s, &camera, 300, 300);
  int differ = 0, count = 0;
  for (int k = 0; k < 300 * 300; k++) {
    differ += (exact.item[k] < 0) != (faces.item[k] < 0);
    count += exact.item[k] >= 0;
    if (exact.item[k] >= 0 && faces.item[k] >= 0)
      expect_near((double)exact.near[k] / (double)faces.near[k], 1, 0.02);
  }
  assert_true(count > 2000 && differ < count / 100);
  layer_free(&exact);
  layer_free(&faces);
  stage_free(&s);
  stc_world_free(&world);
}

// Paints the pieces one over the other in their order.
static int *painted(const stage *s, const stc_camera *camera, int size) {
  view v = view_of(camera, size, size);
  order_piece *piece;
  int count = order_pieces(s, &v, NULL, &piece);
  int *item = malloc((size_t)(size * size) * sizeof *item);
  assert_int_equal(count, s->items);
  assert_non_null(item);
  for (int k = 0; k < size * size; k++) item[k] = -1;
  for (int p = 0; p < count; p++) {
    stage alone = *s;
    alone.item = &s->item[piece[p].item];
    alone.items = 1;
    layer l = layer_of(&alone, camera, size, size);
    for (int k = 0; k < size * size; k++) {
      if (l.item[k] >= 0) item[k] = piece[p].item;
    }
    layer_free(&l);
  }
  free(piece);
  return item;
}

// Pixels where pieces that cover each other in their order differ from the depth buffer, which
// knows pixel by pixel what is nearest.
static int wrong_pixels(const stc_world *world, const double middle[3], int side) {
  stage s = stage_of(world);
  stc_camera camera = {.up = {0, 0, 1}, .angle = side % 2 ? 40 : 0, .width = 5};
  stc_copy3(middle, camera.to);
  camera.from[0] = middle[0] + 6 * cos(side), camera.from[1] = middle[1] + 6 * sin(side);
  camera.from[2] = middle[2] + 1.5;
  layer l = layer_of(&s, &camera, 150, 150);
  int *item = painted(&s, &camera, 150), wrong = 0;
  for (int k = 0; k < 150 * 150; k++) wrong += item[k] != l.item[k];
  free(item);
  layer_free(&l);
  stage_free(&s);
  return wrong;
}

static void test_painters_order(void **state) {
  // balls and boxes apart; then planks across each other, which touch: a few pixels on their common
  // edges may be of either
  stc_world *world = neighbourhood(27), *tower = make_world(false);
  for (int k = 0; k < 24; k++) {
    int level = k / 2, across = level % 2;
    stc_part part = yard_box(across ? 0.2 : 1, across ? 1 : 0.2, 0.1);
    double off = k % 2 ? 0.7 : -0.7;
    stc_rigid_body body = yard_body(&part, across ? off : 0, across ? 0 : off, 0.1 + 0.2 * level);
    yard_add(tower, &body);
  }
  for (int side = 0; side < 8; side++) {
    assert_in_range(wrong_pixels(world, (double[3]){1, 1, 2}, side), 0, 8);
    assert_in_range(wrong_pixels(tower, (double[3]){0, 0, 1}, side), 0, 60);
  }
  stc_world_free(&world);
  stc_world_free(&tower);
}

// ---- light

static image painting(const stage *s, const stc_camera *camera, int width, int height) {
  image picture;
  assert_true(image_make(&picture, width, height));
  assert_true(paint(&picture, s, camera));
  return picture;
}

static double brightness(const image *picture, double x, double y) {
  const float *p = picture->rgb + 3 * ((size_t)y * (size_t)picture->width + (size_t)x);
  return (double)(p[0] + p[1] + p[2]) / 3;
}

static void pixel_of(const view *v, const double x[3], double pixel[2]) {
  double seen[3];
  view_point(v, x, seen);
  view_pixel(v, seen, pixel);
}

static void test_shadow_is_opposite_to_the_sun(void **state) {
  // a ball of radius 0.5 one metre above the floor: the sun's line through its middle meets the
  // floor in the dark, the mirrored place is lit, and so is the floor far away
  stc_world *world = make_world(false);
  yard_floor(world, 0);
  add_ball(world, 0.5, 0, 0, 1);
  stage s = stage_of(world);
  stc_camera camera = {.from = {2, -8, 9}, .up = {0, 0, 1}, .angle = 40};
  image picture = painting(&s, &camera, 240, 200);
  view v = view_of(&camera, 240, 200);
  double sun[3], dark[3] = {0, 0, 1}, lit[3] = {0}, at[2], background[3];
  light_sun(&s, &v, sun);
  stc_add3(dark, -1 / sun[2], sun);
  lit[0] = -dark[0], lit[1] = -dark[1];
  pixel_of(&v, dark, at);
  paint_background(at[1] / 200, background);
  double open = (background[0] + background[1] + background[2]) / 3;
  assert_true(brightness(&picture, at[0], at[1]) < 0.75 * open);
  pixel_of(&v, lit, at);
  assert_true(brightness(&picture, at[0], at[1]) > 0.85 * open);
  image_free(&picture);
  stage_free(&s);
  stc_world_free(&world);
}

static bool paint_it_red(const void *user, int body, double rgb[3]) {
  if (body != *(const int *)user) return false;
  rgb[0] = 1, rgb[1] = rgb[2] = 0;
  return true;
}

static int red_pixels(const image *picture) {
  int count = 0;
  for (int k = 0; k < picture->width * picture->height; k++) {
    const float *p = picture->rgb + 3 * k;
    count += p[0] > 4 * p[1] && p[0] > 0.05f;
  }
  return count;
}

static bool hide_box(const void *user, int body) { return body == 0; }

static void test_hidden_body_is_hidden(void **state) {
  // a red ball behind a box leaves no red pixel; without the box it does
  int red = 1;
  stc_world *world = make_world(false);
  stc_part wall = yard_box(2, 0.1, 2);
  stc_rigid_body body = yard_body(&wall, 0, -1, 0);
  yard_add(world, &body);
  add_ball(world, 0.5, 0.3, 0.5, 0.2);
  stage_options options = {.color = paint_it_red, .user = &red};
  stc_camera camera = front_camera(40);
  for (int hide = 0; hide < 2; hide++) {
    stage s = {0};
    options.hidden = hide ? hide_box : NULL;
    assert_true(stage_set(&s, world, &options));
    image picture = painting(&s, &camera, 160, 120);
    if (hide)
      assert_true(red_pixels(&picture) > 100);
    else
      assert_int_equal(red_pixels(&picture), 0);
    image_free(&picture);
    stage_free(&s);
  }
  stc_world_free(&world);
}

static void test_flat_world(void **state) {
  // a disc of radius 1 in a picture 4 m wide on 400 pixels, and the half plane y <= -1 below it
  int red = 0;
  stc_world *world = make_world(true);
  add_ball(world, 1, 0, 0, 0);
  stc_part plane = {.shape = {.kind = STC_SHAPE_PLANE}, .pose = stc_pose_identity()};
  stc_rigid_body body = yard_body(&plane, 0, -1, 0);
  body.mobility = STC_MOBILITY_FIXED;
  body.pose.rotation[0] = sqrt(0.5), body.pose.rotation[1] = -sqrt(0.5);  // z is turned to y
  yard_add(world, &body);
  stage s = {0};
  assert_true(stage_set(&s, world, &(stage_options){.color = paint_it_red, .user = &red}));
  assert_true(s.flat);
  stc_camera camera = {.from = {0, 0, 1}, .up = {0, 1, 0}, .width = 4};
  image picture = painting(&s, &camera, 400, 300);
  expect_near(red_pixels(&picture), PI * 100 * 100, 800);
  layer l = layer_of(&s, &camera, 400, 300);
  assert_int_equal(l.item[240 * 400 + 5], -1);
  assert_int_equal(l.item[260 * 400 + 5], 1);
  layer_free(&l);
  image_free(&picture);
  stage_free(&s);
  stc_world_free(&world);
}

// ---- forces

static void test_forces_carry_the_weight(void **state) {
  // a box of 8000 kg on the floor: the forces on it add up to 8000 * 9.81 N upwards
  stc_world *world = make_world(false);
  yard_floor(world, 0);
  stc_part part = yard_box(1, 1, 1);
  stc_rigid_body body = yard_body(&part, 0, 0, 1);
  yard_add(world, &body);
  yard_start(world);
  yard_step(world);
  stage s = stage_of(world);
  assert_true(stage_add_forces(&s, world));
  assert_int_equal(s.forces, 4);
  double sum[3] = {0}, largest = 0;
  paint_line line;
  for (int k = 0; k < s.forces; k++) stc_add3(sum, 1, s.force[k].f);
  expect_near(fabs(sum[2]), 8000 * 9.81, 1e-3);
  assert_true(paint_largest(&s, &largest));
  assert_true(largest >= 8000 * 9.81 / 4 * (1 - 1e-9));
  assert_true(paint_force(&s, 0, largest, &line));
  for (int i = 0; i < 3; i++) expect_near((line.from[i] + line.to[i]) / 2, s.force[0].x[i], 1e-12);
  s.force[0].f[0] = s.force[0].f[1] = s.force[0].f[2] = 0;
  assert_false(paint_force(&s, 0, largest, &line));
  stage_free(&s);
  stc_world_free(&world);
}

// ---- files

static void test_png_reads_back(void **state) {
  // linear 0, 0.2140 and 1 are 0, 127 or 128 and 255 in sRGB
  image picture;
  assert_true(image_make(&picture, 5, 3));
  picture.rgb[3 * (1 * 5 + 2)] = 1;
  picture.rgb[3 * (1 * 5 + 2) + 1] = 0.2140f;
  FILE *file = tmpfile();
  assert_non_null(file);
  assert_true(image_write(&picture, file));
  rewind(file);
  png_image back = {.version = PNG_IMAGE_VERSION};
  assert_true(png_image_begin_read_from_stdio(&back, file));
  assert_int_equal(back.width, 5);
  assert_int_equal(back.height, 3);
  back.format = PNG_FORMAT_RGB;
  unsigned char pixel[5 * 3 * 3];
  assert_true(png_image_finish_read(&back, NULL, pixel, 0, NULL));
  assert_int_equal(pixel[3 * 7], 255);
  assert_in_range(pixel[3 * 7 + 1], 127, 128);
  assert_int_equal(pixel[3 * 7 + 2], 0);
  assert_int_equal(pixel[0], 0);
  fclose(file);
  image_free(&picture);
}

static void test_png_that_cannot_be_written(void **state) {
  image picture;
  assert_true(image_make(&picture, 300, 300));
  FILE *full = fopen("/dev/full", "w");
  if (!full) skip();
  assert_false(image_write(&picture, full) && fflush(full) == 0);
  fclose(full);
  image_free(&picture);
}

static void test_lines_and_words(void **state) {
  // a line 4 pixels wide and 20 long covers about 80 + pi 2^2 pixels; one that leaves the picture
  // is cut; words leave ink
  const double white[3] = {1, 1, 1};
  image picture;
  assert_true(image_make(&picture, 60, 40));
  image_line(&picture, (double[2]){20, 20}, (double[2]){40, 20}, 4, white, 1);
  double ink = 0;
  for (int k = 0; k < 60 * 40; k++) ink += (double)picture.rgb[3 * k];
  expect_near(ink, 80 + PI * 4, 3);
  image_line(&picture, (double[2]){-50, -90}, (double[2]){400, 300}, 4, white, 1);
  memset(picture.rgb, 0, 60 * 40 * 3 * sizeof(float));
  image_words(&picture, "t = 0.5 s", 2, 30, 10, white);
  ink = 0;
  for (int k = 0; k < 60 * 40; k++) ink += (double)picture.rgb[3 * k];
  assert_true(ink > 40);
  image_free(&picture);
}

// Whether every tag is closed by its own name, and quotes are in pairs: what SVG needs at least.
static bool is_well_formed(const char *at) {
  char open[40][40];
  int depth = 0, tags = 0;
  for (at = strchr(at, '<'); at; at = strchr(at, '<')) {
    const char *end = strchr(at, '>');
    if (!end) return false;
    size_t name = strcspn(at + 1 + (at[1] == '/'), " />\n");
    int quotes = 0;
    for (const char *c = at; c < end; c++) quotes += *c == '"';
    if (quotes % 2 || name == 0 || name >= sizeof *open || depth >= 40) return false;
    if (at[1] == '/') {
      if (depth == 0 || strncmp(open[--depth], at + 2, name) != 0 || open[depth][name])
        return false;
    } else if (end[-1] != '/') {
      snprintf(open[depth++], sizeof *open, "%.*s", (int)name, at + 1);
    }
    tags++;
    at = end;
  }
  return depth == 0 && tags > 0;
}

static char *svg_of(const stage *s, const draw_options *options) {
  stc_camera camera = camera_of(s, options->width, options->height);
  FILE *file = tmpfile();
  assert_non_null(file);
  assert_true(draw(file, s, &camera, options));
  long length = ftell(file);
  char *text = calloc((size_t)length + 1, 1);
  assert_non_null(text);
  rewind(file);
  assert_int_equal(fread(text, 1, (size_t)length, file), (size_t)length);
  fclose(file);
  return text;
}

static int count_of(const char *text, const char *word) {
  int count = 0;
  for (; (text = strstr(text, word)); text += strlen(word)) count++;
  return count;
}

static void test_svg(void **state) {
  // 13 balls and 14 boxes, of which one to three faces are seen, with an outline each
  stc_world *world = neighbourhood(27);
  yard_floor(world, 0);
  stage s = stage_of(world);
  draw_options options = {.width = 300, .height = 200, .title = "a <b> & c"};
  char *text = svg_of(&s, &options);
  assert_true(is_well_formed(text));
  assert_non_null(strstr(text, "<title>a &lt;b&gt; &amp; c</title>"));
  assert_non_null(strstr(text, "width=\"300\" height=\"200\""));
  assert_int_equal(count_of(text, "class=\"ball\""), 13);
  assert_int_equal(count_of(text, "fill=\"none\" stroke=\"#"), 14 + 1);  // and the grid
  assert_true(count_of(text, "<polygon") >= 14 * 2 + 27);
  assert_int_equal(count_of(text, "nan") + count_of(text, "inf"), 0);
  free(text);
  stage_free(&s);
  stc_world_free(&world);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_flat_surfaces),
                                     cmocka_unit_test(test_round_surfaces),
                                     cmocka_unit_test(test_projection),
                                     cmocka_unit_test(test_camera_words),
                                     cmocka_unit_test(test_everything_is_framed),
                                     cmocka_unit_test(test_large_fixed_bodies_are_backdrop),
                                     cmocka_unit_test(test_inclined_plane_is_a_sheet),
                                     cmocka_unit_test(test_ball_is_where_projection_says),
                                     cmocka_unit_test(test_ball_and_its_polyhedron_agree),
                                     cmocka_unit_test(test_painters_order),
                                     cmocka_unit_test(test_shadow_is_opposite_to_the_sun),
                                     cmocka_unit_test(test_hidden_body_is_hidden),
                                     cmocka_unit_test(test_flat_world),
                                     cmocka_unit_test(test_forces_carry_the_weight),
                                     cmocka_unit_test(test_png_reads_back),
                                     cmocka_unit_test(test_png_that_cannot_be_written),
                                     cmocka_unit_test(test_lines_and_words),
                                     cmocka_unit_test(test_svg)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
