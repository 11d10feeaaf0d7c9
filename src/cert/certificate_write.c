// The certificate as a JSON file (docs/certificates.md). Numbers of a proof are exact: hexadecimal
// doubles where they are doubles, fractions otherwise.
#include "cert_data.h"

#include "../base/save.h"
#include "../base/text.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void put_number(stc_text *t, const stc_q x) {
  double value;
  if (stc_q_is_d(x, &value)) {
    stc_text_put(t, "\"%a\"", value);
  } else if (stc_text_reserve(t, stc_q_width(x) + 2)) {
    t->at[t->length++] = '"';
    size_t length = stc_q_write(x, t->at + t->length);
    t->failed = t->failed || !length;
    t->length += length;
    stc_text_put(t, "\"");
  }
}

static void put_vector(stc_text *t, const char *name, const stc_rationals *x) {
  const char *comma = "";
  stc_text_put(t, "\"%s\": [", name);
  for (size_t k = 0; k < x->count; k++) {
    if (!stc_q_sgn(x->at[k])) continue;
    stc_text_put(t, "%s[%zu, ", comma, k);
    put_number(t, x->at[k]);
    stc_text_put(t, "]");
    comma = ", ";
  }
  stc_text_put(t, "]");
}

static void put_doubles(stc_text *t, const double *x, int n) {
  const char *comma = "";
  stc_text_put(t, "[");
  for (int k = 0; k < n; k++) {
    if (x[k] == 0) continue;
    stc_text_put(t, "%s[%d, \"%a\"]", comma, k, x[k]);
    comma = ", ";
  }
  stc_text_put(t, "]");
}

static void put_indices(stc_text *t, const char *name, const int *x, int n) {
  stc_text_put(t, "\"%s\": [", name);
  for (int k = 0; k < n; k++) stc_text_put(t, "%s%d", k ? ", " : "", x[k]);
  stc_text_put(t, "]");
}

// --- Contradictions ---

static stc_error put_leaf(stc_text *t, const stc_exact *e, const stc_rationals *y) {
  STC_RATIONALS full = {0}, lambda = {0}, kappa = {0};
  STC_TRY(stc_exact_spread_y(e, y, &full));
  STC_TRY(stc_exact_hidden_y(e, y, &lambda, &kappa));
  stc_text_put(t, "{");
  put_vector(t, "y", &full);
  if (e->dofs) stc_text_put(t, ", "), put_vector(t, "lambda", &lambda);
  if (e->equalities) stc_text_put(t, ", "), put_vector(t, "kappa", &kappa);
  stc_text_put(t, "}");
  return STC_OK;
}

static void put_direction(stc_text *t, const char *name, int quarter, double s) {
  STC_Q x = {0}, y = {0};
  stc_direction(quarter, s, x, y);
  stc_text_put(t, ", \"%s\": [", name);
  put_number(t, x);
  stc_text_put(t, ", ");
  put_number(t, y);
  stc_text_put(t, "]");
}

static void put_mode(stc_text *t, stc_mode mode) {
  static const char *const NAMES[] = {"none", "open", "stick", "slip",
                                      "slip", "slip", "slip",  "slip"};
  stc_text_put(t, "{\"mode\": \"%s\"", NAMES[mode.kind]);
  if (mode.kind == STC_MODE_PLUS || mode.kind == STC_MODE_MINUS)
    stc_text_put(t, ", \"sign\": %d", mode.kind == STC_MODE_PLUS ? 1 : -1);
  if (mode.kind == STC_MODE_CORNERS)
    stc_text_put(t, ", \"corners\": [%d, %d]", mode.first, mode.last);
  if (mode.kind == STC_MODE_EDGE) stc_text_put(t, ", \"edge\": %d", mode.first);
  if (mode.kind == STC_MODE_SECTOR) {
    put_direction(t, "from", mode.quarter, mode.from);
    put_direction(t, "to", mode.quarter, mode.to);
  }
}

static stc_error put_node(stc_text *t, const stc_component *k, int at) {
  const stc_node *node = &k->tree.node[at];
  STC_RATIONALS y = {0};
  if (node->kind == STC_NODE_LEAF) {
    STC_TRY(stc_tree_y(&k->tree, node, &y));
    return put_leaf(t, k->exact, &y);
  }
  if (node->kind == STC_NODE_SOLUTION) {
    stc_text_put(t, "{\"set\": %d}", k->sets ? k->sets->number[node->set] : node->set);
    return STC_OK;
  }
  stc_text_put(t, "{\"contact\": %d, \"children\": [", k->exact->contact[node->contact]);
  for (int child = node->first; child >= 0; child = k->tree.node[child].next) {
    if (child != node->first) stc_text_put(t, ",");
    stc_text_put(t, "\n");
    put_mode(t, k->tree.node[child].mode);
    stc_text_put(t, ", \"node\": ");
    STC_TRY(put_node(t, k, child));
    stc_text_put(t, "}");
  }
  stc_text_put(t, "]}");
  return STC_OK;
}

