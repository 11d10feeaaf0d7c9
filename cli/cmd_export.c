// stiction export: the table of a run file as CSV or as plots, its bodies as pictures and VTK.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "cli.h"
#include "render/raster/bodies_picture.h"
#include "render/run_plots.h"
#include "render/run_tables.h"
#include "render/vtk/vtk_file.h"

// Runs in one picture; characters of what tells one of them from the others.
enum { MOST_COMPARED = 20, LABEL = 120 };

// Pixels.
enum { USUAL_WIDTH = 1200, USUAL_HEIGHT = 800, LEAST_SIZE = 16, MOST_SIZE = 10000 };

// One export and all that it holds.
typedef struct export_job {
  cli_args args;
  const char *csv, *svg, *png, *vtk, *fclib, *columns, *phase, *size;
  bodies_look look;  // of pictures of rigid bodies
  bool contacts;     // a table of contact points instead of the rows
  int row;           // -1: none was asked for
  double at;         // time of a row; NAN: none was asked for
  int step;          // of the problem; 0: none was asked for
  stc_trajectory *run;
  stc_snapshot *bodies;    // NULL: the run has none, or nothing is asked of them
  stc_replay *replay;      // the same of rigid bodies
  stc_album *album;        // pictures that the scene asks for
  run_compared *compared;  // [compared_count] runs in one picture; the first is `bodies`
  stc_snapshot **others;   // [compared_count - 1]
  stc_trajectory **heads;  // [compared_count - 1]
  const char *reference;
  const char *field;  // drawn instead of the plots
  char *label;
  int compared_count;
  int *chosen;  // [chosen_count] columns; of a phase plane two for each run
  int chosen_count;
} export_job;

// ---- columns

static const char *name_of_column(const void *user, int k) {
  const stc_trajectory *run = user;
  return k < run->columns ? run->name[k] : NULL;
}

// a,b,c of a run, behind what is chosen already.
static int choose_names(export_job *job, const stc_trajectory *run, const char *at) {
  while (at) {
    char word[100];
    size_t length = strcspn(at, ",");
    int k = run_column(run, at, length);
    snprintf(word, sizeof word, "%.*s", (int)(length < 99 ? length : 99), at);
    const char *nearest = k < 0 ? stc_nearest_name(word, name_of_column, run) : NULL;
    if (nearest) return cli_complain("there is no column '%s'; did you mean '%s'?", word, nearest);
    if (k < 0)
      return cli_complain("there is no column '%s'; without --columns all are shown", word);
    job->chosen[job->chosen_count++] = k;
    at = at[length] ? at + length + 1 : NULL;
  }
  return CLI_DONE;
}

// What --columns or --phase names; all of them if nothing is asked for.
static int choose_columns(export_job *job) {
  const char *names = job->phase ? job->phase : job->columns;
  size_t most =
      names ? (size_t)job->args.words * (strlen(names) / 2 + 1) : (size_t)job->run->columns;
  job->chosen = calloc(most + 1, sizeof *job->chosen);
  if (!job->chosen) return cli_complain("out of memory for %zu columns", most);
  for (int k = 0; !names && k < job->run->columns; k++) job->chosen[job->chosen_count++] = k;
  CLI_TRY(choose_names(job, job->run, names));
  for (int k = 1; job->phase && k < job->args.words; k++)
    CLI_TRY(choose_names(job, job->heads[k - 1], names));
  return CLI_DONE;
}

// ---- tables and plots

static bool write_table(FILE *out, const void *user) {
  const export_job *job = user;
  if (job->contacts && job->replay) return run_table_bodies(out, job->replay, job->row);
  if (job->contacts) return run_table_fem(out, job->bodies, job->row);
  run_table(out, job->run, job->chosen, job->chosen_count);
  return true;
}

static bool draw_phase(FILE *out, const export_job *job) {
  const stc_trajectory *run[MOST_COMPARED] = {job->run};
  const char *label[MOST_COMPARED];
  for (int k = 0; k < job->args.words; k++) {
    if (k) run[k] = job->heads[k - 1];
    label[k] = job->label + (size_t)k * LABEL;
  }
  return run_plot_phase(out, run, label, job->chosen, job->args.words);
}

