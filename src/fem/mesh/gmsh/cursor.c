// Reads numbers and lines of a Gmsh file with bounds.
#include "../../../base/number.h"
#include "raw.h"

#include <errno.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

enum { LONGEST_NUMBER = 64 };  // letters

stc_error stc_gmsh_cursor_fail(const stc_gmsh_cursor *cursor, const char *format, ...) {
  char sentence[400];
  va_list list;
  va_start(list, format);
  stc_vsnprintf(sentence, sizeof sentence, format, list);
  va_end(list);
  if (cursor->binary)
    return stc_fail(STC_ERR_FORMAT, "%s: byte %lld: %s", cursor->path,
                    (long long)(cursor->at - cursor->begin), sentence);
  return stc_fail(STC_ERR_FORMAT, "%s:%d: %s", cursor->path, cursor->line, sentence);
}

size_t stc_gmsh_cursor_left(const stc_gmsh_cursor *cursor) {
  return (size_t)(cursor->end - cursor->at);
}

bool stc_gmsh_cursor_line(stc_gmsh_cursor *cursor, char *line, size_t room) {
  if (cursor->at == cursor->end) return false;
  const char *stop = memchr(cursor->at, '\n', stc_gmsh_cursor_left(cursor));
  const char *next = stop ? stop + 1 : cursor->end;
  if (!stop) stop = cursor->end;
  size_t length = (size_t)(stop - cursor->at);
  while (length > 0 && stc_is_space(cursor->at[length - 1])) length--;
  if (length >= room) length = room - 1;
  memcpy(line, cursor->at, length);
  line[length] = 0;
  cursor->at = next;
  cursor->line++;
  return true;
}

void stc_gmsh_cursor_end_line(stc_gmsh_cursor *cursor) {
  char line[2];
  stc_gmsh_cursor_line(cursor, line, sizeof line);
}

static void skip_space(stc_gmsh_cursor *cursor) {
  while (cursor->at < cursor->end && stc_is_space(*cursor->at))
    cursor->line += *cursor->at++ == '\n';
}

// The next word, which is cut where it is longer than any number.
static stc_error take_word(stc_gmsh_cursor *cursor, const char *what, char *word) {
  int length = 0;
  skip_space(cursor);
  if (cursor->at == cursor->end)
    return stc_gmsh_cursor_fail(cursor, "the file ends where %s is expected; it is truncated",
                                what);
  while (cursor->at < cursor->end && !stc_is_space(*cursor->at)) {
    if (length < LONGEST_NUMBER - 1) word[length++] = *cursor->at;
    cursor->at++;
  }
  word[length] = 0;
  return STC_OK;
}

stc_error stc_gmsh_cursor_text_real(stc_gmsh_cursor *cursor, const char *what, double *value) {
  char word[LONGEST_NUMBER], *stop;
  STC_TRY(take_word(cursor, what, word));
  *value = stc_strtod(word, &stop);
  if (*stop || stop == word)
    return stc_gmsh_cursor_fail(cursor, "'%s' where %s, a number, is expected", word, what);
  return STC_OK;
}

stc_error stc_gmsh_cursor_text_integer(stc_gmsh_cursor *cursor, const char *what,
                                       long long *value) {
  char word[LONGEST_NUMBER], *stop;
  STC_TRY(take_word(cursor, what, word));
  errno = 0;
  *value = strtoll(word, &stop, 10);
  if (*stop || stop == word || errno)
    return stc_gmsh_cursor_fail(cursor, "'%s' where %s, a whole number, is expected", word, what);
  return STC_OK;
}

stc_error stc_gmsh_cursor_text_quoted(stc_gmsh_cursor *cursor, const char *what, char *text,
                                      size_t room) {
  size_t length = 0;
  skip_space(cursor);
  if (cursor->at == cursor->end || *cursor->at != '"')
    return stc_gmsh_cursor_fail(cursor, "%s, in double quotes, is expected", what);
  cursor->at++;
  while (cursor->at < cursor->end && *cursor->at != '"' && *cursor->at != '\n') {
    if (length + 1 == room) return stc_gmsh_cursor_fail(cursor, "%s is too long", what);
    text[length++] = *cursor->at++;
  }
  text[length] = 0;
  if (cursor->at == cursor->end || *cursor->at != '"')
    return stc_gmsh_cursor_fail(cursor, "%s lacks its closing quote", what);
  cursor->at++;
  return STC_OK;
}

// `size` bytes in this machine's order.
static stc_error take_bytes(stc_gmsh_cursor *cursor, const char *what, void *value, size_t size) {
  if (stc_gmsh_cursor_left(cursor) < size)
    return stc_gmsh_cursor_fail(cursor, "the file ends where %s is expected; it is truncated",
                                what);
  memcpy(value, cursor->at, size);
  cursor->at += size;
  unsigned char *byte = value;
  for (size_t k = 0; cursor->swap && k < size / 2; k++) {
    unsigned char kept = byte[k];
    byte[k] = byte[size - 1 - k];
    byte[size - 1 - k] = kept;
  }
  return STC_OK;
}

stc_error stc_gmsh_cursor_real(stc_gmsh_cursor *cursor, const char *what, double *value) {
  if (!cursor->binary) return stc_gmsh_cursor_text_real(cursor, what, value);
  return take_bytes(cursor, what, value, sizeof *value);
}

stc_error stc_gmsh_cursor_int(stc_gmsh_cursor *cursor, const char *what, long long *value) {
  int32_t number = 0;
  if (!cursor->binary) return stc_gmsh_cursor_text_integer(cursor, what, value);
  STC_TRY(take_bytes(cursor, what, &number, sizeof number));
  *value = number;
  return STC_OK;
}

stc_error stc_gmsh_cursor_size(stc_gmsh_cursor *cursor, const char *what, long long *value) {
  uint64_t number = 0;
  if (!cursor->binary) return stc_gmsh_cursor_text_integer(cursor, what, value);
  STC_TRY(take_bytes(cursor, what, &number, sizeof number));
  if (number > INT64_MAX) return stc_gmsh_cursor_fail(cursor, "%s is out of range", what);
  *value = (long long)number;
  return STC_OK;
}

stc_error stc_gmsh_cursor_bound(const stc_gmsh_cursor *cursor, const char *what, long long count,
                                size_t least) {
  if (count < 0)
    return stc_gmsh_cursor_fail(cursor, "%lld %s; a number of things is expected", count, what);
  if ((unsigned long long)count > stc_gmsh_cursor_left(cursor) / least)
    return stc_gmsh_cursor_fail(
        cursor, "%lld %s are announced, but the file ends before; it is truncated", count, what);
  return STC_OK;
}
