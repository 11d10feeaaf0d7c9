// The command line: stiction VERB [ARGS]. Finds the verb and hands over.
#include <locale.h>
#include <stdlib.h>
#include <string.h>

#include "cli.h"

static const cli_command *const verbs[] = {&cmd_info,    &cmd_solve,    &cmd_verify, &cmd_certify,
                                           &cmd_convert, &cmd_generate, &cmd_bench,  &cmd_run,
                                           &cmd_export,  &cmd_law,      &cmd_list};
enum { VERBS = sizeof verbs / sizeof *verbs };

const cli_command *cli_verb(int k) { return k < VERBS ? verbs[k] : NULL; }

static const char *verb_name(int k) { return k < VERBS ? verbs[k]->name : NULL; }

static int print_help(FILE *out) {
  fputs("Usage: stiction VERB [ARGS] [OPTIONS]\n\n"
        "Mechanics with contact and dry friction: reads, solves and judges discrete Coulomb\n"
        "problems in FCLIB files, and simulates scenes written in Lua.\n\nVerbs:\n",
        out);
  for (int k = 0; k < VERBS; k++) fprintf(out, "  %-10s %s\n", verbs[k]->name, verbs[k]->summary);
  fputs("\n  stiction VERB --help   the arguments and options of a verb\n"
        "  stiction --version     the version\n"
        "  stiction --manual      the manual page\n\n"
        "Exit status: 0 solved or done; 1 wrong usage or file; 2 not converged; 3 proved to have\n"
        "no solution; 4 undecided.\n",
        out);
  return CLI_DONE;
}

static int run_program(int argc, char **argv) {
  const char *word = argc < 2 ? "" : argv[1];
  const cli_command *verb = NULL;
  bool version = !strcmp(word, "--version"), manual = !strcmp(word, "--manual");
  if (argc < 2) print_help(stderr);
  if (argc < 2) return CLI_WRONG;
  if (!strcmp(word, "--help") || !strcmp(word, "-h")) return print_help(stdout);
  if (version) printf("stiction %s\n", stc_version());
  if (manual) cli_print_manual();
  if (version || manual) return CLI_DONE;
  if (word[0] == '-')
    return cli_complain("the verb comes before option '%s': stiction VERB [ARGS] [OPTIONS]", word);
  for (int k = 0; k < VERBS; k++)
    if (!strcmp(word, verbs[k]->name)) verb = verbs[k];
  if (!verb) return cli_known("verb", word, verb_name), CLI_WRONG;
  int status;
  void *job = calloc(1, verb->job_size);
  if (!job) return cli_complain("out of memory");
  if (verb->begin) verb->begin(job);
  if (cli_parse(verb, argc - 1, argv + 1, job, &status)) status = verb->run(job);
  if (verb->end) verb->end(job);
  cli_file_close(&((cli_args *)job)->file);
  free(job);
  return status;
}

static bool asks_for_json(int argc, char **argv) {
  for (int k = 1; k < argc && strcmp(argv[k], "--") != 0; k++)
    if (!strcmp(argv[k], "--json")) return true;
  return false;
}

// Numbers have a decimal point whatever the environment, or a library loaded before, chose.
int main(int argc, char **argv) {
  setlocale(LC_ALL, "C");
  cli_terminal_open();
  if (asks_for_json(argc, argv)) cli_complain_in_json();
  return cli_terminal_close(run_program(argc, argv));
}
