// Joints eliminated: l = -R^+ (V^T r + s), W_eff = W - V R^+ V^T. R^+ is exact on the range of R;
// a right-hand side off that range means joints that contradict each other.
#include "reduced_joints.h"

#include "../../base/stop.h"
#include "../../linalg/graph.h"

#include <float.h>
#include <limits.h>
#include <math.h>
#include <string.h>

// Added to the diagonal of R, relative to its largest entry: far above rounding, so that redundant
// joints leave a positive pivot, and far below the spectrum, so that refinement takes a few steps.
static const double SHIFT = 1e-12;

// A right-hand side is off the range of R if this part of it is: the square root of rounding, since
// data of joints come from assemblies and files that have lost a few digits.
static const double RANGE_TOL = 1e-8;

// An entry of W_eff below this part of sqrt(W_ii W_jj), its bound before elimination, is what
// rounding leaves of an exact zero: the joints hold that direction.
static const double CANCELLED = 1e-13;

static stc_error copy(stc_arena *arena, const char *name, const stc_csr *A, stc_csr *B) {
  stc_matrix view = stc_csr_view(A);
  return stc_csr_from_matrix(arena, name, &view, A->rows, A->cols, B);
}

static void apply_scaling(stc_joints *joints) {
  stc_csr *V = &joints->V, *R = &joints->R;
  const double *d = joints->d;
  for (int i = 0; i < V->rows; i++)
    for (int k = V->ptr[i]; k < V->ptr[i + 1]; k++) V->val[k] *= d[V->col[k]];
  for (int i = 0; i < R->rows; i++)
    for (int k = R->ptr[i]; k < R->ptr[i + 1]; k++) R->val[k] *= d[i] * d[R->col[k]];
}

stc_error stc_joints_create(stc_arena *arena, const stc_csr *V, const stc_csr *R,
                            stc_joints *joints) {
  *joints = (stc_joints){.count = R->rows};
  STC_TRY(copy(arena, "V", V, &joints->V));
  STC_TRY(copy(arena, "R", R, &joints->R));
  joints->d = STC_TAKE(arena, double, R->rows);
  joints->b = STC_TAKE(arena, double, R->rows);
  joints->gap = STC_TAKE(arena, double, R->rows);
  STC_TRY(stc_arena_check(arena));
  // d_k = 2^-h with R_kk / 4^h in [1/2, 2).
  double *d = joints->d;
  for (int k = 0; k < R->rows; k++) {
    int exponent = 0;
    frexp(stc_csr_entry(R, k, k), &exponent);
    d[k] = ldexp(1, -(int)floor(exponent / 2.0));
  }
  apply_scaling(joints);
  return stc_sparse_factor(&joints->R, "R (joints)", NULL, SHIFT, &joints->factor);
}

void stc_joints_free(stc_joints *joints) { stc_sparse_free(&joints->factor); }

double stc_joints_size(const stc_joints *joints, const double *s) {
  double size = 0;
  for (int k = 0; k < joints->count; k++) size = fmax(size, fabs(joints->d[k] * s[k]));
  return size;
}

/// What rounding of R and of the product leaves of row k of R x. Where R is regular but for 1e-9,
/// by masses of very different size, x is large and so is this; where b is off the range, x is b
/// over the shift, and this is a thousandth of b.
static double rounding_of(const stc_csr *R, const double *x, int k) {
  enum { OPERATIONS = 8 };
  double sum = 0;
  for (int e = R->ptr[k]; e < R->ptr[k + 1]; e++) sum += fabs(R->val[e] * x[R->col[e]]);
  return OPERATIONS * DBL_EPSILON * sum;
}

/// x = R^+ b in scaled units; *worst is the equation furthest off the range of R, or -1 if none is
/// off by more than `limit` and rounding.
static stc_error solve_checked(const stc_joints *joints, const double *b, double limit, double *x,
                               int *worst) {
  STC_TRY(stc_sparse_solve(joints->factor, 1, b, x, 0, NULL));
  stc_csr_multiply(&joints->R, x, 0, joints->gap);
  *worst = -1;
  double largest = 0;
  for (int k = 0; k < joints->count; k++) {
    bool empty = stc_csr_entry(&joints->R, k, k) == 0;
    double gap = fabs(b[k] - joints->gap[k]);
    double allowed = empty ? 0 : limit + rounding_of(&joints->R, x, k);
    if (gap <= allowed || gap <= largest) continue;
    largest = gap;
    *worst = k;
  }
  return STC_OK;
}

static void scale_into(const stc_joints *joints, double factor, const double *x, double *y) {
  for (int k = 0; k < joints->count; k++) y[k] = factor * joints->d[k] * x[k];
}

