// The reduced problem u = W r + q over contacts, in units where the largest |q| and the largest
// kappa lie in [1, 2): set up from any form, scaled, changed.
#include "reduced_parts.h"

#include "../../base/stop.h"

#include <math.h>
#include <stdint.h>
#include <string.h>

// Units are powers of two between these: their products and quotients stay inside double's range.
static const double LEAST_UNIT = 0x1p-400, LARGEST_UNIT = 0x1p400;
// Bytes by which the arrays of a small problem are rounded up, and a short pattern of W.
enum { BLOCK_SLACK = 2048 };
// The bits of a double that hold its fraction.
static const uint64_t FRACTION = ((uint64_t)1 << 52) - 1;

// --- Units ---

/// The power of two with x in [unit, 2 unit); 1 for x = 0.
static double unit_of(double x) {
  uint64_t bits;
  if (!(x > 0)) return 1;
  if (x < LEAST_UNIT) return LEAST_UNIT;
  if (x > LARGEST_UNIT) return LARGEST_UNIT;
  memcpy(&bits, &x, sizeof bits);
  bits &= ~FRACTION;
  memcpy(&x, &bits, sizeof x);
  return x;
}

static double largest(const double *x, int count) {
  double most = 0;
  for (int i = 0; i < count; i++) most = fmax(most, fabs(x[i]));
  return most;
}

static void scale(double *x, size_t count, double factor) {
  for (size_t i = 0; i < count; i++) x[i] *= factor;
}

/// From 1/kg to the unit 2^k of kappa: everything that comes from W and M. The unit stays the same
/// for the life of the reduced problem.
static void scale_matrices(stc_reduced *p, double unit) {
  size_t area = (size_t)(p->dim * p->dim), contacts = (size_t)p->contacts;
  stc_bodies *bodies = &p->bodies;
  scale(p->kappa, contacts, 1 / unit);
  scale(p->diagonal, contacts * area, 1 / unit);
  if (p->has_W) scale(p->W.val, (size_t)p->W.ptr[p->contacts] * area, 1 / unit);
  if (bodies->count == 0) return;
  size_t masses = bodies->inv_ptr[bodies->count];
  scale(bodies->M, masses, unit);
  scale(bodies->inverse, masses, 1 / unit);
  scale(bodies->Y, bodies->val_ptr[bodies->touch_ptr[p->contacts]], 1 / unit);
}

/// From m/s to the unit of q, given the unit of kappa; q and the free velocity are physical here.
static void scale_velocities(stc_reduced *p, double kappa_unit) {
  p->scale_u = unit_of(largest(p->q, p->size));
  p->scale_r = p->scale_u / kappa_unit;
  scale(p->q, (size_t)p->size, 1 / p->scale_u);
  if (p->bodies.count > 0) scale(p->bodies.free, (size_t)p->bodies.dofs, 1 / p->scale_u);
}

// --- W_ii, kappa ---

static void copy_diagonal(const stc_bsr *W, double *diagonal) {
  size_t area = (size_t)(W->dim * W->dim);
  for (int c = 0; c < W->rows; c++)
    memcpy(diagonal + (size_t)c * area, W->val + (size_t)W->diag[c] * area,
           area * sizeof *diagonal);
}

/// W_cc from the bodies, the same bits as in the assembled W.
static void sum_diagonal(const stc_reduced *p, int c, bool symmetric, double *block) {
  int dim = p->dim;
  for (int t = p->bodies.touch_ptr[c]; t < p->bodies.touch_ptr[c + 1]; t++)
    stc_bodies_add_block(p, t, t, block);
  if (!symmetric) return;
  for (int l = 0; l < dim; l++)
    for (int k = 0; k < l; k++) block[k * dim + l] = block[l * dim + k];
}

static bool all_zero(const double *x, size_t count) {
  for (size_t i = 0; i < count; i++)
    if (x[i] != 0) return false;
  return true;
}

/// Row c of W vanishes. A body moves under any impulse, so with bodies W_cc = 0 says it all.
static bool is_immovable(const stc_reduced *p, int c) {
  size_t area = (size_t)(p->dim * p->dim);
  if (!p->has_W) return all_zero(p->diagonal + (size_t)c * area, area);
  size_t first = (size_t)p->W.ptr[c], last = (size_t)p->W.ptr[c + 1];
  return all_zero(p->W.val + first * area, (last - first) * area);
}

