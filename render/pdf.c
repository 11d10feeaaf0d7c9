// A figure as PDF 1.4 [Adobe 2001], translated from the SVG that figures are written in: rect,
// path (M L H V h v), circle and text with a tspan, with the attributes that plot.c gives them. One
// page, the standard fonts Helvetica and, for Greek letters, Symbol; nothing is compressed.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "output.h"
#include "plot.h"

static const double POINTS = 0.75;  // of a pixel: 96 pixels are an inch, and so are 72 points

// A tag of the text: <name attributes>
typedef struct tag {
  const char *name, *end;  // end: at its >
  size_t length;           // of the name
} tag;

typedef struct sheet {
  FILE *page;            // its drawing
  double width, height;  // pixels
  double size;           // of its letters
} sheet;

// ---- reading

// The value of an attribute, up to its quote; NULL: there is none.
static const char *find_value(const tag *t, const char *name, size_t *length) {
  size_t wanted = strlen(name);
  for (const char *at = t->name + t->length; at < t->end;) {
    at += strspn(at, " \n/");
    size_t word = strcspn(at, "=>");
    if (at + word >= t->end) return NULL;
    const char *value = at + word + 2, *close = strchr(value, at[word + 1]);
    if (!close) return NULL;
    *length = (size_t)(close - value);
    if (word == wanted && !strncmp(at, name, word)) return value;
    at = close + 1;
  }
  return NULL;
}

static double number_of(const tag *t, const char *name, double absent) {
  size_t length;
  const char *value = find_value(t, name, &length);
  return value ? strtod(value, NULL) : absent;
}

static bool says(const tag *t, const char *name, const char *word) {
  size_t length;
  const char *value = find_value(t, name, &length);
  return value && length == strlen(word) && !strncmp(value, word, length);
}

static bool is_called(const tag *t, const char *name) {
  return t->length == strlen(name) && !strncmp(t->name, name, t->length);
}

static bool next_tag(const char **text, tag *t) {
  const char *begin = strchr(*text, '<');
  if (!begin) return false;
  t->name = begin + 1;
  t->length = strcspn(t->name, " >");
  t->end = strchr(begin, '>');
  if (!t->end) return false;
  *text = t->end + 1;
  return true;
}

// ---- colours and pens

// #rgb or #rrggbb; false: nothing is drawn.
static bool put_color(const sheet *s, const tag *t, const char *name, const char *absent,
                      const char *operator) {
  size_t length = 0;
  const char *value = find_value(t, name, &length);
  if (!value) value = absent, length = strlen(absent);
  if (*value != '#') return false;
  unsigned long all = strtoul(value + 1, NULL, 16);
  bool brief = length == 4;
  for (int k = 2; k >= 0; k--) {
    unsigned long part = brief ? all >> (4 * k) & 15 : all >> (8 * k) & 255;
    fprintf(s->page, "%.3f ", (double)part / (brief ? 15 : 255));
  }
  fprintf(s->page, "%s\n", operator);
  return true;
}

static bool put_stroke(const sheet *s, const tag *t) {
  size_t length;
  const char *dashes = find_value(t, "stroke-dasharray", &length);
  if (!put_color(s, t, "stroke", "none", "RG")) return false;
  fprintf(s->page, "%g w 1 j [%.*s] 0 d\n", number_of(t, "stroke-width", 1),
          dashes ? (int)length : 0, dashes ? dashes : "");
  return true;
}

static bool put_fill(const sheet *s, const tag *t) { return put_color(s, t, "fill", "#222", "rg"); }

// ---- shapes

// Four Bézier curves are a circle to 3e-4 of its radius.
static void draw_circle(const sheet *s, const tag *t) {
  static const double corner[5][2] = {{1, 0}, {0, 1}, {-1, 0}, {0, -1}, {1, 0}};
  const double x = number_of(t, "cx", 0), y = number_of(t, "cy", 0), r = number_of(t, "r", 0);
  const double arm = 4.0 / 3 * (sqrt(2) - 1) * r;
  if (!put_fill(s, t)) return;
  fprintf(s->page, "%g %g m\n", x + r, y);
  for (int k = 0; k < 4; k++) {
    const double *a = corner[k], *b = corner[k + 1];
    fprintf(s->page, "%g %g %g %g %g %g c\n", x + r * a[0] + arm * b[0], y + r * a[1] + arm * b[1],
            x + r * b[0] + arm * a[0], y + r * b[1] + arm * a[1], x + r * b[0], y + r * b[1]);
  }
  fputs("f\n", s->page);
}

static double next_number(const char **d) {
  char *end;
  double value = strtod(*d, &end);
  *d = end;
  return value;
}

