// stiction law: numbers and pictures of friction laws.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "cli.h"
#include "render/law_plot.h"

enum { MAX_POINTS = 100000 };

// What was asked for: NAN where the law's own default stands.
typedef struct law_job {
  cli_args args;
  double k, mu, mu_s, mu_k, v_c, exponent, distance, end;
  int points;
  bool pade;
  const char *plot;
} law_job;

// Which options a law takes, as letters: k, m (mu), 2 (mu-s, mu-k), v, e, d, t (end, points).
typedef struct law_verb {
  const char *name;
  const char *options;
  const char *summary;
} law_verb;

static const law_verb laws[] = {
    {"contensou", "k", "force F and moment M of a Hertz patch over k = v / (radius omega)"},
    {"coulomb", "mt", "one coefficient mu"},
    {"static-kinetic", "2vt", "mu_s up to the speed v_c, mu_k above it"},
    {"stribeck", "2vet", "mu_k + (mu_s - mu_k) exp(-(v / v_c)^exponent)"},
    {"slip-weakening", "2dt", "from mu_s to mu_k in a line over a distance of sliding"},
};
enum { LAWS = sizeof laws / sizeof *laws };

static const char *law_name(int k) { return k < LAWS ? laws[k].name : NULL; }

static const law_verb *find_law(const char *name) {
  for (int k = 0; k < LAWS; k++)
    if (!strcmp(name, laws[k].name)) return &laws[k];
  return NULL;
}

static void print_laws(void) {
  printf("\nLaws:\n");
  for (int k = 0; k < LAWS; k++) printf("  %-15s %s\n", laws[k].name, laws[k].summary);
}

// ---- Coulomb–Contensou

static void write_point(double k, bool pade) {
  double F, M;
  stc_contensou(k, &F, &M);
  cli_json json = cli_json_begin(stdout);
  cli_json_text(&json, "law", "contensou");
  cli_json_real(&json, "k", k);
  cli_json_real(&json, "F", F);
  cli_json_real(&json, "M", M);
  cli_json_real(&json, "D", stc_contensou_potential(k, 1));
  if (pade) {
    stc_contensou_pade(k, &F, &M);
    cli_json_real(&json, "pade_F", F);
    cli_json_real(&json, "pade_M", M);
  }
  cli_json_end(&json);
}

static void print_heading(bool pade) {
  printf("%10s  %18s  %18s  %20s", "k", "F", "M", "D(k, 1)");
  printf(pade ? "  %18s  %18s\n" : "\n", "Pade F", "Pade M");
}

static void print_point(double k, bool pade) {
  double F, M;
  stc_contensou(k, &F, &M);
  printf("%10g  %18.15f  %18.15g  %20.15g", k, F, M, stc_contensou_potential(k, 1));
  stc_contensou_pade(k, &F, &M);
  if (pade) printf("  %18.15f  %18.15g", F, M);
  printf("\n");
}

static const double usual[] = {0, 0.01, 0.1, 0.2, 0.3, 0.5, 0.7, 1, 1.5, 2, 3, 5, 10, 100, 1000};
enum { USUAL = sizeof usual / sizeof *usual };

static void write_usual(bool pade) {
  cli_json json = cli_json_begin(stdout);
  cli_json_text(&json, "law", "contensou");
  const char *const names[] = {"k", "F", "M", "D", "pade_F", "pade_M"};
  for (int column = 0; column < (pade ? 6 : 4); column++) {
    cli_json_open(&json, names[column], '[');
    for (int i = 0; i < USUAL; i++) {
      double k = usual[i], value[6] = {k, 0, 0, stc_contensou_potential(k, 1), 0, 0};
      stc_contensou(k, &value[1], &value[2]);
      stc_contensou_pade(k, &value[4], &value[5]);
      cli_json_real(&json, NULL, value[column]);
    }
    cli_json_close(&json, ']');
  }
  cli_json_end(&json);
}

static void show_contensou(const law_job *job) {
  const cli_args *args = &job->args;
  bool one = !isnan(job->k);
  if (args->json && one) write_point(job->k, job->pade);
  if (args->json && !one) write_usual(job->pade);
  if (args->json || args->quiet) return;
  print_heading(job->pade);
  for (int i = 0; i < (one ? 1 : USUAL); i++) print_point(one ? job->k : usual[i], job->pade);
}

static bool draw_contensou(FILE *out, const void *unused) {
  (void)unused;
  law_draw_contensou(out);
  return true;
}

// ---- coefficients

static double or_else(double value, double usual_value) {
  return isnan(value) ? usual_value : value;
}

static stc_coefficient coefficient_of(const char *law, const law_job *w) {
  double mu_s = or_else(w->mu_s, 0.6), mu_k = or_else(w->mu_k, 0.4);
  if (!strcmp(law, "static-kinetic"))
    return stc_coefficient_static_kinetic(mu_s, mu_k, or_else(w->v_c, STC_STATIC_KINETIC_V_C));
  if (!strcmp(law, "stribeck"))
    return stc_coefficient_stribeck(mu_s, mu_k, or_else(w->v_c, 0.1),
                                    or_else(w->exponent, STC_STRIBECK_EXPONENT));
  if (!strcmp(law, "slip-weakening"))
    return stc_coefficient_slip_weakening(mu_s, mu_k, or_else(w->distance, 0.01));
  return stc_coefficient_constant(or_else(w->mu, 0.5));
}

// A curve mu over speed or distance.
typedef struct law_table {
  const char *law, *over;
  stc_coefficient coefficient;
  int points;
  double end;      // of the speed, or the distance
  double *x, *mu;  // [points]
} law_table;

