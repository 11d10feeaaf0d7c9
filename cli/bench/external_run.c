// Runs an external solver: the problem is written for it without a stored answer, the program is
// started without a shell, its answer is a file to be read like any other and to be believed as
// little. The directory of the run, and all processes of its group, are the parent's to end.
#define _XOPEN_SOURCE 700
#define _DEFAULT_SOURCE  // RLIMIT_FSIZE, stpcpy
#include <errno.h>
#include <fcntl.h>
#include <ftw.h>
#include <math.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>
#ifdef __linux__
#include <sys/prctl.h>
#endif

#include "bench.h"

// A program that writes without end is stopped before the disk is full.
static const rlim_t MOST_FILE = (rlim_t)1 << 32;  // bytes

enum { TAIL = 300, DESCRIPTORS = 256 };  // characters that a program said last; more are not open

// ---- its directory

int bench_directory_make(char **directory) {
  const char *base = getenv("TMPDIR");
  char path[BENCH_PATH];
  int n = snprintf(path, sizeof path, "%s/stiction-bench-XXXXXX", base && *base ? base : "/tmp");
  if (n < 0 || n >= BENCH_PATH || !mkdtemp(path))
    return cli_complain("%s: no directory can be made: %s", path, strerror(errno));
  *directory = strdup(path);
  if (*directory) return CLI_DONE;
  rmdir(path);
  return cli_complain("out of memory for %s", path);
}

static int remove_one(const char *path, const struct stat *status, int kind, struct FTW *place) {
  (void)status, (void)place;
  if (kind == FTW_DP || kind == FTW_D || kind == FTW_DNR)
    rmdir(path);
  else
    unlink(path);
  return 0;
}

void bench_directory_remove(char **directory) {
  if (!*directory) return;
  nftw(*directory, remove_one, 16, FTW_DEPTH | FTW_PHYS | FTW_MOUNT);
  free(*directory);
  *directory = NULL;
}

// ---- the program

static void redirect(int from, const char *path, int flags) {
  int fd = open(path, flags, 0600);
  if (fd < 0 || dup2(fd, from) < 0) _exit(127);
  if (fd != from) close(fd);
}

// In the process of the program: nothing of the bench stays open but what says why it cannot begin.
_Noreturn static void become_program(char **word, const char *said, int trouble) {
  static const int signals[] = {SIGINT, SIGTERM, SIGPIPE, SIGXFSZ};
#ifdef __linux__
  prctl(PR_SET_PDEATHSIG, SIGKILL);
#endif
  for (size_t k = 0; k < sizeof signals / sizeof *signals; k++) signal(signals[k], SIG_DFL);
  for (int fd = STDERR_FILENO + 1; fd < DESCRIPTORS; fd++) fcntl(fd, F_SETFD, FD_CLOEXEC);
  setrlimit(RLIMIT_FSIZE, &(struct rlimit){MOST_FILE, MOST_FILE});
  redirect(STDIN_FILENO, "/dev/null", O_RDONLY);
  redirect(STDOUT_FILENO, "/dev/null", O_WRONLY);
  redirect(STDERR_FILENO, said, O_WRONLY | O_CREAT | O_TRUNC);
  execvp(word[0], word);
  int why = errno;
  ssize_t sent = write(trouble, &why, sizeof why);
  _exit(sent == (ssize_t)sizeof why ? 126 : 127);
}

// Starts the program and waits for its end; the errno of a program that cannot be started.
static int run_program(char **word, const char *said, int *end) {
  int ends[2];
  if (pipe(ends)) return errno;
  pid_t pid = fork();
  if (pid == 0) become_program(word, said, ends[1]);
  int why = pid < 0 ? errno : 0;
  close(ends[1]);
  // What execvp said; 0: the program began.
  int trouble = ends[0];
  int refused = 0;
  while (read(trouble, &refused, sizeof refused) < 0 && errno == EINTR) {}
  close(trouble);
  while (pid > 0 && waitpid(pid, end, 0) < 0 && errno == EINTR) {}
  return why ? why : refused;
}

// ---- what became of it

// The last line that the program said on standard error, or "".
static void last_line(const char *path, char line[TAIL]) {
  FILE *in = fopen(path, "r");
  line[0] = 0;
  if (!in) return;
  if (fseek(in, -(TAIL - 1), SEEK_END)) rewind(in);
  size_t length = fread(line, 1, TAIL - 1, in);
  fclose(in);
  while (length > 0 && strchr(" \n\r\t", line[length - 1])) length--;
  line[length] = 0;
  char *last = strrchr(line, '\n');
  if (last) memmove(line, last + 1, strlen(last));
}

static void note_end(bench_result *run, int end, const char *said) {
  char line[TAIL];
  last_line(said, line);
  const char *colon = *line ? ": " : "";
  if (WIFSIGNALED(end))
    snprintf(run->note, sizeof run->note, "signal %d: %s%s%s", WTERMSIG(end),
             strsignal(WTERMSIG(end)), colon, line);
  else if (WEXITSTATUS(end))
    snprintf(run->note, sizeof run->note, "exit status %d%s%s", WEXITSTATUS(end), colon, line);
}

// A pipe, a link or a directory in the place of the answer is not opened.
static bool has_answer(const char *out) {
  struct stat found;
  return lstat(out, &found) == 0 && S_ISREG(found.st_mode);
}

static void judge_end(bench_result *run, int end, const char *said, const char *out) {
  note_end(run, end, said);
  if (WIFSIGNALED(end)) {
    run->outcome = BENCH_CRASH;
  } else if (!has_answer(out)) {
    run->outcome = BENCH_REFUSED;
    const char *text = "it wrote no file {out}";
    size_t used = strlen(run->note);
    snprintf(run->note + used, sizeof run->note - used, "%s%s", used ? "; " : "", text);
  }
}

static bool is_whole(char *const *word, int words) {
  for (int k = 0; word && k < words; k++)
    if (!word[k]) return false;
  return word != NULL;
}

void bench_external_run(const bench_external *e, const char *directory, int number,
                        const stc_settings *settings, char *out, bench_result *run) {
  char in[BENCH_PATH], said[BENCH_PATH];
  int end = 0;
  snprintf(in, sizeof in, "%s/problem.hdf5", directory);
  snprintf(out, BENCH_PATH, "%s/answer-%d.hdf5", directory, number);
  snprintf(said, sizeof said, "%s/said-%d.txt", directory, number);
  char **word = bench_external_command(e, in, out, settings);
  int why = is_whole(word, e->words) ? run_program(word, said, &end) : ENOMEM;
  if (why) {
    const char *program = e->word[0];
    run->outcome = BENCH_REFUSED;
    snprintf(run->note, sizeof run->note, "cannot run %s: %s", program, strerror(why));
  } else
    judge_end(run, end, said, out);
  for (int k = 0; word && word[k]; k++) free(word[k]);
  free(word);
}

stc_error bench_external_prepare(const stc_problem *problem, const char *directory) {
  char in[BENCH_PATH];
  snprintf(in, sizeof in, "%s/problem.hdf5", directory);
  return stc_problem_write(problem, NULL, in);
}
