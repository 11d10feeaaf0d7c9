// The strategy of `auto`: walks the rows of strategy_table.c. A row runs its method from the lead,
// the best iterate since the last restart; the driver keeps the best of all. Methods are made when
// their row is reached where the solve may allocate, else in setup. Choices depend on iteration
// counts, residuals and predicted work, never on the clock: the same input gives the same bits.
#include "strategy_table.h"

#include "append.h"
#include "subproblem/split.h"
#include "work.h"

#include <limits.h>
#include <math.h>
#include <string.h>

static const stc_method *const methods[STC_MEMBERS] = {[STC_MEMBER_NSGS] = &stc_method_nsgs,
                                                       [STC_MEMBER_APGD] = &stc_method_apgd,
                                                       [STC_MEMBER_ADMM] = &stc_method_admm,
                                                       [STC_MEMBER_IPM] = &stc_method_ipm,
                                                       [STC_MEMBER_NEWTON] = &stc_method_newton,
                                                       [STC_MEMBER_PATH] = &stc_method_path,
                                                       [STC_MEMBER_FIXED_POINT] =
                                                           &stc_method_fixed_point,
                                                       [STC_MEMBER_SCHWARZ] = &stc_method_schwarz};

enum { MOST_LEGS = 64 };  // [size]

/// What ran: the same method twice in a row is one leg.
typedef struct leg {
  stc_member member;
  long iterations;
} leg;

/// One of the methods that take turns in a row.
typedef struct racer {
  stc_member member;
  bool begun, out;
  double merit;  ///< where it is
} racer;

typedef struct strategy {
  stc_facts facts;
  bool lazy;                        ///< members are made when first used
  stc_solver *member[STC_MEMBERS];  ///< NULL: not made, or not available for this problem
  bool asked[STC_MEMBERS];          ///< made, or found not to be available
  stc_split split;                  ///< parts > 0: they do all the work of the rows from nothing
  bool has_split;
  int row;
  double *lead;  ///< [size] where the next row starts: the best but for what was given up
  double lead_merit;
  double *nothing;    ///< [size] r = 0
  bool interior_ran;  ///< its end is one of this problem
  bool resumes;       ///< the row goes on where its method stopped
  racer racer[2];
  int turn;                     ///< of these
  double slice;                 ///< counted work of a turn
  double spent;                 ///< counted work of what ran
  double stalled[STC_MEMBERS];  ///< merit of the lead from which a method stalled; 0: it has not
  leg legs[MOST_LEGS];
  int leg_count;
} strategy;

// --- Setup ---

static void free_members(void **state) {
  strategy *a = *state;
  for (int k = 0; k < STC_MEMBERS; k++) stc_solver_free(&a->member[k]);
  stc_split_free(&a->split);
}

static void measure_facts(const stc_solver *s, stc_facts *f) {
  const stc_reduced *p = s->problem;
  double blocks = (double)stc_reduced_blocks(p);
  f->contacts = p->contacts;
  f->row = p->contacts ? blocks / p->contacts : 0;
  f->redundant = stc_reduced_redundant(p) && f->row > s->settings.strategy.loose_row;
  f->packing = f->redundant && f->row < s->settings.strategy.masonry_row;
  f->statically_over =
      p->bodies.dofs > 0 && p->size > s->settings.strategy.stack_rows * p->bodies.dofs;
  f->small = p->contacts <= s->settings.part.most;
  f->moderate = p->contacts <= s->settings.strategy.large;
  f->whole = !s->parent && !s->apart;
  f->few = (double)s->settings.strategy.look * p->contacts < s->settings.rule.sweeps;
  f->round = !p->any_law;
  f->follows = s->settings.follows;
  f->sweep_work = stc_work_sweep(s);
}

/// Whether the work at hand is worth less than an interior-point solve.
static bool is_short_of_work(const stc_solver *s) {
  double interior = s->settings.strategy.interior_cost * s->settings.strategy.overhead;
  return s->settings.work > 0 && STC_WORK_UNIT * s->settings.work < interior * s->problem->contacts;
}

