// stiction law: numbers and pictures of friction laws.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "cli.h"
#include "render/plot.h"

enum { MAX_POINTS = 100000 };

// A curve mu over speed or distance.
typedef struct law_table {
  const char *law, *over;
  stc_coefficient coefficient;
  int points;
  double end;      // of the speed, or the distance
  double *x, *mu;  // [points]
} law_table;

// What was asked for: NAN where the law's own default stands.
typedef struct law_job {
  cli_args args;
  double k, mu, mu_s, mu_k, v_c, exponent, distance, end;
  int points;
  bool pade;
  const char *plot;
  const char *polygon, *superellipse;  // numbers with commas or blanks between them
  double back, forth;
  stc_cone_section *section;
  law_table table;
} law_job;

// Which options a law takes, as letters: k, m (mu), 2 (mu-s, mu-k), v, e, d, t (end, points), s
// (what gives a section).
typedef struct law_verb {
  const char *name;
  const char *options;
  const char *summary;
} law_verb;

static const law_verb laws[] = {
    // these two are the first: the others are coefficients
    {"contensou", "k", "force F and moment M of a Hertz patch over k = v / (radius omega)"},
    {"section", "s", "any convex cone: reaction and power for each direction of slip"},
    {"coulomb", "mt", "one coefficient mu"},
    {"static-kinetic", "2vt", "mu_s up to the speed v_c, mu_k above it"},
    {"stribeck", "2vet", "mu_k + (mu_s - mu_k) exp(-(v / v_c)^exponent)"},
    {"slip-weakening", "2dt", "from mu_s to mu_k in a line over a distance of sliding"},
};
enum { CONTENSOU, SECTION, LAWS = sizeof laws / sizeof *laws };

static const char *law_name(int k) { return k < LAWS ? laws[k].name : NULL; }

static void print_laws(void) {
  printf("\nLaws:\n");
  for (int k = 0; k < LAWS; k++) printf("  %-15s %s\n", laws[k].name, laws[k].summary);
}

// ---- Coulomb–Contensou

static const double usual[] = {0, 0.01, 0.1, 0.2, 0.3, 0.5, 0.7, 1, 1.5, 2, 3, 5, 10, 100, 1000};
enum { USUAL = sizeof usual / sizeof *usual, COLUMNS = 6, PLAIN_COLUMNS = 4 };
static const char *const column_names[COLUMNS] = {"k", "F", "M", "D", "pade_F", "pade_M"};

static void fill_point(double k, double value[COLUMNS]) {
  value[0] = k;
  stc_contensou(k, &value[1], &value[2]);
  value[3] = stc_contensou_potential(k, 1);
  stc_contensou_pade(k, &value[4], &value[5]);
}

// One number per column, or a list of them.
static void write_contensou(const double (*row)[COLUMNS], int rows, int columns) {
  cli_json json = cli_json_begin(stdout);
  cli_json_text(&json, "law", "contensou");
  for (int c = 0; c < columns; c++) {
    if (rows > 1) cli_json_open(&json, column_names[c], '[');
    for (int i = 0; i < rows; i++)
      cli_json_real(&json, rows > 1 ? NULL : column_names[c], row[i][c]);
    if (rows > 1) cli_json_close(&json, ']');
  }
  cli_json_end(&json);
}

static void show_contensou(const law_job *job) {
  double row[USUAL][COLUMNS];
  bool one = !isnan(job->k);
  int rows = one ? 1 : USUAL;
  for (int i = 0; i < rows; i++) fill_point(one ? job->k : usual[i], row[i]);
  if (job->args.json)
    write_contensou((const double(*)[COLUMNS])row, rows, job->pade ? COLUMNS : PLAIN_COLUMNS);
  if (job->args.json || job->args.quiet) return;
  printf("%10s  %18s  %18s  %20s", "k", "F", "M", "D(k, 1)");
  printf(job->pade ? "  %18s  %18s\n" : "\n", "Pade F", "Pade M");
  for (int i = 0; i < rows; i++) {
    const double *x = row[i];
    printf("%10g  %18.15f  %18.15g  %20.15g", x[0], x[1], x[2], x[3]);
    if (job->pade) printf("  %18.15f  %18.15g", x[4], x[5]);
    putchar('\n');
  }
}

