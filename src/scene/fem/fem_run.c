// Load steps: each step of a run goes to the next time of the scene's list.
#include "fem_run.h"
#include "../../base/number.h"
#include <lauxlib.h>
#include <string.h>

enum { NUMBERS = sizeof(stc_fem_numbers) / sizeof(double) };
#define OF_STEPS(name)  STC_NUMBER(stc_fem_numbers, name)
#define OF_ENERGY(name) STC_NUMBER(stc_loading, name)

// --- Making ---

// What can be read off the bodies after each step.
static void read_loading(stc_loading *l) {
  stc_moving *run = &l->run;
  run->step = (long)l->numbers->step;
  run->t = run->step ? l->deform->time[run->step - 1] : 0;
  run->q = stc_fem_displacement(l->fem);
  stc_fem_energy(l->fem, &l->stored, &l->plastic, &l->friction);
  stc_fem_heat(l->fem, &l->heat_rate, &l->heat_sum);
  if (run->step)
    memcpy(l->last_count, l->count + (run->step - 1) * STC_COUNTS, sizeof l->last_count);
}

// A resumed run factorises again: the number of factors is not part of a row, whose bits are the
// same.
static void list_columns(stc_loading *l) {
  static const stc_number table[] = {OF_STEPS(closed),      OF_STEPS(slipping), OF_STEPS(residual),
                                     OF_STEPS(penetration), OF_STEPS(eta),      OF_STEPS(strain),
                                     OF_STEPS(rotation),    {NULL, 0}};
  static const stc_number energy[] = {
      OF_ENERGY(stored), OF_ENERGY(plastic), OF_ENERGY(friction), {NULL, 0}};
  stc_moving *run = &l->run;
  stc_show(run, &run->columns, &l->last_count[STC_ITERATIONS], "iterations");
  stc_show(run, &run->columns, &l->last_count[STC_CUTS], "cuts");
  stc_show_numbers(run, &run->columns, l->numbers, table);
  stc_show_numbers(run, &run->columns, l, energy);
  stc_show_numbers(run, &run->energy, l, energy);
  stc_loading_list_heat(l);
}

static stc_error open_loading(void *moving, const stc_run_settings *settings) {
  stc_loading *l = moving;
  stc_moving *run = &l->run;
  stc_arena arena = {0};
  stc_fem_description description;
  l->deform = run->scene->deform;
  stc_fem_settings fem = l->deform->settings;
  fem.progress = settings->progress;
  fem.progress_user = settings->progress_user;
  stc_error error = stc_deform_describe(run->scene, &arena, &description);
  if (!error) error = stc_fem_create(&description, &fem, &l->fem);
  stc_arena_free(&arena);
  STC_TRY(stc_scene_error(run->scene, error));
  run->kept_count = NUMBERS + STC_COUNTS * (size_t)l->deform->steps;
  run->kept = STC_TAKE(&run->arena, double, run->kept_count);
  STC_TRY(stc_arena_check(&run->arena));
  l->numbers = (stc_fem_numbers *)(void *)run->kept;
  l->count = run->kept + NUMBERS;
  run->t_last = l->deform->time[l->deform->steps - 1];
  run->fem = &l->sum;
  list_columns(l);
  stc_loading_list_blocks(l);
  read_loading(l);
  l->deform->loading = l;
  return STC_OK;
}

static void forget_problem(stc_loading *l) {
  stc_problem_free(&l->problem);
  stc_release(&l->guess);
}

static void close_loading(void *moving) {
  stc_loading *l = moving;
  if (l->deform) l->deform->loading = NULL;
  forget_problem(l);
  stc_fem_free(&l->fem);
}

// --- Stepping ---

// A refused step counts, but what is closed is what was closed before it.
static void add_step(stc_fem_report *sum, const stc_fem_report *one) {
  stc_fem_report before = *sum;
  if (one->accepted) *sum = *one;
  // The largest deformation of all steps, one that was taken back later included.
  if (before.strain >= sum->strain) {
    sum->strain = before.strain;
    sum->strain_cell = before.strain_cell;
  }
  if (before.rotation >= sum->rotation) {
    sum->rotation = before.rotation;
    sum->rotation_cell = before.rotation_cell;
  }
  sum->large = sum->large || before.large;
  sum->iterations = before.iterations + one->iterations;
  sum->factorisations = before.factorisations + one->factorisations;
  sum->cuts = before.cuts + one->cuts;
  sum->augmentations = before.augmentations + one->augmentations;
  sum->assembly_seconds = before.assembly_seconds + one->assembly_seconds;
  sum->factor_seconds = before.factor_seconds + one->factor_seconds;
  sum->solve_seconds = before.solve_seconds + one->solve_seconds;
  sum->contact_seconds = before.contact_seconds + one->contact_seconds;
}

