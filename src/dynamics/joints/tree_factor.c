// Block elimination along a tree: with D the block of a joint and N the joints at the body between
// it and the root, which are coupled with each other already,
//   D <- D^-1,   A_jn <- D^-1 A_jn,   A_no <- A_no - A_nj A_jo   for n, o in N.
#include "tree_factor.h"

// Joints of one body that are coupled with each other; more are left to the sparse factor.
enum { MOST_JOINTS = 12 };  // [bound]

static int rows_of(const stc_mechanism *m, int j) { return m->first[j + 1] - m->first[j]; }

/// Whether all rows of a joint say that points meet, in space.
static bool is_point(const stc_mechanism *m, int j) {
  return m->meets[j] == 3 && rows_of(m, j) == 3;
}

// --- The order ---

/// One joint less than bodies, or as many where one holds to an obstacle.
static bool is_tree(const stc_mechanism *m) {
  int outside = 0;
  for (int k = 0; k < 2 * m->links; k++) outside += m->mover_of[k] >= m->bodies;
  for (int j = 0; j < m->links; j++)
    if (m->near_ptr[j + 1] - m->near_ptr[j] > MOST_JOINTS) return false;
  return outside <= 1 && m->links == m->bodies - 1 + outside;
}

/// Joints level by level from `root` on, backwards; before [links]: the one that each was reached
/// from. Returns the one that is furthest.
static int order_from(const stc_mechanism *m, int root, int *order, int *before) {
  int end = m->links, taken = m->links - 1;
  for (int j = 0; j < m->links; j++) before[j] = -1;
  order[--end] = before[root] = root;
  for (; taken >= end; taken--) {
    int j = order[taken];
    for (int e = m->near_ptr[j]; e < m->near_ptr[j + 1]; e++) {
      if (before[m->near[e]] >= 0) continue;
      before[m->near[e]] = j;
      order[--end] = m->near[e];
    }
  }
  return order[0];
}

/// From the middle of the longest way: branches that do not wait for each other, by turns.
static void order_joints(const stc_mechanism *m, int *order, int *before) {
  int one = order_from(m, 0, order, before), other = order_from(m, one, order, before), way = 0;
  for (int j = other; j != one; j = before[j]) way++;
  for (way /= 2; way > 0; way--) other = before[other];
  order_from(m, other, order, before);
}

/// The block of two joints, the first of which is eliminated first.
static int later_of(const stc_joint_tree *t, int position, int n) {
  int e = t->later_ptr[position];
  while (t->later[e].n != n) e++;
  return e;
}

/// Numbers of a block.
static int entries_of(const stc_joint_tree *t, int rows, int columns) {
  return (t->points ? 4 : rows) * columns;
}

/// Lists the later neighbours of all joints, with room for their blocks. position: [links]
static void list_later(const stc_mechanism *m, stc_joint_tree *t, const int *position) {
  for (int p = 0; p < m->links; p++) {
    int j = t->order[p], count = t->later_ptr[p];
    t->diagonal[j] = t->size;
    t->size += entries_of(t, rows_of(m, j), rows_of(m, j));
    for (int e = m->near_ptr[j]; e < m->near_ptr[j + 1]; e++) {
      int n = m->near[e], entries = entries_of(t, rows_of(m, j), rows_of(m, n));
      if (position[n] <= p) continue;
      t->later[count++] = (stc_joint_tree_later){n, t->size, t->size + entries};
      t->size += 2 * entries;
    }
    t->later_ptr[p + 1] = count;
  }
}

static int block_of(const stc_joint_tree *t, const int *position, int row, int column) {
  if (row == column) return t->diagonal[row];
  if (position[row] < position[column]) return t->later[later_of(t, position[row], column)].upper;
  return t->later[later_of(t, position[column], row)].lower;
}

static void list_updates(const stc_mechanism *m, stc_joint_tree *t, const int *position) {
  int count = 0;
  for (int p = 0; p < m->links; p++) {
    for (int a = t->later_ptr[p]; a < t->later_ptr[p + 1]; a++)
      for (int b = t->later_ptr[p]; b < t->later_ptr[p + 1]; b++)
        t->update[count++] =
            (stc_joint_tree_update){a, b, block_of(t, position, t->later[a].n, t->later[b].n)};
    t->update_ptr[p + 1] = count;
  }
}

/// Whether the last couple is the first one of its block.
static void mark_first(stc_joint_tree *t) {
  stc_joint_tree_couple *last = &t->couple[t->couples - 1];
  last->first = true;
  for (int k = t->couples - 2; k >= 0 && last->first; k--)
    last->first = t->couple[k].at != last->at;
}

