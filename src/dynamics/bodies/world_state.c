// Saving and restoring: the state as an array of numbers from which the same bits follow.
#include "world_data.h"

// The first number tells this layout, the first one, from others and from anything else.
static const double MARK = 199901;

// Numbers and steps that a double counts without a gap.
static const double MOST = 9e15;

// Turns are unit quaternions within rounding.
static const double UNIT_TURN = 1e-6;

enum { HEAD = 9, LEDGER = 9, TOUCH = 7, LOAD = 7, NAMES = 5 };

// Contacts of a body whose impulses are remembered, and of a world with few bodies.
enum { PER_BODY = 16, AT_LEAST = 64 };

/// Numbers go from the world to `to`, or from `from` to the world; the other one is NULL.
typedef struct tape {
  double *to;
  const double *from;
} tape;

static void pass(tape *on, double *x, size_t n) {
  if (n == 0) return;
  if (on->from) {
    memcpy(x, on->from, n * sizeof *x);
    on->from += n;
  } else {
    memcpy(on->to, x, n * sizeof *x);
    on->to += n;
  }
}

static void pass_int(tape *on, int *x) {
  double value = *x;
  pass(on, &value, 1);
  *x = (int)value;
}

/// 64 bits as two numbers of 32.
static void pass_identity(tape *on, uint64_t *x) {
  double high = (double)(*x >> 32), low = (double)(*x & 0xffffffffu);
  pass(on, &high, 1);
  pass(on, &low, 1);
  *x = ((uint64_t)high << 32) | (uint64_t)low;
}

static void pass_place(tape *on, stc_place *place) {
  pass(on, place->x, 3);
  pass(on, place->rotation, 4);
  pass(on, place->v, 3);
  pass(on, place->omega, 3);
}

static void pass_meeting(tape *on, stc_contact_pair *m) {
  int state = (int)m->state;
  for (int k = 0; k < 2; k++) pass_int(on, &m->part[k]);
  pass_identity(on, &m->touch.identity);
  pass_int(on, &state);
  m->state = (stc_contact_state)state;
  pass(on, m->touch.point, 3);
  pass(on, m->touch.normal, 3);
  pass(on, &m->touch.gap, 1);
  pass(on, &m->load.normal, 1);
  pass(on, m->load.sliding, 3);
  pass(on, m->load.turning, 3);
}

static void pass_books(tape *on, stc_world *w) {
  double *ledger[LEDGER] = {&w->ledger.kinetic, &w->ledger.potential,  &w->ledger.start,
                            &w->ledger.work,    &w->ledger.drive,      &w->ledger.friction,
                            &w->ledger.shock,   &w->ledger.correction, &w->ledger.error};
  for (int k = 0; k < LEDGER; k++) pass(on, ledger[k], 1);
  for (int k = 0; k < STC_BOOKS; k++) {
    pass(on, &w->sum[k].value, 1);
    pass(on, &w->sum[k].rest, 1);
  }
}

static void pass_places(tape *on, stc_world *w) {
  for (int b = 0; b < w->bodies; b++) pass_place(on, &STC_PLACES(w)[b]);
}

/// Everything behind the head, in its order.
static void pass_state(tape *on, stc_world *w, int contacts) {
  size_t size = (size_t)contacts * (size_t)w->dim;
  pass_places(on, w);
  pass_books(on, w);
  for (int c = 0; c < contacts; c++) pass_meeting(on, (stc_contact_pair *)w->last.data + c);
  pass(on, w->last_r.data, size);
  pass(on, w->last_u.data, size);
}

/// What the state belongs to: it fits no other world and no other step.
static void fill_head(const stc_world *w, double head[HEAD]) {
  const double numbers[HEAD] = {MARK,
                                w->bodies,
                                w->parts,
                                w->equalities,
                                w->dim,
                                w->settings.h,
                                (double)stc_world_memory(w),
                                w->start_time,
                                (double)w->steps};
  memcpy(head, numbers, sizeof numbers);
}

size_t stc_world_memory(const stc_world *world) {
  if (world->settings.memory > 0) return (size_t)world->settings.memory;
  return PER_BODY * (size_t)world->bodies + AT_LEAST;
}

int stc_world_remembered(const stc_world *world) {
  size_t most = stc_world_memory(world);
  return (size_t)world->last_count < most ? world->last_count : (int)most;
}

size_t stc_world_state_size(const stc_world *world) {
  return HEAD + 1 + STC_PLACE_NUMBERS * (size_t)world->bodies + LEDGER + 2 * STC_BOOKS +
         stc_world_memory(world) * (NAMES + TOUCH + LOAD + 2 * (size_t)world->dim);
}

void stc_world_save(const stc_world *world, double *state) {
  stc_world view = *world;  // its arrays are only read
  int contacts = stc_world_remembered(world);
  memset(state, 0, stc_world_state_size(world) * sizeof *state);
  fill_head(world, state);
  state[HEAD] = contacts;
  pass_state(&(tape){.to = state + HEAD + 1}, &view, contacts);
}

