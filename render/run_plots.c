// Plots of run files: what is drawn becomes the panels and curves of one figure.
#include "run_plots.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "output.h"
#include "plot.h"

typedef struct dot {
  double x, y;
} dot;

// A figure that grows within its room.
typedef struct draft_figure {
  plot_figure figure;
  plot_panel *panel;
  plot_map *map;  // [panels]
  plot_curve *curve;
  dot *dot;
  int curves, dots;
} draft_figure;

static bool draft_make(draft_figure *d, size_t panels, size_t curves, size_t dots) {
  *d = (draft_figure){.panel = calloc(panels + 1, sizeof *d->panel),
                      .map = calloc(panels + 1, sizeof *d->map),
                      .curve = calloc(curves + 1, sizeof *d->curve),
                      .dot = calloc(dots + 1, sizeof *d->dot)};
  bool good = d->panel && d->map && d->curve && d->dot;
  return good || render_fails("out of memory for the plots");
}

// The curves added next are those of this panel.
static plot_panel *draft_panel(draft_figure *d, const char *title) {
  plot_panel *panel = &d->panel[d->figure.panels++];
  *panel = (plot_panel){.title = title, .curve = d->curve + d->curves};
  return panel;
}

static void draft_curve(draft_figure *d, plot_curve curve) {
  d->curve[d->curves++] = curve;
  d->panel[d->figure.panels - 1].curves++;
}

static void draft_draw(draft_figure *d, FILE *out, const char *title) {
  d->figure.title = title;
  d->figure.panel = d->panel;
  plot_draw(out, &d->figure);
}

static void draft_free(draft_figure *d) {
  free(d->panel);
  free(d->map);
  free(d->curve);
  free(d->dot);
}

// ---- columns

int run_column(const stc_trajectory *run, const char *name, size_t length) {
  for (int k = 0; k < run->columns; k++)
    if (strlen(run->name[k]) == length && !strncmp(run->name[k], name, length)) return k;
  return -1;
}

static void add_column(draft_figure *d, const stc_trajectory *run, int column) {
  draft_curve(d, (plot_curve){.name = run->name[column],
                              .x = run->value,
                              .y = run->value + column,
                              .count = run->rows,
                              .stride = run->columns});
}

static double largest_entry(const stc_trajectory *run, int column) {
  double most = 0;
  for (long i = 0; i < run->rows && column >= 0; i++)
    most = fmax(most, fabs(run->value[(size_t)i * (size_t)run->columns + (size_t)column]));
  return most;
}

// The entries of the ledger that are more than rounding.
static void add_ledger(draft_figure *d, const stc_trajectory *run) {
  static const char *const ledger[] = {"kinetic",  "potential", "work",      "drive",
                                       "friction", "shock",     "correction"};
  enum { LEDGER = sizeof ledger / sizeof *ledger };
  static const double rounding = 1e-9;
  int column[LEDGER], begun = d->figure.panels;
  double most = 0;
  for (int k = 0; k < LEDGER; k++) {
    column[k] = run_column(run, ledger[k], strlen(ledger[k]));
    most = fmax(most, largest_entry(run, column[k]));
  }
  for (int k = 0; k < LEDGER; k++) {
    if (!(largest_entry(run, column[k]) > rounding * most)) continue;
    if (d->figure.panels == begun) draft_panel(d, "energy ledger, J");
    add_column(d, run, column[k]);
  }
}

bool run_plot(FILE *out, const stc_trajectory *run, const int *column, int columns) {
  draft_figure d;
  size_t most = (size_t)(column ? columns : run->columns) + 2;
  int error = run_column(run, "error", strlen("error"));
  bool good = draft_make(&d, most, most + (size_t)run->columns, 0);
  int first = column ? 0 : run->series, end = column ? columns : run->columns;
  for (int k = first; good && k < end; k++) {
    int shown = column ? column[k] : k;
    draft_panel(&d, run->name[shown]);
    add_column(&d, run, shown);
  }
  if (good && !column) add_ledger(&d, run);
  if (good && !column && error >= 0) {
    draft_panel(&d, "balance error, J");
    add_column(&d, run, error);
  }
  d.figure.x_label = run->blocks ? "t" : "t, s";
  if (good) draft_draw(&d, out, run->scene);
  draft_free(&d);
  return good;
}

// ---- phase planes

static const double *column_at(const stc_trajectory *run, int column, long row) {
  return run->value + (size_t)row * (size_t)run->columns + (size_t)column;
}

// The range of one of the two columns over all runs, 0 within it.
static plot_range phase_range(const stc_trajectory *const *run, const int *column, int runs,
                              int axis) {
  plot_range range = {0, 0};
  for (int k = 0; k < runs; k++)
    for (long i = 0; i < run[k]->rows; i++) {
      double value = *column_at(run[k], column[2 * k + axis], i);
      if (!isfinite(value)) continue;
      range.low = fmin(range.low, value);
      range.high = fmax(range.high, value);
    }
  return range;
}

static const plot_layout phase_layout = {
    .width = 620, .height = 460, .left = 88, .right = 230, .top = 64, .gap = 40, .bottom = 40};

