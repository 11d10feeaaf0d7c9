// Overlapping patches of contacts, each solved by itself with the impulses around it held, one
// after another   [multiplicative Schwarz; Dostal et al. 2009 for contact]. What a patch needs is
// decided by the patch: most end after a few sweeps, hard ones take factorisations of their own
// size, those that obey their laws are passed over. Where a turn of patches gains little, what is
// left are long waves, and sweeps over the whole problem follow. Patches of one colour touch
// different bodies: threads share them, and their number does not change a bit.
#include "../../base/fail.h"
#include "../../base/team.h"
#include "../method.h"
#include "cover.h"
#include "cut.h"

#include <math.h>
#include <string.h>

// Contacts of a core, rings around it, contacts of a patch at most.
enum { CORE = 150, RINGS = 2, MOST = 900 };
// A patch is solved until its merit has fallen to this part, or to the tolerance of patches in that
// of the whole, for at most so many iterations.
static const double GAIN = 0.1, PATCH_TOL = 0.3;
enum { ITERATIONS = 300 };
// Sweeps follow a turn that gained less than this, if so many of the patches were in it; twice as
// many each time, up to the most.
static const double SLOW = 0.8, MANY = 0.05;
enum { FEWEST_SWEEPS = 40, MOST_SWEEPS = 320 };
// Without a gain of this factor in so many turns the method is stuck, and after so many turns of
// patches that made it worse: what is left sits at their borders.
static const double LEAST_GAIN = 0.5;
enum { PATIENCE = 12, WORSE = 3 };

/// What runs at one time in one thread: patches that use its memory one after another.
typedef struct room {
  stc_slab mark;  ///< raw memory of its patches
  int last;       ///< the patch that ran last, -1: none
  double *before, *moved;
  long iterations;  ///< of this turn, times contacts
} room;

typedef struct schwarz {
  stc_cover cover;
  stc_solver **solver;  ///< [patches]
  bool *shared;         ///< [patches] works in the memory of its slot
  bool *active;         ///< [patches] in this turn
  int *colour;          ///< the patches of one colour that are active
  int in_colour, in_turn;
  int slots;
  room *slot;
  stc_team *team;
  stc_solver *whole, *sweeps;
  double *velocity;  ///< [dofs] that the impulses give; NULL without bodies
  double *term;      ///< [contacts]
  long next_sweeps;
  int turns;  ///< since the best merit last fell by LEAST_GAIN
  int worse;  ///< turns of patches that made it worse
  double turn_merit, gain_merit;
} schwarz;

// --- Setup ---

static void free_patches(void **state) {
  schwarz *z = *state;
  stc_solver_free(&z->sweeps);
  for (int k = 0; z->solver && k < z->cover.patches; k++) stc_solver_free(&z->solver[k]);
}

/// By `auto`, alone in its thread, in silence.
static stc_settings settings_of_patch(const stc_solver *s) {
  stc_settings settings = s->settings;
  settings.method = "auto";
  settings.tol *= PATCH_TOL;
  settings.threads = 1;
  settings.progress = NULL;
  settings.log = NULL;
  return settings;
}

static stc_error setup_patches(stc_solver *s, schwarz *z, stc_arena *scratch) {
  const stc_settings settings = settings_of_patch(s);
  int *place = NULL;
  STC_TRY(stc_cut_places(scratch, s->problem, &place));
  for (int k = 0; k < z->cover.patches; k++) {
    const stc_patch *patch = &z->cover.patch[k];
    STC_TRY(stc_cut_solver(s, patch->contact, patch->contacts, &settings, place,
                           &z->slot[k % z->slots].mark, &z->shared[k], &z->solver[k]));
    z->solver[k]->gain = GAIN;
  }
  return STC_OK;
}

static stc_error take(stc_solver *s, schwarz *z) {
  const stc_reduced *p = s->problem;
  size_t most = (size_t)(p->contacts < MOST ? p->contacts : MOST) * (size_t)p->dim;
  z->whole = s;
  z->slots = s->settings.threads < z->cover.patches ? s->settings.threads : z->cover.patches;
  z->slot = STC_TAKE(s->arena, room, z->slots);
  z->solver = STC_TAKE(s->arena, stc_solver *, z->cover.patches);
  z->shared = STC_TAKE(s->arena, bool, z->cover.patches);
  z->active = STC_TAKE(s->arena, bool, z->cover.patches);
  z->colour = STC_TAKE(s->arena, int, z->cover.patches);
  z->term = STC_TAKE_RAW(s->arena, double, p->contacts);
  if (p->bodies.count > 0) z->velocity = STC_TAKE_RAW(s->arena, double, p->bodies.dofs);
  STC_TRY(stc_arena_check(s->arena));
  for (int k = 0; k < z->slots; k++) {
    z->slot[k].before = STC_TAKE_RAW(s->arena, double, most);
    z->slot[k].moved = STC_TAKE_RAW(s->arena, double, most);
  }
  return stc_arena_check(s->arena);
}

