// The coefficient of friction of a contact surface over its slip rate: the law that falls
// exponentially, a table or a function; and all slip rates of a node that answer one pull,
//   w + b f_N mu(w) min(1, w/eta) = z.
#include "interface.h"

#include "../../../base/fail.h"

enum { SCAN = 256, HALVINGS = 200 };  // places of a function that are looked at; ends long before

/// Of the slip rate over which a function changes: for its derivative.
static const double DIFFERENCE = 1e-5;

// --- The law ---

static double table_mu(const stc_rate_curve *c, double w) {
  int k = 1;
  while (k < c->points && c->speed[k] < w) k++;
  if (k == c->points) return c->mu[k - 1];
  double part = (w - c->speed[k - 1]) / (c->speed[k] - c->speed[k - 1]);
  return c->mu[k - 1] + part * (c->mu[k] - c->mu[k - 1]);
}

static double table_slope(const stc_rate_curve *c, double w) {
  int k = 1;
  while (k < c->points && c->speed[k] <= w) k++;
  if (k == c->points) return 0;
  return (c->mu[k] - c->mu[k - 1]) / (c->speed[k] - c->speed[k - 1]);
}

static double own_mu(const stc_interface_law *law, double w) {
  const stc_rate_curve *c = law->curve;
  if (!c) return stc_rate_mu(&law->rate, w);
  return c->function ? c->function(c->user, w) : table_mu(c, w);
}

static double own_slope(const stc_interface_law *law, double w) {
  const stc_rate_curve *c = law->curve;
  if (!c) return stc_rate_slope(&law->rate, w);
  if (!c->function) return table_slope(c, w);
  double h = DIFFERENCE * stc_interface_speed(law), low = fmax(w - h, 0);
  return (own_mu(law, w + h) - own_mu(law, low)) / (w + h - low);
}

double stc_interface_mu(const stc_interface_law *law, double w) {
  double mu = own_mu(law, w);
  return law->flat > 0 ? mu + law->flat * (own_mu(law, 0) - mu) : mu;
}

double stc_interface_slope(const stc_interface_law *law, double w) {
  return (1 - law->flat) * own_slope(law, w);
}

double stc_interface_steepest(const stc_interface_law *law) {
  const stc_rate_curve *c = law->curve;
  double most = 0;
  if (!c) return stc_rate_steepest(&law->rate);
  if (c->function) return c->steepest;
  for (int k = 1; k < c->points; k++)
    most = fmax(most, fabs((c->mu[k] - c->mu[k - 1]) / (c->speed[k] - c->speed[k - 1])));
  return most;
}

double stc_interface_falling(const stc_interface_law *law) {
  const stc_rate_curve *c = law->curve;
  double most = 0;
  if (!c || c->function) return stc_interface_steepest(law);
  for (int k = 1; k < c->points; k++)
    most = fmax(most, (c->mu[k - 1] - c->mu[k]) / (c->speed[k] - c->speed[k - 1]));
  return most;
}

double stc_interface_greatest(const stc_interface_law *law) {
  const stc_rate_curve *c = law->curve;
  double most = 0;
  if (!c) return law->rate.mu_s;
  if (c->function) return c->greatest;
  for (int k = 0; k < c->points; k++) most = fmax(most, c->mu[k]);
  return most;
}

double stc_interface_speed(const stc_interface_law *law) {
  const stc_rate_curve *c = law->curve;
  if (!c) return law->rate.v_c;
  double steepest = stc_interface_steepest(law), greatest = stc_interface_greatest(law);
  if (steepest > 0 && greatest > 0) return greatest / steepest;
  return !c->function && c->points > 1 ? c->speed[c->points - 1] : 1;
}

// --- Secants ---

/// Friction is known to this part of its greatest.
static const double SLACK = 1e-8;

/// Speeds over which the exponential law ends.
static const double TAIL = 60;

// sup (D - mu(r))/(r - w) over r > w: the tangent from (w, D) to the exponential, at the root of
// mu(r) - (r - w) mu'(r) = D, which falls.
static double tangent_slope(const stc_rate_law *law, double w, double D) {
  double low = w, high = w + TAIL * law->v_c;
  if (D <= law->mu_d) return 0;
  for (int k = 0; k < HALVINGS; k++) {
    double r = low + (high - low) / 2;
    if (r <= low || r >= high) break;
    *(stc_rate_mu(law, r) - (r - w) * stc_rate_slope(law, r) > D ? &low : &high) = r;
  }
  return -stc_rate_slope(law, low);
}

// Between its points a secant of a table changes monotonically: its points have the greatest.
static double table_secant(const stc_rate_curve *c, double w, double D, bool left) {
  double most = 0;
  for (int k = 0; k < c->points; k++) {
    double r = c->speed[k];
    if (r > w) most = fmax(most, (D + SLACK - c->mu[k]) / (r - w));
    if (r < w && left) most = fmax(most, (c->mu[k] - D + SLACK) / (w - r));
  }
  return most;
}

