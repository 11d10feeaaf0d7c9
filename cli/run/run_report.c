// The report of a run: one JSON object, or lines for people.
#include "run_job.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

void run_write_value(cli_json *json, const stc_parameter *p, const char *name) {
  if (!strcmp(p->type, "number")) {
    cli_json_real(json, name, strtod(p->value, NULL));
  } else if (!strcmp(p->type, "boolean")) {
    cli_json_bool(json, name, !strcmp(p->value, "true"));
  } else {
    cli_json_text(json, name, p->value);
  }
}

bool run_is_large(const run_job *job) {
  const stc_fem_report *r = stc_run_fem(job->run);
  return r && r->large;
}

static const char *status_of(const run_job *job) {
  if (job->interrupted) return job->late ? "time_limit" : "interrupted";
  if (job->stuck) return stc_status_name(job->report.status);
  return run_is_large(job) ? "large_strain" : "done";
}

#define FEM(kind, field)            CLI_FIELD(stc_fem_report, kind, field)
#define FEM_AS(kind, field, name)   CLI_FIELD_AS(stc_fem_report, kind, field, name)
#define WORLD(kind, field)          CLI_FIELD(stc_world_report, kind, field)
#define WORLD_AS(kind, field, name) CLI_FIELD_AS(stc_world_report, kind, field, name)
#define WAVE(kind, field)           CLI_FIELD(stc_elastodynamic_report, kind, field)
#define WAVE_AS(kind, field, name)  CLI_FIELD_AS(stc_elastodynamic_report, kind, field, name)

static const cli_field deformation_fields[] = {
    FEM_AS(REAL, strain, "largest_strain"), FEM(INT, strain_cell),
    FEM_AS(REAL, rotation, "largest_rotation"), FEM(INT, rotation_cell), FEM(BOOL, large)};
static const cli_field stage_fields[] = {FEM(REAL, assembly_seconds), FEM(REAL, factor_seconds),
                                         FEM(REAL, solve_seconds),    FEM(REAL, contact_seconds),
                                         FEM(REAL, megabytes),        FEM(INT, iterations),
                                         FEM(INT, factorisations),    FEM(INT, cuts)};
static const cli_field world_fields[] = {WORLD(INT, contacts),
                                         WORLD(INT, joints),
                                         WORLD_AS(REAL, eta, "largest_eta"),
                                         WORLD_AS(REAL, overlap, "largest_overlap"),
                                         WORLD_AS(REAL, joint_gap, "largest_joint_gap"),
                                         WORLD_AS(INT, relaxed, "relaxed_steps"),
                                         WORLD(REAL, collide_seconds),
                                         WORLD(REAL, broad_seconds),
                                         WORLD(REAL, narrow_seconds),
                                         WORLD(REAL, solve_seconds),
                                         WORLD(REAL, integrate_seconds)};
static const cli_field wave_fields[] = {WAVE(REAL, uniqueness), WAVE_AS(INT, roots, "most_roots"),
                                        WAVE_AS(LONG, several, "steps_with_several_roots"),
                                        WAVE_AS(LONG, unconverged, "unconverged_steps")};

static const cli_line head_lines[] = {
    {"scene", "{scene}"},
    {"status", "{shown}"},
    {"steps", "{steps}, to t = {time|%.9g}{unit}, in {seconds|%.3f} s"}};

// kinetic + potential = start + what follows it + error, with the digits that are printed.
static const cli_line energy_lines[] = {
    {"energy", "{energy.kinetic} J kinetic, {energy.potential} J potential"},
    {"", "from {energy.start} J: work {energy.work}, drives {energy.drive}, friction "
         "{energy.friction}, shocks {energy.shock}, correction {energy.correction}"},
    {"balance error", "{energy.error|%.3e} J"},
    {"energy", "{energy.stored} stored, {energy.plastic} plastic, {energy.friction} friction"},
    {"solves", "{stages.iterations}, {stages.factorisations} factorisations, {stages.cuts} "
               "cut{stages.cuts|s}; {closed}"},
    {"residual", "{balance}"},
    {"deformation", "strain up to {deformation.largest_strain|%.3g}, rotation up to "
                    "{deformation.largest_rotation|%.3g} rad{large}"},
    {"stages", "assembly {stages.assembly_seconds|%.3g} s, factors {stages.factor_seconds|%.3g} s "
               "({stages.megabytes|%.3g} MB), solves {stages.solve_seconds|%.3g} s, contact "
               "{stages.contact_seconds|%.3g} s"},
    {"contacts",
     "{world.contacts} in the last step; largest eta {world.largest_eta|%.1e}, overlap "
     "{world.largest_overlap|%.1e} m; {world.relaxed_steps} relaxed step{world.relaxed_steps|s}"},
    {"joints", "{world.joints}; largest gap {world.largest_joint_gap|%.1e} m{jointed}"},
    {"stages", "collision {world.collide_seconds|%.3g} s (pairs {world.broad_seconds|%.3g}, points "
               "{world.narrow_seconds|%.3g}), contact forces {world.solve_seconds|%.3g} s, motion "
               "{world.integrate_seconds|%.3g} s"}};
static const cli_line written_line[] = {{"written", "{output}"}};

static void write_object(cli_json *json, const char *name, const cli_field *field, size_t count,
                         const void *object) {
  if (!object) return;
  cli_json_open(json, name, '{');
  cli_json_fields(json, field, count, object);
  cli_json_close(json, '}');
}