static double trace(int dim, const double *block) {
  double sum = 0;
  for (int k = 0; k < dim; k++) sum += block[k * dim + k];
  return sum;
}

/// kappa_c = tr(W_cc) / dim; the largest where that is not positive, 1 if none is.
static void fill_kappa(stc_reduced *p) {
  size_t area = (size_t)(p->dim * p->dim);
  double most = 0;
  for (int c = 0; c < p->contacts; c++) {
    p->kappa[c] = trace(p->dim, p->diagonal + (size_t)c * area) / p->dim;
    most = fmax(most, p->kappa[c]);
  }
  for (int c = 0; c < p->contacts; c++)
    if (!(p->kappa[c] > 0)) p->kappa[c] = most > 0 ? most : 1;
}

/// What threads share of the diagonal: contacts in pieces.
typedef struct diagonal_job {
  stc_reduced *problem;
  bool symmetric;
  stc_pieces pieces;
} diagonal_job;

static void fill_diagonal_piece(void *argument, int piece) {
  const diagonal_job *j = argument;
  stc_reduced *p = j->problem;
  size_t area = (size_t)(p->dim * p->dim);
  int end = stc_piece_first(&j->pieces, piece + 1);
  for (int c = stc_piece_first(&j->pieces, piece); c < end; c++) {
    double *block = p->diagonal + (size_t)c * area;
    if (!p->has_W) {
      memset(block, 0, area * sizeof *block);
      sum_diagonal(p, c, j->symmetric, block);
    }
    p->immovable[c] = is_immovable(p, c);
  }
}

void stc_reduced_fill_diagonal(stc_reduced *p) {
  diagonal_job job = {p, stc_bodies_symmetric(&p->bodies),
                      stc_pieces_of(p->contacts, STC_PIECE_CONTACTS)};
  if (p->has_W) copy_diagonal(&p->W, p->diagonal);
  stc_team_run(p->team, fill_diagonal_piece, &job, job.pieces.count);
  fill_kappa(p);
}

// --- Setting up ---

/// q = w + H v_f in physical units; the inverses of the bodies are in 1 / unit.
static void settle_bodies(stc_reduced *p, double unit) {
  const struct stc_elimination *e = p->elimination;
  stc_bodies_settle(&p->bodies, e->f, p->bodies.free);
  scale(p->bodies.free, (size_t)p->bodies.dofs, unit);
  memcpy(p->q, e->w, (size_t)p->size * sizeof *p->q);
  stc_bodies_add_velocity(p, p->bodies.free, p->q);
}

static stc_error fill_reduced_create(stc_reduced *p) {
  if (p->turning) STC_TRY(stc_lengths_create(p));
  const stc_problem *problem = p->problem;
  memcpy(p->law, problem->law, (size_t)p->contacts * sizeof *p->law);
  STC_TRY(stc_elimination_start(p));
  bool free = problem->form == STC_FORM_GLOBAL && problem->equalities == 0;
  if (free) STC_TRY(stc_bodies_create(p, p->elimination->M));
  STC_TRY(stc_stop_try(0));
  if (p->bodies.count > 0) {
    stc_blocks_free(&p->elimination->M);  // the bodies have their inverses
    settle_bodies(p, 1);
  } else {
    STC_TRY(stc_elimination_condense(p));
  }
  stc_reduced_fill_diagonal(p);
  p->blocks = stc_reduced_count(p);
  STC_TRY(stc_stop_try(0));
  double unit = unit_of(largest(p->kappa, p->contacts));
  scale_matrices(p, unit);
  scale_velocities(p, unit);
  p->scratch = p->bodies.dofs + p->contacts;
  return STC_OK;
}

static stc_error take_reduced_create(const stc_problem *problem, stc_reduced *p) {
  size_t area = (size_t)(problem->dim * problem->dim);
  *p = (stc_reduced){.problem = problem,
                     .turning = problem->turning,
                     .dim = problem->dim,
                     .contacts = problem->contacts,
                     .size = problem->size};
  // The numbers of contacts and, in the local form, the pattern of W: a block for all.
  size_t contacts = (size_t)p->contacts, each = sizeof(stc_law) + (3 + area) * sizeof(double);
  stc_arena_expect(&p->arena, contacts * each + (size_t)p->size * sizeof *p->q + BLOCK_SLACK);
  p->law = STC_TAKE_RAW(&p->arena, stc_law, p->contacts);
  p->q = STC_TAKE_RAW(&p->arena, double, p->size);
  p->kappa = STC_TAKE_RAW(&p->arena, double, p->contacts);
  p->diagonal = stc_bsr_take_values(&p->arena, (size_t)p->contacts * area, false);
  p->immovable = STC_TAKE_RAW(&p->arena, bool, p->contacts);
  return stc_arena_check(&p->arena);
}

