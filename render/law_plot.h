// Friction laws as curves and pictures.
#ifndef STC_RENDER_LAW_PLOT_H
#define STC_RENDER_LAW_PLOT_H

#include <stdio.h>

#include <stiction/law.h>

/// Whether mu depends on the distance slid, not on the speed.
bool law_slips(const stc_coefficient *c);
/// The speed, or distance, up to which the curve of mu is of interest.
double law_end(const stc_coefficient *c);
/// mu over speed or distance: x, mu [points], from 0 to `end`.
void law_tabulate(const stc_coefficient *c, double end, int points, double *x, double *mu);

/// The curve of mu as SVG.
void law_draw(FILE *out, const char *law, const stc_coefficient *c, double end);
/// Force and moment of Coulomb–Contensou friction, and its limit curve, as SVG.
void law_draw_contensou(FILE *out);

#endif
