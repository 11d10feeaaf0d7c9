// Combinations of modes as tableaux: unknowns are the weights of half-lines of reactions and of
// velocities, rows are W r - u = -q.
#include "facets.h"

#include "tableau.h"

#include <stdlib.h>
#include <string.h>

enum { MOST_LINES = 8, MOST_SOLUTIONS = 4096, MOST_COLS = MOST_LINES * FACET_CONTACTS };

// A half-line of r or of u at a contact.
typedef struct half_line {
  int contact;
  bool velocity;
  mpq_t x[3];
} half_line;

typedef struct work {
  const facets_data *d;
  int size;
  matrix W, q;
  half_line line[MOST_COLS];
  int lines;
  facets_truth truth;
  matrix known;  // [MOST_SOLUTIONS * 2 size] reactions and velocities
} work;

// ---- W = H M^-1 H^T, q = w - H M^-1 f

static void condense(work *k) {
  const facets_data *d = k->d;
  mpq_t h, other;
  mpq_inits(h, other, NULL);
  for (int i = 0; i < k->size; i++) {
    put_number(&k->q, i, 0, d->w[i]);
    for (int m = 0; m < d->dofs; m++) {
      mpq_set_d(h, d->H[i * d->dofs + m]);
      mpq_set_d(other, d->M[m]);
      mpq_div(h, h, other);
      for (int j = 0; j < k->size; j++) {
        mpq_set_d(other, d->H[j * d->dofs + m]);
        add_product(*exact_entry(&k->W, i, j), h, other);
      }
      mpq_set_d(other, -d->f[m]);
      add_product(*exact_entry(&k->q, i, 0), h, other);
    }
  }
  mpq_clears(h, other, NULL);
}

// ---- modes: 0 open, 1 stick, 2 + k slip at corner k, 2 + corners + k along edge k

static int modes_of(const facets_data *d, int c) {
  return 2 + d->corners[c] * (d->dim == 3 ? 2 : 1);
}

static half_line *add_line(work *k, int c, bool velocity) {
  half_line *line = &k->line[k->lines++];
  line->contact = c;
  line->velocity = velocity;
  for (int l = 0; l < 3; l++) mpq_set_si(line->x[l], 0, 1);
  return line;
}

static void add_ray(work *k, int c, int corner) {
  half_line *line = add_line(k, c, false);
  mpq_t mu, p;
  mpq_inits(mu, p, NULL);
  mpq_set_si(line->x[0], 1, 1);
  mpq_set_d(mu, k->d->mu[c]);
  for (int l = 0; l < 2; l++) {
    mpq_set_d(p, k->d->corner[c][2 * (corner % k->d->corners[c]) + l]);
    add_product(line->x[1 + l], mu, p);
  }
  mpq_clears(mu, p, NULL);
}

// u along one axis.
static void add_axis(work *k, int c, int axis, int sign) {
  mpq_set_si(add_line(k, c, true)->x[axis], sign, 1);
}

// u against the outward normal (dy, -dx) of edge k.
static void add_against(work *k, int c, int edge) {
  int m = k->d->corners[c];
  const double *a = k->d->corner[c] + 2 * ((edge + m) % m),
               *b = k->d->corner[c] + 2 * ((edge + 1) % m);
  half_line *line = add_line(k, c, true);
  mpq_t x;
  mpq_init(x);
  for (int l = 0; l < 2; l++) {
    mpq_set_d(line->x[2 - l], l ? a[l] : b[l]);
    mpq_set_d(x, l ? b[l] : a[l]);
    mpq_sub(line->x[2 - l], line->x[2 - l], x);
  }
  mpq_clear(x);
}

static void add_slip(work *k, int c, int face) {
  int m = k->d->corners[c];
  if (k->d->dim == 2) {  // at the lower end u_T >= 0
    add_axis(k, c, 1, face ? -1 : 1);
    add_ray(k, c, face);
  } else if (face < m) {
    add_against(k, c, face - 1);
    add_against(k, c, face);
    add_ray(k, c, face);
  } else {
    add_against(k, c, face - m);
    add_ray(k, c, face - m);
    add_ray(k, c, face - m + 1);
  }
}

static void add_mode(work *k, int c, int mode) {
  if (mode == 0) add_axis(k, c, 0, 1);
  for (int l = 1; mode == 0 && l < k->d->dim; l++) {
    add_axis(k, c, l, 1);
    add_axis(k, c, l, -1);
  }
  for (int j = 0; mode == 1 && j < k->d->corners[c]; j++) add_ray(k, c, j);
  if (mode > 1) add_slip(k, c, mode - 2);
}

