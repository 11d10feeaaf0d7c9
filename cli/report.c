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

static int make_contacts(const cli_report *report, const double *r, contact_table *contacts) {
  const stc_problem *problem = report->stored->problem;
  size_t count = (size_t)stc_problem_contacts(problem) + 1;  // one more: never 0 bytes
  contacts->r = r;
  contacts->state = calloc(count, sizeof *contacts->state);
  contacts->term = calloc(count, sizeof(double));
  contacts->u = calloc((size_t)stc_problem_dim(problem) * count, sizeof(double));
  if (!contacts->state || !contacts->term || !contacts->u)
    return cli_complain("out of memory for a table of %zu contacts", count - 1);
  stc_solution completed = {.r = (double *)r, .u = contacts->u};
  CLI_TRY(cli_check(stc_problem_complete(problem, &completed)));
  // Below the default tolerance rounding would tell the states apart.
  double tol = fmax(report->tol, stc_default_settings().tol);
  return cli_check(stc_problem_classify(problem, r, tol, contacts->state, contacts->term));
}

static double tangent_norm(const double *x, int dim) {
  return dim == 3 ? hypot(x[1], x[2]) : fabs(x[1]);
}

static void print_contacts(const cli_report *report, const contact_table *c) {
  int dim = stc_problem_dim(report->stored->problem);
  printf("\n%8s  %-8s  %11s  %11s  %11s  %11s  %9s\n", "contact", "state", "r_N", "|r_T|", "u_N",
         "|u_T|", "eta");
  for (int i = 0; i < stc_problem_contacts(report->stored->problem); i++) {
    const double *r = c->r + dim * i, *u = c->u + dim * i;
    printf("%8d  %-8s  %11.4e  %11.4e  %11.4e  %11.4e  %9.1e\n", i,
           stc_contact_state_name(c->state[i]), r[0], tangent_norm(r, dim), u[0],
           tangent_norm(u, dim), c->term[i]);
  }
}

