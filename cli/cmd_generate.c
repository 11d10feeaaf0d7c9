// stiction generate: makes a problem of any size from a seed and writes it as an FCLIB file.
#include <limits.h>
#include <math.h>
#include <string.h>

#include "cli.h"

// What was asked for: NAN or -1 where the kind's own default stands.
typedef struct generate_wish {
  int n, n2;
  double mu, mu2, step, disorder, param;
  long seed;
  bool local;
  const char *output;
} generate_wish;

static void print_kinds(void) {
  printf("\nKinds:\n");
  for (int k = 0; stc_generator_name(k); k++) {
    printf("  %-10s %s\n", stc_generator_name(k), stc_generator_summary(k));
  }
}

static stc_generator gallery_of(const char *kind, const generate_wish *wish) {
  stc_generator gallery = stc_default_generator(kind);
  if (wish->n >= 0) gallery.n = wish->n;
  if (wish->n2 >= 0) gallery.n2 = wish->n2;
  if (!isnan(wish->mu)) gallery.mu = wish->mu;
  if (!isnan(wish->mu2)) gallery.mu2 = wish->mu2;
  if (!isnan(wish->step)) gallery.step = wish->step;
  if (!isnan(wish->disorder)) gallery.disorder = wish->disorder;
  if (!isnan(wish->param)) gallery.param = wish->param;
  if (wish->seed >= 0) gallery.seed = (unsigned long)wish->seed;
  return gallery;
}

static stc_error make(const stc_generator *gallery, bool local, stc_problem **problem) {
  stc_problem *made = NULL;
  stc_error error = stc_generate(gallery, &made);
  if (error || !local) {
    *problem = made;
    return error;
  }
  error = stc_problem_to_local(made, problem);
  stc_problem_free(&made);
  return error;
}

static void write_made(const stc_generator *gallery, const stc_problem *problem, const char *path) {
  cli_json json = cli_json_begin(stdout);
  cli_json_text(&json, "output", path);
  cli_json_text(&json, "kind", gallery->kind);
  cli_json_int(&json, "n", gallery->n);
  cli_json_int(&json, "n2", gallery->n2);
  cli_json_real(&json, "mu", gallery->mu);
  cli_json_real(&json, "mu2", gallery->mu2);
  cli_json_real(&json, "step", gallery->step);
  cli_json_int(&json, "seed", (long)gallery->seed);
  cli_json_real(&json, "disorder", gallery->disorder);
  cli_json_real(&json, "param", gallery->param);
  cli_json_text(&json, "form", cli_form_name(stc_problem_form(problem)));
  cli_json_int(&json, "dimension", stc_problem_dim(problem));
  cli_json_int(&json, "contacts", stc_problem_contacts(problem));
  cli_json_int(&json, "dofs", stc_problem_dofs(problem));
  cli_json_int(&json, "equalities", stc_problem_equalities(problem));
  cli_json_end(&json);
}

static int generate(const cli_args *args, const generate_wish *wish) {
  stc_generator gallery = gallery_of(args->word[0], wish);
  stc_problem *problem = NULL;
  stc_error error = make(&gallery, wish->local, &problem);
  int status = error ? cli_complain_library(error) : CLI_DONE;
  if (!status) status = cli_write(problem, &(stc_solution){0}, NULL, 0, wish->output);
  if (!status && args->json) write_made(&gallery, problem, wish->output);
  if (!status && !args->json && !args->quiet) {
    printf("%s: %s, ", wish->output, gallery.kind);
    cli_print_sizes(problem);
  }
  stc_problem_free(&problem);
  return status;
}

static bool parse(const cli_command *command, int argc, char **argv, generate_wish *wish,
                  cli_args *args, int *status) {
  const double huge = 1e300;
  const cli_option options[] = {
      {'n', "n", "N", "size; what it counts depends on KIND", CLI_INT, &wish->n, 0, INT_MAX, NULL},
      {0, "n2", "N", "second size, for kinds that have one", CLI_INT, &wish->n2, 0, INT_MAX, NULL},
      {0, "mu", "X", "friction coefficient", CLI_REAL, &wish->mu, 0, huge, NULL},
      {0, "mu2", "X", "friction coefficient along T2 (elliptic law)", CLI_REAL, &wish->mu2, 0, huge,
       NULL},
      {0, "step", "S", "time step in seconds", CLI_REAL, &wish->step, 0, huge, NULL},
      {0, "seed", "SEED", "integer; same seed, same problem", CLI_SEED, &wish->seed, 0, 0, NULL},
      {0, "disorder", "X", "0 regular to 1 irregular", CLI_REAL, &wish->disorder, 0, 1, NULL},
      {0, "param", "X", "tilt of gravity in rad; the free number of a theory problem", CLI_REAL,
       &wish->param, -huge, huge, NULL},
      {0, "local", NULL, "write the local form (W, q)", CLI_FLAG, &wish->local, 0, 0, NULL},
      {'o', "output", "OUT", "file to write", CLI_TEXT, &wish->output, 0, 0, NULL}};
  return cli_parse(command, options, sizeof options / sizeof *options, argc, argv, args, status);
}

static int run(const cli_command *command, int argc, char **argv) {
  generate_wish wish = {.n = -1,
                        .n2 = -1,
                        .mu = NAN,
                        .mu2 = NAN,
                        .step = NAN,
                        .disorder = NAN,
                        .param = NAN,
                        .seed = -1};
  cli_args args;
  int status;
  if (!parse(command, argc, argv, &wish, &args, &status)) return status;
  if (!cli_known("kind", args.word[0], stc_generator_name)) return CLI_WRONG;
  if (!wish.output) return cli_misuse(command, "generate needs -o OUT, the file to write");
  status = cli_check_output(wish.output);
  return status ? status : generate(&args, &wish);
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
    .run = run};