// ---- programs

static tableau make_program(work *k) {
  int d = k->d->dim;
  tableau t = make_tableau(k->size, k->lines);
  for (int j = 0; j < k->lines; j++) {
    const half_line *line = &k->line[j];
    for (int l = 0; l < d; l++) {
      int at = line->contact * d + l;
      for (int i = 0; !line->velocity && i < k->size; i++)
        add_product(*exact_entry(&t.T, i, j), *exact_entry(&k->W, i, at), line->x[l]);
      if (line->velocity) mpq_neg(*exact_entry(&t.T, at, j), line->x[l]);
    }
  }
  for (int i = 0; i < k->size; i++) mpq_neg(*right_side(&t, i), *exact_entry(&k->q, i, 0));
  return t;
}

// Component i of (r, u) as a cost of the half-lines.
static void cost_of(const work *k, int i, int sign, mpq_t *cost) {
  int d = k->d->dim, at = i % k->size;
  for (int j = 0; j < k->lines; j++) {
    const half_line *line = &k->line[j];
    bool counts = line->contact == at / d && line->velocity == (i >= k->size);
    mpq_set_si(cost[j], 0, 1);
    if (counts) mpq_set(cost[j], line->x[at % d]);
    if (sign < 0) mpq_neg(cost[j], cost[j]);
  }
}

// Whether component i of (r, u) has one value; puts it into row `row` of the known solutions.
static bool is_single(work *k, tableau *t, mpq_t *cost, int row, int i) {
  mpq_t least, most;
  mpq_inits(least, most, NULL);
  cost_of(k, i, 1, cost);
  bool single = tableau_least(t, cost, least);
  cost_of(k, i, -1, cost);
  single = single && tableau_least(t, cost, most);
  mpq_neg(most, most);
  single = single && mpq_equal(least, most);
  mpq_set(*exact_entry(&k->known, row, i), least);
  mpq_clears(least, most, NULL);
  return single;
}

static bool is_known(const work *k, int row) {
  for (int other = 0; other < row; other++) {
    bool same = true;
    for (int i = 0; same && i < 2 * k->size; i++)
      same = mpq_equal(*exact_entry(&k->known, row, i), *exact_entry(&k->known, other, i));
    if (same) return true;
  }
  return false;
}

static void count_solution(work *k, tableau *t) {
  mpq_t cost[MOST_COLS];
  int row = k->truth.solutions;
  drop_artificials(t);
  for (int j = 0; j < k->lines; j++) mpq_init(cost[j]);
  for (int i = 0; k->truth.isolated && i < 2 * k->size; i++)
    k->truth.isolated = is_single(k, t, cost, row, i);
  for (int j = 0; j < k->lines; j++) mpq_clear(cost[j]);
  if (k->truth.isolated && !is_known(k, row)) k->truth.solutions++;
}

static void try_modes(work *k, const int *mode) {
  k->lines = 0;
  for (int c = 0; c < k->d->contacts; c++) add_mode(k, c, mode[c]);
  tableau t = make_program(k);
  if (tableau_feasible(&t)) {
    k->truth.modes++;
    if (k->truth.isolated) count_solution(k, &t);
  }
  drop_tableau(&t);
}

facets_truth facets_solve(const facets_data *d) {
  int mode[FACET_CONTACTS] = {0}, last = 0;
  work k = {.d = d, .size = d->dim * d->contacts, .truth = {.isolated = true}};
  k.W = make_matrix(k.size, k.size);
  k.q = make_matrix(k.size, 1);
  k.known = make_matrix(MOST_SOLUTIONS, 2 * k.size);
  for (int j = 0; j < MOST_COLS; j++)
    for (int l = 0; l < 3; l++) mpq_init(k.line[j].x[l]);
  condense(&k);
  while (last < d->contacts) {
    try_modes(&k, mode);
    for (last = 0; last < d->contacts && ++mode[last] == modes_of(d, last); last++) mode[last] = 0;
  }
  for (int j = 0; j < MOST_COLS; j++)
    for (int l = 0; l < 3; l++) mpq_clear(k.line[j].x[l]);
  drop_matrix(&k.W);
  drop_matrix(&k.q);
  drop_matrix(&k.known);
  return k.truth;
}
