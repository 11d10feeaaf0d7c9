// Performance profiles of methods as SVG.
#ifndef STC_RENDER_PROFILE_H
#define STC_RENDER_PROFILE_H

#include <stdbool.h>
#include <stdio.h>

typedef struct profile {
  const char *title;
  int problems, methods;
  const char *const *method;  ///< [methods] names
  const double *seconds;      ///< [problems*methods], > 0; INFINITY: not solved
} profile;

/// False: out of memory.
bool profile_draw(FILE *out, const profile *p);

#endif
