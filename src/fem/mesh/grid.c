// Mapped grids: a lattice of points map(s, t[, w]) cut into cells, with its sides as groups.
//   triangles: the diagonals alternate; tetrahedra: six per brick along its long diagonal [Kuhn]
#include "../../base/fail.h"
#include "../../base/number.h"
#include "mesh.h"

#include <limits.h>
#include <string.h>

#define MAX_GROUPS 7              // a body and six sides
#define MAX_COUNT  (INT_MAX / 4)  // so that middles and corners can be counted

/// The lattice and the mesh while it is filled.
typedef struct lattice {
  const stc_grid *grid;
  int dim;
  int step;       ///< points from one corner to the next: 2 with nodes in the middles
  int points[3];  ///< along each direction, middles included
  int *number;    ///< [points] of the node; -1: none there
  stc_owned_mesh *owned;
  double *x;
  unsigned char *type;
  int *ptr, *node, *cell;
  stc_group *group;
  int nodes, cells, groups;
} lattice;

static const char axis_name[] = "stw";

// --- Checking ---

static stc_error check_list(const stc_grid *grid, int k) {
  if (grid->count[k] < 2)
    return stc_fail(STC_ERR_ARGUMENT, "grid '%s': %d numbers along %c; give at least 2", grid->body,
                    grid->count[k], axis_name[k]);
  if (grid->count[k] > MAX_COUNT)
    return stc_fail(STC_ERR_DIMENSION, "grid '%s': %d numbers along %c are too many", grid->body,
                    grid->count[k], axis_name[k]);
  const double *list = grid->list[k];
  for (int i = 0; list && i < grid->count[k]; i++) {
    if (!(list[i] >= 0 && list[i] <= 1))
      return stc_fail(STC_ERR_VALUE, "grid '%s': number %d along %c is %g; it must lie in [0, 1]",
                      grid->body, i, axis_name[k], list[i]);
    if (i > 0 && !(list[i] > list[i - 1]))
      return stc_fail(STC_ERR_VALUE,
                      "grid '%s': number %d along %c is %g, after %g; the list must rise",
                      grid->body, i, axis_name[k], list[i], list[i - 1]);
  }
  return STC_OK;
}

// --- Points ---

static double coordinate(const lattice *l, int k, int i) {
  const double *list = l->grid->list[k];
  if (!list) return (double)i / (double)(l->points[k] - 1);
  if (l->step == 1) return list[i];
  return (list[i / 2] + list[(i + 1) / 2]) / 2;
}

static int point(const lattice *l, const int *i) {
  int at = l->dim == 3 ? i[2] : 0;
  at = at * l->points[1] + i[1];
  return at * l->points[0] + i[0];
}

static stc_error place_nodes(lattice *l) {
  int i[3] = {0};
  for (i[2] = 0; i[2] < l->points[2]; i[2]++)
    for (i[1] = 0; i[1] < l->points[1]; i[1]++)
      for (i[0] = 0; i[0] < l->points[0]; i[0]++) {
        // The middle of a square is a node of triangles only.
        if (l->grid->type != STC_CELL_Q8 || i[0] % 2 == 0 || i[1] % 2 == 0) {
          double s[3] = {0}, *x = l->x + (size_t)l->nodes * (size_t)l->dim;
          for (int k = 0; k < l->dim; k++) s[k] = coordinate(l, k, i[k]);
          if (!l->grid->map)
            memcpy(x, s, (size_t)l->dim * sizeof *x);
          else if (!l->grid->map(l->grid->user, s, x))
            return stc_fail(STC_ERR_CALLBACK, "grid '%s': the map stopped at (%g, %g, %g)",
                            l->grid->body, s[0], s[1], s[2]);
          l->number[point(l, i)] = l->nodes++;
        }
      }
  return STC_OK;
}

// --- Cells ---

static void add_cell(lattice *l, stc_cell_type type, const int *node) {
  int count = stc_cell_nodes(type), at = l->ptr[l->cells];
  memcpy(l->node + at, node, (size_t)count * sizeof *node);
  l->type[l->cells] = (unsigned char)type;
  l->cell[l->cells] = l->cells;
  l->ptr[++l->cells] = at + count;
}

/// Opens a group "body" or "body.side"; its cells follow.
static void open_group(lattice *l, const char *side, int dim) {
  size_t length = strlen(l->grid->body) + 4;
  char *name = STC_TAKE(&l->owned->arena, char, length);
  if (!name) return;  // the arena remembers
  stc_snprintf(name, length, "%s%s%s", l->grid->body, side[0] ? "." : "", side);
  l->group[l->groups++] = (stc_group){name, dim, -l->cells, l->cell + l->cells};
}

static void close_group(lattice *l) { l->group[l->groups - 1].cells += l->cells; }

