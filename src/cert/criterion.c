// An interior-point method for the criterion: Newton's method on
//   -tau t + delta/2 r.W r - log(T - t) - sum log((u_N - t)^2 - |D u_T|^2),   u = W r + q,
// for a growing tau. It starts at r = 0 and any t below the least u_N - |D u_T|, so it needs no
// first phase. With x = (u_N - t, D u_T), z = D^-1 r and J = diag(1, -1, -1) the Hessian of a term
// has the inverse S = x x^T - det(x) J / 2; over polygons terms are log(x.g) for the rays g =
// (1, p) of the cone, D = 1, and S is the inverse of sum g g^T / (x.g)^2. With the gradient g the
// step solves
//   (W + delta D^-1 S D^-1) dr = -D^-1 S (delta z + g) + e dt,
//   (delta sum r2_N + 1/(T - t)^2) dt = tau - 1/(T - t) - delta sum (r_N + r1_N),  dr = r1 + r2 dt.
#include "criterion.h"

#include "../base/stop.h"

#include "../linalg/small.h"
#include "../solve/methods/jacobian.h"

#include <float.h>
#include <math.h>
#include <string.h>

// In scaled units |q| and kappa are about 1.
static const double CAP = 1;               // T
static const double DELTA = 1e-2;          // keeps v near the free velocity until tau outgrows it
static const double GROWTH = 8;            // of tau from one stage to the next
static const double CENTRED = 0.5;         // Newton decrement squared that ends a stage
static const double WORTHWHILE = 0.5;      // part to which a bound on the reactions must fall
static const double SMALLEST = 1e-9;       // gap below which t counts as zero
static const double CERTAIN = 1e-6;        // gap over |t| at which a negative t is believed
static const double MEMORY = 8e9;          // bytes a factorisation may take
static const double STEP_ACCURACY = 1e-9;  // of a linear solve; the margin is evaluated by itself

enum { STEPS = 40, HALVINGS = 40 };  // Newton steps of a stage, halvings of one

typedef struct barrier {
  stc_reduced *p;
  stc_jacobian jacobian;
  const bool *skip;
  double tau, t;
  double *r, *u;             // [size] point
  double *r1, *r2, *F, *du;  // [size] step
  double *D;                 // [size] 1 where the cone is a polygon's
  int *rays;                 // [contacts] where a cone is a polygon's, else 0
  double **ray_of;           // [contacts] [2*rays] p of the rays (1, p)
  double *new_u, *work;
  double *ray;   // [size] multipliers, normal parts summing to 1, where the last stage ended
  double *best;  // [size] the r of the best bound on the reactions
  double best_t, best_bound;
} barrier;

static bool skipped(const barrier *b, int c) { return b->skip && b->skip[c]; }

/// x of contact c at u and t.
static void cone_point(const barrier *b, int c, const double *u, double t, double x[3]) {
  int d = b->p->dim;
  x[0] = u[c * d] - t;
  x[1] = x[2] = 0;
  for (int k = 1; k < d; k++) x[k] = b->D[c * d + k] * u[c * d + k];
}

static double along_ray(const double *p, const double x[3]) {
  return x[0] + p[0] * x[1] + p[1] * x[2];
}

/// The distance of x from the boundary of K*, along the normal; negative outside.
static double cone_depth(const barrier *b, int c, const double x[3]) {
  double least = INFINITY;
  for (int k = 0; k < b->rays[c]; k++) least = fmin(least, along_ray(b->ray_of[c] + 2 * k, x));
  return b->rays[c] ? least : x[0] - hypot(x[1], x[2]);
}

static double determinant(const double x[3]) {
  double tail = hypot(x[1], x[2]);
  return (x[0] - tail) * (x[0] + tail);
}

/// The term of contact c at a point inside.
static double barrier_term(const barrier *b, int c, const double x[3]) {
  double sum = b->rays[c] ? 0 : -log(determinant(x));
  for (int k = 0; k < b->rays[c]; k++) sum -= log(along_ray(b->ray_of[c] + 2 * k, x));
  return sum;
}

/// Its gradient.
static void barrier_gradient(const barrier *b, int c, const double x[3], double h[3]) {
  double det = b->rays[c] ? 1 : determinant(x);
  for (int k = 0; k < 3; k++) h[k] = b->rays[c] ? 0 : (k == 0 ? -2 : 2) * x[k] / det;
  for (int k = 0; k < b->rays[c]; k++) {
    const double *p = b->ray_of[c] + 2 * k;
    double each = 1 / along_ray(p, x);
    h[0] -= each;
    h[1] -= p[0] * each;
    h[2] -= p[1] * each;
  }
}

