// Depth-first search: solve the program of the node, close it or branch on the contact that is
// furthest from its law. In 2D a contact is open, sticks, or slips one way or the other; in 3D the
// slip directions of a round cone are cut in four sectors and these in halves, the corners of a
// polygon in runs with the edges between them, and runs in halves.
#include "tree.h"

#include <float.h>
#include <math.h>

// Widths of sectors in t, half the angle in radians or a little less: a solution that is found in a
// narrow one closes it; the narrowest, where the relaxation is exact to 1e-11, are cut no more.
static const double NARROW = 1.0 / 1024, NARROWEST = 1.0 / (1 << 18);

// A residual, in the units of the component, below which a point is worth a Newton iteration.
static const double NEARLY = 1e-3;

typedef struct search {
  stc_tree *tree;
  stc_farkas *farkas;
  stc_budget *budget;
  const stc_tree_visitor *visitor;
  double *r, *u;  // [size] point of the node
} search;

static const char STAGE[] = "search over modes";

void stc_tree_free(stc_tree *tree) {
  for (int k = 0; k < tree->count; k++) {
    stc_release(&tree->node[k].rounded);
    stc_rationals_free(&tree->node[k].y);
  }
  stc_release(&tree->node);
  *tree = (stc_tree){0};
}

/// A new node; the pointers to the others may change.
static stc_error grow(stc_tree *t, stc_mode mode, int *node) {
  if (t->count == t->room) {
    int room = t->room ? 2 * t->room : 64;
    if (!stc_grow(&t->node, (size_t)t->count, (size_t)room, sizeof *t->node))
      return stc_fail(STC_ERR_MEMORY, "out of memory for a tree of %d nodes", room);
    t->room = room;
  }
  *node = t->count++;
  t->node[*node] =
      (stc_node){.kind = STC_NODE_OPEN, .mode = mode, .first = -1, .next = -1, .set = -1};
  return STC_OK;
}

// --- Closing a node ---

static stc_error leave_open(search *s) {
  s->tree->open++;
  return STC_OK;
}

/// Depth of the proof in the linear program, the largest |q| being near 1.
static double depth(const search *s) {
  return stc_farkas_depth(s->farkas->lp->best.at[0], &s->farkas->lp->point);
}

/// Most proofs are doubles and are kept as such: a tenth of the room.
static stc_error keep_y(search *s, stc_node *node) {
  const stc_rationals *y = &s->farkas->lp->point;
  node->rounded = stc_calloc(y->count, sizeof *node->rounded);
  if (!node->rounded) return stc_fail(STC_ERR_MEMORY, "out of memory for a proof");
  s->tree->bytes += y->count * sizeof *node->rounded;
  bool all = true;
  for (size_t k = 0; all && k < y->count; k++) all = stc_q_is_d(y->at[k], &node->rounded[k]);
  if (all) return STC_OK;
  stc_release(&node->rounded);
  for (size_t k = 0; k < y->count; k++) s->tree->bytes += sizeof(stc_q) + stc_q_bits(y->at[k]) / 8;
  return stc_rationals_copy(y, &node->y);
}

stc_error stc_tree_y(const stc_tree *tree, const stc_node *leaf, stc_rationals *y) {
  size_t size = (size_t)tree->exact->size;
  return leaf->rounded ? stc_rationals_from(y, size, leaf->rounded, NULL, size)
                       : stc_rationals_copy(&leaf->y, y);
}

/// Keeps the proof that is in the linear program.
static stc_error close_leaf(search *s, int at) {
  stc_node *node = &s->tree->node[at];
  if (s->tree->bytes > STC_TREE_BYTES) return leave_open(s);
  STC_TRY(keep_y(s, node));
  node->kind = STC_NODE_LEAF;
  s->tree->within = s->tree->within || s->farkas->within;
  node->depth = ldexp(depth(s), s->tree->exact->unit_q);
  s->tree->depth = s->tree->leaves++ ? fmin(s->tree->depth, node->depth) : node->depth;
  return STC_OK;
}

/// Closes the node if the visitor knows a solution with its modes.
static stc_error close_solution(search *s, int at, bool *closed) {
  stc_node *node = &s->tree->node[at];
  STC_TRY(s->visitor->decided(s->visitor->user, s->farkas->mode, s->r, s->u, &node->set));
  *closed = node->set >= 0;
  if (*closed) node->kind = STC_NODE_SOLUTION;
  return STC_OK;
}