// About what the members take: per contact, vectors of the problem's size (each of them rounded
// up), and full factors where the system is small.
enum { PER_CONTACT = 80, VECTORS = 240, ROUNDING = 5 };  // [size]

size_t stc_auto_bytes(const stc_reduced *p) {
  size_t size = (size_t)p->size, dofs = (size_t)p->bodies.dofs, contacts = (size_t)p->contacts;
  size_t rows = dofs > 0 && dofs < size ? dofs : size;
  size_t factors = rows <= STC_LU_SMALL ? 2 * rows * rows : 0;
  return (PER_CONTACT * (contacts + ROUNDING) + VECTORS * (size + ROUNDING) + factors) *
         sizeof(double);
}

/// Methods that factorise are left out where the factors do not fit into memory, those in hat
/// variables where a law has spin or rolling, clusters where nothing may be allocated and in parts:
/// these share memory, and clusters are not cut again.
static stc_error make_member(stc_solver *s, strategy *a, stc_member k) {
  bool cuts = k == STC_MEMBER_SCHWARZ;
  a->asked[k] = true;
  if (cuts && (s->parent || s->apart || !s->settings.regions)) return STC_OK;
  stc_error error = stc_solver_setup_member(s, methods[k], &a->member[k]);
  bool optional = error == STC_ERR_MEMORY || error == STC_ERR_UNSUPPORTED;
  if (error && (!optional || k == STC_MEMBER_NSGS)) return error;
  if (error)
    stc_solver_log(s, STC_LOG_WARNING, "auto: %s left out: %s", methods[k]->name,
                   stc_error_detail());
  return STC_OK;
}

static stc_error make_all(stc_solver *s, strategy *a) {
  // One block for all: sweeps come first and often suffice, and nobody touches the pages of the
  // others before they are needed.
  stc_arena_expect(s->arena, stc_auto_bytes(s->problem));
  for (int k = 0; k < STC_MEMBERS; k++) STC_TRY(make_member(s, a, (stc_member)k));
  return STC_OK;
}

static stc_error make_split(stc_solver *s, strategy *a) {
  a->has_split = true;
  return stc_split_create(s, &a->split);
}

// A part of a problem shares its memory with others: what it needs is taken at once.
static stc_error setup_strategy(stc_solver *s, void **state) {
  strategy *a = *state = STC_TAKE(s->arena, strategy, 1);
  STC_TRY(stc_arena_check(s->arena));
  measure_facts(s, &a->facts);
  a->lazy = s->settings.regions && !s->parent;
  a->lead = STC_TAKE_RAW(s->arena, double, s->problem->size);
  a->nothing = STC_TAKE(s->arena, double, s->problem->size);
  STC_TRY(stc_arena_check(s->arena));
  if (!a->facts.follows) STC_TRY(make_split(s, a));
  if (a->split.parts > 0) return STC_OK;
  return a->lazy ? make_member(s, a, STC_MEMBER_NSGS) : make_all(s, a);
}

static stc_error update(stc_solver *s, void *state) {
  strategy *a = state;
  for (int k = 0; k < STC_MEMBERS; k++) {
    stc_solver *m = a->member[k];
    if (m && m->method->update) STC_TRY(m->method->update(m, m->state));
  }
  return stc_split_update(&a->split, s);
}

/// The solver of a method, made at first demand; NULL where it is not available, or where making it
/// was stopped.
static stc_solver *member_of(stc_solver *s, strategy *a, stc_member k) {
  if (!a->asked[k] && make_member(s, a, k)) a->asked[k] = !stc_stop_due(0);
  return a->member[k];
}

// --- Predicted work ---

/// Seconds of an interior-point solve, or of Newton's method from a warm start; INFINITY where
/// nothing can be factorised.
static double factors_work(stc_solver *s, strategy *a) {
  if (!member_of(s, a, STC_MEMBER_IPM)) return INFINITY;
  return (a->facts.warm ? s->settings.strategy.warm_cost : s->settings.strategy.interior_cost) *
         stc_work_factorisation(s);
}

