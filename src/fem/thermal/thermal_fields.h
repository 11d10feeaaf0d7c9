// Temperature and potential on the mesh of a model: what conducts, what is given, what contacts let
// through, and the step in time of both fields.
//   M (T1 - T0) / dt + flows(T, phi) = 0,   T = T0 + theta (T1 - T0)
#ifndef STC_FEM_THERMAL_FIELDS_H
#define STC_FEM_THERMAL_FIELDS_H

#include <stiction/thermal.h>

#include "../../base/tape.h"
#include "../contact/contact_surface.h"
#include "../solid/element.h"
#include "equations.h"

/// What a contact is like for the fields.
typedef struct stc_meeting {
  double pressure, gap;  ///< gap >= 0
  double friction;       ///< heat per time
} stc_meeting;

/// A group of nodes whose value is given, or of surface cells.
typedef struct stc_passage {
  char *group;
  stc_transfer_kind kind;
  stc_given value;
  double coefficient;
  int count;
  int *item;  ///< [count] nodes of given values, each once; else surface cells
} stc_passage;

typedef struct stc_thermal {
  stc_arena arena;
  const stc_mesh *mesh;
  int dim, nodes, pairs, contacts;
  stc_space_measure measure;
  stc_table table[STC_CELL_TYPES], mass[STC_CELL_TYPES], face[STC_CELL_TYPES];
  stc_conductor *conductor;  ///< [bodies]
  int *body;                 ///< [cells of the mesh] its conductor; -1: a surface
  bool *conducts;            ///< [nodes] a cell around it conducts current
  stc_passage *passage;      ///< [passages]
  int passages;
  stc_junction *junction;  ///< [pairs]; pair < 0: insulates
  bool **slave;            ///< [pairs][nodes] nodes of the slave
  double *share;           ///< [pairs]
  bool steady, monolithic;
  double theta, tol, reference;
  int passes;
  double memory;

  // State.
  double *T, *phi;         ///< [nodes]
  double *heat, *current;  ///< [nodes] that enter at given values
  stc_contact_flow *flow;  ///< [contacts] of the last step
  stc_heat_balance rate, sum;

  // A step.
  double *T1;            ///< [nodes]
  double *warmth;        ///< [nodes] T1 - reference: what expands
  stc_meeting *meeting;  ///< [contacts]
  stc_equations fields;  ///< of T and phi alone
  int solves, passes_done;
} stc_thermal;

/// Checks and copies what the description says of the fields; contacts: candidates of the surface.
stc_error stc_thermal_create(const stc_fem_description *d, double memory, int contacts,
                             stc_thermal **thermal);
void stc_thermal_free(stc_thermal **thermal);

/// Surface groups and given values, for thermal_create.
stc_error stc_thermal_take_passages(stc_thermal *h, const stc_thermal_description *d);
stc_error stc_thermal_take_junctions(stc_thermal *h, const stc_fem_description *d);

/// State as numbers.
void stc_thermal_pass(stc_tape *tape, stc_thermal *h);

/// A step from t0 to t1, while it is iterated.
typedef struct stc_span {
  double t0, t1;
} stc_span;

/// Marks given values and sets T1 and phi there.
stc_error stc_thermal_given(stc_thermal *h, stc_span span, stc_equations *e);

/// Adds the residual of both fields at T1 and phi, and what they make per time to `rate`; with
/// `coupled` also what displacements and reactions do to contacts.
typedef struct stc_coupled_rows {
  const stc_csr *H;  ///< contact rows over all displacements
  const double *v;   ///< [contacts*dim] gaps and slips
  const double *r;   ///< [contacts*dim]
} stc_coupled_rows;

stc_error stc_thermal_assemble(stc_thermal *h, const stc_surface *surface, stc_span span,
                               const stc_coupled_rows *coupled, stc_equations *e,
                               stc_heat_balance *rate);

/// The parts of it.
stc_error stc_thermal_add_cells(const stc_thermal *h, double dt, stc_equations *e,
                                stc_heat_balance *rate);
stc_error stc_thermal_add_passages(const stc_thermal *h, stc_span span, stc_equations *e,
                                   stc_heat_balance *rate);
stc_error stc_thermal_add_junctions(const stc_thermal *h, const stc_surface *surface, stc_span span,
                                    const stc_coupled_rows *coupled, stc_equations *e,
                                    stc_heat_balance *rate);

/// What passes at every candidate at T1 and phi, into h->flow.
stc_error stc_thermal_take_flows(stc_thermal *h, const stc_surface *surface, stc_span span);

/// The time inside a step at which flows are taken.
static inline double stc_thermal_time(const stc_thermal *h, stc_span span) {
  return span.t0 + h->theta * (span.t1 - span.t0);
}

/// T at that time.
static inline double stc_thermal_at(const stc_thermal *h, int node) {
  return h->T[node] + h->theta * (h->T1[node] - h->T[node]);
}

/// Largest relative residual of heat and current in rows of the equations, against what rounding
/// of the fields amounts to.
double stc_thermal_residual(const stc_thermal *h, const stc_equations *e);

/// Solves for T1 and phi with the meetings as they stand. STC_ERR_NUMERIC where nothing is found.
stc_error stc_thermal_solve(stc_thermal *h, const stc_surface *surface, stc_span span);

/// The step was taken: T is T1, flows and their sums are kept.
stc_error stc_thermal_keep(stc_thermal *h, const stc_surface *surface, stc_span span);

/// What expands follows T1.
void stc_thermal_warm(stc_thermal *h, const double *T);

#endif
