// One load step: Newton's method on equilibrium with the contact conditions solved inside every
// linear step, and a line search on the residual,
//   rho(a) = | F(u + a du) - F_ext - H^T (r + a dr) + (1 - a) K_fc jump |  over the free unknowns,
// where jump is what the supports have still to move.
#include "../base/clock.h"
#include "../base/number.h"
#include "../base/stop.h"
#include "contact/layer.h"
#include "fem_data.h"

#include <float.h>
#include <math.h>
#include <string.h>

enum { MAX_HALVINGS = 10, MAX_WORKING_SETS = 50 };

// A linear solve is refined to this; condensing uses the same.
#define SOLVE_TOL 1e-14

// A body that only contact holds has rigid motions without stiffness. This part of the diagonal
// stands in for it; it multiplies du, which vanishes as Newton converges, so the answer is exact.
#define PROXIMAL 1e-6

// A step of the line search is good if the residual falls by this part of what is predicted.
#define SUFFICIENT 1e-4

typedef struct step {
  stc_fem *f;
  stc_fem_report *report;
  double t;
  double residual;  // of the iterate, relative
  double rho;       // absolute, with the jump of the supports
  double scale;     // of forces
  double jump;      // largest of the supports
  double error;     // of the contact conditions, over their limit
  int iterations;   // Newton's
  bool small;       // the last line search made no progress
} step;

static double norm_of_force(const double *x, int n) {
  double sum = 0;
  for (int i = 0; i < n; i++) sum += x[i] * x[i];
  return sqrt(sum);
}

// --- Assembly ---

static stc_error assemble_step(step *s, const double *u, bool tangent) {
  stc_fem *f = s->f;
  double begin = stc_clock();
  bool needed = tangent && !(f->elastic && f->has_tangent);
  if (tangent) f->has_tangent = true;
  STC_TRY(stc_solid_assemble(f->solid, u, f->F, needed ? f->tangent : NULL));
  if (needed) f->gathered = false;
  s->report->assembly_seconds += stc_clock() - begin;
  return STC_OK;
}

// Bodies are held, so a stiffness without inverse has a mechanism: cells that hang on too few
// nodes.
static stc_error explain_singular(const stc_fem *f, stc_error error) {
  int row = stc_sparse_bad_row(f->spd);
  char place[80];
  if (error != STC_ERR_NUMERIC || row < 0) return error;
  stc_fem_say_place(f, f->node[row], place, sizeof place);
  return stc_fail(
      error,
      "the stiffness is singular at node %d at %s along %c: cells around it hang on too "
      "few nodes and can move without strain; join or support them",
      f->node[row], place, "xyz"[f->unknown[row] % f->dim]);
}

// The factor of the present tangent; a tangent that did not change keeps its factor.
static stc_error factorise_stiffness(step *s) {
  stc_fem *f = s->f;
  size_t bytes = (size_t)f->K.ptr[f->free] * sizeof(double);
  if (f->factorised && f->gathered) return STC_OK;
  double begin = stc_clock();
  double *next = f->factorised ? f->spare : f->K.val;
  // K of the free unknowns from the tangent of all, with the proximal part.
  for (int i = 0; i < f->free; i++)
    for (int e = f->K.ptr[i]; e < f->K.ptr[i + 1]; e++) {
      next[e] = f->tangent[f->source[e]];
      if (f->loose_of[i] >= 0 && f->K.col[e] == i) next[e] *= 1 + PROXIMAL;
    }
  f->gathered = true;
  if (f->factorised && memcmp(next, f->K.val, bytes) == 0) return STC_OK;
  f->spare = f->factorised ? f->K.val : f->spare;
  f->K.val = next;
  f->factorised = false;
  stc_condenser_reset(f->condenser);
  s->report->factorisations += !f->large;
  if (f->large)  // it makes a hierarchy of its own
    stc_large_reset(f->large);
  else
    STC_TRY(explain_singular(f, stc_sparse_factorise(f->spd, f->K.val)));
  f->factorised = true;
  s->report->megabytes = stc_sparse_bytes(f->spd) / 1e6;
  s->report->factor_seconds += stc_clock() - begin;
  return STC_OK;
}

// --- Contact at an iterate ---

