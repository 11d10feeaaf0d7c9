// Bodies of a world as they are seen. Their colours are calm ones, by number; bodies that nothing
// moves are grey.
#include "stage.h"

#include <float.h>
#include <stdint.h>
#include <stdlib.h>

#include "base/vec3.h"

enum { MOST_SIDES = 96, COLORS = 8 };

static const double LEVEL = 0.9999;  // cosine between the normal of a ground and up
static const double BACKDROP = 3;    // fixed bodies larger than this many scenes are not framed
static const double SQUARE_MARGIN = 0.25;  // of the scene, around it on an inclined plane
static const double SIDES = 110;           // for a body as large as the scene

// sRGB: stones, clays and glazes that go together, of about the same lightness.
static const unsigned char palette[COLORS][3] = {
    {0x6c, 0x9b, 0xb8}, {0xe0, 0x98, 0x6a}, {0x94, 0xb1, 0x86}, {0xe9, 0xc8, 0x82},
    {0xc2, 0x86, 0x90}, {0x74, 0xaf, 0xa7}, {0x9d, 0x97, 0xc2}, {0xcf, 0xb0, 0x96}};
static const unsigned char grey[3] = {0xc6, 0xca, 0xd0}, pale[3] = {0xe2, 0xe4, 0xe8};

// A part of a body as it stands in the world.
typedef struct piece {
  const stc_shape *shape;
  stc_pose pose;
  int body;
  bool moves;
  double low[3], high[3];
} piece;

// ---- colours

double stage_linear(double value) {
  return value <= 0.04045 ? value / 12.92 : pow((value + 0.055) / 1.055, 2.4);
}

double stage_encoded(double value) {
  if (!(value > 0)) return 0;
  if (value >= 1) return 1;
  return value <= 0.0031308 ? 12.92 * value : 1.055 * pow(value, 1 / 2.4) - 0.055;
}

// Numbers that follow each other get colours without a pattern [splitmix64].
static unsigned scatter_bits(int number) {
  uint64_t z = ((uint64_t)number + 1) * 0x9e3779b97f4a7c15u;
  z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9u;
  z = (z ^ z >> 27) * 0x94d049bb133111ebu;
  return (unsigned)(z >> 40);
}

static void color_of(const stage_options *options, const piece *p, double color[3]) {
  double rgb[3];
  bool plane = p->shape->kind == STC_SHAPE_PLANE;
  const unsigned char *usual = plane      ? pale
                               : p->moves ? palette[scatter_bits(p->body) % COLORS]
                                          : grey;
  for (int i = 0; i < 3; i++) rgb[i] = usual[i] / 255.0;
  if (options->color) (void)options->color(options->user, p->body, rgb);
  for (int i = 0; i < 3; i++) color[i] = stage_linear(fmin(fmax(rgb[i], 0), 1));
}

// ---- what is framed

static void widen(double low[3], double high[3], const double from[3], const double to[3]) {
  for (int i = 0; i < 3; i++) {
    low[i] = fmin(low[i], from[i]);
    high[i] = fmax(high[i], to[i]);
  }
}

static void clear_box(double low[3], double high[3]) {
  for (int i = 0; i < 3; i++) low[i] = DBL_MAX, high[i] = -DBL_MAX;
}

typedef void (*piece_fn)(stage *s, const stage_options *options, const piece *p);

static void for_pieces(stage *s, const stc_world *world, const stage_options *options,
                       piece_fn visit) {
  for (int b = 0; b < stc_world_body_slots(world); b++) {
    stc_body_state state;
    const stc_part *part;
    int parts;
    stc_body_id id = stc_world_body_at(world, b);
    if (options->hidden && options->hidden(options->user, b)) continue;
    if (stc_world_body(world, id, &state) || stc_world_parts(world, id, &parts, &part)) continue;
    for (int k = 0; k < parts; k++) {
      piece p = {.shape = &part[k].shape, .body = b, .moves = state.mass > 0};
      p.pose = stc_pose_compose(&state.pose, &part[k].pose);
      stc_shape_bounds(p.shape, &p.pose, p.low, p.high);
      visit(s, options, &p);
    }
  }
}

static void frame_moving(stage *s, const stage_options *options, const piece *p) {
  (void)options;
  if (p->moves) widen(s->low, s->high, p->low, p->high);
}

// Whether a piece that does not move is part of the scene, not its backdrop.
static bool is_framed(const stage *s, const piece *p) {
  if (p->shape->kind == STC_SHAPE_PLANE) return false;
  return p->moves || s->size <= 0 || stc_distance3(p->low, p->high) <= BACKDROP * s->size;
}

// ---- items

static stage_item *add_item(stage *s, const piece *p, stage_kind kind) {
  static stage_item nowhere;
  if (s->failed || !surface_grow(&s->item, &s->item_room, s->items, sizeof *s->item)) {
    s->failed = true;
    return &nowhere;
  }
  stage_item *item = &s->item[s->items++];
  *item = (stage_item){.kind = kind,
                       .body = p->body,
                       .first_face = s->surface.faces,
                       .first_vertex = s->surface.vertices};
  for (int i = 0; i < 3; i++) item->centre[i] = (p->low[i] + p->high[i]) / 2;
  item->radius = stc_distance3(p->low, p->high) / 2;
  stc_pose_direction(&p->pose, (double[3]){1, 0, 0}, item->spoke);
  return item;
}

static int sides_of(const stage *s, const stage_options *options, const piece *p) {
  if (options->sides > 0) return options->sides;
  if (!(s->size > 0)) return MOST_SIDES;
  return (int)fmin(SIDES * sqrt(2 * p->shape->radius / s->size), MOST_SIDES);
}

