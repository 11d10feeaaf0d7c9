// Verdict, proof, margin and a sentence from what is known of the components.
#include "cert_data.h"

#include "../base/number.h"

#include <float.h>
#include <math.h>
#include <stdarg.h>
#include <string.h>

static void say(stc_certificate *c, const char *format, ...) STC_PRINTF(2, 3);

/// Appends to the reason; what does not fit is cut off.
static void say(stc_certificate *c, const char *format, ...) {
  size_t length = strlen(c->reason);
  va_list list;
  va_start(list, format);
  stc_vsnprintf(c->reason + length, sizeof c->reason - length, format, list);
  va_end(list);
}

enum { NAMED = 8 };  // contacts that a sentence lists

static void say_contacts(stc_certificate *c, const int *contact, int count) {
  say(c, count == 1 ? "contact" : "contacts");
  for (int k = 0; k < count && k < NAMED; k++)
    say(c, "%s %d", k == 0 ? "" : k == count - 1 ? " and" : ",", contact[k]);
  if (count > NAMED) say(c, " and %d more", count - NAMED);
}

// --- Jamming ---

// A contact takes part in a jam with at least this share of the largest normal reaction.
static const double SHARE = 1e-3;

/// Marks the contacts that carry the ray; returns how many.
static int mark_jam(const stc_certificate *c, bool *jams) {
  double most = 0;
  int count = 0;
  for (int i = 0; i < c->contacts; i++) most = fmax(most, c->rho[i * c->dim]);
  for (int i = 0; i < c->contacts; i++) {
    jams[i] = c->rho[i * c->dim] > SHARE * most;
    count += jams[i];
  }
  return count;
}

enum { RANGES = 4 };  // of degrees of freedom that a sentence lists

static void say_dofs(stc_certificate *c, const bool *touched) {
  int ranges = 0, count = 0;
  for (int j = 0; j < c->dofs; j++) count += touched[j];
  for (int j = 0; j < c->dofs; j++) {
    if (!touched[j] || (j > 0 && touched[j - 1])) continue;
    int last = j;
    while (last + 1 < c->dofs && touched[last + 1]) last++;
    if (++ranges > RANGES) continue;
    say(c,
        ranges > 1   ? ", %d"
        : count == 1 ? " (degree of freedom %d"
                     : " (degrees of freedom %d",
        j);
    if (last > j) say(c, " to %d", last);
  }
  if (ranges > RANGES) say(c, " and more");
  if (ranges) say(c, ")");
}

/// Whether w.rho (q.rho in the local form) is negative beyond rounding.
static bool is_driven(const stc_problem *p, const double *rho) {
  const double *w = p->form == STC_FORM_LOCAL ? p->q : p->w;
  double sum = 0, size = 0;
  for (int k = 0; k < p->size; k++) {
    sum += w[k] * rho[k];
    size += fabs(w[k] * rho[k]);
  }
  return sum < -1e-6 * size;
}

/// Which contacts jam which bodies, or may do so.
static void say_jam(const stc_work *w, const char *start, bool may) {
  const stc_csr *H = &w->problem->H;
  stc_certificate *c = w->certificate;
  bool *jams = STC_TAKE(&c->arena, bool, c->contacts);
  bool *touched = STC_TAKE(&c->arena, bool, c->dofs);
  int *list = STC_TAKE(&c->arena, int, c->contacts), count = 0;
  if (!c->rho || !jams || !touched || !list || mark_jam(c, jams) == 0) return;
  for (int i = 0; i < c->contacts; i++)
    if (jams[i]) list[count++] = i;
  for (int i = 0; i < H->rows; i++)
    for (int k = H->ptr[i]; jams[i / c->dim] && k < H->ptr[i + 1]; k++)
      if (H->val[k] != 0) touched[H->col[k]] = true;
  say(c, " %s", start);
  say_contacts(c, list, count);
  say(c, may ? " can jam" : count == 1 ? " jams" : " jam");
  say(c, count == 1 ? " the body it touches" : " the bodies they touch");
  say_dofs(c, touched);
  say(c, ": reactions there balance without any load");
  say(c, is_driven(w->problem, c->rho) ? ", and what is imposed works against them." : ".");
}

// --- Verdicts ---

/// The least reach of the trees of this component, or of all where it is NULL.
static void find_reach(stc_certificate *c, const stc_component *only) {
  for (int k = 0; k < c->components; k++) {
    const stc_component *component = &c->component[k];
    if (!component->tree.within || (only && only != component)) continue;
    const stc_exact *e = component->exact;
    c->reach = fmin(c->reach, ldexp(STC_FARKAS_REACH, e->unit_q - e->unit_W));
  }
}

