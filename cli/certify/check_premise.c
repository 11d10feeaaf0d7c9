// Whether a matrix is positive semi-definite: block by block, each ordered by breadth, by
// Cholesky's factor in floating point. It is that of a matrix that differs by less than gamma
// sqrt(a_ii a_jj) in every entry of the envelope, gamma = (k + 1) eps with k entries in a row
// [Demmel 1989; Rump 2006]; twice that is taken off the diagonal beforehand. A small block that has
// no such room is eliminated in rational numbers.
#include "check_premise.h"

#include <float.h>
#include <math.h>
#include <string.h>

enum { MOST_EXACT = 60 };              // rows of a block
static const double MOST_WORK = 2e11;  // operations on the envelope of a block

typedef struct graph {
  int n, *start, *next;  // [n + 1], [entries] columns of each row, both ways
  double *value;         // each entry at both places, so that their sum is 2 S
  int *order, *place;    // [n] by breadth; position
} graph;

static bool inside(const rows *p, int k) {
  return p->local || (p->row[k] < p->dofs && p->col[k] < p->dofs);
}

static graph make_graph(const rows *p) {
  graph g = {.n = p->local ? p->size : p->dofs};
  g.start = exact_room(g.n + 1, sizeof *g.start);
  g.next = exact_room(2 * p->entries, sizeof *g.next);
  g.value = exact_room(2 * p->entries, sizeof *g.value);
  g.order = exact_room(g.n, sizeof *g.order), g.place = exact_room(g.n, sizeof *g.place);
  int *at = exact_room(g.n, sizeof *at);
  for (int k = 0; k < p->entries; k++)
    if (inside(p, k)) g.start[p->row[k] + 1]++, g.start[p->col[k] + 1]++;
  for (int i = 0; i < g.n; i++) g.start[i + 1] += g.start[i], at[i] = g.start[i];
  for (int k = 0; k < p->entries; k++) {
    if (!inside(p, k)) continue;
    int i = p->row[k], j = p->col[k];
    g.next[at[i]] = j, g.value[at[i]++] = p->entry[k];
    g.next[at[j]] = i, g.value[at[j]++] = p->entry[k];
  }
  for (int i = 0; i < g.n; i++) g.place[i] = -1;
  return g;
}

// Numbers the rows that are connected with `first`, from `count` on; returns the new count.
static int spread_from(graph *g, int first, int count) {
  int from = count;
  g->order[count] = first, g->place[first] = count++;
  for (; from < count; from++)
    for (int k = g->start[g->order[from]]; k < g->start[g->order[from] + 1]; k++)
      if (g->place[g->next[k]] < 0) {
        g->order[count] = g->next[k];
        g->place[g->next[k]] = count++;
      }
  return count;
}

// The same from the row that is furthest from `first`.
static int spread_twice(graph *g, int first, int count) {
  int end = spread_from(g, first, count), last = g->order[end - 1];
  for (int k = count; k < end; k++) g->place[g->order[k]] = -1;
  return spread_from(g, last, count);
}

// ---- in floating point

typedef struct envelope {
  int n, from;   // rows of the block, and the place of its first
  int *first;    // [n] first column of each row
  double **row;  // [n] row[i][j - first[i]]
  double work, entries, longest;
} envelope;

static envelope make_envelope(const graph *g, int from, int to) {
  envelope e = {.n = to - from, .from = from};
  e.first = exact_room(e.n, sizeof *e.first), e.row = exact_room(e.n, sizeof *e.row);
  for (int i = 0; i < e.n; i++) {
    int row = g->order[from + i];
    e.first[i] = i;
    for (int k = g->start[row]; k < g->start[row + 1]; k++) {
      int j = g->place[g->next[k]] - from;
      if (j < e.first[i]) e.first[i] = j;
    }
    double length = i - e.first[i] + 1;
    e.entries += length, e.work += length * length;
    e.longest = fmax(e.longest, length);
  }
  return e;
}

static void fill_envelope(const graph *g, envelope *e) {
  for (int i = 0; i < e->n; i++) {
    int row = g->order[e->from + i];
    e->row[i] = exact_room(i - e->first[i] + 1, sizeof **e->row);
    for (int k = g->start[row]; k < g->start[row + 1]; k++) {
      int j = g->place[g->next[k]] - e->from;
      if (j <= i) e->row[i][j - e->first[i]] += g->value[k] / 2;
    }
  }
}

// L over the envelope; false where a pivot is not positive, or out of the range of sound numbers.
static bool factorise_envelope(envelope *e, double shift) {
  for (int i = 0; i < e->n; i++) {
    double *a = e->row[i], pivot = a[i - e->first[i]] * (1.0 + shift);
    for (int j = e->first[i]; j < i; j++) {
      const double *b = e->row[j];
      int low = e->first[i] > e->first[j] ? e->first[i] : e->first[j];
      double sum = a[j - e->first[i]];
      for (int k = low; k < j; k++) sum -= a[k - e->first[i]] * b[k - e->first[j]];
      a[j - e->first[i]] = sum / b[j - e->first[j]];
      pivot -= a[j - e->first[i]] * a[j - e->first[i]];
    }
    if (!(pivot > 0x1p-400 && pivot < 0x1p400)) return false;
    a[i - e->first[i]] = sqrt(pivot);
  }
  return true;
}

