// One contact for any law, from the projections on its sections alone: u = W r + q, with the unit
// of length in which rotation is as easy as sliding, W and q near 1.
//   open   q_N >= 0: r = 0          stick  r = -W^-1 q in K
//   slip   Newton's method for the Alart–Curnier function from the start; where that fails, for
//          the proximal problems  u = W r + q + alpha diag(W) (r - r_k)  with an alpha that falls
//          after each success and grows after each failure   [Rockafellar 1976].
#include "../linalg/small.h"
#include "cone_robust.h"
#include "law_ops.h"
#include "scale.h"
#include "section/section_slip.h"

#include <string.h>

enum { N = STC_MAX_DIM };

// Newton's method ends here, relative to the largest velocity: candidates differ by rounding only.
#define FINE 1e-14

// Where rounding ends it before, such a candidate will do.
#define NEAR 1e-12

// What is added to W in Newton's matrix, relative to its trace, in case it is singular.
#define NUDGE 1e-13

// Newton steps on one problem, halvings of one step, proximal problems, those around a candidate
// that will do, projections in a row.
enum { STEPS = 30, HALVINGS = 8, PROBLEMS = 600, POLISH = 6, PROJECTIONS = 400 };

// Slips of a piece that are worth Newton steps, relative to the largest velocity.
#define POLISHED 1e-3

// alpha around a candidate that will do, after a success and after a failure.
#define POLISHING 1e-3
#define SHRINK    0.2
#define GROW      7.0

typedef struct one_contact {
  stc_law law;
  int n;
  double W[N * N], q[N];
  double stiff[2];  // W_NN, |W_TT|: from impulses to velocities
  double nudge;     // NUDGE times the trace of W
} one_contact;

// A reaction and how well it obeys the law.
typedef struct candidate {
  double r[N], u[N];
  double F[N], J[N * N];  // Alart–Curnier function and its derivative
  double error;           // |F| as a velocity
  double speed;           // largest |q| and |u|
  double terms;           // largest sum of magnitudes in a row of W r
} candidate;

static double norm_of_section(const double *x, int n) {
  double sum = 0.0;
  for (int k = 0; k < n; k++) sum += x[k] * x[k];
  return sqrt(sum);
}

static void measure_residual(one_contact *c) {
  int n = c->n;
  double trace = 0.0, square = 0.0;
  for (int i = 0; i < n; i++) trace += c->W[i + n * i];
  for (int i = 1; i < n; i++)
    for (int j = 1; j < n; j++) square += c->W[i + n * j] * c->W[i + n * j];
  double common = trace > 0.0 ? trace / n : 1.0;
  c->stiff[0] = c->W[0] > 0.0 ? c->W[0] : common;
  c->stiff[1] = square > 0.0 ? sqrt(square) : common;
  c->nudge = NUDGE * trace;
}

static void velocity(const one_contact *c, candidate *a) {
  a->speed = DBL_MIN;
  a->terms = 0.0;
  for (int i = 0; i < c->n; i++) {
    double terms = 0.0;
    a->u[i] = c->q[i];
    for (int j = 0; j < c->n; j++) {
      a->u[i] += c->W[i + c->n * j] * a->r[j];
      terms += fabs(c->W[i + c->n * j] * a->r[j]);
    }
    a->speed = fmax(a->speed, fmax(fabs(a->u[i]), fabs(c->q[i])));
    a->terms = fmax(a->terms, terms);
  }
}

// Everything that r implies; J = A + B (W + nudge).
static void judge_candidate(const one_contact *c, candidate *a) {
  int n = c->n;
  double A[N * N], B[N * N];
  velocity(c, a);
  stc_law_jacobian(&c->law, 1.0 / c->stiff[0], 1.0 / c->stiff[1], a->r, a->u, a->F, A, B);
  for (int j = 0; j < n; j++)
    for (int i = 0; i < n; i++) {
      double sum = A[i + n * j] + B[i + n * j] * c->nudge;
      for (int k = 0; k < n; k++) sum += B[i + n * k] * c->W[k + n * j];
      a->J[i + n * j] = sum;
    }
  a->error = hypot(c->stiff[0] * a->F[0], c->stiff[1] * norm_of_section(a->F + 1, n - 1));
}

