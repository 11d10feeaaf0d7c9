// Sections of Gmsh's format 2.2.
#include "raw.h"

#include <string.h>

enum { MOST_TAGS = 1000 };  // of an element; more is a broken file

static stc_error read_count(stc_gmsh_cursor *cursor, const char *what, size_t least,
                            long long *count) {
  STC_TRY(stc_gmsh_cursor_text_integer(cursor, what, count));
  stc_gmsh_cursor_end_line(cursor);
  return stc_gmsh_cursor_bound(cursor, what, *count, least);
}

// The first tag of an element is its group; 0: none. The others say where it comes from.
static stc_error read_tags(stc_raw *raw, stc_gmsh_cursor *cursor, int dim, long long tags,
                           stc_raw_span *span) {
  long long first = 0, tag;
  if (tags < 0 || tags > MOST_TAGS)
    return stc_gmsh_cursor_fail(cursor, "an element with %lld tags; Gmsh writes 2 or a few more",
                                tags);
  for (long long k = 0; k < tags; k++) {
    STC_TRY(stc_gmsh_cursor_int(cursor, "a tag of an element", &tag));
    if (k == 0) first = tag < 0 ? -tag : tag;
  }
  *span = (stc_raw_span){(int)raw->membership.count, first != 0};
  if (!first) return STC_OK;
  int *group = stc_gmsh_list_add(&raw->membership);
  if (!group || (*group = stc_raw_group_of(raw, dim, first)) < 0)
    return stc_fail(STC_ERR_MEMORY, "%s: out of memory", cursor->path);
  return STC_OK;
}

static stc_error read_element(stc_raw *raw, stc_gmsh_cursor *cursor, int type, long long tags) {
  stc_raw_span span;
  STC_TRY(read_tags(raw, cursor, stc_cell_dim((stc_cell_type)type), tags, &span));
  return stc_raw_add_element(raw, cursor, type, span, stc_gmsh_cursor_int);
}

// Binary elements come in blocks of one type.
static stc_error read_block(stc_raw *raw, stc_gmsh_cursor *cursor, long long left,
                            long long *done) {
  long long gmsh, count, tags, number;
  int type;
  STC_TRY(stc_gmsh_cursor_int(cursor, "an element's type", &gmsh));
  STC_TRY(stc_raw_type(cursor, gmsh, &type));
  STC_TRY(stc_gmsh_cursor_int(cursor, "a number of elements", &count));
  STC_TRY(stc_gmsh_cursor_int(cursor, "an element's number of tags", &tags));
  if (count < 1 || count > left)
    return stc_gmsh_cursor_fail(cursor, "a block of %lld elements where %lld are left", count,
                                left);
  for (long long k = 0; k < count; k++) {
    STC_TRY(stc_gmsh_cursor_int(cursor, "an element's number", &number));
    STC_TRY(read_element(raw, cursor, type, tags));
  }
  *done += count;
  return STC_OK;
}

static stc_error read_elements(stc_raw *raw, stc_gmsh_cursor *cursor) {
  long long count, done = 0;
  STC_TRY(read_count(cursor, "elements", 8, &count));
  while (done < count) {
    if (cursor->binary) {
      STC_TRY(read_block(raw, cursor, count - done, &done));
    } else {
      long long number, gmsh, tags;
      int type;
      STC_TRY(stc_gmsh_cursor_text_integer(cursor, "an element's number", &number));
      STC_TRY(stc_gmsh_cursor_text_integer(cursor, "an element's type", &gmsh));
      STC_TRY(stc_raw_type(cursor, gmsh, &type));
      STC_TRY(stc_gmsh_cursor_text_integer(cursor, "an element's number of tags", &tags));
      STC_TRY(read_element(raw, cursor, type, tags));
      done++;
    }
  }
  raw->elements_read = true;
  return STC_OK;
}

stc_error stc_raw_read2(stc_raw *raw, stc_gmsh_cursor *cursor, const char *section) {
  if (!strcmp(section, "$Nodes")) {
    long long count, tag;
    double x[3];
    STC_TRY(read_count(cursor, "nodes", cursor->binary ? 28 : 8, &count));
    for (long long k = 0; k < count; k++) {
      STC_TRY(stc_gmsh_cursor_int(cursor, "a node's number", &tag));
      for (int i = 0; i < 3; i++) STC_TRY(stc_gmsh_cursor_real(cursor, "a coordinate", &x[i]));
      STC_TRY(stc_raw_add_node(raw, cursor, tag, x));
    }
    raw->nodes_read = true;
    return STC_OK;
  }
  return read_elements(raw, cursor);
}
