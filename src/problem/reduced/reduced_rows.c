// The reduced problem of rigid bodies from rows that are lent: what a step of motion has at hand is
// neither checked nor copied.
#include "reduced_parts.h"

#include <string.h>

/// Requests of fill_rows, each of which may be rounded up.
enum { REQUESTS = 16 };

size_t stc_reduced_rows_bytes(const stc_reduced_rows *rows) {
  const stc_body_matrix *H = &rows->H;
  size_t contacts = (size_t)H->count, touches = 2 * contacts, bodies = (size_t)rows->bodies;
  size_t area = (size_t)(H->dim * H->width), mass = (size_t)(H->width * H->width);
  size_t doubles = touches * area + contacts * (size_t)(H->dim * H->dim + H->dim + 1) +
                   bodies * (2 * mass + (size_t)H->width) + STC_BSR_PAD;
  size_t integers = contacts + 3 * touches + bodies * (size_t)(2 + H->width) + 3;
  size_t offsets = touches + bodies + 1;
  return doubles * sizeof(double) + integers * sizeof(int) + offsets * sizeof(size_t) + contacts +
         REQUESTS * stc_arena_cost(1, 1);
}

static void list_bodies(const stc_reduced_rows *rows, stc_bodies *b) {
  int width = rows->H.width;
  size_t area = (size_t)(width * width);
  for (int k = 0; k <= rows->bodies; k++) {
    b->ptr[k] = k * width;
    b->inv_ptr[k] = (size_t)k * area;
  }
  for (int k = 0; k < b->dofs; k++) b->dof[k] = k;
}

/// The bodies of each contact in increasing order.
static void list_sides(const stc_reduced_rows *rows, stc_bodies *b) {
  const stc_body_matrix *H = &rows->H;
  size_t area = (size_t)(H->dim * H->width);
  int at = 0;
  b->touch_ptr[0] = 0;
  for (int c = 0; c < H->count; c++) {
    const int *body = stc_body_pair(H, c);
    int low = body[0] <= body[1] ? 0 : 1;
    for (int k = 0; k < 2; k++) {
      int side = k == 0 ? low : 1 - low;
      if (body[side] < 0) continue;
      b->touch_body[at] = body[side];
      b->touch_contact[at] = c;
      b->val_ptr[at++] = ((size_t)2 * (size_t)c + (size_t)side) * area;
    }
    b->touch_ptr[c + 1] = at;
  }
}

static stc_error take_rows(stc_arena *room, const stc_reduced_rows *rows, stc_bodies *b) {
  const stc_body_matrix *H = &rows->H;
  size_t touches = 2 * (size_t)H->count, bodies = (size_t)rows->bodies;
  *b = (stc_bodies){.count = rows->bodies,
                    .dim = H->dim,
                    .contacts = H->count,
                    .dofs = rows->bodies * H->width,
                    .symmetric = true,
                    .H = rows->block};
  b->ptr = STC_TAKE_RAW(room, int, bodies + 1);
  b->dof = STC_TAKE_RAW(room, int, b->dofs);
  b->inv_ptr = STC_TAKE_RAW(room, size_t, bodies + 1);
  b->M = STC_TAKE_RAW(room, double, bodies *(size_t)(H->width * H->width));
  b->free = STC_TAKE_RAW(room, double, b->dofs);
  b->touch_ptr = STC_TAKE_RAW(room, int, (size_t)H->count + 1);
  b->touch_body = STC_TAKE_RAW(room, int, touches);
  b->touch_contact = STC_TAKE_RAW(room, int, touches);
  b->val_ptr = STC_TAKE_RAW(room, size_t, touches);
  b->entries = touches * (size_t)(H->dim * H->width);
  STC_TRY(stc_arena_check(room));
  list_bodies(rows, b);
  list_sides(rows, b);
  return stc_bodies_take(room, b);
}

stc_error stc_reduced_take_rows(stc_arena *room, const stc_reduced_rows *rows, stc_reduced *p) {
  size_t masses = (size_t)rows->bodies * (size_t)(rows->H.width * rows->H.width);
  stc_arena_free(&p->arena);
  *p = (stc_reduced){.dim = rows->H.dim,
                     .contacts = rows->H.count,
                     .size = rows->H.count * rows->H.dim,
                     .law = rows->law,
                     .team = rows->team};
  STC_TRY(take_rows(room, rows, &p->bodies));
  p->q = STC_TAKE_RAW(room, double, p->size);
  STC_TRY(stc_arena_check(room));
  memcpy(p->bodies.M, rows->M, masses * sizeof(double));
  memcpy(p->bodies.inverse, rows->inverse, masses * sizeof(double));
  stc_bodies_complete(&p->bodies);
  p->kappa = p->bodies.kappa;
  p->diagonal = p->bodies.diagonal;
  p->immovable = p->bodies.immovable;
  p->scratch = p->bodies.dofs + p->contacts;
  stc_reduced_follow_rows(p, rows->free, rows->q);
  return STC_OK;
}

void stc_reduced_follow_rows(stc_reduced *p, const double *free, const double *q) {
  memcpy(p->bodies.free, free, (size_t)p->bodies.dofs * sizeof *free);
  memcpy(p->q, q, (size_t)p->size * sizeof *q);
  stc_reduced_scale_velocities(p, p->bodies.unit);
}

stc_error stc_reduced_count_blocks(stc_reduced *p) {
  if (p->blocks > 0) return STC_OK;
  STC_TRY(stc_bodies_count_blocks(&p->bodies));
  p->blocks = p->bodies.blocks;
  return STC_OK;
}
