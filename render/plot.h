// Figures as SVG: panels with axes, curves and maps, one above the other or side by side.
#ifndef STC_RENDER_PLOT_H
#define STC_RENDER_PLOT_H

#include <stdbool.h>
#include <stdio.h>

typedef enum plot_style {
  PLOT_LINE,
  PLOT_DOTS,
  PLOT_STEPS  ///< level to the next x, then up or down; the last one to the end of the axis
} plot_style;

/// A curve: y over x, `stride` numbers from one point to the next. What is not finite is a gap,
/// what is beyond the ends of an axis is left out.
typedef struct plot_curve {
  const char *name;
  const double *x, *y;
  long count;
  int stride;
  plot_style style;
  int pen;           ///< its color, and its dashes; 0: by its place in the panel, from 1
  const char *note;  ///< at the right end of its line in the legend; or NULL
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

/// Ends of an axis; low = high: those of the curves.
typedef struct plot_range {
  double low, high;
} plot_range;

typedef struct plot_panel {
  const char *title;        ///< or NULL
  const plot_curve *curve;  ///< [curves]
  int curves;
  const char *x_label;  ///< of an axis of its own; NULL: the one of the figure
  const plot_map *map;  ///< or NULL
  const char *y_label;  ///< or NULL
  plot_range x, y;
  bool log_x;               ///< x.low = 1
  bool dashed;              ///< curves have dashes
  const char *legend_head;  ///< above the notes of the legend; or NULL
} plot_panel;

/// Pixels of one panel and around it: left and right of it, above all of them, below each of them,
/// below all of them.
typedef struct plot_layout {
  int width, height, left, right, top, gap, bottom;
  bool across;  ///< panels side by side, with one legend below the title
} plot_layout;

typedef struct plot_figure {
  const char *title;
  const char *x_label;      ///< NULL: every panel has its own
  const plot_panel *panel;  ///< [panels]
  int panels;
  const plot_layout *layout;  ///< NULL: one above the other, legends to the right
} plot_figure;

/// A rectangle of a picture, in pixels.
typedef struct plot_frame {
  double left, top, width, height;
} plot_frame;

/// The next of 1, 2, 5, 10, 20 ... that is not below x.
double plot_round_up(double x);

/// Fills a frame with the colours of a map, and draws their scale beside it.
void plot_draw_map(FILE *out, const plot_map *map, plot_frame frame);

/// Writes the picture to a stream.
void plot_draw(FILE *out, const plot_figure *figure);

#endif
