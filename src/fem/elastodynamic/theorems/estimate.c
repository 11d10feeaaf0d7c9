// Theorem 1 on a mesh. With E = w_t.M w_t + w.K w + beta w.M w the midpoint rule gives
//   E' - E = 2 dt F.v + 2 beta dt w.M v   (w, v of the middle)
//         <= dt A (E + E')/2 + dt trace/(alpha_0 eps) |F|^2,   A = alpha_0 + sqrt(beta),
// because eps |v|_C^2 <= trace v.M v for polynomials across the layer, and a sum over the steps
//   E <= trace/(alpha_0 eps) exp(alpha t) sum dt |F|^2,   exp(alpha dt) = (1 + A dt/2)/(1 - A
//   dt/2).
#include "../strip/strip_data.h"

#include <string.h>

#include "../../../base/fail.h"

enum { POWERS = 300, GROWTHS = 60 };
static const double POWER_TOLERANCE = 1e-7;
static const double GROWTH = 1.001;  ///< of a value that has no Cholesky factor

/// A quadratic form: factors of M, K, H, L and of the area of contact nodes.
typedef struct quadratic {
  double m, k, h, l, area;
} quadratic;

// Its matrix of the free unknowns, on the pattern of A; that of H and L is K's.
static void fill_quadratic(stc_strip *s, quadratic q) {
  const stc_followed *f = &s->followed;
  stc_strip_combine(s, q.m, q.k);
  for (int r = 0, at = 0; r < s->free; r++) {
    int row = s->unknown[r];
    for (int e = s->K.ptr[row]; e < s->K.ptr[row + 1]; e++) {
      int col = s->K.col[e];
      if (s->fixed[col]) continue;
      s->A.val[at] += q.h * f->H.val[e] + q.l * f->L.val[e];
      if (row == col) s->A.val[at] += q.area * f->area[row];
      at++;
    }
  }
}

static double value_of(const stc_csr *A, const double *x, double *y) {
  double sum = 0;
  stc_csr_multiply(A, x, 0, y);
  for (int i = 0; i < A->rows; i++) sum += x[i] * y[i];
  return sum;
}

// --- Greatest ratios ---

/// Vectors of the power method [free], and matrices of both forms.
typedef struct power_method {
  double *x, *y, *top, *bottom;
} power_method;

static double ratio_at(const stc_csr *over, const stc_csr *under, power_method *p) {
  double above = value_of(over, p->x, p->top), below = value_of(under, p->x, p->bottom);
  return below > 0 ? above / below : 0;
}

// The greatest x.over x/x.under x from below; `under` is factorised.
static stc_error estimate_ratio(stc_strip *s, const stc_csr *over, const stc_csr *under,
                                power_method *p, double *ratio) {
  for (int i = 0; i < s->free; i++) p->x[i] = 1 + 0.5 * sin(1.7 * i * i);
  *ratio = 0;
  for (int k = 0; k < POWERS; k++) {
    double before = *ratio, length = 0;
    *ratio = fmax(*ratio, ratio_at(over, under, p));
    STC_TRY(stc_sparse_solve(s->spd, 1, p->top, p->y, 0, NULL));
    for (int i = 0; i < s->free; i++) length = fmax(length, fabs(p->y[i]));
    if (!(length > 0) || (k > 3 && *ratio - before <= POWER_TOLERANCE * *ratio)) break;
    for (int i = 0; i < s->free; i++) p->x[i] = p->y[i] / length;
  }
  return STC_OK;
}

static stc_error copy_matrix(const stc_strip *s, stc_arena *work, stc_csr *copy) {
  size_t entries = (size_t)stc_csr_entries(&s->A);
  *copy = s->A;
  copy->val = STC_TAKE_RAW(work, double, entries);
  STC_TRY(stc_arena_check(work));
  memcpy(copy->val, s->A.val, entries * sizeof *copy->val);
  return STC_OK;
}

// A number for which `ratio under - over` has a Cholesky factor: the power method comes near the
// greatest ratio, and is raised until it is above.
static stc_error prove_ratio(stc_strip *s, stc_arena *work, quadratic over, quadratic under,
                             double *ratio) {
  stc_csr top, bottom;
  power_method p = {.x = STC_TAKE(work, double, s->free),
                    .y = STC_TAKE(work, double, s->free),
                    .top = STC_TAKE(work, double, s->free),
                    .bottom = STC_TAKE(work, double, s->free)};
  STC_TRY(stc_arena_check(work));
  fill_quadratic(s, over);
  STC_TRY(copy_matrix(s, work, &top));
  fill_quadratic(s, under);
  STC_TRY(copy_matrix(s, work, &bottom));
  STC_TRY(stc_sparse_factorise(s->spd, s->A.val));
  STC_TRY(estimate_ratio(s, &top, &bottom, &p, ratio));
  double factor = GROWTH;
  for (int k = 0; k < GROWTHS; k++, factor *= factor) {
    *ratio *= factor;
    for (int e = 0; e < stc_csr_entries(&bottom); e++)
      s->A.val[e] = *ratio * bottom.val[e] - top.val[e];
    if (stc_sparse_factorise(s->spd, s->A.val) == STC_OK) return STC_OK;
  }
  return stc_fail(STC_ERR_NUMERIC, "no constant of the estimate could be proved");
}

