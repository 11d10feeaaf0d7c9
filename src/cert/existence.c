// The existence criterion applied: on the whole problem first, then on the components where that
// does not settle it. A velocity that passes in floating point is evaluated again, rigorously.
#include "cert_data.h"
#include "criterion.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

// Bounds are rounded up by far more than the error of the few sums they are made of.
static const double ROUND_UP = 1 + 1e-9;
// Two ways to the same energy agree to this part of it, and a sum that is less than that part of
// its terms has cancelled: else no bounds are given.
static const double DISAGREEMENT = 1e-9, CANCELLED = 1e-8;

/// Velocities that may settle components: reactions r with u = W r + q.
typedef struct candidate {
  double *r;     // [size]
  double *v;     // [dofs]
  double *t;     // [components] margin in floating point, -INFINITY: not tried
  bool *wanted;  // [contacts] scratch
} candidate;

static void mark(const stc_component *k, bool *wanted, bool value) {
  for (int i = 0; i < k->contacts; i++) wanted[k->contact[i]] = value;
}

// --- The rigorous evaluation ---

/// The local form: the rounding of W must not be able to feign the margin t.
static bool is_feigned(const stc_problem *p, const stc_component *k, const double *r, double t) {
  for (int i = 0; p->form == STC_FORM_LOCAL && i < k->contacts * p->dim; i++) {
    int row = k->contact[i / p->dim] * p->dim + i % p->dim;
    double sum = 0;
    for (int e = p->W.ptr[row]; e < p->W.ptr[row + 1]; e++)
      sum += fabs(p->W.val[e] * r[p->W.col[e]]);
    if (!(sum <= STC_ROUNDING_ROOM * t)) return true;
  }
  return false;
}

/// Replaces c->t by margins that hold in spite of rounding, zero where the premise allows none;
/// returns the least.
static stc_error bound_margins(stc_work *w, candidate *c, double *least) {
  const double *point = w->problem->form == STC_FORM_LOCAL ? c->r : c->v;
  *least = INFINITY;
  for (int k = 0; k < w->certificate->components; k++) {
    stc_component *component = &w->certificate->component[k];
    bool allows = !component->settled && c->t[k] > 0;
    if (!allows) continue;
    mark(component, c->wanted, true);
    c->t[k] = stc_margin_lower(w->problem, point, c->wanted);
    mark(component, c->wanted, false);
    allows = c->t[k] > 0 && !is_feigned(w->problem, component, c->r, c->t[k]);
    if (allows) STC_TRY(stc_premise_allows(w, component, c->r, c->t[k], &allows));
    if (!allows) c->t[k] = 0;
    if (allows) *least = fmin(*least, c->t[k]);
  }
  return STC_OK;
}

/// Settles, in one part with one margin, the components where the margin holds in spite of
/// rounding.
static stc_error settle_rounded(stc_work *w, candidate *c, stc_proved *part) {
  const stc_problem *p = w->problem;
  STC_TRY(bound_margins(w, c, &part->margin));
  for (int k = 0; k < w->certificate->components; k++) {
    stc_component *component = &w->certificate->component[k];
    bool allows = !component->settled && c->t[k] > 0;
    if (allows) STC_TRY(stc_premise_allows(w, component, c->r, part->margin, &allows));
    if (!allows) continue;
    component->settled = true;
    for (int i = 0; i < component->contacts; i++)
      part->contact[part->contacts++] = component->contact[i];
  }
  return p->form == STC_FORM_LOCAL
             ? stc_rationals_from(&part->r, (size_t)p->size, c->r, NULL, (size_t)p->size)
             : stc_rationals_from(&part->v, (size_t)p->dofs, c->v, NULL, (size_t)p->dofs);
}

/// The same where joints must hold exactly, which rounded numbers do not.
static stc_error settle_exact(stc_work *w, candidate *c, stc_proved *part) {
  const stc_problem *p = w->problem;
  bool local = p->form == STC_FORM_LOCAL, met = false;
  stc_rationals *point = local ? &part->r : &part->v;
  STC_TRY(stc_rationals_from(point, (size_t)(local ? p->size : p->dofs), local ? c->r : c->v, NULL,
                             (size_t)(local ? p->size : p->dofs)));
  STC_TRY(stc_margin_meet_joints(p, point, &part->l, &met));
  part->margin = INFINITY;
  for (int k = 0; met && k < w->certificate->components; k++) {
    stc_component *component = &w->certificate->component[k];
    double t = c->t[k] / 2;  // what the joints move is far less
    if (component->settled || !(t > 0)) continue;
    mark(component, c->wanted, true);
    bool holds = stc_margin_holds(p, point, &part->l, c->wanted, t);
    mark(component, c->wanted, false);
    if (!holds || is_feigned(p, component, c->r, t)) continue;
    component->settled = true;
    part->margin = fmin(part->margin, t);
    for (int i = 0; i < component->contacts; i++)
      part->contact[part->contacts++] = component->contact[i];
  }
  return STC_OK;
}

