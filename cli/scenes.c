// The scenes that come with the program: where they are, and what they are about.
#include <dirent.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "cli.h"

enum { MAX_PATH = 1024, MAX_SCENES = 200, MAX_TEXT = 200 };
enum { LEVELS_UP = 4 };  // from a program in build/PRESET/cli to the tree it was built in

typedef struct scene_entry {
  char name[MAX_TEXT];     // "moreau/incline"
  char summary[MAX_TEXT];  // first line of the comment
} scene_entry;

static scene_entry *scenes = NULL;  // [scene_count], in order
static int scene_count = -1;        // not looked for yet

// ---- where

static bool is_directory(const char *path) {
  struct stat found;
  return stat(path, &found) == 0 && S_ISDIR(found.st_mode);
}

// Writes directory/name into path and says whether that is a directory.
static bool directory_in(const char *directory, const char *name, char *path, size_t size) {
  int n = snprintf(path, size, "%s/%s", directory, name);
  return n > 0 && (size_t)n < size && is_directory(path);
}

// Beside the bin/ the program is in, or in a source tree that it was built in.
static bool near_program(char *path, size_t size) {
  char program[MAX_PATH];
  ssize_t length = readlink("/proc/self/exe", program, sizeof program - 1);
  if (length <= 0) return false;
  program[length] = 0;
  for (int up = 0; up < LEVELS_UP; up++) {
    char *slash = strrchr(program, '/');
    if (!slash) return false;
    *slash = 0;
    if (directory_in(program, "share/stiction/scenes", path, size)) return true;
    if (directory_in(program, "scenes/moreau", path, size)) {
      *strrchr(path, '/') = 0;
      return true;
    }
  }
  return false;
}

// $STICTION_SCENES, NULL if it says nothing.
static const char *wished_directory(void) {
  const char *wish = getenv("STICTION_SCENES");
  return wish && *wish ? wish : NULL;
}

// $STICTION_SCENES, what came with the program, or scenes/ here.
static bool find_directory(char *path, size_t size) {
  const char *wish = wished_directory();
  if (wish) {
    snprintf(path, size, "%s", wish);
    return is_directory(path);
  }
  if (near_program(path, size)) return true;
  snprintf(path, size, "scenes");
  return is_directory(path);
}

static const char *scene_item(const void *none, int k) {
  (void)none;
  return cli_scene_name(k);
}

// There is neither a file nor a scene of that name: says where scenes were looked for.
static int complain_of(const char *word, const char *directory) {
  const char *nearest = stc_nearest_name(word, scene_item, NULL);
  if (nearest)
    return cli_complain("there is no scene '%s' in %s, nor a file of that name; did you mean '%s'?",
                        word, directory, nearest);
  return cli_complain("there is no scene '%s' in %s, nor a file of that name; "
                      "'stiction list scenes' shows the scenes",
                      word, directory);
}

static int complain_of_directory(const char *word) {
  const char *wish = wished_directory();
  if (wish)
    return cli_complain("there is no file '%s', and STICTION_SCENES names '%s', which is no "
                        "directory",
                        word, wish);
  return cli_complain("there is no file '%s', and no scenes came with this program: neither "
                      "share/stiction/scenes beside its bin/ nor scenes/ here is a directory; "
                      "set STICTION_SCENES to the directory that has them",
                      word);
}

// A file that cannot be looked at may be there: opening it says why it cannot be read.
static bool may_be_there(const char *path) {
  struct stat found;
  return stat(path, &found) == 0 || (errno != ENOENT && errno != ENOTDIR);
}

int cli_scene_path(const char *word, char *room, size_t size, const char **path) {
  char directory[MAX_PATH];
  struct stat found;
  *path = word;
  if (stat(word, &found) == 0) return CLI_DONE;
  bool has_directory = find_directory(directory, sizeof directory);
  size_t length = strlen(word);
  bool ends = length > 4 && !strcmp(word + length - 4, ".lua");
  int n = has_directory ? snprintf(room, size, "%s/%s%s", directory, word, ends ? "" : ".lua") : 0;
  bool fits = n > 0 && (size_t)n < size;
  if ((!fits || stat(room, &found) != 0) && may_be_there(word)) return CLI_DONE;
  if (!has_directory) return complain_of_directory(word);
  if (!fits || !may_be_there(room)) return complain_of(word, directory);
  *path = room;
  return CLI_DONE;
}

// ---- what

static void add_scene(const char *directory, const char *topic, const char *file) {
  char path[3 * MAX_PATH];
  size_t length = strlen(file);
  if (length < 5 || strcmp(file + length - 4, ".lua") != 0 || scene_count == MAX_SCENES) return;
  scene_entry *entry = &scenes[scene_count++];
  snprintf(entry->name, sizeof entry->name, "%.90s/%.*s", topic,
           (int)(length - 4 < 90 ? length - 4 : 90), file);
  snprintf(path, sizeof path, "%s/%s/%s", directory, topic, file);
  // "-- Block on an incline: ..." without the dashes.
  char *summary = entry->summary;
  char line[MAX_TEXT] = "";
  FILE *in = fopen(path, "r");
  summary[0] = 0;
  if (!in) return;
  if (fgets(line, sizeof line, in)) {
    line[strcspn(line, "\n")] = 0;
    snprintf(summary, MAX_TEXT, "%s", line + strspn(line, "- "));
  }
  fclose(in);
}

static void add_topic(const char *directory, const char *topic) {
  char path[2 * MAX_PATH];
  snprintf(path, sizeof path, "%s/%s", directory, topic);
  DIR *list = topic[0] == '.' ? NULL : opendir(path);
  if (!list) return;
  for (struct dirent *entry; (entry = readdir(list));) add_scene(directory, topic, entry->d_name);
  closedir(list);
}

static int by_scene_name(const void *a, const void *b) {
  return strcmp(((const scene_entry *)a)->name, ((const scene_entry *)b)->name);
}

static void look_for_scenes(void) {
  char directory[MAX_PATH];
  scene_count = 0;
  scenes = calloc(MAX_SCENES, sizeof *scenes);
  if (!scenes || !find_directory(directory, sizeof directory)) return;
  DIR *list = opendir(directory);
  if (!list) return;
  for (struct dirent *entry; (entry = readdir(list));) add_topic(directory, entry->d_name);
  closedir(list);
  qsort(scenes, (size_t)scene_count, sizeof *scenes, by_scene_name);
}

const char *cli_scene_name(int k) {
  if (scene_count < 0) look_for_scenes();
  return k >= 0 && k < scene_count ? scenes[k].name : NULL;
}

const char *cli_scene_summary(int k) { return cli_scene_name(k) ? scenes[k].summary : NULL; }
