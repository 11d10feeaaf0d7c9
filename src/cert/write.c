// The certificate as a JSON file (docs/certificates.md). Numbers of a proof are exact: hexadecimal
// doubles where they are doubles, fractions otherwise.
#include "cert_data.h"

#include "../problem/fclib/save.h"

#include <inttypes.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/// A growing text.
typedef struct text {
  char *at;
  size_t length, room;
  bool failed;
} text;

static bool reserve(text *t, size_t more) {
  if (t->failed || t->length + more < t->room) return !t->failed;
  size_t room = 2 * (t->room + more) + 1024;
  char *at = realloc(t->at, room);
  if (!at) {
    t->failed = true;
    return false;
  }
  t->at = at;
  t->room = room;
  return true;
}

static void put(text *t, const char *format, ...) STC_PRINTF(2, 3);

static void put(text *t, const char *format, ...) {
  va_list list, again;
  va_start(list, format);
  va_copy(again, list);
  int length = vsnprintf(NULL, 0, format, list);
  if (length >= 0 && reserve(t, (size_t)length + 1)) {
    vsnprintf(t->at + t->length, t->room - t->length, format, again);
    t->length += (size_t)length;
  }
  va_end(again);
  va_end(list);
}

static void put_fraction(text *t, const mpq_t x) {
  size_t digits = mpz_sizeinbase(mpq_numref(x), 10) + mpz_sizeinbase(mpq_denref(x), 10) + 3;
  if (!reserve(t, digits + 2)) return;
  t->at[t->length++] = '"';
  mpq_get_str(t->at + t->length, 10, x);
  t->length += strlen(t->at + t->length);
  put(t, "\"");
}

static void put_number(text *t, const mpq_t x) {
  mpq_t rounded;
  double value = mpq_get_d(x);
  mpq_init(rounded);
  if (isfinite(value)) mpq_set_d(rounded, value);
  if (isfinite(value) && mpq_equal(rounded, x))
    put(t, "\"%a\"", value);
  else
    put_fraction(t, x);
  mpq_clear(rounded);
}

static void put_vector(text *t, const char *name, const stc_rationals *x) {
  const char *comma = "";
  put(t, "\"%s\": [", name);
  for (size_t k = 0; k < x->count; k++) {
    if (!mpq_sgn(x->at[k])) continue;
    put(t, "%s[%zu, ", comma, k);
    put_number(t, x->at[k]);
    put(t, "]");
    comma = ", ";
  }
  put(t, "]");
}

static void put_doubles(text *t, const double *x, int n) {
  const char *comma = "";
  put(t, "[");
  for (int k = 0; k < n; k++) {
    if (x[k] == 0) continue;
    put(t, "%s[%d, \"%a\"]", comma, k, x[k]);
    comma = ", ";
  }
  put(t, "]");
}

static void put_indices(text *t, const char *name, const int *x, int n) {
  put(t, "\"%s\": [", name);
  for (int k = 0; k < n; k++) put(t, "%s%d", k ? ", " : "", x[k]);
  put(t, "]");
}

/// The sentence has no characters that JSON escapes but perhaps quotes and backslashes.
static void put_string(text *t, const char *name, const char *string) {
  put(t, "\"%s\": \"", name);
  for (const char *s = string; *s; s++) put(t, *s == '"' || *s == '\\' ? "\\%c" : "%c", *s);
  put(t, "\"");
}

// --- Contradictions ---

static stc_error put_leaf(text *t, const stc_exact *e, const stc_rationals *y) {
  stc_rationals full = {0}, lambda = {0}, kappa = {0};
  stc_error error = stc_exact_spread_y(e, y, &full);
  if (!error) error = stc_exact_hidden_y(e, y, &lambda, &kappa);
  if (!error) {
    put(t, "{");
    put_vector(t, "y", &full);
    if (e->dofs) put(t, ", "), put_vector(t, "lambda", &lambda);
    if (e->equalities) put(t, ", "), put_vector(t, "kappa", &kappa);
    put(t, "}");
  }
  stc_rationals_free(&full);
  stc_rationals_free(&lambda);
  stc_rationals_free(&kappa);
  return error;
}

static void put_direction(text *t, const char *name, int quarter, double s) {
  mpq_t x, y;
  mpq_inits(x, y, NULL);
  stc_direction(quarter, s, x, y);
  put(t, ", \"%s\": [", name);
  put_number(t, x);
  put(t, ", ");
  put_number(t, y);
  put(t, "]");
  mpq_clears(x, y, NULL);
}

