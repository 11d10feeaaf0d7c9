// What a problem holds. Matrices are CSR in our convention: M v + f = H^T r + G^T l, u = H v + w.
#ifndef STC_PROBLEM_DATA_H
#define STC_PROBLEM_DATA_H

#include "../base/fail.h"
#include "../linalg/blocks.h"
#include "bodies.h"

#include <stiction/problem.h>

struct stc_problem {
  stc_arena arena;
  stc_form form;
  int dim;
  int contacts;
  int size;
  int dofs;
  int equalities;
  stc_law *law;                           ///< [contacts]
  bool turning;                           ///< some law has spin or rolling
  double *mu;                             ///< [contacts]
  double *mu2;                            ///< [contacts] or NULL
  stc_csr W, V, R;                        ///< local
  double *q, *s;                          ///< local
  stc_csr M, H, G;                        ///< global
  double *f, *w, *b;                      ///< global and bodies
  stc_bodies bodies;                      ///< count 0: the problem is not made of bodies
  char *title, *description, *math_info;  ///< never NULL
};

/// The matrices of the local form of a global problem; without joints V and R are empty.
typedef struct stc_condensation {
  stc_csr W, V, R;
} stc_condensation;

/// Condenses a global problem whose M has these factors.
stc_error stc_problem_condense(stc_arena *arena, const stc_problem *problem, const stc_blocks *M,
                               stc_condensation *condensed);

#endif
