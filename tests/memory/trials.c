// Whole commands of the program with a heap that runs dry: each ends with exit status 1 and a
// sentence, or as it ends with enough memory; by no signal, in time, and no file it writes is left
// half-written.
//   trials PROGRAM HEAP COMMANDS SCENES FOLDER TRIALS [WORD]
// COMMANDS has one command per line; those that begin with "first:" make files the others use.
// TRIALS per command are taken at random, the same each time; 0: every allocation, one after
// another; "sites": the first, the second and the last of every call stack that no command before
// had. WORD: only commands that contain it.
#define _DEFAULT_SOURCE
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/personality.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

enum {
  WORDS = 40,
  LINE = 500,
  SECONDS = 120,
  TEXT = 4096,
  FILES = 400,
  FIRST = 12,
  SITES = 1 << 18
};

static const char *program, *heap, *scenes;
static bool by_site;
static int bad;

// ---- files

/// A file some command wrote: its name, length and a hash of its bytes.
typedef struct written {
  char name[256];
  long length;
  uint64_t hash;
} written;

typedef struct listing {
  written file[FILES];
  int count;
  bool drafts;  ///< a temporary file is among them
} listing;

static uint64_t hash_file(const char *path) {
  uint64_t hash = 0xcbf29ce484222325u;
  FILE *file = fopen(path, "rb");
  for (int c; file && (c = fgetc(file)) != EOF;) hash = (hash ^ (uint64_t)c) * 0x100000001b3u;
  if (file) fclose(file);
  return hash;
}

/// Lists what is called out* in a folder, and below; or removes it.
static void visit(const char *folder, bool inside, listing *list) {
  DIR *all = opendir(folder);
  for (struct dirent *entry; all && (entry = readdir(all));) {
    char path[2 * TEXT];
    struct stat found;
    if (entry->d_name[0] == '.') continue;
    if (list && strstr(entry->d_name, ".tmp")) list->drafts = true;
    if (!inside && strncmp(entry->d_name, "out", 3) != 0) continue;
    snprintf(path, sizeof path, "%s/%s", folder, entry->d_name);
    bool is_folder = lstat(path, &found) == 0 && S_ISDIR(found.st_mode);
    if (is_folder) visit(path, true, list);
    if (!list && remove(path) != 0) perror(path);
    if (!list || is_folder || list->count == FILES) continue;
    written *w = &list->file[list->count++];
    memcpy(w->name, path, strnlen(path, sizeof w->name - 1));
    w->length = (long)found.st_size;
    w->hash = hash_file(path);
  }
  if (all) closedir(all);
}

static const written *find(const listing *list, const char *name) {
  for (int k = 0; k < list->count; k++)
    if (!strcmp(list->file[k].name, name)) return &list->file[k];
  return NULL;
}

// ---- one run

typedef struct ending {
  int status;  ///< exit status; minus the signal that ended it
  char said[TEXT];
  listing files;
} ending;

static void become(char **words, long fail_at, bool fail_on, const char *count) {
  char number[24];
  int out = open("/dev/null", O_WRONLY), err = open("said", O_RDWR | O_CREAT | O_TRUNC, 0666);
  if (out < 0 || err < 0 || dup2(out, 1) < 0 || dup2(err, 2) < 0) _exit(98);
  snprintf(number, sizeof number, "%ld", fail_at);
  if (fail_at || count) setenv("LD_PRELOAD", heap, 1);
  if (fail_at) setenv("FAIL_AT", number, 1);
  if (fail_on) setenv("FAIL_ON", "1", 1);
  if (count) setenv("FAIL_COUNT", count, 1);
  if (count && by_site) setenv("FAIL_SITES", "sites", 1);
  personality(ADDR_NO_RANDOMIZE);  // the same call stack is the same in every process
  alarm(SECONDS);
  execv(program, words);
  _exit(98);
}

/// What the last command said.
static size_t read_said(char *text, size_t room) {
  FILE *said = fopen("said", "r");
  size_t length = said ? fread(text, 1, room - 1, said) : 0;
  text[length] = 0;
  if (said) fclose(said);
  return length;
}

