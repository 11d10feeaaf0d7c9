// Which bodies the supports hold. A body, its nodes joined by cells, has 3 rigid motions in the
// plane, 6 in space, 1 about an axis. With z_i the rigid motions at the supported component i,
//   G = sum_i z_i z_i^T:   the motions that the supports leave are the null space of G.
// A body that no contact can reach either is refused with these motions named.
#include "fem_data.h"

#include "../base/fail.h"
#include "../base/number.h"
#include "mesh/mesh.h"

#include <math.h>
#include <string.h>

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

/// A box around nodes: rotations are about its centre and in units of its size.
typedef struct frame {
  double low[3], high[3];
  bool begun;
} frame;

static void add_place(frame *b, const double *x, int dim) {
  for (int i = 0; i < dim; i++) {
    b->low[i] = b->begun ? fmin(b->low[i], x[i]) : x[i];
    b->high[i] = b->begun ? fmax(b->high[i], x[i]) : x[i];
  }
  b->begun = true;
}

static double frame_size(const frame *b, int dim, double centre[3]) {
  double size = 0;
  for (int i = 0; i < dim; i++) {
    centre[i] = b->low[i] / 2 + b->high[i] / 2;
    size = fmax(size, b->high[i] - b->low[i]);
  }
  return size;
}

// Rigid motion m at unknown i.
static double motion(const stc_fem *f, int m, int i, const double *centre, double size) {
  const double *x = f->mesh->x + (ptrdiff_t)(i / f->dim) * f->dim;
  double value = rigid(f->dim, f->axisymmetric, m, i % f->dim, x, centre);
  return m < f->dim ? value : value / size;
}

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

// --- What supports leave ---

/// What is known of a body while the model is made.
typedef struct grip {
  double G[STC_RIGID_MODES][STC_RIGID_MODES];
  frame box;
  int body;      ///< of the description
  bool touches;  ///< some contact has a node of it
  int left;      ///< motions that the supports leave
  double motion[STC_RIGID_MODES][STC_RIGID_MODES];
} grip;

static void add_grip(const stc_fem *f, int i, grip *g) {
  int modes = stc_fem_modes(f);
  double z[STC_RIGID_MODES], centre[3], size = frame_size(&g->box, f->dim, centre);
  for (int m = 0; m < modes; m++) z[m] = motion(f, m, i, centre, size);
  for (int m = 0; m < modes; m++)
    for (int n = 0; n < modes; n++) g->G[m][n] += z[m] * z[n];
}

// Divides row p by its pivot and clears column p in all other rows.
static void clear_column(double A[STC_RIGID_MODES][STC_RIGID_MODES], int rows, int n, int p,
                         int column) {
  double pivot = A[p][column];
  for (int j = 0; j < n; j++) A[p][j] /= pivot;
  for (int i = 0; i < rows; i++) {
    double factor = A[i][column];
    for (int j = 0; j < n && i != p; j++) A[i][j] -= factor * A[p][j];
  }
}

// The null space of G by elimination with the largest pivot first; G is overwritten.
static int null_space(double G[STC_RIGID_MODES][STC_RIGID_MODES], int n,
                      double null[STC_RIGID_MODES][STC_RIGID_MODES]) {
  const double rounding = 1e-12;  // far above rounding, far below any grip
  bool pivot[STC_RIGID_MODES] = {false};
  double largest = 0;
  int count = 0;
  for (int i = 0; i < n; i++) largest = fmax(largest, G[i][i]);
  for (int step = 0; step < n; step++) {
    int p = -1;
    for (int i = 0; i < n; i++)
      if (!pivot[i] && G[i][i] > rounding * largest && (p < 0 || G[i][i] > G[p][p])) p = i;
    if (p < 0) break;
    pivot[p] = true;
    clear_column(G, n, n, p, p);
  }
  for (int j = 0; j < n; j++) {
    if (pivot[j]) continue;
    for (int i = 0; i < n; i++) null[count][i] = pivot[i] ? -G[i][j] : i == j;
    count++;
  }
  return count;
}

// Rows with a rotation first, then as many translations as there are.
static void sort_motions(double A[STC_RIGID_MODES][STC_RIGID_MODES], int rows, int n, int dim) {
  const double rounding = 1e-9;
  for (int k = 0, p = 0; k < n && p < rows; k++) {
    int column = (dim + k) % n, best = p;
    for (int i = p; i < rows; i++)
      if (fabs(A[i][column]) > fabs(A[best][column])) best = i;
    if (fabs(A[best][column]) <= rounding) continue;
    for (int j = 0; j < n; j++) {
      double swap = A[p][j];
      A[p][j] = A[best][j];
      A[best][j] = swap;
    }
    clear_column(A, rows, n, p++, column);
  }
  for (int i = 0; i < rows; i++)
    for (int j = 0; j < n; j++)
      if (fabs(A[i][j]) <= rounding) A[i][j] = 0;
}

// --- Sentences ---

