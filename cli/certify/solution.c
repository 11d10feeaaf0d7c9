// Existence: the criterion u_N - t >= |u'|, exact solutions, and boxes that must hold one.
#include "checker.h"

// A point where the law of contact i holds exactly.
static bool law_holds(const checker *c, int i) {
  const number *r = c->x + c->first + c->dim * i, *u = c->y + c->first + c->dim * i;
  number p[2] = {real(0.0), real(0.0)}, ut[2];
  bool zero = true;
  for (int k = 0; k < c->dim; k++) zero = zero && !mpq_sgn(r[k]);
  if (zero && mpq_sgn(u[0]) >= 0) return true;
  for (int k = 0; k < c->dim - 1; k++) {
    if (c->mu[i][k] > 0.0)
      p[k] = minus(p[k], over(r[k + 1], real(c->mu[i][k])));
    else if (mpq_sgn(r[k + 1]))
      return false;
  }
  tangent(c, i, c->y, ut);
  bool still = !mpq_sgn(ut[0]) && !mpq_sgn(ut[1]);
  bool along = !mpq_sgn(cross(ut, p)) && mpq_sgn(dot(2, ut, p)) >= 0 &&
               compare(dot(2, p, p), times(r[0], r[0])) == 0;
  return !mpq_sgn(u[0]) && in_cone(r[0], p) && (still || along);
}

bool solution_holds(const checker *c, const value *part, int part_number) {
  if (!evaluate_point(c, part, 0) || !rounding_allows(c, part_number)) return false;
  for (int i = 0; i < c->contacts; i++) {
    bool inside = c->owner[i] == part_number, zero = true;
    for (int k = 0; k < c->dim; k++) zero = zero && !mpq_sgn(c->x[c->first + c->dim * i + k]);
    if (inside ? !law_holds(c, i) : !zero) return refuse(c, "contact %d breaks its law", i);
  }
  return true;
}

// ---- the criterion

// u_N(j) is a sum with weights y >= 0 of u_N at other contacts of the part, and a constant >= 0.
static bool never_closes(const checker *c, const value *item, int j, int part_number) {
  if (!read_member(c, item, "kappa", c->joints, c->x + c->dofs) ||
      !read_member(c, item, "y", c->contacts, c->y))
    return false;
  for (int k = 0; k < c->size; k++)
    c->x[k] = k < c->dofs || k >= c->first ? real(0.0) : minus(real(0.0), c->x[k]);
  for (int i = 0; i < c->contacts; i++) {
    int sign = mpq_sgn(c->y[i]);
    if (sign < 0 || (sign > 0 && c->owner[i] != part_number)) return false;
    c->x[c->first + c->dim * i] = i == j ? real(1.0) : minus(real(0.0), c->y[i]);
  }
  number constant = combine(c);
  for (int k = 0; k < c->size; k++)
    if (mpq_sgn(c->y[k])) return false;
  return mpq_sgn(constant) >= 0;
}

// Marks the contacts that are left out of the criterion, then checks each.
static bool set_aside(const checker *c, const value *list, int part_number) {
  int j;
  for (const value *item = list ? list->first : NULL; item; item = item->next) {
    if (!value_integer(value_member(item, "contact"), 0, c->contacts - 1, &j) ||
        c->owner[j] != part_number)
      return refuse(c, "'never_closing' names a contact that is not in its part");
    c->owner[j] = -part_number;
  }
  for (const value *item = list ? list->first : NULL; item; item = item->next) {
    value_integer(value_member(item, "contact"), 0, c->contacts - 1, &j);
    if (!never_closes(c, item, j, part_number))
      return refuse(c, "it is not shown that contact %d never closes", j);
  }
  return true;
}

bool criterion_holds(checker *c, const value *part, int part_number, bool strict) {
  number t = exact_read(value_member(part, "margin")), ut[2];
  if (!t || (strict ? mpq_sgn(t) <= 0 : mpq_sgn(t) != 0 || c->dim != 2))
    return refuse(c, "a part has a margin that its proof cannot have");
  if (!set_aside(c, value_member(part, "never_closing"), part_number) ||
      !evaluate_point(c, part, c->dofs) || !rounding_allows(c, part_number))
    return false;
  for (int i = 0; i < c->contacts; i++) {
    if (c->owner[i] != part_number) continue;
    tangent(c, i, c->y, ut);
    if (!in_cone(minus(c->y[c->first + c->dim * i], t), ut))
      return refuse(c, "contact %d has not the margin of its part", i);
  }
  keep_least(c, t);
  return true;
}

// ---- boxes

// Unknowns of a box: its matrices are dense.
enum { MOST_UNKNOWNS = 10000 };

typedef struct box {
  int unknowns, outputs;  // equations, then u_N of the open contacts
  char *state;            // [contacts] 'o'pen, 's'tick, 'l' slip; 0: outside
  int *at;                // [contacts] first unknown and first equation, or output
  number *x, *radius;     // [unknowns]
  number *F, *J;          // [outputs], [outputs * unknowns] by rows
} box;

