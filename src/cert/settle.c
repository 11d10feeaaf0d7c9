// A component is settled by a solution of it: an exact point, or a box that must hold one.
#include "cert_data.h"

#include <math.h>
#include <string.h>

// --- What the components do without reactions ---

/// v and l of all components without reactions, exactly, once.
static stc_error find_free(stc_work *w) {
  stc_exact_status status = STC_EXACT_DONE;
  if (w->free_known) return STC_OK;
  w->free_known = true;
  STC_TRY(stc_rationals_create(&w->free_v, (size_t)w->problem->dofs));
  STC_TRY(stc_rationals_create(&w->free_l, (size_t)w->problem->equalities));
  for (int part = 0; status == STC_EXACT_DONE && part < w->parts.all; part++)
    STC_TRY(stc_exact_add_free(w->problem, &w->parts, part, w->budget.deadline, &status,
                               &w->free_v, &w->free_l));
  w->free_found = status == STC_EXACT_DONE;
  return STC_OK;
}

stc_error stc_work_complete(stc_work *w, const stc_component *k, const stc_rationals *r,
                            stc_rationals *v, stc_rationals *l, bool *done) {
  stc_rationals own_v = {0}, own_l = {0};
  STC_TRY(find_free(w));
  *done = w->free_found;
  if (!*done) return STC_OK;
  STC_TRY(stc_rationals_copy(&w->free_v, v));
  STC_TRY(stc_rationals_copy(&w->free_l, l));
  stc_error error = stc_exact_hidden_r(k->exact, r, &own_v, &own_l);
  for (int i = 0; !error && i < k->exact->hidden; i++) {
    int j = k->exact->index[i], dofs = k->exact->dofs;
    mpq_set(j < dofs ? v->at[j] : l->at[j - dofs], j < dofs ? own_v.at[j] : own_l.at[j - dofs]);
  }
  stc_rationals_free(&own_v);
  stc_rationals_free(&own_l);
  return error;
}

// --- Parts of the certificate ---

stc_error stc_certificate_add(stc_certificate *c, const stc_component *k, stc_proof proof,
                              stc_proved **part) {
  *part = &c->part[c->parts++];
  **part = (stc_proved){.proof = proof, .contacts = k->contacts, .contact = k->contact};
  return STC_OK;
}

stc_error stc_work_settle_point(stc_work *w, stc_component *k, const stc_rationals *r) {
  stc_proved *part = NULL;
  bool done = false;
  stc_rationals v = {0}, l = {0};
  if (k->settled) return STC_OK;
  stc_error error = stc_work_complete(w, k, r, &v, &l, &done);
  if (!error && done) {
    stc_certificate_add(w->certificate, k, STC_PROOF_VERIFIED_SOLUTION, &part);
    part->v = v;
    part->l = l;
    k->settled = true;
    return stc_exact_spread_r(k->exact, r, &part->r);
  }
  stc_rationals_free(&v);
  stc_rationals_free(&l);
  if (!done) k->why = "the velocities without reactions could not be found exactly";
  return error;
}

/// The same solution as one that is known already?
static bool known(const stc_component *k, const stc_box *box, int size) {
  static const double SAME = 1e-6;  // two boxes are far smaller
  for (int b = 0; b < k->boxes; b++) {
    double difference = 0, norm = 0;
    for (int i = 0; i < size; i++) {
      difference = fmax(difference, fabs(k->box[b]->r[i] - box->r[i]));
      norm = fmax(norm, fabs(box->r[i]));
    }
    if (difference <= SAME * norm) return true;
  }
  return false;
}

/// The local form: the rounding of W must not be able to feign the solution.
static bool is_feigned(const stc_problem *p, const double *r) {
  double most = 0;
  for (int i = 0; i < p->size; i++) most = fmax(most, p->form == STC_FORM_LOCAL ? fabs(p->q[i]) : 0);
  for (int i = 0; p->form == STC_FORM_LOCAL && i < p->size; i++) {
    double sum = 0;
    for (int e = p->W.ptr[i]; e < p->W.ptr[i + 1]; e++) sum += fabs(p->W.val[e] * r[p->W.col[e]]);
    if (!(sum <= STC_ROUNDING_ROOM * most)) return true;
  }
  return false;
}

enum { MAX_BOXES = 64 };  // solutions of a component that are kept

static stc_error keep_box(stc_work *w, stc_component *k, stc_box *box) {
  if (!k->box) k->box = STC_TAKE(&w->certificate->arena, stc_box *, MAX_BOXES);
  if (!k->box || k->boxes == MAX_BOXES || known(k, box, w->problem->size)) {
    stc_box_free(&box);
    return stc_arena_check(&w->certificate->arena);
  }
  k->box[k->boxes++] = box;
  if (k->settled) return STC_OK;
  stc_proved *part = NULL;
  k->settled = true;
  STC_TRY(stc_certificate_add(w->certificate, k, STC_PROOF_VERIFIED_SOLUTION, &part));
  part->box = box;
  return STC_OK;
}

