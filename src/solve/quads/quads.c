// Putting contacts into quads, and the numbers of the problem into these.
#include "quads.h"

#include "../../law/cone_kernel.h"
#include "../root.h"

#include <string.h>

enum { LANES = STC_QUAD_LANES, BODIES = STC_QUAD_BODIES, WIDTH = STC_QUAD_WIDTH };

// With fewer contacts a quad has too little to choose from, and setup counts.
enum { LEAST = 64 };

// Quads that wait for contacts: more of them find more, and take contacts further from their order.
enum { WAITING = 8 };

// Lanes per contact, beyond which too many are idle.
static const double MOST_LANES = 1.25;

// ---- memory ----

bool stc_quads_serve(const stc_reduced *p) {
  const stc_bodies *b = &p->bodies;
  if (b->count == 0 || p->turning || p->dim != 3 || p->contacts < LEAST) return false;
  for (int k = 0; k < b->count; k++)
    if (b->ptr[k + 1] - b->ptr[k] != WIDTH) return false;
  for (int c = 0; c < p->contacts; c++)
    if (b->touch_ptr[c + 1] - b->touch_ptr[c] > BODIES) return false;
  return true;
}

stc_error stc_quads_take(stc_arena *arena, const stc_reduced *p, stc_quads *s) {
  *s = (stc_quads){.problem = p};
  if (!stc_quads_serve(p)) return STC_OK;
  s->most = (int)(MOST_LANES * p->contacts / LANES) + WAITING;
  s->contact = STC_TAKE_RAW(arena, int, (size_t)s->most *LANES);
  s->body = STC_TAKE_RAW(arena, int, (size_t)s->most *LANES *BODIES);
  s->place = STC_TAKE_RAW(arena, int, p->contacts);
  s->quad = STC_TAKE_RAW(arena, stc_quad, s->most);
  s->p = STC_TAKE_RAW(arena, double, ((size_t)p->bodies.count + 1) * STC_QUAD_STRIDE);
  return stc_arena_check(arena);
}

// ---- quads ----

typedef struct group {
  int count, contact[LANES], body[LANES * BODIES];
} group;

// The body of slot k of a contact, that past the last where there is none.
static int body_of(const stc_bodies *b, int c, int k) {
  int t = b->touch_ptr[c] + k;
  return t < b->touch_ptr[c + 1] ? b->touch_body[t] : b->count;
}

static bool fits(const stc_bodies *b, const group *g, int c) {
  for (int k = 0; k < BODIES; k++) {
    int body = body_of(b, c, k);
    for (int e = 0; e < g->count * BODIES; e++)
      if (body < b->count && g->body[e] == body) return false;
  }
  return true;
}

static void join(const stc_bodies *b, group *g, int c) {
  for (int k = 0; k < BODIES; k++) g->body[g->count * BODIES + k] = body_of(b, c, k);
  g->contact[g->count++] = c;
}

// Writes the group as the next quad; false where there is no more room.
static bool close_group(stc_quads *s, const group *g) {
  const stc_reduced *p = s->problem;
  if (s->count == s->most) return false;
  int *contact = s->contact + (ptrdiff_t)s->count * LANES;
  int *body = s->body + (ptrdiff_t)s->count * LANES * BODIES;
  for (int l = 0; l < LANES; l++) {
    bool there = l < g->count;
    contact[l] = there ? g->contact[l] : p->contacts;
    if (there) s->place[contact[l]] = s->count * LANES + l;
    for (int k = 0; k < BODIES; k++)
      body[k * LANES + l] = STC_QUAD_STRIDE * (there ? g->body[l * BODIES + k] : p->bodies.count);
  }
  s->count++;
  return true;
}

// The waiting group that takes contact c: the first it fits in, or an empty one in place of the
// oldest. The oldest come first.
static bool place_contact(stc_quads *s, group *waiting, int *count, int c) {
  const stc_bodies *b = &s->problem->bodies;
  int k = 0;
  while (k < *count && !fits(b, &waiting[k], c)) k++;
  if (k == WAITING) {
    if (!close_group(s, &waiting[0])) return false;
    memmove(waiting, waiting + 1, (WAITING - 1) * sizeof *waiting);
    k = --*count;
  }
  if (k == *count) waiting[(*count)++].count = 0;
  join(b, &waiting[k], c);
  if (waiting[k].count < LANES) return true;
  bool done = close_group(s, &waiting[k]);
  memmove(waiting + k, waiting + k + 1, (size_t)(--*count - k) * sizeof *waiting);
  return done;
}