static stc_error setup(stc_solver *s, void **state) {
  schwarz *z = *state = STC_TAKE(s->arena, schwarz, 1);
  STC_TRY(stc_arena_check(s->arena));
  STC_TRY(stc_cover_create(s->arena, s->problem, CORE, RINGS, MOST, &z->cover));
  STC_TRY(take(s, z));
  STC_TRY(stc_solver_setup_member(s, &stc_method_nsgs, &z->sweeps));
  stc_arena scratch = {0};
  stc_error error = setup_patches(s, z, &scratch);
  stc_arena_free(&scratch);
  if (error || z->slots < 2) return error;
  return stc_solver_share_team(s, &z->team);
}

static void start(stc_solver *s, void *state) {
  schwarz *z = state;
  stc_magnitude magnitude = stc_reduced_magnitude(s->problem);
  for (int k = 0; k < z->cover.patches; k++)
    stc_reduced_follow(z->solver[k]->problem, s->problem, z->cover.patch[k].contact, magnitude);
  for (int k = 0; k < z->slots; k++) z->slot[k].last = -1;
  z->next_sweeps = FEWEST_SWEEPS;
  z->in_turn = 0;
  z->turns = z->worse = 0;
  z->turn_merit = INFINITY;
  z->gain_merit = s->merit;
}

// --- A patch ---

/// u of contact c as the whole has it now.
static void velocity_at(const schwarz *z, int c, double *u) {
  const stc_reduced *p = z->whole->problem;
  const stc_bodies *b = &p->bodies;
  int d = p->dim;
  memcpy(u, p->q + (ptrdiff_t)c * d, (size_t)d * sizeof *u);
  if (z->velocity) {
    for (int t = b->touch_ptr[c]; t < b->touch_ptr[c + 1]; t++) {
      int first = b->ptr[b->touch_body[t]], n = b->ptr[b->touch_body[t] + 1] - first;
      const double *H = b->H + b->val_ptr[t];
      for (int l = 0; l < n; l++)
        for (int k = 0; k < d; k++) u[k] += H[k + l * d] * z->velocity[first + l];
    }
    return;
  }
  for (int e = p->W.ptr[c]; e < p->W.ptr[c + 1]; e++) {
    const double *block = p->W.val + (ptrdiff_t)e * d * d;
    const double *r = z->whole->r + (ptrdiff_t)p->W.col[e] * d;
    for (int l = 0; l < d; l++)
      for (int k = 0; k < d; k++) u[k] += block[k + l * d] * r[l];
  }
}

static void push(schwarz *z, int c, const double *dr) {
  const stc_bodies *b = &z->whole->problem->bodies;
  int d = z->whole->problem->dim;
  for (int t = b->touch_ptr[c]; t < b->touch_ptr[c + 1]; t++) {
    int first = b->ptr[b->touch_body[t]], n = b->ptr[b->touch_body[t] + 1] - first;
    const double *Y = b->Y + b->val_ptr[t];
    for (int l = 0; l < d; l++)
      for (int k = 0; k < n; k++) z->velocity[first + k] += Y[k + l * n] * dr[l];
  }
}

/// r and q of the patch: its q holds what the impulses around it give.
static void load(schwarz *z, const stc_patch *patch, stc_solver *part, room *slot) {
  int d = part->problem->dim;
  double *q = part->problem->q;
  for (int c = 0; c < patch->contacts; c++) {
    memcpy(part->r + c * d, z->whole->r + (ptrdiff_t)patch->contact[c] * d, (size_t)d * sizeof *q);
    velocity_at(z, patch->contact[c], q + c * d);
  }
  memcpy(slot->before, part->r, (size_t)part->problem->size * sizeof *q);
  stc_reduced_multiply(part->problem, part->r, part->work, slot->moved);
  for (int k = 0; k < part->problem->size; k++) q[k] -= slot->moved[k];
  if (part->sweep) stc_sweep_refresh(part->sweep);
  if (part->method->update) (void)part->method->update(part, part->state);
}

static void store(schwarz *z, const stc_patch *patch, const stc_solver *part, const room *slot) {
  int d = part->problem->dim;
  for (int c = 0; c < patch->contacts; c++) {
    double dr[STC_MAX_DIM], *r = z->whole->r + (ptrdiff_t)patch->contact[c] * d;
    for (int k = 0; k < d; k++) dr[k] = part->r[c * d + k] - slot->before[c * d + k];
    memcpy(r, part->r + c * d, (size_t)d * sizeof *r);
    if (z->velocity) push(z, patch->contact[c], dr);
  }
}

