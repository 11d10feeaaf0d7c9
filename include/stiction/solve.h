// Solving: settings -> setup -> solve -> info -> update -> solve ... -> free. Only setup allocates.
#ifndef STICTION_SOLVE_H
#define STICTION_SOLVE_H

#include <stiction/problem.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct stc_solver stc_solver;

/// How a solve ended: what the mathematics said, not an error.
typedef enum stc_status {
  STC_STATUS_SOLVED,               ///< eta and fclib_error are within tol, by the judge
  STC_STATUS_MAX_ITERATIONS,       ///< the iteration limit was reached
  STC_STATUS_TIME_LIMIT,           ///< the time limit was reached
  STC_STATUS_STALLED,              ///< the method cannot improve its best iterate
  STC_STATUS_NO_SOLUTION,          ///< proved: no solution exists
  STC_STATUS_INTERRUPTED,          ///< the progress callback asked to stop
  STC_STATUS_SOLVED_TO_TOLERANCE,  ///< solved, and proved: no exact solution exists (stc_decide)
  STC_STATUS_RELAXED  ///< of a step of bodies: its budget ended before tol, and it was taken
} stc_status;

/// "solved", "max_iterations", ... as in the JSON of the command line.
STC_API const char *stc_status_name(stc_status status);

/// One line of progress. `r` is the iterate of least residual so far [size].
typedef struct stc_progress {
  const char *method;
  long iterations;
  double eta;          ///< of the current iterate
  double best_eta;     ///< of the best
  double fclib_error;  ///< of the current iterate
  double seconds;      ///< since solve began
} stc_progress;

/// Called after every iteration, and within long ones and in setup again with the same numbers.
/// Returns false to stop: solve then returns the best iterate with STC_STATUS_INTERRUPTED.
typedef bool (*stc_progress_fn)(void *user, const stc_progress *progress);

/// Settings: one table drives this struct, the command line, the docs and the checks.
///   FIELD(type, name, default, least, greatest, meaning)   name: a field, or group.field
#define STC_SETTINGS_GENERAL(FIELD)                                                                \
  FIELD(double, tol, 1e-8, 0, 1, "eta and fclib_error a solution must reach")                      \
  FIELD(long, max_iterations, 10000000, 0, 1e18,                                                   \
        "iterations of the method (sweeps, Newton steps)")                                         \
  FIELD(double, time_limit, 600, 0, 1e9, "seconds a solve may take")                               \
  FIELD(int, threads, 1, 1, 256,                                                                   \
        "threads for large factorisations, gradients, sweeps and clusters; the answer does not "   \
        "depend on it")                                                                            \
  FIELD(int, regions, 0, 0, 1,                                                                     \
        "1: methods may cut out parts and solve them by themselves, which allocates")              \
  FIELD(int, follows, 0, 0, 1, "1: the start is the answer of the step before; needs regions = 1") \
  FIELD(double, accept, 0, 0, 1,                                                                   \
        "with follows: eta that is enough after the methods that suit a flow; 0: none but tol")    \
  FIELD(double, work, 0, 0, 1e18,                                                                  \
        "counted work that ends a solve, in units of about 1 us; 0: no limit")

/// What all methods share: when a method stops, is judged, and how closely parts are solved.
#define STC_SETTINGS_PROGRESS(FIELD)                                                               \
  FIELD(double, aim, 0.8, 0, 1, "part of tol that is aimed at: other judges round otherwise")      \
  FIELD(double, gain, 0.9, 0, 1, "a method gains where what it measures falls to this part")       \
  FIELD(int, sweeps, 5000, 1, 1e9, "sweeps or gradients without a gain that end a method")         \
  FIELD(int, steps, 8, 1, 1e9, "factorisations or cycles without a gain that end a method")        \
  FIELD(int, judge, 10, 1, 1e6, "most sweeps, gradients or directions between two judgements")     \
  FIELD(double, inner, 1e-2, 0, 1,                                                                 \
        "part of its first residual to which an inner problem is solved")                          \
  FIELD(double, lag, 0.1, 0, 1,                                                                    \
        "a frozen shift is renewed when its convex problem is solved to this share")               \
  FIELD(double, near, 0.01, 0, 1, "a start of a merit below this is near the answer")

/// Subproblems: components, clusters of the worst contacts, active bodies.
#define STC_SETTINGS_PART(FIELD)                                                                   \
  FIELD(double, tol, 0.5, 0, 1, "tolerance of a part in that of the whole")                        \
  FIELD(double, gain, 0.1, 0, 1, "or the part of its residual at which a cluster may stop")        \
  FIELD(int, least, 16, 1, 1e9, "contacts of which a component, or a group of them, is a part")    \
  FIELD(int, most, 400, 1, 1e9, "contacts of a cluster at most, and of a small problem")           \
  FIELD(int, rings, 3, 0, 1e6, "neighbours of neighbours that a part takes in")                    \
  FIELD(int, iterations, 300, 1, 1e9, "of a part, before others have their turn")                  \
  FIELD(double, rest, 20, 0, 1e6, "bodies at rest move by less than this times the residual")      \
  FIELD(double, noise, 3, 0, 1e6, "as many bodies are active that the others move by less")        \
  FIELD(double, hold, 0.3, 0, 1, "share at which the shift of active bodies is renewed")

