// A problem as exact rows: its data as they are stored, products, the vectors of a certificate.
#include "check_rows.h"

#include <math.h>

int rows_component(const rows *p, int k) {
  while (p->link[k] != k) k = p->link[k] = p->link[p->link[k]];
  return k;
}

static void add_matrix(rows *p, const stc_matrix *A, int row, int col, double sign,
                       bool transposed) {
  for (int i = 0; i < A->rows; i++)
    for (int k = A->p[i]; k < A->p[i + 1]; k++) {
      if (A->x[k] == 0.0) continue;
      int at = p->entries++;
      p->row[at] = row + (transposed ? A->i[k] : i), p->col[at] = col + (transposed ? i : A->i[k]);
      p->entry[at] = sign * A->x[k];
      p->link[rows_component(p, p->row[at])] = rows_component(p, p->col[at]);
    }
}

// The corner or the origin c lies to the left of the way from a to b.
static bool is_left(const number *a, const number *b, const number *c, bool strictly) {
  number x = minus(b[0], a[0]), y = minus(b[1], a[1]);
  int sign = mpq_sgn(minus(times(x, minus(c[1], a[1])), times(y, minus(c[0], a[0]))));
  return strictly ? sign > 0 : sign >= 0;
}

// Every edge has all corners and 0 on its left, the next one strictly.
static bool is_convex(const cone *k) {
  const number zero[2] = {real(0.0), real(0.0)};
  int m = k->corners, mark = exact_mark();
  bool convex = true;
  for (int i = 0; convex && i < m; i++) {
    const number *a = k->p + 2 * i, *b = k->p + 2 * ((i + 1) % m);
    convex = is_left(a, b, zero, false) && is_left(a, b, k->p + 2 * ((i + 2) % m), true);
    for (int j = 0; convex && j < m; j++) convex = is_left(a, b, k->p + 2 * j, false);
  }
  exact_forget(mark);
  return convex;
}

// Rays and bounds of |r_k| / r_N of a section; two laws with the same section are checked once.
static bool add_section(rows *p, const stc_law *law, const stc_law *last, int i) {
  int corners = stc_cone_section_corners(law->section, NULL);
  double *corner = exact_room(2 * corners, sizeof *corner), mu = law->mu[0];
  cone *own = &p->cone[i];
  stc_cone_section_corners(law->section, corner);
  bool smooth = true;
  for (int k = 0; k < 2 * corners; k++) {
    smooth = smooth && (mu == 0.0 || corner[k] == 0.0);
    p->mu[i][k % 2] = fmax(p->mu[i][k % 2], nextafter(mu * fabs(corner[k]), INFINITY));
  }
  if (smooth) p->mu[i][0] = p->mu[i][1] = 0.0;
  if (smooth || !corners) return corners > 0;
  own->p = exact_room(2 * corners, sizeof *own->p);
  for (int k = 0; k < 2 * corners; k++) own->p[k] = times(real(mu), real(corner[k]));
  own->corners = corners;
  bool again = last && last->kind == STC_LAW_SECTION && last->section == law->section && i > 0 &&
               p->cone[i - 1].corners;
  return law->dim == 2 || again || is_convex(own);
}

static bool add_law(rows *p, const stc_law *law, const stc_law *last, int i) {
  bool known = law->kind <= STC_LAW_ELLIPTIC;
  for (int k = 0; known && k < 2; k++)
    p->mu[i][k] = law->kind == STC_LAW_FRICTIONLESS ? 0.0 : law->mu[p->dim == 3 ? k : 0];
  for (int k = 1; k < p->dim; k++)
    p->link[rows_component(p, p->first + p->dim * i + k)] =
        rows_component(p, p->first + p->dim * i);
  known = law->kind == STC_LAW_SECTION ? add_section(p, law, last, i) : known;
  return known && !(law->dilatancy > 0.0);
}

