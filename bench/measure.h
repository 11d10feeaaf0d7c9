// What the measurements share: clocks, random numbers, and the loop over problem files.
#ifndef STC_BENCH_MEASURE_H
#define STC_BENCH_MEASURE_H

#include <stiction/problem.h>

#include <stdio.h>
#include <time.h>

static inline double seconds_of(clockid_t clock) {
  struct timespec now;
  clock_gettime(clock, &now);
  return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

/// Processor seconds: the machine may be busy with other things.
static inline double processor_seconds(void) { return seconds_of(CLOCK_PROCESS_CPUTIME_ID); }

static inline double wall_seconds(void) { return seconds_of(CLOCK_MONOTONIC); }

/// In [-1, 1), the same on every machine.
static inline double draw(unsigned long long *state) {
  *state = *state * 6364136223846793005ULL + 1442695040888963407ULL;
  return (double)(*state >> 11) / 4503599627370496.0 - 1;
}

/// Measures the problems of all files; what fails is said, and the others go on.
static inline void measure_files(int count, char **paths,
                                 stc_error (*measure)(const char *path, const stc_problem *)) {
  for (int k = 0; k < count; k++) {
    stc_problem *problem = NULL;
    stc_error error = stc_problem_read(paths[k], &problem);
    if (!error) error = measure(paths[k], problem);
    if (error) fprintf(stderr, "%s: %s\n", paths[k], stc_error_detail());
    stc_problem_free(&problem);
  }
}

#endif
