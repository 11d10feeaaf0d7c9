// The infinite column under a ramp. The wave that comes in is zero, so q = Z tau(t). With a layer
// of mass m = rho eps at the surface
//   m w' = q - h(w) + m tau'   while it slides,   stick while |q + m tau'| <= S mu_s,
// integrated by the extrapolated linearly implicit Euler method, which takes thin layers (stiff)
// and thick ones alike; without a layer w follows the curve h with maximal delay.
#include "../../base/fail.h"

#include <math.h>
#include <string.h>

#include <stiction/elastodynamic.h>

enum {
  COLUMNS = 8,           // of the extrapolation: order 8, estimated with order 7
  HALVINGS = 100,        // of a step, to find an event
  SAMPLES = 2000,        // points of a run without layer
  MOST_STEPS = 20000000  // a run that needs more is refused
};

static const double ACCURACY = 1e-12;    // of a step, relative to the speeds of the problem
static const double SAFETY = 0.8;        // of the next step
static const double LEAST_CHANGE = 0.1;  // of a step after one that failed
static const double MOST_CHANGE = 4;     // of a step after a good one
static const double ROUNDING = 1e-12;    // of a count of samples

double stc_ramp_speed(const stc_ramp *ramp, double t) {
  bool turned = ramp->t_turn > 0 && t > ramp->t_turn;
  return ramp->rate * (turned ? 2 * ramp->t_turn - t : t);
}

double stc_ramp_slope(const stc_ramp *ramp, double t) {
  return ramp->t_turn > 0 && t >= ramp->t_turn ? -ramp->rate : ramp->rate;
}

// A run and its state. Between two corners of the ramp tau is linear.
typedef struct stc_slide {
  const stc_column *column;
  void (*sample)(void *user, double t, double q, double w);
  void *user;
  stc_column_events *events;
  double t, w;
  double tau, slope;  // of the ramp at `from`, and its rise
  double from;        // beginning of the linear piece
  double sign;        // direction of the slip
  double step;        // proposed
  double scale;       // speed that errors are compared with
  long steps;
  long samples;  // taken, where they are asked for at given times
} stc_slide;

static double q_at(const stc_slide *s, double t) {
  return s->column->curve.impedance * (s->tau + s->slope * (t - s->from));
}

static void tell(const stc_slide *s, double t, double w) {
  if (s->sample && s->column->sample_dt == 0) s->sample(s->user, t, q_at(s, t), w);
}

// --- One step of the slip ---

// mu is continued smoothly beyond w = 0: an event is found before this matters.
static double rate(const stc_slide *s, double t, double w) {
  const stc_curve *curve = &s->column->curve;
  const stc_rate_law *law = &curve->law;
  double mu = law->mu_d + (law->mu_s - law->mu_d) * exp(-s->sign * w / law->v_c);
  return (q_at(s, t) - curve->impedance * w - s->sign * curve->load * mu) / s->column->layer +
         s->slope;
}

static double rate_slope(const stc_slide *s, double w) {
  const stc_curve *curve = &s->column->curve;
  const stc_rate_law *law = &curve->law;
  double steep = stc_rate_steepest(law) * exp(-s->sign * w / law->v_c);
  return (curve->load * steep - curve->impedance) / s->column->layer;
}

// w at t + h by extrapolation over 1, 2, ..., COLUMNS pieces, and an estimate of the error.
static double extrapolate(const stc_slide *s, double h, double *error) {
  double table[COLUMNS] = {0};
  *error = HUGE_VAL;
  for (int j = 0; j < COLUMNS; j++) {
    double left = table[0];
    // n linearly implicit Euler steps over h, the Jacobian of the beginning kept.
    int n = j + 1;
    double piece = h / n, w = s->w;
    double inverse = 1 / (1 - piece * rate_slope(s, s->w));
    for (int k = 1; k <= n; k++) w += inverse * piece * rate(s, s->t + k * piece, w);
    table[0] = w;
    for (int k = 1; k <= j; k++) {
      double kept = table[k];
      double ratio = (double)(j + 1) / (j + 1 - k) - 1;
      table[k] = table[k - 1] + (table[k - 1] - left) / ratio;
      left = kept;
    }
  }
  *error = fabs(table[COLUMNS - 1] - table[COLUMNS - 2]);
  return table[COLUMNS - 1];
}

// The Jacobian must stay below 1/h, or the implicit step has no meaning.
static double longest_step(const stc_slide *s) {
  double slope = rate_slope(s, s->w);
  return slope > 0 ? 0.1 / slope : HUGE_VAL;
}

