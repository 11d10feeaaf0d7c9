// Load steps: each step of a run goes to the next time of the scene's list.
#include "fem_run.h"

#include "../../base/number.h"

#include <lauxlib.h>
#include <string.h>

// A resumed run makes its factors anew: their number is not part of a row, which has the same bits.
static const char *const column_names[] = {"iterations", "cuts",        "closed",  "slipping",
                                           "residual",   "penetration", "eta",     "strain",
                                           "rotation",   "stored",      "plastic", "friction"};
enum { COLUMNS = sizeof column_names / sizeof *column_names };

// Numbers of a checkpoint before the state of the bodies: the step, the last report, the largest
// deformation of all steps.
enum { REPORT_NUMBERS = 12, HEAD = 1 + REPORT_NUMBERS };

// --- Making ---

static stc_error open_loading(stc_loading *l, const stc_run_settings *settings) {
  stc_arena arena = {0};
  stc_fem_description description;
  stc_fem_settings fem = l->deform->settings;
  fem.progress = settings->progress;
  fem.progress_user = settings->progress_user;
  stc_error error = stc_deform_describe(l->scene, &arena, &description);
  if (!error) error = stc_fem_create(&description, &fem, &l->fem);
  stc_arena_free(&arena);
  STC_TRY(stc_scene_error(l->scene, error));
  int steps = l->deform->steps;
  l->iterations = STC_TAKE(&l->arena, int, steps);
  l->factorisations = STC_TAKE(&l->arena, int, steps);
  l->cuts = STC_TAKE(&l->arena, int, steps);
  STC_TRY(stc_arena_check(&l->arena));
  return stc_loading_list_blocks(l);
}

static void forget_problem(stc_loading *l) {
  stc_problem_free(&l->problem);
  stc_release(&l->guess);
}

static void free_loading(void **moving) {
  stc_loading *l = *moving;
  if (!l) return;
  l->deform->loading = NULL;
  forget_problem(l);
  stc_fem_free(&l->fem);
  stc_arena_free(&l->arena);
  stc_release(moving);
}

static stc_error create(stc_scene *scene, const stc_run_settings *settings, void **moving) {
  stc_loading *l = *moving = stc_calloc(1, sizeof *l);
  if (!l) return stc_fail(STC_ERR_MEMORY, "out of memory for load steps");
  l->scene = scene;
  l->deform = scene->deform;
  stc_error error = open_loading(l, settings);
  if (error)
    free_loading(moving);
  else
    scene->deform->loading = l;
  return error;
}

// --- Stepping ---

// The largest deformation of all steps, one that was taken back later included.
static void keep_deformation(stc_fem_report *sum, const stc_fem_report *before) {
  if (before->strain >= sum->strain) {
    sum->strain = before->strain;
    sum->strain_cell = before->strain_cell;
  }
  if (before->rotation >= sum->rotation) {
    sum->rotation = before->rotation;
    sum->rotation_cell = before->rotation_cell;
  }
  sum->large = sum->large || before->large;
}

// A refused step counts, but what is closed is what was closed before it.
static void add_up(stc_fem_report *sum, const stc_fem_report *one) {
  stc_fem_report before = *sum;
  if (one->accepted) *sum = *one;
  keep_deformation(sum, &before);
  sum->iterations = before.iterations + one->iterations;
  sum->factorisations = before.factorisations + one->factorisations;
  sum->cuts = before.cuts + one->cuts;
  sum->assembly_seconds = before.assembly_seconds + one->assembly_seconds;
  sum->factor_seconds = before.factor_seconds + one->factor_seconds;
  sum->solve_seconds = before.solve_seconds + one->solve_seconds;
  sum->contact_seconds = before.contact_seconds + one->contact_seconds;
}

static void note_step(stc_loading *l, const stc_fem_report *report) {
  l->iterations[l->step] = report->iterations;
  l->factorisations[l->step] = report->factorisations;
  l->cuts[l->step] = report->cuts;
  l->last = *report;
  l->step++;
}

static stc_error step(void *moving, double t_end, stc_step_report *report) {
  (void)t_end;
  stc_loading *l = moving;
  stc_fem_report own = {0};
  forget_problem(l);
  stc_error error = stc_fem_advance(l->fem, l->deform->time[l->step], &own);
  STC_TRY(stc_scene_error(l->scene, error));
  add_up(&l->sum, &own);
  *report = (stc_step_report){.accepted = own.accepted,
                              .status = own.accepted        ? STC_STATUS_SOLVED
                                        : own.interrupted   ? STC_STATUS_INTERRUPTED
                                        : own.contradictory ? STC_STATUS_NO_SOLUTION
                                                            : STC_STATUS_MAX_ITERATIONS,
                              .contacts = own.closed,
                              .eta = own.eta,
                              .violation = own.penetration,
                              .restitution = 1};
  stc_snprintf(report->reason, sizeof report->reason, "%s", own.reason);
  if (own.accepted) note_step(l, &own);
  return STC_OK;
}

static double time_of(const void *moving) {
  const stc_loading *l = moving;
  return l->step ? l->deform->time[l->step - 1] : 0;
}

static bool reached(const void *moving, double t_end) {
  const stc_loading *l = moving;
  return l->step == l->deform->steps || time_of(l) >= t_end;
}

static long steps(const void *moving) { return ((const stc_loading *)moving)->step; }

static const double *displacement(const void *moving) {
  return stc_fem_displacement(((const stc_loading *)moving)->fem);
}

static const stc_fem_report *report_of(const void *moving) {
  return &((const stc_loading *)moving)->sum;
}

