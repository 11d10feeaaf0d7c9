// Structs of the public headers compared bit for bit, their padding left out.
#ifndef STC_TEST_SAME_BITS_H
#define STC_TEST_SAME_BITS_H

#include "expect.h"

#include <stiction/problem.h>

/// Field by field: there is padding between them that nobody writes.
static inline void expect_same_bits(const stc_residual *a, const stc_residual *b) {
  const size_t second = offsetof(stc_residual, interpenetration);
  assert_memory_equal(a, b, offsetof(stc_residual, worst_contact));
  assert_int_equal(a->worst_contact, b->worst_contact);
  assert_memory_equal((const char *)a + second, (const char *)b + second,
                      offsetof(stc_residual, open) - second);
  assert_int_equal(a->open, b->open);
  assert_int_equal(a->stick, b->stick);
  assert_int_equal(a->slip, b->slip);
  assert_int_equal(a->violated, b->violated);
}

#endif
