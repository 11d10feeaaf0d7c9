// Structure of factors, against an elimination of the full matrix entry by entry: counts and lists
// of the whole and of parts, supernodes with zeros and without.
#include "expect.h"

#include "base/random.h"
#include "base/stop.h"
#include "linalg/engine/llt_data.h"
#include "linalg/order/order.h"
#include "linalg/symbolic.h"

enum { NODES = 60, ENTRIES = NODES * NODES, SEEDS = 40 };

typedef struct trial {
  int size[NODES], ptr[NODES + 1], adj[ENTRIES], order[NODES];
  bool active[NODES];
  stc_pattern pattern;
  stc_arena arena;
  stc_symbolic S;
  bool factor[NODES][NODES];  // by steps: whether entry (i, j), i > j, fills in
} trial;

static int draw_below(stc_random *random, int n) {
  return (int)(stc_random_bits(random) % (unsigned)n);
}

/// A sparse graph, a random order, and a part of the nodes; with seed 1 all of them.
static trial *make_trial(unsigned seed) {
  trial *t = calloc(1, sizeof *t);
  stc_random random = stc_random_seed(seed);
  static bool edge[NODES][NODES];
  memset(edge, 0, sizeof edge);
  for (int k = 0; k < (int)seed * 5; k++) {
    int i = draw_below(&random, NODES), j = draw_below(&random, NODES);
    edge[i][j] = edge[j][i] = true;
  }
  int at = 0;
  for (int i = 0; i < NODES; i++) {
    edge[i][i] = true;
    for (int j = 0; j < NODES; j++)
      if (edge[i][j]) t->adj[at++] = j;
    t->ptr[i + 1] = at;
    t->size[i] = 1 + draw_below(&random, 4);
    t->active[i] = seed == 1 || draw_below(&random, 5) > 0;
    int k = draw_below(&random, i + 1);
    t->order[i] = t->order[k];
    t->order[k] = i;
  }
  t->pattern = (stc_pattern){NODES, t->size, t->ptr, t->adj};
  stc_symbolic_take(&t->arena, &t->pattern, &t->S);
  assert_int_equal(stc_arena_check(&t->arena), STC_OK);
  return t;
}

static void free_trial(trial *t) {
  stc_arena_free(&t->arena);
  free(t);
}

/// Fills in by the textbook: eliminating k joins all that come later and are joined with k.
static void eliminate(trial *t) {
  const stc_symbolic *S = &t->S;
  memset(t->factor, 0, sizeof t->factor);
  for (int i = 0; i < NODES; i++)
    for (int e = t->ptr[i]; e < t->ptr[i + 1]; e++) {
      int a = S->step[i], b = S->step[t->adj[e]];
      if (a > b && b >= 0) t->factor[a][b] = true;
    }
  for (int k = 0; k < S->steps; k++)
    for (int i = k + 1; i < S->steps; i++)
      for (int j = k + 1; j < i; j++)
        if (t->factor[i][k] && t->factor[j][k]) t->factor[i][j] = true;
}

/// Entries that a factor of the nodes in the order as it was given has, whatever they are called.
static int fill_of_order(const trial *t) {
  static bool joined[NODES][NODES];
  int steps = 0, fill = 0, step[NODES];
  for (int k = 0; k < NODES; k++) step[t->order[k]] = t->active[t->order[k]] ? steps++ : -1;
  memset(joined, 0, sizeof joined);
  for (int i = 0; i < NODES; i++)
    for (int e = t->ptr[i]; e < t->ptr[i + 1]; e++) {
      int a = step[i], b = step[t->adj[e]];
      if (a > b && b >= 0) joined[a][b] = true;
    }
  for (int k = 0; k < steps; k++)
    for (int i = k + 1; i < steps; i++) {
      fill += joined[i][k];
      for (int j = k + 1; j < i && joined[i][k]; j++)
        if (joined[j][k]) joined[i][j] = true;
    }
  return fill;
}

