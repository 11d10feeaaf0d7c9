// The name nearest to a word by spelling, for "did you mean".
#include "number.h"

#include <stiction/base.h>

#include <limits.h>
#include <string.h>

enum { LONGEST = 64 };  // longer words are not compared

static int least_of(int a, int b) { return a < b ? a : b; }

static bool same_letter(char a, char b) { return stc_lower(a) == stc_lower(b); }

// A word that begins a longer name, or ends it behind a dot, counts as one edit: "max" for
// "max-iter", "omega" for "nsgs.omega".
static int distance(const char *word, const char *name) {
  size_t length = strlen(word);
  const char *dot = strrchr(name, '.');
  if (length > LONGEST || strlen(name) > LONGEST) return INT_MAX;
  if (length >= 2 && !strncmp(word, name, length)) return 1;
  if (dot && !strcmp(word, dot + 1)) return 1;
  // Insertions, deletions, replacements and swaps of neighbours that turn a into b, case ignored
  // [optimal string alignment].
  int rows = (int)strlen(word), cols = (int)strlen(name);
  int d[LONGEST + 1][LONGEST + 1];
  for (int i = 0; i <= rows; i++) d[i][0] = i;
  for (int j = 0; j <= cols; j++) d[0][j] = j;
  for (int i = 1; i <= rows; i++) {
    for (int j = 1; j <= cols; j++) {
      int replaced = d[i - 1][j - 1] + !same_letter(word[i - 1], name[j - 1]);
      d[i][j] = least_of(replaced, least_of(d[i - 1][j], d[i][j - 1]) + 1);
      bool swapped = i > 1 && j > 1 && same_letter(word[i - 1], name[j - 2]) &&
                     same_letter(word[i - 2], name[j - 1]);
      if (swapped) d[i][j] = least_of(d[i][j], d[i - 2][j - 2] + 1);
    }
  }
  return d[rows][cols];
}

const char *stc_nearest_name(const char *word, stc_name_fn name, const void *user) {
  const char *nearest = NULL;
  int least = 2 + (int)strlen(word) / 3;  // a third of the letters may be wrong, and one more
  for (int k = 0; name(user, k); k++) {
    int d = distance(word, name(user, k));
    if (d >= least) continue;
    least = d;
    nearest = name(user, k);
  }
  return nearest;
}
