// Boxes that must hold a solution (docs/certificates.md), and what the rounding of W allows.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "check_parts.h"

// In the local form: no row of the part is a sum that the rounding of W makes worthless.
bool rounding_allows(const checker *c, int part) {
  const rows *p = &c->p;
  const double most = 0x1p40;  // cancellation that leaves three digits and more of a double
  number *sum = exact_room(p->size, sizeof *sum), largest = real(0.0);
  for (int k = 0; k < p->size; k++) sum[k] = real(0.0);
  for (int k = 0; k < p->entries; k++)
    add_to(&sum[p->row[k]], fabs(p->entry[k]), size_of(p->x[p->col[k]]));
  for (int k = p->first; k < p->size; k++) {
    number q = real(fabs(p->constant[k])), u = size_of(p->y[k]);
    if (mpq_cmp(q, largest) > 0) largest = q;
    if (abs(c->owner[(k - p->first) / p->dim]) == part && mpq_cmp(u, largest) > 0) largest = u;
  }
  for (int k = p->first; p->local && k < p->size; k++)
    if (abs(c->owner[(k - p->first) / p->dim]) == part &&
        mpq_cmp(sum[k], times(real(most), largest)) > 0)
      return REFUSE("the reactions of a part exist by the rounding of W only, row %d", k);
  return true;
}

enum { MOST_UNKNOWNS = 10000 };  // the matrices of a box are dense

typedef struct box {
  int unknowns, outputs;  // equations, then u_N of the open contacts
  char *state;            // [contacts] 'o'pen, 's'tick, 'l' slip; 0: outside
  int *at;                // [contacts] first unknown and first equation, or output
  number *x, *radius;     // [unknowns]
  number *F, *J;          // [outputs], [outputs * unknowns] by rows
} box;

// Places the contacts of the part; false if `status` does not fit.
static bool place_contacts(const checker *c, box *b, const value *status, int part) {
  const value *word = status ? status->first : NULL;
  b->unknowns = c->p.first;
  for (int i = 0; i < c->p.contacts; i++) {
    if (c->owner[i] != part) continue;
    bool open = value_is(word, '"', "open"), slip = value_is(word, '"', "slip");
    bool rough = c->p.mu[i][0] > 0.0 && c->p.mu[i][1] > 0.0 && !c->p.cone[i].corners;
    if (!open && !(rough && (slip || value_is(word, '"', "stick")))) return false;
    b->state[i] = open ? 'o' : slip ? 'l' : 's';
    b->at[i] = b->unknowns;
    b->unknowns += open ? 0 : slip ? 4 : 3;
    word = word->next;
  }
  b->outputs = b->unknowns;
  for (int i = 0; i < c->p.contacts; i++)
    if (b->state[i] == 'o') b->at[i] = b->outputs++;
  return c->p.dim == 3 && !word && b->unknowns <= MOST_UNKNOWNS;
}

// F at b->x.
static void box_residual(const rows *p, const box *b, number *F) {
  for (int k = 0; k < p->size; k++) p->x[k] = k < p->first ? b->x[k] : real(0.0);
  for (int i = 0; i < p->contacts; i++) {
    number *r = p->x + p->first + 3 * i, *own = b->x + b->at[i];
    if (!b->state[i] || b->state[i] == 'o') continue;
    r[0] = own[0];
    for (int k = 0; k < 2; k++) r[1 + k] = negative(times(real(p->mu[i][k]), own[1 + k]));
  }
  rows_evaluate(p);
  memcpy(F, p->y, (size_t)p->first * sizeof *F);
  for (int i = 0; i < p->contacts; i++) {
    number *own = b->x + b->at[i], *out = F + b->at[i];
    if (b->state[i]) out[0] = p->y[p->first + 3 * i];
    if (!b->state[i] || b->state[i] == 'o') continue;
    tangent(p, i, p->y, out + 1);
    if (b->state[i] != 'l') continue;
    for (int k = 1; k < 3; k++) out[k] = minus(out[k], times(own[3], own[k]));
    out[3] = minus(dot(2, own + 1, own + 1), times(own[0], own[0]));
  }
}

// F is quadratic: half the difference of F at x + e_j and x - e_j is column j of its Jacobian.
static void differentiate(const rows *p, box *b) {
  number *up = exact_room(b->outputs, sizeof *up), *down = exact_room(b->outputs, sizeof *down);
  for (int j = 0; j < b->unknowns; j++) {
    number x = b->x[j];
    b->x[j] = plus(x, real(1.0));
    box_residual(p, b, up);
    b->x[j] = minus(x, real(1.0));
    box_residual(p, b, down);
    b->x[j] = x;
    for (int i = 0; i < b->outputs; i++)
      b->J[i * b->unknowns + j] = times(real(0.5), minus(up[i], down[i]));
  }
}

