// Checks a mesh before anything is computed on it: every refusal names the cell or node and what to
// do about it.
#include "../../base/fail.h"
#include "../../base/number.h"
#include "mesh.h"
#include "shape_functions.h"

#include <limits.h>
#include <math.h>
#include <stdlib.h>

/// A cell whose det J is below this part of (its length)^dim is flat: a hundred times what rounding
/// leaves of a cell of no volume, and below the thinnest cells that are of use.
static const double flat = 1e-13;

/// Quadrature points and nodes of a cell.
#define MAX_PROBES (9 + STC_CELL_MAX_NODES)

/// Where the Jacobian of a type of cell is looked at; the last ones are its nodes.
typedef struct probes {
  int count, inner;
  double dN[MAX_PROBES][3 * STC_CELL_MAX_NODES];
} probes;

// --- Arrays ---

static stc_error check_arrays(const stc_mesh *m) {
  if (m->dim != 2 && m->dim != 3)
    return stc_fail(STC_ERR_DIMENSION, "the mesh has dimension %d; it must be 2 or 3", m->dim);
  if (m->nodes < 1 || m->cells < 1)
    return stc_fail(STC_ERR_DIMENSION, "the mesh has %d nodes and %d cells; it must have some",
                    m->nodes, m->cells);
  if (m->nodes > INT_MAX / m->dim)
    return stc_fail(STC_ERR_DIMENSION, "the mesh has %d nodes; at most %d can be numbered",
                    m->nodes, INT_MAX / m->dim);
  if (!m->x || !m->type || !m->ptr || !m->node || (m->groups > 0 && !m->group) || m->groups < 0)
    return stc_fail(STC_ERR_ARGUMENT, "an array of the mesh is NULL");
  return STC_OK;
}

static stc_error check_nodes_of(const stc_mesh *m, int c) {
  const char *name = stc_cell_name(m->type[c]);
  for (int k = m->ptr[c]; k < m->ptr[c + 1]; k++) {
    int a = m->node[k];
    if (a < 0 || a >= m->nodes)
      return stc_fail(STC_ERR_VALUE, "cell %d (%s) names node %d; there are %d nodes", c, name, a,
                      m->nodes);
    for (int l = m->ptr[c]; l < k; l++)
      if (m->node[l] == a)
        return stc_fail(STC_ERR_VALUE,
                        "cell %d (%s) has node %d twice; use a type with fewer nodes for a "
                        "collapsed cell",
                        c, name, a);
  }
  return STC_OK;
}

static stc_error check_cell(const stc_mesh *m, int c) {
  stc_cell_type type = m->type[c];
  if (type >= STC_CELL_TYPES)
    return stc_fail(STC_ERR_VALUE, "cell %d has the unknown type %d", c, (int)type);
  long count = (long)m->ptr[c + 1] - m->ptr[c];
  if (count != stc_cell_nodes(type))
    return stc_fail(STC_ERR_DIMENSION, "cell %d (%s) has %ld nodes instead of %d", c,
                    stc_cell_name(type), count, stc_cell_nodes(type));
  if (stc_cell_dim(type) > m->dim)
    return stc_fail(STC_ERR_DIMENSION,
                    "cell %d is a %s of dimension %d in a mesh of dimension %d; give the mesh a "
                    "third coordinate or leave the cell out",
                    c, stc_cell_name(type), stc_cell_dim(type), m->dim);
  return check_nodes_of(m, c);
}

static stc_error check_cells(const stc_mesh *m) {
  int bodies = 0;
  if (m->ptr[0] != 0)
    return stc_fail(STC_ERR_VALUE, "the first cell pointer is %d instead of 0", m->ptr[0]);
  for (int c = 0; c < m->cells; c++) {
    STC_TRY(check_cell(m, c));
    bodies += stc_cell_dim(m->type[c]) == m->dim;
  }
  if (bodies == 0)
    return stc_fail(STC_ERR_VALUE,
                    "none of the %d cells has dimension %d: there is no body; put the %s into a "
                    "physical group and save them too",
                    m->cells, m->dim, m->dim == 2 ? "surfaces" : "volumes");
  return STC_OK;
}

// --- Shapes ---

static void make_probes(stc_cell_type type, probes *p) {
  double N[STC_CELL_MAX_NODES], xi[3] = {0};
  int dim = stc_cell_dim(type);
  stc_rule rule = stc_cell_of(type)->rule[STC_RULE_MASS];
  p->inner = rule.points;
  p->count = rule.points + stc_cell_nodes(type);
  for (int q = 0; q < rule.points; q++) stc_cell_shape(type, rule.xi + q * dim, N, p->dN[q]);
  for (int a = 0; a < stc_cell_nodes(type); a++) {
    stc_cell_node_place(type, a, xi);
    stc_cell_shape(type, xi, N, p->dN[p->inner + a]);
  }
}

