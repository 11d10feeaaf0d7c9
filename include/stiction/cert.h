// Certificates: a proof that a problem has a solution, a proof that it has none, or neither. Every
// proof holds in exact arithmetic and can be checked from its file alone (docs/certificates.md).
#ifndef STICTION_CERT_H
#define STICTION_CERT_H

#include <stiction/solve.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct stc_certificate stc_certificate;

typedef enum stc_verdict {
  STC_VERDICT_EXISTS,       ///< proved: there is a solution
  STC_VERDICT_NO_SOLUTION,  ///< proved: there is none
  STC_VERDICT_UNDECIDED     ///< no proof of either was found
} stc_verdict;

typedef enum stc_proof {
  STC_PROOF_NONE,
  STC_PROOF_STRICT_MARGIN,      ///< a velocity with u in the interior of K* at every contact
  STC_PROOF_WEAK_2D,            ///< a velocity with u in K*, enough in the plane
  STC_PROOF_WEAK_POLYHEDRAL,    ///< the same in space, enough where every cone is polyhedral
  STC_PROOF_VERIFIED_SOLUTION,  ///< a solution, exact or in a box that must hold one
  STC_PROOF_KINEMATIC,          ///< no velocity has u_N >= 0 at every contact
  STC_PROOF_MODE_TREE,          ///< 2D and polyhedral cones: each combination of open, stick, slip
                                ///< is contradictory
  STC_PROOF_SECTOR_TREE         ///< 3D: the same with sectors of slip directions
} stc_proof;

/// "exists", "no_solution", "undecided"; "strict_margin", ...; NULL for STC_PROOF_NONE.
STC_API const char *stc_verdict_name(stc_verdict verdict);
STC_API const char *stc_proof_name(stc_proof proof);

typedef struct stc_certify_progress {
  const char *stage;  ///< what is being tried, in a few words
  long nodes;         ///< of the search so far
  double seconds;     ///< since stc_certify began
} stc_certify_progress;

/// Returns false to stop: what was found until then is the answer.
typedef bool (*stc_certify_progress_fn)(void *user, const stc_certify_progress *progress);

/// Start from stc_default_certify_settings().
typedef struct stc_certify_settings {
  double time_limit;  ///< seconds for all of it; 60
  long max_nodes;     ///< of all searches together; 200000
  int max_contacts;   ///< most contacts of a component that is searched; 40
  bool cheap;         ///< the existence criterion and kinematics only: no solve, no search
  bool all;           ///< look for all solutions, also where one is known to exist; true
  bool find;          ///< look for one solution, also where one is known to exist; false
  const double *r;    ///< [size] reactions some solver ended with, a hint; or NULL
  stc_certify_progress_fn progress;  ///< or NULL
  void *user;                        ///< handed to progress
  int cookie;                        ///< catches a forgotten default
} stc_certify_settings;

STC_API stc_certify_settings stc_default_certify_settings(void);

/// Looks for a proof. settings may be NULL: the defaults. The certificate keeps no reference to the
/// problem. Laws with spin or rolling and round sections are refused with STC_ERR_UNSUPPORTED.
STC_API stc_error stc_certify(const stc_problem *problem, const stc_certify_settings *settings,
                              stc_certificate **certificate);
STC_API void stc_certificate_free(stc_certificate **certificate);

STC_API stc_verdict stc_certificate_verdict(const stc_certificate *certificate);
STC_API stc_proof stc_certificate_proof(const stc_certificate *certificate);

/// The margin of the proof (docs/certificates.md); NAN where it has none.
STC_API double stc_certificate_margin(const stc_certificate *certificate);

/// Where W is singular but for its rounding, proofs that there is no (other) solution exclude those
/// whose normal reactions sum to at most this over a component, N s; INFINITY: all of them.
STC_API double stc_certificate_reach(const stc_certificate *certificate);
STC_API long stc_certificate_nodes(const stc_certificate *certificate);

/// The verdict and its reason in one or two sentences; where contacts jam, which ones.
STC_API const char *stc_certificate_reason(const stc_certificate *certificate);

