// What the verbs of the command line share: commands, options, messages, JSON, files and reports.
#ifndef STICTION_CLI_H
#define STICTION_CLI_H

#include <stddef.h>
#include <stdio.h>

#include <stiction/stiction.h>

#include "render/output.h"

/// Exit statuses of the program.
enum {
  CLI_DONE = 0,           ///< solved, or done
  CLI_WRONG = 1,          ///< wrong usage, or a file that cannot be read or written
  CLI_NOT_CONVERGED = 2,  ///< an answer within the tolerance was not found
  CLI_NO_SOLUTION = 3,    ///< proved to have no solution
  CLI_UNDECIDED = 4       ///< no proof of either was found
};

// ---- commands and options (options.c)

typedef enum cli_option_kind {
  CLI_FLAG,     ///< field: bool
  CLI_INT,      ///< field: int
  CLI_SEED,     ///< field: long, >= 0
  CLI_REAL,     ///< field: double
  CLI_TEXT,     ///< field: const char *
  CLI_SETTING,  ///< field: stc_settings; sets the field `key` of it
  CLI_ASSIGN,   ///< field: stc_settings; the argument is key=value
  CLI_LIST      ///< field: cli_list; may be given several times
} cli_option_kind;

enum { CLI_MAX_LIST = 100 };

/// Arguments of an option that may be repeated, in their order.
typedef struct cli_list {
  int count;
  const char *item[CLI_MAX_LIST];
} cli_list;

typedef struct cli_option {
  char letter;           ///< 'o', or 0
  const char *name;      ///< "output", without dashes
  const char *argument;  ///< its name in the help: "OUT"; NULL for a flag
  const char *help;
  cli_option_kind kind;
  size_t offset;           ///< of its field in the job
  double least, greatest;  ///< range of CLI_INT and CLI_REAL
  const char *key;         ///< of CLI_SETTING
} cli_option;

/// Ranges without an end.
#define CLI_HUGE 1e300
#define CLI_TINY 1e-300

/// Rows of a table of options; JOB is the type of the job.
#define OPTION(kind, letter, name, argument, help, field, least, greatest, key)                    \
  { letter, name, argument, help, kind, offsetof(JOB, field), least, greatest, key }
#define OPTION_FLAG(letter, name, help, field)                                                     \
  OPTION(CLI_FLAG, letter, name, NULL, help, field, 0, 0, NULL)
#define OPTION_TEXT(letter, name, argument, help, field)                                           \
  OPTION(CLI_TEXT, letter, name, argument, help, field, 0, 0, NULL)
#define OPTION_INT(letter, name, argument, help, field, least, greatest)                           \
  OPTION(CLI_INT, letter, name, argument, help, field, least, greatest, NULL)
#define OPTION_REAL(letter, name, argument, help, field, least, greatest)                          \
  OPTION(CLI_REAL, letter, name, argument, help, field, least, greatest, NULL)
#define OPTION_SETTING(letter, name, argument, help, field, key)                                   \
  OPTION(CLI_SETTING, letter, name, argument, help, field, 0, 0, key)
#define OPTION_ASSIGN(field)                                                                       \
  OPTION(CLI_ASSIGN, 0, "set", "KEY=VALUE", "any setting; see 'stiction list settings'", field, 0, \
         0, NULL)
#define OPTIONS(table) .options = table, .option_count = sizeof table / sizeof *table

/// A verb and all that its help says. A job begins with cli_args; it starts as zeros.
typedef struct cli_command {
  const char *name;   ///< "solve"
  const char *usage;  ///< what follows the name: "FILE"
  int least_words;    ///< arguments that are not options: at least and at most
  int most_words;
  const char *summary;      ///< one line for `stiction --help`
  const char *description;  ///< a paragraph for `stiction solve --help`
  size_t job_size;
  int (*run)(void *job);
  void (*begin)(void *job);   ///< sets the defaults that are not zero; or NULL
  void (*end)(void *job);     ///< frees what the job holds; or NULL
  const cli_option *options;  ///< [option_count]
  int option_count;
  void (*print_more)(void);  ///< ends the help of the verb; or NULL
} cli_command;

/// The verb NAME in five lines; JOB is the type of its job.
#define COMMAND(verb, usage, least, most, summary, description, ...)                               \
  const cli_command cmd_##verb = {#verb,   usage,       least,       most,                         \
                                  summary, description, sizeof(JOB), __VA_ARGS__}

