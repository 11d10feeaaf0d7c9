// The tree of names of a file in the making.
#include "h5_image_parts.h"

#include "../../base/save.h"

#include <string.h>

enum { MOST_NAMES = 65000 };  // of a group: its header counts messages in 16 bits

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
  *(group->last ? &group->last->next : &group->first) = node;
  group->last = node;
  group->is_group = true;
  image->crowded = image->crowded || ++group->count > MOST_NAMES;
  return node;
}

// What "a/b/c" leads to, made where it is missing; NULL out of memory. What is put comes group by
// group: the last name is tried first.
static stc_image_node *reach(stc_image *image, stc_image_node *from, const char *path) {
  while (from && *path) {
    size_t length = strcspn(path, "/");
    stc_image_node *node = from->last;
    if (!node || !is_called(node, path, length)) node = from->first;
    while (node && !is_called(node, path, length)) node = node->next;
    from = node ? node : append_node(image, from, path, length);
    path += length + (path[length] == '/');
  }
  return from;
}

// --- Datasets ---

static void put_array(stc_image *image, const char *group, const char *name,
                      const stc_image_array *array) {
  if (!image->root) image->root = append_node(image, NULL, "", 0);
  stc_image_node *node = reach(image, reach(image, image->root, group), name);
  if (node) node->array = *array;
}

void stc_image_put(stc_image *image, const char *name, const stc_image_array *array) {
  put_array(image, "", name, array);
}

void stc_image_vector(stc_image *image, const char *group, const char *name, stc_image_type type,
                      size_t width, int count, const void *values) {
  put_array(image, group, name, &(stc_image_array){type, width, 1, {(uint64_t)count}, values});
}

void stc_image_text(stc_image *image, const char *group, const char *name, const char *text) {
  put_array(image, group, name,
            &(stc_image_array){.type = STC_IMAGE_TEXT, .width = strlen(text) + 1, .values = text});
}

void stc_image_int(stc_image *image, const char *group, const char *name, int value) {
  int *copy = STC_TAKE(&image->arena, int, 1);
  if (copy) stc_image_ints(image, group, name, 1, memcpy(copy, &value, sizeof value));
}

void stc_image_double(stc_image *image, const char *group, const char *name, double value) {
  double *copy = STC_TAKE(&image->arena, double, 1);
  if (copy) stc_image_doubles(image, group, name, 1, memcpy(copy, &value, sizeof value));
}

// --- The file ---

stc_error stc_image_save(stc_image *image, const char *path) {
  STC_TRY(stc_arena_check(&image->arena));
  if (image->crowded)
    return stc_fail(STC_ERR_UNSUPPORTED, "a group would have more than %d names", MOST_NAMES);
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