// --- Existence ---

static void put_box(stc_text *t, const stc_box *box) {
  stc_text_put(t, ", \"status\": [");
  for (int k = 0; k < box->contacts; k++)
    stc_text_put(t, "%s\"%s\"", k ? ", " : "", stc_contact_state_name(box->status[k]));
  stc_text_put(t, "],\n\"x\": ");
  put_doubles(t, box->x, box->m);
  stc_text_put(t, ",\n\"radius\": ");
  put_doubles(t, box->radius, box->m);
  stc_text_put(t, ",\n\"inverse\": [");
  for (int k = 0; k < box->m; k++) {
    stc_text_put(t, k ? ",\n" : "\n");
    put_doubles(t, box->inverse + (ptrdiff_t)k * box->m, box->m);
  }
  stc_text_put(t, "]");
}

static stc_error put_part(stc_text *t, const stc_certificate *c, const stc_proved *part) {
  stc_text_put(t, "{\"proof\": \"%s\", ", stc_proof_name(part->proof));
  put_indices(t, "contacts", part->contact, part->contacts);
  if (part->proof != STC_PROOF_VERIFIED_SOLUTION)
    stc_text_put(t, ", \"margin\": \"%a\"", part->margin);
  if (part->box) put_box(t, part->box);
  if (part->v.count) stc_text_put(t, ",\n"), put_vector(t, "v", &part->v);
  if (part->r.count) stc_text_put(t, ",\n"), put_vector(t, "r", &part->r);
  if (part->l.count) stc_text_put(t, ",\n"), put_vector(t, "l", &part->l);
  if (part->nevers) stc_text_put(t, ",\n\"never_closing\": [");
  for (int k = 0; k < part->nevers; k++) {
    stc_text_put(t, k ? ",\n" : "\n");
    // The vector y [contacts] of a contact that never closes.
    const stc_never *never = &part->never[k];
    STC_RATIONALS y = {0};
    STC_TRY(stc_rationals_create(&y, (size_t)c->contacts));
    for (int i = 0; i < c->contacts; i++) stc_q_set(y.at[i], never->y.at[i * c->dim]);
    stc_text_put(t, "{\"contact\": %d, ", never->contact);
    put_vector(t, "y", &y);
    if (c->equalities) stc_text_put(t, ", "), put_vector(t, "kappa", &never->kappa);
    stc_text_put(t, "}");
  }
  stc_text_put(t, part->nevers ? "]}" : "}");
  return STC_OK;
}

static stc_error put_set(stc_text *t, const stc_component *k, const stc_set *set,
                         const stc_certificate *c) {
  STC_RATIONALS r = {0};
  STC_TRY(stc_exact_spread_r(k->exact, &set->r, &r));
  stc_text_put(t, "{\"dimension\": %d, \"velocity_dimension\": %d, \"bounded\": %s, ",
               set->dimension, set->velocity_dimension, set->bounded ? "true" : "false");
  put_vector(t, "r", &r);
  if (c->dofs) stc_text_put(t, ", "), put_vector(t, "v", &set->v);
  if (c->equalities) stc_text_put(t, ", "), put_vector(t, "l", &set->l);
  stc_text_put(t, "}");
  return STC_OK;
}

static stc_error put_enumeration(stc_text *t, const stc_certificate *c) {
  stc_text_put(t, ",\n\"enumeration\": [");
  for (int k = 0; k < c->components; k++) {
    const stc_component *component = &c->component[k];
    stc_text_put(t, "%s{", k ? ",\n" : "\n");
    put_indices(t, "contacts", component->contact, component->contacts);
    stc_text_put(t, ", \"sets\": [");
    for (int n = 0; n < component->sets->count; n++) {
      stc_text_put(t, n ? ",\n" : "\n");
      STC_TRY(put_set(t, component, &component->sets->set[n], c));
    }
    stc_text_put(t, "],\n\"tree\": ");
    STC_TRY(put_node(t, component, 0));
    stc_text_put(t, "}");
  }
  stc_text_put(t, "]");
  return STC_OK;
}