static void show_table(const cli_args *args, const law_table *t) {
  if (args->json) {
    cli_json json = cli_json_begin(stdout);
    cli_json_text(&json, "law", t->law);
    cli_json_reals(&json, t->over, t->x, t->points);
    cli_json_reals(&json, "mu", t->mu, t->points);
    cli_json_end(&json);
  } else if (!args->quiet) {
    printf("%14s  %18s\n", t->over, "mu");
    for (int i = 0; i < t->points; i++) printf("%14g  %18.15g\n", t->x[i], t->mu[i]);
  }
}

static bool draw_table(FILE *out, const void *user) {
  const law_table *t = user;
  law_draw(out, t->law, &t->coefficient, t->end);
  return true;
}

static int show_coefficient(const law_job *job) {
  const cli_args *args = &job->args;
  law_table t = {.law = args->word[0], .coefficient = coefficient_of(args->word[0], job)};
  stc_error error = stc_coefficient_check(&t.coefficient);
  if (error) return cli_complain_library(error);
  t.over = law_slips(&t.coefficient) ? "slip" : "speed";
  t.end = or_else(job->end, law_end(&t.coefficient));
  t.points = job->points > 0 ? job->points : 21;
  t.x = calloc((size_t)t.points, sizeof *t.x);
  t.mu = calloc((size_t)t.points, sizeof *t.mu);
  int status = t.x && t.mu ? CLI_DONE : cli_complain("out of memory for %d points", t.points);
  if (!status) law_tabulate(&t.coefficient, t.end, t.points, t.x, t.mu);
  if (!status && job->plot) status = cli_save(job->plot, draw_table, &t);
  if (!status && !(job->plot && job->points < 0 && !args->json)) show_table(args, &t);
  free(t.x);
  free(t.mu);
  return status;
}

// ---- the verb

// The first option that was given and has no meaning for the law; NULL if there is none.
static const char *stray_option(const law_verb *law, const law_job *w) {
  const struct {
    char letter;
    const char *name;
    bool given;
  } all[] = {{'k', "k", !isnan(w->k)},
             {'k', "pade", w->pade},
             {'m', "mu", !isnan(w->mu)},
             {'2', "mu-s", !isnan(w->mu_s)},
             {'2', "mu-k", !isnan(w->mu_k)},
             {'v', "v-c", !isnan(w->v_c)},
             {'e', "exponent", !isnan(w->exponent)},
             {'d', "distance", !isnan(w->distance)},
             {'t', "end", !isnan(w->end)},
             {'t', "points", w->points > 0}};
  for (size_t i = 0; i < sizeof all / sizeof *all; i++)
    if (all[i].given && !strchr(law->options, all[i].letter)) return all[i].name;
  return NULL;
}

#define JOB law_job
static const cli_option options[] = {
    OPTION_REAL('k', "k", "K", "contensou: sliding over spinning, v / (radius omega)", k, 0,
                CLI_HUGE),
    OPTION_FLAG(0, "pade", "contensou: the first-order fractions of the paper too", pade),
    OPTION_REAL(0, "mu", "X", "coulomb: the coefficient; default 0.5", mu, 0, CLI_HUGE),
    OPTION_REAL(0, "mu-s", "X", "the coefficient at rest; default 0.6", mu_s, 0, CLI_HUGE),
    OPTION_REAL(0, "mu-k", "X", "the coefficient in motion; default 0.4", mu_k, 0, CLI_HUGE),
    OPTION_REAL(0, "v-c", "V", "speed in m/s; default 0.1 (stribeck), 0 (static-kinetic)", v_c, 0,
                CLI_HUGE),
    OPTION_REAL(0, "exponent", "X", "stribeck: default 1", exponent, CLI_TINY, CLI_HUGE),
    OPTION_REAL(0, "distance", "D", "slip-weakening: in m; default 0.01", distance, CLI_TINY,
                CLI_HUGE),
    OPTION_REAL(0, "end", "X", "end of the table: speed or distance", end, CLI_TINY, CLI_HUGE),
    OPTION_INT(0, "points", "N", "rows of the table; default 21", points, 2, MAX_POINTS),
    OPTION_TEXT(0, "plot", "OUT", "draw the curves as an SVG picture", plot)};

static int show_law(const law_job *job) {
  const cli_args *args = &job->args;
  int status = job->plot ? cli_check_picture(job->plot, ".svg") : CLI_DONE;
  if (status) return status;
  if (strcmp(args->word[0], "contensou") != 0) return show_coefficient(job);
  if (job->plot) status = cli_save(job->plot, draw_contensou, NULL);
  if (!status && !(job->plot && isnan(job->k) && !args->json)) show_contensou(job);
  return status;
}

static int run_law(const cli_command *command, int argc, char **argv) {
  law_job job = {.points = -1};
  int status;
  job.k = job.mu = job.mu_s = job.mu_k = job.v_c = job.exponent = job.distance = job.end = NAN;
  if (!cli_parse(command, argc, argv, &job, &status)) return status;
  const char *law = job.args.word[0];
  if (!cli_known("law", law, law_name)) return CLI_WRONG;
  const char *stray = stray_option(find_law(law), &job);
  if (stray) return cli_misuse(command, "option '--%s' has no meaning for %s", stray, law);
  return show_law(&job);
}

const cli_command cmd_law = {
    .name = "law",
    .usage = "NAME",
    .summary = "numbers and pictures of a friction law",
    .description =
        "Prints the curve of a law as a table: F and M of Coulomb-Contensou friction in units of\n"
        "mu N and mu N radius, at one k or at usual ones; mu over the speed of sliding, or over\n"
        "the distance slid, for the others. With --plot draws it; a table is then printed if it\n"
        "was asked for with --k, --points or --json.",
    .least_words = 1,
    .most_words = 1,
    .print_more = print_laws,
    OPTIONS(options),
    .run = run_law};
