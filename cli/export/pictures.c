// The pictures that a scene asks for, one panel each.
#include "export.h"

#include <stdlib.h>

#include "render/plot.h"

// Panels and what they are made of.
typedef struct drawing {
  plot_figure figure;
  plot_panel *panels;  // [pictures]
  plot_map *maps;      // [pictures]
  plot_curve *curves;  // of all of them
} drawing;

static int count_lines(const stc_album *album) {
  int count = 0;
  for (int k = 0; k < album->pictures; k++) count += album->picture[k].lines;
  return count;
}

static plot_map map_of(const stc_picture *p) {
  return (plot_map){.columns = p->times,
                    .stride = p->stride,
                    .x = p->time,
                    .rows = p->places,
                    .y = p->place,
                    .value = p->map};
}

static void fill(drawing *d, const stc_album *album) {
  plot_curve *curve = d->curves;
  for (int k = 0; k < album->pictures; k++) {
    const stc_picture *p = &album->picture[k];
    plot_panel *panel = &d->panels[k];
    *panel = (plot_panel){p->title, curve, p->lines, p->x_label, NULL};
    for (int i = 0; i < p->lines; i++) {
      const stc_picture_line *line = &p->line[i];
      *curve++ = (plot_curve){.name = line->label,
                              .x = line->x,
                              .y = line->y,
                              .count = line->count,
                              .stride = line->stride};
    }
    if (p->places == 0 || p->times == 0) continue;
    d->maps[k] = map_of(p);
    panel->map = &d->maps[k];
  }
  d->figure.panel = d->panels;
  d->figure.panels = album->pictures;
}

static void draw(FILE *out, const void *user) { plot_draw(out, user); }

int export_pictures(const stc_album *album, const char *scene, const char *path) {
  size_t pictures = (size_t)album->pictures, lines = (size_t)count_lines(album);
  drawing d = {.panels = calloc(pictures, sizeof *d.panels),
               .maps = calloc(pictures, sizeof *d.maps),
               .curves = calloc(lines + 1, sizeof *d.curves)};
  int status =
      d.panels && d.maps && d.curves ? CLI_DONE : cli_complain("out of memory for the pictures");
  if (!status) {
    d.figure.title = scene;
    fill(&d, album);
    status = cli_save(path, draw, &d.figure);
  }
  free(d.panels);
  free(d.maps);
  free(d.curves);
  return status;
}
