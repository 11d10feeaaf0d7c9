// Checks a certificate (docs/certificates.md): its seal, the problem it names, the proof it gives.
#include "check.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "checker.h"

static const uint64_t FNV_START = 0xcbf29ce484222325u;

static void copy(char *out, size_t room, const value *v) {
  snprintf(out, room, "%.*s", v ? (int)v->length : 0, v ? v->text : "");
}

static bool says(const value *object, const char *name, const char *text) {
  return value_is(value_member(object, name), VALUE_STRING, text);
}

// ---- head

static bool seal_holds(const checker *c, const value *head, const char *text) {
  const value *seal = value_member(head, "seal");
  char digits[17];
  if (!seal || seal->next) return refuse(c, "the certificate does not end with a seal");
  uint64_t h = hash_bytes(FNV_START, text, (size_t)(seal->name - 1 - text));
  snprintf(digits, sizeof digits, "%016" PRIx64, h);
  if (value_is(seal, VALUE_STRING, digits)) return true;
  return refuse(c, "the certificate was altered: its seal is not %s", digits);
}

static bool names_problem(const checker *c, const value *head, const stc_problem *problem) {
  const value *data = value_member(head, "problem");
  const char *name[] = {"dim", "contacts", "dofs", "equalities"};
  const int size[] = {c->dim, c->contacts, c->dofs, c->joints};
  bool local = stc_problem_form(problem) == STC_FORM_LOCAL;
  bool fits = says(data, "form", local ? "local" : "global");
  int found;
  for (int k = 0; k < 4; k++)
    fits = fits && value_integer(value_member(data, name[k]), size[k], size[k], &found);
  uint64_t h1 = hash_problem(c, problem, FNV_START), h2 = hash_problem(c, problem, h1);
  char digits[33];
  snprintf(digits, sizeof digits, "%016" PRIx64 "%016" PRIx64, h1, h2);
  if (fits && says(data, "fingerprint", digits)) return true;
  return refuse(c, "the certificate is about another problem: the fingerprint is %s", digits);
}

// The margin of the head is at most that of the proof, and null if there is none.
static bool margin_holds(const checker *c, const value *head) {
  const value *stated = value_member(head, "margin");
  number margin = exact_read(stated);
  if (!c->measured && value_is(stated, VALUE_WORD, "null")) return true;
  if (c->measured && margin && mpq_sgn(margin) >= 0 && compare(margin, c->margin) <= 0) return true;
  return refuse(c, "the margin is not that of the proof");
}

// ---- existence

// The contacts listed get the owner `part`; none may have one already.
static bool claim(const checker *c, const value *list, int part) {
  int i;
  for (const value *v = list ? list->first : NULL; v; v = v->next) {
    if (!value_integer(v, 0, c->contacts - 1, &i) || c->owner[i])
      return refuse(c, "part %d names a wrong contact", part - 1);
    c->owner[i] = part;
  }
  return true;
}

// Every contact has an owner, and connected contacts have the same.
static bool parts_are_whole(const checker *c) {
  int *part = exact_room(c->size, sizeof *part);
  for (int i = 0; i < c->contacts; i++) {
    int owner = c->owner[i], *of = &part[component(c, c->first + c->dim * i)];
    if (!owner) return refuse(c, "contact %d is in no part", i);
    if (*of && *of != owner) return refuse(c, "contact %d is cut off from its part", i);
    *of = owner;
  }
  return true;
}

// The proofs of a part, from the best to the last.
static const char *const PART_PROOFS[] = {"strict_margin", "weak_2d", "verified_solution"};
enum { STRICT, WEAK, VERIFIED, UNKNOWN };

static int proof_of(const value *object) {
  int proof = STRICT;
  while (proof < UNKNOWN && !says(object, "proof", PART_PROOFS[proof])) proof++;
  return proof;
}

static bool part_holds(checker *c, const value *part, int k) {
  int proof = proof_of(part);
  if (proof == UNKNOWN) return refuse(c, "part %d has no known proof", k - 1);
  if (proof != VERIFIED) return criterion_holds(c, part, k, proof == STRICT);
  return value_member(part, "x") ? box_holds(c, part, k) : solution_holds(c, part, k);
}

