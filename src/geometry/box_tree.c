// A tree of boxes over anything: triangles of a terrain, parts of bodies.
#include "box_tree.h"

#include <math.h>

enum { BINS = 16, SIDE = STC_BOX_TREE_WIDTH };

/// A box, or nothing.
typedef struct span {
  double low[3], high[3];
} span;

/// Items of the order from `first` on.
typedef struct batch {
  int first, count;
  span box;
} batch;

/// Where items are cut across an axis: their bins by their middles.
typedef struct cutting {
  int axis;
  double start, scale;  ///< bin = (middle - start) scale
} cutting;

typedef struct growth {
  stc_box_tree *tree;
  const stc_box_tree_items *items;
} growth;

// --- Boxes ---

static span nothing(void) {
  return (span){{INFINITY, INFINITY, INFINITY}, {-INFINITY, -INFINITY, -INFINITY}};
}

static double less(double a, double b) { return a < b ? a : b; }
static double more(double a, double b) { return a > b ? a : b; }

static void enclose(span *s, const double low[3], const double high[3]) {
  for (int k = 0; k < 3; k++) s->low[k] = less(s->low[k], low[k]);
  for (int k = 0; k < 3; k++) s->high[k] = more(s->high[k], high[k]);
}

/// Half of the surface; of nothing 0.
static double area_of(const span *s) {
  double a = s->high[0] - s->low[0], b = s->high[1] - s->low[1], c = s->high[2] - s->low[2];
  return a >= 0 ? a * b + b * c + c * a : 0;
}

static batch batch_of(const growth *g, int first, int count) {
  batch b = {first, count, nothing()};
  for (int i = first; i < first + count; i++) {
    size_t at = 3 * (size_t)g->tree->order[i];
    enclose(&b.box, g->items->low + at, g->items->high + at);
  }
  return b;
}

// --- Cuts ---

static int bin_of(const growth *g, const cutting *c, int i) {
  double middle = g->items->middle[3 * (size_t)g->tree->order[i] + (size_t)c->axis];
  int bin = (int)((middle - c->start) * c->scale);
  return bin < BINS ? bin : BINS - 1;
}

/// Across the longest way between middles; false: they are all in one place.
static bool choose_axis(const growth *g, const batch *b, cutting *c) {
  span s = nothing();
  for (int i = b->first; i < b->first + b->count; i++) {
    const double *middle = g->items->middle + 3 * (size_t)g->tree->order[i];
    enclose(&s, middle, middle);
  }
  c->axis = 0;
  for (int k = 1; k < 3; k++)
    if (s.high[k] - s.low[k] > s.high[c->axis] - s.low[c->axis]) c->axis = k;
  c->start = s.low[c->axis];
  c->scale = BINS / (s.high[c->axis] - c->start);
  return isfinite(c->scale);
}

/// How many bins go to the first side: areas times items are least, with an eighth on each side at
/// least; 0: no cut has that.
static int choose_cut(const growth *g, const batch *b, const cutting *c) {
  span box[BINS], left = nothing(), right = nothing();
  int held[BINS] = {0}, best = 0, before = 0, fewest = b->count / 8 + 1;
  double after[BINS], least = INFINITY;
  for (int k = 0; k < BINS; k++) box[k] = nothing();
  for (int i = b->first; i < b->first + b->count; i++) {
    size_t at = 3 * (size_t)g->tree->order[i];
    int bin = bin_of(g, c, i);
    held[bin]++;
    enclose(&box[bin], g->items->low + at, g->items->high + at);
  }
  for (int k = BINS - 1; k > 0; k--) {
    enclose(&right, box[k].low, box[k].high);
    after[k] = area_of(&right);
  }
  for (int k = 1; k < BINS; k++) {
    enclose(&left, box[k - 1].low, box[k - 1].high);
    before += held[k - 1];
    double cost = area_of(&left) * before + after[k] * (b->count - before);
    if (before < fewest || b->count - before < fewest || !(cost < least)) continue;
    least = cost;
    best = k;
  }
  return best;
}

/// Two batches of one; where no cut is good, halves as they come.
static void cut_batch(const growth *g, const batch *b, batch *first, batch *second) {
  cutting c;
  int *order = g->tree->order, front = b->first;
  int bins = choose_axis(g, b, &c) ? choose_cut(g, b, &c) : 0;
  for (int i = b->first; i < b->first + b->count && bins > 0; i++) {
    if (bin_of(g, &c, i) >= bins) continue;
    int swap = order[i];
    order[i] = order[front];
    order[front++] = swap;
  }
  int left = bins > 0 ? front - b->first : b->count / 2;
  *second = batch_of(g, b->first + left, b->count - left);
  *first = batch_of(g, b->first, left);
}

// --- Nodes ---