static int compare(const void *a, const void *b) {
  int x = *(const int *)a, y = *(const int *)b;
  return (x > y) - (x < y);
}

/// |v0 - v_f|^2 in the metric of M, where v_f is the velocity without reactions; v [2*dofs] is work
/// space.
static stc_error kinetic_distance(const stc_work *w, const candidate *c, const double *zero,
                                  double *v, double *energy) {
  const stc_csr *M = &w->problem->M;
  double *d = v + w->problem->dofs;
  STC_TRY(stc_reduced_recover(w->reduced, zero, v, NULL));
  for (int i = 0; i < M->rows; i++) d[i] = c->v[i] - v[i];
  *energy = 0;
  for (int i = 0; i < M->rows; i++)
    for (int k = M->ptr[i]; k < M->ptr[i + 1]; k++) *energy += d[i] * M->val[k] * d[M->col[k]];
  return STC_OK;
}

/// Whether rounding left z.W z as it is: in the global form it is the kinetic distance too, in the
/// local one it is to be no small difference of its terms, |W_ij| <= dim sqrt(kappa_i kappa_j).
static bool is_exact_enough(const stc_work *w, const candidate *c, const double *z, double energy,
                            stc_arena *arena) {
  const stc_reduced *p = w->reduced;
  double root = 0, other = 0, unit = p->scale_u * p->scale_r;
  if (w->problem->form == STC_FORM_GLOBAL) {
    double *zero = STC_TAKE(arena, double, p->size);
    double *v = STC_TAKE(arena, double, 2 * (size_t)w->problem->dofs);
    if (arena->failed || kinetic_distance(w, c, zero, v, &other)) return false;
    return fabs(other - energy) <= DISAGREEMENT * energy;
  }
  for (int k = 0; k < p->size; k++) root += fabs(z[k]) * sqrt(p->dim * p->kappa[k / p->dim]);
  return energy >= CANCELLED * root * root * unit;
}

/// What holds for any solution where the whole problem is settled by one velocity.
static void set_bounds(stc_work *w, const candidate *c, double margin) {
  stc_certificate *certificate = w->certificate;
  const stc_reduced *reduced = w->reduced;
  STC_ARENA arena = {0};
  double *z = STC_TAKE(&arena, double, reduced->size);
  double *Wz = STC_TAKE(&arena, double, reduced->size);
  double *work = STC_TAKE(&arena, double, reduced->scratch), energy = 0;
  if (!arena.failed && certificate->symmetric && certificate->slack == 0) {
    stc_reduced_scale_r(reduced, c->r, z);
    stc_reduced_multiply(reduced, z, work, Wz);
    for (int k = 0; k < reduced->size; k++) energy += z[k] * Wz[k];
    energy *= reduced->scale_u * reduced->scale_r;
    certificate->bounded = is_exact_enough(w, c, z, energy, &arena);
    energy = fmax(energy, 0) * ROUND_UP;
    certificate->bounds = (stc_bounds){.margin = margin,
                                       .diameter = sqrt(energy),
                                       .reaction_sum = energy / (4 * margin) * ROUND_UP,
                                       .v = w->problem->dofs ? c->v : NULL,
                                       .r = c->r};
  }
}

