// Maps as SVG: the picture is divided into cells of a few pixels, each has the colour of the number
// of greatest magnitude inside it, and cells of one colour that touch are one stroke.
#include "plot.h"

#include <math.h>
#include <stdlib.h>

enum {
  ACROSS = 320,  // cells of a picture at most
  DOWN = 105,
  LEVELS = 24,      // colours on each side of zero
  SCALE_LEFT = 14,  // pixels of the scale beside the map
  SCALE_WIDTH = 16,
  LABELS = 5
};

// Corners of two paths through colour space whose lightness falls evenly: zero is white, as paper
// is, numbers above it blue, below it red.
static const int corners[2][5][3] = {
    {{255, 255, 255}, {170, 210, 235}, {80, 155, 200}, {35, 90, 165}, {10, 25, 80}},
    {{255, 255, 255}, {250, 205, 170}, {235, 140, 90}, {190, 60, 40}, {100, 10, 20}}};
enum { CORNERS = 5 };

// Colour k, from -LEVELS to LEVELS.
static void put_level(FILE *out, int k) {
  double at = (double)abs(k) / LEVELS * (CORNERS - 1), rgb[3];
  int low = at >= CORNERS - 1 ? CORNERS - 2 : (int)at;
  const int(*path)[3] = corners[k < 0];
  double part = at - low;
  for (int i = 0; i < 3; i++) rgb[i] = ((1 - part) * path[low][i] + part * path[low + 1][i]) / 255;
  svg_color(out, rgb);
}

// The map on the cells of the picture.
typedef struct raster {
  int across, down;
  double low, high;  // least and greatest number, 0 among them
  float cell[ACROSS][DOWN];
} raster;

static double column_x(const plot_map *map, long i) { return map->x[i * map->stride]; }

// Cell of a place between two ends; -1 past them.
static int cell_of(double at, double low, double high, int count) {
  double k = high > low ? floor((at - low) / (high - low) * count) : 0;
  return k < 0 || !isfinite(k) ? -1 : k >= count ? count - 1 : (int)k;
}

// Cells that no number fell into take their neighbour's.
static void close_gaps(raster *r) {
  for (int a = 0; a < r->across; a++)
    for (int d = 1; d < r->down; d++)
      if (isnan(r->cell[a][d])) r->cell[a][d] = r->cell[a][d - 1];
  for (int a = 1; a < r->across; a++)
    for (int d = 0; d < r->down; d++)
      if (isnan(r->cell[a][d])) r->cell[a][d] = r->cell[a - 1][d];
}

static double most(const raster *r) { return fmax(-r->low, r->high); }

static int colour_of(const raster *r, int a, int d) {
  if (isnan(r->cell[a][d])) return 0;
  return (int)lround((double)r->cell[a][d] / most(r) * LEVELS);
}

static bool is_there(const raster *r, int k) {
  for (int a = 0; a < r->across; a++)
    for (int d = 0; d < r->down; d++)
      if (colour_of(r, a, d) == k) return true;
  return false;
}

// The strokes of one colour.
static void draw_colour(FILE *out, const raster *r, int k, plot_frame f) {
  if (!is_there(r, k)) return;
  double wide = f.width / r->across, high = f.height / r->down;
  fprintf(out, "<path stroke='");
  put_level(out, k);
  fprintf(out, "' stroke-width='%.2f' d='", high + 0.3);
  for (int d = 0; d < r->down; d++) {
    double y = f.top + f.height - (d + 0.5) * high;
    for (int a = 0, end; a < r->across; a = end) {
      for (end = a + 1; end < r->across && colour_of(r, end, d) == colour_of(r, a, d);) end++;
      if (colour_of(r, a, d) == k)
        fprintf(out, "M%.1f %.1fh%.1f", f.left + a * wide, y, (end - a) * wide + 0.2);
    }
  }
  fprintf(out, "'/>\n");
}

// From the least to the greatest number.
static void draw_scale(FILE *out, const raster *r, plot_frame f) {
  double left = f.left + f.width + SCALE_LEFT, per_level = most(r) / LEVELS;
  int first = (int)lround(r->low / per_level), last = (int)lround(r->high / per_level);
  double step = f.height / (last - first + 1);
  for (int k = first; k <= last; k++) {
    fprintf(out, "<rect x='%.1f' y='%.2f' width='%d' height='%.2f' fill='", left,
            f.top + f.height - (k - first + 1) * step, SCALE_WIDTH, step + 0.3);
    put_level(out, k);
    fprintf(out, "'/>\n");
  }
  for (int k = 0; k < LABELS; k++) {
    double part = (double)k / (LABELS - 1);
    fprintf(out, "<text x='%.1f' y='%.1f'>%.3g</text>\n", left + SCALE_WIDTH + 6,
            f.top + f.height * (1 - part) + 9 * part, r->low + (r->high - r->low) * part);
  }
}

void plot_draw_map(FILE *out, const plot_map *map, plot_frame frame) {
  raster r;
  if (map->columns < 1 || map->rows < 1) return;
  r = (raster){.across = map->columns < ACROSS ? (int)map->columns : ACROSS,
               .down = map->rows < DOWN ? map->rows : DOWN};
  for (int a = 0; a < r.across; a++)
    for (int d = 0; d < r.down; d++) r.cell[a][d] = NAN;
  // In each cell the number of greatest magnitude.
  double x0 = column_x(map, 0), x1 = column_x(map, map->columns - 1);
  double y0 = map->y[0], y1 = map->y[map->rows - 1];
  for (long i = 0; i < map->columns; i++) {
    int a = cell_of(column_x(map, i), x0, x1, r.across);
    for (int j = 0; a >= 0 && j < map->rows; j++) {
      int d = cell_of(map->y[j], y0, y1, r.down);
      double value = map->value[i * map->rows + j];
      if (d < 0 || !isfinite(value)) continue;
      float *cell = &r.cell[a][d];
      if (isnan(*cell) || fabs(value) > fabsf(*cell)) *cell = (float)value;
      r.low = fmin(r.low, value);
      r.high = fmax(r.high, value);
    }
  }
  close_gaps(&r);
  if (r.high == r.low) r.high = 1;
  for (int k = -LEVELS; k <= LEVELS; k++) draw_colour(out, &r, k, frame);
  draw_scale(out, &r, frame);
}