/// Up to four batches of one: the widest is cut as long as there is room.
static int split_batch(const growth *g, batch b[SIDE]) {
  int count = 1;
  while (count < SIDE) {
    int widest = -1;
    for (int k = 0; k < count; k++)
      if (b[k].count > 1 && (widest < 0 || area_of(&b[k].box) > area_of(&b[widest].box)))
        widest = k;
    if (widest < 0) break;
    batch whole = b[widest];
    cut_batch(g, &whole, &b[widest], &b[count++]);
  }
  return count;
}

static void put_lane(stc_box_tree_node *node, int lane, const span *box) {
  for (int k = 0; k < 3; k++) node->low[k][lane] = box->low[k], node->high[k][lane] = box->high[k];
}

static int grow_node(const growth *g, const batch *whole) {
  int number = g->tree->nodes++;
  batch b[SIDE] = {*whole};
  int children = split_batch(g, b);
  stc_box_tree_node *node = &g->tree->node[number];
  node->children = children;
  for (int k = 0; k < SIDE; k++) put_lane(node, k, &b[k < children ? k : 0].box);
  for (int k = 0; k < SIDE; k++) node->child[k] = -1;
  for (int k = 0; k < children; k++)
    node->child[k] = b[k].count == 1 ? -1 - b[k].first : grow_node(g, &b[k]);
  return number;
}

void stc_box_tree_build(stc_box_tree *t, const stc_box_tree_items *items) {
  const growth g = {t, items};
  t->items = items->count;
  t->nodes = 0;
  for (int k = 0; k < items->count; k++) t->order[k] = k;
  if (items->count == 0) return;
  batch all = batch_of(&g, 0, items->count);
  grow_node(&g, &all);
}

static span span_of_node(const stc_box_tree_node *node) {
  span s = nothing();
  for (int c = 0; c < node->children; c++)
    enclose(&s, (const double[3]){node->low[0][c], node->low[1][c], node->low[2][c]},
            (const double[3]){node->high[0][c], node->high[1][c], node->high[2][c]});
  return s;
}

void stc_box_tree_refit(stc_box_tree *t, const double *low, const double *high) {
  for (int n = t->nodes - 1; n >= 0; n--) {  // children come after their node
    stc_box_tree_node *node = &t->node[n];
    for (int c = 0; c < SIDE; c++) {
      int child = node->child[c < node->children ? c : 0];
      span box = nothing();
      if (child >= 0) {
        box = span_of_node(&t->node[child]);
      } else {
        size_t at = 3 * (size_t)t->order[-1 - child];
        enclose(&box, low + at, high + at);
      }
      put_lane(node, c, &box);
    }
  }
}

double stc_box_tree_cost(const stc_box_tree *t) {
  double sum = 0;
  for (int n = 0; n < t->nodes; n++)
    for (int c = 0; c < t->node[n].children; c++) {
      const stc_box_tree_node *node = &t->node[n];
      const span box = {{node->low[0][c], node->low[1][c], node->low[2][c]},
                        {node->high[0][c], node->high[1][c], node->high[2][c]}};
      sum += area_of(&box);
    }
  span all = t->nodes > 0 ? span_of_node(&t->node[0]) : nothing();
  return sum > 0 ? sum / area_of(&all) : 0;
}

// --- Searches ---

void stc_box_tree_query(const stc_box_tree *t, const double low[3], const double high[3],
                        stc_box_tree_visit visit, void *user) {
  int stack[STC_BOX_TREE_DEEPEST], depth = 0;
  if (t->nodes > 0) stack[depth++] = 0;
  while (depth) {
    int child = stack[--depth];
    if (child < 0) {
      visit(user, t->order[-1 - child]);
      continue;
    }
    const stc_box_tree_node *n = &t->node[child];
    for (int c = n->children - 1; c >= 0; c--) {
      bool apart = false;
      for (int k = 0; k < 3; k++) apart = apart || n->low[k][c] > high[k] || n->high[k][c] < low[k];
      if (!apart) stack[depth++] = n->child[c];
    }
  }
}

/// A search whose `meet` gets items.
typedef struct item_search {
  const stc_box_tree *tree;
  const stc_box_tree_search *search;
} item_search;

static void bound_items(const void *user, const stc_box_tree_node *node, double *bound) {
  const item_search *own = user;
  own->search->bounds(own->search->user, node, bound);
}

static void meet_item(void *user, int at) {
  const item_search *own = user;
  own->search->meet(own->search->user, own->tree->order[at]);
}

void stc_box_tree_find(const stc_box_tree *t, const stc_box_tree_search *s) {
  item_search own = {t, s};
  stc_box_tree_walk(t, (stc_box_tree_search){bound_items, meet_item, &own, s->limit});
}

double stc_box_distance(const double low[3], const double high[3], const double other_low[3],
                        const double other_high[3]) {
  double most = -INFINITY, square = 0;
  for (int k = 0; k < 3; k++) {
    double apart = fmax(low[k] - other_high[k], other_low[k] - high[k]);
    most = fmax(most, apart);
    if (apart > 0) square += apart * apart;
  }
  return most > 0 ? sqrt(square) : most;
}
