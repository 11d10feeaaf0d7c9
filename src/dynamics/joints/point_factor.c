// Factors of trees of points that meet in space: the elimination of tree_factor.c with blocks of
// three columns, each padded to four numbers. With rows L_a of the levers, L_a x = lever x e_i for
// row i,
//   (L_a T L_b^T)_k = z_k x a,   z_k = T (b x e_k),
// for column k. Bits are the same for any width of vectors.
#include "columns.h"
#include "tree_factor.h"

// --- Values ---

/// Adds +-(1/m + L_a T L_b^T) to what is there, unless it is the first; T by columns.
STC_ALWAYS void couple_columns(const double *a, const double b[3], const double *T,
                               double lightness, bool first, double *block) {
  stc_column t[3], lever, next, last, z, c, before;
  double sign = lightness < 0 ? -1 : 1;
  stc_column_load(&lever, a);
  lever *= sign;
  next = STC_COLUMN_NEXT(lever), last = STC_COLUMN_LAST(lever);
  for (int k = 0; k < 3; k++) stc_column_load(&t[k], T + 3 * k);
  for (int k = 0; k < 3; k++) {
    int i = (k + 1) % 3, j = (k + 2) % 3;
    z = b[j] * t[i] - b[i] * t[j];
    c = STC_COLUMN_NEXT(z) * last - STC_COLUMN_LAST(z) * next;
    c[k] += lightness;
    if (!first) {
      stc_column_load(&before, block + 4 * k);
      c += before;
    }
    stc_column_store(&c, block + 4 * k);
  }
}

/// D <- D^-1 by cofactors. False where a pivot is rounding.
STC_ALWAYS bool invert_columns(double *D) {
  stc_column d[3], r[3], c;
  for (int k = 0; k < 3; k++) stc_column_load(&d[k], D + 4 * k);
  for (int k = 0; k < 3; k++) stc_column_cross(&d[(k + 1) % 3], &d[(k + 2) % 3], &r[k]);
  stc_column product = d[0] * r[0];
  double det = product[0] + product[1] + product[2], minor = r[2][2], scale = 1 / det;
  bool good =
      D[0] > 0 && minor > STC_TREE_PIVOT * D[0] * D[5] && det > STC_TREE_PIVOT * minor * D[10];
  for (int k = 0; k < 3; k++) {
    c = (stc_column){r[0][k], r[1][k], r[2][k], 0} * scale;
    stc_column_store(&c, D + 4 * k);
  }
  return good;
}

/// C = A B, or C -= A B where `from`.
STC_ALWAYS void multiply_columns(const double *A, const double *B, bool from, double *C) {
  stc_column a[3], c[3];
  for (int k = 0; k < 3; k++) stc_column_load(&a[k], A + 4 * k);
  for (int k = 0; k < 3; k++) {
    stc_column sum = a[0] * B[4 * k] + a[1] * B[4 * k + 1] + a[2] * B[4 * k + 2];
    stc_column_load(&c[k], C + 4 * k);
    c[k] = from ? c[k] - sum : sum;
  }
  for (int k = 0; k < 3; k++) stc_column_store(&c[k], C + 4 * k);
}

typedef struct factor_job {
  const stc_mechanism *m;
  const stc_joint_side *left, *right;
  double *block;
  bool good;
} factor_job;

typedef struct solve_job {
  const stc_joint_tree *t;
  int links;
  const double *block;
  double *x;  ///< [4*links]
} solve_job;

STC_ALWAYS void factorise_points_of(void *argument, int piece) {
  factor_job *job = argument;
  const stc_mechanism *m = job->m;
  const stc_joint_tree *t = m->tree;
  double *block = job->block;
  (void)piece;
  for (int k = 0; k < t->couples; k++) {
    const stc_joint_tree_couple *c = &t->couple[k];
    double lightness = m->lightness[c->body];
    couple_columns(job->left[2 * c->left + c->side[0]].lever,
                   job->right[2 * c->right + c->side[1]].lever, m->turn + 9 * (size_t)c->body,
                   c->side[0] == c->side[1] ? lightness : -lightness, c->first, block + c->at);
  }
  for (int p = 0; p < m->links && job->good; p++) {
    double *D = block + t->diagonal[t->order[p]];
    job->good = invert_columns(D);
    for (int e = t->later_ptr[p]; e < t->later_ptr[p + 1]; e++)
      multiply_columns(D, block + t->later[e].upper, false, block + t->later[e].upper);
    for (int u = t->update_ptr[p]; u < t->update_ptr[p + 1]; u++)
      multiply_columns(block + t->later[t->update[u].left].lower,
                       block + t->later[t->update[u].right].upper, true, block + t->update[u].at);
  }
}

/// y = A x, or y -= A x where `from`.
STC_ALWAYS void apply_columns(const double *A, const double *x, bool from, double *y) {
  stc_column a[3], to;
  for (int k = 0; k < 3; k++) stc_column_load(&a[k], A + 4 * k);
  stc_column sum = a[0] * x[0] + a[1] * x[1] + a[2] * x[2];
  stc_column_load(&to, y);
  to = from ? to - sum : sum;
  stc_column_store(&to, y);
}

STC_ALWAYS void solve_points_of(void *argument, int piece) {
  const solve_job *job = argument;
  const stc_joint_tree *t = job->t;
  const double *block = job->block;
  double *x = job->x;
  (void)piece;
  for (int p = 0; p < job->links; p++) {
    double *mine = x + 4 * t->order[p];
    apply_columns(block + t->diagonal[t->order[p]], mine, false, mine);
    for (int e = t->later_ptr[p]; e < t->later_ptr[p + 1]; e++)
      apply_columns(block + t->later[e].lower, mine, true, x + 4 * t->later[e].n);
  }
  for (int p = job->links - 1; p >= 0; p--)
    for (int e = t->later_ptr[p]; e < t->later_ptr[p + 1]; e++)
      apply_columns(block + t->later[e].upper, x + 4 * t->later[e].n, true, x + 4 * t->order[p]);
}

STC_JOB_VARIANTS(factorise_points)
STC_JOB_VARIANTS(solve_points)

bool stc_point_tree_factorise(const stc_mechanism *m, const stc_joint_side *left,
                              const stc_joint_side *right, double *block) {
  factor_job job = {.m = m, .left = left, .right = right, .block = block, .good = true};
  factorise_points(&job, 0);
  return job.good && isfinite(block[m->tree->diagonal[m->tree->order[m->links - 1]]]);
}

void stc_point_tree_solve(const stc_mechanism *m, const double *block, const double *b, double *x) {
  solve_job job = {m->tree, m->links, block, m->tree->space};
  for (int j = 0; j < m->links; j++)
    for (int i = 0; i < 3; i++) job.x[4 * j + i] = b[3 * j + i];
  solve_points(&job, 0);
  for (int j = 0; j < m->links; j++)
    for (int i = 0; i < 3; i++) x[3 * j + i] = job.x[4 * j + i];
}
