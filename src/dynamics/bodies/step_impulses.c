// The impulses of a step: M (v+ - v) = h F + H^T r + G^T l, G v+ + b = 0, and the law of every
// contact holds for U + w, U = H v+ - drive, with w_N = e U_N(before) where it bounces and gap / h
// elsewhere: the gap at the middle of the next step is then not negative.
#include "../step/step_problem.h"
#include "step_solver.h"

#include "../../base/number.h"
#include "../joints/joint_acts.h"
#include "../loads/body_loads.h"
#include "../restitution.h"
#include "../soft/soft_contacts.h"
#include "../surfaces/contact_laws.h"

// Halvings of the restitution that find where it stops gaining energy: to 1e-4 of e.
enum { HALVINGS = 14 };  // [bound]

// What rounding may make of a balanced power, against its terms.
static const double ROUNDING = 1e-12;  // [rounding]

static size_t component_count(const stc_world *world) {
  return (size_t)world->count * (size_t)world->dim;
}

/// With those of what acts along coordinates of joints, which stand behind.
static size_t solved_count(const stc_world *world) {
  return (size_t)(world->count + world->acts.pressed) * (size_t)world->dim;
}

// --- Velocities ---

/// Velocities of `next`, by degrees of freedom.
static void read_speed(const stc_world *world, double *speed) {
  bool plane = world->settings.plane;
  for (int b = 0; b < world->bodies; b++) {
    int dof = STC_NODES(world)[b].dof;
    const stc_place *place = &STC_NEXT(world)[b];
    if (dof < 0) continue;
    for (int i = 0; i < (plane ? 2 : 3); i++) speed[dof + i] = place->v[i];
    for (int i = plane ? 2 : 0; i < 3; i++) speed[dof + (plane ? 2 : 3 + i)] = place->omega[i];
  }
}

static void load_speed(stc_world *world) {
  double *before = STC_SPEED(world, STC_SPEED_BEFORE), *free = STC_SPEED(world, STC_SPEED_FREE);
  int linear = world->settings.plane ? 2 : 3;
  read_speed(world, before);
  memcpy(free, before, (size_t)world->dofs * sizeof *free);
  for (int b = 0; b < world->bodies; b++) {
    int dof = STC_NODES(world)[b].dof;
    for (int i = 0; i < linear && dof >= 0; i++)
      free[dof + i] += world->settings.h * world->settings.gravity[i];
  }
  stc_loads_add(world, free);
}

static void store_speed(stc_world *world) {
  const double *after = STC_SPEED(world, STC_SPEED_AFTER);
  bool plane = world->settings.plane;
  for (int b = 0; b < world->bodies; b++) {
    int dof = STC_NODES(world)[b].dof;
    stc_place *place = &STC_NEXT(world)[b];
    if (dof < 0) continue;
    for (int i = 0; i < (plane ? 2 : 3); i++) place->v[i] = after[dof + i];
    for (int i = plane ? 2 : 0; i < 3; i++) place->omega[i] = after[dof + (plane ? 2 : 3 + i)];
  }
}

static void relative(stc_world *world, stc_speed speed, stc_row_vector row) {
  const double *drive = STC_ROW(world, STC_ROW_DRIVE);
  double *u = STC_ROW(world, row);
  memset(u, 0, component_count(world) * sizeof *u);
  stc_body_rows_add_velocity(&world->H.view, STC_SPEED(world, speed), u);
  for (size_t k = 0; k < component_count(world); k++) u[k] -= drive[k];
}

/// x = M^-1 x.
static void divide_by_mass(const stc_world *world, double *x) {
  for (int b = 0; b < world->bodies; b++) {
    const stc_body_data *node = &STC_NODES(world)[b];
    double *y = x + node->dof, rotation[3];
    if (node->dof < 0) continue;
    for (int i = 0; i < (world->settings.plane ? 2 : 3); i++) y[i] /= node->mass;
    if (world->settings.plane) {
      y[2] /= node->inertia[8];
      continue;
    }
    stc_mul3(node->inverse, y + 3, rotation);
    memcpy(y + 3, rotation, sizeof rotation);
  }
}

