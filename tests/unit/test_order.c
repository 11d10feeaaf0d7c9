// Elimination orders: permutations of graphs of all kinds, the same whoever else makes one at the
// same time; separators that separate; nodes with the same neighbours; memory that runs out.
#include "expect.h"

#include "base/stop.h"
#include "base/team.h"
#include "linalg/order/order.h"
#include "linalg/order/separator.h"
#include "linalg/symbolic.h"

#include "conform/heap.h"

enum { EDGE = 40, MOST = EDGE * EDGE, ORDERS = 16, LOOKS = 117 };

typedef struct graph {
  int nodes, *ptr, *adj;
  int order[ORDERS][MOST];
  stc_error error[ORDERS];
} graph;

// ---- graphs ----

static int distance(int i, int j) { return i < j ? j - i : i - j; }

static bool in_a_grid(int i, int j) {
  return distance(i % EDGE, j % EDGE) + distance(i / EDGE, j / EDGE) <= 1;
}
/// Each point of a grid four times.
static bool in_a_doubled_grid(int i, int j) {
  int half = EDGE / 2, x = i / 2 % half, y = i / 2 / half % half, u = j / 2 % half;
  return distance(x, u) + distance(y, j / 2 / half % half) <= 1;
}
static bool in_a_star(int i, int j) { return i == j || i == 0 || j == 0; }
static bool in_a_path(int i, int j) { return distance(i, j) <= 1; }
static bool alone(int i, int j) { return i == j; }
static bool in_triples(int i, int j) { return i / 3 == j / 3; }
/// Grids that do not touch, of 400 nodes, which are cut no more, and of 1200.
static bool in_two_grids(int i, int j) { return (i < 400) == (j < 400) && in_a_grid(i, j); }
static bool at_random(int i, int j) {
  unsigned a = (unsigned)(i < j ? i : j), b = (unsigned)(i < j ? j : i);
  return i == j || (a * 7919u + b * 104729u + a * b) % 401u == 0;
}

static bool (*const KINDS[])(int, int) = {in_a_grid, in_a_doubled_grid, in_a_star,    in_a_path,
                                          alone,     in_triples,        in_two_grids, at_random};
enum { KIND_COUNT = sizeof KINDS / sizeof *KINDS };

static graph *make_graph(bool (*joined)(int, int), int nodes) {
  graph *g = calloc(1, sizeof *g);
  int entries = 0;
  g->nodes = nodes;
  g->ptr = calloc((size_t)nodes + 1, sizeof(int));
  for (int pass = 0; pass < 2; pass++) {
    if (pass) g->adj = calloc((size_t)entries + 1, sizeof(int));
    entries = 0;
    for (int i = 0; i < nodes; i++) {
      for (int j = 0; j < nodes; j++) {
        if (!joined(i, j)) continue;
        if (pass) g->adj[entries] = j;
        entries++;
      }
      g->ptr[i + 1] = entries;
    }
  }
  return g;
}

static void free_graph(graph *g) {
  free(g->ptr), free(g->adj);
  free(g);
}

// ---- orders ----

static void make_order(void *argument, int k) {
  graph *g = argument;
  g->error[k] = stc_order_dissection(g->nodes, g->ptr, g->adj, NULL, g->order[k]);
}

static void expect_permutation(int n, const int *order) {
  bool met[MOST] = {false};
  for (int k = 0; k < n; k++) {
    assert_in_range(order[k], 0, n - 1);
    assert_false(met[order[k]]);
    met[order[k]] = true;
  }
}

static void every_graph_is_ordered(void **state) {
  static const int NODES[] = {0, 1, 2, 499, 501, MOST};
  for (int k = 0; k < KIND_COUNT; k++)
    for (size_t s = 0; s < sizeof NODES / sizeof *NODES; s++) {
      graph *g = make_graph(KINDS[k], NODES[s]);
      make_order(g, 0);
      assert_int_equal(g->error[0], STC_OK);
      expect_permutation(g->nodes, g->order[0]);
      free_graph(g);
    }
}

