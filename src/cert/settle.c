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
    STC_TRY(stc_exact_add_free(w->problem, &w->parts, part, &status, &w->free_v, &w->free_l));
  w->free_found = status == STC_EXACT_DONE;
  return STC_OK;
}

stc_error stc_work_complete(stc_work *w, const stc_component *k, const stc_rationals *r,
                            stc_rationals *v, stc_rationals *l, bool *done) {
  STC_RATIONALS own_v = {0}, own_l = {0};
  STC_TRY(find_free(w));
  *done = w->free_found;
  if (!*done) return STC_OK;
  STC_TRY(stc_rationals_copy(&w->free_v, v));
  STC_TRY(stc_rationals_copy(&w->free_l, l));
  STC_TRY(stc_exact_hidden_r(k->exact, r, &own_v, &own_l));
  for (int i = 0; i < k->exact->hidden; i++) {
    int j = k->exact->index[i], dofs = k->exact->dofs;
    stc_q_set(j < dofs ? v->at[j] : l->at[j - dofs], j < dofs ? own_v.at[j] : own_l.at[j - dofs]);
  }
  return STC_OK;
}

// --- Parts of the certificate ---

stc_proved *stc_certificate_add(stc_certificate *c, const stc_component *k, stc_proof proof) {
  stc_proved *part = &c->part[c->parts++];
  *part = (stc_proved){.proof = proof, .contacts = k->contacts, .contact = k->contact};
  return part;
}

stc_error stc_work_settle_point(stc_work *w, stc_component *k, const stc_rationals *r) {
  bool done = false;
  if (k->settled) return STC_OK;
  stc_proved *part = stc_certificate_add(w->certificate, k, STC_PROOF_VERIFIED_SOLUTION);
  STC_TRY(stc_work_complete(w, k, r, &part->v, &part->l, &done));
  k->settled = done;
  if (done) return stc_exact_spread_r(k->exact, r, &part->r);
  stc_certificate_withdraw(w->certificate, w->certificate->parts - 1);
  k->why = "the velocities without reactions could not be found exactly";
  return STC_OK;
}

/// Whether the reactions r and s [size] agree at a component, up to far more than a box is wide.
static bool agree(const stc_component *k, const double *r, const double *s) {
  static const double SAME = 1e-6;
  double difference = 0, norm = 0;
  for (int i = 0; i < 3 * k->contacts; i++) {
    int at = 3 * k->contact[i / 3] + i % 3;
    difference = fmax(difference, fabs(r[at] - s[at]));
    norm = fmax(norm, fabs(s[at]));
  }
  return difference <= SAME * norm;
}

/// The local form: the rounding of W must not be able to feign the solution.
static bool is_feigned(const stc_problem *p, const double *r) {
  double most = 0;
  for (int i = 0; i < p->size; i++)
    most = fmax(most, p->form == STC_FORM_LOCAL ? fabs(p->q[i]) : 0);
  for (int i = 0; p->form == STC_FORM_LOCAL && i < p->size; i++) {
    double sum = 0;
    for (int e = p->W.ptr[i]; e < p->W.ptr[i + 1]; e++) sum += fabs(p->W.val[e] * r[p->W.col[e]]);
    if (!(sum <= STC_ROUNDING_ROOM * most)) return true;
  }
  return false;
}

enum { MAX_SOLUTIONS = 64 };  // of a component that are kept, of each kind

/// Whether a box holds a solution that is known already; r [size] is scratch.
static bool is_known(const stc_component *k, const stc_box *box, double *r) {
  for (int b = 0; b < k->boxes; b++)
    if (agree(k, k->box[b]->r, box->r)) return true;
  for (int n = 0; n < k->rests; n++) {
    stc_exact_round(k->exact, &k->rest[n].r, r);
    if (agree(k, r, box->r)) return true;
  }
  return false;
}

/// r [size] becomes the solution.
static stc_error keep_box(stc_work *w, stc_component *k, stc_box *box, double *r) {
  if (!k->box) k->box = STC_TAKE(&w->certificate->arena, stc_box *, MAX_SOLUTIONS);
  if (!k->box || k->boxes == MAX_SOLUTIONS || is_known(k, box, r)) {
    memcpy(r, box->r, (size_t)w->problem->size * sizeof *r);
    stc_box_free(&box);
    return stc_arena_check(&w->certificate->arena);
  }
  memcpy(r, box->r, (size_t)w->problem->size * sizeof *r);
  k->box[k->boxes++] = box;
  if (k->settled) return STC_OK;
  k->settled = true;
  stc_certificate_add(w->certificate, k, STC_PROOF_VERIFIED_SOLUTION)->box = box;
  return STC_OK;
}

