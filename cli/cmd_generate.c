// stiction generate: makes a problem of any size from a seed and writes it as an FCLIB file.
#include <limits.h>
#include <math.h>
#include <string.h>

#include "cli.h"

// What was asked for: NAN or -1 where the kind's own default stands.
typedef struct generate_job {
  cli_args args;
  int n, n2;
  double mu, mu2, step, disorder, param;
  long seed;
  bool local;
  const char *output;
} generate_job;

static void print_kinds(void) {
  printf("\nKinds:\n");
  for (int k = 0; stc_generator_name(k); k++) {
    printf("  %-10s %s\n", stc_generator_name(k), stc_generator_summary(k));
  }
}

static stc_generator generator_of(const char *kind, const generate_job *job) {
  stc_generator generator = stc_default_generator(kind);
  if (job->n >= 0) generator.n = job->n;
  if (job->n2 >= 0) generator.n2 = job->n2;
  if (!isnan(job->mu)) generator.mu = job->mu;
  if (!isnan(job->mu2)) generator.mu2 = job->mu2;
  if (!isnan(job->step)) generator.step = job->step;
  if (!isnan(job->disorder)) generator.disorder = job->disorder;
  if (!isnan(job->param)) generator.param = job->param;
  if (job->seed >= 0) generator.seed = (unsigned long)job->seed;
  return generator;
}

static stc_error generate_problem(const stc_generator *generator, bool local,
                                  stc_problem **problem) {
  stc_problem *made = NULL;
  stc_error error = stc_generate(generator, &made);
  if (error || !local) {
    *problem = made;
    return error;
  }
  error = stc_problem_to_local(made, problem);
  stc_problem_free(&made);
  return error;
}

#define GENERATOR(kind, field) CLI_FIELD(stc_generator, kind, field)
static const cli_field generator_fields[] = {
    GENERATOR(INT, n),     GENERATOR(INT, n2),        GENERATOR(REAL, mu),   GENERATOR(REAL, mu2),
    GENERATOR(REAL, step), GENERATOR(REAL, disorder), GENERATOR(REAL, param)};

static void write_made(const stc_generator *generator, const stc_problem *problem,
                       const char *path) {
  cli_json json = cli_json_begin(stdout);
  cli_json_text(&json, "output", path);
  cli_json_text(&json, "kind", generator->kind);
  cli_json_fields(&json, generator_fields, CLI_COUNT(generator_fields), generator);
  cli_json_int(&json, "seed", (long)generator->seed);
  cli_write_sizes(&json, problem);
  cli_json_end(&json);
}

static int generate(const generate_job *job) {
  const cli_args *args = &job->args;
  stc_generator generator = generator_of(args->word[0], job);
  stc_problem *problem = NULL;
  stc_error error = generate_problem(&generator, job->local, &problem);
  int status = error ? cli_complain_library(error) : CLI_DONE;
  if (!status) status = cli_write(problem, &(stc_solution){0}, NULL, 0, job->output);
  if (!status && args->json) write_made(&generator, problem, job->output);
  char text[CLI_SIZES_ROOM];
  if (!status && !args->json && !args->quiet)
    printf("%s: %s, %s\n", job->output, generator.kind, cli_sizes(problem, text));
  stc_problem_free(&problem);
  return status;
}

#define JOB generate_job
static const cli_option options[] = {
    OPTION_INT('n', "n", "N", "size; what it counts depends on KIND", n, 0, INT_MAX),
    OPTION_INT(0, "n2", "N", "second size, for kinds that have one", n2, 0, INT_MAX),
    OPTION_REAL(0, "mu", "X", "friction coefficient", mu, 0, CLI_HUGE),
    OPTION_REAL(0, "mu2", "X", "friction coefficient along T2 (elliptic law)", mu2, 0, CLI_HUGE),
    OPTION_REAL(0, "step", "S", "time step in seconds", step, 0, CLI_HUGE),
    OPTION(CLI_SEED, 0, "seed", "SEED", "integer; same seed, same problem", seed, 0, 0, NULL),
    OPTION_REAL(0, "disorder", "X", "0 regular to 1 as irregular as KIND allows", disorder, 0, 1),
    OPTION_REAL(0, "param", "X", "tilt of gravity in rad; the free number of a theory problem",
                param, -CLI_HUGE, CLI_HUGE),
    OPTION_FLAG(0, "local", "write the local form (W, q)", local),
    OPTION_TEXT('o', "output", "OUT", "file to write", output)};

static int run_generate(const cli_command *command, int argc, char **argv) {
  generate_job job = {.n = -1, .n2 = -1, .seed = -1};
  int status;
  job.mu = job.mu2 = job.step = job.disorder = job.param = NAN;
  if (!cli_parse(command, argc, argv, &job, &status)) return status;
  if (!cli_known("kind", job.args.word[0], stc_generator_name)) return CLI_WRONG;
  if (!job.output) return cli_misuse(command, "generate needs -o OUT, the file to write");
  status = cli_check_output(job.output);
  return status ? status : generate(&job);
}

const cli_command cmd_generate = {
    .name = "generate",
    .usage = "KIND -o OUT",
    .summary = "make a problem of any size and write it",
    .description =
        "Makes a problem of the given kind and writes it to OUT. Sizes and coefficients\n"
        "that are not given take the defaults of the kind.",
    .least_words = 1,
    .most_words = 1,
    .print_more = print_kinds,
    OPTIONS(options),
    .run = run_generate};