double stc_interface_secant(const stc_interface_law *law, double w, double D) {
  const stc_rate_curve *c = law->curve;
  double falling = stc_interface_falling(law);
  bool left = w > law->eta_t;  // what is rounded rises up to there
  if (c && c->function) return falling;
  if (c) return fmin(falling, table_secant(c, w, D, left));
  double before = left ? (law->rate.mu_s - D + SLACK) / w : 0;
  return fmin(falling, fmax(before, tangent_slope(&law->rate, w, D + SLACK)));
}

// --- Checks ---

static stc_error check_table(const stc_rate_curve *c) {
  if (c->points < 1 || !c->speed || !c->mu)
    return stc_fail(STC_ERR_ARGUMENT, "the table of mu has %d points; give one or more", c->points);
  if (c->speed[0] != 0)
    return stc_fail(STC_ERR_VALUE, "the table of mu begins at the speed %g; begin it at 0",
                    c->speed[0]);
  for (int k = 0; k < c->points; k++) {
    if (!(c->mu[k] >= 0) || !isfinite(c->mu[k]))
      return stc_fail(STC_ERR_VALUE, "mu of point %d of the table is %g; give 0 or more", k + 1,
                      c->mu[k]);
    if (!isfinite(c->speed[k]) || (k > 0 && !(c->speed[k] > c->speed[k - 1])))
      return stc_fail(STC_ERR_VALUE, "the speeds of the table of mu must rise; point %d has %g",
                      k + 1, c->speed[k]);
  }
  return STC_OK;
}

static stc_error check_function(const stc_rate_curve *c) {
  if (!(c->steepest >= 0) || !isfinite(c->steepest))
    return stc_fail(STC_ERR_VALUE, "max |mu'| is %g; a function needs a Lipschitz constant",
                    c->steepest);
  if (!(c->greatest >= 0) || !isfinite(c->greatest))
    return stc_fail(STC_ERR_VALUE, "max mu is %g; a function must be bounded", c->greatest);
  return STC_OK;
}

stc_error stc_rate_curve_check(const stc_rate_curve *c, double eta_t) {
  const stc_interface_law law = {.curve = c};
  STC_TRY(c->function ? check_function(c) : check_table(c));
  double still = own_mu(&law, 0), steepest = stc_interface_steepest(&law);
  if (!(still >= 0) || !isfinite(still))
    return stc_fail(STC_ERR_VALUE, "mu at rest is %g; give 0 or more", still);
  // w mu(w) rises up to there: beyond, rounding would itself make several answers.
  if (eta_t == 0 || 2 * eta_t * steepest < still) return STC_OK;
  return stc_fail(STC_ERR_VALUE, "eta_t = %g; it must be below mu(0)/(2 max|mu'|) = %g", eta_t,
                  still / (2 * steepest));
}

// --- All answers of a node ---

/// h(w) = w + load mu(w) min(1, w/eta) - z, where load is b f_N.
typedef struct node_pull {
  const stc_interface_law *law;
  double load, z;
} node_pull;

static double excess(const node_pull *p, double w) {
  double eta = p->law->eta_t, part = eta > 0 ? fmin(1, w / eta) : 1;
  return w + p->load * stc_interface_mu(p->law, w) * part - p->z;
}

static double bisect_pull(const node_pull *p, double low, double high) {
  bool rises = excess(p, high) >= 0;
  for (int k = 0; k < HALVINGS; k++) {
    double middle = low + (high - low) / 2;
    if (middle <= low || middle >= high) break;
    *((excess(p, middle) >= 0) == rises ? &high : &low) = middle;
  }
  return low + (high - low) / 2;
}

/// Roots as they are found.
typedef struct found_roots {
  double *root;
  int count, most;
  double last;
  bool above;  ///< the sign at `last`
} found_roots;

static void look_at(const node_pull *p, double w, found_roots *f) {
  if (!(w > f->last) || w > p->z) return;
  bool above = excess(p, w) >= 0;
  if (above != f->above && f->count < f->most) f->root[f->count++] = bisect_pull(p, f->last, w);
  f->last = w;
  f->above = above;
}

int stc_rate_curve_roots(const stc_interface_law *law, double load, double z, int most,
                         double *root) {
  const node_pull p = {.law = law, .load = load, .z = z};
  const stc_rate_curve *c = law->curve;
  found_roots f = {.root = root, .most = most, .above = excess(&p, 0) >= 0};
  if (f.above) root[f.count++] = 0;
  bool rounded = law->eta_t == 0;
  int places = c->function ? SCAN : c->points;
  for (int k = 0; k < places; k++) {
    double w = c->function ? z * (k + 1) / (SCAN + 1) : c->speed[k];
    if (!rounded && w > law->eta_t) look_at(&p, law->eta_t, &f), rounded = true;
    look_at(&p, w, &f);
  }
  if (!rounded) look_at(&p, law->eta_t, &f);
  look_at(&p, z, &f);
  if (f.count == 0) root[f.count++] = z;  // within rounding
  return f.count;
}
