// Brute force in 2D: 4^n linear feasibility problems A x = b, x >= 0. Every mode is the cone that
// some of five half-lines span: the edges (1, mu), (1, -mu) of the friction cone in r, and u_N,
// u_T, -u_T in u. The unknowns are the weights of these half-lines, the rows are W r + q = u.
#include "enumerate2d.h"

#include <math.h>
#include <string.h>

// The half-lines, as bits.
enum { UP = 1, DOWN = 2, APART = 4, FORWARD = 8, BACKWARD = 16, LINES = 5 };

// The half-lines of take-off, stick, slip forward and slip backward.
static const char letter[] = "TS+-";
static const int lines_of[] = {APART | FORWARD | BACKWARD, UP | DOWN, DOWN | FORWARD,
                               UP | BACKWARD};

enum {
  ROWS = ENUMERATE_SIZE,
  COLS = 3 * ENUMERATE_CONTACTS,  // a mode has at most three half-lines
  MODES = 256                     // 4^4
};

// Relative to the largest entry of a row, which is 1 after scaling.
static const double zero = 1e-9;

typedef struct program {
  int rows, cols;
  double A[ROWS][COLS];
  double b[ROWS];
  double u[COLS][ROWS], r[COLS][ROWS];  // what a unit of each unknown adds to u and r
} program;

// ---- the simplex method

// The tableau: columns of A, one artificial per row, right-hand side; the last row is the
// objective.
typedef struct tableau {
  int rows, cols;
  double M[ROWS + 1][COLS + ROWS + 1];
  int basis[ROWS];
} tableau;

static tableau first_phase(const program *p) {
  tableau t = {.rows = p->rows, .cols = p->cols + p->rows};
  for (int i = 0; i < p->rows; i++) {
    double size = fabs(p->b[i]), sign = p->b[i] < 0.0 ? -1.0 : 1.0;
    for (int j = 0; j < p->cols; j++) size = fmax(size, fabs(p->A[i][j]));
    double scale = size > 0.0 ? sign / size : 1.0;
    for (int j = 0; j < p->cols; j++) t.M[i][j] = scale * p->A[i][j];
    t.M[i][t.cols] = scale * p->b[i];
    t.M[i][p->cols + i] = 1.0;
    t.basis[i] = p->cols + i;
    for (int j = 0; j <= t.cols; j++)
      if (j < p->cols || j == t.cols) t.M[p->rows][j] -= t.M[i][j];
  }
  return t;
}

static void pivot(tableau *t, int row, int col) {
  double inverse = 1.0 / t->M[row][col];
  for (int j = 0; j <= t->cols; j++) t->M[row][j] *= inverse;
  for (int i = 0; i <= t->rows; i++) {
    double factor = t->M[i][col];
    if (i == row || factor == 0.0) continue;
    for (int j = 0; j <= t->cols; j++) t->M[i][j] -= factor * t->M[row][j];
  }
  t->basis[row] = col;
}

// Bland's rule: the first column that improves, and the row of the least ratio with the first
// basis.
static int entering(const tableau *t, int cols) {
  for (int j = 0; j < cols; j++)
    if (t->M[t->rows][j] < -zero) return j;
  return -1;
}

static int leaving(const tableau *t, int col) {
  int best = -1;
  for (int i = 0; i < t->rows; i++) {
    if (t->M[i][col] <= zero) continue;
    if (best < 0) {
      best = i;
      continue;
    }
    double mine = t->M[i][t->cols] / t->M[i][col], other = t->M[best][t->cols] / t->M[best][col];
    if (mine < other || (mine == other && t->basis[i] < t->basis[best])) best = i;
  }
  return best;
}

// False if the objective has no bound.
static bool minimise(tableau *t, int cols) {
  const int most_pivots = 1000;  // Bland's rule cannot cycle; 20 columns need far fewer
  for (int k = 0; k < most_pivots; k++) {
    int col = entering(t, cols), row = col < 0 ? -1 : leaving(t, col);
    if (col < 0) return true;
    if (row < 0) return false;
    pivot(t, row, col);
  }
  return true;
}

