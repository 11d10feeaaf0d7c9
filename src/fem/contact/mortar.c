// Mortar coefficients: overlaps of slave and master cells, integrated and made dual.
// The dual basis of a cell is psi = A T with A = D ((1 - b) M + b D)^-1, D = diag(int T_k),
// M = int T T^T and b the part of the cell that lies opposite to nothing: biorthogonal on a cell
// that is covered, sum 1 always, continuous as the cell slides over an edge.
#include "mortar.h"
#include "../../base/fail.h"
#include "../../linalg/small.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

// A uniform grid of buckets over boxes; a box is listed in every bucket it touches.

static bool boxes_meet(const stc_bucket_box *a, const stc_bucket_box *b) {
  for (int i = 0; i < 3; i++)
    if (a->low[i] > b->high[i] || b->low[i] > a->high[i]) return false;
  return true;
}

// Buckets along the axes: as wide as the mean box, and no more of them than boxes allow.
static void choose_grid(stc_buckets *g) {
  double mean[3] = {0};
  g->all = g->box[0];
  for (int k = 0; k < g->boxes; k++)
    for (int i = 0; i < 3; i++) {
      g->all.low[i] = fmin(g->all.low[i], g->box[k].low[i]);
      g->all.high[i] = fmax(g->all.high[i], g->box[k].high[i]);
      mean[i] += (g->box[k].high[i] - g->box[k].low[i]) / g->boxes;
    }
  double widest = fmax(mean[0], fmax(mean[1], mean[2]));
  double most = 4.0 * g->boxes + 8;  // buckets
  for (;; widest *= 1.5) {
    double total = 1;
    for (int i = 0; i < 3; i++) {
      double span = g->all.high[i] - g->all.low[i];
      double n = widest > 0 ? fmin(1 + floor(span / widest), 1e6) : 1;
      g->count[i] = (int)n;
      g->width[i] = span > 0 ? span / n : 1;
      total *= n;
    }
    if (total <= most) return;
  }
}

// Buckets a box touches: first and last along each axis; false outside the grid.
static bool range(const stc_buckets *g, const stc_bucket_box *b, int first[3], int last[3]) {
  if (!boxes_meet(&g->all, b)) return false;
  for (int i = 0; i < 3; i++) {
    double lo = floor((b->low[i] - g->all.low[i]) / g->width[i]);
    double hi = floor((b->high[i] - g->all.low[i]) / g->width[i]);
    first[i] = (int)fmax(0, fmin(lo, g->count[i] - 1));
    last[i] = (int)fmax(0, fmin(hi, g->count[i] - 1));
  }
  return true;
}

static int number(const stc_buckets *g, int i, int j, int k) {
  return (k * g->count[1] + j) * g->count[0] + i;
}

// Adds a box to its buckets: counts in the first pass, places in the second.
static void list(stc_buckets *g, int box, bool place) {
  int f[3], l[3];
  if (!range(g, &g->box[box], f, l)) return;
  for (int k = f[2]; k <= l[2]; k++)
    for (int j = f[1]; j <= l[1]; j++)
      for (int i = f[0]; i <= l[0]; i++) {
        int b = number(g, i, j, k);
        if (place)
          g->item[g->ptr[b + 1]++] = box;
        else
          g->ptr[b + 2]++;
      }
}

static int buckets_add(stc_buckets *g, const stc_bucket_box *box, int found) {
  int f[3], l[3];
  if (!range(g, box, f, l)) return found;
  for (int k = f[2]; k <= l[2]; k++)
    for (int j = f[1]; j <= l[1]; j++)
      for (int i = f[0]; i <= l[0]; i++) {
        int b = number(g, i, j, k);
        for (int p = g->ptr[b]; p < g->ptr[b + 1]; p++) {
          int item = g->item[p];
          if (g->stamp[item] == g->query || !boxes_meet(&g->box[item], box)) continue;
          g->stamp[item] = g->query;
          g->found[found++] = item;
        }
      }
  return found;
}

