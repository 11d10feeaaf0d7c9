// Object headers, version 1 and 2: a list of messages in one or more chunks.
#include "h5_parts.h"

#include <string.h>

enum {
  MAX_CHUNKS = 256,        // pieces of one header; HDF5 adds one when attributes do not fit
  MAX_MESSAGES = 1 << 16,  // of one header
  V1_PREFIX = 16,          // bytes before the first message
  V2_PREFIX = 6,           // "OHDR", version, flags
  FLAG_TIMES = 0x20,       // flags of a header, version 2
  FLAG_PHASES = 0x10,
  FLAG_ORDER = 0x04,
  MESSAGE_SHARED = 0x02  // flag of a message
};

typedef struct header {
  stc_h5 *h5;
  uint64_t address;
  int version;
  int flags;
  stc_message *first, *last;
  int messages;
  int chunks;
} header;

static stc_error append(header *h, stc_message message) {
  stc_message *copy = STC_TAKE(&h->h5->arena, stc_message, 1);
  STC_TRY(stc_arena_check(&h->h5->arena));
  if (h->messages++ == MAX_MESSAGES) return stc_h5_damaged(h->address, "header without end");
  *copy = message;
  if (h->last) h->last->next = copy;
  if (!h->first) h->first = copy;
  h->last = copy;
  return STC_OK;
}

static stc_error next_message(header *h, stc_cursor *c) {
  bool old = h->version == 1;
  stc_message m = {.type = (int)stc_cursor_take(c, old ? 2 : 1)};
  size_t size = (size_t)stc_cursor_take(c, 2);
  m.is_shared = stc_cursor_take(c, 1) & MESSAGE_SHARED;
  stc_cursor_skip(c, old ? 3 : h->flags & FLAG_ORDER ? 2 : 0);
  m.body = (stc_cursor){.at = c->at, .left = size, .address = c->address};
  stc_cursor_skip(c, size);
  if (c->bad) return stc_h5_damaged(h->address, "message of a header");
  return append(h, m);
}

// The messages of one chunk; version 2 may leave a gap shorter than a message at its end.
static stc_error chunk_messages(header *h, stc_cursor c) {
  size_t least = h->version == 1 ? 8 : h->flags & FLAG_ORDER ? 6 : 4;
  while (c.left >= least) STC_TRY(next_message(h, &c));
  return STC_OK;
}

// Reads one chunk. Version 2 begins it with a signature and ends it with a checksum.
static stc_error read_chunk(header *h, uint64_t start, uint64_t length, const char *signature,
                            stc_cursor *c) {
  if (h->chunks++ == MAX_CHUNKS) return stc_h5_damaged(h->address, "header without end");
  return h->version == 1 ? stc_h5_bytes(h->h5, start, length, c)
                         : stc_h5_checked(h->h5, start, length, signature, c);
}

// The messages of the first chunk, and of those it leads to.
static stc_error all_messages(header *h, stc_cursor first) {
  STC_TRY(chunk_messages(h, first));
  for (stc_message *m = h->first; m; m = m->next)
    if (m->type == STC_MESSAGE_CONTINUATION) {
      stc_cursor body = m->body;
      uint64_t start = stc_cursor_take(&body, STC_H5_WORD),
               length = stc_cursor_take(&body, STC_H5_WORD);
      stc_cursor c;
      if (body.bad) return stc_h5_damaged(h->address, "continuation of a header");
      STC_TRY(read_chunk(h, start, length, "OCHK", &c));
      STC_TRY(chunk_messages(h, c));
    }
  return STC_OK;
}

static stc_error old_header(header *h, stc_cursor prefix) {
  stc_cursor_skip(&prefix, 8);  // version, number of messages, references
  uint64_t length = stc_cursor_take(&prefix, 4);
  stc_cursor c;
  h->version = 1;
  STC_TRY(read_chunk(h, h->address + V1_PREFIX, length, "", &c));
  return all_messages(h, c);
}

static stc_error new_header(header *h, stc_cursor prefix) {
  stc_cursor_skip(&prefix, 4);
  uint64_t version = stc_cursor_take(&prefix, 1);
  h->flags = (int)stc_cursor_take(&prefix, 1);
  if (version != 2) return stc_h5_damaged(h->address, "version of a header");
  size_t skip = V2_PREFIX + (h->flags & FLAG_TIMES ? 16u : 0u) + (h->flags & FLAG_PHASES ? 4u : 0u);
  size_t width = (size_t)1 << (h->flags & 3);  // of the length that follows
  stc_cursor c;
  h->version = 2;
  STC_TRY(stc_h5_bytes(h->h5, h->address, skip + width, &c));
  stc_cursor_skip(&c, skip);
  uint64_t length = stc_cursor_take(&c, width);
  if (length > h->h5->size) return stc_h5_damaged(h->address, "length of a header");
  STC_TRY(read_chunk(h, h->address, skip + width + length + STC_H5_CHECKSUM, "OHDR", &c));
  stc_cursor_skip(&c, skip + width - 4);
  return all_messages(h, c);
}

stc_error stc_h5_header(stc_h5 *h5, uint64_t address, stc_message **messages) {
  header h = {.h5 = h5, .address = address};
  stc_cursor prefix;
  STC_TRY(stc_h5_bytes(h5, address, V1_PREFIX, &prefix));
  if (memcmp(prefix.at, "OHDR", 4) == 0)
    STC_TRY(new_header(&h, prefix));
  else if (prefix.at[0] == 1)
    STC_TRY(old_header(&h, prefix));
  else
    return stc_h5_damaged(address, "no object header");
  *messages = h.first;
  return STC_OK;
}

const stc_message *stc_message_find(const stc_message *messages, int type) {
  const stc_message *m = messages;
  while (m && m->type != type) m = m->next;
  return m;
}