/// Whether a method that gained from `before` to `after` in a chunk ends sooner than what comes
/// next.
static bool it_pays(stc_solver *s, strategy *a, stc_member k, double before, double after,
                    long chunk) {
  if (!(after < before)) return false;
  if (!a->facts.round) return after < 0.1 * before;  // Newton's method takes over
  double left = (double)chunk * log(s->settings.tol / after) / log(after / before);
  return left * stc_work_iteration(s, methods[k]) * STC_WORK_UNIT < factors_work(s, a);
}

/// Whether the row goes on where its method stopped, which gained from `before` to the lead: Newton
/// steps while as many again reach tol at that rate, tol / after > after / before.
static bool goes_on_again(stc_solver *s, strategy *a, const stc_strategy_row *row, double before) {
  double after = a->lead_merit, tol = s->settings.tol;
  if (row->budget == STC_BUDGET_WHILE_IT_PAYS)
    return it_pays(s, a, row->member, before, after, (s->settings.strategy.look + 1) / 2);
  return row->budget == STC_BUDGET_STEPS_ON && after < before && tol * before > after * after;
}

/// Iterations of projected gradients, which cost about a sweep each.
static long as_interior(stc_solver *s, strategy *a) {
  double steps = factors_work(s, a) / a->facts.sweep_work;
  return lround(fmin(fmax(s->settings.strategy.look, steps), 4 * s->settings.rule.sweeps));
}

/// Iterations of alternating directions. In masonry they see for themselves when they gain little.
static long half_interior(const stc_solver *s, const strategy *a) {
  if (!a->facts.packing) return 4L * s->settings.rule.sweeps;
  double factorisation = stc_jacobian_flops(s->jacobian),
         solve = s->settings.strategy.solve * stc_jacobian_entries(s->jacobian);
  double steps = s->settings.strategy.interior_cost / 2 * factorisation / solve;
  return lround(fmin(fmax(s->settings.admm.chunk, steps), 4.0 * s->settings.rule.sweeps));
}

static long budget_of(stc_solver *s, strategy *a, stc_row_budget budget) {
  switch (budget) {
  case STC_BUDGET_LOOK:
    return s->settings.strategy.look;
  case STC_BUDGET_GLANCE:
    return (s->settings.strategy.look + 2) / 3;
  case STC_BUDGET_WHILE_IT_PAYS:
    return (s->settings.strategy.look + 1) / 2;
  case STC_BUDGET_AS_INTERIOR:
    return as_interior(s, a);
  case STC_BUDGET_STEPS:
  case STC_BUDGET_STEPS_ON:
    return s->settings.strategy.steps;
  case STC_BUDGET_MANY_STEPS:
    return (long)s->settings.rule.steps * s->settings.strategy.steps;
  case STC_BUDGET_SWEEPS:
    return a->facts.few ? s->settings.strategy.look * a->facts.contacts
                        : 4L * s->settings.rule.sweeps;
  case STC_BUDGET_HALF_INTERIOR:
    return half_interior(s, a);
  case STC_BUDGET_OWN:
    break;
  }
  return LONG_MAX;
}

/// Iterations of a member that the work at hand is worth.
static long affordable(const stc_solver *s, const strategy *a, stc_member member) {
  if (s->settings.work == 0) return LONG_MAX;
  return stc_work_affords(s, methods[member], s->settings.work - a->spent);
}

// --- Starts ---

static bool is_zero_start(const stc_solver *s) {
  for (int k = 0; k < s->problem->size; k++)
    if (s->r[k] != 0) return false;
  return true;
}

/// Compares the start with r = 0, which becomes the start if it is better.
static bool is_warm(stc_solver *s) {
  double merit = s->merit;
  bool zero = is_zero_start(s);
  if (zero || merit < s->settings.rule.near) return !zero;
  memset(s->r, 0, (size_t)s->problem->size * sizeof *s->r);
  stc_solver_judge(s);
  return merit < s->settings.strategy.warm * s->merit;
}

