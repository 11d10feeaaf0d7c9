// The judge's core. With uh_i = u_i + s(u_i) e_N and F_i = r_i - P_K(r_i - uh_i / kappa_i),
//   eta = sqrt( sum kappa_i |F_i|^2 ) / max( sqrt(sum |u_i|^2/kappa_i), sqrt(sum |q_i|^2/kappa_i) )
// and fclib_error = |F_nat| / |q|, where F_nat is F with kappa = 1 kg^-1. |r| divides nothing.
#include "../../base/variants.h"
#include "reduced_parts.h"

#include <math.h>
#include <string.h>

// Contacts are taken in packs of this many, one component per array, so that the compiler uses
// vector instructions; sums are kept per lane and added in lane order, always the same.
enum { LANES = 8 };

// Packs hold the components N, T1, T2. Contacts with spin or rolling are taken one by one.
enum { AXES = 3 };

// Contacts are counted as violated beyond this part of eta's denominator: the default tolerance.
static const double COUNT_TOL = 1e-8;

// Coefficients are cut here, as in the laws themselves: squares and quotients stay in range.
static const double MOST_MU = 1e50;

typedef struct pack {
  double mu[LANES], kappa[LANES], weight[LANES];  ///< weight = 1 / kappa
  double r[AXES][LANES], u[AXES][LANES], q[AXES][LANES];
  const stc_law *law;  ///< [count] of the first contact
  int count;
  bool elliptic;  ///< some lane obeys an elliptic law
} pack;

typedef struct sums {
  double gap[LANES];      ///< kappa |F|^2
  double natural[LANES];  ///< |F_nat|^2 in units of scale_r
  double uu[LANES];       ///< |u|^2 / kappa
  double qq[LANES];       ///< |q|^2 / kappa
  double q2[LANES], r2[LANES], ru[LANES];
  double depth[LANES];  ///< largest -u_N
  double cone[LANES];   ///< largest cone violation
} sums;

// --- Packs of contacts ---

STC_ALWAYS void split(int dim, int count, const double *x, double lane[AXES][LANES]) {
  for (int c = 0; c < count; c++)
    for (int k = 0; k < dim; k++) lane[k][c] = x[c * dim + k];
}

/// One array per component, from contacts in sequence; called with constants where speed
/// counts.
STC_ALWAYS void load_reduced_residual(int dim, int count, const double *x,
                                      double lane[AXES][LANES]) {
  if (dim == 3 && count == LANES) {
    split(3, LANES, x, lane);
    return;
  }
  memset(lane, 0, sizeof(double[AXES][LANES]));
  if (dim == 2 && count == LANES)
    split(2, LANES, x, lane);
  else
    split(dim, count, x, lane);
}

STC_ALWAYS void load_laws(const stc_reduced *p, int first, pack *lanes) {
  for (int c = 0; c < LANES; c++) {
    bool there = c < lanes->count;
    double mu = there ? p->law[first + c].mu[0] : 0;
    lanes->mu[c] = mu < MOST_MU ? mu : MOST_MU;
    lanes->kappa[c] = there ? p->kappa[first + c] : 1;
    lanes->elliptic |= there && p->law[first + c].kind == STC_LAW_ELLIPTIC;
  }
  for (int c = 0; c < LANES; c++) lanes->weight[c] = 1 / lanes->kappa[c];
}

/// Contacts first .. first + LANES - 1; lanes past the last contact hold r = u = q = 0.
STC_ALWAYS void load_pack(const stc_reduced *p, int first, const double *r, const double *u,
                          pack *lanes) {
  int left = p->contacts - first;
  size_t at = (size_t)first * (size_t)p->dim;
  lanes->law = p->law + first;
  lanes->count = left < LANES ? left : LANES;
  lanes->elliptic = false;
  load_reduced_residual(p->dim, lanes->count, r + at, lanes->r);
  load_reduced_residual(p->dim, lanes->count, u + at, lanes->u);
  load_reduced_residual(p->dim, lanes->count, p->q + at, lanes->q);
  load_laws(p, first, lanes);
}

