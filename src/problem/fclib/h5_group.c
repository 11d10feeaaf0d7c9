// Names of a group: a symbol table (tree of symbol nodes, names in a heap), link messages in its
// header, or link messages in a heap.
#include "h5_parts.h"

#include <string.h>

enum {
  TREE_OF_NAMES = 0,   // type of its nodes
  SYMBOLS_PREFIX = 8,  // "SNOD", version, count
  SYMBOL_ENTRY = 40,   // name, header, cache type, scratch pad
  HEAP_PREFIX = 32,    // "HEAP", version, length, free list, address
  CACHED_SOFT_LINK = 2,
  LINK_HARD = 0,
  RECORD_NAME = 5,  // type of the records of a tree: hash, identifier in a heap
  HASH = 4          // bytes
};

typedef struct table {
  stc_h5 *h5;
  stc_cursor heap;  ///< names
  stc_h5_search *search;
} table;

// Whether this is the name that is looked for. Links that lead elsewhere are refused, not followed.
static stc_error compare(stc_h5_search *search, const char *name, size_t length, bool is_hard,
                         uint64_t address) {
  if (length != search->length || memcmp(name, search->name, length) != 0) return STC_OK;
  if (!is_hard)
    return stc_fail(STC_ERR_FORMAT,
                    "'%.*s' is a link to somewhere else, which is not followed; store the data "
                    "themselves",
                    (int)length, name);
  search->found = true;
  search->address = address;
  return STC_OK;
}

// --- Symbol tables ---

static stc_error read_heap(stc_h5 *h5, uint64_t address, stc_cursor *heap) {
  stc_cursor c;
  STC_TRY(stc_h5_bytes(h5, address, HEAP_PREFIX, &c));
  if (!stc_cursor_match(&c, "HEAP") || stc_cursor_take(&c, 1) != 0)
    return stc_h5_damaged(address, "heap of names");
  stc_cursor_skip(&c, 3);
  uint64_t length = stc_cursor_take(&c, STC_H5_WORD);
  stc_cursor_skip(&c, STC_H5_WORD);  // free list
  return stc_h5_bytes(h5, stc_cursor_take(&c, STC_H5_WORD), length, heap);
}

static stc_error symbol(table *t, stc_cursor *c) {
  uint64_t offset = stc_cursor_take(c, STC_H5_WORD), address = stc_cursor_take(c, STC_H5_WORD);
  uint64_t cached = stc_cursor_take(c, 4);
  stc_cursor_skip(c, 20);
  stc_cursor name = t->heap;
  if (c->bad || offset >= name.left) return stc_h5_damaged(c->address, "name of a symbol");
  stc_cursor_skip(&name, (size_t)offset);
  const uint8_t *end = memchr(name.at, 0, name.left);
  if (!end || cached > CACHED_SOFT_LINK) return stc_h5_damaged(c->address, "name of a symbol");
  return compare(t->search, (const char *)name.at, (size_t)(end - name.at),
                 cached != CACHED_SOFT_LINK, address);
}

static stc_error symbols(void *user, stc_cursor key, uint64_t address, bool *over) {
  table *t = user;
  stc_cursor c = key;
  STC_TRY(stc_h5_bytes(t->h5, address, SYMBOLS_PREFIX, &c));
  if (!stc_cursor_match(&c, "SNOD") || stc_cursor_take(&c, 1) != 1)
    return stc_h5_damaged(address, "symbol node");
  stc_cursor_skip(&c, 1);
  uint64_t count = stc_cursor_take(&c, 2);
  STC_TRY(stc_h5_bytes(t->h5, address + SYMBOLS_PREFIX, count * SYMBOL_ENTRY, &c));
  for (uint64_t k = 0; k < count && !t->search->found; k++) STC_TRY(symbol(t, &c));
  *over = t->search->found;
  return STC_OK;
}

