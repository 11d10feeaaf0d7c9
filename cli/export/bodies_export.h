// Rigid bodies of a run file as pictures, VTK and tables.
#ifndef STICTION_CLI_RIGID_H
#define STICTION_CLI_RIGID_H

#include "../cli.h"
#include "render/raster/stage.h"

/// Writes DIR/bodies.pvd and DIR/contacts.pvd with a .vtu of each for every row (-1) or one row, or
/// the bodies of one row (-1: the last) into FILE.vtu. On failure reports and returns CLI_WRONG.
int rigid_vtk(stc_replay *replay, const char *out, long row);

/// The contact points of all rows, or of one (-1: all), as a table.
int rigid_contacts(stc_replay *replay, FILE *out, long row);

enum { RIGID_MOST_MOMENTS = 100 };

/// What pictures show.
typedef struct rigid_look {
  const char *camera;  ///< in words; NULL: the scene's, or one that sees everything
  const char *hide;    ///< names or numbers from 1 of bodies that are left out; or NULL
  const char *title;
  bool forces;
  int width, height;
  long row;     ///< -1: the last
  int moments;  ///< 0: one; else so many of the run, from the first row to the last
  int every;    ///< of a directory of pictures: rows from one to the next
} rigid_look;

int rigid_svg(stc_replay *replay, const rigid_look *look, const char *path);
/// A name that ends in / is a directory for a picture of every row.
int rigid_png(stc_replay *replay, const rigid_look *look, const char *path);

/// Takes the step that begins at the row that is loaded, and adds its forces to the stage. Reports
/// a step that fails.
int rigid_add_forces(stc_replay *replay, stage *s);

#endif
