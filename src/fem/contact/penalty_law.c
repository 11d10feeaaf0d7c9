// The regularised law of contact and friction, as numbers and as linear conditions.
#include "contact_method.h"
#include "layer.h"

#include <math.h>
#include <string.h>

enum { MAX_STATUS_SOLVES = 100 };

// Slip directions in space rotate until this part of the largest reaction is left.
#define ROTATED 1e-11

static double length_of_slip(int n, const double *x) {
  return n == 2 ? hypot(x[0], x[1]) : fabs(x[0]);
}

double stc_penalty_pressure(const stc_contact_solver *m, int k, double v_N) {
  const stc_record *s = &m->record[k];
  double load = s->lam_n + s->eval - s->eps_n * v_N;
  return m->layer[k] ? stc_layer_balance(m->layer[k], load, s->eps_n) : fmax(0, load);
}

// Tractions of a record at v: y_T is the trial of the tangential ones.
static void respond(const stc_contact_solver *m, int k, const double *v, double y[2]) {
  stc_record *s = &m->record[k];
  int tangents = m->dim - 1;
  s->t = stc_penalty_pressure(m, k, v[0]);
  s->status = s->t > 0 ? STC_CONTACT_STICK : STC_CONTACT_OPEN;
  for (int a = 0; a < tangents; a++) {
    y[a] = s->lam_t[a] - s->eps_t * v[1 + a];
    s->t_t[a] = s->t > 0 ? y[a] : 0;
  }
  double size = length_of_slip(tangents, y), most = m->mu[k] * s->t;
  if (!(s->t > 0) || size <= most) return;
  s->status = STC_CONTACT_SLIP;
  for (int a = 0; a < tangents; a++) s->t_t[a] = most * y[a] / size;
}

static void keep_or_set(double *r, double value, double slack) {
  if (value == 0 || fabs(*r - value) > slack) *r = value;
}

void stc_penalty_apply(stc_contact_solver *m, const double *v, double *r) {
  for (int k = 0; k < m->count; k++) {
    stc_record *s = &m->record[k];
    double y[2] = {0}, *rk = r + (ptrdiff_t)k * m->dim;
    stc_contact_state old = s->status;
    if (!(m->area[k] > 0)) continue;
    respond(m, k, v + (ptrdiff_t)k * m->dim, y);
    m->changed += s->status != old;
    double slack = m->area[k] * m->exact;
    keep_or_set(rk, m->area[k] * s->t, slack * s->eps_n);
    for (int a = 1; a < m->dim; a++)
      keep_or_set(rk + a, m->area[k] * s->t_t[a - 1], slack * fmax(s->eps_t, m->mu[k] * s->eps_n));
  }
}

double stc_penalty_worst(const stc_contact_solver *m) {
  double worst = 0;
  for (int k = 0; k < m->count; k++)
    if (m->area[k] > 0 && m->record[k].t > 0)
      worst = fmax(worst, fabs(m->record[k].g) / m->limit[k]);
  return worst;
}

double stc_penalty_reversible(const stc_contact_solver *m, int k) {
  const stc_record *s = &m->record[k];
  double d[2] = {0};
  if (!(s->eps_t > 0)) return 0;
  for (int a = 0; a + 1 < m->dim; a++) d[a] = (s->lam_t[a] - s->t_t[a]) / s->eps_t;
  return length_of_slip(m->dim - 1, d);
}

// --- Conditions ---

// The condition of contact i of the set in the status of its record, rows of size 1 whatever the
// penalty.
static void set_condition(stc_contact_solver *m, const stc_condensed *set, int i,
                          const double y[2]) {
  int k = set->candidate[i], first = set->offset[i], rows = set->offset[i + 1] - first;
  const stc_record *s = &m->record[k];
  stc_condition *c = &m->condition[i];
  double lam[2] = {0}, area = m->area[k], eps_t = area * s->eps_t;
  memset(c, 0, sizeof *c);
  c->open = s->status == STC_CONTACT_OPEN;
  c->A[0][0] = area * s->eps_n;
  c->B[0][0] = 1;
  c->c[0] = area * (s->lam_n + s->eval);
  if (m->layer[k]) {  // the depth of the layer by its tangent
    double slope, depth = stc_layer_depth(m->layer[k], s->tangent, &slope);
    c->B[0][0] += s->eps_n * slope;
    c->c[0] -= area * s->eps_n * (depth - slope * s->tangent);
  }
  for (int a = 1; a < rows; a++) lam[a - 1] = area * s->lam_t[set->row[first + a] % m->dim - 1];
  if (s->status == STC_CONTACT_SLIP)
    stc_condition_slip(c, rows, m->mu[k], area * s->t, y, eps_t, lam);
  for (int a = 1; s->status == STC_CONTACT_STICK && a < rows; a++) {
    c->A[a][a] = eps_t;
    c->B[a][a] = 1;
    c->c[a] = lam[a - 1];
  }
  for (int a = 0; a < rows; a++) {
    double by = 0;
    for (int b = 0; b < rows; b++)
      by = fmax(by, fabs(c->B[a][b]) +
                        fabs(c->A[a][b]) * set->W[first + b + (ptrdiff_t)(first + b) * set->ld]);
    c->c[a] /= by;
    for (int b = 0; b < rows; b++) {
      c->A[a][b] /= by;
      c->B[a][b] /= by;
    }
  }
}

