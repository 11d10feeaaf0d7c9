// The composite method: the problem is cut at its components where that pays; for each part sweeps
// while they are the cheaper way, then alternating directions where contacts are redundant, the
// interior-point method with a Newton crossover, and the continuation of the central path where it
// folds. A start that is nearly right is first improved by sweeps and Newton steps. The best
// iterate is handed on and never lost. Choices depend on iteration counts, residuals and operation
// counts only, never on the clock, so that the same input gives the same bits.
#include "../append.h"
#include "../method.h"
#include "../subproblem/split.h"

#include <math.h>
#include <string.h>

enum member { NSGS, APGD, ADMM, IPM, NEWTON, PATH, FIXED_POINT, MEMBERS };

static const stc_method *const methods[MEMBERS] = {
    &stc_method_nsgs,   &stc_method_apgd, &stc_method_admm,       &stc_method_ipm,
    &stc_method_newton, &stc_method_path, &stc_method_fixed_point};

// What runs when, each from the best iterate so far, for at most so many iterations.
typedef struct stage {
  enum member member;
  long limit;
} stage;

static const stage script[] = {
    {NSGS, 50},         {APGD, 100000}, {ADMM, 400},        {NEWTON, 30},  {IPM, 240},
    {NEWTON, 60},       {NSGS, 10000},  {NEWTON, 60},       {ADMM, 3000},  {NEWTON, 60},
    {PATH, 600},        {NEWTON, 100},  {FIXED_POINT, 200}, {NEWTON, 200}, {PATH, 5000},
    {FIXED_POINT, 800}, {NEWTON, 400},  {NSGS, 200000},     {NEWTON, 400},
};

// Sweeps come first where contacts are not redundant; where they are, projected gradients in
// packings, then alternating directions. The Newton steps after them are for warm starts.
enum { STAGES = sizeof script / sizeof *script, SWEEPS = 0, GRADIENTS, FIRST_ADMM, WARM_NEWTON };

// Estimated seconds: one sweep per contact and per block of W, one operation of a factorisation,
// what a factorisation costs per contact besides, the iterations an interior-point solve takes (two
// factorisations' time each), and the factorisations that Newton's method from a warm start is
// worth.
static const double SWEEP_CONTACT = 7e-8, SWEEP_BLOCK = 1e-8, OPERATION = 2.5e-10, OVERHEAD = 2e-6,
                    IPM_ITERATIONS = 20, WARM_COST = 12;
// Alternating directions: masonry has this many blocks per row and needs no lag; packings and every
// later turn have one. A packing's first turn may cost half an interior-point solve: one iteration
// takes as long as SOLVE operations of a factorisation per entry of the factors. In masonry their
// number grows with the wall: above LARGE contacts the interior point comes first, and from a cold
// start wherever a factorisation takes no more than LIGHT operations per contact.
static const double MASONRY_ROW = 15, STEADY_LAG = 0.1, SOLVE = 12, CHEAP = 60, LIGHT = 1e4;
enum { LARGE = 3000 };
// Projected gradients: an iteration costs about so many sweeps; small packings get
// this many; piles that flow are given up when the gain is small.
static const double GRADIENT_SWEEPS = 1, LEAST_STEPS = 500;
static const stc_patience GRADIENT_PATIENCE = {.iterations = 5000, .gain = 0.9};
// A start is warm if its merit is below this part of that of r = 0, or small enough for nobody to
// ask. Then Newton's method follows the sweeps, as long as each WARM_PATIENCE.iterations steps gain
// what they must.
static const double WARM = 0.3, SURELY_WARM = 0.05;
static const stc_patience WARM_PATIENCE = {.iterations = 4, .gain = 0.2};
// With fewer blocks of W per row than this sweeps are quick however redundant the contacts are.
static const double LOOSE = 6;
// With spin or rolling sweeps go on while they gain this factor; Newton's method takes over.
static const double TURNING_GAIN = 0.1;

// What ran: the same method twice in a row is one leg.
typedef struct leg {
  enum member member;
  long iterations;
} leg;

typedef struct composite {
  stc_split split;              // parts > 0: they do all the work, and there are no members
  stc_solver *member[MEMBERS];  // NULL: not available for this problem
  int stage;
  bool redundant;        // and more than loosely coupled
  bool packing;          // and no masonry
  bool warm;             // the start is worth more than zero
  bool ipm_first;        // instead of alternating directions
  double sweep_seconds;  // estimate
  double row;            // blocks of W per row
  leg legs[STAGES];
  int leg_count;
} composite;

// ---- creation ----

static void auto_free(void **state) {
  composite *a = *state;
  for (int k = 0; k < MEMBERS; k++) stc_solver_free(&a->member[k]);
  stc_split_free(&a->split);
}

static void measure(composite *a, const stc_reduced *p) {
  double blocks = (double)stc_reduced_blocks(p);
  a->row = p->contacts ? blocks / p->contacts : 0;
  a->sweep_seconds = SWEEP_CONTACT * p->contacts + SWEEP_BLOCK * blocks;
  a->redundant = stc_reduced_redundant(p) && a->row > LOOSE;
  a->packing = a->redundant && a->row < MASONRY_ROW;
}

