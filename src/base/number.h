// Numbers as text, the same in every locale: a host that has chosen a decimal comma changes nothing
// that is read or written here.
#ifndef STC_BASE_NUMBER_H
#define STC_BASE_NUMBER_H

#include <stiction/base.h>

#include <locale.h>
#include <stdarg.h>

/// The locale of this thread while the "C" locale stands in for it.
typedef struct stc_c_locale {
  locale_t chosen, before;
} stc_c_locale;

/// Between the two calls this thread formats, reads and compares as in the "C" locale. Calls may be
/// nested.
stc_c_locale stc_c_locale_enter(void);
void stc_c_locale_leave(stc_c_locale *locale);

/// strtod, snprintf and vsnprintf of the "C" locale.
double stc_strtod(const char *text, char **end);
int stc_snprintf(char *text, size_t room, const char *format, ...) STC_PRINTF(3, 4);
int stc_vsnprintf(char *text, size_t room, const char *format, va_list list) STC_PRINTF(3, 0);

/// Whether c is white space of the "C" locale, and c as a small letter.
static inline bool stc_is_space(char c) { return c == ' ' || (c >= '\t' && c <= '\r'); }
static inline char stc_lower(char c) { return c >= 'A' && c <= 'Z' ? (char)(c - 'A' + 'a') : c; }

#endif