// A step that is accurate, at most to `end`; its length, and w after it.
static double take_step(stc_slide *s, double end, double *after) {
  double h = fmin(fmin(s->step, end - s->t), longest_step(s));
  for (int k = 0; k < HALVINGS; k++) {
    double error;
    *after = extrapolate(s, h, &error);
    double allowed = ACCURACY * (s->scale + fabs(*after));
    double change = SAFETY * pow(allowed / fmax(error, 1e-3 * allowed), 1.0 / COLUMNS);
    if (!isfinite(*after)) change = LEAST_CHANGE;
    bool good = isfinite(*after) && error <= allowed;
    s->step = h * fmin(MOST_CHANGE, fmax(LEAST_CHANGE, change));
    if (good || s->t + h == s->t) break;
    h = s->step;
  }
  return h;
}

// The first place of a step of length h where w passes `level`.
static double locate(const stc_slide *s, double h, double level) {
  double low = 0, high = h, error;
  bool above = s->w > level;
  for (int k = 0; k < HALVINGS && s->t + low < s->t + high; k++) {
    double middle = low + (high - low) / 2;
    if (middle <= low || middle >= high) break;
    if ((extrapolate(s, middle, &error) > level) == above)
      low = middle;
    else
      high = middle;
  }
  return high;
}

// --- Slip and stick ---

static bool passes(double from, double to, double level) {
  return (from < level && to >= level) || (from > level && to <= level);
}

static void note_threshold(stc_slide *s, double h, double after) {
  double level = s->sign * s->column->threshold;
  if (!isnan(s->events->jump_up) || !passes(s->w, after, level)) return;
  s->events->jump_up = s->t + locate(s, h, level);
}

// Slides until `end` or until w is back at 0; true while it still slides.
static bool slide_step(stc_slide *s, double end) {
  double after, h = take_step(s, end, &after);
  note_threshold(s, h, after);
  bool stops = s->sign * after <= 0 && s->w != 0;
  if (stops) h = locate(s, h, 0);
  s->t = h >= end - s->t ? end : s->t + h;
  s->w = stops ? 0 : after;
  s->steps++;
  tell(s, s->t, s->w);
  if (stops && !isnan(s->events->jump_up) && isnan(s->events->jump_down))
    s->events->jump_down = s->t;
  return !stops;
}

// What pulls at the stuck surface at time t: q + m tau'.
static double pull(const stc_slide *s, double t) {
  return q_at(s, t) + s->column->layer * s->slope;
}

// The surface sticks up to the time at which the pull leaves [-S mu_s, S mu_s]; true if it leaves.
static bool stick_until(stc_slide *s, double end) {
  double limit = stc_curve_stick_limit(&s->column->curve);
  double now = pull(s, s->t), later = pull(s, end);
  if (fabs(now) > limit || (fabs(now) == limit && fabs(later) > limit)) {
    s->sign = now > 0 ? 1 : -1;
    return true;
  }
  bool leaves = fabs(later) > limit;
  s->sign = later > 0 ? 1 : -1;
  if (leaves) s->t += (s->sign * limit - now) / (s->column->curve.impedance * s->slope);
  if (!leaves || s->t > end) s->t = end;
  tell(s, s->t, 0);
  return leaves;
}

static stc_error run_piece(stc_slide *s, double end) {
  while (s->t < end) {
    bool slides = s->w != 0 || stick_until(s, end);
    while (slides && s->t < end && s->steps < MOST_STEPS) slides = slide_step(s, end);
    if (s->steps >= MOST_STEPS)
      return stc_fail(STC_ERR_VALUE, "the column needs more than %d steps; take a thicker layer",
                      MOST_STEPS);
  }
  return STC_OK;
}

// The next time at which a sample is asked for.
static double next_sample(const stc_slide *s) {
  double dt = s->column->sample_dt;
  return s->sample && dt > 0 ? (double)s->samples * dt : HUGE_VAL;
}

static stc_error run_layer(const stc_column *column, stc_slide *s) {
  const stc_ramp *ramp = &column->ramp;
  bool turns = ramp->t_turn > 0 && ramp->t_turn < column->t_end;
  const double corner[] = {0, turns ? ramp->t_turn : column->t_end, column->t_end};
  s->scale = column->curve.law.v_c;
  for (int k = 0; k < 2; k++) {
    s->t = s->from = corner[k];
    s->tau = stc_ramp_speed(ramp, corner[k]);
    s->slope = stc_ramp_slope(ramp, corner[k]);
    s->step = fmin(column->layer / column->curve.impedance, column->t_end);
    // A linear piece of the ramp, with stops where samples are asked for.
    double end = corner[k + 1];
    while (s->t < end || next_sample(s) <= end) {
      double stop = next_sample(s);
      if (s->t < end) STC_TRY(run_piece(s, fmin(stop, end)));
      if (stop > end) continue;
      s->sample(s->user, stop, q_at(s, stop), s->w);
      s->samples++;
    }
  }
  return STC_OK;
}

