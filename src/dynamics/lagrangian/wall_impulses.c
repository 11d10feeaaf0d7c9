// The impulses of a step: U = W r + q with q = H (u_L - V_w) + e U_N(before) e_N, and the law of
// each touched wall holds for (U, r). One wall is solved in closed form, several as one problem.
#include "simulation.h"

#include "../../base/fail.h"
#include "../../base/number.h"
#include "../../base/vec3.h"

#include <stiction/cert.h>

#include <math.h>
#include <string.h>

// Halvings of the restitution that find where it stops gaining energy: to 1e-6 of e.
enum { HALVINGS = 20 };

// What rounding may make of a balanced power, against its terms.
static const double ROUNDING = 1e-12;

// A wall takes part in a jam with at least this part of its impulses.
static const double PARTAKES = 1e-3;

static size_t bytes_of(const stc_simulation *s) {
  return (size_t)(s->contacts.count * s->system.dim) * sizeof(double);
}

// --- From impulses to velocities ---

/// u_F = u_L + M^-1 H^T r, and U with it.
static stc_error apply_impulses(stc_simulation *s) {
  stc_contacts *c = &s->contacts;
  stc_csr_multiply_transposed(&c->H, c->r, 0, s->u_F);
  STC_TRY(stc_mass_solve(&s->mass, s->u_F));
  for (int i = 0; i < s->system.dofs; i++) s->u_F[i] += s->u_L[i];
  stc_csr_multiply(&c->H, s->u_F, 0, c->after);
  for (int k = 0; k < c->count * s->system.dim; k++) c->after[k] -= c->drive[k];
  return STC_OK;
}

// --- One wall ---

/// W = H M^-1 H^T of a single contact, by columns.
static stc_error delassus(stc_simulation *s, double *W) {
  const stc_csr *H = &s->contacts.H;
  for (int k = 0; k < H->rows; k++) {
    double row[STC_MAX_DIM] = {0};
    row[k] = 1;
    stc_csr_multiply_transposed(H, row, 0, s->scratch);
    STC_TRY(stc_mass_solve(&s->mass, s->scratch));
    stc_csr_multiply(H, s->scratch, 0, W + k * H->rows);
  }
  return STC_OK;
}

/// eta of one contact, and FCLIB's measure where its mass is the unit.
static void judge_one(const stc_contacts *c, int dim, double kappa, stc_step_report *report) {
  double F[STC_MAX_DIM], U[STC_MAX_DIM];
  for (int k = 0; k < dim; k++) U[k] = c->after[k] + c->bounce[k];
  stc_law_residual(&c->law[0], kappa, c->r, U, F);
  double residual = kappa * stc_vector_norm(F, dim), q = stc_vector_norm(c->q, dim);
  report->eta = residual / fmax(stc_vector_norm(U, dim), q);
  report->fclib_error = residual / q;
}

static stc_error solve_one(stc_simulation *s, stc_step_report *report) {
  stc_contacts *c = &s->contacts;
  int dim = s->system.dim;
  double W[STC_MAX_DIM * STC_MAX_DIM], trace = 0;
  STC_TRY(delassus(s, W));
  for (int k = 0; k < dim; k++) trace += W[k * dim + k];
  stc_contact_state state = stc_law_solve(&c->law[0], W, c->q, c->r);
  STC_TRY(apply_impulses(s));
  judge_one(c, dim, trace / dim, report);
  double merit = fmax(report->eta, report->fclib_error);
  bool answered = state != STC_CONTACT_VIOLATED;
  report->status = answered && merit <= s->stepping.tol ? STC_STATUS_SOLVED : STC_STATUS_STALLED;
  report->accepted = answered && report->eta <= s->stepping.accept;
  return STC_OK;
}

// --- Several walls ---

/// A power of two near the mass that the contacts feel: with it as the unit of mass, tolerances do
/// not depend on whether kilograms or tonnes are given, and no number is rounded.
static double unit_of_mass(const stc_simulation *s) {
  const stc_csr *H = &s->contacts.H, *M = &s->mass.M;
  double kappa = 0;
  for (int e = 0; e < H->ptr[H->rows]; e++)
    kappa += H->val[e] * H->val[e] / stc_csr_entry(M, H->col[e], H->col[e]);
  int exponent = 0;
  if (kappa > 0) frexp(H->rows / kappa, &exponent);
  return ldexp(1, exponent);
}

