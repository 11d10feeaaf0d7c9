// A place in the bytes of a Gmsh file, text or binary. Nothing is read past the end, and every
// sentence names the line (text) or the byte (binary).
#ifndef STC_FEM_CURSOR_H
#define STC_FEM_CURSOR_H

#include "../../../base/fail.h"

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

#endif
