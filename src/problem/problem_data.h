// What a problem holds. Matrices are CSR in our convention: M v + f = H^T r + G^T l, u = H v + w.
#ifndef STC_PROBLEM_DATA_H
#define STC_PROBLEM_DATA_H

#include "../base/fail.h"
#include "../linalg/blocks.h"
#include "bodies.h"
#include "body_rows.h"

#include <stiction/problem.h>

struct stc_problem {
  stc_arena arena;
  stc_form form;
  int dim;
  int contacts;
  int size;
  int dofs;
  int equalities;
  stc_law *law;                ///< [contacts]
  bool any_law;                ///< some law is not round in any scaling
  stc_cone_section **section;  ///< [sections] its own, freed with it; or NULL
  int sections;
  double *mu;                             ///< [contacts]
  double *mu2;                            ///< [contacts] or NULL
  stc_csr W, V, R;                        ///< local
  double *q, *s;                          ///< local
  stc_csr M, H, G;                        ///< global; G of the bodies form too
  int width;                              ///< bodies: degrees of freedom of each
  double *mass;                           ///< bodies: M, in kg
  stc_body_matrix H_bodies, G_bodies;     ///< bodies
  double *f, *w, *b;                      ///< global and bodies
  stc_bodies bodies;                      ///< count 0: the problem is not made of bodies
  char *title, *description, *math_info;  ///< never NULL
};

/// Takes over the sections [count] that its laws point to, and the array.
void stc_problem_keep_sections(stc_problem *problem, stc_cone_section **section, int count);

/// Frees sections [count] and their array.
void stc_sections_free(stc_cone_section ***section, int count);

/// Whether the problem has velocities v, as the global and the bodies form have.
static inline bool stc_problem_moves(const stc_problem *problem) {
  return problem->form != STC_FORM_LOCAL;
}

static inline bool stc_all_zero(const double *x, size_t count) {
  for (size_t k = 0; k < count; k++)
    if (x[k] != 0) return false;
  return true;
}

/// The blocks of the bodies form, checked, copied and factorised; sizes and w are there.
stc_error stc_problem_take_bodies(stc_problem *problem, const stc_bodies_data *data);

/// Rows on bodies, and their M, as sparse matrices without zeros.
stc_error stc_body_rows_sparse(stc_arena *arena, const stc_body_matrix *A, int cols,
                               stc_csr *sparse);
stc_error stc_body_masses_sparse(stc_arena *arena, const stc_problem *problem, stc_csr *M);

/// y = M v of the bodies form.
void stc_body_masses_multiply(const stc_problem *problem, const double *v, double *y);

/// u += H v, x += H^T r and y = M v in the global and in the bodies form.
void stc_problem_add_velocity(const stc_problem *problem, const double *v, double *u);
void stc_problem_add_impulse(const stc_problem *problem, const double *r, double *x);
void stc_problem_momentum(const stc_problem *problem, const double *v, double *y);

/// Row i of H is zero; of W, and of V where there are joints, in the local form.
bool stc_problem_row_is_zero(const stc_problem *problem, int i);

/// The problem itself, or of bodies their global form, which is the caller's to free in *own.
stc_error stc_problem_with_rows(const stc_problem *problem, stc_problem **own,
                                const stc_problem **rows);

/// The matrices of the local form of a global problem; without joints V and R are empty.
typedef struct stc_condensation {
  stc_csr W, V, R;
} stc_condensation;

/// Condenses a global problem whose M has these factors.
stc_error stc_problem_condense(stc_arena *arena, const stc_problem *problem, const stc_blocks *M,
                               stc_condensation *condensed);

#endif
