// stiction certify: proves that a problem has a solution or none, and checks such proofs.
#include <errno.h>
#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "certify/certificate_check.h"
#include "cli.h"

// One certificate and what was asked of it.
typedef struct certify_job {
  cli_args args;
  const char *output, *check;
  double time_limit;
  int max_nodes;
  bool cheap, all;
  stc_certificate *certificate;
  double seconds;
} certify_job;

// ---- progress

static const double LINE_INTERVAL = 0.1;  // s between progress lines: readable and cheap

typedef struct watcher {
  bool line;
  double last;
} watcher;

static bool on_node(void *user, const stc_certify_progress *progress) {
  watcher *w = user;
  char line[100];
  if (w->line && progress->seconds - w->last >= LINE_INTERVAL) {
    w->last = progress->seconds;
    snprintf(line, sizeof line, "%s: %ld node%s, %.1f s", progress->stage, progress->nodes,
             progress->nodes == 1 ? "" : "s", progress->seconds);
    cli_progress(line);
  }
  return !cli_interrupted();
}

// Up to this number of contacts all solutions are searched for by default: that takes seconds.
enum { ALL_CONTACTS = 20 };

static int find_proof(certify_job *job) {
  watcher watch = {.line = !job->args.quiet && cli_has_progress()};
  stc_certify_settings settings = stc_default_certify_settings();
  if (!isnan(job->time_limit)) settings.time_limit = job->time_limit;
  settings.time_limit = cli_seconds_left(settings.time_limit);
  if (job->max_nodes >= 0) settings.max_nodes = job->max_nodes;
  settings.cheap = job->cheap;
  settings.all = job->all || stc_problem_contacts(job->args.file.problem) <= ALL_CONTACTS;
  settings.r = job->args.file.solution.r;
  settings.progress = on_node;
  settings.user = &watch;
  cli_catch_interrupts(job->args.quiet ? NULL : "stopping with what is proved so far");
  double start = cli_seconds();
  stc_error error = stc_certify(job->args.file.problem, &settings, &job->certificate);
  job->seconds = cli_seconds() - start;
  cli_progress_clear();
  return cli_check(error);
}

// ---- text

static const char *verdict_words(stc_verdict verdict) {
  static const char *const words[] = {[STC_VERDICT_EXISTS] = "a solution exists",
                                      [STC_VERDICT_NO_SOLUTION] = "there is no solution",
                                      [STC_VERDICT_UNDECIDED] = "undecided"};
  return words[verdict];
}

// Numbers of one vector; what is rounding only beside the largest is zero.
static void print_vector(const char *name, const double *x, int count) {
  double largest = 0.0;
  for (int k = 0; k < count; k++) largest = fmax(largest, fabs(x[k]));
  printf("%s = (", name);
  for (int k = 0; k < count; k++)
    printf("%s%.6g", k ? ", " : "", fabs(x[k]) <= 1e-14 * largest ? 0.0 : x[k]);
  printf(")");
}

static void print_set(const stc_problem *problem, const stc_solution_set *set, int k) {
  printf("  %-13d ", k);
  if (set->dimension == 0) {
    printf("isolated");
  } else {
    printf("%d-dimensional in r, %d-dimensional in u, %s", set->dimension, set->velocity_dimension,
           set->bounded ? "bounded" : "unbounded");
  }
  int size = stc_problem_size(problem);
  if (size <= 6) {  // what fits a line
    print_vector("; u", set->u, size);
    print_vector(", r", set->r, size);
  }
  putchar('\n');
}

static void print_solutions(const certify_job *job) {
  const int most = 20;
  bool plane = stc_problem_dim(job->args.file.problem) == 2;
  int sets = stc_certificate_sets(job->certificate);
  stc_solution_set set;
  if (stc_certificate_verdict(job->certificate) != STC_VERDICT_EXISTS) return;
  if (sets == 0) return;
  printf("solutions       %d%s\n", sets,
         !stc_certificate_complete(job->certificate) ? " found, maybe more"
         : plane                                     ? ", and no others"
                                                     : ", and no others but perhaps beside these");
  for (int k = 0; k < sets && k < most; k++)
    if (stc_certificate_set(job->certificate, k, &set)) print_set(job->args.file.problem, &set, k);
  if (sets > most) printf("  ...           %d more\n", sets - most);
}

static const cli_line proof_lines[] = {{"file", "{file}"},
                                       {"problem", "{sizes}"},
                                       {"verdict", "{shown}"},
                                       {"proof", "{proof_more}"},
                                       {"reason", "{reason}"}};
static const cli_line end_lines[] = {
    CLI_BOUNDS_LINE, {"time", "{seconds|%.3f} s"}, {"written", "{output}, checked"}};

// ---- JSON