// About what the members take: per contact, vectors of the problem's size (each of them rounded
// up), and full factors where the system is small.
enum { PER_CONTACT = 80, VECTORS = 240, ROUNDING = 5 };

size_t stc_auto_bytes(const stc_reduced *p) {
  size_t size = (size_t)p->size, dofs = (size_t)p->bodies.dofs, contacts = (size_t)p->contacts;
  size_t rows = dofs > 0 && dofs < size ? dofs : size;
  size_t factors = rows <= STC_LU_SMALL ? 2 * rows * rows : 0;
  return (PER_CONTACT * (contacts + ROUNDING) + VECTORS * (size + ROUNDING) + factors) *
         sizeof(double);
}

// The methods that factorise are left out where the factors do not fit into memory, those in hat
// variables where a law has spin or rolling.
static stc_error fill(stc_solver *s, composite *a) {
  // One block for all: sweeps come first and often suffice, and nobody touches the pages of the
  // others before they are needed.
  stc_arena_expect(s->arena, stc_auto_bytes(s->problem));
  for (int k = 0; k < MEMBERS; k++) {
    stc_error error = stc_solver_setup_member(s, methods[k], &a->member[k]);
    bool optional = error == STC_ERR_MEMORY || error == STC_ERR_UNSUPPORTED;
    if (error && (!optional || k == NSGS)) return error;
    if (error)
      stc_solver_log(s, STC_LOG_WARNING, "auto: %s left out: %s", methods[k]->name,
                     stc_error_detail());
  }
  return STC_OK;
}

static stc_error setup(stc_solver *s, void **state) {
  composite *a = *state = STC_TAKE(s->arena, composite, 1);
  STC_TRY(stc_arena_check(s->arena));
  measure(a, s->problem);
  STC_TRY(stc_split_create(s, &a->split));
  return a->split.parts > 0 ? STC_OK : fill(s, a);
}

static stc_error update(stc_solver *s, void *state) {
  composite *a = state;
  for (int k = 0; k < MEMBERS; k++) {
    stc_solver *m = a->member[k];
    if (m && m->method->update) STC_TRY(m->method->update(m, m->state));
  }
  return stc_split_update(&a->split, s);
}

// ---- choices ----

// Compares the start with r = 0, which becomes the start if it is better.
static bool is_warm(stc_solver *s) {
  double merit = s->merit;
  bool zero = true;
  for (int k = 0; zero && k < s->problem->size; k++) zero = s->r[k] == 0;
  if (zero || merit < SURELY_WARM) return !zero;
  memset(s->r, 0, (size_t)s->problem->size * sizeof *s->r);
  stc_solver_judge(s);
  return merit < WARM * s->merit;
}

// Masonry that is large or, from a cold start, light; and whatever else stands as masonry does with
// light factors: bricks in the plane.
static bool wants_ipm(stc_solver *s, const composite *a) {
  int contacts = s->problem->contacts;
  if (!a->redundant || !a->member[IPM]) return false;
  bool light = stc_jacobian_flops(s->jacobian) <= LIGHT * contacts;
  if (a->packing) return light && stc_ipm_holds(a->member[IPM]);
  return contacts > LARGE || (light && !a->warm);
}

static void start(stc_solver *s, void *state) {
  composite *a = state;
  a->stage = a->leg_count = 0;
  a->warm = is_warm(s);
  a->ipm_first = wants_ipm(s, a);
  stc_split_start(&a->split);
}

// Estimated seconds of an interior-point solve, or of Newton's method from a warm start.
static double factors_seconds(const stc_solver *s, const composite *a) {
  double factorisation =
      OPERATION * stc_jacobian_flops(s->jacobian) + OVERHEAD * s->problem->contacts;
  return (a->warm ? WARM_COST : 2 * IPM_ITERATIONS) * factorisation;
}

// Whether sweeps that gained from `before` to `after` in a chunk end sooner than what comes next.
static bool sweeps_pay(const stc_solver *s, const composite *a, double before, double after,
                       long chunk) {
  if (s->problem->turning) return after < TURNING_GAIN * before;
  if (!a->member[IPM]) return after < before;
  if (!(after < before)) return false;
  double left = (double)chunk * log(s->settings.tol / after) / log(after / before);
  return left * a->sweep_seconds < factors_seconds(s, a);
}

// Stages that do not fit this problem are passed over.
static bool skipped(const composite *a, int k) {
  if (!a->member[script[k].member]) return true;
  if (k == WARM_NEWTON) return a->redundant || !a->warm;
  if (k == GRADIENTS) return !a->packing || a->ipm_first;
  if (k == FIRST_ADMM && a->ipm_first) return true;
  return (k == FIRST_ADMM) != a->redundant && k <= FIRST_ADMM;
}

