// The box, its cells and the balls already settled in it.
#include "pack.h"

#include "../../base/fail.h"
#include "../../base/vec3.h"

#include <string.h>

// The floor, then the walls x = 0, x = width, y = 0, y = width.
static const double NORMAL[STC_PLANES][3] = {
    {0, 0, 1}, {1, 0, 0}, {-1, 0, 0}, {0, 1, 0}, {0, -1, 0}};

int stc_pack_planes(const stc_pack *pack) { return pack->flat ? 3 : STC_PLANES; }

const double *stc_pack_normal(int plane) { return NORMAL[STC_FLOOR - plane]; }

double stc_pack_offset(const stc_pack *pack, int plane) {
  int k = STC_FLOOR - plane;
  return k == 2 || k == 4 ? -pack->width[k / 2 - 1] : 0.0;
}

double stc_pack_gap(const stc_pack *pack, int obstacle, const double x[3], double radius,
                    double normal[3]) {
  if (obstacle < 0) {
    memcpy(normal, stc_pack_normal(obstacle), 3 * sizeof *normal);
    return stc_dot3(normal, x) - stc_pack_offset(pack, obstacle) - radius;
  }
  stc_combine3(x, -1.0, pack->centre[obstacle], normal);
  double distance = stc_norm3(normal);
  stc_scale3(1.0 / distance, normal, normal);
  return distance - radius - pack->radius[obstacle];
}

// Cell number of a coordinate, clamped to the box.
static int cell_of(const stc_pack *pack, int axis, double x) {
  double k = floor(x / pack->cell);
  return (int)fmin(fmax(k, 0.0), pack->cells[axis] - 1.0);
}

static int layer_cells(const stc_pack *pack) { return pack->cells[0] * pack->cells[1]; }

// Appends empty layers of cells until there are at least `layers`.
static stc_error grow_layers(stc_pack *pack, int layers) {
  if (layers <= pack->cells[2]) return STC_OK;
  int per = layer_cells(pack), old = pack->cells[2];
  int wanted = layers > 2 * old ? layers : 2 * old;
  int *head = STC_TAKE(&pack->arena, int, (size_t)wanted *(size_t)per);
  STC_TRY(stc_arena_check(&pack->arena));
  if (old) memcpy(head, pack->head, (size_t)old * (size_t)per * sizeof *head);
  for (size_t k = (size_t)old * (size_t)per; k < (size_t)wanted * (size_t)per; k++) head[k] = -1;
  pack->head = head;
  pack->cells[2] = wanted;
  return STC_OK;
}

stc_error stc_pack_open(stc_pack *pack, bool flat, const double width[2], int count,
                        const double *radius) {
  *pack = (stc_pack){.flat = flat, .width = {width[0], width[1]}};
  pack->centre = stc_arena_take(&pack->arena, (size_t)count, sizeof *pack->centre);
  pack->radius = STC_TAKE(&pack->arena, double, count);
  pack->next = STC_TAKE(&pack->arena, int, count);
  STC_TRY(stc_arena_check(&pack->arena));
  memcpy(pack->radius, radius, (size_t)count * sizeof *radius);
  for (int b = 0; b < count; b++) pack->largest = fmax(pack->largest, radius[b]);
  pack->cell = 2.0 * pack->largest;
  for (int k = 0; k < 2; k++) pack->cells[k] = 1 + (int)(width[k] / pack->cell);
  return grow_layers(pack, 1);
}

void stc_pack_free(stc_pack *pack) {
  stc_arena_free(&pack->arena);
  *pack = (stc_pack){0};
}

stc_error stc_pack_settle(stc_pack *pack, const double x[3]) {
  int b = pack->balls;
  STC_TRY(grow_layers(pack, 1 + (int)(x[2] / pack->cell)));
  int cell = cell_of(pack, 0, x[0]) + pack->cells[0] * cell_of(pack, 1, x[1]) +
             layer_cells(pack) * cell_of(pack, 2, x[2]);
  memcpy(pack->centre[b], x, sizeof pack->centre[b]);
  pack->next[b] = pack->head[cell];
  pack->head[cell] = b;
  pack->top = fmax(pack->top, x[2]);
  pack->balls++;
  return STC_OK;
}

static int first_ball(const stc_near *near) {
  const stc_pack *pack = near->pack;
  return pack->head[near->at[0] + pack->cells[0] * near->at[1] + layer_cells(pack) * near->at[2]];
}

stc_near stc_pack_near(const stc_pack *pack, const double low[3], const double high[3]) {
  stc_near near = {.pack = pack};
  for (int k = 0; k < 3; k++) {
    near.low[k] = near.at[k] = cell_of(pack, k, low[k]);
    near.high[k] = cell_of(pack, k, high[k]);
  }
  near.ball = first_ball(&near);
  return near;
}

// Moves to the next cell, x fastest; false after the last.
static bool next_cell(stc_near *near) {
  for (int k = 0; k < 3; k++) {
    if (near->at[k]++ < near->high[k]) return true;
    near->at[k] = near->low[k];
  }
  return false;
}

int stc_near_next(stc_near *near) {
  while (near->ball < 0) {
    if (!next_cell(near)) return -1;
    near->ball = first_ball(near);
  }
  int ball = near->ball;
  near->ball = near->pack->next[ball];
  return ball;
}

stc_error stc_pack_fill(stc_pack *pack, bool flat, const double width[2], int count,
                        const double *radius, stc_random *random) {
  enum { ATTEMPTS = 100 };  // degenerate paths are rarer than one ball in 10000
  STC_TRY(stc_pack_open(pack, flat, width, count, radius));
  while (pack->balls < count) {
    double x[3];
    bool rests = false;
    for (int attempt = 0; attempt < ATTEMPTS && !rests; attempt++) {
      // A random place above the pile, away from the walls.
      double r = pack->radius[pack->balls];
      for (int k = 0; k < 2; k++)
        x[k] = r + (pack->width[k] - 2.0 * r) * stc_random_uniform(random);
      if (pack->flat) x[1] = 0.0;
      x[2] = pack->top + r + 2.0 * pack->largest;
      rests = stc_pack_roll(pack, x);
    }
    if (!rests)
      return stc_fail(STC_ERR_NUMERIC, "ball %d finds no place to rest; try another seed",
                      pack->balls);
    STC_TRY(stc_pack_settle(pack, x));
  }
  return STC_OK;
}