/// The inverse S of its second derivative, 3 x 3.
static void barrier_inverse(const barrier *b, int c, const double x[3], double *S) {
  double A[9] = {0}, inverse[9], det = determinant(x);
  int d = b->p->dim;
  for (int l = 0; l < 3; l++)
    for (int k = 0; k < 3; k++)
      S[k + 3 * l] = x[k] * x[l] - (k == l ? (k == 0 ? det : -det) / 2 : 0);
  if (!b->rays[c]) return;
  for (int k = 0; k < b->rays[c]; k++) {
    const double *p = b->ray_of[c] + 2 * k, g[3] = {1, p[0], p[1]};
    double each = 1 / along_ray(p, x);
    for (int i = 0; i < d * d; i++) A[i] += g[i / d] * each * g[i % d] * each;
  }
  stc_small_invert(d, A, DBL_MIN, inverse);
  for (int k = 0; k < 9; k++) S[k] = k % 3 < d && k / 3 < d ? inverse[k % 3 * d + k / 3] : 0;
}

/// The least u_N - s(u), T at most: where every contact is left out there is nothing to ask.
static double least_margin(const barrier *b, const double *u) {
  double least = CAP, x[3];
  for (int c = 0; c < b->p->contacts; c++) {
    if (skipped(b, c)) continue;
    cone_point(b, c, u, 0, x);
    least = fmin(least, cone_depth(b, c, x));
  }
  return least;
}

/// r.W r, with u = W r + q.
static double energy(const barrier *b, const double *r, const double *u) {
  double sum = 0;
  for (int k = 0; k < b->p->size; k++) sum += r[k] * (u[k] - b->p->q[k]);
  return sum;
}

/// The function that is minimised; INFINITY outside.
static double merit(const barrier *b, const double *r, const double *u, double t) {
  double x[3], sum = 0;
  if (!(t < CAP)) return INFINITY;
  for (int c = 0; c < b->p->contacts; c++) {
    if (skipped(b, c)) continue;
    cone_point(b, c, u, t, x);
    if (!(cone_depth(b, c, x) > 0)) return INFINITY;
    sum += barrier_term(b, c, x);
  }
  return sum - b->tau * t - log(CAP - t) + DELTA / 2 * energy(b, r, u);
}

/// A, B and the right-hand side of contact c; components without friction stay where they are.
static void fill_contact(barrier *b, int c) {
  int d = b->p->dim;
  const double *D = b->D + c * d;
  double x[3], S[9], h[3];
  double *A = b->jacobian.A + (ptrdiff_t)c * d * d, *B = b->jacobian.B + (ptrdiff_t)c * d * d;
  cone_point(b, c, b->u, b->t, x);
  barrier_inverse(b, c, x, S);
  barrier_gradient(b, c, x, h);
  for (int k = 0; k < d; k++) h[k] += D[k] > 0 ? DELTA * b->r[c * d + k] / D[k] : 0;
  for (int k = 0; k < d; k++) {
    double sum = 0;
    bool moves = D[k] > 0 && !skipped(b, c);
    for (int l = 0; l < d; l++) {
      bool there = moves && D[l] > 0;
      A[k + l * d] = there ? DELTA * S[k + 3 * l] / (D[k] * D[l]) : k == l;
      B[k + l * d] = there && k == l;
      sum += S[k + 3 * l] * h[l];
    }
    b->F[c * d + k] = moves ? sum / D[k] : 0;
  }
}

/// Sum of the normal parts.
static double sum_normal(const barrier *b, const double *r) {
  double sum = 0;
  for (int c = 0; c < b->p->contacts; c++) sum += r[c * b->p->dim];
  return sum;
}

/// Step in r1 and its dt; du = W dr.
static double newton_step(barrier *b) {
  int d = b->p->dim;
  for (int c = 0; c < b->p->contacts; c++) fill_contact(b, c);
  stc_jacobian_factorise(&b->jacobian);
  stc_jacobian_solve(&b->jacobian, b->F, STEP_ACCURACY, b->r1);
  for (int k = 0; k < b->p->size; k++) b->F[k] = k % d == 0 && !skipped(b, k / d) ? -1 : 0;
  stc_jacobian_solve(&b->jacobian, b->F, STEP_ACCURACY, b->r2);
  double room = 1 / (CAP - b->t);
  double dt = (b->tau - room - DELTA * (sum_normal(b, b->r) + sum_normal(b, b->r1))) /
              (DELTA * sum_normal(b, b->r2) + room * room);
  for (int k = 0; k < b->p->size; k++) b->r1[k] += b->r2[k] * dt;
  stc_reduced_multiply(b->p, b->r1, b->work, b->du);
  return dt;
}

