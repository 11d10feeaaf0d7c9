// What a certificate says: its answers, the list of solution sets, the verdict in words.
#include "cert_data.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

const char *stc_verdict_name(stc_verdict verdict) {
  static const char *const NAMES[] = {"exists", "no_solution", "undecided"};
  return NAMES[verdict];
}

const char *stc_proof_name(stc_proof proof) {
  static const char *const NAMES[] = {
      NULL,        "strict_margin", "weak_2d",    "weak_polyhedral", "verified_solution",
      "kinematic", "mode_tree",     "sector_tree"};
  return NAMES[proof];
}

stc_verdict stc_certificate_verdict(const stc_certificate *certificate) {
  return certificate->verdict;
}

stc_proof stc_certificate_proof(const stc_certificate *certificate) { return certificate->proof; }

double stc_certificate_margin(const stc_certificate *certificate) { return certificate->margin; }

double stc_certificate_reach(const stc_certificate *certificate) { return certificate->reach; }

long stc_certificate_nodes(const stc_certificate *certificate) { return certificate->nodes; }

const char *stc_certificate_reason(const stc_certificate *certificate) {
  return certificate->reason;
}

bool stc_certificate_bounds(const stc_certificate *certificate, stc_bounds *bounds) {
  if (certificate->bounded) *bounds = certificate->bounds;
  return certificate->bounded;
}

const double *stc_certificate_jamming(const stc_certificate *certificate) {
  return certificate->rho;
}

int stc_certificate_sets(const stc_certificate *certificate) { return certificate->sets; }

bool stc_certificate_set(const stc_certificate *certificate, int k, stc_solution_set *set) {
  if (k < 0 || k >= certificate->sets) return false;
  *set = certificate->set[k];
  return true;
}

bool stc_certificate_complete(const stc_certificate *certificate) { return certificate->complete; }

static void free_part(stc_proved *part) {
  stc_rationals_free(&part->v);
  stc_rationals_free(&part->r);
  stc_rationals_free(&part->l);
  for (int k = 0; k < part->nevers; k++) {
    stc_rationals_free(&part->never[k].y);
    stc_rationals_free(&part->never[k].kappa);
  }
}

void stc_certificate_withdraw(stc_certificate *c, int parts) {
  while (c->parts > parts) {
    free_part(&c->part[--c->parts]);
    c->part[c->parts] = (stc_proved){0};
  }
}

void stc_certificate_free(stc_certificate **certificate) {
  stc_certificate *c = *certificate;
  if (!c) return;
  for (int k = 0; k < c->parts; k++) free_part(&c->part[k]);
  for (int k = 0; k < c->components; k++) stc_component_free(&c->component[k]);
  stc_arena_free(&c->arena);
  stc_release(certificate);
}

// --- Solution sets ---

// Combinations that are listed; more are not counted.
enum { MAX_SETS = 4096 };

/// Sets of one component.
static int sets_of(const stc_component *k) {
  return (k->sets ? k->sets->count : 0) + k->boxes + k->rests;
}

/// Adds an exact set to a combination. In 3D it is not known whether reactions that are not unique
/// are bounded, unless the bounds say so.
static void combine_exact(const stc_certificate *c, const stc_exact *e, const stc_set *s,
                          stc_solution_set *set, double *r, double *u) {
  set->dimension += s->dimension;
  set->velocity_dimension += s->velocity_dimension;
  set->bounded = set->bounded && (s->bounded || c->bounded);
  stc_exact_round(e, &s->r, r);
  for (int i = 0; i < e->size; i++)
    u[stc_exact_row(e, i)] = ldexp(stc_q_get_d(s->u.at[i]), e->unit_q);
}

/// Adds set `number` of a component to a combination.
static void combine(const stc_certificate *c, const stc_component *k, int number,
                    stc_solution_set *set, double *r, double *u) {
  if (k->sets) {
    combine_exact(c, k->exact, &k->sets->set[number], set, r, u);
    return;
  }
  if (number >= k->boxes) {
    combine_exact(c, k->exact, &k->rest[number - k->boxes], set, r, u);
    return;
  }
  for (int i = 0; i < k->contacts * 3; i++) {
    int at = k->contact[i / 3] * 3 + i % 3;
    r[at] = k->box[number]->r[at];
  }
  // u = W r + q of the component, from its reactions r in the whole.
  const stc_exact *e = k->exact;
  for (int i = 0; i < e->size; i++) {
    double sum = e->q_float[i];
    for (int j = 0; j < e->size; j++)
      sum += e->W_float[(ptrdiff_t)i * e->size + j] *
             ldexp(r[stc_exact_row(e, j)], e->unit_W - e->unit_q);
    u[stc_exact_row(e, i)] = ldexp(sum, e->unit_q);
  }
}

/// The number of combinations; 0 where some component has none or they are too many.
static int count_sets(const stc_certificate *c) {
  long count = c->contacts > 0;
  for (int k = 0; k < c->components && count <= MAX_SETS; k++) {
    if (!c->component[k].exact) return 0;
    count *= sets_of(&c->component[k]);
  }
  return count <= MAX_SETS ? (int)count : 0;
}

stc_error stc_certificate_list(stc_certificate *c) {
  int count = count_sets(c);
  c->set = STC_TAKE(&c->arena, stc_solution_set, count);
  double *numbers = STC_TAKE(&c->arena, double, 2 * (size_t)count * (size_t)c->size);
  STC_TRY(stc_arena_check(&c->arena));
  c->complete = count > 0;
  for (int n = 0; n < count; n++) {
    double *r = numbers + (ptrdiff_t)2 * n * c->size, *u = r + c->size;
    c->set[n] = (stc_solution_set){.bounded = true, .r = r, .u = u};
    for (int k = 0, left = n; k < c->components; k++) {
      int base = sets_of(&c->component[k]);
      combine(c, &c->component[k], left % base, &c->set[n], r, u);
      left /= base;
    }
  }
  for (int k = 0; k < c->components; k++) c->complete = c->complete && c->component[k].complete;
  c->sets = count;
  return STC_OK;
}
