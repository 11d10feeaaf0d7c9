// Active set on a large linear step. With the statuses given, closed contacts are eliminated and
//   A a = T^T (b + H_T^T r_T - K p)
// is solved by conjugate gradients from the last answer; then a contact that pulls opens, one that
// penetrates closes, one whose shear exceeds mu r_N slides and one that slides backwards sticks.
// The shear of sliding contacts is that of the last pressures: it settles with the statuses.
#include "../../base/clock.h"
#include "../../base/fail.h"
#include "reduction.h"

#include <math.h>
#include <string.h>

// Statuses need few digits; the last solves give the others.
static const double LOOSE = 1e-5, TIGHT = 1e-12;
// Pressure, shear and gap below this part of the largest are rounding of the solves.
static const double ROUNDING = 1e-12;
// Shear of sliding contacts has settled when it moves by less than this part of the largest.
static const double SETTLED = 1e-10;
// After this number of rounds statuses of contacts that almost carry nothing are left as they are.
enum { PATIENCE = 25, MOST_ROUNDS = 100 };
static const double PATIENT_ROUNDING = 1e-7;

struct stc_large {
  stc_arena arena;
  int count, free, dim;           ///< of the step that the arrays are for
  stc_slave *slave;               ///< [count]
  stc_large_status *now, *built;  ///< [count] statuses of the matrix, of its hierarchy
  double *lag;                    ///< [count] pressure that sliding contacts had
  double *mode;                   ///< [modes*free]
  double *f, *a, *w;              ///< [free]
  stc_reduction reduction;
  stc_sparse_solver *spd;
  bool ready;  ///< slaves were read from H
  int setups;
  double seconds;  ///< in hierarchies
};

stc_error stc_large_create(stc_large **large) {
  *large = stc_calloc(1, sizeof **large);
  return *large ? STC_OK : stc_fail(STC_ERR_MEMORY, "out of memory for contact");
}

void stc_large_reset(stc_large *large) {
  stc_sparse_free(&large->spd);
  stc_reduction_free(&large->reduction);
  large->ready = false;
}

void stc_large_free(stc_large **large) {
  if (!*large) return;
  stc_large_reset(*large);
  stc_arena_free(&(*large)->arena);
  stc_release(large);
}

double stc_large_bytes(const stc_large *large) {
  double bytes = (double)large->arena.bytes + (double)large->reduction.arena.bytes;
  return bytes + (large->spd ? stc_sparse_bytes(large->spd) : 0);
}

int stc_large_setups(const stc_large *large) { return large->setups; }

double stc_large_setup_seconds(const stc_large *large) { return large->seconds; }

static stc_error take_large(stc_large *l, const stc_linear_step *step) {
  if (l->count == step->count && l->free == step->K->rows && l->slave) return STC_OK;
  stc_large_reset(l);
  stc_arena_free(&l->arena);
  l->arena = (stc_arena){0};
  l->count = step->count;
  l->free = step->K->rows;
  l->dim = step->dim;
  l->slave = STC_TAKE(&l->arena, stc_slave, l->count);
  l->now = STC_TAKE(&l->arena, stc_large_status, l->count);
  l->built = STC_TAKE(&l->arena, stc_large_status, l->count);
  l->lag = STC_TAKE(&l->arena, double, l->count);
  size_t n = (size_t)l->free;
  l->mode = STC_TAKE_RAW(&l->arena, double, n *(size_t)step->hints->modes);
  double **const vector[] = {&l->f, &l->a, &l->w};
  STC_TAKE_VECTORS(&l->arena, n, vector);
  return stc_arena_check(&l->arena);
}

static double shear(const double *t, int dim) { return dim > 2 ? hypot(t[0], t[1]) : fabs(t[0]); }

// --- Statuses ---

static void slide(stc_slave *s, const double *along, double sign, double size, int dim) {
  s->status = STC_LARGE_SLIP;
  s->resistance = 0;
  s->direction[0] = s->direction[1] = 0;
  for (int i = 0; i < dim - 1 && size > 0; i++) s->direction[i] = sign * along[i] / size;
}

/// Closed at the pressure and shear r: at rest or sliding against its shear.
static void close(const stc_linear_step *step, stc_slave *s, int k, const double *r) {
  double size = shear(r + 1, step->dim), limit = step->mu[k] * r[0];
  if (step->mu[k] > 0 && size < (1 - SETTLED) * limit)
    s->status = STC_LARGE_STICK;
  else if (step->mu[k] > 0 && r[0] <= 0)
    s->status = STC_LARGE_STICK;
  else
    slide(s, r + 1, -1, size, step->dim);
}