bool run_plot_phase(FILE *out, const stc_trajectory *const *run, const char *const *label,
                    const int *column, int runs) {
  draft_figure d;
  bool good = draft_make(&d, 1, (size_t)runs, 0);
  if (good) {
    plot_panel *panel = draft_panel(&d, NULL);
    panel->y_label = run[0]->name[column[1]];
    panel->x = phase_range(run, column, runs, 0);
    panel->y = phase_range(run, column, runs, 1);
  }
  for (int k = 0; good && k < runs; k++)
    draft_curve(&d, (plot_curve){.name = label[k],
                                 .x = column_at(run[k], column[2 * k], 0),
                                 .y = column_at(run[k], column[2 * k + 1], 0),
                                 .count = run[k]->rows,
                                 .stride = run[k]->columns});
  d.figure.x_label = run[0]->name[column[0]];
  d.figure.layout = &phase_layout;
  if (good) draft_draw(&d, out, run[0]->scene);
  draft_free(&d);
  return good;
}

// ---- contact points of deformable bodies

static int by_dot_x(const void *a, const void *b) {
  double x = ((const dot *)a)->x, y = ((const dot *)b)->x;
  return (x > y) - (x < y);
}

static double quantity_of(const stc_fem_contact_point *p, const char *quantity) {
  if (!strcmp(quantity, "pressure")) return p->pressure;
  if (!strcmp(quantity, "shear")) return p->shear[0];
  if (!strcmp(quantity, "gap")) return p->gap;
  return p->slip[0];
}

// Where a point was before the bodies deformed: what closed forms are about.
static double first_place(const stc_snapshot *s, const stc_fem_contact_point *p, int axis) {
  const stc_mesh *mesh = &s->mesh;
  if (p->node >= mesh->nodes || axis >= mesh->dim) return p->x[axis];
  return mesh->x[(size_t)p->node * (size_t)mesh->dim + (size_t)axis];
}

// The contact points inside the range of the curve, from left to right.
static void add_dots(draft_figure *d, const run_compared *run, const stc_plot_curve *curve) {
  const stc_snapshot *s = run->bodies;
  int axis = curve->along[0] == 'y' ? 1 : curve->along[0] == 'z' ? 2 : 0, count = 0;
  dot *dots = d->dot + d->dots;
  for (int pair = 0; pair < s->pairs; pair++) {
    if (strcmp(s->pair[pair], curve->pair) != 0) continue;
    for (int k = s->first[pair]; k < s->first[pair + 1]; k++) {
      double x = first_place(s, &s->point[k], axis);
      if (curve->count && (x < curve->x[0] || x > curve->x[curve->count - 1])) continue;
      dots[count++] = (dot){x, quantity_of(&s->point[k], curve->quantity)};
    }
  }
  qsort(dots, (size_t)count, sizeof *dots, by_dot_x);
  d->dots += count;
  draft_curve(d, (plot_curve){.name = run->label,
                              .x = &dots->x,
                              .y = &dots->y,
                              .count = count,
                              .stride = sizeof *dots / sizeof(double),
                              .style = run->line ? PLOT_LINE : PLOT_DOTS});
}

// A panel for each plot: its curves, then the points.
bool run_plot_fem(FILE *out, const run_compared *run, int runs, const char *scene) {
  draft_figure d;
  char title[300];
  const stc_snapshot *s = run->bodies;
  size_t plots = (size_t)s->curves + 1, points = 0;
  for (int i = 0; i < runs; i++) points += (size_t)run[i].bodies->first[run[i].bodies->pairs] + 1;
  bool good = draft_make(&d, plots, plots * (size_t)(runs + 1), plots * points);
  for (int k = 0, next; good && k < s->curves; k = next) {
    const stc_plot_curve *first = &s->curve[k];
    draft_panel(&d, first->plot);
    for (next = k; next < s->curves && !strcmp(s->curve[next].plot, first->plot); next++) {
      const stc_plot_curve *c = &s->curve[next];
      if (!c->name[0]) continue;  // the range of a plot without curves
      draft_curve(&d, (plot_curve){c->name, c->x, c->y, c->count, 1, PLOT_LINE, 0, NULL});
    }
    for (int i = 0; i < runs; i++) add_dots(&d, &run[i], first);
    d.figure.x_label = first->along;
  }
  snprintf(title, sizeof title, "%.250s, t = %g", scene, s->t);
  if (good) draft_draw(&d, out, title);
  draft_free(&d);
  return good;
}

// ---- pictures of a scene

static void add_picture(draft_figure *d, const stc_picture *p) {
  plot_map *map = &d->map[d->figure.panels];
  plot_panel *panel = draft_panel(d, p->title);
  panel->x_label = p->x_label;
  for (int i = 0; i < p->lines; i++) {
    const stc_picture_line *l = &p->line[i];
    draft_curve(d, (plot_curve){l->label, l->x, l->y, l->count, l->stride, PLOT_LINE, 0, NULL});
  }
  if (p->places == 0 || p->times == 0) return;
  *map = (plot_map){p->times, p->stride, p->time, p->places, p->place, p->map};
  panel->map = map;
}

bool run_plot_album(FILE *out, const stc_album *album, const char *scene) {
  draft_figure d;
  size_t lines = 0;
  for (int k = 0; k < album->pictures; k++) lines += (size_t)album->picture[k].lines;
  bool good = draft_make(&d, (size_t)album->pictures, lines, 0);
  for (int k = 0; good && k < album->pictures; k++) add_picture(&d, &album->picture[k]);
  if (good) draft_draw(&d, out, scene);
  draft_free(&d);
  return good;
}