static void write_solutions(cli_json *json, const certify_job *job) {
  int sets = stc_certificate_sets(job->certificate);
  stc_solution_set set;
  cli_json_open(json, "solutions", '[');
  for (int k = 0; k < sets; k++)
    if (stc_certificate_set(job->certificate, k, &set)) cli_json_int(json, NULL, set.dimension);
  cli_json_close(json, ']');
  cli_json_bool(json, "complete", stc_certificate_complete(job->certificate));
  cli_json_open(json, "solution_sets", '[');
  for (int k = 0; k < sets; k++)
    if (stc_certificate_set(job->certificate, k, &set)) {
      int size = stc_problem_size(job->args.file.problem);
      cli_json_open(json, NULL, '{');
      cli_json_int(json, "dimension", set.dimension);
      cli_json_int(json, "velocity_dimension", set.velocity_dimension);
      cli_json_bool(json, "bounded", set.bounded);
      cli_json_reals(json, "r", set.r, size);
      cli_json_reals(json, "u", set.u, size);
      cli_json_close(json, '}');
    }
  cli_json_close(json, ']');
}

static void write_jamming(cli_json *json, const certify_job *job) {
  const double *rho = stc_certificate_jamming(job->certificate);
  int dim = stc_problem_dim(job->args.file.problem);
  if (!rho) {
    cli_json_text(json, "jamming", NULL);
    return;
  }
  cli_json_open(json, "jamming", '[');
  for (int c = 0; c < stc_problem_contacts(job->args.file.problem); c++)
    if (rho[dim * c] != 0.0) cli_json_int(json, NULL, c);
  cli_json_close(json, ']');
}

// "mode_tree, margin 0.1, 12 nodes"
static void note_proof(cli_json *json, const stc_certificate *certificate) {
  const char *proof = stc_proof_name(stc_certificate_proof(certificate));
  double margin = stc_certificate_margin(certificate);
  long nodes = stc_certificate_nodes(certificate);
  char more[2][60] = {"", ""};
  if (!isnan(margin)) snprintf(more[0], 60, ", margin %.6g", margin);
  if (nodes > 0) snprintf(more[1], 60, ", %ld node%s", nodes, nodes == 1 ? "" : "s");
  cli_json_note(json, "proof_more", "%s%s%s", proof ? proof : "none", more[0], more[1]);
}

static void show_proof(const certify_job *job) {
  const stc_certificate *certificate = job->certificate;
  stc_verdict verdict = stc_certificate_verdict(certificate);
  stc_bounds bounds;
  bool bounded = stc_certificate_bounds(certificate, &bounds);
  cli_json json = cli_json_begin(job->args.json ? stdout : NULL);
  cli_json_text(&json, "file", job->args.file.path);
  cli_write_sizes(&json, job->args.file.problem);
  cli_json_text(&json, "verdict", stc_verdict_name(verdict));
  cli_json_text(&json, "proof", stc_proof_name(stc_certificate_proof(certificate)));
  cli_json_real(&json, "margin", stc_certificate_margin(certificate));
  cli_json_int(&json, "nodes", stc_certificate_nodes(certificate));
  write_solutions(&json, job);
  cli_json_text(&json, "reason", stc_certificate_reason(certificate));
  write_jamming(&json, job);
  cli_write_bounds(&json, bounded ? &bounds : NULL);
  cli_json_real(&json, "seconds", job->seconds);
  cli_json_text(&json, "output", job->output);
  cli_write_shown(&json, verdict == STC_VERDICT_EXISTS, verdict_words(verdict));
  note_proof(&json, certificate);
  cli_json_end(&json);
  if (job->args.json || job->args.quiet) return;
  cli_print_lines(&json, proof_lines, CLI_COUNT(proof_lines));
  print_solutions(job);
  cli_print_lines(&json, end_lines, CLI_COUNT(end_lines));
}

// ---- checking

// Whether a text may be a proof: an object, behind blanks and the mark of some editors.
static bool begins_object(FILE *in) {
  char front[1 << 12], *text = front;
  front[fread(front, 1, sizeof front - 1, in)] = 0;
  rewind(in);
  if (!strncmp(text, "\xef\xbb\xbf", 3)) text += 3;
  return text[strspn(text, " \t\r\n")] == '{';
}

// All of a regular file; NULL and a complaint if it cannot be read, or is not a proof by its first
// letter. A pipe would be waited for.
static char *read_proof(const char *path, size_t *size) {
  enum { MOST = 1 << 30 };  // bytes: a file without end is not a certificate
  struct stat status;
  bool special = stat(path, &status) == 0 && !S_ISREG(status.st_mode);
  if (special) errno = S_ISDIR(status.st_mode) ? EISDIR : EINVAL;
  FILE *in = special ? NULL : fopen(path, "rb");
  char *text = NULL;
  if (!in)
    cli_complain("%s: cannot %s: %s", path, special ? "be read" : "open",
                 errno == EINVAL ? "not a regular file" : strerror(errno));
  else if (!begins_object(in))
    cli_complain("%s: not a proof: this is not JSON", path);
  else if (!(text = cli_read_text(in, MOST, size)))
    cli_complain("%s: cannot be read: %s", path,
                 errno == EFBIG ? "it is larger than 1 GB" : strerror(errno));
  if (in) fclose(in);
  return text;
}