static bool draw_contensou(FILE *out, const void *unused) {
  (void)unused;
  law_draw_contensou(out);
  return true;
}

static double or_else(double value, double usual_value) {
  return isnan(value) ? usual_value : value;
}

// ---- sections

enum { DIRECTIONS = 24, SECTION_COLUMNS = 4, MOST_NUMBERS = 2000 };
static const char *const section_names[SECTION_COLUMNS] = {"degrees", "r_T1", "r_T2", "shift"};

// The numbers of an option; -1: it holds something else, or too many of them.
static int read_numbers(const char *text, double *x) {
  int count = 0;
  while (*(text += strspn(text, " ,;\t")) != 0) {
    char *end;
    if (count == MOST_NUMBERS) return -1;
    x[count++] = strtod(text, &end);
    if (end == text) return -1;
    text = end;
  }
  return count;
}

// The scales of the documentation where nothing is given.
static const char usual_polygon[] = "0.6,0 0,0.4 -0.2,0 0,-0.4";

static int make_section(law_job *job) {
  double x[MOST_NUMBERS] = {0.0};
  bool interval = !isnan(job->back) || !isnan(job->forth);
  if ((job->polygon != NULL) + (job->superellipse != NULL) + interval > 1)
    return cli_misuse(&job->args, "give --polygon, --superellipse, or --back and --forth");
  if (interval)
    return cli_check(
        stc_cone_section_interval(or_else(job->back, 0), or_else(job->forth, 0), &job->section));
  if (job->superellipse) {
    int given = read_numbers(job->superellipse, x);
    if (given < 3 || given > 6)
      return cli_misuse(&job->args, "--superellipse takes A,B,EXPONENT[,ANGLE[,X,Y]]");
    const stc_superellipse shape = {x[0], x[1], x[2], x[3], {x[4], x[5]}};
    return cli_check(stc_cone_section_superellipse(&shape, &job->section));
  }
  int given = read_numbers(job->polygon ? job->polygon : usual_polygon, x);
  if (given < 6 || given % 2)
    return cli_misuse(&job->args, "--polygon takes three corners and more, 'X,Y X,Y X,Y'");
  return cli_check(stc_cone_section_polygon(given / 2, x, &job->section));
}

// u_T of length 1 at these degrees, its reaction over r_N, the power over r_N.
static void fill_slip(const stc_cone_section *section, int k, double value[SECTION_COLUMNS]) {
  bool plane = stc_cone_section_dim(section) == 2;
  value[0] = plane ? 180.0 * k : 360.0 * k / DIRECTIONS;
  double angle = value[0] * acos(-1.0) / 180.0, d[2] = {-cos(angle), plane ? 0.0 : -sin(angle)};
  value[3] = stc_cone_section_reach(section, d, value + 1);
}

static void show_section(const law_job *job) {
  double row[DIRECTIONS][SECTION_COLUMNS];
  int rows = stc_cone_section_dim(job->section) == 2 ? 2 : DIRECTIONS;
  for (int k = 0; k < rows; k++) fill_slip(job->section, k, row[k]);
  if (job->args.json) {
    cli_json json = cli_json_begin(stdout);
    cli_json_text(&json, "law", "section");
    for (int c = 0; c < SECTION_COLUMNS; c++) {
      cli_json_open(&json, section_names[c], '[');
      for (int k = 0; k < rows; k++) cli_json_real(&json, NULL, row[k][c]);
      cli_json_close(&json, ']');
    }
    cli_json_end(&json);
  }
  if (job->args.json || job->args.quiet) return;
  printf("%10s  %18s  %18s  %18s\n", "u_T, deg", "r_T1 / r_N", "r_T2 / r_N", "power / r_N");
  for (int k = 0; k < rows; k++)
    printf("%10g  %18.15g  %18.15g  %18.15g\n", row[k][0], row[k][1], row[k][2], row[k][3]);
}