static void put_mode(text *t, stc_mode mode) {
  static const char *const NAMES[] = {"none", "open", "stick", "slip", "slip", "slip"};
  put(t, "{\"mode\": \"%s\"", NAMES[mode.kind]);
  if (mode.kind == STC_MODE_PLUS || mode.kind == STC_MODE_MINUS)
    put(t, ", \"sign\": %d", mode.kind == STC_MODE_PLUS ? 1 : -1);
  if (mode.kind == STC_MODE_SECTOR) {
    put_direction(t, "from", mode.quarter, mode.from);
    put_direction(t, "to", mode.quarter, mode.to);
  }
}

static stc_error put_tree_leaf(text *t, const stc_component *k, const stc_node *node) {
  stc_rationals y = {0};
  STC_TRY(stc_tree_y(&k->tree, node, &y));
  stc_error error = put_leaf(t, k->exact, &y);
  stc_rationals_free(&y);
  return error;
}

static stc_error put_node(text *t, const stc_component *k, int at) {
  const stc_node *node = &k->tree.node[at];
  if (node->kind == STC_NODE_LEAF) return put_tree_leaf(t, k, node);
  if (node->kind == STC_NODE_SOLUTION) {
    put(t, "{\"set\": %d}", k->sets ? k->sets->number[node->set] : node->set);
    return STC_OK;
  }
  put(t, "{\"contact\": %d, \"children\": [", k->exact->contact[node->contact]);
  for (int child = node->first; child >= 0; child = k->tree.node[child].next) {
    if (child != node->first) put(t, ",");
    put(t, "\n");
    put_mode(t, k->tree.node[child].mode);
    put(t, ", \"node\": ");
    STC_TRY(put_node(t, k, child));
    put(t, "}");
  }
  put(t, "]}");
  return STC_OK;
}

// --- Existence ---

static void put_box(text *t, const stc_box *box) {
  put(t, ", \"status\": [");
  for (int k = 0; k < box->contacts; k++)
    put(t, "%s\"%s\"", k ? ", " : "", stc_contact_state_name(box->status[k]));
  put(t, "],\n\"x\": ");
  put_doubles(t, box->x, box->m);
  put(t, ",\n\"radius\": ");
  put_doubles(t, box->radius, box->m);
  put(t, ",\n\"inverse\": [");
  for (int k = 0; k < box->m; k++) {
    put(t, k ? ",\n" : "\n");
    put_doubles(t, box->inverse + (ptrdiff_t)k * box->m, box->m);
  }
  put(t, "]");
}

/// The vector y [contacts] of a contact that never closes.
static stc_error put_never(text *t, const stc_certificate *c, const stc_never *never) {
  stc_rationals y = {0};
  STC_TRY(stc_rationals_create(&y, (size_t)c->contacts));
  for (int i = 0; i < c->contacts; i++) mpq_set(y.at[i], never->y.at[i * c->dim]);
  put(t, "{\"contact\": %d, ", never->contact);
  put_vector(t, "y", &y);
  if (c->equalities) put(t, ", "), put_vector(t, "kappa", &never->kappa);
  put(t, "}");
  stc_rationals_free(&y);
  return STC_OK;
}

static stc_error put_part(text *t, const stc_certificate *c, const stc_proved *part) {
  put(t, "{\"proof\": \"%s\", ", stc_proof_name(part->proof));
  put_indices(t, "contacts", part->contact, part->contacts);
  if (part->proof != STC_PROOF_VERIFIED_SOLUTION) put(t, ", \"margin\": \"%a\"", part->margin);
  if (part->box) put_box(t, part->box);
  if (part->v.count) put(t, ",\n"), put_vector(t, "v", &part->v);
  if (part->r.count) put(t, ",\n"), put_vector(t, "r", &part->r);
  if (part->l.count) put(t, ",\n"), put_vector(t, "l", &part->l);
  if (part->nevers) put(t, ",\n\"never_closing\": [");
  for (int k = 0; k < part->nevers; k++) {
    put(t, k ? ",\n" : "\n");
    STC_TRY(put_never(t, c, &part->never[k]));
  }
  put(t, part->nevers ? "]}" : "}");
  return STC_OK;
}

static stc_error put_parts(text *t, const stc_certificate *c) {
  put(t, ",\n\"parts\": [");
  for (int k = 0; k < c->parts; k++) {
    put(t, k ? ",\n" : "\n");
    STC_TRY(put_part(t, c, &c->part[k]));
  }
  put(t, "]");
  return STC_OK;
}

static stc_error put_set(text *t, const stc_component *k, const stc_set *set,
                         const stc_certificate *c) {
  stc_rationals r = {0};
  STC_TRY(stc_exact_spread_r(k->exact, &set->r, &r));
  put(t, "{\"dimension\": %d, \"velocity_dimension\": %d, \"bounded\": %s, ", set->dimension,
      set->velocity_dimension, set->bounded ? "true" : "false");
  put_vector(t, "r", &r);
  if (c->dofs) put(t, ", "), put_vector(t, "v", &set->v);
  if (c->equalities) put(t, ", "), put_vector(t, "l", &set->l);
  put(t, "}");
  stc_rationals_free(&r);
  return STC_OK;
}

