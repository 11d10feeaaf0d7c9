// Generated problems of any size with known structure: they feed the tests, the demo, the
// benchmarks.
#ifndef STICTION_GENERATE_H
#define STICTION_GENERATE_H

#include <stiction/problem.h>

#ifdef __cplusplus
extern "C" {
#endif

/// What to generate. Start from stc_default_generator(kind); docs/generate.md has a section per
/// kind.
typedef struct stc_generator {
  const char *kind;    ///< a name of stc_generator_name
  int n;               ///< size: spheres, courses, stones, layers, links ... (the kind says which);
                       ///< the sub-case of a theory problem
  int n2;              ///< second size where the kind has one (bricks per course), else ignored
  double mu;           ///< friction coefficient, >= 0
  double mu2;          ///< along T2 where > 0 (elliptic law), 3D kinds; 0: isotropic
  double step;         ///< time step, s; ignored by theory problems
  unsigned long seed;  ///< same seed, same problem
  double disorder;     ///< 0: regular, at rest; 1: as irregular as the kind allows
  double param;        ///< tilt of gravity towards +x, rad; the free number of a theory problem
} stc_generator;

/// Name of generator k, what it makes and what n and n2 mean; NULL past the last.
STC_API const char *stc_generator_name(int k);
STC_API const char *stc_generator_summary(int k);

/// The defaults of a kind; kind is NULL in the result if there is no such generator.
STC_API stc_generator stc_default_generator(const char *kind);

/// The problem, in the global form (kinds that are abstract problems may come in the local form).
STC_API stc_error stc_generate(const stc_generator *options, stc_problem **problem);

#ifdef __cplusplus
}
#endif
#endif
