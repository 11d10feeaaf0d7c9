// The search over the modes of a component: every node has fixed the modes of some contacts; it is
// closed by a contradiction, by a solution, or stays open.
#ifndef STC_CERT_TREE_H
#define STC_CERT_TREE_H

#include "budget.h"
#include "farkas.h"

typedef enum stc_node_kind {
  STC_NODE_BRANCH,
  STC_NODE_LEAF,      ///< contradiction, y is its proof
  STC_NODE_SOLUTION,  ///< solutions have these modes
  STC_NODE_OPEN       ///< not decided
} stc_node_kind;

typedef struct stc_node {
  stc_node_kind kind;
  stc_mode mode;    ///< that its parent's contact has here
  int contact;      ///< branched on, in the numbers of the component; BRANCH only
  int first, next;  ///< first child, next child of the same parent; -1: none
  int set;          ///< SOLUTION: which
  double *rounded;  ///< LEAF: y [size of the component] where it consists of doubles
  stc_rationals y;  ///< LEAF: y otherwise
  double depth;     ///< LEAF: -q.y / max |y| in the problem's unit of velocity
} stc_node;

typedef struct stc_tree {
  const stc_exact *exact;
  stc_node *node;  ///< [count], the root is node 0
  int count, room;
  int open;      ///< nodes left open
  int leaves;    ///< contradictions
  bool within;   ///< some of them for reactions within STC_FARKAS_REACH only
  size_t bytes;  ///< that their proofs take, about
  double depth;  ///< the least of them
} stc_tree;

/// What a search does where modes are consistent.
typedef struct stc_tree_visitor {
  /// A node with modes at all contacts, in 2D exactly feasible, in 3D with narrow sectors. r, u
  /// [size]: the point of the relaxation. *set becomes the number of a solution set, or -1: none is
  /// known there.
  stc_error (*decided)(void *user, const stc_mode *mode, const double *r, const double *u,
                       int *set);
  /// 3D: a node whose point nearly obeys every law; may look for a solution there. May be NULL.
  stc_error (*promising)(void *user, const stc_mode *mode, const double *r, const double *u);
  bool (*enough)(void *user);  ///< ends the search; or NULL
  void *user;
} stc_tree_visitor;

stc_error stc_tree_search(const stc_exact *exact, stc_budget *budget,
                          const stc_tree_visitor *visitor, stc_tree *tree);
void stc_tree_free(stc_tree *tree);

/// What the proofs of a tree may take together; a leaf that finds no room is left open.
#define STC_TREE_BYTES ((size_t)1 << 30)

/// y [size of the component] of a leaf.
stc_error stc_tree_y(const stc_tree *tree, const stc_node *leaf, stc_rationals *y);

#endif
