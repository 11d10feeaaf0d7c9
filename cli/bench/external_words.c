// --external 'NAME=COMMAND': a solver that is not a part of this program. The command is taken
// apart into words here, and no shell sees it: blanks separate words, '...' and "..." hold them
// together, \ takes the next character as it is. {in}, {out}, {tol} and {limit} stand for what a
// run has.
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "bench.h"

enum { MOST_NAME = 14 };  // characters: the column of the summary

static const char *const usage =
    "it is 'NAME=COMMAND', with {in} for the problem and {out} for the answer";

// ---- words

// The word at *text, unquoted into `to`, which has room for all of *text; false: a quote is open.
static bool take_word(const char **text, char **to) {
  const char *from = *text;
  char quote = 0;
  for (; *from && (quote || !isspace((unsigned char)*from)); from++) {
    bool opens = !quote && (*from == '\'' || *from == '"');
    if (opens || (quote && *from == quote)) {
      quote = opens ? *from : 0;
    } else {
      if (*from == '\\' && quote != '\'' && from[1]) from++;
      *(*to)++ = *from;
    }
  }
  *(*to)++ = 0;
  *text = from;
  return quote == 0;
}

static void skip_blanks(const char **text) {
  while (isspace((unsigned char)**text)) (*text)++;
}

// Words and their text are two blocks: no text has more words than characters.
static int split_command(const char *text, bench_external *e) {
  e->text = malloc(2 * strlen(text) + 2);
  e->word = calloc(strlen(text) / 2 + 2, sizeof *e->word);
  if (!e->text || !e->word) return cli_complain("out of memory for a command");
  char *to = e->text;
  for (skip_blanks(&text); *text; skip_blanks(&text)) {
    e->word[e->words++] = to;
    if (!take_word(&text, &to))
      return cli_complain("external %s: a quote in its command is not closed", e->name);
  }
  return CLI_DONE;
}

// ---- names

static bool is_name(const char *text, size_t length) {
  for (size_t k = 0; k < length; k++)
    if (!isalnum((unsigned char)text[k]) && !strchr("-_.+", text[k])) return false;
  return length > 0 && length <= MOST_NAME;
}

static bool is_method(const char *name) {
  for (int k = 0; stc_method_name(k); k++)
    if (!strcmp(stc_method_name(k), name)) return true;
  return !strcmp(name, BENCH_NONE);
}

static bool mentions(const bench_external *e, const char *what) {
  for (int k = 0; k < e->words; k++)
    if (strstr(e->word[k], what)) return true;
  return false;
}

static int read_external(const char *text, bench_external *e) {
  const char *equals = strchr(text, '=');
  size_t length = equals ? (size_t)(equals - text) : 0;
  if (!equals || !is_name(text, length))
    return cli_complain("option --external '%s': %s; a name has 1 to %d letters, digits or - _ . +",
                        text, usage, MOST_NAME);
  snprintf(e->name, sizeof e->name, "%.*s", (int)length, text);
  e->command = equals + 1;
  CLI_TRY(split_command(e->command, e));
  if (!mentions(e, "{in}") || !mentions(e, "{out}"))
    return cli_complain("external %s: %s", e->name, usage);
  return CLI_DONE;
}

int bench_list_externals(const cli_list *list, bench_job *job) {
  if (list->count == 0) return CLI_DONE;
  job->external = calloc((size_t)list->count, sizeof *job->external);
  if (!job->external) return cli_complain("out of memory for %d externals", list->count);
  for (int k = 0; k < list->count; k++) {
    bench_external *e = &job->external[job->externals++];
    CLI_TRY(read_external(list->item[k], e));
    if (is_method(e->name) || bench_names_find(&job->methods, e->name) >= 0)
      return cli_complain("external %s: there is a method of that name; give it another", e->name);
    CLI_TRY(bench_names_add(&job->methods, e->name));
  }
  return CLI_DONE;
}

void bench_externals_drop(bench_job *job) {
  for (int k = 0; k < job->externals; k++) {
    free(job->external[k].text);
    free(job->external[k].word);
  }
  free(job->external);
  job->external = NULL;
  job->externals = 0;
}

// ---- the command of a run

static const char *const keys[] = {"{in}", "{out}", "{tol}", "{limit}"};
enum { KEYS = sizeof keys / sizeof *keys };

// Key that begins at `text`; -1: none does.
static int key_at(const char *text) {
  for (int k = 0; k < KEYS; k++)
    if (!strncmp(text, keys[k], strlen(keys[k]))) return k;
  return -1;
}

static char *fill_word(const char *word, const char *const value[KEYS]) {
  size_t length = strlen(word) + 1;
  for (const char *at = word; *at; at++)
    if (key_at(at) >= 0) length += strlen(value[key_at(at)]);
  char *filled = malloc(length), *to = filled;
  while (filled && *word) {
    int k = key_at(word);
    if (k >= 0) to = stpcpy(to, value[k]);
    if (k < 0) *to++ = *word;
    word += k >= 0 ? strlen(keys[k]) : 1;
  }
  if (filled) *to = 0;
  return filled;
}

char **bench_external_command(const bench_external *e, const char *in, const char *out,
                              const stc_settings *settings) {
  char tol[40], limit[40];
  snprintf(tol, sizeof tol, "%.9g", settings->tol);
  snprintf(limit, sizeof limit, "%.9g", settings->time_limit);
  char **word = calloc((size_t)e->words + 1, sizeof *word);
  for (int k = 0; word && k < e->words; k++)
    word[k] = fill_word(e->word[k], (const char *const[]){in, out, tol, limit});
  return word;
}
