// A problem as exact rows L x + c: its data, its fingerprint, vectors of a certificate, products.
#include "checker.h"

#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

bool refuse(const checker *c, const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(c->result->why, sizeof c->result->why, format, arguments);
  va_end(arguments);
  return false;
}

void keep_least(checker *c, number margin) {
  if (!c->measured || compare(margin, c->margin) < 0) mpq_set(c->margin, margin);
  c->measured = true;
}

// ---- the problem

int component(const checker *c, int k) {
  while (c->link[k] != k) k = c->link[k] = c->link[c->link[k]];
  return k;
}

static void add_matrix(checker *c, const stc_matrix *A, int row, int col, double sign,
                       bool turned) {
  for (int i = 0; i < A->rows; i++)
    for (int k = A->p[i]; k < A->p[i + 1]; k++) {
      int at = c->entries;
      if (A->x[k] == 0.0) continue;
      c->row[at] = row + (turned ? A->i[k] : i);
      c->col[at] = col + (turned ? i : A->i[k]);
      c->entry[at] = sign * A->x[k];
      c->link[component(c, c->row[at])] = component(c, c->col[at]);
      c->entries++;
    }
}

static void add_law(checker *c, const stc_law *law, int i) {
  bool rough = law->kind != STC_LAW_FRICTIONLESS;
  c->mu[i][0] = rough ? law->mu[0] : 0.0;
  c->mu[i][1] = rough ? law->mu[c->dim == 3] : 0.0;
  for (int k = 1; k < c->dim; k++)
    c->link[component(c, c->first + c->dim * i + k)] = component(c, c->first + c->dim * i);
}

void checker_load(checker *c, const stc_problem *problem) {
  stc_local_data a = stc_problem_local_data(problem);
  stc_global_data b = stc_problem_global_data(problem);
  int room =
      a.W.entries + 2 * a.V.entries + a.R.entries + b.M.entries + 2 * (b.H.entries + b.G.entries);
  bool local = c->local = stc_problem_form(problem) == STC_FORM_LOCAL;
  c->row = exact_room(room, sizeof *c->row), c->col = exact_room(room, sizeof *c->col);
  c->entry = exact_room(room, sizeof *c->entry);
  c->constant = exact_room(c->size, sizeof *c->constant);
  c->mu = exact_room(c->contacts, sizeof *c->mu);
  c->link = exact_room(c->size, sizeof *c->link);
  c->owner = exact_room(c->contacts, sizeof *c->owner);
  c->mode = exact_room(c->contacts, sizeof *c->mode);
  c->x = exact_room(c->size, sizeof *c->x), c->y = exact_room(c->size, sizeof *c->y);
  for (int k = 0; k < c->size; k++) c->link[k] = k;
  add_matrix(c, &a.R, 0, 0, 1, false), add_matrix(c, &a.W, c->first, c->first, 1, false);
  add_matrix(c, &a.V, c->first, 0, 1, false), add_matrix(c, &a.V, 0, c->first, 1, true);
  add_matrix(c, &b.M, 0, 0, 1, false);
  add_matrix(c, &b.G, c->dofs, 0, 1, false), add_matrix(c, &b.G, 0, c->dofs, -1, true);
  add_matrix(c, &b.H, c->first, 0, 1, false), add_matrix(c, &b.H, 0, c->first, -1, true);
  for (int k = 0; k < c->dofs; k++) c->constant[k] = b.f[k];
  for (int k = 0; k < c->joints; k++) c->constant[c->dofs + k] = local ? a.s[k] : b.b[k];
  for (int k = c->first; k < c->size; k++) c->constant[k] = (local ? a.q : b.w)[k - c->first];
  for (int i = 0; i < c->contacts; i++) add_law(c, stc_problem_law(problem, i), i);
}

// ---- the fingerprint

uint64_t hash_bytes(uint64_t h, const char *bytes, size_t count) {
  for (size_t k = 0; k < count; k++) h = (h ^ (unsigned char)bytes[k]) * 0x100000001b3u;
  return h;
}

static uint64_t hash_word(uint64_t h, uint64_t word) {
  char bytes[8];
  for (int k = 0; k < 8; k++) bytes[k] = (char)(word >> 8 * k & 0xff);
  return hash_bytes(h, bytes, sizeof bytes);
}

static uint64_t hash_reals(uint64_t h, const double *x, int count) {
  uint64_t word;
  for (int k = 0; k < count; k++) h = hash_word(h, (memcpy(&word, x + k, sizeof word), word));
  return h;
}

static uint64_t hash_matrix(uint64_t h, const stc_matrix *A) {
  for (int i = 0; i < A->rows; i++)
    for (int k = A->p[i]; k < A->p[i + 1]; k++)
      if (A->x[k] != 0.0)
        h = hash_reals(hash_word(hash_word(h, (uint64_t)i), (uint64_t)A->i[k]), A->x + k, 1);
  return h;
}