/// Solutions with one velocity are one convex set: of each velocity one is kept, if its dimension
/// is known; `rest` is empty then.
static stc_error keep_rest(stc_work *w, stc_component *k, stc_set *rest) {
  bool known = rest->dimension < 0;
  if (!k->rest) k->rest = STC_TAKE(&w->certificate->arena, stc_set, MAX_SOLUTIONS);
  for (int n = 0; n < k->rests; n++) known = known || stc_rationals_equal(&k->rest[n].u, &rest->u);
  if (!k->rest || known || k->rests == MAX_SOLUTIONS)
    return stc_arena_check(&w->certificate->arena);
  k->rest[k->rests++] = *rest;
  *rest = (stc_set){0};
  return STC_OK;
}

// --- A solution that was found numerically ---

/// Whether some contact that touches slips over the edges of a polygon beside others with round
/// cones, for which there is no proof of a solution.
static bool is_mixed(const stc_exact *e, const stc_contact_state *state) {
  for (int c = 0; e && !e->polyhedral && c < e->contacts; c++)
    if (stc_polygon_has_edges(&e->polygon[c]) && state[c] != STC_CONTACT_OPEN) return true;
  return false;
}

/// Modes of contacts that are open or stick; false if some contact does neither. Without friction
/// slipping is the same as sticking.
static bool at_rest(const stc_work *w, const stc_component *k, const stc_contact_state *state,
                    stc_mode *mode) {
  for (int c = 0; c < k->contacts; c++) {
    bool open = state[c] == STC_CONTACT_OPEN;
    bool smooth = stc_exact_D(w->problem, k->contact[c], 1) == 0 &&
                  stc_exact_D(w->problem, k->contact[c], 2) == 0;
    bool slips = state[c] == STC_CONTACT_SLIP && !smooth;
    if (slips || state[c] == STC_CONTACT_VIOLATED) return false;
    mode[c] = (stc_mode){.kind = open ? STC_MODE_OPEN : STC_MODE_STICK};
  }
  return true;
}

/// A point at rest with the given modes; r [size] becomes it.
static stc_error prove_rest(stc_work *w, stc_component *k, const stc_mode *mode, double *r,
                            bool *found) {
  STC_RELEASED_BY(stc_set_free) stc_set rest = {0};
  STC_TRY(stc_rest_point(k->exact, mode, found, &rest.r));
  *found = *found && !stc_exact_beyond(k->exact, &rest.r, 1);
  if (!*found) return STC_OK;
  STC_TRY(stc_work_settle_point(w, k, &rest.r));
  STC_TRY(stc_exact_velocity(k->exact, &rest.r, &rest.u));
  STC_TRY(stc_rest_dimension(k->exact, mode, &rest.dimension));
  rest.bounded = rest.dimension == 0;
  stc_exact_round(k->exact, &rest.r, r);
  return keep_rest(w, k, &rest);
}

static bool finite_reactions(const double *r, int count) {
  bool finite = true;
  for (int i = 0; i < count; i++) finite = finite && isfinite(r[i]);
  return finite;
}

stc_error stc_work_prove(stc_work *w, stc_component *k, const stc_contact_state *state, double *r,
                         bool *found) {
  STC_ARENA arena = {0};
  stc_box *box = NULL;
  stc_mode *mode = STC_TAKE(&arena, stc_mode, k->contacts);
  *found = false;
  STC_TRY(stc_arena_check(&arena));
  if (is_mixed(k->exact, state)) return STC_OK;
  if (k->exact && at_rest(w, k, state, mode)) STC_TRY(prove_rest(w, k, mode, r, found));
  bool broken = *found || !finite_reactions(r, w->problem->size);
  for (int c = 0; c < k->contacts; c++) broken = broken || state[c] == STC_CONTACT_VIOLATED;
  if (!broken) STC_TRY(stc_box_prove(w->problem, k->contact, k->contacts, state, r, &box));
  if (box && is_feigned(w->problem, box->r)) stc_box_free(&box);
  if (!box) return STC_OK;
  *found = true;
  return keep_box(w, k, box, r);
}

