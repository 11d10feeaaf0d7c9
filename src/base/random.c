// SplitMix64   [Steele, Lea and Flood 2014], and Box–Muller for the normal law.
#include "random.h"

#include "elementary.h"

#include <math.h>

stc_random stc_random_seed(uint64_t seed) { return (stc_random){.state = seed}; }

uint64_t stc_random_bits(stc_random *random) {
  uint64_t z = (random->state += 0x9e3779b97f4a7c15u);
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
  z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
  return z ^ (z >> 31);
}

double stc_random_uniform(stc_random *random) {
  return (double)(stc_random_bits(random) >> 11) * 0x1p-53;
}

double stc_random_normal(stc_random *random) {
  const double tau = 6.283185307179586;
  double radius = sqrt(-2.0 * stc_log(1.0 - stc_random_uniform(random)));
  return radius * stc_cos(tau * stc_random_uniform(random));
}
