// The manual page [mdoc(7)], made of the tables of verbs and options that the help is made of.
#include <ctype.h>
#include <string.h>

#include "cli.h"

static const char head[] =
    ".Dd November 18, 2026\n.Dt STICTION 1\n.Os\n.Sh NAME\n.Nm stiction\n"
    ".Nd solve, judge and simulate contact with dry friction\n.Sh SYNOPSIS\n";

static const char about[] =
    ".Nm\n.Fl -help | -version | -manual\n.Sh DESCRIPTION\n.Nm\n"
    "reads discrete Coulomb friction problems from FCLIB files (HDF5), solves them, and judges\n"
    "answers, whoever computed them; and simulates scenes written in Lua.\n"
    "A problem is in the global form, with the masses, forces and velocities of bodies, or in\n"
    "the local form, with the reactions and relative velocities of contacts only; both in two\n"
    "or three dimensions.\n"
    "Results go to standard output, diagnostics to standard error.\n"
    ".Ss Options of every verb\n"
    "Options may stand before or after the other arguments of a verb.\n"
    "A long option takes its argument as\n.Fl -name Ar value\nor\n"
    ".Fl -name Ns = Ns Ar value .\n.Fl -\nends the options.\n"
    "A call with\n.Fl -json\n"
    "that fails writes an object with the one member\n.Ql error .\n"
    "Numbers that are not finite are null.\n";

static const char tail[] =
    ".Sh ENVIRONMENT\n.Bl -tag -width Ds\n"
    ".It Ev NO_COLOR\nIf set and not empty, text has no colour.\n"
    "Text that does not go to a terminal has none in any case.\n"
    ".It Ev TERM\nIf\n.Ql dumb\nor not set, text has no colour.\n"
    ".It Ev STICTION_SCENES\nThe directory of the scenes.\n.El\n"
    ".Sh FILES\nProblem files follow the FCLIB layout in HDF5: a group\n.Pa fclib_local\nor\n"
    ".Pa fclib_global\nwith the matrices and vectors, and optionally\n"
    ".Pa solution ,\n.Pa guesses\nand\n.Pa info .\n"
    "A file is written under another name first and then renamed, so that what was there is\n"
    "kept if writing fails.\n"
    ".Sh EXIT STATUS\n.Bl -tag -width Ds\n"
    ".It 0\nSolved, to the tolerance at least, or done.\n"
    ".It 1\nWrong usage, or a file that cannot be read or written.\n"
    ".It 2\nNot converged: a limit was reached, the method cannot improve its answer, or it was\n"
    "interrupted; for\n.Cm verify ,\nthe stored solution is not within the tolerance; for\n"
    ".Cm bench ,\nit was interrupted.\n"
    ".It 3\nProved to have no solution.\n"
    ".It 4\nUndecided:\n.Cm certify\n"
    "found neither a proof that a solution exists nor one that there is none; for\n.Cm run ,\n"
    "deformable bodies reached strains or rotations that small strain does not allow.\n.El\n"
    ".Sh EXAMPLES\nMake a wall of bricks, solve it, and judge the answer:\n"
    ".Bd -literal -offset indent\n"
    "stiction generate wall -n 5 -o wall.hdf5\n"
    "stiction solve wall.hdf5 -o solved.hdf5\n"
    "stiction verify solved.hdf5\n.Ed\n.Pp\n"
    "The residual of every iteration of one method, and one number for a script:\n"
    ".Bd -literal -offset indent\n"
    "stiction solve wall.hdf5 --method nsgs -v\n"
    "stiction solve wall.hdf5 --json | jq .eta\n.Ed\n.Pp\n"
    "Prove that a wedge with restitution has no solution, and check the proof:\n"
    ".Bd -literal -offset indent\n"
    "stiction generate wedge -o wedge.hdf5\n"
    "stiction certify wedge.hdf5 -o proof.json\n"
    "stiction certify --check proof.json wedge.hdf5\n.Ed\n.Pp\n"
    "Which method is the fastest on the problems of a directory:\n.Pp\n"
    ".Dl stiction bench problems -o out.csv --profile profile.svg\n"
    ".Sh SEE ALSO\nThe documentation that is installed with the program: cli.md has the members "
    "of\n"
    "JSON objects, bench.md the columns of a table, scenes.md the format of scenes.\n.Pp\n"
    ".Lk https://frictionalcontactlibrary.github.io \"The FCLIB collection of problems\"\n";

static void put_option(const cli_option *option, bool letter) {
  if (letter)
    printf("Fl %c", option->letter);
  else
    printf("Fl -%s", option->name);
  if (option->argument) printf(" Ar %s", option->argument);
}

// FILE [SOLUTION_FILE] -o OUT: options have their own place.
static void put_synopsis(const cli_command *command) {
  printf(".Nm\n.Cm %s\n", command->name);
  for (const char *at = command->usage; *at && *at != '-';) {
    int length = (int)strcspn(at, " ");
    bool may = at[0] == '[', upper = isupper((unsigned char)at[may]);
    printf(".%s%s %.*s\n", may ? "Op " : "", upper ? "Ar" : "Cm", length - 2 * may, at + may);
    at += length + (at[length] == ' ');
  }
  for (int k = 0; k < command->option_count; k++) {
    printf(".Op ");
    put_option(&command->options[k], command->options[k].letter);
    putchar('\n');
  }
}

static void put_options(const cli_option *options, int count) {
  if (count > 0) printf(".Bl -tag -width Ds\n");
  for (int k = 0; k < count; k++) {
    printf(".It ");
    if (options[k].letter) put_option(&options[k], true);
    if (options[k].letter) printf(" , ");
    put_option(&options[k], false);
    printf("\n%s.\n", options[k].help);
  }
  if (count > 0) printf(".El\n");
}

void cli_print_manual(void) {
  fputs(head, stdout);
  for (int k = 0; cli_verb(k); k++) put_synopsis(cli_verb(k));
  fputs(about, stdout);
  put_options(cli_common, CLI_COMMON);
  for (int k = 0; cli_verb(k); k++) {
    const cli_command *command = cli_verb(k);
    printf(".Ss %s\n", command->name);
    // Text of the help: a sentence begins a line, and no line begins like a macro.
    const char *text = command->description;
    bool begins = true;
    for (const char *c = text; *c; c++) {
      bool ends = *c == ' ' && c > text && strchr(".:", c[-1]) && isupper((unsigned char)c[1]);
      if (begins && strchr("'.", *c)) fputs("\\&", stdout);
      putchar(ends ? '\n' : *c);
      begins = ends || *c == '\n';
    }
    putchar('\n');
    put_options(command->options, command->option_count);
    if (!command->print_more) continue;
    printf(".Bd -literal");
    command->print_more();
    printf(".Ed\n");
  }
  fputs(tail, stdout);
}