static void draw_path(const sheet *s, const tag *t) {
  size_t length;
  const char *d = find_value(t, "d", &length), *end = d ? d + length : d;
  double x = 0, y = 0;
  if (!d || length == 0 || !put_stroke(s, t)) return;
  while (d < end) {
    char step = *d++;
    if (strchr("MLH", step)) x = next_number(&d);
    if (strchr("MLV", step)) y = next_number(&d);
    if (step == 'h') x += next_number(&d);
    if (step == 'v') y += next_number(&d);
    if (strchr("MLHVhv", step)) fprintf(s->page, "%.2f %.2f %c\n", x, y, step == 'M' ? 'm' : 'l');
  }
  fputs("S\n", s->page);
}

// ---- text

// Widths of Helvetica from the blank on, in thousandths of its size [Adobe, AFM].
static const short widths[] = {
    278, 278, 355, 556, 556, 889, 667, 191, 333, 333, 389, 584, 278, 333,  278, 278, 556, 556, 556,
    556, 556, 556, 556, 556, 556, 556, 278, 278, 584, 584, 584, 556, 1015, 667, 667, 722, 722, 667,
    611, 778, 722, 278, 500, 667, 556, 833, 722, 778, 667, 778, 722, 667,  611, 722, 667, 944, 667,
    667, 611, 278, 278, 278, 469, 556, 333, 556, 556, 500, 556, 556, 278,  556, 556, 222, 222, 500,
    222, 833, 556, 556, 556, 556, 333, 500, 278, 556, 500, 722, 500, 500,  500, 334, 260, 334, 584};
enum { OTHER_WIDTH = 550 };  // of letters with accents, of Greek ones and of dashes: about

// Greek letters from alpha on, in Symbol.
static const char greek[] = "abgdezhqiklmnxoprVstufcyw";
enum { ALPHA = 0x3B1, DASH = 0x2013, WIN_DASH = 0x96, QUESTION = '?' };

typedef struct letter {
  unsigned char code;
  bool symbol;  // of the font Symbol
  int width;
} letter;

// The character at *text, UTF-8 or &lt; &gt; &amp;
static unsigned next_code(const char **text) {
  static const char *const entities[] = {"&lt;", "&gt;", "&amp;"};
  const unsigned char *at = (const unsigned char *)*text;
  for (int k = 0; k < 3; k++) {
    if (strncmp(*text, entities[k], strlen(entities[k])) != 0) continue;
    *text += strlen(entities[k]);
    return (unsigned)"<>&"[k];
  }
  int more = at[0] >= 0xF0 ? 3 : at[0] >= 0xE0 ? 2 : at[0] >= 0xC0 ? 1 : 0;
  unsigned code = more ? at[0] & (0x3Fu >> more) : at[0];
  for (++*text; more > 0 && (**text & 0xC0) == 0x80; more--)
    code = code << 6 | ((unsigned char)*(*text)++ & 0x3Fu);
  return code;
}

static letter next_letter(const char **text) {
  unsigned code = next_code(text);
  if (code >= ' ' && code <= '~') return (letter){(unsigned char)code, false, widths[code - ' ']};
  if (code >= 0xA0 && code <= 0xFF) return (letter){(unsigned char)code, false, OTHER_WIDTH};
  if (code >= ALPHA && code < ALPHA + sizeof greek - 1)
    return (letter){(unsigned char)greek[code - ALPHA], true, OTHER_WIDTH};
  return (letter){code == DASH ? WIN_DASH : QUESTION, false, OTHER_WIDTH};
}

static double width_of(const char *text, const char *end, double size) {
  double sum = 0;
  while (text < end) sum += next_letter(&text).width;
  return sum * size / 1000;
}

// Runs of letters of one font.
static void show_text(const sheet *s, const char *text, const char *end, double size) {
  while (text < end) {
    const char *look = text;
    bool symbol = next_letter(&look).symbol;
    fprintf(s->page, "/F%d %g Tf (", symbol ? 2 : 1, size);
    for (look = text; look < end; text = look) {
      letter l = next_letter(&look);
      if (l.symbol != symbol) break;
      if (strchr("()\\", l.code)) fputc('\\', s->page);
      fputc(l.code, s->page);
    }
    fputs(") Tj\n", s->page);
  }
}

// A text is upright, or rotated to be read from the right.
static void begin_text(const sheet *s, const tag *t, double width) {
  double x = number_of(t, "x", 0), y = number_of(t, "y", 0), back = 0;
  size_t length;
  if (says(t, "text-anchor", "middle")) back = width / 2;
  if (says(t, "text-anchor", "end")) back = width;
  put_fill(s, t);
  if (find_value(t, "transform", &length))
    fprintf(s->page, "BT 0 -1 -1 0 %.2f %.2f Tm\n", x, y + back);
  else
    fprintf(s->page, "BT 1 0 0 -1 %.2f %.2f Tm\n", x - back, y);
}