// Rows that some free unknown can change.
static void mark_moves(stc_fem *f) {
  const stc_csr *A = stc_surface_rows(f->surface);
  if (f->moves_version == stc_surface_version(f->surface)) return;
  for (int i = 0; i < A->rows; i++) {
    f->moves[i] = false;
    for (int e = A->ptr[i]; e < A->ptr[i + 1]; e++)
      f->moves[i] = f->moves[i] || f->number[A->col[e]] >= 0;
  }
  f->moves_version = stc_surface_version(f->surface);
}

// The gap at which the layer of a contact begins.
static double layer_reach(const stc_candidate *c) {
  return c->layer ? stc_layer_reach(c->layer) : 0;
}

// How deep the layer of contact k is under the reaction r_N.
static double layer_depth(const stc_fem *f, int k, double r_N) {
  const stc_layer *layer = f->method->layer[k];
  double slope;
  return layer && f->area[k] > 0 ? stc_layer_depth(layer, r_N / f->area[k], &slope) : 0;
}

stc_error stc_fem_look(stc_fem *f, double t, const double *u, double *v) {
  STC_TRY(stc_surface_find(f->surface, t, u));
  mark_moves(f);
  STC_TRY(stc_surface_drive(f->surface, f->time, t, f->drive));
  const stc_candidate *c = stc_surface_candidates(f->surface);
  for (int i = 0; i < f->size; i++) f->full[i] = u[i] - f->u0[i];
  memcpy(v, f->drive, (size_t)(f->contacts * f->dim) * sizeof *v);
  stc_csr_multiply(stc_surface_rows(f->surface), f->full, 1, v);
  for (int k = 0; k < f->contacts; k++) {
    v[k * f->dim] = c[k].opposite ? c[k].gap - layer_reach(&c[k]) : 0;
    if (!f->coefficient) f->mu[k] = c[k].mu;
    f->slave[k] = c[k].node;
    f->area[k] = c[k].opposite ? c[k].area : 0;
  }
  return STC_OK;
}

static stc_error find_equilibrium(step *s, const double *u, double *v) {
  double begin = stc_clock();
  STC_TRY(stc_fem_look(s->f, s->t, u, v));
  s->report->contact_seconds += stc_clock() - begin;
  return STC_OK;
}

// Rows over the free unknowns, rebuilt when the rows over all unknowns have changed.
static stc_error restrict_rows(stc_fem *f) {
  const stc_csr *A = stc_surface_rows(f->surface);
  if (f->H_version == stc_surface_version(f->surface)) return STC_OK;
  size_t entries = (size_t)A->ptr[A->rows];
  if (!f->H.ptr || entries > f->H_room) {
    stc_csr_release(&f->H);
    f->H_room = entries + entries / 4 + 16;
    f->H = (stc_csr){.rows = A->rows, .cols = f->free};
    f->H.ptr = stc_calloc((size_t)A->rows + 1, sizeof *f->H.ptr);
    f->H.col = stc_calloc(f->H_room, sizeof *f->H.col);
    f->H.val = stc_calloc(f->H_room, sizeof *f->H.val);
    if (!f->H.ptr || !f->H.col || !f->H.val)
      return stc_fail(STC_ERR_MEMORY, "out of memory for %zu entries of contact rows", entries);
  }
  int at = 0;
  for (int i = 0; i < A->rows; i++) {
    for (int e = A->ptr[i]; e < A->ptr[i + 1]; e++)
      if (f->number[A->col[e]] >= 0) {
        f->H.col[at] = f->number[A->col[e]];
        f->H.val[at++] = A->val[e];
      }
    f->H.ptr[i + 1] = at;
  }
  f->H_version = stc_surface_version(f->surface);
  stc_condenser_reset(f->condenser);
  if (f->large) stc_large_reset(f->large);
  return STC_OK;
}

// --- Residuals ---

// rho of F, r and the part `left` of the jump, whose pull is in `pulled` (NULL: none).
static double residual(step *s, const double *r, const double *pulled, double left) {
  stc_fem *f = s->f;
  double sum = 0;
  stc_csr_multiply_transposed(stc_surface_rows(f->surface), r, 0, f->full);
  double scale = fmax(norm_of_force(f->F, f->size),
                      fmax(norm_of_force(f->load, f->size), norm_of_force(f->full, f->size)));
  for (int j = 0; j < f->free; j++) {
    int i = f->unknown[j];
    double R = f->F[i] - f->load[i] - f->full[i];
    if (pulled) R += left * pulled[j];
    sum += R * R;
  }
  s->scale = scale;
  return sqrt(sum);
}

