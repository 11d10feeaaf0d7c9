// Whether the contact problem of a step must have a solution   [Cadoux 2009]:
//   exactly one holds:  (a) H u + w in int K* for some u      (b) rho in K, H^T rho = 0, w.rho <= 0
// (a) proves a solution. Both are sought by minimising r.W r/2 + (w - t e_N).r over r in K with
// Nesterov's gradient method: u = M^-1 H^T r tends to a point of (a), or r / |r| to a rho of (b).
#include "simulation.h"

#include "../base/fail.h"
#include "vector.h"

#include <math.h>
#include <string.h>

enum { ITERATIONS = 4000, LOOK_EVERY = 20, POWER_ITERATIONS = 30 };

// The margin t that is asked for, against the largest |w|: small enough to leave room to narrow
// wedges, large enough to be passed in the iterations at hand.
static const double MARGIN = 1e-2;

// |W rho| against the norm of W, and -w.rho against the largest |w|, that count as a jam.
static const double BALANCE = 1e-4, AGAINST = 1e-3;

typedef struct search {
  stc_simulation *s;
  int size;
  double *w;                     // [size] velocities that are prescribed
  double *r, *y, *old, *U, *Wr;  // [size]
  double lipschitz, scale, momentum;
} search;

/// z = W x, W = H M^-1 H^T.
static stc_error product(const search *e, const double *x, double *z) {
  stc_simulation *s = e->s;
  stc_csr_multiply_transposed(&s->contacts.H, x, 0, s->scratch);
  STC_TRY(stc_mass_solve(&s->mass, s->scratch));
  stc_csr_multiply(&s->contacts.H, s->scratch, 0, z);
  return STC_OK;
}

/// The norm of W by the power method, with room above it.
static stc_error measure(search *e) {
  for (int k = 0; k < e->size; k++) e->y[k] = 1 + 0.1 * (k % 7);  // orthogonal to nothing likely
  for (int i = 0; i < POWER_ITERATIONS; i++) {
    STC_TRY(product(e, e->y, e->Wr));
    e->lipschitz = stc_vector_norm(e->Wr, e->size) / stc_vector_norm(e->y, e->size);
    if (!(e->lipschitz > 0)) return STC_OK;
    for (int k = 0; k < e->size; k++) e->y[k] = e->Wr[k] / e->lipschitz;
  }
  e->lipschitz *= 1.2;
  return STC_OK;
}

static void project(const search *e, double *r) {
  const stc_contacts *c = &e->s->contacts;
  int dim = e->s->system.dim;
  for (int i = 0; i < c->count; i++) stc_law_project(&c->law[i], r + i * dim, r + i * dim);
}

/// One step of the accelerated gradient method; it starts anew where it went uphill.
static stc_error advance(search *e) {
  int dim = e->s->system.dim;
  double uphill = 0;
  memcpy(e->old, e->r, (size_t)e->size * sizeof *e->r);
  STC_TRY(product(e, e->y, e->Wr));
  for (int k = 0; k < e->size; k++) {
    double gradient = e->Wr[k] + e->w[k] - (k % dim == 0 ? MARGIN * e->scale : 0);
    e->r[k] = e->y[k] - gradient / e->lipschitz;
  }
  project(e, e->r);
  for (int k = 0; k < e->size; k++) uphill += (e->y[k] - e->r[k]) * (e->r[k] - e->old[k]);
  if (uphill > 0) e->momentum = 1;
  double next = (1 + sqrt(1 + 4 * e->momentum * e->momentum)) / 2;
  for (int k = 0; k < e->size; k++)
    e->y[k] = e->r[k] + (e->momentum - 1) / next * (e->r[k] - e->old[k]);
  e->momentum = next;
  return STC_OK;
}

/// min over the contacts of U_N - s(U): positive inside K*.
static double margin(const search *e) {
  const stc_contacts *c = &e->s->contacts;
  int dim = e->s->system.dim;
  double least = INFINITY;
  for (int i = 0; i < c->count; i++)
    least = fmin(least, e->U[i * dim] - stc_law_shift(&c->law[i], e->U + i * dim));
  return least;
}

static stc_error look(search *e, stc_existence *existence, double *ray) {
  STC_TRY(product(e, e->r, e->Wr));
  double size = stc_vector_norm(e->r, e->size), against = 0;
  for (int k = 0; k < e->size; k++) {
    e->U[k] = e->Wr[k] + e->w[k];
    against += e->w[k] * e->r[k];
  }
  if (margin(e) > MARGIN / 2 * e->scale) {
    *existence = STC_EXISTENCE_PROVED;
  } else if (stc_vector_norm(e->Wr, e->size) <= BALANCE * e->lipschitz * size &&
             against < -AGAINST * e->scale * size) {
    *existence = STC_EXISTENCE_JAMMED;
    for (int k = 0; k < e->size; k++) ray[k] = e->r[k] / size;
  }
  return STC_OK;
}

static stc_error decide(search *e, stc_existence *existence, double *ray) {
  STC_TRY(measure(e));
  if (!(e->lipschitz > 0 && e->scale > 0)) return STC_OK;
  memset(e->y, 0, (size_t)e->size * sizeof *e->y);
  e->momentum = 1;
  for (int i = 1; i <= ITERATIONS && *existence == STC_EXISTENCE_UNDECIDED; i++) {
    STC_TRY(advance(e));
    if (i % LOOK_EVERY == 0) STC_TRY(look(e, existence, ray));
  }
  return STC_OK;
}

stc_error stc_contacts_existence(stc_simulation *s, stc_existence *existence, double *ray) {
  const stc_contacts *c = &s->contacts;
  stc_arena arena = {0};
  search e = {.s = s, .size = c->H.rows};
  *existence = STC_EXISTENCE_UNDECIDED;
  double **arrays[] = {&e.w, &e.r, &e.y, &e.old, &e.U, &e.Wr};
  for (size_t k = 0; k < sizeof arrays / sizeof *arrays; k++)
    *arrays[k] = STC_TAKE(&arena, double, e.size);
  stc_error error = stc_arena_check(&arena);
  for (int k = 0; !error && k < e.size; k++) {
    e.w[k] = c->bounce[k] - c->drive[k];
    e.scale = fmax(e.scale, fabs(e.w[k]));
  }
  if (!error) error = decide(&e, existence, ray);
  stc_arena_free(&arena);
  return error;
}
