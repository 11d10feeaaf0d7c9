// A text that grows.
#ifndef STC_BASE_TEXT_H
#define STC_BASE_TEXT_H

#include <stiction/base.h>

/// Zero-initialise it; ends with 0 once something was put. Free with stc_text_free.
typedef struct stc_text {
  char *at;
  size_t length, room;
  bool failed;  ///< out of memory: what was put since is lost
} stc_text;

/// Makes room for this many more bytes; false if there is no memory.
bool stc_text_reserve(stc_text *text, size_t more);

/// Appends as printf does.
void stc_text_put(stc_text *text, const char *format, ...) STC_PRINTF(2, 3);

void stc_text_free(stc_text *text);

#endif
