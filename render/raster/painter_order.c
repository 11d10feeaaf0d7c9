// Painter's order of convex pieces: where two of them overlap on the picture, planes between them
// decide, the one on the eye's side being in front [Newell, Newell and Sancha 1972]. The planes are
// those of faces, or stand across the line between a ball and the other's middle; where none keeps
// them apart, the nearest to doing so. Pieces whose surrounding balls are apart need no more than
// these. Cycles are cut at the piece whose middle is farthest.
#include "draw.h"

#include <float.h>
#include <stdlib.h>

#include "base/vec3.h"

static const double TOUCHING = 1e-3;  // overlap of bodies that touch, of the smaller one's size

// ---- pieces

typedef struct sorter {
  const stage *s;
  const view *v;
  order_piece *piece;
  int pieces, piece_room;
  int (*arc)[2];  // from the one behind to the one in front
  int arcs, arc_room;
  bool failed;
} sorter;

static const stage_item *item_of(const sorter *t, const order_piece *p) {
  return &t->s->item[p->item];
}

// Fills the box on the picture; false: it is not wholly ahead, or outside.
static bool is_seen(const sorter *t, order_piece *p) {
  const stage_item *item = item_of(t, p);
  const surface *faces = &t->s->surface;
  bool ball = item->kind == STAGE_BALL;
  double seen[3], count = 0;
  int from = ball ? 0 : faces->first[p->first_face];
  int to = ball ? 1 : faces->first[p->first_face + p->faces];
  p->low[0] = p->low[1] = DBL_MAX, p->high[0] = p->high[1] = -DBL_MAX, p->z = 0;
  for (int k = from; k < to; k++) {
    view_point(t->v, ball ? item->centre : faces->vertex[faces->corner[k]].x, seen);
    if (!(seen[2] - (ball ? item->radius : 0) > t->v->nearest)) return false;
    const view *v = t->v;
    double radius = ball ? item->radius : 0;
    double pixel[2], scale = v->parallel ? v->scale : v->scale / seen[2];
    view_pixel(v, seen, pixel);
    for (int i = 0; i < 2; i++) {  // generous for balls, whose outline is an ellipse
      p->low[i] = fmin(p->low[i], pixel[i] - 1.2 * radius * scale);
      p->high[i] = fmax(p->high[i], pixel[i] + 1.2 * radius * scale);
    }
    p->z += seen[2], count++;
  }
  p->z /= count;
  return p->low[0] < t->v->width && p->high[0] > 0 && p->low[1] < t->v->height && p->high[1] > 0;
}

static void add_order_piece(sorter *t, int item, int first_face, int faces) {
  order_piece piece = {.item = item, .first_face = first_face, .faces = faces};
  if (t->failed || !is_seen(t, &piece)) return;
  if (!surface_grow(&t->piece, &t->piece_room, t->pieces, sizeof *t->piece)) {
    t->failed = true;
    return;
  }
  t->piece[t->pieces++] = piece;
}

static void add_pieces(sorter *t, const bool *seen) {
  for (int k = 0; k < t->s->items; k++) {
    const stage_item *item = &t->s->item[k];
    if (seen && !seen[k]) continue;
    if (item->kind == STAGE_BALL || item->kind == STAGE_SOLID)
      add_order_piece(t, k, item->first_face, item->faces);
    for (int f = 0; item->kind == STAGE_SHEET && f < item->faces; f++) {
      if (view_faces(t->v, &t->s->surface, item->first_face + f))
        add_order_piece(t, k, item->first_face + f, 1);
    }
  }
}

// ---- planes between two pieces

// What planes say about a pair. Where one puts the first piece in front and another the second,
// neither covers the other.
typedef struct verdict {
  bool behind, front;  // a plane keeps them apart, and the first is behind it, or in front
  double apart;        // of the best plane so far,
  bool best_behind;    // and what it says
  double slack;        // bodies that touch may overlap by so much
} verdict;