static stc_error symbol_table(table *t, stc_cursor body) {
  uint64_t root = stc_cursor_take(&body, STC_H5_WORD), heap = stc_cursor_take(&body, STC_H5_WORD);
  if (body.bad) return stc_h5_damaged(body.address, "symbol table");
  STC_TRY(read_heap(t->h5, heap, &t->heap));
  return stc_h5_walk_tree1(t->h5, root, TREE_OF_NAMES, STC_H5_WORD, symbols, t);
}

// --- Link messages ---

// Flags tell which fields are there.
static stc_error link_message(stc_h5_search *search, stc_cursor c) {
  uint64_t version = stc_cursor_take(&c, 1), flags = stc_cursor_take(&c, 1);
  uint64_t kind = flags & 0x08 ? stc_cursor_take(&c, 1) : LINK_HARD;
  stc_cursor_skip(&c, (flags & 0x04 ? 8u : 0u) + (flags & 0x10 ? 1u : 0u));  // order, charset
  uint64_t length = stc_cursor_take(&c, (size_t)1 << (flags & 3));
  c.bad = c.bad || length > c.left;
  const uint8_t *name = stc_cursor_skip(&c, (size_t)length);
  uint64_t address = kind == LINK_HARD ? stc_cursor_take(&c, STC_H5_WORD) : 0;
  if (c.bad || version != 1) return stc_h5_damaged(c.address, "link message");
  return compare(search, (const char *)name, (size_t)length, kind == LINK_HARD, address);
}

// --- Dense groups: links in a heap, found by the hash of their names in a tree ---

typedef struct dense {
  stc_h5 *h5;
  stc_h5_search *search;
  uint64_t heap;
  uint32_t hash;
} dense;

static int hash_side(void *user, stc_cursor record) {
  const dense *d = user;
  uint32_t hash = (uint32_t)stc_cursor_take(&record, HASH);
  return (d->hash > hash) - (d->hash < hash);
}

// Names with the same hash are told apart by the link itself.
static stc_error dense_link(void *user, stc_cursor record) {
  dense *d = user;
  stc_cursor message;
  stc_cursor_skip(&record, HASH);
  if (d->search->found) return STC_OK;
  STC_TRY(stc_h5_heap_object(d->h5, d->heap, record, &message));
  return link_message(d->search, message);
}

// Where the links of a group are: in its header, unless there is a heap.
static stc_error link_info(stc_h5 *h5, stc_cursor c, stc_h5_search *search) {
  uint64_t version = stc_cursor_take(&c, 1), flags = stc_cursor_take(&c, 1);
  stc_cursor_skip(&c, flags & 0x01 ? 8 : 0);  // greatest order
  dense d = {.h5 = h5, .search = search, .heap = stc_cursor_take(&c, STC_H5_WORD)};
  uint64_t tree = stc_cursor_take(&c, STC_H5_WORD);
  if (c.bad || version != 0) return stc_h5_damaged(c.address, "link info message");
  if (d.heap == STC_H5_UNDEFINED) return STC_OK;
  d.hash = stc_h5_checksum((const uint8_t *)search->name, search->length);
  stc_h5_walk walk = {
      .type = RECORD_NAME, .least = HASH + 1, .visit = dense_link, .side = hash_side, .user = &d};
  return stc_h5_walk_tree2(h5, tree, &walk);
}

stc_error stc_h5_lookup(stc_h5 *h5, const stc_message *messages, stc_h5_search *search) {
  const stc_message *old = stc_message_find(messages, STC_MESSAGE_SYMBOL_TABLE);
  const stc_message *info = stc_message_find(messages, STC_MESSAGE_LINK_INFO);
  if (old) return symbol_table(&(table){.h5 = h5, .search = search}, old->body);
  if (info) STC_TRY(link_info(h5, info->body, search));
  for (const stc_message *m = messages; m && !search->found; m = m->next)
    if (m->type == STC_MESSAGE_LINK) STC_TRY(link_message(search, m->body));
  return STC_OK;
}