/// Largest distance of a node from the first, to the power dim.
static double box_measure(const stc_mesh *m, int c) {
  const double *first = m->x + (size_t)m->node[m->ptr[c]] * (size_t)m->dim;
  double largest = 0;
  for (int k = m->ptr[c] + 1; k < m->ptr[c + 1]; k++) {
    const double *x = m->x + (size_t)m->node[k] * (size_t)m->dim;
    double square = 0;
    for (int i = 0; i < m->dim; i++) square += (x[i] - first[i]) * (x[i] - first[i]);
    largest = fmax(largest, square);
  }
  return m->dim == 2 ? largest : largest * sqrt(largest);
}

/// det J at probe k.
static double det_at(const stc_mesh *m, int c, const probes *p, int k) {
  double J[9];
  stc_cell_jacobian(m->type[c], m->dim, m->x, m->node + m->ptr[c], p->dN[k], J);
  return stc_cell_det(m->dim, J);
}

/// "(4, 5, 6)"
static const char *list_nodes(const stc_mesh *m, int c, char *text, size_t room) {
  size_t at = 0;
  for (int k = m->ptr[c]; k < m->ptr[c + 1] && at < room; k++)
    at +=
        (size_t)stc_snprintf(text + at, room - at, "%s%d", k == m->ptr[c] ? "(" : ", ", m->node[k]);
  if (at < room) stc_snprintf(text + at, room - at, ")");
  return text;
}

static stc_error refuse_shape(const stc_mesh *m, int c, const probes *p, int probe, int negative) {
  char nodes[8 * 13 + 3], place[32] = "inside";
  const char *name = stc_cell_name(m->type[c]);
  double det = det_at(m, c, p, probe);
  list_nodes(m, c, nodes, sizeof nodes);
  if (negative == p->count)
    return stc_fail(
        STC_ERR_VALUE,
        "cell %d (%s) is inverted (det J = %.3g): list its nodes %s the other way round", c, name,
        det, nodes);
  if (probe >= p->inner)
    stc_snprintf(place, sizeof place, "at node %d", m->node[m->ptr[c] + probe - p->inner]);
  if (det < 0)
    return stc_fail(STC_ERR_VALUE,
                    "cell %d (%s) is folded %s (det J = %.3g): move one of its nodes %s", c, name,
                    place, det, nodes);
  return stc_fail(STC_ERR_VALUE,
                  "cell %d (%s) is degenerate, without area or volume %s (det J = %.3g): move or "
                  "merge its nodes %s",
                  c, name, place, det, nodes);
}

static stc_error check_cell_shape(const stc_mesh *m, int c, const probes *p) {
  int worst = 0, negative = 0;
  double least = flat * box_measure(m, c), lowest = INFINITY;
  for (int k = 0; k < p->count; k++) {
    double det = det_at(m, c, p, k);
    negative += det < -least;
    if (!(det >= lowest)) lowest = det, worst = k;
  }
  return lowest > least ? STC_OK : refuse_shape(m, c, p, worst, negative);
}

// --- Nodes and bodies ---

static stc_error check_bodies(const stc_mesh *m, stc_arena *arena) {
  stc_around around;
  STC_TRY(stc_mesh_around(arena, m, m->dim, &around));
  for (int a = 0; a < m->nodes; a++)
    if (around.ptr[a] == around.ptr[a + 1])
      return stc_fail(STC_ERR_VALUE,
                      "node %d at (%g, %g) belongs to no body: leave it out, or save the cells "
                      "around it",
                      a, m->x[(size_t)a * (size_t)m->dim], m->x[(size_t)a * (size_t)m->dim + 1]);
  for (int c = 0; c < m->cells; c++) {
    if (stc_cell_dim(m->type[c]) != m->dim) continue;
    int owner[2];
    if (stc_mesh_owners(m, &around, c, owner) > 1)
      return stc_fail(STC_ERR_VALUE, "the cells %d and %d (%s) have the same nodes: leave one out",
                      owner[0], owner[1], stc_cell_name(m->type[c]));
  }
  return STC_OK;
}

// --- Groups ---

