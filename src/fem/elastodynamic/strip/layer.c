// The layer: over each cell of Gamma_C the shape functions of the cell times polynomials across,
//   x(xi, s) = sum_a N_a(xi) ((1 - s) foot_a + s head_a),   u(xi, s) = sum N_a(xi) phi_j(s) u_aj,
//   phi = 1 for degree 0; 1 - s, s and bubbles 4 s (1 - s) P_k(2 s - 1) for more, P_k Legendre's.
#include "strip_data.h"

#include <string.h>

#include "../../../base/fail.h"
#include "../../../base/vec3.h"

enum { FUNCTIONS = STC_FACE_FIBRES * STC_ACROSS_MAX, GAUSS_MAX = STC_ACROSS_MAX + 1 };

// --- Across the layer ---

// P_k(x), k = 0 .. count-1, and the derivatives.
static void legendre(int count, double x, double *P, double *dP) {
  for (int k = 0; k < count; k++) {
    P[k] = k == 0 ? 1 : k == 1 ? x : ((2 * k - 1) * x * P[k - 1] - (k - 1) * P[k - 2]) / k;
    dP[k] = k == 0 ? 0 : k == 1 ? 1 : dP[k - 2] + (2 * k - 1) * P[k - 1];
  }
}

void stc_layer_across(int degree, double s, double *N, double *dN) {
  double P[STC_ACROSS_MAX], dP[STC_ACROSS_MAX], bubble = 4 * s * (1 - s);
  legendre(degree > 1 ? degree - 1 : 0, 2 * s - 1, P, dP);
  for (int j = 0; j <= degree; j++) {
    N[j] = degree == 0 ? 1 : j == 0 ? 1 - s : j == 1 ? s : bubble * P[j - 2];
    if (dN)
      dN[j] = degree == 0 ? 0
              : j == 0    ? -1
              : j == 1    ? 1
                          : (4 - 8 * s) * P[j - 2] + 2 * bubble * dP[j - 2];
  }
}

// Newton's method for the zeros of Legendre's polynomial, from those of Chebyshev's.
void stc_gauss(int count, double *at, double *weight) {
  enum { ITERATIONS = 20 };  // it takes 4 or 5
  double P[GAUSS_MAX + 1], dP[GAUSS_MAX + 1];
  for (int k = 0; k < count; k++) {
    double x = -cos(acos(-1) * (k + 0.75) / (count + 0.5));
    for (int i = 0; i < ITERATIONS; i++) {
      legendre(count + 1, x, P, dP);
      x -= P[count] / dP[count];
    }
    legendre(count + 1, x, P, dP);
    at[k] = (1 + x) / 2;
    weight[k] = 1 / ((1 - x * x) * dP[count] * dP[count]);
  }
}

// --- A cell of the layer ---

/// A point of a cell: functions by fibres, then across.
typedef struct layer_point {
  double weight, x[3];
  double N[FUNCTIONS], grad[FUNCTIONS][3];
} layer_point;

typedef struct layer_cell {
  const stc_strip *strip;
  const stc_face *face;
  stc_table table;  ///< of the face
  int across;       ///< functions
  int gauss;        ///< points across
  double at[GAUSS_MAX], gauss_weight[GAUSS_MAX];
  double sign;  ///< of the determinants; 0: not known yet
} layer_cell;

static void open_cell(const stc_strip *s, const stc_face *face, layer_cell *c) {
  *c = (layer_cell){.strip = s, .face = face, .across = stc_layer_functions(s)};
  stc_table_create(face->type, STC_RULE_MASS, &c->table);
  c->gauss = c->across + 1;  // exact for the product of two functions and a linear factor
  stc_gauss(c->gauss, c->at, c->gauss_weight);
}

static stc_error folded(const stc_strip *s, const double *x) {
  return stc_fail(STC_ERR_VALUE,
                  "the layer of thickness eps = %g folds over at (%g, %g, %g): the contact surface "
                  "is bent more than 1/eps; give a thinner one",
                  s->settings.eps, x[0], x[1], s->dim == 3 ? x[2] : 0);
}

