// The proofs for one component, cheapest first: kinematics, the criterion without the contacts that
// never close, a solution found and verified, the search over modes.
#include "cert_data.h"
#include "criterion.h"
#include "kinematic.h"

#include <float.h>
#include <math.h>
#include <string.h>

// --- The exact form ---

// Unknowns behind the contacts that are eliminated exactly, and contacts of a component whose
// kinematics are looked into, though they be too many for the search.
enum { MAX_HIDDEN = 400, MAX_KINEMATIC = 40 };

static const char TOO_MANY[] = "they are too many for a search";

static bool is_searched(const stc_work *w, const stc_component *k) {
  return k->contacts <= w->settings->max_contacts;
}

/// An elliptic law with friction along one direction only: its slip is not a sector of directions.
static bool one_sided(const stc_component *k) {
  for (int c = 0; k->exact->dim == 3 && c < k->contacts; c++)
    if (!k->exact->polygon[c].corners &&
        (k->exact->D[3 * c + 1] > 0) != (k->exact->D[3 * c + 2] > 0))
      return true;
  return false;
}

/// Makes the exact form where the component is small enough; k->why says what stands in the way.
static stc_error make_exact(stc_work *w, stc_component *k) {
  stc_exact_status status = STC_EXACT_DONE;
  int hidden = 0;
  if (k->exact) return STC_OK;
  k->why = TOO_MANY;
  if (!is_searched(w, k) && k->contacts > MAX_KINEMATIC) return STC_OK;
  k->why = "there are too many degrees of freedom for exact numbers";
  for (int j = 0; j < w->problem->equalities + w->problem->dofs; j++)
    hidden += w->parts.hidden[j] == k->part;
  if (hidden > MAX_HIDDEN) return STC_OK;
  STC_TRY(stc_exact_create(w->problem, &w->parts, k->part, &status, &k->exact));
  k->why = status == STC_EXACT_SINGULAR ? "joints are redundant"
           : status == STC_EXACT_LATE   ? stc_budget_word(&w->budget)
                                        : NULL;
  return STC_OK;
}

// --- Contacts that never close ---

/// Whether a contact has a share of the ray by which the component jams.
static bool takes_part(const stc_work *w, const stc_component *k, int c) {
  static const double SHARE = 1e-6;
  const double *rho = w->certificate->rho;
  return !rho || rho[k->contact[c] * w->problem->dim] > SHARE;
}

/// y and kappa in the whole problem: (lambda, kappa) belongs to y - e_N(j), and lambda = 0.
static stc_error describe_never(const stc_exact *e, int j, stc_rationals *y, stc_never *never) {
  STC_RATIONALS lambda = {0};
  STC_Q one = {0};
  never->contact = e->contact[j];
  STC_TRY(stc_exact_spread_y(e, y, &never->y));
  stc_q_set_i(one, 1);
  stc_q_sub(y->at[j * e->dim], y->at[j * e->dim], one);
  return stc_exact_hidden_y(e, y, &lambda, &never->kappa);
}

static stc_error test_never(stc_work *w, stc_component *k, int j, stc_never *never, int *count) {
  bool found = false, used = false;  // the proof of another contact uses that contact j is kept
  STC_RATIONALS y = {0};
  for (int i = 0; i < *count; i++)
    used = used || stc_q_sgn(never[i].y.at[k->contact[j] * w->problem->dim]);
  if (!takes_part(w, k, j) || used) return STC_OK;
  STC_TRY(stc_kinematic_never_closes(k->exact, k->never, j, &found, &y));
  STC_TRY(found ? describe_never(k->exact, j, &y, &never[(*count)++]) : STC_OK);
  k->never[j] = found;
  return STC_OK;
}

// --- The criterion without them ---

/// A part for the criterion at exact reactions r of the component, in its units.
static stc_error settle_criterion(stc_work *w, stc_component *k, const stc_q t,
                                  const stc_rationals *r, stc_proved **part) {
  bool local = w->problem->form == STC_FORM_LOCAL;
  double margin = fmin(ldexp(stc_q_get_d(t), k->exact->unit_q), DBL_MAX);  // not too large
  stc_proof weak = k->exact->dim == 2 ? STC_PROOF_WEAK_2D : STC_PROOF_WEAK_POLYHEDRAL;
  *part = stc_certificate_add(w->certificate, k, margin > 0 ? STC_PROOF_STRICT_MARGIN : weak);
  (*part)->margin = margin;
  k->settled = true;
  bool done = false;
  STC_TRY(stc_work_complete(w, k, r, &(*part)->v, &(*part)->l, &done));
  if (!done) k->settled = false;
  return local ? stc_exact_spread_r(k->exact, r, &(*part)->r) : STC_OK;
}

/// Whether the premise allows the margin t at exact reactions r, both in the units of the
/// component.
static stc_error is_allowed(const stc_work *w, const stc_component *k, const stc_rationals *r,
                            const stc_q t, bool *allowed) {
  STC_ARENA arena = {0};
  double *full = STC_TAKE(&arena, double, w->problem->size);
  STC_TRY(stc_arena_check(&arena));
  stc_exact_round(k->exact, r, full);
  return stc_premise_allows(w, k, full, ldexp(stc_q_get_d(t), k->exact->unit_q), allowed);
}

