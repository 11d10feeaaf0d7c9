// stiction convert: between the global form (M, f, H, w) and the local form (W, q), from robots
// (URDF, MJCF) to scenes, and from both to MJCF.
#include <stdlib.h>
#include <string.h>

#include "cli.h"

typedef struct convert_job {
  cli_args args;
  const char *to;  // form, or NULL
  // In the other form. Reactions are the same in both; u, v, l are computed again.
  stc_problem *problem;
  stc_solution solution;
  stc_solution *guesses;  // [file.guess_count]
  stc_model *model;
  stc_scene *scene;
  stc_run *run;
} convert_job;

static int carry(const stc_problem *problem, const double *r, stc_solution *solution) {
  if (!r) return CLI_DONE;
  CLI_TRY(cli_solution_make(problem, solution));
  memcpy(solution->r, r, (size_t)stc_problem_size(problem) * sizeof *r);
  return cli_check(stc_problem_complete(problem, solution));
}

static int change_form(convert_job *job, stc_form form) {
  const cli_file *file = &job->args.file;
  CLI_TRY(cli_check((form == STC_FORM_LOCAL ? stc_problem_to_local : stc_problem_to_global)(
      file->problem, &job->problem)));
  CLI_TRY(carry(job->problem, file->solution.r, &job->solution));
  job->guesses = calloc((size_t)file->guess_count + 1, sizeof *job->guesses);
  if (!job->guesses) return cli_complain("out of memory for %d guesses", file->guess_count);
  for (int k = 0; k < file->guess_count; k++)
    CLI_TRY(carry(job->problem, file->guesses[k].r, &job->guesses[k]));
  return CLI_DONE;
}

static void show_converted(const convert_job *job, const stc_problem *made) {
  const cli_args *args = &job->args;
  const cli_file *from = &job->args.file;
  cli_json json = cli_json_begin(args->json ? stdout : NULL);
  cli_json_text(&json, "file", args->word[0]);
  cli_json_text(&json, "output", args->word[1]);
  cli_json_text(&json, "from", stc_form_name(stc_problem_form(from->problem)));
  cli_write_sizes(&json, made);
  cli_json_bool(&json, "solution", from->solution.r != NULL);
  cli_json_int(&json, "guesses", from->guess_count);
  cli_write_remarks(&json, from);
  cli_json_end(&json);
  char text[CLI_SIZES_ROOM];
  if (!args->json && !args->quiet) printf("%s: %s\n", args->word[1], cli_sizes(made, text));
}

static const char *form_name(int k) {
  return k == 0 ? stc_form_name(STC_FORM_LOCAL) : k == 1 ? stc_form_name(STC_FORM_GLOBAL) : NULL;
}

#define JOB convert_job
static const cli_option options[] = {
    OPTION_TEXT(0, "to", "FORM", "local or global; default: the other one", to)};

// --- Robots ---

static bool ends_in(const char *path, const char *ending) {
  size_t length = strlen(path), last = strlen(ending);
  return length > last && !strcmp(path + length - last, ending);
}

static void show_model(const convert_job *job, const stc_model *model) {
  const cli_args *args = &job->args;
  cli_json json = cli_json_begin(args->json ? stdout : NULL);
  cli_json_text(&json, "file", args->word[0]);
  cli_json_text(&json, "output", args->word[1]);
  cli_json_int(&json, "bodies", stc_model_bodies(model));
  cli_json_int(&json, "joints", stc_model_joints(model));
  cli_json_open(&json, "remarks", '[');
  for (int k = 0; k < stc_model_remarks(model); k++) {
    cli_json_text(&json, NULL, stc_model_remark(model, k));
    if (!args->quiet) cli_note("%s: %s", args->word[0], stc_model_remark(model, k));
  }
  cli_json_close(&json, ']');
  cli_json_end(&json);
  if (!args->json && !args->quiet)
    printf("%s: %d bodies, %d joints\n", args->word[1], stc_model_bodies(model),
           stc_model_joints(model));
}