static stc_error check_group(const stc_mesh *m, int g, int *seen) {
  const stc_group *group = &m->group[g];
  if (!group->name || group->cells < 0 || (group->cells > 0 && !group->cell))
    return stc_fail(STC_ERR_ARGUMENT, "group %d has no name or no list of cells", g);
  for (int k = 0; k < group->cells; k++) {
    int c = group->cell[k];
    if (c < 0 || c >= m->cells)
      return stc_fail(STC_ERR_VALUE, "group '%s' names cell %d; there are %d cells", group->name, c,
                      m->cells);
    if (stc_cell_dim(m->type[c]) != group->dim)
      return stc_fail(STC_ERR_DIMENSION,
                      "group '%s' of dimension %d holds cell %d, a %s of dimension %d; make two "
                      "groups",
                      group->name, group->dim, c, stc_cell_name(m->type[c]),
                      stc_cell_dim(m->type[c]));
    if (seen[c] == g + 1)
      return stc_fail(STC_ERR_VALUE, "group '%s' names cell %d twice", group->name, c);
    seen[c] = g + 1;
  }
  return STC_OK;
}

/// Where surface cells meet: a point of lines (b = -1), an edge of faces.
typedef struct seam {
  int a, b, cell;
} seam;

static int compare_seams(const void *left, const void *right) {
  const seam *p = left, *q = right;
  if (p->a != q->a) return p->a < q->a ? -1 : 1;
  if (p->b != q->b) return p->b < q->b ? -1 : 1;
  return (p->cell > q->cell) - (p->cell < q->cell);
}

static int add_seams(const stc_mesh *m, int c, seam *seams) {
  const int *node = m->node + m->ptr[c];
  int corners = stc_cell_of(m->type[c])->corners;
  for (int k = 0; k < corners; k++) {
    int a = node[k], b = m->dim == 2 ? -1 : node[(k + 1) % corners];
    seams[k] = b < 0 || a < b ? (seam){a, b, c} : (seam){b, a, c};
  }
  return corners;
}

static stc_error check_manifold(const stc_mesh *m, const stc_group *group, seam *seams) {
  int count = 0;
  for (int k = 0; k < group->cells; k++) count += add_seams(m, group->cell[k], seams + count);
  qsort(seams, (size_t)count, sizeof *seams, compare_seams);
  for (int k = 2; k < count; k++) {
    const seam *s = seams + k;
    if (s[-2].a != s->a || s[-2].b != s->b) continue;
    char seam_text[64];
    if (s->b < 0)
      stc_snprintf(seam_text, sizeof seam_text, "node %d", s->a);
    else
      stc_snprintf(seam_text, sizeof seam_text, "the edge (%d, %d)", s->a, s->b);
    return stc_fail(STC_ERR_VALUE,
                    "group '%s' is no surface: the cells %d, %d and %d meet at %s; take one of "
                    "them out of the group",
                    group->name, s[-2].cell, s[-1].cell, s->cell, seam_text);
  }
  return STC_OK;
}

static stc_error check_groups(const stc_mesh *m, stc_arena *arena) {
  int *seen = STC_TAKE(arena, int, m->cells), largest = 0;
  STC_TRY(stc_arena_check(arena));
  for (int g = 0; g < m->groups; g++) {
    STC_TRY(check_group(m, g, seen));
    if (m->group[g].dim == m->dim - 1 && m->group[g].cells > largest) largest = m->group[g].cells;
  }
  seam *seams = STC_TAKE_RAW(arena, seam, 4 * (size_t)largest);
  STC_TRY(stc_arena_check(arena));
  for (int g = 0; g < m->groups; g++)
    if (m->group[g].dim == m->dim - 1) STC_TRY(check_manifold(m, &m->group[g], seams));
  return STC_OK;
}

static stc_error check_all(const stc_mesh *m, stc_arena *arena) {
  STC_TRY(check_arrays(m));
  for (int a = 0; a < m->nodes; a++)
    for (int i = 0; i < m->dim; i++) {
      double x = m->x[(size_t)a * (size_t)m->dim + (size_t)i];
      if (!isfinite(x))
        return stc_fail(STC_ERR_VALUE, "node %d: coordinate %c is %g; it must be finite", a,
                        "xyz"[i], x);
    }
  STC_TRY(check_cells(m));
  STC_TRY(check_groups(m, arena));
  STC_TRY(check_bodies(m, arena));
  probes p[STC_CELL_TYPES];
  for (stc_cell_type type = 0; type < STC_CELL_TYPES; type++)
    if (stc_cell_dim(type) == m->dim) make_probes(type, &p[type]);
  for (int c = 0; c < m->cells; c++)
    if (stc_cell_dim(m->type[c]) == m->dim) STC_TRY(check_cell_shape(m, c, &p[m->type[c]]));
  return STC_OK;
}

stc_error stc_mesh_check(const stc_mesh *mesh) {
  stc_arena arena = {0};
  stc_error error = check_all(mesh, &arena);
  stc_arena_free(&arena);
  return error;
}
