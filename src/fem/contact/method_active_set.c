// Primal-dual active set (semismooth Newton) with the statuses found inside each linear step:
//   closed where r_N - rho v_N > 0:  v_N = 0,      else r = 0
//   stuck where |r_T - rho v_T| <= mu r_N:  v_T = 0,   else r_T = mu r_N y / |y|,  y = r_T - rho
//   v_T
// rho = 1 / W_ii sets the scale; the answer does not depend on it   [Alart and Curnier 1991,
// Hueber, Stadler and Wohlmuth 2008].
#include "../../base/fail.h"
#include "contact_method.h"
#include "layer.h"

#include <math.h>
#include <string.h>

enum { MAX_STATUS_SOLVES = 60 };

// Slip directions in space rotate until this part of r_N is left.
#define SLIP_TOLERANCE 1e-13

// A force this near the limit of friction is on it: a stuck contact on the limit and a slipping one
// at rest are the same.
#define ON_THE_CONE 1e-12

typedef enum status { OPEN, STUCK, SLIPPING } status;

static void begin_active(stc_contact_solver *m, const double *r) {
  (void)r;
  m->nested = true;
  for (int k = 0; k < m->count; k++) m->record[k] = (stc_record){0};
}

static double length_of_shear(int n, const double *x) {
  return n == 2 ? hypot(x[0], x[1]) : fabs(x[0]);
}

// How deep the layer of candidate c is under the force r_N; 0 without one.
static double layer_depth(const stc_contact_solver *m, int c, double r_N) {
  double slope;
  return m->layer[c] ? stc_layer_depth(m->layer[c], r_N / m->area[c], &slope) : 0;
}

// y_N and y_T of contact k, and what they say.
static status judge_statuses(const stc_contact_solver *m, const stc_condensed *set, int k,
                             const double *rw, const double *v, double *rho, double y[2]) {
  int first = set->offset[k], rows = set->offset[k + 1] - first;
  for (int a = 0; a < rows; a++) rho[a] = 1 / set->W[first + a + (ptrdiff_t)(first + a) * set->ld];
  double depth = layer_depth(m, set->candidate[k], rw[first]);
  double y_N = rw[first] - rho[0] * (v[first] + depth);
  if (!(y_N > 0)) return OPEN;
  if (rows == 1) return STUCK;
  double rho_T = rows == 3 ? fmin(rho[1], rho[2]) : rho[1];  // one number: directions count
  for (int a = 1; a < rows; a++) {
    rho[a] = rho_T;
    y[a - 1] = rw[first + a] - rho_T * v[first + a];
  }
  return length_of_shear(rows - 1, y) < (1 - ON_THE_CONE) * set->mu[set->candidate[k]] * y_N
             ? STUCK
             : SLIPPING;
}

static void set_condition(stc_condition *s, int rows, status now, double mu, double r_N,
                          const double *rho, const double *y) {
  memset(s, 0, sizeof *s);
  s->open = now == OPEN;
  s->A[0][0] = rho[0];
  for (int a = 1; a < rows; a++) s->A[a][a] = rho[a];
  if (now != SLIPPING) return;
  for (int a = 1; a < rows; a++) s->A[a][a] = 0;
  stc_condition_slip(s, rows, mu, r_N, y, rho[1], NULL);
}

// A tangent this near its answer, relatively, is good.
#define ON_THE_CURVE 1e-12

// The depth of the layer of candidate c by its tangent, which moves to where r_N and v_N say; 1
// where it had not come to rest.
static int add_layer(stc_contact_solver *m, int c, double rho, double r_N, double v_N,
                     stc_condition *s) {
  const stc_layer *layer = m->layer[c];
  double slope, p = r_N / m->area[c], *at = &m->record[c].tangent;
  double depth = stc_layer_depth(layer, p, &slope);
  bool rests = fabs(v_N + depth) <= ON_THE_CURVE * depth + fmax(m->exact, m->noise);
  *at = stc_layer_next(layer, *at, p, -v_N);
  depth = stc_layer_depth(layer, *at, &slope);
  s->B[0][0] += rho * slope / m->area[c];
  s->c[0] -= rho * (depth - slope * *at);
  return !rests;
}

// How far r_T is from mu r_N y / |y|, over mu r_N.
static double slip_error(int n, double mu, const double *r, const double *y) {
  double size = length_of_shear(n, y), error = 0;
  for (int a = 0; a < n; a++) error = fmax(error, fabs(r[1 + a] - mu * r[0] * y[a] / size));
  return error / fmax(mu * r[0], 1e-300);
}