/// Multiplications of the factor in an order.
static double work_of(const graph *g, const int *order) {
  stc_arena arena = {0};
  int *size = STC_TAKE_RAW(&arena, int, g->nodes);
  for (int i = 0; i < g->nodes; i++) size[i] = 1;
  stc_symbolic S;
  stc_symbolic_take(&arena, &(stc_pattern){g->nodes, size, g->ptr, g->adj}, &S);
  assert_int_equal(stc_arena_check(&arena), STC_OK);
  assert_true(stc_symbolic_count(&S, order, NULL));
  double flops = S.flops;
  stc_arena_free(&arena);
  return flops;
}

// On a square grid of m^2 points nested dissection takes 829/84 m^3 multiplications [George 1973],
// and the order by rows m^4; the smaller leaves of ours take fewer.
static void a_grid_takes_few_operations(void **state) {
  graph *g = make_graph(in_a_grid, MOST);
  double cube = (double)EDGE * EDGE * EDGE;
  make_order(g, 0);
  double found = work_of(g, g->order[0]);
  for (int k = 0; k < MOST; k++) g->order[1][k] = k;
  assert_in_range((int)(work_of(g, g->order[1]) / cube), EDGE - 2, EDGE + 2);
  assert_true(found < 829.0 / 84 * cube);
  free_graph(g);
}

static void threads_do_not_disturb_each_other(void **state) {
  graph *g = make_graph(in_a_grid, MOST);
  int *first = calloc(MOST, sizeof *first);
  stc_team *team = NULL;
  make_order(g, 0);
  memcpy(first, g->order[0], MOST * sizeof *first);
  assert_int_equal(stc_team_create(4, &team), STC_OK);
  stc_team_run(team, make_order, g, ORDERS);
  for (int k = 0; k < ORDERS; k++) assert_memory_equal(g->order[k], first, MOST * sizeof *first);
  stc_team_free(&team);
  free(first);
  free_graph(g);
}

// Groups come one after the other: here the odd nodes before the even ones.
static void minimum_degree_keeps_to_its_groups(void **state) {
  graph *g = make_graph(at_random, 300);
  int group[300], *work = calloc(stc_order_work(300, g->ptr[300]), sizeof(int));
  for (int i = 0; i < 300; i++) group[i] = 1 - i % 2;
  stc_order_within_groups(300, g->ptr, g->adj, group, work, g->order[0]);
  expect_permutation(300, g->order[0]);
  for (int k = 0; k < 300; k++) assert_int_equal(g->order[0][k] % 2, k < 150);
  free(work);
  free_graph(g);
}

// ---- nodes with the same neighbours ----

static int count_twins(bool (*joined)(int, int), int nodes, int *group) {
  graph *g = make_graph(joined, nodes);
  int *work = calloc(4 * (size_t)nodes, sizeof *work);
  int count = stc_order_twins(nodes, g->ptr, g->adj, work, group);
  free(work);
  free_graph(g);
  return count;
}

static bool in_a_bipartite_graph(int i, int j) { return i == j || i % 2 != j % 2; }

static void twins_are_found(void **state) {
  int group[MOST];
  assert_int_equal(count_twins(in_a_grid, MOST, group), MOST);
  assert_int_equal(count_twins(in_a_doubled_grid, MOST, group), MOST / 4);
  for (int i = 0; i < MOST; i++) assert_int_equal(group[i], i / 2 % (MOST / 4));
  assert_int_equal(count_twins(in_triples, 31, group), 11);
  for (int i = 0; i < 31; i++) assert_int_equal(group[i], i / 3);
  assert_int_equal(count_twins(alone, 20, group), 20);
  // The same neighbours, but not one another.
  assert_int_equal(count_twins(in_a_bipartite_graph, 20, group), 20);
}

// ---- separators ----