/// No contact is left to branch on: in 2D exactly feasible, or a contradiction too slight for
/// rounded numbers.
static stc_error close_decided(search *s, int at) {
  stc_lp *lp = s->farkas->lp;
  bool closed = false;
  if (!s->tree->exact->polyhedral) return leave_open(s);
  s->farkas->within = false;
  if (stc_lp_solve_exact(lp) != STC_LP_OPTIMAL) return leave_open(s);
  if (stc_q_sgn(lp->best.at[0]) < 0)
    return depth(s) >= STC_LEAST_DEPTH ? close_leaf(s, at) : leave_open(s);
  STC_TRY(close_solution(s, at, &closed));
  return closed ? STC_OK : leave_open(s);
}

// --- Branching ---

/// What (u, r) lacks of its law at a contact with a polyhedral cone, u_N >= 0 and r in K: the power
/// r.u + s(u) r_N over r_N + u_N + s(u).
static double gap_of(const stc_exact *e, int c, const double *r, const double *u) {
  const stc_polygon *polygon = &e->polygon[c];
  double shift = 0, power = r[0] * u[0];
  for (int k = 0; k < polygon->corners; k++) {
    double along = 0;
    for (int l = 1; l < e->dim; l++) along -= u[l] * stc_q_get_d(polygon->p.at[2 * k + l - 1]);
    shift = fmax(shift, along);
  }
  if (!stc_polygon_has_edges(polygon)) shift = 0;
  for (int l = 1; l < e->dim; l++) power += r[l] * u[l];
  return fmax(power + shift * r[0], 0) / fmax(r[0] + fabs(u[0]) + shift, DBL_MIN);
}

/// Distance of (u, r) at contact c from its law, as a velocity, in hat variables: the natural map
/// of y = (u_N + |u'|, u') and z = (r_N, -p) on the Lorentz cone, without p where D = 0.
static double residual(const search *s, int c) {
  const stc_exact *e = s->tree->exact;
  int d = e->dim;
  const double *D = e->D + c * d, *r = s->r + c * d, *u = s->u + c * d;
  double x[3] = {0}, F = 0, tail = 0, slip = 0;
  if (e->polygon[c].corners) return gap_of(e, c, r, u);
  for (int k = 1; k < d; k++) slip = hypot(slip, D[k] * u[k]);
  x[0] = r[0] - u[0] - slip;
  for (int k = 1; k < d; k++) {
    x[k] = D[k] > 0 ? r[k] / D[k] - D[k] * u[k] : 0;
    tail = hypot(tail, x[k]);
  }
  double a = (x[0] + tail) / 2, share = tail > 0 ? a / tail : 0;
  if (tail <= x[0]) a = x[0], share = 1;
  if (tail <= -x[0]) a = share = 0;
  F = fabs(r[0] - a);
  for (int k = 1; k < d; k++)
    if (D[k] > 0) F = hypot(F, r[k] / D[k] - share * x[k]);
  return F;
}

/// Some cone is round, all contacts have modes, the sectors are narrow and runs of corners single.
static bool is_narrow(const search *s) {
  for (int c = 0; c < s->tree->exact->contacts; c++) {
    const stc_mode *mode = &s->farkas->mode[c];
    if (mode->kind == STC_MODE_NONE || mode->first < mode->last) return false;
    if (mode->kind == STC_MODE_SECTOR && mode->to - mode->from > NARROW) return false;
  }
  return !s->tree->exact->polyhedral;
}

/// How much of the slips of a mode can still be cut: of a sector, its width.
static double slip_width(const stc_mode *mode) {
  if (mode->kind == STC_MODE_CORNERS) return mode->last - mode->first;
  bool wide = mode->kind == STC_MODE_SECTOR && mode->to - mode->from > NARROWEST;
  return wide ? mode->to - mode->from : 0;
}

/// The contact to branch on: without a mode before one in a sector, then the largest residual, then
/// the widest sector; -1: none. *worst is the largest residual of all.
static int choose(const search *s, double *worst) {
  int best = -1;
  double most = -1;
  *worst = 0;
  for (int c = 0; c < s->tree->exact->contacts; c++) {
    const stc_mode *mode = &s->farkas->mode[c];
    double F = residual(s, c);
    *worst = fmax(*worst, F);
    bool none = mode->kind == STC_MODE_NONE;
    double width = slip_width(mode);
    if (!none && !(width > 0)) continue;
    double weight = F + (none ? 1e-6 : 1e-9 * width);
    if (weight > most) {
      most = weight;
      best = c;
    }
  }
  return best;
}

// A polygon is cut in runs of a quarter of its corners; at most as many again end because their
// normals span half a circle.
enum { RUNS = 4, MAX_CHILDREN = 2 + 2 * (2 * RUNS + 1) };

