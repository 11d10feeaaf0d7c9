// Rigid bodies in motion: the steps of a world, its rows, its checkpoints.
#include "../../base/clock.h"
#include "../keys.h"
#include "../store_file.h"
#include "context.h"

#include <math.h>
#include <string.h>

// A step that ends within this part of h after t_end is the last one: t_end / h need not be whole
// in binary.
static const double LAST_STEP = 1e-6;

// A step shorter than this says nothing about how far it is.
static const double SILENT = 1;  // s

enum { AXES = 3 };

// --- Making ---

static bool on_solver_progress(void *user, const stc_progress *progress) {
  const stc_bodies_motion *m = user;
  (void)progress;
  if (!m->progress) return true;
  bool silent = stc_clock() - m->step_began < SILENT;
  return m->progress(m->progress_user, silent ? "" : "contacts", 0);
}

// Columns for the place of body k.
static void list_place(stc_bodies_motion *m, int k, const double *place) {
  static const char *const axes[2][AXES] = {{"x", "y", "z"}, {"x", "y", "angle"}};
  const stc_bodies_body *b = &m->context->body[k];
  bool named = b->named && stc_name_is_plain(b->name) && strlen(b->name) < STC_COLUMN_NAME - 8;
  for (int i = 0; i < AXES; i++) {
    const char *axis = axes[m->context->settings.plane][i];
    if (named)
      stc_show(&m->run, &m->run.columns, &place[i], "%.16s_%s", b->name, axis);
    else
      stc_show(&m->run, &m->run.columns, &place[i], "body%d_%s", k + 1, axis);
  }
}

// Of few bodies the places of those that move.
static void list_columns(stc_bodies_motion *m) {
  static const stc_number table[] = {
      STC_NUMBER(stc_bodies_numbers, contacts), STC_NUMBER(stc_bodies_numbers, eta),
      STC_NUMBER(stc_bodies_numbers, overlap),  STC_NUMBER(stc_bodies_numbers, joint_gap),
      STC_NUMBER(stc_bodies_numbers, relaxed),  {NULL, 0}};
  int moving = 0;
  stc_show_numbers(&m->run, &m->run.columns, &m->numbers, table);
  stc_show_ledger(&m->run, stc_world_ledger(m->world));
  for (int k = 0; k < m->context->bodies.count; k++) {
    if (m->context->body[k].body.mobility == STC_MOBILITY_FIXED) continue;
    if (moving < STC_CONTEXT_COLUMNS) m->columns_of[moving] = k;
    moving++;
  }
  m->columned = moving <= STC_CONTEXT_COLUMNS ? moving : 0;
  for (int k = 0; k < m->columned; k++) list_place(m, m->columns_of[k], m->column[k]);
}

static void read_world(stc_bodies_motion *m) {
  m->run.t = stc_world_time(m->world);
  m->run.step = stc_world_steps(m->world);
  stc_world_places(m->world, m->places);
  for (int k = 0; k < m->columned; k++) {
    const double *x = m->places + (size_t)m->columns_of[k] * STC_PLACE_NUMBERS;
    memcpy(m->column[k], x, sizeof m->column[k]);
    if (m->context->settings.plane) m->column[k][2] = 2 * atan2(x[6], x[3]);
  }
}

static stc_error open_bodies(void *moving, const stc_run_settings *settings) {
  stc_bodies_motion *m = moving;
  stc_moving *run = &m->run;
  m->context = run->scene->context;
  m->context->motion = m;
  m->numbers = (stc_bodies_numbers){.checksum = m->context->checksum, .restitution = 1};
  stc_world_settings own = m->context->settings;
  if (settings->threads > 0) own.threads = settings->threads;
  m->progress = settings->progress;
  m->progress_user = settings->progress_user;
  own.solver.progress = on_solver_progress;
  own.solver.user = m;
  run->q = m->places = STC_TAKE(&run->arena, double, run->scene->dofs);
  m->start = STC_TAKE(&run->arena, double, run->scene->dofs);
  STC_TRY(stc_arena_check(&run->arena));
  STC_TRY(stc_bodies_build(run->scene, &own, &m->world));
  run->world = &m->sum;
  run->bodies = m->world;
  run->slack = LAST_STEP * own.h;
  run->kept = &m->numbers.checksum;
  run->kept_count = sizeof m->numbers / sizeof(double);
  stc_world_places(m->world, m->start);
  list_columns(m);
  stc_show_block(run, STC_RUN_PLACES, run->scene->dofs);
  read_world(m);
  return STC_OK;
}