static stc_error put_enumeration(text *t, const stc_certificate *c) {
  put(t, ",\n\"enumeration\": [");
  for (int k = 0; k < c->components; k++) {
    const stc_component *component = &c->component[k];
    put(t, "%s{", k ? ",\n" : "\n");
    put_indices(t, "contacts", component->contact, component->contacts);
    put(t, ", \"sets\": [");
    for (int n = 0; n < component->sets->count; n++) {
      put(t, n ? ",\n" : "\n");
      STC_TRY(put_set(t, component, &component->sets->set[n], c));
    }
    put(t, "],\n\"tree\": ");
    STC_TRY(put_node(t, component, 0));
    put(t, "}");
  }
  put(t, "]");
  return STC_OK;
}

// --- The whole ---

/// The existence theorem takes something for granted; other proofs do not.
static const char *assumption(const stc_certificate *c) {
  if (c->verdict != STC_VERDICT_EXISTS) return "";
  for (int k = 0; k < c->parts; k++)
    if (c->part[k].proof != STC_PROOF_VERIFIED_SOLUTION)
      return c->form == STC_FORM_GLOBAL ? "M is positive definite"
                                        : "W = H M^-1 H^T with M positive definite";
  return "";
}

static void put_head(text *t, const stc_certificate *c) {
  const char *proof = stc_proof_name(c->proof);
  put(t, "{\"format\": \"stiction-certificate\", \"version\": 1,\n");
  put(t, "\"problem\": {\"form\": \"%s\", \"dim\": %d, \"contacts\": %d, \"dofs\": %d, ",
      c->form == STC_FORM_GLOBAL ? "global" : "local", c->dim, c->contacts, c->dofs);
  put(t, "\"equalities\": %d, \"fingerprint\": \"%s\"},\n", c->equalities, c->fingerprint);
  put(t, "\"verdict\": \"%s\", ", stc_verdict_name(c->verdict));
  if (proof)
    put(t, "\"proof\": \"%s\", ", proof);
  else
    put(t, "\"proof\": null, ");
  if (isnan(c->margin))
    put(t, "\"margin\": null, ");
  else
    put(t, "\"margin\": \"%a\", ", c->margin);
  put(t, "\"nodes\": %ld,\n", c->nodes);
  put_string(t, "reason", c->reason);
  put(t, ",\n");
  put_string(t, "assumes", assumption(c));
}

static void put_jam(text *t, const stc_certificate *c) {
  const char *comma = "";
  put(t, ",\n\"jamming\": {\"contacts\": [");
  for (int i = 0; i < c->contacts; i++) {
    if (c->rho[i * c->dim] <= 0) continue;
    put(t, "%s%d", comma, i);
    comma = ", ";
  }
  put(t, "], \"rho\": ");
  put_doubles(t, c->rho, c->size);
  put(t, "}");
}

static stc_error put_proof(text *t, const stc_certificate *c) {
  if (c->verdict == STC_VERDICT_EXISTS) {
    STC_TRY(put_parts(t, c));
    return c->complete && c->dim == 2 ? put_enumeration(t, c) : STC_OK;
  }
  for (int k = 0; k < c->components; k++) {
    const stc_component *component = &c->component[k];
    if (!component->contradictory) continue;
    bool tree = component->kinematic.count == 0;
    put(t, tree ? ",\n\"tree\": " : ",\n\"leaf\": ");
    return tree ? put_node(t, component, 0) : put_leaf(t, component->exact, &component->kinematic);
  }
  return STC_OK;
}

/// FNV-1a of everything before it.
static void put_seal(text *t) {
  uint64_t h = 0xcbf29ce484222325u;
  put(t, ",\n");
  for (size_t k = 0; k < t->length; k++) h = (h ^ (unsigned char)t->at[k]) * 0x100000001b3u;
  put(t, "\"seal\": \"%016" PRIx64 "\"}\n", h);
}

stc_error stc_certificate_write(const stc_certificate *c, const char *path) {
  text t = {0};
  put_head(&t, c);
  if (c->rho) put_jam(&t, c);
  stc_error error = put_proof(&t, c);
  if (!error) put_seal(&t);
  if (!error && t.failed) error = stc_fail(STC_ERR_MEMORY, "out of memory for the certificate");
  if (!error) error = stc_save(path, t.at, t.length);
  if (error == STC_ERR_FILE) error = stc_fail_in(error, path);
  free(t.at);
  return error;
}
