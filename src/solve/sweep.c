// Data of the Gauss–Seidel sweeps: the problem in hat variables, assembled or over bodies.
#include "sweep.h"

#include <math.h>
#include <string.h>

// A block of W costs about as much as this many degrees of freedom touched without it.
static const double BLOCK_COST = 9, TOUCH_COST = 6;

static bool prefer_matrix_free(const stc_reduced *p) {
  const stc_bodies *b = &p->bodies;
  if (!b->count) return false;
  if (p->has_W) return false;
  double touched = (double)b->val_ptr[b->touch_ptr[p->contacts]];  // entries of H
  return TOUCH_COST / 3 * touched < BLOCK_COST * (double)stc_reduced_blocks(p);
}

static void take_assembled(stc_arena *arena, stc_sweep *s) {
  const stc_bsr *W = &s->problem->W;
  int d = W->dim, blocks = W->ptr[W->rows] - W->rows;
  s->ptr = STC_TAKE_RAW(arena, int, W->rows + 1);
  s->col = STC_TAKE_RAW(arena, int, blocks);
  s->off = STC_TAKE_RAW(arena, double, (size_t)blocks *(size_t)(d * d) + STC_SWEEP_PAD);
}

static void take_bodies(stc_arena *arena, stc_sweep *s) {
  const stc_bodies *b = &s->problem->bodies;
  size_t entries = b->val_ptr[b->touch_ptr[s->problem->contacts]];
  int touches = b->touch_ptr[s->problem->contacts];
  s->v = STC_TAKE_RAW(arena, double, b->dofs + STC_SWEEP_PAD);
  s->first = STC_TAKE_RAW(arena, int, touches);
  s->H = STC_TAKE_RAW(arena, double, entries + STC_SWEEP_PAD);
  s->Y = STC_TAKE_RAW(arena, double, entries + STC_SWEEP_PAD);
}

stc_error stc_sweep_create(stc_arena *arena, stc_reduced *p, int matrix_free, stc_sweep *s) {
  *s = (stc_sweep){.problem = p, .omega = 1};
  s->matrix_free =
      p->bodies.count && !p->turning && (matrix_free < 0 ? prefer_matrix_free(p) : matrix_free > 0);
  if (!s->matrix_free) STC_TRY(stc_reduced_assemble(p));
  size_t square = (size_t)p->contacts * (size_t)(p->dim * p->dim);
  s->D = STC_TAKE_RAW(arena, double, p->size);
  s->z = STC_TAKE_RAW(arena, double, p->size + STC_SWEEP_PAD);
  s->q = STC_TAKE_RAW(arena, double, p->size + STC_SWEEP_PAD);
  s->lambda = STC_TAKE_RAW(arena, double, p->contacts);
  s->weight = STC_TAKE_RAW(arena, double, p->contacts);
  s->block = STC_TAKE_RAW(arena, double, square);
  if (p->dim == 3 && !p->turning)
    s->cone3 = STC_TAKE_RAW(arena, stc_cone3, p->contacts);
  else if (p->dim == 2)
    s->cone2 = STC_TAKE_RAW(arena, stc_cone2, p->contacts);
  if (s->matrix_free)
    take_bodies(arena, s);
  else
    take_assembled(arena, s);
  STC_TRY(stc_arena_check(arena));
  stc_sweep_refresh(s);
  return STC_OK;
}

static void scale_laws(stc_sweep *s) {
  const stc_reduced *p = s->problem;
  for (int c = 0; c < p->contacts; c++) {
    double *D = s->D + c * p->dim;
    bool frictionless = p->law[c].kind == STC_LAW_FRICTIONLESS;
    D[0] = 1;
    for (int k = 1; k < p->dim; k++) D[k] = p->turning ? 1 : frictionless ? 0 : p->law[c].mu[k - 1];
  }
}

static void fill_assembled(stc_sweep *s) {
  const stc_bsr *W = &s->problem->W;
  int d = W->dim, at = 0;
  for (int i = 0; i < W->rows; i++) {
    s->ptr[i] = at;
    for (int e = W->ptr[i]; e < W->ptr[i + 1]; e++) {
      int j = W->col[e];
      if (j == i) continue;
      s->col[at] = j;
      const double *from = W->val + (ptrdiff_t)e * d * d;
      double *to = s->off + (ptrdiff_t)at * d * d;
      for (int l = 0; l < d; l++)
        for (int k = 0; k < d; k++)
          to[k + l * d] = s->D[i * d + k] * from[k + l * d] * s->D[j * d + l];
      at++;
    }
  }
  s->ptr[W->rows] = at;
}

static void place_bodies(stc_sweep *s) {
  const stc_bodies *b = &s->problem->bodies;
  int full = s->problem->dim == 3 ? 6 : 3;
  s->rigid = true;
  for (int t = 0; t < b->touch_ptr[s->problem->contacts]; t++) {
    int body = b->touch_body[t];
    s->first[t] = b->ptr[body];
    s->rigid = s->rigid && b->ptr[body + 1] - b->ptr[body] == full;
  }
}

static void fill_bodies(stc_sweep *s) {
  const stc_reduced *p = s->problem;
  const stc_bodies *b = &p->bodies;
  int d = p->dim;
  place_bodies(s);
  for (int c = 0; c < p->contacts; c++)
    for (int t = b->touch_ptr[c]; t < b->touch_ptr[c + 1]; t++) {
      int n = b->ptr[b->touch_body[t] + 1] - b->ptr[b->touch_body[t]];
      const double *D = s->D + c * d;
      size_t at = b->val_ptr[t];
      for (int k = 0; k < n; k++)
        for (int l = 0; l < d; l++) {
          s->H[at + (size_t)(l + k * d)] = D[l] * b->H[at + (size_t)(l + k * d)];
          s->Y[at + (size_t)(k + l * n)] = b->Y[at + (size_t)(k + l * n)] * D[l];
        }
    }
}

