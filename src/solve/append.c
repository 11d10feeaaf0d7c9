// Appending words and numbers to a text.
#include "append.h"

#include <limits.h>
#include <math.h>
#include <string.h>

enum { DIGITS = 24 };  // of a long, with sign and end [size]

void stc_words_add(char *text, size_t room, const char *words) {
  size_t used = strlen(text), length = strlen(words);
  if (used + 1 >= room) return;
  if (length > room - 1 - used) length = room - 1 - used;
  memcpy(text + used, words, length);
  text[used + length] = '\0';
}

void stc_words_add_number(char *text, size_t room, long number) {
  char digits[DIGITS], *at = digits + DIGITS - 1;
  unsigned long left = number < 0 ? 0 - (unsigned long)number : (unsigned long)number;
  *at = '\0';
  do *--at = (char)('0' + left % 10);
  while (left /= 10);
  if (number < 0) *--at = '-';
  stc_words_add(text, room, at);
}

void stc_words_add_tenths(char *text, size_t room, double number) {
  double tenths = floor(10 * fabs(number) + 0.5);
  long whole = tenths < (double)LONG_MAX ? (long)tenths : LONG_MAX;
  if (number < 0) stc_words_add(text, room, "-");
  stc_words_add_number(text, room, whole / 10);
  stc_words_add(text, room, ".");
  stc_words_add_number(text, room, whole % 10);
}
