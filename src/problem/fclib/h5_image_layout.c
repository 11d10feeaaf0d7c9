// Where everything lies in a file that is written, and its bytes: the superblock, then object
// headers and tables of names, then the values.
#include "h5_image_parts.h"

#include "h5_parts.h"

#include <string.h>

enum {
  SUPERBLOCK = 96,
  SECTOR = 512,        // bytes a disk writes at once
  HEADER_PREFIX = 16,  // of an object header, version 1
  MESSAGE_PREFIX = 8,
  FILL_BODY = 8,
  LAYOUT_BODY = 24,
  TABLE_BODY = 16,  // of a symbol table message
  GROUP_LEAF = 4,   // half the symbols of a node, as libhdf5 has it
  GROUP_NODE = 16,  // half the children of a node of the tree
  SYMBOLS = 2 * GROUP_LEAF,
  CHILDREN = 2 * GROUP_NODE,
  SYMBOL_ENTRY = 40,
  LEAF_BYTES = 8 + SYMBOLS * SYMBOL_ENTRY,
  NODE_BYTES = 24 + (2 * CHILDREN + 1) * STC_H5_WORD,
  HEAP_BYTES = 32,
  HEAP_FULL = 1,  // the "no free space" of a heap
  MESSAGE_CONSTANT = 1,
  CACHED_TABLE = 1  // a symbol that repeats the addresses of its group's table
};

static uint64_t padded(uint64_t bytes) { return (bytes + 7) / 8 * 8; }
static size_t pieces(size_t count, size_t most) { return (count + most - 1) / most; }

// --- Places ---

static uint64_t space_body(const stc_image_array *a) { return 8 + 16 * (uint64_t)a->rank; }

static uint64_t type_body(const stc_image_array *a) {
  return a->type == STC_IMAGE_INT ? 16 : a->type == STC_IMAGE_DOUBLE ? 24 : 8;
}

static uint64_t header_body(const stc_image_array *a) {
  return 4 * MESSAGE_PREFIX + space_body(a) + type_body(a) + FILL_BODY + LAYOUT_BODY;
}

// A header lies within a sector: who changes a word of it on the disk, as run files do, changes it
// whole or not at all.
static uint64_t place_header(stc_image_node *node, uint64_t end) {
  uint64_t bytes = HEADER_PREFIX + header_body(&node->array);
  bool across = end / SECTOR != (end + bytes - 1) / SECTOR;
  node->header = across ? (end + SECTOR - 1) / SECTOR * SECTOR : end;
  return node->header + bytes;
}

// Levels of the tree lie one after the other, from the one above the symbol nodes to the root.
static uint64_t place_table(stc_image_node *group, uint64_t end) {
  size_t leaves = pieces(group->count, SYMBOLS);
  group->names_size = 8;  // the empty name
  for (size_t k = 0; k < group->count; k++) {
    group->sorted[k]->name_at = group->names_size;
    group->names_size += padded(strlen(group->sorted[k]->name) + 1);
  }
  group->header = end;
  group->heap = group->header + HEADER_PREFIX + MESSAGE_PREFIX + TABLE_BODY;
  group->names = group->heap + HEAP_BYTES;
  group->leaves = group->names + group->names_size;
  group->tree = group->leaves + leaves * LEAF_BYTES;
  end = group->tree;
  for (size_t nodes = leaves; nodes > 1 || end == group->tree; end += nodes * NODE_BYTES)
    nodes = pieces(nodes, CHILDREN);
  group->root = end - NODE_BYTES;
  return end;
}

static uint64_t place_headers(stc_image_node *group, uint64_t end) {
  end = place_table(group, end);
  for (stc_image_node *node = group->first; node; node = node->next)
    end = node->is_group ? place_headers(node, end) : place_header(node, end);
  return end;
}

static uint64_t place_values(stc_image_node *group, uint64_t end) {
  for (stc_image_node *node = group->first; node; node = node->next) {
    if (node->is_group) {
      end = place_values(node, end);
      continue;
    }
    uint64_t bytes = stc_image_bytes(&node->array);
    node->start = bytes ? end : STC_H5_UNDEFINED;
    end += padded(bytes);
  }
  return end;
}

uint64_t stc_image_place(stc_image_node *root) {
  return place_values(root, place_headers(root, SUPERBLOCK));
}

// --- Bytes ---

// Where the next number goes.
typedef struct pen {
  uint8_t *at;
} pen;

static void put_number(pen *p, uint64_t value, size_t bytes) {
  for (size_t k = 0; k < bytes; k++) *p->at++ = (uint8_t)(value >> 8 * k);
}