static void note_step(stc_loading *l, const stc_fem_report *r) {
  double *count = l->count + l->run.step * STC_COUNTS;
  count[STC_ITERATIONS] = r->iterations;
  count[STC_FACTORISATIONS] = r->factorisations;
  count[STC_CUTS] = r->cuts;
  count[STC_AUGMENTATIONS] = r->augmentations;
  *l->numbers = (stc_fem_numbers){.step = l->numbers->step + 1,
                                  .closed = r->closed,
                                  .slipping = r->slipping,
                                  .residual = r->residual,
                                  .penetration = r->penetration,
                                  .eta = r->eta,
                                  .strain = r->strain,
                                  .rotation = r->rotation,
                                  .largest_strain = l->sum.strain,
                                  .largest_rotation = l->sum.rotation,
                                  .strain_cell = l->sum.strain_cell,
                                  .rotation_cell = l->sum.rotation_cell,
                                  .large = l->sum.large};
  read_loading(l);
}

static stc_error step_loading(void *moving, double t_end, stc_step_report *report) {
  (void)t_end;
  stc_loading *l = moving;
  stc_fem_report own = {0};
  forget_problem(l);
  stc_error error = stc_fem_advance(l->fem, l->deform->time[l->run.step], &own);
  STC_TRY(stc_scene_error(l->run.scene, error));
  add_step(&l->sum, &own);
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

static const stc_problem *problem_of_loading(void *moving, const double **guess) {
  stc_loading *l = moving;
  if (!l->problem && stc_fem_problem(l->fem, &l->problem, &l->guess) != STC_OK) return NULL;
  *guess = l->guess;
  return l->problem;
}

// --- Checkpoints ---

static size_t loading_size(const void *moving) {
  return stc_fem_state_size(((const stc_loading *)moving)->fem);
}

static void save_loading(const void *moving, double *state) {
  stc_fem_save(((const stc_loading *)moving)->fem, state);
}

// A number of a file: whatever it is, a cell or none comes out.
static int take_cell(const stc_loading *l, double number) {
  return number >= 0 && number < l->deform->used->cells ? (int)number : -1;
}

static stc_error restore_loading(void *moving, const double *state) {
  stc_loading *l = moving;
  const stc_fem_numbers *n = l->numbers;
  if (!(n->step >= 0 && n->step <= l->deform->steps))
    return stc_fail(STC_ERR_FORMAT, "the checkpoint is at step %g of %d", n->step,
                    l->deform->steps);
  l->sum = (stc_fem_report){.accepted = true,
                            .closed = (int)n->closed,
                            .slipping = (int)n->slipping,
                            .residual = n->residual,
                            .penetration = n->penetration,
                            .eta = n->eta,
                            .strain = n->largest_strain,
                            .rotation = n->largest_rotation,
                            .strain_cell = take_cell(l, n->strain_cell),
                            .rotation_cell = take_cell(l, n->rotation_cell),
                            .large = n->large != 0};
  STC_TRY(stc_scene_error(l->run.scene, stc_fem_restore(l->fem, state, loading_size(l))));
  read_loading(l);
  return STC_OK;
}

// --- The functions of the scene ---

static const stc_callback *of_obstacle(const stc_scene_pair_data *pair, bool moves) {
  static const stc_callback none = {LUA_NOREF, 0};
  if (!pair->obstacle) return &none;
  return moves ? &pair->obstacle->motion : &pair->obstacle->distance;
}

static const stc_callback *function_of_loading(const stc_scene *scene, int k) {
  const stc_deform *d = scene->deform;
  if (k < d->supports.count) return &d->support[k].given->function;
  k -= d->supports.count;
  if (k < d->loads.count) return &d->load[k].given->function;
  k -= d->loads.count;
  if (k < 2 * d->pairs.count) return of_obstacle(&d->pair[k / 2], k % 2);
  k -= 2 * d->pairs.count;
  if (k < d->pairs.count) return &d->pair[k].friction.function;
  k -= d->pairs.count;
  for (int i = 0; i < STC_DEFORM_HEAT_FUNCTIONS(d); i++)
    if (k-- == 0) return stc_deform_heat_function(d, i);
  for (int p = 0; p < d->plots.count; p++) {
    if (k < d->plot[p].curves) return &d->plot[p].curve[k].function;
    k -= d->plot[p].curves;
  }
  return NULL;
}

STC_KIND(fem, "a solid", stc_loading, loading, stc_deform_check, stc_loading_show,
         .fill_blocks = stc_loading_fill_blocks, .open_view = stc_loading_open_view,
         .problem = problem_of_loading)
