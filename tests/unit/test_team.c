// Team of threads: every piece is done once, whatever the number of threads, job after job.
#include "base/team.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <time.h>

#include <cmocka.h>

enum { PIECES = 257, JOBS = 200 };

static void count_piece(void *argument, int k) { ((int *)argument)[k]++; }

static void every_piece_is_done_once_per_job(void **state) {
  for (int threads = 1; threads <= 8; threads++) {
    stc_team *team = NULL;
    int done[PIECES] = {0};
    assert_int_equal(stc_team_create(threads, &team), STC_OK);
    for (int job = 0; job < JOBS; job++) stc_team_run(team, count_piece, done, PIECES);
    for (int k = 0; k < PIECES; k++) assert_int_equal(done[k], JOBS);
    stc_team_free(&team);
    assert_null(team);
    stc_team_free(&team);
  }
}

// Helpers that went to sleep between the jobs come back, or are not needed.
static void jobs_may_be_far_apart(void **state) {
  for (int threads = 2; threads <= 4; threads += 2) {
    stc_team *team = NULL;
    int done[PIECES] = {0};
    assert_int_equal(stc_team_create(threads, &team), STC_OK);
    for (int job = 0; job < JOBS; job++) {
      nanosleep(&(struct timespec){.tv_nsec = 1000000 * (job % 10 == 0)}, NULL);
      stc_team_run(team, count_piece, done, PIECES);
    }
    for (int k = 0; k < PIECES; k++) assert_int_equal(done[k], JOBS);
    stc_team_free(&team);
  }
}

// In order, without a gap, each of whole vectors, none but the last smaller than the others.
static void pieces_cover_the_whole(void **state) {
  for (int whole = 0; whole < 3000000; whole = 2 * whole + 1) {
    stc_pieces p = stc_pieces_of(whole, STC_PIECE_CONTACTS);
    bool cut = whole >= STC_PIECES_LEAST * STC_PIECE_CONTACTS;
    assert_true(cut ? p.count >= STC_PIECES_LEAST && p.count <= STC_PIECES
                    : p.count == (whole > 0));
    assert_int_equal(stc_piece_first(&p, 0), 0);
    assert_int_equal(stc_piece_first(&p, p.count), whole);
    for (int k = 0; k < p.count; k++) {
      int size = stc_piece_first(&p, k + 1) - stc_piece_first(&p, k);
      assert_true(k == p.count - 1 ? size > 0 && size <= p.size : size == p.size && size % 8 == 0);
    }
  }
}

static void what_is_copied_is_the_same(void **state) {
  enum { NUMBERS = 100001 };
  static double from[NUMBERS], to[NUMBERS + 1];
  stc_team *team = NULL;
  assert_int_equal(stc_team_create(3, &team), STC_OK);
  for (int k = 0; k < NUMBERS; k++) from[k] = k + 1;
  stc_team_copy(team, to, from, NUMBERS);
  assert_memory_equal(to, from, sizeof from);
  assert_true(to[NUMBERS] == 0);
  stc_team_free(&team);
}

static void no_team_is_the_caller_alone(void **state) {
  int done[3] = {0};
  stc_team_run(NULL, count_piece, done, 3);
  for (int k = 0; k < 3; k++) assert_int_equal(done[k], 1);
}

static void a_job_may_be_empty(void **state) {
  stc_team *team = NULL;
  assert_int_equal(stc_team_create(2, &team), STC_OK);
  stc_team_run(team, count_piece, NULL, 0);
  stc_team_free(&team);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(every_piece_is_done_once_per_job),
      cmocka_unit_test(jobs_may_be_far_apart),
      cmocka_unit_test(pieces_cover_the_whole),
      cmocka_unit_test(what_is_copied_is_the_same),
      cmocka_unit_test(no_team_is_the_caller_alone),
      cmocka_unit_test(a_job_may_be_empty),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
