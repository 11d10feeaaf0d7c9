// Growing clusters from the worst contacts over the graph of contacts, two of which are neighbours
// if one moves the other. What a cluster has is closed to the others.
#include "clusters.h"

#include "../../base/fail.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

// Terms are told apart by powers of two; what is below the largest by this many adds nothing.
enum { OCTAVES = 64 };  // [size]

stc_error stc_clusters_create(stc_arena *arena, const stc_reduced *p, stc_clusters *k) {
  *k = (stc_clusters){0};
  k->ptr = STC_TAKE(arena, int, p->contacts + 1);
  k->contact = STC_TAKE(arena, int, p->contacts);
  k->term = STC_TAKE(arena, double, p->contacts);
  k->grade = STC_TAKE(arena, stc_grade, p->contacts);
  k->owner = STC_TAKE(arena, int, p->contacts);
  k->body_owner = STC_TAKE(arena, int, p->bodies.count);
  k->ring = STC_TAKE(arena, int, p->contacts);
  return stc_arena_check(arena);
}

// --- Seeds ---

static int worse(const void *a, const void *b) {
  const stc_grade *x = a, *y = b;
  if (x->term != y->term) return x->term > y->term ? -1 : 1;
  return x->contact < y->contact ? -1 : 1;
}

static int exponent_of(double x) {
  int exponent;
  frexp(x, &exponent);
  return exponent;
}

/// A power of two such that the terms that are no less hold `share` of the sum of squares, which is
/// written to whole.
static double least_of(const double *term, int contacts, double share, double *whole) {
  double most = 0, sum[OCTAVES] = {0}, held = 0;
  int octave = 0;
  for (int c = 0; c < contacts; c++) most = fmax(most, term[c]);
  const int top = exponent_of(most);
  for (int c = 0; c < contacts; c++) {
    int below = term[c] > 0 ? top - exponent_of(term[c]) : OCTAVES;
    if (below < OCTAVES) sum[below] += term[c] * term[c];
  }
  *whole = 0;
  for (int k = 0; k < OCTAVES; k++) *whole += sum[k];
  while (octave < OCTAVES && held < share * *whole) held += sum[octave++];
  return ldexp(1, top - octave);
}

/// Grades the worst contacts and returns how many of them are seeds.
static int choose_seeds(stc_clusters *k, int contacts, const stc_cluster_size *size) {
  double whole, held = 0, least = least_of(k->term, contacts, size->share, &whole);
  int count = 0, seeds = 0;
  for (int c = 0; c < contacts; c++)
    if (k->term[c] >= least) k->grade[count++] = (stc_grade){k->term[c], c};
  qsort(k->grade, (size_t)count, sizeof *k->grade, worse);
  for (; seeds < count && seeds < size->seeds && held < size->share * whole; seeds++)
    held += k->grade[seeds].term * k->grade[seeds].term;
  return seeds;
}

// --- Rings ---

/// Counts contact c in, at this distance from the seeds.
static void meet_clusters(stc_clusters *k, int c, int ring, int *end) {
  if (k->ring[c] >= 0) return;
  k->ring[c] = ring;
  k->contact[(*end)++] = c;
}

static void meet_neighbours(stc_clusters *k, const stc_reduced *p, int c, int *end) {
  const stc_bodies *b = &p->bodies;
  int ring = k->ring[c] + 1;
  for (int e = b->count ? 0 : p->W.ptr[c]; !b->count && e < p->W.ptr[c + 1]; e++)
    meet_clusters(k, p->W.col[e], ring, end);
  for (int t = b->count ? b->touch_ptr[c] : 0; b->count && t < b->touch_ptr[c + 1]; t++) {
    int body = b->touch_body[t];
    for (int e = b->on_ptr[body]; e < b->on_ptr[body + 1]; e++)
      meet_clusters(k, b->touch_contact[b->on_touch[e]], ring, end);
  }
}