/// |r - P_K(r - weight (u + mu |u_T| e_N))|^2 for K = { |r_T| <= mu r_N }. Numbers are scaled: no
/// square that matters overflows or vanishes.
STC_ALWAYS double gap_square(double mu, double weight, double rN, double r1, double r2, double uN,
                             double u1, double u2) {
  double stepN = weight * (uN + mu * sqrt(u1 * u1 + u2 * u2)), step1 = weight * u1,
         step2 = weight * u2;
  double xN = rN - stepN, x1 = r1 - step1, x2 = r2 - step2;
  double t = sqrt(x1 * x1 + x2 * x2);
  double a = xN + mu * t;
  a = a > 0 ? a / (1 + mu * mu) : 0;  // P_K(x) = (a, b x_T) outside K, 0 in the polar cone
  double b = mu * a / (t > 0 ? t : 1);
  bool inside = xN >= 0 && t <= mu * xN;  // there F = r - x without the rounding of r
  double FN = inside ? stepN : rN - a;
  double F1 = inside ? step1 : r1 - b * x1;
  double F2 = inside ? step2 : r2 - b * x2;
  return FN * FN + F1 * F1 + F2 * F2;
}

static void elliptic_gap(const pack *p, int lane, double weight, double *gap) {
  double r[AXES], u[AXES], F[AXES];
  for (int k = 0; k < AXES; k++) r[k] = p->r[k][lane], u[k] = p->u[k][lane];
  stc_law_residual(&p->law[lane], 1 / weight, r, u, F);
  *gap = F[0] * F[0] + F[1] * F[1] + F[2] * F[2];
}

/// gap [LANES] = |F|^2 with kappa = 1 / weight.
STC_ALWAYS void pack_gaps(const pack *p, const double *weight, double *gap) {
  for (int c = 0; c < LANES; c++)
    gap[c] = gap_square(p->mu[c], weight[c], p->r[0][c], p->r[1][c], p->r[2][c], p->u[0][c],
                        p->u[1][c], p->u[2][c]);
  if (!p->elliptic) return;
  for (int c = 0; c < p->count; c++)
    if (p->law[c].kind == STC_LAW_ELLIPTIC) elliptic_gap(p, c, weight[c], gap + c);
}

STC_ALWAYS void square(double x[AXES][LANES], double *y) {
  for (int c = 0; c < LANES; c++) y[c] = x[0][c] * x[0][c] + x[1][c] * x[1][c] + x[2][c] * x[2][c];
}

/// |D^-1 r_T| - r_N; along a direction with mu = 0 the component of r_T itself.
static double elliptic_cone(const stc_law *law, double rN, double r1, double r2) {
  double y1 = law->mu[0] > 0 ? r1 / law->mu[0] : 0, y2 = law->mu[1] > 0 ? r2 / law->mu[1] : 0;
  double held = fmax(law->mu[0] > 0 ? 0 : fabs(r1), law->mu[1] > 0 ? 0 : fabs(r2));
  return fmax(hypot(y1, y2) - rN, held);
}

STC_ALWAYS void pack_cone(const pack *p, double *cone) {
  for (int c = 0; c < LANES; c++) {
    double t = sqrt(p->r[1][c] * p->r[1][c] + p->r[2][c] * p->r[2][c]);
    double mu = p->mu[c], slips = mu > 0 ? 1 : 0;
    double over = slips * t / (mu > 0 ? mu : 1) - p->r[0][c], held = (1 - slips) * t;
    cone[c] = over > held ? over : held;
  }
  if (!p->elliptic) return;
  for (int c = 0; c < p->count; c++)
    if (p->law[c].kind == STC_LAW_ELLIPTIC)
      cone[c] = elliptic_cone(&p->law[c], p->r[0][c], p->r[1][c], p->r[2][c]);
}

// --- Sums ---

