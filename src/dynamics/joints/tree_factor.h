// Factors of matrices G T G^T whose joints make a tree: blocks of joints, eliminated from the
// leaves to the root, so that nothing is filled in.
#ifndef STC_DYNAMICS_TREE_FACTOR_H
#define STC_DYNAMICS_TREE_FACTOR_H

#include "mechanism.h"

/// What two joints are coupled by through a body that both hold, or one joint with itself.
typedef struct stc_joint_tree_couple {
  int left, right, side[2], body;
  int at;      ///< of the block
  bool first;  ///< there
} stc_joint_tree_couple;

/// A block of a joint `n` that is eliminated later, and what the elimination does to other blocks.
typedef struct stc_joint_tree_later {
  int n, upper, lower;  ///< blocks (joint, n) and (n, joint)
} stc_joint_tree_later;

typedef struct stc_joint_tree_update {
  int left, right, at;  ///< entries of the list of later joints, and the block
} stc_joint_tree_update;

/// A pivot below this part of its diagonal entry is rounding.
#define STC_TREE_PIVOT 1e-13  // [rounding]

struct stc_joint_tree {
  bool points;                  ///< all joints are points that meet in space; columns of blocks are
                                ///< padded to four numbers then, and m->turn is by columns
  int *order;                   ///< [links]
  int *diagonal;                ///< [links] blocks
  int *later_ptr, *update_ptr;  ///< [links+1] by order
  stc_joint_tree_later *later;
  stc_joint_tree_update *update;
  int couples;
  stc_joint_tree_couple *couple;
  int size;                         ///< of the blocks
  double *middle, *flight, *stops;  ///< [size] where the bodies are; places, rates of a flight
  double *space;                    ///< [4*links] for a solution, where all joints are points
};

/// NULL in m->tree where the joints make loops, or many meet at a body.
stc_error stc_joint_tree_create(stc_mechanism *m);

/// G by rows, and the sides of joints [links*2], from which those of points that meet are read.
typedef struct stc_joint_tree_rows {
  const stc_joint_row *left, *right;
  const stc_joint_side *left_side, *right_side;
} stc_joint_tree_rows;

/// Factorises left T right^T, T being 1 / mass and m->turn [bodies*9] of each body, with the
/// compliance of coordinates that are held. False where a pivot is rounding.
bool stc_joint_tree_factorise(const stc_mechanism *m, const stc_joint_tree_rows *rows,
                              double *block);

/// x = A^-1 b [rows]; may be the same array.
void stc_joint_tree_solve(const stc_mechanism *m, const double *block, const double *b, double *x);

/// The same where all joints are points (point_factor.c), from their sides.
bool stc_point_tree_factorise(const stc_mechanism *m, const stc_joint_side *left,
                              const stc_joint_side *right, double *block);
void stc_point_tree_solve(const stc_mechanism *m, const double *block, const double *b, double *x);

#endif
