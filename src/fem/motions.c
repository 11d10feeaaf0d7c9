// Rigid motions of a body, which of them supports leave, and their names.
#include "motions.h"
#include "../base/number.h"

#include <math.h>
#include <string.h>

int stc_motions_count(const stc_motions *m) { return m->axisymmetric ? 1 : m->dim == 2 ? 3 : 6; }

void stc_motions_add(stc_motions *m, const double *x) {
  for (int i = 0; i < m->dim; i++) {
    m->low[i] = m->begun ? fmin(m->low[i], x[i]) : x[i];
    m->high[i] = m->begun ? fmax(m->high[i], x[i]) : x[i];
  }
  m->begun = true;
}

double stc_motions_centre(const stc_motions *m, double centre[3]) {
  double size = 0;
  for (int i = 0; i < m->dim; i++) {
    centre[i] = m->low[i] / 2 + m->high[i] / 2;
    size = fmax(size, m->high[i] - m->low[i]);
  }
  return size;
}

// Component c of rigid motion k at the distance d from the centre.
static double rigid(const stc_motions *m, int k, int c, const double *d) {
  int dim = m->dim;
  if (m->axisymmetric) return c == 1;  // along the axis only
  if (k < dim) return c == k;
  if (dim == 2) return c == 0 ? -d[1] : d[0];
  int axis = k - dim, i = (axis + 1) % 3, j = (axis + 2) % 3;  // about an axis
  return c == i ? -d[j] : c == j ? d[i] : 0;
}

void stc_motions_at(const stc_motions *m, int c, const double *x, double *z) {
  double d[3] = {0}, centre[3] = {0}, size = stc_motions_centre(m, centre);
  for (int i = 0; i < m->dim; i++) d[i] = (x[i] - centre[i]) / size;
  for (int k = 0; k < stc_motions_count(m); k++) z[k] = rigid(m, k, c, d);
}

void stc_motions_hold(stc_motions *m, const double *z) {
  for (int i = 0; i < stc_motions_count(m); i++)
    for (int j = 0; j < stc_motions_count(m); j++) m->G[i][j] += z[i] * z[j];
}

// --- What is left ---

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

void stc_motions_find(stc_motions *m) {
  int n = stc_motions_count(m);
  double G[STC_RIGID_MODES][STC_RIGID_MODES];
  memcpy(G, m->G, sizeof G);
  m->left = null_space(G, n, m->motion);
  sort_motions(m->motion, m->left, n, m->dim);
}

// --- Sentences ---

void stc_say_place(char *text, size_t room, const double *x, int dim) {
  if (dim == 2)
    stc_snprintf(text, room, "(%.4g, %.4g)", x[0], x[1]);
  else
    stc_snprintf(text, room, "(%.4g, %.4g, %.4g)", x[0], x[1], x[2]);
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
    stc_say_place(text, room, unit, dim);
}

static void say_rotation(char *text, size_t room, const stc_motions *m, const double *z) {
  double t[3] = {0}, w[3] = {0}, x[3] = {0}, centre[3] = {0}, along = 0;
  double size = stc_motions_centre(m, centre);
  int dim = m->dim;
  char axis[80] = "", place[80];
  for (int i = 0; i < dim; i++) t[i] = z[i];
  for (int i = 0; i < 3; i++) w[i] = dim == 3 ? z[3 + i] / size : i == 2 ? z[2] / size : 0;
  // The point of the axis of a rotation w with the translation t at the centre.
  double square = w[0] * w[0] + w[1] * w[1] + w[2] * w[2];
  for (int i = 0; i < 3; i++) {
    int j = (i + 1) % 3, k = (i + 2) % 3;
    x[i] = centre[i] + (w[j] * t[k] - w[k] * t[j]) / square;
  }
  for (int i = 0; i < 3; i++) along = fmax(along, fabs(t[i] * w[i]) * size);
  if (dim == 3) say_direction(axis, sizeof axis, w, 3);
  stc_say_place(place, sizeof place, x, dim);
  stc_snprintf(text, room, "%s about %s%s%s", along > 1e-9 ? "move on a screw" : "rotate", axis,
               dim == 3 ? " through " : "", place);
}

void stc_motions_say(const stc_motions *m, int k, char *text, size_t room) {
  const double *z = m->motion[k];
  char direction[80];
  bool rotates = false;
  if (m->axisymmetric) {
    stc_snprintf(text, room, "move along z, its axis");
    return;
  }
  for (int i = m->dim; i < stc_motions_count(m); i++) rotates = rotates || z[i] != 0;
  if (rotates) {
    say_rotation(text, room, m, z);
    return;
  }
  say_direction(direction, sizeof direction, z, m->dim);
  stc_snprintf(text, room, "move along %s", direction);
}

void stc_motions_say_all(const stc_motions *m, char *text, size_t room) {
  text[0] = 0;
  for (int k = m->left - 1; k >= 0; k--) {
    char one[250];
    size_t used = strlen(text);
    stc_motions_say(m, k, one, sizeof one);
    const char *link = k == m->left - 1 ? "" : k ? ", " : " and ";
    stc_snprintf(text + used, room - used, "%s%s", link, one);
  }
}
