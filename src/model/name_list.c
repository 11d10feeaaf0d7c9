// Names of things, sorted.
#include "name_list.h"

#include <stdlib.h>
#include <string.h>

static int compare_keys(const stc_named *a, const void *scope, const char *name) {
  if (a->scope != scope) return (uintptr_t)a->scope < (uintptr_t)scope ? -1 : 1;
  return strcmp(a->name, name);
}

static int compare_named(const void *a, const void *b) {
  const stc_named *x = a, *y = b;
  int order = compare_keys(x, y->scope, y->name);
  return order ? order : (x->number > y->number) - (x->number < y->number);
}

void stc_names_add(stc_name_list *list, stc_arena *arena, const stc_named *named) {
  stc_named *more = stc_arena_more(arena, list->named, list->count, &list->room, sizeof *more);
  if (!more) return;
  list->named = more;
  list->named[list->count++] = *named;
}

static void sort_names(stc_name_list *list) {
  if (list->sorted < list->count)
    qsort(list->named, (size_t)list->count, sizeof *list->named, compare_named);
  list->sorted = list->count;
}

stc_named *stc_names_find(stc_name_list *list, const void *scope, const char *name) {
  int low = 0, high = list->count;
  sort_names(list);
  while (low < high) {
    int middle = low + (high - low) / 2;
    if (compare_keys(&list->named[middle], scope, name) < 0)
      low = middle + 1;
    else
      high = middle;
  }
  bool found = low < list->count && compare_keys(&list->named[low], scope, name) == 0;
  return found ? &list->named[low] : NULL;
}

const stc_named *stc_names_twice(stc_name_list *list) {
  sort_names(list);
  for (int k = 1; k < list->count; k++)
    if (!compare_keys(&list->named[k], list->named[k - 1].scope, list->named[k - 1].name))
      return &list->named[k];
  return NULL;
}