STC_ALWAYS void add_norms(pack *p, sums *s) {
  double u2[LANES], q2[LANES], r2[LANES];
  square(p->u, u2);
  square(p->q, q2);
  square(p->r, r2);
  for (int c = 0; c < LANES; c++) {
    s->uu[c] += u2[c] * p->weight[c];
    s->qq[c] += q2[c] * p->weight[c];
    s->q2[c] += q2[c];
    s->r2[c] += r2[c];
  }
}

STC_ALWAYS void add_facts(const pack *p, sums *s) {
  double cone[LANES];
  pack_cone(p, cone);
  for (int c = 0; c < LANES; c++) {
    double depth = -p->u[0][c];
    s->depth[c] = depth > s->depth[c] ? depth : s->depth[c];
    s->cone[c] = cone[c] > s->cone[c] ? cone[c] : s->cone[c];
    s->ru[c] += p->r[0][c] * p->u[0][c] + p->r[1][c] * p->u[1][c] + p->r[2][c] * p->u[2][c];
  }
}

/// Adds kappa |F|^2, kept in term [count], and |F_nat|^2 with the weight `natural`.
STC_ALWAYS void add_gaps(const pack *p, double natural, double *term, sums *s) {
  double weight[LANES], gap[LANES], plain[LANES];
  for (int c = 0; c < LANES; c++) weight[c] = natural;
  pack_gaps(p, p->weight, gap);
  pack_gaps(p, weight, plain);
  for (int c = 0; c < LANES; c++) {
    gap[c] *= p->kappa[c];
    s->gap[c] += gap[c];
    s->natural[c] += plain[c];
  }
  memcpy(term, gap, (size_t)p->count * sizeof *term);
}

// --- Contacts with spin or rolling ---

static double square_of(int dim, const double *x) {
  double sum = 0;
  for (int k = 0; k < dim; k++) sum += x[k] * x[k];
  return sum;
}

/// |F|^2 with kappa = 1 / weight.
static double any_law_gap(const stc_law *law, double weight, const double *r, const double *u) {
  double F[STC_MAX_DIM];
  stc_law_residual(law, 1 / weight, r, u, F);
  return square_of(law->dim, F);
}

/// |r - P_K(r)|.
static double any_law_cone(const stc_law *law, const double *r) {
  double y[STC_MAX_DIM];
  stc_law_project(law, r, y);
  for (int k = 0; k < law->dim; k++) y[k] -= r[k];
  return sqrt(square_of(law->dim, y));
}

static void add_any_law_norms(const stc_reduced *p, int c, const double *u, sums *s) {
  size_t at = (size_t)c * (size_t)p->dim;
  double q2 = square_of(p->dim, p->q + at);
  s->uu[0] += square_of(p->dim, u + at) / p->kappa[c];
  s->qq[0] += q2 / p->kappa[c];
  s->q2[0] += q2;
}

static void add_any_law(const stc_reduced *p, int c, double natural, const double *r,
                        const double *u, double *term, sums *s) {
  const double *rc = r + (size_t)c * (size_t)p->dim, *uc = u + (size_t)c * (size_t)p->dim;
  add_any_law_norms(p, c, u, s);
  *term = p->kappa[c] * any_law_gap(&p->law[c], 1 / p->kappa[c], rc, uc);
  s->gap[0] += *term;
  s->natural[0] += any_law_gap(&p->law[c], natural, rc, uc);
  s->r2[0] += square_of(p->dim, rc);
  for (int k = 0; k < p->dim; k++) s->ru[0] += rc[k] * uc[k];
  s->depth[0] = fmax(s->depth[0], -uc[0]);
  s->cone[0] = fmax(s->cone[0], any_law_cone(&p->law[c], rc));
}

// --- Totals ---

static double total(const double *lane) {
  double sum = 0;
  for (int c = 0; c < LANES; c++) sum += lane[c];
  return sum;
}

static double largest(const double *lane) {
  double most = 0;
  for (int c = 0; c < LANES; c++) most = fmax(most, lane[c]);
  return most;
}

