// Rational simplex on the half-lines that span each mode: the edges (1, mu), (1, -mu) of the cone
// in r, and u_N, u_T, -u_T in u. The unknowns are the weights of these half-lines, the rows W r + q
// = u.
#include "exact2d.h"

#include <gmp.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { UP = 1, DOWN = 2, APART = 4, FORWARD = 8, BACKWARD = 16, LINES = 5 };

static const char letter[] = "TS+-";
static const int lines_of[] = {APART | FORWARD | BACKWARD, UP | DOWN, DOWN | FORWARD,
                               UP | BACKWARD};

enum { MOST_COLS = 4 * EXACT_CONTACTS, HIDDEN = EXACT_DOFS + EXACT_JOINTS };

// ---- matrices

typedef struct matrix {
  int rows, cols;
  mpq_t *at;
} matrix;

static matrix make_matrix(int rows, int cols) {
  matrix A = {rows, cols, malloc((size_t)(rows * cols + 1) * sizeof *A.at)};
  for (int k = 0; k < rows * cols; k++) mpq_init(A.at[k]);
  return A;
}

static void drop_column(matrix *A) {
  for (int k = 0; k < A->rows * A->cols; k++) mpq_clear(A->at[k]);
  free(A->at);
}

static mpq_t *exact_entry(const matrix *A, int i, int j) { return &A->at[i * A->cols + j]; }

static void put_number(const matrix *A, int i, int j, double x) {
  mpq_set_d(*exact_entry(A, i, j), x);
}

// sum += a b
static void add_product(mpq_t sum, const mpq_t a, const mpq_t b) {
  mpq_t product;
  if (!mpq_sgn(a) || !mpq_sgn(b)) return;
  mpq_init(product);
  mpq_mul(product, a, b);
  mpq_add(sum, sum, product);
  mpq_clear(product);
}

// Divides row `row` by its entry in `col` and clears the column in all other rows.
static void pivot_on(matrix *A, int row, int col) {
  mpq_t factor;
  mpq_init(factor);
  mpq_set(factor, *exact_entry(A, row, col));
  for (int j = 0; j < A->cols; j++)
    if (mpq_sgn(*exact_entry(A, row, j)))
      mpq_div(*exact_entry(A, row, j), *exact_entry(A, row, j), factor);
  for (int i = 0; i < A->rows; i++) {
    if (i == row || !mpq_sgn(*exact_entry(A, i, col))) continue;
    mpq_neg(factor, *exact_entry(A, i, col));
    for (int j = 0; j < A->cols; j++)
      add_product(*exact_entry(A, i, j), factor, *exact_entry(A, row, j));
  }
  mpq_clear(factor);
}

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
  drop_column(&K);
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
  drop_column(&p->W);
  drop_column(&p->q);
}

// ---- the simplex method