// Runs one member from the best iterate, or from where it stopped in this stage before; the driver
// judges what it leaves in r.
static void run(stc_solver *s, composite *a, enum member member, long limit, bool resumed) {
  stc_solver *m = a->member[member];
  if (resumed)
    stc_solver_resume_member(s, m, limit);
  else
    stc_solver_drive_member(s, m, limit);
  if (a->leg_count == 0 || a->legs[a->leg_count - 1].member != member)
    a->legs[a->leg_count++] = (leg){.member = member};
  a->legs[a->leg_count - 1].iterations += s->done;
  stc_solver_log(s, STC_LOG_INFO, "auto: %s %ld: %s, eta %.2e, fclib_error %.2e",
                 methods[member]->name, m->iterations, stc_status_name(m->status),
                 m->best_residual.eta, m->best_residual.fclib_error);
}

// Projected gradients may take as long as an interior-point solve.
static long gradient_steps(const stc_solver *s, const composite *a) {
  long most = script[GRADIENTS].limit;
  if (!a->member[IPM]) return most;
  double steps = factors_seconds(s, a) / (GRADIENT_SWEEPS * a->sweep_seconds);
  return lround(fmin(fmax(LEAST_STEPS, steps), (double)most));
}

// Alternating directions in a packing, the first time.
static long cheap_steps(const stc_solver *s) {
  double flops = stc_jacobian_flops(s->jacobian), entries = stc_jacobian_entries(s->jacobian);
  return lround(fmax(CHEAP, 0.5 * IPM_ITERATIONS * flops / (SOLVE * entries)));
}

// Settings of the stage's member, and how many iterations it gets.
static long prepare(const stc_solver *s, composite *a) {
  const stage *now = &script[a->stage];
  stc_settings *settings = &a->member[now->member]->settings;
  bool first = a->stage == FIRST_ADMM, steady = !first || a->packing;
  if (a->stage == GRADIENTS) return gradient_steps(s, a);
  if (now->member != ADMM) return now->limit;
  settings->admm.ladder = first ? 0 : s->settings.admm.ladder;
  settings->admm.lag = steady ? STEADY_LAG : s->settings.admm.lag;
  return first && steady ? cheap_steps(s) : now->limit;
}

static stc_step iterate(stc_solver *s, void *state) {
  composite *a = state;
  s->done = 0;
  if (a->split.parts > 0) return stc_split_iterate(&a->split, s);
  while (a->stage < STAGES && skipped(a, a->stage)) a->stage++;
  if (a->stage >= STAGES) return STC_STEP_STALLED;
  const stage *now = &script[a->stage];
  stc_solver *m = a->member[now->member];
  double before = s->best_merit;
  bool sweeping = a->stage == SWEEPS;
  m->patience = a->stage == WARM_NEWTON ? WARM_PATIENCE
                : a->stage == GRADIENTS ? GRADIENT_PATIENCE
                                        : (stc_patience){0};
  run(s, a, now->member, prepare(s, a), sweeping && a->leg_count > 0);
  double after = fmin(m->best_merit, before);
  bool on = sweeping && m->status == STC_STATUS_MAX_ITERATIONS &&
            sweeps_pay(s, a, before, after, now->limit);
  if (!on) a->stage++;
  return STC_STEP_ON;
}

// ---- words ----

// " nsgs 50", with a comma before all but the first.
static void add_leg(char *text, size_t room, const leg *l, bool first) {
  stc_words_add(text, room, first ? " " : ", ");
  stc_words_add(text, room, methods[l->member]->name);
  stc_words_add(text, room, " ");
  stc_words_add_number(text, room, l->iterations);
}

// What all parts together did, by method.
static void add_sums(const stc_split *split, char *text, size_t room) {
  leg sum[MEMBERS] = {0};
  bool first = true;
  for (int k = 0; k < split->parts; k++) {
    const composite *part = split->part[k]->state;
    for (int i = 0; i < part->leg_count; i++)
      sum[part->legs[i].member].iterations += part->legs[i].iterations;
  }
  for (int m = 0; m < MEMBERS; m++) {
    sum[m].member = (enum member)m;
    if (sum[m].iterations == 0) continue;
    add_leg(text, room, &sum[m], first);
    first = false;
  }
}

static void say_what(const composite *a, char *text, size_t room) {
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

static void say_why(const stc_solver *s, const composite *a, char *text, size_t room) {
  if (s->status == STC_STATUS_STALLED && a->split.parts == 0) {
    stc_words_add(text, room, "every method of the portfolio stalled");
    return;
  }
  if (a->warm) stc_words_add(text, room, "warm start, ");
  stc_words_add(text, room, a->redundant ? "redundant" : "few redundant");
  stc_words_add(text, room, " contacts, ");
  stc_words_add_tenths(text, room, a->row);
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
}

const stc_method stc_method_auto = {
    .name = "auto",
    .summary = "chooses and hands over between the others; the default",
    .setup = setup,
    .start = start,
    .iterate = iterate,
    .free = auto_free,
    .update = update,
    .any_law = true,
    .describe = describe,
};