static bool draw_section(FILE *out, const void *section) {
  section_draw(out, section);
  return true;
}

static int run_section(law_job *job) {
  CLI_TRY(make_section(job));
  if (job->plot) CLI_TRY(cli_save(job->plot, draw_section, job->section));
  if (!job->plot || job->args.json) show_section(job);
  return CLI_DONE;
}

// ---- coefficients

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

static int show_coefficient(law_job *job) {
  const cli_args *args = &job->args;
  law_table *t = &job->table;
  *t = (law_table){.law = args->word[0], .coefficient = coefficient_of(args->word[0], job)};
  CLI_TRY(cli_check(stc_coefficient_check(&t->coefficient)));
  t->over = law_slips(&t->coefficient) ? "slip" : "speed";
  t->end = or_else(job->end, law_end(&t->coefficient));
  t->points = job->points > 0 ? job->points : 21;
  t->x = calloc((size_t)t->points, sizeof *t->x);
  t->mu = calloc((size_t)t->points, sizeof *t->mu);
  if (!t->x || !t->mu) return cli_complain("out of memory for %d points", t->points);
  law_tabulate(&t->coefficient, t->end, t->points, t->x, t->mu);
  if (job->plot) CLI_TRY(cli_save(job->plot, draw_table, t));
  if (!(job->plot && job->points < 0 && !args->json)) show_table(args, t);
  return CLI_DONE;
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
             {'t', "points", w->points > 0},
             {'s', "polygon", w->polygon != NULL},
             {'s', "superellipse", w->superellipse != NULL},
             {'s', "back", !isnan(w->back)},
             {'s', "forth", !isnan(w->forth)}};
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
    OPTION_TEXT(0, "polygon", "CORNERS", "section: 'X,Y X,Y X,Y ...'", polygon),
    OPTION_TEXT(0, "superellipse", "A,B,P", "section: half axes, exponent[, angle[, centre]]",
                superellipse),
    OPTION_REAL(0, "back", "X", "section in the plane: -back <= r_T / r_N", back, 0, CLI_HUGE),
    OPTION_REAL(0, "forth", "X", "section in the plane: r_T / r_N <= forth", forth, 0, CLI_HUGE),
    OPTION_TEXT(0, "plot", "OUT", "draw the curves as an SVG picture", plot)};

static void begin_law(void *user) {
  law_job *job = user;
  job->points = -1;
  job->k = job->mu = job->mu_s = job->mu_k = job->v_c = job->exponent = job->distance = job->end =
      job->back = job->forth = NAN;
}

static int run_law(void *user) {
  law_job *job = user;
  const cli_args *args = &job->args;
  const law_verb *law = laws;
  if (!cli_known("law", args->word[0], law_name)) return CLI_WRONG;
  while (strcmp(args->word[0], law->name) != 0) law++;
  const char *stray = stray_option(law, job);
  if (stray) return cli_misuse(args, "option '--%s' has no meaning for %s", stray, law->name);
  if (job->plot) CLI_TRY(cli_check_format(job->plot, ".svg"));
  if (law == &laws[SECTION]) return run_section(job);
  if (law != &laws[CONTENSOU]) return show_coefficient(job);
  if (job->plot) CLI_TRY(cli_save(job->plot, draw_contensou, NULL));
  if (!(job->plot && isnan(job->k) && !args->json)) show_contensou(job);
  return CLI_DONE;
}

static void end_law(void *user) {
  law_job *job = user;
  free(job->table.x);
  free(job->table.mu);
  stc_cone_section_free(&job->section);
}

COMMAND(law, "NAME", 1, 1, "numbers and pictures of a friction law",
        "Prints the curve of a law as a table: F and M of Coulomb-Contensou friction in units of\n"
        "mu N and mu N radius, at one k or at usual ones; reaction and power of each direction\n"
        "of slip for a section; mu over the speed of sliding, or over the distance slid, for the\n"
        "others. With --plot draws it; a table is then printed if it\n"
        "was asked for with --k, --points or --json.",
        run_law, begin_law, end_law, OPTIONS(options), .print_more = print_laws);