// --- Slave nodes ---

stc_error stc_slaves_create(stc_arena *arena, const stc_sheet *sheet, stc_slaves *slaves) {
  const stc_mesh *mesh = sheet->mesh;
  *slaves = (stc_slaves){.sheet = *sheet};
  slaves->slot = STC_TAKE(arena, int, (size_t)sheet->cells *STC_FACET_NODES);
  slaves->node = STC_TAKE(arena, int, (size_t)sheet->cells *STC_FACET_NODES);
  int *of = stc_calloc((size_t)mesh->nodes, sizeof *of);  // candidate of a node, plus 1
  if (!of || arena->failed) {
    stc_release(&of);
    return stc_fail(STC_ERR_MEMORY, "out of memory for the nodes of a contact surface");
  }
  for (int k = 0; k < sheet->cells; k++)
    for (int a = mesh->ptr[sheet->cell[k]]; a < mesh->ptr[sheet->cell[k] + 1]; a++) {
      int node = mesh->node[a];
      if (!of[node]) {
        slaves->node[slaves->count] = node;
        of[node] = ++slaves->count;
      }
      slaves->slot[k * STC_FACET_NODES + a - mesh->ptr[sheet->cell[k]]] = of[node] - 1;
    }
  stc_release(&of);
  return STC_OK;
}

stc_error stc_slaves_normals(const stc_slaves *s, const double *x, double (*normal)[3]) {
  memset(normal, 0, (size_t)s->count * sizeof *normal);
  for (int k = 0; k < s->sheet.cells; k++) {
    stc_facet f;
    stc_facet_place(&s->sheet, k, x, &f);
    for (int a = 0; a < f.nodes; a++) {
      double n[3], *sum = normal[s->slot[k * STC_FACET_NODES + a]];
      stc_facet_node_normal(&f, a, n);
      for (int i = 0; i < 3; i++) sum[i] += n[i];
    }
  }
  for (int k = 0; k < s->count; k++) {
    double size = sqrt(stc_dot3(normal[k], normal[k]));
    if (!(size > 0))
      return stc_fail(STC_ERR_VALUE,
                      "the surface around node %d folds back on itself and has no normal there",
                      s->node[k]);
    for (int i = 0; i < 3; i++) normal[k][i] /= size;
  }
  return STC_OK;
}

// --- Entries of the rows, in the order they come ---

typedef struct entry {
  int row, node;
  size_t order;  // equal places are summed as they came
  double value;
} entry;

typedef struct entries {
  entry *list;
  size_t count, room;
  bool failed;
} entries;

static void add_entry(entries *e, int row, int node, double value) {
  if (e->count == e->room) {
    size_t room = e->room ? 2 * e->room : 1024;
    entry *list = realloc(e->list, room * sizeof *list);
    if (!list) {
      e->failed = true;
      return;
    }
    e->list = list;
    e->room = room;
  }
  e->list[e->count] = (entry){row, node, e->count, value};
  e->count++;
}

static int by_place(const void *a, const void *b) {
  const entry *p = a, *q = b;
  if (p->row != q->row) return p->row < q->row ? -1 : 1;
  if (p->node != q->node) return p->node < q->node ? -1 : 1;
  return (p->order > q->order) - (p->order < q->order);
}

// Merges equal places in the order of the sorted list; drops what is rounding error beside the
// area of the row.
#define STC_WEIGHT_ROUNDING 1e-13

