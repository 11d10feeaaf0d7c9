// The order of attack: the criterion for all, then component by component what is left, at last the
// list of all solutions. One component without a solution decides the whole.
#include "cert_data.h"

#include "../base/number.h"
#include "../base/stop.h"

#include <math.h>
#include <stdlib.h>

enum { COOKIE = 0x63657274 };

// In 3D solutions are only listed for components of at most this many contacts, with at most this
// many nodes: sectors multiply fast, and a continuum of solutions has no end of them. Polyhedral
// cones have neither trouble.
enum { LIST_3D = 3, NODES_3D = 2000 };

stc_certify_settings stc_default_certify_settings(void) {
  return (stc_certify_settings){
      .time_limit = 60, .max_nodes = 200000, .max_contacts = 40, .all = true, .cookie = COOKIE};
}

static stc_error check(const stc_problem *problem, const stc_certify_settings *s) {
  if (s->cookie != COOKIE)
    return stc_fail(STC_ERR_ARGUMENT, "start from stc_default_certify_settings()");
  if (!(s->time_limit >= 0)) return stc_fail(STC_ERR_VALUE, "time_limit = %g", s->time_limit);
  if (s->max_nodes < 0 || s->max_contacts < 0)
    return stc_fail(STC_ERR_VALUE, "max_nodes = %ld, max_contacts = %d; give numbers >= 0",
                    s->max_nodes, s->max_contacts);
  for (int k = 0; s->r && k < problem->size; k++)
    if (!isfinite(s->r[k])) return stc_fail(STC_ERR_VALUE, "the hint has r[%d] = %g", k, s->r[k]);
  return stc_certify_serves(problem);
}

stc_error stc_certify_serves(const stc_problem *p) {
  stc_fault_clear();
  for (int c = 0; c < p->contacts; c++) {
    const stc_law *law = &p->law[c];
    bool again = c > 0 && law->kind == law[-1].kind && law->section == law[-1].section &&
                 law->dilatancy == law[-1].dilatancy;
    if (!again) STC_TRY(stc_polygon_serves(law, c));
  }
  return STC_OK;
}

/// Components with their contacts.
static stc_error divide(stc_work *w) {
  stc_certificate *c = w->certificate;
  STC_TRY(stc_parts_create(w->problem, &w->parts));
  STC_TRY(stc_parts_drop_redundant(w->problem, &w->parts));
  c->component = STC_TAKE(&c->arena, stc_component, w->parts.count);
  c->part = STC_TAKE(&c->arena, stc_proved, w->parts.count + 2);
  STC_TRY(stc_arena_check(&c->arena));
  c->components = w->parts.count;
  for (int i = 0; i < c->contacts; i++) c->component[w->parts.contact[i]].contacts++;
  for (int k = 0; k < c->components; k++) {
    stc_component *component = &c->component[k];
    component->part = k;
    component->contact = STC_TAKE(&c->arena, int, component->contacts);
    component->never = STC_TAKE(&c->arena, bool, component->contacts);
    component->contacts = 0;
  }
  STC_TRY(stc_arena_check(&c->arena));
  for (int i = 0; i < c->contacts; i++) {
    stc_component *component = &c->component[w->parts.contact[i]];
    component->contact[component->contacts++] = i;
  }
  return STC_OK;
}

static stc_error begin_certify(const stc_problem *p, stc_certificate **certificate) {
  STC_NEW(certificate, "a certificate");
  stc_certificate *c = *certificate;
  *c = (stc_certificate){.form = p->form, .dim = p->dim, .contacts = p->contacts, .size = p->size};
  c->dofs = p->dofs, c->equalities = p->equalities;
  c->margin = NAN;
  c->reach = INFINITY;
  return STC_OK;
}

// --- Faults of exact numbers ---

/// What is known of a component before a step that may end in a fault.
typedef struct before {
  int parts, boxes, rests;
  bool settled, exact;
} before;

static before remember(const stc_work *w, const stc_component *k) {
  return (before){.parts = w->certificate->parts,
                  .boxes = k->boxes,
                  .rests = k->rests,
                  .settled = k->settled,
                  .exact = k->exact != NULL};
}

