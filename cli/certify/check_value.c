// JSON [RFC 8259] read by descent; every bracket and comma makes room for one value at most.
#include "check_value.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { DEEPEST = 3000 };  // nested brackets: a thousand branchings, and no stack overflow

typedef struct reader {
  const char *at;
  value *free;  // the next unused value
  int depth;
} reader;

static bool take_letter(reader *r, char c) {
  r->at += strspn(r->at, " \t\r\n");
  return *r->at == c && r->at++;
}

// The text between two quotes; what escapes mean is not looked at.
static bool read_string(reader *r, const char **text, size_t *length) {
  if (!take_letter(r, '"')) return false;
  for (*text = r->at; *r->at != '"'; r->at++)
    if ((unsigned char)*r->at < ' ' || (*r->at == '\\' && !*++r->at)) return false;
  *length = (size_t)(r->at++ - *text);
  return true;
}

static bool read_value(reader *r, value *v) {
  const value **link = &v->first;
  v->kind = take_letter(r, '[') ? '[' : take_letter(r, '{') ? '{' : *r->at == '"' ? '"' : 'w';
  if (v->kind == '"') return read_string(r, &v->text, &v->length);
  v->text = r->at;
  v->length = v->kind == 'w' ? strspn(r->at, "+-.0123456789Eaeflnrstu") : 0;
  r->at += v->length;
  if (v->kind == 'w') return v->length > 0;
  char close = v->kind == '[' ? ']' : '}';
  if (take_letter(r, close)) return true;
  if (++r->depth > DEEPEST) return false;
  do {
    value *item = r->free++;
    *link = item, link = &item->next;
    if (close == '}' && !(read_string(r, &item->name, &item->name_length) && take_letter(r, ':')))
      return false;
    if (!read_value(r, item)) return false;
  } while (take_letter(r, ','));
  r->depth--;
  return take_letter(r, close);
}

void *must(void *memory) {
  if (memory) return memory;
  fputs("stiction: out of memory for a certificate\n", stderr);
  exit(1);
}

value *value_read(const char *text, size_t size) {
  size_t room = 1;
  for (size_t k = 0; k < size; k++) room += text[k] == ',' || text[k] == '[' || text[k] == '{';
  value *values = must(calloc(room, sizeof *values));
  reader r = {.at = text, .free = values + 1};
  if (read_value(&r, values) && take_letter(&r, 0) && r.at == text + size + 1) return values;
  free(values);
  return NULL;
}

const value *member(const value *object, const char *name) {
  const value *v = object && object->kind == '{' ? object->first : NULL;
  while (v && (v->name_length != strlen(name) || memcmp(v->name, name, v->name_length)))
    v = v->next;
  return v;
}

bool value_is(const value *v, char kind, const char *text) {
  return v && v->kind == kind && v->length == strlen(text) && !memcmp(v->text, text, v->length);
}

bool value_integer(const value *v, int least, int most, int *out) {
  char digits[12] = "", *end;
  if (!v || v->kind != 'w' || v->length >= sizeof digits) return false;
  memcpy(digits, v->text, v->length);
  long number = strtol(digits, &end, 10);
  *out = (int)number;
  return *end == 0 && number >= least && number <= most;
}