/// The node at the corner i of a brick moved by `half` half steps along each direction.
static int node_at(const lattice *l, const int *i, int a, int b, int c) {
  int at[3] = {i[0] * l->step + a * l->step / 2, i[1] * l->step + b * l->step / 2,
               i[2] * l->step + c * l->step / 2};
  return l->number[point(l, at)];
}

/// Nodes of a square counted in half steps: corners, then middles, counter-clockwise.
static const int square[8][2] = {{0, 0}, {2, 0}, {2, 2}, {0, 2}, {1, 0}, {2, 1}, {1, 2}, {0, 1}};

/// Two triangles of a square by their nodes in `square`; 8 is its middle.
static const int cut[2][2][6] = {{{0, 1, 2, 4, 5, 8}, {0, 2, 3, 8, 6, 7}},
                                 {{0, 1, 3, 4, 8, 7}, {1, 2, 3, 5, 6, 8}}};

static void add_square_cells(lattice *l, const int *i) {
  stc_cell_type type = l->grid->type;
  int count = stc_cell_nodes(type), all[9], part[8];
  for (int a = 0; a < (l->step == 2 ? 8 : 4); a++)
    all[a] = node_at(l, i, square[a][0], square[a][1], 0);
  if (type == STC_CELL_Q4 || type == STC_CELL_Q8) {
    add_cell(l, type, all);
    return;
  }
  if (l->step == 2) all[8] = node_at(l, i, 1, 1, 0);
  for (int k = 0; k < 2; k++) {
    for (int a = 0; a < count; a++) part[a] = all[cut[(i[0] + i[1]) % 2][k][a]];
    add_cell(l, type, part);
  }
}

/// The six ways from corner 000 to corner 111 along the axes, the even ones first.
static const int paths[6][3] = {{0, 1, 2}, {1, 2, 0}, {2, 0, 1}, {1, 0, 2}, {0, 2, 1}, {2, 1, 0}};

static void add_brick(lattice *l, const int *i) {
  if (l->grid->type == STC_CELL_H8) {
    int all[8];
    for (int a = 0; a < 8; a++)
      all[a] = node_at(l, i, square[a % 4][0], square[a % 4][1], a / 4 * 2);
    add_cell(l, STC_CELL_H8, all);
    return;
  }
  for (int p = 0; p < 6; p++) {
    int node[4], at[3] = {0};
    node[0] = node_at(l, i, 0, 0, 0);
    for (int k = 0; k < 3; k++) {
      at[paths[p][k]] = 2;
      node[k + 1] = node_at(l, i, at[0], at[1], at[2]);
    }
    if (p >= 3) {  // an odd path turns the tetrahedron inside out
      int swap = node[1];
      node[1] = node[2], node[2] = swap;
    }
    add_cell(l, STC_CELL_T4, node);
  }
}

// --- Sides, the body on the left of a line and below a face ---

static void add_edge(lattice *l, const int *i, int axis, int end) {
  int from[2] = {i[0], i[1]}, to[2] = {i[0], i[1]}, other = 1 - axis;
  bool forward = (axis == 0) == (end == 1);  // counter-clockwise around the grid
  (forward ? to : from)[other]++;
  int at[3] = {(from[0] + to[0]) * l->step / 2, (from[1] + to[1]) * l->step / 2, 0};
  int node[3] = {node_at(l, (int[3]){from[0], from[1], 0}, 0, 0, 0),
                 node_at(l, (int[3]){to[0], to[1], 0}, 0, 0, 0), 0};
  if (l->step == 2) node[2] = l->number[point(l, at)];
  add_cell(l, l->step == 2 ? STC_CELL_L3 : STC_CELL_L2, node);
}

static void add_face(lattice *l, const int *i, int axis, int end) {
  int a = (axis + 1) % 3, b = (axis + 2) % 3, node[4];
  for (int k = 0; k < 4; k++) {  // from the low corner to the high one and back
    const int *corner = square[end ? k : (4 - k) % 4];
    int at[3] = {i[0], i[1], i[2]};
    at[a] += corner[0] / 2, at[b] += corner[1] / 2;
    node[k] = node_at(l, at, 0, 0, 0);
  }
  if (l->grid->type == STC_CELL_H8) {
    add_cell(l, STC_CELL_Q4, node);
    return;
  }
  add_cell(l, STC_CELL_T3, node);
  add_cell(l, STC_CELL_T3, (int[3]){node[0], node[2], node[3]});
}

static void add_side(lattice *l, int axis, int end) {
  open_group(l, (char[3]){axis_name[axis], (char)('0' + end), 0}, l->dim - 1);
  int a = l->dim == 2 ? 1 - axis : (axis + 1) % 3, b = (axis + 2) % 3, i[3] = {0};
  i[axis] = end ? l->grid->count[axis] - 1 : 0;
  int rows = l->dim == 3 ? l->grid->count[b] - 1 : 1;
  for (int q = 0; q < rows; q++)
    for (int p = 0; p < l->grid->count[a] - 1; p++) {
      i[a] = p;
      if (l->dim == 3) i[b] = q;
      if (l->dim == 2)
        add_edge(l, i, axis, end);
      else
        add_face(l, i, axis, end);
    }
  close_group(l);
}

