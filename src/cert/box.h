// A box around a point found numerically that must hold a solution in which given contacts are
// open, stick or slip (3D): with F quadratic, F(x + h) = F(x) + J h + Q(h), and Y near J^-1 the map
// h -> h - Y F(x + h) takes |h| <= rho into itself if
//   |Y F(x)| + |I - Y J| rho + |Y| |Q|(rho) < rho    [Krawczyk 1969; Newton–Kantorovich],
// evaluated in rational arithmetic. Brouwer's theorem then gives F(x + h) = 0.
#ifndef STC_CERT_BOX_H
#define STC_CERT_BOX_H

#include "exact/exact.h"

typedef struct stc_box {
  stc_arena arena;
  int contacts;               ///< of the part
  int *contact;               ///< [contacts] increasing
  stc_contact_state *status;  ///< [contacts]
  int m;                      ///< unknowns, in the order of docs/certificates.md
  double *x, *radius;         ///< [m]
  double *inverse;            ///< [m*m] by rows
  double *r;                  ///< [size of the problem] reactions at x
} stc_box;

/// Refines r [size] by Newton's method with the given statuses [contacts] and tries to prove it.
/// *box is NULL where there is no proof.
stc_error stc_box_prove(const stc_problem *problem, const int *contact, int contacts,
                        const stc_contact_state *status, const double *r, stc_box **box);
void stc_box_free(stc_box **box);

#endif
