// Random numbers from a seed: the same on every machine.
#ifndef STC_BASE_RANDOM_H
#define STC_BASE_RANDOM_H

#include <stdint.h>

typedef struct stc_random {
  uint64_t state;
} stc_random;

stc_random stc_random_seed(uint64_t seed);
uint64_t stc_random_bits(stc_random *random);
double stc_random_uniform(stc_random *random);  ///< in [0, 1)
double stc_random_normal(stc_random *random);   ///< mean 0, variance 1

#endif
