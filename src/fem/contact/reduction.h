// A linear step with its closed contacts eliminated:
//   du = T a + p,   A = T^T K T + S^T S,
// where p holds what the closed constraints prescribe and S the resistance of sliding contacts to a
// rotation of their direction. A slave node is seen in a basis of its own, whose first vectors its
// constraints fix; they are the unknowns that A leaves alone (1 on the diagonal, nothing beside).
#ifndef STC_FEM_REDUCTION_H
#define STC_FEM_REDUCTION_H

#include "condensed.h"

// A linear step whose K is too large for a factor: statuses by a primal-dual active set, closed
// contacts eliminated, multigrid on what is left.

/// Statuses and the hierarchy of the last step, kept for the next.
typedef struct stc_large stc_large;

stc_error stc_large_create(stc_large **large);
void stc_large_free(stc_large **large);

/// Forgets the hierarchy: K or H is another one.
void stc_large_reset(stc_large *large);

/// r [count*dim] and du [free] hold the start and receive the answer; v [count*dim] receives gaps
/// and slips. `solves` is raised by the linear solves, `settled` says whether the statuses came to
/// rest.
stc_error stc_large_solve(stc_large *large, const stc_linear_step *step, double *r, double *du,
                          double *v, int *solves, bool *settled);

double stc_large_bytes(const stc_large *large);          ///< held by the hierarchy
int stc_large_setups(const stc_large *large);            ///< hierarchies made so far
double stc_large_setup_seconds(const stc_large *large);  ///< and the time they took

typedef enum stc_large_status {
  STC_LARGE_OPEN,
  STC_LARGE_SLIP,  ///< closed, its shear given; without friction the only closed one
  STC_LARGE_STICK
} stc_large_status;

enum { STC_LARGE_DIM = 3 };

/// A candidate as the elimination sees it.
typedef struct stc_slave {
  stc_large_status status;
  int count;                               ///< free unknowns of the slave node
  int unknown[STC_LARGE_DIM];              ///< [count]
  double B[STC_LARGE_DIM][STC_LARGE_DIM];  ///< [dim][count] rows of H at them
  int rank;                                ///< independent rows of B
  int row[STC_LARGE_DIM];                  ///< [rank] N, T1, T2
  double Q[STC_LARGE_DIM][STC_LARGE_DIM];  ///< [count][count] basis by columns, those rows' first
  double R[STC_LARGE_DIM][STC_LARGE_DIM];  ///< [rank][rank] triangle: B^T = Q R
  int rows;                                ///< the first ones, which the status fixes
  double direction[2];                     ///< of slip, where it slips with friction
  double resistance;                       ///< of a sliding contact to a rotation, force per length
} stc_slave;

typedef struct stc_reduction {
  stc_arena arena, sliding;  ///< of S in the second
  stc_csr T, Tt;             ///< [free x free] and its transpose
  stc_csr S, St;             ///< [sliding x free]
  double *p;                 ///< [free]
  bool *eliminated;          ///< [free]
  bool within;               ///< no master moves: A has the pattern of K, whatever the statuses
  stc_csr A;
} stc_reduction;

/// Finds the slave nodes' parts in H and their bases. STC_ERR_UNSUPPORTED where a slave node
/// belongs to two candidates, or stands among the masters of another.
stc_error stc_reduction_slaves(const stc_linear_step *step, stc_slave *slave);

/// How many components the statuses fix.
void stc_reduction_count(const stc_linear_step *step, stc_slave *slave);

/// Everything that depends on the statuses of the slaves; freed and rebuilt.
stc_error stc_reduction_make(const stc_linear_step *step, const stc_slave *slave, stc_reduction *r);
void stc_reduction_free(stc_reduction *r);

/// The same statuses with other directions and resistances of slip: S and the values of A.
stc_error stc_reduction_rotate(const stc_linear_step *step, const stc_slave *slave,
                               stc_reduction *r);

/// p of the gaps as they are, the rest stays.
void stc_reduction_prescribe(const stc_linear_step *step, const stc_slave *slave, stc_reduction *r);

#endif