// Artificial unknowns that are zero leave the basis; their rows, if empty by then, are redundant.
static void drop_artificials(tableau *t, int cols) {
  for (int i = 0; i < t->rows; i++) {
    if (t->basis[i] < cols) continue;
    int best = 0;
    for (int j = 1; j < cols; j++)
      if (fabs(t->M[i][j]) > fabs(t->M[i][best])) best = j;
    if (fabs(t->M[i][best]) > zero) pivot(t, i, best);
  }
}

// True if some x >= 0 has A x = b; t is then ready for the second phase.
static bool feasible(const program *p, tableau *t) {
  *t = first_phase(p);
  minimise(t, p->cols);
  for (int i = 0; i < t->rows; i++)
    if (t->basis[i] >= p->cols && t->M[i][t->cols] > zero) return false;
  drop_artificials(t, p->cols);
  return true;
}

// u and r at the vertex of the tableau.
static void vertex(const program *p, const tableau *t, double *u, double *r) {
  memset(u, 0, ENUMERATE_SIZE * sizeof *u);
  memset(r, 0, ENUMERATE_SIZE * sizeof *r);
  for (int i = 0; i < t->rows; i++) {
    int j = t->basis[i];
    double x = fmax(t->M[i][t->cols], 0.0);
    for (int k = 0; j < p->cols && k < ENUMERATE_SIZE; k++) {
      u[k] += x * p->u[j][k];
      r[k] += x * p->r[j][k];
    }
  }
}

// The least of c.u over the polyhedron; false if there is none.
static bool least(const program *p, const tableau *start, const double *c, double *value) {
  tableau t = *start;
  double u[ENUMERATE_SIZE], r[ENUMERATE_SIZE];
  memset(t.M[t.rows], 0, sizeof t.M[t.rows]);
  for (int j = 0; j < p->cols; j++)
    for (int k = 0; k < p->rows; k++) t.M[t.rows][j] += c[k] * p->u[j][k];
  for (int i = 0; i < t.rows; i++) {
    double price = t.basis[i] < p->cols ? t.M[t.rows][t.basis[i]] : 0.0;
    for (int j = 0; j <= t.cols; j++) t.M[t.rows][j] -= price * t.M[i][j];
  }
  if (!minimise(&t, p->cols)) return false;
  vertex(p, &t, u, r);
  *value = 0.0;
  for (int k = 0; k < p->rows; k++) *value += c[k] * u[k];
  return true;
}

// ---- modes

static void add_lines(program *p, int c, int lines, double mu) {
  for (int k = 0; k < LINES; k++) {
    int line = 1 << k;
    if (!(lines & line)) continue;
    double *u = p->u[p->cols] + 2 * c, *r = p->r[p->cols] + 2 * c;
    if (line == UP || line == DOWN) r[0] = 1.0, r[1] = line == UP ? mu : -mu;
    if (line == APART) u[0] = 1.0;
    if (line == FORWARD || line == BACKWARD) u[1] = line == FORWARD ? 1.0 : -1.0;
    p->cols++;
  }
}

// W r - u = -q for the half-lines that are there.
static program make_program(int n, const int *lines, const double *W, const double *q,
                            const double *mu) {
  program p = {.rows = 2 * n};
  for (int c = 0; c < n; c++) add_lines(&p, c, lines[c], mu[c]);
  for (int i = 0; i < p.rows; i++) {
    p.b[i] = -q[i];
    for (int j = 0; j < p.cols; j++) {
      p.A[i][j] = -p.u[j][i];
      for (int k = 0; k < p.rows; k++) p.A[i][j] += W[i + p.rows * k] * p.r[j][k];
    }
  }
  return p;
}

// The half-lines of combination `code`, two bits per contact. Without friction the two edges of the
// cone are one.
static void decode(int code, int n, const double *mu, int *lines) {
  for (int c = 0; c < n; c++) {
    lines[c] = lines_of[(code >> (2 * c)) & 3];
    if (mu[c] == 0.0 && (lines[c] & (UP | DOWN))) lines[c] |= UP | DOWN;
  }
}