static void list_couples(const stc_mechanism *m, stc_joint_tree *t, const int *position) {
  for (int j = 0; j < m->links; j++)
    for (int e = m->near_ptr[j]; e < m->near_ptr[j + 1]; e++)
      for (int k = 0; k < 4; k++) {
        int other = m->near[e], side[2] = {k / 2, k % 2}, body = m->mover_of[2 * j + side[0]];
        if (body >= m->bodies || body != m->mover_of[2 * other + side[1]]) continue;
        t->couple[t->couples++] = (stc_joint_tree_couple){
            j, other, {side[0], side[1]}, body, block_of(t, position, j, other), false};
        mark_first(t);
      }
}

static stc_error take_lists(stc_mechanism *m, stc_joint_tree *t) {
  int most = m->near_ptr[m->links];
  t->order = STC_TAKE(&m->arena, int, m->links);
  t->diagonal = STC_TAKE(&m->arena, int, m->links);
  t->later_ptr = STC_TAKE(&m->arena, int, m->links + 1);
  t->update_ptr = STC_TAKE(&m->arena, int, m->links + 1);
  t->later = STC_TAKE(&m->arena, stc_joint_tree_later, most);
  t->update = STC_TAKE(&m->arena, stc_joint_tree_update, (size_t)most * MOST_JOINTS);
  t->couple = STC_TAKE(&m->arena, stc_joint_tree_couple, 2 * (size_t)most);
  return stc_arena_check(&m->arena);
}

stc_error stc_joint_tree_create(stc_mechanism *m) {
  STC_ARENA scratch = {0};
  if (!is_tree(m)) return STC_OK;
  int *position = STC_TAKE(&scratch, int, m->links), *before = STC_TAKE(&scratch, int, m->links);
  stc_joint_tree *t = STC_TAKE(&m->arena, stc_joint_tree, 1);
  STC_TRY(stc_arena_check(&scratch));
  STC_TRY(stc_arena_check(&m->arena));
  STC_TRY(take_lists(m, t));
  order_joints(m, t->order, before);
  for (int p = 0; p < m->links; p++) position[t->order[p]] = p;
  t->points = true;
  for (int j = 0; j < m->links; j++) t->points = t->points && is_point(m, j);
  list_later(m, t, position);
  list_updates(m, t, position);
  list_couples(m, t, position);
  t->space = STC_TAKE(&m->arena, double, 4 * (size_t)m->links);
  STC_TAKE_VECTORS(&m->arena, t->size, ((double **const[]){&t->middle, &t->flight, &t->stops}));
  STC_TRY(stc_arena_check(&m->arena));
  m->tree = t;
  return STC_OK;
}

// --- Values ---

static void couple_rows(const stc_mechanism *m, const stc_joint_tree_couple *c,
                        const stc_joint_tree_rows *rows, double *block) {
  const stc_joint_row *left = rows->left, *right = rows->right;
  int width = rows_of(m, c->right);
  bool mirror = left == right && c->left == c->right && c->side[0] == c->side[1];
  double lightness = m->lightness[c->body] * (c->side[0] == c->side[1] ? 1 : -1);
  for (int k = 0; k < width; k++) {
    const stc_joint_row *b = &right[m->first[c->right] + k];
    double answer[3];
    if (!m->held[m->first[c->right] + k]) continue;
    stc_mul3(m->turn + 9 * (size_t)c->body, b->moment[c->side[1]], answer);
    for (int i = mirror ? k : 0; i < rows_of(m, c->left); i++) {
      const stc_joint_row *a = &left[m->first[c->left] + i];
      if (!m->held[m->first[c->left] + i]) continue;
      double entry =
          lightness * stc_dot3(a->force, b->force) + stc_dot3(a->moment[c->side[0]], answer);
      block[i * width + k] += entry;
      if (mirror && i != k) block[k * width + i] += entry;
    }
  }
}

static void assemble(const stc_mechanism *m, const stc_joint_tree_rows *rows, double *block) {
  const stc_joint_tree *t = m->tree;
  memset(block, 0, (size_t)t->size * sizeof *block);
  for (int k = 0; k < t->couples; k++) {
    const stc_joint_tree_couple *c = &t->couple[k];
    couple_rows(m, c, rows, block + c->at);
  }
  for (int j = 0; j < m->links; j++)
    for (int i = 0, n = rows_of(m, j); i < n; i++)
      block[t->diagonal[j] + i * (n + 1)] += m->compliance[m->first[j] + i];
}

// --- Elimination ---

/// D <- D^-1 by Gauss and Jordan; inlined with constants for the usual sizes.
static inline bool invert_block(int n, double *D) {
  bool good = true;
  double diagonal[STC_JOINT_ROWS + STC_JOINT_COORDINATES];
  for (int p = 0; p < n; p++) diagonal[p] = D[p * n + p];
  for (int p = 0; p < n; p++) {
    double *row = D + p * n, pivot = 1 / row[p];
    good = good && row[p] > STC_TREE_PIVOT * diagonal[p];
    row[p] = 1;
    for (int k = 0; k < n; k++) row[k] *= pivot;
    for (int i = 0; i < n; i++) {
      double *other = D + i * n, factor = other[p];
      if (i == p) continue;
      other[p] = 0;
      for (int k = 0; k < n; k++) other[k] -= factor * row[k];
    }
  }
  return good;
}

