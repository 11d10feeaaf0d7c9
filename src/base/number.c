// The "C" locale for one thread, for as long as a number is read or written. The host's own choice
// (setlocale, uselocale) stands again afterwards, and other threads see nothing of it.
#include "number.h"

#include <stdio.h>
#include <stdlib.h>

// glibc hands out its own "C" locale here and allocates nothing. Where there is no memory for one
// the host's locale stays.
stc_c_locale stc_c_locale_enter(void) {
  stc_c_locale locale = {newlocale(LC_ALL_MASK, "C", (locale_t)0), (locale_t)0};
  if (locale.chosen) locale.before = uselocale(locale.chosen);
  return locale;
}

void stc_c_locale_leave(stc_c_locale *locale) {
  if (!locale->chosen) return;
  uselocale(locale->before);
  freelocale(locale->chosen);
  locale->chosen = (locale_t)0;
}

double stc_strtod(const char *text, char **end) {
  stc_c_locale locale = stc_c_locale_enter();
  double value = strtod(text, end);
  stc_c_locale_leave(&locale);
  return value;
}

int stc_vsnprintf(char *text, size_t room, const char *format, va_list list) {
  stc_c_locale locale = stc_c_locale_enter();
  int length = vsnprintf(text, room, format, list);
  stc_c_locale_leave(&locale);
  return length;
}

int stc_snprintf(char *text, size_t room, const char *format, ...) {
  va_list list;
  va_start(list, format);
  int length = stc_vsnprintf(text, room, format, list);
  va_end(list);
  return length;
}