// Places the contacts of the part; false if `status` does not fit.
static bool place(const checker *c, box *b, const value *status, int part_number) {
  const value *word = status ? status->first : NULL;
  b->unknowns = c->first;
  for (int i = 0; i < c->contacts; i++) {
    if (c->owner[i] != part_number) continue;
    bool open = word && value_is(word, VALUE_STRING, "open");
    bool slip = word && value_is(word, VALUE_STRING, "slip");
    if (!open && !slip && !(word && value_is(word, VALUE_STRING, "stick"))) return false;
    if (!open && (c->mu[i][0] <= 0.0 || c->mu[i][1] <= 0.0)) return false;
    b->state[i] = open ? 'o' : slip ? 'l' : 's';
    b->at[i] = b->unknowns;
    b->unknowns += open ? 0 : slip ? 4 : 3;
    word = word->next;
  }
  b->outputs = b->unknowns;
  for (int i = 0; i < c->contacts; i++)
    if (b->state[i] == 'o') b->at[i] = b->outputs++;
  return c->dim == 3 && !word && b->unknowns <= MOST_UNKNOWNS;
}

// F at b->x.
static void residual(const checker *c, const box *b, number *F) {
  for (int k = 0; k < c->size; k++) c->x[k] = k < c->first ? b->x[k] : real(0.0);
  for (int i = 0; i < c->contacts; i++) {
    if (!b->state[i] || b->state[i] == 'o') continue;
    number *r = c->x + c->first + 3 * i, *own = b->x + b->at[i];
    r[0] = own[0];
    for (int k = 0; k < 2; k++) r[1 + k] = minus(real(0.0), times(real(c->mu[i][k]), own[1 + k]));
  }
  evaluate(c);
  for (int k = 0; k < c->first; k++) F[k] = c->y[k];
  for (int i = 0; i < c->contacts; i++) {
    if (!b->state[i]) continue;
    number *own = b->x + b->at[i], *out = F + b->at[i];
    out[0] = c->y[c->first + 3 * i];
    if (b->state[i] == 'o') continue;
    tangent(c, i, c->y, out + 1);
    if (b->state[i] != 'l') continue;
    for (int k = 1; k < 3; k++) out[k] = minus(out[k], times(own[3], own[k]));
    out[3] = minus(dot(2, own + 1, own + 1), times(own[0], own[0]));
  }
}

// F is quadratic: half the difference of F at x + e_j and x - e_j is column j of its Jacobian.
static void differentiate(const checker *c, box *b) {
  number *up = exact_room(b->outputs, sizeof *up), *down = exact_room(b->outputs, sizeof *down);
  for (int j = 0; j < b->unknowns; j++) {
    number x = b->x[j];
    b->x[j] = plus(x, real(1.0));
    residual(c, b, up);
    b->x[j] = minus(x, real(1.0));
    residual(c, b, down);
    b->x[j] = x;
    for (int i = 0; i < b->outputs; i++)
      b->J[i * b->unknowns + j] = times(real(0.5), minus(up[i], down[i]));
  }
}

// Bounds of the quadratic part of F over the box.
static void bound_quadratic(const checker *c, const box *b, number *Q) {
  for (int k = 0; k < b->unknowns; k++) Q[k] = real(0.0);
  for (int i = 0; i < c->contacts; i++) {
    if (b->state[i] != 'l') continue;
    const number *radius = b->radius + b->at[i];
    for (int k = 1; k < 3; k++) Q[b->at[i] + k] = times(radius[3], radius[k]);
    Q[b->at[i] + 3] = dot(3, radius, radius);
  }
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
  return compare(sum, b->radius[k]) < 0;
}

static bool contracts(const checker *c, const box *b, const value *inverse) {
  number *Q = exact_room(b->unknowns, sizeof *Q), *Y = exact_room(b->unknowns, sizeof *Y);
  const value *row = inverse ? inverse->first : NULL;
  bound_quadratic(c, b, Q);
  for (int k = 0; k < b->unknowns; k++, row = row->next) {
    int mark = exact_mark();
    if (!row || !read_vector(c, row, b->unknowns, Y) || !row_contracts(b, Y, Q, k))
      return refuse(c, "the box of a part is not shown to hold a solution, row %d", k);
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
  number p[2] = {plus(size_of(x[1]), radius[1]), plus(size_of(x[2]), radius[2])};
  if (b->state[i] == 's') return in_cone(r_N, p);
  return mpq_sgn(r_N) >= 0 && compare(x[3], radius[3]) >= 0;
}

bool box_holds(const checker *c, const value *part, int part_number) {
  box b = {.state = exact_room(c->contacts, 1), .at = exact_room(c->contacts, sizeof *b.at)};
  if (!place(c, &b, value_member(part, "status"), part_number))
    return refuse(c, "the statuses of a part do not fit its contacts");
  size_t n = sizeof(number);
  b.x = exact_room(b.unknowns, n), b.radius = exact_room(b.unknowns, n);
  b.F = exact_room(b.outputs, n), b.J = exact_room(b.outputs, (size_t)b.unknowns * n + 1);
  if (!read_member(c, part, "x", b.unknowns, b.x) ||
      !read_member(c, part, "radius", b.unknowns, b.radius))
    return false;
  residual(c, &b, b.F);
  if (!rounding_allows(c, part_number)) return false;
  differentiate(c, &b);
  if (!contracts(c, &b, value_member(part, "inverse"))) return false;
  for (int i = 0; i < c->contacts; i++)
    if (b.state[i] && !holds_throughout(&b, i))
      return refuse(c, "contact %d may break its law in the box", i);
  return true;
}
