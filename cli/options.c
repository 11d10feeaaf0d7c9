// Options by table: --name value, --name=value, -x value, -xvalue, flags in a row; options and
// words in any order; -- ends the options. A misspelt name is answered with the nearest one.
#include <ctype.h>
#include <errno.h>
#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "cli.h"

// ---- names

enum { MAX_NAME = 64 };  // letters of an option or a key

#define REFUSE(...) (cli_misuse(__VA_ARGS__), false)

// A list of the command line as the library asks for it.
static const char *item_name(const void *user, int k) { return (*(const cli_name_fn *)user)(k); }

bool cli_known(const char *what, const char *word, cli_name_fn name) {
  char all[1000] = "";  // what does not fit is left out
  size_t used = 0;
  for (int k = 0; name(k); k++) {
    if (!strcmp(word, name(k))) return true;
    int n = snprintf(all + used, sizeof all - used, "%s%s", k ? ", " : "", name(k));
    used += n >= 0 && (size_t)n < sizeof all - used ? (size_t)n : 0;
  }
  const char *nearest = stc_nearest_name(word, item_name, &name);
  if (nearest)
    cli_complain("there is no %s '%s'; did you mean '%s'?", what, word, nearest);
  else
    cli_complain("there is no %s '%s'; known are: %s", what, word, all);
  return false;
}

// ---- numbers

// The whole text is one finite number within the range of the option.
static bool read_real(const char *text, double *value) {
  char *end;
  if (isspace((unsigned char)*text)) return false;
  *value = strtod(text, &end);
  return end != text && *end == 0 && isfinite(*value);
}

static bool read_long(const char *text, long *value) {
  char *end;
  errno = 0;
  *value = strtol(text, &end, 10);
  return !isspace((unsigned char)*text) && end != text && *end == 0 && errno == 0;
}

static bool in_range(const cli_option *option, double value) {
  return value >= option->least && value <= option->greatest;
}

// ---- the parser

typedef struct parser {
  const cli_command *command;
  void *job;
  cli_args *args;  // the begin of the job
  bool help;
  int argc;
  char **argv;
  int next;  // argument to read next
} parser;

#define JOB cli_args
const cli_option cli_common[CLI_COMMON] = {
    OPTION_FLAG(0, "json", "one JSON object on stdout", json),
    OPTION_FLAG('q', "quiet", "no text, only the exit status", quiet),
    OPTION_FLAG('v', "verbose", "say more, on stderr", verbose),
    {'h', "help", NULL, "this text", CLI_FLAG, 0, 0, 0, NULL}};

static const cli_option *option_at(const parser *p, int k) {
  int own = p->command->option_count;
  if (k < own) return &p->command->options[k];
  return k < own + CLI_COMMON ? &cli_common[k - own] : NULL;
}

static void *field_of(const parser *p, const cli_option *option) {
  return (char *)p->job + option->offset;
}

static const char *option_name(const void *user, int k) {
  const cli_option *option = option_at(user, k);
  return option ? option->name : NULL;
}

static const char *setting_name(int k) {
  stc_setting field;
  return stc_settings_field(k, &field) ? field.name : NULL;
}

static bool set_field(const parser *p, const cli_option *option, const char *key,
                      const char *text) {
  if (stc_settings_set(field_of(p, option), key, text) == STC_OK) return true;
  return REFUSE(p->args, "option --%s: %s", option->name, stc_error_detail());
}

static bool remember_set(const parser *p, const char *text) {
  char *set = p->args->set;
  size_t used = strlen(set), free_bytes = sizeof p->args->set - used;
  int n = snprintf(set + used, free_bytes, " %s", text);
  if (n >= 0 && (size_t)n < free_bytes) return true;
  return REFUSE(p->args, "more is set with --set than the %d characters there is room for",
                CLI_MAX_SET - 1);
}

// --set key=value
static bool assign(const parser *p, const cli_option *option, const char *text) {
  const char *equals = strchr(text, '=');
  char key[MAX_NAME + 1];
  if (!equals || equals == text || equals - text > MAX_NAME)
    return REFUSE(p->args, "option --set needs key=value, not '%s'", text);
  memcpy(key, text, (size_t)(equals - text));
  key[equals - text] = 0;
  return cli_known("setting", key, setting_name) && set_field(p, option, key, equals + 1) &&
         remember_set(p, text);
}

static bool append_item(const parser *p, const cli_option *option, const char *text) {
  cli_list *list = field_of(p, option);
  if (list->count == CLI_MAX_LIST)
    return REFUSE(p->args, "option --%s is given more than %d times", option->name, CLI_MAX_LIST);
  list->item[list->count++] = text;
  return true;
}

static bool store_number(const parser *p, const cli_option *option, const char *text) {
  void *field = field_of(p, option);
  long number = 0;
  if (option->kind == CLI_SEED)
    return (isdigit((unsigned char)*text) && read_long(text, field)) ||
           REFUSE(p->args, "option --%s needs an integer >= 0, not '%s'", option->name, text);
  bool whole = option->kind == CLI_INT;
  bool good = whole ? read_long(text, &number) && in_range(option, (double)number)
                    : read_real(text, field) && in_range(option, *(double *)field);
  if (good && whole) *(int *)field = (int)number;
  return good || REFUSE(p->args, "option --%s needs %s from %.9g to %.9g, not '%s'", option->name,
                        whole ? "an integer" : "a number", option->least, option->greatest, text);
}

