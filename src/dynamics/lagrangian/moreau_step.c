// One step of Moreau's scheme   [Moreau 1986]:
//   1. q_M = q_I + h/2 u_I,   u_L = u_I + M^-1 h Q(t + h/2, q_M, u_I)
//   2. u_F = u_L where no wall in contact is approached, else u_L + M^-1 H^T r with r by the laws
//   3. q_F = q_M + h/2 u_F
#include "../../base/fail.h"
#include "../../base/vec3.h"
#include "../stepper.h"
#include "simulation.h"

#include <math.h>
#include <string.h>

// A contact whose sliding speed is below this part of the largest velocity of the problem sticks:
// far above the rounding of a solution, far below a speed that matters.
static const double STICKING = 1e-9;  // [rounding]

static stc_error move_freely(stc_time_step *step) {
  stc_simulation *s = step->motion;
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

static stc_error find_walls(stc_time_step *step) { return stc_contacts_gather(step->motion); }

static stc_error find_velocities(stc_time_step *step) {
  stc_simulation *s = step->motion;
  stc_step_report *report = step->report;
  STC_TRY(stc_contacts_solve(s, report));
  step->taken = report->accepted;
  return step->taken ? stc_contacts_terms(s) : STC_OK;
}

static stc_error move_to_end(stc_time_step *step) {
  stc_simulation *s = step->motion;
  for (int i = 0; i < s->system.dofs; i++) {
    s->q_F[i] = s->q_M[i] + s->stepping.h / 2 * s->u_F[i];
    if (!isfinite(s->q_F[i])) return out_of_range(s, "q");
  }
  return STC_OK;
}

static stc_error book_motion(stc_time_step *step) {
  stc_simulation *s = step->motion;
  STC_TRY(stc_ledger_move(s));
  return isfinite(s->kinetic + s->potential) ? STC_OK : out_of_range(s, "the energy");
}

static stc_error correct_walls(stc_time_step *step) {
  return stc_walls_correct(step->motion, &((stc_step_report *)step->report)->violation);
}

static stc_error book_correction(stc_time_step *step) { return stc_ledger_close(step->motion); }

// --- What the walls remember ---

static void keep_contact(stc_simulation *s, int contact, double threshold) {
  const stc_contacts *c = &s->contacts;
  int dim = s->system.dim, j = c->wall[contact], first = contact * dim;
  size_t at = (size_t)j * (size_t)dim, bytes = (size_t)dim * sizeof(double);
  double speed = 0, path = 0;
  for (int k = 1; k <= stc_law_sliding(&c->law[contact]); k++) {
    speed = hypot(speed, c->row.after[first + k]);
    path = hypot(path, (c->row.before[first + k] + c->row.after[first + k]) / 2);
  }
  bool pressed = c->row.r[first] > 0;
  s->memory[j].in_contact = true;
  s->memory[j].age += s->stepping.h;
  s->memory[j].stuck = pressed && speed <= threshold;
  if (pressed) s->memory[j].slip += s->stepping.h * path;
  memcpy(s->impulse + at, c->row.r + first, bytes);
  memcpy(s->relative + at, c->row.after + first, bytes);
  memcpy(s->terms + at, c->terms + first, bytes);
}

static stc_error commit_simulation(stc_time_step *step) {
  stc_simulation *s = step->motion;
  size_t bytes = (size_t)s->system.dofs * sizeof(double);
  memcpy(s->q, s->q_F, bytes);
  memcpy(s->u, s->u_F, bytes);
  s->account = s->trial;
  const stc_step_report *report = step->report;
  const stc_contacts *c = &s->contacts;
  int size = s->system.walls * s->system.dim;
  for (int j = 0; j < s->system.walls; j++) s->memory[j].in_contact = s->memory[j].stuck = false;
  for (int k = 0; k < size; k++) s->impulse[k] = s->relative[k] = s->terms[k] = 0;
  double scale = stc_vector_largest(c->row.free, c->H.rows),
         part = fmax(STICKING, 10 * report->eta);
  for (int i = 0; i < c->row.count; i++) keep_contact(s, i, part * scale);
  for (int j = 0; j < s->system.walls; j++)
    if (!s->memory[j].in_contact) s->memory[j].age = 0;
  s->steps++;
  return STC_OK;
}

stc_error stc_simulation_step(stc_simulation *s, stc_step_report *report) {
  static const stc_stepper stepper = {.predict = move_freely,
                                      .find_contacts = find_walls,
                                      .solve = find_velocities,
                                      .integrate = move_to_end,
                                      .book_motion = book_motion,
                                      .project = correct_walls,
                                      .book_correction = book_correction,
                                      .commit = commit_simulation};
  if (!s || !s->placed || !report)
    return stc_fail(STC_ERR_ARGUMENT,
                    "stc_simulation_step needs a simulation that was placed and a report");
  stc_problem_free(&s->problem);
  return stc_step_run(&stepper, &(stc_time_step){.motion = s, .report = report});
}
