// The discrete Coulomb problem, its judge and its files.
//   bodies   the global form, M being blocks of bodies, rows of H and G on few bodies each
//   global   M v + f = H^T r + G^T l,   G v + b = 0,   u = H v + w
//   local    u = W r + V l + q,         V^T r + R l + s = 0
// and at every contact i the pair (u_i, r_i) obeys its law. G, b (V, R, s) are joints; often
// absent. Sizes: dim = 2 to 5, size = dim * contacts, components per contact in the order N, T1[,
// T2], then the spin or the rolling of laws that have them.
#ifndef STICTION_PROBLEM_H
#define STICTION_PROBLEM_H

#include <stiction/law.h>
#include <stiction/linalg.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct stc_problem stc_problem;

typedef enum stc_form { STC_FORM_LOCAL, STC_FORM_GLOBAL, STC_FORM_BODIES } stc_form;

/// u = W r + V l + q and V^T r + R l + s = 0. Arrays are copied.
typedef struct stc_local_data {
  int dim;
  int contacts;
  int equalities;      ///< rows of R; 0 if there are no joints
  stc_matrix W;        ///< [size x size], positive semi-definite, usually symmetric; m/s per N s
  stc_matrix V;        ///< [size x equalities]
  stc_matrix R;        ///< [equalities x equalities], symmetric positive semi-definite
  const double *q;     ///< [size], m/s
  const double *s;     ///< [equalities]
  const double *mu;    ///< [contacts], along T1 (and T2 if mu2 is NULL)
  const double *mu2;   ///< [contacts] along T2 (3D), or NULL: isotropic
  const stc_law *law;  ///< [contacts] of dimension dim; mu and mu2 are not read then. NULL: coulomb
                       ///< laws, elliptic where mu2 differs from mu
} stc_local_data;

/// M v + f = H^T r + G^T l, G v + b = 0, u = H v + w. Arrays are copied.
typedef struct stc_global_data {
  int dim;
  int contacts;
  int dofs;
  int equalities;      ///< rows of G; 0 if there are no joints
  stc_matrix M;        ///< [dofs x dofs], positive definite, symmetric but for gyroscopic terms
  stc_matrix H;        ///< [size x dofs]
  stc_matrix G;        ///< [equalities x dofs]
  const double *f;     ///< [dofs]
  const double *w;     ///< [size]
  const double *b;     ///< [equalities]
  const double *mu;    ///< [contacts]
  const double *mu2;   ///< [contacts] along T2 (3D), or NULL: isotropic
  const stc_law *law;  ///< [contacts] of dimension dim; mu and mu2 are not read then. NULL: coulomb
                       ///< laws, elliptic where mu2 differs from mu
  const double
      *frame;  ///< [contacts*dim*dim] or NULL. Rows e, t1[, t2] of an orthonormal basis per
               ///< contact in which the rows of H and w, given in space axes, are expressed
} stc_global_data;

enum { STC_BODY_SIDES = 4 };  ///< most bodies of a row

/// Rows on few bodies: the dim rows of each contact, or the one of each joint equation.
typedef struct stc_body_rows {
  const int *body;      ///< [count*sides] from 0; -1: it never moves, and its block is not read
  const double *block;  ///< [count*sides] blocks, rows x width by columns: what the velocities of
                        ///< the body add to u
  int sides;            ///< bodies of a contact or equation, up to STC_BODY_SIDES; 0: two
} stc_body_rows;

/// Bodies, contacts and joints as they are: the global form in which body b has the velocities
/// v[b*width] .. v[b*width + width-1]. Arrays are copied.
typedef struct stc_bodies_data {
  int dim;
  int contacts;
  int bodies;
  int width;           ///< degrees of freedom of a body: 6 in space, 3 in the plane; up to 64
  int equalities;      ///< joint equations; 0 if there are no joints
  const double *M;     ///< [bodies*width*width] by columns; rigid: mass times 1, then the inertia
  const double *f;     ///< [bodies*width]
  stc_body_rows H;     ///< [contacts] dim x width, of different bodies
  const double *w;     ///< [dim*contacts]
  stc_body_rows G;     ///< [equalities] 1 x width
  const double *b;     ///< [equalities]
  const double *mu;    ///< [contacts]
  const double *mu2;   ///< [contacts] along T2 (3D), or NULL: isotropic
  const stc_law *law;  ///< [contacts] of dimension dim; mu and mu2 are not read then. NULL: coulomb
                       ///< laws, elliptic where mu2 differs from mu
  const double *frame;  ///< [contacts*dim*dim] or NULL, as in stc_global_data
} stc_bodies_data;

