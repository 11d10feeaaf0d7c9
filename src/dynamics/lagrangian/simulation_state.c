// Saving and restoring: the state as an array of numbers from which the same bits follow.
#include "../../base/fail.h"
#include "../state_tape.h"
#include "simulation.h"

// The first number identifies this layout, the second one.
static const double MARK = 198602;  // [format]

/// Everything behind the head, in its order.
static void pass_simulation(stc_tape *tape, stc_simulation *s) {
  size_t dofs = (size_t)s->system.dofs;
  size_t size = (size_t)s->system.walls * (size_t)s->system.dim;
  double steps = (double)s->steps;
  stc_tape_pass(tape, &s->start_time, 1);
  stc_tape_pass(tape, &steps, 1);
  s->steps = (long)steps;
  stc_tape_pass(tape, s->q, dofs);
  stc_tape_pass(tape, s->u, dofs);
  for (int j = 0; j < s->system.walls; j++) {
    stc_tape_bool(tape, &s->memory[j].in_contact);
    stc_tape_bool(tape, &s->memory[j].stuck);
    stc_tape_pass(tape, &s->memory[j].slip, 1);
    stc_tape_pass(tape, &s->memory[j].age, 1);
  }
  stc_tape_pass(tape, s->impulse, size);
  stc_tape_pass(tape, s->relative, size);
  stc_tape_account(tape, &s->account);
}

enum { HEAD = 5 };  // [format]

/// What the state belongs to: it fits no other system and no other step.
static void fill_head(const stc_simulation *s, double head[HEAD]) {
  head[0] = MARK;
  head[1] = s->system.dofs;
  head[2] = s->system.walls;
  head[3] = s->system.dim;
  head[4] = s->stepping.h;
}

size_t stc_simulation_state_size(const stc_simulation *s) {
  stc_simulation view = *s;  // its arrays are only read
  stc_tape tape = {.count = HEAD};
  pass_simulation(&tape, &view);
  return tape.count;
}

void stc_simulation_save(const stc_simulation *simulation, double *state) {
  stc_simulation view = *simulation;  // its arrays are only read
  fill_head(simulation, state);
  pass_simulation(&(stc_tape){.to = state + HEAD}, &view);
}

stc_error stc_simulation_restore(stc_simulation *s, const double *state, size_t count) {
  if (!s || !state)
    return stc_fail(STC_ERR_ARGUMENT, "stc_simulation_restore needs a simulation and a state");
  static const char *const names[HEAD] = {"mark", "dofs", "walls", "dim", "h"};
  double value[HEAD];
  fill_head(s, value);
  stc_tape_head head = {"system", stc_simulation_state_size(s), HEAD, value, names};
  STC_TRY(stc_tape_check(&head, state, count, HEAD + 1));
  stc_problem_free(&s->problem);
  pass_simulation(&(stc_tape){.from = state + HEAD}, s);
  s->placed = true;
  return STC_OK;
}
