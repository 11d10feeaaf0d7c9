// What building and laying out a file share: the tree of names. A group holds at least one name.
#ifndef STC_PROBLEM_H5_IMAGE_PARTS_H
#define STC_PROBLEM_H5_IMAGE_PARTS_H

#include "h5_image.h"

typedef struct stc_image_node {
  const char *name;
  struct stc_image_node *next;  ///< in the same group, as they were put
  bool is_group;
  stc_image_array array;                ///< of a dataset
  struct stc_image_node *first, *last;  ///< of a group
  size_t count;                         ///< names in a group
  uint64_t header;                      ///< addresses in the file: of the object header,
  uint64_t start;                       ///< of the values of a dataset
} stc_image_node;

/// Bytes of the values.
uint64_t stc_image_bytes(const stc_image_array *array);

/// Gives everything its address; returns the size of the file.
uint64_t stc_image_place(stc_image_node *root);

/// Writes everything to `bytes`, zeroed, whose number stc_image_place returned.
void stc_image_draw(const stc_image_node *root, uint64_t size, uint8_t *bytes);

#endif
