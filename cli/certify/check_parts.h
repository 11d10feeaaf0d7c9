// What the parts of the checker share: the problem, what is known while a proof is read, refusals.
#ifndef STICTION_CLI_CHECK_PARTS_H
#define STICTION_CLI_CHECK_PARTS_H

#include <stdio.h>

#include "certificate_check.h"
#include "check_premise.h"
#include "check_rows.h"

typedef struct checker {
  rows p;
  int *owner;          ///< [contacts] number of the part, from 1; negative: never closes
  const value **mode;  ///< [contacts] the child of a tree that gives the mode, or NULL
  number margin;       ///< the margin that the proof claims everywhere, >= 0
  number reach;        ///< of leaves in the local form, see docs/certificates.md; or NULL
  premise *premise;    ///< of the criterion
  number *slack;
  check_result *result;
} checker;

#define REFUSE(...) (snprintf(c->result->why, sizeof c->result->why, __VA_ARGS__), false)

/// Reads a vector [length] of an object; refuses a bad one.
bool read_member(const checker *c, const value *object, const char *name, int length, number *out);

/// D x_T of contact i: two numbers, also in the plane.
void tangent(const rows *p, int i, const number *x, number *out);

/// |t| <= normal
bool in_cone(number normal, const number *t);

/// In the local form: no row of the part is a sum that the rounding of W makes worthless.
bool rounding_allows(const checker *c, int part);

/// The box of a part of round cones holds a solution.
bool box_holds(const checker *c, const value *part, int number_of_part);

// --- Cones over intervals and polygons, of contacts whose p->cone has corners ---

/// y.u >= 0 and r.g <= 0 for all that the mode of contact i allows; y and g are p->x and p->y.
bool polygon_excludes(const checker *c, int i);

/// The children of a node leave out nothing of what contact i may do.
bool polygon_covered(const checker *c, int i, const value *children);

/// r and u of contact i obey its law.
bool polygon_law_holds(const rows *p, int i);

/// u_N - t is not below the shift of u at contact i.
bool polygon_has_margin(const rows *p, int i, number t);
#endif
