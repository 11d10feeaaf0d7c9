// Draws and builds random problems. Entries have 24 bits at most, so that three, four and five
// times an entry are exact.
#include "sample.h"

#include <math.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

// ---- numbers

typedef struct source {
  uint64_t state;
} source;

// Uniform in [0, 1): splitmix64 [Steele, Lea, Flood 2014].
static double sample_uniform(source *s) {
  uint64_t x = s->state += 0x9E3779B97F4A7C15u;
  x = (x ^ (x >> 30)) * 0xBF58476D1CE4E5B9u;
  x = (x ^ (x >> 27)) * 0x94D049BB133111EBu;
  return (double)((x ^ (x >> 31)) >> 11) * 0x1p-53;
}

static int choose(source *s, int count) { return (int)(sample_uniform(s) * count); }

static double power_of_ten(source *s, int least, int most) {
  return pow(10.0, least + choose(s, most - least + 1));
}

// How the entries of a problem look.
typedef enum grain { WHOLE, HALF, ANY } grain;

static double sample_number(source *s, grain g) {
  if (g == WHOLE) return choose(s, 5) - 2;
  if (g == HALF) return (choose(s, 17) - 8) * 0.25;
  return (double)(float)(2.0 * sample_uniform(s) - 1.0);
}

static double friction(source *s, grain g) {
  switch (choose(s, 8)) {
  case 0:
    return 0.0;
  case 1:
    return 50.0;
  case 2:
    return 1.0;
  default:
    return g == ANY ? (double)(float)(2.0 * sample_uniform(s)) : 0.25 * (1 + choose(s, 7));
  }
}

// ---- problems

static void draw_bodies(source *s, grain g, exact2d_data *d) {
  bool heavy = choose(s, 6) == 0;
  for (int k = 0; k < d->dofs; k++) {
    double mass = g == ANY ? (double)(float)(0.5 + sample_uniform(s)) : (double)(1 << choose(s, 2));
    if (heavy) mass = (double)(float)(mass * power_of_ten(s, -6, 6));
    d->M[k * d->dofs + k] = mass;
    d->f[k] = choose(s, 4) ? sample_number(s, g) : 0.0;
  }
  if (d->dofs > 1 && !heavy && choose(s, 5) == 0) d->M[1] = d->M[d->dofs] = 0.25;
  for (int k = 0; k < d->joints; k++) {
    for (int j = 0; j < d->dofs; j++) d->G[k * d->dofs + j] = sample_number(s, g);
    d->b[k] = choose(s, 2) ? sample_number(s, g) : 0.0;
  }
  if (d->joints > 1 && choose(s, 4) == 0) {  // twice the same joint
    memcpy(d->G + d->dofs, d->G, (size_t)d->dofs * sizeof *d->G);
    d->b[1] = d->b[0];
  }
}

static void draw_contacts(source *s, grain g, exact2d_data *d) {
  int prescribed = choose(s, 4);
  for (int c = 0; c < d->contacts; c++) {
    double *row = d->H + (ptrdiff_t)2 * c * d->dofs;
    int fate = choose(s, 12);
    for (int k = 0; k < 2 * d->dofs; k++) row[k] = fate == 0 ? 0.0 : sample_number(s, g);
    for (int k = 0; fate == 1 && k < d->dofs; k++) row[k] = 0.0;            // no normal motion
    for (int k = 0; fate == 2 && k < d->dofs; k++) row[d->dofs + k] = 0.0;  // no tangential motion
    if (fate == 3 && c) memcpy(row, d->H, (size_t)(2 * d->dofs) * sizeof *row);  // a repeated one
    for (int k = 0; k < 2; k++)
      if (prescribed > 1 || (prescribed == 1 && k == 0)) d->w[2 * c + k] = sample_number(s, g);
    if (fate == 3 && c && choose(s, 2)) memcpy(d->w + 2 * c, d->w, 2 * sizeof *d->w);
    d->mu[c] = friction(s, g);
  }
}

static void rescale(source *s, exact2d_data *d) {
  double mass = ldexp(1.0, 30 * (choose(s, 3) - 1)), speed = ldexp(1.0, 30 * (choose(s, 3) - 1));
  for (int k = 0; k < d->dofs * d->dofs; k++) d->M[k] *= mass;
  for (int k = 0; k < d->dofs; k++) d->f[k] *= mass * speed;
  for (int k = 0; k < 2 * d->contacts; k++) d->w[k] *= speed;
  for (int k = 0; k < d->joints; k++) d->b[k] *= speed;
}

// ---- the local form

// Cuts a number to some decimal digits, then to 24 bits.
static double cut(double x, int digits) {
  char text[40];
  double out = 0.0;
  if (digits > 0) {
    snprintf(text, sizeof text, "%.*e", digits - 1, x);
    sscanf(text, "%lf", &out);
    x = out;
  }
  return (double)(float)x;
}

static void reduce_data(source *s, exact2d_data *d) {
  static const int digits_of[] = {0, 7, 5, 3};
  int size = 2 * d->contacts, digits = digits_of[choose(s, 4)];
  for (int i = 0; i < size; i++) {
    const double *row = d->H + (ptrdiff_t)i * d->dofs;
    double sum = d->w[i];
    for (int k = 0; k < d->dofs; k++) sum -= row[k] * d->f[k] / d->M[k * d->dofs + k];
    d->q[i] = cut(sum, digits);
    for (int j = 0; j < size; j++) {
      sum = 0.0;
      for (int k = 0; k < d->dofs; k++)
        sum += row[k] * d->H[(ptrdiff_t)j * d->dofs + k] / d->M[k * d->dofs + k];
      d->W[i * size + j] = cut(sum, digits);
    }
  }
  if (choose(s, 8) == 0)  // gyroscopic terms
    d->W[1] =
        (double)(float)(d->W[1] + 0.0625 * sample_number(s, ANY) * (d->W[0] + d->W[size + 1]));
  d->local = true;
  d->dofs = d->joints = 0;
}

