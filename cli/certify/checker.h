// What the parts of the checker share. Both forms of a problem are rows L x + c,
//   global  (M v - G^T l - H^T r + f,  G v + b,  H v + w)   local  (R l + V^T r + s,  V l + W r +
//   q)
// with x = (v, l, r): equations first, then the velocities u of the contacts.
#ifndef STICTION_CLI_CHECKER_H
#define STICTION_CLI_CHECKER_H

#include <stdint.h>

#include "check.h"
#include "exact.h"
#include "value.h"

typedef struct checker {
  bool local;                                    ///< the form
  int dim, contacts, dofs, joints, first, size;  ///< first: equations; size: all rows
  int entries, *row, *col;                       ///< L
  double *entry, *constant, (*mu)[2];            ///< L, c, coefficients of each contact
  int *link;                                     ///< [size] a row of the same component
  int *owner;          ///< [contacts] number of the part, from 1; negative: never closes
  const value **mode;  ///< [contacts] the child of a tree that gives the mode, or NULL
  number *x, *y;       ///< [size]
  mpq_t margin;        ///< the least so far ...
  bool measured;       ///< ... if there is one
  check_result *result;
} checker;

/// Stores the sentence; false.
bool refuse(const checker *c, const char *format, ...) STC_PRINTF(2, 3);

void checker_load(checker *c, const stc_problem *problem);
int component(const checker *c, int row);  ///< a row that stands for the component of this one

/// FNV-1a goes on from h.
uint64_t hash_bytes(uint64_t h, const char *bytes, size_t count);
uint64_t hash_problem(const checker *c, const stc_problem *problem, uint64_t h);

/// A vector, or the member of that name (absent: zero); false and a sentence if it is none.
bool read_vector(const checker *c, const value *list, int length, number *out);
bool read_member(const checker *c, const value *object, const char *name, int length, number *out);

/// c->y = L c->x + c
void evaluate(const checker *c);
/// The same at (v, l, r) of a part; false unless the equations from row `least` on hold.
bool evaluate_point(const checker *c, const value *part, int least);
/// In the local form: no row of the part is a sum that the rounding of W makes worthless.
bool rounding_allows(const checker *c, int part_number);
/// c->y = L^T c->x; returns c.(c->x): a combination of rows with the weights c->x.
number combine(const checker *c);

/// D x_T of contact i: two numbers, also in the plane.
void tangent(const checker *c, int i, const number *x, number *out);
bool in_cone(number normal, const number *p);  ///< |p| <= normal
number cross(const number *a, const number *b);

void keep_least(checker *c, number margin);

bool leaf_holds(checker *c, const value *leaf);
/// A leaf may be one of `sets` solution sets instead of a contradiction.
bool node_holds(checker *c, const value *node, int sets);

/// The proofs of a part, the contacts of which have the owner `part_number`.
bool criterion_holds(checker *c, const value *part, int part_number, bool strict);
bool solution_holds(const checker *c, const value *part, int part_number);
bool box_holds(const checker *c, const value *part, int part_number);
#endif
