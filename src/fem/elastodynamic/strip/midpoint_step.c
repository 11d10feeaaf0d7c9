// One step of the implicit midpoint rule, v the velocity in the middle:
//   A v = 2 M v_n/dt - K u_n + load + B^T f,   u_n+1 = u_n + dt v,   v_n+1 = 2 v - v_n,
// so that the energy changes by dt v.(all forces), whatever f is.
#include "strip_data.h"

#include <string.h>

#include "../../../base/fail.h"

static const double SOLVE_TOLERANCE = 1e-14;
static const double SOLVE_LIMIT = 1e-9;  // the energy of a step would show a worse one

enum { FEW = 20, MANY = 320 };  // parts in which the coefficient falls

// x.A x. Under a uniform pressure all terms of a row cancel: with more digits, what is left does
// not drown in their rounding.
static long double form(const stc_csr *A, const double *x) {
  long double sum = 0;
  for (int i = 0; i < A->rows; i++) {
    long double row = 0;
    for (int e = A->ptr[i]; e < A->ptr[i + 1]; e++) row += (long double)A->val[e] * x[A->col[e]];
    sum += row * x[i];
  }
  return sum;
}

void stc_strip_refresh(stc_strip *s) {
  stc_csr_multiply(&s->K, s->u, 0, s->Ku);
  stc_csr_multiply(&s->M, s->v, 0, s->Mv);
  s->energy = (double)((form(&s->M, s->v) + form(&s->K, s->u)) / 2);
}

stc_error stc_strip_check_finite(const stc_strip *s) {
  if (isfinite(s->energy)) return STC_OK;
  return stc_fail(STC_ERR_VALUE, "the energy after %.0f steps is %g; give smaller numbers",
                  s->steps, s->energy);
}

double stc_strip_energy(const stc_strip *s) { return s->energy; }

double stc_strip_time(const stc_strip *s) { return s->steps * s->settings.dt; }

// --- What is given: supports, loads, the support's speed ---

static stc_error drive_supports(stc_strip *s, double middle, double end) {
  double dt = s->settings.dt;
  STC_TRY(stc_strip_load(s, middle, s->load));
  STC_TRY(stc_strip_supports(s, end, s->mid));
  for (int i = 0; i < s->size; i++) s->mid[i] = s->fixed[i] ? (s->mid[i] - s->u[i]) / dt : 0;
  for (int k = 0; k < s->dim - 1; k++) {
    double tau = s->settings.tau[k] ? s->settings.tau[k](s->settings.user, middle) : 0;
    if (!isfinite(tau))
      return stc_fail(STC_ERR_VALUE, "the support's speed at t = %g is %g", middle, tau);
    s->surface.tau[k] = tau;
  }
  return STC_OK;
}

// Supports that press a node into the support leave the law itself without an answer: no force
// moves the node.
stc_error stc_strip_check_held(const stc_strip *s, double lever) {
  const double rounding = 1e-13;
  double extent = 0;
  for (int k = 0; k < s->dim; k++) extent = fmax(extent, s->settings.size[k]);
  for (int i = 0; i < s->contacts && s->settings.eta_n == 0; i++) {
    int dof = stc_strip_component(s, i, 0);
    double height = s->u[dof] + lever * s->mid[dof];
    if (!s->fixed[dof] || height >= -rounding * extent) continue;
    return stc_fail(
        STC_ERR_VALUE,
        "the supports press the contact node at x = %g by %g into the support below: no "
        "force can lift it; take it out of a side, or round contact with eta_n",
        s->place[i * (s->dim - 1)], -height);
  }
  return STC_OK;
}

// --- The bodies with and without contact ---

static stc_error solve_bodies(stc_strip *s) {
  stc_sparse_report report;
  for (int r = 0; r < s->free; r++) s->x[r] = s->v[s->unknown[r]];
  STC_TRY(stc_sparse_solve(s->spd, 1, s->rhs, s->x, SOLVE_TOLERANCE, &report));
  if (!(report.residual <= SOLVE_LIMIT))
    return stc_fail(STC_ERR_NUMERIC, "step %.0f: the linear system was solved to %g only",
                    s->steps + 1, report.residual);
  for (int r = 0; r < s->free; r++) s->mid[s->unknown[r]] = s->x[r];
  return STC_OK;
}

static void gather_surface(const stc_strip *s, double *v) {
  for (int i = 0; i < s->contacts; i++)
    for (int k = 0; k < s->dim; k++) v[i * s->dim + k] = s->mid[stc_strip_component(s, i, k)];
}