/// The contact problem M v + f = H^T r, u = H v + w with f = -M u_L, masses in `unit`.
static stc_error build(stc_simulation *s, double unit, stc_problem **problem) {
  stc_contacts *c = &s->contacts;
  stc_arena arena = {0};
  stc_csr M = s->mass.M;
  int entries = stc_csr_entries(&M), size = c->H.rows;
  M.val = STC_TAKE(&arena, double, entries);
  double *f = STC_TAKE(&arena, double, s->system.dofs), *w = STC_TAKE(&arena, double, size);
  stc_error error = stc_arena_check(&arena);
  if (!error) {
    stc_mass_multiply(&s->mass, s->u_L, f);
    for (int e = 0; e < entries; e++) M.val[e] = s->mass.M.val[e] / unit;
    for (int i = 0; i < s->system.dofs; i++) f[i] /= -unit;
    for (int k = 0; k < size; k++) w[k] = c->bounce[k] - c->drive[k];
    stc_global_data data = {.dim = s->system.dim,
                            .contacts = c->count,
                            .dofs = s->system.dofs,
                            .M = stc_csr_view(&M),
                            .H = stc_csr_view(&c->H),
                            .f = f,
                            .w = w,
                            .law = c->law};
    error = stc_problem_create_global(&data, problem);
  }
  stc_arena_free(&arena);
  return error;
}

static void take_verdict(const stc_simulation *s, const stc_info *info, stc_step_report *report) {
  report->status = info->status;
  report->eta = info->residual.eta;
  report->fclib_error = info->residual.fclib_error;
  report->accepted = report->eta <= s->stepping.accept;
}

/// The problem is searched where it is small.
static stc_error decide(stc_simulation *s, const stc_problem *problem, stc_info *info,
                        stc_step_report *report) {
  stc_contacts *c = &s->contacts;
  if (c->count > STC_DECIDED_CONTACTS) return STC_OK;
  STC_TRY(stc_decide(problem, &s->stepping.solver, NULL, &(stc_solution){.r = c->r}, info, NULL));
  take_verdict(s, info, report);
  return STC_OK;
}

/// From the start in r, from nothing where that leads nowhere, and by a search where neither does.
static stc_error run_solver(stc_simulation *s, const stc_problem *problem,
                            stc_step_report *report) {
  stc_contacts *c = &s->contacts;
  stc_solver *solver = NULL;
  stc_info info;
  stc_error error = stc_solver_setup(&solver, problem, &s->stepping.solver);
  if (!error) error = stc_solver_solve(solver, &(stc_solution){.r = c->r}, &info);
  if (!error) take_verdict(s, &info, report);
  if (!error && !report->accepted && info.status != STC_STATUS_INTERRUPTED) {
    memset(c->r, 0, bytes_of(s));
    error = stc_solver_solve(solver, &(stc_solution){.r = c->r}, &info);
    if (!error) take_verdict(s, &info, report);
    if (!error && !report->accepted && info.status == STC_STATUS_STALLED)
      error = decide(s, problem, &info, report);
  }
  stc_solver_free(&solver);
  return error;
}

static stc_error solve_several(stc_simulation *s, stc_step_report *report) {
  stc_contacts *c = &s->contacts;
  stc_problem *problem = NULL;
  double unit = unit_of_mass(s);
  for (int k = 0; k < c->H.rows; k++) c->r[k] /= unit;
  stc_error error = build(s, unit, &problem);
  if (!error) error = run_solver(s, problem, report);
  stc_problem_free(&problem);
  for (int k = 0; k < c->H.rows; k++) c->r[k] *= unit;
  return error ? error : apply_impulses(s);
}

// --- Restitution ---

/// Solves with `part` of every restitution. A wall throws back what approached it, unless so slowly
/// that a step brings it no nearer than `rest`: then it rests.
static stc_error attempt(stc_simulation *s, double part, stc_step_report *report) {
  stc_contacts *c = &s->contacts;
  int dim = s->system.dim;
  double slow = s->stepping.rest / s->stepping.h;
  memset(c->bounce, 0, bytes_of(s));
  for (int i = 0; i < c->count; i++)
    if (c->free[i * dim] < 0 && c->before[i * dim] < -slow)
      c->bounce[i * dim] = part * c->restitution[i] * c->before[i * dim];
  for (int k = 0; k < c->count * dim; k++) c->q[k] = c->free[k] + c->bounce[k];
  memcpy(c->r, c->guess, bytes_of(s));
  report->restitution = part;
  return c->count == 1 ? solve_one(s, report) : solve_several(s, report);
}

