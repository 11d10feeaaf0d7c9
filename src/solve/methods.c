// The table of methods: adding one is a line here and its file.
#include "method.h"

#include <string.h>

static const stc_method *const table[] = {
    &stc_method_auto,        &stc_method_nsgs, &stc_method_newton,
    &stc_method_admm,        &stc_method_ipm,  &stc_method_path,
    &stc_method_fixed_point, &stc_method_apgd, &stc_method_schwarz,
};

enum { METHODS = sizeof table / sizeof *table };

const stc_method *stc_method_find(const char *name) {
  for (int k = 0; k < METHODS; k++)
    if (strcmp(table[k]->name, name) == 0) return table[k];
  return NULL;
}

const char *stc_method_name(int k) { return k >= 0 && k < METHODS ? table[k]->name : NULL; }
const char *stc_method_summary(int k) { return k >= 0 && k < METHODS ? table[k]->summary : NULL; }