stc_error stc_reduced_create(const stc_problem *problem, stc_reduced **reduced) {
  return stc_reduced_create_shared(problem, NULL, reduced);
}

stc_error stc_reduced_create_shared(const stc_problem *problem, stc_team *team,
                                    stc_reduced **reduced) {
  *reduced = stc_calloc(1, sizeof **reduced);
  if (!*reduced) return stc_fail(STC_ERR_MEMORY, "out of memory for a reduced problem");
  stc_error error = take_reduced_create(problem, *reduced);
  (*reduced)->team = team;
  if (!error) error = fill_reduced_create(*reduced);
  if (error) stc_reduced_free(reduced);
  return error;
}

void stc_reduced_free(stc_reduced **reduced) {
  if (!reduced || !*reduced) return;
  stc_elimination_free((*reduced)->elimination);
  stc_problem_free(&(*reduced)->own);
  stc_arena_free(&(*reduced)->arena);
  stc_release(reduced);
}

// --- New numbers ---

static stc_error check_numbers(const char *name, const double *x, int count) {
  for (int i = 0; x && i < count; i++)
    if (!isfinite(x[i]))
      return stc_fail(STC_ERR_VALUE, "%s[%d] = %g; every entry must be finite", name, i, x[i]);
  return STC_OK;
}

static stc_error check_update(const stc_reduced *p, const stc_update *update) {
  bool global = p->problem->form == STC_FORM_GLOBAL;
  if (global && update->q)
    return stc_fail(STC_ERR_ARGUMENT, "q belongs to the local form; this problem takes f and w");
  if (!global && (update->f || update->w))
    return stc_fail(STC_ERR_ARGUMENT, "f and w belong to the global form; this problem takes q");
  STC_TRY(check_numbers("q", update->q, p->size));
  STC_TRY(check_numbers("f", update->f, p->problem->dofs));
  STC_TRY(check_numbers("w", update->w, p->size));
  STC_TRY(check_numbers("mu", update->mu, p->contacts));
  for (int c = 0; update->mu && c < p->contacts; c++)
    if (update->mu[c] < 0)
      return stc_fail(STC_ERR_VALUE, "mu[%d] = %g; give a number >= 0", c, update->mu[c]);
  return STC_OK;
}

static stc_error update_velocities(stc_reduced *p, const stc_update *update) {
  double unit = p->scale_u / p->scale_r;
  struct stc_elimination *e = p->elimination;
  if (p->bodies.count > 0) {
    if (update->f) memcpy(e->f, update->f, (size_t)p->bodies.dofs * sizeof *e->f);
    const double *w = stc_lengths_velocity(p, update->w);
    if (w) memcpy(e->w, w, (size_t)p->size * sizeof *e->w);
    settle_bodies(p, unit);
  } else {
    stc_update measured = *update;
    if (update->q) measured.q = stc_lengths_velocity(p, update->q);
    if (update->w) measured.w = stc_lengths_velocity(p, update->w);
    STC_TRY(stc_elimination_update(p, &measured, p->q));
  }
  scale_velocities(p, unit);
  return STC_OK;
}

stc_error stc_reduced_update(stc_reduced *reduced, const stc_update *update) {
  STC_TRY(check_update(reduced, update));
  if (update->q || update->f || update->w) STC_TRY(update_velocities(reduced, update));
  for (int c = 0; update->mu && c < reduced->contacts; c++)
    reduced->law[c] = stc_law_with_mu(&reduced->problem->law[c], update->mu[c]);
  return STC_OK;
}

// --- v and l ---

stc_error stc_reduced_recover(const stc_reduced *reduced, const double *r, double *v, double *l) {
  const double *impulse = stc_lengths_impulse(reduced, r);
  if (reduced->bodies.count == 0) return stc_elimination_recover(reduced, impulse, v, l);
  if (v) stc_bodies_recover(reduced, reduced->elimination->f, impulse, v);
  return STC_OK;
}