// Derivatives of x by the coordinates of the face, then by s; det and the inverse.
static double invert_map(const layer_cell *c, int q, double s, double *x, double *inverse) {
  int d = c->strip->dim, flat = d - 1;
  double J[9] = {0};
  for (int a = 0; a < c->face->nodes; a++) {
    const stc_fibre *f = &c->strip->fibre[c->face->fibre[a]];
    for (int i = 0; i < d; i++) {
      double at = (1 - s) * f->foot[i] + s * f->head[i];
      x[i] += c->table.N[q][a] * at;
      for (int k = 0; k < flat; k++) J[d * i + k] += c->table.dN[q][a * flat + k] * at;
      J[d * i + flat] += c->table.N[q][a] * (f->head[i] - f->foot[i]);
    }
  }
  if (d == 3) return stc_invert3(J, inverse);
  double det = J[0] * J[3] - J[1] * J[2];
  inverse[0] = J[3] / det, inverse[1] = -J[1] / det;
  inverse[2] = -J[2] / det, inverse[3] = J[0] / det;
  return det;
}

static stc_error point_of_layer(layer_cell *c, int q, int r, layer_point *p) {
  int d = c->strip->dim, flat = d - 1;
  double inverse[9], N[STC_ACROSS_MAX], dN[STC_ACROSS_MAX], x[3] = {0};
  double det = invert_map(c, q, c->at[r], x, inverse);
  if (c->sign == 0) c->sign = det > 0 ? 1 : -1;
  if (!(det * c->sign > 0)) return folded(c->strip, x);
  memcpy(p->x, x, sizeof x);
  p->weight = c->table.rule.weight[q] * c->gauss_weight[r] * det * c->sign;
  stc_layer_across(c->across - 1, c->at[r], N, dN);
  for (int a = 0; a < c->face->nodes; a++)
    for (int j = 0; j < c->across; j++) {
      int at = a * c->across + j;
      p->N[at] = c->table.N[q][a] * N[j];
      for (int i = 0; i < d; i++) {
        double sum = c->table.N[q][a] * dN[j] * inverse[d * flat + i];
        for (int k = 0; k < flat; k++)
          sum += c->table.dN[q][a * flat + k] * N[j] * inverse[d * k + i];
        p->grad[at][i] = sum;
      }
    }
  return STC_OK;
}

static int node_of(const layer_cell *c, int at) {
  const stc_fibre *f = &c->strip->fibre[c->face->fibre[at / c->across]];
  return stc_fibre_function(c->strip, f, at % c->across);
}

// --- Stiffness and mass ---

// Strain of a function with gradient g along axis i.
static void strain_of(int dim, const double *g, int i, double *e) {
  memset(e, 0, STC_VOIGT * sizeof *e);
  double z = dim == 3 ? g[2] : 0;
  e[i] = g[i];
  if (i == 0) e[3] = g[1], e[5] = z;
  if (i == 1) e[3] = g[0], e[4] = z;
  if (i == 2) e[4] = g[1], e[5] = g[0];
}

/// Sums of a cell, functions*dim by rows.
typedef struct layer_sums {
  double *K, *M;
} layer_sums;

static void add_stress_rows(const layer_cell *c, const layer_point *p, double (*C)[STC_VOIGT],
                            double weight, layer_sums *sums) {
  int d = c->strip->dim, count = c->face->nodes * c->across, size = count * d;
  for (int col = 0; col < size; col++) {
    double e[STC_VOIGT], stress[STC_VOIGT];
    strain_of(d, p->grad[col / d], col % d, e);
    for (int a = 0; a < STC_VOIGT; a++) {
      stress[a] = 0;
      for (int b = 0; b < STC_VOIGT; b++) stress[a] += C[a][b] * e[b];
    }
    for (int row = 0; row < size; row++) {
      double sum = 0;
      strain_of(d, p->grad[row / d], row % d, e);
      for (int a = 0; a < STC_VOIGT; a++) sum += e[a] * stress[a];
      sums->K[row * size + col] += weight * sum;
    }
  }
}

