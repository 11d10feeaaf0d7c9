// What the parts of `stiction bench` share: the job, the result of one solve, the table of rows.
#ifndef STICTION_CLI_BENCH_H
#define STICTION_CLI_BENCH_H

#include "../cli.h"

/// How a solve ended: a value of stc_status, or one of these.
enum {
  BENCH_PENDING = -1,                      ///< not run yet
  BENCH_TIMEOUT = STC_STATUS_RELAXED + 1,  ///< killed at the limit
  BENCH_CRASH,                             ///< died, or ended without an answer
  BENCH_REFUSED,     ///< the library returned an error; an external gave no answer
  BENCH_INACCURATE,  ///< the answer of an external is not within the tolerance
  BENCH_OUTCOMES
};

const char *bench_outcome_name(int outcome);

enum { BENCH_NOTE = 400 };

/// The record of one solve. Unknown values are NAN or -1.
typedef struct bench_result {
  int outcome;
  int form;  ///< stc_form; -1 and the next ones too if the problem could not be read
  int dimension, contacts, dofs;
  double mu_max;
  double seconds;  ///< setup and solve; of a child without an answer, its life
  double setup_seconds, solve_seconds;
  long iterations;
  double eta, eta_max, fclib_error;
  long peak_bytes;        ///< resident memory of the child
  char note[BENCH_NOTE];  ///< one line
} bench_result;

/// Nothing is known.
bench_result bench_blank(void);

/// A moment of a solve.
typedef struct bench_point {
  long iterations;  ///< -1: not known
  double seconds;   ///< since setup began
  double eta, fclib_error;
} bench_point;

/// The moments of a solve, in their order.
typedef struct bench_history {
  bench_point *point;  ///< [count], with room for [room]
  long count, room;
  long next;  ///< the least iteration that is kept
} bench_history;

/// A list of names, each allocated.
typedef struct bench_names {
  char **name;
  int count;
} bench_names;

/// A solver that is a program, and its command in words: bench_list_externals.
typedef struct bench_external {
  char name[16];
  const char *command;  ///< as it was given
  char *text;           ///< of the words
  char **word;          ///< [words] and NULL
  int words;
} bench_external;

/// The list of methods that has none.
#define BENCH_NONE "none"

/// Where rows go: standard output, or a journal that becomes the file at the end.
typedef struct bench_store {
  FILE *rows;    ///< the journal or stdout; NULL: nowhere
  char *path;    ///< of the journal
  char *others;  ///< rows of the file that are not of this job, as text
  size_t others_length;
} bench_store;

/// All that a bench was asked for and has found.
typedef struct bench_job {
  cli_args args;
  stc_settings settings;
  const char *method_list;   ///< "a,b,c"; NULL: all
  cli_list external_list;    ///< "NAME=COMMAND {in} {out}"
  bench_external *external;  ///< [externals]; their names are the last of `methods`
  int externals;
  const char *output;   ///< NULL: standard output
  const char *profile;  ///< or NULL
  const char *history;  ///< or NULL
  int repeat, jobs;
  bool resume;
  bool processor;                ///< processor time counts
  char head[CLI_MAX_SET + 500];  ///< settings that make times comparable, in one line
  bench_names problems, methods;
  bench_result *result;       ///< [problems * methods], method by method for each problem
  bench_history *history_of;  ///< [problems * methods]; NULL: not asked for
  int done;                   ///< results that are not pending
  bench_store store;
} bench_job;

static inline bench_result *bench_at(const bench_job *job, int problem, int method) {
  return &job->result[(size_t)problem * (size_t)job->methods.count + (size_t)method];
}

/// The external that a method is; NULL: it is one of the library.
static inline const bench_external *bench_external_of(const bench_job *job, int method) {
  int own = job->methods.count - job->externals;
  return method < own ? NULL : &job->external[method - own];
}

static inline int bench_total(const bench_job *job) {
  return job->problems.count * job->methods.count;
}

// ---- names.c

/// The problem files named by the words, those of directories in the order of their names.
int bench_list_problems(char **word, int words, bench_names *problems);
/// The methods of a list "a,b,c"; all if it is NULL.
int bench_list_methods(const char *list, bench_names *methods);
void bench_names_drop(bench_names *names);
/// Place of a name; -1 if it is not in the list.
int bench_names_find(const bench_names *names, const char *name);
int bench_names_add(bench_names *names, const char *name);

