// Cutting a problem at its components, and solving the parts one by one. Small components share a
// part as long as that is easy: one that is not holds up Newton's method and the judgement of all.
#include "split.h"

#include "../../base/fail.h"
#include "../../linalg/graph.h"
#include "cut.h"

#include <limits.h>
#include <string.h>

// The easy parts come first: their iterations are limited in the first of these cycles.
enum { CYCLES = 2 };  // [size]

// ---- creation ----

// part [components] = its part: components in order, those below half of `least` share a part until
// it is full, so that the cost of handling a part is small against that of a sweep over it. Returns
// the number of parts; *largest is the contacts of the largest component.
static int group(const int *size, int components, int least, int *part, int *largest) {
  int parts = 0, open = -1, filled = 0;
  *largest = 0;
  for (int k = 0; k < components; k++) {
    bool alone = size[k] >= least / 2;
    if (!alone && open < 0) {
      open = parts++;
      filled = 0;
    }
    if (size[k] > *largest) *largest = size[k];
    part[k] = alone ? parts++ : open;
    filled += alone ? 0 : size[k];
    if (filled >= least) open = -1;
  }
  return parts;
}

// Finds the components and groups them; leaves parts = 0 where cutting does not pay.
static stc_error plan(stc_solver *whole, stc_arena *scratch, stc_split *split) {
  const stc_reduced *p = whole->problem;
  int *component = STC_TAKE_RAW(scratch, int, p->contacts), largest;
  STC_TRY(stc_arena_check(scratch));
  split->components = stc_reduced_components(p, component);
  if (split->components < 2) return STC_OK;
  int *size = STC_TAKE(scratch, int, split->components);
  int *part = STC_TAKE_RAW(scratch, int, split->components);
  STC_TRY(stc_arena_check(scratch));
  for (int c = 0; c < p->contacts; c++) size[component[c]]++;
  int parts = group(size, split->components, whole->settings.part.least, part, &largest);
  bool as_hard = largest > whole->settings.rule.gain * p->contacts;
  if (parts < 2 || as_hard) return STC_OK;
  split->parts = parts;
  // Sorts the contacts by part; component [contacts] is overwritten by the part of each.
  stc_arena *arena = whole->arena;
  int contacts = p->contacts;
  split->ptr = STC_TAKE(arena, int, split->parts + 2);
  split->contact = STC_TAKE_RAW(arena, int, contacts);
  split->part = STC_TAKE(arena, stc_solver *, split->parts);
  split->solved = STC_TAKE(arena, bool, split->parts);
  split->shared = STC_TAKE(arena, bool, split->parts);
  STC_TRY(stc_arena_check(arena));
  for (int c = 0; c < contacts; c++) component[c] = part[component[c]];
  stc_graph_list_members(contacts, component, split->parts, split->ptr, split->contact);
  return STC_OK;
}

static stc_error create_parts(stc_solver *whole, stc_arena *scratch, stc_split *split) {
  stc_settings settings = whole->settings;
  int *place = NULL;
  stc_slab mark = {0};
  settings.tol *= settings.part.tol;
  STC_TRY(stc_cut_places(scratch, whole->problem, &place));
  for (int k = 0; k < split->parts; k++) {
    int first = split->ptr[k], contacts = split->ptr[k + 1] - first;
    STC_TRY(stc_cut_solver(whole, split->contact + first, contacts, &settings, place, &mark,
                           &split->shared[k], &split->part[k]));
  }
  return stc_split_update(split, whole);
}

stc_error stc_split_create(stc_solver *whole, stc_split *split) {
  *split = (stc_split){.components = 1};
  if (whole->parent || whole->problem->contacts < whole->settings.part.least) return STC_OK;
  stc_arena scratch = {0};
  stc_error error = plan(whole, &scratch, split);
  if (!error && split->parts > 0) error = create_parts(whole, &scratch, split);
  stc_arena_free(&scratch);
  if (error) stc_split_free(split);
  return error;
}

void stc_split_free(stc_split *split) {
  for (int k = 0; split->part && k < split->parts; k++) stc_solver_free(&split->part[k]);
}

// ---- numbers ----

stc_error stc_split_update(stc_split *split, const stc_solver *whole) {
  if (split->parts == 0) return STC_OK;
  stc_magnitude magnitude = stc_reduced_magnitude(whole->problem);
  for (int k = 0; k < split->parts; k++) {
    stc_solver *part = split->part[k];
    stc_reduced_follow(part->problem, whole->problem, split->contact + split->ptr[k], magnitude);
    if (part->sweep) stc_sweep_refresh(part->sweep);
    if (part->method->update) STC_TRY(part->method->update(part, part->state));
  }
  return STC_OK;
}

// ---- cycles ----

void stc_split_start(stc_split *split) {
  split->cycle = 0;
  split->last = -1;
  if (split->parts) memset(split->solved, 0, (size_t)split->parts * sizeof *split->solved);
}