// The text behind a tag, with a power in a tspan at most; *text moves behind it.
static void draw_text(const sheet *s, const tag *t, const char **text) {
  double size = number_of(t, "font-size", s->size), small = size;
  const char *first = *text, *first_end = strchr(first, '<'), *power = NULL, *power_end = NULL;
  tag inner = {0};
  if (!first_end || !next_tag(text, &inner)) return;
  bool raised = is_called(&inner, "tspan");
  if (raised) {
    power = *text;
    power_end = strchr(power, '<');
    small = number_of(&inner, "font-size", size);
  }
  if (raised && !power_end) return;
  begin_text(s, t, width_of(first, first_end, size) + width_of(power, power_end, small));
  show_text(s, first, first_end, size);
  if (raised) fprintf(s->page, "%g Ts\n", -number_of(&inner, "dy", 0));
  if (raised) show_text(s, power, power_end, small);
  fputs(raised ? "0 Ts ET\n" : "ET\n", s->page);
}

// ---- the document

static void draw_all_tags(sheet *s, const char *svg) {
  tag t;
  while (next_tag(&svg, &t)) {
    if (is_called(&t, "svg")) {
      s->width = number_of(&t, "width", 0);
      s->height = number_of(&t, "height", 0);
      s->size = number_of(&t, "font-size", 12);
      fprintf(s->page, "%g 0 0 %g 0 %g cm\n", POINTS, -POINTS, POINTS * s->height);
    }
    if (is_called(&t, "rect")) {
      bool whole = says(&t, "width", "100%");
      double x = number_of(&t, "x", 0), y = number_of(&t, "y", 0);
      double width = whole ? s->width : number_of(&t, "width", 0);
      double height = whole ? s->height : number_of(&t, "height", 0);
      if (put_fill(s, &t)) fprintf(s->page, "%g %g %g %g re f\n", x, y, width, height);
      if (put_stroke(s, &t)) fprintf(s->page, "%g %g %g %g re S\n", x, y, width, height);
    }
    if (is_called(&t, "circle")) draw_circle(s, &t);
    if (is_called(&t, "path")) draw_path(s, &t);
    if (is_called(&t, "text")) draw_text(s, &t, &svg);
  }
}

enum { OBJECTS = 6 };

static void put_objects(FILE *out, const sheet *s, const char *page, size_t length) {
  long place[OBJECTS + 1] = {0};
  fputs("%PDF-1.4\n%\xC2\xB5\xC2\xB6\n", out);
  place[1] = ftell(out);
  fputs("1 0 obj\n<< /Type /Catalog /Pages 2 0 R >>\nendobj\n", out);
  place[2] = ftell(out);
  fputs("2 0 obj\n<< /Type /Pages /Kids [3 0 R] /Count 1 >>\nendobj\n", out);
  place[3] = ftell(out);
  fprintf(out,
          "3 0 obj\n<< /Type /Page /Parent 2 0 R /MediaBox [0 0 %g %g] /Contents 4 0 R\n"
          "/Resources << /Font << /F1 5 0 R /F2 6 0 R >> >> >>\nendobj\n",
          POINTS * s->width, POINTS * s->height);
  place[4] = ftell(out);
  fprintf(out, "4 0 obj\n<< /Length %zu >>\nstream\n", length);
  fwrite(page, 1, length, out);
  fputs("\nendstream\nendobj\n", out);
  place[5] = ftell(out);
  fputs("5 0 obj\n<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica "
        "/Encoding /WinAnsiEncoding >>\nendobj\n",
        out);
  place[6] = ftell(out);
  fputs("6 0 obj\n<< /Type /Font /Subtype /Type1 /BaseFont /Symbol >>\nendobj\n", out);
  long table = ftell(out);
  fprintf(out, "xref\n0 %d\n0000000000 65535 f \n", OBJECTS + 1);
  for (int k = 1; k <= OBJECTS; k++) fprintf(out, "%010ld 00000 n \n", place[k]);
  fprintf(out, "trailer\n<< /Size %d /Root 1 0 R >>\nstartxref\n%ld\n%%%%EOF\n", OBJECTS + 1,
          table);
}

bool plot_to_pdf(FILE *out, const char *svg) {
  char *page = NULL, *whole = NULL;
  size_t length = 0, all = 0;
  sheet s = {.page = open_memstream(&page, &length)};
  FILE *document = s.page ? open_memstream(&whole, &all) : NULL;
  bool good = document != NULL;
  if (good) draw_all_tags(&s, svg);
  if (s.page && fclose(s.page)) good = false;
  if (good) put_objects(document, &s, page, length);
  if (document && fclose(document)) good = false;
  if (good) fwrite(whole, 1, all, out);
  free(page);
  free(whole);
  return good;
}

bool plot_save_pdf(FILE *out, plot_write draw, const void *user) {
  char *svg = NULL;
  size_t length = 0;
  FILE *picture = open_memstream(&svg, &length);
  bool good = picture && draw(picture, user);
  if (picture && fclose(picture)) good = false;
  good = good && plot_to_pdf(out, svg);
  free(svg);
  return good || render_fails("out of memory for the picture");
}