// ---- external_words.c

/// Takes the options --external apart; their names become methods.
int bench_list_externals(const cli_list *list, bench_job *job);
void bench_externals_drop(bench_job *job);
/// The words of a run, each allocated, and NULL; a word without memory is NULL.
char **bench_external_command(const bench_external *e, const char *in, const char *out,
                              const stc_settings *settings);

// ---- external_run.c

enum { BENCH_PATH = 4096 };  // characters

/// A new directory for the files of an external, and its end with all that is in it.
int bench_directory_make(char **directory);
void bench_directory_remove(char **directory);
/// Writes the problem there, without an answer.
stc_error bench_external_prepare(const stc_problem *problem, const char *directory);
/// Run `number` of the program: the note; the outcome is pending where the file `out` [BENCH_PATH]
/// holds an answer.
void bench_external_run(const bench_external *e, const char *directory, int number,
                        const stc_settings *settings, char *out, bench_result *run);

// ---- history.c

/// Keeps a point if it is far enough from the last one; the last one of a solve in any case.
void bench_history_add(bench_history *h, const bench_point *point);
void bench_history_end(bench_history *h, const bench_point *point);
void bench_history_drop(bench_history *h);
/// From the process of a solve to the one that collects them, through a file.
void bench_history_send(const bench_history *h, int fd);
void bench_history_receive(FILE *in, bench_history *h);
/// Writes those of a job, as CSV or JSON.
int bench_history_save(const bench_job *job);

// ---- child.c

/// Seconds of the clock of the day, or of the processor, with that of children that have ended.
double bench_clock(bool processor);

/// One solve, in a process of its own.
typedef struct bench_task {
  const char *path;              ///< of the problem
  const stc_settings *settings;  ///< with the name of the method
  int repeat;
  const bench_external *external;  ///< or NULL
  const char *directory;           ///< of the external
  int out;                         ///< descriptor that is sent the facts, then the result
  int history;                     ///< descriptor of a file for the history; -1: not wanted
  bool processor;                  ///< processor time counts
} bench_task;

/// What a child process does: reads, sets up, solves, judges.
_Noreturn void bench_child(const bench_task *task);

// ---- store.c

/// Opens the journal; with --resume fills in the results that are there.
int bench_store_open(bench_job *job);
/// Adds the row of a result.
int bench_store_row(const bench_job *job, int problem, int method);
/// Writes the file, in order, and removes the journal.
int bench_store_finish(const bench_job *job);
void bench_store_drop(bench_store *store);

// ---- csv.c

void bench_csv_head(FILE *out, const char *head);
void bench_csv_row(FILE *out, const char *file, const char *method, const bench_result *result);
/// The same as an object in an array.
void bench_json_row(cli_json *json, const char *file, const char *method,
                    const bench_result *result);

/// A row as read: file and method point into its text.
typedef struct bench_row {
  const char *file, *method;
  bench_result result;
} bench_row;

/// Length of the row that begins at `text`, its line break included; 0 if it is not whole.
size_t bench_csv_length(const char *text);
/// Takes a whole row apart, in place. False: it is not a row of a bench.
bool bench_csv_read(char *text, bench_row *row);

// ---- run.c

/// Runs all that is pending; rows go to the store. CLI_WRONG: it could not continue.
int bench_run(bench_job *job);

// ---- summary.c

/// A method, or the best of all, on the problems of a job.
typedef struct bench_score {
  const char *name;
  int solved, fastest;
  double common_sum, common_mean;  ///< s: sum and geometric mean where all methods solve
} bench_score;

typedef struct bench_summary {
  bench_score *score;  ///< [methods + 1]; the last one: the virtual best
  int common;          ///< problems solved by every method
} bench_summary;

/// True if method m solved problem p.
bool bench_solved(const bench_job *job, int problem, int method);
/// Time in which it did; INFINITY if it did not.
double bench_seconds(const bench_job *job, int problem, int method);
/// The least time of all methods; INFINITY if none solved it.
double bench_best(const bench_job *job, int problem);
int bench_summarise(const bench_job *job, bench_summary *summary);
void bench_summary_drop(bench_summary *summary);
void bench_print(const bench_job *job, const bench_summary *summary, FILE *out);
void bench_print_json(const bench_job *job, const bench_summary *summary);

#endif
