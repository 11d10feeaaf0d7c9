// Line plots as SVG: panels one above the other over a common axis.
#ifndef STC_RENDER_PLOT_H
#define STC_RENDER_PLOT_H

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

/// Numbers over x and y, drawn as colours; x and y rise.
typedef struct plot_map {
  long columns;
  int stride;       ///< numbers from one x to the next
  const double *x;  ///< [columns] with the stride
  int rows;
  const double *y;      ///< [rows]
  const double *value;  ///< [columns*rows] by columns
} plot_map;

typedef struct plot_panel {
  const char *title;
  const plot_curve *curve;  ///< [curves]
  int curves;
  const char *x_label;  ///< of an axis of its own; NULL: the one of the figure
  const plot_map *map;  ///< or NULL
} plot_panel;

typedef struct plot_figure {
  const char *title;
  const char *x_label;      ///< NULL: every panel has its own
  const plot_panel *panel;  ///< [panels]
  int panels;
} plot_figure;

/// A rectangle of a picture, in pixels.
typedef struct plot_frame {
  double left, top, width, height;
} plot_frame;

/// Fills a frame with the colours of a map, and draws their scale beside it.
void plot_draw_map(FILE *out, const plot_map *map, plot_frame frame);

/// Writes the picture to a stream.
void plot_draw(FILE *out, const plot_figure *figure);

#endif