// Statuses from (rw, v) into the conditions; the number that changed or still rotate.
static int set_statuses(stc_contact_solver *m, const stc_condensed *set, const double *rw,
                        const double *v, unsigned char *old) {
  int changed = 0;
  for (int k = 0; k < set->contacts; k++) {
    double rho[3], y[2] = {0}, mu = set->mu[set->candidate[k]];
    int first = set->offset[k], rows = set->offset[k + 1] - first;
    status now = judge_statuses(m, set, k, rw, v, rho, y);
    if (now == SLIPPING && now == old[k] &&
        slip_error(rows - 1, mu, rw + first, y) > SLIP_TOLERANCE)
      changed++;
    if (now != old[k]) changed++;
    old[k] = (unsigned char)now;
    double depth = layer_depth(m, set->candidate[k], rw[first]);
    set_condition(&m->condition[k], rows, now, mu, rw[first] - rho[0] * (v[first] + depth), rho, y);
    if (m->layer[set->candidate[k]] && now != OPEN)
      changed += add_layer(m, set->candidate[k], rho[0], rw[first], v[first], &m->condition[k]);
  }
  return changed;
}

// --- First statuses ---

// One contact alone: its own rows of v at the reactions of the others.
static void solve_alone(stc_contact_solver *m, const stc_condensed *set, int k, const double *v,
                        double *r) {
  int first = set->offset[k], rows = set->offset[k + 1] - first;
  double W[9], q[3];
  for (int a = 0; a < rows; a++) {
    q[a] = v[first + a];
    for (int b = 0; b < rows; b++) {
      W[a + b * rows] = set->W[first + a + (ptrdiff_t)(first + b) * set->ld];
      q[a] -= W[a + b * rows] * r[b];
    }
  }
  const stc_layer *layer = m->layer[set->candidate[k]];
  if (layer) {  // the normal row with the shear as it is; then the layer as a spring
    double area = m->area[set->candidate[k]], open = q[0];
    for (int b = 1; b < rows; b++) open += W[b * rows] * r[b];
    double p = stc_layer_balance(layer, -open / (W[0] * area), 1 / (W[0] * area));
    m->record[set->candidate[k]].tangent = p;
    if (p > 0) W[0] = -open / (p * area);
  }
  if (rows == 1) {
    r[0] = fmax(0, -q[0] / W[0]);
    return;
  }
  stc_law law = stc_law_coulomb(rows, set->mu[set->candidate[k]]);
  stc_law_solve(&law, W, q, r);
}

// One sweep: each contact alone, in order; rw and v are updated.
static void sweep_statuses(stc_contact_solver *m, const stc_condensed *set, double *rw, double *v) {
  int n = stc_condensed_rows(set);
  for (int k = 0; k < set->contacts; k++) {
    int first = set->offset[k], rows = set->offset[k + 1] - first;
    double r[3] = {0};
    memcpy(r, rw + first, (size_t)rows * sizeof *r);
    solve_alone(m, set, k, v, r);
    for (int a = 0; a < rows; a++) {
      double d = r[a] - rw[first + a];
      const double *column = set->W + (ptrdiff_t)(first + a) * set->ld;
      for (int i = 0; d != 0 && i < n; i++) v[i] += d * column[i];
      rw[first + a] = r[a];
    }
  }
}

// Sweeps cost no linear solve and bring the statuses near the answer; they stop when nothing
// changes for a while.
enum { MAX_SWEEPS = 40, QUIET_SWEEPS = 4 };

// From the start rw until the statuses agree with their own answer.
static stc_error settle_directions(stc_contact_solver *m, const stc_condensed *set,
                                   unsigned char *old, double *rw) {
  bool regular = true;
  stc_condensed_apply(set, rw, m->v);
  memset(old, OPEN, (size_t)set->contacts);
  for (int i = 0, quiet = 0; i < MAX_SWEEPS && quiet < QUIET_SWEEPS; i++) {
    sweep_statuses(m, set, rw, m->v);
    quiet = set_statuses(m, set, rw, m->v, old) ? 0 : quiet + 1;
  }
  m->settled = false;
  for (int i = 0; i < MAX_STATUS_SOLVES && regular; i++) {
    stc_error error = stc_conditions_solve(m, set, rw, m->v, &regular);
    if (error) return error;
    if (regular && set_statuses(m, set, rw, m->v, old) == 0) {
      m->settled = true;
      return STC_OK;
    }
  }
  return STC_OK;
}

enum { MAX_TANGENTS = 40 };

