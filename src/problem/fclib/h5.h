// Reads HDF5 files without libhdf5, as far as files with numbers go.
//
// libhdf5 trusts what it reads: a damaged or hostile file can make it crash, loop, leak or print.
// This reader checks every address and length against the size of the file and bounds what a file
// may expand to. It knows superblocks 0 to 3, behind a user block or not, object headers 1 and 2,
// groups as symbol tables, compact or dense links, vectors and matrices of integers, reals and
// text, contiguous, compact, chunked with every kind of index, compressed (gzip, lzf, shuffle,
// fletcher32), or never written, which reads as the fill value. The rest is refused with a
// sentence, and links that lead elsewhere are not followed. Layouts and numbers: "HDF5 File Format
// Specification Version 3.0".
#ifndef STC_PROBLEM_H5_H
#define STC_PROBLEM_H5_H

#include "../../base/fail.h"
#include "../../base/memory.h"

#include <stdint.h>

typedef enum stc_h5_kind { STC_H5_NOTHING, STC_H5_GROUP, STC_H5_DATASET } stc_h5_kind;

typedef enum stc_h5_class {
  STC_H5_INTEGER,   ///< 1, 2, 4 or 8 bytes, signed or not
  STC_H5_REAL,      ///< IEEE, 2, 4 or 8 bytes
  STC_H5_TEXT,      ///< fixed length
  STC_H5_LONG_TEXT  ///< variable length
} stc_h5_class;

/// Where the elements of a dataset are.
typedef enum stc_h5_storage {
  STC_H5_PLAIN,      ///< in the file, contiguous
  STC_H5_UNWRITTEN,  ///< nowhere: all are the fill value
  STC_H5_CHUNKED     ///< in pieces that an index leads to
} stc_h5_storage;

/// What leads to the chunks of a dataset.
typedef enum stc_h5_index {
  STC_H5_INDEX_TREE,  ///< version 1
  STC_H5_INDEX_SINGLE,
  STC_H5_INDEX_IMPLICIT,
  STC_H5_INDEX_FIXED,
  STC_H5_INDEX_EXTENSIBLE,
  STC_H5_INDEX_TREE2
} stc_h5_index;

enum { STC_H5_MOST_FILTERS = 8 };

typedef struct stc_h5_chunking {
  stc_h5_index index;
  uint64_t index_at;   ///< address of the index, or of the chunk itself
  uint64_t extent[2];  ///< rows and columns of a chunk
  uint64_t bytes;      ///< of a chunk that is not compressed
  uint64_t single;     ///< bytes of a single chunk as stored
  uint32_t single_mask;
  bool edges_unfiltered;  ///< chunks that reach over the end of the dataset
  int filters;
  uint16_t filter[STC_H5_MOST_FILTERS];    ///< in the order of writing
  uint32_t shuffled[STC_H5_MOST_FILTERS];  ///< bytes of the elements that were shuffled
} stc_h5_chunking;

/// What a name leads to.
typedef struct stc_h5_object {
  stc_h5_kind kind;
  stc_h5_class class;  ///< datasets from here on
  bool is_signed;
  bool is_big_endian;
  uint64_t width;  ///< bytes of an element
  uint64_t count;  ///< elements
  int rank;
  uint64_t extent[2];  ///< rows and columns; a vector has one column
  uint64_t most[2];    ///< greatest extents; UINT64_MAX: no limit
  stc_h5_storage storage;
  uint64_t start;      ///< where plain elements lie in the file
  uint64_t extent_at;  ///< where the extents stand in the file
  uint64_t place_at;   ///< where `start` and the length in bytes stand; 0 if in the header
  uint64_t fill_at;    ///< where the fill value stands; 0: it is zero
  bool has_fill;       ///< false: what was not written has no value
  stc_h5_chunking chunks;
} stc_h5_object;

typedef struct stc_h5 {
  int fd;
  uint64_t base;     ///< where HDF5 begins: bytes of the user block
  uint64_t size;     ///< of the file behind the user block, bytes
  uint64_t root;     ///< object header of the root group
  stc_arena arena;   ///< what one search has read
  uint64_t visited;  ///< bytes one search has read; bounded, so that no loop is endless
} stc_h5;

/// Opens a file and checks its superblock. Call stc_h5_close in any case.
stc_error stc_h5_open(stc_h5 *h5, const char *path);
void stc_h5_close(stc_h5 *h5);

/// What "group/group/name" leads to; kind STC_H5_NOTHING if there is no such name.
stc_error stc_h5_find(stc_h5 *h5, const char *path, stc_h5_object *object);

/// Bytes that reading the dataset may take and decode in memory, besides the result; 0 where it is
/// read piece by piece.
uint64_t stc_h5_cost(const stc_h5_object *object);

/// What a file of `size` bytes may expand to, bytes.
uint64_t stc_h5_limit(uint64_t size);

/// Whether all elements were written. Those that were not are read as the fill value.
stc_error stc_h5_is_written(stc_h5 *h5, const stc_h5_object *object, bool *is_written);

/// The first `count` <= object->count integers, or reals without a fraction; refuses one that does
/// not fit an int.
stc_error stc_h5_ints(stc_h5 *h5, const stc_h5_object *object, uint64_t count, int *values);

/// The first `count` <= object->count integers or reals as double.
stc_error stc_h5_doubles(stc_h5 *h5, const stc_h5_object *object, uint64_t count, double *values);

/// The first text of a dataset of either kind of text, terminated, in the arena.
stc_error stc_h5_text(stc_h5 *h5, const stc_h5_object *object, stc_arena *arena, char **text);

#endif