static bool energy(const void *moving, int k, const char **name, double *value) {
  static const char *const names[] = {"stored", "plastic", "friction"};
  double values[3];
  if (k < 0 || k > 2) return false;
  stc_fem_energy(((const stc_loading *)moving)->fem, &values[0], &values[1], &values[2]);
  *name = names[k];
  *value = values[k];
  return true;
}

static const stc_problem *problem(void *moving, const double **guess) {
  stc_loading *l = moving;
  if (!l->problem && stc_fem_problem(l->fem, &l->problem, &l->guess) != STC_OK) return NULL;
  *guess = l->guess;
  return l->problem;
}

// --- Rows ---

static int columns(const void *moving) {
  (void)moving;
  return COLUMNS;
}

static void column_name(const void *moving, int k, char name[STC_COLUMN_NAME]) {
  (void)moving;
  stc_snprintf(name, STC_COLUMN_NAME, "%s", column_names[k]);
}

static void row(const void *moving, double *numbers) {
  const stc_loading *l = moving;
  const stc_fem_report *r = &l->last;
  int at = l->step - 1;
  double own[COLUMNS] = {l->step ? l->iterations[at] : 0,
                         l->step ? l->cuts[at] : 0,
                         r->closed,
                         r->slipping,
                         r->residual,
                         r->penetration,
                         r->eta,
                         r->strain,
                         r->rotation};
  stc_fem_energy(l->fem, &own[COLUMNS - 3], &own[COLUMNS - 2], &own[COLUMNS - 1]);
  memcpy(numbers, own, sizeof own);
}

// --- Checkpoints ---

static size_t state_size(const void *moving) {
  const stc_loading *l = moving;
  return HEAD + 3 * (size_t)l->deform->steps + stc_fem_state_size(l->fem);
}

static void save(const void *moving, double *state) {
  const stc_loading *l = moving;
  const stc_fem_report *last = &l->last, *sum = &l->sum;
  const double head[HEAD] = {l->step,           last->closed,  last->slipping,   last->residual,
                             last->penetration, last->eta,     last->strain,     last->rotation,
                             sum->strain,       sum->rotation, sum->strain_cell, sum->rotation_cell,
                             sum->large};
  memcpy(state, head, sizeof head);
  state += HEAD;
  for (int k = 0; k < l->deform->steps; k++) {
    *state++ = l->iterations[k];
    *state++ = l->factorisations[k];
    *state++ = l->cuts[k];
  }
  stc_fem_save(l->fem, state);
}

// A number of a file: whatever it is, a cell or none comes out.
static int take_cell(const stc_loading *l, double number) {
  return number >= 0 && number < l->deform->used->cells ? (int)number : -1;
}

static stc_error restore(void *moving, const double *state) {
  stc_loading *l = moving;
  int count = l->deform->steps;
  if (!(state[0] >= 0 && state[0] <= count))
    return stc_fail(STC_ERR_FORMAT, "the checkpoint is at step %g of %d", state[0], count);
  l->step = (int)state[0];
  l->last = (stc_fem_report){.accepted = true,
                             .closed = (int)state[1],
                             .slipping = (int)state[2],
                             .residual = state[3],
                             .penetration = state[4],
                             .eta = state[5],
                             .strain = state[6],
                             .rotation = state[7]};
  l->sum = l->last;
  l->sum.strain = state[8];
  l->sum.rotation = state[9];
  l->sum.strain_cell = take_cell(l, state[10]);
  l->sum.rotation_cell = take_cell(l, state[11]);
  l->sum.large = state[12] != 0;
  state += HEAD;
  for (int k = 0; k < count; k++) {
    l->iterations[k] = (int)*state++;
    l->factorisations[k] = (int)*state++;
    l->cuts[k] = (int)*state++;
  }
  return stc_scene_error(l->scene, stc_fem_restore(l->fem, state, stc_fem_state_size(l->fem)));
}

// --- The functions of the scene ---

static const stc_callback *of_obstacle(const stc_scene_pair_data *pair, bool moves) {
  static const stc_callback none = {LUA_NOREF, 0};
  if (!pair->obstacle) return &none;
  return moves ? &pair->obstacle->motion : &pair->obstacle->distance;
}

static const stc_callback *function(const stc_scene *scene, int k) {
  const stc_deform *d = scene->deform;
  if (k < d->supports.count) return &d->support[k].given->function;
  k -= d->supports.count;
  if (k < d->loads.count) return &d->load[k].given->function;
  k -= d->loads.count;
  if (k < 2 * d->pairs.count) return of_obstacle(&d->pair[k / 2], k % 2);
  k -= 2 * d->pairs.count;
  for (int p = 0; p < d->plots.count; p++) {
    if (k < d->plot[p].curves) return &d->plot[p].curve[k].function;
    k -= d->plot[p].curves;
  }
  return NULL;
}

const stc_kind stc_kind_deformable = {.name = "solid",
                                      .check = stc_deform_check,
                                      .function = function,
                                      .create = create,
                                      .free = free_loading,
                                      .step = step,
                                      .reached = reached,
                                      .time = time_of,
                                      .steps = steps,
                                      .q = displacement,
                                      .report = report_of,
                                      .energy = energy,
                                      .columns = columns,
                                      .column_name = column_name,
                                      .row = row,
                                      .blocks = stc_loading_blocks,
                                      .fill_blocks = stc_loading_fill_blocks,
                                      .open_view = stc_loading_open_view,
                                      .show = stc_loading_show,
                                      .state_size = state_size,
                                      .save = save,
                                      .restore = restore,
                                      .problem = problem};
