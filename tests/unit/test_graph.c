// Components are numbered from 0 in order of appearance.
#include "expect.h"

#include "linalg/graph.h"

static void nodes_without_edges_stay_alone(void **state) {
  (void)state;
  int forest[3];
  stc_graph_start(forest, 3);
  assert_int_equal(stc_graph_number(forest, 3), 3);
  assert_memory_equal(forest, ((const int[]){0, 1, 2}), sizeof forest);
  assert_int_equal(stc_graph_number(forest, 0), 0);
}

static void edges_join_in_any_order(void **state) {
  (void)state;
  // 5-3, 3-1 and 4-2: { 0 }, { 1, 3, 5 }, { 2, 4 }.
  int forest[6];
  stc_graph_start(forest, 6);
  stc_graph_join(forest, 5, 3);
  stc_graph_join(forest, 2, 4);
  stc_graph_join(forest, 3, 1);
  stc_graph_join(forest, 1, 5);
  assert_int_equal(stc_graph_number(forest, 6), 3);
  assert_memory_equal(forest, ((const int[]){0, 1, 2, 1, 2, 1}), sizeof forest);
}

static void a_long_chain_is_one_component(void **state) {
  (void)state;
  enum { N = 1000 };
  int forest[N];
  stc_graph_start(forest, N);
  for (int k = N - 1; k > 0; k--) stc_graph_join(forest, k, k - 1);
  assert_int_equal(stc_graph_number(forest, N), 1);
  for (int k = 0; k < N; k++) assert_int_equal(forest[k], 0);
}

static void stored_zeros_join_nothing(void **state) {
  (void)state;
  // Rows are nodes 0 and 1, columns nodes 2 and 3: entry (0, 1) = 5 joins 0 with 3, (1, 0) = 0
  // none.
  int ptr[] = {0, 1, 2}, col[] = {1, 0}, forest[4];
  double val[] = {5, 0};
  stc_csr A = {2, 2, ptr, col, val};
  stc_graph_start(forest, 4);
  stc_graph_join_matrix(forest, &A, 0, 2);
  assert_int_equal(stc_graph_number(forest, 4), 3);
  assert_memory_equal(forest, ((const int[]){0, 1, 2, 0}), sizeof forest);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(nodes_without_edges_stay_alone),
      cmocka_unit_test(edges_join_in_any_order),
      cmocka_unit_test(a_long_chain_is_one_component),
      cmocka_unit_test(stored_zeros_join_nothing),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
