// Components are numbered from 0 in order of appearance.
#include "expect.h"

#include "linalg/graph.h"

static void nodes_without_edges_stay_alone(void **state) {
  int forest[3];
  stc_graph_start(forest, 3);
  assert_int_equal(stc_graph_number(forest, 3), 3);
  assert_memory_equal(forest, ((const int[]){0, 1, 2}), sizeof forest);
  assert_int_equal(stc_graph_number(forest, 0), 0);
}

static void edges_join_in_any_order(void **state) {
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
  enum { N = 1000 };
  int forest[N];
  stc_graph_start(forest, N);
  for (int k = N - 1; k > 0; k--) stc_graph_join(forest, k, k - 1);
  assert_int_equal(stc_graph_number(forest, N), 1);
  for (int k = 0; k < N; k++) assert_int_equal(forest[k], 0);
}

static void stored_zeros_join_nothing(void **state) {
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

static void nodes_of_a_cell_are_neighbours(void **state) {
  // Cells {2, 0} and {1, 2} over nodes 0, 1, 2; node 0 is in cell 0, node 1 in 1, node 2 in both.
  const int set_ptr[] = {0, 1, 2, 4}, set[] = {0, 1, 0, 1}, member_ptr[] = {0, 2, 4};
  const int member[] = {2, 0, 1, 2};
  const stc_incidence cells = {3, set_ptr, set, member_ptr, member, NULL};
  stc_arena arena = {0};
  int *ptr, *adj;
  assert_int_equal(stc_graph_neighbours(&arena, &cells, 7, &ptr, &adj), STC_OK);
  assert_memory_equal(ptr, ((const int[]){0, 2, 4, 7}), 4 * sizeof *ptr);
  assert_memory_equal(adj, ((const int[]){0, 2, 1, 2, 0, 1, 2}), 7 * sizeof *adj);
  expect_failure(stc_graph_neighbours(&arena, &cells, 6, &ptr, &adj), STC_ERR_DIMENSION,
                 "more than 6 pairs");
  // The same with member 2 as a part of node 1: nodes 0 and 1 meet in cell 0.
  const int node_of[] = {0, 1, 1}, part_ptr[] = {0, 1, 3}, part_set[] = {0, 0, 1};
  const stc_incidence parts = {2, part_ptr, part_set, member_ptr, member, node_of};
  assert_int_equal(stc_graph_neighbours(&arena, &parts, 4, &ptr, &adj), STC_OK);
  assert_memory_equal(ptr, ((const int[]){0, 2, 4}), 3 * sizeof *ptr);
  assert_memory_equal(adj, ((const int[]){0, 1, 0, 1}), 4 * sizeof *adj);
  stc_arena_free(&arena);
}

TEST_PROGRAM(cmocka_unit_test(nodes_without_edges_stay_alone),
             cmocka_unit_test(edges_join_in_any_order),
             cmocka_unit_test(a_long_chain_is_one_component),
             cmocka_unit_test(stored_zeros_join_nothing),
             cmocka_unit_test(nodes_of_a_cell_are_neighbours))