static void put_word(pen *p, uint64_t value) { put_number(p, value, STC_H5_WORD); }

static void put_signature(pen *p, const char *signature) {
  memcpy(p->at, signature, strlen(signature));
  p->at += strlen(signature);
}

static void put_header(pen *p, uint64_t messages, uint64_t bytes) {
  put_number(p, 1, 2);  // version
  put_number(p, messages, 2);
  put_number(p, 1, 4);  // references
  put_number(p, bytes, 8);
}

static void put_message(pen *p, uint64_t type, uint64_t bytes, uint64_t flags) {
  put_number(p, type, 2);
  put_number(p, bytes, 2);
  put_number(p, flags, 4);
}

// The greatest extents follow the extents; they are the same.
static void put_space(pen *p, const stc_image_array *a) {
  put_message(p, STC_MESSAGE_DATASPACE, space_body(a), 0);
  put_number(p, 1, 1);  // version
  put_number(p, (uint64_t)a->rank, 1);
  put_number(p, a->rank > 0, 6);
  for (int k = 0; k < 2 * a->rank; k++) put_word(p, a->extent[k % a->rank]);
}

static bool is_big_endian(void) {
  const uint16_t one = 1;
  uint8_t first;
  memcpy(&first, &one, 1);
  return first == 0;
}

// Class and version, flags, width, then what the class has: 32 bits with a sign; IEEE binary64;
// text that ends with a zero.
static void put_type(pen *p, const stc_image_array *a) {
  static const uint8_t of_int[] = {0, 0, 32, 0};
  static const uint8_t of_double[] = {0, 0, 64, 0, 52, 11, 0, 52, 0xff, 3, 0, 0};
  static const uint64_t classes[] = {0x10, 0x11, 0x13}, flags[] = {0x08, 0x3f20, 0};
  uint8_t *end = p->at + MESSAGE_PREFIX + type_body(a);
  put_message(p, STC_MESSAGE_DATATYPE, type_body(a), MESSAGE_CONSTANT);
  put_number(p, classes[a->type], 1);
  put_number(p, flags[a->type] | (a->type != STC_IMAGE_TEXT && is_big_endian()), 3);
  put_number(p, a->width, 4);
  if (a->type == STC_IMAGE_INT) memcpy(p->at, of_int, sizeof of_int);
  if (a->type == STC_IMAGE_DOUBLE) memcpy(p->at, of_double, sizeof of_double);
  p->at = end;
}

// Version 2: place is given late, values are filled in where set, the default value.
static void put_fill(pen *p) {
  put_message(p, STC_MESSAGE_FILL, FILL_BODY, MESSAGE_CONSTANT);
  put_number(p, 0x01020202, 4);
  put_number(p, 0, 4);
}

// Version 3: contiguous.
static void put_place(pen *p, const stc_image_node *node) {
  uint8_t *end = p->at + MESSAGE_PREFIX + LAYOUT_BODY;
  put_message(p, STC_MESSAGE_LAYOUT, LAYOUT_BODY, 0);
  put_number(p, 0x0103, 2);
  put_word(p, node->start);
  put_word(p, stc_image_bytes(&node->array));
  p->at = end;
}

static void draw_dataset(const stc_image_node *node, uint8_t *bytes) {
  pen p = {bytes + node->header};
  put_header(&p, 4, header_body(&node->array));
  put_space(&p, &node->array);
  put_type(&p, &node->array);
  put_fill(&p);
  put_place(&p, node);
  if (node->start != STC_H5_UNDEFINED)
    memcpy(bytes + node->start, node->array.values, (size_t)stc_image_bytes(&node->array));
}

// --- Groups ---

static void put_symbol(pen *p, const stc_image_node *node) {
  put_word(p, node->name_at);
  put_word(p, node->header);
  put_word(p, node->is_group ? CACHED_TABLE : 0);
  put_word(p, node->is_group ? node->root : 0);
  put_word(p, node->is_group ? node->heap : 0);
}

static void draw_names(const stc_image_node *group, uint8_t *bytes) {
  pen p = {bytes + group->heap};
  put_signature(&p, "HEAP");
  put_number(&p, 0, 4);  // version
  put_word(&p, group->names_size);
  put_word(&p, HEAP_FULL);
  put_word(&p, group->names);
  for (size_t k = 0; k < group->count; k++) {
    const stc_image_node *node = group->sorted[k];
    memcpy(bytes + group->names + node->name_at, node->name, strlen(node->name));
  }
}

