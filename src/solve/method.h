// What a method supplies and what the driver gives it. The driver owns the loop, the judge, the
// clock, the limits and the best iterate; a method only improves r.
#ifndef STC_SOLVE_METHOD_H
#define STC_SOLVE_METHOD_H

#include "../base/memory.h"
#include "../base/stop.h"
#include "../problem/reduced.h"
#include "kernels/sweep.h"
#include "methods/jacobian.h"

#include <stiction/solve.h>

/// What an iteration says of itself.
typedef enum stc_step {
  STC_STEP_ON,       ///< continue
  STC_STEP_STALLED,  ///< this method cannot improve any more
  STC_STEP_CUT       ///< the solve was stopped within the step, which leaves nothing to be judged
} stc_step;

typedef struct stc_method {
  const char *name;
  const char *summary;
  /// Takes the method's state from solver->arena for solver->problem (may ask for its W). Writes as
  /// little of it as it can: a method that never starts should leave no page touched. What is taken
  /// raw may be overwritten between two runs, because parts of a problem share it.
  stc_error (*setup)(stc_solver *solver, void **state);
  /// A solve begins at solver->r, which is judged already. Takes the numbers of the problem, which
  /// may have changed since the last one.
  void (*start)(stc_solver *solver, void *state);
  /// Improves solver->r; sets solver->done to the iterations it took, at most stc_solver_left.
  stc_step (*iterate)(stc_solver *solver, void *state);
  /// Frees what lies outside solver->arena; NULL: nothing does.
  void (*free)(void **state);
  /// New numbers in solver->problem (q, mu), the structure is the same; NULL: start sees to it.
  stc_error (*update)(stc_solver *solver, void *state);
  /// Says in info->method what ran and in info->reason why; NULL: the method's name says it.
  void (*describe)(const stc_solver *solver, const void *state, stc_info *info);
  bool any_law;  ///< serves laws that are not round in any scaling, too
} stc_method;

/// A run is given up when the best merit does not fall by `gain` in `iterations`; 0: never.
typedef struct stc_patience {
  long iterations;
  double gain;
} stc_patience;

/// Line searches: Armijo's condition, and how often a step is halved at most.
#define STC_ARMIJO 1e-4      // [maths]
enum { STC_HALVINGS = 10 };  // [bound]

/// The least of what a method measures so far, and since when it has not gained: not fallen to the
/// part rule.gain of what it was.
typedef struct stc_watch {
  double least;
  long idle;
} stc_watch;

/// The solver as methods see it. Vectors are in the scaled units of the reduced problem.
struct stc_solver {
  stc_settings settings;
  const stc_method *method;
  void *state;
  stc_reduced *problem;
  bool owns_problem;       ///< false in the members of a composite method
  bool apart;              ///< it solves a part of another solver's problem
  bool borrows;            ///< the problem and the team: who lends them frees them
  stc_solver *parent;      ///< the composite method's solver, or that of the whole problem, or NULL
  stc_arena *arena;        ///< of the outermost solver; all members share it
  stc_arena memory;        ///< the outermost solver's
  stc_team *team;          ///< threads, shared by the members; NULL: the caller alone
  stc_jacobian *jacobian;  ///< made on demand, shared by the members; NULL before
  stc_sweep *sweep;        ///< the same
  double *r;               ///< [size] current iterate
  double *u;               ///< [size] W r + q, made by the judge
  double *best;            ///< [size] iterate of least merit
  double *work;            ///< [scratch of the problem]
  stc_residual residual;   ///< of r
  stc_residual best_residual;
  double merit, best_merit;  ///< max(eta, fclib_error)
  bool improved;             ///< r is the best, and u and residual belong to it
  bool adopted;              ///< r came judged from a member
  bool blind;                ///< the next run does not judge its start
  double gain;               ///< of a part: it may stop where its merit has fallen to this part
  double goal;               ///< that merit, of this run
  bool far;                  ///< no start of a run is near the answer: judgements may wait
  stc_patience patience;     ///< with this solver, of the composite method that runs it
  long done;                 ///< iterations of the last call of iterate
  long iterations;
  long limit;    ///< iterations this solve may take
  double began;  ///< on stc_clock
  double setup_seconds;
  double charge;               ///< of these, what the next solve counts as its own
  bool interrupted;            ///< the progress callback said stop (kept in the outermost solver)
  stc_progress told;           ///< what it was told last (the same)
  const stc_problem *pending;  ///< setup was stopped: the next solve takes it up; NULL: it is done
  stc_stop_reason stopped;     ///< why, until a solve has reported it
  stc_status status;
};

/// Judges solver->r: fills u, residual, merit and keeps the best. Every method is judged here.
void stc_solver_judge(stc_solver *solver);

/// The loop from solver->r on, for at most `limit` iterations; leaves the best iterate in r and
/// best.
void stc_solver_drive(stc_solver *solver, long limit);

/// Hands the best iterate of a run over, with its velocity and judgement where they are at hand.
void stc_solver_adopt(const stc_solver *from, stc_solver *to);