// A contact is open, sticks or slips if it does so to this accuracy, relative as in the judge.
static const double ACCURACY = 1e-7;

/// The slip of a polygon nearest to u_T: its corner farthest along -u_T, or the edge to a neighbour
/// that is nearly as far.
static stc_mode slip_mode(const stc_polygon *g, const double *u) {
  static const double TIE = 1e-7;  // relative
  double along[STC_POLYGON_CORNERS] = {0}, most = 0;
  int far = 0;
  for (int j = 0; j < g->corners; j++) {
    along[j] = -u[1] * stc_q_get_d(g->p.at[2 * j]) - u[2] * stc_q_get_d(g->p.at[2 * j + 1]);
    most = fmax(most, fabs(along[j]));
    if (along[j] > along[far]) far = j;
  }
  for (int side = 0; side < 2; side++) {
    int other = stc_polygon_wrap(g, side ? far + 1 : far - 1);
    if (along[far] - along[other] <= TIE * most)
      return (stc_mode){
          .kind = STC_MODE_EDGE, .first = side ? far : other, .last = side ? far : other};
  }
  return (stc_mode){.kind = STC_MODE_CORNERS, .first = far, .last = far};
}

/// A solution with the modes of hint [size], where all cones are polyhedral, exactly.
static stc_error verify_modes(stc_work *w, stc_component *k, const stc_contact_state *all,
                              const double *u) {
  const stc_exact *e = k->exact;
  STC_ARENA arena = {0};
  int piece = -1;
  stc_mode *mode = STC_TAKE(&arena, stc_mode, e->contacts);
  STC_TRY(stc_arena_check(&arena));
  for (int c = 0; c < e->contacts; c++) {
    stc_contact_state state = all[e->contact[c]];
    bool edges = stc_polygon_has_edges(&e->polygon[c]);
    if (state == STC_CONTACT_VIOLATED) return STC_OK;
    mode[c] = (stc_mode){.kind = state == STC_CONTACT_OPEN ? STC_MODE_OPEN : STC_MODE_STICK};
    if (state == STC_CONTACT_SLIP && edges)
      mode[c] = slip_mode(&e->polygon[c], u + 3 * e->contact[c]);
  }
  if (!k->sets) STC_TRY(stc_sets_create(e, &k->sets));
  STC_TRY(stc_sets_add(k->sets, mode, &piece));
  return piece < 0 ? STC_OK : stc_work_settle_point(w, k, &k->sets->piece[piece].of.r);
}

/// A solution near hint [size], statuses as they are there; 3D.
static stc_error verify(stc_work *w, stc_component *k, const double *hint) {
  const stc_problem *p = w->problem;
  STC_ARENA arena = {0};
  bool found = false;
  double *r = STC_TAKE(&arena, double, p->size);
  stc_contact_state *all = STC_TAKE(&arena, stc_contact_state, p->contacts);
  stc_contact_state *state = STC_TAKE(&arena, stc_contact_state, k->contacts);
  double *u = STC_TAKE(&arena, double, p->size);
  STC_TRY(stc_arena_check(&arena));
  STC_TRY(stc_problem_classify(p, hint, ACCURACY, all, NULL));
  if (k->exact && k->exact->polyhedral) {
    memcpy(r, hint, (size_t)p->size * sizeof *r);
    STC_TRY(stc_problem_complete(p, &(stc_solution){.r = r, .u = u}));
    return verify_modes(w, k, all, u);
  }
  for (int c = 0; c < k->contacts; c++) state[c] = all[k->contact[c]];
  memcpy(r, hint, (size_t)p->size * sizeof *r);
  return stc_work_prove(w, k, state, r, &found);
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
  if (!error && finite_reactions(r, w->problem->size)) w->r = r;
  return STC_OK;  // a solver that cannot is not a reason to stop
}

stc_error stc_work_solve(stc_work *w, stc_component *k) {
  if (w->problem->dim != 3) return STC_OK;
  if (w->settings->r) STC_TRY(verify(w, k, w->settings->r));
  if (k->settled || !stc_budget_left(&w->budget, "solving")) return STC_OK;
  STC_TRY(solve_once(w));
  return w->r ? verify(w, k, w->r) : STC_OK;
}
