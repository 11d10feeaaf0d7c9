// Runs a command with a terminal as its stdout and stderr, and copies what it writes there to
// stdout: on_terminal COMMAND [ARGS]. The exit status is that of the command.
#define _XOPEN_SOURCE 600
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

static int open_pair(int *inner) {
  int outer = posix_openpt(O_RDWR | O_NOCTTY);
  if (outer < 0 || grantpt(outer) || unlockpt(outer)) return -1;
  *inner = open(ptsname(outer), O_RDWR | O_NOCTTY);
  return *inner < 0 ? -1 : outer;
}

_Noreturn static void become(char **argv, int terminal) {
  dup2(terminal, STDOUT_FILENO);
  dup2(terminal, STDERR_FILENO);
  execvp(argv[0], argv);
  perror(argv[0]);
  _exit(127);
}

// Reading ends with an error when the last descriptor of the inner side is closed.
static void copy(int from) {
  char buffer[4096];
  ssize_t n;
  while ((n = read(from, buffer, sizeof buffer)) > 0) fwrite(buffer, 1, (size_t)n, stdout);
}

int main(int argc, char **argv) {
  int inner, status = 0;
  int outer = argc > 1 ? open_pair(&inner) : -1;
  if (outer < 0) {
    fprintf(stderr, "on_terminal: no command, or no terminal to be had\n");
    return 127;
  }
  pid_t child = fork();
  if (child == 0) become(argv + 1, inner);
  close(inner);
  copy(outer);
  waitpid(child, &status, 0);
  return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}