// Without --columns what the scene asks for, if it asks for any.
static bool write_plots(FILE *out, const void *user) {
  const export_job *job = user;
  const stc_trajectory *run = job->run;
  if (job->field) return run_plot_field(out, job->bodies, job->field);
  if (job->phase) return draw_phase(out, job);
  if (job->columns) return run_plot(out, run, job->chosen, job->chosen_count);
  if (job->bodies && job->bodies->curves > 0)
    return run_plot_fem(out, job->compared, job->compared_count, run->scene);
  if (job->album->pictures) return run_plot_album(out, job->album, run->scene);
  return run_plot(out, run, NULL, 0);
}

static int save_svg(const export_job *job) {
  if (!job->columns && !job->phase && job->replay)
    return cli_rendered(bodies_svg(job->replay, &job->look, job->svg));
  if (!job->columns && !job->phase && job->bodies)
    CLI_TRY(
        cli_check(stc_snapshot_load(job->bodies, job->row < 0 ? job->bodies->rows - 1 : job->row)));
  return cli_save(job->svg, write_plots, job);
}

// ---- several runs in one picture

static bool run_has(const stc_trajectory *run, const char *parameter) {
  for (int i = 0; i < run->parameters; i++)
    if (!strcmp(run->parameter[i], parameter)) return true;
  return false;
}

// name=value, numbers as short as people write them.
static void append_parameter(char *label, const char *parameter) {
  const char *equals = strchr(parameter, '=');
  char *end = NULL;
  double value = equals ? strtod(equals + 1, &end) : NAN;
  size_t used = strlen(label);
  if (equals && end != equals + 1 && !*end)
    snprintf(label + used, LABEL - used, "%s%.*s=%g", used ? " " : "", (int)(equals - parameter),
             parameter, value);
  else
    snprintf(label + used, LABEL - used, "%s%s", used ? " " : "", parameter);
}

// The parameters that not all of the runs have tell this one from the others.
static void label_run(const export_job *job, const stc_trajectory *run, char *label) {
  for (int i = 0; i < run->parameters; i++) {
    bool common = run_has(job->run, run->parameter[i]);
    for (int k = 0; k + 1 < job->args.words; k++)
      common = common && run_has(job->heads[k], run->parameter[i]);
    if (!common) append_parameter(label, run->parameter[i]);
  }
  if (!label[0]) strcpy(label, "computed");
}

static int open_others(export_job *job) {
  for (int k = 0; k + 1 < job->compared_count; k++) {
    const char *path = k + 1 < job->args.words ? job->args.word[k + 1] : job->reference;
    CLI_TRY(cli_check(stc_trajectory_read_head(path, &job->heads[k])));
    CLI_TRY(cli_check(stc_snapshot_open(path, &job->others[k])));
  }
  return CLI_DONE;
}

// The rows of all runs of a phase plane.
static int open_phase(export_job *job) {
  size_t count = (size_t)(job->compared_count = job->args.words);
  job->heads = calloc(count, sizeof *job->heads);
  job->label = calloc(count, LABEL);
  if (!job->heads || !job->label) return cli_complain("out of memory for %zu runs", count);
  for (int k = 1; k < job->args.words; k++)
    CLI_TRY(cli_check(stc_trajectory_read(job->args.word[k], &job->heads[k - 1])));
  for (int k = 0; k < job->args.words; k++)
    label_run(job, k ? job->heads[k - 1] : job->run, job->label + (size_t)k * LABEL);
  return CLI_DONE;
}

