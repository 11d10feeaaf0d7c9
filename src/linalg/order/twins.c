// Nodes with the same neighbours, found by sums over their neighbours   [Ashcraft 1995].
#include "order.h"

typedef struct twin_search {
  const int *ptr, *adj;
  int *key;   // sum over the neighbours of a node, itself among them
  int *head;  // by key: the last node with a number of its own; -1: none
  int *next;  // the one before it
  int *mark;  // nodes around the last one that was compared with
  int centre, around;
} twin_search;

/// A number for a node, such that different sets of nodes hardly ever have the same sum.
static unsigned scramble(int node) {
  unsigned x = (unsigned)node + 0x9e3779b9u;
  x = (x ^ (x >> 16)) * 0x85ebca6bu;
  x = (x ^ (x >> 13)) * 0xc2b2ae35u;
  return (x ^ (x >> 16)) & 0xffffffffu;
}

static int find_key(const twin_search *t, int i) {
  unsigned sum = scramble(i);
  for (int e = t->ptr[i]; e < t->ptr[i + 1]; e++)
    if (t->adj[e] != i) sum += scramble(t->adj[e]);
  return (int)(sum & 0x7fffffffu);
}

static bool are_twins(twin_search *t, int i, int other) {
  if (t->centre != other) {
    // Marks a node and its neighbours, and counts them.
    t->centre = other;
    t->mark[other] = other;
    t->around = 1;
    for (int e = t->ptr[other]; e < t->ptr[other + 1]; e++) {
      t->mark[t->adj[e]] = other;
      t->around += t->adj[e] != other;
    }
  }
  if (t->mark[i] != other) return false;
  int around = 1;
  for (int e = t->ptr[i]; e < t->ptr[i + 1]; e++) {
    if (t->mark[t->adj[e]] != other) return false;
    around += t->adj[e] != i;
  }
  return around == t->around;
}

/// The node with a number of its own that has the neighbours of i; -1: none.
static int find_twin(twin_search *t, int i, int slot) {
  int other = t->head[slot];
  while (other >= 0 && (t->key[other] != t->key[i] || !are_twins(t, i, other)))
    other = t->next[other];
  return other;
}

int stc_order_twins(int n, const int *ptr, const int *adj, int *work, int *group) {
  ptrdiff_t size = n;
  twin_search t = {.ptr = ptr, .adj = adj, .key = work, .head = work + size, .centre = -1};
  t.next = work + 2 * size;
  t.mark = work + 3 * size;
  int count = 0;
  for (int i = 0; i < n; i++) t.head[i] = t.mark[i] = -1;
  for (int i = 0; i < n; i++) {
    t.key[i] = find_key(&t, i);
    int slot = t.key[i] % n, twin = find_twin(&t, i, slot);
    group[i] = twin < 0 ? count++ : group[twin];
    if (twin >= 0) continue;
    t.next[i] = t.head[slot];
    t.head[slot] = i;
  }
  return count;
}
