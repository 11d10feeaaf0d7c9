// Data of the Gauss–Seidel sweeps: the problem in hat variables, assembled or over bodies.
#include "sweep.h"

#include "../../base/variants.h"

#include <math.h>
#include <string.h>

// A block of W takes 9 multiply-adds; without W an entry of H takes 2, in batches as long as one.
static bool prefer_matrix_free(const stc_reduced *p) {
  const stc_bodies *b = &p->bodies;
  if (!b->count) return false;
  if (p->has_W) return false;
  double touched = 0;  // entries of H
  for (int t = 0; t < stc_bodies_touches(b); t++)
    touched += p->dim * stc_body_size(b, b->touch_body[t]);
  return (stc_lanes4_serve(p) ? 1 : 2) * touched < 9 * (double)stc_reduced_blocks(p);
}

static size_t pad_of_z(const stc_reduced *p) {
  return STC_SWEEP_PAD + stc_lanes4_idle(p->contacts);
}

size_t stc_sweep_bytes(const stc_reduced *p) {
  enum { REQUESTS = 10 };  // [size]
  size_t contacts = (size_t)p->contacts, size = (size_t)p->size;
  size_t touches = (size_t)stc_bodies_touches(&p->bodies), dofs = (size_t)p->bodies.dofs;
  size_t doubles = 3 * size + pad_of_z(p) + 3 * STC_SWEEP_PAD + 2 * contacts + dofs;
  return doubles * sizeof(double) + contacts * sizeof(stc_cone3) + touches * sizeof(int) +
         stc_lanes4_bytes(p) + REQUESTS * stc_arena_cost(1, 1);
}