/// What is rounding in pressures, gaps and slips.
typedef struct limits {
  double pressure, gap, slip;
} limits;

static limits find_limits(const stc_large *l, const stc_linear_step *step, const double *r,
                          const double *v, double rounding) {
  limits m = {0};
  for (int k = 0; k < l->count; k++) {
    int i = k * l->dim;
    m.pressure = fmax(m.pressure, rounding * fabs(r[i]));
    m.gap = fmax(m.gap, rounding * fabs(v[i] - step->g[i]));
    m.slip = fmax(m.slip, rounding * shear(v + i + 1, l->dim));
  }
  return m;
}

/// A sliding contact takes the direction of its slip, or sticks where it slides against its shear's
/// purpose.
static void keep_sliding(const stc_large *l, const stc_linear_step *step, int k, const double *r,
                         const double *v, double least) {
  stc_slave *s = &l->slave[k];
  double along = 0, size = shear(v + 1, l->dim);
  if (!(step->mu[k] > 0)) return;
  for (int i = 0; i < l->dim - 1; i++) along += v[1 + i] * s->direction[i];
  if (along < -least) {
    s->status = STC_LARGE_STICK;
  } else if (l->dim > 2 && size > least) {
    slide(s, v + 1, 1, size, l->dim);
    s->resistance = step->mu[k] * fmax(r[0], 0) / size;
  }
}

static void update_status(const stc_large *l, const stc_linear_step *step, int k, const double *r,
                          const double *v, const limits *m) {
  stc_slave *s = &l->slave[k];
  if (s->status == STC_LARGE_OPEN) {
    bool penetrates = step->area[k] > 0 && s->count > 0 && v[0] < -m->gap;
    if (penetrates) close(step, s, k, (double[STC_LARGE_DIM]){0});
  } else if (r[0] < -m->pressure || r[0] == 0) {
    s->status = STC_LARGE_OPEN;
  } else if (s->status == STC_LARGE_STICK) {
    double size = shear(r + 1, l->dim);
    if (size > step->mu[k] * r[0] + m->pressure) slide(s, r + 1, -1, size, l->dim);
  } else {
    keep_sliding(l, step, k, r, v, m->slip);
  }
}

/// New statuses; whether one changed. `moved` receives how far the shear of sliding contacts is
/// from the pressures, over the largest pressure.
static bool update_statuses(stc_large *l, const stc_linear_step *step, const double *r,
                            const double *v, double rounding, double *moved) {
  limits m = find_limits(l, step, r, v, rounding);
  double largest = 0, error = 0;
  bool changed = false;
  for (int k = 0; k < l->count; k++) {
    stc_slave *s = &l->slave[k];
    stc_large_status before = s->status;
    const double *rk = r + (ptrdiff_t)k * l->dim;
    double old[2] = {s->direction[0], s->direction[1]};
    update_status(l, step, k, rk, v + (ptrdiff_t)k * l->dim, &m);
    changed |= s->status != before;
    largest = fmax(largest, rk[0]);
    if (s->status == STC_LARGE_SLIP && step->mu[k] > 0) {
      double rotation = hypot(s->direction[0] - old[0], s->direction[1] - old[1]);
      error = fmax(error, step->mu[k] * (fabs(rk[0] - l->lag[k]) + rotation * rk[0]));
    }
    l->lag[k] = fmax(rk[0], 0);
  }
  *moved = largest > 0 ? error / largest : 0;
  return changed;
}

// --- The reduced matrix ---

static int count_changes(const stc_large *l, const stc_large_status *status) {
  int changes = 0;
  for (int k = 0; k < l->count; k++) changes += status[k] != l->slave[k].status;
  return changes;
}

static void copy_statuses(const stc_large *l, stc_large_status *status) {
  for (int k = 0; k < l->count; k++) status[k] = l->slave[k].status;
}

static int count_closed(const stc_large *l, const stc_large_status *status) {
  int closed = 0;
  for (int k = 0; k < l->count; k++) closed += status[k] != STC_LARGE_OPEN;
  return closed;
}