/// Whether a factorisation takes few operations per contact.
static bool is_light(stc_solver *s, strategy *a) {
  if (a->split.parts > 0 || !member_of(s, a, STC_MEMBER_IPM)) return false;
  return stc_jacobian_flops(s->jacobian) <= s->settings.strategy.light * a->facts.contacts;
}

/// Masonry that is large, and from a cold start what has light factors and stands, or is a stack:
/// sweeps from nothing gain little there.
static bool wants_interior(stc_solver *s, strategy *a) {
  bool large = a->facts.contacts > s->settings.strategy.large;
  if (!a->facts.redundant || !member_of(s, a, STC_MEMBER_IPM)) return false;
  if (!a->facts.packing && large) return true;
  a->facts.stands = a->facts.light && stc_ipm_holds(a->member[STC_MEMBER_IPM]);
  return !a->facts.warm && a->facts.light && (a->facts.stands || a->facts.statically_over);
}

static void begin_from_nothing(stc_solver *s, strategy *a, bool warm) {
  a->facts.warm = warm;
  a->facts.light = a->facts.redundant && is_light(s, a);
  a->facts.stands = false;
  a->facts.interior_first = a->split.parts == 0 && wants_interior(s, a);
  a->facts.from_nothing = true;
  memset(a->stalled, 0, sizeof a->stalled);
}

static void take_lead(strategy *a, const stc_solver *from) {
  a->lead_merit = from->best_merit;
  memcpy(a->lead, from->best, (size_t)from->problem->size * sizeof *a->lead);
}

static void start_strategy(stc_solver *s, void *state) {
  strategy *a = state;
  a->row = a->leg_count = 0;
  a->spent = 0;
  memset(a->stalled, 0, sizeof a->stalled);
  a->facts.hurried = is_short_of_work(s);
  a->facts.begun = !is_zero_start(s);
  a->interior_ran = a->resumes = a->facts.from_nothing = a->facts.warm = false;
  stc_split_start(&a->split);
  if (!a->facts.follows) begin_from_nothing(s, a, a->split.parts == 0 && is_warm(s));
  take_lead(a, s);
}

// --- Rows ---

static void note_leg(strategy *a, stc_member member, long iterations) {
  bool same = a->leg_count > 0 && a->legs[a->leg_count - 1].member == member;
  if (!same && a->leg_count < MOST_LEGS) a->legs[a->leg_count++] = (leg){.member = member};
  a->legs[a->leg_count - 1].iterations += iterations;
}

void stc_auto_add_legs(stc_solver *to, const stc_solver *from) {
  const strategy *a = from->state;
  for (int k = 0; k < a->leg_count; k++)
    note_leg(to->state, a->legs[k].member, a->legs[k].iterations);
}

/// The interior point as it is set, or by another way.
static void set_way(const stc_settings *set, const stc_other_way *way, stc_settings *member) {
  member->ipm = set->ipm;
  if (way->near == 0) return;
  member->ipm.associated = way->associated;
  member->ipm.near *= way->near;
  member->ipm.blocked *= way->blocked;
}

/// The settings that a row gives its method.
static void set_member(const stc_solver *s, const strategy *a, const stc_strategy_row *row,
                       stc_solver *m) {
  bool last = row->budget == STC_BUDGET_OWN;
  m->settings.tol = row->loose ? s->settings.tol / s->settings.part.tol : s->settings.tol;
  m->far = a->facts.hurried && a->facts.follows &&
           a->facts.begun;  // judgements cost as much as several sweeps
  m->blind = m->far && isinf(s->best_merit);
  m->settings.admm.ladder = last ? s->settings.admm.ladder : 0;
  m->settings.admm.steady = last || a->facts.packing;
  if (row->member == STC_MEMBER_IPM) set_way(&s->settings, &row->way, &m->settings);
  m->patience = (stc_patience){.iterations = row->patience * s->settings.rule.steps, .gain = 0.5};
}