// --- Without a layer ---

// The first time at which Z tau rises to q, and the first after the reversal at which it has fallen
// to q.
static double time_up(const stc_column *c, double q) {
  double t = q / (c->curve.impedance * fabs(c->ramp.rate));
  bool turned = c->ramp.t_turn > 0 && t > c->ramp.t_turn;
  return turned || t > c->t_end ? NAN : t;
}

static double time_down(const stc_column *c, double q) {
  double t = 2 * c->ramp.t_turn - q / (c->curve.impedance * fabs(c->ramp.rate));
  return c->ramp.t_turn > 0 && t <= c->t_end ? t : NAN;
}

static void run_bare(const stc_column *column, stc_slide *s) {
  double w_fold, q_fold, w = 0;
  stc_curve_fold(&column->curve, &w_fold, &q_fold);
  s->events->jump_up = time_up(column, stc_curve_stick_limit(&column->curve));
  if (!isnan(s->events->jump_up)) s->events->jump_down = time_down(column, q_fold);
  double dt = column->sample_dt > 0 ? column->sample_dt : column->t_end / SAMPLES;
  long count = s->sample ? lround(floor(column->t_end / dt * (1 + ROUNDING))) : -1;
  for (long k = 0; k <= count; k++) {
    double t = dt * (double)k;
    double q = column->curve.impedance * stc_ramp_speed(&column->ramp, t);
    w = stc_curve_follow(&column->curve, q, w, STC_ROOT_DELAY, NULL);
    s->sample(s->user, t, q, w);
  }
}

static stc_error check_column(const stc_column *column) {
  STC_TRY(stc_curve_check(&column->curve));
  if (!isfinite(column->ramp.rate))
    return stc_fail(STC_ERR_VALUE, "rate = %g; give a finite acceleration", column->ramp.rate);
  if (!(column->ramp.t_turn >= 0) || !(column->t_end > 0) || !isfinite(column->t_end))
    return stc_fail(STC_ERR_VALUE, "t_turn = %g, t_end = %g; give times after 0",
                    column->ramp.t_turn, column->t_end);
  if (!(column->layer >= 0) || !isfinite(column->layer))
    return stc_fail(STC_ERR_VALUE, "a layer of mass %g; give 0 or more", column->layer);
  if (!(column->sample_dt >= 0))
    return stc_fail(STC_ERR_VALUE, "sample_dt = %g; give 0 or a time", column->sample_dt);
  if (!(column->threshold > 0) && column->layer > 0)
    return stc_fail(STC_ERR_VALUE, "a threshold of %g; give a positive slip rate",
                    column->threshold);
  return STC_OK;
}

stc_error stc_column_run(const stc_column *column,
                         void (*sample)(void *user, double t, double q, double w), void *user,
                         stc_column_events *events) {
  if (!column || !events)
    return stc_fail(STC_ERR_ARGUMENT, "stc_column_run needs a column and a place for the events");
  STC_TRY(check_column(column));
  *events = (stc_column_events){.jump_up = NAN, .jump_down = NAN};
  stc_slide s = {.column = column, .sample = sample, .user = user, .events = events};
  if (column->layer > 0) return run_layer(column, &s);
  run_bare(column, &s);
  return STC_OK;
}

// In a window of length 2 D/c the wave that comes in is what went out in the one before, reflected:
// alpha_n = alpha_(n-1) - 2 v_(n-1), alpha_0 = 0.
stc_error stc_column_windows(const stc_curve *curve, double V, int count, double *w) {
  double alpha = 0, last = 0;
  if (!curve || !w || count < 0 || !isfinite(V))
    return stc_fail(STC_ERR_ARGUMENT, "stc_column_windows needs a curve, a speed and an array");
  STC_TRY(stc_curve_check(curve));
  for (int n = 0; n < count; n++) {
    last = w[n] =
        stc_curve_follow(curve, curve->impedance * (V - alpha), last, STC_ROOT_DELAY, NULL);
    alpha -= 2 * (V - w[n]);
  }
  return STC_OK;
}