/// A linear program where all cones are polyhedral.
static stc_error criterion_flat(stc_work *w, stc_component *k, stc_proved **part) {
  bool found = false, allowed = false;
  STC_Q t = {0};
  STC_RATIONALS r = {0};
  STC_TRY(stc_criterion_exact(k->exact, k->never, &found, t, &r));
  double least = stc_q_sgn(t) > 0 ? fmin(stc_q_get_d(t), 1) : 1;  // the largest |q| is near 1
  if (found && stc_q_sgn(t) >= 0 && !stc_exact_beyond(k->exact, &r, least))
    STC_TRY(is_allowed(w, k, &r, t, &allowed));
  return allowed ? settle_criterion(w, k, t, &r, part) : STC_OK;
}

/// The interior-point method on the component alone, r in physical units.
static stc_error solve_criterion(stc_work *w, const stc_component *k, stc_arena *arena,
                                 stc_criterion *found) {
  int entries = w->problem->contacts + w->reduced->bodies.count;
  stc_reduced *cut = NULL;
  int *place = STC_TAKE(arena, int, entries);
  STC_TRY(stc_arena_check(arena));
  for (int i = 0; i < entries; i++) place[i] = -1;
  STC_TRY(stc_reduced_cut(w->reduced, k->contact, k->contacts, place, &cut));
  stc_reduced_follow(cut, w->reduced, k->contact, stc_reduced_magnitude(w->reduced));
  stc_error error = stc_criterion_solve(cut, k->never, &w->budget, arena, found);
  stc_reduced_free(&cut);
  return error;
}

/// Whether a part holds exactly.
static stc_error confirm(stc_work *w, stc_component *k, const stc_proved *part, stc_arena *arena) {
  const stc_problem *p = w->problem;
  bool *wanted = STC_TAKE(arena, bool, p->contacts);
  STC_TRY(stc_arena_check(arena));
  for (int c = 0; c < k->contacts; c++) wanted[k->contact[c]] = !k->never[c];
  k->settled = stc_margin_holds(p, p->form == STC_FORM_LOCAL ? &part->r : &part->v, &part->l,
                                wanted, part->margin);
  return STC_OK;
}

static stc_error criterion_round(stc_work *w, stc_component *k, stc_proved **part) {
  STC_ARENA arena = {0};
  stc_criterion found = {0};
  STC_RATIONALS r = {0};
  size_t size = (size_t)k->exact->size;
  bool allowed = false;
  STC_Q t = {0};
  STC_TRY(solve_criterion(w, k, &arena, &found));
  if (!(found.t > DBL_MIN)) return STC_OK;                // half of it is a margin too
  stc_q_set_d(t, ldexp(found.t / 2, -k->exact->unit_q));  // half leaves room for rounding
  STC_TRY(stc_rationals_from(&r, size, found.r, NULL, size));
  for (size_t i = 0; i < size; i++) stc_q_shift(r.at[i], k->exact->unit_W - k->exact->unit_q);
  if (!stc_exact_beyond(k->exact, &r, stc_q_get_d(t))) STC_TRY(is_allowed(w, k, &r, t, &allowed));
  if (allowed) STC_TRY(settle_criterion(w, k, t, &r, part));
  return k->settled ? confirm(w, k, *part, &arena) : STC_OK;
}

static stc_error settle_by_criterion(stc_work *w, stc_component *k) {
  stc_proved *part = NULL;
  stc_never *never = STC_TAKE(&w->certificate->arena, stc_never, k->contacts);
  int nevers = 0;
  STC_TRY(stc_arena_check(&w->certificate->arena));
  // Contacts among those that jam that never close, by the others that are kept.
  stc_error error = STC_OK;
  for (int j = 0; !error && j < k->contacts; j++)
    if (stc_budget_left(&w->budget, "contacts that never close"))
      error = test_never(w, k, j, never, &nevers);
  if (!error && k->exact->polyhedral) error = criterion_flat(w, k, &part);
  if (!error && !k->exact->polyhedral && nevers) error = criterion_round(w, k, &part);
  if (part && !k->settled) stc_certificate_withdraw(w->certificate, w->certificate->parts - 1);
  if (!error && k->settled) {
    part->never = never;
    part->nevers = nevers;
  } else {
    for (int j = 0; j < nevers; j++) {
      stc_rationals_free(&never[j].y);
      stc_rationals_free(&never[j].kappa);
    }
  }
  return error;
}

// --- All of it ---

stc_error stc_work_component(stc_work *w, stc_component *k) {
  STC_TRY(make_exact(w, k));
  if (k->exact) {
    STC_TRY(stc_kinematic_contradiction(k->exact, &k->contradictory, &k->kinematic));
    if (k->contradictory) return STC_OK;
    if (!w->certificate->doubt) STC_TRY(settle_by_criterion(w, k));
  }
  if (k->settled || w->settings->cheap) return STC_OK;
  STC_TRY(stc_work_solve(w, k));
  if (k->settled || !k->exact) return STC_OK;
  k->why = TOO_MANY;
  if (!is_searched(w, k)) return STC_OK;
  k->why = "an elliptic law has friction along one direction only";
  return one_sided(k) ? STC_OK : stc_work_search(w, k, w->settings->all);
}

stc_error stc_work_enumerate(stc_work *w, stc_component *k) {
  if (k->tree.count || k->contradictory) return STC_OK;
  STC_TRY(make_exact(w, k));
  bool searched = k->exact && is_searched(w, k) && !one_sided(k);
  return searched ? stc_work_search(w, k, w->settings->all) : STC_OK;
}

void stc_component_free(stc_component *k) {
  stc_tree_free(&k->tree);
  stc_sets_free(&k->sets);
  stc_rationals_free(&k->kinematic);
  for (int n = 0; n < k->rests; n++) stc_set_free(&k->rest[n]);
  for (int b = 0; b < k->boxes; b++) stc_box_free(&k->box[b]);
  stc_exact_free(&k->exact);
}
