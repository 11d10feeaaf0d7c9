// What the existence theorems take for granted, proved: M is positive definite, or W positive
// semi-definite but for a slack that the margin of the criterion pays for (docs/certificates.md).
// Only the symmetric part counts: gyroscopic terms do no work.
#include "cert_data.h"
#include "exact/definite.h"

#include <float.h>
#include <math.h>

/// Appends row i of A to the last row of B, its columns moved by `shift`.
static void append(const stc_csr *A, int i, int shift, stc_csr *B, int *at) {
  for (int k = A->ptr[i]; k < A->ptr[i + 1]; k++, ++*at) {
    B->col[*at] = A->col[k] + shift;
    B->val[*at] = A->val[k];
  }
}

/// B = [W V; V^T R].
static stc_error border(stc_arena *arena, const stc_problem *p, stc_csr *B) {
  stc_csr Vt;
  int at = 0,
      entries = stc_csr_entries(&p->W) + 2 * stc_csr_entries(&p->V) + stc_csr_entries(&p->R);
  STC_TRY(stc_csr_transpose(arena, &p->V, &Vt));
  *B = (stc_csr){.rows = p->size + p->equalities, .cols = p->size + p->equalities};
  B->ptr = STC_TAKE(arena, int, B->rows + 1);
  B->col = STC_TAKE(arena, int, entries);
  B->val = STC_TAKE(arena, double, entries);
  STC_TRY(stc_arena_check(arena));
  for (int i = 0; i < B->rows; i++) {
    bool joint = i >= p->size;
    append(joint ? &Vt : &p->W, joint ? i - p->size : i, 0, B, &at);
    append(joint ? &p->R : &p->V, joint ? i - p->size : i, p->size, B, &at);
    B->ptr[i + 1] = at;
  }
  return STC_OK;
}

static stc_error find_slack(stc_certificate *c, const stc_problem *p) {
  bool local = p->form == STC_FORM_LOCAL;
  stc_csr B = local ? p->W : p->M;
  STC_ARENA arena = {0};
  if (local && p->equalities) STC_TRY(border(&arena, p, &B));
  c->symmetric = stc_csr_asymmetry(&B, NULL, NULL) == 0;
  return stc_definite_slack(&B, &c->slack, &c->regular);
}

stc_error stc_certificate_premise(stc_certificate *c, const stc_problem *p) {
  bool local = p->form == STC_FORM_LOCAL;
  STC_TRY(find_slack(c, p));
  if (!local && !c->regular)
    c->doubt = "M could not be shown to be positive definite, so that the existence criterion "
               "proves nothing";
  else if (!isfinite(c->slack))
    c->doubt = "W is not positive semi-definite, so that the existence criterion proves nothing";
  else if (local && p->equalities && (c->slack > 0 || !c->symmetric))
    c->doubt = "W with its joints is not symmetric and positive semi-definite, so that the "
               "existence criterion proves nothing";
  return STC_OK;
}

// --- What the margin has to pay for ---

/// Row i of the symmetric part of W (sign = 1) or of its skew part (-1) times r, and a bound on the
/// rounding of it.
static double half_row(const stc_problem *p, const stc_csr *Wt, int i, int sign, const double *r,
                       double *error) {
  double sum = 0, size = 0;
  for (int k = p->W.ptr[i]; k < p->W.ptr[i + 1]; k++) {
    sum += p->W.val[k] * r[p->W.col[k]] / 2;
    size += fabs(p->W.val[k] * r[p->W.col[k]]);
  }
  for (int k = Wt->ptr[i]; k < Wt->ptr[i + 1]; k++) {
    sum += sign * Wt->val[k] * r[Wt->col[k]] / 2;
    size += fabs(Wt->val[k] * r[Wt->col[k]]);
  }
  double operations = 4.0 + p->W.ptr[i + 1] - p->W.ptr[i] + Wt->ptr[i + 1] - Wt->ptr[i];
  *error = operations * (DBL_EPSILON * size + DBL_MIN);
  return sum;
}

/// What the slack and the skew part of W cost at the contacts of a component.
typedef struct costs {
  double energy;  // r.S r
  double weight;  // sum of S_kk r_k^2
  double most;    // the greatest S_NN + max mu^2 S_TT, of a section + sum D^2 S_TT
  double skew;    // the greatest r'.(A r) over r' in K with r'_N = 1 at one contact
} costs;

static void add_contact(const stc_work *w, const stc_csr *Wt, int c, const double *r, costs *sum) {
  const stc_problem *p = w->problem;
  double across = 0, skew = 0, error = 0;
  for (int k = 0; k < p->dim; k++) {
    int i = c * p->dim + k;
    double S = stc_csr_entry(&p->W, i, i), mu = stc_exact_D(p, c, k);
    double value = half_row(p, Wt, i, 1, r, &error);
    sum->energy += r[i] * value + fabs(r[i]) * error;
    sum->weight += S * r[i] * r[i];
    bool box = p->law[c].kind == STC_LAW_SECTION;  // |r_k| <= D_k r_N, each of them at once
    if (k > 0) across = box ? across + mu * mu * S : fmax(across, mu * mu * S);
    if (w->certificate->symmetric) continue;
    value = half_row(p, Wt, i, -1, r, &error);
    skew += mu * (fabs(value) + error);
  }
  sum->most = fmax(sum->most, stc_csr_entry(&p->W, c * p->dim, c * p->dim) + across);
  sum->skew = fmax(sum->skew, skew);
}

// The few operations on the costs round by far less than this.
static const double ROUND_UP = 1 + 1e-9;

stc_error stc_premise_allows(const stc_work *w, const stc_component *k, const double *r, double t,
                             bool *allows) {
  const stc_certificate *c = w->certificate;
  STC_ARENA arena = {0};
  stc_csr Wt;
  costs sum = {0};
  *allows = t >= 0;
  if (c->form == STC_FORM_GLOBAL || (c->slack == 0 && (c->symmetric || c->regular))) return STC_OK;
  STC_TRY(stc_csr_transpose(&arena, &w->problem->W, &Wt));
  for (int i = 0; i < k->contacts; i++) add_contact(w, &Wt, k->contact[i], r, &sum);
  double left = t - sum.skew * ROUND_UP;
  double cost =
      c->slack * sum.most * (2 * fmax(sum.energy, 0) + 4 * c->slack * sum.weight) * ROUND_UP;
  *allows = left > 0 && left * left > cost * ROUND_UP;
  return STC_OK;
}
