// The tree of names of a file in the making.
#include "h5_image_parts.h"

#include "../../base/save.h"

#include <stdlib.h>
#include <string.h>

void stc_image_close(stc_image *image) {
  stc_arena_free(&image->arena);
  image->root = NULL;
}

uint64_t stc_image_bytes(const stc_image_array *array) {
  uint64_t bytes = array->width;
  for (int k = 0; k < array->rank; k++) bytes *= array->extent[k];
  return bytes;
}

// --- Names ---

static bool is_called(const stc_image_node *node, const char *name, size_t length) {
  return strncmp(node->name, name, length) == 0 && node->name[length] == 0;
}

static stc_image_node *append_node(stc_image *image, stc_image_node *group, const char *name,
                                   size_t length) {
  stc_image_node *node = STC_TAKE(&image->arena, stc_image_node, 1);
  char *copy = STC_TAKE(&image->arena, char, length + 1);
  if (!node || !copy) return NULL;
  node->name = memcpy(copy, name, length);
  if (!group) return node;
  if (group->last)
    group->last->next = node;
  else
    group->first = node;
  group->last = node;
  group->count++;
  return node;
}

// The last name first: what is put comes group by group.
static stc_image_node *find_node(const stc_image_node *group, const char *name, size_t length) {
  if (group->last && is_called(group->last, name, length)) return group->last;
  stc_image_node *node = group->first;
  while (node && !is_called(node, name, length)) node = node->next;
  return node;
}

// What "a/b/c" leads to, made where it is missing; NULL out of memory.
static stc_image_node *reach(stc_image *image, stc_image_node *from, const char *path) {
  path += strspn(path, "/");
  if (!from || !*path) return from;
  size_t length = strcspn(path, "/");
  from->is_group = true;
  stc_image_node *node = find_node(from, path, length);
  if (!node) node = append_node(image, from, path, length);
  return reach(image, node, path + length);
}

// --- Datasets ---

static stc_image_node *put_in(stc_image *image, const char *group, const char *name) {
  if (!image->root) image->root = append_node(image, NULL, "", 0);
  return reach(image, reach(image, image->root, group), name);
}

static void put_array(stc_image *image, const char *group, const char *name,
                      stc_image_array array) {
  stc_image_node *node = put_in(image, group, name);
  if (node) node->array = array;
}

void stc_image_put(stc_image *image, const char *name, const stc_image_array *array) {
  put_array(image, "", name, *array);
}

static stc_image_array vector_of(stc_image_type type, size_t width, int count, const void *values) {
  return (stc_image_array){type, width, 1, {(uint64_t)count}, values};
}

void stc_image_ints(stc_image *image, const char *group, const char *name, int count,
                    const int *values) {
  put_array(image, group, name, vector_of(STC_IMAGE_INT, sizeof *values, count, values));
}

void stc_image_doubles(stc_image *image, const char *group, const char *name, int count,
                       const double *values) {
  put_array(image, group, name, vector_of(STC_IMAGE_DOUBLE, sizeof *values, count, values));
}

void stc_image_texts(stc_image *image, const char *group, const char *name, int count, size_t width,
                     const char *texts) {
  put_array(image, group, name, vector_of(STC_IMAGE_TEXT, width, count, texts));
}

void stc_image_text(stc_image *image, const char *group, const char *name, const char *text) {
  put_array(image, group, name,
            (stc_image_array){.type = STC_IMAGE_TEXT, .width = strlen(text) + 1, .values = text});
}

void stc_image_int(stc_image *image, const char *group, const char *name, int value) {
  int *copy = STC_TAKE(&image->arena, int, 1);
  if (!copy) return;
  *copy = value;
  stc_image_ints(image, group, name, 1, copy);
}

void stc_image_double(stc_image *image, const char *group, const char *name, double value) {
  double *copy = STC_TAKE(&image->arena, double, 1);
  if (!copy) return;
  *copy = value;
  stc_image_doubles(image, group, name, 1, copy);
}

// --- The file ---

static int by_name(const void *a, const void *b) {
  const stc_image_node *const *left = a, *const *right = b;
  return strcmp((*left)->name, (*right)->name);
}

// Symbol tables are in the order of their names.
static void sort_names(stc_arena *arena, stc_image_node *group) {
  size_t n = 0;
  group->sorted = STC_TAKE(arena, stc_image_node *, group->count);
  if (!group->sorted) return;
  for (stc_image_node *node = group->first; node; node = node->next) {
    group->sorted[n++] = node;
    if (node->is_group) sort_names(arena, node);
  }
  qsort(group->sorted, n, sizeof *group->sorted, by_name);
}

stc_error stc_image_save(stc_image *image, const char *path) {
  STC_TRY(stc_arena_check(&image->arena));
  sort_names(&image->arena, image->root);
  STC_TRY(stc_arena_check(&image->arena));
  uint64_t size = stc_image_place(image->root);
  uint8_t *bytes = stc_calloc((size_t)size, 1);
  if (!bytes)
    return stc_fail(STC_ERR_MEMORY, "out of memory for a file of %llu bytes",
                    (unsigned long long)size);
  stc_image_draw(image->root, size, bytes);
  stc_error error = stc_save(path, bytes, (size_t)size);
  stc_release(&bytes);
  return error;
}
