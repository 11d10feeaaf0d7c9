// The settings table at run time: defaults, names, ranges, setting by text.
#include "../base/fail.h"
#include "../base/number.h"

#include "method.h"
#include "settings.h"

#include <errno.h>
#include <math.h>
#include <stddef.h>
#include <string.h>

enum { COOKIE = 0x57c7 };  // [format]

// The types of the table's first column.
enum kind { KIND_double, KIND_long, KIND_int };

typedef struct field {
  stc_setting setting;
  enum kind kind;
  size_t offset;
} field;

#define ROW_GENERAL(...)     ROW(, "", __VA_ARGS__)
#define ROW_PROGRESS(...)    ROW(rule., "rule.", __VA_ARGS__)
#define ROW_PART(...)        ROW(part., "part.", __VA_ARGS__)
#define ROW_NSGS(...)        ROW(nsgs., "nsgs.", __VA_ARGS__)
#define ROW_NEWTON(...)      ROW(newton., "newton.", __VA_ARGS__)
#define ROW_ADMM(...)        ROW(admm., "admm.", __VA_ARGS__)
#define ROW_IPM(...)         ROW(ipm., "ipm.", __VA_ARGS__)
#define ROW_PATH(...)        ROW(path., "path.", __VA_ARGS__)
#define ROW_APGD(...)        ROW(apgd., "apgd.", __VA_ARGS__)
#define ROW_SCHWARZ(...)     ROW(schwarz., "schwarz.", __VA_ARGS__)
#define ROW_STRATEGY(...)    ROW(strategy., "strategy.", __VA_ARGS__)
#define ROW_FIXED_POINT(...) ROW(fixed_point., "fixed-point.", __VA_ARGS__)

#define ALL_ROWS                                                                                   \
  STC_SETTINGS_GENERAL(ROW_GENERAL)                                                                \
  STC_SETTINGS_PROGRESS(ROW_PROGRESS)                                                              \
  STC_SETTINGS_PART(ROW_PART)                                                                      \
  STC_SETTINGS_NSGS(ROW_NSGS)                                                                      \
  STC_SETTINGS_NEWTON(ROW_NEWTON)                                                                  \
  STC_SETTINGS_FIXED_POINT(ROW_FIXED_POINT)                                                        \
  STC_SETTINGS_ADMM(ROW_ADMM)                                                                      \
  STC_SETTINGS_IPM(ROW_IPM)                                                                        \
  STC_SETTINGS_PATH(ROW_PATH)                                                                      \
  STC_SETTINGS_APGD(ROW_APGD)                                                                      \
  STC_SETTINGS_SCHWARZ(ROW_SCHWARZ)                                                                \
  STC_SETTINGS_STRATEGY(ROW_STRATEGY)

#define ROW(group, prefix, type, name, initial, least, greatest, meaning)                          \
  {{prefix #name, #type, meaning, initial, least, greatest},                                       \
   KIND_##type,                                                                                    \
   offsetof(stc_settings, group name)},
static const field table[] = {ALL_ROWS};
#undef ROW

enum { FIELDS = sizeof table / sizeof *table };

static void store(stc_settings *settings, const field *f, double value) {
  char *place = (char *)settings + f->offset;
  if (f->kind == KIND_double) {
    memcpy(place, &value, sizeof value);
  } else if (f->kind == KIND_long) {
    long whole = (long)value;
    memcpy(place, &whole, sizeof whole);
  } else {
    int whole = (int)value;
    memcpy(place, &whole, sizeof whole);
  }
}

static double load_settings(const stc_settings *settings, const field *f) {
  const char *place = (const char *)settings + f->offset;
  if (f->kind == KIND_double) {
    double value;
    memcpy(&value, place, sizeof value);
    return value;
  }
  if (f->kind == KIND_long) {
    long whole;
    memcpy(&whole, place, sizeof whole);
    return (double)whole;
  }
  int whole;
  memcpy(&whole, place, sizeof whole);
  return whole;
}

stc_settings stc_default_settings(void) {
  stc_settings settings = {.method = "auto", .cookie = COOKIE};
  for (int k = 0; k < FIELDS; k++) store(&settings, &table[k], table[k].setting.initial);
  return settings;
}

bool stc_settings_field(int k, stc_setting *setting) {
  if (k < 0 || k >= FIELDS) return false;
  *setting = table[k].setting;
  return true;
}

// Every setup asks: a comparison per field and no walk through the table, which names what is
// wrong.
#define ROW(group, prefix, type, name, initial, least, greatest, meaning)                          \
  &&(double)settings->group name >= (least) && (double)settings->group name <= (greatest)
static bool all_in_range(const stc_settings *settings) { return true ALL_ROWS; }
#undef ROW

static stc_error check_value(const field *f, double value) {
  const stc_setting *s = &f->setting;
  if (!(value >= s->least && value <= s->greatest))
    return stc_fail(STC_ERR_VALUE, "setting %s = %g is not between %g and %g", s->name, value,
                    s->least, s->greatest);
  if (f->kind != KIND_double && value != floor(value))
    return stc_fail(STC_ERR_VALUE, "setting %s = %g must be a whole number", s->name, value);
  return STC_OK;
}

stc_error stc_settings_set(stc_settings *settings, const char *name, const char *text) {
  for (int k = 0; k < FIELDS; k++) {
    if (strcmp(table[k].setting.name, name) != 0) continue;
    char *end = NULL;
    double value = stc_strtod(text, &end);
    if (end == text || *end)
      return stc_fail(STC_ERR_VALUE, "setting %s: '%s' is not a number", name, text);
    STC_TRY(check_value(&table[k], value));
    store(settings, &table[k], value);
    return STC_OK;
  }
  return stc_fail(STC_ERR_ARGUMENT, "there is no setting '%s'; `stiction list settings` shows all",
                  name);
}

stc_error stc_settings_check(const stc_settings *settings) {
  if (settings->cookie != COOKIE)
    return stc_fail(STC_ERR_ARGUMENT, "settings must come from stc_default_settings()");
  bool good = all_in_range(settings);
  for (int k = 0; !good && k < FIELDS; k++)
    STC_TRY(check_value(&table[k], load_settings(settings, &table[k])));
  if (!settings->method || stc_method_find(settings->method)) return STC_OK;
  return stc_fail(STC_ERR_ARGUMENT, "there is no method '%s'; `stiction list methods` shows all",
                  settings->method);
}