static int open_compared(export_job *job) {
  if (job->phase) return open_phase(job);
  if (!job->bodies)
    return job->args.words == 1 && !job->reference
               ? CLI_DONE
               : cli_complain("%s: it is no run of deformable bodies", job->args.word[0]);
  size_t count = (size_t)(job->compared_count = job->args.words + (job->reference != NULL));
  job->compared = calloc(count, sizeof *job->compared);
  job->others = calloc(count, sizeof *job->others);
  job->heads = calloc(count, sizeof *job->heads);
  job->label = calloc(count, LABEL);
  if (!job->compared || !job->others || !job->heads || !job->label)
    return cli_complain("out of memory for %zu runs", count);
  CLI_TRY(open_others(job));
  for (int k = 0; k < job->compared_count; k++) {
    char *label = job->label + (size_t)k * LABEL;
    bool line = job->reference && k + 1 == job->compared_count;
    if (line)
      strcpy(label, "reference");
    else
      label_run(job, k ? job->heads[k - 1] : job->run, label);
    job->compared[k] = (run_compared){k ? job->others[k - 1] : job->bodies, label, line};
  }
  return CLI_DONE;
}

// ---- the verb

static const cli_line report_lines[] = {
    {"file", "{file}"},     {"scene", "{scene}"}, {"rows", "{rows}, {span}"},
    {"columns", "{names}"}, {"written", "{csv}"}, {"written", "{svg}"},
    {"written", "{png}"},   {"written", "{vtk}"}, {"written", "{fclib}"}};

static void show_report(const export_job *job) {
  const stc_trajectory *run = job->run;
  char names[2000] = "";
  double end = run->rows > 0 ? run->value[(size_t)(run->rows - 1) * (size_t)run->columns] : NAN;
  size_t used = 0;
  cli_json json = cli_json_begin(job->args.json ? stdout : NULL);
  cli_json_text(&json, "file", job->args.word[0]);
  cli_json_text(&json, "scene", run->scene);
  cli_json_int(&json, "rows", run->rows);
  cli_json_note(&json, "span", "to t = %.9g%s", end, run->blocks ? "" : " s");
  cli_json_open(&json, "columns", '[');
  for (int k = 0; k < run->columns; k++) {
    cli_json_text(&json, NULL, run->name[k]);
    if (used < sizeof names)
      used +=
          (size_t)snprintf(names + used, sizeof names - used, "%s%s", k ? " " : "", run->name[k]);
  }
  cli_json_close(&json, ']');
  cli_json_note(&json, "names", "%s", names);
  cli_json_open(&json, "observables", '{');
  json.object = NULL;  // any number of them: text does not show them
  for (int k = 0; k < run->observables; k++)
    cli_json_observed(&json, run->observable[k], &run->observed[k]);
  cli_json_close(&json, '}');
  cli_json_text(&json, "csv", job->csv);
  cli_json_text(&json, "svg", job->svg);
  cli_json_text(&json, "png", job->png);
  cli_json_text(&json, "vtk", job->vtk);
  cli_json_text(&json, "fclib", job->fclib);
  cli_json_end(&json);
  if (!job->args.json && !job->args.quiet)
    cli_print_lines(&json, report_lines, CLI_COUNT(report_lines));
}

static bool wants_rigid(const export_job *job) {
  return job->png || job->fclib || job->size || job->look.camera || job->look.hide ||
         job->look.forces || job->look.moments;
}

static int no_row(const export_job *job, long rows) {
  return cli_complain("there is no row %d; the run has rows 0 to %ld", job->row, rows - 1);
}

// The bodies, where they are asked for or may be.
static int open_bodies(export_job *job) {
  const stc_trajectory *run = job->run;
  const char *path = job->args.word[0];
  bool needed = job->vtk || job->contacts || job->field;
  if (run->rigid && job->field)
    return cli_complain("%s: it is no run of deformable bodies: there is no --field for it", path);
  if (run->rigid) {
    if (needed || (job->svg && !job->columns && !job->phase) || wants_rigid(job))
      CLI_TRY(cli_check(stc_replay_open(path, &job->replay)));
    job->look.row = job->row;
    job->look.title = run->scene;
    return job->row < run->rows ? CLI_DONE : no_row(job, run->rows);
  }
  if (wants_rigid(job))
    return cli_complain("%s: it is no run of rigid bodies: there is no --png, --fclib, nor a "
                        "camera for it; --svg draws it",
                        path);
  if (!needed && (run->blocks == 0 || job->album->pictures)) return CLI_DONE;
  CLI_TRY(cli_check(stc_snapshot_open(path, &job->bodies)));
  return job->row < job->bodies->rows ? CLI_DONE : no_row(job, job->bodies->rows);
}

