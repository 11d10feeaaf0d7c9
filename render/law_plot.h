// Pictures of friction laws: panels side by side, each with its own axes.
#ifndef STC_RENDER_LAW_PLOT_H
#define STC_RENDER_LAW_PLOT_H

#include <stdbool.h>
#include <stdio.h>

typedef struct law_curve {
  const char *name;
  const double *x, *y;  ///< [count]
  int count;
  bool dashed;
} law_curve;

/// Axes run from 0 to x_high and y_high; curves end at the frame.
typedef struct law_panel {
  const char *title, *x_label, *y_label;
  double x_high, y_high;
  const law_curve *curve;  ///< [curves]
  int curves;
} law_panel;

typedef struct law_figure {
  const char *title;
  const law_panel *panel;  ///< [panels]
  int panels;
} law_figure;

/// Writes the picture as SVG to a stream.
void law_figure_draw(FILE *out, const law_figure *figure);

#endif