// Least n x over a piece.
static double least_along(const sorter *t, const order_piece *p, const double n[3]) {
  const stage_item *item = item_of(t, p);
  const surface *faces = &t->s->surface;
  double least = DBL_MAX;
  if (item->kind == STAGE_BALL) return stc_dot3(n, item->centre) - item->radius;
  for (int k = faces->first[p->first_face]; k < faces->first[p->first_face + p->faces]; k++) {
    least = fmin(least, stc_dot3(n, faces->vertex[faces->corner[k]].x));
  }
  return least;
}

// One of the pieces is below n x = d, `other` is above if they are apart. `first`: the one below is
// the first of the pair.
static void try_plane(const sorter *t, const double n[3], double d, const order_piece *other,
                      bool first, verdict *v) {
  double apart = least_along(t, other, n) - d, middle = d + apart / 2;
  bool above = t->v->parallel ? stc_dot3(n, t->v->ahead) < 0 : stc_dot3(n, t->v->eye) > middle;
  bool behind = above == first;
  if (apart >= -v->slack) {
    v->behind = v->behind || behind;
    v->front = v->front || !behind;
  }
  if (!(apart > v->apart)) return;
  v->apart = apart;
  v->best_behind = behind;
}

static void try_faces(const sorter *t, const order_piece *a, const order_piece *b, bool first,
                      verdict *v) {
  const surface *faces = &t->s->surface;
  for (int f = a->first_face; f < a->first_face + a->faces; f++) {
    const surface_vertex *corner = &faces->vertex[faces->corner[faces->first[f]]];
    const double *n = corner->n, back[3] = {-n[0], -n[1], -n[2]};
    try_plane(t, n, stc_dot3(n, corner->x), b, first, v);
    if (a->faces == 1) try_plane(t, back, stc_dot3(back, corner->x), b, first, v);  // a sheet
  }
}

static void try_all(const sorter *t, const order_piece *a, const order_piece *b, bool first,
                    verdict *v) {
  if (item_of(t, a)->kind == STAGE_BALL) {
    const stage_item *ball = item_of(t, a);
    double n[3];
    stc_sub3(item_of(t, b)->centre, ball->centre, n);
    stc_unit3(n);
    try_plane(t, n, stc_dot3(n, ball->centre) + ball->radius, b, first, v);
  } else
    try_faces(t, a, b, first, v);
}

// |eye - c|^2 - r^2: of two balls, the one for which it is greater is behind their radical plane.
static double power(const sorter *t, const stage_item *item) {
  double away[3];
  stc_sub3(item->centre, t->v->eye, away);
  if (t->v->parallel) return stc_dot3(away, t->v->ahead);
  return stc_dot3(away, away) - item->radius * item->radius;
}

// 1: a is behind b; -1: in front of it; 0: neither covers the other.
static int compare_pieces(const sorter *t, const order_piece *a, const order_piece *b) {
  const stage_item *one = item_of(t, a), *two = item_of(t, b);
  double size = fmin(one->radius, two->radius);
  bool apart = stc_distance3(one->centre, two->centre) >= one->radius + two->radius;
  if (apart || (one->kind == STAGE_BALL && two->kind == STAGE_BALL))
    return power(t, one) > power(t, two) ? 1 : -1;
  verdict v = {.apart = -DBL_MAX, .slack = TOUCHING * size};
  try_all(t, a, b, true, &v);
  try_all(t, b, a, false, &v);
  if (v.behind && v.front) return 0;
  return (v.behind || v.front ? v.behind : v.best_behind) ? 1 : -1;
}

// ---- sorting

static int by_left(const void *a, const void *b) {
  double x = ((const order_piece *)a)->low[0], y = ((const order_piece *)b)->low[0];
  return (x > y) - (x < y);
}

static void add_arc(sorter *t, int behind, int front) {
  if (t->failed || !surface_grow(&t->arc, &t->arc_room, t->arcs, sizeof *t->arc)) {
    t->failed = true;
    return;
  }
  t->arc[t->arcs][0] = behind;
  t->arc[t->arcs++][1] = front;
}

static int by_first(const void *a, const void *b) {
  const int *x = a, *y = b;
  if (x[0] != y[0]) return x[0] < y[0] ? -1 : 1;
  return (x[1] > y[1]) - (x[1] < y[1]);
}

// Pieces that wait for nothing, the farthest on top.
typedef struct heap {
  int *entry;
  int count;
  const order_piece *piece;
} heap;

