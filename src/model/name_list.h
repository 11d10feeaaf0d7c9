// Names of things, sorted at the first question after some came: all of a file are found in
// n log n, whatever they are.
#ifndef STC_MODEL_NAME_LIST_H
#define STC_MODEL_NAME_LIST_H

#include "xml.h"

typedef struct stc_named {
  const void *scope;  ///< equal names in different scopes are different
  const char *name;
  stc_xml *node;
  int number;
} stc_named;

/// Zero-initialise it. The entries live in an arena.
typedef struct stc_name_list {
  int count, sorted, room;
  stc_named *named;
} stc_name_list;

void stc_names_add(stc_name_list *list, stc_arena *arena, const stc_named *named);

/// The one with the lowest number; NULL: there is none.
stc_named *stc_names_find(stc_name_list *list, const void *scope, const char *name);

/// One that has the scope and the name of another with a lower number; NULL: there is none.
const stc_named *stc_names_twice(stc_name_list *list);

#endif