// --- The whole ---

static void put_head(stc_text *t, const stc_certificate *c) {
  const char *proof = stc_proof_name(c->proof);
  double slack = 0;  // of W, where a part rests on the criterion
  for (int k = 0; k < c->parts; k++)
    if (c->part[k].proof != STC_PROOF_VERIFIED_SOLUTION) slack = c->slack;
  stc_text_put(t, "{\"format\": \"stiction-certificate\", \"version\": 1,\n");
  stc_text_put(t, "\"problem\": {\"form\": \"%s\", \"dim\": %d, \"contacts\": %d, \"dofs\": %d, ",
               c->form == STC_FORM_GLOBAL ? "global" : "local", c->dim, c->contacts, c->dofs);
  stc_text_put(t, "\"equalities\": %d, \"fingerprint\": \"%s\"},\n", c->equalities, c->fingerprint);
  stc_text_put(t, "\"verdict\": \"%s\", ", stc_verdict_name(c->verdict));
  stc_text_put(t, proof ? "\"proof\": \"%s\", " : "\"proof\": null, ", proof);
  stc_text_put(t, isnan(c->margin) ? "\"margin\": null, " : "\"margin\": \"%a\", ", c->margin);
  stc_text_put(t, "\"nodes\": %ld,\n\"reason\": \"", c->nodes);
  for (const char *s = c->reason; *s; s++)  // JSON escapes nothing in it but perhaps these
    stc_text_put(t, *s == '"' || *s == '\\' ? "\\%c" : "%c", *s);
  stc_text_put(t, "\",\n\"slack\": \"%a\"", slack);
  if (isfinite(c->reach)) stc_text_put(t, ", \"reach\": \"%a\"", c->reach);
}

static void put_jam(stc_text *t, const stc_certificate *c) {
  const char *comma = "";
  stc_text_put(t, ",\n\"jamming\": {\"contacts\": [");
  for (int i = 0; i < c->contacts; i++) {
    if (c->rho[i * c->dim] <= 0) continue;
    stc_text_put(t, "%s%d", comma, i);
    comma = ", ";
  }
  stc_text_put(t, "], \"rho\": ");
  put_doubles(t, c->rho, c->size);
  stc_text_put(t, "}");
}

static stc_error put_proof(stc_text *t, const stc_certificate *c) {
  if (c->verdict == STC_VERDICT_EXISTS) {
    stc_text_put(t, ",\n\"parts\": [");
    for (int k = 0; k < c->parts; k++) {
      stc_text_put(t, k ? ",\n" : "\n");
      STC_TRY(put_part(t, c, &c->part[k]));
    }
    stc_text_put(t, "]");
    bool sets = c->complete && (isinf(c->reach) || c->components == 1);  // one reach for a file
    for (int k = 0; k < c->components; k++) sets = sets && c->component[k].sets;
    return sets ? put_enumeration(t, c) : STC_OK;
  }
  for (int k = 0; k < c->components; k++) {
    const stc_component *component = &c->component[k];
    if (!component->contradictory) continue;
    bool tree = component->kinematic.count == 0;
    stc_text_put(t, tree ? ",\n\"tree\": " : ",\n\"leaf\": ");
    return tree ? put_node(t, component, 0) : put_leaf(t, component->exact, &component->kinematic);
  }
  return STC_OK;
}

stc_error stc_certificate_write(const stc_certificate *c, const char *path) {
  STC_RELEASED_BY(stc_text_free) stc_text t = {0};
  uint64_t seal = 0xcbf29ce484222325u;  // FNV-1a of everything before it
  stc_fault_clear();
  put_head(&t, c);
  if (c->rho) put_jam(&t, c);
  STC_TRY(put_proof(&t, c));
  STC_TRY(stc_fault_check());
  if (stc_fault_seen())
    return stc_fail(STC_ERR_VALUE, "%s: exact numbers of the proof take more than %d bits", path,
                    STC_NUMBER_BITS);
  stc_text_put(&t, ",\n");
  for (size_t k = 0; k < t.length; k++) seal = (seal ^ (unsigned char)t.at[k]) * 0x100000001b3u;
  stc_text_put(&t, "\"seal\": \"%016" PRIx64 "\"}\n", seal);
  if (t.failed) return stc_fail(STC_ERR_MEMORY, "out of memory for the certificate");
  stc_error error = stc_save(path, t.at, t.length);
  return error == STC_ERR_FILE ? stc_fail_in(error, path) : error;
}