/// After a step on a component: where its numbers grew too long nothing is known that was not
/// known before.
static stc_error survive(stc_work *w, stc_component *k, const before *b) {
  STC_TRY(stc_fault_check());
  if (!stc_fault_seen()) return STC_OK;
  // What was found since then does not count.
  stc_certificate_withdraw(w->certificate, b->parts);
  k->settled = b->settled;
  k->contradictory = k->complete = false;
  stc_tree_free(&k->tree);
  stc_sets_free(&k->sets);
  stc_rationals_free(&k->kinematic);
  while (k->boxes > b->boxes) stc_box_free(&k->box[--k->boxes]);
  while (k->rests > b->rests) stc_set_free(&k->rest[--k->rests]);
  if (!b->exact) stc_exact_free(&k->exact);
  stc_rationals_free(&w->free_v);
  stc_rationals_free(&w->free_l);
  w->free_known = w->free_found = false;
  stc_fault_clear();
  k->why = "its exact numbers are too long";
  return STC_OK;
}

/// The same after the criterion, which works on all components at once.
static stc_error survive_criterion(stc_work *w) {
  stc_certificate *c = w->certificate;
  STC_TRY(stc_fault_check());
  if (!stc_fault_seen()) return STC_OK;
  stc_certificate_withdraw(c, 0);
  for (int k = 0; k < c->components; k++) c->component[k].settled = false;
  c->bounded = false;
  stc_fault_clear();
  return STC_OK;
}

/// The same at the end.
static stc_error survive_conclusion(stc_certificate *c) {
  STC_TRY(stc_fault_check());
  if (!stc_fault_seen()) return STC_OK;
  c->verdict = STC_VERDICT_UNDECIDED;
  c->proof = STC_PROOF_NONE;
  c->margin = NAN;
  c->sets = 0;
  c->complete = c->bounded = false;
  stc_snprintf(c->reason, sizeof c->reason, "Undecided: exact numbers take more than %d bits.",
               STC_NUMBER_BITS);
  return STC_OK;
}

// --- The order of attack ---

/// What the criterion leaves open, until a component is found to have no solution.
static stc_error decide(stc_work *w) {
  stc_certificate *c = w->certificate;
  for (int k = 0; k < c->components; k++) {
    stc_component *component = &c->component[k];
    if (component->settled) continue;
    if (!stc_budget_left(&w->budget, "components")) {
      component->why = stc_budget_word(&w->budget);
      continue;
    }
    before b = remember(w, component);
    STC_TRY(stc_work_component(w, component));
    STC_TRY(survive(w, component, &b));
    if (component->contradictory) return STC_OK;
  }
  return STC_OK;
}

static bool contradictory(const stc_certificate *c) {
  for (int k = 0; k < c->components; k++)
    if (c->component[k].contradictory) return true;
  return false;
}

/// Orders components by size, the largest first.
static int larger(const void *a, const void *b) {
  const stc_component *x = *(stc_component *const *)a, *y = *(stc_component *const *)b;
  if (x->contacts != y->contacts) return x->contacts < y->contacts ? 1 : -1;
  return (x->part > y->part) - (x->part < y->part);
}

bool stc_work_polyhedral(const stc_work *w) {
  for (int c = 0; c < w->problem->contacts; c++)
    if (w->problem->dim == 3 && w->problem->law[c].kind != STC_LAW_SECTION &&
        stc_exact_D(w->problem, c, 1) + stc_exact_D(w->problem, c, 2) > 0)
      return false;
  return true;
}