#define STC_SETTINGS_NSGS(FIELD)                                                                   \
  FIELD(double, omega, 1, 0.01, 2, "relaxation factor")                                            \
  FIELD(int, trial, 200, 1, 1e9, "sweeps in which acceleration must gain, or it is put aside")     \
  FIELD(int, anderson, 5, 0, 20, "memory of Anderson acceleration; 0: plain sweeps")               \
  FIELD(int, matrix_free, -1, -1, 1, "1: keep body velocities, 0: assemble W, -1: the cheaper one")

#define STC_SETTINGS_NEWTON(FIELD)                                                                 \
  FIELD(double, alpha, 1e-2, 1e-14, 1e6, "first proximal weight, in units of kappa")               \
  FIELD(double, shrink, 0.1, 0, 1, "of the proximal weight after a proximal problem")              \
  FIELD(int, inner, 25, 1, 10000, "Newton steps for one proximal problem")                         \
  FIELD(int, condensed, -1, -1, 1, "1: factorise over bodies, 0: over contacts, -1: the cheaper")  \
  FIELD(double, memory_limit, 8e9, 1e6, 1e15, "bytes a factorisation may take")

#define STC_SETTINGS_FIXED_POINT(FIELD)                                                            \
  FIELD(double, alpha, 1e-3, 1e-14, 1e6, "proximal weight of the convex problem, units of kappa")  \
  FIELD(int, anderson, 5, 0, 20, "memory of Anderson acceleration on s; 0: none")

#define STC_SETTINGS_ADMM(FIELD)                                                                   \
  FIELD(double, rho, 0.04, 1e-14, 1e6, "first penalty in units of kappa")                          \
  FIELD(int, chunk, 60, 1, 1e9, "iterations that must gain a factor 10, or the penalty falls")     \
  FIELD(int, anderson, 10, 0, 20, "memory of Anderson acceleration; 0: none")                      \
  FIELD(int, ladder, 2, 0, 4, "smaller penalties tried after a stall, a factor 100 apart")         \
  FIELD(int, steady, 0, 0, 1, "1: the shift waits for its convex problem; 0: it never waits")

#define STC_SETTINGS_IPM(FIELD)                                                                    \
  FIELD(double, near, 0.9, 0, 1, "part of the way to the boundary that a short step goes")         \
  FIELD(double, blocked, 0.1, 0, 0.3,                                                              \
        "a direction that may go less than this part of it is blocked")                            \
  FIELD(double, outside, 0.3, 0, 1, "what holds a structure begins with less of it off the cones") \
  FIELD(double, ridge, 1e-10, 0, 1e-3, "added to the scaling, in units of the mean of D W D")      \
  FIELD(                                                                                           \
      int, associated, 1, 0, 2,                                                                    \
      "1: short steps fall back on the associated (convex) law for a while, 0: never, 2: always")

#define STC_SETTINGS_PATH(FIELD)                                                                   \
  FIELD(double, centred, 6, 1, 1e3,                                                                \
        "largest ratio of tau to what a contact on the path has of it")                            \
  FIELD(double, cross, 1e-5, 0, 1, "part of its first value of tau from which Newton is tried")

#define STC_SETTINGS_APGD(FIELD)                                                                   \
  FIELD(double, margin, 1.02, 1, 10, "of the step over the largest curvature seen")                \
  FIELD(int, flutter, 1500, 1, 1e9, "iterations without a new low that bound the momentum")

#define STC_SETTINGS_SCHWARZ(FIELD)                                                                \
  FIELD(int, sweeps, 20, 1, 1e6, "sweeps after a cycle of clusters, at first")                     \
  FIELD(int, ahead, 100, 0, 1000000,                                                               \
        "it gives up when more cycles would follow at the pace of the last ones; 0: not for that")

