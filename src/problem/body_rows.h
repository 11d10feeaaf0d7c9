// Products with rows on bodies: `count` groups of `dim` rows, each on `sides` bodies of `width`
// degrees of freedom, body b having those from b*width on.
#ifndef STC_PROBLEM_BODY_ROWS_H
#define STC_PROBLEM_BODY_ROWS_H

#include <stiction/problem.h>

/// Calls a function that is static inline with the sizes of rigid bodies as constants, where they
/// are that: `d` rows, `n` degrees of freedom.
#define STC_WITH_SIZES(function, d, n, ...)                                                        \
  do {                                                                                             \
    if ((d) == 3 && (n) == 6)                                                                      \
      function(3, 6, __VA_ARGS__);                                                                 \
    else if ((d) == 2 && (n) == 3)                                                                 \
      function(2, 3, __VA_ARGS__);                                                                 \
    else                                                                                           \
      function(d, n, __VA_ARGS__);                                                                 \
  } while (0)

typedef struct stc_body_matrix {
  int count, dim, width, sides;
  stc_body_rows rows;
} stc_body_matrix;

static inline stc_body_matrix stc_body_matrix_of(int count, int dim, int width,
                                                 stc_body_rows rows) {
  return (stc_body_matrix){count, dim, width, rows.sides ? rows.sides : 2, rows};
}

/// The bodies [sides] of a group.
static inline const int *stc_body_pair(const stc_body_matrix *A, int group) {
  return A->rows.body + (ptrdiff_t)A->sides * group;
}

/// Sides of a group in the order of their bodies, those that never move left out; how many.
int stc_body_order(const stc_body_matrix *A, int group, int order[STC_BODY_SIDES]);

/// The block [dim*width] of a group on its body `side`.
static inline const double *stc_body_block(const stc_body_matrix *A, int group, int side) {
  return A->rows.block + ((ptrdiff_t)A->sides * group + side) * A->dim * A->width;
}

/// Row `row` % dim of the group `row` / dim on its body `side`: entries [l * dim], l < width.
static inline const double *stc_body_row(const stc_body_matrix *A, int row, int side) {
  return stc_body_block(A, row / A->dim, side) + row % A->dim;
}

/// u += A v and p += A^T r.
void stc_body_rows_add_velocity(const stc_body_matrix *A, const double *v, double *u);
void stc_body_rows_add_impulse(const stc_body_matrix *A, const double *r, double *p);

#endif