// --- All of it ---

/// Cells and their nodes, sides included.
static void count_cells(const lattice *l, double *cells, double *entries) {
  const int *n = l->grid->count;
  stc_cell_type type = l->grid->type;
  double m[3] = {n[0] - 1, n[1] - 1, l->dim == 3 ? n[2] - 1 : 0};
  double bricks = m[0] * m[1] * (l->dim == 3 ? m[2] : 1);
  double parts = type == STC_CELL_T4 ? 6 : type == STC_CELL_T3 || type == STC_CELL_T6 ? 2 : 1;
  double sides = 2 * (l->dim == 3 ? m[0] * m[1] + m[1] * m[2] + m[2] * m[0] : m[0] + m[1]);
  if (type == STC_CELL_T4) sides *= 2;
  *cells = parts * bricks + sides;
  *entries = parts * bricks * stc_cell_nodes(type) + 4 * sides;
}

static stc_error take_arrays(lattice *l, stc_arena *work) {
  double cells, entries, points = 1;
  count_cells(l, &cells, &entries);
  for (int k = 0; k < 3; k++) points *= l->points[k];
  if (entries > INT_MAX || 3 * points > INT_MAX)
    return stc_fail(STC_ERR_DIMENSION, "grid '%s': %.0f points and %.0f cells are too many",
                    l->grid->body, points, cells);
  stc_arena *arena = &l->owned->arena;
  l->x = STC_TAKE_RAW(arena, double, points * l->dim);
  l->type = STC_TAKE_RAW(arena, unsigned char, cells);
  l->ptr = STC_TAKE(arena, int, cells + 1);
  l->node = STC_TAKE_RAW(arena, int, entries);
  l->cell = STC_TAKE_RAW(arena, int, cells);
  l->group = STC_TAKE(arena, stc_group, MAX_GROUPS);
  STC_TRY(stc_arena_check(arena));
  l->number = STC_TAKE_RAW(work, int, points);
  return stc_arena_check(work);
}

static stc_error fill_grid(lattice *l, stc_arena *work) {
  STC_TRY(take_arrays(l, work));
  STC_TRY(place_nodes(l));
  open_group(l, "", l->dim);
  int i[3] = {0}, bricks = l->dim == 3 ? l->grid->count[2] - 1 : 1;
  for (i[2] = 0; i[2] < bricks; i[2]++)
    for (i[1] = 0; i[1] < l->grid->count[1] - 1; i[1]++)
      for (i[0] = 0; i[0] < l->grid->count[0] - 1; i[0]++)
        if (l->dim == 2)
          add_square_cells(l, i);
        else
          add_brick(l, i);
  close_group(l);
  for (int axis = 0; axis < l->dim; axis++)
    for (int end = 0; end < 2; end++) add_side(l, axis, end);
  STC_TRY(stc_arena_check(&l->owned->arena));
  l->owned->mesh =
      (stc_mesh){l->dim, l->nodes, l->x, l->cells, l->type, l->ptr, l->node, l->groups, l->group};
  stc_error error = stc_mesh_check(&l->owned->mesh);
  if (error == STC_OK) return STC_OK;
  char where[128];
  stc_snprintf(where, sizeof where, "grid '%s'", l->grid->body);
  return stc_fail_in(error, where);
}

stc_error stc_mesh_grid(const stc_grid *grid, stc_mesh **mesh) {
  *mesh = NULL;
  if (!grid->body || !grid->body[0])
    return stc_fail(STC_ERR_ARGUMENT, "the grid has no name; set its field body");
  if (!stc_cell_in_grid(grid->type))
    return stc_fail(STC_ERR_ARGUMENT, "grid '%s': made of %s; give T3, T6, Q4, Q8, T4 or H8",
                    grid->body, stc_cell_name(grid->type));
  for (int k = 0; k < stc_cell_dim(grid->type); k++) STC_TRY(check_list(grid, k));
  lattice l = {.grid = grid, .dim = stc_cell_dim(grid->type), .points = {1, 1, 1}};
  l.step = grid->type == STC_CELL_T6 || grid->type == STC_CELL_Q8 ? 2 : 1;
  for (int k = 0; k < l.dim; k++) l.points[k] = l.step * (grid->count[k] - 1) + 1;
  l.owned = stc_owned_mesh_create();
  if (!l.owned) return STC_ERR_MEMORY;
  stc_arena work = {0};
  stc_error error = fill_grid(&l, &work);
  stc_arena_free(&work);
  *mesh = &l.owned->mesh;
  if (error == STC_OK) return STC_OK;
  stc_mesh_free(mesh);
  return error;
}