static ending run_trial(char **words, long fail_at, bool fail_on, const char *count) {
  ending end = {.status = 98};
  int how = 0;
  visit(".", false, NULL);
  pid_t child = fork();
  if (child == 0) become(words, fail_at, fail_on, count);
  if (child < 0 || waitpid(child, &how, 0) != child) return end;
  end.status = WIFSIGNALED(how) ? -WTERMSIG(how) : WEXITSTATUS(how);
  read_said(end.said, sizeof end.said);
  visit(".", false, &end.files);
  return end;
}

// ---- what must hold

static bool says(const char *words) {
  char said[TEXT];
  read_said(said, sizeof said);
  return strstr(said, words) != NULL;
}

/// Whether a verb, with memory enough, takes the file; or says `excuse`.
static bool is_taken(char *verb, const char *name, const char *excuse) {
  char *words[] = {"stiction", verb, (char *)name, "-q", NULL};
  int how = 0;
  pid_t child = fork();
  if (child == 0) become(words, 0, false, NULL);
  bool ended = child > 0 && waitpid(child, &how, 0) == child && WIFEXITED(how);
  return ended && (WEXITSTATUS(how) == 0 || (excuse && says(excuse)));
}

/// Whether a file is what it is with enough memory. A run is added to: what is in it can be read at
/// any time. An answer is judged: without memory for one method another finds it. Others vary by
/// times, or by rounding, which leaves binary numbers as long as they are.
static bool is_whole(const written *file, const listing *usual) {
  const written *same = find(usual, file->name);
  if (strstr(file->name, ".part")) return true;  // what --resume goes on from
  if (strstr(file->name, ".run")) return is_taken("export", file->name, "it has no rows yet");
  if (strstr(file->name, "answer")) return is_taken("verify", file->name, NULL);
  if (same && strstr(file->name, "round")) return same->length == file->length;
  return same && (same->hash == file->hash || strstr(file->name, "vary"));
}

static const char *fault_of(const ending *end, const ending *usual) {
  if (end->status == -SIGALRM) return "does not end";
  if (end->status < 0) return "is ended by a signal";
  if (end->status == 1 && !end->said[0]) return "says nothing";
  if (end->status != 1 && end->status != usual->status && end->status != 4)
    return "ends with another status";
  if (end->files.drafts) return "leaves a temporary file";
  for (int k = 0; k < end->files.count; k++)
    if (!is_whole(&end->files.file[k], &usual->files)) return "leaves a file that is not whole";
  for (int k = 0; end->status == 0 && k < usual->files.count; k++)
    if (!find(&end->files, usual->files.file[k].name)) return "does not write its file";
  return NULL;
}

static void judge(const char *line, long n, bool on, const ending *end, const ending *usual) {
  const char *fault = fault_of(end, usual);
  if (!fault) return;
  bad++;
  end = end->status == 1 && !end->said[0] ? usual : end;
  printf("stiction %s: allocation %ld%s: %s (status %d): %.*s\n", line, n, on ? " and on" : "",
         fault, end->status, (int)strcspn(end->said, "\n"), end->said);
  fflush(stdout);
}

// ---- commands

/// Cuts a line into words; a word that begins with SCENES/ is below the folder of the scenes.
static void cut(const char *line, char *room, char **words) {
  int count = 0;
  char *at = room;
  words[count++] = "stiction";
  while (*line && count < WORDS - 1) {
    size_t length = strcspn(line, " ");
    bool scene = !strncmp(line, "SCENES/", 7);
    words[count++] = at;
    at += sprintf(at, "%s%.*s", scene ? scenes : "", (int)length - (scene ? 6 : 0),
                  line + (scene ? 6 : 0)) +
          1;
    line += length + strspn(line + length, " ");
  }
  words[count] = NULL;
}