// What rounding errors of F amount to: those of the sums that cancel in K u.
static double rounding(const stc_fem *f) {
  double sum = 0;
  for (int j = 0; f->gathered && j < f->free; j++) {
    double x = f->K.val[f->diagonal[j]] * f->u[f->unknown[j]];
    sum += x * x;
  }
  return 16 * DBL_EPSILON * sqrt(sum);
}

static void measure_jump(step *s) {
  stc_fem *f = s->f;
  s->jump = 0;
  for (int i = 0; i < f->size; i++) {
    f->jump[i] = f->fixed[i] ? f->support[i] - f->u[i] : 0;
    s->jump = fmax(s->jump, fabs(f->jump[i]));
  }
}

// --- A linear step ---

static void right_hand_side(step *s) {
  stc_fem *f = s->f;
  if (s->jump > 0) {
    // full = K jump over all unknowns: what the supports' motion still to come does to the others.
    double *full = f->full;
    stc_csr A = *stc_solid_pattern(f->solid);
    A.val = f->tangent;
    stc_csr_multiply(&A, f->jump, 0, full);
  } else
    memset(f->full, 0, (size_t)f->size * sizeof *f->full);
  for (int j = 0; j < f->free; j++) {
    int i = f->unknown[j];
    f->pulled[j] = f->full[i];
    f->b[j] = f->load[i] - f->F[i] - f->full[i];
  }
  memcpy(f->g, f->v, (size_t)(f->contacts * f->dim) * sizeof *f->g);
  stc_csr_multiply(stc_surface_rows(f->surface), f->jump, 1, f->g);
}

static stc_linear_step linear_step(stc_fem *f) {
  return (stc_linear_step){.dim = f->dim,
                           .count = f->contacts,
                           .K = &f->K,
                           .spd = f->spd,
                           .H = &f->H,
                           .b = f->b,
                           .g = f->g,
                           .mu = f->mu,
                           .area = f->area,
                           .slave = f->slave,
                           .hints = &f->hints,
                           .tol = SOLVE_TOL,
                           .progress = stc_fem_tell,
                           .progress_user = f};
}

// r_new and du of the condensed step: the set grows until nothing outside it penetrates.
static stc_error solve_condensed(step *s, const stc_linear_step *l) {
  stc_fem *f = s->f;
  const stc_condensed *set = stc_condenser_set(f->condenser);
  int added = 1;
  STC_TRY(stc_condenser_begin(f->condenser, l, f->r));
  memcpy(f->r_new, f->r, (size_t)(f->contacts * f->dim) * sizeof *f->r);
  for (int i = 0; added && i < MAX_WORKING_SETS; i++) {
    for (int k = 0; k < stc_condensed_rows(set); k++) f->rw[k] = f->r_new[set->row[k]];
    STC_TRY(f->method->table->solve(f->method, set, f->rw));
    STC_TRY(stc_condenser_end(f->condenser, l, f->rw, f->method->nested, f->method->exact, f->r_new,
                              f->du, f->v_new, &added));
  }
  return STC_OK;
}

// The same where K has no factor.
static stc_error solve_large(step *s, const stc_linear_step *l) {
  stc_fem *f = s->f;
  int setups = stc_large_setups(f->large);
  double seconds = stc_large_setup_seconds(f->large);
  memcpy(f->r_new, f->r, (size_t)(f->contacts * f->dim) * sizeof *f->r);
  memset(f->du, 0, (size_t)f->free * sizeof *f->du);
  STC_TRY(stc_large_solve(f->large, l, f->r_new, f->du, f->v_new, &f->method->solves,
                          &f->method->settled));
  seconds = stc_large_setup_seconds(f->large) - seconds;
  s->report->factorisations += stc_large_setups(f->large) - setups;
  s->report->factor_seconds += seconds;
  s->report->solve_seconds -= seconds;  // counted by the caller
  s->report->megabytes = stc_large_bytes(f->large) / 1e6;
  return STC_OK;
}