static int write_outputs(export_job *job, bool to_stdout) {
  if (to_stdout)
    CLI_TRY(cli_rendered(write_table(stdout, job)));
  else if (job->csv)
    CLI_TRY(cli_save(job->csv, write_table, job));
  if (job->svg) CLI_TRY(save_svg(job));
  if (job->png) CLI_TRY(cli_rendered(bodies_png(job->replay, &job->look, job->png)));
  if (job->vtk)
    CLI_TRY(cli_rendered(job->replay ? vtk_save_bodies(job->replay, job->vtk, job->row)
                                     : vtk_save_fem(job->bodies, job->vtk, job->row)));
  return job->fclib ? cli_check(stc_replay_write_problem(job->replay, job->step, job->fclib))
                    : CLI_DONE;
}

#define JOB export_job
static const cli_option options[] = {
    OPTION_TEXT(0, "csv", "OUT", "write a table; - is standard output", csv),
    OPTION_TEXT(0, "svg", "OUT", "draw rigid bodies, or the series and the energy ledger", svg),
    OPTION_TEXT(0, "png", "OUT", "rigid bodies in perspective, with shadows; DIR/: all rows", png),
    OPTION_TEXT(0, "columns", "A,B,...", "only these columns", columns),
    OPTION_TEXT(0, "phase", "A,B", "--svg: column B over column A, for one run or several", phase),
    OPTION_FLAG(0, "contacts", "--csv: the contact points of bodies", contacts),
    OPTION_TEXT(0, "vtk", "OUT", "bodies and contacts for ParaView: a directory, or a .vtu file",
                vtk),
    OPTION_INT(0, "row", "N", "only row N, from 0, of bodies and contacts; pictures: the last", row,
               0, 1e9),
    OPTION_REAL(0, "at", "T", "the row nearest to time T", at, -CLI_HUGE, CLI_HUGE),
    OPTION_TEXT(0, "size", "WxH", "pixels of a picture (1200x800)", size),
    OPTION_TEXT(0, "camera", "WORDS", "\"from=x,y,z to=x,y,z up=x,y,z angle=degrees\", or width=m",
                look.camera),
    OPTION_FLAG(0, "forces", "pictures with the forces of the contacts", look.forces),
    OPTION_TEXT(0, "hide", "A,B,...", "pictures without these bodies", look.hide),
    OPTION_INT(0, "moments", "K", "--png: K moments of the run in one picture", look.moments, 1,
               BODIES_MOST_MOMENTS),
    OPTION_INT(0, "every", "N", "--png DIR/: every Nth row", look.every, 1, 1e9),
    OPTION_TEXT(0, "fclib", "OUT", "write the contact problem of --step as an FCLIB file", fclib),
    OPTION_INT(0, "step", "N", "the step, from 1", step, 1, 2e9),
    OPTION_TEXT(0, "field", "NAME", "--svg: temperature or potential of plane bodies", field),
    OPTION_TEXT(0, "reference", "RUN", "--svg: a run whose contact points are joined by a line",
                reference)};

// WxH
static bool read_size(const char *text, int *width, int *height) {
  int read = 0;
  if (sscanf(text, "%dx%d%n", width, height, &read) != 2 || text[read]) return false;
  return *width >= LEAST_SIZE && *width <= MOST_SIZE && *height >= LEAST_SIZE &&
         *height <= MOST_SIZE;
}

