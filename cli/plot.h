// Line plots as SVG: panels one above the other over a common axis.
#ifndef STICTION_CLI_PLOT_H
#define STICTION_CLI_PLOT_H

#include <stdbool.h>
#include <stdio.h>

/// A curve: y over x, `stride` numbers from one point to the next. What is not finite is a gap.
typedef struct plot_curve {
  const char *name;
  const double *x, *y;
  long count;
  int stride;
  bool dots;  ///< points instead of a line
} plot_curve;

typedef struct plot_panel {
  const char *title;
  const plot_curve *curve;  ///< [curves]
  int curves;
} plot_panel;

typedef struct plot_figure {
  const char *title;
  const char *x_label;
  const plot_panel *panel;  ///< [panels]
  int panels;
} plot_figure;

/// Writes the picture to a stream.
void plot_draw(FILE *out, const plot_figure *figure);

#endif