// Gradients and the functions themselves instead of strains.
static void add_norm_rows(const layer_cell *c, const layer_point *p, layer_sums *sums) {
  int d = c->strip->dim, count = c->face->nodes * c->across, size = count * d;
  for (int a = 0; a < count; a++)
    for (int b = 0; b < count; b++) {
      double sum = p->N[a] * p->N[b];
      for (int i = 0; i < d; i++) sum += p->grad[a][i] * p->grad[b][i];
      for (int i = 0; i < d; i++) sums->K[(a * d + i) * size + b * d + i] += p->weight * sum;
    }
}

static stc_error sum_layer_cell(layer_cell *c, bool norms, layer_sums *sums) {
  const stc_strip *s = c->strip;
  const stc_region *region = &s->region[c->face->region];
  int count = c->face->nodes * c->across, size = count * s->dim;
  memset(sums->K, 0, (size_t)(size * size) * sizeof *sums->K);
  memset(sums->M, 0, (size_t)(count * count) * sizeof *sums->M);
  layer_point p;
  for (int q = 0; q < c->table.rule.points; q++)
    for (int r = 0; r < c->gauss; r++) {
      double scale, density;
      STC_TRY(point_of_layer(c, q, r, &p));
      STC_TRY(stc_region_at(s, region, p.x, &scale, &density));
      if (norms)
        density = 1, add_norm_rows(c, &p, sums);
      else
        add_stress_rows(c, &p, (double(*)[STC_VOIGT])region->C, p.weight * scale, sums);
      for (int a = 0; a < count; a++)
        for (int b = 0; b < count; b++)
          sums->M[a * count + b] += p.weight * density * p.N[a] * p.N[b];
    }
  return STC_OK;
}

size_t stc_layer_entries(const stc_strip *s) {
  size_t entries = 0;
  for (int k = 0; k < s->faces && stc_strip_has_layer(s); k++) {
    size_t size = (size_t)(s->face[k].nodes * stc_layer_functions(s) * s->dim);
    entries += size * size;
  }
  return entries;
}

static void add_sums(const layer_cell *c, const layer_sums *sums, stc_triplets *triplets) {
  int d = c->strip->dim, count = c->face->nodes * c->across, size = count * d;
  for (int row = 0; row < size; row++)
    for (int col = 0; col < size; col++)
      stc_triplets_add(triplets, node_of(c, row / d) * d + row % d,
                       node_of(c, col / d) * d + col % d, sums->K[row * size + col],
                       row % d == col % d ? sums->M[row / d * count + col / d] : 0);
}

stc_error stc_layer_add(const stc_strip *s, bool norms, stc_triplets *triplets) {
  if (!stc_strip_has_layer(s)) return STC_OK;
  STC_ARENA work = {0};
  size_t most = FUNCTIONS * 3;
  layer_sums sums = {.K = STC_TAKE_RAW(&work, double, most *most),
                     .M = STC_TAKE_RAW(&work, double, FUNCTIONS *FUNCTIONS)};
  STC_TRY(stc_arena_check(&work));
  for (int k = 0; k < s->faces; k++) {
    layer_cell c;
    open_cell(s, &s->face[k], &c);
    STC_TRY(sum_layer_cell(&c, norms, &sums));
    add_sums(&c, &sums, triplets);
  }
  return STC_OK;
}

// --- Body forces ---

stc_error stc_layer_load(const stc_strip *s, double t, double *load) {
  layer_point p;
  for (int k = 0; k < s->faces && stc_strip_has_layer(s); k++) {
    layer_cell c;
    open_cell(s, &s->face[k], &c);
    for (int q = 0; q < c.table.rule.points; q++)
      for (int r = 0; r < c.gauss; r++) {
        double f[3];
        STC_TRY(point_of_layer(&c, q, r, &p));
        STC_TRY(stc_region_force(s, &s->region[c.face->region], t, p.x, f));
        for (int a = 0; a < c.face->nodes * c.across; a++)
          for (int i = 0; i < s->dim; i++)
            load[node_of(&c, a) * s->dim + i] += p.weight * p.N[a] * f[i];
      }
  }
  return STC_OK;
}