static stc_error make_hierarchy(stc_large *l, const stc_linear_step *step) {
  size_t n = (size_t)l->free;
  memcpy(l->mode, step->hints->mode, n * (size_t)step->hints->modes * sizeof *l->mode);
  for (int k = 0; k < l->count; k++) {
    const stc_slave *s = &l->slave[k];
    for (int m = 0; m < step->hints->modes && s->rows; m++) {
      const double *from = step->hints->mode + (size_t)m * n;
      for (int i = 0; i < s->count; i++) {
        double sum = 0;
        for (int c = 0; c < s->count && i >= s->rows; c++) sum += s->Q[c][i] * from[s->unknown[c]];
        l->mode[(size_t)m * n + (size_t)s->unknown[i]] = sum;
      }
    }
  }
  if (!l->spd) {
    stc_sparse_hints hints = *step->hints;
    hints.kind = STC_SPARSE_AMG;
    hints.mode = l->mode;
    STC_TRY(stc_sparse_create(&l->reduction.A, &hints, &l->spd));
  }
  l->setups++;
  copy_statuses(l, l->built);
  return stc_sparse_factorise(l->spd, l->reduction.A.val);
}

static bool resists(const stc_large *l) {
  bool found = false;
  for (int k = 0; k < l->count; k++)
    found |= l->slave[k].status == STC_LARGE_SLIP && l->slave[k].resistance > 0;
  return found;
}

/// The matrix of the statuses as they are, and a hierarchy. Statuses that change inside the contact
/// cost the one there is no iterations; it is made anew where most of the contact is another.
static stc_error prepare_slaves(stc_large *l, const stc_linear_step *step) {
  stc_reduction_count(step, l->slave);
  if (l->spd && count_changes(l, l->now) == 0) {
    // The statuses are those of the matrix: the remaining work.
    if (!resists(l)) {
      stc_reduction_prescribe(step, l->slave, &l->reduction);
      return STC_OK;
    }
    STC_TRY(stc_reduction_rotate(step, l->slave, &l->reduction));
    return stc_sparse_refresh(l->spd, l->reduction.A.val);
  }
  if (!l->reduction.within) stc_sparse_free(&l->spd);  // its pattern goes
  STC_TRY(stc_reduction_make(step, l->slave, &l->reduction));
  copy_statuses(l, l->now);
  bool keep = l->spd && count_changes(l, l->built) <= count_closed(l, l->built);
  return keep ? stc_sparse_refresh(l->spd, l->reduction.A.val) : make_hierarchy(l, step);
}

// --- One solve ---

/// y += H_k,row^T x.
static void add_transposed(const stc_csr *H, int row, double x, double *y) {
  for (int e = H->ptr[row]; e < H->ptr[row + 1]; e++) y[H->col[e]] += H->val[e] * x;
}

static double row_times(const stc_csr *H, int row, const double *x) {
  double sum = 0;
  for (int e = H->ptr[row]; e < H->ptr[row + 1]; e++) sum += H->val[e] * x[H->col[e]];
  return sum;
}

/// Shear of sliding contact k at the slip v: of the last pressure, and against a rotation.
static void sliding_shear(const stc_large *l, const stc_linear_step *step, int k, const double *v,
                          double *t) {
  const stc_slave *s = &l->slave[k];
  for (int i = 0; i < l->dim - 1; i++) t[i] = -step->mu[k] * l->lag[k] * s->direction[i];
  if (!(s->resistance > 0)) return;
  double across = -s->direction[1] * v[0] + s->direction[0] * v[1];
  t[0] += s->resistance * across * s->direction[1];
  t[1] -= s->resistance * across * s->direction[0];
}

/// f = b and the shear of sliding contacts at du = p.
static void load_bodies(stc_large *l, const stc_linear_step *step) {
  memcpy(l->f, step->b, (size_t)l->free * sizeof *l->f);
  for (int k = 0; k < l->count; k++) {
    if (l->slave[k].status != STC_LARGE_SLIP || !(step->mu[k] > 0)) continue;
    double v[2] = {0}, t[2] = {0};
    for (int i = 0; i < l->dim - 1; i++) {
      int row = k * l->dim + 1 + i;
      v[i] = step->g[row] + row_times(step->H, row, l->reduction.p);
    }
    sliding_shear(l, step, k, v, t);
    for (int i = 0; i < l->dim - 1; i++) add_transposed(step->H, k * l->dim + 1 + i, t[i], l->f);
  }
}

/// a from du: what is left of it in the bases of the slaves.
static void project_shear(stc_large *l, const double *du) {
  memcpy(l->a, du, (size_t)l->free * sizeof *du);
  for (int k = 0; k < l->count; k++) {
    const stc_slave *s = &l->slave[k];
    for (int i = 0; i < s->count && s->rows; i++) {
      double sum = 0;
      for (int c = 0; c < s->count && i >= s->rows; c++) sum += s->Q[c][i] * du[s->unknown[c]];
      l->a[s->unknown[i]] = sum;
    }
  }
}