// Velocity of the surface without contact: from the response, or by solving for all.
static stc_error predict(stc_strip *s) {
  const stc_csr *r = &s->response;
  if (!r->ptr) STC_TRY(solve_bodies(s));
  gather_surface(s, s->surface.v_free);
  for (int row = 0; r->ptr && row < s->surface.size; row++) {
    double sum = 0;
    for (int e = r->ptr[row]; e < r->ptr[row + 1]; e++) sum += r->val[e] * s->rhs[r->col[e]];
    if (!s->surface.held[row]) s->surface.v_free[row] = sum;
  }
  return STC_OK;
}

// --- Contact ---

static double uniqueness(const stc_strip *s, double pressure) {
  return s->surface.b * pressure * stc_rate_steepest(&s->settings.law);
}

static bool newton(stc_strip *s, bool damped, stc_strip_report *r) {
  return stc_interface_newton(&s->surface, s->settings.tol, s->settings.max_iterations, damped,
                              &r->iterations, &r->residual);
}

// Gauss-Seidel, whose nodes obey the rule, leads Newton's method.
static bool lead(stc_strip *s, stc_strip_report *r) {
  stc_interface_sweep(&s->surface, s->settings.tol, s->settings.max_sweeps, &r->sweeps,
                      &r->residual);
  return newton(s, false, r) || newton(s, true, r);
}

// The coefficient learns to fall in parts: constant mu_s has one answer, and each next law begins
// with the answer of the one before.
static bool weaken(stc_strip *s, int parts, stc_strip_report *r) {
  stc_rate_law *law = &s->surface.law.rate, whole = *law;
  for (int k = 0; k < parts; k++) {
    law->mu_d = whole.mu_s - (whole.mu_s - whole.mu_d) * k / parts;
    newton(s, false, r);
  }
  *law = whole;
  return newton(s, false, r) || newton(s, true, r);
}

// Newton's method alone where it finds the only answer, or the one of the rule.
static void solve_contact(stc_strip *s, stc_strip_report *r) {
  stc_interface *f = &s->surface;
  size_t bytes = (size_t)f->size * sizeof *f->f;
  for (int i = 0; i < s->contacts; i++) f->height[i] = s->u[stc_strip_component(s, i, 0)];
  bool found = newton(s, false, r);
  r->ruled = found && (stc_interface_steepness(f) < 1 || stc_interface_is_ruled(f));
  if (r->ruled || s->settings.max_sweeps == 0) return;
  double first = r->residual;
  memcpy(f->kept, f->f, bytes);
  bool better = lead(s, r) || (!found && (weaken(s, FEW, r) || weaken(s, MANY, r)));
  r->ruled = better && stc_interface_is_ruled(f);
  if (better || (!found && r->residual < first)) return;
  memcpy(f->f, f->kept, bytes);
  stc_interface_move(f);
}

// --- The end of a step ---

/// Terms of the energy of a step.
typedef struct ledger {
  double before, after;
  double contact, load, support;  ///< work
} ledger;

// The reaction of a support is what its equation lacks: M (v+ - v)/dt + K (u+ + u)/2 - load. Called
// with Mv and Ku of the step's beginning, then of its end.
static double support_power(const stc_strip *s, double sign_m) {
  double sum = 0, dt = s->settings.dt;
  for (int i = 0; i < s->size; i++)
    if (s->fixed[i]) sum += s->mid[i] * (sign_m * s->Mv[i] / dt + s->Ku[i] / 2);
  return sum;
}

static void note_load(const stc_strip *s, ledger *l) {
  double dt = s->settings.dt;
  for (int i = 0; i < s->size; i++) {
    l->load += dt * s->load[i] * s->mid[i];
    if (s->fixed[i]) l->support -= dt * s->load[i] * s->mid[i];
  }
  for (int i = 0; i < s->contacts; i++)
    for (int k = 0; k < s->dim; k++) {
      int dof = stc_strip_component(s, i, k);
      if (!s->fixed[dof]) l->contact += dt * s->surface.f[i * s->dim + k] * s->mid[dof];
    }
}

