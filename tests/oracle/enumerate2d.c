// Brute force in 2D: 4^n linear feasibility problems A x = b, x >= 0. The unknowns are the weights
// of the edges (1, mu), (1, -mu) of each cone that its mode allows, and the velocities that its
// mode leaves free.
#include "enumerate2d.h"

#include <math.h>
#include <string.h>

enum { ROWS = ENUMERATE_SIZE, COLS = ENUMERATE_SIZE };

static const double zero =
    1e-9;  // relative to the largest entry of a row, which is 1 after scaling

typedef struct program {
  int rows, cols;
  double A[ROWS][COLS];
  double b[ROWS];
} program;

// Where column k of a program goes: a reaction along an edge of a cone, or a free velocity.
typedef struct unknown {
  int contact;
  double r_T;     // edge (1, r_T) of the cone ...
  bool velocity;  // ... or not a reaction
} unknown;

// The tableau of the first phase: columns of A, one artificial per row, right-hand side.
typedef struct tableau {
  int rows, cols;
  double M[ROWS + 1][COLS + ROWS + 1];  // the last row is the objective
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

// x >= 0 with A x = b; false if there is none.
static bool feasible(const program *p, double *x) {
  const int most_pivots = 1000;  // Bland's rule cannot cycle; 16 columns need far fewer
  tableau t = first_phase(p);
  for (int k = 0; k < most_pivots; k++) {
    int col = entering(&t, p->cols), row = col < 0 ? -1 : leaving(&t, col);
    if (row < 0) break;
    pivot(&t, row, col);
  }
  memset(x, 0, COLS * sizeof *x);
  for (int i = 0; i < t.rows; i++) {
    bool artificial = t.basis[i] >= p->cols;
    if (artificial && t.M[i][t.cols] > zero) return false;
    if (!artificial) x[t.basis[i]] = fmax(t.M[i][t.cols], 0.0);
  }
  return true;
}

static void add_edge(program *p, unknown *of, int c, double r_T) {
  of[p->cols++] = (unknown){.contact = c, .r_T = r_T};
}

// sign times the velocity of that row is an unknown >= 0.
static void add_velocity(program *p, unknown *of, int c, int row, double sign) {
  p->A[row][p->cols] = -sign;
  of[p->cols++] = (unknown){.contact = c, .velocity = true};
}

// The unknowns and the rows u_N = ..., u_T = ... of the mode of contact c; their row numbers in W
// go to `line`.
static void add_mode(program *p, unknown *of, int *line, int c, char mode, double mu) {
  int normal = p->rows++;
  line[normal] = 2 * c;
  if (mode == 'T') {
    add_velocity(p, of, c, normal, 1.0);
    return;
  }
  int tangent = p->rows++;
  line[tangent] = 2 * c + 1;
  if (mode == 'S' || mode == '-') add_edge(p, of, c, mu);
  if (mode == 'S' || mode == '+') add_edge(p, of, c, -mu);
  if (mode == '+') add_velocity(p, of, c, tangent, 1.0);
  if (mode == '-') add_velocity(p, of, c, tangent, -1.0);
}

// W r + q = u, row by row.
static void fill(program *p, const unknown *of, const int *line, int size, const double *W,
                 const double *q) {
  for (int i = 0; i < p->rows; i++) {
    p->b[i] = -q[line[i]];
    for (int j = 0; j < p->cols; j++) {
      int column = 2 * of[j].contact;
      if (of[j].velocity) continue;
      p->A[i][j] = W[line[i] + size * column] + of[j].r_T * W[line[i] + size * (column + 1)];
    }
  }
}

// Tries one combination; r [2n] is its answer.
static bool try_modes(int n, const char *mode, const double *W, const double *q, const double *mu,
                      double *r) {
  program p = {.rows = 0};
  unknown of[COLS];
  int line[ROWS];
  double x[COLS];
  for (int c = 0; c < n; c++) add_mode(&p, of, line, c, mode[c], mu[c]);
  fill(&p, of, line, 2 * n, W, q);
  if (!feasible(&p, x)) return false;
  memset(r, 0, ENUMERATE_SIZE * sizeof *r);
  for (int j = 0; j < p.cols; j++) {
    if (of[j].velocity) continue;
    r[2 * of[j].contact] += x[j];
    r[2 * of[j].contact + 1] += of[j].r_T * x[j];
  }
  return true;
}

enumerate2d_answer enumerate2d(int n, const double *W, const double *q, const double *mu) {
  enumerate2d_answer answer = {.modes = 0};
  int size = 2 * n;
  for (int code = 0; code < 1 << size; code++) {  // two bits per contact
    char mode[ENUMERATE_CONTACTS + 1] = "";
    double r[ENUMERATE_SIZE];
    for (int c = 0; c < n; c++) mode[c] = "TS+-"[(code >> (2 * c)) & 3];
    if (!try_modes(n, mode, W, q, mu, r)) continue;
    if (answer.modes++ > 0) continue;
    memcpy(answer.mode, mode, sizeof mode);
    memcpy(answer.r, r, sizeof r);
  }
  for (int i = 0; i < size; i++) {
    answer.u[i] = q[i];
    for (int j = 0; j < size; j++) answer.u[i] += W[i + size * j] * answer.r[j];
  }
  return answer;
}
