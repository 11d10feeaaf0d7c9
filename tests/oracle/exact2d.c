// Rational simplex on the half-lines that span each mode: the edges (1, mu), (1, -mu) of the cone
// in r, and u_N, u_T, -u_T in u. The unknowns are the weights of these half-lines, the rows W r + q
// = u.
#include "exact2d.h"

#include "tableau.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { UP = 1, DOWN = 2, APART = 4, FORWARD = 8, BACKWARD = 16, LINES = 5 };

static const char letter[] = "TS+-";
static const int lines_of[] = {APART | FORWARD | BACKWARD, UP | DOWN, DOWN | FORWARD,
                               UP | BACKWARD};

enum { MOST_COLS = 4 * EXACT_CONTACTS, HIDDEN = EXACT_DOFS + EXACT_JOINTS };

// ---- W and q

typedef struct reduced {
  int size;
  matrix W, q;
} reduced;

// [M -G^T; G 0] (v, l) = (H^T r - f, -b), the columns of r and then the constant.
static matrix motion(const exact2d_data *d) {
  int m = d->dofs, size = 2 * d->contacts;
  matrix K = make_matrix(m + d->joints, m + d->joints + size + 1);
  for (int i = 0; i < m; i++) {
    for (int j = 0; j < m; j++) put_number(&K, i, j, d->M[i * m + j]);
    for (int k = 0; k < d->joints; k++) put_number(&K, i, m + k, -d->G[k * m + i]);
    for (int k = 0; k < size; k++) put_number(&K, i, m + d->joints + k, d->H[k * m + i]);
    put_number(&K, i, K.cols - 1, -d->f[i]);
  }
  for (int k = 0; k < d->joints; k++) {
    for (int j = 0; j < m; j++) put_number(&K, m + k, j, d->G[k * m + j]);
    put_number(&K, m + k, K.cols - 1, -d->b[k]);
  }
  return K;
}

// Gauss–Jordan; unknowns without a pivot (redundant joints) are zero. `of` [unknowns] is the row of
// each, -1: zero. False where a row is left that cannot hold.
static bool eliminate(matrix *K, int unknowns, int *of) {
  int row = 0;
  for (int col = 0; col < unknowns; col++) {
    int at = row;
    of[col] = -1;
    while (at < K->rows && !mpq_sgn(*exact_entry(K, at, col))) at++;
    if (at == K->rows) continue;
    for (int j = 0; j < K->cols; j++) mpq_swap(*exact_entry(K, at, j), *exact_entry(K, row, j));
    pivot_on(K, row, col);
    of[col] = row++;
  }
  for (; row < K->rows; row++)
    for (int j = unknowns; j < K->cols; j++)
      if (mpq_sgn(*exact_entry(K, row, j))) return false;
  return true;
}

static bool condense(const exact2d_data *d, reduced *p) {
  int m = d->dofs, first = m + d->joints, of[HIDDEN];
  matrix K = motion(d);
  bool possible = eliminate(&K, first, of);
  for (int i = 0; i < p->size; i++) {
    put_number(&p->q, i, 0, d->w[i]);
    for (int k = 0; possible && k < m; k++) {
      mpq_t h;
      if (of[k] < 0) continue;
      mpq_init(h);
      mpq_set_d(h, d->H[i * m + k]);
      for (int j = 0; j < p->size; j++)
        add_product(*exact_entry(&p->W, i, j), h, *exact_entry(&K, of[k], first + j));
      add_product(*exact_entry(&p->q, i, 0), h, *exact_entry(&K, of[k], K.cols - 1));
      mpq_clear(h);
    }
  }
  drop_matrix(&K);
  return possible;
}

static bool reduce_modes(const exact2d_data *d, reduced *p) {
  p->size = 2 * d->contacts;
  p->W = make_matrix(p->size, p->size);
  p->q = make_matrix(p->size, 1);
  if (!d->local) return condense(d, p);
  for (int i = 0; i < p->size; i++) {
    put_number(&p->q, i, 0, d->q[i]);
    for (int j = 0; j < p->size; j++) put_number(&p->W, i, j, d->W[i * p->size + j]);
  }
  return true;
}

static void release(reduced *p) {
  drop_matrix(&p->W);
  drop_matrix(&p->q);
}

// ---- the program of a combination of modes

// Rows W r - u = -q over the half-lines.
typedef struct program {
  int cols, contact[MOST_COLS], line[MOST_COLS];  // of each column
  tableau t;
} program;

static int add_lines(program *g, int c, int lines) {
  for (int k = 0; k < LINES; k++) {
    if (!(lines & (1 << k))) continue;
    g->contact[g->cols] = c;
    g->line[g->cols++] = 1 << k;
  }
  return g->cols;
}

// What a unit of column j adds to W r - u in row i.
static void set_entry(const reduced *p, const double *mu, const program *g, int i, int j) {
  int c = g->contact[j], line = g->line[j];
  mpq_t *out = exact_entry(&g->t.T, i, j), factor;
  if (line == APART || line == FORWARD || line == BACKWARD) {
    bool here = i == 2 * c + (line != APART);
    mpq_set_si(*out, here ? (line == BACKWARD ? 1 : -1) : 0, 1);
    return;
  }
  mpq_init(factor);
  mpq_set_d(factor, line == UP ? mu[c] : -mu[c]);
  mpq_set(*out, *exact_entry(&p->W, i, 2 * c));
  add_product(*out, factor, *exact_entry(&p->W, i, 2 * c + 1));
  mpq_clear(factor);
}