static bool is_fine(const candidate *a) {
  return a->error <= FINE * a->speed + STC_CONE_ROUNDING / 8.0 * a->terms;
}

static bool is_near(const candidate *a) {
  return a->error <= NEAR * a->speed + STC_CONE_ROUNDING * a->terms;
}

static void keep_better(const candidate *a, candidate *best) {
  if (a->error / a->speed < best->error / best->speed) *best = *a;
}

// A step of Newton's method, halved until it improves; false if it does not.
static bool section_newton_step(const one_contact *c, candidate *a) {
  double dr[N], length = 1.0;
  if (!stc_small_solve(c->n, a->J, a->F, dr)) return false;
  for (int k = 0; k < HALVINGS; k++, length *= 0.5) {
    candidate next;
    for (int i = 0; i < c->n; i++) next.r[i] = a->r[i] - length * dr[i];
    judge_candidate(c, &next);
    if (!(next.error < a->error)) continue;
    *a = next;
    return true;
  }
  return false;
}

static void improve(const one_contact *c, candidate *a) {
  judge_candidate(c, a);
  for (int step = 0; step < STEPS && !is_fine(a); step++)
    if (!section_newton_step(c, a)) return;
  // One whole step more, where it keeps a fine candidate fine: |F| is measured against the largest
  // velocity, and beside a fast spin the others would keep an error far above their own rounding.
  double dr[N];
  candidate next;
  if (!is_fine(a) || !stc_small_solve(c->n, a->J, a->F, dr)) return;
  for (int i = 0; i < c->n; i++) next.r[i] = a->r[i] - dr[i];
  judge_candidate(c, &next);
  if (is_fine(&next)) *a = next;
}

// The proximal problem around the centre.
static one_contact regularise(const one_contact *c, double alpha, const double *centre) {
  one_contact p = *c;
  for (int i = 0; i < c->n; i++) {
    double weight = alpha * c->stiff[i > 0];
    p.W[i + c->n * i] += weight;
    p.q[i] -= weight * centre[i];
  }
  measure_residual(&p);
  return p;
}

// From the centre along the solutions of proximal problems, until a candidate will do.
static void approach(const one_contact *c, candidate centre, double alpha, int problems,
                     bool (*will_do)(const candidate *), candidate *best) {
  for (int k = 0; k < problems && !will_do(best); k++) {
    one_contact p = regularise(c, alpha, centre.r);
    candidate next = centre;
    improve(&p, &next);
    bool solved = is_fine(&next);
    alpha *= solved ? SHRINK : GROW;
    if (!solved) continue;
    centre = next;
    judge_candidate(c, &centre);
    keep_better(&centre, best);
  }
}

// Newton's method from the slips of every piece of a section.
static void try_pieces(const one_contact *c, candidate *best) {
  int pieces = c->law.kind == STC_LAW_SECTION ? stc_section_pieces(&c->law) : 0;
  for (int k = 0; k < pieces && !is_fine(best); k++) {
    double r[STC_SECTION_SLIPS][3];
    int count = stc_section_slips(&c->law, c->W, c->q, k, r);
    for (int j = 0; j < count; j++) {
      candidate a;
      memcpy(a.r, r[j], (size_t)c->n * sizeof *a.r);
      judge_candidate(c, &a);
      if (a.error < POLISHED * a.speed) improve(c, &a);
      keep_better(&a, best);
    }
  }
}

// Newton's method from where projections lead, r <- P_K(r - (u + s(u) e_N) / L), L the trace of W.
static void follow_projections(const one_contact *c, candidate *best) {
  candidate a = {.r = {0.0}};
  double L = c->nudge / NUDGE;
  for (int step = 0; step < PROJECTIONS && L > 0.0; step++) {
    velocity(c, &a);
    a.u[0] += stc_law_shift(&c->law, a.u);
    for (int i = 0; i < c->n; i++) a.r[i] -= a.u[i] / L;
    stc_law_project(&c->law, a.r, a.r);
  }
  improve(c, &a);
  keep_better(&a, best);
}

