// The sentence of the last error, one per thread.
#include "fail.h"

#include "number.h"

#include <stdarg.h>
#include <string.h>

enum { DETAIL_SIZE = 1024 };

static _Thread_local char detail[DETAIL_SIZE];

static const char *const texts[] = {
#define TEXT(code, text) [code] = text,
    STC_ERRORS(TEXT)
#undef TEXT
};

const char *stc_error_text(stc_error error) {
  bool known = (int)error >= 0 && error < STC_ERROR_COUNT;
  return known ? texts[error] : "unknown error";
}

const char *stc_error_detail(void) { return detail; }

void stc_fail_forget(void) { detail[0] = '\0'; }

stc_error stc_fail(stc_error error, const char *format, ...) {
  char text[DETAIL_SIZE];  // the arguments may point into `detail`
  va_list arguments;
  va_start(arguments, format);
  stc_vsnprintf(text, sizeof text, format, arguments);
  va_end(arguments);
  memcpy(detail, text, sizeof text);
  return error;
}

stc_error stc_fail_in(stc_error error, const char *prefix) {
  return stc_fail(error, "%s: %s", prefix, detail);
}

#define STRING(x)                    #x
#define VERSION(major, minor, patch) STRING(major) "." STRING(minor) "." STRING(patch)

const char *stc_version(void) {
  return VERSION(STC_VERSION_MAJOR, STC_VERSION_MINOR, STC_VERSION_PATCH);
}