static stc_error keep_rest(stc_work *w, stc_component *k, stc_rationals *r) {
  if (k->rest.count)
    stc_rationals_free(r);
  else
    k->rest = *r;
  return stc_work_settle_point(w, k, &k->rest);
}

// --- A solution that was found numerically ---

static bool smooth(const stc_problem *p, int c) {
  return stc_exact_D(p, c, 1) == 0 && stc_exact_D(p, c, 2) == 0;
}

/// Modes of contacts that are open or stick; false if some contact does neither. Without friction
/// slipping is the same as sticking.
static bool at_rest(const stc_work *w, const stc_component *k, const stc_contact_state *state,
                    stc_mode *mode) {
  for (int c = 0; c < k->contacts; c++) {
    bool open = state[c] == STC_CONTACT_OPEN;
    bool slips = state[c] == STC_CONTACT_SLIP && !smooth(w->problem, k->contact[c]);
    if (slips || state[c] == STC_CONTACT_VIOLATED) return false;
    mode[c] = (stc_mode){.kind = open ? STC_MODE_OPEN : STC_MODE_STICK};
  }
  return true;
}

static stc_error prove_rest(stc_work *w, stc_component *k, const stc_mode *mode, bool *found) {
  stc_rationals point = {0};
  STC_TRY(stc_rest_point(k->exact, mode, w->budget.deadline, found, &point));
  if (!*found) return STC_OK;
  *found = !stc_exact_beyond(k->exact, &point, 1);
  if (*found) return keep_rest(w, k, &point);
  stc_rationals_free(&point);
  return STC_OK;
}

stc_error stc_work_prove(stc_work *w, stc_component *k, const stc_contact_state *state,
                         const double *r, bool *found) {
  stc_arena arena = {0};
  stc_box *box = NULL;
  stc_mode *mode = STC_TAKE(&arena, stc_mode, k->contacts);
  stc_error error = stc_arena_check(&arena);
  *found = false;
  if (!error && k->exact && at_rest(w, k, state, mode)) error = prove_rest(w, k, mode, found);
  bool broken = false;
  for (int c = 0; c < k->contacts; c++) broken = broken || state[c] == STC_CONTACT_VIOLATED;
  if (!error && !*found && !broken)
    error = stc_box_prove(w->problem, k->contact, k->contacts, state, r, w->budget.deadline, &box);
  if (!error && box && is_feigned(w->problem, box->r)) stc_box_free(&box);
  if (!error && box) {
    *found = true;
    error = keep_box(w, k, box);
  }
  stc_arena_free(&arena);
  return error;
}

// A contact is open, sticks or slips if it does so to this accuracy, relative as in the judge.
static const double ACCURACY = 1e-7;

/// A solution near r [size], statuses as they are there; 3D.
static stc_error verify(stc_work *w, stc_component *k, const double *r) {
  const stc_problem *p = w->problem;
  stc_arena arena = {0};
  bool found = false;
  stc_contact_state *all = STC_TAKE(&arena, stc_contact_state, p->contacts);
  stc_contact_state *state = STC_TAKE(&arena, stc_contact_state, k->contacts);
  stc_error error = stc_arena_check(&arena);
  if (!error) error = stc_problem_classify(p, r, ACCURACY, all, NULL);
  for (int c = 0; !error && c < k->contacts; c++) state[c] = all[k->contact[c]];
  if (!error) error = stc_work_prove(w, k, state, r, &found);
  stc_arena_free(&arena);
  return error;
}

/// Runs the library's own solver once for the whole problem; its answer serves all components.
static stc_error solve_once(stc_work *w) {
  static const double SHARE = 0.25, MOST = 10;  // of the time limit, seconds
  if (w->solved) return STC_OK;
  w->solved = true;
  stc_settings settings = stc_default_settings();
  settings.tol = 1e-12;
  settings.time_limit = fmin(MOST, w->settings->time_limit * SHARE);
  stc_solver *solver = NULL;
  double *r = STC_TAKE(&w->certificate->arena, double, w->problem->size);
  STC_TRY(stc_arena_check(&w->certificate->arena));
  stc_error error = stc_solver_setup(&solver, w->problem, &settings);
  if (!error) error = stc_solver_solve(solver, &(stc_solution){.r = r}, NULL);
  stc_solver_free(&solver);
  if (!error) w->r = r;
  return STC_OK;  // a solver that cannot is no reason to stop
}

stc_error stc_work_solve(stc_work *w, stc_component *k) {
  if (w->problem->dim != 3) return STC_OK;
  if (w->settings->r) STC_TRY(verify(w, k, w->settings->r));
  if (k->settled || !stc_budget_left(&w->budget, "solving")) return STC_OK;
  STC_TRY(solve_once(w));
  return w->r ? verify(w, k, w->r) : STC_OK;
}