static bool exists(checker *c, const value *head) {
  const value *parts = value_member(head, "parts");
  int k = 1, last = STRICT;
  if (!parts) return refuse(c, "there are no parts");
  for (const value *part = parts->first; part; part = part->next, k++)
    if (!claim(c, value_member(part, "contacts"), k)) return false;
  if (!parts_are_whole(c)) return false;
  k = 1;
  for (const value *part = parts->first; part; part = part->next, k++) {
    if (!part_holds(c, part, k)) return false;
    if (proof_of(part) > last) last = proof_of(part);
  }
  if (last == VERIFIED) c->measured = false;
  if (proof_of(head) != last) return refuse(c, "the proof is %s", PART_PROOFS[last]);
  return k > 1 || c->joints == 0 || refuse(c, "nothing shows that the joints can move");
}

// ---- no solution

static bool has_none(checker *c, const value *head) {
  const value *leaf = value_member(head, "leaf"), *tree = value_member(head, "tree");
  if (says(head, "proof", c->dim == 2 ? "mode_tree" : "sector_tree") && tree)
    return node_holds(c, tree, 0);
  if (!says(head, "proof", "kinematic") || !leaf) return refuse(c, "there is no known proof");
  if (!leaf_holds(c, leaf)) return false;
  for (int k = 0; k < c->size; k++)
    if (k < c->dofs ? mpq_sgn(c->x[k]) : k >= c->first && mpq_sgn(c->y[k]))
      return refuse(c, "a kinematic proof uses forces");
  return true;
}

// ---- all solutions in 2D

static bool component_holds(checker *c, const value *part, int k) {
  const value *sets = value_member(part, "sets"), *tree = value_member(part, "tree");
  int count = 0;
  for (const value *set = sets ? sets->first : NULL; set; set = set->next, count++)
    if (!solution_holds(c, set, k)) return false;
  return tree && node_holds(c, tree, count);
}

static bool enumeration_holds(checker *c, const value *list) {
  int k = 1;
  memset(c->owner, 0, (size_t)c->contacts * sizeof *c->owner);
  for (const value *part = list->first; part; part = part->next, k++)
    if (!claim(c, value_member(part, "contacts"), k)) return false;
  if (c->dim != 2) return refuse(c, "solutions are enumerated in 2D only");
  if (!parts_are_whole(c)) return false;
  k = 1;
  for (const value *part = list->first; part; part = part->next, k++)
    if (!component_holds(c, part, k)) return false;
  return true;
}

// ---- all of it

static bool certificate_holds(checker *c, const value *head, const char *text,
                              const stc_problem *problem) {
  const value *all = value_member(head, "enumeration");
  int version;
  if (!says(head, "format", "stiction-certificate") ||
      !value_integer(value_member(head, "version"), 1, 1, &version))
    return refuse(c, "this is no certificate of version 1");
  if (!seal_holds(c, head, text) || !names_problem(c, head, problem)) return false;
  c->result->undecided = says(head, "verdict", "undecided");
  if (c->result->undecided) return refuse(c, "the certificate proves nothing: undecided");
  bool yes = says(head, "verdict", "exists"), no = says(head, "verdict", "no_solution");
  if (!yes && !no) return refuse(c, "the verdict is unknown");
  if (!(yes ? exists(c, head) : has_none(c, head)) || !margin_holds(c, head)) return false;
  return !all || no || enumeration_holds(c, all);
}

check_result check_certificate(const stc_problem *problem, const char *text, size_t size) {
  check_result result = {.valid = false};
  checker c = {.dim = stc_problem_dim(problem),
               .contacts = stc_problem_contacts(problem),
               .dofs = stc_problem_dofs(problem),
               .joints = stc_problem_equalities(problem),
               .result = &result};
  c.first = c.dofs + c.joints;
  c.size = c.first + c.dim * c.contacts;
  value *head = value_read(text, size);
  if (!head || c.dim > 3) {
    refuse(&c, head ? "laws with spin or rolling have no certificates" : "this is not JSON");
  } else {
    mpq_init(c.margin);
    checker_load(&c, problem);
    result.valid = certificate_holds(&c, head, text, problem);
    copy(result.verdict, sizeof result.verdict, value_member(head, "verdict"));
    copy(result.proof, sizeof result.proof, value_member(head, "proof"));
    mpq_clear(c.margin);
  }
  exact_forget(-1);
  free(head);
  return result;
}
