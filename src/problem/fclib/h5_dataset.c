// What an object header describes: a group, or a dataset with its extent, type and place.
#include "h5_parts.h"

enum {
  MAX_RANK = 2,
  CLASS_INTEGER = 0,  // classes of datatypes
  CLASS_REAL = 1,
  CLASS_TEXT = 3,
  CLASS_VARIABLE = 9,
  CLASSES = 11,
  SPACE_NULL = 2,       // kind of an extent: no elements at all
  SHARED_ELSEWHERE = 2  // a message that stands in another object header
};

static const char *const class_names[CLASSES + 1] = {
    "integer", "real",     "time",      "text", "bit field",
    "opaque",  "compound", "reference", "enum", "variable length",
    "array",   "unknown"};

// Rank and extents, then the greatest extents if they differ. Scalars are one element.
static stc_error extent(uint64_t address, stc_cursor c, stc_h5_object *object) {
  uint64_t version = stc_cursor_take(&c, 1), rank = stc_cursor_take(&c, 1);
  uint64_t flags = stc_cursor_take(&c, 1);
  uint64_t type = version == 2 ? stc_cursor_take(&c, 1) : 1;  // scalar, simple, null
  stc_cursor_skip(&c, version == 1 ? 5 : 0);
  if (c.bad || version < 1 || version > 2 || flags > 1 || type > SPACE_NULL)
    return stc_h5_damaged(address, "extent of a dataset");
  if (rank > MAX_RANK) return stc_fail(STC_ERR_FORMAT, "it has %d dimensions, not one", (int)rank);
  uint64_t *n = object->extent, *most = object->most;
  object->rank = (int)rank;
  object->extent_at = c.address;
  n[0] = n[1] = most[0] = most[1] = 1;
  for (uint64_t k = 0; k < rank; k++) n[k] = most[k] = stc_cursor_take(&c, STC_H5_WORD);
  for (uint64_t k = 0; k < rank && flags; k++) most[k] = stc_cursor_take(&c, STC_H5_WORD);
  if (type == SPACE_NULL) n[0] = 0;
  if (c.bad || (n[1] && n[0] > UINT64_MAX / n[1]))
    return stc_h5_damaged(address, "extent of a dataset");
  object->count = n[0] * n[1];
  return STC_OK;
}

// Integers fill their bytes: no offset, no padding.
static bool standard_integer(stc_cursor *c, uint64_t bits, stc_h5_object *object) {
  uint64_t offset = stc_cursor_take(c, 2), precision = stc_cursor_take(c, 2);
  uint64_t w = object->width;
  object->class = STC_H5_INTEGER;
  object->is_signed = bits >> 3 & 1;
  return (w == 1 || w == 2 || w == 4 || w == 8) && offset == 0 && precision == 8 * w;
}

// IEEE binary16, binary32 and binary64: sign, exponent and mantissa where the standard has them.
static bool standard_real(stc_cursor *c, uint64_t bits, stc_h5_object *object) {
  static const size_t bytes[7] = {2, 2, 1, 1, 1, 1, 4};
  static const uint64_t fields[3][7] = {
      {0, 16, 10, 5, 0, 10, 15}, {0, 32, 23, 8, 0, 23, 127}, {0, 64, 52, 11, 0, 52, 1023}};
  uint64_t width = object->width;
  if (width != 2 && width != 4 && width != 8) return false;
  int kind = width == 2 ? 0 : width == 4 ? 1 : 2;
  bool standard = (bits & ~UINT64_C(1)) == (0x20 | (8 * width - 1) << 8);
  for (int k = 0; k < 7; k++) standard &= stc_cursor_take(c, bytes[k]) == fields[kind][k];
  object->class = STC_H5_REAL;
  return standard;
}

static stc_error datatype(uint64_t address, stc_cursor c, stc_h5_object *object) {
  uint64_t first = stc_cursor_take(&c, 1), bits = stc_cursor_take(&c, 3), class = first & 15;
  object->width = stc_cursor_take(&c, 4);
  object->is_big_endian = bits & 1;
  if (c.bad || object->width == 0) return stc_h5_damaged(address, "datatype");
  bool standard = true;
  if (class == CLASS_INTEGER)
    standard = standard_integer(&c, bits, object);
  else if (class == CLASS_REAL)
    standard = standard_real(&c, bits, object);
  else if (class == CLASS_TEXT)
    object->class = STC_H5_TEXT;
  else if (class == CLASS_VARIABLE && (bits & 15) == 1)
    object->class = STC_H5_LONG_TEXT;
  else
    return stc_fail(STC_ERR_FORMAT, "it holds elements of the %s class",
                    class_names[class < CLASSES ? class : CLASSES]);
  if (c.bad || !standard)
    return stc_fail(STC_ERR_FORMAT, "it holds numbers in an unusual format; use int and double");
  return STC_OK;
}

// A datatype with a name of its own stands in an object header of its own: version, kind, (6 bytes
// in version 1), address.
static stc_error committed(stc_h5 *h5, stc_cursor c, stc_cursor *type) {
  uint64_t version = stc_cursor_take(&c, 1), kind = stc_cursor_take(&c, 1);
  stc_message *messages = NULL;
  stc_cursor_skip(&c, version == 1 ? 6 : 0);
  uint64_t address = stc_cursor_take(&c, STC_H5_WORD);
  if (c.bad || version < 1 || version > 3) return stc_h5_damaged(c.address, "shared datatype");
  if (version == 3 && kind != SHARED_ELSEWHERE) return stc_h5_refuse("a table of shared messages");
  STC_TRY(stc_h5_header(h5, address, &messages));
  const stc_message *found = stc_message_find(messages, STC_MESSAGE_DATATYPE);
  if (!found || found->is_shared) return stc_h5_damaged(address, "shared datatype");
  *type = found->body;
  return STC_OK;
}

static stc_error dataset(stc_h5 *h5, uint64_t address, const stc_message *messages,
                         stc_h5_object *object) {
  const stc_message *space = stc_message_find(messages, STC_MESSAGE_DATASPACE);
  const stc_message *type = stc_message_find(messages, STC_MESSAGE_DATATYPE);
  stc_cursor element = type->body;
  if (stc_message_find(messages, STC_MESSAGE_EXTERNAL))
    return stc_fail(STC_ERR_FORMAT, "its elements lie in another file, which is not followed; "
                                    "store the data themselves");
  if (space->is_shared) return stc_h5_refuse("a table of shared messages");
  if (type->is_shared) STC_TRY(committed(h5, type->body, &element));
  object->kind = STC_H5_DATASET;
  STC_TRY(extent(address, space->body, object));
  STC_TRY(datatype(address, element, object));
  return stc_h5_place(h5, address, messages, object);
}

stc_error stc_h5_describe(stc_h5 *h5, uint64_t address, const stc_message *messages,
                          stc_h5_object *object) {
  *object = (stc_h5_object){.kind = STC_H5_NOTHING};
  bool is_dataset = stc_message_find(messages, STC_MESSAGE_DATASPACE) &&
                    stc_message_find(messages, STC_MESSAGE_DATATYPE) &&
                    stc_message_find(messages, STC_MESSAGE_LAYOUT);
  bool is_group = stc_message_find(messages, STC_MESSAGE_SYMBOL_TABLE) ||
                  stc_message_find(messages, STC_MESSAGE_LINK_INFO);
  if (is_dataset == is_group) return stc_h5_damaged(address, "neither a group nor a dataset");
  if (is_dataset) return dataset(h5, address, messages, object);
  object->kind = STC_H5_GROUP;
  return STC_OK;
}