/// Leaves ring [contacts] = distance from the seeds, -1: further than the rings.
static void grow_rings(stc_clusters *k, const stc_reduced *p, int seeds, int rings) {
  int end = 0;
  for (int c = 0; c < p->contacts; c++) k->ring[c] = -1;
  for (int s = 0; s < seeds; s++) meet_clusters(k, k->grade[s].contact, 0, &end);
  for (int head = 0; head < end && k->ring[k->contact[head]] < rings; head++)
    meet_neighbours(k, p, k->contact[head], &end);
}

// --- Clusters ---

/// Whether no other cluster than the last has what contact c moves.
static bool is_free(const stc_clusters *k, const stc_reduced *p, int c) {
  const stc_bodies *b = &p->bodies;
  bool mine = true;
  for (int t = b->count ? b->touch_ptr[c] : 0; b->count && t < b->touch_ptr[c + 1]; t++) {
    int owner = k->body_owner[b->touch_body[t]];
    mine = mine && (owner == 0 || owner == k->count);
  }
  for (int e = b->count ? 0 : p->W.ptr[c]; !b->count && e < p->W.ptr[c + 1]; e++) {
    int owner = k->owner[p->W.col[e]];
    mine = mine && (owner == 0 || owner == k->count);
  }
  return mine;
}

/// Takes contact c into the last cluster, if it lies in the rings and there is room.
static void take_clusters(stc_clusters *k, const stc_reduced *p, int c, int most, int *end) {
  const stc_bodies *b = &p->bodies;
  bool full = *end - k->ptr[k->count - 1] >= most;
  if (full || k->ring[c] < 0 || k->owner[c] > 0 || !is_free(k, p, c)) return;
  k->owner[c] = k->count;
  k->contact[(*end)++] = c;
  for (int t = b->count ? b->touch_ptr[c] : 0; b->count && t < b->touch_ptr[c + 1]; t++)
    k->body_owner[b->touch_body[t]] = k->count;
}

static void take_neighbours(stc_clusters *k, const stc_reduced *p, int c, int most, int *end) {
  const stc_bodies *b = &p->bodies;
  for (int e = b->count ? 0 : p->W.ptr[c]; !b->count && e < p->W.ptr[c + 1]; e++)
    take_clusters(k, p, p->W.col[e], most, end);
  for (int t = b->count ? b->touch_ptr[c] : 0; b->count && t < b->touch_ptr[c + 1]; t++) {
    int body = b->touch_body[t];
    for (int e = b->on_ptr[body]; e < b->on_ptr[body + 1]; e++)
      take_clusters(k, p, b->touch_contact[b->on_touch[e]], most, end);
  }
}

static int increasing(const void *a, const void *b) { return *(const int *)a - *(const int *)b; }

static void grow(stc_clusters *k, const stc_reduced *p, int seed, int most) {
  int begin = k->ptr[k->count++], end = begin;
  take_clusters(k, p, seed, most, &end);
  for (int head = begin; head < end; head++) take_neighbours(k, p, k->contact[head], most, &end);
  if (end == begin) k->count--;  // the seed lies at the border of another
  k->ptr[k->count] = end;
  qsort(k->contact + begin, (size_t)(end - begin), sizeof *k->contact, increasing);
}

void stc_clusters_find(stc_clusters *k, const stc_reduced *p, const double *r, const double *u,
                       const stc_cluster_size *size) {
  size_t contacts = (size_t)p->contacts;
  memset(k->owner, 0, contacts * sizeof *k->owner);
  if (p->bodies.count > 0)
    memset(k->body_owner, 0, (size_t)p->bodies.count * sizeof *k->body_owner);
  k->count = k->ptr[0] = 0;
  stc_reduced_terms(p, r, u, k->term);
  int seeds = choose_seeds(k, p->contacts, size);
  grow_rings(k, p, seeds, size->rings);
  for (int s = 0; s < seeds; s++)
    if (k->owner[k->grade[s].contact] == 0) grow(k, p, k->grade[s].contact, size->most);
}