static void expect_counts(const trial *t) {
  const stc_symbolic *S = &t->S;
  double total = 0, flops = 0;
  for (int k = 0; k < S->steps; k++) {
    int under = 0, rows = 0, parent = -1;
    for (int i = S->steps - 1; i > k; i--) {
      if (!t->factor[i][k]) continue;
      parent = i;
      under++;
      rows += t->size[S->node[i]];
    }
    assert_int_equal(S->under[k], under);
    assert_int_equal(S->rows[k], rows);
    assert_int_equal(S->parent[k], parent);
    total += under;
    for (int c = 1; c <= t->size[S->node[k]]; c++) flops += (rows + c) * (double)(rows + c);
  }
  assert_true(S->total == total && S->flops == flops);
  assert_int_equal((int)total, fill_of_order(t));
}

/// Lists hold all that fills in, and nothing but that where no zeros are stored.
static void expect_lists(const trial *t, bool exact) {
  const stc_symbolic *S = &t->S;
  assert_int_equal(S->first[0], 0);
  assert_int_equal(S->first[S->supernodes], S->steps);
  for (int s = 0; s < S->supernodes; s++) {
    int cols = 0, below = 0, last = S->first[s + 1] - 1;
    bool listed[NODES] = {false};
    for (int e = S->list_ptr[s]; e < S->list_ptr[s + 1]; e++) {
      if (e > S->list_ptr[s]) assert_true(S->list[e] > S->list[e - 1]);
      assert_true(S->list[e] > last);
      listed[S->list[e]] = true;
      below += t->size[S->node[S->list[e]]];
    }
    for (int k = S->first[s]; k <= last; k++) {
      assert_int_equal(S->owner[k], s);
      cols += t->size[S->node[k]];
      for (int i = k + 1; i < S->steps; i++) {
        bool stored = i <= last || listed[i];
        if (t->factor[i][k]) assert_true(stored);
        if (exact && stored) assert_true(t->factor[i][k]);
      }
    }
    assert_int_equal(S->cols[s], cols);
    assert_int_equal(S->below[s], below);
  }
}

static void structure_is_that_of_the_elimination(void **state) {
  static const stc_relaxation ALL = {.zeros = {1, 1, 1, 1}};
  static const stc_relaxation SOME = {.cols = {4, 8, 24}, .zeros = {1, 0.8, 0.4, 0.1}};
  for (unsigned seed = 1; seed <= SEEDS; seed++) {
    trial *t = make_trial(seed);
    assert_true(stc_symbolic_count(&t->S, t->order, seed == 1 ? NULL : t->active));
    eliminate(t);
    expect_counts(t);
    t->S.list = STC_TAKE_RAW(&t->arena, int, t->S.total);
    assert_int_equal(stc_arena_check(&t->arena), STC_OK);
    const stc_relaxation *relax[] = {NULL, &SOME, &ALL};
    int supernodes = NODES;
    for (int k = 0; k < 3; k++) {
      stc_symbolic_merge(&t->S, relax[k]);
      assert_true(t->S.supernodes <= supernodes);
      supernodes = t->S.supernodes;
      assert_true(stc_symbolic_list(&t->S));
      expect_lists(t, k == 0);
    }
    free_trial(t);
  }
}

static bool count_look(void *user) {
  ++*(int *)user;
  return true;
}

static void open_counted(stc_stop *stop, int *looks) {
  *looks = 0;
  stc_stop_open(stop, INFINITY, count_look, looks);
  stop->grain = stop->every = stop->next = 0;  // every count of work is a look
}

// Each pass looks once at every step: the tree, the counts, the lists. An order by minimum degree
// looks once before it.
static void every_step_has_its_looks(void **state) {
  trial *t = make_trial(1);
  stc_stop stop;
  int looks;
  open_counted(&stop, &looks);
  assert_true(stc_symbolic_count(&t->S, t->order, NULL));
  assert_int_equal(looks, 2 * NODES);
  assert_int_equal(stc_symbolic_order(&t->S, t->order), STC_OK);
  assert_int_equal(looks, 4 * NODES + 1);
  t->S.list = STC_TAKE_RAW(&t->arena, int, t->S.total);
  assert_int_equal(stc_arena_check(&t->arena), STC_OK);
  stc_symbolic_merge(&t->S, NULL);
  assert_true(stc_symbolic_list(&t->S));
  assert_int_equal(looks, 5 * NODES + 1);
  assert_int_equal(stc_stop_close(&stop), STC_STOP_NOT);
  free_trial(t);
}

