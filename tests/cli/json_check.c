// A strict reader of JSON [RFC 8259] for the tests of the command line.
//   json_check FILE             exit 0 if FILE is exactly one JSON object, else 1 and a sentence
//   json_check FILE KEY...      also prints the value of each KEY of the object, one per line, as
//   it
//                               stands in the file; exit 1 if a key is missing
// It refuses what lenient readers let pass: NaN, trailing commas, leading zeros, raw control
// characters, bytes that are not UTF-8, the same name twice in an object.
#include <ctype.h>
#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_DEPTH = 100, MAX_MEMBERS = 1000 };

typedef struct span {
  const char *begin, *end;
} span;

typedef struct reader {
  const char *text, *at;
  int depth;
  jmp_buf bad;
  int members;  // of the outermost object
  span name[MAX_MEMBERS], value[MAX_MEMBERS];
} reader;

_Noreturn static void refuse(reader *r, const char *why) {
  fprintf(stderr, "json_check: at byte %ld: %s\n", (long)(r->at - r->text), why);
  longjmp(r->bad, 1);
}

static void skip_space(reader *r) {
  while (*r->at && strchr(" \t\n\r", *r->at)) r->at++;
}

static void expect(reader *r, char c) {
  if (*r->at != c) refuse(r, "another character was expected");
  r->at++;
}

static int digits(reader *r) {
  int count = 0;
  for (; isdigit((unsigned char)*r->at); r->at++) count++;
  if (count == 0) refuse(r, "a digit was expected");
  return count;
}

static void read_number(reader *r) {
  if (*r->at == '-') r->at++;
  const char *first = r->at;
  if (digits(r) > 1 && *first == '0') refuse(r, "a number begins with 0");
  if (*r->at == '.') {
    r->at++;
    digits(r);
  }
  if (*r->at == 'e' || *r->at == 'E') {
    r->at++;
    if (*r->at == '+' || *r->at == '-') r->at++;
    digits(r);
  }
}

static void escape(reader *r) {
  r->at++;
  if (*r->at == 'u') {
    for (int k = 1; k <= 4; k++) {
      if (!isxdigit((unsigned char)r->at[k])) refuse(r, "\\u needs four hexadecimal digits");
    }
    r->at += 5;
    return;
  }
  if (!*r->at || !strchr("\"\\/bfnrt", *r->at)) refuse(r, "unknown escape");
  r->at++;
}

// One character of more than one byte: decoded, then checked for range and shortest form.
static void wide(reader *r) {
  const unsigned char *s = (const unsigned char *)r->at;
  int length = s[0] >= 0xF0 ? 4 : s[0] >= 0xE0 ? 3 : 2;
  static const unsigned long least[] = {0, 0, 0x80, 0x800, 0x10000};
  if (s[0] < 0xC0 || s[0] > 0xF7) refuse(r, "not UTF-8");
  unsigned long code = s[0] & (0xFFu >> (length + 1));
  for (int k = 1; k < length; k++) {
    if ((s[k] & 0xC0) != 0x80) refuse(r, "not UTF-8");
    code = code << 6 | (s[k] & 0x3Fu);
  }
  if (code < least[length] || code > 0x10FFFF || (code >= 0xD800 && code <= 0xDFFF)) {
    refuse(r, "not UTF-8");
  }
  r->at += length;
}

static void string(reader *r) {
  expect(r, '"');
  while (*r->at != '"') {
    unsigned char c = (unsigned char)*r->at;
    if (c < 0x20) refuse(r, "a control character or the end inside a string");
    if (c == '\\') {
      escape(r);
    } else if (c >= 0x80) {
      wide(r);
    } else {
      r->at++;
    }
  }
  r->at++;
}

static void value(reader *r);

static void remember(reader *r, span name, span found) {
  size_t length = (size_t)(name.end - name.begin);
  for (int k = 0; k < r->members; k++) {
    size_t other = (size_t)(r->name[k].end - r->name[k].begin);
    if (length == other && !memcmp(name.begin, r->name[k].begin, length)) {
      refuse(r, "the same name twice");
    }
  }
  if (r->members == MAX_MEMBERS) refuse(r, "too many members");
  r->name[r->members] = name;
  r->value[r->members++] = found;
}

static void member(reader *r) {
  span name, found;
  skip_space(r);
  name.begin = r->at;
  string(r);
  name.end = r->at;
  skip_space(r);
  expect(r, ':');
  skip_space(r);
  found.begin = r->at;
  value(r);
  found.end = r->at;
  if (r->depth == 1) remember(r, name, found);
}

// Things between brackets, separated by commas.
static void group(reader *r, char close, void (*item)(reader *)) {
  r->at++;
  if (++r->depth > MAX_DEPTH) refuse(r, "nested too deeply");
  skip_space(r);
  for (int k = 0; *r->at != close; k++) {
    if (k > 0) expect(r, ',');
    item(r);
    skip_space(r);
  }
  r->at++;
  r->depth--;
}

static void word(reader *r, const char *text) {
  if (strncmp(r->at, text, strlen(text)) != 0) refuse(r, "not a JSON value");
  r->at += strlen(text);
}

static void value(reader *r) {
  skip_space(r);
  switch (*r->at) {
  case '{':
    group(r, '}', member);
    break;
  case '[':
    group(r, ']', value);
    break;
  case '"':
    string(r);
    break;
  case 't':
    word(r, "true");
    break;
  case 'f':
    word(r, "false");
    break;
  case 'n':
    word(r, "null");
    break;
  default:
    read_number(r);
  }
}

static int document(reader *r) {
  if (setjmp(r->bad)) return 1;
  skip_space(r);
  if (*r->at != '{') refuse(r, "an object was expected");
  value(r);
  skip_space(r);
  if (*r->at) refuse(r, "something follows the object");
  return 0;
}

static int print_value(const reader *r, const char *key) {
  for (int k = 0; k < r->members; k++) {
    size_t length = (size_t)(r->name[k].end - r->name[k].begin) - 2;  // without its quotes
    if (strlen(key) != length || strncmp(key, r->name[k].begin + 1, length) != 0) continue;
    printf("%.*s\n", (int)(r->value[k].end - r->value[k].begin), r->value[k].begin);
    return 0;
  }
  fprintf(stderr, "json_check: no member '%s'\n", key);
  return 1;
}

static char *read_file(const char *path) {
  FILE *file = fopen(path, "rb");
  if (!file) return NULL;
  size_t used = 0, size = 1 << 16;
  char *text = malloc(size);
  while (text) {
    used += fread(text + used, 1, size - used - 1, file);
    if (used < size - 1) break;
    size *= 2;
    text = realloc(text, size);
  }
  if (text) text[used] = 0;
  fclose(file);
  return text;
}

int main(int argc, char **argv) {
  char *text = argc > 1 ? read_file(argv[1]) : NULL;
  if (!text) {
    fprintf(stderr, "usage: json_check FILE [KEY...]\n");
    return 1;
  }
  static reader r;
  r.text = r.at = text;
  int status = document(&r);
  for (int k = 2; k < argc && status == 0; k++) status = print_value(&r, argv[k]);
  free(text);
  return status;
}