/// What holds for any solution, by a velocity v0 with margin t0: in the norm of M, v lies in
/// the ball of diameter [v_f, v0], and the normal reactions sum to at most reaction_sum.
typedef struct stc_bounds {
  double margin;        ///< t0 > 0, m/s
  double diameter;      ///< |v0 - v_f|_M, sqrt(J)
  double reaction_sum;  ///< diameter^2 / (4 t0), N s
  const double *v;      ///< [dofs] v0; NULL in the local form
  const double *r;      ///< [size] reactions with u = W r + q at v0
} stc_bounds;

/// False where no such velocity was found, or where M or W is not symmetric.
STC_API bool stc_certificate_bounds(const stc_certificate *certificate, stc_bounds *bounds);

/// Whether reactions r [size] obey the bounds: a solution always does, so that what does not is
/// none, whatever its residual. `tol` is relative.
STC_API stc_error stc_bounds_check(const stc_bounds *bounds, const stc_problem *problem,
                                   const double *r, double tol, bool *hold);

/// rho [size] in K with H^T rho = 0 and w.rho <= 0, up to rounding: the reactions by which contacts
/// jam, their normal parts summing to 1; the reason why the criterion fails. NULL where none was
/// found.
STC_API const double *stc_certificate_jamming(const stc_certificate *certificate);

/// A connected set of solutions. Numbers are rounded to double; the file has the exact ones.
typedef struct stc_solution_set {
  int dimension;           ///< of its reactions: 0 for an isolated solution
  int velocity_dimension;  ///< of its velocities
  bool bounded;            ///< the reactions are; false also where that is not known (3D)
  const double *r;         ///< [size] of one of its solutions
  const double *u;         ///< [size]
} stc_solution_set;

/// Solution sets that were found and proved. In 3D each has one velocity, but for polyhedral cones.
STC_API int stc_certificate_sets(const stc_certificate *certificate);
STC_API bool stc_certificate_set(const stc_certificate *certificate, int k, stc_solution_set *set);

/// Whether there are no other solutions than these sets: proved in 2D and for polyhedral cones,
/// else up to solutions that a narrow sector of slip directions holds besides the one found in it.
STC_API bool stc_certificate_complete(const stc_certificate *certificate);

/// Writes the certificate as JSON; atomic.
STC_API stc_error stc_certificate_write(const stc_certificate *certificate, const char *path);

/// Most contacts of a step that is decided where its solver does not solve it.
#define STC_DECIDED_CONTACTS 12

/// The settings that stc_decide takes by itself: components of up to 12 contacts are searched until
/// a solution is found or proved not to exist, which ends for 8 contacts in the plane and mostly
/// for 3 in space; larger ones are left to the criterion.
STC_API stc_certify_settings stc_decision_settings(const stc_problem *problem);

/// The last word on an answer, `solution` and `info` as stc_solver_solve left them. The judge looks
/// at it again, and the problem is certified; where the solver stalled, a solution that is found is
/// polished by the solver with `settings` and becomes the answer: not where a limit ended it, which
/// is what was asked for. The status is
/// then SOLVED, NO_SOLUTION where there is proved to be none, SOLVED_TO_TOLERANCE where the
/// residual is within the tolerance all the same, and what it was otherwise. limits: NULL for
/// stc_decision_settings; certificate: what was proved, or NULL; *certificate is NULL for laws
/// without certificates.
STC_API stc_error stc_decide(const stc_problem *problem, const stc_settings *settings,
                             const stc_certify_settings *limits, const stc_solution *solution,
                             stc_info *info, stc_certificate **certificate);

/// How unique are the reactions r [size] of a solution? Over all reactions of K that leave every
/// velocity as it is (W r' = W r, and r'_T opposed to the slip where a contact slips):
typedef struct stc_force_range {
  double *low, *high;  ///< [contacts] least and greatest r_N, N s; high may be INFINITY
  double *least_norm;  ///< [size] the reactions of least Euclidean norm; or NULL
} stc_force_range;

/// Fills what `range` points to; r_N lies in its range. NAN: not known, where the linear program
/// loses too many digits. `tol` is relative, as in stc_problem_classify. In 3D the cone of a
/// contact that sticks is taken as a polygon around it: `low` and `high` enclose the true range and
/// lie within that of coefficients of friction 0.5 % larger.
STC_API stc_error stc_problem_force_range(const stc_problem *problem, const double *r, double tol,
                                          const stc_force_range *range);

#ifdef __cplusplus
}
#endif
#endif