/// The denominator of eta in scaled units; where u = q = 0 what is 1 in physical units. Infinite if
/// u is not finite.
static double denominator(const stc_reduced *p, const sums *s) {
  double uu = total(s->uu), qq = total(s->qq), most = fmax(fmax(uu, qq), p->least.energy);
  if (!isfinite(uu + qq)) return INFINITY;
  return most > 0 ? sqrt(most) : 1 / sqrt(p->scale_u * p->scale_r);
}

static double denominator_of(const stc_reduced *p, const double *u) {
  sums s = {0};
  for (int c = 0; p->any_law && c < p->contacts; c++) add_any_law_norms(p, c, u, &s);
  for (int c = 0; !p->any_law && c < p->contacts; c += LANES) {
    pack lanes;
    load_pack(p, c, u, u, &lanes);  // r is not looked at
    add_norms(&lanes, &s);
  }
  return denominator(p, &s);
}

// --- Verdicts ---

static double contact_square(const stc_reduced *p, const double *x, int c) {
  return square_of(p->dim, x + (size_t)c * (size_t)p->dim);
}

static stc_contact_state contact_state(const stc_reduced *p, int c, const double *r,
                                       const double *u, double gap, double limit) {
  // Open, stick, slip or violated, from squares in the unit of eta: gap = kappa |F|^2,
  // rr = kappa |r|^2, uu = |u|^2 / kappa. Where F = 0, r != 0 and u != 0 leave slip alone.
  double rr = p->kappa[c] * contact_square(p, r, c);
  double uu = contact_square(p, u, c) / p->kappa[c];
  if (!(gap <= limit)) return STC_CONTACT_VIOLATED;
  if (rr <= limit && rr <= uu) return STC_CONTACT_OPEN;
  return uu <= limit ? STC_CONTACT_STICK : STC_CONTACT_SLIP;
}

/// What threads share of a measure: contacts in pieces, each with its own sums and counts.
typedef struct measure_job {
  const stc_reduced *problem;
  const double *r, *u;
  double *term;
  double limit;
  stc_pieces pieces;
  sums sum[STC_PIECES];
  int count[STC_PIECES][STC_CONTACT_VIOLATED + 1];
} measure_job;

static void count_piece(void *argument, int k) {
  measure_job *j = argument;
  int end = stc_piece_first(&j->pieces, k + 1);
  memset(j->count[k], 0, sizeof j->count[k]);
  for (int c = stc_piece_first(&j->pieces, k); c < end; c++)
    j->count[k][contact_state(j->problem, c, j->r, j->u, j->term[c], j->limit)]++;
}

static void count_states(measure_job *j, double limit, stc_residual *residual) {
  j->limit = limit;
  stc_team_run(j->problem->team, count_piece, j, j->pieces.count);
  for (int k = 0; k < j->pieces.count; k++) {
    residual->open += j->count[k][STC_CONTACT_OPEN];
    residual->stick += j->count[k][STC_CONTACT_STICK];
    residual->slip += j->count[k][STC_CONTACT_SLIP];
    residual->violated += j->count[k][STC_CONTACT_VIOLATED];
  }
}

static int worst_term(const double *term, int contacts) {
  int worst = contacts > 0 ? 0 : -1;
  for (int c = 1; c < contacts; c++)
    if (term[c] > term[worst]) worst = c;
  return worst;
}

static int first_bad(const stc_reduced *p, const double *r, const double *u) {
  for (int c = 0; c < p->contacts; c++)
    if (!isfinite(contact_square(p, r, c)) || !isfinite(contact_square(p, u, c))) return c;
  return 0;
}

/// Numbers that are not finite solve nothing: every measure is infinite, never NaN.
static void refuse(const stc_reduced *p, const double *r, const double *u, double norm_q,
                   stc_residual *residual) {
  *residual = (stc_residual){.eta = INFINITY,
                             .eta_max = INFINITY,
                             .fclib_error = INFINITY,
                             .worst_contact = first_bad(p, r, u),
                             .interpenetration = INFINITY,
                             .cone_violation = INFINITY,
                             .dissipation = INFINITY,
                             .norm_r = INFINITY,
                             .norm_q = norm_q,
                             .violated = p->contacts};
}

