// Figures. A curve with more points than the picture has columns keeps, in each column, its first,
// least, greatest and last value: what is drawn looks the same and stays small.
#include "plot.h"

#include <math.h>
#include <string.h>

// SVG [W3C, Scalable Vector Graphics 1.1].

// Text that may hold anything, as XML.
static void svg_escape(FILE *out, const char *text) {
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

// A line of text at (x, y), with attributes: "text-anchor='end'".
static void svg_text(FILE *out, double x, double y, const char *attributes, const char *text) {
  fprintf(out, "<text x='%.1f' y='%.1f' %s>", x, y, attributes);
  svg_escape(out, text);
  fputs("</text>\n", out);
}

// The same of a number.
static void svg_number(FILE *out, double x, double y, const char *attributes, double value) {
  char text[32];
  snprintf(text, sizeof text, "%.6g", value);
  svg_text(out, x, y, attributes, text);
}

void svg_color(FILE *out, const double rgb[3]) {
  fputc('#', out);
  for (int i = 0; i < 3; i++) fprintf(out, "%02lx", lround(255 * rgb[i]));
}

// [Okabe and Ito 2008], yellow darkened.
static const char *svg_palette(int k) {
  static const char *const colors[] = {"#0072b2", "#d55e00", "#009e73", "#cc79a7",
                                       "#000000", "#e69f00", "#56b4e9", "#8c7a00"};
  return colors[k % (int)(sizeof colors / sizeof *colors)];
}

static const char *svg_dashes(int k) {
  static const char *const dashes[SVG_DASHES] = {
      NULL, "16 4", "9 4", "14 3 2.5 3", "10 3 2.5 3 2.5 3", "5 3", "2.5 3"};
  return dashes[k % SVG_DASHES];
}

enum { TICKS = 6, LEGEND_STEP = 24, LEGEND_ACROSS = 180 };  // about six ticks; pixels

static const plot_layout column = {642, 210, 88, 170, 64, 46, 24, false};
static const double MARGIN = 0.05;         // of the range above and below the curves
static const double ROUNDING = 1e-9;       // of a tick's distance, or of an end
static const double LABELS_125_TO = 1000;  // a longer logarithmic axis has them at decades only

// An axis: values from low to high on pixels from `begin` to `end`.
typedef struct axis {
  double low, high, step;
  double begin, end;
  bool log;
} axis;

// A panel on its place.
typedef struct sheet_panel {
  FILE *out;
  const plot_panel *panel;
  plot_frame frame;
  axis x, y;
} sheet_panel;

// ---- axes

double plot_round_up(double x) {
  double decade = pow(10, floor(log10(x)));
  if (x <= decade) return decade;
  return decade * (x <= 2 * decade ? 2 : x <= 5 * decade ? 5 : 10);
}

// Room for a range that is empty or a single value.
static axis make_axis(plot_range r, double begin, double end) {
  if (!(r.low <= r.high)) r.low = r.high = 0;
  double size = fmax(fabs(r.low), fabs(r.high));
  if (r.high - r.low <= 1e-12 * size || r.high == r.low) {
    double room = size > 0 ? 0.1 * size : 1;
    r.low -= room;
    r.high += room;
  }
  return (axis){r.low, r.high, plot_round_up((r.high - r.low) / TICKS), begin, end, false};
}

static double pixel(const axis *a, double value) {
  double part =
      a->log ? log(value / a->low) / log(a->high / a->low) : (value - a->low) / (a->high - a->low);
  return a->begin + (a->end - a->begin) * part;
}

static double x_of(const plot_curve *c, long i) { return c->x[i * c->stride]; }
static double y_of(const plot_curve *c, long i) { return c->y[i * c->stride]; }

static void reach(plot_range *r, double value) {
  if (!isfinite(value)) return;
  r->low = fmin(r->low, value);
  r->high = fmax(r->high, value);
}

static void reach_curves(plot_range *r, const plot_panel *panel,
                         double (*of)(const plot_curve *, long)) {
  for (int k = 0; k < panel->curves; k++)
    for (long i = 0; i < panel->curve[k].count; i++) reach(r, of(&panel->curve[k], i));
}

// The axis of one panel, whose curves may go to and fro, or of all that have none of their own.
static axis x_axis(const plot_figure *figure, const plot_panel *own, double begin, double end) {
  plot_range r = {INFINITY, -INFINITY};
  const plot_map *map = own->map;
  for (int k = 0; k < figure->panels && !own->x_label; k++)
    if (!figure->panel[k].x_label) reach_curves(&r, &figure->panel[k], x_of);
  if (own->x_label) reach_curves(&r, own, x_of);
  if (own->x_label && map && map->columns > 0) {
    reach(&r, map->x[0]);
    reach(&r, map->x[(map->columns - 1) * map->stride]);
  }
  axis a = make_axis(own->x.low < own->x.high ? own->x : r, begin, end);
  a.log = own->log_x;
  return a;
}

// Curves keep clear of the frame where its ends are theirs.
static axis y_axis(const plot_panel *panel, double begin, double end) {
  plot_range r = {INFINITY, -INFINITY};
  if (panel->y.low < panel->y.high) return make_axis(panel->y, begin, end);
  if (panel->map)
    return make_axis((plot_range){panel->map->y[0], panel->map->y[panel->map->rows - 1]}, begin,
                     end);
  reach_curves(&r, panel, y_of);
  axis a = make_axis(r, begin, end);
  double room = MARGIN * (a.high - a.low);
  a.low -= room;
  a.high += room;
  return a;
}

// Tick k from 0; false past the last. A tick next to zero is zero.
static bool tick_at(const axis *a, int k, double *value, bool *label) {
  int digit = k % 9 + 1;
  *label = !a->log || digit == 1 || (a->high <= LABELS_125_TO && (digit == 2 || digit == 5));
  *value = a->log ? digit * pow(10, k / 9) : a->step * (ceil(a->low / a->step - ROUNDING) + k);
  if (fabs(*value) < ROUNDING * a->step) *value = 0;
  return *value <= a->high + ROUNDING * (a->log ? a->high : a->step);
}

static void draw_y_ticks(const sheet_panel *p) {
  const plot_frame *f = &p->frame;
  double value;
  bool label;
  for (int k = 0; tick_at(&p->y, k, &value, &label); k++) {
    double at = pixel(&p->y, value);
    fprintf(p->out, "<path d='M%.1f %.1fh%.1f' stroke='#e4e4e4'/>\n", f->left, at, f->width);
    svg_number(p->out, f->left - 8, at + 4.5, "text-anchor='end'", value);
  }
}

// On a logarithmic axis 1000 is written as it is, 10000 as a power.
static void draw_x_ticks(const sheet_panel *p, bool labels) {
  const plot_frame *f = &p->frame;
  double value, below = f->top + f->height + 18;
  bool label;
  for (int k = 0; tick_at(&p->x, k, &value, &label); k++) {
    double at = pixel(&p->x, value);
    fprintf(p->out, "<path d='M%.1f %.1fv%.1f' stroke='%s'/>\n", at, f->top, f->height,
            label ? "#e4e4e4" : "#f2f2f2");
    if (!labels || !label) continue;
    if (!p->x.log || value <= LABELS_125_TO)
      svg_number(p->out, at, below, "text-anchor='middle'", value);
    else
      fprintf(p->out,
              "<text x='%.1f' y='%.1f' text-anchor='middle'>10"
              "<tspan dy='-6' font-size='10'>%.0f</tspan></text>\n",
              at, below, log10(value));
  }
}

// ---- curves

static void put_pen(const sheet_panel *p, int k, double width) {
  int pen = p->panel->curve[k].pen ? p->panel->curve[k].pen - 1 : k;
  const char *dashes = p->panel->dashed ? svg_dashes(pen) : NULL;
  fprintf(p->out, " fill='none' stroke='%s' stroke-width='%g' stroke-linejoin='round'",
          svg_palette(pen), width);
  if (dashes) fprintf(p->out, " stroke-dasharray='%s'", dashes);
  fputs("/>\n", p->out);
}

static void put_dot(const sheet_panel *p, int k, double x, double y) {
  int pen = p->panel->curve[k].pen ? p->panel->curve[k].pen - 1 : k;
  fprintf(p->out, "<circle cx='%.2f' cy='%.2f' r='3' fill='%s'/>\n", x, y, svg_palette(pen));
}

static bool is_beyond(const axis *a, double value) {
  return value > a->high + ROUNDING * fabs(a->high);
}

// Draws on to a point; after a gap the next point begins a new line.
static void go_to(const sheet_panel *p, double x, double y, bool *down) {
  bool seen = isfinite(x) && isfinite(y);
  if (seen && (is_beyond(&p->x, x) || is_beyond(&p->y, y))) return;
  if (seen) fprintf(p->out, "%c%.2f %.2f", *down ? 'L' : 'M', pixel(&p->x, x), pixel(&p->y, y));
  *down = seen;
}

static void draw_line(const sheet_panel *p, const plot_curve *c) {
  bool down = false;
  for (long first = 0, end; first < c->count; first = end) {
    double at = floor(pixel(&p->x, x_of(c, first)));
    for (end = first + 1; end < c->count && floor(pixel(&p->x, x_of(c, end))) == at;) end++;
    // The points from `first` to before `end`, which share a column of pixels.
    long least = first, greatest = first;
    for (long i = first; i < end; i++) {
      if (!(y_of(c, i) >= y_of(c, least))) least = i;
      if (!(y_of(c, i) <= y_of(c, greatest))) greatest = i;
    }
    long order[4] = {first, least < greatest ? least : greatest,
                     least < greatest ? greatest : least, end - 1};
    for (int k = 0; k < 4; k++)
      if (k == 0 || order[k] > order[k - 1]) go_to(p, x_of(c, order[k]), y_of(c, order[k]), &down);
  }
}

static void draw_one(const sheet_panel *p, int k) {
  const plot_curve *c = &p->panel->curve[k];
  for (long i = 0; c->style == PLOT_DOTS && i < c->count; i++)
    if (isfinite(x_of(c, i)) && isfinite(y_of(c, i)))
      put_dot(p, k, pixel(&p->x, x_of(c, i)), pixel(&p->y, y_of(c, i)));
  if (c->style == PLOT_DOTS) return;
  fputs("<path d='", p->out);
  if (c->style == PLOT_STEPS) {
    for (long i = 0; i < c->count; i++)
      fprintf(p->out, i ? "H%.2fV%.2f" : "M%.2f %.2f", pixel(&p->x, x_of(c, i)),
              pixel(&p->y, y_of(c, i)));
    fprintf(p->out, "H%.2f", p->x.end);
  } else
    draw_line(p, c);
  fputc('\'', p->out);
  put_pen(p, k, c->style == PLOT_STEPS ? 2.2 : 1.6);
}

// ---- words

static void draw_entry(const sheet_panel *p, int k, double left, double y) {
  const plot_curve *c = &p->panel->curve[k];
  double length = p->panel->dashed ? 44 : 22;
  if (c->style == PLOT_DOTS) {
    put_dot(p, k, left + length / 2, y - 4);
  } else {
    fprintf(p->out, "<path d='M%.1f %.1fh%.1f'", left, y - 4, length);
    put_pen(p, k, 2.2);
  }
  svg_text(p->out, left + length + 8, y, "", c->name);
}

// To the right of the panel.
static void draw_legend(const sheet_panel *p, int room) {
  const plot_frame *f = &p->frame;
  double left = f->left + f->width + 14, right = f->left + f->width + room - 12;
  const char *head = p->panel->legend_head;
  if (p->panel->curves < 2 && !head) return;
  if (head) svg_text(p->out, right, f->top + 4, "text-anchor='end' fill='#666'", head);
  for (int k = 0; k < p->panel->curves; k++) {
    double y = f->top + 12 + (k + (head ? 0.5 : 0)) * LEGEND_STEP;
    draw_entry(p, k, left, y);
    if (p->panel->curve[k].note)
      svg_text(p->out, right, y, "text-anchor='end'", p->panel->curve[k].note);
  }
}

// Below the axis where there is room, else at its end.
static void draw_labels(const sheet_panel *p, int room) {
  const plot_frame *f = &p->frame;
  double middle = f->left + f->width / 2, foot = f->top + f->height;
  char turned[60];
  if (p->panel->title) svg_text(p->out, f->left, f->top - 8, "font-size='14'", p->panel->title);
  if (p->panel->x_label && room < 60)
    svg_text(p->out, f->left + f->width + 24, foot + 18, "font-size='13'", p->panel->x_label);
  else if (p->panel->x_label)
    svg_text(p->out, middle, foot + 44, "text-anchor='middle' font-size='13'", p->panel->x_label);
  if (!p->panel->y_label) return;
  double x = f->left - 46, y = f->top + f->height / 2;
  snprintf(turned, sizeof turned, "text-anchor='middle' transform='rotate(-90 %.1f %.1f)'", x, y);
  svg_text(p->out, x, y, turned, p->panel->y_label);
}

static void draw_panel(const sheet_panel *p, const plot_layout *l, bool last) {
  const plot_frame *f = &p->frame;
  draw_x_ticks(p, last || p->panel->x_label);
  draw_y_ticks(p);
  if (p->panel->map) plot_draw_map(p->out, p->panel->map, *f);
  fprintf(p->out,
          "<rect x='%.1f' y='%.1f' width='%.1f' height='%.1f' fill='none' stroke='#888'/>\n",
          f->left, f->top, f->width, f->height);
  draw_labels(p, l->gap);
  // Where curves lie upon each other, the one below shows through the gaps: those with wide gaps
  // are drawn last.
  for (int pass = 0; pass < (p->panel->dashed ? SVG_DASHES : 1); pass++) {
    for (int k = 0; k < p->panel->curves; k++) {
      int pen = p->panel->curve[k].pen ? p->panel->curve[k].pen - 1 : k;
      if (!p->panel->dashed || pen % SVG_DASHES == pass) draw_one(p, k);
    }
  }
  if (!l->across) draw_legend(p, l->right);
}

static void draw_all(FILE *out, const plot_figure *figure, const plot_layout *l) {
  for (int k = 0; k < figure->panels; k++) {
    const plot_panel *panel = &figure->panel[k];
    plot_frame f = {l->left, l->top, l->width, l->height};
    if (l->across)
      f.left += k * (l->left + l->width + l->right);
    else
      f.top += k * (l->height + l->gap);
    sheet_panel p = {out, panel, f, x_axis(figure, panel, f.left, f.left + f.width),
                     y_axis(panel, f.top + f.height, f.top)};
    draw_panel(&p, l, k == figure->panels - 1);
    for (int c = 0; k == 0 && l->across && panel->curves > 1 && c < panel->curves; c++)
      draw_entry(&p, c, l->left + LEGEND_ACROSS * c, 48);
  }
}

void plot_draw(FILE *out, const plot_figure *figure) {
  const plot_layout *l = figure->layout ? figure->layout : &column;
  int wide = l->across ? figure->panels : 1, high = l->across ? 1 : figure->panels;
  int width = wide * (l->left + l->width + l->right);
  int height = l->top + high * (l->height + l->gap) + l->bottom;
  svg_begin(out, width, height, figure->title,
            "font-family=\"Helvetica, Arial, sans-serif\" font-size=\"12\" fill=\"#222\"");
  fputs("<rect width='100%' height='100%' fill='#fff'/>\n", out);
  svg_text(out, l->left, 26, "font-size='16'", figure->title);
  draw_all(out, figure, l);
  if (figure->x_label)
    svg_text(out, l->left + l->width / 2.0, height - l->bottom + 2,
             "text-anchor='middle' font-size='13'", figure->x_label);
  fputs("</svg>\n", out);
}