/// The contacts did positive work r.(U_I + U_F)/2 beyond what the forces of the step explain:
/// r.(U_L - U_I)/2 bounds it for e = 0.
static bool gains_energy(const stc_simulation *s) {
  const stc_contacts *c = &s->contacts;
  double work = 0, allowed = 0, terms = 0;
  for (int k = 0; k < c->count * s->system.dim; k++) {
    double begin = c->r[k] * c->before[k] / 2, end = c->r[k] * c->after[k] / 2;
    work += begin + end;
    allowed += c->r[k] * (c->free[k] - c->before[k]) / 2;
    terms += fabs(begin) + fabs(end);
  }
  return work > fabs(allowed) + ROUNDING * terms;
}

static bool rebounds(const stc_simulation *s) {
  return stc_vector_largest(s->contacts.bounce, s->contacts.count * s->system.dim) > 0;
}

/// Newton's rule with friction may gain energy where W couples normal and tangent (Kane's paradox);
/// without restitution nothing is gained. The largest part of e that gains nothing is kept.
static stc_error limit_restitution(stc_simulation *s, stc_step_report *report) {
  double kept = 0, gaining = 1;
  for (int k = 0; k < HALVINGS; k++) {
    double part = (kept + gaining) / 2;
    STC_TRY(attempt(s, part, report));
    if (report->accepted && !gains_energy(s))
      kept = part;
    else
      gaining = part;
  }
  return attempt(s, kept, report);
}

// --- A step that is not accepted ---

static void list_walls(const stc_simulation *s, const double *ray, char *text, size_t size) {
  const stc_contacts *c = &s->contacts;
  int dim = s->system.dim, named = 0, most = 6;
  size_t at = 0;
  for (int i = 0; i < c->count && at < size; i++) {
    if (ray && !(fabs(ray[i * dim]) > PARTAKES)) continue;
    if (named == most) {
      stc_snprintf(text + at, size - at, " and more");
      return;
    }
    at += (size_t)stc_snprintf(text + at, size - at, "%s%d", named++ ? ", " : "", c->wall[i]);
  }
}

static const char *remedy(const stc_simulation *s, stc_status status, stc_existence existence) {
  bool driven = stc_vector_largest(s->contacts.drive, s->contacts.count * s->system.dim) > 0;
  if (status == STC_STATUS_INTERRUPTED) return "the progress callback asked to stop";
  if (existence == STC_EXISTENCE_PROVED)
    return "a solution exists: raise `accept`, or choose another solver.method";
  if (rebounds(s)) return "set their restitution to 0 or lower their friction";
  if (driven) return "the moving walls may leave no room: check their velocities";
  return "lower their friction, take a smaller h, or choose another solver.method";
}

static stc_error explain(stc_simulation *s, stc_step_report *report) {
  char walls[128] = "";
  stc_existence existence;
  double *ray = stc_calloc((size_t)s->contacts.H.rows, sizeof *ray);
  if (!ray) return stc_fail(STC_ERR_MEMORY, "out of memory for %d contacts", s->contacts.count);
  stc_error error = stc_contacts_existence(s, &existence, ray);
  bool jammed = !error && existence == STC_EXISTENCE_JAMMED;
  if (!error) list_walls(s, jammed ? ray : NULL, walls, sizeof walls);
  stc_release(&ray);
  if (error) return error;
  stc_snprintf(
      report->reason, sizeof report->reason,
      "step %ld at t = %g is not taken: the impulses at wall%s %s were not found (%s, eta = "
      "%.1e)%s; %s",
      s->steps + 1, stc_simulation_time(s), s->contacts.count > 1 ? "s" : "", walls,
      stc_status_name(report->status), report->eta,
      jammed ? "; these walls jam: impulses exist that balance each other and that the "
               "prescribed velocities work against, so that there may be no solution"
             : "",
      remedy(s, report->status, existence));
  return STC_OK;
}

// --- The whole ---

static void depart(stc_simulation *s, stc_step_report *report) {
  stc_contacts *c = &s->contacts;
  memcpy(s->u_F, s->u_L, (size_t)s->system.dofs * sizeof *s->u_F);
  if (!c->count) return;
  memset(c->r, 0, bytes_of(s));
  memset(c->bounce, 0, bytes_of(s));
  memcpy(c->after, c->free, bytes_of(s));
  report->status = STC_STATUS_SOLVED;
}

stc_error stc_contacts_solve(stc_simulation *s, stc_step_report *report) {
  stc_contacts *c = &s->contacts;
  *report = (stc_step_report){.accepted = true, .contacts = c->count, .restitution = 1};
  if (!c->approaching) {
    depart(s, report);
    return STC_OK;
  }
  STC_TRY(attempt(s, 1, report));
  if (report->accepted && rebounds(s) && gains_energy(s)) STC_TRY(limit_restitution(s, report));
  if (report->accepted) return STC_OK;
  STC_TRY(build(s, 1, &s->problem));
  return explain(s, report);
}
