// Writes HDF5 files without libhdf5: groups and plain datasets, laid out in memory and saved in one
// go, so that a full disk or a crash leaves no half file.
//
// libhdf5 keeps global state and crashes where an allocation fails; what FCLIB and run files
// consist of is small. The format is an old one, which libhdf5 reads since version 1.8 of 2008:
// superblock 0, object headers 1, links in the header of their group, contiguous datasets. No time
// stamps: the same content gives the same bytes. "HDF5 File Format Specification Version 3.0".
#ifndef STC_PROBLEM_H5_IMAGE_H
#define STC_PROBLEM_H5_IMAGE_H

#include "../../base/fail.h"
#include "../../base/memory.h"

#include <stdint.h>

typedef enum stc_image_type { STC_IMAGE_INT, STC_IMAGE_DOUBLE, STC_IMAGE_TEXT } stc_image_type;

/// A dataset. Its values are those of the caller: they stay where they are until the file is saved.
typedef struct stc_image_array {
  stc_image_type type;
  size_t width;        ///< bytes of an element
  int rank;            ///< 0: one element, 1: vector, 2: matrix
  uint64_t extent[2];  ///< rows and columns
  const void *values;  ///< as in memory; an empty dataset has none
} stc_image_array;

/// A file in the making. Zero-initialise it. Allocations that fail are remembered and asked for
/// once, at the end.
typedef struct stc_image {
  stc_arena arena;              ///< names, tables
  struct stc_image_node *root;  ///< the root group; NULL: nothing yet
  bool crowded;                 ///< a group has more names than it may
} stc_image;

void stc_image_close(stc_image *image);

/// A dataset called "group/group/name"; the groups are made.
void stc_image_put(stc_image *image, const char *name, const stc_image_array *array);

/// Vectors, and `count` texts of `width` bytes each, as group/name.
void stc_image_vector(stc_image *image, const char *group, const char *name, stc_image_type type,
                      size_t width, int count, const void *values);
static inline void stc_image_ints(stc_image *image, const char *group, const char *name, int count,
                                  const int *values) {
  stc_image_vector(image, group, name, STC_IMAGE_INT, sizeof *values, count, values);
}
static inline void stc_image_doubles(stc_image *image, const char *group, const char *name,
                                     int count, const double *values) {
  stc_image_vector(image, group, name, STC_IMAGE_DOUBLE, sizeof *values, count, values);
}
static inline void stc_image_texts(stc_image *image, const char *group, const char *name, int count,
                                   size_t width, const char *texts) {
  stc_image_vector(image, group, name, STC_IMAGE_TEXT, width, count, texts);
}

/// One text.
void stc_image_text(stc_image *image, const char *group, const char *name, const char *text);

/// A vector of one element, which is copied.
void stc_image_int(stc_image *image, const char *group, const char *name, int value);
void stc_image_double(stc_image *image, const char *group, const char *name, double value);

/// Saves what was built as a whole file.
stc_error stc_image_save(stc_image *image, const char *path);

#endif
