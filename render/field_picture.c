// A field of deformable bodies in the plane as SVG: cells in the colour of the mean of their nodes,
// with a scale.
#include <math.h>
#include <string.h>

#include "output.h"
#include "plot.h"
#include "run_plots.h"

enum { WIDTH = 900, MARGIN = 40, SCALE = 110, LABELS = 5, STRIPS = 60 };

// From dark blue to light yellow, lightness rising evenly.
static void put_colour(FILE *out, double part) {
  static const double corner[5][3] = {{0.12, 0.07, 0.35},
                                      {0.35, 0.13, 0.55},
                                      {0.72, 0.22, 0.47},
                                      {0.95, 0.51, 0.29},
                                      {0.99, 0.93, 0.64}};
  double at = fmin(fmax(part, 0), 1) * 4, rgb[3];
  int low = at >= 4 ? 3 : (int)at;
  for (int i = 0; i < 3; i++)
    rgb[i] = corner[low][i] + (at - low) * (corner[low + 1][i] - corner[low][i]);
  svg_color(out, rgb);
}

static const double *field_of(const stc_snapshot *s, const char *field) {
  if (!strcmp(field, "temperature")) return s->temperature;
  return !strcmp(field, "potential") ? s->potential : NULL;
}

typedef struct field_view {
  const stc_mesh *mesh;
  const double *value;
  double low[2], high[2], least, greatest, per_pixel;
} field_view;

static void measure_view(field_view *v) {
  const stc_mesh *m = v->mesh;
  v->least = INFINITY, v->greatest = -INFINITY;
  for (int i = 0; i < 2; i++) v->low[i] = INFINITY, v->high[i] = -INFINITY;
  for (int n = 0; n < m->nodes; n++) {
    v->least = fmin(v->least, v->value[n]), v->greatest = fmax(v->greatest, v->value[n]);
    for (int i = 0; i < 2; i++) {
      v->low[i] = fmin(v->low[i], m->x[2 * n + i]);
      v->high[i] = fmax(v->high[i], m->x[2 * n + i]);
    }
  }
  double size = fmax(v->high[0] - v->low[0], v->high[1] - v->low[1]);
  v->per_pixel = size / (WIDTH - 2 * MARGIN - SCALE);
}

static double part_of(const field_view *v, double value) {
  return v->greatest > v->least ? (value - v->least) / (v->greatest - v->least) : 0.5;
}

// Corners of cells come first; what lies on an edge between two of them is left out.
static void draw_cell(FILE *out, const field_view *v, int cell) {
  const stc_mesh *m = v->mesh;
  const int *node = m->node + m->ptr[cell];
  int nodes = m->ptr[cell + 1] - m->ptr[cell];
  int corners = nodes == 6 ? 3 : nodes == 8 ? 4 : nodes;
  double mean = 0;
  for (int a = 0; a < corners; a++) mean += v->value[node[a]] / corners;
  fprintf(out, "<path d='");
  for (int a = 0; a < corners; a++)
    fprintf(out, "%c%.1f %.1f", a ? 'L' : 'M',
            MARGIN + (m->x[2 * node[a]] - v->low[0]) / v->per_pixel,
            MARGIN + (v->high[1] - m->x[2 * node[a] + 1]) / v->per_pixel);
  fprintf(out, "Z' stroke-width='0.6' fill='");
  put_colour(out, part_of(v, mean));
  fprintf(out, "' stroke='");
  put_colour(out, part_of(v, mean));
  fprintf(out, "'/>\n");
}

static void draw_field_scale(FILE *out, const field_view *v, double height) {
  double left = WIDTH - SCALE;
  for (int k = 0; k < STRIPS; k++) {
    fprintf(out, "<rect x='%.1f' y='%.2f' width='16' height='%.2f' fill='", left,
            MARGIN + height * (STRIPS - 1 - k) / STRIPS, height / STRIPS + 0.3);
    put_colour(out, (k + 0.5) / STRIPS);
    fprintf(out, "'/>\n");
  }
  for (int k = 0; k < LABELS; k++) {
    double part = (double)k / (LABELS - 1);
    fprintf(out, "<text x='%.1f' y='%.1f'>%.4g</text>\n", left + 22,
            MARGIN + height * (1 - part) + 9 * part, v->least + part * (v->greatest - v->least));
  }
}

bool run_plot_field(FILE *out, const stc_snapshot *s, const char *field) {
  field_view v = {.mesh = &s->mesh, .value = field_of(s, field)};
  char title[200];
  if (!v.value)
    return render_fails("there is no field '%s' in this run; runs with heat have temperature and "
                        "potential",
                        field);
  if (s->mesh.dim != 2)
    return render_fails("--field draws plane meshes; --vtk writes those in space");
  measure_view(&v);
  double height = (v.high[1] - v.low[1]) / v.per_pixel;
  snprintf(title, sizeof title, "%.100s, t = %g", field, s->t);
  svg_begin(out, WIDTH, (int)height + 2 * MARGIN, title,
            "font-family=\"Helvetica, Arial, sans-serif\" font-size=\"12\" fill=\"#222\"");
  fprintf(out, "<rect width='100%%' height='100%%' fill='#fff'/>\n");
  fprintf(out, "<text x='%d' y='24' font-size='16'>%s</text>\n", MARGIN, title);
  for (int c = 0; c < s->mesh.cells; c++)
    if (stc_cell_dim((stc_cell_type)s->mesh.type[c]) == 2) draw_cell(out, &v, c);
  draw_field_scale(out, &v, height);
  fprintf(out, "</svg>\n");
  return true;
}
