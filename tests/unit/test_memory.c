// Arenas: alignment, zeros, hints, and arenas that never outgrow their room.
#include "expect.h"

#include "base/memory.h"

static bool aligned(const void *place) { return (uintptr_t)place % 64 == 0; }

static void requests_are_zeroed_and_apart(void **state) {
  stc_arena arena = {0};
  double *last = NULL;
  for (int n = 0; n < 300; n++) {
    size_t count = (size_t)(n * n % 2000);
    double *x = STC_TAKE(&arena, double, count);
    assert_true(x && aligned(x) && x != last);
    for (size_t k = 0; k < count; k++) {
      assert_true(x[k] == 0);
      x[k] = -1;  // a later request that overlapped would not be zero
    }
    double *y = STC_TAKE_RAW(&arena, double, count);
    assert_true(y && aligned(y));
    memset(y, 255, count * sizeof *y);
    last = x;
  }
  assert_int_equal(stc_arena_check(&arena), STC_OK);
  stc_arena_free(&arena);
  assert_null(arena.blocks);
  assert_int_equal(arena.bytes, 0);
}

static int blocks_of(const stc_arena *arena) {
  struct link {
    struct link *next;
  };
  int count = 0;
  for (const struct link *b = (const struct link *)arena->blocks; b; b = b->next) count++;
  return count;
}

// 100 vectors of 2000 doubles: each would be a block of its own; announced, they share one, and so
// do those after them as far as it reaches.
static void announced_requests_share_a_block(void **state) {
  stc_arena plain = {0}, hinted = {0};
  size_t bytes = 100 * stc_arena_cost(2000, sizeof(double));
  stc_arena_expect(&hinted, bytes);
  for (int k = 0; k < 100; k++) {
    (void)STC_TAKE_RAW(&plain, double, 2000);
    (void)STC_TAKE_RAW(&hinted, double, 2000);
  }
  assert_int_equal(blocks_of(&plain), 100);
  assert_int_equal(blocks_of(&hinted), 1);
  (void)STC_TAKE_RAW(&hinted, double, 2000);  // one too many: a block of its own
  assert_int_equal(blocks_of(&hinted), 2);
  stc_arena_free(&plain);
  stc_arena_free(&hinted);
}

// Memory given back at a mark is handed out again, from the mark on.
static void a_mark_can_be_returned_to(void **state) {
  stc_arena arena = {0};
  stc_arena_expect(&arena, 4096);
  double *kept = STC_TAKE_RAW(&arena, double, 8);
  stc_slab mark = stc_arena_mark(&arena);
  double *first = STC_TAKE_RAW(&arena, double, 100);
  stc_arena_return(&arena, mark);
  double *second = STC_TAKE_RAW(&arena, double, 200);
  assert_ptr_equal(first, second);
  assert_true(second >= kept + 8);
  stc_arena_free(&arena);
}

static void vectors_are_apart(void **state) {
  stc_arena arena = {0};
  double *a = NULL, *b = NULL, *c = NULL, **list[] = {&a, &b, &c};
  STC_TAKE_VECTORS(&arena, 13, list);
  assert_true(aligned(a) && aligned(b) && aligned(c));
  assert_true(b >= a + 13 && c >= b + 13);
  stc_arena_free(&arena);
}

// A room of the announced cost holds the requests it was counted for, and nothing more.
static void a_room_is_never_outgrown(void **state) {
  size_t bytes = stc_arena_cost(3, sizeof(int)) + stc_arena_cost(20, sizeof(double));
  char *room = aligned_alloc(64, bytes);
  memset(room, 255, bytes);
  stc_arena arena = stc_arena_within(room, bytes);
  int *x = STC_TAKE(&arena, int, 3);
  double *y = STC_TAKE_RAW(&arena, double, 20);
  assert_true((char *)x >= room && (char *)(y + 20) <= room + bytes);
  for (int k = 0; k < 3; k++) assert_int_equal(x[k], 0);
  assert_int_equal(stc_arena_check(&arena), STC_OK);
  assert_null(STC_TAKE_RAW(&arena, char, 1));
  expect_failure(stc_arena_check(&arena), STC_ERR_MEMORY, "out of memory");
  free(room);
}

// A quarter of the address space: no system has it. The hint does no harm, the request says how
// much it was and what is in use.
static void a_refusal_says_how_much(void **state) {
  const size_t bytes = SIZE_MAX / 4;
  stc_arena arena = {0};
  stc_arena_expect(&arena, bytes);
  char *small = STC_TAKE_RAW(&arena, char, 100000);
  assert_non_null(small);
  assert_int_equal(stc_arena_check(&arena), STC_OK);
  assert_null(STC_TAKE_RAW(&arena, char, bytes));
  expect_failure(stc_arena_check(&arena), STC_ERR_MEMORY, "out of memory: 4611 PB asked for, ");
  expect_failure(stc_arena_check(&arena), STC_ERR_MEMORY, " in use");
  stc_arena_free(&arena);
}

static void impossible_sizes_are_refused(void **state) {
  stc_arena arena = {0};
  assert_true(stc_arena_cost(SIZE_MAX / 2, 8) == SIZE_MAX);
  assert_null(stc_arena_take(&arena, SIZE_MAX / 2, 8));
  assert_null(STC_TAKE(&arena, char, 1));  // the arena remembers
  expect_failure(stc_arena_check(&arena), STC_ERR_MEMORY,
                 "more is asked for than can be addressed");
  assert_null(stc_calloc(SIZE_MAX / 2, 8));
  stc_arena_free(&arena);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(requests_are_zeroed_and_apart),
      cmocka_unit_test(announced_requests_share_a_block),
      cmocka_unit_test(a_mark_can_be_returned_to),
      cmocka_unit_test(vectors_are_apart),
      cmocka_unit_test(a_room_is_never_outgrown),
      cmocka_unit_test(a_refusal_says_how_much),
      cmocka_unit_test(impossible_sizes_are_refused),
  };
  return cmocka_run_group_tests_name("memory", tests, NULL, NULL);
}
