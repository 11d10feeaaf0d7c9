// Reads the part of HDF5 that FCLIB files consist of, without libhdf5.
//
// libhdf5 trusts what it reads: a damaged or hostile file can make it crash, loop, leak or print.
// FCLIB needs little of HDF5, so this reader knows that little and refuses the rest with a
// sentence: superblock 0 to 3, object headers 1 and 2, groups as symbol tables or compact links,
// contiguous or compact vectors and matrices of standard integers, reals and fixed-length text.
// Links that lead elsewhere are not followed. Every address and length is checked against the size
// of the file. Layouts and numbers: "HDF5 File Format Specification Version 3.0".
#ifndef STC_FCLIB_H5_H
#define STC_FCLIB_H5_H

#include "../../base/fail.h"
#include "../../base/memory.h"

#include <stdint.h>

typedef enum stc_h5_kind { STC_H5_NOTHING, STC_H5_GROUP, STC_H5_DATASET } stc_h5_kind;

typedef enum stc_h5_class {
  STC_H5_INTEGER,   ///< 1, 2, 4 or 8 bytes, signed or not
  STC_H5_REAL,      ///< IEEE, 4 or 8 bytes
  STC_H5_TEXT,      ///< fixed length
  STC_H5_LONG_TEXT  ///< variable length
} stc_h5_class;

/// What a name leads to.
typedef struct stc_h5_object {
  stc_h5_kind kind;
  stc_h5_class class;  ///< datasets from here on
  bool is_signed;
  bool is_big_endian;
  uint64_t width;      ///< bytes of an element
  uint64_t count;      ///< elements
  uint64_t extent[2];  ///< rows and columns; a vector has one column
  uint64_t start;      ///< where they lie in the file
  uint64_t extent_at;  ///< where the extents stand in the file
  uint64_t place_at;   ///< where `start` and the length in bytes stand; 0 if in the header
} stc_h5_object;

typedef struct stc_h5 {
  int fd;
  uint64_t size;     ///< of the file, bytes
  uint64_t root;     ///< object header of the root group
  stc_arena arena;   ///< what one search has read
  uint64_t visited;  ///< bytes one search has read; bounded, so that no loop is endless
} stc_h5;

/// Opens a file and checks its superblock. Call stc_h5_close in any case.
stc_error stc_h5_open(stc_h5 *h5, const char *path);
void stc_h5_close(stc_h5 *h5);

/// What "group/group/name" leads to; kind STC_H5_NOTHING if there is no such name.
stc_error stc_h5_find(stc_h5 *h5, const char *path, stc_h5_object *object);

/// The first `count` <= object->count integers; refuses one that does not fit an int.
stc_error stc_h5_ints(stc_h5 *h5, const stc_h5_object *object, uint64_t count, int *values);

/// The first `count` <= object->count integers or reals as double.
stc_error stc_h5_doubles(stc_h5 *h5, const stc_h5_object *object, uint64_t count, double *values);

/// The first text of a dataset of either kind of text, terminated, in the arena.
stc_error stc_h5_text(stc_h5 *h5, const stc_h5_object *object, stc_arena *arena, char **text);

#endif