/// Runs of up to `most` of the corners first..last, and the edges after them; the last one too
/// where they go all the way round.
static int cut_corners(const stc_polygon *polygon, int first, int last, int most, stc_mode *child) {
  bool round = last - first + 1 == polygon->corners;
  int n = 0;
  for (int from = first, to; from <= last; from = to + 1) {
    int wanted = from + most - 1 < last ? from + most - 1 : last;
    to = stc_polygon_reach(polygon, from, wanted);
    child[n++] = (stc_mode){.kind = STC_MODE_CORNERS, .first = from, .last = to};
    if (to < last || round) child[n++] = (stc_mode){.kind = STC_MODE_EDGE, .first = to, .last = to};
  }
  return n;
}

static int cut_sector(const stc_mode *mode, stc_mode *child) {
  double middle = (mode->from + mode->to) / 2;
  child[0] = child[1] = *mode;
  child[0].to = child[1].from = middle;
  return 2;
}

/// The modes that together are all a contact in `mode` can do.
static int children(const stc_exact *e, int c, stc_mode mode, stc_mode child[MAX_CHILDREN]) {
  const stc_polygon *polygon = &e->polygon[c];
  int n = 0, corners = polygon->corners, run = mode.last - mode.first + 1;
  if (mode.kind == STC_MODE_SECTOR) return cut_sector(&mode, child);
  if (mode.kind == STC_MODE_CORNERS)
    return cut_corners(polygon, mode.first, mode.last, (run + 1) / 2, child);
  child[n++] = (stc_mode){.kind = STC_MODE_OPEN};
  child[n++] = (stc_mode){.kind = STC_MODE_STICK};
  if (corners == 1) return n;
  if (e->dim == 2) {
    child[n++] = (stc_mode){.kind = STC_MODE_PLUS};
    child[n++] = (stc_mode){.kind = STC_MODE_MINUS};
    return n;
  }
  if (corners)
    return n + cut_corners(polygon, 0, corners - 1, (corners + RUNS - 1) / RUNS, child + n);
  for (int quarter = 0; quarter < 4; quarter++)
    child[n++] = (stc_mode){.kind = STC_MODE_SECTOR, .quarter = quarter, .to = 1};
  return n;
}

static stc_error visit(search *s, int at);

static stc_error branch(search *s, int at, int c) {
  stc_mode before = s->farkas->mode[c], child[MAX_CHILDREN];
  int n = children(s->tree->exact, c, before, child), last = -1;
  s->tree->node[at].kind = STC_NODE_BRANCH;
  s->tree->node[at].contact = c;
  for (int k = 0; k < n; k++) {
    int next = -1;
    STC_TRY(grow(s->tree, child[k], &next));
    *(last < 0 ? &s->tree->node[at].first : &s->tree->node[last].next) = next;
    last = next;
    STC_TRY(stc_farkas_set(s->farkas, c, child[k]));
    STC_TRY(visit(s, next));
  }
  return stc_farkas_set(s->farkas, c, before);
}

static stc_error visit(search *s, int at) {
  double value = 0, worst = 0;
  bool closed = false, over = s->visitor->enough && s->visitor->enough(s->visitor->user);
  if (over || !stc_budget_spend(s->budget, STAGE)) return leave_open(s);
  if (stc_farkas_contradicts(s->farkas, &value) && stc_farkas_prove(s->farkas) &&
      depth(s) >= STC_LEAST_DEPTH)
    return close_leaf(s, at);
  stc_farkas_point(s->farkas, s->r, s->u);
  if (is_narrow(s)) STC_TRY(close_solution(s, at, &closed));
  int c = choose(s, &worst);
  if (closed) return STC_OK;
  if (c < 0) return close_decided(s, at);
  if (worst < NEARLY && s->visitor->promising)
    STC_TRY(s->visitor->promising(s->visitor->user, s->farkas->mode, s->r, s->u));
  return branch(s, at, c);
}

stc_error stc_tree_search(const stc_exact *exact, stc_budget *budget,
                          const stc_tree_visitor *visitor, stc_tree *tree) {
  STC_ARENA arena = {0};
  STC_RELEASED_BY(stc_farkas_free) stc_farkas *farkas = NULL;
  int root = -1;
  *tree = (stc_tree){.exact = exact};
  search s = {.tree = tree, .budget = budget, .visitor = visitor};
  s.r = STC_TAKE(&arena, double, exact->size);
  s.u = STC_TAKE(&arena, double, exact->size);
  STC_TRY(stc_arena_check(&arena));
  STC_TRY(stc_farkas_create(exact, &farkas));
  s.farkas = farkas;
  STC_TRY(grow(tree, (stc_mode){.kind = STC_MODE_NONE}, &root));
  return visit(&s, root);
}