static stc_error pack(stc_arena *arena, entries *e, int rows, stc_weights *w) {
  if (e->failed) return stc_fail(STC_ERR_MEMORY, "out of memory for the weights of a contact pair");
  if (e->count) qsort(e->list, e->count, sizeof *e->list, by_place);
  w->ptr = STC_TAKE(arena, int, (size_t)rows + 1);
  w->node = STC_TAKE(arena, int, e->count);
  w->value = STC_TAKE(arena, double, e->count);
  STC_TRY(stc_arena_check(arena));
  int n = 0;
  size_t at = 0;
  for (int k = 0; k < rows; k++) {
    while (at < e->count && e->list[at].row == k) {
      int node = e->list[at].node;
      double sum = 0;
      for (; at < e->count && e->list[at].row == k && e->list[at].node == node; at++)
        sum += e->list[at].value;
      if (fabs(sum) <= STC_WEIGHT_ROUNDING * w->area[k]) continue;
      w->node[n] = node;
      w->value[n++] = sum / w->area[k];
    }
    w->ptr[k + 1] = n;
  }
  return STC_OK;
}

// --- The dual basis ---

// A = D B^-1 of a cell from its integrals; `bare` is the part without anything opposite.
static void dual_basis(const stc_facet *f, const stc_overlap *sum, double bare,
                       double A[STC_FACET_NODES][STC_FACET_NODES]) {
  double B[STC_FACET_NODES * STC_FACET_NODES];
  int n = f->nodes;
  for (int k = 0; k < n; k++) {
    for (int j = 0; j < n; j++) B[k * n + j] = (1 - bare) * sum->slave[k][j];
    B[k * n + k] += bare * sum->test[k];
  }
  bool dual = f->type != STC_CELL_L3 && stc_small_cholesky(n, B, 0) < 0;
  for (int k = 0; k < n; k++) {
    for (int j = 0; j < n; j++) A[k][j] = j != k ? 0 : dual ? sum->test[k] : 1;
    if (dual) stc_small_cholesky_solve(n, B, A[k]);
  }
}

// --- One slave cell ---

typedef struct contact_pair {
  int master;
  stc_overlap overlap;
} contact_pair;

typedef struct search {
  const stc_slaves *slaves;
  const stc_sheet *master;
  const double *x, *direction;
  stc_area_measure measure;
  stc_buckets grid;
  double reach;        // how far a master is looked for
  contact_pair *meet;  // [master cells]
  entries *entries;
  stc_weights *weights;
} search;

static int nearer(const void *a, const void *b) {
  const contact_pair *p = a, *q = b;
  double u = fabs(p->overlap.gap), v = fabs(q->overlap.gap);
  if (u != v) return u < v ? -1 : 1;
  return (p->master > q->master) - (p->master < q->master);
}

static stc_bucket_box box_of(const stc_facet *f) {
  stc_bucket_box b;
  memcpy(b.low, f->x[0], sizeof b.low);
  memcpy(b.high, f->x[0], sizeof b.high);
  for (int a = 1; a < f->nodes; a++)
    for (int i = 0; i < 3; i++) {
      b.low[i] = fmin(b.low[i], f->x[a][i]);
      b.high[i] = fmax(b.high[i], f->x[a][i]);
    }
  return b;
}

// Master cells near the beam that a slave cell sends along d to both sides; returns how many.
static int look_opposite(search *s, const stc_facet *f, const double d[3]) {
  stc_bucket_box own = box_of(f);
  double width = 0;
  for (int i = 0; i < 3; i++) width = fmax(width, own.high[i] - own.low[i]);
  for (int i = 0; i < 3; i++) width = fmax(width, fmin(s->grid.width[i], s->reach));
  int parts = (int)fmin(1 + ceil(2 * s->reach / width), 4096), found = 0;
  // Begins a query; buckets_add then puts boxes that meet `box` into found, each once.
  s->grid.query++;
  for (int p = 0; p < parts; p++) {
    stc_bucket_box b = own;
    for (int i = 0; i < 3; i++) {
      double u = s->reach * (2.0 * p / parts - 1) * d[i];
      double v = s->reach * (2.0 * (p + 1) / parts - 1) * d[i];
      b.low[i] += fmin(u, v) - 1e-9 * s->reach;
      b.high[i] += fmax(u, v) + 1e-9 * s->reach;
    }
    found = buckets_add(&s->grid, &b, found);
  }
  return found;
}

