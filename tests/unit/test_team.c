// Team of threads: every piece is done once, whatever the number of threads, job after job.
#include "base/team.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

enum { PIECES = 257, JOBS = 200 };

static void count_piece(void *argument, int k) { ((int *)argument)[k]++; }

static void every_piece_is_done_once_per_job(void **state) {
  (void)state;
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

static void no_team_is_the_caller_alone(void **state) {
  (void)state;
  int done[3] = {0};
  stc_team_run(NULL, count_piece, done, 3);
  for (int k = 0; k < 3; k++) assert_int_equal(done[k], 1);
}

static void a_job_may_be_empty(void **state) {
  (void)state;
  stc_team *team = NULL;
  assert_int_equal(stc_team_create(2, &team), STC_OK);
  stc_team_run(team, count_piece, NULL, 0);
  stc_team_free(&team);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(every_piece_is_done_once_per_job),
      cmocka_unit_test(no_team_is_the_caller_alone),
      cmocka_unit_test(a_job_may_be_empty),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
