// SVG line plots. A curve with more points than the picture has columns keeps, in each column, its
// first, least, greatest and last value: what is drawn looks the same and stays small.
#include "plot.h"

#include <math.h>

// Pixels. Legends stand to the right of their panel.
enum {
  WIDTH = 900,
  LEFT = 88,
  RIGHT = 170,
  TOP = 64,
  PANEL = 210,  // height of a panel, and the gap below it
  GAP = 46,
  BOTTOM = 24,
  LEGEND_STEP = 20,
  TICKS = 6  // about so many on an axis
};

// Colours that people with any colour vision tell apart [Okabe and Ito 2008], yellow darkened.
static const char *const colours[] = {"#0072b2", "#d55e00", "#009e73", "#cc79a7",
                                      "#000000", "#e69f00", "#56b4e9", "#8c7a00"};
enum { COLOURS = sizeof colours / sizeof *colours };

static const double MARGIN = 0.05;  // of the range above and below the curves

// An axis: values from low to high on pixels from `begin` to `end`.
typedef struct axis {
  double low, high, step;
  double begin, end;
} axis;

// ---- axes

// The next of 1, 2, 5, 10, 20 ... that is not below x.
static double round_up(double x) {
  double decade = pow(10, floor(log10(x)));
  if (x <= decade) return decade;
  return decade * (x <= 2 * decade ? 2 : x <= 5 * decade ? 5 : 10);
}

// Room for a range that is empty or a single value.
static axis make_axis(double low, double high, double begin, double end) {
  if (!(low <= high)) low = high = 0;
  double size = fmax(fabs(low), fabs(high));
  if (high - low <= 1e-12 * size || high == low) {
    double room = size > 0 ? 0.1 * size : 1;
    low -= room;
    high += room;
  }
  double step = round_up((high - low) / TICKS);
  return (axis){low, high, step, begin, end};
}

// Curves keep clear of the frame.
static axis widen(axis a) {
  double room = MARGIN * (a.high - a.low);
  a.low -= room;
  a.high += room;
  return a;
}

static double pixel(const axis *a, double value) {
  return a->begin + (a->end - a->begin) * (value - a->low) / (a->high - a->low);
}

static axis x_axis(const plot_figure *figure) {
  double low = INFINITY, high = -INFINITY;
  for (int p = 0; p < figure->panels; p++) {
    for (int k = 0; k < figure->panel[p].curves; k++) {
      const plot_curve *c = &figure->panel[p].curve[k];
      if (c->count == 0 || figure->panel[p].x_label) continue;
      low = fmin(low, c->x[0]);
      high = fmax(high, c->x[(c->count - 1) * c->stride]);
    }
  }
  return make_axis(low, high, LEFT, WIDTH - RIGHT);
}

// The axis of one panel, whose curves may go to and fro.
static axis own_axis(const plot_panel *panel) {
  double low = INFINITY, high = -INFINITY;
  const plot_map *map = panel->map;
  for (int k = 0; k < panel->curves; k++) {
    const plot_curve *c = &panel->curve[k];
    for (long i = 0; i < c->count; i++) {
      if (!isfinite(c->x[i * c->stride])) continue;
      low = fmin(low, c->x[i * c->stride]);
      high = fmax(high, c->x[i * c->stride]);
    }
  }
  if (map && map->columns > 0) low = fmin(low, map->x[0]);
  if (map && map->columns > 0) high = fmax(high, map->x[(map->columns - 1) * map->stride]);
  return make_axis(low, high, LEFT, WIDTH - RIGHT);
}

static axis y_axis(const plot_panel *panel, double top) {
  double low = INFINITY, high = -INFINITY;
  if (panel->map)
    return make_axis(panel->map->y[0], panel->map->y[panel->map->rows - 1], top + PANEL, top);
  for (int k = 0; k < panel->curves; k++) {
    const plot_curve *c = &panel->curve[k];
    for (long i = 0; i < c->count; i++) {
      double y = c->y[i * c->stride];
      if (!isfinite(y)) continue;
      low = fmin(low, y);
      high = fmax(high, y);
    }
  }
  return widen(make_axis(low, high, top + PANEL, top));
}

