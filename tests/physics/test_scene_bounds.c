// Every number of every scene at 0, -1 and 1e300: the scene is read, or refused with the name of
// the parameter.
#include "unit/expect.h"

#include <ctype.h>
#include <dirent.h>
#include <stdio.h>

#include <stiction/scene.h>

enum { ROOM = 1000 };

// The word stands alone in the sentence, behind the place.
static bool names(const char *sentence, const char *word) {
  const char *place = strstr(sentence, ".lua:");
  for (const char *at = place ? place + 5 : sentence; (at = strstr(at, word)); at++) {
    char before = at[-1], after = at[strlen(word)];
    if (!isalnum((unsigned char)before) && before != '_' && !isalnum((unsigned char)after) &&
        after != '_')
      return true;
  }
  return false;
}

static int try_value(const char *path, const char *name, const char *value) {
  char set[ROOM];
  snprintf(set, sizeof set, "%s=%s", name, value);
  const char *list[] = {set};
  stc_scene_options options = {.sets = 1, .set = list};
  stc_scene *scene = NULL;
  stc_error error = stc_scene_read(path, &options, &scene);
  stc_scene_free(&scene);
  if (!error || names(stc_error_detail(), name)) return 0;
  print_error("%s: %s\n", set, stc_error_detail());
  return 1;
}

static int try_scene(const char *path) {
  stc_scene *scene = NULL;
  stc_parameter p;
  int bad = 0;
  assert_int_equal(stc_scene_read(path, NULL, &scene), STC_OK);
  for (int k = 0; stc_scene_parameter(scene, k, &p); k++) {
    if (strcmp(p.type, "number") != 0) continue;
    bad += try_value(path, p.name, "0");
    bad += try_value(path, p.name, "-1");
    bad += try_value(path, p.name, "1e300");
  }
  stc_scene_free(&scene);
  return bad;
}

static void bounds_have_names(void **state) {
  static const char *const kinds[] = {"elastodynamic", "hertz", "moreau", "rigid", "thermal"};
  int scenes = 0, bad = 0;
  for (int k = 0; k < (int)(sizeof kinds / sizeof *kinds); k++) {
    char path[ROOM];
    snprintf(path, sizeof path, "scenes/%s", kinds[k]);
    DIR *folder = opendir(path);
    assert_non_null(folder);
    for (struct dirent *entry; (entry = readdir(folder));) {
      if (!strstr(entry->d_name, ".lua")) continue;
      snprintf(path, sizeof path, "scenes/%s/%s", kinds[k], entry->d_name);
      bad += try_scene(path);
      scenes++;
    }
    closedir(folder);
  }
  assert_true(scenes >= 40);
  assert_int_equal(bad, 0);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(bounds_have_names)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
