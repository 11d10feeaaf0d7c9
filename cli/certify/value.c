// JSON [RFC 8259] read by descent; every bracket and comma makes room for one value at most.
#include "value.h"

#include <stdlib.h>
#include <string.h>

enum { DEEPEST = 3000 };  // nested brackets: a thousand branchings, and no stack overflow

typedef struct reader {
  const char *at, *end;
  value *free;  // the next unused value
  int depth;
} reader;

static void skip_blanks(reader *r) {
  while (r->at < r->end && strchr(" \t\r\n", *r->at) && *r->at) r->at++;
}

static bool take(reader *r, char c) {
  skip_blanks(r);
  if (r->at == r->end || *r->at != c) return false;
  r->at++;
  return true;
}

// The text between two quotes; what escapes mean is not looked at.
static bool read_string(reader *r, const char **text, size_t *length) {
  if (!take(r, '"')) return false;
  *text = r->at;
  for (; r->at < r->end && *r->at != '"'; r->at++) {
    if ((unsigned char)*r->at < ' ') return false;
    if (*r->at == '\\' && ++r->at == r->end) return false;
  }
  *length = (size_t)(r->at - *text);
  return take(r, '"');
}

static bool read_word(reader *r, value *v) {
  v->text = r->at;
  while (r->at < r->end && *r->at && strchr("+-.0123456789Eaeflnrstu", *r->at)) r->at++;
  v->length = (size_t)(r->at - v->text);
  return v->length > 0;
}

static bool read_value(reader *r, value *v);

// The elements or members up to the closing bracket.
static bool read_list(reader *r, value *v, char close) {
  value **link = &v->first;
  if (take(r, close)) return true;
  do {
    value *item = *link = r->free++;
    link = &item->next;
    if (close == '}' && !(read_string(r, &item->name, &item->name_length) && take(r, ':')))
      return false;
    if (!read_value(r, item)) return false;
  } while (take(r, ','));
  return take(r, close);
}

static bool read_value(reader *r, value *v) {
  bool array = take(r, '['), object = !array && take(r, '{');
  if (array || object) {
    v->kind = array ? VALUE_ARRAY : VALUE_OBJECT;
    if (r->depth++ == DEEPEST || !read_list(r, v, array ? ']' : '}')) return false;
    r->depth--;
    return true;
  }
  v->kind = r->at < r->end && *r->at == '"' ? VALUE_STRING : VALUE_WORD;
  return v->kind == VALUE_STRING ? read_string(r, &v->text, &v->length) : read_word(r, v);
}

value *value_read(const char *text, size_t size) {
  size_t room = 1;
  for (size_t k = 0; k < size; k++) room += text[k] == ',' || text[k] == '[' || text[k] == '{';
  value *values = calloc(room, sizeof *values);
  reader r = {.at = text, .end = text + size, .free = values + 1};
  bool whole = values && read_value(&r, values);
  skip_blanks(&r);
  if (whole && r.at == r.end) return values;
  free(values);
  return NULL;
}

const value *value_member(const value *object, const char *name) {
  const value *v = object && object->kind == VALUE_OBJECT ? object->first : NULL;
  while (v && (v->name_length != strlen(name) || memcmp(v->name, name, v->name_length)))
    v = v->next;
  return v;
}

bool value_is(const value *v, value_kind kind, const char *text) {
  return v && v->kind == kind && v->length == strlen(text) && !memcmp(v->text, text, v->length);
}

bool value_integer(const value *v, int least, int most, int *out) {
  char digits[12] = "", *end;
  if (!v || v->kind != VALUE_WORD || v->length >= sizeof digits) return false;
  memcpy(digits, v->text, v->length);
  long number = strtol(digits, &end, 10);
  *out = (int)number;
  return *end == 0 && number >= least && number <= most;
}