// Bounds of the quadratic part of F over the box.
static number *bound_quadratic(const rows *p, const box *b) {
  number *Q = exact_room(b->unknowns, sizeof *Q);
  for (int k = 0; k < b->unknowns; k++) Q[k] = real(0.0);
  for (int i = 0; i < p->contacts; i++) {
    const number *radius = b->radius + b->at[i];
    if (b->state[i] != 'l') continue;
    for (int k = 1; k < 3; k++) Q[b->at[i] + k] = times(radius[3], radius[k]);
    Q[b->at[i] + 3] = dot(3, radius, radius);
  }
  return Q;
}

// |(Y F)_k| + sum_j |(I - Y J)_kj| radius_j + sum_i |Y_ki| Q_i < radius_k, Y the row given.
static bool row_contracts(const box *b, const number *Y, const number *Q, int k) {
  number sum = size_of(dot(b->unknowns, Y, b->F));
  for (int j = 0; j < b->unknowns; j++) {
    number defect = real(j == k);
    for (int i = 0; i < b->unknowns; i++)
      if (mpq_sgn(Y[i]) && mpq_sgn(b->J[i * b->unknowns + j]))
        defect = minus(defect, times(Y[i], b->J[i * b->unknowns + j]));
    sum = plus(sum, plus(times(size_of(defect), b->radius[j]), times(size_of(Y[j]), Q[j])));
  }
  return mpq_cmp(sum, b->radius[k]) < 0;
}

static bool contracts(const checker *c, const box *b, const value *inverse) {
  number *Q = bound_quadratic(&c->p, b), *Y = exact_room(b->unknowns, sizeof *Y);
  const value *row = inverse ? inverse->first : NULL;
  for (int k = 0; k < b->unknowns; k++)
    if (mpq_sgn(b->radius[k]) <= 0)
      return REFUSE("the box of a part has no size in direction %d", k);
  for (int k = 0; k < b->unknowns; k++, row = row->next) {
    int mark = exact_mark();
    if (!row || !read_vector(row, b->unknowns, Y) || !row_contracts(b, Y, Q, k))
      return REFUSE("the box of a part is not shown to hold a solution, row %d", k);
    exact_forget(mark);
  }
  return true;
}

// The law of contact i holds in all of the box.
static bool holds_throughout(const box *b, int i) {
  const number *x = b->x + b->at[i], *radius = b->radius + b->at[i];
  if (b->state[i] == 'o') {
    number least = b->F[b->at[i]];
    for (int j = 0; j < b->unknowns; j++)
      least = minus(least, times(size_of(b->J[b->at[i] * b->unknowns + j]), b->radius[j]));
    return mpq_sgn(least) >= 0;
  }
  number r_N = minus(x[0], radius[0]);
  number t[2] = {plus(size_of(x[1]), radius[1]), plus(size_of(x[2]), radius[2])};
  if (b->state[i] == 's') return in_cone(r_N, t);
  return mpq_sgn(r_N) >= 0 && mpq_cmp(x[3], radius[3]) >= 0;
}

bool box_holds(const checker *c, const value *part, int number_of_part) {
  const size_t n = sizeof(number);
  box b = {.state = exact_room(c->p.contacts, 1), .at = exact_room(c->p.contacts, sizeof *b.at)};
  if (!place_contacts(c, &b, member(part, "status"), number_of_part))
    return REFUSE("the statuses of a part do not fit its contacts");
  b.x = exact_room(b.unknowns, n), b.radius = exact_room(b.unknowns, n);
  b.F = exact_room(b.outputs, n), b.J = exact_room(b.outputs, (size_t)b.unknowns * n + 1);
  if (!read_member(c, part, "x", b.unknowns, b.x) ||
      !read_member(c, part, "radius", b.unknowns, b.radius))
    return false;
  box_residual(&c->p, &b, b.F);
  if (!rounding_allows(c, number_of_part)) return false;
  differentiate(&c->p, &b);
  if (!contracts(c, &b, member(part, "inverse"))) return false;
  for (int i = 0; i < c->p.contacts; i++)
    if (b.state[i] && !holds_throughout(&b, i))
      return REFUSE("contact %d may break its law in the box", i);
  return true;
}
