// Jobs of a team compiled twice: for every processor, and with wider vectors where there are some.
// No sum changes its order and no product is fused: the bits are the same.
#ifndef STC_BASE_VARIANTS_H
#define STC_BASE_VARIANTS_H

#define STC_ALWAYS static inline __attribute__((always_inline))

/// Makes `static void name(void *argument, int piece)` of name##_of, which is STC_ALWAYS.
#if defined(__x86_64__)
#define STC_JOB_VARIANTS(name)                                                                     \
  __attribute__((target("avx2"))) static void name##_wide(void *argument, int piece) {             \
    name##_of(argument, piece);                                                                    \
  }                                                                                                \
  static void name(void *argument, int piece) {                                                    \
    if (__builtin_cpu_supports("avx2"))                                                            \
      name##_wide(argument, piece);                                                                \
    else                                                                                           \
      name##_of(argument, piece);                                                                  \
  }
#else
#define STC_JOB_VARIANTS(name)                                                                     \
  static void name(void *argument, int piece) { name##_of(argument, piece); }
#endif

#endif
