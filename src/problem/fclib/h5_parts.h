// What the files of the HDF5 reader share: bytes of the file, messages of an object header.
#ifndef STC_PROBLEM_H5_PARTS_H
#define STC_PROBLEM_H5_PARTS_H

#include "h5.h"

#define STC_H5_UNDEFINED UINT64_MAX  // the "no such thing" address of HDF5

enum {
  STC_H5_WORD = 8,     // bytes of an address and of a length
  STC_H5_CHECKSUM = 4  // bytes
};

/// How many pieces of `most` elements `count` of them are.
static inline uint64_t stc_h5_pieces(uint64_t count, uint64_t most) {
  return count / most + (count % most > 0);
}

/// Bytes that hold every number up to `most`.
static inline uint64_t stc_h5_width(uint64_t most) {
  uint64_t bytes = 1;
  while (bytes < 8 && most >> 8 * bytes) bytes++;
  return bytes;
}

static inline bool stc_h5_is_power(uint64_t x) { return x && !(x & (x - 1)); }

/// Whether this machine puts the highest byte of a number first.
static inline bool stc_h5_is_big_endian(void) {
  const uint16_t one = 1;
  return *(const uint8_t *)&one == 0;
}

/// Bytes yet to be decoded. Taking more than there is sets `bad` and yields 0.
typedef struct stc_cursor {
  const uint8_t *at;
  size_t left;
  uint64_t address;  ///< of `at` in the file
  bool bad;
} stc_cursor;

uint64_t stc_cursor_take(stc_cursor *cursor, size_t bytes);  ///< little-endian number, <= 8 bytes
const uint8_t *stc_cursor_skip(stc_cursor *cursor, size_t bytes);  ///< where they start, or NULL
bool stc_cursor_match(stc_cursor *cursor, const char *signature);  ///< takes four letters

/// `length` bytes at `address`, valid until the search ends.
stc_error stc_h5_bytes(stc_h5 *h5, uint64_t address, uint64_t length, stc_cursor *cursor);

/// The same into a buffer of the caller, not counted.
stc_error stc_h5_load(const stc_h5 *h5, uint64_t address, size_t length, void *buffer);

/// What HDF5 puts after its newer structures to tell damaged ones, also the hash of names.
uint32_t stc_h5_checksum(const uint8_t *bytes, size_t count);

/// Whether `stored` is the checksum of the bytes. In a fuzzer the answer is always yes: it would
/// not guess one.
bool stc_h5_is_checksum(uint64_t stored, const uint8_t *bytes, size_t count);

/// "the HDF5 structure is damaged ..." with what is wrong there.
stc_error stc_h5_damaged(uint64_t address, const char *what);

/// A valid HDF5 feature that is not read, and how to do without.
stc_error stc_h5_refuse(const char *feature);

/// `length` bytes at `address` that end with a checksum, which is checked and taken off, and begin
/// with a signature, which is taken.
stc_error stc_h5_checked(stc_h5 *h5, uint64_t address, uint64_t length, const char *signature,
                         stc_cursor *cursor);

/// Kinds of header messages the reader knows.
enum {
  STC_MESSAGE_DATASPACE = 0x01,
  STC_MESSAGE_LINK_INFO = 0x02,
  STC_MESSAGE_DATATYPE = 0x03,
  STC_MESSAGE_OLD_FILL = 0x04,
  STC_MESSAGE_FILL = 0x05,
  STC_MESSAGE_LINK = 0x06,
  STC_MESSAGE_EXTERNAL = 0x07,
  STC_MESSAGE_LAYOUT = 0x08,
  STC_MESSAGE_GROUP_INFO = 0x0A,
  STC_MESSAGE_FILTERS = 0x0B,
  STC_MESSAGE_CONTINUATION = 0x10,
  STC_MESSAGE_SYMBOL_TABLE = 0x11
};

typedef struct stc_message {
  int type;
  bool is_shared;  ///< the body holds the place of the message only
  stc_cursor body;
  struct stc_message *next;
} stc_message;

/// The messages of the object header at `address`, continuations followed.
stc_error stc_h5_header(stc_h5 *h5, uint64_t address, stc_message **messages);

/// The first message of a type, NULL if there is none.
const stc_message *stc_message_find(const stc_message *messages, int type);

/// What an object header describes: kind and, for a dataset, its elements.
stc_error stc_h5_describe(stc_h5 *h5, uint64_t address, const stc_message *messages,
                          stc_h5_object *object);

/// Where the elements of a dataset of known extent and type are, and what they are if nowhere.
stc_error stc_h5_place(const stc_h5 *h5, uint64_t address, const stc_message *messages,
                       stc_h5_object *object);

/// A chunk of a dataset, as an index has it.
typedef struct stc_h5_chunk {
  uint64_t at[2];  ///< in the grid of chunks
  uint64_t address;
  uint64_t bytes;  ///< as stored
  uint32_t mask;   ///< filters that were left out
} stc_h5_chunk;

typedef stc_error (*stc_h5_visit_chunk)(void *user, const stc_h5_chunk *chunk);

/// Visits the chunks that were written, those within the extent of the dataset, in the order of the
/// index.
stc_error stc_h5_each_chunk(stc_h5 *h5, const stc_h5_object *object, stc_h5_visit_chunk visit,
                            void *user);

/// Undoes the filters of a chunk: `bytes` stored ones at `stored`, chunks->bytes to `plain`.
stc_error stc_h5_unfilter(const stc_h5_object *object, const stc_h5_chunk *chunk, uint8_t *plain,
                          const uint8_t *stored);

/// All elements of a dataset that is not plain, as the file has them, in the arena.
stc_error stc_h5_gather(stc_h5 *h5, const stc_h5_object *object, stc_arena *arena, uint8_t **bytes);

/// Visits the entries in the leaves of a tree of version 1 whose nodes are of `type`: a key of so
/// many bytes and the address of what it leads to. Levels fall by one down to the leaves. Ends
/// early where `visit` sets *over.
typedef stc_error (*stc_h5_visit_entry)(void *user, stc_cursor key, uint64_t address, bool *over);
stc_error stc_h5_walk_tree1(stc_h5 *h5, uint64_t address, uint64_t type, size_t key,
                            stc_h5_visit_entry visit, void *user);

/// A walk over the records of a tree of version 2. `side` says where what is looked for lies from a
/// record: -1 before, 1 behind, 0 at it; without it everything is visited.
typedef struct stc_h5_walk {
  int type;        ///< of the records
  uint64_t least;  ///< bytes of a record, at least
  stc_error (*visit)(void *user, stc_cursor record);
  int (*side)(void *user, stc_cursor record);
  void *user;
} stc_h5_walk;
stc_error stc_h5_walk_tree2(stc_h5 *h5, uint64_t address, const stc_h5_walk *walk);

/// An object of a fractal heap, by its identifier there.
stc_error stc_h5_heap_object(stc_h5 *h5, uint64_t heap, stc_cursor id, stc_cursor *object);

/// A name that is looked for in a group.
typedef struct stc_h5_search {
  const char *name;  ///< not terminated
  size_t length;
  bool found;
  uint64_t address;  ///< of the object header, if found
} stc_h5_search;

/// Looks for the name in the group whose header is given.
stc_error stc_h5_lookup(stc_h5 *h5, const stc_message *messages, stc_h5_search *search);

#endif
