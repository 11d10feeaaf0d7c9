// Stages as SVG.
#ifndef STC_RENDER_DRAW_H
#define STC_RENDER_DRAW_H

#include "paint.h"

typedef struct draw_options {
  int width, height;  ///< pixels
  const char *title;  ///< for those who cannot see it; or NULL
  bool forces;
  double largest;  ///< force with the longest line, N
} draw_options;

/// Writes a whole document. False: out of memory, and the document is cut short.
bool draw(FILE *out, const stage *s, const stc_camera *camera, const draw_options *options);

#endif