static void say_vector(char *text, size_t room, const double *x, int dim) {
  if (dim == 2)
    stc_snprintf(text, room, "(%.4g, %.4g)", x[0], x[1]);
  else
    stc_snprintf(text, room, "(%.4g, %.4g, %.4g)", x[0], x[1], x[2]);
}

void stc_fem_say_place(const stc_fem *f, int node, char *text, size_t room) {
  say_vector(text, room, f->mesh->x + (ptrdiff_t)node * f->dim, f->dim);
}

// "x" where only one component counts, else the unit vector.
static void say_direction(char *text, size_t room, const double *x, int dim) {
  double length = 0, unit[3] = {0};
  int count = 0, last = 0;
  for (int i = 0; i < dim; i++) {
    length = hypot(length, x[i]);
    count += x[i] != 0;
    if (x[i] != 0) last = i;
  }
  for (int i = 0; i < dim; i++) unit[i] = x[i] / length;
  if (count == 1)
    stc_snprintf(text, room, "%c", "xyz"[last]);
  else
    say_vector(text, room, unit, dim);
}

// The point of the axis of a rotation w with the translation t at the centre.
static void find_axis(const double *centre, const double *t, const double *w, double *x) {
  double square = w[0] * w[0] + w[1] * w[1] + w[2] * w[2];
  for (int i = 0; i < 3; i++) {
    int j = (i + 1) % 3, k = (i + 2) % 3;
    x[i] = centre[i] + (w[j] * t[k] - w[k] * t[j]) / square;
  }
}

static void say_rotation(char *text, size_t room, const stc_loose *b, const double *z, int dim) {
  double t[3] = {0}, w[3] = {0}, x[3] = {0}, along = 0;
  char axis[80] = "", place[80];
  for (int i = 0; i < dim; i++) t[i] = z[i];
  if (dim == 2)
    w[2] = z[2] / b->size;
  else
    for (int i = 0; i < 3; i++) w[i] = z[3 + i] / b->size;
  find_axis(b->centre, t, w, x);
  for (int i = 0; i < 3; i++) along = fmax(along, fabs(t[i] * w[i]) * b->size);
  if (dim == 3) say_direction(axis, sizeof axis, w, 3);
  say_vector(place, sizeof place, x, dim);
  stc_snprintf(text, room, "%s about %s%s%s", along > 1e-9 ? "move on a screw" : "rotate", axis,
               dim == 3 ? " through " : "", place);
}

void stc_fem_say_motion(const stc_fem *f, const stc_loose *b, int k, char *text, size_t room) {
  const double *z = b->motion[k];
  char direction[80];
  bool rotates = false;
  if (f->axisymmetric) {
    stc_snprintf(text, room, "move along z, its axis");
    return;
  }
  for (int m = f->dim; m < stc_fem_modes(f); m++) rotates = rotates || z[m] != 0;
  if (rotates) {
    say_rotation(text, room, b, z, f->dim);
    return;
  }
  say_direction(direction, sizeof direction, z, f->dim);
  stc_snprintf(text, room, "move along %s", direction);
}

// "move along x and rotate about (0, 0)"
static void say_motions(const stc_fem *f, const stc_loose *b, char *text, size_t room) {
  text[0] = 0;
  for (int k = b->motions - 1; k >= 0; k--) {
    char one[250];
    size_t used = strlen(text);
    stc_fem_say_motion(f, b, k, one, sizeof one);
    const char *link = k == b->motions - 1 ? "" : k ? ", " : " and ";
    stc_snprintf(text + used, room - used, "%s%s", link, one);
  }
}

// --- All of it ---

static void mark_group(const stc_mesh *mesh, const char *name, int *parent, grip *g) {
  int k = name ? stc_mesh_find(mesh, name) : -1;
  if (k < 0) return;
  for (int c = 0; c < mesh->group[k].cells; c++)
    for (int a = mesh->ptr[mesh->group[k].cell[c]]; a < mesh->ptr[mesh->group[k].cell[c] + 1]; a++)
      g[root(parent, mesh->node[a])].touches = true;
}

// Boxes, names, contacts and supports of all bodies, at their roots.
static void look_at_bodies(const stc_fem *f, const stc_fem_description *d, int *parent, grip *g) {
  const stc_mesh *mesh = f->mesh;
  join_nodes(mesh, parent);
  for (int a = 0; a < mesh->nodes; a++)
    add_place(&g[root(parent, a)].box, mesh->x + (ptrdiff_t)a * f->dim, f->dim);
  for (int c = mesh->cells - 1; c >= 0; c--)
    if (stc_cell_dim(mesh->type[c]) == mesh->dim)
      g[root(parent, mesh->node[mesh->ptr[c]])].body = stc_solid_body(f->solid, c);
  for (int p = 0; p < d->pairs; p++) {
    mark_group(mesh, d->pair[p].slave, parent, g);
    mark_group(mesh, d->pair[p].master, parent, g);
  }
  for (int i = 0; i < f->size; i++)
    if (f->fixed[i]) add_grip(f, i, &g[root(parent, i / f->dim)]);
  for (int a = 0; a < mesh->nodes; a++)
    if (root(parent, a) == a) {
      g[a].left = null_space(g[a].G, stc_fem_modes(f), g[a].motion);
      sort_motions(g[a].motion, g[a].left, stc_fem_modes(f), f->dim);
    }
}