// One pass over the data.
uint64_t hash_problem(const checker *c, const stc_problem *problem, uint64_t h) {
  stc_local_data a = stc_problem_local_data(problem);
  stc_global_data b = stc_problem_global_data(problem);
  bool local = stc_problem_form(problem) == STC_FORM_LOCAL;
  const int sizes[] = {!local, c->dim, c->contacts, c->dofs, c->joints};
  const stc_matrix *matrix[] = {local ? &a.W : &b.M, local ? &a.V : &b.H, local ? &a.R : &b.G};
  for (int k = 0; k < 5; k++) h = hash_word(h, (uint64_t)sizes[k]);
  for (int i = 0; i < c->contacts; i++) {
    const stc_law *law = stc_problem_law(problem, i);
    h = hash_reals(hash_word(h, law->kind), law->mu, 2);
  }
  for (int k = 0; k < 3; k++) h = hash_matrix(h, matrix[k]);
  h = hash_reals(h, local ? a.q : b.f, local ? c->dim * c->contacts : c->dofs);
  if (!local) h = hash_reals(h, b.w, c->dim * c->contacts);
  return hash_reals(h, local ? a.s : b.b, c->joints);
}

// ---- vectors

// Pairs [index, number], increasing; a vector that is not there is zero.
bool read_vector(const checker *c, const value *list, int length, number *out) {
  int at, last = -1;
  number zero = real(0.0);
  for (int k = 0; k < length; k++) out[k] = zero;
  for (const value *pair = list ? list->first : NULL; pair; pair = pair->next, last = at) {
    const value *entry = pair->first ? pair->first->next : NULL;
    bool good = entry && !entry->next && value_integer(pair->first, last + 1, length - 1, &at);
    if (!good || !(out[at] = exact_read(entry)))
      return refuse(c, "a vector of length %d has a bad entry after index %d", length, last);
  }
  return true;
}

bool read_member(const checker *c, const value *object, const char *name, int length, number *out) {
  const value *list = value_member(object, name);
  if (list && list->kind != VALUE_ARRAY) return refuse(c, "'%s' is not a vector", name);
  return read_vector(c, list, length, out);
}

// c->y = L c->x, or L^T c->x
static void multiply(const checker *c, bool turned) {
  number zero = real(0.0), *x = c->x, *y = c->y;
  for (int k = 0; k < c->size; k++) y[k] = zero;
  for (int k = 0; k < c->entries; k++) {
    int from = turned ? c->row[k] : c->col[k], to = turned ? c->col[k] : c->row[k];
    if (mpq_sgn(x[from])) y[to] = plus(y[to], times(real(c->entry[k]), x[from]));
  }
}

void evaluate(const checker *c) {
  multiply(c, false);
  for (int k = 0; k < c->size; k++)
    if (c->constant[k] != 0.0) c->y[k] = plus(c->y[k], real(c->constant[k]));
}

number combine(const checker *c) {
  number sum = real(0.0);
  multiply(c, true);
  for (int k = 0; k < c->size; k++)
    if (mpq_sgn(c->x[k])) sum = plus(sum, times(real(c->constant[k]), c->x[k]));
  return sum;
}

bool evaluate_point(const checker *c, const value *part, int least) {
  if (!read_member(c, part, "v", c->dofs, c->x) ||
      !read_member(c, part, "l", c->joints, c->x + c->dofs) ||
      !read_member(c, part, "r", c->size - c->first, c->x + c->first))
    return false;
  evaluate(c);
  for (int k = least; k < c->first; k++)
    if (mpq_sgn(c->y[k])) return refuse(c, "the point of a part violates equation %d", k);
  return true;
}

bool rounding_allows(const checker *c, int part_number) {
  const double most = 0x1p40;  // cancellation that leaves three digits and more of a double
  number *sum = exact_room(c->size, sizeof *sum), largest = real(0.0);
  if (!c->local) return true;
  for (int k = 0; k < c->size; k++) sum[k] = real(0.0);
  for (int k = 0; k < c->entries; k++)
    if (c->row[k] >= c->first && mpq_sgn(c->x[c->col[k]]))
      sum[c->row[k]] = plus(sum[c->row[k]], size_of(times(real(c->entry[k]), c->x[c->col[k]])));
  for (int k = c->first; k < c->size; k++) {
    bool inside = abs(c->owner[(k - c->first) / c->dim]) == part_number;
    largest = greater(largest, size_of(real(c->constant[k])));
    if (inside) largest = greater(largest, size_of(c->y[k]));
  }
  number limit = times(real(most), largest);
  for (int k = c->first; k < c->size; k++)
    if (abs(c->owner[(k - c->first) / c->dim]) == part_number && compare(sum[k], limit) > 0)
      return refuse(c, "the reactions of a part exist by the rounding of W only, row %d", k);
  return true;
}

void tangent(const checker *c, int i, const number *x, number *out) {
  const number *at = x + c->first + c->dim * i;
  out[0] = times(real(c->mu[i][0]), at[1]);
  out[1] = c->dim == 3 ? times(real(c->mu[i][1]), at[2]) : real(0.0);
}

bool in_cone(number normal, const number *p) {
  return mpq_sgn(normal) >= 0 && compare(dot(2, p, p), times(normal, normal)) <= 0;
}

number cross(const number *a, const number *b) {
  return minus(times(a[0], b[1]), times(a[1], b[0]));
}