static void make_rows(rows *p, int entries) {
  p->row = exact_room(entries, sizeof *p->row), p->col = exact_room(entries, sizeof *p->col);
  p->entry = exact_room(entries, sizeof *p->entry);
  p->constant = exact_room(p->size, sizeof *p->constant);
  p->mu = exact_room(p->contacts, sizeof *p->mu);
  p->cone = exact_room(p->contacts, sizeof *p->cone);
  p->link = exact_room(p->size, sizeof *p->link);
  p->x = exact_room(p->size, sizeof *p->x), p->y = exact_room(p->size, sizeof *p->y);
  for (int k = 0; k < p->size; k++) p->link[k] = k;
}

bool rows_load(rows *p, const stc_problem *problem) {
  stc_local_data a = stc_problem_local_data(problem);
  stc_global_data b = stc_problem_global_data(problem);
  bool known = true;
  p->local = stc_problem_form(problem) == STC_FORM_LOCAL;
  p->dim = stc_problem_dim(problem), p->contacts = stc_problem_contacts(problem);
  p->dofs = stc_problem_dofs(problem), p->joints = stc_problem_equalities(problem);
  p->first = p->dofs + p->joints, p->size = p->first + p->dim * p->contacts;
  make_rows(p, a.W.entries + 2 * a.V.entries + a.R.entries + b.M.entries +
                   2 * (b.H.entries + b.G.entries));
  add_matrix(p, &a.R, 0, 0, 1, false), add_matrix(p, &a.W, p->first, p->first, 1, false);
  add_matrix(p, &a.V, p->first, 0, 1, false), add_matrix(p, &a.V, 0, p->first, 1, true);
  add_matrix(p, &b.M, 0, 0, 1, false);
  add_matrix(p, &b.G, p->dofs, 0, 1, false), add_matrix(p, &b.G, 0, p->dofs, -1, true);
  add_matrix(p, &b.H, p->first, 0, 1, false), add_matrix(p, &b.H, 0, p->first, -1, true);
  for (int k = 0; k < p->dofs; k++) p->constant[k] = b.f[k];
  for (int k = 0; k < p->joints; k++) p->constant[p->dofs + k] = (p->local ? a.s : b.b)[k];
  for (int k = p->first; k < p->size; k++) p->constant[k] = (p->local ? a.q : b.w)[k - p->first];
  for (int i = 0; i < p->contacts; i++)
    known = add_law(p, stc_problem_law(problem, i), stc_problem_law(problem, i - 1), i) && known;
  return known;
}

void add_to(number *sum, double a, number x) {
  if (a != 0.0 && mpq_sgn(x)) *sum = plus(*sum, times(real(a), x));
}

void rows_evaluate(const rows *p) {
  for (int k = 0; k < p->size; k++) p->y[k] = real(p->constant[k]);
  for (int k = 0; k < p->entries; k++) add_to(&p->y[p->row[k]], p->entry[k], p->x[p->col[k]]);
}

number rows_combine(const rows *p) {
  number sum = real(0.0);
  for (int k = 0; k < p->size; k++) p->y[k] = real(0.0);
  for (int k = 0; k < p->entries; k++) add_to(&p->y[p->col[k]], p->entry[k], p->x[p->row[k]]);
  for (int k = 0; k < p->size; k++) add_to(&sum, p->constant[k], p->x[k]);
  return sum;
}

bool read_vector(const value *list, int length, number *out) {
  int at, last = -1;
  for (int k = 0; k < length; k++) out[k] = real(0.0);
  if (list && list->kind != '[') return false;
  for (const value *pair = list ? list->first : NULL; pair; pair = pair->next, last = at) {
    const value *entry = pair->first ? pair->first->next : NULL;
    bool good = entry && !entry->next && value_integer(pair->first, last + 1, length - 1, &at);
    if (!good || !(out[at] = exact_read(entry))) return false;
  }
  return true;
}
