// What the cells of the bodies add:
//   heat      c N_a dT/dt + k grad N_a . grad T - N_a (sigma |grad phi|^2 + s)
//   current   sigma grad N_a . grad phi,   sigma = electric / (1 + slope (T - reference))
#include "../../base/fail.h"
#include "../../base/stop.h"
#include "thermal_fields.h"

#include <math.h>
#include <string.h>

/// A cell with its fields.
typedef struct field_cell {
  const stc_conductor *c;
  const stc_table *table;
  const int *node;
  double x[STC_CELL_MAX_DOFS];
  double T[STC_CELL_MAX_NODES], phi[STC_CELL_MAX_NODES];  // less those of the first node
  double T_first, rise[STC_CELL_MAX_NODES];               // T1 - T0
} field_cell;

/// A quadrature point with its fields.
typedef struct field_point {
  stc_point at;
  const double *N;
  double gT[3], gphi[3], sigma, dsigma, square;
} field_point;

static void take_cell(const stc_thermal *h, int cell, field_cell *f) {
  const stc_mesh *m = h->mesh;
  f->c = &h->conductor[h->body[cell]];
  f->table = &h->table[m->type[cell]];
  f->node = m->node + m->ptr[cell];
  int first = f->node[0];
  f->T_first = stc_thermal_at(h, first);
  for (int a = 0; a < f->table->nodes; a++) {
    int n = f->node[a];
    memcpy(f->x + a * h->dim, m->x + (ptrdiff_t)n * h->dim, (size_t)h->dim * sizeof *f->x);
    f->T[a] = stc_thermal_at(h, n) - f->T_first;
    f->phi[a] = h->phi[n] - h->phi[first];
    f->rise[a] = h->T1[n] - h->T[n];
  }
}

static void take_gradients(const stc_thermal *h, const field_cell *f, int q, field_point *p) {
  double T = f->T_first;
  memset(p, 0, sizeof *p);
  stc_point_at(f->table, q, f->x, &h->measure, &p->at);
  p->N = f->table->N[q];
  for (int a = 0; a < f->table->nodes; a++) {
    T += p->N[a] * f->T[a];
    for (int i = 0; i < h->dim; i++) {
      p->gT[i] += p->at.grad[a][i] * f->T[a];
      p->gphi[i] += p->at.grad[a][i] * f->phi[a];
    }
  }
  double resistance = 1 + f->c->slope * (T - h->reference);
  p->sigma = f->c->electric / resistance;
  p->dsigma = -p->sigma * f->c->slope / resistance;
  for (int i = 0; i < h->dim; i++) p->square += p->gphi[i] * p->gphi[i];
}

static double dot_gradients(int dim, const double *a, const double *b) {
  double sum = 0;
  for (int i = 0; i < dim; i++) sum += a[i] * b[i];
  return sum;
}

static void add_residual(const stc_thermal *h, const field_cell *f, const field_point *p,
                         stc_equations *e) {
  double w = p->at.weight;
  for (int a = 0; a < f->table->nodes; a++) {
    const double *g = p->at.grad[a];
    int n = f->node[a], at = stc_at_potential(&e->n, n);
    stc_equations_add(e, n, w * f->c->conductivity * dot_gradients(h->dim, g, p->gT));
    stc_equations_add(e, n, -w * p->N[a] * (p->sigma * p->square + f->c->source));
    stc_equations_add(e, at, w * p->sigma * dot_gradients(h->dim, g, p->gphi));
  }
}

static void add_tangent(const stc_thermal *h, const field_cell *f, const field_point *p,
                        stc_equations *e) {
  double w = p->at.weight;
  for (int a = 0; a < f->table->nodes; a++)
    for (int b = 0; b < f->table->nodes; b++) {
      const double *g = p->at.grad[a], *d = p->at.grad[b];
      int n = f->node[a], m = f->node[b];
      int na = stc_at_potential(&e->n, n), mb = stc_at_potential(&e->n, m);
      double K = dot_gradients(h->dim, g, d), along = dot_gradients(h->dim, d, p->gphi);
      double down = dot_gradients(h->dim, g, p->gphi);
      double joule = p->N[a] * p->dsigma * p->square * p->N[b];
      stc_equations_entry(e, n, m, h->theta * w * (f->c->conductivity * K - joule));
      if (p->sigma == 0) continue;
      stc_equations_entry(e, n, mb, -2 * w * p->N[a] * p->sigma * along);
      stc_equations_entry(e, na, mb, w * p->sigma * K);
      stc_equations_entry(e, na, m, h->theta * w * p->dsigma * p->N[b] * down);
    }
}

static void add_capacity(const stc_thermal *h, const field_cell *f, int cell, double dt,
                         stc_equations *e, stc_heat_balance *rate) {
  const stc_table *t = &h->mass[h->mesh->type[cell]];
  for (int q = 0; q < t->rule.points; q++) {
    stc_point p;
    double rise = 0;
    stc_point_at(t, q, f->x, &h->measure, &p);
    double w = p.weight * f->c->capacity / dt;
    for (int a = 0; a < t->nodes; a++) rise += t->N[q][a] * f->rise[a];
    rate->stored += w * rise;
    for (int a = 0; a < t->nodes; a++) {
      stc_equations_add(e, f->node[a], w * t->N[q][a] * rise);
      for (int b = 0; b < t->nodes; b++)
        stc_equations_entry(e, f->node[a], f->node[b], w * t->N[q][a] * t->N[q][b]);
    }
  }
}

static const double CELL = 2000;  // operations of a cell, about

stc_error stc_thermal_add_cells(const stc_thermal *h, double dt, stc_equations *e,
                                stc_heat_balance *rate) {
  for (int cell = 0; cell < h->mesh->cells; cell++) {
    if (h->body[cell] < 0) continue;
    if (stc_stop_due(CELL)) return stc_stop_try(0);
    field_cell f;
    take_cell(h, cell, &f);
    for (int q = 0; q < f.table->rule.points; q++) {
      field_point p;
      take_gradients(h, &f, q, &p);
      if (!(p.sigma >= 0) || !isfinite(p.sigma))
        return stc_fail(STC_ERR_NUMERIC,
                        "the resistivity of '%s' is not positive at the temperature of cell %d",
                        f.c->group, cell);
      add_residual(h, &f, &p, e);
      if (e->jacobian) add_tangent(h, &f, &p, e);
      rate->joule += p.at.weight * p.sigma * p.square;
      rate->source += p.at.weight * f.c->source;
    }
    if (!h->steady) add_capacity(h, &f, cell, dt, e, rate);
  }
  return STC_OK;
}