static bool store_value(parser *p, const cli_option *option, const char *text) {
  switch (option->kind) {
  case CLI_FLAG:
    *(bool *)(option == &cli_common[CLI_COMMON - 1] ? &p->help : field_of(p, option)) = true;
    return true;
  case CLI_TEXT:
    *(const char **)field_of(p, option) = text;
    return true;
  case CLI_SETTING:
    return set_field(p, option, option->key, text);
  case CLI_ASSIGN:
    return assign(p, option, text);
  case CLI_LIST:
    return append_item(p, option, text);
  default:
    return store_number(p, option, text);
  }
}

// The option with its argument: `attached` to it, or the next of argv.
static bool take_option(parser *p, const cli_option *option, const char *attached) {
  if (option->kind == CLI_FLAG) {
    if (!attached) return store_value(p, option, NULL);
    return REFUSE(p->args, "option --%s takes no argument", option->name);
  }
  if (attached) return store_value(p, option, attached);
  if (p->next < p->argc) return store_value(p, option, p->argv[p->next++]);
  return REFUSE(p->args, "option --%s needs an argument %s", option->name, option->argument);
}

// --name or --name=value
static bool read_name(parser *p, const char *text) {
  const char *equals = strchr(text, '=');
  char word[MAX_NAME + 1];
  size_t length = equals ? (size_t)(equals - text) : strlen(text);
  if (length > MAX_NAME) length = MAX_NAME;
  memcpy(word, text, length);
  word[length] = 0;
  for (int k = 0; option_at(p, k); k++) {
    if (!strcmp(word, option_at(p, k)->name))
      return take_option(p, option_at(p, k), equals ? equals + 1 : NULL);
  }
  const char *verb = p->command->name, *nearest = stc_nearest_name(word, option_name, p);
  return nearest ? REFUSE(p->args, "%s has no option --%s; did you mean --%s?", verb, word, nearest)
                 : REFUSE(p->args, "%s has no option --%s", verb, word);
}

// -x, -xyz (flags), -x value, -xvalue
static bool read_letters(parser *p, const char *text) {
  for (; *text; text++) {
    int k = 0;
    while (option_at(p, k) && option_at(p, k)->letter != *text) k++;
    const cli_option *option = option_at(p, k);
    if (!option) { return REFUSE(p->args, "%s has no option -%c", p->command->name, *text); }
    if (option->kind != CLI_FLAG) return take_option(p, option, text[1] ? text + 1 : NULL);
    take_option(p, option, NULL);
  }
  return true;
}

// Words move to the front of argv, over what has been read.
static bool add_word(parser *p, char *text) {
  cli_args *args = p->args;
  if (args->words >= p->command->most_words)
    return REFUSE(p->args, "%s cannot use the argument '%s'; usage: stiction %s %s",
                  p->command->name, text, p->command->name, p->command->usage);
  args->word[args->words++] = text;
  return true;
}

static bool read_arguments(parser *p) {
  bool options_over = false;
  while (p->next < p->argc) {
    char *text = p->argv[p->next++];
    bool good;
    if (!options_over && !strcmp(text, "--")) {
      options_over = true;
      continue;
    }
    if (options_over || text[0] != '-' || text[1] == 0) {
      good = add_word(p, text);
    } else {
      good = text[1] == '-' ? read_name(p, text + 2) : read_letters(p, text + 1);
    }
    if (!good) return false;
  }
  return true;
}

static void print_option(const cli_option *option) {
  char left[64];
  snprintf(left, sizeof left, "--%s%s%s", option->name, option->argument ? " " : "",
           option->argument ? option->argument : "");
  if (option->letter) {
    printf("  -%c, %-18s %s\n", option->letter, left, option->help);
  } else {
    printf("      %-18s %s\n", left, option->help);
  }
}

static void print_help(const parser *p) {
  const cli_command *command = p->command;
  printf("Usage: stiction %s %s [OPTIONS]\n\n%s\n\nOptions:\n", command->name, command->usage,
         command->description);
  for (int k = 0; option_at(p, k); k++) print_option(option_at(p, k));
  if (command->print_more) command->print_more();
}

bool cli_parse(const cli_command *command, int argc, char **argv, void *job, int *status) {
  parser p = {.command = command, .job = job, .args = job, .argc = argc, .argv = argv, .next = 1};
  *p.args = (cli_args){.command = command, .word = argv + 1};
  *status = CLI_WRONG;
  if (!read_arguments(&p)) return false;
  if (p.help) {
    print_help(&p);
    *status = CLI_DONE;
    return false;
  }
  if (p.args->verbose) cli_say_more();
  if (p.args->quiet && p.args->verbose)
    return REFUSE(p.args, "options -q and -v exclude each other");
  if (p.args->words >= p.command->least_words) return true;
  return REFUSE(p.args, "an argument is missing; usage: stiction %s %s", p.command->name,
                p.command->usage);
}
