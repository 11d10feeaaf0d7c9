// What `solve` and `verify` say about an answer: as text, as JSON, contact by contact.
#include <math.h>
#include <stdlib.h>

#include "cli.h"

bool cli_is_solved(stc_status status) {
  return status == STC_STATUS_SOLVED || status == STC_STATUS_SOLVED_TO_TOLERANCE;
}

int cli_exit_status(stc_status status) {
  if (cli_is_solved(status)) return CLI_DONE;
  return status == STC_STATUS_NO_SOLUTION ? CLI_NO_SOLUTION : CLI_NOT_CONVERGED;
}

bool cli_within(const stc_residual *residual, double tol) {
  return residual->eta <= tol && residual->fclib_error <= tol;
}

// ---- contact by contact

// What each contact does.
typedef struct contact_table {
  stc_contact_state *state;  // [contacts]
  double *term;              // [contacts] terms of eta
  double *u;                 // [size]
  const double *r;           // [size], borrowed
} contact_table;

// States are told apart with the tolerance of the report; below the default one rounding would
// decide.
static double count_tol(const cli_report *report) {
  return fmax(report->tol, stc_default_settings().tol);
}

static int make_contacts(const cli_report *report, const double *r, contact_table *contacts) {
  const stc_problem *problem = report->problem;
  size_t count = (size_t)stc_problem_contacts(problem) + 1;  // one more: never 0 bytes
  contacts->r = r;
  contacts->state = calloc(count, sizeof *contacts->state);
  contacts->term = calloc(count, sizeof(double));
  contacts->u = calloc((size_t)stc_problem_dim(problem) * count, sizeof(double));
  if (!contacts->state || !contacts->term || !contacts->u) {
    return cli_complain("out of memory for a table of %zu contacts", count - 1);
  }
  stc_solution completed = {.r = (double *)r, .u = contacts->u};
  stc_error error = stc_problem_complete(problem, &completed);
  if (!error) {
    error = stc_problem_classify(problem, r, count_tol(report), contacts->state, contacts->term);
  }
  return error ? cli_complain_library(error) : CLI_DONE;
}

static void drop_contacts(contact_table *contacts) {
  free(contacts->state);
  free(contacts->term);
  free(contacts->u);
  *contacts = (contact_table){0};
}

static double tangent_norm(const double *x, int dim) {
  return dim == 3 ? hypot(x[1], x[2]) : fabs(x[1]);
}

static void print_contacts(const cli_report *report, const contact_table *c) {
  int dim = stc_problem_dim(report->problem);
  printf("\n%8s  %-8s  %11s  %11s  %11s  %11s  %9s\n", "contact", "state", "r_N", "|r_T|", "u_N",
         "|u_T|", "eta");
  for (int i = 0; i < stc_problem_contacts(report->problem); i++) {
    const double *r = c->r + dim * i, *u = c->u + dim * i;
    printf("%8d  %-8s  %11.4e  %11.4e  %11.4e  %11.4e  %9.1e\n", i,
           stc_contact_state_name(c->state[i]), r[0], tangent_norm(r, dim), u[0],
           tangent_norm(u, dim), c->term[i]);
  }
}

static void write_contacts(cli_json *json, const cli_report *report, const contact_table *c) {
  int dim = stc_problem_dim(report->problem);
  cli_json_open(json, "per_contact", '[');
  for (int i = 0; i < stc_problem_contacts(report->problem); i++) {
    const double *r = c->r + dim * i, *u = c->u + dim * i;
    cli_json_open(json, NULL, '{');
    cli_json_int(json, "contact", i);
    cli_json_text(json, "state", stc_contact_state_name(c->state[i]));
    cli_json_real(json, "r_N", r[0]);
    cli_json_real(json, "r_T", tangent_norm(r, dim));
    cli_json_real(json, "u_N", u[0]);
    cli_json_real(json, "u_T", tangent_norm(u, dim));
    cli_json_real(json, "eta", c->term[i]);
    cli_json_close(json, '}');
  }
  cli_json_close(json, ']');
}

// ---- text

const char *cli_s(int count) { return count == 1 ? "" : "s"; }

void cli_print_sizes(const stc_problem *problem) {
  int contacts = stc_problem_contacts(problem);
  int dofs = stc_problem_dofs(problem);
  int joints = stc_problem_equalities(problem);
  printf("%dD, %s form, %d contact%s", stc_problem_dim(problem),
         cli_form_name(stc_problem_form(problem)), contacts, cli_s(contacts));
  if (dofs > 0) printf(", %d degree%s of freedom", dofs, cli_s(dofs));
  if (joints > 0) printf(", %d joint equation%s", joints, cli_s(joints));
  putchar('\n');
}