static bool group_contacts(stc_quads *s) {
  group waiting[WAITING];
  int count = 0;
  s->count = 0;
  for (int c = 0; c < s->problem->contacts; c++) {
    s->place[c] = -1;
    if (!s->problem->immovable[c] && !place_contact(s, waiting, &count, c)) return false;
  }
  for (int k = 0; k < count; k++)
    if (!close_group(s, &waiting[k])) return false;
  return true;
}

// ---- numbers ----

static void fill_touch(stc_quads *s, int t, const double *C, const double *D) {
  const stc_bodies *b = &s->problem->bodies;
  int c = b->touch_contact[t], slot = t - b->touch_ptr[c], place = s->place[c];
  double row[3 * WIDTH];
  if (place < 0) return;
  stc_root_rows(3, WIDTH, b->H + b->val_ptr[t], C, row);
  stc_quad *quad = &s->quad[place / LANES];
  for (int k = 0; k < 3; k++)
    for (int m = 0; m < WIDTH; m++)
      quad->G[slot][k][m][place % LANES] = D[3 * c + k] * row[k * WIDTH + m];
}

static bool fill_rows(stc_quads *s, const double *D) {
  const stc_bodies *bodies = &s->problem->bodies;
  for (int b = 0; b < bodies->count; b++) {
    double C[WIDTH * WIDTH];
    if (!stc_root_factorise(WIDTH, bodies->inverse + bodies->inv_ptr[b], C)) return false;
    for (int k = bodies->on_ptr[b]; k < bodies->on_ptr[b + 1]; k++)
      fill_touch(s, bodies->on_touch[k], C, D);
  }
  return true;
}

// D W_cc D, prepared for one lane; false where it is not regular.
static bool fill_contact(stc_quads *s, int c, const double *D) {
  const double *W = s->problem->diagonal + (ptrdiff_t)c * 9, *q = s->problem->q + (ptrdiff_t)c * 3;
  stc_quad *quad = &s->quad[s->place[c] / LANES];
  int lane = s->place[c] % LANES;
  double block[9];
  for (int l = 0; l < 3; l++)
    for (int k = 0; k < 3; k++) block[k + 3 * l] = D[k] * W[k + 3 * l] * D[l];
  stc_cone3 cone = stc_cone3_prepare(block);
  for (int k = 0; k < 3; k++) quad->q[k][lane] = D[k] * q[k];
  quad->a[lane] = block[0];
  quad->inverse_a[lane] = cone.inverse_a;
  for (int k = 0; k < 2; k++) quad->g[k][lane] = cone.g[k];
  quad->T11[lane] = cone.T[0];
  quad->T21[lane] = cone.T[1];
  quad->T22[lane] = cone.T[3];
  quad->inverse_T11[lane] = cone.inverse_T11;
  quad->inverse_pivot[lane] = cone.inverse_pivot;
  return cone.least == 0;
}

// An idle lane has no rows and is open.
static void clear_quads(stc_quads *s) {
  memset(s->quad, 0, (size_t)s->count * sizeof *s->quad);
  for (int k = 0; k < s->count; k++)
    for (int l = 0; l < LANES; l++)
      if (s->contact[k * LANES + l] == s->problem->contacts) s->quad[k].q[0][l] = 1;
}

static bool fill(stc_quads *s, const double *D) {
  if (!group_contacts(s)) return false;
  clear_quads(s);
  for (int c = 0; c < s->problem->contacts; c++)
    if (s->place[c] >= 0 && !fill_contact(s, c, D + (ptrdiff_t)3 * c)) return false;
  return fill_rows(s, D);
}

bool stc_quads_make(stc_quads *s, const double *D) {
  if (s->most == 0 || s->refused) return false;
  if (!s->made) s->made = fill(s, D);
  s->refused = !s->made;
  return s->made;
}

void stc_quads_reset(stc_quads *s) {
  for (int k = 0; k < s->count; k++) memset(s->quad[k].lambda, 0, sizeof s->quad[k].lambda);
}
