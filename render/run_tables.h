// Tables of run files: columns of the trajectory, contact points row by row.
#ifndef STC_RENDER_RUN_TABLES_H
#define STC_RENDER_RUN_TABLES_H

#include <stdio.h>

#include <stiction/scene.h>

#include "raster/stage.h"

/// Columns of a run; column [columns].
void run_table(FILE *out, const stc_trajectory *run, const int *column, int columns);

/// The contact points of all rows, or of one (-1: all). False: see render_reason.
bool run_table_fem(FILE *out, stc_snapshot *snapshot, long row);
bool run_table_bodies(FILE *out, stc_replay *replay, long row);

/// Takes the step that begins at the row that is loaded, and adds its forces to the stage. False:
/// see render_reason.
bool run_add_forces(stc_replay *replay, stage *s);

#endif
