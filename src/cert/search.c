// The search over the modes of a component and what it means: no consistent modes, no solution; of
// polyhedral cones consistent modes are polyhedra of solutions, among round ones a narrow sector is
// handed to Newton.
#include "cert_data.h"

#include "../base/stop.h"

#include <math.h>

typedef struct hunt {
  stc_work *work;
  stc_component *component;
  bool all;
  double *r;                 // [size of the problem]
  stc_contact_state *state;  // [contacts]
} hunt;

static int found(const hunt *h) {
  const stc_component *k = h->component;
  return (k->sets ? k->sets->pieces : 0) + k->boxes + k->rests;
}

static bool enough(void *user) {
  const hunt *h = user;
  return !h->all && found(h) > 0;
}

// --- Polyhedral cones ---

static stc_error add_piece(void *user, const stc_mode *mode, const double *r, const double *u,
                           int *set) {
  hunt *h = user;
  stc_component *k = h->component;
  (void)r;
  (void)u;
  STC_TRY(stc_sets_add(k->sets, mode, set));
  return *set < 0 ? STC_OK : stc_work_settle_point(h->work, k, &k->sets->piece[*set].of.r);
}

// --- Round cones ---

static const double QUARTER_TURN = 1.5707963267948966;

/// What a contact does by its mode, or by its point where it has none.
static stc_contact_state status_of(const stc_exact *e, int c, const stc_mode *mode, const double *r,
                                   const double *u) {
  static const double SMALL = 1e-3;  // relative; a wrong guess costs a proof, not the truth
  if (mode[c].kind == STC_MODE_OPEN) return STC_CONTACT_OPEN;
  if (mode[c].kind == STC_MODE_STICK) return STC_CONTACT_STICK;
  if (mode[c].kind >= STC_MODE_SECTOR) return STC_CONTACT_SLIP;
  double slip = hypot(e->D[3 * c + 1] * u[3 * c + 1], e->D[3 * c + 2] * u[3 * c + 2]);
  if (r[3 * c] <= SMALL * u[3 * c]) return STC_CONTACT_OPEN;
  return slip > SMALL * r[3 * c] ? STC_CONTACT_SLIP : STC_CONTACT_STICK;
}

static stc_error try_point(hunt *h, const stc_mode *mode, const double *r, const double *u,
                           bool *proved) {
  const stc_exact *e = h->component->exact;
  for (int i = 0; i < e->all_size; i++) h->r[i] = 0;
  for (int i = 0; i < e->size; i++)  // of the relaxation, in the problem's units
    h->r[stc_exact_row(e, i)] = ldexp(r[i], e->unit_q - e->unit_W);
  for (int c = 0; c < e->contacts; c++) h->state[c] = status_of(e, c, mode, r, u);
  return stc_work_prove(h->work, h->component, h->state, h->r, proved);
}

static stc_error try_promising(void *user, const stc_mode *mode, const double *r, const double *u) {
  bool proved = false;
  return try_point(user, mode, r, u, &proved);
}

/// Angle of the middle of a sector and its width, in radians.
static double middle_of(const stc_mode *mode, double *width) {
  double from = 2 * atan(mode->from), to = 2 * atan(mode->to);
  *width = to - from;
  return (from + to) / 2 + mode->quarter * QUARTER_TURN;
}

/// Whether the slip of the solution in h->r lies in the sectors of the modes, or beside them by no
/// more than the widest of them is wide: next to a solution there is no contradiction before all
/// sectors are very narrow.
static bool is_near(const hunt *h, const stc_mode *mode) {
  const stc_exact *e = h->component->exact;
  double widest = 0, width = 0;
  for (int c = 0; c < e->contacts; c++) {
    if (mode[c].kind == STC_MODE_SECTOR) middle_of(&mode[c], &width);
    widest = fmax(widest, width);
  }
  for (int c = 0; c < e->contacts; c++) {
    const double *r = h->r + 3 * e->contact[c], *D = e->D + 3 * c;
    if (mode[c].kind != STC_MODE_SECTOR) continue;
    double off = atan2(-r[2] / D[2], -r[1] / D[1]) - middle_of(&mode[c], &width);
    if (!(fabs(remainder(off, 4 * QUARTER_TURN)) <= width / 2 + widest)) return false;
  }
  return true;
}

static stc_error try_decided(void *user, const stc_mode *mode, const double *r, const double *u,
                             int *set) {
  bool proved = false;
  STC_TRY(try_point(user, mode, r, u, &proved));
  *set = proved && is_near(user, mode) ? 0 : -1;
  return STC_OK;
}

// --- Both ---

static stc_error prepare_search(hunt *h, stc_arena *arena, stc_tree_visitor *visitor) {
  stc_component *k = h->component;
  bool flat = k->exact->polyhedral;
  h->r = STC_TAKE(arena, double, k->exact->all_size);
  h->state = STC_TAKE(arena, stc_contact_state, k->contacts);
  STC_TRY(stc_arena_check(arena));
  *visitor = (stc_tree_visitor){.decided = flat ? add_piece : try_decided,
                                .promising = flat ? NULL : try_promising,
                                .enough = enough,
                                .user = h};
  return flat && !k->sets ? stc_sets_create(k->exact, &k->sets) : STC_OK;
}

static const char *why_open(hunt *h) {
  if (!stc_budget_left(&h->work->budget, "search over modes"))
    return stc_budget_word(&h->work->budget);
  if (h->component->tree.bytes > STC_TREE_BYTES)
    return "the proofs of the search take too much room";
  return h->component->exact->rounded
             ? "some combinations of modes depend on the rounding of W: certify the global form"
             : "some combinations of modes could not be decided";
}

/// The points of all sets in the whole problem.
static stc_error complete_sets(hunt *h) {
  stc_component *k = h->component;
  for (int n = 0; n < k->sets->count; n++) {
    stc_set *set = &k->sets->set[n];
    bool done = false;
    if (!stc_stop_look()) STC_TRY(stc_work_complete(h->work, k, &set->r, &set->v, &set->l, &done));
    if (!done) k->complete = false;
  }
  return STC_OK;
}

/// What the finished tree says.
static stc_error conclude(hunt *h) {
  stc_component *k = h->component;
  bool whole = true;
  k->contradictory = k->tree.open == 0 && found(h) == 0;
  k->complete = k->tree.open == 0;
  if (k->tree.open) k->why = why_open(h);
  if (!k->sets || k->sets->pieces == 0) return STC_OK;
  STC_TRY(stc_sets_merge(k->sets, &whole));
  if (!whole) k->complete = false;
  return complete_sets(h);
}

stc_error stc_work_search(stc_work *w, stc_component *k, bool all) {
  hunt h = {.work = w, .component = k, .all = all};
  STC_ARENA arena = {0};
  stc_tree_visitor visitor = {0};
  STC_TRY(prepare_search(&h, &arena, &visitor));
  STC_TRY(stc_tree_search(k->exact, &w->budget, &visitor, &k->tree));
  return conclude(&h);
}