// The reactions of part k, out of those of the whole or into them.
static void exchange(const stc_split *split, int k, int dim, double *part, double *whole,
                     bool out) {
  for (int c = split->ptr[k]; c < split->ptr[k + 1]; c++) {
    double *a = part + (ptrdiff_t)(c - split->ptr[k]) * dim;
    double *b = whole + (ptrdiff_t)split->contact[c] * dim;
    memcpy(out ? a : b, out ? b : a, (size_t)dim * sizeof *a);
  }
}

// Another part may have used the memory since.
static void take_over(stc_split *split, int k) {
  stc_solver *part = split->part[k];
  if (!split->shared[k] || split->last == k) return;
  if (part->sweep) stc_sweep_refresh(part->sweep);
  if (part->jacobian) stc_jacobian_forget(part->jacobian);
  split->last = k;
}

static void log_part(const stc_solver *s, int k, int parts, const stc_solver *part) {
  stc_solver_log(s, STC_LOG_INFO, "%s: part %d of %d, %d contacts, %ld iterations: %s, eta %.2e",
                 s->method->name, k + 1, parts, part->problem->contacts, part->iterations,
                 stc_status_name(part->status), part->best_residual.eta);
}

static void drive_part(stc_split *split, int k, stc_solver *s, long limit) {
  stc_solver *part = split->part[k];
  take_over(split, k);
  long left = stc_solver_left(s) - s->done;
  exchange(split, k, s->problem->dim, part->r, s->r, true);
  stc_solver_drive(part, limit < left ? limit : left);
  exchange(split, k, s->problem->dim, part->r, s->r, false);
  s->done += part->iterations;
  split->solved[k] = part->status == STC_STATUS_SOLVED;
  log_part(s, k, split->parts, part);
}

// One component of part k by itself, a solver of its own for this once. Says whether it is solved.
static bool drive_component(stc_split *split, int k, stc_solver *s, const int *contact,
                            int contacts, int *place) {
  stc_reduced *problem = NULL;
  stc_solver *part = split->part[k], *alone = NULL;
  if (stc_reduced_cut(s->problem, contact, contacts, place, &problem)) return false;
  stc_reduced_follow(problem, s->problem, contact, stc_reduced_magnitude(s->problem));
  if (stc_solver_setup_apart(problem, part->method->name, &part->settings, &alone)) return false;
  stc_cut_read(contact, contacts, s->problem->dim, s->r, alone->r);
  alone->parent = s;
  stc_solver_drive(alone, stc_solver_left(s) - s->done);
  alone->parent = NULL;
  stc_cut_write(contact, contacts, s->problem->dim, alone->r, s->r);
  s->done += alone->iterations;
  stc_auto_add_legs(part, alone);
  log_part(s, k, split->parts, alone);
  bool solved = alone->status == STC_STATUS_SOLVED;
  stc_solver_free(&alone);
  return solved;
}

// The components of part k one by one; false where it is one, or where there is no memory.
static bool drive_apart(stc_split *split, int k, stc_solver *s) {
  stc_arena scratch = {0};
  int contacts = split->ptr[k + 1] - split->ptr[k], *place = NULL;
  const int *contact = split->contact + split->ptr[k];
  int *component = STC_TAKE_RAW(&scratch, int, contacts);
  int *ptr = STC_TAKE(&scratch, int, contacts + 2), *list = STC_TAKE_RAW(&scratch, int, contacts);
  bool ready = !stc_arena_check(&scratch) && !stc_cut_places(&scratch, s->problem, &place);
  int components = ready ? stc_reduced_components(split->part[k]->problem, component) : 0;
  if (components > 1) {
    stc_graph_list_members(contacts, component, components, ptr, list);
    for (int i = 0; i < contacts; i++) list[i] = contact[list[i]];
    split->solved[k] = true;
    for (int i = 0; i < components && !stc_stop_due(0); i++)
      split->solved[k] &= drive_component(split, k, s, list + ptr[i], ptr[i + 1] - ptr[i], place);
  }
  stc_arena_free(&scratch);
  return components > 1;
}

stc_step stc_split_iterate(stc_split *split, stc_solver *s, const double *start) {
  bool unfinished = false;
  if (split->cycle >= CYCLES) return STC_STEP_STALLED;
  memcpy(s->r, start, (size_t)s->problem->size * sizeof *s->r);
  for (int k = 0; k < split->parts; k++) {
    if (split->solved[k] || stc_stop_due(0)) continue;
    bool last = split->cycle > 0;
    if (last && s->settings.regions && drive_apart(split, k, s)) continue;
    drive_part(split, k, s, last ? LONG_MAX : s->settings.part.iterations);
    unfinished |= split->part[k]->status == STC_STATUS_MAX_ITERATIONS;
  }
  split->cycle++;
  return unfinished ? STC_STEP_ON : STC_STEP_STALLED;
}