static int check_options(export_job *job, bool to_stdout) {
  const cli_args *args = &job->args;
  size_t length = job->png ? strlen(job->png) : 0;
  bool directory = length > 0 && job->png[length - 1] == '/';
  const char *comma = job->phase ? strchr(job->phase, ',') : NULL;
  if (job->phase && (!comma || strchr(comma + 1, ',') || !job->svg || job->columns))
    return cli_misuse(args, "--phase takes two columns A,B and needs --svg OUT, not --columns");
  if ((args->words > 1 || job->reference) && (!job->svg || job->columns))
    return cli_misuse(args, "several runs are for --svg OUT of the plots of deformable bodies, or "
                            "with --phase A,B");
  if (job->field && (!job->svg || job->columns))
    return cli_misuse(args, "--field is for --svg OUT, without --columns");
  if (job->contacts && !job->csv) return cli_misuse(args, "--contacts needs --csv OUT");
  if (to_stdout && args->json)
    return cli_misuse(args, "--csv - and --json both want standard output");
  if (job->csv && !to_stdout) CLI_TRY(cli_check_format(job->csv, ".csv"));
  if (job->svg) CLI_TRY(cli_check_format(job->svg, ".svg"));
  if (job->size && !read_size(job->size, &job->look.width, &job->look.height))
    return cli_misuse(args, "--size %s: it is WIDTHxHEIGHT, %d to %d pixels each", job->size,
                      LEAST_SIZE, MOST_SIZE);
  if (job->look.moments && (!job->png || directory))
    return cli_misuse(args, "--moments needs --png FILE");
  if (job->row >= 0 && !isnan(job->at)) return cli_misuse(args, "--row or --at, not both");
  if (!job->fclib != !job->step) return cli_misuse(args, "--fclib OUT and --step N go together");
  if (job->png && !directory) CLI_TRY(cli_check_format(job->png, ".png"));
  return job->fclib ? cli_check_format(job->fclib, ".hdf5") : CLI_DONE;
}

static void begin_export(void *user) {
  export_job *job = user;
  job->row = -1;
  job->at = NAN;
  job->look = (bodies_look){.width = USUAL_WIDTH, .height = USUAL_HEIGHT, .row = -1, .every = 1};
}

static int run_export(void *user) {
  export_job *job = user;
  const cli_args *args = &job->args;
  bool to_stdout = job->csv && !strcmp(job->csv, "-");
  CLI_TRY(check_options(job, to_stdout));
  CLI_TRY(cli_check(stc_trajectory_read(args->word[0], &job->run)));
  CLI_TRY(cli_check(stc_album_read(args->word[0], &job->album)));
  if (!isnan(job->at)) {
    // The row nearest to the time that was asked for.
    const stc_trajectory *run = job->run;
    double nearest = INFINITY;
    for (long k = 0; k < run->rows; k++) {
      double off = fabs(run->value[(size_t)k * (size_t)run->columns] - job->at);
      if (off < nearest) job->row = (int)k;
      nearest = fmin(nearest, off);
    }
  }
  CLI_TRY(open_bodies(job));
  CLI_TRY(open_compared(job));
  CLI_TRY(choose_columns(job));
  CLI_TRY(write_outputs(job, to_stdout));
  if (!to_stdout) show_report(job);
  return CLI_DONE;
}

static void end_export(void *user) {
  export_job *job = user;
  stc_snapshot_free(&job->bodies);
  for (int k = 0; k < job->compared_count - 1; k++) {
    if (job->others) stc_snapshot_free(&job->others[k]);
    if (job->heads) stc_trajectory_free(&job->heads[k]);
  }
  free(job->compared);
  free(job->others);
  free(job->heads);
  free(job->label);
  stc_replay_free(&job->replay);
  stc_album_free(&job->album);
  stc_trajectory_free(&job->run);
  free(job->chosen);
}

COMMAND(export, "RUN [RUN ...]", 1, MOST_COMPARED, "write a run as CSV, plots, pictures or VTK",
        "Reads a file that 'stiction run -o' wrote, finished or not. Without an output\n"
        "it shows what the file holds. --svg draws the plots the scene asks for, if it\n"
        "asks for any, and with several runs of deformable bodies the contact points of\n"
        "all of them; rigid bodies it draws as they are seen, and so does --png. --vtk\n"
        "writes bodies and their contact points: displacements and stresses, or how rigid\n"
        "bodies move. The contacts of rigid bodies are those of the step that begins at a\n"
        "row.",
        run_export, begin_export, end_export, OPTIONS(options));