// A Cholesky analysis: twice to gather unknowns, once for each supernode when lists are expanded;
// a factorisation: per panel loaded, eliminated and subtracted.
static void a_cholesky_factor_has_its_looks(void **state) {
  trial *t = make_trial(2);
  double val[ENTRIES];
  for (int i = 0; i < NODES; i++)
    for (int e = t->ptr[i]; e < t->ptr[i + 1]; e++) val[e] = t->adj[e] == i ? NODES : -1;
  stc_csr matrix = {.rows = NODES, .cols = NODES, .ptr = t->ptr, .col = t->adj, .val = val};
  stc_llt *llt = NULL;
  stc_stop stop;
  int looks, bad, work[4 * NODES], group[NODES];
  int steps = stc_order_twins(NODES, t->ptr, t->adj, work, group);
  open_counted(&stop, &looks);
  assert_int_equal(stc_llt_create(&matrix, &(stc_crew){.threads = 1}, &llt), STC_OK);
  assert_int_equal(looks, 2 + 1 + 3 * steps + llt->supers);
  looks = 0;
  assert_int_equal(stc_llt_factorise(llt, val, 0, 0, &bad), STC_OK);
  assert_int_equal(looks, 3 * llt->supers);
  assert_int_equal(stc_stop_close(&stop), STC_STOP_NOT);
  stc_llt_free(&llt);
  free_trial(t);
}

static bool count_down(void *user) { return --*(int *)user > 0; }

// Every look of an analysis is the one that says stop, one after another: there is no factor then.
static void every_look_ends_the_analysis(void **state) {
  trial *t = make_trial(3);
  stc_csr matrix = {.rows = NODES, .cols = NODES, .ptr = t->ptr, .col = t->adj};
  for (int looks = 1, over = 0; !over; looks++) {
    int left = looks;
    stc_llt *llt = NULL;
    stc_stop stop;
    open_counted(&stop, &left);
    stop.go_on = count_down;
    left = looks;
    stc_error error = stc_llt_create(&matrix, &(stc_crew){.threads = 1}, &llt);
    over = stc_stop_close(&stop) == STC_STOP_NOT;
    assert_int_equal(error, over ? STC_OK : STC_ERR_CALLBACK);
    assert_true((llt != NULL) == over);
    stc_llt_free(&llt);
  }
  free_trial(t);
}

// With two nodes, joined by one edge, of 1 and 3 rows: columns of 4, 3, 2 and 1 entries.
static void the_smallest_case(void **state) {
  int size[] = {3, 1}, ptr[] = {0, 2, 4}, adj[] = {0, 1, 0, 1}, order[] = {1, 0}, list[1];
  stc_arena arena = {0};
  stc_symbolic S;
  stc_symbolic_take(&arena, &(stc_pattern){2, size, ptr, adj}, &S);
  S.list = list;
  assert_true(stc_symbolic_count(&S, order, NULL));
  assert_true(S.flops == 16 + 9 + 4 + 1 && S.total == 1);
  assert_true(S.rows[0] == 3 && S.rows[1] == 0 && S.parent[0] == 1 && S.parent[1] == -1);
  stc_symbolic_merge(&S, NULL);
  assert_true(S.supernodes == 1 && S.cols[0] == 4 && S.below[0] == 0);
  assert_true(stc_symbolic_list(&S));
  stc_arena_free(&arena);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(structure_is_that_of_the_elimination),
      cmocka_unit_test(every_step_has_its_looks),
      cmocka_unit_test(a_cholesky_factor_has_its_looks),
      cmocka_unit_test(every_look_ends_the_analysis),
      cmocka_unit_test(the_smallest_case),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
