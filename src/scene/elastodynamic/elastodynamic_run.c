// An elastodynamic run: all members of a scene step together, each step of length dt.
#include "elastodynamic_scene.h"

#include "../../base/number.h"

#include <assert.h>
#include <lauxlib.h>
#include <math.h>
#include <string.h>

enum { STATE_NUMBERS = sizeof(stc_wave_state) / sizeof(double) };

static_assert(sizeof(stc_wave_state) % sizeof(double) == 0, "a state is made of doubles");

static stc_wave_member *member(const void *moving, int k) {
  return ((const stc_wave_run *)moving)->wave->member[k];
}

static int members(const void *moving) { return ((const stc_wave_run *)moving)->wave->members; }

// --- Making ---

static void copy_slip(stc_wave_run *run) {
  for (int k = 0; k < members(run); k++) {
    run->slip[k] = member(run, k)->state.slip;
    run->w[k] = member(run, k)->state.w;
  }
}

// What a member says with its name; a function of the scene says it itself.
static stc_error name_member(stc_wave_run *run, const stc_wave_member *m, stc_error error) {
  if (!error || run->scene->failed) return stc_scene_error(run->scene, error);
  return stc_fail(error, "%s:%d: %s '%s': %s", run->scene->path, m->line, m->ops->word, m->name,
                  stc_error_detail());
}

static stc_error open_members(stc_wave_run *run, const stc_run_settings *settings) {
  run->slip = STC_TAKE(&run->arena, double, members(run));
  run->w = STC_TAKE(&run->arena, double, members(run));
  STC_TRY(stc_arena_check(&run->arena));
  for (int k = 0; k < members(run); k++) {
    stc_wave_member *m = member(run, k);
    m->state = (stc_wave_state){.jump_up = NAN, .jump_down = NAN, .roots = 1};
    m->warning[0] = 0;
    m->samples = 0;
    STC_TRY(name_member(run, m, m->ops->create(m, settings)));
  }
  copy_slip(run);
  return stc_wave_run_list(run);
}

static void free_members(void **moving) {
  stc_wave_run *run = *moving;
  if (!run) return;
  for (int k = 0; k < members(run); k++) member(run, k)->ops->free(member(run, k));
  run->wave->run = NULL;
  stc_arena_free(&run->arena);
  stc_release(moving);
}

static stc_error create(stc_scene *scene, const stc_run_settings *settings, void **moving) {
  stc_wave_run *run = *moving = stc_calloc(1, sizeof *run);
  if (!run) return stc_fail(STC_ERR_MEMORY, "out of memory for an elastodynamic run");
  run->scene = scene;
  run->wave = scene->wave;
  scene->wave->run = run;
  stc_error error = open_members(run, settings);
  if (error) free_members(moving);
  return error;
}

// --- Stepping ---

static stc_error step(void *moving, double t_end, stc_step_report *report) {
  (void)t_end;
  stc_wave_run *run = moving;
  *report = (stc_step_report){.accepted = true, .status = STC_STATUS_SOLVED, .restitution = 1};
  for (int k = 0; k < members(run); k++) {
    stc_wave_member *m = member(run, k);
    STC_TRY(name_member(run, m, m->ops->step(m, run->step + 1, report)));
  }
  run->step++;
  copy_slip(run);
  return STC_OK;
}

static double time_of(const void *moving) {
  const stc_wave_run *run = moving;
  return (double)run->step * run->wave->dt;
}

static bool reached(const void *moving, double t_end) {
  const stc_wave_run *run = moving;
  return run->step >= stc_wave_steps_to(run->wave, t_end);
}

static long steps(const void *moving) { return ((const stc_wave_run *)moving)->step; }
static const double *slips(const void *moving) { return ((const stc_wave_run *)moving)->slip; }
static const double *rates(const void *moving) { return ((const stc_wave_run *)moving)->w; }

static bool energy(const void *moving, int k, const char **name, double *value) {
  for (int i = 0; k >= 0 && i < members(moving); i++) {
    const stc_wave_member *m = member(moving, i);
    if (!m->ops->has_energy || k-- > 0) continue;
    *name = m->name;
    *value = m->state.energy;
    return true;
  }
  return false;
}

static bool report(const void *moving, int k, stc_elastodynamic_report *r) {
  if (k < 0 || k >= members(moving)) return false;
  const stc_wave_member *m = member(moving, k);
  const stc_wave_state *s = &m->state;
  *r = (stc_elastodynamic_report){.name = m->name,
                                  .kind = m->ops->word,
                                  .uniqueness = s->uniqueness,
                                  .roots = (int)s->most_roots,
                                  .several = (long)s->several,
                                  .rule = m->rule,
                                  .unconverged = (long)s->unconverged,
                                  .has_energy = m->ops->has_energy,
                                  .energy_error = s->energy_error,
                                  .warning = m->warning};
  return true;
}