enumerate2d_answer enumerate2d(int n, const double *W, const double *q, const double *mu) {
  enumerate2d_answer answer = {.modes = 0};
  for (int code = 0; code < 1 << (2 * n); code++) {
    int lines[ENUMERATE_CONTACTS];
    tableau t;
    decode(code, n, mu, lines);
    program p = make_program(n, lines, W, q, mu);
    if (!feasible(&p, &t) || answer.modes++ > 0) continue;
    for (int c = 0; c < n; c++) answer.mode[c] = letter[(code >> (2 * c)) & 3];
    vertex(&p, &t, answer.u, answer.r);
  }
  return answer;
}

// ---- parts

// A combination that has solutions.
typedef struct leaf {
  int lines[ENUMERATE_CONTACTS];
  int part;
  bool moves;
  double u[ENUMERATE_SIZE];
} leaf;

// Two velocities are one if they differ by less than rounding leaves; u is of the size of q.
static bool same(int size, const double *q, const double *a, const double *b) {
  double scale = 0.0, distance = 0.0;
  for (int i = 0; i < size; i++) {
    scale = fmax(scale, fmax(fabs(q[i]), fmax(fabs(a[i]), fabs(b[i]))));
    distance = fmax(distance, fabs(a[i] - b[i]));
  }
  return distance <= 1e-6 * scale;
}

// Whether u varies over the polyhedron: every component at its least and at its greatest.
static bool varies(const program *p, const tableau *t) {
  for (int k = 0; k < p->rows; k++) {
    double c[ROWS] = {0.0}, low, high;
    c[k] = 1.0;
    if (!least(p, t, c, &low)) return true;
    c[k] = -1.0;
    if (!least(p, t, c, &high)) return true;
    if (-high - low > 1e-6 * fmax(1.0, fabs(low))) return true;
  }
  return false;
}

static int find_leaves(int n, const double *W, const double *q, const double *mu, leaf *leaves) {
  int count = 0;
  for (int code = 0; code < 1 << (2 * n); code++) {
    leaf *at = &leaves[count];
    double r[ENUMERATE_SIZE];
    tableau t;
    decode(code, n, mu, at->lines);
    program p = make_program(n, at->lines, W, q, mu);
    if (!feasible(&p, &t)) continue;
    vertex(&p, &t, at->u, r);
    at->moves = varies(&p, &t);
    at->part = count++;
  }
  return count;
}

// Two combinations meet where the half-lines they share have a solution.
static bool meet(int n, const leaf *a, const leaf *b, const double *W, const double *q,
                 const double *mu) {
  int shared[ENUMERATE_CONTACTS];
  tableau t;
  for (int c = 0; c < n; c++) shared[c] = a->lines[c] & b->lines[c];
  program p = make_program(n, shared, W, q, mu);
  return feasible(&p, &t);
}

static void merge(leaf *leaves, int count, int from, int to) {
  for (int k = 0; k < count; k++)
    if (leaves[k].part == from) leaves[k].part = to;
}

// Gathers the leaves of part k; its first leaf gives the velocity.
static void gather(const leaf *leaves, int count, int k, int size, const double *q,
                   enumerate2d_parts *parts) {
  const double *u = leaves[k].u;
  if (parts->count == ENUMERATE_MOST) return;
  memcpy(parts->u[parts->count], u, sizeof leaves[k].u);
  for (int j = 0; j < count; j++)
    if (leaves[j].part == k && (leaves[j].moves || !same(size, q, u, leaves[j].u)))
      parts->moves[parts->count] = true;
  parts->count++;
}

enumerate2d_parts enumerate2d_all(int n, const double *W, const double *q, const double *mu) {
  enumerate2d_parts parts = {.count = 0};
  leaf leaves[MODES + 1];  // one more: a combination is tried in the place after the last
  int count = find_leaves(n, W, q, mu, leaves);
  for (int a = 0; a < count; a++)
    for (int b = a + 1; b < count; b++) {
      if (leaves[a].part == leaves[b].part || !meet(n, &leaves[a], &leaves[b], W, q, mu)) continue;
      int low = leaves[a].part < leaves[b].part ? leaves[a].part : leaves[b].part;
      merge(leaves, count, leaves[a].part + leaves[b].part - low, low);
    }
  for (int k = 0; k < count; k++)
    if (leaves[k].part == k) gather(leaves, count, k, 2 * n, q, &parts);
  return parts;
}