static stc_error solve_linear(step *s) {
  stc_fem *f = s->f;
  STC_TRY(factorise_stiffness(s));
  STC_TRY(restrict_rows(f));
  right_hand_side(s);
  double begin = stc_clock();
  stc_linear_step l = linear_step(f);
  if (f->large)
    STC_TRY(solve_large(s, &l));
  else
    STC_TRY(solve_condensed(s, &l));
  s->report->solve_seconds += stc_clock() - begin;
  return STC_OK;
}

// --- Line search ---

// rho at u + a du, r + a (r_new - r); infinite where the bodies have no answer.
static stc_error try_length(step *s, double a, double *rho) {
  stc_fem *f = s->f;
  for (int i = 0; i < f->size; i++) {
    int j = f->number[i];
    f->trial[i] = f->u[i] + a * (j >= 0 ? f->du[j] : f->jump[i]);
    if (f->fixed[i] && a == 1) f->trial[i] = f->support[i];
  }
  for (int i = 0; i < f->contacts * f->dim; i++)
    f->r_trial[i] = f->r[i] + a * (f->r_new[i] - f->r[i]);
  stc_error error = assemble_step(s, f->trial, false);
  *rho = INFINITY;
  if (error == STC_ERR_NUMERIC) return STC_OK;
  STC_TRY(error);
  STC_TRY(find_equilibrium(s, f->trial, f->v_new));
  *rho = residual(s, f->r_trial, f->pulled, 1 - a);
  if (!isfinite(*rho)) *rho = INFINITY;
  return STC_OK;
}

// The first length that lowers rho enough, else the best of those tried; without a line search the
// whole step.
static stc_error search(step *s) {
  double a = 1, best = 1, least = INFINITY, rho;
  s->small = false;
  if (!s->f->settings.line_search) {
    STC_TRY(try_length(s, 1, &rho));
    return isfinite(rho) ? STC_OK
                         : stc_fail(STC_ERR_NUMERIC, "a step of Newton's method is infinite");
  }
  for (int i = 0; i <= MAX_HALVINGS; i++, a /= 2) {
    STC_TRY(try_length(s, a, &rho));
    if (rho <= (1 - SUFFICIENT * a) * s->rho || rho <= s->f->settings.tol * s->scale) {
      best = a;
      least = rho;
      break;
    }
    if (rho < least) {
      least = rho;
      best = a;
    }
  }
  s->small = !(least < s->rho);
  if (!isfinite(least)) return stc_fail(STC_ERR_NUMERIC, "no step of Newton's method is possible");
  return best == a ? STC_OK : try_length(s, best, &rho);
}

// --- The loop ---

// Whether the supports hold all tangential rows of contact k.
static bool is_led(const stc_fem *f, int k) {
  bool led = f->area[k] > 0;
  for (int a = 1; a < f->dim; a++) led = led && !f->moves[k * f->dim + a];
  return led;
}

static stc_error begin_step(step *s) {
  stc_fem *f = s->f;
  memcpy(f->u0, f->u, (size_t)f->size * sizeof *f->u);
  STC_TRY(stc_solid_load(f->solid, s->t, f->load));
  STC_TRY(stc_solid_supports(f->solid, s->t, f->fixed, f->support));
  STC_TRY(find_equilibrium(s, f->u, f->v));
  STC_TRY(stc_fem_choose_mu(f));
  for (int k = 0; k < f->contacts; k++)  // what has nothing opposite any more carries nothing
    for (int a = 0; a < f->dim; a++)
      if (!(f->area[k] > 0) || (a && is_led(f, k))) f->r[k * f->dim + a] = 0;
  stc_condenser_reset(f->condenser);
  f->method->table->begin(f->method, f->r);
  f->method->solves = 0;
  return assemble_step(s, f->u, true);
}

// Equilibrium of floating bodies is asked for more: what the proximal part leaves is not rounding.
#define FLOATING_TOL 1e-2

// The iterate is judged; true: done.
static bool converged(step *s) {
  stc_fem *f = s->f;
  double tol = f->settings.tol * (f->loose ? FLOATING_TOL : 1);
  measure_jump(s);
  // What rounding errors of the reactions do to the gaps.
  const stc_condensed *set = stc_condenser_set(f->condenser);
  double noise = 0;
  for (int i = 0; i < stc_condensed_rows(set); i++)
    noise = fmax(noise, fabs(f->r[set->row[i]]) * set->W[i + (ptrdiff_t)i * set->ld]);
  f->method->noise = 16 * DBL_EPSILON * noise;
  f->method->changed = 0;
  f->method->table->update(f->method, f->v, f->r, &s->error);
  double rho = residual(s, f->r, NULL, 0);
  s->residual = s->scale > 0 ? rho / s->scale : rho;
  s->report->residual = s->residual;
  if (s->jump > 0 || rho > fmax(tol * s->scale, rounding(f)) || s->error > 1) return false;
  return !f->method->table->proceed(f->method, f->v, f->r);
}

