// Lines of text made of the members of a JSON object: a report is written once.
#include <string.h>

#include "cli.h"

enum { LINE = 6000, MAX_FORMAT = 16 };

// The member "name" or "object.name" of `length` letters; NULL: it is not known.
static const cli_member *find_member(const cli_json *json, const char *name, size_t length) {
  for (int k = 0; k < json->members; k++) {
    const cli_member *m = &json->member[k];
    size_t front = m->object ? strlen(m->object) + 1 : 0;
    if (front && (strncmp(name, m->object, front - 1) != 0 || name[front - 1] != '.')) continue;
    if (length == front + strlen(m->name) && !strncmp(name + front, m->name, length - front))
      return m;
  }
  return NULL;
}

// "name", "name|%.3e", "name|s": with a format, the ending of its plural.
static bool put_one(const cli_json *json, const char *spec, size_t length, char *to, size_t room,
                    size_t *at) {
  const char *bar = memchr(spec, '|', length);
  char format[MAX_FORMAT] = "%.10g";
  const cli_member *m = find_member(json, spec, bar ? (size_t)(bar - spec) : length);
  if (!m) return false;
  if (bar && bar[1] == 's') {
    *at += (size_t)snprintf(to, room, "%s", m->number == 1 ? "" : "s");
  } else if (m->text) {
    *at += (size_t)snprintf(to, room, "%s", m->text);
  } else {
    if (bar) snprintf(format, sizeof format, "%.*s", (int)(spec + length - bar - 1), bar + 1);
    *at += (size_t)snprintf(to, room, m->whole ? "%.0f" : format, m->number);
  }
  return *at < LINE;
}

static bool fill_words(const cli_json *json, const char *words, char text[LINE]) {
  size_t at = 0;
  for (const char *c = words; *c && at + 1 < LINE; c++) {
    if (*c != '{') {
      text[at++] = *c;
      continue;
    }
    size_t length = strcspn(c + 1, "}");
    if (!put_one(json, c + 1, length, text + at, LINE - at, &at)) return false;
    c += length + 1;
  }
  text[at] = 0;
  return true;
}

void cli_print_lines(const cli_json *json, const cli_line *line, size_t count) {
  char text[LINE];
  for (size_t k = 0; k < count; k++)
    if (fill_words(json, line[k].words, text)) printf("%-15s %s\n", line[k].label, text);
}