static void close_bodies(void *moving) {
  stc_bodies_motion *m = moving;
  stc_world_free(&m->world);
  stc_world_free(&m->still);
  if (m->context) m->context->motion = NULL;
}

// --- Stepping ---

static void add_report(stc_bodies_motion *m, const stc_world_report *r) {
  stc_bodies_numbers *n = &m->numbers;
  stc_world_report before = m->sum;
  *n = (stc_bodies_numbers){.checksum = n->checksum,
                            .contacts = r->contacts,
                            .joints = r->joints,
                            .eta = r->eta,
                            .overlap = r->overlap,
                            .joint_gap = r->joint_gap,
                            .restitution = r->restitution,
                            .relaxed = n->relaxed + r->relaxed,
                            .largest_eta = fmax(n->largest_eta, r->eta),
                            .largest_overlap = fmax(n->largest_overlap, r->overlap),
                            .largest_joint_gap = fmax(n->largest_joint_gap, r->joint_gap)};
  m->sum = *r;
  m->sum.collide_seconds += before.collide_seconds;
  m->sum.broad_seconds += before.broad_seconds;
  m->sum.narrow_seconds += before.narrow_seconds;
  m->sum.solve_seconds += before.solve_seconds;
  m->sum.integrate_seconds += before.integrate_seconds;
}

static void show_largest(stc_bodies_motion *m) {
  m->sum.eta = m->numbers.largest_eta;
  m->sum.overlap = m->numbers.largest_overlap;
  m->sum.joint_gap = m->numbers.largest_joint_gap;
  m->sum.relaxed = (int)m->numbers.relaxed;
}

static stc_error step_bodies(void *moving, double t_end, stc_step_report *report) {
  (void)t_end;
  stc_bodies_motion *m = moving;
  stc_world_report r = {0};
  m->step_began = stc_clock();
  STC_TRY(stc_scene_error(m->run.scene, stc_bodies_turn_gravity(m->run.scene, m->world)));
  STC_TRY(stc_scene_error(m->run.scene, stc_world_step(m->world, &r)));
  *report = (stc_step_report){.accepted = r.accepted,
                              .status = r.status,
                              .contacts = r.contacts,
                              .eta = r.eta,
                              .fclib_error = r.fclib_error,
                              .violation = r.overlap,
                              .restitution = r.restitution};
  memcpy(report->reason, r.reason, sizeof report->reason);
  if (!r.accepted) return STC_OK;
  add_report(m, &r);
  show_largest(m);
  read_world(m);
  return STC_OK;
}

static const stc_problem *problem_of_bodies(void *moving, const double **guess) {
  return stc_world_problem(((stc_bodies_motion *)moving)->world, guess);
}

// --- Rows ---

static stc_error fill_places(void *moving, double *numbers) {
  const stc_bodies_motion *m = moving;
  memcpy(numbers, m->places, (size_t)m->run.scene->dofs * sizeof *numbers);
  return STC_OK;
}

// --- Checkpoints ---

static size_t bodies_size(const void *moving) {
  return stc_world_state_size(((const stc_bodies_motion *)moving)->world);
}

static void save_bodies(const void *moving, double *state) {
  stc_world_save(((const stc_bodies_motion *)moving)->world, state);
}

static stc_error restore_bodies(void *moving, const double *state) {
  stc_bodies_motion *m = moving;
  const stc_bodies_numbers *n = &m->numbers;
  if (n->checksum != m->context->checksum)
    return stc_fail(STC_ERR_VALUE,
                    "%s: a hull or a terrain has changed since the run began; "
                    "restore its file, or begin anew without --resume",
                    m->run.scene->path);
  STC_TRY(stc_world_restore(m->world, state, bodies_size(m)));
  m->sum = (stc_world_report){.accepted = true,
                              .status = STC_STATUS_SOLVED,
                              .contacts = (int)n->contacts,
                              .joints = (int)n->joints,
                              .restitution = n->restitution};
  show_largest(m);
  read_world(m);
  return STC_OK;
}

static const stc_callback *function_of_bodies(const stc_scene *scene, int k) {
  const stc_context *context = scene->context;
  if (k < context->bodies.count) return &context->body[k].drive;
  k -= context->bodies.count;
  return k < context->surface_pairs.count ? &context->surface_pair[k].friction.function : NULL;
}

STC_KIND(bodies, "a world", stc_bodies_motion, bodies, stc_bodies_check, stc_bodies_show,
         .fill_blocks = fill_places, .open_view = stc_bodies_open_view,
         .problem = problem_of_bodies)
