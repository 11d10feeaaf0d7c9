// Thermal strain: sigma = sigma(B u - alpha theta m), m = (1, 1, 1, 0, ...), so
//   dF/d(theta_b) = - integral B^T D m alpha N_b.
#include "solid_data.h"

#include <string.h>

void stc_solid_expand(stc_solid *solid, const double *alpha, const double *warmth) {
  solid->alpha = alpha;
  solid->warmth = warmth;
}

// Adds what point q does, with the tangent D there.
static void add_point(const stc_solid *s, int k, int q, const stc_point *point,
                      double (*D)[STC_VOIGT], double *B) {
  const stc_table *t = stc_solid_table(s, k);
  double stress[STC_VOIGT], F[STC_CELL_MAX_DOFS] = {0};
  for (int i = 0; i < STC_VOIGT; i++)
    stress[i] = -s->alpha[s->cell[k]] * (D[i][0] + D[i][1] + D[i][2]);
  stc_point_add_force(t, point, stress, F);
  for (int i = 0; i < t->nodes * t->dim; i++)
    for (int b = 0; b < t->nodes; b++) B[i * STC_CELL_MAX_NODES + b] += F[i] * t->N[q][b];
}

bool stc_solid_expansion(const stc_solid *s, int cell, const double *u, double *B, const int **node,
                         int *nodes) {
  int k = s->place[cell];
  if (k < 0 || !s->alpha || s->alpha[cell] == 0) return false;
  const stc_table *t = stc_solid_table(s, k);
  const stc_response *r = &s->matter[s->body[k]].response;
  double x[STC_CELL_MAX_DOFS], v[STC_CELL_MAX_DOFS], D[STC_VOIGT][STC_VOIGT] = {{0}};
  double strain[STC_VOIGT], stress[STC_VOIGT], trial[STC_VOIGT + 1];
  size_t numbers = (size_t)stc_response_history(r), at = s->history[k];
  stc_solid_gather(s, k, s->mesh->x, x);
  stc_solid_gather(s, k, u, v);
  memset(B, 0, STC_CELL_MAX_DOFS * STC_CELL_MAX_NODES * sizeof *B);
  *node = stc_solid_nodes(s, k);
  *nodes = t->nodes;
  for (int q = 0; q < t->rule.points; q++, at += numbers) {
    stc_point point;
    stc_point_at(t, q, x, &s->measure, &point);
    stc_point_strain(t, &point, v, strain);
    stc_solid_cool(s, k, q, strain);
    if (!stc_response_stress(r, strain, s->kept + at, trial, stress, D)) return false;
    add_point(s, k, q, &point, D, B);
  }
  return true;
}
