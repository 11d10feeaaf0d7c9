// Where everything lies in a file that is written, and its bytes: the superblock, then object
// headers with the names of groups, then the values.
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
  LINK_INFO_BODY = 24,
  GROUP_INFO_BODY = 8,
  LINK_PREFIX = 4,  // version, flags, length of the name
  LINK_LENGTH = 1,  // flags of a link: two bytes of that length
  GROUP_LEAF = 4,   // widths of symbol tables, which are not used
  GROUP_NODE = 16,
  MESSAGE_CONSTANT = 1
};

static uint64_t padded(uint64_t bytes) { return (bytes + 7) / 8 * 8; }

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

static uint64_t link_body(const stc_image_node *node) {
  return padded(LINK_PREFIX + strlen(node->name) + STC_H5_WORD);
}

// A group is a header with a link for each name, as libhdf5 has it since version 1.8.
static uint64_t group_body(const stc_image_node *group) {
  uint64_t bytes = 2 * MESSAGE_PREFIX + LINK_INFO_BODY + GROUP_INFO_BODY;
  for (const stc_image_node *node = group->first; node; node = node->next)
    bytes += MESSAGE_PREFIX + link_body(node);
  return bytes;
}

static uint64_t place_headers(stc_image_node *group, uint64_t end) {
  group->header = end;
  end += HEADER_PREFIX + group_body(group);
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

// Class and version, flags, width, then what the class has: 32 bits with a sign; IEEE binary64;
// text that ends with a zero.
static void put_type(pen *p, const stc_image_array *a) {
  static const uint8_t of_int[] = {0, 0, 32, 0};
  static const uint8_t of_double[] = {0, 0, 64, 0, 52, 11, 0, 52, 0xff, 3, 0, 0};
  static const uint64_t classes[] = {0x10, 0x11, 0x13}, flags[] = {0x08, 0x3f20, 0};
  uint8_t *end = p->at + MESSAGE_PREFIX + type_body(a);
  put_message(p, STC_MESSAGE_DATATYPE, type_body(a), MESSAGE_CONSTANT);
  put_number(p, classes[a->type], 1);
  put_number(p, flags[a->type] | (a->type != STC_IMAGE_TEXT && stc_h5_is_big_endian()), 3);
  put_number(p, a->width, 4);
  if (a->type == STC_IMAGE_INT) memcpy(p->at, of_int, sizeof of_int);
  if (a->type == STC_IMAGE_DOUBLE) memcpy(p->at, of_double, sizeof of_double);
  p->at = end;
}

static void draw_dataset(const stc_image_node *node, uint8_t *bytes) {
  const stc_image_array *a = &node->array;
  pen p = {bytes + node->header};
  put_header(&p, 4, header_body(a));
  // version 1: the extents, then the greatest extents, which are the same
  put_message(&p, STC_MESSAGE_DATASPACE, space_body(a), 0);
  put_number(&p, 1, 1);
  put_number(&p, (uint64_t)a->rank, 1);
  put_number(&p, a->rank > 0, 6);
  for (int k = 0; k < 2 * a->rank; k++) put_word(&p, a->extent[k % a->rank]);
  put_type(&p, a);
  // version 2: place is given late, values are filled in where set, the default value
  put_message(&p, STC_MESSAGE_FILL, FILL_BODY, MESSAGE_CONSTANT);
  put_number(&p, 0x01020202, 8);
  put_message(&p, STC_MESSAGE_LAYOUT, LAYOUT_BODY, 0);
  put_number(&p, 0x0103, 2);  // version 3: contiguous
  put_word(&p, node->start);
  put_word(&p, stc_image_bytes(a));
  if (node->start != STC_H5_UNDEFINED)
    memcpy(bytes + node->start, a->values, (size_t)stc_image_bytes(a));
}

static void draw_group(const stc_image_node *group, uint8_t *bytes) {
  pen p = {bytes + group->header};
  put_header(&p, 2 + group->count, group_body(group));
  // version 0: neither a heap nor an index of names
  put_message(&p, STC_MESSAGE_LINK_INFO, LINK_INFO_BODY, 0);
  put_number(&p, 0, 2);
  put_word(&p, STC_H5_UNDEFINED);
  put_word(&p, STC_H5_UNDEFINED);
  put_number(&p, 0, 6);
  put_message(&p, STC_MESSAGE_GROUP_INFO, GROUP_INFO_BODY, 0);
  put_word(&p, 0);
  for (const stc_image_node *node = group->first; node; node = node->next) {
    size_t length = strlen(node->name);
    put_message(&p, STC_MESSAGE_LINK, link_body(node), 0);
    uint8_t *end = p.at + link_body(node);
    put_number(&p, 1, 1);  // version
    put_number(&p, LINK_LENGTH, 1);
    put_number(&p, length, 2);
    memcpy(p.at, node->name, length);
    p.at += length;
    put_word(&p, node->header);
    p.at = end;
    node->is_group ? draw_group(node, bytes) : draw_dataset(node, bytes);
  }
}

// The superblock, then all groups.
void stc_image_draw(const stc_image_node *root, uint64_t size, uint8_t *bytes) {
  pen p = {bytes};
  memcpy(p.at, "\x89HDF\r\n\x1a\n", 8);
  p.at += 8;
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
  put_word(&p, 0);  // the root group: it has no name
  put_word(&p, root->header);
  draw_group(root, bytes);
}