static void write_contacts(cli_json *json, const cli_report *report, const contact_table *c) {
  int dim = stc_problem_dim(report->stored->problem);
  cli_json_open(json, "per_contact", '[');
  for (int i = 0; i < stc_problem_contacts(report->stored->problem); i++) {
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

const char *cli_sizes(const stc_problem *problem, char text[CLI_SIZES_ROOM]) {
  int contacts = stc_problem_contacts(problem);
  int dofs = stc_problem_dofs(problem);
  int joints = stc_problem_equalities(problem);
  char more[2][60] = {"", ""};
  if (dofs > 0) snprintf(more[0], 60, ", %d degree%s of freedom", dofs, cli_s(dofs));
  if (joints > 0) snprintf(more[1], 60, ", %d joint equation%s", joints, cli_s(joints));
  snprintf(text, CLI_SIZES_ROOM, "%dD, %s form, %d contact%s%s%s", stc_problem_dim(problem),
           stc_form_name(stc_problem_form(problem)), contacts, cli_s(contacts), more[0], more[1]);
  return text;
}

void cli_write_sizes(cli_json *json, const stc_problem *problem) {
  char text[CLI_SIZES_ROOM];
  cli_json_int(json, "dimension", stc_problem_dim(problem));
  cli_json_text(json, "form", stc_form_name(stc_problem_form(problem)));
  cli_json_int(json, "contacts", stc_problem_contacts(problem));
  cli_json_int(json, "dofs", stc_problem_dofs(problem));
  cli_json_int(json, "equalities", stc_problem_equalities(problem));
  cli_json_note(json, "sizes", "%s", cli_sizes(problem, text));
}

void cli_write_shown(cli_json *json, bool good, const char *status) {
  cli_json_note(json, "shown", "%s%s%s", cli_color(good ? CLI_GOOD : CLI_BAD), status,
                cli_color(CLI_PLAIN));
}

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

// ---- the report

#define RESIDUAL(kind, field) CLI_FIELD(stc_residual, kind, field)
static const cli_field residual_fields[] = {RESIDUAL(REAL, eta),
                                            RESIDUAL(REAL, eta_max),
                                            RESIDUAL(REAL, fclib_error),
                                            RESIDUAL(INT, worst_contact),
                                            RESIDUAL(INT, open),
                                            RESIDUAL(INT, stick),
                                            RESIDUAL(INT, slip),
                                            RESIDUAL(INT, violated),
                                            RESIDUAL(REAL, interpenetration),
                                            RESIDUAL(REAL, cone_violation),
                                            RESIDUAL(REAL, dissipation),
                                            RESIDUAL(REAL, dynamics),
                                            RESIDUAL(REAL, equality),
                                            RESIDUAL(REAL, kinematics),
                                            RESIDUAL(REAL, norm_r),
                                            RESIDUAL(REAL, norm_q)};

static const cli_line report_lines[] = {
    {"file", "{file}"},
    {"solution of", "{solution_file}"},
    {"problem", "{sizes}"},
    {"status", "{shown}"},
    {"method", "{method}; {iterations} iteration{iterations|s}, {start} start"},
    {"reason", "{reason}"},
    {"existence", "{existence}{existence_more}"},
    {"", "{existence_reason}"},
    {"", "{outside}"},
    {"eta", "{eta|%.3e} (tolerance {tol|%g})"},
    {"fclib error", "{fclib_error|%.3e}"},
    {"worst contact", "{worst_contact}, eta_max {eta_max|%.3e}"},
    {"contacts", "{open} open, {stick} stick, {slip} slip, {violated} violated"},
    {"penetration", "{interpenetration|%.3e} m/s"},
    {"dissipation", "{dissipation|%.3e} J: {sign}"},
    {"dynamics", "{dynamics|%.3e}{global}"},
    {"joints", "{equality|%.3e}{joints}"},
    {"velocities", "those given are {kinematics|%.3e} off what r implies{off}"},
    {"time", "{setup_seconds|%.3g} s setup, {solve_seconds|%.3g} s solve{several}"},
    {"time", "{solve_seconds|%.3f} s to judge{judged}"},
    {"written", "{output}"}};

// Friction takes energy: r . u <= 0 up to the tolerance, relative to |r| |q|.
static const char *dissipation_sign(const cli_report *report) {
  const stc_residual *e = &report->info.residual;
  double small = report->tol * e->norm_r * e->norm_q;
  if (fabs(e->dissipation) <= small) return "0 within the tolerance";
  return e->dissipation < 0 ? "friction takes energy" : "energy is created";
}

// What text says besides; a note that is not there takes its line with it.
static void write_notes(cli_json *json, const cli_report *report) {
  bool solved = cli_is_solved(report->info.status), stored = !report->start;
  cli_write_shown(json, solved,
                  !solved && stored ? "not solved" : stc_status_name(report->info.status));
  cli_json_note(json, "sign", "%s", dissipation_sign(report));
  if (stc_problem_form(report->stored->problem) == STC_FORM_GLOBAL)
    cli_json_note(json, "global", "%s", "");
  if (stc_problem_equalities(report->stored->problem) > 0) cli_json_note(json, "joints", "%s", "");
  if (report->info.residual.kinematics > report->tol) cli_json_note(json, "off", "%s", "");
  if (!stored)
    cli_json_note(json, "several", "%s", report->calls > 1 ? ", fastest of several" : "");
  else
    cli_json_note(json, "judged", "%s", "");
}

// Which of these holds: solved and proved to exist, missed, proved to have none, unknown.
static void note_existence(cli_json *json, const cli_report *report, const cli_existence *e) {
  const char *more = "";
  bool solved = cli_is_solved(report->info.status);
  if (e->verdict == STC_VERDICT_EXISTS && !solved) more = ", but no solution was found";
  if (e->verdict == STC_VERDICT_UNDECIDED && !solved)
    more = ": neither a solution nor a proof that there is none was found";
  if (report->info.status == STC_STATUS_SOLVED_TO_TOLERANCE)
    more = ": the residual is within the tolerance, and no exact solution exists";
  cli_json_note(json, "existence_more", "%s%s%s%s", more, e->proof ? " (" : "",
                e->proof ? e->proof : "", e->proof ? ")" : "");
  if (e->outside)
    cli_json_note(json, "outside", "The answer breaks a bound of every solution: it is near none.");
}

static void write_existence(cli_json *json, const cli_report *report) {
  const cli_existence *e = report->existence;
  cli_json_text(json, "existence", e ? cli_existence_name(e->verdict) : NULL);
  bool decided = e && e->verdict != STC_VERDICT_UNDECIDED, bounded = e && e->bounded;
  cli_json_maybe(json, "exact_solution", decided, decided && e->verdict == STC_VERDICT_EXISTS);
  cli_json_maybe(json, "within_bounds", bounded, bounded && !e->outside);
  cli_json_text(json, "existence_reason", e ? e->reason : NULL);
  if (e) note_existence(json, report, e);
}

static void show_report(const cli_args *args, const cli_report *report,
                        const contact_table *contacts) {
  cli_json json = cli_json_begin(args->json ? stdout : NULL);
  cli_json_text(&json, "file", report->stored->path);
  if (report->solution_file) cli_json_text(&json, "solution_file", report->solution_file);
  cli_write_sizes(&json, report->stored->problem);
  cli_json_text(&json, "status", stc_status_name(report->info.status));
  cli_json_bool(&json, "solved", cli_is_solved(report->info.status));
  cli_json_text(&json, "method", report->info.method);
  cli_json_text(&json, "reason", report->start ? report->info.reason : NULL);
  write_existence(&json, report);
  cli_json_text(&json, "start", report->start);
  cli_json_int(&json, "iterations", report->info.iterations);
  cli_json_real(&json, "tol", report->tol);
  cli_json_fields(&json, residual_fields, CLI_COUNT(residual_fields), &report->info.residual);
  cli_json_int(&json, "calls", report->calls);
  cli_json_real(&json, "setup_seconds", report->info.setup_seconds);
  cli_json_real(&json, "solve_seconds", report->info.solve_seconds);
  cli_json_text(&json, "output", report->output);
  cli_write_remarks(&json, report->stored);
  if (contacts) write_contacts(&json, report, contacts);
  write_notes(&json, report);
  cli_json_end(&json);
  if (args->json || args->quiet) return;
  cli_print_lines(&json, report_lines, CLI_COUNT(report_lines));
  if (contacts) print_contacts(report, contacts);
}

int cli_report_show(const cli_args *args, cli_report *report, const double *r, bool table) {
  contact_table contacts = {0};
  stc_residual *counts = &report->info.residual;
  bool default_tol = report->tol <= stc_default_settings().tol;
  int status = table || !default_tol ? make_contacts(report, r, &contacts) : CLI_DONE;
  int count[STC_CONTACT_VIOLATED + 1] = {0};
  if (!status && !default_tol) {  // the counts of the judge hold for the default tolerance
    for (int c = 0; c < stc_problem_contacts(report->stored->problem); c++)
      count[contacts.state[c]]++;
    counts->open = count[STC_CONTACT_OPEN], counts->stick = count[STC_CONTACT_STICK];
    counts->slip = count[STC_CONTACT_SLIP], counts->violated = count[STC_CONTACT_VIOLATED];
  }
  if (!status) show_report(args, report, table ? &contacts : NULL);
  free(contacts.state);
  free(contacts.term);
  free(contacts.u);
  return status;
}