/// r of closed contact k from the forces w = K du - b that its node is left with.
static void find_reaction(const stc_large *l, const stc_linear_step *step, int k, const double *v,
                          double *r) {
  const stc_slave *s = &l->slave[k];
  double force[STC_LARGE_DIM], x[STC_LARGE_DIM] = {0};
  memset(r, 0, (size_t)l->dim * sizeof *r);
  if (s->status == STC_LARGE_SLIP && step->mu[k] > 0) sliding_shear(l, step, k, v + 1, r + 1);
  for (int c = 0; c < s->count; c++) {
    force[c] = l->w[s->unknown[c]];
    for (int a = 1; a < l->dim; a++) force[c] -= s->B[a][c] * r[a];
  }
  for (int i = s->rows - 1; i >= 0; i--) {
    for (int c = 0; c < s->count; c++) x[i] += s->Q[c][i] * force[c];
    for (int j = i + 1; j < s->rows; j++) x[i] -= s->R[i][j] * x[j];
    x[i] /= s->R[i][i];
    r[s->row[i]] = x[i];
  }
}

static stc_error solve_reduced(stc_large *l, const stc_linear_step *step, double tol, double *r,
                               double *du, double *v) {
  const stc_reduction *red = &l->reduction;
  double begin = stc_clock();
  STC_TRY(prepare_slaves(l, step));
  l->seconds += stc_clock() - begin;
  load_bodies(l, step);
  stc_csr_multiply(step->K, red->p, 0, l->w);
  for (int i = 0; i < l->free; i++) l->f[i] -= l->w[i];
  stc_csr_multiply(&red->Tt, l->f, 0, l->w);
  project_shear(l, du);
  STC_TRY(stc_sparse_solve(l->spd, 1, l->w, l->a, tol, NULL));
  stc_csr_multiply(&red->T, l->a, 0, du);
  for (int i = 0; i < l->free; i++) du[i] += red->p[i];
  memcpy(v, step->g, (size_t)(l->count * l->dim) * sizeof *v);
  stc_csr_multiply(step->H, du, 1, v);
  stc_csr_multiply(step->K, du, 0, l->w);
  for (int i = 0; i < l->free; i++) l->w[i] -= step->b[i];
  for (int k = 0; k < l->count; k++) {
    double *rk = r + (ptrdiff_t)k * l->dim;
    if (l->slave[k].status == STC_LARGE_OPEN)
      memset(rk, 0, (size_t)l->dim * sizeof *rk);
    else
      find_reaction(l, step, k, v + (ptrdiff_t)k * l->dim, rk);
  }
  return STC_OK;
}

static stc_error begin_statuses(stc_large *l, const stc_linear_step *step, const double *r,
                                const double *du, double *v) {
  STC_TRY(take_large(l, step));
  if (!l->ready) STC_TRY(stc_reduction_slaves(step, l->slave));
  l->ready = true;
  memcpy(v, step->g, (size_t)(l->count * l->dim) * sizeof *v);
  stc_csr_multiply(step->H, du, 1, v);
  // From the reactions and the gaps at the start.
  for (int k = 0; k < l->count; k++) {
    const double *rk = r + (ptrdiff_t)k * l->dim;
    stc_slave *s = &l->slave[k];
    bool closed = step->area[k] > 0 && s->count > 0 && (rk[0] > 0 || v[k * l->dim] < 0);
    l->lag[k] = fmax(rk[0], 0);
    s->status = STC_LARGE_OPEN;
    if (closed) close(step, s, k, rk);
  }
  return STC_OK;
}

static stc_error iterate_statuses(stc_large *l, const stc_linear_step *step, double *r, double *du,
                                  double *v, int *solves, bool *settled) {
  double tight = fmax(step->tol, TIGHT), tol = fmax(LOOSE, tight);
  STC_TRY(begin_statuses(l, step, r, du, v));
  for (int round = 0; round < MOST_ROUNDS && !*settled; round++) {
    double rounding = round < PATIENCE ? ROUNDING : PATIENT_ROUNDING, moved;
    STC_TRY(solve_reduced(l, step, tol, r, du, v));
    ++*solves;
    bool changed = update_statuses(l, step, r, v, rounding, &moved), exact = tol <= tight;
    if (!changed && moved <= (exact ? SETTLED : LOOSE)) {
      *settled = exact;
      tol = tight;
    }
  }
  return STC_OK;
}

stc_error stc_large_solve(stc_large *large, const stc_linear_step *step, double *r, double *du,
                          double *v, int *solves, bool *settled) {
  *settled = false;
  stc_error error = iterate_statuses(large, step, r, du, v, solves, settled);
  if (error) stc_large_reset(large);
  return error;
}