/// Derivative of the merit along the step.
static double slope(const barrier *b, double dt) {
  double x[3], h[3], sum = (1 / (CAP - b->t) - b->tau) * dt;
  int d = b->p->dim;
  for (int c = 0; c < b->p->contacts; c++) {
    if (skipped(b, c)) continue;
    cone_point(b, c, b->u, b->t, x);
    barrier_gradient(b, c, x, h);
    sum += h[0] * (b->du[c * d] - dt);
    for (int k = 1; k < d; k++) sum += h[k] * b->D[c * d + k] * b->du[c * d + k];
  }
  for (int k = 0; k < b->p->size; k++) sum += DELTA * b->r[k] * b->du[k];
  return sum;
}

/// Operations of the merit function per contact, about.
static const double MERIT = 100;

/// Moves along the step as far as the merit falls; false if it does not.
static bool advance_barrier(barrier *b, double dt, double down) {
  double before = merit(b, b->r, b->u, b->t), step = 1;
  for (int h = 0; h < HALVINGS && !stc_stop_due(MERIT * b->p->contacts); h++, step /= 2) {
    for (int k = 0; k < b->p->size; k++) {
      b->new_u[k] = b->u[k] + step * b->du[k];
      b->r2[k] = b->r[k] + step * b->r1[k];
    }
    if (merit(b, b->r2, b->new_u, b->t + step * dt) > before + 0.1 * step * down) continue;
    memcpy(b->r, b->r2, (size_t)b->p->size * sizeof *b->r);
    memcpy(b->u, b->new_u, (size_t)b->p->size * sizeof *b->u);
    b->t += step * dt;
    return true;
  }
  return false;
}

/// Keeps the point if it proves more about the reactions, or fails by less, than the best so far.
/// True if a proof is at hand that does not get much better any more.
static bool keep_best(barrier *b) {
  stc_reduced_velocity(b->p, b->r, b->work, b->new_u);  // free of what updates leave behind
  double t = least_margin(b, b->new_u), bound = t > 0 ? energy(b, b->r, b->new_u) / t : INFINITY;
  bool better = t > 0 ? bound < b->best_bound : b->best_t <= 0 && t > b->best_t;
  bool enough = b->best_t > 0 && !(bound < WORTHWHILE * b->best_bound);
  if (!better) return enough;
  b->best_t = t;
  b->best_bound = bound;
  memcpy(b->best, b->r, (size_t)b->p->size * sizeof *b->r);
  return enough;
}

/// The multipliers after a Newton step are DELTA r: what they lack of W rho = 0 is (u - q) / |r|,
/// and r grows like tau.
static void read_ray(barrier *b) {
  double sum = sum_normal(b, b->r);
  for (int k = 0; sum > 0 && k < b->p->size; k++) b->ray[k] = b->r[k] / sum;
}

/// One value of tau. False if the search is over: nothing is left to spend, no step goes down, or
/// the proof is good enough.
static bool run_stage(barrier *b, stc_budget *budget) {
  for (int k = 0; k < STEPS; k++) {
    if (!stc_budget_left(budget, "existence criterion")) return false;
    double dt = newton_step(b), down = slope(b, dt);
    if (stc_stop_due(0)) return false;  // the step may be half made
    if (!(down < 0) || !advance_barrier(b, dt, down)) break;
    if (least_margin(b, b->u) > 0 && keep_best(b)) return false;
    if (-down < CENTRED) {
      read_ray(b);
      break;
    }
  }
  keep_best(b);
  return isfinite(b->t);
}

/// Stages until t is positive and its bound stops falling, or it is clear that it is not.
static double climb(barrier *b, stc_budget *budget) {
  double terms = 1, gap = INFINITY;
  for (int c = 0; c < b->p->contacts; c++) terms += skipped(b, c) ? 0 : b->rays[c] ? b->rays[c] : 2;
  for (b->tau = terms; gap > SMALLEST; b->tau *= GROWTH) {
    if (!run_stage(b, budget)) break;
    gap = terms / b->tau;
    if (b->t < 0 && gap < CERTAIN * -b->t) break;
  }
  return gap;
}

/// The rays of polygonal cones.
static stc_error take_rays(barrier *b, stc_arena *arena) {
  stc_reduced *p = b->p;
  b->rays = STC_TAKE(arena, int, p->contacts);
  b->ray_of = STC_TAKE(arena, double *, p->contacts);
  STC_TRY(stc_arena_check(arena));
  for (int c = 0; c < p->contacts; c++) {
    const stc_law *law = &p->law[c];
    if (law->kind != STC_LAW_SECTION || b->D[c * p->dim + 1] == 0) continue;
    b->rays[c] = stc_cone_section_corners(law->section, NULL);
    b->ray_of[c] = STC_TAKE(arena, double, 2 * (size_t)b->rays[c]);
    STC_TRY(stc_arena_check(arena));
    stc_cone_section_corners(law->section, b->ray_of[c]);
    for (int k = 0; k < 2 * b->rays[c]; k++) b->ray_of[c][k] *= law->mu[0];
  }
  return STC_OK;
}