/// B <- D B, n x n by n x k.
static inline void multiply_block(int n, int k, const double *D, double *B) {
  for (int c = 0; c < k; c++) {
    double x[STC_JOINT_ROWS + STC_JOINT_COORDINATES];
    for (int i = 0; i < n; i++) x[i] = B[i * k + c];
    for (int i = 0; i < n; i++) {
      double sum = 0;
      for (int j = 0; j < n; j++) sum += D[i * n + j] * x[j];
      B[i * k + c] = sum;
    }
  }
}

/// C -= A B, of sizes n x l and l x k.
static inline void subtract_block(int n, int l, int k, const double *A, const double *B,
                                  double *C) {
  for (int i = 0; i < n; i++)
    for (int c = 0; c < k; c++) {
      double sum = 0;
      for (int j = 0; j < l; j++) sum += A[i * l + j] * B[j * k + c];
      C[i * k + c] -= sum;
    }
}

/// What the joint at place p of the order does.
static bool eliminate_joint(const stc_mechanism *m, int p, double *block) {
  const stc_joint_tree *t = m->tree;
  int n = rows_of(m, t->order[p]);
  double *D = block + t->diagonal[t->order[p]];
  bool good = n == 5 ? invert_block(5, D) : n == 2 ? invert_block(2, D) : invert_block(n, D);
  for (int e = t->later_ptr[p]; e < t->later_ptr[p + 1]; e++)
    multiply_block(n, rows_of(m, t->later[e].n), D, block + t->later[e].upper);
  for (int u = t->update_ptr[p]; u < t->update_ptr[p + 1]; u++) {
    const stc_joint_tree_later *a = &t->later[t->update[u].left],
                               *b = &t->later[t->update[u].right];
    subtract_block(rows_of(m, a->n), n, rows_of(m, b->n), block + a->lower, block + b->upper,
                   block + t->update[u].at);
  }
  return good;
}

bool stc_joint_tree_factorise(const stc_mechanism *m, const stc_joint_tree_rows *rows,
                              double *block) {
  bool good = true;
  if (m->tree->points) return stc_point_tree_factorise(m, rows->left_side, rows->right_side, block);
  assemble(m, rows, block);
  for (int p = 0; p < m->links && good; p++) good = eliminate_joint(m, p, block);
  return good && isfinite(block[m->tree->diagonal[m->tree->order[m->links - 1]]]);
}

/// y -= A x.
static inline void subtract_vector(int n, int l, const double *A, const double *x, double *y) {
  for (int i = 0; i < n; i++) {
    double sum = 0;
    for (int j = 0; j < l; j++) sum += A[i * l + j] * x[j];
    y[i] -= sum;
  }
}

/// x = D x.
static inline void multiply_vector(int n, const double *D, double *x) {
  double y[STC_JOINT_ROWS + STC_JOINT_COORDINATES];
  for (int i = 0; i < n; i++) {
    double sum = 0;
    for (int j = 0; j < n; j++) sum += D[i * n + j] * x[j];
    y[i] = sum;
  }
  for (int i = 0; i < n; i++) x[i] = y[i];
}

static void substitute(const stc_mechanism *m, const double *block, double *x) {
  const stc_joint_tree *t = m->tree;
  for (int p = 0; p < m->links; p++) {
    int j = t->order[p], n = rows_of(m, j);
    multiply_vector(n, block + t->diagonal[j], x + m->first[j]);
    for (int e = t->later_ptr[p]; e < t->later_ptr[p + 1]; e++) {
      int o = t->later[e].n;
      subtract_vector(rows_of(m, o), n, block + t->later[e].lower, x + m->first[j],
                      x + m->first[o]);
    }
  }
  for (int p = m->links - 1; p >= 0; p--) {
    int j = t->order[p], n = rows_of(m, j);
    for (int e = t->later_ptr[p]; e < t->later_ptr[p + 1]; e++) {
      int o = t->later[e].n;
      subtract_vector(n, rows_of(m, o), block + t->later[e].upper, x + m->first[o],
                      x + m->first[j]);
    }
  }
}

void stc_joint_tree_solve(const stc_mechanism *m, const double *block, const double *b, double *x) {
  if (m->tree->points) {
    stc_point_tree_solve(m, block, b, x);
    return;
  }
  if (x != b) memcpy(x, b, (size_t)m->rows * sizeof *x);
  substitute(m, block, x);
}