extern const cli_command cmd_info, cmd_solve, cmd_verify, cmd_convert, cmd_generate, cmd_bench,
    cmd_law, cmd_list, cmd_run, cmd_export, cmd_certify;
const cli_command *cli_verb(int k);  ///< NULL past the last

/// Options that every verb has.
enum { CLI_COMMON = 4 };
extern const cli_option cli_common[CLI_COMMON];

void cli_print_manual(void);  ///< manual.c

enum { CLI_REMARK_ROOM = 512 };

/// A problem and what its file holds besides it.
typedef struct cli_file {
  const char *path;
  stc_problem *problem;
  stc_solution solution;  ///< arrays that are not stored are NULL
  stc_solution *guesses;
  int guess_count;
  char bad_solution[CLI_REMARK_ROOM];  ///< why what is stored cannot be used, or ""
  char bad_guesses[CLI_REMARK_ROOM];
} cli_file;

enum { CLI_MAX_SET = 1000 };

/// What every verb understands, and the arguments that are not options. A job begins with it.
typedef struct cli_args {
  bool json, quiet, verbose;
  const cli_command *command;
  int words;
  char **word;            ///< [words], a part of argv
  char set[CLI_MAX_SET];  ///< the arguments of CLI_ASSIGN as typed, a blank before each
  cli_file file;          ///< the problem of the verb, if it opens one; closed at its end
} cli_args;

/// Reads argv[1..] into the fields of the job; reorders argv. False: the verb is over, with exit
/// status *status (help was printed, or a mistake was reported).
bool cli_parse(const cli_command *command, int argc, char **argv, void *job, int *status);

/// Name k of a list; NULL past the last.
typedef const char *(*cli_name_fn)(int k);

/// True if `word` is in the list. Otherwise reports "there is no WHAT 'word'", with the name
/// nearest by spelling, or all of them if none is near.
bool cli_known(const char *what, const char *word, cli_name_fn name);

// ---- terminal (terminal.c)

/// From now on complaints are also written as a JSON object {"error": ...} on stdout.
void cli_complain_in_json(void);

/// Prints "stiction: sentence" on stderr; returns CLI_WRONG.
int cli_complain(const char *format, ...) STC_PRINTF(1, 2);
/// The same with a hint at the help of the verb.
int cli_misuse(const cli_args *args, const char *format, ...) STC_PRINTF(2, 3);
/// The same with the sentence of the library's last error; CLI_DONE where there is none.
int cli_check(stc_error error);
/// Returns from the calling function where `call` was not CLI_DONE.
#define CLI_TRY(call)                                                                              \
  do {                                                                                             \
    int cli_try_status_ = (call);                                                                  \
    if (cli_try_status_ != CLI_DONE) return cli_try_status_;                                       \
  } while (0)
/// Prints "stiction: sentence" on stderr; an aside, not the end.
void cli_note(const char *format, ...) STC_PRINTF(1, 2);
/// The same, if cli_say_more was called (option -v).
void cli_detail(const char *format, ...) STC_PRINTF(1, 2);
void cli_say_more(void);

/// Makes sure that descriptors 0, 1, 2 are taken and that a closed pipe or a limit on
/// file sizes is an error, not a death.
void cli_terminal_open(void);
/// Flushes stdout; false if anything could not be written, which is reported when it is closed.
bool cli_terminal_flush(void);
/// Flushes stdout; CLI_WRONG and a sentence if anything could not be written, else `status`.
int cli_terminal_close(int status);

/// Escape sequences for text on stdout; "" unless it is a terminal that may have colour.
typedef enum cli_style { CLI_PLAIN, CLI_GOOD, CLI_BAD } cli_style;
const char *cli_color(cli_style style);

/// A line on stderr that is overwritten by the next; nothing unless stderr is a terminal.
bool cli_has_progress(void);
void cli_progress(const char *line);
void cli_progress_clear(void);

enum { CLI_CLOCK = 32 };
/// "1:02:03" or "2:03"; "?" of a negative time. Returns text.
char *cli_clock(double seconds, char text[CLI_CLOCK]);

/// The first SIGINT or SIGTERM is remembered, the second kills. `promise` is what is said then,
/// "stopping with ..."; NULL: nothing.
void cli_catch_interrupts(const char *promise);
bool cli_interrupted(void);

/// Ends the program with `sentence` and exit status `status` a moment after `limit` seconds have
/// passed since its start, whatever it does then: for stages that have nothing to keep.
void cli_alarm(double limit, int status, const char *sentence);
/// The stage has ended.
void cli_alarm_off(void);

