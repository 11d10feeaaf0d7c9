// One step of Moreau's scheme   [Moreau 1986]:
//   1. q_M = q_I + h/2 u_I,   u_L = u_I + M^-1 h Q(t + h/2, q_M, u_I)
//   2. u_F = u_L where no touched wall is approached, else u_L + M^-1 H^T r with r by the laws
//   3. q_F = q_M + h/2 u_F
#include "simulation.h"

#include "../../base/fail.h"
#include "../../base/vec3.h"

#include <math.h>
#include <string.h>

// A contact whose sliding speed is below this part of the largest velocity of the problem sticks:
// far above the rounding of a solution, far below a speed that matters.
static const double STICKING = 1e-9;

static stc_error move_freely(stc_simulation *s) {
  int dofs = s->system.dofs;
  double h = s->stepping.h, middle = stc_simulation_time(s) + h / 2;
  for (int i = 0; i < dofs; i++) s->q_M[i] = s->q[i] + h / 2 * s->u[i];
  STC_TRY(stc_ask_mass(s, middle, s->q_M));
  STC_TRY(stc_mass_use(&s->mass));
  STC_TRY(stc_ask_force(s, middle, s->q_M, s->u, s->Q));
  for (int i = 0; i < dofs; i++) s->u_L[i] = h * s->Q[i];
  STC_TRY(stc_mass_solve(&s->mass, s->u_L));
  for (int i = 0; i < dofs; i++) s->u_L[i] += s->u[i];
  return STC_OK;
}

static stc_error out_of_range(const stc_simulation *s, const char *what) {
  return stc_fail(STC_ERR_VALUE,
                  "%s leaves the range of numbers at t = %g; take a smaller h or check the force",
                  what, stc_simulation_time(s));
}

static stc_error finish(stc_simulation *s, stc_step_report *report) {
  for (int i = 0; i < s->system.dofs; i++) s->q_F[i] = s->q_M[i] + s->stepping.h / 2 * s->u_F[i];
  for (int i = 0; i < s->system.dofs; i++)
    if (!isfinite(s->q_F[i])) return out_of_range(s, "q");
  STC_TRY(stc_ledger_move(s));
  if (!isfinite(s->energy)) return out_of_range(s, "the energy");
  STC_TRY(stc_walls_correct(s, &report->violation));
  return stc_ledger_close(s);
}

// --- What the walls remember ---

static void remember_contact(stc_simulation *s, int contact, double threshold) {
  const stc_contacts *c = &s->contacts;
  int dim = s->system.dim, j = c->wall[contact], first = contact * dim;
  size_t at = (size_t)j * (size_t)dim, bytes = (size_t)dim * sizeof(double);
  double speed = 0, path = 0;
  for (int k = 1; k <= stc_law_sliding(&c->law[contact]); k++) {
    speed = hypot(speed, c->after[first + k]);
    path = hypot(path, (c->before[first + k] + c->after[first + k]) / 2);
  }
  bool pressed = c->r[first] > 0;
  s->memory[j].touched = true;
  s->memory[j].stuck = pressed && speed <= threshold;
  if (pressed) s->memory[j].slip += s->stepping.h * path;
  memcpy(s->impulse + at, c->r + first, bytes);
  memcpy(s->relative + at, c->after + first, bytes);
  memcpy(s->terms + at, c->terms + first, bytes);
}

static void remember(stc_simulation *s, const stc_step_report *report) {
  const stc_contacts *c = &s->contacts;
  int size = s->system.walls * s->system.dim;
  for (int j = 0; j < s->system.walls; j++) s->memory[j].touched = s->memory[j].stuck = false;
  for (int k = 0; k < size; k++) s->impulse[k] = s->relative[k] = s->terms[k] = 0;
  double scale = stc_vector_largest(c->free, c->H.rows), part = fmax(STICKING, 10 * report->eta);
  for (int i = 0; i < c->count; i++) remember_contact(s, i, part * scale);
}

static void commit(stc_simulation *s, const stc_step_report *report) {
  size_t bytes = (size_t)s->system.dofs * sizeof(double);
  memcpy(s->q, s->q_F, bytes);
  memcpy(s->u, s->u_F, bytes);
  memcpy(s->sum, s->trial, sizeof s->sum);
  s->ledger = s->trial_ledger;
  remember(s, report);
  s->steps++;
}

stc_error stc_simulation_step(stc_simulation *s, stc_step_report *report) {
  if (!s || !s->placed || !report)
    return stc_fail(STC_ERR_ARGUMENT,
                    "stc_simulation_step needs a simulation that was placed and a report");
  stc_fail(STC_OK, "%s", "");  // a callback that stops the run may leave its own sentence
  stc_problem_free(&s->problem);
  STC_TRY(move_freely(s));
  STC_TRY(stc_contacts_gather(s));
  STC_TRY(stc_contacts_solve(s, report));
  if (!report->accepted) return STC_OK;
  STC_TRY(stc_contacts_terms(s));
  STC_TRY(finish(s, report));
  commit(s, report);
  return STC_OK;
}