static bool put_text(FILE *out, const void *text) { return fputs(text, out) >= 0; }

/// The world that a scene of rigid bodies begins with.
static int read_world(convert_job *job) {
  const char *path = job->args.word[0];
  CLI_TRY(cli_check(stc_scene_read(path, NULL, &job->scene)));
  CLI_TRY(cli_check(stc_run_create(job->scene, NULL, &job->run)));
  stc_world *world = stc_run_bodies(job->run);
  if (!world) return cli_complain("%s: only scenes of rigid bodies become MJCF", path);
  return cli_check(stc_model_of_world(world, &job->model));
}

static bool is_mjcf(const char *path) { return ends_in(path, ".xml") || ends_in(path, ".mjcf"); }

static int write_model(convert_job *job) {
  const char *text, *path = job->args.word[1];
  bool scene = ends_in(job->args.word[0], ".lua");
  if (!is_mjcf(path) && (scene || !ends_in(path, ".lua")))
    return cli_complain("%s: give a name that ends in %s.xml (MJCF)", path,
                        scene ? "" : ".lua (a scene) or ");
  CLI_TRY(cli_check_output(path));
  CLI_TRY(scene ? read_world(job) : cli_check(stc_model_read(job->args.word[0], &job->model)));
  CLI_TRY(cli_check((is_mjcf(path) ? stc_model_mjcf : stc_model_scene)(job->model, &text)));
  CLI_TRY(cli_save(path, put_text, text));
  show_model(job, job->model);
  return CLI_DONE;
}

static bool is_robot(const char *path) {
  return ends_in(path, ".urdf") || is_mjcf(path) || ends_in(path, ".lua");
}

static int run_convert(void *user) {
  convert_job *job = user;
  if (is_robot(job->args.word[0])) return write_model(job);
  const cli_file *file = &job->args.file;
  const char *path = job->args.word[1];
  if (job->to && !cli_known("form", job->to, form_name)) return CLI_WRONG;
  CLI_TRY(cli_check_format(path, ".hdf5"));
  CLI_TRY(cli_file_open(job->args.word[0], job->args.quiet, &job->args.file));
  bool is_local = stc_problem_form(file->problem) == STC_FORM_LOCAL;
  bool local = job->to ? !strcmp(job->to, "local") : !is_local;
  bool same = local == is_local;
  if (!same) CLI_TRY(change_form(job, local ? STC_FORM_LOCAL : STC_FORM_GLOBAL));
  const stc_problem *made = same ? file->problem : job->problem;
  CLI_TRY(cli_write(made, same ? &file->solution : &job->solution,
                    same ? file->guesses : job->guesses, file->guess_count, path));
  show_converted(job, made);
  return CLI_DONE;
}

static void end_convert(void *user) {
  convert_job *job = user;
  for (int k = 0; job->guesses && k < job->args.file.guess_count; k++)
    cli_solution_drop(&job->guesses[k]);
  free(job->guesses);
  cli_solution_drop(&job->solution);
  stc_problem_free(&job->problem);
  stc_model_free(&job->model);
  stc_run_close(&job->run);
  stc_scene_free(&job->scene);
}

COMMAND(convert, "FILE OUT", 2, 2, "change between forms; scenes and MJCF of robots",
        "Writes the problem in FILE to OUT in the other form: the local form (W, q) from the\n"
        "global one (M, f, H, w), or a global form with unit masses from a local one. A stored\n"
        "solution keeps its reactions; the velocities that belong to them are made anew.\n"
        "A robot in URDF (.urdf) or MJCF (.xml, .mjcf) becomes the scene OUT (.lua), with the\n"
        "convex hulls of its meshes; a robot, or a scene of rigid bodies (.lua), becomes MJCF\n"
        "(.xml). What is not read, or not held, is named.",
        run_convert, NULL, end_convert, OPTIONS(options));