/// Whether the lead is so near that Newton's method goes on from there whatever else there is.
static bool leads_near(const stc_solver *s, const strategy *a) {
  return a->lead_merit < s->settings.rule.inner * s->settings.rule.near;
}

/// Where a row begins: the end of the interior point, or the lead; NULL: the best of all. The
/// interior point ignores its start, which must not pass for its end.
static const double *start_of(const stc_solver *s, const strategy *a, const stc_strategy_row *row) {
  const stc_solver *interior = a->member[STC_MEMBER_IPM];
  if (row->member == STC_MEMBER_IPM) return a->nothing;
  if (row->after && interior && a->interior_ran && !leads_near(s, a)) return interior->best;
  return a->lead_merit > s->best_merit ? a->lead : NULL;
}

/// Runs a method from its start, or from where it stopped in this row before; the driver judges
/// what it leaves in r.
static void run_member(stc_solver *s, strategy *a, const stc_strategy_row *row, stc_solver *m,
                       long limit, bool resumes) {
  set_member(s, a, row, m);
  long most = affordable(s, a, row->member);
  if (limit > most) limit = most;
  if (resumes)
    stc_solver_resume_member(s, m, limit);
  else
    stc_solver_drive_member(s, m, start_of(s, a, row), limit);
  a->interior_ran |= row->member == STC_MEMBER_IPM;
  a->spent += (double)s->done * stc_work_iteration(s, methods[row->member]);
  note_leg(a, row->member, s->done);
  stc_solver_log(s, STC_LOG_INFO, "auto: %s %ld: %s, eta %.2e, fclib_error %.2e", m->method->name,
                 m->iterations, stc_status_name(m->status), m->best_residual.eta,
                 m->best_residual.fclib_error);
}

/// Factors of deep packings take longer than the gradients do.
static bool factors_fit(const stc_solver *s, const strategy *a, stc_member member) {
  if (a->facts.from_nothing || member != STC_MEMBER_NEWTON || a->facts.small) return true;
  return stc_jacobian_entries(s->jacobian) * sizeof(double) <=
         s->settings.strategy.factor_bytes * a->facts.contacts;
}

static void run_row(stc_solver *s, strategy *a, const stc_strategy_row *row) {
  stc_solver *m = member_of(s, a, row->member);
  if (m && row->member == STC_MEMBER_PATH) stc_path_begin_early(m, a->member[STC_MEMBER_IPM]);
  bool again = false, solved = false;
  if (m && factors_fit(s, a, row->member)) {
    double before = a->lead_merit;
    run_member(s, a, row, m, budget_of(s, a, row->budget), a->resumes);
    solved = m->best_merit <= s->settings.tol;
    bool own = row->patience == 0 && row->way.near == 0;
    if (m->status == STC_STATUS_STALLED && own) a->stalled[row->member] = before;
    if (m->best_merit < before && (!row->whole || solved)) take_lead(a, m);
    again = m->status == STC_STATUS_MAX_ITERATIONS && goes_on_again(s, a, row, before);
  }
  if (row->budget == STC_BUDGET_WHILE_IT_PAYS && !again && !solved) a->facts.light = is_light(s, a);
  a->resumes = again;
  if (!again) a->row++;
}

// --- Races ---

/// The method and its rival, each with the work of half of strategy.look sweeps at first.
static void begin_race(const stc_solver *s, strategy *a, const stc_strategy_row *row) {
  a->racer[0] = (racer){.member = row->member, .merit = a->lead_merit};
  a->racer[1] = (racer){.member = row->rival, .merit = a->lead_merit};
  a->turn = 0;
  a->slice = (s->settings.strategy.look + 1) / 2 * stc_work_iteration(s, &stc_method_nsgs);
}

