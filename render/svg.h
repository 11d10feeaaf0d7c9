// What all SVG pictures are written with: documents, texts, colours.
#ifndef STC_RENDER_SVG_H
#define STC_RENDER_SVG_H

#include <stdio.h>

/// Opens a document of so many pixels; `attributes` hold for all of it. `title` is for those who
/// cannot see the picture; or NULL. The end is "</svg>\n".
void svg_begin(FILE *out, int width, int height, const char *title, const char *attributes);

/// Text that may hold anything, as XML.
void svg_escape(FILE *out, const char *text);

/// A line of text at (x, y), with attributes: "text-anchor='end'".
void svg_text(FILE *out, double x, double y, const char *attributes, const char *text);
/// The same of a number.
void svg_number(FILE *out, double x, double y, const char *attributes, double value);

/// #rrggbb of a colour in sRGB, 0 to 1.
void svg_color(FILE *out, const double rgb[3]);

/// Colour k, and dashes k, of curves: colours that people with any colour vision tell apart. Their
/// numbers have no common factor, so that all pairs come up before one returns.
const char *svg_palette(int k);
enum { SVG_DASHES = 7 };
const char *svg_dashes(int k);  ///< NULL: a line without gaps

#endif
