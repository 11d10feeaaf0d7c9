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

// Velocity of the support at a contact node along its tangents.
static stc_error move_support_at(stc_strip *s, int contact, double t, const double *along) {
  int d = s->dim;
  double speed[3], *tau = s->surface.tau + contact * (d - 1);
  for (int i = 0; i < d; i++)
    STC_TRY(stc_given_value(&s->settings.speed[i], t, s->point + contact * d, d, "the speed",
                            "the support", &speed[i]));
  for (int k = 1; k < d; k++) {
    const double *axis = stc_strip_axis(s, contact, k);
    tau[k - 1] = along[k - 1];
    for (int i = 0; i < d; i++) tau[k - 1] += axis[i] * speed[i];
  }
  return STC_OK;
}

static stc_error move_support(stc_strip *s, double t) {
  double along[2] = {0};
  for (int k = 0; k < s->dim - 1; k++) {
    if (s->settings.tau[k]) along[k] = s->settings.tau[k](s->settings.user, t);
    if (!isfinite(along[k]))
      return stc_fail(STC_ERR_VALUE, "the support's speed at t = %g is %g", t, along[k]);
  }
  for (int i = 0; i < s->contacts; i++) STC_TRY(move_support_at(s, i, t, along));
  return STC_OK;
}

static stc_error drive_supports(stc_strip *s, double middle, double end) {
  double dt = s->settings.dt;
  STC_TRY(stc_strip_load(s, middle, s->load));
  STC_TRY(stc_strip_supports(s, end, s->mid));
  for (int i = 0; i < s->size; i++) s->mid[i] = s->fixed[i] ? (s->mid[i] - s->u[i]) / dt : 0;
  return move_support(s, middle);
}

// Supports that press a node into the support leave the law itself without an answer: no force
// moves the node.
stc_error stc_strip_check_held(const stc_strip *s, double lever) {
  const double rounding = 1e-13;
  double extent = 0;
  for (int i = 0; i < s->mesh.nodes * s->dim; i++) extent = fmax(extent, fabs(s->mesh.x[i]));
  for (int i = 0; i < s->contacts && s->settings.eta_n == 0; i++) {
    const double *axis = stc_strip_axis(s, i, 0), *x = s->point + i * s->dim;
    bool given = true;
    for (int j = 0; j < s->dim; j++)
      given = given && (s->fixed[s->contact[i] * s->dim + j] || axis[j] == 0);
    double height = s->gap[i] + stc_strip_component(s, i, 0, s->u) +
                    lever * stc_strip_component(s, i, 0, s->mid);
    if (!given || height >= -rounding * extent) continue;
    return stc_fail(
        STC_ERR_VALUE,
        "the supports press the contact node at (%g, %g, %g) by %g into the support below: no "
        "force can lift it; take it out of a side, or round contact with eta_n",
        x[0], x[1], s->dim == 3 ? x[2] : 0, -height);
  }
  return STC_OK;
}

// --- The bodies with and without contact ---

stc_error stc_strip_solve(stc_strip *s) {
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
    for (int k = 0; k < s->dim; k++) v[i * s->dim + k] = stc_strip_component(s, i, k, s->mid);
}

// Velocity of the surface without contact: from the response, or by solving for all. What supports
// give is in `mid`, where the free unknowns are 0.
static stc_error predict(stc_strip *s) {
  const stc_csr *r = &s->response;
  if (!r->ptr) STC_TRY(stc_strip_solve(s));
  gather_surface(s, s->surface.v_free);
  for (int row = 0; r->ptr && row < s->surface.size; row++) {
    double sum = 0;
    for (int e = r->ptr[row]; e < r->ptr[row + 1]; e++) sum += r->val[e] * s->rhs[r->col[e]];
    s->surface.v_free[row] += sum;
  }
  return STC_OK;
}

void stc_strip_pull(const stc_strip *s, int parts, const double *f, double *pull) {
  memset(pull, 0, (size_t)s->size * sizeof *pull);
  for (int i = 0; i < s->contacts; i++)
    for (int k = 0; k < parts; k++)
      for (int j = 0; j < s->dim; j++)
        pull[s->contact[i] * s->dim + j] += stc_strip_axis(s, i, k)[j] * f[i * parts + k];
}

// --- Contact ---