// ---- drawing

// Names come from scenes.
static void put_text(FILE *out, const char *text) {
  for (; *text; text++) {
    unsigned char c = (unsigned char)*text;
    if (c == '<')
      fputs("&lt;", out);
    else if (c == '>')
      fputs("&gt;", out);
    else if (c == '&')
      fputs("&amp;", out);
    else if (c >= 0x20 && c != 0x7f)
      fputc(c, out);
  }
}

// A tick next to zero is zero.
static double tick(const axis *a, double k) {
  double value = a->step * k;
  return fabs(value) < 1e-9 * a->step ? 0 : value;
}

static void draw_y_ticks(FILE *out, const axis *y) {
  double first = ceil(y->low / y->step - 1e-9), last = floor(y->high / y->step + 1e-9);
  for (double k = first; k <= last; k++) {
    double at = pixel(y, tick(y, k));
    fprintf(out, "<path d='M%d %.1fH%d' stroke='#e4e4e4'/>\n", LEFT, at, WIDTH - RIGHT);
    fprintf(out, "<text x='%d' y='%.1f' text-anchor='end'>%.6g</text>\n", LEFT - 8, at + 4.5,
            tick(y, k));
  }
}

static void draw_x_ticks(FILE *out, const axis *x, double top, bool labels) {
  double first = ceil(x->low / x->step - 1e-9), last = floor(x->high / x->step + 1e-9);
  for (double k = first; k <= last; k++) {
    double at = pixel(x, tick(x, k));
    fprintf(out, "<path d='M%.1f %.1fv%d' stroke='#e4e4e4'/>\n", at, top, PANEL);
    if (labels)
      fprintf(out, "<text x='%.1f' y='%.1f' text-anchor='middle'>%.6g</text>\n", at,
              top + PANEL + 18, tick(x, k));
  }
}

// A pen that draws lines between points and lifts at a gap.
typedef struct pen {
  FILE *out;
  const axis *x, *y;
  bool down;
} pen;

static void go_to(pen *p, double x, double y) {
  if (!isfinite(x) || !isfinite(y)) {
    p->down = false;
    return;
  }
  fprintf(p->out, "%c%.2f %.2f", p->down ? 'L' : 'M', pixel(p->x, x), pixel(p->y, y));
  p->down = true;
}

static double y_at(const plot_curve *c, long i) { return c->y[i * c->stride]; }
static double x_at(const plot_curve *c, long i) { return c->x[i * c->stride]; }

// The points from `first` to before `end`, which share a column of pixels.
static void draw_column(pen *p, const plot_curve *c, long first, long end) {
  long least = first, greatest = first;
  for (long i = first; i < end; i++) {
    if (!(y_at(c, i) >= y_at(c, least))) least = i;
    if (!(y_at(c, i) <= y_at(c, greatest))) greatest = i;
  }
  long order[4] = {first, least < greatest ? least : greatest, least < greatest ? greatest : least,
                   end - 1};
  for (int k = 0; k < 4; k++) {
    if (k == 0 || order[k] > order[k - 1]) go_to(p, x_at(c, order[k]), y_at(c, order[k]));
  }
}

static void draw_dots(FILE *out, const plot_curve *c, const axis *x, const axis *y,
                      const char *colour) {
  for (long i = 0; i < c->count; i++) {
    if (!isfinite(x_at(c, i)) || !isfinite(y_at(c, i))) continue;
    fprintf(out, "<circle cx='%.2f' cy='%.2f' r='3' fill='%s'/>\n", pixel(x, x_at(c, i)),
            pixel(y, y_at(c, i)), colour);
  }
}

