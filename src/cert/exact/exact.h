// One connected component of a problem in exact numbers: u = W r + q, joints eliminated.
//   global   (v, l) = x0 + X r    with  K = [M -G^T; G 0],  K X = (H^T, 0),     K x0 = (-f, -b)
//            (lambda, kappa) = Y y with  K' = [M^T -G^T; G 0], K' Y = (H^T, 0)
//   local    l = x0 + X r  with  R X = -V^T,  R x0 = -s;   kappa = Y y  with  R^T Y = -V^T
// W and q are in units of powers of two that bring their largest entries near 1:
// W = 2^unit_W W', q = 2^unit_q q', u = 2^unit_q u', r = 2^(unit_q - unit_W) r'.
#ifndef STC_CERT_EXACT_H
#define STC_CERT_EXACT_H

#include "polygon.h"

#include "../../problem/problem_data.h"

/// The graph of a problem: contacts, joint equations and degrees of freedom by component.
typedef struct stc_parts {
  stc_arena arena;
  int count;     ///< components that hold contacts, numbered first
  int all;       ///< components in all
  int *contact;  ///< [contacts] component of each contact
  int *hidden;   ///< [equalities + dofs] component of each joint equation, then of each dof; -1:
                 ///< the equation follows from others
} stc_parts;

stc_error stc_parts_create(const stc_problem *problem, stc_parts *parts);
void stc_parts_free(stc_parts *parts);

/// Takes joint equations that follow from the others out of their components: hidden becomes -1.
stc_error stc_parts_drop_redundant(const stc_problem *problem, stc_parts *parts);

typedef struct stc_exact {
  stc_arena arena;
  const stc_problem *problem;  ///< while it is made; NULL afterwards
  int dim, contacts, size;
  int all_size, dofs, equalities;  ///< of the problem
  int *contact;                    ///< [contacts] their numbers in the problem, increasing
  double *D;                       ///< [size] 1, mu1[, mu2] per contact; see stc_exact_D
  stc_polygon *polygon;            ///< [contacts] cones that are polyhedral
  bool polyhedral;                 ///< all of them are
  stc_rationals W, q;              ///< [size*size] by rows, [size]
  double *W_float, *q_float;       ///< the same, rounded
  int unit_W, unit_q;
  bool rounded;  ///< W is given, not condensed here: it is known up to rounding only
  int hidden;    ///< unknowns behind the contacts: dofs and joint equations of the component
  int *index;    ///< [hidden] dof, or dofs + joint equation (joint equation in the local form)
  stc_rationals X, Y;    ///< [hidden*size] by rows
  stc_rationals x0;      ///< [hidden]
  int balances, kappas;  ///< dofs and joint equations of the component; 0 in the local form
  double *balance;       ///< [balances*(size + kappas)] by rows: H^T, G^T
} stc_exact;

/// Why there is no exact form of a component.
typedef enum stc_exact_status {
  STC_EXACT_DONE,
  STC_EXACT_SINGULAR,  ///< joints are redundant, or M is singular
  STC_EXACT_LATE       ///< the deadline passed
} stc_exact_status;

/// The exact form of component `part`. *exact is NULL unless *status is STC_EXACT_DONE.
stc_error stc_exact_create(const stc_problem *problem, const stc_parts *parts, int part,
                           stc_exact_status *status, stc_exact **exact);
void stc_exact_free(stc_exact **exact);

/// Coefficient of friction along component k >= 1 of contact c of a problem, 1 for k = 0; of a
/// section the greatest |r_k| / r_N, up to rounding.
double stc_exact_D(const stc_problem *problem, int c, int k);

/// The row of H (global) or W (local) of a problem, dim * contact + component.
const stc_csr *stc_exact_rows(const stc_problem *problem);

/// Number in the problem of entry i of a vector of the component.
static inline int stc_exact_row(const stc_exact *exact, int i) {
  return exact->contact[i / exact->dim] * exact->dim + i % exact->dim;
}

/// The component's r' rounded, in the problem's units, into `whole` [size of the problem].
void stc_exact_round(const stc_exact *exact, const stc_rationals *r, double *whole);

/// full [size of the problem] = the component's r', in the problem's units, zero elsewhere.
stc_error stc_exact_spread_r(const stc_exact *exact, const stc_rationals *r, stc_rationals *full);

/// full [size of the problem] = y, zero elsewhere.
stc_error stc_exact_spread_y(const stc_exact *exact, const stc_rationals *y, stc_rationals *full);

/// (lambda, kappa) of y: lambda [dofs], kappa [equalities].
stc_error stc_exact_hidden_y(const stc_exact *exact, const stc_rationals *y, stc_rationals *lambda,
                             stc_rationals *kappa);

/// (v, l) of the component's r', zero at other components: v [dofs], l [equalities].
stc_error stc_exact_hidden_r(const stc_exact *exact, const stc_rationals *r, stc_rationals *v,
                             stc_rationals *l);

/// (v, l) of a component without reactions, added to v [dofs] and l [equalities].
stc_error stc_exact_add_free(const stc_problem *problem, const stc_parts *parts, int part,
                             stc_exact_status *status, stc_rationals *v, stc_rationals *l);

/// Whether reactions r, in the units of the component, are so large that the rounding of W
/// outweighs a velocity of `least` (in the same units): where W is given and singular but for
/// rounding, they prove nothing. Never in the global form.
bool stc_exact_beyond(const stc_exact *exact, const stc_rationals *r, double least);

/// W r against a velocity: 2^36 leaves 16 bits above the rounding of W.
#define STC_ROUNDING_ROOM 0x1p36

/// u' = W' r' + q'.
stc_error stc_exact_velocity(const stc_exact *exact, const stc_rationals *r, stc_rationals *u);

#endif