static double uniqueness(const stc_strip *s, double pressure) {
  return s->surface.b * pressure * stc_interface_steepest(&s->surface.law);
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

// The coefficient learns to fall in parts: constant mu(0) has one answer, and each next law begins
// with the answer of the one before.
static bool weaken(stc_strip *s, int parts, stc_strip_report *r) {
  double *flat = &s->surface.law.flat;
  for (int k = 0; k < parts; k++) {
    *flat = 1 - (double)k / parts;
    newton(s, false, r);
  }
  *flat = 0;
  return newton(s, false, r) || newton(s, true, r);
}

// Newton's method alone where it finds the only answer, or the one of the rule.
static void solve_contact(stc_strip *s, stc_strip_report *r) {
  stc_interface *f = &s->surface;
  size_t bytes = (size_t)f->size * sizeof *f->f;
  for (int i = 0; i < s->contacts; i++)
    f->height[i] = s->gap[i] + stc_strip_component(s, i, 0, s->u);
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
  for (int i = 0; i < s->size; i++)
    if (!s->fixed[i]) l->contact += dt * s->pull[i] * s->mid[i];
}

static void move_on(stc_strip *s) {
  for (int i = 0; i < s->size; i++) {
    s->u[i] += s->settings.dt * s->mid[i];
    s->v[i] = 2 * s->mid[i] - s->v[i];
  }
  s->steps++;
  stc_strip_refresh(s);
}

static void finish_step(stc_strip *s, stc_strip_report *report) {
  ledger l = {.before = s->energy};
  l.support = s->settings.dt * support_power(s, -1);
  note_load(s, &l);
  move_on(s);
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

static void add_vectors(const stc_strip *s, int i, const double *w, const double *force,
                        stc_strip_report *r) {
  double slip[3], friction[3];
  stc_strip_in_space(s, i, w, slip);
  stc_strip_in_space(s, i, force + 1, friction);
  r->mean_slip += s->surface.area[i] * w[0];
  r->shear_force += force[1];
  for (int k = 0; k < s->dim; k++) {
    r->slip[k] += s->surface.area[i] * slip[k];
    r->friction[k] += friction[k];
    r->force[k] += friction[k] + force[0] * stc_strip_axis(s, i, 0)[k];
  }
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
    for (int k = 0; k < tangents; k++) s->traction[i * tangents + k] = force[k + 1] / f->area[i];
    add_vectors(s, i, w, force, r);
  }
  for (int k = 0; k < s->dim; k++) r->slip[k] /= area;
  r->mean_slip = s->dim == 2 ? r->mean_slip / area : stc_interface_norm(3, r->slip);
  if (s->dim == 3) r->shear_force = stc_interface_norm(3, r->friction);
  r->pressure = stc_interface_pressure(f);
  r->uniqueness = uniqueness(s, r->pressure);
}

// A function of the caller may have failed: NaN.
static stc_error check_mu(const stc_strip *s) {
  const stc_interface *f = &s->surface;
  double w[2];
  if (!f->law.curve || !f->law.curve->function) return STC_OK;
  for (int i = 0; i < s->contacts; i++) {
    stc_interface_slip(f, i, w);
    double speed = stc_interface_norm(s->dim - 1, w), mu = stc_interface_mu(&f->law, speed);
    if (!isfinite(speed) || (mu >= 0 && isfinite(mu))) continue;
    return stc_fail(STC_ERR_VALUE, "mu at the slip rate %g is %g; give 0 or more", speed, mu);
  }
  return STC_OK;
}

// What is given in a step, to `mid`, and its right-hand side without contact.
static stc_error begin_step(stc_strip *s) {
  double dt = s->settings.dt, t = stc_strip_time(s);
  STC_TRY(drive_supports(s, t + dt / 2, (s->steps + 1) * dt));
  stc_csr_multiply(&s->beside, s->mid, 0, s->rhs);
  for (int r = 0; r < s->free; r++) {
    int i = s->unknown[r];
    s->rhs[r] = 2 / dt * s->Mv[i] - s->Ku[i] + s->load[i] - s->rhs[r];
  }
  return STC_OK;
}

stc_error stc_strip_free_step(stc_strip *s) {
  STC_TRY(begin_step(s));
  STC_TRY(stc_strip_solve(s));
  move_on(s);
  return STC_OK;
}

stc_error stc_strip_step(stc_strip *strip, stc_strip_report *report) {
  if (!strip || !report)
    return stc_fail(STC_ERR_ARGUMENT, "stc_strip_step needs a strip and a report");
  *report = (stc_strip_report){0};
  STC_TRY(begin_step(strip));
  STC_TRY(stc_strip_check_held(strip, strip->settings.dt / 2));
  STC_TRY(predict(strip));
  solve_contact(strip, report);
  STC_TRY(check_mu(strip));
  stc_strip_pull(strip, strip->dim, strip->surface.f, strip->pull);
  for (int r = 0; r < strip->free; r++) strip->rhs[r] += strip->pull[strip->unknown[r]];
  STC_TRY(stc_strip_solve(strip));
  gather_surface(strip, strip->surface.v);
  report->residual = stc_interface_residual(&strip->surface);
  report->converged = report->residual <= strip->settings.tol;
  describe_step(strip, report);
  count_nodes(strip, report);
  finish_step(strip, report);
  strip->stepped = true;
  if (strip->followed.on) STC_TRY(stc_followed_advance(strip, report));
  return stc_strip_check_finite(strip);
}
