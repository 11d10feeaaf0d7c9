// What a certificate holds, and the work on one component of a problem.
#ifndef STC_CERT_DATA_H
#define STC_CERT_DATA_H

#include "box.h"
#include "budget.h"
#include "sets.h"
#include "tree.h"

#include "../problem/reduced.h"

/// A contact that can never close: u_N(j) = sum y u_N + something >= 0.
typedef struct stc_never {
  int contact;
  stc_rationals y;      ///< [size], entries at normals
  stc_rationals kappa;  ///< [equalities]
} stc_never;

/// Contacts whose solution is proved in one way.
typedef struct stc_proved {
  stc_proof proof;
  int contacts;
  int *contact;           ///< [contacts]
  double margin;          ///< strict and weak criterion
  stc_rationals v, r, l;  ///< velocity of the criterion, or the solution
  stc_never *never;       ///< [nevers] contacts left out of the criterion
  int nevers;
  stc_box *box;  ///< or NULL
} stc_proved;

/// One connected component while it is examined, and what was found about it.
typedef struct stc_component {
  int part;  ///< its number in stc_parts
  int contacts;
  int *contact;             ///< [contacts] increasing
  bool settled;             ///< existence is proved
  bool contradictory;       ///< non-existence is proved
  stc_exact *exact;         ///< or NULL
  bool *never;              ///< [contacts] known never to close
  stc_rationals kinematic;  ///< [size of the component] y, empty unless there is a contradiction
  stc_tree tree;            ///< empty unless searched
  stc_sets *sets;           ///< where all cones are polyhedral; or NULL
  stc_box **box;            ///< [boxes] proved solutions, round cones
  int boxes;
  stc_set *rest;  ///< [rests] proved solutions without slip, of different velocities, round cones
  int rests;
  bool complete;    ///< all solutions are known
  const char *why;  ///< what stood in the way, or NULL
} stc_component;

struct stc_certificate {
  stc_arena arena;
  stc_form form;
  int dim, contacts, size, dofs, equalities;
  bool symmetric;     ///< M, or W with its joints in the local form, exactly
  bool regular;       ///< and their symmetric part S is positive definite, exactly
  double slack;       ///< S + slack diag(S) is positive semi-definite, exactly; INFINITY: unknown
  const char *doubt;  ///< why the existence theorem does not apply; NULL: it does
  char fingerprint[33];
  stc_verdict verdict;
  stc_proof proof;
  double margin;
  double reach;  ///< that trees have: sum of normal reactions of a component, N s; or INFINITY
  long nodes;
  char reason[600];
  int components;
  stc_component *component;  ///< [components]
  stc_proved *part;          ///< [parts], room for two per component
  int parts;
  bool bounded;  ///< bounds are known
  stc_bounds bounds;
  double *rho;            ///< [size] or NULL
  stc_solution_set *set;  ///< [sets]
  int sets;
  bool complete;
};

/// Everything the search for a proof works with.
typedef struct stc_work {
  const stc_problem *problem;
  const stc_certify_settings *settings;
  stc_certificate *certificate;
  stc_parts parts;
  stc_reduced *reduced;
  stc_budget budget;
  double *r;                     ///< [size] reactions of a solver; NULL: not solved yet
  bool solved;                   ///< some solver was asked
  bool free_known, free_found;   ///< the velocities without reactions were looked for, and found
  stc_rationals free_v, free_l;  ///< [dofs], [equalities]
} stc_work;

/// Refuses a problem with a law that has no certificates.
stc_error stc_certify_serves(const stc_problem *problem);

/// stc_certify. tried: `auto` has ended in settings->r and would do so again.
stc_error stc_certify_after(const stc_problem *problem, const stc_certify_settings *settings,
                            bool tried, stc_certificate **certificate);

/// Whether the existence theorem and the bounds apply: fills `symmetric`, `regular`, `slack`,
/// `doubt`.
stc_error stc_certificate_premise(stc_certificate *certificate, const stc_problem *problem);

/// Whether the margin t that reactions r [size] leave at the contacts of a component proves a
/// solution: in the local form it has to pay for the slack and for the skew part of W.
stc_error stc_premise_allows(const stc_work *work, const stc_component *component, const double *r,
                             double t, bool *allows);

/// Whether all cones of the problem are polyhedral.
bool stc_work_polyhedral(const stc_work *work);

/// The criterion on the whole problem and on its components: settles those where it holds.
stc_error stc_work_criterion(stc_work *work);

/// The proofs for one component that is not settled, in the order of their cost.
stc_error stc_work_component(stc_work *work, stc_component *component);

/// All solutions of a component, within the budget.
stc_error stc_work_enumerate(stc_work *work, stc_component *component);

/// The search over modes; settles the component or finds it contradictory where it can. `all`: also
/// after a solution is found.
stc_error stc_work_search(stc_work *work, stc_component *component, bool all);

/// 3D: a solution found by the hint or by the library's own solver, proved; settles the component.
stc_error stc_work_solve(stc_work *work, stc_component *component);

/// 3D: looks for a solution near r [size] with the given statuses [contacts of the component].
/// Where it is proved it is kept, settles the component, and replaces r.
stc_error stc_work_prove(stc_work *work, stc_component *component, const stc_contact_state *state,
                         double *r, bool *found);

/// Settles the component by the exact solution r of it, in its units.
stc_error stc_work_settle_point(stc_work *work, stc_component *component, const stc_rationals *r);

/// v [dofs] and l [equalities] with the reactions r of the component and none elsewhere, exactly.
/// *done is false where that takes too long.
stc_error stc_work_complete(stc_work *work, const stc_component *component, const stc_rationals *r,
                            stc_rationals *v, stc_rationals *l, bool *done);

/// Adds a part for the contacts of a component.
stc_proved *stc_certificate_add(stc_certificate *certificate, const stc_component *component,
                                stc_proof proof);

/// Takes back the parts after the first `parts`.
void stc_certificate_withdraw(stc_certificate *certificate, int parts);

/// Lists the combinations of the solution sets of all components.
stc_error stc_certificate_list(stc_certificate *certificate);

/// Verdict, proof, margin and reason from what is known of the components.
void stc_work_conclude(stc_work *work);

void stc_component_free(stc_component *component);

#endif
