// The world outside: messages on stderr, colour, the progress line, signals, the end of stdout.
#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <signal.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

#include "cli.h"

enum { MAX_SENTENCE = 2000 };

static bool complaints_in_json = false;
static bool details_wanted = false;
static int progress_width = 0;  // characters of the progress line now on the terminal
static int stdout_errno = 0;    // why stdout could not be written
static double opened = 0;       // when the program began, s

// ---- messages

void cli_complain_in_json(void) { complaints_in_json = true; }

static void complain(const char *format, va_list list) STC_PRINTF(1, 0);

static void complain(const char *format, va_list list) {
  char sentence[MAX_SENTENCE];
  vsnprintf(sentence, sizeof sentence, format, list);
  cli_progress_clear();
  fprintf(stderr, "stiction: %s\n", sentence);
  if (complaints_in_json) {
    cli_json json = cli_json_begin(stdout);
    cli_json_text(&json, "error", sentence);
    cli_json_end(&json);
  }
}

int cli_complain(const char *format, ...) {
  va_list list;
  va_start(list, format);
  complain(format, list);
  va_end(list);
  return CLI_WRONG;
}

int cli_misuse(const cli_args *args, const char *format, ...) {
  va_list list;
  va_start(list, format);
  complain(format, list);
  va_end(list);
  fprintf(stderr, "See 'stiction %s --help'.\n", args->command->name);
  return CLI_WRONG;
}

int cli_check(stc_error error) {
  const char *detail = stc_error_detail();
  if (!error) return CLI_DONE;
  return cli_complain("%s", *detail ? detail : stc_error_text(error));
}

static void note(const char *format, va_list args) STC_PRINTF(1, 0);

static void note(const char *format, va_list args) {
  cli_progress_clear();
  fputs("stiction: ", stderr);
  vfprintf(stderr, format, args);
  fputc('\n', stderr);
}

void cli_note(const char *format, ...) {
  va_list args;
  va_start(args, format);
  note(format, args);
  va_end(args);
}

void cli_say_more(void) { details_wanted = true; }

void cli_detail(const char *format, ...) {
  va_list args;
  va_start(args, format);
  if (details_wanted) note(format, args);
  va_end(args);
}

// ---- standard streams

void cli_terminal_open(void) {
  opened = cli_seconds();
  // A closed descriptor would be given to the next file opened, and text for stdout would land in
  // it. Read-only: writing to it fails and is reported at the end.
  int fd = 0;
  while (fd >= 0 && fd <= STDERR_FILENO) fd = open("/dev/null", O_RDONLY);
  if (fd > STDERR_FILENO) close(fd);
  signal(SIGPIPE, SIG_IGN);
  signal(SIGXFSZ, SIG_IGN);
}

bool cli_terminal_flush(void) {
  errno = 0;
  if (fflush(stdout) == 0 && !ferror(stdout)) return true;
  if (errno) stdout_errno = errno;
  return false;
}

int cli_terminal_close(int status) {
  cli_progress_clear();
  if (cli_terminal_flush()) return status;
  const char *why = stdout_errno ? strerror(stdout_errno) : "an earlier write failed";
  fprintf(stderr, "stiction: cannot write to standard output: %s\n", why);
  return CLI_WRONG;
}

const char *cli_color(cli_style style) {
  static const char *const codes[] = {
      [CLI_PLAIN] = "\033[0m", [CLI_GOOD] = "\033[32m", [CLI_BAD] = "\033[31m"};
  const char *no_color = getenv("NO_COLOR");
  const char *term = getenv("TERM");
  bool wanted = !(no_color && *no_color) && term && strcmp(term, "dumb") != 0;
  return wanted && isatty(STDOUT_FILENO) ? codes[style] : "";
}

// ---- the progress line

bool cli_has_progress(void) { return isatty(STDERR_FILENO); }

void cli_progress(const char *line) {
  int width = (int)strlen(line);
  fprintf(stderr, "\r%s%*s", line, width < progress_width ? progress_width - width : 0, "");
  fflush(stderr);
  progress_width = width;
}