stc_error stc_sweep_create(stc_arena *arena, stc_reduced *p, int matrix_free, stc_sweep *s) {
  *s = (stc_sweep){.problem = p, .omega = 1};
  s->matrix_free =
      p->bodies.count && !p->any_law && (matrix_free < 0 ? prefer_matrix_free(p) : matrix_free > 0);
  if (!s->matrix_free) STC_TRY(stc_reduced_assemble(p));
  s->D = STC_TAKE_RAW(arena, double, p->size + STC_SWEEP_PAD);
  s->z = STC_TAKE_RAW(arena, double, (size_t)p->size + pad_of_z(p));
  s->q = STC_TAKE_RAW(arena, double, p->size + STC_SWEEP_PAD);
  s->lambda = STC_TAKE_RAW(arena, double, p->contacts);
  s->weight = STC_TAKE_RAW(arena, double, p->contacts);
  if (p->dim == 3 && !p->any_law)
    s->cone3 = STC_TAKE_RAW(arena, stc_cone3, p->contacts);
  else if (p->dim == 2)
    s->cone2 = STC_TAKE_RAW(arena, stc_cone2, p->contacts);
  if (s->matrix_free) {
    const stc_bodies *b = &s->problem->bodies;
    s->v = STC_TAKE_RAW(arena, double, b->dofs + STC_SWEEP_PAD);
    s->first = STC_TAKE_RAW(arena, int, b->touch_ptr[s->problem->contacts]);
    STC_TRY(stc_lanes4_take(arena, s->problem, &s->batches));
  } else
    s->r = STC_TAKE_RAW(arena, double, p->size);
  STC_TRY(stc_arena_check(arena));
  stc_sweep_refresh(s);
  return STC_OK;
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

static void take_numbers(stc_sweep *s) {
  const stc_reduced *p = s->problem;
  for (int c = 0; c < p->contacts; c++) {
    double *D = s->D + c * p->dim;
    stc_law_scale(&p->law[c], D);
    for (int k = 1; p->any_law && k < p->dim; k++) D[k] = 1;
  }
  if (s->matrix_free) place_bodies(s);
  // Vector loads run past the end of these arrays: what they meet there is a number, if an idle
  // one.
  size_t size = (size_t)s->problem->size, pad = STC_SWEEP_PAD * sizeof(double);
  memset(s->D + size, 0, pad);
  memset(s->z + size, 0, pad_of_z(s->problem) * sizeof *s->z);
  memset(s->q + size, 0, pad);
  if (s->matrix_free) memset(s->v + s->problem->bodies.dofs, 0, pad);
  s->batches.made = s->batches.refused = false;
  s->stale = false;
}

// Without a proximal term the batches serve, where there are any.
static bool use_batches(stc_sweep *s, double alpha) {
  s->in_batches = alpha == 0 && s->matrix_free && stc_lanes4_make(&s->batches, s->D);
  if (s->in_batches) memset(s->weight, 0, (size_t)s->problem->contacts * sizeof *s->weight);
  return s->in_batches;
}

// Prepares the contacts with D (W_ii + alpha kappa) D; q = D q - alpha kappa D^2 z_centre.
void stc_sweep_proximal(stc_sweep *s, double alpha, const double *centre) {
  const stc_reduced *p = s->problem;
  int d = p->dim;
  if (s->stale) take_numbers(s);
  if (use_batches(s, alpha)) return;
  for (int c = 0; c < p->contacts; c++) {
    double weight = s->weight[c] = alpha * p->kappa[c], block[9];
    for (int k = c * d; k < (c + 1) * d; k++)
      s->q[k] = s->D[k] * (p->q[k] - (centre ? weight * centre[k] : 0));
    if (s->cone3) {
      stc_sweep_block(s, c, 3, block);
      s->cone3[c] = stc_cone3_prepare(block);
    } else if (s->cone2) {
      stc_sweep_block(s, c, 2, block);
      s->cone2[c] = stc_cone2_prepare(block);
    }
  }
}

void stc_sweep_reset(stc_sweep *s) {
  stc_sweep_proximal(s, 0, NULL);
  if (s->in_batches) stc_lanes4_reset(&s->batches);
  memset(s->lambda, 0, (size_t)s->problem->contacts * sizeof *s->lambda);
}

void stc_sweep_refresh(stc_sweep *s) { s->stale = true; }

// What threads share: the numbers in pieces.
typedef struct scale_job {
  const stc_sweep *sweep;
  const double *from;
  double *to;
  stc_pieces pieces;
} scale_job;

static void divide_piece(void *argument, int piece) {
  const scale_job *j = argument;
  const double *D = j->sweep->D, *r = j->from;
  int end = stc_piece_first(&j->pieces, piece + 1);
  for (int k = stc_piece_first(&j->pieces, piece); k < end; k++)
    j->to[k] = D[k] > 0 ? r[k] / D[k] : 0;
}

static void multiply_piece(void *argument, int piece) {
  const scale_job *j = argument;
  const double *D = j->sweep->D, *z = j->from;
  int end = stc_piece_first(&j->pieces, piece + 1);
  for (int k = stc_piece_first(&j->pieces, piece); k < end; k++) j->to[k] = D[k] * z[k];
}

static void scale(const stc_sweep *s, void (*task)(void *, int), const double *from, double *to) {
  scale_job job = {s, from, to, stc_pieces_of(s->problem->size, STC_PIECE_NUMBERS)};
  stc_team_run(s->problem->team, task, &job, job.pieces.count);
}

/// v += Y r of one body. Called with constants where speed counts.
static inline void push_reaction(int d, int n, const double *Y, const double *r, double *v) {
  for (int k = 0; k < n; k++) {
    double sum = v[k];
    for (int l = 0; l < d; l++) sum += Y[k + l * n] * r[l];
    v[k] = sum;
  }
}

/// v = sum Y D z, the part of the velocities that reactions make; formed afresh at each load so
/// that rounding does not pile up.
static void gather_velocities(stc_sweep *s) {
  const stc_bodies *b = &s->problem->bodies;
  int d = s->problem->dim;
  memset(s->v, 0, (size_t)b->dofs * sizeof *s->v);
  for (int c = 0; c < s->problem->contacts; c++) {
    const double *D = s->D + (ptrdiff_t)c * d, *z = s->z + (ptrdiff_t)c * d;
    double r[3] = {D[0] * z[0], D[1] * z[1], d == 3 ? D[2] * z[2] : 0};
    for (int t = b->touch_ptr[c]; t < b->touch_ptr[c + 1]; t++) {
      int body = b->touch_body[t], n = stc_body_size(b, body);
      STC_WITH_SIZES(push_reaction, d, n, b->Y + b->val_ptr[t], r, s->v + b->ptr[body]);
    }
  }
}

/// What the sweeps keep besides z follows it.
static void follow_reactions(stc_sweep *s) {
  if (s->in_batches)
    stc_lanes4_load(&s->batches, s->z);
  else if (s->matrix_free)
    gather_velocities(s);
  else
    scale(s, multiply_piece, s->z, s->r);
}

void stc_sweep_load(stc_sweep *s, const double *r) {
  if (s->stale) stc_sweep_reset(s);
  scale(s, divide_piece, r, s->z);
  follow_reactions(s);
}

/// z = the projection of x on the round cone, of `count` contacts. Without a branch: inside the
/// cone the formula for what lies outside gives less than x_N and no less than x_T. The numbers are
/// scaled: no square that matters overflows or vanishes.
STC_ALWAYS void land_contacts(int dim, int count, const double *x, double *z) {
  const double tiny = 1e-100;
  for (int c = 0; c < count; c++, x += dim, z += dim) {
    double square = x[1] * x[1], t, outside, ratio;
    if (dim == 3) square += x[2] * x[2];
    t = sqrt(square);
    outside = 0.5 * (x[0] + t);
    outside = outside > 0 ? outside : 0;
    z[0] = x[0] > outside ? x[0] : outside;
    ratio = z[0] / (t > tiny ? t : tiny);
    ratio = ratio < 1 ? ratio : 1;
    z[1] = x[1] * ratio;
    if (dim == 3) z[2] = x[2] * ratio;
  }
}

STC_ALWAYS void land_piece_of(void *argument, int piece) {
  const scale_job *j = argument;
  const stc_reduced *p = j->sweep->problem;
  int first = stc_piece_first(&j->pieces, piece), end = stc_piece_first(&j->pieces, piece + 1);
  ptrdiff_t at = (ptrdiff_t)first * p->dim;
  if (p->any_law)
    for (int c = first; c < end; c++, at += p->dim)
      stc_law_project(&p->law[c], j->from + at, j->to + at);
  else if (p->dim == 3)
    land_contacts(3, end - first, j->from + at, j->to + at);
  else
    land_contacts(2, end - first, j->from + at, j->to + at);
}

STC_JOB_VARIANTS(land_piece)

void stc_sweep_land(stc_sweep *s, const double *x) {
  scale_job job = {s, x, s->z, stc_pieces_of(s->problem->contacts, STC_PIECE_CONTACTS)};
  stc_team_run(s->problem->team, land_piece, &job, job.pieces.count);
  follow_reactions(s);
}

void stc_sweep_store(const stc_sweep *s, double *r) { scale(s, multiply_piece, s->z, r); }

// ---- laws with spin or rolling: one contact at a time by its own solver ----

// c = q_i + sum of W_ij z_j over the other contacts.
static void gather(const stc_sweep *s, int i, int d, double *c) {
  const stc_bsr *W = &s->problem->W;
  memcpy(c, s->q + (ptrdiff_t)i * d, (size_t)d * sizeof *c);
  for (int e = W->ptr[i]; e < W->ptr[i + 1]; e++) {
    const double *block = W->val + (ptrdiff_t)e * d * d, *z = s->z + (ptrdiff_t)W->col[e] * d;
    if (e == W->diag[i]) continue;
    for (int l = 0; l < d; l++)
      for (int k = 0; k < d; k++) c[k] += block[k + l * d] * z[l];
  }
}

static void visit(stc_sweep *s, int i) {
  int d = s->problem->dim;
  double c[STC_MAX_DIM], x[STC_MAX_DIM], *z = s->z + (ptrdiff_t)i * d;
  double block[STC_MAX_DIM * STC_MAX_DIM] = {0};
  gather(s, i, d, c);
  stc_sweep_block(s, i, d, block);
  memcpy(x, z, (size_t)d * sizeof *x);
  stc_law_solve(&s->problem->law[i], block, c, x);
  for (int k = 0; k < d; k++) z[k] += s->omega * (x[k] - z[k]);
}

void stc_sweep_any_law(stc_sweep *s, stc_range over) {
  for (int k = over.first; k < over.end; k++) {
    int i = over.forward ? k : over.first + over.end - 1 - k;
    if (!s->problem->immovable[i]) visit(s, i);
  }
}
