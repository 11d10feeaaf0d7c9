// Saving and restoring: the state as an array of numbers from which the same bits follow.
#include "world_data.h"

#include "../state_tape.h"

// The first number tells this layout, the fifth one, from others and from anything else.
static const double MARK = 199905;  // [format]

// Orientations are unit quaternions within rounding.
static const double UNIT_QUATERNION = 1e-6;  // [input]

enum { HEAD = 9, POINT = 8, LOAD = 7, NAMES = 5, GRAVITY = 3, CUT = 1, STORED = 1 };  // [format]
enum { PAST = 9 };  // [format]  of a contact, where surfaces have laws
enum { JOINT = 7 + STC_JOINT_COORDINATES * (1 + STC_ACT_KINDS) };  // [format]

// Contacts of a body whose impulses are remembered, and of a world with few bodies.
enum { PER_BODY = 16, AT_LEAST = 64 };  // [size]

/// 64 bits as two numbers of 32.
static void pass_identity(stc_tape *tape, uint64_t *x) {
  double high = (double)(*x >> 32), low = (double)(*x & 0xffffffffu);
  stc_tape_pass(tape, &high, 1);
  stc_tape_pass(tape, &low, 1);
  *x = ((uint64_t)high << 32) | (uint64_t)low;
}

static void pass_place(stc_tape *tape, stc_place *place) {
  stc_tape_pass(tape, place->x, 3);
  stc_tape_pass(tape, place->rotation, 4);
  stc_tape_pass(tape, place->v, 3);
  stc_tape_pass(tape, place->omega, 3);
}

static void pass_contact_pair(stc_tape *tape, stc_contact_pair *m) {
  int state = (int)m->state;
  for (int k = 0; k < 2; k++) stc_tape_int(tape, &m->part[k]);
  pass_identity(tape, &m->point.identity);
  stc_tape_int(tape, &state);
  m->state = (stc_contact_state)state;
  stc_tape_pass(tape, m->point.x, 3);
  stc_tape_pass(tape, m->point.normal, 3);
  stc_tape_pass(tape, &m->point.gap, 1);
  stc_tape_pass(tape, &m->soft.stored, 1);
  stc_tape_pass(tape, &m->load.normal, 1);
  stc_tape_pass(tape, m->load.sliding, 3);
  stc_tape_pass(tape, m->load.rotating, 3);
}

/// What its law asks for, and its frame, which bodies turn.
static void pass_past(stc_tape *tape, stc_contact_pair *m) {
  int stuck = m->memory.stuck;
  stc_tape_pass(tape, &m->memory.slip, 1);
  stc_tape_pass(tape, &m->memory.age, 1);
  stc_tape_int(tape, &stuck);
  m->memory.stuck = stuck != 0;
  stc_tape_pass(tape, m->tangent[0], 6);
}

/// What a joint remembers, and whether it broke.
static void pass_link(stc_tape *tape, stc_link *link) {
  double broken = link->broken;
  stc_tape_pass(tape, &broken, 1);
  link->broken = broken != 0;
  stc_tape_pass(tape, link->value, STC_JOINT_COORDINATES);
  stc_tape_pass(tape, link->impulse[0], STC_JOINT_COORDINATES * STC_ACT_KINDS);
  stc_tape_pass(tape, link->reaction, 6);
}

static void pass_places(stc_tape *tape, stc_world *w) {
  for (int b = 0; b < w->bodies; b++) pass_place(tape, &STC_PLACES(w)[b]);
}

/// The island of a body that sleeps, from 1; where it is awake less its patience.
static void pass_sleep(stc_tape *tape, stc_body_data *node) {
  int island = node->sleeps ? node->island + 1 : -node->patience;
  stc_tape_int(tape, &island);
  if (!tape->from) return;
  node->sleeps = island > 0;
  node->patience = island < 0 ? -island : 0;
  node->island = island > 0 ? island - 1 : 0;
}