sample sample_draw(uint64_t which) {
  source s = {.state = which * 0xD1342543DE82EF95u + 1};
  sample out = {.rotation = choose(&s, 3)};
  exact2d_data *d = &out.data;
  grain g = (grain)choose(&s, 3);
  bool local = choose(&s, 2) == 0, diagonal;
  d->contacts = 1 + choose(&s, 3);
  d->dofs = 1 + choose(&s, choose(&s, 3) ? 3 : 6);
  d->joints = !local && d->dofs > 1 && choose(&s, 3) == 0 ? 1 + choose(&s, 2) : 0;
  draw_bodies(&s, g, d);
  draw_contacts(&s, g, d);
  if (choose(&s, 4) == 0) rescale(&s, d);
  diagonal = d->dofs == 1 || d->M[1] == 0.0;
  if (local && diagonal) reduce_data(&s, d);
  return out;
}

// ---- in space

// The tangent of the plane in space, and its length.
static const double FRAME[][2] = {{1.0, 0.0}, {3.0, 4.0}, {-4.0, 3.0}}, LENGTH[] = {1.0, 5.0, 5.0};

exact2d_data sample_plane(const sample *s, int dim) {
  exact2d_data d = s->data;
  int size = 2 * d.contacts;
  double length = dim == 3 ? LENGTH[s->rotation] : 1.0;
  for (int i = 1; i < size; i += 2) {
    d.q[i] *= length;
    d.w[i] *= length;
    for (int k = 0; k < d.dofs; k++) d.H[i * d.dofs + k] *= length;
    for (int j = 0; j < size; j++) d.W[i * size + j] *= length;
    for (int j = 0; j < size; j++) d.W[j * size + i] *= length;
  }
  return d;
}

typedef struct triplets {
  int entries, row[1024], col[1024];
  double value[1024];
} triplets;

static void add_value(triplets *t, int row, int col, double value) {
  if (value == 0.0) return;
  t->row[t->entries] = row, t->col[t->entries] = col;
  t->value[t->entries++] = value;
}

static stc_matrix matrix_of(const triplets *t, int rows, int cols) {
  return (stc_matrix){rows, cols, t->entries, STC_STORAGE_TRIPLET, t->col, t->row, t->value};
}

// Entry k of a contact in `dim` dimensions comes from row `*from` of the plane, times the result.
static double share(const sample *s, int dim, int k, int *from) {
  *from = k > 0;
  return dim == 2 || k == 0 ? 1.0 : FRAME[s->rotation][k - 1];
}

static stc_problem *create_local(const sample *s, int dim) {
  const exact2d_data *d = &s->data;
  triplets W = {.entries = 0};
  double q[3 * EXACT_CONTACTS];
  int size = dim * d->contacts;
  stc_problem *problem = NULL;
  for (int i = 0; i < size; i++) {
    int a, b;
    double x = share(s, dim, i % dim, &a);
    q[i] = x * d->q[i / dim * 2 + a];
    for (int j = 0; j < size; j++) {
      double y = share(s, dim, j % dim, &b);
      add_value(&W, i, j, x * y * d->W[(i / dim * 2 + a) * 2 * d->contacts + j / dim * 2 + b]);
    }
  }
  stc_local_data data = {.dim = dim, .contacts = d->contacts, .q = q, .mu = d->mu};
  data.W = matrix_of(&W, size, size);
  return stc_problem_create_local(&data, &problem) ? NULL : problem;
}

static stc_problem *create_global(const sample *s, int dim) {
  const exact2d_data *d = &s->data;
  triplets M = {.entries = 0}, H = {.entries = 0}, G = {.entries = 0};
  double w[3 * EXACT_CONTACTS];
  stc_problem *problem = NULL;
  for (int k = 0; k < d->dofs * d->dofs; k++) add_value(&M, k / d->dofs, k % d->dofs, d->M[k]);
  for (int k = 0; k < d->joints * d->dofs; k++) add_value(&G, k / d->dofs, k % d->dofs, d->G[k]);
  for (int i = 0; i < dim * d->contacts; i++) {
    int a;
    double x = share(s, dim, i % dim, &a);
    const double *row = d->H + (ptrdiff_t)(i / dim * 2 + a) * d->dofs;
    w[i] = x * d->w[i / dim * 2 + a];
    for (int k = 0; k < d->dofs; k++) add_value(&H, i, k, x * row[k]);
  }
  stc_global_data data = {.dim = dim, .contacts = d->contacts, .dofs = d->dofs, .f = d->f};
  data.M = matrix_of(&M, d->dofs, d->dofs);
  data.H = matrix_of(&H, dim * d->contacts, d->dofs);
  data.w = w;
  data.mu = d->mu;
  data.equalities = d->joints;
  if (d->joints) {
    data.G = matrix_of(&G, d->joints, d->dofs);
    data.b = d->b;
  }
  return stc_problem_create_global(&data, &problem) ? NULL : problem;
}

stc_problem *sample_problem(const sample *s, int dim) {
  return s->data.local ? create_local(s, dim) : create_global(s, dim);
}
