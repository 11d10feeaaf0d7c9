// Counts what an elimination leaves below each step without listing it, in little more than one
// pass over the pattern: the elimination tree [Liu 1990] and the leaves of its row subtrees
// [Gilbert, Ng and Peyton 1994].
//   Row i of L has its entries at the steps of a subtree T_i, which reaches from neighbours of i up
//   to i. With 1 added at each leaf of T_i and taken away where two branches meet and above i, the
//   sum over all that lies under step j is 1 if j is in T_i and 0 if not.
#include "symbolic.h"

#include "../base/stop.h"

// Operations per entry of the pattern, in each of the two passes over it.
static const double PASSING = 8;

static int size_of(const stc_symbolic *S, int step) { return S->pattern.size[S->node[step]]; }

/// Counts the work on the row of a step; whether to stop.
static bool is_over(const stc_symbolic *S, int step) {
  int i = S->node[step];
  return stc_stop_due(PASSING * (S->pattern.ptr[i + 1] - S->pattern.ptr[i] + 1));
}

// --- Elimination tree ---

static bool find_parents(stc_symbolic *S, int *ancestor) {
  const stc_pattern *p = &S->pattern;
  for (int k = 0; k < S->steps; k++) {
    int i = S->node[k];
    S->parent[k] = ancestor[k] = -1;
    for (int e = p->ptr[i]; e < p->ptr[i + 1]; e++)
      for (int j = S->step[p->adj[e]], next; j >= 0 && j < k; j = next) {
        next = ancestor[j];
        ancestor[j] = k;  // shortens the walks that follow
        if (next < 0) S->parent[j] = k;
      }
    if (is_over(S, k)) return false;
  }
  return true;
}

static int first_leaf(const stc_symbolic *S, int k) {
  while (S->child[k] >= 0) k = S->child[k];
  return k;
}

/// place[k] = where step k comes in postorder.
static void find_places(const stc_symbolic *S, int *place) {
  int count = 0;
  for (int root = 0; root < S->steps; root++) {
    if (S->parent[root] >= 0) continue;
    int k = first_leaf(S, root);
    for (; k != root; k = S->sibling[k] >= 0 ? first_leaf(S, S->sibling[k]) : S->parent[k])
      place[k] = count++;
    place[root] = count++;
  }
}

/// Subtrees become adjacent: the same factor in another order.
static void renumber(stc_symbolic *S, const int *place, int *parent, int *node) {
  for (int k = 0; k < S->steps; k++) {
    parent[place[k]] = S->parent[k] < 0 ? -1 : place[S->parent[k]];
    node[place[k]] = S->node[k];
  }
  for (int k = 0; k < S->steps; k++) {
    S->parent[k] = parent[k];
    S->node[k] = node[k];
    S->step[node[k]] = k;
  }
}

// --- Row subtrees ---

// Arrays of what comes later, by steps.
typedef struct subtrees {
  int *first;     // the first descendant
  int *last;      // the largest `first` of the leaves of T_i so far; -1: none
  int *leaf;      // the last leaf of T_i
  int *ancestor;  // towards the root of what has been visited
} subtrees;

/// T_j of a step without children is j alone: a leaf.
static void start_counts(stc_symbolic *S, subtrees *t) {
  for (int k = 0; k < S->steps; k++) {
    S->under[k] = S->rows[k] = 0;
    t->first[k] = t->ancestor[k] = k;
    t->last[k] = t->leaf[k] = -1;
  }
  for (int k = 0; k < S->steps; k++) {
    int parent = S->parent[k];
    if (t->first[k] == k) {
      S->under[k] = 1;
      S->rows[k] = size_of(S, k);
    }
    if (parent >= 0 && t->first[k] < t->first[parent]) t->first[parent] = t->first[k];
  }
}

/// The visited step highest above k, where the branch that is walked now meets that of k.
static int common_ancestor(subtrees *t, int k) {
  int top = k;
  while (t->ancestor[top] != top) top = t->ancestor[top];
  for (int next; k != top; k = next) {
    next = t->ancestor[k];
    t->ancestor[k] = top;
  }
  return top;
}

static void add_count(stc_symbolic *S, int at, int sign, int row) {
  S->under[at] += sign;
  S->rows[at] += sign * size_of(S, row);
}

/// Neighbour j of the later i is a leaf of T_i unless one of its descendants is a neighbour too.
static void visit_step(stc_symbolic *S, subtrees *t, int i, int j) {
  if (t->first[j] <= t->last[i]) return;
  t->last[i] = t->first[j];
  add_count(S, j, 1, i);
  if (t->leaf[i] >= 0) add_count(S, common_ancestor(t, t->leaf[i]), -1, i);
  t->leaf[i] = j;
}

static bool visit_all(stc_symbolic *S, subtrees *t) {
  const stc_pattern *p = &S->pattern;
  for (int j = 0; j < S->steps; j++) {
    int node = S->node[j], parent = S->parent[j];
    for (int e = p->ptr[node]; e < p->ptr[node + 1]; e++) {
      int i = S->step[p->adj[e]];
      if (i > j) visit_step(S, t, i, j);
    }
    if (is_over(S, j)) return false;
    if (parent < 0) continue;
    add_count(S, parent, -1, j);
    t->ancestor[j] = parent;
  }
  return true;
}

/// From what each step adds to what lies below it.
static void sum_counts(stc_symbolic *S) {
  S->total = S->flops = 0;
  for (int k = 0; k < S->steps; k++) {
    int parent = S->parent[k], size = size_of(S, k);
    if (parent >= 0) {
      S->under[parent] += S->under[k];
      S->rows[parent] += S->rows[k];
    }
    S->under[k]--;  // the step itself
    S->rows[k] -= size;
    S->total += S->under[k];
    for (int c = 1; c <= size; c++) {
      double column = (double)S->rows[k] + c;
      S->flops += column * column;
    }
  }
}

bool stc_symbolic_count(stc_symbolic *S, const int *order, const bool *active) {
  S->steps = 0;
  for (int k = 0; k < S->pattern.nodes; k++) {
    int i = order[k];
    bool selected = !active || active[i];
    S->step[i] = selected ? S->steps : -1;
    if (selected) S->node[S->steps++] = i;
  }
  if (!find_parents(S, S->mark)) return false;
  for (int k = 0; k < S->steps; k++) S->child[k] = S->sibling[k] = -1;
  for (int k = S->steps - 1; k >= 0; k--) {
    int parent = S->parent[k];
    if (parent < 0) continue;
    S->sibling[k] = S->child[parent];
    S->child[parent] = k;
  }
  find_places(S, S->mark);
  renumber(S, S->mark, S->first, S->owner);
  subtrees t = {.first = S->first, .last = S->mark, .leaf = S->cols, .ancestor = S->owner};
  start_counts(S, &t);
  if (!visit_all(S, &t)) return false;
  sum_counts(S);
  return true;
}