static const stc_problem *problem(void *moving, const double **guess) {
  (void)moving;
  *guess = NULL;
  return NULL;
}

// --- Rows ---

static int entries(const stc_wave_ops *ops) {
  int count = 0;
  while (ops->entry[count].name) count++;
  return count;
}

static int columns(const void *moving) {
  int count = 0;
  for (int k = 0; k < members(moving); k++) count += entries(member(moving, k)->ops);
  return count;
}

// With one member "w", with several "NAME_w".
static void column_name(const void *moving, int k, char name[STC_COLUMN_NAME]) {
  int i = 0;
  for (; k >= entries(member(moving, i)->ops); i++) k -= entries(member(moving, i)->ops);
  const stc_wave_member *m = member(moving, i);
  const char *what = m->ops->entry[k].name;
  if (members(moving) == 1)
    stc_snprintf(name, STC_COLUMN_NAME, "%s", what);
  else
    stc_snprintf(name, STC_COLUMN_NAME, "%s_%s", m->name, what);
}

static void row(const void *moving, double *numbers) {
  for (int k = 0; k < members(moving); k++) {
    const stc_wave_member *m = member(moving, k);
    for (const stc_wave_entry *e = m->ops->entry; e->name; e++)
      memcpy(numbers++, (const char *)&m->state + e->at, sizeof *numbers);
  }
}

// --- Checkpoints ---

static size_t size_of(const stc_wave_member *m) {
  return m->ops->state_size ? m->ops->state_size(m) : 0;
}

static size_t state_size(const void *moving) {
  size_t size = 1;
  for (int k = 0; k < members(moving); k++) size += STATE_NUMBERS + size_of(member(moving, k));
  return size;
}

static void save(const void *moving, double *state) {
  *state++ = (double)((const stc_wave_run *)moving)->step;
  for (int k = 0; k < members(moving); k++) {
    const stc_wave_member *m = member(moving, k);
    memcpy(state, &m->state, sizeof m->state);
    state += STATE_NUMBERS;
    if (m->ops->save) m->ops->save(m, state);
    state += size_of(m);
  }
}

static stc_error restore(void *moving, const double *state) {
  stc_wave_run *run = moving;
  if (!(*state >= 0 && *state <= STC_WAVE_STEPS))
    return stc_fail(STC_ERR_FORMAT, "the checkpoint is at step %g", *state);
  run->step = (long)*state++;
  for (int k = 0; k < members(run); k++) {
    stc_wave_member *m = member(run, k);
    if (m->samples && run->step >= m->samples)
      return stc_fail(STC_ERR_VALUE,
                      "the checkpoint is at t = %g, past the end; go on with --until",
                      time_of(run));
    memcpy(&m->state, state, sizeof m->state);
    state += STATE_NUMBERS;
    if (m->ops->restore) STC_TRY(m->ops->restore(m, state, size_of(m)));
    state += size_of(m);
  }
  copy_slip(run);
  return STC_OK;
}

// --- The functions of the scene ---

static const stc_callback *function_of(const stc_wave_member *m, int k) {
  if (k < 2) return &m->tau[k];
  k -= 2;
  return k < m->supports ? &m->support[k].function : &m->traction[k - m->supports].function;
}

static const stc_callback *function(const stc_scene *scene, int k) {
  const stc_wave *wave = scene->wave;
  for (int i = 0; i < wave->members; i++) {
    const stc_wave_member *m = wave->member[i];
    int own = 2 + m->supports + m->tractions;
    if (k < own) return function_of(m, k);
    k -= own;
  }
  return NULL;
}

const stc_kind stc_kind_wave = {.name = "elastodynamic",
                                .check = stc_wave_check,
                                .function = function,
                                .create = create,
                                .free = free_members,
                                .step = step,
                                .reached = reached,
                                .time = time_of,
                                .steps = steps,
                                .q = slips,
                                .u = rates,
                                .wave = report,
                                .energy = energy,
                                .columns = columns,
                                .column_name = column_name,
                                .row = row,
                                .blocks = stc_wave_run_blocks,
                                .fill_blocks = stc_wave_run_fill,
                                .constants = stc_wave_run_constants,
                                .open_view = stc_wave_run_open_view,
                                .show = stc_wave_run_show,
                                .state_size = state_size,
                                .save = save,
                                .restore = restore,
                                .problem = problem};