static void separators_separate(void **state) {
  int size[MOST];
  unsigned char side[MOST];
  for (int k = 0; k < KIND_COUNT; k++) {
    graph *g = make_graph(KINDS[k], MOST);
    int entries = g->ptr[MOST], *edge = calloc((size_t)entries, sizeof *edge), weight[3] = {0};
    int *ptr = calloc(MOST + 1, sizeof *ptr), *adj = calloc((size_t)entries, sizeof *adj), at = 0;
    for (int i = 0; i < MOST; i++) {
      size[i] = 1;
      for (int e = g->ptr[i]; e < g->ptr[i + 1]; e++)
        if (g->adj[e] != i) adj[at++] = g->adj[e];
      ptr[i + 1] = at;
    }
    for (int e = 0; e < entries; e++) edge[e] = 1;
    stc_arena scratch = {0};
    assert_int_equal(stc_separate(&scratch, &(stc_wgraph){MOST, ptr, adj, size, edge}, side),
                     STC_OK);
    for (int i = 0; i < MOST; i++) {
      weight[side[i]]++;
      for (int e = ptr[i]; e < ptr[i + 1]; e++)
        assert_false(side[i] + side[adj[e]] == 1 && side[i] != side[adj[e]]);
    }
    if (KINDS[k] == in_a_grid) assert_in_range(weight[STC_SEPARATOR], 1, EDGE);
    if (KINDS[k] == in_a_star || KINDS[k] == in_a_path) assert_int_equal(weight[STC_SEPARATOR], 1);
    if (KINDS[k] == alone) assert_int_equal(weight[STC_SEPARATOR], 0);
    for (int s = 0; s < 2; s++) assert_true(weight[s] <= 0.61 * MOST);
    stc_arena_free(&scratch);
    free(edge), free(ptr), free(adj);
    free_graph(g);
  }
}

// ---- ends ----

static bool count_down(void *user) { return --*(int *)user > 0; }

// Every look is the one that says stop, one after another: no order is made then, and none is
// called one.
static void every_look_ends_it(void **state) {
  graph *g = make_graph(in_two_grids, MOST);
  stc_error error = STC_ERR_CALLBACK;
  int looks = 0;
  for (; error; looks++) {
    int left = looks + 1;
    stc_stop stop;
    stc_stop_open(&stop, INFINITY, count_down, &left);
    stop.grain = stop.every = stop.next = 0;
    error = stc_order_dissection(MOST, g->ptr, g->adj, NULL, g->order[0]);
    stc_stop_reason reason = stc_stop_close(&stop);
    assert_true(!error || error == STC_ERR_CALLBACK);
    if (!error) assert_true(reason == STC_STOP_NOT);
  }
  // As many looks as the dissection of this graph has; another number is another dissection, or a
  // look that was lost.
  assert_int_equal(looks, LOOKS);
  free_graph(g);
}

static void memory_that_runs_out_leaks_nothing(void **state) {
  if (!heap_is_counted()) return;
  graph *g = make_graph(in_a_grid, MOST);
  heap_begin();
  make_order(g, 0);
  assert_int_equal(g->error[0], STC_OK);
  long allocations = heap_allocations();
  assert_int_equal(heap_alive(), 0);
  for (long k = 1; k <= allocations; k++) {
    heap_begin();
    heap_fail_at(k);
    make_order(g, 1);
    heap_fail_at(0);
    assert_true(g->error[1] == STC_ERR_MEMORY || g->error[1] == STC_OK);  // some are spare
    if (!g->error[1]) assert_memory_equal(g->order[1], g->order[0], sizeof g->order[0]);
    assert_int_equal(heap_alive(), 0);
  }
  free_graph(g);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(every_graph_is_ordered),
      cmocka_unit_test(a_grid_takes_few_operations),
      cmocka_unit_test(threads_do_not_disturb_each_other),
      cmocka_unit_test(minimum_degree_keeps_to_its_groups),
      cmocka_unit_test(twins_are_found),
      cmocka_unit_test(separators_separate),
      cmocka_unit_test(every_look_ends_it),
      cmocka_unit_test(memory_that_runs_out_leaks_nothing),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