/// Everything behind the head, in its order.
static void pass_world(stc_tape *tape, stc_world *w, int contacts) {
  size_t size = (size_t)contacts * (size_t)w->dim;
  pass_places(tape, w);
  for (int b = 0; b < w->bodies; b++) pass_sleep(tape, &STC_NODES(w)[b]);
  stc_tape_account(tape, &w->account);
  stc_tape_pass(tape, w->settings.gravity, GRAVITY);
  int cut = w->cut_short;
  stc_tape_int(tape, &cut);
  w->cut_short = cut != 0;
  stc_tape_pass(tape, &w->stored, STORED);
  for (int j = 0; j < w->links; j++) pass_link(tape, &STC_LINKS(w)[j]);
  for (int c = 0; c < contacts; c++) pass_contact_pair(tape, (stc_contact_pair *)w->last.data + c);
  for (int c = 0; c < contacts && w->given_laws > 0; c++)
    pass_past(tape, (stc_contact_pair *)w->last.data + c);
  stc_tape_pass(tape, w->last_r.data, size);
  stc_tape_pass(tape, w->last_u.data, size);
}

/// What the state belongs to: it fits no other world and no other step.
static void fill_head(const stc_world *w, double head[HEAD]) {
  const double numbers[HEAD] = {MARK,
                                w->bodies,
                                w->all_parts,
                                w->links,
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
  return HEAD + 1 + (STC_PLACE_NUMBERS + 1) * (size_t)world->bodies + STC_ACCOUNT_NUMBERS +
         GRAVITY + CUT + STORED + JOINT * (size_t)world->links +
         stc_world_memory(world) *
             (NAMES + POINT + LOAD + 2 * (size_t)world->dim + (world->given_laws > 0 ? PAST : 0));
}

void stc_world_save(const stc_world *world, double *state) {
  stc_world view = *world;  // its arrays are only read
  int contacts = stc_world_remembered(world);
  memset(state, 0, stc_world_state_size(world) * sizeof *state);
  fill_head(world, state);
  state[HEAD] = contacts;
  pass_world(&(stc_tape){.to = state + HEAD + 1}, &view, contacts);
}

static stc_error check_world_head(const stc_world *w, const double *state, size_t count) {
  static const char *const names[] = {"mark", "bodies", "parts", "joints", "dim", "h", "memory"};
  double value[HEAD];
  fill_head(w, value);
  stc_tape_head head = {"world", stc_world_state_size(w), sizeof names / sizeof *names, value,
                        names};
  STC_TRY(stc_tape_check(&head, state, count, HEAD - 1));
  if (!(state[HEAD] >= 0 && state[HEAD] <= (double)stc_world_memory(w)))
    return stc_tape_damaged("its contacts are", state[HEAD]);
  return STC_OK;
}

/// Numbers that stand for others must be in their range before they are used.
static stc_error check_contacts(const stc_world *w, const double *state) {
  const double *sleep = state + HEAD + 1 + STC_PLACE_NUMBERS * (size_t)w->bodies;
  const double *at =
      sleep + w->bodies + STC_ACCOUNT_NUMBERS + GRAVITY + CUT + STORED + JOINT * (size_t)w->links;
  double cut = sleep[w->bodies + STC_ACCOUNT_NUMBERS + GRAVITY];
  if (!(cut == 0 || cut == 1)) return stc_tape_damaged("whether a step was cut short is", cut);
  for (int b = 0; b < w->bodies; b++)
    if (!(sleep[b] >= -STC_MOST_PATIENCE && sleep[b] <= w->bodies))
      return stc_tape_damaged("a body sleeps in island", sleep[b]);
  for (int c = 0; c < (int)state[HEAD]; c++, at += NAMES + POINT + LOAD) {
    for (int k = 0; k < 2; k++)
      if (!(at[k] >= 0 && at[k] < w->parts)) return stc_tape_damaged("a contact has part", at[k]);
    for (int k = 2; k < 4; k++)
      if (!(at[k] >= 0 && at[k] <= 0xffffffffu)) return stc_tape_damaged("an identity has", at[k]);
    if (!(at[4] >= 0 && at[4] <= STC_CONTACT_VIOLATED))
      return stc_tape_damaged("a contact is", at[4]);
  }
  return STC_OK;
}

/// What follows from the rest.
static void complete(stc_world *w) {
  w->sleepers = w->still = w->still_events = 0;
  for (int b = 0; b < w->bodies; b++) {
    STC_NODES(w)[b].sleeps = STC_NODES(w)[b].sleeps && stc_body_is_free(&STC_NODES(w)[b]);
    w->sleepers += STC_NODES(w)[b].sleeps;
  }
  w->regroup = true;
  for (int c = 0; c < w->last_count; c++) {
    stc_contact_pair *m = (stc_contact_pair *)w->last.data + c;
    for (int k = 0; k < 2; k++) m->body[k] = STC_PART_BODY(w)[m->part[k]];
    if (w->given_laws == 0) stc_world_frame(w, m);
  }
}

static stc_error make_state_room(stc_world *world, size_t contacts) {
  size_t size = contacts * (size_t)world->dim;
  STC_TRY(stc_pool_grow(&world->last, contacts, sizeof(stc_contact_pair), 0));
  STC_TRY(stc_pool_grow(&world->last_r, size, sizeof(double), 0));
  return stc_pool_grow(&world->last_u, size, sizeof(double), 0);
}

stc_error stc_world_restore(stc_world *world, const double *state, size_t count) {
  if (!world || !state || !world->started)
    return stc_fail(STC_ERR_ARGUMENT, "restore needs a world that started and a state");
  STC_TRY(stc_world_prepare(world));
  STC_TRY(check_world_head(world, state, count));
  STC_TRY(check_contacts(world, state));
  STC_TRY(make_state_room(world, (size_t)state[HEAD]));
  stc_world_forget_problem(world);
  stc_world_stir(world);
  world->start_time = state[HEAD - 2];
  world->steps = (long)state[HEAD - 1];
  world->last_count = (int)state[HEAD];
  pass_world(&(stc_tape){.from = state + HEAD + 1}, world, world->last_count);
  complete(world);
  for (int j = 0; j < world->links; j++) stc_joint_count(world, &STC_LINKS(world)[j]);
  world->edited = true;
  STC_TRY(stc_world_prepare(world));
  return stc_world_recall_events(world);
}

// --- Places alone ---

void stc_world_places(const stc_world *world, double *places) {
  stc_world view = *world;  // its arrays are only read
  pass_places(&(stc_tape){.to = places}, &view);
}

static stc_error check_places(const stc_world *w, const double *places) {
  for (int b = 0; b < w->bodies; b++) {
    const double *x = places + (size_t)b * STC_PLACE_NUMBERS, *q = x + 3;
    for (int k = 0; k < STC_PLACE_NUMBERS; k++)
      if (!isfinite(x[k])) return stc_tape_damaged("a place has", x[k]);
    double square = q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3];
    if (!(fabs(square - 1) <= UNIT_QUATERNION))
      return stc_tape_damaged("the square of a rotation is", square);
  }
  return STC_OK;
}

stc_error stc_world_set_places(stc_world *world, long steps, const double *places) {
  if (!world || !places || !world->started || steps < 0)
    return stc_fail(STC_ERR_ARGUMENT, "set_places needs a world that started, steps and places");
  STC_TRY(check_places(world, places));
  stc_world_forget_problem(world);
  world->steps = steps;
  stc_islands_wake_all(world);
  world->last_count = world->still = world->events = world->still_events = 0;
  world->stored = 0;
  stc_world_stir(world);
  pass_places(&(stc_tape){.from = places}, world);
  stc_world_forget_joints(world);
  stc_world_ledger_open(world);
  return STC_OK;
}