static void draw_leaf(const stc_image_node *group, size_t n, uint8_t *bytes) {
  pen p = {bytes + group->leaves + n * LEAF_BYTES};
  size_t first = n * SYMBOLS, left = group->count - first, count = left < SYMBOLS ? left : SYMBOLS;
  put_signature(&p, "SNOD");
  put_number(&p, 1, 2);  // version
  put_number(&p, count, 2);
  for (size_t k = 0; k < count; k++) put_symbol(&p, group->sorted[first + k]);
}

// A level of the tree of a group: `nodes` nodes at `start` over `count` children at `below`, which
// take `stride` bytes and hold `symbols` names each.
typedef struct level {
  const stc_image_node *group;
  uint64_t depth, start, below, stride;
  size_t nodes, count, symbols;
} level;

// The last name in child k, which divides it from the next one.
static uint64_t last_name(const level *l, size_t k) {
  size_t after = (k + 1) * l->symbols, count = l->group->count;
  return l->group->sorted[(after < count ? after : count) - 1]->name_at;
}

static void draw_node(const level *l, size_t n, uint8_t *bytes) {
  uint64_t at = l->start + n * NODE_BYTES;
  size_t first = n * CHILDREN, end = first + CHILDREN < l->count ? first + CHILDREN : l->count;
  pen p = {bytes + at};
  put_signature(&p, "TREE");
  put_number(&p, 0, 1);  // of names
  put_number(&p, l->depth, 1);
  put_number(&p, end - first, 2);
  put_word(&p, n > 0 ? at - NODE_BYTES : STC_H5_UNDEFINED);
  put_word(&p, n + 1 < l->nodes ? at + NODE_BYTES : STC_H5_UNDEFINED);
  put_word(&p, first ? last_name(l, first - 1) : 0);
  for (size_t k = first; k < end; k++) {
    put_word(&p, l->below + k * l->stride);
    put_word(&p, last_name(l, k));
  }
}

static level level_above(const level *l) {
  level above = {.group = l->group,
                 .depth = l->depth + 1,
                 .start = l->start + l->nodes * NODE_BYTES,
                 .below = l->start,
                 .stride = NODE_BYTES,
                 .nodes = pieces(l->nodes, CHILDREN),
                 .count = l->nodes,
                 .symbols = l->symbols * CHILDREN};
  return above;
}

static void draw_tree(const stc_image_node *group, uint8_t *bytes) {
  size_t leaves = pieces(group->count, SYMBOLS);
  level l = {.group = group,
             .start = group->tree,
             .below = group->leaves,
             .stride = LEAF_BYTES,
             .nodes = pieces(leaves, CHILDREN),
             .count = leaves,
             .symbols = SYMBOLS};
  for (;; l = level_above(&l)) {
    for (size_t n = 0; n < l.nodes; n++) draw_node(&l, n, bytes);
    if (l.start == group->root) return;
  }
}

static void draw_group(const stc_image_node *group, uint8_t *bytes) {
  pen p = {bytes + group->header};
  put_header(&p, 1, MESSAGE_PREFIX + TABLE_BODY);
  put_message(&p, STC_MESSAGE_SYMBOL_TABLE, TABLE_BODY, 0);
  put_word(&p, group->root);
  put_word(&p, group->heap);
  draw_names(group, bytes);
  for (size_t n = 0; n < pieces(group->count, SYMBOLS); n++) draw_leaf(group, n, bytes);
  draw_tree(group, bytes);
  for (const stc_image_node *node = group->first; node; node = node->next)
    node->is_group ? draw_group(node, bytes) : draw_dataset(node, bytes);
}

static void draw_superblock(const stc_image_node *root, uint64_t size, uint8_t *bytes) {
  pen p = {bytes};
  put_signature(&p, "\x89HDF\r\n\x1a\n");
  put_number(&p, 0, 5);  // versions
  put_number(&p, STC_H5_WORD, 1);
  put_number(&p, STC_H5_WORD, 2);
  put_number(&p, GROUP_LEAF, 2);
  put_number(&p, GROUP_NODE, 2);
  put_number(&p, 0, 4);  // flags
  put_word(&p, 0);       // where the file begins
  put_word(&p, STC_H5_UNDEFINED);
  put_word(&p, size);
  put_word(&p, STC_H5_UNDEFINED);
  put_symbol(&p, root);
}

void stc_image_draw(const stc_image_node *root, uint64_t size, uint8_t *bytes) {
  draw_superblock(root, size, bytes);
  draw_group(root, bytes);
}