stc_error stc_joints_settle(const stc_joints *joints, const double *s, double energy, double *l) {
  scale_into(joints, 1, s, joints->b);
  double size = fmax(energy, stc_joints_size(joints, s));
  int worst = -1;
  STC_TRY(solve_checked(joints, joints->b, RANGE_TOL * size, l, &worst));
  if (worst >= 0)
    return stc_fail(STC_ERR_VALUE,
                    "joint equation %d contradicts the others: its right-hand side is off the "
                    "range of R by %g; remove it or make the right-hand sides agree",
                    worst, fabs(joints->b[worst] - joints->gap[worst]) / joints->d[worst]);
  scale_into(joints, -1, l, l);
  return STC_OK;
}

stc_error stc_joints_solve(const stc_joints *joints, const double *s, double *l) {
  scale_into(joints, 1, s, joints->b);
  STC_TRY(stc_sparse_solve(joints->factor, 1, joints->b, l, 0, NULL));
  scale_into(joints, -1, l, l);
  return STC_OK;
}

// --- W - V R^+ V^T ---

/// Contacts that feel each other through joints: group g holds member[ptr[g]] .. member[ptr[g+1]],
/// increasing.
typedef struct groups {
  int *of;  ///< [contacts] group of a contact, -1: touches no joint
  int *ptr;
  int *member;
} groups;

/// part[k]: number of the set of joint equations that k belongs to, coupled through R or a contact.
static void number_joints(const stc_joints *joints, int dim, int *part) {
  const stc_csr *V = &joints->V;
  stc_graph_start(part, joints->count);
  stc_graph_join_matrix(part, &joints->R, 0, 0);
  for (int c = 0; c < V->rows / dim; c++)
    for (int k = V->ptr[c * dim] + 1; k < V->ptr[(c + 1) * dim]; k++)
      stc_graph_join(part, V->col[k - 1], V->col[k]);
  stc_graph_number(part, joints->count);
}

static stc_error group_contacts(const stc_joints *joints, int dim, stc_arena *arena, groups *g) {
  const stc_csr *V = &joints->V;
  int contacts = V->rows / dim;
  int *part = STC_TAKE(arena, int, joints->count);
  *g = (groups){.of = STC_TAKE(arena, int, contacts),
                .ptr = STC_TAKE(arena, int, (size_t)joints->count + 2),
                .member = STC_TAKE(arena, int, contacts)};
  STC_TRY(stc_arena_check(arena));
  number_joints(joints, dim, part);
  for (int c = 0; c < contacts; c++) {
    int first = V->ptr[c * dim];
    bool touches = first < V->ptr[(c + 1) * dim];
    g->of[c] = touches ? part[V->col[first]] : -1;
  }
  stc_graph_list_members(contacts, g->of, joints->count, g->ptr, g->member);
  return STC_OK;
}

/// Columns of row c of W_eff: those of W and those of the group of c. Counts only if col is NULL.
static int merge_row(const stc_bsr *W, const groups *g, int c, int *col) {
  int a = W->ptr[c], a_end = W->ptr[c + 1], count = 0;
  int b = g->of[c] < 0 ? 0 : g->ptr[g->of[c]], b_end = g->of[c] < 0 ? 0 : g->ptr[g->of[c] + 1];
  while (a < a_end || b < b_end) {
    int next_a = a < a_end ? W->col[a] : INT_MAX, next_b = b < b_end ? g->member[b] : INT_MAX;
    int next = next_a < next_b ? next_a : next_b;
    if (col) col[count] = next;
    count++;
    a += next_a == next;
    b += next_b == next;
  }
  return count;
}

static stc_error take_pattern(const stc_bsr *W, const groups *g, stc_arena *arena, stc_bsr *B) {
  size_t blocks = 0;
  for (int c = 0; c < W->rows; c++) {
    int count = merge_row(W, g, c, NULL);
    blocks += (size_t)count;
    STC_TRY(stc_stop_try(count));
  }
  if (blocks > INT_MAX)
    return stc_fail(STC_ERR_UNSUPPORTED,
                    "W has %zu blocks once the joints are eliminated, more than %d: split the "
                    "problem into its connected components",
                    blocks, INT_MAX);
  STC_TRY(stc_bsr_take(arena, W->rows, W->dim, blocks, true, B));
  for (int c = 0; c < W->rows; c++) {
    B->ptr[c + 1] = B->ptr[c] + merge_row(W, g, c, B->col + B->ptr[c]);
    STC_TRY(stc_stop_try(B->ptr[c + 1] - B->ptr[c]));
  }
  return STC_OK;
}

static stc_error copy_blocks(const stc_bsr *W, stc_bsr *B) {
  size_t area = (size_t)(W->dim * W->dim);
  for (int c = 0; c < W->rows; c++) {
    STC_TRY(stc_stop_try(B->ptr[c + 1] - B->ptr[c]));
    for (int at = B->ptr[c], from = W->ptr[c]; at < B->ptr[c + 1]; at++) {
      if (B->col[at] == c) B->diag[c] = at;
      if (from == W->ptr[c + 1] || W->col[from] != B->col[at]) continue;
      memcpy(B->val + (size_t)at * area, W->val + (size_t)from * area, area * sizeof *B->val);
      from++;
    }
  }
  return STC_OK;
}

