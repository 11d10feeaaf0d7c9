// Plots of run files as SVG. False: see render_reason.
#ifndef STC_RENDER_RUN_PLOTS_H
#define STC_RENDER_RUN_PLOTS_H

#include <stdio.h>

#include <stiction/scene.h>

/// A panel for each column [columns]; NULL: for each series, the energy ledger and what it is off
/// by.
bool run_plot(FILE *out, const stc_trajectory *run, const int *column, int columns);

/// The plots that a scene with deformable bodies asks for, as they stand in the row that is loaded.
bool run_plot_fem(FILE *out, const stc_snapshot *s, const char *scene);

/// The pictures that a scene asks for; there is at least one.
bool run_plot_album(FILE *out, const stc_album *album, const char *scene);

/// Place of a column; -1: there is none.
int run_column(const stc_trajectory *run, const char *name, size_t length);

#endif