// Reactions so large that rounding in u = W r + q exceeds this part of eta's denominator.
static const double LOST = 1e-9, ROUNDING = 1.2e-16;

/// What rounding leaves in u, over the denominator of eta, where that is more than LOST; else 0.
/// Along a jamming ray r grows until u is rounding only, which may read as zero.
static double lost_digits(const stc_reduced *p, const double *r, double r2, double below) {
  double sum = 0;
  if (!(ROUNDING * sqrt(2 * r2) > LOST * below)) return 0;  // every kappa is below 2 here
  for (int c = 0; c < p->contacts; c++) sum += p->kappa[c] * contact_square(p, r, c);
  double lost = ROUNDING * sqrt(sum) / below;
  return lost > LOST ? lost : 0;
}

STC_ALWAYS void add_piece_of(void *argument, int k) {
  measure_job *j = argument;
  const stc_reduced *p = j->problem;
  sums *s = &j->sum[k];
  int first = stc_piece_first(&j->pieces, k), end = stc_piece_first(&j->pieces, k + 1);
  double natural = p->scale_u / p->scale_r;  // kappa = 1 in physical units
  *s = (sums){0};
  for (int c = first; p->any_law && c < end; c++)
    add_any_law(p, c, natural, j->r, j->u, j->term + c, s);
  for (int c = first; !p->any_law && c < end; c += LANES) {
    pack lanes;
    load_pack(p, c, j->r, j->u, &lanes);
    add_norms(&lanes, s);
    add_facts(&lanes, s);
    add_gaps(&lanes, natural, j->term + c, s);
  }
}

STC_JOB_VARIANTS(add_piece)

/// The sums of the pieces, lane by lane in their order.
static sums add_all(measure_job *j) {
  sums s = {0};
  stc_team_run(j->problem->team, add_piece, j, j->pieces.count);
  for (int k = 0; k < j->pieces.count; k++) {
    const sums *part = &j->sum[k];
    for (int c = 0; c < LANES; c++) {
      s.gap[c] += part->gap[c];
      s.natural[c] += part->natural[c];
      s.uu[c] += part->uu[c];
      s.qq[c] += part->qq[c];
      s.q2[c] += part->q2[c];
      s.r2[c] += part->r2[c];
      s.ru[c] += part->ru[c];
      s.depth[c] = fmax(s.depth[c], part->depth[c]);
      s.cone[c] = fmax(s.cone[c], part->cone[c]);
    }
  }
  return s;
}

void stc_reduced_measure(const stc_reduced *p, const double *r, const double *u, double *term,
                         stc_residual *residual) {
  measure_job job;
  job.problem = p;
  job.r = r;
  job.u = u;
  job.term = term;
  job.pieces = stc_pieces_of(p->contacts, STC_PIECE_CONTACTS);
  sums s = add_all(&job);
  double gap = total(s.gap), natural = total(s.natural), r2 = total(s.r2), ru = total(s.ru);
  double norm_q = p->scale_u * sqrt(fmax(total(s.q2), p->least.square)), below = denominator(p, &s);
  if (!isfinite(gap + natural + r2 + ru + below)) {
    refuse(p, r, u, norm_q, residual);
    return;
  }
  int worst = worst_term(term, p->contacts);
  double norm_F = p->scale_r * sqrt(natural), limit = COUNT_TOL * below;
  double lost = lost_digits(p, r, r2, below);
  *residual = (stc_residual){
      .eta = fmax(sqrt(gap) / below, lost),
      .eta_max = worst < 0 ? 0 : fmax(sqrt(term[worst] * p->contacts) / below, lost),
      .fclib_error = norm_q > 0 ? norm_F / norm_q : norm_F,
      .worst_contact = worst,
      .interpenetration = p->scale_u * largest(s.depth),
      .cone_violation = p->scale_r * largest(s.cone),
      .dissipation = p->scale_u * p->scale_r * ru,
      .norm_r = p->scale_r * sqrt(r2),
      .norm_q = norm_q,
  };
  count_states(&job, limit * limit, residual);
}

