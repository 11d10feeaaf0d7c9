// JSON [RFC 8259]: one object, UTF-8, numbers that read back to the same double.
#include <math.h>
#include <string.h>

#include "cli.h"

enum { INDENT = 2 };

static void newline(const cli_json *json) { fprintf(json->out, "\n%*s", INDENT * json->depth, ""); }

// Length of the UTF-8 sequence at s, 0 if it is not one [RFC 3629]: no overlong forms, no
// surrogates, nothing above U+10FFFF.
static int sequence_length(const unsigned char *s) {
  if (s[0] < 0x80) return 1;
  if (s[0] < 0xC2 || s[0] > 0xF4) return 0;
  int length = s[0] < 0xE0 ? 2 : s[0] < 0xF0 ? 3 : 4;
  unsigned char least = s[0] == 0xE0 ? 0xA0 : s[0] == 0xF0 ? 0x90 : 0x80;
  unsigned char greatest = s[0] == 0xED ? 0x9F : s[0] == 0xF4 ? 0x8F : 0xBF;
  if (s[1] < least || s[1] > greatest) return 0;
  for (int k = 2; k < length; k++) {
    if ((s[k] & 0xC0) != 0x80) return 0;
  }
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
static void member(cli_json *json, const char *name) {
  if (!json->empty) fputc(',', json->out);
  json->empty = false;
  newline(json);
  if (!name) return;
  put_string(json->out, name);
  fputs(": ", json->out);
}

cli_json cli_json_begin(FILE *out) {
  fputc('{', out);
  return (cli_json){.out = out, .depth = 1, .empty = true};
}

void cli_json_end(cli_json *json) {
  cli_json_close(json, '}');
  fputc('\n', json->out);
}

void cli_json_open(cli_json *json, const char *name, char bracket) {
  member(json, name);
  fputc(bracket, json->out);
  json->depth++;
  json->empty = true;
}

void cli_json_close(cli_json *json, char bracket) {
  json->depth--;
  if (!json->empty) newline(json);
  fputc(bracket, json->out);
  json->empty = false;
}

void cli_json_text(cli_json *json, const char *name, const char *text) {
  member(json, name);
  if (text) {
    put_string(json->out, text);
  } else {
    fputs("null", json->out);
  }
}

void cli_json_real(cli_json *json, const char *name, double value) {
  member(json, name);
  if (isfinite(value)) {
    fprintf(json->out, "%.17g", value);
  } else {
    fputs("null", json->out);
  }
}

void cli_json_int(cli_json *json, const char *name, long value) {
  member(json, name);
  fprintf(json->out, "%ld", value);
}

void cli_json_bool(cli_json *json, const char *name, bool value) {
  member(json, name);
  fputs(value ? "true" : "false", json->out);
}

void cli_json_observed(cli_json *json, const char *name, const stc_observed *observed) {
  if (observed->kind == STC_OBSERVED_NUMBER) cli_json_real(json, name, observed->number);
  if (observed->kind == STC_OBSERVED_TEXT) cli_json_text(json, name, observed->text);
  if (observed->kind != STC_OBSERVED_LIST) return;
  cli_json_open(json, name, '[');
  for (int k = 0; k < observed->count; k++) cli_json_real(json, NULL, observed->list[k]);
  cli_json_close(json, ']');
}