// Overlaps of a slave cell with the master, the nearest first where layers compete.
static int meet_cell(search *s, const stc_facet *f, const double d[3], double whole) {
  int found = look_opposite(s, f, d), count = 0;
  double covered = 0;
  for (int i = 0; i < found; i++) {
    stc_facet m;
    stc_overlap *o = &s->meet[count].overlap;
    stc_facet_place(s->master, s->grid.found[i], s->x, &m);
    bool hit = f->type == STC_CELL_L2 || f->type == STC_CELL_L3
                   ? stc_overlap_lines(f, &m, d, s->measure, o)
                   : stc_overlap_faces(f, &m, d, o);
    if (!hit || fabs(o->gap) > s->reach) continue;
    covered += o->area;
    s->meet[count++].master = s->grid.found[i];
  }
  qsort(s->meet, (size_t)count, sizeof *s->meet, nearer);
  if (covered <= whole * (1 + 1e-6)) return count;
  covered = 0;
  int kept = 0;
  for (int i = 0; i < count; i++) {
    if (covered + s->meet[i].overlap.area > whole * (1 + 1e-6)) continue;
    covered += s->meet[i].overlap.area;
    s->meet[kept++] = s->meet[i];
  }
  return kept;
}

// Adds A (matrix of integrals) to the rows of the cell's nodes.
static void add_rows(entries *e, const int *slot, int n, double A[STC_FACET_NODES][STC_FACET_NODES],
                     double I[STC_FACET_NODES][STC_FACET_NODES], const int *node, int nodes,
                     double factor) {
  for (int k = 0; k < n; k++)
    for (int l = 0; l < nodes; l++) {
      double value = 0;
      for (int j = 0; j < n; j++) value += A[k][j] * I[j][l];
      if (value != 0) add_entry(e, slot[k], node[l], factor * value);
    }
}

static void own_integrals(const stc_facet *f, stc_area_measure measure, stc_overlap *o) {
  if (f->type == STC_CELL_L2 || f->type == STC_CELL_L3)
    stc_overlap_own_line(f, measure, o);
  else
    stc_overlap_own_face(f, o);
}

static void add_cell(search *s, int cell) {
  stc_facet f, m;
  stc_overlap sum = {0}, own;
  stc_facet_place(&s->slaves->sheet, cell, s->x, &f);
  own_integrals(&f, s->measure, &own);
  double d[3], sign = 1;
  if (s->direction) sign = stc_dot3(s->direction, f.normal) < 0 ? -1 : 1;
  for (int i = 0; i < 3; i++) d[i] = s->direction ? sign * s->direction[i] : f.normal[i];
  int count = meet_cell(s, &f, d, own.area);
  for (int i = 0; i < count; i++) {
    const stc_overlap *o = &s->meet[i].overlap;
    sum.area += o->area;
    for (int k = 0; k < STC_FACET_NODES; k++) {
      sum.test[k] += o->test[k];
      for (int j = 0; j < STC_FACET_NODES; j++) sum.slave[k][j] += o->slave[k][j];
    }
  }
  if (sum.area <= STC_SLIVER * own.area) return;
  double A[STC_FACET_NODES][STC_FACET_NODES], bare = 1 - sum.area / own.area;
  const int *slot = s->slaves->slot + cell * STC_FACET_NODES;
  dual_basis(&f, &sum, bare < 1e-9 ? 0 : bare, A);
  for (int k = 0; k < f.nodes; k++) s->weights->area[slot[k]] += sum.test[k];
  add_rows(s->entries, slot, f.nodes, A, sum.slave, f.node, f.nodes, 1);
  for (int i = 0; i < count; i++) {
    stc_facet_place(s->master, s->meet[i].master, s->x, &m);
    add_rows(s->entries, slot, f.nodes, A, s->meet[i].overlap.master, m.node, m.nodes, -1);
  }
}

// --- A pair ---