static int find_block(const stc_bsr *B, int row, int col) {
  return stc_first_from(B->col, B->ptr[row], B->ptr[row + 1] - 1, col);
}

static double *entry_reduced_joints(stc_bsr *B, int block, int k, int l) {
  return B->val + (size_t)block * (size_t)(B->dim * B->dim) + l * B->dim + k;
}

static double row_dot(const stc_csr *A, int row, const double *x) {
  double sum = 0;
  for (int k = A->ptr[row]; k < A->ptr[row + 1]; k++) sum += A->val[k] * x[A->col[k]];
  return sum;
}

static double subtract(double value, double change, double bound) {
  double left = value - change;
  return fabs(left) <= CANCELLED * bound ? 0 : left;
}

/// Row k of contact c, with x = R^+ V_ck: takes V_j x from the blocks (c, j) and (j, c), j >= c.
static void subtract_row(const stc_joints *joints, const groups *g, const double *root, int c,
                         int k, const double *x, stc_bsr *B) {
  int dim = B->dim;
  for (int m = g->ptr[g->of[c]]; m < g->ptr[g->of[c] + 1]; m++) {
    int j = g->member[m];
    if (j < c) continue;
    int upper = find_block(B, c, j), lower = find_block(B, j, c);
    for (int l = j == c ? k : 0; l < dim; l++) {
      double change = row_dot(&joints->V, j * dim + l, x);
      double bound = root[c * dim + k] * root[j * dim + l];
      double *above = entry_reduced_joints(B, upper, k, l),
             *below = entry_reduced_joints(B, lower, l, k);
      *above = subtract(*above, change, bound);
      if (above != below) *below = subtract(*below, change, bound);
    }
  }
}

/// x = R^+ V_i^T.
static stc_error joint_response(const stc_joints *joints, int dim, int i, double root, double *b,
                                double *x) {
  const stc_csr *V = &joints->V;
  double size = root;
  memset(b, 0, (size_t)joints->count * sizeof *b);
  for (int k = V->ptr[i]; k < V->ptr[i + 1]; k++) {
    b[V->col[k]] = V->val[k];
    size = fmax(size, fabs(V->val[k]));
  }
  int worst = -1;
  STC_TRY(solve_checked(joints, b, RANGE_TOL * size, x, &worst));
  if (worst < 0) return STC_OK;
  return stc_fail(STC_ERR_VALUE,
                  "contact %d pushes on joint equation %d, which R cannot answer: row %d of V is "
                  "off the range of R; check V and R",
                  i / dim, worst, i);
}

/// Operations per joint equation of a response and of what is subtracted for it, about.
static const double RESPONSE = 200;

static stc_error subtract_joints(const stc_joints *joints, const groups *g, const double *root,
                                 double *b, double *x, stc_bsr *B) {
  for (int i = 0; i < joints->V.rows; i++) {
    if (joints->V.ptr[i] == joints->V.ptr[i + 1]) continue;
    STC_TRY(stc_stop_try(RESPONSE * joints->count));
    STC_TRY(joint_response(joints, B->dim, i, root[i], b, x));
    subtract_row(joints, g, root, i / B->dim, i % B->dim, x, B);
  }
  return STC_OK;
}

static stc_error eliminate_reduced_joints(const stc_joints *joints, const stc_bsr *W,
                                          stc_arena *scratch, stc_arena *arena, stc_bsr *B) {
  int size = W->rows * W->dim;
  double *root = STC_TAKE(scratch, double, size);
  double *b = STC_TAKE(scratch, double, joints->count);
  double *x = STC_TAKE(scratch, double, joints->count);
  STC_TRY(stc_arena_check(scratch));
  groups g;
  STC_TRY(group_contacts(joints, W->dim, scratch, &g));
  STC_TRY(take_pattern(W, &g, arena, B));
  STC_TRY(copy_blocks(W, B));
  for (int i = 0; i < size; i++) {
    int c = i / W->dim, k = i % W->dim;
    root[i] = sqrt(fmax(0, *entry_reduced_joints(B, B->diag[c], k, k)));
  }
  return subtract_joints(joints, &g, root, b, x, B);
}

stc_error stc_joints_eliminate(const stc_joints *joints, const stc_bsr *W, stc_arena *arena,
                               stc_bsr *B) {
  stc_arena scratch = {0};
  stc_error error = eliminate_reduced_joints(joints, W, &scratch, arena, B);
  stc_arena_free(&scratch);
  return error;
}