/// v+ = v_free + M^-1 (H^T r + G^T l), where l is what makes G v+ + b = 0 to rounding.
static stc_error apply_impulses(stc_world *world) {
  double *after = STC_SPEED(world, STC_SPEED_AFTER);
  const double *free = STC_SPEED(world, STC_SPEED_FREE);
  memset(after, 0, (size_t)world->dofs * sizeof *after);
  stc_body_rows_add_impulse(&world->H.view, STC_ROW(world, STC_ROW_R), after);
  stc_acts_push(world, after);
  divide_by_mass(world, after);
  for (int i = 0; i < world->dofs; i++) after[i] += free[i];
  if (world->links > 0) {
    store_speed(world);
    STC_TRY(stc_world_project_joints(world));
    read_speed(world, after);
  }
  relative(world, STC_SPEED_AFTER, STC_ROW_AFTER);
  return STC_OK;
}

// --- Solving ---

/// Bodies that what the tolerance leaves open moves to and fro would never touch: where nothing
/// else moves them they may stay as far apart as they may overlap.
static bool is_closed(const stc_world *world, const stc_contact_pair *m, const double *before) {
  double size = fmin(STC_NODES(world)[m->body[0]].size, STC_NODES(world)[m->body[1]].size);
  double most = 0;
  if (m->point.gap <= STC_SAME * size) return true;
  for (int k = 0; k < world->dim; k++) most = fmax(most, fabs(before[k]));
  return most <= stc_world_slow(world) && m->point.gap <= world->settings.slop / 2 * size;
}

/// Contacts that approach faster than gravity pulls in a step bounce with `part` of their e; the
/// others may come as near as their gap allows.
static bool choose_w(stc_world *world, double part) {
  double *w = STC_ROW(world, STC_ROW_W), h = world->settings.h, slow = stc_world_slow(world);
  const double *before = STC_ROW(world, STC_ROW_BEFORE), *free = STC_ROW(world, STC_ROW_FREE);
  bool bounces = false;
  memset(w, 0, component_count(world) * sizeof *w);
  for (int c = 0; c < world->count; c++) {
    const stc_contact_pair *m = &STC_CONTACT_PAIRS(world)[c];
    size_t N = (size_t)c * (size_t)world->dim;
    if (stc_contact_yields(m)) {
      w[N] = m->soft.w;
      continue;
    }
    bool bounce = m->restitution > 0 && before[N] < -slow && m->point.gap + h * free[N] <= 0;
    w[N] = bounce                            ? part * m->restitution * before[N]
           : is_closed(world, m, before + N) ? 0
                                             : m->point.gap / h;
    bounces = bounces || bounce;
  }
  return bounces;
}

/// The part of the guess g that is least in energy, min over a in [0, 1] of a^2 g.W g / 2 + a g.q:
/// 1 at rest, less where bodies flow and no impulse lasts. Near 1 the guess stays as it is.
/// Impulses that a budget cut short are no answer yet, whose energy would tell anything: all of
/// them stay.
static double part_of_guess(stc_world *world) {
  const double *g = STC_ROW(world, STC_ROW_GUESS), *w = STC_ROW(world, STC_ROW_W),
               *free = STC_ROW(world, STC_ROW_FREE);
  double *p = STC_SPEED(world, STC_SPEED_WORK), *v = STC_SPEED(world, STC_SPEED_AFTER);
  size_t bytes = (size_t)world->dofs * sizeof *p;
  double work = 0, twice = 0;
  memset(p, 0, bytes);
  stc_body_rows_add_impulse(&world->H.view, g, p);
  memcpy(v, p, bytes);
  divide_by_mass(world, v);
  for (int i = 0; i < world->dofs; i++) twice += p[i] * v[i];
  for (size_t k = 0; k < component_count(world); k++) work -= g[k] * (free[k] + w[k]);
  if (world->soft > 0) twice += stc_soft_square(world, g);
  return twice > 0 && work < world->settings.solver.rule.gain * twice ? fmax(0, work / twice) : 1;
}

// Work of a node of a search, about 1 ms.
static const double NODE_WORK = 1000;  // [machine]