/// One slice, from where the method stopped in its last one. It is out where it does not promise to
/// end before a factorising method would.
static void run_racer(stc_solver *s, strategy *a, const stc_strategy_row *row, racer *x) {
  stc_solver *m = member_of(s, a, x->member);
  x->out = !m;
  if (x->out) return;
  stc_strategy_row own = *row;
  own.member = x->member;
  run_member(s, a, &own, m, stc_work_affords(s, methods[x->member], a->slice), x->begun);
  x->begun = true;
  x->out = m->status != STC_STATUS_MAX_ITERATIONS ||
           !it_pays(s, a, x->member, x->merit, m->best_merit, s->done);
  x->merit = m->best_merit;
}

/// Both began at the lead, which the better one takes over when the race is over.
static void end_race(strategy *a) {
  for (int k = 0; k < 2; k++)
    if (a->racer[k].merit < a->lead_merit) take_lead(a, a->member[a->racer[k].member]);
  a->resumes = false;
  a->row++;
}

/// Two methods of which nothing tells which is the better one take turns by slices of equal work,
/// doubled every round: the two take no more than about twice what the better one does. What they
/// keep of their state is not the other's to touch: nsgs has the sweeps, apgd its own vectors.
static void run_race(stc_solver *s, strategy *a, const stc_strategy_row *row) {
  if (!a->resumes) begin_race(s, a, row);
  a->resumes = true;
  run_racer(s, a, row, &a->racer[a->turn]);
  bool solved = a->racer[a->turn].merit <= s->settings.tol;
  if (a->turn == 1) a->slice *= 2;
  if (!a->racer[1 - a->turn].out) a->turn = 1 - a->turn;
  if (a->racer[a->turn].out || solved) end_race(a);
}

/// Components are cut when their row is reached; those that are solved stay solved.
static stc_step run_components(stc_solver *s, strategy *a) {
  stc_step step = stc_split_iterate(&a->split, s, a->lead);
  memcpy(a->lead, s->r, (size_t)s->problem->size * sizeof *a->lead);
  if (step == STC_STEP_ON || !a->facts.follows) return step;
  while (stc_strategy[a->row].member != STC_ROW_BEST) a->row++;
  return STC_STEP_ON;
}

static void restart(stc_solver *s, strategy *a) {
  memset(s->r, 0, (size_t)s->problem->size * sizeof *s->r);
  stc_solver_judge(s);
  memcpy(a->lead, s->r, (size_t)s->problem->size * sizeof *a->lead);
  a->lead_merit = s->merit;
  stc_split_start(&a->split);
  begin_from_nothing(s, a, false);
}

/// Whether a step that follows another is good enough here: in a large flow eta is to meet `tol`,
/// fclib_error need not.
static bool is_enough(const stc_solver *s, const strategy *a, const stc_strategy_row *row) {
  double eta = s->best_residual.eta;
  if (row->member == STC_ROW_ACCEPT) return eta <= s->settings.accept;
  return a->facts.follows && !a->facts.small && !a->facts.from_nothing && eta <= s->settings.tol;
}

/// With a limit of work it is one account: nothing is cut.
static bool has_components(stc_solver *s, strategy *a) {
  if (s->settings.work > 0) return false;
  if (!a->has_split && make_split(s, a)) a->split.parts = 0;
  return a->split.parts > 0;
}

/// Whether the row's method stalled from a lead that was hardly worse, or goes another way where
/// the lead is near.
static bool is_vain(const stc_solver *s, const strategy *a, const stc_strategy_row *row) {
  if (row->way.near > 0 && leads_near(s, a)) return true;
  return row->member < STC_MEMBERS && !row->after && row->way.near == 0 &&
         a->lead_merit >= s->settings.rule.gain * a->stalled[row->member] &&
         a->stalled[row->member] > 0;
}

/// The first row from a->row on that is to run; NULL: there is none.
static const stc_strategy_row *next_row(stc_solver *s, strategy *a) {
  for (; a->row < stc_strategy_rows; a->row++) {
    const stc_strategy_row *row = &stc_strategy[a->row];
    if (!row->when(&a->facts) || is_vain(s, a, row)) continue;
    if (row->member != STC_ROW_COMPONENTS || has_components(s, a)) return row;
  }
  return NULL;
}

