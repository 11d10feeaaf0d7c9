// Sets the numbers of the strategy: each setting of FITTED is multiplied and divided by 2 as long
// as that makes `auto` cheaper on generated problems, and what comes out is tried on problems of
// other seeds. Cost is processor time relative to the best single method of each problem, the least
// of REPEATS runs; a problem that is not solved counts as LOST times the best.
//   calibrate [PASSES]     prints the settings fitted and the result on both samples (minutes)
//   calibrate FILE...      prints for each file: contacts, best method, its ms, ms of auto, ratio
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <stiction/stiction.h>
#include <string.h>
#include <time.h>

enum { REPEATS = 3, MOST_PROBLEMS = 256, FIRST_FITTED = 4001, FIRST_HELD_OUT = 5001 };
static const double LIMIT = 2, LOST = 10;  // seconds a solve may take; see above
static const char *const SINGLE[] = {"nsgs", "apgd", "admm", "ipm", "newton", "schwarz"};
enum { SINGLES = sizeof SINGLE / sizeof *SINGLE };

static const char *const FITTED[] = {
    "strategy.sweep_contact", "strategy.sweep_block", "strategy.operation", "strategy.overhead",
    "strategy.interior_cost", "strategy.look",        "strategy.light",     "strategy.loose_row",
    "strategy.masonry_row",   "strategy.solve",       "rule.judge",         "rule.steps"};
enum { FITTED_COUNT = sizeof FITTED / sizeof *FITTED };

// Kinds with the sizes and the friction that small and medium problems have.
typedef struct sample_kind {
  const char *kind;
  int n[3];
  double mu[3], param;
} sample_kind;

static const sample_kind KINDS[] = {{"spheres", {20, 60, 160}, {0.04, 0.2, 0.6}, 0},
                                    {"spheres", {30, 90, 200}, {0.1, 0.3, 0.5}, 0.15},
                                    {"discs", {40, 120, 300}, {0.05, 0.2, 0.5}, 0},
                                    {"wall", {3, 6, 10}, {0.05, 0.3, 0.7}, 0.05},
                                    {"tower", {4, 8, 12}, {0.1, 0.3, 0.6}, 0},
                                    {"arch", {7, 15, 31}, {0.3, 0.5, 0.8}, 0}};
enum { KIND_COUNT = sizeof KINDS / sizeof *KINDS };

typedef struct sample {
  int count;
  stc_problem *problem[MOST_PROBLEMS];
  double best[MOST_PROBLEMS];  // processor seconds of the best single method
  int method[MOST_PROBLEMS];   // which one; -1: none solves it
} sample;

