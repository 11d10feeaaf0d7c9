// Runs as VTK's XML files: what a row holds is a table of arrays.
#ifndef STC_RENDER_VTK_FILE_H
#define STC_RENDER_VTK_FILE_H

#include <stdbool.h>
#include <stddef.h>
#include <stiction/scene.h>

// Runs of bodies for VTK: see vtk_save for `out` and `row`.

bool vtk_save_fem(stc_snapshot *snapshot, const char *out, long row);
bool vtk_save_bodies(stc_replay *replay, const char *out, long row);

typedef enum vtk_type { VTK_FLOAT32, VTK_FLOAT64, VTK_INT32, VTK_UINT8 } vtk_type;
typedef enum vtk_count { VTK_POINTS, VTK_CELLS, VTK_CORNERS } vtk_count;

/// An array of a grid, one entry for each point, cell, or corner of a cell.
typedef struct vtk_array {
  const char *section;  ///< "PointData Scalars=\"gap\"", "Points", "Cells", ...
  const char *name;
  vtk_type type;
  int components;
  vtk_count count;
  size_t offset;  ///< of its numbers in what `fill` gives
} vtk_array;

enum { VTK_MOST_NUMBERS = 32 };

/// A grid: arrays section by section, how many points, cells and corners there are, and the numbers
/// of each: a struct of doubles, zeros at first.
typedef struct vtk_grid {
  const vtk_array *array;  ///< [arrays]
  int arrays;
  void (*count)(const void *user, long count[3]);
  void (*fill[3])(const void *user, long k, void *numbers);
} vtk_grid;

/// The numbers that make vertices of points.
typedef struct vtk_vertex {
  double number, next, type;
} vtk_vertex;
vtk_vertex vtk_vertex_at(long k);
#define VTK_VERTICES(numbers, vertex)                                                              \
  {"Cells", "connectivity", VTK_INT32, 1, VTK_POINTS, offsetof(numbers, vertex.number)},           \
      {"Cells", "offsets", VTK_INT32, 1, VTK_POINTS, offsetof(numbers, vertex.next)}, {            \
    "Cells", "types", VTK_UINT8, 1, VTK_POINTS, offsetof(numbers, vertex.type)                     \
  }

/// The lists of cells: their corners, of type `corners` with the member `vertex`, and where they
/// end and what they are, of type `cells` with `end` and `type`.
#define VTK_CELL_LISTS(corners, vertex, cells)                                                     \
  {"Cells", "connectivity", VTK_INT32, 1, VTK_CORNERS, offsetof(corners, vertex)},                 \
      {"Cells", "offsets", VTK_INT32, 1, VTK_CELLS, offsetof(cells, end)}, {                       \
    "Cells", "types", VTK_UINT8, 1, VTK_CELLS, offsetof(cells, type)                               \
  }

/// A run, row by row. Where load or load_contacts fail, see render_reason.
typedef struct vtk_run {
  void *user;
  long rows;
  bool (*load)(void *user, long row, double *time);
  bool (*load_contacts)(void *user);  ///< NULL: they come with the bodies
  const vtk_grid *bodies, *contacts;  ///< contacts: NULL if there are none
} vtk_run;

/// Writes DIR/bodies.pvd and DIR/contacts.pvd with a .vtu of each for any row (-1) or one row,
/// or the bodies of one row (-1: the last) into FILE.vtu. False: see render_reason.
bool vtk_save(const vtk_run *run, const char *out, long row);

#endif
