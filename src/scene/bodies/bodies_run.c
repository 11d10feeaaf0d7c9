// Rigid bodies in motion: the steps of a world, its rows, its checkpoints.
#include "context.h"

#include "../../base/clock.h"
#include "../../base/number.h"
#include "../keys.h"
#include "../lagrangian/lagrangian_run.h"
#include "../store_file.h"

#include <math.h>
#include <string.h>

// A step that ends within this part of h after t_end is the last one: t_end / h need not be whole
// in binary.
static const double LAST_STEP = 1e-6;

// A step shorter than this says nothing about how far it is.
static const double SILENT = 1;  // s

static const char *const fixed_columns[] = {"contacts", "eta",       "overlap",    "joint_gap",
                                            "kinetic",  "potential", "work",       "drive",
                                            "friction", "shock",     "correction", "error"};
enum { FIXED = sizeof fixed_columns / sizeof *fixed_columns, AXES = 3 };

// --- Making ---

static bool on_progress(void *user, const stc_progress *progress) {
  const stc_bodies_motion *m = user;
  (void)progress;
  if (!m->progress) return true;
  bool silent = stc_clock() - m->step_began < SILENT;
  return m->progress(m->progress_user, silent ? "" : "contacts", 0);
}

static void list_columns(stc_bodies_motion *m) {
  int moving = 0;
  for (int k = 0; k < m->context->bodies.count; k++) {
    if (m->context->body[k].body.mobility == STC_MOBILITY_FIXED) continue;
    if (moving < STC_CONTEXT_COLUMNS) m->columns_of[moving] = k;
    moving++;
  }
  m->columned = moving <= STC_CONTEXT_COLUMNS ? moving : 0;
}

static stc_error open_motion(stc_bodies_motion *m, const stc_run_settings *settings) {
  stc_world_settings own = m->context->settings;
  if (settings->threads > 0) own.threads = settings->threads;
  m->progress = settings->progress;
  m->progress_user = settings->progress_user;
  own.solver.progress = on_progress;
  own.solver.user = m;
  m->places = STC_TAKE(&m->arena, double, m->scene->dofs);
  m->start = STC_TAKE(&m->arena, double, m->scene->dofs);
  STC_TRY(stc_arena_check(&m->arena));
  STC_TRY(stc_bodies_build(m->scene, &own, &m->world));
  stc_world_places(m->world, m->places);
  stc_world_places(m->world, m->start);
  list_columns(m);
  return STC_OK;
}

static void free_motion(void **moving) {
  stc_bodies_motion *m = *moving;
  if (!m) return;
  stc_world_free(&m->world);
  stc_world_free(&m->still);
  m->context->motion = NULL;
  stc_arena_free(&m->arena);
  stc_release(moving);
}

static stc_error create(stc_scene *scene, const stc_run_settings *settings, void **moving) {
  stc_bodies_motion *m = *moving = stc_calloc(1, sizeof *m);
  if (!m) return stc_fail(STC_ERR_MEMORY, "out of memory for a motion");
  m->scene = scene;
  m->context = scene->context;
  m->report.restitution = 1;
  scene->context->motion = m;
  stc_error error = open_motion(m, settings);
  if (error) free_motion(moving);
  return error;
}

// --- Stepping ---

static void add_up(stc_bodies_motion *m, const stc_world_report *r) {
  double collide = m->sum.collide_seconds + r->collide_seconds;
  double solve = m->sum.solve_seconds + r->solve_seconds;
  double eta = fmax(m->sum.eta, r->eta), overlap = fmax(m->sum.overlap, r->overlap);
  double joint_gap = fmax(m->sum.joint_gap, r->joint_gap);
  m->report = m->sum = *r;
  m->sum.collide_seconds = collide;
  m->sum.solve_seconds = solve;
  m->sum.eta = eta;
  m->sum.overlap = overlap;
  m->sum.joint_gap = joint_gap;
}

static void translate(const stc_world_report *from, stc_step_report *to) {
  *to = (stc_step_report){.accepted = from->accepted,
                          .status = from->status,
                          .contacts = from->contacts,
                          .eta = from->eta,
                          .fclib_error = from->fclib_error,
                          .violation = from->overlap,
                          .restitution = from->restitution};
  memcpy(to->reason, from->reason, sizeof to->reason);
}

static stc_error step(void *moving, double t_end, stc_step_report *report) {
  (void)t_end;
  stc_bodies_motion *m = moving;
  stc_world_report r = {0};
  m->step_began = stc_clock();
  STC_TRY(stc_scene_error(m->scene, stc_world_step(m->world, &r)));
  translate(&r, report);
  if (!r.accepted) return STC_OK;
  add_up(m, &r);
  stc_world_places(m->world, m->places);
  return STC_OK;
}

static double time_of(const void *moving) {
  return stc_world_time(((const stc_bodies_motion *)moving)->world);
}

static bool reached(const void *moving, double t_end) {
  const stc_bodies_motion *m = moving;
  return time_of(m) >= t_end - LAST_STEP * m->context->settings.h;
}

static long steps(const void *moving) {
  return stc_world_steps(((const stc_bodies_motion *)moving)->world);
}

static const double *places(const void *moving) {
  return ((const stc_bodies_motion *)moving)->places;
}

static const stc_ledger *ledger(const void *moving) {
  return stc_world_ledger(((const stc_bodies_motion *)moving)->world);
}

static const stc_world_report *report_of(const void *moving) {
  return &((const stc_bodies_motion *)moving)->sum;
}

static bool energy(const void *moving, int k, const char **name, double *value) {
  return stc_motion_energy(ledger(moving), k, name, value);
}

static const stc_problem *problem(void *moving, const double **guess) {
  return stc_world_problem(((stc_bodies_motion *)moving)->world, guess);
}

