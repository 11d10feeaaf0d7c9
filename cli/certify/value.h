// JSON [RFC 8259] as a tree of views on its text; numbers and strings stay as they are written.
#ifndef STICTION_CLI_VALUE_H
#define STICTION_CLI_VALUE_H

#include <stdbool.h>
#include <stddef.h>

typedef enum value_kind { VALUE_WORD, VALUE_STRING, VALUE_ARRAY, VALUE_OBJECT } value_kind;

typedef struct value {
  value_kind kind;   ///< VALUE_WORD: a number, true, false or null
  const char *text;  ///< of a word, or between the quotes of a string; ends `length` later
  const char *name;  ///< of a member of an object, between the quotes
  size_t length, name_length;
  struct value *first, *next;  ///< first element of an array or object; next of its neighbours
} value;

/// The tree of a whole text, to be freed with free(); NULL if it is not one JSON value.
value *value_read(const char *text, size_t size);

const value *value_member(const value *object, const char *name);   ///< NULL if there is none
bool value_is(const value *v, value_kind kind, const char *text);   ///< false for v = NULL
bool value_integer(const value *v, int least, int most, int *out);  ///< false if it is not one
#endif
