// Figures as SVG and PDF: panels with axes, curves and maps, one above the other or side by side.
#ifndef STC_RENDER_PLOT_H
#define STC_RENDER_PLOT_H

#include <stdbool.h>
#include <stdio.h>
#include <stiction/law.h>

// What all SVG pictures are written with: documents, texts, colours.

/// Opens a document of width x height pixels; `attributes` hold for all of it. `title` is for those
/// who cannot see the picture; or NULL. The end is "</svg>\n".
void svg_begin(FILE *out, int width, int height, const char *title, const char *attributes);

/// #rrggbb of a colour in sRGB, 0 to 1.
void svg_color(FILE *out, const double rgb[3]);

enum { SVG_DASHES = 7 };

// Friction laws as curves and pictures.

/// Whether mu depends on the distance slid, not on the speed.
bool law_slips(const stc_coefficient *c);
/// The speed, or distance, up to which the curve of mu is of interest.
double law_end(const stc_coefficient *c);
/// mu over speed or distance: x, mu [points], from 0 to `end`.
void law_tabulate(const stc_coefficient *c, double end, int points, double *x, double *mu);

/// The curve of mu as SVG.
void law_draw(FILE *out, const char *law, const stc_coefficient *c, double end);
/// The cone over a section, the section and the rule of greatest dissipation, as SVG.
void section_draw(FILE *out, const stc_cone_section *section);
/// Force and moment of Coulomb–Contensou friction, and its limit curve, as SVG.
void law_draw_contensou(FILE *out);

// Performance profiles of methods as SVG.

typedef struct profile {
  const char *title;
  int problems, methods;
  const char *const *method;  ///< [methods] names
  const double *seconds;      ///< [problems*methods], > 0; INFINITY: not solved
} profile;

/// False: out of memory.
bool profile_draw(FILE *out, const profile *p);

typedef enum plot_style {
  PLOT_LINE,
  PLOT_DOTS,
  PLOT_STEPS  ///< level to the next x, then up or down; the last one to the end of the axis
} plot_style;

/// A curve: y over x, `stride` numbers from one point to the next. NaN and infinite values are
/// gaps, what is beyond the ends of an axis is left out.
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

// The same as PDF.

/// A picture of plot_draw, as text, translated. False: out of memory.
bool plot_to_pdf(FILE *out, const char *svg);

/// Draws a picture of plot_draw; false: it could not.
typedef bool (*plot_write)(FILE *out, const void *user);
/// What `draw` draws, as PDF; false: render_fails was told why.
bool plot_save_pdf(FILE *out, plot_write draw, const void *user);

#endif