/// Seconds since some fixed moment.
double cli_seconds(void);

/// What is left of `limit` seconds that began with the program; 0: nothing.
double cli_seconds_left(double limit);

// ---- JSON, and text of the same members (json.c, lines.c)

enum { CLI_MEMBERS = 100, CLI_MEMBER_ROOM = 12000 };

/// A member that lines of text may show.
typedef struct cli_member {
  const char *object, *name;  ///< object: NULL at the top
  const char *text;           ///< or NULL: a number
  double number;
  bool whole;
} cli_member;

/// One JSON object on a stream; `name` is NULL inside an array. Its members are remembered for
/// cli_print_lines, but for those of arrays and of objects in objects.
typedef struct cli_json {
  FILE *out;  ///< NULL: nothing is written
  int depth;
  bool empty;          ///< nothing was written yet in the innermost object or array
  const char *object;  ///< name of the object at depth 2
  int members;
  cli_member member[CLI_MEMBERS];
  size_t used;
  char room[CLI_MEMBER_ROOM];  ///< texts
} cli_json;

cli_json cli_json_begin(FILE *out);
void cli_json_end(cli_json *json);
void cli_json_open(cli_json *json, const char *name, char bracket);      ///< '{' or '['
void cli_json_close(cli_json *json, char bracket);                       ///< '}' or ']'
void cli_json_text(cli_json *json, const char *name, const char *text);  ///< NULL: null
void cli_json_real(cli_json *json, const char *name, double value);      ///< not finite: null
void cli_json_int(cli_json *json, const char *name, long value);
void cli_json_bool(cli_json *json, const char *name, bool value);
void cli_json_maybe(cli_json *json, const char *name, bool known, bool value);  ///< or null
void cli_json_reals(cli_json *json, const char *name, const double *value, int count);
/// A number, a list of numbers, or a text.
void cli_json_observed(cli_json *json, const char *name, const stc_observed *observed);

