// What a Gmsh file says, before it is a mesh: nodes by their tags, elements with the groups they
// belong to.
#ifndef STC_FEM_RAW_H
#define STC_FEM_RAW_H

#include <stiction/fem.h>

#include "../../../base/fail.h"
#include "../../../base/memory.h"

// A place in the bytes of a Gmsh file, text or binary. Nothing is read past the end, and every
// sentence names the line (text) or the byte (binary).

typedef struct stc_gmsh_cursor {
  const char *path;  ///< as sentences name it
  const char *begin, *at, *end;
  bool binary;  ///< numbers are binary where the format says so
  bool swap;    ///< written on a machine of the other byte order
  int line;     ///< of `at`, from 1; counts in text only
} stc_gmsh_cursor;

/// Fails at the cursor: "path:line: ..." or "path: byte n: ...".
stc_error stc_gmsh_cursor_fail(const stc_gmsh_cursor *cursor, const char *format, ...)
    STC_PRINTF(2, 3);

size_t stc_gmsh_cursor_left(const stc_gmsh_cursor *cursor);

/// The next line without its end, to `line` [room]; false at the end of the file. A longer line is
/// cut.
bool stc_gmsh_cursor_line(stc_gmsh_cursor *cursor, char *line, size_t room);

/// The next number, `what` in sentences: text in any case for the first three of these, then text
/// or binary as the file has it (int and double, size_t in format 4).
stc_error stc_gmsh_cursor_text_real(stc_gmsh_cursor *cursor, const char *what, double *value);
stc_error stc_gmsh_cursor_text_integer(stc_gmsh_cursor *cursor, const char *what, long long *value);
stc_error stc_gmsh_cursor_text_quoted(stc_gmsh_cursor *cursor, const char *what, char *text,
                                      size_t room);
stc_error stc_gmsh_cursor_real(stc_gmsh_cursor *cursor, const char *what, double *value);
stc_error stc_gmsh_cursor_int(stc_gmsh_cursor *cursor, const char *what, long long *value);
stc_error stc_gmsh_cursor_size(stc_gmsh_cursor *cursor, const char *what, long long *value);

/// A number of things that each take at least `least` bytes of what is left.
stc_error stc_gmsh_cursor_bound(const stc_gmsh_cursor *cursor, const char *what, long long count,
                                size_t least);

/// Skips the end of a line after the last text before binary numbers.
void stc_gmsh_cursor_end_line(stc_gmsh_cursor *cursor);

enum { STC_GMSH_NAME = 256 };  ///< bytes of a group's name, the closing 0 included

typedef struct stc_raw_group {
  int dim;
  long long tag;
  char name[STC_GMSH_NAME];
} stc_raw_group;

/// An entity of the geometry (format 4) and the groups it belongs to.
typedef struct stc_raw_entity {
  int dim;
  long long tag;
  int first, groups;  ///< into membership
} stc_raw_entity;

/// A growing list of things of one size.
typedef struct stc_gmsh_list {
  void *items;
  size_t count, room, size;
} stc_gmsh_list;

typedef struct stc_raw {
  stc_gmsh_list groups;      ///< stc_raw_group
  stc_gmsh_list entities;    ///< stc_raw_entity, by dim and tag once all are read
  stc_gmsh_list membership;  ///< int: a group
  stc_gmsh_list tags;        ///< long long: tag of every node
  stc_gmsh_list x;           ///< double: 3 for any node
  stc_gmsh_list types;       ///< unsigned char: stc_cell_type of every element
  stc_gmsh_list nodes;       ///< long long: tags of the nodes of the elements, one after the other
  stc_gmsh_list spans;       ///< stc_raw_span: groups of every element
  bool entities_read, nodes_read, elements_read;
} stc_raw;

/// Groups of an element: `count` from `first` in membership.
typedef struct stc_raw_span {
  int first, count;
} stc_raw_span;

/// Room for one more, zeroed; NULL without memory.
void *stc_gmsh_list_add(stc_gmsh_list *list);
void *stc_gmsh_list_at(const stc_gmsh_list *list, size_t k);

void stc_raw_open(stc_raw *raw);
void stc_raw_free(stc_raw *raw);

/// The number of a group of this dimension and tag, made if it is not there; -1 without memory.
int stc_raw_group_of(stc_raw *raw, int dim, long long tag);

/// A node; an element of Gmsh's type `gmsh` whose node tags follow at the cursor.
stc_error stc_raw_add_node(stc_raw *raw, stc_gmsh_cursor *cursor, long long tag, const double *x);
stc_error stc_raw_add_element(stc_raw *raw, stc_gmsh_cursor *cursor, int type, stc_raw_span span,
                              stc_error (*take)(stc_gmsh_cursor *, const char *, long long *));

/// The cell type of Gmsh's element type, or a refusal that says what to do.
stc_error stc_raw_type(const stc_gmsh_cursor *cursor, long long gmsh, int *type);

stc_error stc_raw_read2(stc_raw *raw, stc_gmsh_cursor *cursor, const char *section);
stc_error stc_raw_read4(stc_raw *raw, stc_gmsh_cursor *cursor, const char *section);

/// The mesh of what was read.
stc_error stc_raw_build(stc_raw *raw, const char *path, stc_mesh **mesh);

#endif