// Half the diagonal of a box around both surfaces: what lies further is not a neighbour.
static double reach_of(const search *s) {
  stc_bucket_box all = s->grid.all;
  for (int k = 0; k < s->slaves->sheet.cells; k++) {
    stc_facet f;
    stc_facet_place(&s->slaves->sheet, k, s->x, &f);
    stc_bucket_box b = box_of(&f);
    for (int i = 0; i < 3; i++) {
      all.low[i] = fmin(all.low[i], b.low[i]);
      all.high[i] = fmax(all.high[i], b.high[i]);
    }
  }
  double d[3];
  for (int i = 0; i < 3; i++) d[i] = all.high[i] - all.low[i];
  return 0.5 * sqrt(stc_dot3(d, d));
}

static stc_error prepare_mortar(stc_arena *work, search *s) {
  stc_bucket_box *box = STC_TAKE(work, stc_bucket_box, s->master->cells);
  s->meet = STC_TAKE(work, contact_pair, s->master->cells);
  STC_TRY(stc_arena_check(work));
  for (int k = 0; k < s->master->cells; k++) {
    stc_facet f;
    stc_facet_place(s->master, k, s->x, &f);
    box[k] = box_of(&f);
  }
  // A grid whose buckets are about as large as the boxes; `box` [boxes] must outlive it.
  int boxes = s->master->cells;
  stc_buckets *grid = &s->grid;
  *grid = (stc_buckets){.box = box, .boxes = boxes};
  choose_grid(grid);
  int total = grid->count[0] * grid->count[1] * grid->count[2];
  grid->ptr = STC_TAKE(work, int, (size_t)total + 2);
  grid->stamp = STC_TAKE(work, int, boxes);
  grid->found = STC_TAKE(work, int, boxes);
  STC_TRY(stc_arena_check(work));
  for (int k = 0; k < boxes; k++) list(grid, k, false);
  for (int b = 0; b < total; b++) grid->ptr[b + 2] += grid->ptr[b + 1];
  grid->item = STC_TAKE(work, int, grid->ptr[total + 1]);
  STC_TRY(stc_arena_check(work));
  for (int k = 0; k < boxes; k++) list(grid, k, true);
  s->reach = reach_of(s);
  return STC_OK;
}

stc_error stc_mortar_weights(stc_arena *arena, const stc_slaves *slaves, const stc_sheet *master,
                             const double *x, const double *direction, stc_area_measure measure,
                             stc_weights *weights) {
  entries e = {0};
  stc_arena work = {0};
  search s = {.slaves = slaves,
              .master = master,
              .x = x,
              .direction = direction,
              .measure = measure,
              .entries = &e,
              .weights = weights};
  weights->area = STC_TAKE(arena, double, slaves->count);
  stc_error error = stc_arena_check(arena);
  if (!error) error = prepare_mortar(&work, &s);
  for (int k = 0; !error && k < slaves->sheet.cells; k++) add_cell(&s, k);
  if (!error) error = pack(arena, &e, slaves->count, weights);
  stc_arena_free(&work);
  free(e.list);
  return error;
}

stc_error stc_own_weights(stc_arena *arena, const stc_slaves *slaves, const double *x,
                          stc_area_measure measure, stc_weights *weights) {
  entries e = {0};
  weights->area = STC_TAKE(arena, double, slaves->count);
  STC_TRY(stc_arena_check(arena));
  for (int k = 0; k < slaves->sheet.cells; k++) {
    stc_facet f;
    stc_overlap own;
    double A[STC_FACET_NODES][STC_FACET_NODES];
    const int *slot = slaves->slot + k * STC_FACET_NODES;
    stc_facet_place(&slaves->sheet, k, x, &f);
    own_integrals(&f, measure, &own);
    dual_basis(&f, &own, 0, A);
    for (int a = 0; a < f.nodes; a++) weights->area[slot[a]] += own.test[a];
    add_rows(&e, slot, f.nodes, A, own.slave, f.node, f.nodes, 1);
  }
  stc_error error = pack(arena, &e, slaves->count, weights);
  free(e.list);
  return error;
}
