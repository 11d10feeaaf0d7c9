// A deformable model between two load steps, and the pieces that advance it.
#ifndef STC_FEM_DATA_H
#define STC_FEM_DATA_H

#include "contact/condensed.h"
#include "contact/contact_method.h"
#include "contact/contact_surface.h"
#include "contact/reduction.h"
#include "motions.h"
#include "solid/solid.h"
#include "thermal/thermal_fields.h"

/// A body with rigid motions that the supports do not see.
typedef struct stc_loose {
  const char *name;  ///< of its group
  bool touches;      ///< some contact can reach it
  int number;        ///< among the loose ones; -1: it is held
  stc_motions motions;
} stc_loose;

struct stc_fem {
  stc_fem_settings settings;
  const stc_mesh *mesh;
  stc_solid *solid;
  stc_surface *surface;
  stc_contact_solver *method;
  stc_condenser *condenser;
  stc_thermal *thermal;  ///< NULL: no heat, no current
  double *expansion;     ///< [cells of the mesh] thermal, where there is heat
  double *begun;         ///< [state size] of a step with heat
  int dim, size, free, contacts, pairs;
  bool axisymmetric;
  bool elastic;   ///< K does not depend on u
  double length;  ///< of a cell at the contacts, or of the model without them

  // Unknowns: all [size], free ones [free].
  int *number;      ///< [size] number among the free ones; -1 supported
  int *unknown;     ///< [free]
  bool *fixed;      ///< [size]
  int *node;        ///< [free] of the unknown
  double *mode;     ///< [modes][free] rigid motions
  int loose;        ///< bodies that the supports do not hold
  stc_loose *body;  ///< [loose]
  int *loose_of;    ///< [free] such a body of the unknown; -1: it is held

  // The tangent: of all unknowns, of the free ones, and the one that is factorised.
  double *tangent;  ///< [entries of the solid's pattern]
  bool has_tangent, gathered;
  stc_csr K;
  int *diagonal;  ///< [free] entry of K
  int *source;    ///< [entries of K] entry of the pattern
  double *spare;  ///< [entries of K] to assemble the next K in; NULL where elastic
  bool factorised;
  stc_sparse_solver *spd;
  stc_sparse_hints hints;  ///< of spd
  stc_large *large;        ///< NULL where K has a factor, or there is no contact
  int *slave;              ///< [contacts] mesh node
  stc_csr H;               ///< contact rows over the free unknowns
  int H_version, moves_version;
  bool *moves;  ///< [contacts*dim] contact rows with a free unknown
  size_t H_room;

  // State.
  double time;
  double *u;        ///< [size]
  double *r;        ///< [contacts*dim]
  double *slip;     ///< [contacts*dim] sum over the steps; N unused
  double friction;  ///< work dissipated

  // Iterate of a step and work space.
  double *u0, *trial;          ///< [size] at the step's beginning; of the line search
  double *F, *load, *support;  ///< [size] internal and external force, supported values
  double *jump;                ///< [size] what the supports have still to move
  double *full;                ///< [size]
  double *b, *du;              ///< [free] of the last linear step
  double *pulled;              ///< [free] what the jump does to the free unknowns
  double *g;                   ///< [contacts*dim] of the last linear step
  double *v, *drive;           ///< [contacts*dim] gaps and slips of the iterate; of obstacles
  double *r_new, *r_trial, *r_start, *v_new, *rw;  ///< [contacts*dim]
  double *mu, *area;                               ///< [contacts]
  stc_coefficient *coefficient;  ///< [pairs]; NULL: no pair has one, and the next three are NULL
  double *path, *age;            ///< [contacts] slid so far, m; time for which it has been closed
  double *rate;                  ///< [contacts*dim] of slip in the last step; N unused
  double *reaction;              ///< [size]
  double *saved;                 ///< [state size]
  bool stopped;                  ///< by the progress callback
  stc_arena arena;
};

/// How a try at a load step ended.
typedef enum stc_try { STC_TRY_CONVERGED, STC_TRY_FAILED, STC_TRY_INTERRUPTED } stc_try;

/// From fem->time to t in one step: iterates until equilibrium and contact conditions hold. The
/// state changes only where it converged. Numbers are added to the report.
stc_error stc_fem_step(stc_fem *fem, double t, stc_fem_report *report, stc_try *outcome);

/// Gaps and slips v [contacts*dim] of the displacements u at t, since f->u0 at f->time; the
/// candidates and f->mu, f->area, f->moves go with them.
stc_error stc_fem_look(stc_fem *fem, double t, const double *u, double *v);

/// Room for what contacts remember, where some pair has a coefficient.
stc_error stc_fem_make_past(stc_fem *fem, const stc_fem_description *description);
/// f->mu for the step that begins at f->time with the displacements f->u0.
stc_error stc_fem_choose_mu(stc_fem *fem);
/// The step with the slips f->v took dt.
void stc_fem_keep_past(stc_fem *fem, double dt);
void stc_fem_pass_past(stc_tape *tape, stc_fem *fem);

/// What the supports decide: the pressure of layers between them, and friction mu r_N against the
/// slip.
void stc_fem_drag(stc_fem *fem);

/// The iterate u, r, v is the state at t: slips, friction, reaction, history and report follow.
void stc_fem_take(stc_fem *fem, double t, stc_fem_report *report);

/// The same as stc_fem_step with heat and current.
stc_error stc_fem_coupled_step(stc_fem *fem, double t, stc_fem_report *report, stc_try *outcome);

/// Newton's method over all unknowns from the iterate that fem->u, r and the fields hold, with the
/// state at the beginning restored otherwise. STC_ERR_NUMERIC where it does not converge.
stc_error stc_fem_monolithic(stc_fem *fem, stc_span span, stc_fem_report *report);

/// What the contacts are like for the fields at the reactions r, gaps and slips v of a step that
/// takes dt.
void stc_fem_meet(stc_fem *fem, const double *v, double dt);

/// Lists bodies that move rigidly without the supports noticing, and fills the rigid motions. A
/// body that no contact reaches either is refused.
stc_error stc_fem_hold(stc_fem *fem, const stc_fem_description *description);
int stc_fem_modes(const stc_fem *fem);

/// "(1, 0.5)": where a node lies.
void stc_fem_say_place(const stc_fem *fem, int node, char *text, size_t room);

/// The loose body and its motion that the forces `left` [free] drive most, measured by what all
/// forces `size` [free] would do; false: they are balanced.
bool stc_fem_say_unheld(const stc_fem *fem, const double *left, const double *size, char *text,
                        size_t room);

/// The progress callback of the settings; `user` is the model, which remembers that it was stopped.
bool stc_fem_tell(void *user, const char *stage, double done);

/// Reaction, surfaces and stresses of the state, after it was set.
stc_error stc_fem_refresh(stc_fem *fem);

/// What candidate k does at the reactions of the state.
stc_contact_state stc_fem_status(const stc_fem *fem, int k);

#endif
