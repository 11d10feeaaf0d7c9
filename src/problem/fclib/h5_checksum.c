// The checksum of HDF5's newer structures: Bob Jenkins' "lookup3" hash, read as little-endian words
// [http://burtleburtle.net/bob/c/lookup3.c, public domain].
#include "h5_parts.h"

static uint32_t rotated(uint32_t x, int k) { return x << k | x >> (32 - k); }

// Reversible mixing of three words.
static void mix(uint32_t w[3]) {
  static const int shift[6] = {4, 6, 8, 16, 19, 4};
  for (int k = 0; k < 6; k++) {
    uint32_t *a = &w[k % 3], *b = &w[(k + 1) % 3], *c = &w[(k + 2) % 3];
    *a -= *c;
    *a ^= rotated(*c, shift[k]);
    *c += *b;
  }
}

// The last mixing, after which the third word is the hash.
static void finish(uint32_t w[3]) {
  static const int shift[7] = {14, 11, 25, 16, 4, 14, 24};
  for (int k = 0; k < 7; k++) {
    uint32_t *a = &w[(k + 2) % 3], *b = &w[(k + 1) % 3];
    *a ^= *b;
    *a -= rotated(*b, shift[k]);
  }
}

// Adds up to twelve bytes to the three words.
static void absorb(uint32_t w[3], const uint8_t *bytes, size_t count) {
  for (size_t k = 0; k < count; k++) w[k / 4] += (uint32_t)bytes[k] << 8 * (k % 4);
}

uint32_t stc_h5_checksum(const uint8_t *bytes, size_t count) {
  uint32_t start = 0xdeadbeef + (uint32_t)count, w[3] = {start, start, start};
  for (; count > 12; bytes += 12, count -= 12) {
    absorb(w, bytes, 12);
    mix(w);
  }
  if (count == 0) return w[2];
  absorb(w, bytes, count);
  finish(w);
  return w[2];
}

bool stc_h5_is_checksum(uint64_t stored, const uint8_t *bytes, size_t count) {
#ifdef STICTION_FUZZING
  (void)stored, (void)bytes, (void)count;
  return true;
#else
  return stored == stc_h5_checksum(bytes, count);
#endif
}
