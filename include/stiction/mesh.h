// Meshes as plain arrays: read from Gmsh files and written, mapped grids, several side by side.
#ifndef STICTION_MESH_H
#define STICTION_MESH_H

#include <stiction/base.h>

#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

/// Cells, their nodes in Gmsh's order.
typedef enum stc_cell_type {
  STC_CELL_P1,  ///< a point
  STC_CELL_L2,  ///< line, 2 nodes
  STC_CELL_L3,  ///< line, 3 nodes
  STC_CELL_T3,  ///< triangle
  STC_CELL_T6,
  STC_CELL_Q4,  ///< quadrilateral
  STC_CELL_Q8,  ///< serendipity
  STC_CELL_T4,  ///< tetrahedron
  STC_CELL_H8,  ///< hexahedron
  STC_CELL_TYPES
} stc_cell_type;

STC_API const char *stc_cell_name(stc_cell_type type);  ///< "T3", ...
STC_API const char *stc_cell_summary(stc_cell_type type);
STC_API int stc_cell_dim(stc_cell_type type);
STC_API int stc_cell_nodes(stc_cell_type type);
STC_API int stc_cell_vtk(stc_cell_type type);  ///< VTK's number; it orders the nodes alike

/// Cells with a name: a body or a part of a surface.
typedef struct stc_group {
  const char *name;
  int dim;          ///< of its cells
  int cells;        ///< how many
  const int *cell;  ///< [cells] their numbers
} stc_group;

/// A mesh as plain arrays. One that the library made is freed with stc_mesh_free; one of the
/// caller's is only read.
typedef struct stc_mesh {
  int dim;  ///< of space: 2 or 3
  int nodes;
  const double *x;            ///< [nodes*dim]
  int cells;                  ///< bodies and surfaces alike
  const unsigned char *type;  ///< [cells] stc_cell_type
  const int *ptr;             ///< [cells+1] into node
  const int *node;            ///< [ptr[cells]]
  int groups;
  const stc_group *group;  ///< [groups]
} stc_mesh;

/// Reads a Gmsh file, version 2.2 or 4.1, ASCII or binary. Physical groups give the names; one
/// without a name is called by its number, and without any the cells of the highest dimension are
/// "body". A mesh whose z are all 0 is plane. A failure names the
/// file and the line or the entity.
STC_API stc_error stc_mesh_read(const char *path, stc_mesh **mesh);
STC_API stc_error stc_mesh_read_bytes(const char *path, const void *bytes, size_t length,
                                      stc_mesh **mesh);

/// Writes Gmsh 4.1 ASCII, whole or not at all.
STC_API stc_error stc_mesh_write(const char *path, const stc_mesh *mesh);

/// Cells the mapped grid is made of, with nodes at map(s, t[, w]) for s, t, w in the given rising
/// lists of numbers in [0, 1]. Quadratic cells put their mid nodes at map of the middle.
typedef struct stc_grid {
  stc_cell_type type;     ///< T3, T6, Q4, Q8; T4, H8
  int count[3];           ///< numbers in each list, at least 2; the third only in 3D
  const double *list[3];  ///< NULL: equally spaced
  const char *body;       ///< name of the body; its sides are "body.s0", "body.s1", "body.t0", ...
  /// x [2 or 3] of the point with coordinates s [2 or 3]; false stops. NULL: x = s.
  bool (*map)(void *user, const double *s, double *x);
  void *user;
} stc_grid;

/// Whether stc_mesh_grid makes cells of that type.
STC_API bool stc_cell_in_grid(stc_cell_type type);

STC_API stc_error stc_mesh_grid(const stc_grid *grid, stc_mesh **mesh);

/// One mesh of several, side by side: nodes are not merged; groups with one name become one.
STC_API stc_error stc_mesh_join(int count, const stc_mesh *const *mesh, stc_mesh **joined);

/// The number of a group; -1 if there is none of that name.
STC_API int stc_mesh_find(const stc_mesh *mesh, const char *name);

/// Refuses, naming the first one: indices out of range, coordinates that are not finite, inverted
/// or degenerate cells, nodes that belong to no body, surfaces with an edge of three cells.
STC_API stc_error stc_mesh_check(const stc_mesh *mesh);
STC_API void stc_mesh_free(stc_mesh **mesh);

#ifdef __cplusplus
}
#endif
#endif