void cli_progress_clear(void) {
  if (progress_width == 0) return;
  fprintf(stderr, "\r%*s\r", progress_width, "");
  fflush(stderr);
  progress_width = 0;
}

char *cli_clock(double seconds, char text[CLI_CLOCK]) {
  long s = lround(fmin(fmax(seconds, 0), 1e8));
  if (seconds < 0)
    snprintf(text, CLI_CLOCK, "?");
  else if (s >= 3600)
    snprintf(text, CLI_CLOCK, "%ld:%02ld:%02ld", s / 3600, s / 60 % 60, s % 60);
  else
    snprintf(text, CLI_CLOCK, "%ld:%02ld", s / 60, s % 60);
  return text;
}

// ---- signals

static atomic_int interrupted = 0;  // signals seen; lock-free, so that a handler may use it
static char interrupt_sentence[200] = "";

static void on_interrupt(int number) {
  bool first = atomic_fetch_add(&interrupted, 1) == 0;
  signal(SIGINT, SIG_DFL);
  signal(SIGTERM, SIG_DFL);
  if (!first) raise(number);  // two threads may be in this handler at once
  if (!first) return;
  int saved = errno;
  ssize_t written = write(STDERR_FILENO, interrupt_sentence, strlen(interrupt_sentence));
  (void)written;  // nothing can be done here about a stderr that does not take it
  errno = saved;
}

// A shell without job control starts `stiction ... &` with SIGINT ignored; `kill -INT` has to reach
// it all the same, so the old disposition does not matter.

void cli_catch_interrupts(const char *promise) {
  struct sigaction action = {.sa_handler = on_interrupt, .sa_flags = SA_RESTART};
  sigemptyset(&action.sa_mask);
  sigaddset(&action.sa_mask, SIGINT);  // a second signal waits until the first is dealt with
  sigaddset(&action.sa_mask, SIGTERM);
  if (promise)
    snprintf(interrupt_sentence, sizeof interrupt_sentence,
             "\nstiction: %s; interrupt again to give up at once\n", promise);
  sigaction(SIGINT, &action, NULL);
  sigaction(SIGTERM, &action, NULL);
}

bool cli_interrupted(void) { return atomic_load(&interrupted) != 0; }

double cli_seconds_left(double limit) {
  double left = limit - (cli_seconds() - opened);
  return left > 0 ? left : 0;
}

// ---- the alarm

static char alarm_sentence[MAX_SENTENCE], alarm_object[MAX_SENTENCE];  // on stderr, on stdout
static int alarm_status;

static void on_alarm(int number) {
  (void)number;
  ssize_t written = write(STDERR_FILENO, alarm_sentence, strlen(alarm_sentence));
  written = write(STDOUT_FILENO, alarm_object, strlen(alarm_object));
  (void)written;  // nothing can be done here about streams that do not take it
  _exit(alarm_status);
}

static void set_timer(double seconds) {
  struct itimerval timer = {.it_value = {.tv_sec = (time_t)seconds}};
  timer.it_value.tv_usec = (suseconds_t)(1e6 * (seconds - (double)timer.it_value.tv_sec));
  setitimer(ITIMER_REAL, &timer, NULL);
}

void cli_alarm(double limit, int status, const char *sentence) {
  static const double LONGEST = 1e8;  // s, far beyond any stage
  static const double SLACK = 0.1;    // s; a stage that is nearly over ends by itself
  if (!(limit < LONGEST)) return;
  alarm_status = status;
  snprintf(alarm_sentence, sizeof alarm_sentence, "stiction: %s\n", sentence);
  if (complaints_in_json)
    snprintf(alarm_object, sizeof alarm_object, "{\n  \"error\": \"%s\"\n}\n", sentence);
  signal(SIGALRM, on_alarm);
  set_timer(cli_seconds_left(limit) + SLACK);
}

void cli_alarm_off(void) { set_timer(0); }

double cli_seconds(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}
