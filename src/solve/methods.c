// The table of methods.
#include "method.h"

#include <string.h>

#define ROW(name) &stc_method_##name,
static const stc_method *const table[] = {STC_METHODS(ROW)};
#undef ROW

enum { METHODS = sizeof table / sizeof *table };

const stc_method *stc_method_find(const char *name) {
  for (int k = 0; k < METHODS; k++)
    if (strcmp(table[k]->name, name) == 0) return table[k];
  return NULL;
}

const char *stc_method_name(int k) { return k >= 0 && k < METHODS ? table[k]->name : NULL; }
const char *stc_method_summary(int k) { return k >= 0 && k < METHODS ? table[k]->summary : NULL; }
