// Verdict, proof, margin and a sentence from what is known of the components.
#include "cert_data.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

static void say(stc_certificate *c, const char *format, ...) STC_PRINTF(2, 3);

/// Appends to the reason; what does not fit is cut off.
static void say(stc_certificate *c, const char *format, ...) {
  size_t length = strlen(c->reason);
  va_list list;
  va_start(list, format);
  vsnprintf(c->reason + length, sizeof c->reason - length, format, list);
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

static void say_jam(stc_certificate *c) {
  int jammed[NAMED] = {0}, count = 0;
  double most = 0;
  if (!c->rho) return;
  for (int i = 0; i < c->contacts; i++) most = fmax(most, c->rho[i * c->dim]);
  for (int i = 0; i < c->contacts; i++) {
    if (!(c->rho[i * c->dim] > SHARE * most)) continue;
    if (count < NAMED) jammed[count] = i;
    count++;
  }
  say(c, " By friction ");
  say_contacts(c, jammed, count);
  say(c, count == 1 ? " jams: its reaction can balance itself against what is imposed."
                    : " jam the bodies they touch: their reactions balance without any load.");
}

// --- Verdicts ---

static void no_solution(stc_certificate *c, const stc_component *k) {
  c->verdict = STC_VERDICT_NO_SOLUTION;
  if (k->kinematic.count) {
    mpq_t depth, most, size;
    mpq_inits(depth, most, size, NULL);
    for (size_t i = 0; i < k->kinematic.count; i++) {
      mpq_abs(size, k->kinematic.at[i]);
      if (mpq_cmp(size, most) > 0) mpq_set(most, size);
      stc_rational_fma(depth, k->exact->q.at[i], k->kinematic.at[i]);
    }
    mpq_div(depth, depth, most);
    c->margin = ldexp(-mpq_get_d(depth), k->exact->unit_q);  // truncated: not too large
    mpq_clears(depth, most, size, NULL);
    c->proof = STC_PROOF_KINEMATIC;
    say(c, "No solution: no velocity keeps all contacts from penetrating, whatever the forces, at ");
    say_contacts(c, k->contact, k->contacts);
    say(c, ".");
    return;
  }
  c->proof = c->dim == 2 ? STC_PROOF_MODE_TREE : STC_PROOF_SECTOR_TREE;
  c->margin = k->tree.depth;
  say(c, "No solution: every combination of open, sticking and slipping is contradictory for ");
  say_contacts(c, k->contact, k->contacts);
  say(c, " (%d contradictions).", k->tree.leaves);
  say_jam(c);
}

static void exists(stc_certificate *c) {
  static const char *const WORDS[] = {
      [STC_PROOF_STRICT_MARGIN] = "A solution exists, for any load: some velocity opens all contacts "
                                  "faster than they slip over friction",
      [STC_PROOF_WEAK_2D] = "A solution exists, for any load: some velocity of the plane problem "
                            "satisfies the criterion without margin",
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
  else
    say(c, "%s.", WORDS[c->proof]);
  if (c->proof != STC_PROOF_STRICT_MARGIN) say_jam(c);
}

static void undecided(stc_certificate *c, const stc_component *k, int open) {
  c->verdict = STC_VERDICT_UNDECIDED;
  c->proof = STC_PROOF_NONE;
  say(c, "Undecided for ");
  say_contacts(c, k->contact, k->contacts);
  if (open > 1) say(c, ", and %d more components", open - 1);
  say(c, ": the criterion does not hold with a margin");
  if (k->tree.open) say(c, ", %d nodes of the search are open", k->tree.open);
  if (k->why) say(c, "; %s", k->why);
  say(c, ".");
  say_jam(c);
}

void stc_certificate_conclude(stc_certificate *c, const stc_budget *budget) {
  const stc_component *first = NULL;
  int open = 0;
  c->nodes = budget->nodes;
  for (int k = 0; k < c->components; k++) {
    const stc_component *component = &c->component[k];
    if (component->contradictory) {
      no_solution(c, component);
      return;
    }
    if (component->settled) continue;
    if (!first) first = component;
    open++;
  }
  if (open)
    undecided(c, first, open);
  else
    exists(c);
}
