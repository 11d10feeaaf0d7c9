// Newton systems (A + B (W + alpha K)) dr = -F with one dim x dim block A, B per contact, solved
//   over contacts:  the closed contacts only (an open one has B = 0 and is known), or
//   over bodies:    (M + H^T (A + alpha K B)^-1 B H) dv = -H^T (A + alpha K B)^-1 F.
#ifndef STC_SOLVE_JACOBIAN_H
#define STC_SOLVE_JACOBIAN_H

#include "../../linalg/lu.h"
#include "../../problem/reduced.h"

#include <float.h>

typedef struct stc_jacobian {
  stc_reduced *problem;
  bool condensed;  ///< over bodies
  double *A, *B;   ///< [contacts*dim*dim] by columns, filled by the method
  double *prox;    ///< [contacts] alpha kappa, filled by the method
  // private
  void *room;  ///< a small system is made in here when it is first used; NULL: it is not small
  size_t room_bytes;
  bool made;
  stc_team *team;
  stc_lu *lu;
  int *size, *ptr, *adj;  ///< pattern: contacts or bodies
  size_t *val_ptr;
  double *val;
  int *source;     ///< over contacts: block of W of each pattern entry, or -1
  int *place;      ///< over bodies: pattern entry of each pair of touches of a contact
  int *place_ptr;  ///< [contacts+1]
  double *C;       ///< over bodies: (A + prox B)^-1 B per contact
  double *E;       ///< over bodies: (A + prox B)^-1 per contact
  bool *open;      ///< [contacts] B = 0
  bool *active;    ///< [nodes] selected now
  bool *wanted;    ///< [nodes]
  bool stale;      ///< the last selection was stopped
  double *x;       ///< right-hand side of the factorisation
  double *scale;   ///< [nodes] rows and columns are factorised times this power of two
  double *g, *h;   ///< [size]
  double *residual, *correction;  ///< [size] for refinement
  double *work;                   ///< [scratch]
  int sign;                       ///< over bodies: of the product of det(A + prox B)
  int replaced;                   ///< pivots replaced in the last factorisation
} stc_jacobian;

/// condensed as in the settings: 1, 0, or -1 for fewer estimated operations. Where both forms are
/// small the system is only reserved, not made: that waits for the first factorisation and then
/// allocates nothing.
stc_error stc_jacobian_create(stc_arena *arena, stc_reduced *problem, int condensed,
                              double memory_limit, stc_jacobian *jacobian);
void stc_jacobian_free(stc_jacobian *jacobian);

/// Whether the system is small in either form.
bool stc_jacobian_is_small(const stc_reduced *problem);

/// The room of a small system may have been used for something else: it is made anew when needed.
void stc_jacobian_forget(stc_jacobian *jacobian);

/// Threads for large products; NULL: none.
void stc_jacobian_set_team(stc_jacobian *jacobian, stc_team *team);

/// Factorises with the A, B, prox as they are now. Where it is stopped (base/stop.h), what is
/// solved for next means nothing: mostly 0.
void stc_jacobian_factorise(stc_jacobian *jacobian);

/// As far as refinement can get.
#define STC_JACOBIAN_EXACT (4 * DBL_EPSILON)  // [rounding]

/// dr = -(A + B (W + prox))^-1 F, refined until what is left of F is below its part `accuracy`.
void stc_jacobian_solve(stc_jacobian *jacobian, const double *F, double accuracy, double *dr);

/// The same from the factors alone, without refinement: cheaper, a few digits less.
void stc_jacobian_apply(stc_jacobian *jacobian, const double *F, double *dr);

/// Sign of the determinant of A + B (W + prox) over the closed contacts.
int stc_jacobian_sign(const stc_jacobian *jacobian);

/// Operations of one factorisation of what is selected, and entries of its factors; all contacts
/// before the first.
double stc_jacobian_flops(stc_jacobian *jacobian);
double stc_jacobian_entries(stc_jacobian *jacobian);

#endif