static void print_outcome(const cli_report *report) {
  bool solved = cli_is_solved(report->status);
  bool stored = !report->start;
  const char *word = !solved && stored ? "not solved" : stc_status_name(report->status);
  printf("status          %s%s%s\n", cli_color(solved ? CLI_GOOD : CLI_BAD), word,
         cli_color(CLI_PLAIN));
  if (stored) return;
  printf("method          %s; %ld iteration%s, %s start\n", report->method, report->iterations,
         report->iterations == 1 ? "" : "s", report->start);
  if (report->reason && *report->reason) printf("reason          %s\n", report->reason);
}

// Which of these holds: solved and proved to exist, missed, proved to have none, unknown.
static void print_existence(const cli_report *report) {
  const cli_existence *existence = report->existence;
  bool solved = cli_is_solved(report->status);
  if (!existence) return;
  printf("existence       %s", cli_existence_name(existence->verdict));
  if (existence->verdict == STC_VERDICT_EXISTS && !solved) printf(", but no solution was found");
  if (existence->verdict == STC_VERDICT_UNDECIDED && !solved)
    printf(": neither a solution nor a proof that there is none was found");
  if (report->status == STC_STATUS_SOLVED_TO_TOLERANCE)
    printf(": the residual is within the tolerance, and no exact solution exists");
  if (existence->proof) printf(" (%s)", existence->proof);
  printf("\n                %s\n", existence->reason);
  if (existence->outside)
    printf("                The answer breaks a bound of every solution: it is near none.\n");
}

// Friction takes energy: r . u <= 0 up to the tolerance, relative to |r| |q|.
static const char *dissipation_sign(const cli_report *report) {
  const stc_residual *e = &report->residual;
  double small = report->tol * e->norm_r * e->norm_q;
  if (fabs(e->dissipation) <= small) return "0 within the tolerance";
  return e->dissipation < 0 ? "friction takes energy" : "energy is created";
}

static void print_residual(const cli_report *report) {
  const stc_residual *e = &report->residual;
  printf("eta             %.3e (tolerance %g)\n", e->eta, report->tol);
  printf("fclib error     %.3e\n", e->fclib_error);
  if (e->worst_contact >= 0) {
    printf("worst contact   %d, eta_max %.3e\n", e->worst_contact, e->eta_max);
  }
  printf("contacts        %d open, %d stick, %d slip, %d violated\n", e->open, e->stick, e->slip,
         e->violated);
  printf("penetration     %.3e m/s\n", e->interpenetration);
  printf("dissipation     %.3e J: %s\n", e->dissipation, dissipation_sign(report));
  if (stc_problem_form(report->problem) == STC_FORM_GLOBAL && !isnan(e->dynamics)) {
    printf("dynamics        %.3e\n", e->dynamics);
  }
  if (stc_problem_equalities(report->problem) > 0 && !isnan(e->equality))
    printf("joints          %.3e\n", e->equality);
  if (e->kinematics > report->tol) {
    printf("velocities      those given are %.3e off what r implies\n", e->kinematics);
  }
}

static void print_time(const cli_report *report) {
  if (report->start) {
    printf("time            %.3g s setup, %.3g s solve%s\n", report->setup_seconds,
           report->solve_seconds, report->calls > 1 ? ", fastest of several" : "");
  } else {
    printf("time            %.3f s to judge\n", report->solve_seconds);
  }
}

static void print_report(const cli_report *report, const contact_table *contacts) {
  printf("file            %s\n", report->file);
  if (report->solution_file) printf("solution of     %s\n", report->solution_file);
  printf("problem         ");
  cli_print_sizes(report->problem);
  print_outcome(report);
  print_existence(report);
  print_residual(report);
  print_time(report);
  if (report->output) printf("written         %s\n", report->output);
  if (contacts) print_contacts(report, contacts);
}

void cli_print_bounds(const stc_bounds *bounds) {
  printf(
      "bounds          every solution: r_N sum to at most %.6g N s, v in a ball of diameter %.6g\n",
      bounds->reaction_sum, bounds->diameter);
}

// ---- JSON

void cli_write_bounds(cli_json *json, const stc_bounds *bounds) {
  if (!bounds) {
    cli_json_text(json, "bounds", NULL);
    return;
  }
  cli_json_open(json, "bounds", '{');
  cli_json_real(json, "margin", bounds->margin);
  cli_json_real(json, "diameter", bounds->diameter);
  cli_json_real(json, "reaction_sum", bounds->reaction_sum);
  cli_json_close(json, '}');
}

