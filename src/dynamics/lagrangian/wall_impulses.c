// The impulses of a step: U = W r + q with q = H (u_L - V_w) + e U_N(before) e_N, and the law of
// each wall in contact holds for (U, r). One wall is solved in closed form, several as one problem.
#include "../../base/fail.h"
#include "../../base/number.h"
#include "../../base/vec3.h"
#include "../../law/scale.h"
#include "../restitution.h"
#include "simulation.h"

#include <float.h>
#include <math.h>
#include <string.h>

// Halvings of the restitution that find where it stops gaining energy: to 1e-6 of e.
enum { HALVINGS = 20 };  // [bound]

// What rounding may make of a balanced power, against its terms.
static const double ROUNDING = 1e-12;  // [rounding]

// Roundings in a sum of velocities, each of half a unit of its terms.
static const double ROUNDED = 4 * DBL_EPSILON;  // [rounding]

static size_t bytes_of(const stc_simulation *s) {
  return (size_t)(s->contacts.row.count * s->system.dim) * sizeof(double);
}

// --- From impulses to velocities ---

/// u_F = u_L + M^-1 H^T r, and U with it.
static stc_error apply_impulses(stc_simulation *s) {
  stc_contacts *c = &s->contacts;
  stc_csr_multiply_transposed(&c->H, c->row.r, 0, s->u_F);
  STC_TRY(stc_mass_solve(&s->mass, s->u_F));
  for (int i = 0; i < s->system.dofs; i++) s->u_F[i] += s->u_L[i];
  stc_csr_multiply(&c->H, s->u_F, 0, c->row.after);
  for (int k = 0; k < c->row.count * s->system.dim; k++) c->row.after[k] -= c->row.drive[k];
  return STC_OK;
}

// --- One wall ---

/// eta of one contact, and FCLIB's measure where its mass is the unit. As in the judge moments and
/// rates of rotation are measured by the length of the law. What rounding leaves of the terms of U
/// does not count.
static void judge_one(const stc_contacts *c, int dim, const double *W, stc_step_report *report) {
  double length[STC_MAX_DIM], r[STC_MAX_DIM], u[STC_MAX_DIM], q[STC_MAX_DIM], F[STC_MAX_DIM];
  double terms[STC_MAX_DIM];
  stc_law law = stc_law_in_units(&c->law[0], stc_law_length_unit(&c->law[0]), length);
  double trace = 0;
  for (int k = 0; k < dim; k++) {
    r[k] = c->row.r[k] / length[k];
    u[k] = length[k] * (c->row.after[k] + c->row.w[k]);
    q[k] = length[k] * c->q[k];
    terms[k] = length[k] * c->terms[k];
    trace += length[k] * W[k * dim + k] * length[k];
  }
  double kappa = trace / dim, free = stc_vector_norm(q, dim);
  stc_law_residual(&law, kappa, r, u, F);
  double noise = ROUNDED * stc_vector_norm(terms, dim);
  double residual = fmax(0, kappa * stc_vector_norm(F, dim) - noise);
  report->eta = residual / fmax(stc_vector_norm(u, dim), free);
  report->fclib_error = residual / free;
}

static stc_error solve_one(stc_simulation *s, stc_step_report *report) {
  stc_contacts *c = &s->contacts;
  int dim = s->system.dim;
  double W[STC_MAX_DIM * STC_MAX_DIM];
  // W = H M^-1 H^T of a single contact, by columns.
  const stc_csr *H = &s->contacts.H;
  for (int k = 0; k < H->rows; k++) {
    double row[STC_MAX_DIM] = {0};
    row[k] = 1;
    stc_csr_multiply_transposed(H, row, 0, s->scratch);
    STC_TRY(stc_mass_solve(&s->mass, s->scratch));
    stc_csr_multiply(H, s->scratch, 0, W + k * H->rows);
  }
  stc_contact_state state = stc_law_solve(&c->law[0], W, c->q, c->row.r);
  STC_TRY(apply_impulses(s));
  STC_TRY(stc_contacts_terms(s));
  judge_one(c, dim, W, report);
  double merit = fmax(report->eta, report->fclib_error);
  bool answered = state != STC_CONTACT_VIOLATED;
  report->status = answered && merit <= s->stepping.tol ? STC_STATUS_SOLVED : STC_STATUS_STALLED;
  report->accepted = answered && report->eta <= s->stepping.accept;
  return STC_OK;
}

