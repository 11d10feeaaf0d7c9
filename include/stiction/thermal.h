// Heat and electric current in the bodies of stiction/fem.h and through their contacts:
//   rho c dT/dt - div(k grad T) = sigma |grad phi|^2 + s,   div(sigma grad phi) = 0,
//   through a contact   q = h(p, g) [T],   i = e(p, g) [phi],   slave to master,
// with the heat of friction and i [phi] shared between the two sides, and thermal expansion,
//   stress = C (strain - alpha (T - reference) 1).
// A description with `thermal` makes stc_fem_advance solve all of it. Units are those of fem.h.
#ifndef STICTION_THERMAL_H
#define STICTION_THERMAL_H

#include <stiction/fem.h>

#ifdef __cplusplus
extern "C" {
#endif

/// What a body conducts; there is one for each group of a body.
typedef struct stc_conductor {
  const char *group;
  double conductivity;  ///< k > 0
  double capacity;      ///< rho c, per volume; > 0 unless the run is steady
  double electric;      ///< sigma at the reference temperature; 0: it insulates
  double slope;         ///< of the resistivity: sigma = electric / (1 + slope (T - reference))
  double expansion;     ///< alpha
  double source;        ///< heat per volume and time
} stc_conductor;

typedef enum stc_transfer_kind {
  STC_TEMPERATURE,  ///< given at the nodes of the group
  STC_POTENTIAL,    ///< the same
  STC_HEAT_FLUX,    ///< per area, into the body
  STC_CURRENT,      ///< per area, into the body
  STC_CONVECTION    ///< coefficient (value - T) per area, into the body
} stc_transfer_kind;

typedef struct stc_transfer {
  const char *group;
  stc_transfer_kind kind;
  stc_given value;
  double coefficient;  ///< of convection
} stc_transfer;

/// Conductance per area of a contact,
///   solid (p / pressure)^exponent where it presses  +  gas / (gap + g),   g >= 0,
/// or a function of p and g. All zero: nothing passes.
typedef struct stc_conductance {
  double solid;
  double pressure;  ///< 0: 1
  double exponent;  ///< 0: the same at any pressure
  double gas;       ///< conductivity of what fills the gap
  double gap;       ///< distance added to the gap; > 0 with gas
  /// Instead of all that: a number >= 0; false stops the run.
  bool (*function)(void *user, double p, double g, double *conductance);
  void *user;
} stc_conductance;

/// How a contact pair conducts. Pairs without one insulate; heat of friction is shared half and
/// half there, or all of it goes into the slave where the master is an obstacle.
typedef struct stc_junction {
  int pair;
  stc_conductance heat, electric;
  double share;  ///< part of the contact's own heat that the slave takes, 0 to 1; < 0: by the
                 ///< effusivities sqrt(k rho c), half without them; all of it against an obstacle
  stc_given temperature, potential;  ///< of the obstacle
} stc_junction;

typedef enum stc_coupling {
  STC_STAGGERED,  ///< fields and displacements in turn, until both agree or `passes` are done
  STC_MONOLITHIC  ///< Newton's method over all unknowns at once, from one pass as above
} stc_coupling;

typedef struct stc_thermal_description {
  int conductors;
  const stc_conductor *conductor;
  int transfers;
  const stc_transfer *transfer;
  int junctions;
  const stc_junction *junction;
  stc_given initial;  ///< temperature at the beginning
  double reference;   ///< temperature without thermal strain
  bool steady;        ///< no heat is stored; a step still takes its time for friction
  double theta;       ///< flows are those of T at t0 + theta dt, 0.5 to 1; 0: 1
  stc_coupling coupling;
  int passes;  ///< at most; 0: 100. One is the weak coupling
  double tol;  ///< relative, of the balance of heat and current at every node; 0: 1e-10
} stc_thermal_description;

// --- Results; of a model without `thermal` all of them are NULL or zero ---

STC_API const double *stc_fem_temperature(const stc_fem *fem);  ///< [nodes]
/// [nodes]; with theta < 1 at t0 + theta dt. Zero where nothing conducts.
STC_API const double *stc_fem_potential(const stc_fem *fem);
/// Heat and current per time that enter through the nodes of a group whose temperature or potential
/// is given.
STC_API stc_error stc_fem_group_flow(const stc_fem *fem, const char *group, double *heat,
                                     double *current);

/// Heat per time, positive into the bodies; and the same summed over the time of all steps.
typedef struct stc_heat_balance {
  double stored;    ///< what the bodies hold more
  double given;     ///< through nodes with a given temperature
  double surface;   ///< fluxes and convection
  double source;    ///< of the volumes
  double joule;     ///< in the bodies
  double contact;   ///< Joule heat of the contacts
  double friction;  ///< work of friction
  double obstacle;  ///< from obstacles (what they take is negative)
  double error;     ///< stored - (all others): rounding
} stc_heat_balance;

STC_API void stc_fem_heat(const stc_fem *fem, stc_heat_balance *rate, stc_heat_balance *sum);

/// What passes through a contact point in the last step, per time.
typedef struct stc_contact_flow {
  double jump, conductance, heat;            ///< temperature, slave less master
  double potential_jump, electric, current;  ///< potential, slave less master
  double friction, joule;                    ///< heat made there
} stc_contact_flow;

STC_API void stc_fem_contact_flow(const stc_fem *fem, int pair, int k, stc_contact_flow *flow);

/// Linear solves of the fields and passes of the last step.
STC_API void stc_fem_thermal_work(const stc_fem *fem, int *solves, int *passes);

#ifdef __cplusplus
}
#endif
#endif
