// JSON [RFC 8259]: one object, UTF-8, numbers that read back to the same double.
#include <ctype.h>
#include <math.h>
#include <stdarg.h>
#include <string.h>

#include "cli.h"

enum { INDENT = 2 };

static void newline(const cli_json *json) { fprintf(json->out, "\n%*s", INDENT * json->depth, ""); }

// ---- members that are remembered

// Where it is to be remembered; NULL: not at all.
static cli_member *remember_member(cli_json *json, const char *name) {
  bool inside = json->depth == 1 || (json->depth == 2 && json->object);
  if (!name || !inside || json->members == CLI_MEMBERS) return NULL;
  cli_member *m = &json->member[json->members++];
  *m = (cli_member){.object = json->depth == 2 ? json->object : NULL, .name = name};
  return m;
}

static void remember_number(cli_json *json, const char *name, double value, bool whole) {
  cli_member *m = remember_member(json, name);
  if (m) m->number = value, m->whole = whole;
}

static void remember_text(cli_json *json, const char *name, const char *text) {
  size_t length = strlen(text) + 1, left = CLI_MEMBER_ROOM - json->used;
  cli_member *m = length <= left ? remember_member(json, name) : NULL;
  if (!m) return;
  m->text = json->room + json->used;
  memcpy(json->room + json->used, text, length);
  json->used += length;
}

void cli_json_note(cli_json *json, const char *name, const char *format, ...) {
  char text[2000];
  va_list args;
  va_start(args, format);
  vsnprintf(text, sizeof text, format, args);
  va_end(args);
  remember_text(json, name, text);
}

// ---- what is written

// Length of the UTF-8 sequence at s, 0 if it is not one [RFC 3629]: no overlong forms, no
// surrogates, nothing above U+10FFFF.
static int sequence_length(const unsigned char *s) {
  if (s[0] < 0x80) return 1;
  if (s[0] < 0xC2 || s[0] > 0xF4) return 0;
  int length = s[0] < 0xE0 ? 2 : s[0] < 0xF0 ? 3 : 4;
  unsigned char least = s[0] == 0xE0 ? 0xA0 : s[0] == 0xF0 ? 0x90 : 0x80;
  unsigned char greatest = s[0] == 0xED ? 0x9F : s[0] == 0xF4 ? 0x8F : 0xBF;
  if (s[1] < least || s[1] > greatest) return 0;
  for (int k = 2; k < length; k++)
    if ((s[k] & 0xC0) != 0x80) return 0;
  return length;
}

static void put_ascii(FILE *out, unsigned char c) {
  static const char plain[] = "\"\\\b\f\n\r\t";
  static const char escaped[] = "\"\\bfnrt";
  const char *found = c ? strchr(plain, c) : NULL;
  if (found) {
    fprintf(out, "\\%c", escaped[found - plain]);
  } else if (c < 0x20 || c == 0x7F) {
    fprintf(out, "\\u%04x", c);
  } else {
    fputc(c, out);
  }
}

static void put_string(FILE *out, const char *text) {
  const unsigned char *s = (const unsigned char *)text;
  fputc('"', out);
  while (*s) {
    int length = sequence_length(s);
    if (length == 0) fputs("\\ufffd", out);
    if (length == 1) put_ascii(out, *s);
    if (length > 1) fwrite(s, 1, (size_t)length, out);
    s += length ? length : 1;
  }
  fputc('"', out);
}

// What stands before a value: the comma, the line, the name.
static bool member(cli_json *json, const char *name) {
  if (!json->out) return false;
  if (!json->empty) fputc(',', json->out);
  json->empty = false;
  newline(json);
  if (!name) return true;
  put_string(json->out, name);
  fputs(": ", json->out);
  return true;
}

cli_json cli_json_begin(FILE *out) {
  if (out) fputc('{', out);
  return (cli_json){.out = out, .depth = 1, .empty = true};
}

void cli_json_end(cli_json *json) {
  cli_json_close(json, '}');
  if (json->out) fputc('\n', json->out);
}

void cli_json_open(cli_json *json, const char *name, char bracket) {
  if (member(json, name)) fputc(bracket, json->out);
  if (++json->depth == 2) json->object = bracket == '{' ? name : NULL;
  json->empty = true;
}

void cli_json_close(cli_json *json, char bracket) {
  json->depth--;
  if (json->out && !json->empty) newline(json);
  if (json->out) fputc(bracket, json->out);
  json->empty = false;
}

void cli_json_text(cli_json *json, const char *name, const char *text) {
  if (text && *text) {
    // Text may come from a file: what could steer a terminal is a blank.
    char *from = json->room + json->used;
    remember_text(json, name, text);
    for (; from < json->room + json->used; from++)
      if (*from && iscntrl((unsigned char)*from)) *from = ' ';
  }
  if (!member(json, name)) return;
  if (text)
    put_string(json->out, text);
  else
    fputs("null", json->out);
}

void cli_json_real(cli_json *json, const char *name, double value) {
  if (isfinite(value)) remember_number(json, name, value, false);
  if (!member(json, name)) return;
  if (isfinite(value))
    fprintf(json->out, "%.17g", value);
  else
    fputs("null", json->out);
}

void cli_json_int(cli_json *json, const char *name, long value) {
  if (value >= 0) remember_number(json, name, (double)value, true);
  if (member(json, name)) fprintf(json->out, "%ld", value);
}

void cli_json_maybe(cli_json *json, const char *name, bool known, bool value) {
  if (member(json, name)) fputs(!known ? "null" : value ? "true" : "false", json->out);
}

void cli_json_bool(cli_json *json, const char *name, bool value) {
  cli_json_maybe(json, name, true, value);
}

void cli_json_fields(cli_json *json, const cli_field *field, size_t count, const void *object) {
  for (size_t k = 0; k < count; k++) {
    const void *at = (const char *)object + field[k].offset;
    if (field[k].kind == CLI_FIELD_INT) cli_json_int(json, field[k].name, *(const int *)at);
    if (field[k].kind == CLI_FIELD_LONG) cli_json_int(json, field[k].name, *(const long *)at);
    if (field[k].kind == CLI_FIELD_REAL) cli_json_real(json, field[k].name, *(const double *)at);
    if (field[k].kind == CLI_FIELD_BOOL) cli_json_bool(json, field[k].name, *(const bool *)at);
  }
}

void cli_json_reals(cli_json *json, const char *name, const double *value, int count) {
  cli_json_open(json, name, '[');
  for (int k = 0; k < count; k++) cli_json_real(json, NULL, value[k]);
  cli_json_close(json, ']');
}

void cli_json_observed(cli_json *json, const char *name, const stc_observed *observed) {
  if (observed->kind == STC_OBSERVED_NUMBER) cli_json_real(json, name, observed->number);
  if (observed->kind == STC_OBSERVED_TEXT) cli_json_text(json, name, observed->text);
  if (observed->kind == STC_OBSERVED_LIST)
    cli_json_reals(json, name, observed->list, observed->count);
}