static bool has_factor(const graph *g, envelope *e, double slack) {
  double norm = fmin(e->n, sqrt(2.0 * e->entries));
  double error = 2.0 * DBL_EPSILON * (e->longest + 8.0) * norm;
  if (e->work > MOST_WORK) return false;
  fill_envelope(g, e);
  return factorise_envelope(e, slack - 2.0 * error);
}

// ---- exactly

// The block times two, its diagonal times 1 + slack.
static number *gather_block(const graph *g, const envelope *e, double slack) {
  number *A = exact_room(e->n * e->n, sizeof *A), more = plus(real(1.0), real(slack));
  for (int k = 0; k < e->n * e->n; k++) A[k] = real(0.0);
  for (int i = 0; i < e->n; i++) {
    int row = g->order[e->from + i];
    for (int k = g->start[row]; k < g->start[row + 1]; k++)
      add_to(&A[i * e->n + g->place[g->next[k]] - e->from], 1.0, real(g->value[k]));
    A[i * e->n + i] = times(A[i * e->n + i], more);
  }
  return A;
}

// A row that is left with a positive diagonal entry; -1: none; -2: the block is not semi-definite.
static int find_exact_pivot(int n, const number *A, const bool *done) {
  int best = -1;
  for (int i = 0; i < n; i++) {
    int sign = done[i] ? 1 : mpq_sgn(A[i * n + i]);
    if (sign < 0) return -2;
    if (!done[i] && sign > 0 && best < 0) best = i;
    for (int j = 0; sign == 0 && j < n; j++)
      if (!done[j] && mpq_sgn(A[i * n + j])) return -2;
  }
  return best;
}

static bool is_semidefinite(int n, number *A, bool *regular) {
  bool *done = exact_room(n, sizeof *done);
  for (int rank = 0; rank < n; rank++) {
    int p = find_exact_pivot(n, A, done);
    if (p == -1) *regular = false;
    if (p < 0) return p == -1;
    done[p] = true;
    for (int i = 0; i < n; i++) {
      if (done[i] || !mpq_sgn(A[i * n + p])) continue;
      number factor = over(A[i * n + p], A[p * n + p]);
      for (int j = 0; j < n; j++)
        if (!done[j] && mpq_sgn(A[p * n + j]))
          A[i * n + j] = minus(A[i * n + j], times(factor, A[p * n + j]));
    }
  }
  return true;
}

// ---- all of it

static bool is_empty(const graph *g, int row) {
  for (int k = g->start[row]; k < g->start[row + 1]; k++)
    if (g->value[k] != 0.0) return false;
  return true;
}

static void check_block(const graph *g, int from, int to, double slack, premise *out) {
  envelope e = make_envelope(g, from, to);
  int mark = exact_mark();
  if (e.n == 1 && is_empty(g, g->order[from])) {
    out->regular = false;
    return;
  }
  if (has_factor(g, &e, slack)) return;
  out->known = false;
  out->too_large = e.n > MOST_EXACT;
  if (out->too_large) return;
  out->known = is_semidefinite(e.n, gather_block(g, &e, slack), &out->regular);
  exact_forget(mark);
}

// The entries at (i, j) and those at (j, i) make up 2 S: where the matrix is symmetric they
// are as many on both sides.
static bool is_symmetric(const rows *p, const graph *g) {
  double *seen = exact_room(g->n, sizeof *seen);
  int *where = exact_room(g->n, sizeof *where), at = 0;
  int *start = exact_room(g->n + 1, sizeof *start), *entry = exact_room(p->entries, sizeof *entry);
  int *transposed = exact_room(g->n + 1, sizeof *transposed),
      *mirror = exact_room(p->entries, sizeof *mirror);
  for (int k = 0; k < p->entries; k++)
    if (inside(p, k)) start[p->row[k] + 1]++, transposed[p->col[k] + 1]++;
  for (int i = 0; i < g->n; i++) start[i + 1] += start[i], transposed[i + 1] += transposed[i];
  for (int k = 0; k < p->entries; k++)
    if (inside(p, k)) entry[start[p->row[k]]++] = k, mirror[transposed[p->col[k]]++] = k;
  for (int i = 0, a = 0, b = 0; i < g->n; i++) {  // start[i] is now where row i ends
    at = 0;
    for (; a < start[i]; a++) seen[where[at++] = p->col[entry[a]]] += p->entry[entry[a]];
    for (; b < transposed[i]; b++) {
      int k = mirror[b];
      if (seen[p->row[k]] != p->entry[k]) return false;
      seen[p->row[k]] = 0.0;
    }
    while (at > 0)
      if (seen[where[--at]] != 0.0) return false;
  }
  return true;
}

premise premise_check(const rows *p, double slack) {
  premise out = {.known = true, .regular = slack == 0.0};
  graph g = make_graph(p);
  for (int i = 0, count = 0; i < g.n && out.known; i++) {
    if (g.place[i] >= 0) continue;
    int end = spread_twice(&g, i, count);
    check_block(&g, count, end, slack, &out);
    count = end;
  }
  out.regular = out.known && out.regular;
  out.symmetric = is_symmetric(p, &g);
  return out;
}