// --- The constants ---

static stc_error find_constants(stc_strip *s, double alpha, stc_strip_estimate *e) {
  STC_ARENA work = {0};
  stc_motions motions;
  double dt = s->settings.dt, light;
  e->beta = stc_strip_free_motions(s, &motions) > 0 ? alpha * alpha : 0;
  double A = alpha + sqrt(e->beta);
  STC_TRY(prove_ratio(s, &work, (quadratic){.area = 1}, (quadratic){.m = 1}, &e->trace));
  e->trace *= s->settings.eps;
  STC_TRY(prove_ratio(s, &work, (quadratic){.h = 1}, (quadratic){.k = 1, .m = e->beta}, &e->korn));
  STC_TRY(prove_ratio(s, &work, (quadratic){.l = 1}, (quadratic){.m = 1}, &light));
  STC_TRY(prove_ratio(s, &work, (quadratic){.m = 1}, (quadratic){.k = 1, .m = e->beta}, &e->mass));
  e->alpha_0 = alpha;
  e->alpha = log((1 + A * dt / 2) / (1 - A * dt / 2)) / dt;
  e->C = fmax(e->korn, light) * e->trace / alpha;
  return STC_OK;
}

static stc_error check_estimate(const stc_strip *s, double alpha) {
  if (!stc_strip_has_layer(s))
    return stc_fail(STC_ERR_VALUE, "eps = 0: the estimate is about a layer; give its thickness");
  if (!(alpha > 0) || !(alpha * s->settings.dt < 1))
    return stc_fail(STC_ERR_VALUE, "alpha = %g; give a number in 0 .. 1/dt = %g", alpha,
                    1 / s->settings.dt);
  if (s->steps > 0)
    return stc_fail(STC_ERR_VALUE, "the estimate begins at t = 0; %.0f steps were made", s->steps);
  if (s->free > 0 && stc_sparse_is_direct(s->spd)) return STC_OK;
  return stc_fail(STC_ERR_VALUE, "the estimate is proved by factors, which %d unknowns do not have",
                  s->free);
}

static stc_error open_followed(stc_strip *s) {
  stc_followed *f = &s->followed;
  if (f->w) return STC_OK;
  double **const by_size[] = {&f->w, &f->w_t, &f->area};
  STC_TAKE_ZEROS(&s->arena, s->size, by_size);
  STC_TRY(stc_arena_check(&s->arena));
  STC_TRY(stc_strip_make_forms(s, true, &f->H, &f->L));
  for (int i = 0; i < s->contacts; i++)
    for (int k = 0; k < s->dim; k++) f->area[s->contact[i] * s->dim + k] = s->surface.area[i];
  return STC_OK;
}

stc_error stc_strip_estimate_norm(stc_strip *strip, double alpha_0, stc_strip_estimate *estimate) {
  if (!strip || !estimate)
    return stc_fail(STC_ERR_ARGUMENT, "stc_strip_estimate_norm needs a strip and an estimate");
  STC_TRY(check_estimate(strip, alpha_0));
  STC_TRY(open_followed(strip));
  *estimate = (stc_strip_estimate){0};
  stc_error error = find_constants(strip, alpha_0, estimate);
  double dt = strip->settings.dt;
  stc_strip_combine(strip, 2 / dt, dt / 2);  // what the steps need again
  stc_error again = stc_sparse_factorise(strip->spd, strip->A.val);
  if (error || again) return error ? error : again;
  strip->followed.estimate = *estimate;
  strip->followed.on = true;
  return STC_OK;
}

// --- Along a run ---

stc_error stc_driven_step(stc_strip *s, double *w, double *w_t) {
  double dt = s->settings.dt, *Kw = s->load, *Mw = s->mid;
  stc_csr_multiply(&s->K, w, 0, Kw);
  stc_csr_multiply(&s->M, w_t, 0, Mw);
  for (int r = 0; r < s->free; r++) {
    int i = s->unknown[r];
    s->rhs[r] = 2 / dt * Mw[i] - Kw[i] + s->pull[i];
  }
  memset(s->mid, 0, (size_t)s->size * sizeof *s->mid);
  STC_TRY(stc_strip_solve(s));
  for (int i = 0; i < s->size; i++) {
    w[i] += dt * s->mid[i];
    w_t[i] = 2 * s->mid[i] - w_t[i];
  }
  return STC_OK;
}

stc_error stc_followed_advance(stc_strip *s, stc_strip_report *report) {
  stc_followed *f = &s->followed;
  const stc_strip_estimate *e = &f->estimate;
  STC_TRY(stc_driven_step(s, f->w, f->w_t));
  for (int i = 0; i < s->contacts; i++) {
    double force = stc_interface_norm(s->dim, s->surface.f + i * s->dim);
    f->integral += s->settings.dt * force * force / s->surface.area[i];
  }
  report->norm = value_of(&f->H, f->w, s->load) + value_of(&f->L, f->w_t, s->load);
  report->bound = e->C * exp(e->alpha * report->t) / s->settings.eps * f->integral;
  return STC_OK;
}