/// Settles what the candidate proves.
static stc_error settle(stc_work *w, candidate *c) {
  stc_certificate *certificate = w->certificate;
  stc_proved *part = &certificate->part[certificate->parts];
  part->contact = STC_TAKE(&certificate->arena, int, certificate->contacts);
  STC_TRY(stc_arena_check(&certificate->arena));
  STC_TRY(stc_reduced_recover(w->reduced, c->r, w->problem->dofs ? c->v : NULL, NULL));
  certificate->parts++;  // from now on freed with the certificate
  part->proof = STC_PROOF_STRICT_MARGIN;
  STC_TRY((w->problem->equalities ? settle_exact : settle_rounded)(w, c, part));
  if (part->contacts == 0) {
    stc_rationals_free(&part->v);
    stc_rationals_free(&part->r);
    stc_rationals_free(&part->l);
    certificate->parts--;
    *part = (stc_proved){0};
    return STC_OK;
  }
  qsort(part->contact, (size_t)part->contacts, sizeof *part->contact, compare);
  if (part->contacts == certificate->contacts) set_bounds(w, c, part->margin);
  return STC_OK;
}

// --- Where candidates come from ---

/// Keeps the ray of a component where the criterion fails, the first one.
static void keep_ray(stc_work *w, const stc_component *k, const double *rho) {
  stc_certificate *certificate = w->certificate;
  int d = w->problem->dim;
  double sum = 0;
  for (int i = 0; i < k->contacts; i++) sum += rho[i * d];
  if (certificate->rho || !(sum > 0)) return;
  double *full = STC_TAKE(&certificate->arena, double, certificate->size);
  for (int i = 0; full && i < k->contacts * d; i++) full[k->contact[i / d] * d + i % d] = rho[i];
  certificate->rho = full;
}

static stc_error try_whole(stc_work *w, candidate *c) {
  stc_certificate *certificate = w->certificate;
  stc_criterion found = {0};
  STC_TRY(stc_criterion_solve(w->reduced, NULL, &w->budget, &certificate->arena, &found));
  for (int k = 0; k < certificate->components; k++) c->t[k] = found.t;
  memcpy(c->r, found.r, (size_t)certificate->size * sizeof *c->r);
  if (found.t > 0) return STC_OK;
  if (certificate->components == 1) keep_ray(w, &certificate->component[0], found.rho);
  return STC_OK;
}

static stc_error try_component(stc_work *w, candidate *c, int k, int *place) {
  stc_component *component = &w->certificate->component[k];
  int d = w->problem->dim;
  STC_RELEASED_BY(stc_reduced_free) stc_reduced *part = NULL;
  STC_ARENA arena = {0};
  stc_criterion found = {0};
  STC_TRY(stc_reduced_cut(w->reduced, component->contact, component->contacts, place, &part));
  stc_reduced_follow(part, w->reduced, component->contact, stc_reduced_magnitude(w->reduced));
  STC_TRY(stc_criterion_solve(part, NULL, &w->budget, &arena, &found));
  c->t[k] = found.t;
  for (int i = 0; i < component->contacts * d; i++)
    c->r[component->contact[i / d] * d + i % d] = found.r[i];
  if (!(found.t > 0)) keep_ray(w, component, found.rho);
  return STC_OK;
}

static stc_error try_components(stc_work *w, candidate *c) {
  stc_certificate *certificate = w->certificate;
  int entries = certificate->contacts;
  if (w->reduced->bodies.count > entries) entries = w->reduced->bodies.count;
  STC_ARENA arena = {0};
  int *place = STC_TAKE(&arena, int, entries);
  STC_TRY(stc_arena_check(&arena));
  for (int k = 0; k < entries; k++) place[k] = -1;
  for (int k = 0; k < certificate->components; k++) {
    c->t[k] = -INFINITY;
    if (!certificate->component[k].settled && stc_budget_left(&w->budget, "existence criterion"))
      STC_TRY(try_component(w, c, k, place));
  }
  return STC_OK;
}

stc_error stc_work_criterion(stc_work *w) {
  stc_certificate *certificate = w->certificate;
  stc_arena *arena = &certificate->arena;
  candidate c = {.r = STC_TAKE(arena, double, certificate->size),
                 .v = STC_TAKE(arena, double, certificate->dofs),
                 .t = STC_TAKE(arena, double, certificate->components),
                 .wanted = STC_TAKE(arena, bool, certificate->contacts)};
  STC_TRY(stc_arena_check(arena));
  if (certificate->doubt || certificate->components == 0) return STC_OK;
  STC_TRY(try_whole(w, &c));
  STC_TRY(settle(w, &c));
  bool settled = true;
  for (int k = 0; k < certificate->components; k++)
    settled = settled && certificate->component[k].settled;
  if (settled || certificate->components == 1) return STC_OK;
  STC_TRY(try_components(w, &c));
  return settle(w, &c);
}