/// A field of a struct as a member.
typedef struct cli_field {
  const char *name;
  enum { CLI_FIELD_INT, CLI_FIELD_LONG, CLI_FIELD_REAL, CLI_FIELD_BOOL } kind;
  size_t offset;
} cli_field;
#define CLI_FIELD(type, kind, field)                                                               \
  { #field, CLI_FIELD_##kind, offsetof(type, field) }
#define CLI_FIELD_AS(type, kind, field, name)                                                      \
  { name, CLI_FIELD_##kind, offsetof(type, field) }
void cli_json_fields(cli_json *json, const cli_field *field, size_t count, const void *object);

/// A member for text only.
void cli_json_note(cli_json *json, const char *name, const char *format, ...) STC_PRINTF(3, 4);

/// A line of text: a label, and words with members in braces: "{eta|%.3e} (tolerance {tol|%g})",
/// "{steps} step{steps|s}", "{energy.work}". It is left out where one of them is null, an empty
/// text or a negative integer: not known.
typedef struct cli_line {
  const char *label, *words;
} cli_line;
void cli_print_lines(const cli_json *json, const cli_line *line, size_t count);
#define CLI_COUNT(table) (sizeof table / sizeof *table)

// ---- files (files.c)

/// Reads all of it; on failure reports and returns CLI_WRONG. A stored solution, or guesses, that
/// cannot be used are passed over with a remark, which is said on stderr unless `quiet`. Close in
/// any case.
int cli_file_open(const char *path, bool quiet, cli_file *file);
/// The remarks as a list; none without a file.
void cli_write_remarks(cli_json *json, const cli_file *file);
void cli_file_close(cli_file *file);

/// All of a stream, `most` bytes at most, and a 0 behind it, to be freed; NULL: errno says why not.
char *cli_read_text(FILE *in, size_t most, size_t *length);

/// A path as a shell reads it: in quotes where it has more than letters, digits and . / _ -
void cli_quote(const char *path, char *to, size_t room);

/// Refuses, before the work is done, a place where a file cannot be written.
int cli_check_output(const char *path);
/// The same, and complains of a name that promises another format than `ending` (".svg").
int cli_check_format(const char *path, const char *ending);

/// A file that `write` fills, given its name once it is whole; reports where that fails.
int cli_save(const char *path, render_write write, const void *user);
/// Reports why render returned false.
int cli_rendered(bool good);

/// Writes problem, solution (r may be NULL: none) and the guesses.
int cli_write(const stc_problem *problem, const stc_solution *solution, const stc_solution *guesses,
              int guess_count, const char *path);

/// Arrays of the lengths `problem` asks for, zeroed; on failure reports and returns CLI_WRONG.
int cli_solution_make(const stc_problem *problem, stc_solution *solution);
void cli_solution_drop(stc_solution *solution);

// ---- scenes (scenes.c)

/// The file that a word stands for: itself, or the scene of that name among those that come with
/// the program ("moreau/incline"). `room` has space for `size` characters. Complains where there is
/// neither, with the directory it looked in.
int cli_scene_path(const char *word, char *room, size_t size, const char **path);

/// Name of scene k that comes with the program, and the first line of its comment; NULL past the
/// last.
const char *cli_scene_name(int k);
const char *cli_scene_summary(int k);

// ---- existence (certify/examine.c)

/// What a quick look proves.
typedef struct cli_existence {
  stc_verdict verdict;
  const char *proof;  ///< name, or NULL
  double margin;
  bool bounded;
  stc_bounds bounds;  ///< numbers only
  bool outside;       ///< r breaks the bounds: it is near no solution, whatever its residual
  char reason[400];
} cli_existence;

/// What the existence criterion proves, without a search; r [size] is a solution, or NULL.
void cli_examine(const stc_problem *problem, const double *r, cli_existence *found);

/// The last word on an answer, as stc_decide has it: with a search where the problem is small. The
/// status is that of an answer which also obeys the bounds of every solution.
void cli_decide(const stc_problem *problem, const stc_settings *settings,
                const stc_solution *solution, stc_info *info, cli_existence *found);

/// "proved", "disproved", "unknown"
const char *cli_existence_name(stc_verdict verdict);

// ---- ranges of forces (certify/ranges.c)

/// The normal reactions that go with the velocities of one solution.
typedef struct cli_ranges {
  bool stored;  ///< the solution is that of the file
  double *r;    ///< [size]
  stc_force_range range;
} cli_ranges;

/// On failure reports and returns CLI_WRONG. Drop in any case.
int cli_ranges_find(const cli_file *file, cli_ranges *ranges);
void cli_ranges_drop(cli_ranges *ranges);
void cli_ranges_print(const stc_problem *problem, const cli_ranges *ranges);
void cli_ranges_write(cli_json *json, const stc_problem *problem, const cli_ranges *ranges);

// ---- reports (report.c)

/// What `solve` and `verify` say.
typedef struct cli_report {
  const char *solution_file;  ///< of `verify`; or NULL
  const char *start;          ///< "cold", "guess", "solution"; NULL: stored, nothing was solved
  const char *output;         ///< file written, or NULL
  const cli_file *stored;     ///< the problem, and where it comes from
  const cli_existence *existence;  ///< or NULL: not looked into
  double tol;
  stc_info info;
  int calls;  ///< of the library; the times are those of the fastest
} cli_report;

/// Prints the report as `args` asks for, contacts counted with its tolerance. `table`: contact by
/// contact, for the reactions r [size].
int cli_report_show(const cli_args *args, cli_report *report, const double *r, bool table);

/// What a certificate says about every solution (NULL: null), and as a line.
#define CLI_BOUNDS_LINE                                                                            \
  {                                                                                                \
    "bounds", "every solution: r_N sum to at most {bounds.reaction_sum|%.6g} N s, v in a ball of " \
              "diameter {bounds.diameter|%.6g}"                                                    \
  }
void cli_write_bounds(cli_json *json, const stc_bounds *bounds);

/// The ending of a plural: "" for 1, else "s".
const char *cli_s(int count);

enum { CLI_SIZES_ROOM = 200 };
/// "3D, global form, 12 contacts, 30 degrees of freedom"; returns text.
const char *cli_sizes(const stc_problem *problem, char text[CLI_SIZES_ROOM]);
/// The same as members, and as a note "sizes".
void cli_write_sizes(cli_json *json, const stc_problem *problem);
/// A note "shown": a status in its colour.
void cli_write_shown(cli_json *json, bool good, const char *status);

/// True if eta and fclib_error are within tol.
bool cli_within(const stc_residual *residual, double tol);

/// The exit status that belongs to a status.
int cli_exit_status(stc_status status);

/// Solved, whether or not an exact solution exists.
bool cli_is_solved(stc_status status);

#endif