static stc_error damaged(const char *what, double value) {
  return stc_fail(STC_ERR_VALUE, "the state is damaged: %s %g", what, value);
}

static stc_error check_head(const stc_world *w, const double *state, size_t count) {
  static const char *const names[] = {"mark", "bodies", "parts", "joint rows",
                                      "dim",  "h",      "memory"};
  double head[HEAD];
  if (count != stc_world_state_size(w))
    return stc_fail(STC_ERR_DIMENSION, "the state has %zu numbers, that of this world %zu", count,
                    stc_world_state_size(w));
  fill_head(w, head);
  for (size_t k = 0; k < sizeof names / sizeof *names; k++)
    if (state[k] != head[k])
      return stc_fail(STC_ERR_VALUE, "the state has %s = %g, this world %g; restore what it saved",
                      names[k], state[k], head[k]);
  for (size_t k = 0; k < count; k++)
    if (!isfinite(state[k]))
      return stc_fail(STC_ERR_VALUE, "number %zu of the state is %g; it is damaged", k, state[k]);
  double contacts = state[HEAD], steps = state[HEAD - 1];
  if (!(steps >= 0 && steps <= MOST)) return damaged("it stands after steps", steps);
  if (!(contacts >= 0 && contacts <= (double)stc_world_memory(w)))
    return damaged("its contacts are", contacts);
  return STC_OK;
}

/// Numbers that stand for others must be in their range before they are used.
static stc_error check_contacts(const stc_world *w, const double *state) {
  const double *at =
      state + HEAD + 1 + STC_PLACE_NUMBERS * (size_t)w->bodies + LEDGER + 2 * STC_BOOKS;
  for (int c = 0; c < (int)state[HEAD]; c++, at += NAMES + TOUCH + LOAD) {
    for (int k = 0; k < 2; k++)
      if (!(at[k] >= 0 && at[k] < w->parts)) return damaged("a contact has part", at[k]);
    for (int k = 2; k < 4; k++)
      if (!(at[k] >= 0 && at[k] <= 0xffffffffu)) return damaged("an identity has", at[k]);
    if (!(at[4] >= 0 && at[4] <= STC_CONTACT_VIOLATED)) return damaged("a contact is", at[4]);
  }
  return STC_OK;
}

/// What follows from the rest.
static void complete(stc_world *w) {
  for (int c = 0; c < w->last_count; c++) {
    stc_contact_pair *m = (stc_contact_pair *)w->last.data + c;
    for (int k = 0; k < 2; k++) m->body[k] = STC_PART_BODY(w)[m->part[k]];
    stc_world_frame(w, m);
  }
}

static stc_error make_room(stc_world *world, size_t contacts) {
  size_t size = contacts * (size_t)world->dim;
  STC_TRY(stc_pool_grow(&world->last, contacts, sizeof(stc_contact_pair), 0));
  STC_TRY(stc_pool_grow(&world->last_r, size, sizeof(double), 0));
  return stc_pool_grow(&world->last_u, size, sizeof(double), 0);
}

stc_error stc_world_restore(stc_world *world, const double *state, size_t count) {
  if (!world || !state || !world->started)
    return stc_fail(STC_ERR_ARGUMENT, "restore needs a world that started and a state");
  STC_TRY(check_head(world, state, count));
  STC_TRY(check_contacts(world, state));
  STC_TRY(make_room(world, (size_t)state[HEAD]));
  stc_problem_free(&world->problem);
  world->asleep = false;
  world->start_time = state[HEAD - 2];
  world->steps = (long)state[HEAD - 1];
  world->last_count = (int)state[HEAD];
  pass_state(&(tape){.from = state + HEAD + 1}, world, world->last_count);
  complete(world);
  return STC_OK;
}

// --- Places alone ---

void stc_world_places(const stc_world *world, double *places) {
  stc_world view = *world;  // its arrays are only read
  pass_places(&(tape){.to = places}, &view);
}

static stc_error check_places(const stc_world *w, const double *places) {
  for (int b = 0; b < w->bodies; b++) {
    const double *x = places + (size_t)b * STC_PLACE_NUMBERS, *q = x + 3;
    for (int k = 0; k < STC_PLACE_NUMBERS; k++)
      if (!isfinite(x[k])) return damaged("a place has", x[k]);
    double square = q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3];
    if (!(fabs(square - 1) <= UNIT_TURN)) return damaged("the square of a turn is", square);
  }
  return STC_OK;
}

stc_error stc_world_set_places(stc_world *world, long steps, const double *places) {
  if (!world || !places || !world->started || steps < 0)
    return stc_fail(STC_ERR_ARGUMENT, "set_places needs a world that started, steps and places");
  STC_TRY(check_places(world, places));
  stc_problem_free(&world->problem);
  world->steps = steps;
  world->last_count = 0;
  world->asleep = false;
  pass_places(&(tape){.from = places}, world);
  stc_world_ledger_open(world);
  return STC_OK;
}