static void end_item(stage *s, stage_item *item) {
  item->faces = s->surface.faces - item->first_face;
  item->vertices = s->surface.vertices - item->first_vertex;
}

static void add_piece(stage *s, const stage_options *options, const piece *p) {
  bool ball = p->shape->kind == STC_SHAPE_SPHERE, sheet = p->shape->kind == STC_SHAPE_TERRAIN;
  if (p->shape->kind == STC_SHAPE_PLANE) return;
  stage_item *item = add_item(s, p, ball ? STAGE_BALL : sheet ? STAGE_SHEET : STAGE_SOLID);
  if (s->failed) return;
  item->framed = is_framed(s, p);
  item->casts = true;
  color_of(options, p, item->color);
  if (ball) item->radius = p->shape->radius;
  if (!ball || options->sides > 0)
    surface_add(&s->surface, p->shape, &p->pose, sides_of(s, options, p));
  end_item(s, item);
}

void stage_square(const stage *s, const stc_pose *plane, double low[2], double high[2]) {
  double axis[2][3], margin = SQUARE_MARGIN * s->size;
  for (int i = 0; i < 2; i++) {
    stc_pose_direction(plane, (double[3]){i == 0, i == 1, 0}, axis[i]);
    low[i] = DBL_MAX, high[i] = -DBL_MAX;
    for (int k = 0; k < 8; k++) {
      double x[3];
      for (int j = 0; j < 3; j++) x[j] = (k >> j & 1 ? s->high : s->low)[j] - plane->x[j];
      low[i] = fmin(low[i], stc_dot3(axis[i], x) - margin);
      high[i] = fmax(high[i], stc_dot3(axis[i], x) + margin);
    }
  }
}

static void add_plane(stage *s, const stage_options *options, const piece *p) {
  double normal[3], low[2], high[2];
  if (p->shape->kind != STC_SHAPE_PLANE) return;
  stc_pose_direction(&p->pose, (double[3]){0, 0, 1}, normal);
  bool ground = s->flat || stc_dot3(normal, s->up) > LEVEL;
  stage_item *item = add_item(s, p, ground ? STAGE_GROUND : STAGE_SHEET);
  if (s->failed) return;
  stc_copy3(normal, item->normal);
  stc_copy3(p->pose.x, item->centre);
  item->radius = s->size;
  color_of(options, p, item->color);
  stage_square(s, &p->pose, low, high);
  if (!ground || options->sides > 0) surface_add_square(&s->surface, &p->pose, low, high);
  end_item(s, item);
  if (ground) return;
  double middle[3] = {(low[0] + high[0]) / 2, (low[1] + high[1]) / 2, 0};
  stc_pose_point(&p->pose, middle, item->centre);
  item->radius = hypot(high[0] - low[0], high[1] - low[1]) / 2;
}

// ---- all

static void frame_items(stage *s) {
  for (int k = 0; k < s->items; k++) {
    const stage_item *item = &s->item[k];
    if (!item->framed) continue;
    double low[3], high[3];
    for (int i = 0; i < 3; i++) {
      low[i] = item->centre[i] - item->radius, high[i] = item->centre[i] + item->radius;
    }
    if (item->kind != STAGE_BALL) clear_box(low, high);
    for (int v = 0; v < item->vertices && item->kind != STAGE_BALL; v++) {
      const double *x = s->surface.vertex[item->first_vertex + v].x;
      widen(low, high, x, x);
    }
    widen(s->low, s->high, low, high);
  }
  if (!(s->low[0] <= s->high[0])) {
    for (int i = 0; i < 3; i++) s->low[i] = -0.5, s->high[i] = 0.5;
  }
  s->size = stc_distance3(s->low, s->high);
}

bool stage_set(stage *s, const stc_world *world, const stage_options *options) {
  stage_options usual = {0};
  if (!options) options = &usual;
  s->items = s->forces = 0;
  s->surface.vertices = s->surface.corners = s->surface.faces = 0;
  const stc_world_settings *given = stc_world_given(world);
  s->flat = given->plane;
  for (int i = 0; i < 3; i++) s->up[i] = -given->gravity[i];
  if (!(stc_norm3(s->up) > 0)) s->up[given->plane ? 1 : 2] = 1;
  stc_unit3(s->up);
  // The box around the bodies that move, then around all that is framed with them.
  clear_box(s->low, s->high);
  for_pieces(s, world, options, frame_moving);
  s->size = s->low[0] <= s->high[0] ? stc_distance3(s->low, s->high) : 0;
  for_pieces(s, world, options, add_piece);
  frame_items(s);
  for_pieces(s, world, options, add_plane);
  return !s->failed && !s->surface.failed;
}

bool stage_add_forces(stage *s, const stc_world *world) {
  double h = stc_world_given(world)->h;
  s->forces = 0;
  for (int k = 0; k < stc_world_contacts(world); k++) {
    stc_world_contact c;
    if (!surface_grow(&s->force, &s->force_room, s->forces, sizeof *s->force)) return false;
    stage_force *force = &s->force[s->forces++];
    stc_world_contact_at(world, k, &c);
    *force = (stage_force){.state = c.state};
    stc_copy3(c.point.x, force->x);
    stc_add3(force->f, c.r[0] / h, c.point.normal);
    for (int i = 0; i < 2; i++) stc_add3(force->f, c.r[i + 1] / h, c.tangent[i]);
  }
  return true;
}

void stage_free(stage *s) {
  surface_free(&s->surface);
  free(s->item);
  free(s->force);
  *s = (stage){0};
}