static long read_count(void) {
  FILE *file = fopen("count", "r");
  long count = 0;
  if (file && fscanf(file, "%ld", &count) != 1) count = 0;
  if (file) fclose(file);
  return count;
}

/// The k-th of `trials` among `all` allocations: the first ones, then anywhere.
static long choose_command(long k, long trials, long all, uint64_t *random) {
  if (trials == 0 || all <= trials || k <= FIRST) return k;
  *random = *random * 6364136223846793005u + 1442695040888963407u;
  return 1 + (long)((*random >> 33) % (uint64_t)all);
}

/// One command, and how it ends with enough memory.
typedef struct task {
  const char *line;
  char **words;
  ending usual;
} task;

static void try_one(const task *t, long n, bool on) {
  ending end = run_trial(t->words, n, on, NULL);
  judge(t->line, n, on, &end, &t->usual);
}

/// `trials` of all allocations, every second with all that follow; returns how many.
static long try_numbers(const task *t, long trials, long all) {
  long most = trials && trials < all ? trials : all;
  uint64_t random = 1;
  for (long k = 1; k <= most; k++) try_one(t, choose_command(k, trials, all, &random), k % 2 == 0);
  return most;
}

/// Whether a stack is met for the first time, in all commands.
static bool is_new(uint64_t stack) {
  static uint64_t seen[SITES];
  for (uint64_t k = 0; k < SITES; k++) {
    uint64_t *entry = &seen[(stack + k) % SITES];
    if (*entry == stack) return false;
    if (*entry) continue;
    *entry = stack;
    return true;
  }
  return true;
}

/// Each new call stack: its first allocation alone and with all that follow, its second and its
/// last alone; returns how many stacks.
static long try_sites(const task *t) {
  FILE *file = fopen("sites", "r");
  unsigned long long stack;
  long first, second, last, sites = 0;
  while (file && fscanf(file, "%llx %ld %ld %ld", &stack, &first, &second, &last) == 4) {
    if (!is_new(stack)) continue;
    sites++;
    try_one(t, first, false);
    try_one(t, first, true);
    if (second) try_one(t, second, false);
    if (last > first && last != second) try_one(t, last, false);
  }
  if (file) fclose(file);
  return sites;
}

static void try_command(const char *line, long trials) {
  char room[4 * TEXT], *words[WORDS];
  cut(line, room, words);
  remove("count");
  remove("sites");
  task t = {line, words, run_trial(words, 0, false, "count")};
  long all = read_count();
  if (t.usual.status < 0 || t.usual.status == 1 || all == 0) {
    printf("stiction %s: status %d with enough memory: %s\n", line, t.usual.status, t.usual.said);
    bad++;
    return;
  }
  long tried = by_site ? try_sites(&t) : try_numbers(&t, trials, all);
  printf("%6ld%s of %6ld  stiction %s\n", tried, by_site ? " stacks" : "", all, line);
  fflush(stdout);
}

int main(int argc, char **argv) {
  char line[LINE], room[4 * TEXT], *words[WORDS];
  if (argc < 7)
    return fputs("trials PROGRAM HEAP COMMANDS SCENES FOLDER TRIALS [WORD]\n", stderr), 2;
  program = argv[1];
  heap = argv[2];
  scenes = argv[4];
  by_site = !strcmp(argv[6], "sites");
  FILE *commands = fopen(argv[3], "r");
  if (!commands || chdir(argv[5]) != 0) return perror("trials"), 2;
  while (fgets(line, sizeof line, commands)) {
    line[strcspn(line, "\n")] = 0;
    if (!line[0] || line[0] == '#') continue;
    if (!strncmp(line, "first: ", 7)) {
      cut(line + 7, room, words);
      ending made = run_trial(words, 0, false, NULL);
      if (made.status != 0) return printf("%s: status %d: %s\n", line, made.status, made.said), 2;
    } else if (argc < 8 || strstr(line, argv[7])) {
      try_command(line, atol(argv[6]));
    }
  }
  fclose(commands);
  printf("%d failures\n", bad);
  return bad > 0;
}
