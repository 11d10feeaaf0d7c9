// The last word on an answer: where a solver ended without a solution, small problems are searched
// to the end, and what the search finds is the answer.
#include "cert_data.h"

#include <math.h>
#include <string.h>

// Most contacts of a component that is searched. The search ends within this many nodes for 8
// contacts in the plane and 3 in space.
enum { MOST_CONTACTS = 12, NODES_2D = 50000, NODES_3D = 5000 };

/// The contacts of the smallest component; all of them where that could not be found out.
static int smallest_component(const stc_problem *p) {
  stc_parts parts = {0};
  STC_ARENA arena = {0};
  int least = p->contacts, *count = NULL;
  if (!stc_parts_create(p, &parts)) count = STC_TAKE(&arena, int, parts.count);
  for (int c = 0; count && c < p->contacts; c++) count[parts.contact[c]]++;
  for (int k = 0; count && k < parts.count; k++) least = count[k] < least ? count[k] : least;
  stc_parts_free(&parts);
  return least;
}

stc_certify_settings stc_decision_settings(const stc_problem *problem) {
  stc_certify_settings settings = stc_default_certify_settings();
  settings.cheap = smallest_component(problem) > MOST_CONTACTS;
  settings.max_contacts = MOST_CONTACTS;
  settings.max_nodes = problem->dim == 2 ? NODES_2D : NODES_3D;
  settings.time_limit = 10;
  settings.all = false;
  settings.find = true;
  return settings;
}

static bool within(const stc_residual *residual, double tol) {
  return residual->eta <= tol && residual->fclib_error <= tol;
}

/// What the tolerance is held against; infinite where the judge has no number.
static double error_of(const stc_residual *residual) {
  bool known = isfinite(residual->eta) && isfinite(residual->fclib_error);
  return known ? fmax(residual->eta, residual->fclib_error) : INFINITY;
}

/// Takes r over where it is better than the answer.
static stc_error offer(const stc_problem *p, double *r, const stc_solution *solution,
                       stc_info *info) {
  stc_residual residual;
  STC_TRY(stc_problem_residual(p, &(stc_solution){.r = r}, &residual));
  if (error_of(&residual) >= error_of(&info->residual)) return STC_OK;
  info->residual = residual;
  memcpy(solution->r, r, (size_t)p->size * sizeof *r);
  return stc_problem_complete(p, solution);
}

/// The solutions that were found become the answer, as they are or polished.
static stc_error adopt(const stc_problem *p, const stc_settings *settings,
                       const stc_certificate *certificate, const stc_solution *solution,
                       stc_info *info) {
  stc_solution_set set;
  STC_ARENA arena = {0};
  double *r = STC_TAKE(&arena, double, p->size);
  STC_TRY(stc_arena_check(&arena));
  for (int k = 0; stc_certificate_set(certificate, k, &set); k++) {
    if (within(&info->residual, settings->tol)) break;
    memcpy(r, set.r, (size_t)p->size * sizeof *r);
    STC_TRY(offer(p, r, solution, info));
    if (within(&info->residual, settings->tol)) break;
    // r [size] polished by the solver, from where it is. A solver that cannot is not a reason to
    // stop.
    stc_settings own = *settings;
    stc_solver *solver = NULL;
    own.tol = fmin(settings->tol, 1e-12);
    if (!stc_solver_setup(&solver, p, &own))
      stc_solver_solve(solver, &(stc_solution){.r = r}, NULL);
    stc_solver_free(&solver);
    STC_TRY(offer(p, r, solution, info));
  }
  return STC_OK;
}

/// The status by the judge and by what is proved.
static void conclude(const stc_certificate *certificate, double tol, stc_info *info) {
  bool none = certificate && certificate->verdict == STC_VERDICT_NO_SOLUTION;
  if (within(&info->residual, tol))
    info->status = none ? STC_STATUS_SOLVED_TO_TOLERANCE : STC_STATUS_SOLVED;
  else if (none)
    info->status = STC_STATUS_NO_SOLUTION;
  else if (info->status == STC_STATUS_SOLVED)
    info->status = STC_STATUS_STALLED;
}

stc_error stc_decide(const stc_problem *problem, const stc_settings *settings,
                     const stc_certify_settings *limits, const stc_solution *solution,
                     stc_info *info, stc_certificate **certificate) {
  stc_certify_settings own = limits ? *limits : stc_decision_settings(problem);
  stc_certificate *found = NULL;
  bool served = stc_certify_serves(problem) == STC_OK;
  bool stalled = info->status == STC_STATUS_STALLED || info->status == STC_STATUS_SOLVED;
  own.r = solution->r;
  if (certificate) *certificate = NULL;
  STC_TRY(stc_problem_residual(problem, solution, &info->residual));
  bool wanted = stalled && !within(&info->residual, settings->tol);
  bool is_auto = !settings->method || !strcmp(settings->method, "auto");
  bool tried = info->status == STC_STATUS_STALLED && is_auto;
  own.find = own.find && wanted;
  stc_error error = served ? stc_certify_after(problem, &own, tried, &found) : STC_OK;
  if (!error && found && wanted) error = adopt(problem, settings, found, solution, info);
  if (!error) conclude(found, settings->tol, info);
  if (error || !certificate)
    stc_certificate_free(&found);
  else
    *certificate = found;
  return error;
}
