// Elimination orders: permutations, and the same whoever else makes one at the same time.
#include "expect.h"

#include "base/team.h"
#include "linalg/order.h"

enum { EDGE = 40, NODES = EDGE * EDGE, ENTRIES = 4 * NODES, ORDERS = 16 };

typedef struct grid {
  int ptr[NODES + 1], adj[ENTRIES];
  int order[ORDERS][NODES];
} grid;

// Neighbours in a square grid, increasing.
static void fill(grid *g) {
  static const int STEP[4][2] = {{0, -1}, {-1, 0}, {1, 0}, {0, 1}};
  int at = 0;
  for (int k = 0; k < NODES; k++) {
    g->ptr[k] = at;
    for (int s = 0; s < 4; s++) {
      int x = k % EDGE + STEP[s][0], y = k / EDGE + STEP[s][1];
      if (x >= 0 && x < EDGE && y >= 0 && y < EDGE) g->adj[at++] = y * EDGE + x;
    }
  }
  g->ptr[NODES] = at;
}

static void make_order(void *argument, int k) {
  grid *g = argument;
  if (!stc_order_dissection(NODES, g->ptr, g->adj, g->order[k])) g->order[k][0] = -1;
}

static void expect_permutation(const int *order) {
  bool met[NODES] = {false};
  for (int k = 0; k < NODES; k++) {
    assert_in_range(order[k], 0, NODES - 1);
    assert_false(met[order[k]]);
    met[order[k]] = true;
  }
}

static void threads_do_not_disturb_each_other(void **state) {
  (void)state;
  grid *g = calloc(1, sizeof *g);
  stc_team *team = NULL;
  int *alone = calloc(NODES, sizeof *alone);
  fill(g);
  make_order(g, 0);
  expect_permutation(g->order[0]);
  memcpy(alone, g->order[0], NODES * sizeof *alone);
  assert_int_equal(stc_team_create(4, &team), STC_OK);
  stc_team_run(team, make_order, g, ORDERS);
  for (int k = 0; k < ORDERS; k++) assert_memory_equal(g->order[k], alone, NODES * sizeof *alone);
  stc_team_free(&team);
  free(alone);
  free(g);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(threads_do_not_disturb_each_other)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
