// Exact rational numbers that never change once made; they live until exact_forget.
#ifndef STICTION_CLI_EXACT_H
#define STICTION_CLI_EXACT_H

#include <gmp.h>

#include "check_value.h"

typedef mpq_srcptr number;

void *exact_room(int count, size_t size);  ///< zeroed memory, freed with the numbers
int exact_mark(void);                      ///< how many numbers there are
void exact_forget(int mark);               ///< drops the later ones; -1: all, and all memory

number real(double x);
number plus(number a, number b);
number minus(number a, number b);
number times(number a, number b);
number over(number a, number b);
number negative(number a);
number size_of(number a);  ///< |a|
number dot(int count, const number *a, const number *b);
number exact_read(const value *text);  ///< "0x1.8p-3", "p/q" or "p" in a string; NULL if it is not
#endif
