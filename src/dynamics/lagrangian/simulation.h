// What the parts of a simulation share: the state, the step in the making, the ledger.
#ifndef STC_DYNAMICS_SIMULATION_H
#define STC_DYNAMICS_SIMULATION_H

#include "../../linalg/blocks.h"
#include "../ledger.h"

// The mass matrix of a step: asked from the caller, factorised only where it changed.

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

/// The walls in contact at q_M. U = H (u - V_w) is the relative velocity, V_w that of the wall at
/// the end of the step; row.drive = H V_w.
typedef struct stc_contacts {
  stc_step_rows row;    ///< room for all walls; w = e u_N(before) in the normal place
  int approaching;      ///< contacts that u_L runs into
  int *wall;            ///< [walls]
  stc_law *law;         ///< [walls] with the coefficient of this step
  double *restitution;  ///< [walls]
  stc_csr H;            ///< [count*dim x dofs]
  int capacity;         ///< entries H has room for
  double *q;            ///< [walls*dim] free + w
  double *terms;        ///< [walls*dim] magnitude of what U with u_F is summed from
} stc_contacts;

/// What a wall remembers from step to step.
typedef struct stc_memory {
  bool in_contact;  ///< in the last step
  bool stuck;       ///< it did not slip at the end of it
  double slip;      ///< distance slipped so far, m
  double age;       ///< time in contact, s
} stc_memory;

struct stc_simulation {
  stc_system system;
  stc_stepping stepping;
  stc_arena arena;
  // the state
  bool placed;
  double start_time;
  long steps;
  double *q, *u;       ///< [dofs]
  stc_memory *memory;  ///< [walls]
  double *impulse;     ///< [walls*dim] of the last step
  double *relative;    ///< [walls*dim] velocity after it
  double *terms;       ///< [walls*dim] magnitude of what that is summed from
  stc_account account;
  // the step in the making
  double *q_M, *Q, *u_L, *u_F, *q_F;  ///< [dofs]
  double *scratch;                    ///< [dofs]
  double *u_terms;                    ///< [dofs] magnitude of what u_F is summed from
  double kinetic, potential;          ///< at its end
  stc_account trial;                  ///< the account at its end
  stc_mass mass;
  stc_wall wall;
  stc_contacts contacts;
  // a step that was not accepted
  stc_problem *problem;
};

// --- Asking the caller; NaN and infinite values are refused by name ---

stc_error stc_ask_mass(stc_simulation *s, double t, const double *q);
stc_error stc_ask_force(stc_simulation *s, double t, const double *q, const double *u, double *Q);
stc_error stc_ask_potential(stc_simulation *s, double t, const double *q, double *V);
stc_error stc_ask_wall(stc_simulation *s, int j, double t, const double *q, stc_wall_part part);
stc_error stc_ask_law(stc_simulation *s, int j, const stc_contact_past *past, stc_law *law);

/// Puts "wall j: " before the sentence of an error; passes STC_OK on.
stc_error stc_fail_wall(stc_error error, int j);

// --- The parts of a step, in their order ---

/// The walls in contact at q_M with their frames, laws and velocities.
stc_error stc_contacts_gather(stc_simulation *s);

/// r and u_F. Fills what the report says about the contact problem.
stc_error stc_contacts_solve(stc_simulation *s, stc_step_report *report);

/// The terms of u_F and U: |u_I| + |u_L| + M^-1 |H|^T rho with rho the greatest impulses the laws
/// allow at r_N, and |H| of it.
stc_error stc_contacts_terms(stc_simulation *s);

/// Moves q_F out of the walls by the part that the stepping asks for; *violation is what is left.
stc_error stc_walls_correct(stc_simulation *s, double *violation);

/// Accounts of a beginning, of the motion from (q, u) to (q_F, u_F), and of the correction after
/// it.
stc_error stc_ledger_open(stc_simulation *s);
stc_error stc_ledger_move(stc_simulation *s);
stc_error stc_ledger_close(stc_simulation *s);

/// Magnitudes of what u [dofs] and the relative velocity of wall j [dim] of the last step were
/// summed from: rounding is a part of these, however small the sums are. Zeros where wall j was not
/// in contact.
const double *stc_simulation_u_terms(const stc_simulation *s);
const double *stc_simulation_wall_terms(const stc_simulation *s, int wall);

// --- Helpers ---

/// The number of sliding components of a law: those after it spin or roll.
int stc_law_sliding(const stc_law *law);

#endif