static stc_error iterate_newton(step *s) {
  stc_fem *f = s->f;
  if (s->iterations && !f->elastic) STC_TRY(assemble_step(s, f->u, true));
  STC_TRY(solve_linear(s));
  s->rho = residual(s, f->r, f->pulled, 1);
  STC_TRY(search(s));
  memcpy(f->u, f->trial, (size_t)f->size * sizeof *f->u);
  memcpy(f->r, f->r_trial, (size_t)(f->contacts * f->dim) * sizeof *f->r);
  memcpy(f->v, f->v_new, (size_t)(f->contacts * f->dim) * sizeof *f->v);
  s->iterations++;
  return STC_OK;
}

// A contact that no free unknown can open: where the supports press it, no force answers. A penalty
// answers any penetration.
static stc_error check_held(step *s) {
  const stc_fem *f = s->f;
  const stc_candidate *c = stc_surface_candidates(f->surface);
  double slack = fmax(f->method->exact, f->method->noise);
  if (s->jump > 0 || f->settings.method == STC_CONTACT_PENALTY) return STC_OK;
  for (int k = 0; k < f->contacts; k++) {
    double gap = f->v[k * f->dim];
    if (f->moves[k * f->dim] || !(f->area[k] > 0) || c[k].layer || gap >= -slack) continue;
    char place[80];
    stc_fem_say_place(f, c[k].node, place, sizeof place);
    s->report->contradictory = true;
    return stc_fail(STC_ERR_NUMERIC,
                    "the supports hold both sides of the contact at node %d at %s and press it %g "
                    "deep: no force can open it, there is no solution",
                    c[k].node, place, -gap);
  }
  return STC_OK;
}

static stc_error explain_limit(const step *s) {
  const stc_fem *f = s->f;
  if (!f->settings.line_search && f->method->changed)
    return stc_fail(STC_ERR_NUMERIC,
                    "no equilibrium after %d iterations (residual %.2g): without line_search the "
                    "statuses of contacts oscillate, %d of them in the last iteration",
                    s->iterations, s->residual, f->method->changed);
  return stc_fail(STC_ERR_NUMERIC, "no equilibrium after %d iterations (residual %.2g)",
                  s->iterations, s->residual);
}

static stc_error loop(step *s, bool *done) {
  stc_fem *f = s->f;
  STC_TRY(begin_step(s));
  for (;;) {
    bool ready = converged(s);
    STC_TRY(check_held(s));
    *done = ready;
    if (*done) return STC_OK;
    if (s->iterations >= f->settings.max_iterations) return explain_limit(s);
    if (!stc_fem_tell(f, "solving", s->residual))
      return stc_fail(STC_ERR_CALLBACK, "the progress callback stopped the run");
    STC_TRY(iterate_newton(s));
    if (f->method->nested && !f->method->settled && s->small)
      return stc_fail(STC_ERR_NUMERIC, "the statuses of the contacts do not settle");
  }
}

// --- The end ---

void stc_fem_drag(stc_fem *f) {
  for (int k = 0; k < f->contacts; k++) {
    double *r = f->r + (ptrdiff_t)k * f->dim;
    const double *v = f->v + (ptrdiff_t)k * f->dim;
    const stc_layer *layer = f->method->layer[k];
    if (layer && f->area[k] > 0 && !f->moves[k * f->dim])
      r[0] = f->area[k] * stc_layer_pressure(layer, -v[0]);
    double slip = hypot(v[1], f->dim > 2 ? v[2] : 0);
    bool drags = slip > f->method->exact && r[0] > 0;
    for (int a = 1; is_led(f, k) && a < f->dim; a++)
      r[a] = drags ? -f->mu[k] * r[0] * v[a] / slip : 0;
  }
}

