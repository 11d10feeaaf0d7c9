// What the files of the HDF5 reader share: bytes of the file, messages of an object header.
#ifndef STC_FCLIB_H5_PARTS_H
#define STC_FCLIB_H5_PARTS_H

#include "h5.h"

#define STC_H5_UNDEFINED UINT64_MAX  // the "no such thing" address of HDF5

enum { STC_H5_WORD = 8 };  // bytes of an address and of a length

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

/// What HDF5 puts after its newer structures to tell damaged ones.
uint32_t stc_h5_checksum(const uint8_t *bytes, size_t count);

/// "the HDF5 structure is damaged ..." with what is wrong there.
stc_error stc_h5_damaged(uint64_t address, const char *what);

/// A valid HDF5 feature that no FCLIB writer uses, and how to do without.
stc_error stc_h5_refuse(const char *feature);

/// Kinds of header messages the reader knows.
enum {
  STC_MESSAGE_DATASPACE = 0x01,
  STC_MESSAGE_LINK_INFO = 0x02,
  STC_MESSAGE_DATATYPE = 0x03,
  STC_MESSAGE_FILL = 0x05,
  STC_MESSAGE_LINK = 0x06,
  STC_MESSAGE_EXTERNAL = 0x07,
  STC_MESSAGE_LAYOUT = 0x08,
  STC_MESSAGE_FILTERS = 0x0B,
  STC_MESSAGE_CONTINUATION = 0x10,
  STC_MESSAGE_SYMBOL_TABLE = 0x11
};

typedef struct stc_message {
  int type;
  bool is_shared;  ///< the body only tells where the message lies
  stc_cursor body;
  struct stc_message *next;
} stc_message;

/// The messages of the object header at `address`, continuations followed.
stc_error stc_h5_header(stc_h5 *h5, uint64_t address, stc_message **messages);

/// The first message of a type, NULL if there is none.
const stc_message *stc_message_find(const stc_message *messages, int type);

/// What an object header describes: kind and, for a dataset, its elements.
stc_error stc_h5_describe(const stc_h5 *h5, uint64_t address, const stc_message *messages,
                          stc_h5_object *object);

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