// Trial of the set's contact i in its own rows, as a force.
static void trial(const stc_contact_solver *m, const stc_condensed *set, int i, const double *v,
                  double y[2]) {
  int k = set->candidate[i], first = set->offset[i], rows = set->offset[i + 1] - first;
  const stc_record *s = &m->record[k];
  for (int a = 1; a < rows; a++)
    y[a - 1] = m->area[k] * (s->lam_t[set->row[first + a] % m->dim - 1] - s->eps_t * v[a]);
}

// Conditions for the statuses and slips that the records have.
static void keep_statuses(stc_contact_solver *m, const stc_condensed *set) {
  for (int i = 0; i < set->contacts; i++) {
    const stc_record *s = &m->record[set->candidate[i]];
    double y[2] = {0}, v[3] = {0};
    for (int e = set->offset[i] + 1; e < set->offset[i + 1]; e++)
      v[e - set->offset[i]] = s->slip[set->row[e] % m->dim - 1];
    trial(m, set, i, v, y);
    set_condition(m, set, i, y);
  }
}

// Conditions of the set for the statuses of the records, which stay; one linear solve.
static stc_error solve_with_statuses(stc_contact_solver *m, const stc_condensed *set, double *rw) {
  bool regular;
  keep_statuses(m, set);
  stc_error error = stc_conditions_solve(m, set, rw, m->v, &regular);
  m->settled = regular;
  return error;
}

// A tangent this near its answer, relatively, is good.
#define ON_THE_CURVE 1e-12

// The tangent of the layer of contact k moves to where the pressure p and the gap v_N say; 1 where
// it had not come to rest.
static int move_tangent(stc_contact_solver *m, int k, double p, double v_N) {
  stc_record *s = &m->record[k];
  double slope, depth = stc_layer_depth(m->layer[k], p, &slope);
  double before = s->tangent, resisted = (s->lam_n + s->eval - fmax(p, 0)) / s->eps_n - v_N;
  if (s->status == STC_CONTACT_OPEN) return 0;
  s->tangent = stc_layer_next(m->layer[k], before, p, resisted);
  return !(fabs(resisted - depth) <= ON_THE_CURVE * depth + fmax(m->exact, m->noise));
}

// Statuses at (rw, v) into records and conditions; how many changed or still rotate.
static int set_statuses(stc_contact_solver *m, const stc_condensed *set, const double *rw,
                        const double *v) {
  int changed = 0;
  double largest = 0;
  for (int i = 0; i < stc_condensed_rows(set); i++) largest = fmax(largest, fabs(rw[i]));
  for (int i = 0; i < set->contacts; i++) {
    int k = set->candidate[i], first = set->offset[i], rows = set->offset[i + 1] - first;
    stc_record *s = &m->record[k];
    stc_contact_state old = s->status;
    double full[3] = {v[first]}, y[2] = {0}, off = 0;
    double before[2] = {s->t_t[0], s->t_t[1]};
    for (int a = 1; a < rows; a++) full[set->row[first + a] % m->dim] = v[first + a];
    respond(m, k, full, y);
    if (old == STC_CONTACT_SLIP && before[0] * y[0] + before[1] * y[1] < 0)
      s->status = STC_CONTACT_STICK;  // slip reverses through rest
    for (int a = 1; a < rows; a++)
      off = fmax(off, fabs(rw[first + a] - m->area[k] * s->t_t[set->row[first + a] % m->dim - 1]));
    if (m->layer[k]) changed += move_tangent(m, k, rw[first] / m->area[k], v[first]);
    double noise = m->area[k] * fmax(m->exact, m->noise) * (s->eps_t + m->mu[k] * s->eps_n);
    bool rotates = old == STC_CONTACT_SLIP && off > ROTATED * largest + noise;
    if (s->status != old || rotates) changed++;
    memset(y, 0, sizeof y);
    trial(m, set, i, v + first, y);
    set_condition(m, set, i, y);
  }
  return changed;
}

// The same until the statuses agree with their own answer.
static stc_error solve_for_statuses(stc_contact_solver *m, const stc_condensed *set, double *rw) {
  bool regular = true;
  keep_statuses(m, set);
  m->settled = false;
  for (int i = 0; i < MAX_STATUS_SOLVES && regular && !m->settled; i++) {
    stc_error error = stc_conditions_solve(m, set, rw, m->v, &regular);
    if (error) return error;
    m->settled = regular && set_statuses(m, set, rw, m->v) == 0;
  }
  return STC_OK;
}

stc_error stc_penalty_solve(stc_contact_solver *m, const stc_condensed *set, double *rw) {
  return m->nested ? solve_for_statuses(m, set, rw) : solve_with_statuses(m, set, rw);
}