static void all_gaps(const stc_reduced *p, const double *r, const double *u, double *term) {
  for (int c = 0; p->any_law && c < p->contacts; c++) {
    size_t at = (size_t)c * (size_t)p->dim;
    term[c] = p->kappa[c] * any_law_gap(&p->law[c], 1 / p->kappa[c], r + at, u + at);
  }
  for (int c = 0; !p->any_law && c < p->contacts; c += LANES) {
    pack lanes;
    double gap[LANES];
    load_pack(p, c, r, u, &lanes);
    pack_gaps(&lanes, lanes.weight, gap);
    for (int k = 0; k < lanes.count; k++) term[c + k] = lanes.kappa[k] * gap[k];
  }
}

void stc_reduced_terms(const stc_reduced *p, const double *r, const double *u, double *term) {
  double below = denominator_of(p, u);
  all_gaps(p, r, u, term);
  for (int c = 0; c < p->contacts; c++) {
    double sum = contact_square(p, r, c) + contact_square(p, u, c);
    bool good = isfinite(below) && isfinite(sum) && isfinite(term[c]);
    term[c] = good ? sqrt(term[c] * p->contacts) / below : INFINITY;
  }
}

void stc_reduced_classify(const stc_reduced *p, const double *r, const double *u, double tol,
                          double *term, stc_contact_state *state) {
  double limit = tol * denominator_of(p, u);
  limit = isfinite(limit) ? limit * limit : NAN;  // nothing is below NaN: all are violated
  all_gaps(p, r, u, term);
  for (int c = 0; c < p->contacts; c++) state[c] = contact_state(p, c, r, u, term[c], limit);
}

double stc_reduced_distance(const stc_reduced *p, const double *u, const double *other) {
  double sum = 0;
  for (int c = 0; c < p->contacts; c++) {
    size_t at = (size_t)c * (size_t)p->dim;
    double square_c = 0;
    for (int k = 0; k < p->dim; k++) {
      double d = u[at + (size_t)k] - other[at + (size_t)k];
      square_c += d * d;
    }
    sum += square_c / p->kappa[c];
  }
  double distance = sqrt(sum) / denominator_of(p, u);
  return isfinite(distance) ? distance : INFINITY;
}

// --- u = W r + q ---

/// y = y + W x.
static void add_response(const stc_reduced *p, const double *x, double *work, double *y) {
  if (p->bodies.count > 0) {
    stc_bodies_respond(p, x, work);
    stc_bodies_add_velocity(p, work, y);
  } else {
    stc_bsr_multiply(&p->W, x, 1, y);
  }
}

/// A cold start is zero; any other mostly differs in its first entries.
static bool is_zero(const double *x, int n) {
  for (int k = 0; k < n; k++)
    if (x[k] != 0) return false;
  return true;
}

void stc_reduced_velocity(const stc_reduced *p, const double *r, double *work, double *u) {
  stc_team_copy(p->team, u, p->q, p->size);
  if (!is_zero(r, p->size)) add_response(p, r, work, u);
}

void stc_reduced_multiply(const stc_reduced *p, const double *x, double *work, double *y) {
  memset(y, 0, (size_t)p->size * sizeof *y);
  add_response(p, x, work, y);
}

void stc_reduced_respond(const stc_reduced *p, const double *r, double *x) {
  stc_bodies_respond(p, r, x);
}

void stc_reduced_residual(const stc_reduced *p, const double *r, double *work, double *u,
                          stc_residual *residual) {
  stc_reduced_velocity(p, r, work, u);
  stc_reduced_measure(p, r, u, work + p->bodies.dofs, residual);
}