static stc_step iterate_strategy(stc_solver *s, void *state) {
  strategy *a = state;
  s->done = 0;
  const stc_strategy_row *row = next_row(s, a);
  if (!row || is_enough(s, a, row) || affordable(s, a, STC_MEMBER_NSGS) == 0)
    return STC_STEP_STALLED;
  if (row->member == STC_ROW_COMPONENTS) return run_components(s, a);
  if (row->member < STC_MEMBERS) {
    (row->rival ? run_race : run_row)(s, a, row);
    return STC_STEP_ON;
  }
  if (row->member == STC_ROW_RESTART) restart(s, a);
  if (row->member == STC_ROW_BEST) take_lead(a, s);
  a->row++;
  return STC_STEP_ON;
}

// --- What ran, and why ---

/// " nsgs 50", with a comma before all but the first.
static void add_leg(char *text, size_t room, const leg *l, bool first) {
  stc_words_add(text, room, first ? " " : ", ");
  stc_words_add(text, room, methods[l->member]->name);
  stc_words_add(text, room, " ");
  stc_words_add_number(text, room, l->iterations);
}

/// What all parts together did, by method.
static void add_sums(const stc_split *split, char *text, size_t room) {
  leg sum[STC_MEMBERS] = {0};
  bool first = true;
  for (int k = 0; k < split->parts; k++) {
    const strategy *part = split->part[k]->state;
    for (int i = 0; i < part->leg_count; i++)
      sum[part->legs[i].member].iterations += part->legs[i].iterations;
  }
  for (int m = 0; m < STC_MEMBERS; m++) {
    sum[m].member = (stc_member)m;
    if (sum[m].iterations == 0) continue;
    add_leg(text, room, &sum[m], first);
    first = false;
  }
}

static void say_what(const strategy *a, char *text, size_t room) {
  stc_words_add(text, room, "auto:");
  for (int k = 0; k < a->leg_count; k++) add_leg(text, room, &a->legs[k], k == 0);
  if (a->split.parts == 0) return;
  stc_words_add(text, room, " ");
  stc_words_add_number(text, room, a->split.components);
  stc_words_add(text, room, " components:");
  add_sums(&a->split, text, room);
}

static int count_solved(const stc_split *split) {
  int solved = 0;
  for (int k = 0; k < split->parts; k++) solved += split->solved[k];
  return solved;
}

static void say_why(const stc_solver *s, const strategy *a, char *text, size_t room) {
  if (s->status == STC_STATUS_STALLED && a->split.parts == 0 && a->row >= stc_strategy_rows) {
    stc_words_add(text, room, "every method of the strategy stalled");
    return;
  }
  if (a->facts.warm) stc_words_add(text, room, "warm start, ");
  stc_words_add(text, room, a->facts.redundant ? "redundant" : "few redundant");
  stc_words_add(text, room, " contacts, ");
  stc_words_add_tenths(text, room, a->facts.row);
  stc_words_add(text, room, " blocks of W per row");
  if (a->split.parts == 0) return;
  stc_words_add(text, room, "; ");
  stc_words_add_number(text, room, count_solved(&a->split));
  stc_words_add(text, room, " of ");
  stc_words_add_number(text, room, a->split.parts);
  stc_words_add(text, room, " parts solved, each by itself");
}

static void describe(const stc_solver *s, const void *state, stc_info *info) {
  say_what(state, info->method, sizeof info->method);
  say_why(s, state, info->reason, sizeof info->reason);
  info->work = ((const strategy *)state)->spent;
}

STC_METHOD_IS(auto, .name = "auto",
              .summary = "chooses and hands over between the others; the default",
              .setup = setup_strategy, .start = start_strategy, .iterate = iterate_strategy,
              .free = free_members, .update = update, .any_law = true, .describe = describe);