static int check_file(const certify_job *job, const char *path, check_result *result) {
  size_t size;
  char *text = read_proof(path, &size);
  if (!text) return CLI_WRONG;
  size_t mark = strncmp(text, "\xef\xbb\xbf", 3) ? 0 : 3;
  *result = check_certificate(job->args.file.problem, text + mark, size - mark);
  free(text);
  if (result->undecided) return CLI_UNDECIDED;
  return result->valid ? CLI_DONE : CLI_WRONG;
}

static void write_check(const certify_job *job, const check_result *result) {
  cli_json json = cli_json_begin(stdout);
  cli_json_text(&json, "file", job->args.file.path);
  cli_json_text(&json, "certificate", job->check);
  cli_json_bool(&json, "valid", result->valid);
  cli_json_text(&json, "verdict", result->verdict);
  cli_json_text(&json, "proof", result->valid ? result->proof : NULL);
  cli_json_text(&json, "premise", *result->premise ? result->premise : NULL);
  cli_json_text(&json, "reason", *result->why ? result->why : NULL);
  cli_json_end(&json);
}

static int check_proof(const certify_job *job) {
  check_result result = {.valid = false};
  int status = check_file(job, job->check, &result);
  if (status == CLI_WRONG)
    return *result.why ? cli_complain("%s: not a proof: %s", job->check, result.why) : status;
  if (job->args.json) write_check(job, &result);
  if (!job->args.json && !job->args.quiet) {
    printf("certificate     %s\nfile            %s\n", job->check, job->args.file.path);
    printf("verdict         %s%s%s\n", result.verdict, result.valid ? " by " : "",
           result.valid ? result.proof : "");
    printf("check           %s\n", result.valid ? "valid, in exact arithmetic" : result.why);
    if (*result.premise) printf("premise         %s\n", result.premise);
  }
  return status;
}

// ---- the verb

// What was written is read back and checked: a proof that cannot be checked is not reported.
static int save_proof(certify_job *job) {
  check_result result = {.valid = false};
  CLI_TRY(cli_check(stc_certificate_write(job->certificate, job->output)));
  int status = check_file(job, job->output, &result);
  if (status != CLI_WRONG) return CLI_DONE;
  return *result.why ? cli_complain("%s: does not pass its check: %s", job->output, result.why)
                     : status;
}

#define JOB certify_job
static const cli_option options[] = {
    OPTION_TEXT('o', "output", "OUT", "write the certificate as JSON, then check it", output),
    OPTION_TEXT(0, "check", "CERT", "check this certificate, look for nothing", check),
    OPTION_REAL(0, "time-limit", "S", "most seconds (60)", time_limit, 0, 1e9),
    OPTION_INT(0, "max-nodes", "N", "most nodes of a search (200000)", max_nodes, 0, INT_MAX),
    OPTION_FLAG(0, "cheap", "the criterion and kinematics only, no search", cheap),
    OPTION_FLAG(0, "all", "all solutions, also with more than 20 contacts", all)};

static void begin_certify(void *user) {
  certify_job *job = user;
  job->time_limit = NAN;
  job->max_nodes = -1;
}

static int run_certify(void *user) {
  certify_job *job = user;
  const cli_args *args = &job->args;
  static const int exits[] = {[STC_VERDICT_EXISTS] = CLI_DONE,
                              [STC_VERDICT_NO_SOLUTION] = CLI_NO_SOLUTION,
                              [STC_VERDICT_UNDECIDED] = CLI_UNDECIDED};
  if (job->check && job->output)
    return cli_misuse(args, "options --check and -o exclude each other");
  if (job->cheap && job->all)
    return cli_misuse(args, "options --cheap and --all exclude each other");
  if (job->output) CLI_TRY(cli_check_format(job->output, ".json"));
  cli_alarm(job->time_limit, CLI_UNDECIDED, "the time limit was reached while the file was read");
  int status = cli_file_open(args->word[0], args->quiet, &job->args.file);
  cli_alarm_off();
  CLI_TRY(status);
  if (job->check) return check_proof(job);
  CLI_TRY(find_proof(job));
  if (job->output) CLI_TRY(save_proof(job));
  show_proof(job);
  return exits[stc_certificate_verdict(job->certificate)];
}

static void end_certify(void *user) { stc_certificate_free(&((certify_job *)user)->certificate); }

COMMAND(certify, "FILE", 1, 1, "prove that a solution exists, or that there is none",
        "Looks for a proof that the problem in FILE has a solution, or for one that it has none;\n"
        "in 2D for all its solutions. With --check, checks a certificate written earlier with -o,\n"
        "in exact arithmetic. Exit status 0 if a solution exists (or the certificate is valid), 3\n"
        "if there is none, 4 if undecided, 1 if the certificate is not valid.",
        run_certify, begin_certify, end_certify, OPTIONS(options));
