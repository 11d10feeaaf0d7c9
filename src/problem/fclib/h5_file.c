// An HDF5 file, its superblock, and the way from the root group to a name.
#include "h5_parts.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

// One search may read this many times the size of the file, and a little more: names may share
// their tables, but a search that reads everything again and again runs in circles.
enum { ALLOWANCE_FACTOR = 4, ALLOWANCE_EXTRA = 1 << 16 };

enum {
  LONGEST_SUPERBLOCK = 104,
  FIRST_USER_BLOCK = 512  // bytes; others are twice, four times, ... as long
};

static const uint8_t SIGNATURE[8] = {0x89, 'H', 'D', 'F', '\r', '\n', 0x1a, '\n'};

// --- Bytes ---

const uint8_t *stc_cursor_skip(stc_cursor *cursor, size_t bytes) {
  cursor->bad = cursor->bad || bytes > cursor->left;
  if (cursor->bad) return NULL;
  const uint8_t *at = cursor->at;
  cursor->at += bytes;
  cursor->left -= bytes;
  cursor->address += bytes;
  return at;
}

uint64_t stc_cursor_take(stc_cursor *cursor, size_t bytes) {
  const uint8_t *at = stc_cursor_skip(cursor, bytes);
  uint64_t value = 0;
  for (size_t k = at ? bytes : 0; k-- > 0;) value = value << 8 | at[k];
  return value;
}

bool stc_cursor_match(stc_cursor *cursor, const char *signature) {
  const uint8_t *at = stc_cursor_skip(cursor, 4);
  return at && memcmp(at, signature, 4) == 0;
}

stc_error stc_h5_damaged(uint64_t address, const char *what) {
  return stc_fail(STC_ERR_FORMAT,
                  "the HDF5 structure is damaged at byte %llu (%s); get the file again from its "
                  "source",
                  (unsigned long long)address, what);
}

stc_error stc_h5_refuse(const char *feature) {
  return stc_fail(STC_ERR_FORMAT,
                  "the file has %s, which is not read; rewrite it with "
                  "'h5repack -l CONTI -f NONE OLD NEW'",
                  feature);
}

stc_error stc_h5_load(const stc_h5 *h5, uint64_t address, size_t length, void *buffer) {
  enum { PIECE = 1 << 24 };  // bytes of a call: a signal waits until it returns
  size_t done = 0;
  while (done < length) {
    off_t at = (off_t)(h5->base + address + done);
    size_t size = length - done < PIECE ? length - done : PIECE;
    ssize_t got = pread(h5->fd, (uint8_t *)buffer + done, size, at);
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) return stc_fail(STC_ERR_FILE, "cannot read: %s", strerror(errno));
    if (got == 0) return stc_fail(STC_ERR_FILE, "the file shrank while it was read");
    done += (size_t)got;
  }
  return STC_OK;
}

stc_error stc_h5_bytes(stc_h5 *h5, uint64_t address, uint64_t length, stc_cursor *cursor) {
  if (address > h5->size || length > h5->size - address)
    return stc_h5_damaged(address, "it points past the end of the file");
  h5->visited += length;
  if (h5->visited > ALLOWANCE_FACTOR * h5->size + ALLOWANCE_EXTRA)
    return stc_h5_damaged(address, "its tables run in circles");
  uint8_t *buffer = STC_TAKE(&h5->arena, uint8_t, length);
  STC_TRY(stc_arena_check(&h5->arena));
  *cursor = (stc_cursor){.at = buffer, .left = (size_t)length, .address = address};
  return stc_h5_load(h5, address, (size_t)length, buffer);
}

stc_error stc_h5_checked(stc_h5 *h5, uint64_t address, uint64_t length, const char *signature,
                         stc_cursor *cursor) {
  STC_TRY(stc_h5_bytes(h5, address, length, cursor));
  stc_cursor whole = *cursor;
  cursor->left -= cursor->left < STC_H5_CHECKSUM ? cursor->left : STC_H5_CHECKSUM;
  stc_cursor end = {.at = whole.at + cursor->left, .left = whole.left - cursor->left};
  if (*signature && !stc_cursor_match(cursor, signature)) return stc_h5_damaged(address, signature);
  uint64_t stored = stc_cursor_take(&end, STC_H5_CHECKSUM);
  if (end.bad || !stc_h5_is_checksum(stored, whole.at, whole.left - STC_H5_CHECKSUM))
    return stc_h5_damaged(address, "checksum");
  return STC_OK;
}

// --- Superblock ---

// Version 0 and 1: sizes, shapes of tables, four addresses, and the entry of the root group.
static stc_error old_superblock(stc_h5 *h5, stc_cursor *c, uint64_t version, uint64_t *base,
                                uint64_t *end) {
  uint64_t versions = stc_cursor_take(c, 4);  // of free space, root group, (reserved), headers
  uint64_t sizes = stc_cursor_take(c, 2);
  stc_cursor_skip(c, version == 1 ? 13 : 9);  // shapes of tables, flags
  *base = stc_cursor_take(c, STC_H5_WORD);
  stc_cursor_skip(c, STC_H5_WORD);  // free space
  *end = stc_cursor_take(c, STC_H5_WORD);
  uint64_t driver = stc_cursor_take(c, STC_H5_WORD);
  stc_cursor_skip(c, STC_H5_WORD);  // name of the root group: none
  h5->root = stc_cursor_take(c, STC_H5_WORD);
  if (c->bad || versions) return stc_h5_damaged(h5->base, "superblock");
  if (sizes != (STC_H5_WORD << 8 | STC_H5_WORD)) return stc_h5_refuse("addresses of odd size");
  if (driver != STC_H5_UNDEFINED) return stc_h5_refuse("a driver block");
  return STC_OK;
}