// Whether steps have one answer, and what was done where they have several.
static void write_waves(cli_json *json, const stc_run *run) {
  stc_elastodynamic_report r;
  if (!stc_run_elastodynamic(run, 0, &r)) return;
  cli_json_open(json, "waves", '[');
  for (int k = 0; stc_run_elastodynamic(run, k, &r); k++) {
    cli_json_open(json, NULL, '{');
    cli_json_text(json, "name", r.name);
    cli_json_text(json, "kind", r.kind);
    cli_json_fields(json, wave_fields, CLI_COUNT(wave_fields), &r);
    cli_json_text(json, "rule", r.rule);
    cli_json_real(json, "energy_error", r.has_energy ? r.energy_error : NAN);
    cli_json_text(json, "warning", r.warning[0] ? r.warning : NULL);
    cli_json_text(json, "theorems", r.theorems[0] ? r.theorems : NULL);
    cli_json_close(json, '}');
  }
  cli_json_close(json, ']');
}

static void write_parameters(cli_json *json, const stc_scene *scene) {
  stc_parameter p;
  cli_json_open(json, "parameters", '{');
  json->object = NULL;  // any number of them: text does not show them by name
  for (int k = 0; stc_scene_parameter(scene, k, &p); k++) run_write_value(json, &p, p.name);
  cli_json_close(json, '}');
}

static void print_waves(const stc_run *run) {
  stc_elastodynamic_report r;
  for (int k = 0; stc_run_elastodynamic(run, k, &r); k++) {
    printf("%-15s %s, b p max|mu'| = %.4g: ", r.name, r.kind, r.uniqueness);
    if (r.uniqueness < 1)
      printf("every step has one answer");
    else
      printf("%ld steps had up to %d answers, rule '%s' chose", r.several, r.roots, r.rule);
    if (r.has_energy) printf("; energy error %.1e", r.energy_error);
    if (r.unconverged) printf("; %ld steps did not converge", r.unconverged);
    putchar('\n');
    if (r.theorems[0]) printf("%-15s %s\n", "", r.theorems);
  }
}

static void print_observed(const char *name, const stc_observed *o) {
  printf("%-15s ", name);
  if (o->kind == STC_OBSERVED_NUMBER) printf("%.10g", o->number);
  if (o->kind == STC_OBSERVED_TEXT) printf("%s", o->text);
  for (int k = 0; o->kind == STC_OBSERVED_LIST && k < o->count; k++)
    printf("%s%.10g", k ? ", " : "", o->list[k]);
  putchar('\n');
}

// What text says besides; a note that is not there takes its line with it.
static void write_notes(cli_json *json, const run_job *job) {
  const stc_fem_report *fem = stc_run_fem(job->run);
  const stc_world_report *world = stc_run_world(job->run);
  bool done = !job->stuck && !job->interrupted && !run_is_large(job);
  cli_write_shown(json, done, status_of(job));
  cli_json_note(json, "unit", "%s", stc_run_ledger(job->run) ? " s" : "");
  if (world && world->joints > 0) cli_json_note(json, "jointed", "%s", "");
  if (!fem) return;
  cli_json_note(json, "closed", "%d closed, %d of them slip", fem->closed, fem->slipping);
  cli_json_note(json, "balance", "%.1e, gaps of closed contacts %.1e, eta %.1e", fem->residual,
                fem->penetration, fem->eta);
  cli_json_note(json, "large", "%s",
                fem->large ? ": more than small strain allows, do not trust the answer" : "");
}

static void write_report(cli_json *json, const run_job *job) {
  const stc_fem_report *fem = stc_run_fem(job->run);
  const char *term;
  double value;
  cli_json_text(json, "scene", job->path);
  cli_json_text(json, "status", status_of(job));
  cli_json_int(json, "steps", stc_run_steps(job->run));
  cli_json_int(json, "resumed_steps", stc_run_resumed(job->run));
  cli_json_real(json, "time", stc_run_time(job->run));
  write_parameters(json, job->scene);
  cli_json_open(json, "observables", '{');
  json->object = NULL;
  for (int k = 0; k < job->observables; k++)
    cli_json_observed(json, stc_scene_observable(job->scene, k), &job->observed[k]);
  cli_json_close(json, '}');
  cli_json_open(json, "energy", '{');
  for (int k = 0; stc_run_energy(job->run, k, &term, &value); k++) cli_json_real(json, term, value);
  cli_json_close(json, '}');
  write_object(json, "deformation", deformation_fields, CLI_COUNT(deformation_fields), fem);
  write_object(json, "stages", stage_fields, CLI_COUNT(stage_fields), fem);
  write_object(json, "world", world_fields, CLI_COUNT(world_fields), stc_run_world(job->run));
  write_waves(json, job->run);
  cli_json_text(json, "output", job->output);
  cli_json_text(json, "reason", job->stuck ? job->report.reason : NULL);
  cli_json_text(json, "existence", job->stuck ? cli_existence_name(job->existence.verdict) : NULL);
  cli_json_text(json, "capsule", job->capsule[0] ? job->capsule : NULL);
  cli_json_text(json, "replay", job->replay[0] ? job->replay : NULL);
  cli_json_real(json, "seconds", job->seconds);
}

void run_show_report(const run_job *job) {
  cli_json json = cli_json_begin(job->args.json ? stdout : NULL);
  write_report(&json, job);
  write_notes(&json, job);
  cli_json_end(&json);
  if (job->args.json || job->args.quiet) return;
  cli_print_lines(&json, head_lines, CLI_COUNT(head_lines));
  for (int k = 0; k < job->observables; k++)
    print_observed(stc_scene_observable(job->scene, k), &job->observed[k]);
  cli_print_lines(&json, energy_lines, CLI_COUNT(energy_lines));
  print_waves(job->run);
  cli_print_lines(&json, written_line, CLI_COUNT(written_line));
}