// --- Several walls ---

/// The contact problem M v + f = H^T r, u = H v + w with f = -M u_L, masses in `unit`.
static stc_error build_wall_problem(stc_simulation *s, double unit, stc_problem **problem) {
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
    for (int k = 0; k < size; k++) w[k] = c->row.w[k] - c->row.drive[k];
    stc_global_data data = {.dim = s->system.dim,
                            .contacts = c->row.count,
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
  if (c->row.count > STC_DECIDED_CONTACTS) return STC_OK;
  STC_TRY(
      stc_decide(problem, &s->stepping.solver, NULL, &(stc_solution){.r = c->row.r}, info, NULL));
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
  if (!error) error = stc_solver_solve(solver, &(stc_solution){.r = c->row.r}, &info);
  if (!error) take_verdict(s, &info, report);
  if (!error && !report->accepted && info.status != STC_STATUS_INTERRUPTED) {
    memset(c->row.r, 0, bytes_of(s));
    error = stc_solver_solve(solver, &(stc_solution){.r = c->row.r}, &info);
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
  const stc_csr *H = &s->contacts.H;
  double kappa = 0;
  for (int i = 0; i < s->system.dofs; i++) s->scratch[i] = stc_csr_entry(&s->mass.M, i, i);
  for (int e = 0; e < H->ptr[H->rows]; e++) kappa += H->val[e] * H->val[e] / s->scratch[H->col[e]];
  double unit = stc_unit_of_mass(H->rows, kappa);
  for (int k = 0; k < c->H.rows; k++) c->row.r[k] /= unit;
  stc_error error = build_wall_problem(s, unit, &problem);
  if (!error) error = run_solver(s, problem, report);
  stc_problem_free(&problem);
  for (int k = 0; k < c->H.rows; k++) c->row.r[k] *= unit;
  return error ? error : apply_impulses(s);
}

// --- Restitution ---

/// Solves with `part` of every restitution. A wall throws back what approached it, unless so slowly
/// that a step brings it no nearer than `rest`: then it rests.
static stc_error attempt_walls(stc_simulation *s, double part, stc_step_report *report) {
  stc_contacts *c = &s->contacts;
  int dim = s->system.dim;
  double slow = s->stepping.rest / s->stepping.h;
  memset(c->row.w, 0, bytes_of(s));
  for (int i = 0; i < c->row.count; i++)
    if (c->row.free[i * dim] < 0 && c->row.before[i * dim] < -slow)
      c->row.w[i * dim] = part * c->restitution[i] * c->row.before[i * dim];
  for (int k = 0; k < c->row.count * dim; k++) c->q[k] = c->row.free[k] + c->row.w[k];
  memcpy(c->row.r, c->row.guess, bytes_of(s));
  report->restitution = part;
  return c->row.count == 1 ? solve_one(s, report) : solve_several(s, report);
}

/// Forces do work at walls that bounce as well.
static bool gains_energy(const stc_simulation *s) {
  return stc_gains_energy(&s->contacts.row, true, ROUNDING);
}

static bool rebounds(const stc_simulation *s) {
  return stc_vector_largest(s->contacts.row.w, s->contacts.row.count * s->system.dim) > 0;
}

/// A step whose restitution is limited.
typedef struct limited {
  stc_simulation *s;
  stc_step_report *report;
} limited;

static stc_error attempt_part(void *step, double part, bool *sound) {
  const limited *l = step;
  STC_TRY(attempt_walls(l->s, part, l->report));
  *sound = l->report->accepted && !gains_energy(l->s);
  return STC_OK;
}

// --- A step that is not accepted ---

/// rho balances itself, and the velocities that are prescribed work against it.
static bool jams(stc_simulation *s, const double *rho) {
  const stc_contacts *c = &s->contacts;
  double size = stc_vector_norm(rho, c->H.rows), against = 0, largest = 0;
  double scale = stc_vector_largest(c->H.val, c->H.ptr[c->H.rows]);
  stc_csr_multiply_transposed(&c->H, rho, 0, s->scratch);
  for (int k = 0; k < c->H.rows; k++) {
    double w = c->row.w[k] - c->row.drive[k];
    against += w * rho[k];
    largest = fmax(largest, fabs(w));
  }
  double left = stc_vector_norm(s->scratch, s->system.dofs);
  return left <= s->stepping.jam * scale * size && against < -s->stepping.jam * largest * size;
}

/// "at walls 1, 2": those that take part in the jam rho, or all.
static void list_walls(const stc_simulation *s, const double *rho, char *text, size_t size) {
  const stc_contacts *c = &s->contacts;
  int dim = s->system.dim, named = 0, most = 6;
  double least = rho ? s->stepping.jam * stc_vector_norm(rho, c->H.rows) : 0;
  size_t at = (size_t)stc_snprintf(text, size, "at wall%s", c->row.count > 1 ? "s" : "");
  for (int i = 0; i < c->row.count && at < size; i++) {
    if (rho && !(fabs(rho[i * dim]) > least)) continue;
    if (named == most) {
      stc_snprintf(text + at, size - at, " and more");
      return;
    }
    at += (size_t)stc_snprintf(text + at, size - at, "%s%d", named++ ? ", " : " ", c->wall[i]);
  }
}

static const char *remedy(const stc_simulation *s, bool exists) {
  bool driven = stc_vector_largest(s->contacts.row.drive, stc_step_size(&s->contacts.row)) > 0;
  if (exists) return "a solution exists: raise `accept`, or choose another solver.method";
  if (rebounds(s)) return "set their restitution to 0 or lower their friction";
  if (driven) return "the moving walls may leave no room: check their velocities";
  return "lower their friction, take a smaller h, or choose another solver.method";
}

static stc_error explain_walls(stc_simulation *s, stc_step_report *report) {
  char walls[128];
  stc_certificate *certificate = NULL;
  if (report->status != STC_STATUS_INTERRUPTED) STC_TRY(stc_step_certify(s->problem, &certificate));
  bool exists = certificate && stc_certificate_verdict(certificate) == STC_VERDICT_EXISTS;
  const double *rho = certificate && !exists ? stc_certificate_jamming(certificate) : NULL;
  if (rho && !jams(s, rho)) rho = NULL;
  list_walls(s, rho, walls, sizeof walls);
  stc_step_explain(
      &(stc_refusal){.step = s->steps + 1,
                     .time = stc_simulation_time(s),
                     .where = walls,
                     .status = report->status,
                     .eta = report->eta,
                     .proof = rho ? "these walls jam: impulses exist that balance each other and "
                                    "that the prescribed velocities work against, so that there "
                                    "may be no solution"
                                  : "",
                     .remedy = remedy(s, exists)},
      report->reason, sizeof report->reason);
  stc_certificate_free(&certificate);
  return STC_OK;
}

// --- The whole ---

static void depart(stc_simulation *s, stc_step_report *report) {
  stc_contacts *c = &s->contacts;
  memcpy(s->u_F, s->u_L, (size_t)s->system.dofs * sizeof *s->u_F);
  if (!c->row.count) return;
  memset(c->row.r, 0, bytes_of(s));
  memset(c->row.w, 0, bytes_of(s));
  memcpy(c->row.after, c->row.free, bytes_of(s));
  report->status = STC_STATUS_SOLVED;
}

stc_error stc_contacts_solve(stc_simulation *s, stc_step_report *report) {
  stc_contacts *c = &s->contacts;
  *report = (stc_step_report){.accepted = true, .contacts = c->row.count, .restitution = 1};
  if (!c->approaching) {
    depart(s, report);
    return STC_OK;
  }
  STC_TRY(attempt_walls(s, 1, report));
  if (report->accepted && rebounds(s) && gains_energy(s)) {
    double kept;
    STC_TRY(stc_restitution_limit(attempt_part, &(limited){s, report}, HALVINGS, &kept));
    STC_TRY(attempt_walls(s, kept, report));
  }
  if (report->accepted) return STC_OK;
  STC_TRY(build_wall_problem(s, 1, &s->problem));
  return explain_walls(s, report);
}