// Vector loads run past the end of these arrays: what they meet there is a number, if an idle one.
static void clear_pads(stc_sweep *s) {
  const stc_reduced *p = s->problem;
  const stc_bodies *b = &p->bodies;
  size_t pad = STC_SWEEP_PAD * sizeof(double);
  memset(s->z + p->size, 0, pad);
  memset(s->q + p->size, 0, pad);
  if (!s->matrix_free) {
    memset(s->off + (size_t)s->ptr[p->contacts] * (size_t)(p->dim * p->dim), 0, pad);
    return;
  }
  size_t entries = b->val_ptr[b->touch_ptr[p->contacts]];
  memset(s->v + b->dofs, 0, pad);
  memset(s->H + entries, 0, pad);
  memset(s->Y + entries, 0, pad);
}

static void take_numbers(stc_sweep *s) {
  scale_laws(s);
  if (s->matrix_free)
    fill_bodies(s);
  else
    fill_assembled(s);
  clear_pads(s);
  s->stale = false;
}

// block = D (W_ii + alpha kappa) D and its inverse; q = D q - alpha kappa D^2 z_centre.
void stc_sweep_proximal(stc_sweep *s, double alpha, const double *centre) {
  const stc_reduced *p = s->problem;
  int d = p->dim;
  if (s->stale) take_numbers(s);
  for (int c = 0; c < p->contacts; c++) {
    const double *D = s->D + c * d, *from = p->diagonal + (ptrdiff_t)c * d * d;
    double *to = s->block + (ptrdiff_t)c * d * d, weight = s->weight[c] = alpha * p->kappa[c];
    for (int l = 0; l < d; l++)
      for (int k = 0; k < d; k++)
        to[k + l * d] = D[k] * (from[k + l * d] + (k == l ? weight : 0)) * D[l];
    for (int k = 0; k < d; k++) {
      int at = c * d + k;
      s->q[at] = D[k] * (p->q[at] - (centre ? weight * centre[at] : 0));
    }
    if (s->cone3)
      s->cone3[c] = stc_cone3_prepare(to);
    else if (s->cone2)
      s->cone2[c] = stc_cone2_prepare(to);
  }
}

void stc_sweep_reset(stc_sweep *s) {
  stc_sweep_proximal(s, 0, NULL);
  memset(s->lambda, 0, (size_t)s->problem->contacts * sizeof *s->lambda);
}

void stc_sweep_refresh(stc_sweep *s) { s->stale = true; }

// v = sum Y z, the part of the velocities that reactions make; formed afresh at each load so that
// rounding does not pile up.
static void load_velocities(stc_sweep *s) {
  const stc_bodies *b = &s->problem->bodies;
  int d = s->problem->dim;
  memset(s->v, 0, (size_t)b->dofs * sizeof *s->v);
  for (int c = 0; c < s->problem->contacts; c++)
    for (int t = b->touch_ptr[c]; t < b->touch_ptr[c + 1]; t++) {
      int body = b->touch_body[t], n = b->ptr[body + 1] - b->ptr[body];
      const double *Y = s->Y + b->val_ptr[t];
      double *v = s->v + b->ptr[body];
      for (int l = 0; l < d; l++)
        for (int k = 0; k < n; k++) v[k] += Y[k + l * n] * s->z[c * d + l];
    }
}

void stc_sweep_load(stc_sweep *s, const double *r) {
  if (s->stale) stc_sweep_reset(s);
  for (int k = 0; k < s->problem->size; k++) s->z[k] = s->D[k] > 0 ? r[k] / s->D[k] : 0;
  if (s->matrix_free) load_velocities(s);
}

void stc_sweep_store(const stc_sweep *s, double *r) {
  for (int k = 0; k < s->problem->size; k++) r[k] = s->D[k] * s->z[k];
}

// ---- laws with spin or rolling: one contact at a time by its own solver ----

// c = q_i + sum of W_ij z_j over the other contacts.
static void gather(const stc_sweep *s, int i, int d, double *c) {
  memcpy(c, s->q + (ptrdiff_t)i * d, (size_t)d * sizeof *c);
  for (int e = s->ptr[i]; e < s->ptr[i + 1]; e++) {
    const double *block = s->off + (ptrdiff_t)e * d * d, *z = s->z + (ptrdiff_t)s->col[e] * d;
    for (int l = 0; l < d; l++)
      for (int k = 0; k < d; k++) c[k] += block[k + l * d] * z[l];
  }
}

static void visit(stc_sweep *s, int i) {
  int d = s->problem->dim;
  double c[STC_MAX_DIM], x[STC_MAX_DIM], *z = s->z + (ptrdiff_t)i * d;
  gather(s, i, d, c);
  memcpy(x, z, (size_t)d * sizeof *x);
  stc_law_solve(&s->problem->law[i], s->block + (ptrdiff_t)i * d * d, c, x);
  for (int k = 0; k < d; k++) z[k] += s->omega * (x[k] - z[k]);
}

void stc_sweep_turning(stc_sweep *s, bool forward) {
  int n = s->problem->contacts;
  for (int k = 0; k < n; k++) {
    int i = forward ? k : n - 1 - k;
    if (!s->problem->immovable[i]) visit(s, i);
  }
}
