// SVG [W3C, Scalable Vector Graphics 1.1].
#include "plot.h"

#include <math.h>
#include <string.h>

void svg_begin(FILE *out, int width, int height, const char *title, const char *attributes) {
  fprintf(out,
          "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%d\" height=\"%d\" "
          "viewBox=\"0 0 %d %d\" %s>\n",
          width, height, width, height, attributes);
  if (!title) return;
  fputs("<title>", out);
  svg_escape(out, title);
  fputs("</title>\n", out);
}

void svg_escape(FILE *out, const char *text) {
  static const char special[] = "<>&";
  static const char *const escaped[] = {"&lt;", "&gt;", "&amp;"};
  for (; *text; text++) {
    const char *found = strchr(special, *text);
    if (found)
      fputs(escaped[found - special], out);
    else if ((unsigned char)*text >= ' ' && *text != 0x7f)
      fputc(*text, out);
  }
}

void svg_text(FILE *out, double x, double y, const char *attributes, const char *text) {
  fprintf(out, "<text x='%.1f' y='%.1f' %s>", x, y, attributes);
  svg_escape(out, text);
  fputs("</text>\n", out);
}

void svg_number(FILE *out, double x, double y, const char *attributes, double value) {
  char text[32];
  snprintf(text, sizeof text, "%.6g", value);
  svg_text(out, x, y, attributes, text);
}

void svg_color(FILE *out, const double rgb[3]) {
  fputc('#', out);
  for (int i = 0; i < 3; i++) fprintf(out, "%02lx", lround(255 * rgb[i]));
}

// [Okabe and Ito 2008], yellow darkened.
const char *svg_palette(int k) {
  static const char *const colors[] = {"#0072b2", "#d55e00", "#009e73", "#cc79a7",
                                       "#000000", "#e69f00", "#56b4e9", "#8c7a00"};
  return colors[k % (int)(sizeof colors / sizeof *colors)];
}

const char *svg_dashes(int k) {
  static const char *const dashes[SVG_DASHES] = {
      NULL, "16 4", "9 4", "14 3 2.5 3", "10 3 2.5 3 2.5 3", "5 3", "2.5 3"};
  return dashes[k % SVG_DASHES];
}