static program make_program(const reduced *p, const double *mu, const int *lines) {
  program g = {.cols = 0};
  for (int c = 0; c < p->size / 2; c++) add_lines(&g, c, lines[c]);
  g.t = make_tableau(p->size, g.cols);
  for (int i = 0; i < p->size; i++) {
    for (int j = 0; j < g.cols; j++) set_entry(p, mu, &g, i, j);
    mpq_neg(*right_side(&g.t, i), *exact_entry(&p->q, i, 0));
  }
  return g;
}

// ---- answers

static void read_vertex(const program *g, const double *mu, exact2d_truth *truth) {
  for (int i = 0; i < g->t.rows; i++) {
    if (g->t.basis[i] >= g->cols) continue;
    int c = g->contact[g->t.basis[i]], line = g->line[g->t.basis[i]];
    double x = mpq_get_d(*right_side(&g->t, i));
    if (line == APART) truth->u[2 * c] += x;
    if (line == FORWARD || line == BACKWARD) truth->u[2 * c + 1] += line == FORWARD ? x : -x;
    if (line != UP && line != DOWN) continue;
    truth->r[2 * c] += x;
    truth->r[2 * c + 1] += line == UP ? x * mu[c] : -x * mu[c];
  }
}

// Without friction the two edges of the cone are one, and slipping needs no direction.
static void read_lines(const exact2d_data *d, const char *mode, int *lines) {
  for (int c = 0; c < d->contacts; c++) {
    lines[c] = lines_of[strchr(letter, mode[c]) - letter];
    if (d->mu[c] == 0.0 && (lines[c] & (UP | DOWN))) lines[c] = (lines[c] & ~DOWN) | UP;
  }
}

exact2d_truth exact2d(const exact2d_data *d) {
  exact2d_truth truth = {.exists = false};
  reduced p;
  truth.possible = reduce_modes(d, &p);
  for (int code = 0; truth.possible && !truth.exists && code < 1 << (2 * d->contacts); code++) {
    int lines[EXACT_CONTACTS];
    for (int c = 0; c < d->contacts; c++) truth.mode[c] = letter[(code >> (2 * c)) & 3];
    read_lines(d, truth.mode, lines);
    program g = make_program(&p, d->mu, lines);
    truth.exists = tableau_feasible(&g.t);
    if (truth.exists) read_vertex(&g, d->mu, &truth);
    drop_tableau(&g.t);
  }
  release(&p);
  return truth;
}

// ---- ranges

// The greatest or least sum of the reactions of contact c, by the sign of the objective.
static double extreme(program *g, int c, int sign) {
  mpq_t cost[MOST_COLS], least;
  mpq_init(least);
  for (int j = 0; j < g->cols; j++) {
    bool counts = g->contact[j] == c && (g->line[j] == UP || g->line[j] == DOWN);
    mpq_init(cost[j]);
    mpq_set_si(cost[j], counts ? sign : 0, 1);
  }
  double value = tableau_least(&g->t, cost, least) ? sign * mpq_get_d(least) : INFINITY;
  for (int j = 0; j < g->cols; j++) mpq_clear(cost[j]);
  mpq_clear(least);
  return value;
}

// u of the vertex, without rounding.
static void read_velocity(const program *g, matrix *u) {
  for (int i = 0; i < g->t.rows; i++) {
    if (g->t.basis[i] >= g->cols) continue;
    int c = g->contact[g->t.basis[i]], line = g->line[g->t.basis[i]];
    if (line == UP || line == DOWN) continue;
    mpq_t *to = exact_entry(u, 2 * c + (line != APART), 0), *x = right_side(&g->t, i);
    (line == BACKWARD ? mpq_sub : mpq_add)(*to, *to, *x);
  }
}

// W r - u = -q with u fixed: its half-lines are left out, and q takes it up. Contacts with u = 0
// may press, as sticking ones do.
static void fix_velocity(const exact2d_data *d, const matrix *u, reduced *p, int *lines) {
  for (int c = 0; c < d->contacts; c++) {
    bool apart = mpq_sgn(*exact_entry(u, 2 * c, 0)) > 0;
    int slip = mpq_sgn(*exact_entry(u, 2 * c + 1, 0));
    lines[c] = apart ? 0 : slip > 0 ? DOWN : slip < 0 ? UP : UP | DOWN;
    if (!apart && d->mu[c] == 0.0) lines[c] = UP;
  }
  for (int i = 0; i < p->size; i++)
    mpq_sub(*exact_entry(&p->q, i, 0), *exact_entry(&p->q, i, 0), *exact_entry(u, i, 0));
}

void exact2d_range(const exact2d_data *d, const exact2d_truth *t, int c, double *least,
                   double *most) {
  reduced p;
  int lines[EXACT_CONTACTS];
  matrix u = make_matrix(2 * d->contacts, 1);
  reduce_modes(d, &p);
  read_lines(d, t->mode, lines);
  program g = make_program(&p, d->mu, lines);
  tableau_feasible(&g.t);
  read_velocity(&g, &u);
  drop_tableau(&g.t);
  fix_velocity(d, &u, &p, lines);
  g = make_program(&p, d->mu, lines);
  tableau_feasible(&g.t);
  drop_artificials(&g.t);
  *least = extreme(&g, c, 1);
  *most = extreme(&g, c, -1);
  drop_tableau(&g.t);
  drop_matrix(&u);
  release(&p);
}
