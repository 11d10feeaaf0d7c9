// Putting contacts into batches, and the numbers of the problem into these.
#include "lanes4.h"

#include "../../law/cone_kernel.h"
#include "../../law/scale.h"
#include "../methods/root.h"

#include <string.h>

enum { LANES = STC_LANES4_LANES, BODIES = STC_LANES4_BODIES, WIDTH = STC_LANES4_WIDTH };

// With fewer contacts a batch has too little to choose from, and setup counts.
enum { LEAST = 64 };  // [machine]

// Batches that wait for contacts: more of them find more, and take contacts further from their
// order.
enum { WAITING = 16 };  // [machine]

// Lanes per contact, beyond which too many are idle.
static const double MOST_LANES = 1.25;  // [machine]

// ---- memory ----

bool stc_lanes4_serve(const stc_reduced *p) {
  const stc_bodies *b = &p->bodies;
  if (b->count == 0 || p->any_law || p->dim != 3 || p->contacts < LEAST) return false;
  for (int k = 0; k < b->count; k++)
    if (b->ptr[k + 1] - b->ptr[k] != WIDTH) return false;
  for (int c = 0; c < p->contacts; c++)
    if (b->touch_ptr[c + 1] - b->touch_ptr[c] > BODIES) return false;
  return true;
}

size_t stc_lanes4_idle(int contacts) {
  return (size_t)3 * STC_LANES4_IDLE * (size_t)stc_slices_most(contacts);
}

static int most_batches(const stc_reduced *p) {
  return (int)(MOST_LANES * p->contacts / LANES) + WAITING * stc_slices_most(p->contacts);
}

size_t stc_lanes4_bytes(const stc_reduced *p) {
  enum { REQUESTS = 16 };  // [size]
  size_t most = (size_t)most_batches(p), contacts = (size_t)p->contacts;
  size_t bodies = (size_t)p->bodies.count, slices = (size_t)stc_slices_most(p->contacts);
  size_t each = sizeof(stc_batch4) + sizeof(stc_push4) + (1 + BODIES) * LANES * sizeof(int);
  return most * each + contacts * 2 * sizeof(int) + bodies * 4 * sizeof(int) +
         (bodies + slices) * STC_LANES4_STRIDE * sizeof(double) +
         REQUESTS * stc_arena_cost(STC_SLICES, sizeof(double));
}

stc_error stc_lanes4_take(stc_arena *arena, const stc_reduced *p, stc_lanes4 *s) {
  *s = (stc_lanes4){.problem = p};
  if (!stc_lanes4_serve(p)) return STC_OK;
  int slices = stc_slices_most(p->contacts);
  s->most = most_batches(p);
  s->contact = STC_TAKE_RAW(arena, int, (size_t)s->most *LANES);
  s->body = STC_TAKE_RAW(arena, int, (size_t)s->most *LANES *BODIES);
  s->place = STC_TAKE_RAW(arena, int, p->contacts);
  s->waits = STC_TAKE_RAW(arena, unsigned, p->bodies.count + 1);
  s->batch = STC_TAKE_RAW(arena, stc_batch4, s->most);
  s->apart = STC_TAKE_RAW(arena, stc_push4, s->most);
  s->p =
      STC_TAKE_RAW(arena, double, ((size_t)p->bodies.count + (size_t)slices) * STC_LANES4_STRIDE);
  return stc_slices_take(arena, p, &s->slices);
}

// ---- batches ----

typedef struct group {
  int count, contact[LANES], body[LANES * BODIES];
} group;

// Groups that wait: the first `count` of `order`, the oldest first; the others are free.
typedef struct waiting {
  int slice, count, order[WAITING];
  group group[WAITING];
} waiting;

// The body of slot k of a contact, that past the last where there is none.
static int body_of(const stc_bodies *b, int c, int k) {
  int t = b->touch_ptr[c] + k;
  return t < b->touch_ptr[c + 1] ? b->touch_body[t] : b->count;
}

static void join(stc_lanes4 *s, waiting *w, int at, int c) {
  const stc_bodies *b = &s->problem->bodies;
  group *g = &w->group[at];
  for (int k = 0; k < BODIES; k++) {
    int body = g->body[g->count * BODIES + k] = body_of(b, c, k);
    if (body < b->count) s->waits[body] |= 1U << at;
  }
  g->contact[g->count++] = c;
}

// Writes the group as the next batch; false where there is no more room.
static bool write_group(stc_lanes4 *s, int slice, const group *g) {
  const stc_reduced *p = s->problem;
  if (s->count == s->most) return false;
  int *contact = s->contact + (ptrdiff_t)s->count * LANES;
  int *body = s->body + (ptrdiff_t)s->count * LANES * BODIES;
  for (int l = 0; l < LANES; l++) {
    bool there = l < g->count;
    contact[l] = there ? g->contact[l] : p->contacts + STC_LANES4_IDLE * slice;
    if (there) s->place[contact[l]] = s->count * LANES + l;
    for (int k = 0; k < BODIES; k++) {
      int of = there ? g->body[l * BODIES + k] : p->bodies.count;
      body[k * LANES + l] = STC_LANES4_STRIDE * (of < p->bodies.count ? of : of + slice);
    }
  }
  s->count++;
  return true;
}

