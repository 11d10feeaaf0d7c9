// Counts what an elimination leaves below each step without listing it, in little more than one
// pass over the pattern: the elimination tree [Liu 1990] and the leaves of its row subtrees
// [Gilbert, Ng and Peyton 1994].
//   Row i of L has its entries at the steps of a subtree T_i, which reaches from neighbours of i up
//   to i. With 1 added at each leaf of T_i and taken away where two branches meet and above i, the
//   sum over all that lies under step j is 1 if j is in T_i and 0 if not.
#include "lu_data.h"

// Arrays of the analysis to come, not needed yet; all of them by steps.
typedef struct walk {
  int *post;      // steps in postorder
  int *first;     // place in postorder of the first descendant
  int *last;      // the largest `first` of the leaves of T_i so far; -1: none
  int *leaf;      // the last leaf of T_i
  int *ancestor;  // towards the root of what has been visited
  int *steps;     // entries of each column
} walk;

static walk take_walk(const stc_lu *lu) {
  return (walk){.post = lu->first,
                .first = lu->below,
                .last = lu->mark,
                .leaf = lu->local,
                .ancestor = lu->owner,
                .steps = lu->cols};
}

static int size_of_step(const stc_lu *lu, int step) { return lu->pattern.size[lu->node[step]]; }

static void find_parents(stc_lu *lu, int *ancestor) {
  const stc_pattern *p = &lu->pattern;
  for (int k = 0; k < lu->steps; k++) {
    int i = lu->node[k];
    lu->parent[k] = ancestor[k] = -1;
    for (int e = p->ptr[i]; e < p->ptr[i + 1]; e++)
      for (int j = lu->step[p->adj[e]], next; j >= 0 && j < k; j = next) {
        next = ancestor[j];
        ancestor[j] = k;  // shortens the walks that follow
        if (next < 0) lu->parent[j] = k;
      }
  }
}

static void link_children(stc_lu *lu) {
  for (int k = 0; k < lu->steps; k++) lu->child[k] = lu->sibling[k] = -1;
  for (int k = lu->steps - 1; k >= 0; k--) {
    int parent = lu->parent[k];
    if (parent < 0) continue;
    lu->sibling[k] = lu->child[parent];
    lu->child[parent] = k;
  }
}

static int first_leaf(const stc_lu *lu, int k) {
  while (lu->child[k] >= 0) k = lu->child[k];
  return k;
}

static void list_postorder(const stc_lu *lu, int *post) {
  int count = 0;
  for (int root = 0; root < lu->steps; root++) {
    if (lu->parent[root] >= 0) continue;
    int k = first_leaf(lu, root);
    for (; k != root; k = lu->sibling[k] >= 0 ? first_leaf(lu, lu->sibling[k]) : lu->parent[k])
      post[count++] = k;
    post[count++] = root;
  }
}

// T_j of a step without children is j alone: a leaf.
static void start_counts(stc_lu *lu, walk *w) {
  for (int k = 0; k < lu->steps; k++) {
    bool childless = lu->child[k] < 0;
    w->steps[k] = childless;
    lu->rows[k] = childless ? size_of_step(lu, k) : 0;
    w->first[k] = w->last[k] = w->leaf[k] = -1;
    w->ancestor[k] = k;
  }
  for (int place = 0; place < lu->steps; place++)
    for (int k = w->post[place]; k >= 0 && w->first[k] < 0; k = lu->parent[k]) w->first[k] = place;
}

// The visited step highest above k, where the branch that is walked now meets that of k.
static int contact_pair(walk *w, int k) {
  int top = k;
  while (w->ancestor[top] != top) top = w->ancestor[top];
  for (int next; k != top; k = next) {
    next = w->ancestor[k];
    w->ancestor[k] = top;
  }
  return top;
}

static void add_count(stc_lu *lu, walk *w, int at, int sign, int row) {
  w->steps[at] += sign;
  lu->rows[at] += sign * size_of_step(lu, row);
}

// Neighbour j of the later i is a leaf of T_i unless one of its descendants is a neighbour too.
static void visit_step(stc_lu *lu, walk *w, int i, int j) {
  if (w->first[j] <= w->last[i]) return;
  w->last[i] = w->first[j];
  add_count(lu, w, j, 1, i);
  if (w->leaf[i] >= 0) add_count(lu, w, contact_pair(w, w->leaf[i]), -1, i);
  w->leaf[i] = j;
}

static void visit_all(stc_lu *lu, walk *w) {
  const stc_pattern *p = &lu->pattern;
  for (int place = 0; place < lu->steps; place++) {
    int j = w->post[place], node = lu->node[j], parent = lu->parent[j];
    for (int e = p->ptr[node]; e < p->ptr[node + 1]; e++) {
      int i = lu->step[p->adj[e]];
      if (i > j) visit_step(lu, w, i, j);
    }
    if (parent < 0) continue;
    add_count(lu, w, parent, -1, j);
    w->ancestor[j] = parent;
  }
}

double stc_lu_count(stc_lu *lu) {
  walk w = take_walk(lu);
  double total = 0;
  find_parents(lu, w.ancestor);
  link_children(lu);
  list_postorder(lu, w.post);
  start_counts(lu, &w);
  visit_all(lu, &w);
  for (int k = 0; k < lu->steps; k++) {
    int parent = lu->parent[k];
    if (parent >= 0) {
      w.steps[parent] += w.steps[k];
      lu->rows[parent] += lu->rows[k];
    }
    total += w.steps[k] - 1;  // but for the diagonal
    lu->rows[k] -= size_of_step(lu, k);
  }
  return total;
}
