// Deformable bodies of a run file as VTK, CSV and SVG.
#ifndef STICTION_CLI_EXPORT_H
#define STICTION_CLI_EXPORT_H

#include "../cli.h"

/// Writes DIR/bodies.pvd with a .vtu for each row, and contacts.pvd for the contact points, or a
/// single row (-1: all; the last one for a file) into FILE.vtu. On failure reports and returns
/// CLI_WRONG.
int export_vtk(stc_snapshot *snapshot, const char *out, long row);

/// The contact points of all rows, or of one (-1: all), as a table.
int export_contacts(stc_snapshot *snapshot, FILE *out, long row);

/// The plots that the scene asks for, as they stand in the row that is loaded.
int export_plots(const stc_snapshot *snapshot, const char *scene, const char *path);

/// The pictures that the scene asks for; there is at least one.
int export_pictures(const stc_album *album, const char *scene, const char *path);

#endif
