// Saving and restoring: the state as an array of numbers from which the same bits follow.
#include "simulation.h"

#include "../../base/fail.h"

#include <math.h>
#include <string.h>

// The first number tells this layout, the first one, from others and from anything else.
static const double MARK = 198601;

// Steps a double counts without a gap.
static const double MOST_STEPS = 9e15;

/// Numbers go from the simulation to `to`, or from `from` to the simulation; the other one is NULL.
typedef struct tape {
  double *to;
  const double *from;
} tape;

static void pass(tape *on, double *x, size_t n) {
  if (on->from) {
    memcpy(x, on->from, n * sizeof *x);
    on->from += n;
  } else {
    memcpy(on->to, x, n * sizeof *x);
    on->to += n;
  }
}

static void pass_bool(tape *on, bool *x) {
  double value = *x ? 1 : 0;
  pass(on, &value, 1);
  *x = value != 0;
}

static void pass_memory(tape *on, stc_memory *memory, int walls) {
  for (int j = 0; j < walls; j++) {
    pass_bool(on, &memory[j].touched);
    pass_bool(on, &memory[j].stuck);
    pass(on, &memory[j].slip, 1);
  }
}

static void pass_books(tape *on, stc_simulation *s) {
  double *ledger[] = {&s->ledger.kinetic, &s->ledger.potential,  &s->ledger.start,
                      &s->ledger.work,    &s->ledger.drive,      &s->ledger.friction,
                      &s->ledger.shock,   &s->ledger.correction, &s->ledger.error};
  for (size_t k = 0; k < sizeof ledger / sizeof *ledger; k++) pass(on, ledger[k], 1);
  for (int k = 0; k < STC_ENTRIES; k++) {
    pass(on, &s->sum[k].value, 1);
    pass(on, &s->sum[k].rest, 1);
  }
}

/// Everything behind the head, in its order.
static void pass_state(tape *on, stc_simulation *s) {
  size_t dofs = (size_t)s->system.dofs;
  size_t size = (size_t)s->system.walls * (size_t)s->system.dim;
  double steps = (double)s->steps;
  pass(on, &s->start_time, 1);
  pass(on, &steps, 1);
  s->steps = (long)steps;
  pass(on, s->q, dofs);
  pass(on, s->u, dofs);
  pass_memory(on, s->memory, s->system.walls);
  pass(on, s->impulse, size);
  pass(on, s->relative, size);
  pass_books(on, s);
}

enum { HEAD = 5, CLOCK = 2, MEMORY = 3, LEDGER = 9 };

/// What the state belongs to: it fits no other system and no other step.
static void fill_head(const stc_simulation *s, double head[HEAD]) {
  head[0] = MARK;
  head[1] = s->system.dofs;
  head[2] = s->system.walls;
  head[3] = s->system.dim;
  head[4] = s->stepping.h;
}

size_t stc_simulation_state_size(const stc_simulation *s) {
  size_t dofs = (size_t)s->system.dofs, walls = (size_t)s->system.walls;
  return HEAD + CLOCK + 2 * dofs + walls * (MEMORY + 2 * (size_t)s->system.dim) + LEDGER +
         2 * STC_ENTRIES;
}

void stc_simulation_save(const stc_simulation *simulation, double *state) {
  stc_simulation view = *simulation;  // its arrays are only read
  fill_head(simulation, state);
  pass_state(&(tape){.to = state + HEAD}, &view);
}

static stc_error check_state(const stc_simulation *s, const double *state, size_t count) {
  static const char *const names[HEAD] = {"mark", "dofs", "walls", "dim", "h"};
  double head[HEAD];
  if (count != stc_simulation_state_size(s))
    return stc_fail(STC_ERR_DIMENSION,
                    "the state has %zu numbers, this system's has %zu; restore what this system "
                    "saved",
                    count, stc_simulation_state_size(s));
  fill_head(s, head);
  for (int k = 0; k < HEAD; k++)
    if (state[k] != head[k])
      return stc_fail(STC_ERR_VALUE, "the state has %s = %g, this system %g; restore what it saved",
                      names[k], state[k], head[k]);
  for (size_t k = HEAD; k < count; k++)
    if (!isfinite(state[k]))
      return stc_fail(STC_ERR_VALUE, "number %zu of the state is %g; it is damaged", k, state[k]);
  double steps = state[HEAD + 1];
  if (steps >= 0 && steps <= MOST_STEPS) return STC_OK;
  return stc_fail(STC_ERR_VALUE, "the state is damaged: it stands after %g steps", steps);
}

stc_error stc_simulation_restore(stc_simulation *s, const double *state, size_t count) {
  if (!s || !state)
    return stc_fail(STC_ERR_ARGUMENT, "stc_simulation_restore needs a simulation and a state");
  STC_TRY(check_state(s, state, count));
  stc_problem_free(&s->problem);
  pass_state(&(tape){.from = state + HEAD}, s);
  s->placed = true;
  return STC_OK;
}