// Version 2 and 3: sizes, base, extension, end of file, root group, checksum.
static stc_error new_superblock(stc_h5 *h5, stc_cursor *c, uint64_t *base, uint64_t *end) {
  const uint8_t *start = c->at - sizeof SIGNATURE - 1;
  uint64_t sizes = stc_cursor_take(c, 2);
  stc_cursor_skip(c, 1);  // flags
  *base = stc_cursor_take(c, STC_H5_WORD);
  stc_cursor_skip(c, STC_H5_WORD);  // extension: how libhdf5 manages space, no data
  *end = stc_cursor_take(c, STC_H5_WORD);
  h5->root = stc_cursor_take(c, STC_H5_WORD);
  size_t length = c->bad ? 0 : (size_t)(c->at - start);
  uint64_t checksum = stc_cursor_take(c, STC_H5_CHECKSUM);
  if (c->bad || !stc_h5_is_checksum(checksum, start, length))
    return stc_h5_damaged(h5->base, "checksum of the superblock");
  if (sizes != (STC_H5_WORD << 8 | STC_H5_WORD)) return stc_h5_refuse("addresses of odd size");
  return STC_OK;
}

// The signature is at the beginning, or behind a user block of 512, 1024, 2048, ... bytes, as in
// files of MATLAB. Addresses count from there.
static stc_error find_signature(stc_h5 *h5) {
  uint64_t size = h5->size;
  for (uint64_t at = 0; at + sizeof SIGNATURE <= size; at = at ? 2 * at : FIRST_USER_BLOCK) {
    uint8_t found[sizeof SIGNATURE];
    STC_TRY(stc_h5_load(h5, at, sizeof found, found));
    if (memcmp(found, SIGNATURE, sizeof found) != 0) continue;
    h5->base = at;
    h5->size = size - at;
    return STC_OK;
  }
  return stc_fail(STC_ERR_FORMAT, "not an HDF5 file; FCLIB problems are stored as HDF5");
}

// The end of the file is an address as seen from the base that the superblock declares, which is
// another one than ours if the user block was added or taken off later.
static stc_error superblock(stc_h5 *h5) {
  stc_cursor c;
  uint64_t base = 0, end = 0;
  STC_TRY(find_signature(h5));
  uint64_t most = h5->size < LONGEST_SUPERBLOCK ? h5->size : LONGEST_SUPERBLOCK;
  STC_TRY(stc_h5_bytes(h5, 0, most, &c));
  stc_cursor_skip(&c, sizeof SIGNATURE);
  uint64_t version = stc_cursor_take(&c, 1);
  if (version > 3) return stc_h5_damaged(h5->base + 8, "version of the superblock");
  STC_TRY(version < 2 ? old_superblock(h5, &c, version, &base, &end)
                      : new_superblock(h5, &c, &base, &end));
  if (end < base || end - base > h5->size)
    return stc_fail(
        STC_ERR_FORMAT, "the file is truncated: %llu bytes of %llu; get it again from its source",
        (unsigned long long)(h5->base + h5->size), (unsigned long long)(h5->base + end - base));
  return STC_OK;
}

stc_error stc_h5_open(stc_h5 *h5, const char *path) {
  *h5 = (stc_h5){.fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)};
  struct stat status;
  if (h5->fd < 0 || fstat(h5->fd, &status) != 0)
    return stc_fail(STC_ERR_FILE, "cannot open: %s", strerror(errno));
  if (!S_ISREG(status.st_mode)) return stc_fail(STC_ERR_FILE, "not a regular file");
  h5->size = (uint64_t)status.st_size;
  return superblock(h5);
}

void stc_h5_close(stc_h5 *h5) {
  if (h5->fd >= 0) close(h5->fd);
  h5->fd = -1;
  stc_arena_free(&h5->arena);
}

// --- Names ---

static stc_error walk(stc_h5 *h5, const char *path, stc_h5_object *object) {
  stc_message *messages = NULL;
  uint64_t address = h5->root;
  for (;;) {
    STC_TRY(stc_h5_header(h5, address, &messages));
    STC_TRY(stc_h5_describe(h5, address, messages, object));
    if (!*path) return STC_OK;
    stc_h5_search search = {.name = path, .length = strcspn(path, "/")};
    if (object->kind == STC_H5_GROUP) STC_TRY(stc_h5_lookup(h5, messages, &search));
    *object = (stc_h5_object){.kind = STC_H5_NOTHING};
    if (!search.found) return STC_OK;
    address = search.address;
    path += search.length + (path[search.length] == '/');
  }
}

stc_error stc_h5_find(stc_h5 *h5, const char *path, stc_h5_object *object) {
  h5->visited = 0;
  stc_error error = walk(h5, path, object);
  stc_arena_free(&h5->arena);
  return error;
}