/// D of component k: 1 along tangents of a polygon, none of which is without friction.
static double stretch_of(const stc_law *law, int k) {
  if (k == 0) return 1;
  if (law->kind == STC_LAW_FRICTIONLESS) return 0;
  return law->kind == STC_LAW_SECTION ? law->mu[0] > 0 : law->mu[k - 1];
}

static stc_error prepare_criterion(barrier *b, stc_arena *arena) {
  stc_reduced *p = b->p;
  double **vectors[] = {&b->r,  &b->u, &b->r1,    &b->r2,   &b->F,
                        &b->du, &b->D, &b->new_u, &b->best, &b->ray};
  for (size_t k = 0; k < sizeof vectors / sizeof *vectors; k++)
    *vectors[k] = STC_TAKE(arena, double, p->size);
  STC_TRY(stc_jacobian_create(arena, p, -1, MEMORY, &b->jacobian));
  b->work = STC_TAKE(arena, double, p->scratch);  // assembling W may have raised it
  STC_TRY(stc_arena_check(arena));
  for (int k = 0; k < p->size; k++) b->D[k] = stretch_of(&p->law[k / p->dim], k % p->dim);
  STC_TRY(take_rays(b, arena));
  for (int c = 0; c < p->contacts; c++) b->jacobian.prox[c] = 0;
  stc_reduced_velocity(p, b->r, b->work, b->u);
  b->t = fmin(least_margin(b, b->u), 0) - 1;
  b->best_t = -INFINITY;
  b->best_bound = INFINITY;
  return STC_OK;
}

stc_error stc_criterion_solve(stc_reduced *problem, const bool *skip, stc_budget *budget,
                              stc_arena *arena, stc_criterion *criterion) {
  barrier b = {.p = problem, .skip = skip};
  STC_ARENA own = {0};
  criterion->r = STC_TAKE(arena, double, problem->size);
  criterion->rho = STC_TAKE(arena, double, problem->size);
  stc_error error = stc_arena_check(arena);
  if (!error) error = prepare_criterion(&b, &own);
  if (!error) {
    keep_best(&b);
    if (!(b.best_t > 0)) criterion->gap = climb(&b, budget) * problem->scale_u;
    memcpy(criterion->rho, b.ray, (size_t)problem->size * sizeof *b.ray);
    criterion->t = b.best_t * problem->scale_u;
    stc_reduced_unscale_r(problem, b.best, criterion->r);
  }
  stc_jacobian_free(&b.jacobian);
  return error;
}

// --- Exactly, for polyhedral cones ---

/// Row: u.(1, p) - t for a ray of contact c, over the columns r, 1, t.
static void fill_ray(const stc_exact *e, int c, int k, int row, stc_lp *lp) {
  for (int j = 0; j <= e->size; j++) {
    stc_q_ptr a = stc_lp_entry(lp, row, j);
    for (int l = 0; l < e->dim; l++) {
      int i = c * e->dim + l;
      stc_q_srcptr x = j == e->size ? e->q.at[i] : e->W.at[(ptrdiff_t)i * e->size + j];
      if (l == 0)
        stc_q_set(a, x);
      else
        stc_rational_fma(a, e->polygon[c].p.at[2 * k + l - 1], x);
    }
  }
  stc_q_set_i(stc_lp_entry(lp, row, e->size + 1), -1);
}

static void fill_exact(const stc_exact *e, const bool *skip, stc_lp *lp) {
  int row = 0;
  for (int c = 0; c < e->contacts; c++)
    for (int k = 0; k < e->polygon[c].corners; k++, row++) {
      fill_ray(e, c, k, row, lp);
      stc_lp_bound_row(lp, row, skip && skip[c] ? -INFINITY : 0, INFINITY);
    }
  stc_lp_bound_col(lp, e->size, 1, 1);
  stc_lp_bound_col(lp, e->size + 1, -INFINITY, 1);
  stc_q_set_i(stc_lp_cost(lp, e->size + 1), -1);
}

stc_error stc_criterion_exact(const stc_exact *e, const bool *skip, bool *found, stc_q t,
                              stc_rationals *r) {
  STC_RELEASED_BY(stc_lp_free) stc_lp *lp = NULL;
  int rows = 0;
  *found = false;
  for (int c = 0; c < e->contacts; c++) rows += e->polygon[c].corners;
  STC_TRY(stc_lp_create(rows, e->size + 2, &lp));
  fill_exact(e, skip, lp);
  stc_lp_load(lp);
  stc_lp_solve(lp);
  *found = stc_lp_solve_exact(lp) == STC_LP_OPTIMAL;
  if (!*found) return STC_OK;
  STC_TRY(stc_rationals_create(r, (size_t)e->size));
  for (int k = 0; k < e->size; k++) stc_q_set(r->at[k], lp->point.at[k]);
  stc_q_set(t, lp->point.at[e->size + 1]);
  return STC_OK;
}