/// As far as the budget goes.
static stc_certify_settings limits_of_search(const stc_world *world) {
  stc_certify_settings limits = stc_decision_settings(world->problem);
  double left = fmax(0, (world->work_limit - world->work) / NODE_WORK);
  if (left < (double)limits.max_nodes) limits.max_nodes = (long)left;
  return limits;
}

/// A small step that no method solves is searched.
static stc_error decide(stc_world *world, stc_world_report *report) {
  stc_settings settings = stc_default_settings();
  stc_info info = {.status = report->status};
  settings.tol = world->settings.tol;
  bool wanted = !report->accepted && report->status == STC_STATUS_STALLED;
  if (!wanted || world->count > STC_DECIDED_CONTACTS) return STC_OK;
  STC_TRY(stc_step_pose(world));
  stc_certify_settings limits = limits_of_search(world);
  if (limits.max_nodes == 0) return STC_OK;
  STC_TRY(stc_decide(world->problem, &settings, &limits,
                     &(stc_solution){.r = STC_ROW(world, STC_ROW_R),
                                     .u = STC_ROW(world, STC_ROW_AFTER),
                                     .l = world->equalities ? world->multiplier.data : NULL},
                     &info, NULL));
  report->status = info.status;
  report->eta = info.residual.eta;
  report->fclib_error = info.residual.fclib_error;
  report->accepted = report->eta <= world->settings.accept;
  return STC_OK;
}

/// What the solver left in STC_ROW_R, in units of mass.
static stc_error take_impulses(stc_world *world) {
  double *r = STC_ROW(world, STC_ROW_R);
  for (size_t k = 0; k < solved_count(world); k++) r[k] *= world->unit;
  stc_acts_take(world, r + component_count(world));
  STC_TRY(apply_impulses(world));
  stc_acts_settle(world);
  return STC_OK;
}

/// The velocity of component k that its impulse works against: where a contact bounces, half of the
/// velocities before and after.
static double speed_against(const stc_world *world, size_t k) {
  double free = STC_ROW(world, STC_ROW_FREE)[k];
  bool bounces = STC_ROW(world, STC_ROW_W)[k - k % (size_t)world->dim] < 0;
  return bounces ? (STC_ROW(world, STC_ROW_BEFORE)[k] + free) / 2 : free;
}

/// Impulses that are solved for to a tolerance shall not drive what they hold: at a r the contacts
/// do the work a r.U + a^2 r.W r / 2, and a <= 1 is made so small that it is none, unless a step
/// without a budget would then not be accepted.
static stc_error keep_passive(stc_world *world, stc_world_report *report) {
  double *r = STC_ROW(world, STC_ROW_R), *after = STC_ROW(world, STC_ROW_AFTER);
  const double *free = STC_ROW(world, STC_ROW_FREE);
  double work = 0, twice = 0;
  stc_residual residual;
  for (size_t k = 0; k < component_count(world); k++) {
    work -= r[k] * speed_against(world, k);
    twice += r[k] * (after[k] - free[k]);
  }
  if (!(2 * work < twice)) return STC_OK;
  double part = fmax(0, 2 * work / twice);
  for (size_t k = 0; k < component_count(world); k++) after[k] = part * r[k] / world->unit;
  STC_TRY(stc_step_judge(world, after, &residual));
  bool refused = world->settings.budget == 0 && residual.eta > world->settings.accept;
  if (refused) return apply_impulses(world);
  for (size_t k = 0; k < component_count(world); k++) r[k] *= part;
  report->eta = residual.eta;
  report->fclib_error = residual.fclib_error;
  return apply_impulses(world);
}

static stc_error attempt_bodies(stc_world *world, stc_solver **s, double part,
                                stc_world_report *report) {
  double *r = STC_ROW(world, STC_ROW_R), *start;
  const double *guess = STC_ROW(world, STC_ROW_GUESS);
  size_t own = component_count(world), size = solved_count(world);
  bool updated = *s != NULL;  // then the problem itself has the w of another part
  choose_w(world, part);
  if (updated)
    STC_TRY(stc_step_follow(world, *s));
  else
    STC_TRY(stc_step_build(world));
  STC_TRY(stc_pool_grow(&world->start, size, sizeof(double), 0));
  start = world->start.data;
  double kept = world->cut_short ? 1 : part_of_guess(world);
  for (size_t k = 0; k < own; k++) r[k] = kept * guess[k];
  stc_acts_guess(world, r + own);
  for (size_t k = 0; k < size; k++) start[k] = r[k] /= world->unit;
  report->restitution = part;
  STC_TRY(stc_step_solve(world, s, report));
  if (!updated) STC_TRY(decide(world, report));
  return take_impulses(world);
}

