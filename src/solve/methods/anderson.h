// Anderson acceleration (type II) of a fixed-point map x -> g(x), safeguarded by its residual.
#ifndef STC_SOLVE_ANDERSON_H
#define STC_SOLVE_ANDERSON_H

#include "../../base/memory.h"
#include "../../base/team.h"

enum { STC_ANDERSON_MOST = 20 };  // [size]

typedef double stc_gram_row[STC_ANDERSON_MOST];

typedef struct stc_anderson {
  int size;
  int memory;  ///< differences kept, 0: no acceleration
  int count, head;
  const double *weight;  ///< [size] of the norm in which g(x) - x is least
  double *dg, *df;       ///< [memory*size] differences of g(x) and of f = g(x) - x
  double *f;             ///< [size] the last f
  double *image;         ///< [size] the last g(x), to return to
  stc_gram_row *gram;    ///< [memory] products of the df
  double norm;           ///< |g(x) - x| of the last call
  bool leapt;            ///< x came from the acceleration
  int rejected;          ///< leaps taken back since the last reset
  stc_team *team;        ///< shares the vectors; NULL, as created: the caller alone
} stc_anderson;

stc_error stc_anderson_create(stc_arena *arena, int size, int memory, const double *weight,
                              stc_anderson *anderson);
void stc_anderson_reset(stc_anderson *anderson);

/// Given x and g = g(x), overwrites x with the next point: the combination of past points whose
/// residual is least, or, when the last leap made the residual grow too much, the image before it.
void stc_anderson_step(stc_anderson *anderson, double *x, const double *g);

#endif