// Layers as springs by their tangents, added to a copy of the set: W' and q' of
//   v + depth + slope (r_N / area - tangent).
static void add_springs(const stc_contact_solver *m, const stc_condensed *set,
                        stc_condensed *copy) {
  size_t rows = (size_t)stc_condensed_rows(set);
  memcpy(copy->W, set->W, (size_t)set->ld * rows * sizeof *copy->W);
  memcpy(copy->q, set->q, rows * sizeof *copy->q);
  for (int k = 0; k < set->contacts; k++) {
    int c = set->candidate[k], i = set->offset[k];
    if (!m->layer[c]) continue;
    double slope, at = m->record[c].tangent, depth = stc_layer_depth(m->layer[c], at, &slope);
    copy->W[i + (ptrdiff_t)i * set->ld] += slope / m->area[c];
    copy->q[i] += depth - slope * at + slope / m->area[c] * set->r0[i];
  }
}

// The tangents of all layers at an answer; how many had not come to rest.
static int move_tangents(stc_contact_solver *m, const stc_condensed *set, const double *rw) {
  int moved = 0;
  for (int k = 0; k < set->contacts; k++) {
    stc_condition unused = {0};
    int c = set->candidate[k], i = set->offset[k];
    if (m->layer[c] && rw[i] > 0) moved += add_layer(m, c, 1, rw[i], m->v[i], &unused);
  }
  return moved;
}

// The discrete Coulomb problem, with layers as springs whose tangents are moved until they rest.
static stc_error ask_coulomb(stc_contact_solver *m, const stc_condensed *set, double *rw) {
  if (!m->layered) return stc_condensed_coulomb(set, m->dim, rw, &m->settled);
  size_t rows = (size_t)stc_condensed_rows(set);
  stc_condensed copy = *set;
  copy.W = stc_calloc((size_t)set->ld * rows, sizeof *copy.W);
  copy.q = stc_calloc(rows, sizeof *copy.q);
  stc_error error =
      copy.W && copy.q ? STC_OK : stc_fail(STC_ERR_MEMORY, "out of memory for layers");
  bool rests = false;
  m->settled = true;
  for (int i = 0; !error && m->settled && !rests && i < MAX_TANGENTS; i++) {
    add_springs(m, set, &copy);
    error = stc_condensed_coulomb(&copy, m->dim, rw, &m->settled);
    stc_condensed_apply(set, rw, m->v);
    rests = move_tangents(m, set, rw) == 0;
  }
  m->settled = m->settled && rests;
  stc_release(&copy.W);
  stc_release(&copy.q);
  return error;
}

static stc_error solve_active(stc_contact_solver *m, const stc_condensed *set, double *rw) {
  size_t rows = (size_t)stc_condensed_rows(set);
  unsigned char *old = stc_calloc((size_t)set->contacts, 1);
  double *start = stc_calloc(rows, sizeof *start);
  stc_error error = old && start ? STC_OK : STC_ERR_MEMORY;
  if (!error) memcpy(start, rw, rows * sizeof *start);
  if (!error) error = settle_directions(m, set, old, rw);
  if (!error && !m->settled && m->fallback) {
    memcpy(rw, start, rows * sizeof *start);
    error = ask_coulomb(m, set, rw);
    if (!error && m->settled) {  // the same statuses, to the last digit
      memcpy(start, rw, rows * sizeof *start);
      error = settle_directions(m, set, old, rw);
      if (!m->settled) memcpy(rw, start, rows * sizeof *start);
      m->settled = true;
    }
  }
  stc_release(&old);
  stc_release(&start);
  return error;
}

// The natural map of the law, as a length: |r - P(r - rho (v + mu |v_T| e_N))| / rho.
static void update_active(stc_contact_solver *m, const double *v, double *r, double *error) {
  double none = fmax(m->exact, m->noise);
  *error = 0;
  for (int k = 0; k < m->count; k++) {
    ptrdiff_t first = (ptrdiff_t)k * m->dim;
    if (!(m->area[k] > 0) || !m->moves[first]) continue;
    double F[3], seen[3], kappa = 1 / (m->area[k] * m->stiffness[k]);
    stc_law law = stc_law_coulomb(m->dim, m->mu[k]);
    for (int a = 0; a < m->dim; a++) seen[a] = m->moves[first + a] ? v[first + a] : 0;
    seen[0] += layer_depth(m, k, r[first]);
    // Rounding of a stuck contact is no slip; the shift would multiply it by mu.
    for (int a = 1; hypot(seen[1], m->dim > 2 ? seen[2] : 0) <= none && a < m->dim; a++)
      seen[a] = 0;
    stc_law_residual(&law, kappa, r + first, seen, F);
    for (int a = 0; a < m->dim; a++) *error = fmax(*error, fabs(F[a]) * kappa);
  }
  *error /= none;
}

static bool proceed(stc_contact_solver *m, const double *v, double *r) {
  (void)m, (void)v, (void)r;
  return false;
}

const stc_method_table *stc_method_active_set(void) {
  static const stc_method_table table = {.name = "active-set",
                                         .begin = begin_active,
                                         .update = update_active,
                                         .proceed = proceed,
                                         .solve = solve_active};
  return &table;
}