/// At contacts that bounce the forces of the step explain nothing; what yields may give back what
/// it stores.
static bool gains_energy(const stc_world *world) {
  stc_step_rows rows = stc_world_rows(world);
  if (world->soft > 0) rows.r = stc_soft_leave_out(world, rows.r);
  return stc_gains_energy(&rows, false, fmax(ROUNDING, world->settings.tol));
}

/// A step whose restitution is limited.
typedef struct limited {
  stc_world *world;
  stc_solver **solver;
  stc_world_report *report;
} limited;

static stc_error attempt_part(void *step, double part, bool *sound) {
  const limited *l = step;
  STC_TRY(attempt_bodies(l->world, l->solver, part, l->report));
  *sound = l->report->accepted && !gains_energy(l->world);
  return STC_OK;
}

static stc_error limit_restitution(stc_world *world, stc_solver **s, stc_world_report *report) {
  double kept;
  STC_TRY(stc_restitution_limit(attempt_part, &(limited){world, s, report}, HALVINGS, &kept));
  stc_solver_free(s);  // the problem that is kept has the restitution that is kept
  return attempt_bodies(world, s, kept, report);
}

static stc_error find_impulses(stc_world *world, stc_solver **s, stc_world_report *report) {
  bool bounces = choose_w(world, 1);
  STC_TRY(attempt_bodies(world, s, 1, report));
  if (bounces) report->existence = stc_world_existence(world);
  bool sound = report->accepted && !(bounces && gains_energy(world));
  if (!sound && bounces) STC_TRY(limit_restitution(world, s, report));
  // of what joints and springs do at the same time
  bool free = !world->settings.exact && world->links == 0 && world->soft == 0;
  return free && report->accepted ? keep_passive(world, report) : STC_OK;
}

// --- Rest ---

/// Solves on from the impulses of the step, to what rest asks for.
static stc_error sharpen(stc_world *world, stc_world_report *report) {
  double *r = STC_ROW(world, STC_ROW_R);
  for (size_t k = 0; k < solved_count(world); k++) r[k] /= world->unit;
  STC_TRY(stc_step_sharpen(world, report));
  return take_impulses(world);
}

/// Copies r, l and the velocities after the step aside, or back.
static stc_error swap_in(stc_world *world, bool back) {
  double *part[] = {STC_ROW(world, STC_ROW_R), world->multiplier.data,
                    STC_SPEED(world, STC_SPEED_AFTER)};
  size_t count[] = {component_count(world), (size_t)world->equalities, (size_t)world->dofs};
  STC_TRY(stc_pool_grow(&world->before_rest, count[0] + count[1] + count[2], sizeof(double), 0));
  double *aside = world->before_rest.data;
  for (int k = 0; k < 3; k++) {
    if (count[k] && back) memcpy(part[k], aside, count[k] * sizeof(double));
    if (count[k] && !back) memcpy(aside, part[k], count[k] * sizeof(double));
    aside += count[k];
  }
  return STC_OK;
}

/// Bodies that rest get the velocity 0, unless contacts with what moves then miss the tolerance.
static stc_error bring_to_rest(stc_world *world, stc_world_report *report, int *slow) {
  double *r = STC_ROW(world, STC_ROW_AFTER);
  bool changed = false;
  stc_residual residual;
  STC_TRY(swap_in(world, false));
  STC_TRY(stc_world_rest(world, report->eta, &changed, slow));
  if (!changed) return STC_OK;
  for (size_t k = 0; k < solved_count(world); k++)
    r[k] = STC_ROW(world, STC_ROW_R)[k] / world->unit;
  STC_TRY(stc_step_judge(world, r, &residual));
  if (residual.eta > fmax(report->eta, world->settings.tol)) return swap_in(world, true);
  report->eta = residual.eta;
  report->fclib_error = residual.fclib_error;
  return STC_OK;
}