static bool is_farther(const heap *h, int a, int b) {
  return h->piece[h->entry[a]].z > h->piece[h->entry[b]].z;
}

static void swap(heap *h, int a, int b) {
  int kept = h->entry[a];
  h->entry[a] = h->entry[b];
  h->entry[b] = kept;
}

static void push(heap *h, int piece) {
  int at = h->count++;
  h->entry[at] = piece;
  for (; at > 0 && is_farther(h, at, (at - 1) / 2); at = (at - 1) / 2) swap(h, at, (at - 1) / 2);
}

static int pop(heap *h) {
  int top = h->entry[0];
  h->entry[0] = h->entry[--h->count];
  for (int at = 0;;) {
    int child = 2 * at + 1;
    if (child >= h->count) break;
    if (child + 1 < h->count && is_farther(h, child + 1, child)) child++;
    if (!is_farther(h, child, at)) break;
    swap(h, child, at);
    at = child;
  }
  return top;
}

// The farthest of those that are not drawn yet: where they wait for each other.
static int farthest_left(const sorter *t, const int *waits) {
  int best = -1;
  for (int k = 0; k < t->pieces; k++) {
    if (waits[k] >= 0 && (best < 0 || t->piece[k].z > t->piece[best].z)) best = k;
  }
  return best;
}

// waits[k]: pieces behind k that are not drawn yet; -1: k is drawn.
static void draw_in_order(const sorter *t, int *waits, int *first, heap *ready, int *order) {
  for (int k = 0; k < t->arcs; k++) waits[t->arc[k][1]]++, first[t->arc[k][0] + 1]++;
  for (int k = 0; k < t->pieces; k++) first[k + 1] += first[k];
  for (int k = 0; k < t->pieces; k++) {
    if (waits[k] == 0) push(ready, k);
  }
  for (int count = 0; count < t->pieces;) {
    int next = ready->count > 0 ? pop(ready) : farthest_left(t, waits);
    if (waits[next] < 0) continue;
    waits[next] = -1;
    order[count++] = next;
    for (int k = first[next]; k < first[next + 1]; k++) {
      int front = t->arc[k][1];
      if (waits[front] > 0 && --waits[front] == 0) push(ready, front);
    }
  }
}

static bool sort_pieces(sorter *t) {
  size_t count = (size_t)t->pieces + 1;
  int *waits = calloc(count, sizeof *waits), *first = calloc(count + 1, sizeof *first);
  int *order = calloc(count, sizeof *order);
  order_piece *sorted = calloc(count, sizeof *sorted);
  heap ready = {calloc(count, sizeof(int)), 0, t->piece};
  bool good = waits && first && order && sorted && ready.entry;
  if (good) {
    draw_in_order(t, waits, first, &ready, order);
    for (int k = 0; k < t->pieces; k++) sorted[k] = t->piece[order[k]];
    free(t->piece);
    t->piece = sorted;
  } else {
    free(sorted);
  }
  free(waits);
  free(first);
  free(order);
  free(ready.entry);
  return good;
}

int order_pieces(const stage *s, const view *v, const bool *seen, order_piece **list) {
  sorter t = {.s = s, .v = v};
  add_pieces(&t, seen);
  if (t.pieces > 0) qsort(t.piece, (size_t)t.pieces, sizeof *t.piece, by_left);
  for (int a = 0; a < t.pieces; a++) {
    for (int b = a + 1; b < t.pieces && t.piece[b].low[0] < t.piece[a].high[0]; b++) {
      const order_piece *p = &t.piece[a], *q = &t.piece[b];
      if (p->low[1] >= q->high[1] || q->low[1] >= p->high[1]) continue;
      int order = compare_pieces(&t, p, q);
      if (order > 0) add_arc(&t, a, b);
      if (order < 0) add_arc(&t, b, a);
    }
  }
  if (t.arcs > 0) qsort(t.arc, (size_t)t.arcs, sizeof *t.arc, by_first);
  bool good = !t.failed && sort_pieces(&t);
  free(t.arc);
  *list = t.piece;
  if (good) return t.pieces;
  free(t.piece);
  *list = NULL;
  return -1;
}
