// Sentences put together without the C library's formatter, which costs more than a small solve.
#ifndef STC_SOLVE_APPEND_H
#define STC_SOLVE_APPEND_H

#include <stddef.h>

/// Appends to the text of at most `room` bytes; what does not fit is cut off.
void stc_words_add(char *text, size_t room, const char *words);
void stc_words_add_number(char *text, size_t room, long number);

/// With one decimal.
void stc_words_add_tenths(char *text, size_t room, double number);

#endif