/// Where the tolerance leaves open whether a slow body rests, and how it moves if not, a small step
/// is solved on.
static stc_error still(stc_world *world, stc_world_report *report) {
  int slow = 0;
  STC_TRY(bring_to_rest(world, report, &slow));
  if (slow > 0 && report->eta > STC_SHARP && world->count <= world->settings.solver.part.most) {
    STC_TRY(sharpen(world, report));
    STC_TRY(bring_to_rest(world, report, &slow));
  }
  relative(world, STC_SPEED_AFTER, STC_ROW_AFTER);
  return STC_OK;
}

// --- A step that is not accepted ---

/// The contact with the largest term of eta among those of bodies that were not named; -1: none.
static int worst_contact(const stc_world *world, double *term) {
  int worst = -1;
  for (int c = 0; c < world->count; c++)
    if (term[c] >= 0 && (worst < 0 || term[c] > term[worst])) worst = c;
  for (int c = 0; worst >= 0 && c < world->count; c++) {
    const int *body = STC_CONTACT_PAIRS(world)[c].body,
              *named = STC_CONTACT_PAIRS(world)[worst].body;
    if (c != worst && body[0] == named[0] && body[1] == named[1]) term[c] = -1;
  }
  if (worst >= 0) term[worst] = -1;
  return worst;
}

/// The pairs of bodies whose contacts err most.
static void list_bodies(stc_world *world, char *text, size_t size) {
  const int most = 4;
  const char *first = world->count > 0 ? "of " : "of limits, motors and friction of joints";
  size_t at = (size_t)stc_snprintf(text, size, "%s", first);
  double *r = STC_ROW(world, STC_ROW_AFTER), *term = STC_ROW(world, STC_ROW_FREE);
  for (size_t k = 0; k < solved_count(world); k++)
    r[k] = STC_ROW(world, STC_ROW_R)[k] / world->unit;
  if (world->count == 0 || stc_step_pose(world) ||
      stc_problem_classify(world->problem, r, world->settings.tol, NULL, term))
    return;
  for (int named = 0, c; (c = worst_contact(world, term)) >= 0 && at < size; named++) {
    const stc_contact_pair *m = &STC_CONTACT_PAIRS(world)[c];
    if (named == most) {
      stc_snprintf(text + at, size - at, " and more");
      return;
    }
    at +=
        (size_t)stc_snprintf(text + at, size - at, "%s%s on %s", named > 0 ? ", " : "",
                             STC_NODES(world)[m->body[0]].name, STC_NODES(world)[m->body[1]].name);
  }
}

/// What the existence criterion says; empty where it does not serve the laws at hand, or takes
/// long.
static void describe_existence(stc_world *world, char *text, size_t size) {
  stc_certificate *certificate;
  text[0] = '\0';
  if (world->count == 0 || world->count > stc_world_certified(world)) return;
  if (stc_step_pose(world) || stc_step_certify(world->problem, &certificate) || !certificate)
    return;
  stc_snprintf(text, size, "existence: %s", stc_certificate_reason(certificate));
  stc_certificate_free(&certificate);
}

/// An interruption says nothing about the contacts, and whoever asked for it does not wait.
static void explain_bodies(stc_world *world, stc_world_report *report) {
  char bodies[200] = "", proof[160] = "";
  if (report->status != STC_STATUS_INTERRUPTED) {
    list_bodies(world, bodies, sizeof bodies);
    describe_existence(world, proof, sizeof proof);
  }
  stc_step_explain(&(stc_refusal){.step = world->steps + 1,
                                  .time = stc_world_time(world),
                                  .where = bodies,
                                  .status = report->status,
                                  .eta = report->eta,
                                  .proof = proof,
                                  .remedy = "take a smaller h, check driven bodies that squeeze "
                                            "others, or raise `accept`"},
                   report->reason, sizeof report->reason);
}

/// What is said of a step that was taken although it errs by more than `accept`.
static void explain_relaxed(const stc_world *world, stc_world_report *report) {
  stc_snprintf(report->reason, sizeof report->reason,
               "step %ld was taken with eta = %.1e, above accept = %g: its budget of %g ended; "
               "raise `budget`, take a smaller h, or set `exact`",
               world->steps + 1, report->eta, world->settings.accept, world->work_limit);
}