static stc_error list_loose(stc_fem *f, const stc_fem_description *d, int *parent, const grip *g) {
  for (int a = 0; a < f->mesh->nodes; a++) f->loose += root(parent, a) == a && g[a].left > 0;
  f->body = STC_TAKE(&f->arena, stc_loose, f->loose);
  int *number = STC_TAKE(&f->arena, int, f->mesh->nodes), at = 0;
  f->loose_of = STC_TAKE(&f->arena, int, f->free);
  STC_TRY(stc_arena_check(&f->arena));
  for (int a = 0; a < f->mesh->nodes; a++) {
    number[a] = -1;
    if (root(parent, a) != a || g[a].left == 0) continue;
    stc_loose *b = &f->body[number[a] = at++];
    *b = (stc_loose){.motions = g[a].left, .touches = g[a].touches};
    b->name = stc_arena_text(&f->arena, d->body[g[a].body].group);
    b->size = frame_size(&g[a].box, f->dim, b->centre);
    memcpy(b->motion, g[a].motion, sizeof b->motion);
  }
  for (int i = 0; i < f->free; i++) f->loose_of[i] = number[root(parent, f->node[i])];
  return stc_arena_check(&f->arena);
}

static stc_error refuse_loose(const stc_fem *f) {
  for (int k = 0; k < f->loose; k++) {
    const stc_loose *b = &f->body[k];
    char motions[700], place[80] = "";
    if (b->touches) continue;
    say_motions(f, b, motions, sizeof motions);
    say_vector(place, sizeof place, b->centre, f->dim);
    return stc_fail(STC_ERR_VALUE,
                    "body '%s' around %s is not held: it can %s; support it there, or let a "
                    "contact hold it",
                    b->name, place, motions);
  }
  return STC_OK;
}

// Near-null vectors of the whole model, in one frame.
static stc_error fill_modes(stc_fem *f) {
  int modes = stc_fem_modes(f);
  frame whole = {.begun = false};
  double centre[3];
  f->mode = STC_TAKE(&f->arena, double, (size_t)modes *(size_t)f->free);
  STC_TRY(stc_arena_check(&f->arena));
  for (int a = 0; a < f->mesh->nodes; a++)
    add_place(&whole, f->mesh->x + (ptrdiff_t)a * f->dim, f->dim);
  double size = frame_size(&whole, f->dim, centre);
  for (int i = 0; i < f->free; i++)
    for (int m = 0; m < modes; m++)
      f->mode[(ptrdiff_t)m * f->free + i] = motion(f, m, f->unknown[i], centre, size);
  return STC_OK;
}

stc_error stc_fem_hold(stc_fem *f, const stc_fem_description *d) {
  int *parent = stc_calloc((size_t)f->mesh->nodes, sizeof *parent);
  grip *g = stc_calloc((size_t)f->mesh->nodes, sizeof *g);
  stc_error error = parent && g
                        ? STC_OK
                        : stc_fail(STC_ERR_MEMORY, "out of memory for the supports of the bodies");
  if (!error) look_at_bodies(f, d, parent, g);
  if (!error) error = list_loose(f, d, parent, g);
  stc_release(&parent);
  stc_release(&g);
  if (error) return error;
  STC_TRY(refuse_loose(f));
  return fill_modes(f);
}

// --- What contacts do not hold ---

// The part of a body's forces that drives motion z; *scale is what all of them would.
static double drive(const stc_fem *f, int body, const double *z, const double *left,
                    const double *size, double *scale) {
  const stc_loose *b = &f->body[body];
  double sum = 0;
  *scale = 0;
  for (int i = 0; i < f->free; i++) {
    if (f->loose_of[i] != body) continue;
    double value = 0;
    for (int m = 0; m < stc_fem_modes(f); m++)
      value += z[m] * motion(f, m, f->unknown[i], b->centre, b->size);
    sum += value * left[i];
    *scale += fabs(value) * size[i];
  }
  return sum;
}

bool stc_fem_say_unheld(const stc_fem *f, const double *left, const double *size, char *text,
                        size_t room) {
  const double counts = 1e-6;  // a part of the forces that is not what an iteration left over
  double most = counts;
  text[0] = 0;
  for (int b = 0; b < f->loose; b++)
    for (int k = 0; k < f->body[b].motions; k++) {
      double scale, force = fabs(drive(f, b, f->body[b].motion[k], left, size, &scale));
      if (!(force > most * scale)) continue;
      most = force / scale;
      char one[250];
      stc_fem_say_motion(f, &f->body[b], k, one, sizeof one);
      stc_snprintf(text, room,
                   "body '%s' is held by contact only, and the contacts do not hold it: it can %s, "
                   "driven by what is left of its loads",
                   f->body[b].name, one);
    }
  return text[0];
}
