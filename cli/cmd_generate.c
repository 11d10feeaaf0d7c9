// stiction generate: makes a problem of any size from a seed and writes it as an FCLIB file.
#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "cli.h"

// What was asked for: NAN or -1 where the kind's own default stands.
typedef struct generate_job {
  cli_args args;
  int n, n2;
  double mu, mu2, step, disorder, param;
  long seed;
  int sides;  // of polygons in the place of circles; 0: none
  bool local, around;
  const char *output;
  stc_problem *made, *written;  // as the kind makes it, and in the form of the file
  stc_cone_section *section;
} generate_job;

static void print_kinds(void) {
  printf("\nKinds:\n");
  for (int k = 0; stc_generator_name(k); k++)
    printf("  %-10s %s\n", stc_generator_name(k), stc_generator_summary(k));
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
    OPTION_INT(0, "sides", "N", "cones over regular polygons inside the circles of friction; 3D",
               sides, 3, 100000),
    OPTION_FLAG(0, "around", "the polygons of --sides stand around the circles", around),
    OPTION_FLAG(0, "local", "write the local form (W, q)", local),
    OPTION_TEXT('o', "output", "OUT", "file to write", output)};

static void begin_generate(void *user) {
  generate_job *job = user;
  job->n = job->n2 = -1;
  job->seed = -1;
  job->mu = job->mu2 = job->step = job->disorder = job->param = NAN;
}

static stc_generator generator_of(const generate_job *job) {
  stc_generator generator = stc_default_generator(job->args.word[0]);
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

// The unit circle with so many corners on it, or as many sides that touch it.
static int make_polygon(const generate_job *job, stc_cone_section **section) {
  const double turn = 2.0 * acos(-1.0) / job->sides,
               radius = job->around ? 1.0 / cos(turn / 2) : 1.0;
  double *corner = calloc((size_t)job->sides, 2 * sizeof *corner);
  if (!corner) return cli_complain("out of memory for %d corners", job->sides);
  for (int k = 0; k < job->sides; k++) {
    corner[2 * k] = radius * cos(turn * k);
    corner[2 * k + 1] = radius * sin(turn * k);
  }
  stc_error error = stc_cone_section_polygon(job->sides, corner, section);
  free(corner);
  return cli_check(error);
}

// The problem that is written with other laws.
static stc_error replace_laws(generate_job *job, const stc_law *law) {
  stc_local_data local = stc_problem_local_data(job->written);
  stc_global_data global = stc_problem_global_data(job->written);
  stc_problem_text text = stc_problem_get_text(job->written);
  stc_problem *other = NULL;
  local.law = global.law = law;
  stc_error error = stc_problem_form(job->written) == STC_FORM_LOCAL
                        ? stc_problem_create_local(&local, &other)
                        : stc_problem_create_global(&global, &other);
  if (!error) error = stc_problem_set_text(other, &text);
  stc_problem *dropped = error ? other : job->written;
  if (!error) job->written = other;
  stc_problem_free(&dropped);
  return error;
}

static int put_polygons(generate_job *job) {
  int contacts = stc_problem_contacts(job->written);
  if (!job->sides) return CLI_DONE;
  if (stc_problem_dim(job->written) != 3 || job->mu2 > 0)
    return cli_complain("--sides cuts circles in space: %s",
                        job->mu2 > 0 ? "leave --mu2 out" : "this kind is plane");
  CLI_TRY(make_polygon(job, &job->section));
  stc_law *law = calloc((size_t)contacts + 1, sizeof *law);
  if (!law) return cli_complain("out of memory for %d laws", contacts);
  for (int c = 0; c < contacts; c++) {
    double mu = stc_problem_law(job->written, c)->mu[0];
    law[c] = stc_law_section(job->section);
    law[c].mu[0] = law[c].mu[1] = mu;
  }
  stc_error error = replace_laws(job, law);
  free(law);
  return cli_check(error);
}

static int run_generate(void *user) {
  generate_job *job = user;
  const cli_args *args = &job->args;
  char text[CLI_SIZES_ROOM];
  if (!cli_known("kind", args->word[0], stc_generator_name)) return CLI_WRONG;
  if (!job->output) return cli_misuse(args, "generate needs -o OUT, the file to write");
  CLI_TRY(cli_check_format(job->output, ".hdf5"));
  stc_generator generator = generator_of(job);
  CLI_TRY(cli_check(stc_generate(&generator, &job->made)));
  // What the file holds, and what is reported: FCLIB has no bodies.
  CLI_TRY(cli_check(job->local ? stc_problem_to_local(job->made, &job->written)
                               : stc_problem_to_global(job->made, &job->written)));
  stc_problem_free(&job->made);
  CLI_TRY(put_polygons(job));
  const stc_problem *problem = job->written;
  CLI_TRY(cli_write(problem, &(stc_solution){0}, NULL, 0, job->output));
  if (args->json) write_made(&generator, problem, job->output);
  if (!args->json && !args->quiet)
    printf("%s: %s, %s\n", job->output, generator.kind, cli_sizes(problem, text));
  return CLI_DONE;
}

static void end_generate(void *user) {
  generate_job *job = user;
  stc_problem_free(&job->made);
  stc_problem_free(&job->written);
  stc_cone_section_free(&job->section);
}

COMMAND(generate, "KIND -o OUT", 1, 1, "make a problem of any size and write it",
        "Makes a problem of the given kind and writes it to OUT. Sizes and coefficients\n"
        "that are not given take the defaults of the kind.",
        run_generate, begin_generate, end_generate, OPTIONS(options), .print_more = print_kinds);
