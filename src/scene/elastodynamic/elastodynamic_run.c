// An elastodynamic run: all members of a scene step together, each step of length dt.
#include "elastodynamic_scene.h"

#include <assert.h>
#include <math.h>
#include <string.h>

enum { STATE_NUMBERS = sizeof(stc_wave_state) / sizeof(double) };

static_assert(sizeof(stc_wave_state) % sizeof(double) == 0, "a state is made of doubles");

static stc_wave_member *member_at(const void *moving, int k) {
  return ((const stc_wave_run *)moving)->wave->member[k];
}

static int members_of(const void *moving) { return ((const stc_wave_run *)moving)->wave->members; }

// --- Making ---

static void read_members(stc_wave_run *m) {
  m->run.t = (double)m->run.step * m->wave->dt;
  for (int k = 0; k < members_of(m); k++) {
    m->slip[k] = member_at(m, k)->state.slip;
    m->w[k] = member_at(m, k)->state.w;
  }
}

// What a member says with its name; a function of the scene says it itself.
static stc_error name_member(stc_wave_run *run, const stc_wave_member *m, stc_error error) {
  if (!error || run->run.scene->failed) return stc_scene_error(run->run.scene, error);
  return stc_fail(error, "%s:%d: %s '%s': %s", run->run.scene->path, m->line, m->ops->word, m->name,
                  stc_error_detail());
}

static void show_column(stc_wave_run *run, const stc_wave_member *m, const double *at,
                        const char *name) {
  bool one = run->wave->members == 1;
  stc_show(&run->run, &run->run.columns, at, one ? "%s%s" : "%s_%s", one ? "" : m->name, name);
}

// With one member the column "w", with several "NAME_w".
static void list_member(stc_wave_run *run, const stc_wave_member *m) {
  stc_moving *base = &run->run;
  for (const stc_number *n = m->ops->entry; n->name; n++)
    show_column(run, m, stc_number_at(&m->state, n), n->name);
  if (m->alpha > 0) {
    show_column(run, m, &m->state.norm, "norm");
    show_column(run, m, &m->state.bound, "bound");
  }
  if (m->certificates) {
    show_column(run, m, &m->state.answers, "answers");
    show_column(run, m, &m->state.sharp, "sharp");
  }
  if (m->ops->has_energy) stc_show(base, &base->energy, &m->state.energy, "%s", m->name);
}

static stc_error open_members(void *moving, const stc_run_settings *settings) {
  stc_wave_run *run = moving;
  stc_moving *base = &run->run;
  run->wave = base->scene->wave;
  run->wave->run = run;
  base->q = run->slip = STC_TAKE(&base->arena, double, members_of(run));
  base->u = run->w = STC_TAKE(&base->arena, double, members_of(run));
  STC_TRY(stc_arena_check(&base->arena));
  for (int k = 0; k < members_of(run); k++) {
    stc_wave_member *m = member_at(run, k);
    m->state = (stc_wave_state){.jump_up = NAN, .jump_down = NAN, .roots = 1};
    m->warning[0] = 0;
    m->samples = 0;
    STC_TRY(name_member(run, m, m->ops->create(m, settings)));
    list_member(run, m);
  }
  read_members(run);
  return stc_wave_run_list(run);
}

static void close_members(void *moving) {
  stc_wave_run *run = moving;
  if (!run->wave) return;
  for (int k = 0; k < members_of(run); k++) member_at(run, k)->ops->free(member_at(run, k));
  run->wave->run = NULL;
}

// --- Stepping ---

static stc_error step_members(void *moving, double t_end, stc_step_report *report) {
  (void)t_end;
  stc_wave_run *run = moving;
  *report = (stc_step_report){.accepted = true, .status = STC_STATUS_SOLVED, .restitution = 1};
  for (int k = 0; k < members_of(run); k++) {
    stc_wave_member *m = member_at(run, k);
    STC_TRY(name_member(run, m, m->ops->step(m, run->run.step + 1, report)));
  }
  run->run.step++;
  read_members(run);
  return STC_OK;
}

static bool members_reached(const void *moving, double t_end) {
  const stc_wave_run *run = moving;
  return run->run.step >= stc_wave_steps_to(run->wave, t_end);
}

static bool report_of_member(const void *moving, int k, stc_elastodynamic_report *r) {
  if (k < 0 || k >= members_of(moving)) return false;
  stc_wave_member *m = member_at(moving, k);
  const stc_wave_state *s = &m->state;
  stc_wave_say_theorems(m);
  *r = (stc_elastodynamic_report){.name = m->name,
                                  .kind = m->ops->word,
                                  .uniqueness = s->uniqueness,
                                  .roots = (int)s->most_roots,
                                  .several = (long)s->several,
                                  .rule = m->rule,
                                  .unconverged = (long)s->unconverged,
                                  .has_energy = m->ops->has_energy,
                                  .energy_error = s->energy_error,
                                  .warning = m->warning,
                                  .theorems = m->theorems};
  return true;
}

// --- Checkpoints: the step, then each member ---

static size_t size_of_member(const stc_wave_member *m) {
  return m->ops->state_size ? m->ops->state_size(m) : 0;
}

static size_t members_size(const void *moving) {
  size_t size = 1;
  for (int k = 0; k < members_of(moving); k++)
    size += STATE_NUMBERS + size_of_member(member_at(moving, k));
  return size;
}

static void save_members(const void *moving, double *state) {
  *state++ = (double)((const stc_wave_run *)moving)->run.step;
  for (int k = 0; k < members_of(moving); k++) {
    const stc_wave_member *m = member_at(moving, k);
    memcpy(state, &m->state, sizeof m->state);
    state += STATE_NUMBERS;
    if (m->ops->save) m->ops->save(m, state);
    state += size_of_member(m);
  }
}

static stc_error restore_members(void *moving, const double *state) {
  stc_wave_run *run = moving;
  if (!(*state >= 0 && *state <= STC_WAVE_STEPS))
    return stc_fail(STC_ERR_FORMAT, "the checkpoint is at step %g", *state);
  run->run.step = (long)*state++;
  for (int k = 0; k < members_of(run); k++) {
    stc_wave_member *m = member_at(run, k);
    if (m->samples && run->run.step >= m->samples)
      return stc_fail(STC_ERR_VALUE,
                      "the checkpoint is at t = %g, past the end; go on with --until",
                      (double)run->run.step * run->wave->dt);
    memcpy(&m->state, state, sizeof m->state);
    state += STATE_NUMBERS;
    if (m->ops->restore) STC_TRY(m->ops->restore(m, state, size_of_member(m)));
    state += size_of_member(m);
  }
  read_members(run);
  return STC_OK;
}

// --- The functions of the scene ---

static const stc_callback *function_of_members(const stc_scene *scene, int k) {
  const stc_wave *wave = scene->wave;
  for (int i = 0; i < wave->members; i++) {
    const stc_wave_member *m = wave->member[i];
    if (k < 2) return &m->tau[k].function;
    k -= 2;
    if (k < m->supports) return &m->support[k].given->function;
    k -= m->supports;
    if (k < m->tractions) return &m->traction[k].given->function;
    k -= m->tractions;
    if (k < m->functions) return m->function_at[k];
    k -= m->functions;
  }
  return NULL;
}

STC_KIND(elastodynamic, "an elastodynamic run", stc_wave_run, members, stc_wave_check,
         stc_wave_run_show, .reached = members_reached, .wave = report_of_member,
         .fill_blocks = stc_wave_run_fill, .open_view = stc_wave_run_open_view)
