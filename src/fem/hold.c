// Which bodies the supports hold: a body moves rigidly unless the supported components of its nodes
// see every rigid motion.
#include "fem_data.h"

#include "../base/fail.h"

#include <math.h>
#include <string.h>

enum { MOST_MODES = 6 };

// Displacement component c of rigid motion m at x, seen from `centre`.
static double rigid(int dim, bool axisymmetric, int m, int c, const double *x,
                    const double *centre) {
  if (axisymmetric) return c == 1;  // along the axis only
  if (m < dim) return c == m;
  double d[3] = {0};
  for (int i = 0; i < dim; i++) d[i] = x[i] - centre[i];
  if (dim == 2) return c == 0 ? -d[1] : d[0];
  int axis = m - dim, i = (axis + 1) % 3, j = (axis + 2) % 3;  // about an axis
  return c == i ? -d[j] : c == j ? d[i] : 0;
}

int stc_fem_modes(const stc_fem *f) { return f->axisymmetric ? 1 : f->dim == 2 ? 3 : 6; }

// --- Bodies: nodes joined by cells ---

static int root(int *parent, int a) {
  while (parent[a] != a) a = parent[a] = parent[parent[a]];
  return a;
}

static void join_nodes(const stc_mesh *mesh, int *parent) {
  for (int a = 0; a < mesh->nodes; a++) parent[a] = a;
  for (int c = 0; c < mesh->cells; c++) {
    if (stc_cell_dim(mesh->type[c]) != mesh->dim) continue;
    int first = root(parent, mesh->node[mesh->ptr[c]]);
    for (int k = mesh->ptr[c] + 1; k < mesh->ptr[c + 1]; k++) {
      int other = root(parent, mesh->node[k]);
      int low = first < other ? first : other;
      parent[first] = parent[other] = low;
      first = low;
    }
  }
}

// --- What supports see ---

// Gram matrix of the rigid motions over the supported components of each body.
typedef struct grip {
  double G[MOST_MODES][MOST_MODES];
} grip;

// Positive definite: Gauss's elimination keeps every pivot.
static bool full_rank(double G[MOST_MODES][MOST_MODES], int n) {
  double largest = 0;
  for (int i = 0; i < n; i++) largest = fmax(largest, G[i][i]);
  for (int p = 0; p < n; p++) {
    if (!(G[p][p] > 1e-10 * largest)) return false;  // far above rounding, far below any grip
    for (int i = p + 1; i < n; i++) {
      double factor = G[i][p] / G[p][p];
      for (int j = p; j < n; j++) G[i][j] -= factor * G[p][j];
    }
  }
  return n > 0;
}

// Centre and size of the model: rotations are measured in the same units as translations.
static double frame_of(const stc_fem *f, double centre[3]) {
  double low[3] = {0}, high[3] = {0}, size = 0;
  for (int a = 0; a < f->mesh->nodes; a++)
    for (int i = 0; i < f->dim; i++) {
      double x = f->mesh->x[(ptrdiff_t)a * f->dim + i];
      low[i] = a ? fmin(low[i], x) : x;
      high[i] = a ? fmax(high[i], x) : x;
    }
  for (int i = 0; i < f->dim; i++) {
    centre[i] = 0.5 * (low[i] + high[i]);
    size = fmax(size, high[i] - low[i]);
  }
  return size;
}

// Rigid motion m at unknown i, rotations divided by the size of the model.
static double motion(const stc_fem *f, int m, int i, const double *centre, double size) {
  const double *x = f->mesh->x + (ptrdiff_t)(i / f->dim) * f->dim;
  double value = rigid(f->dim, f->axisymmetric, m, i % f->dim, x, centre);
  return m < f->dim ? value : value / size;
}

static void add_grip(const stc_fem *f, int i, const double *centre, double size, grip *g) {
  int modes = stc_fem_modes(f);
  double z[MOST_MODES];
  for (int m = 0; m < modes; m++) z[m] = motion(f, m, i, centre, size);
  for (int m = 0; m < modes; m++)
    for (int n = 0; n < modes; n++) g->G[m][n] += z[m] * z[n];
}

stc_error stc_fem_hold(stc_fem *f) {
  int modes = stc_fem_modes(f);
  double centre[3] = {0}, size = frame_of(f, centre);
  int *body = stc_calloc((size_t)f->mesh->nodes, sizeof *body);
  grip *g = stc_calloc((size_t)f->mesh->nodes, sizeof *g);
  bool *held = stc_calloc((size_t)f->mesh->nodes, sizeof *held);
  f->mode = STC_TAKE(&f->arena, double, (size_t)modes *(size_t)f->free);
  f->floating = STC_TAKE(&f->arena, bool, f->free);
  bool room = body && g && held && !f->arena.failed;
  if (room) {
    join_nodes(f->mesh, body);
    for (int i = 0; i < f->size; i++)
      if (f->fixed[i]) add_grip(f, i, centre, size, &g[root(body, i / f->dim)]);
    for (int a = 0; a < f->mesh->nodes; a++)
      if (root(body, a) == a) held[a] = full_rank(g[a].G, modes);
    for (int i = 0; i < f->free; i++) {
      f->floating[i] = !held[root(body, f->node[i])];
      f->floats = f->floats || f->floating[i];
      for (int m = 0; m < modes; m++)
        f->mode[(ptrdiff_t)m * f->free + i] = motion(f, m, f->unknown[i], centre, size);
    }
  }
  stc_release(&body);
  stc_release(&g);
  stc_release(&held);
  return room ? STC_OK : stc_fail(STC_ERR_MEMORY, "out of memory for the supports of the bodies");
}