// q_N < 0: stick, then slip.
static bool solve_closed(const one_contact *c, double *r) {
  double minus_q[N];
  candidate a, best = {.error = INFINITY, .speed = 1.0};
  for (int i = 0; i < c->n; i++) minus_q[i] = -c->q[i];
  if (stc_small_solve(c->n, c->W, minus_q, a.r)) {
    judge_candidate(c, &a);
    keep_better(&a, &best);
  }
  if (!is_fine(&best)) {
    memcpy(a.r, r, (size_t)c->n * sizeof *r);
    improve(c, &a);
    keep_better(&a, &best);
  }
  if (!is_fine(&best)) try_pieces(c, &best);
  if (!is_fine(&best) && c->law.dilatancy > 0.0) follow_projections(c, &best);
  if (!is_near(&best)) approach(c, (candidate){.r = {0.0}}, 1.0, PROBLEMS, is_near, &best);
  if (!is_fine(&best) && is_near(&best)) approach(c, best, POLISHING, POLISH, is_fine, &best);
  memcpy(r, best.r, (size_t)c->n * sizeof *r);
  const double jammed = 1e10;  // terms that cancel to more digits than this are not an answer
  return best.error <= STC_CONE_ANSWER * best.speed + STC_CONE_ROUNDING * best.terms &&
         best.terms <= jammed * best.speed;
}

// Dilatancy times the support function at q.
static double open_shift(const one_contact *c) {
  stc_law associated = c->law;
  associated.dilatancy = 0.0;
  return c->law.dilatancy * stc_law_shift(&associated, c->q);
}

// The unit of length in which rotation is as easy as sliding.
static double even_unit(const stc_law *law, const double *W) {
  int n = law->dim, first = stc_law_first_rotation(law);
  double slide = 0.0, rotate = 0.0;
  for (int k = 1; k < first; k++) slide = fmax(slide, W[k + n * k]);
  for (int k = first; k < n; k++) rotate = fmax(rotate, W[k + n * k]);
  double ratio = sqrt(slide / rotate);
  bool usable = ratio > 1e-50 && ratio < 1e50;
  return usable ? stc_law_unit(&ratio, 1) : stc_law_length_unit(law);
}

static bool solve_section(const stc_law *law, const double *W, const double *q, double *r) {
  double length[N];
  one_contact c = {.law = stc_law_in_units(law, even_unit(law, W), length), .n = law->dim};
  int n = c.n;
  for (int i = 0; i < n; i++) {
    c.q[i] = length[i] * q[i];
    for (int j = 0; j < n; j++) c.W[i + n * j] = length[i] * W[i + n * j] * length[j];
  }
  // Open where q + s(q) e_N is in K*: q_N >= dilatancy times the support function.
  double support = law->dilatancy > 0.0 ? open_shift(&c) : 0.0;
  if (c.q[0] >= support) {
    memset(r, 0, (size_t)n * sizeof *r);
    return true;
  }
  double unit_W = stc_law_unit(c.W, n * n), unit_q = stc_law_unit(c.q, n), unit = unit_q / unit_W;
  for (int k = 0; k < n * n; k++) c.W[k] /= unit_W;
  for (int i = 0; i < n; i++) {
    c.q[i] /= unit_q;
    r[i] = r[i] / length[i] / unit;
    if (!isfinite(r[i])) r[i] = 0.0;
  }
  measure_residual(&c);
  bool solved = solve_closed(&c, r);
  for (int i = 0; i < n; i++) r[i] = r[i] * unit * length[i];
  return solved;
}

stc_contact_state stc_section_law_solve(const stc_law *law, const double *W, const double *q,
                                        double *r) {
  return stc_law_solve_safely(solve_section, law, W, q, r);
}