static void solve_patch(schwarz *z, int k, room *slot) {
  const stc_patch *patch = &z->cover.patch[k];
  stc_solver *part = z->solver[k];
  if (z->shared[k] && slot->last != k && part->jacobian) stc_jacobian_forget(part->jacobian);
  slot->last = z->shared[k] ? k : slot->last;
  load(z, patch, part, slot);
  stc_solver_drive(part, ITERATIONS, z->whole->deadline);
  store(z, patch, part, slot);
  slot->iterations += part->iterations * patch->contacts;
}

/// The patches of the colour whose number has this rest: they are those of the slot.
static void run_slot(void *state, int number) {
  schwarz *z = state;
  for (int k = 0; k < z->in_colour; k++)
    if (z->colour[k] % z->slots == number) solve_patch(z, z->colour[k], &z->slot[number]);
}

// --- A turn ---

/// Those whose contacts do not obey, measured as they are when they are solved.
static void choose_patches(stc_solver *s, schwarz *z) {
  stc_reduced_terms(s->problem, s->r, s->u, z->term);
  z->in_turn = 0;
  for (int k = 0; k < z->cover.patches; k++) {
    const stc_patch *patch = &z->cover.patch[k];
    double sum = 0, limit = PATCH_TOL * s->settings.tol;
    for (int c = 0; c < patch->contacts; c++)
      sum += z->term[patch->contact[c]] * z->term[patch->contact[c]];
    z->active[k] = !(sum <= patch->contacts * limit * limit);
    z->in_turn += z->active[k];
  }
}

static void run_colour(schwarz *z, int colour) {
  z->in_colour = 0;
  for (int k = z->cover.ptr[colour]; k < z->cover.ptr[colour + 1]; k++)
    if (z->active[z->cover.order[k]]) z->colour[z->in_colour++] = z->cover.order[k];
  if (z->in_colour > 0) stc_team_run(z->in_colour > 1 ? z->team : NULL, run_slot, z, z->slots);
}

static long count_iterations(const stc_solver *s, schwarz *z) {
  long sum = 0, left = stc_solver_left(s);
  for (int k = 0; k < z->slots; k++) {
    sum += z->slot[k].iterations;
    z->slot[k].iterations = 0;
  }
  sum = 1 + sum / s->problem->contacts;
  return sum < left ? sum : left;
}

static stc_step run_turn(stc_solver *s, schwarz *z) {
  choose_patches(s, z);
  if (z->velocity) stc_reduced_respond(s->problem, s->r, z->velocity);
  for (int k = 0; k < z->cover.colours; k++) run_colour(z, k);
  s->done = count_iterations(s, z);
  stc_solver_log(s, STC_LOG_INFO, "schwarz: from %.2e, %d of %d patches, as much as %ld sweeps",
                 s->merit, z->in_turn, z->cover.patches, s->done);
  return z->in_turn > 0 ? STC_STEP_ON : STC_STEP_STALLED;
}

/// From where the patches are, if that is not the best: they would return to where they were.
static void run_sweeps(stc_solver *s, schwarz *z) {
  size_t bytes = (size_t)s->problem->size * sizeof *s->r;
  long left = stc_solver_left(s);
  memcpy(z->sweeps->r, s->r, bytes);
  stc_solver_drive(z->sweeps, z->next_sweeps < left ? z->next_sweeps : left, s->deadline);
  memcpy(s->r, z->sweeps->r, bytes);
  s->done = z->sweeps->iterations;
  stc_solver_log(s, STC_LOG_INFO, "schwarz: from %.2e, %ld sweeps", s->merit, s->done);
  if (z->next_sweeps < MOST_SWEEPS) z->next_sweeps *= 2;
  z->turn_merit = INFINITY;
}

static bool stuck(const stc_solver *s, schwarz *z) {
  z->worse += s->merit > z->turn_merit;
  if (z->worse >= WORSE) return true;
  if (s->best_merit > LEAST_GAIN * z->gain_merit) return z->turns++ >= PATIENCE;
  z->gain_merit = s->best_merit;
  z->turns = 0;
  return false;
}

static stc_step iterate(stc_solver *s, void *state) {
  schwarz *z = state;
  s->done = 0;
  if (stuck(s, z)) return STC_STEP_STALLED;
  bool slow = s->merit > SLOW * z->turn_merit && z->in_turn > MANY * z->cover.patches;
  z->turn_merit = s->merit;
  if (!slow) return run_turn(s, z);
  run_sweeps(s, z);
  return STC_STEP_ON;
}

const stc_method stc_method_schwarz = {
    .name = "schwarz",
    .summary = "overlapping patches by turns, each with `auto`; large packings that flow",
    .setup = setup,
    .start = start,
    .iterate = iterate,
    .free = free_patches,
    .any_law = true,
};