// --- Rows: of few bodies with the places of those that move ---

static int columns(const void *moving) {
  return FIXED + AXES * ((const stc_bodies_motion *)moving)->columned;
}

static void column_name(const void *moving, int k, char name[STC_COLUMN_NAME]) {
  static const char *const axes[2][AXES] = {{"x", "y", "z"}, {"x", "y", "angle"}};
  const stc_bodies_motion *m = moving;
  if (k < FIXED) {
    stc_snprintf(name, STC_COLUMN_NAME, "%s", fixed_columns[k]);
    return;
  }
  int number = m->columns_of[(k - FIXED) / AXES];
  const stc_bodies_body *b = &m->context->body[number];
  const char *axis = axes[m->context->settings.plane][(k - FIXED) % AXES];
  if (b->named && stc_name_is_plain(b->name) && strlen(b->name) < STC_COLUMN_NAME - 8)
    stc_snprintf(name, STC_COLUMN_NAME, "%.16s_%s", b->name, axis);
  else
    stc_snprintf(name, STC_COLUMN_NAME, "body%d_%s", number + 1, axis);
}

static void row(const void *moving, double *numbers) {
  const stc_bodies_motion *m = moving;
  const stc_ledger *l = ledger(m);
  const stc_world_report *r = &m->report;
  const double fixed[FIXED] = {r->contacts, r->eta,       r->overlap,    r->joint_gap,
                               l->kinetic,  l->potential, l->work,       l->drive,
                               l->friction, l->shock,     l->correction, l->error};
  memcpy(numbers, fixed, sizeof fixed);
  for (int k = 0; k < m->columned; k++) {
    const double *x = m->places + (size_t)m->columns_of[k] * STC_PLACE_NUMBERS;
    double *to = numbers + FIXED + AXES * k;
    memcpy(to, x, AXES * sizeof *to);
    if (m->context->settings.plane) to[2] = 2 * atan2(x[6], x[3]);
  }
}

static const stc_block_field *blocks(const void *moving, int *count, const stc_mesh **mesh) {
  stc_bodies_motion *m = (stc_bodies_motion *)moving;
  m->block = (stc_block_field){STC_RUN_PLACES, m->scene->dofs};
  *count = 1;
  *mesh = NULL;
  return &m->block;
}

static stc_error fill_blocks(void *moving, double *numbers) {
  const stc_bodies_motion *m = moving;
  memcpy(numbers, m->places, (size_t)m->scene->dofs * sizeof *numbers);
  return STC_OK;
}

// --- Checkpoints ---

enum {
  SUM,
  CONTACTS,
  JOINTS,
  ETA,
  OVERLAP,
  JOINT_GAP,
  RESTITUTION,
  LARGEST_ETA,
  LARGEST_OVERLAP,
  LARGEST_JOINT_GAP,
  OWN
};

static size_t state_size(const void *moving) {
  return OWN + stc_world_state_size(((const stc_bodies_motion *)moving)->world);
}

static void save(const void *moving, double *state) {
  const stc_bodies_motion *m = moving;
  state[SUM] = m->context->checksum;
  state[CONTACTS] = m->report.contacts;
  state[JOINTS] = m->report.joints;
  state[ETA] = m->report.eta;
  state[OVERLAP] = m->report.overlap;
  state[JOINT_GAP] = m->report.joint_gap;
  state[RESTITUTION] = m->report.restitution;
  state[LARGEST_ETA] = m->sum.eta;
  state[LARGEST_OVERLAP] = m->sum.overlap;
  state[LARGEST_JOINT_GAP] = m->sum.joint_gap;
  stc_world_save(m->world, state + OWN);
}

static stc_error restore(void *moving, const double *state) {
  stc_bodies_motion *m = moving;
  if (state[SUM] != m->context->checksum)
    return stc_fail(STC_ERR_VALUE,
                    "%s: a hull or a terrain has changed since the run began; "
                    "restore its file, or begin anew without --resume",
                    m->scene->path);
  STC_TRY(stc_world_restore(m->world, state + OWN, stc_world_state_size(m->world)));
  m->report = (stc_world_report){.accepted = true,
                                 .status = STC_STATUS_SOLVED,
                                 .contacts = (int)state[CONTACTS],
                                 .joints = (int)state[JOINTS],
                                 .eta = state[ETA],
                                 .overlap = state[OVERLAP],
                                 .joint_gap = state[JOINT_GAP],
                                 .restitution = state[RESTITUTION]};
  m->sum = m->report;
  m->sum.eta = state[LARGEST_ETA];
  m->sum.overlap = state[LARGEST_OVERLAP];
  m->sum.joint_gap = state[LARGEST_JOINT_GAP];
  stc_world_places(m->world, m->places);
  return STC_OK;
}

// --- The functions of the scene ---

static const stc_callback *function(const stc_scene *scene, int k) {
  const stc_context *context = scene->context;
  return k < context->bodies.count ? &context->body[k].drive : NULL;
}

const stc_kind stc_kind_rigid = {.name = "world",
                                 .check = stc_bodies_check,
                                 .function = function,
                                 .create = create,
                                 .free = free_motion,
                                 .step = step,
                                 .reached = reached,
                                 .time = time_of,
                                 .steps = steps,
                                 .q = places,
                                 .ledger = ledger,
                                 .world = report_of,
                                 .energy = energy,
                                 .columns = columns,
                                 .column_name = column_name,
                                 .row = row,
                                 .blocks = blocks,
                                 .fill_blocks = fill_blocks,
                                 .open_view = stc_bodies_open_view,
                                 .show = stc_bodies_show,
                                 .state_size = state_size,
                                 .save = save,
                                 .restore = restore,
                                 .problem = problem};
