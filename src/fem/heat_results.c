// What can be read off a model with heat and current.
#include "../base/fail.h"
#include "fem_data.h"
#include "mesh/mesh.h"

#include <math.h>
#include <string.h>

const double *stc_fem_temperature(const stc_fem *fem) {
  return fem->thermal ? fem->thermal->T : NULL;
}

const double *stc_fem_potential(const stc_fem *fem) {
  return fem->thermal ? fem->thermal->phi : NULL;
}

stc_error stc_fem_group_flow(const stc_fem *fem, const char *group, double *heat, double *current) {
  const stc_mesh *m = fem->mesh;
  const stc_thermal *h = fem->thermal;
  const stc_group *g = NULL;
  double sum[2] = {0};
  STC_TRY(stc_mesh_require(m, group, "flow of group", 0, &g));
  bool *seen = stc_calloc((size_t)m->nodes, sizeof *seen);
  if (!seen) return stc_fail(STC_ERR_MEMORY, "out of memory for the flow of '%s'", group);
  for (int k = 0; h && k < g->cells; k++)
    for (int a = m->ptr[g->cell[k]]; a < m->ptr[g->cell[k] + 1]; a++) {
      int n = m->node[a];
      if (!seen[n]) sum[0] += h->heat[n], sum[1] += h->current[n];
      seen[n] = true;
    }
  stc_release(&seen);
  if (heat) *heat = sum[0];
  if (current) *current = sum[1];
  return STC_OK;
}

void stc_fem_heat(const stc_fem *fem, stc_heat_balance *rate, stc_heat_balance *sum) {
  const stc_heat_balance none = {0};
  if (rate) *rate = fem->thermal ? fem->thermal->rate : none;
  if (sum) *sum = fem->thermal ? fem->thermal->sum : none;
}

void stc_fem_contact_flow(const stc_fem *fem, int pair, int k, stc_contact_flow *flow) {
  const stc_thermal *h = fem->thermal;
  bool there = h && k >= 0 && k < stc_fem_contacts(fem, pair);
  *flow = there ? h->flow[stc_surface_first(fem->surface, pair) + k] : (stc_contact_flow){0};
}

void stc_fem_thermal_work(const stc_fem *fem, int *solves, int *passes) {
  *solves = fem->thermal ? fem->thermal->solves : 0;
  *passes = fem->thermal ? fem->thermal->passes_done : 0;
}