/// What `auto` predicts work with, and where it draws its lines (docs/solvers/strategy.md).
#define STC_SETTINGS_STRATEGY(FIELD)                                                               \
  FIELD(double, sweep_contact, 4e-8, 0, 1, "predicted seconds of a sweep, per contact")            \
  FIELD(double, sweep_block, 1e-8, 0, 1, "predicted seconds of a sweep, per block of W")           \
  FIELD(double, operation, 2.5e-10, 0, 1, "predicted seconds of an operation of a factorisation")  \
  FIELD(double, overhead, 8e-7, 0, 1, "predicted seconds of a factorisation besides, per contact") \
  FIELD(double, solve, 12, 0, 1e6, "operations per entry of the factors that a solve is worth")    \
  FIELD(double, interior_cost, 20, 0, 1e6, "factorisations an interior-point solve is worth")      \
  FIELD(double, warm_cost, 12, 0, 1e6, "factorisations Newton's method is worth from near")        \
  FIELD(double, factor_bytes, 8e3, 0, 1e12, "bytes of factors per contact that pay in a flow")     \
  FIELD(double, loose_row, 6, 0, 1e6, "blocks of W per row up to which sweeps are quick")          \
  FIELD(double, masonry_row, 15, 0, 1e6, "blocks of W per row from which contacts are masonry")    \
  FIELD(double, stack_rows, 3, 0, 1e6,                                                             \
        "components per degree of freedom above which sweeps stall")                               \
  FIELD(double, light, 1e4, 0, 1e12, "operations per contact of a light factorisation")            \
  FIELD(int, large, 2000, 0, 1e9,                                                                  \
        "contacts above which masonry begins with ipm, active bodies pay")                         \
  FIELD(int, look, 100, 1, 1e9, "sweeps that show whether a start was near, or whether they pay")  \
  FIELD(int, steps, 60, 1, 1e9, "steps of Newton's method in one of its rows")                     \
  FIELD(double, warm, 0.3, 0, 1, "a start with less than this part of the merit of r = 0 is warm")

#define STC_FIELD_DECLARE(type, name, initial, least, greatest, meaning) type name;
typedef struct stc_settings {
  STC_SETTINGS_GENERAL(STC_FIELD_DECLARE)
  struct {
    STC_SETTINGS_PROGRESS(STC_FIELD_DECLARE)
  } rule;
  struct {
    STC_SETTINGS_PART(STC_FIELD_DECLARE)
  } part;
  struct {
    STC_SETTINGS_NSGS(STC_FIELD_DECLARE)
  } nsgs;
  struct {
    STC_SETTINGS_NEWTON(STC_FIELD_DECLARE)
  } newton;
  struct {
    STC_SETTINGS_FIXED_POINT(STC_FIELD_DECLARE)
  } fixed_point;
  struct {
    STC_SETTINGS_ADMM(STC_FIELD_DECLARE)
  } admm;
  struct {
    STC_SETTINGS_IPM(STC_FIELD_DECLARE)
  } ipm;
  struct {
    STC_SETTINGS_PATH(STC_FIELD_DECLARE)
  } path;
  struct {
    STC_SETTINGS_APGD(STC_FIELD_DECLARE)
  } apgd;
  struct {
    STC_SETTINGS_SCHWARZ(STC_FIELD_DECLARE)
  } schwarz;
  struct {
    STC_SETTINGS_STRATEGY(STC_FIELD_DECLARE)
  } strategy;
  const char *method;        ///< a name of stc_method_name; NULL or "auto": the library chooses
  stc_progress_fn progress;  ///< or NULL
  stc_log_fn log;            ///< or NULL
  stc_log_level log_level;   ///< least level worth a message; 0: all
  void *user;                ///< handed to progress and log
  int cookie;                ///< set by stc_default_settings; catches a forgotten default
} stc_settings;
#undef STC_FIELD_DECLARE

STC_API stc_settings stc_default_settings(void);

/// Sets a field by its name ("tol", "nsgs.omega") from text, within its range.
STC_API stc_error stc_settings_set(stc_settings *settings, const char *name, const char *text);

typedef struct stc_setting {
  const char *name;  ///< "newton.alpha"
  const char *type;  ///< "double", "int", "long"
  const char *meaning;
  double initial, least, greatest;
} stc_setting;

/// Setting k of the table; false past the last.
STC_API bool stc_settings_field(int k, stc_setting *setting);

/// Name of method k, and what it is in a line; NULL past the last.
STC_API const char *stc_method_name(int k);
STC_API const char *stc_method_summary(int k);

/// What a solve did.
typedef struct stc_info {
  stc_status status;
  char method[160];  ///< what ran: "auto: nsgs 60, newton 11"
  char reason[200];  ///< why it ended or what auto saw, in words
  long iterations;
  double work;  ///< counted, in units of about 1 us
  stc_residual residual;
  double setup_seconds;
  double solve_seconds;
} stc_info;

/// Prepares a solver for a problem; the problem must outlive the solver.
/// The time it takes counts for the first solve. One that the time limit or the progress callback
/// stops is not an error: the next solve reports it, the one after that sets up again.
STC_API stc_error stc_solver_setup(stc_solver **solver, const stc_problem *problem,
                                   const stc_settings *settings);

/// Solves. solution->r [size] holds the start (zeros: cold) and receives the best iterate; u, v, l
/// are filled where not NULL. Allocates nothing, unless regions is set. info may be NULL.
STC_API stc_error stc_solver_solve(stc_solver *solver, const stc_solution *solution,
                                   stc_info *info);

/// New numbers for the same structure; the next solve may start from the last answer.
STC_API stc_error stc_solver_update(stc_solver *solver, const stc_update *update);

STC_API void stc_solver_free(stc_solver **solver);

#ifdef __cplusplus
}
#endif
#endif