static void count_contacts(stc_fem *f, stc_fem_report *report) {
  report->closed = report->slipping = 0;
  report->penetration = 0;
  for (int k = 0; k < f->contacts; k++) {
    const double *r = f->r + (ptrdiff_t)k * f->dim;
    if (!(r[0] > 0)) continue;
    report->closed++;
    report->slipping += stc_fem_status(f, k) == STC_CONTACT_SLIP;
    double left = f->v[k * f->dim] + layer_depth(f, k, r[0]);
    report->penetration = fmax(report->penetration, fabs(left));
  }
}

// Rows beyond which the judge of the discrete problem would take longer than the step.
enum { MAX_JUDGED_ROWS = 2000 };

void stc_fem_take(stc_fem *f, double t, stc_fem_report *report) {
  stc_fem_drag(f);
  for (int k = 0; k < f->contacts; k++)
    for (int a = 1; a < f->dim; a++) {
      int i = k * f->dim + a;
      f->slip[i] += f->v[i];
      f->friction -= f->r[i] * f->v[i];
    }
  for (int i = 0; i < f->size; i++) f->reaction[i] = f->F[i] - f->load[i];
  stc_solid_keep(f->solid);
  stc_fem_keep_past(f, t - f->time);
  f->time = t;
  count_contacts(f, report);
  // Small strain is an assumption; whether it holds can be seen.
  stc_deformation now = stc_solid_deformation(f->solid);
  if (now.strain > report->strain)
    report->strain = now.strain, report->strain_cell = now.strain_cell;
  if (now.rotation > report->rotation)
    report->rotation = now.rotation, report->rotation_cell = now.rotation_cell;
  report->large =
      report->strain > f->settings.max_strain || report->rotation > f->settings.max_rotation;
}

static stc_error finish_load_step(step *s) {
  stc_fem *f = s->f;
  stc_fem_take(f, s->t, s->report);
  double *eta = &s->report->eta;
  const stc_condensed *set = stc_condenser_set(f->condenser);
  *eta = stc_condensed_rows(set) > MAX_JUDGED_ROWS ? NAN : 0;
  if (!set->contacts || isnan(*eta)) return STC_OK;
  for (int i = 0; i < stc_condensed_rows(set); i++) f->rw[i] = f->r[set->row[i]];
  return stc_condensed_eta(set, f->dim, f->rw, eta);
}

// What keeps a try from ending: bodies that nothing holds, else what the loop says.
static void explain_failure(step *s) {
  stc_fem *f = s->f;
  char *reason = s->report->reason;
  size_t room = sizeof s->report->reason;
  stc_snprintf(reason, room, "%s", stc_error_detail());
  if (s->iterations == 0) return;
  residual(s, f->r, NULL, 0);  // f->full = H^T r
  for (int j = 0; j < f->free; j++) {
    int i = f->unknown[j];
    f->pulled[j] = f->load[i] + f->full[i] - f->F[i];
    f->du[j] = fabs(f->load[i]) + fabs(f->full[i]) + fabs(f->F[i]);
  }
  char unheld[400];
  if (stc_fem_say_unheld(f, f->pulled, f->du, unheld, sizeof unheld))
    stc_snprintf(reason, room, "%s", unheld);
}

stc_error stc_fem_step(stc_fem *fem, double t, stc_fem_report *report, stc_try *outcome) {
  step s = {.f = fem, .report = report, .t = t};
  bool done = false;
  memcpy(fem->r_start, fem->r, (size_t)(fem->contacts * fem->dim) * sizeof *fem->r);
  memcpy(fem->u0, fem->u, (size_t)fem->size * sizeof *fem->u);
  stc_error error = loop(&s, &done);
  report->iterations += fem->elastic ? fem->method->solves : s.iterations;
  report->augmentations += fem->method->augmentations;
  *outcome = done ? STC_TRY_CONVERGED : STC_TRY_FAILED;
  if (done) return finish_load_step(&s);
  explain_failure(&s);
  // Back to where the step began.
  memcpy(fem->u, fem->u0, (size_t)fem->size * sizeof *fem->u);
  memcpy(fem->r, fem->r_start, (size_t)(fem->contacts * fem->dim) * sizeof *fem->r);
  if (error == STC_ERR_CALLBACK && (fem->stopped || stc_stop_due(0))) {
    *outcome = STC_TRY_INTERRUPTED;
    return STC_OK;
  }
  return error == STC_ERR_NUMERIC ? STC_OK : error;
}
