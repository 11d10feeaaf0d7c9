// A problem as exact rows L x + c. In both forms x = (v, l, r); the equations come first, then the
// velocities u of the contacts:
//   global  (M v - G^T l - H^T r + f,  G v + b,  H v + w)    local  (R l + V^T r + s,  V l + W r +
//   q)
#ifndef STICTION_CLI_ROWS_H
#define STICTION_CLI_ROWS_H

#include <stiction/problem.h>

#include "check_exact.h"

/// A cone over an interval or a polygon, by its rays (1, p): counterclockwise, in the plane the
/// lower one first.
typedef struct cone {
  int corners;  ///< 0: another law, or no friction
  number *p;    ///< [2*corners]
} cone;

typedef struct rows {
  bool local;                                    ///< the form
  int dim, contacts, dofs, joints, first, size;  ///< first: equations; size: all rows
  int entries, *row, *col, *link;                ///< of L; link [size]: a row of the same component
  double *entry, *constant, (*mu)[2];            ///< L, c, coefficients of each contact, of a
                                                 ///< section bounds of |r_k| / r_N
  cone *cone;                                    ///< [contacts]
  number *x, *y;                                 ///< [size] arguments and results
} rows;

/// False if a law is not frictionless, Coulomb's, elliptic, or a section that is an interval or
/// exactly a convex polygon around 0.
bool rows_load(rows *p, const stc_problem *problem);
int rows_component(const rows *p, int row);  ///< a row that stands for the component of this one
void rows_evaluate(const rows *p);           ///< y = L x + c
number rows_combine(const rows *p);          ///< y = L^T x: the rows with weights x; returns c.x

/// *sum += a x
void add_to(number *sum, double a, number x);
/// Pairs [index, number], increasing; a vector that is absent is zero; false if it is malformed.
bool read_vector(const value *list, int length, number *out);
#endif