/// A solution or a guess. In calls that fill it, any pointer but r may be NULL.
typedef struct stc_solution {
  double *r;  ///< [size] reactions (impulses, N s)
  double *u;  ///< [size] relative velocities
  double *v;  ///< [dofs] generalised velocities; not in the local form
  double *l;  ///< [equalities] multipliers of the joints
} stc_solution;

/// New numbers for the same structure; NULL keeps the old ones.
typedef struct stc_update {
  const double *q;   ///< [size], local form
  const double *f;   ///< [dofs], global and bodies form
  const double *w;   ///< [size], global and bodies form
  const double *mu;  ///< [contacts]; along T1 and T2; an elliptic law keeps its ratio
} stc_update;

/// What the judge finds. Everything is recomputed from r; |r| is never a denominator.
typedef struct stc_residual {
  double eta;               ///< scale-invariant residual (docs/notation.md)
  double eta_max;           ///< largest contact term of eta, times sqrt(contacts)
  double fclib_error;       ///< |F_nat| / |q|, absolute where q = 0
  int worst_contact;        ///< contact of eta_max; -1 without contacts
  double interpenetration;  ///< max(0, -min u_N), m/s
  double cone_violation;    ///< largest max(0, |D^-1 r_T| - r_N), N s; |r - P_K(r)| for laws with
                            ///< spin or rolling
  double dissipation;       ///< r . u <= 0: what friction takes, J per step
  double dynamics;    ///< |M v + f - H^T r - G^T l| / (|M v| + |f| + |H^T r| + |G^T l|); 0: local
  double equality;    ///< |G v + b| / (|G v|_abs + |b|), or the local twin; 0 without joints
  double kinematics;  ///< distance of the u given to the u recomputed, as eta; 0 if not given
  double norm_r;      ///< |r|
  double norm_q;      ///< |q|, joints eliminated
  int open, stick, slip, violated;  ///< contacts by state
} stc_residual;

/// Checks and copies. On failure *problem is NULL and stc_error_detail() names the first bad entry.
STC_API stc_error stc_problem_create_local(const stc_local_data *data, stc_problem **problem);
STC_API stc_error stc_problem_create_global(const stc_global_data *data, stc_problem **problem);
STC_API stc_error stc_problem_create_bodies(const stc_bodies_data *data, stc_problem **problem);
STC_API void stc_problem_free(stc_problem **problem);

STC_API stc_form stc_problem_form(const stc_problem *problem);
STC_API const char *stc_form_name(stc_form form);  ///< "local", "global", "bodies"
STC_API int stc_problem_dim(const stc_problem *problem);
STC_API int stc_problem_contacts(const stc_problem *problem);
STC_API int stc_problem_size(const stc_problem *problem);        ///< dim * contacts
STC_API int stc_problem_dofs(const stc_problem *problem);        ///< 0 in the local form
STC_API int stc_problem_equalities(const stc_problem *problem);  ///< number of joint equations
STC_API const stc_law *stc_problem_law(const stc_problem *problem, int contact);

/// Views on what the problem holds (matrices as CSR). A field absent from the form is all zero or
/// NULL: of bodies the global view has the vectors, but no matrices.
STC_API stc_local_data stc_problem_local_data(const stc_problem *problem);
STC_API stc_global_data stc_problem_global_data(const stc_problem *problem);
STC_API stc_bodies_data stc_problem_bodies_data(const stc_problem *problem);

/// Title, description and mathematical notes (FCLIB's info group). NULL on setting keeps the old
/// text.
typedef struct stc_problem_text {
  const char *title;
  const char *description;
  const char *math_info;
} stc_problem_text;
STC_API stc_problem_text stc_problem_get_text(const stc_problem *problem);
STC_API stc_error stc_problem_set_text(stc_problem *problem, const stc_problem_text *text);

