// Contact points: a table with a line for each, and pictures of the plots a scene asks for.
#include "export.h"

#include <stdlib.h>
#include <string.h>

#include "render/plot.h"

// ---- table

static void print_points(const stc_snapshot *s, FILE *out) {
  for (int pair = 0; pair < s->pairs; pair++) {
    for (int k = s->first[pair]; k < s->first[pair + 1]; k++) {
      const stc_fem_contact_point *p = &s->point[k];
      fprintf(out, "%.17g,%s,%d,%s,%.17g,%.17g,%.17g,", s->t, s->pair[pair], p->node + 1,
              stc_contact_state_name(p->state), p->x[0], p->x[1], p->x[2]);
      fprintf(out, "%.17g,%.17g,%.17g,%.17g,%.17g,%.17g,%.17g,%.17g,%.17g,%.17g\n", p->gap,
              p->pressure, p->shear[0], p->shear[1], p->slip[0], p->slip[1], p->area, p->normal[0],
              p->normal[1], p->normal[2]);
    }
  }
}

int export_contacts(stc_snapshot *s, FILE *out, long row) {
  fputs("t,contact,node,state,x,y,z,gap,pressure,shear1,shear2,slip1,slip2,area,nx,ny,nz\n", out);
  for (long k = row < 0 ? 0 : row; k < (row < 0 ? s->rows : row + 1); k++) {
    stc_error error = stc_snapshot_load(s, k);
    if (error) return cli_complain_library(error);
    print_points(s, out);
  }
  return CLI_DONE;
}

// ---- plots

typedef struct dot {
  double x, y;
} dot;

typedef struct picture {
  plot_figure figure;
  plot_panel *panels;
  plot_curve *curves;
  dot *dots;
  int curve_count, dot_count;
} picture;

static int by_place(const void *a, const void *b) {
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
static double place_of(const stc_snapshot *s, const stc_fem_contact_point *p, int axis) {
  const stc_mesh *mesh = &s->mesh;
  if (p->node >= mesh->nodes || axis >= mesh->dim) return p->x[axis];
  return mesh->x[(size_t)p->node * (size_t)mesh->dim + (size_t)axis];
}

// The contact points inside the range of the curve, from left to right.
static void add_dots(picture *p, const stc_snapshot *s, const stc_plot_curve *curve) {
  int axis = curve->along[0] == 'y' ? 1 : curve->along[0] == 'z' ? 2 : 0, count = 0;
  dot *dots = p->dots + p->dot_count;
  for (int pair = 0; pair < s->pairs; pair++) {
    if (strcmp(s->pair[pair], curve->pair) != 0) continue;
    for (int k = s->first[pair]; k < s->first[pair + 1]; k++) {
      const stc_fem_contact_point *point = &s->point[k];
      double x = place_of(s, point, axis);
      if (curve->count && (x < curve->x[0] || x > curve->x[curve->count - 1])) continue;
      dots[count++] = (dot){x, quantity_of(point, curve->quantity)};
    }
  }
  qsort(dots, (size_t)count, sizeof *dots, by_place);
  p->dot_count += count;
  p->curves[p->curve_count++] = (plot_curve){.name = "computed",
                                             .x = &dots->x,
                                             .y = &dots->y,
                                             .count = count,
                                             .stride = sizeof *dots / sizeof(double),
                                             .dots = true};
}

// A panel for each plot: its curves, then the points.
static void fill_picture(picture *p, const stc_snapshot *s) {
  for (int k = 0, next; k < s->curves; k = next) {
    const stc_plot_curve *first = &s->curve[k];
    plot_panel *panel = &p->panels[p->figure.panels++];
    *panel = (plot_panel){.title = first->plot, .curve = p->curves + p->curve_count};
    for (next = k; next < s->curves && !strcmp(s->curve[next].plot, first->plot); next++) {
      const stc_plot_curve *c = &s->curve[next];
      if (c->count == 0) continue;
      p->curves[p->curve_count++] =
          (plot_curve){.name = c->name, .x = c->x, .y = c->y, .count = c->count, .stride = 1};
    }
    add_dots(p, s, first);
    panel->curves = (int)(p->curves + p->curve_count - panel->curve);
    p->figure.x_label = first->along;
  }
}

static void draw(FILE *out, const void *user) { plot_draw(out, user); }

int export_plots(const stc_snapshot *s, const char *scene, const char *path) {
  char title[300];
  size_t most = (size_t)s->curves + 1, points = (size_t)s->first[s->pairs];
  picture p = {.panels = calloc(most, sizeof *p.panels),
               .curves = calloc(2 * most, sizeof *p.curves),
               .dots = calloc(most * (points + 1), sizeof *p.dots)};
  int status =
      p.panels && p.curves && p.dots ? CLI_DONE : cli_complain("out of memory for the plots");
  if (!status) {
    snprintf(title, sizeof title, "%.250s, t = %g", scene, s->t);
    p.figure.title = title;
    p.figure.panel = p.panels;
    fill_picture(&p, s);
    status = cli_save(path, draw, &p.figure);
  }
  free(p.panels);
  free(p.curves);
  free(p.dots);
  return status;
}
