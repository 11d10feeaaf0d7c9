// Counts the calls of malloc and its kin in the whole program, libraries included, and can let one
// fail. Works with glibc; under sanitizers and valgrind, which bring their own, it counts nothing.
#ifndef STC_CONFORM_HEAP_H
#define STC_CONFORM_HEAP_H

#include <stdbool.h>

/// False where the heap belongs to somebody else: the facts about it are then passed over.
bool heap_is_counted(void);

/// Allocations and blocks alive since heap_begin.
void heap_begin(void);
long heap_allocations(void);
long heap_alive(void);

/// Lets allocation number `number` (from 1) since heap_begin fail; 0: none.
void heap_fail_at(long number);

#endif