/// The local form of a problem (W = H M^-1 H^T, joints kept as V, R, s); a copy of a local one.
STC_API stc_error stc_problem_to_local(const stc_problem *problem, stc_problem **local);

/// The blocks of the bodies form written as sparse matrices; a copy of a global problem. Of a local
/// one without joints a problem whose condensation it is (M = I, H H^T = W): needs a symmetric W,
/// and its dofs are the rank of W.
STC_API stc_error stc_problem_to_global(const stc_problem *problem, stc_problem **global);

/// The bodies form of a global problem whose M is made of blocks of one size, their degrees of
/// freedom in a row, and whose rows touch two of them at most. STC_ERR_UNSUPPORTED says what does
/// not fit; a local problem has no bodies.
STC_API stc_error stc_problem_to_bodies(const stc_problem *problem, stc_problem **bodies);

/// component[c] = number of the connected component of contact c, from 0 in order of appearance.
/// Contacts are connected through W; immovable bodies connect nothing. component may be NULL.
STC_API stc_error stc_problem_components(const stc_problem *problem, int *component, int *count);

/// Names the data: 32 hexadecimal digits and a zero, the same for the same numbers and for no
/// others but by chance; bodies have the name of their global form. Title, description and guess do
/// not count.
STC_API void stc_problem_fingerprint(const stc_problem *problem, char text[33]);

/// The judge. Only solution->r is needed; u, v, l are compared with what r implies where given.
STC_API stc_error stc_problem_residual(const stc_problem *problem, const stc_solution *solution,
                                       stc_residual *residual);

/// u, v, l that belong to r, for the pointers of `solution` that are not NULL.
STC_API stc_error stc_problem_complete(const stc_problem *problem, const stc_solution *solution);

/// State of each contact [contacts] and its term of eta [contacts]; either may be NULL.
/// `tol` is relative to the denominator of eta.
STC_API stc_error stc_problem_classify(const stc_problem *problem, const double *r, double tol,
                                       stc_contact_state *state, double *term);

/// Facts about a problem, for `stiction info`. A number that is too dear to compute is NAN or -1.
typedef struct stc_stats {
  int bodies;             ///< of the bodies form, or blocks of M; 0 in the local form
  int components;         ///< connected components of the contact graph
  int largest_component;  ///< contacts in the largest one
  int immovable;          ///< contacts with W_ii = 0
  double blocks_per_row;  ///< mean number of contacts coupled to one, itself included
  double mu_min, mu_max;
  double asymmetry;       ///< max |W - W^T| / max |W|
  int rank;               ///< of W, joints eliminated; -1 above `rank_limit` rows
  double condition;       ///< largest / smallest non-zero singular value of W; NAN above the limit
  double diagonal_ratio;  ///< max kappa / min non-zero kappa
} stc_stats;
STC_API stc_error stc_problem_stats(const stc_problem *problem, int rank_limit, stc_stats *stats);

/// FCLIB files (HDF5). Reading refuses what does not fit with a sentence; writing is atomic. FCLIB
/// has no bodies: they are written in their global form.
STC_API stc_error stc_problem_read(const char *path, stc_problem **problem);

/// Writes the problem and, where not NULL, its solution.
STC_API stc_error stc_problem_write(const stc_problem *problem, const stc_solution *solution,
                                    const char *path);

/// What a file holds besides the problem. Arrays of length as in stc_solution, NULL if not stored;
/// STC_ERR_FORMAT if one has another length, holds NaN, or was never written, or only in part.
/// Free with stc_solution_free.
STC_API stc_error stc_solution_read(const char *path, const stc_problem *problem,
                                    stc_solution *solution);

/// Initial guesses stored in a file: `*count` of them (may be 0). Free with stc_guesses_free.
STC_API stc_error stc_guesses_read(const char *path, const stc_problem *problem,
                                   stc_solution **guesses, int *count);
/// Adds guesses to an FCLIB file; atomic; replaces those that are there.
STC_API stc_error stc_guesses_write(const char *path, const stc_problem *problem,
                                    const stc_solution *guesses, int count);
STC_API void stc_solution_free(stc_solution *solution);
STC_API void stc_guesses_free(stc_solution **guesses, int count);

#ifdef __cplusplus
}
#endif
#endif
