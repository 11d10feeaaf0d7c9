// A text that grows.
#include "text.h"

#include "number.h"

#include <stdarg.h>
#include <stdlib.h>

bool stc_text_reserve(stc_text *text, size_t more) {
  if (text->failed || text->length + more < text->room) return !text->failed;
  size_t room = 2 * (text->room + more) + 1024;
  char *at = realloc(text->at, room);
  text->failed = !at;
  if (!at) return false;
  text->at = at;
  text->room = room;
  return true;
}

void stc_text_put(stc_text *text, const char *format, ...) {
  va_list list, again;
  va_start(list, format);
  va_copy(again, list);
  int length = stc_vsnprintf(NULL, 0, format, list);
  if (length >= 0 && stc_text_reserve(text, (size_t)length + 1)) {
    stc_vsnprintf(text->at + text->length, text->room - text->length, format, again);
    text->length += (size_t)length;
  }
  va_end(again);
  va_end(list);
}

void stc_text_free(stc_text *text) {
  free(text->at);
  *text = (stc_text){0};
}