static double processor_seconds(void) {
  struct timespec now;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
  return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

// Processor seconds of setup and solve; INFINITY where it is not solved.
static double seconds_once(const stc_problem *problem, const stc_settings *settings) {
  stc_solver *solver = NULL;
  stc_info info = {.status = STC_STATUS_STALLED};
  double *r = calloc((size_t)stc_problem_size(problem) + 1, sizeof *r), start = processor_seconds();
  if (r && stc_solver_setup(&solver, problem, settings) == STC_OK)
    (void)stc_solver_solve(solver, &(stc_solution){.r = r}, &info);
  double seconds = processor_seconds() - start;
  stc_solver_free(&solver);
  free(r);
  return info.status == STC_STATUS_SOLVED ? seconds : INFINITY;
}

static double seconds_of(const stc_problem *problem, stc_settings settings, const char *method) {
  settings.method = method;
  settings.time_limit = LIMIT;
  settings.regions = 1;
  double least = INFINITY;
  for (int k = 0; k < REPEATS && (k == 0 || isfinite(least)); k++)
    least = fmin(least, seconds_once(problem, &settings));
  return least;
}

static void add_problem(sample *s, stc_problem *problem) {
  int at = s->count;
  if (at == MOST_PROBLEMS) {
    stc_problem_free(&problem);
    return;
  }
  s->problem[at] = problem;
  s->best[at] = INFINITY;
  s->method[at] = -1;
  for (int k = 0; k < SINGLES; k++) {
    double seconds = seconds_of(problem, stc_default_settings(), SINGLE[k]);
    if (!(seconds < s->best[at])) continue;
    s->best[at] = seconds;
    s->method[at] = k;
  }
  s->count++;
}

static void generate_sample(sample *s, unsigned long seed) {
  for (int k = 0; k < KIND_COUNT; k++)
    for (int size = 0; size < 3; size++)
      for (int rough = 0; rough < 3; rough++) {
        stc_generator options = stc_default_generator(KINDS[k].kind);
        options.n = KINDS[k].n[size];
        options.mu = KINDS[k].mu[rough];
        options.param = KINDS[k].param;
        options.seed = seed++;
        stc_problem *problem = NULL;
        if (stc_generate(&options, &problem) == STC_OK) add_problem(s, problem);
      }
}

typedef struct result {
  double mean, worst;  // geometric mean of auto over the best single method, and the largest
  int solved;
} result;

static result cost_of(const sample *s, const stc_settings *settings) {
  result all = {0};
  int counted = 0;
  for (int k = 0; k < s->count; k++) {
    double seconds = seconds_of(s->problem[k], *settings, "auto");
    all.solved += isfinite(seconds);
    if (s->method[k] < 0) continue;
    double ratio = isfinite(seconds) ? seconds / s->best[k] : LOST;
    all.mean += log(ratio);
    all.worst = fmax(all.worst, ratio);
    counted++;
  }
  all.mean = exp(all.mean / fmax(1, counted));
  return all;
}

static double value_of(const char *name) {
  stc_setting field;
  for (int k = 0; stc_settings_field(k, &field); k++)
    if (strcmp(field.name, name) == 0) return field.initial;
  return 0;
}

static stc_error set_value(stc_settings *settings, const char *name, double value) {
  char text[40];
  snprintf(text, sizeof text, "%.6g", value);
  return stc_settings_set(settings, name, text);
}

// Doubles or halves one setting while that gains two per cent; returns its value.
static double fit(const sample *s, stc_settings *settings, const char *name, double value,
                  result *best) {
  static const double FACTOR[] = {2, 0.5};
  for (int k = 0; k < 2; k++)
    for (bool gains = true; gains;) {
      stc_settings trial = *settings;
      gains = set_value(&trial, name, value * FACTOR[k]) == STC_OK;
      result now = gains ? cost_of(s, &trial) : *best;
      gains = gains && now.solved >= best->solved && now.mean < 0.98 * best->mean;
      if (!gains) break;
      *settings = trial;
      *best = now;
      value *= FACTOR[k];
    }
  return value;
}

static void print_result(const char *name, const sample *s, const stc_settings *settings) {
  result r = cost_of(s, settings);
  printf("%-24s %7d %7d %8.3f %8.2f\n", name, s->count, r.solved, r.mean, r.worst);
}

static void calibrate(int passes) {
  static sample fitted, held_out;
  stc_settings start = stc_default_settings(), settings = start;
  double value[FITTED_COUNT];
  generate_sample(&fitted, FIRST_FITTED);
  result best = cost_of(&fitted, &settings);
  for (int k = 0; k < FITTED_COUNT; k++) value[k] = value_of(FITTED[k]);
  for (int pass = 0; pass < passes; pass++)
    for (int k = 0; k < FITTED_COUNT; k++)
      value[k] = fit(&fitted, &settings, FITTED[k], value[k], &best);
  printf("%-24s %12s %12s\n", "setting", "default", "fitted");
  for (int k = 0; k < FITTED_COUNT; k++)
    printf("%-24s %12g %12g\n", FITTED[k], value_of(FITTED[k]), value[k]);
  generate_sample(&held_out, FIRST_HELD_OUT);
  printf("\n%-24s %7s %7s %8s %8s\n", "auto / best single", "of", "solved", "mean", "worst");
  print_result("fitted seeds, default", &fitted, &start);
  print_result("fitted seeds, fitted", &fitted, &settings);
  print_result("held-out seeds, default", &held_out, &start);
  print_result("held-out seeds, fitted", &held_out, &settings);
  for (int k = 0; k < fitted.count; k++) stc_problem_free(&fitted.problem[k]);
  for (int k = 0; k < held_out.count; k++) stc_problem_free(&held_out.problem[k]);
}

static void measure_kind(const char *path) {
  static sample s;
  stc_problem *problem = NULL;
  s.count = 0;
  if (stc_problem_read(path, &problem)) {
    fprintf(stderr, "%s: %s\n", path, stc_error_detail());
    return;
  }
  add_problem(&s, problem);
  double seconds = seconds_of(problem, stc_default_settings(), "auto");
  printf("%s,%d,%s,%.3f,%.3f,%.2f\n", path, stc_problem_contacts(problem),
         s.method[0] < 0 ? "none" : SINGLE[s.method[0]], 1e3 * s.best[0], 1e3 * seconds,
         seconds / s.best[0]);
  fflush(stdout);
  stc_problem_free(&problem);
}

int main(int argc, char **argv) {
  char *end = NULL;
  long passes = argc > 1 ? strtol(argv[1], &end, 10) : 1;
  if (argc < 2 || (end && !*end)) {
    calibrate((int)passes);
    return 0;
  }
  printf("file,contacts,best,best_ms,auto_ms,ratio\n");
  for (int k = 1; k < argc; k++) measure_kind(argv[k]);
  return 0;
}
