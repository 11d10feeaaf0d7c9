// Contacts of rigid bodies in space, four side by side: no two of a batch touch the same body, so
// that all four are solved at once in a Gauss–Seidel sweep. With M^-1 = C C^T and G = D H C, the
// problem in hat variables is  u = G p + q,  p = G^T z: one set of rows instead of H and M^-1 H^T.
#ifndef STC_SOLVE_LANES4_H
#define STC_SOLVE_LANES4_H

#include "slices.h"

/// Lanes of a batch, bodies a contact touches at most, numbers of a body, and with its padding.
enum {
  STC_LANES4_LANES = 4,
  STC_LANES4_BODIES = 2,
  STC_LANES4_WIDTH = 6,
  STC_LANES4_STRIDE = 8
};  // [size]

/// Contacts past the last that idle lanes of a slice read and write, so that threads do not meet.
enum { STC_LANES4_IDLE = 4 };  // [size]

/// One number of four contacts.
typedef double stc_lane[STC_LANES4_LANES];

/// What a sweep reads of a batch: the contact alone is u_N = a (z_N + g.z_T) + c_N, and
/// u_T = T z_T + g u_N + (c_T - g c_N).
typedef struct stc_batch4 {
  stc_lane G[STC_LANES4_BODIES][3][STC_LANES4_WIDTH];
  stc_lane q[3];
  stc_lane a, inverse_a;  ///< W_NN
  stc_lane g[2];          ///< W_TN / a
  stc_lane T11, T21, T22, inverse_T11, inverse_pivot;
  stc_lane lambda;  ///< slip multiplier, the next solve's start
} stc_batch4;

/// Displacements of four contacts along their normals, beside a batch.
typedef struct stc_push4 {
  stc_lane target;   ///< displacement asked for
  stc_lane impulse;  ///< that makes it; none pulls
} stc_push4;

typedef struct stc_lanes4 {
  const stc_reduced *problem;
  int most;      ///< batches there is room for; 0: the problem is not one for batches
  bool made;     ///< the contacts are in batches, and these hold the numbers of the problem
  bool refused;  ///< they cannot: too few fit together, or a contact has no regular W_cc
  int count;     ///< of batches
  stc_slices slices;
  int first[STC_SLICES + 1];  ///< batch of each slice, and past the last
  int *contact;               ///< [4 count] in idle lanes one past the last, that of the slice
  int *body;          ///< [2][4] per batch: places in p; one past the last body where there is none
  int *place;         ///< [contacts] 4 batch + lane; -1: immovable
  unsigned *waits;    ///< [bodies+1] work space: bit k: some contact of waiting group k
  stc_batch4 *batch;  ///< [count]
  stc_push4 *apart;   ///< [count] work space of displacements
  double *p;          ///< [bodies + slices][STC_LANES4_STRIDE]
} stc_lanes4;

/// Whether the problem may be one for batches: many contacts of rigid bodies in space.
bool stc_lanes4_serve(const stc_reduced *problem);

/// Numbers past the end of z that idle lanes read and write.
size_t stc_lanes4_idle(int contacts);

/// Takes memory if it is; about how much.
size_t stc_lanes4_bytes(const stc_reduced *problem);
stc_error stc_lanes4_take(stc_arena *arena, const stc_reduced *problem, stc_lanes4 *batches);

/// Takes the numbers of the problem with D [size] unless they are there. False: no batches.
bool stc_lanes4_make(stc_lanes4 *batches, const double *D);

/// Forgets the slip multipliers.
void stc_lanes4_reset(stc_lanes4 *batches);

/// Runs task(argument, slice) for all slices, those with a body in common in sequence:
/// every second one first, or last.
void stc_lanes4_run(stc_lanes4 *batches, void (*task)(void *argument, int slice), void *argument,
                    bool forward);

/// p = G^T z, and the part of one slice; z [size + stc_lanes4_idle].
void stc_lanes4_load(stc_lanes4 *batches, const double *z);
void stc_lanes4_push(stc_lanes4 *batches, int slice, const double *z);

/// A pass over the displacements of a range of batches; p is that of the displacements. Returns how
/// far a row was moved at most.
double stc_lanes4_displace(stc_lanes4 *batches, int first, int end, bool forward);

#endif