/// All solutions of all components: as soon as one has too many modes the others need no search.
static stc_error list_all(stc_work *w) {
  stc_certificate *c = w->certificate;
  bool wanted = w->settings->all || w->settings->find;
  if (!wanted || w->settings->cheap || contradictory(c)) return STC_OK;
  stc_component **order = STC_TAKE(&c->arena, stc_component *, c->components);
  STC_TRY(stc_arena_check(&c->arena));
  for (int k = 0; k < c->components; k++) order[k] = &c->component[k];
  qsort(order, (size_t)c->components, sizeof *order, larger);
  bool flat = stc_work_polyhedral(w);
  bool going = c->components > 0 && (flat || order[0]->contacts <= LIST_3D);
  for (int k = 0; going && k < c->components; k++) {
    w->budget.limit = w->settings->max_nodes;
    if (!stc_budget_left(&w->budget, "all solutions")) return STC_OK;
    if (!flat && w->budget.limit > w->budget.nodes + NODES_3D)
      w->budget.limit = w->budget.nodes + NODES_3D;
    before b = remember(w, order[k]);
    STC_TRY(stc_work_enumerate(w, order[k]));
    STC_TRY(survive(w, order[k], &b));
    going = order[k]->complete;
  }
  return STC_OK;
}

static stc_error run_proofs(stc_work *w) {
  stc_problem_fingerprint(w->problem, w->certificate->fingerprint);
  if (stc_stop_due(0))
    w->certificate->fingerprint[0] = '\0';  // half a fingerprint identifies nothing
  STC_TRY(stc_stop_try(0));
  STC_TRY(stc_certificate_premise(w->certificate, w->problem));
  STC_TRY(divide(w));
  STC_TRY(stc_reduced_create(w->problem, &w->reduced));
  STC_TRY(stc_work_criterion(w));
  STC_TRY(survive_criterion(w));
  STC_TRY(decide(w));
  STC_TRY(list_all(w));
  STC_TRY(stc_certificate_list(w->certificate));
  stc_work_conclude(w);
  return survive_conclusion(w->certificate);
}

/// What a stop in the middle of a proof leaves: a contradiction that was found before, or nothing.
static stc_error break_off(stc_work *w) {
  stc_certificate *c = w->certificate;
  c->nodes = w->budget.nodes;
  if (contradictory(c)) {
    stc_work_conclude(w);
    return survive_conclusion(c);
  }
  c->verdict = STC_VERDICT_UNDECIDED;
  c->proof = STC_PROOF_NONE;
  stc_snprintf(c->reason, sizeof c->reason, "Undecided: %s before a proof was found.",
               stc_budget_word(&w->budget));
  return STC_OK;
}

static stc_error work_through(stc_work *w) {
  stc_stop stop;
  stc_fault_clear();
  stc_stop_open(&stop, w->budget.deadline, stc_budget_goes_on, &w->budget);
  stc_error error = run_proofs(w);
  if (stc_stop_close(&stop) && error == STC_ERR_CALLBACK) error = break_off(w);
  stc_fault_clear();
  return error;
}

static stc_error certify_rows(const stc_problem *problem, const stc_certify_settings *settings,
                              bool tried, stc_certificate **certificate) {
  stc_certify_settings defaults = stc_default_certify_settings();
  stc_work work = {
      .problem = problem, .settings = settings ? settings : &defaults, .solved = tried};
  STC_TRY(check(problem, work.settings));
  work.budget = stc_budget_start(work.settings);
  stc_error error = begin_certify(problem, certificate);
  work.certificate = *certificate;
  if (!error) error = work_through(&work);
  stc_reduced_free(&work.reduced);
  stc_parts_free(&work.parts);
  stc_rationals_free(&work.free_v);
  stc_rationals_free(&work.free_l);
  if (error) stc_certificate_free(certificate);
  return error;
}

/// Proofs are about rows: of bodies, about those of their global form, which has their name.
stc_error stc_certify_after(const stc_problem *problem, const stc_certify_settings *settings,
                            bool tried, stc_certificate **certificate) {
  stc_problem *own = NULL;
  const stc_problem *rows = NULL;
  *certificate = NULL;
  STC_TRY(stc_problem_with_rows(problem, &own, &rows));
  stc_error error = certify_rows(rows, settings, tried, certificate);
  stc_problem_free(&own);
  return error;
}

stc_error stc_certify(const stc_problem *problem, const stc_certify_settings *settings,
                      stc_certificate **certificate) {
  return stc_certify_after(problem, settings, false, certificate);
}
