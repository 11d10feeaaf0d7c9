// Trees of boxes: every item is found exactly once where its box meets the question, before and
// after boxes move; nodes stay within the room they are given; what has moved far costs more.
#include "geometry_support.h"

#include "geometry/box_tree.h"

enum { MOST = 2000 };

typedef struct boxes {
  int count;
  double low[3 * MOST], high[3 * MOST], middle[3 * MOST];
  int order[MOST];
  stc_box_tree_node node[MOST + 2];
  int found[MOST];
} boxes;

static boxes b;

static void place_boxes(stc_random *random, double spread, double largest) {
  for (int i = 0; i < 3 * b.count; i++) {
    double x = between(random, -spread, spread), half = between(random, 0, largest);
    b.low[i] = x - half, b.high[i] = x + half, b.middle[i] = 2 * x;
  }
}

static stc_box_tree grow(void) {
  stc_box_tree tree = {.order = b.order, .node = b.node};
  stc_box_tree_build(&tree, &(stc_box_tree_items){b.count, b.low, b.high, b.middle});
  return tree;
}

static void count_item(void *user, int item) { b.found[item]++; }

static void ask_all(const stc_box_tree *tree, stc_random *random, double spread) {
  for (int q = 0; q < 20; q++) {
    double low[3], high[3];
    for (int k = 0; k < 3; k++) {
      low[k] = between(random, -spread, spread);
      high[k] = low[k] + between(random, 0, spread);
    }
    memset(b.found, 0, sizeof b.found);
    stc_box_tree_query(tree, low, high, count_item, NULL);
    for (int i = 0; i < b.count; i++) {
      bool meets = true;
      for (int k = 0; k < 3; k++)
        meets = meets && b.low[3 * i + k] <= high[k] && b.high[3 * i + k] >= low[k];
      assert_int_equal(b.found[i], meets);
    }
  }
}

static void every_item_is_found_once(void **state) {
  stc_random random = stc_random_seed(3);
  for (int t = 0; t < 60; t++) {
    b.count = t < 20 ? t : (int)between(&random, 1, MOST);
    double spread = t % 4 ? 10 : 0;  // all in one place: there is no axis to cut across
    place_boxes(&random, spread, t % 3 ? 1 : 0);
    stc_box_tree tree = grow();
    assert_in_range(tree.nodes, b.count > 0, stc_box_tree_room(b.count));
    ask_all(&tree, &random, 10);
    place_boxes(&random, 12, 1);
    stc_box_tree_refit(&tree, b.low, b.high);
    ask_all(&tree, &random, 12);
  }
}

static void what_moved_far_costs_more(void **state) {
  // small boxes in a large room: as they are grown each search sees few; in other places the boxes
  // of the nodes go through the whole room
  stc_random random = stc_random_seed(4);
  b.count = MOST;
  place_boxes(&random, 10, 0.1);
  stc_box_tree tree = grow();
  double grown = stc_box_tree_cost(&tree);
  stc_box_tree_refit(&tree, b.low, b.high);
  assert_true(stc_box_tree_cost(&tree) == grown);
  place_boxes(&random, 10, 0.1);
  stc_box_tree_refit(&tree, b.low, b.high);
  assert_true(stc_box_tree_cost(&tree) > 5 * grown);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(every_item_is_found_once),
                                     cmocka_unit_test(what_moved_far_costs_more)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