static void no_solution(stc_work *w, const stc_component *k) {
  stc_certificate *c = w->certificate;
  STC_Q value = {0};
  c->verdict = STC_VERDICT_NO_SOLUTION;
  c->bounded = false;
  if (k->kinematic.count) {
    c->proof = STC_PROOF_KINEMATIC;
    for (size_t i = 0; i < k->kinematic.count; i++)
      stc_rational_fma(value, k->exact->q.at[i], k->kinematic.at[i]);
    c->margin = fmin(ldexp(stc_farkas_depth(value, &k->kinematic), k->exact->unit_q), DBL_MAX);
    say(c,
        "No solution: no velocity keeps all contacts from penetrating, whatever the forces, at ");
    say_contacts(c, k->contact, k->contacts);
    say(c, ".");
    return;
  }
  c->proof = k->exact->polyhedral ? STC_PROOF_MODE_TREE : STC_PROOF_SECTOR_TREE;
  c->margin = fmin(k->tree.depth, DBL_MAX);
  say(c, "No solution: every combination of open, sticking and slipping is contradictory for ");
  say_contacts(c, k->contact, k->contacts);
  say(c, k->tree.leaves == 1 ? " (%d contradiction)." : " (%d contradictions).", k->tree.leaves);
  find_reach(c, k);
  if (isfinite(c->reach))
    say(c, " Reactions beyond %.1e N s, which the rounding of W might allow, are left aside.",
        c->reach);
  say_jam(w, "By friction ", false);
}

static int count_nevers(const stc_certificate *c) {
  int count = 0;
  for (int k = 0; k < c->parts; k++) count += c->part[k].nevers;
  return count;
}

static void exists(stc_work *w) {
  stc_certificate *c = w->certificate;
  static const char *const WORDS[] = {
      [STC_PROOF_STRICT_MARGIN] =
          "A solution exists, for any load: some velocity opens all contacts "
          "faster than they slip over friction",
      [STC_PROOF_WEAK_2D] = "A solution exists, for any load: some velocity of the plane problem "
                            "satisfies the criterion without margin",
      [STC_PROOF_WEAK_POLYHEDRAL] =
          "A solution exists, for any load: all cones are polyhedral, and "
          "some velocity satisfies the criterion without margin",
      [STC_PROOF_VERIFIED_SOLUTION] = "A solution exists: one was found and verified"};
  c->verdict = STC_VERDICT_EXISTS;
  c->proof = STC_PROOF_STRICT_MARGIN;
  c->margin = c->parts ? INFINITY : NAN;
  for (int k = 0; k < c->parts; k++) {
    if (c->part[k].proof > c->proof) c->proof = c->part[k].proof;
    c->margin = fmin(c->margin, c->part[k].margin);
  }
  if (c->proof == STC_PROOF_VERIFIED_SOLUTION) c->margin = NAN;
  if (c->contacts == 0)
    say(c, "A solution exists: there are no contacts.");
  else if (c->proof != STC_PROOF_VERIFIED_SOLUTION && c->slack > 0)
    say(c, "A solution exists: some velocity opens all contacts faster than they slip over "
           "friction, by "
           "a margin that makes up for the rounding of W.");
  else
    say(c, "%s.", WORDS[c->proof]);
  int nevers = count_nevers(c);
  if (nevers)
    say(c, " %d of the contacts never close%s, whatever the forces, and %s left out of this.",
        nevers, nevers == 1 ? "s" : "", nevers == 1 ? "is" : "are");
  if (c->proof == STC_PROOF_VERIFIED_SOLUTION)
    say_jam(w, "Under another load there might be none: by friction ", true);
}

static void undecided(stc_work *w, const stc_component *k, int open) {
  stc_certificate *c = w->certificate;
  c->verdict = STC_VERDICT_UNDECIDED;
  c->proof = STC_PROOF_NONE;
  say(c, "Undecided for ");
  say_contacts(c, k->contact, k->contacts);
  if (open > 1) say(c, ", and %d more components", open - 1);
  say(c, ": %s", c->doubt ? c->doubt : "the criterion does not hold with a margin");
  if (k->tree.open)
    say(c,
        k->tree.open == 1 ? ", %d node of the search is open" : ", %d nodes of the search are open",
        k->tree.open);
  if (k->why) say(c, "; %s", k->why);
  say(c, ".");
  say_jam(w, "By friction ", false);
}

void stc_work_conclude(stc_work *w) {
  stc_certificate *c = w->certificate;
  const stc_component *first = NULL;
  int open = 0;
  c->nodes = w->budget.nodes;
  for (int k = 0; k < c->components; k++) {
    const stc_component *component = &c->component[k];
    if (component->contradictory) {
      no_solution(w, component);
      return;
    }
    if (component->settled) continue;
    if (!first) first = component;
    open++;
  }
  if (c->complete) find_reach(c, NULL);
  if (open)
    undecided(w, first, open);
  else
    exists(w);
}
