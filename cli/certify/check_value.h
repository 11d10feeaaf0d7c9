// JSON [RFC 8259] as a tree of views on its text; numbers and strings stay as they are written.
#ifndef STICTION_CLI_VALUE_H
#define STICTION_CLI_VALUE_H

#include <stdbool.h>
#include <stddef.h>

typedef struct value {
  char kind;                ///< '{', '[', '"', or 'w': a number, true, false, null
  const char *text, *name;  ///< without quotes; name: of a member of an object
  size_t length, name_length;
  const struct value *first,
      *next;  ///< first element of an array or object; next of its neighbours
} value;

/// `memory`, or the end of the program with a sentence if it is NULL: half a certificate proves
/// nothing.
void *must(void *memory);

/// The tree of a whole text, text[size] = 0, to be freed with free(); NULL if it is not JSON.
value *value_read(const char *text, size_t size);
const value *member(const value *object, const char *name);         ///< NULL if there is none
bool value_is(const value *v, char kind, const char *text);         ///< false for v = NULL
bool value_integer(const value *v, int least, int most, int *out);  ///< false if it is not one
#endif