/// Runs a member from `start` [size], or NULL: the best iterate of its
/// parent, and takes its best over as the parent's r.
void stc_solver_drive_member(stc_solver *parent, stc_solver *member, const double *start,
                             long limit);

/// The same from where the member stopped at its limit, if nothing else ran since.
void stc_solver_resume_member(stc_solver *parent, stc_solver *member, long limit);

/// A solver for a member of a composite method on the same reduced problem; freed with its parent.
stc_error stc_solver_setup_member(stc_solver *parent, const stc_method *method,
                                  stc_solver **member);

/// A solver for a part of the parent's problem; owns the part from now on, also where setup fails.
/// Freed with stc_solver_free before its parent.
stc_error stc_solver_setup_part(stc_solver *parent, stc_reduced *part, const stc_settings *settings,
                                stc_solver **solver);

/// The threads that all members share, made at first demand.
stc_error stc_solver_share_team(stc_solver *solver, stc_team **team);

/// A solver by that method for a part of a problem, otherwise with the settings of the whole, with
/// memory of its own, one thread, no log and no progress; owns the part from now on, also where
/// setup fails. Freed with stc_solver_free.
stc_error stc_solver_setup_apart(stc_reduced *part, const char *method,
                                 const stc_settings *of_whole, stc_solver **solver);

/// A solver for a reduced problem that is lent, with its sweeps (NULL: they are made) and a team
/// (NULL: none, or its own): they outlive the solver.
stc_error stc_solver_setup_lent(stc_reduced *problem, stc_sweep *sweep, stc_team *team,
                                const stc_settings *settings, stc_solver **solver);

/// Whether the problem of a solver by `ipm` is a structure at rest: with all contacts glued the
/// reactions nearly lie in their cones. Takes one factorisation.
bool stc_ipm_holds(stc_solver *solver);

/// The last centred point of the last run of a solver by `ipm` whose tau is early, above the root
/// of path.cross: z, y [3*contacts] and its tau; 0: there is none.
double stc_ipm_early(const stc_solver *ipm, double *z, double *y);

/// Tells a solver by `path` to begin there, and at the cold start only where that is lost.
void stc_path_begin_early(stc_solver *path, const stc_solver *ipm);

/// Tells a solver by `newton` that it starts near a solution: it searches along lines from the
/// first step on and is over with the first proximal problem that is lost.
void stc_newton_finish(stc_solver *solver);

/// About the memory that the members of auto take for a problem.
size_t stc_auto_bytes(const stc_reduced *problem);

/// What ran in a solver by `auto` is told as part of what ran in another.
void stc_auto_add_legs(stc_solver *to, const stc_solver *from);

/// Iterations that may still be taken.
static inline long stc_solver_left(const stc_solver *solver) {
  return solver->limit - solver->iterations;
}

/// Looks at the value after `iterations` more; returns how many passed without a gain.
static inline long stc_watch_look(stc_watch *watch, const stc_solver *solver, double value,
                                  long iterations) {
  bool gained = value < solver->settings.rule.gain * watch->least;
  watch->idle = gained ? 0 : watch->idle + iterations;
  if (gained) watch->least = value;
  return watch->idle;
}

/// After a pass over all contacts, a product with W, a sweep: whether the solve is over and a loop
/// within an iteration has to end. What it leaves in solver->r is judged, whatever it is.
static inline bool stc_solver_due(const stc_solver *solver) {
  enum { PASS = 200 };  // operations per contact [machine]
  return stc_stop_due((double)PASS * solver->problem->contacts);
}

/// The Newton system and the sweeps of the problem, made at first demand; members of a composite
/// method share them and each sets what it needs (prox, proximal term) when it runs.
stc_error stc_solver_share_jacobian(stc_solver *solver, stc_jacobian **jacobian);
stc_error stc_solver_share_sweep(stc_solver *solver, stc_sweep **sweep);

/// A message for the log hook; formats only if there is one.
void stc_solver_log(const stc_solver *solver, stc_log_level level, const char *format, ...)
    STC_PRINTF(3, 4);

/// The method of that name, or NULL.
const stc_method *stc_method_find(const char *name);

/// METHOD(name): the methods, rows stc_method_..., in the order they are listed.
#define STC_METHODS(METHOD)                                                                        \
  METHOD(auto)                                                                                     \
  METHOD(nsgs)                                                                                     \
  METHOD(newton)                                                                                   \
  METHOD(admm)                                                                                     \
  METHOD(ipm)                                                                                      \
  METHOD(path)                                                                                     \
  METHOD(fixed_point)                                                                              \
  METHOD(apgd)                                                                                     \
  METHOD(schwarz)

#define STC_METHOD_ROW(name) extern const stc_method stc_method_##name;
STC_METHODS(STC_METHOD_ROW)
#undef STC_METHOD_ROW

/// STC_METHOD_IS(name, .name = "...", .setup = ..., ...): the row.
#define STC_METHOD_IS(name, ...) const stc_method stc_method_##name = {__VA_ARGS__}

#endif
