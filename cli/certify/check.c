// Checks a certificate (docs/certificates.md): its seal, the problem it names, the proof it gives.
#include "check.h"

#include <inttypes.h>
#include <stdio.h>
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

static bool part_holds(checker *c, const value *part, int k, int *rank, bool *bare) {
  static const char *const names[] = {"strict_margin", "weak_2d", "verified_solution"};
  int proof = 0;
  while (proof < 3 && !says(part, "proof", names[proof])) proof++;
  *bare = *bare || proof == 2;
  if (proof > *rank) *rank = proof;
  if (proof < 2) return criterion_holds(c, part, k, proof == 0);
  if (proof == 3) return refuse(c, "part %d has no known proof", k - 1);
  return value_member(part, "x") ? box_holds(c, part, k) : solution_holds(c, part, k);
}