// The group that waits in place k becomes a batch, and is free.
static bool close_group(stc_lanes4 *s, waiting *w, int k) {
  int at = w->order[k];
  group *g = &w->group[at];
  bool done = write_group(s, w->slice, g);
  for (int e = 0; e < g->count * BODIES; e++) s->waits[g->body[e]] &= ~(1U << at);
  memmove(w->order + k, w->order + k + 1, (size_t)(--w->count - k) * sizeof *w->order);
  w->order[w->count] = at;
  g->count = 0;
  return done;
}

// The waiting group that takes contact c: the first it fits in, or an empty one in place of the
// oldest.
static bool place_contact(stc_lanes4 *s, waiting *w, int c) {
  const stc_bodies *b = &s->problem->bodies;
  unsigned taken = s->waits[body_of(b, c, 0)] | s->waits[body_of(b, c, 1)];
  int k = 0;
  while (k < w->count && taken >> w->order[k] & 1) k++;
  if (k == WAITING) {
    if (!close_group(s, w, 0)) return false;
    k = w->count;
  }
  if (k == w->count) w->count++;
  join(s, w, w->order[k], c);
  return w->group[w->order[k]].count < LANES || close_group(s, w, k);
}

static bool group_slice(stc_lanes4 *s, int slice) {
  const stc_slices *slices = &s->slices;
  waiting w = {.slice = slice};
  for (int k = 0; k < WAITING; k++) w.order[k] = k;
  s->first[slice] = s->count;
  for (int k = slices->first[slice]; k < slices->first[slice + 1]; k++) {
    int c = slices->contact[k];
    s->place[c] = -1;
    if (!s->problem->immovable[c] && !place_contact(s, &w, c)) return false;
  }
  while (w.count > 0)
    if (!close_group(s, &w, 0)) return false;
  return true;
}

static bool group_contacts(stc_lanes4 *s) {
  stc_slices_cut(s->problem, &s->slices);
  memset(s->waits, 0, ((size_t)s->problem->bodies.count + 1) * sizeof *s->waits);
  s->count = 0;
  for (int k = 0; k < s->slices.count; k++)
    if (!group_slice(s, k)) return false;
  s->first[s->slices.count] = s->count;
  return true;
}

// ---- numbers ----

// Rows of a body with a mass and a tensor of inertia: nothing else is in the root of M^-1.
static inline void find_rigid_rows(const double *H, const double *C, double *row) {
  for (int k = 0; k < 3; k++)
    for (int i = 0; i < 3; i++) {
      double sum = 0;
      for (int m = i; m < 3; m++) sum += H[(3 + m) * 3 + k] * C[(3 + m) * WIDTH + 3 + i];
      row[k * WIDTH + i] = H[i * 3 + k] * C[i * WIDTH + i];
      row[k * WIDTH + 3 + i] = sum;
    }
}

static bool is_rigid_root(const double *C) {
  bool zero = true;
  for (int i = 0; i < WIDTH; i++)
    for (int j = 0; j < i && j < 3; j++) zero = zero && C[i * WIDTH + j] == 0;
  return zero;
}

static void fill_touch(stc_lanes4 *s, int t, const double *C, bool rigid, const double *D) {
  const stc_bodies *b = &s->problem->bodies;
  int c = b->touch_contact[t], slot = t - b->touch_ptr[c], place = s->place[c];
  double row[3 * WIDTH];
  if (place < 0) return;
  if (rigid)
    find_rigid_rows(b->H + b->val_ptr[t], C, row);
  else
    stc_root_rows(3, WIDTH, b->H + b->val_ptr[t], C, row);
  stc_batch4 *batch = &s->batch[place / LANES];
  for (int k = 0; k < 3; k++)
    for (int m = 0; m < WIDTH; m++)
      batch->G[slot][k][m][place % LANES] = D[3 * c + k] * row[k * WIDTH + m];
}

// What threads share of the numbers: bodies or contacts in pieces, each with its own verdict.
typedef struct fill_job {
  stc_lanes4 *batches;
  const double *D;
  stc_pieces pieces;
  bool good[STC_PIECES];
} fill_job;

static bool run_fill(fill_job *j, int count, void (*task)(void *, int)) {
  bool good = true;
  j->pieces = stc_pieces_of(count, STC_PIECE_CONTACTS);
  stc_team_run(j->batches->problem->team, task, j, j->pieces.count);
  for (int k = 0; k < j->pieces.count; k++) good = good && j->good[k];
  return good;
}

static bool fill_body(stc_lanes4 *s, int b, const double *D) {
  const stc_bodies *bodies = &s->problem->bodies;
  double C[WIDTH * WIDTH];
  if (!stc_root_factorise(WIDTH, bodies->inverse + bodies->inv_ptr[b], C)) return false;
  bool rigid = is_rigid_root(C);
  for (int k = bodies->on_ptr[b]; k < bodies->on_ptr[b + 1]; k++)
    fill_touch(s, bodies->on_touch[k], C, rigid, D);
  return true;
}

