// What an object header describes: a group, or a dataset with its extent, type and place.
#include "h5_parts.h"

enum {
  MAX_RANK = 2,
  CLASS_INTEGER = 0,  // classes of datatypes
  CLASS_REAL = 1,
  CLASS_TEXT = 3,
  CLASS_VARIABLE = 9,
  CLASSES = 11,
  LAYOUT_COMPACT = 0,  // classes of layouts: in the header, or in one piece of the file
  LAYOUT_CONTIGUOUS = 1
};

static const char *const class_names[CLASSES + 1] = {
    "integer", "real",     "time",      "text", "bit field",
    "opaque",  "compound", "reference", "enum", "variable length",
    "array",   "unknown"};

// Rank and extents. Scalars are one element.
static stc_error extent(uint64_t address, stc_cursor c, stc_h5_object *object) {
  uint64_t version = stc_cursor_take(&c, 1), rank = stc_cursor_take(&c, 1);
  uint64_t flags = stc_cursor_take(&c, 1);
  uint64_t type = version == 2 ? stc_cursor_take(&c, 1) : 1;  // scalar, simple, null
  stc_cursor_skip(&c, version == 1 ? 5 : 0);
  if (c.bad || version < 1 || version > 2 || flags > 1 || type > 1)
    return stc_h5_damaged(address, "extent of a dataset");
  if (rank > MAX_RANK) return stc_fail(STC_ERR_FORMAT, "it has %d dimensions, not one", (int)rank);
  uint64_t *n = object->extent;
  object->extent_at = c.address;
  n[0] = n[1] = 1;
  for (uint64_t k = 0; k < rank; k++) n[k] = stc_cursor_take(&c, STC_H5_WORD);
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

// IEEE binary32 and binary64: sign, exponent and mantissa where the standard has them.
static bool standard_real(stc_cursor *c, uint64_t bits, stc_h5_object *object) {
  static const size_t bytes[7] = {2, 2, 1, 1, 1, 1, 4};
  static const uint64_t fields[2][7] = {{0, 32, 23, 8, 0, 23, 127}, {0, 64, 52, 11, 0, 52, 1023}};
  if (object->width != 4 && object->width != 8) return false;
  bool is_double = object->width == 8;
  bool standard = (bits & ~UINT64_C(1)) == (0x20 | (uint64_t)(is_double ? 63 : 31) << 8);
  for (int k = 0; k < 7; k++) standard &= stc_cursor_take(c, bytes[k]) == fields[is_double][k];
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

// Where the elements lie. They must all be in the file.
static stc_error place(const stc_h5 *h5, uint64_t address, stc_cursor c, stc_h5_object *object) {
  uint64_t version = stc_cursor_take(&c, 1), class = stc_cursor_take(&c, 1);
  if (c.bad || version < 3 || version > 4) return stc_h5_refuse("a storage layout of HDF5 1.4");
  if (class > LAYOUT_CONTIGUOUS) return stc_h5_refuse("chunked, compressed or virtual datasets");
  if (object->count > h5->size / object->width)
    return stc_fail(STC_ERR_FORMAT, "it claims %llu elements, more than the file can hold",
                    (unsigned long long)object->count);
  uint64_t bytes = object->count * object->width;
  object->place_at = class == LAYOUT_CONTIGUOUS ? c.address : 0;
  object->start = class == LAYOUT_CONTIGUOUS ? stc_cursor_take(&c, STC_H5_WORD) : c.address + 2;
  uint64_t length = stc_cursor_take(&c, class == LAYOUT_CONTIGUOUS ? STC_H5_WORD : 2);
  if (class == LAYOUT_COMPACT) stc_cursor_skip(&c, (size_t)length);
  if (c.bad || length < bytes) return stc_h5_damaged(address, "storage of a dataset");
  if (bytes == 0) return STC_OK;
  if (object->start == STC_H5_UNDEFINED) return stc_fail(STC_ERR_FORMAT, "it was never written");
  if (object->start > h5->size || bytes > h5->size - object->start)
    return stc_h5_damaged(address, "a dataset past the end of the file");
  return STC_OK;
}

static stc_error dataset(const stc_h5 *h5, uint64_t address, const stc_message *messages,
                         stc_h5_object *object) {
  const stc_message *space = stc_message_find(messages, STC_MESSAGE_DATASPACE);
  const stc_message *type = stc_message_find(messages, STC_MESSAGE_DATATYPE);
  const stc_message *layout = stc_message_find(messages, STC_MESSAGE_LAYOUT);
  if (stc_message_find(messages, STC_MESSAGE_EXTERNAL))
    return stc_fail(STC_ERR_FORMAT, "its elements lie in another file, which is not followed; "
                                    "store the data themselves");
  if (stc_message_find(messages, STC_MESSAGE_FILTERS))
    return stc_h5_refuse("chunked, compressed or virtual datasets");
  if (space->is_shared || type->is_shared || layout->is_shared)
    return stc_h5_refuse("a committed datatype");
  object->kind = STC_H5_DATASET;
  STC_TRY(extent(address, space->body, object));
  STC_TRY(datatype(address, type->body, object));
  return place(h5, address, layout->body, object);
}

stc_error stc_h5_describe(const stc_h5 *h5, uint64_t address, const stc_message *messages,
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