static void write_residual(cli_json *json, const stc_residual *e) {
  cli_json_real(json, "eta", e->eta);
  cli_json_real(json, "eta_max", e->eta_max);
  cli_json_real(json, "fclib_error", e->fclib_error);
  cli_json_int(json, "worst_contact", e->worst_contact);
  cli_json_int(json, "open", e->open);
  cli_json_int(json, "stick", e->stick);
  cli_json_int(json, "slip", e->slip);
  cli_json_int(json, "violated", e->violated);
  cli_json_real(json, "interpenetration", e->interpenetration);
  cli_json_real(json, "cone_violation", e->cone_violation);
  cli_json_real(json, "dissipation", e->dissipation);
  cli_json_real(json, "dynamics", e->dynamics);
  cli_json_real(json, "equality", e->equality);
  cli_json_real(json, "kinematics", e->kinematics);
  cli_json_real(json, "norm_r", e->norm_r);
  cli_json_real(json, "norm_q", e->norm_q);
}

static void write_report(const cli_report *report, const contact_table *contacts) {
  const stc_problem *problem = report->problem;
  cli_json json = cli_json_begin(stdout);
  cli_json_text(&json, "file", report->file);
  if (report->solution_file) cli_json_text(&json, "solution_file", report->solution_file);
  cli_json_int(&json, "dimension", stc_problem_dim(problem));
  cli_json_text(&json, "form", cli_form_name(stc_problem_form(problem)));
  cli_json_int(&json, "contacts", stc_problem_contacts(problem));
  cli_json_int(&json, "dofs", stc_problem_dofs(problem));
  cli_json_int(&json, "equalities", stc_problem_equalities(problem));
  cli_json_text(&json, "status", stc_status_name(report->status));
  cli_json_bool(&json, "solved", cli_is_solved(report->status));
  cli_json_text(&json, "method", report->method);
  cli_json_text(&json, "reason", report->reason);
  cli_json_text(&json, "existence",
                report->existence ? cli_existence_name(report->existence->verdict) : NULL);
  const cli_existence *existence = report->existence;
  if (existence && existence->verdict != STC_VERDICT_UNDECIDED)
    cli_json_bool(&json, "exact_solution", existence->verdict == STC_VERDICT_EXISTS);
  else
    cli_json_text(&json, "exact_solution", NULL);
  if (existence && existence->bounded)
    cli_json_bool(&json, "within_bounds", !existence->outside);
  else
    cli_json_text(&json, "within_bounds", NULL);
  cli_json_text(&json, "existence_reason", report->existence ? report->existence->reason : NULL);
  cli_json_text(&json, "start", report->start);
  cli_json_int(&json, "iterations", report->iterations);
  cli_json_real(&json, "tol", report->tol);
  write_residual(&json, &report->residual);
  cli_json_int(&json, "calls", report->calls);
  cli_json_real(&json, "setup_seconds", report->setup_seconds);
  cli_json_real(&json, "solve_seconds", report->solve_seconds);
  cli_json_text(&json, "output", report->output);
  cli_write_remarks(&json, report->stored);
  if (contacts) write_contacts(&json, report, contacts);
  cli_json_end(&json);
}

// The counts of the judge hold for the default tolerance; a larger one needs its own.
static void recount(cli_report *report, const stc_contact_state *state) {
  int count[STC_CONTACT_VIOLATED + 1] = {0};
  for (int c = 0; c < stc_problem_contacts(report->problem); c++) count[state[c]]++;
  report->residual.open = count[STC_CONTACT_OPEN];
  report->residual.stick = count[STC_CONTACT_STICK];
  report->residual.slip = count[STC_CONTACT_SLIP];
  report->residual.violated = count[STC_CONTACT_VIOLATED];
}

int cli_report_show(const cli_args *args, cli_report *report, const double *r, bool table) {
  contact_table contacts = {0};
  bool default_tol = report->tol <= stc_default_settings().tol;
  int status = CLI_DONE;
  if (table || !default_tol) status = make_contacts(report, r, &contacts);
  if (!status && !default_tol) recount(report, contacts.state);
  if (!status && args->json) write_report(report, table ? &contacts : NULL);
  if (!status && !args->json && !args->quiet) print_report(report, table ? &contacts : NULL);
  drop_contacts(&contacts);
  return status;
}