// Rows W r - u = -q over the half-lines, one artificial per row, the right-hand side; the last row
// is the objective.
typedef struct program {
  int rows, cols;
  int contact[MOST_COLS], line[MOST_COLS];  // of each column
  matrix T;
  int basis[EXACT_SIZE];
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
  mpq_t *out = exact_entry(&g->T, i, j), factor;
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

static program first_phase(const reduced *p, const double *mu, const int *lines) {
  program g = {.rows = p->size};
  for (int c = 0; c < p->size / 2; c++) add_lines(&g, c, lines[c]);
  g.T = make_matrix(g.rows + 1, g.cols + g.rows + 1);
  for (int i = 0; i < g.rows; i++) {
    bool rotation = mpq_sgn(*exact_entry(&p->q, i, 0)) > 0;
    for (int j = 0; j < g.cols; j++) set_entry(p, mu, &g, i, j);
    mpq_neg(*exact_entry(&g.T, i, g.T.cols - 1), *exact_entry(&p->q, i, 0));
    for (int j = 0; rotation && j < g.T.cols; j++)
      mpq_neg(*exact_entry(&g.T, i, j), *exact_entry(&g.T, i, j));
    mpq_set_si(*exact_entry(&g.T, i, g.cols + i), 1, 1);
    g.basis[i] = g.cols + i;
    for (int j = 0; j < g.T.cols; j++)
      if (j < g.cols || j == g.T.cols - 1)
        mpq_sub(*exact_entry(&g.T, g.rows, j), *exact_entry(&g.T, g.rows, j),
                *exact_entry(&g.T, i, j));
  }
  return g;
}

static int entering(const program *g) {
  for (int j = 0; j < g->cols; j++)
    if (mpq_sgn(*exact_entry(&g->T, g->rows, j)) < 0) return j;
  return -1;
}

static int leaving(const program *g, int col) {
  int best = -1, last = g->T.cols - 1;
  mpq_t ratio, least;
  mpq_inits(ratio, least, NULL);
  for (int i = 0; i < g->rows; i++) {
    if (mpq_sgn(*exact_entry(&g->T, i, col)) <= 0) continue;
    mpq_div(ratio, *exact_entry(&g->T, i, last), *exact_entry(&g->T, i, col));
    int order = best < 0 ? -1 : mpq_cmp(ratio, least);
    if (order > 0 || (order == 0 && g->basis[i] > g->basis[best])) continue;
    best = i;
    mpq_set(least, ratio);
  }
  mpq_clears(ratio, least, NULL);
  return best;
}

// False where the objective has no bound.
static bool minimise(program *g) {
  for (int col = entering(g); col >= 0; col = entering(g)) {
    int row = leaving(g, col);
    if (row < 0) return false;
    pivot_on(&g->T, row, col);
    g->basis[row] = col;
  }
  return true;
}

static bool feasible(program *g) {
  minimise(g);
  return mpq_sgn(*exact_entry(&g->T, g->rows, g->T.cols - 1)) == 0;
}

// Artificial unknowns, all zero, leave the basis; rows that hold nothing else stay as they are.
static void drop_artificials(program *g) {
  for (int i = 0; i < g->rows; i++)
    for (int j = 0; g->basis[i] >= g->cols && j < g->cols; j++)
      if (mpq_sgn(*exact_entry(&g->T, i, j))) {
        pivot_on(&g->T, i, j);
        g->basis[i] = j;
      }
}

// ---- answers

static void read_vertex(const program *g, const double *mu, exact2d_truth *truth) {
  for (int i = 0; i < g->rows; i++) {
    if (g->basis[i] >= g->cols) continue;
    int c = g->contact[g->basis[i]], line = g->line[g->basis[i]];
    double x = mpq_get_d(*exact_entry(&g->T, i, g->T.cols - 1));
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
    program g = first_phase(&p, d->mu, lines);
    truth.exists = feasible(&g);
    if (truth.exists) read_vertex(&g, d->mu, &truth);
    drop_column(&g.T);
  }
  release(&p);
  return truth;
}

// ---- ranges

// The objective: sign times the sum of the reactions of contact c, in terms of what is not basic.
static void set_objective(program *g, int c, int sign) {
  for (int j = 0; j < g->T.cols; j++) {
    bool counts = j < g->cols && g->contact[j] == c && (g->line[j] == UP || g->line[j] == DOWN);
    mpq_set_si(*exact_entry(&g->T, g->rows, j), counts ? sign : 0, 1);
  }
  for (int i = 0; i < g->rows; i++) {
    mpq_t price;
    if (g->basis[i] >= g->cols) continue;
    mpq_init(price);
    mpq_neg(price, *exact_entry(&g->T, g->rows, g->basis[i]));
    for (int j = 0; j < g->T.cols; j++)
      add_product(*exact_entry(&g->T, g->rows, j), price, *exact_entry(&g->T, i, j));
    mpq_clear(price);
  }
}

static double extreme(program *g, int c, int sign) {
  set_objective(g, c, sign);
  if (!minimise(g)) return INFINITY;
  return -sign * mpq_get_d(*exact_entry(&g->T, g->rows, g->T.cols - 1));
}

// u of the vertex, without rounding.
static void read_velocity(const program *g, matrix *u) {
  for (int i = 0; i < g->rows; i++) {
    if (g->basis[i] >= g->cols) continue;
    int c = g->contact[g->basis[i]], line = g->line[g->basis[i]];
    if (line == UP || line == DOWN) continue;
    mpq_t *to = exact_entry(u, 2 * c + (line != APART), 0),
          *x = exact_entry(&g->T, i, g->T.cols - 1);
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
  program g = first_phase(&p, d->mu, lines);
  feasible(&g);
  read_velocity(&g, &u);
  drop_column(&g.T);
  fix_velocity(d, &u, &p, lines);
  g = first_phase(&p, d->mu, lines);
  feasible(&g);
  drop_artificials(&g);
  *least = extreme(&g, c, 1);
  *most = extreme(&g, c, -1);
  drop_column(&g.T);
  drop_column(&u);
  release(&p);
}
