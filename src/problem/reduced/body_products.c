// Products over bodies, shared by a team: u = u + H x, x = M^-1 H^T r, v = M^-1 (H^T r - f).
#include "../../base/variants.h"
#include "reduced_parts.h"

// Doubles of a cache line, and how many touches ahead the memory is asked for one.
enum { LINE = 8, AHEAD = 8 };

/// p += H_cb^T r; H dim x n by columns. Called with constants where speed counts.
STC_ALWAYS void add_impulse(int dim, int n, const double *H, const double *r, double *p) {
  for (int l = 0; l < n; l++) {
    double sum = 0;
    for (int k = 0; k < dim; k++) sum += H[l * dim + k] * r[k];
    p[l] += sum;
  }
}

/// u += H_cb v.
STC_ALWAYS void add_motion(int dim, int n, const double *H, const double *v, double *u) {
  double sum[STC_MAX_DIM] = {0};
  for (int l = 0; l < n; l++)
    for (int k = 0; k < dim; k++) sum[k] += H[l * dim + k] * v[l];
  for (int k = 0; k < dim; k++) u[k] += sum[k];
}

/// y = A x, A n x n by columns.
STC_ALWAYS void multiply_block(int n, const double *A, const double *x, double *y) {
  for (int i = 0; i < n; i++) y[i] = 0;
  for (int j = 0; j < n; j++)
    for (int i = 0; i < n; i++) y[i] += A[j * n + i] * x[j];
}

/// What threads share of a product: contacts or bodies in pieces.
typedef struct product_job {
  const stc_reduced *reduced;
  const double *x;
  double *y;
  stc_pieces pieces;
} product_job;

STC_ALWAYS void add_velocity_piece_of(void *argument, int piece) {
  const product_job *j = argument;
  const stc_bodies *bodies = &j->reduced->bodies;
  const double *x = j->x;
  int dim = j->reduced->dim, first = stc_piece_first(&j->pieces, piece);
  double *u = j->y + (ptrdiff_t)first * dim;
  for (int c = first; c < stc_piece_first(&j->pieces, piece + 1); c++, u += dim)
    for (int t = bodies->touch_ptr[c]; t < bodies->touch_ptr[c + 1]; t++) {
      int b = bodies->touch_body[t], n = stc_body_size(bodies, b);
      const double *H = bodies->H + bodies->val_ptr[t], *v = x + bodies->ptr[b];
      STC_WITH_SIZES(add_motion, dim, n, H, v, u);
    }
}

STC_JOB_VARIANTS(add_velocity_piece)

void stc_bodies_add_velocity(const stc_reduced *reduced, const double *x, double *u) {
  product_job job = {reduced, x, u, stc_pieces_of(reduced->contacts, STC_PIECE_CONTACTS)};
  stc_team_run(reduced->team, add_velocity_piece, &job, job.pieces.count);
}

/// Asks for the H of a touch that comes soon: by bodies they do not lie in a row.
STC_ALWAYS void announce(const stc_bodies *bodies, int count, int t) {
  const double *H = bodies->H + bodies->val_ptr[t];
  for (int k = 0; k < count; k += LINE) __builtin_prefetch(H + k);
}

/// p = H_b^T r over the contacts of a body.
STC_ALWAYS void gather_impulses(const stc_reduced *reduced, int dim, int n, int b, const double *r,
                                double *p) {
  const stc_bodies *bodies = &reduced->bodies;
  const int touches = bodies->on_ptr[bodies->count];
  for (int i = 0; i < n; i++) p[i] = 0;
  for (int k = bodies->on_ptr[b]; k < bodies->on_ptr[b + 1]; k++) {
    int t = bodies->on_touch[k];
    if (k + AHEAD < touches) announce(bodies, dim * n, bodies->on_touch[k + AHEAD]);
    add_impulse(dim, n, bodies->H + bodies->val_ptr[t],
                r + (ptrdiff_t)bodies->touch_contact[t] * dim, p);
  }
}

STC_ALWAYS void respond_body(int dim, int n, const stc_reduced *reduced, int b, const double *r,
                             double *x) {
  const stc_bodies *bodies = &reduced->bodies;
  double impulse[STC_ENVELOPE_MAX];
  gather_impulses(reduced, dim, n, b, r, impulse);
  multiply_block(n, bodies->inverse + bodies->inv_ptr[b], impulse, x + bodies->ptr[b]);
}

STC_ALWAYS void respond_piece_of(void *argument, int piece) {
  const product_job *j = argument;
  const stc_reduced *p = j->reduced;
  int end = stc_piece_first(&j->pieces, piece + 1);
  for (int b = stc_piece_first(&j->pieces, piece); b < end; b++) {
    int n = stc_body_size(&p->bodies, b);
    STC_WITH_SIZES(respond_body, p->dim, n, p, b, j->x, j->y);
  }
}

STC_JOB_VARIANTS(respond_piece)

void stc_bodies_respond(const stc_reduced *reduced, const double *r, double *x) {
  product_job job = {reduced, r, x, stc_pieces_of(reduced->bodies.count, STC_PIECE_CONTACTS)};
  stc_team_run(reduced->team, respond_piece, &job, job.pieces.count);
}

void stc_bodies_recover(const stc_reduced *reduced, const double *f, const double *r, double *v) {
  const stc_bodies *bodies = &reduced->bodies;
  double mobility = reduced->scale_u / reduced->scale_r;  // M^-1 = mobility M'^-1
  for (int b = 0; b < bodies->count; b++) {
    int n = stc_body_size(bodies, b), start = bodies->ptr[b];
    double impulse[STC_ENVELOPE_MAX], velocity[STC_ENVELOPE_MAX];
    for (int i = 0; i < n; i++) impulse[i] = -f[bodies->dof[start + i]];
    for (int k = bodies->on_ptr[b]; k < bodies->on_ptr[b + 1]; k++) {
      int t = bodies->on_touch[k];
      add_impulse(reduced->dim, n, bodies->H + bodies->val_ptr[t],
                  r + (size_t)bodies->touch_contact[t] * (size_t)reduced->dim, impulse);
    }
    multiply_block(n, bodies->inverse + bodies->inv_ptr[b], impulse, velocity);
    for (int i = 0; i < n; i++) v[bodies->dof[start + i]] = mobility * velocity[i];
  }
}