static void fill_bodies_piece(void *argument, int piece) {
  fill_job *j = argument;
  int end = stc_piece_first(&j->pieces, piece + 1);
  bool good = true;
  for (int b = stc_piece_first(&j->pieces, piece); good && b < end; b++)
    good = fill_body(j->batches, b, j->D);
  j->good[piece] = good;
}

static int count_touches(const stc_bodies *b, int c) {
  return b->touch_ptr[c + 1] - b->touch_ptr[c];
}

// D W_cc D, prepared for one lane; false where it is not regular.
static bool fill_contact(stc_lanes4 *s, int c, const double *D) {
  const double *W = s->problem->diagonal + (ptrdiff_t)c * 9, *q = s->problem->q + (ptrdiff_t)c * 3;
  stc_batch4 *batch = &s->batch[s->place[c] / LANES];
  int lane = s->place[c] % LANES;
  double block[9];
  stc_law_scale_block(3, D, W, block);
  stc_cone3 cone = stc_cone3_prepare(block);
  for (int k = 0; k < 3; k++) batch->q[k][lane] = D[k] * q[k];
  batch->a[lane] = block[0];
  batch->inverse_a[lane] = cone.inverse_a;
  for (int k = 0; k < 2; k++) batch->g[k][lane] = cone.g[k];
  batch->T11[lane] = cone.T[0];
  batch->T21[lane] = cone.T[1];
  batch->T22[lane] = cone.T[3];
  batch->inverse_T11[lane] = cone.inverse_T11;
  batch->inverse_pivot[lane] = cone.inverse_pivot;
  batch->lambda[lane] = 0;
  for (int k = count_touches(&s->problem->bodies, c); k < BODIES; k++)
    for (int m = 0; m < 3 * WIDTH; m++) batch->G[k][m / WIDTH][m % WIDTH][lane] = 0;
  return cone.least == 0;
}

static void fill_contacts_piece(void *argument, int piece) {
  fill_job *j = argument;
  int end = stc_piece_first(&j->pieces, piece + 1);
  bool good = true;
  for (int c = stc_piece_first(&j->pieces, piece); good && c < end; c++)
    good = j->batches->place[c] < 0 || fill_contact(j->batches, c, j->D + (ptrdiff_t)3 * c);
  j->good[piece] = good;
}

static bool fill_lanes4(stc_lanes4 *s, const double *D) {
  fill_job job = {.batches = s, .D = D};
  if (!group_contacts(s)) return false;
  for (int k = 0; k < s->count; k++) {
    // An idle lane has no rows and is open; the last one is, if any.
    if (s->contact[k * LANES + LANES - 1] < s->problem->contacts) continue;
    memset(&s->batch[k], 0, sizeof *s->batch);
    for (int l = 0; l < LANES; l++) s->batch[k].q[0][l] = 1;
  }
  return run_fill(&job, s->problem->contacts, fill_contacts_piece) &&
         run_fill(&job, s->problem->bodies.count, fill_bodies_piece);
}

bool stc_lanes4_make(stc_lanes4 *s, const double *D) {
  if (s->most == 0 || s->refused) return false;
  if (!s->made) s->made = fill_lanes4(s, D);
  s->refused = !s->made;
  return s->made;
}

void stc_lanes4_reset(stc_lanes4 *s) {
  for (int k = 0; k < s->count; k++) memset(s->batch[k].lambda, 0, sizeof s->batch[k].lambda);
}

// ---- slices ----

typedef struct slice_job {
  void (*task)(void *, int);
  void *argument;
  int first;
} slice_job;

static void run_slice(void *argument, int k) {
  const slice_job *j = argument;
  j->task(j->argument, j->first + 2 * k);
}

void stc_lanes4_run(stc_lanes4 *s, void (*task)(void *, int), void *argument, bool forward) {
  for (int half = 0; half < 2; half++) {
    slice_job job = {task, argument, forward ? half : 1 - half};
    stc_team_run(s->problem->team, run_slice, &job, (s->slices.count + 1 - job.first) / 2);
  }
}

typedef struct load_job {
  stc_lanes4 *batches;
  const double *z;
  stc_pieces pieces;  // of p
} load_job;

static void clear_piece(void *argument, int piece) {
  const load_job *j = argument;
  int first = stc_piece_first(&j->pieces, piece), end = stc_piece_first(&j->pieces, piece + 1);
  memset(j->batches->p + first, 0, (size_t)(end - first) * sizeof *j->batches->p);
}

static void load_slice(void *argument, int slice) {
  const load_job *j = argument;
  stc_lanes4_push(j->batches, slice, j->z);
}

void stc_lanes4_load(stc_lanes4 *s, const double *z) {
  int numbers = (s->problem->bodies.count + s->slices.count) * STC_LANES4_STRIDE;
  load_job job = {s, z, stc_pieces_of(numbers, STC_PIECE_NUMBERS)};
  stc_team_run(s->problem->team, clear_piece, &job, job.pieces.count);
  stc_lanes4_run(s, load_slice, &job, true);
}