static double limit_of_work(const stc_world *world) {
  double budget = world->settings.budget;
  int contacts = STC_BUDGET_CONTACTS + world->count + world->acts.pressed;
  return budget > 0 ? budget * contacts : INFINITY;
}

/// What the step took, and whether it ended before its tolerance after all.
static void report_work(const stc_world *world, stc_world_report *report) {
  report->work = world->work;
  report->relaxed = report->status == STC_STATUS_RELAXED && report->eta > world->settings.tol;
  if (report->status == STC_STATUS_RELAXED && !report->relaxed) report->status = STC_STATUS_SOLVED;
  if (report->eta > world->settings.accept) explain_relaxed(world, report);
}

// --- The whole ---

/// Room for what acts, in the vectors of contacts.
static stc_error begin_acts(stc_world *world) {
  size_t own = component_count(world);
  STC_TRY(stc_acts_begin(world));
  for (int k = 0; k < STC_ROW_VECTORS && world->acts.count > 0; k++) {
    size_t most = own + (size_t)world->acts.count * (size_t)world->dim;
    STC_TRY(stc_pool_grow(&world->vector[k], most, sizeof(double), own));
  }
  STC_TRY(stc_pool_grow(&world->multiplier, (size_t)(world->equalities + world->acts.ties),
                        sizeof(double), 0));
  return STC_OK;
}

/// Solves anew with the limits that the solution would cross, until there are none.
static stc_error find_all_impulses(stc_world *world, stc_world_report *report) {
  int crossed = 1;
  while (crossed > 0) {
    stc_solver *s = NULL;
    stc_world_forget_problem(world);
    if (world->count + world->acts.pressed == 0) {
      STC_TRY(apply_impulses(world));
      stc_acts_settle(world);
    } else {
      stc_error error = find_impulses(world, &s, report);
      stc_solver_free(&s);
      if (error) return error;
    }
    crossed = report->accepted ? stc_acts_cross(world) : 0;
  }
  return STC_OK;
}

/// What sticks or is closed is held, its velocity exact; unless it then leaves its bound.
static stc_error hold_sticking(stc_world *world) {
  if (world->acts.pressed == 0) return STC_OK;
  STC_TRY(stc_acts_hold(world, true));
  int broken = world->broken;
  STC_TRY(apply_impulses(world));
  if (stc_acts_settle(world) && world->broken == broken) return STC_OK;
  world->broken = broken;
  STC_TRY(stc_acts_hold(world, false));
  stc_acts_take(world, STC_ROW(world, STC_ROW_R) + component_count(world));
  STC_TRY(apply_impulses(world));
  stc_acts_settle(world);
  return STC_OK;
}

stc_error stc_world_solve(stc_world *world, stc_world_report *report) {
  for (int k = 0; k < 4; k++)
    STC_TRY(stc_pool_grow(&world->velocity[k], (size_t)world->dofs, sizeof(double), 0));
  load_speed(world);
  relative(world, STC_SPEED_BEFORE, STC_ROW_BEFORE);
  relative(world, STC_SPEED_FREE, STC_ROW_FREE);
  if (world->given_laws > 0) STC_TRY(stc_contacts_choose_laws(world));
  STC_TRY(stc_soft_begin(world));
  report->accepted = true;
  report->status = STC_STATUS_SOLVED;
  report->restitution = 1;
  report->existence = STC_VERDICT_UNDECIDED;
  world->work = 0;
  world->work_limit = limit_of_work(world);
  STC_TRY(begin_acts(world));
  STC_TRY(find_all_impulses(world, report));
  if (!report->accepted) {
    explain_bodies(world, report);
    return STC_OK;
  }
  for (int b = 0; b < world->bodies; b++) STC_NODES(world)[b].next_patience = 0;
  if (world->count > 0) STC_TRY(still(world, report));
  report_work(world, report);
  STC_TRY(hold_sticking(world));
  store_speed(world);
  stc_world_rest_joined(world);
  stc_world_react(world);
  return STC_OK;
}