static void draw_curve(FILE *out, const plot_curve *c, const axis *x, const axis *y,
                       const char *colour) {
  if (c->dots) {
    draw_dots(out, c, x, y, colour);
    return;
  }
  pen p = {out, x, y, false};
  fprintf(out, "<path fill='none' stroke='%s' stroke-width='1.6' stroke-linejoin='round' d='",
          colour);
  for (long first = 0, end; first < c->count; first = end) {
    double column = floor(pixel(x, x_at(c, first)));
    for (end = first + 1; end < c->count && floor(pixel(x, x_at(c, end))) == column;) end++;
    draw_column(&p, c, first, end);
  }
  fprintf(out, "'/>\n");
}

static void draw_legend(FILE *out, const plot_panel *panel, double top) {
  int left = WIDTH - RIGHT + 14;
  for (int k = 0; k < panel->curves; k++) {
    double y = top + 12 + k * LEGEND_STEP;
    if (panel->curve[k].dots)
      fprintf(out, "<circle cx='%d' cy='%.1f' r='3' fill='%s'/>\n", left + 11, y - 4,
              colours[k % COLOURS]);
    else
      fprintf(out, "<path d='M%d %.1fh22' stroke='%s' stroke-width='2.4'/>\n", left, y - 4,
              colours[k % COLOURS]);
    fprintf(out, "<text x='%d' y='%.1f'>", left + 30, y);
    put_text(out, panel->curve[k].name);
    fprintf(out, "</text>\n");
  }
}

static void draw_x_label(FILE *out, const plot_panel *panel, double top) {
  fprintf(out, "<text x='%d' y='%.1f' font-size='13'>", WIDTH - RIGHT + 24, top + PANEL + 18);
  put_text(out, panel->x_label);
  fprintf(out, "</text>\n");
}

static void draw_panel(FILE *out, const plot_panel *panel, const axis *x, double top, bool last) {
  axis y = y_axis(panel, top), own;
  if (panel->x_label) {
    own = own_axis(panel);
    x = &own;
    draw_x_label(out, panel, top);
  }
  draw_x_ticks(out, x, top, last || panel->x_label);
  draw_y_ticks(out, &y);
  if (panel->map)
    plot_draw_map(out, panel->map, (plot_frame){LEFT, top, WIDTH - LEFT - RIGHT, PANEL});
  fprintf(out, "<rect x='%d' y='%.1f' width='%d' height='%d' fill='none' stroke='#888'/>\n", LEFT,
          top, WIDTH - LEFT - RIGHT, PANEL);
  fprintf(out, "<text x='%d' y='%.1f' font-size='14'>", LEFT, top - 8);
  put_text(out, panel->title);
  fprintf(out, "</text>\n");
  for (int k = 0; k < panel->curves; k++) {
    draw_curve(out, &panel->curve[k], x, &y, colours[k % COLOURS]);
  }
  if (panel->curves > 1) draw_legend(out, panel, top);
}

void plot_draw(FILE *out, const plot_figure *figure) {
  int height = TOP + figure->panels * (PANEL + GAP) + BOTTOM;
  axis x = x_axis(figure);
  fprintf(out,
          "<?xml version='1.0' encoding='UTF-8'?>\n"
          "<svg xmlns='http://www.w3.org/2000/svg' width='%d' height='%d' viewBox='0 0 %d %d' "
          "font-family='Helvetica, Arial, sans-serif' font-size='12' fill='#222'>\n"
          "<rect width='%d' height='%d' fill='#fff'/>\n<text x='%d' y='24' font-size='16'>",
          WIDTH, height, WIDTH, height, WIDTH, height, LEFT);
  put_text(out, figure->title);
  fprintf(out, "</text>\n");
  for (int k = 0; k < figure->panels; k++) {
    draw_panel(out, &figure->panel[k], &x, TOP + k * (PANEL + GAP), k == figure->panels - 1);
  }
  if (figure->x_label) {
    fprintf(out, "<text x='%d' y='%d' text-anchor='middle' font-size='13'>",
            (LEFT + WIDTH - RIGHT) / 2, height - BOTTOM + 2);
    put_text(out, figure->x_label);
    fprintf(out, "</text>\n");
  }
  fprintf(out, "</svg>\n");
}
