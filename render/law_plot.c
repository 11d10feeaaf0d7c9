// Pictures of friction laws as SVG.
#include "law_plot.h"

#include <math.h>

// Pixels.
enum {
  SIDE = 300,  // of a panel
  LEFT = 64,   // room for numbers and the name of the axis
  RIGHT = 26,
  TOP = 78,
  BOTTOM = 60,
  LEGEND_STEP = 120,
  TICKS = 6  // about so many on an axis
};

// Colours that people with any colour vision tell apart [Okabe and Ito 2008].
static const char *const colours[] = {"#0072b2", "#d55e00"};
enum { COLOURS = sizeof colours / sizeof *colours };

// A panel and the corner it is drawn at.
typedef struct place {
  FILE *out;
  const law_panel *panel;
  double left, top;
} place;

static double pixel_x(const place *p, double x) { return p->left + SIDE * x / p->panel->x_high; }

static double pixel_y(const place *p, double y) {
  return p->top + SIDE * (1 - y / p->panel->y_high);
}

// The step of ticks: 1, 2 or 5 times a power of ten.
static double tick_step(double high) {
  double rough = high / TICKS, decade = pow(10, floor(log10(rough))), lead = rough / decade;
  return decade * (lead <= 1 ? 1 : lead <= 2 ? 2 : lead <= 5 ? 5 : 10);
}

static void draw_text(const place *p, double x, double y, const char *anchor, const char *text) {
  fprintf(p->out, "<text x='%.1f' y='%.1f' text-anchor='%s'>%s</text>\n", x, y, anchor, text);
}

static void draw_x_axis(const place *p) {
  double step = tick_step(p->panel->x_high);
  for (int k = 0; k * step <= p->panel->x_high * (1 + 1e-9); k++) {
    char label[32];
    double x = pixel_x(p, k * step);
    snprintf(label, sizeof label, "%.6g", k * step);
    fprintf(p->out, "<path d='M%.1f %.1fv%d' stroke='#e4e4e4'/>\n", x, p->top, SIDE);
    draw_text(p, x, p->top + SIDE + 18, "middle", label);
  }
  draw_text(p, p->left + SIDE / 2.0, p->top + SIDE + 42, "middle", p->panel->x_label);
}

static void draw_y_axis(const place *p) {
  double step = tick_step(p->panel->y_high), middle = p->top + SIDE / 2.0;
  for (int k = 0; k * step <= p->panel->y_high * (1 + 1e-9); k++) {
    char label[32];
    double y = pixel_y(p, k * step);
    snprintf(label, sizeof label, "%.6g", k * step);
    fprintf(p->out, "<path d='M%.1f %.1fh%d' stroke='#e4e4e4'/>\n", p->left, y, SIDE);
    draw_text(p, p->left - 8, y + 4.5, "end", label);
  }
  fprintf(p->out,
          "<text x='%.1f' y='%.1f' text-anchor='middle' transform='rotate(-90 %.1f %.1f)'>%s"
          "</text>\n",
          p->left - 46, middle, p->left - 46, middle, p->panel->y_label);
}

// Points beyond the frame end the line.
static void draw_curve(const place *p, const law_curve *c, const char *colour) {
  char pen = 'M';
  fprintf(p->out, "<path fill='none' stroke='%s' stroke-width='2' stroke-linejoin='round'%s d='",
          colour, c->dashed ? " stroke-dasharray='7 4'" : "");
  for (int k = 0; k < c->count; k++) {
    if (!(c->x[k] <= p->panel->x_high * (1 + 1e-9) && c->y[k] <= p->panel->y_high * (1 + 1e-9)))
      continue;
    fprintf(p->out, "%c%.2f %.2f", pen, pixel_x(p, c->x[k]), pixel_y(p, c->y[k]));
    pen = 'L';
  }
  fprintf(p->out, "'/>\n");
}

static void draw_panel(const place *p) {
  draw_x_axis(p);
  draw_y_axis(p);
  fprintf(p->out, "<rect x='%.1f' y='%.1f' width='%d' height='%d' fill='none' stroke='#888'/>\n",
          p->left, p->top, SIDE, SIDE);
  draw_text(p, p->left + SIDE / 2.0, p->top - 10, "middle", p->panel->title);
  for (int k = 0; k < p->panel->curves; k++)
    draw_curve(p, &p->panel->curve[k], colours[k % COLOURS]);
}

// One legend for all panels, those of the first, below the title.
static void draw_legend(FILE *out, const law_panel *panel) {
  for (int k = 0; k < panel->curves && panel->curves > 1; k++) {
    int x = LEFT + LEGEND_STEP * k;
    fprintf(out, "<path d='M%d 44h34' stroke='%s' stroke-width='2'%s/>\n", x, colours[k % COLOURS],
            panel->curve[k].dashed ? " stroke-dasharray='7 4'" : "");
    fprintf(out, "<text x='%d' y='48'>%s</text>\n", x + 42, panel->curve[k].name);
  }
}

void law_figure_draw(FILE *out, const law_figure *figure) {
  int width = figure->panels * (LEFT + SIDE + RIGHT), height = TOP + SIDE + BOTTOM;
  fprintf(out,
          "<?xml version='1.0' encoding='UTF-8'?>\n"
          "<svg xmlns='http://www.w3.org/2000/svg' width='%d' height='%d' viewBox='0 0 %d %d' "
          "font-family='Helvetica, Arial, sans-serif' font-size='12' fill='#222'>\n"
          "<rect width='%d' height='%d' fill='#fff'/>\n"
          "<text x='%d' y='26' font-size='16'>%s</text>\n",
          width, height, width, height, width, height, LEFT, figure->title);
  draw_legend(out, &figure->panel[0]);
  for (int k = 0; k < figure->panels; k++)
    draw_panel(&(place){out, &figure->panel[k], LEFT + k * (LEFT + SIDE + RIGHT), TOP});
  fprintf(out, "</svg>\n");
}
