// The mass matrix of a step: asked from the caller, factorised only where it changed.
#ifndef STC_DYNAMICS_MASS_MATRIX_H
#define STC_DYNAMICS_MASS_MATRIX_H

#include "../../linalg/blocks.h"

typedef struct stc_mass {
  int dofs;
  size_t count;        ///< numbers the caller gives: dofs, or dofs * dofs
  double *asked;       ///< [count] latest answer of the caller
  double *used;        ///< [count] the one that `M` and `blocks` hold
  bool ready;          ///< there is one in use
  bool diagonal;       ///< the one in use is
  stc_arena arena;     ///< of M
  stc_csr M;           ///< in use, without its zeros
  stc_blocks *blocks;  ///< its factors; NULL where it is diagonal
} stc_mass;

stc_error stc_mass_create(stc_arena *arena, int dofs, bool diagonal, stc_mass *mass);
void stc_mass_free(stc_mass *mass);

/// `asked` is finite; it was asked for time t.
stc_error stc_mass_check(const stc_mass *mass, double t);

/// Takes `asked` into use: checks that it is symmetric and positive definite, and factorises it.
stc_error stc_mass_use(stc_mass *mass);

/// x = M^-1 x and y = M x with the mass in use.
stc_error stc_mass_solve(const stc_mass *mass, double *x);
void stc_mass_multiply(const stc_mass *mass, const double *x, double *y);

/// The mass asked last is the one in use.
bool stc_mass_is_used(const stc_mass *mass);

/// u.M u / 2 with the mass asked last.
double stc_mass_kinetic(const stc_mass *mass, const double *u);

#endif
