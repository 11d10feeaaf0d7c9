// Plots of run files as SVG. False: see render_reason.
#ifndef STC_RENDER_RUN_PLOTS_H
#define STC_RENDER_RUN_PLOTS_H

#include <stdio.h>

#include <stiction/scene.h>

/// A panel for each column [columns]; NULL: for each series, the energy ledger and what it is off
/// by.
bool run_plot(FILE *out, const stc_trajectory *run, const int *column, int columns);

/// One column over another for several runs: trajectories in their phase plane. column [2*runs].
bool run_plot_phase(FILE *out, const stc_trajectory *const *run, const char *const *label,
                    const int *column, int runs);

/// One of the runs in a picture of several.
typedef struct run_compared {
  const stc_snapshot *bodies;
  const char *label;
  bool line;  ///< its points are joined: what the others are compared with
} run_compared;

/// The plots that a scene with deformable bodies asks for, as they stand in the row that is loaded:
/// those of the first run, with the points of all.
bool run_plot_fem(FILE *out, const run_compared *run, int runs, const char *scene);

/// The temperature or potential of plane bodies, as they stand in the row that is loaded.
bool run_plot_field(FILE *out, const stc_snapshot *s, const char *field);

/// The pictures that a scene asks for; there is at least one.
bool run_plot_album(FILE *out, const stc_album *album, const char *scene);

/// Place of a column; -1: there is none.
int run_column(const stc_trajectory *run, const char *name, size_t length);

#endif