static void finish_step(stc_strip *s, stc_strip_report *report) {
  ledger l = {.before = s->energy};
  l.support = s->settings.dt * support_power(s, -1);
  note_load(s, &l);
  double dt = s->settings.dt;
  for (int i = 0; i < s->size; i++) {
    s->u[i] += dt * s->mid[i];
    s->v[i] = 2 * s->mid[i] - s->v[i];
  }
  s->steps++;
  stc_strip_refresh(s);
  l.support += s->settings.dt * support_power(s, 1);
  l.after = s->energy;
  report->t = stc_strip_time(s);
  report->energy = l.after;
  double error = fabs(l.after - l.before - l.contact - l.load - l.support);
  double largest = fmax(fmax(fabs(l.before), fabs(l.after)), fabs(l.contact));
  largest = fmax(largest, fmax(fabs(l.load), fabs(l.support)));
  report->energy_error = largest > 0 ? error / largest : 0;
}

// --- The report ---

static void count_nodes(const stc_strip *s, stc_strip_report *r) {
  double g[STC_INTERFACE_MAX];
  bool several = r->uniqueness >= 1;
  r->roots = 1;
  for (int i = 0; i < s->contacts; i++) {
    stc_interface_status status = stc_interface_node(&s->surface, i, g, NULL, NULL);
    r->open += status == STC_INTERFACE_OPEN;
    r->stuck += status == STC_INTERFACE_STUCK;
    r->sliding += status == STC_INTERFACE_SLIDING;
    int roots = several ? stc_interface_roots(&s->surface, i) : 1;
    r->several += roots > 1;
    if (roots > r->roots) r->roots = roots;
  }
}

// The slip of a node; under the law itself a node that sticks has none, not even by rounding.
static void note_slip(const stc_strip *s, int i, double *w) {
  double g[STC_INTERFACE_MAX];
  const stc_interface *f = &s->surface;
  stc_interface_slip(f, i, w);
  if (f->law.eta_t > 0 || stc_interface_node(f, i, g, NULL, NULL) != STC_INTERFACE_STUCK) return;
  for (int k = 1; k < s->dim; k++)
    if (!f->held[i * s->dim + k]) w[k - 1] = 0;
}

static void describe_step(stc_strip *s, stc_strip_report *r) {
  const stc_interface *f = &s->surface;
  double area = 0;
  int tangents = s->dim - 1;
  for (int i = 0; i < s->contacts; i++) {
    double *w = f->w_before + i * tangents;
    const double *force = f->f + i * s->dim;
    note_slip(s, i, w);
    area += f->area[i];
    s->pressure[i] = force[0] / f->area[i];
    r->normal_force += force[0];
    r->largest_slip = fmax(r->largest_slip, stc_interface_norm(tangents, w));
    for (int k = 0; k < tangents; k++) {
      s->traction[i * tangents + k] = force[k + 1] / f->area[i];
      r->friction[k] += force[k + 1];
      r->slip[k] += f->area[i] * w[k];
    }
  }
  for (int k = 0; k < tangents; k++) r->slip[k] /= area;
  r->pressure = stc_interface_pressure(f);
  r->uniqueness = uniqueness(s, r->pressure);
}

stc_error stc_strip_step(stc_strip *strip, stc_strip_report *report) {
  if (!strip || !report)
    return stc_fail(STC_ERR_ARGUMENT, "stc_strip_step needs a strip and a report");
  *report = (stc_strip_report){0};
  double dt = strip->settings.dt, t = stc_strip_time(strip);
  STC_TRY(drive_supports(strip, t + dt / 2, (strip->steps + 1) * dt));
  STC_TRY(stc_strip_check_held(strip, dt / 2));
  // The right-hand side without contact.
  stc_csr_multiply(&strip->beside, strip->mid, 0, strip->rhs);
  for (int r = 0; r < strip->free; r++) {
    int i = strip->unknown[r];
    strip->rhs[r] =
        2 / strip->settings.dt * strip->Mv[i] - strip->Ku[i] + strip->load[i] - strip->rhs[r];
  }
  STC_TRY(predict(strip));
  solve_contact(strip, report);
  for (int i = 0; i < strip->contacts; i++)
    for (int k = 0; k < strip->dim; k++) {
      int at = strip->equation[stc_strip_component(strip, i, k)];
      if (at >= 0) strip->rhs[at] += strip->surface.f[i * strip->dim + k];
    }
  STC_TRY(solve_bodies(strip));
  gather_surface(strip, strip->surface.v);
  report->residual = stc_interface_residual(&strip->surface);
  report->converged = report->residual <= strip->settings.tol;
  describe_step(strip, report);
  count_nodes(strip, report);
  finish_step(strip, report);
  return stc_strip_check_finite(strip);
}
